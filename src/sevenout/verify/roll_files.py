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
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from os import PathLike
from typing import Any, overload

from sevenout.errors import shown
from sevenout.files import read_lines, shown_path
from sevenout.rolling import Dice, Law, Roll, parse_dice
from sevenout.verify.counts import Cells, DataError, cells_of
from sevenout.wrong_arguments import public

FORMS = "write one column for each die, or a header: face, total, face,count or total,count"
COUNT_HEADERS = {"count", "counts", "times", "throws", "frequency", "n"}
"""Headers of a column of counts."""
TOTAL_HEADERS = {"total", "totals", "sum", "sums"}
FACE_HEADERS = {"face", "faces", "side", "value", "number", "pips"}
ROLL_HEADERS = {"roll", "rolls", "result", "results", "outcome"}
"""Headers of a column of what came up: a face of one die, the total or the faces of several."""
NOTE_HEADERS = {
    "date",
    "time",
    "datetime",
    "timestamp",
    "day",
    "session",
    "table",
    "shooter",
    "operator",
}
NOTE_HEADERS |= {
    "no",
    "no.",
    "nr",
    "#",
    "id",
    "index",
    "trial",
    "throw",
    "note",
    "notes",
    "comment",
}
"""Headers of columns that say nothing of the dice."""
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


Line = tuple[int, list[str]]
MISSING: Any = object()


@dataclass(frozen=True)
class Lines(Sequence[Line]):
    """Numbered lines of a file; equal lines share their cells in memory.

    >>> list(Lines([1, 3], [["a"], ["b"]])[1:])
    [(3, ['b'])]

    Attributes:
        numbers: of the lines in the file, from 1.
        rows: the cells of each line.
    """

    numbers: Sequence[int]
    rows: Sequence[list[str]]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Line]:
        return zip(self.numbers, self.rows, strict=True)

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> "Lines": ...
    def __getitem__(self, index: int | slice) -> "Line | Lines":
        if isinstance(index, slice):
            return Lines(self.numbers[index], self.rows[index])
        return self.numbers[index], self.rows[index]


def _cells(row: list[str]) -> list[str] | None:
    """The cells of a line; None for an empty line or a comment."""
    cells = [cell.strip() for cell in row]
    return cells if any(cells) and not cells[0].startswith("#") else None


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
    header, lines = read_table(path, {str(face) for die in dice.dice for face in die.faces})
    header, lines = _without_notes(header, lines, len(dice))
    if _has_counts(header, lines, dice):
        return _rolls_from_counts(str(path), dice, header, lines)
    header, lines = _with_a_column_per_die(header, lines, len(dice))
    if _has_totals(header, lines, len(dice)):
        law = dice.totals.law
        order = tuple(_column(path, lines, 0, law, f"a total of {dice}"))
        return Rolls(str(path), dice, (Sample("total", law, Counter(order), order),), len(order))
    samples = []
    for i, (die, name) in enumerate(
        zip(dice.dice, _die_names(path, header, lines, dice), strict=True)
    ):
        order = tuple(_column(path, lines, i, die.law, f"a face of {die}"))
        samples.append(Sample(name, die.law, Counter(order), order))
    return Rolls(str(path), dice, tuple(samples), len(lines))


def _heads(header: Line | None) -> list[str]:
    """The titles of the columns in small letters; none without a header."""
    return [name.lower() for name in header[1]] if header else []


def _has_counts(header: Line | None, lines: "Lines", dice: Dice) -> bool:
    """Whether a table has two columns: outcomes, and how often each came."""
    if len(lines[0][1]) != 2:
        return False
    heads = _heads(header)
    return heads[1] in COUNT_HEADERS if heads else _looks_counted(lines, dice)


def _with_a_column_per_die(
    header: Line | None, lines: "Lines", dice: int
) -> tuple[Line | None, "Lines"]:
    """The table; the faces of several dice in one cell, 3-4 or (3, 4), get a column each."""
    heads = _heads(header)
    if len(lines[0][1]) > 1 or dice == 1:
        return header, lines
    if heads and heads[0] not in ROLL_HEADERS | TOTAL_HEADERS:
        return header, lines
    split = [_BETWEEN_FACES.split(cells[0].strip("()[]")) for _, cells in lines]
    if all(len(cells) == dice for cells in split):
        return None, Lines(lines.numbers, split)
    return header, lines


def _has_totals(header: Line | None, lines: "Lines", dice: int) -> bool:
    """Whether a table is one column of totals: it says so, or there are several dice."""
    heads = _heads(header)
    if len(lines[0][1]) != 1:
        return False
    return bool(heads and heads[0] in TOTAL_HEADERS) or (dice > 1 and {*heads} <= ROLL_HEADERS)


def _die_names(
    path: str | PathLike[str], header: Line | None, lines: "Lines", dice: Dice
) -> list[str]:
    """The name of each die: that of its column, or its number; a single die has its notation.

    Raises:
        DataError: another number of columns than dice, two of one name, or one of other things.
    """
    width, heads = len(lines[0][1]), _heads(header)
    if width != len(dice):
        line, cells = header or lines[0]
        message = f"{shown(','.join(cells))} has {width} columns for {len(dice)} dice ({dice})"
        raise _line_error(path, line, f"{message}; {FORMS}")
    # the report names each die by its column
    if header and len(set(heads)) < width:
        heading = shown(",".join(header[1]))
        raise _line_error(
            path, header[0], f"{heading} gives two dice the same name; give each its own name"
        )
    if header and width == 1 and heads[0] not in FACE_HEADERS | ROLL_HEADERS:
        face = shown(header[1][0])
        raise _line_error(path, header[0], f"{face} is not a face of {dice}; {FORMS}")
    # a single die is called by its notation, whatever its column is called
    if width == 1:
        return [str(dice.dice[0])]
    return header[1] if header else [f"die {i + 1}" for i in range(width)]


def _without_notes(header: Line | None, lines: "Lines", dice: int) -> tuple[Line | None, "Lines"]:
    """A table without its columns of notes, such as dates or the numbers of the rolls."""
    width = len(header[1] if header else lines[0][1])
    columns = list(range(width))
    if header is not None:
        columns = [i for i in columns if header[1][i].lower() not in NOTE_HEADERS]
    if len(columns) == dice + 1:
        first = [cells[columns[0]] for _, cells in lines]
        start = int(first[0]) if first[0] in ("0", "1") else None
        counting = start is not None and first == [str(start + k) for k in range(len(first))]
        # of a few rolls, or where the faces of a die are in order, a number might be a face
        if counting and len(first) > 6:
            del columns[0]
    if not columns or len(columns) == width:
        return header, lines
    rows = [[cells[i] for i in columns] for _, cells in lines]
    heads = header and (header[0], [header[1][i] for i in columns])
    return heads, Lines(lines.numbers, rows)


def _looks_counted(lines: "Lines", dice: Dice) -> bool:
    """Whether two columns without a header are the faces of one die, once each, and counts."""
    if len(dice) > 1:
        return False
    faces = [cells[0] for _, cells in lines]
    return len({*faces}) == len(faces) and {*faces} <= {*_outcome_by_text(dice.dice[0].law)}


def read_table(path: str | PathLike[str], outcomes: set[str]) -> tuple[Line | None, Lines]:
    """The header of a CSV file, if any, and its numbered lines.

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
    numbers, rows = array("q"), list[list[str]]()
    # a million lines of a die have six different rows
    cells_by_row: dict[tuple[str, ...], list[str] | None] = {}
    try:
        for row in reader:
            cells = cells_by_row.get(tuple(row), MISSING)
            if cells is MISSING:
                cells = cells_by_row[tuple(row)] = _cells(row)
            if cells:
                numbers.append(reader.line_num)
                rows.append(cells)
    except csv.Error as error:
        raise _line_error(path, reader.line_num, f"not CSV ({error})") from None
    lines = Lines(numbers, rows)
    if not lines:
        raise DataError(f"{shown_path(path)} is empty; {FORMS}")
    first_row = lines[0]
    header = None if any(c in outcomes or _NUMBER.fullmatch(c) for c in first_row[1]) else first_row
    if header:
        lines = lines[1:]
    if header and not lines:
        raise _line_error(
            path, header[0], f"no rolls after the header {shown(','.join(header[1]))}"
        )
    for line, cells in lines:
        if len(cells) != len(first_row[1]):
            message = f"{shown(','.join(cells))} has {len(cells)} columns"
            raise _line_error(path, line, f"{message}; the first line has {len(first_row[1])}")
    return header, lines


def read_counts(
    path: str | PathLike[str], lines: Sequence[Line], outcomes: Mapping[str, Any], outcome_name: str
) -> dict[Any, int]:
    """The counts of a table with two columns: outcome and count.

    Args:
        path: the file, for messages.
        lines: of the table.
        outcomes: by their texts.
        outcome_name: what an outcome is, for messages: "a face of d6".

    Raises:
        DataError: an unknown or repeated outcome; a count that is not a whole number; no counts.
    """
    counts: dict[Any, int] = {}
    for line, (text, count) in lines:
        outcome = _outcome(path, line, text, outcomes, outcome_name)
        if outcome in counts:
            raise _line_error(path, line, f"{shown(text)} appears twice; give each outcome once")
        if not re.fullmatch(r"\d{1,16}", count) or int(count) > _MAX_COUNT:
            advice = "write a whole number from 0 to 10^15"
            raise _line_error(path, line, f"{shown(count)} is not a count; {advice}")
        counts[outcome] = int(count)
    if not any(counts.values()):
        raise _line_error(path, lines[-1][0], "every count is 0; nothing was rolled")
    return counts


def _rolls_from_counts(path: str, dice: Dice, header: Line | None, lines: Sequence[Line]) -> Rolls:
    """The rolls of a file of counts: of totals, or of the faces of dice that are alike."""
    line, (kind, _) = header or (lines[0][0], ["face", "count"])
    if kind.lower() in TOTAL_HEADERS or (len(dice) > 1 and kind.lower() in ROLL_HEADERS):
        law = dice.totals.law
        counts = read_counts(path, lines, _outcome_by_text(law), f"a total of {dice}")
        return Rolls(path, dice, (Sample("total", law, counts),), sum(counts.values()))
    if kind.lower() not in FACE_HEADERS | ROLL_HEADERS:
        raise _line_error(path, line, f"the header {shown(f'{kind},count')}; {FORMS}")
    die = dice.dice[0]
    # counts of faces don't tell dice apart
    if any(other != die for other in dice.dice):
        message = f"{shown(kind)} counted over {dice}, which are not alike"
        raise _line_error(path, line, f"{message}; give one column for each die")
    counts = read_counts(path, lines, _outcome_by_text(die.law), f"a face of {die}")
    n, rest = divmod(sum(counts.values()), len(dice))
    if rest:
        raise DataError(
            f"{shown_path(path)}: {sum(counts.values()):,} faces are not a whole number of rolls "
            f"of {dice}"
        )
    return Rolls(path, dice, (Sample(str(dice), die.law, counts),), n)


def _column(
    path: str | PathLike[str], lines: Sequence[Line], i: int, law: Law, outcome_name: str
) -> Iterator[Any]:
    """The outcomes in a column of a file."""
    outcomes = _outcome_by_text(law)
    for line, cells in lines:
        yield _outcome(path, line, cells[i], outcomes, outcome_name)


def _outcome_by_text(law: Law) -> dict[str, Any]:
    return {str(outcome): outcome for outcome in law}


def _outcome(
    path: str | PathLike[str], line: int, text: str, outcomes: Mapping[str, Any], outcome_name: str
) -> Any:
    """The outcome that a text names, or an error of its line with those that it may name."""
    if text not in outcomes:
        names = list(outcomes)
        # the totals of many dice would fill the screen
        listed = ", ".join(names) if len(names) <= 12 else f"{names[0]} to {names[-1]}"
        raise _line_error(path, line, f"{shown(text)} is not {outcome_name}; it can be {listed}")
    return outcomes[text]


def _line_error(path: str | PathLike[str], line: int, words: str) -> DataError:
    """The error of a line of a file."""
    return DataError(f"{shown_path(path)}, line {line}: {words}")
