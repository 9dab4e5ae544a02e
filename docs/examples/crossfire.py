"""Crossfire: three rolls for the point, with double or surrender."""

from fractions import Fraction
from typing import NamedTuple

import sevenout as so

EVEN, LONG = Fraction(3, 2), Fraction(16, 5)
PAYS = {4: EVEN, 5: LONG, 6: EVEN, 8: EVEN, 9: LONG, 10: EVEN}


class Choice(NamedTuple):
    """The player decides about the bet; the names of a state are those of the printed strategy."""

    point: int


class Play(NamedTuple):
    """The rolls that are left for a point, and the bet, which is 2 if it was doubled."""

    point: int
    left: int
    bet: int


class Crossfire(so.Game):
    """A natural 7 or 11 wins, 2, 3 or 12 loses.

    Any other total is the point, which must come again within three rolls and before a 7. Once the
    point is set, the player may double the bet, surrender half of it, or play on.
    """

    title = "Crossfire"
    dice = so.dice("2d6").totals
    start = "come-out"

    def choices(self, state):
        if not isinstance(state, Choice):
            return {}
        return {
            "play": Play(state.point, 3, 1),
            "double": Play(state.point, 3, 2),
            "surrender": so.settle("surrender", {"crossfire": "-1/2"}),
        }

    def step(self, state, total):
        if state == "come-out":
            if total in (7, 11):
                return so.settle("natural", {"crossfire": 1})
            if total in (2, 3, 12):
                return so.settle("craps", {"crossfire": -1})
            return Choice(total)
        point, left, stake = state
        kind = "" if stake == 1 else ", doubled"
        if total == point:
            return so.settle(f"point {point}{kind}", {"crossfire": (PAYS[point] * stake, stake)})
        if total == 7 or left == 1:
            end = "seven out" if total == 7 else "out of rolls"
            return so.settle(end + kind, {"crossfire": (-stake, stake)})
        return Play(point, left - 1, stake)
