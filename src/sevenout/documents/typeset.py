"""The PDF of a page, typeset offline by typst with its own fonts.

The template is fixed and reads the content as JSON, so no text is markup. The timestamp is fixed,
so the same page gives the same bytes.
"""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from sevenout.documents.blocks import Block, Page, Paper, Picture
from sevenout.documents.kinds import Kind
from sevenout.documents.numbers import TOO_LONG, minus
from sevenout.documents.tables import Facts, PageError, Table, with_note
from sevenout.documents.words import Code, Span, Text, isolate_right_to_left
from sevenout.errors import printable, shown
from sevenout.extras import require

BREAK = "\u200b"
MAX_UNBROKEN = 18
"""Longer words may be broken after this many characters, which fit the narrowest column."""
MAX_UNBROKEN_CODE = 70
"""The same of code, which fits a line: a reader copies it, and a break would be copied with it."""
DIGITS_PER_LINE = 24
"""Digits in a line of a long fraction."""
MAX_FRACTION, MAX_FRACTION_OF_TOTAL = 50, 100
"""The most characters of a fraction that is printed, elsewhere and in a table with a total.

The PDF shows longer ones by their decimals; the JSON has them in full.
"""
MAX_FRACTION_UNBROKEN = 26
"""Longer fractions are broken, in a column of fixed width."""
DIGEST = re.compile("[0-9a-f]{64}")
SHARED_WIDTH, MAX_ROWS_UNBROKEN = 44, 16
"""Longer texts share the rest of a row; tables of no more rows than this stay on one page."""
FIRST_RARE = 0x250
COMMON_SYMBOLS = frozenset("–—‘’“”„…−×·→←≤≥≈≠±√∞∑αβλμσχ²³ⁿ█▉▊▋▌▍▎▏\u200b\u202f\u2009")
"""Every font that is used has these, and all characters below `FIRST_RARE`."""
PAPERS: Mapping[Paper, str] = {"a4": "a4", "letter": "us-letter"}
"""typst's names for paper sizes."""
MIN_LAST_PAGE = 0.3
"""If less than this part of the last page is filled, a tighter setting tries to save the page."""
NOT_TEXT = ("attached", "picture")
"""Content that is not set as text."""
NO_FONT_HAS = "\U0010fffd"
"""The last private-use character, which no font has."""
ONE_CHARACTER_PER_PAGE = b"""#set page(width: auto, height: auto)
#set text(font: "Libertinus Serif")
#for c in json(bytes(sys.inputs.characters)) { page(c) }"""
USUAL_SIZE, SMALLER_SIZE, SMALLEST_SIZE = 9.5, 8.5, 7.5
"""Font sizes of tables in points, by the contents of a row."""


def check_paper(paper: Paper) -> None:
    """Refuse another size of paper.

    Raises:
        PageError: it is none of `PAPERS`.
    """
    if paper not in PAPERS:
        raise PageError(f"paper={shown(paper)}; give {' or '.join(map(repr, PAPERS))}")


def pdf(page: Page, fonts: Path | None = None, paper: Paper = "a4") -> bytes:
    """The PDF of a page.

    Args:
        page: the page.
        fonts: a folder of fonts for characters that typst's fonts lack.
        paper: the paper size.

    Raises:
        PageError: typst is missing or fails, no font has one of the characters, or there is no such
            paper size.
    """
    check_paper(paper)
    content = {
        "paper": PAPERS[paper],
        "title": breakable(page.title),
        "running": [_shortened(page.title, 64), _shortened(page.date, 24)],
        "subtitle": breakable(page.subtitle),
        "named": ", ".join(filter(None, [page.title, page.subtitle])),
        "author": page.author or "sevenout",
        "foot": page.foot,
        "facts": [[name, breakable(value)] for name, value in page.title_facts],
        "blocks": list(map(_block, with_note(page.blocks, _max_fraction))),
        "attached": [[a.name, a.content.decode(), a.description] for a in page.attachments],
    }
    template = files("sevenout.documents").joinpath("page.typ").read_bytes()
    document = compiled(template, content | {"tight": False}, page.title, fonts=fonts)
    # asked of typst itself: only it knows where lines break
    pages, filled_share = _last_page(template, content | {"tight": False}, fonts)
    # a last page with enough on it stays; one that is nearly empty is pulled in
    if pages == 1 or filled_share > MIN_LAST_PAGE:
        return document
    tight_content = content | {"tight": True}
    fewer = _last_page(template, tight_content, fonts)[0] < pages
    return compiled(template, tight_content, page.title, fonts=fonts) if fewer else document


def _last_page(template: bytes, content: Any, fonts: Path | None) -> tuple[int, float]:
    """The number of pages, and the part of the last that is filled."""
    import typst

    query: Any = typst.query
    result = query(
        template,
        "<end>",
        field="value",
        one=True,
        font_paths=_typefaces(fonts),
        sys_inputs={"content": json.dumps(content, ensure_ascii=True)},
    )
    pages, filled_share = json.loads(result)
    return pages, filled_share


def _typefaces(fonts: Path | None) -> Any:
    """Typst's own fonts, and those of a folder."""
    import typst

    # never the system's fonts: the same page must give the same bytes everywhere
    return typst.Fonts(include_system_fonts=False, font_paths=[str(fonts)] if fonts else [])


def compiled(
    template: bytes,
    content: Any,
    title: str,
    format: Literal["pdf", "svg"] = "pdf",
    fonts: Path | None = None,
) -> bytes:
    """The document of a typst template, reproducible byte for byte.

    Args:
        template: its source, which reads the content as JSON.
        content: its data.
        title: of the document, for errors.
        format: "pdf", or "svg" for a single page.
        fonts: a folder of fonts for characters that typst's fonts lack.

    Raises:
        PageError: typst is missing or fails, or no font has one of the characters.
    """
    require("typst", "sheet")
    import typst

    # else the error would be about characters, and not name the folder
    if fonts is not None and not fonts.is_dir():
        raise PageError(f"{fonts} is not a folder; give one with .ttf or .otf files")
    typefaces = _typefaces(fonts)
    printed = {name: value for name, value in content.items() if name not in NOT_TEXT}
    # Unescaped, because `_characters_lacking` looks for the characters themselves.
    text = json.dumps(printed, ensure_ascii=False)
    if missing := _characters_lacking(text, typefaces):
        raise PageError(
            f"no font for {printable(' '.join(missing[:10]), 60)} on the page {shown(title)}; "
            "give a folder of fonts that have them, --fonts /usr/share/fonts, or write HTML"
        )
    isolated = content | {name: _isolated(value) for name, value in printed.items()}
    try:
        output: Any = typst.compile(
            template,
            format=format,
            font_paths=typefaces,
            sys_inputs={"content": json.dumps(isolated, ensure_ascii=True)},
            timestamp=0,
        )
    except typst.TypstError as error:
        first_line = str(error).strip().splitlines()[0]
        raise PageError(f"typst can't set the page {title!r}: {first_line}") from None
    # typst gives a list where there are several pages
    if isinstance(output, list):
        raise PageError(f"{title!r} takes {len(output)} pages; a picture has one")
    return bytes(output) if format == "svg" else _shows_title(bytes(output))


def _shows_title(document: bytes) -> bytes:
    """The PDF with its title in the window's title bar, as accessible documents need.

    typst has no setting for it. Its catalogue is the last object, so only the object table moves.
    """
    # the end of the file says where the table of objects begins
    start = document.rfind(b"startxref\n") + len(b"startxref\n")
    table = int(document[start : document.index(b"\n", start)])
    # A later typst may set the title bar itself or end otherwise; such a file stays as it is.
    old, new = b"/ViewerPreferences<<", b"/ViewerPreferences<</DisplayDocTitle true"
    position = document.rfind(old, 0, table)
    if (
        position < 0
        or b"/DisplayDocTitle" in document[position:table]
        or b" obj" in document[position:table]
    ):
        return document
    moved = document[:position] + new + document[position + len(old) : start]
    return moved + document[start:].replace(b"%d" % table, b"%d" % (table + len(new) - len(old)), 1)


def _isolated(value: Any) -> Any:
    """The content, with right-to-left words isolated."""
    if isinstance(value, str):
        return isolate_right_to_left(value)
    if isinstance(value, Mapping):
        return {name: _isolated(part) for name, part in value.items()}
    return [_isolated(part) for part in value] if isinstance(value, list | tuple) else value


def _characters_lacking(text: str, fonts: Any) -> list[str]:
    """The characters of a text that no font has, found by comparing with `NO_FONT_HAS`."""
    import typst

    unusual = {c for c in text if ord(c) >= FIRST_RARE and c not in COMMON_SYMBOLS}
    rare = sorted(filter(str.isprintable, unusual))
    # comparing glyphs takes a second run of typst
    if not rare:
        return []
    pages: Any = typst.compile(  # a list if there is more than one page
        ONE_CHARACTER_PER_PAGE,
        format="svg",
        font_paths=fonts,
        sys_inputs={"characters": json.dumps([NO_FONT_HAS, *rare])},
    )
    glyphs_by_page = [set(re.findall(rb'href="#(\w+)"', page)) for page in pages]
    no_glyph, *rare_glyphs = glyphs_by_page
    return [c for c, glyphs in zip(rare, rare_glyphs, strict=True) if glyphs & no_glyph]


def breakable(text: str, max_unbroken: int = MAX_UNBROKEN) -> str:
    """A text whose long words may be broken; hashes never are.

    >>> breakable("a" * 20).index(BREAK)
    18
    """
    words = []
    for word in text.split(" "):
        # a hash has room, and is copied; it may end a sentence
        if DIGEST.fullmatch(word.rstrip(".,;")):
            words.append(word)
            continue
        parts = [word[i : i + max_unbroken] for i in range(0, len(word), max_unbroken)] or [""]
        words.append(BREAK.join(parts))
    return " ".join(words)


def _shortened(text: str, max_length: int) -> str:
    return breakable(text if len(text) <= max_length else f"{text[: max_length - 1]}…")


def _block(block: Block) -> dict[str, Any]:
    """A block as data for the template."""
    match block:
        case Page():
            blocks = list(map(_block, with_note(block.blocks, _max_fraction)))
            return {"block": "page", "title": breakable(block.title), "blocks": blocks}
        case Picture():
            return block.to_dict() | {"caption": breakable(block.caption)}
        case Table() | Facts():
            return _table(block)
        case Code():
            return {"block": "code", "text": block.text}
        case Text():
            return {"block": "text", "spans": list(map(_span, block.spans)), "tone": block.tone}


def _span(span: Span) -> list[str]:
    """A span of text as data for the template, with places to break it."""
    max_unbroken = MAX_UNBROKEN_CODE if span.look == "code" else MAX_UNBROKEN
    return [breakable(span.text, max_unbroken), span.look]


def _table(block: Table | Facts) -> dict[str, Any]:
    """A table or facts as data for the template, with the widths of the columns."""
    kinds, total = block.kinds, isinstance(block, Table) and block.total is not None
    texts = block.printed(_max_fraction(block))
    rows = [[_cell(t, k) for t, k in zip(row, kinds, strict=True)] for row in texts]
    heads = list(map(breakable, block.heads))
    return {
        "block": "table",
        "caption": breakable(block.caption),
        "head": heads,
        "kinds": [kind.setting for kind in kinds],
        "columns": _columns(kinds, heads, rows),
        "rows": rows,
        "total": total,
        "size": _size([heads, *rows]),
        "whole": len(rows) <= MAX_ROWS_UNBROKEN,
    }


def _max_fraction(block: Block) -> int:
    """The most characters of a fraction: a table with a total is a return table, given in full."""
    has_total = isinstance(block, Table) and block.total is not None
    return MAX_FRACTION_OF_TOTAL if has_total else MAX_FRACTION


def _cell(text: str, kind: Kind) -> str:
    """The text of a cell, with places to break it."""
    if text == TOO_LONG:
        return ""
    if kind.setting == "exact":
        return f"/{BREAK}".join(_even_lines(part) for part in minus(text).split("/"))
    return minus(text) if kind.setting == "number" else breakable(text)


def _even_lines(digits: str) -> str:
    """A long number in lines of similar length."""
    lines = -(-len(digits) // DIGITS_PER_LINE)
    return breakable(digits, -(-len(digits) // max(lines, 1)) or 1)


def _size(rows: list[list[str]]) -> float:
    """The font size of a table, by the characters of its longest cells."""
    longest = [max(len(c) for c in column) for column in zip(*rows, strict=True)]
    width = sum(min(n, 26) for n in longest) + 3 * len(longest)
    return USUAL_SIZE if width < 100 else SMALLER_SIZE if width < 124 else SMALLEST_SIZE


def _columns(kinds: list[Kind], heads: list[str], rows: list[list[str]]) -> list[str]:
    """Column widths: the needed width, or a share of the rest."""
    widths = []
    for kind, column in zip(kinds, zip(heads, *rows, strict=True), strict=True):
        longest = max(len(c) for c in column)
        if kind.setting == "exact" and longest > MAX_FRACTION_UNBROKEN:
            # a long fraction is broken in a column of fixed width, else it takes the page
            widths.append("12.5em")
            continue
        is_shared = kind.setting in ("text", "note") and longest > SHARED_WIDTH
        widths.append(f"={min(longest, 60)}" if is_shared else "auto")
    return widths
