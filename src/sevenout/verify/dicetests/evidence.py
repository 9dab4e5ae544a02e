"""Evidence that may be looked at: the Bayes factor, and a test that is valid at every look.

Both are one number, the likelihood ratio of a Dirichlet mixture of distributions against the
distribution that is tested. The prior is Dirichlet with mean at that distribution; its strength is
the number of imagined rolls behind it. Read at the end, the ratio is the Bayes factor (Good 1967).
Read as it grows, it is a nonnegative martingale of mean 1 under the distribution, so by Ville's
inequality (1939) the chance that it *ever* reaches 1/α is at most α: stop whenever you like
(Ramdas, Grünwald, Vovk and Shafer 2023).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, inf, lgamma, log, log1p, pi
from typing import Any

from sevenout.numerals import Number
from sevenout.verify.confidence import confidence_of
from sevenout.verify.dicetests.fit import divergence
from sevenout.verify.dicetests.observed_counts import Cells, DataError, compare

_HALF_LOG_2PI = log(2 * pi) / 2


def bayes_factor(cells: Cells, strength: float | None = None) -> float:
    """How many times likelier the counts are under some biased distribution than under the
    distribution itself.

    The prior on the biased distribution is Dirichlet(strength × p), p the distribution; the default
    strength is the number of outcomes, which for a fair die is the uniform prior over all dice.
    Infinite if something was observed that the distribution can't give.

    >>> from sevenout.dice import Law
    >>> round(bayes_factor(compare({"heads": 10, "tails": 0}, Law({"heads": 1, "tails": 1}))), 4)
    93.0909

    Raises:
        DataError: a strength that is not positive.
    """
    ratio = log_ratio(cells, len(cells.outcomes) if strength is None else strength)
    return exp(ratio) if ratio < 709 else inf


def log_ratio(cells: Cells, strength: float) -> float:
    """The logarithm of the mixture's likelihood ratio, to full precision for any number of rolls.

    With Stirling's formula for every log-gamma, all that is large cancels on paper: what remains is
    half the G statistic of the counts with the imagined rolls added, and small terms.

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
    """A test that may be looked at after every block of rolls, frozen: each look gives a new one.

    >>> from sevenout.dice import d6
    >>> watch = Watch.over(d6.law)
    >>> for block in range(3):
    ...     watch = watch.look({6: 40, 1: 20, 2: 20, 3: 20, 4: 20, 5: 20})
    >>> watch.n, watch.rejected_at, round(watch.p_value, 5)
    (420, 280, 6e-05)

    Attributes:
        cells: all that has been seen so far.
        confidence: how likely, at least, a true distribution is never to be rejected.
        strengths: the priors that are mixed in equal parts; strong ones see small biases.
        log_e: the logarithm of the e-value: the evidence now.
        log_peak: the logarithm of the largest so far.
        rejected_at: after how many rolls the e-value reached 1/(1 - confidence), if it has.
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
        """A watch over a distribution, before the first roll.

        Args:
            law: the distribution that is tested.
            confidence: of its verdict.
            strengths: of the priors; k, 10k, ..., 10,000k for k outcomes if not given.

        Raises:
            DataError: a confidence outside 0 to 1, or a strength that is not positive.
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
        """How many rolls have been seen."""
        return self.cells.n

    @property
    def e_value(self) -> float:
        """The evidence now; its mean is 1 if the distribution is true."""
        return exp(self.log_e) if self.log_e < 709 else inf

    @property
    def p_value(self) -> float:
        """A p-value that is valid however often one looked and whenever one stopped."""
        return min(1.0, exp(-self.log_peak))

    @property
    def rejected(self) -> bool:
        """Whether the distribution was rejected at some look."""
        return self.rejected_at is not None

    def look(self, counts: Mapping[Any, int]) -> "Watch":
        """The watch after a block of rolls, given as counts of what came up in it.

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
    """Watches by their names; the family of them keeps the confidence.

    Attributes:
        noticed: the line by which each that has rejected its distribution had done so.
    """

    def __init__(self, confidence: Fraction) -> None:
        self.confidence = confidence
        self.left = 1 - confidence
        self.watches: dict[str, Watch] = {}
        self.noticed: dict[str, int] = {}

    def look(
        self, name: str, law: Mapping[Any, Fraction], new: Mapping[Any, int], row: int
    ) -> None:
        """Look at what a block added.

        Each test that is begun takes half of the error that is left, so that however many there
        come to be, all together keep the confidence.

        Args:
            name: what is watched.
            law: its distribution.
            new: the counts of the block.
            row: the last line of the block.
        """
        if not sum(new.values()) or len(law) < 2:
            return
        if name not in self.watches:
            self.left /= 2
            self.watches[name] = Watch.over(law, 1 - self.left)
        watch = self.watches[name] = self.watches[name].look(new)
        if watch.rejected:
            self.noticed.setdefault(name, row)
