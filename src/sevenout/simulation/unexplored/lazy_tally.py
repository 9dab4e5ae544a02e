"""The tally of games that are not explored.

The chain (the states met, the rolls of each edge) is not kept during play. If needed, the games are
played again from their seed.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sevenout.model import Chain
from sevenout.model.inspection import in_order, stakes_of
from sevenout.rolling.distribution import summed
from sevenout.rules import Game, Outcome
from sevenout.rules.outcome import Counts
from sevenout.simulation.tally import Tally, TallyError
from sevenout.simulation.unexplored.explored_states import TAG, ExploredStates, Met
from sevenout.simulation.unexplored.lazy_play import DiceInStep, play_met
from sevenout.simulation.unexplored.owndice import OwnDice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

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
