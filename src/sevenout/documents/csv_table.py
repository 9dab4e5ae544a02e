"""A table as comma-separated values, for spreadsheets and programs."""

from collections.abc import Iterator
from csv import writer
from fractions import Fraction
from io import StringIO
from typing import Any

from sevenout.documents.blocks import Block, Page
from sevenout.documents.kinds import Cell, Kind
from sevenout.documents.numbers import Certified, exactly
from sevenout.documents.tables import PageError, Table

FORMULA = ("=", "+", "-", "@")


def csv(table: Table) -> str:
    r"""A table as CSV: exact kinds as text, other kinds of the same number as floats.

    >>> from sevenout.documents.tables import Column
    >>> from sevenout.documents.kinds import DECIMAL, FRACTION
    >>> csv(Table(["event", Column("p", FRACTION, DECIMAL)], [["craps", Fraction(1, 9)]]))
    'event,p,"p, decimal"\ncraps,1/9,0.1111111111111111\n'
    """
    out = StringIO()
    lines = writer(out, lineterminator="\n")
    first = [guarded(c.head) for c in table.columns]
    lines.writerow(
        [
            head if kind is column.kinds[0] else f"{head}, decimal"
            for column, head in zip(table.columns, first, strict=True)
            for kind in column.kinds
        ]
    )
    for row in table.all_rows:
        pairs = zip(table.columns, row, strict=True)
        lines.writerow([_value(cell, kind) for column, cell in pairs for kind in column.kinds])
    return out.getvalue()


def only_table(page: Page, caption: str | None = None) -> Table:
    """The only table of a page, or the one with a caption.

    Raises:
        PageError: none, or several.
    """
    found = list(_tables(page.blocks))
    if caption is not None:
        found = [table for table in found if table.caption == caption]
    if len(found) == 1:
        return found[0]
    names = ", ".join(repr(table.caption) for table in _tables(page.blocks))
    asked = "" if caption is None else f" with the caption {caption!r}"
    raise PageError(f"{len(found)} tables{asked}; name one of: {names or 'none'}")


def _tables(blocks: tuple[Block, ...]) -> Iterator[Table]:
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, Page):
            yield from _tables(block.blocks)


def _value(cell: Cell, kind: Kind) -> Any:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return guarded(cell) if kind.setting in ("text", "note", "mono", "number") else ""
    if isinstance(cell, Certified):
        return float(cell.value)
    if isinstance(cell, Fraction) and kind.setting == "number" and kind.digits is not None:
        return float(cell)
    return exactly(cell) if isinstance(cell, Fraction) else cell


def guarded(text: str) -> str:
    """Text that a spreadsheet doesn't take for a formula.

    >>> guarded("=1+1"), guarded("-1/2"), guarded("natural")
    ("'=1+1", '-1/2', 'natural')
    """
    if not text.startswith(FORMULA):
        return text
    try:
        Fraction(text)
    except (ValueError, ZeroDivisionError):
        return f"'{text}"
    return text


def unguarded(text: str) -> str:
    """The inverse of `guarded`.

    >>> unguarded("'=1+1"), unguarded("'tis")
    ('=1+1', "'tis")
    """
    return text[1:] if text.startswith("'") and guarded(text[1:]) == text else text
