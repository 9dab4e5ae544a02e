"""Large chains, solved in floats and proved in integers: digits with a bound, or exact fractions.

*Refinement.* With W the total weight out of a state and w the weights between states,
M = diag(W) - w is an integer matrix. Expected visits over W solve y M = b, expected rewards
M x = b. The result is x = Σ X_j 2^-b_j with integer vectors X_j; M times the error is the last
residual (Wilkinson 1963; Wan 2006).

*Bound.* An integer vector h > 0 with M h >= c > 0 proves that the game ends, and that no |M^-1 r|
exceeds h max |r| / c. It is twice the mean number of rolls, rounded.

*Lifting.* With twice the bits of Hadamard's bound, the interval of a probability holds only one
fraction with a possible denominator: the exact probability.

For the proofs see docs/explanation/exact.md. `LiftedChain` has the results of a chain,
`certified_values` the value of every state, as a certificate needs it; both use `Equations`.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import ceil, floor, lcm, log2
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import scipy.sparse as sp
from flint import fmpz
from scipy.sparse.linalg import splu

from sevenout.certify import Certificate, Claim, Proved
from sevenout.errors import RulesError
from sevenout.model import Chain
from sevenout.rules import Outcome

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_INTEGER = 2**62
"""A bound on every integer vector, so that 64 bits never overflow."""

RANKING_BITS = 10
"""Fractional bits of the ranking h."""

MAX_WEIGHT_BITS = 46
"""Dot products with weights of more bits use Python's integers."""

FIRST_DIGIT_BITS = 40
"""Bits of the first digit of a state's gain."""


UNSETTLED = "the values do not settle: the game is too slow to end for floats"
"""The error of values whose residual does not shrink."""


class CantRefineError(RulesError):
    """Floats can't factor the chain accurately; use elimination."""


class LiftedChain:
    """A chain solved in floats, within proved bounds.

    Attributes:
        chain: the chain.
        method: "lifting" if exact, "certified" if to a number of digits.
        outcomes: the probability of each outcome; exact if `bound` is 0.
        bound: the error bound of each probability.
        rolls_bound: the error bound of the mean number of rolls; k times as large for a counter
            that advances by at most k per roll.

    Raises:
        CantRefineError: weights too large for 64 bits, or a chain too slow to end for floats; use
            elimination instead.
    """

    method: Literal["lifting", "certified"]

    def __init__(self, chain: Chain, digits: int | None) -> None:
        self.chain = chain
        self.method = "certified" if digits else "lifting"
        n, whole = len(chain.states), chain.denominator
        matrix = weights(chain)
        equations = Equations(matrix[:, :n], whole)
        gains = _gains(chain)
        if digits:
            min_bits = ceil(digits * log2(10)) + 8
        else:
            largest = max(int(gain.max()) for gain in gains.values())
            spare = 8 + equations.length.bit_length() + largest.bit_length()
            min_bits = 2 * _hadamard(equations.matrix) + spare
        flows, counts, error, bits = _flows_and_counts(equations, matrix[:, n:], gains, min_bits)
        unit = 1 << bits
        # By counter, called for its mean: making a fraction takes long, and most are never asked.
        self._means: dict[str, Callable[[], Fraction]]
        if digits:
            self.bound = Fraction(error, unit)
            self.rolls_bound = self.bound * equations.length
            probabilities = [Fraction(int(flow), unit) for flow in flows]
            self._means = {name: partial(Fraction, int(t), unit) for name, t in counts.items()}
        else:
            self.bound = self.rolls_bound = Fraction(0)
            # The outcomes add up to one, so the last follows.
            all_but_last = [
                _simplest_fraction(max(flow - error, 0), flow + error, unit) for flow in flows[:-1]
            ]
            probabilities = [*all_but_last, 1 - sum(all_but_last, Fraction(0))]
            self._means = {}
            for name, total in counts.items():
                per_roll = Fraction(int(gains[name].max()), whole)
                mean_error = ceil(error * equations.length * per_roll)
                self._means[name] = partial(
                    _simplest_fraction, max(total - mean_error, 0), total + mean_error, unit
                )
        self.outcomes: dict[Outcome, Fraction] = dict(
            zip(chain.outcomes, probabilities, strict=True)
        )

    def mean(self, counter: str) -> Fraction:
        """The mean of a counter."""
        if counter == "rolls":
            return self._means["rolls"]()
        loss = self._means.get(f"-{counter}", Fraction)()
        return (self._means[counter]() - loss) / self.chain.units[counter]


def _flows_and_counts(
    equations: "Equations", end_weights: Any, gains: Mapping[str, Any], min_bits: int
) -> tuple[list[Any], dict[str, Any], int, int]:
    """The flow into each outcome and the mean of each gain; error and bits as in `_expansion`."""
    ends = end_weights.tocsc()
    columns = [_column(ends, k) for k in range(ends.shape[1])]
    # Counters that always advance together share a column: each costs a dot product per digit.
    first_equal = {a: next(b for b in gains if np.array_equal(gains[a], gains[b])) for a in gains}
    distinct = dict.fromkeys(first_equal.values())
    columns += [(slice(None), gains[name]) for name in distinct]
    totals, error, bits = _expansion(equations, columns, min_bits)
    flows = totals[: ends.shape[1]]
    counts = dict(zip(distinct, totals[ends.shape[1] :], strict=True))
    return flows, {name: counts[first_equal[name]] for name in gains}, error, bits


def _expansion(
    equations: "Equations", columns: Sequence[tuple[Any, Any]], min_bits: int
) -> tuple[list[Any], int, int]:
    """The visits' dot products with columns, in units of 2^-bits; their error, in units; the bits.

    Args:
        equations: of the chain.
        columns: rows and weights.
        min_bits: how many bits must be right.
    """
    residual = np.zeros(equations.n, np.int64)
    residual[0] = 1
    sums: list[list[tuple[int, int]]] = [[] for _ in columns]
    bits = 0
    # The error is below the last residual, so its bits come on top.
    while bits < min_bits + int(abs(residual).sum()).bit_length():
        digit, step = equations.digit(residual)
        residual = (residual << step) - equations.transposed @ digit
        bits += step
        for series, (rows, column) in zip(sums, columns, strict=True):
            series.append((_dot(digit[rows], column), step))
    return [_horner(series) for series in sums], int(abs(residual).sum()), bits


def _gains(chain: Chain) -> dict[str, Any]:
    """By counter: what a visit to each state adds to its mean, times the denominator; shape (n,).

    Increments beyond 64 bits are Python integers. Losses of money have a counter of their own, with
    a minus before the name, so that all increments are positive.
    """
    # A chain this large has no move that takes its roll back (`NO_ROLL`).
    gains = {"rolls": np.full(len(chain.states), chain.denominator, np.int64)}
    tag_index, first = np.array(chain.tag_index), np.array(chain.first_move)
    move_shares = move_weights(chain)
    for counter in chain.counters[1:]:
        for sign, name in ((1, counter), (-1, f"-{counter}")):
            unit = sign * chain.units[counter]
            steps = [max(int(dict(counts).get(counter, 0) * unit), 0) for counts in chain.tags]
            # Products with digits must stay in 64 bits; larger sums go through Python's integers.
            is_short = max(steps) * chain.denominator * len(chain.states) < 2**MAX_WEIGHT_BITS
            increments = np.array(steps, np.int64 if is_short else object)[tag_index]
            gain = np.diff(np.concatenate([[0], np.cumsum(move_shares * increments)])[first])
            # The estimate was for the largest increment; the sum itself may still be short.
            if not is_short and gain.sum() < 2**MAX_WEIGHT_BITS:
                gain = gain.astype(np.int64)
            if sign > 0 or gain.any():
                gains[name] = gain
    return gains


def _column(ends: Any, k: int) -> tuple[Any, Any]:
    """The rows of a sparse matrix with an entry in column k, and the entries."""
    span = slice(ends.indptr[k], ends.indptr[k + 1])
    return ends.indices[span], ends.data[span]


def _dot(x: Any, weight: Any) -> int:
    """An exact dot product, in pieces whose sums stay within 62 bits."""
    if weight.dtype == object:
        return int(x.astype(object) @ weight)
    # Pieces of x of `room` bits: their products with all weights add up to 62 bits at most.
    room = 62 - int(weight.sum()).bit_length()
    total = shift = 0
    while shift + room < 62:
        total += int((x & ((1 << room) - 1)) @ weight) << shift
        x = x >> room
        shift += room
    return total + (int(x @ weight) << shift)


def _horner(series: Sequence[tuple[int, int]]) -> Any:
    """Σ X_j 2^(bits - b_j), in pairs, to save long products."""
    terms = [(fmpz(x), step) for x, step in series]
    while len(terms) > 1:
        pairs = [
            ((a << t) + b, s + t) for (a, s), (b, t) in zip(terms[::2], terms[1::2], strict=False)
        ]
        terms = pairs + terms[len(pairs) * 2 :]
    return terms[0][0]


def _hadamard(matrix: Any) -> int:
    """The bits of Hadamard's bound on |det|."""
    squares = np.asarray(matrix.astype(float).power(2).sum(axis=1)).ravel()
    return ceil(float(np.log2(squares).sum()) / 2 * (1 + 1e-9)) + 2


def _simplest_fraction(low: Any, high: Any, unit: int) -> Fraction:
    """The fraction with the least denominator in [low/unit, high/unit] (continued fractions)."""
    n1, d1, n2, d2 = fmpz(low), fmpz(unit), fmpz(high), fmpz(unit)
    p0, q0, p1, q1 = fmpz(0), fmpz(1), fmpz(1), fmpz(0)
    while True:
        whole = n1 // d1
        # The lower end itself is a fraction of small denominator.
        if whole * d1 == n1:
            break
        # A whole number lies between the ends: nothing simpler does.
        if whole != n2 // d2:
            whole += 1
            break
        p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
        n1, d1, n2, d2 = d2, n2 - whole * d2, d1, n1 - whole * d1
    return Fraction(int(whole * p1 + p0), int(whole * q1 + q0))


def move_weights(chain: Chain) -> "NDArray[np.int64]":
    """The weight of each move, over the chain's denominator.

    Raises:
        CantRefineError: weights too large for 64 bits.
    """
    if chain.denominator >= 2**24:
        raise CantRefineError(
            f"a denominator of {chain.denominator} is too large to lift in 64 bits"
        )
    laws = [rollable.law for rollable in chain.rollables]
    shares = [np.array(law.weights) * (chain.denominator // law.denominator) for law in laws]
    # Chains with one kind of roll are the rule, and a tile is much faster than a million pieces.
    if len(laws) == 1:
        return np.tile(shares[0], len(chain.states))
    return np.concatenate([shares[rolled] for rolled in chain.rollable_index])


def weights(chain: Chain, moves: Any = slice(None)) -> Any:
    """The weights of some or all moves, as a sparse matrix of states by states and outcomes."""
    n, target = len(chain.states), np.array(chain.targets, np.int64)
    rows = np.repeat(np.arange(n), np.diff(chain.first_move))
    shape = (n, n + len(chain.outcomes))
    entries = (move_weights(chain)[moves], (rows[moves], target[moves]))
    matrix = sp.csr_matrix(entries, shape, np.int64)
    matrix.sum_duplicates()
    return matrix


class Equations:
    """The equations of a chain, or of some of its moves.

    How it works. One sparse LU factorisation in floats (SuperLU) serves all solutions. A digit is
    the float solution, rounded to integers; the residual, which stays in 64 bits, is exact.

    Args:
        inner_weights: the weights between states, n by n, sparse.
        whole: the total weight out of each state.

    Attributes:
        n: the number of states.
        whole: the total weight out of each state.
        matrix: M, sparse.
        transposed: M transposed, sparse.
        row_sum: the largest sum of the absolute values of a row of M.
        column_sum: the largest sum of the absolute values of a column.

    Raises:
        CantRefineError: floats can't factor the matrix.
    """

    def __init__(self, inner_weights: Any, whole: int) -> None:
        self.n, self.whole = inner_weights.shape[0], whole
        self.matrix = (sp.identity(self.n, np.int64, "csr") * whole - inner_weights).tocsr()
        self.transposed = self.matrix.T.tocsr()
        try:
            self._factored = splu(self.transposed.astype(float).tocsc(), diag_pivot_thresh=0.0)
        except RuntimeError as error:  # singular in floats
            raise CantRefineError("the chain is too slow to end for floating point") from error
        self.row_sum = int(abs(self.matrix).sum(axis=1).max())
        self.column_sum = int(abs(self.transposed).sum(axis=1).max())

    def values(self, right: "NDArray[Any]") -> "NDArray[np.float64]":
        """The x with M x = right, in floats."""
        values: NDArray[np.float64] = self._factored.solve(right.astype(float), trans="T")
        return values

    def visits(self, right: "NDArray[Any]") -> "NDArray[np.float64]":
        """The y with y M = right, in floats."""
        visits: NDArray[np.float64] = self._factored.solve(right.astype(float))
        return visits

    @cached_property
    def ranking(self) -> "NDArray[np.int64]":
        """The ranking h, in units of 2**-RANKING_BITS.

        M h >= W, so it falls by 1 or more on average per roll.

        Raises:
            CantRefineError: the game is too slow to end for floats.
        """
        # Twice the mean number of rolls leaves room for rounding: half of the fall is enough.
        rolls = self.values(np.full(self.n, 2.0 * self.whole))
        top = float(abs(rolls).max())
        if np.isfinite(top) and top * 2**RANKING_BITS * self.row_sum < MAX_INTEGER:
            ranking: NDArray[np.int64] = np.rint(np.ldexp(rolls, RANKING_BITS)).astype(np.int64)
            falls = int((self.matrix @ ranking).min())
            if int(ranking.min()) > 0 and falls >= self.whole << RANKING_BITS:
                return ranking
        raise CantRefineError(
            "no proof was found that the game ends: it is too slow to end for floats"
        )

    @property
    def length(self) -> int:
        """A proved bound on the mean number of rolls from any state."""
        return (int(self.ranking.max()) >> RANKING_BITS) + 1

    def digit(self, residual: "NDArray[np.int64]") -> "tuple[NDArray[np.int64], int]":
        """The next integer vector in the expansion of the visits, and the bits that it gains."""
        rough = self.visits(residual)
        top = max(1.0, float(abs(rough).max()), float(abs(residual).max()) / self.column_sum)
        # The digit times the columns of M must stay below MAX_INTEGER, or residuals would overflow.
        step = min(50, floor(log2(MAX_INTEGER / self.column_sum / top)) - 1)
        # With so few bits per digit the residual hardly shrinks.
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
        digits = np.empty_like(right)
        residual = np.zeros(self.n, np.int64)
        for j, digit in enumerate(right):
            if step < 4 or int(abs(residual).max()) >= MAX_INTEGER >> (step + 1):
                raise CantRefineError(UNSETTLED)
            residual = (residual << step) + digit
            rough = np.rint(self.values(residual))
            # Written so that a NaN is refused too.
            if not float(abs(rough).max()) < MAX_INTEGER / 2 / self.row_sum:
                raise CantRefineError(UNSETTLED)
            digits[j] = rough.astype(np.int64)
            residual = residual - self.matrix @ digits[j]
        if int(abs(residual).max()) > self.whole:
            raise CantRefineError(UNSETTLED)
        # Rounded digits may be negative; carries make all but the first non-negative.
        for j in range(len(digits) - 1, 0, -1):
            digits[j - 1] += digits[j] >> step
            digits[j] &= (1 << step) - 1
        return digits


def certified_values(chain: Chain, claims: Sequence[Claim], title: str, digits: int) -> Certificate:
    """The certificate of a chain, to this many decimals.

    Raises:
        CantRefineError: the game is too slow to end for floats.
    """
    return _CertifiedValues(chain, claims, digits).certificate(title)


class _CertifiedValues:
    """The columns of a certificate: integers over a common scale.

    Attributes:
        chain: the chain.
        claims: the claims to prove.
        n: the number of states.
        move_weights: the weight of each move, over the chain's denominator.
        first: the first move of each state, shape (n,).
        equations: of the chain.
        denominator: the common one of all amounts claimed.
        step: the bits of a digit.
        digits_after_point: how many digits of a value come after the point.
    """

    def __init__(self, chain: Chain, claims: Sequence[Claim], digits: int) -> None:
        self.chain, self.claims = chain, claims
        self.n = len(chain.states)
        self.move_weights, self.first = move_weights(chain), np.array(chain.first_move)[:-1]
        self.equations = Equations(weights(chain)[:, : self.n], chain.denominator)
        amounts = [claim.amount(outcome) for claim in claims for outcome in chain.outcomes]
        amounts += [Fraction(c.gain(tag)) for c in claims if c.counter for tag in chain.tags]
        self.denominator = lcm(*(amount.denominator for amount in amounts))
        self.step = self.equations.step
        bits = digits * log2(10) + self.equations.length.bit_length() + 2
        self.digits_after_point = ceil(bits / max(self.step, 1))

    def certificate(self, title: str) -> Certificate:
        proved = [
            Proved(claim, tuple(self._law(claim) if claim.of == "law" else [self._mean(claim)]))
            for claim in self.claims
        ]
        return Certificate(
            title,
            self.chain,
            tuple(proved),
            self.equations.ranking.tolist(),
            scale=self.denominator << self.step * self.digits_after_point,
            residual=1,
            rank_fall=1 << RANKING_BITS,
        )

    def _mean(self, claim: Claim) -> list[int]:
        """The mean from each state on: gains on the way and at the end."""
        value = [0] * self.n + [self._scaled(claim.amount(o)) for o in self.chain.outcomes]
        after = np.array(value, object)[np.array(self.chain.targets)]
        if claim.counter:
            gains = [self._scaled(Fraction(claim.gain(tag))) for tag in self.chain.tags]
            after = after + np.array(gains, object)[np.array(self.chain.tag_index)]
        gain = np.add.reduceat(after * self.move_weights, self.first)
        digits = self._digits(gain, max(map(abs, gain)))
        return self._integers(self.equations.expanded(digits))

    def _scaled(self, amount: Fraction) -> int:
        return int(amount * self.denominator)

    def _digits(self, integers: "NDArray[Any]", bound: int) -> "NDArray[np.int64]":
        """Integers up to `bound` as digits, with as many places after the point as are proved."""
        before_point = ceil(max(bound.bit_length() - FIRST_DIGIT_BITS, 0) / self.step)
        digits = np.zeros((before_point + self.digits_after_point + 1, self.n), np.int64)
        for j in range(before_point, 0, -1):
            digits[j] = integers & ((1 << self.step) - 1)
            integers = integers >> self.step
        digits[0] = integers
        return digits

    def _law(self, claim: Claim) -> list[list[int]]:
        """For each term, the probability of that remaining count in each state."""
        tag_index, one = np.array(self.chain.tag_index), self.chain.denominator * self.denominator
        gains = np.array([int(claim.gain(tag)) for tag in self.chain.tags])[tag_index]
        by_gain = {gain: weights(self.chain, gains == gain) for gain in {0, *gains.tolist()}}
        uncounted = Equations(by_gain[0][:, : self.n], self.chain.denominator)
        columns: list[NDArray[np.int64]] = []
        for k in range(claim.terms):
            ended = np.zeros(self.n, object)
            if k in by_gain:
                ended += by_gain[k][:, self.n :].sum(axis=1).A1.astype(object) * self.denominator
            right = self._digits(ended, one)
            for gain, matrix in by_gain.items():
                if 0 < gain <= k:
                    right += (matrix[:, : self.n] @ columns[k - gain].T).T
            columns.append(uncounted.expanded(right))
        return [self._integers(column) for column in columns]

    def _integers(self, digits: "NDArray[np.int64]") -> list[int]:
        """The value of each state in units of its last digit."""
        total = digits[0].astype(object)
        for digit in digits[1:]:
            total = (total << self.step) + digit
        integers: list[int] = total.tolist()
        return integers
