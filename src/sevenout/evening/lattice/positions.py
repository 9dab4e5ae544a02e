"""An evening's bets ► layouts: every way in which a strategy's bets can stand, explored once.

The money of a bettor is all he has, on the felt and in the rail; a roll adds to it or takes from
it. While it pays for all that is wanted, it changes nothing, and a *layout* (the bets that stand
and what the strategy remembers) is one row whatever the money. Where a bet can't be paid, or the
strategy looks at its money, the money belongs to the row: a *pinch*. So the money is a counter on
few rows, and yet nobody ever bets what he has not got.
"""

from dataclasses import dataclass
from fractions import Fraction

from sevenout.evening.lattice.reachable import PositionExplorer, PositionRow, Step
from sevenout.rules.casino.betting import Bettor
from sevenout.rules.casino.ends import Ends
from sevenout.rules.casino.felt import Money, whole


@dataclass(frozen=True, eq=False)
class Positions:
    """The rows of an evening and the steps between them; pinches are found as they are met.

    Attributes:
        bettor: who plays, and where.
        bankroll: what he brings.
        start: the first row.
        lacking: how many of the first bets could not be made.
        rows: the layouts.
        steps: the steps of each row.
        safe: for a row of no certain money, the least with which each of its steps is as it says.
        pinches: for such a row, the rows that take its place with less.
        ends: when he leaves.
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
    pinches: list[dict[Money, int]]
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

    def measure(self, gain: Money) -> None:
        """Let the unit be one of a gain too."""
        self._explorer.measure(gain)

    def complete(self) -> None:
        """Explore the pinches at every amount of money, met or not.

        Raises:
            TooManyStatesError: more than `MAX_ROWS` rows.
        """
        self._explorer.pinch_all()

    def at(self, row: int, money: Money) -> int:
        """The row in which somebody in a row with so much money really is."""
        if self.rows[row].money is None and money < self.safe[row]:
            amount = whole(Fraction(money))
            found = self.pinches[row].get(amount)
            if found is None:
                found = self._explorer.pin(row, amount)
                self._explorer.explore_all()
            return found
        return row

    @property
    def first(self) -> tuple[int, Money]:
        """Where the evening begins: the row, and the money."""
        return self.at(self.start, self.bankroll), self.bankroll

    def follow(self, step: Step, money: Money, *, last: bool = False) -> tuple[int, Money]:
        """Where a step leads with so much money, and the money then: to a row or an end. After the
        last roll nothing more is bet: then to an end, be it that of the time.
        """
        money += step.gain
        to = self.ends.known(step.to, money, last=last)
        if to < 0:
            return to, money
        return (to if money >= self.safe[to] else self.at(to, money)), money


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
        bankroll: what he brings.
        ends: when he leaves; what can't be reached in his rolls is left out.
        mirrored: whether layouts that differ in names alone are made one; the laws are the same
            then, but not what a roll of certain dice does. As the strategy says, if not said.

    Raises:
        TooManyStatesError: more than `MAX_ROWS`.
        RulesError: a bet that the house does not allow, or a memory that is not hashable.
    """
    mirror = bettor.strategy.mirrored if mirrored is None else mirrored
    explorer = PositionExplorer(bettor, bankroll, ends, mirror)
    seat, wishes, unmet = bettor.start(bankroll)
    explorer.names.update(unmet)
    start, refused = explorer.begin(seat, wishes)
    explorer.explore_all()
    return Positions(
        bettor,
        bankroll,
        ends,
        start,
        len(refused) + len(unmet),
        explorer.rows,
        explorer.steps,
        explorer.safe,
        explorer.pinches,
        mirror,
        explorer,
    )
