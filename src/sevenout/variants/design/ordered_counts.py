"""Counts of ordered choices of numbers, by variable elimination.

Numbers are added one at a time; a table counts the choices by those numbers that later ones are
compared with, and the others are summed out.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from sevenout.rules.gamefiles.open_parameters import Above

LARGEST = 2_000_000
"""The most cells of the table."""


def ways(values: Mapping[str, Sequence[Fraction]], order: Sequence[Above]) -> tuple[int, bool]:
    """The number of choices that keep the order, and whether it is exact.

    >>> numbers = {name: range(1, 11) for name in "abc"}
    >>> ways(numbers, [Above("a", "b", True), Above("b", "c", True)])
    (120, True)
    """
    import numpy as np

    everything = prod(map(len, values.values()))
    tied = {name for pair in order for name in pair[:2]}
    names = [name for name in values if name in tied]
    free = prod(len(values[name]) for name in values if name not in tied)
    ranks = {x: k for k, x in enumerate(sorted({x for name in names for x in values[name]}))}
    table: Any = np.ones((), object)
    front: list[str] = []
    for k, name in enumerate(names):
        if table.size * len(values[name]) > LARGEST:
            return everything, False
        table = np.broadcast_to(table[..., None], (*table.shape, len(values[name])))
        front.append(name)
        for more, less, strictly in order:
            if name in (more, less) and more in front and less in front and more != less:
                a, b = (
                    np.array([ranks[x] for x in values[n]]).reshape(
                        [-1 if m == n else 1 for m in front]
                    )
                    for n in (more, less)
                )
                table = table * (a > b if strictly else a >= b)
        later = {n for pair in order for n in pair[:2] if set(pair[:2]) & set(names[k + 1 :])}
        gone = tuple(i for i, n in enumerate(front) if n not in later)
        table = np.asarray(table.sum(axis=gone), object) if gone else table
        front = [n for n in front if n in later]
    return int(table) * free, True
