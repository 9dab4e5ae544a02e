"""A file of results: its columns, its lines in chunks, and the faults of a line.

A line is played through the rules event by event.
"""

import csv
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from sevenout.documents.numbers import exactly
from sevenout.documents.tables import unguarded
from sevenout.errors import FileError, SevenoutError, printable, shown
from sevenout.files import open_plain_file, shown_path
from sevenout.numerals import exact
from sevenout.rolling.distribution import group_by_key
from sevenout.rules import Outcome, Progressive
from sevenout.rules.game import Frozen
from sevenout.verify.counts import DataError
from sevenout.verify.records import Book, NodeSeat, RecordedGame, TurnBook

CHUNK_BYTES = 1 << 20
"""Bytes read at a time, about."""
MAX_LINE = 100_000
"""The most bytes in a line."""
NUMBERS = ("vector", "game")
RESULTS = ("rolls", "outcome")
FORMS = (
    "give it columns: vector or game, then rolls, outcome, and what each bet wins; or a column "
    "for each die"
)

METER = ("bet", "number", "before", "fed", "wins", "award", "after")
"""The columns of a meter: the bet, its number since the last award, and the amounts."""

Kind = Literal["vectors", "games", "rolls", "meter"]


@dataclass(frozen=True)
class Results:
    """A file of results.

    Attributes:
        path: of the file.
        kind: answers to test vectors, a log of games, a log of rolls, or a meter.
        columns: as the first line names them; of a log of rolls, its cells.
        heading: whether the first line names the columns.
    """

    path: Path
    kind: Kind
    columns: tuple[str, ...]
    heading: bool

    @property
    def numbered(self) -> bool:
        """Whether the first column is the number of the game."""
        return self.kind == "games" and self.columns[0] in NUMBERS

    def chunks(self) -> Iterator[tuple[int, list[bytes]]]:
        """The lines in chunks, empty ones too, each with the number of its first line.

        Raises:
            FileError: the file can't be read, or a line is too long.
        """
        number = 1
        with open_plain_file(self.path) as file:
            # a chunk ends with its line; a longer line is no result
            while chunk := file.read(CHUNK_BYTES):
                # the longest line, with its line break
                rest_of_line = file.readline(MAX_LINE + 2)
                text = (chunk + rest_of_line).removeprefix(b"\xef\xbb\xbf")
                lines = text.replace(b"\r", b"").split(b"\n")
                is_cut = len(rest_of_line) > MAX_LINE and not rest_of_line.endswith(b"\n")
                if is_cut or max(map(len, lines)) > MAX_LINE:
                    raise FileError(
                        f"{shown_path(self.path)} has a line of over {MAX_LINE:,} bytes"
                    )
                if not lines[-1]:
                    lines.pop()
                # an empty line in its place keeps the numbers of the others
                if number == 1 and self.heading:
                    lines[0] = b""
                yield number, lines
                number += len(lines)


def results_in(path: str | os.PathLike[str], book: Book | TurnBook) -> Results:
    """The contents of a file of results, by its first line.

    Raises:
        FileError: the file can't be read.
        DataError: unknown columns.
    """
    path = Path(path)
    with open_plain_file(path) as file:
        first = file.readline(MAX_LINE).removeprefix(b"\xef\xbb\xbf")
    try:
        line = first.decode().strip("\r\n")
        cells = next(csv.reader([line]), [])
    except UnicodeDecodeError:
        raise FileError(f"can't read {shown_path(path)}: it is not text in UTF-8") from None
    except csv.Error as error:
        raise DataError(f"{shown_path(path)}: its first line is not CSV ({error})") from None
    names = [unguarded(cell.strip()) for cell in cells]
    headings = [name.casefold() for name in names]
    if headings == [*METER]:
        return Results(path, "meter", METER, True)
    # without rolls nobody can say what a counter should show
    counters = book.counters if {"vector", "rolls"} & {*headings} else ()
    allowed = {*NUMBERS, *RESULTS, *book.bets, *counters, "why"}
    # any case of letters, but two bets that differ by case are told apart
    spelt = {name.casefold(): name for name in allowed} | {name: name for name in allowed}
    columns = tuple(spelt.get(name.casefold(), name) for name in names)
    if not columns:
        fault = "begins with an empty line" if first else "is empty"
        raise DataError(f"{shown_path(path)} {fault}; {FORMS}")
    # no column that we know: rolls alone, with or without a heading
    if not allowed & set(columns):
        if allowed & {cell.strip().casefold() for cell in re.split("[;\t]", line)}:
            raise DataError(f"{shown_path(path)}: its columns are not separated by commas; {FORMS}")
        heading = not book.is_roll(line) and not any(map(str.isdigit, columns))
        return Results(path, "rolls", columns, heading)
    for column in columns:
        if column not in allowed:
            names_allowed = printable(", ".join([*RESULTS, *book.bets, *counters]), 200)
            raise DataError(
                f"{shown_path(path)}: the column {shown(column)} is unknown; there may be vector "
                f"or game, {names_allowed}"
            )
    if len(set(columns)) < len(columns):
        raise DataError(f"{shown_path(path)}: two columns have the same name; give each its own")
    if any(column in NUMBERS for column in columns[1:]):
        raise DataError(
            f"{shown_path(path)}: its first column must be vector or game, with the numbers"
        )
    kind: Kind = "vectors" if columns[0] == "vector" else "games"
    if not {"outcome", *book.bets, *counters} & set(columns):
        raise DataError(
            f"{shown_path(path)}: there is no column with an outcome or a bet's profit; {FORMS}"
        )
    return Results(path, kind, columns, True)


FAULT_KINDS = (
    "unreadable",
    "rolls that can't be",
    "wrong outcome",
    "wrong pay",
    "missing",
    "out of order",
    "wrong counter",
)
"""The kinds of faults."""
UNREADABLE, ROLLS, OUTCOME, PAY, MISSING, ORDER, COUNTER = range(len(FAULT_KINDS))


class LineFault(NamedTuple):
    """A fault of a line.

    Attributes:
        kind: its index in `FAULT_KINDS`.
        words: what the line says and what it should say.
    """

    kind: int
    words: str


class ResultLine(NamedTuple):
    """A line as it was read.

    Attributes:
        fault: None if the line is right.
        has_rolls: whether it has rolls, and they are possible.
        outcome: the end of its game, by its rolls; without rolls, by what the line says.
    """

    fault: LineFault | None
    has_rolls: bool = False
    outcome: Outcome | None = None


class Meter(NamedTuple):
    """The meter of a progressive award, in money.

    >>> meter = Meter(("12",), Fraction(40), Fraction(1, 2), Fraction(41))
    >>> [meter.amount_after(n) for n in (1, 2, 9)]
    [Fraction(81, 2), Fraction(41, 1), Fraction(41, 1)]
    >>> meter.can_show(Fraction(81, 2)), meter.can_show(Fraction(40)), meter.can_show(Fraction(42))
    (True, False, False)

    Attributes:
        on: the events that win it; none if the winning bet is drawn beforehand.
        seed: what it shows after an award.
        step: what a bet feeds it.
        limit: the most that it shows; None for none.
    """

    on: tuple[str, ...]
    seed: Fraction
    step: Fraction
    limit: Fraction | None

    def amount_after(self, bets: int) -> Fraction:
        """What it shows after this many bets without an award."""
        meter = self.seed + bets * self.step
        return meter if self.limit is None else min(meter, self.limit)

    def can_show(self, amount: Fraction) -> bool:
        """Whether a bet can win this amount, after any number of bets."""
        # the bet that reaches the limit wins it
        if self.limit is not None and amount >= self.limit:
            return amount == self.limit
        # every bet feeds it before it can be won
        return amount > self.seed and (amount - self.seed) % self.step == 0


def meters_of(
    awards: Mapping[str, Progressive], stakes: Mapping[str, Fraction]
) -> dict[str, Meter]:
    """The meter of each bet with an award, from the stakes of the game's bets."""
    meters = {}
    for bet, rule in awards.items():
        step = exact(rule.share) * stakes.get(bet, Fraction(1))
        limit = None if rule.must_hit_by is None else exact(rule.must_hit_by)
        meters[bet] = Meter(tuple(rule.on), exact(rule.seed), step, limit)
    return meters


@dataclass(frozen=True)
class LineReader:
    """Reads the lines of a file with these columns, without the number of the game.

    Attributes:
        book: the game.
        columns: the columns of the file.
        meters: by bet, the meter that a log may add to its pay.
    """

    book: Book | TurnBook
    columns: tuple[str, ...]
    meters: Mapping[str, Meter] = Frozen({})

    @cached_property
    def bets(self) -> tuple[str, ...]:
        """The bets among the columns."""
        return tuple(column for column in self.columns if column in self.book.bets)

    @cached_property
    def counters(self) -> tuple[str, ...]:
        """The counters among the columns."""
        return tuple(column for column in self.columns if column in self.book.counters)

    def read(self, content: bytes, ended: NodeSeat | None = None) -> ResultLine:
        """The game of a line, of a game of bets.

        >>> from sevenout.catalogue import games
        >>> reader = LineReader(Book(games["craps"]), ("rolls", "outcome", "pass"))
        >>> reader.read(b"3 4,natural,1").fault, reader.read(b"3 4,natural,2").fault.words
        (None, 'pass wins 2, and should win 1')

        Args:
            content: the line, without the number of the game.
            ended: the outcome of its rolls and whose turn it was, if known.
        """
        try:
            cells = self.cells(content)
        except DataError as error:
            return ResultLine(LineFault(UNREADABLE, str(error)))
        # records of turns are played line by line in their own log
        assert isinstance(self.book, Book)
        if "rolls" not in cells:
            return self._read_without_rolls(cells)
        try:
            record = self.book.read(cells["rolls"]) if ended is None else RecordedGame((), *ended)
            outcome = self.book.outcome(record)
        except DataError as error:
            return ResultLine(LineFault(ROLLS, str(error)))
        # a game whose end is known comes without its moves, and a file without counters
        counters = self.book.counter_totals(record.moves) if self.counters else None
        return ResultLine(self.fault(cells, outcome, counters), True, outcome)

    def cells(self, content: bytes) -> dict[str, str]:
        """The cells of a line by column.

        Raises:
            DataError: a line with other columns.
        """
        try:
            text = content.decode()
            row = next(csv.reader([text], strict=True)) if '"' in text else text.split(",")
        except (UnicodeDecodeError, csv.Error, StopIteration):
            raise DataError("it is not text with comma-separated cells") from None
        if len(row) != len(self.columns):
            raise DataError(f"it has {len(row)} cells for {len(self.columns)} columns")
        return dict(zip(self.columns, (unguarded(cell.strip()) for cell in row), strict=True))

    def fault(
        self,
        cells: Mapping[str, str],
        outcome: Outcome,
        counters: Mapping[str, Fraction] | None = None,
    ) -> LineFault | None:
        """How a line disagrees with the rules, and with counters if given; None if it does not."""
        label = " ".join(outcome.label.split())
        if "outcome" in cells and " ".join(cells["outcome"].split()) != label:
            quoted_outcome = printable(cells["outcome"], 60) or "nothing"
            return LineFault(
                OUTCOME, f"the outcome is {quoted_outcome}, and should be {printable(label, 60)}"
            )
        for bet in self.bets:
            expected = outcome.profit(bet)
            try:
                paid = exact(cells[bet])
            except SevenoutError:
                return LineFault(
                    UNREADABLE, f"{bet} is {shown(cells[bet])}, which is not an amount"
                )
            if paid == expected or self._wins_meter(bet, outcome, paid - expected):
                continue
            # a score is no amount that a bet wins or loses
            if self.book.has_score:
                words = f"{bet} is {exactly(paid)}, and should be {exactly(expected)}"
            else:
                actual = _pay_in_words(paid, "wins", "loses", "is returned")
                correct = _pay_in_words(expected, "win", "lose", "be returned")
                words = f"{bet} {actual}, and should {correct}"
            return LineFault(PAY, words)
        return _counter_fault(cells, counters or {})

    def _wins_meter(self, bet: str, outcome: Outcome, excess: Fraction) -> bool:
        """Whether a log may pay this much more: what the meter of the bet can show."""
        meter = self.meters.get(bet)
        if meter is None or not meter.can_show(excess):
            return False
        # if the winning bet is drawn beforehand, any event may win
        return not meter.on or any(
            name == bet and pay.event in meter.on for name, pay in outcome.pays
        )

    def _read_without_rolls(self, cells: Mapping[str, str]) -> ResultLine:
        """A line without rolls: whether the game can end so."""
        faults = []
        # without rolls the line is right if any end of the game has its outcome and its pays
        for outcome in self._endings_labelled(cells.get("outcome")):
            fault = self.fault(cells, outcome)
            if fault is None:
                return ResultLine(None, outcome=outcome)
            faults.append(fault)
        if not faults:
            text = printable(cells["outcome"], 60) or "nothing"
            return ResultLine(LineFault(OUTCOME, f"the outcome is {text}, and no game ends so"))
        if len(faults) == 1 or faults[0].kind == UNREADABLE:
            return ResultLine(faults[0])
        return ResultLine(
            LineFault(PAY, f"no game pays so: {printable(', '.join(cells.values()), 60)}")
        )

    def _endings_labelled(self, label: str | None) -> Sequence[Outcome]:
        """The ends of the game with this label."""
        if label is None:
            return self.book.endings
        return self._endings_by_label.get(" ".join(label.split()), ())

    @cached_property
    def _endings_by_label(self) -> dict[str, list[Outcome]]:
        """The endings with each label, its spaces as in a file."""
        return group_by_key((" ".join(end.label.split()), end) for end in self.book.endings)


def _counter_fault(cells: Mapping[str, str], counters: Mapping[str, Fraction]) -> LineFault | None:
    """The first counter of a line that is wrong."""
    faults = (
        cell_fault(name, cells[name], expected, COUNTER, "a number")
        for name, expected in counters.items()
        if name in cells
    )
    return next(filter(None, faults), None)


def cell_fault(
    column: str, text: str, expected: Fraction, kind: int, noun: str = "an amount"
) -> LineFault | None:
    """How a cell differs from the amount that it should hold.

    >>> cell_fault("after", "42", Fraction(41), PAY).words
    'after is 42, and should be 41'
    """
    try:
        amount = exact(text)
    except SevenoutError:
        return LineFault(UNREADABLE, f"{column} is {shown(text)}, which is not {noun}")
    if amount == expected:
        return None
    return LineFault(kind, f"{column} is {exactly(amount)}, and should be {exactly(expected)}")


def _pay_in_words(profit: Fraction, win: str, lose: str, push: str) -> str:
    """A profit in words, with the verbs for a win, a loss and a push."""
    return f"{win if profit > 0 else lose} {exactly(abs(profit))}" if profit else push
