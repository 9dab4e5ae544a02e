"""A sparse linear map of float vectors, by JavaScript if Python runs in a browser."""

import sys
from array import array
from collections.abc import Callable, Sequence
from typing import TypeAlias

Floats: TypeAlias = "array[float]"
Map: TypeAlias = Callable[[Floats], Floats]


def sparse_map(
    source: Sequence[int], target: Sequence[int], weight: Sequence[float], size: int
) -> Map:
    """The map to vectors of length `size` that adds to each target the weight times its source.

    Each product is rounded once, and each sum once per term.

    >>> swap = sparse_map([0, 1, 1], [1, 0, 2], [1.0, 0.5, 0.5], 3)
    >>> swap(array("d", [1.0, 4.0])).tolist()
    [2.0, 1.0, 2.0]
    """
    if sys.platform == "emscripten":
        from in_page import carrier  # type: ignore[import-not-found]  # the worker lends it

        carry = carrier(array("i", source), array("i", target), array("d", weight))

        def carried(vector: Floats) -> Floats:
            found = array("d", bytes(8 * size))
            carry(vector, found)
            return found

        return carried
    entries = [*zip(source, target, weight, strict=True)]

    def moved(vector: Floats) -> Floats:
        found = array("d", bytes(8 * size))
        for here, there, share in entries:
            found[there] += share * vector[here]
        return found

    return moved
