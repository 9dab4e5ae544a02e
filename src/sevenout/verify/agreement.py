"""Whether simulated games, or evenings, agree with the exact solution: many tests, one verdict.

Holm's correction holds the probability of any false alarm in the family to the level.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import erfc, inf, isfinite, sqrt
from typing import TYPE_CHECKING, Any

from sevenout.documents import Column, Page, Table
from sevenout.documents.kinds import COUNT, DECIMAL, P_VALUE, PERCENT, ROUNDED, SCORE
from sevenout.extras import require
from sevenout.numerals import Number
from sevenout.rolling.distribution import sum_by_key
from sevenout.rules.game import Frozen
from sevenout.simulation.tally import variances
from sevenout.verify.counts import (
    MIN_EXPECTED,
    Cells,
    Check,
    cells_of,
    holm_adjusted,
    json_float,
    parse_confidence,
)
from sevenout.verify.planning import Plan, cells_plan, mean_plan, share_plan
from sevenout.verify.significance_tests import (
    ConfidenceInterval,
    binomial_test,
    chi_square,
    clopper_pearson,
    g_test,
    wilson,
)
from sevenout.verify.verdict import SimulationVerdict, table_of_tests
from sevenout.wrong_arguments import public

if TYPE_CHECKING:
    from sevenout.evenings.evening_result import EveningResult
    from sevenout.model import Chain
    from sevenout.simulation import Tally
    from sevenout.simulation.played_evenings import EveningTally
    from sevenout.solving import Solution


MAX_EXACT_STATES, MAX_EXACT_ROLLS = 200, 500
"""Up to this many states and rolls the distribution of the length is exact; beyond, in floats."""
FITS = (
    ("outcomes, chi-square", "the outcomes by chi-square"),
    ("outcomes, G", "the outcomes by G"),
    ("lengths, chi-square", "the lengths by chi-square"),
    ("lengths, G", "the lengths by G"),
)
"""The tests of fit, in order: the name in a table, and the question of the family."""
# exact probabilities of long games have thousands of digits; this grid is finer than any test
_GRID = 1 << 192


@dataclass(frozen=True)
class Share:
    """One count beside its exact probability, with a binomial test and two intervals.

    >>> from sevenout.catalogue import games
    >>> from sevenout.solving import solve
    >>> from sevenout.simulation import simulate
    >>> game = games["craps"]
    >>> share = confirm(simulate(game, 10_000, seed=1), solve(game)).wins[0]
    >>> share.p, abs(share.z) < 4
    (Fraction(244, 495), True)

    Attributes:
        name: an outcome, or the wins of a bet.
        count: of these among the games.
        games: the number of games.
        p: the exact probability.
        test: the exact binomial test of the count.
        exact: the Clopper-Pearson interval of the probability.
        wilson: Wilson's interval.
    """

    name: str
    count: int
    games: int
    p: Fraction
    test: Check
    exact: ConfidenceInterval
    wilson: ConfidenceInterval

    @classmethod
    def from_count(
        cls, name: str, count: int, games: int, p: Fraction, confidence: Fraction
    ) -> "Share":
        """The count with its test and its intervals, at this confidence."""
        return cls(
            name,
            count,
            games,
            p,
            binomial_test(count, games, p),
            exact=clopper_pearson(count, games, confidence),
            wilson=wilson(count, games, confidence),
        )

    @property
    def z(self) -> float:
        """The z-score: standard deviations of the count above its mean."""
        return z_score(self.count - self.games * self.p, self.games * self.p * (1 - self.p))

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "count": self.count,
            "probability": str(self.p),
            "z": json_float(self.z),
            "p_value": self.test.p_value,
            "clopper_pearson": [self.exact.low, self.exact.high],
            "wilson": [self.wilson.low, self.wilson.high],
        }

    def table_row(self, name: str) -> tuple[object, ...]:
        """The row of a table: the count beside its expected value."""
        beside = self.count, self.games * self.p, self.z
        return (name, *beside, self.test.p_value, self.exact.low, self.exact.high, self.p)


@dataclass(frozen=True, repr=False)
class Verdict(SimulationVerdict):
    """The agreement of a tally with a solution; see `confirm`.

    >>> from sevenout.catalogue import games
    >>> from sevenout.solving import solve
    >>> from sevenout.simulation import simulate
    >>> game = games["craps"]
    >>> verdict = confirm(simulate(game, 10_000, seed=1), solve(game))
    >>> verdict.agrees, verdict.games, verdict.status
    (True, 10000, 'exact')

    Attributes:
        games: the number of games played.
        confidence: the least probability that a true solution passes all tests.
        status: of the solution: "exact", or "certified" with its bound.
        outcomes: the count of each outcome.
        wins: the count of each bet's wins.
        mean_rolls: the z-test of the mean number of rolls.
        fits: chi-square and G over the outcomes, and over the rolls per game.
        means: the z-test of the mean of each counter, such as points.
        family: the Holm-adjusted p-value of each test.
    """

    games: int
    confidence: Fraction
    status: str
    outcomes: tuple[Share, ...]
    wins: tuple[Share, ...]
    mean_rolls: Check
    fits: tuple[Check, ...]
    means: Mapping[str, Check]
    family: Mapping[str, float]

    truth = "solution"

    @property
    def sample_in_words(self) -> str:  # type: ignore[override]
        """The number of games, in words."""
        return f"{self.games:,} games"

    @property
    def tests(self) -> tuple[Check, ...]:
        """The tests other than those of single counts."""
        return (self.mean_rolls, *self.fits, *self.means.values())

    def plans(self, variance: Fraction) -> dict[str, Plan]:
        """The least detectable fault of each test; `variance` is that of a game's rolls."""
        plans = {
            f"the count of {row.name!r}": share_plan(row.p, row.games) for row in self.outcomes
        }
        plans |= {f"the wins of {row.name!r}": share_plan(row.p, row.games) for row in self.wins}
        plans["the mean rolls"] = mean_plan(variance, self.games)
        for (_, question), fit in zip(FITS, self.fits, strict=True):
            plans[question] = cells_plan(fit.df, self.games)
        return plans

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "games": self.games,
            "confidence": str(self.confidence),
            "status": self.status,
            "outcomes": [row.to_dict() for row in self.outcomes],
            "wins": [row.to_dict() for row in self.wins],
            "tests": [check.to_dict() for check in self.tests],
            "family_holm": dict(self.family),
            "agrees": self.agrees,
            "verdict": self.verdict,
        }

    def page(self) -> Page:
        """The counts beside their expected values, the tests, and the verdict."""
        columns = ["count of", Column("seen", COUNT), Column("expected", ROUNDED.with_digits(1))]
        columns += [Column("z", SCORE), Column("p", P_VALUE)]
        columns += [Column("Clopper-Pearson: from", DECIMAL), Column("to", DECIMAL)]
        rows = [share.table_row(share.name) for share in self.outcomes]
        rows += [share.table_row(f"wins of {share.name}") for share in self.wins]
        caption = f"{self.games:,} games beside the {self.status_word} solution"
        checks = [("mean rolls, z", self.mean_rolls, "the mean rolls")]
        checks += [
            (name, fit, question) for (name, question), fit in zip(FITS, self.fits, strict=True)
        ]
        checks += [(f"{mean.name}, z", mean, f"the {mean.name}") for mean in self.means.values()]
        return Page(
            "",
            Table([*columns, Column(self.status_word, DECIMAL)], rows, caption=caption),
            table_of_tests(checks, self.family, 1 - self.confidence),
            self.conclusion(),
        )


@public
def confirm(
    tally: "Tally",
    solution: "Solution",
    *,
    confidence: Number = "99%",
    intervals: Number = "95%",
) -> Verdict:
    """Whether a tally agrees with a solution.

    >>> from sevenout.solving import solve
    >>> from sevenout.rules import PointGame
    >>> from sevenout.simulation import simulate
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> fast = PointGame(naturals=[7, 11], craps=[2, 3, 12, 5], out=7)
    >>> tally = simulate(craps, games=10_000, seed=1)
    >>> confirm(tally, solve(craps)).agrees, confirm(tally, solve(fast)).agrees
    (True, False)

    Args:
        tally: the simulator's counts.
        solution: the distribution.
        confidence: the least probability that a true solution passes all tests.
        intervals: the confidence of each interval by itself.

    Raises:
        DataError: a float, or a confidence not between 0 and 1.
    """
    exact_confidence, interval = parse_confidence(confidence), parse_confidence(intervals)
    n = tally.games
    p_by_label = solution.labels
    # an outcome that never came up counts as 0, and one that is impossible has probability 0
    labels = {**dict.fromkeys(p_by_label, 0), **tally.labels}
    outcomes = [
        Share.from_count(label, times, n, p_by_label.get(label, Fraction(0)), interval)
        for label, times in labels.items()
    ]
    wins = [
        Share.from_count(bet, tally.bet(bet).won, n, solution.bet(bet).p_win, interval)
        for bet in solution.chain.bets
        if bet in tally.outline.bets
    ]
    outcome_cells = cells_of(tally.outcomes, solution.outcomes)
    roll_cells = length_cells(tally, solution)
    fits = [test(cells) for cells in (outcome_cells, roll_cells) for test in (chi_square, g_test)]
    mean = _mean_rolls(tally, solution)
    means = _means(tally, solution)
    family = holm_adjusted(dict(question_p_values(outcomes, wins, mean, fits, means)))
    return Verdict(
        games=n,
        confidence=exact_confidence,
        status=solution.status,
        outcomes=tuple(outcomes),
        wins=tuple(wins),
        mean_rolls=mean,
        fits=tuple(fits),
        means=means,
        family=family,
    )


def question_p_values(
    outcomes: Sequence[Share],
    wins: Sequence[Share],
    mean: Check,
    fits: Sequence[Check],
    means: Mapping[str, Check] = Frozen({}),
) -> Iterator[tuple[str, float]]:
    """The name and p-value of each test of a verdict."""
    for row in outcomes:
        yield f"the count of {row.name!r}", row.test.p_value
    for row in wins:
        yield f"the wins of {row.name!r}", row.test.p_value
    yield "the mean rolls", mean.p_value
    for (_, question), fit in zip(FITS, fits, strict=True):
        yield question, fit.p_value
    for check in means.values():
        yield f"the {check.name}", check.p_value


def z_score(excess: Fraction, variance: Fraction) -> float:
    """An excess in standard deviations.

    >>> z_score(Fraction(3), Fraction(4))
    1.5
    """
    # without variance any excess is infinitely far
    if not variance and excess:
        return inf if excess > 0 else -inf
    if not variance:
        return 0.0
    return float(excess) / sqrt(variance)


def _means(tally: "Tally", solution: "Solution") -> dict[str, Check]:
    """The z-test of the mean of each counter other than the rolls, such as points."""
    # the rolls have tests of their own
    counters = [name for name in tally.outline.counters if name in solution.chain.own_counters]
    variance_by_counter = variances(solution.chain) if counters else {}
    checks = {}
    for counter in counters:
        # without a variance, the mean has no normal limit
        if not isfinite(variance_by_counter[counter]):
            continue
        deviation = Fraction(tally.counters[counter]) / tally.games - solution.mean(counter)
        z = z_score(deviation, Fraction(variance_by_counter[counter]) / tally.games)
        note = "normal limit, exact variance"
        checks[counter] = Check(f"mean {counter}", erfc(abs(z) / sqrt(2)), z, note=note)
    return checks


def _mean_rolls(tally: "Tally", solution: "Solution") -> Check:
    """The test of the mean number of rolls."""
    variance = rolls_variance(tally, solution)
    note = "exact variance" if _is_small(tally, solution) else "variance of the sample"
    z = z_score(tally.mean_rolls - solution.mean_rolls, variance / tally.games)
    return Check("mean rolls", erfc(abs(z) / sqrt(2)), z, note=f"normal limit, {note}")


def rolls_variance(tally: "Tally", solution: "Solution") -> Fraction:
    """The variance of the rolls of a game: exact, or that of the sample if games are long."""
    if _is_small(tally, solution):
        return Fraction(solution.distribution("rolls").variance)
    squares = sum(t * t * seen for t, seen in tally.lengths.items())
    return Fraction(squares, tally.games) - tally.mean_rolls**2


def _is_small(tally: "Tally", solution: "Solution") -> bool:
    """Whether the exact distribution of the rolls takes little time."""
    return len(solution.chain.states) <= MAX_EXACT_STATES and tally.longest <= MAX_EXACT_ROLLS


def length_cells(tally: "Tally", solution: "Solution") -> Cells:
    """The rolls per game beside their distribution; a tail expecting under 5 games is one cell.

    Exact probabilities are rounded down to multiples of 2^-192, and the tail takes the remainder.
    Probabilities of large chains and long games come from floats.
    """
    if _is_small(tally, solution):
        law = solution.distribution("rolls")
        exact: Iterator[Fraction] = map(law.pmf, count())
    else:
        exact = map(Fraction, _float_lengths(solution.chain))
    n = tally.games
    probabilities: list[Fraction] = []
    remaining = Fraction(1)
    for p in exact:
        probabilities.append(min(remaining, Fraction(int(p * _GRID), _GRID)))
        remaining -= probabilities[-1]
        if n * remaining < MIN_EXPECTED:
            break
    tail = len(probabilities)
    counts = [tally.lengths.get(t, 0) for t in range(tail)]
    longer_games = n - sum(counts)
    # a length of probability 0 is no cell: its games refute the solution
    impossible = sum(c for c, p in zip(counts, probabilities, strict=True) if not p)
    cells = [(t, counts[t], p) for t, p in enumerate(probabilities) if p]
    # a tail of more than what rounding left behind is a cell of its own
    if remaining * _GRID > tail:
        cells.append((tail, longer_games, remaining))
    else:
        t, c, p = cells[-1]
        cells[-1] = t, c, p + remaining
        impossible += longer_games
    outcomes, observed, shares = zip(*cells, strict=True)
    return Cells(outcomes, observed, shares, impossible, ordered=True)


def _float_lengths(chain: "Chain") -> Iterator[float]:
    """P(rolls = 0), P(rolls = 1), ..., by stepping the chain in floats."""
    require("scipy", "verify")
    import numpy as np
    from scipy.sparse import csr_array

    n = len(chain.states)
    moves: list[tuple[int, int, float]] = []
    end_probability = np.zeros(n)
    for s, row in enumerate(chain.rows):
        for edge in row:
            if edge.target < n:
                moves.append((edge.target, s, edge.weight / chain.denominator))
            else:
                end_probability[s] += edge.weight / chain.denominator
    targets, sources, weights = np.array(moves, float).reshape(-1, 3).T
    step = csr_array((weights, (targets.astype(int), sources.astype(int))), shape=(n, n))
    # the probability of each state after some rolls; no game ends before the first
    state_probability = np.zeros(n)
    state_probability[0] = 1.0
    yield 0.0
    while True:
        yield float(end_probability @ state_probability)
        state_probability = step @ state_probability


@dataclass(frozen=True, repr=False)
class EveningVerdict(SimulationVerdict):
    """The agreement of evenings with their distribution; see `confirm_evenings`.

    Attributes:
        name: of what was bet.
        evenings: the number of evenings played.
        status: of the distribution: "exact", or "certified" with its bound.
        confidence: the least probability that a true distribution passes all tests.
        ends: each way in which an evening ends, with its count and its probability.
        tests: chi-square over the results and over the ends, and the z-test of the mean result.
        family: the Holm-adjusted p-value of each test.
    """

    name: str
    evenings: int
    status: str
    confidence: Fraction
    ends: tuple[tuple[str, int, Fraction], ...]
    tests: tuple[Check, ...]
    family: Mapping[str, float]

    truth = "distribution"

    @property
    def sample_in_words(self) -> str:  # type: ignore[override]
        """The number of evenings, in words."""
        return f"{self.evenings:,} evenings"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "evenings": self.evenings,
            "confidence": str(self.confidence),
            "ends": {end: {"seen": n, "probability": float(p)} for end, n, p in self.ends},
            "tests": [check.to_dict() for check in self.tests],
            "family_holm": dict(self.family),
            "agrees": self.agrees,
            "verdict": self.verdict,
        }

    def page(self) -> Page:
        """The ends beside their expected numbers, the tests, and the verdict."""
        columns = [Column("seen", COUNT), Column("expected", ROUNDED.with_digits(1))]
        columns += [Column("z", SCORE), Column("probability", PERCENT)]
        n = self.evenings
        rows = [
            (f"ended by {end}", seen, n * p, z_score(seen - n * p, n * p * (1 - p)), float(p))
            for end, seen, p in self.ends
        ]
        caption = f"{self.evenings:,} evenings played roll by roll ({self.status} probabilities)"
        return Page(
            self.name,
            Table(["", *columns], rows, caption=caption),
            table_of_tests(
                zip(self.family, self.tests, self.family, strict=True),
                self.family,
                1 - self.confidence,
            ),
            self.conclusion(),
        )


@public
def confirm_evenings(
    tally: "EveningTally", result: "EveningResult", *, confidence: Number = "99%"
) -> EveningVerdict:
    """Whether simulated evenings agree with their distribution.

    >>> from sevenout.evenings import evening
    >>> from sevenout.simulation.played_evenings import simulate_evenings
    >>> tally = simulate_evenings("pass", 10, evenings=20_000, rolls=30)
    >>> confirm_evenings(tally, evening("pass", 10, rolls=30)).agrees
    True
    >>> confirm_evenings(tally, evening("dont-pass", 10, rolls=30)).agrees
    False

    Args:
        tally: the simulator's counts.
        result: the distribution.
        confidence: the least probability that a true distribution passes all tests.

    Raises:
        DataError: a float, or a confidence not between 0 and 1.
    """
    exact_confidence = parse_confidence(confidence)
    n, law = tally.evenings, dict(result.money.items())
    count_by_end = sum_by_key((end, times) for (end, _), times in tally.counts.items())
    results = chi_square(cells_of(tally.money, law, ordered=True))
    ends = chi_square(cells_of(count_by_end, result.ends))
    z = z_score(n * (tally.mean - result.mean), n * result.profit.variance)
    mean = Check("mean result", erfc(abs(z) / sqrt(2)), z, note="normal limit, exact variance")
    tests = (results, ends, mean)
    names = ("results, chi-square", "ends, chi-square", "mean result, z")
    family = holm_adjusted({name: t.p_value for name, t in zip(names, tests, strict=True)})
    # ends that the distribution does not have come last
    rows = tuple(
        (end, count_by_end.get(end, 0), result.ends.get(end, Fraction(0)))
        for end in dict.fromkeys([*result.ends, *count_by_end])
    )
    return EveningVerdict(result.name, n, result.status, exact_confidence, rows, tests, family)
