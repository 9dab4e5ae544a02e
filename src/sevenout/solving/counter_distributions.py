"""The distributions of counters at the end of a game: exact, or within a bound.

*Moments.* Let h(s) be the probability of a condition from state s on, and x_k(s) the mean of N^k on
that condition's event, for N counted from s on. With steps to t and increments a,

    x_k(s) = Σ p(s, t) Σ_j C(k, j) a^(k-j) x_j(t),    x_0 = h,

a linear system for each k with the chain's matrix (Kemeny and Snell 1960, 3.3). For the product
of two counters, c(s) = Σ p(s, t) (a b h(t) + a y(t) + b x(t) + c(t)).

*One counter that counts up.* Elimination with polynomials as weights gives its generating function.

*Several counters.* Coefficients of the generating function are computed one by one: the chain of
edges without counts is eliminated once, and each coefficient follows from smaller exponents.

*A counter that may fall or be fractional*, such as money, is followed roll by roll on a lattice:
for each state a polynomial in the amount, with integer weights. Probabilities are exact if the
chain has no cycle. Otherwise weights are multiples of 2^-BITS, rounded down at each roll, until
less than 2^-TAIL is left; the missing sum is the error bound.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb, prod, sqrt
from typing import Any

from flint import fmpq, fmpq_poly, fmpz_poly

from sevenout.budgets.estimates import afford
from sevenout.documents import Column, Fact, Facts, HasPage, Page, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL
from sevenout.documents.numbers import exactly, percent
from sevenout.errors import RulesError, shown
from sevenout.model import Chain
from sevenout.model.graph import strongly_connected_components
from sevenout.rolling.distribution import ListedDistribution, sum_by_key
from sevenout.rolling.generating_functions import (
    CounterLaw,
    RationalFunction,
    to_flint,
    to_fraction,
)
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts
from sevenout.solving.elimination import Elimination, afford_elimination

Condition = Callable[[Outcome], bool]

Edges = list[tuple[int, int, Counts]]
"""The moves out of a state: (weight, target, counts)."""


def any_outcome(outcome: Outcome) -> bool:
    """The condition that every outcome meets, the default."""
    return True


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
        condition: of the outcome; default none.

    Attributes:
        probability: of the condition.

    Raises:
        RulesError: the condition has probability 0.
        TooMuchWorkError: the chain has long cycles.
    """

    def __init__(self, chain: Chain, condition: Condition = any_outcome) -> None:
        afford_elimination(chain)
        self.chain = chain
        self._ends = [fmpq(int(condition(outcome))) for outcome in chain.outcomes]
        self._powers: dict[tuple[str, int], list[Any]] = {}
        self.probability = to_fraction(self._condition_values[0])
        if not self.probability:
            raise RulesError("the condition has probability 0; give one that can happen")

    @cached_property
    def _elimination(self) -> Elimination:
        return Elimination(self.chain.weights, fmpq(1), self.chain.components)

    @cached_property
    def _condition_values(self) -> list[Any]:
        """The probability of the condition, from each state and outcome on."""
        no_reward = [fmpq(0)] * len(self.chain.states)
        return [*self._elimination.values(no_reward, self._ends), *self._ends]

    def _mean_gains(self, gain: Callable[[int, Counts], Any]) -> list[Any]:
        """The mean total gain from each state and outcome on, for a gain per edge."""
        chain = self.chain
        rewards = [
            sum((gain(t, counts) * w for w, t, counts in row), fmpq(0)) for row in chain.rows
        ]
        at_ends = [fmpq(0)] * len(chain.outcomes)
        return [*self._elimination.values(rewards, at_ends), *at_ends]

    def _power_means(self, counter: str, k: int) -> list[Any]:
        """The mean of N^k on the condition's event, from each state and outcome on."""
        self.chain.check_counter(counter)
        if not k:
            return self._condition_values
        if (counter, k) not in self._powers:
            lower = [self._power_means(counter, j) for j in range(k)]

            def gain(t: int, counts: Counts) -> Any:
                a = to_flint(increment(counts, counter))
                return sum((comb(k, j) * a ** (k - j) * lower[j][t] for j in range(k)), fmpq(0))

            self._powers[counter, k] = self._mean_gains(gain)
        return self._powers[counter, k]

    def raw_moment(self, counter: str, k: int) -> Fraction:
        """E[N^k], given the condition."""
        return to_fraction(self._power_means(counter, k)[0]) / self.probability

    def mean(self, counter: str) -> Fraction:
        """E[N], given the condition."""
        return self.raw_moment(counter, 1)

    def central_moment(self, counter: str, k: int) -> Fraction:
        """E[(N - mean)^k], given the condition."""
        mean = self.mean(counter)
        terms = (
            comb(k, j) * self.raw_moment(counter, j) * (-mean) ** (k - j) for j in range(k + 1)
        )
        return sum(terms, Fraction(0))

    def covariance(self, counter: str, other_counter: str) -> Fraction:
        """The covariance of two counters, given the condition."""
        x, y = self._power_means(counter, 1), self._power_means(other_counter, 1)

        # c(s) of the module's docstring
        def gain(t: int, counts: Counts) -> Any:
            a = to_flint(increment(counts, counter))
            b = to_flint(increment(counts, other_counter))
            return a * b * self._condition_values[t] + a * y[t] + b * x[t]

        mean_product = to_fraction(self._mean_gains(gain)[0]) / self.probability
        return mean_product - self.mean(counter) * self.mean(other_counter)


def _class_moves(chain: Chain, condition: Condition) -> list[Edges]:
    """The moves out of each class of equivalent states, to classes or one of two ends.

    The ends come after the classes: first that of the outcomes that meet the condition.
    """
    n, size = len(chain.states), 1 + max(chain.lumping)
    ends = [size if condition(outcome) else size + 1 for outcome in chain.outcomes]
    rows: list[Edges] = [[] for _ in range(size)]
    for s, edges in enumerate(chain.rows):
        # One state stands for its class: the others have the same moves to the same classes.
        if not rows[chain.lumping[s]]:
            rows[chain.lumping[s]] = [
                (weight, chain.lumping[t] if t < n else ends[t - n], counts)
                for weight, t, counts in edges
            ]
    return rows


def counter_law(chain: Chain, counter: str, condition: Condition = any_outcome) -> CounterLaw:
    """The exact distribution of a counter that counts up, given a condition on the outcome."""
    _afford_increments(chain, counter)
    rows: list[dict[int, Any]] = []
    class_moves = _class_moves(chain, condition)  # merged first, to keep polynomials short
    size = len(class_moves)
    for edges in class_moves:
        powers: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for weight, target, counts in edges:
            powers[target][int(increment(counts, counter))] += weight
        rows.append({t: _polynomial(p) for t, p in powers.items()})
    _afford_polynomials(rows, chain, counter)
    visits = _visits(rows, chain.denominator)
    total: Any = 0
    for visit, row in zip(visits, rows, strict=True):
        if visit != 0 and size in row:
            total = total + visit * row[size]
    return CounterLaw(
        total if isinstance(total, RationalFunction) else RationalFunction([total]), counter
    )


def counts_up(chain: Chain, counter: str) -> bool:
    """Whether all increments of a counter are whole and at least 0."""
    steps = (increment(counts, counter) for counts in chain.tags)
    return all(n >= 0 and n.denominator == 1 for n in steps)


def _afford_increments(chain: Chain, counter: str) -> None:
    """Refuse a counter whose increments make its polynomials too long."""
    largest = max([1, *(int(increment(counts, counter)) for counts in chain.tags)])
    terms = min(largest, 10**18)  # which a float can hold
    afford(
        f"the distribution of {counter!r}, which advances by up to {shown(largest)} at once,",
        seconds=terms * 1e-6,
        memory=terms * 100,
        instead="ask for its mean",
    )


def _afford_polynomials(rows: list[dict[int, Any]], chain: Chain, counter: str) -> None:
    """Refuse a cycle whose polynomials, of its size in degree, would be too long."""
    inside = [
        (len(component), sum(len(rows[s]) for s in component) / len(component))
        for component in strongly_connected_components(rows)
    ]
    bits = chain.denominator.bit_length()
    afford(
        f"the exact distribution of {counter!r} on a cycle of {max(n for n, _ in inside):,} states",
        seconds=sum(2e-8 * n**3 * degree**2 * bits for n, degree in inside),
        instead="ask for its mean",
    )


def _visits(rows: list[dict[int, Any]], denominator: int) -> list[Any]:
    """The expected visits of each class over the denominator, as functions of z.

    Rows with z don't add up to their weight, which the pivots need: a leak to an extra outcome
    makes up for it.
    """
    size = len(rows)
    leaky = []
    for row in rows:
        # The leak is what z < 1 takes away; nothing comes back from the extra outcome.
        leak: Any = denominator
        for weight in row.values():
            leak = leak - weight
        leaky.append(row | {size + 2: leak})
    return Elimination(leaky, RationalFunction([1])).visits({0: RationalFunction([1])})


def _polynomial(powers: dict[int, int]) -> RationalFunction:
    """The polynomial in z with these weights, by power."""
    coefficients = [0] * (max(powers) + 1)
    for k, weight in powers.items():
        coefficients[k] = weight
    return RationalFunction(fmpq_poly(coefficients))


MAX_ROWS, MAX_COLUMNS = 12, 6
"""The most values of the first and of the second counter in the table."""


class JointLaw(HasPage):
    """The exact joint distribution of counters with whole increments of at least 0.

    >>> import sevenout as so
    >>> turn = so.solve(so.games["hazard-turn"]).distribution("rounds", "won")
    >>> turn.pmf(2, 0), turn.covariance("rounds", "won") > 0
    (Fraction(63001, 245025), True)

    Args:
        chain: the chain.
        counters: two or more of its counters.
        condition: of the outcome; default none.

    Raises:
        RulesError: no such counter, or one that falls or is fractional, or is named twice.
    """

    def __init__(
        self, chain: Chain, counters: Sequence[str], condition: Condition = any_outcome
    ) -> None:
        self.chain, self.counters, self._condition = chain, tuple(counters), condition
        for counter in self.counters:
            chain.check_counter(counter)
            if not counts_up(chain, counter):
                raise RulesError(
                    f"the counter {counter!r} does not count up in whole numbers; ask for its "
                    "own distribution, or for `moments`"
                )
        if len(set(self.counters)) < len(self.counters):
            raise RulesError(f"a counter is named twice in {shown(self.counters)}")
        self._coefficients: dict[tuple[int, ...], list[Any]] = {}

    @cached_property
    def moments(self) -> Moments:
        """The means and covariances of all counters."""
        return Moments(self.chain, self._condition)

    def covariance(self, counter: str, other_counter: str) -> Fraction:
        """The covariance of two counters."""
        return self.moments.covariance(counter, other_counter)

    def correlation(self, counter: str, other_counter: str) -> float:
        """The correlation of two counters; 0 if one is constant."""
        variances = [self.moments.central_moment(c, 2) for c in (counter, other_counter)]
        covariance = self.covariance(counter, other_counter)
        return float(covariance) / sqrt(prod(variances)) if all(variances) else 0.0

    @cached_property
    def _marginals(self) -> dict[str, CounterLaw]:
        return {
            counter: counter_law(self.chain, counter, self._condition) for counter in self.counters
        }

    def pmf(self, *counts: int) -> Fraction:
        """The probability of these counts, in the order of the counters.

        Raises:
            RulesError: not one whole number for each counter.
            TooMuchWorkError: the counts are too large.
        """
        if len(counts) != len(self.counters) or any(type(n) is not int for n in counts):
            names = ", ".join(self.counters)
            raise RulesError(f"pmf{shown(counts)}; give a whole number for each of {names}")
        if min(counts) < 0:
            return Fraction(0)
        cells = prod(n + 1 for n in counts)
        afford(
            f"{cells:,} coefficients in each of {len(self._rows):,} states",
            seconds=4e-6 * cells * sum(map(len, self._rows)),
            instead="ask for smaller counts, or for the moments",
        )
        # In lexicographic order, so all smaller counts come first.
        for smaller in product(*(range(n + 1) for n in counts)):
            if smaller not in self._coefficients:
                self._coefficients[smaller] = self._coefficient(smaller)
        return to_fraction(self._coefficients[counts][0]) / self.moments.probability

    def columns(self, terms: int) -> tuple[list[Fraction], ...]:
        """P(N = k) of the only counter from each state on, for each k below `terms`."""
        for k in range(terms):
            self._coefficients[k,] = self._coefficient((k,))
        lumping = self.chain.lumping
        return tuple(
            [to_fraction(self._coefficients[k,][index]) for index in lumping] for k in range(terms)
        )

    @cached_property
    def _rows(self) -> list[list[tuple[int, int, tuple[int, ...]]]]:
        """For each class of equivalent states: (weight, target, increments)."""

        def increments(counts: Counts) -> tuple[int, ...]:
            return tuple(int(increment(counts, counter)) for counter in self.counters)

        return [
            [(weight, target, increments(counts)) for weight, target, counts in edges]
            for edges in _class_moves(self.chain, self._condition)
        ]

    @cached_property
    def _uncounted_moves(self) -> Elimination:
        """The elimination of the chain without counting edges."""
        size = len(self._rows)
        rows = [
            sum_by_key((t if t < size and not any(steps) else size, w) for w, t, steps in row)
            for row in self._rows
        ]
        return Elimination(rows, fmpq(1))

    def _coefficient(self, counts: tuple[int, ...]) -> list[Any]:
        """The probability of these counts, from each class on."""
        size = len(self._rows)
        rewards = []
        for row in self._rows:
            reward: Any = fmpq(0)
            for weight, target, steps in row:
                if target < size and not any(steps):
                    continue  # what the elimination solves for
                counts_left = tuple(n - k for n, k in zip(counts, steps, strict=True))
                if target == size and not any(counts_left):
                    reward += weight
                elif target < size and min(counts_left) >= 0:
                    reward += weight * self._coefficients[counts_left][target]
            rewards.append(reward)
        return self._uncounted_moves.values(rewards, [fmpq(0)])

    def table(self) -> Table:
        """Two counters as rows and columns, up to their 99 % quantiles.

        Raises:
            RulesError: there are not two counters.
        """
        if len(self.counters) != 2:
            raise RulesError("a table shows two counters; use `pmf` for others")
        row_counts, column_counts = self._table_ranges
        columns = [Column(" \\ ".join(self.counters), LABEL)]
        columns += [Column(str(m), DECIMAL) for m in column_counts]
        rows = [[str(n), *(self._cells[n, m] for m in column_counts)] for n in row_counts]
        return Table(columns, rows, caption="Joint probabilities")

    @property
    def _table_ranges(self) -> list[range]:
        """The counts of the two counters that the table has."""
        ranges = []
        for counter, max_counts in zip(self.counters, (MAX_ROWS, MAX_COLUMNS), strict=True):
            law = self._marginals[counter]
            least = law.quantile(0)
            ranges.append(range(least, min(law.quantile("99/100"), least + max_counts - 1) + 1))
        return ranges

    def page(self) -> Page:
        """A page: means, covariances, and the table of the first counts."""
        facts = [Fact(f"mean {c}", self.moments.mean(c), FRACTION, DECIMAL) for c in self.counters]
        for a, b in combinations(self.counters, 2):
            facts += [
                Fact(f"covariance of {a} and {b}", self.covariance(a, b), FRACTION, DECIMAL),
                Fact(f"correlation of {a} and {b}", self.correlation(a, b), DECIMAL),
            ]
        title = f"Joint distribution of {' and '.join(self.counters)}"
        table = self._table_blocks() if len(self.counters) == 2 else []
        return Page(title, Facts(*facts), *table)

    def _table_blocks(self) -> list[Table | Text]:
        """The table, and its total probability if that is below 1."""
        covered = sum(self._cells.values(), Fraction(0))
        note = f"The table holds {percent(covered, 2)} of the probability."
        return [self.table(), *([Text(note, tone="note")] if covered < 1 else [])]

    def to_dict(self) -> dict[str, Any]:
        """As data; exact figures as text."""
        pairs = combinations(self.counters, 2)
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
        return {(n, m): self.pmf(n, m) for n, m in product(*self._table_ranges)}

    def __repr__(self) -> str:
        return f"<JointLaw of {' and '.join(self.counters)}>"


BITS = 160
"""Binary places of a weight on the lattice of a chain with cycles."""
TAIL = 110
"""A chain with cycles is followed until games of a weight below 2^-TAIL are left."""
MAX_LATTICE_ROWS = 40
"""The most rows of its table."""


class LatticeLaw(HasPage, ListedDistribution):
    """The distribution of a counter on a lattice, with exact moments.

    >>> import sevenout as so
    >>> class Walk(so.Game):
    ...     dice, start = so.d6, 0
    ...     def step(self, n, face):
    ...         went = so.counted(n + 1, money=1 if face > 3 else -1)
    ...         return went if n < 2 else so.counted(so.settle("home"), money=1)
    >>> money = so.solve(Walk()).distribution("money")
    >>> money.pmf(-1), money.mean, money.variance, money.support
    (Fraction(1, 4), Fraction(1, 1), Fraction(2, 1), (Fraction(-1, 1), Fraction(3, 1)))

    Args:
        name: the counter.
        probabilities: of each amount.
        bound: 0 if they are exact; else their error bound.
        moments: of the chain.
    """

    def __init__(
        self,
        name: str,
        probabilities: Mapping[Fraction, Fraction],
        bound: Fraction,
        moments: Moments,
    ) -> None:
        self.name, self.bound, self.moments = name, bound, moments
        self._probabilities = dict(sorted(probabilities.items()))

    @property
    def probabilities(self) -> Mapping[Fraction, Fraction]:
        """The probability of each amount."""
        return self._probabilities

    @property
    def mean(self) -> Fraction:
        return self.moments.mean(self.name)

    def central_moment(self, k: int) -> Fraction:
        """E[(N - mean)^k], exact."""
        return self.moments.central_moment(self.name, k)

    def page(self) -> Page:
        """A page: moments, quantiles, and the probability of each amount."""
        facts = [
            Fact("mean", self.mean, FRACTION, DECIMAL),
            Fact("variance", self.variance, FRACTION, DECIMAL),
            *(Fact(f"quantile at {q}", self.quantile_cell(q), LABEL) for q in QUANTILES),
        ]
        if self.bound:
            facts.append(Fact("each probability is within", float(self.bound), DECIMAL))
        rows = list(self.probabilities.items())
        likeliest = sorted(rows, key=lambda pair: -pair[1])[:MAX_LATTICE_ROWS]
        cells = [(str(x), p if not self.bound else float(p)) for x, p in sorted(likeliest)]
        columns = [Column(self.name, LABEL), Column("probability", FRACTION, DECIMAL)]
        caption = ""
        if len(rows) > MAX_LATTICE_ROWS:
            caption = f"The {MAX_LATTICE_ROWS} likeliest amounts of {len(rows):,}"
        table = Table(columns, cells, caption=caption)
        return Page(f"Distribution of {self.name}", Facts(*facts), table)

    def to_dict(self) -> dict[str, Any]:
        """As data; exact figures as text."""
        return {
            "counter": self.name,
            "mean": exactly(self.mean),
            "variance": exactly(self.variance),
            "quantiles": {q: str(self.quantile_cell(q)) for q in QUANTILES},
            "bound": float(self.bound),
            "probabilities": {str(x): exactly(p) for x, p in self.probabilities.items()},
        }

    def __repr__(self) -> str:
        return f"<LatticeLaw of {self.name}: {len(self.probabilities):,} amounts>"


QUANTILES = ("1/20", "1/4", "1/2", "3/4", "19/20")


def lattice_law(chain: Chain, counter: str, condition: Condition = any_outcome) -> LatticeLaw:
    """The distribution of a counter with any increments.

    Raises:
        RulesError: a condition of probability 0.
        TooMuchWorkError: long games, many states, or large amounts.
    """
    moments = Moments(chain, condition)
    rows = _lattice_moves(chain, counter, condition)
    steps = [step for row in rows for _, step, _ in row]
    lowest_step, highest_step = min(0, *steps), max(0, *steps)
    has_cycle = len(chain.components) < len(chain.states) or any(
        s in row for s, row in enumerate(chain.weights)
    )
    # With cycles, TAIL bits are lost in about 80 times the mean, as tails fall geometrically.
    rolls = 80 * int(moments.mean("rolls") + 1) if has_cycle else len(chain.states)
    afford(
        f"the distribution of {counter!r} over about {rolls:,} rolls",
        seconds=1e-8 * rolls**2 * (highest_step - lowest_step + 1) * sum(map(len, rows)),
        instead="ask for its moments",
    )
    # Weights are over `scale`: without a cycle the denominator's power, so that they are exact.
    scale = 1 << BITS if has_cycle else 1
    unfinished: dict[int, Any] = {chain.lumping[0]: fmpz_poly([scale])}
    amounts, other_weight, first_amount = fmpz_poly([]), 0, 0
    while unfinished:
        after_roll: dict[int, Any] = defaultdict(lambda: fmpz_poly([]))
        for s, poly in unfinished.items():
            for target, step, weight in rows[s]:
                after_roll[target] += poly.left_shift(step - lowest_step) * weight
        # Steps are shifted to be non-negative; the polynomials' first power moves along.
        first_amount += lowest_step
        amounts = amounts.left_shift(-lowest_step)
        if has_cycle:
            # Rounded down, so that what is missing in the end bounds every error.
            after_roll = {t: poly // chain.denominator for t, poly in after_roll.items()}
        else:
            scale *= chain.denominator
            amounts, other_weight = amounts * chain.denominator, other_weight * chain.denominator
        amounts += after_roll.pop(len(rows), fmpz_poly([]))
        other_weight += int(after_roll.pop(len(rows) + 1, fmpz_poly([]))(1))
        unfinished = {target: poly for target, poly in after_roll.items() if poly}
        weight_left = sum(int(poly(1)) for poly in unfinished.values())
        if has_cycle and weight_left >> (BITS - TAIL) == 0:
            break
    unit, p_condition = chain.units[counter], moments.probability
    weights = enumerate(map(int, amounts.coeffs()), first_amount)
    probabilities = {Fraction(k, unit): Fraction(w, scale) / p_condition for k, w in weights if w}
    bound = (1 - Fraction(int(amounts(1)) + other_weight, scale)) / p_condition
    return LatticeLaw(counter, probabilities, bound, moments)


def _lattice_moves(
    chain: Chain, counter: str, condition: Condition
) -> list[list[tuple[int, int, int]]]:
    """The moves of `_class_moves` as (target, increment in units, weight), equal ones merged."""
    unit, rows = chain.units[counter], []
    for edges in _class_moves(chain, condition):
        merged = sum_by_key(
            ((target, int(increment(counts, counter) * unit)), weight)
            for weight, target, counts in edges
        )
        rows.append([(target, step, weight) for (target, step), weight in merged.items()])
    return rows
