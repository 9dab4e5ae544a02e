"""Estimates of the length and the cost of exact fractions.

Each roll multiplies the denominator by that of the dice. A cycle of n states contributes a
determinant with the digits of n denominators. Sums have the denominators of all distinct cycles.
"""

from sevenout.budgets.estimates import afford, allowed
from sevenout.model import Chain

INSTEAD = "ask for the certified method"
SMALL = 400
"""Chains of fewer states are not checked."""


def afford_elimination(chain: Chain) -> None:
    """Check the budget for a chain's fractions.

    Raises:
        TooMuchWorkError: over the budget.
    """
    if len(chain.states) < SMALL:
        return
    n, bits = len(chain.states), chain.denominator.bit_length()
    largest = max(map(len, chain.blocks))
    if largest >= SMALL:
        degree = sum(map(len, chain.weights)) / n
        afford(
            f"the exact elimination of a cycle of {largest:,} states",
            seconds=6e-9 * (largest * degree) ** 2 * bits,
            instead=INSTEAD,
        )
    seconds, memory = _fractions(n, 2 * n * bits)
    if seconds <= allowed().seconds and memory <= allowed().memory:
        return  # the longest path and all cycles have no more digits
    deepest, depth = 0, [0] * n
    cycles: set[tuple[int, ...]] = set()
    for block in chain.blocks:
        inside = set(block)
        here = max(depth[s] for s in block) + len(block)
        for s in block:
            for target in chain.weights[s]:
                if target < n and target not in inside and depth[target] < here:
                    depth[target] = here
        deepest = max(deepest, here)
        within = [w for s in block for target, w in chain.weights[s].items() if target in inside]
        if within:
            cycles.add((len(block), *sorted(within)))
    bits *= deepest + sum(size for size, *_ in cycles)
    seconds, memory = _fractions(n, bits)
    afford(
        f"the exact fractions of {n:,} states, of up to {bits * 0.30103:.2g} digits,",
        seconds=seconds,
        memory=memory,
        instead=INSTEAD,
    )


def _fractions(many: int, bits: int) -> tuple[float, float]:
    """The seconds and bytes of fractions of this length."""
    return many * bits * 1.5e-8, many * bits / 6
