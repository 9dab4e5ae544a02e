"""The engine for NVIDIA GPUs, through CuPy: many blocks of games at once.

A block of threads plays each block of games, by `play.cu`. The tests compile that source with nvcc,
and also as C++ with threads for lanes, which gives the same tallies.
"""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

from sevenout.errors import SevenoutError
from sevenout.extras import needs
from sevenout.simulation.backends.part import BlockCounts, join
from sevenout.simulation.backends.plan import JUMP_BITS, TABLES, ChainTables
from sevenout.simulation.backends.stream import BLOCK, COHORT, CROWD, FEW

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORK = ("current", "next", "flow", "slots", "tossed", "first", "progress", "ended")
ROLLS_PER_CALL = 64
GAMES_AT_ONCE = 1 << 33
"""The most games in one call of the device."""
LANES, WARPS = 32, 8


class Device(Protocol):
    """A device that runs `play.cu`."""

    warps: int
    """The warps of a block of threads."""

    def put(self, array: "NDArray[Any]") -> Any:
        """A device array with these contents."""

    def get(self, array: Any) -> "NDArray[np.uint64]":
        """The contents of a device array."""

    def run(self, blocks: int, arrays: list[Any], numbers: list[Any]) -> None:
        """Run the program in this many blocks of threads."""


def source() -> str:
    """The program, in CUDA C++.

    >>> "philox" in source()
    True
    """
    return files("sevenout.simulation.backends").joinpath("play.cu").read_text(encoding="utf-8")


def play(
    plan: ChainTables,
    seed: int,
    first: int,
    games: int,
    stop: Callable[[], bool] | None = None,
    *,
    device: Device | None = None,
) -> BlockCounts | None:
    """Play as `portable.play` does, on a device (the GPU if not given).

    Raises:
        SevenoutError: CuPy is not installed, or finds no GPU.
    """
    device = _gpu() if device is None else device
    parts = []
    while games > 0:
        if stop is not None and stop():
            return None
        now = min(games, GAMES_AT_ONCE)
        parts.append(_play(plan, seed, first, now, device))
        first, games = first + GAMES_AT_ONCE // BLOCK, games - now
    return join(parts)


def _play(plan: ChainTables, seed: int, first: int, games: int, device: Device) -> BlockCounts:
    import numpy as np

    blocks = -(-games // BLOCK)
    most_slots = int((plan.nodes + plan.labels).max()) + 1
    current = np.zeros((blocks, plan.states), dtype=np.uint64)
    current[:, 0] = BLOCK
    current[-1, 0] = games - (blocks - 1) * BLOCK
    sizes = {
        "next": (blocks, plan.states + plan.exits),
        "flow": (blocks, plan.edges),
        "slots": (blocks, device.warps, most_slots),
        "tossed": (blocks, device.warps, most_slots),
        "first": (blocks, plan.parties),
        "progress": (blocks, 2),
        "ended": (ROLLS_PER_CALL, plan.exits),
    }
    work = {"current": device.put(current)}
    work |= {name: device.put(np.zeros(size, dtype=np.uint64)) for name, size in sizes.items()}
    tables = [device.put(getattr(plan, name)) for name in TABLES if name != "party"]
    numbers = [
        *(np.int32(n) for n in (plan.states, plan.edges, plan.exits, plan.parties, most_slots)),
        *(np.int32(n) for n in (COHORT, FEW, CROWD, JUMP_BITS)),
        np.uint64(seed),
        np.uint32(first),
        np.int32(ROLLS_PER_CALL),
    ]
    keys, counts, played, done = [], [], 0, False
    while not done:
        work["ended"][...] = 0
        device.run(blocks, [*tables, *(work[name] for name in WORK)], numbers)
        ended = device.get(work["ended"])
        rolls, exits = np.nonzero(ended)
        keys.append((played + rolls + 1) * plan.exits + exits)
        counts.append(ended[rolls, exits].astype(np.int64))
        played += ROLLS_PER_CALL
        done = bool(device.get(work["progress"])[:, 1].all())
    flow = device.get(work["flow"]).astype(np.int64).sum(axis=0)
    return BlockCounts(games, flow, np.concatenate(keys), np.concatenate(counts))


class _Gpu:
    """The current device of CuPy."""

    warps = WARPS

    def __init__(self) -> None:
        needs("cupy", "gpu")
        self._cupy: Any = import_module("cupy")
        try:
            self._cupy.cuda.runtime.getDeviceCount()
        except self._cupy.cuda.runtime.CUDARuntimeError:
            raise SevenoutError("the backend 'cuda' finds no GPU; use another backend") from None
        options = ("-std=c++17", f"-DLANES={LANES}", f"-DWARPS={WARPS}")
        self._program = self._cupy.RawModule(code=source(), options=options).get_function("play")

    def put(self, array: "NDArray[Any]") -> Any:
        return self._cupy.asarray(array)

    def get(self, array: Any) -> "NDArray[np.uint64]":
        contents: NDArray[np.uint64] = self._cupy.asnumpy(array)
        return contents

    def run(self, blocks: int, arrays: list[Any], numbers: list[Any]) -> None:
        self._program((blocks,), (LANES * WARPS,), (*arrays, *numbers))


@lru_cache(maxsize=1)
def _gpu() -> Device:
    return _Gpu()
