"""The fairest variant, with proof; how many variants lie in an interval, and which.

None of these enumerates the family. Of the three methods one is chosen for each bundle of cells:
*residues* (the whole parts of sums are nearly free, so look at them modulo one), *dense* (residues
with polynomials, to count) and *sparse* (all the sums there are; for small families, for bounded
sizes and for heavy totals). All are exact, and the tests hold each against enumeration.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from operator import sub
from typing import Any, Literal

from sevenout.errors import RulesError, shown
from sevenout.extras import has
from sevenout.page import Fact, Facts, Page, Shown, Text
from sevenout.page.kinds import COUNT, FRACTION, LABEL, SCIENTIFIC
from sevenout.page.numbers import percent
from sevenout.variants.best import Direction, Nearest, beyond, limit
from sevenout.variants.bundle import Bundle, Slot, bundles
from sevenout.variants.dense import Dense
from sevenout.variants.effort import FEW_SUMS, HEAVY, LIGHT, must_be_affordable, sums_do
from sevenout.variants.exactly import sought, ways_to_make
from sevenout.variants.family import Family, TooManyVariantsError, family_of
from sevenout.variants.interval import pick
from sevenout.variants.residues import Halves, halve
from sevenout.variants.sparse import Sparse, expected_sums
from sevenout.variants.variant import DiceLike, Variant

Side = Literal["below", "above", "nearest"]
Ends = Literal["both", "neither", "low", "high"]

FEW_PAIRS = 2_000
"""Up to so many pairs of half-sums are completed one by one."""

FEW_TOKENS = 11
"""So many totals can be gone through one by one."""

_ENDLESS = re.compile(r"[eE][+-]?[\d_]{4}|\d{4000}")
"""Numbers that take thousands of digits to write down."""


class NoVariantError(RulesError):
    """No variant of a family has a win probability that is asked for."""


@dataclass(frozen=True)
class Fairest(Shown):
    """The variants nearest to a target, and why there are none nearer.

    Attributes:
        family: the family searched.
        target: the win probability aimed at.
        side: on which side of it.
        p_win: the best win probability there is.
        looked: how many pairs of half-sums near the target were completed or ruled out one by one.
        bundles: how many bundles of like variants were searched.
        method: "residues" where sums were searched modulo one, "sums" where all were listed.
    """

    family: Family
    target: Fraction
    side: Side
    p_win: Fraction
    looked: int = field(compare=False)
    bundles: int = field(compare=False)
    method: "Method" = field(compare=False)

    @property
    def distance(self) -> Fraction:
        """How far the best is from the target."""
        return abs(self.target - self.p_win)

    @cached_property
    def multiplicity(self) -> int:
        """How many variants attain the best.

        Raises:
            TooManyVariantsError: there are too many to be counted in memory.
        """
        return count(self.family, self.p_win, self.p_win)

    def __iter__(self) -> Iterator[Variant]:
        """The variants, one at a time."""
        return between(self.family, self.p_win, self.p_win)

    def first(self, n: int) -> list[Variant]:
        """The first n variants, or all if there are fewer.

        >>> [str(v) for v in fairest(Family("2d6")).first(1)]
        ['2,5,10,12/8,9/5']
        """
        return list(islice(self, n))

    @property
    def proof(self) -> str:
        """Why there is none nearer, in words."""
        claim = {
            "below": f"No win probability strictly below {self.target} is above {self.p_win}",
            "above": f"No win probability strictly above {self.target} is below {self.p_win}",
            "nearest": f"No win probability is nearer to {self.target} than {self.p_win}",
        }[self.side]
        how = {
            "residues": (
                "sums of the points' contributions were paired in the order of their distance "
                f"from the target, modulo 1/{self.family.denominator}; those up to the best, "
                f"{self.looked:,} of them, were completed with naturals or shown to have none, and "
                "every other pair, whatever its naturals, is at least as far"
            ),
            "sums": (
                "all sums were listed in two halves, and for each of the one half the nearest of "
                "the other was found"
            ),
        }[self.method]
        return f"{claim}: in every bundle of like variants, {self.bundles} in all, {how}."

    @property
    def counted(self) -> int | None:
        """The multiplicity; None where it can't be counted."""
        try:
            return self.multiplicity
        except TooManyVariantsError:
            return None

    def page(self) -> Page:
        """The result, and why there is none nearer."""
        return Page(
            f"fairest of {self.family}",
            Facts(
                Fact("win probability", self.p_win, FRACTION),
                Fact("in percent", percent(self.p_win, 6, mark=self.target), LABEL),
                Fact(f"distance from {self.target}", self.distance, SCIENTIFIC),
                Fact("attained by", self.counted or "too many to count", COUNT),
                Fact("of variants", self.family.size, COUNT),
                Fact("for example", str(self.first(1)[0]), LABEL),
            ),
            Text(self.proof, tone="note"),
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as data; the multiplicity is null where it can't be counted."""
        return {
            "family": str(self.family),
            "size": self.family.size,
            "target": str(self.target),
            "side": self.side,
            "p_win": str(self.p_win),
            "percent": percent(self.p_win, 6, mark=self.target),
            "distance": float(self.distance),
            "multiplicity": self.counted,
            "variants": [str(variant) for variant in self.first(12)],
            "proof": self.proof,
        }


def fairest(
    family: Family | DiceLike, target: Fraction | str = Fraction(1, 2), side: Side = "below"
) -> Fairest:
    """The variants whose win probability is nearest to a target; `around` looks on both sides.

    >>> best = fairest(Family("2d6"))
    >>> best.p_win, best.multiplicity
    (Fraction(5669, 11340), 80)
    >>> fairest(Family("2d6", labelling="canonical")).p_win
    Fraction(5039, 10080)

    Args:
        family: the family, or the dice of a whole one.
        target: a win probability, exact; a house edge e at even money is the target (1 - e)/2.
        side: "below" or "above" for strictly on one side, "nearest" for either or equal.

    Raises:
        NoVariantError: there is none on that side.
        RulesError: a float, a target outside 0 to 1, or an unknown side.
        TooManyVariantsError: the family is too large even for this.
        TooMuchWorkError: it would take longer than the budget allows.
    """
    family, target = family_of(family), probability("target", target)
    if side not in ("below", "above", "nearest"):
        raise RulesError(f"side={shown(side)}; it is 'below', 'above' or 'nearest'")
    must_be_affordable(family)
    goals: tuple[tuple[Direction, bool], ...] = {
        "below": ((-1, True),),
        "above": ((1, True),),
        "nearest": ((-1, False), (1, True)),
    }[side]  # type: ignore[assignment]
    parts = bundles(family)
    best: Fraction | None = None
    looked = 0
    method: Method = "residues"
    for direction, strict in goals:
        search = Nearest(target * family.denominator, direction, strict)
        found, used = _nearest(parts, search)
        looked += search.looked
        method = "sums" if "sums" in (method, used) else "residues"
        if found is not None and (best is None or found < abs(best - target)):
            best = target + direction * found
        if best == target:
            break
    if best is None:
        where = "in it" if side == "nearest" else f"{side} {shown(str(target))[1:-1]}"
        raise NoVariantError(f"{family}: no variant has a win probability {where}")
    return Fairest(family, target, side, best, looked, len(parts), method)


Method = Literal["residues", "sums"]


def _nearest(parts: list[Bundle], search: Nearest) -> tuple[Fraction | None, Method]:
    """The smallest distance from the target, as a probability, and how it was found."""
    if not parts:
        return None, "residues"
    family = parts[0].family
    if not sums_do(parts):
        try:
            for bundle in parts:
                search.search(bundle)
            # beyond one unit residues prove nothing: a nearer pair may need a unit more elsewhere
            if search.distance is not None and search.distance <= 1:
                return search.distance / family.denominator, "residues"
        except TooManyVariantsError:
            if max(map(expected_sums, parts)) > 100 * FEW_SUMS:
                raise
    found: list[Fraction] = []
    for bundle in parts:
        sums = Sparse(bundle)
        for slot in bundle.slots:
            exact = (search.target - slot.base) * bundle.modulus
            unit = limit(exact, search.side, search.strict)
            if beyond(bundle, unit, search.side):
                continue
            if not family.sized and expected_sums(bundle) > 100 * FEW_SUMS:
                raise TooManyVariantsError(
                    f"{family} makes too many half-sums to be listed; constrain the family"
                )
            at = sums.nearest(slot, unit, search.side)
            if at is not None:
                found.append(abs(exact - at) / bundle.modulus)
    return (min(found) / family.denominator if found else None), "sums"


def count(
    family: Family | DiceLike, low: Fraction | str, high: Fraction | str, *, ends: Ends = "both"
) -> int:
    """How many variants have a win probability from `low` to `high`; exact, without enumeration.

    >>> count(Family("2d6"), "244/495", "1/2", ends="neither")
    21529

    Args:
        family: the family, or the dice of a whole one.
        low: a win probability, exact.
        high: another, not smaller.
        ends: which ends count: "both", "neither", "low" or "high".

    Raises:
        RulesError: a float, a number outside 0 to 1, ends out of order, or an unknown word.
        TooManyVariantsError: the family is too large even for this.
    """
    return counts(family, [(low, high, ends)])[0]


def counts(
    family: Family | DiceLike, intervals: Sequence[tuple[Fraction | str, Fraction | str, Ends]]
) -> list[int]:
    """How many variants lie in each of several intervals (low, high, ends); as `count`, but faster.

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
    """Sums from `low` to `high` in a slot, in units of 1/modulus above its base."""

    interval: int
    slot: Slot
    low: int
    high: int


def _counted(bundle: Bundle, wanted: list[_Wanted]) -> Iterator[tuple[_Wanted, int]]:
    """How many assignments of one cell there are of each kind wanted."""
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
    """The half-sums of a bundle, if there is room for them."""
    try:
        return halve(bundle)
    except TooManyVariantsError:
        return None


def between(
    family: Family | DiceLike, low: Fraction | str, high: Fraction | str, *, ends: Ends = "both"
) -> Iterator[Variant]:
    """The variants with a win probability from `low` to `high`, one at a time, as they are found.

    >>> from itertools import islice
    >>> for variant in islice(between(Family("2d20"), "49/100", "4901/10000"), 1):
    ...     print(49 <= 100 * variant.p_win("2d20") <= Fraction(4901, 100))
    True

    Arguments and errors as in `count`.
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
    """An interval of win probabilities as one of whole units (1/modulus) above a slot's base.

    An interval that is one point is empty unless the point can be met.
    """
    d, m = bundle.family.denominator, bundle.modulus
    if low == high:
        at = sought(bundle, slot, low * d)
        return (0, -1) if at is None else (at, at)
    first = limit((low * d - slot.base) * m, 1, ends not in ("both", "low"))
    last = limit((high * d - slot.base) * m, -1, ends not in ("both", "high"))
    return max(first, 0), last


def probability(name: str, given: Fraction | str | int) -> Fraction:
    """An exact probability.

    Raises:
        RulesError: a float, something that is not a number, or one outside 0 to 1.
    """
    if isinstance(given, float | bool):
        what = "a float" if isinstance(given, float) else "a truth value"
        raise RulesError(f"{name}={given!r} is {what}; write it as a fraction, such as '244/495'")
    try:
        if isinstance(given, str) and _ENDLESS.search(given):
            raise ValueError
        p = Fraction(given)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        raise RulesError(
            f"{name}={shown(given)} is not a number; write 1/2, 0.49 or 49/100"
        ) from None
    if not 0 <= p <= 1:
        raise RulesError(f"{name}={shown(str(given))[1:-1]}; a win probability is from 0 to 1")
    return p


def _interval(low: Fraction | str, high: Fraction | str, ends: Ends) -> tuple[Fraction, Fraction]:
    low, high = probability("low", low), probability("high", high)
    if ends not in ("both", "neither", "low", "high"):
        raise RulesError(f"ends={shown(ends)}; it is 'both', 'neither', 'low' or 'high'")
    if low > high:
        raise RulesError(
            f"no win probability is from {shown(str(low))[1:-1]} to {shown(str(high))[1:-1]}; "
            "put the smaller first"
        )
    if low == high and ends != "both":
        raise RulesError(
            f"ends={ends!r} leaves nothing from {shown(str(low))[1:-1]} to itself; count both ends"
        )
    return low, high
