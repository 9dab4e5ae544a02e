"""Numbers as people write them: amounts (3/2, 4%), counts and seeds (1e9, 10_000, 1,000, 10^6).

Parsing is exact: 1e23 is 10²³, and a count of 1.5 is refused, not rounded.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TypeGuard

from sevenout.errors import NotationError, RulesError, shown

Number = int | Fraction | str
"""An exact amount: 1, Fraction(3, 2), "3/2", "0.95" or "4%"; floats are refused as inexact."""


def exact(amount: Number) -> Fraction:
    """An amount as a fraction.

    >>> exact("7/6"), exact("0.5%")
    (Fraction(7, 6), Fraction(1, 200))

    Raises:
        RulesError: a float, a bool, or text that is not an amount.
    """
    if isinstance(amount, float):
        raise RulesError(
            f"{amount!r} is a float, which is inexact; write a Fraction, or text such as '3/2' "
            "or '0.95'"
        )
    if isinstance(amount, int | Fraction) and not isinstance(amount, bool):
        return Fraction(amount)
    match = _AMOUNT(amount) if isinstance(amount, str) else None
    if not match:
        raise RulesError(f"{shown(amount)} is not an amount; write 1, -1, '3/2' or '4%'")
    return Fraction(match["number"]) / (100 if match["percent"] else 1)


_AMOUNT = re.compile(
    r"(?P<number>[+-]?\d{1,99}(?:/0*[1-9]\d{0,98}|\.\d{1,99})?)(?P<percent>\s?%)?", re.ASCII
).fullmatch


def int_if_whole(amount: int | Fraction) -> int | Fraction:
    """An amount, as an int if it is whole.

    >>> int_if_whole(Fraction(6, 2)), int_if_whole(Fraction(7, 6))
    (3, Fraction(7, 6))
    """
    return amount.numerator if amount.denominator == 1 else amount


def is_whole(number: object) -> TypeGuard[int | Fraction]:
    """Whether something is an int, or a fraction equal to one.

    >>> is_whole(2), is_whole(Fraction(4, 2)), is_whole(Fraction(1, 2)), is_whole("2")
    (True, True, False, False)
    """
    return isinstance(number, int | Fraction) and number.denominator == 1


def exact_amount(amount: Number) -> int | Fraction:
    """An amount as an int if it is whole, else as a fraction.

    >>> exact_amount("6/2"), exact_amount("7/6")
    (3, Fraction(7, 6))

    Raises:
        RulesError: as `exact`.
    """
    # Most amounts are ints, and a strategy names some at every roll: no fraction is made of them.
    return amount if type(amount) is int else int_if_whole(exact(amount))


def exact_money(amount: Number) -> int | Fraction:
    """An amount of money, as `exact_amount`. A percentage is refused: it would be of something.

    >>> exact_money("6/2"), exact_money("0.5")
    (3, Fraction(1, 2))

    Raises:
        RulesError: as `exact`, or the amount is a percentage.
    """
    if isinstance(amount, str) and (not (match := _AMOUNT(amount)) or match["percent"]):
        raise RulesError(f"{shown(amount)} is not an amount of money; write 20, '3/2' or '0.5'")
    return exact_amount(amount)


MAX_SEED = (1 << 64) - 1
"""The largest seed."""
_MAX_LENGTH = 100
"""The most characters of a count or seed: Python does not read numbers of thousands of digits."""

_DECIMAL = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d+(?:_\d+)*)"
    r"(?:\.(?P<part>\d+))?(?:[eE]\+?(?P<power>\d{1,2}))?",
    re.ASCII,
)
_POWER = re.compile(r"(?P<base>\d{1,6})\^(?P<power>\d{1,2})", re.ASCII)


def parse_count(text: str, *, minimum: int = 1, maximum: int | None = None) -> int:
    """The whole number in a text, from `minimum` to `maximum`; None for no upper limit.

    >>> parse_count("1e9"), parse_count("10_000"), parse_count("2.5e6"), parse_count("10^6")
    (1000000000, 10000, 2500000, 1000000)

    Raises:
        NotationError: the text is not a whole number, or it is too small or too large.
    """
    count = _parse_whole_number(text)
    if count is None or not minimum <= count <= (maximum or count):
        fault = "too many" if count is not None and count > 0 else "not a count"
        limits = f" from {minimum} to {maximum:,}" if maximum else f", {minimum} or more"
        # examples within the limits show that digits may be grouped and powers written
        examples = [
            example
            for example in ("10_000", "1e9")
            if minimum <= float(example) <= (maximum or 1e9)
        ]
        such_as = f", such as {' or '.join(examples)}" if examples else ""
        raise NotationError(f"{shown(text)} is {fault}; write a whole number{limits}{such_as}")
    return count


def parse_seed(text: str) -> int:
    """The seed in a text: a whole number from 0 to 2^64 - 1.

    >>> parse_seed("7"), parse_seed("1e3")
    (7, 1000)

    Raises:
        NotationError: the text is not such a number.
    """
    seed = _parse_whole_number(text)
    if seed is None or not 0 <= seed <= MAX_SEED:
        raise NotationError(
            f"{shown(text)} is not a seed; write a whole number from 0 to {MAX_SEED}, such as 7"
        )
    return seed


def _parse_whole_number(text: str) -> int | None:
    """The whole number in a text; None if it is not one."""
    text = text.strip()
    if len(text) > _MAX_LENGTH:
        return None
    if match := _POWER.fullmatch(text):
        power: int = int(match["base"]) ** int(match["power"])
        return power
    match = _DECIMAL.fullmatch(text)
    if not match:
        return None
    digits = re.sub("[_, ]", "", match["whole"])
    number = Fraction(f"{match['sign']}{digits}.{match['part'] or '0'}")
    number *= 10 ** int(match["power"] or 0)  # by fractions: as a float 1e23 is another number
    return number.numerator if number.denominator == 1 else None


def check_digits(text: str, max_digits: int) -> str:
    """The text itself, if no number in it has more than `max_digits` digits.

    >>> check_digits("d6{1,2,3,4,5,6:100}", max_digits=3)
    'd6{1,2,3,4,5,6:100}'
    """
    longest = max(map(len, re.findall("[0-9]+", text)), default=0)
    if longest > max_digits:
        raise NotationError(
            f"a number of {longest:,} digits; the lab reads at most {max_digits} here"
        )
    return text


@contextmanager
def numbers_of_any_length() -> Iterator[None]:
    """Lift Python's limit on the digits of a number that is read or printed.

    >>> with numbers_of_any_length():
    ...     len(str(10**5_000))
    5001
    """
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)
