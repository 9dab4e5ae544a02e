"""Ranks that fall on the way to the end, as a proof that a game ends.

An outcome has rank 0. From a roll some result, and from a decision every option, leads to a lower
rank. So under every policy a game of n states ends within n moves with a probability bounded away
from 0, and goes on forever with probability 0.
"""

from collections.abc import Callable, Iterable, Sequence

from sevenout.model import Chain, Model


def ranks_of(game: Chain | Model, picks: "dict[int, int] | None" = None) -> list[int]:
    """The rank of each state: the fewest moves in which the rolls can force an end.

    `picks` fixes the move in each decision state, if other options can prolong the game forever.

    >>> import sevenout as so
    >>> ranks_of(so.explore(so.games["de-mere-six-in-4"]))
    [1, 1, 1, 1]

    Raises:
        ValueError: the game need not end.
    """
    first, targets = game.first, game.targets
    rows: list[Iterable[int]] = []
    kinds: list[Callable[..., bool]] = []
    for s, menu in enumerate(game.menus):
        picked = menu and picks is not None
        rows.append([targets[picks[s]]] if picked else targets[first[s] : first[s + 1]])  # type: ignore[index]
        kinds.append(all if menu else any)
    return _ranked(rows, kinds)


def _ranked(rows: Sequence[Iterable[int]], kinds: Sequence[Callable[..., bool]]) -> list[int]:
    """The ranks, outwards from the ends."""
    n = len(rows)
    before: list[list[int]] = [[] for _ in range(n)]
    missing = [0] * n
    rank = [0] * n
    found: list[int] = []
    for s, row in enumerate(rows):
        to = set(row)
        inside = [t for t in to if t < n]
        missing[s] = len(inside) if kinds[s] is all else min(1, len(inside))
        if kinds[s] is any and len(inside) < len(to):
            missing[s] = 0
        for t in inside:
            before[t].append(s)
        if not missing[s]:
            rank[s] = 1
            found.append(s)
    for t in found:  # the loop adds states
        for s in before[t]:
            missing[s] -= 1
            if missing[s] == 0:
                rank[s] = rank[t] + 1
                found.append(s)
    if len(found) < n:
        raise ValueError("the game may never end")
    return rank
