"""How an evening at the table ends: the law of the money, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from sevenout.dice.distribution import Finite
from sevenout.numerals import Number
from sevenout.page import Column, Fact, Facts, Page, Shown, Table
from sevenout.page.kinds import COUNT, LABEL, PERCENT, ROUNDED, SIGNED
from sevenout.page.numbers import Certified, won

QUANTILES = ("1/20", "1/4", "1/2", "3/4", "19/20")
"""Those of the fan."""


@dataclass(frozen=True, eq=False)
class EveningResult(Shown):
    """How an evening ends.

    Attributes:
        name: of the strategy.
        bankroll: what was brought.
        rolls: after how many rolls it ends at the latest; None for never.
        hours: how long these take; None where the rolls were given.
        money: the law of the money at the end, what stands on the felt counted as staked.
        ends: how likely each end is: "time", "ruin", "stop loss", "target", "shooters",
            "rounds".
        playing: how likely it is to go on after 0, 1, 2, ... rolls, by whatever end but time.
        ruined: how likely ruin is after 0, 1, 2, ... rolls.
        mean_rolls: the mean number of rolls.
        handle: the mean of all the stakes that were won, lost or returned.
        bets: how many bets these were, on average.
        refused: how often a bet that was wanted could not be made, on average.
        names: the bets of which this can be said.
        fan: quantiles of the money (`QUANTILES`) after each roll; who has left keeps his.
        layouts: how many layouts of bets were told apart.
    """

    name: str
    bankroll: Fraction
    rolls: int | None
    hours: Fraction | None
    money: Finite
    ends: Mapping[str, Fraction]
    playing: Sequence[float]
    ruined: Sequence[float]
    mean_rolls: Fraction
    handle: Fraction
    bets: Fraction
    refused: Fraction
    names: tuple[str, ...]
    fan: Sequence[tuple[Fraction, ...]]
    layouts: int

    @property
    def bound(self) -> Fraction:
        """0 if exact; else each probability is within this of the truth."""
        return self.money.bound

    @property
    def status(self) -> str:
        """Either "exact" or "certified"."""
        return self.money.status

    @cached_property
    def result(self) -> Finite:
        """The law of what is won or, if negative, lost."""
        law = {money - self.bankroll: p for money, p in self.money.items()}
        return Finite(law, self.bound)

    @property
    def ruin(self) -> Fraction:
        """The probability that the next bets could not be paid, with nothing on the felt."""
        return self.ends.get("ruin", Fraction(0))

    @property
    def reached(self) -> Fraction:
        """The probability of leaving with the target."""
        return self.ends.get("target", Fraction(0))

    @property
    def ahead(self) -> Fraction:
        """The probability of a profit."""
        return self.result.sf(0)

    @property
    def mean(self) -> Fraction:
        """The mean result."""
        return self.result.mean

    @property
    def edge(self) -> Fraction | None:
        """What is lost on average per unit staked; None where nothing was."""
        return -self.mean / self.handle if self.handle else None

    @property
    def rolls_to_ruin(self) -> float | None:
        """The mean number of rolls of the evenings that end in ruin; None where none does."""
        after = list(self.ruined)
        if not after[-1]:
            return None
        return (
            sum(n * (now - before) for n, (before, now) in enumerate(pairwise(after), 1))
            / after[-1]
        )

    def quantile(self, q: Number) -> Fraction:
        """The least result that is not exceeded with probability q or more."""
        return self.result.quantile(q)

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as texts, others as numbers."""

        def said(x: Fraction | None) -> Any:
            return None if x is None else float(x) if self.bound else str(x)

        return {
            "strategy": self.name,
            "bankroll": str(self.bankroll),
            "rolls": self.rolls,
            "hours": None if self.hours is None else str(self.hours),
            "ends": {end: said(p) for end, p in self.ends.items()},
            "ahead": said(self.ahead),
            "mean": said(self.mean),
            "std": self.result.std,
            "quantiles": {q: str(self.quantile(q)) for q in QUANTILES},
            "mean_rolls": said(self.mean_rolls),
            "rolls_to_ruin": self.rolls_to_ruin,
            "bets": said(self.bets),
            "handle": said(self.handle),
            "edge": said(self.edge),
            "refused": said(self.refused),
            "layouts": self.layouts,
            "status": self.status,
            "bound": float(self.bound),
        }

    def figures(self) -> list[tuple[str, Any, Any]]:
        """What is said of an evening: (what, figure, how it is printed)."""

        def sure(x: Fraction) -> Any:
            return Certified(x, self.bound) if self.bound else x

        quantiles = [won(self.quantile(q)) for q in ("1/20", "1/2", "19/20")]
        edge = self.edge
        return [
            *((f"ends by {end}", sure(p), PERCENT) for end, p in self.ends.items()),
            ("ahead", sure(self.ahead), PERCENT),
            ("mean result", float(self.mean) if self.bound else self.mean, SIGNED.to(4, sign=True)),
            ("standard deviation", self.result.std, ROUNDED),
            ("result at 5 %, 50 %, 95 %", ", ".join(quantiles), LABEL),
            ("mean rolls", float(self.mean_rolls), ROUNDED),
            ("mean rolls of the ruined", self.rolls_to_ruin, ROUNDED),
            ("bets", float(self.bets), ROUNDED),
            ("money bet", float(self.handle), ROUNDED),
            ("lost per unit bet", None if edge is None else float(edge), PERCENT),
            ("bets that could not be made", float(self.refused), ROUNDED),
            ("layouts", self.layouts, COUNT),
            ("status", self.status, LABEL),
        ]

    def page(self) -> Page:
        """How the evening ends."""
        facts = [Fact(what, figure, kind) for what, figure, kind in self.figures()]
        return Page(self.name, Facts(*facts))


@dataclass(frozen=True)
class SideBySide(Shown):
    """Several evenings in one table.

    >>> from sevenout.exact.evening import evening
    >>> both = SideBySide(tuple(evening(name, 5, rolls=3) for name in ("pass", "dont-pass")))
    >>> [column.head for column in both.page().blocks[0].columns]
    ['', 'Pass line', "Don't pass"]

    Attributes:
        results: of each strategy.
    """

    results: tuple[EveningResult, ...]

    def to_dict(self) -> dict[str, Any]:
        """As data: that of each."""
        return {"evenings": [result.to_dict() for result in self.results]}

    def page(self) -> Page:
        """A row for each figure, a column for each strategy."""
        said = [{what: kind(x) for what, x, kind in result.figures()} for result in self.results]
        rows = dict.fromkeys(what for each in said for what in each)
        rows = dict.fromkeys(sorted(rows, key=lambda what: not what.startswith("ends by")))
        columns = ["", *(Column(result.name, LABEL) for result in self.results)]
        return Page("", Table(columns, [[what, *(s.get(what) for s in said)] for what in rows]))

    def law(self) -> Table:
        """The law of the result: how likely each is with each strategy."""
        laws = [dict(result.result.items()) for result in self.results]
        results = sorted({x for law in laws for x in law})
        columns = [Column("result", LABEL), *(Column(r.name, LABEL) for r in self.results)]

        def said(p: Fraction | None, bound: Fraction) -> Any:
            return None if p is None else repr(float(p)) if bound else str(p)

        return Table(
            columns,
            [
                [
                    str(x),
                    *(said(w.get(x), r.bound) for w, r in zip(laws, self.results, strict=True)),
                ]
                for x in results
            ],
        )
