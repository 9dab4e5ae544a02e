"""A turn as arrays: its nodes from the endings back, and how often its values are rounded."""

from typing import Any

import pytest

import sevenout as so
from sevenout.errors import EndlessGameError
from sevenout.solving.goal import goal_of
from sevenout.solving.turn_kernel import kernel_of


class Twice(so.Game):
    """Roll at most twice, or stop; a 1 loses the turn."""

    dice, start = so.d6, ("open", 0)

    def choices(self, state: Any) -> Any:
        kind, n = state
        return {"roll": ("rolled", n), "stop": so.settle("stop")} if kind == "open" else {}

    def step(self, state: Any, face: int) -> Any:
        if face == 1:
            return so.settle("bust")
        return ("open", 1) if state == ("rolled", 0) else so.settle("full")


class Again(Twice):
    """A 6 is rolled again without end."""

    def step(self, state: Any, face: int) -> Any:
        return state if face == 6 else super().step(state, face)


def test_a_turn_lists_its_nodes_after_those_that_they_lead_to() -> None:
    turn = so.explore(Twice())
    kernel = kernel_of(turn, goal_of(turn, ["full"]))
    assert [turn.states[s] for s in kernel.nodes] == [
        ("rolled", 1),
        ("open", 1),
        ("rolled", 0),
        ("open", 0),
    ]
    assert kernel.kinds.tolist() == [0, 1, 0, 1]
    assert kernel.first.tolist() == [0, 2, 4, 6, 8]
    assert kernel.shares.tolist() == [1 / 6, 5 / 6, 1, 1] * 2
    assert kernel.weights is not None
    assert kernel.weights.tolist() == [1, 5, 1, 1] * 2
    assert (kernel.endings, kernel.slots, kernel.sides, kernel.max_rolls) == (3, 7, 6, 2)


def test_rolls_round_values_and_choices_do_not() -> None:
    """Each roll rounds two shares, two products and their sum from 0; a maximum is exact."""
    turn = so.explore(Twice())
    assert kernel_of(turn, goal_of(turn, ["full"])).value_roundings == 2 * (2 + 2)
    least = kernel_of(turn, goal_of(turn, least="rolls"))
    assert least.kinds.tolist() == [0, -1, 0, -1]


def test_a_turn_that_can_return_is_refused() -> None:
    again = so.explore(Again())
    with pytest.raises(EndlessGameError, match="make every turn end"):
        kernel_of(again, goal_of(again, ["full"]))
