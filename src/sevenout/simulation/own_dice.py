"""The dice of games too large to explore: each game has rolls of its own.

Game i of batch b makes roll t (from 0) by word t mod 4, in the order of `random_bits.words`, of the
call for the counter (t div 4, i, b, 2³¹) under the key of the seed. Let D be the denominator of the
distribution. If the word w is below the greatest multiple of D that is 2³² or less, then w mod D
draws the roll. Otherwise it is drawn by rejection from numbers of 128·n bits, n the least that
leaves 64 bits to spare. They come from the calls for (t, i + 2²²·j, b, 2³¹ + a), j = 0 to n - 1, a
= 1, 2, ..., highest word first. Explored games use fewer bits (`random_bits`).
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.simulation.random_bits import BATCH_SIZE, WORD, drawn_words, key_of, philox

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int64s = NDArray[np.int64]


OWN_DICE = 1 << 31
"""The last word of the counters, which no draw of `random_bits` reaches: it is draw div 2³²."""
MAX_LISTED = 1 << 12
"""The largest denominator of a distribution drawn from a list, which then fits a cache."""


def fair_limit(bits: int, denominator: int) -> int:
    """The greatest multiple of a denominator that is 2^bits or less; 0 if it is larger itself.

    Numbers of these bits below it are equally often each remainder.

    >>> fair_limit(4, 6)
    12
    """
    return (1 << bits) // denominator * denominator


class DrawTable(NamedTuple):
    """A distribution, ready to be drawn from by whole numbers.

    Attributes:
        ends: the cumulative weights.
        denominator: the last of them.
        fair: words below this are accepted; see `fair_limit`.
        listed: the index of the outcome for each number below the denominator; None if there are
            too many.
    """

    ends: tuple[int, ...]
    denominator: int
    fair: int
    listed: "Int64s | None"

    @classmethod
    def of(cls, weights: Sequence[int]) -> "DrawTable":
        """The distribution of these weights."""
        import numpy as np

        ends = tuple(accumulate(weights))
        few = ends[-1] <= MAX_LISTED
        listed = np.repeat(np.arange(len(weights)), weights) if few else None
        return cls(ends, ends[-1], fair_limit(32, ends[-1]), listed)

    def indices(self, numbers: "Int64s") -> "Int64s":
        """The outcomes drawn by numbers below the denominator, by index."""
        import numpy as np

        if self.listed is not None:
            return self.listed[numbers]
        return np.searchsorted(np.array(self.ends, dtype=np.int64), numbers, side="right")


class OwnDice:
    """The dice of several games of a batch, rolled in step.

    A call of Philox gives four words, so four rolls of a game; they are kept in `_words` meanwhile.

    >>> dice = OwnDice(seed=1, first=7, games=3)
    >>> [dice.roll([DrawTable.of([1, 1, 1])], None).tolist() for _ in range(2)]
    [[1, 0, 1], [2, 1, 1]]

    Attributes:
        seed, batch: of the run, and the number of the batch.
        game_numbers: of the unfinished games, in the batch.
        roll_count: the rolls made.
    """

    def __init__(self, seed: int, first: int, games: int) -> None:
        import numpy as np

        self.seed, self.roll_count = seed, 0
        self.batch, least = divmod(first, BATCH_SIZE)
        self.game_numbers = np.arange(least, least + games)
        self._words = np.zeros((4, games), dtype=np.int64)

    def roll(self, draw_tables: Sequence[DrawTable], table_index: "Int64s | None") -> "Int64s":
        """The roll of each game, as an index into its distribution.

        `table_index` has the index of each game's table; None if there is only one.
        """
        import numpy as np

        from sevenout.simulation import portable_engine

        numbers = self.game_numbers
        if self.roll_count % 4 == 0:
            call = self.roll_count // 4 & WORD
            pairs = portable_engine.philox(call, numbers, self.batch, OWN_DICE, self.seed)
            self._words = portable_engine.split_words(*pairs)
        words = self._words[self.roll_count % 4 ^ 1]
        self.roll_count += 1
        if table_index is None:
            return self._indices(draw_tables[0], words, numbers)
        indices = np.zeros(len(words), dtype=np.int64)
        for index in np.unique(table_index).tolist():
            drawing = table_index == index
            indices[drawing] = self._indices(draw_tables[index], words[drawing], numbers[drawing])
        return indices

    def _indices(self, table: DrawTable, words: "Int64s", numbers: "Int64s") -> "Int64s":
        """The index of the outcome that each game draws with its word."""
        import numpy as np

        # with a denominator beyond 32 bits, no word is accepted
        indices = table.indices(words % table.denominator) if table.fair else words.copy()
        if len(unfair := np.flatnonzero(words >= table.fair)):
            indices[unfair] = [
                redraw_index(table.ends, self.seed, self.batch, game, self.roll_count - 1)
                for game in numbers[unfair].tolist()
            ]
        return indices

    def keep(self, is_kept: Any) -> None:
        """Keep some of the games; the others are finished."""
        self.game_numbers, self._words = self.game_numbers[is_kept], self._words[:, is_kept]


def redraw_index(ends: Sequence[int], seed: int, batch: int, game: int, roll: int) -> int:
    """The roll of a game after a rejected word, as an index into the cumulative weights `ends`."""
    calls = -(-(ends[-1].bit_length() + 64) // 128)
    fair = fair_limit(128 * calls, ends[-1])
    number, again = fair, 0
    while number >= fair:
        number, again = 0, again + 1
        for j in range(calls):
            counter = roll & WORD, game + BATCH_SIZE * j, batch, OWN_DICE + again
            for word in philox(counter, key_of(seed)):
                number = number << 32 | word
    return bisect_right(ends, number % ends[-1])


def own_roll_index(ends: Sequence[int], seed: int, batch: int, game: int, roll: int) -> int:
    """The roll of one game, as an index; `OwnDice` rolls for many.

    >>> [own_roll_index([1, 2, 3], seed=1, batch=0, game=7, roll=t) for t in range(2)]
    [1, 2]
    """
    word = drawn_words((roll // 4 & WORD, game, batch, OWN_DICE), seed)[roll % 4]
    if word < fair_limit(32, ends[-1]):
        return bisect_right(ends, word % ends[-1])
    return redraw_index(ends, seed, batch, game, roll)
