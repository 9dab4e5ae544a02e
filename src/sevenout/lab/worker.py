"""Worker processes that answer addresses, so that no page can block the server.

A worker that exceeds its time limit is ended and replaced; the answer is then a sentence. Quick and
slow pages have separate workers. The server, or the page itself, asks again for an answer that
isn't there yet.

Workers are forked from a process that has loaded sevenout and made the common pages once. That
memory is frozen out of garbage collection, and a worker collects only after it has answered.
Results are kept for later requests; a worker that keeps too much is replaced.

A thread tends the slow lane: it ends work that nobody asks for any more. If several pages together
take too much memory, the one that began last waits until there is room.
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
from typing import Any, Literal, NamedTuple

from sevenout.lab.page_store import page_of
from sevenout.lab.site import failed, page
from sevenout.lab.widgets.view import Reply

LaneName = Literal["quick", "slow"]
"""The lane of pages that take a moment, and that of those that take longer."""
COMMON_PAGES = (
    "/",
    "/?game=fast-craps",
    "/table?game=craps&did=roll*9",
    "/dice",
    "/table?game=pig-turn&did=roll*1",
    "/table",
)
"""Made once before the workers are forked, which share their results."""
SLOW_PAGES = (
    "/catalogue",
    "/simulate?games=1000",
    "/dice?tab=faults",
    "/dice?tab=test&taps=0",
    "/variants",
)
"""Pages that the slow lane makes while it is idle."""
TIME_LIMITS = {"quick": 2.0, "slow": 120.0}
"""Seconds allowed for an answer, by lane."""
BROKEN_PIPE = (EOFError, OSError)
"""What a pipe raises when the process at its other end has ended."""
POLL_SECONDS = {"quick": 1.0, "slow": 0.1}
"""Seconds that a request waits for its answer before it returns without one, by lane."""
VISITOR_TIMEOUT = 10.0
"""Seconds after which a visitor who no longer asks counts as gone."""
SOCKET_FOLDER = "SEVENOUT_SOCKET_FOLDER"
"""The variable that names the folder of the fork server's socket; see `preload`."""
MAX_SLOW_WORKERS = 4
"""The system shares the processors among them."""
MAX_REMEMBERED = 500
"""How many addresses are remembered as too slow for the quick lane, or as large."""
PROC = Path("/proc")
"""Linux's information about processes."""
# Windows has neither sysconf nor /proc, so the other value is never used there.
MEMORY_PAGE_BYTES = os.sysconf("SC_PAGESIZE") if hasattr(os, "sysconf") else 4096
COLLECT_AFTER_ANSWERS = 20
"""Answers between two garbage collections."""
COLLECT_AFTER_SECONDS = 0.2
"""A garbage collection follows an answer that took longer than this."""
MAX_ADDRESS_SPACE = 3 << 30
"""Bytes of address space per worker."""
MAX_LANE_BYTES = {"quick": 150e6, "slow": 450e6}
"""Bytes that the workers of a lane may hold together, without the memory that all of them share.
Above this, those idle longest are replaced. The answer of pig to 100 alone takes 370e6.
"""
MAX_BYTES_TO_GROW = 200e6
"""A lane that has more bytes than this gets no further worker, and begins nothing large."""
TENDING_PERIOD = 0.25
"""Seconds between two rounds of the thread that tends the slow lane."""
ASKING_PERIOD = 2.0
"""Seconds within which every page that waits asks again."""


def warm() -> None:
    """Make the common pages once, and freeze them out of garbage collection."""
    for url in COMMON_PAGES:
        page(url)
    gc.collect()
    # A collection would touch the objects, and so copy memory that forked workers share.
    gc.freeze()


def answer_pipe(pipe: Connection, version: str, base: str = "") -> None:
    """Answer addresses from a pipe until it is closed: the program of a worker."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        # A page that asks for more gets a MemoryError, and the visitor a sentence; see `site.page`.
        resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE, MAX_ADDRESS_SPACE))
    import signal

    # Ctrl-C reaches all processes of a terminal; the server ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    # A collection would slow the page that is being made; `collect` runs between two pages.
    gc.disable()
    answered = 0
    pipe.send(None)  # ready
    while True:
        try:
            url = pipe.recv()
        except BROKEN_PIPE:
            return
        started = monotonic()
        try:
            answer = page_of(url, version, base)
        except Exception as error:
            # One faulty page must not end the worker, which has the results of other pages at hand.
            print(f"{type(error).__name__} in {url[:200]!r}: {error}", file=sys.stderr)
            answer = failed(version)
        # Sent before garbage is collected, so the visitor doesn't wait for that.
        pipe.send((answer, resident_bytes()))
        answered += 1
        took = monotonic() - started
        if answered % COLLECT_AFTER_ANSWERS == 0 or took > COLLECT_AFTER_SECONDS:
            collect()


def resident_bytes(process: int | str = "self") -> float:
    """Bytes of memory that a process holds; without /proc, this process's peak, or 0 for another.

    >>> resident_bytes() > 1e6
    True
    """
    with suppress(OSError, ValueError):
        # The second number of this file is the resident size, in pages.
        return int((PROC / str(process) / "statm").read_text().split()[1]) * MEMORY_PAGE_BYTES
    with suppress(ImportError):
        import resource

        if process == "self":
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            # macOS counts this in bytes, other systems in kilobytes.
            return peak if sys.platform == "darwin" else 1024 * peak
    return 0.0


def collect() -> None:
    """Collect garbage, and return free memory to the system."""
    gc.collect()
    with suppress(OSError, AttributeError):  # only in glibc
        CDLL(None).malloc_trim(0)


class Pending(NamedTuple):
    """An answer that isn't there yet.

    Attributes:
        seconds: the time worked on it so far; 0 while it waits for a worker.
    """

    seconds: float


class Worker:
    """One process that answers addresses from its pipe.

    Attributes:
        pipe: this end of the pipe; takes addresses, and gives answers with the memory held.
        process: the process, which runs `answer_pipe`.
        shared_bytes: the bytes of memory that it shared with the fork server at its start.
    """

    def __init__(self, context: Any, version: str, base: str = "") -> None:
        self.pipe, other_end = context.Pipe()
        arguments = (other_end, version, base)
        self.process = context.Process(target=answer_pipe, args=arguments, daemon=True)
        self.process.start()
        # With this end open here, reading the pipe of a dead worker would wait forever.
        other_end.close()
        self.pipe.recv()  # wait until it is ready
        # A forked worker shares the fork server's memory, so only its growth counts.
        self.shared_bytes = resident_bytes(self.process.pid)

    def own_bytes(self) -> float:
        """Bytes of memory of the process, beside what it shares; 0 if the system doesn't tell."""
        return max(0.0, resident_bytes(self.process.pid) - self.shared_bytes)

    def end(self) -> None:
        """End the process at once."""
        self.process.kill()
        # An ended process that nobody joins stays in the system's table.
        self.process.join(1)


@dataclass
class WorkerSlot:
    """A slot of a lane: its worker, and the address that it answers, if any.

    Attributes:
        worker: the process.
        url: the address that it answers; None if it is free.
        started: when it began; seconds of `monotonic`.
        asked_at: when the answer was last asked for.
        reported_bytes: the bytes of memory that it reported with its last answer.
        pipe_lock: held by the request that waits for the answer, as only one may read the pipe.
    """

    worker: Worker
    url: str | None = None
    started: float = 0.0
    asked_at: float = 0.0
    reported_bytes: float = 0.0
    pipe_lock: Lock = field(default_factory=Lock)

    def held_bytes(self) -> float:
        """Bytes of memory that the worker holds; without /proc those of its last answer."""
        return self.worker.own_bytes() or self.reported_bytes


class Lane:
    """The workers of one lane. A request gets an answer or the time worked so far, and asks again.

    The worker asked last is asked first, because its results are at hand. Requests get their turns
    in order; only large ones let others pass.

    Args:
        name: its name.
        start_worker: starts a worker.
        count: the number of workers at the start.
        max_workers: the number above which no worker is added.

    Attributes:
        slots: the workers, free or busy.
        is_closed: whether the server ends, so that no worker may be started any more.
        lock: held while slots are given to addresses.
        waiting: the addresses that wait for a worker, in order, and when each was asked for.
        large: the addresses for which there was no room beside others.
    """

    def __init__(
        self, name: LaneName, start_worker: Callable[[], Worker], count: int, max_workers: int
    ) -> None:
        self.name, self.start_worker, self.max_workers = name, start_worker, max_workers
        self.is_closed = False
        self.slots = [WorkerSlot(start_worker()) for _ in range(count)]
        self.lock = Lock()
        self.waiting: dict[str, float] = {}
        self.large: dict[str, None] = {}

    def ask(self, url: str, patience: float | None = None) -> Reply | Pending:
        """The answer, if it is there within `patience` seconds (by default `POLL_SECONDS`).

        Raises:
            TimeoutError: the answer takes longer than its limit.
        """
        patience = POLL_SECONDS[self.name] if patience is None else patience
        slot = self._slot_of(url)
        if slot is None:
            return Pending(0.0)
        if not slot.pipe_lock.acquire(timeout=patience):
            return Pending(monotonic() - slot.started)
        try:
            if slot.url != url:  # another request took the answer; the worker still has it
                return Pending(0.0)
            try:
                if slot.worker.pipe.poll(patience):
                    answer: Reply
                    # The worker sends its size, for systems without /proc.
                    answer, slot.reported_bytes = slot.worker.pipe.recv()
                    slot.url = None
                    self._make_room()
                    return answer
            except BROKEN_PIPE:
                # A worker that died on a page would die on it again, so the page is too slow.
                self._replace(slot)
                raise TimeoutError from None
            seconds = monotonic() - slot.started
            if seconds > TIME_LIMITS[self.name]:
                self._replace(slot)
                raise TimeoutError
            return Pending(seconds)
        finally:
            slot.pipe_lock.release()

    def _slot_of(self, url: str) -> WorkerSlot | None:
        """The slot that works on an address, perhaps from now on; None if it has to wait."""
        with self.lock:
            if self.is_closed:
                raise TimeoutError
            now = monotonic()
            # Every page that waits asks again, so most requests belong to work that has begun.
            slot = next((slot for slot in self._latest_first() if slot.url == url), None)
            if slot is None:
                slot = self._free_slot() if self._is_next(url, now) else None
                if slot is None:
                    return None
                try:
                    slot.worker.pipe.send(url)
                except BROKEN_PIPE:
                    self._replace(slot)
                    slot.worker.pipe.send(url)
                slot.url, slot.started = url, now
                del self.waiting[url]
            slot.asked_at = now
            return slot

    def _latest_first(self) -> list[WorkerSlot]:
        return sorted(self.slots, key=lambda slot: -slot.asked_at)

    def _free_slot(self) -> WorkerSlot | None:
        """A slot for new work: a free one, one that nobody asks for any more, or a new one."""
        slots = self._latest_first()
        if free := next((slot for slot in slots if slot.url is None), None):
            return free
        # Work that nobody waits for gives way first, since a further worker costs memory.
        if abandoned := next(filter(self._is_abandoned, slots), None):
            self._replace(abandoned)
            return abandoned
        if len(slots) < self.max_workers and self.total_bytes() < MAX_BYTES_TO_GROW:
            self.slots.append(WorkerSlot(self.start_worker()))
            return self.slots[-1]
        return None

    def _is_next(self, url: str, now: float) -> bool:
        """Whether it is the turn of an address that waits."""
        self.waiting[url] = now
        # A visitor who left no longer asks, and must not hold up the others.
        self.waiting = {
            waiting_url: asked_at
            for waiting_url, asked_at in self.waiting.items()
            if now - asked_at < ASKING_PERIOD
        }
        if self._has_room():
            return url == next(iter(self.waiting))
        return url == next((small for small in self.waiting if small not in self.large), None)

    def total_bytes(self) -> float:
        """Bytes of memory of all workers, beside what they share."""
        return sum(slot.held_bytes() for slot in self.slots)

    def tend(self) -> None:
        """End what nobody asks for any more, and keep to the lane's memory."""
        with self.lock:
            for slot in self.slots:
                if slot.url is not None and self._is_abandoned(slot):
                    self._replace(slot)
        # Outside the lock, which `_make_room` takes and which is not reentrant.
        self._make_room()
        with self.lock:
            busy = sorted((slot for slot in self.slots if slot.url), key=lambda slot: slot.started)
            # A single page may exceed the lane's memory; only the limit of its worker stops it.
            if len(busy) < 2 or self.total_bytes() <= MAX_LANE_BYTES[self.name]:
                return
            # The page that began last loses the least work.
            newest = busy[-1]
            # Held, so that no request reads the pipe of a worker that is being ended.
            if newest.url is not None and newest.pipe_lock.acquire(timeout=POLL_SECONDS[self.name]):
                try:
                    _remember(self.large, newest.url)
                    self._replace(newest)
                finally:
                    newest.pipe_lock.release()

    def _has_room(self) -> bool:
        """Whether something large may begin."""
        busy = [slot for slot in self.slots if slot.url is not None]
        has_memory = sum(slot.held_bytes() for slot in busy) < MAX_BYTES_TO_GROW
        return has_memory and not any(slot.url in self.large for slot in busy)

    def _make_room(self) -> None:
        """Replace free workers until the lane keeps no more than its limit."""
        # First without the lock, because there is room most of the time.
        if self.total_bytes() <= MAX_LANE_BYTES[self.name]:
            return
        with self.lock:
            # The worker that is idle longest has the results least likely to be asked for again.
            for slot in sorted(self.slots, key=lambda slot: slot.asked_at):
                if slot.url is None and self.total_bytes() > MAX_LANE_BYTES[self.name]:
                    self._replace(slot)

    def _is_abandoned(self, slot: WorkerSlot) -> bool:
        """Whether a worker's address takes too long, or nobody asks for it any more."""
        now = monotonic()
        is_left = now - slot.asked_at > VISITOR_TIMEOUT
        is_late = now - slot.started > TIME_LIMITS[self.name]
        # A request that waits at this moment ends the worker itself when that is due.
        return (is_left or is_late) and not slot.pipe_lock.locked()

    def _replace(self, slot: WorkerSlot) -> None:
        """End the worker of a slot, with its work and its results, and start another."""
        # A worker that starts after the end would be ended by nobody.
        if self.is_closed:
            raise TimeoutError
        slot.worker.end()
        slot.worker, slot.url, slot.reported_bytes = self.start_worker(), None, 0.0

    def end(self) -> None:
        """End all workers for good."""
        self.is_closed = True
        for slot in self.slots:
            slot.worker.end()


class WorkerPool:
    """Workers in two lanes, so that quick pages never wait for slow ones.

    More slow workers are added on demand. `version` and `base` are those of `page`.

    Attributes:
        quick, slow: the lanes.
        late: the addresses that were too slow for the quick lane; a dict keeps their order.
        closing: set when the server ends.
    """

    def __init__(self, version: str, quick: int = 2, slow: int = 2, base: str = "") -> None:
        # The server has threads, and a fork in the middle of one could deadlock.
        kind = "forkserver" if sys.platform != "win32" else "spawn"
        context = get_context(kind)
        if kind == "forkserver":
            context.set_forkserver_preload(["sevenout.lab.preload"])
            os.environ[SOCKET_FOLDER] = get_temp_dir()  # read there: the server outlives a kill

        def start_worker() -> Worker:
            return Worker(context, version, base)

        self.quick = Lane("quick", start_worker, quick, quick)
        self.slow = Lane("slow", start_worker, slow, MAX_SLOW_WORKERS)
        self.late: dict[str, None] = {}
        self.closing = Event()
        Thread(target=self._tend, daemon=True).start()

    def ask(self, url: str, lane: LaneName) -> Reply | Pending:
        """The answer, if it is there; an address too slow for the quick lane goes to the slow one.

        Raises:
            TimeoutError: the answer takes longer than any page may.
        """
        # Another try in the quick lane would only cost that lane a worker.
        if lane == "slow" or url in self.late:
            return self.slow.ask(url)
        try:
            return self.quick.ask(url)
        except TimeoutError:
            # At the end of the server nothing may begin in the other lane.
            if self.quick.is_closed:
                raise
        _remember(self.late, url)
        return self.slow.ask(url)

    def prepare(self) -> None:
        """Let the slow lane make the slow pages in advance."""
        for url in SLOW_PAGES:
            with suppress(TimeoutError):
                self.slow.ask(url, TIME_LIMITS["slow"])

    def _tend(self) -> None:
        while not self.closing.wait(TENDING_PERIOD):
            with suppress(TimeoutError):  # the lane is over
                self.slow.tend()

    def end(self) -> None:
        """End both lanes."""
        self.closing.set()
        self.slow.end()
        self.quick.end()


def _remember(remembered: dict[str, None], url: str) -> None:
    """Remember an address; above `MAX_REMEMBERED` the oldest is forgotten."""
    remembered[url] = None
    if len(remembered) > MAX_REMEMBERED:
        # Requests run in threads, so two of them may remove the same address.
        remembered.pop(next(iter(remembered)), None)


def quick_workers() -> int:
    """The number of workers of the quick lane."""
    # With one worker a page could block all others; each further one keeps memory of its own.
    return max(2, min(4, os.cpu_count() or 2))
