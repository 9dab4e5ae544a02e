"""Sampled evenings end as those played through the rules, roll by roll."""

from collections import Counter
from fractions import Fraction

import pytest

import sevenout as so
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.errors import TooMuchWorkError
from sevenout.evenings import Plan
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.casino.ends import ENDS as NAMES
from sevenout.simulation.played_evenings import evening_sampler
from sevenout.simulation.played_evenings.evening_sampler import FIGURES, EveningSampler
from sevenout.simulation.played_evenings.evenings import Dealt, play_evenings

BONUS = "".join(
    f'[[bet]]\non = "{on}"\namount = 1\nwhen = "shooter"\n' for on in ("small", "tall", "all")
)
TABLE = parse_strategy(f'[[bet]]\non = "pass"\namount = 5\nodds = 2\n{BONUS}').strategy


class HalfOfIt(Strategy):
    """Bets half of the money: every position is of one amount."""

    sees_money = True

    def wants(self, table):
        return {"pass": table.money // 2 + 1} if table.point is None else {}


ENDS = [
    {"rolls": 30},
    {"rolls": 30, "standing": "out"},
    {"rolls": 30, "standing": "down", "stop_loss": 15},
    {"shooters": 3, "rolls": 200},
    {"rounds": 9, "target": 45},
]


STRATEGIES = {
    "three-point-molly": "three-point-molly",
    "iron-cross": "iron-cross",
    "dont-pass": "dont-pass",
    "bonus": TABLE,
    "half-of-it": HalfOfIt(),
}


def endings(sampler, many):
    figures = sampler.evenings(0, many)
    ends, money = figures[0::FIGURES], figures[1::FIGURES]
    return [(NAMES[end], sampler.money(column)) for end, column in zip(ends, money, strict=True)]


@pytest.mark.parametrize("ends", ENDS, ids=str)
@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_they_end_as_through_the_rules(strategy, ends):
    plan = Plan.of(strategy, 31, **ends)
    played = [Dealt(plan, number, seed=5).played() for number in range(25)]
    assert endings(EveningSampler(plan, 5), 25) == [(each.end, each.money) for each in played]


def test_at_a_crapless_table_too():
    house = House(crapless=True, vig="up front")
    plan = Plan.of("three-point-molly", 31, rolls=40, house=house)
    played = [Dealt(plan, number, seed=6).played() for number in range(25)]
    assert endings(EveningSampler(plan, 6), 25) == [(each.end, each.money) for each in played]


class Thirds(Strategy):
    """Bets thirds, then sevenths: the unit of money becomes finer in the middle of an evening."""

    def wants(self, table):
        if table.point is None:
            return {"field": Fraction(4, 3)} if table.last is None else {"pass": Fraction(9, 7)}
        return {}


def test_finer_units_change_no_amount():
    plan = Plan.of(Thirds(), 9, rolls=20, stop_loss=Fraction(3, 2))
    played = [Dealt(plan, number, seed=4).played() for number in range(40)]
    sampler = EveningSampler(plan, 4)
    assert endings(sampler, 40) == [(each.end, each.money) for each in played]
    assert sampler.scale == 42
    tally = play_evenings(plan, 40, seed=4)
    lowest = Counter(min(moment.money for moment in each.moments) for each in played)
    assert tally.troughs == lowest


def test_places_that_were_forgotten_are_met_again(monkeypatch):
    plan = Plan.of(HalfOfIt(), 31, rolls=30)
    usual = play_evenings(plan, 60).counts
    monkeypatch.setattr(evening_sampler, "MAX_ROWS", 20)
    assert play_evenings(plan, 60).counts == usual
    sampler = EveningSampler(plan, 1)
    for number in range(60):
        sampler.evenings(number, 1)
    assert len(sampler.places) < 120


def test_a_roll_is_worked_out_once():
    """Later evenings meet fewer new ones."""
    sampler = EveningSampler(Plan.of(TABLE, 300, rolls=100), 1)
    met = []
    for number in range(150):
        sampler.evenings(number, 1)
        met.append(len(sampler.effects))
    assert met[-1] - met[99] < met[49] / 1.2


def test_evenings_that_take_over_a_hundred_budgets_are_refused():
    plan = Plan.of(TABLE, 300, rolls=100)
    with so.budget(seconds=1), pytest.raises(TooMuchWorkError, match=r"1,000,000,000 evenings"):
        play_evenings(plan, 10**9)


def test_if_the_budget_ends_it_says_how_many_were_played(monkeypatch):
    plan = Plan.of(TABLE, 300, rolls=100)
    with so.budget(seconds=1):
        seen = play_evenings(plan, 200_000)
    assert sum(seen.counts.values()) == seen.evenings < 200_000
    assert "asked for, more than the budget plays" in str(seen.page())
    assert seen.counts == play_evenings(plan, seen.evenings).counts
