"""The run and the tally of games that are not explored.

A run plays chunks of games (`LazyTask`), and adds up how they ended and what they counted
(`LazyBook`). The chain (the states met, the rolls of each edge) is not kept during play: if it is
asked for, the games are played again from their seed (`SecondPlay`). `replay.play_alone` plays
them one by one through the rules, as a witness.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.model import Chain
from sevenout.model.inspection import in_order, stakes_of
from sevenout.rolling.distribution import summed
from sevenout.rules import Game, Outcome
from sevenout.rules.casino.felt import whole
from sevenout.rules.outcome import Counts, Pay
from sevenout.simulation.chain_tables import Stop
from sevenout.simulation.lazy_sampler import (
    TAG,
    DiceInStep,
    LazyChain,
    LazyCounts,
    OwnDice,
    StateTable,
    play_lazily,
)
from sevenout.simulation.tally import Tally, TallyError, are_counts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


# --- the tally ------------------------------------------------------------------------------------


CHUNK = 1 << 12
"""Games played at a time, to share NumPy calls and fit a cache."""
PILOTS = 16
"""The number of games that identifies the rules."""


class Unexplored:
    """The one state for all that were not met; it has no moves."""

    def __repr__(self) -> str:
        return "not met"


def fingerprint(game: Game) -> str:
    """A hash of the ends of some games of another seed: an identity without a chain."""
    lazy_chain, digest = LazyChain(game), sha256()
    part = play_lazily(lazy_chain, OwnDice(0, 0, PILOTS))
    assert part is not None
    outcomes, tags = list(lazy_chain.outcomes), list(lazy_chain.tags)
    for (rolls, k), n in part.ended.items():
        digest.update(repr((rolls, outcome_data(outcomes[k]), n)).encode())
    # sorted, since the numbers of the counts depend on the order in which they are met
    for tag, n in sorted((repr(tags[tag]), n) for tag, n in enumerate(part.counted.tolist())):
        digest.update(f"{tag} {n}".encode())
    return digest.hexdigest()


def outcome_data(outcome: Outcome) -> list[Any]:
    """An outcome for JSON."""
    pays = [[bet, pay.event, *map(str, pay[1:])] for bet, pay in outcome.pays]
    return [outcome.label, pays]


def chain_without_states(game: Game, outcomes: list[Outcome], tags: list[Counts]) -> Chain:
    """A chain without states, with its outcomes and counts."""
    return Chain(
        states=(Unexplored(),),
        outcomes=tuple(outcomes),
        rollables=(),
        rolled=array("i", [0]),
        first=array("q", [0, 0]),
        targets=array("i"),
        tagged=array("i"),
        tags=tuple(dict.fromkeys([(), *tags])),
        stakes=stakes_of(outcomes),
        declared=tuple(game.counters),
    )


Source = Callable[[LazyChain], Iterable[DiceInStep]]
"""The dice of games to be played again, in chunks."""


def dice_of(seed: int, games: int, _: LazyChain) -> Iterator[DiceInStep]:
    """The dice of the first games of a seed."""
    for first in range(0, games, CHUNK):
        yield OwnDice(seed, first, min(CHUNK, games - first))


class SecondPlay:
    """Games played again, with full counts.

    Attributes:
        lazy_chain: the states and the moves.
        flow: the count of each move.
        ended: games by (state before the last roll, rolls, outcome).
    """

    def __init__(self, game: Game, sources: Iterable[Source]) -> None:
        import numpy as np

        self.lazy_chain = LazyChain(game, forgets=False)
        self.flow: Ints = np.zeros(0, dtype=np.int64)
        self.ended: dict[tuple[int, int, int], int] = {}
        for source in sources:
            for dice in source(self.lazy_chain):
                self._rolls = 0
                play_lazily(self.lazy_chain, dice, watch=self._see)

    def _see(self, table: StateTable, states: "Ints", edges: "Ints", moves: "Ints") -> None:
        import numpy as np

        self._rolls += 1
        if len(table.moves) > len(self.flow):
            self.flow = np.pad(self.flow, (0, len(table.moves) - len(self.flow)))
        np.add.at(self.flow, edges, 1)
        over = moves < 0
        for s, move in zip(states[over].tolist(), moves[over].tolist(), strict=True):
            cell = s, self._rolls, -1 - (move >> 32)
            self.ended[cell] = self.ended.get(cell, 0) + 1

    def chain(self, about: Chain) -> Chain:
        """The part of the chain that was met; rolls not made lead to `Unexplored`.

        Args:
            about: has the outcomes and the tags in their order.
        """
        import numpy as np

        table, n = self.lazy_chain.table, len(self.lazy_chain.table.states)
        first = table.first[: n + 1].tolist()
        moves = table.moves[: first[-1]]
        # states come first, then `Unexplored` with number n, then the outcomes
        place: dict[Any, int] = {outcome: k for k, outcome in enumerate(about.outcomes, n + 1)}
        ends = np.array([place.get(outcome, n) for outcome in self.lazy_chain.outcomes] or [n])
        leads = moves >> 32
        targets = np.where(leads > 0, leads - 1, n)
        targets[leads < 0] = ends[-1 - leads[leads < 0]]
        place = {counts: tag for tag, counts in enumerate(about.tags)}
        tags = np.array([place[counts] for counts in self.lazy_chain.tags])
        return Chain(
            states=(*table.states, Unexplored()),
            outcomes=about.outcomes,
            rollables=tuple(self.lazy_chain.rollables),
            rolled=array("i", [*table.law_of[:n].tolist(), 0]),
            first=array("q", [*first, first[-1]]),
            targets=array("i", targets.tolist()),
            tagged=array("i", tags[moves & TAG].tolist()),
            tags=about.tags,
            stakes=about.stakes,
            declared=about.declared,
        )


class LazyTally(Tally):
    """The tally of unexplored games; `chain`, `flow` and `absorbed` play them again.

    Attributes:
        rules: of the games.
        sources: the dice of the games, to play them again.
    """

    rules: Game
    sources: tuple[Source, ...]

    def __init__(
        self,
        rules: Game,
        about: Chain,
        ends: Mapping[tuple[int, int], int],
        advanced: Mapping[int, int],
        sources: Iterable[Source],
    ) -> None:
        vars(self).update(  # the class is frozen, and some of these are properties of a `Tally`
            rules=rules,
            about=about,
            ends=ends,
            games=sum(ends.values()),
            advanced=advanced,
            sources=tuple(sources),
        )

    @cached_property
    def played(self) -> SecondPlay:
        """The games, played again."""
        return SecondPlay(self.rules, self.sources)

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, LazyTally):
            return super().__add__(other)
        # there is no chain whose hash could be compared
        ours, theirs = fingerprint(self.rules), fingerprint(other.rules)
        if ours != theirs:
            raise TallyError(
                f"a tally of the game {theirs[:12]} does not add to one of {ours[:12]}; "
                "add tallies of the same game"
            )
        return self.plus(other)

    def plus(self, other: Tally) -> Tally:
        """The sum with a tally known to be of the same rules."""
        assert isinstance(other, LazyTally)
        ended, counted = [], []
        for tally in (self, other):
            outcomes, tags = tally.about.outcomes, tally.about.tags
            ended += [((rolls, outcomes[k]), n) for (rolls, k), n in tally.ends.items()]
            counted += [(tags[tag], n) for tag, n in tally.advanced.items()]
        return lazy_tally_of(
            self.rules, summed(ended), summed(counted), self.sources + other.sources
        )

    @cached_property
    def chain(self) -> Chain:
        """The part of the chain that was met, in order of first visits.

        One more state, without moves, is the target of rolls not made.
        """
        return self.played.chain(self.about)

    @cached_property
    def flow(self) -> tuple[int, ...]:
        """For each edge of the chain, row after row, the number of rolls that took it."""
        chain, rolls, flow = self.chain, self.played.flow.tolist(), list[int]()
        for a, b in zip(chain.first, chain.first[1:], strict=False):
            moves = zip(chain.targets[a:b], chain.tagged[a:b], strict=True)
            flow += summed(zip(moves, rolls[a:b], strict=True)).values()
        return tuple(flow)

    @cached_property
    def absorbed(self) -> Mapping[tuple[int, int, int], int]:
        """The number of games by (state before the last roll, rolls, outcome)."""
        number = {outcome: k for k, outcome in enumerate(self.about.outcomes)}
        ends = [number.get(outcome, -1) for outcome in self.played.lazy_chain.outcomes]
        return {(s, roll, ends[k]): n for (s, roll, k), n in self.played.ended.items()}

    def to_dict(self) -> dict[str, Any]:
        """Data for JSON, with the number of states met."""
        return super().to_dict() | {"met": self.chain.met}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazyTally):
            return NotImplemented
        ours = self.about.outcomes, self.about.counters, self.ends, self.counters
        return ours == (other.about.outcomes, other.about.counters, other.ends, other.counters)

    __hash__ = None


def lazy_tally_of(
    game: Game,
    ended: Mapping[tuple[int, Outcome], int],
    counted: Mapping[Counts, int],
    sources: Iterable[Source],
) -> LazyTally:
    """The tally of games, in an order independent of threads.

    Args:
        game: the rules.
        ended: games by (rolls, outcome).
        counted: moves by their counts.
        sources: the dice to play the games again.
    """
    reached, listed = {outcome for _, outcome in ended}, dict.fromkeys(game.outcomes)
    numbers = {o: k for k, o in enumerate([*listed, *sorted(reached - set(listed), key=repr)])}
    kept = in_order(game, numbers, {numbers[outcome] for outcome in reached})
    order = sorted(counted, key=lambda counts: (-len(counts), repr(counts)))
    about = chain_without_states(game, [outcome for outcome, _ in kept], order)
    place = {outcome: k for k, outcome in enumerate(about.outcomes)}
    ends = {(rolls, place[outcome]): n for (rolls, outcome), n in ended.items()}
    number = {counts: tag for tag, counts in enumerate(about.tags)}
    advanced = {number[counts]: counted[counts] for counts in order}
    return LazyTally(game, about, dict(sorted(ends.items())), advanced, sources)


# --- tasks and counts of a run --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LazyTask:
    """Some games of an unexplored game.

    Attributes:
        lazy_chain: what was met of it, shared by all tasks.
        seed: of the run.
        first, games: the number of the first game, and how many are played.
    """

    lazy_chain: LazyChain
    seed: int
    first: int
    games: int

    @property
    def blocks(self) -> int:
        return -(-self.games // CHUNK)

    def play(self, stop: Stop | None = None) -> list[LazyCounts] | None:
        """Play them, chunk by chunk."""
        parts = []
        for begin in range(0, self.games, CHUNK):
            games = min(CHUNK, self.games - begin)
            part = play_lazily(self.lazy_chain, OwnDice(self.seed, self.first + begin, games), stop)
            if part is None:
                return None
            parts.append(part)
        return parts


class _Counts(NamedTuple):
    """The counts of all games so far, by the numbers of a `LazyChain`.

    Attributes:
        games: their number.
        ended: games by (rolls, outcome).
        counted: moves by their counts.
    """

    games: int
    ended: Mapping[tuple[int, int], int]
    counted: Mapping[int, int]

    def plus(self, part: LazyCounts) -> "_Counts":
        """The sum with the counts of other games."""
        moves = [(tag, n) for tag, n in enumerate(part.counted.tolist()) if n]
        ended = summed([*self.ended.items(), *part.ended.items()])
        return _Counts(self.games + part.games, ended, summed([*self.counted.items(), *moves]))


class LazyBook:
    """The counts of a run of an unexplored game; see `run.CountBook`.

    Attributes:
        rules: of the game.
        seed: of the run.
        lazy_chain: what was met of the game.
        counts: of the finished games.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.rules, self.seed, self.lazy_chain = game, seed, LazyChain(game)
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

    def _tally_of(self, now: _Counts) -> LazyTally:
        outcomes, tags = list(self.lazy_chain.outcomes), list(self.lazy_chain.tags)
        ended = {(rolls, outcomes[k]): n for (rolls, k), n in now.ended.items()}
        counted = {tags[k]: n for k, n in now.counted.items()}
        return lazy_tally_of(self.rules, ended, counted, [partial(dice_of, self.seed, now.games)])

    def task(self, seed: int, first: int, games: int, backend: str) -> LazyTask:
        # any backend: NumPy always plays such a game
        return LazyTask(self.lazy_chain, seed, first * CHUNK, games)

    def take(self, parts: list[LazyCounts]) -> int:
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
        outcomes, tags = list(self.lazy_chain.outcomes), list(self.lazy_chain.tags)
        ended, counted = self.counts.ended, self.counts.counted
        return {
            "games": self.games,
            "outcomes": {str(k): outcome_data(outcomes[k]) for k in sorted({k for _, k in ended})},
            "ended": [[*key, n] for key, n in sorted(ended.items())],
            "counted": [[[(name, str(n)) for name, n in tags[k]], m] for k, m in counted.items()],
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the counts of a checkpoint.

        Raises:
            TallyError: it is damaged.
        """
        outcomes, tags = self.lazy_chain.outcomes, self.lazy_chain.tags
        try:
            place = {
                int(k): outcomes.setdefault(_outcome(content), len(outcomes))
                for k, content in data["outcomes"].items()
            }
            ended = {(rolls, place[k]): n for rolls, k, n in data["ended"]}
            counted = {
                tags.setdefault(_counts(pairs), len(tags)): n for pairs, n in data["counted"]
            }
            games = data["games"]
        except (KeyError, TypeError, ValueError, AttributeError):
            raise TallyError("the tally is damaged: a count is missing") from None
        if not are_counts(games, *ended.values(), *counted.values(), *(t for t, _ in ended)):
            raise TallyError("the tally is damaged: a count is not a whole number")
        self.counts = counts = _Counts(games, ended, counted)
        rolls = sum(rolls * n for (rolls, _), n in ended.items())
        if counts.games != sum(ended.values()) or rolls != sum(counted.values()):
            raise TallyError("the tally is damaged: its counts do not add up")


def _outcome(content: list[Any]) -> Outcome:
    label, pays = content
    paid = ((_text(b), Pay(_text(e), *map(_amount, amounts))) for b, e, *amounts in pays)
    return Outcome(_text(label), tuple(paid))


def _counts(pairs: list[Any]) -> Counts:
    return tuple((_text(name), whole(_amount(n))) for name, n in pairs)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _amount(value: Any) -> Fraction:
    if not _AMOUNT(_text(value)):
        raise ValueError(value)
    return Fraction(value)


# stricter than Fraction, which reads "1e999999999" and takes for ever
_AMOUNT = re.compile(r"-?\d+(/0*[1-9]\d*)?", re.ASCII).fullmatch
