"""One die: any faces, exact integer weights."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, printable, shown
from sevenout.rolling.law import MANY, Rollable, Source

if TYPE_CHECKING:
    from sevenout.rolling.roll import Dice


@dataclass(frozen=True, init=False)
class Die(Rollable):
    """An immutable die. A face may occur twice.

    >>> loaded = Die([1, 2, 3, 4, 5, 6]).reweigh({6: 2})
    >>> loaded.law[6], str(loaded)
    (Fraction(2, 7), 'd6{1,2,3,4,5,6:2}')

    Args:
        faces: numbers, labels, any hashable value.
        weights: the integer weight of each face, in proportion to its probability; default all 1.

    Raises:
        RulesError: no face, an unhashable face, not one weight per face, or a weight that is not a
            positive integer.
    """

    faces: tuple[Hashable, ...]
    weights: tuple[int, ...]

    def __init__(self, faces: Iterable[Hashable], weights: Iterable[int] | None = None) -> None:
        if isinstance(faces, int) or (isinstance(faces, str) and re.search("[0-9]", faces)):
            text = f"d{faces}" if isinstance(faces, int) and faces > 0 else "d6"
            raise RulesError(f"faces={shown(faces)}; write sevenout.dice({text!r}), or list them")
        for name, given in (("faces", faces), ("weights", () if weights is None else weights)):
            if not isinstance(given, Iterable):
                raise RulesError(f"{name}={shown(given)}; list one for each face of the die")
        faces = tuple(faces)
        weights = (1,) * len(faces) if weights is None else tuple(weights)
        for face in faces:
            try:
                hash(face)
            except TypeError:
                raise RulesError(f"the face {shown(face)} is mutable; give a tuple") from None
        if not faces:
            raise RulesError("a die with no faces; it needs at least one")
        if len(weights) != len(faces):
            raise RulesError(f"{len(weights)} weights for {len(faces)} faces; give one for each")
        for face, weight in zip(faces, weights, strict=True):
            if not isinstance(weight, int) or weight < 1:
                raise RulesError(
                    f"the weight of face {shown(face)} is {shown(weight)}; "
                    "give a whole number, 1 or more"
                )
        object.__setattr__(self, "faces", faces)
        object.__setattr__(self, "weights", weights)

    @classmethod
    def standard(cls, sides: int) -> "Die":
        """A fair die with faces 1 to `sides`.

        >>> Die.standard(4).faces
        (1, 2, 3, 4)
        """
        if type(sides) is not int or sides < 1:
            raise RulesError(f"a die with {shown(sides)} sides; give a whole number, 1 or more")
        most = min(sides, MANY)
        afford(f"a die with {shown(sides)} sides", seconds=most * 2e-7, memory=most * 50.0)
        return cls(range(1, sides + 1))

    @property
    def sources(self) -> tuple[Source, ...]:
        return (self,)

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        """The weight of each face; equal faces add up."""
        merged: dict[Hashable, Any] = {}
        for face, weight in zip(self.faces, weights[0], strict=True):
            merged[face] = merged[face] + weight if face in merged else weight
        return merged

    def remove(self, face: Hashable) -> "Die":
        """The die without the faces equal to `face`.

        >>> Die.standard(6).remove(6) == Die.standard(5)
        True
        """
        self._must_have(face)
        kept = [(f, w) for f, w in zip(self.faces, self.weights, strict=True) if f != face]
        return Die([f for f, _ in kept], [w for _, w in kept])

    def relabel(self, paint: Callable[[Any], Hashable]) -> "Die":
        """The same die with each face repainted.

        >>> Die.standard(3).relabel(lambda face: 2 * face).faces
        (2, 4, 6)
        """
        return Die([paint(face) for face in self.faces], self.weights)

    def reweigh(self, weights: "dict[Any, int | Fraction]") -> "Die":
        """The same faces with new weights for those named.

        >>> Die([1, 2]).reweigh({2: Fraction(5, 4)}).weights
        (4, 5)
        """
        for face in weights:
            self._must_have(face)
        new = [Fraction(weights.get(f, w)) for f, w in zip(self.faces, self.weights, strict=True)]
        scale = lcm(*(w.denominator for w in new))
        return Die(self.faces, [int(w * scale) for w in new])

    def _must_have(self, face: Hashable) -> None:
        if face not in self.faces:
            raise RulesError(f"the die {printable(str(self), 60)} has no face {shown(face)}")

    def __add__(self, other: Any) -> "Dice":
        """The die and another, dice, or a number: the totals add up.

        >>> print(Die.standard(6) + Die.standard(4) + 1)
        d6+d4+1
        """
        from sevenout.rolling.roll import Dice

        added: Dice = Dice([self]) + other
        return added

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Dice":
        """The die less another, dice, or a number."""
        from sevenout.rolling.roll import Dice

        left: Dice = Dice([self]) - other
        return left

    def __str__(self) -> str:
        from sevenout.rolling.spelling import die_name

        return die_name(self)


d4, d6, d8, d10, d12, d20 = map(Die.standard, (4, 6, 8, 10, 12, 20))
