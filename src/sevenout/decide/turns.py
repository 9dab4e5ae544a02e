"""Optimal play of games of turns: the turn is explored once, and played backwards for each card.

A game such as Yahtzee has a billion states, but its turn has some 1,600 nodes, the same for every
score card: what differs is only what its endings are worth. The cards are explored through what the
entries read, not through hands, and the total that the game remembers is a lane of its own beside
the card. From the last cards back, the best entry of each ending is taken, and the turn is played
backwards for all the lanes of a card at once (`tape`).

Floats: every operation is a sum, a product with a share, or a choice of the best, so that with
rewards of one sign the relative error is below (1 + 2**-53)**n - 1 for n roundings in a row (Higham
2002, lemma 3.1); that is the bound. Integers: with the turn's denominator D, a card from which k
turns are left is worth an integer over D**k, and every comparison is exact.
"""

from collections.abc import Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.chain import Model
from sevenout.chain.components import components
from sevenout.cost import afford
from sevenout.decide.goal import Goal
from sevenout.decide.tape import LANES, Entries, Tape
from sevenout.errors import EndlessGameError, RulesError, TooManyStatesError, shown
from sevenout.rules import Outcome
from sevenout.rules.game import not_a_state
from sevenout.rules.keeping import ByTurns, Reading, unwrapped

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_CARDS = 1_000_000
MAX_CLASSES = 2**15 - 1
THREADS = 2


@dataclass(frozen=True, eq=False)
class Read:
    """What a reading makes of each ending.

    Attributes:
        classes: for each ending its class; -1 where the entry is not allowed.
        seen: for each class what the rules see of it, and how far the tally advances.
        rewards: for each ending what it is worth at once.
    """

    classes: "NDArray[np.int16]"
    seen: tuple[tuple[Any, int], ...]
    rewards: tuple[Fraction, ...]


@dataclass(frozen=True)
class Entry:
    """An entry on a card: how it reads, and for each class where it leads and what that pays.

    Attributes:
        name: the entry.
        read: the index of the reading.
        targets: for each class a card; ~k for outcome k.
        advances: for each class how far the tally advances.
        pays: for each class what is paid besides what was read.
    """

    name: str
    read: int
    targets: tuple[int, ...]
    advances: tuple[int, ...]
    pays: tuple[Fraction, ...]


class Cards:
    """The score cards of a game of turns, as its goal sees them.

    Attributes:
        game: the rules.
        endings: how the turn may end.
        cards: the cards, from the first on.
        entries: for each card what may be done with an ending.
        reads: the readings.
        outcomes: how the game may end.
        left: for each card, then each outcome, how many turns are left at most.
        levels: the cards by how many turns are left at most, the last turn first.
        even: every way to the end from a card takes equally many turns.
        reached: for each card, then each outcome, the totals that the tally can have: a bit each.
    """

    def __init__(self, game: ByTurns, goal: Goal, endings: tuple[Outcome, ...]) -> None:
        self.game, self.goal, self.endings = game, goal, endings
        self.counter, self.cap = game.tally or ("", 0)
        self.reads: list[Read] = []
        self.outcomes: list[Outcome] = []
        self._read: dict[Reading, int] = {}
        self.counters: dict[str, None] = {}
        self.cards: list[Hashable] = [game.card]
        self._index: dict[Hashable, int] = {game.card: 0}
        self._ends: dict[Outcome, int] = {}
        self.entries: list[tuple[Entry, ...]] = []
        for card in self.cards:  # grows as we go
            self.entries.append(tuple(self._entries(card)))
            if len(self.cards) > MAX_CARDS:
                raise TooManyStatesError(f"more than {MAX_CARDS:,} score cards")
        self.outcomes = list(self._ends)
        self._order()

    def index(self, card: Hashable) -> int:
        """The index of a card; a KeyError if it never comes."""
        return self._index[card]

    def _entries(self, card: Hashable) -> Iterator[Entry]:
        allowed = np.zeros(len(self.endings), bool)
        for name, reading in self.game.entries(card).items():
            which = self._reading(reading)
            read = self.reads[which]
            allowed |= read.classes >= 0
            targets, advances, pays = [], [], []
            for seen, advance in read.seen:
                then, counts = unwrapped(self.game.enter(card, name, seen))
                targets.append(self._target(then, card, name))
                advances.append(advance + self._advance(counts))
                pays.append(self.worth(counts))
            yield Entry(name, which, tuple(targets), tuple(advances), tuple(pays))
        if not allowed.all():
            ending = self.endings[int(np.flatnonzero(~allowed)[0])]
            raise RulesError(
                f"the turn may end in {shown(ending.label)}, which can be entered nowhere on the "
                f"card {shown(card)}"
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
        if advance != int(advance):
            raise RulesError(
                f"the tally of {self.counter} advances by {shown(advance)}; it counts whole numbers"
            )
        return int(advance)

    def worth(self, counts: dict[str, Any]) -> Fraction:
        """What is counted, as the goal sees it."""
        self.counters |= dict.fromkeys(counts)
        wanted = self.goal.counters
        return sum((Fraction(n) * wanted.get(name, 0) for name, n in counts.items()), Fraction(0))

    def _reading(self, reading: Reading) -> int:
        if reading in self._read:
            return self._read[reading]
        classes = np.full(len(self.endings), -1, np.int16)
        seen: dict[tuple[Any, int], int] = {}
        rewards = []
        for e, ending in enumerate(self.endings):
            what = reading(ending)
            then, counts = unwrapped(what)
            rewards.append(self.worth(counts))
            if what is not None:
                c = seen.setdefault((then, self._advance(counts)), len(seen))
                if c > MAX_CLASSES:
                    raise TooManyStatesError(
                        f"an entry sees more than {MAX_CLASSES:,} different endings; let its "
                        "reading say only what the card needs"
                    )
                classes[e] = c
        self.reads.append(Read(classes, tuple(seen), tuple(rewards)))
        self._read[reading] = len(self.reads) - 1
        return len(self.reads) - 1

    def _order(self) -> None:
        n = len(self.cards)
        after = [{t for entry in card for t in entry.targets if t >= 0} for card in self.entries]
        order = [block[0] for block in components(after)]
        if len(order) < n or any(s in row for s, row in enumerate(after)):
            raise EndlessGameError("a score card comes again: the turns could go on for ever")
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
                    at = target if target >= 0 else n + ~target
                    self.reached[at] |= self._advanced(self.reached[s], advance)

    def _advanced(self, totals: int, advance: int) -> int:
        if advance < 0:
            raise RulesError(f"the tally of {self.counter} goes back by {-advance}; it counts up")
        totals <<= advance
        below = totals & ((1 << self.cap) - 1)
        return below | (1 << self.cap if totals >> self.cap else 0)


class TurnSolver:
    """The worth of every card and total, by playing the turn backwards.

    Attributes:
        cards: the cards.
        tape: the turn.
        values: in floats, by lane.
        states: how many cards with a total there are.
    """

    def __init__(self, game: ByTurns, goal: Goal, turn: Model, exact: bool) -> None:
        self.goal, self.exact, self.turn = goal, exact, turn
        self.cards = cards = Cards(game, goal, turn.outcomes)
        self.tape = tape_of(turn, goal)
        if exact and not cards.even:
            raise RulesError(
                "games whose cards have unequally many turns left are solved by method='certified'"
            )
        if exact and self.tape.factors is None:
            raise RulesError(
                "the turn's weights are too large for words of 64 bits; use method='certified'"
            )
        lanes = len(cards.reached) * (cards.cap + 1)
        afford(f"a tally up to {cards.cap:,}", memory=16.0 * lanes, instead="count in larger units")
        totals = [[t for t in range(cards.cap + 1) if m >> t & 1] for m in cards.reached]
        self.states = sum(map(len, totals[: len(cards.cards)]))
        self.totals = [np.array(row, np.int64) for row in totals]
        self.offsets = np.concatenate([[0], np.cumsum([len(row) for row in totals])])
        self.place = np.full((len(totals), cards.cap + 1), -1, np.int64)
        for s, row in enumerate(self.totals):
            self.place[s, row] = self.offsets[s] + np.arange(len(row))
        self.paid = self._pays()
        ends = list(self._ends())
        for name in goal.counters:
            if name not in cards.counters:
                there = ", ".join(list(cards.counters)[:8]) or "none"
                raise RulesError(f"nothing called {shown(name)} is counted; there is: {there}")
        self.values = np.zeros(self.offsets[-1])
        self.words: NDArray[np.uint64] = np.zeros((self.offsets[-1], 1), np.uint64)
        for at, worth in ends:
            self.values[at] = float(worth)
            if exact:
                self._widen(self._width(worth, 0))
                self.words[at] = _words(int(worth * self.unit), self.words.shape[1])
        with ThreadPoolExecutor(THREADS) as pool:
            for left, level in enumerate(cards.levels):
                self._level(left, level, pool)

    def _ends(self) -> Iterator[tuple[int, Fraction]]:
        """Where the worth of each outcome with each total is kept, and how much it is."""
        n = len(self.cards.cards)
        for k, outcome in enumerate(self.cards.outcomes):
            for total in self.totals[n + k].tolist():
                final = self.cards.worth(dict(self.cards.game.final(total)))
                yield int(self.place[n + k, total]), self.goal.worth(outcome) + final

    @cached_property
    def unit(self) -> int:
        """What makes every amount an integer."""
        amounts = [*self.paid, *(worth for _, worth in self._ends())]
        return lcm(*(amount.denominator for amount in amounts))

    @cached_property
    def largest(self) -> Fraction:
        """What no game is worth more than, either way."""
        most = max(map(abs, self.paid)) * len(self.cards.levels)
        return most + max(abs(worth) for _, worth in self._ends())

    def _width(self, worth: Fraction, turns: int) -> int:
        """The words that an amount takes, so many turns from the end."""
        return int(abs(worth) * self.unit * self.tape.scale**turns).bit_length() // 64 + 1

    def _widen(self, words: int) -> None:
        have = self.words.shape[1]
        if words > have:
            signs = np.where(self.words[:, -1:] >> np.uint64(63), ~np.uint64(0), np.uint64(0))
            self.words = np.concatenate([self.words, *[signs] * (words - have)], axis=1)

    def _pays(self) -> list[Fraction]:
        """The amounts that may be paid when an ending is entered, each once."""
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
            words, scale = self.words.shape[1], self.tape.scale**left * self.unit
            rewards: NDArray[Any] = np.stack([_words(int(x * scale), words) for x in self.paid])
        else:
            rewards = np.array([float(x) for x in self.paid])
        values = self.words if self.exact else self.values

        def play(s: int) -> None:
            values[self.offsets[s] : self.offsets[s + 1]] = self._play(s, values, rewards)

        list(pool.map(play, level))

    def _rows(self, s: int, lanes: int) -> "NDArray[np.int64]":
        """For each class of each entry and each lane, where the worth of what follows is."""
        entries, n = self.cards.entries[s], len(self.cards.cards)
        targets = np.array([t if t >= 0 else n + ~t for e in entries for t in e.targets])
        advances = np.array([a for e in entries for a in e.advances])
        totals = np.minimum(self.totals[s][None, :] + advances[:, None], self.cards.cap)
        rows = self.place[targets[:, None], totals]
        spare = lanes - rows.shape[1]
        return np.pad(rows, ((0, 0), (0, spare)), mode="edge") if spare else rows

    def _play(self, s: int, values: "NDArray[Any]", rewards: "NDArray[Any]") -> "NDArray[Any]":
        entries = self.cards.entries[s]
        cards = len(self.totals[s])
        lanes = cards if self.exact else -(-cards // LANES) * LANES
        sizes = [len(entry.targets) for entry in entries]
        first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        prepared = Entries(
            classes=np.stack([self.cards.reads[entry.read].classes for entry in entries]),
            paid=np.stack([self._entry_pays[entry.read, entry.pays] for entry in entries]),
            first=first,
            rows=np.ascontiguousarray(values[self._rows(s, lanes)]),
            rewards=rewards,
            sense=self.goal.sense,
        )
        return self.tape.play(prepared, floats=not self.exact)[:cards]

    def value(self, card: int = 0, total: int = 0) -> Fraction:
        """The worth of a card, or of an outcome, with a total."""
        at = int(self.place[card, total])
        if not self.exact:
            return Fraction(float(self.values[at]))
        number = int.from_bytes(self.words[at].tobytes(), "little", signed=True)
        return Fraction(number, self.tape.scale ** self.cards.left[card] * self.unit)

    @cached_property
    def bound(self) -> Fraction:
        """How far the worth of the first card may be from the truth."""
        if self.exact:
            return Fraction(0)
        roundings = len(self.cards.levels) * (self.tape.operations + 3) + 2
        relative = Fraction(roundings, 2**53 - roundings)
        amounts = [*self.paid, *(worth for _, worth in self._ends())]
        size = abs(self.value()) if min(amounts) >= 0 or max(amounts) <= 0 else self.largest
        return size * relative * 2


def _words(number: int, words: int) -> "NDArray[np.uint64]":
    """A Python integer as words, the low one first (two's complement)."""
    return np.frombuffer(number.to_bytes(8 * words, "little", signed=True), np.uint64)


def tape_of(turn: Model, goal: Goal) -> Tape:
    """The turn's nodes, from the endings back.

    Raises:
        EndlessGameError: a turn that can come back to where it was.
        RulesError: a turn that counts something of its own, or is played by two.
    """
    n, k = len(turn.states), len(turn.outcomes)
    first, targets = turn.first, turn.targets
    order = components([targets[first[s] : first[s + 1]] for s in range(n)])[::-1]
    again = any(s in targets[first[s] : first[s + 1]] for s in range(n))
    if again or any(len(block) > 1 for block in order):
        raise EndlessGameError("a turn that can come back to where it was; let it end")
    if len(turn.tags) > 1 or turn.players:
        raise RulesError("a turn counts nothing of its own, and one player plays it")
    nodes = [block[0] for block in order]
    slot = {s: k + i for i, s in enumerate(nodes)} | {n + i: i for i in range(k)}
    scales = dict.fromkeys(range(n, n + k), 1)
    operations = dict.fromkeys(range(n, n + k), 0)
    kinds, starts, sources, shares, factors = [], [0], [], [], []
    for s in nodes:
        row = targets[first[s] : first[s + 1]]
        weights = (1,) * len(row)
        merged: dict[int, int] = {}
        asked = bool(turn.menus[s])
        if not asked:
            weights = turn.rollables[turn.rolled[s]].law.weights
        for target, weight in zip(row, weights, strict=True):
            merged[target] = 1 if asked else merged.get(target, 0) + weight
        total = 1 if asked else sum(weights)
        scale = total * lcm(*(scales[t] for t in merged))
        scales[s] = scale
        operations[s] = max(operations[t] for t in merged) + (0 if asked else len(merged) + 2)
        kinds.append(goal.sense if asked else 0)
        for target, weight in merged.items():
            sources.append(slot[target])
            shares.append(weight / total)
            factors.append(weight * scale // (total * scales[target]))
        starts.append(len(sources))
    if nodes[-1] != 0:
        raise RulesError("a turn from whose start some of its states can't be reached")
    return Tape(
        nodes=tuple(nodes),
        endings=k,
        kinds=np.array(kinds, np.int8),
        first=np.array(starts, np.int64),
        sources=np.array(sources, np.int32),
        shares=np.array(shares, np.float64),
        factors=np.array(factors, np.int64) if max(factors) < 2**63 else None,
        scale=scales[0],
        operations=operations[0],
    )
