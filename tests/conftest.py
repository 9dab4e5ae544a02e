"""What the tests share: games to try, and strategies for random ones."""

import os
import signal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from sevenout.rolling import Dice, Die, Law
from sevenout.rules import PointGame

os.environ.pop("COLUMNS", None)  # the workers of pytest-xdist are told a width of their own

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell that starts us with `&` has it so,
    signal.signal(signal.SIGINT, signal.default_int_handler)  # and our children would not hear it

settings.register_profile(
    "house", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

LONG = Path(__file__).with_name("long.txt")
"""Tests of over half a second, and all in a browser, by id: the second step runs them."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the list as slow; refuse names that differ from one process to the next."""
    if unstable := [item.nodeid for item in items if " at 0x" in item.nodeid]:
        raise pytest.UsageError(f"an address in a test's name: {unstable[0]}; give it an id")
    long = set(LONG.read_text(encoding="utf-8").splitlines())
    for item in items:
        if item.nodeid in long:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def craps() -> PointGame:
    return PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)


weights = st.integers(1, 5)
dice = st.lists(
    st.builds(
        lambda faces: Die([f for f, _ in faces], [w for _, w in faces]),
        st.lists(st.tuples(st.integers(0, 6), weights), min_size=1, max_size=5),
    ),
    min_size=1,
    max_size=3,
).map(Dice)
laws = st.dictionaries(st.integers(-3, 9), weights, min_size=1, max_size=6).map(Law)


@st.composite
def point_games(draw: Any) -> PointGame:
    """Any point game over a random law."""
    law = draw(st.dictionaries(st.integers(2, 12), weights, min_size=3, max_size=9).map(Law))
    totals = draw(st.permutations(list(law)))
    cut = draw(st.integers(1, len(totals) - 1))
    settled, points = totals[:cut], totals[cut:]
    out = draw(st.sampled_from(settled))
    which = draw(st.lists(st.sampled_from("ncp"), min_size=cut, max_size=cut))
    sets = {key: [t for t, w in zip(settled, which, strict=True) if w == key] for key in "ncp"}
    limit = draw(st.none() | st.integers(1, 4))
    del points
    return PointGame(sets["n"], sets["c"], out, pushes=sets["p"], limit=limit, dice=law)


def closed_form(game: PointGame) -> Fraction:
    """The win probability of a point game, straight from the definition."""
    p = game.dice.law
    total = sum((p[t] for t in game.naturals), Fraction(0))
    for point in game.points:
        made, out = p[point], p[game.out]
        stay = 1 - made - out
        won = (
            made / (made + out)
            if game.limit is None
            else (sum((made * stay**k for k in range(game.limit)), Fraction(0)))
        )
        total += p[point] * won
    return total
