"""Dice of the catalogue, their readings, true odds, and common sources."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.errors import RulesError
from sevenout.rolling import Dice, Roll, parse_dice

TWO_DICE: Dice = parse_dice("2d6")
"""Two ordinary dice."""

TOTALS = TWO_DICE.totals
"""Two dice, read as their total."""

THREE_DICE: Dice = parse_dice("3d6")
"""Three ordinary dice."""

WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
"""The number of rolls of two dice with each total."""

POINTS = (4, 5, 6, 8, 9, 10)
"""The points of craps."""

MULTIPLE_OF = {4: 0, 10: 0, 5: 1, 9: 1, 6: 2, 8: 2}
"""The place of each point among three multiples of odds, such as 3-4-5: the rarest points first."""

WIZARD = "M. Shackleford, The Wizard of Odds"
SCARNE = "J. Scarne, Scarne on Dice (1945)"
ETHIER = "S. N. Ethier, The Doctrine of Chances (2010)"


@dataclass(frozen=True)
class BetReading:
    """A reading of a roll with arguments; comparable.

    >>> BetReading(pow, (2,))(5)
    25

    Attributes:
        function: of a module, so that it can be sent to another process.
        args: what follows the roll among its arguments.
    """

    function: Callable[..., Hashable]
    args: tuple[Any, ...]

    def __call__(self, roll: Any) -> Hashable:
        return self.function(roll, *self.args)


def count_face(roll: Roll, face: int) -> int:
    """The number of dice that show a face.

    >>> count_face(THREE_DICE.roll([5, 3, 5]), 5)
    2
    """
    return roll.faces.count(face)


def checked_point(number: int) -> int:
    """The number, checked to be a point of craps.

    >>> checked_point(10)
    10

    Raises:
        RulesError: it is not one.
    """
    if number not in POINTS:
        raise RulesError(f"number={number}; the points are 4, 5, 6, 8, 9 and 10")
    return number


def checked_faces(*faces: int) -> tuple[int, ...]:
    """The faces, checked to be from 1 to 6.

    >>> checked_faces(1, 6)
    (1, 6)

    Raises:
        RulesError: they are not.
    """
    for face in faces:
        if not 1 <= face <= 6:
            raise RulesError(f"face={face}; a die has the faces 1 to 6")
    return faces


def true_odds(total: int, out: int = 7) -> Fraction:
    """The fair payment for a total before the out.

    >>> true_odds(4), true_odds(6)
    (Fraction(2, 1), Fraction(6, 5))

    Raises:
        RulesError: two dice can't show the total.
    """
    if total not in WAYS:
        raise RulesError(f"{total} can't be rolled with two dice; the totals are 2 to 12")
    return Fraction(WAYS[out], WAYS[total])


def face_pair(roll: Roll) -> str:
    """A roll of two dice, the lower face first: "1-2".

    >>> face_pair(TWO_DICE.roll([5, 3]))
    '3-5'
    """
    low, high = sorted(roll.faces)
    return f"{low}-{high}"


FACE_PAIRS = TWO_DICE.read(face_pair)
"""Two dice, read as a pair of faces."""
