"""One bet, made over and over: a table whose dice are the bet, and who stakes the same each time.

A gambler's evening of one bet is an evening like any other, at a table where a roll is a round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.dice import Law
from sevenout.errors import RulesError, shown
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.felt import Bets, Felt, Money, Paid, Throw, whole
from sevenout.rules.outcome import Outcome


class OneBet(Felt):
    """A table at which a roll is a round of one bet.

    Where more than the stake may be lost, as with odds behind the line, that must be there: this
    much stands on the felt.

    >>> from sevenout.dice import Law
    >>> felt = OneBet(Law({2: 1, -1: 3}))
    >>> felt.roll(None, (("pass", 5),), felt.throws(())[0])[2]
    (Paid(bet='pass', stake=5, profit=10),)

    Args:
        law: how likely each profit per unit staked is.
        dice: what is rolled: a game, or the distribution of one; the distribution of the profits,
            if not said.
        bet: the name of the bet.
        slip: how likely a bet differs from the true one, where its distribution is certified.

    Attributes:
        risk: what must be there for each unit staked.
    """

    dice: Any

    def __init__(
        self, law: Law, dice: Any = None, bet: str = "pass", slip: Fraction = Fraction(0)
    ) -> None:
        self.law, self.dice, self.bet = law, law if dice is None else dice, bet
        self.slip = slip
        self.ways = law.denominator
        self.risk = whole(Fraction(max(1, -min(law))))
        self._throws = tuple(
            Throw(i, (profit,), int(p * self.ways)) for i, (profit, p) in enumerate(law.items())
        )
        self._which: dict[Any, int] = {profit: i for i, profit in enumerate(law)}

    def throws(self, bets: Bets) -> Sequence[Throw]:
        """The profits."""
        return self._throws

    def which(self, throws: Sequence[Throw], roll: Any) -> int:
        """The profit of a round."""
        if roll not in self._which and isinstance(roll, Outcome):
            pay = roll.pay(self.bet)
            self._which[roll] = self._which[pay.profit / pay.stake]
        return self._which[roll]

    def roll(
        self, point: int | None, bets: Bets, throw: Throw
    ) -> tuple[int | None, dict[str, Money], tuple[Paid, ...], bool]:
        """The bet is settled."""
        (share,) = throw.faces or (0,)
        paid = []
        for bet, amount in bets:
            stake = Fraction(amount) / self.risk
            paid.append(Paid(bet, whole(stake), whole(stake * share)))
        return point, {}, tuple(paid), False

    def check(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> bool:
        """Any amount may be bet.

        Raises:
            RulesError: another bet.
        """
        if bet != self.bet:
            raise RulesError(f"no bet {shown(bet)}; the only bet is {self.bet}")
        return True

    def fee(self, bet: str, amount: Money) -> Money:
        """Nothing."""
        return 0


@dataclass(frozen=True)
class FlatBetting(Strategy):
    """The same amount on one bet, whenever nothing stands.

    Args:
        bet: its name.
        amount: what is bet.
    """

    bet: str
    amount: Money

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The bet, made again."""
        return {} if table.bets else {self.bet: self.amount}
