"""Evenings played one by one through the rules, with error bars.

For evenings too large for a distribution: only positions that are met are explored.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import sqrt
from time import process_time
from typing import Any

from sevenout.budgets.estimates import afford, allowed
from sevenout.documents import Fact, Facts, Page, Shown
from sevenout.documents.kinds import COUNT, LABEL
from sevenout.evenings.evening_plan import Plan
from sevenout.model.graph import not_collecting
from sevenout.simulation.played_evenings.eveningdice import dice_of
from sevenout.simulation.played_evenings.met_steps import MetSteps
from sevenout.simulation.run import check_run

PILOT, ENOUGH = 0.1, 0.9
"""The shares of the budget after which the time of all is estimated, and playing ends."""
TOO_MANY = 100
"""Evenings that would take this many budgets are refused; of fewer, those that fit are played."""
SURE = 1.96
"""Standard errors of a 95 % error bar."""


@dataclass(frozen=True, eq=False)
class PlayedEvenings(Shown):
    """The figures of played evenings, from counts by (end, money), each with its 95 % error bar.

    >>> seen = play_sittings(Plan.of("pass", 20, rolls=30), 50, seed=3)
    >>> seen.evenings, seen.results.total()
    (50, 50)
    """

    plan: Plan
    evenings: int
    seed: int
    results: Counter[tuple[str, Fraction]]
    asked: int = 0

    def share(self, which: Callable[[str, Fraction], bool]) -> tuple[float, float]:
        """The share of the evenings with a property, and its error bar.

        A Wald interval with Agresti and Coull's two more of each, so that it is never 0.
        """
        seen = sum(n for (end, money), n in self.results.items() if which(end, money))
        p = (seen + 2) / (self.evenings + 4)
        return seen / self.evenings, SURE * sqrt(p * (1 - p) / (self.evenings + 4))

    @cached_property
    def mean(self) -> tuple[float, float]:
        """The mean result, and its error bar."""
        bankroll = Fraction(self.plan.bankroll)
        won = Counter[float]()
        for (_, money), n in self.results.items():
            won[float(money - bankroll)] += n
        mean = sum(x * n for x, n in won.items()) / self.evenings
        square = sum((x - mean) ** 2 * n for x, n in won.items()) / max(1, self.evenings - 1)
        return mean, SURE * sqrt(square / self.evenings)

    @cached_property
    def shares(self) -> dict[str, tuple[float, float]]:
        """The shares of the ends, and of the evenings that won."""
        bankroll = Fraction(self.plan.bankroll)
        ends = sorted({end for end, _ in self.results})
        found = {f"ended by {end}": self.share(partial(_ended, end)) for end in ends}
        return found | {"ahead": self.share(lambda _, money: money > bankroll)}

    def page(self) -> Page:
        """The observed figures."""
        shares = [
            Fact(name, f"{100 * p:.2f} % ± {100 * bar:.2f}", LABEL)
            for name, (p, bar) in self.shares.items()
        ]
        mean, bar = self.mean
        return Page(
            f"{self.plan.name}, played: the distribution is over the budget",
            Facts(
                Fact("evenings played", self.evenings, COUNT),
                *(
                    [Fact("asked for, more than the budget plays", self.asked, COUNT)]
                    if self.asked > self.evenings
                    else []
                ),
                *shares,
                Fact("mean result", f"{mean:+.3f} ± {bar:.3f}", LABEL),
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
            "shares": {name: list(found) for name, found in self.shares.items()},
            "mean_result": list(self.mean),
        }


def sittings_that_fit(plan: Plan) -> int:
    """The number of evenings that half of the budget plays, estimated from the first; from 1 to
    100,000.

    >>> sittings_that_fit(Plan.of("pass", 20, rolls=30)) > 1000
    True
    """
    play = _Play(plan, seed=1)
    while not play.spent(PILOT) and play.played < 1_000:
        play.on()
    return min(100_000, play.fit)


class _Play:
    """Evenings played one after another, and their time."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.steps, self.seed = MetSteps(plan), seed
        self.played, self.halfway, self.half = 0, 0.0, 0
        self.begun, self.seconds = process_time(), allowed().seconds

    def on(self) -> tuple[str, Fraction]:
        """How the next evening ends, and its money."""
        end, money = self.steps.evening(dice_of(self.played, self.seed))
        self.played += 1
        if self.played == 2 * self.half or not self.half:  # later evenings are faster
            self.half, self.halfway = self.played, process_time() - self.begun
        return end, Fraction(money)

    def spent(self, share: float) -> bool:
        """Whether this share of the budget is used up."""
        return process_time() - self.begun > share * self.seconds

    @property
    def each(self) -> float:
        """The seconds of an evening, from the latest."""
        spent = process_time() - self.begun
        if self.played == self.half:
            return spent / self.played
        return (spent - self.halfway) / (self.played - self.half)

    @property
    def fit(self) -> int:
        """The evenings that half of the budget plays, to one digit."""
        fit = max(1, int(min(1e9, self.seconds / max(self.each, 1e-9) / 2)))
        digits: int = 10 ** (len(str(fit)) - 1)
        return fit // digits * digits


def _ended(end: str, how: str, _money: Fraction) -> bool:
    return how == end


def play_sittings(
    plan: Plan, evenings: int, seed: int = 1, progress: Callable[[int], object] = lambda _: None
) -> PlayedEvenings:
    """Play evenings one by one.

    Args:
        plan: of the evening.
        evenings: their number; fewer are played if the budget ends.
        seed: of the run; evening n has the same dice in every run.
        progress: called with the number finished.

    Raises:
        SevenoutError: a wrong number of evenings or seed.
        TooMuchWorkError: they would take more than the budget.
    """
    check_run(evenings, seed)
    results = Counter[tuple[str, Fraction]]()
    play, estimated = _Play(plan, seed), False
    with not_collecting():
        while play.played < evenings and not play.spent(ENOUGH):
            results[play.on()] += 1
            if not estimated and play.spent(PILOT):
                estimated = True
                seconds = play.each * (evenings - play.played)
                if seconds > TOO_MANY * play.seconds:
                    afford(f"{evenings:,} evenings", seconds=seconds, instead=f"play {play.fit:,}")
            progress(play.played)
    return PlayedEvenings(plan, play.played, seed, results, evenings)
