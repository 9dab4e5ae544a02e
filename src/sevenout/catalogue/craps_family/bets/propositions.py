"""Craps bets on the next roll: field, seven, craps numbers, hops, horns, iron cross."""

from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import SHOWN, TOTALS, WIZARD, faces_of_dice
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.numerals import Number
from sevenout.rules import Part, Wager

Totals = int | tuple[int, ...]


def field(
    two: Number = 2, twelve: Number = 2, wins: tuple[int, ...] = (2, 3, 4, 9, 10, 11, 12)
) -> Wager:
    """The next total is one of the field, 2, 3, 4, 9, 10, 11 and 12 by default. Pays
    even money, but `two` to 1 on a 2 and `twelve` to 1 on a 12.
    """
    if not {2, 12} <= set(wins):
        raise RulesError(f"wins={wins}; 2 and 12 are always in the field")
    plain = tuple(total for total in wins if total not in (2, 12))
    pays: dict[Totals, Number] = {plain: 1} if plain else {}
    pays |= {(2, 12): two} if two == twelve else {2: two, 12: twelve}
    return Wager.one_roll(TOTALS, pays, bet="field")


def next_total(totals: Totals = 7, pays: Number = 4) -> Wager:
    """The next total is the one that is named, or one of several. Pays what the table says: 4 to 1
    on any seven and 7 to 1 on any craps (2, 3 or 12), for instance.
    """
    return Wager.one_roll(TOTALS, {totals: pays}, bet="proposition")


def low_dice() -> Wager:
    """The next total is 2 to 6. Pays even money, and 5 to 1 on a 2."""
    return Wager.one_roll(TOTALS, {2: 5, (3, 4, 5, 6): 1}, bet="low dice")


def hop(faces: tuple[int, int] = (1, 2), pays: Number | None = None) -> Wager:
    """The next roll shows exactly these two faces, in either order. Pays 15 to 1, and 30 to 1 on a
    double by default.
    """
    low, high = sorted(faces_of_dice(*faces))
    odds = pays if pays is not None else 30 if low == high else 15
    return Wager.one_roll(SHOWN, {f"{low}-{high}": odds}, bet="hop")


def horn(high: int | None = None) -> Wager:
    """One unit each on 2, 3, 11 and 12 on the next roll; a second unit on the number that is
    `high`. 2 and 12 pay 30 to 1, 3 and 11 pay 15 to 1, and the other units are lost.
    """
    if high not in (None, 2, 3, 11, 12):
        raise RulesError(f"high={high}; a horn is high on 2, 3, 11 or 12")
    units = [(number, 2 if number == high else 1) for number in (2, 3, 11, 12)]
    return Wager.of_parts(TOTALS, *(_number(number, unit) for number, unit in units), bet="horn")


def world() -> Wager:
    """World, or whirl: a horn and one unit on any seven, which pays 4 to 1. So a 7 breaks even."""
    numbers = [_number(number) for number in (2, 3, 11, 12)]
    return Wager.of_parts(TOTALS, *numbers, Part(1, {7: 4}), bet="world")


def craps_and_eleven() -> Wager:
    """C&E: half of the bet on any craps at 7 to 1, half on eleven at 15 to 1."""
    parts = Part(1, {(2, 3, 12): 7}), Part(1, {11: 15})
    return Wager.of_parts(TOTALS, *parts, bet="C&E")


def three_way() -> Wager:
    """Three-way craps: one unit each on 2, 3 and 12, at 30, 15 and 30 to 1."""
    return Wager.of_parts(TOTALS, *map(_number, (2, 3, 12)), bet="three-way")


def _number(number: int, units: int = 1) -> Part:
    return Part(units, {number: 30 if number in (2, 12) else 15})


def iron_cross() -> Wager:
    """Every total but the 7 pays: $5 on the field (12 pays 3 to 1), $5 to place the 5, $6 each to
    place the 6 and the 8. What is measured is one roll: a 7 loses the place bets, a place bet that
    is not decided is returned, and everything is per unit of the $22 on the table.
    """
    return Wager.of_parts(
        TOTALS,
        Part(5, {(3, 4, 9, 10, 11): 1, 2: 2, 12: 3}),
        Part(5, {5: "7/5", 7: -1}, rest=0),
        Part(6, {6: "7/6", 7: -1}, rest=0),
        Part(6, {8: "7/6", 7: -1}, rest=0),
        bet="iron cross",
    )


entry = partial(Entry, family="Craps", source=WIZARD)

# fmt: off
ENTRIES = [
    entry("field-2-2", "Field (2:1 on 2 and 12)", field, bet="field"),
    entry("field-2-3", "Field (2:1 on 2, 3:1 on 12)",
          field, {"twelve": 3}, bet="field", edge="1/36"),
    entry("field-3-3", "Field (3:1 on 2 and 12)", field, {"two": 3, "twelve": 3}, bet="field"),
    entry("field-1-1", "Field (no bonus, all 1:1)", field, {"two": 1, "twelve": 1}, bet="field"),
    entry("field-5-for-9", "Field (5 instead of 9, 2:1 on 2 and 12)",
          field, {"wins": (2, 3, 4, 5, 10, 11, 12)}, bet="field", edge="1/18"),
    entry("any-seven", "Any seven",
          next_total, {"totals": 7, "pays": 4}, bet="proposition", edge="1/6"),
    entry("any-craps", "Any craps",
          next_total, {"totals": (2, 3, 12), "pays": 7}, bet="proposition", edge="1/9"),
    entry("aces-2", "Aces (2)", next_total, {"totals": 2, "pays": 30}, bet="proposition"),
    entry("boxcars-12", "Boxcars (12)", next_total, {"totals": 12, "pays": 30}, bet="proposition"),
    entry("ace-deuce-3", "Ace-deuce (3)", next_total, {"totals": 3, "pays": 15}, bet="proposition"),
    entry("yo-11", "Yo (11)",
          next_total, {"totals": 11, "pays": 15}, bet="proposition", edge="1/9"),
    entry("hi-lo-2-or-12", "Hi-lo (2 or 12)",
          next_total, {"totals": (2, 12), "pays": 15}, bet="proposition", edge="1/9"),
    entry("aces-boxcars-29-1", "Aces/boxcars at 30 for 1 (29:1)",
          next_total, {"totals": 2, "pays": 29}, bet="proposition", edge="1/6"),
    entry("3-or-11-14-1", "3 or 11 at 15 for 1 (14:1)",
          next_total, {"totals": 3, "pays": 14}, bet="proposition"),
    entry("over-7", "Over 7",
          next_total, {"totals": (8, 9, 10, 11, 12), "pays": 1}, bet="proposition", edge="1/6"),
    entry("under-7", "Under 7",
          next_total, {"totals": (2, 3, 4, 5, 6), "pays": 1}, bet="proposition"),
    entry("hop-easy", "Hop easy", hop, bet="hop", edge="1/9"),
    entry("hop-hard", "Hop hard", hop, {"faces": (1, 1)}, bet="hop"),
    entry("horn", "Horn", horn, bet="horn", edge="1/8"),
    entry("horn-high-12-or-2", "Horn high 12 (or 2)", horn, {"high": 12}, bet="horn"),
    entry("horn-high-yo-or-3", "Horn high yo (or 3)", horn, {"high": 11}, bet="horn"),
    entry("world-whirl", "World / whirl", world, bet="world"),
    entry("c-e", "C&E", craps_and_eleven, bet="C&E"),
    entry("three-way-craps", "Three-way craps", three_way, bet="three-way"),
    entry("low-dice", "Low dice", low_dice, bet="low dice"),
    entry("iron-cross", "Iron Cross", iron_cross, bet="iron cross", convention="roll", edge="1/88"),
]
# fmt: on
