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
RESEND_DELAY = 0.01
"""Seconds until a dropped signal is sent again."""
SAME_SIGNAL_SECONDS = 0.3
"""Equal signals within this many seconds count once: a terminal and a parent both send it."""


def run() -> None:
    """Run a command with the words of the command line, and exit."""
    try:
        import signal

        handlers = _SignalHandlers()
        # A signal that is ignored, as in a shell's background job, stays so.
        handled_signals = list(filter(_has_default_handler, handlers.exit_codes))
        for number in handled_signals:
            signal.signal(number, handlers.exit_at_once)
        from sevenout.budgets.supervision import supervise

        supervise()
        import sevenout.cli.app  # noqa: F401  this takes a while
        from sevenout.cli import main

        sys.unraisablehook = handlers.resend_dropped
        for number in handled_signals:
            signal.signal(number, handlers.interrupt)
        code = main()
        for number in handled_signals:
            signal.signal(number, signal.SIG_IGN)
        if handlers.signal_number:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            if code == INTERRUPTED:
                handlers.exit_at_once()
            os._exit(code)
    except KeyboardInterrupt:
        handlers.exit_at_once()
    except Exception:
        if handlers.signal_number:
            handlers.exit_at_once()
        raise
    sys.exit(code)


class _SignalHandlers:
    """The signal that asked a command to end, if any.

    Attributes:
        signal_number: the number of the signal; 0 for none.
        time: when it came, in seconds of the monotonic clock.
        is_repeat: whether the next signal is one that Python dropped, sent again.
        exit_codes: the exit code of each signal.
    """

    def __init__(self) -> None:
        import signal

        from sevenout.budgets.supervision import BUDGET_USED_UP

        self.signal_number = 0
        self.time = 0.0
        self.is_repeat = False
        self.exit_codes = {int(signal.SIGINT): INTERRUPTED, int(signal.SIGTERM): 143}
        if hasattr(signal, "SIGXCPU"):
            self.exit_codes[int(signal.SIGXCPU)] = BUDGET_USED_UP

    def interrupt(self, number: int, _frame: FrameType | None) -> None:
        from time import monotonic

        now = monotonic()
        if (
            number == self.signal_number
            and now - self.time < SAME_SIGNAL_SECONDS
            and not self.is_repeat
        ):
            return
        self.signal_number, self.time, self.is_repeat = number, now, False
        raise KeyboardInterrupt

    def exit_at_once(self, number: int | None = None, _frame: FrameType | None = None) -> None:
        """End at once, with code 2 if the command has reported an error."""
        from sevenout.budgets.supervision import status

        os._exit(
            2
            if status.has_reported_error
            else self.exit_codes.get(number or self.signal_number, INTERRUPTED)
        )

    def resend_dropped(self, dropped: Any) -> None:
        """Send a dropped signal again."""
        if dropped.exc_type is not KeyboardInterrupt or not self.signal_number:
            sys.__unraisablehook__(dropped)
            return
        import threading

        later = threading.Timer(RESEND_DELAY, self._send_again)
        # A timer that still waits must not keep the process alive.
        later.daemon = True
        later.start()

    def _send_again(self) -> None:
        self.is_repeat = True
        if os.name == "posix":
            os.kill(os.getpid(), self.signal_number)  # wakes a waiting main thread
        else:
            import _thread

            _thread.interrupt_main()


def _has_default_handler(number: int) -> bool:
    """Whether a signal has Python's default handler."""
    import signal

    return signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL)


if __name__ == "__main__":
    run()
