"""The room: what it costs to open its door, and that its function is at the top of the house."""

import inspect
import subprocess
import sys
from pathlib import Path

import sevenout as so
from sevenout.simulation import simulate
from tests.simulation.games import CRAPS

ROOT = Path(__file__).parents[2]
HEAVY = {"numpy", "llvmlite", "scipy", "flint", "numba", "rich", "distributed"}


def run(code: str) -> list[str]:
    """What a program prints, in words."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.split()


def test_the_function_is_at_the_top_and_stays_there() -> None:
    assert so.simulate is simulate
    assert list(inspect.signature(so.simulate).parameters)[:3] == ["game", "games", "seed"]
    assert so.simulate(CRAPS, games=10).games == 10


def test_the_import_is_light() -> None:
    code = "import sys, sevenout.simulation; print(*{m.partition('.')[0] for m in sys.modules})"
    out = run(code)
    assert not HEAVY & set(out)


def test_a_small_run_does_not_wait_for_a_compiler() -> None:
    code = (
        "import sys; from tests.simulation.games import CRAPS; import sevenout as so;"
        "so.simulate(CRAPS, 10_000); print(*{m.partition('.')[0] for m in sys.modules})"
    )
    out = run(code)
    assert "numpy" in out
    assert "llvmlite" not in out
