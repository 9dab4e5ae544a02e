"""Whether someone else's program plays this game: its results, line by line, and as a whole.

A file of results is read a block at a time and never kept, so that 10^8 lines take no more memory
than 10^5. Each line is played through the rules; what it says otherwise is a disagreement. What all
lines say together is tested as one family by Holm's correction, and watched by tests that are valid
at every look, so that a fault is known by the line at which it showed.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

from sevenout.errors import printable
from sevenout.files import named
from sevenout.numerals import Number
from sevenout.optimal_play import best
from sevenout.page import Block, Column, Fact, Facts, Page, Table, Text
from sevenout.page.kinds import COUNT, P_VALUE
from sevenout.page.numbers import many
from sevenout.rules import ByTurns, Game
from sevenout.solve.goal import goal_of_turns
from sevenout.verify.confidence import confidence_of
from sevenout.verify.conformance.recordfile import Results, results_in
from sevenout.verify.conformance.result_lines import (
    KINDS,
    MISSING,
    ORDER,
    UNREADABLE,
    LineFault,
    Reader,
)
from sevenout.verify.conformance.turnvectors import TurnVectors
from sevenout.verify.conformance.vectors import Vector, Vectors
from sevenout.verify.dicetests.detectable import Detectable
from sevenout.verify.dicetests.observed_counts import Check, DataError
from sevenout.verify.figures import JointVerdict, checked
from sevenout.verify.logs.book import Book
from sevenout.verify.logs.logged import QUOTES, Disagreement, GameLog, RollLog

LISTED = 20
"""This many disagreements are listed; all are counted."""


@dataclass(frozen=True)
class Conformity(JointVerdict):
    """Whether a file of results conforms to the rules; `conform` finds out.

    >>> Conformity("log.csv", "games", 9, 9, {}, (), Fraction(99, 100), {}, {}, {}).verdict
    'The results conform: none of 9 lines disagrees with the rules.'

    Attributes:
        source: the file.
        kind: "vectors", "games" or "rolls".
        rows: how many lines it has.
        games: how many games were finished.
        faults: how many disagreements, by kind: lines, and games that are missing.
        listed: the first of them.
        confidence: how likely, at least, right results pass, all questions together.
        family: every question with its Holm-adjusted p-value.
        checks: every test, by its question.
        noticed: by question the line at which a test that is valid at every look had seen enough.
        left_out: what could not be asked, and why.
        missed: by question the least fault that is found with 90 %; a lesser one may be there.
    """

    source: str
    kind: str
    rows: int
    games: int
    faults: Mapping[str, int]
    listed: tuple[Disagreement, ...]
    confidence: Fraction
    family: Mapping[str, float]
    checks: Mapping[str, Check]
    noticed: Mapping[str, int]
    left_out: str = ""
    missed: Mapping[str, Detectable] = field(default_factory=dict)

    @property
    def disagreements(self) -> int:
        """How many disagreements there are."""
        return sum(self.faults.values())

    @property
    def level(self) -> Fraction:
        """The error that the family may make; what is watched may make as much."""
        return (1 - self.confidence) / 2

    @property
    def agrees(self) -> bool:
        """Whether no line disagrees, and nothing was found against all of them together."""
        return not (self.disagreements or self.odd or self.noticed)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        lines, questions = many(self.rows, "line"), many(len(self.family), "question")
        if self.agrees:
            asked = f", and none of {questions} of chance" if self.family else ""
            return f"The results conform: none of {lines} disagrees with the rules{asked}."
        parts = []
        if self.disagreements:
            kinds = ", ".join(f"{n:,} × {kind}" for kind, n in self.faults.items() if n)
            first = f", the first at line {self.listed[0].line:,}" if self.listed else ""
            wrong = many(self.disagreements, "disagreement")
            parts.append(f"{wrong} in {lines} ({kinds}){first}")
        parts += [self.found] if self.odd else []
        for question, row in self.noticed.items():
            parts.append(f"{question}, noticed by line {row:,}")
        return f"The results do not conform: {'; '.join(parts)}."

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {
            "source": self.source,
            "kind": self.kind,
            "rows": self.rows,
            "games": self.games,
            "disagreements": self.disagreements,
            "faults": dict(self.faults),
            "listed": [each._asdict() for each in self.listed],
            "confidence": str(self.confidence),
            "family_holm": dict(self.family),
            "tests": {question: check.to_dict() for question, check in self.checks.items()},
            "noticed": dict(self.noticed),
            "left_out": self.left_out,
            "missed": {question: each._asdict() for question, each in self.missed.items()},
            "conforms": self.agrees,
            "verdict": self.verdict,
        }

    def page(self) -> Page:
        """The disagreements, the tests, and the verdict."""
        facts = [Fact("lines", self.rows, COUNT), Fact("games finished", self.games, COUNT)]
        facts.append(Fact("disagreements", self.disagreements, COUNT))
        blocks: list[Block] = [Facts(*facts)]
        if self.listed:
            caption = f"The first {len(self.listed):,}"
            rows = [(each.line, each.words) for each in self.listed]
            blocks.append(Table([Column("line", COUNT), "what"], rows, caption=caption))
        if self.checks:
            blocks.append(checked(self.checks.items(), self.level))
            ten = sorted(self.family.items(), key=lambda item: item[1])[:10]
            columns = ["question", Column("p, Holm", P_VALUE), Column("noticed by line", COUNT)]
            names = dict.fromkeys([*(question for question, _ in ten), *self.noticed])
            asked = [(q, self.family.get(q), self.noticed.get(q)) for q in names]
            blocks.append(Table(columns, asked, caption="The most doubtful"))
        if self.missed:
            least = [(q, str(each)) for q, each in islice(self.missed.items(), LISTED)]
            caption = "What the log could have missed: less than this, which it shows 9 times in 10"
            blocks.append(Table(["question", "least fault"], least, caption=caption))
            if (more := len(self.missed) - LISTED) > 0:
                blocks.append(Text(f"{many(more, 'question')} more: see --json.", tone="note"))
        if self.left_out:
            blocks.append(Text(self.left_out, tone="note"))
        return Page(self.source, *blocks, self.conclusion())


def conform(
    game: Game,
    path: str | os.PathLike[str],
    *,
    confidence: Number = "99%",
    listed: int = LISTED,
    seed: int = 1,
) -> Conformity:
    r"""Whether the results of someone else's program are those of the rules.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sevenout.games import catalogue
    >>> with TemporaryDirectory() as folder:
    ...     log = Path(folder, "log.csv")
    ...     _ = log.write_text("game,rolls,pass\n1,3 4,1\n2,1 3; 2 2,1\n4,6 6,0\n")
    ...     found = conform(catalogue["craps"], log)
    >>> for each in found.listed:
    ...     print(each.line, each.words)
    4 game 3 is missing: 2 is followed by 4
    4 pass is returned, and should lose 1

    The file is CSV. With a column `vector` it answers the test vectors that `Vectors` makes; with
    `game` or `rolls` it is a log of games; else each line is one roll, a column for each die. What
    a game of turns comes to is the column `score`, and its log has the rolls of each game.

    Args:
        game: the rules.
        path: the file.
        confidence: how likely, at least, right results pass, all questions together.
        listed: how many disagreements are listed.
        seed: of every Monte Carlo p-value.

    Raises:
        DataError: a file that is none of these, or has no results.
        FileError: the file can't be read.
    """
    sure = confidence_of(confidence)
    log: GameLog
    if isinstance(game, ByTurns):
        from sevenout.verify.logs.turnlog import TurnBook, TurnLog

        turns = TurnBook(game, goal_of_turns(game))
        results = results_in(path, turns)
        if results.kind == "vectors":
            expected = TurnVectors(best(game)).expected
            return _vectors(Reader(turns, results.columns[1:]), expected, results, sure, listed)
        log = TurnLog(turns, results, sure, listed)
    else:
        book = Book(game)
        results = results_in(path, book)
        if results.kind == "vectors":
            expected = Vectors(book).all
            return _vectors(Reader(book, results.columns[1:]), expected, results, sure, listed)
        log = (RollLog if results.kind == "rolls" else GameLog)(book, results, sure, listed)
    for first, lines in results.blocks():
        log.block(first, lines)
    if not log.rows:
        raise DataError(f"{named(path)} has a heading but no results")
    judged = log.judged(seed)
    return Conformity(
        named(path),
        results.kind,
        log.rows,
        judged.games,
        log.faults,
        tuple(sorted(log.shown)),
        sure,
        judged.family,
        judged.checks,
        log.watched.noticed,
        judged.left_out,
        judged.missed,
    )


def _vectors(
    reader: Reader,
    expected: Sequence[Vector],
    results: Results,
    sure: Fraction,
    listed: int,
) -> Conformity:
    """Every vector answered once, and rightly."""
    faults = dict.fromkeys(KINDS, 0)
    found: list[Disagreement] = []
    answered: set[int] = set()
    rows, number = 0, 0

    def note(line: int, fault: LineFault) -> None:
        faults[KINDS[fault.kind]] += 1
        if len(found) < listed:
            found.append(Disagreement(line, fault.words))

    for first, lines in results.blocks():
        for number, line in enumerate(lines, first):
            if not line.strip():
                continue
            rows += 1
            name, _, body = line.partition(b",")
            name = name.strip(QUOTES)
            which = int(name) if name.isdigit() and len(name) < 10 else 0
            if not 1 <= which <= len(expected):
                said = printable(name.decode(errors="replace"), 30)
                note(number, LineFault(UNREADABLE, f"there is no vector {said}"))
                continue
            if which in answered:
                note(number, LineFault(ORDER, f"vector {which} is answered twice"))
            answered.add(which)
            vector = expected[which - 1]
            try:
                cells = reader.cells(body)
            except DataError as error:
                note(number, LineFault(UNREADABLE, str(error)))
                continue
            fault = reader.fault(cells, vector.outcome)
            if fault is not None:
                words = f"vector {which}, {printable(vector.rolls, 60)}: {fault.words}"
                note(number, LineFault(fault.kind, words))
    for which in range(1, len(expected) + 1):
        if which not in answered:
            why = printable(expected[which - 1].why, 60)
            note(number + 1, LineFault(MISSING, f"vector {which} is not answered ({why})"))
    return Conformity(
        named(results.path), "vectors", rows, rows, faults, tuple(found), sure, {}, {}, {}
    )
