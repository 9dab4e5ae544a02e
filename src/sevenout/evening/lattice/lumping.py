"""The coarsest lumping of positions, by partition refinement.

Rows start in one class if they have the same money, if any. Classes are split until their rows'
steps agree in payments, probabilities and target classes. (Faster: Derisavi, Hermanns and Sanders
2003.)
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

    `left` gives what must agree about the bets after a roll.
    """
    rows = layouts.rows
    if layouts.mirrored:  # already merged during exploration
        return list(range(len(rows))), list(range(len(rows)))
    labels: dict[Any, int] = {}  # a step except for its target

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
