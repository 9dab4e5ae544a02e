"""The positions that a strategy's bets can reach, explored once.

While the money covers every wanted bet, it does not affect play. A *layout* (bets on the felt and
the strategy's memory) is then one row for all amounts. If a bet can't be afforded, a roll has
another step, shared by a range of *short* money. Money is part of the row if the strategy looks at
it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from sevenout.evenings.lattice.reachable import PositionExplorer
from sevenout.evenings.lattice.rollstep import MoneyMove, PositionRow, Step
from sevenout.rules.casino.betting import Bettor
from sevenout.rules.casino.ends import Ends
from sevenout.rules.casino.felt import Money


@dataclass(frozen=True, eq=False)
class Positions:
    """The rows of an evening and their steps; steps of short money are found when met.

    Attributes:
        lacking: how many of the first bets could not be made.
        safe: for a row without money of its own, the least money for which `steps` hold.
        short: for such a row, by throw, the steps met with less money.
        mirrored: whether layouts that differ only in names were merged.
    """

    bettor: Bettor
    bankroll: Money
    ends: Ends
    start: int
    lacking: int
    rows: list[PositionRow]
    steps: list[list[Step]]
    safe: list[Money]
    short: list[dict[int, list[MoneyMove]]]
    mirrored: bool
    _explorer: PositionExplorer

    @property
    def unit(self) -> Fraction:
        """The unit of which all gains are multiples."""
        return self._explorer.unit or Fraction(1)

    @property
    def names(self) -> tuple[str, ...]:
        """The bets somewhere refused, for want of money or of the bet they depend on."""
        return tuple(sorted(self._explorer.names))

    @property
    def clipped(self) -> tuple[str, ...]:
        """The bets somewhere wanted for more than the house takes."""
        return tuple(sorted(self._explorer.clipped))

    def measure(self, gain: Money) -> None:
        """Refine the unit to fit a gain."""
        self._explorer.measure(gain)

    def complete(self) -> None:
        """Explore all ranges of short money."""
        self._explorer.complete()

    def highest(self) -> list[Money | None]:
        """The most money with which each row can be reached; None if unbounded."""
        return self._explorer.highest()

    def cost(self, row: int) -> Money:
        """The money on the felt in a row, with commissions."""
        return self.bettor.felt.cost(self.rows[row].seat.bets)

    def least(self, row: int) -> Money:
        """The least money with which play goes on in a row."""
        return self._explorer.least(row)

    def steps_at(self, row: int, money: Money) -> list[Step]:
        """The steps of a row with this much money."""
        if self.rows[row].money is not None or money >= self.safe[row]:
            return self.steps[row]
        found = [
            step if money >= step.need else self._explorer.shorter(row, k, money).step
            for k, step in enumerate(self.steps[row])
        ]
        self._explorer.explore_all()
        return found

    def moves(self, row: int) -> Iterator[MoneyMove]:
        """The steps of a row, each with its range of money."""
        return self._explorer.moves(row)

    @property
    def first(self) -> tuple[int, Money]:
        """The first row and the money."""
        return self.start, self.bankroll

    def follow(self, step: Step, money: Money, *, last: bool = False) -> tuple[int, Money]:
        """The row or end, and the money, that a step leads to; after the last roll, always an
        end.
        """
        money += step.gain
        return self.ends.known(step.to, money, last=last), money


def explored(
    bettor: Bettor,
    bankroll: Money,
    ends: Ends,
    *,
    mirrored: bool | None = None,
) -> Positions:
    """All layouts that an evening can reach.

    `mirrored` merges layouts that differ only in names, by default as the strategy says. That keeps
    the distributions, but not the effect of given dice.

    Raises:
        TooManyStatesError: more than `MAX_ROWS` rows.
        RulesError: a bet that the house does not allow, or a memory that is not hashable.
    """
    mirror = bettor.strategy.mirrored if mirrored is None else mirrored
    explorer = PositionExplorer(bettor, bankroll, ends, mirror)
    start, lacking = explorer.begin()
    explorer.explore_all()
    return Positions(
        bettor,
        bankroll,
        ends,
        start,
        lacking,
        explorer.rows,
        explorer.steps,
        explorer.safe,
        explorer.short,
        mirror,
        explorer,
    )
