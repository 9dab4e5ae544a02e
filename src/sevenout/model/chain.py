"""A model in which no player decides: a finite absorbing Markov chain with integer weights.

What reads better than the arrays of the model (`moves`, `rows`, `weights`) is made when asked for.
"""

from array import array
from bisect import bisect
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from sevenout.dice import Rollable
from sevenout.dice.distribution import summed
from sevenout.errors import RulesError, shown
from sevenout.model.components import components
from sevenout.model.model import Model
from sevenout.model.naming import state_name
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts


class Move(NamedTuple):
    """Where a roll leads, and the counters that it advances.

    >>> Move(target=3, counts=(("won", 1),)).target
    3

    Attributes:
        target: the index of a state; or, from `len(chain.states)` on, of an outcome.
        counts: (counter, increment) pairs; the counter of rolls is understood.
    """

    target: int
    counts: Counts


class Edge(NamedTuple):
    """All the rolls in a state that act alike.

    >>> Edge(weight=6, target=0, counts=())
    Edge(weight=6, target=0, counts=())

    Attributes:
        weight: how many of the chain's `denominator` equally likely cases they are.
        target: as in `Move`.
        counts: as in `Move`.
    """

    weight: int
    target: int
    counts: Counts


class Chain(Model):
    """A finite absorbing Markov chain: a model in which no player decides.

    Of a chain too large to explore there may be a part alone; a state that was not reached then has
    no moves. Two chains are equal when their fingerprints are: the same up to the names and order
    of states.
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
        """The chain in which each state has these moves: (target, counters advanced)."""
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
        """For each state, a move for each outcome of the roll, in the order of its distribution."""
        made: dict[tuple[int, int], Move] = {}
        tags, first = self.tags, self.first
        every = [
            made.get(key) or made.setdefault(key, Move(key[0], tags[key[1]]))
            for key in zip(self.targets, self.tagged, strict=True)
        ]
        return tuple([tuple(every[a:b]) for a, b in pairwise(first)])

    @cached_property
    def denominator(self) -> int:
        """The common denominator: the weights out of each state add up to it."""
        return lcm(*(rollable.law.denominator for rollable in self.rollables))

    @cached_property
    def _weights(self) -> list[list[int]]:
        """For each rollable, the weight of each outcome over the common denominator."""
        return [
            [w * (self.denominator // rollable.law.denominator) for w in rollable.law.weights]
            for rollable in self.rollables
        ]

    @cached_property
    def weights(self) -> list[dict[int, int]]:
        """For each state, the weight that goes to each target."""
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
        """For each state its edges: rolls that act alike are merged."""
        rows = []
        tags = self.tags
        for rolled, (a, b) in zip(self.rolled, pairwise(self.first), strict=True):
            moves = zip(self.targets[a:b], self.tagged[a:b], strict=True)
            merged = summed(zip(moves, self._weights[rolled], strict=False))
            rows.append(tuple([Edge(w, target, tags[tag]) for (target, tag), w in merged.items()]))
        return tuple(rows)

    @property
    def edge_tags(self) -> Iterator[int]:
        """For each edge, row after row, the index of the counters that it advances."""
        for a, b in pairwise(self.first):
            moves = zip(self.targets[a:b], self.tagged[a:b], strict=True)
            yield from (tag for _, tag in dict.fromkeys(moves))

    @cached_property
    def met(self) -> int:
        """How many of the states have moves: all of them, unless the chain is a part."""
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
        """For each counter, what makes all that it counts whole: money is counted by fractions."""
        parts: dict[str, list[int]] = {name: [1] for name in self.counters}
        for counts in self.tags:
            for name, n in counts:
                parts[name].append(n.denominator)
        return {name: lcm(*denominators) for name, denominators in parts.items()}

    def started_at(self, state: Hashable) -> "Chain":
        """The same chain started elsewhere, without what can't be reached from there.

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
        for s in kept:  # grows as we go
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
        """The block of each state, numbered as they come; states of one block behave alike."""
        from sevenout.model.refine import lumping

        return lumping(self)

    @cached_property
    def fingerprint(self) -> str:
        """A content hash (64 hex digits) that depends on no name or order of the states."""
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
