"""`python -m sevenout` is `sevenout`: the program, as the system starts it and stops it.

Ctrl-C means "leave", at any moment, with exit code 130 and no traceback; so does SIGTERM, with 143,
and a budget that is used up, with 2 and a line (`supervisor`). Until a command runs there is
nothing to put away, and the process ends where it is; when it has run, Ctrl-C comes too late. In
between it is Python's KeyboardInterrupt, so that a command can show what it has and leave no half
of a file. Some packages turn that into an error of their own if it comes while they load: an error
that ends a command which was interrupted is taken for the interruption. Where Python runs a
callback, of a weak reference or a finalizer, it drops every exception: an interrupt that fell there
comes again a moment later. And Python itself, where an interrupt has passed through an `exec` (of a
dataclass, say), dies of the signal in the end, anyone who caught it; so after one the process ends
here.
"""

import os
import sys
from types import FrameType
from typing import Any

INTERRUPTED = 130
AGAIN = 0.01
"""Seconds until a signal that Python has dropped comes again."""
TWICE = 0.3
"""Within this many seconds the same signal is one: a terminal and a parent both send it."""


def run() -> None:
    """Run a command with the words of the command line, and exit."""
    try:
        import signal

        ended = _Ended()
        heard = [number for number in ended.codes if _is_usual(number)]  # nohup: it is not
        for number in heard:
            signal.signal(number, ended.leave)
        from sevenout.supervisor import supervise

        supervise()
        import sevenout.cli.app  # noqa: F401  this takes a while
        from sevenout.cli import main

        sys.unraisablehook = ended.dropped
        for number in heard:
            signal.signal(number, ended.press)
        code = main()
        for number in heard:
            signal.signal(number, signal.SIG_IGN)
        if ended.by:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            if code == INTERRUPTED:
                ended.leave()
            os._exit(code)
    except KeyboardInterrupt:
        ended.leave()
    except Exception:
        if ended.by:
            ended.leave()
        raise
    sys.exit(code)


class _Ended:
    """By which signal a command was asked to end, if it was."""

    def __init__(self) -> None:
        import signal

        from sevenout.supervisor import OVER

        self.by = 0
        self.at = 0.0
        self.again = False
        self.codes = {int(signal.SIGINT): INTERRUPTED, int(signal.SIGTERM): 143}
        if hasattr(signal, "SIGXCPU"):
            self.codes[int(signal.SIGXCPU)] = OVER

    def press(self, number: int, _frame: FrameType | None) -> None:
        from time import monotonic

        now = monotonic()
        if number == self.by and now - self.at < TWICE and not self.again:
            return
        self.by, self.at, self.again = number, now, False
        raise KeyboardInterrupt

    def leave(self, number: int | None = None, _frame: FrameType | None = None) -> None:
        """End here and now; a command that has said what is wrong has ended by itself."""
        from sevenout import watchdog

        os._exit(2 if watchdog.refused else self.codes.get(number or self.by, INTERRUPTED))

    def dropped(self, dropped: Any) -> None:
        """Have the signal come again."""
        if dropped.exc_type is not KeyboardInterrupt or not self.by:
            sys.__unraisablehook__(dropped)
            return
        import threading

        later = threading.Timer(AGAIN, self._press)
        later.daemon = True
        later.start()

    def _press(self) -> None:
        self.again = True
        if os.name == "posix":
            os.kill(os.getpid(), self.by)  # wakes a main thread that waits
        else:
            import _thread

            _thread.interrupt_main()


def _is_usual(number: int) -> bool:
    """Whether a signal does what it does in any program of Python's."""
    import signal

    return signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL)


if __name__ == "__main__":
    run()
