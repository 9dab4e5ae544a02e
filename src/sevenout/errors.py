"""sevenout's errors. Each message names the wrong value and says what would be right."""

import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class SevenoutError(ValueError):
    """The base class of every error that a user's input can cause.

    Attributes:
        at: the keys that lead to the fault in the input, such as ("bets", "pass", "point").
    """

    at: tuple[str, ...] = ()


@contextmanager
def inside(*keys: str) -> Iterator[None]:
    """Prefix these keys to `at` of errors raised within the `with`.

    >>> try:
    ...     with inside("bets", "pass"), inside("point"):
    ...         raise RulesError("a pay of nothing")
    ... except RulesError as error:
    ...     print(error.at)
    ('bets', 'pass', 'point')
    """
    try:
        yield
    except SevenoutError as error:
        error.at = (*keys, *error.at)
        raise


class NotationError(SevenoutError):
    """Text that is not dice, a count, a variant or a game."""


class RulesError(SevenoutError):
    """Rules that contradict themselves or the dice."""


class EndlessGameError(RulesError):
    """A game that can continue for ever with positive probability; the message names the states."""


class UndecidedError(RulesError):
    """Several answers are possible within the error bound of a certified result."""


class TooManyStatesError(RulesError):
    """A game with more states than the limit allows."""


class FileError(SevenoutError):
    """A file that can't be read or written."""


class TooMuchWorkError(SevenoutError):
    """A computation over the budget; the message gives its estimated cost."""


def shown(value: Any, max_length: int = 60) -> str:
    r"""The repr of a wrong value for an error: printable, on one line, shortened.

    >>> print(shown("\x1b[31m"), shown("9" * 4_000, max_length=20))
    '\x1b[31m' '999999...9999999'
    """
    formatter = reprlib.Repr()
    formatter.maxstring = formatter.maxother = formatter.maxlong = max_length - 2
    formatter.maxlevel = 2
    try:
        text = formatter.repr(value)
    except ValueError:  # an int too long for Python to print
        # 0.30103 is the decimal logarithm of 2: the digits per bit.
        return f"a number of about {int(value.bit_length() * 0.30103):,} digits"
    return printable(text, max_length)


def printable(text: str, max_length: int | None = None) -> str:
    r"""Text on one line, with unprintable characters as escapes.

    >>> print(printable("\x1b[31mred"), printable("line\nby line", max_length=10))
    \x1b[31mred line\nb...

    Args:
        text: any text.
        max_length: maximum number of characters.
    """
    if max_length is not None:
        text = text[: max_length + 1]  # the rest is not shown
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text if max_length is None or len(text) <= max_length else f"{text[: max_length - 3]}..."
