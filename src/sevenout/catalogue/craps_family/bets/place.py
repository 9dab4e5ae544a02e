"""Craps bets on one number before the 7: place, buy, lay, big 6 and 8, hardways."""

from fractions import Fraction
from functools import partial

from sevenout.catalogue.craps_family.table.craps_table import (
    TOTALS,
    TWO_DICE,
    WIZARD,
    BetReading,
    a_point,
    true_odds,
)
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError
from sevenout.numerals import Number, exact
from sevenout.rolling import Roll
from sevenout.rules import Wager

PLACE = {4: "9/5", 5: "7/5", 6: "7/6", 8: "7/6", 9: "7/5", 10: "9/5"}
PLACE_TO_LOSE = {4: "5/11", 5: "5/8", 6: "4/5", 8: "4/5", 9: "5/8", 10: "5/11"}
COMMISSION = Fraction(1, 20)


def place(number: int = 6) -> Wager:
    """The number comes before a 7. Pays 9 to 5 on 4 and 10, 7 to 5 on 5 and 9, 7 to 6 on 6 and
    8.
    """
    return Wager(TOTALS, {a_point(number): PLACE[number], 7: -1}, bet="place")


def place_to_lose(number: int = 6) -> Wager:
    """A 7 comes before the number. Pays 5 to 11 against 4 and 10, 5 to 8 against 5 and 9, 4 to 5
    against 6 and 8.
    """
    return Wager(TOTALS, {7: PLACE_TO_LOSE[a_point(number)], number: -1}, bet="place to lose")


def big(number: int = 6) -> Wager:
    """Big 6 and big 8: the number comes before a 7, for even money."""
    if number not in (6, 8):
        raise RulesError(f"number={number}; the big numbers are 6 and 8")
    return Wager(TOTALS, {number: 1, 7: -1}, bet="big")


def buy(
    number: int = 4, commission: Number = COMMISSION, on_win: bool = False, amount: Number = 1
) -> Wager:
    """The number comes before a 7, at true odds less a commission: below 1 it is a share of the
    bet, from 1 on it is money, such as $1 on an amount of $25. It is paid up front, and is then
    part of the stake whether the bet wins or loses; or, with `on_win`, taken from a win only. The
    stake is what the player puts down: the bet and a commission that is paid up front.
    """
    staked = _staked(amount)
    charge = commission_on(staked, commission)
    win = staked * true_odds(a_point(number)) - charge
    stake = staked if on_win else staked + charge
    return Wager(TOTALS, {number: win, 7: -stake}, bet="buy", stake=stake)


def lay(
    number: int = 4, commission: Number = COMMISSION, on_win: bool = False, amount: Number = 1
) -> Wager:
    """A 7 comes before the number, at true odds less a commission: below 1 it is a share of the
    win, from 1 on it is money. It is paid up front, and is then part of the stake whether the bet
    wins or loses; or, with `on_win`, taken from a win only.
    """
    staked = _staked(amount)
    full = staked / true_odds(a_point(number))
    charge = commission_on(full, commission)
    stake = staked if on_win else staked + charge
    return Wager(TOTALS, {7: full - charge, number: -stake}, bet="lay", stake=stake)


def commission_on(charged: Fraction, commission: Number, breakage: Number = 0) -> Fraction:
    """The commission on an amount: of the bet for a buy bet, of the win for a lay bet.

    >>> commission_on(Fraction(35), "1/20"), commission_on(Fraction(35), "1/20", 1)
    (Fraction(7, 4), Fraction(1, 1))
    >>> commission_on(Fraction(35), 2)
    Fraction(2, 1)

    Args:
        charged: the bet or the win.
        commission: a share of it if below 1; money from 1 on.
        breakage: the house rounds down to multiples of this, and takes one at least; 0 for neither.

    Raises:
        RulesError: a commission below 0.
    """
    share = exact(commission)
    if share < 0:
        raise RulesError(f"commission={commission}; charge 0 or more")
    if not share:
        return share
    charge = charged * share if share < 1 else share
    unit = exact(breakage)
    return max(charge // unit * unit, unit) if unit else charge


def _staked(amount: Number) -> Fraction:
    staked = exact(amount)
    if staked <= 0:
        raise RulesError(f"amount={amount}; bet more than 0")
    return staked


def hardway(number: int = 6, pays: Number | None = None) -> Wager:
    """The number comes as a double before it comes the easy way and before a 7. Pays 7 to 1 on 4
    and 10 and 9 to 1 on 6 and 8 by default; British and Australian tables pay half a
    unit more.
    """
    if number not in (4, 6, 8, 10):
        raise RulesError(f"number={number}; the hard ways are 4, 6, 8 and 10")
    odds = pays if pays is not None else 7 if number in (4, 10) else 9
    wins = {f"hard {number}": odds, f"easy {number}": -1, "7": -1}
    return Wager(TWO_DICE.read(BetReading(_way, (number,))), wins, bet="hardway")


def _way(roll: Roll, number: int) -> str:
    if roll.total == number:
        return f"hard {number}" if roll.hard else f"easy {number}"
    return "7" if roll.total == 7 else "no decision"


entry = partial(Entry, family="Craps", source=WIZARD)

# fmt: off
CHARGED = {("buy", 4, "up-front"): "1/21", ("lay", 4, "up-front"): "1/41",
           ("lay", 4, "on-win"): "1/60", ("buy", 5, "on-win"): "1/50", ("lay", 5, "on-win"): "1/50",
           ("buy", 6, "up-front"): "1/21", ("lay", 6, "up-front"): "1/25"}
"""The published edges of bets with a commission."""

ENTRIES = [
    entry("place-4-10", "Place 4/10", place, {"number": 4}, bet="place", edge="1/15"),
    entry("place-5-9", "Place 5/9", place, {"number": 5}, bet="place"),
    entry("place-6-8", "Place 6/8", place, {"number": 6}, bet="place", edge="1/66"),
    entry("place-to-lose-4-10", "Place to lose 4/10",
          place_to_lose, {"number": 4}, bet="place to lose"),
    entry("place-to-lose-5-9", "Place to lose 5/9",
          place_to_lose, {"number": 5}, bet="place to lose", edge="1/40"),
    entry("place-to-lose-6-8", "Place to lose 6/8",
          place_to_lose, {"number": 6}, bet="place to lose", edge="1/55"),
    *(entry(f"{bet}-{a}-{b}-{when}", f"{bet.title()} {a}/{b} (5% {said})",
            build, {"number": a} | ({"on_win": True} if when == "on-win" else {}),
            bet=bet, edge=CHARGED.get((bet, a, when)))
      for a, b in ((4, 10), (5, 9), (6, 8))
      for bet, build, when, said in (
          ("buy", buy, "up-front", "up front"), ("buy", buy, "on-win", "on win only"),
          ("lay", lay, "up-front", "of win up front"), ("lay", lay, "on-win", "on win only"))),
    entry("buy-4-10-25-1-up-front", "Buy 4/10 $25 for $1 vig up front",
          buy, {"number": 4, "commission": 1, "amount": 25}, bet="buy", edge="1/26"),
    entry("buy-4-10-25-1-on-win", "Buy 4/10 $25, $1 vig on win",
          buy, {"number": 4, "commission": 1, "on_win": True, "amount": 25},
          bet="buy", edge="1/75"),
    entry("big-6-big-8", "Big 6 / Big 8", big, {"number": 6}, bet="big", edge="1/11"),
    entry("hardway-4-10", "Hardway 4/10", hardway, {"number": 4}, bet="hardway"),
    entry("hardway-6-8", "Hardway 6/8", hardway, {"number": 6}, bet="hardway", edge="1/11"),
    entry("hardway-4-10-7-5-1", "Hardway 4/10 (7.5:1)",
          hardway, {"number": 4, "pays": "15/2"}, bet="hardway", edge="1/18"),
    entry("hardway-6-8-9-5-1", "Hardway 6/8 (9.5:1)",
          hardway, {"number": 6, "pays": "19/2"}, bet="hardway"),
]
# fmt: on
