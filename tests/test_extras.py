"""The light house: what works without the extras, and what is said where one is missing."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sevenout.extras import EXTRAS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def without(packages: str, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A program in a process in which some packages can't be imported."""
    block = f"import sys\nfor name in {packages.split()}: sys.modules[name] = None\n"
    return subprocess.run(
        [sys.executable, "-c", block + program, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


COMMAND = "from sevenout.cli import main\nsys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize(
    ("package", "extra", "words"),
    [
        ("matplotlib", "plots", "sheet craps --plot picture.svg"),
        ("typst", "sheet", "sheet craps --games 1000 -o sheet.pdf"),
        ("duckdb", "variants", "variants --order-by edge"),
        ("llvmlite", "fast", "simulate craps --games 10 --backend llvm"),
        ("scipy", "verify", "test count 5 10 --p 1/2"),
        ("distributed", "cluster", "simulate craps --games 10 --cluster tcp://127.0.0.1:9"),
        ("numpy", None, "simulate craps --games 10"),
        ("numpy", None, "tune docs/examples/fast-craps-open.toml --edge 1%..2%"),
    ],
)
def test_what_is_missing_is_one_line(package: str, extra: str | None, words: str) -> None:
    done = without(package, COMMAND, *words.split())
    assert done.returncode == 2, done.stderr
    wanted = f"'sevenout[{extra}]'" if extra else package
    said = f"sevenout: this needs {package}, which is not installed; run pip install {wanted}\n"
    assert done.stderr == said
    assert not done.stdout
    assert extra is None or package in EXTRAS[extra]


def test_extras_are_what_the_project_says() -> None:
    listed = PROJECT["optional-dependencies"]
    for extra, packages in EXTRAS.items():
        names = brought(listed, extra)
        direct = [line for line in listed[extra] if not line.startswith("sevenout[")]
        own = brought({extra: direct}, extra)
        assert own <= set(packages) <= names, extra
    apart = {"all", "bench", "dev", "docs"}
    every = {name for extra in set(listed) - apart for name in brought(listed, extra)}
    assert brought(listed, "all") == every


def brought(listed: dict[str, list[str]], extra: str) -> set[str]:
    """The distributions that an extra brings."""
    names = set()
    for line in listed[extra]:
        if match := re.fullmatch(r"sevenout\[(.*)\]", line):
            names |= {name for other in match[1].split(",") for name in brought(listed, other)}
        else:
            names.add(re.split(r"[\[<>=]", line)[0])
    return names


HEAVY = " ".join({package for packages in EXTRAS.values() for package in packages} | {"icepool"})

EXACT = """
from fractions import Fraction
import sevenout as so
solved = {name: so.solve(so.games[name]) for name in so.games.without_choices}
assert all(solution.bound == 0 for solution in solved.values())
assert all(sum(solution.labels.values()) == 1 for solution in solved.values())
assert solved["craps"].bet().p_win == Fraction(244, 495)
assert solved["craps"].distribution("rolls").variance == Fraction(245672, 27225)
assert so.variants.Family("2d6").size == 1_254_044

class Hold(so.Game):
    dice = so.dice("1d6")
    start = "throw"

    def choices(self, state):
        return {"again": "throw", "hold": so.win("held", stake=1)} if state == "even" else {}

    def step(self, state, roll):
        return "even" if roll.total % 2 == 0 else so.lose("odd")

assert so.best(Hold()).value == 0
from sevenout.evenings import session
evening = session(solved["craps"].bet(), 5, target=10)
assert evening.bound == 0 and evening.ruin + evening.reached == 1
print(len(solved))
"""


def test_everything_exact_works_without_numpy() -> None:
    done = without(f"{HEAVY} numpy", EXACT)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 200


LIGHT = """
import sevenout as so
assert so.variants.fairest(so.variants.Family("2d6")).multiplicity == 80
assert so.simulate(so.games["craps"], games=100_000, seed=1).games == 100_000
"""


@pytest.mark.parametrize("package", ["numba", "scipy"])
def test_large_models_say_what_they_need(package: str) -> None:
    ask = "from sevenout.catalogue import games; import sevenout as so\n"
    done = without(package, f"{ask}so.best(games('pig', goal=10), method='certified')")
    assert f"MissingError: this needs {package}" in done.stderr
    assert "sevenout[fast]" in done.stderr


def test_the_fairest_and_small_simulations_need_no_extra() -> None:
    done = without(HEAVY, LIGHT)
    assert done.returncode == 0, done.stderr
