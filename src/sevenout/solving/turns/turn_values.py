"""Solve games of turns: explore the turn once, and play it backwards for each card.

Yahtzee has a billion states, but its turn has about 1,600 nodes, the same for every score card
except for the values of its endings. Each total of a card is a lane. From the last cards back, each
ending takes its best entry, and the turn is solved backwards for all lanes of a card at once
(`turn_kernel`).

In floats, each operation is a sum, a product with a share, or a maximum. With rewards of one sign
the relative error is below (1 + 2**-53)**n - 1 for n successive roundings (Higham 2002, lemma 3.1).
In integers, a card with k turns left has a value over D**k, with D the turn's denominator, and all
comparisons are exact.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.budgets.estimates import afford
from sevenout.documents.numbers import decimal
from sevenout.errors import RulesError, shown
from sevenout.extras import needs
from sevenout.model import Model
from sevenout.solving.solvers.decision_problem import LARGEST
from sevenout.solving.turns.scorecards import CardEntry, Cards
from sevenout.solving.turns.turn_kernel import (
    Entries,
    TurnKernel,
    kernel_of,
    lanes_of,
    limbs_of,
    whole_number,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sevenout.solving.turns.turnpolicy import Answers

THREADS = 2
PLAIN_MOVES = 1_000_000
"""The most moves, cards and totals that take seconds in plain Python, where numba is missing."""
MOVE, EXACT_MOVE = 7e-10, 7e-9
"""Seconds per move of the turn, card and total, in floats and in integers."""


class TurnSolver:
    """The value of every card and total, by backward induction; `answers` fixes a policy.

    Attributes:
        levels: the reachable cards, as in `cards`.
        states: the number of cards with a total.
    """

    def __init__(
        self, cards: Cards, turn: Model, exact: bool, answers: "Answers | None" = None
    ) -> None:
        self.cards, self.goal, self.exact, self.turn = cards, cards.goal, exact, turn
        self.answers, goal = answers, cards.goal
        self.kernel = kernel_of(turn, goal) if answers is None else answers.kernel
        self.levels = cards.levels if answers is None else answers.levels
        if exact and not cards.even:
            raise RulesError(
                "the score cards differ in the number of turns left; use the certified method"
            )
        if exact and self.kernel.factors is None:
            raise RulesError(
                "the turn's weights are too large for words of 64 bits; use the certified method"
            )
        lanes = len(cards.reached) * (cards.cap + 1)
        afford(f"a tally up to {cards.cap:,}", memory=16.0 * lanes, instead="count in larger units")
        totals = [[t for t in range(cards.cap + 1) if m >> t & 1] for m in cards.reached]
        self.states = sum(map(len, totals[: len(cards.cards)]))
        work = self.states * len(turn.targets)
        if work > PLAIN_MOVES:
            needs("numba", "fast")
        afford(
            f"{self.states:,} score cards with their totals, and a turn of {len(turn.states):,} "
            "states on each,",
            seconds=(EXACT_MOVE if exact else MOVE) * work,
            instead="ask for the certified method" if exact else "remember less on the card",
        )
        self.totals = [np.array(row, np.int64) for row in totals]
        self.offsets = np.concatenate([[0], np.cumsum([len(row) for row in totals])])
        self.place = np.full((len(totals), cards.cap + 1), -1, np.int64)
        for s, row in enumerate(self.totals):
            self.place[s, row] = self.offsets[s] + np.arange(len(row))
        self.paid = self._pays()
        ends = list(self.ends())
        if not exact and self.largest > LARGEST:
            raise RulesError("amounts beyond 10^300 are too large for floats; use the exact method")
        for name in goal.counters:
            if name not in cards.counters:
                there = ", ".join(list(cards.counters)[:8]) or "none"
                raise RulesError(f"no counter {shown(name)}; the counters are: {there}")
        self.values = np.zeros(self.offsets[-1])
        self.limbs: NDArray[np.int64] = np.zeros((self.offsets[-1], 1), np.int64)
        for at, value in ends:
            if not exact:
                self.values[at] = float(value)
            else:
                self._widen(self._width(value, 0))
                number = int(value * self.unit)
                self.limbs[at] = limbs_of(number, self.limbs.shape[1], self.kernel.bits)
        with ThreadPoolExecutor(THREADS) as pool:
            for left, level in enumerate(self.levels):
                self._level(left, level, pool)

    def ends(self) -> Iterator[tuple[int, Fraction]]:
        """The place and value of each outcome with each total."""
        n = len(self.cards.cards)
        for k, outcome in enumerate(self.cards.outcomes):
            for total in self.totals[n + k].tolist():
                final = self.cards.score(dict(self.cards.game.final(total)))
                yield int(self.place[n + k, total]), self.goal.value(outcome) + final

    @cached_property
    def unit(self) -> int:
        """The common denominator of all amounts."""
        amounts = [*self.paid, *(value for _, value in self.ends())]
        return lcm(*(amount.denominator for amount in amounts))

    @cached_property
    def steps(self) -> "NDArray[np.int64]":
        """The possible pays in units, if no game's total exceeds 64 bits."""
        if self.largest * self.unit >= 2**62:
            raise RulesError(
                f"amounts up to {decimal(self.largest)} in units of 1/{shown(self.unit)} don't "
                "fit in 64 bits; use sevenout.best for the mean alone"
            )
        return np.array([int(amount * self.unit) for amount in self.paid], np.int64)

    @cached_property
    def largest(self) -> Fraction:
        """A bound on the absolute value of every game."""
        most = max(map(abs, self.paid)) * len(self.cards.levels)
        return most + max(abs(value) for _, value in self.ends())

    @cached_property
    def rewards(self) -> "NDArray[np.float64]":
        """The possible pays as floats."""
        return np.array([float(x) for x in self.paid])

    def paid_by(self, entry: CardEntry) -> "NDArray[np.int32]":
        """For each ending, the index of what an entry pays."""
        return self._entry_pays[entry.read, entry.pays]

    def _width(self, value: Fraction, turns: int) -> int:
        """The limbs of an amount, this many turns from the end."""
        size = int(abs(value) * self.unit * self.kernel.scale**turns).bit_length()
        return size // self.kernel.bits + 1

    def _widen(self, limbs: int) -> None:
        for _ in range(limbs - self.limbs.shape[1]):
            sign = self.limbs[:, -1:] >> self.kernel.bits
            self.limbs[:, -1] &= (1 << self.kernel.bits) - 1
            self.limbs = np.concatenate([self.limbs, sign], axis=1)

    def _pays(self) -> list[Fraction]:
        """The distinct amounts that entries may pay."""
        index: dict[Fraction, int] = {}
        self._entry_pays: dict[tuple[int, tuple[Fraction, ...]], NDArray[np.int32]] = {}
        for card in self.cards.entries:
            for entry in card:
                key = entry.read, entry.pays
                if key in self._entry_pays:
                    continue
                read = self.cards.reads[entry.read]
                row = [
                    index.setdefault(reward + (entry.pays[c] if c >= 0 else 0), len(index))
                    for reward, c in zip(read.rewards, read.classes.tolist(), strict=True)
                ]
                self._entry_pays[key] = np.array(row, np.int32)
        return list(index)

    def _level(self, left: int, level: list[int], pool: ThreadPoolExecutor) -> None:
        if self.exact:
            self._widen(self._width(self.largest * 2, left + 1))
            limbs, scale = self.limbs.shape[1], self.kernel.scale**left * self.unit
            rewards: NDArray[Any] = np.stack(
                [limbs_of(int(x * scale), limbs, self.kernel.bits) for x in self.paid]
            )
        else:
            rewards = self.rewards
        values = self.limbs if self.exact else self.values

        def play(s: int) -> None:
            values[self.offsets[s] : self.offsets[s + 1]] = self._play(s, values, rewards)

        list(pool.map(play, level))

    def rows(self, s: int, lanes: int) -> "NDArray[np.int64]":
        """For each class of each entry and each lane, the place of the value that follows."""
        entries, n = self.cards.entries[s], len(self.cards.cards)
        targets = np.array([t if t >= 0 else n + ~t for e in entries for t in e.targets])
        advances = np.array([a for e in entries for a in e.advances])
        totals = np.minimum(self.totals[s][None, :] + advances[:, None], self.cards.cap)
        rows = self.place[targets[:, None], totals]
        spare = lanes - rows.shape[1]
        return np.pad(rows, ((0, 0), (0, spare)), mode="edge") if spare else rows

    def _play(self, s: int, values: "NDArray[Any]", rewards: "NDArray[Any]") -> "NDArray[Any]":
        prepared = self.prepared(s, values, rewards)
        return self.kernel_on(s).play(prepared, floats=not self.exact)[: len(self.totals[s])]

    def kernel_on(self, s: int) -> TurnKernel:
        """The turn as played on a card."""
        return self.kernel if self.answers is None else self.answers.kernel_on(s)

    def prepared(self, s: int, values: "NDArray[Any]", rewards: "NDArray[Any]") -> Entries:
        """The entries of a card for all its totals."""
        entries = self.cards.entries[s]
        cards = len(self.totals[s])
        lanes = -(-cards // lanes_of(cards)) * lanes_of(cards)
        sizes = [len(entry.targets) for entry in entries]
        first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        classes = np.stack([self.cards.reads[entry.read].classes for entry in entries])
        if self.answers is not None:
            others = np.arange(len(entries))[:, None] != self.answers.entries[s]
            classes = np.where(others, np.int16(-1), classes)
        rows = values[self.rows(s, lanes)]  # limbs last, where there are any
        return Entries(
            classes=classes,
            paid=np.stack([self.paid_by(entry) for entry in entries]),
            first=first,
            rows=np.ascontiguousarray(rows.swapaxes(1, -1)),
            rewards=rewards,
            sense=self.goal.sense,
        )

    def value(self, card: int = 0, total: int = 0) -> Fraction:
        """The value of a card, or of an outcome, with a total."""
        at = int(self.place[card, total])
        if not self.exact:
            return Fraction(float(self.values[at]))
        number = whole_number(self.limbs[at], self.kernel.bits)
        return Fraction(number, self.kernel.scale ** self.cards.left[card] * self.unit)

    @cached_property
    def bound(self) -> Fraction:
        """The error bound of the first card's value."""
        return self.bound_of(self.value())

    def bound_of(self, value: Fraction) -> Fraction:
        """The error bound of a computed value of a card or node."""
        if self.exact:
            return Fraction(0)
        roundings = len(self.cards.levels) * (self.kernel.operations + 3) + 2
        size = abs(value) if self._one_sign else self.largest
        return size * Fraction(roundings, 2**53 - roundings) * 2

    @cached_property
    def _one_sign(self) -> bool:
        amounts = [*self.paid, *(value for _, value in self.ends())]
        return min(amounts) >= 0 or max(amounts) <= 0
