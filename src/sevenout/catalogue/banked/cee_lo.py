"""Cee-lo: three dice, and the bank rolls first."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.table.craps_table import THREE_DICE, WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.rolling import Roll
from sevenout.rules import Game, lose, push, win


def hand(roll: Roll) -> int | str | None:
    """A roll as "win", "lose", a point from 2 to 5, or None.

    >>> hand(THREE_DICE.roll([4, 2, 4])), hand(THREE_DICE.roll([6, 4, 5]))
    (2, 'win')
    """
    low, middle, high = sorted(roll.faces)
    if low == high or (low, middle, high) == (4, 5, 6):
        return "win"
    if (low, middle, high) == (1, 2, 3):
        return "lose"
    if middle not in (low, high):
        return None
    single: int = high if low == middle else low
    return {6: "win", 1: "lose"}.get(single, single)


HANDS = THREE_DICE.read(hand)
"""Three dice, read by `hand`."""


@dataclass(frozen=True)
class CeeLo(Game):
    """The bank rolls; if it sets a point, the player rolls. The bet is the player's.

    >>> CeeLo().step(4, 5).label
    'higher point'
    """

    dice: Any = HANDS
    start = "bank"

    def step(self, point: int | str, roll: int | str | None) -> Any:
        """One roll; it is the bank's until there is a point."""
        match point, roll:
            case _, None:
                return point
            case "bank", "win":
                return lose("bank wins at once")
            case "bank", "lose":
                return win("bank loses at once")
            case "bank", _:
                return roll
            case _, "win":
                return win("player wins at once")
            case _, "lose":
                return lose("player loses at once")
            case int(bank), int(player):
                if player == bank:
                    return push("same point")
                return win("higher point") if player > bank else lose("lower point")


def cee_lo() -> CeeLo:
    """The bank rolls three dice until they mean something: 4-5-6, three alike, or a pair with a 6
    win at once; 1-2-3, or a pair with a 1, lose; a pair with another die makes that die the point.
    Against a point the player rolls in the same way, and then the higher point wins; the same point
    returns the bet. Even money. The edge is the bank's.
    """
    return CeeLo()


entry = partial(Entry, family="Cee-lo", source=WIZARD)

# fmt: off
ENTRIES = [
    entry("cee-lo-player", "Cee-lo, player", cee_lo),
]
# fmt: on
