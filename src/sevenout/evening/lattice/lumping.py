"""Positions that behave alike, made one: the coarsest lumping, by refinement.

Two rows are alike while nothing tells them apart: the money where it matters, the steps by what
they pay and how likely they are, and the classes to which these lead. Splitting whatever is told
apart until nothing is gives the coarsest partition (Derisavi, Hermanns and Sanders 2003 do it
faster; here the rows are few).
"""

from typing import TYPE_CHECKING, Any

from sevenout.dice.distribution import summed

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from sevenout.evening.lattice.positions import Positions
    from sevenout.rules.casino.felt import Stands


def lumped(
    layouts: "Positions", left: "Callable[[Stands], Hashable] | None" = None
) -> tuple[list[int], list[int]]:
    """The first row of each class, and for each row the first of its class.

    Args:
        layouts: all that were explored.
        left: of what stands after a roll, what must not differ within a class.
    """
    rows = layouts.rows
    if layouts.mirrored:  # merged already, as they were explored
        return list(range(len(rows))), list(range(len(rows)))
    labels: dict[Any, int] = {}  # what a step is, but for where it leads

    looks: list[list[tuple[int, int, int]]] = []  # (label, weight, target) for each row
    for row in range(len(rows)):
        look = []
        for low, high, step in layouts.moves(row):
            stood = left(step.stands) if left else None
            short = (low if layouts.short[row] else 0), high
            paid = (step.gain, step.settled, step.bets, step.refused, stood, short)
            look.append((labels.setdefault(paid, len(labels)), step.weight, step.to))
        looks.append(look)
    known: dict[Any, int] = {}
    classes = [known.setdefault(row.money, len(known)) for row in rows]
    count = len(known)
    while True:
        known = {}
        now = []
        for i, look in enumerate(looks):
            joined = summed(
                ((label, classes[to] if to >= 0 else to), weight) for label, weight, to in look
            )
            sign = (classes[i], frozenset(joined.items()))
            now.append(known.setdefault(sign, len(known)))
        classes = now
        if len(known) == count:
            break
        count = len(known)
    first: dict[int, int] = {}
    heads = [first.setdefault(c, i) for i, c in enumerate(classes)]
    return list(first.values()), heads
