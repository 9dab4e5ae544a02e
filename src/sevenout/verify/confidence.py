"""Confidence levels, written one way in every test and interval."""

from fractions import Fraction

from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.verify.dicetests.observed_counts import DataError


def confidence_of(given: Number) -> Fraction:
    """A confidence as a fraction; the level of the test is 1 - confidence.

    >>> confidence_of("95%"), confidence_of("0.99"), confidence_of(Fraction(19, 20))
    (Fraction(19, 20), Fraction(99, 100), Fraction(19, 20))

    Raises:
        DataError: a float, no number, or a number not between 0 and 1.
    """
    return _between("a confidence of ", given, "'95%', '19/20' or '0.95'")


def probability_of(name: str, given: Number) -> Fraction:
    """An exact probability strictly between 0 and 1, written like a confidence.

    >>> probability_of("p", "244/495"), probability_of("p", "49%")
    (Fraction(244, 495), Fraction(49, 100))

    Raises:
        DataError: a float, no number, or a number not between 0 and 1.
    """
    return _between(f"{name}=", given, "'244/495', '0.49' or '49%'")


def _between(what: str, given: Number, such: str) -> Fraction:
    try:
        p = exact(given)
    except RulesError:
        raise DataError(f"{what}{shown(given)}; write it as {such}") from None
    if not 0 < p < 1:
        raise DataError(
            f"{what}{shown(str(given))[1:-1]}; give one between 0 and 1, such as {such}"
        )
    return p


def percentage(confidence: Fraction) -> str:
    """A confidence in print.

    >>> percentage(Fraction(19, 20)), percentage(Fraction(999, 1000))
    ('95 %', '99.9 %')
    """
    return f"{100 * float(confidence):.10g} %"
