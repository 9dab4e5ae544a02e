"""A run: blocks in order, a window of them in flight, and their tally."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, Protocol

from sevenout.errors import SevenoutError, shown
from sevenout.files import named
from sevenout.model import Chain, chain_of
from sevenout.numerals import MAX_SEED
from sevenout.rolling.distribution import summed
from sevenout.rules import Game
from sevenout.simulation import checkpoint
from sevenout.simulation.backends.engine_choice import Done, Task, Work, engine, perform
from sevenout.simulation.backends.plan import BlockCounts, plan_of
from sevenout.simulation.backends.random_bits import BLOCK, MAX_BLOCKS, MAX_GAMES
from sevenout.simulation.tally import Tally, TallyError, identity
from sevenout.simulation.unexplored.lazy_sampler import explored, is_here

TASK_SECONDS = 0.2
"""About the seconds of a task, and so of a cancellation."""
SAVE_SECONDS = 1.0
"""The least seconds between checkpoints."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    >>> from sevenout.catalogue import games
    >>> seen = []
    >>> tally = simulate(games["craps"], games=1000, progress=seen.append)
    >>> seen[-1].done, seen[-1].rolls == tally.rolls
    (1000, True)

    Attributes:
        done: finished games, including those of a resumed checkpoint.
        rolls: made since the start or the resumption.
        played: games finished since then.
        count: makes the tally of the finished games.
    """

    done: int
    games: int
    rolls: int
    seconds: float
    played: int
    count: Callable[[], Tally]

    @cached_property
    def tally(self) -> Tally:
        """The tally of the finished games."""
        return self.count()


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; `tally` has the finished whole blocks."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(f"interrupted after {tally.games:,} games")
        self.tally = tally


def simulate(
    game: Game | Chain,
    games: int,
    seed: int = 1,
    *,
    backend: str = "auto",
    executor: Executor | None = None,
    window: int | None = None,
    progress: Callable[[Progress], object] | None = None,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Tally:
    """Implementation of `sevenout.simulate`."""
    check_run(games, seed)
    if window is not None and window < 1:
        raise SevenoutError(f"window={window}; give 1 or more tasks")
    engine(backend)
    book = _book(game, games, seed, backend, executor)
    run = _Run(book, games, seed, backend, None if save is None else Path(save))
    run.begin(resume)
    try:
        with (
            _pool(executor, run.blocks_left) as (pool, workers),
            closing(run.parts(pool, window or 2 * workers)) as parts,
        ):
            for part in parts:
                run.add(part)
                if progress is not None:
                    progress(run.progress())
    except KeyboardInterrupt:
        run.save()
        raise Interrupted(run.tally) from None
    run.save()
    return run.tally


def check_run(games: int, seed: int) -> None:
    """Check the number of games and the seed before a run.

    >>> check_run(games=10, seed=-1)
    Traceback (most recent call last):
    sevenout.errors.SevenoutError: seed=-1; give a whole number from 0 to 18446744073709551615

    Raises:
        SevenoutError: the message names the value.
    """
    for name, given, least, most in (
        ("games", games, 1, MAX_GAMES),
        ("seed", seed, 0, MAX_SEED),
    ):
        if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
            raise SevenoutError(
                f"{name}={shown(given)}; give a whole number from {least} to {most}"
            )


@contextmanager
def _pool(executor: Executor | None, blocks: int) -> Iterator[tuple[Executor | None, int]]:
    """The executor and the number of its workers; None plays in this thread."""
    if executor is not None:
        yield executor, getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        return
    workers = min(_cpus(), blocks)
    if workers < 2:
        yield None, 1
        return
    with ThreadPoolExecutor(workers, thread_name_prefix="sevenout") as pool:
        yield pool, workers


def _cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_block(
    game: Game | Chain, seed: int, block: int, games: int = BLOCK, *, backend: str = "auto"
) -> Tally:
    """The tally of one block: a pure function of the game, the seed, the block and its games.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> play_block(craps, seed=1, block=0, games=1000) == simulate(craps, games=1000, seed=1)
    True

    Args:
        game: the rules, or their chain.
        seed: of the run.
        block: the number of the block, from 0.
        games: in the block; all blocks of a run but the last have `BLOCK`.
        backend: as in `simulate`.
    """
    check_run(games, seed)
    if games > BLOCK or not 0 <= block < MAX_BLOCKS:
        raise SevenoutError(
            f"{games} games of block {block}; a block has {BLOCK} games or fewer, "
            f"and its number is from 0 to {MAX_BLOCKS - 1}"
        )
    chain = chain_of(game)
    part = engine(backend)(plan_of(chain), seed, block, games)
    assert part is not None
    return _tally_of(chain, part)


def _tally_of(chain: Chain, part: BlockCounts) -> Tally:
    """The counts of a part, by state, roll and outcome."""
    exits = chain.exits
    cells = []
    for key in part.keys.tolist():
        rolls, leaving = divmod(key, len(exits))
        state, outcome = exits[leaving]
        cells.append((state, rolls, outcome))
    absorbed = summed(zip(cells, part.counts.tolist(), strict=True))
    return Tally(chain, part.games, tuple(part.flow.tolist()), absorbed)


class CountBook(Protocol):
    """The counts of a run."""

    @property
    def unit(self) -> int:
        """The games of a whole block; only the last block may have fewer."""

    @property
    def games(self) -> int:
        """The number of games counted."""

    @property
    def tally(self) -> Tally:
        """The tally of these games."""

    def counted(self) -> Callable[[], Tally]:
        """A function for the tally of the games counted now, even if more are added later."""

    @property
    def game(self) -> str:
        """The identity of the game in a checkpoint."""

    def task(self, seed: int, first: int, games: int, backend: str) -> Work:
        """Blocks to play."""

    def take(self, part: Any) -> int:
        """Add the result of a task; returns its number of rolls."""

    def data(self) -> dict[str, Any]:
        """The counts, for a checkpoint."""

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the counts of a checkpoint."""


class _Explored:
    """The counts of an explored game."""

    def __init__(self, chain: Chain) -> None:
        self.chain, self.plan = chain, plan_of(chain)
        self.tally = Tally(chain, 0, (0,) * self.plan.edges, {})

    @property
    def unit(self) -> int:
        return BLOCK

    @property
    def games(self) -> int:
        return self.tally.games

    def counted(self) -> Callable[[], Tally]:
        tally = self.tally
        return lambda: tally

    @cached_property
    def game(self) -> str:
        return identity(self.chain)

    def task(self, seed: int, first: int, games: int, backend: str) -> Work:
        return Task(self.plan, seed, first, games, backend)

    def take(self, part: BlockCounts) -> int:
        # One assignment, so that Ctrl-C at any moment finds a tally of whole blocks.
        self.tally = self.tally.plus(_tally_of(self.chain, part))
        return int(part.flow.sum())

    def data(self) -> dict[str, Any]:
        return self.tally.to_dict()

    def restore(self, data: dict[str, Any]) -> None:
        self.tally = Tally.from_dict(data, self.chain)


def _book(
    game: Game | Chain, games: int, seed: int, backend: str, executor: Executor | None
) -> CountBook:
    """The counts of a game: of its chain, or if that is too large, of its games."""
    chain = explored(game, games, executor)
    if chain is not None:
        return _Explored(chain)
    from sevenout.simulation.unexplored.lazy_tally import MetBook

    assert isinstance(game, Game)
    return MetBook(game, seed, backend)


class _Run:
    """The tally so far, and the remaining blocks."""

    def __init__(self, book: CountBook, games: int, seed: int, backend: str, path: Path | None):
        self.book, self.games, self.seed, self.backend = book, games, seed, backend
        self.path = path
        self.resumed = self.rolls = 0
        self.started = self.saved = monotonic()

    @property
    def tally(self) -> Tally:
        """The tally so far."""
        return self.book.tally

    @property
    def done(self) -> int:
        """The number of finished games."""
        return self.book.games

    @property
    def blocks_left(self) -> int:
        return -(-(self.games - self.done) // self.book.unit)

    def begin(self, resume: bool) -> None:
        """Resume from the checkpoint, if asked and if it exists."""
        if self.path is None:
            if resume:
                raise SevenoutError("nothing to resume from; name the file of the checkpoint")
            return
        self.about = checkpoint.Run(self.book.game, self.seed, self.games)
        if not self.path.exists():
            self.save()
            return
        if not resume:
            raise checkpoint.CheckpointError(
                f"{named(self.path)} exists; resume it, or name another file"
            )
        data, file = checkpoint.load(self.path, self.about), named(self.path)
        try:
            self.book.restore(data)
        except TallyError as error:
            raise checkpoint.CheckpointError(f"{file}: {error}; {checkpoint.INSTEAD}") from None
        if self.done > self.games or (self.done % self.book.unit and self.done != self.games):
            raise checkpoint.CheckpointError(
                f"{file} has {self.done:,} games, which are not whole blocks of {self.games:,}; "
                f"{checkpoint.INSTEAD}"
            )
        self.resumed = self.done

    def parts(self, pool: Executor | None, window: int) -> Generator[Any, None, None]:
        """The results of the remaining blocks, in order."""
        stop = Event()
        unit = self.book.unit
        first, blocks = self.done // unit, 1
        games_left = self.games - self.done
        waiting: deque[tuple[Work, Future[Done] | None]] = deque()
        # Only a thread of this process can stop in the middle of a block.
        work = partial(perform, stop=stop.is_set) if is_here(pool) else perform
        try:
            while games_left or waiting:
                while games_left and len(waiting) < (window if pool else 1):
                    games = min(games_left, blocks * unit)
                    task = self.book.task(self.seed, first, games, self.backend)
                    waiting.append((task, pool.submit(work, task) if pool else None))
                    first, games_left = first + blocks, games_left - games
                task, future = waiting.popleft()
                part, seconds = work(task) if future is None else future.result()
                assert part is not None
                yield part
                blocks = _task_size(task.blocks, seconds, -(-games_left // unit), window)
        finally:
            stop.set()
            for _, future in waiting:
                if future is not None:
                    future.cancel()

    def add(self, part: Any) -> None:
        """Add a result, and write a checkpoint if due."""
        self.rolls += self.book.take(part)
        if monotonic() - self.saved > SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Write the checkpoint, if the run has one."""
        if self.path is not None:
            checkpoint.save(self.path, self.about, self.book.data())
            self.saved = monotonic()

    def progress(self) -> Progress:
        """The progress of the run."""
        seconds = monotonic() - self.started
        played = self.done - self.resumed
        count = self.book.counted()
        return Progress(self.done, self.games, self.rolls, seconds, played, count)


def _task_size(blocks: int, seconds: float, blocks_left: int, window: int) -> int:
    """The number of blocks of the next task, for about `TASK_SECONDS`."""
    fit = int(blocks * TASK_SECONDS / max(seconds, 1e-9))
    share = -(-blocks_left // window)  # leave work for every worker at the end
    return max(1, min(fit, 2 * blocks, share))
