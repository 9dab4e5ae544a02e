"""The acts, rates and states of a table session."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from sevenout.catalogue.craps_family.table.craps_felt import House
from sevenout.catalogue.craps_family.table.spots import spot
from sevenout.documents.numbers import amount as amount_text
from sevenout.documents.numbers import fixed
from sevenout.documents.numbers import money as money_text
from sevenout.errors import RulesError
from sevenout.rules.casino.betting import Seat, Strategy, TableView
from sevenout.rules.casino.ends import check_count
from sevenout.rules.casino.felt import FeltRoll, Money, whole


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
        raise RulesError(f"tips={rates.tips}; give 0 or more per hour")
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


class SeatedPlayer:
    """Where a player at a table stands.

    Attributes:
        house: the table.
        currency: what a unit is called; "" for units.
    """

    house: House
    currency: str
    _stands: list[Stand]

    @property
    def _now(self) -> Stand:
        return self._stands[-1]

    @property
    def point(self) -> int | None:
        """The point; None on the come-out."""
        return self._now.seat.point

    @property
    def bets(self) -> dict[str, Money]:
        """The standing bets: amounts by name."""
        return dict(sorted(self._now.seat.bets, key=lambda bet: _by_number(bet[0])))

    @property
    def money(self) -> Money:
        """The player's chips, in all."""
        return self._now.money

    @property
    def rail(self) -> Money:
        """The chips in the rail."""
        return whole(Fraction(self.money - self.house.cost(self._now.seat.bets)))

    @property
    def result(self) -> Money:
        """The win or loss, without tips."""
        return self.money + self.tips - self._now.brought

    @property
    def brought(self) -> Money:
        """The chips bought so far."""
        return self._now.brought

    @property
    def tips(self) -> Money:
        """The tips given so far."""
        return self._now.tips

    @property
    def rolls(self) -> int:
        """The number of rolls."""
        return self._now.rolls

    def is_off(self, bet: str) -> bool:
        """Whether a standing bet is off at the next roll."""
        return self.house.is_off(spot(bet), self.point)

    def said(self, money: Money) -> str:
        """An amount in the session's currency: "$25", or "25" without one."""
        if not self.currency:
            return amount_text(money)
        if Fraction(money).denominator == 1:
            return money_text(money, self.currency)
        text = fixed(abs(Fraction(money)), 2)
        last = self.currency[-1:].isalpha()
        said = f"{text} {self.currency}" if last else f"{self.currency}{text}"
        return f"-{said}" if money < 0 else said


def _by_number(bet: str) -> list[tuple[int, str]]:
    """What sorts the 4 before the 10."""
    return [(int(word), "") if word.isdecimal() else (0, word) for word in bet.split()]
