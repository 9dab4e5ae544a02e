"""The choice of an engine for a block; all engines give the same counts."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, NamedTuple, Protocol

from sevenout.errors import SevenoutError
from sevenout.extras import has, needs
from sevenout.simulation.backends.plan import BlockCounts, ChainTables
from sevenout.simulation.backends.random_bits import BLOCK

BACKENDS = ("auto", "numpy", "llvm", "llvm-128", "llvm-256", "llvm-512")
SMALL = 1 << 21
"""The most games that `auto` tries without a compiler."""
PATIENCE = 0.15
"""Seconds of that try, about the time of compilation."""


Stop = Callable[[], bool]
"""Returns True to give up."""


class Engine(Protocol):
    """Plays games from the beginning of a block; None if `stop` returned True."""

    def __call__(
        self, plan: ChainTables, seed: int, first: int, games: int, stop: Stop | None = None
    ) -> BlockCounts | None: ...


def engine(backend: str) -> Engine:
    """The engine of a backend.

    >>> engine("abacus")
    Traceback (most recent call last):
    ...
    sevenout.errors.SevenoutError: no backend 'abacus'; the backends are auto, numpy, llvm, \
llvm-128, llvm-256, llvm-512

    Raises:
        SevenoutError: an unknown backend, or a missing package.
    """
    if backend not in BACKENDS:
        raise SevenoutError(f"no backend {backend!r}; the backends are {', '.join(BACKENDS)}")
    if backend == "auto":
        return _auto
    if backend == "numpy":
        from sevenout.simulation.backends import portable

        play: Engine = portable.play
        return play
    needs("llvmlite", "fast")
    if not has_compiler():
        raise SevenoutError(f"the backend {backend!r} needs a little-endian machine; use 'numpy'")
    from sevenout.simulation.backends import compiled

    return partial(compiled.play, width=compiled.width_of(backend))


class Work(Protocol):
    """Blocks to play, with their engine."""

    @property
    def blocks(self) -> int:
        """The number of blocks."""

    def play(self, stop: Stop | None = None) -> Any:
        """The counts; None if `stop` returned True."""


@dataclass(frozen=True, eq=False)
class Task:
    """Blocks to play, as sent to a worker.

    Attributes:
        plan: the chain.
        first: the number of the first block.
        games: their number; all blocks but the last are whole.
    """

    plan: ChainTables
    seed: int
    first: int
    games: int
    backend: str

    @property
    def blocks(self) -> int:
        return -(-self.games // BLOCK)

    def play(self, stop: Stop | None = None) -> BlockCounts | None:
        """Play them in their engine."""
        return engine(self.backend)(self.plan, self.seed, self.first, self.games, stop)


class Done(NamedTuple):
    """The counts (None if given up), and the seconds of the task."""

    part: Any
    seconds: float


def perform(task: Work, stop: Stop | None = None) -> Done:
    """Play the blocks of a task."""
    started = monotonic()
    part = task.play(stop)
    return Done(part, monotonic() - started)


def has_compiler() -> bool:
    """Whether `compiled` works here; it needs little-endian words."""
    return sys.byteorder == "little" and has("llvmlite")


def _auto(
    plan: ChainTables, seed: int, first: int, games: int, stop: Stop | None = None
) -> BlockCounts | None:
    """Play a small run without a compiler, unless that takes too long; others with one."""
    from sevenout.simulation.backends import compiled, portable

    if not has_compiler():
        return portable.play(plan, seed, first, games, stop)
    if games <= SMALL and not compiled.is_warm():
        end = monotonic() + PATIENCE

        def enough() -> bool:
            return monotonic() > end or (stop is not None and stop())

        part = portable.play(plan, seed, first, games, enough)
        if part is not None:
            return part
    return compiled.play(plan, seed, first, games, stop)
