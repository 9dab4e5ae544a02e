"""High point pass: one roll to beat the point."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.table.craps_table import TOTALS, WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.rules import Game, lose, win


@dataclass(frozen=True)
class HighPoint(Game):
    """The come-out wins, is rolled again or sets a point; the next roll must be higher.

    >>> HighPoint().step(9, 9).label
    'not beaten'
    """

    dice: Any = TOTALS
    start = "come-out"

    def step(self, point: int | str, roll: int) -> Any:
        """The come-out, or the roll against the point."""
        match point, roll:
            case "come-out", 2 | 3:
                return "come-out"
            case "come-out", 11 | 12:
                return win("natural")
            case int(low), _:
                return win("beaten") if roll > low else lose("not beaten")
            case _:
                return roll


def high_point() -> HighPoint:
    """On the come-out 11 and 12 win, 2 and 3 are rolled again, and any total from 4 to 10, 7
    included, is the point. Then there is one more roll, which must beat the point: a tie loses.
    Even money.
    """
    return HighPoint()


entry = partial(Entry, family="High point pass", source=WIZARD)

# fmt: off
ENTRIES = [
    entry("high-point-pass", "High point pass, pass", high_point, edge="7/297"),
]
# fmt: on
