"""Logs of games: read in chunks, played through the rules, counted, and tested at the end.

A log has a line for each game, or for each roll. Every chunk is played at once: each distinct event
is parsed a single time, and NumPy steps all its games together, roll by roll. What stays in memory
is counts: of each die, of each pair in a throw and of each successive pair (also across lines), of
the edges taken and of the ends. So 10^8 rolls take as much memory as 10^5.

At the end the counts are tested as one family, by Holm's correction. Beside it each die and the
outcomes have an anytime-valid test that is looked at after every chunk, and names the line by which
it had rejected. Games of turns are played one line at a time: they have too many positions.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sevenout.errors import printable
from sevenout.model import Chain
from sevenout.rolling import Rollable
from sevenout.rules.game import Frozen
from sevenout.simulation.tally import Tally
from sevenout.solving import Solution, solve
from sevenout.verify.agreement import confirm, question_p_values, rolls_variance
from sevenout.verify.counts import MIN_EXPECTED, Cells, Check, DataError, cells_of, holm_adjusted
from sevenout.verify.logged_moves import (
    IMPOSSIBLE,
    LoggedGames,
    LoggedMoves,
    LoggedTest,
    Numbering,
)
from sevenout.verify.planning import (
    Detectable,
    Plan,
    cells_plan,
    detectable_faults,
    faces_plan,
)
from sevenout.verify.records import MAX_CACHED, Book, TurnBook
from sevenout.verify.result_files import (
    FAULT_KINDS,
    MISSING,
    NUMBERS,
    ORDER,
    ROLLS,
    UNREADABLE,
    LineFault,
    LineReader,
    Meter,
    ResultLine,
    Results,
)
from sevenout.verify.significance_tests import (
    WatchFamily,
    chi_square,
    multinomial_test,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


B = TypeVar("B", "Book", "TurnBook")

QUOTES = b' "\t'
"""The characters that may surround the number of a game."""
MIN_GAMES_FOR_LIMIT = 2_000
"""With fewer games, rare outcomes are tested exactly; with more, the limit is near enough."""
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


class LogTests(NamedTuple):
    """The tests of all lines.

    Attributes:
        games: the number of finished games.
        family, checks, left_out, detectable: as in `Conformity`.
    """

    games: int
    family: Mapping[str, float] = Frozen({})
    checks: Mapping[str, Check] = Frozen({})
    left_out: str = ""
    detectable: Mapping[str, Detectable] = Frozen({})


@dataclass(eq=False)
class Log(ABC, Generic[B]):
    """A log of games or rolls, one per line, checked against the rules in a book.

    Chunks come in the order of the file. Each is read, its faults are counted, and its games are
    added to the counts, which are tested when all chunks have been read.

    Attributes:
        book: the game.
        results: the file.
        confidence: the least probability that right results pass all tests.
        max_listed: the most disagreements listed.
        meters: by bet, the meter that a log may add to its pay.
        reader: of a line, without its number.
        watched: the anytime-valid tests, with half of the error.
        level: of the tests at the end: the other half.
        line_count: the number of lines read, apart from empty ones.
        last_line: the number of the last line read.
        faults: the number of faults of each kind.
        listed: the first disagreements.
        last_game: the number of the last game; None before the first.
        misnumbered: the disagreements of this chunk's numbers.
    """

    book: B
    results: Results
    confidence: Fraction
    max_listed: int
    meters: Mapping[str, Meter] = Frozen({})

    def __post_init__(self) -> None:
        numbered = self.results.columns[0] in NUMBERS
        columns = self.results.columns[1:] if numbered else self.results.columns
        self.reader = LineReader(self.book, columns, self.meters)
        self.watched = WatchFamily((1 + self.confidence) / 2)
        self.level = (1 - self.confidence) / 2
        self.faults = dict.fromkeys(FAULT_KINDS, 0)
        self.listed: list[Disagreement] = []
        self.line_count = self.last_line = 0
        self.last_game: int | None = None
        self.misnumbered: list[Disagreement] = []

    @abstractmethod
    def count(self, numbers: Sequence[int], contents: Sequence[bytes]) -> None:
        """Count non-empty lines."""

    @abstractmethod
    def finish(self, seed: int) -> LogTests:
        """The tests over all counts, as one family."""

    def as_family(
        self,
        games: int,
        tests: Iterable[LoggedTest],
        left_out: str = "",
        *,
        p_values: Mapping[str, float] = Frozen({}),
        checks: Mapping[str, Check] = Frozen({}),
        plans: Mapping[str, Plan] = Frozen({}),
    ) -> LogTests:
        """Tests as one family, with more p-values, checks that are shown, and plans."""
        tests = list(tests)
        family = {test.question: test.check.p_value for test in tests} | dict(p_values)
        checks = {test.question: test.check for test in tests} | dict(checks)
        plans = {test.question: test.plan for test in tests} | dict(plans)
        faults = detectable_faults(plans, family, self.level)
        return LogTests(games, holm_adjusted(family), checks, left_out, faults)

    def read_chunk(self, first_line: int, lines: list[bytes]) -> None:
        """Count the lines of a chunk; `first_line` is the line number of its first."""
        self.misnumbered = []
        self.last_line = first_line + len(lines) - 1
        contents = self._without_numbers(first_line, lines) if self.results.numbered else lines
        numbers = [n for n, content in enumerate(contents, first_line) if content.strip()]
        if numbers:
            self.count(numbers, [contents[n - first_line] for n in numbers])
        self.list_first(self.misnumbered)

    def note(self, line_number: int, fault: LineFault) -> None:
        """Count a fault of a line, and list it if it is one of the first."""
        self.faults[FAULT_KINDS[fault.kind]] += 1
        if self.max_listed and line_number < self.listing_limit:
            self.list_first([Disagreement(line_number, fault.words)])

    @property
    def listing_limit(self) -> float:
        """The line from which on no disagreement will be listed."""
        return self.listed[-1].line if len(self.listed) == self.max_listed else inf

    def list_first(self, disagreements: Iterable[Disagreement]) -> None:
        """List the first disagreements."""
        self.listed = sorted([*self.listed, *disagreements])[: self.max_listed]

    def _without_numbers(self, first_line: int, lines: list[bytes]) -> Sequence[bytes]:
        """The lines without their numbers, which must be consecutive."""
        texts, contents = split_at_comma(lines)
        # nearly all chunks are numbered right, and compared as text
        if self.last_game is not None and texts == _number_texts(self.last_game + 1, len(lines)):
            self.last_game += len(lines)
            return contents
        for line_number, (text, line) in enumerate(zip(texts, lines, strict=True), first_line):
            digits = text.strip(QUOTES)
            # Python refuses to convert thousands of digits
            game = int(digits) if digits.isdigit() and len(digits) < 19 else -1
            if game >= 0 and self.last_game in (None, game - 1):
                self.last_game = game
            elif line.strip():
                self._note_number(line_number, digits, game)
        return contents

    def _note_number(self, line_number: int, digits: bytes, game: int) -> None:
        """Note a number that does not follow the one before it; -1 is no number."""
        previous, count = game if self.last_game is None else self.last_game, 1
        if game < 0:
            text = printable(digits.decode(errors="replace"), 30)
            fault = LineFault(UNREADABLE, f"{text} is not a game's number")
        elif game > previous:
            gap, count = f"game {previous + 1:,} is", game - previous - 1
            if count > 1:
                gap = f"games {previous + 1:,} to {game - 1:,} are"
            fault = LineFault(MISSING, f"{gap} missing: {previous:,} is followed by {game:,}")
            self.last_game = game
        else:
            fault = LineFault(ORDER, f"game {game:,} comes after game {previous:,}")
        self.faults[FAULT_KINDS[fault.kind]] += count
        if len(self.misnumbered) < self.max_listed:
            self.misnumbered.append(Disagreement(line_number, fault.words))


class LineLog(Log[B]):
    """A file whose lines are judged one by one."""

    @abstractmethod
    def judge(self, line_number: int, content: bytes) -> None:
        """Note the faults of a line; `line_number` is its number in the file."""

    def count(self, numbers: Sequence[int], contents: Sequence[bytes]) -> None:
        """Judge non-empty lines."""
        self.line_count += len(contents)
        for line_number, content in zip(numbers, contents, strict=True):
            self.judge(line_number, content)


def split_at_comma(lines: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The part of each line before its first comma, and the part after it."""
    try:
        commas = [line.index(b",") for line in lines]
    except ValueError:
        # a line without one is all number; its missing cells are noted when it is read
        return split_at_comma([line if b"," in line else line + b"," for line in lines])
    before = [line[:k] for line, k in zip(lines, commas, strict=True)]
    return before, [line[k + 1 :] for line, k in zip(lines, commas, strict=True)]


def _number_texts(first: int, count: int) -> list[bytes]:
    return list(map(b"%d".__mod__, range(first, first + count)))


class GameLog(Log[Book]):
    """A log of games, one per line.

    Attributes:
        remainders: the numbers of lines apart from their rolls.
        result_by_key: the lines that were read, by remainder and end.
        moves: the moves of the game.
        solution: the distribution; None for a game with choices.
        flow: the number of times each edge was taken.
        absorbed: the number of games by state, number of rolls, and outcome.
        labels: the number of games by label of their end.
    """

    def __post_init__(self) -> None:
        import numpy as np

        super().__post_init__()
        model = self.book.model
        self.remainders, self.result_by_key = Numbering(), dict[int, ResultLine]()
        self.moves = LoggedMoves(self.book)
        self.flow = np.zeros(1 + max(map(max, self.moves.edges), default=-1), np.int64)
        self.absorbed: Counter[tuple[int, int, int]] = Counter()
        self.labels = {outcome.label: 0 for outcome in self.book.endings}
        self.solution: Solution | None = solve(model) if isinstance(model, Chain) else None

    def forget(self) -> None:
        """Free memory above the limit; counts stay."""
        if len(self.moves) > MAX_CACHED:
            self.moves.forget()
        if len(self.remainders.number_by_item) + len(self.result_by_key) > MAX_CACHED:
            self.remainders = Numbering()
            self.result_by_key.clear()

    def count(self, numbers: Sequence[int], contents: Sequence[bytes]) -> None:
        """Count non-empty lines."""
        import numpy as np

        self.forget()
        self.line_count += len(contents)
        rolled = "rolls" in self.reader.columns
        rolls, remainders = self._split(contents) if rolled else ((), contents)
        games = self.moves.replay(rolls) if rolled else None
        codes = self.remainders.numbers(remainders)
        has_rolls = np.zeros(len(contents), bool)
        new_labels = dict.fromkeys(self.labels, 0)
        for line, indices in self._distinct_lines(contents, codes, games):
            has_rolls[indices] = line.has_rolls
            if line.outcome is not None:
                new_labels[line.outcome.label] += len(indices)
            if line.fault is not None:
                self.faults[FAULT_KINDS[line.fault.kind]] += len(indices)
                words, first = line.fault.words, indices[: self.max_listed].tolist()
                # only the first few are listed, so a later one would be dropped again
                if self.max_listed and numbers[first[0]] < self.listing_limit:
                    self.list_first(Disagreement(numbers[k], words) for k in first)
        if games is not None:
            self._count_games(games, has_rolls, numbers[-1])
        for label, times in new_labels.items():
            self.labels[label] += times
        self.watch_outcomes(new_labels, numbers[-1])

    def _split(self, contents: Sequence[bytes]) -> tuple[Sequence[bytes], Sequence[Hashable]]:
        """The rolls of each line, and the rest of it."""
        if self.reader.columns[0] == "rolls" and all(b"," in content for content in contents):
            rolls, remainders = split_at_comma(contents)
            # quoted, or guarded against a spreadsheet: these need the slower reader
            if not {*b"\"'"} & {*b"".join(rolls)}:
                return rolls, remainders
        pairs = [self._split_quoted(content) for content in contents]
        return [rolls for rolls, _ in pairs], [rest for _, rest in pairs]

    def _split_quoted(self, content: bytes) -> tuple[bytes, Hashable]:
        """The rolls of a line with quotes, and its other cells; the line if it can't be read."""
        try:
            cells = self.reader.cells(content)
        except DataError:
            return b"", content
        return cells.pop("rolls").encode(), tuple(cells.values())

    def _distinct_lines(
        self, contents: Sequence[bytes], codes: "Ints", games: LoggedGames | None
    ) -> "Iterator[tuple[ResultLine, Ints]]":
        """Each distinct line apart from its rolls, with the indices of its copies."""
        import numpy as np

        end_codes = 2 * len(self.book.outcomes)
        if games is not None:
            # read alone: a line whose rolls are no game, and all lines if counters need each event
            alone = (games.outcomes < 0) | bool(self.reader.counters)
            codes = np.where(alone, -1, codes * end_codes + 2 * games.outcomes + games.seats)
        order = np.argsort(codes, kind="stable")
        keys, starts = np.unique(codes[order], return_index=True)
        for key, indices in zip(keys.tolist(), np.split(order, starts[1:]), strict=True):
            if key < 0:
                for index in indices:
                    yield self.reader.read(contents[index]), index[None]
                continue
            if key not in self.result_by_key:
                ended = None if games is None else divmod(key % end_codes, 2)
                self.result_by_key[key] = self.reader.read(contents[indices[0]], ended)
            yield self.result_by_key[key], indices

    def _count_games(self, games: LoggedGames, has_rolls: "Ints", last_line: int) -> None:
        """Count the throws, edges and ends of games."""
        import numpy as np

        moves = games.moves[np.repeat(has_rolls, games.event_counts)]
        self.count_throws(moves, last_line)
        if self.book.has_choices:
            return
        columns, n = self.moves.columns, len(self.book.targets)
        self.flow += np.bincount(columns.edge[moves], minlength=len(self.flow))
        # by last move and number of rolls, as one number
        last_moves = games.moves[np.cumsum(games.event_counts) - 1][has_rolls]
        lengths = games.event_counts[has_rolls]
        size = 1 + int(lengths.max(initial=0))
        keys, times = np.unique(last_moves * size + lengths, return_counts=True)
        nodes, outcomes = columns.node[keys // size], columns.target[keys // size] - n
        for node, rolls, outcome, count in zip(nodes, keys % size, outcomes, times, strict=True):
            self.absorbed[int(node), int(rolls), int(outcome)] += int(count)

    def count_throws(self, moves: "Ints", last_line: int) -> None:
        """Count throws and add them to each die's test, as of the lines up to `last_line`."""
        for throw_counts, new_counts_by_die in self.moves.count(moves):
            for die, new_counts in zip(throw_counts.face_counts, new_counts_by_die, strict=True):
                counts = dict(zip(die.faces, map(int, new_counts), strict=True))
                self.watched.look(f"the shares of {die.name}", die.law, counts, last_line)

    def watch_outcomes(self, new_labels: Mapping[str, int], last_line: int) -> None:
        """Add the outcomes of a chunk to their anytime-valid test."""
        # its probabilities must be exact
        if self.solution is not None and not self.solution.bound:
            self.watched.look("the outcomes", self.solution.labels, new_labels, last_line)

    # --- all lines ------------------------------------------------------------------------------

    def finish(self, seed: int) -> LogTests:
        """The tests over all counts, as one family."""
        tests = [
            test for throw_counts in self.moves.throw_counts for test in throw_counts.tests(seed)
        ]
        p_values: dict[str, float] = {}
        checks: dict[str, Check] = {}
        plans: dict[str, Plan] = {}
        tally, games = self.tally(), sum(self.labels.values())
        if tally is not None and self.solution is not None:
            verdict = confirm(tally, self.solution)
            p_values = dict(
                question_p_values(verdict.outcomes, verdict.wins, verdict.mean_rolls, verdict.fits)
            )
            plans = verdict.plans(rolls_variance(tally, self.solution))
            # the page shows only these of the family
            checks["the mean rolls"] = verdict.mean_rolls
            checks["the outcomes"], checks["the lengths"] = verdict.fits[0], verdict.fits[2]
        elif self.solution is not None and games:
            cells = cells_of(self.labels, self.solution.labels)
            plan = cells_plan(len(cells.outcomes) - 1, games)
            tests.append(LoggedTest("the outcomes", _fit_check(cells, seed), plan))
        left_out = LEFT_OUT if self.book.has_choices else ""
        return self.as_family(games, tests, left_out, p_values=p_values, checks=checks, plans=plans)

    def tally(self) -> Tally | None:
        """The games as a tally; None without rolls, or with decisions."""
        model = self.book.model
        if not self.absorbed or not isinstance(model, Chain):
            return None
        return Tally(model, self.absorbed.total(), tuple(map(int, self.flow)), dict(self.absorbed))


class RollLog(GameLog):
    """A log of rolls alone, from a table or an electronic shaker, one per line.

    They are played through the rules in order; an unfinished last game is not counted. An
    unreadable line ends its game without an outcome.

    Attributes:
        readings: for each rollable of the game, a node that rolls it.
        state: of the game in progress.
        edges_taken: the edges that it took.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        rollables = self.book.model.rollables
        if len({rollable.sources for rollable in rollables}) > 1:
            raise DataError(
                "the game does not roll the same dice throughout; give a log of games, with a "
                "column rolls"
            )
        self.readings = [self.book.rollable_index.index(k) for k in range(len(rollables))]
        self.state = 0
        self.edges_taken: list[int] = []

    def read_chunk(self, first_line: int, lines: list[bytes]) -> None:
        """Count and play the rolls of a chunk."""
        import numpy as np

        self.forget()
        events = self.moves.events.numbers(lines)
        # the same dice may be read differently in different states: each reading has a row
        moves_by_reading = np.array([self.moves.find(node, events) for node in self.readings])
        moves = moves_by_reading[self.book.rollable_index[self.book.first_roll_node]]
        wrong = [int(k) for k in np.nonzero((moves_by_reading == IMPOSSIBLE).any(axis=0))[0]]
        blank = [k for k in wrong if not lines[k].strip()]
        faulty = [k for k in wrong if lines[k].strip()]
        self.faults[FAULT_KINDS[UNREADABLE]] += len(faulty)
        self.list_first(
            Disagreement(first_line + k, self.moves.refusal(lines[k]))
            for k in faulty[: self.max_listed]
        )
        last_line = first_line + len(lines) - 1
        self.line_count += len(moves) - len(blank)
        self.count_throws(np.delete(moves, wrong), last_line)
        if not self.book.has_choices:
            branches = self.moves.columns.branch[moves_by_reading]
            branches[:, faulty] = -1
            self._play(np.delete(branches, blank, axis=1).T.tolist(), last_line)

    def _play(self, branches: list[list[int]], last_line: int) -> None:
        """Play rolls, given by their branch in each reading; one below 0 ends the game."""
        import numpy as np

        targets, edges, n = self.book.targets, self.moves.edges, len(self.book.targets)
        rolled = self.book.rollable_index
        # one after another, since the next game begins where this one ends
        state, edges_taken, finished = self.state, self.edges_taken, list[int]()
        for row in branches:
            branch = row[rolled[state]]
            if branch < 0:
                state = 0
                edges_taken.clear()
                continue
            edges_taken.append(edges[state][branch])
            target = targets[state][branch]
            if target < n:
                state = target
                continue
            self.absorbed[state, len(edges_taken), target - n] += 1
            finished += edges_taken
            state = 0
            edges_taken.clear()
        self.state = state
        self.flow += np.bincount(np.array(finished, np.int64), minlength=len(self.flow))
        before, self.labels = self.labels, dict.fromkeys(self.labels, 0)
        for (_, _, k), count in self.absorbed.items():
            self.labels[self.book.outcomes[k].label] += count
        new_labels = {label: times - before[label] for label, times in self.labels.items()}
        self.watch_outcomes(new_labels, last_line)


class TurnLog(LineLog[TurnBook]):
    """A log of games of turns with their rolls, one per line.

    Attributes:
        games: the number of games read.
        counts: for each rollable, the number of times that each outcome came.
        chunk_counts: the same in the present chunk.
    """

    def __post_init__(self) -> None:
        if "rolls" not in self.results.columns:
            raise DataError(
                "a log of a game of turns has a column rolls, with what was rolled and done: "
                "1 3 3 5 6; keep 3 3; 3 4 4; keep all; chance"
            )
        super().__post_init__()
        self.games = 0
        self.counts: dict[Rollable, Counter[Any]] = {}
        self.chunk_counts: dict[Rollable, Counter[Any]] = {}

    def count(self, numbers: Sequence[int], contents: Sequence[bytes]) -> None:
        """Play non-empty lines."""
        self.chunk_counts = {}
        super().count(numbers, contents)
        for rollable, chunk_counts in self.chunk_counts.items():
            self.counts.setdefault(rollable, Counter()).update(chunk_counts)
            question = _shares_question(rollable)
            self.watched.look(question, rollable.law, chunk_counts, numbers[-1])

    def judge(self, line_number: int, content: bytes) -> None:
        """Play a line, and note its fault."""
        try:
            cells = self.reader.cells(content)
        except DataError as error:
            return self.note(line_number, LineFault(UNREADABLE, str(error)))
        try:
            outcome, thrown = self.book.replay(cells["rolls"])
        except DataError as error:
            return self.note(line_number, LineFault(ROLLS, str(error)))
        self.games += 1
        for rollable, face in thrown:
            self.chunk_counts.setdefault(rollable, Counter())[face] += 1
        if (fault := self.reader.fault(cells, outcome)) is not None:
            self.note(line_number, fault)
        return None

    def finish(self, seed: int) -> LogTests:
        """The tests of the dice, as one family."""
        cells = {
            rollable: cells_of(counts, rollable.law) for rollable, counts in self.counts.items()
        }
        # dice with a single outcome leave nothing to test
        tests = [
            LoggedTest(_shares_question(dice), _fit_check(own, seed), faces_plan(dice.law, own.n))
            for dice, own in cells.items()
            if len(dice.law) > 1
        ]
        return self.as_family(self.games, tests, LEFT_OUT)


def _fit_check(cells: Cells, seed: int) -> Check:
    """The fit of counts: exact where some are rare and the games few."""
    few = cells.n < MIN_GAMES_FOR_LIMIT and min(cells.expected) < MIN_EXPECTED
    return multinomial_test(cells, seed=seed) if few else chi_square(cells)


@lru_cache(maxsize=64)
def _shares_question(rollable: Rollable) -> str:
    return f"the shares of {rollable}"
