"""The distribution of a progressive award (see docs/howto/progressives.md).

The N-th bet after a reset wins s + c·N, with the seed s and the feed c, or the limit, reached at
the K-th bet. With r = 1 - q, all moments come from E[N^k] = Σ ((n+1)^k - n^k) P(N > n) and the sums

    S(j) = Σ n^j r^n over n < K,    (r - 1) S(j) = K^j r^K - [j = 0] - r Σ (j over i) S(i), i < j,

which follow from shifting n by one. Long powers are rounded down, with a stated bound.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, comb
from typing import Any

from sevenout.errors import RulesError, UndecidedError
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import ENDLESS, Distribution, probability, status_of

LONGEST = 200_000
"""A power with more bits is rounded."""
BITS = 512
"""The error of a rounded power is below 2^-BITS."""


def power(r: Fraction, n: int) -> tuple[Fraction, Fraction]:
    """A lower bound of r^n, and its error bound; 0 < r < 1.

    >>> power(Fraction(1, 2), 3)
    (Fraction(1, 8), Fraction(0, 1))
    """
    if n * r.denominator.bit_length() <= LONGEST:
        return r**n, Fraction(0)
    unit = 1 << (BITS + 8 + n.bit_length())  # the rounding error of the first step counts n times
    result, square = unit, r.numerator * unit // r.denominator
    while n:
        if n & 1:
            result = result * square // unit
        square = square * square // unit
        n >>= 1
    return Fraction(result, unit), Fraction(1, 1 << BITS)


@dataclass(frozen=True)
class AwardLaw(Distribution):
    """The distribution of an award, in money.

    >>> law = AwardLaw(seed=Fraction(10), step=Fraction(1, 2), q=Fraction(1, 6), limit=Fraction(12))
    >>> law.bets, law.pmf(11), law.pmf(12), law.cdf(12), law.mean_bets
    (4, Fraction(5, 36), Fraction(125, 216), Fraction(1, 1), Fraction(671, 216))

    Args:
        seed: the meter after a reset.
        step: the feed of a bet.
        q: the probability that a bet wins it; None for a mystery award.
        limit: the must-hit-by limit; None for none.
    """

    seed: Fraction
    step: Fraction
    q: Fraction | None
    limit: Fraction | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "bound", self._survival(self.bets or 0)[1])

    @property
    def bets(self) -> int | None:
        """The greatest number of bets until it is won; None without a limit."""
        return None if self.limit is None else ceil((self.limit - self.seed) / self.step)

    def after(self, n: int) -> Fraction:
        """The award if the n-th bet wins."""
        meter = self.seed + n * self.step
        return meter if self.limit is None else min(meter, self.limit)

    def _survival(self, n: int) -> tuple[Fraction, Fraction]:
        """P(N > n) without the limit, and its error bound."""
        if self.q is None:
            assert self.bets is not None
            return 1 - Fraction(n, self.bets), Fraction(0)
        return power(1 - self.q, n) if self.q < 1 else (Fraction(n == 0), Fraction(0))

    def survives(self, n: int) -> Fraction:
        """P(N > n), for N the number of bets until it is won."""
        if n <= 0:
            return Fraction(1)
        if self.bets is not None and n >= self.bets:
            return Fraction(0)
        return self._survival(n)[0]

    def _number(self, x: Number) -> int:
        """The last bet whose award is at most x."""
        amount = exact(x)
        if self.limit is not None and amount >= self.limit:
            return self.bets or 0
        return max(0, int((amount - self.seed) // self.step))

    def pmf(self, x: Number) -> Fraction:
        n = self._number(x)
        won = n > 0 and self.after(n) == exact(x)
        return self.survives(n - 1) - self.survives(n) if won else Fraction(0)

    def cdf(self, x: Number) -> Fraction:
        return 1 - self.survives(self._number(x))

    def quantile(self, q: Number) -> Fraction:
        """The least award x with cdf(x) >= q.

        Raises:
            RulesError: q is not a probability, or is 1 without a limit.
        """
        return self.after(self._bets_by(probability(q)))

    def number(self, q: Number) -> int:
        """The least n with P(N <= n) >= q."""
        return self._bets_by(probability(q))

    def _bets_by(self, p: Fraction) -> int:
        """The least n with P(N <= n) >= p."""
        if p == 1:
            if self.bets is None and self.q != 1:
                raise RulesError(ENDLESS)
            return 1 if self.q == 1 else self.bets or 1
        less, most = 0, 1
        while self._outlives(most, 1 - p):
            less, most = most, 2 * most
        while most - less > 1:
            middle = (less + most) // 2
            less, most = (middle, most) if self._outlives(middle, 1 - p) else (less, middle)
        return most

    def _outlives(self, n: int, tail: Fraction) -> bool:
        """Whether P(N > n) > tail."""
        if self.bets is not None and n >= self.bets:
            return False
        found, slip = self._survival(n)
        if found <= tail < found + slip:
            about = f"whether {n:,} bets are enough is undecided"
            raise UndecidedError(f"{about} within the error bound ({status_of(slip)})")
        return found > tail

    @cached_property
    def _raw(self) -> list[Fraction]:
        """E[N^k] for k up to 4."""
        most = 4
        if self.q is None:
            assert self.bets is not None
            sums: list[Fraction] = []  # Σ n^j over n <= K, by telescoping
            for j in range(most + 1):
                whole = Fraction((self.bets + 1) ** (j + 1) - 1)
                rest = sum((comb(j + 1, i) * s for i, s in enumerate(sums)), Fraction())
                sums.append((whole - rest) / (j + 1))
            return [s / self.bets for s in sums]
        r = 1 - self.q
        end = Fraction(0) if self.bets is None else self._survival(self.bets)[0]
        sums = []
        for j in range(most):
            shifted = r * sum((comb(j, i) * s for i, s in enumerate(sums)), Fraction())
            last = (self.bets or 0) ** j * end
            sums.append((last - (j == 0) - shifted) / (r - 1))
        return [Fraction(1)] + [
            sum((comb(k, i) * sums[i] for i in range(k)), Fraction()) for k in range(1, most + 1)
        ]

    @property
    def mean_bets(self) -> Fraction:
        """E[N], the mean number of bets between awards."""
        return self._raw[1]

    def raw_moment(self, k: int) -> Fraction:
        """E[X^k], for k up to 4."""
        moments = (
            comb(k, i) * self.seed ** (k - i) * self.step**i * self._raw[i] for i in range(k + 1)
        )
        total = sum(moments, Fraction())
        if self.bets is not None:
            over = self.seed + self.bets * self.step
            total += self.survives(self.bets - 1) * (self.after(self.bets) ** k - over**k)
        return total

    def central_moment(self, k: int) -> Fraction:
        """E[(X - mean)^k], for k up to 4."""
        mean = self.mean
        parts = (comb(k, i) * self.raw_moment(i) * (-mean) ** (k - i) for i in range(k + 1))
        return sum(parts, Fraction())

    @property
    def mean(self) -> Fraction:
        return self.raw_moment(1)

    @property
    def support(self) -> tuple[Any, Any]:
        return self.after(1), None if self.bets is None else self.after(self.bets)
