"""The bets of the felt of craps, by name.

The bets by name, N a point: "pass", "pass odds", "don't pass", "don't pass odds", "come", "come N",
"come N odds", "don't come", "don't come N", "don't come N odds", "place N", "buy N", "lay N",
"big 6", "big 8", "hard 4", "hard 6", "hard 8", "hard 10", "small", "tall", "all" (once some of
their totals have come: "small 3,5"), "hop 2-5", for the next roll alone those of `NEXT`, and those
of `games.side`: "fire", "repeater 6", "place to lose 4", ...
"""

from functools import lru_cache
from typing import NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.games.craps_family.craps_table import POINTS
from sevenout.games.craps_family.side import is_side
from sevenout.numerals import Number, exact
from sevenout.rules.casino.ongoing import IN

NATURALS, CRAPS = (7, 11), (2, 3, 12)
HARD = {4: 7, 6: 9, 8: 9, 10: 7}
BONUS: dict[str, tuple[int, ...]] = {"small": (2, 3, 4, 5, 6), "tall": (8, 9, 10, 11, 12)}
BONUS["all"] = BONUS["small"] + BONUS["tall"]
_WINS: dict[str, list[tuple[tuple[int, ...], Number]]] = {
    "any 7": [((7,), 4)],
    "any craps": [(CRAPS, 7)],
    "aces": [((2,), 30)],
    "ace-deuce": [((3,), 15)],
    "yo": [((11,), 15)],
    "boxcars": [((12,), 30)],
    "hi-lo": [((2, 12), 15)],
    "over 7": [((8, 9, 10, 11, 12), 1)],
    "under 7": [((2, 3, 4, 5, 6), 1)],
    "horn": [((2, 12), "27/4"), ((3, 11), 3)],
    "world": [((2, 12), "26/5"), ((3, 11), "11/5"), ((7,), 0)],
    "C&E": [(CRAPS, 3), ((11,), 7)],
    "three-way": [((2, 12), "28/3"), ((3,), "13/3")],
}
NEXT = {
    name: {total: exact(pays) for totals, pays in wins for total in totals}
    for name, wins in _WINS.items()
}
"""The bets on the next total: what each wins, per unit staked; other totals lose. A bet of several
parts is divided evenly among them."""


class Spot(NamedTuple):
    """A bet by its parts.

    Attributes:
        kind: such as "come".
        number: that it is on; 0 for none.
        odds: whether it is the odds behind another.
        seen: the totals of a bonus bet that have come, or the faces of a hop.
    """

    kind: str
    number: int = 0
    odds: bool = False
    seen: tuple[int, ...] = ()


@lru_cache(maxsize=10_000)
def spot(bet: str) -> Spot:
    """A bet by its name.

    >>> spot("come 6 odds")
    Spot(kind='come', number=6, odds=True, seen=())

    Raises:
        RulesError: there is no such bet.
    """
    if is_side(bet):
        return Spot("side")
    line = bet.removesuffix(" odds")
    odds = line != bet
    kind, _, rest = line.rpartition(" ")
    numbered = rest in _NUMBERS.get(kind, ())
    if line in ("pass", "don't pass") or (numbered and kind in ("come", "don't come")):
        return Spot(kind, int(rest), odds) if numbered else Spot(line, 0, odds)
    if not odds:
        if bet in NEXT or bet in BONUS or bet in ("field", "come", "don't come"):
            return Spot(bet)
        if numbered:
            return Spot(kind, int(rest))
        if kind in BONUS and (seen := _some(rest, ",", BONUS[kind])):
            return Spot(kind, 0, False, seen)
        if kind == "hop" and (faces := _some(rest, "-", tuple(range(1, 7)))) and len(faces) == 2:
            return Spot(kind, 0, False, faces)
    raise RulesError(
        f"no bet {shown(bet)} on this felt; bets are 'pass', 'come 6 odds', 'place 6', 'field', "
        "'hard 8', 'yo', ..."
    )


def made_as(bet: str) -> str:
    """The name under which a bet was made that has come so far.

    >>> made_as("come 6"), made_as("small 3,5"), made_as("fire @3 8"), made_as("place 6")
    ('come', 'small', 'fire', 'place 6')
    """
    what = spot(bet)
    moved = what.seen and what.kind in BONUS
    if what.kind in ("come", "don't come") or moved:
        return what.kind
    return bet.partition(IN)[0]


_NUMBERS = {
    **dict.fromkeys(("come", "don't come", "place", "buy", "lay"), tuple(map(str, POINTS))),
    "big": ("6", "8"),
    "hard": tuple(map(str, HARD)),
}


def _some(text: str, between: str, known: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers in ascending order out of those that are known; none if they are others."""
    given = tuple(int(part) if part in map(str, known) else 0 for part in text.split(between))
    return given if 0 not in given and list(given) == sorted(given) else ()
