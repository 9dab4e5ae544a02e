"""Two pictures of a family: the win probabilities around one half, and edge against rolls."""

from typing import TYPE_CHECKING

from sevenout.extras import needs
from sevenout.variants.family import Family
from sevenout.variants.table import census
from sevenout.variants.variant import Variant

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, MARK, QUIET = "#1b3a57", "#c8442b", "#8a8f98"
CRAPS = Variant([2, 3, 12], [7, 11], 7)


def histogram(family: Family, within: float = 0.02, mark: Variant | None = CRAPS) -> "Figure":
    """How many variants have each win probability within a distance of one half.

    Every exact win probability is one line, as high as it has variants.

    >>> type(histogram(Family("2d4"), mark=None)).__name__
    'Figure'

    Args:
        family: the family.
        within: how far from one half to look.
        mark: a variant to point out.

    Raises:
        TooManyVariantsError: a family too large for a census.
    """
    needs("matplotlib", "plots")
    from matplotlib.figure import Figure

    found = census(family).histogram
    p_win = found.numerators / found.denominator
    near = abs(p_win - 0.5) <= within
    figure = Figure(figsize=(8, 4.2), layout="constrained", dpi=150)
    axes = figure.add_subplot()
    axes.vlines(100 * p_win[near], 0, found.counts[near], color=INK, linewidth=0.7)
    top = float(found.counts[near].max()) if near.any() else 1.0
    axes.axvline(50, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    if mark is not None:
        at = mark.p_win(family.dice)
        axes.plot(100 * float(at), found[at], "o", color=MARK, markersize=5, clip_on=False)
        axes.annotate(
            f"{'craps' if mark == CRAPS else mark}: {at}\n{found[at]:,} variants",
            (100 * float(at), found[at]),
            xytext=(100 * float(at), top),
            ha="center",
            va="center",
            color=MARK,
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 2},
            arrowprops={"arrowstyle": "-", "color": MARK, "linewidth": 0.8},
        )
    axes.set_xlim(50 - 100 * within, 50 + 100 * within)
    axes.set_ylim(0, 1.12 * top)
    axes.set_xlabel("win probability, %")
    axes.set_ylabel("variants")
    axes.set_title(
        f"{family.size:,} variants with {family}, near one half", loc="left", fontsize=11
    )
    _plain(axes)
    return figure


def edge_map(family: Family, mark: Variant | None = CRAPS) -> "Figure":
    """The house edge against the mean number of rolls, as a density of variants.

    >>> type(edge_map(Family("2d4"), mark=None)).__name__
    'Figure'

    Args:
        family: the family.
        mark: a variant to point out.

    Raises:
        TooManyVariantsError: a family too large for a census.
    """
    needs("matplotlib", "plots")
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

    everything = census(family)
    edge = 100 * (1 - 2 * everything.numerators / everything.denominator).astype(float)
    rolls = everything.mean_rolls()
    figure = Figure(figsize=(8, 4.8), layout="constrained", dpi=150)
    axes = figure.add_subplot()
    shades = axes.hexbin(
        rolls, edge, gridsize=(110, 60), norm=LogNorm(), mincnt=1, cmap="cividis", linewidths=0
    )
    axes.axhline(0, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)))
    if mark is not None:
        x, y = float(mark.mean_rolls(family.dice)), 100 * float(mark.edge(family.dice))
        axes.plot(x, y, "o", color=MARK, markersize=5, markeredgecolor="white")
        axes.annotate(
            "craps" if mark == CRAPS else str(mark),
            (x, y),
            xytext=(10, 10),
            textcoords="offset points",
            color=MARK,
            fontsize=10,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
        )
    bar = figure.colorbar(shades, ax=axes, pad=0.01)
    bar.set_label("variants")
    bar.outline.set_visible(False)
    axes.set_xlabel("mean number of rolls")
    axes.set_ylabel("house edge per bet, %")
    axes.set_title(f"{family.size:,} variants with {family}", loc="left", fontsize=11)
    _plain(axes)
    return figure


def _plain(axes: object) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)  # type: ignore[attr-defined]
    axes.tick_params(color=QUIET)  # type: ignore[attr-defined]
