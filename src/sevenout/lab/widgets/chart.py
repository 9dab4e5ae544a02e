"""Charts as SVG: shapes stretch with the page, text doesn't, colours are classes.

Shapes lie in a square of 1,000 units that is stretched over the plot; ticks and text stand at
percentages of it. So one drawing fits a phone and a desk, in light and dark, without a script. Tick
labels have as many decimals as the step needs.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from math import ceil, floor, log10
from operator import itemgetter
from typing import NamedTuple

from markupsafe import Markup

from sevenout.documents.numbers import minus

SIDE = 1000
"""The side of the square, in units."""
Area = tuple[float, float, float, float]
"""A part of the plot, in the units of its axes: left, right, bottom, top."""
LABEL_LIMIT = 0.995
"""Beyond this part of the axis a tick's text ends at the tick, to fit on a phone."""
WORD_ATTRIBUTES = 'class="word" dx="7" dy="-5"'
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #55595f; }
.title, .word { font-weight: 600; fill: #1a1a1a; }
line { stroke-width: 1; vector-effect: non-scaling-stroke; } .grid { stroke: #e2e1dc; }
.axis { stroke: #8a8a8a; } .mark { stroke: #1a1a1a; stroke-dasharray: 4 3; }
.fill { fill: #0072b2; } .fill.two, .fill.craps { fill: #d55e00; } .fill.off { fill: #d9d8d2; }
.fill.point { fill: #8a9096; } .fill.push { fill: #e69f00; } .fill.again { fill: #cc79a7; }
.line { fill: none; stroke: #0072b2; stroke-width: 1.75; vector-effect: non-scaling-stroke; }
.line.two { stroke: #d55e00; } .line.three { stroke: #00795c; } .dot { fill: #0072b2; }
.band { fill: #0072b2; opacity: .16; } .band.two { fill: #d55e00; } .band.three { fill: #00795c; }
""".strip()
"""The style sheet of a drawing outside the lab; in a page the classes have the page's colours."""


@dataclass(frozen=True)
class Axis:
    """An axis from `low` to `high`, with ticks (value, label).

    The title names the quantity. A logarithmic scale begins above 0.
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    title: str = ""
    is_logarithmic: bool = False

    def position_of(self, value: float) -> float:
        """The position of a value, from 0 to 1."""
        if self.is_logarithmic:
            # 0 has no place on a logarithmic axis, so it stands at the start.
            return log10(max(value, self.low) / self.low) / (log10(self.high / self.low) or 1.0)
        return (value - self.low) / ((self.high - self.low) or 1.0)


def tick_step(span: float, ticks: int) -> float:
    """A step of 1, 2 or 5 times a power of ten for about this many ticks.

    >>> tick_step(0.013, 5), tick_step(100, 4)
    (0.002, 20.0)
    """
    ideal = span / max(ticks, 1)
    power = 10.0 ** floor(log10(ideal))
    return min((1, 2, 5, 10), key=lambda digit: abs(digit * power - ideal)) * power


def axis(
    low: float,
    high: float,
    title: str = "",
    ticks: int = 5,
    label: Callable[[float, int], str] | None = None,
) -> Axis:
    """An axis with about `ticks` round ticks; `label` makes a tick's text from its value and
    decimals.

    >>> [text for _, text in axis(0.4913, 0.4999).ticks]
    ['0.492', '0.494', '0.496', '0.498']
    """
    # A single value gives no step, because 0 has no logarithm.
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = tick_step(high - low, ticks)
    # The logarithm of a power of ten may come out just below a whole number.
    digits = max(0, -floor(log10(step) + 1e-9))
    label = label or (lambda value, decimals: minus(f"{value:,.{decimals}f}"))
    # Rounding must not lose a tick at the very end of the axis.
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    values = (k * step for k in range(first, last + 1))
    return Axis(low, high, tuple((value, label(value, digits)) for value in values), title)


def decades(low: float, high: float, title: str = "") -> Axis:
    """A logarithmic axis from above 0, with a tick at every power of ten, or every second one.

    >>> [text for _, text in decades(1, 10**6).ticks]
    ['1', '10', '100', '1,000', '10^4', '10^5', '10^6']
    """
    first, last = floor(log10(low)), ceil(log10(max(high, low * 10)))
    step = 1 if last - first <= 7 else 2
    powers = range(first, last + 1, step)
    ticks = tuple((10.0**k, f"{10**k:,}" if 0 <= k < 4 else minus(f"10^{k}")) for k in powers)
    return Axis(10.0**first, 10.0**last, ticks, title, is_logarithmic=True)


def percent_label(value: float, decimals: int) -> str:
    """A share as a percentage, with the decimals of its axis.

    >>> percent_label(0.4925, 4)
    '49.25 %'
    """
    return minus(f"{100 * value:,.{max(0, decimals - 2)}f} %")


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes:
        x, y: the axes, below and at the left.
        shapes: the drawing, in units of the square.
        caption: its text for screen readers.
        labels: text in the plot: (value of x, value of y, text).
        legend: the lines' names: (class, name).
    """

    x: Axis
    y: Axis
    shapes: str
    caption: str
    labels: tuple[tuple[float, float, str], ...] = ()
    legend: tuple[tuple[str, str], ...] = ()

    def __html__(self) -> str:
        caption = escape(self.caption)
        # On a phone the style sheet then hides every second tick label.
        many = " many" if len(self.x.ticks) > 6 else ""
        names = "".join(
            f"<li>{swatch(css_class)}{escape(name)}</li>" for css_class, name in self.legend
        )
        legend = f'<ul class="legend">{names}</ul>' if names else ""
        # A picture has no parts for a screen reader, but links need to be told.
        role = "group" if "<a " in self.shapes else "img"
        plot = (
            f'<div class="plot{many}"><svg class="chart" width="100%" height="100%" '
            f'role="{role}" aria-label="{caption}">{self.plot_svg()}</svg></div>'
        )
        return f'<div class="drawn">{legend}{plot}</div>' if legend else plot

    def plot_svg(self) -> str:
        """The shapes, for an element the size of the plot."""
        x, y = self.x, self.y
        grid = "".join(horizontal_line(y, value, "grid") for value, _ in y.ticks)
        baseline = _rule(0, SIDE, SIDE, SIDE, "axis")
        square = (
            f'<svg width="100%" height="100%" viewBox="0 0 {SIDE} {SIDE}" overflow="visible" '
            f'preserveAspectRatio="none">{grid}{self.shapes}{baseline}</svg>'
        )
        below = []
        for value, text in x.ticks:
            position = x.position_of(value)
            anchor = "end" if position > LABEL_LIMIT else "middle"
            below.append(_label(position, 1.0, text, anchor, 'class="x" dy="18"'))
        left = [
            _label(0.0, 1 - y.position_of(value), text, "end", 'dx="-8" dy="4"')
            for value, text in y.ticks
        ]
        titles = [
            x.title and _label(1.0, 1.0, x.title, "end", 'dy="36"'),
            y.title and _label(0.0, 0.0, y.title, "start", 'dx="-44" dy="-14"'),
        ]
        words = [
            _label(x.position_of(a), 1 - y.position_of(b), text, "start", WORD_ATTRIBUTES)
            for a, b, text in self.labels
        ]
        return square + "".join([*below, *left, *titles, *words])


class ChartBar(NamedTuple):
    """A bar of a chart.

    Attributes:
        left, right: its ends on the horizontal axis.
        height: its value on the vertical axis.
        words: what the pointer shows on it.
        css_class: its colour; "" for the usual one.
    """

    left: float
    right: float
    height: float
    words: str
    css_class: str = ""


def bars(x: Axis, y: Axis, items: Iterable[ChartBar]) -> str:
    """Bars that stand on the horizontal axis."""
    shapes = []
    for bar in items:
        left, right = (SIDE * x.position_of(end) for end in (bar.left, bar.right))
        top = _y_in_square(y, bar.height)
        shapes.append(
            f'<rect x="{left:.1f}" y="{top}" width="{right - left:.1f}" '
            f'height="{SIDE - top:.1f}" class="fill {bar.css_class}">'
            f"<title>{escape(bar.words)}</title></rect>"
        )
    return "".join(shapes)


def probabilities(values: Iterable[float]) -> Axis:
    """The axis of probabilities from 0 to a little above the largest."""
    # If all are 0, the axis needs a height too.
    return axis(0.0, 1.06 * max(values) or 1.0, "probability", 4, percent_label)


def histogram(
    x: Axis,
    points: Sequence[tuple[float, float]],
    step: float,
    words: str,
    caption: str,
    *,
    marks: str = "",
) -> Chart:
    """A bar for each (value, probability), with `words` before the value of each.

    `step` is the distance of two values; `marks` are drawn above the bars.
    """
    y = probabilities(p for _, p in points)
    half = 0.4 * step
    items = (
        ChartBar(v - half, v + half, p, f"{words} {v:g}: {percent_label(p, 5)}") for v, p in points
    )
    return Chart(x, y, bars(x, y, items) + marks, caption)


def line(x: Axis, y: Axis, points: Iterable[tuple[float, float]], css_class: str = "") -> str:
    """A line through points."""
    path = " ".join(_point(x, y, a, b) for a, b in points)
    return f'<polyline points="{path}" class="line {css_class}"/>'


def dots(x: Axis, y: Axis, points: Iterable[tuple[float, float, str]]) -> str:
    """Points with words, as short round-ended strokes: a circle would be stretched."""
    return "".join(
        f'<path d="M{_point(x, y, a, b)}h0" class="dot"><title>{escape(words)}</title></path>'
        for a, b, words in points
    )


def linked_areas(x: Axis, y: Axis, areas: Iterable[tuple[Area, str, str]]) -> str:
    """Areas that a click opens: (area, address, words).

    The Tab key leaves them out: a page has fields for the same, and hundreds of stops help nobody.
    """
    return "".join(
        f'<a href="{escape(href)}" tabindex="-1"><title>{escape(words)}</title>'
        f"{rectangle(x, y, area, 'pick')}</a>"
        for area, href, words in areas
    )


def shaded_cells(rows: Sequence[Sequence[float | None]]) -> str:
    """A map of equal cells that fill the plot, the first row at the bottom.

    A cell is its shade, from 0 (grey) to 1 (the full colour); None leaves it empty. Neighbours of
    one shade are one rectangle, which keeps the page small.
    """
    shapes, height = "", SIDE / len(rows)
    for row_number, row in enumerate(rows):
        width, top = SIDE / len(row), SIDE - (row_number + 1) * height
        for shade, neighbours in groupby(enumerate(row), itemgetter(1)):
            columns = [number for number, _ in neighbours]
            look = f'class="fill" opacity="{shade:.2f}"' if shade else 'class="fill off"'
            if shade is not None:
                shapes += (
                    f'<rect x="{columns[0] * width:.1f}" y="{top:.1f}" '
                    f'width="{len(columns) * width:.1f}" height="{height:.1f}" {look}/>'
                )
    return shapes


def rectangle(x: Axis, y: Axis, area: Area, css_class: str) -> str:
    """A rectangle over an area, as far as the axes reach."""
    # A range that was asked for may go on beyond the axes.
    left, right = (SIDE * min(max(x.position_of(end), 0.0), 1.0) for end in area[:2])
    bottom, top = (SIDE * min(max(1 - y.position_of(end), 0.0), 1.0) for end in area[2:])
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
        f'height="{bottom - top:.1f}" class="{css_class}"/>'
    )


def swatch(css_class: str) -> Markup:
    """A piece of a line, for a legend."""
    return Markup(
        '<svg class="swatch chart" viewBox="0 0 22 8" aria-hidden="true">'
        f'<line x1="0" x2="22" y1="4" y2="4" class="line {css_class}"/></svg>'
    )


def stairs(x: Axis, y: Axis, points: Iterable[tuple[float, float]], css_class: str = "") -> str:
    """A line that keeps each height until the next point."""
    steps: list[tuple[float, float]] = []
    for a, b in points:
        steps += [(a, steps[-1][1]), (a, b)] if steps else [(a, b)]
    return line(x, y, steps, css_class)


def band(
    x: Axis, y: Axis, points: Sequence[tuple[float, float, float]], css_class: str = ""
) -> str:
    """The band between (x, low, high)."""
    upper = [_point(x, y, a, high) for a, _, high in points]
    # The lower edge leads back, so that the outline doesn't cross itself.
    lower = [_point(x, y, a, low) for a, low, _ in reversed(points)]
    return f'<polygon points="{" ".join(upper + lower)}" class="band {css_class}"/>'


def horizontal_line(y: Axis, value: float, css_class: str = "mark") -> str:
    """A horizontal line; by default dashed."""
    height = _y_in_square(y, value)
    return _rule(0, SIDE, height, height, css_class)


def vertical_line(x: Axis, value: float) -> str:
    """A dashed vertical line."""
    across = round(SIDE * x.position_of(value), 1)
    return _rule(across, across, 0, SIDE, "mark")


def meter(share: float, css_class: str = "", earlier: float | None = None) -> Markup:
    """A horizontal bar as long as a share, with a tick at its earlier value."""
    width = round(100 * min(max(share, 0.0), 1.0), 2)
    tick = ""
    if earlier is not None:
        tick = f'<rect class="was" x="{100 * earlier - 0.3:.2f}" width=".6" height="1"/>'
    return Markup(
        '<svg class="meter" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="fill {css_class}" width="{width}" height="1"/>{tick}</svg>'
    )


def column(share: float, css_class: str) -> Markup:
    """A vertical bar as high as a share."""
    height = round(100 * min(max(share, 0.0), 1.0), 2)
    return Markup(
        '<svg class="column" viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="fill {css_class}" y="{100 - height:.2f}" width="1" height="{height}"/></svg>'
    )


def _rule(x1: float, x2: float, y1: float, y2: float, css_class: str) -> str:
    return f'<line x1="{x1}" x2="{x2}" y1="{y1}" y2="{y2}" class="{css_class}"/>'


def _point(x: Axis, y: Axis, across: float, up: float) -> str:
    """A point of the plot in units of the square."""
    return f"{SIDE * x.position_of(across):.1f},{_y_in_square(y, up)}"


def _y_in_square(y: Axis, value: float) -> float:
    """The vertical position of a value in the square, from its top."""
    # What lies outside the plot is drawn too, and would cover the page.
    return round(SIDE * (1 - min(max(y.position_of(value), -0.02), 1.02)), 1)


def _label(x: float, y: float, text: str, anchor: str, attributes: str) -> str:
    """A text at a part of the width and of the height; what follows a caret is raised."""
    number, caret, power = text.partition("^")
    raised = f'<tspan dy="-4" font-size="9">{escape(power)}</tspan>' if caret else ""
    return (
        f'<text x="{100 * x:.3f}%" y="{100 * y:.3f}%" text-anchor="{anchor}" {attributes}>'
        f"{escape(number)}{raised}</text>"
    )
