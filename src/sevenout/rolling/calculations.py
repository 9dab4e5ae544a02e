"""Operators and statistics of whatever has a distribution: dice, pools, readings, distributions.

Outcomes are independent: `2 * d6` doubles one die, `2 @ d6` rolls two. `d6 > d8` is true or false
with a probability, and `.map(f)` may roll further dice.

Results are distributions, which `laws` has: they are made by the distribution of an operand. Pools
(`pools`) and totals without a highest value (`unbounded`) are opened when they are first used.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, ItemsView, Iterable, Mapping
from fractions import Fraction
from operator import floordiv, ge, gt, le, lt, mod, mul, neg
from typing import TYPE_CHECKING, Any, Generic, Never, NoReturn, TypeVar, Union, overload

from sevenout import rolling  # opens `Pool` and `UnboundedLaw` when they are first used
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number
from sevenout.rolling.bar_charts import bars_html, plot_bars
from sevenout.rolling.convolution import (
    Vector,
    combine,
    compound_sum,
    convolve,
    quotient,
    sum_kind,
)
from sevenout.rolling.distribution import Distribution, T_co, U
from sevenout.rolling.events import Event, event_of, must_be_exact, must_be_possible
from sevenout.rolling.other_libraries import ATTRIBUTES

if TYPE_CHECKING:
    import icepool
    from matplotlib.axes import Axes

    from sevenout.rolling.laws import Law, Truth
    from sevenout.rolling.pools import Pool
    from sevenout.rolling.unbounded import UnboundedLaw

NUMBERS = (int, Fraction, Vector)
Exact = int | Fraction
"""An exact number."""
MAX_SEPARATE_SUMS = 4
"""With more numbers of dice, Horner's rule beats adding up each number of dice by itself."""

Operand = Union["Calculates", int, Fraction, Vector]
"""What dice calculate with: whatever has a distribution, an exact number, or a vector."""
Numeric = TypeVar("Numeric", int, Fraction, Vector)


class Calculates(ABC, Generic[T_co]):
    """Whatever has a distribution of numbers, labels or vectors: its operators and statistics.

    >>> from sevenout.rolling import d6
    >>> (d6.law + 4).at_least(8), (d6 > d6).p(), (2 @ d6).mean
    (Fraction(1, 2), Fraction(5, 12), Fraction(7, 1))

    Operands are independent, also when they are one object: `die - die` is one roll less another.
    The other operand is a number, a `Vector`, or anything else that calculates. To a type checker
    whole numbers stay whole, and of outcomes that it can't know, as of a text, the result is not
    known either.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def own_law(self) -> "Law[T_co]":
        """The distribution that the operators take: of dice, their total."""

    # --- arithmetic

    @overload
    def __add__(self: "Calculates[Never]", other: "Operand") -> "Law": ...

    @overload
    def __add__(self: "Calculates[int]", other: "Calculates[int] | int") -> "Law[int]": ...

    @overload
    def __add__(self: "Calculates[Exact]", other: "Calculates[Exact] | Exact") -> "Law[Exact]": ...

    @overload
    def __add__(
        self: "Calculates[Vector]", other: "Calculates[Vector] | Vector"
    ) -> "Law[Vector]": ...

    def __add__(self, other: "Operand") -> "Law":
        return self._sum(other, 1)

    __radd__ = __add__

    @overload
    def __sub__(self: "Calculates[Never]", other: "Operand") -> "Law": ...

    @overload
    def __sub__(self: "Calculates[int]", other: "Calculates[int] | int") -> "Law[int]": ...

    @overload
    def __sub__(self: "Calculates[Exact]", other: "Calculates[Exact] | Exact") -> "Law[Exact]": ...

    @overload
    def __sub__(
        self: "Calculates[Vector]", other: "Calculates[Vector] | Vector"
    ) -> "Law[Vector]": ...

    def __sub__(self, other: "Operand") -> "Law":
        return self._sum(other, -1)

    def __rsub__(self, other: Numeric) -> "Law[T_co | Numeric]":
        return (-self)._sum(other, 1)

    def _sum(self, other: "Operand", sign: int) -> "Law":
        """The distribution of the sum with an operand, times a sign."""
        own = self.own_law
        if isinstance(other, Calculates):
            right = other.own_law if sign > 0 else -other.own_law
            return own.of_weights(convolve([(own.counts, 1), (right.counts, 1)]))
        if not isinstance(other, NUMBERS):
            return NotImplemented
        if other == 0:  # sum([a, b]) starts from 0, to which a vector can't be added
            return own
        return own.of_weights(convolve([(own.counts, 1), ({other if sign > 0 else -other: 1}, 1)]))

    def __neg__(self) -> "Law[T_co]":
        own: Law = self.own_law
        return own.map(neg)

    def __abs__(self) -> "Law[T_co]":
        own: Law = self.own_law
        return own.map(abs)

    @overload
    def __mul__(self: "Calculates[Never]", other: "Operand") -> "Law": ...

    @overload
    def __mul__(self: "Calculates[int]", other: "Calculates[int] | int") -> "Law[int]": ...

    @overload
    def __mul__(self: "Calculates[Exact]", other: "Calculates[Exact] | Exact") -> "Law[Exact]": ...

    @overload
    def __mul__(self: "Calculates[Vector]", other: "Calculates[int] | int") -> "Law[Vector]": ...

    def __mul__(self, other: "Operand") -> "Law":
        return self._paired(other, mul)

    __rmul__ = __mul__

    def __floordiv__(self: "Calculates[Exact]", other: "Calculates[Exact] | Exact") -> "Law[int]":
        return self._paired(other, floordiv)

    def __rfloordiv__(self: "Calculates[Exact]", other: "Calculates[Exact] | Exact") -> "Law[int]":
        return self._paired(other, lambda x, y: y // x)

    def __truediv__(self: "Calculates[Exact]", other: "Calculates[Exact] | Exact") -> "Law[Exact]":
        return self._paired(other, quotient)

    def __rtruediv__(self: "Calculates[Exact]", other: "Calculates[Exact] | Exact") -> "Law[Exact]":
        return self._paired(other, lambda x, y: quotient(y, x))

    def __mod__(self, other: "Calculates[int] | int") -> "Law[T_co]":
        return self._paired(other, mod)

    def __rmod__(self: "Calculates[int]", other: int) -> "Law[int]":
        return self._paired(other, lambda x, y: y % x)

    def _paired(self, other: "Operand", function: Callable[[Any, Any], U]) -> "Law[U]":
        """The distribution of a function of two independent outcomes; labels are refused."""
        own = self.own_law
        if isinstance(other, Calculates):
            right: Mapping[Any, int] = other.own_law.counts
        elif isinstance(other, NUMBERS):
            right = {other: 1}
        else:
            return NotImplemented
        sum_kind(own.counts)  # refuses labels: 2 * "H" would be "HH"
        sum_kind(right)
        try:
            return own.of_weights(combine(own.counts, right, function))
        except ZeroDivisionError:
            raise RulesError(
                "a division by zero: 0 is an outcome of the divisor; leave it out with .given(...)"
            ) from None

    @overload
    def __rmatmul__(self: "Calculates[Never]", times: int) -> "Law": ...

    @overload
    def __rmatmul__(self: "Calculates[bool]", times: int) -> "Law[int]": ...

    @overload
    def __rmatmul__(self: "Calculates[U]", times: int) -> "Law[U]": ...

    def __rmatmul__(self, times: int) -> "Law":
        if type(times) is not int or times < 0:
            raise RulesError(f"{shown(times)} @ dice; give a whole number, 0 or more")
        own = self.own_law
        # no dice add up to 0, or to a vector of zeros
        if not times:
            face: Any = next(iter(own))
            return own.of_weights({0 * face if type(face) is Vector else 0: 1})
        return own.of_weights(convolve([(own.counts, times)]))

    def __pow__(self, power: int) -> "Law[T_co]":
        if type(power) is not int or power < 0:
            raise RulesError(f"dice ** {shown(power)}; give a whole number, 0 or more")
        return self._paired(power, pow)

    @overload
    def __matmul__(self, die: "Calculates[bool]") -> "Law[int]": ...

    @overload
    def __matmul__(self, die: "Calculates[U]") -> "Law[U]": ...

    def __matmul__(self, die: "Calculates") -> "Law":
        """The sum of a random number of dice: roll this many of another die."""
        if isinstance(die, int):
            raise RulesError(f"dice @ {shown(die)}; the number comes first: {shown(die)} @ dice")
        if not isinstance(die, Calculates):
            return NotImplemented  # dice without a highest total know how to be multiplied
        count: Law = self.own_law
        right: Law = die.own_law
        for n in count:
            if not isinstance(n, int) or n < 0:
                raise RulesError(f"{shown(n)} dice; a number of dice is whole, 0 or more")
        if len(count) > MAX_SEPARATE_SUMS:
            weights = compound_sum(count.counts, right.counts)
            if weights is not None:
                return right.of_weights(weights)
        return count.map(lambda n: n @ right)

    # --- comparisons: distributions of True and False

    def __lt__(self, other: "Operand | str") -> "Truth":
        return self._compare(other, lt)

    def __le__(self, other: "Operand | str") -> "Truth":
        return self._compare(other, le)

    def __gt__(self, other: "Operand | str") -> "Truth":
        return self._compare(other, gt)

    def __ge__(self, other: "Operand | str") -> "Truth":
        return self._compare(other, ge)

    def _compare(self, other: object, operator: Callable[[Any, Any], bool]) -> "Truth":
        """Whether a comparison with an operand holds."""
        if isinstance(other, Calculates):
            return self.own_law.comparison(other.own_law, operator)
        if isinstance(other, int | Fraction | str):
            return self.own_law.comparison(self.own_law.of_weights({other: 1}), operator)
        return NotImplemented  # type: ignore[no-any-return]

    @property
    def _identity(self) -> tuple[object, ...]:
        """What equal objects of the class have in common."""
        return (id(self),)

    @overload
    def __eq__(self, other: int | Fraction | Vector | str) -> "Truth": ...  # type: ignore[overload-overlap]

    @overload
    def __eq__(self, other: object) -> bool: ...

    def __eq__(self, other: object) -> "Truth | bool":
        # a number or a label is an outcome: the comparison is true with a probability
        if isinstance(other, (*NUMBERS, str)):
            own = self.own_law
            return own.truth(own.weight_of(other))
        if not isinstance(other, type(self)):
            return NotImplemented  # then Python asks the other: a `Truth` is a law, too
        return self._identity == other._identity

    @overload
    def __ne__(self, other: int | Fraction | Vector | str) -> "Truth": ...  # type: ignore[overload-overlap]

    @overload
    def __ne__(self, other: object) -> bool: ...

    def __ne__(self, other: object) -> "Truth | bool":
        equal = self.__eq__(other)
        if isinstance(equal, Calculates):
            return equal.own_law.truth(equal.own_law.weight_of(False))
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash(self._identity)

    def __bool__(self) -> bool:
        return True

    def __and__(self, other: object) -> NoReturn:
        raise RulesError(
            "& and | of dice: each operand would be a roll of its own; write one condition, as in "
            "so.d6.p(lambda x: 2 < x < 5), or so.each(a, b).p(lambda x, y: ...)"
        )

    __or__ = __and__

    if not TYPE_CHECKING:  # checkers must still find misspelt names

        def __getattr__(self, name: str) -> Any:
            text = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name in ATTRIBUTES:
                text = f"{type(self).__name__} has no {name!r}; write {ATTRIBUTES[name]}"
            raise AttributeError(text, name=name, obj=self)

        def __getitem__(self, outcome: object) -> NoReturn:
            raise RulesError(
                f"{type(self).__name__}[{shown(outcome)}]: write .p({shown(outcome)}) for a "
                "probability; .own_law is the distribution, a mapping"
            )

        __iter__ = None  # with `__getitem__` alone, Python would iterate

    def beats(self, other: "Operand | UnboundedLaw") -> Fraction:
        """P(this > other)."""
        if not isinstance(other, Calculates | Distribution | int | Fraction):
            raise RulesError(f"{shown(other)} can't be rolled; give dice, such as so.d6")
        truth: Truth = self > other  # dice without a highest total answer for both
        return truth.p()

    def ties(self, other: "Operand | UnboundedLaw") -> Fraction:
        """P(this = other)."""
        if isinstance(other, Distribution) and not isinstance(other, Calculates):
            return other.ties(self)
        if not isinstance(other, Calculates):
            return self.own_law.p(other)
        own, right = self.own_law, other.own_law
        hits = sum(w * right.counts.get(x, 0) for x, w in own.counts.items())
        return Fraction(hits, own.denominator * right.denominator)

    # --- functions of the outcome

    @overload
    def map(self, function: "Callable[[T_co], Calculates[U]]") -> "Law[U]": ...

    @overload
    def map(self, function: "Callable[[T_co], Calculates[U] | U]") -> "Law[U]": ...

    @overload
    def map(self, function: "Mapping[Any, Calculates[U] | U]") -> "Law[T_co | U]": ...

    def map(self, function: "Callable[..., object] | Mapping[Any, object]") -> "Law":
        """The distribution of a function of the outcome, which may roll further dice.

        >>> from sevenout.rolling import d6
        >>> d6.map(lambda face: 2 @ d6 if face == 6 else face).mean
        Fraction(11, 3)
        >>> d6.map({6: "hit"})["hit"]
        Fraction(1, 6)

        Args:
            function: of the outcome; or a mapping, in which missing outcomes stay as they are.

        Raises:
            RulesError: a key of the mapping that no outcome can equal, such as "6" for numbers.
        """
        own = self.own_law
        if isinstance(function, Mapping):
            for key in function:
                must_be_possible(key, own)
            return own.mixture((function.get(x, x), w) for x, w in own.counts.items())
        if not callable(function):
            raise RulesError(
                f"map({shown(function)}); give a function, or a mapping as in {{6: 7}}"
            )
        return own.mixture((function(x), w) for x, w in own.counts.items())

    def given(self, event: "Event[T_co]") -> "Law[T_co]":
        """The distribution given that something happens: a function, an outcome, or a set of them.

        >>> from sevenout.rolling import d6
        >>> d6.given(lambda face: face > 4)
        Law({5: 1, 6: 1})

        Raises:
            RulesError: it never happens.
        """
        counts: Any = self.own_law.counts
        happens = event_of(event, counts)
        left = type(counts)((x, w) for x, w in counts.items() if happens(x))  # rolls stay rolls
        if not left:
            raise RulesError("the condition is never true; give one that can happen")
        return self.own_law.of_weights(left)

    def reroll(self, event: "Event[T_co]", *, depth: int | None = None) -> "Law[T_co]":
        """Rolled again on an event: until it doesn't happen, or at most `depth` times."""
        own = self.own_law
        happens = event_of(event, own)
        _check_depth(depth)
        if depth is None:
            return own.given(lambda x: not happens(x))  # type: ignore[misc]
        rolled = own
        for _ in range(depth):
            # from the last roll back: each layer is the whole distribution of the rolls to come
            rolled = own.map({x: rolled for x in own if happens(x)})
        return rolled

    @overload
    def explode(
        self, event: "Event[T_co]" = None, *, depth: int, score: Callable[[T_co], int]
    ) -> "Law[int]": ...

    @overload
    def explode(
        self, event: "Event[T_co]" = None, *, depth: int, score: None = None
    ) -> "Law[T_co]": ...

    @overload
    def explode(
        self,
        event: "Event[T_co]" = None,
        *,
        depth: None = None,
        score: Callable[[T_co], int] | None = None,
    ) -> "UnboundedLaw": ...

    def explode(
        self,
        event: "Event[T_co]" = None,
        *,
        depth: int | None = None,
        score: Callable[[T_co], int] | None = None,
    ) -> "Law | UnboundedLaw":
        """Rolled again and added on an event; by default on the highest face.

        >>> from sevenout.rolling import d6
        >>> d6.explode().mean, d6.explode(depth=1).mean
        (Fraction(21, 5), Fraction(49, 12))
        >>> d6.explode(score=lambda face: face >= 5).mean  # successes
        Fraction(2, 5)

        Args:
            event: a function, a face, or several faces.
            depth: the most times that one die is rolled again; default without end, which gives an
                `UnboundedLaw`.
            score: what a roll adds; default its face.

        Raises:
            RulesError: every face explodes, or faces that are not whole numbers without a depth.
        """
        own: Law = self.own_law
        happens = event_of(max(own) if event is None else event, own)
        _check_depth(depth)
        if depth is None:
            return rolling.UnboundedLaw.exploding(own, frozenset(filter(happens, own)), score)
        faces = {face: face if score is None else int(score(face)) for face in own}
        rolled = own.map(faces)
        for _ in range(depth):
            rolled = own.map({x: n + rolled if happens(x) else n for x, n in faces.items()})
        return rolled

    def pool(self, count: int) -> "Pool[T_co]":
        """Several of the same die, as a pool."""
        return rolling.Pool(((self.own_law, count),))

    # --- statistics

    @property
    def mean(self) -> Fraction:
        """The mean."""
        return self.own_law.mean

    @property
    def variance(self) -> Fraction:
        """The variance."""
        return self.own_law.variance

    @property
    def std(self) -> float:
        """The standard deviation."""
        return self.own_law.std

    def pmf(self, x: Number) -> Fraction:
        """P(outcome = x)."""
        return self.own_law.pmf(x)

    def cdf(self, x: Number) -> Fraction:
        """P(outcome <= x)."""
        return self.own_law.cdf(x)

    def quantile(self, q: Number) -> int | Fraction:
        """The least outcome x with cdf(x) >= q."""
        return self.own_law.quantile(q)

    def p(self, event: "Event[T_co]" = True) -> Fraction:
        """The probability of an outcome, of several, or of a condition; as `Law.p`."""
        return self.own_law.p(event)

    def items(self) -> "ItemsView[T_co, Fraction]":
        """Each outcome and its probability."""
        return ItemsView(self.own_law)

    def at_least(self, x: object) -> Fraction:
        """P(outcome >= x)."""
        must_be_exact(x)
        return self.own_law.comparison(self.own_law.of_weights({x: 1}), ge).p()

    def at_most(self, x: object) -> Fraction:
        """P(outcome <= x)."""
        must_be_exact(x)
        return self.own_law.comparison(self.own_law.of_weights({x: 1}), le).p()

    @property
    def mode(self) -> T_co:
        """The likeliest outcome, the first if there are several."""
        weights = self.own_law.counts
        return max(weights, key=weights.__getitem__)

    @property
    def median(self) -> int | Fraction:
        """The least outcome with at least half of the probability at or below it."""
        return self.own_law.quantile("1/2")

    # --- elsewhere

    def to_icepool(self) -> "icepool.Die[T_co]":
        """The same distribution as an `icepool.Die`; `law(die)` is the way back.

        Raises:
            MissingError: icepool is not installed.
        """
        from sevenout.extras import require

        require("icepool")
        import icepool

        weights = self.own_law.counts.items()
        return icepool.Die({icepool.Vector(x) if type(x) is Vector else x: w for x, w in weights})

    def _repr_html_(self) -> str:
        return bars_html(repr(self.own_law), self.own_law)

    def plot(
        self, *others: "Calculates", axes: "Axes | None" = None, labels: Iterable[str] = ()
    ) -> "Axes":
        """A bar chart with matplotlib, or a line for each of several distributions.

        Args:
            others: further distributions, drawn over this one.
            axes: matplotlib axes to draw on; default new ones.
            labels: the name of each distribution, for the legend.

        Raises:
            MissingError: matplotlib is not installed.
        """
        return plot_bars([self.own_law, *(other.own_law for other in others)], axes, labels)


def _check_depth(depth: int | None) -> None:
    """Refuse a depth that is no number of rolls."""
    if depth is not None and (type(depth) is not int or depth < 0):
        raise RulesError(f"depth={shown(depth)}; give how often one die is rolled again, 0 or more")
