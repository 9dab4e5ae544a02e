"""Sparse elimination on an absorbing chain, over any number ring.

Let W be the total weight out of a state and w(s, t) the weight from s to t. Expected visits solve
v = b + vQ with Q = w/W, expected rewards x = c + Qx; both need one factorisation of diag(W) - w.
Pivots are sums (Grassmann, Taksar and Heyman 1985), so floats and balls keep their digits. See
docs/explanation/exact.md.

The ring needs +, * and /: `Fraction`, `flint.fmpq`, `flint.arb`, floats, rational functions, dual
numbers.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from sevenout.model.graph import Row, components


class Elimination:
    """The factorisation of an absorbing chain, to solve for visits and values.

    Args:
        rows: the weights out of each state, in a ring.
        one: the ring's one; integer weights are converted before division.
        blocks: the strongly connected components in topological order, if known.
    """

    def __init__(
        self, rows: Sequence[Row], one: Any = Fraction(1), blocks: list[list[int]] | None = None
    ) -> None:
        self.n = len(rows)
        self.rows = list(rows)
        # A pivot: (state, pivot, weights to the rest of its block, weights from it).
        self.blocks: list[list[tuple[int, Any, Row, Row]]] = []
        for block in components(rows) if blocks is None else blocks:
            if len(block) == 1:
                s = block[0]
                self.rows[s] = others = {t: w for t, w in rows[s].items() if t != s}
                self.blocks.append([(s, sum(others.values()), {}, {})])
            else:
                self.blocks.append(_eliminate(block, rows, one))

    def visits(self, start: Mapping[int, Any]) -> list[Any]:
        """The expected visits to each state, divided by its total weight; 0 if never visited.

        The flow along an edge is this times its weight.

        Args:
            start: the initial flow, by state.
        """
        flow: list[Any] = [0] * self.n
        for s, amount in start.items():
            flow[s] = amount
        visits: list[Any] = [0] * self.n
        for pivots in self.blocks:
            for s, pivot, to, _ in pivots:
                if to and flow[s] != 0:
                    share = flow[s] / pivot
                    for t, w in to.items():
                        flow[t] = flow[t] + share * w
            for s, pivot, _, back in reversed(pivots):
                total = flow[s]
                for t, w in back.items():
                    total = total + visits[t] * w
                visits[s] = total / pivot if total != 0 else 0
            # Flow out of the block; flow back into it no longer matters.
            for s, *_ in pivots:
                visit = visits[s]
                if visit != 0:
                    for t, w in self.rows[s].items():
                        if t < self.n:
                            flow[t] = flow[t] + visit * w
        return visits

    def values(self, reward: Sequence[Any], ends: Sequence[Any]) -> list[Any]:
        """The expected reward from each state on.

        Args:
            reward: the reward of each state per visit, times the state's total weight.
            ends: the reward of each outcome.
        """
        value: list[Any] = [0] * self.n + list(ends)
        gain = list(reward)
        for pivots in reversed(self.blocks):
            inside = {s for s, *_ in pivots}
            for s in inside:
                for t, w in self.rows[s].items():
                    if t not in inside and value[t] != 0:
                        gain[s] = gain[s] + value[t] * w
            for s, pivot, _, back in pivots:
                if back and gain[s] != 0:
                    share = gain[s] / pivot
                    for t, w in back.items():
                        gain[t] = gain[t] + share * w
            for s, pivot, to, _ in reversed(pivots):
                total = gain[s]
                for t, w in to.items():
                    total = total + value[t] * w
                value[s] = total / pivot if total != 0 else 0
        return value[: self.n]


def _eliminate(block: list[int], rows: Sequence[Row], one: Any) -> list[tuple[int, Any, Row, Row]]:
    """The pivots of one block, by least degree, to keep the fill small."""
    inside = set(block)
    to: dict[int, dict[int, Any]] = {}
    leak: dict[int, Any] = {}  # the weight out of the block
    back: dict[int, dict[int, Any]] = {s: {} for s in block}
    for s in block:
        to[s] = {t: one * w for t, w in rows[s].items() if t in inside and t != s}
        leak[s] = sum(w for t, w in rows[s].items() if t not in inside)
        for t, w in to[s].items():
            back[t][s] = w
    queues: dict[int, dict[int, None]] = {}

    def degree(s: int) -> int:
        return len(to[s]) * len(back[s])

    where: dict[int, int] = {}

    def file(s: int) -> None:
        where[s] = degree(s)
        queues.setdefault(where[s], {})[s] = None

    for s in block:
        file(s)
    pivots: list[tuple[int, Any, Row, Row]] = []
    for _ in block:
        least = min(d for d, queue in queues.items() if queue)
        s = next(iter(queues[least]))
        del queues[least][s]
        out, into = to.pop(s), back.pop(s)
        pivot = sum(out.values()) + leak[s]
        pivots.append((s, pivot, out, into))
        touched = set(out) | set(into)
        for t in out:
            del back[t][s]
        for u, w in into.items():
            del to[u][s]
            share = w / pivot
            if leak[s] != 0:
                leak[u] = leak[u] + share * leak[s]
            row = to[u]
            for t, x in out.items():
                if t != u:
                    row[t] = back[t][u] = row[t] + share * x if t in row else share * x
        for t in touched:
            if where[t] != degree(t):
                del queues[where[t]][t]
                file(t)
    return pivots
