"""What a sheet is about: a game, its solution, and what its reader chose to see."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sevenout.chain import Chain
from sevenout.exact.bets import BetResult
from sevenout.exact.metrics import Metrics
from sevenout.exact.show import decimal, percent
from sevenout.exact.solution import Solution
from sevenout.rules import Game

SMALL = 1_100
"""States up to which the law of the rolls and the gradients are worked out."""


@dataclass(frozen=True)
class Subject:
    """The matter of a sheet.

    Attributes:
        game: the rules.
        solution: the exact answers.
        names: the bets that are shown, in order.
        text: the rules in the words of who wrote them; may be empty.
        source: where the rules come from; may be empty.
    """

    game: Game
    solution: Solution
    names: tuple[str, ...]
    text: str = ""
    source: str = ""

    @property
    def chain(self) -> Chain:
        """The game's chain."""
        return self.solution.chain

    @property
    def is_small(self) -> bool:
        """Whether whole laws can be asked for without waiting."""
        return len(self.chain.states) <= SMALL and not self.solution.bound

    @cached_property
    def bets(self) -> tuple[BetResult, ...]:
        """The bets that are shown."""
        return tuple(self.solution.bet(name) for name in self.names)

    @cached_property
    def metrics(self) -> tuple[Metrics, ...]:
        """Their metrics."""
        return tuple(map(Metrics, self.bets))


def figure(x: Fraction, sign: bool = False) -> str:
    """A number to six decimals, or to six digits where decimals would show nothing.

    >>> figure(Fraction(1, 7)), figure(Fraction(1, 10**9)), figure(Fraction(-3, 10**7))
    ('0.142857', '1.00000e-9', '-3.00000e-7')
    """
    if not x or abs(x) >= Fraction(1, 10_000):
        return decimal(x, 6, sign)
    digits, power = f"{float(x):.5e}".split("e")
    return f"{'+' if sign and x > 0 else ''}{digits}e{int(power)}"


def plain(x: Fraction) -> str:
    """An amount as a price is written: whole, in decimals where they end soon, or a fraction.

    >>> plain(Fraction(11)), plain(Fraction(5, 2)), plain(Fraction(1, 3))
    ('11', '2.5', '1/3')
    """
    short = decimal(x, 4).rstrip("0").rstrip(".")
    return short if Fraction(short) == x else str(x)


def chance(p: Fraction) -> str:
    """A probability in per cent; one that is not 0 is never shown as 0.

    >>> chance(Fraction(1, 8)), chance(Fraction(1, 10**9)), chance(Fraction(0))
    ('12.5000 %', '< 0.0001 %', '0.0000 %')
    """
    return "< 0.0001 %" if 0 < p < Fraction(1, 10**6) else percent(p)


def one_in(x: Fraction) -> str:
    """A mean waiting time: 1 in so many.

    >>> one_in(Fraction(9, 2)), one_in(Fraction(1234567, 2))
    ('4.50', '617,284')
    """
    return f"{float(x):,.2f}" if x < 1000 else f"{round(x):,}"


def merged(names: Sequence[str], most: int = 12) -> str:
    """Names in a row, the first few of many."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
