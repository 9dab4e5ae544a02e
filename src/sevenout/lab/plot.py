"""Plots as SVG whose shapes stretch with the page and whose words, set in HTML, never do.

Axis labels are printed from the tick itself with as many decimals as the step needs, so that no
label says more or less than where it stands.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from sevenout.lab.markup import Markup, render, tag

SIDE = 1000
"""The square in which shapes are drawn."""


@dataclass(frozen=True)
class Axis:
    """An axis from `low` to `high`, with ticks (value, label)."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    title: str = ""

    def at(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        return (value - self.low) / ((self.high - self.low) or 1.0)


def step_of(span: float, ticks: int) -> float:
    """A step of 1, 2 or 5 times a power of ten that makes about so many ticks.

    >>> step_of(0.013, 5), step_of(100, 4)
    (0.002, 20.0)
    """
    rough = span / max(ticks, 1)
    power = 10.0 ** floor(log10(rough))
    return min((1, 2, 5, 10), key=lambda m: abs(m * power - rough)) * power


def axis(
    low: float,
    high: float,
    title: str = "",
    ticks: int = 5,
    label: Callable[[float, int], str] | None = None,
) -> Axis:
    """An axis with round ticks.

    >>> [text for _, text in axis(0.4913, 0.4999).ticks]
    ['0.492', '0.494', '0.496', '0.498']

    Args:
        low: what is drawn lies above.
        high: what is drawn lies below.
        title: what is measured.
        ticks: about how many.
        label: a tick as text, given how many decimals tell it from its neighbours.
    """
    if high <= low:
        low, high = low - 0.5, high + 0.5
    step = step_of(high - low, ticks)
    digits = max(0, -floor(log10(step) + 1e-9))
    shown = label or (lambda value, places: f"{value:,.{places}f}")
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    places = tuple(k * step for k in range(first, last + 1))
    return Axis(low, high, tuple((v, shown(v, digits)) for v in places), title)


def percent(value: float, places: int) -> str:
    """A share as a percentage, as exactly as its place on the axis.

    >>> percent(0.4925, 4)
    '49.25 %'
    """
    return f"{100 * value:,.{max(0, places - 2)}f} %"


def plot(
    x: Axis, y: Axis, *shapes: Markup, notes: Iterable[Markup] = (), caption: str, kind: str = ""
) -> Markup:
    """A plot; `caption` is what it says to those who can't see it."""
    grid = [tag("line", x1=0, x2=SIDE, y1=_y(y, v), y2=_y(y, v), class_="grid") for v, _ in y.ticks]
    base = tag("line", x1=0, x2=SIDE, y1=SIDE, y2=SIDE, class_="axis")
    svg = tag(
        "svg",
        tag("title", caption),
        *grid,
        *shapes,
        base,
        viewBox=f"0 0 {SIDE} {SIDE}",
        preserveAspectRatio="none",
        role="img",
    )
    labels = [
        tag("span", text, class_="tick x", style=f"left:{100 * x.at(v):.3f}%")
        for v, text in x.ticks
    ] + [
        tag("span", text, class_="tick y", style=f"top:{100 - 100 * y.at(v):.3f}%")
        for v, text in y.ticks
    ]
    titles = [
        tag("span", text, class_=f"title {where}")
        for text, where in ((x.title, "x"), (y.title, "y"))
        if text
    ]
    words = tag("div", labels, titles, list(notes), aria_hidden="true")
    return tag("div", tag("div", svg, words, class_=_kinds(kind, x)), class_="plot-room")


def _kinds(kind: str, x: Axis) -> str:
    """Where there are many ticks, a narrow page shows every other one."""
    return " ".join(filter(None, ("plot", kind, "many" if len(x.ticks) > 6 else "")))


def bars(
    x: Axis, y: Axis, items: Sequence[tuple[float, float, float, str]], off: Iterable[int] = ()
) -> Markup:
    """Bars (from, to, height, words); those whose number is in `off` are greyed."""
    grey = set(off)
    out = []
    for i, (left, right, height, words) in enumerate(items):
        x1, x2 = SIDE * x.at(left), SIDE * x.at(right)
        top = _y(y, height)
        kind = "bar-fill off" if i in grey else "bar-fill"
        path = f"M{x1:.1f},{SIDE} V{top:.1f} H{x2:.1f} V{SIDE} z"
        out.append(tag("path", tag("title", words), d=path, class_=kind))
    return render(out)


def line(x: Axis, y: Axis, points: Iterable[tuple[float, float]], kind: str = "") -> Markup:
    """A line through points."""
    d = " ".join(f"{SIDE * x.at(a):.1f},{_y(y, b):.1f}" for a, b in points)
    return tag("polyline", points=d, class_=f"line {kind}".strip())


def band(x: Axis, y: Axis, points: Sequence[tuple[float, float, float]]) -> Markup:
    """The band between (x, low, high)."""
    there = [f"{SIDE * x.at(a):.1f},{_y(y, high):.1f}" for a, _, high in points]
    back = [f"{SIDE * x.at(a):.1f},{_y(y, low):.1f}" for a, low, _ in reversed(points)]
    return tag("polygon", points=" ".join(there + back), class_="band")


def level(y: Axis, value: float) -> Markup:
    """A dashed line at a height."""
    return tag("line", x1=0, x2=SIDE, y1=_y(y, value), y2=_y(y, value), class_="mark")


def upright(x: Axis, value: float) -> Markup:
    """A dashed line at a place."""
    at = f"{SIDE * x.at(value):.1f}"
    return tag("line", x1=at, x2=at, y1=0, y2=SIDE, class_="mark")


def note(y: Axis, value: float, text: str) -> Markup:
    """Words at a height, at the right end."""
    return tag("span", text, class_="note", style=f"top:{100 - 100 * y.at(value):.3f}%")


def _y(y: Axis, value: float) -> float:
    return round(SIDE * (1 - min(max(y.at(value), -0.02), 1.02)), 1)
