"""The law of the total of many bets, by convolution: exact, or digits with a proved bound.

The profits of a bet lie on a lattice, so the total of N bets has the N-th power of one polynomial
as its generating function (Feller 1968, ch. XI). While its integers are short they are kept whole.
Beyond, every coefficient is rounded *down* to `BITS` binary places at every step. Then each is at
most the truth, and what is missing from a sum of 1 is known exactly: it bounds every error at once.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, lcm

from sevenout.errors import RulesError

EXACT_BITS = 100_000_000
"""The integers of an exact convolution may take so many bits in all."""
CERTIFIED_TERMS = 3_000_000
"""A certified convolution may have so many terms."""
BITS = 160
"""A certified probability is rounded down to so many binary places."""


@dataclass(frozen=True)
class Lattice:
    """A law on equally spaced points: the k-th point is `low + k * unit`.

    Attributes:
        low: the least point.
        unit: the distance of two points.
        weights: integer weights; the first and the last are positive.
    """

    low: Fraction
    unit: Fraction
    weights: tuple[int, ...]

    @classmethod
    def of(cls, law: Mapping[Fraction, Fraction]) -> "Lattice":
        """The coarsest lattice under a law of exact amounts.

        >>> Lattice.of({Fraction(-1): Fraction(1, 2), Fraction(3, 2): Fraction(1, 2)})
        Lattice(low=Fraction(-1, 1), unit=Fraction(5, 2), weights=(1, 1))
        """
        scale = lcm(*(Fraction(x).denominator for x in law))
        points = {int(x * scale): p for x, p in law.items()}
        low = min(points)
        step = gcd(*(x - low for x in points)) or 1
        common = lcm(*(p.denominator for p in points.values()))
        weights = [0] * ((max(points) - low) // step + 1)
        for x, p in points.items():
            weights[(x - low) // step] = int(p * common)
        shared = gcd(*weights)
        return cls(Fraction(low, scale), Fraction(step, scale), tuple(w // shared for w in weights))

    @property
    def denominator(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)


class Total:
    """The law of the total of `n` independent bets.

    >>> coin = Total({Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}, 10)
    >>> coin.cdf(Fraction(0)), coin.quantile(Fraction(1, 40)), coin.status
    (Fraction(319, 512), Fraction(-6, 1), 'exact')

    Args:
        law: the law of one bet.
        n: how many bets, 1 or more.

    Attributes:
        status: "exact", or "certified".
        bound: 0 if exact; else each probability is within this of the truth.

    Raises:
        RulesError: no bet, or too many; use the normal law there.
    """

    def __init__(self, law: Mapping[Fraction, Fraction], n: int) -> None:
        if n < 1:
            raise RulesError(f"the total of {n} bets; take 1 or more")
        self.n = n
        self.lattice = Lattice.of(law)
        terms, bits = _size(self.lattice, n)
        if bits > EXACT_BITS and terms > CERTIFIED_TERMS:
            raise RulesError(
                f"the total of {n:,} bets has {terms:,} values; take method='normal', or fewer bets"
            )
        self.status = "exact" if bits <= EXACT_BITS else "certified"
        exact = self.status == "exact"
        self._denominator = self.lattice.denominator**n if exact else 1 << BITS

    @classmethod
    def is_small(cls, law: Mapping[Fraction, Fraction], n: int) -> bool:
        """Whether the convolution is in reach, exact or certified."""
        terms, bits = _size(Lattice.of(law), n)
        return bits <= EXACT_BITS or terms <= CERTIFIED_TERMS

    @cached_property
    def _coefficients(self) -> list[int]:
        from flint import fmpz_poly

        if self.status == "exact":
            powered = fmpz_poly(list(self.lattice.weights)) ** self.n
        else:
            one = fmpz_poly(rounded_down(self.lattice))
            powered = one
            for bit in bin(self.n)[3:]:
                powered = powered * powered // (1 << BITS)
                if bit == "1":
                    powered = powered * one // (1 << BITS)
        return list(map(int, powered.coeffs()))

    @cached_property
    def bound(self) -> Fraction:
        """Every probability is within this of the truth, and at most the truth."""
        return 1 - Fraction(sum(self._coefficients), self._denominator)

    @cached_property
    def _cumulative(self) -> list[int]:
        return list(accumulate(self._coefficients))

    def value(self, k: int) -> Fraction:
        """The k-th least total."""
        return self.n * self.lattice.low + k * self.lattice.unit

    def _index(self, total: Fraction) -> Fraction:
        return (Fraction(total) - self.n * self.lattice.low) / self.lattice.unit

    def pmf(self, total: Fraction) -> Fraction:
        """The probability of a total."""
        k, known = self._index(total), self._coefficients
        if k.denominator != 1 or not 0 <= k < len(known):
            return Fraction(0)
        return Fraction(known[int(k)], self._denominator)

    def cdf(self, total: Fraction) -> Fraction:
        """The probability of this total or less."""
        k = self._index(total) // 1
        if k < 0:
            return Fraction(0)
        return Fraction(self._cumulative[min(k, len(self._cumulative) - 1)], self._denominator)

    def quantile(self, q: Fraction) -> Fraction:
        """The least total that is not exceeded with probability q or more, 0 < q < 1."""
        wanted = Fraction(q) * self._denominator
        k = bisect_left(self._cumulative, wanted)
        return self.value(min(k, len(self._cumulative) - 1))


def _size(lattice: Lattice, n: int) -> tuple[int, int]:
    """How many values the total of n has, and how many bits their weights take."""
    terms = n * (len(lattice.weights) - 1) + 1
    return terms, terms * n * lattice.denominator.bit_length()


def rounded_down(lattice: Lattice) -> list[int]:
    """The probability of each point, rounded down to `BITS` binary places."""
    return [(w << BITS) // lattice.denominator for w in lattice.weights]
