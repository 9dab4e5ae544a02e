"""Wanted bounds of a bet's edge, hit frequency and volatility.

They are text or numbers: "4%..6%", "..5", ("1/100", "2/100"), and for one bet "pass=4%..6%".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.numerals import exact

LARGEST = 10**9
SHARES = "edge", "hit"
"""Bounds that are hardly ever above 1: 5 must mean 5%."""


class Between(NamedTuple):
    """A closed interval.

    >>> str(between("4%..6%", "edge")), str(between("..5", "volatility"))
    ('4 % to 6 %', '5 or less')

    Attributes:
        low, high: its ends; None for none.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    text: str = "any"

    def __str__(self) -> str:
        return self.text

    @property
    def is_open(self) -> bool:
        """Whether it has no bounds."""
        return self.low is None and self.high is None

    @property
    def middle(self) -> Fraction | None:
        """Its middle, or its only end."""
        if self.low is None or self.high is None:
            return self.high if self.low is None else self.low
        return (self.low + self.high) / 2

    def holds(self, x: Fraction) -> bool:
        """Whether it contains a number."""
        return (self.low is None or self.low <= x) and (self.high is None or x <= self.high)


ANY = Between()


def between(given: Any, what: str) -> Between:
    """The interval in a text or pair.

    Raises:
        RulesError: not an interval, or its ends in the wrong order.
    """
    ends: list[Any]
    match given:
        case None:
            return ANY
        case str() if ".." in given:
            ends = [part.strip() or None for part in given.split("..", 1)]
        case (_, _):
            ends = list(given)
        case str() | int() | Fraction():
            ends = [given, given]
        case _:
            raise RulesError(f'{what}={shown(given)}; write an interval, such as "4%..6%"')
    try:
        low, high = (None if end is None else exact(end) for end in ends)
    except RulesError as error:
        raise RulesError(f"{what} {shown(given)}: {error}") from None
    for end, x in zip(ends, (low, high), strict=True):
        if x is not None and abs(x) > LARGEST:
            raise RulesError(f"{what} {shown(given)}; give numbers up to {LARGEST:,}")
        if what in SHARES and x is not None and abs(x) > 1 and "%" not in str(end):
            raise RulesError(
                f"{what} {shown(given)}: {end} is {100 * x} %; write {end}% for {x} in a hundred"
            )
    if what == "hit" and ((low or 0) > 1 or (high or 0) < 0):
        raise RulesError(f"hit {shown(given)}; a probability lies between 0% and 100%")
    if low is not None and high is not None and low > high:
        raise RulesError(f"{what} {shown(given)}; put the smaller first")
    return Between(low, high, _said(ends))


def _said(ends: Sequence[Any]) -> str:
    low, high = (None if end is None else str(end).replace("%", " %") for end in ends)
    if low is None:
        return "any" if high is None else f"{high} or less"
    if high is None:
        return f"{low} or more"
    return low if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class Wanted:
    """The wanted bounds of one bet.

    Attributes:
        edge: the house edge per bet made.
        hit: P(profit > 0).
        volatility: the standard deviation of the profit, per unit staked.
    """

    edge: Between = ANY
    hit: Between = ANY
    volatility: Between = ANY


def by_bet(given: Any, what: str, bets: Iterable[str]) -> dict[str, Between]:
    """The interval of each bet: one for all, or "bet=interval".

    Raises:
        RulesError: an invalid interval, or no such bet.
    """
    names = list(bets)
    wanted = dict.fromkeys(names, ANY)
    parts: Iterable[tuple[Any, Any]]
    if isinstance(given, Mapping):
        parts = given.items()
    elif isinstance(given, str) or not isinstance(given, list):
        parts = [_named(given)]
    else:
        parts = map(_named, given)
    for name, interval in parts:
        if name is not None and name not in wanted:
            listed = ", ".join(map(str, names))
            raise RulesError(
                f"{what} of {shown(name)}, which is not a bet; the bets are: "
                f"{shown(listed, 200)[1:-1]}"
            )
        for each in names if name is None else [name]:
            wanted[each] = between(interval, what)
    return wanted


def _named(text: Any) -> tuple[str | None, Any]:
    if isinstance(text, str) and "=" in text:
        name, _, interval = text.rpartition("=")
        return name.strip(), interval
    return None, text
