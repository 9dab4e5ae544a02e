"""The dice of evenings, the same for every strategy.

Call c of evening e takes Philox's four words for the counter (c, e mod 2³², e div 2³², a) under the
key of the seed, with a = 0. A word below 71·36⁵ is five rolls: its digits to the base 36, lowest
first; digit d is the faces 1 + d div 6 and 1 + d mod 6. If any of the four words is not below, all
four are drawn again with the next a. A call is thus twenty fair rolls.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sevenout.simulation.backends import portable
from sevenout.simulation.backends.random_bits import WORD, key_of, philox

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

FAIR = 71 * 36**5
"""A word below this is five rolls."""
IN_WORD, IN_CALL = 5, 20
FACES = tuple((1 + d // 6, 1 + d % 6) for d in range(36))
"""The faces of each digit."""


def dice_of(evening: int, seed: int) -> Iterator[tuple[int, int]]:
    """The endless rolls of one evening, in plain Python.

    >>> from itertools import islice
    >>> list(islice(dice_of(0, seed=1), 3))
    [(3, 5), (6, 3), (5, 3)]

    Args:
        evening: its number, from 0.
        seed: of the run.
    """
    call = 0
    while True:
        again = 0
        while True:
            counter = call, evening & WORD, evening >> 32, again
            words = philox(counter, key_of(seed))
            if max(words) < FAIR:
                break
            again += 1
        for word in words:
            yield from (FACES[word // 36**place % 36] for place in range(IN_WORD))
        call += 1


def words_of(evenings: "Ints", call: int, seed: int) -> "Ints":
    """The four words of a call, for many evenings."""
    import numpy as np

    words = np.zeros((4, len(evenings)), dtype=np.int64)
    wanted = np.arange(len(evenings))
    again = 0
    while len(wanted):
        low, high = evenings[wanted] & WORD, evenings[wanted] >> 32
        drawn = portable.apart(*portable.philox(call, low, high, again, seed))
        words[:, wanted] = drawn
        wanted = wanted[(drawn >= FAIR).any(axis=0)]
        again += 1
    return words
