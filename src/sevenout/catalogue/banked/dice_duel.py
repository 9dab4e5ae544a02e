"""Dice duel: a red die against a blue one."""

from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import (
    TWO_DICE,
    WIZARD,
    BetReading,
    faces_of_dice,
    matches,
)
from sevenout.catalogue.entries import Entry
from sevenout.rolling import Roll
from sevenout.rules import Wager


def red_higher() -> Wager:
    """The red die beats the blue one, for even money. Two alike return the bet, but 1-1 loses."""
    return Wager.one_roll(
        TWO_DICE.read(_duel), {"red higher": 1, ("tie", "6-6"): 0}, bet="dice duel"
    )


def tie() -> Wager:
    """The two dice are alike. Pays 4 to 1, and 8 to 1 on 6-6."""
    pays = {("tie", "1-1"): 4, "6-6": 8}
    return Wager.one_roll(TWO_DICE.read(_duel), pays, bet="dice duel")


def specific_number(face: int = 1) -> Wager:
    """A face is named. Pays 2 to 1 if one die shows it, 4 to 1 if both do."""
    return Wager.one_roll(
        TWO_DICE.read(BetReading(matches, faces_of_dice(face))), {1: 2, 2: 4}, bet="dice duel"
    )


def _duel(roll: Roll) -> str:
    red, blue = roll.faces
    if red == blue:
        return {1: "1-1", 6: "6-6"}.get(red, "tie")
    return "red higher" if red > blue else "blue higher"


entry = partial(Entry, family="Dice duel", bet="dice duel", source=WIZARD)

# fmt: off
ENTRIES = [
    entry("dice-duel-red-higher", "Dice duel, red higher", red_higher),
    entry("dice-duel-tie", "Dice duel, tie", tie, edge="1/18"),
    entry("dice-duel-number", "Dice duel, specific number", specific_number),
]
# fmt: on
