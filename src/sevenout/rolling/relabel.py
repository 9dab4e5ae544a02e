"""Relabelled dice: all sets of dice with the totals of given dice, such as Sicherman's for 2d6.

Each distributes the irreducible factors of the totals' generating polynomial among the dice, with
coefficients of at least 0 that add up to the die's sides (Gallian and Rusin 1979; Broline 1979).
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import prod
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError
from sevenout.rolling.convolution import ESTIMATE_CAP, dense_weights
from sevenout.rolling.dice_sources import dice
from sevenout.rolling.die import Dice, Die
from sevenout.wrong_arguments import public

Share = tuple[int, ...]
"""The multiplicity of a factor in each die."""


@public
def relabelled(
    target: Dice | str, sides_of_each: Sequence[int] | None = None, min_face: int = 1
) -> tuple[tuple[Die, ...], ...]:
    """Every set of dice with the totals of given dice, in any order, including the given ones.

    >>> for small, large in relabelled("2d6"):
    ...     print(small, large)
    d6{1,2,2,3,3,4} d6{1,3,4,5,6,8}
    d6 d6

    Args:
        target: dice with the required totals.
        sides_of_each: the sides of each new die; default as the target.
        min_face: the least whole number on a face.

    Raises:
        RulesError: totals that are not whole numbers, no dice, or a die with fewer than one side.
    """
    target = dice(target)
    if sides_of_each is None:
        sides_of_each = [len(die.faces) for die in target.dice]
    sides = sorted(sides_of_each)
    if not sides or sides[0] < 1:
        raise RulesError(f"dice with {sides} sides; give one or more dice, each of 1 side or more")
    law = target.totals.law
    if not all(isinstance(total, int) for total in law):
        raise RulesError(
            f"the totals of {target} are not whole numbers; only those can be relabelled"
        )
    # a polynomial with whole coefficients must have a whole number of rolls for each total
    scale, remainder = divmod(prod(sides), law.denominator)
    bottom = min_face * len(sides)
    if remainder or min(law) < bottom:
        return ()
    ways = [scale * weight for weight in dense_weights(law.counts, bottom)]
    labelled = {
        tuple(sorted(zip(sides, labels, strict=True)))
        for labels in _share_out(ways, sides, min_face)
    }
    return tuple(tuple(Die(labels) for _, labels in dice) for dice in sorted(labelled))


def _share_out(
    ways: list[int], sides: Sequence[int], min_face: int
) -> Iterator[list[tuple[int, ...]]]:
    """The faces of the dice for every way to share the factors; equal dice in every order."""
    from flint import fmpz, fmpz_poly

    afford(
        f"the factors of a polynomial of degree {len(ways) - 1:,}",
        seconds=5e-9 * len(ways) ** 2.4,
        instead="give fewer sides",
    )
    content, factors = fmpz_poly(ways).factor()
    primes = [(fmpz_poly([p]), e) for p, e in fmpz(content).factor()]
    # Factors that are not 1 at x = 1 decide the sides of the dice: first, to prune.
    parts = sorted(primes + factors, key=lambda part: -abs(int(part[0](1))))
    one = fmpz_poly([1])
    caps = [
        [_max_multiplicity(abs(int(factor(1))), times, n) for n in sides] for factor, times in parts
    ]
    shares = prod(_split_count(times, cap) for (_, times), cap in zip(parts, caps, strict=True))
    afford(
        "every way to share the factors of the totals among the dice",
        seconds=min(shares * len(sides), ESTIMATE_CAP) * 1e-5,
        instead="give fewer dice",
    )

    def share_from(k: int, dice: list[Any], room: list[int]) -> Iterator[list[tuple[int, ...]]]:
        """The faces for every way to give the dice the factors from the k-th on."""
        if k == len(parts):
            if all(n == 1 for n in room) and all(min(map(int, d.coeffs())) >= 0 for d in dice):
                yield [_labels(die, min_face) for die in dice]
            return
        factor, times = parts[k]
        value = int(factor(1))
        for powers in _splits(times, caps[k]):
            if all(n % value**e == 0 for n, e in zip(room, powers, strict=True)):
                yield from share_from(
                    k + 1,
                    [die * factor**e for die, e in zip(dice, powers, strict=True)],
                    [n // value**e for n, e in zip(room, powers, strict=True)],
                )

    yield from share_from(0, [one] * len(sides), list(sides))


def _max_multiplicity(value: int, times: int, sides: int) -> int:
    """The most times that a factor fits into a die, from its value at x = 1 and the sides."""
    multiplicity = 0
    while multiplicity < times and sides % value == 0:
        sides, multiplicity = sides // value, multiplicity + 1
    return multiplicity


def _splits(times: int, caps: Sequence[int]) -> Iterator[Share]:
    """All ways to distribute `times` equal items within the caps."""
    if not caps:
        if not times:
            yield ()
        return
    first, *others = caps
    for n in range(max(0, times - sum(others)), min(first, times) + 1):
        for rest in _splits(times - n, others):
            yield (n, *rest)


def _split_count(times: int, caps: Sequence[int]) -> int:
    """The number of `_splits`."""
    ways = [1] + [0] * times
    for cap in caps:
        ends = [0, *accumulate(ways)]
        ways = [ends[n + 1] - ends[max(0, n - cap)] for n in range(times + 1)]
    return ways[times]


def _labels(die: Any, min_face: int) -> tuple[int, ...]:
    """The faces of a die: the coefficient of x^n says how often n + `min_face` comes."""
    return tuple(x + min_face for x, n in enumerate(die.coeffs()) for _ in range(int(n)))
