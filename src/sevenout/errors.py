"""sevenout's errors. Each message names the wrong value and says what would be right."""

import reprlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


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


class NoSuchOptionError(NotationError, RulesError):
    """An option that a game, a strategy or an evening does not have.

    >>> print(NoSuchOptionError("craps", "hours", []))
    craps has no option 'hours'; its options: none

    Attributes:
        option: its name.
    """

    def __init__(self, owner: str, option: str, options: Iterable[str]) -> None:
        names = ", ".join(options) or "none"
        super().__init__(f"{owner} has no option {shown(option)}; its options: {names}")
        self.option = option


class EndlessGameError(RulesError):
    """A game that can continue for ever with positive probability; the message names the states."""


class UndecidedError(RulesError):
    """Several answers are possible within the error bound of a certified result."""


class TooManyStatesError(RulesError):
    """A game with more states than the limit allows."""


class FileError(SevenoutError):
    """A file that can't be read or written."""


class Excess(NamedTuple):
    """What a computation takes above its budget, in words.

    >>> excess = Excess("60 seconds", "the product of 1,000 dice", "3 days", "ask for less")
    >>> excess.reason(is_share=True)
    'the product of 1,000 dice would take about 3 days, and its share of the budget is 60 seconds'
    >>> Excess("2 GB of memory").reason()
    'it took more than the budget of 2 GB of memory'

    Attributes:
        limit: the most that it may take.
        computation: what would be computed; "" if it was ended while it ran.
        needed: the estimate of what it would take; "" if it was ended while it ran.
        alternative: a cheaper computation; "" if none is known.
    """

    limit: str
    computation: str = ""
    needed: str = ""
    alternative: str = ""

    def reason(self, *, is_share: bool = False) -> str:
        """What is over the budget; `is_share` if its limit is only a share of the user's budget."""
        budget = "its share of the budget" if is_share else "the budget"
        if self.needed:
            return (
                f"{self.computation} would take about {self.needed}, and {budget} is {self.limit}"
            )
        return f"it took more than {budget}{',' if is_share else ' of'} {self.limit}"

    def message(self) -> str:
        """The reason, and what to do."""
        alternative = self.alternative or ("" if self.needed else "ask for less")
        advice = f"{alternative}, or raise the budget" if alternative else "raise the budget"
        return f"{self.reason()}; {advice}"


class TooMuchWorkError(SevenoutError):
    """A computation over the budget; the message gives its estimated cost.

    Attributes:
        excess: what is over the budget; None if the message alone says it.
    """

    excess: Excess | None = None

    @classmethod
    def from_excess(cls, excess: Excess) -> "TooMuchWorkError":
        """The error of an excess, with its message."""
        error = cls(excess.message())
        error.excess = excess
        return error


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
