"""A game told by what a counter came to: the rounds won in a turn, as outcomes."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from sevenout.dice import Rollable
from sevenout.errors import RulesError
from sevenout.rules.game import Counted, Game, Settled
from sevenout.rules.nested import Flat


class Spread(Game):
    """A game whose outcomes say what a counter came to, so that a simulation keeps its histogram.

    >>> from sevenout.dice import Law
    >>> from sevenout.rules import Repeat, lose, win
    >>> turn = Repeat(Law({win(): 1, lose(): 1}))
    >>> Spread(turn, "won", most=2).step((turn.start, 1), win()).then
    (0, 2)

    Args:
        game: the game; a game of games is played out on the dice.
        counter: the counter that the game advances.
        most: counts from here on are told together, as "2 or more won".

    Raises:
        RulesError: `most` is below 1.
    """

    def __init__(self, game: Game, counter: str, most: int) -> None:
        if most < 1:
            raise RulesError(f"most={most}; tell 1 or more counts apart")
        self.game = Flat(game) if isinstance(game.rolls(game.start), Game) else game
        self.counter, self.most = counter, most
        self.start: Hashable = (self.game.start, 0)
        self.stakes = game.stakes

    def rolls(self, state: tuple[Any, int]) -> "Rollable | Game":
        """What the game rolls."""
        return self.game.rolls(state[0])

    def step(self, state: tuple[Any, int], roll: Any) -> Any:
        """The game's step, and the count so far."""
        inner, n = state
        then, counts = self.game.step(inner, roll), ()
        if isinstance(then, Counted):
            then, counts = then.then, then.counts
            n = min(self.most, n + dict(counts).get(self.counter, 0))
        if isinstance(then, Settled):
            so_many = f"{n} or more" if n == self.most else str(n)
            return Counted(replace(then, label=f"{so_many} {self.counter}"), counts)
        return Counted((then, n), counts)
