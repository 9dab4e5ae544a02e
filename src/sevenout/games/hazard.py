"""Hazard: the round, and the caster's turn."""

from sevenout.errors import RulesError
from sevenout.games.entry import Entry
from sevenout.rules import PointGame, Repeat

NICKS = {5: (5,), 6: (6, 12), 7: (7, 11), 8: (8, 12), 9: (9,)}


def hazard(main: int = 7) -> PointGame:
    """The caster names a main from 5 to 9 and throws two dice. The main nicks (wins); so does 12 with
    a main of 6 or 8, and 11 with a main of 7. Otherwise 2, 3, 11 and 12 are out (lose), and any other
    total is the chance: it wins if it comes again before the main. Main 7 is craps.
    """
    if main not in NICKS:
        raise RulesError(f"main={main}; the caster's main is 5, 6, 7, 8 or 9")
    nicks = NICKS[main]
    outs = [total for total in (2, 3, 11, 12) if total not in nicks]
    return PointGame(naturals=nicks, craps=outs, out=main)


def turn(main: int = 7, losses: int = 2) -> Repeat:
    """The caster plays rounds of hazard with one main until so many in a row are lost; what counts is
    the number of rounds won.
    """
    return Repeat(hazard(main), losses)


ENTRIES = [
    Entry("hazard", "Hazard", "Hazard", hazard, source="Wikipedia, Hazard (game)"),
    Entry("hazard-turn", "The caster's turn at hazard", "Hazard", turn, bet=""),
]
