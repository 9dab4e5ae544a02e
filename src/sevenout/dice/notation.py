"""Dice as text, both ways: `2d6`, `d4+d6`, `d6{1,2,2,3,3,4}`, `d6{1,2,3,4,5,6:2}`.

Grammar::

    dice  =  group *( "+" group )
    group =  [ count ] "d" sides [ "{" face *( "," face ) "}" ]
    face  =  ( number | label ) [ ":" weight ]
"""

import re
from collections.abc import Hashable
from itertools import groupby

from sevenout.dice.dice import Dice
from sevenout.dice.die import Die
from sevenout.errors import NotationError

_GROUP = re.compile(r"(\d{0,9})d(\d{1,9})(?:\{([^{}]*)\})?")
_LABEL = re.compile(r"[^\s,:{}+]+")
MAX_SIDES, MAX_DICE = 10_000, 1_000


def parse_dice(text: str) -> Dice:
    """The dice that a text describes.

    >>> str(parse_dice("d6 + d4 + d4")), len(parse_dice("3d6"))
    ('d6+2d4', 3)

    Raises:
        NotationError: the text is not dice; the message says what would be.
    """
    dice: list[Die] = []
    for group in text.replace(" ", "").split("+"):
        match = _GROUP.fullmatch(group)
        if not match:
            raise NotationError(
                f"{group!r} in {text!r} is not dice; write 2d6, d4+d6 or d6{{1,2,2,3,3,4}}"
            )
        count, sides = int(match[1] or 1), int(match[2])
        if not 1 <= count <= MAX_DICE - len(dice):
            raise NotationError(f"{count} dice in {text!r}; a roll has from 1 to {MAX_DICE:,} dice")
        if not 1 <= sides <= MAX_SIDES:
            raise NotationError(f"{sides} sides in {text!r}; a die has from 1 to {MAX_SIDES:,}")
        die = Die.standard(sides) if match[3] is None else _painted(match[3], sides, text)
        dice += [die] * count
    return Dice(dice)


def parse_die(text: str) -> Die:
    """The one die that a text describes.

    >>> parse_die("d3{H,T,-:2}").weights
    (1, 1, 2)
    """
    dice = parse_dice(text).dice
    if len(dice) != 1:
        raise NotationError(f"{text!r} is {len(dice)} dice; give one, such as d6")
    return dice[0]


def _painted(faces: str, sides: int, text: str) -> Die:
    pairs = [face.partition(":") for face in faces.split(",")]
    if len(pairs) != sides:
        raise NotationError(f"{len(pairs)} faces for a d{sides} in {text!r}; list all {sides}")
    for face, colon, weight in pairs:
        if not _LABEL.fullmatch(face):
            raise NotationError(f"the face {face!r} in {text!r} is not a number or a label")
        if colon and not re.fullmatch(r"[1-9]\d{0,999}", weight):
            raise NotationError(
                f"the weight {weight!r} in {text!r} is not a whole number from 1 up"
            )
    return Die([_face(f) for f, _, _ in pairs], [int(w or 1) for _, _, w in pairs])


def _face(text: str) -> Hashable:
    return int(text) if re.fullmatch(r"-?\d{1,999}", text) else text


def die_name(die: Die) -> str:
    """The text of one die.

    >>> die_name(Die([1, 2, 2])), die_name(Die.standard(6))
    ('d3{1,2,2}', 'd6')
    """
    n = len(die.faces)
    if die == Die.standard(n):
        return f"d{n}"
    shown = (f if w == 1 else f"{f}:{w}" for f, w in zip(die.faces, die.weights, strict=True))
    return f"d{n}{{{','.join(map(str, shown))}}}"


def dice_name(dice: Dice) -> str:
    """The text of several dice; `parse_dice` reads it back.

    >>> dice_name(parse_dice("2d6"))
    '2d6'
    """
    counted = ((name, len(list(run))) for name, run in groupby(map(die_name, dice.dice)))
    return "+".join(name if n == 1 else f"{n}{name}" for name, n in counted)
