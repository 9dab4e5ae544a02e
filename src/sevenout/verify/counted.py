"""A log as it is counted: the dice watched, the games added up by edges, ends and labels."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.chain import Chain
from sevenout.simulate.tally import Tally
from sevenout.verify.book import Book
from sevenout.verify.evidence import Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


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

    def __init__(self, book: Book, edges: int) -> None:
        import numpy as np

        self.book = book
        self.flow = np.zeros(edges, np.int64)
        self.absorbed: dict[tuple[int, int, int], int] = {}
        self.labels = {outcome.label: 0 for outcome in book.endings}

    def end(self, state: int, rolls: int, outcome: int, times: int = 1) -> None:
        """Games that ended alike."""
        key = state, rolls, outcome
        self.absorbed[key] = self.absorbed.get(key, 0) + times

    def tally(self) -> Tally | None:
        """The games as a tally; None if the log has no rolls, or the game asks."""
        body = self.book.body
        if not self.absorbed or not isinstance(body, Chain):
            return None
        games = sum(self.absorbed.values())
        return Tally(body, games, tuple(map(int, self.flow)), self.absorbed)
