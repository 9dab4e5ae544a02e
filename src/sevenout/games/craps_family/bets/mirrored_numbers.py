"""Mirrored positions at craps: 4 for 10, 5 for 9, 6 for 8."""

from functools import lru_cache
from typing import Any

from sevenout.games.craps_family.crapless import CRAPLESS_POINTS
from sevenout.games.craps_family.table.spots import BONUS, spot
from sevenout.rules.casino.felt import Bets, Mirrored


@lru_cache(maxsize=100_000)
def mirrored_numbers(point: int | None, bets: Bets) -> Mirrored:
    """The canonical form of a mirrored position.

    >>> mirrored_numbers(9, (("place 8 off", 6), ("pass", 1)))[:2]
    (5, (('pass', 1), ('place 6 off', 6)))
    """
    on: dict[int, list[tuple[Any, ...]]] = {number: [] for number in CRAPLESS_POINTS}
    for bet, amount in bets:
        what = spot(bet)
        if what.kind in _LOPSIDED:
            return Mirrored(point, bets)
        if what.number:
            on[what.number].append((what.kind, what.odds, str(what.works), amount))
    if point is not None:
        on[point].append(("point", False, "", 0))
    swap: dict[int, int] = {}
    for low, high in ((2, 12), (3, 11), (4, 10), (5, 9), (6, 8)):
        if on[low] < on[high]:
            swap |= {low: high, high: low}
    if not swap:
        return Mirrored(point, bets)
    names = []
    for bet, amount in bets:
        number = spot(bet).number
        if number in swap:
            names.append((bet.replace(str(number), str(swap[number])), amount))
        else:
            names.append((bet, amount))
    return Mirrored(swap.get(point or 0, point), tuple(sorted(names)), frozenset(swap))


_LOPSIDED = {"field", "hop", "over 7", "under 7", "side", *BONUS}
