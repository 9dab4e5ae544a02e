"""The dice of evenings: the same for whoever plays one.

Each evening has dice of its own. Call c of evening e takes Philox's four words for the counter
(c, e mod 2³², e div 2³², a) under the key of the seed, a = 0 at first; a word below 71·36⁵ is five
rolls, its digits to the base of 36 from the lowest up, and the digit d is the faces 1 + d div 6 and
1 + d mod 6. If one of the four words is not below, all four are drawn anew with the next a. So a
call is twenty fair rolls, and the dice of an evening are the same whoever plays it.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sevenout.simulate.philox import M0, M1, ROUNDS, W0, W1, WORD, key_of, philox

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
        drawn = _philox(call, evenings[wanted], again, key_of(seed))
        words[:, wanted] = drawn
        wanted = wanted[(drawn >= FAIR).any(axis=0)]
        again += 1
    return words


def _philox(call: int, evenings: "Ints", again: int, key: tuple[int, int]) -> "Ints":
    """Philox4x32-10 for many counters.

    >>> import numpy as np
    >>> [f"{int(word):08x}" for word in _philox(0, np.array([0]), 0, (0, 0))[:, 0]]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    import numpy as np

    u = np.uint64
    low, half = u(WORD), u(32)
    c0 = np.full(len(evenings), call, dtype=u)
    c1, c2 = evenings.astype(u) & low, evenings.astype(u) >> half
    c3 = np.full(len(evenings), again, dtype=u)
    k0, k1 = key
    for _ in range(ROUNDS):
        p0, p1 = c0 * u(M0), c2 * u(M1)
        c0, c1, c2, c3 = (p1 >> half) ^ c1 ^ u(k0), p1 & low, (p0 >> half) ^ c3 ^ u(k1), p0 & low
        k0, k1 = (k0 + W0) & WORD, (k1 + W1) & WORD
    return np.stack([c0, c1, c2, c3]).astype(np.int64)
