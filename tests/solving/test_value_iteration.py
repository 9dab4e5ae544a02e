"""The floats from which certified optimal play begins: the order of the nodes, and a sweep."""

import numpy as np
import pytest

import sevenout as so
from sevenout.solving.goal import Arena, goal_of
from sevenout.solving.value_iteration import Arrays, _components, sweep


def test_nodes_are_solved_in_strongly_connected_components_from_the_ends() -> None:
    """0 leads to 1 and 2, which lead to each other; 2 leads to 3, which leads to itself."""
    targets = np.array([1, 2, 2, 1, 3, 3, 4], np.int32)  # node 4 is an end
    order, first, cyclic = _components(np.array([0, 2, 3, 5, 7]), targets)
    assert order.tolist() == [3, 2, 1, 0]
    assert first.tolist() == [0, 1, 3, 4]
    assert cyclic.tolist() == [1, 1, 0]


def test_counters_on_the_way_are_gains_of_the_sweep() -> None:
    """A die that is thrown twice counts 7 points on average."""

    class Throws(so.Game):
        dice, start, counters = so.d6, "choice", ("points",)

        def choices(self, state):
            return {"one": "last", "two": "first"} if state == "choice" else {}

        def step(self, state, face):
            then = "last" if state == "first" else so.win()
            return so.counted(then, points=face)

    model = so.explore(Throws())
    arrays = Arrays.of(Arena.of(model, goal_of(model, most="points")))
    values = np.zeros(len(model.states) + len(model.outcomes))
    sweep(arrays, values)
    value_by_state = dict(zip(model.states, values, strict=False))
    assert value_by_state == pytest.approx({"choice": 7, "first": 7, "last": 3.5})
