"""Subgames, which are solved separately.

A node is the root of a subgame if no information set contains both nodes from it on and others
(Selten 1975). Nothing before it matters to the players. So a game of many turns is solved turn by
turn, from the end.
"""

from collections import deque
from collections.abc import Hashable

from sevenout.errors import EndlessGameError, shown
from sevenout.model import Model


def subgames(model: Model) -> dict[int, list[int]]:
    """The nodes of each subgame by root, without those of nested subgames.

    A root stands before later roots, and a node after those that lead to it.

    >>> import sevenout as so
    >>> kuhn = so.explore(so.games("kuhn"))
    >>> {root: len(nodes) for root, nodes in subgames(kuhn).items()}
    {0: 25}
    """
    order = in_order(model)
    label = [_information(model, s) for s in range(len(model.states))]
    alike: dict[Hashable, int] = {}
    for s in order:
        alike[label[s]] = alike.get(label[s], 0) + 1
    roots = {s for s in order if alike[label[s]] == 1} | {0}
    place = {s: k for k, s in enumerate(order)}
    while True:
        home, wrong = _homes(model, order, label, roots, place)
        if not wrong:
            break
        roots -= wrong
    found: dict[int, list[int]] = {}
    for s in order:
        found.setdefault(home[s], []).append(s)
    return found


def _information(model: Model, s: int) -> Hashable:
    """The information set of a node; if nobody chooses there, the node itself."""
    return model.question(s) if s in model.seen else s


def _homes(
    model: Model, order: list[int], label: list[Hashable], roots: set[int], place: dict[int, int]
) -> tuple[dict[int, int], set[int]]:
    """The nearest root before each node, and roots that would split an information set."""
    n = len(model.states)
    home: dict[int, int] = {}
    shared: dict[Hashable, int] = {}
    wrong: set[int] = set()
    for s in order:
        own = s if s in roots else home[s]
        home[s] = own
        other = shared.setdefault(label[s], own)
        if other != own:
            wrong.add(max(own, other, key=place.__getitem__))
        for target in model.targets[model.first[s] : model.first[s + 1]]:
            if target < n and target not in roots:
                other = home.setdefault(target, own)
                if other != own:
                    wrong.add(max(own, other, key=place.__getitem__))
    return home, wrong


def in_order(model: Model) -> list[int]:
    """The nodes in topological order.

    Raises:
        EndlessGameError: a state repeats.
    """
    n = len(model.states)
    into = [0] * n
    for target in model.targets:
        if target < n:
            into[target] += 1
    ready = deque(s for s in range(n) if not into[s])
    order = []
    while ready:
        node = ready.popleft()
        order.append(node)
        for target in model.targets[model.first[node] : model.first[node + 1]]:
            if target < n:
                into[target] -= 1
                if not into[target]:
                    ready.append(target)
    if len(order) < n:
        some = next(s for s in range(n) if into[s])
        raise EndlessGameError(
            f"state {shown(model.states[some])} may come back again and again; a game in which "
            "something is hidden must end after a given number of moves"
        )
    return order
