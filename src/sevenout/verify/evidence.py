"""The Bayes factor, and an anytime-valid test.

Both are the likelihood ratio of a Dirichlet mixture against the tested distribution. At the end it
is the Bayes factor (Good 1967). During the rolls it is a martingale of mean 1, which ever reaches
1/α with probability at most α (Ville 1939; Ramdas, Grünwald, Vovk and Shafer 2023). See
docs/howto/verify.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, inf, lgamma, log, log1p, pi
from typing import Any

from sevenout.numerals import Number
from sevenout.verify.counts import Cells, DataError, compare, confidence_of
from sevenout.verify.goodness_of_fit import divergence
from sevenout.wrong_arguments import public

_HALF_LOG_2PI = log(2 * pi) / 2


@public
def bayes_factor(cells: Cells, strength: float | None = None) -> float:
    """The likelihood ratio of a biased distribution against the stated one.

    The prior is Dirichlet(strength × p) for the stated distribution p. The default strength is the
    number of outcomes: for a fair die, the uniform prior over all dice. An impossible observation
    makes the factor infinite.

    >>> from sevenout.rolling import Law
    >>> round(bayes_factor(compare({"heads": 10, "tails": 0}, Law({"heads": 1, "tails": 1}))), 4)
    93.0909

    Raises:
        DataError: a strength that is not positive.
    """
    ratio = log_ratio(cells, len(cells.outcomes) if strength is None else strength)
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
    if not min(strengths) > 0:
        raise DataError(f"a prior strength of {min(strengths)}; it must be above 0")
    if cells.impossible:
        return [inf] * len(strengths)
    n = cells.n
    terms = [
        (float(p), seen, float(n * p), float(seen - n * p))
        for seen, p in zip(cells.observed, cells.probabilities, strict=True)
    ]
    ratios = []
    for strength in strengths:
        value = log1p(n / strength) / 2 + _stirling(strength) - _stirling(strength + n)
        for share, seen, expected, excess in terms:
            prior = strength * share
            value += divergence(expected + prior, excess) - log1p(seen / prior) / 2
            value += _stirling(seen + prior) - _stirling(prior)
        ratios.append(value)
    return ratios


def _stirling(x: float) -> float:
    """Log Γ(x) less Stirling's formula (x - 1/2) log x - x + log(2π)/2."""
    if x < 20:
        return lgamma(x) - (x - 0.5) * log(x) + x - _HALF_LOG_2PI
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x


@dataclass(frozen=True)
class Watch:
    """An anytime-valid test, immutable: each look returns a new one.

    >>> from sevenout.rolling import d6
    >>> watch = Watch.over(d6.law)
    >>> for block in range(3):
    ...     watch = watch.look({6: 40, 1: 20, 2: 20, 3: 20, 4: 20, 5: 20})
    >>> watch.n, watch.rejected_at, round(watch.p_value, 5)
    (420, 280, 6e-05)

    Attributes:
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
    def over(
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
        sure = confidence_of(confidence)
        outcomes = tuple(x for x, p in law.items() if p)
        if strengths is None:
            strengths = [len(outcomes) * 10.0**j for j in range(5)]
        if not strengths or min(strengths) <= 0:
            raise DataError(f"prior strengths {list(strengths)}; give one or more, all above 0")
        nothing = (0,) * len(outcomes)
        cells = Cells(outcomes, nothing, tuple(Fraction(law[x]) for x in outcomes))
        return cls(cells, sure, tuple(strengths))

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
        """The test after a block of rolls, given as counts.

        Raises:
            DataError: a count that is not a whole number; an empty block.
        """
        law = dict(zip(self.cells.outcomes, self.cells.probabilities, strict=True))
        block = compare(counts, law)
        cells = replace(
            self.cells,
            observed=tuple(map(sum, zip(self.cells.observed, block.observed, strict=True))),
            impossible=self.cells.impossible + block.impossible,
        )
        ratios = _log_ratios(cells, self.strengths)
        top = max(ratios)
        log_e = top if top == inf else top + log(sum(exp(r - top) for r in ratios) / len(ratios))
        crossed = self.rejected_at
        if crossed is None and log_e >= -log(1 - self.confidence):
            crossed = cells.n
        return replace(
            self,
            cells=cells,
            log_e=log_e,
            log_peak=max(self.log_peak, log_e),
            rejected_at=crossed,
        )


class Watched:
    """A family of anytime-valid tests by name, with a joint confidence.

    Attributes:
        noticed: for each test that has rejected, the line by which it did.
    """

    def __init__(self, confidence: Fraction) -> None:
        self.confidence = confidence
        self.left = 1 - confidence
        self.watches: dict[str, Watch] = {}
        self.noticed: dict[str, int] = {}

    def look(
        self, name: str, law: Mapping[Any, Fraction], new: Mapping[Any, int], row: int
    ) -> None:
        """Add a block to a test.

        A new test takes half of the remaining error, so the family keeps its confidence.

        `new` are the counts of the block and `row` is its last line.
        """
        if not sum(new.values()) or len(law) < 2:
            return
        if name not in self.watches:
            self.left /= 2
            self.watches[name] = Watch.over(law, 1 - self.left)
        watch = self.watches[name] = self.watches[name].look(new)
        if watch.rejected:
            self.noticed.setdefault(name, row)
