"""Counts as people write them: 1e9, 10_000, 2.5e6."""

import re
from fractions import Fraction

from sevenout.errors import NotationError

_COUNT = re.compile(
    r"(?P<whole>\d+(?:_\d+)*)(?:\.(?P<part>\d+))?(?:[eE]\+?(?P<power>\d{1,2}))?", re.ASCII
)
_LONGEST = 100
"""Python reads no number of thousands of digits."""


def parse_count(text: str) -> int:
    """The whole number, 1 or more, that a text says.

    >>> parse_count("1e9"), parse_count("10_000"), parse_count("2.5e6")
    (1000000000, 10000, 2500000)

    Raises:
        NotationError: the text is not a number, or not a whole one, or less than 1.
    """
    match = _COUNT.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    count = Fraction(0)
    if match:
        digits = f"{match['whole'].replace('_', '')}.{match['part'] or '0'}"
        count = Fraction(digits) * 10 ** int(match["power"] or 0)
    if count.denominator != 1 or count < 1:
        raise NotationError(
            f"{text[:_LONGEST]!r} is not a count; "
            "write a whole number from 1 up, such as 10_000 or 1e9"
        )
    return int(count)
