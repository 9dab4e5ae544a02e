"""Planning: how many games does it take, and how small a bias can so many rolls show?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log, sqrt
from typing import Any

from sevenout.cost import afford
from sevenout.errors import shown
from sevenout.extras import needs
from sevenout.numerals import Number
from sevenout.verify.cells import DataError
from sevenout.verify.confidence import confidence_of
from sevenout.verify.saw import Saw

MANY = 1_000_000
"""With more games than this the stretches are too many to be settled one by one."""
MOST = 10**15
"""Floats still count so many games one by one."""
Probability = Fraction | float


@dataclass(frozen=True)
class GamesNeeded:
    """How many games tell one probability from another.

    >>> games_needed(Fraction(1, 2), Fraction(2, 3)).first
    98

    The power of an exact test does not grow steadily with the number of games: it saws, since wins
    are whole numbers. So there are two exact answers, and the textbook's.

    Attributes:
        normal: what the normal approximation says.
        first: the first number of games at which the exact binomial test has the power.
        stays: the number from which on it always has.
    """

    normal: int
    first: int
    stays: int


def games_needed(
    p0: Probability, p1: Probability, confidence: Number = "95%", power: float = 0.95
) -> GamesNeeded:
    """The games needed to tell that a win has probability p1 and not p0, by a one-sided test.

    >>> games_needed(Fraction(1, 2), Fraction(244, 495))
    GamesNeeded(normal=54111, first=54148, stays=54335)

    `first` and `stays` hold for every number of games, not for those tried. For p1 < p0 let c(n) be
    the largest number of wins that is rejected. c(n) can only grow with n, and P(X(n) <= c) only
    fall, so for n in a..b the power lies between P1(X(b) <= c(a)) and P1(X(a) <= c(b)), and a
    stretch that these settle need not be searched; likewise for p1 > p0. Hoeffding's inequality
    (1963) settles all n beyond a bound. Of more than a million games, see `saw`.

    Args:
        p0: the probability that is tested.
        p1: the probability that should be noticed.
        confidence: how often, at least, p0 is not rejected when it is true.
        power: how often p0 must be rejected when p1 is true.

    Raises:
        DataError: a probability or a confidence that is not between 0 and 1, or p0 equal to p1, or
            so close that it would take over 10^15 games.
        TooMuchWorkError: it would take more games than the budget allows to look at.
    """
    needs("scipy", "verify")
    from scipy.stats import norm

    alpha = float(1 - confidence_of(confidence))
    for name, value in {"p0": p0, "p1": p1, "power": power}.items():
        if not isinstance(value, float | Fraction):
            raise DataError(f"{name}={shown(value)}; give a fraction between 0 and 1")
        if not 0 < value < 1:
            raise DataError(f"{name}={value}; it must lie between 0 and 1")
    if p0 == p1:
        raise DataError(f"p0 and p1 are both {p0}; no number of games tells them apart")
    if alpha >= power:
        raise DataError(f"power={power} is no more than {alpha:g}, which is chance; ask for more")
    a, b = norm.isf(alpha), norm.isf(1 - power)
    gap = abs(float(p0 - p1))
    root = a * sqrt(p0 * (1 - p0)) + b * sqrt(p1 * (1 - p1))
    normal = max(1, ceil((root / gap) ** 2)) if root > 0 else 1
    if normal > MOST:
        raise DataError(
            f"it would take some {normal:.1e} games; ask for a gap that {MOST:.0e} tell"
        )
    saw = Saw(*_rarer(Fraction(p0), Fraction(p1)), alpha, power)
    if normal > MANY:
        afford(f"finding out how many games, some {normal:.1e},", seconds=1e-5 * sqrt(normal))
        return GamesNeeded(normal, saw.first(normal), saw.stays(normal))
    slack = sqrt(log(1 / alpha) / 2) + sqrt(-log(1 - power) / 2)
    beyond = ceil(((slack + sqrt(slack**2 + 4 * gap)) / (2 * gap)) ** 2) + 1
    stays = _search(1, beyond, lambda a, b: saw.at_least(a, b) < power, last=True)
    first = _search(1, beyond, lambda a, b: saw.at_most(a, b) >= power, last=False)
    assert first is not None  # Hoeffding's bound
    return GamesNeeded(normal, first, 1 if stays is None else stays + 1)


def _rarer(p0: Fraction, p1: Fraction) -> tuple[Fraction, Fraction]:
    """The probabilities of the rarer of win and loss: stretches are shorter then."""
    return (1 - p0, 1 - p1) if p0 > Fraction(1, 2) else (p0, p1)


def _search(a: int, b: int, possible: Callable[[int, int], bool], *, last: bool) -> int | None:
    """The first or last n that is possible; a stretch that is not possible holds none."""
    stretches = [(a, b)]
    while stretches:
        a, b = stretches.pop()
        if not possible(a, b):
            continue
        if a == b:
            return a
        middle = (a + b) // 2
        halves = [(a, middle), (middle + 1, b)]
        stretches += halves if last else reversed(halves)
    return None


def smallest_bias(
    law: Mapping[Any, Fraction], rolls: int, confidence: Number = "95%", power: float = 0.9
) -> dict[Any, float]:
    """The smallest bias of each face that so many rolls would show with the given power.

    A bias of 0.1 makes a face come up a tenth more often, at the cost of all others in proportion.
    By the noncentral chi-square approximation, in which a bias δ of a face of probability p has the
    noncentrality rolls × δ² p / (1 - p).

    >>> from sevenout.dice import d6
    >>> round(smallest_bias(d6.law, 1000)[6], 3)
    0.287

    Raises:
        DataError: no rolls; a law of one outcome.
    """
    if rolls < 1:
        raise DataError(f"{rolls} rolls; give 1 or more")
    needed = noncentrality(len(law) - 1, confidence, power)
    return {face: sqrt(needed * float((1 - p) / p) / rolls) for face, p in law.items() if p}


def noncentrality(df: int, confidence: Number, power: float) -> float:
    """How far off centre a chi-square test must be to have the power.

    >>> round(noncentrality(5, "95%", 0.9), 4)
    16.4695
    """
    needs("scipy", "verify")
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    if df < 1:
        raise DataError("a law of one outcome; there is nothing to test")
    alpha = float(1 - confidence_of(confidence))
    if not alpha < power < 1:
        raise DataError(f"power={power}; it lies between {alpha:g}, which is chance, and 1")
    critical = chi2.isf(alpha, df)
    high = 1.0
    while ncx2.sf(critical, df, high) < power:
        high *= 2
    return float(
        brentq(lambda x: ncx2.sf(critical, df, x) - power if x else alpha - power, 0, high)
    )
