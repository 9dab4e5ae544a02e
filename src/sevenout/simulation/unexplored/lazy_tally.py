"""The run and the tally of games that are not explored, and their replay one by one.

A run plays chunks of games (`MetTask`), and adds up how they ended and what they counted
(`MetBook`). The chain (the states met, the rolls of each edge) is not kept during play: if it is
asked for, the games are played again from their seed (`Again`). The replay (`play_alone`) plays
them one by one through the rules, as a witness.
"""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from hashlib import sha256
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.model import Chain
from sevenout.model.inspection import in_order, stakes_of
from sevenout.rolling.distribution import summed
from sevenout.rules import Flat, Game, Outcome
from sevenout.rules.casino.felt import whole
from sevenout.rules.game import reach
from sevenout.rules.outcome import Counts, Pay, added
from sevenout.simulation.backends.engine_choice import Stop, engine
from sevenout.simulation.replay import Played, ReplayError, Rolled
from sevenout.simulation.tally import Tally, TallyError, are_counts
from sevenout.simulation.unexplored.lazy_sampler import (
    TAG,
    DiceInStep,
    ExploredStates,
    Met,
    MetPart,
    OwnDice,
    Weights,
    play_met,
    rolled,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


# --- the tally ------------------------------------------------------------------------------------


CHUNK = 1 << 12
"""Games played at a time, to share NumPy calls and fit a cache."""


PILOTS = 16
"""The number of games that identifies the rules."""


class Unmet:
    """The one state for all that were not met; it has no moves."""

    def __repr__(self) -> str:
        return "not met"


def fingerprint(game: Game) -> str:
    """A hash of the ends of some games of another seed: an identity without a chain."""
    known, told = ExploredStates(game), sha256()
    part = play_met(known, OwnDice(0, 0, PILOTS))
    assert part is not None
    outcomes, tags = list(known.outcomes), list(known.tags)
    for (rolls, k), n in part.ended.items():
        told.update(repr((rolls, as_data(outcomes[k]), n)).encode())
    for tag, n in sorted((repr(tags[tag]), n) for tag, n in enumerate(part.counted.tolist())):
        told.update(f"{tag} {n}".encode())
    return told.hexdigest()


def as_data(outcome: Outcome) -> list[Any]:
    """An outcome for JSON."""
    pays = [[bet, pay.event, *map(str, pay[1:])] for bet, pay in outcome.pays]
    return [outcome.label, pays]


def nothing_met(game: Game, outcomes: list[Outcome], tags: list[Counts]) -> Chain:
    """A chain without states, with its outcomes and counts."""
    return Chain(
        states=(Unmet(),),
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


Source = Callable[[ExploredStates], Iterable[DiceInStep]]
"""The dice of games to be played again, in chunks."""


def dice_of(seed: int, games: int, _: ExploredStates) -> Iterator[DiceInStep]:
    """The dice of the first games of a seed."""
    for first in range(0, games, CHUNK):
        yield OwnDice(seed, first, min(CHUNK, games - first))


class Again:
    """Games played again, with full counts.

    Attributes:
        known: the states and the moves.
        flow: the count of each move.
        ended: games by (state before the last roll, rolls, outcome).
    """

    def __init__(self, game: Game, sources: Iterable[Source]) -> None:
        import numpy as np

        self.known = ExploredStates(game, forgets=False)
        self.flow: Ints = np.zeros(0, dtype=np.int64)
        self.ended: dict[tuple[int, int, int], int] = {}
        for source in sources:
            for dice in source(self.known):
                self._rolls = 0
                play_met(self.known, dice, watch=self._see)

    def _see(self, met: Met, states: "Ints", edges: "Ints", moves: "Ints") -> None:
        import numpy as np

        self._rolls += 1
        if len(met.moves) > len(self.flow):
            self.flow = np.pad(self.flow, (0, len(met.moves) - len(self.flow)))
        np.add.at(self.flow, edges, 1)
        over = moves < 0
        for s, move in zip(states[over].tolist(), moves[over].tolist(), strict=True):
            cell = s, self._rolls, -1 - (move >> 32)
            self.ended[cell] = self.ended.get(cell, 0) + 1

    def chain(self, about: Chain) -> Chain:
        """The part of the chain that was met; rolls not made lead to `Unmet`.

        Args:
            about: has the outcomes and the tags in their order.
        """
        import numpy as np

        met, n = self.known.met, len(self.known.met.states)
        first = met.first[: n + 1].tolist()
        moves = met.moves[: first[-1]]
        place: dict[Any, int] = {outcome: k for k, outcome in enumerate(about.outcomes, n + 1)}
        ends = np.array([place.get(outcome, n) for outcome in self.known.outcomes] or [n])
        leads = moves >> 32
        targets = np.where(leads > 0, leads - 1, n)
        targets[leads < 0] = ends[-1 - leads[leads < 0]]
        place = {counts: tag for tag, counts in enumerate(about.tags)}
        tags = np.array([place[counts] for counts in self.known.tags])
        return Chain(
            states=(*met.states, Unmet()),
            outcomes=about.outcomes,
            rollables=tuple(self.known.rollables),
            rolled=array("i", [*met.which[:n].tolist(), 0]),
            first=array("q", [*first, first[-1]]),
            targets=array("i", targets.tolist()),
            tagged=array("i", tags[moves & TAG].tolist()),
            tags=about.tags,
            stakes=about.stakes,
            declared=about.declared,
        )


class MetTally(Tally):
    """The tally of unexplored games; `chain`, `flow` and `absorbed` play them again."""

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
        vars(self).update(
            rules=rules,
            about=about,
            ends=ends,
            games=sum(ends.values()),
            advanced=advanced,
            sources=tuple(sources),
        )

    @cached_property
    def played(self) -> Again:
        """The games, played again."""
        return Again(self.rules, self.sources)

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, MetTally):
            return super().__add__(other)
        one, two = fingerprint(self.rules), fingerprint(other.rules)
        if one != two:
            raise TallyError(
                f"a tally of the game {two[:12]} does not add to one of {one[:12]}; "
                "add tallies of the same game"
            )
        return self.plus(other)

    def plus(self, other: Tally) -> Tally:
        """The sum with a tally known to be of the same rules."""
        assert isinstance(other, MetTally)
        ended, counted = [], []
        for tally in (self, other):
            outcomes, tags = tally.about.outcomes, tally.about.tags
            ended += [((rolls, outcomes[k]), n) for (rolls, k), n in tally.ends.items()]
            counted += [(tags[tag], n) for tag, n in tally.advanced.items()]
        return met_tally(self.rules, summed(ended), summed(counted), self.sources + other.sources)

    @cached_property
    def chain(self) -> Chain:
        """The part of the chain that was met, in order of first visits.

        One more state, without moves, is the target of rolls not made.
        """
        return self.played.chain(self.about)

    @cached_property
    def flow(self) -> tuple[int, ...]:
        """For each edge of the chain, row after row, the number of rolls that took it."""
        chain, made, flow = self.chain, self.played.flow.tolist(), list[int]()
        for a, b in zip(chain.first, chain.first[1:], strict=False):
            moves = zip(chain.targets[a:b], chain.tagged[a:b], strict=True)
            flow += summed(zip(moves, made[a:b], strict=True)).values()
        return tuple(flow)

    @cached_property
    def absorbed(self) -> Mapping[tuple[int, int, int], int]:
        """The number of games by (state before the last roll, rolls, outcome)."""
        number = {outcome: k for k, outcome in enumerate(self.about.outcomes)}
        ends = [number.get(outcome, -1) for outcome in self.played.known.outcomes]
        return {(s, roll, ends[k]): n for (s, roll, k), n in self.played.ended.items()}

    def to_dict(self) -> dict[str, Any]:
        """Data for JSON, with the number of states met."""
        return super().to_dict() | {"met": self.chain.met}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MetTally):
            return NotImplemented
        one, two = self.about, other.about
        return (one.outcomes, one.counters, self.ends) == (
            two.outcomes,
            two.counters,
            other.ends,
        ) and self.counters == other.counters

    __hash__ = None


def met_tally(
    game: Game,
    ended: Mapping[tuple[int, Outcome], int],
    counted: Mapping[Counts, int],
    sources: Iterable[Source],
) -> MetTally:
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
    about = nothing_met(game, [outcome for outcome, _ in kept], order)
    place = {outcome: k for k, outcome in enumerate(about.outcomes)}
    ends = {(rolls, place[outcome]): n for (rolls, outcome), n in ended.items()}
    number = {counts: tag for tag, counts in enumerate(about.tags)}
    advanced = {number[counts]: counted[counts] for counts in order}
    return MetTally(game, about, dict(sorted(ends.items())), advanced, sources)


# --- tasks and counts of a run --------------------------------------------------------------------


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


# --- game by game ---------------------------------------------------------------------------------


def play_alone(game: Game, seed: int, block: int, games: int) -> Iterator[Played]:
    """The games of a block with their rolls, each with its own dice (`OwnDice`)."""
    flat = Flat(game)
    for i in range(games):
        state: Any = flat.start
        rolls, counts = list[Rolled](), Counts()
        while not isinstance(state, Outcome):
            law = flat.rolls(state).law
            place = rolled([*accumulate(law.weights)], seed, block, i, len(rolls))
            roll = tuple(law)[place]
            rolls.append(Rolled(state[0] if len(state) == 1 else state, roll))
            state, more = reach(flat, state, roll)
            counts = added(counts, more)
        yield Played(i, tuple(rolls), state, counts)


class _Shown:
    """Dice that repeat given rolls."""

    def __init__(self, played: Sequence[Played], known: ExploredStates) -> None:
        import numpy as np

        self.played, self.known = played, known
        self.games, self.rolls = np.arange(len(played)), 0
        self._place = list[dict[Any, int]]()

    def roll(self, laws: Sequence[Weights], which: "Ints | None") -> "Ints":
        """The roll of each game, as a place in its distribution."""
        import numpy as np

        for law in self.known.rolls[len(self._place) :]:
            self._place.append({roll: place for place, roll in enumerate(law)})
        number = [0] * len(self.games) if which is None else which.tolist()
        places = []
        for i, law_of in zip(self.games.tolist(), number, strict=True):
            one = self.played[i].rolls[self.rolls : self.rolls + 1]
            if not one or one[0].roll not in self._place[law_of]:
                raise ReplayError(f"game {self.played[i].number} can't be played by these rules")
            places.append(self._place[law_of][one[0].roll])
        self.rolls += 1
        return np.array(places, dtype=np.int64)

    def keep(self, some: Any) -> None:
        """Keep some of the games."""
        self.games = self.games[some]


def met_recount(game: Game, played: Sequence[Played]) -> Tally:
    """The tally of games played one by one.

    Raises:
        ReplayError: their ends disagree with the rules.
    """
    known = ExploredStates(game)
    part = play_met(known, _Shown(played, known))
    assert part is not None
    outcomes, tags = list(known.outcomes), list(known.tags)
    ended = {(rolls, outcomes[k]): n for (rolls, k), n in part.ended.items()}
    if ended != Counter((len(one.rolls), one.outcome) for one in played):
        raise ReplayError("some of the games end in a way that the rules don't allow")
    counted = {tags[k]: n for k, n in enumerate(part.counted.tolist()) if n}

    def again(known: ExploredStates) -> Iterator[DiceInStep]:
        for i in range(0, len(played), CHUNK):  # the states in a run's order
            yield _Shown(played[i : i + CHUNK], known)

    return met_tally(game, ended, counted, [again])
