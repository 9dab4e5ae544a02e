"""End a step that exceeds its budget within this process.

A thread checks, and raises in the other thread between two Python instructions; again if the
exception is held up. The system's memory limit holds for the whole process while any step is
guarded.
"""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread, get_ident

from sevenout.errors import TooMuchWorkError
from sevenout.watchdog import POLL, Clock, memory_of, spent

AGAIN = 10
"""Checks until the exception is raised again."""


ROOM = 128 << 20
"""The least number of bytes between a budget and the system's limit."""


class Spent(BaseException):
    """Raised in a thread whose budget is used up; not an Exception, so handlers let it pass."""


@contextmanager
def guarded(seconds: float, memory: float) -> Iterator[None]:
    """End the `with` body when it exceeds these limits.

    Args:
        seconds: of the clock, or of the processor if that is less.
        memory: in bytes, added to the memory of the process.

    Raises:
        TooMuchWorkError: over the limits.
    """
    guard = _Guard(seconds, memory)
    with _limited(memory):
        guard.start()
        try:
            try:
                yield
            finally:
                guard.stop()
        except Spent:
            guard.stop()  # the exception may have come before `stop` was done
            raise guard.error() from None
        except (MemoryError, SystemError) as error:
            # CPython 3.11 raises this if a frame has no room
            if isinstance(error, SystemError) and "without exception set" not in str(error):
                raise
            guard.over = "memory"
            raise guard.error() from None


class _Guard:
    def __init__(self, seconds: float, memory: float) -> None:
        self.seconds, self.memory, self.over = seconds, memory, ""
        self.thread, self.clock, self.had = get_ident(), Clock(), memory_of() or 0.0
        self.done, self.lock = Event(), Lock()

    def start(self) -> None:
        Thread(target=self._look, name="sevenout-guard", daemon=True).start()

    def _look(self) -> None:
        looks = 0
        while not self.done.wait(POLL):
            self.over = self.over or self.clock.over(self.seconds, self.had + self.memory)
            with self.lock:
                if self.over and not self.done.is_set() and looks % AGAIN == 0:
                    raised = ctypes.py_object(Spent)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), raised)
            looks += bool(self.over)

    def stop(self) -> None:
        """Stop raising; an exception that was raised too late arrives in this call.

        Cancelling with NULL instead would leave the interpreter's flag set: CPython 3.11 then hangs
        in a trace function, such as a debugger's.
        """
        while True:
            try:
                with self.lock:
                    self.done.set()
                return
            except Spent:
                continue

    def error(self) -> TooMuchWorkError:
        text = spent(self.over, self.seconds, self.memory)
        return TooMuchWorkError(f"{text.partition(', or raise')[0]}, or raise the budget")


_limits: list[int] = []
_limits_lock = Lock()
_usual: list[int] = []


@contextmanager
def _limited(memory: float) -> Iterator[None]:
    """Set the system's memory limit, where it can be set, with room above the budget.

    The thread must act first: a failed allocation inside the interpreter may end the process.
    """
    data = _data()
    if data is None or memory > 1e18:
        yield
        return
    limit = data + int(memory) + max(int(memory / 4), ROOM)
    with _limits_lock:
        _limits.append(limit)
        _apply()
    try:
        yield
    finally:
        with _limits_lock:
            _limits.remove(limit)
            _apply()


def _apply() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if not _usual:
        _usual.append(soft)
    usual = _usual[0] if _usual[0] != resource.RLIM_INFINITY else None
    wanted = min([*_limits, *([usual] if usual is not None else [])], default=_usual[0])
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    if not _limits:
        _usual.clear()


def _data() -> int | None:
    """The bytes that count for the system's limit; None if unknown."""
    if sys.platform != "linux":
        return None
    with suppress(OSError, ValueError, IndexError):
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[5]) * resource.getpagesize()
    return None
