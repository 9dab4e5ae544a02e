"""The power of a dice test: how many rolls before players could notice a fault?"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm, log1p, sqrt
from typing import Any

from sevenout.extras import needs
from sevenout.numerals import Number
from sevenout.verify.cells import DataError, generator
from sevenout.verify.confidence import confidence_of
from sevenout.verify.planning import noncentrality
from sevenout.verify.tables import LIMIT, table_count, table_weight, tables

Probabilities = Mapping[Any, Fraction]


@dataclass(frozen=True)
class Power:
    """How often a test rejects.

    >>> from sevenout.dice import d6
    >>> fit_power(d6.law, d6.reweigh({6: 2}).law, 10, method="exact").error
    0.0

    Attributes:
        value: the probability of rejection.
        error: its standard error, 0 unless it was simulated.
        method: "noncentral chi-square", "exact" or "simulated".
    """

    value: float
    error: float
    method: str


def fit_power(
    law: Probabilities,
    fault: Probabilities,
    rolls: int,
    confidence: Number = "95%",
    *,
    method: str = "approximate",
    seed: int = 1,
    runs: int = 20_000,
) -> Power:
    """How often Pearson's chi-square test on all outcomes rejects `law` when `fault` is true.

    The test rejects when the statistic reaches the chi-square quantile; an outcome that the law
    can't give is rejected on sight.

    >>> from sevenout.dice import d6
    >>> loaded = d6.reweigh({6: 2}).law
    >>> round(fit_power(d6.law, loaded, 100).value, 3)
    0.688
    >>> round(fit_power(d6.law, loaded, 20, method="exact").value, 3)
    0.158

    Args:
        law: the law that is tested.
        fault: the law that is true.
        rolls: how many are made.
        confidence: that of the test, by the chi-square law; its level is 1 - confidence.
        method: "approximate" (noncentral chi-square), "exact" (all tables; few rolls) or
            "simulated" (seeded, with its standard error).
        seed: of the simulation.
        runs: how many times it makes the rolls.

    Raises:
        DataError: no rolls, a confidence outside 0 to 1, an unknown method, too many tables for
            "exact", one outcome only.
    """
    needs("scipy", "verify")
    from scipy.stats import chi2, ncx2

    outcomes, p, q = _aligned(law, fault)
    if rolls < 1:
        raise DataError(f"{rolls} rolls; give 1 or more")
    alpha = float(1 - confidence_of(confidence))
    off = 1 - sum(q)  # the chance that a roll gives itself away
    critical = float(chi2.isf(alpha, len(outcomes) - 1))
    if method == "approximate":
        unseen = float(1 - off) ** rolls
        shift = rolls * _distance(p, [x / (1 - off) for x in q]) if off < 1 else 0.0
        seen = float(ncx2.sf(critical, len(outcomes) - 1, shift)) if shift else alpha
        return Power(1 - unseen * (1 - seen), 0.0, "noncentral chi-square")
    if method == "exact":
        return Power(float(_exact(p, q, rolls, critical)), 0.0, "exact")
    if method == "simulated":
        return _simulated(p, q, rolls, critical, draws=(seed, runs))
    raise DataError(f"method={method!r}; choose approximate, exact or simulated")


def rolls_to_notice(
    law: Probabilities, fault: Probabilities, confidence: Number = "95%", power: float = 0.9
) -> int | None:
    """How many rolls before the chi-square test tells `fault` from `law`; None if they are equal.

    By the noncentral chi-square approximation, as in `fit_power`; outcomes that the law can't give
    count as noticed when the first of them comes up.

    >>> from sevenout.dice import d6
    >>> rolls_to_notice(d6.law, d6.reweigh({6: Fraction(5, 4)}).law)
    2059

    Raises:
        DataError: a confidence or a power that is none, one outcome only.
    """
    outcomes, p, q = _aligned(law, fault)
    needed = noncentrality(len(outcomes) - 1, confidence, power)
    off = 1 - sum(q)
    if off == 1:
        return 1
    if off:
        seen = max(1, ceil(log1p(-power) / log1p(-float(off))))  # on sight alone
        return 1 + bisect_left(
            range(1, seen), power, key=lambda n: fit_power(law, fault, n, confidence).value
        )
    distance = _distance(p, q)
    if not distance:
        return None
    return max(1, ceil(needed / distance))


def _aligned(
    law: Probabilities, fault: Probabilities
) -> tuple[list[Any], list[Fraction], list[Fraction]]:
    outcomes = [x for x, p in law.items() if p]
    if len(outcomes) < 2:
        raise DataError("a law of one outcome; there is nothing to test")
    q = [Fraction(fault[x]) if x in fault else Fraction(0) for x in outcomes]
    return outcomes, [Fraction(law[x]) for x in outcomes], q


def _distance(p: list[Fraction], q: list[Fraction]) -> float:
    return float(sum((b - a) ** 2 / a for a, b in zip(p, q, strict=True)))


def _exact(p: list[Fraction], q: list[Fraction], rolls: int, critical: float) -> Fraction:
    kinds = sorted(zip(p, q, strict=True))
    if table_count(rolls, kinds) is None:
        raise DataError(
            f"{rolls} rolls with {len(p)} outcomes have more than {LIMIT:,} tables; "
            "choose method='simulated'"
        )
    common = lcm(*(b.denominator for _, b in kinds))
    weights = [int(b * common) for _, b in kinds]
    expected = [rolls * a for a, _ in kinds]
    bar = Fraction(critical)
    quiet = 0
    for table, size in tables(rolls, kinds):
        if sum((x - e) ** 2 / e for x, e in zip(table, expected, strict=True)) < bar:
            quiet += table_weight(table, weights) * size
    return 1 - Fraction(quiet, common**rolls)


def _simulated(
    p: list[Fraction], q: list[Fraction], rolls: int, critical: float, *, draws: tuple[int, int]
) -> Power:
    import numpy as np

    seed, runs = draws
    rng = generator(seed)
    expected = rolls * np.array([float(x) for x in p])
    shares = np.array([float(x) for x in [*q, 1 - sum(q)]])
    shown = rng.multinomial(rolls, shares / shares.sum(), runs)
    statistic = ((shown[:, :-1] - expected) ** 2 / expected).sum(axis=1)
    value = float(((statistic >= critical) | (shown[:, -1] > 0)).mean())
    return Power(value, sqrt(value * (1 - value) / runs), "simulated")
