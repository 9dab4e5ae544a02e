"""Whether another program plays this game: its results, line by line and together.

A file is read in chunks, in bounded memory. The counts are tested as one family by Holm's
correction, and by anytime-valid tests. See docs/howto/dossier.md.
"""

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any, NamedTuple

from sevenout.documents import Block, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import COUNT, P_VALUE
from sevenout.documents.numbers import exactly, quantity
from sevenout.documents.tables import unguarded
from sevenout.errors import RulesError, printable, shown
from sevenout.files import shown_path
from sevenout.numerals import Number
from sevenout.rules import ByTurns, Game, Progressive
from sevenout.rules.game import Frozen
from sevenout.solving.goal import goal_of_turns
from sevenout.solving.optimal_play import best
from sevenout.verify.counts import Check, DataError, parse_confidence
from sevenout.verify.game_logs import (
    QUOTES,
    Disagreement,
    GameLog,
    LineLog,
    Log,
    LogTests,
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
    LineReader,
    Meter,
    cell_fault,
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
MAX_LISTED = 20
"""The most disagreements listed; all are counted."""


@dataclass(frozen=True)
class Conformity(JointVerdict):
    """The result of `conform`.

    >>> Conformity("log.csv", "games", 9, 9, {}, (), Fraction(99, 100), {}, {}, {}).verdict
    'The results conform: none of 9 lines disagrees with the rules.'

    Attributes:
        source: the file.
        kind: "vectors", "games", "rolls" or "meter".
        line_count: the number of lines.
        games: the number of finished games.
        faults: the number of disagreements by kind, missing games included.
        listed: the first disagreements.
        confidence: the least probability that right results pass all tests.
        family: the Holm-adjusted p-value of each test.
        checks: the tests that the page shows.
        rejected_at_line: the line by which an anytime-valid test had rejected, by test.
        left_out: tests that could not be made, with the reason.
        detectable: the least fault that each test finds with 90 %; a smaller one is possible.
    """

    source: str
    kind: str
    line_count: int
    games: int
    faults: Mapping[str, int]
    listed: tuple[Disagreement, ...]
    confidence: Fraction
    family: Mapping[str, float]
    checks: Mapping[str, Check]
    rejected_at_line: Mapping[str, int]
    left_out: str = ""
    detectable: Mapping[str, Detectable] = field(default_factory=dict)

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
        return not (self.disagreements or self.rejecting_tests or self.rejected_at_line)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        lines, questions = quantity(self.line_count, "line"), quantity(len(self.family), "question")
        if self.agrees:
            chance = f", and none of {questions} of chance" if self.family else ""
            return f"The results conform: none of {lines} disagrees with the rules{chance}."
        parts = []
        if self.disagreements:
            kinds = ", ".join(f"{n:,} × {kind}" for kind, n in self.faults.items() if n)
            first = f", the first at line {self.listed[0].line:,}" if self.listed else ""
            wrong = quantity(self.disagreements, "disagreement")
            parts.append(f"{wrong} in {lines} ({kinds}){first}")
        parts += [self.rejections] if self.rejecting_tests else []
        for question, line in self.rejected_at_line.items():
            parts.append(f"{question}, noticed by line {line:,}")
        return f"The results do not conform: {'; '.join(parts)}."

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "source": self.source,
            "kind": self.kind,
            "rows": self.line_count,
            "games": self.games,
            "disagreements": self.disagreements,
            "faults": dict(self.faults),
            "listed": [disagreement._asdict() for disagreement in self.listed],
            "confidence": str(self.confidence),
            "family_holm": dict(self.family),
            "tests": {question: check.to_dict() for question, check in self.checks.items()},
            "noticed": dict(self.rejected_at_line),
            "left_out": self.left_out,
            "missed": {
                question: {"fault": least.fault, "of": least.unit}
                for question, least in self.detectable.items()
            },
            "conforms": self.agrees,
            "verdict": self.verdict,
        }

    def page(self) -> Page:
        """The disagreements, the tests, and the verdict."""
        facts = [Fact("lines", self.line_count, COUNT), Fact("games finished", self.games, COUNT)]
        facts.append(Fact("disagreements", self.disagreements, COUNT))
        blocks: list[Block] = [Facts(*facts)]
        if self.listed:
            caption = f"The first {len(self.listed):,}"
            rows = [(disagreement.line, disagreement.words) for disagreement in self.listed]
            blocks.append(Table([Column("line", COUNT), "what"], rows, caption=caption))
        if self.checks:
            checks = ((question, check, question) for question, check in self.checks.items())
            blocks.append(table_of_tests(checks, self.family, self.level))
            most_doubtful = sorted(self.family, key=self.family.__getitem__)[:10]
            columns = ["question", Column("p, Holm", P_VALUE), Column("noticed by line", COUNT)]
            names = dict.fromkeys([*most_doubtful, *self.rejected_at_line])
            doubtful = [
                (name, self.family.get(name), self.rejected_at_line.get(name)) for name in names
            ]
            blocks.append(Table(columns, doubtful, caption="The most doubtful"))
        if self.detectable:
            least = [
                (question, str(fault))
                for question, fault in islice(self.detectable.items(), MAX_LISTED)
            ]
            caption = "What the log could have missed: less than this, which it shows 9 times in 10"
            blocks.append(Table(["question", "least fault"], least, caption=caption))
            if (more := len(self.detectable) - MAX_LISTED) > 0:
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
    max_listed: int = MAX_LISTED,
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
        max_listed: the most disagreements listed.
        seed: of the Monte Carlo p-values.

    Raises:
        DataError: a file of another form, or without results.
        FileError: the file can't be read.
        RulesError: an award of a bet that the game doesn't have, or a `max_listed` below 0.
    """
    if max_listed < 0:
        raise RulesError(f"max_listed={max_listed}; give 0 or more")
    exact_confidence = parse_confidence(confidence)
    log = _log_of(game, path, awards, exact_confidence, max_listed)
    results = log.results
    for first_line, lines in results.chunks():
        log.read_chunk(first_line, lines)
    # a file of vectors without answers misses each of them
    if not log.line_count and results.kind != "vectors":
        raise DataError(
            f"{shown_path(path)} has a heading but no results; write them below it, one per line"
        )
    tests = log.finish(seed)
    return Conformity(
        source=shown_path(path),
        kind=results.kind,
        line_count=log.line_count,
        games=tests.games,
        faults=log.faults,
        listed=tuple(sorted(log.listed)),
        confidence=exact_confidence,
        family=tests.family,
        checks=tests.checks,
        rejected_at_line=log.watched.rejected_at_line,
        left_out=tests.left_out,
        detectable=tests.detectable,
    )


def _log_of(
    game: Game,
    path: str | os.PathLike[str],
    awards: Mapping[str, Progressive],
    confidence: Fraction,
    max_listed: int,
) -> Log[Any]:
    """The log of a file, of the class that its columns ask for; no line is read yet."""
    book: Book | TurnBook
    meters: Mapping[str, Meter] = {}
    if isinstance(game, ByTurns):
        if awards:
            raise RulesError("awards of a game of turns, which has no bets; leave awards out")
        book = TurnBook(game, goal_of_turns(game))
    else:
        book = Book(game)
        _check_bets(awards, book.bets)
        stakes = {bet: Fraction(stake) for bet, stake in book.model.stakes.items()}
        meters = meters_of(awards, stakes)
    results = results_in(path, book)
    options: dict[str, Any] = {
        "results": results,
        "confidence": confidence,
        "max_listed": max_listed,
    }
    if results.kind == "vectors":
        return VectorLog(book, **options, expected=_vectors_of(book, meters))
    if results.kind == "meter":
        return MeterLog(book, **options, meters=meters)
    if isinstance(book, TurnBook):
        return TurnLog(book, **options)
    if results.kind == "rolls":
        return RollLog(book, **options)
    return GameLog(book, **options, meters=meters)


def _check_bets(awards: Mapping[str, Progressive], bets: Sequence[str]) -> None:
    """Refuse an award of a bet that is none of the game's; it would never be paid."""
    for bet in awards:
        if bet not in bets:
            named_bets = printable(", ".join(bets), 200) or "none"
            raise RulesError(
                f"awards: the game has no bet {shown(bet)}; its bets are: {named_bets}"
            )


def _vectors_of(book: Book | TurnBook, meters: Mapping[str, Meter]) -> Sequence[GameVector]:
    """The test vectors of a game, made again, so that a file of answers is enough."""
    if isinstance(book, Book):
        return Vectors(book, awards={bet: meter.on for bet, meter in meters.items()})
    return TurnVectors(best(book.game))


@dataclass(eq=False)
class VectorLog(LineLog[Any]):
    """Answers to test vectors, each of which is to be given once.

    Attributes:
        expected: the vectors with their results.
        answered: the numbers of those that were answered, from 1.
    """

    expected: Sequence[GameVector] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.answered: set[int] = set()

    def judge(self, line_number: int, content: bytes) -> None:
        """Note the faults of an answer."""
        name, _, answer = content.partition(b",")
        name = name.strip(QUOTES)
        # vectors are numbered from 1; a number of ten digits is of none of them
        number = int(name) if name.isdigit() and len(name) < 10 else 0
        if not 1 <= number <= len(self.expected):
            text = printable(name.decode(errors="replace"), 30)
            self.note(line_number, LineFault(UNREADABLE, f"there is no vector {text}"))
            return
        if number in self.answered:
            self.note(line_number, LineFault(ORDER, f"vector {number} is answered twice"))
        self.answered.add(number)
        vector = self.expected[number - 1]
        try:
            cells = self.reader.cells(answer)
        except DataError as error:
            self.note(line_number, LineFault(UNREADABLE, str(error)))
            return
        fault = _changed_vector_fault(self.reader, cells, vector)
        fault = fault or self.reader.fault(cells, vector.outcome, vector.counters)
        if fault is not None:
            words = f"vector {number}, {printable(vector.rolls, 60)}: {fault.words}"
            self.note(line_number, LineFault(fault.kind, words))

    def finish(self, seed: int) -> LogTests:
        """No tests; vectors that were not answered are noted."""
        for number, vector in enumerate(self.expected, 1):
            if number not in self.answered:
                words = f"vector {number} is not answered ({printable(vector.why, 60)})"
                self.note(self.last_line + 1, LineFault(MISSING, words))
        return LogTests(self.line_count)


def _changed_vector_fault(
    reader: LineReader, cells: Mapping[str, str], vector: GameVector
) -> LineFault | None:
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


class NumberedBet(NamedTuple):
    """A bet of a meter.

    Attributes:
        number: since the last award, from 1.
        won: whether it won the award.
    """

    number: int
    won: bool


class MeterLog(LineLog[Any]):
    """A meter, bet by bet: each line is worked again from the number of the bet.

    Its bets follow one another, and after an award the next is the first. A *worked* meter, as in a
    dossier, begins with the first bet in both ways, without and with the award. Its bets are
    examples, and don't follow one another.

    Attributes:
        previous: the last line of each bet; none after an unreadable line.
        worked: the names of the bets whose meter is worked.
    """

    def __post_init__(self) -> None:
        if not self.meters:
            raise DataError(
                f"{shown_path(self.results.path)} is a meter, and the game has no progressive "
                "award; give the game file that declares it"
            )
        super().__post_init__()
        self.previous: dict[str, NumberedBet] = {}
        self.worked: set[str] = set()

    def judge(self, line_number: int, content: bytes) -> None:
        """Note the fault of a line."""
        cells = next(csv.reader([content.decode(errors="replace")]))
        fault = _meter_fault(self.meters, cells)
        if fault is not None and fault.kind == UNREADABLE:
            # what came before the next line is unknown
            self.previous.clear()
        else:
            bet, number, before, _, wins, *_ = (unguarded(cell.strip()) for cell in cells)
            numbered_bet = NumberedBet(int(number), wins == "yes")
            previous = self.previous.get(bet)
            if previous == (1, False) and numbered_bet == (1, True):
                self.worked.add(bet)
            # a log may begin between two awards
            if previous is not None and bet not in self.worked:
                fault = fault or self._order_fault(bet, previous, numbered_bet, before)
            # also after a fault, so that the next line is compared with this one
            self.previous[bet] = numbered_bet
        if fault is not None:
            self.note(line_number, fault)

    def _order_fault(
        self, bet: str, previous: NumberedBet, current: NumberedBet, before: str
    ) -> LineFault | None:
        """The fault of a bet that does not follow the one before it; `before` is its cell."""
        expected = 1 if previous.won else previous.number + 1
        if current.number == expected:
            return None
        if previous.won:
            restart = exactly(self.meters[bet].seed)
            words = (
                f"before is {before}, and should be {restart}: after an award the meter restarts"
            )
            return LineFault(PAY, words)
        bet_text, previous_text = f"bet {current.number:,}", f"bet {previous.number:,}"
        if current.number > expected:
            return LineFault(MISSING, f"{bet_text} follows {previous_text} without those between")
        return LineFault(ORDER, f"{bet_text} comes after {previous_text}, without an award")

    def finish(self, seed: int) -> LogTests:
        """No tests."""
        return LogTests(self.line_count, left_out=WORKED if self.worked else "")


def _meter_fault(meters: Mapping[str, Meter], cells: Sequence[str]) -> LineFault | None:
    """What is wrong with a line of a meter: every amount follows from the number of the bet."""
    if len(cells) != len(METER):
        return LineFault(UNREADABLE, f"it has {len(cells)} cells for {len(METER)} columns")
    bet, number, *amounts = (unguarded(cell.strip()) for cell in cells)
    if bet not in meters:
        named_bets = ", ".join(meters)[:200]
        return LineFault(UNREADABLE, f"{shown(bet)} has no meter; these have: {named_bets}")
    meter = meters[bet]
    bet_number = int(number) if number.isdecimal() and len(number) < 10 else 0
    # with a limit, the bet that reaches it wins, so no bet of a cycle comes later
    last_bet = None if meter.limit is None else ceil((meter.limit - meter.seed) / meter.step)
    if bet_number < 1 or (last_bet is not None and bet_number > last_bet):
        up_to = "" if last_bet is None else f" to {last_bet:,}"
        return LineFault(UNREADABLE, f"number is {shown(number)}; it can be from 1{up_to}")
    before, fed, wins, award, after = amounts
    if wins not in ("yes", "no"):
        return LineFault(UNREADABLE, f"wins is {shown(wins)}; write yes or no")
    if wins == "no" and bet_number == last_bet:
        return LineFault(OUTCOME, f"bet {bet_number:,} reaches the limit and wins; it says no")
    meter_shows = meter.amount_after(bet_number)
    won = wins == "yes"
    expected = {
        "before": (before, meter.amount_after(bet_number - 1)),
        "fed": (fed, meter.step),
        "award": (award, meter_shows if won else None),
        "after": (after, meter.seed if won else meter_shows),
    }
    for column, (text, expected_amount) in expected.items():
        if expected_amount is None:
            if text:
                return LineFault(PAY, f"{column} is {shown(text)}, and nothing is won")
        elif fault := cell_fault(column, text, expected_amount, PAY):
            return fault
    return None
