"""A table of the totals of dice: `spread("4d6kh3")`."""

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.documents import Column, Fact, Facts, Kind, Page, Shown, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, MONO, PERCENT
from sevenout.documents.numbers import exact_figures, exactly
from sevenout.errors import RulesError, printable, shown
from sevenout.rolling.distribution import root
from sevenout.rolling.law import Law
from sevenout.rolling.make_dice import dice as dice_of
from sevenout.rolling.roll import Dice

SHOW, WIDTH = 40, 20
"""Totals on a page, and characters in the longest bar; a page has 80 columns."""
SHORT = 10**11
"""Fractions with a larger denominator are too long to be shown beside their decimals."""
EIGHTHS = " ▏▎▍▌▋▊▉"


class TotalsView(Shown):
    """The page of a total's distribution.

    Attributes:
        name: the dice.
        show: maximum number of totals on a page.
    """

    name: str
    show: int

    @property
    @abstractmethod
    def mean(self) -> Fraction:
        """The mean total."""

    @property
    @abstractmethod
    def std(self) -> float:
        """The standard deviation."""

    @abstractmethod
    def at_most(self, total: Any) -> Fraction:
        """P(total <= this)."""

    @abstractmethod
    def at_least(self, total: Any) -> Fraction:
        """P(total >= this)."""

    def facts(self, caption: str = "") -> Facts:
        """Mean and standard deviation."""
        return Facts(
            Fact("mean", self.mean, FRACTION, DECIMAL),
            Fact("standard deviation", self.std, DECIMAL),
            caption=caption,
        )

    def rows(self, likely: Mapping[Any, Fraction], most: Fraction, *kinds: Kind) -> Table:
        """Some totals: the probability of each with a bar, of as much or more, of as much or
        less.
        """
        columns = [
            Column("total", LABEL),
            Column("probability", *kinds),
            Column("", MONO),
            Column("at least", PERCENT),
            Column("at most", PERCENT),
        ]
        return Table(
            columns,
            [
                (exactly(t), p, bar(p / most), self.at_least(t), self.at_most(t))
                for t, p in likely.items()
            ],
        )


@dataclass(frozen=True)
class Spread(TotalsView):
    """The distribution of a total.

    Attributes:
        name: the dice.
        law: the distribution.
        show: maximum number of totals on a page; the data has all.
    """

    name: str
    law: Law
    show: int = SHOW

    @cached_property
    def totals(self) -> tuple[Any, ...]:
        """Every total, in ascending order."""
        return tuple(sorted(self.law))

    @cached_property
    def below(self) -> tuple[int, ...]:
        """Cumulative weights of the totals, from 0 up to the whole."""
        return (0, *accumulate(self.weights[total] for total in self.totals))

    @cached_property
    def weights(self) -> dict[Any, int]:
        """The integer weight of each total."""
        return dict(zip(self.law, self.law.weights, strict=True))

    @cached_property
    def mean(self) -> Fraction:
        return self.law.mean

    @cached_property
    def variance(self) -> Fraction:
        """The variance."""
        return self.law.moment(2) - self.mean**2

    @property
    def std(self) -> float:
        return root(self.variance)

    def at_most(self, total: Any) -> Fraction:
        return self._share(0, bisect_right(self.totals, total))

    def at_least(self, total: Any) -> Fraction:
        """P(total >= this).

        >>> spread("4d6kh3").at_least(17)
        Fraction(25, 432)
        """
        return self._share(bisect_left(self.totals, total), len(self.totals))

    def afford_rows(self, rows: int) -> None:
        """Check the budget for this many rows; each has three fractions in lowest terms."""
        bits = self.law.denominator.bit_length()
        afford(
            f"{rows:,} totals with exact probabilities",
            seconds=6 * rows * (2e-6 + 7e-12 * bits**2),
            memory=6 * rows * (100 + 1.2 * bits),
            instead="show fewer, or roll fewer dice",
        )

    def _share(self, start: int, stop: int) -> Fraction:
        return Fraction(self.below[stop] - self.below[start], self.law.denominator)

    @property
    def likeliest(self) -> Fraction:
        """The probability of the likeliest total."""
        return Fraction(max(self.law.weights), self.law.denominator)

    def table(self, totals: Sequence[Any]) -> Table:
        """Some totals: the probability of each with a bar, of as much or more, of as much or
        less.
        """
        self.afford_rows(len(totals))
        kinds = (FRACTION, PERCENT) if self.law.denominator < SHORT else (PERCENT,)
        return self.rows({t: self.law[t] for t in totals}, self.likeliest, *kinds)

    def page(self) -> Page:
        """A page: mean, deviation and the totals; only the likeliest if there are too many."""
        start, stop = likeliest(self.below, self.show)
        left_out = cut(self.totals, start, stop, self._share(start, stop))
        return Page(
            self.name,
            self.facts(),
            self.table(self.totals[start:stop]),
            *([Text(left_out, tone="note")] if left_out else []),
        )

    def to_dict(self) -> dict[str, Any]:
        """Every total with its exact probability, as data."""
        self.afford_rows(len(self.totals))
        return {
            "dice": self.name,
            **exact_figures(self, "mean", "variance"),
            "standard_deviation": self.std,
            "totals": [
                {
                    "total": _number(t),
                    "probability": exactly(self.law[t]),
                    "at_least": exactly(self.at_least(t)),
                    "at_most": exactly(self.at_most(t)),
                }
                for t in self.totals
            ],
        }

    def csv(self, caption: str | None = None) -> str:
        """CSV: every total, with exact probabilities and decimals."""
        self.afford_rows(len(self.totals))
        columns = [Column("total", LABEL)]
        names = ("probability", "at least", "at most")
        columns += [Column(name, FRACTION, DECIMAL) for name in names]
        rows = [(cell(t), self.law[t], self.at_least(t), self.at_most(t)) for t in self.totals]
        return Page(self.name, Table(columns, rows)).csv(caption)


def spread(given: Any, *, show: int = SHOW) -> Spread:
    """The distribution of the totals of dice.

    >>> score = spread("4d6kh3")
    >>> score.mean, round(score.std, 3), score.at_most(8)
    (Fraction(15869, 1296), 2.847, Fraction(17, 162))

    Args:
        given: dice, or anything that `dice` takes: text such as "4d6kh3", a die, a mapping.
        show: maximum number of totals on a page.

    Raises:
        RulesError: faces that don't add up, or `show` is less than 1.
    """
    dice: Dice = dice_of(given)
    if type(show) is not int or show < 1:
        raise RulesError(f"show={shown(show)}; give 1 or more")
    law = dice.totals.law
    if None in law:
        raise RulesError(
            f"the faces of {printable(str(dice), 60)} don't add up; "
            "give dice whose faces are numbers, such as 2d6"
        )
    return Spread(str(dice), law, show)


def bar(share: Fraction, width: int = WIDTH) -> str:
    """A bar of characters, to an eighth of one; a positive share is never blank.

    >>> bar(Fraction(1, 2), 5), bar(Fraction(1, 10**9), 5), bar(Fraction(0), 5)
    ('██▌', '▏', '')
    """
    eighths = max(round(8 * width * share), int(share > 0))
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()


def likeliest(below: Sequence[Any], show: int) -> tuple[int, int]:
    """The `show` neighbouring totals of the greatest weight, from cumulative weights: start and
    stop.
    """
    few = min(show, len(below) - 1)
    start = max(range(len(below) - few), key=lambda k: below[k + few] - below[k])
    return start, start + few


def cut(totals: Sequence[Any], start: int, stop: int, share: Fraction) -> str:
    """The note about totals that are not shown."""
    if stop - start == len(totals):
        return ""
    return (
        f"{stop - start:,} of {len(totals):,} totals, {exactly(totals[start])} to "
        f"{exactly(totals[stop - 1])}: {PERCENT(share)} of all rolls. The others go from "
        f"{exactly(totals[0])} to {exactly(totals[-1])}; show {len(totals)} to see them all."
    )


def _number(total: Any) -> Any:
    return total if isinstance(total, int) else str(total)


def cell(total: Any) -> Any:
    """A total as a table cell."""
    return total if isinstance(total, int | Fraction) else str(total)


__all__ = ["Spread", "spread"]
