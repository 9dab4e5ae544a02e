"""The question of the article, answered side by side: its slice of the family, and the whole."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.variants.family import Family, TooManyVariantsError
from sevenout.variants.printed import Printed, Printout
from sevenout.variants.search import Ends, Fairest, counts, fairest
from sevenout.variants.symmetry import Classes, classes
from sevenout.variants.table import MAX_VARIANTS, census
from sevenout.variants.variant import DiceLike

HALF = Fraction(1, 2)
CRAPS = Fraction(244, 495)
FEW = 2_000_000
"""Up to so many variants a census is quick."""

MANY = 10**15
"""From so many on the slice is counted only when asked for."""


@dataclass(frozen=True)
class Column:
    """One family, in figures.

    Attributes:
        family: the family.
        fairest: its fairest variants strictly below one half.
        multiplicity: how many they are; None where they can't be counted.
        fairer: how many lie strictly between craps (244/495) and one half; like all figures
            from here on, None where it would take long.
        fair: how many win exactly half the time.
        like_craps: how many win exactly as often as craps.
        distinct: how many win probabilities occur; None where there is no census.
        classes: how many classes there are under swaps of equally likely totals.
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
    def of(cls, family: Family) -> "Column":
        """The figures of a family; those that it is too large for are None."""
        best = fairest(family)
        listed = family.size <= FEW

        asked: list[tuple[Fraction, Fraction, Ends]] = [
            (best.p_win, best.p_win, "both"),
            (CRAPS, HALF, "neither"),
            (HALF, HALF, "both"),
            (CRAPS, CRAPS, "both"),
        ]
        if family.labelling == "canonical" and family.size > MANY:
            asked = asked[:1]  # a slice has hundreds of bundles
        numbers: list[int | None]
        try:
            numbers = list(counts(family, asked))
        except TooManyVariantsError:
            numbers = []
        numbers += [None] * (4 - len(numbers))
        canonical = family.labelling == "canonical"
        return cls(
            family,
            best,
            numbers[0],
            numbers[1],
            numbers[2],
            numbers[3],
            len(census(family).histogram) if listed else None,
            classes(family).orbits if listed or not canonical else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """The figures as data."""
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
class Overview(Printed):
    """The slice beside the whole family.

    Attributes:
        dice: the dice.
        columns: the slice, and the whole.
    """

    dice: str
    columns: tuple[Column, Column]

    def to_dict(self) -> dict[str, Any]:
        """The figures as data."""
        slice_, whole = (column.to_dict() for column in self.columns)
        return {"dice": self.dice, "canonical": slice_, "all": whole}

    def printout(self) -> Printout:
        """The two, side by side."""
        head = [f"variants of craps with {self.dice}", "canonical labelling", "whole family"]
        return Printout(head, [[label, *cells] for label, cells in self._rows()])

    def _rows(self) -> list[tuple[str, list[str]]]:
        def plain(n: int | None) -> str:
            return "-" if n is None else f"{n:,}"

        def share(column: Column) -> str:
            if column.fairer is None:
                return "-"
            return f"{column.fairer:,} ({100 * column.fairer / column.family.size:.8f} %)"

        def best(column: Column) -> str:
            p = column.fairest.p_win
            return str(p) if len(str(p)) < 26 else f"1/2 - {float(HALF - p):.6e}"

        def each(figure: Any) -> list[str]:
            return [figure(column) for column in self.columns]

        return [
            ("variants", each(lambda c: plain(c.family.size))),
            ("fairest below 1/2", each(best)),
            ("  short of 1/2 by", each(lambda c: f"{float(c.fairest.distance):.3e}")),
            ("  attained by", each(lambda c: plain(c.multiplicity))),
            ("  for example", each(lambda c: str(c.fairest.first(1)[0]))),
            ("strictly between 244/495 and 1/2", each(share)),
            ("exactly 1/2", each(lambda c: plain(c.fair))),
            ("exactly 244/495", each(lambda c: plain(c.like_craps))),
            ("different win probabilities", each(lambda c: plain(c.distinct))),
            ("classes under swaps", each(lambda c: plain(c.classes))),
        ]


def overview(dice: DiceLike = "2d6") -> Overview:
    """The article's slice beside the whole family, in figures.

    >>> slice_, whole = overview("2d6").columns
    >>> slice_.fairest.p_win, whole.fairest.p_win, whole.fairer
    (Fraction(5039, 10080), Fraction(5669, 11340), 21529)
    """
    both = (Family(dice, labelling="canonical"), Family(dice))
    return Overview(str(both[1]), (Column.of(both[0]), Column.of(both[1])))


def unexplained(found: Classes, p_win: Fraction = CRAPS) -> list[dict[str, str]]:
    """Two variants of one win probability that no swap relates: with one law, and with two.

    Args:
        found: the classes of a family.
        p_win: the win probability of the examples; where none has it, there are no examples.
    """
    if found.family.size > MAX_VARIANTS:
        return []
    alike = found.alike(p_win)
    examples = []
    several = [law for law in alike.laws if len(law) > 1]
    if several:
        one, other = (str(variants[0]) for variants in several[0][:2])
        examples.append(_example(one, other, p_win, "the same law of result and rolls"))
    if len(alike.laws) > 1:
        one, other = (str(law[0][0]) for law in alike.laws[:2])
        examples.append(_example(one, other, p_win, "different laws"))
    return examples


def _example(one: str, other: str, p_win: Fraction, what: str) -> dict[str, str]:
    text = f"{one} and {other}: no swap relates them, yet both win with {p_win}; {what}."
    return {"one": one, "other": other, "p_win": str(p_win), "what": what, "text": text}
