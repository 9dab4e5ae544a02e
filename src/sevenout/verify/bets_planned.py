"""The number of bets that shows a wrong mean profit."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt

from sevenout.cost import afford
from sevenout.errors import shown
from sevenout.numerals import Number, exact
from sevenout.verify.confidence import confidence_of
from sevenout.verify.dicetests.observed_counts import DataError
from sevenout.verify.manybets import MOST, ManyBets, tilted
from sevenout.verify.planning import reach

TRIES = 40
"""The most numbers of bets that are tried."""
STEP = Fraction(1, 100)
"""The number grows by this share until the power is reached."""


@dataclass(frozen=True)
class BetsNeeded:
    """The number of bets that shows a mean profit lower or higher than stated.

    Attributes:
        normal: by the normal approximation.
        bets: by the distribution of the total, to about 1 %.
        power: the power with `bets` bets.
        limit: the test rejects an actual return below this, or above it if the change is upward.
        method: how the total was computed; "convolution" is within 10^-9.
    """

    normal: int
    bets: int
    power: float
    limit: Fraction
    method: str


def bets_needed(
    law: Mapping[Fraction, Fraction],
    change: Number,
    confidence: Number = "95%",
    power: Number = "95%",
    *,
    sides: int = 1,
) -> BetsNeeded:
    """The bets needed to notice that the mean profit is off by `change` per unit staked.

    >>> coin = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    >>> found = bets_needed(coin, "-2%")
    >>> found.normal, found.bets, round(found.power, 4), found.method
    (27051, 27322, 0.951, 'convolution')

    The alternative is the nearest distribution with that mean, see `tilted`. The statistic is the
    total of the bets.

    Args:
        law: the profit of a bet per unit staked, or any distribution of finitely many values.
        change: the error of the mean; negative if it is lower.
        confidence: the least probability that a correct game is not rejected.
        power: the probability that the wrong game is rejected.
        sides: 2 for a two-sided test, with half of the error on each side.

    Raises:
        DataError: a wrong confidence or power, a change of 0, or too many bets to compute.
        RulesError: no such distribution has this mean.
    """
    if sides not in (1, 2):
        raise DataError(f"sides={shown(sides)}; give 1 or 2")
    off, alpha = exact(change), (1 - confidence_of(confidence)) / sides
    share = confidence_of(power)
    if not off:
        raise DataError("change=0; give a change above 0")
    mean = sum((x * p for x, p in law.items()), Fraction(0))
    other = tilted(law, mean + off)
    unit = float(ManyBets(law, 1).lattice.unit)
    right_one, other_one = (sqrt(ManyBets(each, 1).variance) * unit for each in (law, other))
    normal = ceil((reach((right_one, other_one), alpha, share) / float(off)) ** 2)
    n = max(normal, 1)
    for _ in range(TRIES):
        if n > MOST:
            raise DataError(f"it would take over {MOST:,} bets; ask for a larger change")
        afford(f"the distribution of {n:,} bets", seconds=1.0)
        right, wrong = ManyBets(law, n), ManyBets(other, n)
        limits = right.limits(1 - 2 * alpha)
        end = limits.low if off < 0 else limits.high
        total = (end - 1) * n
        beyond = wrong.below(total) if off < 0 else 1 - wrong.below(total + right.lattice.unit)
        if beyond >= share:
            return BetsNeeded(normal, n, beyond, end, right.method)
        n = ceil(n * (1 + STEP))
    raise DataError(f"the power {shown(power)} is not reached with {n:,} bets; ask for less")
