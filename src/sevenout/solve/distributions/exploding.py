"""Dice that explode: `d10!` is rolled again, and added, as long as it shows its highest face.

No number of rolls is enough for all of them, so the total has no largest value and such dice are no
dice of a game. Its law is rational all the same: with weights w of faces f, W in all and the top
face m, one die has the generating function Σ w_f z^f / (W - w_m z^m) over the faces below the top
(it renews itself there: Feller 1968, ch. XIII), and a sum of dice has the product. Which of two
totals is more is Σ P(Y = n) P(X > n): a sum of products of two linear recurrences, found by one
linear system (Stanley 2012, section 4.2: Hadamard products of rational series).
"""

import re
from fractions import Fraction
from itertools import accumulate
from math import prod
from typing import Any

from sevenout.cost import afford
from sevenout.dice.distribution import Distribution
from sevenout.dice.notation import parse_dice, parse_die, pieces
from sevenout.dice.totals.contests import Contest
from sevenout.dice.totals.spreads import SHOW, Totals, likeliest
from sevenout.dice.totals.terms import COMPARED
from sevenout.errors import NotationError, RulesError, printable, shown
from sevenout.numerals import Number, exact
from sevenout.page import Page, Text
from sevenout.page.kinds import PERCENT
from sevenout.page.numbers import exactly, percent
from sevenout.solve.distributions.counter import CounterLaw
from sevenout.solve.distributions.rational import Rational, fraction

_EXPLODING = re.compile(
    r"(?P<count>[0-9]{0,4})(?P<die>[dD](?:[fF]|(?:[0-9]{1,9}|%)(?:\{[^{}]*\})?))!"
    r"(?:(?P<sign>[<>]=?)(?P<number>-?[0-9]{1,9}))?"
)
BODY = Fraction(1, 1000)
"""Of what lies further out, on either side, nothing is shown unless all is."""
MOST = 1_000
"""Dice of one roll."""


class Exploding(Distribution, Totals):
    """The exact law of a total of dice of which some explode.

    >>> score = exploding("d10!")
    >>> score.mean, score.pmf(10), score.sf(30)
    (Fraction(55, 9), Fraction(0, 1), Fraction(1, 1000))

    Attributes:
        name: the dice.
        least: the least total.
        above: the law of how much more it is.
        show: how many totals a page shows.
    """

    def __init__(self, name: str, least: int, above: CounterLaw, show: int = SHOW) -> None:
        self.name, self.least, self.above, self.show = name, least, above, show

    def pmf(self, x: Number) -> Fraction:
        n = exact(x) - self.least
        return self.above.pmf(n) if n.denominator == 1 else Fraction(0)

    def cdf(self, x: Number) -> Fraction:
        return self.above.cdf((exact(x) - self.least) // 1)

    def at_most(self, x: Number) -> Fraction:
        """The probability of this total or less."""
        return self.cdf(x)

    def at_least(self, x: Number) -> Fraction:
        """The probability of this total or more."""
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
    def support(self) -> tuple[int, None]:
        return self.least, None

    def _totals(self) -> list[tuple[int, Fraction]]:
        """The neighbours that are likeliest, as many as are shown, of what can be rolled."""
        afford(f"{self.show:,} totals", seconds=2e-8 * self.show**2, instead="show fewer")
        first, last = self.quantile(BODY), max(self.quantile(1 - BODY), self.least + self.show)
        totals = [(x, p) for x in range(first, last + 1) if (p := self.pmf(x))]
        start, stop = likeliest([0, *accumulate(p for _, p in totals)], self.show)
        return totals[start:stop]

    def page(self) -> Page:
        """Mean, deviation and the likeliest totals."""
        totals = self._totals()
        most, first, last = max(p for _, p in totals), totals[0][0], totals[-1][0]
        beyond = f"There is no highest total: {percent(self.sf(last))} lie above {last}"
        if below := self.cdf(first - 1):
            beyond += f", and {percent(below)} below {first}"
        table = self.rows(dict(totals), most, PERCENT)
        return Page(self.name, self.facts(), table, Text(f"{beyond}.", tone="note"))

    def to_dict(self) -> dict[str, Any]:
        """As data: the totals that are shown, and the generating function that holds all."""
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
    """The law of dice that explode, with whatever else is added: `3d6!+d4+2`.

    >>> exploding("2d6!+1").mean
    Fraction(47, 5)

    Args:
        text: dice in the usual notation; a `!` stands behind those that explode. In a pool whose
            successes are counted, `5d10!>=8`, each of the rolls of a die may be one.
        show: how many totals a page shows.

    Raises:
        NotationError: no dice, dice that explode and are taken away, or whose faces are no whole
            numbers.
        TooMuchWorkError: more of them than the budget allows.
    """
    found = _law(text, show)
    if "!" not in text:
        raise NotationError(f"no dice in {shown(text)} explode; write d10!")
    return found


def contest(first: str, second: str, *, show: int = SHOW) -> Contest:
    """Which of two rolls is more, and how often; either may explode.

    >>> fight = contest("d6!", "d8")
    >>> fight.more, fight.equal
    (Fraction(35, 96), Fraction(1, 9))

    Raises:
        NotationError, TooMuchWorkError: as `exploding`.
    """
    one, other = _law(first, show), _law(second, show)
    a, b = one.above.generating_function, other.above.generating_function
    gap = one.least - other.least
    a, b = a * _shift(max(gap, 0)), b * _shift(max(-gap, 0))
    return Contest(one, other, _inner((1 - a) / Rational([1, -1]), b), _inner(a, b))


def _law(text: str, show: int) -> Exploding:
    if not isinstance(text, str):
        raise NotationError(f"{shown(text)} is not text; write dice as 'd10!'")
    if type(show) is not int or show < 1:
        raise RulesError(f"show={shown(show)}; show from 1 total up")
    function, least, rest = Rational(1), 0, ""
    for sign, piece in pieces("".join(text.split())):
        if re.fullmatch(r"[0-9]{1,18}", piece):
            least += sign * int(piece)
            continue
        if "!" not in re.sub(r"\{[^{}]*\}", "", piece):
            rest += ("-" if sign < 0 else "+") + piece
            continue
        match = _EXPLODING.fullmatch(piece)
        dice = int(match["count"] or 1) if match else 0
        if match is None or not 1 <= dice <= MOST:
            raise NotationError(
                f"{shown(piece)} in {shown(text)} can't explode; write up to {MOST:,} dice of one "
                "kind, all of them added or counted, as in 3d6!+2 and 5d10!>=8"
            )
        if sign < 0:
            raise NotationError(
                f"-{printable(piece, 60)} in {shown(text)}: dice that explode and are taken away "
                "have no lowest total; ask for what is compared, as d10! --vs 2d6!"
            )
        one, lowest = _one(match["die"], text)
        if match["sign"]:
            one, lowest = _successes(match["die"], match["sign"], int(match["number"])), 0
        afford(
            f"{dice} dice that explode",
            seconds=1e-7 * (dice * one.denominator.degree()) ** 2,
            instead="roll fewer dice",
        )
        function, least = prod([one] * dice, start=function), least + dice * lowest
    if rest:
        polynomial, lowest = _finite(rest, text)
        function, least = function * polynomial, least + lowest
    return Exploding("".join(text.split()), least, CounterLaw(function, "total"), show)


def _one(die: str, text: str) -> tuple[Rational, int]:
    """The generating function of one die, above its lowest face, and that face."""
    faces = parse_die(die).law
    numbers = [face for face in faces if type(face) is int]
    if len(numbers) != len(faces) or len(faces) < 2 or max(numbers) < 1:
        raise NotationError(
            f"{shown(die)} in {shown(text)} can't explode; "
            "give two or more faces that are whole numbers, the highest above 0"
        )
    low, top = min(numbers), max(numbers)
    weights = dict(zip(faces, faces.weights, strict=True))
    upper = [0] * (top - low)
    for face in numbers:
        if face != top:
            upper[face - low] = weights[face]
    return Rational(upper, [sum(weights.values()), *[0] * (top - 1), -weights[top]]), low


def _successes(die: str, sign: str, number: int) -> Rational:
    """The generating function of the successes of one die: each of its rolls may be one."""
    faces = parse_die(die).law
    weights: dict[Any, int] = dict(zip(faces, faces.weights, strict=True))
    top = max(weights)
    ways = [0, 0]
    for face, weight in weights.items():
        if face != top:
            ways[COMPARED[sign](face, number)] += weight
    again = [sum(weights.values()), 0]
    again[COMPARED[sign](top, number)] -= weights[top]
    return Rational(ways, again)


def _finite(rest: str, text: str) -> tuple[Rational, int]:
    """The generating function of what does not explode, above its least total, and that."""
    law = parse_dice(rest.removeprefix("+")).totals.law
    if not all(type(total) is int for total in law):
        raise NotationError(f"the totals of {shown(rest)} in {shown(text)} are no whole numbers")
    least = min(law)
    weights = [0] * (max(law) - least + 1)
    for total, weight in zip(law, law.weights, strict=True):
        weights[total - least] = weight
    return Rational(weights, [law.denominator]), least


def _shift(n: int) -> Rational:
    return Rational([0] * n + [1])


def _inner(a: Rational, b: Rational) -> Fraction:
    """Σ a_n b_n over the coefficients of two series, of which one at least is summable.

    From some n on both obey their recurrences, s -> C s for the last few coefficients; the sum of
    what is left is the first entry of (I - C_a ⊗ C_b)^-1 (s_a ⊗ s_b).
    """
    from flint import fmpq, fmpq_mat

    p, q = (int(each.denominator.degree()) for each in (a, b))
    top_a, top_b = (int(each.numerator.degree()) for each in (a, b))
    if p < 1 or q < 1:
        length = min(top + 1 for top, degree in ((top_a, p), (top_b, q)) if degree < 1)
        pairs = zip(a.series(length), b.series(length), strict=True)
        return fraction(sum((x * y for x, y in pairs), fmpq(0)))
    afford(
        "the contest of dice that explode",
        seconds=2e-8 * (p * q) ** 3,
        memory=100 * (p * q) ** 2,
        instead="roll fewer dice",
    )
    start = max(top_a - p + 1, top_b - q + 1, 0)
    u, v = a.series(start + p), b.series(start + q)
    system = fmpq_mat(p * q, p * q)
    right = fmpq_mat(p * q, 1)
    rows = [_companion(each.denominator) for each in (a, b)]
    for i in range(p):
        for j in range(q):
            row = i * q + j
            right[row, 0] = u[start + i] * v[start + j]
            system[row, row] += 1
            for k, x in rows[0][i]:
                for m, y in rows[1][j]:
                    system[row, k * q + m] -= x * y
    head = sum((x * y for x, y in zip(u[:start], v[:start], strict=True)), fmpq(0))
    return fraction(head + system.solve(right)[0, 0])


def _companion(denominator: Any) -> list[list[tuple[int, Any]]]:
    """The rows of the matrix that moves the last few coefficients on by one, without its zeros."""
    from flint import fmpq

    degree = int(denominator.degree())
    shifts = [[(i + 1, fmpq(1))] for i in range(degree - 1)]
    last = [(degree - k, -denominator[k] / denominator[0]) for k in range(degree, 0, -1)]
    return [*shifts, [(k, x) for k, x in last if x]]
