"""The acts, rates and states of a table session."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sevenout.errors import RulesError
from sevenout.rules.casino.betting import Seat, Strategy, TableView
from sevenout.rules.casino.ends import check_count
from sevenout.rules.casino.felt import FeltRoll, Money


class Rates(NamedTuple):
    """Rates of an hour at the table.

    Attributes:
        pace: rolls per hour.
        tips: money for the dealers per hour.
        comps: the share of the expected loss that the house returns.
    """

    pace: int = 100
    tips: Money = 0
    comps: Money = 0


def check_rates(rates: Rates) -> None:
    """Refuse impossible rates.

    Raises:
        RulesError: `pace` not positive, tips below 0, or comps outside 0 to 1.
    """
    check_count("pace", rates.pace)
    if rates.tips < 0:
        raise RulesError(f"tips={rates.tips}; give 0 or more an hour")
    if not 0 <= rates.comps <= 1:
        raise RulesError(f"comps={rates.comps}; give a share of the expected loss, such as 1/5")


class Changed(NamedTuple):
    """A changed bet.

    Attributes:
        was, now: the amounts before and after.
        said: the dealer's remark, if it was clipped or is not paid in full.
    """

    bet: str
    was: Money
    now: Money
    said: tuple[str, ...] = ()


class Stand(NamedTuple):
    """A state of a session, for `undo`.

    Attributes:
        seat: the point and the bets.
        money: in the rail and on the felt.
        brought: the chips bought so far.
        tips: given to the dealers so far.
    """

    seat: Seat
    money: Money
    brought: Money
    tips: Money
    rolls: int


class Act(NamedTuple):
    """An act in a session.

    Attributes:
        rolled: the result, if it was a roll.
    """

    line: str
    before: Seat
    after: Seat
    rolled: FeltRoll | None


class ByHand(Strategy):
    """A strategy without wishes, for bets made from outside."""

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """No changes."""
        return {}
