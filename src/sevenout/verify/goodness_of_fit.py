"""Goodness of fit of counts to a distribution.

Pearson's chi-square (1900) and the likelihood ratio G (Wilks 1935) use their limit distribution,
with sparse cells pooled. The exact multinomial test adds the probabilities of all tables no
likelier than the observed one: by enumeration in integers, or by seeded Monte Carlo if there are
too many.

The enumeration lists the tables up to symmetry: cells with the same probability may be exchanged.
One table of each orbit is listed, with the size of the orbit: 100 rolls of a fair d6 have
96,560,646 tables but 189,509 orbits.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from math import comb, exp, factorial, lcm, lgamma, log, log1p, pi, prod, sqrt
from typing import Any

from sevenout.extras import needs
from sevenout.verify.counts import LEAST, Cells, Check, DataError, generator
from sevenout.wrong_arguments import public

LIMIT = 250_000
"""The most orbits to enumerate (a second or two); beyond, tables are drawn at random."""
MOST_ROLLS, MOST_CELLS, MOST_WORK = 2_000, 300, 33_000_000
"""The most rolls, cells, and orbits × rolls to enumerate: the integers grow with the rolls."""


def table_count(n: int, kinds: Sequence[Hashable], limit: int = LIMIT) -> int | None:
    """The number of orbits; None if it is more than `limit`, or too much work.

    >>> table_count(100, "......"), table_count(100, "abcdef")
    (189509, None)

    Args:
        n: the number of rolls.
        kinds: a key for each cell, equal for cells with equal probability.
        limit: the most orbits to count.
    """
    sizes = Counter(kinds).values()
    if max(n / MOST_ROLLS, len(kinds) / MOST_CELLS) > 1 or comb(
        n + len(kinds) - 1, len(kinds) - 1
    ) > limit * prod(map(factorial, sizes)):
        return None  # an orbit is no larger than its group
    ways = [1] + [0] * n
    for size in sizes:
        parts = [1] + [0] * n  # partitions into at most `size` parts = into parts of at most `size`
        for part in range(1, size + 1):
            for t in range(part, n + 1):
                parts[t] += parts[t - part]
        ways = [sum(ways[s] * parts[t - s] for s in range(t + 1)) for t in range(n + 1)]
    return ways[n] if ways[n] <= min(limit, MOST_WORK // max(n, 1)) else None


def tables(n: int, kinds: Sequence[Hashable]) -> Iterator[tuple[tuple[int, ...], int]]:
    """One table of each orbit, with the size of the orbit.

    >>> sorted(tables(2, "..x"))
    [((0, 0, 2), 1), ((1, 0, 1), 2), ((1, 1, 0), 1), ((2, 0, 0), 2)]

    Args:
        n: the number of rolls.
        kinds: a key for each cell, equal for cells with equal probability, which are neighbours.
    """
    runs = [len(list(run)) for _, run in groupby(kinds)]
    starts = {sum(runs[:i]) for i in range(len(runs))}
    last = len(kinds) - 1
    room = [0] * len(kinds)  # the number of cells of the same kind still to fill
    for i in reversed(range(len(kinds))):
        room[i] = 1 if i == last or i + 1 in starts else room[i + 1] + 1
    table = [0] * len(kinds)

    def fill(i: int, left: int) -> Iterator[tuple[int, ...]]:
        most = left if i in starts else min(left, table[i - 1])
        least = 0
        if i + room[i] > last:  # the last kind takes the rest, in falling order
            least = -(-left // room[i])
        for x in range(least, most + 1):
            table[i] = x
            if i == last:
                yield tuple(table)
            else:
                yield from fill(i + 1, left - x)

    bounds = [*sorted(starts), len(kinds)]
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


DRAWS = 100_000
_CHUNK = 1 << 18
_TIE = 1e-9  # tables with log-probabilities this close count as equally likely


@public
def chi_square(cells: Cells, least: int = LEAST, fitted: int = 0) -> Check:
    """Pearson's chi-square test, on pooled cells.

    >>> from sevenout.rolling import d6
    >>> from sevenout.verify import compare
    >>> found = chi_square(compare({1: 15, 2: 7, 3: 4, 4: 11, 5: 6, 6: 17}, d6.law))
    >>> round(found.statistic, 9), found.df, round(found.p_value, 4)
    (13.6, 5, 0.0184)

    Args:
        cells: counts and probabilities.
        least: cells with a smaller expected count are pooled.
        fitted: parameters fitted to the same counts; each costs a degree of freedom.
    """
    pooled = cells.pooled(least)
    n = pooled.n
    terms = zip(pooled.observed, pooled.probabilities, strict=True)
    statistic = sum(float((o - n * p) ** 2 / (n * p)) for o, p in terms)
    return _limit("chi-square", statistic, pooled, cells, fitted)


@public
def g_test(cells: Cells, least: int = LEAST, fitted: int = 0) -> Check:
    """The likelihood-ratio (G) test, on pooled cells.

    The sum of E φ(d/E), d = O - E and φ(x) = (1+x) log(1+x) - x, stays precise if 10^15
    observations differ little from their expected values.

    >>> from sevenout.rolling import d6
    >>> from sevenout.verify import compare
    >>> round(g_test(compare({1: 15, 2: 7, 3: 4, 4: 11, 5: 6, 6: 17}, d6.law)).statistic, 3)
    13.848
    """
    pooled = cells.pooled(least)
    n = pooled.n
    statistic = 0.0
    for o, p in zip(pooled.observed, pooled.probabilities, strict=True):
        statistic += 2 * divergence(float(n * p), float(o - n * p))
    return _limit("G", statistic, pooled, cells, fitted)


def divergence(expected: float, excess: float) -> float:
    """E φ(d/E) with φ(x) = (1+x) log(1+x) - x, to full precision.

    >>> divergence(1e15, 1e7) == 0.05 * (1 - 1e-8 / 3), divergence(2.0, -2.0)
    (True, 2.0)
    """
    x = excess / expected
    if x <= -1:
        return expected
    if abs(x) > 0.05:
        return expected * ((1 + x) * log1p(x) - x)
    series, power = 0.0, x * x
    for k in range(2, 16):
        series += power / (k * (k - 1))
        power *= -x
    return expected * series


def _limit(name: str, statistic: float, pooled: Cells, cells: Cells, fitted: int) -> Check:
    needs("scipy", "verify")
    from scipy.stats import chi2

    df = len(pooled.observed) - 1 - fitted
    joined = len(cells.observed) - len(pooled.observed)
    note = f"{joined + 1} sparse cells pooled" if joined and not cells.ordered else ""
    if joined and cells.ordered:
        note = f"{len(cells.observed)} cells pooled to {len(pooled.observed)}"
    if cells.impossible:
        note = f"{cells.impossible:,} observations of what can't occur"
        return Check(name, 0.0, float("inf"), df, note=note)
    if df < 1:
        why = "too few observations" if len(cells.observed) > 1 else "only one result is possible"
        return Check(name, 1.0, 0.0, 0, note=why)
    return Check(name, float(chi2.sf(statistic, df)), statistic, df, note=note)


@public
def multinomial_test(
    cells: Cells, *, seed: int = 1, draws: int = DRAWS, limit: int = LIMIT
) -> Check:
    """The exact multinomial test; the statistic is the logarithm of the table's probability.

    The p-value is the probability of all tables no likelier than the observed one.

    >>> from sevenout.rolling import d6
    >>> from sevenout.verify import compare
    >>> multinomial_test(compare({6: 3}, d6.law)).exact
    Fraction(1, 36)

    Args:
        cells: counts and probabilities; nothing is pooled.
        seed: of the Monte Carlo draws.
        draws: their number; the p-value is (1 + those no likelier) / (1 + draws).
        limit: the most tables to enumerate, up to symmetry.

    Raises:
        DataError: a seed below 0, or fewer draws than 1.
    """
    name = "exact multinomial"
    if cells.impossible:
        note = f"{cells.impossible:,} observations of what can't occur"
        return Check(name, 0.0, float("-inf"), exact=Fraction(0), note=note)
    kinds = sorted(cells.probabilities)
    count = table_count(cells.n, kinds, limit)
    if count is None:
        return _monte_carlo(name, cells, seed, draws)
    common = lcm(*(p.denominator for p in kinds))
    weights = [int(p * common) for p in kinds]
    observed = [o for _, o in sorted(zip(cells.probabilities, cells.observed, strict=True))]
    bar = table_weight(observed, weights)
    tail = 0
    for table, size in tables(cells.n, kinds):
        weight = table_weight(table, weights)
        if weight <= bar:
            tail += weight * size
    p = Fraction(tail, common**cells.n)
    return Check(
        name, float(p), _log_probability(cells), exact=p, note=f"by enumeration, {count:,} tables"
    )


def _log_probability(cells: Cells) -> float:
    """The log-probability of the counts by Stirling's formula; its large terms cancel."""
    terms = zip(cells.observed, cells.expected, strict=True)
    return _rest(cells.n) - sum(divergence(float(e), float(o - e)) + _rest(o) for o, e in terms)


def _rest(n: int) -> float:
    """Log n! less n log n - n."""
    if n < 30:
        return lgamma(n + 1) - (n * log(n) - n if n else 0.0)
    return log(2 * pi * n) / 2 + (1 - 1 / (30 * n * n)) / (12 * n)


def _monte_carlo(name: str, cells: Cells, seed: int, draws: int) -> Check:
    import numpy as np

    if draws < 1:
        raise DataError(f"{draws} draws; make 1 or more")
    p = np.array([float(x) for x in cells.probabilities])
    p /= p.sum()
    expected = np.array([float(e) for e in cells.expected])
    few = np.array([_rest(n) for n in range(30)])

    def height(tables: Any) -> Any:
        """The logarithm of the probability of each table, as `_log_probability`."""
        x = (tables - expected) / expected
        large = np.maximum(tables, 30).astype(float)
        rest = np.log(2 * np.pi * large) / 2 + (1 - 1 / (30 * large**2)) / (12 * large)
        rest = np.where(tables < 30, few[np.minimum(tables, 29)], rest)
        near = np.abs(x) <= 0.05
        far = np.where(near | (x <= -1), 0.0, x)
        series, power = np.zeros_like(x), np.where(near, x * x, 0.0)
        for k in range(2, 16):
            series += power / (k * (k - 1))
            power *= np.where(near, -x, 0.0)
        phi = np.where(near, series, np.where(x <= -1, 1.0, (1 + far) * np.log1p(far) - far))
        return _rest(cells.n) - (expected * phi + rest).sum(axis=-1)

    observed = _log_probability(cells)
    rng = generator(seed)
    below, done, chunk = 0, 0, max(1, _CHUNK // len(p))
    while done < draws:
        size = min(chunk, draws - done)
        drawn = rng.multinomial(cells.n, p, size)
        below += int((height(drawn) <= observed + _TIE).sum())
        done += size
    estimate = (1 + below) / (1 + draws)
    how = f"{draws:,} draws, seed {seed}"
    if not below and (beyond := _beyond(cells, observed))[0] < estimate:
        return Check(name, beyond[0], observed, note=f"{beyond[1]}; none of {how}")
    error = sqrt(estimate * (1 - estimate) / draws)
    return Check(name, estimate, observed, error=error, note=f"Monte Carlo, {how}")


def _beyond(cells: Cells, observed: float) -> tuple[float, str]:
    """The p-value of a table less likely than every draw.

    It is bounded by the number of all tables, or comes from chi-square if no cell is sparse.
    """
    k, n = len(cells.outcomes), cells.n
    tables = (k - 1) * (1 + log((n + k - 1) / (k - 1))) if k > 1 else 0.0  # at most
    bound = exp(min(0.0, observed + tables)), "at most, by the number of tables"
    if min(cells.expected) < LEAST:
        return bound
    return min((chi_square(cells).p_value, "by chi-square"), bound)
