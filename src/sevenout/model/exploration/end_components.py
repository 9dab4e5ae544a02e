"""End components: whether a game ends, and the states that can be prolonged for ever."""

from array import array
from collections.abc import Hashable, Sequence

from sevenout.errors import EndlessGameError, printable
from sevenout.model.naming import state_name

CHOOSING = (
    "a game with choices needs an end, such as a number of turns that its state counts; or write "
    "one policy into `step` instead of `choices`, and use"
)
"""The advice for a game with choices that need not end."""


def traps_of(
    states: Sequence[Hashable],
    menus: Sequence[tuple[str, ...]],
    first: "array[int]",
    targets: "array[int]",
    endless: bool = False,
) -> frozenset[int]:
    """The nodes in which the players can together stay for ever, whatever is rolled.

    The union of the end components (de Alfaro 1997): the largest set closed under every roll and
    under some option at each decision. A chain has none, unless it may be endless.

    Raises:
        EndlessGameError: a node that can't reach an outcome, in a game that must end.
    """
    inside = bytearray([1]) * len(states)
    left = closed(range(len(states) - 1, -1, -1), inside, first, targets, menus)
    for_ever = closed(left, bytearray(inside), first, targets) if left and menus else left
    if for_ever and not endless:
        stuck = [printable(state_name(states[s]), 60) for s in sorted(for_ever)]
        some = ", ".join(stuck[:10]) + (f" and {len(stuck) - 10} more" if len(stuck) > 10 else "")
        instead = CHOOSING if any(menus) else "for the averages of a game without an end, use"
        raise EndlessGameError(f"the game never ends from {some}; {instead} sevenout long-run")
    return frozenset(left)


PASSES = 4


def closed(
    nodes: Sequence[int],
    inside: bytearray,
    first: "array[int]",
    targets: "array[int]",
    menus: Sequence[tuple[str, ...]] = (),
) -> Sequence[int]:
    """The largest subset of some nodes closed under every roll and some option.

    Args:
        nodes: candidates; put those found last, often nearest to the end, first.
        inside: a flag for each node; cleared for nodes that are removed.
        first: as in the model.
        targets: as in the model.
        menus: as in the model; if empty, the set must be closed under every option.
    """
    inside.extend(bytes(max(max(targets, default=0) + 1 - len(inside), 0)))  # outcomes are outside
    is_inside = inside.__getitem__

    def stays(s: int) -> bool:
        row = map(is_inside, targets[first[s] : first[s + 1]])
        return any(row) if menus and menus[s] else all(row)

    for _ in range(PASSES):  # mostly enough, and faster than the lists below
        kept = []
        for s in nodes:
            if stays(s):
                kept.append(s)
            else:
                inside[s] = 0
        if len(kept) == len(nodes):
            return kept
        nodes = kept
    before: dict[int, list[int]] = {}
    ways: dict[int, int] = {}
    for s in nodes:
        row = [t for t in targets[first[s] : first[s + 1]] if inside[t]]
        ways[s] = len(row)
        for t in row:
            before.setdefault(t, []).append(s)
    leaks = [s for s in nodes if not stays(s)]
    for s in leaks:
        inside[s] = 0
    while leaks:
        for s in before.get(leaks.pop(), ()):
            ways[s] -= 1
            if inside[s] and not (menus and menus[s] and ways[s]):
                inside[s] = 0
                leaks.append(s)
    return [s for s in nodes if inside[s]]
