"""Figures near a mark: what is not one half never prints as 50.000000 %."""

from fractions import Fraction

HALF = Fraction(1, 2)
DIGITS = 6
MOST = 60


def percent(p: Fraction, mark: Fraction = HALF, digits: int = DIGITS) -> str:
    """A probability in percent, to so many places or as many more as tell it from the mark.

    >>> percent(Fraction(1, 2)), percent(Fraction(5669, 11340)), percent(Fraction("0.49999999999"))
    ('50.000000', '49.991182', '49.999999999')

    Args:
        p: the probability.
        mark: the number that it must not be mistaken for.
        digits: after the point.
    """
    while True:
        text = _rounded(100 * p, digits)
        if p == mark or Fraction(text) != Fraction(_rounded(100 * mark, digits)) or digits >= MOST:
            return text
        digits += 1


def _rounded(value: Fraction, digits: int) -> str:
    """A number to so many places, from whole numbers alone, half to even."""
    units = round(value * 10**digits)
    whole, rest = divmod(abs(units), 10**digits)
    return f"{'-' if units < 0 else ''}{whole}.{rest:0{digits}d}"
