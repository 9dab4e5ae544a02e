"""The compiled engine: `kernel` through LLVM, called without the interpreter's lock."""

import ctypes
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from sevenout.errors import SevenoutError
from sevenout.simulation.backends.plan import TABLES, BlockCounts, ChainTables, join
from sevenout.simulation.backends.random_bits import BLOCK, CROWD, blocks, key_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

WIDTHS = (128, 256, 512)
ROLLS_PER_CALL = 64
"""The rolls between two returns of the compiled function, which allow a stop."""
RECORDS = 1 << 13


_COMPILING = Lock()
"""Prevents compilation in several threads at once."""


def width_of(backend: str) -> int:
    """The vector width in a backend's name, such as "llvm-256"; by default the widest."""
    _, _, width = backend.partition("-")
    return int(width) if width else best_width()


@lru_cache(maxsize=1)
def best_width() -> int:
    """The widest vectors of this machine, in bits.

    >>> best_width() in WIDTHS
    True
    """
    import llvmlite.binding as llvm

    has = llvm.get_host_cpu_features()
    return 512 if has.get("avx512f") else 256 if has.get("avx2") else 128


def _function(width: int) -> tuple[Callable[..., None], object]:
    """The compiled function and the owner of its code, compiled once per process."""
    with _COMPILING:
        return _compile(width)


@lru_cache(maxsize=len(WIDTHS))
def _compile(width: int) -> tuple[Callable[..., None], object]:
    from sevenout.llvm import compiled
    from sevenout.simulation.backends import kernel

    pointers = [ctypes.c_void_p] * len(TABLES + kernel.WORK)
    numbers = [ctypes.c_int64] * len(kernel.NUMBERS)
    return compiled(kernel.module(width), kernel.NAME, *pointers, *numbers)


def is_warm() -> bool:
    """Whether the compiler has run in this process."""
    return _compile.cache_info().currsize > 0


def play(
    plan: ChainTables,
    seed: int,
    first: int,
    games: int,
    stop: Callable[[], bool] | None = None,
    *,
    width: int | None = None,
) -> BlockCounts | None:
    """Play as `portable.play` does, with vectors of `width` bits (the widest if None)."""
    width = best_width() if width is None else width
    if width not in WIDTHS:
        raise SevenoutError(f"vectors of {width} bits; they have 128, 256 or 512")
    bench = Bench(plan, seed, games, width)
    for block, its_games in blocks(first, games):
        bench.begin(its_games)
        while not bench.done:
            if stop is not None and stop():
                return None
            bench.go_on(block)
    return join([BlockCounts(games, bench.work["flow"], *bench.all_records())])


class Bench:
    """The working tables of the compiled function."""

    def __init__(self, plan: ChainTables, seed: int, games: int, width: int) -> None:
        import numpy as np

        from sevenout.simulation.backends import kernel

        self.function, self.code = _function(width)
        bits = min(BLOCK, games) // 64 + width // 32 + 1
        capacity = max(RECORDS, 2 * plan.exits)
        slots = int((plan.nodes + plan.labels).max()) + 1
        sizes = {"current": plan.states, "next": plan.states + plan.exits, "flow": plan.edges}
        sizes |= {"alive": plan.parties + 1, "slots": slots * CROWD, "busy": CROWD}
        sizes |= {"coins": bits, "ones": bits, "words": width // 32, "line": kernel.LINE}
        sizes |= {"record_key": capacity, "record_count": capacity, "progress": 4}
        self.work = {name: np.zeros(size, dtype=np.int64) for name, size in sizes.items()}
        self.key = key_of(seed)
        self.found: list[tuple[Counts, Counts]] = []
        self.plan, self.last_record = plan, capacity - plan.exits
        tables = [np.ascontiguousarray(getattr(plan, name)) for name in TABLES]
        work = [self.work[name] for name in kernel.WORK]
        self.arrays = (*tables, *work)  # the function has only their addresses
        self.pointers = [array.ctypes.data for array in self.arrays]

    @property
    def done(self) -> bool:
        """Whether the block is finished."""
        return bool(self.work["progress"][3])

    @property
    def roll(self) -> int:
        """The number of rolls of its games."""
        return int(self.work["progress"][0])

    def begin(self, games: int) -> None:
        """Begin a block; flow and records continue."""
        self.work["current"][0] = games
        self.work["alive"][1] = 1
        progress = self.work["progress"]
        progress[0] = progress[1] = progress[3] = 0

    def go_on(self, block: int) -> None:
        """Play more rolls."""
        if self.work["progress"][2] > self.last_record:
            self.drain()
        sizes = self.plan.states, self.plan.exits, self.plan.parties, self.last_record
        self.function(*self.pointers, *sizes, self.roll + ROLLS_PER_CALL, *self.key, block)

    def drain(self) -> None:
        """Move the records out, to make room."""
        n = int(self.work["progress"][2])
        self.found.append(
            (self.work["record_key"][:n].copy(), self.work["record_count"][:n].copy())
        )
        self.work["progress"][2] = 0

    def all_records(self) -> "tuple[Counts, Counts]":
        """The keys and the counts of all records."""
        import numpy as np

        self.drain()
        keys, counts = zip(*self.found, strict=True)
        return np.concatenate(keys), np.concatenate(counts)
