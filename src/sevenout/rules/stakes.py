"""A gambler who chooses his stake: Dubins and Savage, How to Gamble If You Must (1965)."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.dice import Rollable
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rules.betting import whole
from sevenout.rules.game import Game
from sevenout.rules.outcome import Outcome, Pay, settle


@dataclass(frozen=True)
class Stakes(Game):
    """One bet, made over and over, and before each the gambler says how much he stakes.

    >>> from sevenout.dice import Law
    >>> from sevenout.rules import lose, win
    >>> line = Stakes(Law({win(): 244, lose(): 251}), bankroll=1, goal=4)
    >>> list(line.choices((2, 0))), list(line.choices((3, 0))), line.step((3, 1), win()).label
    (['1', '2'], ['1'], 'goal')

    Args:
        dice: the law of the bet's outcomes.
        bankroll: what he brings.
        goal: he stops with so much; None for never.
        rounds: he stops after so many bets; None for never. One of the two must be given.
        unit: stakes are multiples of it.
        most: no stake may be more; None where the house allows any.
        bet: which bet is made.

    He stakes no more than he has, or than the goal takes if the bet pays even money or better. The
    outcome is "goal", "ruin" (less than a unit) or "time", and the bet "gamble" pays the profit.

    Raises:
        RulesError: no bankroll, a goal already reached, or no end in sight.
    """

    dice: Rollable
    bankroll: Number
    goal: Number | None = None
    rounds: int | None = None
    unit: Number = 1
    most: Number | None = None
    bet: str = "pass"
    bets = ("gamble",)

    def __post_init__(self) -> None:
        if not 0 < exact(self.unit) <= exact(self.bankroll):
            raise RulesError(f"a unit of {self.unit} from a bankroll of {self.bankroll}")
        if self.goal is not None and exact(self.goal) <= exact(self.bankroll):
            raise RulesError(f"the goal {self.goal} is reached already by {self.bankroll}")
        if self.goal is None and self.rounds is None:
            raise RulesError("a gamble with neither goal nor rounds; give one, or it may not end")
        if self.rounds is not None and not (type(self.rounds) is int and self.rounds >= 1):
            raise RulesError(f"rounds={shown(self.rounds)}; give 1 or more")

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The money, nothing staked; and the bets that are left, where they are limited."""
        money = whole(exact(self.bankroll))
        return (money, 0) if self.rounds is None else (money, 0, self.rounds)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """How much to stake."""
        money, staked, *left = state
        if staked:
            return {}
        unit, most = exact(self.unit), Fraction(money)
        if self.goal is not None:
            best = max(roll.profit(self.bet) / roll.pay(self.bet).stake for roll in self.dice.law)
            most = min(most, (exact(self.goal) - money) / min(best, 1) if best > 0 else most)
        if self.most is not None:
            most = min(most, exact(self.most))
        stakes = [whole(k * unit) for k in range(1, max(1, int(most / unit)) + 1)]
        return {str(stake): (money, stake, *left) for stake in stakes}

    def step(self, state: Any, roll: Outcome) -> Any:
        """The bet is settled."""
        money, staked, *left = state
        pay = roll.pay(self.bet)
        money = whole(money + staked * pay.profit / pay.stake)
        left = [n - 1 for n in left]
        if self.goal is not None and money >= exact(self.goal):
            return self._end("goal", money)
        if money < exact(self.unit):
            return self._end("ruin", money)
        if left and not left[0]:
            return self._end("time", money)
        return (money, 0, *left)

    def _end(self, label: str, money: Any) -> Outcome:
        brought = exact(self.bankroll)
        return settle(label, {"gamble": Pay(label, money - brought, brought, brought)})
