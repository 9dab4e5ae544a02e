"""What a process has taken of its budget, and what it tells the process that watches.

A step has taken the smaller of its time on the clock and its time of a processor: another program
may be busy, and several threads may be. A process that does neither work nor wait for someone is
over its budget after 1.8 times as long.
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
"""Seconds between two looks."""
IDLE = 1.8
"""This many times its seconds may a step take on the clock."""
ASLEEP = 5.0
"""Between two looks that are further apart than this the machine, or the job, was stopped."""
SLACK, SLACK_A_CPU = 5e8, 6.4e7
"""Memory that libraries set aside and never touch."""

SECONDS, MEMORY = 60.0, 2e9
"""The budget of a command, if nothing else is said."""


def memory_of(pid: int | None = None) -> float | None:
    """The bytes of memory that a process has; None where the system does not tell.

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
    """The seconds of a processor that a process has taken; None where the system does not tell.

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
    """How long a step of a process has taken so far.

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
        """A step begins."""
        self.started = self.looked = monotonic()
        self.cpu = cpu_of(self.pid) or 0.0

    def pause(self) -> None:
        """Do not count the time since the last look."""
        now = monotonic()
        self.started += now - self.looked
        self.looked = now

    def over(self, seconds: float, memory: float) -> str:
        """What it has taken more of than this: "seconds", "memory", or nothing.

        Args:
            seconds: of a processor, or of the clock if that is less.
            memory: in bytes, of all that the process has.
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


def spent(what: str, seconds: float, memory: float) -> str:
    """That a command was ended, and what to do.

    >>> spent("memory", 60, 2e9)
    'it took more than the budget of 2 GB of memory; ask for less, or raise it: --budget 4GB'
    """
    if what == "memory":
        had, more = f"{memory / 1e9:.3g} GB of memory", f"{max(2e6, 2 * memory) / 1e9:.3g}GB"
    else:
        had, more = f"{seconds:.3g} seconds", f"{10 * seconds:.3g}"
    return f"it took more than the budget of {had}; ask for less, or raise it: --budget {more}"


class StatusBoard:
    """What a process tells the process that started it: its budget, its steps, its drafts.

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
        """Seconds and bytes."""
        seconds, memory, *_ = self._read()
        return seconds, memory

    @property
    def step(self) -> int:
        """How many steps have begun."""
        return self._read()[2]

    @property
    def waits(self) -> bool:
        """Whether the process waits for someone."""
        return self._read()[3]

    def allow(self, seconds: float, memory: float) -> None:
        """Begin a step that may take this much."""
        _, _, step, waits = self._read()
        self._write(seconds, memory, step + 1, waits)

    @contextmanager
    def waiting(self, anew: bool = True) -> Iterator[None]:
        """Within it no time is counted.

        Args:
            anew: whether a step begins after it.
        """
        seconds, memory, step, waits = self._read()
        self._write(seconds, memory, step, True)
        try:
            yield
        finally:
            self._write(seconds, memory, step + anew, waits)

    @property
    def drafts(self) -> list[str]:
        """The files and folders that are half written."""
        start = self._HEAD.size
        length = int.from_bytes(self._page[start : start + 4], "little")
        text = self._page[start + 4 : start + 4 + length].decode("utf-8", "surrogateescape")
        return text.split("\0") if text else []

    @drafts.setter
    def drafts(self, paths: list[str]) -> None:
        start = self._HEAD.size
        text = "\0".join(paths).encode("utf-8", "surrogateescape")
        if len(text) + start + 4 <= self._PHASE:
            self._page[start : start + 4 + len(text)] = len(text).to_bytes(4, "little") + text

    @property
    def phase(self) -> str:
        """What the process is at, in words.

        >>> board = StatusBoard()
        >>> board.phase = "the states of a game"
        >>> board.phase
        'the states of a game'
        """
        length = int.from_bytes(self._page[self._PHASE + 2 : self._PHASE + 4], "little")
        return self._page[self._PHASE + 4 : self._PHASE + 4 + length].decode("utf-8", "ignore")

    @phase.setter
    def phase(self, words: str) -> None:
        text = words.encode("utf-8", "replace")[: self._ROOM - 4]
        data = len(text).to_bytes(2, "little") + text
        self._page[self._PHASE + 2 : self._PHASE + 2 + len(data)] = data

    @property
    def speaks(self) -> bool:
        """Whether the process has begun to print; nothing is printed over it then."""
        return bool(self._page[self._PHASE])

    @speaks.setter
    def speaks(self, yes: bool) -> None:
        self._page[self._PHASE] = yes

    @property
    def shown(self) -> bool:
        """Whether a line on standard error says how far the process is."""
        return bool(self._page[self._PHASE + 1])

    @shown.setter
    def shown(self, yes: bool) -> None:
        self._page[self._PHASE + 1] = yes


CLEAR = "\r\x1b[K"
"""The line of a terminal is empty again."""


def speak() -> None:
    """Tell the process that watches that this process begins to print, and clear the line about it.

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
    """Tell the process that watches that this process waits for someone; within it no time is
    counted.

    >>> with waiting():
    ...     pass

    Args:
        anew: whether a step begins after it.
    """
    return nullcontext() if board is None else board.waiting(anew)


board: StatusBoard | None = None
"""Where this process tells; None if no one watches it."""
refused = False
"""Whether a command has printed what is wrong; what is left to do is to put things away."""
alone = False
"""Whether a command has to watch itself."""


def limit_memory(most: float) -> None:
    """Have the system refuse this process more memory than this, where it can."""
    if sys.platform == "win32":
        return
    import resource

    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        soft = hard if most > 1e18 else int(most + SLACK + SLACK_A_CPU * (os.cpu_count() or 1))
        if hard != resource.RLIM_INFINITY:
            soft = min(soft, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
