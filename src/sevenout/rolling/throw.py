"""One throw: the faces drawn, and how they are read."""

import re
from collections.abc import Hashable
from functools import lru_cache
from math import prod
from random import Random
from typing import Any

from sevenout.errors import NotationError, printable, shown
from sevenout.rolling.die import Dice, Die, Roll
from sevenout.rolling.distribution import group_by_key
from sevenout.rolling.laws import Reading, Rollable

Faces = tuple[Hashable, ...]


def throw(rollable: Rollable, random: Random) -> Faces:
    """A face of each source, drawn by weight.

    >>> from sevenout.rolling.notation import parse_dice
    >>> throw(parse_dice("2d6").totals, Random(1))
    (2, 5)
    """
    faces = []
    for source in rollable.sources:
        # a whole number, so that each face has its exact probability
        ticket = random.randrange(sum(source.weights))
        for face, weight in zip(source.faces, source.weights, strict=True):
            ticket -= weight
            if ticket < 0:
                faces.append(face)
                break
    return tuple(faces)


def see(rollable: Rollable, thrown: Any) -> Any:
    """What a game sees of a throw: a `Roll`, or the reading of it.

    >>> from sevenout.rolling.notation import parse_dice
    >>> totals = parse_dice("2d6").totals
    >>> see(totals, (3, 4)), see(totals, 7), see(parse_dice("2d6").ways, 7)
    (7, 7, (7, False))

    Raises:
        NotationError: it can't be rolled.
    """
    seen = _reading_of(rollable, thrown.faces if isinstance(thrown, Roll) else thrown)
    if seen is _IMPOSSIBLE:
        raise NotationError(
            f"{_throw_text(thrown)} is not a roll of {rolled_name(rollable)}; "
            f"{_advice(rollable, thrown)}"
        )
    return seen


def _throw_text(thrown: Any) -> str:
    faces = thrown.faces if isinstance(thrown, Roll) else thrown
    return printable(",".join(map(str, faces)), 60) if isinstance(faces, tuple) else shown(faces)


def _advice(rollable: Rollable, thrown: Any) -> str:
    """What can be rolled in place of an impossible throw."""
    sources = rollable.sources
    if isinstance(thrown, tuple) and len(thrown) == len(sources) > 1:
        for face, source in zip(thrown, sources, strict=True):
            if face not in source.faces:
                return f"there is no face {shown(face, 20)} on {source}"
    faces = [source.faces[0] for source in sources]
    if len(faces) == 1:
        few = [printable(str(face), 20) for face in sources[0].faces[:6]]
        return f"there are: {', '.join(few)}{', ...' if len(sources[0].faces) > 6 else ''}"
    example = " ".join(printable(str(face), 20) for face in faces[:10])
    return f"give {len(faces)} faces, such as {example!r}"


def parse_throw(text: str) -> Faces:
    """The faces (or the total) in a text: `3,4`, `3 4`, `7`, `heads`.

    >>> parse_throw("3 4"), parse_throw("7")
    ((3, 4), (7,))
    """
    words = text.replace(",", " ").split()
    return tuple(int(word) if re.fullmatch(r"-?\d{1,99}", word) else word for word in words)


def rolled_name(rollable: Rollable) -> str:
    """What is rolled, in words.

    >>> from sevenout.rolling.notation import parse_dice
    >>> rolled_name(parse_dice("2d6").totals)
    '2d6'
    """
    while isinstance(rollable, Reading):
        rollable = rollable.source
    return str(rollable) if isinstance(rollable, Dice | Die) else "what the game rolls"


MAX_LISTED_ROLLS = 10_000
"""Dice with more rolls than this can't be thrown by total, unless the total is all that is read."""
_IMPOSSIBLE: Any = object()
"""The reading of an impossible throw."""


def _reading_of(rollable: Rollable, faces: Any) -> Any:
    """What a game sees of these faces or of this total; `_IMPOSSIBLE` if it can't be rolled."""
    if isinstance(rollable, Dice):
        if not isinstance(faces, tuple) or len(faces) != len(rollable):
            return _IMPOSSIBLE
        fits = all(face in die.faces for face, die in zip(faces, rollable.dice, strict=True))
        return rollable.roll(faces) if fits else _IMPOSSIBLE
    # a typed 7 is a face of one die, or the total of several
    single = isinstance(faces, tuple) and len(faces) == 1
    outcome = faces[0] if single else faces
    if isinstance(rollable, Reading) and isinstance(faces, tuple):
        seen = _reading_of(rollable.source, faces)
        if seen is not _IMPOSSIBLE:
            return rollable.function(seen)
    try:
        if outcome in rollable.law:
            return outcome
        seen = _reading_of_total(rollable, outcome)
        if seen is not _IMPOSSIBLE:
            return seen
        return _reading_of_deal(rollable, faces) if single else _IMPOSSIBLE
    except TypeError:
        return _IMPOSSIBLE


def _reading_of_total(rollable: Rollable, total: Any) -> Any:
    """The reading of a total, if all its rolls read alike: 7, to a hard 8."""
    functions = []
    bottom = rollable
    while isinstance(bottom, Reading):
        functions.append(bottom.function)
        bottom = bottom.source
    if not functions or not isinstance(bottom, Dice) or type(total) is not int:
        return _IMPOSSIBLE
    # all rolls of this total must read alike: an 8 may be hard or easy
    seen: Any = _IMPOSSIBLE
    for roll in _rolls_by_total(bottom).get(total, ()):
        value: Any = roll
        for function in reversed(functions):
            value = function(value)
        if seen is not _IMPOSSIBLE and value != seen:
            return _IMPOSSIBLE
        seen = value
    return seen


@lru_cache(maxsize=16)
def _rolls_by_total(dice: Dice) -> dict[Any, list[Roll]]:
    """The rolls of each total; empty if there are too many."""
    if prod(len(die.faces) for die in dice.dice) > MAX_LISTED_ROLLS:
        return {}
    return group_by_key((roll.total, roll) for roll in dice.law)


def _reading_of_deal(rollable: Rollable, faces: Faces) -> Any:
    """The reading of a deal: a face of the only source that the distribution does not list."""
    sources = rollable.sources
    if len(sources) > 1 or faces[0] not in sources[0].faces:
        return _IMPOSSIBLE
    marked = [[int(face == faces[0]) for face in sources[0].faces]]
    return next(seen for seen, weight in rollable.weigh(marked).items() if weight)
