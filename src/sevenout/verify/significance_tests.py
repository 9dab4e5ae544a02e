"""Tests of one hypothesis: the fit of counts, independence, a proportion, and evidence as it comes.

*Fit.* Pearson's chi-square (1900) and the likelihood ratio G (Wilks 1935) use their limit
distribution, with sparse cells pooled. The exact multinomial test adds the probabilities of all
tables no likelier than the observed one: by enumeration in integers, or by seeded Monte Carlo if
there are too many. The enumeration lists the tables up to symmetry: cells with the same probability
may be exchanged. One table of each orbit is listed, with the size of the orbit: 100 rolls of a fair
d6 have 96,560,646 tables but 189,509 orbits.

*Independence*, of successive rolls and of dice rolled together. Each test is conditional on the
frequencies of the faces: a biased die with independent rolls passes.

*A proportion*: the exact binomial test, and two intervals.

*Evidence*: the Bayes factor, and an anytime-valid test. Both are the likelihood ratio of a
Dirichlet mixture against the tested distribution. At the end it is the Bayes factor (Good 1967).
During the rolls it is a martingale of mean 1, which ever reaches 1/α with probability at most α
(Ville 1939; Ramdas, Grünwald, Vovk and Shafer 2023). See docs/howto/verify.md.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise
from math import comb, erfc, exp, factorial, inf, lcm, log, pi, prod, sqrt
from typing import TYPE_CHECKING, Any

from sevenout.errors import shown
from sevenout.extras import require
from sevenout.numerals import Number
from sevenout.verify.counts import (
    MIN_EXPECTED,
    Cells,
    Check,
    DataError,
    cells_of,
    parse_confidence,
    random_generator,
)
from sevenout.wrong_arguments import public

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

MAX_ORBITS = 250_000
"""The most orbits to enumerate (a second or two); beyond, tables are drawn at random."""
MAX_ROLLS, MAX_CELLS, MAX_WORK = 2_000, 300, 33_000_000
"""The most rolls, cells, and orbits × rolls to enumerate: the integers grow with the rolls."""

DRAWS = 100_000
"""Random tables of a Monte Carlo p-value; its standard error is at most 0.0016."""
# drawn numbers at a time: 2 MB
_CHUNK = 1 << 18
# tables with log-probabilities this close count as equally likely: floats err by less
_TIE = 1e-9

SHUFFLES = 10_000
"""Random tables of a test of independence."""
MIN_ORDERED_ROLLS = 60
"""With fewer rolls than this, their order is not tested."""

MAX_TRIALS = 1 << 53
"""SciPy counts in floats, which hold no larger whole numbers one by one."""

_HALF_LOG_2PI = log(2 * pi) / 2


def table_count(n: int, cell_keys: Sequence[Hashable], max_orbits: int = MAX_ORBITS) -> int | None:
    """The number of orbits; None if they are more than `max_orbits`, or too much work.

    >>> table_count(100, "......"), table_count(100, "abcdef")
    (189509, None)

    Args:
        n: the number of rolls.
        cell_keys: a key for each cell, equal for cells with equal probability.
        max_orbits: the most that are counted.
    """
    sizes = Counter(cell_keys).values()
    if n > MAX_ROLLS or len(cell_keys) > MAX_CELLS:
        return None
    # an orbit is no larger than its group
    if comb(n + len(cell_keys) - 1, len(cell_keys) - 1) > max_orbits * prod(map(factorial, sizes)):
        return None
    ways = [1] + [0] * n
    for size in sizes:
        # partitions into at most `size` parts are as many as those into parts of at most `size`
        parts = [1] + [0] * n
        for part in range(1, size + 1):
            for t in range(part, n + 1):
                parts[t] += parts[t - part]
        ways = [sum(ways[s] * parts[t - s] for s in range(t + 1)) for t in range(n + 1)]
    return ways[n] if ways[n] <= min(max_orbits, MAX_WORK // max(n, 1)) else None


def tables(n: int, cell_keys: Sequence[Hashable]) -> Iterator[tuple[tuple[int, ...], int]]:
    """One table of each orbit, with the size of the orbit.

    >>> sorted(tables(2, "..x"))
    [((0, 0, 2), 1), ((1, 0, 1), 2), ((1, 1, 0), 1), ((2, 0, 0), 2)]

    Args:
        n: the number of rolls.
        cell_keys: a key for each cell; cells with equal probability are neighbours with equal keys.
    """
    runs = [len(list(run)) for _, run in groupby(cell_keys)]
    starts = {sum(runs[:i]) for i in range(len(runs))}
    last = len(cell_keys) - 1
    # the number of cells of the same kind still to fill
    cells_left = [0] * len(cell_keys)
    for i in reversed(range(len(cell_keys))):
        cells_left[i] = 1 if i == last or i + 1 in starts else cells_left[i + 1] + 1
    table = [0] * len(cell_keys)

    def fill(i: int, rolls_left: int) -> Iterator[tuple[int, ...]]:
        largest = rolls_left if i in starts else min(rolls_left, table[i - 1])
        smallest = 0
        # the last kind takes the rest, in falling order
        if i + cells_left[i] > last:
            smallest = -(-rolls_left // cells_left[i])
        for x in range(smallest, largest + 1):
            table[i] = x
            if i == last:
                yield tuple(table)
            else:
                yield from fill(i + 1, rolls_left - x)

    bounds = [*sorted(starts), len(cell_keys)]
    for filled in fill(0, n):
        size = 1
        for a, b in pairwise(bounds):
            if b - a > 1:
                repeats = Counter(filled[a:b]).values()
                size *= factorial(b - a) // prod(map(factorial, repeats))
        yield filled, size


def table_weight(table: Sequence[int], weights: Sequence[int]) -> int:
    """The multinomial weight of a table, out of (sum of weights)^n.

    >>> table_weight([1, 1], [1, 2])
    4
    """
    coefficient = factorial(sum(table)) // prod(map(factorial, table))
    powers: list[int] = [w**x for w, x in zip(weights, table, strict=True)]
    return coefficient * prod(powers)


@public
def chi_square(cells: Cells, min_expected: int = MIN_EXPECTED, fitted: int = 0) -> Check:
    """Pearson's chi-square test, on pooled cells.

    >>> from sevenout.rolling import d6
    >>> from sevenout.verify import cells_of
    >>> check = chi_square(cells_of({1: 15, 2: 7, 3: 4, 4: 11, 5: 6, 6: 17}, d6.law))
    >>> round(check.statistic, 9), check.df, round(check.p_value, 4)
    (13.6, 5, 0.0184)

    Args:
        cells: counts and probabilities.
        min_expected: cells with a smaller expected count are pooled.
        fitted: parameters fitted to the same counts; each costs a degree of freedom.
    """
    pooled = cells.pooled(min_expected)
    n = pooled.n
    terms = zip(pooled.observed, pooled.probabilities, strict=True)
    statistic = sum(float((o - n * p) ** 2 / (n * p)) for o, p in terms)
    return _chi_square_check("chi-square", statistic, pooled, cells, fitted)


@public
def g_test(cells: Cells, min_expected: int = MIN_EXPECTED, fitted: int = 0) -> Check:
    """The likelihood-ratio (G) test, on pooled cells.

    The sum of E φ(d/E), d = O - E and φ(x) = (1+x) log(1+x) - x, stays precise if 10^15
    observations differ little from their expected values.

    >>> from sevenout.rolling import d6
    >>> from sevenout.verify import cells_of
    >>> round(g_test(cells_of({1: 15, 2: 7, 3: 4, 4: 11, 5: 6, 6: 17}, d6.law)).statistic, 3)
    13.848
    """
    pooled = cells.pooled(min_expected)
    statistic = 2 * float(divergence(*_expected(pooled)).sum())
    return _chi_square_check("G", statistic, pooled, cells, fitted)


def _expected(cells: Cells) -> "tuple[Floats, Floats]":
    """The expected counts, and the excess of the observed ones over them, as floats."""
    import numpy as np

    # the excess is taken in fractions: of 10^15 rolls a float keeps too few digits
    excess = [float(o - e) for o, e in zip(cells.observed, cells.expected, strict=True)]
    return np.array(cells.expected, float), np.array(excess)


def divergence(expected: "Floats | float", excess: "Floats | float") -> "Floats":
    """E φ(d/E) with φ(x) = (1+x) log(1+x) - x, to full precision.

    >>> float(divergence(1e15, 1e7)) == 0.05 * (1 - 1e-8 / 3), float(divergence(2.0, -2.0))
    (True, 2.0)
    """
    import numpy as np

    x = np.asarray(excess) / expected
    # for small x the terms cancel, and the series of 14 terms is right to the last digit
    near = np.abs(x) <= 0.05
    small = np.where(near, x, 0.0)
    series, power = np.zeros_like(x), small * small
    for k in range(2, 16):
        series += power / (k * (k - 1))
        power *= -small
    # nothing observed: the logarithm has no value there
    none = x <= -1
    large = np.where(near | none, 1.0, x)
    phi = np.where(near, series, np.where(none, 1.0, (1 + large) * np.log1p(large) - large))
    product: Floats = expected * phi
    return product


def _chi_square_check(
    name: str, statistic: float, pooled: Cells, cells: Cells, fitted: int
) -> Check:
    """A check by the chi-square limit, or why it has none; `fitted` parameters were estimated."""
    require("scipy", "verify")
    from scipy.stats import chi2

    if fitted < 0:
        raise DataError(f"fitted={fitted}; give the number of fitted parameters, 0 or more")
    df = len(pooled.observed) - 1 - fitted
    pooled_away = len(cells.observed) - len(pooled.observed)
    note = f"{pooled_away + 1} sparse cells pooled" if pooled_away and not cells.ordered else ""
    if pooled_away and cells.ordered:
        note = f"{len(cells.observed)} cells pooled to {len(pooled.observed)}"
    # one such observation refutes the hypothesis, whatever the others
    if cells.impossible:
        note = f"{cells.impossible:,} observations of what can't occur"
        return Check(name, 0.0, float("inf"), df, note=note)
    # everything was pooled into one cell, which is always full
    if df < 1:
        why = "too few observations" if len(cells.observed) > 1 else "only one result is possible"
        return Check(name, 1.0, 0.0, 0, note=why)
    return Check(name, float(chi2.sf(statistic, df)), statistic, df, note=note)


@public
def multinomial_test(
    cells: Cells, *, seed: int = 1, draws: int = DRAWS, max_orbits: int = MAX_ORBITS
) -> Check:
    """The exact multinomial test; the statistic is the logarithm of the table's probability.

    The p-value is the probability of all tables no likelier than the observed one.

    >>> from sevenout.rolling import d6
    >>> from sevenout.verify import cells_of
    >>> multinomial_test(cells_of({6: 3}, d6.law)).exact
    Fraction(1, 36)

    Args:
        cells: counts and probabilities; nothing is pooled.
        seed: of the Monte Carlo draws.
        draws: their number; the p-value is (1 + those no likelier) / (1 + draws).
        max_orbits: the most tables to enumerate, up to symmetry.

    Raises:
        DataError: a seed below 0, or fewer draws than 1.
    """
    # also if the enumeration needs none: a wrong argument is no matter of the data
    if draws < 1:
        raise DataError(f"{draws} draws; make 1 or more")
    name = "exact multinomial"
    if cells.impossible:
        note = f"{cells.impossible:,} observations of what can't occur"
        return Check(name, 0.0, float("-inf"), exact=Fraction(0), note=note)
    probabilities = sorted(cells.probabilities)
    count = table_count(cells.n, probabilities, max_orbits)
    if count is None:
        return _monte_carlo(name, cells, seed, draws)
    # integers of one denominator, so that equally likely tables compare as equal
    common = lcm(*(p.denominator for p in probabilities))
    weights = [int(p * common) for p in probabilities]
    observed = [o for _, o in sorted(zip(cells.probabilities, cells.observed, strict=True))]
    observed_weight = table_weight(observed, weights)
    tail = 0
    for table, size in tables(cells.n, probabilities):
        weight = table_weight(table, weights)
        if weight <= observed_weight:
            tail += weight * size
    p = Fraction(tail, common**cells.n)
    log_probability = float(_log_probability(cells.n, cells.observed, *_expected(cells)))
    return Check(name, float(p), log_probability, exact=p, note=f"by enumeration, {count:,} tables")


def _log_probability(n: int, counts: Any, expected: "Floats", excess: "Floats") -> Any:
    """The log-probability of a table, or of many, by Stirling's formula; large terms cancel."""
    return _log_factorial_rest(n) - (
        divergence(expected, excess) + _log_factorial_rest(counts)
    ).sum(axis=-1)


def _log_factorial_rest(n: Any) -> "Floats":
    """Log n! less n log n - n."""
    import numpy as np

    # for n = 0 it is 0, where the formula has no value
    positive = np.maximum(n, 1.0)
    formula = _HALF_LOG_2PI + np.log(positive) / 2 + _stirling(positive)
    rest: Floats = np.where(positive > n, 0.0, formula)
    return rest


def _monte_carlo(name: str, cells: Cells, seed: int, draws: int) -> Check:
    """The multinomial test by simulated tables: the share of them that are no likelier."""
    import numpy as np

    n = cells.n
    p = np.array(cells.probabilities, float)
    p /= p.sum()
    expected, excess = _expected(cells)
    observed = float(_log_probability(n, cells.observed, expected, excess))
    rng = random_generator(seed)
    no_likelier, draws_left, chunk = 0, draws, max(1, _CHUNK // len(p))
    while draws_left:
        size = min(chunk, draws_left)
        drawn = rng.multinomial(n, p, size)
        log_probabilities = _log_probability(n, drawn, expected, drawn - expected)
        no_likelier += int((log_probabilities <= observed + _TIE).sum())
        draws_left -= size
    # the observed table counts as one of the draws, so that the p-value keeps its level
    estimate = (1 + no_likelier) / (1 + draws)
    draws_in_words = f"{draws:,} draws, seed {seed}"
    if not no_likelier and (bound := _rarer_than_draws(cells, observed))[0] < estimate:
        return Check(name, bound[0], observed, note=f"{bound[1]}; none of {draws_in_words}")
    error = sqrt(estimate * (1 - estimate) / draws)
    return Check(name, estimate, observed, error=error, note=f"Monte Carlo, {draws_in_words}")


def _rarer_than_draws(cells: Cells, observed: float) -> tuple[float, str]:
    """The p-value of a table less likely than every draw.

    It is bounded by the number of all tables, or comes from chi-square if no cell is sparse.
    """
    k, n = len(cells.outcomes), cells.n
    # the logarithm of C(n + k - 1, k - 1) is at most this
    tables = (k - 1) * (1 + log((n + k - 1) / (k - 1))) if k > 1 else 0.0
    bound = exp(min(0.0, observed + tables)), "at most, by the number of tables"
    if min(cells.expected) < MIN_EXPECTED:
        return bound
    return min((chi_square(cells).p_value, "by chi-square"), bound)


def order_tests(
    counts: Mapping[Any, int], joint: Mapping[tuple[Any, Any], int], seed: int = 1
) -> tuple[Check, ...]:
    """The runs test and the test of successive pairs; none for under 60 rolls or a one-faced die.

    >>> order_tests({1: 10, 2: 19}, {(1, 2): 10, (2, 1): 9, (2, 2): 9})
    ()

    Args:
        counts: of each face of the die.
        joint: of each pair of successive faces.
        seed: of the random tables if pairs are sparse.
    """
    # the normal limit of the runs needs some rolls, and a die of one face has no order
    if sum(counts.values()) < MIN_ORDERED_ROLLS or len(counts) < 2:
        return ()
    runs = 1 + sum(n for (a, b), n in joint.items() if a != b)
    return (
        runs_test_of_counts(runs, counts.values()),
        pairs_test_of_counts(joint, name="serial pairs", seed=seed),
    )


@public
def runs_test(rolls: Sequence[Hashable]) -> Check:
    """The two-sided test of the number of runs of equal faces, given the counts of the faces.

    Mean and variance after Barton and David (1957), normal limit.

    >>> runs_test([1, 2] * 50).p_value < 1e-20
    True

    Raises:
        DataError: fewer than two rolls.
    """
    if len(rolls) < 2:
        raise DataError(f"{len(rolls)} rolls; runs need 2 or more")
    runs = 1 + sum(a != b for a, b in pairwise(rolls))
    return runs_test_of_counts(runs, Counter(rolls).values())


def runs_test_of_counts(runs: int, counts: Collection[int]) -> Check:
    """The runs test by its limit distribution, from counts.

    >>> runs_test_of_counts(100, [50, 50]).statistic > 9
    True
    """
    n = sum(counts)
    squares, cubes = sum(c**2 for c in counts), sum(c**3 for c in counts)
    mean = n + 1 - squares / n
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n * n * (n - 1))
    if variance <= 0:
        return Check("runs", 1.0, 0.0, note="the same number of runs in every order")
    z = (runs - mean) / sqrt(variance)
    note = f"{runs:,} runs, {mean:,.1f} expected"
    return Check("runs", erfc(abs(z) / sqrt(2)), z, note=note)


@public
def serial_test(
    rolls: Sequence[Hashable], lag: int = 1, *, seed: int = 1, shuffles: int = SHUFFLES
) -> Check:
    """Whether a roll depends on the one `lag` before it: chi-square on their table.

    The pairs overlap, but with margins estimated from the same rolls the limit distribution is
    still chi-square with (k-1)² degrees of freedom (Anderson and Goodman 1957).

    >>> serial_test([1, 2, 3] * 40).p_value < 1e-20
    True

    Raises:
        DataError: no pair of rolls that far apart.
    """
    if len(rolls) < 2:
        raise DataError(f"too few rolls for a pair, {len(rolls)}; give 2 or more")
    if not 1 <= lag < len(rolls):
        raise DataError(
            f"a lag of {lag} in {len(rolls)} rolls; give a lag from 1 to {len(rolls) - 1}"
        )
    name = "serial pairs" if lag == 1 else f"pairs {lag} apart"
    return pairs_test(rolls[:-lag], rolls[lag:], name=name, seed=seed, shuffles=shuffles)


@public
def pairs_test(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    name: str = "pairs of dice",
    seed: int = 1,
    shuffles: int = SHUFFLES,
) -> Check:
    """Whether two dice rolled together are independent: chi-square on their contingency table.

    If an expected count is below 5, the p-value comes from seeded random tables with the same
    margins (Patefield 1981), with its standard error.

    >>> pairs_test([1, 1, 2, 2] * 10, [1, 2, 1, 2] * 10).p_value
    1.0

    Raises:
        DataError: sequences of different lengths, or empty ones.
    """
    if len(first) != len(second) or not first:
        raise DataError(
            f"{len(first)} and {len(second)} faces; give equally many of each, 1 or more"
        )
    joint = Counter(zip(first, second, strict=True))
    return pairs_test_of_counts(joint, name=name, seed=seed, shuffles=shuffles)


def pairs_test_of_counts(
    joint: Mapping[tuple[Any, Any], int],
    *,
    name: str = "pairs of dice",
    seed: int = 1,
    shuffles: int = SHUFFLES,
) -> Check:
    """`pairs_test` from the counts of the pairs.

    >>> pairs_test_of_counts({(1, 1): 10, (1, 2): 10, (2, 1): 10, (2, 2): 10}).p_value
    1.0
    """
    require("scipy", "verify")
    import numpy as np
    from scipy.stats import chi2_contingency, random_table

    if shuffles < 1:
        raise DataError(f"{shuffles} shuffles; make 1 or more")
    # SciPy refuses a row or a column of zeros
    pairs = [pair for pair, n in joint.items() if n]
    rows, columns = (dict.fromkeys(faces) for faces in zip(*pairs, strict=True))
    table = np.array([[joint.get((a, b), 0) for b in columns] for a in rows])
    if min(table.shape) < 2:
        return Check(name, 1.0, 0.0, 0, note="one face only: nothing to depend on")
    limit = chi2_contingency(table, correction=False)
    statistic, df, expected = float(limit.statistic), int(limit.dof), limit.expected_freq
    if expected.min() >= MIN_EXPECTED:
        return Check(name, float(limit.pvalue), statistic, df)
    as_extreme, shuffles_left = 0, shuffles
    margins = random_table(table.sum(axis=1), table.sum(axis=0), seed=random_generator(seed))
    while shuffles_left:
        # tables at a time, so that those of dice with many faces fit the memory
        size = min(shuffles_left, 1000)
        drawn = margins.rvs(size)
        statistics = ((drawn - expected) ** 2 / expected).sum(axis=(1, 2))
        # equal statistics differ by rounding
        as_extreme += int((statistics >= statistic - 1e-9).sum())
        shuffles_left -= size
    p = (1 + as_extreme) / (1 + shuffles)
    return Check(
        name,
        p,
        statistic,
        df,
        error=sqrt(p * (1 - p) / shuffles),
        note=f"sparse table; {shuffles:,} random orders, seed {seed}",
    )


@dataclass(frozen=True)
class ConfidenceInterval:
    """A confidence interval for a probability.

    >>> interval = wilson(5, 10)
    >>> interval.low < 0.5 < interval.high
    True

    Attributes:
        low: its lower end.
        high: its upper end.
        confidence: the probability of coverage, at least or about.
        method: its name.
    """

    low: float
    high: float
    confidence: Fraction
    method: str

    def __contains__(self, p: object) -> bool:
        return isinstance(p, int | float | Fraction) and self.low <= p <= self.high

    def __str__(self) -> str:
        return f"{self.low:.6g} to {self.high:.6g}"


@public
def binomial_test(hits: int, n: int, p: Fraction | float, alternative: str = "two-sided") -> Check:
    """The exact binomial test; two-sided by likelihood, as in SciPy's `binomtest`.

    >>> binomial_test(9, 10, Fraction(1, 2)).p_value == 22 / 1024
    True

    Args:
        hits: the number of successes.
        n: the number of trials.
        p: the tested probability.
        alternative: "two-sided", "less" or "greater".

    Raises:
        DataError: hits outside 0 to n, no trials, a probability outside 0 to 1, or another
            alternative.
    """
    require("scipy", "verify")
    from scipy.stats import binomtest

    _check_hits(hits, n)
    if not 0 <= p <= 1:
        raise DataError(f"a probability of {p}; give one between 0 and 1")
    if alternative not in ("two-sided", "less", "greater"):
        raise DataError(f"alternative={alternative!r}; choose two-sided, less or greater")
    result = binomtest(hits, n, float(p), alternative)
    return Check("exact binomial", float(result.pvalue), hits / n, note=alternative)


@public
def clopper_pearson(hits: int, n: int, confidence: Number = "95%") -> ConfidenceInterval:
    """The exact interval of Clopper and Pearson (1934); coverage is at least the confidence.

    >>> str(clopper_pearson(0, 10))
    '0 to 0.308497'
    """
    return _interval(hits, n, confidence, "exact", "Clopper-Pearson")


@public
def wilson(hits: int, n: int, confidence: Number = "95%") -> ConfidenceInterval:
    """The score interval of Wilson (1927): shorter, with the right coverage on average.

    >>> str(wilson(5, 10))
    '0.236593 to 0.763407'
    """
    return _interval(hits, n, confidence, "wilson", "Wilson")


def _interval(hits: int, n: int, confidence: Number, method: str, name: str) -> ConfidenceInterval:
    """A confidence interval of a share, by a method of SciPy's `proportion_ci`."""
    require("scipy", "verify")
    from scipy.stats import binomtest

    _check_hits(hits, n)
    exact_confidence = parse_confidence(confidence)
    # the interval does not depend on the tested probability
    interval = binomtest(hits, n, 0.5).proportion_ci(float(exact_confidence), method)
    return ConfidenceInterval(float(interval.low), float(interval.high), exact_confidence, name)


def _check_hits(hits: int, n: int) -> None:
    """Refuse numbers of hits and trials that contradict each other."""
    if not 1 <= n <= MAX_TRIALS:
        raise DataError(f"{shown(n)} trials; give a number from 1 to {MAX_TRIALS:,}")
    if not 0 <= hits <= n:
        raise DataError(f"{hits} hits out of {n}; give 0 to {n}")


@public
def bayes_factor(cells: Cells, strength: float | None = None) -> float:
    """The likelihood ratio of a biased distribution against the stated one.

    The prior is Dirichlet(strength × p) for the stated distribution p. The default strength is the
    number of outcomes: for a fair die, the uniform prior over all dice. An impossible observation
    makes the factor infinite.

    >>> from sevenout.rolling import Law
    >>> round(bayes_factor(cells_of({"heads": 10, "tails": 0}, Law({"heads": 1, "tails": 1}))), 4)
    93.0909

    Raises:
        DataError: a strength that is not positive.
    """
    ratio = log_ratio(cells, len(cells.outcomes) if strength is None else strength)
    # beyond, a float overflows
    return exp(ratio) if ratio < 709 else inf


def log_ratio(cells: Cells, strength: float) -> float:
    """The logarithm of the mixture's likelihood ratio, to full precision for any number of rolls.

    The large terms of Stirling's formula cancel. Half the G statistic of the counts with the
    imagined rolls remains, and small terms.

    >>> round(log_ratio(Cells((1, 2), (3, 7), (Fraction(1, 2), Fraction(1, 2))), 2.0), 6)
    -0.253915

    Raises:
        DataError: a strength that is not positive.
    """
    return _log_ratios(cells, [strength])[0]


def _log_ratios(cells: Cells, strengths: Sequence[float]) -> list[float]:
    """The log of the likelihood ratio of each mixture to the hypothesis, by its strength."""
    import numpy as np

    if not min(strengths) > 0:
        raise DataError(f"a prior strength of {min(strengths)}; it must be above 0")
    if cells.impossible:
        return [inf] * len(strengths)
    strength, n = np.array(strengths, float), float(cells.n)
    expected, excess = _expected(cells)
    seen = np.array(cells.observed, float)
    # a row for each strength, a column for each outcome
    prior = strength[:, None] * np.array(cells.probabilities, float)
    terms = divergence(expected + prior, excess) - np.log1p(seen / prior) / 2
    terms += _stirling(seen + prior) - _stirling(prior)
    whole = np.log1p(n / strength) / 2 + _stirling(strength) - _stirling(strength + n)
    ratios: list[float] = (whole + terms.sum(axis=1)).tolist()
    return ratios


def _stirling(x: Any) -> "Floats":
    """Log Γ(x) less Stirling's formula (x - 1/2) log x - x + log(2π)/2."""
    import numpy as np
    from scipy.special import gammaln

    # from 20 on the series is right to 2e-15, where the difference would cancel
    y = 1 / np.maximum(x, 20.0) ** 2
    series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) * np.sqrt(y)
    small = np.minimum(x, 20.0)
    formula = (small - 0.5) * np.log(small) - small + _HALF_LOG_2PI
    rest: Floats = np.where(small < 20, gammaln(small) - formula, series)
    return rest


@dataclass(frozen=True)
class Watch:
    """An anytime-valid test, immutable: each look returns a new one.

    >>> from sevenout.rolling import d6
    >>> watch = Watch.starting(d6.law)
    >>> for _ in range(3):
    ...     watch = watch.look({6: 40, 1: 20, 2: 20, 3: 20, 4: 20, 5: 20})
    >>> watch.n, watch.rejected_at, round(watch.p_value, 5)
    (420, 280, 6e-05)

    Attributes:
        cells: the counts so far beside the distribution.
        confidence: the least probability that a true distribution is never rejected.
        strengths: the priors, mixed in equal parts; strong ones find small biases.
        log_e: the logarithm of the current e-value.
        log_peak: the logarithm of the largest e-value so far.
        rejected_at: the number of rolls when the e-value reached 1/(1 - confidence), or None.
    """

    cells: Cells
    confidence: Fraction
    strengths: tuple[float, ...]
    log_e: float = 0.0
    log_peak: float = 0.0
    rejected_at: int | None = None

    @classmethod
    def starting(
        cls,
        law: Mapping[Any, Fraction],
        confidence: Number = "95%",
        strengths: Sequence[float] | None = None,
    ) -> "Watch":
        """A test of a distribution, before the first roll.

        The default strengths of the priors are k, 10k, ..., 10,000k for k outcomes.

        Raises:
            DataError: a confidence not between 0 and 1, or a strength that is not positive.
        """
        exact_confidence = parse_confidence(confidence)
        outcomes = tuple(x for x, p in law.items() if p)
        if strengths is None:
            strengths = [len(outcomes) * 10.0**j for j in range(5)]
        if not strengths or min(strengths) <= 0:
            raise DataError(f"prior strengths {list(strengths)}; give one or more, all above 0")
        nothing = (0,) * len(outcomes)
        cells = Cells(outcomes, nothing, tuple(Fraction(law[x]) for x in outcomes))
        return cls(cells, exact_confidence, tuple(strengths))

    @property
    def n(self) -> int:
        """The number of rolls so far."""
        return self.cells.n

    @property
    def e_value(self) -> float:
        """The current e-value; its mean is 1 if the distribution is true."""
        return exp(self.log_e) if self.log_e < 709 else inf

    @property
    def p_value(self) -> float:
        """A p-value that is valid at any number of looks and any stopping time."""
        return min(1.0, exp(-self.log_peak))

    @property
    def rejected(self) -> bool:
        """Whether any look rejected the distribution."""
        return self.rejected_at is not None

    def look(self, counts: Mapping[Any, int]) -> "Watch":
        """The test after more rolls, given as counts.

        Raises:
            DataError: a count that is not a whole number; no rolls.
        """
        law = dict(zip(self.cells.outcomes, self.cells.probabilities, strict=True))
        added = cells_of(counts, law)
        cells = replace(
            self.cells,
            observed=tuple(map(sum, zip(self.cells.observed, added.observed, strict=True))),
            impossible=self.cells.impossible + added.impossible,
        )
        ratios = _log_ratios(cells, self.strengths)
        # the mean of exponentials, with the largest taken out since it may overflow
        top = max(ratios)
        log_e = top if top == inf else top + log(sum(exp(r - top) for r in ratios) / len(ratios))
        rejected_at = self.rejected_at
        if rejected_at is None and log_e >= -log(1 - self.confidence):
            rejected_at = cells.n
        return replace(
            self,
            cells=cells,
            log_e=log_e,
            log_peak=max(self.log_peak, log_e),
            rejected_at=rejected_at,
        )


class WatchFamily:
    """A family of anytime-valid tests by name, with a joint confidence.

    Attributes:
        error_left: the error that later tests may still spend.
        watches: the tests so far.
        rejected_at_line: for each test that has rejected, the line by which it did.
    """

    def __init__(self, confidence: Fraction) -> None:
        self.error_left = 1 - confidence
        self.watches: dict[str, Watch] = {}
        self.rejected_at_line: dict[str, int] = {}

    def look(
        self, name: str, law: Mapping[Any, Fraction], counts: Mapping[Any, int], line_number: int
    ) -> None:
        """Add the rolls up to line `line_number` to a test.

        A new test takes half of the remaining error, so the family keeps its confidence.
        """
        # dice with a single outcome leave nothing to test
        if not sum(counts.values()) or len(law) < 2:
            return
        # how many tests there will be is not known: 1/2 + 1/4 + ... of the error
        if name not in self.watches:
            self.error_left /= 2
            self.watches[name] = Watch.starting(law, 1 - self.error_left)
        watch = self.watches[name] = self.watches[name].look(counts)
        if watch.rejected:
            self.rejected_at_line.setdefault(name, line_number)
