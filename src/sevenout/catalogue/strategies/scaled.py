"""A strategy at a table with higher minimums: every bet is a whole number of times as much."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

from sevenout.numerals import exact
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.felt import FeltRoll, Money, whole


@dataclass(frozen=True)
class Scaled(Strategy):
    """A strategy whose bets are all this many times as much.

    >>> from sevenout.catalogue.strategies import strategies
    >>> double = Scaled(strategies["place-6-8"], 2)
    >>> double.wants(TableView(5, {}, double.memory))
    {'place 6': 12, 'place 8': 12}

    Args:
        strategy: that is scaled. It sees the table in its own units.
        times: how many times as much.
    """

    strategy: Strategy
    times: int

    @property
    def memory(self) -> Any:  # type: ignore[override]
        """What the strategy remembers at the start."""
        return self.strategy.memory

    @property
    def sees_money(self) -> bool:  # type: ignore[override]
        """Whether the strategy looks at the money."""
        return self.strategy.sees_money

    @property
    def mirrored(self) -> bool:  # type: ignore[override]
        """Whether the strategy treats equally likely numbers alike."""
        return self.strategy.mirrored

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The bets of the strategy, times as much."""
        wanted = self.strategy.wants(self._seen(table))
        return {bet: whole(exact(amount) * self.times) for bet, amount in wanted.items()}

    def remembers(self, table: TableView) -> Any:
        """What the strategy remembers."""
        return self.strategy.remembers(self._seen(table))

    def _seen(self, table: TableView) -> TableView:
        """The table in the units of the strategy."""
        last = table.last
        return replace(
            table,
            bets={bet: self._part(amount) for bet, amount in table.bets.items()},
            last=None if last is None else self._rolled(last),
            purse=None if table.purse is None else self._part(table.purse),
        )

    def _rolled(self, last: FeltRoll) -> FeltRoll:
        paid = tuple(
            each._replace(stake=self._part(each.stake), profit=self._part(each.profit))
            for each in last.paid
        )
        return last._replace(paid=paid)

    def _part(self, amount: Money) -> Money:
        return whole(Fraction(amount) / self.times)


def times_for(least: Mapping[str, Money], bets: Mapping[str, Money]) -> int:
    """How many times as much reaches the least of every bet.

    >>> times_for({"pass": 10, "yo": 1}, {"pass": 3, "yo": 1})
    4
    """
    return max([1, *(ceil(Fraction(least[bet]) / Fraction(on)) for bet, on in bets.items())])
