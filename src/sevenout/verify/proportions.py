"""One proportion: the exact binomial test, and two intervals."""

from dataclasses import dataclass
from fractions import Fraction

from sevenout.errors import shown
from sevenout.extras import needs
from sevenout.numerals import Number
from sevenout.verify.counts import Check, DataError, confidence_of
from sevenout.wrong_arguments import public


@dataclass(frozen=True)
class ConfidenceInterval:
    """A confidence interval for a probability.

    >>> interval = wilson(5, 10)
    >>> interval.low < 0.5 < interval.high
    True

    Attributes:
        low, high: its ends.
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


MAX_TRIALS = 1 << 53
"""SciPy counts in floats, which hold no larger whole numbers one by one."""


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
    needs("scipy", "verify")
    from scipy.stats import binomtest

    _must_be_a_share(hits, n)
    if not 0 <= p <= 1:
        raise DataError(f"a probability of {p}; give one between 0 and 1")
    if alternative not in ("two-sided", "less", "greater"):
        raise DataError(f"alternative={alternative!r}; choose two-sided, less or greater")
    found = binomtest(hits, n, float(p), alternative)
    return Check("exact binomial", float(found.pvalue), hits / n, note=alternative)


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
    needs("scipy", "verify")
    from scipy.stats import binomtest

    _must_be_a_share(hits, n)
    sure = confidence_of(confidence)
    found = binomtest(hits, n, 0.5).proportion_ci(float(sure), method)
    return ConfidenceInterval(float(found.low), float(found.high), sure, name)


def _must_be_a_share(hits: int, n: int) -> None:
    if not 1 <= n <= MAX_TRIALS:
        raise DataError(f"{shown(n)} trials; give a number from 1 to {MAX_TRIALS:,}")
    if not 0 <= hits <= n:
        raise DataError(f"{hits} hits out of {n}; give 0 to {n}")
