"""Distributions that calculate.

A `Law` maps outcomes to exact weights. Whatever has one (dice, pools, deals, readings of a roll)
takes part in the same arithmetic. Outcomes are independent: `2 * d6` doubles one die, `2 @ d6`
rolls two. `d6 > d8` is true or false with a probability, and `.map(f)` may roll further dice.

What is asked of a distribution is never silently wrong. A total of 13 on two dice has probability
0. The text "7", the float 0.1 and a label that there isn't are refused, since no roll could match.

`Rollable.weigh` combines the weights of independent `sources` by sums and products only. So weights
can be integers, dual numbers (for the gradient) or rational functions of a bias.

Pools (`pools`) and totals without a highest value (`unbounded`) are made of distributions, and a
distribution makes both: `law.pool(3)`, `law.explode()`. The package opens them when they are first
used.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, lcm, prod
from numbers import Rational as Exact
from operator import floordiv, ge, gt, le, lt, mod, mul
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, Self, overload

from sevenout import rolling  # opens `Pool` and `UnboundedLaw` when they are first used
from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number
from sevenout.rolling.bar_charts import bars_html, plot_bars
from sevenout.rolling.convolution import (
    MANY,
    Vector,
    added,
    combined,
    compound,
    kind_of,
    whole_if_possible,
)
from sevenout.rolling.distribution import Distribution, Listed, summed
from sevenout.rolling.events import (
    SEVERAL,
    Event,
    Outcome,
    event_of,
    must_be_exact,
    must_be_possible,
)
from sevenout.rolling.other_libraries import ATTRIBUTES

if TYPE_CHECKING:
    import icepool
    from matplotlib.axes import Axes

    from sevenout.rolling.pools import Pool
    from sevenout.rolling.unbounded import UnboundedLaw

NUMBERS = (int, Fraction, Vector)
WRITTEN_OUT, SHORT_WEIGHTS = 8, 10**6
"""A longer distribution, or one with larger weights, prints as its ends and its mean."""
MAY_COMPOUND = 4
"""From this many numbers of dice on, Horner's rule beats adding each number of dice by itself."""


class Source(Protocol):
    """An independent source of chance: faces and their integer weights.

    >>> coin: Source = Law({"heads": 1, "tails": 1})
    >>> coin.faces, coin.weights
    (('heads', 'tails'), (1, 1))
    """

    @property
    def faces(self) -> tuple[Hashable, ...]: ...

    @property
    def weights(self) -> tuple[int, ...]: ...


class Figure(Fraction):
    """A fraction that says what to write when it is called, as other libraries' means are.

    >>> Figure(7, 2)
    Fraction(7, 2)
    """

    __slots__ = ()

    def __call__(self) -> "Figure":
        raise TypeError("means and variances are numbers here; write .mean without brackets")

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"


class Calculates(ABC):
    """Whatever has a distribution of numbers, labels or vectors: its operators and statistics.

    >>> die = Law(dict.fromkeys(range(1, 7), 1))
    >>> (die + 4).at_least(8), (die > die).p(), (2 @ die).mean
    (Fraction(1, 2), Fraction(5, 12), Fraction(7, 1))

    Operands are independent, also when they are one object: `die - die` is one roll less another.
    The other operand is a number, a `Vector`, or anything else that calculates.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def own_law(self) -> "Law":
        """The distribution that the operators take: of dice, their total."""

    # --- arithmetic

    def __add__(self, other: "Operand") -> "Law":
        return self._sum(other, 1)

    def __radd__(self, other: "Operand") -> "Law":
        return self._sum(other, 1)

    def __sub__(self, other: "Operand") -> "Law":
        return self._sum(other, -1)

    def __rsub__(self, other: "Operand") -> "Law":
        return (-self)._sum(other, 1)

    def _sum(self, other: "Operand", sign: int) -> "Law":
        own = self.own_law
        if isinstance(other, Calculates):
            right = other.own_law if sign > 0 else -other.own_law
            return Law.of_weights(added([(own.counts, 1), (right.counts, 1)]))
        if not isinstance(other, NUMBERS):
            return NotImplemented
        if other == 0:  # sum([a, b]) starts from 0, to which a vector can't be added
            return own
        return Law.of_weights(added([(own.counts, 1), ({other if sign > 0 else -other: 1}, 1)]))

    def __neg__(self) -> "Law":
        return self.map(lambda x: -x)

    def __abs__(self) -> "Law":
        return self.map(abs)

    def __mul__(self, other: "Operand") -> "Law":
        return self._paired(other, mul)

    def __rmul__(self, other: "Operand") -> "Law":
        return self._paired(other, mul)

    def __floordiv__(self, other: "Operand") -> "Law":
        return self._paired(other, floordiv)

    def __rfloordiv__(self, other: "Operand") -> "Law":
        return self._paired(other, lambda x, y: y // x)

    def __truediv__(self, other: "Operand") -> "Law":
        return self._paired(other, lambda x, y: whole_if_possible(Fraction(x) / y))

    def __rtruediv__(self, other: "Operand") -> "Law":
        return self._paired(other, lambda x, y: whole_if_possible(Fraction(y) / x))

    def __pow__(self, power: int) -> "Law":
        if type(power) is not int or power < 0:
            raise RulesError(f"dice ** {shown(power)}; give a whole number, 0 or more")
        return self._paired(power, pow)

    def __mod__(self, other: "Operand") -> "Law":
        return self._paired(other, mod)

    def _paired(self, other: "Operand", function: Callable[[Outcome, Outcome], Outcome]) -> "Law":
        own, right = self.own_law.counts, _weights_of(other)
        if right is None:
            return NotImplemented  # type: ignore[no-any-return]
        kind_of(own)  # refuses labels: 2 * "H" would be "HH"
        kind_of(right)
        try:
            return Law.of_weights(combined(own, right, function))
        except ZeroDivisionError:
            raise RulesError(
                "a division by zero: 0 is an outcome of the divisor; leave it out with .given(...)"
            ) from None

    def __rmatmul__(self, times: int) -> "Law":
        if type(times) is not int or times < 0:
            raise RulesError(f"{shown(times)} @ dice; give a whole number, 0 or more")
        weights = self.own_law.counts
        # no dice add up to 0, or to a vector of zeros
        if not times:
            face = next(iter(weights))
            return Law.of_weights({0 * face if type(face) is Vector else 0: 1})
        return Law.of_weights(added([(weights, times)]))

    def __matmul__(self, die: "Calculates") -> "Law":
        """The sum of a random number of dice: roll this many of another die."""
        if isinstance(die, int):
            raise RulesError(f"dice @ {shown(die)}; the number comes first: {shown(die)} @ dice")
        if not isinstance(die, Calculates):
            return NotImplemented  # dice without a highest total know how to be multiplied
        count, right = self.own_law, die.own_law
        for n in count:
            if not isinstance(n, int) or n < 0:
                raise RulesError(f"{shown(n)} dice; a number of dice is whole, 0 or more")
        if len(count) > MAY_COMPOUND:
            weights = compound(count.counts, right.counts)
            if weights is not None:
                return Law.of_weights(weights)
        return self.map(lambda n: n @ right)

    # --- comparisons: distributions of True and False

    def __lt__(self, other: "Operand | str") -> "Truth":
        return self._compared(other, lt)

    def __le__(self, other: "Operand | str") -> "Truth":
        return self._compared(other, le)

    def __gt__(self, other: "Operand | str") -> "Truth":
        return self._compared(other, gt)

    def __ge__(self, other: "Operand | str") -> "Truth":
        return self._compared(other, ge)

    def _compared(
        self, other: "Operand | str", sign: Callable[[Outcome, Outcome], bool]
    ) -> "Truth":
        if isinstance(other, Calculates):
            return _comparison(self.own_law, other.own_law, sign)
        if isinstance(other, int | Fraction | str):
            return _comparison(self.own_law, Law.of_weights({other: 1}), sign)
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
            return Truth.of_chance(own.weight_of(other), own.denominator)
        family = Law if isinstance(self, Law) else type(self)  # a `Truth` is a law, too
        if not isinstance(other, family):
            return NotImplemented
        return self._identity == other._identity

    @overload
    def __ne__(self, other: int | Fraction | Vector | str) -> "Truth": ...  # type: ignore[overload-overlap]

    @overload
    def __ne__(self, other: object) -> bool: ...

    def __ne__(self, other: object) -> "Truth | bool":
        equal = self.__eq__(other)
        if isinstance(equal, Truth):
            return Truth.of_weights({not same: w for same, w in equal.counts.items()})
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

    def map(self, function: Callable[[Outcome], object] | Mapping[Outcome, object]) -> "Law":
        """The distribution of a function of the outcome, which may roll further dice.

        >>> die = Law(dict.fromkeys(range(1, 7), 1))
        >>> die.map(lambda face: 2 @ die if face == 6 else face).mean
        Fraction(11, 3)
        >>> die.map({6: "hit"})["hit"]
        Fraction(1, 6)

        Args:
            function: of the outcome; or a mapping, in which missing outcomes stay as they are.

        Raises:
            RulesError: a key of the mapping that no outcome can equal, such as "6" for numbers.
        """
        own = self.own_law.counts
        if isinstance(function, Mapping):
            for key in function:
                must_be_possible(key, own)
            return mixed((function.get(x, x), w) for x, w in own.items())
        if not callable(function):
            raise RulesError(
                f"map({shown(function)}); give a function, or a mapping as in {{6: 7}}"
            )
        return mixed((function(x), w) for x, w in own.items())

    def given(self, event: Event) -> "Law":
        """The distribution given that something happens: a function, an outcome, or a set of them.

        >>> Law(dict.fromkeys(range(1, 7), 1)).given(lambda face: face > 4)
        Law({5: 1, 6: 1})

        Raises:
            RulesError: it never happens.
        """
        counts: Any = self.own_law.counts
        happens = event_of(event, counts)
        left = type(counts)((x, w) for x, w in counts.items() if happens(x))  # rolls stay rolls
        if not left:
            raise RulesError("the condition is never true; give one that can happen")
        return Law.of_weights(left)

    def reroll(self, event: Event, *, depth: int | None = None) -> "Law":
        """Rolled again on an event: until it doesn't happen, or at most `depth` times."""
        own = self.own_law
        happens = event_of(event, own)
        if depth is None:
            return own.given(lambda x: not happens(x))
        rolled = own
        for _ in range(depth):
            later = rolled
            # from the last roll back: each layer is the whole distribution of the rolls to come
            rolled = mixed((later if happens(x) else x, w) for x, w in own.counts.items())
        return rolled

    @overload
    def explode(
        self, event: Event = None, *, depth: int, worth: Callable[[Outcome], int] | None = None
    ) -> "Law": ...

    @overload
    def explode(
        self,
        event: Event = None,
        *,
        depth: None = None,
        worth: Callable[[Outcome], int] | None = None,
    ) -> "UnboundedLaw": ...

    def explode(
        self,
        event: Event = None,
        *,
        depth: int | None = None,
        worth: Callable[[Outcome], int] | None = None,
    ) -> "Law | UnboundedLaw":
        """Rolled again and added on an event; by default on the highest face.

        >>> die = Law(dict.fromkeys(range(1, 7), 1))
        >>> die.explode().mean, die.explode(depth=1).mean
        (Fraction(21, 5), Fraction(49, 12))
        >>> die.explode(worth=lambda face: face >= 5).mean  # successes
        Fraction(2, 5)

        Args:
            event: a function, a face, or several faces.
            depth: the most times that one die is rolled again; default without end, which gives an
                `UnboundedLaw`.
            worth: what a roll adds; default its face.

        Raises:
            RulesError: every face explodes, or faces that are not whole numbers without a depth.
        """
        own = self.own_law
        happens = event_of(max(own) if event is None else event, own)
        if depth is None:
            return rolling.UnboundedLaw.exploding(own, frozenset(filter(happens, own)), worth)
        rolls = [
            (face if worth is None else int(worth(face)), happens(face), weight)
            for face, weight in own.counts.items()
        ]
        rolled = mixed((value, weight) for value, _, weight in rolls)
        for _ in range(depth):
            later = rolled
            rolled = mixed((x + later if again else x, w) for x, again, w in rolls)
        return rolled

    def pool(self, count: int) -> "Pool":
        """Several of the same die, as a pool."""
        return rolling.Pool(((self.own_law, count),))

    # --- statistics

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return self.own_law.std

    def at_least(self, x: Outcome) -> Fraction:
        """P(outcome >= x)."""
        must_be_exact(x)
        return _comparison(self.own_law, Law.of_weights({x: 1}), ge).p()

    def at_most(self, x: Outcome) -> Fraction:
        """P(outcome <= x)."""
        must_be_exact(x)
        return _comparison(self.own_law, Law.of_weights({x: 1}), le).p()

    @property
    def mode(self) -> Outcome:
        """The likeliest outcome, the first if there are several."""
        weights = self.own_law.counts
        return max(weights, key=weights.__getitem__)

    @property
    def median(self) -> int | Fraction:
        """The least outcome with at least half of the probability at or below it."""
        middle: int | Fraction = self.own_law.quantile("1/2")
        return middle

    # --- elsewhere

    def to_icepool(self) -> "icepool.Die[Outcome]":
        """The same distribution as an `icepool.Die`; `law(die)` is the way back.

        Raises:
            MissingError: icepool is not installed.
        """
        from sevenout.extras import needs

        needs("icepool")
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


class Measured(Calculates):
    """The statistics of whatever has a distribution but isn't one: of dice, of their total."""

    __slots__ = ()

    def __getitem__(self, outcome: Outcome) -> NoReturn:
        raise RulesError(
            f"{type(self).__name__}[{shown(outcome)}]: write .p({shown(outcome)}) for a "
            "probability; .own_law is the distribution, a mapping"
        )

    __iter__ = None  # with `__getitem__` alone, Python would iterate

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

    def p(self, event: Event = True) -> Fraction:
        """The probability of an outcome, of several, or of a condition; as `Law.p`."""
        return self.own_law.p(event)

    def items(self) -> Iterable[tuple[Outcome, Fraction]]:
        """Each outcome and its probability."""
        return self.own_law.items()


Operand = Calculates | int | Fraction | Vector
"""What dice calculate with: whatever has a distribution, an exact number, or a vector."""


def _weights_of(operand: object) -> Mapping[Outcome, int] | None:
    """The weights of an operand; None for anything else."""
    if isinstance(operand, Calculates):
        return operand.own_law.counts
    return {operand: 1} if isinstance(operand, NUMBERS) else None


class Rollable(Calculates):
    """Anything that can be rolled: a die, dice, a reading of them, a deal, a settled game."""

    @property
    @abstractmethod
    def sources(self) -> tuple[Source, ...]:
        """The independent sources of a roll."""

    @abstractmethod
    def weigh(self, weights: Sequence[Sequence[Any]]) -> Mapping[Any, Any]:
        """The weight of each outcome, from the weight of each face of each source, in any ring."""

    @property
    def work(self) -> float:
        """The approximate number of products in `weigh`."""
        return float(min(prod(len(source.faces) for source in self.sources), MANY))

    @cached_property
    def law(self) -> "Law":
        """The exact distribution of a roll."""
        return Law(self.weigh([source.weights for source in self.sources]))

    @property
    def own_law(self) -> "Law":
        return self.law

    def sample(self, times: int = 1, seed: int | None = None) -> list[Outcome]:
        """Independent rolls.

        >>> from sevenout.rolling import d6
        >>> d6.sample(5, seed=1)
        [2, 5, 1, 3, 1]

        Args:
            times: number of rolls.
            seed: the same seed gives the same rolls; default random.

        Raises:
            RulesError: `times` or `seed` is not a whole number from 0 up.
        """
        draw = self.law.drawing(chance_of(times, seed))
        return [draw() for _ in range(times)]

    def read(self, reading: Callable[[Outcome], Hashable]) -> "Reading":
        """A function of the roll's outcome.

        >>> from sevenout.rolling import d6
        >>> dict(d6.read(lambda face: face % 2).law)
        {1: Fraction(1, 2), 0: Fraction(1, 2)}
        """
        return Reading(self, reading)


class Law(Rollable, Listed, Mapping[Outcome, Fraction]):
    """A finite probability distribution: a mapping from outcome to exact probability.

    It is a `Distribution` if the outcomes are exact numbers. Outcomes of weight zero are left out.
    Distributions with equal probabilities are equal; compared with a number, `law == 7` is true
    with a probability.

    >>> coin = Law({"heads": 2, "tails": 2})
    >>> coin["heads"], coin == Law({"tails": 1, "heads": 1})
    (Fraction(1, 2), True)

    Attributes:
        counts: the weight of each outcome, in lowest terms.
        denominator: the sum of the weights.

    Raises:
        RulesError: a weight is negative or not an integer, or none is positive.
    """

    def __init__(self, weights: Mapping[Outcome, int]) -> None:
        if not isinstance(weights, Mapping):
            raise RulesError(
                f"{shown(weights)} is not a distribution; map each outcome to its weight"
            )
        for outcome, weight in weights.items():
            if not isinstance(weight, int) or weight < 0:
                raise RulesError(
                    f"the weight of {shown(outcome)} is {shown(weight)}; "
                    "give a whole number, 0 or more"
                )
        # in lowest terms, so that equal distributions have equal weights
        divisor = gcd(*weights.values())
        if not divisor:
            raise RulesError("every weight is 0; give at least one outcome a positive weight")
        self.counts: Mapping[Outcome, int] = {x: w // divisor for x, w in weights.items() if w}
        self.denominator = sum(self.counts.values())

    @classmethod
    def of_weights(cls, weights: Mapping[Outcome, int]) -> Self:
        """From positive weights that were just calculated: unchecked, reduced, taken over."""
        law = cls.__new__(cls)
        divisor = gcd(*weights.values())
        law.counts = weights if divisor == 1 else {x: w // divisor for x, w in weights.items()}
        law.denominator = sum(law.counts.values())
        return law

    @classmethod
    def of(cls, probabilities: Mapping[Outcome, Fraction]) -> "Law":
        """The distribution in proportion to these probabilities.

        >>> Law.of({"win": Fraction(244, 495), "lose": Fraction(251, 495)}).denominator
        495
        """
        common = lcm(*(p.denominator for p in probabilities.values()))
        return cls({x: int(p * common) for x, p in probabilities.items()})

    @property
    def own_law(self) -> "Law":
        return self

    @property
    def law(self) -> "Law":
        """The distribution itself."""
        return self

    @property
    def faces(self) -> tuple[Outcome, ...]:
        """The outcomes."""
        return tuple(self.counts)

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each outcome, in lowest terms."""
        return tuple(self.counts.values())

    @property
    def sources(self) -> tuple[Source, ...]:
        return (self,)

    def weigh(self, weights: Sequence[Sequence[Any]]) -> Mapping[Any, Any]:
        return dict(zip(self.counts, weights[0], strict=True))

    def __getitem__(self, outcome: Outcome) -> Fraction:
        return Fraction(self.counts[outcome], self.denominator)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def _identity(self) -> tuple[object, ...]:
        return (self.counts,)

    def __hash__(self) -> int:
        return hash((len(self), sum(map(hash, self.counts.items()))))  # in any order

    def __repr__(self) -> str:
        if len(self) <= WRITTEN_OUT and self.denominator < SHORT_WEIGHTS:
            return f"{type(self).__name__}({self.counts})"
        if all(isinstance(x, int | Fraction) for x in self):
            mean = float(self.mean)
            return f"<Law of {len(self):,} outcomes, {min(self)} to {max(self)}, mean {mean:.6g}>"
        return f"<Law of {len(self):,} outcomes, most likely {shown(self.mode)}>"

    def drawing(self, chance: Random) -> Callable[[], Outcome]:
        """A function that draws an outcome with its exact probability."""
        # whole numbers again: a float would round the probability of each outcome
        ends, outcomes, whole = list(accumulate(self.weights)), self.faces, self.denominator
        return lambda: outcomes[bisect_right(ends, chance.randrange(whole))]

    def p(self, event: Event = True) -> Fraction:
        """The probability of an outcome (0 if impossible), of several, or of a condition; by
        default that a comparison is true.

        >>> from sevenout.rolling import d6
        >>> d6.law.p(lambda face: face > 4), d6.law.p(7), d6.law.p({1, 2})
        (Fraction(1, 3), Fraction(0, 1), Fraction(1, 3))

        Raises:
            RulesError: an outcome of another kind, which would never match: "7" or 7.0 for numbers,
                a label that there isn't.
        """
        if callable(event) or isinstance(event, SEVERAL):
            happens = event_of(event, self.counts)
            hits = sum(w for x, w in self.counts.items() if happens(x))
        else:
            hits = self.weight_of(event)
        return Fraction(hits, self.denominator)

    def weight_of(self, outcome: Outcome) -> int:
        """The weight of an outcome; 0 if it is impossible.

        Raises:
            RulesError: an outcome of another kind, as `p`.
        """
        must_be_possible(outcome, self.counts)
        return self.counts.get(outcome, 0)

    def moment(self, n: int) -> Fraction:
        """E[X^n].

        Raises:
            RulesError: an outcome is not an exact number.
        """
        total = Fraction(0)
        for outcome, weight in self.counts.items():
            if not isinstance(outcome, Exact):
                raise RulesError(
                    f"the outcome {shown(outcome)} is not an exact number and has no moments; "
                    "convert it to one, such as with dice.totals"
                )
            total += weight * Fraction(outcome) ** n
        return total / self.denominator

    @property
    def mean(self) -> Fraction:
        return Figure(self.moment(1))

    @property
    def variance(self) -> Fraction:
        return Figure(self.central_moment(2))

    @cached_property
    def row(self) -> dict[int | Fraction, Fraction]:
        """Each outcome and its probability, in ascending order; whole outcomes as int.

        >>> from sevenout.rolling import d6
        >>> d6.law.cdf(2), d6.law.quantile("1/2"), d6.law.support
        (Fraction(1, 3), 3, (1, 6))
        """
        self.moment(1)  # checks that every outcome is a number
        return {x if type(x) is int else Fraction(x): self[x] for x in sorted(self)}


class Truth(Law):
    """The distribution of a comparison, of True and False; an `if` refuses it.

    >>> die = Law(dict.fromkeys(range(1, 7), 1))
    >>> (die > 4).p(), die == 6
    (Fraction(1, 3), Truth({False: 5, True: 1}))
    """

    @classmethod
    def of_chance(cls, hits: int, whole: int) -> "Truth":
        """True with probability hits / whole."""
        return cls.of_weights({t: w for t, w in ((False, whole - hits), (True, hits)) if w})

    def __bool__(self) -> bool:
        raise RulesError(
            f"a comparison of dice is true with probability {self.p()}, so an `if` can't decide "
            "it; take .p(), or so.highest(a, b) for max(a, b)"
        )


@dataclass(frozen=True, repr=False, eq=False)
class Reading(Measured, Rollable):
    """A function of a roll.

    Attributes:
        source: what is rolled.
        function: of its outcome.
    """

    source: Rollable
    function: Callable[[Outcome], Hashable]

    @property
    def _identity(self) -> tuple[Hashable, ...]:
        return self.source, self.function

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.source!r}>"

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.source.sources

    @property
    def work(self) -> float:
        return self.source.work

    @cached_property
    def law(self) -> Law:
        """The exact distribution; the roll's own is computed once for all its readings."""
        return Law(self._read(self.source.law.counts))

    def weigh(self, weights: Sequence[Sequence[Any]]) -> Mapping[Any, Any]:
        """The weight of each value: the sum over its outcomes."""
        return self._read(self.source.weigh(weights))

    def sample(self, times: int = 1, seed: int | None = None) -> list[Outcome]:
        """Independent readings, as `Rollable.sample`."""
        return [self.function(outcome) for outcome in self.source.sample(times, seed)]

    def _read(self, rolled: Mapping[Outcome, Any]) -> dict[Hashable, Any]:
        return summed((self.function(outcome), weight) for outcome, weight in rolled.items())


# --- several distributions --------------------------------------------------------------------


def mixed(parts: Iterable[tuple[Outcome, int]]) -> Law:
    """A distribution chosen at random, from pairs of (dice or outcome, integer weight).

    >>> mixed([(Law({1: 1, 2: 1}), 1), (7, 1)])
    Law({7: 2, 1: 1, 2: 1})
    """
    weights: dict[Any, int] = {}
    laws: list[tuple[Law, int]] = []
    for value, weight in parts:
        if isinstance(value, Calculates):
            laws.append((value.own_law, weight))
        elif isinstance(value, Distribution):
            raise RulesError(
                "dice without a highest total in a mixture or a map; give their explosion a depth"
            )
        else:
            weights[value] = weights.get(value, 0) + weight
    # one denominator for all parts, so that weights stay whole
    common = lcm(*(law.denominator for law, _ in laws))
    mixture = {x: w * common for x, w in weights.items()}
    for law, weight in laws:
        scale = weight * (common // law.denominator)
        for x, w in law.counts.items():
            mixture[x] = mixture.get(x, 0) + w * scale
    return Law.of_weights(mixture)


def _comparison(first: Law, second: Law, sign: Callable[[Outcome, Outcome], bool]) -> Truth:
    """A comparison of independent outcomes, from running sums."""
    # sorted once: pairs one by one would take the product of both lengths
    try:
        left, right = (sorted(law.counts.items()) for law in (first, second))
        left[0][0] < right[0][0]  # noqa: B015  numbers and labels: both sort, and not together
    except TypeError:
        raise RulesError("outcomes that can't be compared; map them to numbers") from None
    hits, below, i = 0, 0, 0
    strictly = sign in (gt, le)  # counts the right outcomes that are less; else also equal ones
    for x, weight in left:
        while i < len(right) and (right[i][0] < x or (not strictly and right[i][0] == x)):
            below += right[i][1]
            i += 1
        hits += weight * below
    whole = first.denominator * second.denominator
    return Truth.of_chance(whole - hits if sign in (le, lt) else hits, whole)


def extreme_of(laws: "Sequence[Law | UnboundedLaw]", *, highest: bool) -> "Law | UnboundedLaw":
    """The highest or lowest of independent outcomes, from products of distribution functions.

    >>> extreme_of([Law({1: 1, 2: 1})] * 2, highest=True)
    Law({1: 1, 2: 3})
    """
    bounded_laws = [law for law in laws if isinstance(law, Law)]
    if len(bounded_laws) < len(laws):
        return rolling.UnboundedLaw.extreme(laws, highest=highest)
    return _extreme_of_laws(bounded_laws, highest=highest)


def _extreme_of_laws(laws: Sequence[Law], *, highest: bool) -> Law:
    try:
        outcomes = sorted({x for law in laws for x in law}, reverse=not highest)
    except TypeError:
        raise RulesError("outcomes that can't be compared; map them to numbers") from None
    weights, running, last = {}, [0] * len(laws), 0
    for x in outcomes:
        for i, law in enumerate(laws):
            running[i] += law.counts.get(x, 0)
        reached = prod(running)
        if reached > last:
            weights[x] = reached - last
        last = reached
    return Law.of_weights(weights if highest else dict(reversed(weights.items())))


def bounded(law: "Law | UnboundedLaw") -> Law:
    """The distribution, if it has a highest total.

    Raises:
        RulesError: it has none.
    """
    if isinstance(law, Law):
        return law
    raise RulesError(
        "dice that explode without end have no highest total, so a game can't roll them; give the "
        "explosion a depth, as in d6!^10"
    )


def chance_of(times: int, seed: int | None, dice: int = 1) -> Random:
    """The random generator for a sample.

    Raises:
        RulesError: `times` or `seed` is not a whole number from 0 up.
        TooMuchWorkError: more rolls than the budget allows.
    """
    for name, value in (("times", times), ("seed", 0 if seed is None else seed)):
        if type(value) is not int or value < 0:
            raise RulesError(f"{name}={shown(value)}; give a whole number, 0 or more")
    rolls = f"{times:,} rolls" if times < MANY else "this many rolls"
    afford(
        rolls,
        seconds=min(times * dice, MANY) * 1e-6,
        memory=min(times, MANY) * (100.0 + 8 * dice),
        instead="sevenout.simulate plays more",
    )
    return Random(seed)
