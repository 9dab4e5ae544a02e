"""Monitoring of a live game: limits of its actual return.

Two rules, applied daily, share the false alarms of a year. The *day's* rule limits each day's
return, jointly for all days; it finds large faults at once. The *running* rule limits the return of
all bets since the start, valid at every look; it finds small, lasting faults.

The running limits come from a mixture of martingales. For the profit X of one bet with mean μ, and
any λ, exp(λ(S_n - nμ) - nψ(λ)) with ψ(λ) = log E exp(λ(X - μ)) has mean 1 after n bets. So has an
average over several λ; by Ville's inequality (1939) it *ever* reaches 1/α with probability at most
α (H. Robbins, "Statistical methods related to the law of the iterated logarithm", 1970; S. Howard,
A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence
sequences", Annals of Statistics 49, 2021). The distribution is exact, so the limits also hold for
rare large wins.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, expm1, floor, inf, log, log1p, log2, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.cost import afford
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.verify.confidence import confidence_of
from sevenout.verify.manybets import ManyBets, ReturnLimits, tilted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]
    Step = tuple[tuple[Floats, int], tuple[Floats, int], float]

DAYS = 365
FIRST, LAST = 10**3, 10**9
"""The running limits are narrowest between these numbers of bets."""
PER_DECADE = 3
WIDEST = 1 << 17
"""The most steps of a running total that is carried from day to day."""


class Running(NamedTuple):
    """The limits of the actual return of all bets since the start, both ends inside."""

    bets: int
    low: Fraction
    high: Fraction


class Year(NamedTuple):
    """The probability of a false alarm in these days, by each rule and by either."""

    day: float
    running: float
    either: float


@dataclass(frozen=True, eq=False)
class Monitor:
    """The limits of a live bet.

    >>> from sevenout.solving import solve
    >>> from sevenout.games import catalogue
    >>> monitor = Monitor(solve(catalogue["craps"]).bet().profit, "99%")
    >>> day, running = monitor.day(10_000), monitor.running(10_000)
    >>> f"{float(day.low):.4f} {float(day.high):.4f}"
    '0.9424 1.0294'
    >>> f"{float(running.low):.4f} {float(running.high):.4f}"
    '0.9450 1.0268'

    Attributes:
        law: the distribution of one bet's profit, per unit staked.
        confidence: the least probability that a correct game has no alarm in a year.
    """

    law: Mapping[Fraction, Fraction]
    confidence: Number = "99%"
    days: int = DAYS

    def __post_init__(self) -> None:
        if not isinstance(self.days, int) or not 1 <= self.days <= 10_000:
            raise RulesError(f"a year of {shown(self.days)} days; take 1 to 10,000")
        confidence_of(self.confidence)

    @property
    def alpha(self) -> float:
        """The false-alarm probability of each rule per year; jointly at most twice this."""
        return float(1 - confidence_of(self.confidence)) / 2

    @property
    def daily(self) -> Fraction:
        """The confidence of one day's limits: its power by the days is 1 - `alpha`."""
        return 1 - Fraction(-expm1(log(1 - self.alpha) / self.days)).limit_denominator(10**12)

    def day(self, bets: int) -> ReturnLimits:
        """The limits of a day of this many bets.

        If the error of the distribution is not well below the alarm probability, they come from
        Chernoff's inequality (1952), P(S_n - nμ >= x) <= exp(nψ(λ) - λx) for every λ > 0.
        """
        total, rest = self.total(bets), float(1 - self.daily)
        if total.error <= rest / 100:
            return total.limits(self.daily)
        return self._chernoff(bets, rest)

    def fixed(self, bets: int, confidence: Number = "99%") -> ReturnLimits:
        """The limits of this many bets for one look, at a number fixed beforehand."""
        return self.total(bets).limits(confidence)

    def _chernoff(self, bets: int, rest: float) -> ReturnLimits:
        """Limits outside which the return lies with probability at most `rest`."""
        log_tail = log(2 / rest)
        middle = round(8 * log2(sqrt(2 * log_tail / bets) / self._deviation))
        rates = [2 ** (k / 8) for k in range(middle - 24, middle + 25)]  # enough for any bets
        below, above = (
            min(
                self._most(bets, side),
                *(self._far(bets, log_tail, side * r) / r for r in rates),
            )
            for side in (-1, 1)
        )
        low, high = self._inside(bets, below, above)
        return ReturnLimits(bets, low, high, rest, "Chernoff", 0.0)

    def _far(self, bets: int, log_tail: float, rate: float) -> float:
        psi, least, most = self._tilt(rate)
        return log_tail + bets * psi + most - least

    def total(self, bets: int) -> ManyBets:
        """The total of this many bets, cached."""
        if bets not in self._totals:
            self._totals[bets] = ManyBets(self.law, bets)
        return self._totals[bets]

    @cached_property
    def _totals(self) -> dict[int, ManyBets]:
        return {}

    def forget(self) -> None:
        """Free the distributions of the totals, and keep the limits found."""
        for total in self._totals.values():
            total.forget()

    # --- the running rule -----------------------------------------------------------------------

    @cached_property
    def mean(self) -> Fraction:
        """The mean of one bet, per unit staked."""
        return sum((x * p for x, p in self.law.items()), Fraction(0))

    @cached_property
    def _deviation(self) -> float:
        return sqrt(sum(float(p) * float(x - self.mean) ** 2 for x, p in self.law.items()))

    @cached_property
    def _mixture(self) -> list[tuple[float, float, float]]:
        """Each λ of one side, with ψ(λ) and log g; the other side has as many."""
        return [(rate, *self._tilt(rate)[:2]) for rate in self._rates(1) + self._rates(-1)]

    def _rates(self, side: int) -> list[float]:
        z = sqrt(2 * log(2 / self.alpha))
        decades = round(PER_DECADE * (log(LAST / FIRST) / log(10)))
        counts = [FIRST * 10 ** (k / PER_DECADE) for k in range(decades + 1)]
        return [side * z / (self._deviation * sqrt(n)) for n in counts]

    def _tilt(self, rate: float) -> tuple[float, float, float]:
        """ψ(λ), and the logarithms of the least and the greatest g, as in `metered`."""
        return self._psi(rate), 0.0, 0.0

    def _psi(self, rate: float) -> float:
        """Log E exp(λ(X - μ)), without cancellation for small λ."""
        beyond = 0.0
        for x, p in self.law.items():
            y = rate * float(x - self.mean)
            if y > 700:
                return inf
            small = y * y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5)))
            beyond += float(p) * (small if abs(y) < 1e-3 else expm1(y) - y)
        return log1p(beyond)

    def evidence(self, bets: int, excess: float) -> float:
        """The logarithm of the martingale, for an excess over the mean after this many bets."""
        terms = [
            rate * excess - bets * psi + least for rate, psi, least in self._mixture if psi < inf
        ]
        top = max(terms)
        return top + log(sum(exp(term - top) for term in terms) / len(self._mixture))

    def _most(self, bets: int, side: int) -> float:
        """The largest possible distance of the total from its mean, on one side."""
        return bets * float(max(side * (x - self.mean) for x in self.law))

    def _reach(self, bets: int, side: int) -> float:
        """The largest allowed distance of the total from its mean, on one side."""
        limit = log(1 / self.alpha)
        most = self._most(bets, side)
        low, high = 0.0, self._deviation * sqrt(bets) * 10
        while high < most and self.evidence(bets, side * high) < limit:
            high *= 2
        for _ in range(48):
            middle = (low + high) / 2
            low, high = (
                (low, middle) if self.evidence(bets, side * middle) >= limit else (middle, high)
            )
        return low

    def running(self, bets: int) -> Running:
        """The limits of this many bets since the start, valid at all numbers at once."""
        if bets not in self._found:
            self._found[bets] = self._running(bets)
        return self._found[bets]

    @cached_property
    def _found(self) -> dict[int, Running]:
        return {}

    def _running(self, bets: int) -> Running:
        return Running(bets, *self._inside(bets, self._reach(bets, -1), self._reach(bets, 1)))

    def _inside(self, bets: int, below: float, above: float) -> tuple[Fraction, Fraction]:
        """The least and the greatest return within these distances of the mean total."""
        lattice, mean = self.total(1).lattice, bets * self.mean
        unit, least = lattice.unit or Fraction(1), bets * lattice.low
        most = bets * max(self.law)
        ends = (
            ceil((mean - Fraction(below) - least) / unit),
            floor((mean + Fraction(above) - least) / unit),
        )
        inside = [min(max(least + end * unit, least), most) for end in ends]
        return 1 + inside[0] / bets, 1 + inside[1] / bets

    @property
    def slack(self) -> Fraction:
        """The true return may be lower by less than this."""
        return self.mean - min(self.law)

    # --- a year ---------------------------------------------------------------------------------

    def year(self, volume: int) -> Year:
        """The probability of an alarm for a correct game, in a year with this many bets per day.

        The running total is carried from day to day, without the paths that have alarmed.

        >>> from sevenout.solving import solve
        >>> from sevenout.games import catalogue
        >>> monitor = Monitor(solve(catalogue["craps"]).bet().profit, "99%", days=30)
        >>> found = monitor.year(1_000)
        >>> 0.0025 < found.day <= monitor.alpha, found.running < 0.002
        (True, True)

        Raises:
            RulesError: too many likely totals.
            TooMuchWorkError: over the budget.
        """
        self.check_year()
        step, within, outside = self._step(self.law, volume)
        running = self._carried(step, volume)[-1]
        either = self._carried(within, volume)[-1]
        return Year(1 - (1 - outside) ** self.days, running, either)

    def noticed(self, volume: int, lower: Number) -> tuple[float, ...]:
        """The probability of an alarm by each day, if the true return is lower than stated.

        >>> from sevenout.solving import solve
        >>> from sevenout.games import catalogue
        >>> monitor = Monitor(solve(catalogue["craps"]).bet().profit, "99%", days=30)
        >>> [day for day, p in enumerate(monitor.noticed(1_000, "5%"), 1) if p > 0.5][0]
        7

        Args:
            volume: bets per day.
            lower: the difference; the distribution is the nearest with this mean, see `tilted`.

        Raises:
            RulesError: too many likely totals, or no distribution with this return.
            TooMuchWorkError: over the budget.
        """
        self.check_year()
        law = tilted(self.law, self.mean - exact(lower))
        return tuple(self._carried(self._step(law, volume)[1], volume))

    def check_year(self) -> None:
        """Refuse alarm probabilities if a bet depends on earlier ones."""

    def _step(self, law: Mapping[Fraction, Fraction], volume: int) -> "Step":
        """The distribution of a day; the same without its own alarms; the probability of these."""
        import numpy as np

        day = ManyBets(law, volume)
        first, limits = day.centre - day.size // 2, self.day(volume)
        a, b = (_place(day, end, volume) - first for end in (limits.low, limits.high))
        inside = (np.arange(day.size) >= a) & (np.arange(day.size) <= b)
        within = np.where(inside, day.pmf, 0.0)
        return (day.pmf, first), (within, first), max(0.0, 1 - float(within.sum()))

    def _width(self, volume: int, day: int) -> int:
        """The steps of a window for the running limits and one more day.

        Raises:
            RulesError: too many.
        """
        last = volume * self.days
        _, low, high = self.running(last)
        year = int((high - low) * last / self.total(volume).lattice.unit)
        if year + day > WIDEST:
            raise RulesError(
                f"a year's total has about {year:,} likely values; take fewer bets a day"
            )
        return 1 << (year + day).bit_length()

    def _carried(self, step: "tuple[Floats, int]", volume: int) -> list[float]:
        """The probability of an alarm by each day; missing probability counts as an alarm."""
        import numpy as np

        chances, first = step
        width = self._width(volume, len(chances))
        afford(f"a year of {volume:,} bets a day", seconds=self.days * width * 6e-8)
        day, spectrum = self.total(volume), np.fft.rfft(chances, width)
        start = 0  # the total's step at the start of the window
        here = np.zeros(width)
        here[0] = 1.0
        alarmed = []
        for n in range(1, self.days + 1):
            here = np.fft.irfft(np.fft.rfft(here) * spectrum, width)
            start += first
            inside = self.running(n * volume)
            a, b = (_place(day, end, n * volume) - start for end in inside[1:])
            kept = np.maximum(here[max(a, 0) : max(b + 1, 0)], 0.0)
            here = np.zeros(width)
            here[: len(kept)] = kept
            start += max(a, 0)
            alarmed.append(min(1.0, max(0.0, 1 - float(kept.sum()))))
        return alarmed


def _place(total: ManyBets, back: Fraction, bets: int) -> int:
    """The lattice step of this return per unit staked."""
    return int(((back - 1) * bets - bets * total.lattice.low) / total.lattice.unit)
