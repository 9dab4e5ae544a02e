"""A single far coefficient of a rational power series, by squaring.

[z^n] P(z)/Q(z) = [z^n] P(z)Q(-z) / Q(z)Q(-z). The new denominator is even, so half of the
numerator's terms don't matter and n is halved (A. Bostan and R. Mori, "A simple and fast algorithm
for computing the N-th term of a linearly recurrent sequence", SOSA 2021). Integers give the exact
value, whose length grows with n. Balls give digits with a proved error; if cancellation makes them
wide, more bits are used.
"""

from fractions import Fraction
from math import lcm
from threading import Lock
from typing import Any

from flint import arb_poly, ctx, fmpq, fmpz_poly

from sevenout.budgets.estimates import afford
from sevenout.solving.distributions.rational import Rational, fraction

SHORT = 2**27
"""Bits of the terms, each as long as the last, up to which a series is computed term by term."""
LEAST = -100_000
"""Bounds do not separate probabilities below 2^LEAST from 0."""
_precision = Lock()  # flint has one precision for all threads; a ball is right at any


class Coefficients:
    """The power series coefficients at 0 of a rational function: exact, or as bounds.

    >>> fibonacci = Coefficients(Rational([0, 1], [1, -1, -1]))
    >>> fibonacci(10), fibonacci(100_000).numerator.bit_length()
    (Fraction(55, 1), 69424)
    >>> low, high = Coefficients(Rational([1], [6, -5])).bounds(1_000, bits=64)
    >>> low <= Fraction(5**1000, 6**1001) <= high, (high - low) / low < Fraction(1, 2**50)
    (True, True)
    """

    def __init__(self, function: Rational, name: str = "a coefficient") -> None:
        self.function, self.name = function, name
        top, bottom = function.numerator, function.denominator
        scale = lcm(int(top.denom()), int(bottom.denom()))
        self._top = [int(c) for c in (top * scale).coeffs()] or [0]
        self._bottom = [int(c) for c in (bottom * scale).coeffs()]
        # Q(z) may be a polynomial in z^step; coefficients between the steps are exactly 0.
        self._step = max(fmpz_poly(self._bottom).deflation()[1], 1)
        self._known: list[Any] = []
        self._denominators: dict[int, list[Any]] = {}
        self._growth = max(abs(c) for c in self._bottom).bit_length() + len(self._bottom) // 8

    def bits(self, n: int) -> int:
        """The approximate bits of the exact coefficient, if the function has a pole."""
        return (n + len(self._top)) * self._growth if len(self._bottom) > 1 else self._growth

    def __call__(self, n: int) -> Fraction:
        """The coefficient of z^n.

        Raises:
            TooMuchWorkError: its digits are over the budget.
        """
        if n < 0:
            return Fraction(0)
        if n < len(self._known):
            return fraction(self._known[n])
        length = max(n + 1, 2 * len(self._known), 64)
        if length * self.bits(length) <= SHORT:
            self._known = self.function.series(length)
            return fraction(self._known[n])
        if len(self._bottom) == 1:
            return fraction(self.function.numerator[n]) if n < len(self._top) else Fraction(0)
        size = float(min(self.bits(n), 10**30))
        afford(
            f"{self.name} at {n if n < 10**30 else 10**30:,}, a fraction of "
            f"{size * 0.30103:.2g} digits,",
            seconds=size * len(self._bottom) * 2e-8,
            memory=size * len(self._bottom) / 2,
            instead="ask for its bounds",
        )
        top, n = self._part(n)
        above, below = fmpz_poly(top), fmpz_poly(self._bottom[:: self._step])
        while n:
            mirrored = _mirrored(below)
            above = fmpz_poly((above * mirrored).coeffs()[n % 2 :: 2])
            below = fmpz_poly((below * mirrored).coeffs()[::2])
            n //= 2
        return fraction(fmpq(above[0], below[0]))

    def bounds(self, n: int, bits: int) -> tuple[Fraction, Fraction]:
        """A certified interval for the coefficient of z^n, if it is a probability.

        Args:
            n: the index.
            bits: working precision; twice as many give a shorter interval.
        """
        if n < 0:
            return Fraction(0), Fraction(0)
        top, n = self._part(n)
        with _precision, ctx.workprec(bits):
            above = arb_poly(top)
            k = 0
            while n:
                above = arb_poly((above * _mirrored(self._below(k, bits))).coeffs()[n % 2 :: 2])
                n, k = n // 2, k + 1
            ball = above[0] / self._below(k, bits)[0]
            if not ball.is_finite():
                return Fraction(0), Fraction(1)
            return _end(ball.lower(), Fraction(0)), _end(ball.upper(), Fraction(1, 2**-LEAST))

    def _part(self, n: int) -> tuple[list[int], int]:
        """The numerator of the terms n mod step as a series, and the index of n in it."""
        return self._top[n % self._step :: self._step] or [0], n // self._step

    def _below(self, k: int, bits: int) -> Any:
        """The denominator after k squarings."""
        known = self._denominators.setdefault(bits, [arb_poly(self._bottom[:: self._step])])
        while k >= len(known):
            known.append(arb_poly((known[-1] * _mirrored(known[-1])).coeffs()[::2]))
        return known[k]


def _mirrored(polynomial: Any) -> Any:
    """Q(-z)."""
    return type(polynomial)([-c if k % 2 else c for k, c in enumerate(polynomial.coeffs())])


def _end(end: Any, tiny: Fraction) -> Fraction:
    """The end of a ball as a fraction from 0 to 1; `tiny` replaces all that are hardly larger."""
    digits, exponent = (int(x) for x in end.man_exp())
    if digits.bit_length() + exponent < LEAST:
        return tiny if digits > 0 else Fraction(0)
    return min(max(Fraction(digits) * Fraction(2) ** exponent, Fraction(0)), Fraction(1))
