"""The budget of a computation, and the estimates that are checked against it.

An expensive step estimates its cost first:

    afford("the product of 1,000 dice", seconds=3e5, instead="ask for their totals")

The budget belongs to the calling context, like decimal's precision. Estimates are for one ordinary
core, right to a factor of ten. Steps that take longer are ended: on the command line by the parent
process (`supervision`), elsewhere by a thread if `run_within` runs them (`enforcement`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from sevenout.budgets.enforcement import MEMORY, SECONDS, T, run_guarded
from sevenout.budgets.supervision import status
from sevenout.errors import Excess, SevenoutError, TooMuchWorkError, shown


class Budget(NamedTuple):
    """The most that one step of a computation may take.

    Attributes:
        seconds: of one core.
        memory: in bytes.
    """

    seconds: float = SECONDS
    memory: float = MEMORY


_budget: ContextVar[Budget] = ContextVar("budget", default=Budget())  # noqa: B039  immutable


def afford(computation: str, *, seconds: float = 0, memory: float = 0, instead: str = "") -> None:
    """Check an estimate against the budget; the progress line names what takes over a second.

    >>> afford("a small thing", seconds=0.1)
    >>> afford("the product of 1,000 dice", seconds=3e5, instead="ask for their totals")
    Traceback (most recent call last):
    sevenout.errors.TooMuchWorkError: the product of 1,000 dice would take about 3 days, and the \
budget is 60 seconds; ask for their totals, or raise the budget

    Args:
        computation: what would be done, in words.
        seconds: the estimated time.
        memory: the estimated bytes.
        instead: a cheaper alternative.

    Raises:
        TooMuchWorkError: the estimate is over the budget.
    """
    limits = _budget.get()
    if seconds > 1:  # shorter steps come and go between two progress lines
        status.phase = computation.rstrip(",").removesuffix(", which")
    # one reason is enough, and time is the plainer one
    if seconds > limits.seconds:
        needed, limit = _duration(seconds), _duration(limits.seconds)
    elif memory > limits.memory:
        needed, limit = _size(memory), _size(limits.memory)
    else:
        return
    raise TooMuchWorkError.from_excess(Excess(limit, computation, needed, instead))


def allowed() -> Budget:
    """The current budget.

    >>> allowed()
    Budget(seconds=60.0, memory=2000000000.0)
    """
    return _budget.get()


@contextmanager
def budget(seconds: float = SECONDS, memory: float = MEMORY) -> Iterator[Budget]:
    """Set the budget within a `with`: what would take more is refused before it begins.

    >>> with budget(seconds=600):
    ...     afford("a long thing", seconds=300)

    Args:
        seconds: of the clock, or of the processor if that is less.
        memory: in bytes.

    Raises:
        SevenoutError: a budget that is not positive.
    """
    for name, value in (("seconds", seconds), ("memory", memory)):
        # "not above 0" refuses nan too, which no comparison exceeds
        if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
            raise SevenoutError(f"a budget of {name}={shown(value)}; give a number above 0")
    granted = Budget(seconds, memory)
    token = _budget.set(granted)
    try:
        yield granted
    finally:
        _budget.reset(token)


def run_within(work: Callable[[], T], seconds: float = SECONDS, memory: float = MEMORY) -> T:
    """The result of a function, which is ended as one step when it exceeds its budget.

    >>> from sevenout import solve
    >>> run_within(lambda: solve("craps").bet().edge, seconds=5)
    Fraction(7, 495)
    >>> def loop():
    ...     while True:
    ...         pass
    >>> run_within(loop, seconds=0.2)
    Traceback (most recent call last):
    sevenout.errors.TooMuchWorkError: it took more than the budget of 0.2 seconds; ask for less, \
or raise the budget

    A thread checks 20 times a second and raises at the next Python instruction; a long call into C
    is not cut short. The system refuses memory from a quarter above the budget on, or from 134 MB
    above it if that is more.

    Args:
        work: a function without arguments.
        seconds: of the clock, or of the processor if that is less.
        memory: in bytes, beyond what the process has when it begins.

    Raises:
        SevenoutError: no function, or a budget that is not positive.
        TooMuchWorkError: an estimate is over the budget, or more was taken.
    """
    if not callable(work):  # a result that was computed before, outside the budget
        raise SevenoutError(f"run_within: work={shown(work)}; give a function without arguments")
    with budget(seconds, memory) as granted:
        return run_guarded(work, *granted)


def _duration(seconds: float) -> str:
    units = (("years", 31_557_600), ("days", 86_400), ("hours", 3_600), ("minutes", 60))
    for unit, length in units:
        if seconds >= 2 * length:
            many = seconds / length
            return f"{many:.0f} {unit}" if many < 1e6 else f"a million {unit} or more"
    return f"{seconds:.3g} seconds"


def _size(memory: float) -> str:
    return f"{memory / 1e9:.3g} GB of memory"
