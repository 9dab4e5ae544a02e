"""Games of games: the outcome of one is the roll of another."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.dice import Rollable
from sevenout.errors import RulesError
from sevenout.rules.game import (
    Counted,
    Counts,
    Game,
    Number,
    Settled,
    added,
    counted,
    exact,
    reach,
    settle,
)


@dataclass(frozen=True)
class Repeat(Game):
    """Rounds of a game until a losing streak: the caster's turn at hazard.

    Args:
        dice: the round: a game, or the law of one.
        losses: the turn ends when so many rounds in a row are lost.
        bet: the bet of the round that says who won; a push is neither.

    The counters `rounds` and `won` advance with each round.
    """

    dice: Rollable | Game
    losses: int = 2
    bet: str = "pass"
    start: Hashable = 0

    def __post_init__(self) -> None:
        if self.losses < 1:
            raise RulesError(f"losses={self.losses}; a turn ends after 1 or more lost rounds")

    def step(self, lost: int, roll: Settled) -> Any:
        """One round."""
        profit = roll.profit(self.bet)
        if profit > 0:
            return counted(0, rounds=1, won=1)
        if profit == 0:
            return counted(lost, rounds=1)
        return counted(lost + 1 if lost + 1 < self.losses else settle("turn over"), rounds=1)


@dataclass(frozen=True)
class Session(Game):
    """A gambler's evening: one bet, made over and over, until ruin, a target or a number of rounds.

    Args:
        dice: the bet: a game, or the law of one.
        bankroll: what the gambler brings.
        target: stop at this or more; None for never.
        rounds: stop after so many bets; None for never. One of the two must be given.
        stake: what is staked on each bet, in units of `bankroll`.
        bet: which bet of the game is made.

    Ruin is a bankroll that can't pay the next stake. The outcome is "ruin", "target" or "time", and
    the bet "session" pays the profit. The counter `rounds` advances with each bet.

    Raises:
        RulesError: no bankroll for one stake, a target already reached, or no end in sight.
    """

    dice: Rollable | Game
    bankroll: Number
    target: Number | None = None
    rounds: int | None = None
    stake: Number = 1
    bet: str = "pass"

    def __post_init__(self) -> None:
        for name in ("bankroll", "target", "stake"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else exact(value))
        if not 0 < self._stake <= self._bankroll:
            raise RulesError(f"a stake of {self.stake} from a bankroll of {self.bankroll}")
        if self.target is not None and self._target <= self._bankroll:
            raise RulesError(f"the target {self.target} is reached already by {self.bankroll}")
        if self.target is None and self.rounds is None:
            raise RulesError(
                "a session with neither target nor rounds; give one, or it may not end"
            )
        if self.rounds is not None and self.rounds < 1:
            raise RulesError(f"rounds={self.rounds}; a session has 1 or more")

    @cached_property
    def _bankroll(self) -> Fraction:
        return exact(self.bankroll)

    @cached_property
    def _stake(self) -> Fraction:
        return exact(self.stake)

    @cached_property
    def _target(self) -> Fraction:
        return exact(self.target or 0)

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The bankroll, and how many rounds have been played (0 if nobody counts)."""
        return self._bankroll, 0

    @property
    def stakes(self) -> Mapping[str, Fraction]:  # type: ignore[override]
        """The session's stake is the bankroll."""
        return {"session": self._bankroll}

    def step(self, state: tuple[Fraction, int], roll: Settled) -> Any:
        """One bet."""
        money, played = state
        money += self._stake * roll.profit(self.bet)
        profit = money - self._bankroll
        pays = {"session": (profit, self._bankroll)}
        if self.target is not None and money >= self._target:
            return counted(settle("target", pays), rounds=1)
        if money < self._stake:
            return counted(settle("ruin", pays), rounds=1)
        if self.rounds is None:
            return counted((money, 0), rounds=1)
        if played + 1 == self.rounds:
            return counted(settle("time", pays), rounds=1)
        return counted((money, played + 1), rounds=1)


class Flat(Game):
    """A game of games, played out on the dice: what an engine sees.

    A state of the outer game in which another game is rolled becomes one state for each state of
    the inner game; the settled inner game is the outer game's roll. The counters of both advance.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.stakes = game.stakes
        self._flat: dict[int, Flat] = {}  # by the identity of the game, which each keeps alive
        self.start = self._enter(game.start)

    def _inner(self, state: Any) -> "Flat | None":
        rolled = self.game.rolls(state)
        flat = self._flat.get(id(rolled))
        if flat is None and isinstance(rolled, Game):
            flat = self._flat[id(rolled)] = Flat(rolled)
        return flat

    def _enter(self, state: Any) -> Hashable:
        inner = self._inner(state)
        return (state,) if inner is None else (state, inner.start)

    def rolls(self, state: tuple[Any, ...]) -> Rollable:
        """What is rolled at the bottom."""
        if len(state) == 2:
            inner = self._inner(state[0])
            assert inner is not None
            return inner.rolls(state[1])
        rolled = self.game.rolls(state[0])
        assert not isinstance(rolled, Game)
        return rolled

    def step(self, state: tuple[Any, ...], roll: Any) -> Any:
        """One roll of the dice at the bottom."""
        outer, outcome = state[0], roll
        counts: Counts = ()
        if len(state) == 2:
            inner = self._inner(outer)
            assert inner is not None
            outcome, counts = reach(inner, state[1], roll)
            if not isinstance(outcome, Settled):
                return Counted((outer, outcome), counts) if counts else (outer, outcome)
        then, more = reach(self.game, outer, outcome)
        if more:
            counts = added(counts, more)
        if not isinstance(then, Settled):
            then = self._enter(then)
        return Counted(then, counts) if counts else then
