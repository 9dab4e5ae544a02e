"""What a game is: something rolled, a start, and one step.

    class Craps(Game):
        dice = parse_dice("2d6")

        def step(self, point, roll):
            match point, roll.total:
                case None, 7 | 11: return win("natural")
                case None, 2 | 3 | 12: return lose("craps")
                case None, total: return total                  # the point is on
                case _, 7: return lose("seven out")
                case _, total if total == point: return win("point")
                case _: return point

A step returns the next state, or a `Settled` outcome, or either of them `counted`. A state is any
hashable value; nothing ever sorts states.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from sevenout.dice import Rollable
from sevenout.errors import RulesError, shown

Number = int | Fraction | str
"""An exact amount: 1, Fraction(3, 2), "3/2", "0.95" or "4%"; a float is refused: it is seldom what
it says."""


def exact(amount: Number) -> Fraction:
    """An amount as a fraction.

    >>> exact("7/6"), exact("0.5%")
    (Fraction(7, 6), Fraction(1, 200))

    Raises:
        RulesError: a float, a truth value, or a text that is no amount.
    """
    if isinstance(amount, float):
        raise RulesError(f"the amount {amount!r} is a float; write it as a fraction, such as '3/2'")
    if isinstance(amount, int | Fraction) and not isinstance(amount, bool):
        return Fraction(amount)
    match = _AMOUNT(amount) if isinstance(amount, str) else None
    if not match:
        raise RulesError(f"{shown(amount)} is not an amount; write 1, -1, '3/2' or '4%'")
    return Fraction(match["number"]) / (100 if match["percent"] else 1)


_AMOUNT = re.compile(
    r"(?P<number>[+-]?\d{1,99}(?:/0*[1-9]\d{0,98}|\.\d{1,99})?)(?P<percent>\s?%)?", re.ASCII
).fullmatch


class Pay(NamedTuple):
    """How one bet is settled.

    Attributes:
        event: the row of the bet's return table.
        profit: what the bet wins (its stake not counted), negative when it loses, 0 for a push.
        risk: all the money that the bet had on the table, odds and commissions included.
    """

    event: str
    profit: Fraction
    risk: Fraction


@dataclass(frozen=True)
class Settled:
    """The end of a game: its label, and how each bet is paid.

    >>> win("natural").profit("pass")
    Fraction(1, 1)
    """

    label: str
    pays: tuple[tuple[str, Pay], ...] = ()

    @cached_property
    def _hash(self) -> int:  # the hash of a Fraction is slow, and outcomes are looked up often
        return hash((self.label, self.pays))

    def __hash__(self) -> int:
        return self._hash

    def pay(self, bet: str) -> Pay:
        """How a bet is settled.

        Raises:
            RulesError: there is no such bet; the message names those that there are.
        """
        for name, pay in self.pays:
            if name == bet:
                return pay
        bets = ", ".join(name for name, _ in self.pays) or "none"
        raise RulesError(f"no bet {bet!r} in the outcome {self.label!r}; its bets are: {bets}")

    def profit(self, bet: str) -> Fraction:
        """What a bet wins or, if negative, loses."""
        return self.pay(bet).profit


@dataclass(frozen=True, slots=True)
class Counted:
    """A next state or settled outcome, and what happened on the way: (counter, how often)."""

    then: Any
    counts: tuple[tuple[str, int], ...]


BET = "pass"
"""The name of the bet of a game that has only one and does not name it."""


def settle(label: str, pays: Mapping[str, Any] | None = None) -> Settled:
    """The end of a game with several bets; each is given a profit, (profit, risk), or a `Pay`.

    >>> settle("seven out", {"pass": -1, "don't": 1}).profit("don't")
    Fraction(1, 1)
    """

    def pay(given: Any) -> Pay:
        if isinstance(given, Pay):
            return given
        profit, risk = given if isinstance(given, tuple) else (given, 1)
        return Pay(label, exact(profit), exact(risk))

    return Settled(label, tuple((bet, pay(given)) for bet, given in (pays or {}).items()))


def win(label: str = "win", profit: Number = 1, bet: str = BET) -> Settled:
    """The bet wins `profit`: even money on a stake of 1, if not said."""
    return settle(label, {bet: profit})


def lose(label: str = "lose", bet: str = BET) -> Settled:
    """The bet loses its stake of 1."""
    return settle(label, {bet: -1})


def push(label: str = "push", bet: str = BET) -> Settled:
    """The bet is returned."""
    return settle(label, {bet: 0})


def counted(then: Any, **counts: int) -> Counted:
    """A next state or settled outcome, with counters advanced on the way.

    >>> counted("again", won=1).counts
    (('won', 1),)

    Raises:
        RulesError: a count that is not a whole number from 0 up; or of rolls, which are counted
            anyway.
    """
    for name, n in counts.items():
        if not isinstance(n, int) or n < 0:
            raise RulesError(f"{name}={n!r}; a counter counts up, by whole numbers")
    if "rolls" in counts:
        raise RulesError("rolls are counted already; name the counter otherwise")
    return Counted(then, tuple((name, n) for name, n in counts.items() if n))


class Game(ABC):
    """What is rolled, a start, and one step.

    Attributes:
        dice: what is rolled: dice, a reading of them, a law, a deck, or another game.
        start: the first state; None if not said.
        stakes: the stake of each bet when it is made, where it is not 1. Profits are in the same
            money: there `settle` says (profit, risk), since `win` and `lose` are for a stake of 1.
        outcomes: the outcomes in the order of the rule book, where the order of a table matters.
    """

    dice: "Rollable | Game"
    start: Hashable = None
    stakes: Mapping[str, Fraction] = {}
    outcomes: Sequence[Settled] = ()

    def rolls(self, state: Any) -> "Rollable | Game":
        """What is rolled in a state; the game's dice, unless the rules change them."""
        return self.dice

    @abstractmethod
    def step(self, state: Any, roll: Any) -> Any:
        """The next state, a `Settled` outcome, or either of them `counted`."""
