"""The picture of dice: distributions of totals, normal curves, and rolls."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sevenout.documents import PageError
from sevenout.errors import shown
from sevenout.papers.pictures.style import (
    CYCLE,
    INK,
    canvas,
    literal,
    percent_axis,
    whole_axis,
)
from sevenout.rolling.distribution import Distribution, Finite
from sevenout.rolling.laws import Law

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TAIL = Fraction(1, 2000)
"""The probability left out on either side."""
BARS, MOST = 60, 3
"""The most totals drawn as bars rather than a line; the most distributions in a picture."""


def totals(*rolls: Any, normal: bool = False, rolled: int = 0, seed: int | None = None) -> "Figure":
    """The distributions of totals, on one scale.

    >>> from sevenout.rolling import spread
    >>> len(totals(spread("3d6"), normal=True, rolled=100, seed=1).axes)
    1

    Args:
        rolls: one to three of `spread("4d6kh3")`, `spread("d10!")`.
        normal: draw the normal curve with the same mean and deviation.
        rolled: the number of rolls of each, whose shares are marked.
        seed: the seed of those rolls.

    Raises:
        PageError: none, or too many to tell apart.
    """
    if not 1 <= len(rolls) <= MOST:
        raise PageError(f"{len(rolls)} distributions in a picture; draw from 1 to {MOST}")
    if type(rolled) is not int or rolled < 0:
        raise PageError(f"rolled={shown(rolled)}; give the number of rolls, 0 or more")
    laws = [Finite(dict(roll.law)) if isinstance(roll.law, Law) else roll.law for roll in rolls]
    drawn = [_drawn(law) for law in laws]
    bars = max(map(len, drawn)) <= BARS
    counts = [Counter(law.draws(rolled, seed)) for law in laws] if rolled else []
    with canvas(height=2.6) as (figure, axes):
        wide = 0.84 / len(rolls)
        for k, (roll, law, points) in enumerate(zip(rolls, laws, drawn, strict=True)):
            gap = min((b - a for (a, _), (b, _) in pairwise(points)), default=1.0)
            shift = (k - (len(rolls) - 1) / 2) * wide * gap * bars
            xs, ps = [x + shift for x, _ in points], [p for _, p in points]
            look = {"color": CYCLE[k], "label": literal(roll.name)}
            if bars:
                axes.bar(xs, ps, width=wide * gap, alpha=0.85, **look)
            else:
                axes.plot(xs, ps, **look)
            if normal and law.variance:
                curve = _curve(law, points, gap)
                axes.plot(*curve, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), label="normal")
            if rolled:
                shares = [counts[k][Fraction(x)] / rolled for x, _ in points]
                axes.plot(
                    xs,
                    shares,
                    "o",
                    color=INK,
                    markerfacecolor="white",
                    markersize=3.4,
                    label=f"{rolled:,} rolls",
                )
        axes.set_ylim(bottom=0)
        percent_axis(axes.yaxis, 0 if axes.get_ylim()[1] > 0.05 else 1)
        if all(x.is_integer() for points in drawn for x, _ in points):
            whole_axis(axes.xaxis)
        axes.set_xlabel("total")
        axes.set_ylabel("probability")
        axes.legend(loc="upper right")
        return figure


def _drawn(law: Distribution) -> list[tuple[float, float]]:
    """The totals between the tails, and their probabilities."""
    low, high = law.quantile(TAIL), law.quantile(1 - TAIL)
    if isinstance(law, Finite):
        return [(float(x), float(p)) for x, p in law.items() if low <= x <= high]
    return [(float(x), float(law.pmf(x))) for x in range(int(low), int(high) + 1)]


def _curve(
    law: Distribution, points: Sequence[tuple[float, float]], gap: float
) -> tuple[list[float], list[float]]:
    """The normal density with the distribution's mean and deviation, times the gap of its
    lattice.
    """
    from math import exp, pi, sqrt

    mean, std = float(law.mean), law.std
    low, high = points[0][0] - gap, points[-1][0] + gap
    xs = [low + (high - low) * k / 200 for k in range(201)]
    scale = gap / (std * sqrt(2 * pi))
    return xs, [scale * exp(-(((x - mean) / std) ** 2) / 2) for x in xs]
