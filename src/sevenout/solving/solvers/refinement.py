"""The linear equations of a chain to any number of digits: solved in floats, proved in integers.

With W the total weight out of a state and w the weights between states, M = diag(W) - w is an
integer matrix. Expected visits over W solve y M = b, expected rewards M x = b. The result is
x = Σ X_j 2^-b_j with integer vectors X_j; M times the error is the last residual (Wilkinson 1963;
Wan 2006).

An integer vector h > 0 with M h >= c > 0 proves that the game ends, and that no |M^-1 r| exceeds
h max |r| / c. It is twice the mean number of rolls, rounded. For the proof see
docs/explanation/exact.md.
"""

from functools import cached_property
from math import floor, log2
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from sevenout.errors import RulesError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sevenout.model import Chain

LIMIT = 2**62
"""A bound on every integer vector, so that 64 bits never overflow."""
FINE = 10
"""Fractional bits of the ranking h."""


class CantRefineError(RulesError):
    """Floats can't factor the chain accurately; use elimination."""


def move_weights(chain: "Chain") -> "NDArray[np.int64]":
    """The weight of each move, over the chain's denominator.

    Raises:
        CantRefineError: weights too large for 64 bits.
    """
    if chain.denominator >= 2**24:
        raise CantRefineError(
            f"a denominator of {chain.denominator} is too large to lift in 64 bits"
        )
    laws = [rollable.law for rollable in chain.rollables]
    each = [np.array(law.weights) * (chain.denominator // law.denominator) for law in laws]
    if len(laws) == 1:
        return np.tile(each[0], len(chain.states))
    return np.concatenate([each[rolled] for rolled in chain.rolled])


def weights(chain: "Chain", moves: Any = slice(None)) -> Any:
    """The weights of some or all moves, as a sparse matrix of states by states and outcomes."""
    n, target = len(chain.states), np.array(chain.targets, np.int64)
    rows = np.repeat(np.arange(n), np.diff(chain.first))
    shape = (n, n + len(chain.outcomes))
    entries = (move_weights(chain)[moves], (rows[moves], target[moves]))
    matrix = sp.csr_matrix(entries, shape, np.int64)
    matrix.sum_duplicates()
    return matrix


class Equations:
    """The equations of a chain, or of some of its moves.

    Args:
        between: the weights between states, n by n, sparse.
        whole: the total weight out of each state.

    Raises:
        CantRefineError: floats can't factor the matrix.
    """

    def __init__(self, between: Any, whole: int) -> None:
        self.n, self.whole = between.shape[0], whole
        self.matrix = (sp.identity(self.n, np.int64, "csr") * whole - between).tocsr()
        self.transposed = self.matrix.T.tocsr()
        try:
            self._factored = splu(self.transposed.astype(float).tocsc(), diag_pivot_thresh=0.0)
        except RuntimeError as error:  # singular in floats
            raise CantRefineError("the chain is too slow to end for floating point") from error
        self.row_sum = int(abs(self.matrix).sum(axis=1).max())
        self.column_sum = int(abs(self.transposed).sum(axis=1).max())

    def values(self, right: "NDArray[Any]") -> "NDArray[np.float64]":
        """X with M x = right, in floats."""
        found: NDArray[np.float64] = self._factored.solve(right.astype(float), trans="T")
        return found

    def visits(self, right: "NDArray[Any]") -> "NDArray[np.float64]":
        """Y with y M = right, in floats."""
        found: NDArray[np.float64] = self._factored.solve(right.astype(float))
        return found

    @cached_property
    def ranking(self) -> "NDArray[np.int64]":
        """H in units of 2**-FINE, with M h >= W: h is at least 1 more than its mean after a roll.

        Raises:
            CantRefineError: the game is too slow to end for floats.
        """
        rolls = self.values(np.full(self.n, 2.0 * self.whole))
        top = float(abs(rolls).max())
        if np.isfinite(top) and top * 2**FINE * self.row_sum < LIMIT:
            ranking: NDArray[np.int64] = np.rint(np.ldexp(rolls, FINE)).astype(np.int64)
            falls = int((self.matrix @ ranking).min())
            if int(ranking.min()) > 0 and falls >= self.whole << FINE:
                return ranking
        raise CantRefineError(
            "no proof was found that the game ends: it is too slow to end for floats"
        )

    @property
    def length(self) -> int:
        """A proved bound on the mean number of rolls from any state."""
        return (int(self.ranking.max()) >> FINE) + 1

    def digit(self, residual: "NDArray[np.int64]") -> "tuple[NDArray[np.int64], int]":
        """The next integer vector in the expansion of the visits, and the bits that it gains."""
        rough = self.visits(residual)
        top = max(1.0, float(abs(rough).max()), float(abs(residual).max()) / self.column_sum)
        step = min(50, floor(log2(LIMIT / self.column_sum / top)) - 1)
        if step < 4:
            raise CantRefineError("the factorisation is too inaccurate; use the elimination")
        return np.rint(np.ldexp(rough, step)).astype(np.int64), step

    @property
    def step(self) -> int:
        """Bits of each digit of `expanded`, within the room of 64-bit residuals."""
        return min(32, 58 - (self.length * self.row_sum).bit_length())

    def expanded(self, right: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """The digits of x with M x = b, both as sums Σ digit[j] 2^(-step j).

        All digits but the first are at least 0 and below 2**step.

        Args:
            right: the digits of b, one row each; only the first may exceed W 2**step.

        Raises:
            CantRefineError: x has no digits in floats; or the last residual is over W.
        """
        step = self.step
        found = np.empty_like(right)
        residual = np.zeros(self.n, np.int64)
        for j, digit in enumerate(right):
            if step < 4 or int(abs(residual).max()) >= LIMIT >> (step + 1):
                raise CantRefineError(
                    "the values do not settle: the game is too slow to end for floats"
                )
            residual = (residual << step) + digit
            rough = np.rint(self.values(residual))
            if not float(abs(rough).max()) < LIMIT / 2 / self.row_sum:
                raise CantRefineError(
                    "the values do not settle: the game is too slow to end for floats"
                )
            found[j] = rough.astype(np.int64)
            residual = residual - self.matrix @ found[j]
        if int(abs(residual).max()) > self.whole:
            raise CantRefineError(
                "the values do not settle: the game is too slow to end for floats"
            )
        for j in range(len(found) - 1, 0, -1):
            found[j - 1] += found[j] >> step
            found[j] &= (1 << step) - 1
        return found
