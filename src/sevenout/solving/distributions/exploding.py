"""Exploding dice: `d10!` is rolled again and added while it shows its highest face.

The total is unbounded, so such dice can't be used in a game; its generating function is rational
(`exploding_terms`).
"""

from fractions import Fraction
from itertools import accumulate
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.documents import Page, Text
from sevenout.documents.kinds import PERCENT
from sevenout.documents.numbers import exactly, percent
from sevenout.errors import NotationError, RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import Distribution
from sevenout.rolling.totals.contests import Contest
from sevenout.rolling.totals.spreads import SHOW, TotalsView, likeliest
from sevenout.solving.distributions.counter import CounterLaw
from sevenout.solving.distributions.exploding_terms import afford_product, aligned, total_of
from sevenout.solving.distributions.rational import Rational, hadamard

BODY = Fraction(1, 1000)
"""Totals beyond this tail probability are hidden, unless all are shown."""


class Exploding(Distribution, TotalsView):
    """The exact distribution of a total with exploding dice.

    >>> score = exploding("d10!")
    >>> score.mean, score.pmf(10), score.sf(30)
    (Fraction(55, 9), Fraction(0, 1), Fraction(1, 1000))

    Attributes:
        name: the dice.
        least: the least total.
        above: the distribution of the total less `least`.
        show: maximum number of totals on a page.
    """

    def __init__(self, name: str, least: int, above: CounterLaw, show: int = SHOW) -> None:
        self.name, self.least, self.above, self.show = name, least, above, show

    def pmf(self, x: Number) -> Fraction:
        n = exact(x) - self.least
        return self.above.pmf(n) if n.denominator == 1 else Fraction(0)

    def cdf(self, x: Number) -> Fraction:
        return self.above.cdf((exact(x) - self.least) // 1)

    def at_most(self, x: Number) -> Fraction:
        """P(total <= x)."""
        return self.cdf(x)

    def at_least(self, x: Number) -> Fraction:
        """P(total >= x)."""
        return 1 - self.cdf(-(-exact(x) // 1) - 1)

    def quantile(self, q: Number) -> int:
        """The least total x with cdf(x) >= q."""
        return self.least + self.above.quantile(q)

    def central_moment(self, k: int) -> Fraction:
        return self.above.central_moment(k)

    @property
    def mean(self) -> Fraction:
        return self.least + self.above.mean

    @property
    def support(self) -> tuple[int, int | None]:
        function = self.above.generating_function  # of min(d8!, d6) it is a polynomial
        endless = function.denominator.degree() > 0
        return self.least, None if endless else self.least + int(function.numerator.degree())

    def _totals(self) -> list[tuple[int, Fraction]]:
        """The likeliest neighbouring totals, at most `show` of them."""
        afford(f"{self.show:,} totals", seconds=2e-8 * self.show**2, instead="show fewer")
        first, last = self.quantile(BODY), max(self.quantile(1 - BODY), self.least + self.show)
        last = min(last, self.support[1] or last)
        totals = [(x, p) for x in range(first, last + 1) if (p := self.pmf(x))]
        start, stop = likeliest([0, *accumulate(p for _, p in totals)], self.show)
        return totals[start:stop]

    def page(self) -> Page:
        """A page: mean, deviation and the likeliest totals."""
        totals = self._totals()
        most, first, last = max(p for _, p in totals), totals[0][0], totals[-1][0]
        table = self.rows(dict(totals), most, PERCENT)
        return Page(self.name, self.facts(), table, *self._beyond(first, last))

    def _beyond(self, first: int, last: int) -> list[Text]:
        """A note on the totals that are not shown."""
        above, below = self.sf(last), self.cdf(first - 1)
        if not above and not below:
            return []
        said = "There is no highest total: " if self.support[1] is None else ""
        said += f"{percent(above)} lie above {last}"
        return [
            Text(
                f"{said}, and {percent(below)} below {first}." if below else f"{said}.", tone="note"
            )
        ]

    def to_dict(self) -> dict[str, Any]:
        """As data: the totals shown, and the generating function."""
        return {
            "dice": self.name,
            "mean": exactly(self.mean),
            "variance": exactly(self.variance),
            "standard_deviation": self.std,
            "least": self.least,
            "generating_function": str(self.above.generating_function),
            "totals": [
                {"total": t, "probability": exactly(p), "at_least": exactly(self.at_least(t))}
                for t, p in self._totals()
            ],
        }


def exploding(text: str, *, show: int = SHOW) -> Exploding:
    """The distribution of dice of which some explode: `3d6!+d4+2`.

    >>> exploding("2d6!+1").mean
    Fraction(47, 5)

    Args:
        text: dice in the usual notation, with `!` after those that explode. In a pool with
            successes, `5d10!>=8`, each roll of a die may be one. In `5d10!kh3` and `max(d8!, d6!)`
            a die counts with its explosions; `max` and `min` compare totals of any dice.
        show: maximum number of totals on a page.

    Raises:
        NotationError: not dice, subtracted dice that explode, or faces that are not whole numbers.
        TooMuchWorkError: more dice than the budget allows.
    """
    found = _law(text, show)
    if "!" not in text:
        raise NotationError(f"no dice in {shown(text)} explode; write d10!")
    return found


def contest(first: str, second: str, *, show: int = SHOW) -> Contest:
    """The probability that each of two rolls is higher; either may explode.

    >>> fight = contest("d6!", "d8")
    >>> fight.more, fight.equal
    (Fraction(35, 96), Fraction(1, 9))

    Raises:
        NotationError, TooMuchWorkError: as `exploding`.
    """
    one, other = _law(first, show), _law(second, show)
    a, b = aligned(
        [one.above.generating_function, other.above.generating_function], [one.least, other.least]
    )
    afford_product([a, b])
    more = hadamard((1 - a) / Rational([1, -1]), b)(1)
    return Contest(one, other, more, hadamard(a, b)(1))


def _law(text: str, show: int) -> Exploding:
    if not isinstance(text, str):
        raise NotationError(f"{shown(text)} is not text; write dice as 'd10!'")
    if type(show) is not int or show < 1:
        raise RulesError(f"show={shown(show)}; give 1 or more")
    function, least = total_of("".join(text.split()), text)
    return Exploding("".join(text.split()), least, CounterLaw(function, "total"), show)
