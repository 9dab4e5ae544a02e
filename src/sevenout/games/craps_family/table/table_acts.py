"""What a session at the table is made of: rates by the hour, acts, and where it stands."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sevenout.errors import RulesError
from sevenout.rules.casino.betting import Seat, Strategy, TableView
from sevenout.rules.casino.ends import check_count
from sevenout.rules.casino.felt import FeltRoll, Money


class Rates(NamedTuple):
    """What an hour at the table has, besides bets.

    Attributes:
        pace: rolls per hour.
        tips: money that is given to the dealers in an hour.
        comps: the share of the expected loss that the house gives back.
    """

    pace: int = 100
    tips: Money = 0
    comps: Money = 0


def check_rates(rates: Rates) -> None:
    """Refuse rates that can't be.

    Raises:
        RulesError: no rolls per hour, tips below 0, or comps that are no share.
    """
    check_count("pace", rates.pace)
    if rates.tips < 0:
        raise RulesError(f"tips={rates.tips}; give 0 or more an hour")
    if not 0 <= rates.comps <= 1:
        raise RulesError(f"comps={rates.comps}; give a share of the expected loss, such as 1/5")


class Changed(NamedTuple):
    """What became of a bet.

    Attributes:
        bet: its name.
        was, now: what was on it, and what is.
        said: what the dealer says of it: that it was clipped, or pays less than it might.
    """

    bet: str
    was: Money
    now: Money
    said: tuple[str, ...] = ()


class Stand(NamedTuple):
    """Where a session stands: all that `undo` must bring back.

    Attributes:
        seat: the point and the bets.
        money: in the rail and on the felt.
        brought: all the chips that were bought.
        tips: what was given to the dealers.
        rolls: how many were made.
    """

    seat: Seat
    money: Money
    brought: Money
    tips: Money
    rolls: int


class Act(NamedTuple):
    """Something that was done.

    Attributes:
        line: as it is written.
        before, after: the point and the bets.
        rolled: what it did, if it was a roll.
    """

    line: str
    before: Seat
    after: Seat
    rolled: FeltRoll | None


class ByHand(Strategy):
    """A strategy that wants nothing: what is bet is said from outside."""

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """Nothing but what stands."""
        return {}
