"""How long a game lasts: by fractions, and roll by roll with shares rounded down."""

from fractions import Fraction

import sevenout as so
from sevenout.documents import Certified
from sevenout.solving import first_passage
from sevenout.solving.first_passage import (
    survival_bounds,
    survival_probability,
    visit_probabilities,
)


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


def test_craps_goes_on_as_long_as_its_points() -> None:
    """A point of 4 goes on with 27 of 36, of 5 with 26, of 6 with 25; likewise 10, 9 and 8."""
    solution = so.solve(so.games["craps"])

    def longer(n: int) -> Fraction:
        return Fraction(2 * (3 * 27 ** (n - 1) + 4 * 26 ** (n - 1) + 5 * 25 ** (n - 1)), 36**n)

    assert survival_probability(solution, 0) == 1
    for rolls in (1, 2, 3, 666):  # of 6 bits each: 4,000 bits are exact
        assert survival_probability(solution, rolls) == longer(rolls)
        assert survival_bounds(solution.chain, rolls, rounded=False) == (longer(rolls),) * 2
    long = survival_probability(solution, 667)
    assert isinstance(long, Certified)
    assert 0 < long.bound < longer(667) / 10**20
    assert abs(long.value - longer(667)) <= long.bound


def test_a_point_is_visited_if_it_is_rolled_first() -> None:
    ways = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    visited = visit_probabilities(so.solve(so.games["craps"]).chain)
    assert dict(visited) == {point: Fraction(n, 36) for point, n in ways.items()}
