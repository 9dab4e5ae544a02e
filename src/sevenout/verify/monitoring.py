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

A bet with a progressive award is monitored with its meter booked. The meter is owed to the players:
its rise is booked as a return, and taken off when an award is paid. A bet with profit X that feeds
c books X + c. A bet that wins the award also books the seed s, from which the meter restarts.

Without a limit the amounts are independent and identically distributed, so all limits are exact.
With a limit L the K-th bet wins for certain, and books less by the meter's excess over L. The bets
from one award to the next are then a cycle, of N bets that book C. For each λ there is one ψ(λ)
with E exp(λ(C - μN) - ψN) = 1. With r bets left to the limit, a function g(r) of the rest of the
cycle makes

    g(r) exp(λ(S_n - nμ) - nψ)

a martingale (S. Asmussen, Applied Probability and Queues, 2003, ch. XIII). With the bounds of g,
Ville's inequality limits the running total. Markov's inequality limits the total of a day, from any
meter at its start. ψ is rounded up, proved in ball arithmetic (F. Johansson, IEEE Transactions on
Computers 66, 2017).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, expm1, floor, inf, log, log1p, log2, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import arb, ctx, fmpq

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import sum_by_key
from sevenout.solving.awards import ProgressiveResult
from sevenout.solving.bet_result import BetResult
from sevenout.verify.counts import parse_confidence
from sevenout.verify.many_bets import ManyBets, ReturnLimits, tilted
from sevenout.wrong_arguments import public

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]
    Step = tuple[tuple[Floats, int], tuple[Floats, int], float]


DAYS = 365
NARROW_FROM, NARROW_TO = 10**3, 10**9
"""The running limits are narrowest between these numbers of bets."""
PER_DECADE = 3
"""The λ of the mixture for each power of ten of bets; with 6 the limits are no narrower."""
MAX_STEPS = 1 << 17
"""The most steps of a running total that is carried from day to day."""

# ψ and g are rounded outwards, and these are far more than a float has
BITS = 256
HALVINGS = 60


class RunningLimits(NamedTuple):
    """The limits of the actual return of all bets since the start, both ends inside.

    Attributes:
        bets: their number.
        low: the lower end, returned per unit staked.
        high: the upper end.
    """

    bets: int
    low: Fraction
    high: Fraction


class FalseAlarms(NamedTuple):
    """The probability of a false alarm in a year, by each rule.

    Attributes:
        day: by the day's rule.
        running: by the running rule.
        either: by one of them or both.
    """

    day: float
    running: float
    either: float


@dataclass(frozen=True, eq=False)
class Monitor:
    """The limits of a live bet.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> monitor = Monitor(solve(games["craps"]).bet().profit, "99%")
    >>> day, running = monitor.day(10_000), monitor.running(10_000)
    >>> f"{float(day.low):.4f} {float(day.high):.4f}"
    '0.9424 1.0294'
    >>> f"{float(running.low):.4f} {float(running.high):.4f}"
    '0.9450 1.0268'

    Attributes:
        law: the distribution of one bet's profit, per unit staked.
        confidence: the least probability that a correct game has no alarm in a year.
        days: the days of a year.
        any_stakes: whether rounds may have different stakes; see `rounds_counted`. Otherwise all
            bets are of one size, by one player.
        _totals, _running_limits: what was computed, by the number of bets.
    """

    law: Mapping[Fraction, Fraction]
    confidence: Number = "99%"
    days: int = DAYS
    any_stakes: bool = False
    _totals: dict[int, ManyBets] = field(default_factory=dict, init=False, repr=False)
    _running_limits: dict[int, RunningLimits] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.days, int) or not 1 <= self.days <= 10_000:
            raise RulesError(f"a year of {shown(self.days)} days; take 1 to 10,000")
        parse_confidence(self.confidence)

    @property
    def alpha(self) -> float:
        """The false-alarm probability of each rule per year; jointly at most twice this."""
        return float(1 - parse_confidence(self.confidence)) / 2

    @property
    def day_confidence(self) -> Fraction:
        """The confidence of one day's limits; to the power of the days it is 1 - `alpha`."""
        return 1 - Fraction(-expm1(log(1 - self.alpha) / self.days)).limit_denominator(10**12)

    def day(self, bets: int) -> ReturnLimits:
        """The limits of a day of this many bets.

        If the error of the distribution is not well below the alarm probability, or stakes differ,
        they come from Chernoff's inequality (1952), P(S_n - nμ >= x) <= exp(nψ(λ) - λx) for every
        λ > 0.
        """
        total, p_outside = self.total(bets), float(1 - self.day_confidence)
        # an error of a hundredth of the alarm probability does not show
        if not self.any_stakes and total.error <= p_outside / 100:
            return total.limits(self.day_confidence)
        return self._chernoff(bets, p_outside)

    def fixed(self, bets: int, confidence: Number = "99%") -> ReturnLimits:
        """The limits of this many bets for one look, at a number fixed beforehand."""
        return self.total(bets).limits(confidence)

    def _chernoff(self, bets: int, p_outside: float) -> ReturnLimits:
        """Limits outside which the return lies with probability at most `p_outside`."""
        log_tail = log(2 / p_outside)
        middle = round(8 * log2(sqrt(2 * log_tail / bets) / self._deviation))
        # eighths of octaves, three octaves each way: enough for any number of bets
        rates = [2 ** (k / 8) for k in range(middle - 24, middle + 25)]
        below, above = (
            min(
                self._max_distance(bets, side),
                *(self._log_crossing(bets, log_tail, side * r) / r for r in rates),
            )
            for side in (-1, 1)
        )
        low, high = self._return_ends(bets, below, above)
        return ReturnLimits(bets, low, high, p_outside, "Chernoff", 0.0)

    def _log_crossing(self, bets: int, log_tail: float, rate: float) -> float:
        """λ times the distance that the total exceeds with probability e^-log_tail at most."""
        psi, log_least, log_greatest = self._tilt(rate)
        return log_tail + bets * psi + log_greatest - log_least

    def total(self, bets: int) -> ManyBets:
        """The total of this many bets, cached."""
        if bets not in self._totals:
            self._totals[bets] = ManyBets(self.law, bets)
        return self._totals[bets]

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
        """The λ of the mixture: each gives the narrowest limits at another number of bets."""
        z = sqrt(2 * log(2 / self.alpha))
        decades = round(PER_DECADE * (log(NARROW_TO / NARROW_FROM) / log(10)))
        counts = [NARROW_FROM * 10 ** (k / PER_DECADE) for k in range(decades + 1)]
        return [side * z / (self._deviation * sqrt(n)) for n in counts]

    def _tilt(self, rate: float) -> tuple[float, float, float]:
        """ψ(λ), and the logarithms of the least and the greatest g, which is 1 here."""
        return self._psi(rate), 0.0, 0.0

    def _psi(self, rate: float) -> float:
        """Log E exp(λ(X - μ)), without cancellation for small λ."""
        expectation = 0.0
        for x, p in self.law.items():
            y = rate * float(x - self.mean)
            # its exponential overflows, and such a λ bounds nothing
            if y > 700:
                return inf
            series = y * y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5)))
            expectation += float(p) * (series if abs(y) < 1e-3 else expm1(y) - y)
        return log1p(expectation)

    def evidence(self, bets: int, excess: float) -> float:
        """The logarithm of the martingale, for an excess over the mean after this many bets."""
        terms = [
            rate * excess - bets * psi + log_g for rate, psi, log_g in self._mixture if psi < inf
        ]
        # the largest is taken out, since its exponential may overflow
        top = max(terms)
        return top + log(sum(exp(term - top) for term in terms) / len(self._mixture))

    def _max_distance(self, bets: int, side: int) -> float:
        """The largest possible distance of the total from its mean, on one side."""
        return bets * float(max(side * (x - self.mean) for x in self.law))

    def _allowed_distance(self, bets: int, side: int) -> float:
        """The largest allowed distance of the total from its mean, on one side."""
        limit = log(1 / self.alpha)
        farthest = self._max_distance(bets, side)
        low, high = 0.0, self._deviation * sqrt(bets) * 10
        while high < farthest and self.evidence(bets, side * high) < limit:
            high *= 2
        # to 48 bits, rounded inwards: an alarm may be a little early, never late
        for _ in range(48):
            middle = (low + high) / 2
            alarm = self.evidence(bets, side * middle) >= limit
            low, high = (low, middle) if alarm else (middle, high)
        return low

    def running(self, bets: int) -> RunningLimits:
        """The limits of this many bets since the start, valid at all numbers at once.

        Raises:
            RulesError: fewer bets than 1.
        """
        if bets < 1:
            raise RulesError(f"the limits of {bets} bets; take 1 or more")
        if bets not in self._running_limits:
            below, above = (self._allowed_distance(bets, side) for side in (-1, 1))
            self._running_limits[bets] = RunningLimits(bets, *self._return_ends(bets, below, above))
        return self._running_limits[bets]

    def _return_ends(self, bets: int, below: float, above: float) -> tuple[Fraction, Fraction]:
        """The least and the greatest return within these distances of the mean total."""
        # the totals of mixed stakes lie on no lattice
        if self.any_stakes:
            low = max(bets * min(self.law), bets * self.mean - Fraction(below))
            high = min(bets * max(self.law), bets * self.mean + Fraction(above))
            return 1 + low / bets, 1 + high / bets
        lattice, mean = self.total(1).lattice, bets * self.mean
        # a single profit is a lattice without steps
        unit, first, last = lattice.unit or Fraction(1), bets * lattice.low, bets * max(self.law)
        low = first + unit * ceil((mean - Fraction(below) - first) / unit)
        high = first + unit * floor((mean + Fraction(above) - first) / unit)
        return 1 + max(low, first) / bets, 1 + min(high, last) / bets

    @property
    def slack(self) -> Fraction:
        """The true return may be lower by less than this."""
        return self.mean - min(self.law)

    # --- a year ---------------------------------------------------------------------------------

    def year(self, volume: int) -> FalseAlarms:
        """The probability of an alarm for a correct game, in a year with this many bets per day.

        The running total is carried from day to day, without the paths that have alarmed.

        >>> from sevenout.solving import solve
        >>> from sevenout.catalogue import games
        >>> monitor = Monitor(solve(games["craps"]).bet().profit, "99%", days=30)
        >>> year = monitor.year(1_000)
        >>> 0.0025 < year.day <= monitor.alpha, year.running < 0.002
        (True, True)

        Raises:
            RulesError: too many likely totals.
            TooMuchWorkError: over the budget.
        """
        self.check_year()
        step, within, outside = self._day_distributions(self.law, volume)
        running = self._alarms_by_day(step, volume)[-1]
        either = self._alarms_by_day(within, volume)[-1]
        return FalseAlarms(1 - (1 - outside) ** self.days, running, either)

    def detection(self, volume: int, lower: Number) -> tuple[float, ...]:
        """The probability of an alarm by each day, if the true return is lower than stated.

        >>> from sevenout.solving import solve
        >>> from sevenout.catalogue import games
        >>> monitor = Monitor(solve(games["craps"]).bet().profit, "99%", days=30)
        >>> [day for day, p in enumerate(monitor.detection(1_000, "5%"), 1) if p > 0.5][0]
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
        return tuple(self._alarms_by_day(self._day_distributions(law, volume)[1], volume))

    def check_year(self) -> None:
        """Refuse alarm probabilities if a bet depends on earlier ones."""

    def _day_distributions(self, law: Mapping[Fraction, Fraction], volume: int) -> "Step":
        """The distribution of a day; the same without its own alarms; the probability of these."""
        import numpy as np

        day = ManyBets(law, volume)
        first, limits = day.centre - day.size // 2, self.day(volume)
        a, b = (_lattice_step(day, end, volume) - first for end in (limits.low, limits.high))
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
        if year + day > MAX_STEPS:
            raise RulesError(
                f"a year's total has about {year:,} likely values; take fewer bets a day"
            )
        return 1 << (year + day).bit_length()

    def _alarms_by_day(self, step: "tuple[Floats, int]", volume: int) -> list[float]:
        """The probability of an alarm by each day; missing probability counts as an alarm."""
        import numpy as np

        chances, first = step
        width = self._width(volume, len(chances))
        afford(f"a year of {volume:,} bets a day", seconds=self.days * width * 6e-8)
        day, spectrum = self.total(volume), np.fft.rfft(chances, width)
        # the probability of each total without an alarm, from step `start` on
        start = 0
        totals = np.zeros(width)
        totals[0] = 1.0
        alarms = []
        for n in range(1, self.days + 1):
            totals = np.fft.irfft(np.fft.rfft(totals) * spectrum, width)
            start += first
            inside = self.running(n * volume)
            low, high = (_lattice_step(day, end, n * volume) - start for end in inside[1:])
            # the window moves to the limits, and so never wraps around
            inside_totals = np.maximum(totals[max(low, 0) : max(high + 1, 0)], 0.0)
            totals = np.zeros(width)
            totals[: len(inside_totals)] = inside_totals
            start += max(low, 0)
            alarms.append(min(1.0, max(0.0, 1 - float(inside_totals.sum()))))
        return alarms


def _lattice_step(total: ManyBets, returned: Fraction, bets: int) -> int:
    """The lattice step of this return per unit staked."""
    return int(((returned - 1) * bets - bets * total.lattice.low) / total.lattice.unit)


@dataclass(frozen=True, eq=False)
class MeteredMonitor(Monitor):
    """The limits of a live bet whose award must be hit by a limit.

    >>> from sevenout.rolling import dice
    >>> from sevenout.solving import solve
    >>> from sevenout.solving.awards import progressive
    >>> from sevenout.rules import Progressive, Wager
    >>> sixes = solve(Wager(dice("3d6").totals, {18: 150}, limit=1)).bet()
    >>> monitor = monitor_of(
    ...     sixes, progressive(sixes, Progressive(40, "4%", "18", must_hit_by=100))
    ... )
    >>> day = monitor.day(10_000)
    >>> f"{float(day.low):.2f} {float(day.high):.2f} {day.method}"
    '0.37 1.63 Chernoff'

    Attributes:
        law: the long-run distribution of what one bet books.
        award: the award and its meter.
    """

    award: ProgressiveResult | None = None

    def fixed(self, bets: int, confidence: Number = "99%") -> ReturnLimits:
        return self._chernoff(bets, float(1 - parse_confidence(confidence)))

    def day(self, bets: int) -> ReturnLimits:
        return self._chernoff(bets, float(1 - self.day_confidence))

    def check_year(self) -> None:
        raise RulesError("the amount that an award with a limit books depends on its meter")

    def _tilt(self, rate: float) -> tuple[float, float, float]:
        """`_cycle` of a rate, computed once."""
        if rate not in self._cycles:
            self._cycles[rate] = self._cycle(rate)
        return self._cycles[rate]

    @cached_property
    def _cycles(self) -> dict[float, tuple[float, float, float]]:
        return {}

    def _cycle(self, rate: float) -> tuple[float, float, float]:
        """An upper bound of ψ, and the logarithms of the least and the greatest g."""
        assert self.award is not None
        # its exponentials overflow the floats that ψ is compared in
        if rate * max(abs(float(x)) for x in self.law) > 700:
            return inf, 0.0, 0.0
        with ctx.workprec(BITS):
            cycle = Cycle(self.award, self.mean, rate)
            # doubled until balls prove it large enough, then halved as long as they still do
            psi_above = 1e-12
            while not cycle.total(psi_above) < 1:
                psi_above *= 2
            psi_below = 0.0
            for _ in range(HALVINGS):
                middle = (psi_below + psi_above) / 2
                if cycle.total(middle) < 1:
                    psi_above = middle
                else:
                    psi_below = middle
                if psi_above - psi_below <= 1e-12 * psi_above:
                    break
            low, high = cycle.g_bounds(psi_above)
            return psi_above, float(low.log().lower()), float(high.log().upper())


class Cycle:
    """E exp(λ(C - μN) - ψN) over the bets between two awards, and the bounds of g.

    All values are balls, for one λ.

    Attributes:
        bets: the most bets of a cycle.
        q: the probability that a bet wins the award; None if the winning bet is drawn beforehand.
        missed, won: E exp(λ(X + c - μ)) over the bets that miss the award, and that win it.
        seed: exp(λs), for the seed booked with an award.
        excess_factor: exp of λ times the meter's excess over the limit, taken off at the last bet.
    """

    def __init__(self, award: ProgressiveResult, mean: Fraction, rate: float) -> None:
        law, stake = award.law, award.bet.stake
        assert law.max_bets is not None
        assert law.limit is not None
        self.bets, self.q = law.max_bets, law.p_win
        exponential = _exponential(arb(rate))
        self.missed = self.won = arb(0)
        for pay, p in award.bet.law.items():
            term = _ball(p) * exponential((pay.profit + law.feed) / stake - mean)
            if pay.event in award.rule.on:
                self.won += term
            else:
                self.missed += term
        self.seed = exponential(law.seed / stake)
        excess = law.seed + law.max_bets * law.feed - law.limit
        self.excess_factor = exponential(-excess / stake)

    def total(self, psi: float) -> Any:
        """The expectation: below 1 if ψ is large enough."""
        z = (-arb(psi)).exp()
        if self.q is None:
            w = (self.missed + self.won) * z
            bets = _powers(w, self.bets - 1) * w + w**self.bets * self.excess_factor
            return self.seed * bets / self.bets
        u, last = self.missed * z, self._last(z)
        return self.won * z * self.seed * _powers(u, self.bets - 1) + u ** (self.bets - 1) * last

    def _last(self, z: Any) -> Any:
        """The contribution of the bet that wins for certain."""
        return (self.missed + self.won) * z * self.seed * self.excess_factor

    def g_bounds(self, psi: float) -> tuple[Any, Any]:
        """The least and the greatest g.

        It is monotone, and 1 at the first bet of a cycle; for a mystery award, up to the
        truncation.
        """
        z, first = (-arb(psi)).exp(), arb(1)
        if self.q is not None:
            last = self._last(z)
            return first.min(last), first.max(last)
        w = (self.missed + self.won) * z
        mean = _powers(w, self.bets) * w / self.bets
        low = self.seed * first.min(self.excess_factor) * w.min(mean)
        high = self.seed * first.max(self.excess_factor) * w.max(mean)
        return first.min(low), first.max(high)


def _powers(u: Any, n: int) -> Any:
    """1 + u + ... + u^(n-1)."""
    return (1 - u**n) / (1 - u)


def _ball(x: Fraction) -> Any:
    return arb(fmpq(x.numerator, x.denominator))


def _exponential(rate: Any) -> Callable[[Fraction], Any]:
    return lambda x: (rate * _ball(x)).exp()


def booked_profit(award: ProgressiveResult) -> dict[Fraction, Fraction]:
    """The long-run distribution of what a bet books per unit staked.

    >>> from sevenout.rolling import dice
    >>> from sevenout.solving import solve
    >>> from sevenout.solving.awards import progressive
    >>> from sevenout.rules import Progressive, Wager
    >>> sixes = solve(Wager(dice("3d6").totals, {18: 150}, limit=1)).bet()
    >>> award = progressive(sixes, Progressive(40, "4%", "18"))
    >>> law = booked_profit(award)
    >>> law[150 + 40 + award.feed], -sum(x * p for x, p in law.items()) == award.edge
    (Fraction(1, 216), True)
    """
    law, stake = award.law, award.bet.stake
    seed = law.seed / stake
    p_last = p_drawn = excess = Fraction(0)
    if law.max_bets is not None and law.limit is not None:
        p_last = law.survival(law.max_bets - 1) / law.mean_bets
        p_drawn = 1 / law.mean_bets - p_last
        excess = (law.seed + law.max_bets * law.feed - law.limit) / stake
    # each pay without the award, with it, and as the bet that reaches the limit
    parts = []
    for pay, p in award.bet.law.items():
        x = (pay.profit + law.feed) / stake
        wins = p_drawn
        if law.p_win is not None:
            wins = Fraction(pay.event in award.rule.on) * (1 - p_last)
        chances = (x, 1 - p_last - wins), (x + seed, wins), (x + seed - excess, p_last)
        parts += [(y, p * chance) for y, chance in chances if chance]
    return dict(sum_by_key(parts))


def rounds_counted(staked: Number, largest: Number) -> int:
    """The number of rounds of one size that a sum of stakes counts as, for limits of any stakes.

    All stakes that one result settles are one round. For stakes w up to a largest W, known before
    the rolls, the rounds count as n = Σw/W: since ψ is convex and ψ(0) = 0, ψ(λw/W) <= (w/W)ψ(λ),
    so Σψ(λw/W) <= nψ(λ), and Chernoff's inequality and the mixture of martingales hold with n.

    >>> rounds_counted(12_500, 100)
    125

    Raises:
        RulesError: a largest stake that is not positive, or nothing staked.
    """
    total, exact_largest = exact(staked), exact(largest)
    if exact_largest <= 0 or total < 0:
        raise RulesError(f"stakes of {total} up to {exact_largest}; give amounts above 0")
    return int(total / exact_largest)


@public
def monitor_of(
    bet: BetResult,
    award: ProgressiveResult | None = None,
    confidence: Number = "99%",
    days: int = DAYS,
    *,
    any_stakes: bool = False,
) -> Monitor:
    """The monitor of a bet, with its award if it has one.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> monitor_of(solve(games["craps"]).bet()).day(1_000).method
    'convolution'

    Args:
        bet: the bet.
        award: its progressive award.
        confidence: the least probability that a correct game has no alarm in a year.
        days: the days of a year.
        any_stakes: whether the limits hold for rounds with different stakes, counted by
            `rounds_counted`; a bet with an award has stakes of one size.
    """
    if award is None:
        return Monitor(bet.profit, confidence, days, any_stakes)
    # without a limit, or if every bet wins, the amounts booked are independent; a meter is fed by
    # stakes of one size
    if award.law.max_bets is None or award.law.p_win == 1:
        return Monitor(booked_profit(award), confidence, days)
    return MeteredMonitor(booked_profit(award), confidence, days, award=award)
