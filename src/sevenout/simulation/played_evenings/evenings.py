"""Evenings played roll by roll: a tally with error bars, or the dice of one evening again."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from time import process_time
from typing import Any

from sevenout.budgets.estimates import afford, allowed
from sevenout.documents import Fact, Facts, Page, Shown
from sevenout.documents.kinds import COUNT, LABEL, ROUNDED
from sevenout.documents.numbers import won
from sevenout.evenings.evening_plan import Plan
from sevenout.extras import has
from sevenout.model.graph import not_collecting
from sevenout.rolling.distribution import Finite, summed
from sevenout.rules.casino.betting import Sitting, Strategy
from sevenout.rules.casino.ends import ENDS
from sevenout.simulation.played_evenings.evening_sampler import FIGURES, EveningSampler, dice_of
from sevenout.simulation.run import check_run

CHUNK = 1 << 14
"""The most evenings played at a time."""
CHUNK_SECONDS = 0.1
"""A chunk that takes longer isn't doubled: between chunks the budget is checked."""
PILOT, ENOUGH = 0.1, 0.9
"""The shares of the budget after which the time of all is estimated, and playing ends."""
TOO_MANY = 100
"""Evenings that would take this many budgets are refused; of fewer, those that fit are played."""
COMPILE_AFTER = 1.0
"""Seconds of playing after which numba is loaded, which takes about as long."""
COMPILED_SPEED = 50
"""An evening takes numba 1 to 3 µs, and 30 to 250 µs without; see `_Run.estimate`."""
SURE = 1.96
"""Standard errors of a 95 % error bar."""


class Dealt:
    """The dice of a simulated evening, roll by roll, for any strategy.

    If a strategy treats numbers alike, its simulation keeps them in order. At a table with another
    order the faces of these numbers are exchanged, also while bets are played out.

    >>> plan = Plan.of("three-point-molly", 50, rolls=100)
    >>> sitting = Dealt(plan, evening=7, seed=1).played()
    >>> tally = play_evenings(plan, 1, seed=1, first=7)
    >>> list(tally.counts) == [(sitting.end, sitting.money)]
    True

    Args:
        plan: of the evening.
        evening: its number, from 0.
    """

    def __init__(self, plan: Plan, evening: int, seed: int) -> None:
        self.plan, self.dice = plan, dice_of(evening, seed)

    def throw(self, sitting: Sitting) -> tuple[int, int]:
        """The faces of the next roll of an evening."""
        faces = next(self.dice)
        felt, strategy = self.plan.bettor.felt, self.plan.bettor.strategy
        if strategy.mirrored or sitting.playing_out:
            swapped = felt.mirrored(sitting.point, sitting.seat.bets).swapped
            if felt.dice.roll(faces).total in swapped:
                return 7 - faces[0], 7 - faces[1]
        return faces

    def played(self) -> Sitting:
        """The evening, played to its end."""
        sitting = self.plan.sitting()
        while sitting.end is None:
            sitting.roll(self.throw(sitting))
        return sitting


@dataclass(frozen=True, eq=False, repr=False)
class EveningTally(Shown):
    """The counts of played evenings; each figure has its error bar at 95 %.

    >>> tally = play_evenings(Plan.of("pass", 20, rolls=30), 50, seed=3)
    >>> tally
    <Pass line: 50 evenings played>

    Attributes:
        evenings: that were played.
        requested: that were asked for; more than the budget plays, if it is more.
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
        return dict(sorted(summed((money, n) for (_, money), n in self.counts.items()).items()))

    @cached_property
    def law(self) -> Finite:
        """The observed distribution of the final money."""
        return self._shares(self.money)

    def _shares(self, counts: Mapping[Fraction, int]) -> Finite:
        return Finite({money: Fraction(n, self.evenings) for money, n in counts.items()})

    def p(self, end: str) -> Fraction:
        """The share of the evenings with an end."""
        return Fraction(sum(n for (e, _), n in self.counts.items() if e == end), self.evenings)

    @property
    def mean(self) -> Fraction:
        """The mean result."""
        return self.law.mean - Fraction(self.plan.bankroll)

    @cached_property
    def mean_bar(self) -> tuple[float, float]:
        """The mean result, and its error bar."""
        count = self.evenings
        variance = float(self.law.variance) * count / max(1, count - 1)
        return float(self.mean), SURE * sqrt(variance / count)

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
        return SURE * sqrt(p * (1 - p) / (self.evenings + 4))

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
        cut = self.requested > self.evenings
        asked = Fact("asked for, more than the budget plays", self.requested, COUNT)
        return Page(
            f"{self.plan.name}, played",
            Facts(
                Fact("evenings played", self.evenings, COUNT),
                *([asked] if cut else []),
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


class _Run:
    """Chunks of evenings, their counts, and their time.

    Chunks grow while they are short: the first evenings meet most of the new positions, and take
    much longer than later ones.

    Attributes:
        played: the number of evenings.
        rate: the seconds of an evening of the latest chunk.
    """

    def __init__(self, plan: Plan, seed: int, first: int = 0) -> None:
        self.sampler, self.first = EveningSampler(plan, seed), first
        self.played = self.rolls = 0
        self.counts, self.troughs, self.peaks = Counter[Any](), Counter[Any](), Counter[Any]()
        self.chunk, self.rate = 1, 0.0
        self.begun, self.seconds = process_time(), allowed().seconds

    @property
    def spent(self) -> float:
        """The share of the budget that is used up."""
        return (process_time() - self.begun) / self.seconds

    def estimate(self, evenings: int) -> float:
        """The seconds that this many more evenings take, or fewer.

        Before numba plays, the latest chunk is slow for another reason too: it still meets new
        positions. So the estimate then is at the speed that numba will reach.
        """
        speed = COMPILED_SPEED if has("numba") and not self.sampler.is_compiled else 1
        return self.rate / speed * evenings

    @property
    def fit(self) -> int:
        """The evenings that half of the budget plays, to one digit."""
        fit = max(1, int(min(1e9, self.seconds / max(self.rate, 1e-9) / 2)))
        digits: int = 10 ** (len(str(fit)) - 1)
        return fit // digits * digits

    def play(self, most: int) -> None:
        """Play a chunk of at most this many evenings."""
        many, begun = min(self.chunk, most), process_time()
        figures = self.sampler.evenings(self.first + self.played, many)
        money = self.sampler.money
        ends, final, rolls, low, high = (figures[k::FIGURES] for k in range(FIGURES))
        for (end, column), n in Counter(zip(ends, final, strict=True)).items():
            self.counts[ENDS[end], Fraction(money(column))] += n
        for counts, columns in ((self.troughs, low), (self.peaks, high)):
            for column, n in Counter(columns).items():
                counts[Fraction(money(column))] += n
        self.rolls += sum(rolls)
        self.played += many
        seconds = process_time() - begun
        self.rate = seconds / many
        if seconds < CHUNK_SECONDS:
            self.chunk = min(CHUNK, 2 * self.chunk)
        if process_time() - self.begun > COMPILE_AFTER:
            self.sampler.compile()


def evenings_that_fit(plan: Plan) -> int:
    """The number of evenings that half of the budget plays, estimated from the first; from 1 to
    100,000.

    >>> evenings_that_fit(Plan.of("pass", 20, rolls=30)) > 1000
    True
    """
    run = _Run(plan, seed=1)
    while run.spent < PILOT and run.played < 1_000:
        run.play(1_000 - run.played)
    return min(100_000, run.fit)


def play_evenings(
    plan: Plan,
    evenings: int,
    seed: int = 1,
    *,
    first: int = 0,
    progress: Callable[[int], object] = lambda _: None,
) -> EveningTally:
    """Play evenings of a plan, roll by roll; each to its end.

    The tally depends only on the plan, the number of evenings and the seed.

    Args:
        plan: of the evening.
        evenings: their number; fewer are played if the budget ends.
        seed: one of 2^64 streams of random bits; evening n has the same dice in every run.
        first: the number of the first evening: evenings 0 to 9 and 10 to 99 together are 0 to 99.
        progress: called with the number finished.

    Raises:
        SevenoutError: a wrong number of evenings or seed.
        TooMuchWorkError: they would take many times the budget.
    """
    check_run(evenings, seed)
    run, is_estimated = _Run(plan, seed, first), False
    with not_collecting():
        while run.played < evenings and run.spent < ENOUGH:
            run.play(evenings - run.played)
            if not is_estimated and run.spent > PILOT:
                is_estimated = True
                seconds = run.estimate(evenings - run.played)
                if seconds > TOO_MANY * run.seconds:
                    afford(f"{evenings:,} evenings", seconds=seconds, instead=f"play {run.fit:,}")
            progress(run.played)
    return EveningTally(
        plan,
        run.played,
        evenings,
        seed,
        dict(sorted(run.counts.items())),
        run.rolls,
        dict(sorted(run.peaks.items())),
        dict(sorted(run.troughs.items())),
    )


def simulate_evenings(
    strategy: Strategy | str, bankroll: Any, evenings: int = 100_000, seed: int = 1, **options: Any
) -> EveningTally:
    """Play evenings at the table, roll by roll; as `play_evenings`, from the plan's arguments.

    >>> tally = simulate_evenings("pass", 10, evenings=1000, target=20)
    >>> sum(tally.counts.values()), sorted({end for end, money in tally.counts})
    (1000, ['ruin', 'target'])

    Args:
        strategy: a strategy, or its name.
        bankroll: the player's bankroll.
        evenings: the number to play.
        seed: as for `play_evenings`.
        options: the ends and the house, as for `sevenout.evening`; and `first`.
    """
    first = options.pop("first", 0)
    return play_evenings(Plan.of(strategy, bankroll, **options), evenings, seed, first=first)
