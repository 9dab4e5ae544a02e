"""A chain as tables of integers: all that an engine needs, and all that travels to a worker."""

from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, Any

from sevenout.chain import Chain
from sevenout.extras import needs
from sevenout.simulate.knuth_yao import DDGTree, ddg_tree

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

JUMP_BITS = 8
"""A lone game takes so many bits at a time down its tree."""


@dataclass(frozen=True, eq=False)
class Plan:
    """The tables of a chain, in 32-bit integers.

    An *edge* is all the rolls in a state that act alike; the edges of state s are numbered from
    `edge_start[s]`, in the order of the outcomes of its tree. A *target* is a state or, from
    `states` on, an *exit*: an edge that settles the game.

    Attributes:
        states: how many states there are.
        tree_of_state: (states,) which tree chooses the edge.
        edge_start: (states + 1,) the first edge of each state.
        target: (edges,) where each edge leads.
        exit_edge: (exits,) the edge of each exit.
        nodes: (trees,) how many nodes each tree has.
        labels: (trees,) how many outcomes each tree has.
        child_start: (trees,) where the children of each tree's nodes begin in `children`.
        children: pairs of slots, for bit 0 and bit 1.
        depths: for each pair in `children`, the depth of its node.
        jump: (trees, 256) the slot that 8 bits lead to from the root; those refused start again.
    """

    states: int
    tree_of_state: "Ints"
    edge_start: "Ints"
    target: "Ints"
    exit_edge: "Ints"
    nodes: "Ints"
    labels: "Ints"
    child_start: "Ints"
    children: "Ints"
    depths: "Ints"
    jump: "Ints"

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return len(self.target)

    @property
    def exits(self) -> int:
        """How many of the edges settle the game."""
        return len(self.exit_edge)


def plan_of(chain: Chain) -> Plan:
    """The plan of a chain.

    >>> from sevenout.chain import explore
    >>> from sevenout.rules import PointGame
    >>> plan = plan_of(explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)))
    >>> plan.states, plan.edges, plan.exits, plan.labels.tolist()
    (7, 26, 14, [8, 3, 3, 3, 3, 3, 3])
    """
    needs("numpy")
    import numpy as np

    trees: dict[tuple[int, ...], int] = {}
    tree_of_state: list[int] = []
    target: list[int] = []
    exit_edge: list[int] = []
    edge_start = [0]
    n = len(chain.states)
    for row in chain.rows:
        divisor = gcd(*(edge.weight for edge in row))
        weights = tuple([edge.weight // divisor for edge in row])
        tree_of_state.append(trees.setdefault(weights, len(trees)))
        for edge in row:
            if edge.target >= n:
                exit_edge.append(len(target))
                target.append(n + len(exit_edge) - 1)
            else:
                target.append(edge.target)
        edge_start.append(len(target))
    grown = [ddg_tree(weights) for weights in trees]
    child_start = np.cumsum([0, *(2 * len(tree.children) for tree in grown)])

    def ints(values: Any) -> "Ints":
        return np.array(values, dtype=np.int32)

    return Plan(
        states=n,
        tree_of_state=ints(tree_of_state),
        edge_start=ints(edge_start),
        target=ints(target),
        exit_edge=ints(exit_edge),
        nodes=ints([len(tree.children) for tree in grown]),
        labels=ints([tree.outcomes for tree in grown]),
        child_start=ints(child_start[:-1]),
        children=ints([slot for tree in grown for pair in tree.children for slot in pair]),
        depths=ints([depth for tree in grown for depth in tree.depths]),
        jump=np.stack([_jumps(tree) for tree in grown]),
    )


def _jumps(tree: DDGTree) -> "Ints":
    import numpy as np

    nodes = len(tree.children)
    slot = np.zeros(1 << JUMP_BITS, dtype=np.int32)
    if not nodes:
        return slot
    # A slot that is not a node stays where it is; the refusal is the root.
    step = np.repeat(np.arange(tree.slots, dtype=np.int32)[:, None], 2, axis=1)
    step[:nodes] = tree.children
    step[step == tree.refusal] = 0
    coins = np.arange(1 << JUMP_BITS)
    for i in range(JUMP_BITS):
        slot = step[slot, coins >> i & 1]
    return slot
