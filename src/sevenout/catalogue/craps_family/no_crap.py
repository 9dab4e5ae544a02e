"""No-Crap Craps (US patent 7,134,660): the rare totals share two points."""

from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import TOTALS
from sevenout.catalogue.entries import Entry
from sevenout.rules import PayTable, PointGame

PATENT = "US patent 7,134,660"


def _share(total: int) -> int | str:
    return {2: "2-3", 3: "2-3", 11: "11-12", 12: "11-12"}.get(total, total)


GROUPED = TOTALS.read(_share)
"""Two dice, with 2 and 3 read as one total, and 11 and 12."""


def no_crap() -> PointGame:
    """A come-out of 7 wins and any other total is the point. 2 and 3 together are one point, made
    by either, and so are 11 and 12. The point must come again before a 7. Pays even money.
    """
    return PointGame(naturals=[7], craps=[], out=7, dice=GROUPED)


def no_crap_dont() -> PointGame:
    """The opposite of the pass bet at No-Crap Craps; but a seven-out after the point 11-12 pays
    half. A come-out of 7 loses.
    """
    line = PayTable(natural=-1, point=-1, out={"11-12": "1/2", ("2-3", 4, 5, 6, 8, 9, 10): 1})
    return PointGame([7], [], 7, dice=GROUPED, bets={"don't pass": line})


entry = partial(Entry, family="No-Crap Craps", source=PATENT)

# fmt: off
ENTRIES = [
    entry("no-crap-pass", "No-Crap Craps, pass", no_crap),
    entry("no-crap-dont-pass", "No-Crap Craps, don't pass",
          no_crap_dont, bet="don't pass", edge="3/220"),
]
# fmt: on
