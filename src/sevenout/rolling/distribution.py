"""The interface of every distribution over exact numbers, with SciPy's names.

Finite distributions, counts without bound, the total of many bets and the result of a session all
have `pmf cdf sf quantile mean variance std skewness kurtosis support sample` and `status`.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import copysign, inf, sqrt
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, UndecidedError, shown
from sevenout.numerals import Number, exact

ENDLESS = "the quantile at 1 of what has no largest value; ask for a quantile below 1"
K = TypeVar("K")
V = TypeVar("V")
U = TypeVar("U")
if TYPE_CHECKING:  # Python 3.13 has defaults: `Law` alone is a distribution of unknown outcomes
    from typing_extensions import TypeVar as Variable

    T_co = Variable("T_co", covariant=True, default=Any)
else:
    T_co = TypeVar("T_co", covariant=True)


class Figure(Fraction):
    """A fraction that says what to write when it is called, as other libraries' means are.

    >>> Figure(7, 2)
    Fraction(7, 2)
    """

    __slots__ = ()

    def __call__(self) -> "Figure":
        raise TypeError("means and variances are numbers here; write .mean without brackets")

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"


class Distribution(ABC):
    """A probability distribution over exact numbers.

    Attributes:
        bound: 0 if exact; else the error bound of each probability.
    """

    bound: Fraction = Fraction(0)

    @property
    def status(self) -> str:
        """Either "exact" or "certified"."""
        return "certified" if self.bound else "exact"

    @abstractmethod
    def pmf(self, x: Number) -> Fraction:
        """The probability of a value."""

    @abstractmethod
    def cdf(self, x: Number) -> Fraction:
        """The probability of this value or less."""

    @abstractmethod
    def quantile(self, q: Number) -> int | Fraction:
        """The least value x with cdf(x) >= q; for q = 0 the least value.

        Raises:
            RulesError: q is not a probability, or is 1 where there is no largest value.
            UndecidedError: several values are possible within the error bound.
        """

    def quantile_range(self, q: Number) -> tuple[int | Fraction, int | Fraction]:
        """The least and the largest value that the quantile can have; equal if it is decided.

        Raises:
            RulesError: as `quantile`.
            UndecidedError: the quantile may be an unknown end of the distribution.
        """
        x = self.quantile(q)
        return x, x

    def quantile_cell(self, q: Number) -> int | Fraction | str:
        """The quantile as a table cell: a number, or "-1 to 1" if it is undecided."""
        low, high = self.quantile_range(q)
        return low if low == high else f"{low} to {high}"

    @abstractmethod
    def central_moment(self, k: int) -> Fraction:
        """E[(X - mean)^k]."""

    @property
    @abstractmethod
    def mean(self) -> Fraction:
        """E[X]."""

    @property
    @abstractmethod
    def support(self) -> tuple[Any, Any]:
        """The least and the largest value; None if there is no largest."""

    def sf(self, x: Number) -> Fraction:
        """P(X > x), the survival function."""
        return 1 - self.cdf(x)

    @property
    def variance(self) -> Fraction:
        """E[(X - mean)^2]."""
        return Figure(self.central_moment(2))

    @property
    def std(self) -> float:
        """The standard deviation."""
        return square_root(self.variance)

    @property
    def skewness(self) -> float:
        """The third standardised moment; 0 for a constant."""
        if not self.variance:
            return 0.0
        third = self.central_moment(3)
        return copysign(square_root(third**2 / self.variance**3), third)

    @property
    def kurtosis(self) -> float:
        """The fourth standardised moment less 3 (excess kurtosis); 0 for a constant."""
        if not self.variance:
            return 0.0
        return nearest_float(self.central_moment(4) / self.variance**2) - 3

    def sample(self, times: int = 1, seed: int | None = None) -> list[Any]:
        """Independent values, drawn by inversion of the cdf; probabilities are exact to 2^-64.

        Args:
            times: number of values.
            seed: the same seed draws the same values.

        Raises:
            RulesError: `times` is not a whole number from 0 up.
            TooMuchWorkError: more than the budget allows.
        """
        sampling_generator(times, seed, memory=8.0)
        return list(self.draws(times, seed))

    def draws(self, times: int, seed: int | None = None) -> Iterator[Any]:
        """The values of `sample`, one by one; same errors."""
        random = sampling_generator(times, seed, seconds=DRAW_SECONDS)
        words = (2 * random.getrandbits(63) + 1 for _ in range(times))
        return (self.quantile(Fraction(word, 1 << 64)) for word in words)


def sampling_generator(
    times: int, seed: int | None, *, seconds: float = 0.0, memory: float = 0.0
) -> Random:
    """The random generator for a sample.

    Args:
        times: number of values.
        seed: default random.
        seconds: the time for one value.
        memory: its bytes.

    Raises:
        RulesError: `times` or `seed` is not a whole number from 0 up.
        TooMuchWorkError: more than the budget allows.
    """
    for name, value in (("times", times), ("seed", 0 if seed is None else seed)):
        if type(value) is not int or value < 0:
            raise RulesError(f"{name}={shown(value)}; give a whole number, 0 or more")
    capped = min(times, 10**30)  # thousands of digits can't be printed
    afford(
        f"{capped:,} values", seconds=seconds * capped, memory=memory * capped, instead="draw fewer"
    )
    return Random(seed)


DRAW_SECONDS, LISTED_DRAW_SECONDS = 4e-6, 4e-7
"""Seconds per value drawn; less from a list."""


class ListedDistribution(Distribution):
    """A distribution over a list of finitely many values.

    Attributes:
        ends: the least and the largest value, if known although the probabilities are not exact.
    """

    ends: tuple[Fraction, Fraction] | None = None

    @property
    @abstractmethod
    def probabilities(self) -> Mapping[Any, Fraction]:
        """Each value and its probability, in ascending order."""

    @cached_property
    def _ascending(self) -> list[Any]:
        return list(self.probabilities)

    @cached_property
    def _cumulative(self) -> list[Fraction]:
        return list(accumulate(self.probabilities.values()))

    def draws(self, times: int, seed: int | None = None) -> Iterator[Any]:
        random = sampling_generator(times, seed, seconds=LISTED_DRAW_SECONDS)
        values = self._ascending
        # below >= (2r + 1) / 2^64 is the same as floor(2^64 below) >= 2r + 1
        thresholds = [int(below * (1 << 64)) for below in self._cumulative]
        last = len(values) - 1
        words = (2 * random.getrandbits(63) + 1 for _ in range(times))
        return (values[min(last, bisect_left(thresholds, word))] for word in words)

    def pmf(self, x: Number) -> Fraction:
        return self.probabilities.get(exact(x), Fraction(0))

    def cdf(self, x: Number) -> Fraction:
        limit = exact(x)
        index = bisect_left(self._ascending, True, key=lambda value: value > limit)
        return self._cumulative[index - 1] if index else Fraction(0)

    def quantile(self, q: Number) -> int | Fraction:
        return decided_quantile(q, self.quantile_range(q), self.bound)

    def quantile_range(self, q: Number) -> tuple[int | Fraction, int | Fraction]:
        p = checked_probability(q)
        # the ends may be known although no probability is exact
        if p in (0, 1):
            return (self.support[int(p)],) * 2
        low, high = (bisect_left(self._cumulative, p + slip) for slip in (-self.bound, self.bound))
        return (
            self._ascending[low] if p > self.bound else self.support[0],
            self._ascending[high] if high < len(self._ascending) else self.support[1],
        )

    def central_moment(self, k: int) -> Fraction:
        mean = self.mean
        return sum((p * (x - mean) ** k for x, p in self.probabilities.items()), Fraction(0))

    @property
    def mean(self) -> Fraction:
        return Figure(sum((p * x for x, p in self.probabilities.items()), Fraction(0)))

    @property
    def support(self) -> tuple[Any, Any]:
        if self.ends is None and self.bound:
            raise UndecidedError(
                f"a distribution that is {status_of(self.bound)} has no known ends, because "
                "unlikely values may be missing; ask for a quantile, such as '1/1000'"
            )
        return self.ends or (self._ascending[0], self._ascending[-1])


def sum_by_key(pairs: Iterable[tuple[K, V]]) -> dict[K, V]:
    """The sum of the values of each key, in any ring; keys in the order of first occurrence.

    >>> sum_by_key([("six", 1), ("seven", 2), ("six", 3)])
    {'six': 4, 'seven': 2}
    """
    sums: dict[K, Any] = {}
    for key, value in pairs:
        # a gradient's ring may have no 0 to start from
        sums[key] = sums[key] + value if key in sums else value
    return sums


def group_by_key(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of each key, in the order in which they come; keys likewise.

    >>> group_by_key([("odd", 1), ("even", 2), ("odd", 3)])
    {'odd': [1, 3], 'even': [2]}
    """
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def sum_of_tables(*tables: Mapping[K, V]) -> dict[K, V]:
    """The sum of several tables, key by key; keys in the order of first occurrence.

    >>> sum_of_tables({"six": 1, "seven": 2}, {"six": 3})
    {'six': 4, 'seven': 2}
    """
    return sum_by_key(pair for table in tables for pair in table.items())


class FiniteDistribution(ListedDistribution):
    """A distribution over finitely many values, from the probability of each.

    >>> coin = FiniteDistribution({1: Fraction(1, 2), -1: Fraction(1, 2)})
    >>> coin.cdf(0), coin.quantile("1/2"), coin.variance, coin.std, coin.support
    (Fraction(1, 2), Fraction(-1, 1), Fraction(1, 1), 1.0, (Fraction(-1, 1), Fraction(1, 1)))

    Args:
        probabilities: of each value.
        bound: 0 if they are exact; else their error bound.
        ends: the least and the largest value, if known although the bound is not 0.

    Raises:
        RulesError: no value, or exact probabilities that don't add up to 1.
    """

    def __init__(
        self,
        probabilities: Mapping[Any, Fraction],
        bound: Fraction = Fraction(0),
        ends: tuple[Fraction, Fraction] | None = None,
    ) -> None:
        if not probabilities:
            raise RulesError("a distribution without values; give one or more")
        if not bound and (total := sum(probabilities.values())) != 1:
            off = nearest_float(Fraction(total) - 1)
            raise RulesError(f"the sum of the probabilities is off by {off:.3g}; it must be 1")
        # "1/2" and 0.5 are one value
        shares = sum_by_key((exact(x), p) for x, p in probabilities.items())
        self._probabilities = dict(sorted(shares.items()))
        self.bound, self.ends = bound, ends

    @property
    def probabilities(self) -> Mapping[Fraction, Fraction]:
        return self._probabilities

    def __iter__(self) -> Iterator[Fraction]:
        """The values, in ascending order."""
        return iter(self.probabilities)

    def items(self) -> list[tuple[Fraction, Fraction]]:
        """Each value and its probability, in ascending order."""
        return list(self.probabilities.items())


def status_of(bound: Fraction) -> str:
    """Either "exact", or "certified" with its bound, rounded up.

    >>> status_of(Fraction(1, 3 * 10**12)), status_of(Fraction(0))
    ('certified within 3.4e-13', 'exact')
    """
    up = Context(prec=2, rounding=ROUND_CEILING)
    within = up.divide(Decimal(bound.numerator), Decimal(bound.denominator))
    return f"certified within {within:.1e}" if bound else "exact"


def decided_quantile(q: Number, ends: tuple[V, V], bound: Fraction) -> V:
    """The quantile, if both ends of its range are equal.

    >>> decided_quantile("1/2", (3, 3), Fraction(1, 10**12))
    3

    Raises:
        UndecidedError: they differ.
    """
    low, high = ends
    if low != high:
        raise UndecidedError(
            f"the quantile at {q} is undecided within the error bound: it lies from {low} to "
            f"{high} (the distribution is {status_of(bound)})"
        )
    return low


def checked_probability(q: Number) -> Fraction:
    """The probability `q` as a fraction.

    >>> checked_probability("95%")
    Fraction(19, 20)

    Raises:
        RulesError: it is not from 0 to 1.
    """
    p = exact(q)
    if not 0 <= p <= 1:
        raise RulesError(
            f"the quantile at {shown(q)}; give a probability from 0 to 1, such as '95%'"
        )
    return p


def nearest_float(x: Fraction) -> float:
    """A fraction as a float; infinite if it is larger than any float.

    >>> nearest_float(Fraction(10**400)), nearest_float(Fraction(1, 2))
    (inf, 0.5)
    """
    try:
        return float(x)
    except OverflowError:
        return inf if x > 0 else -inf


def square_root(x: Fraction) -> float:
    """The square root of a fraction, as a float; infinite if it is larger than any float.

    >>> square_root(Fraction(9, 4)), square_root(Fraction(1, 10**400))
    (1.5, 1e-200)
    """
    # x itself may be out of the range of floats; a power of 4 loses no digit
    shift = (x.numerator.bit_length() - x.denominator.bit_length()) // 2
    if abs(shift) < 500:
        return sqrt(x)
    return nearest_float(Fraction(sqrt(x / Fraction(4) ** shift)) * Fraction(2) ** shift)
