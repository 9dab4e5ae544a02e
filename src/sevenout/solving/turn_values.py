"""The value of every score card of a game of turns: explore the turn once, play it for each card.

*Cards.* An entry sorts the turn's endings into classes, and the rules see only the class. So a card
has few successors although the turn has hundreds of endings.

*Values.* Yahtzee has a billion states, but its turn has about 1,600 nodes, the same for every score
card except for the values of its endings. Each total of a card is a lane. From the last cards back,
each ending takes its best entry, and the turn is solved backwards for all lanes of a card at once
(`turn_kernel`).

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
from sevenout.rules.keep_games import ByTurns, Reading
from sevenout.rules.outcome import Counts, unwrap
from sevenout.solving.goal import MAX_AMOUNT, Goal
from sevenout.solving.turn_kernel import Entries, TurnKernel, lanes_of

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
        payment: the index of the reading with these pays, among those of all entries.
    """

    name: str
    read: int
    targets: tuple[int, ...]
    advances: tuple[int, ...]
    pays: tuple[Fraction, ...]
    payment: int


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
        payments: the readings with the pays of their classes, each once.
        outcomes: that settle the game.
        counters: the names of all counters met, as keys.
        left: for each card, then each outcome, the most turns left.
        levels: the cards by the most turns left, the last turn first.
        reached: for each card, then each outcome, the possible totals of the tally as bits.
        totals: the same as ascending numbers.
        ends: the value of each outcome with each total, by its place and the total.
    """

    def __init__(self, game: ByTurns, goal: Goal, endings: tuple[Outcome, ...]) -> None:
        self.game, self.goal, self.endings = game, goal, endings
        self.counter, self.cap = game.tally or ("", 0)
        self.reads: list[EndingClasses] = []
        self.outcomes: list[Outcome] = []
        self._read: dict[Reading, int] = {}
        self.payments: list[tuple[int, tuple[Fraction, ...]]] = []
        self._payment: dict[tuple[int, tuple[Counts, ...]], int] = {}
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
        lanes = len(self.reached) * (self.cap + 1)
        afford(f"a tally up to {self.cap:,}", memory=16.0 * lanes, instead="count in larger units")
        self.totals = [[t for t in range(self.cap + 1) if m >> t & 1] for m in self.reached]
        self.ends = {
            (place, total): goal.value(outcome) + self.score(dict(game.final_counts(total)))
            for place, outcome in enumerate(self.outcomes, len(self.cards))
            for total in self.totals[place]
        }
        # Only now are all counters known: those of the entries, and those of the end.
        for name in goal.counters:
            if name not in self.counters:
                names = ", ".join(list(self.counters)[:8]) or "none"
                raise RulesError(f"no counter {shown(name)}; the counters are: {names}")

    @property
    def states(self) -> int:
        """The number of cards, each with every possible total."""
        return sum(map(len, self.totals[: len(self.cards)]))

    def afford(self, turn: Model, seconds_per_move: float, instead: str) -> None:
        """Refuse to play a turn on too many cards.

        Raises:
            TooMuchWorkError: over the budget.
        """
        afford(
            f"{self.states:,} score cards with their totals, and a turn of {len(turn.states):,} "
            "states on each,",
            seconds=seconds_per_move * self.states * len(turn.targets),
            instead=instead,
        )

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
            targets, advances, counted_by_class = [], [], []
            for seen, advance in read.seen:
                then, counts, _ = unwrap(self.game.enter(card, name, seen))
                targets.append(self._target(then, card, name))
                advances.append(advance + self._advance(dict(counts)) if counts else advance)
                counted_by_class.append(counts)
            payment = self._payment_of(which, tuple(counted_by_class))
            pays = self.payments[payment][1]
            yield CardEntry(name, which, tuple(targets), tuple(advances), pays, payment)
        if not allowed.all():
            ending = self.endings[int(np.flatnonzero(~allowed)[0])]
            raise RulesError(
                f"the turn may end in {shown(ending.label)}, which no box of the card "
                f"{shown(card)} takes"
            )

    def _payment_of(self, read: int, counts: tuple[Counts, ...]) -> int:
        # Hundreds of thousands of entries pay in a few ways, and sums of fractions are slow.
        key = read, counts
        if key not in self._payment:
            self._payment[key] = len(self.payments)
            self.payments.append((read, tuple(self.score(dict(row)) for row in counts)))
        return self._payment[key]

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
            then, counted, _ = unwrap(what)
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
        order = [component[0] for component in strongly_connected_components(after)]
        if len(order) < n or any(s in row for s, row in enumerate(after)):
            raise EndlessGameError("a score card repeats, so the turns could go on forever")
        left = [1] * n + [0] * len(self.outcomes)
        for s in reversed(order):
            left[s] = 1 + max((left[t] for t in after[s]), default=0)
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
            seen, counts, _ = unwrap(what)
            return counted((seen, self._advance(counts)), **dict(counts))

        return self._readings.setdefault(reading, read)

    def enter(self, card: Any, entry: str, seen: Any) -> Any:
        first, total = card
        then, counts, _ = unwrap(self.game.enter(first, entry, seen[0]))
        total = min(self._cap, total + seen[1] + self._advance(counts))
        if isinstance(then, Outcome):
            return counted(counted(then, **dict(counts)), **self.game.final_counts(total))
        return counted((then, total), **dict(counts))

    def _advance(self, counts: Counts) -> Fraction | int:
        return dict(counts).get(self.game.tally[0], 0) if self.game.tally else 0

    @property
    def _cap(self) -> int:
        return self.game.tally[1] if self.game.tally else 0


THREADS = 2
PLAIN_MOVES = 1_000_000
"""The most moves, cards and totals that take seconds in plain Python, where numba is missing."""
SECONDS_PER_MOVE = 7e-10
"""Seconds per move of the turn, card and total."""


class TurnSolver:
    """The value of every card and total, by backward induction; `policy_moves` fixes a policy.

    Attributes:
        cards: the score cards.
        turn: the model of one turn.
        goal: the objective.
        policy_moves: the moves of a policy; None if every decision is free.
        kernel: the turn as arrays.
        totals: by card, then outcome, the possible totals in ascending order.
        offsets: by card, then outcome, the place of its first total; then their number.
        place: the place of a card with a total, (cards and outcomes, cap + 1); -1 if impossible.
        paid, rewards: the distinct amounts that entries may pay, as fractions and as floats.
        entry_pays: by payment of an entry, the index of what it pays for each ending.
        values: by place; 0 until its level is played.
        levels: the reachable cards, as in `cards`.
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
        if cards.states * len(turn.targets) > PLAIN_MOVES:
            require("numba", "fast")
        cards.afford(turn, SECONDS_PER_MOVE, "remember less on the card")
        self.totals = [np.array(row, np.int64) for row in cards.totals]
        self.offsets = np.concatenate([[0], np.cumsum([len(row) for row in self.totals])])
        # A dense table: one index instead of a search per class and lane.
        self.place = np.full((len(self.totals), cards.cap + 1), -1, np.int64)
        for s, row in enumerate(self.totals):
            self.place[s, row] = self.offsets[s] + np.arange(len(row))
        self.paid = self._pays()
        if self.largest > MAX_AMOUNT:
            raise RulesError("amounts beyond 10^300 are too large for floats; use the exact method")
        self.rewards = np.array(list(map(float, self.paid)))
        self.values = np.zeros(self.offsets[-1])
        for place, value in self.ends.items():
            self.values[place] = float(value)
        with ThreadPoolExecutor(THREADS) as pool:
            for level in self.levels:
                # Cards of a level don't depend on each other; the loops release the lock.
                list(pool.map(self._solve_cards, (level[k::THREADS] for k in range(THREADS))))

    @cached_property
    def ends(self) -> dict[int, Fraction]:
        """The value of each outcome with each total, by place."""
        return {int(self.place[key]): value for key, value in self.cards.ends.items()}

    @cached_property
    def unit(self) -> int:
        """The common denominator of all amounts."""
        amounts = [*self.paid, *self.ends.values()]
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
        return most + max(map(abs, self.ends.values()))

    def _pays(self) -> list[Fraction]:
        """The distinct amounts that entries may pay."""
        index: dict[Fraction, int] = {}
        self.entry_pays: list[NDArray[np.int32]] = []
        for reading, pays in self.cards.payments:
            read = self.cards.reads[reading]
            row = [
                index.setdefault(reward + (pays[c] if c >= 0 else 0), len(index))
                for reward, c in zip(read.rewards, read.classes.tolist(), strict=True)
            ]
            self.entry_pays.append(np.array(row, np.int32))
        return list(index)

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

    def _solve_cards(self, cards: list[int]) -> None:
        for s in cards:
            values = self.kernel_on(s).start_values(self.entries_on(s))
            self.values[self.offsets[s] : self.offsets[s + 1]] = values[: len(self.totals[s])]

    def kernel_on(self, s: int) -> TurnKernel:
        """The turn as played on a card."""
        moves = self.policy_moves
        if moves is None:
            return self.kernel
        return self.kernel.with_decisions(moves.nodes, moves.slots[s])

    def entries_on(self, s: int) -> Entries:
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
        return Entries(
            classes=classes,
            paid=np.stack([self.entry_pays[entry.payment] for entry in entries]),
            first=first,
            rows=self.values[self.rows(s, lanes)],
            rewards=self.rewards,
            sense=self.goal.sense,
        )

    def value(self, card: int = 0, total: int = 0) -> Fraction:
        """The value of a card, or of an outcome, with a total."""
        return Fraction(float(self.values[self.place[card, total]]))

    @cached_property
    def bound(self) -> Fraction:
        """The error bound of the first card's value."""
        return self.bound_of(self.value())

    def bound_of(self, value: Fraction) -> Fraction:
        """The error bound of a computed value of a card or node."""
        roundings = len(self.cards.levels) * (self.kernel.operations + 3) + 2
        # Amounts of both signs may cancel, and then only the largest bounds the error.
        size = abs(value) if self._one_sign else self.largest
        return size * Fraction(roundings, 2**53 - roundings) * 2

    @cached_property
    def _one_sign(self) -> bool:
        amounts = [*self.paid, *self.ends.values()]
        return min(amounts) >= 0 or max(amounts) <= 0
