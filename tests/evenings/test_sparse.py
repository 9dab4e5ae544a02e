"""Evenings cell by cell, as where NumPy is not there: no further off than both bounds say."""

import pytest

from sevenout.catalogue.strategyfile import parse_strategy
from sevenout.evenings import Plan
from sevenout.evenings.lattice import sparse_evening
from sevenout.evenings.lattice.moneylattice import money_lattice
from sevenout.evenings.lattice.rollbyroll import in_floats
from sevenout.evenings.lattice.sparse_evening import in_cells

BONUS = """
[[bet]]
on = "pass"
amount = 5
odds = 2
[[bet]]
on = "small"
amount = 1
when = "shooter"
"""
PRESSED = """
[[bet]]
on = "place 6"
amount = 6
limit = 2
ladder = [1, 2]
"""


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("pass", {"rolls": 60}),
        ("iron-cross", {"rolls": 20, "stop_win": 12}),
        ("dont-pass-lay", {"rolls": 30, "standing": "out", "stop_loss": 25}),
        ("three-point-molly", {"rolls": 3}),
        ("place-6-8", {"rolls": 12, "shooters": 2}),
        ("pass", {"target": 33, "stop_loss": 3, "shooters": 9}),
        ("martingale", {"rolls": 10, "standing": "out"}),
        (BONUS, {"rolls": 6}),
        (BONUS, {"rolls": 4, "standing": "out", "shooters": 1}),
        (PRESSED, {"rolls": 25, "standing": "out"}),
    ],
)
def test_cell_by_cell_it_is_as_in_runs(name, ends):
    strategy = parse_strategy(name).strategy if "[" in name else name
    one, plan = in_cells(Plan.of(strategy, 30, **ends)), Plan.of(strategy, 30, **ends)
    left = plan.counting()
    plan.positions.complete()
    other, _ = in_floats(plan, money_lattice(plan.positions, plan.width(), left))
    law, both = dict(other.money.items()), one.bound + other.bound
    assert both < 1e-9
    assert all(abs(p - law.get(money, 0)) <= both for money, p in one.money.items())
    assert one.ends.keys() == other.ends.keys()
    assert all(abs(p - other.ends[end]) <= both for end, p in one.ends.items())
    for figure in ("handle", "bets", "refused", "mean_rolls", "playing", "ruined"):
        mine, its = getattr(one, figure), getattr(other, figure)
        assert mine == pytest.approx(its, rel=1e-9, abs=1e-9), figure
    for figure in ("fan", "positions", "most_at_risk", "least_bet", "names", "commission"):
        assert getattr(one, figure) == getattr(other, figure), figure


def test_a_small_evening_without_end_is_exact():
    plan = Plan.of("pass", 6, target=9)
    assert dict(in_cells(plan).money.items()) == dict(plan.solve().money.items())


def test_what_goes_beyond_the_most_money_makes_more_of_it(monkeypatch):
    plan = Plan.of("pass", 30, rolls=60)
    usual = in_cells(plan)
    monkeypatch.setattr(sparse_evening, "WIDTHS", 1)
    again = in_cells(Plan.of("pass", 30, rolls=60))
    assert abs(again.money.mean - usual.money.mean) < 1e-9
