"""The kinds of columns: how a cell is printed, and how it is aligned.

A cell stays a number until it is printed. A column with two kinds shows each number twice, such as
exactly and in decimals.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from sevenout.documents import numbers
from sevenout.documents.numbers import DASH, MAX_FRACTION, Certified
from sevenout.errors import SevenoutError

Cell = str | int | float | Fraction | Certified | None
Setting = Literal["text", "number", "exact", "note", "mono"]
"""How a column is set: words, right-aligned figures, exact fractions, small notes, monospaced."""


@dataclass(frozen=True)
class Kind:
    """How the cells of a column are printed: the notation of a number, and the alignment.

    >>> PERCENT(Fraction(7, 495)), PAYS(Fraction(3, 2)), DECIMAL.with_digits(2)(Fraction(1, 3))
    ('1.4141 %', '+3/2', '0.33')

    Attributes:
        name: the kind's name.
        write: formats a number; takes the digits and the sign if the kind has them.
        digits: decimals, or significant digits.
        sign: whether a plus is printed.
        setting: how the column is set.
    """

    name: str
    write: Callable[..., str]
    digits: int | None = None
    sign: bool = False
    setting: Setting = "number"

    def with_digits(self, digits: int, *, sign: bool | None = None) -> "Kind":
        """The kind with this many digits; with a sign or without, by default as before.

        >>> str(PERCENT.with_digits(2)), str(SCORE.with_digits(1))
        ('percent(2)', 'score(+1)')

        Raises:
            SevenoutError: the kind's notation has no number of digits.
        """
        if self.digits is None:
            raise SevenoutError(f"the kind {self} has no digits to set; DECIMAL and PERCENT do")
        return replace(self, digits=digits, sign=self.sign if sign is None else sign)

    def __call__(self, cell: Cell, max_fraction: int = MAX_FRACTION) -> str:
        """A cell as text, None as a dash; fractions of up to `max_fraction` characters in full."""
        if cell is None:
            return DASH
        if isinstance(cell, str):
            return cell
        if self.setting == "exact":
            # a number that is not exact has no place in this column
            return numbers.exactly(cell, max_fraction) if isinstance(cell, Fraction | int) else ""
        return self.write(cell) if self.digits is None else self.write(cell, self.digits, self.sign)

    def __str__(self) -> str:
        digits = "" if self.digits is None else f"({'+' * self.sign}{self.digits})"
        return f"{self.name}{digits}"


def _plain(cell: Any) -> str:
    """A cell as it is: words, or a number in full."""
    # First, because True is an int and would print as 1.
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float | Certified):
        return numbers.decimal(cell)
    return numbers.exactly(cell, 100) if isinstance(cell, int | Fraction) else str(cell)


def _score(x: Any, digits: int, sign: bool) -> str:
    """An estimate, rounded."""
    return numbers.certain_digits(x, lambda y: numbers.fixed(y, digits, sign))


def _grouped(x: Any, digits: int, sign: bool) -> str:
    """An estimate, rounded, with thousands separators."""
    return numbers.with_commas(_score(x, digits, sign))


def _significant(x: Any, digits: int, sign: bool) -> str:
    return f"{float(x):{'+' if sign else ''}.{digits}g}"


TEXT = Kind("text", _plain, setting="text")
NOTE = Kind("note", _plain, setting="note")
MONO = Kind("mono", _plain, setting="mono")
LABEL = Kind("label", _plain)
"""A total, a face or a number of things: unchanged, right-aligned."""
FRACTION = Kind("fraction", _plain, setting="exact")
DECIMAL = Kind("decimal", numbers.decimal, 6)
SIGNED = Kind("decimal", numbers.decimal, 6, sign=True)
PERCENT = Kind("percent", numbers.percent, 4)
SCORE = Kind("score", _score, 2, sign=True)
ROUNDED = Kind("rounded", _grouped, 2)
SIGNIFICANT = Kind("significant", _significant, 4)
SCIENTIFIC = Kind("scientific", numbers.scientific, 4)
P_VALUE = Kind("p", numbers.p_value)
COUNT = Kind("count", numbers.count)
PAYS = Kind("pays", numbers.signed)
AMOUNT = Kind("amount", numbers.grouped_amount)
WON = Kind("won", numbers.won)
ODDS = Kind("odds", numbers.odds)
ONE_IN = Kind("one in", numbers.one_in)
