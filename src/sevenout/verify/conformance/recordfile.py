"""A file of results: its columns, and its lines in blocks."""

import csv
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sevenout.documents.csv_table import unguarded
from sevenout.errors import FileError, shown
from sevenout.files import named, opened
from sevenout.verify.dicetests.observed_counts import DataError
from sevenout.verify.logs.book import Book

if TYPE_CHECKING:
    from sevenout.verify.logs.turnlog import TurnBook

BLOCK = 1 << 20
"""Bytes read at a time, about."""
LONGEST = 100_000
"""The most characters in a line."""
NUMBERS = ("vector", "game")
SAID = ("rolls", "outcome")
FORMS = (
    "give it columns: vector or game, then rolls, outcome, and what each bet wins; or a column "
    "for each die"
)

Kind = Literal["vectors", "games", "rolls"]


@dataclass(frozen=True)
class Results:
    """A file of results.

    Attributes:
        kind: answers to test vectors, a log of games, or a log of rolls.
        heading: whether the first line names them.
    """

    path: Path
    kind: Kind
    columns: tuple[str, ...]
    heading: bool

    @property
    def numbered(self) -> bool:
        """Whether the first column is the number of the game."""
        return self.kind != "rolls" and self.columns[0] in NUMBERS

    def blocks(self) -> Iterator[tuple[int, list[bytes]]]:
        """The lines in blocks, empty ones too, each with the number of its first line.

        Raises:
            FileError: the file can't be read, or a line is too long.
        """
        number = 1
        with opened(self.path) as file:
            while block := file.read(BLOCK):
                rest = file.readline(LONGEST)
                if len(rest) == LONGEST:
                    raise FileError(f"{named(self.path)} has a line of over {LONGEST:,} bytes")
                lines = (
                    (block + rest).removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"").split(b"\n")
                )
                if not lines[-1]:
                    lines.pop()
                if number == 1 and self.heading:
                    lines[0] = b""
                yield number, lines
                number += len(lines)


def results_in(path: str | os.PathLike[str], book: "Book | TurnBook") -> Results:
    """The contents of a file of results, by its first line.

    Raises:
        FileError: the file can't be read.
        DataError: unknown columns.
    """
    path = Path(path)
    with opened(path) as file:
        first = file.readline(LONGEST).removeprefix(b"\xef\xbb\xbf")
    try:
        line = first.decode().strip("\r\n")
        cells = next(csv.reader([line]), [])
    except UnicodeDecodeError:
        raise FileError(f"can't read {named(path)}: it is not text in UTF-8") from None
    except csv.Error as error:
        raise DataError(f"{named(path)}: its first line is not CSV ({error})") from None
    counters = book.counters if {"vector", "rolls"} & {cell.strip() for cell in cells} else ()
    known = {*NUMBERS, *SAID, *book.bets, *counters, "why"}
    spelt = {name.casefold(): name for name in known} | {name: name for name in known}
    names = [unguarded(cell.strip()) for cell in cells]
    columns = tuple(spelt.get(name.casefold(), name) for name in names)
    if not columns:
        raise DataError(f"{named(path)} begins with an empty line; {FORMS}")
    if not known & set(columns):
        if known & {cell.strip().casefold() for cell in re.split("[;\t]", line)}:
            raise DataError(f"{named(path)}: its columns are not separated by commas; {FORMS}")
        heading = not book.rolls(line) and not any(map(str.isdigit, columns))
        return Results(path, "rolls", columns, heading)
    for column in columns:
        if column not in known:
            there = ", ".join(["rolls", "outcome", *book.bets, *counters])[:200]
            raise DataError(
                f"{named(path)}: the column {shown(column)} is unknown; there may be vector or "
                f"game, {there}"
            )
    if len(set(columns)) < len(columns):
        raise DataError(f"{named(path)}: two columns have the same name; give each its own")
    if any(column in NUMBERS for column in columns[1:]):
        raise DataError(f"{named(path)}: its first column must be vector or game, with the numbers")
    kind: Kind = "vectors" if columns[0] == "vector" else "games"
    if not {"outcome", *book.bets, *counters} & set(columns):
        raise DataError(
            f"{named(path)}: there is no column with an outcome or a bet's profit; {FORMS}"
        )
    return Results(path, kind, columns, True)
