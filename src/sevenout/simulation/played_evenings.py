"""Evenings played roll by roll: a tally with error bars, or the dice of one evening again.

How the sampler works. A *node* is a row of `Positions`, or the bets played out after the last
roll. For a node and the faces of a roll, a chain of *effects* holds the results by ranges of
money: how much is won, and which node or end follows. `play` walks these tables, evening by
evening. A roll that was never met before stops it; `EveningSampler` computes that roll, adds its
effect, and `play` continues where it stopped. Most evenings meet the same few nodes, so the
thousandth hardly ever stops, however many nodes there are; only those that are met take memory.

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

import itertools
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
from sevenout.numerals import MAX_SEED, Number, int_if_whole
from sevenout.rolling.distribution import FiniteDistribution, sum_by_key
from sevenout.rolling.throw import see
from sevenout.rules.casino.betting import Sitting, Strategy, margins
from sevenout.rules.casino.ends import ENDS, LOSS, SHOOTERS, TIME, WIN, play_out_roll
from sevenout.rules.casino.felt import Money, Stands, Throw
from sevenout.simulation.random_bits import (
    M0,
    M1,
    MAX_GAMES,
    ROUNDS,
    W0,
    W1,
    WORD,
    key_of,
    philox,
)
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
FAIR_WORDS = 71 * 36**5
"""A word below this is five rolls; 71·36⁵ is the largest multiple of 36⁵ below 2³²."""
ROLLS_PER_WORD, ROLLS_PER_CALL = 5, 20
"""The rolls of a word, and of a call."""
DIGIT_FACES = tuple((1 + d // 6, 1 + d % 6) for d in range(36))
"""The faces of each digit."""
SLOTS_PER_NODE = 72
"""Slots of a node: one for each digit, and one for each digit of the last roll."""
NEXT_NODE, GAIN, MIN_MONEY, STOP_MONEY, NEXT_EFFECT = range(5)
"""The fields of an effect: the node or end that follows, the gain, the least money with which it
applies, and the first amount above for which it doesn't. The last is the index of the next effect,
or -1."""
END, FINAL_MONEY, ROLLS_MADE, TROUGH, PEAK = range(5)
"""The figures of an evening: its end, money, rolls, lowest and highest money."""
FIGURE_COUNT = PEAK + 1
UNKNOWN = -1
"""In place of an effect that is not worked out yet."""
ALL_PLAYED = -1
"""What `play` returns in place of a slot when all evenings have ended."""
EVENING, NODE, MONEY, ROLLS, LOWEST, HIGHEST, PLAYING_OUT, THROWN, LEFT_OF_WORD, WORDS = range(10)
"""What is kept of an evening in progress: its index among those to play, node, money, rolls, lowest
and highest money; 1 if bets are played out; the dice thrown, what is left of the word, and the four
words of the call."""
STATE_SIZE = WORDS + 4
ANY_MONEY = 1 << 60
"""Beyond any amount in units, and small enough to add to one in 64 bits."""


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
    key = key_of(seed)
    for call in itertools.count():
        counters = ((call, evening & WORD, evening >> 32, again) for again in itertools.count())
        draws = (philox(counter, key) for counter in counters)
        for word in next(words for words in draws if max(words) < FAIR_WORDS):
            yield from (DIGIT_FACES[word // 36**i % 36] for i in range(ROLLS_PER_WORD))


class EveningDice:
    """The dice of a simulated evening, roll by roll, for any strategy.

    If a strategy treats numbers alike, its simulation keeps them in order. At a table with another
    order the faces of these numbers are exchanged, also while bets are played out.

    >>> plan = Plan.of("three-point-molly", 50, rolls=100)
    >>> sitting = EveningDice(plan, evening=7, seed=1).play()
    >>> tally = play_evenings(plan, 1, seed=1, first_evening=7)
    >>> list(tally.counts) == [(sitting.end, sitting.money)]
    True

    Args:
        plan: of the evening.
        evening: its number, from 0.
        seed: of the run.

    Attributes:
        dice: the rolls to come.

    Raises:
        SevenoutError: a wrong number of the evening, or seed.
    """

    def __init__(self, plan: Plan, evening: int, seed: int) -> None:
        check_whole("evening", evening, 0, MAX_GAMES)
        check_whole("seed", seed, 0, MAX_SEED)
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

    def play(self) -> Sitting:
        """The evening, played to its end."""
        sitting = self.plan.sitting()
        while sitting.end is None:
            sitting.roll(self.throw(sitting))
        return sitting


# --- the sampler ----------------------------------------------------------------------------------


class EveningSampler:
    """Evenings of a plan, played roll by roll.

    >>> sampler = EveningSampler(Plan.of("pass", 20, rolls=30), seed=1)
    >>> figures = sampler.evenings(first_evening=0, count=2)
    >>> [str(sampler.money(column)) for column in figures[FINAL_MONEY::FIGURE_COUNT]]
    ['21', '21']

    Attributes:
        plan, felt, key: of the evenings: the plan, its felt, and the two words of the seed.
        final_bets: which bets left at the end are played out.
        positions: where rows come from; their steps don't depend on the rolls left.
        nodes: by number, a row of `positions`, or the bets played out.
        node_numbers: the number of each node.
        first_effects: by node and slot, the index of the first effect, or UNKNOWN.
        effects: the fields `NEXT_NODE` to `NEXT_EFFECT` of each effect.
        scale: the units of money in 1.
        start_node: the node of the first bets.
        is_compiled: whether numba plays.

    Raises:
        RulesError: the dice are not two, the bets can't be played roll by roll, or the bankroll
            does not pay for the first bet.
    """

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan, self.felt, self.key = plan, plan.bettor.felt, key_of(seed)
        plan.sitting()  # refuses what can't be played roll by roll
        if self.felt.roll_count != len(DIGIT_FACES):  # a word is five pairs of dice, and no others
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
        self.nodes: list[int | Stands] = []
        self.node_numbers: dict[int | Stands, int] = {}
        self.first_effects, self.effects = array("q"), array("q")
        self.start_node = self._node_number(self.positions.start)

    def evenings(self, first_evening: int, count: int) -> "array[int]":
        """The figures of each of `count` evenings, from this number on, one after another."""
        if len(self.nodes) > MAX_ROWS:
            self._forget()  # a fresh start meets again what is met often
        figures = array("q", bytes(8 * FIGURE_COUNT * count))
        state = array("q", bytes(8 * STATE_SIZE))
        state[NODE] = self.start_node
        while (slot := self._play(figures, state, first_evening)) != ALL_PLAYED:
            scale = self.scale
            self._work_out(slot, self.money(state[MONEY]))
            if self.scale != scale:  # units are finer now: convert what was counted
                factor = self.scale // scale
                for index in (MONEY, LOWEST, HIGHEST):
                    state[index] *= factor
                for index in range(len(figures)):
                    if index % FIGURE_COUNT in (FINAL_MONEY, TROUGH, PEAK):
                        figures[index] *= factor
        return figures

    def _play(self, figures: "array[int]", state: "array[int]", first_evening: int) -> int:
        """Play on until an effect is missing: its slot, or `ALL_PLAYED`."""
        ends = self.plan.ends
        rules = (
            self.start_node,
            -ANY_MONEY if ends.floor is None else self._column(ends.floor),
            ANY_MONEY if ends.ceiling is None else self._column(ends.ceiling),
            ends.rolls or ANY_MONEY,
            *self.key,
            first_evening,
        )
        arrays = self.first_effects, self.effects, figures, state
        return _play_compiled(*arrays, rules) if self.is_compiled else play(*arrays, rules)

    def compile(self) -> None:
        """Let numba play from now on, if it is installed."""
        if is_installed("numba") and not self.is_compiled:
            self.is_compiled = True
            # numba keeps what it is first called with, and arrays in use can't grow: play nothing
            first_effects, effects, state = (array("q", (0,) * SLOTS_PER_NODE) for _ in range(3))
            _play_compiled(first_effects, effects, array("q"), state, (0,) * 7)

    def money(self, column: int) -> Money:
        """The money of a column."""
        return int_if_whole(self.plan.bankroll + Fraction(column, self.scale))

    def _column(self, money: Money) -> int:
        """The column of an amount, or the first above it."""
        return ceil((money - self.plan.bankroll) * self.scale)

    def _node_number(self, node_content: "int | Stands") -> int:
        """The number of a node, which is added if it is new."""
        number = self.node_numbers.setdefault(node_content, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node_content)
            self.first_effects.extend((UNKNOWN,) * SLOTS_PER_NODE)
        return number

    def _work_out(self, slot: int, money: Money) -> None:
        """Add the effect of a roll at a node with this money."""
        node, index = divmod(slot, SLOTS_PER_NODE)
        last, digit = divmod(index, len(DIGIT_FACES))
        node_content = self.nodes[node]
        min_money: Money | None = None
        stop_money: Money | None = None
        if isinstance(node_content, int):
            roll = self._roll_effect(node_content, digit, last=bool(last))
            gain = roll.gain
            if last:
                next_node = self._after_last(node_content, roll)
            else:
                next_node, min_money, stop_money = self._step(node_content, roll, money)
        else:
            throw = self.felt.throw_of(node_content[1], see(self.felt.dice, DIGIT_FACES[digit]))
            (point, bets), rolled = play_out_roll(self.felt, node_content, throw)
            gain = rolled.net
            next_node = self._node_number(self.felt.mirrored(point, bets)[:2]) if bets else TIME
        # odds of 3 to 2 on a bet of 5 pay halves: amounts stay whole in finer units
        finer = lcm(self.scale, gain.denominator)
        if finer != self.scale:  # all columns in the tables are in the old units: begin again
            self.scale = finer
            self.effects = array("q")
            self.first_effects = array("q", (UNKNOWN,)) * len(self.first_effects)
        effect = len(self.effects)
        self.effects.extend(
            (
                next_node,
                int(gain * self.scale),
                -ANY_MONEY if min_money is None else self._column(min_money),
                ANY_MONEY if stop_money is None else self._column(stop_money),
                self.first_effects[slot],
            )
        )
        self.first_effects[slot] = effect

    def _roll_effect(self, row: int, digit: int, *, last: bool) -> RollEffect:
        """What a roll does in a row; after the last, no more bets are requested."""
        position = self.positions.rows[row]
        throw = self.felt.throw_of(position.seat.bets, see(self.felt.dice, DIGIT_FACES[digit]))
        key = position.layout, position.money, throw, last
        effect = self._roll_effects.get(key)
        if effect is None:
            effect = self._roll_effects[key] = self.positions.effect(position, throw, last)
        return effect

    def _after_last(self, row: int, effect: RollEffect) -> int:
        """The end after the last roll, or the node from which bets are played out."""
        shooters = self.plan.ends.shooters
        out = self.positions.rows[row].seat.shooters + effect.out
        if shooters is not None and out >= shooters:
            return SHOOTERS
        stands = self.final_bets.bets_to_play_out(effect.stands)
        return self._node_number(stands) if stands[1] else TIME

    def _step(
        self, row: int, effect: RollEffect, money: Money
    ) -> tuple[int, Money | None, Money | None]:
        """Where a roll leads with this money, and the range of money with which it does.

        None is in place of a bound that there isn't; the upper bound itself is too much.
        """
        positions, position = self.positions, self.positions.rows[row]
        step = positions.step(position, effect, 0, position.money)
        min_money: Money | None = None if position.money is not None else step.need
        stop_money: Money | None = None
        # some bet can't be paid: the step of less money
        if min_money is not None and money < min_money:
            step = positions.step(position, effect, 0, money)
            rail = money + effect.gain - effect.next_bets.felt_money
            down, up = margins(effect.next_bets.requested.bets, rail)
            min_money, stop_money = money - down, min_money if up is None else money + up
        return (step.to if step.to < 0 else self._node_number(step.to)), min_money, stop_money


def _play_compiled(
    first_effects: "array[int]",
    effects: "array[int]",
    figures: "array[int]",
    state: "array[int]",
    rules: tuple[int, ...],
) -> int:
    """As `play`, compiled by numba."""
    import numpy as np

    arrays = (first_effects, effects, figures, state)
    return int(compiled(play)(*(np.frombuffer(a, dtype=np.int64) for a in arrays), rules))


def play(first_effects: Any, effects: Any, figures: Any, state: Any, rules: tuple[int, ...]) -> int:
    """Play evenings on until all have ended, or a roll is met that is not worked out.

    Args:
        first_effects: the first effect of each slot; see `EveningSampler`.
        effects: their fields, one effect after another.
        figures: of each evening, written when it ends.
        state: of the evening in progress, from `EVENING` to `WORDS`.
        rules: the first node, `floor` and `ceiling` (the player leaves with this much money or
            less, or more), the most rolls, the two words of the key, and the first evening.

    Returns:
        the slot of the roll that is not worked out; ALL_PLAYED if there is none.
    """
    start, floor, ceiling, limit, key0, key1, first_evening = rules
    # One by one: numba can't unpack an array, whose length it doesn't know.
    index, node, money, rolls = state[EVENING], state[NODE], state[MONEY], state[ROLLS]
    lowest, highest, is_playing_out = state[LOWEST], state[HIGHEST], state[PLAYING_OUT]
    thrown, word = state[THROWN], state[LEFT_OF_WORD]
    evenings = len(figures) // FIGURE_COUNT
    while index < evenings:
        if thrown % ROLLS_PER_WORD == 0:
            if thrown % ROLLS_PER_CALL == 0:
                evening, again, fair = first_evening + index, 0, False
                while not fair:
                    c0, c1, c2, c3 = thrown // ROLLS_PER_CALL, evening & WORD, evening >> 32, again
                    k0, k1 = key0, key1
                    for _ in range(ROUNDS):  # as `philox`, but in 64 bits: high words are masked
                        p0, p1 = M0 * c0, M1 * c2
                        c0, c1 = ((p1 >> 32) & WORD) ^ c1 ^ k0, p1 & WORD
                        c2, c3 = ((p0 >> 32) & WORD) ^ c3 ^ k1, p0 & WORD
                        k0, k1 = (k0 + W0) & WORD, (k1 + W1) & WORD
                    state[WORDS], state[WORDS + 1], state[WORDS + 2], state[WORDS + 3] = (
                        c0,
                        c1,
                        c2,
                        c3,
                    )
                    fair = max(c0, c1, c2, c3) < FAIR_WORDS
                    again += 1
            word = state[WORDS + thrown % ROLLS_PER_CALL // ROLLS_PER_WORD]
        slot: int = node * SLOTS_PER_NODE + word % 36
        # at the last roll no bets are requested any more
        if rolls + 1 == limit and is_playing_out == 0:
            slot += 36
        effect = first_effects[slot]
        while effect >= 0 and (
            money < effects[effect + MIN_MONEY] or money >= effects[effect + STOP_MONEY]
        ):
            effect = effects[effect + NEXT_EFFECT]
        if effect < 0:
            state[EVENING], state[NODE], state[MONEY], state[ROLLS] = index, node, money, rolls
            state[LOWEST], state[HIGHEST], state[PLAYING_OUT] = lowest, highest, is_playing_out
            state[THROWN], state[LEFT_OF_WORD] = thrown, word
            return slot
        word //= 36
        thrown += 1
        node = effects[effect + NEXT_NODE]
        money += effects[effect + GAIN]
        if is_playing_out == 0:
            rolls += 1
            lowest, highest = min(lowest, money), max(highest, money)
            if money <= floor:  # stops take precedence over any other end
                node = LOSS
            elif money >= ceiling:
                node = WIN
            elif rolls == limit:
                is_playing_out = 1
        if node < 0:
            start_figure = index * FIGURE_COUNT
            figures[start_figure + END], figures[start_figure + FINAL_MONEY] = node, money
            figures[start_figure + ROLLS_MADE] = rolls
            figures[start_figure + TROUGH], figures[start_figure + PEAK] = lowest, highest
            index, node, money, rolls, lowest, highest = index + 1, start, 0, 0, 0, 0
            is_playing_out, thrown, word = 0, 0, 0
    return ALL_PLAYED
