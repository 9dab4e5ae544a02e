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
from typing import Any

from sevenout.lab.page_store import page_of
from sevenout.lab.site import page
from sevenout.lab.widgets.view import Reply

WARM = (
    "/",
    "/?game=fast-craps",
    "/table?game=craps&did=roll*9",
    "/dice",
    "/table?game=pig-turn&did=roll*1",
    "/table",
)
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
LOOK = {"quick": 1.0, "slow": 0.1}
"""Seconds that a request waits for its answer before it returns without one."""
GONE = 10.0
"""Seconds after which a visitor who no longer asks counts as gone."""
SOCKET_FOLDER = "SEVENOUT_SOCKET_FOLDER"
"""The variable that names the folder of the fork server's socket; see `preload`."""
MOST_SLOW = 4
"""The most workers of the slow lane; the system shares the processors among them."""
MOST_KNOWN = 500
"""How many addresses are remembered as too slow for the quick lane, or as large."""
PROC = Path("/proc")
"""Linux's information about processes."""
# Windows has neither sysconf nor /proc, so the other value is never used there.
PAGE = os.sysconf("SC_PAGESIZE") if hasattr(os, "sysconf") else 4096
"""Bytes of a memory page."""
EVERY = 20
"""Answers between two garbage collections."""
DEAR = 0.2
"""Seconds; an answer that took longer is followed by a garbage collection."""
MEMORY = 3 << 30
"""Bytes of address space per worker."""
MAX_LANE_BYTES = {"quick": 150e6, "slow": 450e6}
"""Bytes that the workers of a lane may hold together, without the memory that all of them share.
Above this, the ones idle longest are replaced. Pig to 100 holds 370e6.
"""
MAX_BYTES_TO_GROW = 200e6
"""A lane that has more bytes than this gets no further worker, and begins nothing large."""
TENDED = 0.25
"""Seconds between two rounds of the thread that tends the slow lane."""
ASKS = 2.0
"""Seconds within which every page that waits asks again."""


def warm() -> None:
    """Make the common pages once, and freeze them out of garbage collection."""
    for url in WARM:
        page(url)
    gc.collect()
    # A collection would touch the objects, and so copy memory that forked workers share.
    gc.freeze()


def serve(pipe: Connection, version: str, base: str = "") -> None:
    """Answer addresses from a pipe until it is closed."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        # A page that asks for more gets a MemoryError, and the visitor a sentence; see `site.page`.
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
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
        except (EOFError, OSError):
            return
        started = monotonic()
        try:
            answer: Reply | None = page_of(url, version, base)
        except Exception as error:
            # One faulty page must not end the worker, which has the results of other pages at hand.
            print(f"{type(error).__name__} in {url[:200]!r}: {error}", file=sys.stderr)
            answer = None
        # Sent before garbage is collected, so the visitor doesn't wait for that.
        pipe.send((answer, resident_bytes()))
        answered += 1
        if answered % EVERY == 0 or monotonic() - started > DEAR:
            collect()


def resident_bytes(process: int | str = "self") -> float:
    """Bytes of memory that a process holds; without /proc, this process's peak, or 0 for another.

    >>> resident_bytes() > 1e6
    True
    """
    with suppress(OSError, ValueError):
        # The second number of this file is the resident size, in pages.
        return int((PROC / str(process) / "statm").read_text().split()[1]) * PAGE
    with suppress(ImportError):
        import resource

        if process == "self":
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            # macOS counts this in bytes, other systems in kilobytes.
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
        # With this end open here, reading the pipe of a dead worker would wait forever.
        other_end.close()
        self.pipe.recv()  # wait until it is ready
        # A forked worker shares the fork server's memory, so only its growth counts.
        self.shared = resident_bytes(self.process.pid)

    def own_bytes(self) -> float:
        """Bytes of memory of the process, beside what it shares; 0 if the system doesn't tell."""
        return max(0.0, resident_bytes(self.process.pid) - self.shared)

    def end(self) -> None:
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
        listened: held by the request that waits at its pipe.
    """

    worker: Worker
    url: str | None = None
    started: float = 0.0
    asked_at: float = 0.0
    reported_bytes: float = 0.0
    listened: Lock = field(default_factory=Lock)


class Lane:
    """The workers of one lane. A request gets an answer or the time worked so far, and asks again.

    The worker asked last is asked first, because its results are at hand. Requests get their turns
    in order; only large ones let others pass.

    Args:
        name: "quick" or "slow".
        make: starts a worker.
        many: the number of workers at the start.
        most: the most workers.

    Attributes:
        slots: the workers, free or busy.
        is_closed: whether the server ends, so that no worker may be started any more.
        lock: held while slots are given to addresses.
        waiting: the addresses that wait for a worker, in order, and when each was asked for.
        large: the addresses for which there was no room beside others.
    """

    def __init__(self, name: str, make: Callable[[], Worker], many: int, most: int) -> None:
        self.name, self.make, self.most, self.is_closed = name, make, most, False
        self.slots = [WorkerSlot(make()) for _ in range(many)]
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
        slot = self._slot_of(url)
        if slot is None:
            return 0.0
        if not slot.listened.acquire(timeout=look):  # another request listens
            return monotonic() - slot.started
        try:
            if slot.url != url:  # another request took the answer; the worker still has it
                return 0.0
            try:
                if slot.worker.pipe.poll(look):
                    answer: Reply | None
                    # The worker sends its size, for systems without /proc.
                    answer, slot.reported_bytes = slot.worker.pipe.recv()
                    slot.url = None
                    self._make_room()
                    return answer
            except GONE_AWAY:
                # A worker that died on a page would die on it again, so the page is too slow.
                self._replace(slot)
                raise TimeoutError from None
            so_far = monotonic() - slot.started
            if so_far > LIMITS[self.name]:
                self._replace(slot)
                raise TimeoutError
            return so_far
        finally:
            slot.listened.release()

    def _slot_of(self, url: str) -> WorkerSlot | None:
        """The worker for an address; None if all are busy."""
        with self.lock:
            if self.is_closed:
                raise TimeoutError
            now = monotonic()
            latest_first = sorted(self.slots, key=lambda slot: -slot.asked_at)
            # Every page that waits asks again, so most requests belong to work that has begun.
            slot = next((p for p in latest_first if p.url == url), None)
            if slot is None:
                if not self._is_next(url, now):
                    return None
                slot = next((p for p in latest_first if p.url is None), None)
                # Work that nobody waits for gives way first, since a further worker costs memory.
                if (
                    slot is None
                    and (slot := next(filter(self._is_abandoned, latest_first), None)) is not None
                ):
                    self._replace(slot)
                if (
                    slot is None
                    and len(self.slots) < self.most
                    and self.total_bytes() < MAX_BYTES_TO_GROW
                ):
                    slot = WorkerSlot(self.make())
                    self.slots.append(slot)
                if slot is None:
                    return None
                try:
                    slot.worker.pipe.send(url)
                except GONE_AWAY:
                    self._replace(slot)
                    slot.worker.pipe.send(url)
                slot.url, slot.started = url, now
                del self.waiting[url]
            slot.asked_at = now
            return slot

    def _is_next(self, url: str, now: float) -> bool:
        """Whether it is the turn of an address that waits."""
        self.waiting[url] = now
        # A visitor who left no longer asks, and must not hold up the others.
        self.waiting = {
            address: asked_at for address, asked_at in self.waiting.items() if now - asked_at < ASKS
        }
        room = self._has_room()
        return url == next(
            (address for address in self.waiting if room or address not in self.large), None
        )

    def total_bytes(self) -> float:
        """Bytes of memory of all workers."""
        return sum(slot.worker.own_bytes() or slot.reported_bytes for slot in self.slots)

    def tend(self) -> None:
        """End what nobody asks for any more, and keep to the lane's memory."""
        with self.lock:
            for slot in self.slots:
                if slot.url is not None and self._is_abandoned(slot):
                    self._replace(slot)
        # Outside the lock, which `_make_room` takes and which is not reentrant.
        self._make_room()
        with self.lock:
            busy = sorted((p for p in self.slots if p.url), key=lambda slot: slot.started)
            # A single page may exceed the lane's memory; only the limit of its worker stops it.
            if len(busy) < 2 or self.total_bytes() <= MAX_LANE_BYTES[self.name]:
                return
            # The page that began last loses the least work.
            newest = busy[-1]
            # Held, so that no request reads the pipe of a worker that is being ended.
            if newest.url is not None and newest.listened.acquire(timeout=LOOK[self.name]):
                try:
                    _remember(self.large, newest.url)
                    self._replace(newest)
                finally:
                    newest.listened.release()

    def _has_room(self) -> bool:
        """Whether something large may begin."""
        busy = [slot for slot in self.slots if slot.url is not None]
        has_memory = sum(slot.worker.own_bytes() for slot in busy) < MAX_BYTES_TO_GROW
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
        is_due = now - slot.asked_at > GONE or now - slot.started > LIMITS[self.name]
        # A request that listens at this moment ends the worker itself if that is due.
        return is_due and not slot.listened.locked()

    def _replace(self, slot: WorkerSlot) -> None:
        # A worker that starts after the end would be ended by nobody.
        if self.is_closed:
            raise TimeoutError
        slot.worker.end()
        slot.worker, slot.url, slot.reported_bytes = self.make(), None, 0.0

    def end(self) -> None:
        self.is_closed = True
        for slot in self.slots:
            slot.worker.end()


class WorkerPool:
    """Workers in two lanes, so that quick pages never wait for slow ones.

    More slow workers are added on demand. `version` and `base` are those of `page`.

    Attributes:
        quick, slow: the lanes.
        late: the addresses that were too slow for the quick lane.
        closing: set when the server ends.
    """

    def __init__(self, version: str, quick: int = 2, slow: int = 2, base: str = "") -> None:
        # The server has threads, and a fork in the middle of one could deadlock.
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
        self.closing = Event()
        Thread(target=self._tend, daemon=True).start()

    def ask(self, url: str, lane: str) -> Reply | float | None:
        """The answer, or the seconds it has been worked on; None if the page failed.

        An address that is too slow for the quick lane goes to the slow one.

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
        for url in LATER:
            with suppress(TimeoutError):
                self.slow.ask(url, LIMITS["slow"])

    def _tend(self) -> None:
        while not self.closing.wait(TENDED):
            with suppress(TimeoutError):  # the lane is over
                self.slow.tend()

    def end(self) -> None:
        self.closing.set()
        self.slow.end()
        self.quick.end()


def _remember(remembered: dict[str, None], url: str) -> None:
    """Remember an address; above `MOST_KNOWN` the oldest is forgotten."""
    remembered[url] = None
    if len(remembered) > MOST_KNOWN:
        # Requests run in threads, so two of them may remove the same address.
        remembered.pop(next(iter(remembered)), None)


def workers() -> int:
    # With one worker a page could block all others; each further one keeps memory of its own.
    return max(2, min(4, (os.cpu_count() or 2)))
