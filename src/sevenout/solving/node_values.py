"""The values of a model's nodes, from either solver, as the player to move sees them."""

from abc import ABC, abstractmethod
from array import array
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from sevenout.extras import needs
from sevenout.model import Model
from sevenout.model.model import seated
from sevenout.solving.goal import Goal
from sevenout.solving.optimality_certificate import certified_certificate, exact_certificate
from sevenout.solving.solvers.decision_problem import Arena

if TYPE_CHECKING:
    from sevenout.certify import Certificate


class Values(ABC):
    """The values of the nodes, less the shift, as the player to move sees them."""

    method: Literal["exact", "certified"]

    def __init__(self, arena: Arena) -> None:
        self.model: Model = arena.model
        self.goal: Goal = arena.goal
        self.arena, self.shift = arena, arena.shift

    def sense(self, node: int) -> int:
        return self.arena.senses[node]

    def after(self, move: int) -> Fraction:
        tag = self.model.tagged[move]
        value, gain = self[self.model.targets[move]], self.arena.gains[tag]
        if self.model.passing[tag]:
            value = -value
        return value + gain if gain else value

    @abstractmethod
    def __getitem__(self, node: int) -> Fraction: ...

    @abstractmethod
    def pick(self, node: int) -> int: ...

    @abstractmethod
    def certificate(self, game: str) -> "Certificate": ...

    def bound(self, node: int) -> Fraction:
        return Fraction(0)

    @cached_property
    def floats(self) -> Any:
        """The values of the nodes, then of the outcomes, as floats."""
        from numpy import fromiter

        nodes = len(self.model.states) + len(self.model.outcomes)
        return fromiter((float(self[node]) for node in range(nodes)), float, nodes)


class ExactValues(Values):
    method = "exact"

    def __init__(self, arena: Arena) -> None:
        from sevenout.solving.solvers.policy_iteration import PolicyIteration

        super().__init__(arena)
        model = arena.model
        self.seats = seated(model)
        if model.passes:
            arena = Arena.of(self.seats, replace(arena.goal, player="first"), self.shift)
        self.solved = PolicyIteration(arena)
        self._known: dict[int, Fraction] = {}
        self._asked: dict[Any, int] = {}
        self._rolled: dict[Any, int] = {}
        if model.passes:
            for s, state in enumerate(self.seats.states):
                (self._asked if self.seats.menus[s] else self._rolled)[state] = s

    def _seat(self, node: int) -> tuple[int, int]:
        """The node of the seated model, and the sign for the player to move."""
        if not self.model.passes:
            return node, 1
        state, kind = self.model.states[node], self._rolled
        if self.model.menus[node]:
            kind = self._asked
        first = kind.get(("first", state))
        return (kind["second", state], -1) if first is None else (first, 1)

    def __getitem__(self, node: int) -> Fraction:
        from sevenout.rolling.generating_functions import fraction

        n = len(self.model.states)
        if node >= n:
            return self.arena.ends[node - n]
        found = self._known.get(node)
        if found is None:
            at, sign = self._seat(node)
            found = self._known[node] = fraction(self.solved.value(at) * sign)
        return found

    def pick(self, node: int) -> int:
        at, _ = self._seat(node)
        return self.model.first[node] + self.solved.picks[at] - self.seats.first[at]

    def certificate(self, game: str) -> "Certificate":
        return exact_certificate(game, self.goal, self)


class ProvedValues(Values):
    method = "certified"

    def __init__(self, arena: Arena) -> None:
        for package, extra in (("numpy", None), ("scipy", "fast"), ("numba", "fast")):
            needs(package, extra)
        from sevenout.solving.solvers.certified import CertifiedOptimum

        super().__init__(arena)
        self.solved = CertifiedOptimum(arena)
        self._picks = array("i", bytes(4 * len(arena.model.states)))  # by node; 0 at a roll
        for node, pick in zip(self.solved.asked.tolist(), self.solved.picks.tolist(), strict=True):
            self._picks[node] = pick

    def __getitem__(self, node: int) -> Fraction:
        return self.solved.value(node)

    def bound(self, node: int) -> Fraction:
        return self.solved.bound(node)

    @cached_property
    def floats(self) -> Any:
        return self.solved.values.as_floats() / 2.0**self.solved.bits

    def pick(self, node: int) -> int:
        return self._picks[node]

    def certificate(self, game: str) -> "Certificate":
        return certified_certificate(game, self.goal, self.solved)


def values_of(arena: Arena, method: Literal["exact", "certified"]) -> Values:
    """The values of a model, solved."""
    return ExactValues(arena) if method == "exact" else ProvedValues(arena)
