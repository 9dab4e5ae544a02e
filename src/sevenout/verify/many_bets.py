"""The distribution of the total of very many bets, by one FFT of its characteristic function.

The profits lie on a lattice, so the total of n bets has P(S = s) = 1/M Σ φ(t)^n exp(-its) over the
M frequencies t = 2πj/M, up to what wraps around. M is large enough that the probability outside the
window is below 10^-15 by Bernstein's inequality (1946).

Near t = 0 log φ is computed from the centred profits without cancellation. Elsewhere angles are
first reduced in whole numbers. Every sum of probabilities is within `ERROR` of the truth (the tests
compare it with whole convolutions). If the window is too wide the normal distribution is used, with
an error of at most 0.4748 ρ/(σ³√n) (Berry and Esseen; Shevtsova 2011).

`bets_needed` is the number of bets that shows a wrong mean profit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, log, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.solving.awards import ProgressiveResult
from sevenout.solving.totals import Lattice, profits
from sevenout.verify.counts import DataError, parse_confidence
from sevenout.verify.planning import (
    detectable_change,
    mean_needed,
    parse_power,
    tail_probability,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]


NATS_OUTSIDE = log(2e15)
"""Nats of the probability outside the window, on both sides."""
ERROR = 1e-9
"""The error bound of a sum of probabilities."""
MAX_FREQUENCIES = 1 << 23
"""The frequencies of the largest FFT: 2 seconds of CPU and 500 MB."""
MAX_CENTRED_ANGLE = 0.5
"""Angles up to this use the centred profits."""
BERRY_ESSEEN = 0.4748
"""Shevtsova's constant (2011)."""
MAX_BETS = 10**12
"""The most bets: n times the phase must keep some digits of a float."""
TOO_MANY_BETS = f"it would take over {MAX_BETS:,} bets; ask for a larger change"
MAX_TRIES = 40
"""The most numbers of bets that are tried."""
GROWTH = Fraction(1, 100)
"""The number grows by this share until the power is reached."""


class ReturnLimits(NamedTuple):
    """An interval of the actual return, both ends inside.

    Attributes:
        bets: their number.
        low: the lower end, returned per unit staked.
        high: the upper end, returned per unit staked.
        outside: the probability outside; an upper bound for Chernoff's inequality.
        method: "convolution", "normal" or "Chernoff".
        error: the error bound of `outside`.
    """

    bets: int
    low: Fraction
    high: Fraction
    outside: float
    method: str
    error: float


@dataclass(frozen=True, eq=False)
class ManyBets:
    """The total profit of n independent bets, per unit staked on each.

    >>> coin = ManyBets({Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}, 10**8)
    >>> limits = coin.limits("99.9%")
    >>> float(limits.low), float(limits.high), round(limits.outside, 7), limits.method
    (0.99967094, 1.00032906, 0.0009994, 'convolution')

    Its figures are computed on demand and kept until `forget`.

    Attributes:
        law: the profit of one bet, per unit staked.
        n: the number of bets.
        _limits: what was computed, by confidence.

    Raises:
        RulesError: `n` is not a number of bets.
    """

    law: Mapping[Fraction, Fraction]
    n: int
    _limits: dict[Fraction, ReturnLimits] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.n, int) or not 1 <= self.n <= MAX_BETS:
            raise RulesError(f"the total of {shown(self.n)} bets; take 1 to {MAX_BETS:,}")
        object.__setattr__(self, "law", profits(self.law))

    @cached_property
    def lattice(self) -> Lattice:
        """The lattice of the profits."""
        return Lattice.of(self.law)

    @cached_property
    def _chances(self) -> list[tuple[int, Fraction]]:
        """The profits of one bet, in steps from the least, with their probabilities."""
        return [(k, Fraction(w, self.lattice.denominator)) for k, w in self.lattice.points]

    @cached_property
    def mean(self) -> Fraction:
        """The mean of one bet, in lattice steps from the least profit."""
        return sum((k * p for k, p in self._chances), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """The variance of one bet, in squared steps."""
        return sum(((k - self.mean) ** 2 * p for k, p in self._chances), Fraction(0))

    @cached_property
    def centre(self) -> int:
        """The step of the total nearest to its mean."""
        return round(self.n * self.mean)

    @cached_property
    def size(self) -> int:
        """The number of steps in the window, a power of 2."""
        longest = float(max(self.mean, self.lattice.span - self.mean)) * NATS_OUTSIDE / 3
        half_width = (
            longest + sqrt(longest**2 + 2 * NATS_OUTSIDE * self.n * float(self.variance)) + 2
        )
        # no wider than all totals are, with the centre in its middle
        width = min(2 * half_width, 2 * self.n * self.lattice.span + 4)
        return 1 << max(3, ceil(width).bit_length())

    @property
    def method(self) -> str:
        """The method of its probabilities."""
        return "convolution" if self.size <= MAX_FREQUENCIES else "normal"

    @cached_property
    def error(self) -> float:
        """The error bound of the probability of an interval."""
        if self.size <= MAX_FREQUENCIES:
            return ERROR
        third_moment: float = sum(
            float(p) * abs(float(k - self.mean)) ** 3 for k, p in self._chances
        )
        return 2 * BERRY_ESSEEN * third_moment / (sqrt(self.variance) ** 3 * sqrt(self.n))

    @cached_property
    def pmf(self) -> "Floats":
        """The probability of each step from `centre - size/2` on.

        Raises:
            RulesError: the window is too wide.
        """
        import numpy as np

        size, n = self.size, self.n
        if size > MAX_FREQUENCIES:
            raise RulesError(f"the total of {n:,} bets has {size:,} likely values; take fewer bets")
        if self.lattice.span == 0:
            certain = np.zeros(size)
            certain[size // 2] = 1.0
            return certain
        j = np.arange(size // 2 + 1, dtype=np.int64)
        mean, span = float(self.mean), float(max(self.mean, self.lattice.span - self.mean))
        near = int(min(len(j), MAX_CENTRED_ANGLE / span * size / (2 * pi) + 1))
        real, imaginary = np.zeros(len(j)), np.zeros(len(j))
        for k, p in self._chances:
            angle = np.empty(len(j))
            angle[:near] = (k - mean) * (2 * pi / size) * j[:near]
            # reduced in integers: near 0 where the angle is nearly a whole rotation
            turned = (j[near:] * k + size // 2) % size - size // 2
            angle[near:] = (2 * pi / size) * turned
            real -= 2 * float(p) * np.sin(angle / 2) ** 2
            imaginary += float(p) * np.sin(angle)
        # φ of a coin has zeros, whose logarithm is -inf and whose power is 0
        with np.errstate(divide="ignore"):
            height = n / 2 * np.log1p(2 * real + real**2 + imaginary**2)
        # n times the phase of φ, less that of the window's middle
        phase = n * np.arctan2(imaginary, 1 + real)
        phase[:near] += float(n * self.mean - self.centre) * (2 * pi / size) * j[:near]
        phase[near:] -= (2 * pi / size) * (j[near:] * (self.centre % size) % size)
        with np.errstate(under="ignore"):
            spectrum = np.exp(height) * np.exp(-1j * phase)
        chances = np.fft.irfft(spectrum, size)
        # rounding leaves some probabilities of 0 below 0
        return np.maximum(np.roll(chances, size // 2), 0.0)

    @cached_property
    def _cumulative(self) -> "Floats":
        """The cumulative probabilities of the totals in the window."""
        import numpy as np

        return np.cumsum(self.pmf)

    def profit(self, step: int) -> Fraction:
        """The total profit at a step."""
        return self.n * self.lattice.low + step * self.lattice.unit

    def below(self, profit: Fraction) -> float:
        """The probability of a total below this profit, within `error`.

        >>> coin = ManyBets({Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}, 2)
        >>> round(coin.below(Fraction(0)), 9), round(coin.below(Fraction(1)), 9)
        (0.25, 0.75)
        """
        step = ceil((profit - self.n * self.lattice.low) / self.lattice.unit)
        if self.method == "normal":
            spread = sqrt(self.n * float(self.variance))
            return NormalDist().cdf((step - 0.5 - float(self.n * self.mean)) / spread)
        k = step - (self.centre - self.size // 2)
        return float(self._cumulative[min(k, self.size) - 1]) if k > 0 else 0.0

    def limits(self, confidence: Number = "99%") -> ReturnLimits:
        """The central interval of the actual return; beyond each end lies at most half the rest.

        Raises:
            DataError: a confidence not between 0 and 1, or too near to 1.
        """
        exact_confidence = parse_confidence(confidence)
        if exact_confidence not in self._limits:
            tail = tail_probability(confidence, 2)
            self._limits[exact_confidence] = self._central_interval(float(tail))
        return self._limits[exact_confidence]

    def forget(self) -> None:
        """Free the distribution, and keep the limits found."""
        for name in ("pmf", "_cumulative"):
            self.__dict__.pop(name, None)

    def _central_interval(self, tail: float) -> ReturnLimits:
        """The limits of the return, each exceeded with a probability of at most `tail`."""
        import numpy as np

        if self.method == "normal":
            z = -NormalDist().inv_cdf(tail)
            margin = z * sqrt(self.n * float(self.variance))
            mean = float(self.n * self.mean)
            low = max(0, ceil(mean - margin))
            high = min(self.n * self.lattice.span, int(mean + margin))
            outside = 2 * tail
        else:
            first = self.centre - self.size // 2
            # the largest end with P(S < low) <= tail
            low_index = int(np.searchsorted(self._cumulative, tail, "right"))
            p_above = np.cumsum(self.pmf[::-1])
            high_index = self.size - 1 - int(np.searchsorted(p_above, tail, "right"))
            low, high = first + low_index, first + high_index
            p_below = self._cumulative[low_index - 1] if low_index else 0.0
            outside = float(p_below + p_above[self.size - 1 - high_index] - self.pmf[high_index])
        low_return, high_return = (1 + self.profit(step) / self.n for step in (low, high))
        return ReturnLimits(self.n, low_return, high_return, outside, self.method, self.error)


def tilted(law: Mapping[Fraction, Fraction], mean: Fraction) -> dict[Fraction, Fraction]:
    """The distribution nearest to `law` with a given mean: p(x) exp(θx), normalized.

    Nearest by Kullback and Leibler (1951). The probabilities are rounded to 40 bits, so the mean is
    off by up to 2^-40 of the range of the values, for each of them.

    >>> law = tilted({Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}, Fraction(1, 10))
    >>> round(float(law[Fraction(1)]), 9)
    0.55

    Raises:
        RulesError: no such distribution has this mean.
    """
    if not min(law) < mean < max(law):
        raise RulesError(f"a mean of {mean}; give one between {min(law)} and {max(law)}")
    # profits of 10^6 would overflow the exponential before θ is bracketed
    scale = float(max(map(abs, law)))

    def weights(theta: float) -> dict[Fraction, float]:
        return {x: float(p) * exp(theta * (float(x) / scale)) for x, p in law.items()}

    low, high = -1.0, 1.0

    def mean_at(theta: float) -> float:
        tilt = weights(theta)
        return sum(float(x) * w for x, w in tilt.items()) / sum(tilt.values())

    while mean_at(low) > mean:
        low *= 2
    while mean_at(high) < mean:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_at(middle) < mean else (low, middle)
    tilt = weights(high)
    # whole weights: the lattice of the total needs exact probabilities, all above 0
    whole = {x: max(1, round(w / sum(tilt.values()) * 2**40)) for x, w in tilt.items()}
    total = sum(whole.values())
    return {x: Fraction(w, total) for x, w in whole.items()}


@dataclass(frozen=True)
class BetsNeeded:
    """The number of bets that shows a mean profit lower or higher than stated.

    Attributes:
        normal: by the normal approximation.
        bets: by the distribution of the total: `normal`, raised by 1 % until the power is reached.
        power: the power with `bets` bets.
        limit: the test rejects an actual return below this, or above it if the change is upward.
        method: how the total was computed; "convolution" is within 10^-9.
    """

    normal: int
    bets: int
    power: float
    limit: Fraction
    method: str


def bets_needed(
    law: Mapping[Fraction, Fraction],
    change: Number,
    confidence: Number = "95%",
    power: Number = "95%",
    *,
    sides: int = 1,
) -> BetsNeeded:
    """The bets needed to notice that the mean profit is off by `change` per unit staked.

    >>> coin = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    >>> needed = bets_needed(coin, "-2%")
    >>> needed.normal, needed.bets, round(needed.power, 4), needed.method
    (27051, 27322, 0.951, 'convolution')

    The alternative is the nearest distribution with that mean, see `tilted`. The statistic is the
    total of the bets.

    Args:
        law: the profit of a bet per unit staked, or any distribution of finitely many values.
        change: the error of the mean; negative if it is lower.
        confidence: the least probability that a correct game is not rejected.
        power: the probability that the wrong game is rejected.
        sides: 2 for a two-sided test, with half of the error on each side.

    Raises:
        DataError: a wrong confidence or power, a change of 0, or too many bets to compute.
        RulesError: no such distribution has this mean.
    """
    exact_change, alpha = exact(change), tail_probability(confidence, sides)
    exact_power = parse_power(power, alpha)
    # the limits of the test are those of a central interval
    if 2 * alpha >= 1:
        raise DataError(
            f"confidence={shown(confidence)}; give more than 50 % for a test of one side"
        )
    if not exact_change:
        raise DataError("change=0; give a change above or below 0")
    mean = sum((x * p for x, p in law.items()), Fraction(0))
    changed = tilted(law, mean + exact_change)
    unit = float(ManyBets(law, 1).lattice.unit)
    spread = sqrt(ManyBets(law, 1).variance) * unit, sqrt(ManyBets(changed, 1).variance) * unit
    normal = ceil((detectable_change(spread, alpha, exact_power) / float(exact_change)) ** 2)
    n = max(normal, 1)
    for _ in range(MAX_TRIES):
        if n > MAX_BETS:
            raise DataError(TOO_MANY_BETS)
        afford(f"the distribution of {n:,} bets", seconds=1.0)
        stated_total, changed_total = ManyBets(law, n), ManyBets(changed, n)
        # the central interval leaves alpha on each side, and one of them is tested
        limits = stated_total.limits(1 - 2 * alpha)
        end = limits.low if exact_change < 0 else limits.high
        total = (end - 1) * n
        p_rejected = (
            changed_total.below(total)
            if exact_change < 0
            else 1 - changed_total.below(total + stated_total.lattice.unit)
        )
        if p_rejected >= exact_power:
            return BetsNeeded(normal, n, p_rejected, end, stated_total.method)
        n = ceil(n * (1 + GROWTH))
    raise DataError(f"the power {shown(power)} is not reached with {n:,} bets; ask for less")


def bets_needed_with_award(
    award: ProgressiveResult,
    change: Number,
    confidence: Number = "95%",
    power: Number = "95%",
    *,
    sides: int = 1,
) -> BetsNeeded:
    """As `bets_needed`, for a bet whose progressive award counts as it is paid.

    By the normal approximation with the variance of one bet and its award, as of independent bets.
    Bets in a row on one meter need fewer: the later an award is won, the larger it is.

    >>> from sevenout.rolling import dice
    >>> from sevenout.rules import Progressive, Wager
    >>> from sevenout.solving import solve
    >>> from sevenout.solving.awards import progressive
    >>> sixes = solve(Wager(dice("3d6").totals, {18: 150}, limit=1)).bet()
    >>> award = progressive(sixes, Progressive(40, "4%", "18"))
    >>> bets_needed_with_award(award, "-2%").bets
    4978440

    Raises:
        DataError: a wrong confidence, power or number of sides, a change of 0, too many bets, or a
            return that never varies.
    """
    exact_power = parse_power(power, tail_probability(confidence, sides))
    if not award.variance:
        raise DataError(f"every bet returns {award.rtp} of its stake; one bet shows a change")
    bets, limit = mean_needed(
        award.rtp, award.variance, exact(change), confidence, exact_power, sides=sides
    )
    if bets > MAX_BETS:
        raise DataError(TOO_MANY_BETS)
    return BetsNeeded(bets, bets, float(exact_power), Fraction(limit), "normal")
