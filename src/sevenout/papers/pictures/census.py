"""The page of a family of variants."""

from fractions import Fraction

from sevenout.documents import Column, Page, Picture, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION
from sevenout.numerals import Number
from sevenout.variants import Family, Variant, census, overview

BINS = 50
CRAPS = Variant([2, 3, 12], [7, 11], 7)


def family_page(dice: str = "2d6", *, date: str = "") -> Page:
    """The page of all craps variants with given dice: their distribution, and the fairest.

    >>> page = family_page("2d4")
    >>> [section.title for section in page.sections]
    ['Distribution', 'Variants of note', 'The family in figures']

    Raises:
        NotationError: not dice.
        TooManyVariantsError: too many variants for a census.
    """
    from sevenout.papers.pictures import plots
    from sevenout.papers.pictures.style import as_svg

    bins = _bins(Family(dice))  # the most costly part first, so that a refusal comes early
    both = overview(dice)
    family, best = both.columns[1].family, both.columns[1].fairest
    notable = {f"fairest below 1/2: {best.first(1)[0]}": best.p_win, "craps": CRAPS.p_win()}
    drawn = plots.census_histogram(bins, notable)
    said = (
        "A variant chooses which totals are naturals, which are craps and which are points, and "
        "which of those that settle the come-out is the out. Each of them was counted."
    )
    swaps = "Classes are those under swaps of equally likely totals."
    columns = ["variant", Column("win probability", FRACTION, DECIMAL)]
    return Page(
        f"All variants of craps with {both.dice}",
        Page(
            "Distribution",
            Text(said),
            Picture(lambda: as_svg(drawn), f"{family.size:,} variants by win probability"),
        ),
        Page("Variants of note", Table(columns, notable.items())),
        Page("The family in figures", *both.page().blocks, Text(swaps, tone="note")),
        subtitle="Census",
        facts=[("dice", both.dice), ("variants", f"{family.size:,}")],
        date=date,
    )


def _bins(family: Family) -> dict[tuple[Number, Number], int]:
    counts = [0] * BINS
    for p, n in census(family).histogram.items():
        counts[min(int(p * BINS), BINS - 1)] += n
    return {(Fraction(k, BINS), Fraction(k + 1, BINS)): n for k, n in enumerate(counts)}
