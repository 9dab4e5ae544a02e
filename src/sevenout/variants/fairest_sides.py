"""The fairest variants below, at and above a target."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sevenout.documents import Column, Page, Shown, Table, Text
from sevenout.documents.kinds import COUNT, FRACTION, LABEL, SCIENTIFIC
from sevenout.documents.numbers import percent
from sevenout.errors import RulesError
from sevenout.variants.counting.interval_count import probability
from sevenout.variants.family import Family, family_of
from sevenout.variants.search import Fairest, NoVariantError, Side, fairest
from sevenout.variants.search_cost import must_be_affordable
from sevenout.variants.variant import DiceLike

SEARCHES = 6
"""Searches in the budget: three, and three more to count hits."""


@dataclass(frozen=True)
class NearestVariants(Shown):
    """The variants nearest to a target, on each side of it and at it.

    >>> found = around("2d6")
    >>> found.target, found.at.multiplicity, found.at.p_win
    (Fraction(1, 2), 1521, Fraction(1, 2))

    Attributes:
        below: the nearest strictly below; None if there is none.
        at: those at the target; None if there is none.
        above: the nearest strictly above; None if there is none.
    """

    family: Family
    target: Fraction
    below: Fairest | None
    at: Fairest | None
    above: Fairest | None

    @property
    def found(self) -> dict[str, Fairest | None]:
        """The three, by name."""
        return {
            "nearest below": self.below,
            f"exactly {self.target}": self.at,
            "nearest above": self.above,
        }

    @property
    def nearest(self) -> Fairest:
        """Those at the target, or else the nearest to it; below in a tie."""
        sides = [side for side in (self.at, self.below, self.above) if side is not None]
        return min(sides, key=lambda side: side.distance)

    def page(self) -> Page:
        """The nearest on each side, with one example and the proof."""
        columns = [f"fairest of {self.family}", Column("p win", FRACTION), Column("percent", LABEL)]
        columns += [Column("distance", SCIENTIFIC), Column("variants", COUNT)]
        rows = [
            [where, *[None] * 4, "none"]
            if best is None
            else [
                where,
                best.p_win,
                percent(best.p_win, 6, mark=self.target),
                best.distance,
                best.counted or "too many to count",
                str(best.first(1)[0]),
            ]
            for where, best in self.found.items()
        ]
        proofs = [best.proof for best in (self.below, self.above) if best is not None]
        notes = [Text(proof, tone="note") for proof in proofs]
        note = Text(f"of {self.family.size:,} variants", tone="note")
        return Page("", Table([*columns, "for example"], rows), note, *notes)

    def to_dict(self) -> dict[str, Any]:
        """The three as data; null for none."""
        sides = {"below": self.below, "at": self.at, "above": self.above}
        return {
            "family": str(self.family),
            "size": self.family.size,
            "target": str(self.target),
            **{side: best and best.to_dict() for side, best in sides.items()},
        }


def around(family: Family | DiceLike, target: Fraction | str = Fraction(1, 2)) -> NearestVariants:
    """The variants nearest to a target below, at and above it.

    >>> found = around("2d6")
    >>> [(str(best.p_win), best.multiplicity) for best in found.found.values()]
    [('5669/11340', 80), ('1/2', 1521), ('4537/9072', 4)]

    Args:
        family: the family, or dice for all their variants.
        target: an exact win probability; a house edge e at even money is the target (1 - e)/2.

    Raises:
        RulesError: a float, a target outside 0 to 1, or a family without variants.
        TooManyVariantsError: the family is too large.
        TooMuchWorkError: it would exceed the budget.
    """
    family, target = family_of(family), probability("target", target)
    if not family.size:
        raise RulesError(f"{family} has no variants; loosen its constraints")
    must_be_affordable(family, SEARCHES)
    at = fairest(family, target, "nearest")
    below = replace(at, side="below") if at.p_win < target else _nearest(family, target, "below")
    above = replace(at, side="above") if at.p_win > target else _nearest(family, target, "above")
    return NearestVariants(family, target, below, None if at.distance else at, above)


def _nearest(family: Family, target: Fraction, side: Side) -> Fairest | None:
    try:
        return fairest(family, target, side)
    except NoVariantError:
        return None
