"""A process that answers addresses, and the pool of them: no page can hold the server up.

A worker that takes longer than its limit is ended and replaced, and the answer is a sentence. No
one holds the others up: what is not there at once is asked for again until it is, by its page or,
of a file, by the server. What is quick and what is slow have workers of their own. Workers are
forked from a process that has loaded the house and looked at every page once; what it holds is
frozen out of garbage collection, and each collects after it has answered, never before. What has
been worked out is kept for the next who asks; a worker that keeps too much is replaced.
"""

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from ctypes import CDLL
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from sevenout.lab.site import page
from sevenout.lab.widgets.view import Reply

WARM = ("/", "/?game=fast-craps", "/table?rolls=9", "/dice", "/table?game=pig-turn&rolls=1", "/sit")
"""What every worker has seen when it begins."""
LATER = (
    "/catalogue",
    "/simulate?games=1000",
    "/dice?tab=faults",
    "/dice?tab=test&taps=0",
    "/variants",
)
"""What the slow lane looks at while no one asks."""
LIMITS = {"quick": 2.0, "slow": 120.0}
"""Seconds that an answer may take."""
LOOK, GONE = {"quick": 1.0, "slow": 0.1}, 10.0
"""Seconds that a look at an answer takes; and after which who does not look again is gone."""
MOST_SLOW = 4
"""Workers for what takes long, at most: each is given its turns by the machine."""
MOST_LATE = 500
"""Addresses that are known to be too slow for the quick lane."""
PROC = Path("/proc")
"""Where Linux tells of its processes."""
PAGE = os.sysconf("SC_PAGESIZE") if hasattr(os, "sysconf") else 4096
"""Bytes of a page of memory."""
EVERY, DEAR = 20, 0.2
"""Answers between two collections of garbage; one that took more seconds is followed by one."""
MEMORY = 3 << 30
"""Bytes of address space of a worker."""
KEPT = {"quick": 250e6, "slow": 900e6}
"""Bytes that the workers of a lane may keep in all; above it those that were asked longest ago are
replaced by fresh ones. Pig to 100 has 880e6."""
MORE = 300e6
"""Bytes of a lane above which no worker is added to it."""


def warm() -> None:
    """Look at every page once, and keep what was made out of the collector's way."""
    for url in WARM:
        page(url)
    gc.collect()
    gc.freeze()


def serve(pipe: Connection, version: str, base: str = "") -> None:
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
        started = monotonic()
        try:
            answer: Reply | None = page(url, version, base)
        except Exception as error:
            print(f"{type(error).__name__} in {url[:200]!r}: {error}", file=sys.stderr)
            answer = None
        pipe.send((answer, kept()))
        answered += 1
        if answered % EVERY == 0 or monotonic() - started > DEAR:
            collect()


def kept(process: int | str = "self") -> float:
    """Bytes of memory that a process has; of this one the most that it had, where no system tells.

    >>> kept() > 1e6
    True
    """
    with suppress(OSError, ValueError):
        return int((PROC / str(process) / "statm").read_text().split()[1]) * PAGE
    with suppress(ImportError):
        import resource

        if process == "self":
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            return most if sys.platform == "darwin" else 1024 * most
    return 0.0


def collect() -> None:
    """Collect garbage, and give back to the system what is free."""
    gc.collect()
    with suppress(OSError, AttributeError):  # glibc alone has it
        CDLL(None).malloc_trim(0)


GONE_AWAY = (EOFError, OSError)
"""What a pipe raises when its other end is gone."""


class Worker:
    """One process, which answers what comes through its pipe."""

    def __init__(self, context: Any, version: str, base: str = "") -> None:
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=serve, args=(there, version, base), daemon=True)
        self.process.start()
        there.close()
        self.pipe.recv()  # it is ready

    def kept(self) -> float:
        """Bytes of memory that the process has; 0 where the system does not tell."""
        return kept(self.process.pid)

    def end(self) -> None:
        """End the process; the pipe closes with its last user, which tells any listener."""
        self.process.kill()
        self.process.join(1)


@dataclass
class BusyWorker:
    """A worker, and the address that it is busy with; None if it is free."""

    worker: Worker
    url: str | None = None
    started: float = 0.0
    asked: float = 0.0
    kept: float = 0.0
    listened: Lock = field(default_factory=Lock)


class Lane:
    """Workers for what takes as long: anyone who asks is told how long it has taken, and asks
    again.

    No one is kept for long, and what is begun goes on meanwhile. What no one asks for any more is
    ended as soon as its place is wanted. The worker that was asked last is asked first: what it has
    seen, it has at hand.

    Args:
        name: "quick" or "slow".
        make: makes a worker.
        many: how many there are at first.
        most: how many there may be.
    """

    def __init__(self, name: str, make: Callable[[], Worker], many: int, most: int) -> None:
        self.name, self.make, self.most, self.over = name, make, most, False
        self.places = [BusyWorker(make()) for _ in range(many)]
        self.lock = Lock()

    def ask(self, url: str, look: float | None = None) -> Reply | float | None:
        """The answer; or for how many seconds it has been worked on; None where the page failed.

        Args:
            url: the address.
            look: for how many seconds it is looked for; as long as usual, if not given.

        Raises:
            TimeoutError: it takes longer than an answer may.
        """
        look = LOOK[self.name] if look is None else look
        place = self._place(url)
        if place is None:
            return 0.0
        if not place.listened.acquire(timeout=look):  # another listens
            return monotonic() - place.started
        try:
            if place.url != url:  # another has taken the answer; the worker has it at hand
                return 0.0
            try:
                if place.worker.pipe.poll(look):
                    answer: Reply | None
                    answer, place.kept = place.worker.pipe.recv()
                    place.url = None
                    self._make_room()
                    return answer
            except GONE_AWAY:
                self._replace(place)
                raise TimeoutError from None
            so_far = monotonic() - place.started
            if so_far > LIMITS[self.name]:
                self._replace(place)
                raise TimeoutError
            return so_far
        finally:
            place.listened.release()

    def _place(self, url: str) -> BusyWorker | None:
        """The place where an address is worked on; None while there is none."""
        with self.lock:
            if self.over:
                raise TimeoutError
            now = monotonic()
            last = sorted(self.places, key=lambda place: -place.asked)
            place = next((p for p in last if p.url == url), None)
            if place is None:
                place = next((p for p in last if p.url is None), None)
                if place is None and (place := next(filter(self._left, last), None)) is not None:
                    self._replace(place)
                if place is None and len(self.places) < self.most and self.kept() < MORE:
                    place = BusyWorker(self.make())
                    self.places.append(place)
                if place is None:
                    return None
                try:
                    place.worker.pipe.send(url)
                except GONE_AWAY:
                    self._replace(place)
                    place.worker.pipe.send(url)
                place.url, place.started = url, now
            place.asked = now
            return place

    def kept(self) -> float:
        """Bytes of memory that the workers have."""
        return sum(place.worker.kept() or place.kept for place in self.places)

    def _make_room(self) -> None:
        """Replace free workers until the lane keeps no more than it may."""
        if self.kept() <= KEPT[self.name]:
            return
        with self.lock:
            for place in sorted(self.places, key=lambda place: place.asked):
                if place.url is None and self.kept() > KEPT[self.name]:
                    self._replace(place)

    def _left(self, place: BusyWorker) -> bool:
        """Whether no one asks any more for what a place is busy with, or it takes too long."""
        now = monotonic()
        long = now - place.asked > GONE or now - place.started > LIMITS[self.name]
        return long and not place.listened.locked()

    def _replace(self, place: BusyWorker) -> None:
        if self.over:
            raise TimeoutError
        place.worker.end()
        place.worker, place.url, place.kept = self.make(), None, 0.0

    def end(self) -> None:
        """End them all."""
        self.over = True
        for place in self.places:
            place.worker.end()


class Pool:
    """Workers, in two lanes: what is quick never waits for what is slow.

    Args:
        version: of the style and the script.
        quick: how many answer pages.
        slow: how many answer what takes its time, at first.
        base: where the lab is, for what a link unfolds to.
    """

    def __init__(self, version: str, quick: int = 2, slow: int = 2, base: str = "") -> None:
        kind = "forkserver" if sys.platform != "win32" else "spawn"
        context = get_context(kind)
        if kind == "forkserver":
            context.set_forkserver_preload(["sevenout.lab.preload"])

        def make() -> Worker:
            return Worker(context, version, base)

        self.quick = Lane("quick", make, quick, quick)
        self.slow = Lane("slow", make, slow, MOST_SLOW)
        self.late: dict[str, None] = {}

    def ask(self, url: str, lane: str) -> Reply | float | None:
        """The answer to an address; None where the page failed.

        Of what is not there yet, for how many seconds it has been worked on: ask again.

        What proves too slow for the quick lane goes to the slow one.

        Raises:
            TimeoutError: it takes longer than any page may.
        """
        if lane == "slow" or url in self.late:
            return self.slow.ask(url)
        try:
            return self.quick.ask(url)
        except TimeoutError:
            if self.quick.over:
                raise
        self.late[url] = None
        if len(self.late) > MOST_LATE:
            self.late.pop(next(iter(self.late)), None)
        return self.slow.ask(url)

    def prepare(self) -> None:
        """Let the slow lane look at what takes long the first time."""
        for url in LATER:
            with suppress(TimeoutError):
                self.slow.ask(url, LIMITS["slow"])

    def end(self) -> None:
        """End them all."""
        self.slow.end()
        self.quick.end()


def workers() -> int:
    """How many workers answer pages."""
    return max(2, min(4, (os.cpu_count() or 2)))
