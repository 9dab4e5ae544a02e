"""The variants with a win probability in an interval."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import sub
from typing import Literal

from sevenout.errors import RulesError, shown
from sevenout.extras import has
from sevenout.numerals import Number, exact
from sevenout.variants.counting.bundle import Bundle, Slot, bundles
from sevenout.variants.counting.dense import Dense
from sevenout.variants.counting.equal_probability import sought, ways_to_make
from sevenout.variants.counting.interval import pick
from sevenout.variants.counting.nearest_sum import limit
from sevenout.variants.counting.residues import Halves, halve
from sevenout.variants.counting.sparse import Sparse, expected_sums
from sevenout.variants.family import Family, TooManyVariantsError, family_of
from sevenout.variants.search_cost import FEW_SUMS, HEAVY, LIGHT
from sevenout.variants.variant import DiceLike, Variant
from sevenout.wrong_arguments import public

Ends = Literal["both", "neither", "low", "high"]

FEW_PAIRS = 2_000
"""The most pairs of half-sums that are completed individually."""

FEW_TOKENS = 11
"""The most totals that are enumerated."""


def count(
    family: Family | DiceLike, low: Fraction | str, high: Fraction | str, *, ends: Ends = "both"
) -> int:
    """The exact number of variants from `low` to `high`.

    >>> count(Family("2d6"), "244/495", "1/2", ends="neither")
    21529

    Args:
        family: the family, or dice for all their variants.
        low: an exact win probability.
        high: another, not smaller.
        ends: the ends included: "both", "neither", "low" or "high".

    Raises:
        RulesError: a float, a number outside 0 to 1, ends out of order, or an unknown word.
        TooManyVariantsError: the family is too large.
    """
    return counts(family, [(low, high, ends)])[0]


@public
def counts(
    family: Family | DiceLike, intervals: Sequence[tuple[Fraction | str, Fraction | str, Ends]]
) -> list[int]:
    """The counts for several intervals (low, high, ends).

    >>> counts(Family("2d6"), [("1/2", "1/2", "both"), (0, 1, "both")])
    [1521, 1254044]
    """
    family = family_of(family)
    exact = [(*_interval(low, high, ends), ends) for low, high, ends in intervals]
    totals = [0] * len(exact)
    for bundle in bundles(family):
        wanted: list[_Wanted] = []
        for k, (low, high, ends) in enumerate(exact):
            for slot in bundle.slots:
                first, last = units(bundle, slot, low, high, ends)
                if first <= last:
                    wanted.append(_Wanted(k, slot, first, last))
        for one, ways in _counted(bundle, wanted):
            totals[one.interval] += ways * len(one.slot.cells)
    return totals


@dataclass(frozen=True)
class _Wanted:
    """Sums in an interval, in units of 1/modulus above a slot's base."""

    interval: int
    slot: Slot
    low: int
    high: int


def _counted(bundle: Bundle, wanted: list[_Wanted]) -> Iterator[tuple[_Wanted, int]]:
    """The number of a cell's assignments for each interval."""
    family = bundle.family
    few = expected_sums(bundle) <= FEW_SUMS and has("numpy")
    if wanted and (family.sized or family.denominator > HEAVY or few):
        sums = Sparse(bundle)
        yield from ((one, sums.count(one.slot, one.low, one.high)) for one in wanted)
        return
    rest = []
    halves = _halves(bundle) if any(one.low == one.high for one in wanted) else None
    for one in wanted:
        if halves and one.low == one.high and halves.partners(one.low) <= FEW_PAIRS:
            yield one, ways_to_make(halves, one.slot, one.low)
        else:
            rest.append(one)
    if rest:
        edges = [(one.slot, at) for one in rest for at in (one.high, one.low - 1)]
        upto = Dense(bundle).at_most(edges)
        yield from zip(rest, map(sub, upto[::2], upto[1::2]), strict=True)


def _halves(bundle: Bundle) -> Halves | None:
    """The half-sums of a bundle; None if they are too large."""
    try:
        return halve(bundle)
    except TooManyVariantsError:
        return None


def between(
    family: Family | DiceLike, low: Fraction | str, high: Fraction | str, *, ends: Ends = "both"
) -> Iterator[Variant]:
    """The variants from `low` to `high`, one at a time.

    >>> from itertools import islice
    >>> for variant in islice(between(Family("2d20"), "49/100", "4901/10000"), 1):
    ...     print(49 <= 100 * variant.p_win("2d20") <= Fraction(4901, 100))
    True

    Arguments and errors are those of `count`.
    """
    family = family_of(family)
    low, high = _interval(low, high, ends)
    heavy = family.denominator > HEAVY
    for bundle in bundles(family):
        few = family.denominator > LIGHT and bundle.tokens <= FEW_TOKENS
        for slot in bundle.slots:
            first, last = units(bundle, slot, low, high, ends)
            if first <= last:
                yield from pick(bundle, slot, first, last, heavy=heavy or few)


def units(bundle: Bundle, slot: Slot, low: Fraction, high: Fraction, ends: Ends) -> tuple[int, int]:
    """An interval in whole units (1/modulus) above a slot's base.

    A single point is empty if no sum can equal it.
    """
    d, m = bundle.family.denominator, bundle.modulus
    if low == high:
        at = sought(bundle, slot, low * d)
        return (0, -1) if at is None else (at, at)
    first = limit((low * d - slot.base) * m, 1, ends not in ("both", "low"))
    last = limit((high * d - slot.base) * m, -1, ends not in ("both", "high"))
    return max(first, 0), last


def probability(name: str, given: Number) -> Fraction:
    """An exact probability.

    Raises:
        RulesError: a float, something that is not a number, or one outside 0 to 1.
    """
    try:
        p = exact(given)
    except RulesError:
        what = "a float" if isinstance(given, float) else "not a number"
        raise RulesError(f"{name}={shown(given)} is {what}; write 1/2, 0.49 or 49/100") from None
    if not 0 <= p <= 1:
        raise RulesError(f"{name}={shown(str(given))[1:-1]}; give a win probability from 0 to 1")
    return p


def _interval(low: Fraction | str, high: Fraction | str, ends: Ends) -> tuple[Fraction, Fraction]:
    low, high = probability("low", low), probability("high", high)
    if ends not in ("both", "neither", "low", "high"):
        raise RulesError(f"ends={shown(ends)}; give 'both', 'neither', 'low' or 'high'")
    if low > high:
        raise RulesError(
            f"no win probability lies between {shown(str(low))[1:-1]} and "
            f"{shown(str(high))[1:-1]}; put the smaller first"
        )
    if low == high and ends != "both":
        raise RulesError(
            f"ends={ends!r} leaves nothing from {shown(str(low))[1:-1]} to itself; use ends='both'"
        )
    return low, high
