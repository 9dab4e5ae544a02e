"""`python -m sevenout` is `sevenout`: the program, as the system starts it and stops it.

Ctrl-C means "leave", at any moment, with exit code 130 and no traceback. Until a command runs there
is nothing to put away, and the process ends where it is; when it has run, Ctrl-C comes too late. In
between it is Python's KeyboardInterrupt, so that a command can show what it has and leave no half
of a file. Some packages turn that into an error of their own if it comes while they load: an error
that ends a command which was interrupted is taken for the interruption. Where Python runs a
callback, of a weak reference or a finalizer, it drops every exception: an interrupt that fell
there comes again a moment later. And Python itself, where an interrupt has passed through an `exec`
(of a dataclass, say), dies of the signal in the end, whoever caught it; so after one the process
ends here.
"""

import os
import sys
from types import FrameType
from typing import Any

INTERRUPTED = 130
AGAIN = 0.01
"""Seconds until an interrupt that Python has dropped comes again."""


def run() -> None:
    """Run a command with the words of the command line, and exit."""
    pressed = False

    def press(_signal: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    try:
        import signal

        heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # nohup: it is not
        if heard:
            signal.signal(signal.SIGINT, _leave)
        import sevenout.cli.app  # noqa: F401  this takes a while
        from sevenout.cli import main

        if heard:
            sys.unraisablehook = _dropped
            signal.signal(signal.SIGINT, press)
        code = main()
        if heard:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        if pressed:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            os._exit(code)
    except KeyboardInterrupt:
        _leave()
    except Exception:
        if pressed:
            _leave()
        raise
    sys.exit(code)


def _dropped(dropped: Any) -> None:
    if dropped.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(dropped)
        return
    import threading

    again = threading.Timer(AGAIN, _press)
    again.daemon = True
    again.start()


def _press() -> None:
    import signal

    if os.name == "posix":
        os.kill(os.getpid(), signal.SIGINT)  # wakes a main thread that waits
    else:
        import _thread

        _thread.interrupt_main()


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
