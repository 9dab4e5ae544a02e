"""Logs of rolls, played through the rules of any game.

A log is text with one roll per line: faces with commas (`3,4`), or a reading such as the total
(`7`). Empty lines and text after `#` are ignored. A first line without digits is a heading.
"""

import os
import re
from collections.abc import Hashable, Iterable, Iterator
from os import PathLike
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError, SevenoutError, printable
from sevenout.files import named, opened, read_lines
from sevenout.model import state_name
from sevenout.rolling.throw import Faces, parse_throw
from sevenout.rules import Game
from sevenout.rules.position import Position
from sevenout.simulation.replay import Played, Rolled
from sevenout.wrong_arguments import public

BYTE = 1.1e-6
"""Seconds to play a byte of a log."""


class LogError(SevenoutError):
    """A line of a log that is not a roll of the game."""


@public
def read_log(path: str | PathLike[str]) -> Iterator[Faces]:
    r"""The rolls of a file.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "rolls.txt")
    ...     _ = path.write_text("3 4\n6 6\n")
    ...     [*read_log(path)]
    [(3, 4), (6, 6)]

    Raises:
        FileError: the file can't be read.
    """
    with opened(path) as file:  # to refuse an unreadable file at once, not at the first roll
        size = os.fstat(file.fileno()).st_size
    afford(
        f"{named(path)}, {size / 1e6:,.0f} MB of rolls,",
        seconds=BYTE * size,
        instead="give it in parts, or to `sevenout test log`",
    )
    return parse_log(read_lines(path), named(path))


class Logged(tuple[Hashable, ...]):
    """The faces of a roll, with the file and the line (`place`)."""

    place: str


@public
def parse_log(lines: Iterable[str], file: str = "") -> Iterator[Faces]:
    """The rolls of these lines.

    >>> list(parse_log(["red,white", "3,4", "", "6, 6  # boxcars"]))
    [(3, 4), (6, 6)]

    Args:
        lines: the text.
        file: its name, for the errors of `follow`.
    """
    for i, line in enumerate(lines):
        text = line.partition("#")[0].strip()
        if text and (i or re.search(r"\d", text)):
            faces = Logged(parse_throw(text))
            faces.place = f"{file}, line {i + 1}" if file else f"line {i + 1}"
            yield faces


@public
def follow(game: Game, log: Iterable[Any]) -> Iterator[Played]:
    """The successive games of a log's rolls, without an unfinished last one.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> [game.outcome.label for game in follow(craps, [(3, 4), (1, 3), (5, 5), (2, 2), (6, 6)])]
    ['natural', 'point', 'craps']

    Args:
        game: the rules.
        log: for each roll its faces, a `Roll`, or a reading such as the total; also
            `read_rolls(file, "2d6")`.

    Raises:
        LogError: an impossible roll; the message has its number.
    """
    position, number = Position(game), 0
    for i, faces in enumerate(log, start=1):
        try:
            outcome = position.roll(faces)
        except NotationError:
            words = ",".join(map(str, faces)) if isinstance(faces, tuple) else str(faces)
            said = printable(words, 60)
            where = state_name(position.state)
            at = f"{faces.place}: " if isinstance(faces, Logged) else ""
            raise LogError(f"{at}roll {i} is {said}, which can't be rolled at {where}") from None
        if outcome:
            rolls = tuple(Rolled(event.state, event.roll) for event in position.history)
            yield Played(number, rolls, outcome, position.counts)
            position, number = Position(game), number + 1
