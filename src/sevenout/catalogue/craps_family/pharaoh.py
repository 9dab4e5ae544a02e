"""Pharaoh craps: two eight-sided dice."""

from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.numerals import Number
from sevenout.rolling import parse_dice
from sevenout.rules import PayTable, PointGame


def pharaoh(natural: Number = 1, point: Number = 1) -> PointGame:
    """Craps with two eight-sided dice: on the come-out 9 and 15 win and 2, 3 and 16 lose; any other
    total is the point, which must come again before a 9. What a natural pays and what a point pays
    depend on the table.
    """
    line = PayTable(natural=natural, point=point)
    return PointGame([9, 15], [2, 3, 16], 9, bets={"pass": line}, dice=parse_dice("2d8"))


entry = partial(Entry, family="Pharaoh craps", source=WIZARD)

# fmt: off
ENTRIES = [
    entry("pharaoh-pass", "Pharaoh craps, pass, naturals pay 1, points pay 1",
          pharaoh, edge="2721/40040"),
    entry("pharaoh-pass-points-6-5", "Pharaoh craps, pass, naturals pay 1, points pay 6/5",
          pharaoh, {"point": "6/5"}, edge="437/72800"),
    entry("pharaoh-pass-naturals-3-2", "Pharaoh craps, pass, naturals pay 3/2, points pay 1",
          pharaoh, {"natural": "3/2"}),
]
# fmt: on
