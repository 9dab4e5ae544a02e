"""The value of every score card of a game of turns: explore the turn once, play it for each card.

*Cards.* An entry's reading sorts the turn's endings into classes, and the rules see only the class.
So a card has few successors although the turn has hundreds of endings.

*Values.* Yahtzee has a billion states, but its turn has about 1,600 nodes, the same for every score
card except for the values of its endings. Each total of a card is a lane. From the last cards back,
each ending takes its best entry, and the turn is solved backwards for all lanes of a card at once
(`turn_kernel`).

*Words.* A *cell* is a card, or an outcome of the game, with a total of the tally. Cards and
outcomes share one index: first the cards, then the outcomes. A *pay* is what an entry pays at once,
for the goal.

Values are floats; each operation is a sum, a product with a share, or a maximum. With rewards of
one sign the relative error is below (1 + 2**-53)**n - 1 for n successive roundings (Higham 2002,
lemma 3.1).
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
from sevenout.extras import require
from sevenout.model import Model
from sevenout.model.graph import strongly_connected_components
from sevenout.rules import Outcome, counted
from sevenout.rules.game import not_a_state
from sevenout.rules.keep_games import ByTurns, EntryReading
from sevenout.rules.outcome import Counts, unwrap
from sevenout.solving.goal import MAX_AMOUNT, Goal
from sevenout.solving.turn_kernel import Entries, TurnKernel, chunk_width

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sevenout.solving.turn_policies import PolicyMoves

MAX_CARDS = 1_000_000
"""The most score cards that are explored."""
MAX_CLASSES = 2**15 - 1
"""Classes are stored in 16 bits, one of which is the sign."""


@dataclass(frozen=True, eq=False)
class EndingClasses:
    """What an entry's reading makes of all endings of a turn.

    Attributes:
        class_by_ending: -1 if the entry does not take the ending.
        views: for each class, what the rules see of the ending, and the tally's advance.
        pays: for each ending, the pay by the reading alone.
    """

    class_by_ending: "NDArray[np.int16]"
    views: tuple[tuple[Any, int], ...]
    pays: tuple[Fraction, ...]


@dataclass(frozen=True)
class CardEntry:
    """An entry on a card.

    Attributes:
        name: as the player calls it.
        reading: the index of its `EndingClasses`.
        targets: the next card for each class; ~k for outcome k.
        advances: how much each class advances the tally.
        pays: what each class pays besides its reading.
        payment: the index of the reading with these pays, among those of all entries.
    """

    name: str
    reading: int
    targets: tuple[int, ...]
    advances: tuple[int, ...]
    pays: tuple[Fraction, ...]
    payment: int


class Cards:
    """The score cards of a game of turns, for one goal.

    How it works. The cards are explored breadth first from the first one. Then they are ordered by
    the most turns left, and the totals that the tally can have on each are carried forward.

    Attributes:
        game: the rules.
        goal: the objective.
        endings: of a turn.
        counter, cap: the tally's name, and the total from which all are alike.
        readings: the endings as read by the entries, each reading once.
        cards: the first card, and all that follow.
        outcomes: those that settle the game.
        card_index: the index of each card.
        entries: by card.
        payments: the index of a reading with the pays of its classes, each pair once.
        counters: the names of all counters of the game, as keys.
        turns_left: for each card, then each outcome, the most turns left.
        levels: the cards by the most turns left, the last turn first.
        total_masks: for each card, then each outcome, the possible totals of the tally as bits.
        totals: the same as ascending numbers.
        outcome_values: the value of each outcome with each total, by its index and the total.
    """

    def __init__(self, game: ByTurns, goal: Goal, endings: tuple[Outcome, ...]) -> None:
        self.game, self.goal, self.endings = game, goal, endings
        self.counter, self.cap = game.tally or ("", 0)
        self.counters: dict[str, None] = {}
        self._explore()
        next_cards = [{t for e in entries for t in e.targets if t >= 0} for entries in self.entries]
        self._order(next_cards)
        self._carry_totals()
        self.outcome_values = {
            (index, total): goal.value(outcome) + self.score(dict(game.final_counts(total)))
            for index, outcome in enumerate(self.outcomes, len(self.cards))
            for total in self.totals[index]
        }
        # Only now are all counters known: those of the entries, and those of the end.
        for name in goal.counters:
            if name not in self.counters:
                names = ", ".join(list(self.counters)[:8]) or "none"
                raise RulesError(f"no counter {shown(name)}; the counters are: {names}")

    @property
    def state_count(self) -> int:
        """The number of cards, each with every possible total."""
        return sum(map(len, self.totals[: len(self.cards)]))

    def afford(self, turn: Model, seconds_per_move: float, instead: str) -> None:
        """Refuse to play a turn on too many cards.

        Raises:
            TooMuchWorkError: over the budget.
        """
        afford(
            f"{self.state_count:,} score cards with their totals, and a turn of "
            f"{len(turn.states):,} states on each,",
            seconds=seconds_per_move * self.state_count * len(turn.targets),
            instead=instead,
        )

    def index_of_target(self, target: int) -> int:
        """The index of an entry's target: a card or an outcome."""
        return target if target >= 0 else len(self.cards) + ~target

    def _explore(self) -> None:
        """Find all cards, and their entries."""
        self.readings: list[EndingClasses] = []
        self._reading_index: dict[EntryReading, int] = {}
        self.payments: list[tuple[int, tuple[Fraction, ...]]] = []
        self._payment_index: dict[tuple[int, tuple[Counts, ...]], int] = {}
        self.cards: list[Hashable] = [self.game.card]
        self.card_index: dict[Hashable, int] = {self.game.card: 0}
        self._outcome_index: dict[Outcome, int] = {}
        self.entries: list[tuple[CardEntry, ...]] = []
        for card in self.cards:  # the loop adds cards: breadth first
            self.entries.append(tuple(self._entries(card)))
            if len(self.cards) > MAX_CARDS:
                raise TooManyStatesError(
                    f"more than {MAX_CARDS:,} score cards; give a card fewer boxes, or keep less "
                    "on it"
                )
        self.outcomes = list(self._outcome_index)

    def _entries(self, card: Hashable) -> Iterator[CardEntry]:
        """The entries that a card allows; between them they take every ending of the turn."""
        allowed = np.zeros(len(self.endings), bool)
        for name, read in self.game.entries(card).items():
            reading = self._index_of_reading(read)
            classes = self.readings[reading]
            allowed |= classes.class_by_ending >= 0
            targets, advances, counts_by_class = [], [], []
            for view, advance in classes.views:
                then, counts, _ = unwrap(self.game.enter(card, name, view))
                targets.append(self._target(then, card, name))
                advances.append(advance + self._advance(dict(counts)) if counts else advance)
                counts_by_class.append(counts)
            payment = self._index_of_payment(reading, tuple(counts_by_class))
            pays = self.payments[payment][1]
            yield CardEntry(name, reading, tuple(targets), tuple(advances), pays, payment)
        if not allowed.all():
            ending = self.endings[int(np.flatnonzero(~allowed)[0])]
            raise RulesError(
                f"the turn may end in {shown(ending.label)}, which no box of the card "
                f"{shown(card)} takes"
            )

    def _index_of_payment(self, reading: int, counts: tuple[Counts, ...]) -> int:
        """The index of what an entry pays for each class of a reading, added if it is new."""
        # Hundreds of thousands of entries pay in a few ways, and sums of fractions are slow.
        key = reading, counts
        if key not in self._payment_index:
            self._payment_index[key] = len(self.payments)
            self.payments.append((reading, tuple(self.score(dict(row)) for row in counts)))
        return self._payment_index[key]

    def _target(self, then: Any, card: Any, name: str) -> int:
        """The index of the card that an entry leads to; ~k for outcome k. New ones are added."""
        if isinstance(then, Outcome):
            return ~self._outcome_index.setdefault(then, len(self._outcome_index))
        if not_a_state(then):
            raise RulesError(
                f"entering {name!r} on the card {shown(card)} returned {shown(then)}; return the "
                "next card or settle the game"
            )
        target = self.card_index.setdefault(then, len(self.cards))
        if target == len(self.cards):
            self.cards.append(then)
        return target

    def _advance(self, counts: dict[str, Any]) -> int:
        advance = counts.get(self.counter, 0)
        # A total is a bit of a mask (`total_masks`), and a lane of the kernel.
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

    def _index_of_reading(self, read: EntryReading) -> int:
        """The index of a reading, whose classes of endings are added if it is new."""
        # Readings are shared by cards: read once for all endings, not once per card.
        if read in self._reading_index:
            return self._reading_index[read]
        class_by_ending = np.full(len(self.endings), -1, np.int16)
        class_by_view: dict[tuple[Any, int], int] = {}
        pays = []
        for e, ending in enumerate(self.endings):
            result = read(ending)
            view, counted_pairs, _ = unwrap(result)
            counts = dict(counted_pairs)
            pays.append(self.score(counts))
            if result is None:
                continue
            c = class_by_view.setdefault((view, self._advance(counts)), len(class_by_view))
            if c > MAX_CLASSES:
                raise TooManyStatesError(
                    f"an entry sees more than {MAX_CLASSES:,} different endings; let its "
                    "reading say only what the card needs"
                )
            class_by_ending[e] = c
        self._reading_index[read] = len(self.readings)
        self.readings.append(EndingClasses(class_by_ending, tuple(class_by_view), tuple(pays)))
        return self._reading_index[read]

    def _order(self, next_cards: list[set[int]]) -> None:
        """Order the cards by the most turns left."""
        n = len(self.cards)
        self._first_to_last = [part[0] for part in strongly_connected_components(next_cards)]
        # A card that leads to itself is a component of one, like a card that doesn't.
        if len(self._first_to_last) < n or any(s in row for s, row in enumerate(next_cards)):
            raise EndlessGameError("a score card repeats, so the turns could go on forever")
        self.turns_left = [1] * n + [0] * len(self.outcomes)
        for s in reversed(self._first_to_last):
            self.turns_left[s] = 1 + max((self.turns_left[t] for t in next_cards[s]), default=0)
        self.levels: list[list[int]] = [[] for _ in range(max(self.turns_left))]
        for s in self._first_to_last:
            self.levels[self.turns_left[s] - 1].append(s)

    def _carry_totals(self) -> None:
        """Carry the possible totals forward, from 0 on the first card."""
        self.total_masks = [0] * (len(self.cards) + len(self.outcomes))
        self.total_masks[0] = 1
        for s in self._first_to_last:
            for entry in self.entries[s]:
                for target, advance in zip(entry.targets, entry.advances, strict=True):
                    mask = self._advanced(self.total_masks[s], advance)
                    self.total_masks[self.index_of_target(target)] |= mask
        cells = len(self.total_masks) * (self.cap + 1)
        afford(f"a tally up to {self.cap:,}", memory=16.0 * cells, instead="count in larger units")
        self.totals = [[t for t in range(self.cap + 1) if m >> t & 1] for m in self.total_masks]

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
    """The same game with the total as part of the card: (card, total).

    Attributes:
        game: the game without it.
        turn: the rules of a turn.
        card: the first card, with the total 0.
    """

    def __init__(self, game: ByTurns) -> None:
        self.game, self.turn, self.card = game, game.turn, (game.card, 0)
        self._counter, self._cap = game.tally or ("", 0)
        self._folded_readings: dict[EntryReading, EntryReading] = {}

    def entries(self, card: Any) -> Mapping[str, EntryReading]:
        entries = self.game.entries(card[0])
        return {name: self._folded(reading) for name, reading in entries.items()}

    def _folded(self, reading: EntryReading) -> EntryReading:
        """The reading, with the tally's advance as part of what the rules see."""

        def read(ending: Any) -> Any:
            result = reading(ending)
            if result is None:
                return None
            view, counts, _ = unwrap(result)
            return counted((view, self._advance(counts)), **dict(counts))

        # `Cards` reads each reading once, so the same one must be folded to the same one.
        return self._folded_readings.setdefault(reading, read)

    def enter(self, card: Any, entry: str, reading: Any) -> Any:
        unfolded, total = card
        view, advance = reading
        then, counts, _ = unwrap(self.game.enter(unfolded, entry, view))
        total = min(self._cap, total + advance + self._advance(counts))
        if isinstance(then, Outcome):
            return counted(counted(then, **dict(counts)), **self.game.final_counts(total))
        return counted((then, total), **dict(counts))

    def _advance(self, counts: Counts) -> Fraction | int:
        return dict(counts).get(self._counter, 0)


THREADS = 2
"""Threads that solve or play the cards of a level side by side."""
PLAIN_MOVES = 1_000_000
"""The most moves, cards and totals that take seconds in plain Python, where numba is missing."""
SECONDS_PER_MOVE = 7e-10
"""Seconds per move of the turn, card and total."""


class TurnSolver:
    """The value of every card and total, by backward induction; `policy_moves` fixes a policy.

    The constructor solves the game at once.

    How it works. `values` has a number for each cell: a card, or an outcome, with a total. The
    cells of a card stand side by side, as the lanes of the kernel. Those of outcomes are filled
    first, then those of the cards, level by level.

    Attributes:
        cards: the score cards.
        turn: the model of one turn.
        goal: the objective.
        policy_moves: the moves of a policy; None if every decision is free.
        kernel: the turn as arrays.
        levels: the reachable cards, as in `cards`.
        totals: by card, then outcome, the possible totals in ascending order.
        first_cells: by card, then outcome, its first cell; then the number of all cells.
        cells: (cards and outcomes, cap + 1) the cell of each with a total; -1 if impossible.
        pays: the distinct amounts that entries may pay.
        pays_in_floats: the same as floats.
        pay_indices: by payment of an entry, the index of the pay for each ending.
        values: by cell; 0 until its level is solved.
    """

    def __init__(
        self,
        cards: Cards,
        turn: Model,
        kernel: TurnKernel,
        policy_moves: "PolicyMoves | None" = None,
    ) -> None:
        self.cards, self.goal, self.turn = cards, cards.goal, turn
        self.policy_moves, self.kernel = policy_moves, kernel
        self.levels = cards.levels if policy_moves is None else policy_moves.levels
        # Below this, plain Python is fast enough where numba is missing.
        if cards.state_count * len(turn.targets) > PLAIN_MOVES:
            require("numba", "fast")
        cards.afford(turn, SECONDS_PER_MOVE, "remember less on the card")
        self.totals = [np.array(row, np.int64) for row in cards.totals]
        self.first_cells = np.concatenate([[0], np.cumsum([len(row) for row in self.totals])])
        # A dense table: one index instead of a search per class and lane.
        self.cells = np.full((len(self.totals), cards.cap + 1), -1, np.int64)
        for s, row in enumerate(self.totals):
            self.cells[s, row] = self.first_cells[s] + np.arange(len(row))
        self.pays, self.pay_indices = distinct_pays(cards)
        if self.largest > MAX_AMOUNT:
            raise RulesError("amounts beyond 10^300 are too large for floats; use the exact method")
        self.pays_in_floats = np.array(list(map(float, self.pays)))
        self.values = np.zeros(self.first_cells[-1])
        self._solve()

    def _solve(self) -> None:
        for cell, value in self.outcome_values.items():
            self.values[cell] = float(value)
        with ThreadPoolExecutor(THREADS) as pool:
            for level in self.levels:
                # Cards of a level don't depend on each other; the loops release the lock.
                list(pool.map(self._solve_cards, (level[k::THREADS] for k in range(THREADS))))

    def _solve_cards(self, cards: list[int]) -> None:
        for s in cards:
            values = self.kernel_on(s).start_values(self.entries_on(s))
            first, end = self.first_cells[s : s + 2]
            self.values[first:end] = values[: end - first]

    @cached_property
    def outcome_values(self) -> dict[int, Fraction]:
        """The value of each outcome with each total, by cell."""
        return {int(self.cells[key]): value for key, value in self.cards.outcome_values.items()}

    @cached_property
    def unit(self) -> int:
        """The common denominator of all amounts."""
        return lcm(*(amount.denominator for amount in self._amounts))

    @cached_property
    def pays_in_units(self) -> "NDArray[np.int64]":
        """The possible pays in units, if no game's total exceeds 64 bits."""
        if self.largest * self.unit >= 2**62:
            raise RulesError(
                f"amounts up to {decimal(self.largest)} in units of 1/{shown(self.unit)} don't "
                "fit in 64 bits; use sevenout.best for the mean alone"
            )
        return np.array([int(amount * self.unit) for amount in self.pays], np.int64)

    @cached_property
    def largest(self) -> Fraction:
        """A bound on the absolute value of every game."""
        in_turns = max(map(abs, self.pays)) * len(self.cards.levels)
        return in_turns + max(map(abs, self.outcome_values.values()))

    @property
    def _amounts(self) -> list[Fraction]:
        """All amounts that a game may pay, in its turns and at its end."""
        return [*self.pays, *self.outcome_values.values()]

    def next_cells(self, s: int, lanes: int) -> "NDArray[np.int64]":
        """The cell that follows each class of each entry: (classes of all entries, lanes)."""
        entries = self.cards.entries[s]
        targets = np.array([self.cards.index_of_target(t) for e in entries for t in e.targets])
        advances = np.array([a for e in entries for a in e.advances])
        totals = np.minimum(self.totals[s][None, :] + advances[:, None], self.cards.cap)
        cells = self.cells[targets[:, None], totals]
        spare = lanes - cells.shape[1]
        # Spare lanes repeat the last one: any valid value will do, and is dropped afterwards.
        return np.pad(cells, ((0, 0), (0, spare)), mode="edge") if spare else cells

    def owners(self, cells: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """The card or outcome of each cell."""
        # The first cells ascend; a card without totals has none, and is passed over.
        owners: NDArray[np.int64] = np.searchsorted(self.first_cells, cells, side="right") - 1
        return owners

    def kernel_on(self, s: int) -> TurnKernel:
        """The turn as played on a card."""
        moves = self.policy_moves
        if moves is None:
            return self.kernel
        return self.kernel.with_decisions(moves.nodes, moves.slots[s])

    def entries_on(self, s: int) -> Entries:
        """The entries of a card for all its totals."""
        entries = self.cards.entries[s]
        totals = len(self.totals[s])
        lanes = -(-totals // chunk_width(totals)) * chunk_width(totals)
        sizes = [len(entry.targets) for entry in entries]
        readings = self.cards.readings
        classes = np.stack([readings[entry.reading].class_by_ending for entry in entries])
        if self.policy_moves is not None:
            others = np.arange(len(entries))[:, None] != self.policy_moves.entries[s]
            classes = np.where(others, np.int16(-1), classes)
        return Entries(
            classes=classes,
            pay_indices=np.stack([self.pay_indices[entry.payment] for entry in entries]),
            first=np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64),
            rows=self.values[self.next_cells(s, lanes)],
            pays=self.pays_in_floats,
            sense=self.goal.sense,
        )

    def value(self, card: int = 0, total: int = 0) -> Fraction:
        """The value of a card, or of an outcome, with a total."""
        return Fraction(float(self.values[self.cells[card, total]]))

    def bound_of(self, value: Fraction) -> Fraction:
        """The error bound of a computed value of a card or node."""
        # Besides those of a turn, its pay is rounded and added; at the end, the outcome's value.
        roundings = len(self.cards.levels) * (self.kernel.value_roundings + 3) + 2
        # Amounts of both signs may cancel, and then only the largest bounds the error.
        size = abs(value) if self._has_one_sign else self.largest
        return size * Fraction(roundings, 2**53 - roundings) * 2

    @cached_property
    def _has_one_sign(self) -> bool:
        return min(self._amounts) >= 0 or max(self._amounts) <= 0


def distinct_pays(cards: Cards) -> "tuple[list[Fraction], list[NDArray[np.int32]]]":
    """The distinct amounts that entries may pay; by payment, the index of each ending's."""
    index_by_pay: dict[Fraction, int] = {}
    indices = []
    for reading, class_pays in cards.payments:
        endings = cards.readings[reading]
        pays = [
            pay + (class_pays[c] if c >= 0 else 0)
            for pay, c in zip(endings.pays, endings.class_by_ending.tolist(), strict=True)
        ]
        row = [index_by_pay.setdefault(pay, len(index_by_pay)) for pay in pays]
        indices.append(np.array(row, np.int32))
    return list(index_by_pay), indices
