"""The equations of one policy, solved at once: for games that last too long to be swept.

A sweep of a game that ends with a chance of 1/n a roll leaves 1 - 1/n of an error, so that it takes
some 30 n sweeps to stand still. One sparse LU decomposition (SuperLU, Demmel et al. 1999) has the
same floats whatever n is.
"""

from typing import TYPE_CHECKING

import numpy as np

from sevenout.solve.solvers.flat import Arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 50_000
"""Nodes whose equations are solved at once."""
LONG = 5_000
"""Moves, in the mean, from which they are."""
ROUNDS = 30


def at_once(fixed: Arrays) -> "NDArray[np.float64]":
    """The value of each node where no one has a choice, and where outcomes are worth nothing."""
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    n = len(fixed.steps)
    source, inside = np.repeat(np.arange(n), np.diff(fixed.first)), fixed.targets < n
    parts = (fixed.shares * fixed.turns)[inside]
    moves = csc_array((parts, (source[inside], fixed.targets[inside])), shape=(n, n))
    sums = fixed.steps + np.add.reduceat(fixed.shares * fixed.gains, fixed.first[:-1])
    try:
        found: NDArray[np.float64] = splu(csc_array(eye_array(n) - moves)).solve(sums)
    except RuntimeError:  # singular: it ends with a chance that is nothing beside 1
        return np.full(n, 1e300)
    return found


def longest(flat: Arrays, values: "NDArray[np.float64]") -> None:
    """Policy iteration, where all at once want the most and every policy ends (Howard 1960).

    Args:
        flat: the arrays.
        values: of nodes, then of outcomes; to begin with, and what comes out.
    """
    n = len(flat.steps)
    asked = np.flatnonzero(flat.senses)
    before = None
    for _ in range(ROUNDS):
        worths = values[flat.targets] + flat.gains
        starts = flat.first[asked]
        most = np.maximum.reduceat(worths, flat.first[:-1])
        best = np.flatnonzero(worths == np.repeat(most, np.diff(flat.first)))
        picks = best[np.searchsorted(best, starts)]
        if before is not None and (picks == before).all():
            return
        before = picks
        values[:n] = at_once(flat.only(picks))
