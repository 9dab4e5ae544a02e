"""The distribution of the total of many bets by convolution: exact, or with a proved bound.

The total of N bets has the N-th power of a polynomial as its generating function (Feller 1968,
ch. XI). Short integers are kept whole. Longer coefficients are rounded *down*, so that the deficit
of their sum from 1 bounds every error. Only a window of some standard deviations is multiplied. See
docs/explanation/exact.md.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil, gcd, isqrt, lcm
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import (
    Distribution,
    FiniteDistribution,
    checked_probability,
    decided_quantile,
)

EXACT_BITS = 100_000_000
"""The most bits in all the integers of an exact convolution."""
CERTIFIED_TERMS = 1_500_000
"""The most terms in the window of a certified convolution."""
BITS = 160
"""Binary places of a certified probability."""
TAIL = 120
"""Tails lighter than 2^-TAIL are dropped."""
WINDOW = 40
"""The width of a window: at most this many standard deviations and as many of the largest steps."""


@dataclass(frozen=True)
class Lattice:
    """A distribution on equally spaced points `low + k * unit`.

    Attributes:
        low: the least point.
        unit: the distance of neighbouring points.
        points: (k, integer weight) of each point with weight, in ascending order.
    """

    low: Fraction
    unit: Fraction
    points: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, law: Mapping[Fraction, Fraction]) -> "Lattice":
        """The coarsest lattice of a distribution of exact amounts.

        >>> Lattice.of({Fraction(-1): Fraction(1, 2), Fraction(3, 2): Fraction(1, 2)})
        Lattice(low=Fraction(-1, 1), unit=Fraction(5, 2), points=((0, 1), (1, 1)))
        """
        law = profits(law)
        scale = lcm(*(x.denominator for x in law))
        amounts = {int(x * scale): p for x, p in law.items()}
        low = min(amounts)
        step = gcd(*(x - low for x in amounts)) or 1
        common = lcm(*(p.denominator for p in amounts.values()))
        weights = {(x - low) // step: int(p * common) for x, p in amounts.items()}
        shared = gcd(*weights.values())
        points = sorted((k, w // shared) for k, w in weights.items())
        return cls(Fraction(low, scale), Fraction(step, scale), tuple(points))

    @property
    def denominator(self) -> int:
        """The sum of the weights."""
        return sum(weight for _, weight in self.points)

    @property
    def span(self) -> int:
        """The k of the last point."""
        return self.points[-1][0]


def profits(law: Any) -> dict[Fraction, Fraction]:
    """A distribution of exact profits as a dictionary.

    >>> profits({"3/2": "1/3", -1: "2/3"})
    {Fraction(3, 2): Fraction(1, 3), Fraction(-1, 1): Fraction(2, 3)}

    Raises:
        RulesError: anything else.
    """
    if not isinstance(law, Mapping) or not law:
        raise RulesError(
            f"{shown(law)} is not a distribution of profits; give solve(game).bet(...).profit, "
            f"or {{profit: probability}}"
        )
    exact_law = {exact(x): exact(p) for x, p in law.items()}
    if min(exact_law.values()) < 0 or sum(exact_law.values()) != 1:
        raise RulesError(
            f"{shown(law)} is not a distribution; give probabilities of 0 or more that add up to 1"
        )
    return exact_law


class Total(Distribution):
    """The distribution of the total of `n` independent bets.

    >>> coin = Total({Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}, 10)
    >>> coin.cdf(Fraction(0)), coin.quantile(Fraction(1, 40)), coin.status
    (Fraction(319, 512), Fraction(-6, 1), 'exact')

    Attributes:
        n: the number of bets.
        lattice: the distribution of one bet on equally spaced points.
        bound: 0 if exact; else the error bound of each probability.

    Raises:
        RulesError: no bets, or too many; use the normal distribution instead.
    """

    def __init__(self, law: Mapping[Fraction, Fraction], n: int) -> None:
        if type(n) is not int or n < 1:
            raise RulesError(f"the total of {shown(n)} bets; take 1 or more")
        self.n = n
        self.lattice = Lattice.of(law)
        terms, bits = _size(self.lattice, n)
        if bits > EXACT_BITS and terms > CERTIFIED_TERMS:
            raise RulesError(
                f"the total of {n:,} bets has {terms:,} likely values; use method='normal', or "
                "fewer bets"
            )
        self._law = FiniteDistribution(law)
        self._is_exact = bits <= EXACT_BITS
        self._denominator = self.lattice.denominator**n if self._is_exact else 1 << BITS

    @property
    def status(self) -> str:
        return "exact" if self._is_exact else "certified"

    @classmethod
    def is_small(cls, law: Mapping[Fraction, Fraction], n: int) -> bool:
        """Whether the convolution is feasible, exact or certified."""
        terms, bits = _size(Lattice.of(law), n)
        return bits <= EXACT_BITS or terms <= CERTIFIED_TERMS

    @cached_property
    def _window(self) -> tuple[int, list[int]]:
        """The k of the first value in the window; the scaled cumulative probabilities."""
        from flint import fmpz_poly

        lattice, is_exact = self.lattice, self._is_exact
        row = [0] * (lattice.span + 1)
        for k, weight in lattice.points:
            row[k] = weight if is_exact else (weight << BITS) // lattice.denominator
        one_bet = fmpz_poly(row)
        if is_exact:
            return 0, list(accumulate(map(int, (one_bet**self.n).coeffs())))
        first, powered = 0, one_bet
        # Squares for the bits of n after the first; tails are cut at once, or terms would double.
        for bit in bin(self.n)[3:]:
            first, powered = _trimmed(2 * first, powered * powered // (1 << BITS))
            if bit == "1":
                first, powered = _trimmed(first, powered * one_bet // (1 << BITS))
        return first, list(accumulate(map(int, powered.coeffs())))

    @cached_property
    def bound(self) -> Fraction:  # type: ignore[override]
        """The error bound of each probability, none of which is above its true value."""
        return 1 - Fraction(self._window[1][-1], self._denominator)

    def value(self, k: int) -> Fraction:
        """The k-th value, from the least total up."""
        return self.n * self.lattice.low + k * self.lattice.unit

    def _index(self, total: Number) -> Fraction:
        """The k of a total; not whole if it is no possible one."""
        return (exact(total) - self.n * self.lattice.low) / self.lattice.unit

    def pmf(self, total: Number) -> Fraction:
        if self._index(total).denominator != 1:
            return Fraction(0)
        return self.cdf(total) - self.cdf(exact(total) - self.lattice.unit)

    def cdf(self, total: Number) -> Fraction:
        first, cumulative = self._window
        k = self._index(total) // 1 - first
        if k < 0:
            return Fraction(0)
        return Fraction(cumulative[min(k, len(cumulative) - 1)], self._denominator)

    @property
    def mean(self) -> Fraction:
        return self.n * self._law.mean

    def central_moment(self, k: int) -> Fraction:
        """E[(total - mean)^k], exact for k up to 4.

        Raises:
            RulesError: a larger k.
        """
        if not 0 <= k <= 4:
            raise RulesError(f"the central moment {k} of a total; ask for 0 to 4")
        moment = self.n * self._law.central_moment(k) if k else Fraction(1)
        # E[(X1 + ... + Xn)^4] has n fourth moments, and products of two squares of different bets.
        pairs = 3 * self.n * (self.n - 1) if k == 4 else 0
        return moment + pairs * self._law.central_moment(2) ** 2

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        low, high = self._law.support
        return self.n * low, self.n * high

    def quantile(self, q: Number) -> Fraction:
        return decided_quantile(q, self.quantile_range(q), self.bound)

    def quantile_range(self, q: Number) -> tuple[Fraction, Fraction]:
        p = checked_probability(q)
        if p in (0, 1):
            return (self.support[int(p)],) * 2
        first, cumulative = self._window
        # Computed probabilities are never too large, so the true quantile lies between these two.
        lower = bisect_left(cumulative, ceil((p - self.bound) * self._denominator))
        upper = bisect_left(cumulative, ceil(p * self._denominator))
        return (
            self.value(first + lower) if p > self.bound else self.support[0],
            self.value(first + upper) if upper < len(cumulative) else self.support[1],
        )


def _trimmed(first: int, poly: Any) -> tuple[int, Any]:
    """A polynomial without its light tails, and the power of its first term."""
    # What is cut counts as missing, like everything that is rounded down.
    weights = list(map(int, poly.coeffs()))
    light = 1 << (BITS - TAIL)
    low = bisect_left(list(accumulate(weights)), light)
    high = len(weights) - bisect_left(list(accumulate(reversed(weights))), light)
    return first + low, poly.truncate(high).right_shift(low)


def _size(lattice: Lattice, n: int) -> tuple[int, int]:
    """The number of values in the window, and the bits of an exact convolution without one."""
    n_values = n * lattice.span + 1
    total = lattice.denominator
    mean = Fraction(sum(k * w for k, w in lattice.points), total)
    square = Fraction(sum(k * k * w for k, w in lattice.points), total)
    # Normal tails beyond 20 standard deviations are far below 2^-TAIL; a large step needs room too.
    window = WINDOW * (isqrt(int(n * (square - mean**2))) + 1 + lattice.span)
    return min(n_values, window), n_values * n * total.bit_length()
