"""Reachable states under optimal play."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.model import Model
from sevenout.solving.policies import reach_plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAR = 1e-7
"""Costs below this, relative to the largest value, are compared exactly."""


class Costs(reach_plain.PlainCosts):
    """The cost of every option of a model, compared with the best."""

    def __init__(self, values: Any) -> None:
        model: Model = values.model
        self.model = model
        first = np.frombuffer(model.first, np.int64)
        self.sizes = np.diff(first)
        targets = np.frombuffer(model.targets, np.int32)
        tagged = np.frombuffer(model.tagged, np.int32)
        senses = np.repeat(np.array(values.arena.senses, np.int8), self.sizes)
        value: NDArray[np.float64] = values.floats
        costs: NDArray[np.float64] = value[targets]  # changed in place, as it may be large
        costs *= np.where(model.passing, -1, 1).astype(np.int8)[tagged]
        if any(values.arena.gains):
            costs += np.array([float(gain) for gain in values.arena.gains])[tagged]
        np.subtract(np.repeat(value[: len(self.sizes)], self.sizes), costs, out=costs)
        costs *= senses
        near = np.abs(costs) <= NEAR * max(1.0, float(np.abs(value).max(initial=0.0)))
        self.about: NDArray[np.float64] = np.maximum(costs, 0.0, out=costs)
        self.about[senses == 0] = 0.0
        asked = np.zeros(len(self.sizes), np.bool_)
        asked[model.questions] = True
        self.chance: NDArray[np.bool_] = np.repeat(~asked, self.sizes)
        self.level: NDArray[np.bool_] = self.chance.copy()
        self.level[[values.pick(s) for s in model.questions]] = True
        for move in np.flatnonzero(near & ~self.level).tolist():
            node = int(np.searchsorted(first, move, "right")) - 1
            cost = (values[node] - values.after(move)) * values.sense(node)
            self.level[move] = cost <= max(2 * values.bound(node), Fraction(0))

    def only(self, moves: Iterable[int]) -> "NDArray[np.bool_]":
        """By move, whether it is a roll or one of these."""
        taken: NDArray[np.bool_] = self.chance.copy()
        taken[list(moves)] = True
        return taken


def come_up(model: Model, followed: "NDArray[np.bool_]") -> "NDArray[np.bool_]":
    """The nodes that are reachable if the player takes only some of their moves.

    All rolls and all moves of other players count. If turns pass, both players take only these
    moves, and either may begin.

    Args:
        model: the game.
        followed: by move, whether it is taken; true at rolls.
    """
    n = len(model.states)
    if model.passes:
        free = np.ones(len(followed), np.bool_)
        found = _closure(model, [followed, free], [0, n])
        return found[:n]
    if len(model.players) < 2:
        return _closure(model, [followed], [0])
    first = np.frombuffer(model.first, np.int64)
    nodes = np.repeat(np.arange(n), np.diff(first))
    up = np.zeros(n, np.bool_)
    for player in model.players:
        own = np.array([model.choosers.get(s) == player for s in range(n)])
        found = _closure(model, [followed | ~own[nodes]], [0])
        asked = np.array([bool(menu) for menu in model.menus])
        up |= found & (own | ~asked)
    return up


def _closure(
    model: Model, taken: "list[NDArray[np.bool_]]", starts: list[int]
) -> "NDArray[np.bool_]":
    """The nodes reachable by the moves of each seat."""
    n, seats = len(model.states), len(taken)
    first = np.frombuffer(model.first, np.int64)
    targets = np.frombuffer(model.targets, np.int32)
    passes = np.array(model.passing)[np.frombuffer(model.tagged, np.int32)]
    found = np.zeros(n * seats, np.bool_)
    found[starts] = True
    frontier = np.array(starts, np.int64)
    while len(frontier):
        node, seat = frontier % n, frontier // n
        sizes = first[node + 1] - first[node]
        before = np.cumsum(sizes) - sizes
        moves = np.repeat(first[node] - before, sizes) + np.arange(sizes.sum())
        seat = np.repeat(seat, sizes)
        kept = np.zeros(len(moves), np.bool_)
        for which, own in enumerate(taken):
            kept |= (seat == which) & own[moves]
        kept &= targets[moves] < n
        moves, seat = moves[kept], seat[kept]
        then = targets[moves] + n * np.where(passes[moves], (seat + 1) % seats, seat)
        fresh = np.unique(then)
        frontier = fresh[~found[fresh]]
        found[frontier] = True
    return found


def costs_of(values: Any) -> Costs:
    """The cost of every option, from the nodes' values."""
    return Costs(values)
