"""Numbers as text, rounded from the exact value.

Only 0, 1/2 and 1 are printed as such; other numbers get more digits, or a sign for their side. A
value with a proved error bound shows only certain digits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite, isnan, nextafter

MAX_DIGITS = 15
"""The most decimals that separate a number from 1/2 or 1; a float has no more."""
HUGE = 10**15
"""Numbers from here on are printed in scientific notation."""
MAX_FRACTION = 24
"""The most characters of a fraction in full; longer ones are shown only by their decimals."""
DASH = "–"
"""Printed where there is no value."""
TOO_LONG = "…"
"""Stands for a fraction that is too long to print."""


@dataclass(frozen=True)
class Certified:
    """A value with a proved error bound; only its certain digits are printed.

    >>> decimal(Certified(Fraction(1, 3), Fraction(1, 10**4)))
    '0.333'

    Attributes:
        value: the approximate value.
        bound: the greatest possible error.
    """

    value: Fraction
    bound: Fraction

    @classmethod
    def between(cls, low: Fraction, high: Fraction) -> "Certified | Fraction":
        """The value known to lie between two numbers.

        >>> decimal(Certified.between(Fraction(1, 4), Fraction(7, 27)), 6)
        '0.3'
        """
        return cls((low + high) / 2, (high - low) / 2) if low != high else low

    def as_floats(self) -> tuple[float, float]:
        """The value as a float, and a bound that covers the rounding to one.

        >>> Certified(Fraction(1, 3), Fraction(1, 10**400)).as_floats()[1] > 0
        True
        """
        near = float(self.value)
        # `float` may round the bound down, so the next number above it is taken.
        return near, nextafter(float(self.bound + abs(self.value - Fraction(near))), inf)


Number = int | float | Fraction | Certified


def decimal(x: Number, digits: int = 6, sign: bool = False) -> str:
    """A number rounded to this many decimals from the exact value, halves away from zero.

    If rounding would leave hardly a digit, it is in scientific notation.

    >>> decimal(Fraction(1, 128)), decimal(Fraction(-1, 9), 3, sign=True), decimal(10**20)
    ('0.007813', '-0.111', '1.00000e20')
    >>> decimal(Fraction(1, 10**9)), decimal(Fraction(1, 2) - Fraction(1, 10**8))
    ('1.00000e-9', '0.49999999')
    """
    return certain_digits(x, lambda y: _decimal(y, digits, sign))


def percent(
    x: Number, digits: int = 4, sign: bool = False, distinct_from: Fraction | int = 0
) -> str:
    """A probability or an edge in per cent; 0, 50 and 100 only if exact.

    One that would leave no digit is in scientific notation; a probability also as "1 in".

    >>> percent(Fraction(7, 495)), percent(Fraction(1, 2)), percent(Fraction(499999, 10**6), 2)
    ('1.4141 %', '50.0000 %', '49.9999 %')
    >>> percent(Fraction(1, 10**9)), percent(1 - Fraction(1, 10**9))
    ('1.000e-9, 1 in 1 billion', '> 99.9999 %')
    >>> percent(Certified(Fraction(1, 10**14), Fraction(3, 10**14)))
    '< 4.2e-14'

    Args:
        x: the number.
        digits: the least number of decimals.
        sign: whether a plus is printed.
        distinct_from: another number from which it must differ.
    """

    def with_digits(y: Fraction) -> str:
        # Rounded to 0 or 100 %, the event would look impossible or certain.
        last_digit = Fraction(1, 10**digits)
        if 0 < 100 * abs(y) < last_digit / 2:
            return f"{'<' if y > 0 else '>'} {fixed(last_digit if y > 0 else -last_digit, digits)}"
        if 0 < 100 - 100 * y < last_digit / 2:
            return f"> {fixed(100 - last_digit, digits)}"
        return _distinct(100 * y, digits, sign, (50, 100, 100 * distinct_from))

    number = x.value if isinstance(x, Certified) else x
    # Infinity and NaN are no fractions; with 0 the test for small numbers passes them over.
    value = (
        Fraction(number) if isinstance(number, Fraction | int) or isfinite(number) else Fraction(0)
    )
    if not sign and not distinct_from and 0 < 100 * value < Fraction(1, 2 * 10**digits):
        text = scientific(x, 4)
        if text.strip("0."):
            return f"{text}, {chance_in(value)}"
        if isinstance(x, Certified):
            # the error bound leaves no digit; 5 % more is what rounding can take away
            return f"< {scientific((x.value + x.bound) * Fraction(21, 20), 2)}"
    return f"{certain_digits(x, with_digits, 100)} %"


SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1, ""))


def chance_in(p: Fraction) -> str:
    """A small probability as people say it.

    >>> chance_in(Fraction(1, 5_590_000_000)), chance_in(Fraction(1, 10**25))
    ('1 in 5.6 billion', '1 in 1.0e25')
    """
    odds = 1 / p
    scale, word = next((scale, word) for scale, word in SCALES if odds >= scale or scale == 1)
    if odds >= 1000 * SCALES[0][0]:  # there is no word that everybody knows
        return f"1 in {scientific(odds, 2)}"
    number = fixed(odds / scale, 1 if word else 0).removesuffix(".0")
    return f"1 in {number} {word}".rstrip()


def fixed(x: Fraction | int, digits: int, sign: bool = False) -> str:
    """A number to exactly this many decimals; 0, also after rounding, has no sign.

    >>> fixed(Fraction(-1, 1000), 2), fixed(Fraction(5, 2), 0), fixed(Fraction(7, 2), 1, sign=True)
    ('0.00', '3', '+3.5')
    """
    y, scale = Fraction(x), 10**digits
    # Whole numbers throughout: a float would be rounded twice.
    scaled = (2 * abs(y.numerator) * scale + y.denominator) // (2 * y.denominator)
    whole, decimals = divmod(scaled, scale)
    text = f"{whole}.{decimals:0{digits}d}" if digits else str(whole)
    return (("-" if y < 0 else "+" if sign else "") if scaled else "") + text


def scientific(x: Number, digits: int = 6, sign: bool = False) -> str:
    """A number in scientific notation, with this many significant digits.

    >>> scientific(Fraction(-3, 10**7)), scientific(10**400, 2)
    ('-3.00000e-7', '1.0e400')
    """
    return certain_digits(x, lambda y: _scientific(y, digits, sign))


def exactly(x: Fraction | int, max_length: int | None = None) -> str:
    """A fraction in full, or `TOO_LONG` if it has more than `max_length` characters.

    >>> exactly(Fraction(1, 3)), exactly(Fraction(10, 10**60 + 1), max_length=50)
    ('1/3', '…')
    """
    size = max(x.numerator.bit_length(), x.denominator.bit_length())
    # a digit has about 3.3 bits, so over 4 bits a digit is certainly too long
    if max_length is not None and size > 4 * max_length:
        return TOO_LONG
    text = full_integer(x.numerator)
    if x.denominator != 1:
        text += f"/{full_integer(x.denominator)}"
    return text if max_length is None or len(text) <= max_length else TOO_LONG


def exact_figures(result: object, *names: str) -> dict[str, str | None]:
    """Some exact figures of a result in full, by name; None for a missing one.

    >>> exact_figures(Fraction(1, 3), "numerator", "denominator")
    {'numerator': '1', 'denominator': '3'}
    """
    values = {name: getattr(result, name) for name in names}
    return {name: None if x is None else exactly(x) for name, x in values.items()}


def readable_fraction(x: Fraction | int) -> str:
    """A fraction if it is short enough to read, else `TOO_LONG`.

    >>> readable_fraction(Fraction(244, 495)), readable_fraction(Fraction(1, 3**60))
    ('244/495', '…')
    """
    return exactly(x, MAX_FRACTION)


def full_integer(n: int) -> str:
    """An integer in full, past Python's limit of 4,300 digits.

    >>> len(full_integer(10**10000))
    10001
    """
    # 14,000 bits are at most 4,215 digits; `Decimal` has no limit.
    return str(n) if n.bit_length() < 14_000 else f"{Decimal(n):f}"


def signed(x: Fraction | int) -> str:
    """A profit: +3/2, 0, -1.

    >>> signed(Fraction(3, 2))
    '+3/2'
    """
    return f"+{exactly(x)}" if x > 0 else exactly(x)


def amount(x: Fraction | int) -> str:
    """An amount as a price: whole, a short decimal, or a fraction.

    >>> amount(Fraction(11)), amount(Fraction(5, 2)), amount(Fraction(1, 3))
    ('11', '2.5', '1/3')
    """
    # Four decimals show only those amounts exactly whose denominator divides 10,000.
    if 10_000 % Fraction(x).denominator:
        return exactly(x)
    text = fixed(x, 4)
    return text.rstrip("0").rstrip(".")


def grouped_amount(x: Fraction | int) -> str:
    """An amount as printed for people, with commas.

    >>> grouped_amount(Fraction(25_000)), grouped_amount(Fraction(-2501, 2)), grouped_amount(7)
    ('25,000', '-1,250.5', '7')
    """
    return with_commas(amount(x))


def with_commas(text: str) -> str:
    """Figures with thousands separators; a dash, infinity or range is unchanged.

    >>> with_commas("-1234.5"), with_commas("∞")
    ('-1,234.5', '∞')
    """
    whole, dot, decimals = text.partition(".")
    digits = whole.lstrip("+-")
    sign = whole.removesuffix(digits)
    return f"{sign}{int(digits):,}{dot}{decimals}" if digits.isdecimal() else text


def money(x: Fraction | int, currency: str = "") -> str:
    """An amount of money, in a currency or in units.

    >>> money(Fraction(25_000), "$"), money(Fraction(5, 2), "EUR"), money(Fraction(1))
    ('$25,000', '2.5 EUR', '1 unit')
    """
    text = grouped_amount(x)
    if not currency:
        return f"{text} unit" if x == 1 else f"{text} units"
    return in_currency(text, currency)


def in_currency(text: str, currency: str) -> str:
    """An amount with its currency: a sign before it, letters after it.

    >>> in_currency("5", "$"), in_currency("5", "EUR"), in_currency("5", "")
    ('$5', '5 EUR', '5')
    """
    return f"{text} {currency}" if currency[-1:].isalpha() else f"{currency}{text}"


def won(x: Fraction | int) -> str:
    """An amount won or lost, rounded to the hundredth.

    >>> won(Fraction(5)), won(Fraction(-5, 2)), won(Fraction(0)), won(12_345)
    ('+5', '-2.50', '0', '+12,345')
    """
    return with_commas(fixed(x, 2, sign=True).removesuffix(".00"))


def odds(profit: Fraction | int) -> str:
    """The payout of a bet, as on the layout.

    >>> odds(Fraction(3, 2)), odds(Fraction(1)), odds(Fraction(0)), odds(Fraction(-1))
    ('3 to 2', '1 to 1', 'push', 'loses')
    """
    if profit > 0:
        return f"{full_integer(profit.numerator)} to {full_integer(profit.denominator)}"
    if profit == 0:
        return "push"
    return "loses" if profit == -1 else f"loses {exactly(-profit)}"


def count(x: Number) -> str:
    """A count with thousands separators; rounded if not whole.

    >>> count(1234567), count(Fraction(9, 2)), count(10**40)
    ('1,234,567', '5', '1.00000e40')
    """
    return certain_digits(
        x, lambda y: _scientific(y, 6) if abs(y) >= HUGE**2 else with_commas(fixed(y, 0))
    )


def quantity(x: Fraction | int, noun: str) -> str:
    """A number of things, the noun in the plural unless it is one.

    >>> quantity(1, "roll"), quantity(1200, "roll"), quantity(Fraction(5, 2), "unit")
    ('1 roll', '1,200 rolls', '2.5 units')
    """
    number = f"{int(x):,}" if x == int(x) else amount(x)
    return f"{number} {noun}{'s' if x != 1 else ''}"


def singular(plural: str) -> str:
    """One of what a counter counts.

    >>> singular("turns"), singular("pass")
    ('turn', 'pass')
    """
    return plural if plural.endswith("ss") else plural.removesuffix("s")


def one_in(x: Number) -> str:
    """A mean waiting time: 1 in this many.

    >>> one_in(Fraction(9, 2)), one_in(Fraction(1234567, 2))
    ('4.50', '617,284')
    """
    return certain_digits(x, lambda y: fixed(y, 2) if abs(y) < 1000 else count(y))


def p_value(p: float) -> str:
    """A p-value for readers.

    >>> p_value(0.03125), p_value(2.02e-7), p_value(0.0)
    ('0.0312', '2.0e-07', '0')
    """
    # a p-value below the smallest float
    if p == 0:
        return "0"
    return f"{p:.4f}" if p >= 0.001 else f"{p:.1e}"


def minus(text: str) -> str:
    """Figures with a minus sign in place of the hyphen.

    >>> minus("-1/2")
    '−1/2'
    """
    return text.replace("-", "\u2212")


def certain_digits(x: Number, write: Callable[[Fraction], str], scale: int = 1) -> str:
    """A number as `write` prints it; of a certified one only the digits that its bound proves.

    If `write` prints a multiple of the number, such as a percentage, `scale` is the factor.
    """
    if isinstance(x, Certified):
        return _common_digits(x, write, scale)
    if isinstance(x, float) and not isfinite(x):
        return DASH if isnan(x) else "∞" if x > 0 else "-∞"
    return write(Fraction(x))


def _common_digits(x: Certified, write: Callable[[Fraction], str], scale: int) -> str:
    """The digits that both ends of an error bound have."""
    low, high = x.value - x.bound, x.value + x.bound
    text = write(low)
    if text == write(high):
        return text
    texts = (text, write(high), write(x.value))
    digits = min(len(part.partition(".")[2].partition("e")[0]) for part in texts)
    # the most digits on which both ends of the bound agree
    for d in range(digits, -1, -1):
        text = fixed(scale * low, d)
        if text == fixed(scale * high, d):
            return text
    return f"{fixed(scale * low, 0)} to {fixed(scale * high, 0)}"


def _decimal(x: Fraction, digits: int, sign: bool) -> str:
    """A rounded number; a large or a small one with a power of ten."""
    # Below this, six decimals or more leave under three digits, and fewer leave none.
    smallest = Fraction(1, 10**4 if digits > 5 else 2 * 10**digits)
    if abs(x) >= HUGE or 0 < abs(x) < smallest:
        return _scientific(x, max(digits, 3), sign)
    return _distinct(x, digits, sign, (Fraction(1, 2), 1))


def _distinct(x: Fraction, digits: int, sign: bool, others: tuple[Fraction | int, ...]) -> str:
    """A number with the fewest decimals, at least `digits`, that tell it from the others.

    So a probability just below 1 is never printed as 1.
    """
    text = fixed(x, digits, sign)
    for other in others:
        if abs(x) == other or fixed(abs(x), digits) != fixed(other, digits):
            continue
        for more_digits in range(digits + 1, MAX_DIGITS + 1):
            if fixed(abs(x), more_digits) != fixed(other, more_digits):
                return fixed(x, more_digits, sign)
        side = "above" if x > (other if x > 0 else -other) else "below"
        return f"just {side} {amount(other if x > 0 else -other)}"
    return text


def _scientific(x: Fraction, digits: int, sign: bool = False) -> str:
    """A number in `digits` significant digits and a power of ten."""
    if not x:
        return "0"
    size = abs(x)
    # the lengths of numerator and denominator give the power, or one more
    power = len(full_integer(size.numerator)) - len(full_integer(size.denominator))
    if size < Fraction(10) ** power:
        power -= 1
    figures = fixed(size / Fraction(10) ** power, digits - 1)
    # rounding made another digit, as 9.99 to 10.0
    if figures.startswith("10"):
        power, figures = power + 1, fixed(Fraction(1), digits - 1)
    return f"{'-' if x < 0 else '+' if sign else ''}{figures}e{power}"
