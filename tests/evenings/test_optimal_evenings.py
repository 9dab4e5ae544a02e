"""The smallest bankroll that lasts, and the best bets of a menu: bold play, Kelly and others."""

import re
from fractions import Fraction
from itertools import product
from math import log

import pytest
from tests.evenings.by_hand_evening import TRUE, WAYS, name, paid, settle

import sevenout as so
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.cli import main
from sevenout.documents import Text
from sevenout.errors import RulesError
from sevenout.evenings import Plan, bankroll_for, evening, optimal_evenings
from sevenout.evenings.optimal_evenings import LOGARITHMS
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.casino.felt import OneBet
from sevenout.simulation.played_evenings import simulate_evenings


@pytest.mark.parametrize(("target", "chance"), [(4, "59536/245025"), (3, "59536/183781")])
def test_bold_play_at_the_table(target, chance):
    bold = so.best_evening({"pass": [1, 2, 3]}, 1, target=target)
    assert bold.value == Fraction(chance)
    assert evening(bold.strategy, 1, target=target).reached == bold.value


def test_the_table_is_as_good_as_the_bet_alone():
    line = OneBet(so.Law({1: 244, -1: 251}))
    for bankroll in (3, 5):
        table = so.best_evening({"pass": range(1, 13)}, bankroll, target=12)
        alone = so.best_evening({"pass": range(1, 13)}, bankroll, target=12, house=line)
        assert table.value == alone.value


def test_more_on_the_menu_is_no_worse():
    one = so.best_evening({"pass": [1, 2]}, 3, target=6).value
    both = so.best_evening({"pass": [1, 2], "don't pass": [1, 2]}, 3, target=6).value
    odds = so.best_evening({"pass": [1, 2], "pass odds": [1, 2]}, 3, target=6).value
    assert one < both
    assert one < odds


def test_forced_bets_lose_least_as_small_bets_on_the_pass_line():
    found = so.best_evening({"pass": [1, 2], "place 6": [6], "any 7": [1]}, 20, rolls=2)
    first = {made for (_, point, bets, left), made in found.chosen_bets if left == 2}
    assert first == {("1 on pass",)}
    assert found.value == -Fraction(7, 495) * (1 + Fraction(12, 36))  # a second after a natural


def test_what_stands_is_played_out():
    """No one gains by leaving a pass line bet with a point at what was staked."""
    assert so.best_evening({"pass": [1]}, 5, rolls=1).value == -Fraction(7, 495)
    assert so.best_evening({"don't pass": [1]}, 5, rolls=1).value == -Fraction(3, 220)
    assert so.best_evening({"place 6": [6]}, 6, rolls=1).value == -Fraction(6, 66)


def test_an_idler_does_not_bet_and_loses_nothing():
    found = so.best_evening({"pass": [1], "field": [1]}, 5, rolls=3, idle=True)
    assert found.value == 0
    assert found.chosen_bets == ()


def test_kelly_bets_the_edge_times_the_bankroll():
    """A field that pays 3 to 1 on 2 and on 12 has no edge; one at 5 to 1 has one for the bettor."""
    house = House(field=(5, 5), minimum="1/100", breakage=0)
    amounts = [Fraction(k, 100) for k in range(0, 41)][1:]
    found = so.best_evening({"field": amounts}, 1, rolls=1, want="log", idle=True, house=house)

    def growth(x):
        return sum(log(1 + x * profit) * ways / 36 for profit, ways in ((1, 14), (5, 2), (-1, 20)))

    best = max([Fraction(0), *amounts], key=growth)
    assert 0 < best < Fraction(2, 5)
    assert found.chosen_bets[0][1] == (f"{best} on field",)
    assert float(found.value) == pytest.approx(growth(best))


MENU = {"pass": [1, 2], "pass odds": [1, 4], "field": [1], "any craps": [1]}


def wanted(money, point, felt):
    """All that may be bet: (bets, what is left in the rail), by the rules of the table."""
    found = [(felt, money - sum(felt.values()))]
    for bet, amounts in MENU.items():
        for bets, rail in list(found):
            flat = bets.get("pass", 0)
            most = flat * {4: 3, 5: 4, 6: 5, None: 0}[point and min(point, 14 - point)]
            for amount in amounts:
                more = amount - bets.get(bet, 0)
                contract = bet == "pass" and point is not None
                allowed = not contract and (bet != "pass odds" or amount <= most)
                if 0 < more <= rail and allowed:
                    found.append(({**bets, bet: amount}, rail - more))
    return [each for each in found if each[0]] or found


def best_by_hand(money, rolls, worth, target, stands=(None, {})):
    """What the best bets of `MENU` are worth, by every way to bet and every roll."""
    point, felt = stands
    if not felt and money < 1:
        return worth(money)
    values = []
    for bets, rail in wanted(money, point, felt):
        value = 0
        for total, ways in WAYS.items():
            left, back = {}, rail
            for bet, amount in bets.items():
                won, stands = settle(bet.split(), amount, point, total, False, pays=((2, 3), 12))
                if won is None:
                    left[name(stands)] = amount
                else:
                    back += amount + won
            then = (total if total in TRUE else None) if point is None else point
            then = None if point is not None and total in (7, point) else then
            now = back + sum(left.values())
            if target is not None and now >= target:
                value += ways * worth(now)
            elif rolls > 1:
                value += ways * best_by_hand(now, rolls - 1, worth, target, (then, left))
            elif not left:
                value += ways * worth(now)
            else:  # the line and its odds, which stand until the point or the 7
                up = now + left["pass"]
                up += paid(left["pass odds"], TRUE[then]) if "pass odds" in left else 0
                hit, out = WAYS[then], WAYS[7]
                mean = Fraction(hit, hit + out) * worth(up) + Fraction(out, hit + out) * worth(back)
                value += ways * mean
        values.append(value / Fraction(36))
    return max(values)


@pytest.mark.parametrize(
    ("want", "target"), [("target", 6), ("money", None), ("log", None), ("log", 6)]
)
def test_nothing_that_can_be_bet_is_better(want, target):
    worth = {
        "target": lambda money: int(money >= 6),
        "money": lambda money: money - 3,
        "log": lambda money: log(money / 3) if money else -(10**6),
    }[want]
    found = so.best_evening(MENU, 3, target=target, rolls=2, want=want)
    by_hand = best_by_hand(3, 2, worth, target)
    same = float(found.value) == pytest.approx(by_hand, rel=1e-9)
    assert same if want == "log" else found.value == by_hand


def test_bold_play_is_worth_what_dubins_and_savage_say():
    """Q(x) = p Q(2x) up to a half, and p + q Q(2x - 1) from there on."""
    p = Fraction(244, 495)

    def bold(x):
        if x in (0, 1):
            return x
        return p * bold(2 * x) if 2 * x <= 1 else p + (1 - p) * bold(2 * x - 1)

    for money in (1, 3, 5, 6):
        best = so.best_evening({"pass": range(1, 8)}, money, target=8)
        assert best.value == bold(Fraction(money, 8))


def test_a_mean_of_logarithms_says_that_these_are_floats():
    found = so.best_evening({"field": [1]}, 5, rolls=1, want="log")
    assert Text(LOGARITHMS, tone="note") in found.page().blocks
    assert found.goal.description == "the highest mean of logarithm of money"


def test_the_best_play_is_simulated():
    bold = so.best_evening({"pass": [1, 2, 3], "any 7": [1]}, 2, target=6)
    tally = simulate_evenings(bold.strategy, 2, 40_000, seed=2, target=6)
    p = float(bold.value)
    assert abs(float(tally.p("target")) - p) < 4 * (p * (1 - p) / 40_000) ** 0.5  # 1 in 15,000


@pytest.mark.parametrize(
    ("menu", "options", "said"),
    [
        ({}, {"target": 5}, "the menu"),
        ({"pas": [1]}, {"target": 5}, "no bet 'pas'"),
        ({"pass": []}, {"target": 5}, "give amounts"),
        ({"pass": [0]}, {"target": 5}, "more than 0"),
        ({"pass": [5]}, {"target": 5}, "can't pay for any bet"),
        ({"pass odds": [1]}, {"target": 5}, "no bet on the menu can be made"),
        ({"pass": [1]}, {}, "give rolls"),
        ({"pass": [1]}, {"target": 1}, "already reaches"),
        ({"pass": [1]}, {"target": 5, "idle": True}, "give rolls"),
        ({"pass": [1]}, {"rolls": 5, "want": "target"}, "want='target'"),
        ({"pass": [1]}, {"rolls": 0}, "rolls=0"),
    ],
)
def test_menus_that_make_no_sense(menu, options, said):
    with pytest.raises(RulesError, match=said):
        so.best_evening(menu, 2, **options)


def test_the_command(capsys):
    assert main(["evening", "--best", "pass=1..3", "--bankroll", "1", "--target", "4"]) == 0
    out = capsys.readouterr().out
    assert "59536/245025" in out
    assert "2 on pass" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--best", "pass"], "not a bet with amounts"),
        (["--best", "pass=1,pass=2", "--target", "20"], "twice"),
        (["--best", "pass=5..1", "--target", "20"], "not a range"),
        (["--best", "pass=1", "--odd", "2"], "has no option --odd"),
        (["--best", "pass=1", "--idle", "maybe"], "maybe"),
    ],
)
def test_what_is_refused(words, said, capsys):
    assert main(["evening" if "--best" in words else "best", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


ODDS = """
[[bet]]
on = "pass"
amount = 2
odds = 2
"""


class Half(Strategy):
    sees_money = True

    def wants(self, table):
        return {"field": table.money // 2}


DICE = [a + b for a, b in product(range(1, 7), repeat=2)]


def lasts(bankroll, rolls, point=None, unit=1):
    """By hand: the ways in which $1 on the pass line, again and again, lasts this many rolls."""
    if rolls == 0:
        return 1
    if point is None and bankroll < unit:
        return 0
    ways = Fraction(0)
    for total in DICE:
        if point is None:
            won = {7: 1, 11: 1, 2: -1, 3: -1, 12: -1}.get(total)
            then = (bankroll + won, None) if won else (bankroll, total)
        elif total in (7, point):
            then = bankroll + (1 if total == point else -1), None
        else:
            then = bankroll, point
        ways += Fraction(lasts(then[0], rolls - 1, then[1]), 36)
    return ways


def test_it_is_as_by_hand():
    needed = bankroll_for("pass", "99.5%", rolls=4)
    for bankroll in (1, 2, 3):
        # ruin is to want a next bet that can't be paid: none is wanted after the last roll
        assert needed.solvent[bankroll] == pytest.approx(float(lasts(bankroll, 4)), abs=1e-14)
    smallest = min(b for b in range(1, 9) if lasts(b, 4) >= Fraction(995, 1000))
    assert needed.bankroll == smallest


@pytest.mark.parametrize("strategy", ["pass", "iron-cross", "three-point-molly", "odds"])
def test_it_is_as_evening_by_evening(strategy):
    strategy = parse_strategy(ODDS).strategy if strategy == "odds" else strategy
    needed = bankroll_for(strategy, "90%", rolls=60)
    assert 0 < needed.bound < 1e-9
    for bankroll, p in list(needed.solvent.items())[:: max(1, len(needed.solvent) // 12)]:
        result = Plan.of(strategy, bankroll, rolls=60).solve()
        assert abs(1 - float(result.ruin) - p) <= float(result.bound + needed.bound) + 1e-15
    smaller = [p for bankroll, p in needed.solvent.items() if bankroll < needed.bankroll]
    assert max(smaller) < 0.9 <= needed.solvent[needed.bankroll]


def test_its_page_and_its_data():
    needed = bankroll_for("place-6-8", "95%", hours=1)
    page = str(needed)
    assert "smallest bankroll" in page
    assert page.count("\n") < 20
    assert needed.to_dict() == {
        "strategy": needed.name,
        "rolls": 100,
        "hours": "1",
        "probability": "19/20",
        "bankroll": str(needed.bankroll),
        "lasts": {str(bankroll): p for bankroll, p in needed.solvent.items()},
        "bound": float(needed.bound),
    }
    assert bankroll_for("pass", "50%", rolls=9).to_dict()["hours"] is None
    assert needed.smallest("50%") <= needed.bankroll == needed.smallest("95%")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"probability": 1}, "above 0 and below 1"),
        ({"probability": "0"}, "above 0 and below 1"),
        ({"rolls": None}, "no end"),
        ({"strategy": Half()}, "by its money"),
        ({"strategy": "nonsense"}, "nonsense"),
    ],
)
def test_what_has_no_such_bankroll(arguments, message):
    given = {"strategy": "pass", "probability": "95%", "rolls": 9} | arguments
    with pytest.raises(RulesError, match=message):
        bankroll_for(given.pop("strategy"), given.pop("probability"), **given)


def test_the_page_of_a_bankroll_lists_those_of_other_probabilities():
    needed = bankroll_for("pass", "95%", rolls=20)
    assert repr(needed) == "<Pass line: a bankroll of 5 lasts 20 rolls at 19/20>"
    lines = [re.split(r"  +", line.strip()) for line in str(needed).splitlines()]
    facts, table = lines[2:5], lines[9:-1]
    assert facts == [
        ["rolls", "20"],
        ["smallest bankroll", "5"],
        ["it lasts with probability", "96.8256 %"],
    ]
    levels = ["50.0", "75.0", "80.0", "90.0", "95.0", "98.0", "99.0", "99.9"]
    assert table == [[f"{level} %", str(needed.smallest(f"{level}%"))] for level in levels]
    assert [bankroll for _, bankroll in table] == ["2", "3", "4", "4", "5", "6", "6", "8"]


def test_the_page_of_the_best_play_has_the_rows_in_which_a_bet_is_best():
    lines = str(so.best_evening({"pass": [1, 2]}, 1, target=4)).splitlines()
    assert [re.split(r"  +", line) for line in lines if line and line[0] not in "━─"] == [
        ["Best play"],
        ["probability of reaching the target", "59536/245025", "0.242979288"],
        ["Exact, by policy iteration over the fractions: no option of any state is better."],
        ["money", "bet"],
        ["1", "1 on pass"],
        ["2", "2 on pass"],
        [
            "The player decides in 3 states. The table has those where a bet is best. In the "
            "others, roll."
        ],
    ]


def test_rows_that_are_not_printed_are_counted(monkeypatch):
    best = so.best_evening({"pass": [1], "field": [1]}, 2, rolls=2, want="log")
    rows = [line for line in str(best).splitlines() if line.endswith(" on pass")]
    assert [re.split(r"  +", row) for row in rows] == [
        ["2", "2", "1 on pass"],
        ["1, 3", "1", "1 on pass"],
    ]
    assert "left out" not in str(best)
    monkeypatch.setattr(optimal_evenings, "MAX_ROWS_PRINTED", 1)
    page = " ".join(str(best).split())
    assert "In the others, roll. 1 further row left out." in page
    assert "1, 3" not in page
