"""Games in which dice are kept and the others rolled again.

    class Sixes(ByTurns):
        turn = KeepRoll(d6, 5)
        card = 2                                        # turns to come
        def entries(self, card): return {"sixes": sixes}
        def enter(self, card, entry, reading): return card - 1 or settle("over")

`KeepRoll` is one turn, whose outcome is a `Hand`. `ByTurns` is a game of such turns, each entered
on a card; `ScoreCard` is the card as players write it. `KeepScore` keeps dice for good and scores
them, as Threes and Midnight do.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import comb
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError, RulesError, shown
from sevenout.rolling import Dice, Die, Rollable
from sevenout.rules.game import Frozen, Game
from sevenout.rules.objective import least, most
from sevenout.rules.outcome import (
    Ask,
    Counted,
    Outcome,
    added,
    choose_again,
    counted,
    settle,
    unwrap,
)
from sevenout.rules.position import GameEvent, Position
from sevenout.wrong_arguments import public

Faces = tuple[Any, ...]
KeepState = tuple[str, Faces, int]


@public
def keepable_sets(faces: Sequence[Any], at_least: int = 0) -> Iterator[Faces]:
    """The distinct sets of dice that may be kept.

    >>> list(keepable_sets((3, 3, 5), at_least=2))
    [(3, 5), (3, 3), (3, 3, 5)]
    """

    def subsets(distinct: list[Any]) -> Iterator[Faces]:
        if not distinct:
            yield ()
            return
        face, *others = distinct
        for n in range(faces.count(face) + 1):
            for subset in subsets(others):
                yield (face,) * n + subset

    return (kept for kept in subsets(list(dict.fromkeys(faces))) if len(kept) >= at_least)


@dataclass(frozen=True)
class Hand(Outcome):
    """The sorted faces at the end of a turn.

    >>> hand = Hand.from_faces((2, 2, 2, 5, 5))
    >>> hand.total, hand.count(2), hand.group_sizes, hand.longest_run
    (16, 3, (3, 2), 1)
    """

    faces: Faces = ()

    __hash__ = Outcome.__hash__

    @classmethod
    def from_faces(cls, faces: Faces) -> "Hand":
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
    def group_sizes(self) -> tuple[int, ...]:
        """The numbers of like dice, descending: (3, 2) for a full house."""
        return tuple(sorted(map(self.faces.count, set(self.faces)), reverse=True))

    @cached_property
    def longest_run(self) -> int:
        """The longest run of faces: 5 for a large straight."""
        distinct = set(self.faces)
        starts = [face for face in distinct if face - 1 not in distinct]
        return max(next(n for n in count(1) if start + n not in distinct) for start in starts)


@dataclass(frozen=True)
class KeepRoll(Game):
    """Roll, keep and roll again; the outcome is a `Hand`.

    Like dice are not distinguished. After a roll the player puts dice back, one at a time, then
    rolls them.

    >>> from sevenout.rolling import d6
    >>> turn = KeepRoll(d6, 5)
    >>> turn.choices(("shown", (1, 5, 5, 5, 6), 2))["put back 1"]
    Ask(state=('shown', (5, 5, 5, 6), 2))

    The states are (what the dice are doing, the faces held, the rolls left).

    Args:
        die: each of the dice.
        count: how many dice are rolled.
        rolls_allowed: the rolls of a turn, the first included.

    Raises:
        RulesError: no dice, or no rolls.
    """

    die: Die
    count: int
    rolls_allowed: int = 3

    def __post_init__(self) -> None:
        for name, number in (("count", self.count), ("rolls_allowed", self.rolls_allowed)):
            if type(number) is not int or number < 1:
                raise RulesError(f"{name}={shown(number)}; give a whole number, 1 or more")

    @property
    def start(self) -> KeepState:  # type: ignore[override]
        """No die held, and the first roll to come."""
        return ("rolling", (), self.rolls_allowed - 1)

    def rolls(self, state: KeepState) -> Rollable:
        """One die at a time."""
        return self.die

    def step(self, state: KeepState, face: Any) -> Any:
        _, held, left = state
        # Sorted, so that hands which differ only in order are one state.
        faces = tuple(sorted((*held, face)))
        if len(faces) < self.count:
            return ("rolling", faces, left)
        # After the last roll there is nothing to decide.
        return ("shown", faces, left) if left else Hand.from_faces(faces)

    def choices(self, state: KeepState) -> Mapping[str, Any]:
        """Put a die back, or go on."""
        doing, held, left = state
        if doing == "rolling":
            return {}
        # All dice kept is the end of a turn, whatever rolls are left.
        if len(held) == self.count:
            menu: dict[str, Any] = {"keep all": Hand.from_faces(held)}
        else:
            menu = {"roll": ("rolling", held, left - 1)}
        for i, face in enumerate(held):
            # Like dice are one option; the hand is sorted.
            if not i or held[i - 1] != face:
                menu[f"put back {face}"] = choose_again(("shown", held[:i] + held[i + 1 :], left))
        return menu

    def state_in_words(self, state: KeepState | Outcome) -> str:
        """A state in words.

        >>> from sevenout.rolling import d6
        >>> KeepRoll(d6, 5).state_in_words(("shown", (1, 3, 3, 5, 6), 2))
        '1 3 3 5 6, 2 rolls left'
        """
        if isinstance(state, Outcome):
            return state.label
        doing, held, left = state
        left += doing == "rolling"
        dice = " ".join(map(str, held)) or "no dice"
        return f"{dice}, {left} {'roll' if left == 1 else 'rolls'} left"

    def keep(self, state: KeepState, text: str) -> tuple[str, tuple[str, ...]]:
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
        _, shown_faces, left = state
        held, back = list[Any](), list(shown_faces)
        for word in {"none": [], "all": [*map(str, back)]}.get(text, text.split()):
            face = next((face for face in back if str(face) == word), None)
            if face is None:
                quoted = shown(f"keep {text}")
                raise NotationError(
                    f"{quoted} keeps dice that were not rolled; write faces of this roll, such as "
                    "keep 2 2"
                )
            back.remove(face)
            held.append(face)
        faces = tuple(sorted(held))
        whole = len(held) == self.count
        plan = self.plan(Hand.from_faces(faces) if whole else ("rolling", faces, left - 1))
        return plan, (*(f"put back {face}" for face in back), "keep all" if whole else "roll")

    def plan(self, result: KeepState | Outcome) -> str:
        """The kept dice in words, before a roll or at the end.

        >>> from sevenout.rolling import d6
        >>> turn = KeepRoll(d6, 5)
        >>> turn.plan(("rolling", (2, 2), 1)), turn.plan(("rolling", (), 0))
        ('keep 2 2', 'keep none')
        """
        held = result.label if isinstance(result, Outcome) else " ".join(map(str, result[1]))
        return f"keep {held or 'none'}"


EntryReading = Callable[[Any], Any]
"""What an entry reads of a turn's outcome: any hashable value, possibly `counted`.

None is for an outcome that may not be entered.
"""


class ByTurns(Game):
    """A game of turns entered on a card, such as Yahtzee.

    The turn is a game, explored once for all cards. What is entered depends on the outcome only
    through the entry's reading of it.

    The states of the whole game are (card, tally, state of the turn).

    >>> from sevenout.rolling import d6
    >>> from sevenout.rules import settle
    >>> class Sixes(ByTurns):
    ...     turn, card = KeepRoll(d6, 2, rolls_allowed=2), 1
    ...     def entries(self, card):
    ...         return {"sixes": lambda hand: counted("any", score=6 * hand.count(6))}
    ...     def enter(self, card, entry, reading):
    ...         return settle("over")
    >>> Sixes().entries(1)["sixes"](Hand.from_faces((6, 6))).counts
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
    def entries(self, card: Any) -> Mapping[str, EntryReading]:
        """The open entries, and their readings."""

    @abstractmethod
    def enter(self, card: Any, entry: str, reading: Any) -> Any:
        """The card after an entry, or an `Outcome` after the last; either may be `counted`."""

    def entry_result(self, card: Any, entry: str, reading: Any) -> tuple[Any, dict[str, Any]]:
        """The next card or outcome after an entry, and everything counted."""
        reading, counts, _ = unwrap(reading)
        result, more, _ = unwrap(self.enter(card, entry, reading))
        return result, dict(added(counts, more))

    @property
    def bonus_counters(self) -> tuple[str, ...]:
        """The counters of bonuses with their own row on a score card; a game overrides it."""
        return ()

    def entry_counts(self, card: Any, entry: str, ending: Outcome) -> dict[str, Any]:
        """Everything that an entry counts at the end of a turn."""
        return self.entry_result(card, entry, self.entries(card)[entry](ending))[1]

    def final_counts(self, total: int) -> Mapping[str, Any]:
        """What the tally adds to each counter at the end of the game; nothing by default."""
        return {}

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The first card, a tally of 0, and the turn's start."""
        return (self.card, 0, self.turn.start)

    def rolls(self, state: Any) -> Any:
        return self.turn.rolls(state[2])

    def step(self, state: Any, roll: Any) -> Any:
        card, total, inner = state
        return self._in_whole_game(card, total, self.turn.step(inner, roll))

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The turn's choices; at its end, the entries."""
        card, total, inner = state
        if not isinstance(inner, Outcome):
            menu = self.turn.choices(inner)
            return {name: self._in_whole_game(card, total, result) for name, result in menu.items()}
        readings = {entry: read(inner) for entry, read in self.entries(card).items()}
        return {
            entry: self.after_entry(card, total, entry, reading)
            for entry, reading in readings.items()
            if reading is not None
        }

    def _in_whole_game(self, card: Any, total: int, result: Any) -> Any:
        """What a turn's step or option gives, with the card and the tally around its state."""
        if isinstance(result, Counted):
            return counted(self._in_whole_game(card, total, result.state), **dict(result.counts))
        if isinstance(result, Ask):
            return choose_again((card, total, result.state))
        inside = (card, total, result)
        return choose_again(inside) if isinstance(result, Outcome) else inside

    def after_entry(self, card: Any, total: int, entry: str, reading: Any) -> Any:
        """The next turn or the end after an entry, as one game."""
        result, counts = self.entry_result(card, entry, reading)
        if self.tally:
            total = min(self.tally[1], total + counts.get(self.tally[0], 0))
        if not isinstance(result, Outcome):
            start = (result, total, self.turn.start)
            return counted(
                choose_again(start) if self.turn.choices(self.turn.start) else start, **counts
            )
        return counted(counted(result, **counts), **self.final_counts(total))


# --- score cards ----------------------------------------------------------------------------------

Points = int | Fraction


class ScoreRow(NamedTuple):
    """A row of a score card.

    Attributes:
        name: the entry, the bonus, or what is added up.
        amount: in points; None for an open entry.
        note: an explanation of the amount; may be empty.
    """

    name: str
    amount: Points | None
    note: str = ""


@dataclass(frozen=True)
class ScoreCard:
    """The entries so far, as players write them down.

    >>> from sevenout.catalogue.dice_keeping import Yahtzee
    >>> position = Position(Yahtzee())
    >>> for face in (6, 6, 6, 1, 2):
    ...     _ = position.roll(face)
    >>> _ = position.choose("keep all"), position.choose("sixes")
    >>> [(row.name, row.amount) for row in ScoreCard.from_position(position).rows if row.amount]
    [('sixes', 18), ('upper total', 18), ('score', 18)]

    Attributes:
        counter: the points that are added up.
        counts: the counters of each entry made.
        game: the game that is played.
        total: the counter so far.
        settled: whether the game is over.
    """

    game: ByTurns
    counter: str
    counts: Mapping[str, Mapping[str, Points]]
    total: Points
    settled: bool

    @classmethod
    def from_position(cls, position: Position, counter: str = "score") -> "ScoreCard":
        """The card of a game in progress.

        Raises:
            RulesError: another kind of game, or entries that count other things than this.
        """
        game = position.game
        if not isinstance(game, ByTurns):
            raise RulesError("only a game of turns has a score card; give its position")
        counts: dict[str, dict[str, Points]] = {}
        for event in position.history:
            if is_entry(event):
                card, _, hand = event.state
                entry = str(event.option)
                entry_counts = counts.setdefault(entry, {})
                for name, n in game.entry_counts(card, entry, hand).items():
                    entry_counts[name] = entry_counts.get(name, 0) + n
        # A game need not declare its counters, so those of its entries and bonuses are known too.
        counted_names = [name for names in counts.values() for name in names]
        known = {*game.counters, *game.bonus_counters, *(game.tally or ())[:1], *counted_names}
        if counted_names and counter not in known:
            raise RulesError(
                f"no entry so far counts {shown(counter)}; they count {', '.join(sorted(known))}"
            )
        total = dict(position.counts).get(counter, 0)
        return cls(game, counter, counts, total, position.settled is not None)

    @property
    def rows(self) -> tuple[ScoreRow, ...]:
        """The entries, with the tally and bonus below theirs, then the sum."""
        boxes = [self._box(name) for name in self.game.entries(self.game.card)]
        upper = [row for row in boxes if row.name in self.game.tally_entries]
        lower = [row for row in boxes if row.name not in self.game.tally_entries]
        bonuses = [ScoreRow(name, self.counter_total(name)) for name in self.game.bonus_counters]
        total = ScoreRow(self.counter, self.total)
        return (*upper, *(self._tally_rows() if upper else ()), *lower, *bonuses, total)

    def counter_total(self, counter: str) -> Points:
        """The sum of a counter over all entries."""
        return sum((counts.get(counter, 0) for counts in self.counts.values()), 0)

    def box_points(self, counts: Mapping[str, Points]) -> Points:
        """The part of an entry's score written in its box."""
        # A bonus has a row of its own, so it is not in the box too.
        bonuses = sum((counts.get(name, 0) for name in self.game.bonus_counters), 0)
        return counts.get(self.counter, 0) - bonuses

    def _box(self, name: str) -> ScoreRow:
        counts = self.counts.get(name)
        return ScoreRow(name, None if counts is None else self.box_points(counts))

    def _tally_rows(self) -> tuple[ScoreRow, ...]:
        """The total of the tally, and its bonus if there is one."""
        if self.game.tally is None:
            return ()
        name, cap = self.game.tally
        tally = self.counter_total(name)
        total = ScoreRow(f"{name} total", tally)
        bonuses = [self.game.final_counts(n).get(self.counter, 0) for n in range(cap + 1)]
        if not any(bonuses):
            return (total,)
        bonus = bonuses[min(cap, int(tally))]
        if self.settled:
            return total, ScoreRow(f"{name} bonus", bonus)
        needed = next(n for n, points in enumerate(bonuses) if points)
        note = f"{bonus} at the end" if bonus else f"{bonuses[needed]} for {needed} or more"
        return total, ScoreRow(f"{name} bonus", None, note)


def is_entry(event: GameEvent) -> bool:
    """Whether an event entered the end of a turn."""
    return event.option is not None and isinstance(event.state[2], Outcome)


# --- dice that are kept for good ------------------------------------------------------------------

POINTS = "points"
NO_VALUES: Mapping[Any, int] = Frozen({})


def kept_in_words(needed: Sequence[Any], more: int) -> str:
    """The option that keeps these needed faces and some of the best others.

    >>> kept_in_words((1, 4), 2), kept_in_words((), 1), kept_in_words((), 0)
    ('1-4 and 2 best', '1 best', 'none')
    """
    named = "-".join(map(str, needed))
    return " and ".join(filter(None, [named, f"{more} best" if more else ""])) or "none"


class _Situation(NamedTuple):
    """Everything that may matter before a choice; a state has the parts that can differ.

    Attributes:
        needed: the faces that must still be kept.
        total: the score so far, which is void without the needed faces.
        dice: the number of dice not kept.
        shown: their faces, the best last; empty before a roll.
        rolls_left: if they are limited.
    """

    needed: tuple[Any, ...]
    total: int
    dice: int
    shown: tuple[Any, ...]
    rolls_left: int


@dataclass(frozen=True)
class KeepScore(Game):
    """Dice rolled, kept for good, and scored as `points`.

    >>> from sevenout.rolling import d6
    >>> threes = KeepScore(d6, 5, values=Frozen({3: 0}), fewest_wins=True)
    >>> threes.choices((2, (6, 0)))["keep 1 of 2"]
    (1, ())

    When a number of dice is kept for points, only the best of them are offered.

    Args:
        keep_at_least: the least number to keep of each roll; it says nothing with `all_or_none`.
        limit: the number of rolls; unlimited by default.
        needed: faces that must be kept, one die each, and score nothing; without all of them the
            score is 0.
        in_order: whether needed faces are kept automatically, in this order and before other dice;
            otherwise the player chooses when.
        all_or_none: whether dice that are not needed are rolled again all together or not at all.
        values: the points of each face, if not its number.
        fewest_wins: whether the fewest points are best.
        die: each of the dice.
        count: how many dice are rolled at first.

    Raises:
        RulesError: impossible numbers, or faces that the die lacks or that have no value.
    """

    die: Die
    count: int
    keep_at_least: int = 1
    limit: int | None = None
    needed: tuple[Any, ...] = ()
    in_order: bool = False
    all_or_none: bool = False
    values: Mapping[Any, int] = field(default_factory=lambda: NO_VALUES)
    fewest_wins: bool = False
    counters = (POINTS,)
    bets = ()

    def __post_init__(self) -> None:
        if type(self.count) is not int or self.count < 1:
            raise RulesError(f"count={shown(self.count)}; give 1 die or more")
        # Dice that are kept all or none have no least number; the default of 1 is no statement.
        most_kept = 1 if self.all_or_none else self.count
        if type(self.keep_at_least) is not int or not 0 <= self.keep_at_least <= most_kept:
            together = ", which are kept all or none" if self.all_or_none else ""
            raise RulesError(
                f"keep_at_least={shown(self.keep_at_least)} of {self.count} dice{together}; give "
                f"0 to {most_kept}"
            )
        if self.limit is not None and (type(self.limit) is not int or self.limit < 1):
            raise RulesError(f"limit={shown(self.limit)}; allow 1 roll or more, or leave it out")
        # Each roll must take a die away, or the rolls must end.
        if self.limit is None and (not self.keep_at_least or self.in_order or self.all_or_none):
            raise RulesError(
                "nothing ends this game; give a number of rolls, or keep one die or more of each "
                "roll, as the player likes"
            )
        if len({*self.needed}) < len(self.needed):  # a state has each that is missing once
            raise RulesError(f"needed={shown(self.needed)}; name each face once")
        if (self.in_order and not self.needed) or len(self.needed) > self.count:
            raise RulesError(f"needed={shown(self.needed)} of {self.count} dice; name some of them")
        if self.fewest_wins and self.needed:
            raise RulesError(
                "without the needed faces the score is 0, which wins if the fewest points are "
                "best; let the most points be best"
            )
        for face in (*self.needed, *self.values):
            if face not in self.die.faces:
                raise RulesError(f"{shown(face)} is named, but {Dice([self.die])} can't show it")
        for face in self.die.faces:
            if not isinstance(self.value(face), int):
                raise RulesError(f"{shown(face)} has no value; add it to values")

    @cached_property
    def goal(self) -> Any:  # no property: a game file sets another
        return least(POINTS) if self.fewest_wins else most(POINTS)

    @cached_property
    def _state_parts(self) -> tuple[str, ...]:
        """The parts of a state that can differ."""
        kept: tuple[str, ...] = ("needed",) if self.needed else ()
        kept += ("total",) if self._keeps_total else ()
        return (*kept, "dice", "shown") + (("rolls_left",) if self.limit is not None else ())

    @property
    def coordinates(self) -> Sequence[str]:  # type: ignore[override]
        return tuple(part.replace("_", " ") for part in self._state_parts)

    @property
    def _keeps_total(self) -> bool:
        """Whether a state has the total so far: the outcome is named after it, or it is void."""
        # Dice that are kept all or none score only at the end.
        return bool(self.needed) and not self.all_or_none

    @property
    def start(self) -> Any:  # type: ignore[override]
        return self._state(_Situation(self.needed, 0, self.count, (), self.limit or 0))

    @cached_property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        """The possible outcomes, by points with a needed face."""
        if not self.needed:
            return (settle("all kept"),)
        values = [self.value(face) for face in self.die.faces]
        scoring = self.count - len(self.needed)
        totals = range(scoring * min(values), scoring * max(values) + 1)
        return (settle("no score"), *(settle(str(total)) for total in totals))

    def value(self, face: Any) -> Any:
        """The points of a face."""
        return self.values.get(face, face)

    def check_size(self) -> None:
        """Refuse dice with too many hands."""
        faces, n = len(set(self.die.faces)), self.count
        hands = sum(comb(faces + k - 1, k) for k in range(1, n + 1))
        values = [abs(self.value(face)) for face in self.die.faces]
        totals = n * max(1, *values) if self._keeps_total else 1
        # Each needed face is still missing or not.
        states = hands * 2 ** len(self.needed) * totals * (self.limit or 1)
        afford(
            f"a game of {states:.3g} hands",
            seconds=1e-5 * states + 1e-6 * hands * hands,
            memory=300.0 * states,
            instead="roll fewer dice",
        )

    def rolls(self, state: Any) -> Rollable:
        """The dice not kept."""
        return self._hands[self._situation(state).dice]

    @cached_property
    def _hands(self) -> dict[int, Rollable]:
        """By number of dice, the sorted reading: the best last, or values."""
        hands = {n: Dice([self.die] * n).hands for n in range(1, self.count + 1)}
        return {n: hand.read(self._by_value) for n, hand in hands.items()}

    def _by_value(self, hand: tuple[Any, ...]) -> tuple[Any, ...]:
        if not self.needed:
            # Only points matter, so the roll is read as points; the best come last.
            return tuple(sorted(map(self.value, hand), reverse=self.fewest_wins))
        return tuple(sorted(hand, key=lambda face: (self.value(face), str(face))))

    def step(self, state: Any, hand: tuple[Any, ...]) -> Any:
        """The dice are shown; those that are needed in order are kept at once."""
        situation = self._situation(state)
        rolls_left = situation.rolls_left - (self.limit is not None)
        loose, needed = list(hand), situation.needed
        # One roll may bring several needed faces, in their order.
        while self.in_order and needed and needed[0] in loose:
            loose.remove(needed[0])
            needed = needed[1:]
        after = _Situation(needed, situation.total, len(loose), tuple(loose), rolls_left)
        # Before all needed faces are kept in order, no other die may be.
        if self.in_order and needed and rolls_left:
            return self._state(after._replace(shown=()))
        if not loose or (self.limit is not None and not rolls_left):
            return self._all_kept(after)
        return self._state(after)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The dice that may be kept."""
        situation = self._situation(state)
        if not situation.shown:
            return {}
        if self.all_or_none:
            return {
                "stop": self._all_kept(situation),
                "roll again": self._state(situation._replace(shown=())),
            }
        return dict(self._keep_options(situation))

    def _keep_options(self, situation: _Situation) -> Iterator[tuple[str, Any]]:
        """Each option's name and what follows: needed faces, and the best of the others."""
        needed_shown: tuple[Any, ...] = ()
        if not self.in_order:  # then `step` keeps them
            needed_shown = tuple(face for face in situation.needed if face in situation.shown)
        for kept in keepable_sets(needed_shown):
            rest = list(situation.shown)
            for face in kept:
                rest.remove(face)
            missing = tuple(face for face in situation.needed if face not in kept)
            # Needed dice count as kept; only the best of the others are worth keeping.
            for more in range(max(0, self.keep_at_least - len(kept)), len(rest) + 1):
                best = rest[len(rest) - more :]
                left = situation.dice - len(kept) - more
                after = situation._replace(needed=missing, dice=left, shown=())
                yield self._option_name(situation, kept, more), self._after_keeping(after, best)

    def _option_name(self, situation: _Situation, kept: tuple[Any, ...], more: int) -> str:
        if not self.needed or self.in_order:
            return f"keep {more} of {situation.dice}"
        return kept_in_words(kept, more)

    def _after_keeping(self, situation: _Situation, best: Sequence[Any]) -> Any:
        """The state before the next roll, or the end, when these dice are kept for points."""
        points = self._points(best)
        if not situation.dice:
            return self._end(situation, points)
        if self._keeps_total:
            return self._state(situation._replace(total=situation.total + points))
        result = self._state(situation)
        return counted(result, points=points) if points else result

    def _all_kept(self, situation: _Situation) -> Any:
        """The end when all dice are kept, those that are needed and the others."""
        rest, missing = list(situation.shown), list(situation.needed)
        for face in () if self.in_order else situation.needed:
            if face in rest:
                rest.remove(face)
                missing.remove(face)
        return self._end(situation._replace(needed=tuple(missing)), self._points(rest))

    def _end(self, situation: _Situation, points: int) -> Any:
        # Without all the needed faces nothing scores.
        if situation.needed:
            return settle("no score")
        total = situation.total + points
        return counted(settle(str(total) if self.needed else "all kept"), points=total)

    def _points(self, faces: Sequence[Any]) -> int:
        # without needed faces a die is read as its points
        return sum(faces if not self.needed else map(self.value, faces))

    def _state(self, situation: _Situation) -> Any:
        """A state: the parts of a situation that can differ."""
        return tuple(getattr(situation, part) for part in self._state_parts)

    def _situation(self, state: Any) -> _Situation:
        """The situation of a state."""
        plain = _Situation((), 0, self.count, (), 0)
        return plain._replace(**dict(zip(self._state_parts, state, strict=True)))
