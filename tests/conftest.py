"""What the tests share: games to try, strategies for random ones, and which tests are slow."""

import os
import signal
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from sevenout.rolling import Dice, Die, Law
from sevenout.rules import PointGame
from tests.randomness import SEED

os.environ.pop("COLUMNS", None)  # the workers of pytest-xdist are told a width of their own

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell that starts us with `&` has it so,
    signal.signal(signal.SIGINT, signal.default_int_handler)  # and our children would not hear it

settings.register_profile(
    "house", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

SLOW = Path(__file__).with_name("slow.txt")
"""The names of slow tests, written by `pytest --measure`; the second step runs them."""
LIMIT = 0.5
"""Tests that take more than this many seconds are slow: 8 % of the tests, most of the time."""


def name_of(nodeid: str) -> str:
    """A test's name without its file, so that a moved test stays in the list."""
    return nodeid.partition("::")[2]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--measure",
        action="store_true",
        help=f"write the names of tests of over {LIMIT} s to {SLOW.name}; with -m '' for all tests",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Measure the tests where the reports arrive: not in the workers of pytest-xdist."""
    if config.getoption("measure") and not hasattr(config, "workerinput"):
        # without paths and marks, a name that was not seen is of a test that is gone
        whole = config.args_source is config.ArgsSource.TESTPATHS and not config.option.markexpr
        config.pluginmanager.register(Durations(whole), "durations")


class Durations:
    """Rewrites the list of slow tests after a run.

    Attributes:
        whole: whether the run has all tests; the names of other tests are then dropped.
        seconds: the time of each test by name, with that of its fixtures.
    """

    def __init__(self, whole: bool) -> None:
        self.whole = whole
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[name_of(report.nodeid)] += report.duration

    def pytest_sessionfinish(self) -> None:
        slow = {name for name, seconds in self.seconds.items() if seconds > LIMIT}
        if not self.whole:
            slow |= slow_names() - self.seconds.keys()
        SLOW.write_text("".join(f"{name}\n" for name in sorted(slow)), encoding="utf-8")


def slow_names() -> set[str]:
    return set(SLOW.read_text(encoding="utf-8").splitlines())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests; refuse names that differ from one process to the next."""
    if unstable := [item.nodeid for item in items if " at 0x" in item.nodeid]:
        raise pytest.UsageError(f"an address in a test's name: {unstable[0]}; give it an id")
    names = slow_names()
    for item in items:
        if name_of(item.nodeid) in names or "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"random inputs: SEVENOUT_SEED={SEED}")


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
