"""The score cards of a game of turns.

An entry sorts the turn's endings into classes, and the rules see only the class. So a card has few
successors although the turn has hundreds of endings.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.errors import EndlessGameError, RulesError, TooManyStatesError, shown
from sevenout.model.graph import components
from sevenout.rules import Outcome, counted
from sevenout.rules.game import not_a_state
from sevenout.rules.keep_games import ByTurns, Reading
from sevenout.rules.outcome import Counts, followed
from sevenout.solving.goal import Goal

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_CARDS = 1_000_000
MAX_CLASSES = 2**15 - 1


@dataclass(frozen=True, eq=False)
class Read:
    """A reading of all endings.

    Attributes:
        classes: of each ending; -1 if the entry is not allowed.
        seen: for each class, what the rules see and the tally's advance.
    """

    classes: "NDArray[np.int16]"
    seen: tuple[tuple[Any, int], ...]
    rewards: tuple[Fraction, ...]


@dataclass(frozen=True)
class CardEntry:
    """An entry on a card.

    Attributes:
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
        left: for each card, then each outcome, the most turns left.
        levels: the cards by the most turns left, the last turn first.
        even: whether all paths from each card take the same number of turns.
        reached: for each card, then each outcome, the possible totals of the tally as bits.
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
        self.entries: list[tuple[CardEntry, ...]] = []
        for card in self.cards:  # the loop adds cards
            self.entries.append(tuple(self._entries(card)))
            if len(self.cards) > MAX_CARDS:
                raise TooManyStatesError(
                    f"more than {MAX_CARDS:,} score cards; give a card fewer boxes, or keep less "
                    "on it"
                )
        self.outcomes = list(self._ends)
        self._order()

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
        if advance != int(advance):
            raise RulesError(
                f"the tally of {self.counter} advances by {shown(advance)}; it counts whole numbers"
            )
        return int(advance)

    def score(self, counts: dict[str, Any]) -> Fraction:
        """The value of these counts for the goal."""
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
            then, counted, _ = followed(what)
            counts = dict(counted)
            rewards.append(self.score(counts))
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
                    at = target if target >= 0 else n + ~target
                    self.reached[at] |= self._advanced(self.reached[s], advance)

    def _advanced(self, totals: int, advance: int) -> int:
        if advance < 0:
            raise RulesError(
                f"the tally of {self.counter} goes down by {-advance}; let it only go up"
            )
        totals <<= advance
        below = totals & ((1 << self.cap) - 1)
        return below | (1 << self.cap if totals >> self.cap else 0)


class Folded(ByTurns):
    """The same game with the total as part of the card."""

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
