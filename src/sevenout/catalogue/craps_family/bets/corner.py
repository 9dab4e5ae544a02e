"""Craps bets on a 7 directly after the point: Muggsy's Corner and Point-7."""

from functools import partial

from sevenout.catalogue.craps_family.craps import craps
from sevenout.catalogue.craps_family.table.craps_table import WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.rules import PayTable, PointGame


def muggsys_corner() -> PointGame:
    """Two ways to win: the come-out is a 7, which pays 2 to 1; or it sets a point and the very next
    roll is a 7, which pays 3 to 1. Anything else loses.
    """
    line = PayTable(natural=2, craps=-1, point=-1, out=3, late=-1)
    return PointGame([7], [2, 3, 11, 12], 7, limit=1, bets={"corner": line}, side_of=craps())


def point_seven() -> PointGame:
    """The come-out sets a point and the very next roll is a 7, which pays 7 to 1. A come-out that
    sets no point loses.
    """
    line = PayTable(craps=-1, point=-1, out=7, late=-1)
    return PointGame([], [2, 3, 7, 11, 12], 7, limit=1, bets={"point-7": line}, side_of=craps())


entry = partial(Entry, family="Craps", source=WIZARD)

# fmt: off
ENTRIES = [
    entry("point-7-mugnolo", "Point-7 (Mugnolo)", point_seven, bet="point-7"),
    entry("muggsys-corner", "Muggsy's Corner / 7-Point-7 (2:1 and 3:1)",
          muggsys_corner, bet="corner"),
]
# fmt: on
