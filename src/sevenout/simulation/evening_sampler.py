"""The sampler of evenings: many evenings of a plan, roll by roll, and the dice of each again.

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
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, inf, lcm
from typing import Any

from sevenout.errors import RulesError
from sevenout.evenings.evening_plan import Plan
from sevenout.evenings.positions import MAX_ROWS, FinalBets, Positions, RollEffect
from sevenout.extras import compiled, is_installed
from sevenout.numerals import MAX_SEED, int_if_whole
from sevenout.rolling.throw import see
from sevenout.rules.casino.betting import Sitting, margins
from sevenout.rules.casino.ends import LOSS, SHOOTERS, TIME, WIN, play_out_roll
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
from sevenout.simulation.run import check_whole

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

    >>> from sevenout.simulation.played_evenings import play_evenings
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
