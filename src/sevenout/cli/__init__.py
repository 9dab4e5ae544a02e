"""The command line: a thin face of the library."""

import os
import sys
from collections.abc import Sequence

from sevenout.errors import SevenoutError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; bad input is one line on standard error and exit code 2.

    >>> main(["odds", "nonsense"])
    2
    """
    from cyclopts import CycloptsError

    from sevenout.cli.app import app

    if None in (sys.stdin, sys.stdout, sys.stderr):  # a stream that was closed
        nowhere = open(os.devnull, "r+")  # noqa: SIM115  open as long as the program runs
        sys.stdin, sys.stdout, sys.stderr = (
            stream or nowhere for stream in (sys.stdin, sys.stdout, sys.stderr)
        )
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        result = app(
            sys.argv[1:] if arguments is None else list(arguments),
            exit_on_error=False,
            print_error=False,
            result_action="return_value",
        )
        sys.stdout.flush()
    except (SevenoutError, CycloptsError) as error:
        print(f"sevenout: {_line(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `sevenout games | head`
        sys.stderr.close()
        return 0
    except OSError as error:  # a full disk, a folder that takes no file
        print(f"sevenout: {_line(error)}", file=sys.stderr)
        return 2
    return result if isinstance(result, int) else 0


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
