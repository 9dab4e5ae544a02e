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
from sevenout.documents.numbers import CUT, minus
from sevenout.documents.tables import Facts, PageError, Table, with_note
from sevenout.documents.words import Code, Span, Text, apart
from sevenout.errors import printable, shown
from sevenout.extras import needs

BREAK = "\u200b"
TOKEN = 18
"""Longer words may be broken after this many characters."""
DIGITS, LONG, LONGEST = 24, 50, 100
"""Digits in a line of a long fraction, and the most characters of one that is printed.

Longer fractions are left out of the PDF, which shows their decimals; the JSON has them in full. The
last limit is for a table with a total.
"""
NARROWEST = 26
"""Longer fractions are broken, in a column of fixed width."""
DIGEST = re.compile("[0-9a-f]{64}")
WIDE, WHOLE = 44, 16
"""Longer texts share the rest of a row; shorter tables are not split between pages."""
RARE, COMMON = 0x250, frozenset("–—‘’“”„…−×·→←≤≥≈≠±√∞∑αβλμσχ²³ⁿ█▉▊▋▌▍▎▏\u200b\u202f\u2009")
"""Characters below `RARE`, and `COMMON` ones, are in every font used."""
PAPERS: Mapping[Paper, str] = {"a4": "a4", "letter": "us-letter"}
"""typst's names for paper sizes."""
SCANT = 0.3
"""If less than this part of the last page is filled, a tighter setting tries to save the page."""
UNSET = ("attached", "picture")
"""Content that is not set as text."""
NOBODYS = "\U0010fffd"
"""The last private-use character, which no font has."""
ONE_A_PAGE = b"""#set page(width: auto, height: auto)
#set text(font: "Libertinus Serif")
#for c in json(bytes(sys.inputs.characters)) { page(c) }"""
FULL, NARROW, TINY = 9.5, 8.5, 7.5
"""Font sizes of tables in points, by the contents of a row."""


def pdf(page: Page, fonts: Path | None = None, paper: Paper = "a4") -> bytes:
    """The PDF of a page.

    Args:
        page: the page.
        fonts: a folder of fonts for characters that typst's fonts lack.
        paper: the paper size.

    Raises:
        PageError: typst is missing or fails, or no font has one of the characters.
    """
    content = {
        "paper": PAPERS[paper],
        "title": breakable(page.title),
        "running": [_short(page.title, 64), _short(page.date, 24)],
        "subtitle": breakable(page.subtitle),
        "named": ", ".join(filter(None, [page.title, page.subtitle])),
        "author": page.author or "sevenout",
        "foot": page.foot,
        "facts": [[name, breakable(value)] for name, value in page.title_facts],
        "blocks": list(map(_block, with_note(page.blocks, _longest))),
        "attached": [[a.name, a.content.decode(), a.description] for a in page.attached],
    }
    template = files("sevenout.documents").joinpath("page.typ").read_bytes()
    document = compiled(template, content | {"tight": False}, page.title, fonts=fonts)
    # asked of typst itself: only it knows where lines break
    pages, filled = _end(template, content | {"tight": False}, fonts)
    # a full last page is worth its paper; only a scant one is pulled in
    if pages == 1 or filled > SCANT:
        return document
    tight = content | {"tight": True}
    fewer = _end(template, tight, fonts)[0] < pages
    return compiled(template, tight, page.title, fonts=fonts) if fewer else document


def _end(template: bytes, content: Any, fonts: Path | None) -> tuple[int, float]:
    """The number of pages, and the part of the last that is filled."""
    import typst

    ask: Any = typst.query
    paths = [] if fonts is None else [str(fonts)]
    end = ask(
        template,
        "<end>",
        field="value",
        one=True,
        font_paths=typst.Fonts(include_system_fonts=False, font_paths=paths),
        sys_inputs={"content": json.dumps(content, ensure_ascii=True)},
    )
    pages, filled = json.loads(end)
    return pages, filled


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
    needs("typst", "sheet")
    import typst

    # else the error would be about characters, and not name the folder
    if fonts is not None and not fonts.is_dir():
        raise PageError(f"{fonts} is not a folder; give one with .ttf or .otf files")
    # never the system's fonts: the same page must give the same bytes everywhere
    paths = [] if fonts is None else [str(fonts)]
    typefaces = typst.Fonts(include_system_fonts=False, font_paths=paths)
    printed = {name: part for name, part in content.items() if name not in UNSET}
    # Unescaped, because `_lacking` looks for the characters themselves.
    text = json.dumps(printed, ensure_ascii=False)
    if lacking := _lacking(text, typefaces):
        raise PageError(
            f"no font for {printable(' '.join(lacking[:10]), 60)} on the page {shown(title)}; "
            "give a folder of fonts that have them, --fonts /usr/share/fonts, or write HTML"
        )
    content = {name: part if name in UNSET else _apart(part) for name, part in content.items()}
    try:
        out: Any = typst.compile(
            template,
            format=format,
            font_paths=typefaces,
            sys_inputs={"content": json.dumps(content, ensure_ascii=True)},
            timestamp=0,
        )
    except typst.TypstError as error:
        first = str(error).strip().splitlines()[0]
        raise PageError(f"typst can't set the page {title!r}: {first}") from None
    # typst gives a list where there are several pages
    if isinstance(out, list):
        raise PageError(f"{title!r} takes {len(out)} pages; a picture has one")
    return bytes(out) if format == "svg" else _shows_title(bytes(out))


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


def _apart(part: Any) -> Any:
    """The content, with right-to-left words isolated."""
    if isinstance(part, str):
        return apart(part)
    if isinstance(part, Mapping):
        return {name: _apart(value) for name, value in part.items()}
    return [_apart(value) for value in part] if isinstance(part, list | tuple) else part


def _lacking(text: str, fonts: Any) -> list[str]:
    """The characters of a text that no font has, found by comparing with `NOBODYS`."""
    import typst

    rare = sorted({c for c in text if ord(c) >= RARE and c not in COMMON and c.isprintable()})
    # comparing glyphs takes a second run of typst
    if not rare:
        return []
    pages: Any = typst.compile(  # a list if there is more than one page
        ONE_A_PAGE,
        format="svg",
        font_paths=fonts,
        sys_inputs={"characters": json.dumps([NOBODYS, *rare])},
    )
    drawn = [set(re.findall(rb'href="#(\w+)"', page)) for page in pages]
    return [c for c, glyphs in zip(rare, drawn[1:], strict=True) if glyphs & drawn[0]]


def breakable(text: str, token: int = TOKEN) -> str:
    """A text whose long words may be broken; hashes never are.

    >>> breakable("a" * 20).index(BREAK)
    18
    """
    words = []
    for word in text.split(" "):
        parts = [word[i : i + token] for i in range(0, len(word), token)] or [""]
        if DIGEST.fullmatch(word):  # a hash has room, and is copied
            parts = [word]
        words.append(BREAK.join(parts))
    return " ".join(words)


def _short(text: str, most: int) -> str:
    return breakable(text if len(text) < most else f"{text[: most - 1]}…")


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Page():
            blocks = list(map(_block, with_note(block.blocks, _longest)))
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
    return [breakable(span.text), span.look]


def _table(block: Table | Facts) -> dict[str, Any]:
    kinds, total = block.kinds, isinstance(block, Table) and block.total is not None
    texts = block.printed(_longest(block))
    rows = [[_cell(t, k) for t, k in zip(row, kinds, strict=True)] for row in texts]
    head = [breakable(h) for h in block.heads or [""] * len(kinds)]
    return {
        "block": "table",
        "caption": breakable(block.caption),
        "head": head,
        "kinds": [kind.setting for kind in kinds],
        "columns": _columns(kinds, head, rows),
        "rows": rows,
        "total": total,
        "size": _size([head, *rows]),
        "whole": len(rows) <= WHOLE,
    }


def _longest(block: Block) -> int:
    """The most characters of a fraction: a table with a total is a return table, given in full."""
    return LONGEST if isinstance(block, Table) and block.total is not None else LONG


def _cell(text: str, kind: Kind) -> str:
    if text == CUT:
        return ""
    if kind.setting == "exact":
        return f"/{BREAK}".join(_evenly(part) for part in minus(text).split("/"))
    return minus(text) if kind.setting == "number" else breakable(text)


def _evenly(digits: str) -> str:
    """A long number in lines of similar length."""
    lines = -(-len(digits) // DIGITS)
    return breakable(digits, -(-len(digits) // max(lines, 1)) or 1)


def _size(rows: list[list[str]]) -> float:
    """The font size of a table, by the characters of its longest cells."""
    longest = [max(len(c) for c in column) for column in zip(*rows, strict=True)]
    wide = sum(min(n, 26) for n in longest) + 3 * len(longest)
    return FULL if wide < 100 else NARROW if wide < 124 else TINY


def _columns(kinds: list[Kind], head: list[str], rows: list[list[str]]) -> list[str]:
    """Column widths: the needed width, or a share of the rest."""
    out = []
    for kind, column in zip(kinds, zip(head, *rows, strict=True), strict=True):
        longest = max(len(c) for c in column)
        if kind.setting == "exact" and longest > NARROWEST:
            # a long fraction is broken in a column of fixed width, else it takes the page
            out.append("12.5em")
            continue
        shares = kind.setting in ("text", "note") and longest > WIDE
        out.append(f"={min(longest, 60)}" if shares else "auto")
    return out
