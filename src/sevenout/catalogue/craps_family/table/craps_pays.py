"""The payments of a craps felt, as printed on the layout."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import lcm

from sevenout.catalogue.craps_family.bets.side import SIDE
from sevenout.catalogue.craps_family.table.craps_felt import House
from sevenout.catalogue.craps_family.table.spots import BONUS, made_as, spot, switch, switchable
from sevenout.documents.numbers import odds
from sevenout.numerals import exact
from sevenout.rules.casino.felt import Money
from sevenout.rules.game import bets_of


@lru_cache(maxsize=5_000)
def pays(house: House, point: int | None, bet: str, amount: Money | None = None) -> str:
    """What an amount wins, after commission and rounding, to the amount: "69 to 35".

    Without an amount, what the layout prints: the odds before rounding. "" if the number is not
    known yet.

    >>> [pays(House(), 6, bet) for bet in ("place 8", "pass odds", "field", "small 3")]
    ['7 to 6', '6 to 5', '1 to 1, 2 to 1 or 3 to 1', '34 to 1']
    >>> [pays(House(), 6, *bet) for bet in (("buy 4", 35), ("lay 4", 60), ("place 8", 5))]
    ['69 to 35', '29 to 60', '1 to 1']

    Raises:
        RulesError: there is no such bet.
    """
    if amount is None:
        shares = set(_profits(replace(house, breakage=0), point, bet, 1))
    else:
        shares = {profit / Fraction(amount) for profit in _profits(house, point, bet, amount)}
    *most, last = [odds(share) for share in sorted(shares)] or [""]
    return f"{', '.join(most)} or {last}" if most else last


@lru_cache(maxsize=5_000)
def whole_unit(house: House, point: int | None, bet: str) -> int | None:
    """The amount whose multiples win without rounding; None if unknown.

    >>> [whole_unit(House(), 6, bet) for bet in ("place 8", "pass odds", "horn", "buy 4", "all")]
    [6, 5, 4, None, 1]
    """
    profits = list(_profits(replace(house, breakage=0), point, bet, 1))
    if not profits or spot(bet).kind in ("buy", "lay") or exact(house.breakage) not in (0, 1):
        return None
    return lcm(*(profit.denominator for profit in profits))


def _profits(house: House, point: int | None, bet: str, amount: Money) -> Iterator[Fraction]:
    """The possible profits of an amount on a bet: the house settles every roll that wins."""
    plain, what = switch(bet)[0], spot(switch(bet)[0])
    if what.kind in BONUS:
        yield exact(house.win(amount, house.bonus[list(BONUS).index(what.kind)]))
    elif what.kind == "side":
        game = (SIDE | dict(house.side))[made_as(plain)]
        for row in game.pays_of(bets_of(game)[0]):
            if row.profit > 0:
                yield exact(house.win(amount, row.profit / row.stake))
    elif not what.odds or what.number or point:
        # A bet that is off on the come-out is asked for its pay all the same.
        stands = ((f"{plain} on" if switchable(what) else plain, amount),)
        for throw in house.throws(stands):
            paid = house.roll(point, stands, throw)[2]
            yield from (exact(each.profit) for each in paid if each.profit > 0)
