"""The variances of counters in floats, for z-scores.

Let m(s) be the mean remaining count from state s, 0 if settled. A roll that counts c and leads from
s to t has the error c + m(t) - m(s), with mean 0 given the past. So

    variance = E Σ (c + m(t) - m(s))²,

a sum over the expected rolls of each kind without cancellation. It needs no distribution and no
second moment, so it is an independent check of the exact engines.
"""

from math import inf

from sevenout.model import Chain
from sevenout.rules.outcome import Counts

ROUNDING = 1e-12
"""A smaller relative error of a roll is rounding."""


def variances(chain: Chain) -> dict[str, float]:
    """The variance of each counter per game; infinity if it exceeds the floats.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> craps = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> abs(variances(craps)["rolls"] - 245672 / 27225) < 1e-12
    True
    """
    from sevenout.solving.solvers.elimination import Elimination

    whole = chain.denominator
    rows = [{t: w / whole for t, w in row.items()} for row in chain.weights]
    solver = Elimination(rows, 1.0, chain.blocks)
    visits = solver.visits({0: 1.0})
    ends = [0.0] * len(chain.outcomes)
    found = {}
    for counter in chain.counters:
        edges = [
            [(e.weight / whole, e.target, _step(e.counts, counter)) for e in row]
            for row in chain.rows
        ]
        left = solver.values([sum(p * step for p, _, step in row) for row in edges], ends) + ends
        found[counter] = float(
            sum(
                visits[s] * sum(p * _square(step, left[target], left[s]) for p, target, step in row)
                for s, row in enumerate(edges)
                if visits[s]
            )
        )
    return found


def _square(step: float, there: float, here: float) -> float:
    """The square of a roll's error; 0 within rounding."""
    miss = step + there - here
    return miss * miss if abs(miss) > ROUNDING * (abs(step) + abs(there) + abs(here)) else 0.0


def _step(counts: Counts, counter: str) -> float:
    """The count of an edge."""
    if counter == "rolls":
        return 1.0
    step = sum(n for name, n in counts if name == counter)
    try:
        return float(step)
    except OverflowError:
        return inf if step > 0 else -inf
