"""Several dice rolled together, and how a roll is read."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from sevenout.dice.die import Die
from sevenout.dice.law import Reading, Rollable, Source
from sevenout.errors import RulesError

Faces = tuple[Any, ...]


def total(faces: Iterable[Any]) -> Any:
    """The ordinary reading: the faces add up; None where labels do not."""
    try:
        return sum(faces)
    except TypeError:
        return None


def all_alike(faces: Faces) -> bool:
    """The ordinary hard way: every die shows the same face."""
    return all(face == faces[0] for face in faces)


@dataclass(frozen=True, slots=True)
class Roll:
    """What the dice show: the face of each die, the total, and whether it came the hard way."""

    faces: Faces
    total: Any
    hard: bool

    @property
    def easy(self) -> bool:
        """The total came up with faces that differ."""
        return not self.hard


@dataclass(frozen=True, init=False)
class Dice(Rollable):
    """Distinguishable dice, rolled together; the outcome of a roll is a `Roll`.

    >>> pair = Dice([Die.standard(6), Die.standard(6)])
    >>> pair.totals.law[7], pair.law.p(lambda roll: roll.total == 8 and roll.hard)
    (Fraction(1, 6), Fraction(1, 36))

    Args:
        dice: the dice, in order.
        total: the reading of the faces that the dice are for; if not given their sum, which is None
            where faces are labels.
        hard: whether the faces show the total the hard way; all alike if not given.

    Raises:
        RulesError: no dice.
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
        dice = tuple(dice)
        if not dice:
            raise RulesError("no dice; roll at least one")
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "total", total)
        object.__setattr__(self, "hard", hard)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The dice."""
        return self.dice

    def roll(self, faces: Iterable[Hashable]) -> Roll:
        """The roll in which the dice show these faces.

        >>> Dice([Die.standard(6)] * 2).roll([3, 5]).total
        8
        """
        faces = tuple(faces)
        return Roll(faces, self.total(faces), self.hard(faces))

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        """The weight of each roll: the product over its dice."""
        merged = [die.weigh([w]) for die, w in zip(self.dice, weights, strict=True)]
        return {
            self.roll(face for face, _ in shown): prod(weight for _, weight in shown)
            for shown in product(*(faces.items() for faces in merged))
        }

    @cached_property
    def totals(self) -> Reading:
        """The roll, read as its total alone.

        >>> max(Dice([Die.standard(6)] * 10).totals.law)
        60
        """
        adds_up = (
            self.total is total and total(f for die in self.dice for f in die.faces) is not None
        )
        return Sums(self, total_of) if adds_up else Reading(self, total_of)

    @cached_property
    def ways(self) -> Reading:
        """The roll, read as (total, whether it is hard): what a hard-way bet looks at."""
        return Reading(self, _total_and_hard)

    def __len__(self) -> int:
        return len(self.dice)

    def __str__(self) -> str:
        from sevenout.dice.notation import dice_name

        return dice_name(self)


@dataclass(frozen=True)
class Sums(Reading):
    """The totals of dice that add up, by convolution: thirty dice cost no more than they must."""

    law = Rollable.law  # from `weigh`, since the dice are not to be rolled out

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        """The weight of each total."""
        sums: dict[Any, Any] = {0: 1}
        for die, row in zip(self.sources, weights, strict=True):
            longer: dict[Any, Any] = {}
            for s, w in sums.items():
                for face, v in zip(die.faces, row, strict=True):
                    t = s + face
                    longer[t] = longer[t] + w * v if t in longer else w * v
            sums = longer
        return sums


def total_of(roll: Roll) -> Any:
    """The total of a roll."""
    return roll.total


def _total_and_hard(roll: Roll) -> Hashable:
    return roll.total, roll.hard
