"""The distribution of a bet's result: its return table and figures.

Figures are per unit staked when the bet is made. The house edge is the mean loss: per bet *made*
(pushes counted), per bet *resolved* (pushes left out), or per *roll*. The element of risk is the
mean loss divided by the mean of all money at risk, including odds and commissions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from sevenout.documents import Certified, Column, Fact, Facts, HasPage, Page, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, PAYS, PERCENT, SIGNED
from sevenout.documents.numbers import exact_figures, exactly, percent
from sevenout.numerals import Number
from sevenout.rolling import Law
from sevenout.rolling.distribution import Distribution, FiniteDistribution, sum_by_key
from sevenout.rules import Pay


class TableRow(NamedTuple):
    """One row of a return table.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> row = solve(games["craps"]).bet().table[0]
    >>> row.event, row.pays * row.probability == row.contribution
    ('natural', True)

    Attributes:
        event: what happened.
        pays: the profit per unit staked.
        probability: its probability.
        contribution: pays times probability; the column adds up to minus the edge.
    """

    event: str
    pays: Fraction
    probability: Fraction
    contribution: Fraction


@dataclass(frozen=True, repr=False)
class BetResult(HasPage, Distribution):
    """The distribution of one bet's result.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> bet = solve(games["place-6-8"]).bet()
    >>> bet.edge, bet.p_win, bet.rolls
    (Fraction(1, 66), Fraction(5, 11), Fraction(36, 11))

    Attributes:
        name: the bet's name.
        stake: the amount when it is made.
        law: the probability of each `Pay`.
        rolls: the mean number of rolls until it is settled.
        bound: 0 if exact; else the error bound of each probability.
        rolls_bound: the error bound of the mean number of rolls.
    """

    name: str
    stake: Fraction
    law: Mapping[Pay, Fraction]
    rolls: Fraction
    bound: Fraction = Fraction(0)
    rolls_bound: Fraction = Fraction(0)

    def __repr__(self) -> str:
        return f"<BetResult of {self.name}: edge {float(self.edge):.6g} of the stake, per bet made>"

    @cached_property
    def table(self) -> tuple[TableRow, ...]:
        """The return table, in the order in which the rules were explored."""
        merged = sum_by_key(
            ((pay.event, pay.profit / self.stake), p) for pay, p in self.law.items()
        )
        return tuple(TableRow(e, x, p, x * p) for (e, x), p in merged.items())

    @cached_property
    def profit(self) -> Law:
        """The distribution of the profit per unit staked."""
        return Law.of_probabilities(sum_by_key((row.pays, row.probability) for row in self.table))

    @cached_property
    def mean(self) -> Fraction:
        """The mean profit per unit staked."""
        return sum((row.contribution for row in self.table), Fraction(0))

    @property
    def edge(self) -> Fraction:
        """The house edge per bet made: the mean loss per unit staked, pushes counted."""
        return -self.mean

    @property
    def is_score(self) -> bool:
        """Whether it can win but not lose, like a score."""
        return self.edge < 0 and all(row.pays >= 0 for row in self.table)

    @property
    def edge_resolved(self) -> Fraction:
        """The house edge per bet resolved, without pushes; 0 for a bet that always pushes."""
        return self.edge / (1 - self.p_push) if self.p_push != 1 else Fraction(0)

    @property
    def edge_per_roll(self) -> Fraction:
        """The house edge per roll: mean loss / mean rolls; 0 if it is settled without a roll."""
        return self.edge / self.rolls if self.rolls else Fraction(0)

    @cached_property
    def mean_risk(self) -> Fraction:
        """The mean of all money at risk, per unit staked."""
        return sum((pay.risk * p for pay, p in self.law.items()), Fraction(0)) / self.stake

    @property
    def element_of_risk(self) -> Fraction:
        """The mean loss per unit of all money at risk; 0 if none is."""
        return self.edge / self.mean_risk if self.mean_risk else Fraction(0)

    @property
    def rtp(self) -> Fraction:
        """The return to the player, 1 - edge."""
        return 1 - self.edge

    @cached_property
    def p_win(self) -> Fraction:
        """The probability of a profit (hit frequency), without pushes."""
        return sum((row.probability for row in self.table if row.pays > 0), Fraction(0))

    @cached_property
    def p_push(self) -> Fraction:
        """The probability of a push."""
        return sum((row.probability for row in self.table if row.pays == 0), Fraction(0))

    @property
    def p_lose(self) -> Fraction:
        """The probability of a loss."""
        return 1 - self.p_win - self.p_push

    def pmf(self, x: Number) -> Fraction:
        """The probability of a profit per unit staked."""
        return self.profit.pmf(x)

    def cdf(self, x: Number) -> Fraction:
        """The cumulative probability of a profit per unit staked."""
        return self.profit.cdf(x)

    def quantile(self, q: Number) -> Fraction:
        """The least profit x per unit staked with cdf(x) >= q."""
        return Fraction(self._bounded_profit.quantile(q))

    def quantile_range(self, q: Number) -> tuple[Fraction, Fraction]:
        low, high = self._bounded_profit.quantile_range(q)
        return Fraction(low), Fraction(high)

    @cached_property
    def _bounded_profit(self) -> FiniteDistribution:
        """The profit's distribution, with the error bound of all probabilities together."""
        return FiniteDistribution(self.profit.probabilities, self.total_bound, self.profit.support)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        """The least and the largest profit per unit staked."""
        return self.profit.support

    def central_moment(self, k: int) -> Fraction:
        """E[(profit - mean)^k], per unit staked."""
        mean = self.mean
        terms = (row.probability * (row.pays - mean) ** k for row in self.table)
        return sum(terms, Fraction(0))

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as text, irrational ones as floats; a score has no edge."""
        # A score is staked nothing, so its edge would be a share of a made-up stake.
        edges = ("edge", "edge_resolved", "edge_per_roll", "element_of_risk", "rtp")
        return {
            "bet": self.name,
            **exact_figures(self, "stake", "mean"),
            **(dict.fromkeys(edges) if self.is_score else exact_figures(self, *edges)),
            **exact_figures(self, "p_win", "p_push", "p_lose", "rolls", "variance"),
            **{name: getattr(self, name) for name in ("std", "skewness", "kurtosis")},
            "table": [
                {
                    "event": row.event,
                    "pays": exactly(row.pays),
                    "probability": exactly(row.probability),
                    "return": exactly(row.contribution),
                }
                for row in self.table
            ],
        }

    def page(self, *, moments: bool = True) -> Page:
        """A page: the return table, then the figures, with or without the moments."""
        columns = ["event", Column("pays", PAYS), Column("probability", FRACTION, DECIMAL)]
        columns.append(Column("return", SIGNED))
        rows = [
            (event, pays, self.certified(p), self.certified(contribution, abs(pays)))
            for event, pays, p, contribution in self.table
        ]
        p_total = self.certified(sum((row.probability for row in self.table), Fraction(0)))
        total = ("total", "", p_total, self.certified(self.mean, self.largest_result))
        table = Table(columns, rows, total, caption=f"Bet: {self.name}")
        return Page("", table, self.figures(moments=moments), *self._remark())

    def _remark(self) -> list[Text]:
        """A remark on the edge, if any."""
        if self.edge >= 0 or self.is_score:
            return []
        share = percent(-self.edge)
        return [Text(f"The edge is the player's: {share} of each stake on average.", tone="note")]

    def figures(self, *, repeated: bool = False, moments: bool = True) -> Facts:
        """The figures, each with its convention.

        Args:
            repeated: include figures that repeat another for a bet without pushes or odds.
            moments: include the variance, the skewness and the excess kurtosis.
        """
        facts = [self._share("win probability", self.p_win)]
        if self.p_push or repeated:
            facts.append(self._share("push probability", self.p_push))
        if self.is_score:
            mean = self.certified(self.mean, self.largest_result)
            facts.append(Fact("mean result", mean, FRACTION, DECIMAL))
        else:
            facts += self._edges(repeated)
        if moments:
            facts += self._moments()
        rolls = Certified(self.rolls, self.rolls_bound) if self.rolls_bound else self.rolls
        return Facts(*facts, Fact("mean rolls to settle", rolls, FRACTION, DECIMAL))

    def _edges(self, repeated: bool) -> list[Fact]:
        """The house edges and the element of risk; `repeated` as for `figures`."""
        largest, has_pushes = self.largest_result, self.p_push not in (0, 1)
        facts = [self._share("house edge, per bet made", self.edge, largest)]
        if has_pushes or repeated:
            # A quotient of two sums: the error of either counts, over the smallest denominator.
            scale = 2 * largest / (1 - self.p_push) if has_pushes else largest
            facts.append(self._share("house edge, per bet resolved", self.edge_resolved, scale))
        # Of a quotient x/y, the error is at most 2 (dx + |x/y| dy) / y.
        if self.rolls:
            rolls_error = self.rolls_bound / self.total_bound if self.bound else 0
            scale = 2 * (largest + abs(self.edge_per_roll) * rolls_error) / self.rolls
            facts.append(self._share("house edge, per roll", self.edge_per_roll, scale))
        if self.mean_risk != 1 or repeated:
            largest_risk = max(pay.risk for pay in self.law) / self.stake
            scale = 2 * (largest + abs(self.element_of_risk) * largest_risk)
            name = "element of risk, per unit at risk"
            facts.append(self._share(name, self.element_of_risk, scale / (self.mean_risk or 1)))
        return facts

    def _share(self, name: str, share: Fraction, scale: Fraction | int = 1) -> Fact:
        return Fact(name, self.certified(share, scale), FRACTION, PERCENT)

    def _moments(self) -> list[Fact]:
        """The variance and what follows from it, with their error bounds."""
        # E[x^2] errs by at most m^2 of the probabilities' error, and the squared mean by 2 m^2.
        variance = self.certified(self.variance, 3 * self.largest_result**2)
        name = "variance" if self.is_score else "variance per unit staked"
        return [
            Fact(name, variance, FRACTION, DECIMAL),
            Fact("standard deviation", self.std, DECIMAL),
            Fact("skewness", self.skewness, SIGNED),
            Fact("excess kurtosis", self.kurtosis, SIGNED),
        ]

    @property
    def largest_result(self) -> Fraction:
        """The largest profit or loss in size, per unit staked; at least 1."""
        return max([Fraction(1), *(abs(row.pays) for row in self.table)])

    @property
    def total_bound(self) -> Fraction:
        """The error bound of all probabilities together."""
        return len(self.law) * self.bound

    def certified(self, x: Fraction, scale: Fraction | int = 1) -> Fraction | Certified:
        """A figure whose error is at most `scale` times the error of all probabilities together."""
        return Certified(x, scale * self.total_bound) if self.bound else x
