"""The rolls of a real table, or of another program, played through the rules of any game.

A log is text: a roll a line, the faces of the dice with commas between them (`3,4`), or what is
read of them (`7`). Empty lines, and all that follows a `#`, mean nothing. A first line that has no
digit is a heading.
"""

import re
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from os import PathLike
from typing import Any

from sevenout.chain import chain_of, state_name
from sevenout.dice import Dice, Reading, Rollable
from sevenout.errors import SevenoutError, printable, shown
from sevenout.files import read_text
from sevenout.rules import Flat, Game, Settled
from sevenout.rules.game import reach
from sevenout.simulate.replay import Played, Rolled

Faces = tuple[Hashable, ...]


class LogError(SevenoutError):
    """A line of a log that is no roll of the game."""


def read_log(path: str | PathLike[str]) -> Iterator[Faces]:
    """The rolls of a file.

    Raises:
        FileError: the file can't be read.
    """
    return parse_log(read_text(path).split("\n"))


def parse_log(lines: Iterable[str]) -> Iterator[Faces]:
    """The rolls of some lines.

    >>> list(parse_log(["red,white", "3,4", "", "6, 6  # boxcars"]))
    [(3, 4), (6, 6)]
    """
    for i, line in enumerate(lines):
        text = line.partition("#")[0].strip()
        if text and (i or re.search(r"\d", text)):
            yield tuple(_face(part.strip()) for part in text.split(","))


def follow(game: Game, log: Iterable[Faces]) -> Iterator[Played]:
    """The games that a log's rolls make, one after another.

    A game that the log leaves unfinished is not given out.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> [game.outcome.label for game in follow(craps, [(3, 4), (1, 3), (5, 5), (2, 2), (6, 6)])]
    ['natural', 'point', 'craps']

    Args:
        game: the rules.
        log: the faces of each roll, or what is read of them.

    Raises:
        LogError: something that can't be rolled where it is; the message has its number.
    """
    chain = chain_of(game)
    game = game if chain.states[0] == game.start else Flat(game)
    state, number = game.start, 0
    past: list[Rolled] = []
    counts: dict[str, int | Fraction] = {}
    for i, faces in enumerate(log, start=1):
        rollable = game.rolls(state)
        assert isinstance(rollable, Rollable)
        roll = _read(rollable, faces)
        if roll is _NOTHING:
            said = printable(",".join(map(str, faces)), 60)
            raise LogError(f"roll {i} is {said}, which can't be rolled at {state_name(state)}")
        past.append(Rolled(state, roll))
        state, counted = reach(game, state, roll)
        for name, n in counted:
            counts[name] = counts.get(name, 0) + n
        if isinstance(state, Settled):
            yield Played(number, tuple(past), state, tuple(counts.items()))
            state, number = game.start, number + 1
            past.clear()
            counts.clear()


def read_roll(rollable: Rollable, text: str) -> Any:
    """The roll that a line says: faces, or what is read of them.

    >>> from sevenout.dice import parse_dice
    >>> read_roll(parse_dice("2d6").totals, "3 4"), read_roll(parse_dice("2d6").totals, "7")
    (7, 7)

    Raises:
        LogError: it can't be rolled.
    """
    roll = _read(rollable, tuple(_face(word) for word in text.replace(",", " ").split()))
    if roll is _NOTHING:
        raise LogError(f"{shown(text)} can't be rolled here")
    return roll


_NOTHING = object()
"""What can't be rolled."""


def _read(rollable: Rollable, faces: Faces) -> Any:
    """What a game sees of the faces, or the faces themselves where they are an outcome."""
    if isinstance(rollable, Dice):
        known = len(faces) == len(rollable) and all(
            face in die.faces for face, die in zip(faces, rollable.dice, strict=True)
        )
        return rollable.roll(faces) if known else _NOTHING
    outcome = faces[0] if len(faces) == 1 else faces
    if outcome in rollable.law:
        return outcome
    if isinstance(rollable, Reading):
        seen = _read(rollable.source, faces)
        return _NOTHING if seen is _NOTHING else rollable.function(seen)
    return _NOTHING


def _face(text: str) -> Hashable:
    return int(text) if re.fullmatch(r"-?\d{1,99}", text) else text
