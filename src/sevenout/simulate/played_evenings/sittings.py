"""Evenings played one by one through the rules, with error bars.

For evenings too large for a distribution. No states are explored; an evening takes milliseconds.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import sqrt
from time import process_time
from typing import Any

from sevenout.cost import afford, allowed
from sevenout.evening.eveningplan import Plan
from sevenout.page import Fact, Facts, Page, Shown
from sevenout.page.kinds import COUNT, LABEL
from sevenout.simulate.played_evenings.evenings import Dealt
from sevenout.simulate.run import check_run

PILOTS = 10
"""Evenings after which the time of all is estimated."""
PILOT_ROLLS = 300
"""Rolls from which the number of evenings that can be played is estimated."""
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
            f"{self.plan.name}, played: the distribution is too large",
            Facts(
                Fact("evenings played", self.evenings, COUNT),
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
    """The number of evenings that half of the budget plays, from a few rolls that are played; from
    1 to 1,000.

    >>> sittings_that_fit(Plan.of("pass", 20, rolls=30))
    1000
    """
    begun, rolls, evenings = process_time(), 0, 0.0
    while rolls < PILOT_ROLLS:
        sitting, dealt = plan.sitting(), Dealt(plan, int(evenings), 1)
        made = 0
        while sitting.end is None and rolls + made < PILOT_ROLLS:
            sitting.roll(dealt.throw(sitting))
            made += 1
        rolls += made
        evenings += 1 if sitting.end is not None else made / (plan.ends.rolls or made)
    return min(1_000, _fit((process_time() - begun) / evenings))


def _fit(each: float) -> int:
    """The evenings that half of the budget plays, to one digit; each takes this many seconds."""
    fit = max(1, int(min(1e9, allowed().seconds / max(each, 1e-9) / 2)))
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
        evenings: their number.
        seed: of the run; evening n has the same dice in every run.
        progress: called with the number finished.

    Raises:
        SevenoutError: a wrong number of evenings or seed.
        TooMuchWorkError: they would take more than the budget.
    """
    check_run(evenings, seed)
    results = Counter[tuple[str, Fraction]]()
    begun = process_time()
    for number in range(evenings):
        sitting = Dealt(plan, number, seed).played()
        results[str(sitting.end), Fraction(sitting.money)] += 1
        if number + 1 == PILOTS:
            each = (process_time() - begun) / PILOTS
            instead = f"play {_fit(each):,}"
            afford(f"{evenings:,} evenings", seconds=each * evenings, instead=instead)
        progress(number + 1)
    return PlayedEvenings(plan, evenings, seed, results)
