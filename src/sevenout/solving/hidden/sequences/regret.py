"""Regret matching on the sequence form: CFR+ (Tammelin 2014; Zinkevich and others 2008).

Each information set keeps its regret for each option, and plays in proportion. The averages of both
plans, with more weight on later ones, approach an equilibrium; best replies prove how closely.
"""

from collections.abc import Sequence
from typing import Any

from sevenout.extras import needs
from sevenout.solving.hidden.sequences.sequence_matrix import EMPTY, SequenceForm, Side

GAP = 1e-6
"""Matching stops at this width of the interval, times the largest payoff."""
ROUNDS = 4_000
CHECKED = 100
"""Rounds between computations of the interval."""


class _Board:
    """One player's sets as arrays, by depth."""

    def __init__(self, side: Side) -> None:
        import numpy as np

        depths = [0] * side.size
        levels: list[list[int]] = []
        for k, own in enumerate(side.sets):
            depth = depths[own.parent]
            if depth == len(levels):
                levels.append([])
            levels[depth].append(k)
            for s in own.sequences:
                depths[s] = depth + 1
        self.levels = []
        for sets in levels:
            own_sets = [side.sets[k] for k in sets]
            sizes = np.array([len(own.menu) for own in own_sets])
            sequences = np.concatenate(
                [np.arange(o.first, o.first + len(o.menu)) for o in own_sets]
            )
            starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
            parents = np.array([own.parent for own in own_sets])
            self.levels.append((sequences, starts, sizes, parents))
        self.size = side.size
        self.regrets, self.total = np.zeros(side.size), np.zeros(side.size)
        self.shares = np.ones(side.size)
        for sequences, _, sizes, _ in self.levels:
            self.shares[sequences] = np.repeat(1 / sizes, sizes)

    def plan(self) -> Any:
        """The plan of the shares."""
        import numpy as np

        plan = np.ones(self.size)
        for sequences, _, sizes, parents in self.levels:
            plan[sequences] = np.repeat(plan[parents], sizes) * self.shares[sequences]
        return plan

    def match(self, gains: Any, weight: float) -> None:
        """Update regrets, shares and the average from each sequence's gain."""
        import numpy as np

        for sequences, starts, sizes, parents in reversed(self.levels):
            amounts = gains[sequences]
            values = np.add.reduceat(amounts * self.shares[sequences], starts)
            regrets = self.regrets[sequences] + amounts - np.repeat(values, sizes)
            np.maximum(regrets, 0, out=regrets)
            sums = np.add.reduceat(regrets, starts)
            self.regrets[sequences] = regrets
            even = np.repeat(1 / sizes, sizes)
            whole = np.repeat(sums, sizes)
            self.shares[sequences] = np.divide(regrets, whole, out=even, where=whole > 0)
            np.add.at(gains, parents, values)
        self.total += weight * self.plan()

    def best(self, gains: Any) -> float:
        """The most that a plan can gain."""
        import numpy as np

        for sequences, starts, _, parents in reversed(self.levels):
            np.add.at(gains, parents, np.maximum.reduceat(gains[sequences], starts))
        return float(gains[EMPTY])


def matched(
    form: SequenceForm, gap: float = GAP, rounds: int = ROUNDS
) -> tuple[Sequence[float], Sequence[float]]:
    """Plans of both players near an equilibrium.

    It stops at an interval of `gap` times the largest payoff, or after `rounds`.
    """
    needs("numpy")
    import numpy as np

    pairs = np.array(list(form.payoffs), np.int64).reshape(-1, 2)
    values = np.array([x / form.scale for x in form.payoffs.values()])
    boards = [_Board(side) for side in form.sides]
    mine, yours = pairs[:, 0], pairs[:, 1]
    one, two = boards
    largest = float(abs(values).max(initial=0.0)) * form.unit or 1.0

    def met_one(plan: Any) -> Any:
        return np.bincount(mine, values * plan[yours], one.size)

    def met_two(plan: Any) -> Any:
        return -np.bincount(yours, values * plan[mine], two.size)

    for turn in range(1, rounds + 1):
        one.match(met_one(two.plan()), turn)
        two.match(met_two(one.plan()), turn)
        if turn % CHECKED == 0:
            x, y = (board.total / board.total[EMPTY] for board in boards)
            if one.best(met_one(y)) + two.best(met_two(x)) < gap * largest:
                break
    x, y = (board.total / board.total[EMPTY] for board in boards)
    return x.tolist(), y.tolist()
