"""The errors of the house. Each names the value that is wrong and says what would be right."""

import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class SevenoutError(ValueError):
    """The root of every error that a user's input can cause.

    Attributes:
        at: where in what was given the fault lies, such as ("bets", "pass", "point").
    """

    at: tuple[str, ...] = ()


@contextmanager
def inside(*keys: str) -> Iterator[None]:
    """Errors from here lie inside of what these keys lead to.

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
    """A text that is not dice, a count, a variant or a game."""


class RulesError(SevenoutError):
    """Rules that contradict themselves or the dice."""


class EndlessGameError(RulesError):
    """A game that can go on for ever with positive probability; the message names the states."""


class UndecidedError(RulesError):
    """A question whose answers all lie within the error bound of a certified result."""


class TooManyStatesError(RulesError):
    """A game with more states than the limit allows."""


class FileError(SevenoutError):
    """A file that can't be read, or can't be written."""


class TooMuchWorkError(SevenoutError):
    """A computation that would cost more than the budget; the message says what it would take."""


def shown(value: Any, most: int = 60) -> str:
    r"""A wrong value as an error shows it: its repr, printable, on one line and never long.

    >>> print(shown("\x1b[31m"), shown("9" * 4_000, most=20))
    '\x1b[31m' '999999...9999999'
    """
    lens = reprlib.Repr()
    lens.maxstring = lens.maxother = lens.maxlong = most - 2
    lens.maxlevel = 2
    try:
        text = lens.repr(value)
    except ValueError:  # an int too long for Python to print
        return f"a number of about {int(value.bit_length() * 0.30103):,} digits"
    return printable(text, most)


def printable(text: str, most: int | None = None) -> str:
    r"""A text on one line that no terminal obeys: what can't be printed is written as an escape.

    >>> print(printable("\x1b[31mred"), printable("line\nby line", most=10))
    \x1b[31mred line\nb...

    Args:
        text: any text.
        most: cut it to this many characters.
    """
    if most is not None:
        text = text[: most + 1]  # what follows is not shown
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text if most is None or len(text) <= most else f"{text[: most - 3]}..."
