"""The cycles of a chain: its strongly connected components, in topological order."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

Row = Mapping[int, Any]
"""The weights out of a state, by target; a target from n on is an outcome."""


def components(rows: Sequence[Collection[int]]) -> list[list[int]]:
    """The strongly connected components of the states, in topological order.

    A search in depth without recursion (Pearce 2016); each component comes before those that it
    leads to, and in it each state after those that were found from it.

    >>> components([{1: 1, 2: 1}, {0: 1, 2: 1}, {3: 1}])
    [[1, 0], [2]]
    """
    n = len(rows)
    if all(min(row, default=n) >= s for s, row in enumerate(rows)):  # in order as they are
        return [[s] for s in range(n)]
    done = n + 1
    low = [0] * n  # of what a state leads back to, when it was found; first of all itself
    left: list[int] = []  # states that lead back to one on the path
    found: list[list[int]] = []
    clock = 0
    for root in range(n):
        if low[root]:
            continue
        low[root] = clock = clock + 1
        path = [(root, clock, iter(rows[root]))]
        while path:
            s, number, targets = path[-1]
            for t in targets:
                if t >= n:
                    continue
                if not low[t]:
                    low[t] = clock = clock + 1
                    path.append((t, clock, iter(rows[t])))
                    break
                if low[t] < low[s]:  # noqa: PLR1730  `min` takes twice as long
                    low[s] = low[t]
            else:
                path.pop()
                if low[s] == number:
                    block = len(left)
                    while block and low[left[block - 1]] >= number:
                        block -= 1
                        low[left[block]] = done
                    low[s] = done
                    found.append([*left[block:], s])
                    del left[block:]
                else:
                    left.append(s)
                    above = path[-1][0]
                    low[above] = min(low[above], low[s])
    return found[::-1]
