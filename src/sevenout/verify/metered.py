"""Monitoring of a bet with a progressive award: its return, with the meter booked.

The meter is owed to the players: its rise is booked as a return, and taken off when an award is
paid. A bet with profit X that feeds c books X + c. A bet that wins the
award also books the seed s, from which the meter restarts.

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

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any

from flint import arb, ctx, fmpq

from sevenout.errors import RulesError
from sevenout.numerals import Number
from sevenout.rolling.distribution import summed
from sevenout.solving.bets.award_return import ProgressiveResult
from sevenout.solving.bets.bet_result import BetResult
from sevenout.verify.confidence import confidence_of
from sevenout.verify.manybets import ReturnLimits
from sevenout.verify.monitoring import DAYS, Monitor

BITS = 256
HALVINGS = 60


@dataclass(frozen=True, eq=False)
class MeteredMonitor(Monitor):
    """The limits of a live bet whose award must be hit by a limit.

    >>> from sevenout.rolling import dice
    >>> from sevenout.solving import solve
    >>> from sevenout.solving.bets.award_return import progressive
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
    """

    award: ProgressiveResult | None = None

    def fixed(self, bets: int, confidence: Number = "99%") -> ReturnLimits:
        return self._chernoff(bets, float(1 - confidence_of(confidence)))

    def day(self, bets: int) -> ReturnLimits:
        return self._chernoff(bets, float(1 - self.daily))

    def check_year(self) -> None:
        raise RulesError("the amount that an award with a limit books depends on its meter")

    def _tilt(self, rate: float) -> tuple[float, float, float]:
        if rate not in self._cycles:
            self._cycles[rate] = self._cycle(rate)
        return self._cycles[rate]

    @cached_property
    def _cycles(self) -> dict[float, tuple[float, float, float]]:
        return {}

    def _cycle(self, rate: float) -> tuple[float, float, float]:
        """An upper bound of ψ, and the logarithms of the least and the greatest g."""
        assert self.award is not None
        if rate * max(abs(float(x)) for x in self.law) > 700:
            return inf, 0.0, 0.0
        with ctx.workprec(BITS):
            cycle = Cycle(self.award, self.mean, rate)
            most = 1e-12
            while not cycle.total(most) < 1:
                most *= 2
            least = 0.0
            for _ in range(HALVINGS):
                middle = (least + most) / 2
                least, most = (least, middle) if cycle.total(middle) < 1 else (middle, most)
                if most - least <= 1e-12 * most:
                    break
            low, high = cycle.ends(most)
            return most, float(low.log().lower()), float(high.log().upper())


class Cycle:
    """E exp(λ(C - μN) - ψN) over the bets between two awards, and the bounds of g."""

    def __init__(self, award: ProgressiveResult, mean: Fraction, rate: float) -> None:
        law, stake = award.law, award.bet.stake
        assert law.bets is not None
        assert law.limit is not None
        self.bets, self.q = law.bets, law.q
        one = _exponential(arb(rate))
        self.missed = self.won = arb(0)
        for pay, p in award.bet.law.items():
            each = _ball(p) * one((pay.profit + law.step) / stake - mean)
            if pay.event in award.rule.on:
                self.won += each
            else:
                self.missed += each
        self.seed = one(law.seed / stake)
        above = law.seed + law.bets * law.step - law.limit
        self.cut = one(-above / stake)

    def total(self, psi: float) -> Any:
        """The expectation: below 1 if ψ is large enough."""
        z = (-arb(psi)).exp()
        if self.q is None:
            w = (self.missed + self.won) * z
            return self.seed * (_powers(w, self.bets - 1) * w + w**self.bets * self.cut) / self.bets
        u, last = self.missed * z, self._last(z)
        return self.won * z * self.seed * _powers(u, self.bets - 1) + u ** (self.bets - 1) * last

    def _last(self, z: Any) -> Any:
        """The contribution of the bet that wins for certain."""
        return (self.missed + self.won) * z * self.seed * self.cut

    def ends(self, psi: float) -> tuple[Any, Any]:
        """The least and the greatest g.

        It is monotone, and 1 at the first bet of a cycle; for a mystery award, up to the
        truncation.
        """
        z, one = (-arb(psi)).exp(), arb(1)
        if self.q is not None:
            last = self._last(z)
            return one.min(last), one.max(last)
        w = (self.missed + self.won) * z
        mean = _powers(w, self.bets) * w / self.bets
        low = self.seed * one.min(self.cut) * w.min(mean)
        high = self.seed * one.max(self.cut) * w.max(mean)
        return one.min(low), one.max(high)


def _powers(u: Any, n: int) -> Any:
    """1 + u + ... + u^(n-1)."""
    return (1 - u**n) / (1 - u)


def _ball(x: Fraction) -> Any:
    return arb(fmpq(x.numerator, x.denominator))


def _exponential(rate: Any) -> Callable[[Fraction], Any]:
    return lambda x: (rate * _ball(x)).exp()


def booked(award: ProgressiveResult) -> dict[Fraction, Fraction]:
    """The long-run distribution of what a bet books per unit staked.

    >>> from sevenout.rolling import dice
    >>> from sevenout.solving import solve
    >>> from sevenout.solving.bets.award_return import progressive
    >>> from sevenout.rules import Progressive, Wager
    >>> sixes = solve(Wager(dice("3d6").totals, {18: 150}, limit=1)).bet()
    >>> award = progressive(sixes, Progressive(40, "4%", "18"))
    >>> law = booked(award)
    >>> law[150 + 40 + award.step], -sum(x * p for x, p in law.items()) == award.edge
    (Fraction(1, 216), True)
    """
    law, stake = award.law, award.bet.stake
    seed = law.seed / stake
    last, above, other = Fraction(0), Fraction(0), Fraction(0)
    if law.bets is not None and law.limit is not None:
        last = law.survives(law.bets - 1) / law.mean_bets
        above = (law.seed + law.bets * law.step - law.limit) / stake
        other = (1 - law.survives(law.bets - 1)) / law.mean_bets if law.q is None else other
    parts = []
    for pay, p in award.bet.law.items():
        x = (pay.profit + law.step) / stake
        wins = Fraction(pay.event in award.rule.on) * (1 - last) if law.q is not None else other
        chances = (x, 1 - last - wins), (x + seed, wins), (x + seed - above, last)
        parts += [(y, p * chance) for y, chance in chances if chance]
    return dict(summed(parts))


def monitor_of(
    bet: BetResult,
    award: ProgressiveResult | None = None,
    confidence: Number = "99%",
    days: int = DAYS,
) -> Monitor:
    """The monitor of a bet, with its award if it has one.

    >>> from sevenout.solving import solve
    >>> from sevenout.games import catalogue
    >>> monitor_of(solve(catalogue["craps"]).bet()).day(1_000).method
    'convolution'

    `confidence` is the least probability that a correct game has no alarm in a year.
    """
    if award is None:
        return Monitor(bet.profit, confidence, days)
    if award.law.bets is None or award.law.q == 1:
        return Monitor(booked(award), confidence, days)
    return MeteredMonitor(booked(award), confidence, days, award)
