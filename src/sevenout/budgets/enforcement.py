"""What a process has used, and the end of a step of this process that exceeds its budget.

A step's time is the smaller of its clock time and its processor time, so a busy machine takes
nothing from a budget. A step that neither works nor waits (for input or for a processor) still
ends, after `IDLE_FACTOR` times its seconds on the clock.

A thread checks the step, and raises in the step's thread between two Python instructions; again if
the exception is held up. A second limit, the system's, holds for the whole process: memory can run
out within one instruction.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread, get_ident
from time import monotonic, process_time
from types import FrameType
from typing import TypeVar

from sevenout.errors import Excess, TooMuchWorkError

SECONDS, MEMORY = 60.0, 2e9
"""The default budget, in seconds and bytes."""
POLL_SECONDS = 0.05
"""Seconds between two checks: short budgets are exceeded by little, and checks cost nothing."""
IDLE_FACTOR = 1.8
"""The limit on a step's clock time, in times of its seconds, without the waits for a processor."""
STOPPED_SECONDS = 5.0
"""If two checks are further apart than this many seconds, the machine or the job was stopped."""
CHECKS_PER_RAISE = 10
"""Checks until the exception is raised again: code that catches all may have dropped it."""
MIN_ROOM = 128 << 20
"""The least bytes between a budget and the system's limit: the thread must act first, since a
failed allocation inside the interpreter may end the process."""
RESERVED, RESERVED_PER_CPU = 5e8, 6.4e7
"""Bytes that libraries reserve but never touch: in all, and per processor."""
NO_LIMIT = 1e18
"""A budget of this many bytes is not limited by the system."""

T = TypeVar("T")


def exceeded_message(limit: str, seconds: float, memory: float, instead: str = "") -> str:
    """The message for a command that was ended, with what to do.

    >>> exceeded_message("memory", 60, 2e9)
    'it took more than the budget of 2 GB of memory; ask for less, or raise it: --budget 4GB'

    Args:
        limit: the one that was exceeded, "seconds" or "memory".
        seconds: of the budget.
        memory: of the budget, in bytes.
        instead: a cheaper alternative.
    """
    # twice the memory, but ten times the seconds: memory is scarce, and time is not
    larger = _plain(10 * seconds)
    if limit == "memory":
        larger = f"{_plain(max(2e6, 2 * memory) / 1e9)}GB"
    advice = f"{instead or 'ask for less'}, or raise it: --budget {larger}"
    return f"{_excess(limit, seconds, memory).reason()}; {advice}"


def _excess(limit: str, seconds: float, memory: float) -> Excess:
    """The excess of a step that was ended at its limit."""
    is_memory = limit == "memory"
    amount = f"{_plain(memory / 1e9)} GB of memory" if is_memory else f"{_plain(seconds)} seconds"
    return Excess(amount)


def _plain(number: float) -> str:
    """A number with three digits or more, never as a power of ten if it is large.

    >>> _plain(0.2), _plain(60.0), _plain(12340.0)
    ('0.2', '60', '12340')
    """
    return f"{number:.0f}" if number >= 1000 else f"{number:.3g}"


# --- what a process has used ----------------------------------------------------------------------


def memory_of(pid: int | None = None) -> float | None:
    """The bytes of memory of a process; None if unknown.

    >>> (memory_of() or 1e7) > 1e6
    True
    """
    pages = _numbers_of("statm", pid)
    return float(pages[1] * os.sysconf("SC_PAGE_SIZE")) if pages else None


def cpu_of(pid: int | None = None) -> float | None:
    """The processor seconds that a process has used; None if unknown.

    >>> (cpu_of() or 1) > 0
    True
    """
    if pid is None:
        return process_time()
    numbers = _numbers_of("stat", pid)
    return (numbers[10] + numbers[11]) / os.sysconf("SC_CLK_TCK") if numbers else None


def queued_of(pid: int | None = None) -> float:
    """The seconds for which a process was ready, but had no processor; 0 if unknown.

    >>> queued_of() >= 0
    True
    """
    nanoseconds = _numbers_of("schedstat", pid)
    return nanoseconds[1] / 1e9 if nanoseconds else 0.0


def _numbers_of(file_name: str, pid: int | None) -> list[int]:
    """The numbers that the system tells of a process in a file; none if it has no such file."""
    with (
        suppress(OSError),
        open(f"/proc/{pid or 'self'}/{file_name}", encoding="utf-8", errors="replace") as file,
    ):
        # A program's name may hold spaces; after it comes a letter for its state.
        fields = file.read().rpartition(")")[2].split()
        return [int(field) for field in fields if field.lstrip("-").isdecimal()]
    return []


class Clock:
    """The time that the current step of a process has used.

    >>> clock = Clock()
    >>> clock.exceeded(seconds=60, memory=float("inf")), clock.exceeded(seconds=-1, memory=1e9)
    ('', 'seconds')

    Attributes:
        pid: the process; None for this one.
        started: the time on the clock at which the step began, later by what was paused.
        checked: the time of the last check.
        cpu: the processor seconds of the process when the step began.
        queued: the seconds for which it had waited for a processor by then.
    """

    def __init__(self, pid: int | None = None) -> None:
        self.pid = pid
        self.restart()

    def restart(self) -> None:
        """Begin a step."""
        self.started = self.checked = monotonic()
        self.cpu, self.queued = cpu_of(self.pid) or 0.0, queued_of(self.pid)

    def pause(self) -> None:
        """Don't count the time since the last check."""
        now = monotonic()
        self.started += now - self.checked
        self.checked = now

    def tick(self) -> None:
        """Count the time since the last check, unless the machine was stopped in between."""
        now = monotonic()
        if now - self.checked > STOPPED_SECONDS:
            self.pause()
        self.checked = now

    def exceeded(self, seconds: float, memory: float) -> str:
        """The limit that was exceeded at the last check: "seconds", "memory" or "".

        Args:
            seconds: of the processor, or of the clock if that is less.
            memory: in bytes, of the whole process.
        """
        wall = self.checked - self.started
        cpu = cpu_of(self.pid)
        busy = wall if cpu is None else min(wall, cpu - self.cpu)
        if busy > seconds:
            return "seconds"
        # a machine with many other jobs lets a step wait: that is no idleness
        if (
            wall > IDLE_FACTOR * seconds
            and wall - (queued_of(self.pid) - self.queued) > IDLE_FACTOR * seconds
        ):
            return "seconds"
        used = memory_of(self.pid)
        return "memory" if used is not None and used > memory else ""


# --- the end of a step ----------------------------------------------------------------------------


class StepEnded(BaseException):
    """Raised in a thread whose budget is used up; not an Exception, so handlers let it pass."""


def run_guarded(work: Callable[[], T], seconds: float, memory: float) -> T:
    """The result of `work`, which is ended when it exceeds these limits.

    A `with` can't do it. An exception that the guard has set while a long call into C ran may
    arrive at the first instruction of `__exit__`, outside any `try`; here it arrives in `stop`.

    Args:
        work: the step.
        seconds: of the clock, or of the processor if that is less.
        memory: in bytes, added to the memory of the process.

    Raises:
        TooMuchWorkError: over the limits.
    """
    guard = _Guard(seconds, memory, sys._getframe())
    with _limited_by_system(memory):
        try:
            try:
                guard.start()  # a short budget may end before this returns
                return work()
            finally:
                guard.stop()
        except StepEnded:
            guard.stop()  # the exception may have come before `stop` had finished
            raise guard.error() from None
        except (MemoryError, SystemError) as error:
            # CPython 3.11 raises a SystemError without a cause if a frame has no room
            if isinstance(error, SystemError) and "without exception set" not in str(error):
                raise
            guard.limit = "memory"
            raise guard.error() from None


class _Guard:
    """Checks a step of one thread from another, and raises in it when it exceeds its budget.

    `start` begins the checks, and `stop` ends them. In between, `StepEnded` may be raised in the
    step's thread at any instruction.

    Attributes:
        seconds, memory: the budget of the step, in seconds and bytes.
        clock: the time that the step has used.
        memory_before: bytes of the process when the step began.
        limit: the limit that was exceeded: "seconds", "memory" or "".
        thread: the number of the step's thread.
        frame: the function that runs the step, in which alone the exception may be raised.
        finished: set when the step is over; nothing is raised afterwards.
        lock: held while raising and while finishing, so that one precedes the other.
    """

    def __init__(self, seconds: float, memory: float, frame: FrameType) -> None:
        self.seconds, self.memory, self.limit = seconds, memory, ""
        self.thread, self.clock, self.memory_before = get_ident(), Clock(), memory_of() or 0.0
        self.frame: FrameType | None = frame
        self.finished, self.lock = Event(), Lock()

    def start(self) -> None:
        """Begin the checks."""
        Thread(target=self._check, name="sevenout-guard", daemon=True).start()

    def _check(self) -> None:
        checks = 0  # since the limit was exceeded
        while not self.finished.wait(POLL_SECONDS):
            memory_limit = self.memory_before + self.memory
            self.clock.tick()
            self.limit = self.limit or self.clock.exceeded(self.seconds, memory_limit)
            with self.lock:
                due = self.limit and checks % CHECKS_PER_RAISE == 0
                if due and not self.finished.is_set() and self._runs():
                    error = ctypes.py_object(StepEnded)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), error)
            checks += bool(self.limit)

    def _runs(self) -> bool:
        """Whether the thread is in the function that runs the step, or in one that it called."""
        frame = sys._current_frames().get(self.thread)
        while frame and frame is not self.frame:
            frame = frame.f_back
        return frame is not None

    def stop(self) -> None:
        """Stop raising; an exception that was raised too late arrives in this call.

        Cancelling with NULL instead would leave the interpreter's flag set: CPython 3.11 then hangs
        in a trace function, such as a debugger's.
        """
        while True:
            try:
                with self.lock:
                    self.finished.set()
                    self.frame = None  # a frame keeps all variables of its function
                return
            except StepEnded:
                continue

    def error(self) -> TooMuchWorkError:
        """The error of the step that was ended."""
        return TooMuchWorkError.from_excess(_excess(self.limit, self.seconds, self.memory))


# --- the system's limit ---------------------------------------------------------------------------


def limit_memory(memory: float) -> None:
    """Set the system's limit on this process's memory, in bytes, if it can."""
    if sys.platform == "win32":
        return
    import resource

    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        reserved = RESERVED + RESERVED_PER_CPU * (os.cpu_count() or 1)
        soft = hard if memory > NO_LIMIT else int(memory + reserved)
        if hard != resource.RLIM_INFINITY:
            soft = min(soft, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


class _GuardLimits:
    """The system's limit on the memory of this process, while guards are at work.

    The limit is the whole process's, and several threads may each have a guard. So the least limit
    that a guard asks for is set, and after the last guard the process's own limit again.

    Attributes:
        limits: what the guards ask for, in bytes.
        own_limit: the soft limit before the first guard; None without guards.
        lock: held while either changes.
    """

    def __init__(self) -> None:
        self.limits: list[int] = []
        self.own_limit: int | None = None
        self.lock = Lock()

    def add(self, limit: int) -> None:
        """Count a guard's limit in."""
        with self.lock:
            self.limits.append(limit)
            self._set_least()

    def remove(self, limit: int) -> None:
        """Count it out again."""
        with self.lock:
            self.limits.remove(limit)
            self._set_least()

    def _set_least(self) -> None:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        own = self.own_limit = soft if self.own_limit is None else self.own_limit
        # "no limit" is -1, which would be the least
        finite = [] if own == resource.RLIM_INFINITY else [own]
        with suppress(ValueError, OSError):
            least = min([*self.limits, *finite], default=own)
            resource.setrlimit(resource.RLIMIT_DATA, (least, hard))
        if not self.limits:
            self.own_limit = None


_guard_limits = _GuardLimits()


@contextmanager
def _limited_by_system(memory: float) -> Iterator[None]:
    """Within the `with`, the system refuses memory far above the budget, where it can."""
    used = _data_bytes()
    if used is None or memory > NO_LIMIT:
        yield
        return
    limit = used + int(memory) + max(int(memory / 4), MIN_ROOM)
    _guard_limits.add(limit)
    try:
        yield
    finally:
        _guard_limits.remove(limit)


def _data_bytes() -> int | None:
    """The bytes of this process that count for the system's limit; None if unknown."""
    if sys.platform != "linux":
        return None
    pages = _numbers_of("statm", None)
    return pages[5] * os.sysconf("SC_PAGE_SIZE") if pages else None
