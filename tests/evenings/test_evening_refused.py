"""What no evening can be, and what the house does not allow."""

from dataclasses import dataclass, replace

import pytest

from sevenout.budgets.estimates import budget
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.evenings import evening
from sevenout.rules.casino.betting import Strategy, TableView


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"pas": 1}, "no bet 'pas'"),
        ({"come": 1}, "once there is a point"),
        ({"come 6": 1}, "made as 'come'"),
        ({"pass": 1.5}, "float"),
        ({"pass": -1}, "bet 0 or more"),
        ({"pass": "1/2"}, "the minimum is 1"),
        ([1], "give amounts by bet"),
        ({"small 2,3": 1}, "before any of its totals has come"),
        ({"hop 2-9": 1}, "no bet"),
    ],
)
def test_what_is_not_allowed_is_said(wanted, said):
    class Wants(Strategy):
        def wants(self, table):
            return wanted

    with pytest.raises(RulesError, match=said):
        evening(Wants(), 10**4, rolls=2, house=House(maximum=100))


def test_more_odds_than_the_house_takes_are_clipped():
    house = House(odds=(2, 2, 2))
    result = evening(strategies("pass-odds", odds=5), 100, rolls=3, house=house)
    assert result.clipped == ("pass odds",)
    assert dict(result.money.items()) == dict(
        evening(strategies("pass", odds=2), 100, rolls=3).money.items()
    )


def test_a_contract_bet_stays():
    class Flees(Strategy):
        def wants(self, table):
            return {"pass": 1} if table.point is None else {"pass": 0}

    with pytest.raises(RulesError, match="can't be taken down"):
        evening(Flees(), 10, rolls=3)


@dataclass(frozen=True)
class Lays(Strategy):
    """Don't pass and odds behind it, which are taken down as is said once they stand."""

    down: tuple

    def wants(self, table):
        if table.point is None:
            return {"don't pass": 1}
        return dict(self.down) if "don't pass odds" in table.bets else {"don't pass odds": 6}


def test_odds_do_not_stand_alone():
    with pytest.raises(RulesError, match="the 6 behind it comes down first"):
        evening(Lays((("don't pass", 0),)), 100, rolls=4)
    both = (("don't pass", 0), ("don't pass odds", 0))
    for down in (both, both[::-1]):
        assert evening(Lays(down), 100, rolls=4).ends == {"time": 1}


def test_odds_with_nothing_to_lean_on_are_counted():
    class Leans(Strategy):
        def wants(self, table):
            return {"pass odds": 1}

    result = evening(Leans(), 10, rolls=3)
    assert result.refused == 3
    assert result.names == ("pass odds",)
    assert result.mean == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "has no end"),
        ({"rolls": 0}, "rolls=0"),
        ({"rounds": 2.5}, "rounds=2.5"),
        ({"rolls": 5, "hours": 1}, "rolls and hours are both given"),
        ({"target": 20, "stop_win": 3}, "target and stop_win|stop_win and target"),
        ({"target": 10}, "already reaches"),
        ({"rolls": 5, "stop_loss": 0}, "stop_loss=0"),
    ],
)
def test_evenings_that_make_no_sense(options, said):
    with pytest.raises(RulesError, match=said):
        evening("pass", 10, **options)


@pytest.mark.parametrize(
    "options", [{"target": 10_000}, {"rolls": 10**7}, {"rolls": 2000, "name": "Long"}]
)
def test_what_would_take_too_long_is_refused_at_once(options):
    with pytest.raises(TooMuchWorkError, match="rolls of"), budget(seconds=0.5):
        evening("three-point-molly", 2000, **options)


def test_a_press_beyond_all_floats_is_refused_without_a_warning():
    text = 'format = 1\nname = "Six"\n[[bet]]\non = "place 6"\namount = 6\npress = "all"\n'
    with pytest.raises(TooMuchWorkError, match="positions with money would take about"):
        evening(parse_strategy(text).strategy, 60, hours="1/2", stop_loss=30)


@pytest.mark.parametrize("given", ["passs", 7, None])
def test_no_strategy(given):
    with pytest.raises(RulesError, match=r"no strategy|not a strategy"):
        evening(given, 10, rolls=3)


def test_a_library_with_other_amounts():
    assert strategies("pass", amount=5).wants(TableView(None, {})) == {"pass": 5}
    with pytest.raises(RulesError, match="no option 'much' of pass"):
        strategies("pass", much=5)
    assert replace(strategies["pass"], amount=5) == strategies("pass", amount=5)
    assert strategies("place-6-8", numbers=6).numbers == (6,)
    assert strategies("martingale", amount="3/2").wants(TableView(None, {}, 4)) == {"pass": 6}


@pytest.mark.parametrize(
    ("name", "option", "given", "said"),
    [
        ("place-6-8", "numbers", 7, r"numbers=\(7,\)"),
        ("place-6-8", "press", 5, "press=5"),
        ("iron-cross", "come_out", 5, "come_out=5"),
        ("pass-odds", "odds", (1, 2), "odds=.* one multiple, or three"),
        ("pass-odds", "odds", "a", "'a' is not an amount"),
        ("three-point-molly", "points", (1, 2), "points=.* one number"),
        ("martingale", "most", "x", "'x' is not an amount"),
        ("pass", "side", "left", "no bet 'left'"),
    ],
)
def test_options_of_another_kind(name, option, given, said):
    with pytest.raises(SevenoutError, match=said):
        evening(strategies(name, **{option: given}), 100, rolls=2)


@pytest.mark.parametrize("sees", [True, False])
def test_a_memory_must_be_hashable_whether_the_last_roll_is_seen_or_not(sees):
    class Lists(Strategy):
        sees_last = sees

        def wants(self, table):
            return {"field": 1}

        def remembers(self, table):
            return [1]

    with pytest.raises(RulesError, match=r"the memory \[1\] is not hashable"):
        evening(Lists(), 5, rolls=3)


def test_a_strategy_that_does_not_see_the_last_roll_gets_none():
    class Peeks(Strategy):
        sees_last = False

        def wants(self, table):
            return {"field": 2 if table.last else 1}

    assert evening(Peeks(), 50, rolls=3).handle == 3
