"""An evening in progress, roll by roll."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sevenout.errors import RulesError
from sevenout.rolling.throw import Faces, see
from sevenout.rules.casino.betting import Bettor, Wished, pay_for
from sevenout.rules.casino.ends import ENDS, RUIN, TIME, Ends
from sevenout.rules.casino.felt import Bets, FeltRoll, Money, Throw
from sevenout.rules.casino.standing import kept, once


class Moment(NamedTuple):
    """What happened between two rolls.

    Attributes:
        rolled: the result of the roll; None for the first bets.
        money: the bettor's money, in the rail and on the felt.
        end: why the player leaves; None if the player stays.
        clipped: the bets of which the house took less than was wanted.
    """

    faces: Faces
    rolled: FeltRoll | None
    down: Mapping[str, Money]
    made: Mapping[str, Money]
    refused: tuple[str, ...]
    fees: Money
    money: Money
    end: str | None
    clipped: tuple[str, ...] = ()


class Sitting:
    """An evening in progress.

    >>> from sevenout.catalogue.craps_family.table.craps_felt import House
    >>> from sevenout.catalogue.strategies import strategies
    >>> sitting = Sitting(Bettor(House(), strategies["pass-odds"]), 20)
    >>> sitting.roll((4, 2)).made, sitting.bets
    ({'pass odds': 5}, {'pass': 1, 'pass odds': 5})
    >>> sitting.roll((3, 3)).money, sitting.point
    (27, None)

    Args:
        ends: when the player leaves; only when ruined by default.

    Attributes:
        playing_out: whether only standing bets are played out.
    """

    def __init__(self, bettor: Bettor, bankroll: Money, ends: Ends | None = None) -> None:
        self.bettor, self.bankroll = bettor, bankroll
        self.ends = ends or Ends()
        seat, wished = bettor.start(bankroll)
        self.money: Money = bankroll
        self.seat = seat
        self.end: str | None = None
        self.playing_out = False
        self.moments: list[Moment] = []
        self._bet((), None, {}, wished)

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
        made = len(self.moments) - 1
        return made if self.ends.rolls is None else min(made, self.ends.rolls)

    def roll(self, given: Any) -> Moment:
        """Play a roll of these faces, then make the next bets.

        Raises:
            RulesError: the player has left.
            NotationError: the dice have no such faces.
        """
        if self.end is not None:
            raise RulesError(f"the evening is over: {self.end}")
        felt = self.bettor.felt
        roll = see(felt.dice, given)
        throw = felt.throw_of(self.seat.bets, roll)
        if self.playing_out:
            return self._play_out(roll.faces, throw)
        sees = self.bettor.strategy.sees_money
        rolls = self.rolls + 1
        last = rolls == self.ends.rolls
        after = self.bettor.after(self.seat, throw, self.money if sees else None, last=last)
        self.money += after.gain
        end = self.ends.rolled(self.money, rolls=rolls, shooters=after.seat.shooters)
        self.seat = after.seat
        if end is None and self.ends.settled(after.seat.rounds):
            paid, refused = pay_for(self.seat, after.wished.wishes, self.rail)
            end = self.ends.betting(after.seat.rounds, broke=bool(refused) and not paid.bets)
        if end is not None:
            self.end = ENDS[end]
            return self._leave(roll.faces, after.rolled, after.standing)
        down = _down(after.standing, after.seat.bets)
        self._bet(roll.faces, after.rolled, down, after.wished)
        return self.moments[-1]

    def _bet(
        self,
        faces: Faces,
        rolled: FeltRoll | None,
        down: Mapping[str, Money],
        wished: Wished,
    ) -> None:
        self.seat, refused = pay_for(self.seat, wished.wishes, self.rail)
        paid = [wish for wish in wished.wishes if wish.bet not in refused]
        made, fees = {wish.bet: wish.more for wish in paid}, sum(wish.fee for wish in paid)
        if refused and not self.seat.bets:
            self.end = ENDS[RUIN]
        missed, clipped = (*refused, *wished.unmet), wished.clipped
        self.moments.append(
            Moment(faces, rolled, down, made, missed, fees, self.money, self.end, clipped)
        )

    def _leave(self, faces: Faces, rolled: FeltRoll, bets: Bets) -> Moment:
        """Leave, or play out what stands."""
        left = bets
        if self.end == ENDS[TIME] and self.ends.standing != "staked":
            _, left = kept(self.bettor.felt, (self.seat.point, bets), self.ends.standing)
            self.playing_out = bool(left)
            self.end = None if left else self.end
        return self._stays(faces, rolled, bets, left)

    def _play_out(self, faces: Faces, throw: Throw) -> Moment:
        point, standing, paid, out = self.bettor.felt.roll(self.point, self.seat.bets, throw)
        bets, left = (tuple(sorted(b.items())) for b in (standing, once(standing, paid)))
        rolled = FeltRoll(throw, paid, out)
        self.money += rolled.net
        self.end = None if left else ENDS[TIME]
        self.seat = self.seat._replace(point=point)
        return self._stays(faces, rolled, bets, left)

    def _stays(self, faces: Faces, rolled: FeltRoll, bets: Bets, left: Bets) -> Moment:
        """The moment when some bets stay and no new one is made."""
        self.seat = self.seat._replace(bets=left)
        now = Moment(faces, rolled, _down(bets, left), {}, (), 0, self.money, self.end)
        self.moments.append(now)
        return now


def _down(before: Bets, after: Bets) -> dict[str, Money]:
    """The amounts taken off bets."""
    left = dict(after)
    return {bet: amount - left.get(bet, 0) for bet, amount in before if left.get(bet, 0) < amount}
