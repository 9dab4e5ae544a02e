"""The distribution of a sum of dice by convolution, such as 1000d6.

Integer weights: equal dice are a power of one polynomial. Other rings: one die after another.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.rolling.law import MANY, Reading, Rollable

FEW = 5_000
"""Up to this many products, direct convolution is faster than loading polynomials."""
STEP, WORD = 3e-7, 5e-7
"""Seconds per product, and per word of the largest polynomial."""


class Alike(NamedTuple):
    """Equal dice: their faces, the weight of each, and the number of dice."""

    faces: tuple[Any, ...]
    weights: tuple[Any, ...]
    dice: int

    @property
    def plain(self) -> bool:
        """Whether the weights are integers."""
        return all(isinstance(weight, int) for weight in self.weights)

    @property
    def whole(self) -> bool:
        """Whether the faces are integers."""
        return all(isinstance(face, int) for face in self.faces)

    @property
    def width(self) -> int:
        """The greatest face less the least."""
        return int(max(self.faces) - min(self.faces))

    @property
    def bits(self) -> int:
        """The bits of the weight of one die."""
        return int.bit_length(sum(map(abs, self.weights)))


@dataclass(frozen=True)
class Sums(Reading):
    """The total of dice whose faces are numbers."""

    law = Rollable.law  # from `weigh`: the rolls are not listed

    @property
    def work(self) -> float:
        """A word of a polynomial counts as a product."""
        groups = _grouped((die.faces, die.weights) for die in self.sources)
        steps, _ = _work(groups)
        return min(steps, _words(groups)) if steps > FEW and _whole(groups) else steps

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        return summed((die.faces, row) for die, row in zip(self.sources, weights, strict=True))


@dataclass(frozen=True)
class Ways(Reading):
    """(total, whether all faces are equal)."""

    law = Rollable.law

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        """The weight of each (total, hard)."""
        rows = [(die.faces, row) for die, row in zip(self.sources, weights, strict=True)]
        afford("the hard and easy ways of these dice", seconds=3 * _work(_grouped(rows))[0] * STEP)
        alike, easy = Ring(), Ring()
        for n, (faces, row) in enumerate(rows):
            still, mixed = Ring(), Ring()
            for face, v in zip(faces, row, strict=True):
                if not n:
                    still.add(face, v)
                for other, w in alike.items():
                    if other == face:
                        still.add(face, w * v)
                    else:
                        mixed.add(n * other + face, w * v)
                for s, w in easy.items():
                    mixed.add(s + face, w * v)
            alike, easy = still, mixed
        hard = {(len(rows) * face, True): w for face, w in alike.items()}
        return hard | {(s, False): w for s, w in easy.items()}


class Ring(dict[Any, Any]):
    """A sum of weights by key, in any ring."""

    def add(self, key: Any, weight: Any) -> None:
        """Add a weight; the ring may have no 0."""
        self[key] = self[key] + weight if key in self else weight


def folded(
    dice: Iterable[tuple[Sequence[Any], Sequence[Any]]],
    start: Any,
    step: Callable[[Any, Any], Hashable],
) -> dict[Any, Any]:
    """The weight of each final state when dice are rolled one after another, in any ring.

    >>> folded([((1, 2), (1, 1)), ((1, 2), (3, 1))], 0, max)
    {1: 3, 2: 5}

    Args:
        dice: the faces and weights of each.
        start: the first state.
        step: the state after a face, from the state before.
    """
    states: dict[Any, Any] = {start: 1}
    for faces, weights in dice:
        longer = Ring()
        for state, w in states.items():
            for face, v in zip(faces, weights, strict=True):
                longer.add(step(state, face), w * v)
        states = longer
    return states


def summed(dice: Iterable[tuple[Sequence[Any], Sequence[Any]]]) -> dict[Hashable, Any]:
    """The weight of each total, from the faces and weights of each die; whole totals in order.

    >>> summed([((1, 2), (1, 1)), ((1, 2), (3, 1))])
    {2: 3, 3: 4, 4: 1}

    Raises:
        TooMuchWorkError: more totals than the budget allows.
    """
    groups = _grouped(dice)
    whole = _whole(groups)
    steps, totals = _work(groups)
    if all(group.plain for group in groups):
        seconds = steps * STEP
        if whole and steps > FEW:
            words = _words(groups)
            if words * WORD < seconds:
                afford(
                    "the totals of these dice",
                    seconds=words * WORD,
                    memory=150 * words,
                    instead="roll fewer dice, or dice with fewer sides",
                )
                return _by_powers(groups)
        afford("the totals of these dice", seconds=seconds, memory=totals * 150)
    rows = ((group.faces, group.weights) for group in groups for _ in range(group.dice))
    sums = folded(rows, 0, add)
    return dict(sorted(sums.items())) if whole else sums


def _grouped(dice: Iterable[tuple[Sequence[Any], Sequence[Any]]]) -> list[Alike]:
    """Equal dice together; only integer weights are compared."""
    rows = [(tuple(faces), tuple(weights)) for faces, weights in dice]
    if all(
        type(weight) is int
        for weights in {id(w): w for _, w in rows}.values()
        for weight in weights
    ):
        return [Alike(faces, weights, n) for (faces, weights), n in Counter(rows).items()]
    return [Alike(faces, weights, 1) for faces, weights in rows]


def _by_powers(groups: Sequence[Alike]) -> dict[Hashable, Any]:
    from flint import fmpz_poly

    product, least = fmpz_poly([1]), 0
    for group in groups:
        low = min(group.faces)
        coefficients = [0] * (group.width + 1)
        for face, weight in zip(group.faces, group.weights, strict=True):
            coefficients[face - low] += weight
        product *= fmpz_poly(coefficients) ** group.dice
        least += group.dice * low
    return {least + k: w for k, c in enumerate(product.coeffs()) if (w := int(c))}


def _whole(groups: Sequence[Alike]) -> bool:
    return all(group.whole for group in groups)


def _words(groups: Sequence[Alike]) -> float:
    """The size of the total's polynomial, in words of 64 bits."""
    span = sum(group.dice * group.width for group in groups)
    return (span + 1) * (sum(group.dice * group.bits for group in groups) / 64 + 1)


def _work(groups: Sequence[Alike]) -> tuple[float, int]:
    """Products needed to add one die after another (long numbers count more), and the totals."""
    steps, totals, span, bits = 0.0, 1, 0, 0
    for group in groups:
        different = len(set(group.faces))
        width = group.width if group.whole else MANY
        longer = group.bits if group.plain else 0
        for _ in range(group.dice):
            steps += totals * len(group.faces) * (1 + bits / 2000)
            span, bits = span + width, bits + longer
            totals = min(totals * different, span + 1)
    return steps, totals
