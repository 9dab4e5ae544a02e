"""Rolls of real dice, read from a CSV file with `#` comments.

A file holds the rolls of one die or several, a column each or all in one; a column of totals; or
counts, in the columns `face,count` or `total,count`. Other columns, such as a date or the number of
the roll, are left out. See docs/howto/verify.md.
"""

import csv
import re
from array import array
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from os import PathLike
from typing import Any

from sevenout.documents.numbers import quantity
from sevenout.errors import shown
from sevenout.files import read_lines, shown_path
from sevenout.rolling import Dice, Law, Roll, parse_dice
from sevenout.verify.counts import Cells, DataError, cells_of
from sevenout.wrong_arguments import public

FORMS = "write one column for each die, or a header: face, total, face,count or total,count"
HEADINGS = {
    "face": "face faces side value number pips",
    "total": "total totals sum sums",
    "roll": "roll rolls result results outcome",
    "count": "count counts times throws frequency n",
    "note": (
        "date time datetime timestamp day session table shooter operator "
        "no no. nr # id index trial throw note notes comment"
    ),
}
"""The headings of a column by what it holds.

A roll is what came up: a face of one die, the total or the faces of several. A note says nothing of
the dice.
"""
_CONTENT = {heading: content for content, text in HEADINGS.items() for heading in text.split()}
_BETWEEN_FACES = re.compile(r"[\s,;+/|-]+")
"""What stands between the faces of several dice in one cell."""
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
# floats, which statistics end in, hold whole numbers one by one up to about here
_MAX_COUNT = 10**15


@dataclass(frozen=True)
class Sample:
    """Observations of a die, of equal dice, or of a total.

    >>> from sevenout.rolling import d6
    >>> sample = Sample("d6", d6.law, {face: 10 for face in range(1, 7)})
    >>> sample.cells.n, sample.cells.expected[0]
    (60, Fraction(10, 1))

    Attributes:
        name: of the die, in the file's words.
        law: the expected distribution.
        counts: of each outcome.
        order: the outcomes in order; None if only counts are known.
    """

    name: str
    law: Law
    counts: Mapping[Any, int]
    order: tuple[Any, ...] | None = None

    @property
    def cells(self) -> Cells:
        """The counts beside the distribution."""
        return cells_of(self.counts, self.law)


@dataclass(frozen=True)
class Rolls:
    """The rolls of a file.

    >>> from sevenout.rolling.notation import parse_dice
    >>> Rolls("mine", parse_dice("d6"), (), 0).totals is None
    True

    Attributes:
        source: the file.
        dice: the dice, as they should be.
        n: the number of rolls.
        samples: one for each die; or one of all the dice or of their total, if only that is known.
    """

    source: str
    dice: Dice
    samples: tuple[Sample, ...]
    n: int

    @cached_property
    def totals(self) -> Sample | None:
        """The totals of several dice; None if unknown, or if faces are labels."""
        if len(self.dice) == 1 or None in self.dice.totals.law:
            return None
        if len(self.samples) == 1:
            return self.samples[0] if self.samples[0].name == "total" else None
        order = tuple(roll.total for roll in self if isinstance(roll, Roll))
        return Sample("total", self.dice.totals.law, Counter(order), order)

    def __iter__(self) -> Iterator[Roll | Hashable]:
        """The rolls in order: a `Roll` each, or a total if only totals are known.

        Raises:
            DataError: only counts are known.
        """
        columns = [sample.order for sample in self.samples]
        if None in columns:
            raise DataError(f"{self.source} has counts, not rolls in order; a log needs each roll")
        if len(columns) < len(self.dice):
            yield from columns[0] or ()
        else:
            for faces in zip(*columns, strict=True):
                yield self.dice.roll(faces)


MISSING: Any = object()


@dataclass(frozen=True)
class RollTable:
    """The table of a CSV file.

    >>> table = RollTable("rolls.csv", 1, ("No", "Roll"), (2, 3), (["1", "6"], ["2", "4"]))
    >>> table.contents, table.column(1)
    (['note', 'roll'], ['6', '4'])

    Attributes:
        path: the file.
        first_line: the number of the header's line, or of the first row's without a header.
        header: the titles of the columns; none without a header.
        line_numbers: the number of each row's line in the file, from 1.
        rows: the cells of each row.
    """

    path: str | PathLike[str]
    first_line: int
    header: Sequence[str]
    line_numbers: Sequence[int]
    rows: Sequence[list[str]]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def contents(self) -> list[str]:
        """What each column holds by its title, as in `HEADINGS`, or "" if that is unknown."""
        return [_CONTENT.get(title.lower(), "") for title in self.header]

    def column(self, index: int) -> list[str]:
        """The cells of a column."""
        return [row[index] for row in self.rows]

    def with_columns(self, columns: Sequence[int]) -> "RollTable":
        """The table with these columns only."""
        if len(columns) == self.width:
            return self
        header = [self.header[i] for i in columns] if self.header else ()
        return replace(self, header=header, rows=[[row[i] for i in columns] for row in self.rows])

    def error(self, line: int, words: str) -> DataError:
        """The error of a line."""
        return DataError(f"{shown_path(self.path)}, line {line}: {words}")

    def outcomes(self, column: int, outcome_by_text: Mapping[str, Any], name: str) -> Iterator[Any]:
        """The outcomes in a column.

        Args:
            column: its index.
            outcome_by_text: every outcome, by its text.
            name: what an outcome is, for messages: "a face of d6".

        Raises:
            DataError: an unknown outcome; the message lists those that there are.
        """
        for line, row in zip(self.line_numbers, self.rows, strict=True):
            text = row[column]
            if text not in outcome_by_text:
                names = list(outcome_by_text)
                # the totals of many dice would fill the screen
                listed = ", ".join(names) if len(names) <= 12 else f"{names[0]} to {names[-1]}"
                raise self.error(line, f"{shown(text)} is not {name}; it can be {listed}")
            yield outcome_by_text[text]

    def counts(self, outcome_by_text: Mapping[str, Any], name: str) -> dict[Any, int]:
        """The counts of a table with two columns: outcome and count; arguments as in `outcomes`.

        Raises:
            DataError: an unknown or repeated outcome; a count that is not a whole number; no
                counts.
        """
        counts: dict[Any, int] = {}
        outcomes = self.outcomes(0, outcome_by_text, name)
        for line, (text, count), outcome in zip(
            self.line_numbers, self.rows, outcomes, strict=True
        ):
            if outcome in counts:
                raise self.error(line, f"{shown(text)} appears twice; give each outcome once")
            if not re.fullmatch(r"\d{1,16}", count) or int(count) > _MAX_COUNT:
                advice = "write a whole number from 0 to 10^15"
                raise self.error(line, f"{shown(count)} is not a count; {advice}")
            counts[outcome] = int(count)
        if not any(counts.values()):
            raise self.error(self.line_numbers[-1], "every count is 0; nothing was rolled")
        return counts


@public
def read_rolls(path: str | PathLike[str], dice: Dice | str = "d6") -> Rolls:
    r"""The rolls in a CSV file of a form in docs/howto/verify.md.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "rolls.csv")
    ...     _ = file.write_text("red,blue\n3,4\n6,6\n")
    ...     rolls = read_rolls(file, "2d6")
    >>> rolls.n, rolls.samples[0].name, [roll.total for roll in rolls]
    (2, 'red', [7, 12])

    Raises:
        DataError: an unreadable or malformed file, with its name, line and value.
        NotationError: `dice` is a text that is not dice.
    """
    dice = parse_dice(dice) if isinstance(dice, str) else dice
    faces = {text for die in dice.dice for text in _outcome_by_text(die.law)}
    table = _without_notes(read_table(path, faces))
    if _has_counts(table, dice):
        return _rolls_from_counts(table, dice)
    table = _with_a_column_per_die(_without_roll_numbers(table, len(dice)), len(dice))
    if _has_totals(table, len(dice)):
        law = dice.totals.law
        order = tuple(table.outcomes(0, _outcome_by_text(law), f"a total of {dice}"))
        return Rolls(str(path), dice, (Sample("total", law, Counter(order), order),), len(order))
    samples = []
    for i, (die, name) in enumerate(zip(dice.dice, _die_names(table, dice), strict=True)):
        order = tuple(table.outcomes(i, _outcome_by_text(die.law), f"a face of {die}"))
        samples.append(Sample(name, die.law, Counter(order), order))
    return Rolls(str(path), dice, tuple(samples), len(table.rows))


def read_table(path: str | PathLike[str], outcomes: set[str]) -> RollTable:
    """The table of a CSV file.

    A first line without a number or one of the outcomes is a header.

    Raises:
        DataError: an empty file, ragged lines.
        FileError: the file can't be read.
    """
    file_lines = read_lines(path)
    first_line = next(file_lines, "")
    # spreadsheets outside the English-speaking world write semicolons
    delimiter = next((m for m in ";\t" if m in first_line and "," not in first_line), ",")
    reader = csv.reader(chain([first_line], file_lines), strict=True, delimiter=delimiter)
    line_numbers, rows = array("q"), list[list[str]]()
    # a million lines of a die have six different rows
    cells_by_row: dict[tuple[str, ...], list[str] | None] = {}
    try:
        for row in reader:
            cells = cells_by_row.get(tuple(row), MISSING)
            if cells is MISSING:
                cells = cells_by_row[tuple(row)] = _cells(row)
            if cells:
                line_numbers.append(reader.line_num)
                rows.append(cells)
    except csv.Error as error:
        raise DataError(f"{shown_path(path)}, line {reader.line_num}: not CSV ({error})") from None
    if not rows:
        raise DataError(f"{shown_path(path)} is empty; {FORMS}")
    table = RollTable(path, line_numbers[0], (), line_numbers, rows)
    for line, row in zip(line_numbers, rows, strict=True):
        if len(row) != table.width:
            message = f"{shown(','.join(row))} has {quantity(len(row), 'column')}"
            raise table.error(line, f"{message}; line {table.first_line} has {table.width}")
    if any(cell in outcomes or _NUMBER.fullmatch(cell) for cell in rows[0]):
        return table
    if len(rows) == 1:
        raise table.error(table.first_line, f"no rolls after the header {shown(','.join(rows[0]))}")
    return replace(table, header=rows[0], line_numbers=line_numbers[1:], rows=rows[1:])


def _cells(row: list[str]) -> list[str] | None:
    """The cells of a line; None for an empty line or a comment."""
    cells = [cell.strip() for cell in row]
    return cells if any(cells) and not cells[0].startswith("#") else None


def _without_notes(table: RollTable) -> RollTable:
    """A table without its columns of notes, such as dates.

    Raises:
        DataError: there are no other columns.
    """
    if not table.header:
        return table
    columns = [i for i, content in enumerate(table.contents) if content != "note"]
    if not columns:
        titles = shown(",".join(table.header))
        raise table.error(table.first_line, f"{titles} names no column of rolls; {FORMS}")
    return table.with_columns(columns)


def _has_counts(table: RollTable, dice: Dice) -> bool:
    """Whether a table has two columns: outcomes, and how often each came up.

    Raises:
        DataError: without a header that could be so, or the rolls of one die with their numbers.
    """
    if table.width != 2 or table.header:
        return table.width == 2 and table.contents[1] == "count"
    outcomes, counts = table.column(0), table.column(1)
    faces = {*_outcome_by_text(dice.dice[0].law)}
    if len(dice) > 1 or len({*outcomes}) < len(outcomes) or not {*outcomes} <= faces:
        return False
    if {*counts} <= faces and _is_numbered(table):
        raise table.error(
            table.first_line,
            f"{shown(','.join(table.rows[0]))} may be a face and its count, or the number of a "
            "roll and its face; write a header, such as face,count or no,face",
        )
    return True


def _without_roll_numbers(table: RollTable, dice: int) -> RollTable:
    """A table without a first column that numbers the rolls from 0 or 1."""
    if table.width != dice + 1 and table.contents != ["roll", "total"]:
        return table
    # a few rolls may count up by chance
    if _is_numbered(table) and (len(table.rows) > 6 or table.contents[:1] == ["roll"]):
        return table.with_columns(range(1, table.width))
    return table


def _is_numbered(table: RollTable) -> bool:
    """Whether the first column counts up from 0 or 1."""
    numbers = table.column(0)
    start = 0 if numbers[0] == "0" else 1
    return numbers == [str(start + k) for k in range(len(numbers))]


def _with_a_column_per_die(table: RollTable, dice: int) -> RollTable:
    """The table; the faces of several dice in one cell, 3-4 or (3, 4), get a column each."""
    if table.width > 1 or dice == 1 or not {*table.contents} <= {"roll", "total"}:
        return table
    split = [_BETWEEN_FACES.split(cell.strip("()[]")) for cell in table.column(0)]
    if all(len(faces) == dice for faces in split):
        return replace(table, header=(), rows=split)
    return table


def _has_totals(table: RollTable, dice: int) -> bool:
    """Whether a table is one column of totals: it says so, or there are several dice."""
    if table.width != 1:
        return False
    return table.contents == ["total"] or (dice > 1 and {*table.contents} <= {"roll"})


def _die_names(table: RollTable, dice: Dice) -> Sequence[str]:
    """The name of each die: that of its column, or its number; a single die has its notation.

    Raises:
        DataError: another number of columns than dice, two of one name, or one that is no die's.
    """
    titles = shown(",".join(table.header or table.rows[0]))
    if table.width != len(dice):
        message = f"{titles} has {quantity(table.width, 'column')} for {dice}"
        raise table.error(table.first_line, f"{message}; {FORMS}")
    # the report names each die by its column
    if table.header and len({title.lower() for title in table.header}) < table.width:
        raise table.error(
            table.first_line, f"{titles} gives two dice the same name; give each its own name"
        )
    # a single die is called by its notation, whatever its column is called
    if table.width == 1:
        if not {*table.contents} <= {"face", "roll"}:
            raise table.error(table.first_line, f"{titles} is not a face of {dice}; {FORMS}")
        return [str(dice.dice[0])]
    for title, content in zip(table.header, table.contents, strict=True):
        if content in ("total", "count"):
            message = f"{titles} has a column {shown(title)}, which is not that of a die"
            raise table.error(table.first_line, f"{message}; {FORMS}")
    return table.header or [f"die {i + 1}" for i in range(table.width)]


def _rolls_from_counts(table: RollTable, dice: Dice) -> Rolls:
    """The rolls of a file of counts: of totals, or of the faces of dice that are alike."""
    content = table.contents[0] if table.header else "face"
    if content == "total" or (len(dice) > 1 and content == "roll"):
        law = dice.totals.law
        counts = table.counts(_outcome_by_text(law), f"a total of {dice}")
        return Rolls(str(table.path), dice, (Sample("total", law, counts),), sum(counts.values()))
    if content not in ("face", "roll"):
        titles = shown(",".join(table.header))
        raise table.error(table.first_line, f"the header {titles}; {FORMS}")
    die = dice.dice[0]
    # counts of faces don't tell dice apart
    if any(other != die for other in dice.dice):
        title = table.header[0]
        message = f"{shown(title)} counted over {dice}, which are not alike"
        raise table.error(table.first_line, f"{message}; give one column for each die")
    counts = table.counts(_outcome_by_text(die.law), f"a face of {die}")
    n, rest = divmod(sum(counts.values()), len(dice))
    if rest:
        raise DataError(
            f"{shown_path(table.path)}: {sum(counts.values()):,} faces are not a whole number of "
            f"rolls of {dice}"
        )
    return Rolls(str(table.path), dice, (Sample(str(dice), die.law, counts),), n)


def _outcome_by_text(law: Law) -> dict[str, Any]:
    return {str(outcome): outcome for outcome in law}
