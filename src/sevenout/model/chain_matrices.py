"""The matrices of an absorbing Markov chain, as a course on Markov chains writes them.

A chain of t transient states and r ends has the transition matrix

    P = | Q  R |
        | 0  I |

Q, of shape (t, t), holds the probabilities between transient states, and R, of shape (t, r), those
of the ends. The fundamental matrix N = (I - Q)^-1 holds expected visits: a chain that starts in
state i is in state j N[i][j] times on average, the start included. So the rows of N add up to the
expected number of rolls, and N R holds the probability of each end.

Source: J. G. Kemeny and J. L. Snell, Finite Markov Chains, 1960, chapter 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.documents import Column, HasPage, Page, Table
from sevenout.documents.kinds import FRACTION
from sevenout.documents.numbers import quantity
from sevenout.errors import TooMuchWorkError, printable
from sevenout.model.model import Chain
from sevenout.wrong_arguments import public

MAX_MATRIX_STATES = 60
"""A wider matrix fits neither a page nor a lesson; `solve` takes chains of any size."""

Matrix = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, repr=False)
class ChainMatrices(HasPage):
    """The matrices of an absorbing chain, exactly; t transient states, r ends.

    >>> coin = ChainMatrices(("tails",), ("heads",), ((Fraction(1, 2),),), ((Fraction(1, 2),),))
    >>> coin.visits, coin.rolls, coin.absorption
    (((Fraction(2, 1),),), (Fraction(2, 1),), ((Fraction(1, 1),),))

    Attributes:
        states: the names of the transient states, in the order of rows; the first is the start.
        ends: the names of the ends, in the order of the columns of `end_steps`.
        steps: Q, the probability of each step between transient states, shape (t, t).
        end_steps: R, the probability of each step to an end, shape (t, r).
    """

    states: tuple[str, ...]
    ends: tuple[str, ...]
    steps: Matrix
    end_steps: Matrix

    @cached_property
    def visits(self) -> Matrix:
        """N, the fundamental matrix: expected visits to each state from each, shape (t, t)."""
        from flint import fmpq, fmpq_mat

        t = len(self.states)
        left = fmpq_mat(t, t)
        for i, row in enumerate(self.steps):
            for j, p in enumerate(row):
                left[i, j] = fmpq(int(i == j)) - fmpq(p.numerator, p.denominator)
        inverse = left.inv()
        return tuple(
            tuple(Fraction(int(inverse[i, j].p), int(inverse[i, j].q)) for j in range(t))
            for i in range(t)
        )

    @cached_property
    def rolls(self) -> tuple[Fraction, ...]:
        """N·1, the expected number of steps to the end from each state, shape (t,)."""
        return tuple(sum(row, Fraction()) for row in self.visits)

    @cached_property
    def absorption(self) -> Matrix:
        """N R, the probability of each end from each state, shape (t, r)."""
        columns = list(zip(*self.end_steps, strict=True))
        return tuple(
            tuple(
                sum((a * b for a, b in zip(row, column, strict=True)), Fraction())
                for column in columns
            )
            for row in self.visits
        )

    def __repr__(self) -> str:
        states, ends = quantity(len(self.states), "state"), quantity(len(self.ends), "end")
        return f"<ChainMatrices of {states}, {ends}>"

    def page(self) -> Page:
        """Q, R, N and N R as tables of fractions, with the expected rolls."""

        def table(caption: str, heads: Sequence[str], matrix: Matrix) -> Table:
            columns = [Column("from"), *(Column(head, FRACTION) for head in heads)]
            rows = [(name, *row) for name, row in zip(self.states, matrix, strict=True)]
            return Table(columns, rows, caption=caption)

        rolls = tuple((mean,) for mean in self.rolls)
        return Page(
            "Transition and fundamental matrices",
            table("Q: probability of each step between states", self.states, self.steps),
            table("R: probability of each step to an end", self.ends, self.end_steps),
            table("N = (I - Q)^-1: expected visits to each state", self.states, self.visits),
            table("N R: probability of each end", self.ends, self.absorption),
            table("N 1: expected rolls to the end", ["rolls"], rolls),
        )

    def to_dict(self) -> dict[str, Any]:
        """The matrices as data, with exact fractions."""
        named = {"Q": self.steps, "R": self.end_steps, "N": self.visits, "NR": self.absorption}
        texts = {name: [list(map(str, row)) for row in matrix] for name, matrix in named.items()}
        return {"states": list(self.states), "ends": list(self.ends), **texts}

    def numpy(self) -> str:
        """A program for NumPy that builds Q and R and computes N, the rolls and the ends.

        >>> coin = ChainMatrices(("tails",), ("heads",), ((Fraction(1, 2),),), ((Fraction(1, 2),),))
        >>> print(coin.numpy().splitlines()[4])
        Q = np.array([[1/2]])
        """
        lines = [
            "import numpy as np",
            "",
            f"states = {list(self.states)!r}",
            f"ends = {list(self.ends)!r}",
            f"Q = np.array([{_numpy_rows(self.steps)}])",
            f"R = np.array([{_numpy_rows(self.end_steps)}])",
            "N = np.linalg.inv(np.eye(len(Q)) - Q)  # expected visits",
            "rolls = N.sum(axis=1)  # expected rolls from each state",
            "B = N @ R  # probability of each end from each state",
        ]
        return "\n".join(lines) + "\n"

    def latex(self) -> str:
        r"""Q, R, N and N R as matrices in LaTeX, with amsmath.

        >>> coin = ChainMatrices(("tails",), ("heads",), ((Fraction(1, 2),),), ((Fraction(1, 2),),))
        >>> print(coin.latex().splitlines()[5])
        \tfrac{1}{2} \\
        """
        named = (
            ("Q", self.steps),
            ("R", self.end_steps),
            ("N = (I - Q)^{-1}", self.visits),
            ("N R", self.absorption),
        )
        lines = [
            f"% states: {', '.join(self.states)}",
            f"% ends: {', '.join(self.ends)}",
            rf"\setcounter{{MaxMatrixCols}}{{{MAX_MATRIX_STATES}}}",
        ]
        for name, matrix in named:
            rows = [" & ".join(map(_latex_number, row)) + r" \\" for row in matrix]
            lines += [r"\[", rf"{name} = \begin{{pmatrix}}", *rows, r"\end{pmatrix}", r"\]"]
        return "\n".join(lines) + "\n"


@public
def matrices(chain: Chain) -> ChainMatrices:
    """The transition matrix of a chain in its parts, with its fundamental matrix.

    >>> from sevenout.model import chain_of, matrices
    >>> from sevenout.rules import PointGame
    >>> craps = matrices(chain_of(PointGame([7, 11], [2, 3, 12], 7)))
    >>> craps.states[:2], str(craps.steps[1][1]), str(craps.rolls[0])
    (('come-out', '4'), '3/4', '557/165')

    Raises:
        TooMuchWorkError: over `MAX_MATRIX_STATES` states.
    """
    t, r = len(chain.states), len(chain.outcomes)
    if t > MAX_MATRIX_STATES:
        raise TooMuchWorkError(
            f"{t:,} states are too many for a matrix (at most {MAX_MATRIX_STATES}); solve(game) "
            "takes them"
        )
    rows = [
        [Fraction(row.get(target, 0), chain.denominator) for target in range(t + r)]
        for row in chain.weights
    ]
    names = tuple(printable(chain.name(target)) for target in range(t + r))
    return ChainMatrices(
        states=names[:t],
        ends=names[t:],
        steps=tuple(tuple(row[:t]) for row in rows),
        end_steps=tuple(tuple(row[t:]) for row in rows),
    )


def _numpy_rows(matrix: Matrix) -> str:
    return ",\n              ".join(f"[{', '.join(map(str, row))}]" for row in matrix)


def _latex_number(p: Fraction) -> str:
    return str(p) if p.denominator == 1 else rf"\tfrac{{{p.numerator}}}{{{p.denominator}}}"
