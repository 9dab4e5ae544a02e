"""Mirrored positions at craps: 4 for 10, 5 for 9, 6 for 8."""

from functools import lru_cache
from typing import Any

from sevenout.catalogue.craps_family.craps_variants import CRAPLESS_POINTS
from sevenout.catalogue.craps_family.table.spots import BONUS, NEXT, spot
from sevenout.rules.casino.felt import Bets, Mirrored

_PAIRS = ((2, 12), (3, 11), (4, 10), (5, 9), (6, 8))


@lru_cache(maxsize=10_000)
def told_apart(bet: str) -> tuple[tuple[int, int], ...]:
    """The pairs of equally likely totals that a bet without a number treats differently.

    >>> told_apart("yo"), told_apart("horn"), told_apart("come")
    (((3, 11),), (), ())
    """
    kind = spot(bet).kind
    if kind in NEXT:
        return tuple(pair for pair in _PAIRS if len({NEXT[kind].get(total) for total in pair}) > 1)
    if kind == "field":  # 2 and 12 are often paid differently
        return (2, 12), (5, 9)
    return _PAIRS if kind in ("hop", "side", *BONUS) else ()


@lru_cache(maxsize=100_000)
def mirrored_numbers(point: int | None, bets: Bets) -> Mirrored:
    """The canonical form of a mirrored position.

    >>> mirrored_numbers(9, (("place 8 off", 6), ("pass", 1)))[:2]
    (5, (('pass', 1), ('place 6 off', 6)))
    """
    on: dict[int, list[tuple[Any, ...]]] = {number: [] for number in CRAPLESS_POINTS}
    kept: set[tuple[int, int]] = set()
    for bet, amount in bets:
        what = spot(bet)
        kept.update(told_apart(bet))
        if what.number:
            on[what.number].append((what.kind, what.odds, str(what.works), amount))
    if point is not None:
        on[point].append(("point", False, "", 0))
    swap: dict[int, int] = {}
    for low, high in _PAIRS:
        if on[low] < on[high] and (low, high) not in kept:
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
