"""Games chosen by the dice, as hazard's main is."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sevenout.errors import RulesError
from sevenout.rolling import Rollable
from sevenout.rules.game import Game, bets_of
from sevenout.rules.outcome import Counted, Pay, rolls_of


@dataclass(frozen=True, init=False)
class Mixture(Game):
    """A roll draws the game; a roll that draws none is rolled again.

    >>> from sevenout.rolling import d6
    >>> from sevenout.rules import Wager
    >>> easy, hard = Wager(d6, {(5, 6): 1, (1, 2): -1}), Wager(d6, {6: 1, 1: -1})
    >>> Mixture(d6, {1: easy, 2: hard}).step("draw", 2)
    2

    Args:
        games: the games by roll, all with the same bets.

    Raises:
        RulesError: no game, games with different bets, or a mix of tables and other games.
    """

    dice: Rollable
    games: tuple[tuple[Hashable, Game], ...]
    start = "draw"

    def __init__(self, dice: Rollable, games: Mapping[Any, Game]) -> None:
        if not games:
            raise RulesError("no game to draw from; give one or more")
        first, *others = map(bets_of, games.values())
        for other in others:
            if set(other) != set(first):
                raise RulesError(
                    f"the games to draw must have the same bets; one has {', '.join(first)}, "
                    f"another {', '.join(other)}"
                )
        if len({game.is_table for game in games.values()}) > 1:
            raise RulesError(
                "some of the games to draw are tables of games and some are not; give one kind"
            )
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "games", tuple(games.items()))

    @property
    def bets(self) -> tuple[str, ...]:  # type: ignore[override]
        return bets_of(self.games[0][1])

    @property
    def is_table(self) -> bool:  # type: ignore[override]
        return self.games[0][1].is_table

    def pays_of(self, bet: str) -> tuple[Pay, ...]:
        return tuple(dict.fromkeys(pay for _, game in self.games for pay in game.pays_of(bet)))

    @cached_property
    def _games(self) -> dict[Hashable, Game]:
        return dict(self.games)

    def rolls(self, state: Hashable) -> "Rollable | Game":
        """The dice that draw, then those of the drawn game."""
        return self.dice if state == self.start else self._games[state]

    def step(self, state: Hashable, roll: Any) -> Any:
        """The draw, then a step of the drawn game."""
        if state != self.start:
            return roll
        then = roll if roll in self._games else self.start
        if self.is_table:
            return Counted(then, tuple((rolls_of(bet), 1) for bet in self.bets))
        return then
