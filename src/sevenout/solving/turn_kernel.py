"""A turn as arrays: its nodes from the endings back, for many score cards at once.

Yahtzee has a billion states, but its turn has some 1,600 nodes, the same for every score card
except for the values of its endings. Each ending takes the best entry; each node is the weighted
sum, the maximum or the minimum of earlier nodes. Run forwards, the same arrays give the probability
of each ending under optimal play.

The loops are plain functions of arrays, which numba compiles as they stand; they work on `LANES`
floats side by side.
"""

from dataclasses import dataclass, replace
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sevenout.errors import EndlessGameError, RulesError
from sevenout.extras import compiled
from sevenout.model import Model
from sevenout.model.graph import strongly_connected_components
from sevenout.solving.goal import Goal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

LANES = 64
"""The most cards processed side by side: enough for vector instructions, few enough for a cache."""


@dataclass(frozen=True, eq=False)
class TurnKernel:
    """The nodes of a turn, each after those that it leads to.

    Slots are the endings, then the nodes; the last is the start.

    Attributes:
        nodes: the states of the turn, in the order of their slots.
        endings: the number of endings.
        kinds: of each node: 0 a roll, 1 a maximum, -1 a minimum.
        first: of each node, the index of its first source; then the number of sources.
        sources: the slots that each node leads to.
        shares: of each source, its probability in a roll; 1 for an option.
        weights: of each source in a roll; 1 for an option; None if `sides` exceeds 64 bits.
        totals: the sum of each node's weights; 1 for a decision; or None.
        sides: the equally likely results from which every roll of the turn can be drawn.
        longest: the most rolls of a turn.
        merges: the most roundings of a probability on its way to an ending.
        operations: the most roundings of a value on its way from the endings to the start.
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
    longest: int
    merges: int
    operations: int

    @property
    def slots(self) -> int:
        """The number of endings and nodes."""
        return self.endings + len(self.kinds)

    def start_values(self, entries: "Entries") -> "Floats":
        """The value of the turn's start per card."""
        values = np.empty(entries.rows.shape[1])
        work = np.empty((1, self.slots, lanes_of(len(values))))
        compiled(backwards)(self._moves(), entries, work, values)
        return values

    def _moves(self, shares: "NDArray[Any] | None" = None) -> "Moves":
        shares = self.shares if shares is None else shares
        return Moves(self.kinds, self.first, self.sources, shares)

    def card_values(self, entries: "Entries") -> "Floats":
        """The value of every slot in floats: (chunks, slots, lanes), for chunks of cards."""
        cards = entries.rows.shape[1]
        lanes = lanes_of(cards)
        work = np.empty((cards // lanes, self.slots, lanes))
        compiled(backwards)(self._moves(), entries, work, np.empty(cards))
        return work

    def forward_pass(self, entries: "Entries", work: "Floats") -> "tuple[Floats, Integers]":
        """The probability of each slot, (slots, cards), and the best entry of each ending,
        (endings, cards).

        `work` is from `card_values`.
        """
        mass = np.zeros(work.shape)
        taken = np.zeros((len(work), self.endings, work.shape[2]), np.int64)
        compiled(forwards)(self._moves(), entries, work, mass, taken)
        return by_slot(mass), by_slot(taken)

    def simulate(self, work: "Floats", lanes: "Integers", rolls: "Integers") -> "Integers":
        """The endings of simulated turns under optimal play.

        `work` is from `card_values`, `lanes` gives each turn's card, and `rolls` holds uniform
        numbers below `sides` for each turn and roll.
        """
        assert self.weights is not None
        assert self.totals is not None
        reached = np.empty(len(lanes), np.int64)
        moves = self._moves(self.weights), self.totals
        compiled(play_turns)(*moves, work, (np.ascontiguousarray(lanes), rolls), reached)
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
        paid: (k, e) the index of the immediate pay.
        first: (k,) the first row of each entry.
        rows: (rows, cards) for each class of each entry, the value that follows; the cards are a
            multiple of `lanes_of` them.
        rewards: (pays,) the possible pays.
        sense: 1 to maximize, -1 to minimize.
    """

    classes: "NDArray[np.int16]"
    paid: "NDArray[np.int32]"
    first: "Integers"
    rows: "Floats"
    rewards: "Floats"
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
    first, targets = turn.first, turn.targets
    rows = [targets[first[s] : first[s + 1]] for s in range(n)]
    order = strongly_connected_components(rows)[::-1]
    # A state that leads to itself is a component of one, like a state that doesn't.
    repeats = any(s in row for s, row in enumerate(rows))
    if repeats or any(len(component) > 1 for component in order):
        raise EndlessGameError("the turn can return to an earlier state; make every turn end")
    # Pays and counters belong to the entries of the card; the loops value endings alone.
    if len(turn.tags) > 1 or turn.players:
        raise RulesError("a turn can have no counters or players of its own")
    nodes = [component[0] for component in order]
    if nodes[-1] != 0:
        raise RulesError("the turn has states that its start can't reach")
    slot = {s: k + i for i, s in enumerate(nodes)} | {n + i: i for i in range(k)}
    ends = range(n, n + k)
    operations, rolls = dict.fromkeys(ends, 0), dict.fromkeys(ends, 0)
    kinds, starts, sources = [], [0], []
    shares: list[float] = []
    counts: list[int] = []
    totals: list[int] = []
    for s in nodes:
        decides, merged = bool(turn.menus[s]), dict[int, int]()
        row = targets[first[s] : first[s + 1]]
        weights = (1,) * len(row) if decides else turn.rollables[turn.rollable_index[s]].law.weights
        # Rolls that lead to one slot are one source: fewer products, and fewer roundings.
        for target, weight in zip(row, weights, strict=True):
            merged[target] = 1 if decides else merged.get(target, 0) + weight
        total = 1 if decides else sum(weights)
        operations[s] = max(operations[t] for t in merged) + (0 if decides else len(merged) + 2)
        rolls[s] = max(rolls[t] for t in merged) + (not decides)
        kinds.append(goal.sense if decides else 0)
        sources += [slot[target] for target in merged]
        shares += [weight / total for weight in merged.values()]
        counts += merged.values()
        starts.append(len(sources))
        totals.append(total)
    sides = lcm(*totals)
    # Every roll is drawn as one number below `sides`, which must fit in a word.
    is_drawn = sides < 2**63
    return TurnKernel(
        nodes=tuple(nodes),
        endings=k,
        kinds=np.array(kinds, np.int8),
        first=np.array(starts, np.int64),
        sources=np.array(sources, np.int32),
        shares=np.array(shares, np.float64),
        weights=np.array(counts, np.int64) if is_drawn else None,
        totals=np.array(totals, np.int64) if is_drawn else None,
        sides=sides,
        longest=rolls[0],
        merges=_merges(starts, sources, k),
        operations=operations[0],
    )


def _merges(first: list[int], sources: list[int], endings: int) -> int:
    """The most roundings on a path from the start: products, rounded shares and sums."""
    arrivals = [0] * (endings + len(first) - 1)
    for slot in sources:
        arrivals[slot] += 1
    most = [0] * len(arrivals)
    for node in range(len(first) - 2, -1, -1):
        for slot in sources[first[node] : first[node + 1]]:
            before = most[endings + node] + arrivals[endings + node]
            # The share was rounded, and so is its product; sums are counted with the arrivals.
            most[slot] = max(most[slot], before + 2)
    return max(most[slot] + arrivals[slot] for slot in range(endings))


def lanes_of(cards: int) -> int:
    """The number of cards processed side by side; a few are filled up to a multiple of 8.

    >>> lanes_of(1), lanes_of(9), lanes_of(65)
    (8, 16, 64)
    """
    return min(LANES, -(-cards // 8) * 8)


def by_slot(work: "NDArray[Any]") -> "NDArray[Any]":
    """Reshape chunks of cards to (slots, cards)."""
    return work.transpose(1, 0, 2).reshape(work.shape[1], -1)


# The loops. Inner loops over lanes have no condition, so that they become vector instructions.


def backwards(turn: Any, card_entries: Any, work: Any, values: Any) -> None:
    """The value of each slot in floats, (chunks, slots, lanes); of the start in `values`."""
    kinds, first, sources, shares = turn
    classes, paid, starts, rows, rewards, sense = card_entries
    entries, endings = classes.shape
    lanes = work.shape[2]
    for chunk in range(rows.shape[1] // lanes):
        # Only the start is wanted of most cards: a single chunk, which stays in the cache.
        slots = work[chunk % work.shape[0]]
        card = chunk * lanes
        for ending in range(endings):
            best = slots[ending]
            # Some entry takes every ending (`Cards`), so no infinity is left.
            for lane in range(lanes):
                best[lane] = -sense * np.inf
            for entry in range(entries):
                if classes[entry, ending] < 0:
                    continue
                row, pay = starts[entry] + classes[entry, ending], rewards[paid[entry, ending]]
                gains = rows[row, card : card + lanes]
                if sense > 0:
                    for lane in range(lanes):
                        best[lane] = max(best[lane], gains[lane] + pay)
                else:
                    for lane in range(lanes):
                        best[lane] = min(best[lane], gains[lane] + pay)
        for node in range(len(kinds)):
            kind, value = kinds[node], slots[endings + node]
            for lane in range(lanes):
                value[lane] = 0.0 if kind == 0 else -kind * np.inf
            for move in range(first[node], first[node + 1]):
                source, share = slots[sources[move]], shares[move]
                if kind == 0:
                    for lane in range(lanes):
                        value[lane] += share * source[lane]
                elif kind > 0:
                    for lane in range(lanes):
                        value[lane] = max(value[lane], source[lane])
                else:
                    for lane in range(lanes):
                        value[lane] = min(value[lane], source[lane])
        values[card : card + lanes] = slots[len(slots) - 1]


def forwards(turn: Any, card_entries: Any, work: Any, mass: Any, taken: Any) -> None:
    """The probability of each slot from the start in `mass`, and the entry of each ending.

    The first best option, and the first best entry, takes all.
    """
    kinds, first, sources, shares = turn
    classes, paid, starts, rows, rewards, _ = card_entries
    entries, endings = classes.shape
    lanes = work.shape[2]
    left = np.zeros(lanes)
    for chunk in range(work.shape[0]):
        values, slots, card = work[chunk], mass[chunk], chunk * lanes
        slots[len(slots) - 1, :] = 1.0
        # From the start on: each node has all its mass before it hands it on.
        for node in range(len(kinds) - 1, -1, -1):
            value, own = values[endings + node], slots[endings + node]
            left[:] = own
            for move in range(first[node], first[node + 1]):
                source, target, share = values[sources[move]], slots[sources[move]], shares[move]
                if kinds[node] == 0:
                    for lane in range(lanes):
                        target[lane] += share * own[lane]
                else:
                    for lane in range(lanes):
                        # The first option with the node's value; later ones find nothing left.
                        moved = left[lane] if source[lane] == value[lane] else 0.0
                        target[lane] += moved
                        left[lane] -= moved
        for ending in range(endings):
            best, value = taken[chunk, ending], values[ending]
            for entry in range(entries - 1, -1, -1):  # the first overwrites the later ones
                if classes[entry, ending] < 0:
                    continue
                row, pay = starts[entry] + classes[entry, ending], rewards[paid[entry, ending]]
                gains = rows[row, card : card + lanes]
                for lane in range(lanes):
                    best[lane] = entry if gains[lane] + pay == value[lane] else best[lane]


def play_turns(turn: Any, totals: Any, work: Any, played: Any, reached: Any) -> None:
    """Turns rolled from the start, taking the first best option; `reached` are their endings.

    `played` holds each turn's card and its rolls.
    """
    kinds, first, sources, weights = turn
    cards, rolls = played
    endings, lanes = work.shape[1] - len(kinds), work.shape[2]
    for game in range(len(cards)):
        values, lane = work[cards[game] // lanes], cards[game] % lanes
        slot, roll = work.shape[1] - 1, 0
        while slot >= endings:
            node = slot - endings
            move = first[node]
            if kinds[node] == 0:
                # `sides` is a multiple of every total, so remainders are equally likely.
                left = rolls[game, roll] % totals[node]
                roll += 1
                while left >= weights[move]:
                    left -= weights[move]
                    move += 1
            else:
                # The value was copied from its best option, so one of them is equal.
                while values[sources[move], lane] != values[slot, lane]:
                    move += 1
            slot = sources[move]
        reached[game] = slot


def add_shares(moves: Any, width: Any, masses: Any, out: Any) -> None:
    """Add shares of distributions of `width` numbers; `moves` are (share, from, to)."""
    shares, sources, targets = moves
    for part in range(len(shares)):
        share = shares[part]
        source = masses[sources[part] : sources[part] + width]
        target = out[targets[part] : targets[part] + width]
        for i in range(width):
            target[i] += share * source[i]
