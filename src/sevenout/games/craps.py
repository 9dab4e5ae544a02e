"""Craps: the line bets."""

from sevenout.games.entry import Entry
from sevenout.rules import Line, PointGame


def craps() -> PointGame:
    """The shooter rolls two dice. On the come-out 7 and 11 win; 2, 3 and 12 lose; any other total is
    the point. Then the point wins and a 7, the seven-out, loses. The pass line pays even money.
    """
    return PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)


def dont_pass(bar: int = 12) -> PointGame:
    """The opposite of the pass line at craps, but a come-out of `bar` returns the bet."""
    wins = tuple(total for total in (2, 3, 12) if total != bar)
    line = Line(natural=-1, craps={wins: 1, bar: 0}, point=-1, out=1)
    return PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7, bets={"don't pass": line})


ENTRIES = [
    Entry("craps", "Craps", "Craps", craps, source="J. Scarne, Scarne on Dice (1945)"),
    Entry("dont-pass", "Don't pass", "Craps", dont_pass, bet="don't pass"),
]
