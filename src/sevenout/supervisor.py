"""Run a command in a child process that its parent ends when the budget is used up.

No thread can run while a long call into C holds the interpreter, so the parent checks the child a
few times a second. First it sends SIGXCPU, which acts like Ctrl-C, so that a command can show its
results. Then it kills the child and removes its drafts. Signals to the parent are passed on.

At a terminal the parent also shows the child's phase, seconds and memory if it takes long.
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
"""The exit code of a child that ended when asked."""
FAILED = 2
PASSED_ON = ("SIGINT", "SIGTERM", "SIGHUP")
GRACE = 3.0
"""The most seconds that a child may take to end."""
BURST = 1.25
"""A child with this many times its memory budget is killed without being asked."""
SOON, OFTEN = 2.0, 0.5
"""Seconds until the first progress line, and between two such lines."""


def supervise() -> None:
    """Continue in a child; the parent never returns. Without fork, continue in this process.

    Handle the signals that end a program first: they may come at once.
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
    """Wait for the child, and end as it did."""

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
    """Checks a child; asks it to end, then kills it."""

    def __init__(self, child: int, board: StatusBoard) -> None:
        self.child, self.board, self.clock = child, board, Clock(child)
        self.step, self.over, self.killed, self.asked = board.step, "", False, 0.0
        self.terminal, self.said = _at_a_terminal(), 0.0

    def look(self) -> None:
        """Check the child against its budget."""
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
        """Show the progress line on a terminal, if the child takes long and prints nothing."""
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
    """Exit with the child's code, or with a line that says what ended it."""
    if board.shown:
        _clear()
    if code < 0:
        for draft in board.drafts:
            with suppress(OSError):
                os.unlink(draft)
            rmtree(draft, ignore_errors=True)
    if code == OVER or (watch.killed and code == -signal.SIGKILL):
        _say(spent(watch.over or "seconds", *board.budget, board.instead))
        code = FAILED
    elif code in (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGKILL, -signal.SIGBUS):
        _say(f"the system ended the program ({signal.Signals(-code).name}); ask for less")
        code = FAILED
    os._exit(code if code >= 0 else 128 - code)


def _at_a_terminal() -> bool:
    """Whether standard error is a terminal where a line can be cleared."""
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
    """Have the system kill this process when its parent is killed, if it can."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            import ctypes

            ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(FAILED)
