"""A table where bets come and go on the same rolls, and who plays at it.

A *felt* knows the bets: when each may be made, raised and taken down, and what a roll does to those
that stand. A bet is a name and an amount; where it has a state of its own the name says so: the bet
"come" that has moved to the 6 is "come 6". A *strategy* says before each roll which bets it wants:

    class Molly(Strategy):
        def wants(self, table):
            if table.point is None:
                return {"pass": 1}
            return {"come": 1} if len(table.bets) < 3 else {}

What it does not name stands as it is; an amount of 0 takes a bet down. Bets are paid for in the
order in which they are named, each from what is left in the rail. One that can't be paid is not
made, and the evening counts it; one that the house does not allow is an error that names it.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from sevenout.dice import Dice, Roll
from sevenout.errors import RulesError, shown
from sevenout.numerals import exact

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


class Rolled(NamedTuple):
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
        """What the house charges when the bet is made."""

    def mirrored(self, point: int | None, bets: Bets) -> "Mirrored":
        """One of the layouts that differ from this in names alone, for whoever bets on both alike;
        always the same one of them.
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
        raise RulesError(f"{shown(roll)} is no roll of this table's dice")

    def throw_of(self, bets: Bets, roll: Any) -> Throw:
        """The throw that a roll is, as these bets tell it from others."""
        throws = self.throws(bets)
        return throws[self.which(throws, roll)]


@dataclass(frozen=True)
class Table:
    """What a strategy sees.

    Attributes:
        point: None on the come-out.
        bets: those that stand, and their amounts.
        memory: what the strategy remembers.
        last: what the last roll did; None before the first.
        purse: all the money of the bettor, if he looks.
    """

    point: int | None
    bets: Mapping[str, Money]
    memory: Any = None
    last: Rolled | None = None
    purse: Money | None = None

    @property
    def money(self) -> Money:
        """All the money of the bettor, in the rail and on the felt.

        Raises:
            RulesError: the strategy has not said `sees_money = True`.
        """
        if self.purse is None:
            raise RulesError("the strategy looks at its money; let it say sees_money = True")
        return self.purse

    @cached_property
    def staked(self) -> Money:
        """The money on the felt."""
        return sum(self.bets.values())


class Strategy(ABC):
    """How somebody bets.

    Attributes:
        memory: what is remembered at the start; any hashable value.
        sees_money: whether the bets depend on the bettor's money. Say so only if they do: the
            evening is found much faster where they do not.
        mirrored: whether numbers that are as likely, at craps 4 and 10, 5 and 9, 6 and 8, are
            treated alike, and none of them is remembered. To say so is faster, too.
    """

    memory: Hashable = None
    sees_money: bool = False
    mirrored: bool = False

    @abstractmethod
    def wants(self, table: Table) -> Mapping[str, Any]:
        """The bets that are wanted before the next roll, those first that matter most."""

    def remembers(self, table: Table) -> Hashable:
        """What is remembered after a roll; as before, if not said."""
        memory: Hashable = table.memory
        return memory


class Wish(NamedTuple):
    """A change that is wanted: so much more on a bet, for this fee."""

    bet: str
    more: Money
    fee: Money


class Seat(NamedTuple):
    """Where a bettor stands before a roll, but for his money.

    Attributes:
        point: None on the come-out.
        bets: those that stand.
        memory: what the strategy remembers.
        shooters: how many are out, where that is counted.
        rounds: how many bets were settled, where that is counted.
    """

    point: int | None
    bets: Bets
    memory: Any
    shooters: int = 0
    rounds: int = 0


class After(NamedTuple):
    """What a roll did, and what is wanted then.

    Attributes:
        weight: of the roll.
        seat: after the roll, with what was taken down.
        gain: the money won or lost.
        settled: the stakes of the bets that were settled.
        wishes: the bets to be made, in their order.
        unmet: those that lack the bet on which they lean.
        rolled: what happened.
        standing: the bets that the roll left, before anything is taken down.
    """

    weight: int
    seat: Seat
    gain: Money
    settled: Money
    wishes: tuple[Wish, ...]
    unmet: tuple[str, ...]
    rolled: Rolled
    standing: Bets


@dataclass(frozen=True)
class Bettor:
    """A strategy at a felt.

    Args:
        felt: the table.
        strategy: how it is played.
    """

    felt: Felt
    strategy: Strategy

    def start(self, money: Money) -> tuple[Seat, tuple[Wish, ...], tuple[str, ...]]:
        """The seat before the first bets, and what is wanted."""
        memory = self.strategy.memory
        table = Table(None, {}, memory, None, money if self.strategy.sees_money else None)
        bets, wishes, unmet = self._wishes(table)
        return Seat(None, _sorted(bets), memory), wishes, unmet

    def after(
        self, seat: Seat, throw: Throw, money: Money | None = None, *, last: bool = False
    ) -> After:
        """What a roll does in a seat.

        Args:
            seat: where the bettor stands.
            throw: the roll.
            money: what he has before it, if the strategy looks.
            last: whether he leaves then, so that nothing more is wanted.
        """
        point, bets, paid, out = self.felt.roll(seat.point, seat.bets, throw)
        rolled = Rolled(throw, paid, out)
        gain = rolled.net
        purse = None if money is None else money + gain
        table = Table(point, bets, seat.memory, rolled, purse)
        memory = self.strategy.remembers(table)
        table = Table(point, bets, memory, rolled, purse)
        left, wishes, unmet = (bets, (), ()) if last else self._wishes(table)
        counted = seat.shooters + out, seat.rounds + len(paid)
        then = Seat(point, _sorted(left), memory, *counted)
        settled = sum(each.stake for each in paid)
        standing = _sorted(bets)
        return After(throw.weight, then, gain, settled, wishes, unmet, rolled, standing)

    def _wishes(self, table: Table) -> tuple[dict[str, Money], tuple[Wish, ...], tuple[str, ...]]:
        wanted = self.strategy.wants(table)
        if not isinstance(wanted, Mapping):
            who = type(self.strategy).__name__
            raise RulesError(f"{who} wants {shown(wanted)}; give amounts by bet: {{'pass': 5}}")
        bets = dict(table.bets)
        wishes: list[Wish] = []
        unmet: list[str] = []
        amounts = {bet: _amount(bet, given) for bet, given in wanted.items()}
        down = {bet: amount for bet, amount in amounts.items() if amount < bets.get(bet, 0)}
        for bet, amount in down.items():  # in the rail before what goes up is paid for
            self.felt.check(table.point, {**bets, **down, bet: bets[bet]}, bet, amount)
        bets = {bet: amount for bet, amount in (bets | down).items() if amount}
        hoped = dict(bets)
        for bet, amount in amounts.items():
            now = bets.get(bet, 0)
            if amount > now:
                if self.felt.check(table.point, hoped, bet, amount):
                    fee = self.felt.fee(bet, amount) - (self.felt.fee(bet, now) if now else 0)
                    wishes.append(Wish(bet, amount - now, fee))
                    hoped[bet] = amount
                else:
                    unmet.append(bet)
        return bets, tuple(wishes), tuple(unmet)


def pay_for(
    seat: Seat, wishes: Sequence[Wish], money: Money | None
) -> tuple[Seat, Money, tuple[str, ...]]:
    """The seat with the bets that can be paid, the fees, and the bets that can't.

    >>> seat = Seat(6, (("pass", 1),), None)
    >>> then, fees, refused = pay_for(seat, [Wish("pass odds", 5, 0), Wish("come", 1, 0)], money=3)
    >>> then.bets, fees, refused
    ((('come', 1), ('pass', 1)), 0, ('pass odds',))

    Args:
        seat: before the bets.
        wishes: what is wanted, in the order in which it is paid for.
        money: all the bettor has; None for enough.
    """
    rail = None if money is None else money - sum(amount for _, amount in seat.bets)
    refused = unpaid(wishes, rail)
    return *made(seat, wishes, refused), refused


def unpaid(wishes: Sequence[Wish], rail: Money | None) -> tuple[str, ...]:
    """The bets that can't be paid from what is in the rail, each from what those before it left."""
    refused: list[str] = []
    for bet, more, fee in wishes:
        if rail is not None and more + fee > rail:
            refused.append(bet)
        elif rail is not None:
            rail -= more + fee
    return tuple(refused)


def made(seat: Seat, wishes: Sequence[Wish], refused: Collection[str]) -> tuple[Seat, Money]:
    """The seat with all that is wanted but for what was refused, and the fees."""
    bets = dict(seat.bets)
    fees: Money = 0
    for bet, more, fee in wishes:
        if bet not in refused:
            bets[bet] = bets.get(bet, 0) + more
            fees += fee
    return seat._replace(bets=_sorted(bets)), fees


def whole(amount: Money) -> Money:
    """An amount as an int where it is one.

    >>> whole(Fraction(6, 2)), whole(Fraction(7, 6))
    (3, Fraction(7, 6))
    """
    return amount.numerator if amount.denominator == 1 else amount


def _amount(bet: str, given: Any) -> Money:
    if type(given) is int:
        amount: Money = given
    else:
        amount = whole(exact(given))
    if amount < 0:
        raise RulesError(f"{shown(given)} on {shown(bet)}; bet 0 or more")
    return amount


def _sorted(bets: Mapping[str, Money]) -> Bets:
    return tuple(sorted(bets.items()))
