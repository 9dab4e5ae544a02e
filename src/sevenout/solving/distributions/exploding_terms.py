"""Generating functions of exploding dice: sums, kept or counted pools, maxima and minima.

A die with weights w_f of faces f, total weight W and top face m has the generating function
Σ w_f z^f / (W - w_m z^m), summed over the faces below the top: it renews itself there (Feller 1968,
ch. XIII). A sum of dice has the product. In a pool, dice that show the top face are above all
others. So the kept sum of n dice is a sum over the number that explode, and renews itself if all
do. The maximum of several totals has the product of their distribution functions, term by term
(Stanley 2012, section 4.2).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import comb, prod
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError, printable, shown
from sevenout.rolling.die import Die
from sevenout.rolling.notation import kept_of, listed, parse_dice, parse_die, pieces
from sevenout.rolling.roll import Dice
from sevenout.rolling.totals.pools import KeepFaces
from sevenout.rolling.totals.terms import COMPARED, Term, Terms
from sevenout.solving.distributions.rational import Rational, hadamard

_EXPLODING = re.compile(
    r"(?P<count>[0-9]{0,4})(?P<die>[dD](?:[fF]|(?:[0-9]{1,9}|%)(?:\{[^{}]*\})?))!"
    r"(?:(?P<sign>[<>]=?)(?P<number>-?[0-9]{1,9})|(?P<keep>[a-zA-Z]{1,11})(?P<few>[0-9]{0,9}))?"
)
_BEST = re.compile(r"(?P<best>max|min)\((?P<totals>.*)\)", re.IGNORECASE | re.DOTALL)
MOST = 1_000
"""The most dice of one roll."""


def total_of(body: str, text: str) -> tuple[Rational, int]:
    """The generating function of a total less its least value, and that value.

    >>> function, least = total_of("d4!+1", "d4!+1")
    >>> str(function), least
    ('(1 + z + z^2) / (4 - z^4)', 2)

    Args:
        body: dice in the usual notation, without blanks.
        text: the text shown in errors.

    Raises:
        NotationError: not dice, or dice that can't explode.
        TooMuchWorkError: more dice than the budget allows.
    """
    function, least, rest = Rational(1), 0, ""
    for sign, piece in pieces(body):
        if re.fullmatch(r"[0-9]{1,18}", piece):
            least += sign * int(piece)
            continue
        if "!" not in re.sub(r"\{[^{}]*\}", "", piece):
            rest += ("-" if sign < 0 else "+") + piece
            continue
        if sign < 0:
            raise NotationError(
                f"-{printable(piece, 60)} in {shown(text)}: exploding dice that are subtracted "
                "have no lowest total; compare the two instead, as in d10! --vs 2d6!"
            )
        one, lowest = _piece(piece, text)
        function, least = function * one, least + lowest
    if rest:
        polynomial, lowest = _finite(rest, text)
        function, least = function * polynomial, least + lowest
    return function, least


def _piece(piece: str, text: str) -> tuple[Rational, int]:
    """The same for one term with exploding dice."""
    if best := _BEST.fullmatch(piece):
        totals = [total_of(each, text) for each in listed(best["totals"])]
        return _best(totals, lowest=best["best"].lower() == "min")
    match = _EXPLODING.fullmatch(piece)
    count = int(match["count"] or 1) if match else 0
    if match is None or not 1 <= count <= MOST:
        raise NotationError(
            f"{shown(piece)} in {shown(text)} can't explode; write up to {MOST:,} dice of one "
            "kind that are added, counted, kept or compared, as in 3d6!+2, 5d10!>=8, 5d10!kh3 and "
            "max(d8!, d6!)"
        )
    if match["sign"]:
        one = _successes(match["die"], match["sign"], int(match["number"]))
        return _power(one, count), 0
    die = _Exploding.of(match["die"], text)
    keep = kept_of(match["keep"], match["few"], count, text) if match["keep"] else None
    if keep is None:
        return _power(die.function, count), count * die.low
    return die.kept(count, keep, text), keep.count * die.low


def _power(one: Rational, count: int) -> Rational:
    afford(
        f"{count} dice that explode",
        seconds=1e-7 * (count * one.denominator.degree()) ** 2,
        instead="roll fewer dice",
    )
    return prod([one] * count, start=Rational(1))


@dataclass(frozen=True)
class _Exploding:
    """A die that explodes on its top face: the weights of its faces."""

    weights: dict[int, int]

    @classmethod
    def of(cls, die: str, text: str) -> "_Exploding":
        faces = parse_die(die).law
        numbers = [face for face in faces if type(face) is int]
        if len(numbers) != len(faces) or len(faces) < 2 or max(numbers) < 1:
            raise NotationError(
                f"{shown(die)} in {shown(text)} can't explode; "
                "give two or more faces that are whole numbers, the highest above 0"
            )
        return cls(dict(zip(faces, faces.weights, strict=True)))

    @property
    def low(self) -> int:
        return min(self.weights)

    @property
    def top(self) -> int:
        return max(self.weights)

    @cached_property
    def below(self) -> dict[int, int]:
        """The weights of the faces that don't explode."""
        return {face: weight for face, weight in self.weights.items() if face != self.top}

    @cached_property
    def function(self) -> Rational:
        """The generating function of its total less its lowest face."""
        upper = [0] * (self.top - self.low)
        for face, weight in self.below.items():
            upper[face - self.low] = weight
        whole = sum(self.weights.values())
        return Rational(upper, [whole, *[0] * (self.top - 1), -self.weights[self.top]])

    def kept(self, count: int, keep: KeepFaces, text: str) -> Rational:
        """The generating function of the sum of kept dice, less its least value.

        Of n dice, a binomial number j explode: each adds the top face to a fresh die. If all
        explode, the pool starts again with `count` tops added.
        """
        if self.top + self.low < max(self.below):
            raise NotationError(
                f"{shown(keep)} of dice in {shown(text)} with a face below 0: a die that explodes "
                "may end below one that does not; give faces of 0 or more"
            )
        few, dropped = keep.count, count - keep.count
        afford(
            f"the {few} to keep of {count} dice that explode",
            seconds=3e-8 * (self.top * few * (dropped + 1)) ** 2 * (dropped + 1) * count,
            instead="roll fewer dice",
        )
        p = Fraction(self.weights[self.top], sum(self.weights.values()))
        pools: dict[tuple[int, int], Rational] = {}
        for n, k in (
            ((k + dropped, k) for k in range(1, few + 1))
            if keep.lowest
            else ((n, few) for n in range(few, count + 1))
        ):
            found = Rational(0)
            for j in range(n):
                high = min(j, k) if not keep.lowest else max(k - (n - j), 0)
                tops = _shift(high * self.top)
                if not high:
                    upper = Rational(1)
                elif high == j:
                    upper = prod([self.function] * j, start=Rational(1))
                else:
                    upper = pools[j, high]
                ways = comb(n, j) * p**j * (1 - p) ** (n - j)
                found += ways * tops * upper * self._ended(n - j, k - high, keep.lowest)
            pools[n, k] = found / (1 - p**n * _shift(k * self.top))
        return pools[count, few]

    def _ended(self, count: int, few: int, lowest: bool) -> Rational:
        """The same for dice that did not explode."""
        if not few:
            return Rational(1)
        die = Die(list(self.below), list(self.below.values()))
        keep = KeepFaces(few, lowest) if few < count else None
        law = Dice([die] * count, Terms((Term(count, keep),))).totals.law
        return _polynomial(law, few * self.low)


def _successes(die: str, sign: str, number: int) -> Rational:
    """The generating function of the successes of one die; each of its rolls may be one."""
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


def _best(totals: Sequence[tuple[Rational, int]], lowest: bool) -> tuple[Rational, int]:
    """The maximum or minimum of independent totals."""
    leasts = [least for _, least in totals]
    functions = aligned([function for function, _ in totals], leasts)
    afford_product(functions)
    step = Rational([1, -1])
    if lowest:
        beyond = [(1 - function) / step for function in functions]
        return 1 - step * reduce(hadamard, beyond), min(leasts)
    highest = step * reduce(hadamard, [function / step for function in functions])
    gap = max(leasts) - min(leasts)
    return highest / _shift(gap), max(leasts)


def afford_product(functions: Sequence[Rational]) -> None:
    """Check the length of the denominator of a product of series, term by term.

    >>> afford_product([Rational(1, [2, -1])] * 2)
    """
    degree = prod(1 + int(each.denominator.degree()) for each in functions)
    longest = max(int(each.numerator.degree()) for each in functions)
    afford(
        "the comparison of dice that explode",
        seconds=2e-7 * (degree + longest) ** 2.5,
        instead="roll fewer dice",
    )


def aligned(functions: Sequence[Rational], leasts: Sequence[int]) -> list[Rational]:
    """Generating functions of totals less their common least value, from those less their own.

    >>> [str(each) for each in aligned([Rational(1), Rational(1)], [3, 1])]
    ['(z^2) / (1)', '(1) / (1)']
    """
    first = min(leasts)
    pairs = zip(functions, leasts, strict=True)
    return [function * _shift(least - first) for function, least in pairs]


def _finite(rest: str, text: str) -> tuple[Rational, int]:
    """The generating function of dice that don't explode, less their least total; that total."""
    law = parse_dice(rest.removeprefix("+")).totals.law
    if not all(type(total) is int for total in law):
        raise NotationError(f"the totals of {shown(rest)} in {shown(text)} are not whole numbers")
    return _polynomial(law, min(law)), min(law)


def _polynomial(law: Any, least: int) -> Rational:
    """The generating function of a finite distribution, less `least`."""
    weights = [0] * (max(law) - least + 1)
    for total, weight in zip(law, law.weights, strict=True):
        weights[total - least] = weight
    return Rational(weights, [law.denominator])


def _shift(n: int) -> Rational:
    return Rational([0] * n + [1])
