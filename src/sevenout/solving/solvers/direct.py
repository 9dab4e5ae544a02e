"""The equations of one policy, solved directly: for games too long for sweeps.

If a game ends with probability 1/n per roll, it takes some 30 n sweeps. One sparse LU decomposition
(SuperLU, Demmel et al. 1999) takes equal time for all n.
"""

from typing import TYPE_CHECKING

import numpy as np

from sevenout.solving.solvers.flat import Arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 50_000
"""The most nodes to solve directly."""
LONG = 5_000
"""Games of more mean moves are solved directly."""
ROUNDS = 30


def at_once(fixed: Arrays) -> "NDArray[np.float64]":
    """The value of each node without choices, if outcomes have the value 0."""
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    n = len(fixed.steps)
    source, inside = np.repeat(np.arange(n), np.diff(fixed.first)), fixed.targets < n
    parts = (fixed.shares * fixed.turns)[inside]
    moves = csc_array((parts, (source[inside], fixed.targets[inside])), shape=(n, n))
    sums = fixed.steps + np.add.reduceat(fixed.shares * fixed.gains, fixed.first[:-1])
    try:
        found: NDArray[np.float64] = splu(csc_array(eye_array(n) - moves)).solve(sums)
    except RuntimeError:  # singular: the chance to end is lost in rounding
        return np.full(n, 1e300)
    return found


def longest(flat: Arrays, values: "NDArray[np.float64]") -> None:
    """Policy iteration in floats, if all players maximise and every policy ends (Howard 1960).

    Args:
        flat: the arrays.
        values: first values of nodes, then of outcomes; overwritten by the result.
    """
    n = len(flat.steps)
    asked = np.flatnonzero(flat.senses)
    before = None
    for _ in range(ROUNDS):
        gains = values[flat.targets] + flat.gains
        starts = flat.first[asked]
        most = np.maximum.reduceat(gains, flat.first[:-1])
        best = np.flatnonzero(gains == np.repeat(most, np.diff(flat.first)))
        picks = best[np.searchsorted(best, starts)]
        if before is not None and (picks == before).all():
            return
        before = picks
        values[:n] = at_once(flat.only(picks))
