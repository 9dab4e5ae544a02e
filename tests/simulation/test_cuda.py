"""The GPU's program: compiled by nvcc where there is one, and run as C++, its lanes as threads."""

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sevenout.errors import SevenoutError
from sevenout.model import explore
from sevenout.simulation import play_block, simulate
from sevenout.simulation.backends import cuda
from sevenout.simulation.backends.engine_choice import Task, perform
from sevenout.simulation.backends.plan import plan_of
from sevenout.simulation.backends.stream import BLOCK
from sevenout.simulation.run import _tally_of
from tests.simulation.games import CRAPS, GAMES

HERE = Path(__file__).parent


class Emulator:
    """Runs the blocks of threads one after another, each as threads of this process."""

    def __init__(self, library: Path, warps: int) -> None:
        self.library = ctypes.CDLL(str(library))
        self.warps = warps

    def put(self, array: Any) -> Any:
        return np.array(array, order="C")

    def get(self, array: Any) -> Any:
        return array

    def run(self, blocks: int, arrays: list[Any], numbers: list[Any]) -> None:
        kinds = {np.int32: ctypes.c_int, np.uint32: ctypes.c_uint, np.uint64: ctypes.c_ulonglong}
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
        values = [kinds[type(number)](int(number)) for number in numbers]
        for block in range(blocks):
            self.library.run(ctypes.c_uint(block), *pointers, *values)


def emulator_of(folder: Path, lanes: int, warps: int) -> Emulator:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None or sys.platform == "win32":
        pytest.skip("no C++ compiler with POSIX threads")
    program = folder / "play.cpp"
    program.write_text(
        f'#include "emulator.h"\n{cuda.source()}\n#include "emulator_main.h"\n', encoding="utf-8"
    )
    flags = ["-std=c++17", "-O2", "-w", "-shared", "-fPIC", "-pthread", "-I", str(HERE)]
    sizes = [f"-DLANES={lanes}", f"-DWARPS={warps}"]
    library = folder / "play.so"
    subprocess.run([compiler, *flags, *sizes, "-o", library, program], check=True)
    return Emulator(library, warps)


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Emulator:
    return emulator_of(tmp_path_factory.mktemp("one"), 1, 1)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Emulator:
    return emulator_of(tmp_path_factory.mktemp("many"), 4, 3)


@pytest.mark.parametrize("name", GAMES)
def test_the_program_gives_the_tallies_of_the_others(name: str, emulator: Emulator) -> None:
    chain = explore(GAMES[name])
    for games in (1, 300, 6_000):
        part = cuda.play(plan_of(chain), 2**63 + 3, 7, games, device=emulator)
        assert part is not None
        assert _tally_of(chain, part) == play_block(chain, 2**63 + 3, 7, games)


@pytest.mark.parametrize("name", ["craps", "pass and brick", "a turn", "odd weights"])
def test_lanes_and_warps_do_not_matter(name: str, many: Emulator) -> None:
    chain = explore(GAMES[name])
    for games in (5, 3_000):
        part = cuda.play(plan_of(chain), 4, 1, games, device=many)
        assert part is not None
        assert _tally_of(chain, part) == play_block(chain, 4, 1, games)


def test_several_blocks_at_once(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "GAMES_AT_ONCE", 2 * BLOCK)
    monkeypatch.setattr(cuda, "_gpu", lambda: emulator)
    chain, games = explore(CRAPS), 3 * BLOCK + 5
    part, _ = perform(Task(plan_of(chain), 1, 0, games, "cuda"))
    assert part is not None
    assert _tally_of(chain, part) == simulate(chain, games, 1, backend="llvm")


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_nvcc_compiles_the_program(tmp_path: Path) -> None:
    source = tmp_path / "play.cu"
    source.write_text(cuda.source())
    flags = ["-std=c++17", "-DLANES=32", "-DWARPS=8", "-ptx", "-o", str(tmp_path / "play.ptx")]
    done = subprocess.run(["nvcc", *flags, source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ".entry play" in (tmp_path / "play.ptx").read_text()


def test_without_cupy_the_backend_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    cuda._gpu.cache_clear()
    with pytest.raises(SevenoutError, match=r"cupy, .* run pip install .sevenout\[gpu\]"):
        simulate(CRAPS, 10, backend="cuda")
