"""Strategy files do what their words say: compared with a player who keeps a tally."""

import pytest
from tests.evenings.by_hand_evening import Evening, law
from tests.evenings.by_hand_strategy import PlayedByWords

from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.errors import NotationError
from sevenout.evenings import evening
from sevenout.rules.casino.betting import TableView
from sevenout.rules.casino.felt import FeltRoll, Paid, Throw

LIMIT = '[[bet]]\non = "place 6"\namount = 12\nwhen = "point"\nlimit = 1'
CLIMB = (
    '[[bet]]\non = "place 6"\namount = 12\nwhen = "point"\nladder = [1, 1, 2]\n'
    'win = "on"\nloss = "first"'
)
REGRESS = "\n".join(
    f'[[bet]]\non = "place {n}"\namount = 30\nwhen = "point"\npress = -12\nleast = 6'
    for n in (6, 8)
)
FILES = {
    "limit": LIMIT,
    "limit of two": LIMIT.replace("limit = 1", "limit = 2"),
    "climb": CLIMB,
    "climb after losses": CLIMB.replace('"on"', '"back"').replace('"first"', '"on"'),
    "regress": REGRESS,
    "parlay": '[[bet]]\non = "place 8"\namount = 6\nwhen = "point"\npress = "all"\nmost = 24',
    "always up": '[[bet]]\non = "buy 4"\namount = 20\nladder = [1, 3]\nwin = "on"\nlimit = 3',
    "field ladder": '[[bet]]\non = "field"\namount = 5\nladder = [1, 2, 4]\nlimit = 3',
    "line": '[[bet]]\non = "pass"\namount = 5\nwhen = "come-out"\nladder = [1, 2]',
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_played_as_its_words_say(name):
    text = FILES[name]
    strategy = parse_strategy(text).strategy
    by_hand, handle, _, _ = law(PlayedByWords(text), 90, 5)
    found = evening(strategy, 90, rolls=5)
    money = {}
    for (_, left), p in by_hand.items():
        money[left] = money.get(left, 0.0) + float(p)
    assert dict(found.money.items()) == pytest.approx(money, rel=1e-12)
    assert found.handle == pytest.approx(float(handle), rel=1e-12)


def after_a_win(strategy, point, bets, memory, profit):
    """What is on the 6 after a roll that settled it."""
    roll = FeltRoll(Throw(6, None, 5), (Paid("place 6", bets["place 6"], profit),), False)
    seen = TableView(point, bets, memory, roll)
    memory = strategy.remembers(seen)
    return {**bets, **strategy.wants(TableView(point, bets, memory, roll))}, memory


def test_collect_press_regress_bets_12_12_24_12():
    """The steps of the file's words, worked out by hand over three wins and the fourth bet."""
    strategy = parse_strategy(CLIMB).strategy
    bets, memory, amounts = {"place 6": 12}, strategy.memory, [12]
    for profit in (14, 14, 28):
        bets, memory = after_a_win(strategy, 8, bets, memory, profit)
        amounts.append(bets["place 6"])
    assert amounts == [12, 12, 24, 12]


def test_a_limited_bet_is_paid_once_and_comes_down():
    """One point, P(6 comes before 7) = 5/11: with one win at most, the handle of a hand is 12."""
    strategy = parse_strategy(LIMIT).strategy
    bets, _ = after_a_win(strategy, 8, {"place 6": 12}, strategy.memory, 14)
    assert bets == {"place 6": 0}
    assert evening(strategy, 500, shooters=1).handle <= 12


def test_a_win_that_makes_the_point_presses_too():
    strategy = parse_strategy(REGRESS).strategy
    bets, _ = after_a_win(strategy, None, {"place 6": 30, "place 8": 30}, strategy.memory, 35)
    assert bets == {"place 6": 18, "place 8": 30}


@pytest.mark.slow
def test_the_evening_of_thirty_eighteen_twelve_six():
    """Ruin 12.5 %, standard deviation 279.9: a simulation of 200,000 evenings by other people."""
    result = evening(parse_strategy(REGRESS).strategy, 500, hours=2)
    assert float(result.ruin) == pytest.approx(0.125, abs=0.003)
    assert float(result.profit.std) == pytest.approx(279.9, abs=2)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('on = "field"\namount = 5\npress = 5', "does not stay up after a win"),
        ('on = "place 6"\namount = 6\npress = 6\nladder = [1, 2]', "write one"),
    ],
)
def test_what_would_do_nothing_is_refused(more, message):
    with pytest.raises(NotationError, match=message):
        parse_strategy(f"[[bet]]\n{more}")


def test_the_tally_player_is_not_the_code():
    player = Evening(PlayedByWords(LIMIT), 90)
    player.roll(8)
    assert player.felt == {"place 6": 12}
    player.roll(6)
    assert player.felt == {}
    assert player.rail == 104
