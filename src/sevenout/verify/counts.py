"""Observed counts beside the probabilities that they are tested against.

Tests of fit start from `Cells`. Probabilities stay fractions until the statistic is formed, so
the difference of 10^15 rolls from their expected counts is exact.

Confidence levels are written one way in every test and interval. P-values of many tests are
adjusted together after Holm.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import Any

from sevenout.errors import RulesError, SevenoutError, printable, shown
from sevenout.numerals import Number, exact
from sevenout.wrong_arguments import public

MIN_EXPECTED = 5
"""Cells with a smaller expected count are pooled (Cochran 1954); see `Cells.pooled`."""


class DataError(SevenoutError):
    """Unusable observations; the message names the file and the line, or the value."""


@dataclass(frozen=True)
class Pooled:
    """Several outcomes pooled into one.

    Attributes:
        outcomes: the outcomes, in order.

    >>> print(Pooled((2, 3)), "|", Pooled((9, 10, 11, 12)))
    2 or 3 | 9 … 12
    """

    outcomes: tuple[Hashable, ...]

    def __str__(self) -> str:
        first, *rest = map(str, self.outcomes)
        return f"{first} … {rest[-1]}" if len(rest) > 2 else " or ".join([first, *rest])


@dataclass(frozen=True)
class Cells:
    """Counts and probabilities by outcome.

    Attributes:
        outcomes: those of the distribution, in order.
        observed: the count of each.
        probabilities: exact, positive, with the sum 1.
        impossible: the number of observations that can't occur.
        ordered: whether outcomes lie on a line (totals, lengths), so that neighbours are pooled.
    """

    outcomes: tuple[Any, ...]
    observed: tuple[int, ...]
    probabilities: tuple[Fraction, ...]
    impossible: int = 0
    ordered: bool = False

    @property
    def n(self) -> int:
        """The number of observations."""
        return sum(self.observed) + self.impossible

    @property
    def expected(self) -> tuple[Fraction, ...]:
        """The expected count of each outcome."""
        n = self.n
        return tuple(n * p for p in self.probabilities)

    def pooled(self, min_expected: int = MIN_EXPECTED) -> "Cells":
        """The cells, with those whose expected count is below `min_expected` pooled.

        The rule sees expected counts only, so it keeps the level. Ordered outcomes: neighbours are
        joined from the left until they reach `min_expected`, and the rest joins the last cell.
        Otherwise all sparse cells become one, which takes in the next smallest while sparse.

        >>> from sevenout.rolling import Law
        >>> cells = cells_of({1: 30, 2: 28, 3: 1, 4: 1}, Law({1: 26, 2: 28, 3: 3, 4: 3}))
        >>> [str(outcome) for outcome in cells.pooled().outcomes], cells.pooled().observed
        (['1', '2', '3 or 4'], (30, 28, 2))
        """
        sparse = [i for i, e in enumerate(self.expected) if e < min_expected]
        if not sparse:
            return self
        groups = (
            self._pooled_neighbours(min_expected)
            if self.ordered
            else self._pooled_smallest(sparse, min_expected)
        )

        def pool(group: list[int]) -> tuple[Any, int, Fraction]:
            outcomes = tuple(self.outcomes[i] for i in group)
            return (
                outcomes[0] if len(group) == 1 else Pooled(outcomes),
                sum(self.observed[i] for i in group),
                sum((self.probabilities[i] for i in group), Fraction(0)),
            )

        outcomes, observed, probabilities = zip(*map(pool, groups), strict=True)
        return replace(self, outcomes=outcomes, observed=observed, probabilities=probabilities)

    def _pooled_neighbours(self, min_expected: int) -> list[list[int]]:
        """The indices of ordered cells; neighbours are pooled until enough is expected in each."""
        groups: list[list[int]] = [[]]
        weight = Fraction(0)
        for i, e in enumerate(self.expected):
            if weight >= min_expected:
                groups.append([])
                weight = Fraction(0)
            groups[-1].append(i)
            weight += e
        # the tail joins the last cell, or it would be sparse itself
        if weight < min_expected and len(groups) > 1:
            tail = groups.pop()
            groups[-1] += tail
        return groups

    def _pooled_smallest(self, sparse: list[int], min_expected: int) -> list[list[int]]:
        """The indices of the cells, the sparse ones pooled, with the smallest others if need be."""
        expected = self.expected
        pooled = list(sparse)
        # the smallest of the others first, so that the pool grows as little as it must
        others = sorted(set(range(len(expected))) - set(pooled), key=expected.__getitem__)
        while others and sum(expected[i] for i in pooled) < min_expected:
            pooled.append(others.pop(0))
        return [[i] for i in sorted(others)] + [pooled]


@public
def cells_of(
    counts: Mapping[Any, int], law: Mapping[Any, Fraction], *, ordered: bool = False
) -> Cells:
    """Counts beside a distribution.

    >>> from sevenout.rolling import d6
    >>> cells_of({1: 4, 6: 8}, d6.law).observed
    (4, 0, 0, 0, 0, 8)

    Args:
        counts: of each outcome; outcomes not in the distribution count as impossible.
        law: the probability of each outcome.
        ordered: whether outcomes lie on a line; they are sorted and pooled with neighbours.

    Raises:
        DataError: a count that is negative or not an integer; nothing observed.
    """
    for outcome, count in counts.items():
        if not isinstance(count, int) or count < 0:
            raise DataError(f"the count of {outcome!r} is {count!r}; it must be a whole number")
    # an outcome of probability 0 is impossible, and no cell
    outcomes: Iterable[Any] = [x for x, p in law.items() if p]
    outcomes = tuple(sorted(outcomes) if ordered else outcomes)
    observed = tuple(counts.get(x, 0) for x in outcomes)
    n = sum(counts.values())
    if not n:
        raise DataError("nothing was observed; give one count above 0 or more")
    return Cells(
        outcomes, observed, tuple(Fraction(law[x]) for x in outcomes), n - sum(observed), ordered
    )


@dataclass(frozen=True)
class Check:
    """The result of one test.

    >>> Check("sign test", 0.25, 1.0).p_value
    0.25

    Attributes:
        name: of the test.
        p_value: the probability of data at least this extreme under the hypothesis.
        statistic: the value that the test is based on.
        df: its degrees of freedom, if any.
        error: the standard error of a Monte Carlo `p_value`.
        exact: the p-value as a fraction, if enumerated.
        note: the method, in words.
    """

    name: str
    p_value: float
    statistic: float
    df: int | None = None
    error: float | None = None
    exact: Fraction | None = None
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        plain = {
            "test": self.name,
            "p_value": self.p_value,
            "statistic": json_float(self.statistic),
            "df": self.df,
            "standard_error": self.error,
            "exact": None if self.exact is None else str(self.exact),
            "note": self.note or None,
        }
        return {key: value for key, value in plain.items() if value is not None}


def json_float(x: float) -> float | str:
    """A number for JSON; infinities become "inf" or "-inf".

    >>> json_float(0.5), json_float(float("inf"))
    (0.5, 'inf')
    """
    return x if isfinite(x) else str(x)


def random_generator(seed: int) -> Any:
    """NumPy's generator for a seed.

    Raises:
        DataError: a seed below 0.
    """
    from numpy.random import default_rng

    if seed < 0:
        raise DataError(f"seed={seed}; give 0 or more")
    return default_rng(seed)


def parse_confidence(confidence: Number) -> Fraction:
    """A confidence as a fraction; the level of the test is 1 - confidence.

    >>> parse_confidence("95%"), parse_confidence("0.99"), parse_confidence(Fraction(19, 20))
    (Fraction(19, 20), Fraction(99, 100), Fraction(19, 20))

    Raises:
        DataError: a float, no number, or a number not between 0 and 1.
    """
    return _exact_share("a confidence of ", confidence, "'95%', '19/20' or '0.95'")


def parse_probability(name: str, value: Number) -> Fraction:
    """An exact probability strictly between 0 and 1, written like a confidence.

    >>> parse_probability("p", "244/495"), parse_probability("p", "49%")
    (Fraction(244, 495), Fraction(49, 100))

    Raises:
        DataError: a float, no number, or a number not between 0 and 1.
    """
    return _exact_share(f"{name}=", value, "'244/495', '0.49' or '49%'")


def _exact_share(label: str, value: Number, examples: str) -> Fraction:
    """A share between 0 and 1, exactly; `label` and `examples` are for the message."""
    try:
        p = exact(value)
    except RulesError:
        raise DataError(f"{label}{shown(value)}; write it as {examples}") from None
    # at 0 or 1 every test rejects, or none
    if not 0 < p < 1:
        raise DataError(
            f"{label}{printable(str(value), 60)}; give one between 0 and 1, such as {examples}"
        )
    return p


def percentage(confidence: Fraction) -> str:
    """A confidence in print.

    >>> percentage(Fraction(19, 20)), percentage(Fraction(999, 1000))
    ('95 %', '99.9 %')
    """
    return f"{100 * float(confidence):.10g} %"


@public
def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values adjusted after Holm (1979), in the order given.

    Rejecting those at or below α makes any false rejection at most α likely, whatever the
    dependence of the tests.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)

    Raises:
        DataError: a p-value outside 0 to 1.
    """
    for p in p_values:
        if not 0 <= p <= 1:
            raise DataError(f"a p-value of {p}; give one between 0 and 1")
    # from the smallest, times the number of those left; never below an earlier one
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = largest
    return tuple(adjusted)


def holm_adjusted(p_values: Mapping[str, float]) -> dict[str, float]:
    """The adjusted p-value of each test.

    >>> holm_adjusted({"the mean": 0.01, "the shares": 0.5})
    {'the mean': 0.02, 'the shares': 0.5}
    """
    return dict(zip(p_values, holm(list(p_values.values())), strict=True))
