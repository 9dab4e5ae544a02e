"""The exact law of a counter: rolls per game, rounds won in a turn, rounds in a session.

The law of a count on a finite absorbing chain has a rational generating function G(z) = Σ P(N=n)
z^n, the entry of (I - Q(z))^-1 R(z) for the start; it is found by the same elimination with
weights w·z^k on an edge that counts k (Feller 1968, ch. XI). Nothing is cut off: probabilities
are its coefficients, moments its derivatives at 1.
"""

from bisect import bisect_left
from fractions import Fraction
from typing import Any

from sevenout.errors import RulesError
from sevenout.exact.rational import Rational, fraction, text


class CounterLaw:
    """The law of a count 0, 1, 2, ..., with its rational generating function; exact throughout.

    >>> from flint import fmpq_poly
    >>> geometric = CounterLaw(Rational(fmpq_poly([0, 1]), fmpq_poly([6, -5])))
    >>> geometric.pmf(2), geometric.mean, geometric.variance, geometric.quantile("1/2")
    (Fraction(5, 36), Fraction(6, 1), Fraction(30, 1), 4)

    Args:
        generating_function: G(z); it must not be 0 at z = 1.
        name: what is counted.

    The law is conditional on what G(1) is the probability of: G is divided by it.
    """

    def __init__(self, generating_function: Rational, name: str = "rolls") -> None:
        self.probability = generating_function(1)
        if not self.probability:
            raise RulesError("the law of a count given something that has probability 0")
        self.generating_function = generating_function / self.probability
        self.name = name
        self._pmf = _Series(self.generating_function)
        self._cdf = _Series(self.generating_function / Rational([1, -1]))

    def pmf(self, n: int) -> Fraction:
        """P(N = n)."""
        return self._pmf(n)

    def cdf(self, n: int) -> Fraction:
        """P(N <= n)."""
        return self._cdf(n)

    def sf(self, n: int) -> Fraction:
        """P(N > n), the survival function."""
        return 1 - self.cdf(n)

    def quantile(self, q: Fraction | int | str) -> int:
        """The least n with P(N <= n) >= q.

        Args:
            q: a probability, 0 <= q < 1, or 1 if the count is bounded.

        Raises:
            RulesError: q is not a probability, or is 1 and the count has no bound.
        """
        q = Fraction(q)
        if not 0 <= q <= 1 or (q == 1 and self.generating_function.denominator.degree() > 0):
            raise RulesError(f"the quantile at {q}; give a probability from 0 to below 1")
        high = 1
        while self.cdf(high) < q:
            high *= 2
        return bisect_left(range(high), q, key=self.cdf)

    def factorial_moment(self, k: int) -> Fraction:
        """E[N (N-1) ... (N-k+1)], the k-th derivative of G at 1."""
        g = self.generating_function
        for _ in range(k):
            g = g.derivative()
        return g(1)

    @property
    def mean(self) -> Fraction:
        """E[N]."""
        return self.factorial_moment(1)

    @property
    def variance(self) -> Fraction:
        """E[(N - mean)^2]."""
        mean = self.mean
        return self.factorial_moment(2) + mean - mean**2

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as texts."""
        return {
            "counter": self.name,
            "mean": text(self.mean),
            "variance": text(self.variance),
            "median": self.quantile(Fraction(1, 2)),
            "generating_function": str(self.generating_function),
        }

    def __repr__(self) -> str:
        return f"<CounterLaw of {self.name}: G(z) = {self.generating_function}>"

    def __rich__(self) -> Any:
        from sevenout.exact.show import law_page

        return law_page(self)

    def __str__(self) -> str:
        from sevenout.exact.show import as_text

        return as_text(self.__rich__())

    def _repr_html_(self) -> str:
        from sevenout.exact.show import law_html

        return law_html(self)


class _Series:
    """The coefficients of a power series, computed as far as they are asked for."""

    def __init__(self, function: Rational) -> None:
        self.function = function
        self.known: list[Any] = []

    def __call__(self, n: int) -> Fraction:
        if n < 0:
            return Fraction(0)
        if n >= len(self.known):
            self.known = self.function.series(max(n + 1, 2 * len(self.known), 64))
        return fraction(self.known[n])
