"""A roll log played through any game: every roll through the plain `step`, game after game."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sevenout.chain import state_name
from sevenout.dice import Dice, Die, Reading, Roll, Rollable
from sevenout.rules import Flat, Game, Settled
from sevenout.rules.game import reach
from sevenout.verify.cells import DataError


@dataclass(frozen=True)
class FinishedGame:
    """One finished game.

    Attributes:
        outcome: how it was settled.
        rolls: how many rolls it took.
        counts: what its other counters came to.
    """

    outcome: Settled
    rolls: int
    counts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class UnfinishedGame:
    """The game that was on when the log ended: its state in words, and its rolls so far."""

    state: str
    rolls: int


@dataclass(frozen=True)
class PlayedLog:
    """A log, played.

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
    flat = Flat(game)
    finished: list[FinishedGame] = []
    state: Any = flat.start
    used = 0
    counters: Counter[str] = Counter()
    for number, given in enumerate(rolls, 1):
        rolled = flat.rolls(state)
        seen = _see(rolled, given)
        if seen is _UNSEEN:
            raise DataError(f"roll {number}: {_shown(given)} is not a roll of {_named(rolled)}")
        (then, counts), used = reach(flat, state, seen), used + 1
        counters.update(dict(counts))
        if isinstance(then, Settled):
            finished.append(FinishedGame(then, used, tuple(counters.items())))
            state, used, counters = flat.start, 0, Counter()
        else:
            state = then
    left = UnfinishedGame(state_name(state), used) if used else None
    return PlayedLog(tuple(finished), left)


_UNSEEN = object()


def _see(rolled: Rollable, given: Any) -> Any:
    """What the game sees of a roll; `_UNSEEN` if its dice can't show that."""
    faces = given.faces if isinstance(given, Roll) else given
    if isinstance(rolled, Reading) and isinstance(faces, tuple):
        source = _see(rolled.source, given)
        return source if source is _UNSEEN else rolled.function(source)
    if isinstance(rolled, Dice) and isinstance(faces, tuple):
        fits = len(faces) == len(rolled) and all(
            face in die.faces for face, die in zip(faces, rolled.dice, strict=True)
        )
        return rolled.roll(faces) if fits else _UNSEEN
    if isinstance(rolled, Die) and isinstance(faces, tuple) and len(faces) == 1:
        given = faces[0]
    try:
        return given if given in rolled.law else _UNSEEN
    except TypeError:
        return _UNSEEN


def _shown(given: Any) -> str:
    return repr(given.faces if isinstance(given, Roll) else given)


def _named(rolled: Rollable) -> str:
    while isinstance(rolled, Reading):
        rolled = rolled.source
    return str(rolled) if isinstance(rolled, Dice | Die) else "what the game rolls"
