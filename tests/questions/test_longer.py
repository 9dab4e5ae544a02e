"""The tail of the rolls, by fractions and roll by roll, rounded down."""

from fractions import Fraction

import sevenout as so
from sevenout.documents import Certified
from sevenout.questions.entries import odds_questions
from sevenout.questions.entries.odds_questions import rolled_bounds, tail


def test_what_is_rounded_holds_what_is_exact() -> None:
    for name in ("craps", "fire-bet-a"):
        solution = so.solve(so.games[name])
        for rolls in (0, 1, 7, 40):
            low, high = rolled_bounds(solution.chain, rolls)
            assert low <= tail(solution, rolls) <= high
            assert high - low < Fraction(1, 10**50)


def test_a_large_game_is_rolled(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    solution = so.solve(so.games["craps"])
    before = tail(solution, 2_000)
    monkeypatch.setattr(odds_questions, "MANY", 1)
    found = tail(solution, 2_000)
    assert isinstance(found, Certified)
    assert isinstance(before, Certified)
    assert abs(found.value - before.value) <= found.bound + before.bound
