"""What a computation may cost: an expensive step estimates its work beforehand and asks.

    afford("the product of 1,000 dice", seconds=3e5, instead="ask for their totals")

The budget belongs to the calling context, as decimal's precision does; `budget` raises it for the
length of a `with`, and `--budget` on the command line for one command. Estimates are for one
ordinary core; they need to be right to a factor of ten, not more.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from sevenout.errors import SevenoutError, TooMuchWorkError, shown


class Budget(NamedTuple):
    """What one step of a computation may take.

    Attributes:
        seconds: of one core.
        memory: in bytes.
    """

    seconds: float = 60.0
    memory: float = 2e9


_budget: ContextVar[Budget] = ContextVar("budget", default=Budget())  # noqa: B039  immutable


def afford(what: str, *, seconds: float = 0, memory: float = 0, instead: str = "") -> None:
    """Go on if the budget allows it.

    >>> afford("a small thing", seconds=0.1)
    >>> afford("the product of 1,000 dice", seconds=3e5, instead="ask for their totals")
    Traceback (most recent call last):
    sevenout.errors.TooMuchWorkError: the product of 1,000 dice would take about 3 days, and the \
budget is 60 seconds; ask for their totals, or raise the budget

    Args:
        what: what is to be computed, in words.
        seconds: an estimate of the time.
        memory: an estimate of the bytes.
        instead: what the user could ask for instead.

    Raises:
        TooMuchWorkError: the estimate is over the budget.
    """
    allowed = _budget.get()
    over = []
    if seconds > allowed.seconds:
        over.append((_duration(seconds), _duration(allowed.seconds)))
    if memory > allowed.memory:
        over.append((_size(memory), _size(allowed.memory)))
    for needed, given in over[:1]:
        advice = f"{instead}, or raise the budget" if instead else "raise the budget"
        raise TooMuchWorkError(
            f"{what} would take about {needed}, and the budget is {given}; {advice}"
        )


@contextmanager
def budget(seconds: float = Budget().seconds, memory: float = Budget().memory) -> Iterator[Budget]:
    """Allow computations of so many seconds and bytes within a `with`.

    >>> with budget(seconds=600):
    ...     afford("a long thing", seconds=300)

    Raises:
        SevenoutError: a budget that is not positive.
    """
    for name, given in (("seconds", seconds), ("memory", memory)):
        if not isinstance(given, int | float) or not given > 0:
            raise SevenoutError(f"a budget of {name}={shown(given)}; give a number above 0")
    allowed = Budget(seconds, memory)
    token = _budget.set(allowed)
    try:
        yield allowed
    finally:
        _budget.reset(token)


def _duration(seconds: float) -> str:
    units = (("years", 31_557_600), ("days", 86_400), ("hours", 3_600), ("minutes", 60))
    for unit, length in units:
        if seconds >= 2 * length:
            many = seconds / length
            return f"{many:.0f} {unit}" if many < 1e6 else f"a million {unit} or more"
    return f"{seconds:.3g} seconds"


def _size(memory: float) -> str:
    return f"{memory / 1e9:.3g} GB of memory"
