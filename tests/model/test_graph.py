"""States in which the players can stay for ever, against the definition."""

from array import array
from random import Random

import pytest
from tests.randomness import random_of

from sevenout.errors import EndlessGameError
from sevenout.model import graph
from sevenout.model.graph import traps_of


def random_moves(chance: Random) -> tuple[list[tuple[str, ...]], list[list[int]]]:
    """The menus and the targets of a few nodes; targets from their number on are outcomes."""
    size = chance.randint(1, 9)
    rows = [
        [chance.randrange(size + (chance.random() < 0.2)) for _ in range(chance.randint(1, 3))]
        for _ in range(size)
    ]
    return [tuple("abc"[: len(row)]) if chance.random() < 0.5 else () for row in rows], rows


def lasting(rows: list[list[int]], menus: list[tuple[str, ...]]) -> set[int]:
    """The largest set of nodes that every roll and some option of each decision stays in."""
    nodes = set(range(len(rows)))
    while True:
        stay = [any if menu else all for menu in menus]
        left = {s for s in nodes if stay[s](target in nodes for target in rows[s])}
        if left == nodes:
            return nodes
        nodes = left


@pytest.mark.parametrize("sweeps", [0, 1, graph.MAX_SWEEPS])
def test_traps_are_the_largest_set_in_which_the_players_can_stay(
    sweeps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "MAX_SWEEPS", sweeps)
    chance = random_of("traps", sweeps)
    for _ in range(300):
        menus, rows = random_moves(chance)
        first = array("q", [sum(map(len, rows[:s])) for s in range(len(rows) + 1)])
        targets = array("i", [target for row in rows for target in row])
        arguments = range(len(rows)), menus, first, targets
        assert traps_of(*arguments, endless=True) == lasting(rows, menus)
        unavoidable = sorted(lasting(rows, [()] * len(rows)))
        if unavoidable:
            with pytest.raises(EndlessGameError, match=f"never ends from {unavoidable[0]}"):
                traps_of(*arguments)
        else:
            assert traps_of(*arguments) == lasting(rows, menus)


def test_a_long_way_to_the_end_is_no_trap() -> None:
    """Each state leads to the one before it, the first to the end: a sweep frees one state."""
    size = 50
    targets = array("i", [size, *range(size - 1)])
    assert traps_of(range(size), (), array("q", range(size + 1)), targets) == frozenset()
