"""Faults of real dice: faces with the wrong weight, and what they do to a roll.

A fault multiplies the weight of one face by 1 + share. The weight of a result is a sum of products
of face weights, so the distribution of a roll with faults is exact.

Let W(r) be the weight of result r, W(r|f) the part of it in which face f shows, and W, W(f) their
sums over the results. If face f is heavier by a share, to first order

    dp(r) / dshare(f)  =  (W(r|f) - p(r) W(f)) / W.

For a share of any size, multiply by share / (1 + share W(f) / W).

The greatest change by faults on all faces together, each up to a share either way, is at a corner.
The share of one face moves the distribution along a line. On a line the probability of an event and
the ratio of two results are monotone, and the chi-square distance is convex. So each maximum is at
a corner, where every share is at an end. Equal faces of one die are interchangeable there.
"""

import random
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm, prod
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, printable, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.convolution import ESTIMATE_CAP
from sevenout.rolling.die import Dice, Die
from sevenout.rolling.distribution import group_by_key
from sevenout.rolling.laws import Law, Rollable, Source
from sevenout.wrong_arguments import public

ZERO = Fraction(0)
"""The probability of a result that one of two distributions has not."""


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


def find_face(rollable: Rollable, die: int, text: str) -> Fault:
    """A face with this text, or a ranked face of that value, as a fault of share 0.

    >>> from sevenout.rolling.ranked import tatham
    >>> find_face(tatham(), 0, "8")
    Fault(die=0, face=3, share=Fraction(0, 1))

    Raises:
        RulesError: there is no such die or face.
    """
    sources = rollable.sources
    if not 0 <= die < len(sources):
        raise RulesError(f"die {die} of {len(sources)}; dice are counted from 0")
    for i, face in enumerate(sources[die].faces):
        if text in (str(face), str(getattr(face, "value", face))):
            return Fault(die, i, Fraction(0))
    faces = ", ".join(map(str, sources[die].faces))
    raise RulesError(f"no face shows {text}; those of this die show {faces}")


def faulty_weights(rollable: Rollable, faults: Iterable[Fault]) -> list[list[int]]:
    """The integer weight of each face of each source, with the faults.

    Raises:
        RulesError: a die or face that doesn't exist, or a share of -1 or less.
    """
    rows = [list(map(Fraction, source.weights)) for source in rollable.sources]
    for die, face, share in faults:
        if not 0 <= die < len(rows) or not 0 <= face < len(rows[die]):
            raise RulesError(f"there is no face {face} on die {die}; both are counted from 0")
        rows[die][face] *= 1 + checked_share(share)
    scales = [lcm(*(w.denominator for w in row)) for row in rows]
    return [[int(w * scale) for w in row] for row, scale in zip(rows, scales, strict=True)]


def checked_share(share: Number) -> Fraction:
    """The share as a fraction.

    Raises:
        RulesError: a float, or a share of -1 or less.
    """
    share = exact(share)
    if share <= -1:
        raise RulesError(f"share={share}; give more than -1, so that the face keeps some weight")
    return share


@public
def faulty_law(rollable: Rollable, faults: Iterable[Fault]) -> Law:
    """The exact distribution of a roll with faults in its dice.

    >>> from sevenout.rolling.ranked import tatham
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
def shares_law(deviation: Number, steps: int = 4) -> Law:
    """A centred binomial distribution of shares, exact.

    >>> law = shares_law(Fraction(1, 20))
    >>> law.mean, law.variance
    (Fraction(0, 1), Fraction(1, 400))

    Args:
        deviation: the standard deviation; less than 1 / (2 `steps`), so that no share reaches -1.
        steps: values per standard deviation; 4 `steps`² + 1 in all.

    Raises:
        RulesError: a deviation out of range, or fewer steps than 1.
    """
    deviation = exact(deviation)
    if type(steps) is not int or steps < 1:
        raise RulesError(f"steps={shown(steps)}; give 1 or more")
    coins = 4 * steps * steps
    step = deviation / steps  # a toss adds ±step/2, of variance step²/4
    if deviation <= 0 or step * coins / 2 >= 1:
        raise RulesError(
            f"a standard deviation of {printable(str(deviation), 60)} in "
            f"{printable(str(steps), 60)} steps; it must be more than 0 and less than "
            f"{printable(str(Fraction(1, 2 * steps)), 60)}"
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
        RulesError: a seed below 0, or a share of -1 or less is possible.
    """
    # the least share is the only one that can take a face its whole weight
    checked_share(min(shares))
    _check_seed(seed)
    generator = random.Random(seed)
    positions = [
        (d, f) for d, source in enumerate(rollable.sources) for f in range(len(source.faces))
    ]
    drawn = generator.choices(shares.faces, shares.weights, k=len(positions))
    return tuple(Fault(d, f, share) for (d, f), share in zip(positions, drawn, strict=True))


def _check_seed(seed: int) -> None:
    """Refuse a seed that generators read in different ways: below 0, or None."""
    if type(seed) is not int or seed < 0:
        raise RulesError(f"seed={shown(seed)}; give 0 or more")


class SampleMean(NamedTuple):
    """The mean of a sample, in floats.

    Attributes:
        mean: the mean.
        standard_error: its standard error.
    """

    mean: float
    standard_error: float


class MeanChange(NamedTuple):
    """Means over random faults.

    Attributes:
        variation: the total variation distance.
        chi_square: the chi-square distance, per roll.
        ratio: the greatest distortion of a ratio.
    """

    variation: SampleMean
    chi_square: SampleMean
    ratio: SampleMean


@public
def mean_change(
    rollable: Rollable, shares: Law, *, draws: int = 10_000, seed: int = 1
) -> MeanChange:
    """The mean change by random faults, by sampling in floats, with standard errors.

    >>> from sevenout.rolling.die import Die
    >>> mean = mean_change(Die.standard(6), shares_law(Fraction(1, 20)), draws=1000)
    >>> round(mean.chi_square.mean, 3)
    0.002

    Raises:
        RulesError: fewer than 2 draws, a seed below 0, or a share of -1 or less is possible.
    """
    import numpy as np

    checked_share(min(shares))
    if draws < 2:
        raise RulesError(f"draws={draws}; give 2 or more")
    _check_seed(seed)
    size = min(draws, ESTIMATE_CAP) * (
        sum(len(s.faces) for s in rollable.sources) + 6 * len(rollable.law)
    )
    afford(
        f"{draws:,} draws" if draws < ESTIMATE_CAP else "this many draws",
        seconds=min(draws, ESTIMATE_CAP) * rollable.work * 2e-9 + size * 1e-8,
        memory=8 * size,
        instead="10,000 are enough for two digits",
    )
    generator = np.random.default_rng(seed)
    values = np.array([float(share) for share in shares])
    chances = np.array([float(p) for p in shares.values()])
    rows = [
        [
            w * (1 + generator.choice(values, size=draws, p=chances / chances.sum()))
            for w in s.weights
        ]
        for s in rollable.sources
    ]
    variation, chi_square, ratios = float_distances(rollable.law, rollable.weigh(rows), draws)

    def summary(sample: Any) -> SampleMean:
        return SampleMean(float(sample.mean()), float(sample.std(ddof=1) / draws**0.5))

    return MeanChange(
        summary(variation), summary(chi_square), summary(ratios.max(axis=0) / ratios.min(axis=0))
    )


def float_distances(law: Law, weighed: Mapping[Any, Any], count: int) -> tuple[Any, Any, Any]:
    """Distances of several distributions from one, in floats; `effects` has them in fractions.

    Args:
        law: the one.
        weighed: for each result, its weight in each of the others.
        count: the number of others.

    Returns:
        total variations, chi-square distances, and a row of probability ratios for each result.
    """
    import numpy as np

    p = np.array([[float(w)] for w in law.values()])
    q = np.array([np.broadcast_to(weighed[x], count) for x in law])
    q = q / q.sum(axis=0)
    return abs(q - p).sum(axis=0) / 2, ((q - p) ** 2 / p).sum(axis=0), q / p


CELL_SECONDS = 1e-4
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
        face_values: the values of those faces.
        face_probabilities: of those faces.
        matrix: dp(r) / dshare(f); a row for each result, in the distribution's order.
    """

    law: Law
    faces: tuple[tuple[int, int], ...]
    face_values: tuple[Hashable, ...]
    face_probabilities: tuple[Fraction, ...]
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

    def faulty_law(self, column: int, share: Fraction) -> Law:
        """The exact distribution when the face of a column is heavier by this share.

        Raises:
            RulesError: a share of -1 or less.
        """
        share = checked_share(share)
        scale = share / (1 + share * self.face_probabilities[column])
        return Law.of_probabilities(
            {
                result: p + row[column] * scale
                for (result, p), row in zip(self.law.items(), self.matrix, strict=True)
            }
        )


@public
def sensitivity(rollable: Rollable) -> Sensitivity:
    """The exact sensitivity of each result to each face.

    >>> from sevenout.rolling.notation import parse_dice
    >>> effects = sensitivity(parse_dice("2d6").totals)
    >>> {total: str(row[2]) for total, row in zip(effects.law, effects.matrix) if total < 8}
    {2: '-1/216', 3: '-1/108', 4: '1/72', 5: '1/108', 6: '1/216', 7: '0'}
    """
    rows = [source.weights for source in rollable.sources]
    afford_sensitivities([rollable])
    law = rollable.law
    whole: int = sum(rollable.weigh(rows).values())
    faces, face_probabilities, columns = [], [], []
    for die, row in enumerate(rows):
        for face, weight in enumerate(row):
            only = [0] * len(row)
            only[face] = weight
            part = rollable.weigh([*rows[:die], only, *rows[die + 1 :]])
            # the quotient rule: p(r) is linear in a face's weight, over a whole that grows with it
            mass: int = sum(part.values())
            faces.append((die, face))
            face_probabilities.append(Fraction(mass, whole))
            columns.append([(part.get(r, 0) - p * mass) / whole for r, p in law.items()])
    face_values = tuple(face for source in rollable.sources for face in source.faces)
    matrix = tuple(zip(*columns, strict=True))
    return Sensitivity(law, tuple(faces), face_values, tuple(face_probabilities), matrix)


def afford_sensitivities(rollables: Iterable[Rollable]) -> None:
    """Check the budget for the sensitivities of some rolls.

    Raises:
        TooMuchWorkError: over the budget.
    """
    seconds, memory = 0.0, 0.0
    work, advice = "the effect of each face on each result", "choose fewer dice or sides"
    for rollable in rollables:
        faces = sum(len(source.faces) for source in rollable.sources)
        seconds += faces * rollable.work * 5e-7
        # before the distribution is computed, which may take long itself
        afford(work, seconds=seconds, instead=advice)
        law = rollable.law
        cells = faces * len(law) * (1 + law.denominator.bit_length() / 250)
        seconds, memory = seconds + cells * CELL_SECONDS, max(memory, cells * 250)
    afford(work, seconds=seconds, memory=memory, instead=advice)


@public
def total_variation(p: Law, q: Law) -> Fraction:
    """Half the sum of |q - p|: the greatest difference in the probability of any event.

    >>> total_variation(Law({1: 1, 2: 1}), Law({1: 3, 2: 1}))
    Fraction(1, 4)
    """
    return sum((abs(q.get(x, ZERO) - p.get(x, ZERO)) for x in {**p, **q}), Fraction(0)) / 2


@public
def chi_square_distance(p: Law, q: Law) -> Fraction:
    """The sum of (q - p)² / p; n times it is the noncentrality of a chi-square test of n rolls.

    >>> chi_square_distance(Law({1: 1, 2: 1}), Law({1: 3, 2: 1}))
    Fraction(1, 4)

    Raises:
        RulesError: q has a result that is impossible in p.
    """
    _refuse_strange(p, q)
    return sum(((q.get(x, ZERO) - w) ** 2 / w for x, w in p.items()), Fraction(0))


def _refuse_strange(p: Law, q: Law) -> None:
    """Refuse a distribution q with a result that is impossible in p."""
    if strange := [x for x in q if x not in p]:
        raise RulesError(
            f"{shown(strange[0])} has probability 0 in the distribution to compare with"
        )


class Ratio(NamedTuple):
    """The most distorted ratio of two results.

    Attributes:
        times: how many times as large as it should be.
        high: the result that is too frequent.
        low: the result that is too rare.
    """

    times: Fraction
    high: Hashable
    low: Hashable


@public
def distortion(p: Law, q: Law) -> Ratio:
    """The most distorted ratio of two results.

    >>> distortion(Law({1: 1, 2: 1}), Law({1: 5, 2: 4}))
    Ratio(times=Fraction(5, 4), high=1, low=2)

    Raises:
        RulesError: q has a result that is impossible in p, or lacks one that is possible.
    """
    _refuse_strange(p, q)
    grown = {x: q.get(x, ZERO) / w for x, w in p.items()}
    high, low = max(grown, key=lambda x: grown[x]), min(grown, key=lambda x: grown[x])
    if not grown[low]:
        raise RulesError(
            f"{shown(low)} has probability 0 with this fault, so a ratio to it is undefined"
        )
    return Ratio(grown[high] / grown[low], high, low)


class Worst(NamedTuple):
    """The greatest change by one fault, in three measures.

    Attributes:
        variation: the total variation distance.
        chi_square: the chi-square distance, per roll.
        ratio: the most distorted ratio.
        faults: the fault behind each of the three.
    """

    variation: Fraction
    chi_square: Fraction
    ratio: Ratio
    faults: tuple[Fault, Fault, Fault]


@public
def worst(rollable: Rollable | Sensitivity, share: Number) -> Worst:
    """The exact greatest change when one face is heavier by a share.

    >>> from sevenout.rolling.notation import parse_dice
    >>> worst(parse_dice("2d6").totals, Fraction(1, 4)).ratio.times
    Fraction(5, 4)

    Raises:
        RulesError: a share of -1 or less.
    """
    effects, laws = _faulty_laws(rollable, share)
    faults = [Fault(*face, exact(share)) for face in effects.faces]

    def greatest(measure: Callable[[Law, Law], Any]) -> tuple[Any, Fault]:
        scores = [measure(effects.law, law) for law in laws]
        k = max(range(len(scores)), key=lambda k: scores[k])
        return scores[k], faults[k]

    changes = map(greatest, (total_variation, chi_square_distance, distortion))
    (variation, chi_square, ratio), worst_faults = zip(*changes, strict=True)
    return Worst(variation, chi_square, ratio, worst_faults)


@public
def worst_ratio(
    rollable: Rollable | Sensitivity, share: Number, first: Hashable, second: Hashable
) -> Fraction:
    """The greatest distortion of the ratio of two results when one face is heavier by a share.

    >>> from sevenout.rolling.notation import parse_dice
    >>> worst_ratio(parse_dice("2d6").totals, Fraction(1, 4), 6, 8)
    Fraction(21, 20)

    Raises:
        RulesError: an impossible result, or a share of -1 or less.
    """
    effects, laws = _faulty_laws(rollable, share)
    _check_results(effects.law, first, second)
    return max(_pair_distortion(effects.law, law, first, second) for law in laws)


def _check_results(law: Law, *results: Hashable) -> None:
    """Refuse a result that can't be rolled."""
    for result in results:
        if result not in law:
            raise RulesError(f"{shown(result)} can't be rolled; choose from {list(law)}")


def _pair_distortion(p: Law, q: Law, first: Hashable, second: Hashable) -> Fraction:
    """How many times as large or as small the ratio of two results is."""
    change = q[first] / q[second] / (p[first] / p[second])
    return max(change, 1 / change)


def _faulty_laws(rollable: Rollable | Sensitivity, share: Number) -> tuple[Sensitivity, list[Law]]:
    """The sensitivity, and the distribution with each face heavier in turn."""
    share = checked_share(share)
    effects = rollable if isinstance(rollable, Sensitivity) else sensitivity(rollable)
    return effects, [effects.faulty_law(column, share) for column in range(len(effects.faces))]


MAX_CORNERS = 1_000_000
CLOSE_SHARE = 1e-9


class WorstCase(NamedTuple):
    """The greatest change of one kind.

    Attributes:
        change: the total variation, chi-square distance or distortion; exact.
        faults: those that reach it, one for each face.
    """

    change: Fraction
    faults: tuple[Fault, ...]


def corner_count(rollable: Rollable) -> int:
    """The number of corners to compare.

    >>> from sevenout.rolling.notation import parse_dice
    >>> corner_count(parse_dice("2d6").totals)
    4096
    """
    return prod(
        len(group) + 1 for source in rollable.sources for group in _interchangeable_faces(source)
    )


@public
def worst_together(
    rollable: Rollable, share: Number, pair: tuple[Hashable, Hashable] | None = None
) -> tuple[WorstCase, WorstCase, WorstCase]:
    """The greatest total variation, chi-square distance and distortion of a ratio, with the faults.

    Corners are compared in floats; those within a relative 1e-9 of the greatest, in fractions.

    >>> from sevenout.rolling.notation import parse_dice
    >>> variation, chi, ratio = worst_together(parse_dice("2d6").totals, Fraction(1, 4), (8, 6))
    >>> str(variation.change), str(ratio.change)
    ('25/192', '77/57')

    Args:
        rollable: what is rolled.
        share: the greatest change of a face's weight, as a part of it; above 0, less than 1.
        pair: the two results of the ratio; default the most distorted pair.

    Raises:
        RulesError: a share out of range, an impossible result, or over a million corners.
    """
    share, law = exact(share), rollable.law
    if not 0 < share < 1:
        raise RulesError(f"share={share}; give more than 0 and less than 1")
    _check_results(law, *(pair or ()))
    if (count := corner_count(rollable)) > MAX_CORNERS:
        raise RulesError(f"{count:,} corners to look at; choose dice with at most {MAX_CORNERS:,}")
    corners = _Corners(rollable, share)
    variations, distances, grown = float_distances(
        law, corners.weigh(corners.heavy_counts, float), count
    )

    def ratio_change(fair: Law, faulty: Law) -> Fraction:
        return _pair_distortion(fair, faulty, *pair) if pair else distortion(fair, faulty).times

    # of the pair, or of all results
    rows = grown[[list(law).index(x) for x in pair]] if pair else grown
    ratios = rows.max(axis=0) / rows.min(axis=0)
    return (
        corners.worst(variations, total_variation),
        corners.worst(distances, chi_square_distance),
        corners.worst(ratios, ratio_change),
    )


class _Corners:
    """The corners of the faults of some dice: each face is heavier or lighter by the share.

    Equal faces are exchangeable, so only the number of them that are heavier matters.

    Attributes:
        rollable: what is rolled.
        share: by which a face is heavier or lighter.
        groups: the die and the indices of each group of equal faces.
        heavy_counts: how many of each group are heavier, shape (groups, corners).
    """

    def __init__(self, rollable: Rollable, share: Fraction) -> None:
        import numpy as np

        self.rollable, self.share = rollable, share
        self.groups = [
            (die, group)
            for die, source in enumerate(rollable.sources)
            for group in _interchangeable_faces(source)
        ]
        counts = [np.arange(len(group) + 1) for _, group in self.groups]
        axes = np.meshgrid(*counts, indexing="ij")
        self.heavy_counts = np.array([axis.ravel() for axis in axes])

    def weigh(self, heavy_counts: Any, dtype: Any) -> Mapping[Any, Any]:
        """The weight of each result at some corners, times a constant; exact in whole numbers."""
        import numpy as np

        sources = self.rollable.sources
        rows: list[list[Any]] = [[None] * len(source.faces) for source in sources]
        for (die, group), heavy in zip(self.groups, heavy_counts, strict=True):
            for i, face in enumerate(group):
                sign = np.where(i < heavy, 1, -1).astype(dtype)
                weight = sources[die].weights[face]
                rows[die][face] = weight * (self.share.denominator + sign * self.share.numerator)
        return self.rollable.weigh(rows)

    def worst(self, scores: Any, measure: Callable[[Law, Law], Fraction]) -> WorstCase:
        """The corner of the greatest measure, exactly, from its approximation at every corner."""
        import numpy as np

        # floats choose the candidates, fractions decide among them
        candidates = np.flatnonzero(scores >= scores.max() * (1 - CLOSE_SHARE))
        law = self.rollable.law
        weights_by_result = self.weigh(self.heavy_counts[:, candidates], object)
        rows = zip(*(weights_by_result[x] for x in law), strict=True)
        corner_of_law: dict[Law, int] = {}
        for corner, weights in zip(candidates, rows, strict=True):
            corner_of_law.setdefault(Law(dict(zip(law, weights, strict=True))), int(corner))
        values = {faulty: measure(law, faulty) for faulty in corner_of_law}
        worst_law = max(values, key=lambda faulty: values[faulty])
        return WorstCase(values[worst_law], self._faults(corner_of_law[worst_law]))

    def _faults(self, corner: int) -> tuple[Fault, ...]:
        """The fault of each face at a corner."""
        heavy_counts = self.heavy_counts[:, corner].tolist()
        return tuple(
            Fault(die, face, self.share if i < heavy else -self.share)
            for (die, group), heavy in zip(self.groups, heavy_counts, strict=True)
            for i, face in enumerate(group)
        )


def _interchangeable_faces(source: Source) -> list[list[int]]:
    """The faces of a source, grouped by value and weight."""
    keys = zip(source.faces, source.weights, strict=True)
    return list(group_by_key((key, i) for i, key in enumerate(keys)).values())
