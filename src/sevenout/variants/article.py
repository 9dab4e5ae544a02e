"""The article Craps Variants: its list of variants beside the whole family.

The article asks for the variants that are fairer than craps, among a slice of the family (the
canonical labelling). `overview` answers for both; `unexplained_pairs` finds equal win probabilities
that no symmetry explains.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.documents import Column, HasPage, Page, Table, Text
from sevenout.documents.kinds import COUNT
from sevenout.documents.numbers import TOO_LONG, decimal, exactly, percent, scientific
from sevenout.variants.enumeration import MAX_VARIANTS, census
from sevenout.variants.fairest_search import Fairest, fairest
from sevenout.variants.family import Family, TooManyVariantsError
from sevenout.variants.interval_counts import Ends, counts
from sevenout.variants.symmetry import Classes, classes
from sevenout.variants.variant import DiceLike, Variant

HALF = Fraction(1, 2)
P_CRAPS = Fraction(244, 495)
"""The win probability of craps."""

MAX_QUICK_CENSUS = 2_000_000
"""The most variants for a quick census."""

MAX_COUNTED_SLICE = 10**15
"""The most variants of a slice that are counted without being asked for."""

ARTICLE = (
    "The list of the article Craps Variants: the lowest total is a craps, the lowest of the rest a "
    "natural."
)
"""What the article counts."""


@dataclass(frozen=True)
class FamilyFigures:
    """The figures of one family.

    Attributes:
        family: the family.
        fairest: its fairest variants strictly below one half.
        multiplicity: their number; None if it can't be counted.
        fairer: the number strictly between craps (244/495) and one half; None, like all further
            figures, if it would take long.
        fair: the number that win exactly half the time.
        like_craps: the number that win exactly as often as craps.
        distinct: the number of win probabilities; None without a census.
        classes: the number of classes under swaps of equally likely totals.
    """

    family: Family
    fairest: Fairest
    multiplicity: int | None
    fairer: int | None
    fair: int | None
    like_craps: int | None
    distinct: int | None
    classes: int | None

    @classmethod
    def of(cls, family: Family) -> "FamilyFigures":
        """The figures of a family; None for those that would take long."""
        best = fairest(family)
        has_census = family.size <= MAX_QUICK_CENSUS
        intervals: list[tuple[Fraction, Fraction, Ends]] = [
            (best.p_win, best.p_win, "both"),
            (P_CRAPS, HALF, "neither"),
            (HALF, HALF, "both"),
            (P_CRAPS, P_CRAPS, "both"),
        ]
        is_slice = family.labelling == "canonical"
        if is_slice and family.size > MAX_COUNTED_SLICE:
            # a slice has hundreds of bundles
            intervals = intervals[:1]
        numbers: list[int] = []
        with suppress(TooManyVariantsError):
            numbers = counts(family, intervals)
        # what was not counted is None
        multiplicity, fairer, fair, like_craps = [*numbers, *[None] * 4][:4]
        distinct = len(census(family).histogram) if has_census else None
        # the whole family's classes have a closed form; a slice's need a census
        orbits = classes(family).n_orbits if has_census or not is_slice else None
        return cls(family, best, multiplicity, fairer, fair, like_craps, distinct, orbits)

    def to_dict(self) -> dict[str, Any]:
        return {
            "family": str(self.family),
            "variants": self.family.size,
            "fairest": str(self.fairest.p_win),
            "attained_by": self.multiplicity,
            "between_craps_and_half": self.fairer,
            "exactly_fair": self.fair,
            "exactly_craps": self.like_craps,
            "distinct": self.distinct,
            "classes": self.classes,
        }


@dataclass(frozen=True)
class Overview(HasPage):
    """The slice beside the whole family.

    Attributes:
        dice: the dice, in words.
        columns: the figures of the slice, and of the whole family.

    >>> [column.fair for column in overview("2d6").columns]
    [339, 1521]
    """

    dice: str
    columns: tuple[FamilyFigures, FamilyFigures]

    def to_dict(self) -> dict[str, Any]:
        slice_, whole = (column.to_dict() for column in self.columns)
        return {"dice": self.dice, "canonical": slice_, "all": whole}

    def page(self) -> Page:
        """The two, side by side."""

        def share(column: FamilyFigures) -> str | None:
            if column.fairer is None:
                return None
            return f"{column.fairer:,} ({percent(Fraction(column.fairer, column.family.size), 8)})"

        def best(column: FamilyFigures) -> str:
            # a fraction of 60 digits would be wider than the page
            fraction = exactly(column.fairest.p_win, 26)
            if fraction == TOO_LONG:
                return f"1/2 - {decimal(HALF - column.fairest.p_win)}"
            return fraction

        figures: dict[str, Callable[[FamilyFigures], object]] = {
            "variants": lambda c: c.family.size,
            "fairest below 1/2": best,
            "  short of 1/2 by": lambda c: scientific(c.fairest.distance, 4),
            "  attained by": lambda c: c.multiplicity,
            "  for example": lambda c: str(c.fairest.first(1)[0]),
            "strictly between 244/495 and 1/2": share,
            "exactly 1/2": lambda c: c.fair,
            "exactly 244/495": lambda c: c.like_craps,
            "different win probabilities": lambda c: c.distinct,
            "classes under swaps": lambda c: c.classes,
        }
        rows = [(name, *map(figure, self.columns)) for name, figure in figures.items()]
        heads = (Column(head, COUNT) for head in ("article's list", "whole family"))
        return Page(
            "",
            Table([f"variants of craps with {self.dice}", *heads], rows),
            Text(ARTICLE, tone="note"),
        )


def overview(dice: DiceLike = "2d6") -> Overview:
    """The article's slice beside the whole family, in figures.

    >>> slice_, whole = overview("2d6").columns
    >>> slice_.fairest.p_win, whole.fairest.p_win, whole.fairer
    (Fraction(5039, 10080), Fraction(5669, 11340), 21529)
    """
    slice_, whole = Family(dice, labelling="canonical"), Family(dice)
    return Overview(str(whole), (FamilyFigures.of(slice_), FamilyFigures.of(whole)))


def unexplained_pairs(family_classes: Classes, p_win: Fraction = P_CRAPS) -> list[dict[str, str]]:
    """Pairs of equal win probability that no swap relates, with one and two distributions.

    Args:
        family_classes: the classes of a family.
        p_win: the win probability of the examples; empty if none has it.
    """
    # the variants of one win probability are listed one by one
    if family_classes.family.size > MAX_VARIANTS:
        return []
    alike = family_classes.equally_likely(p_win)
    examples = []
    several = [law for law in alike.laws if len(law) > 1]
    if several:
        pair = [variants[0] for variants in several[0][:2]]
        examples.append(_example(pair, p_win, "the same distribution of result and rolls"))
    if len(alike.laws) > 1:
        pair = [law[0][0] for law in alike.laws[:2]]
        examples.append(_example(pair, p_win, "different distributions"))
    return examples


def _example(pair: Sequence[Variant], p_win: Fraction, relation: str) -> dict[str, str]:
    """A pair of variants as data, with a sentence on how they are related."""
    first, second = map(str, pair)
    text = f"{first} and {second}: no swap relates them, yet both win with {p_win}; {relation}."
    return {"one": first, "other": second, "p_win": str(p_win), "what": relation, "text": text}
