"""Logs, read in blocks: lines, their numbers, and what disagrees with the rules."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from sevenout.errors import printable
from sevenout.verify.conformance.recordfile import Results
from sevenout.verify.conformance.result_lines import (
    KINDS,
    MISSING,
    ORDER,
    UNREADABLE,
    LineFault,
    Reader,
)
from sevenout.verify.dicetests.detectable import Detectable
from sevenout.verify.dicetests.evidence import Watched
from sevenout.verify.dicetests.observed_counts import Check

if TYPE_CHECKING:
    from sevenout.verify.logs.book import Book
    from sevenout.verify.logs.turnlog import TurnBook

B = TypeVar("B", "Book", "TurnBook")

KNOWN = 200_000
"""The most different events, and ends of lines, kept in memory."""
QUOTES = b' "\t'
"""Characters that may stand around the number of a game."""
FEW = 2_000
"""With fewer games than this, rare outcomes are tested exactly."""
LEFT_OUT = (
    "How often the game ends in which way depends on what the players choose, and was not tested; "
    "their dice were."
)


class Disagreement(NamedTuple):
    """A line that disagrees with the rules.

    Attributes:
        line: its number in the file; for something missing, that of the line that follows.
        words: what it says and what it should say.
    """

    line: int
    words: str


class Judged(NamedTuple):
    """The tests of all lines; see `Conformity`."""

    games: int
    family: Mapping[str, float]
    checks: Mapping[str, Check]
    left_out: str
    missed: Mapping[str, Detectable]


class Log(ABC, Generic[B]):
    """A log of games or rolls, one per line, checked against the rules in a book.

    Attributes:
        rows: the number of lines read, apart from empty ones.
        faults: the number of faults of each kind.
        shown: the first disagreements.
    """

    def __init__(self, book: B, results: Results, sure: Fraction, listed: int) -> None:
        self.book: B = book
        self.results, self.listed = results, listed
        columns = results.columns[1:] if results.numbered else results.columns
        self.reader = Reader(book, columns)
        self.watched = Watched((1 + sure) / 2)
        self.level = (1 - sure) / 2
        self.faults = dict.fromkeys(KINDS, 0)
        self.shown: list[Disagreement] = []
        self.rows = 0
        self.last: int | None = None
        self.misnumbered: list[Disagreement] = []

    @abstractmethod
    def count(self, places: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Count non-empty lines."""

    @abstractmethod
    def judged(self, seed: int) -> Judged:
        """The tests over all counts, as one family."""

    def block(self, first: int, lines: list[bytes]) -> None:
        """Count the lines of a block; `first` is the line number of its first."""
        self.misnumbered = []
        bodies = self._unnumbered(first, lines) if self.results.numbered else lines
        places = [place for place, body in enumerate(bodies, first) if body.strip()]
        if places:
            bodies = [bodies[place - first] for place in places]
            self.count(places, bodies)
        self.list_first(self.misnumbered)

    @property
    def last_shown(self) -> float:
        """The line from which on no disagreement will be listed."""
        return self.shown[-1].line if len(self.shown) == self.listed else inf

    def list_first(self, found: Iterable[Disagreement]) -> None:
        """List the first disagreements."""
        self.shown = sorted([*self.shown, *found])[: self.listed]

    def _unnumbered(self, first: int, lines: list[bytes]) -> Sequence[bytes]:
        """The lines without their numbers, which must be consecutive."""
        names, bodies = halves(lines)
        if self.last is not None and names == _numbers(self.last + 1, len(lines)):
            self.last += len(lines)
            return bodies
        for number, (said, line) in enumerate(zip(names, lines, strict=True), first):
            name = said.strip(QUOTES)
            game = int(name) if name.isdigit() and len(name) < 19 else -1
            if game >= 0 and (self.last is None or game == self.last + 1):
                self.last = game
            elif line.strip():
                self._out_of_order(number, name, game, game if self.last is None else self.last)
        return bodies

    def _out_of_order(self, number: int, name: bytes, game: int, last: int) -> None:
        if game < 0:
            text = printable(name.decode(errors="replace"), 30)
            fault = LineFault(UNREADABLE, f"{text} is not a game's number")
        elif game > last:
            one = game == last + 2
            gap = f"game {last + 1:,} is" if one else f"games {last + 1:,} to {game - 1:,} are"
            fault = LineFault(MISSING, f"{gap} missing: {last:,} is followed by {game:,}")
            self.last = game
        else:
            fault = LineFault(ORDER, f"game {game:,} comes after game {last:,}")
        self.faults[KINDS[fault.kind]] += max(1, game - last - 1) if game > last else 1
        if len(self.misnumbered) < self.listed:
            self.misnumbered.append(Disagreement(number, fault.words))


def halves(lines: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The part of each line before its first comma, and the part after it."""
    try:
        at = [line.index(b",") for line in lines]
    except ValueError:
        return halves([line if b"," in line else line + b"," for line in lines])
    before = [line[:k] for line, k in zip(lines, at, strict=True)]
    return before, [line[k + 1 :] for line, k in zip(lines, at, strict=True)]


def _numbers(first: int, many: int) -> list[bytes]:
    return list(map(b"%d".__mod__, range(first, first + many)))
