"""The PDF of a sheet, typeset by typst, offline, with the fonts that come with it.

The template is fixed; the content reaches it as JSON, so nothing in a game's names or texts can be
markup or code. The same sheet gives the same bytes: the document has no date of its own, and the
timestamp is fixed.
"""

import json
from fractions import Fraction
from importlib.resources import files
from typing import Any

from sevenout.report.page import (
    CUT,
    CUT_NOTE,
    Block,
    Cell,
    Kind,
    Picture,
    ReportError,
    Section,
    Sheet,
    Table,
    exactly,
    minus,
)

BREAK = "\u200b"
TOKEN = 18
"""A longer word may be broken after so many characters."""
DIGITS, LONG, LONGEST = 24, 50, 100
"""Digits in a line of a long fraction; one with more characters in all is left out of the PDF: its
decimals stand beside it, and the JSON has it in full. A table with a total takes the last."""
NARROWEST = 26
"""Longer fractions are broken, in a column of fixed width."""
WIDE, WHOLE = 44, 26
"""Longer texts share what is left of a row; shorter tables are not split between pages."""
FULL, NARROW, TINY = 9.5, 8.5, 7.5
"""Sizes of tables, by how much there is in a row."""


def compile_pdf(sheet: Sheet) -> bytes:
    """The PDF of a sheet.

    Raises:
        ReportError: typst can't set it.
    """
    import typst

    content = {
        "title": breakable(sheet.title),
        "running": [_short(sheet.title, 64), _short(sheet.date, 24)],
        "subtitle": breakable(sheet.subtitle),
        "facts": [[name, breakable(value)] for name, value in _facts(sheet)],
        "sections": [{"title": breakable(s.title), "blocks": _blocks(s)} for s in sheet.sections],
    }
    template = files("sevenout.report").joinpath("sheet.typ").read_bytes()
    try:
        out = typst.compile(
            template,
            format="pdf",
            ignore_system_fonts=True,
            sys_inputs={"content": json.dumps(content, ensure_ascii=True)},
            timestamp=0,
        )
    except typst.TypstError as error:
        first = str(error).strip().splitlines()[0]
        raise ReportError(f"typst can't set the sheet of {sheet.title!r}: {first}") from None
    return bytes(out)


def _short(text: str, most: int) -> str:
    return breakable(text if len(text) < most else f"{text[: most - 1]}…")


def _blocks(section: Section) -> list[dict[str, Any]]:
    blocks = [_block(block) for block in section.blocks]
    cut = [i for i, block in enumerate(blocks) if any(CUT in row for row in block.get("rows", ()))]
    if cut:
        blocks.insert(cut[-1] + 1, _block(CUT_NOTE))
    return blocks


def _facts(sheet: Sheet) -> list[tuple[str, str]]:
    return [*([("date", sheet.date)] if sheet.date else []), *sheet.facts]


def breakable(text: str, token: int = TOKEN) -> str:
    """A text in which a word that is too long for a line may be broken.

    >>> breakable("a" * 20).index(BREAK)
    18
    """
    words = []
    for word in text.split(" "):
        parts = [word[i : i + token] for i in range(0, len(word), token)] or [""]
        words.append(BREAK.join(parts))
    return " ".join(words)


def _cell(cell: Cell, kind: Kind, long: int) -> str:
    if isinstance(cell, Fraction):
        text = minus(exactly(cell, long))
        return f"/{BREAK}".join(_evenly(part) for part in text.split("/"))
    return minus(cell) if kind == "number" else breakable(cell)


def _evenly(digits: str) -> str:
    """A long number in lines of about the same length."""
    lines = -(-len(digits) // DIGITS)
    return breakable(digits, -(-len(digits) // lines))


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Picture):
        return block.to_dict() | {"caption": breakable(block.caption)}
    if isinstance(block, Table):
        pairs = [list(zip(row, block.kinds, strict=True)) for row in block.rows]
        long = LONGEST if block.total else LONG
        rows = [[_cell(c, kind, long) for c, kind in row] for row in pairs]
        head = [breakable(h) for h in block.head]
        return {
            "block": "table",
            "caption": breakable(block.caption),
            "head": head,
            "kinds": list(block.kinds),
            "columns": _columns(block, rows),
            "rows": rows,
            "total": block.total,
            "size": _size([head, *rows]),
            "whole": len(rows) <= WHOLE,
        }
    return {"block": "text", "text": breakable(block.text), "note": block.note}


def _size(rows: list[list[str]]) -> float:
    """The size of a table's type, by the characters of its longest cells."""
    longest = [max(len(c) for c in column) for column in zip(*rows, strict=True)]
    wide = sum(min(n, 26) for n in longest) + 3 * len(longest)
    return FULL if wide < 100 else NARROW if wide < 124 else TINY


def _columns(table: Table, rows: list[list[str]]) -> list[str]:
    """Which columns take what they need, and which share what is left."""
    out = []
    for kind, column in zip(table.kinds, zip(table.head, *rows, strict=True), strict=True):
        longest = max(len(c) for c in column)
        if kind == "exact" and longest > NARROWEST:
            out.append("12.5em")
            continue
        shares = kind in ("text", "note") and longest > WIDE
        out.append(f"={min(longest, 60)}" if shares else "auto")
    return out
