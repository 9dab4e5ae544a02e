"""The greatest change by faults on all faces together, each up to a share either way.

The share of one face moves the distribution along a line. On a line the probability of an event and
the ratio of two results are monotone, and the chi-square distance is convex. So each maximum is at
a corner, where every share is at an end. Equal faces of one die are interchangeable there.
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from sevenout.errors import RulesError
from sevenout.rolling.faulty.effects import Ratio, chi_square, distortion, total_variation
from sevenout.rolling.faulty.faults import Fault, apart
from sevenout.rolling.laws import Law, Rollable, Source
from sevenout.wrong_arguments import public

LIMIT = 1_000_000
CLOSE = 1e-9

Extreme = tuple[Fraction, tuple[Fault, ...]]
"""A maximum, exact, and the faults that reach it."""


def corners(rollable: Rollable) -> int:
    """The number of corners to compare.

    >>> from sevenout.rolling.notation import parse_dice
    >>> corners(parse_dice("2d6").totals)
    4096
    """
    return prod(len(group) + 1 for source in rollable.sources for group in _alike(source))


@public
def worst_together(
    rollable: Rollable, share: Fraction, pair: tuple[Hashable, Hashable] | None = None
) -> tuple[Extreme, Extreme, Extreme]:
    """The greatest total variation, chi-square distance and distortion of a ratio, with the faults.

    Corners are compared in floats; those within a relative 1e-9 of the greatest, in fractions.

    >>> from sevenout.rolling.notation import parse_dice
    >>> variation, chi, ratio = worst_together(parse_dice("2d6").totals, Fraction(1, 4), (8, 6))
    >>> str(variation[0]), str(ratio[0])
    ('25/192', '77/57')

    Args:
        rollable: what is rolled.
        share: the greatest change of a face's weight, as a part of it; at least 0, less than 1.
        pair: the two results of the ratio; default the most distorted pair.

    Raises:
        RulesError: a share out of range, an impossible result, or over a million corners.
    """
    import numpy as np

    share, law = Fraction(share), rollable.law
    if not 0 < share < 1:
        raise RulesError(f"share={share}; give more than 0 and less than 1")
    for result in pair or ():
        if result not in law:
            raise RulesError(f"{result!r} can't be rolled; choose from {list(law)}")
    if (count := corners(rollable)) > LIMIT:
        raise RulesError(f"{count:,} corners to look at; choose dice with at most {LIMIT:,}")
    groups = [(d, g) for d, source in enumerate(rollable.sources) for g in _alike(source)]
    axes = np.meshgrid(*(np.arange(len(g) + 1) for _, g in groups), indexing="ij")
    heavy = np.array([axis.ravel() for axis in axes])

    def weigh(heavy: Any, kind: Any) -> dict[Hashable, Any]:
        """The weight of each result at some corners, times a constant; exact in whole numbers."""
        rows: list[list[Any]] = [[None] * len(source.faces) for source in rollable.sources]
        for (d, group), k in zip(groups, heavy, strict=True):
            for i, face in enumerate(group):
                sign = np.where(i < k, 1, -1).astype(kind)
                weight = rollable.sources[d].weights[face]
                rows[d][face] = weight * (share.denominator + sign * share.numerator)
        return rollable.weigh(rows)

    variations, distances, grown = apart(law, weigh(heavy, float), count)
    if pair is None:
        ratios = grown.max(axis=0) / grown.min(axis=0)
    else:
        results = list(law)
        one, other = (grown[results.index(x)] for x in pair)
        ratios = np.maximum(one / other, other / one)

    def exact(scores: Any, measure: Any) -> Extreme:
        near = np.flatnonzero(scores >= scores.max() * (1 - CLOSE))
        ways = weigh(heavy[:, near], object)
        laws: dict[Law, int] = {}
        for n, weights in zip(near, zip(*(ways[x] for x in law), strict=True), strict=True):
            laws.setdefault(Law(dict(zip(law, weights, strict=True))), int(n))
        values = {faulty: measure(law, faulty) for faulty in laws}
        worst = max(values, key=lambda faulty: values[faulty])
        return values[worst], _faults(heavy[:, laws[worst]].tolist(), groups, share)

    def ratio(fair: Any, faulty: Any) -> Fraction:
        if pair is None:
            worst: Ratio = distortion(fair, faulty)
            return worst.times
        times = Fraction(faulty[pair[0]] / faulty[pair[1]] / (fair[pair[0]] / fair[pair[1]]))
        return max(times, 1 / times)

    return (
        exact(variations, total_variation),
        exact(distances, chi_square),
        exact(ratios, ratio),
    )


def _alike(source: Source) -> list[list[int]]:
    """The faces of a source, grouped by value and weight."""
    groups: dict[tuple[Hashable, int], list[int]] = {}
    for i, key in enumerate(zip(source.faces, source.weights, strict=True)):
        groups.setdefault(key, []).append(i)
    return list(groups.values())


def _faults(
    heavy: Sequence[int], groups: Sequence[tuple[int, list[int]]], share: Fraction
) -> tuple[Fault, ...]:
    return tuple(
        Fault(die, face, share if i < k else -share)
        for (die, group), k in zip(groups, heavy, strict=True)
        for i, face in enumerate(group)
    )
