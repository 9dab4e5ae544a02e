"""Exact choices from fair bits, by a tree of coins.

For outcomes of integer weights w with total D, take k with 2ᵏ >= D and f = 2ᵏ div D. Outcome i owns
f·wᵢ of the 2ᵏ strings of k bits; the others are refused and restart. The binary digits of f·wᵢ are
the depths of the leaves of outcome i. A choice takes at most two bits more than the entropy of the
weights, before refusals (Knuth and Yao, "The complexity of nonuniform random number generation",
1976; Saad, Freer, Rinard and Mansinghka, "The fast loaded dice roller", 2020).

k minimizes the bits per choice, with `NODE_COST` for each node.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

SPARE_DEPTHS = 10
"""The most depths beyond the least possible k."""
NODE_COST = 0.02
"""The cost of a node for a cohort, in bits per game: it takes its own draw."""


@dataclass(frozen=True)
class DDGTree:
    """A tree of coins.

    A *slot* is a node (0 is the root), then an outcome, then the refusal: slot `len(children)` is
    outcome 0, and slot `len(children) + outcomes` the refusal. Nodes are in order of depth.

    >>> ddg_tree((1, 2))  # heads: outcome 1; tails: another coin, for outcome 0 or the refusal
    DDGTree(outcomes=2, children=((1, 3), (2, 4)), depths=(0, 1))

    Attributes:
        children: for each node the slots of bit 0 and bit 1.
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
    for depth, here in enumerate(leaves):
        nodes += inner
        bits += inner * 2.0**-depth
        inner = 2 * inner - len(here)
        refused += (refusal in here) * 2.0 ** -(depth + 1)
    return bits / (1.0 - refused) + NODE_COST * nodes


def _grow(leaves: list[list[int]], outcomes: int) -> DDGTree:
    inner: list[int] = []  # the number of nodes at each depth
    width = 1
    for here in leaves:
        inner.append(width)
        width = 2 * width - len(here)
    nodes = sum(inner)
    children: list[int] = []
    first = 0
    for width, here in zip(inner, leaves, strict=True):
        first += width
        deeper = 2 * width - len(here)
        children += range(first, first + deeper)
        children += (nodes + label for label in here)
    depths = [depth for depth, width in enumerate(inner) for _ in range(width)]
    pairs = zip(children[::2], children[1::2], strict=True)
    return DDGTree(outcomes, tuple(pairs), tuple(depths))
