"""Several dice rolled together, and readings of the roll."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, printable, shown
from sevenout.rolling.die import Die
from sevenout.rolling.hands import Hands, in_order
from sevenout.rolling.law import MANY, Reading, Rollable, Source, chance_of
from sevenout.rolling.totals.pools import KeepFaces, Kept
from sevenout.rolling.totals.sums import Sums, Ways
from sevenout.rolling.totals.terms import Term, Terms, Totals

Faces = tuple[Any, ...]


def total(faces: Iterable[Any]) -> Any:
    """The sum of the faces; None for labels."""
    try:
        return sum(faces)
    except TypeError:
        return None


def all_alike(faces: Faces) -> bool:
    """The default hard way: every die shows the same face."""
    return all(face == faces[0] for face in faces)


@dataclass(frozen=True, slots=True)
class Roll:
    """The face of each die, the total, and whether it came the hard way.

    >>> Dice([Die.standard(6)] * 2).roll([4, 4])
    Roll(faces=(4, 4), total=8, hard=True)
    """

    faces: Faces
    total: Any
    hard: bool


@dataclass(frozen=True, init=False)
class Dice(Rollable):
    """Distinguishable dice rolled together; the outcome is a `Roll`.

    >>> pair = Dice([Die.standard(6), Die.standard(6)])
    >>> pair.totals.law[7], pair.law.p(lambda roll: roll.total == 8 and roll.hard)
    (Fraction(1, 6), Fraction(1, 36))

    Args:
        dice: the dice, in order.
        total: the total from the faces; default their sum, or None for labels.
        hard: whether the faces show the total the hard way; default all alike.

    Raises:
        RulesError: no dice, or something that is not a die.
    """

    dice: tuple[Die, ...]
    total: Callable[[Faces], Hashable]
    hard: Callable[[Faces], bool]

    def __init__(
        self,
        dice: Iterable[Die],
        total: Callable[[Faces], Hashable] = total,
        hard: Callable[[Faces], bool] = all_alike,
    ) -> None:
        if isinstance(dice, str | Die) or not isinstance(dice, Iterable):
            raise RulesError(f"{shown(dice)} is not a list of dice; write sevenout.dice('2d6')")
        dice = tuple(dice)
        if not dice:
            raise RulesError("no dice; roll at least one")
        for die in {id(die): die for die in dice}.values():
            if not isinstance(die, Die):
                raise RulesError(f"{shown(die)} is not a die; write sevenout.dice('2d6')")
        for name, reading in (("total", total), ("hard", hard)):
            if not callable(reading):
                raise RulesError(f"{name}={shown(reading)}; give a function of the faces")
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "total", total)
        object.__setattr__(self, "hard", hard)

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.dice

    def roll(self, faces: Iterable[Hashable]) -> Roll:
        """The roll with these faces.

        >>> Dice([Die.standard(6)] * 2).roll([3, 5]).total
        8
        """
        faces = tuple(faces)
        return Roll(faces, self.total(faces), self.hard(faces))

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        """The weight of each roll: the product over the dice."""
        merged = [die.weigh([w]) for die, w in zip(self.dice, weights, strict=True)]
        rolls = min(prod(map(len, merged)), MANY)
        afford(
            f"every roll of {printable(str(self), 60)}",
            seconds=rolls * 4e-6,
            memory=rolls * (200 + 8 * len(self)),
            instead="ask for their totals",
        )
        return {
            self.roll(face for face, _ in shown): prod(weight for _, weight in shown)
            for shown in product(*(faces.items() for faces in merged))
        }

    @cached_property
    def totals(self) -> Reading:
        """The total of the roll.

        >>> max(Dice([Die.standard(6)] * 10).totals.law)
        60
        """
        if self._in_terms:
            return Totals(self, total_of)
        return Sums(self, total_of) if self._add_up else Reading(self, total_of)

    @cached_property
    def ways(self) -> Reading:
        """(total, whether it is hard), for hard-way bets.

        >>> Dice([Die.standard(6)] * 2).ways.law[8, True]
        Fraction(1, 36)
        """
        plain = self._add_up and self.hard is all_alike
        return Ways(self, _total_and_hard) if plain else Reading(self, _total_and_hard)

    @cached_property
    def hands(self) -> Reading:
        """The roll as a hand: its faces in order, whichever die shows them.

        >>> Dice([Die.standard(6)] * 5).hands.law[1, 1, 1, 1, 6]
        Fraction(5, 7776)
        """
        return Hands(self, in_order)

    @property
    def _add_up(self) -> bool:
        """Whether the total is the sum of faces that are numbers."""
        return self.total is total and self._numbers

    @property
    def _in_terms(self) -> bool:
        """Whether the total is made of terms that take all dice."""
        return isinstance(self.total, Terms) and self.total.fits(self.dice) and self._numbers

    @property
    def _numbers(self) -> bool:
        return total(f for d in set(self.dice) for f in d.faces) is not None

    def highest(self, count: int) -> Reading:
        """The total of the highest `count` faces.

        >>> from sevenout.rolling.notation import parse_dice
        >>> parse_dice("4d6").highest(3).law.mean
        Fraction(15869, 1296)

        Raises:
            RulesError: `count` is not from 1 to the number of dice, or faces are not numbers.
        """
        return self._keep(count, lowest=False)

    def lowest(self, count: int) -> Reading:
        """The total of the lowest `count` faces; errors as `highest`."""
        return self._keep(count, lowest=True)

    def _keep(self, count: int, *, lowest: bool) -> Reading:
        name = printable(str(self), 60)
        if type(count) is not int or not 1 <= count <= len(self):
            raise RulesError(f"keep {shown(count)} of {name}; keep from 1 to {len(self)} dice")
        if not self._add_up:
            raise RulesError(f"the faces of {name} don't add up; keep dice whose faces are numbers")
        return Kept(self, KeepFaces(count, lowest))

    def sample(self, times: int = 1, seed: int | None = None) -> list[Any]:
        """Independent rolls; as `Rollable.sample`, with a draw for each die.

        >>> [roll.faces for roll in Dice([Die.standard(6)] * 2).sample(3, seed=1)]
        [(2, 5), (1, 3), (1, 4)]
        """
        chance = chance_of(times, seed, len(self))
        draws = {die: die.law.drawing(chance) for die in self.dice}
        order = [draws[die] for die in self.dice]
        return [self.roll(draw() for draw in order) for _ in range(times)]

    def __len__(self) -> int:
        return len(self.dice)

    def __add__(self, other: Any) -> "Dice":
        """These dice and others, or a number: the totals add up.

        >>> from sevenout.rolling.notation import parse_dice
        >>> print(parse_dice("4d6kh3") + parse_dice("d4") + 2)
        4d6kh3+d4+2

        Raises:
            RulesError: the total of the dice is not a sum.
        """
        return self._plus(other, 1)  # type: ignore[no-any-return]

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Dice":
        """These dice less others, or a number; as `+`."""
        return self._plus(other, -1)  # type: ignore[no-any-return]

    def _plus(self, other: Any, sign: int) -> Any:
        if isinstance(other, Die):
            other = Dice([other])
        if isinstance(other, Dice):
            dice: tuple[Die, ...] = (*self.dice, *other.dice)
            added: Terms = other._terms()
        elif isinstance(other, int | Fraction) and not isinstance(other, bool):
            dice, added = self.dice, Terms((), other)
        else:
            return NotImplemented
        own = self._terms()
        terms = [*own.terms, *(Term(t.dice, t.read, sign * t.times) for t in added.terms)]
        return Dice(dice, Terms.fewest(terms, own.plus + sign * added.plus) or total)

    def _terms(self) -> Terms:
        """The total as terms."""
        if self._in_terms and isinstance(self.total, Terms):
            return self.total
        if not self._add_up:
            name = printable(str(self), 60)
            raise RulesError(f"the totals of {name} don't add up; add dice whose faces are numbers")
        return Terms((Term(len(self)),))

    def __str__(self) -> str:
        from sevenout.rolling.spelling import dice_name

        return dice_name(self)


def total_of(roll: Roll) -> Any:
    """The total of a roll."""
    return roll.total


def _total_and_hard(roll: Roll) -> Hashable:
    return roll.total, roll.hard
