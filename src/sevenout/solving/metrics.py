"""Metrics of a bet for designers and test laboratories, per unit staked when the bet is made.

References: R. Hannum and A. Cabot, *Practical Casino Math*, 2nd ed. (2005), for edges, volatility
index and hourly figures; S. Ethier, *The Doctrine of Chances* (2010), for house advantage and ruin;
D. Schlesinger, *Blackjack Attack*, 3rd ed. (2004), for N0.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, isqrt
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, get_args

from sevenout.documents import Certified, Fact, Facts, HasPage, Page
from sevenout.documents.kinds import AMOUNT, COUNT, DECIMAL, FRACTION, PERCENT
from sevenout.documents.numbers import exact_figures
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rules import Game
from sevenout.rules.casino.limits import waiting_for
from sevenout.solving import solve
from sevenout.solving.awards import ProgressiveResult
from sevenout.solving.bet_result import BetResult
from sevenout.solving.totals import Total
from sevenout.wrong_arguments import public

IntervalMethod = Literal["auto", "convolution", "normal"]

PLACES = 10**9
"""Limits of normal intervals are rounded outwards to multiples of 1 / PLACES."""


class Interval(NamedTuple):
    """A central interval.

    Attributes:
        low, high: its ends, inclusive.
        confidence: the nominal probability.
        coverage: the exact probability of the interval, or None.
        method: "exact", "certified" or "normal".
    """

    low: Fraction
    high: Fraction
    confidence: Fraction
    coverage: Fraction | None
    method: str


class Award(NamedTuple):
    """A paying row of the return table.

    Attributes:
        event: the event.
        pays: the profit per unit staked.
        one_in: mean number of bets per occurrence.
    """

    event: str
    pays: Fraction
    one_in: Fraction


@dataclass(frozen=True)
class Metrics(HasPage):
    """The metrics of one bet.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> craps = Metrics(solve(games["craps"]).bet())
    >>> craps.n0, craps.volatility_index(), craps.bets_needed("1/100")
    (Fraction(244976, 49), 1.9597679983403913, 38407)

    With an award, the figures of money count it, as those of one bettor in the long run: N0, the
    volatility index, the bets needed, the hourly loss and the maximum exposure.

    Attributes:
        bet: the bet.
        cycle: the mean number of rolls until the bet can be made again (see `cycle`); None for
            until it is settled.
        award: the bet with its progressive award; None to leave awards out.
    """

    bet: BetResult
    cycle: Fraction | Certified | None = None
    award: ProgressiveResult | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.bet, BetResult):
            raise RulesError(f"{shown(self.bet)} has no metrics; give solve(game).bet(...)")
        if self.award is not None and getattr(self.award, "bet", None) != self.bet:
            raise RulesError(
                f"{shown(self.award)} is no award of this bet; give progressive(bet, ...)"
            )

    @property
    def counted_result(self) -> BetResult | ProgressiveResult:
        """The result that the figures of money are about: with the award, if there is one."""
        return self.bet if self.award is None else self.award

    @cached_property
    def _totals(self) -> dict[int, Total]:
        """The last convolution, by number of bets."""
        return {}

    @property
    def rolls_between(self) -> Fraction:
        """The mean number of rolls from one bet to the next."""
        if self.cycle is None:
            return self.bet.rolls
        return self.cycle.value if isinstance(self.cycle, Certified) else self.cycle

    @property
    def hit_frequency(self) -> Fraction:
        """P(profit > 0), without pushes. Its reciprocal is the mean number of bets per win."""
        return self.bet.p_win

    @property
    def push_frequency(self) -> Fraction:
        """P(profit = 0)."""
        return self.bet.p_push

    @cached_property
    def awards(self) -> tuple[Award, ...]:
        """Every paying row of the return table, with 1 in N = 1 / P(event)."""
        rows = (row for row in self.bet.table if row.pays > 0 and row.probability)
        return tuple(Award(row.event, row.pays, 1 / row.probability) for row in rows)

    @property
    def maximum_exposure(self) -> Fraction | None:
        """The house's largest loss on one bet, per unit staked; at least 0.

        None for an award without a limit.
        """
        if self.award is not None:
            return self.award.maximum_exposure
        return max([Fraction(0), *(row.pays for row in self.bet.table if row.probability)])

    @property
    def maximum_risk(self) -> Fraction:
        """The player's largest amount at risk, with odds, per unit staked."""
        return max((pay.risk for pay, p in self.bet.law.items() if p)) / self.bet.stake

    @property
    def n0(self) -> Fraction | None:
        """N0 = variance / edge²; None for a fair bet.

        After N0 bets the mean result equals its standard deviation (Schlesinger 2004, for a
        player's advantage).
        """
        result = self.counted_result
        return result.variance / result.edge**2 if result.edge else None

    def volatility_index(self, confidence: Number = "19/20") -> float:
        """VI = z·σ, with z the two-sided normal quantile.

        After N bets the actual RTP is within VI/√N of its mean with this confidence (Hannum and
        Cabot 2005).
        """
        return two_sided_z(confidence) * self.counted_result.std

    def bets_needed(self, error: Number, confidence: Number = "19/20") -> int:
        """The number of bets until the actual RTP is within ± `error` of its mean: ⌈(z·σ/e)²⌉.

        By the normal approximation, of independent bets. With an award it is enough for bets in a
        row too: an award that is won late is larger, so their total varies less.

        Raises:
            RulesError: the error is not positive.
        """
        e = exact(error)
        if e <= 0:
            raise RulesError(f"an error of {e}; give a positive one, such as '1/100'")
        return ceil(Fraction(two_sided_z(confidence)) ** 2 * self.counted_result.variance / e**2)

    def interval(
        self,
        bets: int,
        confidence: Number = "19/20",
        method: IntervalMethod = "auto",
    ) -> Interval:
        """The central interval of the actual RTP after a number of bets.

        Its ends are the quantiles of order a/2 and 1 - a/2 of the mean return, with a = 1 -
        confidence.

        >>> from sevenout.solving import solve
        >>> from sevenout.catalogue import games
        >>> hundred = Metrics(solve(games["craps"]).bet()).interval(100)
        >>> hundred.low, hundred.high, hundred.method
        (Fraction(4, 5), Fraction(59, 50), 'exact')

        Args:
            bets: the number of independent bets of one unit.
            confidence: a probability strictly between 0 and 1.
            method: "convolution" (see `totals`), "normal", or "auto": convolution while it is fast.

        Raises:
            RulesError: no bets, an invalid confidence, an unknown method, too many bets for a
                convolution, or an award.
        """
        level = checked_confidence(confidence)
        if method not in get_args(IntervalMethod):
            methods = ", ".join(map(repr, get_args(IntervalMethod)))
            raise RulesError(f"method={shown(method)}; give {methods}")
        if self.award is not None:
            raise RulesError(
                "bets on one award are not independent; for their actual return call "
                "monitor_of(bet, award).fixed(bets) of sevenout.verify.monitoring"
            )
        if type(bets) is not int or bets < 1:
            raise RulesError(f"an interval after {shown(bets)} bets; take 1 or more")
        law = self.bet.profit
        if method == "convolution" or (method == "auto" and Total.is_small(law, bets)):
            # One total serves all confidences. Only the last one is kept: it may be large.
            if bets not in self._totals:
                self._totals.clear()
                self._totals[bets] = Total(law, bets)
            total = self._totals[bets]
            tail = (1 - level) / 2
            low, high = total.quantile_range(tail)[0], total.quantile_range(1 - tail)[1]
            below = total.cdf(low) - total.pmf(low)
            coverage = total.cdf(high) - below
            status = "certified" if self.bet.bound else total.status
            return Interval(1 + low / bets, 1 + high / bets, level, coverage, status)
        width = Fraction(two_sided_z(level)) * _root(self.bet.variance / bets)
        low, high = self.bet.rtp - width, self.bet.rtp + width
        # Rounded outwards, so that the interval covers no less than it says.
        ends = Fraction(low * PLACES // 1, PLACES), Fraction(-(-high * PLACES // 1), PLACES)
        return Interval(*ends, level, None, "normal")

    def hourly_loss(
        self, *, rolls: Number | None = None, bets: Number | None = None, stake: Number = 1
    ) -> Fraction:
        """The mean loss per hour: bets per hour × edge per bet made × stake.

        At a pace in rolls, one bet is made per `cycle`.

        >>> from sevenout.solving import solve
        >>> from sevenout.catalogue import games
        >>> Metrics(solve(games["craps"]).bet()).hourly_loss(bets=30, stake=10)
        Fraction(140, 33)

        Raises:
            RulesError: not exactly one pace was given.
        """
        if (rolls is None) == (bets is None):
            raise RulesError("give one pace: rolls= or bets=, per hour")
        bets_per_hour = exact(bets or 0) if rolls is None else exact(rolls) / self.rolls_between
        return bets_per_hour * self.counted_result.edge * exact(stake)

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as text, irrational ones as floats."""
        figures = ("maximum_exposure", "maximum_risk", "n0")
        is_staked = not self.bet.is_score
        return {
            **self.bet.to_dict(),
            **exact_figures(self, "hit_frequency"),
            **(exact_figures(self, *figures) if is_staked else dict.fromkeys(figures)),
            "volatility_index_95": self.volatility_index() if is_staked else None,
            "awards": [
                {"event": award.event, **exact_figures(award, "pays", "one_in")}
                for award in self.awards
            ],
        }

    def figures(self, *, repeated: bool = False) -> Facts:
        """The figures of the bet and, unless it is a score, these metrics.

        Args:
            repeated: as for `BetResult.figures`.
        """
        if self.bet.is_score:
            return self.bet.figures(repeated=repeated)
        facts = self._money_facts() if self.award is None else self.award_figures().facts
        return Facts(*self.bet.figures(repeated=repeated).facts, *facts)

    def award_figures(self) -> Facts:
        """The figures that an award changes, each named as counting it; empty without one."""
        if self.award is None:
            return Facts()
        facts = (
            Fact("house edge, per bet made", self.award.edge, FRACTION, PERCENT),
            Fact("standard deviation", self.award.std, DECIMAL),
            *self._money_facts(),
        )
        return Facts(
            *(Fact(f"{fact.name}, with the award", fact.value, *fact.kinds) for fact in facts)
        )

    def _money_facts(self) -> list[Fact]:
        """The volatility index, the exposure and the numbers of bets, with the award if any."""
        exposure = self.maximum_exposure
        exposure_value = ("no limit",) if exposure is None else (exposure, AMOUNT)
        facts = [
            Fact("volatility index at 95 %", self.volatility_index(), DECIMAL),
            Fact("maximum exposure, in stakes", *exposure_value),
            Fact("bets for ± 1 % at 95 %", self.bets_needed("1/100"), COUNT),
        ]
        if self.n0 is not None:
            facts.append(Fact("N0, in bets", self.n0, COUNT))
        return facts

    def page(self) -> Page:
        """A page with the figures and their conventions."""
        return Page(f"Bet: {self.bet.name}", self.figures())


@public
def cycle(game: Game, bet: BetResult) -> Fraction | Certified:
    """The mean number of rolls from a bet until it can be made again.

    That is until it is settled; for a side bet, until the come-out after that.

    >>> from sevenout.catalogue import games
    >>> from sevenout.solving import solve
    >>> brick = games["fast-craps-brick"]
    >>> result = solve(brick).bet()
    >>> float(result.rolls), float(cycle(brick, result))
    (1.9900548696844993, 2.4886831275720165)

    Raises:
        TooManyStatesError: the product of the bet and the game beside it is too large.
    """
    waiting = waiting_for(game, bet.name)
    if waiting is None:
        return bet.rolls
    solution = solve(waiting)
    mean, bound = solution.mean_rolls, solution.rolls_bound
    return Certified(mean, bound) if bound else mean


def two_sided_z(confidence: Number) -> float:
    """The z with P(|Z| <= z) = confidence, for a standard normal Z.

    >>> round(two_sided_z("95/100"), 4)
    1.96
    """
    return NormalDist().inv_cdf(float(1 + checked_confidence(confidence)) / 2)


def checked_confidence(confidence: Number) -> Fraction:
    """A confidence as a fraction.

    Raises:
        RulesError: it is not strictly between 0 and 1.
    """
    level = exact(confidence)
    if not 0 < level < 1:
        raise RulesError(f"a confidence of {level}; give one between 0 and 1, such as '19/20'")
    return level


def _root(x: Fraction) -> Fraction:
    """The square root to 30 decimals, rounded down."""
    scale = 10**30
    return Fraction(isqrt(x.numerator * scale * scale // x.denominator), scale)
