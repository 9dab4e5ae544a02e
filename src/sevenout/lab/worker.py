"""A process that answers addresses, and the pool of them: no page can hold the server up.

A worker that takes longer than its limit is ended and replaced, and the answer is a sentence.
Workers are forked from a process that has loaded the house and looked at every page once; what it
holds is frozen out of garbage collection, and each collects after it has answered, never before.
"""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import Empty, LifoQueue
from time import monotonic
from typing import Any

from sevenout.lab.site import page
from sevenout.lab.view import Answer

WARM = ("/", "/?game=fast-craps", "/table?rolls=9", "/dice", "/table?game=pig-turn&rolls=1")
"""What every worker has seen when it begins."""
LATER = (
    "/catalogue",
    "/simulate?games=1000",
    "/dice?tab=faults",
    "/dice?tab=test&taps=0",
    "/variants",
)
"""What the slow lane looks at while nobody asks."""
LIMITS = {"quick": 2.0, "slow": 20.0}
"""Seconds that an answer may take."""
EVERY = 20
"""Answers between two collections of garbage."""
MEMORY = 3 << 30
"""Bytes of address space of a worker."""


def warm() -> None:
    """Look at every page once, and keep what was made out of the collector's way."""
    for url in WARM:
        page(url)
    gc.collect()
    gc.freeze()


def serve(pipe: Connection, version: str) -> None:
    """Answer what comes through a pipe, until it is closed."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.disable()
    answered = 0
    pipe.send(None)  # ready
    while True:
        try:
            url = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer: Answer | None = page(url, version)
        except Exception as error:
            print(f"{type(error).__name__} in {url[:200]!r}: {error}", file=sys.stderr)
            answer = None
        pipe.send(answer)
        answered += 1
        if answered % EVERY == 0:
            gc.collect()


class Worker:
    """One process."""

    def __init__(self, context: Any, version: str) -> None:
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=serve, args=(there, version), daemon=True)
        self.process.start()
        there.close()
        self.pipe.recv()  # it is ready

    def ask(self, url: str, limit: float) -> Answer | None:
        """The answer.

        Raises:
            TimeoutError: it did not come within so many seconds, or the process is no more.
        """
        try:
            self.pipe.send(url)
            if not self.pipe.poll(limit):
                raise TimeoutError
            answer: Answer | None = self.pipe.recv()
        except (EOFError, OSError) as error:
            raise TimeoutError from error
        return answer

    def end(self) -> None:
        """End the process."""
        self.pipe.close()
        self.process.kill()
        self.process.join(1)


class Pool:
    """Workers, in two lanes: what is quick never waits for what is slow.

    The worker that answered last is asked first: what it has seen, it has at hand.

    Args:
        version: of the style and the script.
        quick: how many answer pages.
        slow: how many answer what takes its time.
    """

    def __init__(self, version: str, quick: int = 2, slow: int = 2) -> None:
        kind = "forkserver" if sys.platform != "win32" else "spawn"
        self.context = get_context(kind)
        if kind == "forkserver":
            self.context.set_forkserver_preload(["sevenout.lab.warmed"])
        self.version = version
        self.over = False
        self.lanes: dict[str, LifoQueue[Worker]] = {}
        for lane, many in (("quick", quick), ("slow", slow)):
            self.lanes[lane] = LifoQueue()
            for _ in range(many):
                self.lanes[lane].put(Worker(self.context, version))

    @contextmanager
    def _worker(self, lane: str, wait: float) -> Iterator[Worker]:
        worker = self.lanes[lane].get(timeout=wait)
        try:
            yield worker
        except TimeoutError:
            worker.end()
            if not self.over:
                worker = Worker(self.context, self.version)
            raise
        finally:
            self.lanes[lane].put(worker)

    def ask(self, url: str, lane: str = "quick") -> Answer | None:
        """The answer to an address; None where the page failed.

        Raises:
            TimeoutError: it takes longer than a page may, or all workers are busy.
        """
        limit = LIMITS[lane]
        started = monotonic()
        try:
            with self._worker(lane, limit) as worker:
                return worker.ask(url, max(limit - (monotonic() - started), limit / 2))
        except Empty:
            raise TimeoutError from None

    def prepare(self) -> None:
        """Let the slow lane look at what takes long the first time."""
        for url in LATER:
            with suppress(TimeoutError):
                if not self.over:
                    self.ask(url, "slow")

    def end(self) -> None:
        """End them all."""
        self.over = True
        for lane in self.lanes.values():
            while not lane.empty():
                lane.get().end()


def workers() -> int:
    """How many workers answer pages."""
    return max(2, min(4, (os.cpu_count() or 2)))
