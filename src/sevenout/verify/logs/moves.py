"""The events of a log in blocks: each is parsed once, and the games are played in NumPy."""

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.model import Chain
from sevenout.verify.dicetests.observed_counts import DataError
from sevenout.verify.logs.book import Book, faces_in
from sevenout.verify.logs.streamed import Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]

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


class Moves:
    """The numbered moves of a game: the events met, by node.

    >>> from sevenout.games import catalogue
    >>> moves = Moves(Book(catalogue["craps"]))
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
