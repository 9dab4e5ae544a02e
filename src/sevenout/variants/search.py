"""The fairest variant, with proof and without enumeration.

One of three exact methods searches each bundle of cells. *Residues* are sums modulo one, since
their whole parts are nearly free. *Dense* adds polynomials, to count. *Sparse* lists all sums, for
small families, bounded sizes and heavy totals.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any, Literal

from sevenout.documents import Fact, Facts, Page, Shown, Text
from sevenout.documents.kinds import COUNT, FRACTION, LABEL, SCIENTIFIC
from sevenout.documents.numbers import percent
from sevenout.errors import RulesError, shown
from sevenout.variants.counting.bundle import Bundle, bundles
from sevenout.variants.counting.interval_count import between, count, probability
from sevenout.variants.counting.nearest_sum import Direction, Nearest, beyond, limit
from sevenout.variants.counting.sparse import Sparse, expected_sums
from sevenout.variants.family import Family, TooManyVariantsError, family_of
from sevenout.variants.search_cost import FEW_SUMS, must_be_affordable, sums_do
from sevenout.variants.variant import DiceLike, Variant

Side = Literal["below", "above", "nearest"]


class NoVariantError(RulesError):
    """No variant of a family has the requested win probability."""


@dataclass(frozen=True)
class Fairest(Shown):
    """The variants nearest to a target, with proof.

    Attributes:
        side: the side of it searched.
        p_win: the best win probability.
        looked: the number of pairs of half-sums near the target completed or ruled out
            individually.
        method: "residues" if sums were searched modulo one, "sums" if all were listed.
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
        """The distance of the best from the target."""
        return abs(self.target - self.p_win)

    @cached_property
    def multiplicity(self) -> int:
        """The number of best variants.

        Raises:
            TooManyVariantsError: too many to count in memory.
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
        """The proof in words."""
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
        """The multiplicity; None if it can't be counted."""
        try:
            return self.multiplicity
        except TooManyVariantsError:
            return None

    def page(self) -> Page:
        """The result, with proof."""
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
        """The result as data; null for a multiplicity that can't be counted."""
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
    """The variants nearest to a target; `around` searches both sides.

    >>> best = fairest(Family("2d6"))
    >>> best.p_win, best.multiplicity
    (Fraction(5669, 11340), 80)
    >>> fairest(Family("2d6", labelling="canonical")).p_win
    Fraction(5039, 10080)

    Args:
        family: the family, or dice for all their variants.
        target: an exact win probability; a house edge e at even money is the target (1 - e)/2.
        side: "below" or "above" for strictly on one side, "nearest" for either or equal.

    Raises:
        NoVariantError: there is none on that side.
        RulesError: a float, a target outside 0 to 1, or an unknown side.
        TooManyVariantsError: the family is too large.
        TooMuchWorkError: it would exceed the budget.
    """
    family, target = family_of(family), probability("target", target)
    if side not in ("below", "above", "nearest"):
        raise RulesError(f"side={shown(side)}; give 'below', 'above' or 'nearest'")
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
    """The smallest distance from the target, and the method."""
    if not parts:
        return None, "residues"
    family = parts[0].family
    if not sums_do(parts):
        try:
            for bundle in parts:
                search.search(bundle)
            # beyond one unit, residues prove nothing: a nearer pair may need a different whole part
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
