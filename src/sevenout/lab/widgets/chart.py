"""Charts as SVG: shapes stretch with the page, text doesn't, colours are classes.

Shapes lie in a square of 1,000 units that is stretched over the plot; ticks and text stand at
percentages of it. So one drawing fits a phone and a desk, in light and dark, without a script. Tick
labels have as many decimals as the step needs.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

SIDE = 1000
INSIDE = 0.995
"""Beyond this part of the axis a tick's text ends at the tick, to fit on a phone."""
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


@dataclass(frozen=True)
class Axis:
    """An axis from `low` to `high`, with ticks (value, label).

    The title names the quantity; `log` makes the scale logarithmic.
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    title: str = ""
    log: bool = False

    def at(self, value: float) -> float:
        """The position of a value, from 0 to 1."""
        if self.log:
            # 0 has no place on a logarithmic axis, so it stands at the start.
            return log10(max(value, self.low) / self.low) / (log10(self.high / self.low) or 1.0)
        return (value - self.low) / ((self.high - self.low) or 1.0)


def step_of(span: float, ticks: int) -> float:
    """A step of 1, 2 or 5 times a power of ten for about this many ticks.

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
    """An axis with about `ticks` round ticks; `label` makes a tick's text from its value and
    decimals.

    >>> [text for _, text in axis(0.4913, 0.4999).ticks]
    ['0.492', '0.494', '0.496', '0.498']
    """
    # A single value gives no step, because 0 has no logarithm.
    if high <= low:
        low, high = low - 0.5, high + 0.5
    step = step_of(high - low, ticks)
    # The logarithm of a power of ten may come out just below a whole number.
    digits = max(0, -floor(log10(step) + 1e-9))
    shown = label or (lambda value, places: f"{value:,.{places}f}".replace("-", "−"))
    # Rounding must not lose a tick at the very end of the axis.
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    places = tuple(k * step for k in range(first, last + 1))
    return Axis(low, high, tuple((v, shown(v, digits)) for v in places), title)


def decades(low: float, high: float, title: str = "") -> Axis:
    """A logarithmic axis with a tick at every power of ten, or every second one.

    >>> [text for _, text in decades(1, 10**6).ticks]
    ['1', '10', '100', '1,000', '10^4', '10^5', '10^6']
    """
    first, last = floor(log10(low)), ceil(log10(max(high, low * 10)))
    every = 1 if last - first <= 7 else 2
    powers = range(first, last + 1, every)
    ticks = tuple((10.0**k, f"{10**k:,}" if 0 <= k < 4 else f"10^{k}") for k in powers)
    return Axis(10.0**first, 10.0**last, ticks, title, log=True)


def percent(value: float, places: int) -> str:
    """A share as a percentage, with the decimals of its axis.

    >>> percent(0.4925, 4)
    '49.25 %'
    """
    return f"{100 * value:,.{max(0, places - 2)}f} %".replace("-", "−")


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes:
        x, y: the axes, below and at the left.
        shapes: the drawing, in units of the square.
        caption: its text for screen readers.
        words: text in the plot: (value of x, value of y, text).
        legend: the lines' names: (class, name).
    """

    x: Axis
    y: Axis
    shapes: str
    caption: str
    words: tuple[tuple[float, float, str], ...] = ()
    legend: tuple[tuple[str, str], ...] = ()

    def inline(self) -> str:
        """The drawing as a part of a page."""
        caption = escape(self.caption)
        many = " many" if len(self.x.ticks) > 6 else ""
        names = "".join(f"<li>{swatch(kind)}{escape(name)}</li>" for kind, name in self.legend)
        legend = f'<ul class="legend">{names}</ul>' if names else ""
        # A picture has no parts for a screen reader, but links need to be told.
        role = "group" if "<a " in self.shapes else "img"
        plot = (
            f'<div class="plot{many}"><svg class="chart" width="100%" height="100%" '
            f'role="{role}" aria-label="{caption}">{self.inside()}</svg></div>'
        )
        return f'<div class="drawn">{legend}{plot}</div>' if legend else plot

    def inside(self) -> str:
        """The shapes, for an element the size of the plot."""
        x, y = self.x, self.y
        grid = "".join(_rule(0, SIDE, _y(y, v), _y(y, v), "grid") for v, _ in y.ticks)
        base = _rule(0, SIDE, SIDE, SIDE, "axis")
        square = (
            f'<svg width="100%" height="100%" viewBox="0 0 {SIDE} {SIDE}" overflow="visible" '
            f'preserveAspectRatio="none">{grid}{self.shapes}{base}</svg>'
        )
        below = (
            _text(x.at(v), 1.0, t, "end" if x.at(v) > INSIDE else "middle", 'class="x" dy="18"')
            for v, t in x.ticks
        )
        left = (_text(0.0, 1 - y.at(v), t, "end", 'dx="-8" dy="4"') for v, t in y.ticks)
        titles = [
            x.title and _text(1.0, 1.0, x.title, "end", 'dy="36"'),
            y.title and _text(0.0, 0.0, y.title, "start", 'dx="-44" dy="-14"'),
        ]
        words = (
            _text(x.at(a), 1 - y.at(b), t, "start", 'class="word" dx="7" dy="-5"')
            for a, b, t in self.words
        )
        return square + "".join([*below, *left, *titles, *words])


def bars(x: Axis, y: Axis, items: Iterable[tuple[float, float, float, str, str]]) -> str:
    """Bars (from, to, height, words, class)."""
    out = []
    for left, right, height, words, kind in items:
        x1, x2, top = SIDE * x.at(left), SIDE * x.at(right), _y(y, height)
        out.append(
            f'<rect x="{x1:.1f}" y="{top}" width="{x2 - x1:.1f}" height="{SIDE - top:.1f}" '
            f'class="fill {kind}"><title>{escape(words)}</title></rect>'
        )
    return "".join(out)


def probabilities(values: Iterable[float]) -> Axis:
    """The axis of probabilities from 0 to a little above the largest."""
    return axis(0.0, 1.06 * max(values), "probability", 4, percent)


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
    items = ((v - half, v + half, p, f"{words} {v:g}: {percent(p, 5)}", "") for v, p in points)
    return Chart(x, y, bars(x, y, items) + marks, caption)


def line(x: Axis, y: Axis, points: Iterable[tuple[float, float]], kind: str = "") -> str:
    """A line through points."""
    at = " ".join(f"{SIDE * x.at(a):.1f},{_y(y, b)}" for a, b in points)
    return f'<polyline points="{at}" class="line {kind}"/>'


def dots(x: Axis, y: Axis, points: Iterable[tuple[float, float, str]]) -> str:
    """Points with words, as short round-ended strokes: a circle would be stretched."""
    return "".join(
        f'<path d="M{SIDE * x.at(a):.1f},{_y(y, b)}h0" class="dot">'
        f"<title>{escape(t)}</title></path>"
        for a, b, t in points
    )


def links(x: Axis, y: Axis, areas: Iterable[tuple[float, float, float, float, str, str]]) -> str:
    """Areas (left, right, bottom, top, address, words) that a click opens.

    The Tab key leaves them out: a page has fields for the same, and hundreds of stops help nobody.
    """
    return "".join(
        f'<a href="{escape(href)}" tabindex="-1"><title>{escape(words)}</title>'
        f"{_area(x, y, area, 'pick')}</a>"
        for *area, href, words in areas
    )


def outline(x: Axis, y: Axis, area: Sequence[float]) -> str:
    """A frame around an area (left, right, bottom, top)."""
    return _area(x, y, area, "chosen")


def _area(x: Axis, y: Axis, area: Sequence[float], kind: str) -> str:
    left, right = (SIDE * min(max(x.at(value), 0.0), 1.0) for value in area[:2])
    low, high = (SIDE * min(max(1 - y.at(value), 0.0), 1.0) for value in area[2:])
    return (
        f'<rect x="{left:.1f}" y="{high:.1f}" width="{right - left:.1f}" '
        f'height="{low - high:.1f}" class="{kind}"/>'
    )


def swatch(kind: str) -> str:
    """A piece of a line, for a legend."""
    return (
        '<svg class="swatch chart" viewBox="0 0 22 8" aria-hidden="true">'
        f'<line x1="0" x2="22" y1="4" y2="4" class="line {kind}"/></svg>'
    )


def stairs(x: Axis, y: Axis, points: Iterable[tuple[float, float]], kind: str = "") -> str:
    """A line that keeps each height until the next point."""
    steps: list[tuple[float, float]] = []
    for a, b in points:
        steps += [(a, steps[-1][1]), (a, b)] if steps else [(a, b)]
    return line(x, y, steps, kind)


def band(x: Axis, y: Axis, points: Sequence[tuple[float, float, float]], kind: str = "") -> str:
    """The band between (x, low, high)."""
    upper = [f"{SIDE * x.at(a):.1f},{_y(y, high)}" for a, _, high in points]
    back = [f"{SIDE * x.at(a):.1f},{_y(y, low)}" for a, low, _ in reversed(points)]
    return f'<polygon points="{" ".join(upper + back)}" class="band {kind}"/>'


def level(y: Axis, value: float) -> str:
    """A dashed horizontal line."""
    return _rule(0, SIDE, _y(y, value), _y(y, value), "mark")


def vertical_line(x: Axis, value: float) -> str:
    """A dashed vertical line."""
    at = round(SIDE * x.at(value), 1)
    return _rule(at, at, 0, SIDE, "mark")


def meter(share: float, kind: str = "", was: float | None = None) -> str:
    """A horizontal bar as long as a share, with a tick at its earlier value."""
    width = round(100 * min(max(share, 0.0), 1.0), 2)
    tick = (
        ""
        if was is None
        else f'<rect class="was" x="{100 * was - 0.3:.2f}" width=".6" height="1"/>'
    )
    return (
        '<svg class="meter" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="fill {kind}" width="{width}" height="1"/>{tick}</svg>'
    )


def column(share: float, kind: str) -> str:
    """A vertical bar as high as a share."""
    high = round(100 * min(max(share, 0.0), 1.0), 2)
    return (
        '<svg class="column" viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="fill {kind}" y="{100 - high:.2f}" width="1" height="{high}"/></svg>'
    )


def _rule(x1: float, x2: float, y1: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1}" x2="{x2}" y1="{y1}" y2="{y2}" class="{kind}"/>'


def _y(y: Axis, value: float) -> float:
    # What lies outside the plot is drawn too, and would cover the page.
    return round(SIDE * (1 - min(max(y.at(value), -0.02), 1.02)), 1)


def _text(x: float, y: float, text: str, anchor: str, more: str) -> str:
    """A text at a part of the width and of the height; what follows a caret is raised."""
    base, caret, power = text.partition("^")
    raised = f'<tspan dy="-4" font-size="9">{escape(power)}</tspan>' if caret else ""
    return (
        f'<text x="{100 * x:.3f}%" y="{100 * y:.3f}%" text-anchor="{anchor}" {more}>'
        f"{escape(base)}{raised}</text>"
    )
