"""Rational functions of one variable over the rationals, in lowest terms (python-flint)."""

from fractions import Fraction
from math import lcm
from typing import Any

from flint import fmpq, fmpq_poly


def fraction(q: Any) -> Fraction:
    """A flint rational (or integer) as a `Fraction`.

    >>> fraction(fmpq(1, 3))
    Fraction(1, 3)
    """
    q = fmpq(q)
    made: Any = object.__new__(Fraction)  # already in lowest terms: skips Fraction's slow gcd
    made._numerator, made._denominator = int(q.p), int(q.q)
    return made  # type: ignore[no-any-return]


def flint(x: Any) -> Any:
    """A number as a flint rational.

    >>> flint(Fraction(1, 3))
    1/3
    """
    x = Fraction(x)
    return fmpq(x.numerator, x.denominator)


class Rational:
    """An immutable quotient of two polynomials in lowest terms, with ring operations.

    >>> z = Rational(fmpq_poly([0, 1]))
    >>> str(z / (2 - z))
    '(z) / (2 - z)'
    >>> (z / (2 - z))(Fraction(1, 2))
    Fraction(1, 3)
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Any, denominator: Any = 1) -> None:
        top, bottom = fmpq_poly(numerator), fmpq_poly(denominator)
        if bottom.degree() > 0:
            common = top.gcd(bottom)
            if common.degree() > 0:
                top, bottom = top // common, bottom // common
        unit = next((c for c in bottom.coeffs() if c), None)
        if unit is None:
            raise ZeroDivisionError("a rational function with denominator 0")
        if unit != 1:
            top, bottom = top / unit, bottom / unit
        self.numerator, self.denominator = top, bottom

    def __reduce__(self) -> Any:  # flint's polynomials do not pickle; their coefficients do
        return Rational, (self.numerator.coeffs(), self.denominator.coeffs())

    @staticmethod
    def _of(value: Any) -> "Rational":
        if isinstance(value, Rational):
            return value
        return Rational(fmpq_poly([flint(value) if isinstance(value, Fraction) else value]))

    def __add__(self, other: Any) -> "Rational":
        o = self._of(other)
        if self.denominator == o.denominator:
            return Rational(self.numerator + o.numerator, self.denominator)
        return Rational(
            self.numerator * o.denominator + o.numerator * self.denominator,
            self.denominator * o.denominator,
        )

    __radd__ = __add__

    def __neg__(self) -> "Rational":
        return Rational(-self.numerator, self.denominator)

    def __sub__(self, other: Any) -> "Rational":
        return self + -self._of(other)

    def __rsub__(self, other: Any) -> "Rational":
        return self._of(other) - self

    def __mul__(self, other: Any) -> "Rational":
        o = self._of(other)
        return Rational(self.numerator * o.numerator, self.denominator * o.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "Rational":
        o = self._of(other)
        return Rational(self.numerator * o.denominator, self.denominator * o.numerator)

    def __rtruediv__(self, other: Any) -> "Rational":
        return self._of(other) / self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rational | Fraction | int):
            return NotImplemented
        o = self._of(other)
        return bool(self.numerator == o.numerator and self.denominator == o.denominator)

    def __hash__(self) -> int:
        if self.numerator.degree() < 1 and self.denominator.degree() < 1:
            return hash(self(0))  # a constant equals its Fraction, and so must its hash
        return hash((str(self.numerator), str(self.denominator)))

    def __call__(self, at: Fraction | int) -> Fraction:
        """The value at a rational point.

        Raises:
            ZeroDivisionError: the point is a pole.
        """
        x = flint(at)
        return fraction(self.numerator(x)) / fraction(self.denominator(x))

    def derivative(self) -> "Rational":
        """The derivative."""
        n, d = self.numerator, self.denominator
        return Rational(n.derivative() * d - n * d.derivative(), d * d)

    def series(self, length: int) -> list[Any]:
        """The first power series coefficients at 0, as flint rationals (Newton's iteration).

        >>> Rational(fmpq_poly([1]), fmpq_poly([2, -1])).series(3)
        [1/2, 1/4, 1/8]
        """
        inverse, known = fmpq_poly([1 / self.denominator[0]]), 1
        while known < length:
            known = min(2 * known, length)
            inverse = inverse.mul_low(2 - self.denominator.mul_low(inverse, known), known)
        coefficients: list[Any] = self.numerator.mul_low(inverse, length).coeffs()
        return coefficients + [fmpq(0)] * (length - len(coefficients))

    def __str__(self) -> str:
        scale = lcm(int(self.numerator.denom()), int(self.denominator.denom()))
        return f"({_show(self.numerator * scale)}) / ({_show(self.denominator * scale)})"

    __repr__ = __str__


def hadamard(a: Rational, b: Rational) -> Rational:
    """The series with coefficients a_n b_n (Stanley 2012, section 4.2).

    >>> z = Rational([0, 1])
    >>> str(hadamard(1 / (1 - 2 * z), 1 / (1 - 3 * z)))
    '(1) / (1 - 6·z)'

    The poles of the result are the products of poles, so the power sums of its denominator are
    products too; Newton's identities give the coefficients.
    """
    p, q = (int(each.denominator.degree()) for each in (a, b))
    start = max(*(int(each.numerator.degree()) - n + 1 for each, n in ((a, p), (b, q)) if n), 0, 0)
    if not p or not q:  # one of them is a polynomial
        start = 1 + min(int(each.numerator.degree()) for each, n in ((a, p), (b, q)) if not n)
    order = p * q
    sums = [fmpq(0)] * (order + 1)
    for k, (x, y) in enumerate(zip(*(_power_sums(each, order) for each in (a, b)), strict=True)):
        sums[k + 1] = x * y
    denominator = _from_power_sums(sums)
    length = start + order
    pairs = zip(a.series(length), b.series(length), strict=True)
    return Rational(fmpq_poly([x * y for x, y in pairs]).mul_low(denominator, length), denominator)


def _power_sums(a: Rational, order: int) -> list[Any]:
    """The power sums, 1 to `order`, of the reciprocals of the poles."""
    bottom = a.denominator
    return (Rational(-bottom.derivative()) / Rational(bottom)).series(order)


def _from_power_sums(sums: list[Any]) -> Any:
    """The polynomial with constant 1 and these power sums of its roots' reciprocals (Newton)."""
    found = [fmpq(1)]
    for k in range(1, len(sums)):
        found.append(-sum((sums[i] * found[k - i] for i in range(1, k + 1)), fmpq(0)) / k)
    return fmpq_poly(found)


def _show(polynomial: Any) -> str:
    text = ""
    for n, c in enumerate(polynomial.coeffs()):
        if c:
            power = "" if n == 0 else "z" if n == 1 else f"z^{n}"
            size = "" if abs(c) == 1 and n else str(abs(c))
            sign = ("-" if c < 0 else "") if not text else (" - " if c < 0 else " + ")
            text += sign + size + ("·" if size and power else "") + power
    return text or "0"
