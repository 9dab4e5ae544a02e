"""Ranked dice: the face of the higher rank is the total.

Simon Tatham's pair (2006) has the totals of 2d6, with 7 on one face only, which can be left off.
For N sides one die has the even numbers 2 to 2N, the other the odd numbers and a blank. The rank of
a face is the number of ways in which 2dN rolls it. See
docs/explanation/dice-that-never-roll-7.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling.convolution import ESTIMATE_CAP
from sevenout.rolling.die import Dice, Die, Faces, Roll
from sevenout.rolling.laws import Reading
from sevenout.wrong_arguments import public


@dataclass(frozen=True, slots=True)
class Face:
    """A face of a ranked die.

    >>> print(Face(7, 6), Face(None, 0))
    7^6 blank

    Attributes:
        value: the total if this face wins; None for a blank, which never wins.
        rank: the number of dots; the higher rank wins, and of equal ranks the first die.
        red: its offset in the red number.
    """

    value: int | None
    rank: int
    red: int = 0

    def __str__(self) -> str:
        return "blank" if self.value is None else f"{self.value}^{self.rank}"

    @property
    def notation(self) -> str:
        """The face in the notation of dice, with its red offset."""
        marks = f"^{self.rank}" + (f"r{self.red}" if self.red else "")
        if not all(isinstance(n, int) for n in (self.value or 0, self.rank)):
            return f"<{self}>"  # painted with something that the notation can't write
        if self.value is None:
            return f"blank{marks}".removesuffix("^0")
        return f"{self.value}{marks}"


@dataclass(frozen=True)
class HigherRank:
    """The value of the face of the highest rank; of equal ranks, that of the first die.

    >>> higher_rank((Face(8, 5), Face(5, 4))), higher_rank((Face(8, 5), Face(5, 5)))
    (8, 8)
    """

    notation = ""
    reads_ranks = True

    def __call__(self, faces: Faces) -> Any:
        """The total."""
        return max(faces, key=attrgetter("rank")).value


@dataclass(frozen=True)
class NeverHard:
    """The hard way of ranked dice without a red number: always false."""

    notation = ""

    def __call__(self, faces: Faces) -> bool:
        """False."""
        return False


higher_rank, never_hard = HigherRank(), NeverHard()


@dataclass(frozen=True)
class SkipFrom:
    """The sum of the dice, raised by one from `total` up, so that `total` is never rolled.

    >>> [SkipFrom(7)((4, 2)), SkipFrom(7)((4, 3))]
    [6, 8]
    """

    total: int

    @property
    def notation(self) -> str:
        """The reading in the notation of dice."""
        return f"skip{self.total}"

    def __call__(self, faces: Faces) -> int:
        """The total, or the next one."""
        plain: int = sum(faces)
        return plain + (plain >= self.total)


@dataclass(frozen=True)
class RedNumber:
    """The red number of ranked dice: the sum of the faces' `red` on a clock of `sides` hours.

    >>> RedNumber(6)((Face(10, 3, 5), Face(5, 4, 2)))
    1
    """

    sides: int

    def __call__(self, faces: Faces) -> int:
        """The red number, from 1 to `sides`."""
        return int(sum(face.red for face in faces) - 1) % self.sides + 1


@dataclass(frozen=True)
class RedIsHalf:
    """The hard way of ranked dice with a red number: it is half the total."""

    red: RedNumber

    @property
    def notation(self) -> str:
        """The reading in the notation of dice."""
        return f"red{self.red.sides}"

    def __call__(self, faces: Faces) -> bool:
        """Whether the total came the hard way."""
        return bool(2 * self.red(faces) == higher_rank(faces))


@dataclass(frozen=True)
class TotalAndRed:
    """(total, red number) of a roll."""

    red: Callable[[Faces], Any]

    def __call__(self, roll: Roll) -> tuple[Any, Any]:
        """The total and the red number."""
        return roll.total, self.red(roll.faces)


@public
def tatham(sides: int = 6, without: int | None = None) -> Dice:
    """Tatham's pair for dice of N sides: the even die, then the odd one.

    >>> even, odd = tatham(6).dice
    >>> print(even, odd)
    d6{2^1r1,4^3r2,6^5r3,8^5r4,10^3r5,12^1r6} d6{blank,3^2r1,5^4r2,7^6,9^4r-2,11^2r-1}
    >>> tatham(6, without=7).totals.law[2]
    Fraction(1, 30)

    Args:
        sides: N, from 2 up.
        without: N + 1 to leave off that total; None for all totals.

    Raises:
        RulesError: fewer than 2 sides, or a total that can't be left off.
    """
    if sides < 2:
        raise RulesError(f"ranked dice with {sides} sides; give them 2 or more")
    many = min(sides, ESTIMATE_CAP)
    afford(f"ranked dice with {shown(sides)} sides", seconds=many * 1e-5, memory=many * 1_000)
    even = Die(_ranked_face(total, sides) for total in range(2, 2 * sides + 1, 2))
    odd = Die([Face(None, 0), *(_ranked_face(total, sides) for total in range(3, 2 * sides, 2))])
    pair = Dice([even, odd], total=higher_rank, hard=RedIsHalf(RedNumber(sides)))
    if without is None:
        return pair
    if without != sides + 1:
        raise RulesError(
            f"{without} can't be taken out of a pair with the totals of 2d{sides}; the only "
            f"total that can is {sides + 1}"
        )
    return leave_off(pair, without)


def _ranked_face(total: int, sides: int) -> Face:
    return Face(total, ways_to_roll(total, sides), _red_offset(total, sides))


def ways_to_roll(total: int, sides: int) -> int:
    """The number of ways to roll a total on two dice of N sides: N - |N + 1 - total|, or 0.

    >>> [ways_to_roll(total, 6) for total in range(1, 14)]
    [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0]
    """
    return max(0, sides - abs(sides + 1 - total))


def _red_offset(total: int, sides: int) -> int:
    """The red offset of a face of Tatham's pair; a roll adds two, modulo the sides."""
    if total % 2 == 0:
        return total // 2
    if total == sides + 1:
        return 0  # it meets every face of the even die, so any offset works
    half = total // 2
    return half if 2 * half <= sides else half - sides


@public
def leave_off(dice: Dice, total: Any) -> Dice:
    """Ranked dice without the faces of a total.

    >>> print(leave_off(tatham(4), 5).dice[1])
    d3{blank,3^2r1,7^2r-1}

    Raises:
        RulesError: other dice, no face shows it, or a die would have no face left.
    """
    # without a face of 6, two ordinary dice still roll a total of 6
    if not all(isinstance(face, Face) for die in dice.dice for face in die.faces):
        raise RulesError(f"{dice} are not ranked dice; give dice with ranks, such as tatham(6)")
    kept = [
        [(f, w) for f, w in zip(die.faces, die.weights, strict=True) if f.value != total]
        for die in dice.dice
    ]
    if sum(map(len, kept)) == sum(len(die.faces) for die in dice.dice):
        raise RulesError(f"no face of {dice} shows {total}, so it can't be taken out")
    remaining_dice = [Die([f for f, _ in pairs], [w for _, w in pairs]) for pairs in kept]
    return Dice(remaining_dice, total=dice.total, hard=dice.hard)


@public
def repainted(die: Die, times: int) -> Die:
    """The die with each face painted `times` times.

    >>> len(repainted(tatham(6, without=7).dice[1], 2).faces)
    10

    Raises:
        RulesError: `times` is less than 1.
    """
    if times < 1:
        raise RulesError(f"times={times}; give 1 or more")
    return Die(
        [face for face in die.faces for _ in range(times)],
        [weight for weight in die.weights for _ in range(times)],
    )


@public
def totals_and_red(dice: Dice) -> Reading:
    """(total, red number) of ranked dice.

    >>> totals_and_red(tatham(6)).law[7, 4]
    Fraction(1, 36)

    Raises:
        RulesError: the dice have no red number.
    """
    if not isinstance(dice.hard, RedIsHalf):
        raise RulesError(f"{dice} have no red numbers; give ranked dice that do, such as tatham(6)")
    return Reading(dice, TotalAndRed(dice.hard.red))


@dataclass(frozen=True)
class TwoFaces:
    """A function of a roll: the equivalent roll of two ordinary dice, the red one first."""

    red: Callable[[Faces], Any]

    def __call__(self, roll: Roll) -> Roll:
        """The roll with the faces red, total - red."""
        red = self.red(roll.faces)
        return Roll((red, roll.total - red), roll.total, roll.hard)


@public
def as_two_dice(dice: Dice) -> Reading:
    """The two ordinary dice that ranked dice with a red number stand for.

    One die is the red number, the other the rest of the total.

    >>> as_two_dice(tatham(6)).law == Dice([Die.standard(6)] * 2).law
    True

    Raises:
        RulesError: the dice have no red number.
    """
    reading = totals_and_red(dice)
    return Reading(reading.source, TwoFaces(reading.function.red))  # type: ignore[attr-defined]


@public
def grid(dice: Dice) -> tuple[tuple[Any, ...], ...]:
    """The totals of two dice: a row for each face of the first, a column for each of the second.

    >>> grid(tatham(2))
    ((2, 3), (4, 3))

    Raises:
        RulesError: not two dice.
    """
    if len(dice) != 2:
        raise RulesError(f"a grid of {len(dice)} dice; it takes two")
    rows, columns = dice.dice
    return tuple(tuple(dice.total((row, column)) for column in columns.faces) for row in rows.faces)
