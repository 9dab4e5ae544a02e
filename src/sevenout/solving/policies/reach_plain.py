"""`reach` in plain Python, for small models without NumPy."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress
from typing import Any

from sevenout.model import Model, Policy


class PlainCosts:
    """The cost of every option of a model, compared with the best.

    Attributes:
        about: by move, its cost as a float; 0 at a roll.
        level: by move, whether it is optimal within the error bound; true at a roll.
    """

    about: Any
    level: Any

    def __init__(self, values: Any) -> None:
        self.model: Model = values.model
        self.about = [0.0] * len(self.model.targets)
        self.level = [True] * len(self.model.targets)
        for node in self.model.questions:
            pick, slack = values.pick(node), 2 * values.bound(node)
            for move in self._moves(node):
                cost = (values[node] - values.after(move)) * values.sense(node)
                self.about[move] = max(float(cost), 0.0)
                self.level[move] = move == pick or cost <= max(slack, 0)

    def _moves(self, node: int) -> range:
        return range(self.model.first[node], self.model.first[node + 1])

    def only(self, moves: Iterable[int]) -> Any:
        """By move, whether it is a roll or one of these."""
        taken = [True] * len(self.model.targets)
        for node in self.model.questions:
            for move in self._moves(node):
                taken[move] = False
        for move in moves:
            taken[move] = True
        return taken

    @cached_property
    def _flags(self) -> bytes:
        return bytes(self.level)

    @cached_property
    def _alike(self) -> dict[tuple[tuple[str, ...], bytes], frozenset[str]]:
        return {}

    def best(self, node: int) -> frozenset[str]:
        """The optimal options at a decision."""
        first, menu = self.model.first, self.model.menus[node]
        key = menu, self._flags[first[node] : first[node + 1]]
        found = self._alike.get(key)
        if found is None:
            found = self._alike[key] = frozenset(compress(*key))
        return found

    def least_mistake(self, node: int) -> float | None:
        """The approximate cost of the best wrong option; None if no option is wrong."""
        wrong = [float(self.about[move]) for move in self._moves(node) if not self.level[move]]
        return min(wrong, default=None)


def answers(model: Model, policy: Policy) -> dict[int, int]:
    """The move of a policy at each decision node.

    Raises:
        RulesError: the policy has no entry for a state, or names an unknown option.
    """
    return {s: model.answer(policy, s) for s in model.questions}


def come_up(model: Model, followed: Sequence[bool]) -> list[bool]:
    """The reachable nodes; as `reach.come_up`."""
    n = len(model.states)
    if model.passes:
        return _closure(model, [followed, [True] * len(followed)], [0, n])[:n]
    if len(model.players) < 2:
        return _closure(model, [followed], [0])
    up = [False] * n
    for player in model.players:
        own = [model.choosers.get(s) == player for s in range(n)]
        taken = list(followed)
        for s in range(n):
            if not own[s]:
                taken[model.first[s] : model.first[s + 1]] = [True] * (
                    model.first[s + 1] - model.first[s]
                )
        found = _closure(model, [taken], [0])
        for s in range(n):
            up[s] = up[s] or (found[s] and (own[s] or not model.menus[s]))
    return up


def _closure(model: Model, taken: Sequence[Sequence[bool]], starts: list[int]) -> list[bool]:
    """The nodes reachable by the moves of each seat."""
    n, seats = len(model.states), len(taken)
    found = [False] * (n * seats)
    for start in starts:
        found[start] = True
    waiting = list(starts)
    while waiting:
        seat, node = divmod(waiting.pop(), n)
        for move in range(model.first[node], model.first[node + 1]):
            target = model.targets[move]
            if target >= n or not taken[seat][move]:
                continue
            passes = model.passing[model.tagged[move]]
            then = target + n * ((seat + 1) % seats if passes else seat)
            if not found[then]:
                found[then] = True
                waiting.append(then)
    return found


def costs_of(values: Any) -> PlainCosts:
    """The cost of every option, from the nodes' values."""
    return PlainCosts(values)
