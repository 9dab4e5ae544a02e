"""Evenings without NumPy: polynomials, rounded down, are as the lattice says."""

import sys

import pytest
from tests.evenings.by_hand_evening import exactly, law
from tests.evenings.by_lattice import by_lattice

from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.evenings import Plan
from sevenout.rules.casino.betting import Strategy, TableView

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
def test_without_numpy_it_is_as_in_floats(monkeypatch, name, ends):
    strategy = parse_strategy(name).strategy if "[" in name else name
    other = by_lattice(Plan.of(strategy, 30, **ends))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "numpy", None)
        one = Plan.of(strategy, 30, **ends).in_floats()
    law, both = dict(other.money.items()), one.bound + other.bound
    assert one.bound < 1e-15
    assert all(abs(p - law.get(money, 0)) <= both for money, p in one.money.items())
    assert one.ends.keys() == other.ends.keys()
    assert all(abs(p - other.ends[end]) <= both for end, p in one.ends.items())
    for figure in ("handle", "mean_bets", "refused", "mean_rolls", "playing", "ruined"):
        mine, its = getattr(one, figure), getattr(other, figure)
        assert (
            [float(x) for x in mine] == pytest.approx(its, rel=1e-9, abs=1e-9)
            if isinstance(mine, list)
            else float(mine) == pytest.approx(float(its), rel=1e-9, abs=1e-9)
        ), figure
    for figure in ("fan", "most_at_risk", "least_bet", "commission"):
        assert getattr(one, figure) == getattr(other, figure), figure


def test_a_small_evening_without_end_is_exact(monkeypatch):
    exact = Plan.of("pass", 6, target=9).solve()
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert dict(Plan.of("pass", 6, target=9).solve().money.items()) == dict(exact.money.items())


class Smaller(Strategy):
    """Bet 5 on the field before the first roll, 2 before the second, and 1 from then on."""

    memory = 5

    def wants(self, table: TableView) -> dict[str, int]:
        return {"field": table.memory}

    def remembers(self, table: TableView) -> int:
        return {5: 2}.get(table.memory, 1)


@pytest.mark.parametrize("bankroll", [5, 23, 102])
def test_amounts_between_those_of_the_first_rolls_are_found_on_the_way(bankroll):
    by_hand, handle, bets, refused = law(Smaller(), bankroll, 3)
    result = exactly(Plan.of(Smaller(), bankroll, rolls=3))
    money = {}
    for (_, amount), p in by_hand.items():
        money[amount] = money.get(amount, 0) + p
    assert dict(result.money.items()) == money
    assert (result.handle, result.mean_bets, result.refused) == (handle, bets, refused)
