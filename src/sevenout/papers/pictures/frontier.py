"""The picture of a tuning: the least and greatest volatility at each edge."""

from typing import TYPE_CHECKING

from sevenout.papers.pictures.style import BLUE, INK, RED, SKY, canvas, literal, percent_axis
from sevenout.variants import Tuning

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NUMBERED = 9
"""The most tables with a number."""
FEW, FINE = 40, 3_000
"""Up to this many edges are drawn as marks, since a line would suggest tables between them."""


def frontier(tuning: Tuning, bet: str | None = None) -> "Figure":
    """The least and greatest volatility at each edge, with numbers for the best tables.

    The default bet is the first with open pays.

    Raises:
        RulesError: no such bet with open pays, or nothing was found.
    """
    points = tuning.frontier(bet)
    few = len(points) < FEW
    if few:
        points = tuning.frontier(bet, FINE)
    name = bet or next(n for s in tuning.structures for n, f in s.forms.items() if f.chances)
    with canvas(height=3.2) as (figure, axes):
        edges, low, high = zip(*points, strict=True)
        if few:
            axes.vlines(edges, low, high, color=SKY, linewidth=2)
        else:
            axes.fill_between(edges, low, high, color=SKY, alpha=0.3, linewidth=0)
        lone = [(x, y) for x, y, z in points if few and y == z]
        if lone:
            axes.plot(*zip(*lone, strict=True), "o", color=BLUE, label="one volatility")
        if several := [point for point in points if point not in {(x, y, y) for x, y in lone}]:
            edges, low, high = zip(*several, strict=True)
            axes.plot(edges, low, "v" if few else "-", color=BLUE, label="calmest table")
            axes.plot(edges, high, "^" if few else "-", color=RED, label="wildest table")
        best = [table.figures[name] for table in tuning.tables[:NUMBERED]]
        axes.scatter(
            [float(f.edge) for f in best],
            [f.volatility for f in best],
            s=14,
            color=INK,
            zorder=3,
            label="the best, by rank",
        )
        ranks: dict[tuple[float, float], list[int]] = {}
        for k, f in enumerate(best, 1):
            ranks.setdefault((float(f.edge), f.volatility), []).append(k)
        for at, alike in ranks.items():
            words = ", ".join(map(str, alike))
            axes.annotate(words, at, xytext=(5, 4), textcoords="offset points", fontsize=8)
        axes.set_xlabel(literal(f"house edge of “{name}”, per bet made"))
        axes.set_ylabel("standard deviation per unit staked")
        percent_axis(axes.xaxis)
        axes.legend()
        return figure
