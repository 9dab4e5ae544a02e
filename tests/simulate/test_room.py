"""The room: what it costs to open its door, and that it can be called."""

import subprocess
import sys

import sevenout.simulate as room
from tests.simulate.games import CRAPS

HEAVY = {"numpy", "llvmlite", "scipy", "flint", "numba", "rich", "distributed", "cupy"}


def test_the_room_can_be_called() -> None:
    assert room(CRAPS, games=10) == room.simulate(CRAPS, 10)  # type: ignore[operator]


def test_the_import_is_light() -> None:
    code = "import sys, sevenout.simulate; print(*{m.partition('.')[0] for m in sys.modules})"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(out.stdout.split())


def test_a_small_run_does_not_wait_for_a_compiler() -> None:
    code = (
        "import sys; from tests.simulate.games import CRAPS; import sevenout.simulate as room;"
        "room.simulate(CRAPS, 10_000); print(*{m.partition('.')[0] for m in sys.modules})"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "numpy" in out.stdout.split()
    assert "llvmlite" not in out.stdout.split()
