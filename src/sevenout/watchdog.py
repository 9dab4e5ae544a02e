"""The resources that a process has used, and its messages to the process that watches.

A step's time is the smaller of clock time and processor time. A process that neither works nor
waits for input is over its budget after `IDLE` times as long on the clock.
"""

import mmap
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from time import monotonic, process_time

POLL = 0.05
"""Seconds between two checks."""
IDLE = 1.8
"""The limit on a step's clock time, in times of its seconds."""
ASLEEP = 5.0
"""If two checks are further apart than this many seconds, the machine or the job was stopped."""
SLACK, SLACK_A_CPU = 5e8, 6.4e7
"""Bytes that libraries reserve but never touch: in all, and per processor."""

SECONDS, MEMORY = 60.0, 2e9
"""The default budget of a command, in seconds and bytes."""


def memory_of(pid: int | None = None) -> float | None:
    """The bytes of memory of a process; None if unknown.

    >>> (memory_of() or 1e7) > 1e6
    True
    """
    with (
        suppress(OSError, ValueError, IndexError),
        open(f"/proc/{pid or 'self'}/statm", encoding="ascii") as file,
    ):
        return float(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
    return None


def cpu_of(pid: int | None = None) -> float | None:
    """The processor seconds that a process has used; None if unknown.

    >>> (cpu_of() or 1) > 0
    True
    """
    if pid is None:
        return process_time()
    with suppress(OSError, ValueError, IndexError):
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return None


@dataclass
class Clock:
    """The time used by the current step of a process.

    >>> clock = Clock()
    >>> clock.over(seconds=60, memory=float("inf")), clock.over(seconds=-1, memory=1e9)
    ('', 'seconds')

    Attributes:
        pid: the process; None for this one.
    """

    pid: int | None = None
    started: float = field(default_factory=monotonic)
    looked: float = field(default_factory=monotonic)
    cpu: float = 0.0

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Begin a step."""
        self.started = self.looked = monotonic()
        self.cpu = cpu_of(self.pid) or 0.0

    def pause(self) -> None:
        """Skip the time since the last check."""
        now = monotonic()
        self.started += now - self.looked
        self.looked = now

    def over(self, seconds: float, memory: float) -> str:
        """The limit that is exceeded: "seconds", "memory" or "".

        Args:
            seconds: of the processor, or of the clock if that is less.
            memory: in bytes, of the whole process.
        """
        now = monotonic()
        if now - self.looked > ASLEEP:
            self.pause()
        self.looked = now
        wall = now - self.started
        cpu = cpu_of(self.pid)
        busy = wall if cpu is None else min(wall, cpu - self.cpu)
        if busy > seconds or wall > IDLE * seconds:
            return "seconds"
        has = memory_of(self.pid)
        return "memory" if has is not None and has > memory else ""


def spent(what: str, seconds: float, memory: float, instead: str = "") -> str:
    """The message for a command that was ended, with what to do.

    >>> spent("memory", 60, 2e9)
    'it took more than the budget of 2 GB of memory; ask for less, or raise it: --budget 4GB'
    """
    if what == "memory":
        had, more = f"{memory / 1e9:.3g} GB of memory", f"{max(2e6, 2 * memory) / 1e9:.3g}GB"
    else:
        had, more = f"{seconds:.3g} seconds", f"{10 * seconds:.3g}"
    instead = instead or "ask for less"
    return f"it took more than the budget of {had}; {instead}, or raise it: --budget {more}"


class StatusBoard:
    """Shared memory in which a process reports its budget, steps and drafts to its parent.

    >>> board = StatusBoard()
    >>> board.allow(5, 1e9)
    >>> board.budget, board.step, board.waits
    ((5.0, 1000000000.0), 1, False)
    >>> with board.waiting():
    ...     board.waits
    True
    >>> board.drafts = ["/tmp/a"]
    >>> board.drafts
    ['/tmp/a']
    """

    _HEAD = struct.Struct("=ddQ?")
    _SIZE, _ROOM = 1 << 16, 512
    _PHASE = _SIZE - _ROOM
    _INSTEAD = _PHASE - _ROOM

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, self._SIZE)
        self._write(SECONDS, MEMORY, 0, False)

    def _read(self) -> tuple[float, float, int, bool]:
        found: tuple[float, float, int, bool] = self._HEAD.unpack_from(self._page)
        return found

    def _write(self, seconds: float, memory: float, step: int, waits: bool) -> None:
        self._HEAD.pack_into(self._page, 0, seconds, memory, step, waits)

    @property
    def budget(self) -> tuple[float, float]:
        """The budget in seconds and bytes."""
        seconds, memory, *_ = self._read()
        return seconds, memory

    @property
    def step(self) -> int:
        """The number of steps begun."""
        return self._read()[2]

    @property
    def waits(self) -> bool:
        """Whether the process waits for input."""
        return self._read()[3]

    def allow(self, seconds: float, memory: float) -> None:
        """Begin a step with this budget."""
        _, _, step, waits = self._read()
        self._write(seconds, memory, step + 1, waits)

    @contextmanager
    def waiting(self, anew: bool = True) -> Iterator[None]:
        """Don't count time within the `with`; if `anew`, a new step begins after it."""
        seconds, memory, step, waits = self._read()
        self._write(seconds, memory, step, True)
        try:
            yield
        finally:
            self._write(seconds, memory, step + anew, waits)

    @property
    def drafts(self) -> list[str]:
        """The unfinished files and folders."""
        start = self._HEAD.size
        length = int.from_bytes(self._page[start : start + 4], "little")
        text = self._page[start + 4 : start + 4 + length].decode("utf-8", "surrogateescape")
        return text.split("\0") if text else []

    @drafts.setter
    def drafts(self, paths: list[str]) -> None:
        start = self._HEAD.size
        text = "\0".join(paths).encode("utf-8", "surrogateescape")
        if len(text) + start + 4 <= self._INSTEAD:
            self._page[start : start + 4 + len(text)] = len(text).to_bytes(4, "little") + text

    @property
    def phase(self) -> str:
        """The current phase, in words.

        >>> board = StatusBoard()
        >>> board.phase = "the states of a game"
        >>> board.phase
        'the states of a game'
        """
        return self._text(self._PHASE + 2)

    @phase.setter
    def phase(self, words: str) -> None:
        self._put(self._PHASE + 2, words)

    @property
    def instead(self) -> str:
        """What could be asked instead, if this is too much; "" if nothing is known."""
        return self._text(self._INSTEAD)

    @instead.setter
    def instead(self, words: str) -> None:
        self._put(self._INSTEAD, words)

    def _text(self, start: int) -> str:
        length = int.from_bytes(self._page[start : start + 2], "little")
        return self._page[start + 2 : start + 2 + length].decode("utf-8", "ignore")

    def _put(self, start: int, words: str) -> None:
        text = words.encode("utf-8", "replace")[: self._ROOM - 4]
        data = len(text).to_bytes(2, "little") + text
        self._page[start : start + len(data)] = data

    @property
    def speaks(self) -> bool:
        """Whether the process has begun to print; the progress line must then stay away."""
        return bool(self._page[self._PHASE])

    @speaks.setter
    def speaks(self, yes: bool) -> None:
        self._page[self._PHASE] = yes

    @property
    def shown(self) -> bool:
        """Whether the progress line is on standard error."""
        return bool(self._page[self._PHASE + 1])

    @shown.setter
    def shown(self, yes: bool) -> None:
        self._page[self._PHASE + 1] = yes


CLEAR = "\r\x1b[K"
"""Clears the line of a terminal."""


def speak() -> None:
    """Report that this process begins to print, and clear the progress line.

    >>> speak()
    """
    if board is None or board.speaks:
        return
    board.speaks = True
    if board.shown:
        board.shown = False
        with suppress(OSError):
            os.write(2, CLEAR.encode())


def waiting(anew: bool = True) -> AbstractContextManager[None]:
    """Report that this process waits for input; as `StatusBoard.waiting`.

    >>> with waiting():
    ...     pass
    """
    return nullcontext() if board is None else board.waiting(anew)


@contextmanager
def offering(instead: str) -> Iterator[None]:
    """Within the `with`, a process that ends this one says what could be asked instead.

    >>> with offering("ask for fewer rolls"):
    ...     pass
    """
    if board is None:
        yield
        return
    board.instead = instead
    yield  # stays if this fails: it may be ended while it cleans up
    board.instead = ""


board: StatusBoard | None = None
"""Where this process reports; None if it is not watched."""
refused = False
"""Whether a command has reported its error, and only cleans up."""
alone = False
"""Whether a command must watch itself."""


def limit_memory(most: float) -> None:
    """Set the system's limit on this process's memory, in bytes, if it can."""
    if sys.platform == "win32":
        return
    import resource

    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        soft = hard if most > 1e18 else int(most + SLACK + SLACK_A_CPU * (os.cpu_count() or 1))
        if hard != resource.RLIM_INFINITY:
            soft = min(soft, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
