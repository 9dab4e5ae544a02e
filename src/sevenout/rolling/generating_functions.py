"""Rational generating functions: exact distributions without a largest value.

The probabilities of such a distribution are the power series coefficients of a quotient of two
polynomials (Stanley 2012, chapter 4). Sums of independent values are products of functions; the
moments are derivatives at 1; products term by term (`hadamard`) give maxima and comparisons.

A single far coefficient comes by squaring:

    [z^n] P(z)/Q(z) = [z^n] P(z)Q(-z) / Q(z)Q(-z).

The new denominator is even, so half of the numerator's terms don't matter and n is halved (A.
Bostan and R. Mori, "A simple and fast algorithm for computing the N-th term of a linearly recurrent
sequence", SOSA 2021). Integers give the exact value, whose length grows with n. Balls give digits
with a proved error; if cancellation makes them wide, more bits are used.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from math import comb, lcm, prod
from threading import Lock
from typing import Any, NamedTuple

from flint import arb_poly, ctx, fmpq, fmpq_poly, fmpz_poly

from sevenout.budgets.estimates import afford
from sevenout.documents import Certified, Column, Fact, Facts, HasPage, Page, Table
from sevenout.documents.drawings import bar
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, MONO
from sevenout.documents.numbers import decimal, exactly
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact, is_whole
from sevenout.rolling.distribution import ENDLESS, Distribution, Figure, checked_probability
from sevenout.wrong_arguments import public

MAX_SERIES_BITS = 2**27
"""A longer series isn't computed term by term: bits of its terms, each as long as the last."""
MIN_EXPONENT = -100_000
"""Bounds do not separate probabilities below 2^MIN_EXPONENT from 0."""
_precision = Lock()
"""Held while balls are computed, since flint has one precision for all threads."""
MAX_BARS = 25
"""The most rows of a histogram, without that of all counts beyond."""


def to_fraction(q: Any) -> Fraction:
    """A flint rational (or integer) as a `Fraction`.

    >>> to_fraction(fmpq(1, 3))
    Fraction(1, 3)
    """
    q = fmpq(q)
    result: Any = object.__new__(Fraction)  # already in lowest terms: skips Fraction's slow gcd
    result._numerator, result._denominator = int(q.p), int(q.q)
    return result  # type: ignore[no-any-return]


def to_flint(x: Any) -> Any:
    """A number as a flint rational.

    >>> to_flint(Fraction(1, 3))
    1/3
    """
    x = Fraction(x)
    return fmpq(x.numerator, x.denominator)


class RationalFunction:
    """An immutable quotient of two polynomials in lowest terms, with ring operations.

    >>> z = RationalFunction(fmpq_poly([0, 1]))
    >>> str(z / (2 - z))
    '(z) / (2 - z)'
    >>> (z / (2 - z))(Fraction(1, 2))
    Fraction(1, 3)
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Any, denominator: Any = 1) -> None:
        p, q = fmpq_poly(numerator), fmpq_poly(denominator)
        # a gcd costs more than everything else here, and a constant has none
        if q.degree() > 0:
            common = p.gcd(q)
            if common.degree() > 0:
                p, q = p // common, q // common
        unit = next((c for c in q.coeffs() if c), None)
        if unit is None:
            raise ZeroDivisionError("a rational function with denominator 0")
        # the lowest coefficient of the denominator is 1, so that equal functions are equal
        # polynomials
        if unit != 1:
            p, q = p / unit, q / unit
        self.numerator, self.denominator = p, q

    def __reduce__(self) -> Any:  # flint's polynomials do not pickle; their coefficients do
        return RationalFunction, (self.numerator.coeffs(), self.denominator.coeffs())

    @staticmethod
    def _coerce(value: Any) -> "RationalFunction":
        """A number, or a polynomial of FLINT, as a rational function."""
        if isinstance(value, RationalFunction):
            return value
        return RationalFunction(
            fmpq_poly([to_flint(value) if isinstance(value, Fraction) else value])
        )

    def __add__(self, other: Any) -> "RationalFunction":
        o = self._coerce(other)
        # sums of terms of one chain share their denominator: no product, and a small gcd
        if self.denominator == o.denominator:
            return RationalFunction(self.numerator + o.numerator, self.denominator)
        return RationalFunction(
            self.numerator * o.denominator + o.numerator * self.denominator,
            self.denominator * o.denominator,
        )

    __radd__ = __add__

    def __neg__(self) -> "RationalFunction":
        return RationalFunction(-self.numerator, self.denominator)

    def __sub__(self, other: Any) -> "RationalFunction":
        return self + -self._coerce(other)

    def __rsub__(self, other: Any) -> "RationalFunction":
        return self._coerce(other) - self

    def __mul__(self, other: Any) -> "RationalFunction":
        o = self._coerce(other)
        return RationalFunction(self.numerator * o.numerator, self.denominator * o.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "RationalFunction":
        o = self._coerce(other)
        return RationalFunction(self.numerator * o.denominator, self.denominator * o.numerator)

    def __rtruediv__(self, other: Any) -> "RationalFunction":
        return self._coerce(other) / self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RationalFunction | Fraction | int):
            return NotImplemented
        o = self._coerce(other)
        return bool(self.numerator == o.numerator and self.denominator == o.denominator)

    def __hash__(self) -> int:
        if self.numerator.degree() < 1 and self.denominator.degree() < 1:
            return hash(self(0))  # a constant equals its Fraction, and so must its hash
        return hash((str(self.numerator), str(self.denominator)))

    def __call__(self, point: Fraction | int) -> Fraction:
        """The value at a rational point.

        Raises:
            ZeroDivisionError: the point is a pole.
        """
        x = to_flint(point)
        return to_fraction(self.numerator(x)) / to_fraction(self.denominator(x))

    def derivative(self) -> "RationalFunction":
        """The derivative."""
        n, d = self.numerator, self.denominator
        return RationalFunction(n.derivative() * d - n * d.derivative(), d * d)

    def series(self, length: int) -> list[Any]:
        """The first power series coefficients at 0, as flint rationals (Newton's iteration).

        >>> RationalFunction(fmpq_poly([1]), fmpq_poly([2, -1])).series(3)
        [1/2, 1/4, 1/8]
        """
        inverse, precision = fmpq_poly([1 / self.denominator[0]]), 1
        while precision < length:
            precision = min(2 * precision, length)
            inverse = inverse.mul_low(2 - self.denominator.mul_low(inverse, precision), precision)
        coefficients: list[Any] = self.numerator.mul_low(inverse, length).coeffs()
        return coefficients + [fmpq(0)] * (length - len(coefficients))

    def __str__(self) -> str:
        scale = lcm(int(self.numerator.denom()), int(self.denominator.denom()))
        texts = (_polynomial_text(p * scale) for p in (self.numerator, self.denominator))
        return "({}) / ({})".format(*texts)

    __repr__ = __str__


def hadamard(a: RationalFunction, b: RationalFunction) -> RationalFunction:
    """The series with coefficients a_n b_n (Stanley 2012, section 4.2).

    >>> z = RationalFunction([0, 1])
    >>> str(hadamard(1 / (1 - 2 * z), 1 / (1 - 3 * z)))
    '(1) / (1 - 6·z)'

    The poles of the result are the products of poles, so the power sums of its denominator are
    products too; Newton's identities give the coefficients.
    """
    p, q = (int(function.denominator.degree()) for function in (a, b))
    degrees = [(int(f.numerator.degree()), n) for f, n in ((a, p), (b, q))]
    # from this term on the denominators say how the terms of both go on
    start = max(*(degree - n + 1 for degree, n in degrees if n), 0, 0)
    # with a polynomial the product is one, too: it ends with the shorter one, and has no poles
    if not p or not q:
        start = 1 + min(degree for degree, n in degrees if not n)
    order = p * q
    sums = [fmpq(0)] * (order + 1)
    pairs_of_sums = zip(_power_sums(a, order), _power_sums(b, order), strict=True)
    for k, (x, y) in enumerate(pairs_of_sums):
        sums[k + 1] = x * y
    denominator = _from_power_sums(sums)
    length = start + order
    pairs = zip(a.series(length), b.series(length), strict=True)
    return RationalFunction(
        fmpq_poly([x * y for x, y in pairs]).mul_low(denominator, length), denominator
    )


def _power_sums(a: RationalFunction, order: int) -> list[Any]:
    """The power sums, 1 to `order`, of the reciprocals of the poles."""
    denominator = a.denominator
    return (RationalFunction(-denominator.derivative()) / RationalFunction(denominator)).series(
        order
    )


def _from_power_sums(sums: list[Any]) -> Any:
    """The polynomial with constant 1 and these power sums of its roots' reciprocals (Newton)."""
    coefficients = [fmpq(1)]
    for k in range(1, len(sums)):
        total = sum((sums[i] * coefficients[k - i] for i in range(1, k + 1)), fmpq(0))
        coefficients.append(-total / k)
    return fmpq_poly(coefficients)


def _polynomial_text(polynomial: Any) -> str:
    """A polynomial in z as text, such as "1/2·z + z^3"."""
    text = ""
    for n, c in enumerate(polynomial.coeffs()):
        if c:
            power = {0: "", 1: "z"}.get(n, f"z^{n}")
            factor = "" if abs(c) == 1 and n else str(abs(c))
            term = "·".join(filter(None, (factor, power)))
            text += f" {'-' if c < 0 else '+'} {term}"
    if not text:
        return "0"
    # the first term has its sign without spaces, and only if it is negative
    return text.removeprefix(" + ") if text.startswith(" + ") else f"-{text.removeprefix(' - ')}"


def shifted(function: RationalFunction, n: int) -> RationalFunction:
    """The function times z^n: every value is n more.

    >>> str(shifted(RationalFunction(1, [2, -1]), 3))
    '(z^3) / (2 - z)'
    """
    return function * RationalFunction([0] * n + [1])


class ShiftedFunction(NamedTuple):
    """The generating function of values, some of which may be below 0.

    Attributes:
        function: that of the values less `least`.
        least: the least value.
    """

    function: RationalFunction
    least: int


def aligned(functions: Sequence[ShiftedFunction]) -> list[RationalFunction]:
    """The functions of values less their common least value.

    >>> one = RationalFunction(1)
    >>> [str(f) for f in aligned([ShiftedFunction(one, 3), ShiftedFunction(one, 1)])]
    ['(z^2) / (1)', '(1) / (1)']
    """
    lowest = min(least for _, least in functions)
    return [shifted(function, least - lowest) for function, least in functions]


def power(function: RationalFunction, times: int) -> RationalFunction:
    """The sum of independent values of one distribution.

    >>> str(power(RationalFunction(1, [2, -1]), 2))
    '(1) / (4 - 4·z + z^2)'

    Raises:
        TooMuchWorkError: more dice than the budget allows.
    """
    afford(
        f"{times} dice that explode",
        seconds=1e-7 * (times * function.denominator.degree()) ** 2,
        instead="roll fewer dice",
    )
    # one by one: squaring would take the gcd of far longer polynomials
    product = RationalFunction(1)
    for _ in range(times):
        product = product * function
    return product


def extreme(functions: Sequence[ShiftedFunction], *, highest: bool) -> ShiftedFunction:
    """The highest or lowest of independent values.

    P(max <= n) is the product of P(X <= n), term by term; of the minimum, of P(X > n).

    >>> coin = ShiftedFunction(RationalFunction([1, 1], [2]), 0)
    >>> str(extreme([coin, coin], highest=True).function)
    '(1 + 3·z) / (4)'

    Raises:
        TooMuchWorkError: the functions are too long.
    """
    rows, leasts = aligned(functions), [least for _, least in functions]
    _afford_hadamard(rows)
    step = RationalFunction([1, -1])
    if not highest:
        beyond = [(1 - function) / step for function in rows]
        return ShiftedFunction(1 - step * reduce(hadamard, beyond), min(leasts))
    best = step * reduce(hadamard, [function / step for function in rows])
    # the highest is at least the largest of the least values: the terms before it are 0
    terms_before = RationalFunction([0] * (max(leasts) - min(leasts)) + [1])
    return ShiftedFunction(best / terms_before, max(leasts))


def compare_values(first: ShiftedFunction, second: ShiftedFunction) -> tuple[Fraction, Fraction]:
    """P(X > Y) and P(X = Y) of two independent values.

    >>> coin = ShiftedFunction(RationalFunction([1, 1], [2]), 0)
    >>> compare_values(coin, coin)
    (Fraction(1, 4), Fraction(1, 2))

    Raises:
        TooMuchWorkError: the functions are too long.
    """
    x, y = aligned([first, second])
    _afford_hadamard([x, y])
    # its coefficients are P(X > n), so that the product with P(Y = n) adds up to P(X > Y)
    beyond = (1 - x) / RationalFunction([1, -1])
    return hadamard(beyond, y)(1), hadamard(x, y)(1)


def _afford_hadamard(functions: Sequence[RationalFunction]) -> None:
    """The denominator of a product term by term has the product of the degrees."""
    degree = prod(1 + int(function.denominator.degree()) for function in functions)
    longest = max(int(function.numerator.degree()) for function in functions)
    afford(
        "the comparison of dice that explode",
        seconds=2e-7 * (degree + longest) ** 2.5,
        instead="roll fewer dice",
    )


class Coefficients:
    """The power series coefficients at 0 of a rational function: exact, or as bounds.

    >>> fibonacci = Coefficients(RationalFunction([0, 1], [1, -1, -1]))
    >>> fibonacci(10), fibonacci(100_000).numerator.bit_length()
    (Fraction(55, 1), 69424)
    >>> low, high = Coefficients(RationalFunction([1], [6, -5])).bounds(1_000, bits=64)
    >>> low <= Fraction(5**1000, 6**1001) <= high, (high - low) / low < Fraction(1, 2**50)
    (True, True)
    """

    def __init__(self, function: RationalFunction, name: str = "a coefficient") -> None:
        self.function, self.name = function, name
        numerator, denominator = function.numerator, function.denominator
        scale = lcm(int(numerator.denom()), int(denominator.denom()))
        self._numerator = [int(c) for c in (numerator * scale).coeffs()] or [0]
        self._denominator = [int(c) for c in (denominator * scale).coeffs()]
        # Q(z) may be a polynomial in z^stride; coefficients between the strides are exactly 0
        self._stride = max(fmpz_poly(self._denominator).deflation()[1], 1)
        self._series: list[Any] = []
        self._denominators: dict[int, list[Any]] = {}
        largest = max(abs(c) for c in self._denominator)
        self._bits_per_term = largest.bit_length() + len(self._denominator) // 8

    def bits(self, n: int) -> int:
        """The approximate bits of the exact coefficient, if the function has a pole."""
        terms = n + len(self._numerator) if len(self._denominator) > 1 else 1
        return terms * self._bits_per_term

    def __call__(self, n: int) -> Fraction:
        """The coefficient of z^n.

        Raises:
            TooMuchWorkError: its digits are over the budget.
        """
        if n < 0:
            return Fraction(0)
        if n < len(self._series):
            return to_fraction(self._series[n])
        # twice as far as before: terms are mostly asked for one after another
        length = max(n + 1, 2 * len(self._series), 64)
        if length * self.bits(length) <= MAX_SERIES_BITS:
            self._series = self.function.series(length)
            return to_fraction(self._series[n])
        if len(self._denominator) == 1:
            beyond = n >= len(self._numerator)
            return Fraction(0) if beyond else to_fraction(self.function.numerator[n])
        size = float(min(self.bits(n), 10**30))
        afford(
            f"{self.name} at {n if n < 10**30 else 10**30:,}, a fraction of "
            f"{size * 0.30103:.2g} digits,",
            seconds=size * len(self._denominator) * 2e-8,
            memory=size * len(self._denominator) / 2,
            instead="ask for its bounds",
        )
        # Bostan and Mori (2021): P/Q = P Q(-z) / (Q Q(-z)), and the denominator is one in z^2, so
        # that each step halves n
        terms, n = self._on_stride(n)
        numerator, denominator = fmpz_poly(terms), fmpz_poly(self._denominator[:: self._stride])
        while n:
            mirrored = _mirrored(denominator)
            numerator = fmpz_poly((numerator * mirrored).coeffs()[n % 2 :: 2])
            denominator = fmpz_poly((denominator * mirrored).coeffs()[::2])
            n //= 2
        return to_fraction(fmpq(numerator[0], denominator[0]))

    def bounds(self, n: int, bits: int) -> tuple[Fraction, Fraction]:
        """A certified interval for the coefficient of z^n, if it is a probability.

        Args:
            n: the index.
            bits: working precision; twice as many give a shorter interval.
        """
        if n < 0:
            return Fraction(0), Fraction(0)
        terms, n = self._on_stride(n)
        with _precision, ctx.workprec(bits):
            numerator = arb_poly(terms)
            squarings = 0
            while n:
                mirrored = _mirrored(self._denominator_after(squarings, bits))
                numerator = arb_poly((numerator * mirrored).coeffs()[n % 2 :: 2])
                n, squarings = n // 2, squarings + 1
            ball = numerator[0] / self._denominator_after(squarings, bits)[0]
            # the denominator's ball holds 0: at this precision nothing is known
            if not ball.is_finite():
                return Fraction(0), Fraction(1)
            low = _ball_end(ball.lower(), if_tiny=Fraction(0))
            return low, _ball_end(ball.upper(), if_tiny=Fraction(1, 2**-MIN_EXPONENT))

    def _on_stride(self, n: int) -> tuple[list[int], int]:
        """The numerator of the series of the terms n mod stride, and the index of n in it."""
        return self._numerator[n % self._stride :: self._stride] or [0], n // self._stride

    def _denominator_after(self, squarings: int, bits: int) -> Any:
        """The denominator after this many squarings."""
        start = arb_poly(self._denominator[:: self._stride])
        denominators = self._denominators.setdefault(bits, [start])
        while squarings >= len(denominators):
            last = denominators[-1]
            denominators.append(arb_poly((last * _mirrored(last)).coeffs()[::2]))
        return denominators[squarings]


def _mirrored(polynomial: Any) -> Any:
    """Q(-z)."""
    return type(polynomial)([-c if k % 2 else c for k, c in enumerate(polynomial.coeffs())])


def _ball_end(end: Any, *, if_tiny: Fraction) -> Fraction:
    """The end of a ball as a fraction from 0 to 1; `if_tiny` in place of an end that is tiny."""
    digits, exponent = (int(x) for x in end.man_exp())
    if digits.bit_length() + exponent < MIN_EXPONENT:
        return if_tiny if digits > 0 else Fraction(0)
    return min(max(Fraction(digits) * Fraction(2) ** exponent, Fraction(0)), Fraction(1))


class SeriesLaw(Distribution):
    """The exact distribution of a whole number from `least` up, from its generating function.

    >>> geometric = SeriesLaw(RationalFunction(fmpq_poly([0, 1]), fmpq_poly([6, -5])))
    >>> geometric.pmf(2), geometric.mean, geometric.variance, geometric.quantile("1/2")
    (Fraction(5, 36), Fraction(6, 1), Fraction(30, 1), 4)

    Args:
        generating_function: G(z) of the number less `least`, with G(1) > 0; the distribution is
            that of G(z) / G(1).
        name: what the number is, for messages.
        least: the number of which z^0 has the probability.
    """

    def __init__(
        self, generating_function: RationalFunction, name: str = "rolls", least: int = 0
    ) -> None:
        self.probability = generating_function(1)
        if not self.probability:
            raise RulesError(
                "the condition of the distribution has probability 0; give one that can happen"
            )
        self.generating_function = generating_function / self.probability
        self.name, self.least = name, least
        self._pmf = Coefficients(self.generating_function, f"P(N = n) of {name}")
        survivors = (1 - self.generating_function) / RationalFunction([1, -1])
        self._sf = Coefficients(survivors, f"P(N > n) of {name}")

    def pmf(self, n: Number) -> Fraction:
        """P(N = n).

        Raises:
            TooMuchWorkError: the fraction would be too long.
        """
        x = exact(n) - self.least
        return self._pmf(int(x)) if x.denominator == 1 else Fraction(0)

    def cdf(self, n: Number) -> Fraction:
        """P(N <= n); errors as `pmf`."""
        return 1 - self.sf(n)

    def sf(self, n: Number) -> Fraction:
        """P(N > n), the survival function; errors as `pmf`."""
        index = exact(n) // 1 - self.least
        return self._sf(index) if index >= 0 else Fraction(1)

    def pmf_bounds(self, n: int, digits: int = 30) -> tuple[Fraction, Fraction]:
        """Certified bounds on P(N = n) that agree in this many digits; see `sf_bounds`."""
        return _tight_bounds(self._pmf, _whole_count(n) - self.least, digits)

    @public
    def sf_bounds(self, n: int, digits: int = 30) -> tuple[Fraction, Fraction]:
        """Certified bounds on P(N > n) that agree in this many digits, for any n.

        Values below 2^-100,000 have the lower bound 0, unless they are exactly 0.

        >>> geometric = SeriesLaw(RationalFunction(fmpq_poly([0, 1]), fmpq_poly([6, -5])))
        >>> low, high = geometric.sf_bounds(10_000)
        >>> low <= geometric.sf(10_000) <= high, high - low < low / 10**30
        (True, True)
        """
        index = _whole_count(n) - self.least
        return _tight_bounds(self._sf, index, digits) if index >= 0 else (Fraction(1), Fraction(1))

    def quantile(self, q: Number) -> int:
        """The least n with P(N <= n) >= q.

        Decided by bounds on the tail, and exactly if q may equal it.

        Args:
            q: a probability, 0 <= q < 1, or 1 if the number is bounded.

        Raises:
            RulesError: q is not a probability, or is 1 and the number has no bound.
        """
        tail = 1 - checked_probability(q)
        if not tail and self.generating_function.denominator.degree() > 0:
            raise RulesError(ENDLESS)
        if tail == 1:
            return self.support[0]
        # doubled first: a quantile may be anywhere, and each probe costs a bound of its own
        high = 1
        while self._outlives(high, tail):
            high *= 2
        steps = bisect_left(range(high), True, key=lambda n: not self._outlives(n, tail))
        return self.least + steps

    def _outlives(self, index: int, tail: Fraction) -> bool:
        """Whether P(N - least > index) > tail."""
        bits, length = 128, self._sf.bits(index)
        while bits < length:
            low, high = self._sf.bounds(index, bits)
            if low > tail or high <= tail:
                return low > tail
            bits *= 2
        return self._sf(index) > tail

    def factorial_moment(self, k: int) -> Fraction:
        """E[M (M-1) ... (M-k+1)] of M = N - least, the k-th derivative of G at 1."""
        g = self.generating_function
        for _ in range(k):
            g = g.derivative()
        return g(1)

    @property
    def mean(self) -> Fraction:
        return Figure(self.least + self.factorial_moment(1))

    def central_moment(self, k: int) -> Fraction:
        """E[(N - mean)^k], by factorial moments and Stirling numbers of the second kind."""
        # the least number moves the mean alone
        raw, mean = [self._moment(j) for j in range(k + 1)], self.factorial_moment(1)
        terms = (comb(k, j) * raw[j] * (-mean) ** (k - j) for j in range(k + 1))
        return sum(terms, Fraction(0))

    def _moment(self, k: int) -> Fraction:
        """E[(N - least)^k]."""
        # Stirling numbers of the second kind: M^k as falling factorials
        row = [1]
        for n in range(1, k + 1):
            row = [(j * row[j] if j < n else 0) + (row[j - 1] if j else 0) for j in range(n + 1)]
        return sum((s * self.factorial_moment(j) for j, s in enumerate(row)), Fraction(0))

    @cached_property
    def support(self) -> tuple[int, int | None]:
        g = self.generating_function
        # the lowest power that is left may lie above the least number that was worked out
        low = next(n for n, c in enumerate(g.numerator.coeffs()) if c)
        last = self.least + int(g.numerator.degree()) if g.denominator.degree() == 0 else None
        return self.least + low, last

    def __iter__(self) -> Iterator[int]:
        """The numbers that can come, in ascending order; without end if there is no largest."""
        n, last = self.support
        while last is None or n <= last:
            if self.pmf(n):
                yield n
            n += 1

    def items(self) -> Iterator[tuple[int, Fraction]]:
        """Each number and its probability, in ascending order; without end as above."""
        return ((n, self.pmf(n)) for n in self)


class CounterLaw(HasPage, SeriesLaw):
    """The exact distribution of a count 0, 1, 2, ..., with a page.

    >>> coin = CounterLaw(RationalFunction(fmpq_poly([1, 1]), fmpq_poly([2])), "heads")
    >>> coin.mean, coin.support
    (Fraction(1, 2), (0, 1))
    """

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

        >>> coin = CounterLaw(RationalFunction(fmpq_poly([1, 1]), fmpq_poly([2])), "heads")
        >>> [row[:2] for row in coin.histogram().rows]
        [('0', Fraction(1, 2)), ('1', Fraction(1, 2))]
        """
        shares = self._shares()
        highest = max(p for _, p in shares)
        columns = [
            Column(self.name, LABEL),
            Column("probability", FRACTION, DECIMAL),
            Column("", MONO),
        ]
        return Table(columns, [(n, p, bar(p / highest)) for n, p in shares])

    def _shares(self) -> list[tuple[str, Fraction]]:
        """The probability of each count up to the quantile at 99 %, then of all beyond."""
        first = self.support[0]
        last = min(self.quantile("99/100"), first + MAX_BARS - 1)
        shares = [(str(n), self.pmf(n)) for n in range(first, last + 1)]
        beyond = self.sf(last)
        return [*shares, (f"over {last}", beyond)] if beyond else shares

    def _quantile(self, q: str) -> Fact:
        n = self.quantile(q)
        tail = decimal(Certified.between(*self.sf_bounds(n, 20)))
        return Fact(f"quantile at {q}", n, COUNT, note=f"P(N > {n}) = {tail}")


def rolls_until_streak(p: Number, length: int) -> CounterLaw:
    """The number of rolls until an event of probability p comes this many times in a row.

    With k the length, its generating function is
    p^k s^k (1 - ps) / (1 - s + (1 - p) p^k s^(k + 1)) (Feller, vol. 1, XIII.7).

    >>> rolls_until_streak(Fraction(1, 6), 2).mean
    Fraction(42, 1)

    Raises:
        RulesError: a probability not above 0 and up to 1, or a length below 1.
    """
    p = exact(p)
    if not 0 < p <= 1:
        raise RulesError(f"p={p}; give a probability above 0, up to 1")
    if type(length) is not int or length < 1:
        raise RulesError(f"length={shown(length)}; give 1 or more")
    complete = p**length
    numerator = [*[0] * length, to_flint(complete), to_flint(-complete * p)]
    denominator = [1, -1, *[0] * (length - 1), to_flint((1 - p) * complete)]
    return CounterLaw(RationalFunction(numerator, denominator))


def _whole_count(n: Number) -> int:
    if not is_whole(n):
        raise RulesError(f"{shown(n)} is not a count; give a whole number, such as 10")
    return int(n)


def _tight_bounds(coefficients: Coefficients, index: int, digits: int) -> tuple[Fraction, Fraction]:
    """Bounds that agree in this many digits, or the exact value if shorter."""
    if type(digits) is not int or digits < 1:
        raise RulesError(f"digits={shown(digits)}; give 1 or more")
    bits, length = 4 * digits + 64, coefficients.bits(index)
    while bits < length:
        low, high = coefficients.bounds(index, bits)
        if (high - low) * 10**digits <= low or high.denominator == 1 << -MIN_EXPONENT:
            return low, high
        bits *= 2
    return (coefficients(index),) * 2
