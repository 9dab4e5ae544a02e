"""A model without decisions: a finite absorbing Markov chain with integer weights."""

from array import array
from bisect import bisect
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.model.components import components
from sevenout.model.model import Model
from sevenout.model.naming import state_name
from sevenout.rolling import Rollable
from sevenout.rolling.distribution import summed
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts


class Move(NamedTuple):
    """The target of a roll, and the counters that it advances.

    >>> Move(target=3, counts=(("won", 1),)).target
    3

    Attributes:
        target: the index of a state; or, from `len(chain.states)` on, of an outcome.
        counts: (counter, increment) pairs; the counter of rolls is implied.
    """

    target: int
    counts: Counts


class Edge(NamedTuple):
    """All rolls in a state with the same move.

    >>> Edge(weight=6, target=0, counts=())
    Edge(weight=6, target=0, counts=())

    Attributes:
        weight: their number, out of the chain's `denominator` equally likely cases.
        target: as in `Move`.
        counts: as in `Move`.
    """

    weight: int
    target: int
    counts: Counts


class Chain(Model):
    """A finite absorbing Markov chain: a model without decisions.

    A chain too large to explore may be partial; unexplored states have no moves. Chains with equal
    fingerprints are equal: the names and order of states don't matter.
    """

    @classmethod
    def of_moves(
        cls,
        *,
        states: Iterable[Hashable],
        outcomes: Iterable[Outcome],
        rollables: Iterable[Rollable],
        rolled: Iterable[int],
        moves: Iterable[Iterable[tuple[int, Counts]]],
        stakes: Mapping[str, Fraction],
        declared: tuple[str, ...] = (),
    ) -> "Chain":
        """The chain whose states have these moves: (target, counters advanced)."""
        first, targets, tagged = array("q", [0]), array("i"), array("i")
        tags: dict[Counts, int] = {(): 0}
        for row in moves:
            for target, counts in row:
                targets.append(target)
                tagged.append(tags.setdefault(counts, len(tags)))
            first.append(len(targets))
        return cls(
            states=tuple(states),
            outcomes=tuple(outcomes),
            rollables=tuple(rollables),
            rolled=array("i", rolled),
            first=first,
            targets=targets,
            tagged=tagged,
            tags=tuple(tags),
            stakes=stakes,
            declared=declared,
        )

    @cached_property
    def moves(self) -> tuple[tuple[Move, ...], ...]:
        """The moves of each state, one per outcome of the roll, in its distribution's order."""
        made: dict[tuple[int, int], Move] = {}
        tags, first = self.tags, self.first
        every = [
            made.get(key) or made.setdefault(key, Move(key[0], tags[key[1]]))
            for key in zip(self.targets, self.tagged, strict=True)
        ]
        return tuple([tuple(every[a:b]) for a, b in pairwise(first)])

    @cached_property
    def denominator(self) -> int:
        """The common denominator: the sum of the weights out of each state."""
        return lcm(*(rollable.law.denominator for rollable in self.rollables))

    @cached_property
    def _weights(self) -> list[list[int]]:
        """The weight of each outcome of each rollable, over the common denominator."""
        return [
            [w * (self.denominator // rollable.law.denominator) for w in rollable.law.weights]
            for rollable in self.rollables
        ]

    @cached_property
    def weights(self) -> list[dict[int, int]]:
        """The weight to each target, for each state."""
        return [
            summed(zip(self.targets[a:b], self._weights[rolled], strict=False))
            for rolled, (a, b) in zip(self.rolled, pairwise(self.first), strict=True)
        ]

    @cached_property
    def blocks(self) -> list[list[int]]:
        """The strongly connected components of the states, in topological order."""
        return components(self.weights)

    @cached_property
    def rows(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges of each state; rolls with the same move are merged."""
        rows = []
        tags = self.tags
        for rolled, (a, b) in zip(self.rolled, pairwise(self.first), strict=True):
            moves = zip(self.targets[a:b], self.tagged[a:b], strict=True)
            merged = summed(zip(moves, self._weights[rolled], strict=False))
            rows.append(tuple([Edge(w, target, tags[tag]) for (target, tag), w in merged.items()]))
        return tuple(rows)

    @property
    def edge_tags(self) -> Iterator[int]:
        """For each edge, row by row, the index of its counters."""
        for a, b in pairwise(self.first):
            moves = zip(self.targets[a:b], self.tagged[a:b], strict=True)
            yield from (tag for _, tag in dict.fromkeys(moves))

    @cached_property
    def met(self) -> int:
        """The number of states with moves; fewer than all if the chain is partial."""
        return sum(a < b for a, b in pairwise(self.first))

    @cached_property
    def exits(self) -> list[tuple[int, int]]:
        """The edges that settle the game, in order: the state and the outcome of each."""
        n, targets, tagged = len(self.states), self.targets, self.tagged
        moves = [i for i, target in enumerate(targets) if target >= n]
        exits = ((bisect(self.first, i) - 1, targets[i], tagged[i]) for i in moves)
        return [(s, target - n) for s, target, _ in dict.fromkeys(exits)]

    @cached_property
    def units(self) -> dict[str, int]:
        """For each counter, the factor that makes all its increments whole."""
        parts: dict[str, list[int]] = {name: [1] for name in self.counters}
        for counts in self.tags:
            for name, n in counts:
                parts[name].append(n.denominator)
        return {name: lcm(*denominators) for name, denominators in parts.items()}

    def started_at(self, state: Hashable) -> "Chain":
        """The chain with another start, without unreachable states.

        >>> from sevenout.model import explore
        >>> from sevenout.rules import PointGame
        >>> craps = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
        >>> craps.started_at(4)
        <Chain of 1 states and 2 outcomes>

        Raises:
            RulesError: the chain has no such state; the message names some that it has.
        """
        if state not in self.states:
            known = ", ".join(shown(s, 30) for s in self.states[:8])
            more = ", ..." if len(self.states) > 8 else ""
            raise RulesError(
                f"the game is never in state {shown(state)}; its states: {known}{more}"
            )
        n = len(self.states)
        kept = [self.states.index(state)]
        place = {kept[0]: 0}
        for s in kept:  # grows during the loop
            for target in self.weights[s]:
                if target < n and target not in place:
                    place[target] = len(kept)
                    kept.append(target)
        ends = sorted({target for s in kept for target in self.weights[s] if target >= n})
        place |= {target: i for i, target in enumerate(ends, len(kept))}
        rolled = dict.fromkeys(self.rolled[s] for s in kept)
        number = {which: i for i, which in enumerate(rolled)}
        return Chain.of_moves(
            states=[self.states[s] for s in kept],
            outcomes=[self.outcomes[target - n] for target in ends],
            rollables=[self.rollables[which] for which in rolled],
            rolled=[number[self.rolled[s]] for s in kept],
            moves=[[(place[to], counts) for to, counts in self.moves[s]] for s in kept],
            stakes=self.stakes,
            declared=self.declared,
        )

    def name(self, target: int) -> str:
        """A state or an outcome in words."""
        n = len(self.states)
        if target >= n:
            return self.outcomes[target - n].label
        return state_name(self.states[target])

    @cached_property
    def lumping(self) -> list[int]:
        """The block of each state, numbered in order of occurrence; see `sevenout.model.refine`."""
        from sevenout.model.refine import lumping

        return lumping(self)

    @cached_property
    def fingerprint(self) -> str:
        """A content hash of 64 hex digits, independent of the names and order of states."""
        from sevenout.model.refine import fingerprint

        return fingerprint(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chain):
            return NotImplemented
        return self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"<Chain of {len(self.states)} states and {len(self.outcomes)} outcomes>"
