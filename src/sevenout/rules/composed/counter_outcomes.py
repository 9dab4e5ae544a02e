"""A game whose outcomes are the final values of a counter."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rolling import Rollable
from sevenout.rules.composed.nested import Flat
from sevenout.rules.game import Around, Game, reach
from sevenout.rules.outcome import Counted, Outcome


@dataclass(frozen=True)
class CounterOutcomes(Around):
    """A game with a counter's final values as outcomes, for histograms.

    >>> from sevenout.rolling import Law
    >>> from sevenout.rules import Streak, lose, win
    >>> turn = Streak(Law({win(): 1, lose(): 1}))
    >>> CounterOutcomes(turn, "won", most=2).step(((0,), 1), win()).then
    ((0,), 2)

    Args:
        game: the game; a game of games is played out on the dice.
        counter: the name of one of its counters, or "rolls".
        most: counts of at least this share one outcome, such as "2 or more won".

    Raises:
        RulesError: `most` is below 1.
    """

    game: Game
    counter: str
    most: int
    outcomes = ()

    def __post_init__(self) -> None:
        if type(self.most) is not int or self.most < 1:
            raise RulesError(f"most={shown(self.most)}; give 1 or more")

    @cached_property
    def _flat(self) -> Game:
        # A game of games counts in every game that it rolls.
        return self.game if isinstance(self.game, Flat) else Flat(self.game)

    @cached_property
    def start(self) -> Hashable:  # type: ignore[override]
        """The game's start, and a count of 0."""
        return self._flat.start, 0

    def rolls(self, state: tuple[Any, int]) -> "Rollable | Game":
        return self._flat.rolls(state[0])

    def step(self, state: tuple[Any, Any], roll: Any) -> Any:
        """The game's step, and the count so far."""
        inner, n = state
        then, counts = reach(self._flat, inner, roll)
        n = min(self.most, n + (dict(counts) | {"rolls": 1}).get(self.counter, 0))
        if isinstance(then, Outcome):
            number = f"{n} or more" if n == self.most else str(n)
            return Counted(replace(then, label=f"{number} {self.counter}"), counts)
        return Counted((then, n), counts)
