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
from sevenout.verify.counts import LEAST, Cells, Check, DataError, compare, family_of
from sevenout.verify.evidence import Watched
from sevenout.verify.goodness_of_fit import chi_square, multinomial_test
from sevenout.verify.independence import counted_pairs, in_order
from sevenout.verify.planning import Detectable, Plan, missed, of_cells, of_faces, of_runs
from sevenout.verify.records import KNOWN, Book, TurnBook, faces_in, faces_text
from sevenout.verify.result_files import (
    KINDS,
    MISSING,
    ORDER,
    ROLLS,
    UNREADABLE,
    LineFault,
    Meter,
    Reader,
    ResultLine,
    Results,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


B = TypeVar("B", "Book", "TurnBook")

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

    def __init__(
        self,
        book: B,
        results: Results,
        sure: Fraction,
        listed: int,
        meters: Mapping[str, Meter] = Frozen({}),
    ) -> None:
        self.book: B = book
        self.results, self.listed = results, listed
        columns = results.columns[1:] if results.numbered else results.columns
        self.reader = Reader(book, columns, meters)
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
        for number, (text, line) in enumerate(zip(names, lines, strict=True), first):
            name = text.strip(QUOTES)
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


class Series:
    """The faces of one die, or a reading of several.

    Attributes:
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
        return compare(dict(zip(self.faces, map(int, self.counts), strict=True)), self.law)

    def checks(self, seed: int) -> Iterator[tuple[str, Check]]:
        """The tests of fit and of independence in order."""
        cells = self.cells
        few = min(cells.expected) < 5
        fit = multinomial_test(cells, seed=seed) if few else chi_square(cells)
        yield f"the shares of {self.name}", fit
        k = len(self.faces)
        joint = {divmod(pair, k): int(n) for pair, n in enumerate(self.pairs)}
        for check in in_order(dict(enumerate(map(int, self.counts))), joint, seed):
            yield f"the {check.name} of {self.name}", check

    def plans(self) -> Iterator[tuple[str, Plan]]:
        """How to find the least detectable fault of each test."""
        yield f"the shares of {self.name}", of_faces(self.law, self.n)
        yield f"the runs of {self.name}", of_runs(self.law, self.n)
        yield f"the serial pairs of {self.name}", of_cells((len(self.law) - 1) ** 2, self.n)


class Stream:
    """All throws of the same dice, given in the same way: by faces, or by a reading."""

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
        self.series = [Series(*each) for each in sources]
        self.texts = [{faces_text(face): i for i, face in enumerate(s.faces)} for s in self.series]
        self.throws: dict[tuple[int, ...], int] = {}
        self.seen: Any = None
        self.last: Any = None

    def thrown(self, words: str) -> tuple[int, ...] | None:
        """The number of each series' face in a text; None if there is none."""
        parts = words.split(" ") if len(self.series) > 1 else [words]
        if len(parts) != len(self.series):
            return None
        found = [texts.get(part, -1) for part, texts in zip(parts, self.texts, strict=True)]
        return None if -1 in found else tuple(found)

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
        row = throws if self.last is None else np.append(self.last, throws)
        self.last = row[-1:]
        faces = np.array([*self.throws], np.int64).reshape(-1, len(self.series))
        added = []
        for series, came in zip(self.series, faces.T, strict=True):
            k = len(series.faces)
            said = came[row]
            added.append(np.bincount(said[len(row) - len(throws) :], minlength=k))
            series.counts += added[-1]
            series.pairs += np.bincount(said[:-1] * k + said[1:], minlength=k * k)
        return added

    def plans(self) -> Iterator[tuple[str, Plan]]:
        """How to find the least detectable fault of each test."""
        for i, one in enumerate(self.series if self.seen is not None else ()):
            yield from one.plans()
            for other in self.series[:i]:
                df = (len(one.law) - 1) * (len(other.law) - 1)
                yield f"the independence of {other.name} and {one.name}", of_cells(df, one.n)

    def checks(self, seed: int) -> Iterator[tuple[str, Check]]:
        """The tests of each die, and of each pair thrown together."""
        for series in self.series:
            if series.n:
                yield from series.checks(seed)
        if len(self.series) > 1 and self.seen is not None and self.seen.sum() > 1:
            for i, one in enumerate(self.series):
                for j, other in enumerate(self.series[:i]):
                    joint: dict[tuple[int, int], int] = {}
                    for faces, times in sorted(zip(self.throws, self.seen, strict=True)):
                        key = faces[j], faces[i]
                        joint[key] = joint.get(key, 0) + int(times)
                    yield (
                        f"the independence of {other.name} and {one.name}",
                        counted_pairs(joint, seed=seed),
                    )


NEVER = 0
"""The impossible move."""
NODE, PLACE, TO, EDGE, STREAM, THROW, TURN = range(7)
"""The columns of a move: its node, place, target, edge, the stream and number of its throw, and
whether the turn passes.
"""


class Games(NamedTuple):
    """The games of several lines.

    Attributes:
        moves: of all lines in sequence.
        many: the number of events of each line.
        ended: the outcome of each line; -1 if its events are not a game.
        seats: of the player who ended each.
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
    """

    def __init__(self) -> None:
        self.all: dict[Any, int] = {}

    def of(self, things: Sequence[Any]) -> "Ints":
        """The numbers of these objects."""
        import numpy as np

        known = self.all
        try:
            return np.fromiter(map(known.__getitem__, things), np.int64, len(things))
        except KeyError:
            numbers = [known.setdefault(thing, len(known)) for thing in things]
            return np.array(numbers, np.int64)


class LoggedMoves:
    """The numbered moves of a game: the events met, by node.

    >>> from sevenout.catalogue import games
    >>> moves = LoggedMoves(Book(games["craps"]))
    >>> games = moves.played([b"3 4", b"4 4; 3 1", b"2 2; 6 6; 1 3"])
    >>> games.many.tolist(), games.ended.tolist()
    ([1, 2, 3], [0, -1, 2])
    """

    def __init__(self, book: Book) -> None:
        self.book = book
        self.rolled = book.body.rollables
        self.streams: list[Stream] = []
        sources = [rollable.sources for rollable in self.rolled]
        self._dice = [sources.index(each) for each in sources]
        self.edges = list(_edges(book)) if not book.asks else []
        self._stream: dict[tuple[int, bool], int] = {}
        self.forget()

    def forget(self) -> None:
        """Forget the moves; counts stay."""
        self.events = Codes()
        self._known: dict[int, int] = {}
        self._texts: list[bytes] = []
        self._rows = array("q", [-1, -1, -1, 0, -1, -1, 0])
        self._table: Any = None

    def __len__(self) -> int:
        """The number of entries in memory."""
        return len(self._known) + len(self.events.all)

    def at(self, nodes: "Ints | int", events: "Ints") -> "Ints":
        """The moves of these events at these nodes."""
        import numpy as np

        n = len(self.book.to)
        keys, places = np.unique(events * n + nodes, return_inverse=True)
        known = self._known
        found = [known[key] if key in known else self._learn(key) for key in keys.tolist()]
        return np.array(found, np.int64)[places]

    def what(self, column: int, moves: "Ints") -> "Ints":
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
        many = np.array([line.count(b";") + 1 for line in lines])
        start = np.cumsum(many) - many
        moves = np.full(len(events), NEVER)
        node = np.zeros(len(lines), np.int64)
        on, roll = np.arange(len(lines)), 0
        while len(on):
            there = start[on] + roll
            moves[there] = done = self.at(node[on], events[there])
            node[on] = then = self.what(TO, done)
            roll += 1
            node[on[(then >= n) & (roll < many[on])]] = -1
            on = on[(then >= 0) & (then < n) & (roll < many[on])]
        turns = np.add.reduceat(self.what(TURN, moves), start)
        return Games(moves, many, np.where(node >= n, node - n, -1), turns % 2)

    def count(self, moves: "Ints") -> "list[tuple[Stream, list[Ints]]]":
        """Count throws; return for each stream the counts of each face by series."""
        import numpy as np

        streams = self.what(STREAM, moves)
        throws = self.what(THROW, moves)
        return [
            (stream, stream.count(throws[streams == k]))
            for k, stream in enumerate(self.streams)
            if np.any(streams == k)
        ]

    def why(self, event: bytes) -> str:
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
            self._known[key] = NEVER
            return NEVER
        asked = self.book.menus[node]
        stream, throw = (-1, -1) if asked else self._thrown(event, node, place)
        to, turn = self.book.to[node][place], place in self.book.passes.get(node, ())
        edge = self.edges[node][place] if self.edges else 0
        self._rows.extend((node, place, to, edge, stream, throw, turn))
        self._table = None
        self._known[key] = len(self._rows) // (TURN + 1) - 1
        return self._known[key]

    def _thrown(self, event: str, node: int, place: int) -> tuple[int, int]:
        """The stream of a throw, and its number there."""
        which = self.book.rolled[node]
        faces = self.streams[self._in(which, read=False)].thrown(faces_in(event))
        number = self._in(which, read=faces is None)
        return number, self.streams[number].number((place,) if faces is None else faces)

    def _in(self, which: int, read: bool) -> int:
        """The stream of a rollable; dice given by their faces have one for all readings."""
        key = (which if read else self._dice[which]), read
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
        flow: the number of times each edge was taken.
        absorbed: the number of games by state, number of rolls, and outcome.
        labels: the number of games by label of their end.
    """

    def __init__(
        self,
        book: Book,
        results: Results,
        sure: Fraction,
        listed: int,
        meters: Mapping[str, Meter] = Frozen({}),
    ) -> None:
        import numpy as np

        super().__init__(book, results, sure, listed, meters)
        self.rests, self.lines = Codes(), dict[int, ResultLine]()
        self.moves = LoggedMoves(book)
        self.flow = np.zeros(1 + max(map(max, self.moves.edges), default=-1), np.int64)
        self.absorbed: Counter[tuple[int, int, int]] = Counter()
        self.labels = {outcome.label: 0 for outcome in book.endings}
        body = book.body
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
        told = np.zeros(len(bodies), bool)
        came = dict.fromkeys(self.labels, 0)
        for line, at in self._lines(bodies, codes, games):
            told[at] = line.told
            if line.outcome is not None:
                came[line.outcome.label] += len(at)
            if line.fault is not None:
                self.faults[KINDS[line.fault.kind]] += len(at)
                words, some = line.fault.words, at[: self.listed].tolist()
                if self.listed and places[some[0]] < self.last_shown:
                    self.list_first(Disagreement(places[k], words) for k in some)
        if games is not None:
            self._played(games, told, places[-1])
        for label, many in came.items():
            self.labels[label] += many
        self.look("the outcomes", came, places[-1])

    def _split(self, bodies: Sequence[bytes]) -> tuple[Sequence[bytes], Sequence[Hashable]]:
        """The rolls of each line, and the rest of it."""
        if self.reader.columns[0] == "rolls" and all(b"," in body for body in bodies):
            rolls, rests = halves(bodies)
            if not {*b"\"'"} & {*b"".join(rolls)}:  # quoted, or guarded against a spreadsheet
                return rolls, rests
        pairs = [self._apart(body) for body in bodies]
        return [rolls for rolls, _ in pairs], [rest for _, rest in pairs]

    def _apart(self, body: bytes) -> tuple[bytes, Hashable]:
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

        ends = 2 * len(self.book.outcomes)
        if games is not None:
            alone = (games.ended < 0) | bool(self.reader.counters)  # counters need every event
            codes = np.where(alone, -1, codes * ends + 2 * games.ended + games.seats)
        keys, begin = np.unique(codes[order := np.argsort(codes, kind="stable")], return_index=True)
        for key, at in zip(keys.tolist(), np.split(order, begin[1:]), strict=True):
            if key < 0:
                yield from ((self.reader.read(bodies[k]), at[i : i + 1]) for i, k in enumerate(at))
                continue
            if key not in self.lines:
                ended = None if games is None else divmod(key % ends, 2)
                self.lines[key] = self.reader.read(bodies[at[0]], ended)
            yield self.lines[key], at

    def _played(self, games: Games, told: "Ints", end: int) -> None:
        """Count the throws, edges and ends of games."""
        import numpy as np

        moves = games.moves[np.repeat(told, games.many)]
        self.thrown(moves, end)
        if self.book.asks:
            return
        self.flow += np.bincount(self.moves.what(EDGE, moves), minlength=len(self.flow))
        last, many = games.moves[np.cumsum(games.many) - 1][told], games.many[told]
        size = 1 + int(many.max(initial=0))
        keys, times = np.unique(last * size + many, return_counts=True)
        nodes, outcomes = self.moves.what(NODE, keys // size), self.moves.what(TO, keys // size)
        n = len(self.book.to)
        for node, key, to, some in zip(nodes, keys, outcomes, times, strict=True):
            self.absorbed[int(node), int(key % size), int(to) - n] += int(some)

    def thrown(self, moves: "Ints", end: int) -> None:
        """Count throws and add them to each die's test; `end` is the number of the last line."""
        for stream, news in self.moves.count(moves):
            for series, new in zip(stream.series, news, strict=True):
                counts = dict(zip(series.faces, map(int, new), strict=True))
                self.watched.look(f"the shares of {series.name}", series.law, counts, end)

    def look(self, name: str, new: Mapping[str, int], end: int) -> None:
        """Add the outcomes of a block to their anytime-valid test."""
        if self.solution is not None and not self.solution.bound:
            self.watched.look(name, self.solution.labels, new, end)

    # --- all lines ------------------------------------------------------------------------------

    def judged(self, seed: int) -> Judged:
        """The tests over all counts, as one family."""
        checks: dict[str, Check] = {}
        plans: dict[str, Plan] = {}
        for stream in self.moves.streams:
            checks |= dict(stream.checks(seed))
            plans |= dict(stream.plans())
        asked = {question: check.p_value for question, check in checks.items()}
        tally, labels, left_out = self.tally(), self.labels, ""
        games: int = sum(labels.values())
        if self.book.asks:
            left_out = LEFT_OUT
        elif tally is not None and self.solution is not None:
            found = confirm(tally, self.solution)
            asked |= dict(questions(found.outcomes, found.wins, found.mean_rolls, found.fits))
            plans |= found.plans(rolls_variance(tally, self.solution))
            checks["the mean rolls"] = found.mean_rolls
            checks["the outcomes"], checks["the lengths"] = found.fits[0], found.fits[2]
        elif self.solution is not None and games:
            cells = compare(labels, self.solution.labels)
            few = cells.n < FEW and min(cells.expected) < LEAST
            check = multinomial_test(cells, seed=seed) if few else chi_square(cells)
            checks["the outcomes"] = check
            plans["the outcomes"] = of_cells(len(cells.outcomes) - 1, games)
            asked["the outcomes"] = check.p_value
        return Judged(games, family_of(asked), checks, left_out, missed(plans, asked, self.level))

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
    """

    def __init__(
        self,
        book: Book,
        results: Results,
        sure: Fraction,
        listed: int,
        meters: Mapping[str, Meter] = Frozen({}),
    ) -> None:
        super().__init__(book, results, sure, listed, meters)
        if len({rollable.sources for rollable in book.body.rollables}) > 1:
            raise DataError(
                "the game does not roll the same dice throughout; give a log of games, with a "
                "column rolls"
            )
        self.readings = [book.rolled.index(k) for k in range(len(book.body.rollables))]
        self.state = 0
        self.taken: list[int] = []

    def block(self, first: int, lines: list[bytes]) -> None:
        """Count and play the rolls of a block."""
        import numpy as np

        self.forget()
        events = self.moves.events.of(lines)
        read = np.array([self.moves.at(node, events) for node in self.readings])
        moves = read[self.book.rolled[self.book.first]]
        wrong = [int(k) for k in np.nonzero((read == NEVER).any(axis=0))[0]]
        blank = [k for k in wrong if not lines[k].strip()]
        faulty = [k for k in wrong if lines[k].strip()]
        self.faults[KINDS[UNREADABLE]] += len(faulty)
        self.list_first(
            Disagreement(first + k, self.moves.why(lines[k])) for k in faulty[: self.listed]
        )
        end = first + len(lines) - 1
        self.rows += len(moves) - len(blank)
        self.thrown(np.delete(moves, wrong), end)
        if not self.book.asks:
            places = self.moves.what(PLACE, read)
            places[:, faulty] = -1
            self._play(np.delete(places, blank, axis=1).T.tolist(), end)

    def _play(self, places: list[list[int]], end: int) -> None:
        """Play rolls, by their places in each reading's distribution; one below 0 ends the game."""
        import numpy as np

        before = self.labels
        to, edges, n = self.book.to, self.moves.edges, len(self.book.to)
        rolled = self.book.rolled
        state, taken, done = self.state, self.taken, list[int]()
        for row in places:
            place = row[rolled[state]]
            if place < 0:
                state = 0
                taken.clear()
                continue
            taken.append(edges[state][place])
            then = to[state][place]
            if then < n:
                state = then
                continue
            self.absorbed[state, len(taken), then - n] += 1
            done += taken
            state = 0
            taken.clear()
        self.state = state
        self.flow += np.bincount(np.array(done, np.int64), minlength=len(self.flow))
        self.labels = dict.fromkeys(before, 0)
        for (_, _, k), many in self.absorbed.items():
            self.labels[self.book.outcomes[k].label] += many
        self.look("the outcomes", {k: m - before[k] for k, m in self.labels.items()}, end)


class TurnLog(Log[TurnBook]):
    """A log of games of turns with their rolls, one per line."""

    def __init__(self, book: TurnBook, results: Results, sure: Fraction, listed: int) -> None:
        if "rolls" not in results.columns:
            raise DataError(
                "a log of a game of turns has a column rolls, with what was rolled and done: "
                "1 3 3 5 6; keep 3 3; 3 4 4; keep all; chance"
            )
        super().__init__(book, results, sure, listed)
        self.games = 0
        self.seen: dict[Rollable, Counter[Any]] = {}

    def count(self, places: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Play non-empty lines."""
        self.rows += len(bodies)
        block: dict[Rollable, Counter[Any]] = {}
        for place, body in zip(places, bodies, strict=True):
            fault = self._line(body, block)
            if fault is not None:
                self.faults[KINDS[fault.kind]] += 1
                if self.listed and place < self.last_shown:
                    self.list_first([Disagreement(place, fault.words)])
        for rollable, new in block.items():
            self.seen.setdefault(rollable, Counter()).update(new)
            self.watched.look(_question(rollable), rollable.law, new, places[-1])

    def _line(self, body: bytes, block: dict[Rollable, Counter[Any]]) -> LineFault | None:
        try:
            cells = self.reader.cells(body)
        except DataError as error:
            return LineFault(UNREADABLE, str(error))
        try:
            outcome, thrown = self.book.played(cells["rolls"])
        except DataError as error:
            return LineFault(ROLLS, str(error))
        self.games += 1
        for rollable, face in thrown:
            block.setdefault(rollable, Counter())[face] += 1
        return self.reader.fault(cells, outcome)

    def judged(self, seed: int) -> Judged:
        """The tests of the dice, as one family."""
        checks: dict[str, Check] = {}
        plans: dict[str, Plan] = {}
        for rollable, seen in self.seen.items():
            if len(rollable.law) > 1:
                cells = compare(seen, rollable.law)
                few = cells.n < FEW and min(cells.expected) < LEAST
                check = multinomial_test(cells, seed=seed) if few else chi_square(cells)
                checks[_question(rollable)] = check
                plans[_question(rollable)] = of_faces(rollable.law, cells.n)
        asked = {question: check.p_value for question, check in checks.items()}
        least = missed(plans, asked, self.level)
        return Judged(self.games, family_of(asked), checks, LEFT_OUT, least)


@lru_cache(maxsize=64)
def _question(rollable: Rollable) -> str:
    return f"the shares of {rollable}"
