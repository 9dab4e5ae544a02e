"""Simulations: two at a time share the machine, others wait for their turn, any can be stopped."""

import os
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from threading import Event, Lock
from time import monotonic
from typing import Any

from sevenout.chain import Chain
from sevenout.errors import SevenoutError
from sevenout.lab import limits
from sevenout.simulate import Interrupted, Progress, Tally, simulate

MOST_POINTS = 120


class State(Enum):
    """How a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(eq=False)
class Job:
    """One simulation.

    Attributes:
        chain: the game.
        games: how many games are asked for.
        seed: the seed.
        bet: the bet whose wins are followed; None for none.
        state: how it stands.
        progress: how far it is, once anything came back.
        points: (games, wins) as they came in, thinned out as they grow many.
        error: what went wrong, in a sentence.
    """

    chain: Chain
    games: int
    seed: int
    bet: str | None
    state: State = State.WAITING
    progress: Progress | None = None
    points: list[tuple[int, int]] = field(default_factory=list)
    error: str = ""
    stopped_after: float | None = None
    _stop: Event = field(default_factory=Event)
    _workers: "Workers | None" = None
    _stopped_at: float = 0.0

    @property
    def tally(self) -> Tally | None:
        """Of the games finished so far."""
        return None if self.progress is None else self.progress.tally

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state not in (State.WAITING, State.RUNNING)

    def stop(self) -> None:
        """Stop it; what has been counted stays."""
        self._stopped_at = self._stopped_at or monotonic()
        self._stop.set()
        if self.state is State.WAITING:
            self.state = State.STOPPED
        if self._workers is not None:
            self._workers.interrupt()

    def run(self) -> None:
        """Play the games."""
        if self._stop.is_set():
            return
        self.state = State.RUNNING
        try:
            with Workers() as self._workers:
                simulate(
                    self.chain,
                    self.games,
                    self.seed,
                    executor=self._workers,
                    progress=self._hear,
                )
            self.state = State.DONE
        except Interrupted:
            self.state = State.STOPPED
            self.stopped_after = monotonic() - self._stopped_at
        except SevenoutError as error:
            self.state, self.error = State.FAILED, str(error)
        except Exception:
            self.state, self.error = State.FAILED, "the simulation broke off"
            raise

    def _hear(self, progress: Progress) -> None:
        """Take in what came back. The simulator ends, whole games kept, as it does on Ctrl-C."""
        if self.bet is not None:
            points = [*self.points, (progress.done, progress.tally.bet(self.bet).won)]
            self.points = points if len(points) <= MOST_POINTS else points[1::2]
        self.progress = progress
        if self._stop.is_set():
            raise KeyboardInterrupt


class Workers(ThreadPoolExecutor):
    """The threads of one simulation. Whoever waits for them can be woken at any time: the simulator
    then finds itself interrupted, as by Ctrl-C, and stops in the middle of a block.
    """

    def __init__(self) -> None:
        super().__init__(os.cpu_count() or 1, thread_name_prefix="engine")
        self._awaited: set[Future[Any]] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Do some work; the future that comes back is done when the work is, or when woken."""
        awaited: Future[Any] = Future()
        self._awaited.add(awaited)
        work = super().submit(fn, *args, **kwargs)
        work.add_done_callback(lambda done: self._finish(awaited, done))
        return awaited

    def interrupt(self) -> None:
        """Wake whoever waits."""
        for awaited in tuple(self._awaited):
            with suppress(InvalidStateError):
                awaited.set_exception(KeyboardInterrupt())

    def _finish(self, awaited: "Future[Any]", work: "Future[Any]") -> None:
        self._awaited.discard(awaited)
        with suppress(InvalidStateError):
            if work.cancelled():
                awaited.cancel()
            elif (error := work.exception()) is not None:
                awaited.set_exception(error)
            else:
                awaited.set_result(work.result())


class Jobs:
    """The simulations of all pages.

    Args:
        running: how many run at once.
        waiting: how many may wait.
    """

    def __init__(self, running: int = limits.RUNNING, waiting: int = limits.WAITING) -> None:
        self._most_running, self._most_waiting = running, waiting
        self._jobs: list[Job] = []
        self._lock = Lock()

    @cached_property
    def _runners(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._most_running, thread_name_prefix="job")

    def start(self, chain: Chain, games: int, seed: int, bet: str | None = None) -> Job:
        """Start a simulation, or put it in the queue.

        Raises:
            SevenoutError: too many games, or too many waiting.
        """
        if not 1 <= games <= limits.MAX_GAMES:
            raise SevenoutError(f"{games:,} games; the lab plays from 1 to {limits.MAX_GAMES:,}")
        with self._lock:
            self._jobs = [job for job in self._jobs if not job.is_over]
            if len(self._jobs) >= self._most_running + self._most_waiting:
                raise SevenoutError(limits.TOO_MANY_JOBS)
            job = Job(chain, games, seed, bet)
            self._jobs.append(job)
        future: Future[None] = self._runners.submit(job.run)
        future.add_done_callback(_heard)
        return job

    def ahead_of(self, job: Job) -> int:
        """How many simulations are before a job that waits."""
        with self._lock:
            before = self._jobs[: self._jobs.index(job)] if job in self._jobs else []
        return sum(not other.is_over for other in before)

    def stop(self) -> None:
        """Stop them all."""
        for job in self._jobs:
            job.stop()


def _heard(future: "Future[None]") -> None:
    """An error of the lab's own goes to its log."""
    if error := future.exception():
        import logging

        logging.getLogger("nicegui").error("a simulation broke off", exc_info=error)
