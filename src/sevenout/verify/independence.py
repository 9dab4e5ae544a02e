"""Independence of successive rolls, and of dice rolled together.

Each test is conditional on the frequencies of the faces: a biased die with independent rolls
passes.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import pairwise
from math import erfc, sqrt
from typing import Any

from sevenout.extras import needs
from sevenout.verify.counts import LEAST, Check, DataError, generator
from sevenout.wrong_arguments import public

SHUFFLES = 10_000
FEW = 60
"""With fewer rolls than this, their order is not tested."""


def in_order(
    counts: Mapping[Any, int], joint: Mapping[tuple[Any, Any], int], seed: int = 1
) -> tuple[Check, ...]:
    """The runs test and the test of successive pairs; none for under 60 rolls or a one-faced die.

    >>> in_order({1: 10, 2: 19}, {(1, 2): 10, (2, 1): 9, (2, 2): 9})
    ()

    Args:
        counts: of each face of the die.
        joint: of each pair of successive faces.
        seed: of the random tables if pairs are sparse.
    """
    if sum(counts.values()) < FEW or len(counts) < 2:
        return ()
    runs = 1 + sum(n for (a, b), n in joint.items() if a != b)
    return (
        counted_runs(runs, counts.values()),
        counted_pairs(joint, name="serial pairs", seed=seed),
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
    return counted_runs(runs, Counter(rolls).values())


def counted_runs(runs: int, counts: Collection[int]) -> Check:
    """The runs test by its limit distribution, from counts.

    >>> counted_runs(100, [50, 50]).statistic > 9
    True

    """
    n = sum(counts)
    squares, cubes = sum(c**2 for c in counts), sum(c**3 for c in counts)
    mean = n + 1 - squares / n
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n * n * (n - 1))
    if variance <= 0:
        return Check("runs", 1.0, 0.0, note="the same number of runs in every order")
    z = (runs - mean) / sqrt(variance)
    shown = f"{runs:,} runs, {mean:,.1f} expected"
    return Check("runs", erfc(abs(z) / sqrt(2)), z, note=shown)


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
    return counted_pairs(joint, name=name, seed=seed, shuffles=shuffles)


def counted_pairs(
    joint: Mapping[tuple[Any, Any], int],
    *,
    name: str = "pairs of dice",
    seed: int = 1,
    shuffles: int = SHUFFLES,
) -> Check:
    """`pairs_test` from the counts of the pairs.

    >>> counted_pairs({(1, 1): 10, (1, 2): 10, (2, 1): 10, (2, 2): 10}).p_value
    1.0
    """
    needs("scipy", "verify")
    import numpy as np
    from scipy.stats import chi2_contingency, random_table

    seen = [pair for pair, n in joint.items() if n]
    rows, columns = (dict.fromkeys(faces) for faces in zip(*seen, strict=True))
    table = np.array([[joint.get((a, b), 0) for b in columns] for a in rows])
    if min(table.shape) < 2:
        return Check(name, 1.0, 0.0, 0, note="one face only: nothing to depend on")
    found = chi2_contingency(table, correction=False)
    statistic, df, expected = float(found.statistic), int(found.dof), found.expected_freq
    if expected.min() >= LEAST:
        return Check(name, float(found.pvalue), statistic, df)
    odd, left = 0, shuffles
    margins = random_table(table.sum(axis=1), table.sum(axis=0), seed=generator(seed))
    while left:
        some = min(left, 1000)
        drawn = margins.rvs(some)
        odd += int(
            (((drawn - expected) ** 2 / expected).sum(axis=(1, 2)) >= statistic - 1e-9).sum()
        )
        left -= some
    p = (1 + odd) / (1 + shuffles)
    return Check(
        name,
        p,
        statistic,
        df,
        error=sqrt(p * (1 - p) / shuffles),
        note=f"sparse table; {shuffles:,} random orders, seed {seed}",
    )
