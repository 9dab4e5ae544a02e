"""Evenings played roll by roll: a tally with error bars.

`evening_sampler` plays them in chunks, as many as the budget allows; `EveningTally` counts how they
end.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from time import process_time
from typing import Any

from sevenout.budgets.estimates import afford, allowed
from sevenout.documents import Fact, Facts, HasPage, Page
from sevenout.documents.kinds import COUNT, LABEL, ROUNDED
from sevenout.documents.numbers import won
from sevenout.errors import RulesError
from sevenout.evenings.evening_plan import Plan
from sevenout.extras import is_installed
from sevenout.model.graph import not_collecting
from sevenout.numerals import Number
from sevenout.rolling.distribution import FiniteDistribution, sum_by_key
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.casino.ends import ENDS
from sevenout.simulation.evening_sampler import (
    END,
    FIGURE_COUNT,
    FINAL_MONEY,
    PEAK,
    ROLLS_MADE,
    TROUGH,
    EveningSampler,
)
from sevenout.simulation.random_bits import MAX_GAMES
from sevenout.simulation.run import check_run, check_whole

CHUNK = 1 << 14
"""The most evenings played at a time."""
CHUNK_SECONDS = 0.1
"""A chunk that takes longer isn't doubled: between chunks the budget is checked."""
ESTIMATE_AFTER, STOP_AFTER = 0.1, 0.9
"""The shares of the budget after which the time of all is estimated, and playing ends."""
MAX_BUDGETS = 100
"""Evenings that would take this many budgets are refused; of fewer, those that fit are played."""
COMPILE_AFTER = 1.0
"""Seconds of playing after which numba is loaded, which takes about as long."""
COMPILED_SPEED = 50
"""An evening takes numba 1 to 3 µs, and 30 to 250 µs without; see `_EveningRun.estimate`."""
ERROR_BAR = 1.96
"""Standard errors of a 95 % error bar."""


def simulate_evenings(
    strategy: Strategy | str,
    bankroll: Number,
    evenings: int = 100_000,
    seed: int = 1,
    *,
    first_evening: int = 0,
    **options: Any,
) -> "EveningTally":
    """Play evenings at the table, roll by roll; as `play_evenings`, from the plan's arguments.

    >>> tally = simulate_evenings("pass", 10, evenings=1000, target=20)
    >>> sum(tally.counts.values()), sorted({end for end, money in tally.counts})
    (1000, ['ruin', 'target'])

    Args:
        strategy: a strategy, or its name.
        bankroll: the player's bankroll.
        evenings: the number to play.
        seed: as for `play_evenings`.
        first_evening: as for `play_evenings`.
        options: the ends and the house, as for `sevenout.evening`.
    """
    plan = Plan.of(strategy, bankroll, **options)
    return play_evenings(plan, evenings, seed, first_evening=first_evening)


def play_evenings(
    plan: Plan,
    evenings: int,
    seed: int = 1,
    *,
    first_evening: int = 0,
    progress: Callable[[int], object] = lambda _: None,
) -> "EveningTally":
    """Play evenings of a plan, roll by roll; each to its end.

    The tally depends only on the plan, the number of evenings and the seed.

    Args:
        plan: of the evening.
        evenings: their number; fewer are played if the budget ends.
        seed: one of 2^64 streams of random bits; evening n has the same dice in every run.
        first_evening: its number; evenings 0 to 9 and 10 to 99 together are those from 0 to 99.
        progress: called with the number finished.

    Raises:
        SevenoutError: a wrong number of evenings, seed, or number of the first evening.
        TooMuchWorkError: they would take many times the budget.
    """
    check_run(evenings, seed, name="evenings")
    check_whole("first_evening", first_evening, 0, MAX_GAMES)
    run, is_estimated = _EveningRun(plan, seed, first_evening), False
    # A million small counts: the collector would look at them again and again.
    with not_collecting():
        while run.evenings_played < evenings and run.spent < STOP_AFTER:
            run.play(evenings - run.evenings_played)
            if not is_estimated and run.spent > ESTIMATE_AFTER:
                is_estimated = True
                seconds = run.estimate(evenings - run.evenings_played)
                if seconds > MAX_BUDGETS * run.seconds:
                    afford(
                        f"{evenings:,} evenings",
                        seconds=seconds,
                        instead=f"play {run.affordable_evenings:,}",
                    )
            progress(run.evenings_played)
    return EveningTally(
        plan,
        run.evenings_played,
        evenings,
        seed,
        dict(sorted(run.counts.items())),
        run.rolls,
        dict(sorted(run.peaks.items())),
        dict(sorted(run.troughs.items())),
    )


def evenings_that_fit(plan: Plan) -> int:
    """The number of evenings that half of the budget plays, from 1 to 100,000.

    It is estimated from the first evenings.

    >>> evenings_that_fit(Plan.of("pass", 20, rolls=30)) > 1000
    True
    """
    run = _EveningRun(plan, seed=1)
    while run.spent < ESTIMATE_AFTER and run.evenings_played < 1_000:
        run.play(1_000 - run.evenings_played)
    return min(100_000, run.affordable_evenings)


@dataclass(frozen=True, eq=False, repr=False)
class EveningTally(HasPage):
    """The counts of played evenings; each figure has its error bar at 95 %.

    >>> tally = play_evenings(Plan.of("pass", 20, rolls=30), 50, seed=3)
    >>> tally
    <Pass line: 50 evenings played>

    Attributes:
        plan: of each evening.
        evenings: how many were played.
        requested: how many were requested; the budget may play fewer.
        seed: of the run.
        counts: by (end, money).
        rolls: the number made, apart from bets played out at the end.
        peaks: counts of the most money after any roll.
        troughs: counts of the least money after any roll.
    """

    plan: Plan
    evenings: int
    requested: int
    seed: int
    counts: Mapping[tuple[str, Fraction], int]
    rolls: int
    peaks: Mapping[Fraction, int]
    troughs: Mapping[Fraction, int]

    def __repr__(self) -> str:
        return f"<{self.plan.name}: {self.evenings:,} evenings played>"

    @cached_property
    def money(self) -> dict[Fraction, int]:
        """The count of each final amount, in increasing order."""
        return dict(sorted(sum_by_key((money, n) for (_, money), n in self.counts.items()).items()))

    @cached_property
    def law(self) -> FiniteDistribution:
        """The observed distribution of the final money."""
        return self._shares(self.money)

    def _shares(self, counts: Mapping[Fraction, int]) -> FiniteDistribution:
        """The share of each amount."""
        return FiniteDistribution(
            {money: Fraction(n, self.evenings) for money, n in counts.items()}
        )

    def p(self, end: str) -> Fraction:
        """The share of the evenings with an end.

        Raises:
            RulesError: there is no such end.
        """
        if end not in ENDS.values():
            raise RulesError(f"no end {end!r}; the ends are {', '.join(ENDS.values())}")
        return Fraction(sum(n for (e, _), n in self.counts.items() if e == end), self.evenings)

    @property
    def mean(self) -> Fraction:
        """The mean result."""
        return self.law.mean - Fraction(self.plan.bankroll)

    @cached_property
    def mean_bar(self) -> tuple[float, float]:
        """The mean result, and its error bar."""
        evenings = self.evenings
        variance = float(self.law.variance) * evenings / max(1, evenings - 1)
        return float(self.mean), ERROR_BAR * sqrt(variance / evenings)

    @cached_property
    def shares(self) -> dict[str, tuple[float, float]]:
        """The share of each end and of evenings with a profit, each with its error bar."""
        ends = sorted({end for end, _ in self.counts})
        shares = {f"ended by {end}": self.p(end) for end in ends}
        shares["ahead"] = self.law.sf(Fraction(self.plan.bankroll))
        return {name: (float(share), self.bar(share)) for name, share in shares.items()}

    def bar(self, share: Fraction) -> float:
        """The error bar of a share.

        A Wald interval with Agresti and Coull's two more of each, so that it is never 0.
        """
        p = float(share * self.evenings + 2) / (self.evenings + 4)
        return ERROR_BAR * sqrt(p * (1 - p) / (self.evenings + 4))

    def page(self) -> Page:
        """The observed figures."""
        shares = [
            Fact(name, f"{100 * p:.2f} % ± {100 * bar:.2f}", LABEL)
            for name, (p, bar) in self.shares.items()
        ]
        mean, bar = self.mean_bar
        bankroll = Fraction(self.plan.bankroll)
        trough, peak = (
            won(self._shares(counts).quantile("1/2") - bankroll)
            for counts in (self.troughs, self.peaks)
        )
        requested = Fact("asked for, more than the budget plays", self.requested, COUNT)
        return Page(
            f"{self.plan.name}, played",
            Facts(
                Fact("evenings played", self.evenings, COUNT),
                *([requested] if self.requested > self.evenings else []),
                *shares,
                Fact("mean result", f"{mean:+.3f} ± {bar:.3f}", LABEL),
                Fact("mean rolls", self.rolls / self.evenings, ROUNDED),
                Fact("deepest trough, median", trough, LABEL),
                Fact("highest peak, median", peak, LABEL),
                Fact("seed", self.seed, LABEL),
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data; each figure with its error bar at 95 %."""
        return {
            "strategy": self.plan.name,
            "method": "simulated",
            "evenings": self.evenings,
            "seed": self.seed,
            "shares": {name: list(share) for name, share in self.shares.items()},
            "mean_result": list(self.mean_bar),
        }


class _EveningRun:
    """Chunks of evenings, their counts, and their time.

    Chunks grow while they are short: the first evenings meet most of the new positions, and take
    much longer than later ones.

    Attributes:
        sampler: plays them.
        first_evening: the number of the first evening.
        evenings_played, rolls: the numbers of evenings and of rolls.
        counts, troughs, peaks: as in `EveningTally`.
        chunk: the evenings of the next chunk.
        started_at: when the run began, in seconds of the process.
        seconds: its budget.
        rate: the seconds of an evening of the latest chunk.
    """

    def __init__(self, plan: Plan, seed: int, first_evening: int = 0) -> None:
        self.sampler, self.first_evening = EveningSampler(plan, seed), first_evening
        self.evenings_played = self.rolls = 0
        self.counts, self.troughs, self.peaks = Counter[Any](), Counter[Any](), Counter[Any]()
        self.chunk, self.rate = 1, 0.0
        self.started_at, self.seconds = process_time(), allowed().seconds

    @property
    def spent(self) -> float:
        """The share of the budget that is used up."""
        return (process_time() - self.started_at) / self.seconds

    def estimate(self, evenings: int) -> float:
        """The seconds that this many more evenings take, or fewer.

        Before numba plays, the latest chunk is slow for another reason too: it still meets new
        positions. So the estimate then is at the speed that numba will reach.
        """
        speed = COMPILED_SPEED if is_installed("numba") and not self.sampler.is_compiled else 1
        return self.rate / speed * evenings

    @property
    def affordable_evenings(self) -> int:
        """The evenings that half of the budget plays, to one digit."""
        evenings = max(1, int(min(1e9, self.seconds / max(self.rate, 1e-9) / 2)))
        unit: int = 10 ** (len(str(evenings)) - 1)
        return evenings // unit * unit

    def play(self, max_evenings: int) -> None:
        """Play a chunk of at most this many evenings."""
        count, started = min(self.chunk, max_evenings), process_time()
        figures = self.sampler.evenings(self.first_evening + self.evenings_played, count)
        money = self.sampler.money
        ends, final_columns = figures[END::FIGURE_COUNT], figures[FINAL_MONEY::FIGURE_COUNT]
        for (end, column), n in Counter(zip(ends, final_columns, strict=True)).items():
            self.counts[ENDS[end], Fraction(money(column))] += n
        for counts, figure in ((self.troughs, TROUGH), (self.peaks, PEAK)):
            for column, n in Counter(figures[figure::FIGURE_COUNT]).items():
                counts[Fraction(money(column))] += n
        self.rolls += sum(figures[ROLLS_MADE::FIGURE_COUNT])
        self.evenings_played += count
        seconds = process_time() - started
        self.rate = seconds / count
        if seconds < CHUNK_SECONDS:
            self.chunk = min(CHUNK, 2 * self.chunk)
        if process_time() - self.started_at > COMPILE_AFTER:
            self.sampler.compile()
