"""The dice of evenings: the same for every player.

Each evening has dice of its own. Call c of evening e takes Philox's four words for the counter (c,
e mod 2³², e div 2³², a) under the key of the seed, a = 0 at first; a word below 71·36⁵ is five
rolls, its digits to the base of 36 from the lowest up, and the digit d is the faces 1 + d div 6 and
1 + d mod 6. If one of the four words is not below, all four are drawn again with the next a. So a
call is twenty fair rolls, and the dice of an evening are the same every player.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sevenout.simulate.backends import portable
from sevenout.simulate.backends.philox import WORD, key_of, philox

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

FAIR = 71 * 36**5
"""A word below this is five rolls."""
IN_WORD, IN_CALL = 5, 20
FACES = tuple((1 + d // 6, 1 + d % 6) for d in range(36))
"""What the dice show, by digit."""


def dice_of(evening: int, seed: int) -> Iterator[tuple[int, int]]:
    """The rolls of one evening, for ever, in plain Python: what the engines play.

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
    """The four words of a call of each of many evenings."""
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
