"""Which engine plays a block; every one of them brings back the same counts."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, NamedTuple, Protocol

from sevenout.errors import SevenoutError
from sevenout.extras import has, needs
from sevenout.simulate.backends.part import BlockCounts
from sevenout.simulate.backends.plan import ChainTables
from sevenout.simulate.backends.stream import BLOCK

BACKENDS = ("auto", "numpy", "llvm", "llvm-128", "llvm-256", "llvm-512", "cuda")
SMALL = 1 << 21
"""`auto` tries to play no more games than this without a compiler."""
PATIENCE = 0.15
"""Seconds that it tries; about what compiling takes."""


Stop = Callable[[], bool]
"""Asked now and then whether to give up."""


class Engine(Protocol):
    """Plays games from the beginning of a block on; None if `stop` said so before the end."""

    def __call__(
        self, plan: ChainTables, seed: int, first: int, games: int, stop: Stop | None = None
    ) -> BlockCounts | None: ...


def engine(backend: str) -> Engine:
    """The engine of a backend.

    >>> engine("abacus")
    Traceback (most recent call last):
    ...
    sevenout.errors.SevenoutError: no backend 'abacus'; the backends are auto, numpy, llvm, \
llvm-128, llvm-256, llvm-512, cuda

    Raises:
        SevenoutError: there is no such backend, or what it needs is not installed.
    """
    if backend not in BACKENDS:
        raise SevenoutError(f"no backend {backend!r}; the backends are {', '.join(BACKENDS)}")
    if backend == "auto":
        return _auto
    if backend == "numpy":
        from sevenout.simulate.backends import portable

        play: Engine = portable.play
        return play
    if backend == "cuda":
        from sevenout.simulate.backends import cuda

        return cuda.play
    needs("llvmlite", "fast")
    if not has_compiler():
        raise SevenoutError(f"the backend {backend!r} needs a little-endian machine; use 'numpy'")
    from sevenout.simulate.backends import compiled

    return partial(compiled.play, width=compiled.width_of(backend))


class Work(Protocol):
    """Some blocks to play, and how."""

    @property
    def blocks(self) -> int:
        """How many blocks there are."""

    def play(self, stop: Stop | None = None) -> Any:
        """What was counted; None if `stop` said so before the end."""


@dataclass(frozen=True, eq=False)
class Task:
    """Some blocks to play: what travels to a worker, wherever it is.

    Attributes:
        plan: the chain.
        seed: the seed of the run.
        first: the number of the first block.
        games: how many games; all blocks but the last are whole.
        backend: the engine.
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
    """What comes back: the counts (None if the task was given up), and the seconds it took."""

    part: Any
    seconds: float


def perform(task: Work, stop: Stop | None = None) -> Done:
    """Play the blocks of a task."""
    started = monotonic()
    part = task.play(stop)
    return Done(part, monotonic() - started)


def has_compiler() -> bool:
    """Whether `compiled` works here; it reads a 64-bit word as two, the low half first."""
    return sys.byteorder == "little" and has("llvmlite")


def _auto(
    plan: ChainTables, seed: int, first: int, games: int, stop: Stop | None = None
) -> BlockCounts | None:
    """A small run without a compiler, unless that takes too long; others with one."""
    from sevenout.simulate.backends import compiled, portable

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
