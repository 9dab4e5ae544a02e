"""Betting strategies at a table.

The `felt` knows the bets. Before each roll a *strategy* names the bets it wants:

    class Molly(Strategy):
        def wants(self, table):
            if table.point is None:
                return {"pass": 1}
            return {"come": 1} if len(table.bets) < 3 else {}

A bet that it does not name stays as it is; an amount of 0 takes a bet down. Bets are paid from the
rail in the order given. A bet that can't be paid is not made, and is counted; one that the house
does not allow is an error.

`Bettor` is a strategy at a felt, and `Sitting` an evening in progress, roll by roll.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sevenout.docstrings import own_docstring
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact_money
from sevenout.rolling.throw import Faces, see
from sevenout.rules.casino.ends import ENDS, RUIN, TIME, Ends, bets_to_play_out, unsettled_bets
from sevenout.rules.casino.felt import (
    Bets,
    Felt,
    FeltRoll,
    Money,
    Throw,
    sorted_bets,
)


@dataclass(frozen=True)
class TableView:
    """What a strategy sees before a roll.

    Attributes:
        point: None on the come-out.
        last: the result of the last roll; None before the first.
        purse: the bettor's money, if the strategy looks at it.
        bets: the standing bets, in money by name.
        memory: what the strategy remembers.
    """

    point: int | None
    bets: Mapping[str, Money]
    memory: Any = None
    last: FeltRoll | None = None
    purse: Money | None = None

    @property
    def money(self) -> Money:
        """The bettor's money, in the rail and on the felt.

        Raises:
            RulesError: the strategy has not set `sees_money = True`.
        """
        if self.purse is None:
            raise RulesError("the strategy uses its money; set sees_money = True in its class")
        return self.purse


class Strategy(ABC):
    """A betting strategy.

    Attributes:
        memory: the memory at the start; any hashable value.
        sees_money: whether the bets depend on the bettor's money. Evenings are computed much faster
            if they do not.
        sees_last: whether the bets depend on the last roll other than through the memory. Evenings
            are explored faster if they do not; `wants` then gets None as the last roll, and
            `remembers` still sees it.
        mirrored: whether equally likely numbers (at craps 4 and 10, 5 and 9, 6 and 8) are treated
            alike, and none is remembered. This is faster, too. Such a strategy can't make a bet
            that tells them apart, like the field (it wins on a 9, not on a 5).
    """

    memory: Hashable = None
    sees_money: bool = False
    sees_last: bool = True
    mirrored: bool = False

    @abstractmethod
    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The bets requested before the next roll, in order of importance."""

    def remembers(self, table: TableView) -> Hashable:
        """The memory after a roll; unchanged by default."""
        memory: Hashable = table.memory
        return memory

    def sentences(self) -> Iterable[str]:
        """What it bets, as a player would say it; by default, how its docstring begins."""
        return [" ".join(own_docstring(type(self)).split("\n\n", maxsplit=1)[0].split())]


@dataclass(frozen=True)
class FlatBetting(Strategy):
    """The same amount on one bet, whenever nothing stands.

    Attributes:
        bet: its name.
        amount: the money on it.
    """

    bet: str
    amount: Money

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The bet, made again."""
        return {} if table.bets else {self.bet: self.amount}


class BetRequest(NamedTuple):
    """An amount to add to a bet, and its fee.

    Attributes:
        bet: its name.
        more: money on top of what stands.
        fee: the commission on that.
    """

    bet: str
    more: Money
    fee: Money


class RequestedBets(NamedTuple):
    """What becomes of the bets that a strategy requests.

    Attributes:
        standing: the standing bets, after those are reduced of which less is requested.
        bets: the amounts to add, in the order in which they are paid for.
        unmet: the bets that lack their base bet, such as odds without a pass bet.
        clipped: the bets of which the house takes less than is requested.
    """

    standing: dict[str, Money]
    bets: tuple[BetRequest, ...] = ()
    unmet: tuple[str, ...] = ()
    clipped: tuple[str, ...] = ()


NO_BETS: dict[str, Money] = {}


class Seat(NamedTuple):
    """A bettor's position before a roll, without the money.

    Attributes:
        point: None on the come-out.
        bets: the standing bets, sorted by name.
        memory: what the strategy remembers.
        shooters: how many are out; counted only for an end.
        settled: how many bets are settled; counted only for an end.
    """

    point: int | None
    bets: Bets
    memory: Any
    shooters: int = 0
    settled: int = 0


class RollResult(NamedTuple):
    """The result of a roll, and the bets requested next.

    Attributes:
        rolled: the roll, and what it settled.
        standing: the bets left by the roll, before any is taken down.
        seat: the position after the roll, before new bets.
        requested: what becomes of the bets requested next.
    """

    rolled: FeltRoll
    standing: Bets
    seat: Seat
    requested: RequestedBets


@dataclass(frozen=True)
class Bettor:
    """A strategy at a felt.

    Attributes:
        felt: the bets, and what a roll does to them.
        strategy: names the bets that are wanted before each roll.

    Raises:
        RulesError: something else is in place of one of them.
    """

    felt: Felt
    strategy: Strategy

    def __post_init__(self) -> None:
        if not isinstance(self.strategy, Strategy):
            raise RulesError(
                f"{shown(self.strategy)} is not a strategy; give 'pass', or a Strategy"
            )
        if not isinstance(self.felt, Felt):
            raise RulesError(f"house={shown(self.felt)}; give a House(), with its options")

    @property
    def first_seat(self) -> Seat:
        """The position before the first bets."""
        return Seat(None, (), self.strategy.memory)

    def start(self, money: Money) -> tuple[Seat, RequestedBets]:
        """The first seat, and the bets requested there."""
        seat = self.first_seat
        purse = money if self.strategy.sees_money else None
        table = TableView(seat.point, dict(seat.bets), seat.memory, None, purse)
        requested = self._ask_strategy(table)
        return seat._replace(bets=sorted_bets(requested.standing)), requested

    def play_roll(
        self, seat: Seat, throw: Throw, money: Money | None = None, *, last: bool = False
    ) -> RollResult:
        """The result of a roll in a seat; after the `last` no more bets are requested."""
        table, rolled = self.see_roll(seat, throw, money)
        standing = sorted_bets(table.bets)
        bets, requested = self.request_bets(table, standing, last=last)
        counts = seat.shooters + rolled.out, seat.settled + len(rolled.paid)
        next_seat = Seat(table.point, bets, table.memory, *counts)
        return RollResult(rolled, standing, next_seat, requested)

    def see_roll(
        self, seat: Seat, throw: Throw, money: Money | None = None
    ) -> tuple[TableView, FeltRoll]:
        """What the strategy sees after a roll, and the roll."""
        after = self.felt.roll(seat.point, seat.bets, throw)
        rolled = FeltRoll(throw, after.paid, after.out)
        purse = None if money is None else money + rolled.net
        table = TableView(after.point, after.bets, seat.memory, rolled, purse)
        memory = self.strategy.remembers(table)
        return TableView(after.point, after.bets, memory, rolled, purse), rolled

    def request_bets(
        self, table: TableView, standing: Bets, *, last: bool
    ) -> tuple[Bets, RequestedBets]:
        """The bets left of those `standing`, and those requested; after the `last` roll, none."""
        if last:
            return standing, RequestedBets(NO_BETS)
        requested = self._ask_strategy(table)
        # Most rolls take nothing down, and sorting is slow.
        bets = standing if requested.standing == table.bets else sorted_bets(requested.standing)
        return bets, requested._replace(standing=NO_BETS)  # many of these are kept

    def _ask_strategy(self, table: TableView) -> RequestedBets:
        """What the strategy wants on the table, checked."""
        # What a strategy doesn't see must not make positions differ.
        if table.last is not None and not self.strategy.sees_last:
            table = replace(table, last=None)
        changes = self.strategy.wants(table)
        if not isinstance(changes, Mapping):
            who = type(self.strategy).__name__
            raise RulesError(f"{who} returned {shown(changes)}; give amounts by bet: {{'pass': 5}}")
        return self.check_request(table.point, table.bets, changes)

    def check_request(
        self, point: int | None, standing: Mapping[str, Money], changes: Mapping[str, Any]
    ) -> RequestedBets:
        """What comes of requested bets; of an amount over the limit the dealer gives the rest back.

        Raises:
            RulesError: the house does not allow a bet.
        """
        if not changes:
            return RequestedBets(dict(standing))
        bets = dict(standing)
        added: list[BetRequest] = []
        unmet: list[str] = []
        clipped: list[str] = []
        amounts = {bet: _amount(bet, change) for bet, change in changes.items()}
        for bet, amount in amounts.items():
            # Nothing is taken down, so no other check would meet a misspelt name.
            if not amount and bet not in bets:
                self.felt.check_name(bet)
        down = {bet: amount for bet, amount in amounts.items() if amount < bets.get(bet, 0)}
        for bet, amount in down.items():  # its money is in the rail before other bets are paid for
            self.felt.check(point, {**bets, **down, bet: bets[bet]}, bet, amount)
        if down:
            # A bet of 0 is off the felt.
            bets = {bet: amount for bet, amount in (bets | down).items() if amount}
        with_requests = dict(bets)
        for bet, requested in amounts.items():
            now, amount = bets.get(bet, 0), requested
            max_bet = self.felt.maximum_of(point, with_requests, bet) if requested > now else None
            # The dealer gives back what is too much; 0 means that odds are not possible yet.
            if max_bet and requested > max_bet:
                clipped.append(bet)
                amount = max(now, max_bet)
            if amount <= now:
                continue
            if self.felt.lacks_base(point, with_requests, bet):
                self.felt.check_name(bet)
                unmet.append(bet)
                continue
            self.felt.check(point, with_requests, bet, amount)
            added.append(BetRequest(bet, amount - now, self.felt.added_fee(bet, now, amount)))
            # Odds may be requested together with the bet on which they lean.
            with_requests[bet] = amount
        return RequestedBets(bets, tuple(added), tuple(unmet), tuple(clipped))


def pay_for(
    seat: Seat, requests: Sequence[BetRequest], rail: Money
) -> tuple[Seat, tuple[str, ...]]:
    """The seat with the bets that the rail can pay for in order, and the others.

    >>> seat = Seat(6, (("pass", 1),), None)
    >>> requests = [BetRequest("pass odds", 5, 0), BetRequest("come", 1, 0)]
    >>> paid_seat, refused = pay_for(seat, requests, rail=2)
    >>> paid_seat.bets, refused
    ((('come', 1), ('pass', 1)), ('pass odds',))
    """
    refused = unpaid(requests, rail)
    return seat_with(seat, requests, refused), refused


def unpaid(requests: Sequence[BetRequest], rail: Money | None) -> tuple[str, ...]:
    """The bets that the rail can't pay for in order."""
    refused: list[str] = []
    for bet, more, fee in requests:
        if rail is not None and more + fee > rail:
            refused.append(bet)
        elif rail is not None:
            rail -= more + fee
    return tuple(refused)


def margins(requests: Sequence[BetRequest], rail: Money) -> tuple[Money, Money | None]:
    """How much the rail can change without changing which bets are paid.

    None if all are paid, however large the rail. A rise by the second amount itself is too much.

    >>> margins([BetRequest("pass odds", 5, 0), BetRequest("come", 1, 0)], rail=2)
    (1, 3)
    """
    down: Money = rail
    up: Money | None = None
    for _, more, fee in requests:
        cost = more + fee
        if cost > rail:
            # Once the rail has this much more, the first refused bet is paid.
            up = cost - rail if up is None else min(up, cost - rail)
        else:
            rail -= cost
            # With less than this the last bet that was paid is refused.
            down = min(down, rail)
    return down, up


def seat_with(seat: Seat, requests: Sequence[BetRequest], refused: Collection[str]) -> Seat:
    """The seat with all requested bets except those refused."""
    bets = dict(seat.bets)
    for bet, more, _ in requests:
        if bet not in refused:
            bets[bet] = bets.get(bet, 0) + more
    return Seat(seat.point, sorted_bets(bets), *seat[2:])


def _amount(bet: str, value: Any) -> Money:
    amount = exact_money(value)
    if amount < 0:
        raise RulesError(f"{shown(value)} on {shown(bet)}; bet 0 or more")
    return amount


# --- an evening in progress -----------------------------------------------------------------------


class Moment(NamedTuple):
    """What happened between two rolls.

    Attributes:
        rolled: the result of the roll; None for the first bets.
        money: the bettor's money, in the rail and on the felt.
        end: why the player leaves; None if the player stays.
        clipped: the bets of which the house took less than was requested.
        faces: the dice; empty for the first bets.
        bets_down: the money taken off bets, by name.
        bets_made: the money put on bets, by name.
        refused: the bets that the rail could not pay, or that lack their base bet.
        fees: the commissions paid for new bets.
    """

    faces: Faces
    rolled: FeltRoll | None
    bets_down: Mapping[str, Money]
    bets_made: Mapping[str, Money]
    refused: tuple[str, ...]
    fees: Money
    money: Money
    end: str | None
    clipped: tuple[str, ...] = ()


class Sitting:
    """An evening in progress.

    >>> from sevenout.catalogue.craps_family.craps_felt import House
    >>> from sevenout.catalogue.strategies import strategies
    >>> sitting = Sitting(Bettor(House(), strategies["pass-odds"]), 20)
    >>> sitting.roll((4, 2)).bets_made, sitting.bets
    ({'pass odds': 5}, {'pass': 1, 'pass odds': 5})
    >>> sitting.roll((3, 3)).money, sitting.point
    (27, None)

    Args:
        bettor: the player.
        bankroll: the money at the start.
        ends: when the player leaves; only when ruined by default.

    Attributes:
        money: the player's money, in the rail and on the felt.
        seat: the point, the standing bets and the memory.
        end: why the player left; None if the player is still there.
        playing_out: whether only standing bets are played out.
        moments: what happened between two rolls; the first is of the first bets.
    """

    def __init__(self, bettor: Bettor, bankroll: Number, ends: Ends | None = None) -> None:
        self.bettor, self.bankroll = bettor, exact_money(bankroll)
        self.ends = ends or Ends()
        seat, requested = bettor.start(self.bankroll)
        self.money: Money = self.bankroll
        self.seat = seat
        self.end: str | None = None
        self.playing_out = False
        self.moments: list[Moment] = []
        self._bet((), None, {}, requested)

    @property
    def point(self) -> int | None:
        """The point; None on the come-out."""
        return self.seat.point

    @property
    def bets(self) -> dict[str, Money]:
        """The standing bets."""
        return dict(self.seat.bets)

    @property
    def rail(self) -> Money:
        """The money in the rail."""
        return self.money - self.bettor.felt.cost(self.seat.bets)

    @property
    def rolls(self) -> int:
        """The rolls made, without those that play out bets."""
        rolls = len(self.moments) - 1
        return rolls if self.ends.rolls is None else min(rolls, self.ends.rolls)

    def roll(self, faces: Any) -> Moment:
        """Play a roll of these faces, then make the next bets.

        Raises:
            RulesError: the player has left.
            NotationError: the dice have no such faces.
        """
        if self.end is not None:
            raise RulesError(f"the evening is over: {self.end}")
        felt = self.bettor.felt
        roll = see(felt.dice, faces)
        throw = felt.throw_of(self.seat.bets, roll)
        if self.playing_out:
            return self._play_out(roll.faces, throw)
        sees_money = self.bettor.strategy.sees_money
        rolls = self.rolls + 1
        # After the last roll nothing is bet.
        last = rolls == self.ends.rolls
        money = self.money if sees_money else None
        rolled, standing, seat, requested = self.bettor.play_roll(
            self.seat, throw, money, last=last
        )
        self.money += rolled.net
        end = self.ends.after_roll(self.money, rolls=rolls, shooters=seat.shooters)
        self.seat = seat
        # The end of the bets waits until the player bets again: one who can't is ruined.
        if end is None and self.ends.all_bets_settled(seat.settled):
            paid, refused = pay_for(seat, requested.bets, self.rail)
            end = self.ends.before_bets(seat.settled, broke=bool(refused) and not paid.bets)
        if end is not None:
            self.end = ENDS[end]
            return self._leave(roll.faces, rolled, standing)
        bets_down = _taken_down(standing, seat.bets)
        self._bet(roll.faces, rolled, bets_down, requested)
        return self.moments[-1]

    def _bet(
        self,
        faces: Faces,
        rolled: FeltRoll | None,
        bets_down: Mapping[str, Money],
        requested: RequestedBets,
    ) -> None:
        """Make the bets that the rail can pay for, and note what happened since the last roll."""
        self.seat, refused = pay_for(self.seat, requested.bets, self.rail)
        paid = [request for request in requested.bets if request.bet not in refused]
        bets_made = {request.bet: request.more for request in paid}
        fees = sum(request.fee for request in paid)
        # Nothing stands and nothing can be paid: the player is ruined.
        if refused and not self.seat.bets:
            self.end = ENDS[RUIN]
        self.moments.append(
            Moment(
                faces,
                rolled,
                bets_down,
                bets_made,
                (*refused, *requested.unmet),
                fees,
                self.money,
                self.end,
                requested.clipped,
            )
        )

    def _leave(self, faces: Faces, rolled: FeltRoll, bets: Bets) -> Moment:
        """Leave, or play out what stands."""
        in_play = bets
        if self.end == ENDS[TIME] and self.ends.standing != "staked":
            _, in_play = bets_to_play_out(
                self.bettor.felt, (self.seat.point, bets), self.ends.standing
            )
            self.playing_out = bool(in_play)
            self.end = None if in_play else self.end
        return self._keep_bets(faces, rolled, bets, in_play)

    def _play_out(self, faces: Faces, throw: Throw) -> Moment:
        after = self.bettor.felt.roll(self.point, self.seat.bets, throw)
        bets = sorted_bets(after.bets)
        in_play = sorted_bets(unsettled_bets(after.bets, after.paid))
        rolled = FeltRoll(throw, after.paid, after.out)
        self.money += rolled.net
        self.end = None if in_play else ENDS[TIME]
        self.seat = self.seat._replace(point=after.point)
        return self._keep_bets(faces, rolled, bets, in_play)

    def _keep_bets(self, faces: Faces, rolled: FeltRoll, bets: Bets, kept: Bets) -> Moment:
        """Keep some bets and make no new one."""
        self.seat = self.seat._replace(bets=kept)
        moment = Moment(faces, rolled, _taken_down(bets, kept), {}, (), 0, self.money, self.end)
        self.moments.append(moment)
        return moment


def _taken_down(before: Bets, after: Bets) -> dict[str, Money]:
    """The amounts taken off bets."""
    kept = dict(after)
    return {bet: amount - kept.get(bet, 0) for bet, amount in before if kept.get(bet, 0) < amount}
