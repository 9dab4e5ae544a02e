"""The counts of blocks, as engines return them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

DENSE = 1 << 22
"""Keys below this are added in an array, others by sorting."""


@dataclass(frozen=True, eq=False)
class BlockCounts:
    """The counts of blocks.

    Attributes:
        flow: (edges,) the number of rolls that took each edge.
        keys: roll · exits + exit, distinct and increasing.
        counts: the number of games for each key.
    """

    games: int
    flow: "Counts"
    keys: "Counts"
    counts: "Counts"


def join(parts: Iterable[BlockCounts]) -> BlockCounts:
    """The sum of several counts.

    >>> import numpy as np
    >>> one, row = BlockCounts(2, np.array([3]), np.array([5]), np.array([2])), np.array([1])
    >>> both = join([one, BlockCounts(1, row, row, row)])
    >>> both.games, both.flow.tolist(), both.keys.tolist(), both.counts.tolist()
    (3, [4], [1, 5], [1, 2])
    """
    import numpy as np

    parts = list(parts)
    keys = np.concatenate([part.keys for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    size = int(keys.max(initial=0)) + 1
    if size <= DENSE:
        dense = np.zeros(size, dtype=np.int64)
        np.add.at(dense, keys, counts)
        keys = np.flatnonzero(dense)
        counts = dense[keys]
    else:
        keys, place = np.unique(keys, return_inverse=True)
        dense = np.zeros(len(keys), dtype=np.int64)
        np.add.at(dense, place, counts)
        counts = dense
    flow = sum((part.flow for part in parts[1:]), start=parts[0].flow)
    return BlockCounts(sum(part.games for part in parts), flow, keys, counts)
