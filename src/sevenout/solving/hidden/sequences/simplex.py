"""The sequence form as a linear program, solved in fractions.

With all payoffs made positive, a player who reaches an information set and then does nothing only
loses by it. So plans may have gaps,

    max q_0  subject to  Σ x_child <= x_parent,  x_0 <= 1,  F^T q <= A^T x,  x, q >= 0,

and 0 is a feasible start. The shadow prices are the plan of the second player. Bland's rule (1977)
prevents cycling.
"""

from collections.abc import Sequence
from fractions import Fraction

from sevenout.solving.hidden.sequences.sequence_matrix import EMPTY, SequenceForm, Side

SMALL = 160
"""The most sequences of both players for which fractions are fast."""


def solved_in_fractions(form: SequenceForm) -> tuple[list[Fraction], list[Fraction]]:
    """An optimal plan of each player."""
    one, two = form.sides
    n, rows = one.size, 1 + len(one.sets)
    table = [[Fraction(0)] * (n + 1 + len(two.sets)) for _ in range(rows + two.size)]
    table[0][EMPTY] = Fraction(1)
    for k, own in enumerate(one.sets, 1):
        table[k][own.parent] = Fraction(-1)
        for sequence in own.sequences:
            table[k][sequence] = Fraction(1)
    table[rows][n] = Fraction(1)
    for k, own in enumerate(two.sets, 1):
        table[rows + own.parent][n + k] = Fraction(-1)
        for sequence in own.sequences:
            table[rows + sequence][n + k] = Fraction(1)
    for (i, j), value in _positive(form).items():
        table[rows + j][i] -= value
    bounds = [Fraction(int(k == 0)) for k in range(len(table))]
    goal = [Fraction(int(k == n)) for k in range(len(table[0]))]
    primal, prices = maximum(table, bounds, goal)
    return _filled(one, primal[:n]), _filled(two, prices[rows:])


def _positive(form: SequenceForm) -> dict[tuple[int, int], Fraction]:
    """The payoffs, less the least value of an outcome."""
    values = {
        pair: (Fraction(form.payoffs.get(pair, 0), form.scale), Fraction(chance, form.unit))
        for pair, chance in form.chances.items()
    }
    least = min(value / chance for value, chance in values.values())
    return {pair: value - least * chance for pair, (value, chance) in values.items()}


def _filled(side: Side, plan: Sequence[Fraction]) -> list[Fraction]:
    """A plan with its gaps filled by the first option."""
    filled = list(plan)
    filled[EMPTY] = Fraction(1)
    for own in side.sets:
        short = filled[own.parent] - sum(filled[s] for s in own.sequences)
        filled[own.first] += short
    return filled


def maximum(
    table: list[list[Fraction]], bounds: list[Fraction], goal: list[Fraction]
) -> tuple[list[Fraction], list[Fraction]]:
    """The x >= 0 with table x <= bounds that maximizes goal · x, and the shadow prices.

    The bounds must not be negative, and the maximum must exist.

    >>> from fractions import Fraction as F
    >>> maximum([[F(1), F(2)], [F(3), F(1)]], [F(4), F(6)], [F(1), F(1)])
    ([Fraction(8, 5), Fraction(6, 5)], [Fraction(2, 5), Fraction(1, 5)])
    """
    n, m = len(goal), len(table)
    rows = [[*row, bound] for row, bound in zip(table, bounds, strict=True)]
    costs = [*(-x for x in goal), Fraction(0)]
    inside, outside = [n + k for k in range(m)], list(range(n))  # rows, columns
    while True:
        better = [(outside[c], c) for c in range(n) if costs[c] < 0]
        if not better:
            break
        c = min(better)[1]
        ratios = [(rows[r][n] / rows[r][c], inside[r], r) for r in range(m) if rows[r][c] > 0]
        r = min(ratios)[2]
        _pivot(rows, costs, r, c)
        inside[r], outside[c] = outside[c], inside[r]
    primal, prices = [Fraction(0)] * n, [Fraction(0)] * m
    for r, name in enumerate(inside):
        if name < n:
            primal[name] = rows[r][n]
    for c, name in enumerate(outside):
        if name >= n:
            prices[name - n] = costs[c]
    return primal, prices


def _pivot(rows: list[list[Fraction]], costs: list[Fraction], r: int, c: int) -> None:
    """Exchange the variables of a row and a column."""
    pivot = rows[r][c]
    rows[r] = [x / pivot for x in rows[r]]
    rows[r][c] = 1 / pivot
    used = [k for k, x in enumerate(rows[r]) if x and k != c]
    for other in (*(row for k, row in enumerate(rows) if k != r), costs):
        factor = other[c]
        if factor:
            for k in used:
                other[k] -= factor * rows[r][k]
            other[c] = -factor / pivot
