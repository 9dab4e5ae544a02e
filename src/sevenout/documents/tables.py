"""Tables and facts, with cells that stay numbers and columns that say how they are printed.

A table is also written as comma-separated values, in which no text is a formula.
"""

from collections.abc import Callable, Iterable, Mapping
from csv import writer
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from io import StringIO
from typing import Any

from sevenout.documents.drawings import Drawing
from sevenout.documents.kinds import DECIMAL, FRACTION, NOTE, TEXT, Cell, Kind
from sevenout.documents.numbers import MAX_FRACTION, TOO_LONG, Certified, exactly
from sevenout.documents.words import Text, Tone, clean
from sevenout.errors import SevenoutError, shown

TOO_LONG_NOTE = Text(
    "Where a fraction is blank, it is too long for the page. The JSON has it in full.",
    tone="note",
)
"""What renderers print below a table with a cell that is `TOO_LONG`; the cell itself is blank."""


class PageError(SevenoutError):
    """A page or a picture that can't be made."""


@dataclass(frozen=True, init=False)
class Column:
    """A column of a table: one value per row, printed in one or more ways side by side.

    Attributes:
        head: its title; "" for none.
        kinds: the ways to print each cell.
    """

    head: str
    kinds: tuple[Kind, ...]

    def __init__(self, head: str = "", *kinds: Kind) -> None:
        object.__setattr__(self, "head", clean(head))
        object.__setattr__(self, "kinds", kinds or (TEXT,))

    def texts(self, cell: Cell, max_fraction: int = MAX_FRACTION) -> list[str]:
        """A cell, printed in each of the column's ways.

        >>> Column("p", FRACTION, DECIMAL).texts(Fraction(1, 3))
        ['1/3', '0.333333']
        """
        if isinstance(cell, str):
            return [cell] + [""] * (len(self.kinds) - 1)
        # No second column shows the decimals, so a fraction too long would leave no figure at all.
        if self.kinds == (FRACTION,) and FRACTION(cell, max_fraction) in (TOO_LONG, ""):
            return [f"≈ {DECIMAL.with_digits(12)(cell)}"]
        return [kind(cell, max_fraction) for kind in self.kinds]


@dataclass(frozen=True, init=False)
class Table:
    """A table: columns with titles, and rows of cells.

    Attributes:
        columns: the columns; a string stands for a column of words with that title.
        rows: the cells, row by row.
        total: a last row with totals, or None.
        caption: a title over the table.
        tones: the tones of rows, by row number.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: tuple[Cell, ...] | None = None
    caption: str = ""
    tones: Mapping[int, Tone] = field(default_factory=dict)

    def __init__(
        self,
        columns: Iterable[object],
        rows: Iterable[Iterable[object]],
        total: Iterable[object] | None = None,
        caption: str = "",
        tones: Mapping[int, Tone] | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "columns", tuple(c if isinstance(c, Column) else Column(str(c)) for c in columns))
        put(self, "rows", tuple(tuple(map(checked_cell, row)) for row in rows))
        put(self, "total", None if total is None else tuple(map(checked_cell, total)))
        put(self, "caption", clean(caption))
        put(self, "tones", dict(tones or {}))
        for row in self.all_rows:
            if len(row) != len(self.columns):
                raise PageError(
                    f"a row of {len(row)} cells under {len(self.columns)} columns: {row}"
                )

    @property
    def all_rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows, with the total."""
        return self.rows if self.total is None else (*self.rows, self.total)

    @property
    def heads(self) -> list[str]:
        """The printed titles: "" over a second form of the same number."""
        return [head for c in self.columns for head in (c.head, *[""] * (len(c.kinds) - 1))]

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of the printed columns, from left to right."""
        return [kind for column in self.columns for kind in column.kinds]

    def printed(self, max_fraction: int = MAX_FRACTION) -> list[list[str]]:
        """Every row as printed, the total last."""
        rows = []
        for row in self.all_rows:
            cells = zip(self.columns, row, strict=True)
            rows.append([text for c, cell in cells for text in c.texts(cell, max_fraction)])
        return rows

    def to_dict(self) -> dict[str, Any]:
        """As data; exact figures in full, as text."""
        return {
            "block": "table",
            "caption": self.caption,
            "columns": [{"head": c.head, "kinds": list(map(str, c.kinds))} for c in self.columns],
            "rows": [list(map(as_json, row)) for row in self.rows],
            "total": None if self.total is None else list(map(as_json, self.total)),
        }

    def csv(self) -> str:
        r"""CSV with heads: exact kinds as text, other kinds of the same number as floats.

        A column with certified values is followed by their error bounds.

        >>> table = Table(["event", Column("p", FRACTION, DECIMAL)], [["craps", Fraction(1, 9)]])
        >>> table.csv()
        'event,p,"p, decimal"\ncraps,1/9,0.1111111111111111\n'
        """
        columns: list[list[Any]] = []
        for k, column in enumerate(self.columns):
            head, cells = guarded(column.head), [row[k] for row in self.all_rows]
            for kind in column.kinds:
                title = head if kind is column.kinds[0] else f"{head}, decimal"
                columns.append([title, *(_csv_value(cell, kind) for cell in cells)])
            certified = [c.as_floats()[1] if isinstance(c, Certified) else "" for c in cells]
            if any(certified):
                columns.append([f"{head}, bound", *certified])
        file = StringIO()
        writer(file, lineterminator="\n").writerows(zip(*columns, strict=True))
        return file.getvalue()


@dataclass(frozen=True, init=False)
class Fact:
    """A name and a value.

    Attributes:
        name: the name.
        value: the value.
        kinds: how it is printed: in one way, or as a `FRACTION` before its decimals.
        note: the convention, or a remark.

    Raises:
        PageError: two kinds of which the first is not `FRACTION`, or more than two.
    """

    name: str
    value: Cell
    kinds: tuple[Kind, ...]
    note: str = ""

    def __init__(self, name: str, value: object, *kinds: Kind, note: str = "") -> None:
        if len(kinds) > 2 or (len(kinds) == 2 and kinds[0] != FRACTION):
            listed = ", ".join(map(str, kinds))
            raise PageError(f"the kinds of {name!r} are {listed}; give one, or FRACTION and one")
        put = object.__setattr__
        put(self, "name", clean(name))
        put(self, "value", checked_cell(value))
        put(self, "kinds", kinds or (TEXT,))
        put(self, "note", clean(note))


@dataclass(frozen=True, init=False)
class Facts:
    """Names and values.

    >>> Facts(Fact("edge", Fraction(7, 495), FRACTION, DECIMAL)).printed()
    [['edge', '7/495', '0.014141']]

    Attributes:
        facts: the names and values.
        caption: a title over them.
    """

    facts: tuple[Fact, ...]
    caption: str = ""

    def __init__(self, *facts: Fact, caption: str = "") -> None:
        object.__setattr__(self, "facts", facts)
        object.__setattr__(self, "caption", clean(caption))

    @cached_property
    def has_exact(self) -> bool:
        """Whether fractions are printed in full beside their decimals."""
        return any(f.kinds[0] == FRACTION for f in self.facts)

    @cached_property
    def has_notes(self) -> bool:
        """Whether any fact has a note."""
        return any(f.note for f in self.facts)

    @property
    def heads(self) -> list[str]:
        """The printed titles, as those of a table: facts have none."""
        return [""] * len(self.kinds)

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of the printed columns, from left to right: names, values, notes."""
        value = DECIMAL if any(f.kinds[-1].setting != "text" for f in self.facts) else TEXT
        exact, notes = [FRACTION] * self.has_exact, [NOTE] * self.has_notes
        return [TEXT, *exact, value, *notes]

    def printed(self, max_fraction: int = MAX_FRACTION) -> list[list[str]]:
        """Every fact as printed."""
        rows = []
        for fact in self.facts:
            value = fact.kinds[-1](fact.value, max_fraction)
            row = [fact.name]
            if self.has_exact:
                row.append(FRACTION(fact.value, max_fraction) if fact.kinds[0] == FRACTION else "")
                value = "" if fact.kinds == (FRACTION,) else value
            rows.append([*row, value, *([fact.note] if self.has_notes else [])])
        return rows

    def to_dict(self) -> dict[str, Any]:
        """As data; exact figures in full, as text."""
        return {
            "block": "facts",
            "caption": self.caption,
            "facts": [
                {"name": f.name, "value": as_json(f.value), "kinds": list(map(str, f.kinds))}
                | ({"note": f.note} if f.note else {})
                for f in self.facts
            ],
        }


def with_note(blocks: Iterable[Any], max_fraction: Callable[[Any], int]) -> list[Any]:
    """The blocks, with `TOO_LONG_NOTE` after the last one that has a blank fraction.

    `max_fraction` gives the most characters of a fraction in a block.
    """
    noted = list(blocks)
    blank = [k for k, block in enumerate(noted) if has_too_long(block, max_fraction(block))]
    if blank:
        noted.insert(blank[-1] + 1, TOO_LONG_NOTE)
    return noted


def has_too_long(block: object, max_fraction: int = MAX_FRACTION) -> bool:
    """Whether a block is a table or facts with a fraction that is too long to print."""
    return isinstance(block, Table | Facts) and any(
        TOO_LONG in row for row in block.printed(max_fraction)
    )


def as_json(cell: Cell) -> Any:
    """A cell for JSON: exact numbers in full, as text; counts as numbers.

    The data of a question has floats for a value with a bound: `questions.question.figure_data`.

    >>> as_json(Fraction(7, 495)), as_json(12), as_json(Certified(Fraction(1, 3), Fraction(1, 9)))
    ('7/495', 12, {'value': '1/3', 'bound': '1/9'})
    """
    if isinstance(cell, Fraction):
        return exactly(cell)
    if isinstance(cell, Certified):
        return {"value": exactly(cell.value), "bound": exactly(cell.bound)}
    if isinstance(cell, float) and cell - cell != 0:
        return str(cell)  # JSON has no infinity
    # Many readers of JSON hold integers in 64 bits or fewer.
    if isinstance(cell, int) and cell.bit_length() > 64:
        return exactly(cell)
    return cell


def checked_cell(cell: object) -> Cell:
    """A cell of a table, its text cleaned.

    Raises:
        PageError: neither a string, nor a number, nor None.
    """
    if isinstance(cell, str):
        return cell if isinstance(cell, Drawing) else clean(cell)
    if cell is None or isinstance(cell, int | float | Fraction | Certified):
        return cell
    raise PageError(f"the cell {shown(cell)} is not a string, a number or None")


FORMULA = ("=", "+", "-", "@")
"""How a cell begins that a spreadsheet takes for a formula."""


def _csv_value(cell: Cell, kind: Kind) -> Any:
    """A cell as CSV has it under one kind of its column: exact as text, decimals as a float."""
    if cell is None:
        return ""
    # words in an exact column have their place in the other one
    if isinstance(cell, str):
        return guarded(cell) if kind.setting in ("text", "note", "mono", "number") else ""
    if isinstance(cell, Certified):
        return cell.as_floats()[0]
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
        # a negative number begins like a formula, and is none
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
