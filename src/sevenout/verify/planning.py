"""How many games a test needs, and how small a bias it can show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log, sqrt
from statistics import NormalDist
from typing import Any

from sevenout.cost import afford
from sevenout.errors import shown
from sevenout.extras import needs
from sevenout.numerals import Number
from sevenout.verify.confidence import confidence_of, probability_of
from sevenout.verify.dicetests.observed_counts import DataError
from sevenout.verify.dicetests.power_crossing import Saw

MANY = 1_000_000
"""With more wins than this, stretches are not searched one by one."""
SUREST = Fraction(1, 10**12)
"""A confidence or a power closer to 1 is too close for floats."""
RAREST = Fraction(1, 10**100)
"""A probability closer to 0, to 1 or to another is too small for floats."""
MOST = 10**15
"""The most games that floats can count one by one."""
Probability = Fraction | float


@dataclass(frozen=True)
class GamesNeeded:
    """The number of games that tells one probability from another.

    >>> games_needed(Fraction(1, 2), Fraction(2, 3)).first
    98

    The power of an exact test is not monotone in the number of games, since wins are whole numbers.

    Attributes:
        normal: by the normal approximation.
        first: the first number of games at which the exact binomial test has the power.
        stays: the number from which it always has.
    """

    normal: int
    first: int
    stays: int


def games_needed(
    p0: Probability | Number,
    p1: Probability | Number,
    confidence: Number = "95%",
    power: Probability | Number = 0.95,
    *,
    sides: int = 1,
) -> GamesNeeded:
    """The games needed to tell a win probability of p1 from p0.

    >>> games_needed(Fraction(1, 2), Fraction(244, 495))
    GamesNeeded(normal=54111, first=54148, stays=54335)

    `first` and `stays` are proved for every number of games. For p1 < p0 let c(n) be the largest
    number of wins that is rejected. c(n) can only grow with n, and P(X(n) <= c) only fall. So for n
    in a..b the power lies between P1(X(b) <= c(a)) and P1(X(a) <= c(b)), and most stretches need no
    search; likewise for p1 > p0. Bernstein's inequality bounds n. If p0 gives more than a million
    wins, see `power_crossing`. A tail of exactly 1 - confidence rejects.

    Args:
        p0: the tested probability.
        p1: the alternative.
        confidence: the least probability of not rejecting p0 if it is true.
        power: the least probability of rejecting p0 if p1 is true. A float is read as the decimal
            that it prints as: 0.8 is 4/5; likewise for p0 and p1.
        sides: 2 for a two-sided test, with half of the error on each side.

    Raises:
        DataError: a number not between 0 and 1, or p0 and p1 equal or so close that it would take
            over 10^15 games.
        TooMuchWorkError: more games to look at than the budget allows.
    """
    needs("scipy", "verify")
    if sides not in (1, 2):
        raise DataError(f"sides={shown(sides)}; give 1 or 2")
    alpha, share = (1 - confidence_of(confidence)) / sides, _between("power", power)
    tested, true = _between("p0", p0), _between("p1", p1)
    if tested == true:
        raise DataError(f"p0 and p1 are both {p0}; give two different probabilities")
    if alpha >= share:
        raise DataError(
            f"power={power} is at most {float(alpha):g}, which chance alone reaches; give more"
        )
    if min(alpha, 1 - share) < SUREST:
        raise DataError(
            f"confidence={confidence}, power={power}; give at most {float(1 - SUREST):.12f}"
        )
    if min(tested, 1 - tested, true, 1 - true, abs(tested - true)) < RAREST:
        raise DataError(
            f"p0={p0}, p1={p1}; give probabilities that are {float(RAREST):g} or more from 0, from "
            "1 and from each other"
        )
    p, q = _rarer(tested, true)
    gap, spread = float(abs(p - q)), (_deviation(p), _deviation(q))
    root = reach(spread, alpha, share)
    rare = -float(log(alpha) / p if q < p else log(1 - share) / q)  # until there is a win
    if max(root / gap, sqrt(rare)) > sqrt(MOST):
        about = f"some {max(root / gap, sqrt(rare)) ** 2:.1e}"
        raise DataError(
            f"the test would need {about} games, more than {MOST:.0e}; give probabilities that "
            "differ more"
        )
    normal = max(1, ceil((root / gap) ** 2)) if root > 0 else 1
    saw = Saw(p, q, alpha, share)
    if (wins := normal * p) > MANY:
        afford(f"finding out how many games, some {normal:.1e},", seconds=1e-5 * sqrt(2 * wins))
        return GamesNeeded(normal, saw.first(normal), saw.stays(normal))
    beyond = _beyond(gap, spread, (log(1 / alpha), -log(1 - share)))
    stays = _search(1, beyond, lambda a, b: not saw.always(a, b), last=True)
    first = _search(1, beyond, saw.ever, last=False)
    assert first is not None  # Bernstein's bound
    return GamesNeeded(normal, first, 1 if stays is None else stays + 1)


def reach(spread: tuple[float, float], alpha: Probability, power: Probability) -> float:
    """The least detectable change of a mean by the normal approximation, times √n for n games.

    >>> round(reach((1.0, 1.0), Fraction(1, 20), Fraction(19, 20)), 4)
    3.2897

    Args:
        spread: the standard deviations under the hypothesis and the alternative.
        alpha: the one-sided level.
        power: the probability of detection.
    """
    normal = NormalDist()
    return -normal.inv_cdf(float(alpha)) * spread[0] - normal.inv_cdf(float(1 - power)) * spread[1]


def mean_needed(
    mean: Fraction,
    variance: Fraction | float,
    change: Fraction,
    confidence: Number = "95%",
    power: Number = "95%",
    *,
    sides: int = 1,
) -> tuple[int, float]:
    """The games needed to detect a change of a mean, and the mean beyond which the test rejects.

    By the normal approximation, with the exact variance of a game.

    >>> mean_needed(Fraction(557, 165), Fraction(9), Fraction(1, 10), sides=2)[0]
    11696

    Raises:
        DataError: sides other than 1 or 2, or a variance of 0.
    """
    if sides not in (1, 2):
        raise DataError(f"sides={shown(sides)}; give 1 or 2")
    if not variance:
        raise DataError("it is the same in every game; one game shows a change")
    alpha, share = (1 - confidence_of(confidence)) / sides, confidence_of(power)
    spread = sqrt(variance)
    games = max(1, ceil((reach((spread, spread), alpha, share) / float(change)) ** 2))
    off = reach((spread, spread), alpha, Fraction(1, 2)) / sqrt(games)
    return games, float(mean) + (off if change > 0 else -off)


def least_share(p: Fraction, games: int, alpha: Probability, power: Probability) -> float | None:
    """The least probability above p that the exact binomial test of these games detects, or None.

    `games_needed` is its inverse.

    >>> round(least_share(Fraction(1, 2), 98, Fraction(1, 20), Fraction(19, 20)), 4)
    0.6659
    """
    needs("scipy", "verify")
    from scipy.special import betaincinv
    from scipy.stats import binom

    most = int(binom.isf(float(alpha), games, float(p)))
    if most >= games or not 0 < p < 1:
        return None
    return float(betaincinv(most + 1, games - most, float(power)))


def _between(name: str, value: Probability | Number) -> Fraction:
    """An exact probability; a float is the decimal that it prints as."""
    if not isinstance(value, float):
        return probability_of(name, value)
    if not 0 < value < 1:
        raise DataError(f"{name}={value}; give more than 0 and less than 1")
    return Fraction(repr(value))


def _deviation(p: Fraction) -> float:
    return sqrt(p * (1 - p))


def _beyond(gap: float, spread: tuple[float, float], nats: tuple[float, float]) -> int:
    """A number of games from which on the test has the power, by Bernstein's inequality.

    With probability 1 - e^-nats, n games are within √(2n·nats)·spread + 2/3 nats of their means,
    which are n·gap apart. The critical number of wins is whole, which may cost one.
    """
    wide = sum(s * sqrt(2 * x) for s, x in zip(spread, nats, strict=True))
    rest = sum(nats) * 2 / 3 + 1
    return ceil((((wide + sqrt(wide**2 + 4 * gap * rest)) / (2 * gap)) ** 2) * (1 + 1e-9)) + 1


def _rarer(p0: Fraction, p1: Fraction) -> tuple[Fraction, Fraction]:
    """The probabilities of the rarer of win and loss, for shorter stretches."""
    return (1 - p0, 1 - p1) if p0 > Fraction(1, 2) else (p0, p1)


def _search(a: int, b: int, possible: Callable[[int, int], bool], *, last: bool) -> int | None:
    """The first or last n that is possible; an impossible stretch holds none."""
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
    """The smallest bias of each face that this many rolls show with the given power.

    A bias of 0.1 makes a face a tenth more likely, and rescales the others. By the noncentral
    chi-square approximation: a bias δ of a face of probability p has the noncentrality
    rolls × δ² p / (1 - p).

    >>> from sevenout.rolling import d6
    >>> round(smallest_bias(d6.law, 1000)[6], 3)
    0.287

    Raises:
        DataError: no rolls; a distribution of one outcome.
    """
    if rolls < 1:
        raise DataError(f"{rolls} rolls; give 1 or more")
    needed = noncentrality(len(law) - 1, confidence, power)
    return {face: sqrt(needed * float((1 - p) / p) / rolls) for face, p in law.items() if p}


def noncentrality(df: int, confidence: Number, power: float) -> float:
    """The noncentrality at which a chi-square test has the power.

    >>> round(noncentrality(5, "95%", 0.9), 4)
    16.4695
    """
    needs("scipy", "verify")
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    if df < 1:
        raise DataError("the distribution has only one outcome, so there is nothing to test")
    alpha = float(1 - confidence_of(confidence))
    if not alpha < power < 1:
        raise DataError(
            f"power={power}; give more than {alpha:g}, which chance alone reaches, and less than 1"
        )
    critical = chi2.isf(alpha, df)
    high = 1.0
    while ncx2.sf(critical, df, high) < power:
        high *= 2
    return float(
        brentq(lambda x: ncx2.sf(critical, df, x) - power if x else alpha - power, 0, high)
    )
