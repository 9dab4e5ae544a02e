"""A family of variants on paper: its page, and pictures of where its variants lie."""

from fractions import Fraction
from typing import TYPE_CHECKING

from sevenout.numerals import Number
from sevenout.page import Column, Page, Table, Text
from sevenout.page.kinds import DECIMAL, FRACTION
from sevenout.report.style import GREY, INK, RED, canvas, percent_axis, quiet, styled, thousands
from sevenout.variants import Family, Variant, census, overview

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BINS = 50
CRAPS = Variant([2, 3, 12], [7, 11], 7)
DASHED = (0, (4, 3))


def family_page(dice: str = "2d6", *, date: str = "") -> Page:
    """The page of all craps variants over some dice: how they lie, and the fairest of them.

    >>> page = family_page("2d4")
    >>> [section.title for section in page.sections]
    ['Distribution', 'Variants of note', 'The family in figures']

    Raises:
        NotationError: not dice.
        TooManyVariantsError: too many variants for a census.
    """
    from sevenout.report import plots
    from sevenout.report.playing import picture

    bins = _bins(Family(dice))  # the dearest first: it is refused before the others begin
    both = overview(dice)
    family, best = both.columns[1].family, both.columns[1].fairest
    notable = {f"fairest below 1/2: {best.first(1)[0]}": best.p_win, "craps": CRAPS.p_win()}
    drawn = plots.census_histogram(bins, marks=notable)
    said = (
        "A variant chooses which totals are naturals, which are craps and which are points, and "
        "which of those that settle the come-out is the out. Each of them was counted."
    )
    labelling = (
        "Canonical labelling keeps one way of telling naturals from craps: the set with the lowest "
        "total is craps, the next one naturals. Classes are those under swaps of equally likely "
        "totals."
    )
    columns = ["variant", Column("win probability", FRACTION, DECIMAL)]
    return Page(
        f"All variants of craps with {both.dice}",
        Page(
            "Distribution",
            Text(said),
            picture(drawn, f"{family.size:,} variants by win probability"),
        ),
        Page("Variants of note", Table(columns, notable.items())),
        Page("The family in figures", *both.page().blocks, Text(labelling, tone="note")),
        subtitle="Census",
        facts=[("dice", both.dice), ("variants", f"{family.size:,}")],
        date=date,
    )


def _bins(family: Family) -> dict[tuple[Number, Number], int]:
    counts = [0] * BINS
    for p, n in census(family).histogram.items():
        counts[min(int(p * BINS), BINS - 1)] += n
    return {(Fraction(k, BINS), Fraction(k + 1, BINS)): n for k, n in enumerate(counts)}


def near_half(family: Family, within: float = 0.02, mark: Variant = CRAPS) -> "Figure":
    """How many variants have each win probability near one half: a line for each.

    >>> len(near_half(Family("2d6")).axes)
    1

    Args:
        family: the family.
        within: how far from one half to look.
        mark: a variant to point out.

    Raises:
        TooManyVariantsError: a family too large for a census.
    """
    found = census(family).histogram
    p_win = found.numerators / found.denominator
    near = abs(p_win - 0.5) <= within
    at = mark.p_win(family.dice)
    with styled():
        figure, axes = canvas(height=3.2)
        axes.vlines(p_win[near], 0, found.counts[near], color=INK, linewidth=0.6)
        axes.axvline(0.5, color=GREY, linewidth=0.7, linestyle=DASHED, zorder=0)
        top = float(found.counts[near].max()) if near.any() else 1.0
        axes.plot(float(at), found[at], "o", color=RED, markersize=5, clip_on=False)
        axes.annotate(
            f"{_name(mark)}: {at}\n{found[at]:,} variants",
            (float(at), found[at]),
            xytext=(float(at), top),
            ha="center",
            va="center",
            color=RED,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 2},
            arrowprops={"arrowstyle": "-", "color": RED, "linewidth": 0.8},
        )
        axes.set_xlim(0.5 - within, 0.5 + within)
        axes.set_ylim(0, 1.12 * top)
        percent_axis(axes.xaxis)
        thousands(axes.yaxis)
        axes.set_xlabel("win probability")
        axes.set_ylabel("variants")
        axes.set_title(f"{family.size:,} variants with {family}, near one half")
        return figure


def edge_map(family: Family, mark: Variant = CRAPS) -> "Figure":
    """The house edge against the mean number of rolls, as a density of variants.

    >>> len(edge_map(Family("2d6")).axes)
    2

    Args:
        family: the family.
        mark: a variant to point out.

    Raises:
        TooManyVariantsError: a family too large for a census.
    """
    everything = census(family)
    edge = (1 - 2 * everything.numerators / everything.denominator).astype(float)
    at = float(mark.mean_rolls(family.dice)), float(mark.edge(family.dice))
    with styled():
        from matplotlib.colors import LogNorm

        figure, axes = canvas(height=3.8)
        shades = axes.hexbin(
            everything.mean_rolls(),
            edge,
            gridsize=(110, 60),
            norm=LogNorm(),
            mincnt=1,
            cmap="cividis",
            linewidths=0,
        )
        axes.axhline(0, color=GREY, linewidth=0.7, linestyle=DASHED)
        axes.plot(*at, "o", color=RED, markersize=5, markeredgecolor="white")
        axes.annotate(
            _name(mark),
            at,
            xytext=(10, 10),
            textcoords="offset points",
            color=RED,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
        )
        figure.colorbar(shades, ax=axes, pad=0.01, label="variants").outline.set_visible(False)
        percent_axis(axes.yaxis)
        axes.set_xlabel("mean number of rolls")
        axes.set_ylabel("house edge, per bet made")
        axes.set_title(f"{family.size:,} variants with {family}")
        quiet(axes)
        return figure


def _name(mark: Variant) -> str:
    return "craps" if mark == CRAPS else str(mark)
