"""The felt: the bets of a table, and what a roll does to them.

A bet is a name and an amount. The name includes the bet's state: a "come" bet that has moved to the
6 is "come 6".
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.rolling import Dice, Roll

Money = int | Fraction
Bets = tuple[tuple[str, Money], ...]
"""The standing bets, sorted by name."""
Stands = tuple[int | None, Bets]
"""The point and the standing bets."""
NOTHING: Stands = (None, ())


class Throw(NamedTuple):
    """A roll, as far as the felt distinguishes it.

    Attributes:
        faces: the lower first; None if only the total matters.
        weight: the number of equally likely rolls that it stands for.
    """

    total: int
    faces: tuple[Any, ...] | None
    weight: int


class Paid(NamedTuple):
    """A settled bet, its stake, and its profit, negative for a loss."""

    bet: str
    stake: Money
    profit: Money


class FeltRoll(NamedTuple):
    """A roll, the bets that it settled, and whether the shooter is `out`."""

    throw: Throw
    paid: tuple[Paid, ...]
    out: bool

    @property
    def net(self) -> Money:
        """The money won or lost."""
        return sum([each.profit for each in self.paid])

    @property
    def settled(self) -> Money:
        """The stakes of the settled bets."""
        return sum([each.stake for each in self.paid])

    def profit(self, bet: str) -> Money | None:
        """What a bet won or lost; None if unsettled."""
        for each in self.paid:
            if each.bet == bet:
                return each.profit
        return None


class Mirrored(NamedTuple):
    """A position in canonical order; `swapped` totals t traded places with 14 - t."""

    point: int | None
    bets: Bets
    swapped: frozenset[int] = frozenset()


class Felt(ABC):
    """The rules of a table: its bets, and what a roll does to them.

    Attributes:
        ways: the number of equally likely rolls.
        points: the possible points; None if there are none.
    """

    dice: Dice
    ways: int
    points: tuple[int | None, ...] = (None,)

    @abstractmethod
    def throws(self, bets: Bets) -> Sequence[Throw]:
        """The rolls that these bets distinguish, with weights of sum `ways`."""

    @abstractmethod
    def roll(
        self, point: int | None, bets: Bets, throw: Throw
    ) -> tuple[int | None, dict[str, Money], tuple[Paid, ...], bool]:
        """The point and bets after a roll, the settled bets, and whether the shooter is out."""

    @abstractmethod
    def check(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> bool:
        """Whether a bet may be changed to an amount; False if its base bet is missing."""

    @abstractmethod
    def fee(self, bet: str, amount: Money) -> Money:
        """The commission put down with a bet.

        It comes back if the bet is taken down, and is lost with the bet. A win pays it, and a bet
        that stays up has it put down again.
        """

    def most(self, point: int | None, bets: Mapping[str, Money], bet: str) -> Money | None:
        """The most that the house takes on a bet as things stand; None where nothing limits it."""
        return None

    def is_flat(self, bet: str) -> bool:
        """Whether a bet needs no base bet, as odds do."""
        return True

    def cost(self, bets: Bets) -> Money:
        """The money that bets take out of the rail, with their commissions."""
        return sum([amount + self.fee(bet, amount) for bet, amount in bets])

    def mirrored(self, point: int | None, bets: Bets) -> "Mirrored":
        """The canonical form of a mirrored position."""
        return Mirrored(point, bets)

    def told_apart(self, bet: str) -> tuple[tuple[int, int], ...]:
        """The pairs of mirrored numbers that a bet treats differently; no mirrored strategy may
        make it.
        """
        return ()

    def allows(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> bool:
        """Whether a bet may be changed to an amount."""
        try:
            return self.check(point, bets, bet, amount)
        except RulesError:
            return False

    def which(self, throws: Sequence[Throw], roll: Any) -> int:
        """The index of the throw for a roll or a total."""
        faces = tuple(sorted(roll.faces)) if isinstance(roll, Roll) else None
        total = roll.total if isinstance(roll, Roll) else roll
        for i, throw in enumerate(throws):
            if throw.total == total and throw.faces in (None, faces):
                return i
        raise RulesError(f"{shown(roll)} is not a roll of this table's dice")

    def throw_of(self, bets: Bets, roll: Any) -> Throw:
        """The throw for a roll, as far as these bets distinguish it."""
        throws = self.throws(bets)
        return throws[self.which(throws, roll)]


def whole(amount: Money) -> Money:
    """An amount, as an int if it is whole.

    >>> whole(Fraction(6, 2)), whole(Fraction(7, 6))
    (3, Fraction(7, 6))
    """
    return amount.numerator if amount.denominator == 1 else amount
