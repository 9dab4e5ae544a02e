"""The counts of games that are not explored: which are played by whom, and what came of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from hashlib import sha256
from typing import Any, NamedTuple

from sevenout.chain.explore import in_order
from sevenout.dice.distribution import summed
from sevenout.errors import SevenoutError
from sevenout.rules import Game, Outcome
from sevenout.rules.felt import whole
from sevenout.rules.outcome import Counts, Pay
from sevenout.simulate.engines import Stop, engine
from sevenout.simulate.known import Known
from sevenout.simulate.meeting import MetPart, play_met
from sevenout.simulate.mettally import CHUNK, Again, MetTally, nothing_met
from sevenout.simulate.tally import Tally, TallyError

PILOTS = 16
"""By so many games a checkpoint knows the rules again."""


@dataclass(frozen=True, eq=False)
class MetTask:
    """Some games of one that is not explored."""

    known: Known
    seed: int
    first: int
    games: int

    @property
    def blocks(self) -> int:
        return -(-self.games // CHUNK)

    def play(self, stop: Stop | None = None) -> list[MetPart] | None:
        """Play them, one chunk after another."""
        parts = []
        for done in range(0, self.games, CHUNK):
            games = min(CHUNK, self.games - done)
            part = play_met(self.known, self.seed, self.first + done, games, stop)
            if part is None:
                return None
            parts.append(part)
        return parts


class _Counts(NamedTuple):
    """The counts of some games, by the numbers of `Known`."""

    games: int
    ended: Mapping[tuple[int, int], int]
    counted: Mapping[int, int]

    def plus(self, part: MetPart) -> "_Counts":
        """And those of others."""
        moves = [(tag, n) for tag, n in enumerate(part.counted.tolist()) if n]
        ended = summed([*self.ended.items(), *part.ended.items()])
        return _Counts(self.games + part.games, ended, summed([*self.counted.items(), *moves]))


class MetBook:
    """The book of a game that is not explored.

    Args:
        game: the rules.
        seed: of the run.
        backend: NumPy plays the game, whatever the backend; but no GPU does.
    """

    def __init__(self, game: Game, seed: int, backend: str) -> None:
        engine(backend)  # refuses what there is not
        if backend == "cuda":
            raise SevenoutError(
                "the backend 'cuda' plays games that can be explored; this one is too large: take "
                "'llvm' or 'numpy'"
            )
        self.rules, self.seed, self.known = game, seed, Known(game)
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
        """The tally, in an order that does not depend on which thread came to what."""
        game, numbers = self.rules, self.known.outcomes
        reached = {k for _, k in now.ended}
        outcomes, listed = list(numbers), len(game.outcomes)
        outcomes = outcomes[:listed] + sorted(outcomes[listed:], key=repr)
        kept = in_order(game, {outcome: numbers[outcome] for outcome in outcomes}, reached)
        place = {number: k for k, (_, number) in enumerate(kept)}
        tags = list(self.known.tags)
        order = sorted(now.counted, key=lambda tag: (-len(tags[tag]), repr(tags[tag])))
        about = nothing_met(game, [outcome for outcome, _ in kept], [tags[tag] for tag in order])
        ends = {(rolls, place[k]): n for (rolls, k), n in sorted(now.ended.items())}
        number = {counts: tag for tag, counts in enumerate(about.tags)}
        advanced = {number[tags[tag]]: now.counted[tag] for tag in order}
        return MetTally(about, ends, advanced, partial(Again, game, self.seed, now.games))

    def task(self, seed: int, first: int, games: int, backend: str) -> MetTask:
        return MetTask(self.known, seed, first * CHUNK, games)

    def take(self, parts: list[MetPart]) -> int:
        counts = self.counts
        for part in parts:
            counts = counts.plus(part)
        self.counts = counts  # one assignment: Ctrl-C may come at any moment
        return sum(int(part.counted.sum()) for part in parts)

    @cached_property
    def game(self) -> str:
        """A hash of how some games of another seed end: of rules that have no chain."""
        known, told = Known(self.rules), sha256()
        part = play_met(known, 0, 0, PILOTS)
        assert part is not None
        outcomes, tags = list(known.outcomes), list(known.tags)
        for (rolls, k), n in part.ended.items():
            told.update(repr((rolls, _as_data(outcomes[k]), n)).encode())
        for tag, n in sorted((repr(tags[tag]), n) for tag, n in enumerate(part.counted.tolist())):
            told.update(f"{tag} {n}".encode())
        return f"discovered as met, {told.hexdigest()}"

    def data(self) -> dict[str, Any]:
        """The counts, and what they are of."""
        outcomes, tags = list(self.known.outcomes), list(self.known.tags)
        ended, counted = self.counts.ended, self.counts.counted
        return {
            "games": self.games,
            "outcomes": {str(k): _as_data(outcomes[k]) for k in sorted({k for _, k in ended})},
            "ended": [[*key, n] for key, n in sorted(ended.items())],
            "counted": [[[(name, str(n)) for name, n in tags[k]], m] for k, m in counted.items()],
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Have the counts of a checkpoint.

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
            self.counts = counts = _Counts(data["games"], ended, counted)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise TallyError("the tally is damaged: a count is missing") from None
        rolls = sum(rolls * n for (rolls, _), n in ended.items())
        if counts.games != sum(ended.values()) or rolls != sum(counted.values()):
            raise TallyError("the tally is damaged: its counts do not add up")


def _as_data(outcome: Outcome) -> list[Any]:
    """An outcome for JSON."""
    pays = [[bet, pay.event, *map(str, pay[1:])] for bet, pay in outcome.pays]
    return [outcome.label, pays]


def _outcome(said: list[Any]) -> Outcome:
    label, pays = said
    return Outcome(
        label, tuple((bet, Pay(event, *map(Fraction, amounts))) for bet, event, *amounts in pays)
    )


def _counts(said: list[Any]) -> Counts:
    return tuple((name, whole(Fraction(n))) for name, n in said)
