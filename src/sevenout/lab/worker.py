"""Worker processes that answer addresses, so no page can block the server.

A worker that exceeds its time limit is ended and replaced; the answer is then a sentence. Quick and
slow pages have separate workers. The server, or the page itself, asks again for an answer that
isn't there yet.

Workers are forked from a process that has loaded sevenout and made the common pages once. That
memory is frozen out of garbage collection, and a worker collects only after it has answered.
Results are kept for later requests; a worker that keeps too much is replaced.

The slow lane is looked at all the time. What nobody asks for any more is ended. If several pages
together take too much memory, the one that began last waits until there is room.
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
from multiprocessing.util import get_temp_dir
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from sevenout.lab.site import page
from sevenout.lab.widgets.view import Reply

WARM = ("/", "/?game=fast-craps", "/table?rolls=9", "/dice", "/table?game=pig-turn&rolls=1", "/sit")
"""Pages that every worker makes when it starts."""
LATER = (
    "/catalogue",
    "/simulate?games=1000",
    "/dice?tab=faults",
    "/dice?tab=test&taps=0",
    "/variants",
)
"""Pages that the slow lane makes while it is idle."""
LIMITS = {"quick": 2.0, "slow": 120.0}
"""Seconds allowed for an answer."""
LOOK, GONE = {"quick": 1.0, "slow": 0.1}, 10.0
"""Seconds that one look at an answer takes; and after which a silent visitor is gone."""
SOCKET_FOLDER = "SEVENOUT_SOCKET_FOLDER"
"""The variable that names the folder of the fork server's socket; see `preload`."""
MOST_SLOW = 4
"""The most workers of the slow lane; the system shares the processors among them."""
MOST_KNOWN = 500
"""How many addresses are remembered as too slow for the quick lane, or as large."""
PROC = Path("/proc")
"""Linux's information about processes."""
PAGE = os.sysconf("SC_PAGESIZE") if hasattr(os, "sysconf") else 4096
"""Bytes of a memory page."""
EVERY, DEAR = 20, 0.2
"""Answers between two garbage collections; seconds after which an answer is followed by one."""
MEMORY = 3 << 30
"""Bytes of address space per worker."""
KEPT = {"quick": 150e6, "slow": 450e6}
"""Bytes that the workers of a lane may have together, beside what all of them share. Above this,
the ones idle longest are replaced. Pig to 100 keeps 370e6.
"""
MORE = 200e6
"""A lane that has more bytes than this gets no further worker, and begins nothing large."""
TENDED, ASKS = 0.25, 2.0
"""Seconds between two looks at the slow lane; and within which anyone who waits asks again."""


def warm() -> None:
    """Make the common pages once, and freeze them out of garbage collection."""
    for url in WARM:
        page(url)
    gc.collect()
    gc.freeze()


def serve(pipe: Connection, version: str, base: str = "") -> None:
    """Answer addresses from a pipe until it is closed."""
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
    """Bytes of memory of a process; without /proc, this process's peak, or 0 for another.

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
    """Collect garbage, and return free memory to the system."""
    gc.collect()
    with suppress(OSError, AttributeError):  # only in glibc
        CDLL(None).malloc_trim(0)


GONE_AWAY = (EOFError, OSError)
"""What a pipe raises when its other end is gone."""


class Worker:
    """One process that answers addresses from its pipe."""

    def __init__(self, context: Any, version: str, base: str = "") -> None:
        self.pipe, other_end = context.Pipe()
        self.process = context.Process(target=serve, args=(other_end, version, base), daemon=True)
        self.process.start()
        other_end.close()
        self.pipe.recv()  # wait until it is ready
        self.shared = kept(self.process.pid)

    def kept(self) -> float:
        """Bytes of memory of the process, beside what it shares; 0 if the system doesn't tell."""
        return max(0.0, kept(self.process.pid) - self.shared)

    def end(self) -> None:
        self.process.kill()
        self.process.join(1)


@dataclass
class BusyWorker:
    """A worker, and the address it is busy with; None if it is free."""

    worker: Worker
    url: str | None = None
    started: float = 0.0
    asked_at: float = 0.0
    kept: float = 0.0
    listened: Lock = field(default_factory=Lock)


class Lane:
    """The workers of one lane. A request gets an answer or the time worked so far, and asks again.

    The worker asked last is asked first, because its results are at hand. Requests get their turns
    in order; only large ones let others pass.

    Args:
        name: "quick" or "slow".

    Attributes:
        waiting: the addresses that wait for a worker, in order, and when each was asked for.
        large: the addresses for which there was no room beside others.
    """

    def __init__(self, name: str, make: Callable[[], Worker], many: int, most: int) -> None:
        self.name, self.make, self.most, self.over = name, make, most, False
        self.places = [BusyWorker(make()) for _ in range(many)]
        self.lock = Lock()
        self.waiting: dict[str, float] = {}
        self.large: dict[str, None] = {}

    def ask(self, url: str, look: float | None = None) -> Reply | float | None:
        """The answer, or the seconds it has been worked on; None if the page failed.

        It waits `look` seconds for the answer.

        Raises:
            TimeoutError: the answer takes longer than its limit.
        """
        look = LOOK[self.name] if look is None else look
        place = self._place(url)
        if place is None:
            return 0.0
        if not place.listened.acquire(timeout=look):  # another request listens
            return monotonic() - place.started
        try:
            if place.url != url:  # another request took the answer; the worker still has it
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
        """The worker for an address; None if all are busy."""
        with self.lock:
            if self.over:
                raise TimeoutError
            now = monotonic()
            last = sorted(self.places, key=lambda place: -place.asked_at)
            place = next((p for p in last if p.url == url), None)
            if place is None:
                if not self._is_next(url, now):
                    return None
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
                del self.waiting[url]
            place.asked_at = now
            return place

    def _is_next(self, url: str, now: float) -> bool:
        """Whether it is the turn of an address that waits."""
        self.waiting[url] = now
        self.waiting = {one: at for one, at in self.waiting.items() if now - at < ASKS}
        room = self._has_room()
        return url == next((one for one in self.waiting if room or one not in self.large), None)

    def kept(self) -> float:
        """Bytes of memory of all workers."""
        return sum(place.worker.kept() or place.kept for place in self.places)

    def tend(self) -> None:
        """End what nobody asks for any more, and keep to the lane's memory."""
        with self.lock:
            for place in self.places:
                if place.url is not None and self._left(place):
                    self._replace(place)
        self._make_room()
        with self.lock:
            busy = sorted((p for p in self.places if p.url), key=lambda place: place.started)
            if len(busy) < 2 or self.kept() <= KEPT[self.name]:
                return
            last = busy[-1]
            if last.url is not None and last.listened.acquire(timeout=LOOK[self.name]):
                try:
                    _remember(self.large, last.url)
                    self._replace(last)
                finally:
                    last.listened.release()

    def _has_room(self) -> bool:
        """Whether something large may begin."""
        busy = [place for place in self.places if place.url is not None]
        few = sum(place.worker.kept() for place in busy) < MORE
        return few and not any(place.url in self.large for place in busy)

    def _make_room(self) -> None:
        """Replace free workers until the lane keeps no more than its limit."""
        if self.kept() <= KEPT[self.name]:
            return
        with self.lock:
            for place in sorted(self.places, key=lambda place: place.asked_at):
                if place.url is None and self.kept() > KEPT[self.name]:
                    self._replace(place)

    def _left(self, place: BusyWorker) -> bool:
        """Whether a worker's address takes too long, or nobody asks for it any more."""
        now = monotonic()
        long = now - place.asked_at > GONE or now - place.started > LIMITS[self.name]
        return long and not place.listened.locked()

    def _replace(self, place: BusyWorker) -> None:
        if self.over:
            raise TimeoutError
        place.worker.end()
        place.worker, place.url, place.kept = self.make(), None, 0.0

    def end(self) -> None:
        self.over = True
        for place in self.places:
            place.worker.end()


class WorkerPool:
    """Workers in two lanes, so that quick pages never wait for slow ones.

    More slow workers are added on demand. `version` and `base` are those of `page`.
    """

    def __init__(self, version: str, quick: int = 2, slow: int = 2, base: str = "") -> None:
        kind = "forkserver" if sys.platform != "win32" else "spawn"
        context = get_context(kind)
        if kind == "forkserver":
            context.set_forkserver_preload(["sevenout.lab.preload"])
            os.environ[SOCKET_FOLDER] = get_temp_dir()  # read there: the server outlives a kill

        def make() -> Worker:
            return Worker(context, version, base)

        self.quick = Lane("quick", make, quick, quick)
        self.slow = Lane("slow", make, slow, MOST_SLOW)
        self.late: dict[str, None] = {}
        self.over = Event()
        Thread(target=self._tend, daemon=True).start()

    def ask(self, url: str, lane: str) -> Reply | float | None:
        """The answer, or the seconds it has been worked on; None if the page failed.

        An address that is too slow for the quick lane goes to the slow one.

        Raises:
            TimeoutError: the answer takes longer than any page may.
        """
        if lane == "slow" or url in self.late:
            return self.slow.ask(url)
        try:
            return self.quick.ask(url)
        except TimeoutError:
            if self.quick.over:
                raise
        _remember(self.late, url)
        return self.slow.ask(url)

    def prepare(self) -> None:
        """Let the slow lane make the slow pages in advance."""
        for url in LATER:
            with suppress(TimeoutError):
                self.slow.ask(url, LIMITS["slow"])

    def _tend(self) -> None:
        while not self.over.wait(TENDED):
            with suppress(TimeoutError):  # the lane is over
                self.slow.tend()

    def end(self) -> None:
        self.over.set()
        self.slow.end()
        self.quick.end()


def _remember(remembered: dict[str, None], url: str) -> None:
    """Add an address to those that are known; of too many the first is forgotten."""
    remembered[url] = None
    if len(remembered) > MOST_KNOWN:
        remembered.pop(next(iter(remembered)), None)


def workers() -> int:
    return max(2, min(4, (os.cpu_count() or 2)))
