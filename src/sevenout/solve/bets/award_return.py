"""What a progressive award is worth: its return by the meter, and in the long run.

Let a bet of stake b return R without the award, feed the meter c, and win it with probability h
when the meter shows m, its own c included as it pays: then it returns R + h·(m + c)/b. It breaks
even where that is 1; for an award on a row of probability q at m = b·(1 - R)/q - c. From one award
to the next N bets are made, on average E[N], and one award is paid, on average E[A]; the bets
between awards are independent of those before, so in the long run a bet returns
R + E[A]/(b·E[N]) with probability 1, by the renewal-reward theorem (Ross 1996, Stochastic
Processes, thm 3.6.1). On a row of probability q without a limit that is R + q·s/b + the share.

The meter is the house's money until it is won: what feeds it is not taken from what else is paid.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.page import Certified, Column, Fact, Facts, Page, Shown, Table, Text
from sevenout.page.kinds import AMOUNT, DECIMAL, FRACTION, LABEL, PERCENT, ROUNDED
from sevenout.page.numbers import exact_figures, exactly, money, percent
from sevenout.rules.progressive import Progressive
from sevenout.solve.bets.award_distribution import AwardLaw
from sevenout.solve.bets.bet_result import BetResult

QUANTILES = ("5%", "25%", "50%", "75%", "95%", "99%")


@dataclass(frozen=True)
class ProgressiveResult(Shown):
    """A bet with a progressive award.

    >>> from sevenout.dice import dice
    >>> from sevenout.solve import solve
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
        """What a bet feeds the meter, in money."""
        return exact(self.rule.share) * self.bet.stake

    @cached_property
    def p_award(self) -> Fraction | None:
        """The probability that a bet comes to a row that wins the award; None for a mystery."""
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
            RulesError: the meter never shows that.
        """
        shows, limit = exact(meter), self.law.limit
        if shows < self.law.seed or (limit is not None and shows >= limit):
            ends = f"from {self.law.seed}" + (f" to less than {limit}" if limit else " up")
            raise RulesError(f"the meter at {shown(str(shows))}; it shows {ends}")
        left = None if limit is None else ceil((limit - shows) / self.step)
        if left == 1:
            return Fraction(1)
        if self.law.q is not None:
            return self.law.q
        assert left is not None
        return Fraction(1, left)

    def rtp_at(self, meter: Number) -> Fraction:
        """The return of the next bet, per unit staked, as a function of the meter before it."""
        chance = self.chance_at(meter)
        award = exact(meter) + self.step
        award = award if self.law.limit is None else min(award, self.law.limit)
        return self.bet.rtp + chance * award / self.bet.stake

    @cached_property
    def break_even(self) -> Fraction | None:
        """The least that the meter shows where a bet returns 1 or more; None if it never does.

        It is the seed where even the first bet does; see `below_seed`.
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
        """Whether it breaks even below the seed: even the first bet returns more than 1."""
        return self.rtp_at(self.law.seed) > 1

    @cached_property
    def added(self) -> Fraction:
        """What the award adds to the return per unit staked, in the long run."""
        return self.law.mean / (self.bet.stake * self.law.mean_bets)

    @property
    def long_run(self) -> Fraction:
        """The return per unit staked in the long run, over awards without end."""
        return self.bet.rtp + self.added

    @property
    def edge(self) -> Fraction:
        """The house edge per bet made, in the long run."""
        return 1 - self.long_run

    @property
    def long_run_bound(self) -> Fraction:
        """The long-run return is no further than this from the truth; 0 if exact."""
        law = self.law
        if not law.bound or law.q is None:
            return Fraction(0)
        reach = law.seed + 2 * law.step + (law.limit or 0)
        return law.bound * reach / (law.q * self.bet.stake)

    def page(self, meter: Number | None = None, currency: str = "") -> Page:
        """The figures, each with its convention, and the distribution of the award.

        Args:
            meter: what it shows, for what the next bet returns.
            currency: of the amounts; units if not given.
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
    """The rule of an award, in words; amounts are in a currency, or in units."""
    rule, law = result.rule, result.law
    told = [
        f"The meter starts from {money(law.seed, currency)}. As a bet is made, "
        f"{percent(exact(rule.share), 2)} of its stake is added."
    ]
    if rule.on:
        on = " or ".join(rule.on)
        told.append(f"A bet that comes to {on} wins what it then shows, beside what {on} pays.")
    else:
        told.append(
            "Which bet wins what the meter then shows is drawn beforehand: each up to the "
            "limit is as likely as any other."
        )
    if law.limit is not None:
        told.append(
            f"The bet that brings the meter to {money(law.limit, currency)} wins that much, "
            "whatever it comes to."
        )
    told.append("After an award the meter starts again. The long run is over awards without end.")
    return " ".join(told)


def progressive(bet: BetResult, rule: Progressive) -> ProgressiveResult:
    """A bet with a progressive award.

    Args:
        bet: the bet's exact distribution: `solve(game).bet(...)`.
        rule: the award.

    Raises:
        RulesError: neither of these, or an award on a row that the bet's return table lacks.
    """
    if not isinstance(bet, BetResult):
        raise RulesError(f"a progressive award on {shown(bet)}; give solve(game).bet(...)")
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
