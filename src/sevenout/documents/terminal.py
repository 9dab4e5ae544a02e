"""A page as lines of text: for `print`, and by rich for a terminal with colours.

Cells that are too wide are wrapped between words, texts before figures. East Asian letters take two
columns.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from sevenout.documents.blocks import Block, Page, Picture
from sevenout.documents.numbers import CUT
from sevenout.documents.tables import CUT_NOTE, Facts, Table, has_cut
from sevenout.documents.words import Code, Text

if TYPE_CHECKING:
    from rich.text import Text as RichText


WIDTH = 100
"""Columns of plain text."""
GAP, TIGHT = 3, 2
LEAST = 8
"""The least width of a column of words."""
WORD = 16
"""Longer words are broken if there is little room."""

Line = list[tuple[str, str]]
"""Pieces of text with their styles, from left to right."""


def text(page: Page, width: int = WIDTH) -> str:
    """A page as plain text.

    >>> from sevenout.documents.words import code
    >>> print(text(Page("Craps", Text("Roll ", code("2d6"), "."))))
    Craps
    <BLANKLINE>
    Roll `2d6`.
    """
    return "\n".join("".join(piece for piece, _ in line).rstrip() for line in lines(page, width))


def lines(page: Page, width: int = WIDTH) -> Iterator[Line]:
    """A page line by line; a note below it says why a fraction is blank."""
    yield from _page(page, width)
    if _any_cut(page):
        yield []
        yield from _paragraph(CUT_NOTE, width)


def _any_cut(page: Page) -> bool:
    return any(_any_cut(b) if isinstance(b, Page) else has_cut(b) for b in page.blocks)


def _page(page: Page, width: int) -> Iterator[Line]:
    apart = False
    if page.subtitle:
        yield [(page.subtitle, "faint")]
    if page.title:
        yield from ([(line, "title")] for line in wrap(page.title, width))
        apart = True
    if page.title_facts:
        yield from _columns(
            [list(pair) for pair in page.title_facts], ["text", "text"], width, ("faint", "")
        )
    for block in page.blocks:
        if apart:
            yield []
        yield from _block(block, width)
        apart = True


def wide(text: str) -> int:
    """The number of columns that a text takes.

    >>> wide("craps"), wide("骰子")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def wrap(text: str, width: int) -> list[str]:
    """A text in lines, broken between words; only words longer than a line are broken inside.

    >>> wrap("a natural wins", 9)
    ['a natural', 'wins']
    """
    width = max(1, width)  # what is beside an indent may have no room; nothing fits in less than 1
    if wide(text) <= width:
        return [text]
    out, line = [], ""
    for word in text.split(" "):
        if line and wide(line) + 1 + wide(word) > width:
            out.append(line)
            line = word
        else:
            line = f"{line} {word}" if line or out else word
        while wide(line) > width:
            # One character at least: a wide one in a single column would never end the loop.
            cut = len(line)
            while wide(line[:cut]) > width and cut > 1:
                cut -= 1
            out.append(line[:cut])
            line = line[cut:]
    return [*out, line]


def _block(block: Block, width: int) -> Iterator[Line]:
    match block:
        case Page():
            yield from _page(block, width)
        case Text():
            yield from _paragraph(block, width)
        case Code():
            for line in block.lines:
                yield [(span.text, span.look) for span in line]
        case Picture():
            yield from ([(line, "faint")] for line in wrap(f"[{block.caption}]", width))
        case Facts():
            yield from _facts(block, width)
        case Table():
            yield from _table(block, width)


def _paragraph(block: Text, width: int) -> Iterator[Line]:
    """A paragraph in lines, each piece with the style of its span."""
    look = {"note": "faint"}.get(block.tone, block.tone)
    line: Line = []
    used, glued = 0, False
    for span in block.spans:
        # Code is kept whole; plain text has no other typeface, so backticks mark it.
        words = [f"`{span.text}`"] if span.look == "code" else span.text.split(" ")
        for k, word in enumerate(words):
            # A full stop after code starts a span, and must not be preceded by a space.
            space = " " if (k or not glued) and line else ""
            if line and used + len(space) + wide(word) > width:
                yield line
                line, used, space = [], 0, ""
            *full, last = wrap(word, width)
            yield from ([(part, span.look or look)] for part in full)
            line.append((space + last, span.look or look))
            used += len(space) + wide(last)
        glued = True
    yield line


def _blank(rows: list[list[str]]) -> list[list[str]]:
    return [["" if cell == CUT else cell for cell in row] for row in rows]


def _facts(block: Facts, width: int) -> Iterator[Line]:
    if block.caption:
        yield [(block.caption, "title")]
    settings = [kind.setting for kind in block.kinds]
    looks = ["faint", *["strong"] * block.has_exact, "", *["faint"] * block.has_notes]
    rows = _blank(block.printed())
    if block.heads:
        rows.insert(0, list(block.heads))
    yield from _columns(rows, settings, width, looks)


def _table(block: Table, width: int) -> Iterator[Line]:
    if block.caption:
        yield from ([(line, "title")] for line in wrap(block.caption, width))
    heads, rows = block.heads, _blank(block.printed())
    settings = [kind.setting for kind in block.kinds]
    units, start = [], 0
    for column in block.columns:
        units.append(range(start, start + len(column.kinds)))
        start += len(column.kinds)
    bands = _bands(units, heads, rows, settings, width)
    for n, band in enumerate(bands):
        if n:
            yield []
        titled = [block.columns[next(u for u, unit in enumerate(units) if k in unit)] for k in band]
        names = [c.head if k == 0 or c is not titled[k - 1] else "" for k, c in enumerate(titled)]
        cells = [[row[k] for k in band] for row in rows]
        yield from _band(block, names, cells, [settings[k] for k in band], width)


def _band(
    block: Table, heads: list[str], rows: list[list[str]], settings: list[str], width: int
) -> Iterator[Line]:
    """A table, or some of its columns."""
    headed = any(heads)
    widths, gap = _widths([*([heads] if headed else []), *rows], settings, width, headed)
    over = sum(widths) + gap * (len(widths) - 1)
    stacked = sum(_least([heads, *rows], settings, headed=True)) + gap * (len(widths) - 1) > width
    yield [("━" * over, "faint")]
    if headed and stacked:
        yield from _stacked(heads, ["head"] * len(widths), width)
        yield [("─" * over, "faint")]
    elif headed:
        yield from _row(heads, settings, widths, gap, ["head"] * len(widths), low=True)
        yield [("─" * over, "faint")]
    for k, row in enumerate(rows):
        if block.total is not None and k == len(rows) - 1:
            yield [("─" * over, "faint")]
            look = "strong"
        else:
            look = block.tones.get(k, "")
        look = "faint" if look == "note" else look
        looks = [look or ("faint" if s == "note" else "") for s in settings]
        if stacked:
            yield from _stacked(row, looks, width)
        else:
            yield from _row(row, settings, widths, gap, looks)
    yield [("━" * over, "faint")]


def _bands(
    units: Sequence[range],
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    settings: Sequence[str],
    width: int,
) -> list[list[int]]:
    """The columns of a table in bands that fit the width, each with the first column.

    Figures stay whole; a number's two printed forms stay together if they can.
    """
    least = _least([heads, *rows], settings, headed=True)
    if sum(least) + TIGHT * (len(least) - 1) <= width or len(least) < 2:
        return [list(range(len(least)))]

    def room(columns: Iterable[int]) -> int:
        taken = [least[k] for k in columns]
        return width - sum(taken) - TIGHT * (len(taken) - 1)

    pieces: list[list[int]] = [[k] for k in units[0][1:]]
    for unit in units[1:]:
        pieces += [list(unit)] if room((0, *unit)) >= 0 else [[k] for k in unit]
    bands: list[list[int]] = []
    for piece in pieces:
        if bands and room((*bands[-1], *piece)) >= 0:
            bands[-1] += piece
        else:
            bands.append([0, *piece])
    return bands


def _least(rows: Sequence[Sequence[str]], settings: Sequence[str], headed: bool) -> list[int]:
    """The least width of each column: a whole figure, and the words of its title."""
    least = []
    for k, setting in enumerate(settings):
        cells = [row[k] for row in rows[headed:]]
        words = max(map(wide, rows[0][k].split(" "))) if headed and rows else 0
        if setting in ("text", "note"):
            longest = max((wide(word) for cell in cells for word in cell.split(" ")), default=0)
            least.append(min(max(words, longest, 1), WORD))
        else:
            least.append(max(words, max(map(wide, cells), default=0)))
    return least


def _columns(
    rows: Sequence[Sequence[str]], settings: Sequence[str], width: int, looks: Sequence[str]
) -> Iterator[Line]:
    widths, gap = _widths(rows, settings, width, headed=False)
    least = _least(rows, settings, headed=False)
    stacked = sum(least) + gap * (len(least) - 1) > width
    for row in rows:
        if stacked:
            yield from _stacked(row, looks, width)
        else:
            yield from _row(row, settings, widths, gap, looks)


def _stacked(cells: Sequence[str], looks: Iterable[str], width: int) -> Iterator[Line]:
    """Cells one below the other, the first as a title, if they don't fit side by side."""
    for k, (cell, look) in enumerate(zip(cells, looks, strict=True)):
        indent = TIGHT if k else 0
        for line in wrap(cell, width - indent) if cell else []:
            yield [(" " * indent + line, look)]


def _widths(
    rows: Sequence[Sequence[str]], settings: Sequence[str], width: int, headed: bool
) -> tuple[list[int], int]:
    """The width of each column; the widest are narrowed if there is no room."""
    widths = [max(map(wide, column)) for column in zip(*rows, strict=True)] if rows else []
    if not widths:
        widths = [0] * len(settings)
    gap = GAP if sum(widths) + GAP * (len(widths) - 1) <= width else TIGHT
    free = width - gap * (len(widths) - 1)
    if sum(widths) > free and headed:  # titles are narrowed first
        cells = [max(map(wide, column)) for column in zip(*rows[1:], strict=True)] or widths
        words = [max(map(wide, head.split(" "))) for head in rows[0]]
        widths = _shrunk(widths, [max(pair) for pair in zip(cells, words, strict=True)], free)
    if sum(widths) > free:
        widths = _shrunk(widths, _least(rows, settings, headed), free)
    if sum(widths) > free:  # a figure does not fit on a line of its own
        widths = _shrunk(widths, [LEAST] * len(widths), free)
    return widths, gap


def _shrunk(widths: list[int], least: list[int], free: int) -> list[int]:
    """The widths with the widest narrowed, none below its least, until they fit."""
    widths = list(widths)
    while sum(widths) > free:
        can = [k for k, w in enumerate(widths) if w > least[k]]
        if not can:
            break
        widths[max(can, key=lambda k: (widths[k], k))] -= 1
    return widths


def _row(
    cells: Sequence[str],
    settings: Sequence[str],
    widths: Sequence[int],
    gap: int,
    looks: Iterable[str],
    *,
    low: bool = False,
) -> Iterator[Line]:
    """A row in as many lines as its longest cell; titles stand on the last."""
    parts = [wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
    height = max(map(len, parts), default=0)
    parts = [
        [""] * (height - len(part)) + part if low else part + [""] * (height - len(part))
        for part in parts
    ]
    columns = list(zip(parts, widths, settings, looks, strict=True))
    for k in range(height):
        line: Line = []
        for part, width, setting, look in columns:
            if line:
                line.append((" " * gap, ""))
            pad = " " * (width - wide(part[k]))
            left = setting in ("text", "note", "mono")
            line.append((part[k] + pad if left else pad + part[k], look))
        while line and not line[-1][0].strip():
            line.pop()
        if line:
            line[-1] = (line[-1][0].rstrip(), line[-1][1])
        yield line


LOOKS = {
    "title": "bold",
    "head": "bold",
    "strong": "bold",
    "faint": "dim",
    "good": "green",
    "bad": "red",
    "code": "cyan",
}
"""The terminal's styles, by those of the lines."""


def rich_lines(page: Page, width: int) -> "Iterator[RichText]":
    """A page as rich's texts, line by line; no text is markup."""
    from rich.text import Text as RichText

    # The lines fit already; rich would break them again at other places.
    for line in lines(page, width):
        pieces = [(piece, LOOKS.get(look, look)) for piece, look in line]
        yield RichText.assemble(*pieces, no_wrap=True, overflow="ignore")
