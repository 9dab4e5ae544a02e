"""The last roll and the last bet of an evening, and how what stands then is counted."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from tests.evenings.by_hand_evening import exactly, law
from tests.evenings.by_lattice import by_lattice

import sevenout as so
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import strategies
from sevenout.errors import RulesError
from sevenout.evenings import Plan, evening
from sevenout.rules.casino.betting import Strategy
from sevenout.simulation.played_evenings import simulate_evenings
from sevenout.solving import solve


@dataclass(frozen=True)
class Once(Strategy):
    """The same bets before each roll."""

    bets: tuple

    def wants(self, table):
        return dict(self.bets)


class Bought(Strategy):
    """The field, and the 4 bought after a come-out that wins it."""

    def wants(self, table):
        won = table.last is not None and table.last.net > 0
        return {"field": 1} | ({"buy 4": 40} if won and not table.bets else {})


def test_a_commission_takes_no_more_than_the_win():
    """A unit laid on the 4 wins half of one, of which nothing is left when it is rounded down."""
    result = evening(Once((("lay 4", 1),)), 1, rolls=2)
    assert result.money.support == (0, 1)


def test_after_the_last_roll_nothing_is_bet():
    """Neither made, paid for, refused nor missed by the ruined; and so it is played, too."""
    up_front = House(vig="up front", working=True)
    bought = evening(Once((("buy 4", 20),)), 21, rolls=1, house=up_front)
    assert {m: 36 * p for m, p in bought.money.items()} == {0: 6, 21: 27, 60: 3}
    lost = Plan.of(Once((("any 7", 5), ("yo", 3))), 5, rolls=1)
    result = lost.solve()
    assert result.ends == {"time": 1}
    assert (result.refused, result.refused_bets) == (1, ("yo",))  # before the roll; not after it
    assert "refused" not in solve(lost.game).chain.counters
    tally = simulate_evenings(Once((("any 7", 5),)), 5, 300, rolls=1)
    assert set(tally.counts) == {("time", 0), ("time", 25)}
    sitting = lost.sitting()
    moment = sitting.roll((1, 1))
    assert (moment.end, moment.bets_made, moment.refused, sitting.bets) == ("time", {}, (), {})


def test_what_is_wanted_after_the_last_roll_is_not_asked():
    class Flees(Strategy):
        memory = 0

        def remembers(self, table):
            return table.memory + 1

        def wants(self, table):
            return {"come 6": 1} if table.memory == 2 else {"field": 1}

    assert evening(Flees(), 10, rolls=2).mean == -2 * Fraction(1, 36)
    with pytest.raises(RulesError, match="made as 'come'"):
        evening(Flees(), 10, rolls=3)


def test_what_stands_after_the_last_roll_is_played_out():
    """Not what would have been bet then, nor without what would have been taken down."""

    class Down(Strategy):
        def wants(self, table):
            if table.point is None:
                return {"pass": 1, "don't pass": 1}
            return {"don't pass": 0, "field": 1}

    plan = Plan.of(Down(), 1000, rolls=1, standing="out")
    exact = exactly(plan)
    assert exact.mean_bets == 2
    assert exact.mean == -Fraction(7, 495) - Fraction(3, 220)
    near = by_lattice(plan)
    assert float(near.mean) == pytest.approx(float(exact.mean))
    assert float(near.mean_bets) == pytest.approx(2)


def test_what_is_first_settled_when_it_is_played_out_counts_to_the_cent():
    plan = Plan.of(Once((("pass", 4), ("place 6", 6))), 100, rolls=1, standing="out")
    exact = exactly(plan)
    near = by_lattice(plan)
    for money, p in exact.money.items():
        assert abs(near.money.pmf(money) - p) <= near.bound


def test_what_only_the_last_roll_of_a_shooter_pays_counts_to_the_cent():
    class Seven(Strategy):
        def wants(self, table):
            return {"place to lose 4": "3/2"} if table.point else {}

    plan = Plan.of(Seven(), 50, shooters=1, rolls=2, house=House(breakage=0))
    exact = exactly(plan)
    near = by_lattice(plan)
    for money, p in exact.money.items():
        assert abs(near.money.pmf(money) - p) <= near.bound


@pytest.mark.parametrize(("loss", "strategy"), [(1, Once((("buy 4", 20),))), (2, Bought())])
def test_a_commission_takes_no_player_below_their_stop(loss, strategy):
    """It is theirs until the bet is decided; the stops look at the money after a roll."""
    house = House(vig="up front", working=True)
    plan = Plan.of(strategy, 30, rolls=4, stop_loss=loss, house=house)
    exact, plan = exactly(plan), replace(plan)  # whose rows none has met yet
    near = by_lattice(plan)
    assert sum(near.ends.values()) == pytest.approx(1)
    for money, p in exact.money.items():
        assert abs(near.money.pmf(money) - p) <= near.bound
    by_hand, *_ = law(strategy, 30, 4, loss=loss, up_front=True, working=True)
    for end, p in exact.ends.items():
        assert p == sum(q for (by, _), q in by_hand.items() if by == end)


def test_a_stop_may_lie_between_two_amounts():
    """With 3 left, which is above the stop at 5/2, the point brings the field without the yo."""

    class Hedged(Strategy):
        def wants(self, table):
            return {"pass": 1} if table.point is None else {"field": 2, "yo": 1}

    plan = Plan.of(Hedged(), 4, rolls=3, stop_loss=Fraction(3, 2))
    exact, near = exactly(plan), by_lattice(replace(plan))
    ends = {end: float(p) for end, p in exact.ends.items()}
    assert {end: float(p) for end, p in near.ends.items()} == pytest.approx(ends)
    assert exact.refused > 0
    assert float(near.refused) == pytest.approx(float(exact.refused))
    for money, p in exact.money.items():
        assert abs(near.money.pmf(money) - p) <= near.bound


def test_bets_that_stand_at_the_end_tell_positions_apart_that_go_on_alike():
    """On the come-out the 4 or the 5 is up, but off; the next roll leads to the same bets."""

    class HeldOverTheComeOut(Strategy):
        def wants(self, table):
            if table.point is None:
                return {"field": 1}
            fours, fives = table.point == 5, table.point == 4
            return {"field": 1, "place 4": 10 * fours, "place 5": 10 * fives}

    plan = Plan.of(HeldOverTheComeOut(), 100, rolls=3, standing="out")
    exact, near = exactly(plan), by_lattice(plan)
    for money, p in exact.money.items():
        assert abs(near.money.pmf(money) - p) <= near.bound


def test_a_player_who_stops_misses_no_bet():
    """The odds lack a come bet before each roll; the field ends the evening after the first."""
    plan = Plan.of(Once((("field", 1), ("come 6 odds", 1))), 10, rolls=3, stop_loss=1, stop_win=1)
    assert exactly(plan).refused == 1
    near = by_lattice(plan)
    assert near.refused == 1
    assert "refused" not in solve(plan.game).chain.counters
    assert "refused" not in solve(plan.until(rolls=None).game).chain.counters


def test_after_the_last_of_the_bets_nothing_is_bet():
    """What stands is counted as staked; who could not pay for what is wanted next is ruined."""
    sitting = Plan.of("iron-cross", 25, bets=2).sitting()
    sitting.roll((2, 2))
    moment = sitting.roll((3, 3))  # the field loses, the 6 wins
    assert (moment.end, moment.bets_made, sitting.bets) == (
        "bets",
        {},
        {"place 5": 5, "place 6": 6, "place 8": 6},
    )
    broke = Plan.of("pass", 1, bets=1).sitting()
    assert broke.roll((1, 1)).end == "ruin"


@pytest.mark.parametrize("name", ["pass", "come", "dont-pass-lay", "three-point-molly"])
@pytest.mark.parametrize("standing", ["staked", "down", "out"])
def test_what_stands_at_the_end_in_floats_and_in_fractions(name, standing):
    strategy = strategies[name] if name in strategies.entries else strategies("five-count")
    plan = Plan.of(strategy, 30, rolls=4, standing=standing, stop_loss=25, stop_win=9)
    exact = exactly(plan)
    assert sum(p for _, p in exact.money.items()) == 1
    near = by_lattice(plan)
    assert near.bound < 1e-11
    law = dict(near.money.items())
    for money, p in exact.money.items():
        assert abs(law.get(money, 0) - p) <= near.bound
    assert float(near.handle) == pytest.approx(float(exact.handle))
    assert float(near.mean_bets) == pytest.approx(float(exact.mean_bets))
    assert dict(exact.ends) == dict(exactly(plan.until(standing="staked")).ends)


@pytest.mark.parametrize(
    ("name", "edge"), [("pass", "7/495"), ("dont-pass", "3/220"), ("place-6-8", "1/66")]
)
def test_what_is_played_out_loses_the_edge_of_the_bet(name, edge):
    for rolls in (1, 4):
        result = evening(name, 1000, rolls=rolls, standing="out")
        assert result.edge in (None, Fraction(edge))
    certified = evening(name, 1000, rolls=60, standing="out")
    assert certified.status.startswith("certified within ")
    assert float(certified.edge) == pytest.approx(float(Fraction(edge)), rel=1e-9)


def test_what_may_be_taken_down_comes_down():
    """A place bet and odds come down as staked; the line is a contract, and is played out."""
    down = evening("place-6-8", 100, rolls=3, standing="down")
    assert dict(down.money.items()) == dict(evening("place-6-8", 100, rolls=3).money.items())
    line = evening("pass", 100, rolls=3, standing="down")
    assert line.mean < evening("pass", 100, rolls=3).mean
    assert evening("pass-odds", 100, rolls=3, standing="down").mean == line.mean


def test_the_best_play_is_as_good_as_its_strategy():
    best = so.best_evening({"pass": [1, 2], "pass odds": [1, 2], "field": [1]}, 6, rolls=3)
    assert evening(best.strategy, 6, rolls=3, standing="out").mean == best.value


def test_what_stands_is_counted_in_one_of_three_ways():
    with pytest.raises(RulesError, match="standing='gone'"):
        evening("pass", 10, rolls=3, standing="gone")
