"""Tables of totals: `spread("4d6kh3")` of one roll, `versus("2d6", "d12")` of two compared."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Union, cast, overload

from sevenout.budgets.estimates import afford
from sevenout.documents import Column, Fact, Facts, HasPage, Kind, Page, Table, Text
from sevenout.documents.drawings import BAR_WIDTH, bar
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, MONO, PERCENT
from sevenout.documents.numbers import exact_figures, exactly, percent
from sevenout.errors import NotationError, RulesError, printable, shown
from sevenout.rolling.calculations import Calculates
from sevenout.rolling.dice_sources import dice as dice_of
from sevenout.rolling.dice_sources import law as law_of
from sevenout.rolling.die import Dice, Die
from sevenout.rolling.distribution import Distribution
from sevenout.rolling.laws import Law
from sevenout.rolling.notation import parse_dice, roll

if TYPE_CHECKING:
    from sevenout.rolling.unbounded import UnboundedLaw

SHOW = 40
"""Totals on a page, unless more are asked for."""
MAX_SHORT_DENOMINATOR = 10**11
"""Fractions with a larger denominator are too long to be shown beside their decimals."""
TAIL_SHARE = Fraction(1, 1000)
"""Totals without end are shown up to this probability beyond them, unless more are asked for."""


BoundedSource = Calculates[Any] | Mapping[Any, int] | Iterable[Die]
"""Dice, distributions or weights, with a highest total."""
SpreadSource = Union[str, "UnboundedLaw", BoundedSource]
NO_LIST = (
    "exploding dice have no highest total, so their totals can't be listed; take the JSON, which "
    "has their generating function"
)


@dataclass(frozen=True, repr=False)
class AnySpread(HasPage):
    """The distribution of a total, with or without a highest one.

    Attributes:
        name: the dice.
        law: the distribution.
        show: maximum number of totals on a page.
    """

    name: str
    law: Any
    show: int = SHOW

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {printable(self.name, 60)}, mean {float(self.mean):.6g}>"

    @cached_property
    def mean(self) -> Fraction:
        """The mean total."""
        return Fraction(self.law.mean)

    @cached_property
    def variance(self) -> Fraction:
        """The variance."""
        return Fraction(self.law.variance)

    @property
    def std(self) -> float:
        """The standard deviation."""
        return float(self.law.std)

    def at_most(self, total: Any) -> Fraction:
        """P(total <= this)."""
        return Fraction(self.law.at_most(total))

    def at_least(self, total: Any) -> Fraction:
        """P(total >= this).

        >>> spread("4d6kh3").at_least(17)
        Fraction(25, 432)
        """
        return Fraction(self.law.at_least(total))

    def facts(self, caption: str = "") -> Facts:
        """Mean and standard deviation."""
        return Facts(
            Fact("mean", self.mean, FRACTION, DECIMAL),
            Fact("standard deviation", self.std, DECIMAL),
            caption=caption,
        )

    def table_of(
        self, probabilities: Mapping[Any, Fraction], full_bar: Fraction, *kinds: Kind
    ) -> Table:
        """A row for each of some totals: its probability with a bar, and both cumulative ones.

        Args:
            probabilities: of the totals.
            full_bar: the probability that fills a bar.
            kinds: how a probability is printed.
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
                (exactly(t), p, bar(p / full_bar), self.at_least(t), self.at_most(t))
                for t, p in probabilities.items()
            ],
        )

    def to_dict(self) -> dict[str, Any]:
        """The dice, the mean and the deviation, as data."""
        return {
            "dice": self.name,
            **exact_figures(self, "mean", "variance"),
            "standard_deviation": self.std,
        }


@dataclass(frozen=True, repr=False)
class Spread(AnySpread):
    """The distribution of a total that has a highest value.

    A page has the likeliest totals, at most `show`; the data has all.
    """

    @cached_property
    def totals(self) -> tuple[Any, ...]:
        """Every total, in ascending order."""
        return tuple(sorted(self.law))

    @cached_property
    def cumulative_weights(self) -> tuple[int, ...]:
        """Of the totals: from 0 up to the whole."""
        return (0, *accumulate(self.law.counts[total] for total in self.totals))

    def at_most(self, total: Any) -> Fraction:
        return self._share(0, bisect_right(self.totals, total))

    def at_least(self, total: Any) -> Fraction:
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
        return Fraction(
            self.cumulative_weights[stop] - self.cumulative_weights[start], self.law.denominator
        )

    @property
    def likeliest(self) -> Fraction:
        """The probability of the likeliest total."""
        return Fraction(max(self.law.weights), self.law.denominator)

    def table(self, totals: Sequence[Any]) -> Table:
        """As `table_of`, of these totals; fractions too, if they are short."""
        self.afford_rows(len(totals))
        kinds = (FRACTION, PERCENT) if self.law.denominator < MAX_SHORT_DENOMINATOR else (PERCENT,)
        return self.table_of({t: self.law[t] for t in totals}, self.likeliest, *kinds)

    def page(self) -> Page:
        """A page: mean, deviation and the totals; only the likeliest if there are too many."""
        start, stop = likeliest_range(self.cumulative_weights, self.show)
        left_out = note_of_left_out(self.totals, start, stop, self._share(start, stop))
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
            **super().to_dict(),
            "totals": [
                {
                    "total": t if isinstance(t, int) else str(t),
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
        rows = [
            (total_cell(t), self.law[t], self.at_least(t), self.at_most(t)) for t in self.totals
        ]
        return Page(self.name, Table(columns, rows)).csv(caption)


@dataclass(frozen=True, repr=False)
class UnboundedSpread(AnySpread):
    """The distribution of a total without a highest value, such as of `3d6!+d4`.

    A page and the data have the likeliest totals; the generating function has all.
    """

    def _shown(self) -> dict[int, Fraction]:
        """The likeliest neighbouring totals, at most `show` of them."""
        afford(f"{self.show:,} totals", seconds=2e-8 * self.show**2, instead="show fewer")
        lowest, highest = self.law.support
        # both tails are cut for the picture alone; the distribution keeps them
        first = self.law.quantile(TAIL_SHARE)
        last = max(self.law.quantile(1 - TAIL_SHARE), lowest + self.show)
        last = last if highest is None else min(last, highest)
        totals = [(x, p) for x in range(first, last + 1) if (p := self.law.pmf(x))]
        start, stop = likeliest_range([0, *accumulate(p for _, p in totals)], self.show)
        return dict(totals[start:stop])

    def page(self) -> Page:
        """A page: mean, deviation and the likeliest totals."""
        totals = self._shown()
        first, last = min(totals), max(totals)
        table = self.table_of(totals, max(totals.values()), PERCENT)
        above, below = self.law.sf(last), self.law.cdf(first - 1)
        note = "There is no highest total: " if self.law.support[1] is None else ""
        note += f"{percent(above)} lie above {last}"
        note += f", and {percent(below)} below {first}." if below else "."
        notes = [Text(note, tone="note")] if above or below else []
        return Page(self.name, self.facts(), table, *notes)

    def to_dict(self) -> dict[str, Any]:
        """As data: the totals shown, and the generating function."""
        return {
            **super().to_dict(),
            "least": self.law.least,
            "generating_function": str(self.law.generating_function),
            "totals": [
                {"total": t, "probability": exactly(p), "at_least": exactly(self.at_least(t))}
                for t, p in self._shown().items()
            ],
        }

    def csv(self, caption: str | None = None) -> str:
        raise NotationError(NO_LIST)


@overload
def spread(source: BoundedSource, *, show: int = SHOW) -> Spread: ...


@overload
def spread(source: SpreadSource, *, show: int = SHOW) -> "Spread | UnboundedSpread": ...


def spread(source: SpreadSource, *, show: int = SHOW) -> "Spread | UnboundedSpread":
    """The distribution of the totals of dice.

    >>> score = spread("4d6kh3")
    >>> score.mean, round(score.std, 3), score.at_most(8)
    (Fraction(15869, 1296), 2.847, Fraction(17, 162))
    >>> spread("d10!").at_least(31)
    Fraction(1, 1000)

    Args:
        source: text such as "4d6kh3" or "max(2d6!,d12)"; dice, or a distribution of numbers.
        show: maximum number of totals on a page.

    Raises:
        NotationError: text that is not dice.
        RulesError: faces that don't add up, or `show` is less than 1.
    """
    if type(show) is not int or show < 1:
        raise RulesError(f"show={shown(show)}; give 1 or more")
    name, law = _named_law(source)
    if not isinstance(law, Law):
        return UnboundedSpread(name, law, show)
    if not all(isinstance(x, int | Fraction) for x in law):
        raise RulesError(
            f"the faces of {printable(name, 60)} don't add up; "
            "give dice whose faces are numbers, such as 2d6"
        )
    return Spread(name, law, show)


def _named_law(source: SpreadSource) -> tuple[str, Any]:
    """The name of some dice, and the distribution of their total."""
    if isinstance(source, str):
        try:
            dice = parse_dice(source)
        except NotationError:  # perhaps dice without a highest total; else roll says what is wrong
            law = roll(source)
            if isinstance(law, Law):
                raise
            return "".join(source.split()), law
        return str(dice), dice.totals.law
    if isinstance(source, Calculates | Distribution) and not isinstance(source, Dice | Die | Law):
        return repr(source), law_of(source)
    dice = dice_of(cast(Any, source))  # which refuses what can't be rolled
    return str(dice), dice.totals.law


def likeliest_range(below: Sequence[Any], show: int) -> tuple[int, int]:
    """The start and stop of the `show` neighbouring totals of the greatest weight together.

    Args:
        below: the cumulative weights of the totals, from 0 on.
        show: how many totals to show.
    """
    count = min(show, len(below) - 1)
    start = max(range(len(below) - count), key=lambda k: below[k + count] - below[k])
    return start, start + count


def note_of_left_out(totals: Sequence[Any], start: int, stop: int, share: Fraction) -> str:
    """The note about totals that are not shown."""
    if stop - start == len(totals):
        return ""
    return (
        f"{stop - start:,} of {len(totals):,} totals, {exactly(totals[start])} to "
        f"{exactly(totals[stop - 1])}: {PERCENT(share)} of all rolls. The others go from "
        f"{exactly(totals[0])} to {exactly(totals[-1])}; show {len(totals)} to see them all."
    )


def total_cell(total: Any) -> Any:
    """A total as a table cell."""
    return total if isinstance(total, int | Fraction) else str(total)


# --- two rolls ---------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Versus(HasPage):
    """Two independent rolls compared.

    >>> versus("2d6", "2d6").less, versus("2d6+1", "2d6").difference
    (Fraction(575, 1296), Fraction(1, 1))

    Attributes:
        first: the distribution of the first roll.
        second: of the second roll.
        more: P(first > second).
        equal: P(first = second).
    """

    first: "Spread | UnboundedSpread"
    second: "Spread | UnboundedSpread"
    more: Fraction
    equal: Fraction

    def __repr__(self) -> str:
        names = (printable(roll.name, 40) for roll in (self.first, self.second))
        return f"<Versus of {' and '.join(names)}: more {self.more}, equal {self.equal}>"

    @property
    def less(self) -> Fraction:
        """P(first < second)."""
        return 1 - self.more - self.equal

    @property
    def difference(self) -> Fraction:
        """The difference of the means, first less second."""
        return self.first.mean - self.second.mean

    def _bounded(self) -> tuple[Spread, Spread]:
        """Both rolls.

        Raises:
            NotationError: one has no highest total.
        """
        if isinstance(self.first, Spread) and isinstance(self.second, Spread):
            return self.first, self.second
        raise NotationError(NO_LIST)

    @cached_property
    def totals(self) -> tuple[Any, ...]:
        """Every total of either roll, in ascending order.

        Raises:
            NotationError: one has no highest total.
        """
        first, second = self._bounded()
        return tuple(sorted({*first.totals, *second.totals}))

    def page(self) -> Page:
        """A page: the probability that each roll is higher, and both means.

        It has both distributions too, if each has a highest total.
        """
        first, second = self.first, self.second
        return Page(
            f"{first.name} against {second.name}",
            Facts(
                Fact(f"{first.name} is more", self.more, FRACTION, PERCENT),
                Fact("they are equal", self.equal, FRACTION, PERCENT),
                Fact(f"{first.name} is less", self.less, FRACTION, PERCENT),
                Fact("difference of the means", self.difference, FRACTION, DECIMAL),
            ),
            *(side.facts(side.name) for side in (first, second)),
            *(self._tables() if isinstance(first, Spread) and isinstance(second, Spread) else []),
        )

    def _tables(self) -> list[Table | Text]:
        """Both distributions side by side; only the likeliest totals if there are too many."""
        first, second = self._bounded()
        below = [0]
        for t in self.totals:
            ways = first.law.counts.get(t, 0) * second.law.denominator
            below.append(below[-1] + ways + second.law.counts.get(t, 0) * first.law.denominator)
        start, stop = likeliest_range(below, first.show)
        columns = [Column("total", LABEL)]
        for side in (first, second):
            columns += [Column(side.name, PERCENT), Column("", MONO), Column("at least", PERCENT)]
        full_bar = max(first.likeliest, second.likeliest)
        rows = []
        for t in self.totals[start:stop]:
            row: list[Any] = [exactly(t)]
            for side in (first, second):
                p = side.law.p(t)
                row += [p or None, bar(p / full_bar, BAR_WIDTH // 2), side.at_least(t)]
            rows.append(tuple(row))
        left_out = note_of_left_out(
            self.totals, start, stop, Fraction(below[stop] - below[start], below[-1])
        )
        return [Table(columns, rows), *([Text(left_out, tone="note")] if left_out else [])]

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

    def csv(self, caption: str | None = None) -> str:
        """CSV: every total, with its probability in both."""
        for side in self._bounded():
            side.afford_rows(len(self.totals))
        names = [f"{n}: {side.name}" for n, side in ((1, self.first), (2, self.second))]
        columns = [Column("total", LABEL), *(Column(n, FRACTION, DECIMAL) for n in names)]
        rows = [(total_cell(t), self.first.law.p(t), self.second.law.p(t)) for t in self.totals]
        return Page("", Table(columns, rows)).csv(caption)


def versus(first: SpreadSource, second: SpreadSource, *, show: int = SHOW) -> Versus:
    """The probability that each of two independent rolls is higher.

    >>> result = versus("d20", "2d10")
    >>> result.more, result.equal, result.difference
    (Fraction(9, 20), Fraction(1, 20), Fraction(-1, 2))
    >>> versus("d6!", "d8").more
    Fraction(35, 96)

    Args:
        first: dice, as `spread` takes them.
        second: other dice.
        show: maximum number of totals on a page.

    Raises:
        NotationError, RulesError: as `spread`.
        TooMuchWorkError: exploding dice whose comparison is too long.
    """
    rolls = spread(first, show=show), spread(second, show=show)
    laws = [roll.law for roll in rolls]
    return Versus(*rolls, laws[0].beats(laws[1]), laws[0].ties(laws[1]))


__all__ = ["Spread", "UnboundedSpread", "Versus", "spread", "versus"]
