"""The order in which certified optimal play visits the nodes of a model."""

import numpy as np

from sevenout.solving.value_iteration import _components


def test_nodes_are_solved_in_strongly_connected_components_from_the_ends() -> None:
    """0 leads to 1 and 2, which lead to each other; 2 leads to 3, which leads to itself."""
    targets = np.array([1, 2, 2, 1, 3, 3, 4], np.int32)  # node 4 is an end
    order, first, cyclic = _components(np.array([0, 2, 3, 5, 7]), targets)
    assert order.tolist() == [3, 2, 1, 0]
    assert first.tolist() == [0, 1, 3, 4]
    assert cyclic.tolist() == [1, 1, 0]
