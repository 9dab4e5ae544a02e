"""Logs of games: read in blocks, played through the rules, counted, and tested at the end.

A log has a line for each game, or for each roll. Every block is played at once: each distinct event
is parsed a single time, and NumPy steps all its games together, roll by roll. What stays in memory
is counts: of each die, of each pair in a throw and of each successive pair (also across lines), of
the edges taken and of the ends. So 10^8 rolls take as much memory as 10^5.

At the end the counts are tested as one family, by Holm's correction. Beside it each die and the
outcomes have an anytime-valid test that is looked at after every block, and names the line by which
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
from sevenout.verify.agreement import confirm, questions, rolls_variance
from sevenout.verify.counts import LEAST, Cells, Check, DataError, cells_of, family_of
from sevenout.verify.planning import Detectable, Plan, least_faults, of_cells, of_faces, of_runs
from sevenout.verify.records import KNOWN, Book, TurnBook, faces_in, faces_text
from sevenout.verify.result_files import (
    KINDS,
    MISSING,
    NUMBERS,
    ORDER,
    ROLLS,
    UNREADABLE,
    LineFault,
    Meter,
    Reader,
    ResultLine,
    Results,
)
from sevenout.verify.significance_tests import (
    WatchFamily,
    chi_square,
    counted_pairs,
    in_order,
    multinomial_test,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


B = TypeVar("B", "Book", "TurnBook")

QUOTES = b' "\t'
"""The characters that may surround the number of a game."""
FEW = 2_000
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


class Judged(NamedTuple):
    """The tests of all lines.

    Attributes:
        games: the number of finished games.
        family, checks, left_out, missed: as in `Conformity`.
    """

    games: int
    family: Mapping[str, float] = Frozen({})
    checks: Mapping[str, Check] = Frozen({})
    left_out: str = ""
    missed: Mapping[str, Detectable] = Frozen({})


@dataclass(eq=False)
class Log(ABC, Generic[B]):
    """A log of games or rolls, one per line, checked against the rules in a book.

    Blocks come in the order of the file. Each is read, its faults are counted, and its games are
    added to the counts, which are tested when all blocks have been read.

    Attributes:
        book: the game.
        results: the file.
        confidence: the least probability that right results pass all tests.
        listed: the most disagreements listed.
        meters: by bet, the meter that a log may add to its pay.
        reader: of a line, without its number.
        watched: the anytime-valid tests, with half of the error.
        level: of the tests at the end: the other half.
        rows: the number of lines read, apart from empty ones.
        end: the number of the last line read.
        faults: the number of faults of each kind.
        shown: the first disagreements.
        last: the number of the last game; None before the first.
        misnumbered: the disagreements of this block's numbers.
    """

    book: B
    results: Results
    confidence: Fraction
    listed: int
    meters: Mapping[str, Meter] = Frozen({})

    def __post_init__(self) -> None:
        numbered = self.results.columns[0] in NUMBERS
        columns = self.results.columns[1:] if numbered else self.results.columns
        self.reader = Reader(self.book, columns, self.meters)
        self.watched = WatchFamily((1 + self.confidence) / 2)
        self.level = (1 - self.confidence) / 2
        self.faults = dict.fromkeys(KINDS, 0)
        self.shown: list[Disagreement] = []
        self.rows = self.end = 0
        self.last: int | None = None
        self.misnumbered: list[Disagreement] = []

    @abstractmethod
    def count(self, places: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Count non-empty lines."""

    @abstractmethod
    def judged(self, seed: int) -> Judged:
        """The tests over all counts, as one family."""

    def joint(
        self,
        games: int,
        tests: Iterable[LoggedTest],
        left_out: str = "",
        *,
        p_values: Mapping[str, float] = Frozen({}),
        checks: Mapping[str, Check] = Frozen({}),
        plans: Mapping[str, Plan] = Frozen({}),
    ) -> Judged:
        """Tests as one family, with more p-values, checks that are shown, and plans."""
        tests = list(tests)
        family = {test.question: test.check.p_value for test in tests} | dict(p_values)
        shown = {test.question: test.check for test in tests} | dict(checks)
        least = {test.question: test.plan for test in tests} | dict(plans)
        missed = least_faults(least, family, self.level)
        return Judged(games, family_of(family), shown, left_out, missed)

    def block(self, first: int, lines: list[bytes]) -> None:
        """Count the lines of a block; `first` is the line number of its first."""
        self.misnumbered = []
        self.end = first + len(lines) - 1
        bodies = self._unnumbered(first, lines) if self.results.numbered else lines
        places = [place for place, body in enumerate(bodies, first) if body.strip()]
        if places:
            bodies = [bodies[place - first] for place in places]
            self.count(places, bodies)
        self.list_first(self.misnumbered)

    def note(self, place: int, fault: LineFault) -> None:
        """Count a fault of a line, and list it if it is one of the first."""
        self.faults[KINDS[fault.kind]] += 1
        if self.listed and place < self.last_shown:
            self.list_first([Disagreement(place, fault.words)])

    @property
    def last_shown(self) -> float:
        """The line from which on no disagreement will be listed."""
        return self.shown[-1].line if len(self.shown) == self.listed else inf

    def list_first(self, disagreements: Iterable[Disagreement]) -> None:
        """List the first disagreements."""
        self.shown = sorted([*self.shown, *disagreements])[: self.listed]

    def _unnumbered(self, first: int, lines: list[bytes]) -> Sequence[bytes]:
        """The lines without their numbers, which must be consecutive."""
        number_texts, bodies = halves(lines)
        # nearly all blocks are numbered right, and compared as text
        if self.last is not None and number_texts == _numbers(self.last + 1, len(lines)):
            self.last += len(lines)
            return bodies
        for place, (raw_text, line) in enumerate(zip(number_texts, lines, strict=True), first):
            number_text = raw_text.strip(QUOTES)
            # 18 digits: a number that the next steps can add to
            game = int(number_text) if number_text.isdigit() and len(number_text) < 19 else -1
            if game >= 0 and (self.last is None or game == self.last + 1):
                self.last = game
            elif line.strip():
                self._out_of_order(
                    place, number_text, game, game if self.last is None else self.last
                )
        return bodies

    def _out_of_order(self, place: int, number_text: bytes, game: int, last: int) -> None:
        if game < 0:
            shown_text = printable(number_text.decode(errors="replace"), 30)
            fault = LineFault(UNREADABLE, f"{shown_text} is not a game's number")
        elif game > last:
            is_single = game == last + 2
            gap = (
                f"game {last + 1:,} is" if is_single else f"games {last + 1:,} to {game - 1:,} are"
            )
            fault = LineFault(MISSING, f"{gap} missing: {last:,} is followed by {game:,}")
            self.last = game
        else:
            fault = LineFault(ORDER, f"game {game:,} comes after game {last:,}")
        self.faults[KINDS[fault.kind]] += max(1, game - last - 1) if game > last else 1
        if len(self.misnumbered) < self.listed:
            self.misnumbered.append(Disagreement(place, fault.words))


class LineLog(Log[B]):
    """A file whose lines are judged one by one."""

    @abstractmethod
    def judge(self, place: int, body: bytes) -> None:
        """Note the faults of a line; `place` is its number in the file."""

    def count(self, places: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Judge non-empty lines."""
        self.rows += len(bodies)
        for place, body in zip(places, bodies, strict=True):
            self.judge(place, body)


def halves(lines: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The part of each line before its first comma, and the part after it."""
    try:
        commas = [line.index(b",") for line in lines]
    except ValueError:
        # a line without one is all number, and its fault is found later
        return halves([line if b"," in line else line + b"," for line in lines])
    before = [line[:k] for line, k in zip(lines, commas, strict=True)]
    return before, [line[k + 1 :] for line, k in zip(lines, commas, strict=True)]


def _numbers(first: int, count: int) -> list[bytes]:
    return list(map(b"%d".__mod__, range(first, first + count)))


class Series:
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
    def n(self) -> int:
        """The number of faces counted."""
        return int(self.counts.sum())

    @property
    def cells(self) -> Cells:
        """The counts beside the distribution."""
        return cells_of(dict(zip(self.faces, map(int, self.counts), strict=True)), self.law)

    def tests(self, seed: int) -> Iterator[LoggedTest]:
        """The tests of fit and of independence in order."""
        cells, k = self.cells, len(self.faces)
        few = min(cells.expected) < LEAST
        fit = multinomial_test(cells, seed=seed) if few else chi_square(cells)
        yield LoggedTest(f"the shares of {self.name}", fit, of_faces(self.law, self.n))
        joint = {divmod(pair, k): int(n) for pair, n in enumerate(self.pairs)}
        checks = in_order(dict(enumerate(map(int, self.counts))), joint, seed)
        plans = of_runs(self.law, self.n), of_cells((k - 1) ** 2, self.n)
        # with too few rolls there are fewer checks than plans
        for check, plan in zip(checks, plans, strict=False):
            yield LoggedTest(f"the {check.name} of {self.name}", check, plan)


class Stream:
    """All throws of the same dice, given in the same way: by faces, or by a reading.

    Attributes:
        rollable: what is thrown.
        read: whether by a reading, such as the total.
        series: of each die, or of the reading.
        texts: for each series, the number of a face by its words.
        throws: the number of each throw that was met, by the numbers of its faces.
        seen: how often each came; None before the first block.
        last: the number of the last throw, for the pair across blocks.
    """

    def __init__(self, rollable: Rollable, read: bool, several: bool) -> None:
        self.rollable, self.read = rollable, read
        name = rolled_name(rollable)
        more = f" of {name}" if several else ""
        sources = [(name, rollable.law)] if read else []
        if not read:
            many = len(rollable.sources) > 1
            for i, source in enumerate(rollable.sources, 1):
                law = Law(dict(zip(source.faces, source.weights, strict=True)))
                sources.append((f"die {i}{more}" if many else f"the {name}", law))
        self.series = [Series(*source) for source in sources]
        self.texts = [{faces_text(face): i for i, face in enumerate(s.faces)} for s in self.series]
        self.throws: dict[tuple[int, ...], int] = {}
        self.seen: Any = None
        self.last: Any = None

    def faces(self, words: str) -> tuple[int, ...] | None:
        """The number of each series' face in a text; None if there is none."""
        parts = words.split(" ") if len(self.series) > 1 else [words]
        if len(parts) != len(self.series):
            return None
        numbers = [texts.get(part, -1) for part, texts in zip(parts, self.texts, strict=True)]
        return None if -1 in numbers else tuple(numbers)

    def number(self, faces: tuple[int, ...]) -> int:
        """The number of a throw."""
        return self.throws.setdefault(faces, len(self.throws))

    def count(self, throws: "Ints") -> list["Ints"]:
        """Count throws given by number; return the counts of each face by series."""
        import numpy as np

        new = np.bincount(throws, minlength=len(self.throws))
        if self.seen is not None:
            new[: len(self.seen)] += self.seen
        self.seen = new
        # the last throw of the block before and the first of this one are a pair too
        row = throws if self.last is None else np.append(self.last, throws)
        self.last = row[-1:]
        faces = np.array([*self.throws], np.int64).reshape(-1, len(self.series))
        added = []
        for series, face_by_throw in zip(self.series, faces.T, strict=True):
            k = len(series.faces)
            sequence = face_by_throw[row]
            added.append(np.bincount(sequence[len(row) - len(throws) :], minlength=k))
            series.counts += added[-1]
            series.pairs += np.bincount(sequence[:-1] * k + sequence[1:], minlength=k * k)
        return added

    def tests(self, seed: int) -> Iterator[LoggedTest]:
        """The tests of each die, and of each pair thrown together."""
        for series in self.series:
            if series.n:
                yield from series.tests(seed)
        if self.seen is None or self.seen.sum() < 2:
            return
        for i, one in enumerate(self.series):
            for j, other in enumerate(self.series[:i]):
                joint: dict[tuple[int, int], int] = {}
                for faces, times in sorted(zip(self.throws, self.seen, strict=True)):
                    key = faces[j], faces[i]
                    joint[key] = joint.get(key, 0) + int(times)
                question = f"the independence of {other.name} and {one.name}"
                df = (len(one.law) - 1) * (len(other.law) - 1)
                yield LoggedTest(question, counted_pairs(joint, seed=seed), of_cells(df, one.n))


NEVER = 0
"""The impossible move."""
NODE, PLACE, TO, EDGE, STREAM, THROW, TURN = range(7)
"""The columns of a move: its node, place, target, edge, the stream and number of its throw, and
whether the turn passes.
"""


class Games(NamedTuple):
    """The games of several lines.

    Attributes:
        moves: the move of each event, line after line, shape (events,).
        many: the number of events of each line, shape (lines,).
        ended: the outcome of each line, shape (lines,); -1 if its events are not a game.
        seats: the seat of the player who ended each game, shape (lines,).
    """

    moves: "Ints"
    many: "Ints"
    ended: "Ints"
    seats: "Ints"


class Codes:
    """Numbers for objects, in the order in which they are met.

    >>> codes = Codes()
    >>> codes.of([b"3 4", b"1 1", b"3 4"]).tolist(), codes.of([b"6 6"]).tolist()
    ([0, 1, 0], [2])

    Attributes:
        all: the number of each object.
    """

    def __init__(self) -> None:
        self.all: dict[Any, int] = {}

    def of(self, things: Sequence[Any]) -> "Ints":
        """The numbers of these objects."""
        import numpy as np

        codes = self.all
        # after the first blocks nothing is new
        try:
            return np.fromiter(map(codes.__getitem__, things), np.int64, len(things))
        except KeyError:
            numbers = [codes.setdefault(thing, len(codes)) for thing in things]
            return np.array(numbers, np.int64)


class LoggedMoves:
    """The numbered moves of a game: the events met, by node.

    An event is parsed when it is met at a node for the first time. Then it is a row of a table, and
    whole blocks of games are stepped through the table with NumPy.

    >>> from sevenout.catalogue import games
    >>> moves = LoggedMoves(Book(games["craps"]))
    >>> games = moves.played([b"3 4", b"4 4; 3 1", b"2 2; 6 6; 1 3"])
    >>> games.many.tolist(), games.ended.tolist()
    ([1, 2, 3], [0, -1, 2])

    Attributes:
        book: the game.
        rolled: the rollables of the game.
        streams: the throws, by dice and by the way in which they are given.
        edges: for each state and roll, the edge as in a tally; empty for a game with choices.
        events: the number of each event's text.
    """

    def __init__(self, book: Book) -> None:
        self.book = book
        self.rolled = book.body.rollables
        self.streams: list[Stream] = []
        sources = [rollable.sources for rollable in self.rolled]
        # of rollables that roll the same dice, the first one
        self._dice = [sources.index(dice) for dice in sources]
        self.edges = list(_edges(book)) if not book.asks else []
        self._stream: dict[tuple[int, bool], int] = {}
        self.forget()

    def forget(self) -> None:
        """Forget the moves; counts stay."""
        self.events = Codes()
        # (event, node) as one number -> the row of its move
        self._learnt: dict[int, int] = {}
        self._texts: list[bytes] = []
        # the first row is `NEVER`
        self._rows = array("q", [-1, -1, -1, 0, -1, -1, 0])
        self._table: Any = None

    def __len__(self) -> int:
        """The number of entries in memory."""
        return len(self._learnt) + len(self.events.all)

    def find(self, nodes: "Ints | int", events: "Ints") -> "Ints":
        """The moves of these events at these nodes."""
        import numpy as np

        n = len(self.book.to)
        keys, places = np.unique(events * n + nodes, return_inverse=True)
        learnt = self._learnt
        moves = [learnt[key] if key in learnt else self._learn(key) for key in keys.tolist()]
        return np.array(moves, np.int64)[places]

    def column(self, column: int, moves: "Ints") -> "Ints":
        """A column of these moves."""
        import numpy as np

        if self._table is None:
            self._table = np.array(self._rows, np.int64).reshape(-1, TURN + 1)
        return self._table[moves, column]  # type: ignore[no-any-return]

    def played(self, lines: Sequence[bytes]) -> Games:
        """The games of these lines, played in parallel roll by roll."""
        import numpy as np

        n = len(self.book.to)
        events = self.events.of(b";".join(lines).split(b";"))
        lengths = np.array([line.count(b";") + 1 for line in lines])
        start = np.cumsum(lengths) - lengths
        moves = np.full(len(events), NEVER)
        node = np.zeros(len(lines), np.int64)
        running, roll = np.arange(len(lines)), 0
        while len(running):
            places = start[running] + roll
            moves[places] = taken = self.find(node[running], events[places])
            node[running] = targets = self.column(TO, taken)
            roll += 1
            # an end with events left is no game
            node[running[(targets >= n) & (roll < lengths[running])]] = -1
            running = running[(targets >= 0) & (targets < n) & (roll < lengths[running])]
        turns = np.add.reduceat(self.column(TURN, moves), start)
        return Games(moves, lengths, np.where(node >= n, node - n, -1), turns % 2)

    def count(self, moves: "Ints") -> "list[tuple[Stream, list[Ints]]]":
        """Count throws; return for each stream the counts of each face by series."""
        import numpy as np

        streams = self.column(STREAM, moves)
        throws = self.column(THROW, moves)
        return [
            (stream, stream.count(throws[streams == k]))
            for k, stream in enumerate(self.streams)
            if np.any(streams == k)
        ]

    def refusal(self, event: bytes) -> str:
        """Why an event is not possible at the first roll."""
        try:
            self.book.place(self.book.first, event.decode(errors="replace"))
        except DataError as error:
            return str(error).removeprefix("event 1 is ")
        raise AssertionError(event)

    def _learn(self, key: int) -> int:
        code, node = divmod(key, len(self.book.to))
        if code >= len(self._texts):
            self._texts = list(self.events.all)
        try:
            event = self._texts[code].decode()
        except UnicodeDecodeError:
            event = ""
        place = self.book.find(node, event)
        if place is None:
            self._learnt[key] = NEVER
            return NEVER
        deciding = self.book.menus[node]
        stream, throw = (-1, -1) if deciding else self._thrown(event, node, place)
        to, turn = self.book.to[node][place], place in self.book.passes.get(node, ())
        edge = self.edges[node][place] if self.edges else 0
        self._rows.extend((node, place, to, edge, stream, throw, turn))
        self._table = None
        self._learnt[key] = len(self._rows) // (TURN + 1) - 1
        return self._learnt[key]

    def _thrown(self, event: str, node: int, place: int) -> tuple[int, int]:
        """The stream of a throw, and its number there."""
        rolled = self.book.rolled[node]
        faces = self.streams[self._stream_of(rolled, read=False)].faces(faces_in(event))
        number = self._stream_of(rolled, read=faces is None)
        return number, self.streams[number].number((place,) if faces is None else faces)

    def _stream_of(self, rolled: int, read: bool) -> int:
        """The stream of a rollable; dice given by their faces have one for all readings."""
        key = (rolled if read else self._dice[rolled]), read
        if key not in self._stream:
            self._stream[key] = len(self.streams)
            several = len(set(self._dice)) > 1
            self.streams.append(Stream(self.rolled[key[0]], read, several))
        return self._stream[key]


def _edges(book: Book) -> Iterator[list[int]]:
    """The edge of each roll in each state, numbered as in a tally."""
    chain = book.body
    assert isinstance(chain, Chain)
    first = 0
    for moves in chain.moves:
        number = {move: i for i, move in enumerate(dict.fromkeys(moves), first)}
        yield [number[move] for move in moves]
        first += len(number)


class GameLog(Log[Book]):
    """A log of games, one per line.

    Attributes:
        rests: the numbers of lines apart from their rolls.
        lines: the lines that were read, by rest and end.
        moves: the moves of the game.
        solution: the distribution; None for a game with choices.
        flow: the number of times each edge was taken.
        absorbed: the number of games by state, number of rolls, and outcome.
        labels: the number of games by label of their end.
    """

    def __post_init__(self) -> None:
        import numpy as np

        super().__post_init__()
        body = self.book.body
        self.rests, self.lines = Codes(), dict[int, ResultLine]()
        self.moves = LoggedMoves(self.book)
        self.flow = np.zeros(1 + max(map(max, self.moves.edges), default=-1), np.int64)
        self.absorbed: Counter[tuple[int, int, int]] = Counter()
        self.labels = {outcome.label: 0 for outcome in self.book.endings}
        self.solution: Solution | None = solve(body) if isinstance(body, Chain) else None

    def forget(self) -> None:
        """Free memory above the limit; counts stay."""
        if len(self.moves) > KNOWN:
            self.moves.forget()
        if len(self.rests.all) + len(self.lines) > KNOWN:
            self.rests = Codes()
            self.lines.clear()

    def count(self, places: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Count non-empty lines."""
        import numpy as np

        self.forget()
        self.rows += len(bodies)
        rolled = "rolls" in self.reader.columns
        rolls, rests = self._split(bodies) if rolled else ((), bodies)
        games = self.moves.played(rolls) if rolled else None
        codes = self.rests.of(rests)
        has_rolls = np.zeros(len(bodies), bool)
        ends_by_label = dict.fromkeys(self.labels, 0)
        for line, rows in self._lines(bodies, codes, games):
            has_rolls[rows] = line.has_rolls
            if line.outcome is not None:
                ends_by_label[line.outcome.label] += len(rows)
            if line.fault is not None:
                self.faults[KINDS[line.fault.kind]] += len(rows)
                words, first = line.fault.words, rows[: self.listed].tolist()
                # only the first few are listed, so a later one would be dropped again
                if self.listed and places[first[0]] < self.last_shown:
                    self.list_first(Disagreement(places[k], words) for k in first)
        if games is not None:
            self._played(games, has_rolls, places[-1])
        for label, count in ends_by_label.items():
            self.labels[label] += count
        self.look("the outcomes", ends_by_label, places[-1])

    def _split(self, bodies: Sequence[bytes]) -> tuple[Sequence[bytes], Sequence[Hashable]]:
        """The rolls of each line, and the rest of it."""
        if self.reader.columns[0] == "rolls" and all(b"," in body for body in bodies):
            rolls, rests = halves(bodies)
            # quoted, or guarded against a spreadsheet: these need the slower reader
            if not {*b"\"'"} & {*b"".join(rolls)}:
                return rolls, rests
        pairs = [self._split_quoted(body) for body in bodies]
        return [rolls for rolls, _ in pairs], [rest for _, rest in pairs]

    def _split_quoted(self, body: bytes) -> tuple[bytes, Hashable]:
        try:
            cells = self.reader.cells(body)
        except DataError:
            return b"", body
        return cells.pop("rolls").encode(), tuple(cells.values())

    def _lines(
        self, bodies: Sequence[bytes], codes: "Ints", games: Games | None
    ) -> "Iterator[tuple[ResultLine, Ints]]":
        """Each distinct line apart from its rolls, with its places."""
        import numpy as np

        end_codes = 2 * len(self.book.outcomes)
        if games is not None:
            # read alone: a line whose rolls are no game, and all lines if counters need each event
            alone = (games.ended < 0) | bool(self.reader.counters)
            codes = np.where(alone, -1, codes * end_codes + 2 * games.ended + games.seats)
        order = np.argsort(codes, kind="stable")
        keys, starts = np.unique(codes[order], return_index=True)
        for key, rows in zip(keys.tolist(), np.split(order, starts[1:]), strict=True):
            if key < 0:
                for i, row in enumerate(rows):
                    yield self.reader.read(bodies[row]), rows[i : i + 1]
                continue
            if key not in self.lines:
                ended = None if games is None else divmod(key % end_codes, 2)
                self.lines[key] = self.reader.read(bodies[rows[0]], ended)
            yield self.lines[key], rows

    def _played(self, games: Games, has_rolls: "Ints", end: int) -> None:
        """Count the throws, edges and ends of games."""
        import numpy as np

        moves = games.moves[np.repeat(has_rolls, games.many)]
        self.thrown(moves, end)
        if self.book.asks:
            return
        self.flow += np.bincount(self.moves.column(EDGE, moves), minlength=len(self.flow))
        # by last move and number of rolls, as one number
        last_moves, lengths = (
            games.moves[np.cumsum(games.many) - 1][has_rolls],
            games.many[has_rolls],
        )
        size = 1 + int(lengths.max(initial=0))
        keys, times = np.unique(last_moves * size + lengths, return_counts=True)
        nodes, outcomes = self.moves.column(NODE, keys // size), self.moves.column(TO, keys // size)
        n = len(self.book.to)
        for node, key, to, count in zip(nodes, keys, outcomes, times, strict=True):
            self.absorbed[int(node), int(key % size), int(to) - n] += int(count)

    def thrown(self, moves: "Ints", end: int) -> None:
        """Count throws and add them to each die's test; `end` is the number of the last line."""
        for stream, counts_by_series in self.moves.count(moves):
            for series, new_counts in zip(stream.series, counts_by_series, strict=True):
                counts = dict(zip(series.faces, map(int, new_counts), strict=True))
                self.watched.look(f"the shares of {series.name}", series.law, counts, end)

    def look(self, name: str, new: Mapping[str, int], end: int) -> None:
        """Add the outcomes of a block to their anytime-valid test."""
        if self.solution is not None and not self.solution.bound:
            self.watched.look(name, self.solution.labels, new, end)

    # --- all lines ------------------------------------------------------------------------------

    def judged(self, seed: int) -> Judged:
        """The tests over all counts, as one family."""
        tests = [test for stream in self.moves.streams for test in stream.tests(seed)]
        p_values: dict[str, float] = {}
        checks: dict[str, Check] = {}
        plans: dict[str, Plan] = {}
        tally, games = self.tally(), sum(self.labels.values())
        if tally is not None and self.solution is not None:
            verdict = confirm(tally, self.solution)
            p_values = dict(
                questions(verdict.outcomes, verdict.wins, verdict.mean_rolls, verdict.fits)
            )
            plans = verdict.plans(rolls_variance(tally, self.solution))
            # the page shows only these of the family
            checks["the mean rolls"] = verdict.mean_rolls
            checks["the outcomes"], checks["the lengths"] = verdict.fits[0], verdict.fits[2]
        elif self.solution is not None and games:
            cells = cells_of(self.labels, self.solution.labels)
            plan = of_cells(len(cells.outcomes) - 1, games)
            tests.append(LoggedTest("the outcomes", _fit(cells, seed), plan))
        left_out = LEFT_OUT if self.book.asks else ""
        return self.joint(games, tests, left_out, p_values=p_values, checks=checks, plans=plans)

    def tally(self) -> Tally | None:
        """The games as a tally; None without rolls, or with decisions."""
        body = self.book.body
        if not self.absorbed or not isinstance(body, Chain):
            return None
        return Tally(body, self.absorbed.total(), tuple(map(int, self.flow)), dict(self.absorbed))


class RollLog(GameLog):
    """A log of rolls alone, from a table or an electronic shaker, one per line.

    They are played through the rules in order; an unfinished last game is not counted. An
    unreadable line ends its game without an outcome.

    Attributes:
        readings: for each rollable of the game, a node that rolls it.
        state: of the game in progress.
        taken: the edges that it took.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        rollables = self.book.body.rollables
        if len({rollable.sources for rollable in rollables}) > 1:
            raise DataError(
                "the game does not roll the same dice throughout; give a log of games, with a "
                "column rolls"
            )
        self.readings = [self.book.rolled.index(k) for k in range(len(rollables))]
        self.state = 0
        self.taken: list[int] = []

    def block(self, first: int, lines: list[bytes]) -> None:
        """Count and play the rolls of a block."""
        import numpy as np

        self.forget()
        events = self.moves.events.of(lines)
        # the same dice may be read differently in different states: each reading has a row
        moves_by_reading = np.array([self.moves.find(node, events) for node in self.readings])
        moves = moves_by_reading[self.book.rolled[self.book.first]]
        wrong = [int(k) for k in np.nonzero((moves_by_reading == NEVER).any(axis=0))[0]]
        blank = [k for k in wrong if not lines[k].strip()]
        faulty = [k for k in wrong if lines[k].strip()]
        self.faults[KINDS[UNREADABLE]] += len(faulty)
        self.list_first(
            Disagreement(first + k, self.moves.refusal(lines[k])) for k in faulty[: self.listed]
        )
        end = first + len(lines) - 1
        self.rows += len(moves) - len(blank)
        self.thrown(np.delete(moves, wrong), end)
        if not self.book.asks:
            places = self.moves.column(PLACE, moves_by_reading)
            places[:, faulty] = -1
            self._play(np.delete(places, blank, axis=1).T.tolist(), end)

    def _play(self, places: list[list[int]], end: int) -> None:
        """Play rolls, by their places in each reading's distribution; one below 0 ends the game."""
        import numpy as np

        before = self.labels
        to, edges, n = self.book.to, self.moves.edges, len(self.book.to)
        rolled = self.book.rolled
        # one after another, since the next game begins where this one ends
        state, taken, finished = self.state, self.taken, list[int]()
        for row in places:
            place = row[rolled[state]]
            if place < 0:
                state = 0
                taken.clear()
                continue
            taken.append(edges[state][place])
            target = to[state][place]
            if target < n:
                state = target
                continue
            self.absorbed[state, len(taken), target - n] += 1
            finished += taken
            state = 0
            taken.clear()
        self.state = state
        self.flow += np.bincount(np.array(finished, np.int64), minlength=len(self.flow))
        self.labels = dict.fromkeys(before, 0)
        for (_, _, k), count in self.absorbed.items():
            self.labels[self.book.outcomes[k].label] += count
        self.look("the outcomes", {k: m - before[k] for k, m in self.labels.items()}, end)


class TurnLog(LineLog[TurnBook]):
    """A log of games of turns with their rolls, one per line.

    Attributes:
        games: the number of games read.
        seen: for each rollable, the number of times that each outcome came.
        new: the same in the present block.
    """

    def __post_init__(self) -> None:
        if "rolls" not in self.results.columns:
            raise DataError(
                "a log of a game of turns has a column rolls, with what was rolled and done: "
                "1 3 3 5 6; keep 3 3; 3 4 4; keep all; chance"
            )
        super().__post_init__()
        self.games = 0
        self.seen: dict[Rollable, Counter[Any]] = {}
        self.new: dict[Rollable, Counter[Any]] = {}

    def count(self, places: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Play non-empty lines."""
        self.new = {}
        super().count(places, bodies)
        for rollable, new in self.new.items():
            self.seen.setdefault(rollable, Counter()).update(new)
            self.watched.look(_question(rollable), rollable.law, new, places[-1])

    def judge(self, place: int, body: bytes) -> None:
        """Play a line, and note its fault."""
        try:
            cells = self.reader.cells(body)
        except DataError as error:
            return self.note(place, LineFault(UNREADABLE, str(error)))
        try:
            outcome, thrown = self.book.played(cells["rolls"])
        except DataError as error:
            return self.note(place, LineFault(ROLLS, str(error)))
        self.games += 1
        for rollable, face in thrown:
            self.new.setdefault(rollable, Counter())[face] += 1
        if (fault := self.reader.fault(cells, outcome)) is not None:
            self.note(place, fault)
        return None

    def judged(self, seed: int) -> Judged:
        """The tests of the dice, as one family."""
        cells = {rollable: cells_of(seen, rollable.law) for rollable, seen in self.seen.items()}
        # dice with a single outcome leave nothing to test
        tests = [
            LoggedTest(_question(dice), _fit(own, seed), of_faces(dice.law, own.n))
            for dice, own in cells.items()
            if len(dice.law) > 1
        ]
        return self.joint(self.games, tests, LEFT_OUT)


def _fit(cells: Cells, seed: int) -> Check:
    """The fit of counts: exact where some are rare and the games few."""
    few = cells.n < FEW and min(cells.expected) < LEAST
    return multinomial_test(cells, seed=seed) if few else chi_square(cells)


@lru_cache(maxsize=64)
def _question(rollable: Rollable) -> str:
    return f"the shares of {rollable}"
