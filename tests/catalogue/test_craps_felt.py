"""Every bet of the felt has the edge that the catalogue gives it; and games as tables."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.craps_family.craps_felt import House, house_of
from sevenout.catalogue.craps_family.hand_bets import fire
from sevenout.catalogue.craps_family.side_bets import SIDE_BETS
from sevenout.catalogue.craps_family.spots import BONUS, NEXT, original_bet, spot
from sevenout.catalogue.dice_and_odds import POINTS
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.errors import NotationError, RulesError, SevenoutError
from sevenout.evenings import evening
from sevenout.rules.casino.betting import Bettor, Sitting, Strategy
from sevenout.rules.casino.felt import Common, Throw
from sevenout.rules.casino.menu import PlayedOut
from sevenout.simulation.played_evenings import simulate_evenings
from sevenout.verify.agreement import confirm_evenings

FINE = House(breakage=0, minimum="1/100")
UP_FRONT = House(breakage=0, minimum="1/100", vig="up front")
BY_PAIR = {4: "4-10", 5: "5-9", 6: "6-8", 8: "6-8", 9: "5-9", 10: "4-10"}
NAMED = {
    "any 7": "any-seven",
    "any craps": "any-craps",
    "aces": "aces-2",
    "ace-deuce": "ace-deuce-3",
    "yo": "yo-11",
    "boxcars": "boxcars-12",
    "hi-lo": "hi-lo-2-or-12",
    "over 7": "over-7",
    "under 7": "under-7",
    "horn": "horn",
    "world": "world-whirl",
    "C&E": "c-e",
    "three-way": "three-way-craps",
}


def edge(house, bet, point=None, flat=None):
    """What is lost per unit at risk on a bet that is made now and stands until it is settled."""
    stands = {bet: Fraction(1)}
    assert house.allows(point, flat or {}, bet, Fraction(1))
    mean = so.solve(PlayedOut(house, point, tuple(stands.items()))).bet("felt").mean
    return -mean / house.cost(tuple(stands.items()))


def known(name):
    return so.solve(games[name]).bet(games.entry(name).bet or None).edge


CASES = [
    (FINE, "pass", None, "pass-line"),
    (FINE, "don't pass", None, "dont-pass-bar-12"),
    (House(breakage=0, bar=2), "don't pass", None, "dont-pass-bar-2"),
    (House(breakage=0, bar=3), "don't pass", None, "dont-pass-bar-3"),
    *((FINE, "come", point, "come") for point in POINTS),
    *((FINE, "don't come", point, "dont-come-bar-12") for point in POINTS),
    (FINE, "field", 6, "field-2-3"),
    (House(breakage=0, field=(2, 2)), "field", None, "field-2-2"),
    (House(breakage=0, field=(3, 3)), "field", None, "field-3-3"),
    (House(breakage=0, field=(1, 1)), "field", 4, "field-1-1"),
    *((FINE, f"place {n}", 4, f"place-{pair}") for n, pair in BY_PAIR.items()),
    *((FINE, f"place {n}", None, f"place-{pair}") for n, pair in BY_PAIR.items()),
    *((FINE, f"place to lose {n}", 5, f"place-to-lose-{pair}") for n, pair in BY_PAIR.items()),
    *((FINE, f"buy {n}", 6, f"buy-{pair}-on-win") for n, pair in BY_PAIR.items()),
    *((FINE, f"lay {n}", 6, f"lay-{pair}-on-win") for n, pair in BY_PAIR.items()),
    *((FINE, f"hard {n}", 5, f"hardway-{BY_PAIR[n]}") for n in (4, 6, 8, 10)),
    (House(breakage=0, hard=("15/2", "19/2")), "hard 4", 5, "hardway-4-10-7-5-1"),
    (House(breakage=0, hard=("15/2", "19/2")), "hard 8", 5, "hardway-6-8-9-5-1"),
    (FINE, "big 6", 9, "big-6-big-8"),
    (FINE, "big 8", None, "big-6-big-8"),
    (FINE, "hop 1-2", None, "hop-easy"),
    (FINE, "hop 5-5", 5, "hop-hard"),
    *((FINE, bet, 8, name) for bet, name in NAMED.items()),
    (FINE, "small", None, "bonus-small-34-1"),
    (FINE, "tall", None, "bonus-tall-34-1"),
    (FINE, "all", None, "bonus-all-175-1"),
    *((House(breakage=0, put=True), "pass", n, f"put-{p}") for n, p in BY_PAIR.items()),
    (FINE, "fire", None, "fire-bet-a"),
    (FINE, "hot shooter", None, "hot-shooter-jackpot"),
    (FINE, "different doubles", None, "different-doubles"),
    (FINE, "flaming four", None, "flaming-four"),
    (FINE, "sizzling six", None, "sizzling-six"),
    (FINE, "hot hand", None, "hot-hand"),
    (FINE, "any repeater", None, "repeater-plus-any-seven-times"),
    *(
        (FINE, f"repeater {n}", None, f"repeater-{pair}")
        for pair, numbers in {
            "2-12-2x-40-1": (2, 12),
            "3-11-3x-50-1": (3, 11),
            "4-10-4x-65-1": (4, 10),
            "5-9-5x-80-1": (5, 9),
            "6-8-6x-90-1": (6, 8),
        }.items()
        for n in numbers
    ),
    *((FINE, f"horn high {n}", 6, "horn-high-12-or-2") for n in (2, 12)),
    *((FINE, f"horn high {n}", 6, "horn-high-yo-or-3") for n in (3, 11)),
    (FINE, "low dice", None, "low-dice"),
]


@pytest.mark.parametrize(("house", "bet", "point", "name"), CASES)
def test_a_bet_until_it_is_settled_has_the_edge_of_the_catalogue(house, bet, point, name):
    assert edge(house, bet, point) == known(name)


def test_no_bet_was_forgotten():
    tried = {bet for _, bet, _, _ in CASES}
    assert tried >= {*NEXT, *BONUS, *SIDE_BETS, "pass", "don't pass", "come", "don't come", "field"}


def test_a_commission_that_is_paid_up_front():
    for number, pair in BY_PAIR.items():
        for kind in ("buy", "lay"):
            bet = f"{kind} {number}"
            words = "5-up-front" if kind == "buy" else "5-of-win-up-front"
            assert edge(UP_FRONT, bet, 6) == known(f"{kind}-{pair}-{words}")


@pytest.mark.parametrize("number", POINTS)
@pytest.mark.parametrize("line", ["pass", "don't pass", "come", "don't come"])
def test_odds_have_no_edge(line, number):
    bet = line if line.endswith("pass") else f"{line} {number}"
    point = number if line.endswith("pass") else 4 if number != 4 else 5
    assert edge(FINE, f"{bet} odds", point, {bet: Fraction(1)}) == 0


def test_a_put_bet_needs_a_house_that_takes_it():
    with pytest.raises(RulesError, match="made and raised on the come-out"):
        FINE.check(6, {}, "pass", 1)
    put = House(put=True)
    put.check(6, {"pass": 5}, "pass", 10)
    with pytest.raises(RulesError, match="can't be taken down"):
        put.check(6, {"pass": 5}, "pass", 4)


@pytest.mark.parametrize(
    ("point", "bets", "bet", "said"),
    [
        (6, {}, "fire", "as its game begins"),
        (None, {"fire @1 come-out": 1}, "fire @1 come-out", "as its game begins"),
        (4, {"fire": 1}, "fire", "as its game begins"),
    ],
)
def test_a_fire_bet_is_made_at_the_start(point, bets, bet, said):
    with pytest.raises(RulesError, match=said):
        FINE.check(point, bets, bet, 5)


def test_a_house_that_pays_the_fire_otherwise():
    other = House(breakage=0, side={"fire": fire({4: 9, 5: 199, 6: 1999})})
    assert edge(other, "fire") == known("fire-bet-b")
    assert hash(other) != hash(FINE)
    with pytest.raises(RulesError, match="side='fir'"):
        House(side={"fir": fire()})


def test_side_bets_in_a_file_are_made_once():
    file = parse_strategy(
        '[[bet]]\non = "fire"\namount = 1\n[[bet]]\non = "small"\namount = 1\n'
        '[[bet]]\non = "pass"\namount = 5'
    )
    sitting = Sitting(Bettor(House(), file.strategy), 10_000)
    random, seen = Random(1), set()
    for _ in range(400):
        sitting.roll((random.randint(1, 6), random.randint(1, 6)))
        kinds = Counter(original_bet(bet) for bet in sitting.bets)
        assert max(kinds.values(), default=1) == 1
        seen |= kinds.keys()
    assert seen == {"fire", "small", "pass"}


class Always(Strategy):
    """A unit on each of some games, again whenever one is settled."""

    def __init__(self, *names):
        self.names = names

    def wants(self, table):
        return {n: 1 for n in self.names if not any(bet.split(" @")[0] == n for bet in table.bets)}


FAST = {"fast": games["fast-craps-pass"], "brick": games["fast-craps-brick"]}


def test_fast_craps_is_a_table():
    felt = Common(FAST)
    for name, game in FAST.items():
        assert so.best_evening({name: [1]}, 1, rolls=1, house=felt).value == -(
            so.solve(game).bet(name if name == "brick" else "pass").edge
        )
    result = evening(Always("fast", "brick"), 9, rolls=12, house=felt)
    tally = simulate_evenings(Always("fast", "brick"), 9, 30_000, seed=6, rolls=12, house=felt)
    assert confirm_evenings(tally, result, confidence="99.99%").agrees  # 1 in 10,000 if true


def test_three_dice_are_a_table_too():
    big = games["sic-bo-small-big"]
    felt = Common({"big": big})
    assert felt.roll_count == 216
    result = evening(Always("big"), 10**3, rolls=3, house=felt)
    assert result.mean == -3 * so.solve(big).bet().edge


@pytest.mark.parametrize(
    ("bets", "said"),
    [
        ({}, "is not a table"),
        ({"both": games["fast-craps"]}, "give the game and which"),
        ({"craps": 7}, "not a game"),
        ({"a": games["craps"], "b": games["sic-bo-small-big"]}, "the same dice"),
    ],
)
def test_tables_that_can_not_be(bets, said):
    with pytest.raises(RulesError, match=said):
        Common(bets)


def test_what_has_begun_stays():
    felt = Common(FAST)
    _, then, _, _ = felt.roll(None, (("brick", 2),), Throw(6, (3, 3), 1))
    (bet,) = then
    with pytest.raises(RulesError, match="its game has begun"):
        felt.check(None, then, bet, 0)
    with pytest.raises(RulesError, match="no bet 'pass'; the bets are fast, brick"):
        felt.check(None, {}, "pass", 1)


def test_a_bonus_bet_lists_each_total_once_and_a_hop_may_be_a_pair():
    assert spot("hop 3-3").faces == (3, 3)
    for bet in ("small 3,3", "tall 8,8", "all 3,5,5"):
        with pytest.raises(RulesError, match=f"no bet '{bet}'"):
            spot(bet)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"odds": (1, 2, "x")}, "odds='x'; give an amount"),
        ({"odds": (1, 2)}, "odds=.* 3 numbers"),
        ({"odds": (2, 2, -1)}, "odds=-1; give 0 or more"),
        ({"lay": "six"}, "lay='six'; give an amount"),
        ({"lay": -1}, "lay=-1"),
        ({"field": (2,)}, "field=.* 2 numbers"),
        ({"hard": 5}, "hard=5; give 2 numbers"),
        ({"bonus": (1, 2)}, "bonus=.* 3 numbers"),
        ({"minimum": 5, "maximum": 4}, "maximum=4; give no less"),
        ({"working": "no"}, "working='no'; give True or False"),
        ({"commission": None}, "None"),
    ],
)
def test_a_house_that_makes_no_sense(given, said):
    with pytest.raises(SevenoutError, match=said):
        House(**given)


def test_odds_may_be_a_fraction():
    result = evening(strategies("pass-odds", amount=2, odds="3/2"), 50, rolls=2, house=ODD)
    assert result.money.support == (45, 58)


ODD = House(odds=("3/2", "3/2", "3/2"))


@pytest.mark.parametrize("rule", ["minimum=5%", "breakage=5%", "odds=5%"])
def test_a_percentage_is_a_commission_alone(rule):
    assert house_of("commission=5%").commission == Fraction(1, 20)
    with pytest.raises(RulesError, match=f"{rule.partition('=')[0]}='5%'; give"):
        house_of(rule)


def test_a_house_rule_that_is_given_twice_is_refused():
    """The last one counted, and the first was dropped."""
    with pytest.raises(NotationError, match="'minimum' is given twice"):
        house_of("minimum=5,minimum=10")
