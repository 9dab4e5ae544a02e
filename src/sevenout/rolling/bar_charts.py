"""Bar charts of distributions: HTML for notebooks, matplotlib for everything else."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from sevenout.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_BARS, MAX_POINTS = 60, 10_000
"""A table in a notebook has at most this many rows, a picture this many points: the likeliest."""


def bars_html(caption: str, law: Mapping[Any, Fraction]) -> str:
    """A table with a bar for each outcome that grows to the right.

    >>> bars_html("a coin", {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}).count("<tr>")
    2
    """
    rows = _rows(law, MAX_BARS)
    peak = max(p for _, p in rows)
    cells = "".join(
        f"<tr><td>{escape(str(x))}</td><td>{p:.3%}</td><td style='width:20em;text-align:left'>"
        f"<div style='background:#4477aa;height:.8em;width:{100 * p / peak:.1f}%'></div></td></tr>"
        for x, p in rows
    )
    return f"<table><caption>{escape(caption)}</caption>{cells}</table>"


def plot_bars(
    laws: Sequence[Mapping[Any, Fraction]], axes: "Axes | None", labels: Iterable[str]
) -> "Axes":
    """Bars for one distribution, a line for each of several, on matplotlib axes."""
    require("matplotlib", "plots")
    from matplotlib import pyplot

    if axes is None:
        axes = pyplot.subplots()[1]
    names = [*labels]
    for i, law in enumerate(laws):
        rows = _rows(law, MAX_POINTS)
        numbers = all(isinstance(x, int | Fraction) for x, _ in rows)
        xs = [float(x) if numbers else str(x) for x, _ in rows]
        heights = [p for _, p in rows]
        name = names[i] if i < len(names) else None
        if len(laws) == 1:
            axes.bar(xs, heights, label=name)
        else:
            axes.plot(xs, heights, "o-", label=name)
    axes.set_ylabel("probability")
    if names:
        axes.legend()
    return axes


def _rows(law: Mapping[Any, Fraction], max_rows: int) -> list[tuple[Any, float]]:
    """The likeliest outcomes in order, with their probabilities."""
    try:
        outcomes: list[Any] = sorted(law)
    except TypeError:  # labels beside numbers
        outcomes = list(law)
    if len(outcomes) > max_rows:
        likeliest = set(sorted(outcomes, key=lambda x: law[x])[-max_rows:])
        outcomes = [x for x in outcomes if x in likeliest]
    return [(x, float(law[x])) for x in outcomes]
