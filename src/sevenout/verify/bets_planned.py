"""Planning with bets: how many of them show that the mean is not what it should be."""

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
"""Numbers of bets that are looked at."""
STEP = Fraction(1, 100)
"""By this much more are taken, until the power is reached."""


@dataclass(frozen=True)
class BetsNeeded:
    """How many bets show that the mean profit is lower, or higher, than it should be.

    Attributes:
        normal: the textbook's number, by the normal distribution.
        bets: a number, to about 1 %, that has the power by the distribution of the total.
        power: that power.
        limit: the actual return at which the test rejects: less than that, or more if it is higher.
        method: how the distribution of the total was found: "convolution" is within 10^-9.
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

    The game that should be noticed is the nearest with that mean, see `tilted`. What is tested is
    the total of the bets, by its distribution: of a counter, or of what a game comes to, give its
    distribution.

    Args:
        law: the profit of a bet per unit staked, or any other distribution of finitely
            many values.
        change: by how much the mean is off; less than 0 where it is lower.
        confidence: how likely, at least, a right game is not rejected.
        power: how likely the other is.
        sides: 2 to reject a mean that is lower or higher; each side has half of the error.

    Raises:
        DataError: no confidence or power, a change of 0, or more bets than are worked out.
        RulesError: a change that no such distribution has.
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
