"""What engines and workers take, a chain as tables of integers, and what they return."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sevenout.extras import require
from sevenout.model import Chain
from sevenout.rolling.distribution import sum_by_key
from sevenout.simulation.random_bits import CROWD, DDGTree, ddg_tree, lowest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int64s = NDArray[np.int64]
    Int32s = NDArray[np.int32]


Stop = Callable[[], bool]
"""Returns True to give up."""
JUMP_BITS = 8
"""The bits that a lone game takes at a time down its tree."""
SETTLED = -1
"""In place of the party of an exit."""
MAX_MOVES_AT_ONCE = 1 << 20
"""The most moves compared at once, which take some tens of megabytes."""


# --- the counts of some games ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class BatchCounts:
    """The counts of some batches.

    Attributes:
        games: their number.
        flow: (edges,) the number of rolls that took each edge.
        keys: (ends,) how games ended: roll · exits + exit, distinct and increasing.
        counts: (ends,) the number of games for each key.
    """

    games: int
    flow: "Int64s"
    keys: "Int64s"
    counts: "Int64s"


def join(counts_by_batch: Iterable[BatchCounts]) -> BatchCounts:
    """The sum of several counts.

    >>> import numpy as np
    >>> one, row = BatchCounts(2, np.array([3]), np.array([5]), np.array([2])), np.array([1])
    >>> both = join([one, BatchCounts(1, row, row, row)])
    >>> both.games, both.flow.tolist(), both.keys.tolist(), both.counts.tolist()
    (3, [4], [1, 5], [1, 2])
    """
    import numpy as np

    batches = list(counts_by_batch)
    keys, index = np.unique(np.concatenate([b.keys for b in batches]), return_inverse=True)
    counts = np.zeros(len(keys), dtype=np.int64)
    np.add.at(counts, index, np.concatenate([b.counts for b in batches]))
    flow = sum((b.flow for b in batches[1:]), start=batches[0].flow)
    return BatchCounts(sum(b.games for b in batches), flow, keys, counts)


# --- the tables of a chain ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ChainTables:
    """The tables of a chain, in 32-bit integers.

    An array is named for one of its entries, and a number of things in the plural. An *edge* is the
    set of rolls in a state that act alike; the edges of state s are numbered from `edge_start[s]`,
    in the order of the outcomes of its tree. A *target* is a state or, from `states` on, an *exit*:
    an edge that settles the game. A *party* is up to `CROWD` states with the same tree
    (`random_bits`).

    Attributes:
        states: their number.
        tree_of_state: (states,) the tree that chooses the edge.
        edge_start: (states + 1,) the first edge of each state.
        target: (edges,) the target of each edge.
        exit_edge: (exits,) the edge of each exit.
        node_count: (trees,) the number of nodes of each tree.
        outcome_count: (trees,) the number of outcomes of each tree.
        child_start: (trees,) where each tree begins in `children`.
        children: pairs of slots, for bit 0 and bit 1.
        depths: the depth of the node of each pair in `children`.
        jump: (trees, 256) the slot reached by 8 bits from the root; refusals restart.
        party_of_target: (states + exits,) the party of each state, and `SETTLED` for each exit.
        members: (parties, CROWD) the states of each party, padded with -1.
        party_size: (parties,) the number of states of each party.
    """

    states: int
    tree_of_state: "Int32s"
    edge_start: "Int32s"
    target: "Int32s"
    exit_edge: "Int32s"
    node_count: "Int32s"
    outcome_count: "Int32s"
    child_start: "Int32s"
    children: "Int32s"
    depths: "Int32s"
    jump: "Int32s"
    party_of_target: "Int32s"
    members: "Int32s"
    party_size: "Int32s"

    @property
    def parties(self) -> int:
        """The number of parties."""
        return len(self.party_size)

    @property
    def edges(self) -> int:
        """The number of edges."""
        return len(self.target)

    @property
    def exits(self) -> int:
        """The number of edges that settle the game."""
        return len(self.exit_edge)


TABLES = (
    "tree_of_state",
    "edge_start",
    "target",
    "node_count",
    "outcome_count",
    "child_start",
    "children",
    "jump",
    "party_of_target",
    "members",
    "party_size",
)
"""The tables that a compiled engine reads."""


def tables_of(chain: Chain) -> ChainTables:
    """The tables of a chain.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> tables = tables_of(explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)))
    >>> tables.states, tables.edges, tables.exits, tables.outcome_count.tolist()
    (7, 26, 14, [8, 3, 3, 3, 3, 3, 3])
    """
    require("numpy")
    import numpy as np

    state_count = len(chain.states)
    trees, tree_of_state, edge_start, target = _edges_of(chain)
    exit_edge = np.flatnonzero(target >= state_count)
    # each edge that settles is an exit of its own: the tally wants the state before the last roll
    target[exit_edge] = state_count + np.arange(len(exit_edge))
    members, party = form_parties(tree_of_state)
    coin_trees = [ddg_tree(weights) for weights in trees]
    pairs = [pair for tree in coin_trees for pair in tree.children]
    child_start = np.cumsum([0, *(2 * len(tree.children) for tree in coin_trees)])

    def ints(values: Any) -> "Int32s":
        return np.array(values, dtype=np.int32)

    return ChainTables(
        states=state_count,
        tree_of_state=ints(tree_of_state),
        edge_start=ints(edge_start),
        target=ints(target),
        exit_edge=ints(exit_edge),
        node_count=ints([len(tree.children) for tree in coin_trees]),
        outcome_count=ints([tree.outcomes for tree in coin_trees]),
        child_start=ints(child_start[:-1]),
        children=ints([slot for pair in pairs for slot in pair]),
        depths=ints([depth for tree in coin_trees for depth in tree.depths]),
        jump=np.stack([jumps(tree) for tree in coin_trees]),
        party_of_target=ints(np.concatenate([party, np.full(len(exit_edge), SETTLED)])),
        members=ints(members),
        party_size=ints((members >= 0).sum(axis=1)),
    )


def _edges_of(chain: Chain) -> "tuple[list[tuple[int, ...]], Int32s, Int32s, Int32s]":
    """The edges of a chain, and the trees that choose them.

    Returns:
        the weights of each tree; (states,) the tree of each state; (states + 1,) the first edge of
        each state; (edges,) the target of each edge in the chain.
    """
    import numpy as np

    state_count = len(chain.states)
    rolled, first = np.asarray(chain.rollable_index), np.asarray(chain.first_move)
    targets, tagged = np.asarray(chain.targets), np.asarray(chain.tag_index)
    trees: dict[tuple[int, ...], int] = {}
    tree_of_state, degree = np.zeros((2, state_count), dtype=np.int32)
    first_moves: list[Any] = []  # (the first move of each edge) by state
    state_of_edge: list[Any] = []
    for number, weights in enumerate(chain.rollable_weights):
        # rolls that act alike in a state form a pattern; thousands of states share a few patterns
        patterns: dict[bytes, tuple[int, int]] = {}
        rolling_states = np.flatnonzero(rolled == number)
        move_count = len(rolling_states) * len(weights)
        for states in np.array_split(rolling_states, 1 + move_count // MAX_MOVES_AT_ONCE):
            moves = first[states][:, None] + np.arange(len(weights))
            alike = _alike(targets[moves].astype(np.int64) * len(chain.tags) + tagged[moves])
            rows = alike.view(f"V{alike.itemsize * len(weights)}").ravel().tolist()
            for row in dict.fromkeys(rows):  # a set has another order in each process
                if row in patterns:
                    continue
                first_equal = np.frombuffer(row, dtype=alike.dtype).tolist()
                # lowest terms, so that equal chances share a tree, and so a party
                drawn = lowest(sum_by_key(zip(first_equal, weights, strict=True)).values())
                patterns[row] = trees.setdefault(drawn, len(trees)), len(drawn)
            tree_of_state[states], degree[states] = np.array([patterns[row] for row in rows]).T
            is_first = alike == np.arange(len(weights))
            first_moves.append(moves[is_first])
            state_of_edge.append(np.repeat(states, is_first.sum(axis=1)))
    edge_start = np.concatenate([[0], np.cumsum(degree)])
    order = np.argsort(np.concatenate(state_of_edge), kind="stable")
    target = targets[np.concatenate(first_moves)[order]]
    return list(trees), tree_of_state, edge_start, target


def _alike(moves: Any) -> Any:
    """For each move of each row, the index of the first equal move."""
    import numpy as np

    order = np.argsort(moves, axis=1, kind="stable")
    ranked = np.take_along_axis(moves, order, axis=1)
    is_first = np.ones(moves.shape, dtype=bool)
    is_first[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    first_index = np.maximum.accumulate(np.where(is_first, np.arange(moves.shape[1]), 0), axis=1)
    alike = np.empty(moves.shape, dtype=np.int32)
    np.put_along_axis(alike, order, np.take_along_axis(order, first_index, axis=1), axis=1)
    return alike


def form_parties(tree_of_state: "Int32s") -> "tuple[Int32s, Int32s]":
    """The states of each party, and the party of each state.

    >>> import numpy as np
    >>> members, party = form_parties(np.array([0, 1, 1, 0, 2]))
    >>> party.tolist(), [[s for s in row if s >= 0] for row in members.tolist()]
    ([0, 1, 1, 0, 2], [[0, 3], [1, 2], [4]])
    """
    import numpy as np

    n = len(tree_of_state)
    order = np.argsort(tree_of_state, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(tree_of_state))])
    seat = (np.arange(n) - start[tree_of_state[order]]) % CROWD
    is_first_seat = seat == 0
    number = np.argsort(np.argsort(order[is_first_seat]))[np.cumsum(is_first_seat) - 1]
    members = np.full((int(is_first_seat.sum()), CROWD), -1, dtype=np.int32)
    members[number, seat] = order
    party = np.empty(n, dtype=np.int32)
    party[order] = number
    return members, party


def jumps(tree: DDGTree) -> "Int32s":
    """The slot reached by each 8 bits from the root of a tree."""
    import numpy as np

    nodes = len(tree.children)
    slot = np.zeros(1 << JUMP_BITS, dtype=np.int32)
    if not nodes:
        return slot
    # a slot that is not a node stays in place; the refusal is the root
    step = np.repeat(np.arange(tree.slots, dtype=np.int32)[:, None], 2, axis=1)
    step[:nodes] = tree.children
    step[step == tree.refusal] = 0
    coins = np.arange(1 << JUMP_BITS)
    for i in range(JUMP_BITS):
        slot = step[slot, coins >> i & 1]
    return slot
