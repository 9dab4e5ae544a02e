"""A compiled turn: its nodes from the endings back, for many score cards at once.

The loop is compiled for eight floats side by side, or for integers of given width. Each ending
takes the best entry; each node is the weighted sum, maximum or minimum of earlier nodes. Run
forwards, it gives the probability of each ending under optimal play.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.errors import EndlessGameError, RulesError
from sevenout.model import Model
from sevenout.model.graph import components
from sevenout.solving.goal import Goal
from sevenout.solving.turns.turn_kernel_code import AHEAD, LANES, ROLLED, SPREAD, TURN

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TurnKernel:
    """The nodes of a turn, each after those that it leads to.

    Slots are the endings, then the nodes; the last is the start.

    Attributes:
        kinds: of each node: 0 a roll, 1 a maximum, -1 a minimum.
        factors: of each source, as integers: its weight times the node's scale over the source's;
            None if one exceeds 64 bits.
        scales: of each slot; 1 for an ending.
        weights: of each source in a roll; 1 for an option; None if `sides` exceeds 64 bits.
        totals: the sum of each node's weights; 1 for a decision; or None.
        sides: the equally likely results from which every roll of the turn can be drawn.
        merges: the most roundings of a probability on its way to an ending.
    """

    nodes: tuple[int, ...]
    endings: int
    kinds: "NDArray[np.int8]"
    first: "NDArray[np.int64]"
    sources: "NDArray[np.int32]"
    shares: "NDArray[np.float64]"
    factors: "NDArray[np.int64] | None"
    scales: tuple[int, ...]
    weights: "NDArray[np.int64] | None"
    totals: "NDArray[np.int64] | None"
    sides: int
    longest: int
    merges: int
    operations: int

    def play(self, entries: "Entries", floats: bool) -> "NDArray[Any]":
        """The value of the turn's start per card: floats (cards,), or integers (cards, words)."""
        return self._backwards(entries, floats, keep=False)[0]

    def card_values(self, entries: "Entries") -> "NDArray[np.float64]":
        """The value of every slot in floats: (chunks, slots, lanes), for chunks of cards."""
        return self._backwards(entries, True, keep=True)[1]

    def _backwards(
        self, entries: "Entries", floats: bool, keep: bool
    ) -> "tuple[NDArray[Any], NDArray[Any]]":
        words = 1 if floats else entries.rows.shape[2]
        wide = LANES if floats else 1
        cards = entries.rows.shape[1]
        kind = np.float64 if floats else np.uint64
        out = np.empty((cards, words), kind)
        chunks = cards // wide if keep else 1
        work = np.empty((chunks, self.slots, wide * words), kind)
        scales = self.shares if floats else self.factors
        if scales is None:
            raise ValueError("factors beyond 64 bits")
        moves: list[NDArray[Any]] = [self.kinds, self.first, self.sources, scales]
        arrays = [*moves, *entries.arrays, work, out]
        stride = self.slots * wide if keep else 0
        _call(TURN, 0 if floats else 64 * words, arrays, *self._sizes(entries), stride)
        return out[:, 0] if floats else out, work

    def ahead(
        self, entries: "Entries", work: "NDArray[np.float64]"
    ) -> "tuple[NDArray[np.float64], NDArray[np.int64]]":
        """The probability of each slot, (slots, cards), and the best entry of each ending,
        (endings, cards).

        `work` is from `card_values`.
        """
        mass = np.zeros(work.shape)
        taken = np.empty((len(work), self.endings, LANES))
        moves: list[NDArray[Any]] = [self.kinds, self.first, self.sources, self.shares]
        _call(AHEAD, 0, [*moves, *entries.arrays, work, mass, taken], *self._sizes(entries))
        return by_slot(mass), by_slot(taken).astype(np.int64)

    def rolled(
        self, work: "NDArray[np.float64]", lanes: "NDArray[np.int64]", rolls: "NDArray[np.int64]"
    ) -> "NDArray[np.int64]":
        """The endings of simulated turns under optimal play.

        `work` is from `card_values`, `lanes` gives each turn's card, and `rolls` holds uniform
        numbers below `sides` for each turn and roll.
        """
        assert self.weights is not None
        assert self.totals is not None
        endings = np.empty(len(lanes), np.int64)
        arrays: list[NDArray[Any]] = [self.kinds, self.first, self.sources]
        arrays += [self.weights, self.totals]
        _call(
            ROLLED,
            0,
            [*arrays, work, np.ascontiguousarray(lanes), rolls, endings],
            *(self.endings, len(self.kinds), len(lanes), rolls.shape[1]),
        )
        return endings

    def followed(self, nodes: "NDArray[np.int64]", slots: "NDArray[np.int64]") -> "TurnKernel":
        """The same turn with decision `nodes` fixed to lead to `slots`."""
        sizes = np.diff(self.first)
        answered = np.zeros(len(sizes), bool)
        answered[nodes] = True
        kept = ~np.repeat(answered, sizes)
        kept[self.first[nodes]] = True
        first = np.concatenate([[0], np.cumsum(np.where(answered, 1, sizes))])
        sources, factors = self.sources[kept], self.factors
        sources[first[nodes]] = slots
        if factors is not None:
            pairs = zip((nodes + self.endings).tolist(), slots.tolist(), strict=True)
            led = [self.scales[s] // self.scales[t] for s, t in pairs]
            if max(led, default=0) >= 2**63:
                raise RulesError(
                    "the turn's weights are too large for words of 64 bits; use the certified "
                    "method"
                )
            factors = factors[kept]
            factors[first[nodes]] = led
        return replace(
            self,
            first=first,
            sources=sources,
            shares=self.shares[kept],
            factors=factors,
            weights=None if self.weights is None else self.weights[kept],
        )

    @property
    def scale(self) -> int:
        """The scale of the start."""
        return self.scales[-1]

    @property
    def slots(self) -> int:
        """The number of endings and nodes."""
        return self.endings + len(self.kinds)

    def _sizes(self, entries: "Entries") -> tuple[int, ...]:
        cards = entries.rows.shape[1]
        return self.endings, len(self.kinds), len(entries.first), cards, entries.sense


@dataclass(frozen=True, eq=False)
class Entries:
    """The k entries for the e endings of a turn.

    Attributes:
        classes: (k, e) the class of each ending in each entry; -1 if not allowed.
        paid: (k, e) the index of the immediate pay.
        first: (k,) the first row of each entry.
        rows: (rows, cards) or (rows, cards, words): for each class of each entry, the value that
            follows; floats have a multiple of `LANES` cards.
    """

    classes: "NDArray[np.int16]"
    paid: "NDArray[np.int32]"
    first: "NDArray[np.int64]"
    rows: "NDArray[Any]"
    rewards: "NDArray[Any]"
    sense: int

    @property
    def arrays(self) -> "list[NDArray[Any]]":
        """The arrays for compiled code."""
        return [self.classes, self.paid, self.first, self.rows, self.rewards]


def by_slot(work: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Reshape chunks of cards to (slots, cards)."""
    return work.transpose(1, 0, 2).reshape(work.shape[1], -1)


def _merges(first: list[int], sources: list[int], endings: int) -> int:
    """The most roundings on a path from the start: products, rounded shares and sums."""
    arrive = [0] * (endings + len(first) - 1)
    for slot in sources:
        arrive[slot] += 1
    most = [0] * len(arrive)
    for node in range(len(first) - 2, -1, -1):
        for slot in sources[first[node] : first[node + 1]]:
            before = most[endings + node] + arrive[endings + node]
            most[slot] = max(most[slot], before + 2)
    return max(most[slot] + arrive[slot] for slot in range(endings))


Moves = tuple["NDArray[np.float64]", "NDArray[np.int64]", "NDArray[np.int64]"]
"""Shares, and the offsets they move from and to."""


def spread(
    moves: Moves, width: int, masses: "NDArray[np.float64]", out: "NDArray[np.float64]"
) -> None:
    """Add shares of distributions, `width` numbers each, to others."""
    _call(SPREAD, 0, [*moves, masses, out], len(moves[0]), width)


def _call(name: str, bits: int, arrays: "list[NDArray[Any]]", *numbers: int) -> None:
    function, _ = _function(name, bits, len(arrays), len(numbers))
    function(*(array.ctypes.data for array in arrays), *numbers)


@lru_cache(maxsize=32)
def _function(
    name: str, bits: int, arrays: int, numbers: int
) -> tuple[Callable[..., None], object]:
    from sevenout.llvm import compiled
    from sevenout.solving.turns import turn_kernel_code

    module = turn_kernel_code.backwards(bits) if name == TURN else turn_kernel_code.MODULES[name]()
    return compiled(module, name, *[ctypes.c_void_p] * arrays, *[ctypes.c_int64] * numbers)


def kernel_of(turn: Model, goal: Goal) -> TurnKernel:
    """The turn's nodes, from the endings back."""
    n, k = len(turn.states), len(turn.outcomes)
    first, targets = turn.first, turn.targets
    order = components([targets[first[s] : first[s + 1]] for s in range(n)])[::-1]
    again = any(s in targets[first[s] : first[s + 1]] for s in range(n))
    if again or any(len(block) > 1 for block in order):
        raise EndlessGameError("the turn can return to an earlier state; make every turn end")
    if len(turn.tags) > 1 or turn.players:
        raise RulesError("a turn can have no counters or players of its own")
    nodes = [block[0] for block in order]
    slot = {s: k + i for i, s in enumerate(nodes)} | {n + i: i for i in range(k)}
    scales = dict.fromkeys(range(n, n + k), 1)
    operations = dict.fromkeys(range(n, n + k), 0)
    rolls = dict.fromkeys(range(n, n + k), 0)
    kinds, starts, sources, shares, factors = [], [0], [], [], []
    whole: list[int] = []
    counts: list[int] = []
    for s in nodes:
        row = targets[first[s] : first[s + 1]]
        weights = (1,) * len(row)
        merged: dict[int, int] = {}
        asked = bool(turn.menus[s])
        if not asked:
            weights = turn.rollables[turn.rolled[s]].law.weights
        for target, weight in zip(row, weights, strict=True):
            merged[target] = 1 if asked else merged.get(target, 0) + weight
        total = 1 if asked else sum(weights)
        scale = total * lcm(*(scales[t] for t in merged))
        scales[s] = scale
        operations[s] = max(operations[t] for t in merged) + (0 if asked else len(merged) + 2)
        kinds.append(goal.sense if asked else 0)
        for target, weight in merged.items():
            sources.append(slot[target])
            shares.append(weight / total)
            counts.append(weight)
            factors.append(weight * scale // (total * scales[target]))
        starts.append(len(sources))
        rolls[s] = max(rolls[t] for t in merged) + (not asked)
        whole.append(total)
    sides = lcm(*whole)
    if nodes[-1] != 0:
        raise RulesError("the turn has states that its start can't reach")
    return TurnKernel(
        nodes=tuple(nodes),
        endings=k,
        kinds=np.array(kinds, np.int8),
        first=np.array(starts, np.int64),
        sources=np.array(sources, np.int32),
        shares=np.array(shares, np.float64),
        factors=np.array(factors, np.int64) if max(factors) < 2**63 else None,
        scales=(*[1] * k, *(scales[s] for s in nodes)),
        weights=np.array(counts, np.int64) if sides < 2**63 else None,
        totals=np.array(whole, np.int64) if sides < 2**63 else None,
        sides=sides,
        longest=rolls[0],
        merges=_merges(starts, sources, k),
        operations=operations[0],
    )
