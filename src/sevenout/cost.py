"""What a computation may cost: an expensive step estimates its work beforehand and asks.

    afford("the product of 1,000 dice", seconds=3e5, instead="ask for their totals")

The budget belongs to the calling context, as decimal's precision does; `budget` raises it for the
length of a `with`, and `--budget` on the command line for one command. Estimates are for one
ordinary core; they need to be right to a factor of ten, not more. What they miss is ended: on the
command line by a process that watches (`supervisor`), elsewhere where it is asked for, by a thread.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from sevenout import watchdog
from sevenout.errors import SevenoutError, TooMuchWorkError, shown
from sevenout.guard import guarded
from sevenout.watchdog import MEMORY, SECONDS


class Budget(NamedTuple):
    """What one step of a computation may take.

    Attributes:
        seconds: of one core.
        memory: in bytes.
    """

    seconds: float = SECONDS
    memory: float = MEMORY


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
    if watchdog.board is not None and (seconds > 1 or not watchdog.board.phase):
        watchdog.board.phase = what.rstrip(",").removesuffix(", which")
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


def allowed() -> Budget:
    """What a step may take here and now.

    >>> allowed()
    Budget(seconds=60.0, memory=2000000000.0)
    """
    return _budget.get()


@contextmanager
def budget(
    seconds: float = SECONDS, memory: float = MEMORY, *, enforce: bool = False
) -> Iterator[Budget]:
    """Allow computations of this many seconds and bytes within a `with`.

    >>> with budget(seconds=600):
    ...     afford("a long thing", seconds=300)
    >>> with budget(seconds=0.2, enforce=True):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    sevenout.errors.TooMuchWorkError: it took more than the budget of 0.2 seconds; ask for less, \
or raise the budget

    Args:
        seconds: of the clock, or of the processor if that is less.
        memory: in bytes.
        enforce: not only refuse a step that would take more, but end what takes more anyway, at the
            next instruction of Python: all that stands in the `with` is one step, and the memory is
            what it adds to that of the process. The system refuses memory from a quarter above the
            budget on, or 134 MB above it if that is more: in between, a thread that looks 20 times
            a second ends the step. A long call into C is not cut short; only the command line,
            which has a process to end, does that.

    Raises:
        SevenoutError: a budget that is not positive.
        TooMuchWorkError: more was taken, and it is enforced.
    """
    for name, given in (("seconds", seconds), ("memory", memory)):
        if isinstance(given, bool) or not isinstance(given, int | float) or not given > 0:
            raise SevenoutError(f"a budget of {name}={shown(given)}; give a number above 0")
    granted = Budget(seconds, memory)
    token = _budget.set(granted)
    try:
        if enforce:
            with guarded(*granted):
                yield granted
        else:
            yield granted
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
