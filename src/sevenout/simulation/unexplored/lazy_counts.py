"""Tasks and counts of games that are not explored."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple

from sevenout.rolling.distribution import summed
from sevenout.rules import Game, Outcome
from sevenout.rules.casino.felt import whole
from sevenout.rules.outcome import Counts, Pay
from sevenout.simulation.backends.engine_choice import Stop, engine
from sevenout.simulation.tally import Tally, TallyError, are_counts
from sevenout.simulation.unexplored.explored_states import ExploredStates
from sevenout.simulation.unexplored.lazy_play import MetPart, play_met
from sevenout.simulation.unexplored.lazy_tally import (
    CHUNK,
    MetTally,
    as_data,
    dice_of,
    fingerprint,
    met_tally,
)
from sevenout.simulation.unexplored.owndice import OwnDice


@dataclass(frozen=True, eq=False)
class MetTask:
    """Some games of an unexplored game."""

    known: ExploredStates
    seed: int
    first: int
    games: int

    @property
    def blocks(self) -> int:
        return -(-self.games // CHUNK)

    def play(self, stop: Stop | None = None) -> list[MetPart] | None:
        """Play them, chunk by chunk."""
        parts = []
        for done in range(0, self.games, CHUNK):
            games = min(CHUNK, self.games - done)
            part = play_met(self.known, OwnDice(self.seed, self.first + done, games), stop)
            if part is None:
                return None
            parts.append(part)
        return parts


class _Counts(NamedTuple):
    """The counts of games, by the numbers of `ExploredStates`."""

    games: int
    ended: Mapping[tuple[int, int], int]
    counted: Mapping[int, int]

    def plus(self, part: MetPart) -> "_Counts":
        """The sum with the counts of other games."""
        moves = [(tag, n) for tag, n in enumerate(part.counted.tolist()) if n]
        ended = summed([*self.ended.items(), *part.ended.items()])
        return _Counts(self.games + part.games, ended, summed([*self.counted.items(), *moves]))


class MetBook:
    """The counts of a run of an unexplored game.

    Args:
        game: the rules.
        seed: of the run.
        backend: any; NumPy always plays the game.
    """

    def __init__(self, game: Game, seed: int, backend: str) -> None:
        engine(backend)  # refuses an unknown backend
        self.rules, self.seed, self.known = game, seed, ExploredStates(game)
        self.counts = _Counts(0, {}, {})
        self._tally: tuple[_Counts, Tally] | None = None

    @property
    def unit(self) -> int:
        return CHUNK

    @property
    def games(self) -> int:
        return self.counts.games

    @property
    def tally(self) -> Tally:
        return self.counted()()

    def counted(self) -> Callable[[], Tally]:
        return partial(self._count, self.counts)

    def _count(self, now: _Counts) -> Tally:
        if self._tally is None or self._tally[0] is not now:
            self._tally = now, self._tally_of(now)
        return self._tally[1]

    def _tally_of(self, now: _Counts) -> MetTally:
        outcomes, tags = list(self.known.outcomes), list(self.known.tags)
        ended = {(rolls, outcomes[k]): n for (rolls, k), n in now.ended.items()}
        counted = {tags[k]: n for k, n in now.counted.items()}
        return met_tally(self.rules, ended, counted, [partial(dice_of, self.seed, now.games)])

    def task(self, seed: int, first: int, games: int, backend: str) -> MetTask:
        return MetTask(self.known, seed, first * CHUNK, games)

    def take(self, parts: list[MetPart]) -> int:
        counts = self.counts
        for part in parts:
            counts = counts.plus(part)
        self.counts = counts  # one assignment, so that Ctrl-C may come at any moment
        return sum(int(part.counted.sum()) for part in parts)

    @cached_property
    def game(self) -> str:
        """A hash of the ends of some games of another seed: an identity without a chain."""
        return f"discovered as met, {fingerprint(self.rules)}"

    def data(self) -> dict[str, Any]:
        """The counts and their keys."""
        outcomes, tags = list(self.known.outcomes), list(self.known.tags)
        ended, counted = self.counts.ended, self.counts.counted
        return {
            "games": self.games,
            "outcomes": {str(k): as_data(outcomes[k]) for k in sorted({k for _, k in ended})},
            "ended": [[*key, n] for key, n in sorted(ended.items())],
            "counted": [[[(name, str(n)) for name, n in tags[k]], m] for k, m in counted.items()],
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the counts of a checkpoint.

        Raises:
            TallyError: it is damaged.
        """
        outcomes, tags = self.known.outcomes, self.known.tags
        try:
            place = {
                int(k): outcomes.setdefault(_outcome(said), len(outcomes))
                for k, said in data["outcomes"].items()
            }
            ended = {(rolls, place[k]): n for rolls, k, n in data["ended"]}
            counted = {tags.setdefault(_counts(said), len(tags)): n for said, n in data["counted"]}
            games = data["games"]
        except (KeyError, TypeError, ValueError, AttributeError):
            raise TallyError("the tally is damaged: a count is missing") from None
        if not are_counts(games, *ended.values(), *counted.values(), *(t for t, _ in ended)):
            raise TallyError("the tally is damaged: a count is not a whole number")
        self.counts = counts = _Counts(games, ended, counted)
        rolls = sum(rolls * n for (rolls, _), n in ended.items())
        if counts.games != sum(ended.values()) or rolls != sum(counted.values()):
            raise TallyError("the tally is damaged: its counts do not add up")


def _outcome(said: list[Any]) -> Outcome:
    label, pays = said
    paid = ((_text(b), Pay(_text(e), *map(_amount, amounts))) for b, e, *amounts in pays)
    return Outcome(_text(label), tuple(paid))


def _counts(said: list[Any]) -> Counts:
    return tuple((_text(name), whole(_amount(n))) for name, n in said)


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(given)
    return given


def _amount(given: Any) -> Fraction:
    if not _AMOUNT(_text(given)):
        raise ValueError(given)
    return Fraction(given)


_AMOUNT = re.compile(r"-?\d+(/0*[1-9]\d*)?", re.ASCII).fullmatch
