"""A roll log played through any game: every roll through the plain `step`, game after game."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sevenout.chain import state_name
from sevenout.errors import NotationError
from sevenout.rules import Game, Outcome
from sevenout.rules.outcome import Counts
from sevenout.rules.position import Position
from sevenout.verify.cells import DataError


@dataclass(frozen=True)
class FinishedGame:
    """One finished game.

    >>> from sevenout.games import catalogue
    >>> [game] = play_log(catalogue["craps"], [4, 5, 7]).games
    >>> game.outcome.label, game.rolls
    ('seven out', 3)

    Attributes:
        outcome: how it was settled.
        rolls: how many rolls it took.
        counts: what its other counters came to.
    """

    outcome: Outcome
    rolls: int
    counts: Counts = ()


@dataclass(frozen=True)
class UnfinishedGame:
    """The game that was on when the log ended: its state in words, and its rolls so far.

    >>> from sevenout.games import catalogue
    >>> play_log(catalogue["craps"], [7, 4, 5]).unfinished
    UnfinishedGame(state='4', rolls=2)
    """

    state: str
    rolls: int


@dataclass(frozen=True)
class PlayedLog:
    """A log, played.

    >>> from sevenout.games import catalogue
    >>> log = play_log(catalogue["craps"], [7, 4, 5, 7, 6])
    >>> dict(log.counts), log.rolls, log.unfinished.rolls
    ({'natural': 1, 'seven out': 1}, 5, 1)

    Attributes:
        games: the finished games, in order.
        unfinished: the last game, if it was not finished. It is in no count.
    """

    games: tuple[FinishedGame, ...]
    unfinished: UnfinishedGame | None

    @property
    def counts(self) -> Counter[str]:
        """How many games ended with each label."""
        return Counter(game.outcome.label for game in self.games)

    @property
    def lengths(self) -> Counter[int]:
        """How many games took so many rolls."""
        return Counter(game.rolls for game in self.games)

    @property
    def rolls(self) -> int:
        """How many rolls were used, those of the unfinished game included."""
        last = self.unfinished.rolls if self.unfinished else 0
        return sum(game.rolls for game in self.games) + last


def play_log(game: Game, rolls: Iterable[Any]) -> PlayedLog:
    """The games that a log of rolls makes.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> played = play_log(craps, [(3, 4), (6, 2), (1, 2), (5, 3), (6, 6), (2, 2)])
    >>> [(g.outcome.label, g.rolls) for g in played.games], played.unfinished
    ([('natural', 1), ('point', 3), ('craps', 1)], UnfinishedGame(state='4', rolls=1))

    Args:
        game: the rules.
        rolls: the log: `Rolls`, or for each roll a tuple of faces, a `Roll`, or (any other value)
            what the game itself reads off the dice, such as the total.

    Raises:
        DataError: a roll that the game's dice can't show; the message names it and its place.
    """
    finished: list[FinishedGame] = []
    position = Position(game)
    for number, given in enumerate(rolls, 1):
        try:
            outcome = position.roll(given)
        except NotationError as error:
            raise DataError(f"roll {number}: {error}") from None
        if outcome:
            finished.append(FinishedGame(outcome, position.rolls, position.counts))
            position = Position(game)
    left = UnfinishedGame(state_name(position.state), position.rolls) if position.rolls else None
    return PlayedLog(tuple(finished), left)
