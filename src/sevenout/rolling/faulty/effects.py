"""How the distribution of a roll depends on faults of its dice, and distances between
distributions.

Let W(r) be the weight of result r, W(r|f) the part of it in which face f shows, and W, W(f) their
sums over the results. If face f is heavier by a share, to first order

    dp(r) / dshare(f)  =  (W(r|f) - p(r) W(f)) / W.

For a share of any size, multiply by share / (1 + share W(f) / W).
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError
from sevenout.rolling.faulty.faults import Fault, heavier
from sevenout.rolling.laws import Law, Rollable
from sevenout.wrong_arguments import public

FOLLOWING = "the effect of each face on each result"
FEWER = "choose fewer dice or sides"
CELL = 1e-4
"""Seconds to compute the sensitivity of one result to one face and compare it with the others."""


@dataclass(frozen=True)
class Sensitivity:
    """The derivative of the probability of each result in the share of each face.

    >>> from sevenout.rolling.notation import parse_dice
    >>> sensitivity(parse_dice("d2").totals).matrix
    ((Fraction(1, 4), Fraction(-1, 4)), (Fraction(-1, 4), Fraction(1, 4)))

    Attributes:
        law: the distribution without faults.
        faces: (die, face) of each column.
        painted: the values of those faces.
        shares: the probability of each of those faces.
        matrix: dp(r) / dshare(f); a row for each result, in the distribution's order.
    """

    law: Law
    faces: tuple[tuple[int, int], ...]
    painted: tuple[Hashable, ...]
    shares: tuple[Fraction, ...]
    matrix: tuple[tuple[Fraction, ...], ...]

    @property
    def fragility(self) -> Fraction:
        """The mean chi-square distance per unit of variance of independent faults, to second order.

        Each face is heavier by an independent share of mean 0 and equal variance.
        """
        return sum(
            (
                sum((x * x for x in row), Fraction(0)) / p
                for row, p in zip(self.matrix, self.law.values(), strict=True)
            ),
            Fraction(0),
        )

    def after(self, column: int, share: Fraction) -> Law:
        """The exact distribution when one face is heavier by this share."""
        scale = share / (1 + share * self.shares[column])
        return Law.of(
            {
                result: p + row[column] * scale
                for (result, p), row in zip(self.law.items(), self.matrix, strict=True)
            }
        )


@public
def sensitivity(rollable: Rollable) -> Sensitivity:
    """The exact sensitivity of each result to each face.

    >>> from sevenout.rolling.notation import parse_dice
    >>> found = sensitivity(parse_dice("2d6").totals)
    >>> {total: str(row[2]) for total, row in zip(found.law, found.matrix) if total < 8}
    {2: '-1/216', 3: '-1/108', 4: '1/72', 5: '1/108', 6: '1/216', 7: '0'}
    """
    rows = [source.weights for source in rollable.sources]
    afford_following([rollable])
    law = rollable.law
    whole: int = sum(rollable.weigh(rows).values())
    faces, shares, columns = [], [], []
    for die, row in enumerate(rows):
        for face, weight in enumerate(row):
            only = [0] * len(row)
            only[face] = weight
            part = rollable.weigh([*rows[:die], only, *rows[die + 1 :]])
            mass: int = sum(part.values())
            faces.append((die, face))
            shares.append(Fraction(mass, whole))
            columns.append([(part.get(r, 0) - p * mass) / whole for r, p in law.items()])
    painted = tuple(face for source in rollable.sources for face in source.faces)
    return Sensitivity(law, tuple(faces), painted, tuple(shares), tuple(zip(*columns, strict=True)))


def afford_following(rollables: Iterable[Rollable]) -> None:
    """Check the budget for the sensitivities of some rolls.

    Raises:
        TooMuchWorkError: over the budget.
    """
    seconds, memory = 0.0, 0.0
    for rollable in rollables:
        faces = sum(len(source.faces) for source in rollable.sources)
        seconds += faces * rollable.work * 5e-7
        afford(FOLLOWING, seconds=seconds, instead=FEWER)  # before the distribution is computed
        law = rollable.law
        cells = faces * len(law) * (1 + law.denominator.bit_length() / 250)
        seconds, memory = seconds + cells * CELL, max(memory, cells * 250)
    afford(FOLLOWING, seconds=seconds, memory=memory, instead=FEWER)


@public
def total_variation(p: Law, q: Law) -> Fraction:
    """Half the sum of |q - p|: the greatest difference in the probability of any event.

    >>> total_variation(Law({1: 1, 2: 1}), Law({1: 3, 2: 1}))
    Fraction(1, 4)
    """
    return sum((abs(q.p(x) - p.p(x)) for x in {**p, **q}), Fraction(0)) / 2


@public
def chi_square(p: Law, q: Law) -> Fraction:
    """The sum of (q - p)² / p; n times it is the noncentrality of a chi-square test of n rolls.

    >>> chi_square(Law({1: 1, 2: 1}), Law({1: 3, 2: 1}))
    Fraction(1, 4)

    Raises:
        RulesError: q has a result that is impossible in p.
    """
    if strange := [x for x in q if x not in p]:
        raise RulesError(f"{strange[0]!r} has probability 0 in the distribution to compare with")
    return sum(((q.p(x) - w) ** 2 / w for x, w in p.items()), Fraction(0))


class Ratio(NamedTuple):
    """The most distorted ratio of two results: `high` to `low` is `times` as large as it should
    be.
    """

    times: Fraction
    high: Hashable
    low: Hashable


@public
def distortion(p: Law, q: Law) -> Ratio:
    """The most distorted ratio of two results.

    >>> distortion(Law({1: 1, 2: 1}), Law({1: 5, 2: 4}))
    Ratio(times=Fraction(5, 4), high=1, low=2)
    """
    grown = {x: q.p(x) / w for x, w in p.items()}
    high, low = max(grown, key=lambda x: grown[x]), min(grown, key=lambda x: grown[x])
    if not grown[low]:
        raise RulesError(
            f"{low!r} has probability 0 with this fault, so a ratio to it is undefined"
        )
    return Ratio(grown[high] / grown[low], high, low)


class Worst(NamedTuple):
    """The greatest change by one fault, in three measures.

    Attributes:
        variation: the total variation distance.
        chi_square: the chi-square distance, per roll.
        ratio: the most distorted ratio.
        by: the fault behind each of the three.
    """

    variation: Fraction
    chi_square: Fraction
    ratio: Ratio
    by: tuple[Fault, Fault, Fault]


@public
def worst(rollable: Rollable | Sensitivity, share: Fraction) -> Worst:
    """The exact greatest change when one face is heavier by a share.

    >>> from sevenout.rolling.notation import parse_dice
    >>> worst(parse_dice("2d6").totals, Fraction(1, 4)).ratio.times
    Fraction(5, 4)

    Raises:
        RulesError: a share of -1 or less.
    """
    found, laws = _all_after(rollable, share)
    faults = [Fault(*face, Fraction(share)) for face in found.faces]

    def most(scores: Sequence[Any]) -> tuple[Any, Fault]:
        k = max(range(len(scores)), key=lambda k: scores[k])
        return scores[k], faults[k]

    variation, by_variation = most([total_variation(found.law, law) for law in laws])
    chi, by_chi = most([chi_square(found.law, law) for law in laws])
    ratio, by_ratio = most([distortion(found.law, law) for law in laws])
    return Worst(variation, chi, ratio, (by_variation, by_chi, by_ratio))


@public
def worst_ratio(
    rollable: Rollable | Sensitivity, share: Fraction, one: Hashable, other: Hashable
) -> Fraction:
    """The greatest distortion of the ratio of two results when one face is heavier by a share.

    >>> from sevenout.rolling.notation import parse_dice
    >>> worst_ratio(parse_dice("2d6").totals, Fraction(1, 4), 6, 8)
    Fraction(21, 20)

    Raises:
        RulesError: an impossible result, or a share of -1 or less.
    """
    found, laws = _all_after(rollable, share)
    for result in (one, other):
        if result not in found.law:
            raise RulesError(f"{result!r} can't be rolled; choose from {list(found.law)}")
    fair = found.law[one] / found.law[other]
    ratios = [law[one] / law[other] / fair for law in laws]
    return max(*ratios, *(1 / ratio for ratio in ratios))


def _all_after(rollable: Rollable | Sensitivity, share: Fraction) -> tuple[Sensitivity, list[Law]]:
    """The sensitivity, and the distribution with each face heavier in turn."""
    share = heavier(share)
    found = rollable if isinstance(rollable, Sensitivity) else sensitivity(rollable)
    return found, [found.after(column, share) for column in range(len(found.faces))]
