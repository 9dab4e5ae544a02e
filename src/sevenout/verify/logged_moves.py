"""The moves and throws of a log, numbered as they are met, and counted.

Each distinct event is parsed once at each node, and is then a row of a table. NumPy steps all games
of a chunk together through the table, roll by roll. The counts are of each die, of each pair in a
throw, and of each successive pair, also across lines.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.model import Chain
from sevenout.rolling import Law, Rollable
from sevenout.rolling.throw import rolled_name
from sevenout.verify.counts import MIN_EXPECTED, Cells, Check, DataError, cells_of
from sevenout.verify.planning import Plan, cells_plan, faces_plan, runs_plan
from sevenout.verify.records import Book, faces_in, faces_text
from sevenout.verify.significance_tests import (
    chi_square,
    multinomial_test,
    order_tests,
    pairs_test_of_counts,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


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
