"""Compare two rolls: `versus("2d6", "1d12")`."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.documents import Column, Fact, Facts, Page, Shown, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, MONO, PERCENT
from sevenout.documents.numbers import exactly
from sevenout.rolling.totals.spreads import (
    SHOW,
    WIDTH,
    Spread,
    TotalsView,
    bar,
    cell,
    cut,
    likeliest,
    spread,
)


@dataclass(frozen=True)
class Contest(Shown):
    """Two independent rolls compared.

    Attributes:
        first: the distribution of the first roll.
        second: of the second roll.
        more: P(first > second).
        equal: P(first = second).
    """

    first: TotalsView
    second: TotalsView
    more: Fraction
    equal: Fraction

    @property
    def less(self) -> Fraction:
        """P(first < second)."""
        return 1 - self.more - self.equal

    @property
    def difference(self) -> Fraction:
        """The difference of the means, first less second."""
        return self.first.mean - self.second.mean

    def page(self) -> Page:
        """A page: the probability that each roll is higher, and both means."""
        one, other = self.first, self.second
        return Page(
            f"{one.name} against {other.name}",
            Facts(
                Fact(f"{one.name} is more", self.more, FRACTION, PERCENT),
                Fact("they are equal", self.equal, FRACTION, PERCENT),
                Fact(f"{one.name} is less", self.less, FRACTION, PERCENT),
                Fact("difference of the means", self.difference, FRACTION, DECIMAL),
            ),
            *(each.facts(each.name) for each in (one, other)),
        )

    def to_dict(self) -> dict[str, Any]:
        """The distributions and the comparison, as data."""
        return {
            "more": exactly(self.more),
            "equal": exactly(self.equal),
            "less": exactly(self.less),
            "difference": exactly(self.difference),
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
        }


@dataclass(frozen=True)
class Versus(Contest):
    """Two rolls compared, total by total.

    >>> versus("2d6", "2d6").less, versus("2d6+1", "2d6").difference
    (Fraction(575, 1296), Fraction(1, 1))
    """

    first: Spread
    second: Spread

    @cached_property
    def totals(self) -> tuple[Any, ...]:
        """Every total of either roll, in ascending order."""
        return tuple(sorted({*self.first.totals, *self.second.totals}))

    def page(self) -> Page:
        """A page: the probability that each roll is higher, and both distributions."""
        one, other = self.first, self.second
        below = [0]
        for t in self.totals:
            ways = one.weights.get(t, 0) * other.law.denominator
            below.append(below[-1] + ways + other.weights.get(t, 0) * one.law.denominator)
        start, stop = likeliest(below, one.show)
        columns = [Column("total", LABEL)]
        for each in (one, other):
            columns += [
                Column(each.name, PERCENT),
                Column("", MONO),
                Column("at least", PERCENT),
            ]
        most = max(one.likeliest, other.likeliest)
        rows = [
            (
                exactly(t),
                *(
                    cell
                    for each in (one, other)
                    for p in [each.law.p(t)]
                    for cell in (p or None, bar(p / most, WIDTH // 2), each.at_least(t))
                ),
            )
            for t in self.totals[start:stop]
        ]
        left_out = cut(self.totals, start, stop, Fraction(below[stop] - below[start], below[-1]))
        page = super().page()
        notes = [Text(left_out, tone="note")] if left_out else []
        return Page(page.title, *page.blocks, Table(columns, rows), *notes)

    def csv(self, caption: str | None = None) -> str:
        """CSV: every total, with its probability in both."""
        for each in (self.first, self.second):
            each.afford_rows(len(self.totals))
        names = [f"{n}: {each.name}" for n, each in ((1, self.first), (2, self.second))]
        columns = [Column("total", LABEL), *(Column(n, FRACTION, DECIMAL) for n in names)]
        rows = [(cell(t), self.first.law.p(t), self.second.law.p(t)) for t in self.totals]
        return Page("", Table(columns, rows)).csv(caption)


def versus(first: Any, second: Any, *, show: int = SHOW) -> Versus:
    """The probability that each of two independent rolls is higher.

    >>> result = versus("d20", "2d10")
    >>> result.more, result.equal, result.difference
    (Fraction(9, 20), Fraction(1, 20), Fraction(-1, 2))

    Args:
        first: dice, as `spread` takes them.
        second: other dice.
        show: maximum number of totals on a page.

    Raises:
        RulesError: as `spread`.
    """
    one, other = spread(first, show=show), spread(second, show=show)
    more = equal = 0
    for total, weight in zip(one.law, one.law.weights, strict=True):
        start = bisect_left(other.totals, total)
        stop = bisect_right(other.totals, total)
        more += weight * other.below[start]
        equal += weight * (other.below[stop] - other.below[start])
    ways = one.law.denominator * other.law.denominator
    return Versus(one, other, Fraction(more, ways), Fraction(equal, ways))


__all__ = ["Contest", "Versus", "versus"]
