"""Bets on a shooter's hand."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.errors import RulesError, inside, shown
from sevenout.numerals import Number, exact
from sevenout.rules.families.paytable import PayTable
from sevenout.rules.families.point import PointGame
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.game import Game
from sevenout.rules.outcome import Outcome, amounts, settle


@dataclass(frozen=True, init=False)
class PointsMade(Game):
    """Rounds of a point game until the out; the outcome is the number of points made.

    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> fire = PointsMade(craps, {4: 24, 5: 249, 6: 999}, bet="fire")
    >>> fire.step(0b000111, fire.dice.outcomes[-1]).label
    '3 points'

    What is rolled is a round. The state is the set of points made, as a bit mask, or their number.
    A round that ends in a natural, craps or the limit makes no point.

    Args:
        pays: the profit by number of points; other numbers lose. The highest number paid wins at
            once.
        different: whether each point counts only once.

    Raises:
        RulesError: no prize, a prize for an impossible number of points, or an amount that `pay`
            refuses.
    """

    pays: Mapping[int, Number]
    dice: PointGame
    different: bool
    bet: str
    stake: Fraction
    side_of: Game | None = field(repr=False)
    start = 0

    def __init__(
        self,
        round_: PointGame,
        pays: Mapping[int, Number],
        *,
        different: bool = True,
        bet: str = "points",
        stake: Number = 1,
    ) -> None:
        put = object.__setattr__
        line = PayTable(point=dict.fromkeys(round_.points, 1))
        plain = PointGame(
            round_.naturals,
            round_.craps,
            round_.out,
            pushes=round_.pushes,
            rerolls=round_.rerolls,
            limit=round_.limit,
            bets={"pass": line},
            dice=round_.dice,
        )
        put(self, "dice", plain)
        put(self, "side_of", plain)
        put(self, "pays", Frozen(pays))
        put(self, "different", different)
        put(self, "bet", bet)
        put(self, "stake", exact(stake))
        most = len(plain.points) if different else None
        for points in pays:
            if type(points) is not int or points < 0 or (most is not None and points > most):
                there = f"there are 0 to {most}" if most is not None else "count from 0"
                raise RulesError(f"a prize for {shown(points)} points; {there}")
        with inside("pays"):
            for profit in pays.values():
                amounts(profit, self.stake)
        if not any(pays):
            raise RulesError("no prize for any point; pay for 1 or more, such as { 4 = 24 }")

    @property
    def bets(self) -> Collection[str]:  # type: ignore[override]
        return (self.bet,)

    def stake_of(self, bet: str) -> Fraction:
        """The stake of the bet."""
        return self.stake

    @cached_property
    def _order(self) -> list[Any]:
        return sorted(self.dice.points, key=self.dice.totals.index)

    @cached_property
    def _most(self) -> int:
        """The number of points that wins at once."""
        return len(self._order) if self.different else max(self.pays)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The outcomes, the most points first."""
        return tuple(self._settle(n) for n in range(self._most, -1, -1))

    @cached_property
    def _made(self) -> dict[str, int]:
        """The point made, by the event that settles the round."""
        made = (self.dice.step(self._on(point), point) for point in self._order)
        return {outcome.pay("pass").event: i for i, outcome in enumerate(made)}

    def _on(self, point: Any) -> Any:
        return point if self.dice.limit is None else (point, 0)

    def step(self, made: int, roll: Outcome) -> Any:
        event = roll.pay("pass").event
        if event in self._made:
            made = made | 1 << self._made[event] if self.different else made + 1
        elif event == self._out:
            return self._settle(self.count(made))
        return made if self.count(made) < self._most else self._settle(self._most)

    @cached_property
    def _out(self) -> str:
        point = self._order[0]
        return str(self.dice.step(self._on(point), self.dice.out).pay("pass").event)

    def count(self, made: int) -> int:
        """The number of points made in a state."""
        return made.bit_count() if self.different else made

    def _settle(self, points: int) -> Outcome:
        profit = self.pays.get(points, -self.stake)
        more = " or more" if not self.different and points == self._most else ""
        label = f"{points} point{'s' if points != 1 or more else ''}{more}"
        return settle(label, {self.bet: profit}, stake=self.stake)


@dataclass(frozen=True, init=False)
class RoundsWon(Game):
    """Rounds of a game until a losing streak; the outcome is the number won.

    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> turn = RoundsWon(craps, 2, {3: 2, 5: 8}, bet="hot hand")
    >>> turn.step((1, 4), craps.outcomes[-1]).profit("hot hand")
    Fraction(2, 1)

    The states are (rounds lost in a row, rounds won).

    Args:
        round_: the round; its first bet tells who won, and a push counts as neither.
        losses: the number of losses in a row that ends the turn.
        pays: the profit by least number of rounds won; fewer lose. The highest prize wins at once.

    Raises:
        RulesError: `losses` below 1, no prize, or an amount that `pay` refuses.
    """

    dice: PointGame
    losses: int
    pays: Mapping[int, Number]
    bet: str
    stake: Fraction
    start = (0, 0)
    coordinates = ("lost", "won")

    def __init__(
        self,
        round_: PointGame,
        losses: int,
        pays: Mapping[int, Number],
        *,
        bet: str = "turn",
        stake: Number = 1,
    ) -> None:
        put = object.__setattr__
        put(self, "dice", round_)
        put(self, "losses", losses)
        put(self, "pays", Frozen(dict(sorted(pays.items()))))
        put(self, "bet", bet)
        put(self, "stake", exact(stake))
        if type(losses) is not int or losses < 1:
            raise RulesError(f"losses={shown(losses)}; a turn ends after 1 or more lost rounds")
        for won in pays:
            if type(won) is not int or won < 1:
                raise RulesError(f"a prize for {shown(won)} rounds won; pay for 1 or more")
        if not pays:
            raise RulesError("no prize for any round; pay for 1 or more, such as { 3 = 2 }")
        with inside("pays"):
            for profit in pays.values():
                amounts(profit, self.stake)

    @property
    def bets(self) -> Collection[str]:  # type: ignore[override]
        return (self.bet,)

    def stake_of(self, bet: str) -> Fraction:
        """The stake of the bet."""
        return self.stake

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The outcomes, the most rounds first, then the loss."""
        return tuple(self._settle(won) for won in (*reversed([*self.pays]), 0))

    def step(self, state: tuple[int, int], roll: Outcome) -> Any:
        lost, won = state
        profit = roll.pays[0][1].profit
        if profit > 0:
            return (0, won + 1) if won + 1 < max(self.pays) else self._settle(won + 1)
        if profit == 0:
            return state
        return (lost + 1, won) if lost + 1 < self.losses else self._settle(won)

    def _settle(self, won: int) -> Outcome:
        earned = [least for least in self.pays if least <= won]
        if not earned:
            label = f"fewer than {min(self.pays)} won"
            return settle(label, {self.bet: -self.stake}, stake=self.stake)
        label = f"{earned[-1]} or more won"
        if later := [least for least in self.pays if least > won]:
            label = f"{earned[-1]} to {later[0] - 1} won"
            label = f"{earned[-1]} won" if later[0] - 1 == earned[-1] else label
        return settle(label, {self.bet: self.pays[earned[-1]]}, stake=self.stake)
