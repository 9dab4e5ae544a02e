"""The felt: what may be bet on it and when, and what a roll does to the bets that stand.

A bet is a name and an amount; where it has a state of its own the name says so: the bet "come"
that has moved to the 6 is "come 6".
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from sevenout.dice import Dice, Roll
from sevenout.errors import RulesError, shown

Money = int | Fraction
Bets = tuple[tuple[str, Money], ...]
"""The bets that stand, in the order of their names."""
Stands = tuple[int | None, Bets]
"""What stands, and on which point."""
NOTHING: Stands = (None, ())


class Throw(NamedTuple):
    """A roll as the felt tells it from others.

    Attributes:
        total: of the dice.
        faces: what they show, the lower first; None where only the total matters.
        weight: how many of the equally likely rolls it stands for.
    """

    total: int
    faces: tuple[Any, ...] | None
    weight: int


class Paid(NamedTuple):
    """A bet that a roll settled.

    Attributes:
        bet: its name.
        stake: the money that it had on the table.
        profit: what it won; less than 0 if it lost.
    """

    bet: str
    stake: Money
    profit: Money


class FeltRoll(NamedTuple):
    """What a roll did.

    Attributes:
        throw: the roll.
        paid: the bets that it settled.
        out: whether the dice pass to the next shooter.
    """

    throw: Throw
    paid: tuple[Paid, ...]
    out: bool

    @property
    def net(self) -> Money:
        """The money won or lost."""
        return sum(each.profit for each in self.paid)

    def profit(self, bet: str) -> Money | None:
        """What a bet won or lost; None if it was not settled."""
        for each in self.paid:
            if each.bet == bet:
                return each.profit
        return None


class Mirrored(NamedTuple):
    """A layout, with numbers that are as likely put in order.

    Attributes:
        point: None on the come-out.
        bets: those that stand.
        swapped: the totals that traded places, each with 14 less itself.
    """

    point: int | None
    bets: Bets
    swapped: frozenset[int] = frozenset()


class Felt(ABC):
    """The rules of a table: its bets, and what a roll does to those that stand.

    Attributes:
        dice: what is rolled.
        ways: how many equally likely rolls there are.
        points: those that there can be; None for none.
    """

    dice: Dice
    ways: int
    points: tuple[int | None, ...] = (None,)

    @abstractmethod
    def throws(self, bets: Bets) -> Sequence[Throw]:
        """The rolls that these bets tell from one another; their weights add up to `ways`."""

    @abstractmethod
    def roll(
        self, point: int | None, bets: Bets, throw: Throw
    ) -> tuple[int | None, dict[str, Money], tuple[Paid, ...], bool]:
        """The point and the bets after a roll, what was paid, and whether the shooter is out."""

    @abstractmethod
    def check(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> bool:
        """Whether a bet may be changed to an amount; False where it lacks the bet it leans on.

        Raises:
            RulesError: no such bet, or the house does not allow it; the message says why.
        """

    @abstractmethod
    def fee(self, bet: str, amount: Money) -> Money:
        """The commission that is put down with a bet. It is the player's until the bet is decided:
        taken down, the bet brings it back; lost, it is lost; a win pays it, and what stands has it
        again.
        """

    def is_flat(self, bet: str) -> bool:
        """Whether a bet leans on no other, as odds do."""
        return True

    def cost(self, bets: Bets) -> Money:
        """What bets take out of the rail: their amounts, and the commissions put down with them."""
        return sum([amount + self.fee(bet, amount) for bet, amount in bets])

    def mirrored(self, point: int | None, bets: Bets) -> "Mirrored":
        """One of the layouts that differ from this in names alone, for anyone who bets on both
        alike; always the same one of them.
        """
        return Mirrored(point, bets)

    def allows(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> bool:
        """Whether a bet may be changed to an amount, and nothing that it leans on is lacking."""
        try:
            return self.check(point, bets, bet, amount)
        except RulesError:
            return False

    def which(self, throws: Sequence[Throw], roll: Any) -> int:
        """The throw that a roll of the dice, or its total, is, of those that are told apart."""
        faces = tuple(sorted(roll.faces)) if isinstance(roll, Roll) else None
        total = roll.total if isinstance(roll, Roll) else roll
        for i, throw in enumerate(throws):
            if throw.total == total and throw.faces in (None, faces):
                return i
        raise RulesError(f"{shown(roll)} is not a roll of this table's dice")

    def throw_of(self, bets: Bets, roll: Any) -> Throw:
        """The throw that a roll is, as these bets tell it from others."""
        throws = self.throws(bets)
        return throws[self.which(throws, roll)]


def whole(amount: Money) -> Money:
    """An amount as an int where it is one.

    >>> whole(Fraction(6, 2)), whole(Fraction(7, 6))
    (3, Fraction(7, 6))
    """
    return amount.numerator if amount.denominator == 1 else amount
