"""A command in a child process, which its parent ends when the budget is used up.

The child reports its budget, steps and unfinished files in a page of memory that both share
(`status`). The parent checks the child every `POLL_SECONDS`. When a step exceeds the budget, it
sends SIGXCPU, which acts like Ctrl-C, so that a command can show its results. Then it kills the
child and removes its unfinished files. Signals to the parent are passed on.

At a terminal the parent also shows the child's phase, seconds and memory if it takes long.
"""

import json
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import Structure, c_bool, c_char, c_double, c_uint64, sizeof
from mmap import mmap
from shutil import rmtree
from time import monotonic
from typing import NoReturn

from sevenout.budgets.enforcement import (
    MEMORY,
    POLL_SECONDS,
    SECONDS,
    Clock,
    exceeded_message,
    memory_of,
)
from sevenout.errors import printable

BUDGET_USED_UP = 99
"""The exit code of a child that ended when asked."""
FAILED = 2
PASSED_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
GRACE_SECONDS = 3.0
"""The most seconds that a child may take to end."""
KILL_FACTOR = 1.25
"""A child with this many times its memory budget is killed without being asked."""
FIRST_LINE, NEXT_LINE = 2.0, 0.5
"""Seconds until the first progress line, and between two such lines."""
CLEAR = "\r\x1b[K"
"""Clears the line of a terminal."""
TEXT_BYTES, PATHS_BYTES = 512, 1 << 16
"""Bytes kept for a text, and for the paths of unfinished files."""


class Status(Structure):
    """What a process reports to its parent, in memory that both share.

    >>> status = Status()
    >>> status.begin_step(5, 1e9)
    >>> status.seconds, status.memory, status.step, status.is_waiting
    (5.0, 1000000000.0, 1, False)
    >>> with status.waiting():
    ...     status.is_waiting
    True
    >>> status.phase, status.drafts = "the states of a game", ["/tmp/a"]
    >>> status.phase, status.drafts
    ('the states of a game', ['/tmp/a'])

    Attributes:
        seconds, memory: the budget of each step, in seconds and bytes.
        step: the number of steps begun.
        is_waiting: whether the process waits for input; its time is not counted then.
        has_printed: whether it has begun to print; the progress line must then stay away.
        shows_progress: whether the progress line is on standard error.
        is_watched: whether a parent watches this process.
        watches_itself: whether a command must watch itself, since there is no fork.
        has_reported_error: whether a command has reported its error, and only cleans up.
        phase: the current phase, in words.
        alternative: what could be asked instead, if this is too much; "" if nothing is known.
        drafts: the unfinished files and folders.
        _phase, _alternative, _drafts: the bytes of these three, in UTF-8, UTF-8 and JSON.
    """

    _fields_ = [
        ("seconds", c_double),
        ("memory", c_double),
        ("step", c_uint64),
        ("is_waiting", c_bool),
        ("has_printed", c_bool),
        ("shows_progress", c_bool),
        ("is_watched", c_bool),
        ("watches_itself", c_bool),
        ("has_reported_error", c_bool),
        ("_phase", c_char * TEXT_BYTES),
        ("_alternative", c_char * TEXT_BYTES),
        ("_drafts", c_char * PATHS_BYTES),
    ]
    # ctypes makes the attributes of the fields above; these lines tell type checkers

    seconds: float
    memory: float
    step: int
    is_waiting: bool
    has_printed: bool
    shows_progress: bool
    is_watched: bool
    watches_itself: bool
    has_reported_error: bool
    _phase: bytes
    _alternative: bytes
    _drafts: bytes

    @property
    def phase(self) -> str:
        return self._phase.decode("utf-8", "ignore")

    @phase.setter
    def phase(self, words: str) -> None:
        self._phase = words.encode("utf-8", "replace")[: TEXT_BYTES - 1]

    @property
    def alternative(self) -> str:
        return self._alternative.decode("utf-8", "ignore")

    @alternative.setter
    def alternative(self, words: str) -> None:
        self._alternative = words.encode("utf-8", "replace")[: TEXT_BYTES - 1]

    @property
    def drafts(self) -> list[str]:
        paths: list[str] = json.loads(self._drafts or b"[]")
        return paths

    @drafts.setter
    def drafts(self, paths: list[str]) -> None:
        text = json.dumps(paths).encode()  # ASCII, whatever the names
        if len(text) < PATHS_BYTES:  # more of them are left to the next command that writes there
            self._drafts = text

    def begin_step(self, seconds: float, memory: float) -> None:
        """Begin a step with this budget."""
        self.seconds, self.memory = seconds, memory
        self.step += 1

    @contextmanager
    def waiting(self, new_step: bool = True) -> Iterator[None]:
        """Don't count the time within the `with`; a new step begins after it, if `new_step`."""
        was_waiting = self.is_waiting
        self.is_waiting = True
        try:
            yield
        finally:
            self.is_waiting = was_waiting
            self.step += new_step

    @contextmanager
    def offering(self, alternative: str) -> Iterator[None]:
        """Within the `with`, a parent that ends this process says what could be asked instead."""
        self.alternative = alternative
        yield  # stays if this fails: the process may be ended while it cleans up
        self.alternative = ""

    def speak(self) -> None:
        """Report that this process begins to print, and clear the progress line."""
        if not self.has_printed:
            self.has_printed = True
            if self.shows_progress:
                self.shows_progress = False
                _write(CLEAR)


# Forks share it. Python in a browser has none, and no parent.
status = Status() if sys.platform == "emscripten" else Status.from_buffer(mmap(-1, sizeof(Status)))
"""What this process reports."""
status.seconds, status.memory = SECONDS, MEMORY


def supervise() -> None:
    """Continue in a child; the parent never returns. Without fork, continue in this process.

    Handle the signals that end a program first: they may come at once.
    """
    if not hasattr(os, "fork"):
        status.watches_itself = True
        return
    passed_on = {getattr(signal, name) for name in PASSED_SIGNALS}
    parent = os.getpid()
    # a signal between the fork and the handlers of the parent would end the parent alone
    mask_before = signal.pthread_sigmask(signal.SIG_BLOCK, passed_on)
    child = os.fork()
    if child:
        _watch(child, passed_on)
    _die_with(parent)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask_before)
    status.is_watched = True


def _watch(child: int, passed_on: "set[signal.Signals]") -> NoReturn:
    """Wait for the child, and end as it did."""

    def pass_on(number: int, _frame: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, number)

    # a signal wakes the select below through this pipe: an ended child is seen at once
    wake_reader, wake_writer = os.pipe()
    os.set_blocking(wake_writer, False)
    os.set_blocking(wake_reader, False)
    signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in passed_on:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            signal.signal(number, pass_on)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, passed_on)
    watch = _Watch(child)
    while True:
        pid, wait_status = os.waitpid(child, os.WNOHANG)
        if pid:
            _exit_as_child(os.waitstatus_to_exitcode(wait_status), watch)
        watch.check()
        watch.show_progress()
        select.select([wake_reader], [], [], POLL_SECONDS)
        with suppress(BlockingIOError):
            os.read(wake_reader, 1 << 10)


class _Watch:
    """Checks a child; asks it to end, then kills it.

    Attributes:
        child: its process number.
        clock: the time that its current step has used.
        step: the number of the step whose time is counted.
        limit: the limit that was exceeded: "seconds", "memory" or "".
        ended_at: the time on the clock at which the child was asked to end; 0 before.
        killed: whether it was killed then.
        terminal: whether a progress line can be shown.
        shown_at: the time of the last progress line.
    """

    def __init__(self, child: int) -> None:
        self.child, self.clock = child, Clock(child)
        self.step, self.limit, self.ended_at, self.killed = status.step, "", 0.0, False
        self.terminal, self.shown_at = _is_at_terminal(), 0.0

    def check(self) -> None:
        """Check the child against its budget."""
        seconds, memory = status.seconds, status.memory
        self.clock.tick()
        if self.ended_at:
            # a child needs time to write what it has, but no more than its budget justifies
            late = monotonic() - self.ended_at > min(GRACE_SECONDS, max(0.5, seconds / 4))
            if late or self.clock.exceeded(float("inf"), KILL_FACTOR * memory):
                # Sent at each check until the child is gone: a second signal changes nothing.
                self.killed = True
                self._send(signal.SIGKILL)
            return
        if status.step != self.step:
            self.step = status.step
            self.clock.restart()
        if status.is_waiting:
            self.clock.pause()
        self.limit = self.clock.exceeded(seconds, memory)
        if self.limit:
            self.ended_at = monotonic()
            self._send(signal.SIGXCPU)

    def show_progress(self) -> None:
        """Show the progress line on a terminal, if the child takes long and prints nothing."""
        now = monotonic()
        wall = now - self.clock.started
        quiet = status.has_printed or status.is_waiting or self.ended_at
        if not self.terminal or quiet or wall < FIRST_LINE or now - self.shown_at < NEXT_LINE:
            return
        self.shown_at = now
        used = f", {(memory_of(self.child) or 0) / 1e9:.1f} GB" if sys.platform == "linux" else ""
        line = f"{wall:.0f} s{used}  {printable(status.phase)}"
        with suppress(OSError):
            width = os.get_terminal_size(2).columns or 80
            status.shows_progress = True
            _write(f"{CLEAR}{line[: width - 1].rstrip()}")

    def _send(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.child, number)


def _exit_as_child(code: int, watch: _Watch) -> NoReturn:
    """Exit with the child's code, or with a line that says what ended it."""
    if status.shows_progress:
        _write(CLEAR)
    if code < 0:  # a signal ended it before it could clean up
        for draft in status.drafts:
            with suppress(OSError):
                os.unlink(draft)
            rmtree(draft, ignore_errors=True)
    if code == BUDGET_USED_UP or (watch.killed and code == -signal.SIGKILL):
        limit = watch.limit or "seconds"  # the system's time limit sends the same signal
        message = exceeded_message(limit, status.seconds, status.memory, status.alternative)
        _write(f"sevenout: {message}\n")
        code = FAILED
    elif code in (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGKILL, -signal.SIGBUS):
        name = signal.Signals(-code).name
        _write(f"sevenout: the system ended the program ({name}); ask for less\n")
        code = FAILED
    os._exit(code if code >= 0 else 128 - code)


def _is_at_terminal() -> bool:
    """Whether standard error is a terminal where a line can be cleared."""
    try:
        in_front = os.isatty(2) and os.tcgetpgrp(2) == os.getpgrp()
    except OSError:
        return False
    return in_front and os.environ.get("TERM", "dumb") != "dumb"


def _write(text: str) -> None:
    """Write to standard error, around Python's buffer; a closed one is not an error."""
    with suppress(OSError):
        os.write(2, text.encode())


def _die_with(parent: int) -> None:
    """Have the system kill this process when its parent is killed, if it can."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            import ctypes

            ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG
    if os.getppid() != parent:  # it was killed before that call
        os._exit(FAILED)
