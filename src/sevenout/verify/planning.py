"""How many games a test needs, and how small a bias it can show.

The least fault that each test of a log finds has a power of 90 %. Each test has the level that
Holm's correction leaves it if it is the first to reject. Shares are planned by the exact binomial
distribution, chi-square tests by the noncentral distribution with Cohen's effect size w, the root
of Σ (q - p)²/p over the cells. Means and runs use the normal distribution.

`PowerSawtooth` finds where the power of an exact binomial test crosses a line, for large numbers of
games. The power is a sawtooth: monotone over the stretch of games in which the test rejects at c
wins, with jumps between stretches. The ends of a stretch are the integers next to the real ν(c) at
which c wins have the tail probability α, with the binomial distribution continued by the incomplete
beta function. The power at ν(c), and one game beside it, are smooth edges that rise with c;
bisection finds where each crosses the line. That they rise is not proved; the tests compare the
result with the search of `games_needed`. Between the edges the stretches are tried one by one.
Values too close for floats are decided by balls (Johansson, "Arb", 2017).
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, floor, lcm, log, log1p, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.documents.numbers import percent
from sevenout.errors import shown
from sevenout.extras import require
from sevenout.numerals import Number, exact
from sevenout.verify.counts import DataError, parse_confidence, parse_probability
from sevenout.verify.significance_tests import MAX_ORBITS, table_count, table_weight, tables
from sevenout.wrong_arguments import public

MAX_SEARCHED_WINS = 1_000_000
"""With more wins than this, a search of all stretches takes minutes; see `PowerSawtooth`."""
MIN_ERROR = Fraction(1, 10**12)
"""A confidence or a power nearer to 1 can't be told from 1 in floats."""
MIN_PROBABILITY = Fraction(1, 10**100)
"""A probability nearer to 0, to 1 or to the other makes the tails underflow."""
MAX_GAMES = 10**15
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


@public
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
    wins, see `PowerSawtooth`. A tail of exactly 1 - confidence rejects.

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
    require("scipy", "verify")
    alpha = tail_probability(confidence, sides)
    exact_power = parse_power(power, alpha)
    p, q = _distinct_probabilities(p0, p1)
    # a test of wins is one of losses; of the rarer result, one critical number serves more games
    if p > Fraction(1, 2):
        p, q = 1 - p, 1 - q
    gap, spread = float(abs(p - q)), (_deviation(p), _deviation(q))
    change_root = detectable_change(spread, alpha, exact_power)
    # before it rejects with no win (q < p), or is likely to see the first one
    games_per_win = -float(log(alpha) / p if q < p else log(1 - exact_power) / q)
    if (root := max(change_root / gap, sqrt(games_per_win))) > sqrt(MAX_GAMES):
        raise DataError(
            f"the test would need some {root**2:.1e} games, more than {MAX_GAMES:.0e}; give "
            "probabilities that differ more"
        )
    normal = max(1, ceil((change_root / gap) ** 2)) if change_root > 0 else 1
    sawtooth = PowerSawtooth(p, q, alpha, exact_power)
    # stretches are as many as wins: a search through them would take minutes
    if (wins := normal * p) > MAX_SEARCHED_WINS:
        afford(f"finding out how many games, some {normal:.1e},", seconds=1e-5 * sqrt(2 * wins))
        return GamesNeeded(normal, sawtooth.first_games(normal), sawtooth.stable_games(normal))
    max_games = _bernstein_bound(gap, spread, (log(1 / alpha), -log(1 - exact_power)))
    stays = _find_games(1, max_games, lambda a, b: not sawtooth.always_has_power(a, b), last=True)
    first = _find_games(1, max_games, sawtooth.may_have_power, last=False)
    assert first is not None  # Bernstein's bound
    return GamesNeeded(normal, first, 1 if stays is None else stays + 1)


def _distinct_probabilities(
    p0: Probability | Number, p1: Probability | Number
) -> tuple[Fraction, Fraction]:
    """Both probabilities, exact.

    Raises:
        DataError: one is not between 0 and 1, or too near to an end or to the other.
    """
    p, q = _read_probability("p0", p0), _read_probability("p1", p1)
    if p == q:
        raise DataError(f"p0 and p1 are both {p0}; give two different probabilities")
    # nearer, the tails of the incomplete beta function underflow
    if min(p, 1 - p, q, 1 - q, abs(p - q)) < MIN_PROBABILITY:
        raise DataError(
            f"p0={p0}, p1={p1}; give probabilities that are {float(MIN_PROBABILITY):g} or more "
            "from 0, from 1 and from each other"
        )
    return p, q


def tail_probability(confidence: Number, sides: int) -> Fraction:
    """The probability of error on each tested side.

    >>> tail_probability("95%", 2)
    Fraction(1, 40)

    Raises:
        DataError: a confidence not between 0 and 1, or too near to 1; sides other than 1 or 2.
    """
    if sides not in (1, 2):
        raise DataError(f"sides={shown(sides)}; give 1 or 2")
    alpha = (1 - parse_confidence(confidence)) / sides
    if alpha < MIN_ERROR:
        raise DataError(
            f"confidence={shown(confidence)}; give at most {float(1 - sides * MIN_ERROR):.12f}"
        )
    return alpha


def parse_power(power: Probability | Number, alpha: Fraction) -> Fraction:
    """The power of a test whose probability of error is `alpha`, exactly.

    >>> parse_power("90%", Fraction(1, 20))
    Fraction(9, 10)

    Raises:
        DataError: not between 0 and 1, too near to 1, or no more than `alpha`.
    """
    exact_power = _read_probability("power", power)
    if 1 - exact_power < MIN_ERROR:
        raise DataError(f"power={shown(power)}; give at most {float(1 - MIN_ERROR):.12f}")
    # a test that looks at nothing, and rejects at random, has this power
    if alpha >= exact_power:
        raise DataError(
            f"power={power} is at most {float(alpha):g}, which chance alone reaches; give more"
        )
    return exact_power


def detectable_change(spread: tuple[float, float], alpha: Probability, power: Probability) -> float:
    """The least detectable change of a mean by the normal approximation, times √n for n games.

    >>> round(detectable_change((1.0, 1.0), Fraction(1, 20), Fraction(19, 20)), 4)
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
        DataError: sides other than 1 or 2, a power that chance alone reaches, a change of 0, or a
            variance that is not above 0.
    """
    alpha = tail_probability(confidence, sides)
    exact_power = parse_power(power, alpha)
    if not change:
        raise DataError("change=0; give a change above or below 0")
    if not variance:
        raise DataError(f"every game gives the mean, {mean}; one game shows a change")
    if variance < 0:
        raise DataError(f"variance={variance}; give more than 0")
    spread = sqrt(variance)
    change_root = detectable_change((spread, spread), alpha, exact_power)
    games = max(1, ceil((change_root / float(change)) ** 2))
    # with half the power the limit is the mean of a wrong game
    margin = detectable_change((spread, spread), alpha, Fraction(1, 2)) / sqrt(games)
    return games, float(mean) + (margin if change > 0 else -margin)


def detectable_share(
    p: Fraction, games: int, alpha: Probability, power: Probability
) -> float | None:
    """The least probability above p that the exact binomial test of these games detects, or None.

    `games_needed` is its inverse.

    >>> round(detectable_share(Fraction(1, 2), 98, Fraction(1, 20), Fraction(19, 20)), 4)
    0.6659
    """
    require("scipy", "verify")
    from scipy.special import betaincinv
    from scipy.stats import binom

    # the most wins that do not reject; if all games may be won, nothing rejects
    most_accepted = int(binom.isf(float(alpha), games, float(p)))
    if most_accepted >= games or not 0 < p < 1:
        return None
    return float(betaincinv(most_accepted + 1, games - most_accepted, float(power)))


def _read_probability(name: str, value: Probability | Number) -> Fraction:
    """An exact probability; a float is the decimal that it prints as."""
    # 0.8 means 4/5, and not the fraction of the float
    if not isinstance(value, float):
        return parse_probability(name, value)
    if not 0 < value < 1:
        raise DataError(f"{name}={value}; give more than 0 and less than 1")
    return Fraction(repr(float(value)))  # NumPy's floats print with their type


def _deviation(p: Fraction) -> float:
    """The standard deviation of the wins of one game."""
    return sqrt(p * (1 - p))


def _bernstein_bound(gap: float, spread: tuple[float, float], nats: tuple[float, float]) -> int:
    """A number of games from which on the test has the power, by Bernstein's inequality.

    With probability 1 - e^-nats, n games are within √(2n·nats)·spread + 2/3 nats of their means,
    which are n·gap apart. The critical number of wins is whole, which may cost one.
    """
    spread_term = sum(s * sqrt(2 * x) for s, x in zip(spread, nats, strict=True))
    constant_term = sum(nats) * 2 / 3 + 1
    # gap·n = spread_term·√n + constant_term, a quadratic equation in √n
    root = (spread_term + sqrt(spread_term**2 + 4 * gap * constant_term)) / (2 * gap)
    return ceil(root**2 * (1 + 1e-9)) + 1


def _find_games(
    low: int, high: int, possible: Callable[[int, int], bool], *, last: bool
) -> int | None:
    """The first or last number from low to high that is possible; None if none is.

    `possible` says of a stretch whether it may hold one; of a single number it is exact.
    """
    # a stack: the half that is to be looked at first is on top
    stretches = [(low, high)]
    while stretches:
        first, end = stretches.pop()
        if not possible(first, end):
            continue
        if first == end:
            return first
        middle = (first + end) // 2
        halves = [(first, middle), (middle + 1, end)]
        stretches += halves if last else reversed(halves)
    return None


@public
def smallest_bias(
    law: Mapping[Any, Fraction],
    rolls: int,
    confidence: Number = "95%",
    power: Probability | Number = 0.9,
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
    _check_rolls(rolls)
    needed = noncentrality(len(law) - 1, confidence, power)
    return {face: sqrt(needed * float((1 - p) / p) / rolls) for face, p in law.items() if p}


def _check_rolls(rolls: int) -> None:
    if rolls < 1 or rolls % 1:
        raise DataError(f"{rolls} rolls; give a whole number, 1 or more")


@public
def noncentrality(df: int, confidence: Number, power: Probability | Number) -> float:
    """The noncentrality at which a chi-square test has the power.

    >>> round(noncentrality(5, "95%", 0.9), 4)
    16.4695
    """
    require("scipy", "verify")
    from scipy.special import chndtrinc
    from scipy.stats import chi2

    if df < 1:
        raise DataError("the distribution has only one outcome, so there is nothing to test")
    alpha = 1 - parse_confidence(confidence)
    exact_power = parse_power(power, alpha)
    return float(chndtrinc(chi2.isf(float(alpha), df), df, 1 - float(exact_power)))


Probabilities = Mapping[Any, Fraction]


@public
def fit_power(
    law: Probabilities,
    fault: Probabilities,
    rolls: int,
    confidence: Number = "95%",
    *,
    exact: bool = False,
) -> float:
    """The probability that Pearson's chi-square test rejects `law` if `fault` is true.

    The test rejects if the statistic reaches the chi-square quantile, or if an impossible outcome
    occurs.

    >>> from sevenout.rolling import d6
    >>> loaded = d6.reweigh({6: 2}).law
    >>> round(fit_power(d6.law, loaded, 20), 3), round(fit_power(d6.law, loaded, 20, exact=True), 3)
    (0.16, 0.158)

    Args:
        law: the tested distribution.
        fault: the true distribution.
        rolls: their number.
        confidence: of the test; its level is 1 - confidence, by the chi-square distribution.
        exact: whether to sum over all tables (few rolls); else noncentral chi-square.

    Raises:
        DataError: no rolls, a confidence not between 0 and 1, too many tables, only one outcome, or
            probabilities that don't add up to 1.
        RulesError: a probability that is a float.
    """
    require("scipy", "verify")
    from scipy.stats import chi2, ncx2

    outcomes, p, q = _aligned(law, fault)
    _check_rolls(rolls)
    alpha = float(1 - parse_confidence(confidence))
    critical = float(chi2.isf(alpha, len(outcomes) - 1))
    if exact:
        return float(_exact_power(p, q, rolls, critical))
    # the probability of an outcome that is impossible under the tested distribution
    impossible = 1 - sum(q)
    p_none_impossible = exp(rolls * log1p(-float(impossible))) if impossible < 1 else 0.0
    noncentral = rolls * _distance(p, [x / (1 - impossible) for x in q]) if impossible < 1 else 0.0
    p_rejected = float(ncx2.sf(critical, len(outcomes) - 1, noncentral)) if noncentral else alpha
    return 1 - p_none_impossible * (1 - p_rejected)


@public
def rolls_to_notice(
    law: Probabilities,
    fault: Probabilities,
    confidence: Number = "95%",
    power: Probability | Number = 0.9,
) -> int | None:
    """The rolls that the chi-square test needs to tell `fault` from `law`; None if they are equal.

    By the noncentral chi-square approximation, as in `fit_power`; an impossible outcome rejects at
    once.

    >>> from sevenout.rolling import d6
    >>> rolls_to_notice(d6.law, d6.reweigh({6: Fraction(5, 4)}).law)
    2059

    Raises:
        DataError: a wrong confidence or power, only one outcome, or probabilities that don't add
            up to 1.
        RulesError: a probability that is a float.
    """
    outcomes, p, q = _aligned(law, fault)
    exact_power = parse_power(power, 1 - parse_confidence(confidence))
    least_power = float(exact_power)
    impossible = 1 - sum(q)
    if impossible == 1:
        return 1
    if impossible:
        # as many show an impossible outcome with this power; bisection, since `range` is limited
        low, high = 0, ceil(Fraction(-log1p(-least_power)) / impossible)
        while high - low > 1:
            n = (low + high) // 2
            noticed = fit_power(law, fault, n, confidence) >= least_power
            low, high = (low, n) if noticed else (n, high)
        return high
    distance = _distance(p, q)
    if not distance:
        return None
    return max(1, ceil(noncentrality(len(outcomes) - 1, confidence, exact_power) / distance))


def _aligned(
    law: Probabilities, fault: Probabilities
) -> tuple[list[Any], list[Fraction], list[Fraction]]:
    """The possible outcomes, with their probabilities under `law` and under `fault`.

    Raises:
        DataError: one of them is no distribution, or `law` has only one outcome.
        RulesError: a probability that is a float.
    """
    tested, actual = ({x: exact(p) for x, p in pairs.items()} for pairs in (law, fault))
    for name, probabilities in (("law", tested), ("fault", actual)):
        if sum(probabilities.values()) != 1 or min(probabilities.values()) < 0:
            raise DataError(f"{name}: the probabilities must be 0 or more and add up to 1")
    outcomes = [x for x, p in tested.items() if p]
    if len(outcomes) < 2:
        raise DataError("the distribution has only one outcome, so there is nothing to test")
    q = [actual.get(x, Fraction(0)) for x in outcomes]
    return outcomes, [tested[x] for x in outcomes], q


def _distance(p: list[Fraction], q: list[Fraction]) -> float:
    """The square of Cohen's effect size."""
    return float(sum((b - a) ** 2 / a for a, b in zip(p, q, strict=True)))


def _exact_power(p: list[Fraction], q: list[Fraction], rolls: int, critical: float) -> Fraction:
    """The probability that a chi-square test of `p` rejects when `q` is true, by enumeration."""
    # tables that exchange cells alike in both distributions have one probability
    cell_keys = sorted(zip(p, q, strict=True))
    if table_count(rolls, cell_keys) is None:
        raise DataError(
            f"{rolls} rolls with {len(p)} outcomes have more than {MAX_ORBITS:,} tables; leave "
            "exact out"
        )
    common = lcm(*(b.denominator for _, b in cell_keys))
    weights = [int(b * common) for _, b in cell_keys]
    expected = [rolls * a for a, _ in cell_keys]
    critical_value = Fraction(critical)
    accepted_weight = 0
    for table, size in tables(rolls, cell_keys):
        if sum((x - e) ** 2 / e for x, e in zip(table, expected, strict=True)) < critical_value:
            accepted_weight += table_weight(table, weights) * size
    return 1 - Fraction(accepted_weight, common**rolls)


POWER = 0.9
"""The power at which a fault is detectable."""


class Detectable(NamedTuple):
    """The least fault found with a power of 90 %.

    Attributes:
        fault: in its unit.
        unit: "face" (relative share), "share" (of games), "repeats" (of rolls),
            "rolls" (of the mean), or "w" (Cohen's effect size).
    """

    fault: float
    unit: str

    def __str__(self) -> str:
        if self.unit == "w":
            return f"an effect size w of {self.fault:.3g}"
        if self.unit == "rolls":
            return f"a mean that is off by {self.fault:.3g} rolls"
        words = {
            "face": "a face too often by {} of its share",
            "share": "{} of all games, too many",
            "repeats": "{} of all rolls, too many repeat the one before",
        }
        return words[self.unit].format(percent(self.fault, 2))


Plan = Callable[[Fraction], Detectable | None]
"""The least fault as a function of the test's level; None if it finds none."""


def faces_plan(law: Mapping[Any, Fraction], n: int) -> Plan:
    """The relative bias of a face that a goodness-of-fit test of n rolls finds.

    >>> from sevenout.rolling import d6
    >>> str(faces_plan(d6.law, 6_000)(Fraction(1, 20)))
    'a face too often by 11.72 % of its share'
    """

    def smallest_fault(level: Fraction) -> Detectable | None:
        if len(law) < 2:
            return None
        # of the rarest face, whose bias shows least
        return Detectable(max(smallest_bias(law, n, 1 - level, POWER).values()), "face")

    return smallest_fault


def cells_plan(df: int | None, n: int) -> Plan:
    """The fault that a chi-square test with `df` degrees of freedom finds in n observations.

    >>> str(cells_plan(25, 10_000)(Fraction(1, 100)))
    'an effect size w of 0.0605'
    """

    def smallest_fault(level: Fraction) -> Detectable | None:
        if not df:
            return None
        return Detectable(sqrt(noncentrality(df, 1 - level, POWER) / n), "w")

    return smallest_fault


def share_plan(p: Fraction, games: int) -> Plan:
    """The excess share that the exact two-sided binomial test finds.

    >>> str(share_plan(Fraction(1, 2), 1_000)(Fraction(1, 100)))
    '6.16 % of all games, too many'
    """

    def smallest_fault(level: Fraction) -> Detectable | None:
        share = detectable_share(p, games, level / 2, POWER)
        return None if share is None else Detectable(share - float(p), "share")

    return smallest_fault


def mean_plan(variance: Fraction | float, n: int, unit: str = "rolls") -> Plan:
    """The fault that the two-sided z-test of a mean of n finds.

    >>> str(mean_plan(Fraction(9), 10_000)(Fraction(1, 20)))
    'a mean that is off by 0.0972 rolls'
    """

    def smallest_fault(level: Fraction) -> Detectable | None:
        change = detectable_change((1.0, 1.0), level / 2, POWER) * sqrt(variance / n)
        return Detectable(change, unit) if variance > 0 else None

    return smallest_fault


def runs_plan(law: Mapping[Any, Fraction], n: int) -> Plan:
    """The fault that the runs test finds.

    Its variance per roll is s(1 + s) - 2c, s = Σ p², c = Σ p³.
    """
    squares, cubes = (sum((p**k for p in law.values()), Fraction(0)) for k in (2, 3))
    return mean_plan(squares * (1 + squares) - 2 * cubes, n, "repeats")


def detectable_faults(
    plans: Mapping[str, Plan], tests: Collection[str], level: Fraction
) -> dict[str, Detectable]:
    """The least fault of each test that was made, if it finds any.

    `level` is that of the whole family.
    """
    # Holm's correction leaves this level to the first test that rejects
    faults = {name: plans[name](level / len(tests)) for name in tests if name in plans}
    return {name: fault for name, fault in faults.items() if fault is not None}


def _float_error(games: int) -> float:
    """Probabilities closer than this are not compared in floats.

    The error of the incomplete beta function is below 1e-12, or a relative 1e-7 if it is small. A
    rounded p moves it by its deviation, √games, times 2⁻⁵³.
    """
    return 1e-11 + 1e-15 * sqrt(games)


def _stretches_tried(games: int) -> int:
    """The stretches tried beyond an edge, which floats of error 1e-11 find to this accuracy."""
    return 8 + games // 10**10


class PowerSawtooth:
    """The sawtooth power of the one-sided test of p0 against p1 at level alpha.

    >>> sawtooth = PowerSawtooth(Fraction(1, 10), Fraction(9, 10), Fraction(1, 100), Fraction(4, 5))
    >>> sawtooth.critical(2), sawtooth.rejects(2, 2), sawtooth.has_power(2, 2)
    (2, True, True)

    Attributes:
        rejects_low: whether few wins reject: p1 is below p0.
        exact: p0 and p1.
        floats: the same as floats.
        thresholds: alpha and the power, which the tails of p0 and p1 are compared with.
        alpha, power: the same as floats.
        betainc, betaincc: the incomplete beta function and its complement.
        outer_ends: by number of wins, the end of the games at which they reject.
        criticals: by number of games, the mildest number of wins that rejects.

    Args:
        p0, p1: the probabilities; p0 at most about 1/2, for short stretches.
        alpha: the level; a tail probability of exactly alpha rejects.
        power: the line; reaching it exactly is enough.
    """

    def __init__(self, p0: Fraction, p1: Fraction, alpha: Fraction, power: Fraction) -> None:
        require("scipy", "verify")
        from scipy.special import betainc, betaincc

        self.rejects_low = p1 < p0
        self.exact, self.thresholds = (p0, p1), (alpha, power)
        self.floats, self.alpha, self.power = (float(p0), float(p1)), float(alpha), float(power)
        self.betainc, self.betaincc = betainc, betaincc
        self.outer_ends: dict[int, int] = {}
        self.criticals: dict[int, int] = {}

    def tail(self, wins: int, n: float, hypothesis: int) -> float:
        """The tail probability of `wins` in n games under p0 or p1; n may be real."""
        return self._tails(wins, n, hypothesis)[0]

    def _tails(self, wins: int, n: float, hypothesis: int) -> tuple[float, float]:
        """The tail probability and its complement; a small one has a small relative error."""
        p = self.floats[hypothesis]
        a, b = (wins + 1, n - wins) if self.rejects_low else (wins, n - wins + 1)
        if min(a, b) <= 0:
            more, less = float(a <= 0), float(b <= 0)
        else:
            # much closer than the complement if p is small
            less = float(self.betaincc(a, b, p))
            more = 1 - less if less < 0.9999 else float(self.betainc(a, b, p))
        return (less, more) if self.rejects_low else (more, less)

    def rejects(self, wins: int, n: int) -> bool:
        """Whether the test rejects at this many wins in n games."""
        return self._compare_tail(wins, n, 0) <= 0

    def has_power(self, wins: int, n: int) -> bool:
        """Whether rejecting at this many wins in n games has the power under p1."""
        return self._compare_tail(wins, n, 1) >= 0

    def _compare_tail(self, wins: int, n: int, hypothesis: int) -> int:
        """Whether the tail probability is above (1), below (-1) or on (0) its line, for certain."""
        tail, complement = self._tails(wins, n, hypothesis)
        threshold, p = self.thresholds[hypothesis], self.exact[hypothesis]
        a, b = (wins + 1, n - wins) if self.rejects_low else (wins, n - wins + 1)
        excess = tail - float(threshold) if 2 * threshold < 1 else float(1 - threshold) - complement
        error = min(_float_error(n), 1e-6 * float(min(threshold, 1 - threshold)))
        if min(a, b) <= 0 or abs(excess) > error:
            return 1 if excess > 0 else -1
        # equal wins and losses of a fair coin: exactly on the line, where balls never decide
        if a == b and p == threshold == Fraction(1, 2):
            return 0
        return self._by_balls((b, a, 1 - p) if self.rejects_low else (a, b, p), threshold)

    def _by_balls(self, beta: tuple[int, int, Fraction], threshold: Fraction) -> int:
        """The side of the line on which the incomplete beta function lies.

        Both are fractions with known denominators: if they differ by less than one over the
        product, they are equal.
        """
        from flint import arb, ctx, fmpq

        a, b, p = beta
        bits_apart = (a + b) * p.denominator.bit_length() + threshold.denominator.bit_length()
        bits = 64
        while True:
            bits *= 2
            with ctx.workprec(bits):
                x = arb(fmpq(p.numerator, p.denominator))
                excess = x.beta_lower(a, b, regularized=True)
                excess -= arb(fmpq(threshold.numerator, threshold.denominator))
                if excess > 0 or excess < 0:
                    return 1 if excess > 0 else -1
                if abs(excess) < arb(2) ** -bits_apart:
                    return 0

    def critical(self, n: int) -> int:
        """The mildest number of wins in n games that rejects."""
        if n not in self.criticals:
            from scipy.special import ndtri

            milder, p = 1 if self.rejects_low else -1, self.floats[0]
            # by the normal approximation; a few steps away
            wins = floor(n * p + milder * ndtri(self.alpha) * sqrt(n * p * (1 - p)))
            while not self.rejects(wins, n):
                wins -= milder
            while self.rejects(wins + milder, n):
                wins += milder
            self.criticals[n] = wins
        return self.criticals[n]

    def always_has_power(self, a: int, b: int) -> bool:
        """Whether every test of a to b games has the power, by a lower bound."""
        # the fewest games are the strictest in wins, the most the hardest to stay within them
        hard, easy = (a, b) if self.rejects_low else (b, a)
        return self.has_power(self.critical(hard), easy)

    def may_have_power(self, a: int, b: int) -> bool:
        """Whether a test of a to b games may have the power, by an upper bound."""
        return self.always_has_power(b, a)

    def real_games(self, wins: int) -> float:
        """The real number of games at which this many wins have the tail probability alpha."""
        from scipy.optimize import brentq
        from scipy.special import ndtri

        p = self.floats[0]
        margin = float(ndtri(self.alpha)) * sqrt(wins * (1 - p))
        guess = (wins - margin if self.rejects_low else wins + margin) / p
        step = 1 + 1e-3 * sqrt(wins) / p

        def excess(n: float) -> float:
            return self.tail(wins, n, 0) - self.alpha

        low = high = guess
        while (excess(low) > 0) != self.rejects_low:
            low, step = max(wins + 1e-9, low - step), 2 * step
        while (excess(high) < 0) != self.rejects_low:
            high, step = high + step, 2 * step
        return float(brentq(excess, low, high, xtol=1e-9))

    def outer_end(self, wins: int) -> int:
        """The end of the games at which this many wins reject: the first or the last."""
        if wins in self.outer_ends:
            return self.outer_ends[wins]
        # neighbouring stretches have almost equal lengths
        for neighbour in (-1, 1):
            nearer = self.outer_ends.get(wins + neighbour)
            farther = self.outer_ends.get(wins + 2 * neighbour)
            if nearer is not None and farther is not None:
                n = 2 * nearer - farther
                break
        else:
            games_at_alpha = self.real_games(wins)
            n = ceil(games_at_alpha) if self.rejects_low else floor(games_at_alpha)
        outer = -1 if self.rejects_low else 1
        while not self.rejects(wins, n):
            n -= outer
        while self.rejects(wins, n + outer):
            n += outer
        self.outer_ends[wins] = n
        return n

    def stretch(self, wins: int) -> tuple[int, int]:
        """The first and last number of games at which the test rejects at this many wins."""
        if self.rejects_low:
            return self.outer_end(wins), self.outer_end(wins + 1) - 1
        return self.outer_end(wins - 1) + 1, self.outer_end(wins)

    def first_games(self, estimate: int) -> int:
        """The first number of games at which the test has the power."""
        highest = self._crossing(estimate, lambda c: self.tail(c, self.real_games(c), 1))
        wins = highest - _stretches_tried(estimate)
        while True:
            low, high = self.stretch(wins)
            if low <= high and self.has_power(wins, low if self.rejects_low else high):
                break
            wins += 1
        return low if self.rejects_low else self._first_in_stretch(wins, low, high)

    def stable_games(self, estimate: int) -> int:
        """The number of games from which the test always has the power."""
        neighbour = 1 if self.rejects_low else -1
        lowest = self._crossing(estimate, lambda c: self.tail(c, self.real_games(c + neighbour), 1))
        wins = lowest + _stretches_tried(estimate)
        while True:
            low, high = self.stretch(wins)
            if low <= high and not self.has_power(wins, high if self.rejects_low else low):
                break
            wins -= 1
        return high + 1 if self.rejects_low else self._first_in_stretch(wins, low, high + 1)

    def _crossing(self, estimate: int, edge: Callable[[int], float]) -> int:
        """The least number of wins at which an edge of the sawtooth reaches the line."""
        # steps of a tenth around the wins of the normal approximation, then bisection
        low = high = max(2, int(estimate * self.exact[0]))
        while edge(low) >= self.power and low > 2:
            low = max(2, low * 9 // 10)
        while edge(high) < self.power:
            high = high * 10 // 9 + 1
        return low + bisect_left(range(low, high), True, 1, key=lambda c: edge(c) >= self.power)

    def _first_in_stretch(self, wins: int, low: int, high: int) -> int:
        """The first number of games in a stretch at which this many wins have the power."""
        games = range(low, high)
        return low + bisect_left(games, True, key=lambda n: self.has_power(wins, n))
