"""The return of a bet with a progressive award, by the meter and in the long run.

For the formulas see docs/howto/progressives.md. The long run follows from the renewal-reward
theorem (Ross 1996, Stochastic Processes, thm 3.6.1). The house owns the meter until it is won: its
feed is not taken from other pays.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

from sevenout.documents import Certified, Column, Fact, Facts, Page, Shown, Table, Text
from sevenout.documents.kinds import AMOUNT, DECIMAL, FRACTION, LABEL, PERCENT, ROUNDED
from sevenout.documents.numbers import exact_figures, exactly, money, percent
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rules.progressive import Progressive
from sevenout.solving.bets.award_distribution import AwardLaw
from sevenout.solving.bets.bet_result import BetResult

QUANTILES = ("5%", "25%", "50%", "75%", "95%", "99%")


@dataclass(frozen=True)
class ProgressiveResult(Shown):
    """A bet with a progressive award.

    >>> from sevenout.rolling import dice
    >>> from sevenout.solving import solve
    >>> from sevenout.rules import Wager
    >>> boxcars = Wager(dice("2d6").totals, {12: 20}, limit=1, bet="boxcars")
    >>> twelve = progressive(solve(boxcars).bet(), Progressive(seed=5, share="1%", on="12"))
    >>> twelve.rtp_at(30), twelve.break_even, twelve.long_run
    (Fraction(5101, 3600), Fraction(1499, 100), Fraction(659, 900))

    Attributes:
        bet: the bet without its award.
        rule: the award.
    """

    bet: BetResult
    rule: Progressive

    @property
    def step(self) -> Fraction:
        """The feed of a bet, in money."""
        return exact(self.rule.share) * self.bet.stake

    @cached_property
    def p_award(self) -> Fraction | None:
        """The probability of the rows that win the award; None for a mystery award."""
        if not self.rule.on:
            return None
        return sum(
            (row.probability for row in self.bet.table if row.event in self.rule.on), Fraction()
        )

    @cached_property
    def law(self) -> AwardLaw:
        """The distribution of the award, in money."""
        limit = None if self.rule.must_hit_by is None else exact(self.rule.must_hit_by)
        return AwardLaw(exact(self.rule.seed), self.step, self.p_award, limit)

    def chance_at(self, meter: Number) -> Fraction:
        """The probability that the next bet wins the award.

        Raises:
            RulesError: an impossible meter.
        """
        shows, limit = exact(meter), self.law.limit
        if shows < self.law.seed or (limit is not None and shows >= limit):
            ends = f"from {self.law.seed}" + (f" to less than {limit}" if limit else " up")
            raise RulesError(f"meter={shown(str(shows))}; give a reading {ends}")
        left = None if limit is None else ceil((limit - shows) / self.step)
        if left == 1:
            return Fraction(1)
        if self.law.q is not None:
            return self.law.q
        assert left is not None
        return Fraction(1, left)

    def rtp_at(self, meter: Number) -> Fraction:
        """The return of the next bet per unit staked, from the meter before it."""
        chance = self.chance_at(meter)
        award = exact(meter) + self.step
        award = award if self.law.limit is None else min(award, self.law.limit)
        return self.bet.rtp + chance * award / self.bet.stake

    @cached_property
    def break_even(self) -> Fraction | None:
        """The least meter at which a bet returns 1 or more; None if there is none.

        It is the seed if the first bet already does; see `below_seed`.
        """
        seed, limit, c = self.law.seed, self.law.limit, self.step
        lack = self.bet.edge * self.bet.stake
        if self.law.q is not None:
            meter = max(seed, lack / self.law.q - c)
            if limit is None or meter < limit - c:
                return meter
            return max(seed, limit - c) if limit >= lack else None
        assert limit is not None
        if lack <= 0:
            return seed
        # with R bets left it pays (m + c)/R, for L - cR <= m < L - c(R - 1)
        most = ceil((limit + 2 * c) / (lack + c)) - 1
        left = min(most, ceil((limit - seed) / c))
        if left <= 1:
            return max(seed, limit - c) if limit >= lack else None
        return max(seed, limit - c * left, lack * left - c)

    @property
    def below_seed(self) -> bool:
        """Whether the bet returns more than 1 at the seed."""
        return self.rtp_at(self.law.seed) > 1

    @cached_property
    def added(self) -> Fraction:
        """The long-run return from the award, per unit staked."""
        return self.law.mean / (self.bet.stake * self.law.mean_bets)

    @property
    def long_run(self) -> Fraction:
        """The long-run return per unit staked."""
        return self.bet.rtp + self.added

    @property
    def edge(self) -> Fraction:
        """The house edge per bet made, in the long run."""
        return 1 - self.long_run

    @property
    def long_run_bound(self) -> Fraction:
        """The error bound of the long-run return; 0 if exact."""
        law = self.law
        if not law.bound or law.q is None:
            return Fraction(0)
        reach = law.seed + 2 * law.step + (law.limit or 0)
        return law.bound * reach / (law.q * self.bet.stake)

    def page(self, meter: Number | None = None, currency: str = "") -> Page:
        """A page: the figures with their conventions, and the distribution of the award.

        Args:
            meter: the current meter, for the return of the next bet.
            currency: of the amounts; default units.
        """
        law, bound = self.law, self.long_run_bound
        edge, of = self.edge, f", {currency}" if currency else ""
        facts = [Fact(f"what a bet feeds the meter{of}", self.step, AMOUNT)]
        if law.q is not None:
            facts.append(Fact("a bet wins the award", law.q, FRACTION, PERCENT))
        facts += [
            Fact("bets from one award to the next, mean", law.mean_bets, FRACTION, DECIMAL),
            Fact(f"award, mean{of}", law.mean, FRACTION, DECIMAL),
            Fact(f"award, standard deviation{of}", law.std, DECIMAL),
            Fact("house edge without the award", self.bet.edge, FRACTION, PERCENT),
            Fact(
                "house edge in the long run",
                Certified(edge, bound) if bound else edge,
                FRACTION,
                PERCENT,
            ),
        ]
        if self.break_even is None:
            facts.append(Fact("break-even meter", "none: no bet returns its stake on average"))
        elif self.below_seed:
            below = (
                f"below the seed, {money(law.seed, currency)}: every bet returns its stake and more"
            )
            facts.append(Fact("break-even meter", below))
        else:
            facts.append(Fact(f"break-even meter{of}", self.break_even, FRACTION, DECIMAL))
        if meter is not None:
            at = f"meter at {money(exact(meter), currency)}"
            facts.append(
                Fact(f"return of the next bet, {at}", self.rtp_at(meter), FRACTION, PERCENT)
            )
            facts.append(Fact(f"the next bet wins, {at}", self.chance_at(meter), FRACTION, PERCENT))
        rows = [(q.replace("%", " %"), law.quantile(q)) for q in QUANTILES]
        columns = [Column("of all awards", LABEL), Column(f"are at most{of}", ROUNDED)]
        return Page(
            f"Progressive award of {self.bet.name}",
            Facts(*facts),
            Table(columns, rows),
            Text(said(self, currency), tone="note"),
        )

    def to_dict(self, meter: Number | None = None) -> dict[str, Any]:
        law = self.law
        data = {
            "bet": self.bet.name,
            **exact_figures(self.rule, "seed", "share", "must_hit_by"),
            "on": list(self.rule.on),
            "status": law.status,
            "probability": None if law.q is None else exactly(law.q),
            **exact_figures(law, "mean_bets"),
            "mean_award": exactly(law.mean),
            "award_variance": exactly(law.variance),
            "edge_without": exactly(self.bet.edge),
            "edge_long_run": exactly(self.edge),
            **exact_figures(self, "break_even"),
            "break_even_below_seed": self.below_seed,
        }
        if meter is not None:
            at = exact(meter)
            data |= {"meter": exactly(at), "return_at_meter": exactly(self.rtp_at(at))}
        return data


def said(result: ProgressiveResult, currency: str = "") -> str:
    """The rule of an award in words, with amounts in a currency or in units."""
    rule, law = result.rule, result.law
    told = [
        f"The meter starts from {money(law.seed, currency)}. As a bet is made, "
        f"{percent(exact(rule.share), 2)} of its stake is added."
    ]
    if rule.on:
        on = " or ".join(rule.on)
        told.append(
            f"A bet that ends in {on} wins what the meter then shows, beside what {on} pays."
        )
    else:
        told.append(
            "Which bet wins what the meter then shows is drawn beforehand: each up to the "
            "limit is as likely as any other."
        )
    if law.limit is not None:
        told.append(
            f"The bet that brings the meter to {money(law.limit, currency)} wins that amount, "
            "however the bet ends."
        )
    told.append("After an award the meter starts again. The long run is over awards without end.")
    return " ".join(told)


def progressive(bet: BetResult, rule: Progressive) -> ProgressiveResult:
    """A bet with a progressive award.

    Args:
        bet: `solve(game).bet(...)`.
        rule: the award.

    Raises:
        RulesError: wrong types, or an award on a row that the return table lacks.
    """
    if not isinstance(bet, BetResult):
        raise RulesError(f"{shown(bet)} can't have a progressive award; give solve(game).bet(...)")
    if not isinstance(rule, Progressive):
        raise RulesError(
            f"{shown(rule)} is not an award; give Progressive(seed=1000, share='1%', ...)"
        )
    rows = [row.event for row in bet.table if row.probability]
    for event in rule.on:
        if event not in rows:
            listed = shown("; ".join(rows), 200)[1:-1]
            raise RulesError(
                f"{bet.name} has no row {shown(event)} to win the award; it has: {listed}"
            )
    return ProgressiveResult(bet, rule)
