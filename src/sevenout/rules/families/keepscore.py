"""Games of keep and score, such as Threes and Midnight.

Some dice of each roll are kept for good, and the others are rolled again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling import Dice, Die, Rollable
from sevenout.rules.families.keeping import keeps
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.game import Game
from sevenout.rules.objective import least, most
from sevenout.rules.outcome import Outcome, counted, settle

POINTS = "points"
NO_VALUES: Mapping[Any, int] = Frozen({})


class _At(NamedTuple):
    """The situation; a state has those parts that can differ.

    Attributes:
        needed: the faces that must still be kept.
        total: the score so far, which may still be void.
        dice: the number of dice not kept.
        shown: their faces, the best last; empty before a roll.
        left: the rolls left, if limited.
    """

    needed: tuple[Any, ...]
    total: int
    dice: int
    shown: tuple[Any, ...]
    left: int


@dataclass(frozen=True)
class KeepScore(Game):
    """Dice rolled, kept for good, and scored as `points`.

    >>> from sevenout.rolling import d6
    >>> threes = KeepScore(d6, 5, values=Frozen({3: 0}), low=True)
    >>> threes.choices((2, (6, 0)))["keep 1 of 2"]
    (1, ())

    When a number of dice is kept for points, only the best of them are offered.

    Args:
        keep: the least number to keep of each roll.
        limit: the number of rolls; unlimited by default.
        needed: faces that must be kept, one die each, and score nothing; without all of them the
            score is 0.
        in_order: whether needed faces are kept automatically, in this order and before other dice;
            otherwise the player chooses when.
        whole: whether dice that are not needed are rolled again all together or not at all.
        values: the points of each face, if not its number.
        low: whether the fewest points are best.

    Raises:
        RulesError: impossible numbers, or faces that the die lacks or that have no value.
    """

    die: Die
    count: int
    keep: int = 1
    limit: int | None = None
    needed: tuple[Any, ...] = ()
    in_order: bool = False
    whole: bool = False
    values: Mapping[Any, int] = field(default_factory=lambda: NO_VALUES)
    low: bool = False
    counters = (POINTS,)
    bets = ()

    def __post_init__(self) -> None:
        for name, least_, given in (("count", 1, self.count), ("keep", 0, self.keep)):
            if type(given) is not int or not least_ <= given <= self.count:
                raise RulesError(f"{name}={shown(given)} of {self.count} dice; give from {least_}")
        if self.limit is not None and (type(self.limit) is not int or self.limit < 1):
            raise RulesError(f"rolls={shown(self.limit)}; allow 1 or more, or leave it out")
        if self.limit is None and (not self.keep or self.in_order or self.whole):
            raise RulesError(
                "nothing ends this game; give a number of rolls, or keep one die or more of each "
                "roll, as the player likes"
            )
        if (self.in_order and not self.needed) or len(self.needed) > self.count:
            raise RulesError(f"needed={shown(self.needed)} of {self.count} dice; name some of them")
        if self.low and self.needed:
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
        return least(POINTS) if self.low else most(POINTS)

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        """The parts of a state that can differ."""
        kept: tuple[str, ...] = ("needed",) if self.needed else ()
        kept += ("total",) if self._may_be_void else ()
        return (*kept, "dice", "shown") + (("left",) if self.limit is not None else ())

    @property
    def coordinates(self) -> Sequence[str]:  # type: ignore[override]
        return tuple({"left": "rolls left"}.get(part, part) for part in self._parts)

    @property
    def _may_be_void(self) -> bool:
        """Whether points can be void at the end."""
        return bool(self.needed) and not self.in_order

    @property
    def start(self) -> Any:  # type: ignore[override]
        return self._state(_At(self.needed, 0, self.count, (), self.limit or 0))

    @cached_property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        """The possible outcomes, by points with a needed face."""
        if not self.needed:
            return (settle("all kept"),)
        values = [self.value(face) for face in self.die.faces]
        left = self.count - len(self.needed)
        totals = range(left * min(values), left * max(values) + 1)
        return (settle("no score"), *(settle(str(total)) for total in totals))

    def value(self, face: Any) -> Any:
        """The points of a face."""
        return self.values.get(face, face)

    def afford(self) -> None:
        """Refuse dice with too many hands."""
        faces, n = len(set(self.die.faces)), self.count
        hands = sum(comb(faces + k - 1, k) for k in range(1, n + 1))
        values = [abs(self.value(face)) for face in self.die.faces]
        totals = n * max(1, *values) if self._may_be_void else 1
        states = hands * 2 ** len(self.needed) * totals * (self.limit or 1)
        afford(
            f"a game of {states:.3g} hands",
            seconds=1e-5 * states + 1e-6 * hands * hands,
            memory=300.0 * states,
            instead="roll fewer dice",
        )

    def rolls(self, state: Any) -> Rollable:
        """The dice not kept."""
        return self._hands[self._at(state).dice]

    @cached_property
    def _hands(self) -> dict[int, Rollable]:
        """By number of dice, the sorted reading: the best last, or values."""
        hands = {n: Dice([self.die] * n).hands for n in range(1, self.count + 1)}
        return {n: hand.read(self._in_order) for n, hand in hands.items()}

    def _in_order(self, hand: tuple[Any, ...]) -> tuple[Any, ...]:
        if not self.needed:
            return tuple(sorted(map(self.value, hand), reverse=self.low))
        return tuple(sorted(hand, key=lambda face: (self.value(face), str(face))))

    def step(self, state: Any, hand: tuple[Any, ...]) -> Any:
        needed, total, _, _, left = self._at(state)
        left -= self.limit is not None
        loose = list(hand)
        if self.in_order:
            while needed and needed[0] in loose:
                loose.remove(needed[0])
                needed = needed[1:]
            if needed and left:
                return self._state(_At(needed, total, len(loose), (), left))
        at = _At(needed, total, len(loose), tuple(loose), left)
        if not loose or (self.limit is not None and not left):
            return self._all_kept(at)
        return self._state(at)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The dice that may be kept."""
        at = self._at(state)
        if not at.shown:
            return {}
        if self.whole:
            return {"stop": self._all_kept(at), "roll again": self._state(at._replace(shown=()))}
        return dict(self._ways(at))

    def _ways(self, at: _At) -> Iterator[tuple[str, Any]]:
        there = () if self.in_order else tuple(face for face in at.needed if face in at.shown)
        for kept in keeps(there):
            rest = list(at.shown)
            for face in kept:
                rest.remove(face)
            missing = tuple(face for face in at.needed if face not in kept)
            for more in range(max(0, self.keep - len(kept)), len(rest) + 1):
                best = rest[len(rest) - more :]
                left = at.dice - len(kept) - more
                after = at._replace(needed=missing)
                yield self._said(at, kept, more), self._kept(after, best, left)

    def _said(self, at: _At, kept: tuple[Any, ...], more: int) -> str:
        if not self.needed or self.in_order:
            return f"keep {more} of {at.dice}"
        named = "-".join(map(str, kept))
        return " and ".join(filter(None, [named, f"{more} best" if more else ""])) or "none"

    def _kept(self, at: _At, best: Sequence[Any], left: int) -> Any:
        points = self._points(best)
        if not left:
            return self._over(at, points)
        if self._may_be_void:
            return self._state(at._replace(total=at.total + points, dice=left, shown=()))
        then = self._state(at._replace(dice=left, shown=()))
        return counted(then, points=points) if points else then

    def _all_kept(self, at: _At) -> Any:
        """The state after all dice are kept."""
        rest, missing = list(at.shown), list(at.needed)
        for face in () if self.in_order else at.needed:
            if face in rest:
                rest.remove(face)
                missing.remove(face)
        return self._over(at._replace(needed=tuple(missing)), self._points(rest))

    def _over(self, at: _At, points: int) -> Any:
        if at.needed:
            return settle("no score")
        total = at.total + points
        return counted(settle(str(total) if self.needed else "all kept"), points=total)

    def _points(self, faces: Sequence[Any]) -> int:
        # without needed faces a die is read as its points
        return sum(faces if not self.needed else map(self.value, faces))

    def _state(self, at: _At) -> Any:
        return tuple(getattr(at, part) for part in self._parts)

    def _at(self, state: Any) -> _At:
        plain = _At((), 0, self.count, (), 0)
        return plain._replace(**dict(zip(self._parts, state, strict=True)))
