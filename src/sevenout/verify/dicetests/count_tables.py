"""All tables of counts that n rolls can give, up to symmetry.

Cells with the same probability may be exchanged. One table of each orbit is listed, with the size
of the orbit: 100 rolls of a fair d6 have 96,560,646 tables but 189,509 orbits.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby, pairwise
from math import comb, factorial, prod

LIMIT = 250_000
"""The most orbits to enumerate (a second or two); beyond, tables are drawn at random."""
MOST_ROLLS, MOST_CELLS, MOST_WORK = 2_000, 300, 33_000_000
"""The most rolls, cells, and orbits × rolls to enumerate: the integers grow with the rolls."""


def table_count(n: int, kinds: Sequence[Hashable], limit: int = LIMIT) -> int | None:
    """The number of orbits; None if it is more than `limit`, or too much work.

    >>> table_count(100, "......"), table_count(100, "abcdef")
    (189509, None)

    Args:
        n: the number of rolls.
        kinds: a key for each cell, equal for cells with equal probability.
        limit: the most orbits to count.
    """
    sizes = Counter(kinds).values()
    if max(n / MOST_ROLLS, len(kinds) / MOST_CELLS) > 1 or comb(
        n + len(kinds) - 1, len(kinds) - 1
    ) > limit * prod(map(factorial, sizes)):
        return None  # an orbit is no larger than its group
    ways = [1] + [0] * n
    for size in sizes:
        parts = [1] + [0] * n  # partitions into at most `size` parts = into parts of at most `size`
        for part in range(1, size + 1):
            for t in range(part, n + 1):
                parts[t] += parts[t - part]
        ways = [sum(ways[s] * parts[t - s] for s in range(t + 1)) for t in range(n + 1)]
    return ways[n] if ways[n] <= min(limit, MOST_WORK // max(n, 1)) else None


def tables(n: int, kinds: Sequence[Hashable]) -> Iterator[tuple[tuple[int, ...], int]]:
    """One table of each orbit, with the size of the orbit.

    >>> sorted(tables(2, "..x"))
    [((0, 0, 2), 1), ((1, 0, 1), 2), ((1, 1, 0), 1), ((2, 0, 0), 2)]

    Args:
        n: the number of rolls.
        kinds: a key for each cell, equal for cells with equal probability, which are neighbours.
    """
    runs = [len(list(run)) for _, run in groupby(kinds)]
    starts = {sum(runs[:i]) for i in range(len(runs))}
    last = len(kinds) - 1
    room = [0] * len(kinds)  # the number of cells of the same kind still to fill
    for i in reversed(range(len(kinds))):
        room[i] = 1 if i == last or i + 1 in starts else room[i + 1] + 1
    table = [0] * len(kinds)

    def fill(i: int, left: int) -> Iterator[tuple[int, ...]]:
        most = left if i in starts else min(left, table[i - 1])
        least = 0
        if i + room[i] > last:  # the last kind takes the rest, in falling order
            least = -(-left // room[i])
        for x in range(least, most + 1):
            table[i] = x
            if i == last:
                yield tuple(table)
            else:
                yield from fill(i + 1, left - x)

    bounds = [*sorted(starts), len(kinds)]
    for filled in fill(0, n):
        size = 1
        for a, b in pairwise(bounds):
            if b - a > 1:
                repeats = Counter(filled[a:b]).values()
                size *= factorial(b - a) // prod(map(factorial, repeats))
        yield filled, size


def table_weight(table: Sequence[int], weights: Sequence[int]) -> int:
    """The multinomial weight of a table, out of (sum of weights)^n.

    >>> table_weight([1, 1], [1, 2])
    4
    """
    coefficient = factorial(sum(table)) // prod(map(factorial, table))
    powers: list[int] = [w**x for w, x in zip(weights, table, strict=True)]
    return coefficient * prod(powers)
