"""The portable engine, in NumPy: blocks of games as counts of games in each state.

It follows the steps of `random_bits` (parties, then lone games) with arrays over all states at
once. Importing this module loads NumPy.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenout.simulation.chain_tables import JUMP_BITS, BlockCounts, ChainTables, Stop, join
from sevenout.simulation.random_bits import (
    COHORT,
    FEW,
    M0,
    M1,
    ROUNDS,
    W0,
    W1,
    WORD,
    blocks,
    key_of,
)

Counts = NDArray[np.int64]
Bits = NDArray[np.uint64]


def philox(c0: Any, c1: Any, c2: Any, c3: Any, seed: int) -> tuple[Bits, Bits]:
    """The words (x₁, x₀) and (x₃, x₂) of many counters (c₀, c₁, c₂, c₃), each pair in 64 bits.

    A scalar word is the same in all counters.

    >>> import numpy as np
    >>> low, high = philox(np.array([0]), 0, 0, 0, seed=0)
    >>> f"{int(low[0]):016x} {int(high[0]):016x}"
    '6627e8d5e169c58d bc57ac4c9b00dbd8'
    """
    u = np.uint64
    half, low = u(32), u(WORD)
    multipliers, steps = np.array([[M0], [M1]], dtype=u), np.array([[W0], [W1]], dtype=u)
    key = np.array(key_of(seed), dtype=u).reshape(2, 1)
    counter = np.broadcast_arrays(c0, c1, c2, c3)
    even, odd = (np.stack(part).astype(u) for part in (counter[::2], counter[1::2]))
    for _ in range(ROUNDS):
        even *= multipliers
        odd ^= (even >> half)[::-1]
        odd ^= key
        even &= low
        even, odd = odd, even[::-1]
        key = (key + steps) & low
    words: Bits = odd | even << half
    return words[0], words[1]


def apart(low: Bits, high: Bits) -> Counts:
    """The words x₀, x₁, x₂, x₃ of such pairs, a row each."""
    half, word = np.uint64(32), np.uint64(WORD)
    return np.stack([low >> half, low & word, high >> half, high & word]).astype(np.int64)


def heads(games: Counts, draws: Counts, block: int, seed: int) -> Counts:
    """The number of 1s among the bits of each; neighbours with the same draw share it in order.

    >>> import numpy as np
    >>> heads(np.array([8, 1, 3]), np.array([0, 0, 1]), block=0, seed=0).tolist()
    [4, 1, 1]
    """
    opens = np.flatnonzero(np.concatenate([[True], draws[1:] != draws[:-1]]))
    ends = np.cumsum(games)
    starts = ends - games
    calls = -(-np.add.reduceat(games, opens) // 128)
    last = np.cumsum(calls)
    call = np.arange(last[-1]) - np.repeat(last - calls, calls)  # from 0 in each draw
    words = np.zeros((last[-1], 2), dtype=np.uint64)
    draw = np.repeat(draws[opens], calls)
    words.T[:] = philox(call, draw & WORD, block, draw >> 32, seed)
    bits = np.append(words.ravel(), np.uint64(0))  # one more word, for a place past the last
    before = np.cumsum(np.bitwise_count(bits), dtype=np.int64) - np.bitwise_count(bits)
    many = np.diff(np.append(opens, len(draws)))
    shift = np.repeat(128 * (last - calls) - starts[opens], many)

    def ones(place: Any) -> Any:
        """The number of 1s before a place."""
        word = place >> 6
        return before[word] + np.bitwise_count(bits[word] & _first(place & 63))

    counted: Counts = ones(ends + shift) - ones(starts + shift)
    return counted


def _first(n: Counts) -> Bits:
    """A mask of the first n bits: none for n < 1, all for n > 63."""
    shift = (64 - np.minimum(np.maximum(n, 1), 64)).astype(np.uint64)
    return np.where(n > 0, np.uint64(0xFFFFFFFFFFFFFFFF) >> shift, np.uint64(0))


def words_at(j: Any, draw: int, block: int, seed: int) -> Any:
    """Word j of a draw, for many j.

    >>> import numpy as np
    >>> [f"{word:08x}" for word in words_at(np.arange(2), 0, block=0, seed=0).tolist()]
    ['e169c58d', '6627e8d5']
    """
    calls, call_of_word = np.unique(j >> 2, return_inverse=True)
    four = apart(*philox(calls, draw & WORD, block, draw >> 32, seed))
    return four[j & 3 ^ 1, call_of_word]  # the order is x1, x0, x3, x2


def play(
    plan: ChainTables, seed: int, first: int, games: int, stop: Stop | None = None
) -> BlockCounts | None:
    """Play games from the beginning of a block.

    Args:
        plan: the chain.
        seed: of the run.
        first: the number of the first block.
        games: their number; all blocks but the last are whole.
        stop: called before each roll; True gives up.

    Returns:
        The counts, or None if given up.
    """
    parts = []
    for block, its_games in blocks(first, games):
        table = OpenGames(plan, seed, block, its_games)
        while table.current.any():
            if stop is not None and stop():
                return None
            table.roll_all()
        keys, counts = (np.concatenate(column) for column in zip(*table.records, strict=True))
        parts.append(BlockCounts(its_games, table.flow, keys, counts))
    return join(parts)


class OpenGames:
    """The unfinished games of a block.

    `roll_all` rolls once for every game: `together` for the states that toss with their parties,
    as long as there are any, then `alone` for the other games.

    Attributes:
        seed, block: of the run, and the number of the block.
        roll, draw: the rolls made, and the draws used.
        plan: the tables of the chain.
        current: (states,) the games in each state that did not roll yet.
        next: (states + exits,) the games at each target after the roll.
        flow: (edges,) the rolls that took each edge.
        records: of each roll, the keys and counts of the games that ended; see `BlockCounts`.
        line: the states in the order of their parties.
        forests: the trees of sets of busy states, which mostly recur from roll to roll.
    """

    def __init__(self, plan: ChainTables, seed: int, block: int, games: int) -> None:
        self.seed, self.block = seed, block
        self.roll, self.draw = 0, 0
        self.plan = plan
        self.current = np.zeros(plan.states, dtype=np.int64)
        self.current[0] = games
        self.next = np.zeros(plan.states + plan.exits, dtype=np.int64)
        self.flow = np.zeros(plan.edges, dtype=np.int64)
        self.records: list[tuple[Counts, Counts]] = []
        self.line = plan.members[plan.members >= 0].astype(np.int64)
        self.forests: dict[bytes, _Forest] = {}

    def roll_all(self) -> None:
        """Roll once for every game."""
        self.roll += 1
        while len(busy := self.busy()):
            self.together(busy)
        if self.current.any():
            self.alone()
        states = self.plan.states
        ended = np.flatnonzero(self.next[states:])
        self.records.append((self.roll * self.plan.exits + ended, self.next[states + ended]))
        self.current[:] = self.next[:states]
        self.next[:] = 0

    def busy(self) -> Counts:
        """The states that toss with their parties, in line."""
        states = self.line[self.current[self.line] >= FEW]
        party = self.plan.party[states]
        games = np.bincount(party, self.current[states], self.plan.parties)
        busy: Counts = states[games[party] >= COHORT]
        return busy

    def together(self, busy: Counts) -> None:
        """Send the games of the busy states down their trees; refused games stay."""
        forest = self.forests.get(busy.tobytes())
        if forest is None:
            if len(self.forests) > 64:  # in a long tail each roll has other busy states
                self.forests.clear()
            forest = self.forests[busy.tobytes()] = _Forest(self.plan, busy)
        slots = np.zeros(forest.slots, dtype=np.int64)
        slots[forest.root] = self.current[busy]
        for level in forest.levels:
            games = slots[forest.slot[level]]
            nodes, games = level[games > 0], games[games > 0]
            if len(nodes):
                draws = self.draw + forest.draw[nodes]
                ones = heads(games, draws, self.block, self.seed)
                np.add.at(slots, forest.child[0][nodes], games - ones)
                np.add.at(slots, forest.child[1][nodes], ones)
        self.draw += forest.draws
        self.cross(forest.edge, slots[forest.outcome])
        self.current[busy] = slots[forest.refusal]

    def alone(self) -> None:
        """Send the remaining games down their trees one by one."""
        plan = self.plan
        state = np.repeat(self.line, self.current[self.line])
        tree = plan.tree_of_state[state]
        lone = np.arange(len(state))
        word = words_at(lone, self.draw, self.block, self.seed)
        nodes = plan.nodes[tree]
        # a table takes the first bits at once, which decide most games
        slot = plan.jump[tree, word & ((1 << JUMP_BITS) - 1)]
        undecided, spent = np.flatnonzero(slot < nodes), JUMP_BITS
        while len(undecided):
            if spent % 32 == 0:
                draw = self.draw + spent // 32
                word[undecided] = words_at(undecided, draw, self.block, self.seed)
            its = tree[undecided]
            bit = word[undecided] >> (spent % 32) & 1
            went = plan.children[plan.child_start[its] + 2 * slot[undecided] + bit]
            slot[undecided] = np.where(went == nodes[undecided] + plan.labels[its], 0, went)
            undecided = undecided[slot[undecided] < nodes[undecided]]
            spent += 1
        self.draw += -(-spent // 32)
        self.cross(plan.edge_start[state] + slot - nodes, 1)
        self.current[:] = 0

    def cross(self, edge: Any, games: Any) -> None:
        """Send games along each edge."""
        np.add.at(self.flow, edge, games)
        np.add.at(self.next, self.plan.target[edge], games)


class _Forest:
    """The trees of several states, whose slots are numbered one tree after the other.

    Attributes:
        slots: their number in all trees.
        root, refusal: (states,) these slots of each tree.
        slot: (nodes,) the slot of each node.
        child: for bit 0 and bit 1, (nodes,) the slot that follows.
        draw: (nodes,) the draw of each node, from the first of the roll; a party shares its draws.
        draws: the draws of all parties.
        levels: the nodes at each depth, in the order of their draws.
        outcome, edge: the slot of each outcome, and its edge of the chain.
    """

    def __init__(self, plan: ChainTables, busy: Counts) -> None:
        tree = plan.tree_of_state[busy]
        nodes, labels = plan.nodes[tree].astype(np.int64), plan.labels[tree].astype(np.int64)
        ends = np.cumsum(nodes + labels + 1)
        self.slots = int(ends[-1])
        self.root = ends - (nodes + labels + 1)
        self.refusal = ends - 1
        owner, node = _ranges(nodes)
        place = plan.child_start[tree][owner] + 2 * node
        self.slot = self.root[owner] + node
        self.child = [self.root[owner] + plan.children[place + bit] for bit in (0, 1)]
        party = plan.party[busy]
        opens = np.concatenate([[True], party[1:] != party[:-1]])
        takes = np.where(opens, nodes, 0)  # draws, shown at the first state of each party
        self.draws = int(takes.sum())
        begins = np.maximum.accumulate(np.where(opens, np.cumsum(takes) - takes, 0))
        self.draw = begins[owner] + node
        depth = plan.depths[place // 2]
        self.levels = []
        for d in range(int(depth.max(initial=-1)) + 1):
            level = np.flatnonzero(depth == d)
            self.levels.append(level[np.argsort(self.draw[level], kind="stable")])
        owner, label = _ranges(labels)
        self.outcome = (self.root + nodes)[owner] + label
        self.edge = plan.edge_start[busy][owner] + label


def _ranges(lengths: Counts) -> tuple[Counts, Counts]:
    """For concatenated ranges, the range and the offset of each entry."""
    ends = np.cumsum(lengths)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return owner, np.arange(int(ends[-1])) - (ends - lengths)[owner]
