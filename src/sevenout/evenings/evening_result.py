"""How an evening at the table ends: the distribution of the money and figures from it."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from sevenout.documents import Column, Fact, Facts, HasPage, Page, Table, Text
from sevenout.documents.kinds import AMOUNT, COUNT, LABEL, PERCENT, ROUNDED
from sevenout.documents.numbers import Certified, amount, exactly, won
from sevenout.numerals import Number
from sevenout.rolling.distribution import FiniteDistribution, status_of
from sevenout.rules.casino.felt import Bets

QUANTILES = ("1/20", "1/4", "1/2", "3/4", "19/20")
"""The quantiles of the fan."""
SCALING_ADVICE = "To compare them at one table, give its minimum (house: minimum=5) and scale."
COMMISSION_NOTE = (
    "The money bet is counted without the commission that is put down with a bet; what is lost "
    "includes it. (The catalogue counts it as staked: 1 in 21 there is 1 in 20 here.)"
)
STANDING_NOTE = (
    "Bets that still stand at the end count at their stakes, so the loss per unit bet is not the "
    "edge."
)
PLAY_OUT = Text(
    'To play them out, give --standing out; in Python and in a file, standing="out".', tone="note"
)


def fan_rolls_of(rolls: int | None) -> list[int]:
    """The numbers of rolls after which the fan of an evening has quantiles.

    >>> fan_rolls_of(3), fan_rolls_of(1001)[-3:], fan_rolls_of(None)
    ([0, 1, 2, 3], [998, 1000, 1001], [0])
    """
    if not rolls:
        return [0]
    # A picture shows no more columns than these.
    return [*range(0, rolls, max(1, rolls // 500)), rolls]


@dataclass(frozen=True, eq=False)
class EveningFigures:
    """What an engine computes of an evening.

    Attributes:
        money: the distribution of the money at the end.
        ends: the probability of each end: "time", "ruin", "stop loss", "target", "shooters",
            "bets". An end that can't happen may be missing.
        playing_by_roll: the probability of playing on after 0, 1, 2, ... rolls, if time is not up.
        ruin_by_roll: the probability of ruin within 0, 1, 2, ... rolls.
        mean_rolls: the mean number of rolls.
        handle: the mean total stakes won, lost or returned.
        mean_bets: the mean number of these bets.
        refused: the mean number of requested bets that could not be made.
        fan: quantiles of the money (`QUANTILES`) after each of `fan_rolls`, including players who
            left.
        fan_rolls: the number of rolls before each row of `fan`, from 0 to the last; not every one
            of 1,000 rolls or more, and only 0 if only money ends the evening.
        visited: the bets that stood before some roll.
    """

    money: FiniteDistribution
    ends: Mapping[str, Fraction]
    playing_by_roll: Sequence[float]
    ruin_by_roll: Sequence[float]
    mean_rolls: Fraction
    handle: Fraction
    mean_bets: Fraction
    refused: Fraction
    fan: Sequence[tuple[Fraction, ...]]
    fan_rolls: Sequence[int]
    visited: Set[Bets]


@dataclass(frozen=True, eq=False, repr=False)
class EveningResult(EveningFigures, HasPage):
    """How an evening of a strategy ends: its `EveningFigures`, and what does not depend on chance.

    >>> from sevenout.evenings import evening
    >>> result = evening("pass", bankroll=3, rolls=4)
    >>> result.ruin, result.ahead, result.quantile("19/20"), result.status
    (Fraction(1, 729), Fraction(46343, 139968), Fraction(2, 1), 'exact')

    Attributes:
        name: of the strategy.
        bankroll: at the start.
        rolls: the most rolls; None if unlimited.
        hours: None if they were not given.
        refused_bets: the names of the bets that somewhere can't be made, sorted.
        positions: the number of positions of the bets that are reachable.
        most_at_risk: the most money on the felt at once, with commissions.
        least_bet: the least amount on a flat bet.
        commission: whether a bet pays commission up front, which is not part of the handle.
        standing: whether bets may stand at the end and count at their stakes.
        pace: rolls per hour.
        clipped: bets of which the table somewhere takes less than the strategy wants.
        end_names: the printed name of an end, where it differs.
    """

    name: str
    bankroll: Fraction
    rolls: int | None
    hours: Fraction | None
    refused_bets: tuple[str, ...]
    positions: int
    most_at_risk: Fraction
    least_bet: Fraction | None
    pace: int
    commission: bool = False
    standing: bool = False
    clipped: tuple[str, ...] = ()
    end_names: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """What a result is about, and its main figures; `print` shows all of them."""
        figures = f"ruin {PERCENT(self.ruin)}, ahead {PERCENT(self.ahead)}, mean {won(self.mean)}"
        return f"<{self.name}, a bankroll of {amount(self.bankroll)}: {figures}; {self.status}>"

    @property
    def bound(self) -> Fraction:
        """The error bound of each probability; 0 if exact."""
        return self.money.bound

    @property
    def status(self) -> str:
        """Either "exact", or "certified" with its bound."""
        return status_of(self.bound)

    @cached_property
    def profit(self) -> FiniteDistribution:
        """The distribution of the profit."""
        law = {money - self.bankroll: p for money, p in self.money.items()}
        if self.money.ends is None:
            return FiniteDistribution(law, self.bound)
        low, high = self.money.ends
        return FiniteDistribution(law, self.bound, (low - self.bankroll, high - self.bankroll))

    @property
    def ruin(self) -> Fraction:
        """The probability of ruin: no bets on the felt and no money for the next."""
        return self.ends.get("ruin", Fraction(0))

    @property
    def reached(self) -> Fraction:
        """The probability of leaving with the target."""
        return self.ends.get("target", Fraction(0))

    @property
    def ahead(self) -> Fraction:
        """The probability of a profit."""
        return self.profit.sf(0)

    @property
    def mean(self) -> Fraction:
        """The mean profit."""
        return self.profit.mean

    def quantile(self, q: Number) -> Fraction:
        """The least result that is not exceeded with probability q or more.

        Raises:
            RulesError: q is not a probability.
            UndecidedError: several results are within the error bound.
        """
        return Fraction(self.profit.quantile(q))

    def as_data(self, figure: Fraction | None) -> str | float | None:
        """A figure as data: a string if the result is exact, else a float."""
        if figure is None:
            return None
        return float(figure) if self.bound else exactly(figure)

    def end_data(self) -> dict[str, Any]:
        """The figures of the end as data."""
        return {
            "bankroll": exactly(self.bankroll),
            "ends": {end: self.as_data(p) for end, p in self.ends.items()},
            "ahead": self.as_data(self.ahead),
            "mean": self.as_data(self.mean),
            "std": self.profit.std,
            "quantiles": {q: str(self.profit.quantile_cell(q)) for q in QUANTILES},
            "status": self.status,
            "bound": float(self.bound),
        }

    def end_facts(self) -> list[Fact]:
        """The figures of the end: how it ends, and the distribution of the profit."""
        # ruin is printed even if it is impossible
        ends = {"ruin": self.ruin, **self.ends}
        ranges = [self.profit.quantile_range(q) for q in ("1/20", "1/2", "19/20")]
        quantiles = [" to ".join(map(won, dict.fromkeys(range_))) for range_ in ranges]
        mean = float(self.mean) if self.bound else self.mean
        return [
            *(
                self._probability_fact(f"ends by {self.end_names.get(end, end)}", p)
                for end, p in ends.items()
            ),
            self._probability_fact("ahead", self.ahead),
            Fact("mean result", mean, ROUNDED.with_digits(4, sign=True)),
            Fact("standard deviation", self.profit.std, ROUNDED),
            Fact("result at 5 %, 50 %, 95 %", ", ".join(quantiles), LABEL),
        ]

    def _probability_fact(self, name: str, p: Fraction) -> Fact:
        """A probability, with its error bound if it is certified."""
        return Fact(name, Certified(p, self.bound) if self.bound else p, PERCENT)

    @property
    def status_fact(self) -> Fact:
        """The last figure: that the result is exact, or its error bound."""
        if self.bound:
            return Fact("certified within", self.status.removeprefix("certified within "), LABEL)
        return Fact("status", self.status, LABEL)

    @property
    def edge(self) -> Fraction | None:
        """The mean loss per unit staked; None if nothing was. Commissions are losses, not
        stakes.
        """
        return -self.mean / self.handle if self.handle else None

    @property
    def handle_per_hour(self) -> Fraction:
        """The mean stakes settled per hour."""
        return self.handle / self.mean_rolls * self.pace

    @property
    def loss_per_hour(self) -> Fraction:
        """The mean loss per hour."""
        return -self.mean / self.mean_rolls * self.pace

    @property
    def rolls_to_ruin(self) -> float | None:
        """The mean number of rolls of evenings that end in ruin; None if none does."""
        ruin_by_roll = list(self.ruin_by_roll)
        p_ruin = ruin_by_roll[-1]
        if not p_ruin:
            return None
        steps = enumerate(pairwise(ruin_by_roll), 1)
        return sum(n * (after - before) for n, (before, after) in steps) / p_ruin

    def to_dict(self) -> dict[str, Any]:
        """The result as data, figures as in `as_data`."""
        return {
            "strategy": self.name,
            "rolls": self.rolls,
            "hours": None if self.hours is None else str(self.hours),
            **self.end_data(),
            "mean_rolls": self.as_data(self.mean_rolls),
            "rolls_to_ruin": self.rolls_to_ruin,
            "mean_bets": self.as_data(self.mean_bets),
            "handle": self.as_data(self.handle),
            "edge": self.as_data(self.edge),
            "most_at_risk": exactly(self.most_at_risk),
            "least_bet": None if self.least_bet is None else exactly(self.least_bet),
            "pace": self.pace,
            "handle_per_hour": self.as_data(self.handle_per_hour),
            "loss_per_hour": self.as_data(self.loss_per_hour),
            "refused": self.as_data(self.refused),
            "clipped": list(self.clipped),
            "positions": self.positions,
        }

    def facts(self) -> Facts:
        """The figures of the evening, one per line."""
        edge = self.edge
        return Facts(
            *self.end_facts(),
            Fact("least bet", self.least_bet, AMOUNT),
            Fact("most at risk at once", self.most_at_risk, AMOUNT),
            Fact("handle per hour", float(self.handle_per_hour), ROUNDED),
            Fact("expected loss per hour", float(self.loss_per_hour), ROUNDED),
            Fact("mean rolls", float(self.mean_rolls), ROUNDED),
            Fact("mean rolls of the ruined", self.rolls_to_ruin, ROUNDED),
            Fact("mean bets", float(self.mean_bets), ROUNDED),
            Fact("money bet", float(self.handle), ROUNDED),
            Fact("lost per unit bet", None if edge is None else float(edge), PERCENT),
            Fact("bets that could not be made", float(self.refused), ROUNDED),
            Fact("positions", self.positions, COUNT),
            self.status_fact,
        )

    def page(self) -> Page:
        """How the evening ends."""
        return Page(self.name, self.facts(), *counting_notes(self), *clipping_notes(self))


def counting_notes(*results: EveningResult) -> list[Text]:
    """Notes on what counts: commissions, and bets that stand at the end."""
    notes = []
    if any(result.commission for result in results):
        notes.append(Text(COMMISSION_NOTE, tone="note"))
    if any(result.standing for result in results):
        notes += [Text(STANDING_NOTE, tone="note"), PLAY_OUT]
    return notes


def clipping_notes(*results: EveningResult) -> list[Text]:
    """Notes on bets of which the table takes less than the strategy wants."""
    return [
        Text(
            f"{result.name}: the strategy wants more than the table's most on "
            f"{', '.join(result.clipped)}. The dealer takes the most and gives the rest back.",
            tone="note",
        )
        for result in results
        if result.clipped
    ]


@dataclass(frozen=True)
class EveningComparison(HasPage):
    """Several evenings side by side in one table.

    >>> from sevenout.evenings import evening
    >>> both = EveningComparison(tuple(evening(name, 5, rolls=3) for name in ("pass", "dont-pass")))
    >>> [column.head for column in both.page().blocks[0].columns]
    ['', 'Pass line', "Don't pass"]

    Attributes:
        results: the evenings, in the order of their columns.
    """

    results: tuple[EveningResult, ...]

    def to_dict(self) -> dict[str, Any]:
        """Each evening as data."""
        return {"evenings": [result.to_dict() for result in self.results]}

    def page(self) -> Page:
        """A row for each figure, a column for each strategy."""
        cells = [
            {fact.name: fact.kinds[0](fact.value) for fact in result.facts().facts}
            for result in self.results
        ]
        rows = dict.fromkeys(label for column in cells for label in column)
        # the ends differ from strategy to strategy: all of them first, then what all have
        rows = dict.fromkeys(sorted(rows, key=lambda label: not label.startswith("ends by")))
        columns = ["", *(Column(result.name, LABEL) for result in self.results)]
        table = Table(
            columns, [[label, *(column.get(label) for column in cells)] for label in rows]
        )
        return Page(
            "",
            table,
            *counting_notes(*self.results),
            *clipping_notes(*self.results),
            *self._different_stakes(),
        )

    def _different_stakes(self) -> list[Text]:
        """A note if the strategies' least bets differ greatly."""
        least = [result.least_bet for result in self.results if result.least_bet]
        if not least or max(least) < 2 * min(least):  # 5 and 6 on place bets are alike
            return []
        amounts = ", ".join(map(amount, least))
        return [Text(f"The least bets differ: {amounts}. {SCALING_ADVICE}", tone="note")]

    def distribution_table(self) -> Table:
        """The probability of each result by strategy, with error bounds if certified.

        Exact probabilities are fractions; those of a certified result are floats, in all digits.
        """
        heads = ["result"]
        cells_by_profit: list[dict[Fraction, str]] = []
        for result in self.results:
            distribution = dict(result.profit.items())
            heads.append(result.name)
            cells_by_profit.append({x: str(result.as_data(p)) for x, p in distribution.items()})
            if result.bound:
                heads.append(f"{result.name} within")
                cells_by_profit.append(dict.fromkeys(distribution, repr(float(result.bound))))
        profits = sorted({profit for cells in cells_by_profit for profit in cells})
        rows = [[str(x), *(cells.get(x) for cells in cells_by_profit)] for x in profits]
        return Table([Column(head, LABEL) for head in heads], rows)
