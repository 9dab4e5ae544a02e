"""Random bits as a pure function of a seed, a block and a draw: Philox4x32-10.

The generator maps a 128-bit counter to 128 random bits without any state (Salmon, Moraes, Dror and
Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011).

Draw `d` of block `b` under seed `s` is an endless string of bits. Its bits 128·g to 128·g + 127 are
Philox's words for the counter (g, d mod 2³², b, d div 2³²) under the key (s mod 2³², s div 2³²).
Their order is x₁, x₀, x₃, x₂, each word from its lowest bit up.
"""

from collections.abc import Iterator

M0, M1 = 0xD2511F53, 0xCD9E8D57
"""The multipliers."""
W0, W1 = 0x9E3779B9, 0xBB67AE85
"""The steps of the key: the golden ratio and √3 − 1, times 2³²."""
ROUNDS = 10
WORD = 0xFFFFFFFF
MAX_BLOCKS = 1 << 32

Words = tuple[int, int, int, int]


def philox(counter: Words, key: tuple[int, int]) -> Words:
    """Philox4x32-10: four random 32-bit words for a counter of four and a key of two.

    >>> " ".join(f"{word:08x}" for word in philox((0, 0, 0, 0), (0, 0)))
    '6627e8d5 e169c58d bc57ac4c 9b00dbd8'
    """
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        p0, p1 = M0 * c0, M1 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & WORD, (p0 >> 32) ^ c3 ^ k1, p0 & WORD
        k0, k1 = (k0 + W0) & WORD, (k1 + W1) & WORD
    return c0, c1, c2, c3


def key_of(seed: int) -> tuple[int, int]:
    """The key of a seed: its low and high 32 bits."""
    return seed & WORD, seed >> 32


def words(seed: int, block: int, draw: int) -> Iterator[int]:
    """The endless bits of a draw, 32 at a time.

    >>> from itertools import islice
    >>> [f"{word:08x}" for word in islice(words(seed=0, block=0, draw=0), 2)]
    ['e169c58d', '6627e8d5']
    """
    call = 0
    while True:
        x0, x1, x2, x3 = philox((call, draw & WORD, block, draw >> 32), key_of(seed))
        yield from (x1, x0, x3, x2)
        call += 1


def bits(seed: int, block: int, draw: int) -> Iterator[int]:
    """The endless bits of a draw, one at a time.

    >>> from itertools import islice
    >>> list(islice(bits(seed=0, block=0, draw=0), 8))
    [1, 0, 1, 1, 0, 0, 0, 1]
    """
    for word in words(seed, block, draw):
        for i in range(32):
            yield word >> i & 1
