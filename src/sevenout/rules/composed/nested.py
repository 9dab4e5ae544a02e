"""Nested games: the outcome of one is the roll of another."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rolling import Rollable
from sevenout.rules.game import Around, Game, follow, reach
from sevenout.rules.outcome import Counted, Counts, Outcome, Passed, added, counted, settle


@dataclass(frozen=True)
class Streak(Game):
    """Rounds of a game until a losing streak, as in a caster's turn.

    Args:
        dice: the round: a game, or its distribution.
        losses: the number of losses in a row that ends the turn.
        bet: the bet that tells who won a round; a push counts as neither.

    The counters `rounds` and `won` advance with each round.
    """

    dice: Rollable | Game
    losses: int = 2
    bet: str = "pass"
    start: Hashable = 0
    counters = ("rounds", "won")
    bets = ()

    def __post_init__(self) -> None:
        if type(self.losses) is not int or self.losses < 1:
            raise RulesError(
                f"losses={shown(self.losses)}; a turn ends after 1 or more lost rounds"
            )

    def step(self, lost: int, roll: Outcome) -> Any:
        if not isinstance(roll, Outcome):
            raise RulesError(
                f"{shown(roll)} is not a round; give a game, or the distribution of its outcomes"
            )
        profit = roll.profit(self.bet)
        if profit > 0:
            return counted(0, rounds=1, won=1)
        if profit == 0:
            return counted(lost, rounds=1)
        return counted(lost + 1 if lost + 1 < self.losses else settle("turn over"), rounds=1)


@dataclass(frozen=True)
class Flat(Around):
    """A game of games, played out on the dice, as engines need it.

    >>> from sevenout.catalogue import games
    >>> Flat(games["hazard-turn"]).start
    (0, ('come-out',))

    A state of the outer game that rolls an inner game becomes one state for each inner state. The
    outcome of the inner game is the outer game's roll. The counters of both advance.
    """

    game: Game

    @cached_property
    def _flat(self) -> dict[int, "Flat"]:
        return {}  # by the game's identity; the cache keeps each game alive

    @cached_property
    def start(self) -> Hashable:  # type: ignore[override]
        """The first state of the game and of what it rolls."""
        return self.enter(self.game.start)

    def _inner(self, state: Any) -> "Flat | None":
        rolled = self.game.rolls(state)
        flat = self._flat.get(id(rolled))
        if (flat is None or flat.game is not rolled) and isinstance(rolled, Game):
            flat = self._flat[id(rolled)] = Flat(rolled)
        return flat

    def enter(self, state: Any) -> Hashable:
        """The combined state as a state of the outer game begins."""
        inner = self._inner(state)
        return (state,) if inner is None else (state, inner.start)

    def rolls(self, state: tuple[Any, ...]) -> Rollable:
        """The dice of the innermost game."""
        if len(state) == 2:
            inner = self._inner(state[0])
            assert inner is not None
            return inner.rolls(state[1])
        rolled = self.game.rolls(state[0])
        assert not isinstance(rolled, Game)
        return rolled

    def step(self, state: tuple[Any, ...], roll: Any) -> Any:
        """One roll of those dice."""
        outer, outcome = state[0], roll
        counts: Counts = ()
        if len(state) == 2:
            inner = self._inner(outer)
            assert inner is not None
            outcome, counts = reach(inner, state[1], roll)
            if not isinstance(outcome, Outcome):
                return Counted((outer, outcome), counts) if counts else (outer, outcome)
        then, more, passes = follow(self.game, outer, outcome)
        if more:
            counts = added(counts, more)
        if not isinstance(then, Outcome):
            then = self.enter(then)
        then = Counted(then, counts) if counts else then
        return Passed(then) if passes else then
