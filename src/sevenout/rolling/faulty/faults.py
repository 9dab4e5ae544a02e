"""Faults of real dice: faces with the wrong weight.

A fault multiplies the weight of one face by 1 + share. The weight of a result is a sum of products
of face weights, so the distribution of a roll with faults is exact.
"""

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb, lcm
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError
from sevenout.rolling.convolution import MANY
from sevenout.rolling.die import Dice, Die
from sevenout.rolling.laws import Law, Rollable
from sevenout.wrong_arguments import public


class Fault(NamedTuple):
    """One face is heavier (or, with a negative share, lighter) than it should be.

    >>> from sevenout.rolling.notation import parse_dice
    >>> faulty_law(parse_dice("d2").totals, [Fault(0, 1, Fraction(1, 2))])[2]
    Fraction(3, 5)

    Attributes:
        die: the index of the die (source), from 0.
        face: the index of the face, from 0.
        share: its weight is multiplied by 1 + share; more than -1.
    """

    die: int
    face: int
    share: Fraction


def face_of(rollable: Rollable, die: int, shown: str) -> Fault:
    """The position of a face with this text (or a ranked face of that value), as a fault of share
    0.

    >>> from sevenout.rolling.special.ranked import tatham
    >>> face_of(tatham(), 0, "8")
    Fault(die=0, face=3, share=Fraction(0, 1))

    Raises:
        RulesError: there is no such die or face.
    """
    sources = rollable.sources
    if not 0 <= die < len(sources):
        raise RulesError(f"die {die} of {len(sources)}; dice are counted from 0")
    for i, face in enumerate(sources[die].faces):
        if shown in (str(face), str(getattr(face, "value", face))):
            return Fault(die, i, Fraction(0))
    faces = ", ".join(map(str, sources[die].faces))
    raise RulesError(f"no face shows {shown}; those of this die show {faces}")


def faulty_weights(rollable: Rollable, faults: Iterable[Fault]) -> list[list[int]]:
    """The integer weight of each face of each source, with the faults.

    Raises:
        RulesError: a die or face that doesn't exist, or a share of -1 or less.
    """
    rows = [list(map(Fraction, source.weights)) for source in rollable.sources]
    for die, face, share in faults:
        if not 0 <= die < len(rows) or not 0 <= face < len(rows[die]):
            raise RulesError(f"there is no face {face} on die {die}; both are counted from 0")
        rows[die][face] *= 1 + heavier(share)
    scales = [lcm(*(w.denominator for w in row)) for row in rows]
    return [[int(w * scale) for w in row] for row, scale in zip(rows, scales, strict=True)]


def heavier(share: Fraction) -> Fraction:
    """The share, checked.

    Raises:
        RulesError: a share of -1 or less.
    """
    if share <= -1:
        raise RulesError(f"share={share}; give more than -1, so that the face keeps some weight")
    return Fraction(share)


@public
def faulty_law(rollable: Rollable, faults: Iterable[Fault]) -> Law:
    """The exact distribution of a roll with faults in its dice.

    >>> from sevenout.rolling.special.ranked import tatham
    >>> law = faulty_law(tatham().totals, [Fault(die=0, face=3, share=Fraction(1, 4))])
    >>> law[8] / law[6]
    Fraction(5, 4)
    """
    return Law(rollable.weigh(faulty_weights(rollable, faults)))


@public
def faulty_dice(dice: Dice, faults: Iterable[Fault]) -> Dice:
    """The dice with the faults in them.

    >>> from sevenout.rolling.notation import parse_dice
    >>> print(faulty_dice(parse_dice("2d6"), [Fault(0, 2, Fraction(1, 10))]))
    d6{1:10,2:10,3:11,4:10,5:10,6:10}+d6
    """
    rows = faulty_weights(dice, faults)
    return Dice(
        [Die(die.faces, row) for die, row in zip(dice.dice, rows, strict=True)],
        total=dice.total,
        hard=dice.hard,
    )


@public
def shares_law(deviation: Fraction, steps: int = 4) -> Law:
    """A centred binomial distribution of shares, exact.

    >>> law = shares_law(Fraction(1, 20))
    >>> law.mean, law.variance
    (Fraction(0, 1), Fraction(1, 400))

    Args:
        deviation: the standard deviation; less than 1 / (2 `steps`), so that no share reaches -1.
        steps: values per standard deviation; 4 `steps`² + 1 in all.

    Raises:
        RulesError: a deviation out of range.
    """
    deviation = Fraction(deviation)
    coins = 4 * steps * steps
    step = deviation / steps  # a toss adds ±step/2, of variance step²/4
    if deviation <= 0 or step * coins / 2 >= 1:
        raise RulesError(
            f"a standard deviation of {deviation} in {steps} steps; "
            f"it must be more than 0 and less than {Fraction(1, 2 * steps)}"
        )
    return Law({step * (k - coins // 2): comb(coins, k) for k in range(coins + 1)})


@public
def random_faults(rollable: Rollable, shares: Law, seed: int) -> tuple[Fault, ...]:
    """Independent faults for all faces, drawn from a distribution of shares.

    >>> from sevenout.rolling.die import Die
    >>> faults = random_faults(Die.standard(6), shares_law(Fraction(1, 20)), seed=1)
    >>> len(faults), faults == random_faults(Die.standard(6), shares_law(Fraction(1, 20)), seed=1)
    (6, True)

    Raises:
        RulesError: a share of -1 or less is possible.
    """
    heavier(min(shares))
    chance = random.Random(seed)
    places = [(d, f) for d, source in enumerate(rollable.sources) for f in range(len(source.faces))]
    drawn = chance.choices(shares.faces, shares.weights, k=len(places))
    return tuple(Fault(d, f, share) for (d, f), share in zip(places, drawn, strict=True))


class Mean(NamedTuple):
    """Means over random faults, each with its standard error.

    Attributes:
        variation: the total variation distance.
        chi_square: the chi-square distance, per roll.
        ratio: the greatest distortion of a ratio.
    """

    variation: tuple[float, float]
    chi_square: tuple[float, float]
    ratio: tuple[float, float]


@public
def mean_change(rollable: Rollable, shares: Law, *, draws: int = 10_000, seed: int = 1) -> Mean:
    """The mean change by random faults, by sampling in floats, with standard errors.

    >>> from sevenout.rolling.die import Die
    >>> mean = mean_change(Die.standard(6), shares_law(Fraction(1, 20)), draws=1000)
    >>> round(mean.chi_square[0], 3)
    0.002

    Raises:
        RulesError: fewer than 2 draws, a seed below 0, or a share of -1 or less is possible.
    """
    import numpy as np

    heavier(min(shares))
    if draws < 2:
        raise RulesError(f"draws={draws}; give 2 or more")
    if seed < 0:
        raise RulesError(f"seed={seed}; give 0 or more")
    size = min(draws, MANY) * (sum(len(s.faces) for s in rollable.sources) + 6 * len(rollable.law))
    afford(
        f"{draws:,} draws" if draws < MANY else "this many draws",
        seconds=min(draws, MANY) * rollable.work * 2e-9 + size * 1e-8,
        memory=8 * size,
        instead="10,000 are enough for two digits",
    )
    chance = np.random.default_rng(seed)
    values = np.array([float(share) for share in shares])
    chances = np.array([float(p) for p in shares.values()])
    rows = [
        [w * (1 + chance.choice(values, size=draws, p=chances / chances.sum())) for w in s.weights]
        for s in rollable.sources
    ]
    variation, chi_square, grown = apart(rollable.law, rollable.weigh(rows), draws)

    def summary(sample: Any) -> tuple[float, float]:
        return float(sample.mean()), float(sample.std(ddof=1) / draws**0.5)

    return Mean(
        summary(variation), summary(chi_square), summary(grown.max(axis=0) / grown.min(axis=0))
    )


def apart(law: Law, weighed: Mapping[Any, Any], many: int) -> tuple[Any, Any, Any]:
    """Distances of several distributions from one, in floats; `effects` has them in fractions.

    Args:
        law: the one.
        weighed: for each result, its weight in each of the others.
        many: the number of others.

    Returns:
        total variations, chi-square distances, and a row of probability ratios for each result.
    """
    import numpy as np

    p = np.array([[float(w)] for w in law.values()])
    q = np.array([np.broadcast_to(weighed[x], many) for x in law])
    q = q / q.sum(axis=0)
    return abs(q - p).sum(axis=0) / 2, ((q - p) ** 2 / p).sum(axis=0), q / p
