"""A turn as arrays: its nodes from the endings back, for many score cards at once.

Each ending takes the best entry of a card. Each node is the weighted sum, the maximum or the
minimum of nodes that come before it in the arrays. Run forwards, the same arrays give the
probability of each ending under optimal play.

*Words.* A *slot* is an ending or a node of the turn. A *lane* is a score card with a total, on
which the turn is played. A *chunk* is the lanes that are processed side by side.

The loops are plain functions of arrays, which numba compiles as they stand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sevenout.errors import EndlessGameError, RulesError
from sevenout.extras import compiled
from sevenout.model import Model
from sevenout.rolling.distribution import sum_by_key
from sevenout.solving.goal import Goal
from sevenout.solving.turn_table import turn_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

MAX_CHUNK_WIDTH = 64
"""The most lanes of a chunk: enough for vector instructions, few enough for a cache."""


@dataclass(frozen=True, eq=False)
class TurnKernel:
    """The nodes of a turn, each after those that it leads to.

    Slots are the endings, then the nodes; the last is the start.

    Attributes:
        nodes: the states of the turn, in the order of their slots.
        endings: the number of endings.
        kinds: of each node: 0 a roll, 1 a maximum, -1 a minimum.
        first: of each node, the index of its first source; then the number of all sources.
        sources: the slots that a node leads to, which its value comes from.
        shares: of each source, its probability in a roll; 1 for an option.
        weights: of each source in a roll; 1 for an option; None if `sides` exceeds 64 bits.
        totals: the sum of each node's weights; 1 for a decision; or None.
        sides: the equally likely results from which every roll of the turn can be drawn.
        max_rolls: the most rolls of a turn.
        chance_roundings: the most roundings of a probability on its way to an ending.
        value_roundings: the most roundings of a value on its way from the endings to the start.
    """

    nodes: tuple[int, ...]
    endings: int
    kinds: "NDArray[np.int8]"
    first: "Integers"
    sources: "NDArray[np.int32]"
    shares: "Floats"
    weights: "Integers | None"
    totals: "Integers | None"
    sides: int
    max_rolls: int
    chance_roundings: int
    value_roundings: int

    @property
    def slots(self) -> int:
        """The number of endings and nodes."""
        return self.endings + len(self.kinds)

    def start_values(self, entries: "Entries") -> "Floats":
        """The value of the turn's start in each lane."""
        values = np.empty(entries.rows.shape[1])
        work = np.empty((1, self.slots, chunk_width(len(values))))
        compiled(backwards)(self._moves(), entries, work, values)
        return values

    def _moves(self, shares: "NDArray[Any] | None" = None) -> "Moves":
        shares = self.shares if shares is None else shares
        return Moves(self.kinds, self.first, self.sources, shares)

    def slot_values(self, entries: "Entries") -> "Floats":
        """The value of every slot: (chunks, slots, lanes of a chunk)."""
        lanes = entries.rows.shape[1]
        width = chunk_width(lanes)
        work = np.empty((lanes // width, self.slots, width))
        compiled(backwards)(self._moves(), entries, work, np.empty(lanes))
        return work

    def forward_pass(self, entries: "Entries", work: "Floats") -> "tuple[Floats, Integers]":
        """The probability of each slot, (slots, lanes), and the best entry of each ending,
        (endings, lanes).

        `work` is from `slot_values`.
        """
        mass = np.zeros(work.shape)
        taken = np.zeros((len(work), self.endings, work.shape[2]), np.int64)
        compiled(forwards)(self._moves(), entries, work, mass, taken)
        return by_slot(mass), by_slot(taken)

    def simulate(self, work: "Floats", lanes: "Integers", rolls: "Integers") -> "Integers":
        """The endings of simulated turns under optimal play.

        `work` is from `slot_values`. For each turn, `lanes` holds the lane that it is played in,
        and `rolls` a uniform number below `sides` for each roll.
        """
        # The caller refuses turns whose `sides` exceed 64 bits.
        assert self.weights is not None
        assert self.totals is not None
        reached = np.empty(len(lanes), np.int64)
        played = np.ascontiguousarray(lanes), rolls
        compiled(play_turns)(self._moves(self.weights), self.totals, work, played, reached)
        return reached

    def with_decisions(self, nodes: "Integers", slots: "Integers") -> "TurnKernel":
        """The same turn with decision `nodes` fixed to lead to `slots`."""
        sizes = np.diff(self.first)
        fixed = np.zeros(len(sizes), bool)
        fixed[nodes] = True
        remaining = ~np.repeat(fixed, sizes)
        remaining[self.first[nodes]] = True
        first = np.concatenate([[0], np.cumsum(np.where(fixed, 1, sizes))])
        sources = self.sources[remaining]
        sources[first[nodes]] = slots
        return replace(
            self,
            first=first,
            sources=sources,
            shares=self.shares[remaining],
            weights=None if self.weights is None else self.weights[remaining],
        )


class Entries(NamedTuple):
    """The k entries for the e endings of a turn.

    Attributes:
        classes: (k, e) the class of each ending in each entry; -1 if not allowed.
        pay_indices: (k, e) the index of what an entry pays at once.
        first: (k,) the first row of each entry.
        rows: (rows, lanes) for each class of each entry, the value that follows; the lanes fill
            whole chunks.
        pays: (pays,) the possible pays.
        sense: 1 to maximize, -1 to minimize.
    """

    classes: "NDArray[np.int16]"
    pay_indices: "NDArray[np.int32]"
    first: "Integers"
    rows: "Floats"
    pays: "Floats"
    sense: int


class Moves(NamedTuple):
    """The moves of a turn, as the loops take them; see `TurnKernel`.

    Attributes:
        kinds, first, sources: as there.
        shares: of each source; the weights where turns are rolled.
    """

    kinds: "NDArray[np.int8]"
    first: "Integers"
    sources: "NDArray[np.int32]"
    shares: "NDArray[Any]"


def kernel_of(turn: Model, goal: Goal) -> TurnKernel:
    """The turn's nodes, from the endings back.

    Raises:
        EndlessGameError: the turn can return to an earlier state.
        RulesError: the turn has counters or players of its own, or unreachable states.
    """
    n, k = len(turn.states), len(turn.outcomes)
    order = turn_order(turn)
    # A state that leads to itself is a component of one, like a state that doesn't.
    if len(order) < n or any(s in targets for s, targets, _ in order):
        raise EndlessGameError("the turn can return to an earlier state; make every turn end")
    nodes = [s for s, *_ in order]
    # Pays and counters belong to the entries of the card; the loops value endings alone.
    if len(turn.tags) > 1 or turn.players:
        raise RulesError("a turn can have no counters or players of its own")
    if nodes[-1] != 0:
        raise RulesError("the turn has states that its start can't reach")
    slot = slot_by_target(nodes, k)
    endings = range(n, n + k)
    value_roundings, rolls = dict.fromkeys(endings, 0), dict.fromkeys(endings, 0)
    kinds, first, sources = [], [0], []
    shares: list[float] = []
    weights: list[int] = []
    totals: list[int] = []
    for s, targets, roll_weights in order:
        kind, total, roundings = goal.sense, 1, 0
        weight_by_target = dict.fromkeys(targets, 1)
        if roll_weights:
            # Rolls that lead to one slot are one source: fewer products, and fewer roundings.
            weight_by_target = sum_by_key(zip(targets, roll_weights, strict=True))
            kind, total, roundings = 0, sum(roll_weights), len(weight_by_target) + 2
        value_roundings[s] = max(value_roundings[t] for t in weight_by_target) + roundings
        rolls[s] = max(rolls[t] for t in weight_by_target) + (kind == 0)
        kinds.append(kind)
        sources += [slot[target] for target in weight_by_target]
        shares += [weight / total for weight in weight_by_target.values()]
        weights += weight_by_target.values()
        first.append(len(sources))
        totals.append(total)
    sides = lcm(*totals)
    # Every roll is drawn as one number below `sides`, which must fit in a word.
    is_drawn = sides < 2**63
    return TurnKernel(
        nodes=tuple(nodes),
        endings=k,
        kinds=np.array(kinds, np.int8),
        first=np.array(first, np.int64),
        sources=np.array(sources, np.int32),
        shares=np.array(shares, np.float64),
        weights=np.array(weights, np.int64) if is_drawn else None,
        totals=np.array(totals, np.int64) if is_drawn else None,
        sides=sides,
        max_rolls=rolls[0],
        chance_roundings=_chance_roundings(first, sources, k),
        value_roundings=value_roundings[0],
    )


def slot_by_target(nodes: Sequence[int], endings: int) -> dict[int, int]:
    """The slot of each state of the turn and, by its target in the model, of each ending.

    >>> slot_by_target([1, 0], endings=2)
    {1: 2, 0: 3, 2: 0, 3: 1}
    """
    slots = {state: endings + node for node, state in enumerate(nodes)}
    return slots | {len(nodes) + ending: ending for ending in range(endings)}


def _chance_roundings(first: list[int], sources: list[int], endings: int) -> int:
    """The most roundings on a path from the start: products, rounded shares and sums."""
    arrivals = [0] * (endings + len(first) - 1)
    for slot in sources:
        arrivals[slot] += 1
    roundings = [0] * len(arrivals)
    # From the start back to front: all that arrives at a node comes from later ones.
    for node in range(len(first) - 2, -1, -1):
        own = endings + node
        for slot in sources[first[node] : first[node + 1]]:
            # The share was rounded, and so is its product; sums are counted with the arrivals.
            roundings[slot] = max(roundings[slot], roundings[own] + arrivals[own] + 2)
    return max(roundings[slot] + arrivals[slot] for slot in range(endings))


def chunk_width(lanes: int) -> int:
    """The number of lanes of a chunk; a few lanes are filled up to a multiple of 8.

    >>> chunk_width(1), chunk_width(9), chunk_width(65)
    (8, 16, 64)
    """
    return min(MAX_CHUNK_WIDTH, -(-lanes // 8) * 8)


def by_slot(work: "NDArray[Any]") -> "NDArray[Any]":
    """Reshape chunks to (slots, lanes)."""
    return work.transpose(1, 0, 2).reshape(work.shape[1], -1)


# The loops. Inner loops over lanes have no condition, so that they become vector instructions.


def backwards(turn: Any, entries_of_card: Any, work: Any, values: Any) -> None:
    """The value of each slot in `work`, (chunks, slots, lanes of a chunk); of the start, in
    `values`.
    """
    kinds, first, sources, shares = turn
    classes, pay_indices, first_rows, rows, pays, sense = entries_of_card
    entries, endings = classes.shape
    width = work.shape[2]
    for chunk in range(rows.shape[1] // width):
        # `start_values` needs only the start, so its chunks share one that stays in the cache.
        slots = work[chunk % work.shape[0]]
        first_lane = chunk * width
        for ending in range(endings):
            best = slots[ending]
            # Some entry takes every ending (`Cards` checks it), so no infinity remains.
            for lane in range(width):
                best[lane] = -sense * np.inf
            for entry in range(entries):
                if classes[entry, ending] < 0:
                    continue
                row, pay = (
                    first_rows[entry] + classes[entry, ending],
                    pays[pay_indices[entry, ending]],
                )
                gains = rows[row, first_lane : first_lane + width]
                if sense > 0:
                    for lane in range(width):
                        best[lane] = max(best[lane], gains[lane] + pay)
                else:
                    for lane in range(width):
                        best[lane] = min(best[lane], gains[lane] + pay)
        for node in range(len(kinds)):
            kind, value = kinds[node], slots[endings + node]
            for lane in range(width):
                value[lane] = 0.0 if kind == 0 else -kind * np.inf
            for move in range(first[node], first[node + 1]):
                source, share = slots[sources[move]], shares[move]
                if kind == 0:
                    for lane in range(width):
                        value[lane] += share * source[lane]
                elif kind > 0:
                    for lane in range(width):
                        value[lane] = max(value[lane], source[lane])
                else:
                    for lane in range(width):
                        value[lane] = min(value[lane], source[lane])
        values[first_lane : first_lane + width] = slots[len(slots) - 1]


def forwards(turn: Any, entries_of_card: Any, work: Any, mass: Any, taken: Any) -> None:
    """The probability of each slot in `mass`, and the entry that each ending takes in `taken`.

    The first best option takes the whole probability, and the first best entry the ending.
    """
    kinds, first, sources, shares = turn
    classes, pay_indices, first_rows, rows, pays, _ = entries_of_card
    entries, endings = classes.shape
    width = work.shape[2]
    unspent = np.zeros(width)
    for chunk in range(work.shape[0]):
        values, slots, first_lane = work[chunk], mass[chunk], chunk * width
        slots[len(slots) - 1, :] = 1.0
        # From the start on: each node has all its mass before it hands it on.
        for node in range(len(kinds) - 1, -1, -1):
            value, own = values[endings + node], slots[endings + node]
            unspent[:] = own
            for move in range(first[node], first[node + 1]):
                source, target, share = values[sources[move]], slots[sources[move]], shares[move]
                if kinds[node] == 0:
                    for lane in range(width):
                        target[lane] += share * own[lane]
                else:
                    for lane in range(width):
                        # The first option with the node's value; later ones find nothing left.
                        moved = unspent[lane] if source[lane] == value[lane] else 0.0
                        target[lane] += moved
                        unspent[lane] -= moved
        for ending in range(endings):
            best, value = taken[chunk, ending], values[ending]
            for entry in range(entries - 1, -1, -1):  # the first overwrites the later ones
                if classes[entry, ending] < 0:
                    continue
                row, pay = (
                    first_rows[entry] + classes[entry, ending],
                    pays[pay_indices[entry, ending]],
                )
                gains = rows[row, first_lane : first_lane + width]
                for lane in range(width):
                    best[lane] = entry if gains[lane] + pay == value[lane] else best[lane]


def play_turns(turn: Any, totals: Any, work: Any, played: Any, reached: Any) -> None:
    """Roll turns from the start, taking the first best option; write their endings in `reached`.

    `played` holds the lane of each turn, counted over all chunks, and its rolls.
    """
    kinds, first, sources, weights = turn
    turn_lanes, rolls = played
    endings, width = work.shape[1] - len(kinds), work.shape[2]
    for k in range(len(turn_lanes)):
        values, lane = work[turn_lanes[k] // width], turn_lanes[k] % width
        slot, roll = work.shape[1] - 1, 0
        while slot >= endings:
            node = slot - endings
            move = first[node]
            if kinds[node] == 0:
                # `sides` is a multiple of every total, so remainders are equally likely.
                drawn = rolls[k, roll] % totals[node]
                roll += 1
                while drawn >= weights[move]:
                    drawn -= weights[move]
                    move += 1
            else:
                # The value was copied from its best option, so one of them is equal.
                while values[sources[move], lane] != values[slot, lane]:
                    move += 1
            slot = sources[move]
        reached[k] = slot


def add_shares(moves: Any, width: Any, masses: Any, out: Any) -> None:
    """Add shares of distributions in `masses` to those in `out`, each of `width` numbers.

    `moves` are the shares, where each distribution begins in `masses`, and where in `out`.
    """
    shares, sources, targets = moves
    for move in range(len(shares)):
        share = shares[move]
        source = masses[sources[move] : sources[move] + width]
        target = out[targets[move] : targets[move] + width]
        for i in range(width):
            target[i] += share * source[i]
