"""Evenings by steps worked out when met end as those played through the rules, roll by roll."""

import sys

import pytest

import sevenout as so
from sevenout.catalogue.craps_family.table.craps_felt import House
from sevenout.catalogue.strategyfile import parse_strategy
from sevenout.evenings import Plan
from sevenout.rules.casino.betting import Strategy
from sevenout.simulation.played_evenings.eveningdice import dice_of
from sevenout.simulation.played_evenings.evenings import Dealt, simulate_evenings
from sevenout.simulation.played_evenings.met_steps import MetSteps
from sevenout.simulation.played_evenings.sittings import play_sittings

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


@pytest.mark.parametrize("ends", ENDS, ids=str)
@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_they_end_as_through_the_rules(strategy, ends):
    plan = Plan.of(strategy, 31, **ends)
    steps = MetSteps(plan)
    for number in range(25):
        played = Dealt(plan, number, seed=5).played()
        assert steps.evening(dice_of(number, 5)) == (played.end, played.money)


def test_at_a_crapless_table_too():
    plan = Plan.of("three-point-molly", 31, rolls=40, house=House(crapless=True, vig="up front"))
    steps = MetSteps(plan)
    for number in range(25):
        played = Dealt(plan, number, seed=6).played()
        assert steps.evening(dice_of(number, 6)) == (played.end, played.money)


def test_it_is_the_tally_of_many_evenings_at_once():
    tally = simulate_evenings("three-point-molly", 60, 200, seed=2, rolls=30, backend="numpy")
    plan = Plan.of("three-point-molly", 60, rolls=30)
    assert play_sittings(plan, 200, seed=2).results == tally.counts


def test_when_too_many_positions_were_met_they_are_met_again(monkeypatch):
    plan = Plan.of(HalfOfIt(), 31, rolls=30)
    usual = play_sittings(plan, 60).results
    monkeypatch.setattr(sys.modules[MetSteps.__module__], "MAX_ROWS", 20)
    assert play_sittings(plan, 60).results == usual
    steps = MetSteps(plan)
    for number in range(60):
        steps.evening(dice_of(number, 1))
    assert len(steps.explorer.rows) < 120


def test_positions_are_worked_out_once():
    """The later evenings meet fewer new positions."""
    steps = MetSteps(Plan.of(TABLE, 300, rolls=100))
    met = []
    for number in range(150):
        steps.evening(dice_of(number, 1))
        met.append(len(steps.rich))
    assert met[-1] - met[99] < met[49] / 1.2


def test_if_the_budget_ends_it_says_how_many_were_played():
    plan = Plan.of(TABLE, 300, rolls=100)
    with so.budget(seconds=1):
        seen = play_sittings(plan, 2_000)
    assert seen.results.total() == seen.evenings < 2_000
    assert "asked for, more than the budget plays" in str(seen.page())
    assert seen.results == play_sittings(plan, seen.evenings).results
