"""The value of every score card of a game of turns: explore the turn once, play it for each card.

*Cards.* An entry sorts the turn's endings into classes, and the rules see only the class. So a card
has few successors although the turn has hundreds of endings.

*Values.* Yahtzee has a billion states, but its turn has about 1,600 nodes, the same for every score
card except for the values of its endings. Each total of a card is a lane. From the last cards back,
each ending takes its best entry, and the turn is solved backwards for all lanes of a card at once
(`turn_kernel`).

In floats, each operation is a sum, a product with a share, or a maximum. With rewards of one sign
the relative error is below (1 + 2**-53)**n - 1 for n successive roundings (Higham 2002, lemma 3.1).
In integers, a card with k turns left has a value over D**k, with D the turn's denominator, and all
comparisons are exact.
"""

from collections.abc import Hashable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.budgets.estimates import afford
from sevenout.documents.numbers import decimal
from sevenout.errors import EndlessGameError, RulesError, TooManyStatesError, shown
from sevenout.extras import needs
from sevenout.model import Model
from sevenout.model.graph import components
from sevenout.rules import Outcome, counted
from sevenout.rules.game import not_a_state
from sevenout.rules.keep_games import ByTurns, Reading
from sevenout.rules.outcome import Counts, followed
from sevenout.solving.goal import LARGEST, Goal
from sevenout.solving.turn_kernel import (
    Entries,
    TurnKernel,
    kernel_of,
    lanes_of,
    limbs_of,
    whole_number,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sevenout.solving.turn_policies import PolicyMoves

MAX_CARDS = 1_000_000
MAX_CLASSES = 2**15 - 1


@dataclass(frozen=True, eq=False)
class EndingClasses:
    """A reading of all endings.

    Attributes:
        classes: of each ending; -1 if the entry is not allowed.
        seen: for each class, what the rules see and the tally's advance.
        rewards: what each ending pays by the reading alone, for the goal.
    """

    classes: "NDArray[np.int16]"
    seen: tuple[tuple[Any, int], ...]
    rewards: tuple[Fraction, ...]


@dataclass(frozen=True)
class CardEntry:
    """An entry on a card.

    Attributes:
        name: as the player calls it.
        read: the index of its reading.
        advances: how much each class advances the tally.
        targets: the next card for each class; ~k for outcome k.
        pays: what each class pays besides its reading.
    """

    name: str
    read: int
    targets: tuple[int, ...]
    advances: tuple[int, ...]
    pays: tuple[Fraction, ...]


class Cards:
    """The score cards of a game of turns, for one goal.

    Attributes:
        game: the rules.
        goal: the objective.
        endings: of a turn.
        counter, cap: the tally's name, and the total from which all are alike.
        reads: the readings of entries, each once.
        cards: the first card, and all that follow.
        entries: by card.
        outcomes: that settle the game.
        counters: the names of all counters met, as keys.
        left: for each card, then each outcome, the most turns left.
        levels: the cards by the most turns left, the last turn first.
        even: whether all paths from each card take the same number of turns.
        reached: for each card, then each outcome, the possible totals of the tally as bits.
    """

    def __init__(self, game: ByTurns, goal: Goal, endings: tuple[Outcome, ...]) -> None:
        self.game, self.goal, self.endings = game, goal, endings
        self.counter, self.cap = game.tally or ("", 0)
        self.reads: list[EndingClasses] = []
        self.outcomes: list[Outcome] = []
        self._read: dict[Reading, int] = {}
        self.counters: dict[str, None] = {}
        self.cards: list[Hashable] = [game.card]
        self._index: dict[Hashable, int] = {game.card: 0}
        self._ends: dict[Outcome, int] = {}
        self.entries: list[tuple[CardEntry, ...]] = []
        for card in self.cards:  # the loop adds cards: breadth first
            self.entries.append(tuple(self._entries(card)))
            if len(self.cards) > MAX_CARDS:
                raise TooManyStatesError(
                    f"more than {MAX_CARDS:,} score cards; give a card fewer boxes, or keep less "
                    "on it"
                )
        self.outcomes = list(self._ends)
        self._order()

    def place_of(self, target: int) -> int:
        """The place of a next card or an outcome, among the cards and then the outcomes."""
        return target if target >= 0 else len(self.cards) + ~target

    def index(self, card: Hashable) -> int:
        """The index of a card; a KeyError if it can't be reached."""
        return self._index[card]

    def _entries(self, card: Hashable) -> Iterator[CardEntry]:
        allowed = np.zeros(len(self.endings), bool)
        for name, reading in self.game.entries(card).items():
            which = self._reading(reading)
            read = self.reads[which]
            allowed |= read.classes >= 0
            targets, advances, pays = [], [], []
            for seen, advance in read.seen:
                then, counts, _ = followed(self.game.enter(card, name, seen))
                targets.append(self._target(then, card, name))
                advances.append(advance + self._advance(dict(counts)))
                pays.append(self.score(dict(counts)))
            yield CardEntry(name, which, tuple(targets), tuple(advances), tuple(pays))
        if not allowed.all():
            ending = self.endings[int(np.flatnonzero(~allowed)[0])]
            raise RulesError(
                f"the turn may end in {shown(ending.label)}, which no box of the card "
                f"{shown(card)} takes"
            )

    def _target(self, then: Any, card: Any, name: str) -> int:
        if isinstance(then, Outcome):
            return ~self._ends.setdefault(then, len(self._ends))
        if not_a_state(then):
            raise RulesError(
                f"entering {name!r} on the card {shown(card)} returned {shown(then)}; return the "
                "next card or settle the game"
            )
        target = self._index.setdefault(then, len(self.cards))
        if target == len(self.cards):
            self.cards.append(then)
        return target

    def _advance(self, counts: dict[str, Any]) -> int:
        advance = counts.get(self.counter, 0)
        # The tally is a bit of a mask (`reached`), and a lane of the kernel.
        if advance != int(advance):
            raise RulesError(
                f"the tally of {self.counter} advances by {shown(advance)}; it counts whole numbers"
            )
        return int(advance)

    def score(self, counts: dict[str, Any]) -> Fraction:
        """The value of these counts for the goal."""
        self.counters |= dict.fromkeys(counts)
        values = self.goal.counters
        return sum((Fraction(n) * values.get(name, 0) for name, n in counts.items()), Fraction(0))

    def _reading(self, reading: Reading) -> int:
        # Readings are shared by cards: read once for all endings, not once per card.
        if reading in self._read:
            return self._read[reading]
        classes = np.full(len(self.endings), -1, np.int16)
        seen: dict[tuple[Any, int], int] = {}
        rewards = []
        for e, ending in enumerate(self.endings):
            what = reading(ending)
            then, counted, _ = followed(what)
            counts = dict(counted)
            rewards.append(self.score(counts))
            if what is not None:
                c = seen.setdefault((then, self._advance(counts)), len(seen))
                # Classes are stored in 16 bits, one of which is the sign.
                if c > MAX_CLASSES:
                    raise TooManyStatesError(
                        f"an entry sees more than {MAX_CLASSES:,} different endings; let its "
                        "reading say only what the card needs"
                    )
                classes[e] = c
        self.reads.append(EndingClasses(classes, tuple(seen), tuple(rewards)))
        self._read[reading] = len(self.reads) - 1
        return len(self.reads) - 1

    def _order(self) -> None:
        n = len(self.cards)
        after = [{t for entry in card for t in entry.targets if t >= 0} for card in self.entries]
        order = [block[0] for block in components(after)]
        if len(order) < n or any(s in row for s, row in enumerate(after)):
            raise EndlessGameError("a score card repeats, so the turns could go on forever")
        left = [1] * n + [0] * len(self.outcomes)
        self.even = True
        for s in reversed(order):
            depths = {left[t] for t in after[s]}
            ends = any(t < 0 for entry in self.entries[s] for t in entry.targets)
            left[s] = 1 + max(depths, default=0)
            self.even &= len(depths) + ends == 1
        self.left = left
        self.levels: list[list[int]] = [[] for _ in range(max(left))]
        for s in order:
            self.levels[left[s] - 1].append(s)
        self.reached = [0] * (n + len(self.outcomes))
        self.reached[0] = 1
        for s in order:
            for entry in self.entries[s]:
                for target, advance in zip(entry.targets, entry.advances, strict=True):
                    place = self.place_of(target)
                    self.reached[place] |= self._advanced(self.reached[s], advance)

    def _advanced(self, totals: int, advance: int) -> int:
        if advance < 0:
            raise RulesError(
                f"the tally of {self.counter} goes down by {-advance}; let it only go up"
            )
        totals <<= advance
        # Totals above the cap are all alike to the rules, and count as the cap.
        below = totals & ((1 << self.cap) - 1)
        return below | (1 << self.cap if totals >> self.cap else 0)


class Folded(ByTurns):
    """The same game with the total as part of the card.

    Attributes:
        game: the game without it.
        turn: the rules of a turn.
        card: the first card, with the total 0.
    """

    def __init__(self, game: ByTurns) -> None:
        self.game, self.turn, self.card = game, game.turn, (game.card, 0)
        self._readings: dict[Reading, Reading] = {}

    def entries(self, card: Any) -> Mapping[str, Reading]:
        entries = self.game.entries(card[0])
        return {name: self._reading(reading) for name, reading in entries.items()}

    def _reading(self, reading: Reading) -> Reading:
        def read(ending: Any) -> Any:
            what = reading(ending)
            if what is None:
                return None
            seen, counts, _ = followed(what)
            return counted((seen, self._advance(counts)), **dict(counts))

        return self._readings.setdefault(reading, read)

    def enter(self, card: Any, entry: str, seen: Any) -> Any:
        first, total = card
        then, counts, _ = followed(self.game.enter(first, entry, seen[0]))
        total = min(self._cap, total + seen[1] + self._advance(counts))
        if isinstance(then, Outcome):
            return counted(counted(then, **dict(counts)), **self.game.final(total))
        return counted((then, total), **dict(counts))

    def _advance(self, counts: Counts) -> Fraction | int:
        return dict(counts).get(self.game.tally[0], 0) if self.game.tally else 0

    @property
    def _cap(self) -> int:
        return self.game.tally[1] if self.game.tally else 0


THREADS = 2
PLAIN_MOVES = 1_000_000
"""The most moves, cards and totals that take seconds in plain Python, where numba is missing."""
MOVE, EXACT_MOVE = 7e-10, 7e-9
"""Seconds per move of the turn, card and total, in floats and in integers."""


class TurnSolver:
    """The value of every card and total, by backward induction; `policy_moves` fixes a policy.

    Attributes:
        cards: the score cards.
        turn: the model of one turn.
        goal: the objective.
        exact: whether values are integers; else floats.
        policy_moves: the moves of a policy; None if every decision is free.
        kernel: the turn as arrays.
        totals: by card, then outcome, the possible totals in ascending order.
        offsets: by card, then outcome, the place of its first total; then their number.
        place: the place of a card with a total, (cards and outcomes, cap + 1); -1 if impossible.
        paid: the distinct amounts that entries may pay.
        values: by place, in floats; 0 until its level is played.
        limbs: by place, in integers over `unit` and a power of the turn's scale, (places, limbs).
        levels: the reachable cards, as in `cards`.
        states: the number of cards with a total.
    """

    def __init__(
        self, cards: Cards, turn: Model, exact: bool, policy_moves: "PolicyMoves | None" = None
    ) -> None:
        self.cards, self.goal, self.exact, self.turn = cards, cards.goal, exact, turn
        self.policy_moves, goal = policy_moves, cards.goal
        self.kernel = kernel_of(turn, goal) if policy_moves is None else policy_moves.kernel
        self.levels = cards.levels if policy_moves is None else policy_moves.levels
        # A card with k turns left has the denominator D**k, so k must not depend on the way.
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
        # Below this, plain Python is fast enough where numba is missing.
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
        # A dense table: one index instead of a search per class and lane.
        self.place = np.full((len(totals), cards.cap + 1), -1, np.int64)
        for s, row in enumerate(self.totals):
            self.place[s, row] = self.offsets[s] + np.arange(len(row))
        self.paid = self._pays()
        ends = list(self.ends())
        if not exact and self.largest > LARGEST:
            raise RulesError("amounts beyond 10^300 are too large for floats; use the exact method")
        for name in goal.counters:
            if name not in cards.counters:
                names = ", ".join(list(cards.counters)[:8]) or "none"
                raise RulesError(f"no counter {shown(name)}; the counters are: {names}")
        self.values = np.zeros(self.offsets[-1])
        self.limbs: NDArray[np.int64] = np.zeros((self.offsets[-1], 1), np.int64)
        for place, value in ends:
            if not exact:
                self.values[place] = float(value)
            else:
                self._widen(self._width(value, 0))
                number = int(value * self.unit)
                self.limbs[place] = limbs_of(number, self.limbs.shape[1], self.kernel.bits)
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
            # The last limb holds the sign; split, its upper part is the new last limb.
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
            # Twice the largest value, so that differences in comparisons fit as well.
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

        # Cards of a level don't depend on each other; the loops release the interpreter's lock.
        list(pool.map(play, level))

    def rows(self, s: int, lanes: int) -> "NDArray[np.int64]":
        """For each class of each entry and each lane, the place of the value that follows."""
        entries = self.cards.entries[s]
        targets = np.array([self.cards.place_of(t) for e in entries for t in e.targets])
        advances = np.array([a for e in entries for a in e.advances])
        totals = np.minimum(self.totals[s][None, :] + advances[:, None], self.cards.cap)
        rows = self.place[targets[:, None], totals]
        spare = lanes - rows.shape[1]
        # Spare lanes repeat the last one: any valid value will do, and is dropped afterwards.
        return np.pad(rows, ((0, 0), (0, spare)), mode="edge") if spare else rows

    def _play(self, s: int, values: "NDArray[Any]", rewards: "NDArray[Any]") -> "NDArray[Any]":
        prepared = self.prepared(s, values, rewards)
        return self.kernel_on(s).play(prepared, floats=not self.exact)[: len(self.totals[s])]

    def kernel_on(self, s: int) -> TurnKernel:
        """The turn as played on a card."""
        return self.kernel if self.policy_moves is None else self.policy_moves.kernel_on(s)

    def prepared(self, s: int, values: "NDArray[Any]", rewards: "NDArray[Any]") -> Entries:
        """The entries of a card for all its totals."""
        entries = self.cards.entries[s]
        cards = len(self.totals[s])
        lanes = -(-cards // lanes_of(cards)) * lanes_of(cards)
        sizes = [len(entry.targets) for entry in entries]
        first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        classes = np.stack([self.cards.reads[entry.read].classes for entry in entries])
        if self.policy_moves is not None:
            others = np.arange(len(entries))[:, None] != self.policy_moves.entries[s]
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
        place = int(self.place[card, total])
        if not self.exact:
            return Fraction(float(self.values[place]))
        number = whole_number(self.limbs[place], self.kernel.bits)
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
        # Amounts of both signs may cancel, and then only the largest bounds the error.
        size = abs(value) if self._one_sign else self.largest
        return size * Fraction(roundings, 2**53 - roundings) * 2

    @cached_property
    def _one_sign(self) -> bool:
        amounts = [*self.paid, *(value for _, value in self.ends())]
        return min(amounts) >= 0 or max(amounts) <= 0
