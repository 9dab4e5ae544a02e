"""Distributions that calculate.

A `Law` maps outcomes to exact weights. Whatever has one (dice, pools, deals, readings of a roll)
takes part in the same arithmetic. Outcomes are independent: `2 * d6` doubles one die, `2 @ d6`
rolls two. `d6 > d8` is true or false with a probability, and `.map(f)` may roll further dice. A
`Pool` is read by how many dice show each face. A total without a highest value, of dice that are
rolled again without end, is an `UnboundedLaw`: nothing is cut off.

They stand in one file because each makes the others: a die explodes into an `UnboundedLaw`, several
form a `Pool`, and what is read of either is a `Law`.

`Rollable.weigh` combines the weights of independent `sources` by sums and products only. So weights
can be integers, dual numbers (for the gradient) or rational functions of a bias.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import gcd, lcm, prod
from numbers import Rational as Exact
from operator import floordiv, ge, gt, le, lt, mod, mul
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, Self, overload

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
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
from sevenout.rolling.distribution import Distribution, Listed
from sevenout.rolling.face_walk import Group, walk

if TYPE_CHECKING:
    from sevenout.rolling.generating_functions import Rational

NUMBERS = (int, Fraction, Vector)
WRITTEN_OUT, SHORT_WEIGHTS = 8, 10**6
"""A longer distribution, or one with larger weights, prints as its ends and its mean."""
REMEMBERED = 512
"""Reads of pools that are kept: a read is a pure function of the pool."""
MAY_COMPOUND = 4
"""From this many numbers of dice on, Horner's rule beats adding each number of dice by itself."""


ELSEWHERE = {
    "probability": "law.p(7), law.p({7, 11}) or law.p(lambda x: x > 7)",
    "highest": "so.d6.pool(4).highest(3) for dice of one kind, so.highest(a, b) for others",
    "lowest": "so.d6.pool(4).lowest(3) for dice of one kind, so.lowest(a, b) for others",
    "keep_highest": "so.d6.pool(4).highest(3)",
    "keep_lowest": "so.d6.pool(4).lowest(3)",
    "standard_deviation": "law.sd",
    "stdev": "law.sd",
    "outcomes": "law.faces",
    "min_outcome": "min(law)",
    "max_outcome": "max(law)",
    "zero": "law.map(lambda x: 0)",
    "times": "3 @ so.d6 for the sum of three rolls, so.d6.pool(3) for a pool of three",
    "is_in": "law.map(lambda x: x in {1, 2}), or law.p({1, 2}) for the probability",
    "expand": "pool.hands",
    "largest_count": "pool.largest_set()",
    "largest_count_and_outcome": "pool.best_set()",
    "all_counts": "pool.sets(least=1)",
    "all_straights": "pool.longest_run()",
    "unique": "pool.by_face(lambda kinds, face, n: kinds + (n > 0), start=0) for their number",
    "keep_outcomes": "pool.count({5, 6})",
    "size": "len(pool)",
    "roll": "die.sample(); in a game the dice are rolled for you",
    "quantities": "law.weights",
    "probabilities": "law.values()",
    "if_else": "law.map(lambda x: a if x else b)",
    "filter": "law.given(lambda x: ...)",
    "sub": "law.map({6: 7})",
    "keep": "so.d6.pool(4).keep(0, 1, 1, 1)",
    "total": "dice.totals for the reading; a roll of one die is its face, a number",
}
"""What other libraries call what is here, or elsewhere: an unknown attribute says what to write."""


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

    def __add__(self, other: Any) -> Any:
        return self._sum(other, 1)

    def __radd__(self, other: Any) -> Any:
        return self._sum(other, 1)

    def __sub__(self, other: Any) -> Any:
        return self._sum(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self)._sum(other, 1)

    def _sum(self, other: Any, sign: int) -> Any:
        if isinstance(other, Calculates):
            right = other.own_law if sign > 0 else -other.own_law
            return Law.of_weights(added([(self.own_law.counts, 1), (right.counts, 1)]))
        if isinstance(other, NUMBERS):
            if other == 0:  # sum([a, b]) starts from 0, to which a vector can't be added
                return self.own_law
            constant = other if sign > 0 else -other
            return Law.of_weights(added([(self.own_law.counts, 1), ({constant: 1}, 1)]))
        return NotImplemented

    def __neg__(self) -> "Law":
        return self.map(lambda x: -x)

    def __abs__(self) -> "Law":
        return self.map(abs)

    def __mul__(self, other: Any) -> Any:
        return self._paired(other, mul)

    def __rmul__(self, other: Any) -> Any:
        return self._paired(other, mul)

    def __floordiv__(self, other: Any) -> Any:
        return self._paired(other, floordiv)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._paired(other, lambda x, y: y // x)

    def __truediv__(self, other: Any) -> Any:
        return self._paired(other, lambda x, y: whole_if_possible(Fraction(x) / y))

    def __rtruediv__(self, other: Any) -> Any:
        return self._paired(other, lambda x, y: whole_if_possible(Fraction(y) / x))

    def __pow__(self, power: int) -> Any:
        if type(power) is not int or power < 0:
            raise RulesError(f"dice ** {shown(power)}; give a whole number, 0 or more")
        return self._paired(power, pow)

    def __mod__(self, other: Any) -> Any:
        return self._paired(other, mod)

    def _paired(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        own = self.own_law.counts
        kind_of(own)  # refuses labels: 2 * "H" would be "HH"
        if isinstance(other, Calculates):
            right = other.own_law.counts
            kind_of(right)
        elif isinstance(other, NUMBERS):
            right = {other: 1}
        else:
            return NotImplemented
        try:
            return Law.of_weights(combined(own, right, function))
        except ZeroDivisionError:
            raise RulesError(
                "a division by zero: 0 is an outcome of the divisor; leave it out with .given(...)"
            ) from None

    def __rmatmul__(self, times: Any) -> "Law":
        if type(times) is not int or times < 0:
            raise RulesError(f"{shown(times)} @ dice; give a whole number, 0 or more")
        weights = self.own_law.counts
        # no dice add up to 0, or to a vector of zeros
        if not times:
            face = next(iter(weights))
            return Law.of_weights({0 * face if type(face) is Vector else 0: 1})
        return Law.of_weights(added([(weights, times)]))

    def __matmul__(self, die: Any) -> "Law":
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

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, lt)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, le)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, gt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, ge)

    def _compared(self, other: Any, sign: Callable[[Any, Any], bool]) -> Any:
        if isinstance(other, Calculates):
            return _comparison(self.own_law, other.own_law, sign)
        if isinstance(other, int | Fraction | str):
            return _comparison(self.own_law, Law.of_weights({other: 1}), sign)
        return NotImplemented

    def _is(self, other: Any) -> "Truth":
        """The distribution of `outcome == other`, of a number."""
        own = self.own_law
        return Truth.of_chance(own.counts.get(other, 0), own.denominator)

    def __bool__(self) -> bool:
        return True

    if not TYPE_CHECKING:  # checkers must still find misspelt names

        def __getattr__(self, name: str) -> Any:
            if name in ELSEWHERE:
                raise AttributeError(
                    f"{type(self).__name__} has no {name!r}; write {ELSEWHERE[name]}",
                    name=name,
                    obj=self,
                )
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )

    def beats(self, other: Any) -> Fraction:
        """P(this > other)."""
        if not isinstance(other, Calculates | UnboundedLaw | int | Fraction):
            raise RulesError(f"{shown(other)} can't be rolled; give dice, such as so.d6")
        truth: Truth = self > other
        return truth.p()

    def ties(self, other: Any) -> Fraction:
        """P(this = other)."""
        if isinstance(other, UnboundedLaw):
            return other.ties(self)
        if not isinstance(other, Calculates):
            return self.own_law.p(other)
        own, right = self.own_law, other.own_law
        hits = sum(w * right.counts.get(x, 0) for x, w in own.counts.items())
        return Fraction(hits, own.denominator * right.denominator)

    # --- functions of the outcome

    def map(self, function: Callable[[Any], Any] | Mapping[Any, Any]) -> "Law":
        """The distribution of a function of the outcome, which may roll further dice.

        >>> die = Law(dict.fromkeys(range(1, 7), 1))
        >>> die.map(lambda face: 2 @ die if face == 6 else face).mean
        Fraction(11, 3)
        >>> die.map({6: "hit"})["hit"]
        Fraction(1, 6)

        Args:
            function: of the outcome; or a mapping, in which missing outcomes stay as they are.
        """
        if isinstance(function, Mapping):
            images = function
            return mixed((images.get(x, x), w) for x, w in self.own_law.counts.items())
        return mixed((function(x), w) for x, w in self.own_law.counts.items())

    def given(self, event: Any) -> "Law":
        """The distribution given that something happens: a function, an outcome, or a set of them.

        >>> Law(dict.fromkeys(range(1, 7), 1)).given(lambda face: face > 4)
        Law({5: 1, 6: 1})

        Raises:
            RulesError: it never happens.
        """
        happens = event_of(event)
        counts: Any = self.own_law.counts
        left = type(counts)((x, w) for x, w in counts.items() if happens(x))  # rolls stay rolls
        if not left:
            raise RulesError("the condition is never true; give one that can happen")
        return Law.of_weights(left)

    def reroll(self, event: Any, *, depth: int | None = None) -> "Law":
        """Rolled again on an event: until it doesn't happen, or at most `depth` times."""
        own, happens = self.own_law, event_of(event)
        if depth is None:
            return own.given(lambda x: not happens(x))
        rolled = own
        for _ in range(depth):
            later = rolled
            # from the last roll back: each layer is the whole distribution of the rolls to come
            rolled = mixed((later if happens(x) else x, w) for x, w in own.counts.items())
        return rolled

    @overload
    def explode(self, event: Any = None, *, depth: int) -> "Law": ...

    @overload
    def explode(self, event: Any = None, *, depth: None = None) -> "UnboundedLaw": ...

    def explode(self, event: Any = None, *, depth: int | None = None) -> "Law | UnboundedLaw":
        """Rolled again and added on an event; by default on the highest face.

        >>> die = Law(dict.fromkeys(range(1, 7), 1))
        >>> die.explode().mean, die.explode(depth=1).mean
        (Fraction(21, 5), Fraction(49, 12))

        Args:
            event: a function, a face, or a set of faces.
            depth: the most times that one die is rolled again; default without end, which gives an
                `UnboundedLaw`.

        Raises:
            RulesError: every face explodes, or faces that are not whole numbers without a depth.
        """
        own = self.own_law
        happens = event_of(max(own) if event is None else event)
        if depth is None:
            return UnboundedLaw.exploding(own, frozenset(filter(happens, own)))
        rolled = own
        for _ in range(depth):
            later = rolled
            rolled = mixed((x + later if happens(x) else x, w) for x, w in own.counts.items())
        return rolled

    def pool(self, count: int) -> "Pool":
        """Several of the same die, as a pool."""
        return Pool(((self.own_law, count),))

    # --- statistics

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return self.own_law.std

    def at_least(self, x: Any) -> Fraction:
        """P(outcome >= x)."""
        return _comparison(self.own_law, Law.of_weights({x: 1}), ge).p()

    def at_most(self, x: Any) -> Fraction:
        """P(outcome <= x)."""
        return _comparison(self.own_law, Law.of_weights({x: 1}), le).p()

    @property
    def mode(self) -> Any:
        """The likeliest outcome, the first if there are several."""
        weights = self.own_law.counts
        return max(weights, key=weights.__getitem__)

    @property
    def median(self) -> Any:
        """The least outcome with at least half of the probability at or below it."""
        return self.own_law.quantile("1/2")

    # --- elsewhere

    def to_icepool(self) -> Any:
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

    def plot(self, *others: Any, axes: Any = None, labels: Iterable[str] = ()) -> Any:
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

    def pmf(self, x: Any) -> Fraction:
        """P(outcome = x)."""
        return self.own_law.pmf(x)

    def cdf(self, x: Any) -> Fraction:
        """P(outcome <= x)."""
        return self.own_law.cdf(x)

    def quantile(self, q: Number) -> Any:
        """The least outcome x with cdf(x) >= q."""
        return self.own_law.quantile(q)

    def p(self, event: Any) -> Fraction:
        """The probability of an outcome, of a set of outcomes, or of a condition."""
        return self.own_law.p(event)

    def items(self) -> Iterable[tuple[Any, Fraction]]:
        """Each outcome and its probability."""
        return self.own_law.items()


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

    def sample(self, times: int = 1, seed: int | None = None) -> list[Any]:
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

    def read(self, reading: Callable[[Any], Hashable]) -> "Reading":
        """A function of the roll's outcome.

        >>> from sevenout.rolling import d6
        >>> dict(d6.read(lambda face: face % 2).law)
        {1: Fraction(1, 2), 0: Fraction(1, 2)}
        """
        return Reading(self, reading)


class Law(Rollable, Listed, Mapping[Any, Fraction]):
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

    def __init__(self, weights: Mapping[Any, int]) -> None:
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
        self.counts: Mapping[Any, int] = {x: w // divisor for x, w in weights.items() if w}
        self.denominator = sum(self.counts.values())

    @classmethod
    def of_weights(cls, weights: Mapping[Any, int]) -> Self:
        """From positive weights that were just calculated: unchecked, reduced, taken over."""
        law = cls.__new__(cls)
        divisor = gcd(*weights.values())
        law.counts = weights if divisor == 1 else {x: w // divisor for x, w in weights.items()}
        law.denominator = sum(law.counts.values())
        return law

    @classmethod
    def of(cls, probabilities: Mapping[Any, Fraction]) -> "Law":
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
    def faces(self) -> tuple[Any, ...]:
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

    def __getitem__(self, outcome: Any) -> Fraction:
        return Fraction(self.counts[outcome], self.denominator)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.counts)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Law):
            return self.counts == other.counts
        return self._is(other) if isinstance(other, NUMBERS) else NotImplemented

    def __ne__(self, other: object) -> Any:
        if isinstance(other, NUMBERS):
            return Truth.of_chance(self.denominator - self.counts.get(other, 0), self.denominator)
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash((len(self), sum(map(hash, self.counts.items()))))  # in any order

    def __repr__(self) -> str:
        if len(self) <= WRITTEN_OUT and self.denominator < SHORT_WEIGHTS:
            return f"{type(self).__name__}({self.counts})"
        if all(isinstance(x, int | Fraction) for x in self):
            mean = float(self.mean)
            return f"<Law of {len(self):,} outcomes, {min(self)} to {max(self)}, mean {mean:.6g}>"
        return f"<Law of {len(self):,} outcomes, most likely {shown(self.mode)}>"

    def drawing(self, chance: Random) -> Callable[[], Any]:
        """A function that draws an outcome with its exact probability."""
        # whole numbers again: a float would round the probability of each outcome
        ends, outcomes, whole = list(accumulate(self.weights)), self.faces, self.denominator
        return lambda: outcomes[bisect_right(ends, chance.randrange(whole))]

    def p(self, event: Any = True) -> Fraction:
        """The probability of an outcome (0 if impossible), of a set of them, or of a condition;
        by default that the outcome is True.

        >>> from sevenout.rolling import d6
        >>> d6.law.p(lambda face: face > 4), d6.law.p(7), d6.law.p({1, 2})
        (Fraction(1, 3), Fraction(0, 1), Fraction(1, 3))
        """
        if isinstance(event, set | frozenset):
            hits = sum(self.counts.get(x, 0) for x in event)
        elif callable(event):
            hits = sum(w for x, w in self.counts.items() if event(x))
        else:
            hits = self.counts.get(event, 0)
        return Fraction(hits, self.denominator)

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


@dataclass(frozen=True, repr=False)
class Reading(Measured, Rollable):
    """A function of a roll.

    Attributes:
        source: what is rolled.
        function: of its outcome.
    """

    source: Rollable
    function: Callable[[Any], Hashable]

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

    def sample(self, times: int = 1, seed: int | None = None) -> list[Any]:
        """Independent readings, as `Rollable.sample`."""
        return [self.function(outcome) for outcome in self.source.sample(times, seed)]

    def _read(self, rolled: Mapping[Any, Any]) -> dict[Hashable, Any]:
        values: dict[Hashable, Any] = {}
        for outcome, weight in rolled.items():
            value = self.function(outcome)
            values[value] = values[value] + weight if value in values else weight
        return values


# --- several distributions --------------------------------------------------------------------


def mixed(parts: Iterable[tuple[Any, int]]) -> Law:
    """A distribution chosen at random, from pairs of (dice or outcome, integer weight).

    >>> mixed([(Law({1: 1, 2: 1}), 1), (7, 1)])
    Law({7: 2, 1: 1, 2: 1})
    """
    weights: dict[Any, int] = {}
    laws: list[tuple[Law, int]] = []
    for value, weight in parts:
        if isinstance(value, Calculates):
            laws.append((value.own_law, weight))
        elif isinstance(value, UnboundedLaw):
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


def event_of(event: Any) -> Callable[[Any], bool]:
    """A condition as a function: of a function, an outcome, or a set of outcomes.

    >>> event_of({1, 2})(2), event_of(6)(2)
    (True, False)
    """
    if callable(event):
        return event  # type: ignore[no-any-return]
    if isinstance(event, set | frozenset | range | list):
        return lambda x: x in event
    return lambda x: bool(x == event)


def _comparison(first: Law, second: Law, sign: Callable[[Any, Any], bool]) -> Truth:
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


def extreme_of(laws: Sequence[Any], *, highest: bool) -> "Law | UnboundedLaw":
    """The highest or lowest of independent outcomes, from products of distribution functions.

    >>> extreme_of([Law({1: 1, 2: 1})] * 2, highest=True)
    Law({1: 1, 2: 3})
    """
    if any(isinstance(law, UnboundedLaw) for law in laws):
        return UnboundedLaw.extreme(laws, highest=highest)
    return _extreme_of_laws(laws, highest=highest)


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


# --- pools ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=True, repr=False)
class Pool(Measured):
    """Independent dice of which only the number on each face counts.

    It calculates as the sum of the faces that count. Named reads (`sum`, `count`, `sets`, ...) are
    remembered, `by_face` isn't: its step may be any function.

    >>> die = Law(dict.fromkeys(range(1, 7), 1))
    >>> die.pool(4).highest(3).sum().mean, die.pool(5).largest_set()[5]
    (Fraction(15869, 1296), Fraction(1, 1296))

    Attributes:
        groups: the distribution of a die, and the number of such dice.
        places: how often each die counts, in ascending order; None if all count once.
    """

    groups: tuple[tuple[Law, int], ...]
    places: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.groups, tuple):
            raise RulesError(f"{shown(self.groups)} is not a pool; write so.pool('10d6')")
        for _, count in self.groups:
            if type(count) is not int or count < 0:
                raise RulesError(f"{shown(count)} dice in a pool; give a whole number, 0 or more")

    def __getitem__(self, places: Any) -> "Pool":
        raise RulesError(
            f"pool[{shown(places)}]: write .keep(0, 1, 1) for how often each die counts from the "
            "lowest up, .highest(2), .lowest(2) or .middle()"
        )

    __iter__ = None  # with `__getitem__` alone, Python would iterate over a pool

    def __len__(self) -> int:
        return sum(count for _, count in self.groups)

    def __repr__(self) -> str:
        places = "" if self.places is None else f", which count {self.places} from the lowest up"
        return f"<{type(self).__name__} of {len(self)}{places}>"

    def __add__(self, other: Any) -> Any:
        """Both pools in one; with anything else, the sum of the faces and it."""
        pools = type(self) is Pool and type(other) is Pool
        if not pools or self.places is not None or other.places is not None:
            return super().__add__(other)
        counts: dict[Law, int] = {}
        for law, n in (*self.groups, *other.groups):
            counts[law] = counts.get(law, 0) + n
        return Pool(tuple(counts.items()))

    @property
    def own_law(self) -> Law:
        return self.sum()

    @property
    def hands(self) -> Law:
        """The distribution of hands: the faces in ascending order, as often as they count."""
        return _remembered(self, "hands")

    def _walk_groups(self, pool: int) -> list[Group]:
        return [Group(pool, law.counts, count) for law, count in self.groups]

    # Which dice count

    def keep(self, *places: int) -> "Pool":
        """Say how often each die counts, in ascending order; `keep(0, 1, 1)` drops the lowest.

        Raises:
            RulesError: not one number for each die.
        """
        if len(places) != len(self):
            raise RulesError(f"{len(places)} places for {len(self)} dice; give one for each")
        for count in places:
            if type(count) is not int:
                raise RulesError(f"a die counts {shown(count)} times; give a whole number")
        return self._with(places)

    def highest(self, count: int = 1, drop: int = 0) -> "Pool":
        """The highest `count` dice, after the highest `drop` are taken away."""
        size = len(self)
        for name, n in (("count", count), ("drop", drop)):
            if type(n) is not int or n < 0:
                raise RulesError(f"{name}={shown(n)}; give a whole number from 0 to {size}")
        if self.places is not None:
            raise RulesError("some of these dice are kept already; keep them in one step")
        if count + drop > size:
            raise RulesError(f"keep {count} of {size - drop} dice; keep at most {size - drop}")
        top = size - drop
        return self._with(tuple(int(top - count <= i < top) for i in range(size)))

    def lowest(self, count: int = 1, drop: int = 0) -> "Pool":
        """The lowest `count` dice, after the lowest `drop` are taken away."""
        places = self.highest(count, drop).places or ()
        return self._with(tuple(reversed(places)))

    def middle(self, count: int = 1) -> "Pool":
        """The middle `count` dice; one more is dropped above than below if it can't be even."""
        return self.highest(count, drop=(len(self) - count + 1) // 2)

    def _with(self, places: tuple[int, ...]) -> "Pool":
        return type(self)(self.groups, places)

    # What is read

    def sum(self) -> Law:
        """The sum of the faces that count."""
        return _remembered(self, "sum")

    def count(self, event: Any) -> Law:
        """How many dice show a face: a face, a set of faces, or a function of the face."""
        if callable(event):  # isn't remembered: what a function closes over may change
            return self._counted(event)
        try:
            hash(event)
        except TypeError:  # a set, say; remembered by the faces in it
            event = frozenset(event)
        return _remembered(self, "count", event)

    def _counted(self, event: Any) -> Law:
        happens = event_of(event)
        # a binomial sum per kind of die; cards and kept dice need the walk
        if self.places is None and all(group.cards is False for group in self._walk_groups(0)):
            hits = [(law.map(lambda x: int(bool(happens(x)))), n) for law, n in self.groups]
            return Law.of_weights(added([(law.counts, n) for law, n in hits]))
        return self.by_face(lambda hits, face, n: hits + n * bool(happens(face)), start=0)

    def largest_set(self) -> Law:
        """The size of the largest set of equal faces."""
        return _remembered(self, "largest_set")

    def best_set(self) -> Law:
        """(size, face) of the largest set, with the highest face among equals."""
        return _remembered(self, "best_set")

    def sets(self, least: int = 2) -> Law:
        """The sizes of the sets of equal faces, largest first: (3, 2) is a full house."""
        return _remembered(self, "sets", least)

    def longest_run(self) -> Law:
        """The length of the longest run of consecutive whole numbers."""
        return _remembered(self, "longest_run")

    def sort_pair(self, sign: str, other: "Pool") -> Law:
        """How many dice win if both pools are lined up, highest against highest, as in Risk.

        >>> die = Law(dict.fromkeys(range(1, 7), 1))
        >>> die.pool(3).sort_pair(">", die.pool(2))
        Law({0: 2275, 1: 2611, 2: 2890})

        Args:
            sign: when a die wins against the one it is paired with: ">", ">=", "<" or "<=".
            other: the other pool; dice without a partner don't count.

        Raises:
            RulesError: another sign, or pools of which some dice are kept.
        """
        if sign not in (">", ">=", "<", "<="):
            raise RulesError(f"sort_pair({shown(sign)}): give '>', '>=', '<' or '<='")
        if not isinstance(other, Pool):
            raise RulesError(f"{shown(other)} is not a pool; write so.pool('2d6')")
        if self.places is not None or other.places is not None:
            raise RulesError("sort_pair pairs all dice, highest first; give the whole pools")
        return _remembered(self, "sort_pair", sign, other)

    def by_face(
        self,
        step: Callable[..., Any],
        *others: "Pool",
        start: Any = None,
        finish: Callable[[Any], Any] | None = None,
        order: str | Sequence[Any] = "down",
        faces: Iterable[Any] = (),
    ) -> Law:
        """Walk over the faces: step(state, face, count, *counts of the others) gives a state.

        >>> die = Law(dict.fromkeys(range(1, 7), 1))
        >>> die.pool(10).by_face(lambda sixes, face, n: sixes + n * (face == 6), start=0).mean
        Fraction(5, 3)

        Args:
            step: the state after a face, from the state, the face, and the count in each pool. A
                state is any hashable value.
            others: pools that are walked over at the same time.
            start: the first state.
            finish: the outcome of the last state; it may be further dice. Default the state.
            order: "down" from the highest face, "up", or the faces that come first: ("wild",).
            faces: further faces that the step is to see, with counts of 0.

        Raises:
            RulesError: no such order, or an order of your own for pools that keep some dice.
            TooMuchWorkError: more steps than the budget allows.
        """
        pools = [(pool._walk_groups(i), pool.places) for i, pool in enumerate((self, *others))]
        states = walk(pools, step, start, order, faces)
        if finish is None:
            return Law.of_weights(states)
        return mixed((finish(state), weight) for state, weight in states.items())

    # The named reads, without memory

    def _read_hands(self) -> Law:
        return self.by_face(lambda hand, face, n: hand + (face,) * n, start=(), order="up")

    def _read_sum(self) -> Law:
        if self.places is None:
            return Law.of_weights(added([(law.counts, n) for law, n in self.groups]))
        first = next(iter(self.groups[0][0]), 0) if self.groups else 0
        zero = 0 * first if type(first) is Vector else 0
        kind_of(dict.fromkeys(x for law, _ in self.groups for x in law))  # refuses labels
        # a deal has no independent dice, and no products of distribution functions
        if type(self) is Pool and self.places.count(0) == len(self) - 1:
            for end in (0, -1):
                if self.places[end] == 1:  # a walk over the faces takes three times as long
                    laws = [law for law, n in self.groups for _ in range(n)]
                    return _extreme_of_laws(laws, highest=end == -1)
        return self.by_face(lambda total, face, n: total + face * n, start=zero)

    def _read_count(self, event: Any) -> Law:
        return self._counted(event)

    def _read_largest_set(self) -> Law:
        return self.by_face(lambda size, face, n: max(size, n), start=0)

    def _read_best_set(self) -> Law:
        return self.by_face(lambda best, face, n: max(best, (n, face)), start=(0, 0), order="up")

    def _read_sets(self, least: int) -> Law:
        def step(sizes: tuple[int, ...], face: Any, n: int) -> tuple[int, ...]:
            return tuple(sorted((*sizes, n), reverse=True)) if n >= least else sizes

        return self.by_face(step, start=())

    def _read_longest_run(self) -> Law:
        def step(state: tuple[int, int, Any], face: Any, n: int) -> tuple[int, int, Any]:
            longest, run, last = state
            if not n:
                return longest, 0, None
            run = run + 1 if last == face - 1 else 1
            return max(longest, run), run, face

        return self.by_face(step, start=(0, 0, None), order="up", finish=lambda state: state[0])

    def _read_sort_pair(self, sign: str, other: "Pool") -> Law:
        if sign in ("<", "<="):  # as many as there are pairs, less those that the other side wins
            pairs = min(len(self), len(other))
            turned = ">=" if sign == "<" else ">"
            lost = self.sort_pair(turned, other)
            return lost.map(lambda n: pairs - n)
        most = len(other)

        def step(state: tuple[int, int, int], face: Any, a: int, b: int) -> tuple[int, int, int]:
            mine, yours, wins = state
            # my dice of this face win against those of yours that no higher face has paired
            first = yours if sign == ">=" else yours + b
            won = range(max(mine, first), min(mine + a, most))
            return mine + a, yours + b, wins + len(won)

        return self.by_face(step, other, start=(0, 0, 0), finish=lambda state: state[2])


@lru_cache(maxsize=REMEMBERED)
def _remembered(pool: Pool, read: str, *arguments: Any) -> Law:
    law: Law = getattr(pool, f"_read_{read}")(*arguments)
    return law


# --- distributions without a highest total -----------------------------------------------------


class UnboundedLaw(Distribution):
    """The exact distribution of a whole total without a highest value, such as of `d6!`.

    It is held as a rational generating function, so nothing is cut off. It adds to other dice,
    is compared with them, and multiplied by `3 @`; what has no generating function is refused.

    >>> die = Law(dict.fromkeys(range(1, 7), 1))
    >>> ace = die.explode()
    >>> ace.mean, ace.at_least(13), (2 @ ace + die).mean, ace.beats(die)
    (Fraction(21, 5), Fraction(1, 36), Fraction(119, 10), Fraction(4, 9))

    Attributes:
        least: the least total.
        above: the distribution of the total less `least`.
    """

    def __init__(self, function: "Rational", least: int) -> None:
        from sevenout.rolling.generating_functions import CounterLaw

        self.least = least
        self.above: CounterLaw = CounterLaw(function, "total")

    @classmethod
    def exploding(
        cls, law: Law, faces: frozenset[Any], worth: Callable[[Any], int] | None = None
    ) -> "UnboundedLaw":
        """The sum of all rolls of a die that is rolled again on some faces.

        Weights w of W renew themselves on the exploding faces (Feller 1968, chapter XIII), so the
        generating function is sum_stop w z^face / (W - sum_again w z^face).

        Args:
            law: the distribution of the die.
            faces: the faces on which it is rolled again.
            worth: what each roll adds; default its face.

        Raises:
            RulesError: every or no face explodes, or what a roll adds is not a whole number from 0
                up, except the faces that stop.
        """
        from sevenout.rolling.generating_functions import Rational

        if not faces or len(faces) == len(law):
            amount = "every face explodes" if faces else "no face explodes"
            raise RulesError(f"{amount}; name some of the faces of the die, and not all")
        value: Callable[[Any], Any] = worth or (lambda face: face)
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
        return cls(Rational(stops, again), least)

    @classmethod
    def extreme(cls, laws: Sequence[Any], *, highest: bool) -> "UnboundedLaw":
        """The highest or lowest of independent totals, some without a highest value."""
        from sevenout.rolling.generating_functions import extreme

        functions = [_generating_function(law) for law in laws]
        rows, leasts = [f for f, _ in functions], [n for _, n in functions]
        return cls(*extreme(rows, leasts, highest=highest))

    @property
    def generating_function(self) -> "Rational":
        """The generating function of the total less the least."""
        return self.above.generating_function

    # --- arithmetic

    def __add__(self, other: Any) -> Any:
        part = _operand(other)
        if part is None:
            return NotImplemented
        function, least = _generating_function(part)
        return UnboundedLaw(self.generating_function * function, self.least + least)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, UnboundedLaw):
            return -other
        part = _operand(other)
        return NotImplemented if part is None else self + -part

    def __neg__(self) -> Any:
        raise RulesError(
            "a total without a highest value has no lowest one when it is subtracted, so it has no "
            "lowest total; compare the two instead, as in d10!>2d6! or .beats(other)"
        )

    def __rsub__(self, other: Any) -> Any:
        return -self

    def __rmatmul__(self, times: Any) -> "UnboundedLaw | Law":
        from sevenout.rolling.generating_functions import Rational, power, shifted

        if isinstance(times, Calculates):  # a random number of dice: the mixture of the powers
            count = times.own_law
            least = min(0, max(count) * self.least)
            mixture = Rational(0)
            for n, p in count.items():
                total: Any = n @ self
                function, low = _generating_function(total)
                mixture += p * shifted(function, low - least)
            return UnboundedLaw(mixture, least)
        if type(times) is not int or times < 0:
            raise RulesError(f"{shown(times)} @ dice; give a whole number, 0 or more")
        if not times:
            return Law.of_weights({0: 1})
        return UnboundedLaw(power(self.generating_function, times), times * self.least)

    def __mul__(self, factor: Any) -> "UnboundedLaw":
        """The total times a positive whole number: z^factor in place of z."""
        from sevenout.rolling.generating_functions import Rational

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
            spread: list[Any] = [0] * (factor * polynomial.degree() + 1)
            spread[::factor] = polynomial.coeffs()  # flint reads its own rationals
            rows.append(spread)
        return UnboundedLaw(Rational(*rows), factor * self.least)

    __rmul__ = __mul__

    # --- comparisons

    def beats(self, other: Any) -> Fraction:
        """P(this > other)."""
        return self._contest(other)[0]

    def ties(self, other: Any) -> Fraction:
        """P(this = other)."""
        return self._contest(other)[1]

    def _contest(self, other: Any) -> tuple[Fraction, Fraction]:
        from sevenout.rolling.generating_functions import comparison

        part = _operand(other)
        if part is None:
            raise RulesError(f"{shown(other)} can't be rolled; give dice, such as so.d6")
        pairs = [_generating_function(self), _generating_function(part)]
        return comparison([f for f, _ in pairs], [n for _, n in pairs])

    def _truth(self, p: Fraction) -> Truth:
        return Truth.of_chance(p.numerator, p.denominator)

    def __gt__(self, other: Any) -> Truth:
        return self._truth(self.beats(other))

    def __ge__(self, other: Any) -> Truth:
        more, equal = self._contest(other)
        return self._truth(more + equal)

    def __lt__(self, other: Any) -> Truth:
        more, equal = self._contest(other)
        return self._truth(1 - more - equal)

    def __le__(self, other: Any) -> Truth:
        return self._truth(1 - self.beats(other))

    def __eq__(self, other: object) -> Any:
        if isinstance(other, UnboundedLaw):
            same = self.least == other.least
            return same and self.generating_function == other.generating_function
        return self._truth(self.pmf(other)) if isinstance(other, int | Fraction) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.least, self.generating_function))

    # --- the total

    def map(self, function: Callable[[int], Any], *, upto: int) -> Law:
        """The distribution of a function of the total.

        >>> Law(dict.fromkeys(range(1, 7), 1)).explode().map(lambda x: x > 6, upto=7)
        Law({False: 5, True: 1})

        Args:
            function: of the total.
            upto: a total from which on the function has one value.
        """
        images: dict[Any, Fraction] = {}
        for x in range(self.least, upto):
            y = function(x)
            images[y] = images.get(y, Fraction(0)) + self.pmf(x)
        y = function(upto)
        images[y] = images.get(y, Fraction(0)) + self.at_least(upto)
        return Law.of({y: p for y, p in images.items() if p})

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

    def p(self, event: Any) -> Fraction:
        """The probability of a total, or of a set of totals.

        Raises:
            RulesError: a condition, which would have to be tried on infinitely many totals.
        """
        if callable(event):
            raise RulesError(
                "there is no highest total to try the condition on; use .map(f, upto=...), "
                ".at_least(x) or .at_most(x)"
            )
        if isinstance(event, set | frozenset):
            return sum((self.pmf(x) for x in event), Fraction(0))
        return self.pmf(event)

    def quantile(self, q: Number) -> int:
        return self.least + self.above.quantile(q)

    def central_moment(self, k: int) -> Fraction:
        return self.above.central_moment(k)

    @property
    def mean(self) -> Fraction:
        return Figure(self.least + self.above.mean)

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return self.std

    @property
    def median(self) -> int:
        """The least total with at least half of the probability at or below it."""
        return self.quantile("1/2")

    @property
    def support(self) -> tuple[int, int | None]:
        function = self.generating_function
        endless = function.denominator.degree() > 0
        # the lowest power that is left may lie above the least total that was worked out
        low = next(n for n, c in enumerate(function.numerator.coeffs()) if c)
        highest = None if endless else self.least + int(function.numerator.degree())
        return self.least + low, highest

    def __iter__(self) -> Iterator[int]:
        """The totals that can come, in ascending order, without end."""
        total, last = self.support
        while last is None or total <= last:
            if self.pmf(total):
                yield total
            total += 1

    def items(self) -> Iterator[tuple[int, Fraction]]:
        """Each total and its probability, in ascending order, without end."""
        return ((total, self.pmf(total)) for total in self)

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

    def plot(self, *others: Any, axes: Any = None, labels: Iterable[str] = ()) -> Any:
        """As `Law.plot`, up to the quantile at 99.9 %."""
        rows = [
            law._likely() if isinstance(law, UnboundedLaw) else law.own_law
            for law in (self, *others)
        ]
        return plot_bars(rows, axes, labels)


def _operand(other: Any) -> "Law | UnboundedLaw | None":
    if isinstance(other, UnboundedLaw):
        return other
    if isinstance(other, Calculates):
        return other.own_law
    return Law.of_weights({other: 1}) if isinstance(other, int | Fraction) else None


def _generating_function(law: "Law | UnboundedLaw") -> "tuple[Rational, int]":
    """The generating function of a total less its least value, and that value."""
    from sevenout.rolling.generating_functions import Rational

    if isinstance(law, UnboundedLaw):
        return law.generating_function, law.least
    if not all(type(x) is int for x in law):
        raise RulesError(
            "beside dice that explode without end all totals must be whole numbers; give the "
            "explosion a depth"
        )
    least = min(law)
    coefficients = [0] * (max(law) - least + 1)
    for x, weight in law.counts.items():
        coefficients[x - least] = weight
    return Rational(coefficients, [law.denominator]), least


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
