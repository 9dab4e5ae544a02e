"""Outcome probabilities and counter means of large chains, by lifted visits (Wan 2006).

Intervals for visits come from `refinement`. With twice the bits of Hadamard's bound, an interval
holds only one fraction with a possible denominator, the exact probability. For the proof see
docs/explanation/exact.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, log2
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpz

from sevenout.solving.solvers.refinement import Equations, move_weights, weights

if TYPE_CHECKING:
    from sevenout.model import Chain

LONG = 46
"""Dot products with weights of more bits use Python's integers."""


@dataclass(frozen=True)
class Lifted:
    """Probabilities and means, within proved bounds.

    Attributes:
        outcomes: the probability of each outcome; exact if `bound` is 0.
        means: for each counter, a function that computes its mean.
        bound: the error bound of each probability.
        rolls_bound: the error bound of the mean number of rolls; k times as large for a counter
            that advances by at most k per roll.
    """

    outcomes: tuple[Fraction, ...]
    means: dict[str, Callable[[], Fraction]]
    bound: Fraction
    rolls_bound: Fraction


def lift(chain: "Chain", digits: int | None) -> Lifted:
    """The outcome probabilities and the mean number of rolls, to some digits or exact.

    Args:
        chain: the chain.
        digits: decimal digits to prove; None for exact fractions.

    Raises:
        CantRefineError: weights too large for 64 bits, or a chain too slow to end for floats; use
            elimination instead.
    """
    n, whole = len(chain.states), chain.denominator
    w = weights(chain)
    equations = Equations(w[:, :n], whole)
    slow = equations.length
    ends = w[:, n:].tocsc()
    gains = _gains(chain)
    columns = [_column(ends, k) for k in range(ends.shape[1])]
    alike = {a: next(b for b in gains if np.array_equal(gains[a], gains[b])) for a in gains}
    summed = {name: k for k, name in enumerate(dict.fromkeys(alike.values()), len(columns))}
    columns += [(slice(None), gains[name]) for name in summed]
    most = max(int(gain.max()) for gain in gains.values())
    spare = 8 + slow.bit_length() + most.bit_length()
    goal = ceil(digits * log2(10)) + 8 if digits else 2 * _hadamard(equations.matrix) + spare
    residual = np.zeros(n, np.int64)
    residual[0] = 1
    sums: list[list[tuple[int, int]]] = [[] for _ in columns]
    bits = 0
    while bits < goal + int(abs(residual).sum()).bit_length():
        x, step = equations.digit(residual)
        residual = (residual << step) - equations.transposed @ x
        bits += step
        for series, (rows, column) in zip(sums, columns, strict=True):
            series.append((_dot(x[rows], column), step))
    slack, size = int(abs(residual).sum()), 2**bits
    totals = [_horner(series) for series in sums]
    ways = totals[: ends.shape[1]]
    counts = {name: totals[summed[alike[name]]] for name in gains}
    if digits:
        error = Fraction(slack, size)
        return Lifted(
            tuple(Fraction(int(t), size) for t in ways),
            {name: partial(Fraction, int(t), size) for name, t in counts.items()},
            error,
            error * slow,
        )
    # The outcomes add up to one, so the last follows.
    exact = [_simplest(max(t - slack, 0), t + slack, size) for t in ways[:-1]]
    reach = {name: ceil(slack * slow * Fraction(int(g.max()), whole)) for name, g in gains.items()}
    return Lifted(
        (*exact, 1 - sum(exact, Fraction(0))),
        {
            name: partial(_simplest, max(t - reach[name], 0), t + reach[name], size)
            for name, t in counts.items()
        },
        Fraction(0),
        Fraction(0),
    )


def _gains(chain: "Chain") -> dict[str, Any]:
    """By counter: the addition of a visit to each state to its mean, times the denominator.

    Increments beyond 64 bits are Python integers. Losses of money have a counter of their own, with
    a minus before the name, so that all increments are positive.
    """
    # A chain this large has no move that takes its roll back (`NO_ROLL`).
    gains = {"rolls": np.full(len(chain.states), chain.denominator, np.int64)}
    moves, tagged, first = move_weights(chain), np.array(chain.tagged), np.array(chain.first)
    for counter in chain.counters[1:]:
        for sign, name in ((1, counter), (-1, f"-{counter}")):
            unit = sign * chain.units[counter]
            each = [max(int(dict(counts).get(counter, 0) * unit), 0) for counts in chain.tags]
            short = max(each) * chain.denominator * len(chain.states) < 2**LONG
            advanced = np.array(each, np.int64 if short else object)[tagged]
            gain = np.diff(np.concatenate([[0], np.cumsum(moves * advanced)])[first])
            if sign > 0 or gain.any():
                gains[name] = gain if short or gain.sum() >= 2**LONG else gain.astype(np.int64)
    return gains


def _column(ends: Any, k: int) -> tuple[Any, Any]:
    span = slice(ends.indptr[k], ends.indptr[k + 1])
    return ends.indices[span], ends.data[span]


def _dot(x: Any, weight: Any) -> int:
    """An exact dot product, in pieces whose sums stay within 62 bits."""
    if weight.dtype == object:
        return int(x.astype(object) @ weight)
    room = 62 - int(weight.sum()).bit_length()
    total = shift = 0
    while shift + room < 62:
        total += int((x & ((1 << room) - 1)) @ weight) << shift
        x = x >> room
        shift += room
    return total + (int(x @ weight) << shift)


def _horner(series: Sequence[tuple[int, int]]) -> Any:
    """Σ X_j 2^(bits - b_j), in pairs, to save long products."""
    parts = [(fmpz(x), step) for x, step in series]
    while len(parts) > 1:
        pairs = [
            ((a << t) + b, s + t) for (a, s), (b, t) in zip(parts[::2], parts[1::2], strict=False)
        ]
        parts = pairs + parts[len(pairs) * 2 :]
    return parts[0][0]


def _hadamard(matrix: Any) -> int:
    """The bits of Hadamard's bound on |det|."""
    squares = np.asarray(matrix.astype(float).power(2).sum(axis=1)).ravel()
    return ceil(float(np.log2(squares).sum()) / 2 * (1 + 1e-9)) + 2


def _simplest(low: Any, high: Any, size: int) -> Fraction:
    """The fraction with the least denominator in [low/size, high/size] (continued fractions)."""
    n1, d1, n2, d2 = fmpz(low), fmpz(size), fmpz(high), fmpz(size)
    p0, q0, p1, q1 = fmpz(0), fmpz(1), fmpz(1), fmpz(0)
    while True:
        whole = n1 // d1
        if whole * d1 == n1:
            break
        if whole != n2 // d2:
            whole += 1
            break
        p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
        n1, d1, n2, d2 = d2, n2 - whole * d2, d1, n1 - whole * d1
    return Fraction(int(whole * p1 + p0), int(whole * q1 + q0))
