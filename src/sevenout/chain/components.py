"""The cycles of a chain: its strongly connected components, in topological order."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

Row = Mapping[int, Any]
"""The weights out of a state, by target; a target from n on is an outcome."""


def components(rows: Sequence[Collection[int]]) -> list[list[int]]:
    """The strongly connected components of the states, in topological order.

    Tarjan's algorithm (1972) without recursion; each component comes before those that it leads to.

    >>> components([{1: 1, 2: 1}, {0: 1, 2: 1}, {3: 1}])
    [[1, 0], [2]]
    """
    n = len(rows)
    if all(min(row, default=n) >= s for s, row in enumerate(rows)):  # in order as they are
        return [[s] for s in range(n)]
    number = [0] * n
    low = [0] * n
    on_stack = [False] * n
    stack: list[int] = []
    found: list[list[int]] = []
    clock = 0
    for root in range(n):
        if number[root]:
            continue
        clock += 1
        number[root] = low[root] = clock
        stack.append(root)
        on_stack[root] = True
        path = [(root, iter(rows[root]))]
        while path:
            s, targets = path[-1]
            for t in targets:
                if t >= n:
                    continue
                if not number[t]:
                    clock += 1
                    number[t] = low[t] = clock
                    stack.append(t)
                    on_stack[t] = True
                    path.append((t, iter(rows[t])))
                    break
                if on_stack[t] and number[t] < low[s]:
                    low[s] = number[t]
            else:
                path.pop()
                if path and low[s] < low[path[-1][0]]:
                    low[path[-1][0]] = low[s]
                if low[s] == number[s]:
                    block = []
                    while True:
                        t = stack.pop()
                        on_stack[t] = False
                        block.append(t)
                        if t == s:
                            break
                    found.append(block)
    return found[::-1]
