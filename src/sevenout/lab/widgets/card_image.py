"""A card as a standalone picture: SVG, in light colours, with its source.

Widths are estimated from the number of characters, since no font is at hand.
"""

from html import escape
from textwrap import wrap
from typing import get_args

from sevenout.documents import Facts, Picture, Table, Text
from sevenout.documents.numbers import exactly, minus, percent
from sevenout.lab.widgets.chart import STYLE, Chart
from sevenout.lab.widgets.parts import Bars, Hero

WIDE, MARGIN, ROW, EM = 720, 28, 25, 7.6
"""Pixels: the picture, its margin, a table row, a character at 13 pixels."""
LONGEST, MOST_ROWS = 52, 60
"""The most characters of a cell, and rows of a table; the rest is cut, with a note."""
LOOK = (
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
RIGHT = ("number", "exact")
Part = Table | Facts | Text | Chart | Hero | Bars | Picture
DRAWN = get_args(Part)
"""The parts of a card that can be drawn."""
Drawn = tuple[str, float, float]
"""A drawing, its width and its height."""


def picture(title: str, parts: list[Part], subject: str, foot: str) -> str:
    """The picture of a card, with its subject and, at its foot, its source."""
    # A diagram is a picture already, with a size of its own.
    if len(parts) == 1 and isinstance(parts[0], Picture):
        return parts[0].svg
    drawn = [_drawing(part) for part in parts]
    wide = max(WIDE, *(w + 2 * MARGIN for _, w, _ in drawn))
    body, y = [], 64.0
    for svg, _, high in drawn:
        body.append(f'<g transform="translate({MARGIN},{y:.0f})">{svg}</g>')
        y += high + 18
    high = y + 22
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}" '
        f'viewBox="0 0 {wide:.0f} {high:.0f}"><style>{LOOK}</style><title>{escape(title)}</title>'
        f'<rect width="{wide:.0f}" height="{high:.0f}" fill="#fff"/>'
        f'<text class="title" x="{MARGIN}" y="38">{escape(title)}</text>'
        f'<text class="soft" x="{wide - MARGIN:.0f}" y="38" text-anchor="end">'
        f"{escape(subject)}</text>"
        f"{''.join(body)}"
        # The foot is one line, which a longer address would leave at the right.
        f'<text class="foot" x="{MARGIN}" y="{high - 14:.0f}">{escape(foot[:110])}</text></svg>'
    )


def _drawing(part: Part) -> Drawn:
    match part:
        case Chart():
            return _chart(part)
        case Table() | Facts():
            heads = part.heads if isinstance(part, Table) else []
            return _table(heads, part.printed(LONGEST), [k.setting for k in part.kinds])
        case Text():
            return _words(part.text)
        case Hero():
            return _hero(part)
        case Bars():
            return _bars(part)
        case Picture():
            return _words(part.caption)


def _words(text: str) -> Drawn:
    lines = wrap(text, int((WIDE - 2 * MARGIN) / EM) + 4)
    texts = (f'<text y="{13 + 19 * i}">{escape(line)}</text>' for i, line in enumerate(lines))
    return "".join(texts), WIDE - 2 * MARGIN, 19.0 * len(lines)


def _chart(chart: Chart) -> Drawn:
    names, x = [], 0.0
    for kind, name in chart.legend:
        names.append(
            f'<line class="line {kind}" x1="{x:.0f}" x2="{x + 22:.0f}" y1="5" y2="5"/>'
            f'<text class="soft" x="{x + 30:.0f}" y="9">{escape(name)}</text>'
        )
        x += 30 + EM * len(name) + 24
    top = 60 if names else 30
    plot = (
        f'<svg x="56" y="{top}" width="600" height="270" overflow="visible">{chart.inside()}</svg>'
    )
    return "".join(names) + plot, max(660.0, x), top + 270 + 40.0


def _table(heads: list[str], rows: list[list[str]], settings: list[str]) -> Drawn:
    more = len(rows) - MOST_ROWS
    cells = [[_short(minus(text)) for text in row] for row in rows[:MOST_ROWS]]
    lines = ([heads] if any(heads) else []) + cells
    wide = [max((len(line[c]) for line in lines), default=0) * EM for c in range(len(settings))]
    for c, head in enumerate(heads):
        wide[c] = max(wide[c], len(head) * EM)
    gaps = 22.0 * (len(wide) - 1)
    first = 0 if settings[0] not in RIGHT else len(wide) - 1
    wide[first] += max(0.0, WIDE - 2 * MARGIN - sum(wide) - gaps)
    lefts = [sum(wide[:c]) + 22.0 * c for c in range(len(wide))]
    whole, out, y = sum(wide) + gaps, [], 0.0
    for n, line in enumerate(lines):
        is_head = bool(any(heads)) and not n
        for c, text in enumerate(line):
            right = settings[c] in RIGHT
            at = lefts[c] + (wide[c] if right else 0)
            kind = ' class="soft"' if is_head or settings[c] in ("exact", "note") else ""
            anchor = ' text-anchor="end"' if right else ""
            out.append(f'<text x="{at:.1f}" y="{y + 15:.0f}"{kind}{anchor}>{escape(text)}</text>')
        y += ROW
        if n < len(lines) - 1:
            out.append(_rule(whole, y - 2))
    if more > 0:
        out.append(f'<text class="soft" y="{y + 15:.0f}">and {more:,} more rows</text>')
        y += ROW
    return "".join(out), whole, y


def _hero(hero: Hero) -> Drawn:
    out, x = [], 0.0
    for figure in hero.figures:
        size = 25.0 if figure.big else 17.0
        sub = escape(_short(minus(figure.small_text)))
        out.append(
            f'<g transform="translate({x:.0f},0)"><text class="soft" y="11">{escape(figure.what)}'
            f'</text><text class="{"huge" if figure.big else "large"}" y="54">'
            f'{escape(minus(figure.value))}</text><text class="soft" y="74">{sub}</text></g>'
        )
        x += max(len(figure.value) * size, len(figure.what) * EM, len(sub) * EM) + 28
    words, _, high = _words(hero.words) if hero.words else ("", 0, 0)
    texts = f'<g transform="translate(0,92)">{words}</g>'
    return "".join(out) + texts, x, 82 + (high + 10 if words else 0)


def _bars(bars: Bars) -> Drawn:
    rows = bars.rows[:MOST_ROWS]
    names = max((len(name) for name, *_ in rows), default=0) * EM
    room, out = 360.0, []
    most = bars.most
    for n, (name, p, kind, was) in enumerate(rows):
        y, long = n * ROW, float(p / most) * room
        out.append(
            f'<text y="{y + 15}">{escape(name)}</text><rect class="fill {kind}" '
            f'x="{names + 12:.1f}" y="{y + 4}" width="{long:.1f}" height="14"/>'
            f'<text x="{names + room + 90:.1f}" y="{y + 15}" text-anchor="end">{percent(p, 3)}'
            f'</text><text class="soft" x="{WIDE - 2 * MARGIN}" y="{y + 15}" text-anchor="end">'
            f"{exactly(p, 15) if len(exactly(p, 15)) < 16 else ''}</text>"
        )
        if was is not None:
            at = names + 12 + float(was / most) * room
            out.append(f'<rect x="{at:.1f}" y="{y + 2}" width="2" height="18"/>')
    return "".join(out), WIDE - 2 * MARGIN, ROW * float(len(rows))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _rule(wide: float, y: float) -> str:
    return f'<line class="rule" x2="{wide:.0f}" y1="{y:.0f}" y2="{y:.0f}"/>'
