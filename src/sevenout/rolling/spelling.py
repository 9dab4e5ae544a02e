"""The notation of dice, as `notation` reads it: `2d6`, `d2{blank,3^2}`, `max(d8,d6)`."""

import json
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from math import isfinite
from numbers import Rational
from typing import Any

from sevenout.errors import NotationError, printable
from sevenout.rolling.die import Die
from sevenout.rolling.notation import FUDGE, LABEL, NUMBER, READ, parse_dice
from sevenout.rolling.roll import Dice, all_alike
from sevenout.rolling.special.ranked import Face, RedIsHalf, higher_rank
from sevenout.rolling.special.sevenless import SkipFrom
from sevenout.rolling.totals.pools import KeepFaces
from sevenout.rolling.totals.terms import Term, Terms


def die_name(die: Die) -> str:
    """The notation of one die.

    >>> die_name(Die([1, 2, 2])), die_name(Die.standard(6)), die_name(Die(["a b", Fraction(1, 2)]))
    ('d3{1,2,2}', 'd6', 'd2{"a b",1/2}')
    """
    n = len(die.faces)
    if die == Die(FUDGE):
        return "dF"
    if die.faces == tuple(range(1, n + 1)) and set(die.weights) == {1}:
        return f"d{n}"
    names = list(map(_face_name, die.faces))
    if "blank" in names and not any("^" in name and '"' not in name for name in names):
        names[names.index("blank")] = "blank^0"
    pairs = zip(names, die.weights, strict=True)
    return f"d{n}{{{','.join(f if w == 1 else f'{f}:{w}' for f, w in pairs)}}}"


def _face_name(face: Any) -> str:
    if isinstance(face, Face) and all(isinstance(n, int) for n in (face.value or 0, face.rank)):
        marks = f"^{face.rank}" + (f"r{face.red}" if face.red else "")
        return (
            f"{face.value}{marks}" if face.value is not None else f"blank{marks}".removesuffix("^0")
        )
    if isinstance(face, str):
        taken = NUMBER.fullmatch(face) or face == "blank"
        bare = LABEL.fullmatch(face) and face.isprintable() and not taken
        return face if bare else json.dumps(face, ensure_ascii=not face.isprintable())
    if isinstance(face, int | Rational | float | Decimal) and isfinite(face):
        return str(Fraction(face))
    return f"<{printable(str(face), 60)}>"


def dice_name(dice: Dice) -> str:
    """The notation of several dice; `parse_dice` reads it back.

    >>> from sevenout.rolling import tatham
    >>> dice_name(parse_dice("2d6")), dice_name(tatham(2))
    ('2d6', 'd2{2^1r1,4^1r2}+d2{blank,3^2}|red2')
    """
    if isinstance(dice.total, Terms) and dice.hard is all_alike and dice.total.fits(dice.dice):
        groups = [(term, _term_names(term, few)) for term, few in dice.total.split(dice.dice)]
        if all(names for _, names in groups):
            parts = [
                f"{'-' if term.times < 0 else '+'}{name}{_times(abs(term.times))}"
                for term, names in groups
                for name in names
            ]
            plus = dice.total.plus
            parts += [f"{'+' if plus > 0 else ''}{plus}"] if plus else []
            return "".join(parts).removeprefix("+")
    reading = _reading_name(dice)
    body = "+".join(_group_names(dice.dice))
    return f"{body}|{reading}" if reading else body


def _term_names(term: Term, dice: Sequence[Die]) -> list[str]:
    """The notation of a term without its factor, as addends; none if it has no notation."""
    names = _group_names(dice)
    if not isinstance(term.read, KeepFaces) or len(names) == 1:
        return [f"{name}{term.read or ''}" for name in names]
    if term.read.count > 1:
        return []
    return [f"{'min' if term.read.lowest else 'max'}({','.join(map(die_name, dice))})"]


def _times(factor: Any) -> str:
    return "" if factor == 1 else f"*{factor}"


def _group_names(dice: Sequence[Die]) -> list[str]:
    names = {die: die_name(die) for die in set(dice)}
    runs = ((names[die], len(list(run))) for die, run in groupby(dice))
    return [name if n == 1 else f"{n}{name}" for name, n in runs]


def _reading_name(dice: Dice) -> str:
    """The suffix for how the dice are read; a function of your own has none."""
    ranked = all(isinstance(face, Face) for die in set(dice.dice) for face in die.faces)
    if (dice.total, dice.hard) == READ[ranked]:
        return ""
    if ranked and dice.total is higher_rank:
        if isinstance(dice.hard, RedIsHalf):
            return f"red{dice.hard.red.sides}"
        if dice.hard is all_alike:
            return "alike"
    if isinstance(dice.total, SkipFrom) and dice.hard is all_alike:
        return f"skip{dice.total.total}"
    own = dice.hard if dice.total is READ[ranked][0] else dice.total
    return f"<{printable(str(getattr(own, '__name__', own)), 60)}>"


def has_notation(dice: Dice) -> bool:
    """Whether the faces and the reading of the dice have a notation.

    >>> from sevenout.rolling import tatham
    >>> has_notation(tatham(6)), has_notation(Dice([Die.standard(6)], total=max))
    (True, False)
    """
    try:
        return parse_dice(dice_name(dice)) == dice
    except NotationError:
        return False
