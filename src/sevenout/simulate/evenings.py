"""Evenings, played roll by roll: the layouts as a table, one evening after the other."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from sevenout.chain.layouts import ENDS, LOSS, SHOOTERS, TIME, WIN
from sevenout.dice import Dice
from sevenout.errors import RulesError, SevenoutError, shown
from sevenout.exact.evening import Plan
from sevenout.exact.standing import Followed
from sevenout.extras import has, needs
from sevenout.page import Fact, Facts, Page, Shown
from sevenout.page.kinds import COUNT, LABEL, PERCENT, ROUNDED, SIGNED
from sevenout.page.numbers import won
from sevenout.rules.betting import NOTHING, Strategy, Throw
from sevenout.rules.sitting import Sitting
from sevenout.simulate.eveningdice import FACES, IN_CALL, IN_WORD, dice_of, words_of
from sevenout.simulate.run import check_run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

CHUNK = 1 << 14
"""Evenings that are played at a time."""
NEVER = (1 << 62) - 1
FOUND = ("end", "money", "rolls", "low", "high")
"""What is written down of each evening."""


@dataclass(frozen=True, eq=False)
class Board:
    """Layouts as tables of integers; money is counted in units, from the least that there can be.

    Attributes:
        to: (rows, 36) the row that each roll leads to, or an end.
        last: (rows, 36) the same where it is the last of the evening: the row from which what
            stands is played out, or that of the time.
        gain: (rows, 36) what it brings.
        fee: (rows, 36) what the bets cost that are made then.
        safe: (rows,) with less than this, another row takes the place of this one,
        base: (rows,) at this place in `pinch`, counted on by the money.
        pinch: rows.
        first: the first row.
        money: and the money there.
        floor: he leaves with no more than this.
        ceiling: he leaves with no less than this.
    """

    to: "Ints"
    last: "Ints"
    gain: "Ints"
    fee: "Ints"
    safe: "Ints"
    base: "Ints"
    pinch: "Ints"
    first: int
    money: int
    floor: int
    ceiling: int

    @classmethod
    def of(cls, plan: Plan) -> "Board":
        """The tables of an evening."""
        import numpy as np

        layouts, felt = plan.layouts, plan.bettor.felt
        if not isinstance(felt.dice, Dice) or felt.ways != 36:
            raise RulesError("evenings are played with two dice; this felt has others")
        layouts.complete()
        left = plan.counting() or (lambda _: NOTHING)
        layouts.complete()  # what stands may bring amounts between those that there were
        unit = layouts.unit
        least = Fraction(layouts.bankroll) % unit

        def column(money: Any) -> int:
            return int((money - least) // unit)

        stood = dict.fromkeys(left(step.stands) for steps in layouts.steps for step in steps)
        out = Followed(felt, stood)
        explored = len(layouts.rows)
        rows = explored + len(out.nodes)
        row_of = {stands: explored + i for i, stands in enumerate(out.nodes)} | {NOTHING: TIME}
        to, last, gain, fee = (np.zeros((rows, 36), dtype=np.int64) for _ in range(4))
        safe, base = (np.full(rows, -1, dtype=np.int64) for _ in range(2))
        pinch: list[int] = []
        rolls = [felt.dice.roll(faces) for faces in FACES]

        @lru_cache
        def which(throws: tuple[Throw, ...]) -> "Ints":
            return np.array([felt.which(throws, roll) for roll in rolls])

        for i, steps in enumerate(layouts.steps):
            if not steps:
                continue
            at = which(tuple(felt.throws(layouts.rows[i].seat.bets)))
            for table, values in (
                (to, [step.to for step in steps]),
                (last, [row_of[left(step.stands)] for step in steps]),
                (gain, [int(step.gain / unit) for step in steps]),
                (fee, [int(step.fee / unit) for step in steps]),
            ):
                table[i] = np.array(values, dtype=np.int64)[at]
            if layouts.pinches[i]:
                lows = sorted(layouts.pinches[i])
                safe[i] = column(lows[-1]) + 1
                base[i] = len(pinch) - column(lows[0])
                pinch += [layouts.pinches[i][money] for money in lows]
        for stands, follows in out.follows():
            at = which(tuple(felt.throws(stands[1])))
            i = row_of[stands]
            to[i] = np.array([row_of[then] for then, _ in follows], dtype=np.int64)[at]
            gain[i] = np.array([int(won / unit) for _, won in follows], dtype=np.int64)[at]
        row, money = layouts.first
        return cls(
            to=to,
            last=last,
            gain=gain,
            fee=fee,
            safe=safe,
            base=base,
            pinch=np.array(pinch or [0], dtype=np.int64),
            first=row,
            money=column(money),
            floor=-NEVER if layouts.floor is None else column(layouts.floor),
            ceiling=NEVER if layouts.ceiling is None else -int(-(layouts.ceiling - least) // unit),
        )


Chunk = Callable[[Board, int, int, int, int], dict[str, "Ints"]]


def in_numpy(board: Board, seed: int, first: int, evenings: int, rolls: int) -> "dict[str, Ints]":
    """Play a chunk of evenings: all of them a roll at a time.

    Args:
        board: the layouts.
        seed: of the run.
        first: the number of the first evening.
        evenings: how many.
        rolls: after how many each ends at the latest, but for what is played out.
    """
    import numpy as np

    row = np.full(evenings, board.first, dtype=np.int64)
    money = np.full(evenings, board.money, dtype=np.int64)
    low, high = money.copy(), money.copy()
    dice = _Dice(np.arange(first, first + evenings), seed)
    found = {name: np.zeros(evenings, dtype=np.int64) for name in FOUND}
    alive = np.arange(evenings)
    while len(alive):
        face = dice.roll()
        money = money + board.gain[row, face]
        low, high = np.minimum(low, money), np.maximum(high, money)
        then = board.to[row, face]
        if dice.rolls == rolls:
            then = np.where(then == SHOOTERS, SHOOTERS, board.last[row, face])
        then = np.where(money >= board.ceiling, WIN, then)
        then = np.where(money <= board.floor, LOSS, then)
        over = then < 0
        if over.any() or dice.rolls == rolls:
            _write(found, alive, then, money, dice.rolls, low, high)
            if dice.rolls == rolls:
                break
            on = ~over
            dice.keep(on)
            alive, row, face, then, money, low, high = (
                x[on] for x in (alive, row, face, then, money, low, high)
            )
        money = money - board.fee[row, face]
        short = money < board.safe[then]
        then[short] = board.pinch[board.base[then[short]] + money[short]]
        row = then
    while (on := found["end"][alive] >= 0).any():
        dice.keep(on)
        alive, face = alive[on], dice.roll()
        row = found["end"][alive]
        found["money"][alive] += board.gain[row, face]
        found["end"][alive] = board.to[row, face]
    return found


class _Dice:
    """The dice of several evenings.

    Attributes:
        rolls: how many were made.
    """

    def __init__(self, evenings: "Ints", seed: int) -> None:
        self.evenings, self.seed, self.rolls = evenings, seed, 0
        self._words = self._word = evenings[:0]

    def roll(self) -> "Ints":
        """What each of them shows, by digit."""
        import numpy as np

        if self.rolls % IN_CALL == 0:
            self._words = words_of(self.evenings, self.rolls // IN_CALL, self.seed)
        if self.rolls % IN_WORD == 0:
            self._word = self._words[self.rolls % IN_CALL // IN_WORD]
        self._word, face = np.divmod(self._word, 36)
        self.rolls += 1
        return face

    def keep(self, some: Any) -> None:
        """Go on with some of the evenings."""
        self.evenings, self._word = self.evenings[some], self._word[some]
        self._words = self._words[:, some]


class Dealt:
    """The dice of a simulated evening, for whoever plays it roll by roll.

    A strategy that treats numbers alike is simulated with such numbers in order. So where they are
    not in order at the table, the roll is that of the numbers which they trade places with; and so
    it is for whatever is played out.

    >>> plan = Plan.of("three-point-molly", 50, rolls=100)
    >>> sitting = Dealt(plan, evening=7, seed=1).played()
    >>> tally = simulate_evenings("three-point-molly", 50, 1, seed=1, first=7, rolls=100)
    >>> list(tally.counts) == [(sitting.end, sitting.money)]
    True

    Args:
        plan: of the evening.
        evening: its number, from 0.
        seed: of the run.
    """

    def __init__(self, plan: Plan, evening: int, seed: int) -> None:
        self.plan, self.dice = plan, dice_of(evening, seed)

    def throw(self, sitting: Sitting) -> tuple[int, int]:
        """The faces of the next roll of an evening that has come so far."""
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


def _write(found: "dict[str, Ints]", at: Any, *values: Any) -> None:
    for name, value in zip(FOUND, values, strict=True):
        found[name][at] = value


@dataclass(frozen=True, eq=False)
class EveningTally(Shown):
    """What was seen of evenings that were played.

    Attributes:
        plan: the evening.
        evenings: how many were played.
        seed: with which.
        counts: how often each (end, money) came.
        rolls: how many were made, but for those that played out what stood in the end.
        peaks: how often each most money came, after any of these.
        troughs: how often each least money came.
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
        """How often each amount was left, least first."""
        merged: dict[Fraction, int] = {}
        for (_, money), n in self.counts.items():
            merged[money] = merged.get(money, 0) + n
        return dict(sorted(merged.items()))

    def p(self, end: str) -> Fraction:
        """The share of the evenings with an end."""
        return Fraction(sum(n for (e, _), n in self.counts.items() if e == end), self.evenings)

    @property
    def mean(self) -> Fraction:
        """The mean result."""
        total = sum((money * n for money, n in self.money.items()), Fraction(0))
        return total / self.evenings - Fraction(self.plan.bankroll)

    def page(self) -> Page:
        """What was seen."""
        ends = sorted({end for end, _ in self.counts})
        ahead = sum(n for money, n in self.money.items() if money > self.plan.bankroll)
        bankroll = Fraction(self.plan.bankroll)
        return Page(
            self.plan.name,
            Facts(
                Fact("evenings", self.evenings, COUNT),
                *(Fact(f"ended by {end}", float(self.p(end)), PERCENT) for end in ends),
                Fact("ahead", ahead / self.evenings, PERCENT),
                Fact("mean result", float(self.mean), SIGNED.to(4, sign=True)),
                Fact("mean rolls", self.rolls / self.evenings, ROUNDED),
                Fact("deepest trough, median", won(_median(self.troughs) - bankroll), LABEL),
                Fact("highest peak, median", won(_median(self.peaks) - bankroll), LABEL),
                Fact("seed", self.seed, LABEL),
            ),
        )


def _median(counts: Mapping[Fraction, int]) -> Fraction:
    below, total = 0, sum(counts.values())
    for money in sorted(counts):
        below += counts[money]
        if 2 * below >= total:
            return money
    raise AssertionError


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

    The tally depends on the evening, how many are played and the seed alone.

    >>> tally = simulate_evenings("pass", 10, evenings=1000, target=20, backend="numpy")
    >>> sum(tally.counts.values()), sorted({end for end, money in tally.counts})
    (1000, ['ruin', 'target'])

    Args:
        strategy: how he bets.
        bankroll: what he brings.
        evenings: how many are played.
        seed: which of 2^64 streams of random bits.
        first: the number of the first evening: those from 0 to 9 and those from 10 to 99 are
            together those from 0 to 99.
        backend: "numpy", "llvm", or "auto" for the faster that is installed.
        threads: how many play; as many as there are cores, if not said.
        options: what ends the evening, and the house: as `sevenout.evening` has them.

    Raises:
        RulesError: as `sevenout.evening`.
        SevenoutError: no such number of evenings, seed or backend.
    """
    return play_evenings(
        Plan.of(strategy, bankroll, **options),
        evenings,
        seed,
        first=first,
        backend=backend,
        threads=threads,
    )


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
        raise SevenoutError(f"backend={shown(backend)}; there are auto, numpy, llvm")
    layouts = plan.layouts
    board = Board.of(plan)
    play: Chunk = in_numpy
    if backend == "llvm" or (backend == "auto" and has("llvmlite")):
        needs("llvmlite", "fast")
        from sevenout.simulate.eveningkernel import in_llvm

        play = in_llvm
    limit = NEVER if plan.rolls is None else plan.rolls
    counts: dict[tuple[int, int], int] = {}
    seen: dict[str, dict[int, int]] = {"low": {}, "high": {}}
    rolls = 0

    def chunk(done: int) -> "dict[str, Ints]":
        return play(board, seed, first + done, min(CHUNK, evenings - done), limit)

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for found in pool.map(chunk, range(0, evenings, CHUNK)):
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
