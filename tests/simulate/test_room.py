"""The room: what it costs to open its door, and that it can be called."""

import subprocess
import sys
from pathlib import Path

import sevenout.simulate as room
from tests.simulate.games import CRAPS

ROOT = Path(__file__).parents[2]
HEAVY = {"numpy", "llvmlite", "scipy", "flint", "numba", "rich", "distributed", "cupy"}


def run(code: str) -> list[str]:
    """What a program prints, in words."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.split()


def test_the_room_can_be_called() -> None:
    assert room(CRAPS, games=10) == room.simulate(CRAPS, 10)  # type: ignore[operator]


def test_the_import_is_light() -> None:
    code = "import sys, sevenout.simulate; print(*{m.partition('.')[0] for m in sys.modules})"
    out = run(code)
    assert not HEAVY & set(out)


def test_a_small_run_does_not_wait_for_a_compiler() -> None:
    code = (
        "import sys; from tests.simulate.games import CRAPS; import sevenout.simulate as room;"
        "room.simulate(CRAPS, 10_000); print(*{m.partition('.')[0] for m in sys.modules})"
    )
    out = run(code)
    assert "numpy" in out
    assert "llvmlite" not in out
