"""Whether another program plays this game: its results, line by line and together.

A file is read in blocks, in bounded memory. The counts are tested as one family by Holm's
correction, and by anytime-valid tests. See docs/howto/dossier.md.
"""

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any

from sevenout.documents import Block, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import COUNT, P_VALUE
from sevenout.documents.numbers import exactly, quantity
from sevenout.documents.tables import unguarded
from sevenout.errors import SevenoutError, printable, shown
from sevenout.files import shown_path
from sevenout.numerals import Number, exact
from sevenout.rules import ByTurns, Game, Progressive
from sevenout.rules.game import Frozen
from sevenout.solving.goal import goal_of_turns
from sevenout.solving.optimal_play import best
from sevenout.verify.counts import Check, DataError, confidence_of
from sevenout.verify.game_logs import (
    QUOTES,
    Disagreement,
    GameLog,
    Judged,
    LineLog,
    Log,
    RollLog,
    TurnLog,
)
from sevenout.verify.planning import Detectable
from sevenout.verify.records import Book, TurnBook
from sevenout.verify.result_files import (
    METER,
    MISSING,
    ORDER,
    OUTCOME,
    PAY,
    ROLLS,
    UNREADABLE,
    LineFault,
    Meter,
    Reader,
    meters_of,
    results_in,
)
from sevenout.verify.vectors import GameVector, TurnVectors, Vectors
from sevenout.verify.verdict import JointVerdict, table_of_tests
from sevenout.wrong_arguments import public

WORKED = (
    "The meter is worked: it begins with the first bet without and with the award, so its bets are "
    "examples. That it restarts after an award shows in a log of bets in a row."
)
LISTED = 20
"""The most disagreements listed; all are counted."""


@dataclass(frozen=True)
class Conformity(JointVerdict):
    """The result of `conform`.

    >>> Conformity("log.csv", "games", 9, 9, {}, (), Fraction(99, 100), {}, {}, {}).verdict
    'The results conform: none of 9 lines disagrees with the rules.'

    Attributes:
        source: the file.
        kind: "vectors", "games", "rolls" or "meter".
        rows: the number of lines.
        games: the number of finished games.
        faults: the number of disagreements by kind, missing games included.
        listed: the first disagreements.
        confidence: the least probability that right results pass all tests.
        family: the Holm-adjusted p-value of each test.
        checks: the tests that the page shows.
        noticed: the line by which an anytime-valid test had rejected, by test.
        left_out: tests that could not be made, with the reason.
        missed: the least fault that each test finds with 90 %; a smaller one is possible.
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
        """The number of disagreements."""
        return sum(self.faults.values())

    @property
    def level(self) -> Fraction:
        """The level of the family; the anytime-valid tests have the same level again."""
        return (1 - self.confidence) / 2

    @property
    def agrees(self) -> bool:
        """Whether no line disagrees and no test rejects."""
        return not (self.disagreements or self.odd or self.noticed)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        lines, questions = quantity(self.rows, "line"), quantity(len(self.family), "question")
        if self.agrees:
            chance = f", and none of {questions} of chance" if self.family else ""
            return f"The results conform: none of {lines} disagrees with the rules{chance}."
        parts = []
        if self.disagreements:
            kinds = ", ".join(f"{n:,} × {kind}" for kind, n in self.faults.items() if n)
            first = f", the first at line {self.listed[0].line:,}" if self.listed else ""
            wrong = quantity(self.disagreements, "disagreement")
            parts.append(f"{wrong} in {lines} ({kinds}){first}")
        parts += [self.rejections] if self.odd else []
        for question, row in self.noticed.items():
            parts.append(f"{question}, noticed by line {row:,}")
        return f"The results do not conform: {'; '.join(parts)}."

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "source": self.source,
            "kind": self.kind,
            "rows": self.rows,
            "games": self.games,
            "disagreements": self.disagreements,
            "faults": dict(self.faults),
            "listed": [disagreement._asdict() for disagreement in self.listed],
            "confidence": str(self.confidence),
            "family_holm": dict(self.family),
            "tests": {question: check.to_dict() for question, check in self.checks.items()},
            "noticed": dict(self.noticed),
            "left_out": self.left_out,
            "missed": {
                question: {"fault": least.fault, "of": least.unit}
                for question, least in self.missed.items()
            },
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
            rows = [(disagreement.line, disagreement.words) for disagreement in self.listed]
            blocks.append(Table([Column("line", COUNT), "what"], rows, caption=caption))
        if self.checks:
            checks = ((question, check, question) for question, check in self.checks.items())
            blocks.append(table_of_tests(checks, self.family, self.level))
            ten = sorted(self.family.items(), key=lambda item: item[1])[:10]
            columns = ["question", Column("p, Holm", P_VALUE), Column("noticed by line", COUNT)]
            names = dict.fromkeys([*(question for question, _ in ten), *self.noticed])
            doubtful = [(q, self.family.get(q), self.noticed.get(q)) for q in names]
            blocks.append(Table(columns, doubtful, caption="The most doubtful"))
        if self.missed:
            least = [(q, str(fault)) for q, fault in islice(self.missed.items(), LISTED)]
            caption = "What the log could have missed: less than this, which it shows 9 times in 10"
            blocks.append(Table(["question", "least fault"], least, caption=caption))
            if (more := len(self.missed) - LISTED) > 0:
                blocks.append(Text(f"{quantity(more, 'question')} more: see --json.", tone="note"))
        if self.left_out:
            blocks.append(Text(self.left_out, tone="note"))
        return Page(self.source, *blocks, self.conclusion())


@public
def conform(
    game: Game,
    path: str | os.PathLike[str],
    *,
    awards: Mapping[str, Progressive] = Frozen({}),
    confidence: Number = "99%",
    listed: int = LISTED,
    seed: int = 1,
) -> Conformity:
    r"""Whether the results of another program are those of the rules.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sevenout.catalogue import games
    >>> with TemporaryDirectory() as folder:
    ...     log = Path(folder, "log.csv")
    ...     _ = log.write_text("game,rolls,pass\n1,3 4,1\n2,1 3; 2 2,1\n4,6 6,0\n")
    ...     conformity = conform(games["craps"], log)
    >>> for disagreement in conformity.listed:
    ...     print(disagreement.line, disagreement.words)
    4 game 3 is missing: 2 is followed by 4
    4 pass is returned, and should lose 1

    The file is CSV. With a column `vector` it answers the test vectors of `Vectors`. With a column
    `game` or `rolls` it is a log of games. Otherwise each line is one roll, a column for each die.
    The score of a game of turns is in the column `score`, and its log has the rolls of each game.
    With the columns `bet,number,before,fed,wins,award,after` it is a meter, bet by bet.

    Args:
        game: the rules.
        path: the file.
        awards: progressive awards by bet. A log may count what the meter pays in the bet's profit.
        confidence: the least probability that right results pass all tests.
        listed: the most disagreements listed.
        seed: of the Monte Carlo p-values.

    Raises:
        DataError: a file of another form, or without results.
        FileError: the file can't be read.
    """
    exact_confidence = confidence_of(confidence)
    book: Book | TurnBook
    meters: Mapping[str, Meter] = {}
    if isinstance(game, ByTurns):
        book = TurnBook(game, goal_of_turns(game))
    else:
        book = Book(game)
        stakes = {bet: Fraction(stake) for bet, stake in book.body.stakes.items()}
        meters = meters_of(awards, stakes)
    results = results_in(path, book)
    settings = book, results, exact_confidence, listed
    log: Log[Any]
    if results.kind == "vectors":
        log = VectorLog(*settings, expected=_expected(game, book, meters))
    elif results.kind == "meter":
        log = MeterLog(*settings, meters)
    elif isinstance(book, TurnBook):
        log = TurnLog(book, *settings[1:])
    elif results.kind == "rolls":
        log = RollLog(book, *settings[1:])
    else:
        log = GameLog(book, *settings[1:], meters)
    for first, lines in results.blocks():
        log.block(first, lines)
    # a file of vectors without answers misses each of them
    if not log.rows and results.kind != "vectors":
        raise DataError(
            f"{shown_path(path)} has a heading but no results; write them below it, one per line"
        )
    judged = log.judged(seed)
    return Conformity(
        shown_path(path),
        results.kind,
        log.rows,
        judged.games,
        log.faults,
        tuple(sorted(log.shown)),
        exact_confidence,
        judged.family,
        judged.checks,
        log.watched.noticed,
        judged.left_out,
        judged.missed,
    )


def _expected(
    game: Game, book: Book | TurnBook, meters: Mapping[str, Meter]
) -> tuple[GameVector, ...]:
    """The test vectors of a game, which are made again: a file of answers needs no other."""
    if isinstance(book, Book):
        return Vectors(book, awards={bet: meter.on for bet, meter in meters.items()}).all
    return TurnVectors(best(book.game)).all


@dataclass(eq=False)
class VectorLog(LineLog[Any]):
    """Answers to test vectors, each of which is to be given once.

    Attributes:
        expected: the vectors with their results.
        answered: the places of those that were answered, from 1.
    """

    expected: Sequence[GameVector] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.answered: set[int] = set()

    def judge(self, place: int, body: bytes) -> None:
        """Note the faults of an answer."""
        name, _, answer = body.partition(b",")
        name = name.strip(QUOTES)
        # the number is its place in the file of vectors, from 1
        number = int(name) if name.isdigit() and len(name) < 10 else 0
        if not 1 <= number <= len(self.expected):
            text = printable(name.decode(errors="replace"), 30)
            return self.note(place, LineFault(UNREADABLE, f"there is no vector {text}"))
        if number in self.answered:
            self.note(place, LineFault(ORDER, f"vector {number} is answered twice"))
        self.answered.add(number)
        vector = self.expected[number - 1]
        try:
            cells = self.reader.cells(answer)
        except DataError as error:
            return self.note(place, LineFault(UNREADABLE, str(error)))
        fault = _other_rolls(self.reader, cells, vector)
        fault = fault or self.reader.fault(cells, vector.outcome, vector.counted)
        if fault is not None:
            words = f"vector {number}, {printable(vector.rolls, 60)}: {fault.words}"
            self.note(place, LineFault(fault.kind, words))
        return None

    def judged(self, seed: int) -> Judged:
        """No tests; vectors that were not answered are noted."""
        for number, vector in enumerate(self.expected, 1):
            if number not in self.answered:
                words = f"vector {number} is not answered ({printable(vector.why, 60)})"
                self.note(self.end + 1, LineFault(MISSING, words))
        return Judged(self.rows)


def _other_rolls(reader: Reader, cells: Mapping[str, str], vector: GameVector) -> LineFault | None:
    """The fault of an answer that repeats its vector's rolls or purpose, and changes them."""
    if "rolls" in cells:
        try:
            same = reader.book.is_same(cells["rolls"], vector.rolls)
        except DataError as error:
            return LineFault(ROLLS, f"its rolls: {error}")
        if not same:
            text = printable(cells["rolls"], 60) or "nothing"
            return LineFault(ROLLS, f"the rolls are {text}, and should be those of the vector")
    if "why" in cells and cells["why"] != vector.why:
        text = printable(cells["why"], 60) or "nothing"
        return LineFault(ROLLS, f"why is {text}, and should be {printable(vector.why, 60)}")
    return None


class MeterLog(LineLog[Any]):
    """A meter, bet by bet: each line is worked again from the number of the bet.

    Its bets follow one another, and after an award the next is the first. A *worked* meter, as in a
    dossier, begins with the first bet in both ways, without and with the award. Its bets are
    examples, and don't follow one another.

    Attributes:
        previous: by bet, its last line: the number, and whether it won.
        worked: the bets whose meter is worked.
    """

    def __post_init__(self) -> None:
        if not self.meters:
            raise DataError(
                f"{shown_path(self.results.path)} is a meter, and the game has no progressive "
                "award; give the game file that declares it"
            )
        super().__post_init__()
        self.previous: dict[str, tuple[int, bool]] = {}
        self.worked: set[str] = set()

    def judge(self, place: int, body: bytes) -> None:
        """Note the fault of a line."""
        cells = next(csv.reader([body.decode(errors="replace")]))
        fault = _meter_fault(self.meters, cells)
        if fault is not None and fault.kind == UNREADABLE:
            # what came before the next line is unknown
            self.previous.clear()
        else:
            # also beside another fault, so that the next line is compared with this one
            unreset = self._unreset(cells)
            fault = fault or unreset
        if fault is not None:
            self.note(place, fault)

    def _unreset(self, cells: Sequence[str]) -> LineFault | None:
        """The fault of a bet that does not follow the one before it."""
        bet, text, before, _, wins, *_ = (unguarded(cell.strip()) for cell in cells)
        number, won = int(text), wins == "yes"
        previous, self.previous[bet] = self.previous.get(bet), (number, won)
        # a log may begin between two awards
        if previous is None or bet in self.worked:
            return None
        last, has_won = previous
        if (number, won, last, has_won) == (1, True, 1, False):
            self.worked.add(bet)
            return None
        should = 1 if has_won else last + 1
        if number == should:
            return None
        if has_won:
            seed = exactly(self.meters[bet].seed)
            words = f"before is {before}, and should be {seed}: after an award the meter restarts"
            return LineFault(PAY, words)
        if number > should:
            return LineFault(MISSING, f"bet {number:,} follows bet {last:,} without those between")
        return LineFault(ORDER, f"bet {number:,} comes after bet {last:,}, without an award")

    def judged(self, seed: int) -> Judged:
        """No tests."""
        return Judged(self.rows, left_out=WORKED if self.worked else "")


def _meter_fault(meters: Mapping[str, Meter], cells: Sequence[str]) -> LineFault | None:
    """What is wrong with a line of a meter: every amount follows from the number of the bet."""
    if len(cells) != len(METER):
        return LineFault(UNREADABLE, f"it has {len(cells)} cells for {len(METER)} columns")
    bet, number, *amounts = (unguarded(cell.strip()) for cell in cells)
    if bet not in meters:
        named_bets = ", ".join(meters)[:200]
        return LineFault(UNREADABLE, f"{shown(bet)} has no meter; these have: {named_bets}")
    meter = meters[bet]
    bets = int(number) if number.isdecimal() and len(number) < 10 else 0
    # with a limit, the bet that reaches it wins, so no bet of a cycle comes later
    last = None if meter.limit is None else ceil((meter.limit - meter.seed) / meter.step)
    if bets < 1 or (last is not None and bets > last):
        most = "" if last is None else f" to {last:,}"
        return LineFault(UNREADABLE, f"number is {shown(number)}; it can be from 1{most}")
    before, fed, wins, award, after = amounts
    if wins not in ("yes", "no"):
        return LineFault(UNREADABLE, f"wins is {shown(wins)}; write yes or no")
    if wins == "no" and bets == last:
        return LineFault(OUTCOME, f"bet {bets:,} reaches the limit and wins; it says no")
    shows = meter.after(bets)
    won = wins == "yes"
    expected = {
        "before": (before, meter.after(bets - 1)),
        "fed": (fed, meter.step),
        "award": (award, shows if won else None),
        "after": (after, meter.seed if won else shows),
    }
    for column, (text, should) in expected.items():
        if should is None:
            if text:
                return LineFault(PAY, f"{column} is {shown(text)}, and nothing is won")
            continue
        try:
            amount = exact(text)
        except SevenoutError:
            return LineFault(UNREADABLE, f"{column} is {shown(text)}, which is not an amount")
        if amount != should:
            words = f"{column} is {exactly(amount)}, and should be {exactly(should)}"
            return LineFault(PAY, words)
    return None
