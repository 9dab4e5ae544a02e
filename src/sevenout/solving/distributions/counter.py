"""The exact distribution of a counter: rolls per game, rounds won in a turn, rounds in a session.

Its generating function is rational and found by elimination (Feller 1968, ch. XI; see
docs/explanation/exact.md). Probabilities are its coefficients, moments its derivatives at 1.
"""

from bisect import bisect_left
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import comb
from typing import Any

from sevenout.documents import Certified, Column, Fact, Facts, Page, Shown, Table
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, MONO
from sevenout.documents.numbers import decimal, exactly
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import ENDLESS, Distribution, probability
from sevenout.solving.distributions.far_coefficients import LEAST, Coefficients
from sevenout.solving.distributions.rational import Rational

BARS, WIDTH = 25, 24
"""The most rows of a histogram, and the characters of its longest bar."""


class CounterLaw(Shown, Distribution):
    """The exact distribution of a count 0, 1, 2, ..., from its rational generating function.

    >>> from flint import fmpq_poly
    >>> geometric = CounterLaw(Rational(fmpq_poly([0, 1]), fmpq_poly([6, -5])))
    >>> geometric.pmf(2), geometric.mean, geometric.variance, geometric.quantile("1/2")
    (Fraction(5, 36), Fraction(6, 1), Fraction(30, 1), 4)

    Args:
        generating_function: G(z), with G(1) > 0; the distribution is that of G(z) / G(1).
        name: what is counted.
    """

    def __init__(self, generating_function: Rational, name: str = "rolls") -> None:
        self.probability = generating_function(1)
        if not self.probability:
            raise RulesError(
                "the condition of the distribution has probability 0; give one that can happen"
            )
        self.generating_function = generating_function / self.probability
        self.name = name
        self._pmf = Coefficients(self.generating_function, f"P(N = n) of {name}")
        survivors = (1 - self.generating_function) / Rational([1, -1])
        self._sf = Coefficients(survivors, f"P(N > n) of {name}")

    def pmf(self, n: Number) -> Fraction:
        """P(N = n).

        Raises:
            TooMuchWorkError: the fraction would be too long.
        """
        x = exact(n)
        return self._pmf(int(x)) if x.denominator == 1 else Fraction(0)

    def cdf(self, n: Number) -> Fraction:
        """P(N <= n); errors as `pmf`."""
        return 1 - self.sf(n)

    def sf(self, n: Number) -> Fraction:
        """P(N > n), the survival function; errors as `pmf`."""
        whole = exact(n) // 1
        return self._sf(whole) if whole >= 0 else Fraction(1)

    def pmf_bounds(self, n: int, digits: int = 30) -> tuple[Fraction, Fraction]:
        """Certified bounds on P(N = n) that agree in this many digits; see `sf_bounds`."""
        return _narrow(self._pmf, _whole(n), digits)

    def sf_bounds(self, n: int, digits: int = 30) -> tuple[Fraction, Fraction]:
        """Certified bounds on P(N > n) that agree in this many digits, for any n.

        Values below 2^-100,000 have the lower bound 0, unless they are exactly 0.

        >>> from flint import fmpq_poly
        >>> geometric = CounterLaw(Rational(fmpq_poly([0, 1]), fmpq_poly([6, -5])))
        >>> low, high = geometric.sf_bounds(10_000)
        >>> low <= geometric.sf(10_000) <= high, high - low < low / 10**30
        (True, True)
        """
        whole = _whole(n)
        return _narrow(self._sf, whole, digits) if whole >= 0 else (Fraction(1), Fraction(1))

    def quantile(self, q: Number) -> int:
        """The least n with P(N <= n) >= q.

        Decided by bounds on the tail, and exactly if q may equal it.

        Args:
            q: a probability, 0 <= q < 1, or 1 if the count is bounded.

        Raises:
            RulesError: q is not a probability, or is 1 and the count has no bound.
        """
        tail = 1 - probability(q)
        if not tail and self.generating_function.denominator.degree() > 0:
            raise RulesError(ENDLESS)
        if tail == 1:
            return self._least
        high = 1
        while self._outlives(high, tail):
            high *= 2
        return bisect_left(range(high), True, key=lambda n: not self._outlives(n, tail))

    def _outlives(self, n: int, tail: Fraction) -> bool:
        """Whether P(N > n) > tail."""
        bits, length = 128, self._sf.bits(n)
        while bits < length:
            low, high = self._sf.bounds(n, bits)
            if low > tail or high <= tail:
                return low > tail
            bits *= 2
        return self._sf(n) > tail

    def factorial_moment(self, k: int) -> Fraction:
        """E[N (N-1) ... (N-k+1)], the k-th derivative of G at 1."""
        g = self.generating_function
        for _ in range(k):
            g = g.derivative()
        return g(1)

    @property
    def mean(self) -> Fraction:
        return self.factorial_moment(1)

    def central_moment(self, k: int) -> Fraction:
        """E[(N - mean)^k], by factorial moments and Stirling numbers of the second kind."""
        raw, mean = [self._moment(j) for j in range(k + 1)], self.mean
        terms = (comb(k, j) * raw[j] * (-mean) ** (k - j) for j in range(k + 1))
        return sum(terms, Fraction(0))

    def _moment(self, k: int) -> Fraction:
        """E[N^k]."""
        row = [1]
        for n in range(1, k + 1):
            row = [(j * row[j] if j < n else 0) + (row[j - 1] if j else 0) for j in range(n + 1)]
        return sum((s * self.factorial_moment(j) for j, s in enumerate(row)), Fraction(0))

    @property
    def support(self) -> tuple[int, int | None]:
        g = self.generating_function
        return self._least, int(g.numerator.degree()) if g.denominator.degree() == 0 else None

    @cached_property
    def _least(self) -> int:
        return next(n for n in count() if self.pmf(n))

    def to_dict(self) -> dict[str, Any]:
        return {
            "counter": self.name,
            "mean": exactly(self.mean),
            "variance": exactly(self.variance),
            "median": self.quantile(Fraction(1, 2)),
            "generating_function": str(self.generating_function),
            "histogram": {n: exactly(p) for n, p in self._shares()},
        }

    def __repr__(self) -> str:
        return f"<CounterLaw of {self.name}: G(z) = {self.generating_function}>"

    def page(self) -> Page:
        """A page: moments, quantiles with their tails, and the first probabilities."""
        return Page(
            f"Distribution of {self.name}",
            Facts(
                Fact("mean", self.mean, FRACTION, DECIMAL),
                Fact("variance", self.variance, FRACTION, DECIMAL),
                *map(self._quantile, ("1/2", "9/10", "99/100", "999/1000")),
            ),
            self.histogram(),
        )

    def histogram(self) -> Table:
        """The probability of each count up to the 99 % quantile, and of the rest.

        >>> from flint import fmpq_poly
        >>> coin = CounterLaw(Rational(fmpq_poly([1, 1]), fmpq_poly([2])), "heads")
        >>> [row[:2] for row in coin.histogram().rows]
        [('0', Fraction(1, 2)), ('1', Fraction(1, 2))]
        """
        ps = self._shares()
        most = max(p for _, p in ps)
        columns = [
            Column(self.name, LABEL),
            Column("probability", FRACTION, DECIMAL),
            Column("", MONO),
        ]
        return Table(columns, [(n, p, "█" * round(WIDTH * p / most)) for n, p in ps])

    def _shares(self) -> list[tuple[str, Fraction]]:
        first = self._least
        last = min(self.quantile("99/100"), first + BARS - 1)
        shares = [(str(n), self.pmf(n)) for n in range(first, last + 1)]
        beyond = self.sf(last)
        return [*shares, (f"over {last}", beyond)] if beyond else shares

    def _quantile(self, q: str) -> Fact:
        n = self.quantile(q)
        tail = decimal(Certified.between(*self.sf_bounds(n, 20)))
        return Fact(f"quantile at {q}", n, COUNT, note=f"P(N > {n}) = {tail}")


def _whole(n: Number) -> int:
    if not isinstance(n, int | Fraction) or n.denominator != 1:
        raise RulesError(f"{shown(n)} is not a count; give a whole number, such as 10")
    return int(n)


def _narrow(tail: Coefficients, n: int, digits: int) -> tuple[Fraction, Fraction]:
    """Bounds that agree in this many digits, or the exact value if shorter."""
    if not isinstance(digits, int) or digits < 1:
        raise RulesError(f"digits={shown(digits)}; give 1 or more")
    bits, length = 4 * digits + 64, tail.bits(n)
    while bits < length:
        low, high = tail.bounds(n, bits)
        if (high - low) * 10**digits <= low or high.denominator == 1 << -LEAST:
            return low, high
        bits *= 2
    return (tail(n),) * 2
