"""The values of a model's nodes, from either solver, as the player to move sees them.

*Certificates.* The values prove themselves, with the chosen move of each decision and a ranking. No
option has a larger value; and the ranking falls under every choice, so the game ends (`certify`).
"""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from sevenout.certify import Certificate, Claim, Proved, claim_of
from sevenout.certify.certificate import ranks_of
from sevenout.certify.claim import worth_claim
from sevenout.errors import RulesError
from sevenout.extras import require
from sevenout.model import Model
from sevenout.model.model import add_seats
from sevenout.solving.goal import Arena, Goal

RANK_BITS = 8
"""Fractional bits of a certified ranking."""


class Values(ABC):
    """The values of the nodes, less the shift, as the player to move sees them.

    Attributes:
        model: the game.
        goal: the objective.
        arena: the problem that model and goal pose.
        shift: half of the players' constant sum.
        method: "exact" or "certified".
    """

    method: Literal["exact", "certified"]

    def __init__(self, arena: Arena) -> None:
        self.model: Model = arena.model
        self.goal: Goal = arena.goal
        self.arena, self.shift = arena, arena.shift

    def sense(self, node: int) -> int:
        """1 at a node that maximises, -1 at one that minimises, 0 at a roll."""
        return self.arena.senses[node]

    def move_value(self, move: int) -> Fraction:
        """The value of a move to the player who makes it: its gain, and what follows."""
        tag = self.model.tag_index[move]
        value, gain = self[self.model.targets[move]], self.arena.gains[tag]
        if self.model.passing[tag]:
            value = -value
        return value + gain if gain else value

    @abstractmethod
    def __getitem__(self, node: int) -> Fraction:
        """The value of a node, or of an outcome."""

    @abstractmethod
    def pick(self, node: int) -> int:
        """The best move of a decision; the first of equals."""

    @abstractmethod
    def certificate(self, title: str) -> Certificate:
        """The certificate of the values, under a game's name in print."""

    def bound(self, node: int) -> Fraction:
        """The error bound of a node's value."""
        return Fraction(0)

    @cached_property
    def floats(self) -> list[float]:
        """The values of the nodes, then of the outcomes, as floats."""
        return [float(self[k]) for k in range(len(self.model.states) + len(self.model.outcomes))]


class ExactValues(Values):
    """Values in fractions, by policy iteration.

    How it works. Where turns pass, the first player's value of a state is not minus the second's
    for every goal. So the two seats become players of a model of twice the size, in which turns
    don't pass; `_seat_node` finds a node there.

    Attributes:
        seats: the model that is solved, with the seats as players.
        solution: its solution.
    """

    method = "exact"

    def __init__(self, arena: Arena) -> None:
        from sevenout.solving.policy_iteration import PolicyIteration

        super().__init__(arena)
        model = arena.model
        self.seats = add_seats(model)
        if model.passes:
            # The shift is that of the two opposed values, as in the model without seats.
            arena = Arena.of(self.seats, replace(arena.goal, player="first"), self.shift)
        self.solution = PolicyIteration(arena)
        self._values: dict[int, Fraction] = {}
        self._decision_nodes: dict[Any, int] = {}
        self._roll_nodes: dict[Any, int] = {}
        if model.passes:
            for s, state in enumerate(self.seats.states):
                (self._decision_nodes if self.seats.menus[s] else self._roll_nodes)[state] = s

    def _seat_node(self, node: int) -> tuple[int, int]:
        """The node of the model `seats`, and the sign of its value for the player to move."""
        if not self.model.passes:
            return node, 1
        state = self.model.states[node]
        nodes = self._decision_nodes if self.model.menus[node] else self._roll_nodes
        first = nodes.get(("first", state))
        # A state that only the second player meets has minus the value for the one to move.
        return (nodes["second", state], -1) if first is None else (first, 1)

    def __getitem__(self, node: int) -> Fraction:
        from sevenout.rolling.generating_functions import to_fraction

        n = len(self.model.states)
        if node >= n:
            return self.arena.ends[node - n]
        value = self._values.get(node)
        if value is None:
            seat_node, sign = self._seat_node(node)
            value = self._values[node] = to_fraction(self.solution.value(seat_node) * sign)
        return value

    def pick(self, node: int) -> int:
        seat_node, _ = self._seat_node(node)
        option = self.solution.picks[seat_node] - self.seats.first_move[seat_node]
        return self.model.first_move[node] + option

    def certificate(self, title: str) -> Certificate:
        """The certificate; if turns pass and the goal is not a bet, the players are seats."""
        from sevenout.rolling.generating_functions import to_fraction

        model, shift = self.model, self.shift
        _require_end(model)
        claim, senses = _goal_claim(self.goal, model), self.arena.senses
        # The checker turns a value around where the turn passes: right for opposed claims only.
        if model.passes and not _is_shared(claim, model):
            solution, model = self.solution, self.seats
            claim, senses = _goal_claim(solution.arena.goal, model), solution.arena.senses
            column = [to_fraction(solution.value(s)) + shift for s in range(len(model.states))]
            picks = dict(sorted(solution.picks.items()))
        else:
            column = [self[s] + shift for s in range(len(model.states))]
            picks = {s: self.pick(s) for s, menu in enumerate(model.menus) if menu}
        return Certificate(
            title,
            model,
            (Proved(claim, (column,)),),
            ranks_of(model),
            picks=picks,
            chooser_goals=_chooser_goals(picks, senses),
        )


class ProvedValues(Values):
    """Values within a proved bound, by value iteration.

    Attributes:
        solution: the values in scaled integers, with their ranking.
    """

    method = "certified"

    def __init__(self, arena: Arena) -> None:
        for package, extra in (("numpy", None), ("scipy", "fast"), ("numba", "fast")):
            require(package, extra)
        from sevenout.solving.value_iteration import CertifiedOptimum

        super().__init__(arena)
        self.solution = CertifiedOptimum(arena)
        self._picks = array("i", bytes(4 * len(arena.model.states)))  # by node; 0 at a roll
        for node, pick in self._decision_picks():
            self._picks[node] = pick

    def _decision_picks(self) -> Iterator[tuple[int, int]]:
        """Each decision node, with the chosen move."""
        decisions, picks = self.solution.decisions, self.solution.picks
        return zip(decisions.tolist(), picks.tolist(), strict=True)

    def __getitem__(self, node: int) -> Fraction:
        return self.solution.value(node)

    def bound(self, node: int) -> Fraction:
        return self.solution.bound(node)

    @cached_property
    def floats(self) -> list[float]:
        solution = self.solution
        floats: list[float] = (solution.values.as_floats() / 2.0**solution.bits).tolist()
        return floats

    def pick(self, node: int) -> int:
        return self._picks[node]

    def certificate(self, title: str) -> Certificate:
        """The certificate, in integers.

        Raises:
            RulesError: turns pass, and the goal is neither the mean of a bet nor a chance of a
                profit.
        """
        solution, model, n = self.solution, self.model, len(self.model.states)
        claim = _goal_claim(self.goal, model)
        if model.passes and not _is_shared(claim, model):
            raise RulesError(
                "where turns pass, the certificate of a large game is of the mean of a bet, or of "
                f"the probability of a profit; this is {self.goal.name}"
            )
        shift = round(self.shift * (1 << solution.bits))
        picks = dict(self._decision_picks())
        values = [solution.values.integer(s) + shift for s in range(n)]
        return Certificate(
            title,
            model,
            (Proved(claim, (values,)),),
            [round(rank * 2**RANK_BITS) for rank in solution.ranking[:n].tolist()],
            scale=1 << solution.bits,
            residual=solution.residual + 2,  # the values of outcomes, and the shift, were rounded
            rank_fall=1 << RANK_BITS,
            picks=picks,
            chooser_goals=_chooser_goals(picks, self.arena.senses),
        )


def values_of(arena: Arena, method: Literal["exact", "certified"]) -> Values:
    """The values of a model, solved."""
    return ExactValues(arena) if method == "exact" else ProvedValues(arena)


def _chooser_goals(picks: Mapping[int, int], senses: Sequence[int]) -> dict[int, str]:
    """What the chooser of each decision wants."""
    return {s: "most" if senses[s] > 0 else "least" for s in picks}


def _is_shared(claim: Claim, model: Model) -> bool:
    """Whether one player's value of a claim gives the other's: a bet's mean, or who wins it."""
    # With ties, one player's chance to win says nothing of the other's.
    settled = all(outcome.profit(claim.name) for outcome in model.outcomes if claim.of == "win")
    return claim.of == "bet" or (claim.of == "win" and settled)


def _require_end(model: Model) -> None:
    """Refuse a game that some policy plays for ever: a rank can't prove an optimum there."""
    if model.traps:
        raise RulesError(
            "the player can go on for ever here, so no certificate proves what is best; certify a "
            "policy"
        )


def _goal_claim(goal: Goal, model: Model) -> Claim:
    """The goal as a claim, if possible one that the checker can verify from the outcomes."""
    text = goal.quantity
    if text.startswith("P(") and text.endswith(")"):
        text = text[2:-1]
    # A claim in the checker's own words needs no trust in the amounts; a function has none.
    with suppress(RulesError):
        claim = claim_of(text, model)
        counted = {claim.counter: Fraction(1)} if claim.counter else {}
        same = all(claim.amount(outcome) == goal.value(outcome) for outcome in model.outcomes)
        if same and counted == dict(goal.counters):
            return claim
    # It counts the outcomes as the goal does; the shift is the solver's own matter.
    return worth_claim(goal.name, goal.value, model.outcomes)
