"""A game in progress.

Modelled on python-chess: options, history, and undo.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.rolling import Rollable
from sevenout.rolling.throw import Faces, see, throw
from sevenout.rules.combined_games import FlatGame
from sevenout.rules.game import (
    Game,
    must_be_a_game,
    no_state_message,
    not_a_state,
    overrides_choices,
)
from sevenout.rules.outcome import Ask, Counts, Outcome, added, unwrap


class GameEvent(NamedTuple):
    """A roll or a choice.

    Attributes:
        roll: the roll as the game reads it; None for a choice.
        option: the option chosen; None for a roll.
        state: before the roll or the choice.
    """

    state: Any
    roll: Any = None
    option: str | None = None


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """Everything that `undo` must restore.

    Attributes:
        state: of the game; an outcome at the end.
        menu: what follows each option, if the player must choose before the roll; else empty.
        seat: the player on turn, 0 or 1.
        counts: the counters so far.
    """

    state: Any
    menu: Mapping[str, Any]
    seat: int
    counts: Counts


class Position:
    """A game in progress.

    >>> from sevenout.rules import PointGame
    >>> craps = Position(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> craps.roll((4, 4)), craps.state, craps.roll(5), craps.roll((6, 2)).label
    (None, 8, None, 'point')
    >>> [event.roll for event in craps.history], craps.settled.profit("pass")
    ([8, 5, 8], Fraction(1, 1))
    >>> craps.undo(), craps.settled, craps.state
    (None, None, 8)

    Args:
        game: the rules; a game of games is played out on the dice.

    Attributes:
        history: the events, from the first roll on.
    """

    def __init__(self, game: Game) -> None:
        must_be_a_game(game)
        # A game with choices rolls dice itself; games of games have none.
        self._nests = not overrides_choices(game)
        self.game = FlatGame(game) if self._nests else game
        self.history: list[GameEvent] = []
        self._snapshots: list[_Snapshot] = []
        self._push(self.game.start, 0, ())

    def _push(self, state: Any, seat: int, counts: Counts, must_roll: bool = False) -> None:
        # asked of the game once, since a game of turns has slow menus
        menu = {} if must_roll or isinstance(state, Outcome) else self.game.choices(state)
        self._snapshots.append(_Snapshot(state, menu, seat, counts))

    @property
    def _now(self) -> _Snapshot:
        return self._snapshots[-1]

    @property
    def state(self) -> Any:
        """The current state; the outcome if settled."""
        return self._unwrapped(self._now.state)

    @property
    def settled(self) -> Outcome | None:
        """The outcome, as seen by the player who settled it."""
        state = self._now.state
        return state if isinstance(state, Outcome) else None

    @property
    def seat(self) -> int:
        """The player on turn: 0 or 1."""
        return self._now.seat

    @property
    def counts(self) -> Counts:
        """The game's counts, without rolls."""
        return self._now.counts

    @property
    def rolls(self) -> int:
        """The number of rolls."""
        return sum(event.option is None for event in self.history)

    @property
    def options(self) -> tuple[str, ...]:
        """The options; empty if the dice are to be rolled."""
        return tuple(self._now.menu)

    @property
    def policy_key(self) -> Any:
        """The key of a policy: the state, or (player, what they see)."""
        game, state = self.game, self._now.state
        # Only where something is hidden does a policy need to know who looks.
        if type(game).sees is Game.sees or not self._now.menu:
            return state
        player = game.chooser(state)
        return player, game.sees(state, player or "")

    @property
    def rollable(self) -> Rollable:
        """What is rolled now.

        Raises:
            RulesError: the game is settled, or waits for a choice.
        """
        if self.settled:
            raise RulesError(f"the game is settled: {self.settled.label}")
        if self._now.menu:
            raise RulesError(f"the player must choose first: {', '.join(self.options)}")
        rolled = self.game.rolls(self._now.state)
        if not isinstance(rolled, Rollable):
            raise RulesError("a game with choices rolls dice, not another game")
        return rolled

    def roll(self, faces: Any) -> Outcome | None:
        """Play a roll, as faces or as read; the outcome, if any.

        Raises:
            NotationError: it can't be rolled here.
            RulesError: the game is settled, or waits for a choice.
        """
        seen = see(self.rollable, faces)
        state = self._now.state
        self._follow(self.game.step(state, seen), must_roll=self._nests, event=seen)
        self.history.append(GameEvent(self._unwrapped(state), roll=seen))
        return self.settled

    def throw(self, random: Random) -> Faces:
        """Roll fair dice and play the roll; the faces."""
        faces = throw(self.rollable, random)
        self.roll(faces)
        return faces

    def choose(self, option: str) -> Outcome | None:
        """Choose an option; the outcome, if any.

        Raises:
            RulesError: no choice is to be made, or there is no such option.
        """
        if option not in self.options:
            may = ", ".join(self.options) or "the dice are to be rolled"
            raise RulesError(f"{shown(option)} is not an option here; the options are: {may}")
        state = self._now.state
        self._follow(self._now.menu[option], must_roll=False, event=option)
        self.history.append(GameEvent(state, option=option))
        return self.settled

    def undo(self) -> None:
        """Take back the last roll or choice.

        Raises:
            RulesError: the history is empty.
        """
        if not self.history:
            raise RulesError("there is nothing to undo")
        self.history.pop()
        self._snapshots.pop()

    def _follow(self, successor: Any, must_roll: bool, event: Any) -> None:
        """Go to what follows a roll or an option; `event` is that, for an error."""
        successor, counts, passes = unwrap(successor)
        if isinstance(successor, Ask):
            successor = successor.state
        elif self._now.menu and successor == self._now.state:
            must_roll = True  # an option that leads to its own state is to roll
        if not isinstance(successor, Outcome | Hashable) or not_a_state(successor):
            raise RulesError(no_state_message(successor, self._now.state, event))
        self._push(successor, self._now.seat ^ passes, added(self._now.counts, counts), must_roll)

    def _unwrapped(self, state: Any) -> Any:
        # `FlatGame` wraps even the states of a game that nests nothing.
        return state[0] if self._nests and isinstance(state, tuple) and len(state) == 1 else state

    def __repr__(self) -> str:
        return f"<Position after {self.rolls} rolls: {shown(self.state)}>"
