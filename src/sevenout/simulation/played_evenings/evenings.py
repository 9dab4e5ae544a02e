"""Evenings played roll by roll: a tally, or the dice of one evening again."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import log10
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sevenout.budgets.estimates import afford, allowed
from sevenout.documents import Fact, Facts, Page, Shown
from sevenout.documents.kinds import COUNT, LABEL, PERCENT, ROUNDED, SIGNED
from sevenout.documents.numbers import won
from sevenout.errors import SevenoutError, shown
from sevenout.evenings.evening_plan import Plan
from sevenout.extras import has, needs
from sevenout.rolling.distribution import Finite, summed
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.casino.ends import ENDS
from sevenout.rules.casino.sitting import Sitting
from sevenout.simulation.played_evenings.board import NEVER, Board, Chunk, in_numpy
from sevenout.simulation.played_evenings.eveningdice import dice_of
from sevenout.simulation.run import check_run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

CHUNK = 1 << 14
"""Evenings played at a time."""


class Dealt:
    """The dice of a simulated evening, roll by roll, for any strategy.

    If a strategy treats numbers alike, its simulation keeps them in order. At a table with another
    order the faces of these numbers are exchanged, also while bets are played out.

    >>> plan = Plan.of("three-point-molly", 50, rolls=100)
    >>> sitting = Dealt(plan, evening=7, seed=1).played()
    >>> tally = simulate_evenings("three-point-molly", 50, 1, seed=1, first=7, rolls=100)
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


@dataclass(frozen=True, eq=False)
class EveningTally(Shown):
    """The counts of simulated evenings.

    Attributes:
        seed: of the run.
        counts: by (end, money).
        rolls: the number made, apart from bets played out at the end.
        peaks: counts of the most money after any roll.
        troughs: counts of the least money after any roll.
    """

    plan: Plan
    evenings: int
    seed: int
    counts: Mapping[tuple[str, Fraction], int]
    rolls: int
    peaks: Mapping[Fraction, int]
    troughs: Mapping[Fraction, int]

    @cached_property
    def money(self) -> dict[Fraction, int]:
        """The count of each final amount, in increasing order."""
        return dict(sorted(summed((money, n) for (_, money), n in self.counts.items()).items()))

    @cached_property
    def law(self) -> Finite:
        """The observed distribution of the final money."""
        return self._shares(self.money)

    def _shares(self, seen: Mapping[Fraction, int]) -> Finite:
        return Finite({money: Fraction(n, self.evenings) for money, n in seen.items()})

    def p(self, end: str) -> Fraction:
        """The share of the evenings with an end."""
        return Fraction(sum(n for (e, _), n in self.counts.items() if e == end), self.evenings)

    @property
    def mean(self) -> Fraction:
        """The mean result."""
        return self.law.mean - Fraction(self.plan.bankroll)

    def page(self) -> Page:
        """The observed figures."""
        ends = sorted({end for end, _ in self.counts})
        bankroll = Fraction(self.plan.bankroll)
        trough, peak = (
            won(self._shares(seen).quantile("1/2") - bankroll)
            for seen in (self.troughs, self.peaks)
        )
        return Page(
            self.plan.name,
            Facts(
                Fact("evenings", self.evenings, COUNT),
                *(Fact(f"ended by {end}", float(self.p(end)), PERCENT) for end in ends),
                Fact("ahead", float(self.law.sf(bankroll)), PERCENT),
                Fact("mean result", float(self.mean), SIGNED.to(4, sign=True)),
                Fact("mean rolls", self.rolls / self.evenings, ROUNDED),
                Fact("deepest trough, median", trough, LABEL),
                Fact("highest peak, median", peak, LABEL),
                Fact("seed", self.seed, LABEL),
            ),
        )


def simulate_evenings(
    strategy: Strategy | str,
    bankroll: Any,
    evenings: int = 100_000,
    seed: int = 1,
    *,
    first: int = 0,
    backend: str = "auto",
    threads: int | None = None,
    **options: Any,
) -> EveningTally:
    """Play evenings at the table, roll by roll; each to its end.

    The tally depends only on the evening, the number of evenings and the seed.

    >>> tally = simulate_evenings("pass", 10, evenings=1000, target=20, backend="numpy")
    >>> sum(tally.counts.values()), sorted({end for end, money in tally.counts})
    (1000, ['ruin', 'target'])

    Args:
        strategy: a strategy, or its name.
        bankroll: the player's bankroll.
        evenings: the number to play.
        seed: one of 2^64 streams of random bits.
        first: the number of the first evening: evenings 0 to 9 and 10 to 99 together are 0 to 99.
        backend: "numpy", "llvm", or "auto" for the faster one installed.
        threads: by default the number of cores.
        options: the ends and the house, as for `sevenout.evening`.

    Raises:
        RulesError: as `sevenout.evening`.
        SevenoutError: a wrong number of evenings, seed or backend.
    """
    return play_evenings(
        Plan.of(strategy, bankroll, **options),
        evenings,
        seed,
        first=first,
        backend=backend,
        threads=threads,
    )


def _in_order(
    pool: ThreadPoolExecutor, chunk: "Callable[[int], dict[str, Ints]]", evenings: int, ahead: int
) -> "Iterator[dict[str, Ints]]":
    """The results of chunks of evenings in order, a few in flight.

    Raises:
        TooMuchWorkError: the first chunk's time shows that all would take more than the budget.
    """
    begun = perf_counter()
    waiting = deque([pool.submit(chunk, 0)])
    waiting[0].result()
    each = max(1e-9, perf_counter() - begun) / CHUNK / (ahead / 2)
    fit = min(float(evenings), allowed().seconds / each)
    afford(f"{evenings:,} evenings", seconds=each * evenings, instead=f"play {_round(fit):,}")
    todo = iter(range(CHUNK, evenings, CHUNK))
    try:
        while waiting:
            waiting += [pool.submit(chunk, done) for done in islice(todo, ahead - len(waiting))]
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _round(n: float) -> int:
    """A number rounded to its first digit."""
    power = 10.0 ** int(log10(max(1.0, n)))
    return int(n // power * power)


def play_evenings(
    plan: Plan,
    evenings: int,
    seed: int = 1,
    *,
    first: int = 0,
    backend: str = "auto",
    threads: int | None = None,
) -> EveningTally:
    """Play the evenings of a plan; as `simulate_evenings`."""
    needs("numpy")
    import numpy as np

    check_run(evenings, seed)
    if backend not in ("auto", "numpy", "llvm"):
        raise SevenoutError(f"backend={shown(backend)}; give auto, numpy or llvm")
    layouts = plan.positions
    board = Board.of(plan)
    play: Chunk = in_numpy
    if backend == "llvm" or (backend == "auto" and has("llvmlite")):
        needs("llvmlite", "fast")
        from sevenout.simulation.played_evenings.eveningkernel import in_llvm

        play = in_llvm
    limit = NEVER if plan.ends.rolls is None else plan.ends.rolls
    counts: dict[tuple[int, int], int] = {}
    seen: dict[str, dict[int, int]] = {"low": {}, "high": {}}
    rolls = 0

    def chunk(done: int) -> "dict[str, Ints]":
        return play(board, seed, first + done, min(CHUNK, evenings - done), limit)

    workers = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        for found in _in_order(pool, chunk, evenings, 2 * workers):
            rolls += int(found["rolls"].sum())
            keys = found["money"] * 8 - found["end"]
            for key, n in zip(*np.unique(keys, return_counts=True), strict=True):
                at = -(int(key) % 8), int(key) // 8
                counts[at] = counts.get(at, 0) + int(n)
            for name, before in seen.items():
                for key, n in zip(*np.unique(found[name], return_counts=True), strict=True):
                    before[int(key)] = before.get(int(key), 0) + int(n)
    least = Fraction(layouts.bankroll) % layouts.unit

    def money(column: int) -> Fraction:
        return least + column * layouts.unit

    return EveningTally(
        plan=plan,
        evenings=evenings,
        seed=seed,
        counts={(ENDS[end], money(c)): n for (end, c), n in sorted(counts.items())},
        rolls=rolls,
        peaks={money(c): n for c, n in sorted(seen["high"].items())},
        troughs={money(c): n for c, n in sorted(seen["low"].items())},
    )
