"""Finite distributions with exact integer weights, and the interface of rollables.

`Rollable.weigh` combines the weights of independent `sources` by sums and products only. So weights
can be integers, dual numbers (for the gradient) or rational functions of a bias.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, prod
from numbers import Rational
from random import Random
from typing import Any, Protocol

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.numerals import exact
from sevenout.rolling.distribution import Listed

MANY = 10**18
"""More rolls than this can't be waited for."""


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


class Rollable(ABC):
    """Anything that can be rolled: a die, dice, a reading of them, a deck, a settled game."""

    @property
    @abstractmethod
    def sources(self) -> tuple[Source, ...]:
        """The independent sources of a roll."""

    @abstractmethod
    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        """The weight of each outcome, from the weight of each face of each source, in any ring."""

    @property
    def work(self) -> float:
        """The approximate number of products in `weigh`."""
        return float(min(prod(len(source.faces) for source in self.sources), MANY))

    @cached_property
    def law(self) -> "Law":
        """The exact distribution of a roll."""
        return Law(self.weigh([source.weights for source in self.sources]))

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
    Distributions with equal probabilities are equal.

    >>> coin = Law({"heads": 2, "tails": 2})
    >>> coin["heads"], coin == Law({"tails": 1, "heads": 1})
    (Fraction(1, 2), True)

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
        divisor = gcd(*weights.values())
        if not divisor:
            raise RulesError("every weight is 0; give at least one outcome a positive weight")
        self._weights: dict[Any, int] = {x: w // divisor for x, w in weights.items() if w}
        self.denominator = sum(self._weights.values())

    @classmethod
    def of(cls, probabilities: Mapping[Any, Fraction]) -> "Law":
        """The distribution in proportion to these probabilities.

        >>> Law.of({"win": Fraction(244, 495), "lose": Fraction(251, 495)}).denominator
        495
        """
        common = 1
        for p in probabilities.values():
            common = common * p.denominator // gcd(common, p.denominator)
        return cls({x: int(p * common) for x, p in probabilities.items()})

    @property
    def faces(self) -> tuple[Any, ...]:
        """The outcomes."""
        return tuple(self._weights)

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each outcome, in lowest terms."""
        return tuple(self._weights.values())

    @property
    def sources(self) -> tuple[Source, ...]:
        return (self,)

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        return dict(zip(self._weights, weights[0], strict=True))

    def __getitem__(self, outcome: Any) -> Fraction:
        return Fraction(self._weights[outcome], self.denominator)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Law):
            return NotImplemented
        return self._weights == other._weights

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __repr__(self) -> str:
        return f"Law({self._weights})"

    def drawing(self, chance: Random) -> Callable[[], Any]:
        """A function that draws an outcome with its exact probability."""
        ends, outcomes, whole = list(accumulate(self.weights)), self.faces, self.denominator
        return lambda: outcomes[bisect_right(ends, chance.randrange(whole))]

    def p(self, event: Any) -> Fraction:
        """The probability of an outcome (0 if impossible) or of a condition on outcomes.

        >>> from sevenout.rolling import d6
        >>> d6.law.p(lambda face: face > 4), d6.law.p(7)
        (Fraction(1, 3), Fraction(0, 1))
        """
        if callable(event):
            hits = sum(w for x, w in self._weights.items() if event(x))
        else:
            hits = self._weights.get(event, 0)
        return Fraction(hits, self.denominator)

    def moment(self, n: int) -> Fraction:
        """E[X^n].

        Raises:
            RulesError: an outcome is not an exact number.
        """
        total = Fraction(0)
        for outcome, weight in self._weights.items():
            if not isinstance(outcome, Rational):
                raise RulesError(
                    f"the outcome {shown(outcome)} is not an exact number and has no moments; "
                    "convert it to one, such as with dice.totals"
                )
            total += weight * Fraction(outcome) ** n
        return total / self.denominator

    @property
    def mean(self) -> Fraction:
        return self.moment(1)

    @cached_property
    def row(self) -> dict[Fraction, Fraction]:
        """Each outcome and its probability, in ascending order.

        >>> from sevenout.rolling import d6
        >>> d6.law.cdf(2), d6.law.quantile("1/2"), d6.law.support
        (Fraction(1, 3), Fraction(3, 1), (Fraction(1, 1), Fraction(6, 1)))
        """
        self.moment(1)  # checks that every outcome is a number
        return {exact(x): self[x] for x in sorted(self)}


@dataclass(frozen=True)
class Reading(Rollable):
    """A function of a roll."""

    source: Rollable
    function: Callable[[Any], Hashable]

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.source.sources

    @property
    def work(self) -> float:
        return self.source.work

    @cached_property
    def law(self) -> Law:
        """The exact distribution; the roll's own is computed once for all its readings."""
        law = self.source.law
        return Law(self._read(dict(zip(law, law.weights, strict=True))))

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        """The weight of each value: the sum over its outcomes."""
        return self._read(self.source.weigh(weights))

    def sample(self, times: int = 1, seed: int | None = None) -> list[Any]:
        """Independent readings, as `Rollable.sample`."""
        return [self.function(outcome) for outcome in self.source.sample(times, seed)]

    def _read(self, rolled: dict[Any, Any]) -> dict[Hashable, Any]:
        values: dict[Hashable, Any] = {}
        for outcome, weight in rolled.items():
            value = self.function(outcome)
            values[value] = values[value] + weight if value in values else weight
        return values


def chance_of(times: int, seed: int | None, dice: int = 1) -> Random:
    """The random generator for a sample.

    Raises:
        RulesError: `times` or `seed` is not a whole number from 0 up.
        TooMuchWorkError: more rolls than the budget allows.
    """
    for name, given in (("times", times), ("seed", 0 if seed is None else seed)):
        if type(given) is not int or given < 0:
            raise RulesError(f"{name}={shown(given)}; give a whole number, 0 or more")
    rolls = f"{times:,} rolls" if times < MANY else "this many rolls"
    afford(
        rolls,
        seconds=min(times * dice, MANY) * 1e-6,
        memory=min(times, MANY) * (100.0 + 8 * dice),
        instead="sevenout.simulate plays more",
    )
    return Random(seed)
