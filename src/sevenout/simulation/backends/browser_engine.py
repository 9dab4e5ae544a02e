"""The engine in a web page: tables of a chain without NumPy, played by JavaScript."""

import json
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from sevenout.model import Chain
from sevenout.rolling.distribution import summed
from sevenout.simulation.backends.knuth_yao import DDGTree, ddg_tree, lowest
from sevenout.simulation.backends.philox import key_of
from sevenout.simulation.backends.stream import CROWD
from sevenout.simulation.tally import Tally

JUMPED = 8
"""The bits that a lone game takes at a time down its tree."""


def is_in_page() -> bool:
    """Whether Python runs in a page whose worker provides JavaScript.

    >>> is_in_page()
    False
    """
    return sys.platform == "emscripten" and find_spec("in_page") is not None


def play_in_page(chain: Chain, games: int, seed: int, first: int = 0) -> Tally:
    """The tally of games from the beginning of block `first`, in a web page."""
    from in_page import play  # type: ignore[import-not-found]  # the worker lends it

    return tally_by(play, chain, games, seed, first)


def tally_by(
    play: Callable[[str], str], chain: Chain, games: int, seed: int, first: int = 0
) -> Tally:
    """The tally of an engine called by JSON."""
    plan, exits = page_tables(chain), chain.exits
    asked = {"plan": plan, "seed": key_of(seed), "first": first, "games": games}
    made = json.loads(play(json.dumps(asked)))
    ends = (((exits[e][0], roll, exits[e][1]), n) for roll, e, n in made["ends"])
    absorbed = summed(ends)
    return Tally(chain, games, tuple(map(int, made["flow"])), absorbed)


def page_tables(chain: Chain) -> dict[str, Any]:
    """The tables of a chain, as `plan_of` gives them.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> plan = page_tables(explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)))
    >>> plan["states"], len(plan["target"]), plan["exits"]
    (7, 26, 14)
    """
    states = len(chain.states)
    trees: dict[tuple[int, ...], int] = {}
    exits, target = 0, list[int]()
    tree_of, edge_start = list[int](), list[int]()
    for which, moves in zip(chain.rolled, chain.moves, strict=True):
        weights = chain._weights[which]
        drawn = summed(zip(moves, weights, strict=True))
        tree_of.append(trees.setdefault(lowest(drawn.values()), len(trees)))
        edge_start.append(len(target))
        for move in drawn:
            settles = move.target >= states
            target.append(states + exits if settles else move.target)
            exits += settles
    return {
        "states": states,
        "exits": exits,
        "trees": [_tree(ddg_tree(weights)) for weights in trees],
        "edgeStart": edge_start,
        "target": target,
        "parties": _parties(tree_of),
    }


def _parties(tree_of: list[int]) -> list[dict[str, Any]]:
    """The parties in the order of their opening; see `stream`."""
    found: list[dict[str, Any]] = []
    last: dict[int, dict[str, Any]] = {}
    for state, tree in enumerate(tree_of):
        party = last.get(tree)
        if party is None or len(party["members"]) == CROWD:
            party = last[tree] = {"tree": tree, "members": []}
            found.append(party)
        party["members"].append(state)
    return found


def _tree(tree: DDGTree) -> dict[str, Any]:
    """A tree, with the slot reached by each 8 bits from the root; refusals restart."""
    nodes, jump = len(tree.children), []
    for coins in range(1 << JUMPED):
        slot = 0
        for i in range(JUMPED):
            if slot < nodes:
                slot = tree.children[slot][coins >> i & 1]
                slot = 0 if slot == tree.refusal else slot
        jump.append(slot)
    children = [slot for pair in tree.children for slot in pair]
    return {"children": children, "labels": tree.outcomes, "jump": jump}
