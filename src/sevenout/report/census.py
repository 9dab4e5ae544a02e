"""A one-page summary of a family of variants."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from sevenout.numerals import Number, exact
from sevenout.page import Block, Column, Page, Table, Text, prose
from sevenout.page.kinds import COUNT, DECIMAL, FRACTION

if TYPE_CHECKING:
    from sevenout.variants import Family
    from sevenout.variants.answer import FamilyFigures

BINS = 50
CRAPS, HALF = Fraction(244, 495), Fraction(1, 2)


def census_page(
    title: str,
    counts: Mapping[tuple[Number, Number], int],
    *,
    facts: Iterable[tuple[str, str]] = (),
    notable: Iterable[tuple[str, Number]] = (),
    text: str = "",
    sections: Iterable[Page] = (),
    date: str = "",
    xlabel: str = "win probability",
) -> Page:
    """The page of a census: how many variants there are in each interval, and those of note.

    >>> counts = {("0", "1/2"): 3, ("1/2", "1"): 1}
    >>> page = census_page("Two dice", counts, notable=[("craps", "244/495")])
    >>> [section.title for section in page.sections]
    ['Distribution', 'Variants of note']

    Args:
        title: the family.
        counts: how many variants, by interval (from, to) of the figure.
        facts: (name, value) pairs of the title block: dice, constraints, size, ...
        notable: (name, value of the figure) pairs.
        text: what is to be said of it.
        sections: what else there is to say.
        date: of the page.
        xlabel: the figure.

    Raises:
        PageError: nothing was counted.
    """
    from sevenout.report import plots
    from sevenout.report.playing import picture

    notes = [(name, exact(value)) for name, value in notable]
    blocks: list[Block] = [*prose(text)]
    drawn = plots.census_histogram(counts, marks=dict(notes[:3]), xlabel=xlabel)
    total = sum(counts.values())
    blocks.append(picture(drawn, f"{total:,} variants by {xlabel}"))
    found = [Page("Distribution", *blocks)]
    if notes:
        columns = ["variant", Column(xlabel, FRACTION, DECIMAL)]
        found.append(Page("Variants of note", Table(columns, notes)))
    return Page(title, *found, *sections, subtitle="Census", facts=facts, date=date)


def family_page(dice: str = "2d6", *, date: str = "") -> Page:
    """The page of all craps variants over some dice: how they lie, and the fairest of them.

    >>> page = family_page("2d4")
    >>> [section.title for section in page.sections]
    ['Distribution', 'Variants of note', 'The family in figures']

    Args:
        dice: the dice, such as "2d6".
        date: of the page.

    Raises:
        NotationError: not dice.
        TooManyVariantsError: too many variants for a census.
    """
    from sevenout.variants import Family, overview

    bins = _bins(Family(dice))  # the dearest first: it is refused before the others begin
    both = overview(dice)
    columns = both.columns
    family = columns[1].family
    best = columns[1].fairest
    notable = [(f"fairest below 1/2: {best.first(1)[0]}", best.p_win), ("craps", CRAPS)]
    return census_page(
        f"All variants of craps with {both.dice}",
        bins,
        facts=[("dice", both.dice), ("variants", f"{family.size:,}")],
        notable=notable,
        text=(
            "A variant chooses which totals are naturals, which are craps and which are points, "
            "and which of those that settle the come-out is the out. Each of them was counted."
        ),
        sections=[_figures(columns)],
        date=date,
    )


def _bins(family: "Family") -> dict[tuple[Number, Number], int]:
    from sevenout.variants import census

    counts = [0] * BINS
    for p, n in census(family).histogram.items():
        counts[min(int(p * BINS), BINS - 1)] += n
    return {(Fraction(k, BINS), Fraction(k + 1, BINS)): n for k, n in enumerate(counts)}


def _figures(columns: "tuple[FamilyFigures, FamilyFigures]") -> Page:
    rows = [
        ("variants", *(c.family.size for c in columns)),
        ("fairest below 1/2", *(str(c.fairest.p_win) for c in columns)),
        ("attained by", *(c.multiplicity for c in columns)),
        (f"strictly between {CRAPS} and {HALF}", *(c.fairer for c in columns)),
        ("exactly 1/2", *(c.fair for c in columns)),
        (f"exactly {CRAPS}", *(c.like_craps for c in columns)),
        ("different win probabilities", *(c.distinct for c in columns)),
        ("classes under swaps of equally likely totals", *(c.classes for c in columns)),
    ]
    head = ["", Column("canonical labelling", COUNT), Column("whole family", COUNT)]
    note = (
        "Canonical labelling keeps one way of telling naturals from craps: the set with the lowest "
        "total is craps, the next one naturals."
    )
    return Page("The family in figures", Table(head, rows), Text(note, tone="note"))
