"""A page as lines of text: what `print` shows, and, with colours, a terminal.

Tables are set as in a book: rules above and below, none between columns. What is too wide is
broken between words, texts before figures. East Asian letters are counted as two columns.
"""

from collections.abc import Iterable, Iterator, Sequence
from unicodedata import combining, east_asian_width

from sevenout.page.blocks import Block, Page, Picture
from sevenout.page.tables import Facts, Table
from sevenout.page.words import Code, Text

WIDTH = 100
"""Columns of plain text, wherever it is printed."""
GAP, TIGHT = 3, 2
LEAST = 8
"""No column of words is set narrower."""

Line = list[tuple[str, str]]
"""Pieces of text with their looks, from left to right."""


def text(page: Page, width: int = WIDTH) -> str:
    """A page as plain text.

    >>> from sevenout.page.words import code
    >>> print(text(Page("Craps", Text("Roll ", code("2d6"), "."))))
    Craps
    <BLANKLINE>
    Roll `2d6`.
    """
    return "\n".join("".join(piece for piece, _ in line).rstrip() for line in lines(page, width))


def lines(page: Page, width: int = WIDTH) -> Iterator[Line]:
    """A page line by line."""
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
    """How many columns a text takes.

    >>> wide("craps"), wide("骰子")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def wrap(text: str, width: int) -> list[str]:
    """A text in lines, broken between words; a word that is too long is broken where it must be.

    >>> wrap("a natural wins", 9)
    ['a natural', 'wins']
    """
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
            cut = len(line)
            while wide(line[:cut]) > width and cut > 1:
                cut -= 1
            out.append(line[:cut])
            line = line[cut:]
    return [*out, line]


def _block(block: Block, width: int) -> Iterator[Line]:
    match block:
        case Page():
            yield from lines(block, width)
        case Text():
            yield from _paragraph(block, width)
        case Code():
            for each in block.lines:
                yield [(span.text, span.look) for span in each]
        case Picture():
            yield from ([(line, "faint")] for line in wrap(f"[{block.caption}]", width))
        case Facts():
            yield from _facts(block, width)
        case Table():
            yield from _table(block, width)


def _paragraph(block: Text, width: int) -> Iterator[Line]:
    """Words in lines, each with the look of its span."""
    look = {"note": "faint"}.get(block.tone, block.tone)
    line: Line = []
    used, glued = 0, False
    for span in block.spans:
        words = [f"`{span.text}`"] if span.look == "code" else span.text.split(" ")
        for k, word in enumerate(words):
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


def _facts(block: Facts, width: int) -> Iterator[Line]:
    if block.caption:
        yield [(block.caption, "title")]
    settings = [kind.setting for kind in block.kinds]
    looks = ["faint", *["strong"] * block.has_exact, "", *["faint"] * block.has_notes]
    rows = block.printed()
    if block.heads:
        rows.insert(0, list(block.heads))
    yield from _columns(rows, settings, width, looks)


def _table(block: Table, width: int) -> Iterator[Line]:
    if block.caption:
        yield from ([(line, "title")] for line in wrap(block.caption, width))
    settings = [kind.setting for kind in block.kinds]
    rows = block.printed()
    headed = any(block.heads)
    widths, gap = _widths([*([block.heads] if headed else []), *rows], settings, width, headed)
    over = sum(widths) + gap * (len(widths) - 1)
    yield [("━" * over, "faint")]
    if headed:
        yield from _row(block.heads, settings, widths, gap, ["head"] * len(widths), low=True)
        yield [("─" * over, "faint")]
    for k, row in enumerate(rows):
        if block.total is not None and k == len(rows) - 1:
            yield [("─" * over, "faint")]
            look = "strong"
        else:
            look = block.tones.get(k, "")
        look = "faint" if look == "note" else look
        looks = [look or ("faint" if s == "note" else "") for s in settings]
        yield from _row(row, settings, widths, gap, looks)
    yield [("━" * over, "faint")]


def _columns(
    rows: Sequence[Sequence[str]], settings: Sequence[str], width: int, looks: Sequence[str]
) -> Iterator[Line]:
    widths, gap = _widths(rows, settings, width, headed=False)
    for row in rows:
        yield from _row(row, settings, widths, gap, looks)


def _widths(
    rows: Sequence[Sequence[str]], settings: Sequence[str], width: int, headed: bool
) -> tuple[list[int], int]:
    """What each column takes: what it needs, or, where that is too much, less for the widest."""
    widths = [max(map(wide, column)) for column in zip(*rows, strict=True)] if rows else []
    if not widths:
        widths = [0] * len(settings)
    gap = GAP if sum(widths) + GAP * (len(widths) - 1) <= width else TIGHT
    free = width - gap * (len(widths) - 1)
    if sum(widths) > free and headed:  # the titles give way first
        cells = [max(map(wide, column)) for column in zip(*rows[1:], strict=True)] or widths
        words = [max(map(wide, head.split(" "))) for head in rows[0]]
        least = [max(pair) for pair in zip(cells, words, strict=True)]
        widths = _shrunk(widths, least, free)
    if sum(widths) > free:
        least = [
            LEAST if s in ("text", "note") else w for s, w in zip(settings, widths, strict=True)
        ]
        widths = _shrunk(widths, least, free)
    if sum(widths) > free:
        widths = _shrunk(widths, [LEAST] * len(widths), free)
    return widths, gap


def _shrunk(widths: list[int], least: list[int], free: int) -> list[int]:
    """The widths with the widest made narrower, none below its least, until they fit."""
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
    """A row in as many lines as its longest cell takes; titles stand on the last."""
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
