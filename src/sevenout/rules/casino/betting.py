"""A table where bets come and go on the same rolls, and who plays at it.

The *felt* (`felt`) knows the bets. A *strategy* says before each roll which bets it wants:

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
from typing import Any, NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.numerals import exact
from sevenout.rules.casino.felt import (
    Bets,
    Felt,
    FeltRoll,
    Money,
    Throw,
    whole,
)


@dataclass(frozen=True)
class TableView:
    """What a strategy sees.

    Attributes:
        point: None on the come-out.
        bets: those that stand, and their amounts.
        memory: what the strategy remembers.
        last: what the last roll did; None before the first.
        purse: all the money of the bettor, if the strategy looks.
    """

    point: int | None
    bets: Mapping[str, Money]
    memory: Any = None
    last: FeltRoll | None = None
    purse: Money | None = None

    @property
    def money(self) -> Money:
        """All the money of the bettor, in the rail and on the felt.

        Raises:
            RulesError: the strategy has not said `sees_money = True`.
        """
        if self.purse is None:
            raise RulesError("the strategy uses its money; set sees_money = True in its class")
        return self.purse


class Strategy(ABC):
    """How someone bets.

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
    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The bets that are wanted before the next roll, those first that matter most."""

    def remembers(self, table: TableView) -> Hashable:
        """What is remembered after a roll; as before, if not said."""
        memory: Hashable = table.memory
        return memory


class Wish(NamedTuple):
    """A change that is wanted: this much more on a bet, and this fee put down with it."""

    bet: str
    more: Money
    fee: Money


class Seat(NamedTuple):
    """Where a bettor stands before a roll, but for their money.

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
    rolled: FeltRoll
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
        table = TableView(None, {}, memory, None, money if self.strategy.sees_money else None)
        bets, wishes, unmet = self._wishes(table)
        return Seat(None, _sorted(bets), memory), wishes, unmet

    def after(
        self, seat: Seat, throw: Throw, money: Money | None = None, *, last: bool = False
    ) -> After:
        """What a roll does in a seat.

        Args:
            seat: where the bettor stands.
            throw: the roll.
            money: the player's money before it, if the strategy looks.
            last: whether the player leaves then, so that nothing more is wanted.
        """
        point, bets, paid, out = self.felt.roll(seat.point, seat.bets, throw)
        rolled = FeltRoll(throw, paid, out)
        gain = rolled.net
        purse = None if money is None else money + gain
        table = TableView(point, bets, seat.memory, rolled, purse)
        memory = self.strategy.remembers(table)
        table = TableView(point, bets, memory, rolled, purse)
        left, wishes, unmet = (bets, (), ()) if last else self._wishes(table)
        counted = seat.shooters + out, seat.rounds + len(paid)
        then = Seat(point, _sorted(left), memory, *counted)
        settled = sum(each.stake for each in paid)
        standing = _sorted(bets)
        return After(throw.weight, then, gain, settled, wishes, unmet, rolled, standing)

    def _wishes(
        self, table: TableView
    ) -> tuple[dict[str, Money], tuple[Wish, ...], tuple[str, ...]]:
        wanted = self.strategy.wants(table)
        if not isinstance(wanted, Mapping):
            who = type(self.strategy).__name__
            raise RulesError(f"{who} returned {shown(wanted)}; give amounts by bet: {{'pass': 5}}")
        return self.wished(table.point, table.bets, wanted)

    def wished(
        self, point: int | None, standing: Mapping[str, Money], wanted: Mapping[str, Any]
    ) -> tuple[dict[str, Money], tuple[Wish, ...], tuple[str, ...]]:
        """What is left of the bets that stand once what is too much on them is taken down, what is
        to be put on them, and the bets that lack the one on which they lean.

        Raises:
            RulesError: the house does not allow a bet.
        """
        bets = dict(standing)
        wishes: list[Wish] = []
        unmet: list[str] = []
        amounts = {bet: _amount(bet, given) for bet, given in wanted.items()}
        down = {bet: amount for bet, amount in amounts.items() if amount < bets.get(bet, 0)}
        for bet, amount in down.items():  # in the rail before what goes up is paid for
            self.felt.check(point, {**bets, **down, bet: bets[bet]}, bet, amount)
        bets = {bet: amount for bet, amount in (bets | down).items() if amount}
        hoped = dict(bets)
        for bet, amount in amounts.items():
            now = bets.get(bet, 0)
            if amount > now:
                if self.felt.check(point, hoped, bet, amount):
                    fee = self.felt.fee(bet, amount) - (self.felt.fee(bet, now) if now else 0)
                    wishes.append(Wish(bet, amount - now, fee))
                    hoped[bet] = amount
                else:
                    unmet.append(bet)
        return bets, tuple(wishes), tuple(unmet)


def pay_for(seat: Seat, wishes: Sequence[Wish], rail: Money) -> tuple[Seat, tuple[str, ...]]:
    """The seat with the bets that can be paid, and the bets that can't.

    >>> seat = Seat(6, (("pass", 1),), None)
    >>> then, refused = pay_for(seat, [Wish("pass odds", 5, 0), Wish("come", 1, 0)], rail=2)
    >>> then.bets, refused
    ((('come', 1), ('pass', 1)), ('pass odds',))

    Args:
        seat: before the bets.
        wishes: what is wanted, in the order in which it is paid for.
        rail: the money that is not on the felt.
    """
    refused = unpaid(wishes, rail)
    return made(seat, wishes, refused), refused


def unpaid(wishes: Sequence[Wish], rail: Money | None) -> tuple[str, ...]:
    """The bets that can't be paid from what is in the rail, each from what those before it left."""
    refused: list[str] = []
    for bet, more, fee in wishes:
        if rail is not None and more + fee > rail:
            refused.append(bet)
        elif rail is not None:
            rail -= more + fee
    return tuple(refused)


def margins(wishes: Sequence[Wish], rail: Money) -> tuple[Money, Money | None]:
    """How much less there may be in the rail, and how much more is too much, for the same bets to
    be paid and the same not to be; None where all of them are.

    >>> margins([Wish("pass odds", 5, 0), Wish("come", 1, 0)], rail=2)
    (1, 3)
    """
    down: Money = rail
    up: Money | None = None
    for _, more, fee in wishes:
        cost = more + fee
        if cost > rail:
            up = cost - rail if up is None else min(up, cost - rail)
        else:
            rail -= cost
            down = min(down, rail)
    return down, up


def made(seat: Seat, wishes: Sequence[Wish], refused: Collection[str]) -> Seat:
    """The seat with all that is wanted but for what was refused."""
    bets = dict(seat.bets)
    for bet, more, _ in wishes:
        if bet not in refused:
            bets[bet] = bets.get(bet, 0) + more
    return Seat(seat.point, _sorted(bets), *seat[2:])


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
