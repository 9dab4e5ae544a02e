"""Draws the pictures of `docs/explanation/variants.md`: `python docs/pictures/variants.py`."""

from pathlib import Path

from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from sevenout.papers.picture_style import (
    GREY,
    INK,
    RED,
    canvas,
    percent_axis,
    save,
    thousands,
)
from sevenout.papers.plots import CRAPS
from sevenout.variants import Family, census

HERE = Path(__file__).parent
WITHIN = 0.02
"""How far from one half to look."""
DASHED = (0, (4, 3))


def main() -> None:
    family = Family("2d6")
    save(near_half(family), HERE / "variants-half.png")
    save(edge_map(family), HERE / "variants-map.png")


def near_half(family: Family) -> Figure:
    """How many variants have each win probability near one half: a line for each."""
    found = census(family).histogram
    p_win = found.numerators / found.denominator
    near = abs(p_win - 0.5) <= WITHIN
    at = CRAPS.p_win(family.dice)
    with canvas(height=3.2, grid=False) as (figure, axes):
        axes.vlines(p_win[near], 0, found.counts[near], color=INK, linewidth=0.6)
        axes.axvline(0.5, color=GREY, linewidth=0.7, linestyle=DASHED, zorder=0)
        top = float(found.counts[near].max()) if near.any() else 1.0
        axes.plot(float(at), found[at], "o", color=RED, markersize=5, clip_on=False)
        axes.annotate(
            f"craps: {at}\n{found[at]:,} variants",
            (float(at), found[at]),
            xytext=(float(at), top),
            ha="center",
            va="center",
            color=RED,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 2},
            arrowprops={"arrowstyle": "-", "color": RED, "linewidth": 0.8},
        )
        axes.set_xlim(0.5 - WITHIN, 0.5 + WITHIN)
        axes.set_ylim(0, 1.12 * top)
        percent_axis(axes.xaxis)
        thousands(axes.yaxis)
        axes.set_xlabel("win probability")
        axes.set_ylabel("variants")
        axes.set_title(f"{family.size:,} variants with {family}, near one half")
        return figure


def edge_map(family: Family) -> Figure:
    """The house edge against the mean number of rolls, as a density of variants."""
    everything = census(family)
    edge = (1 - 2 * everything.numerators / everything.denominator).astype(float)
    at = float(CRAPS.mean_rolls(family.dice)), float(CRAPS.edge(family.dice))
    with canvas(height=3.8) as (figure, axes):
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
            "craps",
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
        return figure


if __name__ == "__main__":
    main()
