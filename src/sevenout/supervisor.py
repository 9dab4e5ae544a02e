"""A command runs in a process of its own; its parent ends it when its budget is used up.

Nothing that a process does to itself is sure: while a long call into C holds the interpreter, no
thread of it can run. So the parent looks, a few times a second, at what its child has taken. First
it asks it to end (SIGXCPU), as Ctrl-C does, so that a command may show what it has; then it kills
it, and takes away what was half written. The line that is printed is the same.

At a terminal the parent also says what the child is at, when that takes a while: the seconds and
the memory so far, on a line that goes when the child prints.

Signals that come to the parent go on to the child. Those of a terminal come to both.
"""

import os
import select
import signal
import sys
from contextlib import suppress
from shutil import rmtree
from time import monotonic
from typing import NoReturn

from sevenout import watchdog
from sevenout.errors import printable
from sevenout.watchdog import CLEAR, POLL, Clock, StatusBoard, memory_of, spent

OVER = 99
"""The exit code of a child that was asked to end, and did."""
FAILED = 2
PASSED_ON = ("SIGINT", "SIGTERM", "SIGHUP")
GRACE = 3.0
"""Seconds that a child may take to end, at most."""
BURST = 1.25
"""This many times its memory is too much to be asked."""
SOON, OFTEN = 2.0, 0.5
"""Seconds until a line says how far a command is, and between two such lines."""


def supervise() -> None:
    """Go on in a child; the parent never returns. Where there is no fork, go on here.

    Signals that end a program must be handled already: they may come at once.
    """
    if not hasattr(os, "fork"):
        watchdog.alone = True
        return
    passed_on = {getattr(signal, name) for name in PASSED_ON}
    board = StatusBoard()
    parent = os.getpid()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, passed_on)
    child = os.fork()
    if child:
        _watch(child, board, passed_on)
    _die_with(parent)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    watchdog.board = board


def _watch(child: int, board: StatusBoard, passed_on: "set[signal.Signals]") -> NoReturn:
    """Wait for the end of a child, which comes in time; end as it did."""

    def pass_on(number: int, _frame: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, number)

    hear, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(hear, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in passed_on:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            signal.signal(number, pass_on)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, passed_on)
    watch = _Watch(child, board)
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            _end(os.waitstatus_to_exitcode(status), watch, board)
        watch.look()
        watch.show()
        select.select([hear], [], [], POLL)
        with suppress(BlockingIOError):
            os.read(hear, 1 << 10)


class _Watch:
    """Looks at a child; asks it to end, and ends it."""

    def __init__(self, child: int, board: StatusBoard) -> None:
        self.child, self.board, self.clock = child, board, Clock(child)
        self.step, self.over, self.killed, self.asked = board.step, "", False, 0.0
        self.terminal, self.said = _at_a_terminal(), 0.0

    def look(self) -> None:
        """See whether the child has taken more than its budget."""
        seconds, memory = self.board.budget
        if self.asked:
            late = monotonic() - self.asked > min(GRACE, max(0.5, seconds / 4))
            if late or self.clock.over(float("inf"), BURST * memory):
                self.killed = True
                self._send(signal.SIGKILL)
            return
        if self.board.step != self.step:
            self.step = self.board.step
            self.clock.restart()
        if self.board.waits:
            self.clock.pause()
        self.over = self.clock.over(seconds, memory)
        if self.over:
            self.asked = monotonic()
            self._send(signal.SIGXCPU)

    def show(self) -> None:
        """Say on a terminal how far the child is, if it takes a while and prints nothing."""
        now = monotonic()
        wall = now - self.clock.started
        quiet = self.board.speaks or self.board.waits or self.asked
        if not self.terminal or quiet or wall < SOON or now - self.said < OFTEN:
            return
        self.said = now
        has = f", {(memory_of(self.child) or 0) / 1e9:.1f} GB" if sys.platform == "linux" else ""
        line = f"{wall:.0f} s{has}  {printable(self.board.phase)}"
        with suppress(OSError):
            width = os.get_terminal_size(2).columns or 80
            self.board.shown = True
            os.write(2, f"{CLEAR}{line[: width - 1].rstrip()}".encode())

    def _send(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.child, number)


def _end(code: int, watch: _Watch, board: StatusBoard) -> NoReturn:
    """End as a child did: with its code, or with a line on what ended it."""
    if board.shown:
        _clear()
    if code < 0:
        for draft in board.drafts:
            with suppress(OSError):
                os.unlink(draft)
            rmtree(draft, ignore_errors=True)
    if code == OVER or (watch.killed and code == -signal.SIGKILL):
        _say(spent(watch.over or "seconds", *board.budget))
        code = FAILED
    elif code in (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGKILL, -signal.SIGBUS):
        _say(f"the system ended the program ({signal.Signals(-code).name}); ask for less")
        code = FAILED
    os._exit(code if code >= 0 else 128 - code)


def _at_a_terminal() -> bool:
    """Whether someone sees what is said on standard error, and it can be taken back."""
    try:
        front = os.isatty(2) and os.tcgetpgrp(2) == os.getpgrp()
    except OSError:
        return False
    return front and os.environ.get("TERM", "dumb") != "dumb"


def _clear() -> None:
    with suppress(OSError):
        os.write(2, CLEAR.encode())


def _say(line: str) -> None:
    with suppress(OSError):
        os.write(2, f"sevenout: {line}\n".encode())


def _die_with(parent: int) -> None:
    """Have the system kill this process if its parent is killed, where it can."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            import ctypes

            ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(FAILED)
