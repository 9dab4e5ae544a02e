"""Evenings without NumPy: polynomials, rounded down, are as the lattice says."""

import sys
from fractions import Fraction

import pytest
from tests.evenings.by_hand_evening import exactly, law
from tests.evenings.by_lattice import by_lattice

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.evenings import Plan
from sevenout.rolling import Law
from sevenout.rules.casino.betting import FlatBetting, Strategy, TableView
from sevenout.rules.casino.felt import OneBet

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
    for figure in (
        "handle",
        "mean_bets",
        "refused",
        "mean_rolls",
        "playing_by_roll",
        "ruin_by_roll",
    ):
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
    """Bet 10 on the field and 12 on the 8; 1 on the field once the 8 could not be paid for."""

    memory = False

    def wants(self, table: TableView) -> dict[str, int]:
        return {"field": 1} if table.memory else {"field": 10, "place 8": 12}

    def remembers(self, table: TableView) -> bool:
        is_settled = table.last.throw.total in (7, 8)
        return table.memory or not (is_settled or "place 8" in table.bets)


@pytest.mark.parametrize("bankroll", [35, 36, 57])
def test_amounts_that_only_the_short_of_money_come_to_are_met_on_the_way(bankroll):
    """After 7 and 5 of a bankroll of 35 is left 3: a bet of 1 makes amounts that no other does."""
    by_hand, handle, bets, refused = law(Smaller(), bankroll, 3, working=True)
    result = exactly(Plan.of(Smaller(), bankroll, rolls=3, house=House(working=True)))
    money = {}
    for (_, amount), p in by_hand.items():
        money[amount] = money.get(amount, 0) + p
    assert dict(result.money.items()) == money
    assert (result.handle, result.mean_bets, result.refused) == (handle, bets, refused)


@pytest.mark.parametrize("engine", [exactly, by_lattice, lambda plan: plan.solve()])
def test_every_engine_has_the_course_of_three_coins_by_hand(engine):
    """Half of the gamblers lose their only unit; of 2 after a win, 1 or 3 is left, then 0 to 4."""
    coin = OneBet(Law({1: 1, -1: 1}))
    figures = engine(Plan.of(FlatBetting("pass", 1), 1, house=coin, rolls=3))
    assert dict(figures.money.items()) == {0: Fraction(5, 8), 2: Fraction(1, 4), 4: Fraction(1, 8)}
    assert figures.ends == {"ruin": Fraction(1, 2), "time": Fraction(1, 2)}
    assert list(figures.playing_by_roll) == [1, 1 / 2, 1 / 2, 1 / 2]
    assert list(figures.ruin_by_roll) == [0, 1 / 2, 1 / 2, 1 / 2]
    assert figures.mean_rolls == figures.mean_bets == figures.handle == 1 + 2 * Fraction(1, 2)
    assert figures.refused == Fraction(1, 2)
    assert list(figures.fan) == [(1,) * 5, (0, 0, 0, 2, 2), (0, 0, 0, 1, 3), (0, 0, 0, 2, 4)]
    assert list(figures.fan_rolls) == [0, 1, 2, 3]
    assert figures.visited == {(("pass", 1),)}
    assert figures.bound <= Fraction(20, 2**53)


@pytest.mark.parametrize("engine", [exactly, by_lattice])
def test_the_fan_of_a_long_evening_says_after_which_rolls_its_rows_are(engine):
    coin = OneBet(Law({1: 1, -1: 1}))
    long, short = (
        engine(Plan.of(FlatBetting("pass", 1), 9, house=coin, rolls=rolls, stop_win=9))
        for rolls in (1001, 100)
    )
    assert list(long.fan_rolls) == [*range(0, 1001, 2), 1001]
    assert len(long.fan) == 502
    assert [long.fan[long.fan_rolls.index(n)] for n in short.fan_rolls[::2]] == short.fan[::2]
