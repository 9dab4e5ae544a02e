"""A page as lines of text: for `print`, and by rich for a terminal with colours.

Cells that are too wide are wrapped between words, texts before figures. East Asian letters take two
columns.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

from sevenout.documents.blocks import Block, Page, Picture
from sevenout.documents.numbers import TOO_LONG
from sevenout.documents.tables import TOO_LONG_NOTE, Facts, Table, has_too_long
from sevenout.documents.words import Code, Text

if TYPE_CHECKING:
    from rich.text import Text as RichText


WIDTH = 100
"""Columns of plain text."""
MAX_WORD = 16
"""Longer words are broken if there is little room."""
GAP, NARROW_GAP = 3, 2
"""Spaces between columns, and between those of a table that hardly fits."""
Line = list[tuple[str, str]]
"""Pieces of text with their styles, from left to right."""


def plain_text(page: Page, width: int = WIDTH) -> str:
    """A page as plain text.

    >>> from sevenout.documents.words import code
    >>> print(plain_text(Page("Craps", Text("Roll ", code("2d6"), "."))))
    Craps
    <BLANKLINE>
    Roll `2d6`.
    """
    lines = ("".join(piece for piece, _ in line) for line in page_lines(page, width))
    return "\n".join(map(str.rstrip, lines))


def page_lines(page: Page, width: int = WIDTH) -> Iterator[Line]:
    """A page line by line; a note below it says why a fraction is blank."""
    yield from _page(page, width)
    if _any_too_long(page):
        yield []
        yield from _paragraph(TOO_LONG_NOTE, width)


def _any_too_long(page: Page) -> bool:
    return any(_any_too_long(b) if isinstance(b, Page) else has_too_long(b) for b in page.blocks)


def _page(page: Page, width: int) -> Iterator[Line]:
    """The lines of a page or a section."""
    needs_gap = False
    if page.subtitle:
        yield from _wrapped(page.subtitle, "faint", width)
    if page.title:
        yield from _wrapped(page.title, "title", width)
        needs_gap = True
    rows = [list(pair) for pair in page.title_facts]
    columns = _Columns.fitting([""] * 2, rows, ["text"] * 2, width)
    for row in rows:
        yield from columns.row(row, ("faint", ""))
    for block in page.blocks:
        if needs_gap:
            yield []
        yield from _block(block, width)
        needs_gap = True


def display_width(text: str) -> int:
    """The number of columns that a text takes.

    >>> display_width("craps"), display_width("骰子")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    # Marks stand above or below a letter. Of format characters, terminals show the soft hyphen.
    letters = [c for c in text if category(c) not in ("Mn", "Me", "Cf") or c == "\u00ad"]
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in letters)


def wrap(text: str, width: int) -> list[str]:
    """A text in lines, broken between words; only words longer than a line are broken inside.

    >>> wrap("a natural wins", 9)
    ['a natural', 'wins']
    """
    width = max(1, width)  # what is beside an indent may have no room; nothing fits in less than 1
    if display_width(text) <= width:
        return [text]
    lines, line = [], ""
    # Each word has the spaces before it, which are left out where a line begins with the word.
    for word in re.findall(" *[^ ]+", text):
        if display_width(line + word) > width:
            if line:
                lines.append(line)
            line = word.lstrip(" ")
        else:
            line += word
        while display_width(line) > width:
            # One character at least: a wide one in a single column would never end the loop.
            end = len(line)
            while display_width(line[:end]) > width and end > 1:
                end -= 1
            lines.append(line[:end])
            line = line[end:]
    return [*lines, line]


def _block(block: Block, width: int) -> Iterator[Line]:
    """The lines of a block."""
    match block:
        case Page():
            yield from _page(block, width)
        case Text():
            yield from _paragraph(block, width)
        case Code():
            yield from ([(line, "code")] for line in block.lines)
        case Picture():
            yield from _wrapped(f"[{block.caption}]", "faint", width)
        case Facts():
            yield from _facts(block, width)
        case Table():
            yield from _table(block, width)


def _wrapped(text: str, style: str, width: int) -> Iterator[Line]:
    """A text of one style in lines."""
    return ([(line, style)] for line in wrap(text, width))


def _style(tone: str) -> str:
    """The style of a paragraph or row with a tone."""
    return "faint" if tone == "note" else tone


def _paragraph(block: Text, width: int) -> Iterator[Line]:
    """A paragraph in lines, each piece with the style of its span."""
    # The pieces of each word: a full stop after code starts a span, and stays with the code.
    words: list[Line] = [[]]
    for span in block.spans:
        style = span.look or _style(block.tone)
        # Code is kept whole; plain text has no other typeface, so backticks mark it.
        first, *others = [f"`{span.text}`"] if span.look == "code" else span.text.split(" ")
        words[-1].append((first, style))
        words += ([(word, style)] for word in others)
    line: Line = []
    used, space = 0, ""
    for word in words:
        for k, (text, style) in enumerate(word):
            if not text:  # between two spaces
                continue
            if used + len(space) + _line_width(word[k:]) > width:
                if line:
                    yield line
                line, used, space = [], 0, ""
            *full_lines, rest = wrap(text, width)
            yield from ([(part, style)] for part in full_lines)
            line.append((space + rest, style))
            used += len(space) + display_width(rest)
            space = ""
        space += " "
    yield line


def _line_width(line: Line) -> int:
    """The number of columns that pieces take side by side."""
    return sum(display_width(text) for text, _ in line)


def _without_too_long(rows: list[list[str]]) -> list[list[str]]:
    return [["" if cell == TOO_LONG else cell for cell in row] for row in rows]


def _facts(block: Facts, width: int) -> Iterator[Line]:
    """The lines of facts."""
    if block.caption:
        yield from _wrapped(block.caption, "title", width)
    settings = [kind.setting for kind in block.kinds]
    styles = ["faint", *["strong"] * block.has_exact, "", *["faint"] * block.has_notes]
    rows = _without_too_long(block.printed())
    columns = _Columns.fitting(block.heads, rows, settings, width)
    for row in rows:
        yield from columns.row(row, styles)


def _table(block: Table, width: int) -> Iterator[Line]:
    """The lines of a table; one that is too wide is split into bands of columns."""
    if block.caption:
        yield from _wrapped(block.caption, "title", width)
    heads, rows = block.heads, _without_too_long(block.printed())
    settings = [kind.setting for kind in block.kinds]
    column_of_printed = [column for column in block.columns for _ in column.kinds]
    ends = list(accumulate((len(column.kinds) for column in block.columns), initial=0))
    printed_columns = [range(start, end) for start, end in pairwise(ends)]
    bands = _bands(printed_columns, heads, rows, settings, width)
    for n, band in enumerate(bands):
        if n:
            yield []
        columns = [column_of_printed[k] for k in band]
        # a column printed in two ways has its title once, over the first
        titles = ["" if k and c is columns[k - 1] else c.head for k, c in enumerate(columns)]
        cells = [[row[k] for k in band] for row in rows]
        yield from _band(block, titles, cells, [settings[k] for k in band], width)


def _band(
    block: Table, heads: list[str], rows: list[list[str]], settings: list[str], width: int
) -> Iterator[Line]:
    """A table, or some of its columns."""
    columns = _Columns.fitting(heads, rows, settings, width)
    table_width = columns.stacked
    if table_width is None:
        table_width = sum(columns.widths) + columns.gap * (len(columns.widths) - 1)
    yield [("━" * table_width, "faint")]
    if any(heads):
        yield from columns.row(heads, ["head"] * len(heads), bottom_aligned=True)
        yield [("─" * table_width, "faint")]
    for k, row in enumerate(rows):
        style = _style(block.tones.get(k, ""))
        if block.total is not None and k == len(rows) - 1:
            yield [("─" * table_width, "faint")]
            style = "strong"
        yield from columns.row(row, [style or ("faint" if s == "note" else "") for s in settings])
    yield [("━" * table_width, "faint")]


def _bands(
    printed_columns: Sequence[range],
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    settings: Sequence[str],
    width: int,
) -> list[list[int]]:
    """The columns of a table in bands that fit the width, each with the first column.

    Figures stay whole; a number's two printed forms stay together if they can.
    """
    min_widths = _min_widths(heads, rows, settings)
    if sum(min_widths) + NARROW_GAP * (len(min_widths) - 1) <= width or len(min_widths) < 2:
        return [list(range(len(min_widths)))]

    def spare_width(columns: Iterable[int]) -> int:
        taken = [min_widths[k] for k in columns]
        return width - sum(taken) - NARROW_GAP * (len(taken) - 1)

    # what must not be divided: a number's two forms, or each if both don't fit beside the first
    groups: list[list[int]] = [[k] for k in printed_columns[0][1:]]
    for forms in printed_columns[1:]:
        groups += [list(forms)] if spare_width((0, *forms)) >= 0 else [[k] for k in forms]
    bands: list[list[int]] = []
    for group in groups:
        if bands and spare_width((*bands[-1], *group)) >= 0:
            bands[-1] += group
        else:
            bands.append([0, *group])
    return bands


def _min_widths(
    heads: Sequence[str], rows: Sequence[Sequence[str]], settings: Sequence[str]
) -> list[int]:
    """The least width of each column: a whole figure, and the words of its title."""
    min_widths = []
    for k, setting in enumerate(settings):
        cells = [row[k] for row in rows]
        words = max(map(display_width, heads[k].split(" ")))
        if setting in ("text", "note"):
            longest = max(map(display_width, " ".join(cells).split(" ")))
            min_widths.append(min(max(words, longest, 1), MAX_WORD))
        else:
            min_widths.append(max(words, max(map(display_width, cells), default=0)))
    return min_widths


@dataclass(frozen=True)
class _Columns:
    """Columns of text that fit a width: side by side, or if they can't be, below one another.

    Attributes:
        settings: how each is set, by `documents.kinds`.
        widths: the width of each.
        gap: the spaces between two.
        stacked: the width of the lines in which cells are one below the other; None if they aren't.
    """

    settings: Sequence[str]
    widths: Sequence[int]
    gap: int
    stacked: int | None

    @classmethod
    def fitting(
        cls,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        settings: Sequence[str],
        width: int,
    ) -> "_Columns":
        """Columns for these titles and rows; the widest are narrowed if there is no room."""
        by_column = list(zip(heads, *rows, strict=True))
        widths = [max(map(display_width, texts)) for texts in by_column]
        gap = GAP if sum(widths) + GAP * (len(widths) - 1) <= width else NARROW_GAP
        available = width - gap * (len(widths) - 1)
        min_widths = _min_widths(heads, rows, settings)
        if sum(widths) > available and rows:  # titles are narrowed first
            # each column as wide as its cells and the longest word of its title
            words_and_cells = [[*head.split(" "), *cells] for head, *cells in by_column]
            titles_wrapped = [max(map(display_width, texts)) for texts in words_and_cells]
            widths = _shrunk(widths, titles_wrapped, available)
        if sum(widths) > available:
            widths = _shrunk(widths, min_widths, available)
        return cls(settings, widths, gap, width if sum(min_widths) > available else None)

    def row(
        self, cells: Sequence[str], styles: Sequence[str], *, bottom_aligned: bool = False
    ) -> Iterator[Line]:
        """A row in as many lines as it takes; if `bottom_aligned`, its cells end on the last."""
        if self.stacked is None:
            yield from self._side_by_side(cells, styles, bottom_aligned)
            return
        # the first cell is the title of the others
        for k, (cell, style) in enumerate(zip(cells, styles, strict=True)):
            indent = NARROW_GAP if k else 0
            for line in wrap(cell, self.stacked - indent) if cell else []:
                yield [(" " * indent + line, style)]

    def _side_by_side(
        self, cells: Sequence[str], styles: Sequence[str], bottom_aligned: bool
    ) -> Iterator[Line]:
        """A row in as many lines as its longest cell."""
        cell_lines = [wrap(cell, width) for cell, width in zip(cells, self.widths, strict=True)]
        height = max(map(len, cell_lines), default=0)
        for lines in cell_lines:
            blank = [""] * (height - len(lines))
            lines[:] = blank + lines if bottom_aligned else lines + blank
        columns = list(zip(cell_lines, self.widths, self.settings, styles, strict=True))
        for k in range(height):
            line: Line = []
            for lines, width, setting, style in columns:
                if line:
                    line.append((" " * self.gap, ""))
                pad = " " * (width - display_width(lines[k]))
                left_aligned = setting in ("text", "note", "mono")
                line.append((lines[k] + pad if left_aligned else pad + lines[k], style))
            while line and not line[-1][0].strip():
                line.pop()
            if line:
                line[-1] = (line[-1][0].rstrip(), line[-1][1])
            yield line


def _shrunk(widths: list[int], min_widths: list[int], available: int) -> list[int]:
    """The widths with the widest narrowed, none below its least, until they fit."""
    widths = list(widths)
    while sum(widths) > available:
        shrinkable = [k for k, w in enumerate(widths) if w > min_widths[k]]
        if not shrinkable:
            break
        widths[max(shrinkable, key=lambda k: (widths[k], k))] -= 1
    return widths


RICH_STYLES = {
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
    for line in page_lines(page, width):
        pieces = [(piece, RICH_STYLES.get(style, style)) for piece, style in line]
        yield RichText.assemble(*pieces, no_wrap=True, overflow="ignore")
