"""A card as a standalone picture: SVG, in light colours, with its source.

Widths are estimated from the number of characters, since no font is at hand.
"""

from html import escape
from textwrap import wrap
from typing import NamedTuple, get_args

from sevenout.documents import Facts, Picture, Table, Text
from sevenout.documents.numbers import minus, percent
from sevenout.lab.widgets.chart import STYLE, Chart
from sevenout.lab.widgets.parts import Bars, Hero

WIDTH, MARGIN, ROW_HEIGHT, CHARACTER, GAP = 720, 28, 25, 7.6, 22.0
"""Pixels: the picture, its margin, a table row, a character of 13 pixels, between two columns."""
MAX_BAR = 360.0
"""Pixels of the longest bar."""
MAX_CELL, MAX_ROWS = 52, 60
"""Characters of a cell, and rows of a table; what is left out has a mark or a note."""
STYLE_SHEET = (
    STYLE
    + """
text { font-size: 13px; fill: #1b1b19; } .title { font: 600 19px Georgia, serif; }
.soft { fill: #5c5d5a; font-size: 12px; }
.huge { font: 44px system-ui, sans-serif; }
.large { font: 30px system-ui, sans-serif; }
.strong { font-weight: 600; } .rule { stroke: #dcdad2; }
.line { stroke-width: 1.75; } .line.two { stroke-dasharray: 5 3; }
.line.three { stroke-dasharray: 2 2; } .line.thin { stroke-width: 1; }
.dot { stroke: #003f63; stroke-width: 6; stroke-linecap: round; fill: none;
vector-effect: non-scaling-stroke; } .foot { font-size: 11px; fill: #8a8a8a; }"""
)
RIGHT_ALIGNED = ("number", "exact")
DrawablePart = Table | Facts | Text | Chart | Hero | Bars | Picture
DRAWABLE = get_args(DrawablePart)
"""The parts of a card that can be drawn."""


class CardDrawing(NamedTuple):
    """A part of a card as SVG, from its top left corner.

    Attributes:
        svg: its elements.
        width, height: its size in pixels.
    """

    svg: str
    width: float
    height: float


def card_svg(title: str, parts: list[DrawablePart], subject: str, foot: str) -> str:
    """The picture of a card, with its subject and, at its foot, its source."""
    # A diagram is a picture already, with a size of its own.
    if len(parts) == 1 and isinstance(parts[0], Picture):
        return parts[0].svg
    drawings = [_drawing(part) for part in parts]
    width = max(WIDTH, *(drawing.width + 2 * MARGIN for drawing in drawings))
    body, y = [], 64.0
    for drawing in drawings:
        body.append(f'<g transform="translate({MARGIN},{y:.0f})">{drawing.svg}</g>')
        y += drawing.height + 18
    height = y + 22
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}"><style>{STYLE_SHEET}</style>'
        f"<title>{escape(title)}</title>"
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>'
        f'<text class="title" x="{MARGIN}" y="38">{escape(title)}</text>'
        f'<text class="soft" x="{width - MARGIN:.0f}" y="38" text-anchor="end">'
        f"{escape(subject)}</text>"
        f"{''.join(body)}"
        # The foot is one line, which a longer address would leave at the right.
        f'<text class="foot" x="{MARGIN}" y="{height - 14:.0f}">{escape(foot[:110])}</text></svg>'
    )


def _drawing(part: DrawablePart) -> CardDrawing:
    """The drawing of a part of a card, by its kind."""
    match part:
        case Chart():
            return _chart(part)
        case Table() | Facts():
            rows = part.printed(MAX_CELL)
            return _table(part.heads, rows, [kind.setting for kind in part.kinds])
        case Text():
            return _paragraph(part.text)
        case Hero():
            return _hero(part)
        case Bars():
            return _bars(part)
        case Picture():
            return _paragraph(part.caption)


def _paragraph(text: str) -> CardDrawing:
    """A text in lines that fit the width."""
    lines = wrap(text, int((WIDTH - 2 * MARGIN) / CHARACTER) + 4)
    texts = (f'<text y="{13 + 19 * i}">{escape(line)}</text>' for i, line in enumerate(lines))
    return CardDrawing("".join(texts), WIDTH - 2 * MARGIN, 19.0 * len(lines))


def _chart(chart: Chart) -> CardDrawing:
    """A chart below its legend."""
    legend, x = [], 0.0
    for css_class, name in chart.legend:
        legend.append(
            f'<line class="line {css_class}" x1="{x:.0f}" x2="{x + 22:.0f}" y1="5" y2="5"/>'
            f'<text class="soft" x="{x + 30:.0f}" y="9">{escape(name)}</text>'
        )
        x += 30 + CHARACTER * len(name) + 24
    top = 60 if legend else 30
    plot = (
        f'<svg x="56" y="{top}" width="600" height="270" overflow="visible">'
        f"{chart.plot_svg()}</svg>"
    )
    return CardDrawing("".join(legend) + plot, max(660.0, x), top + 270 + 40.0)


def _table(heads: list[str], rows: list[list[str]], settings: list[str]) -> CardDrawing:
    """A table; `settings` are how the columns are set, by `documents.kinds`."""
    has_head = any(heads)
    lines = [[_shorten(minus(text)) for text in row] for row in rows[:MAX_ROWS]]
    if has_head:
        lines.insert(0, heads)
    widths = [
        CHARACTER * max((len(line[column]) for line in lines), default=0)
        for column in range(len(settings))
    ]
    gaps = GAP * (len(widths) - 1)
    # The names at the left, or else the last numbers, take up the room that is left.
    widest = 0 if settings[0] not in RIGHT_ALIGNED else len(widths) - 1
    widths[widest] += max(0.0, WIDTH - 2 * MARGIN - sum(widths) - gaps)
    lefts = [sum(widths[:column]) + GAP * column for column in range(len(widths))]
    table_width, svg, y = sum(widths) + gaps, [], 0.0
    for row_number, line in enumerate(lines):
        for text, setting, left, width in zip(line, settings, lefts, widths, strict=True):
            is_right = setting in RIGHT_ALIGNED
            x = left + (width if is_right else 0)
            is_soft = (has_head and not row_number) or setting in ("exact", "note")
            css_class = ' class="soft"' if is_soft else ""
            anchor = ' text-anchor="end"' if is_right else ""
            svg.append(
                f'<text x="{x:.1f}" y="{y + 15:.0f}"{css_class}{anchor}>{escape(text)}</text>'
            )
        y += ROW_HEIGHT
        if row_number < len(lines) - 1:
            svg.append(
                f'<line class="rule" x2="{table_width:.0f}" y1="{y - 2:.0f}" y2="{y - 2:.0f}"/>'
            )
    if len(rows) > MAX_ROWS:
        note = f"and {len(rows) - MAX_ROWS:,} more rows"
        svg.append(f'<text class="soft" y="{y + 15:.0f}">{note}</text>')
        y += ROW_HEIGHT
    return CardDrawing("".join(svg), table_width, y)


def _hero(hero: Hero) -> CardDrawing:
    """The main figures side by side, and their sentence below."""
    svg, x = [], 0.0
    for figure in hero.figures:
        size = 25.0 if figure.big else 17.0
        small_text = escape(_shorten(minus(figure.small_text)))
        css_class = "huge" if figure.big else "large"
        svg.append(
            f'<g transform="translate({x:.0f},0)"><text class="soft" y="11">'
            f'{escape(figure.label)}</text><text class="{css_class}" y="54">'
            f'{escape(minus(figure.value))}</text><text class="soft" y="74">{small_text}</text></g>'
        )
        longest_small = max(len(figure.label), len(small_text))
        x += max(size * len(figure.value), CHARACTER * longest_small) + 28
    height = 82.0
    if hero.words:
        words = _paragraph(hero.words)
        svg.append(f'<g transform="translate(0,92)">{words.svg}</g>')
        height += words.height + 10
    return CardDrawing("".join(svg), x, height)


def _bars(bars: Bars) -> CardDrawing:
    """Bars with their names, shares and fractions."""
    shown = bars.bars[:MAX_ROWS]
    left = CHARACTER * max((len(bar.name) for bar in shown), default=0) + 12
    right, svg = WIDTH - 2 * MARGIN, []
    for n, bar in enumerate(shown):
        y, length = n * ROW_HEIGHT, float(bar.share / bars.largest) * MAX_BAR
        svg.append(
            f'<text y="{y + 15}">{escape(bar.name)}</text><rect class="fill {bar.css_class}" '
            f'x="{left:.1f}" y="{y + 4}" width="{length:.1f}" height="14"/>'
            f'<text x="{left + MAX_BAR + 78:.1f}" y="{y + 15}" text-anchor="end">'
            f'{percent(bar.share, 3)}</text><text class="soft" x="{right}" y="{y + 15}" '
            f'text-anchor="end">{bar.exact_text}</text>'
        )
        if bar.earlier is not None:
            x = left + float(bar.earlier / bars.largest) * MAX_BAR
            svg.append(f'<rect x="{x:.1f}" y="{y + 2}" width="2" height="18"/>')
    return CardDrawing("".join(svg), right, ROW_HEIGHT * float(len(shown)))


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"
