"""Evenings played roll by roll: a tally with error bars, or the dice of one evening again.

How the sampler works. A *place* is a row of `Positions`, or the bets played out after the last
roll. For a place and the faces of a roll, a chain of *effects* holds the results by ranges of
money: how much is won, and which place or end follows. `play` walks these tables, evening by
evening. A roll that was never met before stops it; `EveningSampler` computes that roll, adds its
effect, and `play` continues where it stopped. Most evenings meet the same few places, so the
thousandth hardly ever stops, however many places there are; only those that are met take memory.

Money is counted from the bankroll, in units of which all amounts met so far are whole multiples.

`play` is a plain function of arrays of integers. Python runs it everywhere, also in a browser. If
numba is installed and many evenings are requested, numba compiles the same function. Both give the
same figures.

*The dice* are the same for every strategy. Call c of evening e takes Philox's four words for the
counter (c, e mod 2³², e div 2³², a) under the key of the seed, with a = 0. A word below 71·36⁵ is
five rolls: its digits to the base 36, lowest first; digit d is the faces 1 + d div 6 and
1 + d mod 6. If any of the four words is not below, all four are drawn again with the next a. A call
is thus twenty fair rolls.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, inf, lcm, sqrt
from time import process_time
from typing import Any

from sevenout.budgets.estimates import afford, allowed
from sevenout.documents import Fact, Facts, HasPage, Page
from sevenout.documents.kinds import COUNT, LABEL, ROUNDED
from sevenout.documents.numbers import won
from sevenout.errors import RulesError
from sevenout.evenings.evening_plan import Plan
from sevenout.evenings.positions import MAX_ROWS, FinalBets, Positions, RollEffect
from sevenout.extras import compiled, is_installed
from sevenout.model.graph import not_collecting
from sevenout.rolling.distribution import FiniteDistribution, sum_by_key
from sevenout.rolling.throw import see
from sevenout.rules.casino.betting import Sitting, Strategy, margins
from sevenout.rules.casino.ends import ENDS, LOSS, SHOOTERS, TIME, WIN, played_on
from sevenout.rules.casino.felt import Money, Stands, Throw, whole
from sevenout.simulation.random_bits import M0, M1, ROUNDS, W0, W1, WORD, key_of, philox
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
FAIR = 71 * 36**5
"""A word below this is five rolls; 71·36⁵ is the largest multiple of 36⁵ below 2³²."""
IN_WORD, IN_CALL = 5, 20
"""The rolls of a word, and of a call."""
FACES = tuple((1 + d // 6, 1 + d % 6) for d in range(36))
"""The faces of each digit."""
SLOTS = 72
"""Slots of a place: one for each digit, and one for each digit of the last roll."""
FIELDS = 5
"""Of an effect: place or end, gain, least money, first money above, index of the next or -1."""
FIGURES = 5
"""The figures of an evening: end, money, rolls, lowest and highest money."""
UNKNOWN = -1
"""In place of an effect that is not worked out yet."""
ALL_PLAYED = -1
"""What `play` returns in place of a slot when all evenings have ended."""
STATE = 13
"""Numbers kept of an evening in progress: see `play`."""
ANY_MONEY = 1 << 60
"""Beyond any amount in units, and small enough to add to one in 64 bits."""


def simulate_evenings(
    strategy: Strategy | str, bankroll: Any, evenings: int = 100_000, seed: int = 1, **options: Any
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
        options: the ends and the house, as for `sevenout.evening`; and `first`.
    """
    first = options.pop("first", 0)
    return play_evenings(Plan.of(strategy, bankroll, **options), evenings, seed, first=first)


def play_evenings(
    plan: Plan,
    evenings: int,
    seed: int = 1,
    *,
    first: int = 0,
    progress: Callable[[int], object] = lambda _: None,
) -> "EveningTally":
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
    with (
        not_collecting()
    ):  # a million small counts: the collector would look at them again and again
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
        return FiniteDistribution(
            {money: Fraction(n, self.evenings) for money, n in counts.items()}
        )

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


class _Run:
    """Chunks of evenings, their counts, and their time.

    Chunks grow while they are short: the first evenings meet most of the new positions, and take
    much longer than later ones.

    Attributes:
        sampler: plays them.
        first: the number of the first evening.
        played, rolls: the numbers of evenings and of rolls.
        counts, troughs, peaks: as in `EveningTally`.
        chunk: the evenings of the next chunk.
        begun, seconds: when the run began (in seconds of the process), and its budget.
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
        speed = COMPILED_SPEED if is_installed("numba") and not self.sampler.is_compiled else 1
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


# --- the dice of an evening -----------------------------------------------------------------------


def dice_of(evening: int, seed: int) -> Iterator[tuple[int, int]]:
    """The endless rolls of one evening, to replay it.

    >>> from itertools import islice
    >>> list(islice(dice_of(0, seed=1), 3))
    [(3, 5), (6, 3), (5, 3)]

    Args:
        evening: its number, from 0.
        seed: of the run.
    """
    call = 0
    while True:
        again = 0
        while True:
            words = philox((call, evening & WORD, evening >> 32, again), key_of(seed))
            if max(words) < FAIR:
                break
            again += 1
        for word in words:
            yield from (FACES[word // 36**place % 36] for place in range(IN_WORD))
        call += 1


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
        seed: of the run.

    Attributes:
        dice: the rolls to come.
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


# --- the sampler ----------------------------------------------------------------------------------


class EveningSampler:
    """Evenings of a plan, played roll by roll.

    >>> sampler = EveningSampler(Plan.of("pass", 20, rolls=30), seed=1)
    >>> figures = sampler.evenings(first=0, many=2)
    >>> [str(sampler.money(column)) for column in figures[1::FIGURES]]
    ['21', '21']

    Attributes:
        plan, felt, key: of the evenings: the plan, its felt, and the two words of the seed.
        final_bets: which bets left at the end are played out.
        positions: where rows come from; their steps don't depend on the rolls left.
        places: by number, a row of `positions`, or the bets played out.
        numbers: the number of each place.
        heads: by place and slot, the index of the first effect, or UNKNOWN.
        effects: `FIELDS` for each effect.
        scale: the units of money in 1.
        start: the place of the first bets.
        is_compiled: whether numba plays.

    Raises:
        RulesError: the dice are not two, the bets can't be played roll by roll, or the bankroll
            does not pay for the first bet.
    """

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan, self.felt, self.key = plan, plan.bettor.felt, key_of(seed)
        plan.sitting()  # refuses what can't be played roll by roll
        if self.felt.ways != len(FACES):  # a word is five pairs of dice, and no others
            raise RulesError("evenings are played with two dice; this felt has others")
        self.final_bets = FinalBets(self.felt, plan.ends.standing)
        self.scale, self.is_compiled = 1, False
        for amount in (plan.bankroll, plan.ends.floor, plan.ends.ceiling):
            self.scale = lcm(self.scale, (amount or 0).denominator)
        self._forget()

    def _forget(self) -> None:
        """Begin with empty tables."""
        plan = self.plan
        self.positions = Positions(
            plan.bettor,
            plan.bankroll,
            replace(plan.ends, rolls=None),  # so that a row is the same however many are left
            mirrored=plan.bettor.strategy.mirrored,
            max_rows=inf,
        )
        self.positions.begin()
        self._roll_effects: dict[tuple[int, Money | None, Throw, bool], RollEffect] = {}
        self.places: list[int | Stands] = []
        self.numbers: dict[int | Stands, int] = {}
        self.heads, self.effects = array("q"), array("q")
        self.start = self._place(self.positions.start)

    def evenings(self, first: int, many: int) -> "array[int]":
        """The figures of `many` evenings from number `first` on: `FIGURES` for each."""
        if len(self.places) > MAX_ROWS:
            self._forget()  # a fresh start meets again what is met often
        figures = array("q", bytes(8 * FIGURES * many))
        state = array("q", bytes(8 * STATE))
        state[1] = self.start
        while (slot := self._play(figures, state, first)) != ALL_PLAYED:
            scale = self.scale
            self._work_out(slot, self.money(state[2]))
            if times := self.scale // scale - 1:  # units are finer now: convert what was counted
                for index in (2, 4, 5):
                    state[index] += times * state[index]
                for index in range(len(figures)):
                    if index % FIGURES in (1, 3, 4):
                        figures[index] += times * figures[index]
        return figures

    def _play(self, figures: "array[int]", state: "array[int]", first: int) -> int:
        ends = self.plan.ends
        rules = (
            self.start,
            -ANY_MONEY if ends.floor is None else self._column(ends.floor),
            ANY_MONEY if ends.ceiling is None else self._column(ends.ceiling),
            ends.rolls or ANY_MONEY,
            *self.key,
            first,
        )
        arrays = self.heads, self.effects, figures, state
        return _play_compiled(*arrays, rules) if self.is_compiled else play(*arrays, rules)

    def compile(self) -> None:
        """Let numba play from now on, if it is installed."""
        if is_installed("numba") and not self.is_compiled:
            self.is_compiled = True
            # numba keeps what it is first called with, and arrays in use can't grow: play nothing
            heads, effects, state = (array("q", (0,) * SLOTS) for _ in range(3))
            _play_compiled(heads, effects, array("q"), state, (0,) * 7)

    def money(self, column: int) -> Money:
        """The money of a column."""
        return whole(self.plan.bankroll + Fraction(column, self.scale))

    def _column(self, money: Money) -> int:
        """The column of an amount, or the first above it."""
        return ceil((money - self.plan.bankroll) * self.scale)

    def _place(self, content: "int | Stands") -> int:
        """The number of a place."""
        number = self.numbers.setdefault(content, len(self.places))
        if number == len(self.places):
            self.places.append(content)
            self.heads.extend((UNKNOWN,) * SLOTS)
        return number

    def _work_out(self, slot: int, money: Money) -> None:
        """Add the effect of a roll in a place with this money."""
        place, index = divmod(slot, SLOTS)
        last, digit = divmod(index, len(FACES))
        content = self.places[place]
        least: Money | None = None
        above: Money | None = None
        if isinstance(content, int):
            roll = self._roll_effect(content, digit, last=bool(last))
            gain = roll.gain
            if last:
                to = self._after_last(content, roll)
            else:
                to, least, above = self._step(content, roll, money)
        else:
            throw = self.felt.throw_of(content[1], see(self.felt.dice, FACES[digit]))
            (point, bets), rolled = played_on(self.felt, content, throw)
            gain = rolled.net
            to = self._place(self.felt.mirrored(point, bets)[:2]) if bets else TIME
        # odds of 3 to 2 on a bet of 5 pay halves: amounts stay whole in finer units
        finer = lcm(self.scale, gain.denominator)
        if finer != self.scale:  # all columns in the tables are in the old units: begin again
            self.scale = finer
            self.effects = array("q")
            self.heads = array("q", (UNKNOWN,)) * len(self.heads)
        effect = len(self.effects)
        self.effects.extend(
            (
                to,
                int(gain * self.scale),
                -ANY_MONEY if least is None else self._column(least),
                ANY_MONEY if above is None else self._column(above),
                self.heads[slot],
            )
        )
        self.heads[slot] = effect

    def _roll_effect(self, row: int, digit: int, *, last: bool) -> RollEffect:
        """What a roll does in a row; after the last, no more bets are wanted."""
        position = self.positions.rows[row]
        throw = self.felt.throw_of(position.seat.bets, see(self.felt.dice, FACES[digit]))
        key = position.layout, position.money, throw, last
        effect = self._roll_effects.get(key)
        if effect is None:
            effect = self._roll_effects[key] = self.positions.effect(position, throw, last)
        return effect

    def _after_last(self, row: int, effect: RollEffect) -> int:
        """The end after the last roll, or the place from which bets are played out."""
        shooters = self.plan.ends.shooters
        out = self.positions.rows[row].seat.shooters + effect.out
        if shooters is not None and out >= shooters:
            return SHOOTERS
        stands = self.final_bets.left(effect.stands)
        return self._place(stands) if stands[1] else TIME

    def _step(
        self, row: int, effect: RollEffect, money: Money
    ) -> tuple[int, Money | None, Money | None]:
        """Where a roll leads with this money, the least money with which it does, and the first
        amount above with which it doesn't.
        """
        positions, position = self.positions, self.positions.rows[row]
        step = positions.step(position, effect, 0, position.money)
        least: Money | None = None if position.money is not None else step.need
        above: Money | None = None
        if least is not None and money < least:  # some bet can't be paid: the step of less money
            step = positions.step(position, effect, 0, money)
            rail = money + effect.gain - effect.wanting.felt_money
            down, up = margins(effect.wanting.requested.bets, rail)
            least, above = money - down, least if up is None else money + up
        return (step.to if step.to < 0 else self._place(step.to)), least, above


def _play_compiled(
    heads: "array[int]",
    effects: "array[int]",
    figures: "array[int]",
    state: "array[int]",
    rules: tuple[int, ...],
) -> int:
    import numpy as np

    arrays = (heads, effects, figures, state)
    return int(compiled(play)(*(np.frombuffer(a, dtype=np.int64) for a in arrays), rules))


def play(heads: Any, effects: Any, figures: Any, state: Any, rules: tuple[int, ...]) -> int:
    """Play evenings on until all have ended, or a roll is met that is not worked out.

    Args:
        heads: the first effect of each slot; see `EveningSampler`.
        effects: `FIELDS` for each.
        figures: of each evening, written when it ends.
        state: of the evening in progress: its index, place, money, rolls, lowest and highest
            money, 1 if bets are played out, dice thrown, what is left of the word, and four words.
        rules: the first place, `floor` and `ceiling` (the player leaves with this much money or
            less, or more), the most rolls, the two words of the key, and the first evening.

    Returns:
        the slot of the roll that is not worked out; ALL_PLAYED if there is none.
    """
    start, floor, ceiling, limit, key0, key1, first = rules
    index, place, money, rolls, lowest, highest, out, thrown, word = (
        state[0],
        state[1],
        state[2],
        state[3],
        state[4],
        state[5],
        state[6],
        state[7],
        state[8],
    )
    evenings = len(figures) // FIGURES
    while index < evenings:
        if thrown % IN_WORD == 0:
            if thrown % IN_CALL == 0:
                number, again, fair = first + index, 0, False
                while not fair:
                    c0, c1, c2, c3 = thrown // IN_CALL, number & WORD, number >> 32, again
                    k0, k1 = key0, key1
                    for _ in range(ROUNDS):  # as `philox`, but in 64 bits: high words are masked
                        p0, p1 = M0 * c0, M1 * c2
                        c0, c1 = ((p1 >> 32) & WORD) ^ c1 ^ k0, p1 & WORD
                        c2, c3 = ((p0 >> 32) & WORD) ^ c3 ^ k1, p0 & WORD
                        k0, k1 = (k0 + W0) & WORD, (k1 + W1) & WORD
                    state[9], state[10], state[11], state[12] = c0, c1, c2, c3
                    fair = max(c0, c1, c2, c3) < FAIR
                    again += 1
            word = state[9 + thrown % IN_CALL // IN_WORD]
        slot: int = place * SLOTS + word % 36
        if rolls + 1 == limit and out == 0:  # at the last roll no bets are wanted any more
            slot += 36
        effect = heads[slot]
        while effect >= 0 and (money < effects[effect + 2] or money >= effects[effect + 3]):
            effect = effects[effect + 4]
        if effect < 0:
            state[0], state[1], state[2], state[3], state[4] = index, place, money, rolls, lowest
            state[5], state[6], state[7], state[8] = highest, out, thrown, word
            return slot
        word //= 36
        thrown += 1
        place = effects[effect]
        money += effects[effect + 1]
        if out == 0:
            rolls += 1
            lowest, highest = min(lowest, money), max(highest, money)
            if money <= floor:  # stops take precedence over any other end
                place = LOSS
            elif money >= ceiling:
                place = WIN
            elif rolls == limit:
                out = 1
        if place < 0:
            figure = index * FIGURES
            figures[figure], figures[figure + 1], figures[figure + 2] = place, money, rolls
            figures[figure + 3], figures[figure + 4] = lowest, highest
            index, place, money, rolls, lowest, highest = index + 1, start, 0, 0, 0, 0
            out, thrown, word = 0, 0, 0
    return ALL_PLAYED
