"""Sic bo: bets on one roll of three dice."""

from collections.abc import Callable
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.table.craps_table import (
    THREE_DICE,
    WIZARD,
    BetReading,
    faces_of_dice,
    matches,
)
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.numerals import Number
from sevenout.rolling import Roll
from sevenout.rules import Wager


def small() -> Wager:
    """A total from 4 to 10 that is no triple, for even money. Big, 11 to 17, is its mirror."""
    return _bet("small", 1, _is_small)


def sic_bo_total(total: int = 4, pays: Number = 60) -> Wager:
    """The three dice add up to the total. What it pays depends on where it is played."""
    return Wager.one_roll(THREE_DICE.totals, {total: pays}, bet="sic bo")


def triple(face: int | None = None, pays: Number = 30) -> Wager:
    """Three dice alike: any triple, or that of one face."""
    if face is not None:
        faces_of_dice(face)
    return _bet("triple", pays, _is_triple, face)


def double(face: int = 1, pays: Number = 10) -> Wager:
    """At least two of the dice show the face; all three win no more."""
    return _bet("double", pays, _is_double, *faces_of_dice(face))


def combination(faces: tuple[int, int] = (1, 2), pays: Number = 6) -> Wager:
    """Both of two different faces show."""
    return _bet("both", pays, _shows_both, _different(faces))


def exactly(faces: tuple[int, int, int] = (1, 2, 3), pays: Number = 30) -> Wager:
    """The dice show exactly these three faces, in any order: three different ones at 30 to 1, say,
    or two of one and one of another at 50 to 1.
    """
    return _bet("these three", pays, _shows_exactly, faces_of_dice(*faces))


def three_of_four(faces: tuple[int, int, int, int] = (1, 2, 3, 4), pays: Number = 7) -> Wager:
    """The dice show three different faces out of these four."""
    return _bet("three of four", pays, _shows_three_of, _different(faces))


def _different(faces: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(faces)) < len(faces):
        raise RulesError(f"faces={','.join(map(str, faces))}; name different faces")
    return faces_of_dice(*faces)


def _is_small(roll: Roll) -> bool:
    return roll.total <= 10 and not roll.hard


def _is_triple(roll: Roll, face: int | None) -> bool:
    return roll.hard and face in (None, roll.faces[0])


def _is_double(roll: Roll, face: int) -> bool:
    return matches(roll, face) >= 2


def _shows_both(roll: Roll, faces: tuple[int, ...]) -> bool:
    return set(faces) <= set(roll.faces)


def _shows_exactly(roll: Roll, faces: tuple[int, ...]) -> bool:
    return sorted(roll.faces) == sorted(faces)


def _shows_three_of(roll: Roll, faces: tuple[int, ...]) -> bool:
    return len(set(roll.faces)) == 3 and set(roll.faces) <= set(faces)


def _named(roll: Roll, event: str, test: Callable[..., bool], *args: Any) -> str:
    return event if test(roll, *args) else "others"


def _bet(event: str, pays: Number, test: Callable[..., bool], *args: Any) -> Wager:
    dice = THREE_DICE.read(BetReading(_named, (event, test, *args)))
    return Wager.one_roll(dice, {event: pays}, bet="sic bo")


entry = partial(Entry, family="Sic bo", bet="sic bo", source=WIZARD)

# fmt: off
MACAU, CITY, AUSTRALIA = " (Macau)", " (Atlantic City)", " (Australia)"
PAID = [
    (4, 50, MACAU, None), (4, 60, CITY, "11/72"), (4, 62, AUSTRALIA, None),
    (5, 18, MACAU, "17/36"), (5, 30, CITY, "5/36"), (5, 31, AUSTRALIA, "1/9"),
    (6, 14, MACAU, "11/36"), (6, 17, CITY, None), (6, 18, AUSTRALIA, None),
    (7, 12, "", "7/72"), (8, 8, "", "1/8"), (9, 6, "", "41/216"), (9, 7, "", None),
    (10, 6, "", "1/8"),
]
"""A total, its payment, the place, and the published edge."""

ENTRIES = [
    entry("sic-bo-small-big", "Sic bo, small/big", small, edge="1/36"),
    *(entry(f"sic-bo-total-{n}-{21 - n}-{pays}-1", f"Sic bo, total {n}/{21 - n} {pays}:1{where}",
            sic_bo_total, {"total": n, "pays": pays}, edge=edge) for n, pays, where, edge in PAID),
    entry("sic-bo-triple-150-1", "Sic bo, specific triple 150:1",
          triple, {"face": 1, "pays": 150}, edge="65/216"),
    entry("sic-bo-triple-180-1", "Sic bo, specific triple 180:1", triple, {"face": 1, "pays": 180}),
    *(entry(f"sic-bo-any-triple-{n}-1", f"Sic bo, any triple {n}:1", triple, {"pays": n}, edge=edge)
      for n, edge in ((24, "11/36"), (30, "5/36"), (31, "1/9"))),
    entry("sic-bo-double-8-1", "Sic bo, specific double 8:1 (at least two)",
          double, {"pays": 8}, edge="1/3"),
    entry("sic-bo-double-10-1", "Sic bo, specific double 10:1 (at least two)",
          double, {"pays": 10}, edge="5/27"),
    entry("sic-bo-double-11-1", "Sic bo, specific double 11:1 (at least two)",
          double, {"pays": 11}),
    entry("sic-bo-two-numbers-5-1", "Sic bo, two-dice combination 5:1", combination, {"pays": 5}),
    entry("sic-bo-two-numbers-6-1", "Sic bo, two-dice combination 6:1",
          combination, {"pays": 6}, edge="1/36"),
    entry("sic-bo-three-numbers", "Sic bo, three different named numbers 30:1",
          exactly, {"faces": (1, 2, 3), "pays": 30}, edge="5/36"),
    entry("sic-bo-pair-and-one", "Sic bo, two of one and one of another (2 2 5) 50:1",
          exactly, {"faces": (2, 2, 5), "pays": 50}, edge="7/24"),
    entry("sic-bo-four-numbers", "Sic bo, four-number combination 7:1 (three distinct of four)",
          three_of_four, edge="1/9"),
]
# fmt: on
