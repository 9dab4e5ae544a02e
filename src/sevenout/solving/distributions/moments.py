"""Exact moments of counters, also of falling or fractional ones.

Let h(s) be the probability of a condition from state s on, and x_k(s) the mean of N^k on that
condition's event, for N counted from s on. With steps to t and increments a,

    x_k(s) = Σ p(s, t) Σ_j C(k, j) a^(k-j) x_j(t),    x_0 = h,

a linear system for each k with the chain's matrix (Kemeny and Snell 1960, 3.3). For the product
of two counters, c(s) = Σ p(s, t) (a b h(t) + a y(t) + b x(t) + c(t)).
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

from flint import fmpq

from sevenout.errors import RulesError
from sevenout.model import Chain
from sevenout.rolling.generating_functions import flint, fraction
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts
from sevenout.solving.solvers.elimination import Elimination, afford_elimination

Condition = Callable[[Outcome], bool]


def increment(counts: Counts, counter: str) -> int | Fraction:
    """The increment of a counter on an edge.

    >>> increment((("won", 2),), "won"), increment((), "rolls")
    (2, 1)
    """
    # Every move is a roll, unless its counts take that back.
    return (counter == "rolls") + dict(counts).get(counter, 0)


class Moments:
    """The moments of a chain's counters, given a condition on the outcome.

    >>> from sevenout.catalogue import games
    >>> from sevenout.model import explore
    >>> turn = Moments(explore(games["hazard-turn"]))
    >>> turn.mean("won"), turn.covariance("rounds", "won") > 0
    (Fraction(182024, 63001), True)

    Args:
        chain: the chain.
        given: the condition; default none.

    Attributes:
        probability: of the condition.

    Raises:
        RulesError: the condition has probability 0.
        TooMuchWorkError: the chain has long cycles.
    """

    def __init__(self, chain: Chain, given: Condition | None = None) -> None:
        afford_elimination(chain)
        self.chain = chain
        self._ends = [fmpq(int(given is None or given(o))) for o in chain.outcomes]
        self._raw: dict[tuple[str, int], list[Any]] = {}
        self.probability = fraction(self._holds[0])
        if not self.probability:
            raise RulesError("the condition has probability 0; give one that can happen")

    @cached_property
    def _elimination(self) -> Elimination:
        return Elimination(self.chain.weights, fmpq(1), self.chain.blocks)

    @cached_property
    def _holds(self) -> list[Any]:
        """The probability of the condition, from each state and outcome on."""
        none = [fmpq(0)] * len(self.chain.states)
        return [*self._elimination.values(none, self._ends), *self._ends]

    def _solved(self, gain: Callable[[int, Counts], Any]) -> list[Any]:
        """The mean total gain from each state and outcome on, for a gain per edge."""
        chain = self.chain
        rewards = [
            sum((gain(t, counts) * w for w, t, counts in row), fmpq(0)) for row in chain.rows
        ]
        none = [fmpq(0)] * len(chain.outcomes)
        return [*self._elimination.values(rewards, none), *none]

    def _powers(self, counter: str, k: int) -> list[Any]:
        """The mean of N^k on the condition's event, from each state and outcome on."""
        if not k:
            return self._holds
        if (counter, k) not in self._raw:
            less = [self._powers(counter, j) for j in range(k)]

            def gain(t: int, counts: Counts) -> Any:
                a = flint(increment(counts, counter))
                return sum((comb(k, j) * a ** (k - j) * less[j][t] for j in range(k)), fmpq(0))

            self._raw[counter, k] = self._solved(gain)
        return self._raw[counter, k]

    def raw(self, counter: str, k: int) -> Fraction:
        """E[N^k], given the condition."""
        return fraction(self._powers(counter, k)[0]) / self.probability

    def mean(self, counter: str) -> Fraction:
        """E[N], given the condition."""
        return self.raw(counter, 1)

    def central(self, counter: str, k: int) -> Fraction:
        """E[(N - mean)^k], given the condition."""
        mean = self.mean(counter)
        terms = (comb(k, j) * self.raw(counter, j) * (-mean) ** (k - j) for j in range(k + 1))
        return sum(terms, Fraction(0))

    def covariance(self, one: str, other: str) -> Fraction:
        """The covariance of two counters, given the condition."""
        x, y = self._powers(one, 1), self._powers(other, 1)

        def gain(t: int, counts: Counts) -> Any:
            a, b = flint(increment(counts, one)), flint(increment(counts, other))
            return a * b * self._holds[t] + a * y[t] + b * x[t]

        product = fraction(self._solved(gain)[0]) / self.probability
        return product - self.mean(one) * self.mean(other)
