"""A log as it is counted: each line played once, blocks of lines added up, the dice watched."""

from array import array
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.chain import Chain
from sevenout.simulate.tally import Tally
from sevenout.verify.book import Book, Move, Told, faces_in
from sevenout.verify.evidence import Watch
from sevenout.verify.lines import Line
from sevenout.verify.streamed import Flat, Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


class Dice:
    """All that was thrown: a stream for each thing that is rolled, and each way of telling it."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.rolled = book.body.rollables
        self.streams: list[Stream] = []
        self.lines = 0
        self._place: dict[tuple[int, bool], int] = {}
        self._known: dict[tuple[int, str], tuple[int, int]] = {}

    def add(self, rolls: str, moves: tuple[Move, ...]) -> None:
        """The throws of the next line."""
        found: list[list[int]] = [[] for _ in self.streams]
        for event, (node, place) in zip(rolls.split(";"), moves, strict=False):
            if self.book.menus[node]:
                continue
            key = self.book.rolled[node], event
            if key not in self._known:
                self._known[key] = self._thrown(event, node, place)
            which, number = self._known[key]
            while len(found) <= which:
                found.append([])
            found[which].append(number)
        for k, stream in enumerate(self.streams):
            stream.add(found[k] if k < len(found) else ())
        self.lines += 1

    def _thrown(self, event: str, node: int, place: int) -> tuple[int, int]:
        """The stream of a throw, and its number there."""
        which = self.book.rolled[node]
        words = faces_in(event)
        faces = self._stream(which, read=False)[1].thrown(words)
        number, stream = self._stream(which, read=faces is None)
        return number, stream.number((place,) if faces is None else faces)

    def _stream(self, which: int, read: bool) -> tuple[int, Stream]:
        key = which, read
        if key not in self._place:
            self._place[key] = len(self.streams)
            stream = Stream(self.rolled[which], read, len(self.rolled) > 1)
            for _ in range(self.lines):
                stream.add([])
            self.streams.append(stream)
        return self._place[key], self.streams[self._place[key]]

    def forget(self) -> None:
        """Forget the lines, and keep what was counted."""
        for stream in self.streams:
            stream.forget()
        self._known.clear()
        self.lines = 0


class Watched:
    """Tests that may be looked at after every block; the family keeps the confidence."""

    def __init__(self, confidence: Fraction) -> None:
        self.confidence = confidence
        self.left = 1 - confidence
        self.watches: dict[str, Watch] = {}
        self.noticed: dict[str, int] = {}

    def look(
        self, name: str, law: Mapping[Any, Fraction], new: Mapping[Any, int], row: int
    ) -> None:
        """Look at what a block added.

        Each test that is begun takes half of the error that is left, so that however many there
        come to be, all together keep the confidence.

        Args:
            name: what is watched.
            law: its law.
            new: the counts of the block.
            row: the last line of the block.
        """
        if not sum(new.values()) or len(law) < 2:
            return
        if name not in self.watches:
            self.left /= 2
            self.watches[name] = Watch.over(law, 1 - self.left)
        watch = self.watches[name] = self.watches[name].look(new)
        if watch.rejected:
            self.noticed.setdefault(name, row)


class Played:
    """The games of a log: edges, ends and labels, counted."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.flows, self.ended, self.settled = Flat(), array("q"), array("q")
        self.ends: dict[tuple[int, int, int], int] = {}
        self.labels = {o.label: 0 for o in book.endings}
        self._label = {label: i for i, label in enumerate(self.labels)}
        self.edges = list(_edges(book)) if not book.asks else []
        self._flow: Any = None
        self._absorbed: Any = None

    def add(self, line: Line) -> None:
        """The game of the next line."""
        edges, end = [], -1
        told = line.told
        if told is not None and not self.book.asks:
            edges = [self.edges[node][place] for node, place in told.moves]
            end = self._end(told)
        self.flows.add(edges)
        self.ended.append(end)
        self.settled.append(-1 if line.outcome is None else self._label[line.outcome.label])

    def _end(self, told: Told) -> int:
        assert told.outcome is not None
        key = told.moves[-1].node, len(told.moves), told.outcome
        return self.ends.setdefault(key, len(self.ends))

    def count(self, lines: "Ints", times: "Ints") -> dict[str, int]:
        """Add up a block of lines; how many games of it ended with each label."""
        import numpy as np

        if self.edges:
            size = 1 + max(map(max, self.edges))
            flow = self.flows.count(lines, times, size)
            self._flow = flow if self._flow is None else self._flow + flow
            ended = np.frombuffer(self.ended, np.int64)[lines]
            some = ended >= 0
            many = np.bincount(ended[some], times[some], len(self.ends)).astype(np.int64)
            if self._absorbed is not None:
                many[: len(self._absorbed)] += self._absorbed
            self._absorbed = many
        settled = np.frombuffer(self.settled, np.int64)[lines]
        some = settled >= 0
        seen = np.bincount(settled[some], times[some], len(self.labels)).astype(np.int64)
        new = dict(zip(self.labels, map(int, seen), strict=True))
        for label, n in new.items():
            self.labels[label] += n
        return new

    def tally(self) -> Tally | None:
        """The games as a tally; None if the log has no rolls, or the game asks."""
        body = self.book.body
        if self._absorbed is None or not self._absorbed.sum() or not isinstance(body, Chain):
            return None
        absorbed = dict(zip(self.ends, map(int, self._absorbed), strict=True))
        absorbed = {key: n for key, n in absorbed.items() if n}
        return Tally(body, sum(absorbed.values()), tuple(map(int, self._flow)), absorbed)

    def forget(self) -> None:
        """Forget the lines, and keep what was counted."""
        self.flows, self.ended, self.settled = Flat(), array("q"), array("q")


def _edges(book: Book) -> Iterator[list[int]]:
    """For each state the edge of each roll, numbered as a tally does."""
    chain = book.body
    assert isinstance(chain, Chain)
    first = 0
    for moves in chain.moves:
        number = {move: i for i, move in enumerate(dict.fromkeys(moves), first)}
        yield [number[move] for move in moves]
        first += len(number)
