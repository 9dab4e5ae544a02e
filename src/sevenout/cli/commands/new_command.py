"""`sevenout new`: a game file to start from."""

from importlib.resources import files
from typing import Literal

from sevenout.cli.options import Output
from sevenout.cli.out import console, print_text
from sevenout.errors import FileError


def new(
    kind: Literal[
        "craps-like",
        "one-roll",
        "collect",
        "choice",
        "hold",
        "keep",
        "race",
        "points",
        "turn",
        "rules",
    ],
    /,
    *,
    output: Output | None = None,
) -> None:
    """Write a game file to start from, with a comment on each line. It works as it is.

    Parameters
    ----------
    kind
        craps-like (a point game with a side bet), one-roll (bets on the next roll), collect (totals
        to collect before a stop), choice (a bet with a surrender), hold (hold or roll, like Pig),
        keep (keep and score, like Threes), race (two players without choices), points (a bet on the
        points made before the seven-out), turn (rounds won before a number of losses), or rules
        (any other game: rules in order, each with a condition).
    output
        The file to write. An existing file is never overwritten. The default is to print it.
    """
    text = (files("sevenout.rules.gamefiles") / "starters" / f"{kind}.toml").read_text(
        encoding="utf-8"
    )
    if output is None:
        print_text(text)
        return
    from sevenout.files import named, write

    if output.exists() or output.is_symlink():
        raise FileError(f"{named(output)} already exists; give another name")
    write(output, text.replace("FILE", str(output)))
    first = next(line for line in text.splitlines() if line.startswith("#   sevenout "))
    command = first.split()[2]  # its comments begin with: best if the player chooses
    console().print(f"{output}: now try sevenout {command} {output}", soft_wrap=True)
