"""Side bets made only at the come-out of another game.

If a side bet is settled while the round goes on, the next one waits for the next come-out.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sevenout.errors import RulesError
from sevenout.rolling import Reading, Rollable
from sevenout.rules.composed.nested import Flat
from sevenout.rules.composed.together import Renamed, Seen, Together, bottom
from sevenout.rules.families.checklist import Checklist
from sevenout.rules.families.point import PointGame
from sevenout.rules.game import Game, reach
from sevenout.rules.outcome import Outcome, settle


@dataclass(frozen=True)
class UntilAgain(Game):
    """The rolls between two come-outs at which a side bet is made.

    >>> from sevenout.catalogue import games
    >>> from sevenout.solving import solve
    >>> waits = UntilAgain(games["point-7-mugnolo"], games["craps"])
    >>> solve(waits).mean_rolls == solve(games["craps"]).mean_rolls
    True

    Raises:
        RulesError: the bet's game and the table's roll different dice.
    """

    side: Game
    table: Game

    @cached_property
    def _games(self) -> tuple[Game, Game]:
        def flat(game: Game) -> Game:
            return Flat(game) if isinstance(getattr(game, "dice", None), Game) else game

        return flat(self.side), flat(self.table)

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        return tuple(game.start for game in self._games)

    def afford(self) -> None:
        """Refuse a side bet whose game is too large."""
        self.side.afford()

    def rolls(self, state: tuple[Any, ...]) -> Rollable:
        """The dice, as both games read them."""
        side, table = self._games
        readings = (None if state[0] is None else side.rolls(state[0]), table.rolls(state[1]))
        rolled = {bottom(reading) for reading in readings if reading is not None}
        if len(rolled) > 1:
            raise RulesError("a side bet and the game beside it must roll the same dice")
        return Reading(rolled.pop(), Seen(readings))

    def step(self, state: tuple[Any, ...], roll: tuple[Any, ...]) -> Any:
        """One roll; a settled side bet has the state None."""
        side, table = self._games
        mine = None if state[0] is None else reach(side, state[0], roll[0])[0]
        round_ = reach(table, state[1], roll[1])[0]
        mine = None if isinstance(mine, Outcome) else mine
        round_ = table.start if isinstance(round_, Outcome) else round_
        return settle("again") if mine is None and round_ == table.start else (mine, round_)


def waiting_for(game: Game, bet: str) -> Game | None:
    """The rolls until a settled bet can be made again, as a game; None if at once.

    `side_of` names the game beside a bet. Without it, among several games on the same rolls, a
    wager may be made before any roll, and other bets at the come-out of the first point game.

    >>> from sevenout.catalogue import games
    >>> waiting_for(games["fast-craps"], "brick").table == games["fast-craps-pass"]
    True
    """
    table: Game | None = None
    while True:
        if isinstance(game, Renamed):
            bet = {new: old for old, new in game.names}.get(bet, bet)
            game = game.game
        elif isinstance(game, Together):
            lines = [each for each in game.games if isinstance(each, PointGame)]
            table = table or next(iter(lines), None)
            game = game.game_of(bet)
        else:
            break
    if game.side_of is not None:
        table = game.side_of
    elif not isinstance(game, PointGame | Checklist):
        table = None
    if table is None or table is game or _asks(game):
        return None
    return UntilAgain(game, table)


def _asks(game: Game) -> bool:
    return type(game).choices is not Game.choices
