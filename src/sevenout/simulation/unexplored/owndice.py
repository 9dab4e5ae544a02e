"""Dice for each game, which depend only on the seed and the game's number.

So games can be played in any order and in any number at once. Unexplored games use them
(`lazy_play`); explored games use fewer bits (`stream`).

Game i of block b makes roll t (from 0) by word t mod 4, in the order of `philox.words`, of the call
for the counter (t div 4, i, b, 2³¹) under the key of the seed. Let D be the denominator of the
distribution. If the word w is below the greatest multiple of D that is 2³² or less, then w mod D
draws the roll. Otherwise it is drawn by rejection from numbers of 128·n bits, n the least that
leaves 64 bits to spare. They come from the calls for (t, i + 2²²·j, b, 2³¹ + a), j = 0 to n - 1,
a = 1, 2, ..., highest word first.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.simulation.backends.philox import WORD, key_of, philox
from sevenout.simulation.backends.stream import BLOCK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

OWN = 1 << 31
"""The last word of the counters."""
LOOKED_UP = 1 << 12
"""The largest denominator of a distribution drawn from a list."""


class Weights(NamedTuple):
    """A distribution, as drawn.

    Attributes:
        ends: the cumulative weights.
        denominator: the last of them.
        fair: words below this are accepted.
        places: the place for each number below the denominator; None if there are too many.
    """

    ends: tuple[int, ...]
    denominator: int
    fair: int
    places: "Ints | None"

    @classmethod
    def of(cls, weights: Sequence[int]) -> "Weights":
        """The distribution of these weights."""
        import numpy as np

        ends = tuple(accumulate(weights))
        few = ends[-1] <= LOOKED_UP
        places = np.repeat(np.arange(len(weights)), weights) if few else None
        return cls(ends, ends[-1], (1 << 32) // ends[-1] * ends[-1], places)

    def at(self, numbers: "Ints") -> "Ints":
        """The places for numbers below the denominator."""
        import numpy as np

        if self.places is not None:
            return self.places[numbers]
        return np.searchsorted(np.array(self.ends, dtype=np.int64), numbers, side="right")


class OwnDice:
    """The dice of several games of a block, rolled in step.

    >>> dice = OwnDice(seed=1, first=7, games=3)
    >>> [dice.roll([Weights.of([1, 1, 1])], None).tolist() for _ in range(2)]
    [[1, 0, 1], [2, 1, 1]]

    Attributes:
        rolls: the number made.
    """

    def __init__(self, seed: int, first: int, games: int) -> None:
        import numpy as np

        self.seed, self.rolls = seed, 0
        self.block, least = divmod(first, BLOCK)
        self.games = np.arange(least, least + games)
        self._words = np.zeros((4, games), dtype=np.int64)

    def roll(self, laws: Sequence[Weights], which: "Ints | None") -> "Ints":
        """The roll of each game, as a place in its distribution.

        `which` may be None if there is only one distribution.
        """
        import numpy as np

        from sevenout.simulation.backends.portable import apart
        from sevenout.simulation.backends.portable import philox as in_arrays

        if self.rolls % 4 == 0:
            self._words = apart(
                *in_arrays(self.rolls // 4 & WORD, self.games, self.block, OWN, self.seed)
            )
        words = self._words[self.rolls % 4 ^ 1]
        self.rolls += 1
        if which is None:
            return self._drawn(laws[0], words, self.games)
        places = np.zeros(len(words), dtype=np.int64)
        for law in np.unique(which).tolist():
            its = which == law
            places[its] = self._drawn(laws[law], words[its], self.games[its])
        return places

    def _drawn(self, law: Weights, words: "Ints", games: "Ints") -> "Ints":
        import numpy as np

        if not law.fair:
            return np.array([self._redrawn(law, i) for i in games.tolist()], dtype=np.int64)
        places = law.at(words % law.denominator)
        if len(unfair := np.flatnonzero(words >= law.fair)):
            places[unfair] = [self._redrawn(law, i) for i in games[unfair].tolist()]
        return places

    def _redrawn(self, law: Weights, game: int) -> int:
        return redrawn(law.ends, self.seed, self.block, game, self.rolls - 1)

    def keep(self, some: Any) -> None:
        """Keep some of the games."""
        self.games, self._words = self.games[some], self._words[:, some]


def redrawn(ends: Sequence[int], seed: int, block: int, game: int, roll: int) -> int:
    """The roll of a game after a rejected word, as a place in the distribution of these sums."""
    calls = -(-(ends[-1].bit_length() + 64) // 128)
    fair = (1 << 128 * calls) // ends[-1] * ends[-1]
    number, again = fair, 0
    while number >= fair:
        number, again = 0, again + 1
        for j in range(calls):
            counter = roll & WORD, game + BLOCK * j, block, OWN + again
            for word in philox(counter, key_of(seed)):
                number = number << 32 | word
    return bisect_right(ends, number % ends[-1])


def rolled(ends: Sequence[int], seed: int, block: int, game: int, roll: int) -> int:
    """The roll of one game, as `OwnDice` does for many.

    >>> [rolled([1, 2, 3], seed=1, block=0, game=7, roll=t) for t in range(2)]
    [1, 2]
    """
    word = philox((roll // 4 & WORD, game, block, OWN), key_of(seed))[roll % 4 ^ 1]
    if word < (1 << 32) // ends[-1] * ends[-1]:
        return bisect_right(ends, word % ends[-1])
    return redrawn(ends, seed, block, game, roll)
