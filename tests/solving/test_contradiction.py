"""Law, mean and variance by engines that can contradict each other, for the whole catalogue.

The law merges states that behave alike and works with polynomials. The moments here come from the
linear systems of the unmerged chain, x = E[N] and y = E[N^2] from each state on:

    x = Q x + c,    y = Q y + 2 Σ k q x' + Σ k^2 q,

with q the probability of an edge that counts k and leads to x'.
"""

from fractions import Fraction

import pytest
from flint import fmpq

import sevenout as so
from sevenout.model import explore
from sevenout.rolling.generating_functions import fraction
from sevenout.solving.elimination import Elimination

LONG = "repeater-plus-citywide"  # 56,700 states: its law takes a minute
NAMES = [name for name in so.games.without_choices if name != LONG]


def moments(chain, counter: str) -> tuple[Fraction, Fraction]:
    """The mean and the variance of a counter, from two linear systems with every state in them."""
    n, ends = len(chain.states), [fmpq(0)] * len(chain.outcomes)
    system = Elimination(chain.weights, fmpq(1), chain.blocks)

    def steps(s):
        for weight, target, counts in chain.rows[s]:
            k = 1 if counter == "rolls" else dict(counts).get(counter, 0)
            if k:
                yield weight, k, target

    first = system.values([fmpq(sum(w * k for w, k, _ in steps(s))) for s in range(n)], ends)
    onward = first + ends
    square = [sum((w * k * (k + 2 * onward[t]) for w, k, t in steps(s)), fmpq(0)) for s in range(n)]
    mean, second = fraction(first[0]), fraction(system.values(square, ends)[0])
    return mean, second - mean**2


@pytest.mark.parametrize("name", NAMES)
def test_the_law_and_the_linear_system_agree(name: str) -> None:
    chain = explore(so.games[name])
    solution = so.solve(chain)
    for counter in chain.counters:
        mean, variance = moments(chain, counter)
        law = solution.distribution(counter)
        assert (law.mean, law.variance) == (mean, variance), counter
        assert solution.mean(counter) == mean
        assert law.probability == 1
