"""Turns of keeping and rolling dice, and games of such turns.

class Sixes(ByTurns):
    turn = KeepRoll(d6, 5, rolls=3)
    card = 2                                        # turns to come
    def entries(self, card): return {"sixes": sixes}
    def enter(self, card, entry, seen): return card - 1 or settle("over")
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sevenout.errors import NotationError, RulesError, shown
from sevenout.rolling import Die, Rollable
from sevenout.rules.game import Game
from sevenout.rules.outcome import Ask, Counted, Outcome, added, ask, counted, followed
from sevenout.wrong_arguments import public

Faces = tuple[Any, ...]
Held = tuple[str, Faces, int]


@public
def keeps(faces: Sequence[Any], least: int = 0) -> Iterator[Faces]:
    """The distinct sets of dice that may be kept.

    >>> list(keeps((3, 3, 5), least=2))
    [(3, 5), (3, 3), (3, 3, 5)]
    """
    kinds = list(dict.fromkeys(faces))

    def of(kinds: list[Any]) -> Iterator[Faces]:
        if not kinds:
            yield ()
            return
        first, *others = kinds
        for n in range(faces.count(first) + 1):
            for rest in of(others):
                yield (first,) * n + rest

    return (kept for kept in of(kinds) if len(kept) >= least)


@dataclass(frozen=True)
class Hand(Outcome):
    """The sorted faces at the end of a turn.

    >>> hand = Hand.of((2, 2, 2, 5, 5))
    >>> hand.total, hand.count(2), hand.kinds, hand.run
    (16, 3, (3, 2), 1)
    """

    faces: Faces = ()

    __hash__ = Outcome.__hash__

    @classmethod
    def of(cls, faces: Faces) -> "Hand":
        """The hand of some faces."""
        return cls(" ".join(map(str, faces)), (), faces)

    @cached_property
    def total(self) -> Any:
        """The sum of the faces."""
        return sum(self.faces)

    def count(self, face: Any) -> int:
        """The number of dice that show a face."""
        return self.faces.count(face)

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """The numbers of like dice, descending: (3, 2) for a full house."""
        return tuple(sorted(map(self.faces.count, set(self.faces)), reverse=True))

    @cached_property
    def run(self) -> int:
        """The longest run of faces: 5 for a large straight."""
        shown = set(self.faces)
        starts = [face for face in shown if face - 1 not in shown]
        return max(next(n for n in range(1, 99) if start + n not in shown) for start in starts)


@dataclass(frozen=True)
class KeepRoll(Game):
    """Roll, keep and roll again; the outcome is a `Hand`.

    Like dice are not distinguished. After a roll the player puts dice back, one at a time, then
    rolls them.

    >>> from sevenout.rolling import d6
    >>> turn = KeepRoll(d6, 5, rolls=3)
    >>> turn.choices(("shown", (1, 5, 5, 5, 6), 2))["put back 1"]
    Ask(state=('shown', (5, 5, 5, 6), 2))

    The states are (what the dice are doing, the faces held, the rolls left).

    Raises:
        RulesError: no dice, or no rolls.
    """

    die: Die
    count: int
    rolls_allowed: int

    def __init__(self, die: Die, count: int, rolls: int = 3) -> None:
        for name, given in (("count", count), ("rolls", rolls)):
            if not isinstance(given, int) or given < 1:
                raise RulesError(f"{name}={shown(given)}; give 1 or more")
        object.__setattr__(self, "die", die)
        object.__setattr__(self, "count", count)
        object.__setattr__(self, "rolls_allowed", rolls)

    @property
    def start(self) -> Held:  # type: ignore[override]
        """No die held, and the first roll to come."""
        return ("rolling", (), self.rolls_allowed - 1)

    def rolls(self, state: Held) -> Rollable:
        """One die at a time."""
        return self.die

    def step(self, state: Held, face: Any) -> Any:
        _, held, left = state
        faces = tuple(sorted((*held, face)))
        if len(faces) < self.count:
            return ("rolling", faces, left)
        return ("shown", faces, left) if left else Hand.of(faces)

    def choices(self, state: Held) -> Mapping[str, Any]:
        """Put a die back, or go on."""
        doing, held, left = state
        if doing == "rolling":
            return {}
        if len(held) == self.count:
            menu: dict[str, Any] = {"keep all": Hand.of(held)}
        else:
            menu = {"roll": ("rolling", held, left - 1)}
        for i, face in enumerate(held):
            if not i or held[i - 1] != face:
                menu[f"put back {face}"] = ask(("shown", held[:i] + held[i + 1 :], left))
        return menu

    def said(self, state: Held | Outcome) -> str:
        """A state in words.

        >>> from sevenout.rolling import d6
        >>> KeepRoll(d6, 5).said(("shown", (1, 3, 3, 5, 6), 2))
        '1 3 3 5 6, 2 rolls left'
        """
        if isinstance(state, Outcome):
            return state.label
        doing, held, left = state
        left += doing == "rolling"
        dice = " ".join(map(str, held)) or "no dice"
        return f"{dice}, {left} {'roll' if left == 1 else 'rolls'} left"

    def keep(self, state: Held, text: str) -> tuple[str, tuple[str, ...]]:
        """A plan that keeps these dice, and its options.

        >>> from sevenout.rolling import d6
        >>> KeepRoll(d6, 5).keep(("shown", (2, 2, 3, 5, 6), 2), "2 2")
        ('keep 2 2', ('put back 3', 'put back 5', 'put back 6', 'roll'))

        Args:
            state: dice that are shown.
            text: the faces to keep, in any order; or "none", or "all".

        Raises:
            NotationError: dice that are not there.
        """
        _, there, left = state
        held, back = list[Any](), list(there)
        for word in {"none": [], "all": [*map(str, back)]}.get(text, text.split()):
            face = next((face for face in back if str(face) == word), None)
            if face is None:
                said = shown(f"keep {text}")
                raise NotationError(
                    f"{said} keeps dice that were not rolled; write faces of this roll, such as "
                    "keep 2 2"
                )
            back.remove(face)
            held.append(face)
        faces = tuple(sorted(held))
        whole = len(held) == self.count
        plan = self.plan(Hand.of(faces) if whole else ("rolling", faces, left - 1))
        return plan, (*(f"put back {face}" for face in back), "keep all" if whole else "roll")

    def plan(self, then: Held | Outcome) -> str:
        """The kept dice in words, before a roll or at the end.

        >>> from sevenout.rolling import d6
        >>> turn = KeepRoll(d6, 5)
        >>> turn.plan(("rolling", (2, 2), 1)), turn.plan(("rolling", (), 0))
        ('keep 2 2', 'keep none')
        """
        held = then.label if isinstance(then, Outcome) else " ".join(map(str, then[1]))
        return f"keep {held or 'none'}"


Reading = Callable[[Any], Any]
"""What an entry reads of a turn's outcome: any hashable value, possibly `counted`; None if not
allowed.
"""


class ByTurns(Game):
    """A game of turns entered on a card, such as Yahtzee.

    The turn is a game, explored once for all cards. What is entered depends on the outcome only
    through the entry's reading of it.

    The states of the whole game are (card, tally, state of the turn).

    >>> from sevenout.rolling import d6
    >>> from sevenout.rules import settle
    >>> class Sixes(ByTurns):
    ...     turn, card = KeepRoll(d6, 2, rolls=2), 1
    ...     def entries(self, card):
    ...         return {"sixes": lambda hand: counted("any", score=6 * hand.count(6))}
    ...     def enter(self, card, entry, seen):
    ...         return settle("over")
    >>> Sixes().entries(1)["sixes"](Hand.of((6, 6))).counts
    (('score', 12),)

    Attributes:
        tally: the counter that the game remembers, and its largest useful value; None for none.
        tally_entries: the entries that count for it, first on the score card.
    """

    turn: Game
    card: Hashable
    tally: tuple[str, int] | None = None
    tally_entries: tuple[str, ...] = ()

    @abstractmethod
    def entries(self, card: Any) -> Mapping[str, Reading]:
        """The open entries, and their readings."""

    @abstractmethod
    def enter(self, card: Any, entry: str, seen: Any) -> Any:
        """The next card or an `Outcome`, possibly `counted`."""

    def entered(self, card: Any, entry: str, seen: Any) -> tuple[Any, dict[str, Any]]:
        """The next card or outcome, and everything counted."""
        then, counts, _ = followed(seen)
        then, more, _ = followed(self.enter(card, entry, then))
        return then, dict(added(counts, more))

    @property
    def bonus_counters(self) -> tuple[str, ...]:
        """The counters of bonuses with their own row on a score card."""
        return ()

    def pays(self, card: Any, entry: str, ending: Outcome) -> dict[str, Any]:
        """Everything counted at the end of a turn."""
        return self.entered(card, entry, self.entries(card)[entry](ending))[1]

    def final(self, total: int) -> Mapping[str, Any]:
        """The final count of the tally, by counter."""
        return {}

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The first card, a tally of 0, and the turn's start."""
        return (self.card, 0, self.turn.start)

    def rolls(self, state: Any) -> Any:
        return self.turn.rolls(state[2])

    def step(self, state: Any, roll: Any) -> Any:
        card, total, inner = state
        return self._within(card, total, self.turn.step(inner, roll))

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The turn's choices; at its end, the entries."""
        card, total, inner = state
        if not isinstance(inner, Outcome):
            menu = self.turn.choices(inner)
            return {name: self._within(card, total, then) for name, then in menu.items()}
        seen = {entry: read(inner) for entry, read in self.entries(card).items()}
        return {
            entry: self.follows(card, total, entry, what)
            for entry, what in seen.items()
            if what is not None
        }

    def _within(self, card: Any, total: int, then: Any) -> Any:
        if isinstance(then, Counted):
            return counted(self._within(card, total, then.then), **dict(then.counts))
        if isinstance(then, Ask):
            return ask((card, total, then.state))
        inside = (card, total, then)
        return ask(inside) if isinstance(then, Outcome) else inside

    def follows(self, card: Any, total: int, entry: str, seen: Any) -> Any:
        """The next turn or the end after an entry, as one game."""
        then, counts = self.entered(card, entry, seen)
        if self.tally:
            total = min(self.tally[1], total + counts.get(self.tally[0], 0))
        if not isinstance(then, Outcome):
            start = (then, total, self.turn.start)
            return counted(ask(start) if self.turn.choices(self.turn.start) else start, **counts)
        return counted(counted(then, **counts), **self.final(total))
