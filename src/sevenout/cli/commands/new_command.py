"""`sevenout new`: a game file to start from."""

from importlib.resources import files
from typing import Literal

from sevenout.cli.options import Output
from sevenout.cli.out import console, print_text
from sevenout.errors import FileError


def new(
    kind: Literal[
        "craps-like", "one-roll", "collect", "choice", "hold", "keep", "race", "points", "turn"
    ],
    /,
    *,
    output: Output | None = None,
) -> None:
    """Write a game file to start from, with a comment on each line; it runs as it is.

    Parameters
    ----------
    kind
        craps-like (a point game and a side bet), one-roll (bets on the next roll), collect (rolls
        to be collected before a stop), choice (a bet that may be given up on the way), hold (hold
        or roll, like Pig), keep (keep and score, like Threes), race (two players, nothing to
        decide), points (a bet on the points made before the seven-out), or turn (rounds won until
        so many are lost).
    output
        The file; one that is there already is never overwritten. Printed if not given.
    """
    text = (files("sevenout.rules.gamefiles") / "starters" / f"{kind}.toml").read_text(
        encoding="utf-8"
    )
    if output is None:
        print_text(text)
        return
    from sevenout.files import named, write

    if output.exists() or output.is_symlink():
        raise FileError(f"{named(output)} is there already; give another name")
    write(output, text.replace("FILE", str(output)))
    first = next(line for line in text.splitlines() if line.startswith("#   sevenout "))
    command = first.split()[2]  # what its comments begin with: best where the player chooses
    console().print(f"{output}: now try sevenout {command} {output}", soft_wrap=True)
