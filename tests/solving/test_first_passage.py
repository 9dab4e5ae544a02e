"""How long a game lasts: by fractions, and roll by roll with shares rounded down."""

from fractions import Fraction

import sevenout as so
from sevenout.documents import Certified
from sevenout.solving import first_passage
from sevenout.solving.first_passage import survival_bounds, survival_probability


def test_what_is_rounded_holds_what_is_exact() -> None:
    for name in ("craps", "fire-bet-a"):
        solution = so.solve(so.games[name])
        for rolls in (0, 1, 7, 40):
            low, high = survival_bounds(solution.chain, rolls)
            assert low <= survival_probability(solution, rolls) <= high
            assert high - low < Fraction(1, 10**50)


def test_a_large_game_is_rolled(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    solution = so.solve(so.games["craps"])
    by_series = survival_probability(solution, 2_000)
    monkeypatch.setattr(first_passage, "MAX_SERIES_STATES", 1)
    rolled = survival_probability(solution, 2_000)
    assert isinstance(rolled, Certified)
    assert isinstance(by_series, Certified)
    assert abs(rolled.value - by_series.value) <= rolled.bound + by_series.bound
