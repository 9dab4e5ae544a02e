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
from sevenout.rules.game import bets_of


@lru_cache(maxsize=5_000)
def pays(house: House, point: int | None, bet: str) -> str:
    """The win after commission, before rounding; "" if the number is not known yet.

    >>> [pays(House(), 6, bet) for bet in ("place 8", "pass odds", "field", "buy 4", "small 3")]
    ['7 to 6', '6 to 5', '1 to 1, 2 to 1 or 3 to 1', '39 to 20', '34 to 1']

    Raises:
        RulesError: there is no such bet.
    """
    *most, last = [odds(profit) for profit in sorted(set(_profits(house, point, bet)))] or [""]
    return f"{', '.join(most)} or {last}" if most else last


@lru_cache(maxsize=5_000)
def whole_unit(house: House, point: int | None, bet: str) -> int | None:
    """The amount whose multiples win without rounding; None if unknown.

    >>> [whole_unit(House(), 6, bet) for bet in ("place 8", "pass odds", "horn", "buy 4", "all")]
    [6, 5, 4, None, 1]
    """
    profits = list(_profits(house, point, bet))
    if not profits or spot(bet).kind in ("buy", "lay") or exact(house.breakage) not in (0, 1):
        return None
    return lcm(*(profit.denominator for profit in profits))


def _profits(house: House, point: int | None, bet: str) -> Iterator[Fraction]:
    """The possible profits of a unit bet."""
    plain, what = switch(bet)[0], spot(switch(bet)[0])
    if what.kind in BONUS:
        yield exact(house.bonus[list(BONUS).index(what.kind)])
    elif what.kind == "side":
        game = (SIDE | dict(house.side))[made_as(plain)]
        rows = game.pays_of(bets_of(game)[0])
        yield from (row.profit / row.stake for row in rows if row.profit > 0)
    elif not what.odds or what.number or point:
        unrounded = replace(house, breakage=0)
        works = ((f"{plain} on" if switchable(what) else plain, Fraction(1)),)
        for throw in house.throws(works):
            paid = unrounded.roll(point, works, throw)[2]
            yield from (exact(each.profit) for each in paid if each.profit > 0)
