"""Distributions, and anything that can be rolled.

A `Law` maps outcomes to exact weights. Anything that has one (dice, pools, deals, readings of a
roll) takes part in the same arithmetic (`calculations`).

An outcome of the wrong kind is refused, never answered by 0: the text "7", the float 0.1, an
unknown label. A number that no roll reaches, such as a total of 13 on two dice, has probability 0.

`Rollable.weigh` combines the weights of independent `sources` by sums and products only. So weights
can be integers, dual numbers (for the gradient) or rational functions of a bias.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, lcm, prod
from numbers import Rational
from operator import gt, le, lt
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from sevenout import rolling  # opens `UnboundedLaw` when it is first used
from sevenout.errors import RulesError, shown
from sevenout.rolling.calculations import Calculates
from sevenout.rolling.convolution import ESTIMATE_CAP
from sevenout.rolling.distribution import (
    Distribution,
    Figure,
    ListedDistribution,
    T_co,
    U,
    sampling_generator,
    sum_by_key,
)
from sevenout.rolling.events import SEVERAL, Event, event_of, must_be_possible

if TYPE_CHECKING:
    from sevenout.rolling.unbounded import UnboundedLaw

W = TypeVar("W")
"""Weights in any ring."""
MAX_PRINTED_OUTCOMES, MAX_PRINTED_WEIGHT = 8, 10**6
"""A longer distribution, or one with larger weights, prints as its ends and its mean."""


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


class Rollable(ABC, Generic[T_co]):
    """Anything that can be rolled: a die, dice, a reading of them, a deal, a settled game."""

    @property
    @abstractmethod
    def sources(self) -> tuple[Source, ...]:
        """The independent sources of a roll."""

    @abstractmethod
    def weigh(self, weights: Sequence[Sequence[W]]) -> Mapping[T_co, W]:
        """The weight of each outcome, from the weight of each face of each source, in any ring."""

    @property
    def work(self) -> float:
        """The approximate number of products in `weigh`."""
        return float(min(prod(len(source.faces) for source in self.sources), ESTIMATE_CAP))

    @cached_property
    def law(self) -> "Law[T_co]":
        """The exact distribution of a roll."""
        return Law(self.weigh([source.weights for source in self.sources]))

    def sample(self, times: int = 1, seed: int | None = None) -> list[T_co]:
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
        draw = self.law.sampler(sampling_generator(times, seed, seconds=1e-6, memory=108.0))
        return [draw() for _ in range(times)]

    def read(self, reading: Callable[[T_co], U]) -> "Reading[U]":
        """A function of the roll's outcome.

        >>> from sevenout.rolling import d6
        >>> dict(d6.read(lambda face: face % 2).law)
        {1: Fraction(1, 2), 0: Fraction(1, 2)}
        """
        return Reading(self, reading)


class Law(Rollable[T_co], ListedDistribution, Calculates[T_co], Mapping[T_co, Fraction]):  # type: ignore[type-var]  # it never changes, so it may be covariant
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

    def __init__(self, weights: Mapping[T_co, int]) -> None:
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
        if not any(weights.values()):
            raise RulesError("every weight is 0; give at least one outcome a positive weight")
        self._reduced({x: w for x, w in weights.items() if w})

    @staticmethod
    def of_weights(weights: Mapping[U, int]) -> "Law[U]":
        """From positive weights that were just calculated: unchecked, reduced, taken over."""
        law: Law[U] = Law.__new__(Law)
        return law._reduced(weights)

    def _reduced(self, weights: Mapping[T_co, int]) -> Self:
        """Take over these weights, in lowest terms; returns the distribution."""
        # in lowest terms, so that equal distributions have equal weights
        divisor = gcd(*weights.values())
        self.counts = weights if divisor == 1 else {x: w // divisor for x, w in weights.items()}
        self.denominator = sum(self.counts.values())
        return self

    @staticmethod
    def of_probabilities(probabilities: Mapping[U, Fraction]) -> "Law[U]":
        """The distribution in proportion to these probabilities.

        >>> Law.of_probabilities({"win": Fraction(1, 3), "lose": Fraction(2, 3)})
        Law({'win': 1, 'lose': 2})
        """
        common = lcm(*(p.denominator for p in probabilities.values()))
        return Law({x: int(p * common) for x, p in probabilities.items()})

    @staticmethod
    def mixture(parts: Iterable[tuple[Calculates[U] | U, int]]) -> "Law[U]":
        """A distribution chosen at random, from pairs of (dice or outcome, integer weight).

        >>> Law.mixture([(Law({1: 1, 2: 1}), 1), (7, 1)])
        Law({7: 2, 1: 1, 2: 1})
        """
        weights: dict[Any, int] = {}
        laws: list[tuple[Law[U], int]] = []
        for value, weight in parts:
            if isinstance(value, Calculates):
                laws.append((value.own_law, weight))
            elif isinstance(value, Distribution):
                raise RulesError(
                    "dice without a highest total in a mixture or a map; give their explosion a "
                    "depth"
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

    @property
    def own_law(self) -> "Law[T_co]":
        return self

    @property
    def law(self) -> "Law[T_co]":
        """The distribution itself."""
        return self

    @property
    def faces(self) -> tuple[T_co, ...]:
        """The outcomes."""
        return tuple(self.counts)

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each outcome, in lowest terms."""
        return tuple(self.counts.values())

    @property
    def sources(self) -> tuple[Source, ...]:
        return (self,)

    def weigh(self, weights: Sequence[Sequence[W]]) -> Mapping[T_co, W]:
        return dict(zip(self.counts, weights[0], strict=True))

    def __getitem__(self, outcome: object) -> Fraction:
        return Fraction(self.counts[outcome], self.denominator)  # type: ignore[index]

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def _identity(self) -> tuple[object, ...]:
        return (self.counts,)

    def __hash__(self) -> int:
        return hash((len(self), sum(map(hash, self.counts.items()))))  # in any order

    def __repr__(self) -> str:
        if len(self) <= MAX_PRINTED_OUTCOMES and self.denominator < MAX_PRINTED_WEIGHT:
            return f"{type(self).__name__}({self.counts})"
        if all(isinstance(x, int | Fraction) for x in self):
            mean = float(self.mean)
            low, *_, high = self.probabilities
            return f"<Law of {len(self):,} outcomes, {low} to {high}, mean {mean:.6g}>"
        return f"<Law of {len(self):,} outcomes, most likely {shown(self.mode)}>"

    def sampler(self, random: Random) -> Callable[[], T_co]:
        """A function that draws an outcome with its exact probability."""
        # whole numbers again: a float would round the probability of each outcome
        ends, outcomes, total = list(accumulate(self.weights)), self.faces, self.denominator
        return lambda: outcomes[bisect_right(ends, random.randrange(total))]

    def p(self, event: Event[T_co] = True) -> Fraction:
        """The probability of an outcome, of several, or of a condition.

        By default it is the probability that a comparison is true.

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

    def weight_of(self, outcome: object) -> int:
        """The weight of an outcome; 0 if it is impossible.

        Raises:
            RulesError: an outcome of another kind, as `p`.
        """
        must_be_possible(outcome, self.counts)
        return self.counts.get(outcome, 0)  # type: ignore[arg-type]

    def moment(self, n: int) -> Fraction:
        """E[X^n].

        Raises:
            RulesError: an outcome is not an exact number.
        """
        total = Fraction(0)
        for outcome, weight in self.counts.items():
            if not isinstance(outcome, Rational):
                raise RulesError(
                    f"the outcome {shown(outcome)} is not an exact number and has no moments; "
                    "convert it to one, such as with dice.totals"
                )
            total += weight * Fraction(outcome) ** n
        return total / self.denominator

    @property
    def mean(self) -> Fraction:
        return Figure(self.moment(1))

    def truth(self, hits: int) -> "Truth":
        """True for this weight of the outcomes, else False."""
        return Truth.of_chance(Fraction(hits, self.denominator))

    def comparison(self, other: "Law", operator: Callable[[Any, Any], bool]) -> "Truth":
        """A comparison with an independent outcome, from running sums."""
        # sorted once: pairs one by one would take the product of both lengths
        try:
            own_pairs, other_pairs = (sorted(law.counts.items()) for law in (self, other))
            own_pairs[0][0] < other_pairs[0][0]  # noqa: B015  numbers and labels each sort, but not together
        except TypeError:
            raise RulesError("outcomes that can't be compared; map them to numbers") from None
        hits, weight_below, reached = 0, 0, 0
        # x > y needs the outcomes y below x, x >= y those up to x; < and <= are their opposites
        is_strict = operator in (gt, le)
        for x, weight in own_pairs:
            while reached < len(other_pairs) and (
                other_pairs[reached][0] < x or (not is_strict and other_pairs[reached][0] == x)
            ):
                weight_below += other_pairs[reached][1]
                reached += 1
            hits += weight * weight_below
        total = self.denominator * other.denominator
        return Truth.of_chance(Fraction(total - hits if operator in (le, lt) else hits, total))

    @cached_property
    def probabilities(self) -> dict[int | Fraction, Fraction]:
        """Each outcome and its probability, in ascending order; whole outcomes as int.

        >>> from sevenout.rolling import d6
        >>> d6.law.cdf(2), d6.law.quantile("1/2"), d6.law.support
        (Fraction(1, 3), 3, (1, 6))
        """
        self.moment(1)  # checks that every outcome is a number
        numbers: Iterable[Any] = self
        return {x if type(x) is int else Fraction(x): self[x] for x in sorted(numbers)}


class Truth(Law[bool]):
    """The distribution of a comparison, of True and False; an `if` refuses it.

    >>> die = Law(dict.fromkeys(range(1, 7), 1))
    >>> (die > 4).p(), die == 6
    (Fraction(1, 3), Truth({False: 5, True: 1}))
    """

    @classmethod
    def of_chance(cls, p: Fraction) -> "Truth":
        """True with this probability."""
        hits, misses = p.numerator, p.denominator - p.numerator
        weights = {truth: w for truth, w in ((False, misses), (True, hits)) if w}
        return cls.__new__(cls)._reduced(weights)

    def __bool__(self) -> bool:
        raise RulesError(
            f"a comparison of dice is true with probability {self.p()}, so an `if` can't decide "
            "it; take .p(), or so.highest(a, b) for max(a, b)"
        )


class PlainRollable(Rollable[T_co], Calculates[T_co]):
    """A rollable that calculates with its own distribution: a die, a reading."""

    @property
    def own_law(self) -> Law[T_co]:
        return self.law


@dataclass(frozen=True, repr=False, eq=False)
class Reading(PlainRollable[T_co]):
    """A function of a roll.

    Attributes:
        source: what is rolled.
        function: maps its outcome to the value that is read.
    """

    source: Rollable[object]
    function: Callable[..., T_co]

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
    def law(self) -> Law[T_co]:
        """The exact distribution; the roll's own is computed once for all its readings."""
        return Law(self._read(self.source.law.counts))

    def weigh(self, weights: Sequence[Sequence[W]]) -> Mapping[T_co, W]:
        """The weight of each value: the sum over its outcomes."""
        return self._read(self.source.weigh(weights))

    def sample(self, times: int = 1, seed: int | None = None) -> list[T_co]:
        """Independent readings, as `Rollable.sample`."""
        return [self.function(outcome) for outcome in self.source.sample(times, seed)]

    def _read(self, rolled: Mapping[object, W]) -> dict[T_co, W]:
        return sum_by_key((self.function(outcome), weight) for outcome, weight in rolled.items())


def extreme_of(laws: "Sequence[Law | UnboundedLaw]", *, highest: bool) -> "Law | UnboundedLaw":
    """The highest or lowest of independent outcomes, from products of distribution functions.

    >>> extreme_of([Law({1: 1, 2: 1})] * 2, highest=True)
    Law({1: 1, 2: 3})
    """
    if not all(isinstance(law, Law) for law in laws):
        return rolling.UnboundedLaw.extreme(laws, highest=highest)
    weights_of_each = [law.counts for law in laws if isinstance(law, Law)]
    try:
        outcomes = sorted({x for counts in weights_of_each for x in counts}, reverse=not highest)
    except TypeError:
        raise RulesError("outcomes that can't be compared; map them to numbers") from None
    weights: dict[Any, int] = {}
    running, last = [0] * len(laws), 0
    for x in outcomes:
        for i, counts in enumerate(weights_of_each):
            running[i] += counts.get(x, 0)
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
