"""Totals without a highest value: dice that are rolled again and added without end.

The exact distribution of such a total is a rational generating function
(`generating_functions`), so nothing is cut off. Sums are products of functions; the highest of
several, and comparisons, are products term by term.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, NoReturn

from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError, RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.bar_charts import bars_html, plot_bars
from sevenout.rolling.calculations import Calculates, Operand
from sevenout.rolling.convolution import dense_weights
from sevenout.rolling.distribution import U, sum_by_key
from sevenout.rolling.events import SEVERAL, Event
from sevenout.rolling.generating_functions import (
    RationalFunction,
    SeriesLaw,
    ShiftedFunction,
    compare_values,
    extreme,
    power,
    shifted,
)
from sevenout.rolling.laws import Law, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class UnboundedLaw(SeriesLaw):
    """The exact distribution of a whole total without a highest value, such as of `d6!`.

    It is held as a rational generating function, so nothing is cut off. It adds to other dice,
    is compared with them, and multiplied by `3 @`; what has no generating function is refused.

    >>> die = Law(dict.fromkeys(range(1, 7), 1))
    >>> ace = die.explode()
    >>> ace.mean, ace.at_least(13), (2 @ ace + die).mean, ace.beats(die)
    (Fraction(21, 5), Fraction(1, 36), Fraction(119, 10), Fraction(4, 9))

    Args:
        function: the generating function of the total less `least`.
        least: the least total.
    """

    def __init__(self, function: RationalFunction, least: int) -> None:
        super().__init__(function, "total", least)

    @classmethod
    def exploding(
        cls,
        law: Law,
        faces: frozenset[object],
        score: Callable[[Any], int] | None = None,
    ) -> "UnboundedLaw":
        """The sum of all rolls of a die that is rolled again on some faces.

        Weights w of W renew themselves on the exploding faces (Feller 1968, chapter XIII), so the
        generating function is sum_stop w z^face / (W - sum_again w z^face).

        Args:
            law: the distribution of the die.
            faces: the faces on which it is rolled again.
            score: what each roll adds; default its face.

        Raises:
            RulesError: every or no face explodes, or what a roll adds is not a whole number from 0
                up, except the faces that stop.
        """
        if not faces or len(faces) == len(law):
            amount = "every face explodes" if faces else "no face explodes"
            raise RulesError(f"{amount}; name some of the faces of the die, and not all")
        # a condition scores 1 or 0
        value: Callable[[Any], Any] = (
            (lambda face: face) if score is None else (lambda face: int(score(face)))
        )
        if not all(type(value(face)) is int for face in law) or min(map(value, faces)) < 0:
            raise RulesError(
                "dice explode without end on whole numbers, 0 or more; give two or more faces that "
                "are whole numbers, or a depth"
            )
        # the least total stops at once: exploding faces only add to it
        least = min(value(face) for face in law if face not in faces)
        size = 1 + max(map(value, law)) + max(0, -least)
        stops, again = [0] * size, [law.denominator] + [0] * (size - 1)
        for face, weight in law.counts.items():
            if face in faces:
                again[value(face)] -= weight
            else:
                stops[value(face) - least] += weight
        return cls(RationalFunction(stops, again), least)

    @classmethod
    def extreme(cls, laws: "Sequence[Law | UnboundedLaw]", *, highest: bool) -> "UnboundedLaw":
        """The highest or lowest of independent totals, some without a highest value."""
        return cls(*extreme([_generating_function(law) for law in laws], highest=highest))

    @classmethod
    def kept(cls, law: Law, count: int, kept_count: int, *, lowest: bool) -> "UnboundedLaw":
        """The sum of the highest or lowest few of equal dice that explode on their highest face.

        Dice that show the top are above all others. Of n dice a binomial number j explode: each
        adds the top to a fresh die. If all explode, the pool renews itself with n tops added.

        Raises:
            NotationError: with a face below 0 a die that explodes may end below one that doesn't.
            TooMuchWorkError: more dice than the budget allows.
        """
        lowest_face, highest = min(law), max(law)
        below = {face: weight for face, weight in law.counts.items() if face != highest}
        # an explosion may add a negative face: the order of the dice would change
        if highest + lowest_face < max(below):
            raise NotationError(
                "a kept die with a face below 0 that explodes may end below one that does not; "
                "give faces of 0 or more"
            )
        dropped = count - kept_count
        afford(
            f"the {kept_count} to keep of {count} dice that explode",
            seconds=3e-8 * (highest * kept_count * (dropped + 1)) ** 2 * (dropped + 1) * count,
            instead="roll fewer dice",
        )
        p = Fraction(law.counts[highest], law.denominator)
        calm = Law(below)
        single = UnboundedLaw.exploding(law, frozenset([highest])).generating_function

        def ended(dice: int, kept: int) -> RationalFunction:
            """The kept sum of dice that did not explode, less its least value."""
            if not kept:
                return RationalFunction(1)
            pool = calm.pool(dice)
            total = (pool.lowest(kept) if lowest else pool.highest(kept)).sum()
            return RationalFunction(
                dense_weights(total.counts, kept * lowest_face), [total.denominator]
            )

        # Dice that explode are a smaller pool, with as many dropped (lowest) or kept (highest): the
        # smallest pools come first.
        if lowest:
            sizes = [(k + dropped, k) for k in range(1, kept_count + 1)]
        else:
            sizes = [(n, kept_count) for n in range(kept_count, count + 1)]
        pools: dict[tuple[int, int], RationalFunction] = {}
        for n, k in sizes:
            function = RationalFunction(0)
            for j in range(n):
                # kept dice among the j that explode
                high = max(k - (n - j), 0) if lowest else min(j, k)
                if not high:
                    upper = RationalFunction(1)
                elif high == j:
                    upper = power(single, j)
                else:
                    upper = pools[j, high]
                ways = comb(n, j) * p**j * (1 - p) ** (n - j)
                function += ways * shifted(upper, high * highest) * ended(n - j, k - high)
            pools[n, k] = function / (1 - p**n * shifted(RationalFunction(1), k * highest))
        return cls(pools[count, kept_count], kept_count * lowest_face)

    # --- arithmetic

    def __add__(self, other: "Operand | UnboundedLaw") -> "UnboundedLaw":
        part = _operand(other)
        if part is None:
            return NotImplemented
        function, least = _generating_function(part)
        return UnboundedLaw(self.generating_function * function, self.least + least)

    __radd__ = __add__

    def __sub__(self, other: "Operand") -> "UnboundedLaw":
        if isinstance(other, UnboundedLaw):
            return -other  # which says why not
        part = _operand(other)
        return NotImplemented if part is None else self + -part

    def __neg__(self) -> NoReturn:
        raise RulesError(
            "a total without a highest value has no lowest one when it is subtracted, so it has no "
            "lowest total; compare the two instead, as in d10!>2d6! or .beats(other)"
        )

    def __rsub__(self, other: "Operand") -> NoReturn:
        self.__neg__()

    def __rmatmul__(self, times: int | Calculates) -> "UnboundedLaw | Law":
        if isinstance(times, Calculates):  # a random number of dice: the mixture of the powers
            count = times.own_law
            least = min(0, max(count) * self.least)
            mixture = RationalFunction(0)
            for n, p in count.items():
                function, low = _generating_function(n @ self)
                mixture += p * shifted(function, low - least)
            return UnboundedLaw(mixture, least)
        if type(times) is not int or times < 0:
            raise RulesError(f"{shown(times)} @ dice; give a whole number, 0 or more")
        if not times:
            return Law.of_weights({0: 1})
        return UnboundedLaw(power(self.generating_function, times), times * self.least)

    def __mul__(self, factor: int) -> "UnboundedLaw":
        """The total times a positive whole number: z^factor in place of z."""
        if type(factor) is not int or factor < 1:
            raise RulesError(
                f"a total without a highest value times {shown(factor)}; "
                "give a whole number, 1 or more"
            )
        # coefficients are moved apart, not multiplied: degree times factor is all it costs
        rows = []
        for polynomial in (
            self.generating_function.numerator,
            self.generating_function.denominator,
        ):
            spread: list[object] = [0] * (factor * polynomial.degree() + 1)
            spread[::factor] = polynomial.coeffs()  # flint reads its own rationals
            rows.append(spread)
        return UnboundedLaw(RationalFunction(*rows), factor * self.least)

    __rmul__ = __mul__

    # --- comparisons

    def beats(self, other: "Operand | UnboundedLaw") -> Fraction:
        """P(this > other)."""
        return self._contest(other)[0]

    def ties(self, other: "Operand | UnboundedLaw") -> Fraction:
        """P(this = other)."""
        return self._contest(other)[1]

    def _contest(self, other: "Operand | UnboundedLaw") -> tuple[Fraction, Fraction]:
        """P(this > other) and P(this = other)."""
        part = _operand(other)
        if part is None:
            raise RulesError(f"{shown(other)} can't be rolled; give dice, such as so.d6")
        return compare_values(_generating_function(self), _generating_function(part))

    def __gt__(self, other: "Operand | UnboundedLaw") -> Truth:
        return Truth.of_chance(self.beats(other))

    def __ge__(self, other: "Operand | UnboundedLaw") -> Truth:
        more, equal = self._contest(other)
        return Truth.of_chance(more + equal)

    def __lt__(self, other: "Operand | UnboundedLaw") -> Truth:
        more, equal = self._contest(other)
        return Truth.of_chance(1 - more - equal)

    def __le__(self, other: "Operand | UnboundedLaw") -> Truth:
        return Truth.of_chance(1 - self.beats(other))

    def __eq__(self, other: object) -> Truth | bool:  # type: ignore[override]
        if isinstance(other, UnboundedLaw):
            same = self.least == other.least
            return same and self.generating_function == other.generating_function
        if not isinstance(other, int | Fraction):
            return NotImplemented
        return Truth.of_chance(self.pmf(other))

    def __ne__(self, other: object) -> Truth | bool:  # type: ignore[override]
        equal = self.__eq__(other)
        if isinstance(equal, Truth):
            return Truth.of_chance(1 - equal.p())
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash((self.least, self.generating_function))

    # --- the total

    def map(self, function: Callable[[int], U], *, constant_from: int) -> Law[U]:
        """The distribution of a function of the total.

        >>> Law(dict.fromkeys(range(1, 7), 1)).explode().map(lambda x: x > 6, constant_from=7)
        Law({False: 5, True: 1})

        Args:
            function: of the total.
            constant_from: a total from which on the function has one value.
        """
        images = [(function(x), self.pmf(x)) for x in range(self.least, constant_from)]
        images.append((function(constant_from), self.at_least(constant_from)))
        return Law.of_probabilities({y: p for y, p in sum_by_key(images).items() if p})

    def at_most(self, x: Number) -> Fraction:
        """P(total <= x)."""
        return self.cdf(x)

    def at_least(self, x: Number) -> Fraction:
        """P(total >= x)."""
        return self.sf(-(-exact(x) // 1) - 1)

    def p(self, event: Event[int]) -> Fraction:
        """The probability of a total, or of a set of totals.

        Raises:
            RulesError: a condition, which would have to be tried on infinitely many totals.
        """
        if callable(event):
            raise RulesError(
                "there is no highest total to try the condition on; use "
                ".map(f, constant_from=...), .at_least(x) or .at_most(x)"
            )
        totals: Iterable[Any] = event if isinstance(event, SEVERAL) else [event]
        return sum((self.pmf(x) for x in totals), Fraction(0))

    @property
    def median(self) -> int:
        """The least total with at least half of the probability at or below it."""
        return self.quantile("1/2")

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<UnboundedLaw from {self.least}, mean {float(self.mean):.6g}, no highest total>"

    def _repr_html_(self) -> str:
        return bars_html(repr(self), self._likely())

    def _likely(self) -> dict[int, Fraction]:
        """The totals up to the quantile at 99.9 %, for a picture."""
        last = self.quantile(Fraction(999, 1000))
        return {x: p for x in range(self.least, last + 1) if (p := self.pmf(x))}

    def plot(
        self,
        *others: "Calculates | UnboundedLaw",
        axes: "Axes | None" = None,
        labels: Iterable[str] = (),
    ) -> "Axes":
        """As `Law.plot`, up to the quantile at 99.9 %."""
        rows = [
            law._likely() if isinstance(law, UnboundedLaw) else law.own_law
            for law in (self, *others)
        ]
        return plot_bars(rows, axes, labels)


def _operand(other: object) -> Law | UnboundedLaw | None:
    """The distribution of an operand; None for what can't be rolled."""
    if isinstance(other, UnboundedLaw):
        return other
    if isinstance(other, Calculates):
        return other.own_law
    return Law.of_weights({other: 1}) if isinstance(other, int | Fraction) else None


def _generating_function(law: Law | UnboundedLaw) -> ShiftedFunction:
    """The generating function of a total."""
    if isinstance(law, UnboundedLaw):
        return ShiftedFunction(law.generating_function, law.least)
    if not all(type(x) is int for x in law):
        raise RulesError(
            "beside dice that explode without end all totals must be whole numbers; give the "
            "explosion a depth"
        )
    least = min(law)
    function = RationalFunction(dense_weights(law.counts, least), [law.denominator])
    return ShiftedFunction(function, least)
