"""Charts of the family: how often its variants win, and how long their games last."""

from functools import lru_cache
from itertools import groupby
from math import log
from operator import itemgetter
from typing import Any

from sevenout.documents import Column, Table
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.chart import SIDE, Chart
from sevenout.lab.widgets.view import Saved, View

ACROSS, UP, SHADES = 60, 30, 10
CRAPS = 244 / 495, 557 / 165
"""Craps's win probability, and its mean rolls per game."""


def cards(view: View, low: float, high: float) -> list[Any]:
    """The map and histogram of all variants; those in the range asked for stand out."""
    bars, cells, ends = shape()
    step = (ends[1] - ends[0]) / UP
    rolls = [ends[0] + step * i for i in range(UP + 1)]
    return [
        view.card(
            "map",
            "The map",
            _map(cells, rolls),
            _mapped(cells, rolls),
            note="darker: more variants",
        ),
        view.card("histogram", "How likely a win is", _histogram(bars, low, high), _counted(bars)),
    ]


@lru_cache(maxsize=1)
def shape() -> tuple[list[int], list[list[int]], tuple[float, float]]:
    """Counts of variants by win probability, and by both that and mean rolls."""
    # Imported here: without NumPy the page has a hint in place of the charts.
    import numpy as np

    from sevenout.variants import Family, census

    family = census(Family("2d6"))
    p = (family.numerators / family.denominator).astype(float)
    rolls = family.mean_rolls()
    bars = np.histogram(p, bins=100, range=(0, 1))[0]
    ends = float(rolls.min()), float(rolls.max())
    cells = np.histogram2d(rolls, p, bins=(UP, ACROSS), range=(ends, (0, 1)))[0]
    return bars.astype(int).tolist(), cells.astype(int).tolist(), ends


def _histogram(counts: list[int], low: float, high: float) -> Chart:
    x = chart.axis(0.0, 1.0, "win probability", 10, chart.percent)
    y = chart.axis(0.0, 1.05 * max(counts), "variants", 4, lambda v, _: f"{v:,.0f}")
    items = [
        (
            k / 100 + 0.0008,
            (k + 1) / 100 - 0.0008,
            float(n),
            f"{k} % to {k + 1} %: {n:,} variants",
            "" if (k + 1) / 100 > low and k / 100 < high else "off",
        )
        for k, n in enumerate(counts)
    ]
    caption = "The number of variants by win probability; half of them are near an even game"
    return Chart(x, y, chart.bars(x, y, items) + chart.upright(x, 0.5), caption)


def _counted(bars: list[int]) -> Saved:
    columns = [Column("wins from", LABEL), Column("to", LABEL), Column("variants", COUNT)]
    return Saved(Table(columns, [(f"{k} %", f"{k + 1} %", n) for k, n in enumerate(bars)]))


def _mapped(cells: list[list[int]], rolls: list[float]) -> Saved:
    """The map as a table, for the file: a row for each cell that has variants."""
    columns = [Column(name, DECIMAL) for name in ("wins from", "wins to", "rolls from", "rolls to")]
    rows = [
        (j / ACROSS, (j + 1) / ACROSS, rolls[i], rolls[i + 1], n)
        for i, row in enumerate(cells)
        for j, n in enumerate(row)
        if n
    ]
    return Saved(Table([*columns, Column("variants", COUNT)], rows))


def _map(cells: list[list[int]], rolls: list[float]) -> Chart:
    """The variants by win probability and mean rolls."""
    x = chart.axis(0.0, 1.0, "win probability", 10, chart.percent)
    y = chart.axis(rolls[0], rolls[-1], "mean rolls", 5)
    most = log(1 + max(map(max, cells)))
    shapes, high = "", SIDE / UP
    for i, row in enumerate(cells):
        # In proportion to the counts, all cells below a tenth of the largest would be empty.
        shades = [SHADES * log(1 + n) // most for n in row]
        # Neighbours of one shade are one shape, which keeps the page small.
        for shade, run in groupby(enumerate(shades), itemgetter(1)):
            across = [j for j, _ in run]
            if shade:
                shapes += (
                    f'<rect x="{SIDE * across[0] / ACROSS:.1f}" y="{(UP - 1 - i) * high:.1f}" '
                    f'width="{SIDE * len(across) / ACROSS:.1f}" height="{high:.1f}" '
                    f'opacity="{shade / SHADES:.2f}" class="fill"/>'
                )
    caption = "The number of variants by win probability and length of a game"
    shapes += chart.upright(x, 0.5) + chart.dots(x, y, [(*CRAPS, "craps")])
    return Chart(x, y, shapes, caption, ((*CRAPS, "craps"),))
