"""`python -m sevenout` is `sevenout`: the program, as the system starts it and stops it.

Ctrl-C means "leave", at any moment, with exit code 130 and no traceback. Until a command runs there
is nothing to put away, and the process ends where it is; when it has run, Ctrl-C comes too late. In
between it is Python's KeyboardInterrupt, so that a command can show what it has and leave no half
of a file. Some packages turn that into an error of their own if it comes while they load: an error
that ends a command which was interrupted is taken for the interruption. And Python itself, where an
interrupt has passed through an `exec` (of a dataclass, say), dies of the signal in the end, whoever
caught it; so after one the process ends here.
"""

import os
import sys
from types import FrameType

INTERRUPTED = 130


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


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
