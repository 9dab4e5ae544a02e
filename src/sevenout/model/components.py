"""Strongly connected components, in topological order."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

Row = Mapping[int, Any]
"""The weights out of a state, by target; targets from n on are outcomes."""


def components(rows: Sequence[Collection[int]], ends: int | None = None) -> list[list[int]]:
    """The strongly connected components of the states, in topological order.

    Iterative depth-first search (Pearce 2016). Within a component, a state comes after those that
    were found from it.

    >>> components([{1: 1, 2: 1}, {0: 1, 2: 1}, {3: 1}])
    [[1, 0], [2]]

    Args:
        rows: the targets of each state; from the number of states on, outcomes.
        ends: the number of outcomes, if known.
    """
    n = len(rows)
    if all(min(row, default=n) >= s for s, row in enumerate(rows)):  # already in order
        return [[s] for s in range(n)]
    done = n + 1
    # The lowest number of a state that each leads back to; at first its own. Outcomes are done.
    if ends is None:
        ends = max(map(max, filter(len, rows)), default=n) - n + 1
    low = [0] * n + [done] * ends
    left: list[int] = []  # states that lead back to one on the path
    found: list[list[int]] = []
    clock = 0
    for root in range(n):
        if low[root]:
            continue
        s, low[root] = root, clock + 1
        clock = number = least = clock + 1
        targets = iter(rows[s])
        path: list[tuple[int, int, int, Iterator[int]]] = []
        while True:
            for t in targets:
                known = low[t]
                if known < least:
                    if known:
                        least = known
                        continue
                    path.append((s, number, least, targets))
                    low[t] = number = least = clock = clock + 1
                    s, targets = t, iter(rows[t])
                    break
            else:
                if least == number:
                    block = len(left)
                    while block and low[left[block - 1]] >= number:
                        block -= 1
                        low[left[block]] = done
                    low[s] = done
                    found.append([*left[block:], s])
                    del left[block:]
                else:
                    low[s] = least
                    left.append(s)
                if not path:
                    break
                below = least
                s, number, least, targets = path.pop()
                least = min(least, below)
    return found[::-1]
