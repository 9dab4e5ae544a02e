"""The power of a dice test, and the rolls it needs to find a fault."""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, exp, lcm, log1p
from typing import Any

from sevenout.extras import needs
from sevenout.numerals import Number
from sevenout.verify.confidence import confidence_of
from sevenout.verify.dicetests.count_tables import LIMIT, table_count, table_weight, tables
from sevenout.verify.dicetests.observed_counts import DataError
from sevenout.verify.planning import noncentrality

Probabilities = Mapping[Any, Fraction]


def fit_power(
    law: Probabilities,
    fault: Probabilities,
    rolls: int,
    confidence: Number = "95%",
    *,
    exact: bool = False,
) -> float:
    """The probability that Pearson's chi-square test rejects `law` if `fault` is true.

    The test rejects if the statistic reaches the chi-square quantile, or if an impossible outcome
    occurs.

    >>> from sevenout.rolling import d6
    >>> loaded = d6.reweigh({6: 2}).law
    >>> round(fit_power(d6.law, loaded, 20), 3), round(fit_power(d6.law, loaded, 20, exact=True), 3)
    (0.16, 0.158)

    Args:
        law: the tested distribution.
        fault: the true distribution.
        rolls: their number.
        confidence: of the test; its level is 1 - confidence, by the chi-square distribution.
        exact: whether to sum over all tables (few rolls); else noncentral chi-square.

    Raises:
        DataError: no rolls, a confidence not between 0 and 1, too many tables, or only one outcome.
    """
    needs("scipy", "verify")
    from scipy.stats import chi2, ncx2

    outcomes, p, q = _aligned(law, fault)
    if rolls < 1:
        raise DataError(f"{rolls} rolls; give 1 or more")
    alpha = float(1 - confidence_of(confidence))
    critical = float(chi2.isf(alpha, len(outcomes) - 1))
    if exact:
        return float(_exact(p, q, rolls, critical))
    off = 1 - sum(q)  # the probability of an outcome impossible under the other
    unseen = exp(rolls * log1p(-float(off))) if off < 1 else 0.0
    shift = rolls * _distance(p, [x / (1 - off) for x in q]) if off < 1 else 0.0
    seen = float(ncx2.sf(critical, len(outcomes) - 1, shift)) if shift else alpha
    return 1 - unseen * (1 - seen)


def rolls_to_notice(
    law: Probabilities, fault: Probabilities, confidence: Number = "95%", power: float = 0.9
) -> int | None:
    """The rolls that the chi-square test needs to tell `fault` from `law`; None if they are equal.

    By the noncentral chi-square approximation, as in `fit_power`; an impossible outcome rejects at
    once.

    >>> from sevenout.rolling import d6
    >>> rolls_to_notice(d6.law, d6.reweigh({6: Fraction(5, 4)}).law)
    2059

    Raises:
        DataError: a wrong confidence or power, or only one outcome.
    """
    outcomes, p, q = _aligned(law, fault)
    needed = noncentrality(len(outcomes) - 1, confidence, power)
    off = 1 - sum(q)
    if off == 1:
        return 1
    if off:
        low, high = 0, ceil(Fraction(-log1p(-power)) / off)  # too large for `range`
        while high - low > 1:
            n = (low + high) // 2
            noticed = fit_power(law, fault, n, confidence) >= power
            low, high = (low, n) if noticed else (n, high)
        return high
    distance = _distance(p, q)
    if not distance:
        return None
    return max(1, ceil(needed / distance))


def _aligned(
    law: Probabilities, fault: Probabilities
) -> tuple[list[Any], list[Fraction], list[Fraction]]:
    outcomes = [x for x, p in law.items() if p]
    if len(outcomes) < 2:
        raise DataError("the distribution has only one outcome, so there is nothing to test")
    q = [Fraction(fault[x]) if x in fault else Fraction(0) for x in outcomes]
    return outcomes, [Fraction(law[x]) for x in outcomes], q


def _distance(p: list[Fraction], q: list[Fraction]) -> float:
    return float(sum((b - a) ** 2 / a for a, b in zip(p, q, strict=True)))


def _exact(p: list[Fraction], q: list[Fraction], rolls: int, critical: float) -> Fraction:
    kinds = sorted(zip(p, q, strict=True))
    if table_count(rolls, kinds) is None:
        raise DataError(
            f"{rolls} rolls with {len(p)} outcomes have more than {LIMIT:,} tables; leave exact out"
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
