"""Fast Craps: two bets, at most four rolls."""

from functools import partial
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.rules import PayTable, PointGame, Together


def pass_bet() -> PointGame:
    """The first roll sets the point; an 11 wins even money, a 7 pushes, 2, 3 and 12 lose. The point
    must come again within three rolls and before a 7; it pays more the rarer it is and the sooner
    it comes.
    """
    pays = {(4, 10): [5, 4, 3], (5, 9): [4, 3, 2], (6, 8): [3, 2, 1]}
    return PointGame([11], [2, 3, 12], 7, pushes=[7], limit=3, bets={"pass": PayTable(point=pays)})


def brick_bet() -> PointGame:
    """The first roll sets the point, which must be 4, 6, 8 or 10; 7 and 11 push, the rest lose. The
    point must come the hard way within three rolls, before a 7 and before it comes the easy way; it
    pays 25 to 1.
    """
    line = PayTable(point=25)
    settles: dict[str, Any] = {"pushes": [7, 11], "limit": 3, "hard": True}
    return PointGame([], [2, 3, 5, 9, 12], 7, **settles, bets={"brick": line}, side_of=pass_bet())


def fast_craps() -> Together:
    """Pass and brick on the same rolls."""
    return Together(pass_bet(), brick_bet())


entry = partial(Entry, family="Fast Craps", source="Fast Craps, rules and analysis")

ENTRIES = [
    entry("fast-craps", "Fast Craps", fast_craps),
    entry("fast-craps-pass", "Fast Craps, pass", pass_bet),
    entry("fast-craps-brick", "Fast Craps, brick", brick_bet, bet="brick"),
]
