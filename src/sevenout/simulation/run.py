"""A run: batches of games in order, a window of them in flight, and their tally.

`simulate` plays batches as tasks and adds up their counts in a book (`CountBook`). There is one
book for explored games, and one for games too large to explore (`lazy_tally`). Tasks are added in
the order of their batches, so the games counted are always the first whole batches: that is what a
checkpoint holds, and what Ctrl-C returns.

`engine` chooses between the engines, `portable_engine` in NumPy and `compiled_engine` in LLVM. They
give the same counts. `checkpoints` writes and reads the counts of a run.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, NamedTuple, Protocol

from sevenout.catalogue import Entry, game_of
from sevenout.errors import SevenoutError, shown
from sevenout.extras import is_installed, require
from sevenout.files import shown_path
from sevenout.model import Chain, chain_of
from sevenout.numerals import MAX_SEED
from sevenout.rolling.distribution import sum_by_key
from sevenout.rules import Game
from sevenout.simulation.chain_tables import BatchCounts, ChainTables, Stop, tables_of
from sevenout.simulation.checkpoints import (
    CheckpointError,
    RunIdentity,
    load_checkpoint,
    save_checkpoint,
)
from sevenout.simulation.lazy_sampler import affordable_chain, plays_here
from sevenout.simulation.lazy_tally import LazyBook
from sevenout.simulation.random_bits import BATCH_SIZE, MAX_BATCHES, MAX_GAMES
from sevenout.simulation.tally import Tally, TallyError, identity
from sevenout.wrong_arguments import public

TASK_SECONDS = 0.2
"""About the seconds of a task, and so of a cancellation."""
SAVE_SECONDS = 1.0
"""The least seconds between checkpoints."""
BACKENDS = ("auto", "numpy", "llvm", "llvm-128", "llvm-256", "llvm-512")
MAX_TRIAL_GAMES = 1 << 21
"""The most games of a task that `auto` first tries to play without a compiler."""
TRIAL_SECONDS = 0.15
"""The seconds of that try, about the time of compilation."""
CLUSTER_TIMEOUT = "10s"
"""How long a scheduler may take to answer, in Dask's notation."""


@public
def simulate(
    game: Game | Chain | Entry | str,
    games: int,
    seed: int = 1,
    *,
    backend: str = "auto",
    executor: Executor | None = None,
    window: int | None = None,
    progress: "Callable[[Progress], object] | None" = None,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Tally:
    """Play `games` games, each to its end, with independent rolls.

    The tally depends only on the game, the number of games and the seed.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> tally = simulate(craps, games=1000, seed=1)
    >>> tally.games, tally.bet().won + tally.bet().lost
    (1000, 1000)

    Args:
        game: the rules, or their chain; an entry of the catalogue, or its name.
        games: the number played, all to their end.
        seed: one of 2^64 streams of random bits.
        backend: "numpy", "llvm" (or "llvm-128", "llvm-256", "llvm-512" for a width of vectors),
            or "auto": numpy for short runs, llvm for others. A game too large to explore is always
            played with numpy.
        executor: of processes or of a cluster; by default threads of this process.
        window: tasks in flight; by default twice the workers.
        progress: called as batches finish.
        save: a file for checkpoints.
        resume: continue from that file, if it exists; otherwise an existing file is refused.

    Raises:
        SevenoutError: a wrong number of games or tasks, seed or backend.
        CheckpointError: the checkpoint is damaged, of another run, or exists already.
        Interrupted: Ctrl-C; it holds the tally so far.
    """
    # before the game is explored, which may take minutes
    check_run(games, seed)
    if window is not None:
        check_whole("window", window, 1, MAX_BATCHES)
    engine(backend)
    if resume and save is None:
        raise SevenoutError("nothing to resume from; name the file of the checkpoint")
    book = _count_book(game_of(game), games, seed, backend, executor)
    run = _Run(book, games, seed, None if save is None else Path(save))
    run.begin(resume)
    try:
        with (
            _pool(executor, run.batches_left) as (pool, workers),
            closing(run.results(pool, window or 2 * workers)) as results,
        ):
            for counts in results:
                run.add(counts)
                if progress is not None:
                    progress(run.progress())
    except KeyboardInterrupt:
        run.save()
        raise Interrupted(book.tally) from None
    run.save()
    return book.tally


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    >>> from sevenout.catalogue import games
    >>> calls = []
    >>> tally = simulate(games["craps"], games=1000, progress=calls.append)
    >>> calls[-1].finished, calls[-1].rolls == tally.rolls
    (1000, True)

    Attributes:
        finished: finished games, including those of a resumed checkpoint.
        games: of the whole run.
        rolls: made since the start or the resumption.
        seconds: since then.
        finished_now: games finished since then.
        count: makes the tally of the finished games.
    """

    finished: int
    games: int
    rolls: int
    seconds: float
    finished_now: int
    count: Callable[[], Tally]

    @cached_property
    def tally(self) -> Tally:
        """The tally of the finished games."""
        return self.count()


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; `tally` has the finished whole batches."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(f"interrupted after {tally.games:,} games")
        self.tally = tally


def play_batch(
    game: Game | Chain | Entry | str,
    seed: int,
    batch: int,
    games: int = BATCH_SIZE,
    *,
    backend: str = "auto",
) -> Tally:
    """The tally of one batch: a pure function of the game, the seed, the batch and its games.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> play_batch(craps, seed=1, batch=0, games=1000) == simulate(craps, games=1000, seed=1)
    True

    Args:
        game: the rules, or their chain; an entry of the catalogue, or its name.
        seed: of the run.
        batch: the number of the batch, from 0.
        games: in the batch; all batches of a run but the last have `BATCH_SIZE`.
        backend: as in `simulate`.

    Raises:
        SevenoutError: a wrong number of games, seed, batch or backend.
    """
    check_batch(batch, games, seed)
    chain = chain_of(game_of(game))
    counts = play_batches(backend, tables_of(chain), seed, batch, games)
    assert counts is not None
    return _tally_of(chain, counts)


def check_run(games: int, seed: int, *, name: str = "games") -> None:
    """Check the number of games and the seed before a run.

    >>> check_run(games=10, seed=-1)
    Traceback (most recent call last):
    sevenout.errors.SevenoutError: seed=-1; give a whole number from 0 to 18446744073709551615

    Args:
        games: the number to play.
        seed: of the run.
        name: of the argument that holds the number, for the message.

    Raises:
        SevenoutError: the message names the value.
    """
    check_whole(name, games, 1, MAX_GAMES)
    check_whole("seed", seed, 0, MAX_SEED)


def check_batch(batch: int, games: int, seed: int) -> None:
    """Check the number of a batch and of its games, and the seed; errors as in `play_batch`."""
    check_run(games, seed)
    if games > BATCH_SIZE or type(batch) is not int or not 0 <= batch < MAX_BATCHES:
        raise SevenoutError(
            f"{games} games of batch {shown(batch)}; a batch has {BATCH_SIZE} games or fewer, "
            f"and its number is from 0 to {MAX_BATCHES - 1}"
        )


def check_whole(name: str, number: Any, minimum: int, maximum: int) -> None:
    """Refuse an argument that is not a whole number within these bounds.

    Raises:
        SevenoutError: the message names the argument and its value.
    """
    # True is an int in Python, but games=True is a mistake
    if type(number) is not int or not minimum <= number <= maximum:
        raise SevenoutError(
            f"{name}={shown(number)}; give a whole number from {minimum} to {maximum}"
        )


@contextmanager
def connect(address: str) -> Iterator[tuple[Executor, int]]:
    """The executor of a Dask cluster, and the number of tasks that keeps its workers busy.

    The workers need only the same version of sevenout; batches travel as tables of integers.

    Args:
        address: of the scheduler, such as "tcp://host:8786".

    Raises:
        SevenoutError: Dask is not installed, or the scheduler does not answer.
    """
    require("distributed", "cluster")
    distributed: Any = import_module("distributed")
    try:
        client = distributed.Client(address, timeout=CLUSTER_TIMEOUT)
    except (OSError, ValueError):
        raise SevenoutError(
            f"no scheduler answers at {address!r}; give one such as tcp://host:8786"
        ) from None
    with client, client.get_executor(pure=False) as executor:
        yield executor, 2 * max(1, sum(client.ncores().values()))


@contextmanager
def _pool(executor: Executor | None, batches: int) -> Iterator[tuple[Executor | None, int]]:
    """The executor and the number of its workers; None plays in this thread."""
    if executor is not None:
        yield executor, getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        return
    workers = min(_cpus(), batches)
    if workers < 2:  # a single batch needs no pool, and Ctrl-C then stops it at once
        yield None, 1
        return
    with ThreadPoolExecutor(workers, thread_name_prefix="sevenout") as pool:
        yield pool, workers


def _cpus() -> int:
    # in a container or under taskset, fewer than the machine has
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- the counts of a run --------------------------------------------------------------------------


class Task(Protocol):
    """Plays some batches, maybe in another process: their counts; None if `stop` returned True."""

    def __call__(self, *, stop: Stop | None = None) -> Any: ...


class CountBook(Protocol):
    """The counts of a run."""

    @property
    def batch_size(self) -> int:
        """The games of a whole batch; only the last batch may have fewer."""

    @property
    def games(self) -> int:
        """The number of games counted."""

    @property
    def tally(self) -> Tally:
        """The tally of these games."""

    def deferred_tally(self) -> Callable[[], Tally]:
        """A function for the tally of the games counted now, even if more are added later."""

    @property
    def game_identity(self) -> str:
        """The identity of the game in a checkpoint."""

    def task(self, first_batch: int, games: int) -> Task:
        """What plays these games, from the batch `first_batch` on."""

    def add(self, counts: Any) -> int:
        """Add the result of a task; returns its number of rolls."""

    def data(self) -> dict[str, Any]:
        """The counts, for a checkpoint."""

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the counts of a checkpoint."""


def _count_book(
    game: Game | Chain, games: int, seed: int, backend: str, executor: Executor | None
) -> CountBook:
    """The counts of a game: of its chain, or if that is too large, of its games."""
    chain = affordable_chain(game, games, executor)
    if chain is not None:
        return _ExploredBook(chain, seed, backend)
    assert isinstance(game, Game)
    return LazyBook(game, seed)


class _ExploredBook:
    """The counts of an explored game.

    Attributes:
        chain: the explored game.
        tables: its tables for the engines.
        seed, backend: of the run.
        tally: of all parts so far.
    """

    batch_size = BATCH_SIZE

    def __init__(self, chain: Chain, seed: int, backend: str) -> None:
        self.chain, self.tables = chain, tables_of(chain)
        self.seed, self.backend = seed, backend
        self.tally = Tally(chain, 0, (0,) * self.tables.edges, {})

    @property
    def games(self) -> int:
        return self.tally.games

    def deferred_tally(self) -> Callable[[], Tally]:
        tally = self.tally
        return lambda: tally

    @cached_property
    def game_identity(self) -> str:
        return identity(self.chain)

    def task(self, first_batch: int, games: int) -> Task:
        return partial(play_batches, self.backend, self.tables, self.seed, first_batch, games)

    def add(self, counts: BatchCounts) -> int:
        # One assignment, so that Ctrl-C at any moment finds a tally of whole batches.
        self.tally = self.tally.plus(_tally_of(self.chain, counts))
        return int(counts.flow.sum())

    def data(self) -> dict[str, Any]:
        return self.tally.to_dict()

    def restore(self, data: dict[str, Any]) -> None:
        self.tally = Tally.from_dict(data, self.chain)


def _tally_of(chain: Chain, counts: BatchCounts) -> Tally:
    """The counts of a part, by state, roll and outcome."""
    exits = chain.exits
    cells = []
    for key in counts.keys.tolist():
        rolls, exit_index = divmod(key, len(exits))
        state, outcome = exits[exit_index]
        cells.append((state, rolls, outcome))
    absorbed = sum_by_key(zip(cells, counts.counts.tolist(), strict=True))
    return Tally(chain, counts.games, tuple(counts.flow.tolist()), absorbed)


class _Run:
    """The tally so far, and the remaining batches.

    `begin` opens the checkpoint, `results` yields the results of the remaining tasks in order, and
    `add` counts one of them.

    Attributes:
        book: the counts of the finished games.
        games, seed: of the whole run.
        path: of the checkpoint; None if there is none.
        resumed: the games that the checkpoint had.
        rolls: made since the start or the resumption.
        started, saved: the times of the start and of the latest checkpoint.
    """

    def __init__(self, book: CountBook, games: int, seed: int, path: Path | None):
        self.book, self.games, self.seed = book, games, seed
        self.path = path
        self.resumed = self.rolls = 0
        self.started = self.saved = monotonic()

    @cached_property
    def identity(self) -> RunIdentity:
        """The run, as its checkpoint names it."""
        return RunIdentity(self.book.game_identity, self.seed, self.games)

    @property
    def finished(self) -> int:
        """The number of finished games."""
        return self.book.games

    @property
    def batches_left(self) -> int:
        return -(-(self.games - self.finished) // self.book.batch_size)

    def begin(self, resume: bool) -> None:
        """Resume from the checkpoint, if requested and if it exists."""
        if self.path is None:
            return
        if self.path.is_dir():
            raise CheckpointError(f"{shown_path(self.path)} is a folder; name a file")
        if not self.path.exists():
            self.save()  # a file that can't be written is refused now, not after an hour
            return
        if not resume:
            raise CheckpointError(
                f"{shown_path(self.path)} exists; resume it, or name another file"
            )
        data, file = load_checkpoint(self.path, self.identity), shown_path(self.path)
        try:
            self.book.restore(data)
        except TallyError as error:
            raise CheckpointError.of(f"{file}:", str(error)) from None
        # half a batch can't be continued, since all games of a batch are rolled in step
        if self.finished > self.games or (
            self.finished % self.book.batch_size and self.finished != self.games
        ):
            fault = f"has {self.finished:,} games, which are not whole batches of {self.games:,}"
            raise CheckpointError.of(file, fault)
        self.resumed = self.finished

    def results(self, pool: Executor | None, window: int) -> Generator[Any, None, None]:
        """The results of the remaining batches, in order."""
        stop = Event()
        batch_size = self.book.batch_size
        first_batch, batches = self.finished // batch_size, 1
        games_left = self.games - self.finished
        in_flight: deque[tuple[int, Task, Future[TaskResult] | None]] = deque()
        # Only a thread of this process can stop in the middle of a batch.
        work = partial(perform, stop=stop.is_set) if plays_here(pool) else perform
        try:
            while games_left or in_flight:
                while games_left and len(in_flight) < (window if pool else 1):
                    games = min(games_left, batches * batch_size)
                    task = self.book.task(first_batch, games)
                    in_flight.append((batches, task, pool.submit(work, task) if pool else None))
                    first_batch, games_left = first_batch + batches, games_left - games
                task_batches, task, future = in_flight.popleft()
                counts, seconds = work(task) if future is None else future.result()
                assert counts is not None
                yield counts
                batches = _task_size(task_batches, seconds, -(-games_left // batch_size), window)
        finally:
            stop.set()
            for *_, future in in_flight:
                if future is not None:
                    future.cancel()

    def add(self, counts: Any) -> None:
        """Add a result, and write a checkpoint if due."""
        self.rolls += self.book.add(counts)
        if monotonic() - self.saved > SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Write the checkpoint, if the run has one."""
        if self.path is not None:
            save_checkpoint(self.path, self.identity, self.book.data())
            self.saved = monotonic()

    def progress(self) -> Progress:
        """The progress of the run."""
        seconds = monotonic() - self.started
        finished_now = self.finished - self.resumed
        count_tally = self.book.deferred_tally()
        return Progress(self.finished, self.games, self.rolls, seconds, finished_now, count_tally)


def _task_size(batches: int, seconds: float, batches_left: int, window: int) -> int:
    """The number of batches of the next task, for about `TASK_SECONDS`."""
    fitting = int(batches * TASK_SECONDS / max(seconds, 1e-9))
    fair_share = -(-batches_left // window)  # leave work for every worker at the end
    return max(1, min(fitting, 2 * batches, fair_share))


# --- engines --------------------------------------------------------------------------------------


class Engine(Protocol):
    """Plays games from the beginning of a batch; None if `stop` returned True."""

    def __call__(
        self, tables: ChainTables, seed: int, first_batch: int, games: int, stop: Stop | None = None
    ) -> BatchCounts | None: ...


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
        return _play_auto
    if backend == "numpy":
        require("numpy")
        from sevenout.simulation import portable_engine

        return portable_engine.play
    require("llvmlite", "fast")
    if not has_compiler():
        raise SevenoutError(f"the backend {backend!r} needs a little-endian machine; use 'numpy'")
    from sevenout.simulation import compiled_engine

    return partial(compiled_engine.play, width=compiled_engine.width_of(backend))


def _play_auto(
    tables: ChainTables, seed: int, first_batch: int, games: int, stop: Stop | None = None
) -> BatchCounts | None:
    """Play a small run without a compiler, unless that takes too long; others with one."""
    from sevenout.simulation import portable_engine

    if not has_compiler():
        return portable_engine.play(tables, seed, first_batch, games, stop)
    # once this module is loaded, its compiler has run or is running: a try would save nothing
    if games <= MAX_TRIAL_GAMES and "sevenout.simulation.compiled_engine" not in sys.modules:
        deadline = monotonic() + TRIAL_SECONDS

        def is_over() -> bool:
            return monotonic() > deadline or (stop is not None and stop())

        counts = portable_engine.play(tables, seed, first_batch, games, is_over)
        if counts is not None:
            return counts
    from sevenout.simulation import compiled_engine

    return compiled_engine.play(tables, seed, first_batch, games, stop)


def has_compiler() -> bool:
    """Whether `compiled_engine` works here; it needs little-endian words."""
    return sys.byteorder == "little" and is_installed("llvmlite")


def play_batches(
    backend: str,
    tables: ChainTables,
    seed: int,
    first_batch: int,
    games: int,
    *,
    stop: Stop | None = None,
) -> BatchCounts | None:
    """Play games from the beginning of a batch, with the engine of a backend.

    A worker chooses the engine itself, since its processor may have narrower vectors.
    """
    return engine(backend)(tables, seed, first_batch, games, stop)


class TaskResult(NamedTuple):
    """The counts of a task (`counts`; None if it was stopped), and its seconds."""

    counts: Any
    seconds: float


def perform(task: Task, stop: Stop | None = None) -> TaskResult:
    """Play the batches of a task."""
    started = monotonic()
    counts = task(stop=stop)
    return TaskResult(counts, monotonic() - started)
