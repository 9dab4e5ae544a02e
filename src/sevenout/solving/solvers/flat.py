"""An arena as arrays, for compiled code."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.errors import RulesError
from sevenout.extras import needs
from sevenout.solving.solvers.decision_problem import Arena

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Arrays:
    """An arena's arrays: n nodes, m moves, k blocks. Node s has the moves first[s] to first[s+1]-1.

    Attributes:
        first: n + 1 offsets into the moves.
        targets: m nodes, or outcomes from n on.
        weights: m integer weights; 1 for an option.
        totals: n total weights of the rolls; 1 at a decision.
        shares: m weights over their totals, as floats.
        turns: m signs; -1 if the turn passes.
        gains: m values of counters, as floats.
        steps: n values of the rolls themselves, as floats.
        senses: n signs: 1 to maximise, -1 to minimise, 0 at a roll.
        order: the n nodes, block after block, from the outcomes back.
        bounds: k + 1 offsets into the order.
        cyclic: k flags: whether a block needs more than one sweep.
    """

    first: "NDArray[np.int64]"
    targets: "NDArray[np.int32]"
    weights: "NDArray[np.int64]"
    totals: "NDArray[np.int64]"
    shares: "NDArray[np.float64]"
    turns: "NDArray[np.int8]"
    gains: "NDArray[np.float64]"
    steps: "NDArray[np.float64]"
    senses: "NDArray[np.int8]"
    order: "NDArray[np.int32]"
    bounds: "NDArray[np.int64]"
    cyclic: "NDArray[np.int8]"

    @classmethod
    def of(cls, arena: Arena) -> "Arrays":
        """The arrays of an arena."""
        model = arena.model
        first = np.frombuffer(model.first, np.int64)
        targets = np.frombuffer(model.targets, np.int32)
        tagged = np.frombuffer(model.tagged, np.int32)
        rolled = np.frombuffer(model.rolled, np.int32)
        weights = np.ones(len(targets), np.int64)
        totals = np.ones(len(first) - 1, np.int64)
        sizes = np.diff(first)
        for which, law in enumerate(arena.weights):
            if sum(law) >= 2**62:
                raise RulesError("weights too large for a certified bound; use the exact method")
            nodes = np.flatnonzero(rolled == which)
            totals[nodes] = sum(law)
            where = first[nodes][:, None] + np.arange(len(law))
            weights[where] = np.array(law, np.int64)
        order, bounds, cyclic = _blocks(first, targets)
        return cls(
            first=first,
            targets=targets,
            weights=weights,
            totals=totals,
            shares=weights / np.repeat(totals, sizes),
            turns=np.where(model.passing, -1, 1).astype(np.int8)[tagged],
            gains=np.array([float(gain) for gain in arena.gains])[tagged]
            if any(arena.gains)
            else np.zeros(len(targets)),
            steps=np.where(rolled >= 0, float(arena.roll), 0.0),
            senses=np.array(arena.senses, np.int8),
            order=order,
            bounds=bounds,
            cyclic=cyclic,
        )

    def only(self, moves: "NDArray[np.int64]", **changed: Any) -> "Arrays":
        """The same with one option at each decision, in node order; without weights."""
        asked = self.senses != 0
        sizes = np.where(asked, 1, np.diff(self.first))
        first = np.concatenate([[0], np.cumsum(sizes)])
        start = self.first[:-1].copy()
        start[asked] = moves
        kept = np.repeat(start - first[:-1], sizes) + np.arange(first[-1])
        fields = {name: getattr(self, name)[kept] for name in ("targets", "turns")}
        gains = self.gains[kept] if self.gains.any() else np.zeros(len(kept))
        fields |= {"weights": np.zeros(0, np.int64), "gains": gains}
        shares = np.where(np.repeat(asked, sizes), 1.0, self.shares[kept])
        rest = {name: getattr(self, name) for name in ("totals", "order", "bounds", "cyclic")}
        whole = {"first": first, "shares": shares, "steps": self.steps, "senses": self.senses}
        return Arrays(**(fields | rest | whole | changed))


def _blocks(
    first: "NDArray[np.int64]", targets: "NDArray[np.int32]"
) -> "tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int8]]":
    needs("scipy", "fast")
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(first) - 1
    source = np.repeat(np.arange(n, dtype=np.int32), np.diff(first))
    inside = targets < n
    source, target = source[inside], targets[inside]
    graph = csr_array((np.ones(len(source), np.int8), (source, target)), shape=(n, n))
    count, labels = connected_components(graph, directed=True, connection="strong")
    ranks = _ranks(count, labels[source], labels[target])[labels]
    order = np.lexsort((-np.arange(n), ranks)).astype(np.int32)
    sizes = np.bincount(ranks, minlength=count)
    cyclic = sizes > 1
    cyclic[ranks[source[source == target]]] = True
    return order, np.concatenate([[0], np.cumsum(sizes)]), cyclic.astype(np.int8)


def _ranks(
    count: int, source: "NDArray[np.int32]", target: "NDArray[np.int32]"
) -> "NDArray[np.int64]":
    """A number for each component, lower than those of its predecessors."""
    across = source != target
    source, target = source[across], target[across]
    if (source > target).all():  # SciPy's order, although not documented
        return np.arange(count)
    if (source < target).all():
        return np.arange(count)[::-1]
    from sevenout.model.graph import components

    rows: list[dict[int, int]] = [{} for _ in range(count)]
    for s, t in zip(source.tolist(), target.tolist(), strict=True):
        rows[s][t] = 1
    ranks = np.empty(count, np.int64)
    ranks[[block[0] for block in components(rows)]] = np.arange(count)[::-1]
    return ranks
