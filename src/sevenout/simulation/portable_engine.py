"""The portable engine, in NumPy: batches of games as counts of games in each state.

It follows the steps of `random_bits` (parties, then lone games) with arrays over all states at
once. Importing this module loads NumPy.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenout.simulation.chain_tables import JUMP_BITS, BatchCounts, ChainTables, Stop, join
from sevenout.simulation.random_bits import (
    COHORT,
    FEW,
    M0,
    M1,
    ROUNDS,
    W0,
    W1,
    WORD,
    batches,
    key_of,
)

Int64s = NDArray[np.int64]
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


def split_words(low: Bits, high: Bits) -> Int64s:
    """The words x₀, x₁, x₂, x₃ of such pairs, a row each."""
    half, word = np.uint64(32), np.uint64(WORD)
    return np.stack([low >> half, low & word, high >> half, high & word]).astype(np.int64)


def count_heads(games: Int64s, draws: Int64s, batch: int, seed: int) -> Int64s:
    """The number of 1s among the bits of each; neighbours with the same draw share it in order.

    >>> import numpy as np
    >>> count_heads(np.array([8, 1, 3]), np.array([0, 0, 1]), batch=0, seed=0).tolist()
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
    words.T[:] = philox(call, draw & WORD, batch, draw >> 32, seed)
    bits = np.append(words.ravel(), np.uint64(0))  # one more word, for a bit past the last
    before = np.cumsum(np.bitwise_count(bits), dtype=np.int64) - np.bitwise_count(bits)
    games_per_draw = np.diff(np.append(opens, len(draws)))
    shift = np.repeat(128 * (last - calls) - starts[opens], games_per_draw)

    def ones(bit_index: Any) -> Any:
        """The number of 1s before a bit."""
        word = bit_index >> 6
        return before[word] + np.bitwise_count(bits[word] & _low_mask(bit_index & 63))

    head_counts: Int64s = ones(ends + shift) - ones(starts + shift)
    return head_counts


def _low_mask(n: Int64s) -> Bits:
    """A mask of the first n bits: none for n < 1, all for n > 63."""
    shift = (64 - np.minimum(np.maximum(n, 1), 64)).astype(np.uint64)
    return np.where(n > 0, np.uint64(0xFFFFFFFFFFFFFFFF) >> shift, np.uint64(0))


def words_at(j: Any, draw: int, batch: int, seed: int) -> Any:
    """Word j of a draw, for many j.

    >>> import numpy as np
    >>> [f"{word:08x}" for word in words_at(np.arange(2), 0, batch=0, seed=0).tolist()]
    ['e169c58d', '6627e8d5']
    """
    calls, call_of_word = np.unique(j >> 2, return_inverse=True)
    words = split_words(*philox(calls, draw & WORD, batch, draw >> 32, seed))
    return words[j & 3 ^ 1, call_of_word]  # the order is x1, x0, x3, x2


def play(
    tables: ChainTables, seed: int, first_batch: int, games: int, stop: Stop | None = None
) -> BatchCounts | None:
    """Play games from the beginning of a batch.

    Args:
        tables: the chain.
        seed: of the run.
        first_batch: the number of the first batch.
        games: their number; all batches but the last are whole.
        stop: called before each roll; True gives up.

    Returns:
        The counts, or None if given up.
    """
    counts_by_batch = []
    for batch, batch_games in batches(first_batch, games):
        unfinished = OpenGames(tables, seed, batch, batch_games)
        while unfinished.current.any():
            if stop is not None and stop():
                return None
            unfinished.roll_all()
        keys, counts = (np.concatenate(column) for column in zip(*unfinished.records, strict=True))
        counts_by_batch.append(BatchCounts(batch_games, unfinished.flow, keys, counts))
    return join(counts_by_batch)


class OpenGames:
    """The unfinished games of a batch.

    `roll_all` rolls once for every game: `toss_together` for the states that toss with their
    parties, as long as there are any, then `roll_alone` for the other games.

    Attributes:
        seed, batch: of the run, and the number of the batch.
        roll, draw: the rolls made, and the draws used.
        tables: the tables of the chain.
        current: (states,) the games in each state that did not roll yet.
        next_games: (states + exits,) the games at each target after the roll.
        flow: (edges,) the rolls that took each edge.
        records: of each roll, the keys and counts of the games that ended; see `BatchCounts`.
        states_in_line: the states in the order of their parties.
        forests: the trees of sets of tossing states, which mostly recur from roll to roll.
    """

    def __init__(self, tables: ChainTables, seed: int, batch: int, games: int) -> None:
        self.seed, self.batch = seed, batch
        self.roll, self.draw = 0, 0
        self.tables = tables
        self.current = np.zeros(tables.states, dtype=np.int64)
        self.current[0] = games
        self.next_games = np.zeros(tables.states + tables.exits, dtype=np.int64)
        self.flow = np.zeros(tables.edges, dtype=np.int64)
        self.records: list[tuple[Int64s, Int64s]] = []
        self.states_in_line = tables.members[tables.members >= 0].astype(np.int64)
        self.forests: dict[bytes, _Forest] = {}

    def roll_all(self) -> None:
        """Roll once for every game."""
        self.roll += 1
        while len(tossing := self.tossing_states()):
            self.toss_together(tossing)
        if self.current.any():
            self.roll_alone()
        states = self.tables.states
        ended = np.flatnonzero(self.next_games[states:])
        self.records.append(
            (self.roll * self.tables.exits + ended, self.next_games[states + ended])
        )
        self.current[:] = self.next_games[:states]
        self.next_games[:] = 0

    def tossing_states(self) -> Int64s:
        """The states that toss with their parties, in line."""
        states = self.states_in_line[self.current[self.states_in_line] >= FEW]
        party = self.tables.party_of_target[states]
        games = np.bincount(party, self.current[states], self.tables.parties)
        tossing: Int64s = states[games[party] >= COHORT]
        return tossing

    def toss_together(self, tossing: Int64s) -> None:
        """Send the games of the tossing states down their trees; refused games stay."""
        forest = self.forests.get(tossing.tobytes())
        if forest is None:
            if len(self.forests) > 64:  # in a long tail each roll has other tossing states
                self.forests.clear()
            forest = self.forests[tossing.tobytes()] = _Forest(self.tables, tossing)
        slots = np.zeros(forest.slots, dtype=np.int64)
        slots[forest.root] = self.current[tossing]
        for level in forest.levels:
            games = slots[forest.slot[level]]
            nodes, games = level[games > 0], games[games > 0]
            if len(nodes):
                draws = self.draw + forest.draw[nodes]
                ones = count_heads(games, draws, self.batch, self.seed)
                np.add.at(slots, forest.child[0][nodes], games - ones)
                np.add.at(slots, forest.child[1][nodes], ones)
        self.draw += forest.draws
        self.cross(forest.edge, slots[forest.outcome])
        self.current[tossing] = slots[forest.refusal]

    def roll_alone(self) -> None:
        """Send the remaining games down their trees one by one."""
        tables = self.tables
        state = np.repeat(self.states_in_line, self.current[self.states_in_line])
        tree = tables.tree_of_state[state]
        lone = np.arange(len(state))
        word = words_at(lone, self.draw, self.batch, self.seed)
        nodes = tables.node_count[tree]
        # a table takes the first bits at once, which decide most games
        slot = tables.jump[tree, word & ((1 << JUMP_BITS) - 1)]
        undecided, spent = np.flatnonzero(slot < nodes), JUMP_BITS
        while len(undecided):
            if spent % 32 == 0:
                draw = self.draw + spent // 32
                word[undecided] = words_at(undecided, draw, self.batch, self.seed)
            own_tree = tree[undecided]
            bit = word[undecided] >> (spent % 32) & 1
            child = tables.children[tables.child_start[own_tree] + 2 * slot[undecided] + bit]
            refusal = nodes[undecided] + tables.outcome_count[own_tree]
            slot[undecided] = np.where(child == refusal, 0, child)
            undecided = undecided[slot[undecided] < nodes[undecided]]
            spent += 1
        self.draw += -(-spent // 32)
        self.cross(tables.edge_start[state] + slot - nodes, 1)
        self.current[:] = 0

    def cross(self, edge: Any, games: Any) -> None:
        """Send games along each edge."""
        np.add.at(self.flow, edge, games)
        np.add.at(self.next_games, self.tables.target[edge], games)


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

    def __init__(self, tables: ChainTables, tossing: Int64s) -> None:
        tree = tables.tree_of_state[tossing]
        nodes = tables.node_count[tree].astype(np.int64)
        labels = tables.outcome_count[tree].astype(np.int64)
        ends = np.cumsum(nodes + labels + 1)
        self.slots = int(ends[-1])
        self.root = ends - (nodes + labels + 1)
        self.refusal = ends - 1
        owner, node = _ranges(nodes)
        child_index = tables.child_start[tree][owner] + 2 * node
        self.slot = self.root[owner] + node
        self.child = [self.root[owner] + tables.children[child_index + bit] for bit in (0, 1)]
        party = tables.party_of_target[tossing]
        is_first_state = np.concatenate([[True], party[1:] != party[:-1]])
        # a party shares its draws, so only its first state takes any
        draws_taken = np.where(is_first_state, nodes, 0)
        self.draws = int(draws_taken.sum())
        first_draw = np.maximum.accumulate(
            np.where(is_first_state, np.cumsum(draws_taken) - draws_taken, 0)
        )
        self.draw = first_draw[owner] + node
        depth = tables.depths[child_index // 2]
        self.levels = []
        for d in range(int(depth.max(initial=-1)) + 1):
            level = np.flatnonzero(depth == d)
            self.levels.append(level[np.argsort(self.draw[level], kind="stable")])
        owner, label = _ranges(labels)
        self.outcome = (self.root + nodes)[owner] + label
        self.edge = tables.edge_start[tossing][owner] + label


def _ranges(lengths: Int64s) -> tuple[Int64s, Int64s]:
    """For concatenated ranges, the range and the offset of each entry."""
    ends = np.cumsum(lengths)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return owner, np.arange(int(ends[-1])) - (ends - lengths)[owner]
