"""What is asked of a distribution: an outcome, several outcomes, or a condition on them.

A question that no outcome could ever answer is a slip, and its probability of 0 would hide it: the
text "7" among numbers, a float, a label that there isn't. Such questions are refused.
"""

from collections.abc import Callable, Collection, Hashable
from decimal import Decimal
from numbers import Rational
from typing import Any, TypeVar

from sevenout.errors import RulesError, shown

T = TypeVar("T")

Event = Callable[[T], object] | Hashable | Collection[Hashable]
"""A condition on the outcome, an outcome, or several: a set, a list or a range of them."""

SEVERAL = (set, frozenset, range, list)
"""What stands for several outcomes; a tuple is one."""
MAX_NAMED = 6
"""The most outcomes that an error lists."""


def event_of(event: Event[Any], outcomes: Collection[object]) -> Callable[[object], bool]:
    """A condition as a function: of a function, an outcome, or several.

    >>> event_of({1, 2}, range(1, 7))(2), event_of(6, range(1, 7))(2)
    (True, False)

    Args:
        event: the condition.
        outcomes: those to which it is put.

    Raises:
        RulesError: an outcome of another kind, which would never match.
    """
    if callable(event):
        return event  # type: ignore[return-value]  # whatever it returns is true or false
    if not isinstance(event, SEVERAL):
        must_be_possible(event, outcomes)
        return lambda x: bool(x == event)
    several: Collection[Hashable] = event
    # the numbers of a range are of one kind, and there may be billions
    for x in several[:1] if isinstance(several, range) else several:
        must_be_possible(x, outcomes)
    return lambda x: x in several


def must_be_exact(outcome: object) -> None:
    """Refuse a float, which would never equal an exact outcome."""
    if isinstance(outcome, float | Decimal):
        whole = int(outcome) if outcome == outcome // 1 else None
        instead = "a fraction, such as Fraction(1, 2)" if whole is None else str(whole)
        raise RulesError(f"{outcome} is a float, and outcomes are exact; write {instead}")


def must_be_possible(outcome: object, outcomes: Collection[object]) -> None:
    """Refuse what none of these outcomes can be: its probability of 0 would be a slip.

    A number is possible among numbers, and a tuple among tuples of its length, whether or not it is
    rolled. A label must be one of them.
    """
    # True equals 1: `dice.p()` would be the probability of a 1
    if isinstance(outcome, bool):
        if not any(isinstance(x, bool) for x in outcomes):
            raise RulesError(
                f"{outcome} is no outcome of {_outcomes_text(outcomes)}; compare them first, as in "
                "(dice >= 10).p()"
            )
        return
    must_be_exact(outcome)
    if outcome in outcomes or not outcomes:  # no dice show nothing at all
        return
    kind = _kind(outcome)
    if kind is str or not any(_kind(x) == kind for x in outcomes):
        raise RulesError(
            f"{shown(outcome)} is not among {_outcomes_text(outcomes)}{_advice(outcome)}"
        )


def _kind(outcome: object) -> object:
    """What outcomes have in common that can be compared: numbers, tuples of a length, a class."""
    if isinstance(outcome, Rational) and not isinstance(outcome, bool):
        return Rational
    return (type(outcome), len(outcome)) if isinstance(outcome, tuple) else type(outcome)


def _outcomes_text(outcomes: Collection[object]) -> str:
    """The outcomes in words, for an error."""
    few = [shown(x, 20) for x, _ in zip(outcomes, range(MAX_NAMED + 1), strict=False)]
    if len(few) > MAX_NAMED:
        few[MAX_NAMED:] = ["..."]
    return f"the outcomes {', '.join(few)}"


def _advice(outcome: object) -> str:
    """What to write for a number in quotes; "" for anything else."""
    text = outcome.strip() if isinstance(outcome, str) else ""
    number = text.lstrip("-").isdecimal()
    return f"; a number is written without quotes: {text}" if number else ""
