"""Bars and intervals in the cells of a table.

A drawing is a string of letters for a terminal, a file or a program. HTML draws its shapes instead,
without rounding them to letters.
"""

from fractions import Fraction

BAR_WIDTH, INTERVAL_WIDTH = 20, 25
"""The characters of a full bar, and of an interval."""
EIGHTHS = " ▏▎▍▌▋▊▉"
SVG_WIDTH, SVG_HEIGHT = 200, 12
"""The size of a drawing as SVG."""


class Drawing(str):
    """A cell that is drawn.

    Attributes:
        shapes: SVG without its frame, in a box of `SVG_WIDTH` by `SVG_HEIGHT`.
        label: what a screen reader says of it; "" if the cells beside it say the same.
    """

    shapes: str
    label: str

    def __new__(cls, text: str, shapes: str = "", label: str = "") -> "Drawing":
        drawing = super().__new__(cls, text)
        drawing.shapes, drawing.label = shapes, label
        return drawing

    def svg(self) -> str:
        """The drawing as SVG, in the colour of the text."""
        role = f'role="img" aria-label="{self.label}"' if self.label else 'aria-hidden="true"'
        return (
            f'<svg class="drawing" viewBox="0 0 {SVG_WIDTH} {SVG_HEIGHT}" width="{SVG_WIDTH}" '
            f'height="{SVG_HEIGHT}" {role}>{self.shapes}</svg>'
        )


def bar(share: Fraction, width: int = BAR_WIDTH) -> Drawing:
    """A bar, in characters to an eighth of one; a positive share is never blank.

    >>> bar(Fraction(1, 2), 5), bar(Fraction(1, 10**9), 5), bar(Fraction(0), 5)
    ('██▌', '▏', '')
    >>> bar(Fraction(1, 2)).shapes
    '<rect width="100" height="12" fill="currentColor"/>'
    """
    # never blank: what can come must not look impossible
    eighths = max(round(8 * width * share), int(share > 0))
    svg_width = round(max(SVG_WIDTH * float(share), 0.5 * (share > 0)), 1)
    return Drawing(
        ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip(),
        f'<rect width="{svg_width:g}" height="{SVG_HEIGHT}" fill="currentColor"/>',
    )


def interval(low: float, high: float, estimate: float, centre: float, span: float) -> Drawing:
    """An interval over centre ± span; in characters ─ the interval, ● the estimate, │ the centre.

    >>> interval(0.4, 0.6, 0.5, 0.5, 0.2)
    '      ──────●──────      '
    >>> interval(0.5, 0.6, 0.55, 0.5, 0.2)
    '            │──●───      '
    >>> interval(0.5, 0.6, 0.55, 0.5, 0.2).label
    '0.5 to 0.6'
    """

    def share(x: float) -> float:
        offset = (x - centre) / span if span else 0.0
        # what lies beyond the span is drawn at its end
        return (max(-1.0, min(1.0, offset)) + 1) / 2

    first, last, mark, point = (
        round(share(x) * (INTERVAL_WIDTH - 1)) for x in (low, high, centre, estimate)
    )
    cells = [" "] * INTERVAL_WIDTH
    cells[first : last + 1] = "─" * (last - first + 1)
    # in this order: the estimate covers the mark, and the mark the interval
    cells[mark] = "│"
    cells[point] = "●"
    # the point has its radius inside the box
    left, right, mark_x, estimate_x = (
        round(5 + (SVG_WIDTH - 10) * share(x), 1) for x in (low, high, centre, estimate)
    )
    return Drawing(
        "".join(cells),
        f'<path d="M{left} {SVG_HEIGHT / 2}H{right}" stroke="currentColor" stroke-width="2"/>'
        f'<path d="M{mark_x} 0V{SVG_HEIGHT}" stroke="currentColor"/>'
        f'<circle cx="{estimate_x}" cy="{SVG_HEIGHT / 2}" r="4" fill="currentColor"/>',
        f"{low:.4g} to {high:.4g}",
    )
