"""A single bet made again and again, one round per roll."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rolling import Law
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.felt import Bets, Felt, Money, Paid, Throw, whole
from sevenout.rules.outcome import Outcome


class OneBet(Felt):
    """A table on which each roll is a round of one bet.

    If more than the stake can be lost, as with odds, the whole amount at risk stands on the felt.

    >>> from sevenout.rolling import Law
    >>> felt = OneBet(Law({2: 1, -1: 3}))
    >>> felt.roll(None, (("pass", 5),), felt.throws(())[0])[2]
    (Paid(bet='pass', stake=5, profit=10),)

    Args:
        law: the distribution of the profit per unit staked.
        dice: the game, or its distribution; the distribution of the profits by default.
        slip: error bound of the distribution, if it is certified.

    Attributes:
        risk: the money at risk per unit staked.
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
        """The index of a round's profit."""
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
        """Any amount may be bet."""
        if bet != self.bet:
            raise RulesError(f"no bet {shown(bet)}; the only bet is {self.bet}")
        return True

    def fee(self, bet: str, amount: Money) -> Money:
        """Nothing."""
        return 0


@dataclass(frozen=True)
class FlatBetting(Strategy):
    """The same amount on one bet, whenever nothing stands."""

    bet: str
    amount: Money

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The bet, made again."""
        return {} if table.bets else {self.bet: self.amount}
