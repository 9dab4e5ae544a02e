"""An evening's bets ► layouts: every way in which a strategy's bets can stand, explored once.

The money of a bettor is on the felt and in the rail; a roll adds to it or takes from it. While it
pays for all that is wanted, it changes nothing, and a *layout* (the bets that stand and what the
strategy remembers) is one row whatever the money. Where a bet can't be paid, a roll has another
step, the same for a range of *short* money. Where the strategy looks at its money, the money
belongs to the row. So the money is a counter on few rows, and yet no one ever bets money that they
don't have.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from sevenout.evening.lattice.reachable import MoneyMove, PositionExplorer, PositionRow, Step
from sevenout.rules.casino.betting import Bettor
from sevenout.rules.casino.ends import Ends
from sevenout.rules.casino.felt import Money


@dataclass(frozen=True, eq=False)
class Positions:
    """The rows of an evening and the steps between them; those of short money are found as they
    are met.

    Attributes:
        bettor: who plays, and where.
        bankroll: the player's bankroll.
        start: the first row.
        lacking: how many of the first bets could not be made.
        rows: the layouts.
        steps: the steps of each row.
        safe: for a row of no certain money, the least with which each of its steps is as it says.
        short: for such a row, by the number of the throw, its steps with less money that were met.
        ends: when the player leaves.
        mirrored: whether layouts that differ in names alone were made one.
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
        """What all gains are multiples of."""
        return self._explorer.unit or Fraction(1)

    @property
    def names(self) -> tuple[str, ...]:
        """The bets that were refused somewhere, for want of money or of a bet to lean on."""
        return tuple(sorted(self._explorer.names))

    @property
    def clipped(self) -> tuple[str, ...]:
        """The bets of which the house takes less than is wanted somewhere."""
        return tuple(sorted(self._explorer.clipped))

    def measure(self, gain: Money) -> None:
        """Let the unit be one of a gain too."""
        self._explorer.measure(gain)

    def complete(self) -> None:
        """Explore the ranges of short money, met or not.

        Raises:
            TooManyStatesError: more than `MAX_ROWS` rows.
        """
        self._explorer.complete()

    def highest(self) -> list[Money | None]:
        """For each row the most money with which it can be come to; None for no bound."""
        return self._explorer.highest()

    def cost(self, row: int) -> Money:
        """The money on the felt in a row, commissions too."""
        return self.bettor.felt.cost(self.rows[row].seat.bets)

    def least(self, row: int) -> Money:
        """The least money with which someone in a row goes on."""
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
        """The steps of a row, each with the money with which it is made."""
        return self._explorer.moves(row)

    @property
    def first(self) -> tuple[int, Money]:
        """Where the evening begins: the row, and the money."""
        return self.start, self.bankroll

    def follow(self, step: Step, money: Money, *, last: bool = False) -> tuple[int, Money]:
        """Where a step leads with this much money, and the money then: to a row or an end. After
        the last roll nothing more is bet: then to an end, be it that of the time.
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
    """Every layout that a bettor's evening can come to.

    Args:
        bettor: who plays, and where.
        bankroll: the player's bankroll.
        ends: when the player leaves; what can't be reached in their rolls is left out.
        mirrored: whether layouts that differ in names alone are made one; the distributions are the
            same then, but not what a roll of certain dice does. As the strategy says, if not said.

    Raises:
        TooManyStatesError: more than `MAX_ROWS`.
        RulesError: a bet that the house does not allow, or a memory that is not hashable.
    """
    mirror = bettor.strategy.mirrored if mirrored is None else mirrored
    explorer = PositionExplorer(bettor, bankroll, ends, mirror)
    seat, wished = bettor.start(bankroll)
    explorer.names.update(wished.unmet)
    explorer.clipped.update(wished.clipped)
    start, refused = explorer.begin(seat, wished.wishes)
    explorer.explore_all()
    return Positions(
        bettor,
        bankroll,
        ends,
        start,
        len(refused) + len(wished.unmet),
        explorer.rows,
        explorer.steps,
        explorer.safe,
        explorer.short,
        mirror,
        explorer,
    )
