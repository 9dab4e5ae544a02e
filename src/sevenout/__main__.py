"""`python -m sevenout` is `sevenout`: start the command line, and handle its signals.

Ctrl-C ends a command with exit code 130 and no traceback, SIGTERM with 143, and a budget that is
used up with 2 and a line (`budgets.supervision`). Before a command runs, the process ends at once;
after it has run, signals are ignored. While it runs, a signal raises KeyboardInterrupt, so the
command can show its results and remove drafts.

Three cases need care:

- Some packages turn an interrupt during import into their own error: any error that ends an
  interrupted command counts as the interrupt.
- Python drops exceptions in callbacks of weak references and finalizers: the signal is sent again.
- After an interrupt has passed through `exec` (of a dataclass, say), Python dies of the signal in
  the end although it was caught: the process ends in this module instead.
"""

import os
import sys
from types import FrameType
from typing import Any

INTERRUPTED = 130
AGAIN = 0.01
"""Seconds until a dropped signal is sent again."""
TWICE = 0.3
"""Equal signals within this many seconds count once: a terminal and a parent both send it."""


def run() -> None:
    """Run a command with the words of the command line, and exit."""
    try:
        import signal

        ended = _Ended()
        heard = [number for number in ended.codes if _is_usual(number)]  # nohup: it is not
        for number in heard:
            signal.signal(number, ended.leave)
        from sevenout.budgets.supervision import supervise

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
    """The signal that asked a command to end, if any.

    Attributes:
        by: the number of the signal; 0 for none.
        at: when it came, in seconds of the monotonic clock.
        again: whether it is sent again because Python dropped it.
        codes: the exit code of each signal.
    """

    def __init__(self) -> None:
        import signal

        from sevenout.budgets.supervision import BUDGET_USED_UP

        self.by = 0
        self.at = 0.0
        self.again = False
        self.codes = {int(signal.SIGINT): INTERRUPTED, int(signal.SIGTERM): 143}
        if hasattr(signal, "SIGXCPU"):
            self.codes[int(signal.SIGXCPU)] = BUDGET_USED_UP

    def press(self, number: int, _frame: FrameType | None) -> None:
        from time import monotonic

        now = monotonic()
        if number == self.by and now - self.at < TWICE and not self.again:
            return
        self.by, self.at, self.again = number, now, False
        raise KeyboardInterrupt

    def leave(self, number: int | None = None, _frame: FrameType | None = None) -> None:
        """End at once, with code 2 if the command has reported an error."""
        from sevenout.budgets.supervision import status

        os._exit(2 if status.refused else self.codes.get(number or self.by, INTERRUPTED))

    def dropped(self, dropped: Any) -> None:
        """Send a dropped signal again."""
        if dropped.exc_type is not KeyboardInterrupt or not self.by:
            sys.__unraisablehook__(dropped)
            return
        import threading

        later = threading.Timer(AGAIN, self._press)
        # A timer that still waits must not keep the process alive.
        later.daemon = True
        later.start()

    def _press(self) -> None:
        self.again = True
        if os.name == "posix":
            os.kill(os.getpid(), self.by)  # wakes a waiting main thread
        else:
            import _thread

            _thread.interrupt_main()


def _is_usual(number: int) -> bool:
    """Whether a signal has Python's default handler."""
    import signal

    return signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL)


if __name__ == "__main__":
    run()
