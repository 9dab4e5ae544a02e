"""Random bits as a pure function of a seed, a batch and a draw, and how they choose rolls.

The generator, Philox4x32-10, maps a 128-bit counter to 128 random bits without any state (Salmon,
Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011).

Draw `d` of batch `b` under seed `s` is an endless string of bits. Its bits 128·g to 128·g + 127 are
Philox's words for the counter (g, d mod 2³², b, d div 2³²) under the key (s mod 2³², s div 2³²).
Their order is x₁, x₀, x₃, x₂, each word from its lowest bit up.

Which bit belongs to which game: the games of a batch are rolled in step, so all unfinished games
roll once, then again, and so on.

States with the same tree form *parties*. In the chain's order each state joins the last party of
its tree, or opens another if that one has `CROWD` states. Before each roll the games form a line by
party (in order of opening), then by state, then by arrival. At each roll:

1. Take the states of a party that have `FEW` games or more. If they have `COHORT` games or more in
   all, they toss their tree's coins together. Each node of the tree, in order, takes the next draw
   of the batch (also if no game visits it). The i-th game at a node, in line, follows the i-th bit
   of its draw. Refused games stay in their states. After all parties, each that can still toss
   together does so again.
2. The other games, in line, are lone. The j-th lone game takes bits 32·j to 32·j + 31 of the next
   draw, and if it needs more, the same bits of the following draws. A refused game restarts at the
   root with its next bit. The roll takes as many draws as its longest lone game.

Games that reach a slot arrive in the order of their nodes, and those of an earlier turn first. The
result does not depend on the engine or on the number of games played at once.

Exact choices from fair bits, by a tree of coins: for outcomes of integer weights w with total D,
take k with 2ᵏ >= D and f = 2ᵏ div D. Outcome i owns f·wᵢ of the 2ᵏ strings of k bits; the others
are refused and restart. The binary digits of f·wᵢ are the depths of the leaves of outcome i. A
choice takes at most two bits more than the entropy of the weights, before refusals (Knuth and Yao,
"The complexity of nonuniform random number generation", 1976; Saad, Freer, Rinard and Mansinghka,
"The fast loaded dice roller", 2020).

k minimizes the bits per choice, with `NODE_COST` for each node.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import gcd
from typing import Final

M0, M1 = 0xD2511F53, 0xCD9E8D57
"""The multipliers."""
W0, W1 = 0x9E3779B9, 0xBB67AE85
"""The steps of the key: the golden ratio and √3 − 1, times 2³²."""
ROUNDS = 10
WORD = 0xFFFFFFFF
MAX_BATCHES = 1 << 32
"""A batch's number is one word of the counter."""
BATCH_SIZE: Final = 1 << 22
"""Games in a batch; the last batch of a run may have fewer."""
COHORT: Final = 256
"""A party with this many games tosses its coins together."""
FEW: Final = 16
"""A state with fewer games does not toss with its party."""
CROWD: Final = 64
"""The most states of a party."""
MAX_GAMES: Final = BATCH_SIZE << 32
"""The most games that batch numbers allow."""
SPARE_DEPTHS = 10
"""The most depths beyond the least possible k."""
NODE_COST = 0.02
"""The cost of a node for a cohort, in bits per game: it takes its own draw."""

Words = tuple[int, int, int, int]


# --- the generator --------------------------------------------------------------------------------


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


def drawn_words(counter: Words, seed: int) -> Words:
    """Philox's words for a counter under a seed, in the order in which they are used."""
    x0, x1, x2, x3 = philox(counter, key_of(seed))
    return x1, x0, x3, x2


def words(seed: int, batch: int, draw: int) -> Iterator[int]:
    """The endless bits of a draw, 32 at a time.

    >>> from itertools import islice
    >>> [f"{word:08x}" for word in islice(words(seed=0, batch=0, draw=0), 2)]
    ['e169c58d', '6627e8d5']
    """
    for call in count():
        yield from drawn_words((call, draw & WORD, batch, draw >> 32), seed)


def bits(seed: int, batch: int, draw: int) -> Iterator[int]:
    """The endless bits of a draw, one at a time.

    >>> from itertools import islice
    >>> list(islice(bits(seed=0, batch=0, draw=0), 8))
    [1, 0, 1, 1, 0, 0, 0, 1]
    """
    for word in words(seed, batch, draw):
        for i in range(32):
            yield word >> i & 1


def batches(first: int, games: int) -> Iterator[tuple[int, int]]:
    """The number and size of each batch, from batch `first`.

    >>> [number for number, games in batches(first=7, games=BATCH_SIZE + 1)]
    [7, 8]
    """
    while games > 0:
        yield first, min(BATCH_SIZE, games)
        first, games = first + 1, games - BATCH_SIZE


# --- trees of coins -------------------------------------------------------------------------------


@dataclass(frozen=True)
class DDGTree:
    """A tree of coins.

    A *slot* is a node (0 is the root), then an outcome, then the refusal: slot `len(children)` is
    outcome 0, and slot `len(children) + outcomes` the refusal. Nodes are in order of depth.

    >>> ddg_tree((1, 2))  # heads: outcome 1; tails: another coin, for outcome 0 or the refusal
    DDGTree(outcomes=2, children=((1, 3), (2, 4)), depths=(0, 1))

    Attributes:
        outcomes: their number.
        children: for each node the slots of bit 0 and bit 1.
        depths: of each node.
    """

    outcomes: int
    children: tuple[tuple[int, int], ...]
    depths: tuple[int, ...]

    @property
    def refusal(self) -> int:
        """The slot of refusals, which restart."""
        return len(self.children) + self.outcomes

    @property
    def slots(self) -> int:
        """The number of slots."""
        return self.refusal + 1


@lru_cache(maxsize=4096)
def ddg_tree(weights: tuple[int, ...]) -> DDGTree:
    """The tree that chooses among outcomes of these positive integer weights.

    >>> len(ddg_tree((1, 1, 1, 1)).children)
    3
    """
    if len(weights) == 1:
        return DDGTree(1, (), ())
    total = sum(weights)
    least = (total - 1).bit_length()
    # a deeper tree refuses less, but has more nodes: the best is near the least depth
    tried = (_leaves(weights, total, k) for k in range(least, least + SPARE_DEPTHS + 1))
    return _grow(min(tried, key=lambda leaves: _cost(leaves, len(weights))), len(weights))


def lowest(weights: Iterable[int]) -> tuple[int, ...]:
    """Weights in lowest terms.

    >>> lowest([6, 30])
    (1, 5)
    """
    weights = tuple(weights)
    divisor = gcd(*weights)
    return tuple([weight // divisor for weight in weights])


def _leaves(weights: Sequence[int], total: int, k: int) -> list[list[int]]:
    """The labels of the leaves at depths 1 to k; `len(weights)` is the refusal."""
    factor, refused = divmod(1 << k, total)
    owned = [*(factor * w for w in weights), refused]
    return [[i for i, n in enumerate(owned) if n >> (k - d) & 1] for d in range(1, k + 1)]


def _cost(leaves: list[list[int]], refusal: int) -> float:
    """Bits per accepted choice, with the cost of the nodes."""
    inner, nodes, bits, refused = 1, 0, 0.0, 0.0
    for depth, labels in enumerate(leaves):
        nodes += inner
        bits += inner * 2.0**-depth
        inner = 2 * inner - len(labels)
        refused += (refusal in labels) * 2.0 ** -(depth + 1)
    return bits / (1.0 - refused) + NODE_COST * nodes


def _grow(leaves: list[list[int]], outcomes: int) -> DDGTree:
    """The tree with leaves of these labels at each depth."""
    inner: list[int] = []  # the number of nodes at each depth
    width = 1
    for labels in leaves:
        inner.append(width)
        width = 2 * width - len(labels)
    nodes = sum(inner)
    children: list[int] = []
    first = 0
    for width, labels in zip(inner, leaves, strict=True):
        first += width
        deeper = 2 * width - len(labels)
        children += range(first, first + deeper)  # nodes first: the order is part of the stream
        children += (nodes + label for label in labels)
    depths = [depth for depth, width in enumerate(inner) for _ in range(width)]
    pairs = zip(children[::2], children[1::2], strict=True)
    return DDGTree(outcomes, tuple(pairs), tuple(depths))
