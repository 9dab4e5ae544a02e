"""The lines that a player types or pipes in."""

import sys
from collections.abc import Callable, Iterator

from sevenout.budgets.supervision import status
from sevenout.errors import NotationError, printable
from sevenout.files import LONGEST


def lines(quiet: bool, prompt: Callable[[], str]) -> Iterator[str]:
    prompts = not quiet and sys.stdin.isatty()
    while True:
        if prompts:
            sys.stdout.write(printable(f"{prompt()}> "))
            sys.stdout.flush()
        try:
            with status.waiting(new_step=sys.stdin.isatty()):
                line = sys.stdin.readline(LONGEST)
        except KeyboardInterrupt:  # leaving the table is not an error
            return
        if len(line) == LONGEST:
            raise NotationError(
                f"the line has more than {LONGEST:,} characters; write a shorter one"
            )
        if not line or line.strip().lower() in ("q", "quit"):
            return
        yield line.strip()
