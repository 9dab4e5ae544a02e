"""Chuck-a-luck: three dice in a birdcage."""

from functools import partial

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
from sevenout.rules import Wager


def single_number(face: int = 1, triple: Number = 3) -> Wager:
    """A face is named. Even money if one die shows it, 2 to 1 if two do, and 3 to 1 or more, as the
    table has it, if all three do.
    """
    dice = THREE_DICE.read(BetReading(matches, faces_of_dice(face)))
    return Wager.one_roll(dice, {3: triple, 2: 2, 1: 1}, bet="chuck-a-luck")


def total_field(low: tuple[int, int] = (3, 7), high: tuple[int, int] = (13, 18)) -> Wager:
    """The total lies in the low range or in the high range, ends included, for even money. Triples
    count like any other roll.
    """
    for least, most in (low, high):
        if least > most:
            raise RulesError(f"{least} to {most} is not a range; put the lower total first")
    wins = (*range(low[0], low[1] + 1), *range(high[0], high[1] + 1))
    return Wager.one_roll(THREE_DICE.totals, {wins: 1}, bet="chuck-a-luck")


def under_or_over(side: str = "under") -> Wager:
    """Under: the total is below 10. Over: it is above 11. Even money on either; triples count like
    any other roll.
    """
    ranges = {"under": range(3, 10), "over": range(12, 19)}
    if side not in ranges:
        raise RulesError(f"side={side!r}; bet 'under' or 'over'")
    return Wager.one_roll(THREE_DICE.totals, {tuple(ranges[side]): 1}, bet="chuck-a-luck")


entry = partial(Entry, family="Chuck-a-luck", bet="chuck-a-luck", source=WIZARD)

EDGES = {3: "17/216", 5: "5/72", 7: "13/216", 8: "1/18", 10: "5/108", 12: "1/27"}
"""The edge by payment for three alike."""

# fmt: off
ENTRIES = [
    *(entry(f"chuck-a-luck-1-2-{n}", f"Chuck-a-luck, single number 1:1, 2:1, {n}:1",
            single_number, {"triple": n}, edge=EDGES.get(n)) for n in range(3, 13)),
    entry("chuck-a-luck-field-5-8-13-16", "Chuck-a-luck, field 5-8 or 13-16",
          total_field, {"low": (5, 8), "high": (13, 16)}, edge="1/27"),
    entry("chuck-a-luck-field-3-7-13-18", "Chuck-a-luck, field 3-7 or 13-18",
          total_field, {"low": (3, 7), "high": (13, 18)}, edge="17/108"),
    entry("chuck-a-luck-under-10-over-11", "Chuck-a-luck, under 10 / over 11", under_or_over),
]
# fmt: on
