"""The coarsest lumping of positions.

Rows start in one class if they have the same money, if any, and their steps pay the same with the
same probabilities. `model.refine` splits the classes until their steps lead to the same classes.
"""

from typing import TYPE_CHECKING, Any

from sevenout.model.equivalence import coarsest

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from sevenout.evenings.lattice.positions import Positions
    from sevenout.rules.casino.felt import Stands


def lumped(
    layouts: "Positions", left: "Callable[[Stands], Hashable] | None" = None
) -> tuple[list[int], list[int]]:
    """The first row of each class, and for each row the first of its class.

    `left` gives what must agree about the bets after a roll.
    """
    rows = layouts.rows
    if layouts.mirrored:  # already merged during exploration
        return list(range(len(rows))), list(range(len(rows)))
    number: dict[Any, int] = {}  # of a step except for the row that it leads to
    before: list[list[tuple[int, int]]] = [[] for _ in rows]
    nodes: dict[tuple[int, int], int] = {}  # a row, entered by a kind of step
    cells: dict[Any, int] = {}
    first = []
    for row, of in enumerate(rows):
        sent: dict[int, int] = {}
        for low, high, step in layouts.moves(row):
            weight, to, gain, settled, bets, refused, _, _, stands = step
            stood = left(stands) if left else None
            end = to if to < 0 else None
            short = low if layouts.short[row] else 0
            kind = gain, settled, bets, refused, stood, end, short, high
            label = number.setdefault(kind, len(number))
            sent[label] = sent.get(label, 0) + weight
            if end is None:
                node = nodes.get((to, label))
                if node is None:
                    node = nodes[to, label] = len(before)
                    before.append([])
                    before[to].append((node, 1))
                before[node].append((row, weight))
        first.append(cells.setdefault((of.money, frozenset(sent.items())), len(cells)))
    first += [len(cells) + label for _, label in nodes]
    heads: dict[int, int] = {}
    found = coarsest(first, before)[: len(rows)]
    classes = [heads.setdefault(cell, row) for row, cell in enumerate(found)]
    return list(heads.values()), classes
