"""A game chosen by the dice: the caster rolls for the main, then plays it."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.dice import Rollable
from sevenout.errors import RulesError
from sevenout.rules.game import Game, Settled


@dataclass(frozen=True, init=False)
class Drawn(Game):
    """A roll draws the game that is then played; a roll that draws none is rolled again.

    >>> from sevenout.dice import d6
    >>> from sevenout.rules import Wager
    >>> easy, hard = Wager(d6, {(5, 6): 1, (1, 2): -1}), Wager(d6, {6: 1, 1: -1})
    >>> Drawn(d6, {1: easy, 2: hard}).step("draw", 2)
    2

    Args:
        dice: what draws the game.
        games: the games, by roll. All have the same bets.

    Raises:
        RulesError: no game, or bets with different stakes.
    """

    dice: Rollable
    games: tuple[tuple[Hashable, Game], ...]
    start = "draw"

    def __init__(self, dice: Rollable, games: Mapping[Any, Game]) -> None:
        if not games:
            raise RulesError("no game to draw; give one or more")
        first, *others = games.values()
        for other in others:
            if dict(other.stakes) != dict(first.stakes):
                raise RulesError("the games to draw must have the same bets with the same stakes")
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "games", tuple(games.items()))

    @property
    def stakes(self) -> Mapping[str, Fraction]:  # type: ignore[override]
        """The stakes, the same in every game."""
        return self.games[0][1].stakes

    def rolls(self, state: Hashable) -> "Rollable | Game":
        """The dice that draw; then the game that was drawn."""
        return self.dice if state == self.start else dict(self.games)[state]

    def step(self, state: Hashable, roll: Any) -> Any:
        """The draw; then the drawn game's outcome, which is the outcome."""
        if isinstance(roll, Settled):
            return roll
        return roll if roll in dict(self.games) else state
