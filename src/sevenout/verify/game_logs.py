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
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sevenout.errors import printable
from sevenout.model import Chain
from sevenout.rolling import Law, Rollable
from sevenout.rolling.throw import rolled_name
from sevenout.rules.game import Frozen
from sevenout.simulation.tally import Tally
from sevenout.solving import Solution, solve
from sevenout.verify.agreement import confirm, question_p_values, rolls_variance
from sevenout.verify.counts import MIN_EXPECTED, Cells, Check, DataError, cells_of, holm_adjusted
from sevenout.verify.planning import (
    Detectable,
    Plan,
    cells_plan,
    detectable_faults,
    faces_plan,
    runs_plan,
)
from sevenout.verify.records import MAX_CACHED, Book, TurnBook, faces_in, faces_text
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
    order_tests,
    pairs_test_of_counts,
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


class LoggedTest(NamedTuple):
    """A test of the counts of a log.

    Attributes:
        question: in words.
        check: the test.
        plan: how to find its least detectable fault.
    """

    question: str
    check: Check
    plan: Plan


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


class FaceCounts:
    """The faces of one die, or a reading of several.

    Attributes:
        name: in words.
        faces: those of the distribution, in order.
        counts: of each face.
        law: the expected distribution.
        pairs: counts of successive pairs; the earlier face is the row.
    """

    def __init__(self, name: str, law: Law) -> None:
        import numpy as np

        self.name, self.law = name, law
        self.faces = tuple(law)
        k = len(self.faces)
        self.counts, self.pairs = np.zeros(k, np.int64), np.zeros(k * k, np.int64)

    @property
    def rolls(self) -> int:
        """The number of faces counted."""
        return int(self.counts.sum())

    @property
    def cells(self) -> Cells:
        """The counts beside the distribution."""
        return cells_of(dict(zip(self.faces, map(int, self.counts), strict=True)), self.law)

    def tests(self, seed: int) -> Iterator[LoggedTest]:
        """The tests of fit and of independence in order."""
        cells, k = self.cells, len(self.faces)
        few = min(cells.expected) < MIN_EXPECTED
        fit = multinomial_test(cells, seed=seed) if few else chi_square(cells)
        yield LoggedTest(f"the shares of {self.name}", fit, faces_plan(self.law, self.rolls))
        joint = {divmod(pair, k): int(times) for pair, times in enumerate(self.pairs)}
        checks = order_tests(dict(enumerate(map(int, self.counts))), joint, seed)
        plans = runs_plan(self.law, self.rolls), cells_plan((k - 1) ** 2, self.rolls)
        # with too few rolls there are fewer checks than plans
        for check, plan in zip(checks, plans, strict=False):
            yield LoggedTest(f"the {check.name} of {self.name}", check, plan)


class ThrowCounts:
    """All throws of the same dice, given in the same way: by faces, or by a reading.

    Attributes:
        rollable: what is thrown.
        by_reading: whether by a reading, such as the total.
        face_counts: of each die, or of the reading.
        number_by_text: for each of these, the number of a face by its words.
        throw_by_faces: the number of each throw that was met, by the numbers of its faces.
        counts: the number of times that each was thrown; None before the first chunk.
        last_throw: the number of the last throw, for the pair across chunks.
    """

    def __init__(self, rollable: Rollable, by_reading: bool, several: bool) -> None:
        self.rollable, self.by_reading = rollable, by_reading
        name = rolled_name(rollable)
        suffix = f" of {name}" if several else ""
        sources = [(name, rollable.law)] if by_reading else []
        if not by_reading:
            for i, source in enumerate(rollable.sources, 1):
                law = Law(dict(zip(source.faces, source.weights, strict=True)))
                alone = len(rollable.sources) == 1
                sources.append((f"the {name}" if alone else f"die {i}{suffix}", law))
        self.face_counts = [FaceCounts(*source) for source in sources]
        self.number_by_text = [
            {faces_text(face): i for i, face in enumerate(s.faces)} for s in self.face_counts
        ]
        self.throw_by_faces: dict[tuple[int, ...], int] = {}
        self.counts: Any = None
        self.last_throw: Any = None

    def face_numbers(self, text: str) -> tuple[int, ...] | None:
        """The number of each die's face in a text; None if it is not such a throw."""
        faces = text.split(" ") if len(self.face_counts) > 1 else [text]
        if len(faces) != len(self.face_counts):
            return None
        numbers = [of_die.get(f, -1) for f, of_die in zip(faces, self.number_by_text, strict=True)]
        return None if -1 in numbers else tuple(numbers)

    def throw_number(self, face_numbers: tuple[int, ...]) -> int:
        """The number of a throw."""
        return self.throw_by_faces.setdefault(face_numbers, len(self.throw_by_faces))

    def count(self, throws: "Ints") -> list["Ints"]:
        """Count throws given by number; return the new counts of the faces of each die."""
        import numpy as np

        new_counts = np.bincount(throws, minlength=len(self.throw_by_faces))
        if self.counts is not None:
            new_counts[: len(self.counts)] += self.counts
        self.counts = new_counts
        # the last throw of the chunk before and the first of this one are a pair too
        chained = throws if self.last_throw is None else np.append(self.last_throw, throws)
        self.last_throw = chained[-1:]
        numbers = np.array([*self.throw_by_faces], np.int64).reshape(-1, len(self.face_counts))
        new_by_die = []
        for die, face_by_throw in zip(self.face_counts, numbers.T, strict=True):
            k, faces = len(die.faces), face_by_throw[chained]
            new_by_die.append(np.bincount(faces[len(chained) - len(throws) :], minlength=k))
            die.counts += new_by_die[-1]
            die.pairs += np.bincount(faces[:-1] * k + faces[1:], minlength=k * k)
        return new_by_die

    def tests(self, seed: int) -> Iterator[LoggedTest]:
        """The tests of each die, and of each pair thrown together."""
        for die in self.face_counts:
            if die.rolls:
                yield from die.tests(seed)
        if self.counts is None or self.counts.sum() < 2:
            return
        for i, second in enumerate(self.face_counts):
            for j, first in enumerate(self.face_counts[:i]):
                joint: Counter[tuple[int, int]] = Counter()
                # sorted: the order of the rows must not depend on the order of the log
                for faces, times in sorted(zip(self.throw_by_faces, self.counts, strict=True)):
                    joint[faces[j], faces[i]] += int(times)
                question = f"the independence of {first.name} and {second.name}"
                check = pairs_test_of_counts(joint, seed=seed)
                df = (len(second.law) - 1) * (len(first.law) - 1)
                yield LoggedTest(question, check, cells_plan(df, second.rolls))


IMPOSSIBLE = 0
"""The number of the impossible move."""


class MoveColumns(NamedTuple):
    """The columns of a table of moves, one row per move.

    Attributes:
        node: where it is made.
        branch: which of the moves there it is.
        target: where it leads; -1 for the impossible move.
        edge: its edge, as in a tally.
        dice: the index of the `ThrowCounts` that count its throw; -1 for a decision.
        throw: the number of the throw there.
        passing: whether it passes the turn.
    """

    node: Any
    branch: Any
    target: Any
    edge: Any
    dice: Any
    throw: Any
    passing: Any


class LoggedGames(NamedTuple):
    """The games of several lines.

    Attributes:
        moves: the move of each event, line after line, shape (events,).
        event_counts: the number of events of each line, shape (lines,).
        outcomes: the outcome of each line, shape (lines,); -1 if its events are not a game.
        seats: the seat of the player who ended each game, shape (lines,).
    """

    moves: "Ints"
    event_counts: "Ints"
    outcomes: "Ints"
    seats: "Ints"


class Numbering:
    """Numbers for objects, in the order in which they are met.

    >>> codes = Numbering()
    >>> codes.numbers([b"3 4", b"1 1", b"3 4"]).tolist(), codes.numbers([b"6 6"]).tolist()
    ([0, 1, 0], [2])

    Attributes:
        number_by_item: the number of each object.
    """

    def __init__(self) -> None:
        self.number_by_item: dict[Any, int] = {}

    def numbers(self, items: Sequence[Any]) -> "Ints":
        """The numbers of these objects."""
        import numpy as np

        codes = self.number_by_item
        # after the first chunks nothing is new
        try:
            return np.fromiter(map(codes.__getitem__, items), np.int64, len(items))
        except KeyError:
            numbers = [codes.setdefault(item, len(codes)) for item in items]
            return np.array(numbers, np.int64)


class LoggedMoves:
    """The numbered moves of a game: the events met, by node.

    An event is parsed when it is met at a node for the first time. Then it is a row of a table, and
    whole chunks of games are stepped through the table with NumPy.

    >>> from sevenout.catalogue import games
    >>> moves = LoggedMoves(Book(games["craps"]))
    >>> games = moves.replay([b"3 4", b"4 4; 3 1", b"2 2; 6 6; 1 3"])
    >>> games.event_counts.tolist(), games.outcomes.tolist()
    ([1, 2, 3], [0, -1, 2])

    Attributes:
        book: the game.
        rollables: the rollables of the game.
        throw_counts: the throws, by dice and by the way in which they are given.
        edges: for each state and roll, the edge as in a tally; empty for a game with choices.
        events: the number of each event's text.
    """

    def __init__(self, book: Book) -> None:
        self.book = book
        self.rollables = book.model.rollables
        self.throw_counts: list[ThrowCounts] = []
        sources = [rollable.sources for rollable in self.rollables]
        # of rollables that roll the same dice, the first one
        self._dice = [sources.index(dice) for dice in sources]
        self.edges = list(_edges(book)) if not book.has_choices else []
        self._index_by_dice: dict[tuple[int, bool], int] = {}
        self.forget()

    def forget(self) -> None:
        """Forget the moves; counts stay."""
        self.events = Numbering()
        # (event, node) as one number -> its move
        self._move_by_key: dict[int, int] = {}
        self._event_texts: list[bytes] = []
        impossible = MoveColumns(-1, -1, -1, 0, -1, -1, 0)
        self._learnt = MoveColumns(*(array("q", [value]) for value in impossible))
        self._columns: MoveColumns | None = None

    def __len__(self) -> int:
        """The number of entries in memory."""
        return len(self._move_by_key) + len(self.events.number_by_item)

    def find(self, nodes: "Ints | int", events: "Ints") -> "Ints":
        """The moves of these events at these nodes."""
        import numpy as np

        n = len(self.book.targets)
        keys, positions = np.unique(events * n + nodes, return_inverse=True)
        learnt = self._move_by_key
        moves = [learnt[key] if key in learnt else self._learn_move(key) for key in keys.tolist()]
        return np.array(moves, np.int64)[positions]

    @property
    def columns(self) -> MoveColumns:
        """The columns of all moves learnt so far, as arrays."""
        import numpy as np

        if self._columns is None:
            self._columns = MoveColumns(*(np.array(column, np.int64) for column in self._learnt))
        return self._columns

    def replay(self, lines: Sequence[bytes]) -> LoggedGames:
        """The games of these lines, played in parallel roll by roll."""
        import numpy as np

        n = len(self.book.targets)
        events = self.events.numbers(b";".join(lines).split(b";"))
        lengths = np.array([line.count(b";") + 1 for line in lines])
        start = np.cumsum(lengths) - lengths
        moves = np.full(len(events), IMPOSSIBLE)
        node = np.zeros(len(lines), np.int64)
        running, roll = np.arange(len(lines)), 0
        while len(running):
            positions = start[running] + roll
            moves[positions] = made = self.find(node[running], events[positions])
            node[running] = targets = self.columns.target[made]
            roll += 1
            # an end with events left is no game
            node[running[(targets >= n) & (roll < lengths[running])]] = -1
            running = running[(targets >= 0) & (targets < n) & (roll < lengths[running])]
        passes = np.add.reduceat(self.columns.passing[moves], start)
        return LoggedGames(moves, lengths, np.where(node >= n, node - n, -1), passes % 2)

    def count(self, moves: "Ints") -> "list[tuple[ThrowCounts, list[Ints]]]":
        """Count throws; return the new counts of the faces of each die, by dice."""
        import numpy as np

        dice, throws = self.columns.dice[moves], self.columns.throw[moves]
        return [
            (throw_counts, throw_counts.count(throws[dice == k]))
            for k, throw_counts in enumerate(self.throw_counts)
            if np.any(dice == k)
        ]

    def refusal(self, event: bytes) -> str:
        """Why an event is not possible at the first roll."""
        try:
            self.book.branch(self.book.first_roll_node, event.decode(errors="replace"))
        except DataError as error:
            return str(error).removeprefix("event 1 is ")
        raise AssertionError(event)

    def _learn_move(self, key: int) -> int:
        """The move of an event at a node, which were not met together before."""
        number, node = divmod(key, len(self.book.targets))
        event = self._event_text(number)
        branch = self.book.find(node, event)
        if branch is None:
            self._move_by_key[key] = IMPOSSIBLE
            return IMPOSSIBLE
        target, passes = self.book.targets[node][branch], self.book.passes.get(node, ())
        edge = self.edges[node][branch] if self.edges else 0
        throw = (-1, -1) if self.book.menus[node] else self._throw(event, node, branch)
        move = MoveColumns(node, branch, target, edge, *throw, branch in passes)
        self._move_by_key[key] = len(self._learnt.node)
        for column, value in zip(self._learnt, move, strict=True):
            column.append(value)
        self._columns = None
        return self._move_by_key[key]

    def _event_text(self, number: int) -> str:
        """The text of an event by its number; empty if it is not UTF-8."""
        if number >= len(self._event_texts):
            self._event_texts = list(self.events.number_by_item)
        # an event that is not text can be no move
        try:
            return self._event_texts[number].decode()
        except UnicodeDecodeError:
            return ""

    def _throw(self, event: str, node: int, branch: int) -> tuple[int, int]:
        """The index of the counts of a throw, and its number there."""
        rolled = self.book.rollable_index[node]
        by_faces = self.throw_counts[self._index_of(rolled, by_reading=False)]
        faces = by_faces.face_numbers(faces_in(event))
        index = self._index_of(rolled, by_reading=faces is None)
        return index, self.throw_counts[index].throw_number((branch,) if faces is None else faces)

    def _index_of(self, rolled: int, by_reading: bool) -> int:
        """The index of the counts of a rollable; by faces, one for all readings of its dice."""
        key = (rolled if by_reading else self._dice[rolled]), by_reading
        if key not in self._index_by_dice:
            self._index_by_dice[key] = len(self.throw_counts)
            several = len(set(self._dice)) > 1
            self.throw_counts.append(ThrowCounts(self.rollables[key[0]], by_reading, several))
        return self._index_by_dice[key]


def _edges(book: Book) -> Iterator[list[int]]:
    """The edge of each roll in each state, numbered as in a tally."""
    chain = book.model
    assert isinstance(chain, Chain)
    first = 0
    for moves in chain.moves:
        number = {move: i for i, move in enumerate(dict.fromkeys(moves), first)}
        yield [number[move] for move in moves]
        first += len(number)


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
