"""Dice by Gamesys: no edge, but a commission on a session's win."""

from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import TOTALS, TWO_DICE, WIZARD, BetReading
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.numerals import Number
from sevenout.rolling import Roll
from sevenout.rules import Wager

RANGES = {"low": (1, 2), "medium": (3, 4), "high": (5, 6)}


def low_medium_high(side: str = "low") -> Wager:
    """At least one die is low (1 or 2), medium (3 or 4) or high (5 or 6). Pays 4 to 5."""
    if side not in RANGES:
        raise RulesError(f"side={side!r}; bet 'low', 'medium' or 'high'")
    return Wager.one_roll(TWO_DICE.read(BetReading(_in_range, (side,))), {side: "4/5"}, bet="dice")


def _in_range(roll: Roll, side: str) -> str:
    return side if set(RANGES[side]) & set(roll.faces) else "others"


def parity(side: str = "odd") -> Wager:
    """The total is odd, or even. Pays even money."""
    if side not in ("odd", "even"):
        raise RulesError(f"side={side!r}; bet 'odd' or 'even'")
    wins = tuple(range(3 if side == "odd" else 2, 13, 2))
    return Wager.one_roll(TOTALS, {wins: 1}, bet="dice")


def range_of_totals(totals: tuple[int, ...] = (2, 3, 4, 5, 6), pays: Number = "7/5") -> Wager:
    """The total is one of these: usually 2 to 6 pays 7 to 5, and 7 pays 5 to 1."""
    return Wager.one_roll(TOTALS, {totals: pays}, bet="dice")


entry = partial(Entry, family="Gamesys Dice", bet="dice", source=WIZARD)

# fmt: off
ENTRIES = [
    entry("gamesys-dice-range", "Gamesys Dice, low/medium/high", low_medium_high),
    entry("gamesys-dice-odd-even", "Gamesys Dice, odd/even", parity, edge="0"),
    entry("gamesys-dice-total-2-6", "Gamesys Dice, total 2-6", range_of_totals),
    entry("gamesys-dice-seven", "Gamesys Dice, seven",
          range_of_totals, {"totals": (7,), "pays": 5}, edge="0"),
]
# fmt: on
