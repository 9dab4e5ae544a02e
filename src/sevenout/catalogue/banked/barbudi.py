"""Barbudi (barbooth, barbut): equally many rolls win and lose."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.table.craps_table import SCARNE, SHOWN, WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.numerals import Number, exact
from sevenout.rules import Game, Wager, lose, win

WINS = ("3-3", "5-5", "5-6", "6-6")
LOSSES = ("1-1", "1-2", "2-2", "4-4")


@dataclass(frozen=True)
class Barbudi(Game):
    """The dice pass between two players until a roll decides for or against the player who rolled.

    >>> Barbudi().step("fader", "6-6").label
    'fader wins'

    Args:
        charge: the house's share of a win.
    """

    charge: Number = 0
    dice: Any = SHOWN
    start: str = "shooter"

    def step(self, roller: str, roll: str) -> Any:
        """One roll, by the shooter or the fader."""
        other = "fader" if roller == "shooter" else "shooter"
        if roll not in WINS and roll not in LOSSES:
            return other
        winner = roller if roll in WINS else other
        pays: Fraction = 1 - exact(self.charge)
        return win("shooter wins", pays) if winner == "shooter" else lose("fader wins")


def barbudi(charge: Number = 0) -> Barbudi:
    """Shooter and fader roll two dice in turn, the shooter first. 3-3, 5-5, 6-6 and 5-6 win for
    the player who rolls them, 1-1, 2-2, 4-4 and 1-2 lose; with any other roll the dice are passed.
    Even money between players; a house takes a charge from the winnings. The bet is the shooter's.
    """
    if not 0 <= exact(charge) <= 1:
        raise RulesError(f"charge={charge}; the house takes a share from 0 to 1, such as 1/20")
    return Barbudi(exact(charge))


def barbut(side: str = "front") -> Wager:
    """Barbut as at the Holland Casino: the dice are rolled until a roll decides. Front wins with
    3-3, 5-5, 6-6 and 5-6 and loses with 1-1, 2-2, 4-4 and 1-2; back is the opposite. Even money,
    but 6-6 pays front, and 1-1 pays back, only 1 to 2.
    """
    if side not in ("front", "back"):
        raise RulesError(f"side={side!r}; bet 'front' or 'back'")
    wins, losses, half = (WINS, LOSSES, "6-6") if side == "front" else (LOSSES, WINS, "1-1")
    whole = tuple(roll for roll in wins if roll != half)
    return Wager(SHOWN, {whole: 1, half: "1/2", losses: -1}, bet="barbut")


entry = partial(Entry, family="Barbudi", source=SCARNE)

# fmt: off
ENTRIES = [
    entry("barbudi", "Barbudi, shooter vs fader, even money", barbudi),
    entry("barbudi-5-charge", "Barbudi, with 5% charge on winnings",
          barbudi, {"charge": "1/20"}, edge="1/40"),
    entry("barbut", "Barbut, front or back", barbut, family="Barbut", bet="barbut", source=WIZARD),
]
# fmt: on
