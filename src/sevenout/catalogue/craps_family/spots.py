"""The names of the bets at craps.

N is a point, also of crapless craps. The bets are `pass`, `pass odds`, `don't pass`, `don't pass
odds`, `come`, `come N`, `come N odds`, `don't come`, `don't come N`, `don't come N odds`. The bets
on numbers are `place N`, `buy N`, `lay N`, `big 6`, `big 8`, `hard 4`, `hard 6`, `hard 8` and
`hard 10`. Others are `small`, `tall`, `all` (with totals that have come, `small 3,5`), `hop 2-5`
and the bets on the next roll in `NEXT`. Side bets are `fire`, `repeater 6`, `place to lose 4`, ...

Odds, place, buy, lay and hard way bets may be turned off, or on at the come-out: "place 6 off",
"come 6 odds on".

At craps 4 and 10, 5 and 9, 6 and 8 are equally likely. `mirrored_numbers` is the canonical form of
a position under such a swap.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from sevenout.catalogue.craps_family.craps_bets import SMALL, TALL
from sevenout.catalogue.craps_family.craps_variants import CRAPLESS_POINTS
from sevenout.catalogue.craps_family.side_bets import is_side_bet
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rules.casino.felt import STATE_MARK, Bets, Mirrored

LINE_BETS, COME_BETS = ("pass", "don't pass"), ("come", "don't come")
DONT_BETS = ("don't pass", "don't come")
"""The bets against the shooter; no crapless table has them."""
BOXES = (*COME_BETS, "place", "buy", "lay")
"""Bets on the table's points."""
SWITCHED = ("place", "buy", "lay", "hard")
"""Bets without odds that may be turned off."""
NATURALS, CRAPS = (7, 11), (2, 3, 12)
HARD_NUMBERS = (4, 6, 8, 10)
HOPS = tuple(f"hop {low}-{high}" for low in range(1, 7) for high in range(low, 7))
BONUS: dict[str, tuple[int, ...]] = {"small": SMALL, "tall": TALL, "all": SMALL + TALL}
"""Bonus bets, with the totals that must come before a 7."""
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
"""Bets on the next total, with the profit per unit staked by total; others lose. The stake is
divided evenly among several parts.
"""


class Spot(NamedTuple):
    """The parts of a bet's name.

    Attributes:
        kind: such as "come".
        number: its number; 0 for none.
        odds: whether it is odds behind another bet.
        faces: of the dice that a hop is on; empty for other bets.
        hit_totals: of a bonus bet, those that have come.
        works: True if turned on at the come-out, False if turned off, None for the house's rule.
    """

    kind: str
    number: int = 0
    odds: bool = False
    faces: tuple[int, ...] = ()
    hit_totals: tuple[int, ...] = ()
    works: bool | None = None


@lru_cache(maxsize=10_000)
def spot(bet: str) -> Spot:
    """The parts of a bet's name.

    >>> spot("come 6 odds")
    Spot(kind='come', number=6, odds=True, faces=(), hit_totals=(), works=None)

    Raises:
        RulesError: there is no such bet.
    """
    plain, works = split_switch(bet)
    if works is not None and can_be_off(parts := spot(plain)):
        return parts._replace(works=works)
    # First, since "repeater 6" and "place to lose 4" look like bets on a number.
    if is_side_bet(bet):
        return Spot("side")
    flat = bet.removesuffix(" odds")
    odds = flat != bet
    kind, _, last = flat.rpartition(" ")
    is_numbered = last in _NUMBERS.get(kind, ())
    if flat in LINE_BETS:
        return Spot(flat, 0, odds)
    if is_numbered and kind in COME_BETS:
        return Spot(kind, int(last), odds)
    if not odds:
        if bet in NEXT or bet in BONUS or bet in ("field", *COME_BETS):
            return Spot(bet)
        if is_numbered:
            return Spot(kind, int(last))
        totals = _listed_numbers(last, ",", BONUS.get(kind, ()))
        # Two dice may show the same face, but a total is hit once.
        if totals and len(set(totals)) == len(totals):
            return Spot(kind, hit_totals=totals)
        faces = _listed_numbers(last, "-", tuple(range(1, 7))) if kind == "hop" else ()
        if len(faces) == 2:
            return Spot(kind, faces=faces)
    raise RulesError(
        f"no bet {shown(bet)} on this felt; bets are 'pass', 'come 6 odds', 'place 6', 'field', "
        "'hard 8', 'yo', ..."
    )


@lru_cache(maxsize=10_000)
def split_switch(bet: str) -> tuple[str, bool | None]:
    """The name without "on" or "off", and True for "on", False for "off", None for neither.

    >>> split_switch("place 6 off"), split_switch("come 6 odds on"), split_switch("place 6")
    (('place 6', False), ('come 6 odds', True), ('place 6', None))
    """
    plain, _, last = bet.rpartition(" ")
    return (plain, last == "on") if last in ("on", "off") else (bet, None)


def can_be_off(parts: Spot) -> bool:
    """Whether a bet may be turned off: odds, and bets that may be taken down."""
    return parts.works is None and (parts.odds or parts.kind in SWITCHED)


def standing_name(bets: Mapping[str, Any], bet: str) -> str:
    """The full name of a standing bet; its plain name if it does not stand.

    >>> standing_name({"place 6 off": 12}, "place 6"), standing_name({}, "place 6")
    ('place 6 off', 'place 6')
    """
    plain, _ = split_switch(bet)
    return next((name for name in (f"{plain} off", f"{plain} on") if name in bets), plain)


@lru_cache(maxsize=10_000)
def original_bet(bet: str) -> str:
    """The name under which a standing bet was made.

    >>> [original_bet(bet) for bet in ("come 6", "small 3,5", "fire @3 8", "place 6")]
    ['come', 'small', 'fire', 'place 6']
    """
    bet, _ = split_switch(bet)
    parts = spot(bet)
    # A come bet has got its number since, and a bonus bet its totals.
    if parts.kind in (*COME_BETS, *BONUS):
        return parts.kind
    return bet.partition(STATE_MARK)[0]


def displayed_bet(bet: str) -> str:
    """A bet as a player sees it: the totals that a bonus bet has, no state of a side bet's game.

    >>> displayed_bet("small 3,5"), displayed_bet("fire @3 8"), displayed_bet("place 6 off")
    ('small (3, 5 hit)', 'fire', 'place 6 off')
    """
    if STATE_MARK in bet:
        return original_bet(bet)
    parts = spot(bet)
    if parts.kind in BONUS and parts.hit_totals:
        return f"{parts.kind} ({', '.join(map(str, parts.hit_totals))} hit)"
    return bet


_NUMBERS = {
    **dict.fromkeys(BOXES, tuple(map(str, CRAPLESS_POINTS))),
    "big": ("6", "8"),
    "hard": tuple(map(str, HARD_NUMBERS)),
}


def _listed_numbers(text: str, separator: str, allowed: tuple[int, ...]) -> tuple[int, ...]:
    """The ascending numbers in a text; empty if one is not allowed, or out of order."""
    numbers = tuple(int(part) if part in map(str, allowed) else 0 for part in text.split(separator))
    return numbers if 0 not in numbers and list(numbers) == sorted(numbers) else ()


# --- equally likely numbers -----------------------------------------------------------------------

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
    # The 9 is in the field and the 5 is not; 2 and 12 are often paid differently.
    if kind == "field":
        return (2, 12), (5, 9)
    return _PAIRS if kind in ("hop", "side", *BONUS) else ()


@lru_cache(maxsize=100_000)
def mirrored_numbers(point: int | None, bets: Bets) -> Mirrored:
    """The canonical form of a mirrored position.

    >>> mirrored_numbers(9, (("place 8 off", 6), ("pass", 1)))[:2]
    (5, (('pass', 1), ('place 6 off', 6)))
    """
    on_number: dict[int, list[tuple[Any, ...]]] = {number: [] for number in CRAPLESS_POINTS}
    fixed: set[tuple[int, int]] = set()
    for bet, amount in bets:
        parts = spot(bet)
        # A bet that tells two numbers apart forbids their swap.
        fixed.update(told_apart(bet))
        if parts.number:
            on_number[parts.number].append((parts.kind, parts.odds, str(parts.works), amount))
    if point is not None:
        on_number[point].append(("point", False, "", 0))
    swap: dict[int, int] = {}
    for low, high in _PAIRS:
        # The number with the larger bets comes first, whichever it was.
        if on_number[low] < on_number[high] and (low, high) not in fixed:
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
