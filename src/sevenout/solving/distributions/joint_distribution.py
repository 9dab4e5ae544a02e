"""The joint distribution of counters, such as rolls and rounds won.

Coefficients of the generating function are computed one by one: the chain of edges without counts
is eliminated once, and each coefficient follows from smaller exponents.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod, sqrt
from typing import Any

from flint import fmpq

from sevenout.budgets.estimates import afford
from sevenout.documents import Column, Fact, Facts, Page, Shown, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL
from sevenout.documents.numbers import exactly, percent
from sevenout.errors import RulesError, shown
from sevenout.model import Chain
from sevenout.rolling.distribution import summed
from sevenout.rolling.generating_functions import CounterLaw, fraction
from sevenout.solving.distributions.generating_function import counter_law, counts_up
from sevenout.solving.distributions.moments import Condition, Moments, increment
from sevenout.solving.solvers.elimination import Elimination

ROWS, COLUMNS = 12, 6
"""The most values of the first and of the second counter in the table."""


class JointLaw(Shown):
    """The exact joint distribution of counters with whole increments of at least 0.

    >>> import sevenout as so
    >>> turn = so.solve(so.games["hazard-turn"]).distribution("rounds", "won")
    >>> turn.pmf(2, 0), turn.covariance("rounds", "won") > 0
    (Fraction(63001, 245025), True)

    Args:
        chain: the chain.
        counters: two or more of its counters.
        given: a condition on the outcome; default none.

    Raises:
        RulesError: a counter that falls or is fractional, or is named twice.
    """

    def __init__(
        self, chain: Chain, counters: Sequence[str], given: Condition | None = None
    ) -> None:
        self.chain, self.counters, self._given = chain, tuple(counters), given
        for counter in self.counters:
            if not counts_up(chain, counter):
                raise RulesError(
                    f"the counter {counter!r} does not count up in whole numbers; ask for its "
                    "own distribution, or for `moments`"
                )
        if len(set(self.counters)) < len(self.counters):
            raise RulesError(f"a counter is named twice in {shown(self.counters)}")
        self._known: dict[tuple[int, ...], list[Any]] = {}

    @cached_property
    def moments(self) -> Moments:
        """The means and covariances of all counters."""
        return Moments(self.chain, self._given)

    def covariance(self, one: str, other: str) -> Fraction:
        """The covariance of two counters."""
        return self.moments.covariance(one, other)

    def correlation(self, one: str, other: str) -> float:
        """The correlation of two counters; 0 if one is constant."""
        spread = self.moments.central(one, 2) * self.moments.central(other, 2)
        return float(self.covariance(one, other)) / sqrt(spread) if spread else 0.0

    def marginal(self, counter: str) -> CounterLaw:
        """The distribution of one counter."""
        return self._marginals[counter]

    @cached_property
    def _marginals(self) -> dict[str, CounterLaw]:
        return {counter: counter_law(self.chain, counter, self._given) for counter in self.counters}

    def pmf(self, *counts: int) -> Fraction:
        """The probability of these counts, in the order of the counters.

        Raises:
            RulesError: not one whole number for each counter.
            TooMuchWorkError: the counts are too large.
        """
        if len(counts) != len(self.counters) or any(type(n) is not int for n in counts):
            wanted = ", ".join(self.counters)
            raise RulesError(f"pmf{shown(counts)}; give a whole number for each of {wanted}")
        if min(counts) < 0:
            return Fraction(0)
        cells = prod(n + 1 for n in counts)
        afford(
            f"{cells:,} coefficients in each of {len(self._rows):,} states",
            seconds=4e-6 * cells * sum(map(len, self._rows)),
            instead="ask for smaller counts, or for the moments",
        )
        for place in product(*(range(n + 1) for n in counts)):
            if place not in self._known:
                self._known[place] = self._coefficient(place)
        return fraction(self._known[counts][0]) / self.moments.probability

    @cached_property
    def _rows(self) -> list[list[tuple[int, int, tuple[int, ...]]]]:
        """For each block of equivalent states: (weight, target, increments)."""
        chain, n = self.chain, len(self.chain.states)
        rows: dict[int, list[tuple[int, int, tuple[int, ...]]]] = {}
        size = 1 + max(chain.lumping)
        for s, row in enumerate(chain.rows):
            if chain.lumping[s] not in rows:
                rows[chain.lumping[s]] = [
                    (
                        weight,
                        chain.lumping[target] if target < n else size + target - n,
                        tuple(int(increment(counts, counter)) for counter in self.counters),
                    )
                    for weight, target, counts in row
                ]
        return [rows[block] for block in range(size)]

    @cached_property
    def _ends(self) -> list[Any]:
        given = self._given
        return [fmpq(int(given is None or given(outcome))) for outcome in self.chain.outcomes]

    @cached_property
    def _still(self) -> Elimination:
        """The elimination of the chain without counting edges."""
        size = len(self._rows)
        still = [
            summed((t if t < size and not any(by) else size, w) for w, t, by in row)
            for row in self._rows
        ]
        return Elimination(still, fmpq(1))

    def _coefficient(self, place: tuple[int, ...]) -> list[Any]:
        """The probability of these counts, from each block on."""
        size = len(self._rows)
        rewards = []
        for row in self._rows:
            reward: Any = fmpq(0)
            for weight, target, by in row:
                if target < size and not any(by):
                    continue
                left = tuple(n - k for n, k in zip(place, by, strict=True))
                if target >= size:
                    reward += weight * self._ends[target - size] if not any(left) else 0
                elif min(left) >= 0:
                    reward += weight * self._known[left][target]
            rewards.append(reward)
        return self._still.values(rewards, [fmpq(0)])

    def table(self) -> Table:
        """The first two counters as rows and columns, up to their 99 % quantiles."""
        one, other = (self._marginals[counter] for counter in self.counters[:2])
        marks = [self._shown(one, ROWS), self._shown(other, COLUMNS)]
        rest = tuple(0 for _ in self.counters[2:])
        if rest:
            raise RulesError("a table shows two counters; use `pmf` for more")
        columns = [Column(f"{self.counters[0]} \\ {self.counters[1]}", LABEL)]
        columns += [Column(str(m), DECIMAL) for m in marks[1]]
        rows = [[str(n), *(self.pmf(n, m) for m in marks[1])] for n in marks[0]]
        return Table(columns, rows, caption="Joint probabilities")

    @staticmethod
    def _shown(law: CounterLaw, most: int) -> range:
        least = law.quantile(0)
        return range(least, min(law.quantile("99/100"), least + most - 1) + 1)

    def page(self) -> Page:
        """A page: means, covariances, and the table of the first counts."""
        facts = [Fact(f"mean {c}", self.moments.mean(c), FRACTION, DECIMAL) for c in self.counters]
        for i, one in enumerate(self.counters):
            for other in self.counters[i + 1 :]:
                both = f"of {one} and {other}"
                facts += [
                    Fact(f"covariance {both}", self.covariance(one, other), FRACTION, DECIMAL),
                    Fact(f"correlation {both}", self.correlation(one, other), DECIMAL),
                ]
        title = f"Joint distribution of {' and '.join(self.counters)}"
        return Page(title, Facts(*facts), *(self._told() if len(self.counters) == 2 else []))

    def _told(self) -> list[Table | Text]:
        """The table, and its total probability if that is below 1."""
        covered = sum(self._cells.values(), Fraction(0))
        share = percent(covered, 2)
        said = f'The table holds {share} of the probability; "higher" is all other totals.'
        return [self.table(), *([Text(said, tone="note")] if covered < 1 else [])]

    def to_dict(self) -> dict[str, Any]:
        """As data; exact figures as text."""
        pairs = [(a, b) for i, a in enumerate(self.counters) for b in self.counters[i + 1 :]]
        data: dict[str, Any] = {
            "counters": list(self.counters),
            "means": {c: exactly(self.moments.mean(c)) for c in self.counters},
            "covariances": {f"{a}, {b}": exactly(self.covariance(a, b)) for a, b in pairs},
        }
        if len(self.counters) == 2:
            data["probabilities"] = {f"{n}, {m}": exactly(p) for (n, m), p in self._cells.items()}
        return data

    @cached_property
    def _cells(self) -> Mapping[tuple[int, int], Fraction]:
        """The probabilities in the table."""
        one, other = (self._marginals[counter] for counter in self.counters)
        places = product(self._shown(one, ROWS), self._shown(other, COLUMNS))
        return {(n, m): self.pmf(n, m) for n, m in places}

    def __repr__(self) -> str:
        return f"<JointLaw of {' and '.join(self.counters)}>"
