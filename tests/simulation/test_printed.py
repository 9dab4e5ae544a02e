"""What people see: every figure that is printed for a game, beside what is true of it.

Each game of the catalogue is played a million times by the command, and its words are read. The
seed is fixed. Over seeds, a figure is further than 5 standard deviations from its mean once in
1,700,000 times by the normal law, and at most five times as often for the most skewed bets of the
catalogue (skewness 69, which a million games bring down to 0.07): with some 500 figures, the tests
of this module would raise a false alarm for one seed in a thousand.
"""

import json
import re
import subprocess
import sys
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from sevenout.catalogue import games
from sevenout.cli.asking import command_of
from sevenout.documents.numbers import decimal
from sevenout.questions import question
from sevenout.simulation.tally import variances
from sevenout.solving import Solution, solve

GAMES, SEED, SIGMAS = 10**6, 4, 5
LAW_STATES = 500
"""The variance of a counter is taken from its law for games with no more states."""

Figures = dict[str, tuple[Fraction, float]]
"""Of each line's name, the true mean and the standard deviation of one game."""

command = command_of(question("simulate"))


def true_figures(solution: Solution) -> Figures:
    """The lines that must be there, from the exact engines alone."""
    chain = solution.chain
    small = len(chain.states) <= LAW_STATES
    exact = {c: solution.distribution(c).variance for c in chain.counters} if small else None
    spread = exact or variances(chain)
    figures: Figures = {}
    for name, bet in solution.bets.items():
        prefix = "" if len(chain.bets) == 1 else f"{name}: "
        unit = "" if bet.stake == 1 else " per unit staked"
        figures[f"{prefix}average profit{unit}"] = bet.mean, bet.std
        figures[f"{prefix}probability of winning"] = bet.p_win, sqrt(bet.p_win * (1 - bet.p_win))
    for counter in chain.counters:
        line = "average rolls per game" if counter == "rolls" else f"average {counter}"
        figures[line] = solution.mean(counter), sqrt(spread[counter])
    return figures


def read(text: str) -> dict[str, tuple[str, str, str]]:
    """The lines of a printed table: what was seen, what is exact, and z."""
    rows = [re.split(r" {2,}", line.strip()) for line in text.splitlines()]
    return {row[0]: (row[1], row[2], row[3] if len(row) > 3 else "") for row in rows if row[2:]}


def compare(seen: Fraction, true: tuple[Fraction, float], z: float | None) -> None:
    mean, deviation = true
    if not deviation:
        assert seen == mean
        assert z is None
        return
    distance = float(seen - mean) / (deviation / sqrt(GAMES))
    assert abs(distance) < SIGMAS
    assert z == pytest.approx(distance, abs=0.01 + 1e-6 * sqrt(GAMES) / deviation)


def run(name: str, capsys: pytest.CaptureFixture[str], **options: Any) -> str:
    assert command(name, games=str(GAMES), seed=SEED, backend="llvm", **options) == 0
    return capsys.readouterr().out


LARGEST = pytest.param("repeater-plus-citywide", marks=pytest.mark.slow)
"""56,700 states, solved three times."""


@pytest.mark.parametrize(
    "name", [LARGEST if name in LARGEST.values else name for name in games.without_choices]
)
def test_what_is_printed_is_within_five_sigmas_of_the_truth(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    solution = solve(games[name])
    figures = true_figures(solution)
    printed = read(run(name, capsys))
    for line, true in figures.items():
        seen, exact, z = printed[line]
        assert exact == decimal(true[0], 7)
        compare(Fraction(seen), true, float(z) if z else None)
    data = {line["name"]: line for line in json.loads(run(name, capsys, json=True))["statistics"]}
    for line, true in figures.items():
        assert Fraction(data[line]["exact"]) == true[0]
        compare(Fraction(data[line]["seen"]), true, data[line]["z"])


@pytest.mark.parametrize("name", ["horn", "buy-4-10-25-1-on-win"])
def test_as_a_second_process_prints_it(name: str) -> None:
    words = ["simulate", name, "--games", "1e6", "--seed", str(SEED)]
    done = subprocess.run(
        [sys.executable, "-m", "sevenout", *words], capture_output=True, text=True, check=True
    )
    printed = read(done.stdout)
    for line, true in true_figures(solve(games[name])).items():
        seen, _, z = printed[line]
        compare(Fraction(seen), true, float(z) if z else None)
