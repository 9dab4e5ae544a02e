"""Craps bets other than the line: numbers, propositions, bonus bets, repeaters, bets on the hand.

`SIDE_BETS` holds those that a felt pays as games. A house may pay them differently:
`House(side={"fire": fire({4: 9, 5: 199})})`.
"""

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple

from sevenout.catalogue.craps_family.craps import craps, dont_pass
from sevenout.catalogue.dice_and_odds import (
    FACE_PAIRS,
    POINTS,
    TOTALS,
    TWO_DICE,
    WIZARD,
    BetReading,
    checked_faces,
    checked_point,
    true_odds,
)
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.numerals import Number, exact
from sevenout.rolling import Roll, Rollable
from sevenout.rules import (
    Checklist,
    Game,
    Outcome,
    Part,
    PayTable,
    PointGame,
    Surrender,
    Wager,
    settle,
)
from sevenout.rules.casino.felt import STATE_MARK, Ongoing
from sevenout.rules.game import bets_of
from sevenout.rules.modified_games import LEAVE, RIDE
from sevenout.rules.point_games import PointsMade

entry = partial(Entry, family="Craps", source=WIZARD)

# --- a number before the 7: place, buy, lay, big, hardways ----------------------------------------

PLACE = {4: "9/5", 5: "7/5", 6: "7/6", 8: "7/6", 9: "7/5", 10: "9/5"}
PLACE_TO_LOSE = {4: "5/11", 5: "5/8", 6: "4/5", 8: "4/5", 9: "5/8", 10: "5/11"}
"""The payments to 1, by number."""
COMMISSION = Fraction(1, 20)
HORN = (2, 3, 11, 12)
"""The totals of a horn."""


def place(number: int = 6) -> Wager:
    """The number comes before a 7. Pays 9 to 5 on 4 and 10, 7 to 5 on 5 and 9, 7 to 6 on 6 and
    8.
    """
    return Wager(TOTALS, {checked_point(number): PLACE[number], 7: -1}, bet="place")


def place_to_lose(number: int = 6) -> Wager:
    """A 7 comes before the number. Pays 5 to 11 against 4 and 10, 5 to 8 against 5 and 9, 4 to 5
    against 6 and 8.
    """
    return Wager(TOTALS, {7: PLACE_TO_LOSE[checked_point(number)], number: -1}, bet="place to lose")


def big(number: int = 6) -> Wager:
    """Big 6 and big 8: the number comes before a 7, for even money."""
    if number not in (6, 8):
        raise RulesError(f"number={shown(number)}; the big numbers are 6 and 8")
    return Wager(TOTALS, {number: 1, 7: -1}, bet="big")


def buy(
    number: int = 4, commission: Number = COMMISSION, on_win: bool = False, amount: Number = 1
) -> Wager:
    """The number comes before a 7, at true odds less a commission: below 1 it is a share of the
    bet, from 1 on it is money, such as $1 on an amount of $25. It is paid up front, and is then
    part of the stake whether the bet wins or loses; or, with `on_win`, taken from a win only. The
    stake is what the player puts down: the bet and a commission that is paid up front.
    """
    return _bet_with_commission("buy", number, commission, on_win, amount)


def lay(
    number: int = 4, commission: Number = COMMISSION, on_win: bool = False, amount: Number = 1
) -> Wager:
    """A 7 comes before the number, at true odds less a commission: below 1 it is a share of the
    win, from 1 on it is money. It is paid up front, and is then part of the stake whether the bet
    wins or loses; or, with `on_win`, taken from a win only.
    """
    return _bet_with_commission("lay", number, commission, on_win, amount)


def _bet_with_commission(
    kind: str, number: int, commission: Number, on_win: bool, amount: Number
) -> Wager:
    """A buy or lay bet."""
    placed = checked_amount(amount)
    paid = payment_with_commission(
        kind, checked_point(number), placed, 0, commission, up_front=not on_win
    )
    stake = placed if on_win else placed + paid.charge
    winner, loser = (7, number) if kind == "lay" else (number, 7)
    return Wager(TOTALS, {winner: paid.profit, loser: -stake}, bet=kind, stake=stake)


class Payment(NamedTuple):
    """The payment of an amount that wins.

    Attributes:
        profit: the profit, after breakage and commission.
        charge: the commission in full; up front it is put down beside the bet.
    """

    profit: Fraction
    charge: Fraction


@lru_cache(maxsize=100_000)
def payment(
    amount: Number,
    odds: Number,
    breakage: Number = 0,
    commission: Number = 0,
    *,
    charged: Literal["bet", "win"] = "bet",
    up_front: bool = False,
) -> Payment:
    """The payment of an amount that wins, for every bet of the felt and of the catalogue.

    >>> payment(5, "7/6", 1), payment(5, "7/6").profit
    (Payment(profit=Fraction(5, 1), charge=Fraction(0, 1)), Fraction(35, 6))
    >>> payment(35, 2, 0, "1/20").profit, payment(35, 2, 1, "1/20").profit
    (Fraction(273, 4), Fraction(69, 1))

    Args:
        amount: the bet.
        odds: what it is paid, to 1.
        breakage: the house rounds wins and commissions down to multiples of this, and takes one
            multiple of commission at least; 0 for neither.
        commission: a share below 1 of what is charged; money from 1 on.
        charged: whether the share is of the bet, as for a buy bet, or of the win, as for a lay.
        up_front: whether the commission is put down with the bet, and not taken from a win.

    Raises:
        RulesError: a commission below 0.
    """
    stake, rate, unit = exact(amount), exact(commission), exact(breakage)
    if rate < 0:
        raise RulesError(f"commission={shown(commission)}; charge 0 or more")
    win = stake * exact(odds)
    charge = rate if rate >= 1 else rate * (stake if charged == "bet" else win)
    if unit:
        win = win // unit * unit
        charge = max(charge // unit * unit, unit) if rate else charge
    # A commission up front is put down beside the bet; one on a win takes no more than the win.
    return Payment(win - (charge if up_front else min(win, charge)), charge)


def payment_with_commission(
    kind: str, number: int, amount: Number, breakage: Number, commission: Number, *, up_front: bool
) -> Payment:
    """The payment of a buy or lay bet that wins; a lay bet is charged for its win."""
    odds, rules = true_odds(number), (breakage, commission)
    if kind == "lay":
        return payment(amount, 1 / odds, *rules, charged="win", up_front=up_front)
    return payment(amount, odds, *rules, up_front=up_front)


def checked_amount(amount: Number) -> Fraction:
    """An amount, checked to be above 0."""
    stake = exact(amount)
    if stake <= 0:
        raise RulesError(f"amount={shown(amount)}; bet more than 0")
    return stake


def _or_usual(pays: Number | None, usual: Number | None, bet: str) -> Number:
    """The payment that is given, or else the usual one.

    Raises:
        RulesError: there is neither.
    """
    if pays is None and usual is None:
        raise RulesError(f"{bet} has no usual pay; give pays=")
    return usual if pays is None else pays  # type: ignore[return-value]


def hardway(number: int = 6, pays: Number | None = None) -> Wager:
    """The number comes as a double before it comes the easy way and before a 7. Pays 7 to 1 on 4
    and 10 and 9 to 1 on 6 and 8 by default; British and Australian tables pay half a
    unit more.
    """
    if number not in (4, 6, 8, 10):
        raise RulesError(f"number={shown(number)}; the hard ways are 4, 6, 8 and 10")
    # A hard 4 can come in one way and a hard 6 too, but a 6 comes the easy way more often.
    odds = _or_usual(pays, 7 if number in (4, 10) else 9, "hardway")
    wins = {f"hard {number}": odds, f"easy {number}": -1, "7": -1}
    return Wager(TWO_DICE.read(BetReading(_hard_or_easy, (number,))), wins, bet="hardway")


def _hard_or_easy(roll: Roll, number: int) -> str:
    """What a roll is to a hard way bet on a number."""
    if roll.total == number:
        return f"hard {number}" if roll.hard else f"easy {number}"
    return "7" if roll.total == 7 else "no decision"


# fmt: off
COMMISSION_EDGES = {
    ("buy", 4, "up-front"): "1/21", ("lay", 4, "up-front"): "1/41",
    ("lay", 4, "on-win"): "1/60", ("buy", 5, "on-win"): "1/50", ("lay", 5, "on-win"): "1/50",
    ("buy", 6, "up-front"): "1/21", ("lay", 6, "up-front"): "1/25",
}
"""The published edges of bets with a commission, by bet, number and when it is paid."""

PLACE_BETS = [
    entry("place-4-10", "Place 4/10", place, {"number": 4}, bet="place", edge="1/15"),
    entry("place-5-9", "Place 5/9", place, {"number": 5}, bet="place"),
    entry("place-6-8", "Place 6/8", place, {"number": 6}, bet="place", edge="1/66"),
    entry("place-to-lose-4-10", "Place to lose 4/10",
          place_to_lose, {"number": 4}, bet="place to lose"),
    entry("place-to-lose-5-9", "Place to lose 5/9",
          place_to_lose, {"number": 5}, bet="place to lose", edge="1/40"),
    entry("place-to-lose-6-8", "Place to lose 6/8",
          place_to_lose, {"number": 6}, bet="place to lose", edge="1/55"),
    *(entry(f"{bet}-{a}-{b}-{when}", f"{bet.title()} {a}/{b} (5% {charged})",
            build, {"number": a} | ({"on_win": True} if when == "on-win" else {}),
            bet=bet, edge=COMMISSION_EDGES.get((bet, a, when)))
      for a, b in ((4, 10), (5, 9), (6, 8))
      for bet, build, when, charged in (
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


# --- the next roll: field, seven, craps, hops, horns, iron cross ----------------------------------

Totals = int | tuple[int, ...]


def field(
    two: Number = 2, twelve: Number = 2, wins: tuple[int, ...] = (2, 3, 4, 9, 10, 11, 12)
) -> Wager:
    """The next total is one of the field, 2, 3, 4, 9, 10, 11 and 12 by default. Pays
    even money, but `two` to 1 on a 2 and `twelve` to 1 on a 12.
    """
    # Both have pays of their own, which would be lost.
    if not {2, 12} <= set(wins):
        raise RulesError(f"wins={shown(wins)}; 2 and 12 are always in the field")
    plain = tuple(total for total in wins if total not in (2, 12))
    pays: dict[Totals, Number] = {plain: 1} if plain else {}
    pays |= {(2, 12): two} if two == twelve else {2: two, 12: twelve}
    return Wager.one_roll(TOTALS, pays, bet="field")


def next_total(totals: Totals = 7, pays: Number | None = None) -> Wager:
    """The next total is the one that is named, or one of several. Pays what the table says: 4 to 1
    on any seven and 7 to 1 on any craps (2, 3 or 12), for instance.
    """
    odds = _or_usual(pays, {7: 4, (2, 3, 12): 7}.get(totals), f"totals={shown(totals)}")
    return Wager.one_roll(TOTALS, {totals: odds}, bet="proposition")


def low_dice() -> Wager:
    """The next total is 2 to 6. Pays even money, and 5 to 1 on a 2."""
    return Wager.one_roll(TOTALS, {2: 5, (3, 4, 5, 6): 1}, bet="low dice")


def hop(faces: tuple[int, int] = (1, 2), pays: Number | None = None) -> Wager:
    """The next roll shows exactly these two faces, in either order. Pays 15 to 1, and 30 to 1 on a
    double by default.
    """
    low, high = sorted(checked_faces(*faces))
    odds = _or_usual(pays, 30 if low == high else 15, "hop")
    return Wager.one_roll(FACE_PAIRS, {f"{low}-{high}": odds}, bet="hop")


def horn(high: int | None = None) -> Wager:
    """One unit each on 2, 3, 11 and 12 on the next roll; a second unit on the number that is
    `high`. 2 and 12 pay 30 to 1, 3 and 11 pay 15 to 1, and the other units are lost.
    """
    if high not in (None, 2, 3, 11, 12):
        raise RulesError(f"high={shown(high)}; a horn is high on 2, 3, 11 or 12")
    units = [(number, 2 if number == high else 1) for number in HORN]
    return Wager.of_parts(TOTALS, *(_horn_part(number, unit) for number, unit in units), bet="horn")


def world() -> Wager:
    """World, or whirl: a horn and one unit on any seven, which pays 4 to 1. So a 7 breaks even."""
    numbers = [_horn_part(number) for number in HORN]
    return Wager.of_parts(TOTALS, *numbers, Part(1, {7: 4}), bet="world")


def craps_and_eleven() -> Wager:
    """C&E: half of the bet on any craps at 7 to 1, half on eleven at 15 to 1."""
    parts = Part(1, {(2, 3, 12): 7}), Part(1, {11: 15})
    return Wager.of_parts(TOTALS, *parts, bet="C&E")


def three_way() -> Wager:
    """Three-way craps: one unit each on 2, 3 and 12, at 30, 15 and 30 to 1."""
    return Wager.of_parts(TOTALS, *map(_horn_part, (2, 3, 12)), bet="three-way")


def _horn_part(number: int, units: int = 1) -> Part:
    return Part(units, {number: 30 if number in (2, 12) else 15})


def iron_cross() -> Wager:
    """Every total but the 7 pays: $5 on the field (12 pays 3 to 1), $5 to place the 5, $6 each to
    place the 6 and the 8. What is measured is one roll: a 7 loses the place bets, a place bet that
    is not decided is returned, and everything is per unit of the $22 on the table.
    """
    return Wager.of_parts(
        TOTALS,
        Part(5, {(3, 4, 9, 10, 11): 1, 2: 2, 12: 3}),
        # Place bets stand on other rolls, and are given back after one.
        Part(5, {5: "7/5", 7: -1}, rest=0),
        Part(6, {6: "7/6", 7: -1}, rest=0),
        Part(6, {8: "7/6", 7: -1}, rest=0),
        bet="iron cross",
    )


# fmt: off
PROPOSITIONS = [
    entry("field-2-2", "Field (2:1 on 2 and 12)", field, bet="field"),
    entry("field-2-3", "Field (2:1 on 2, 3:1 on 12)",
          field, {"twelve": 3}, bet="field", edge="1/36"),
    entry("field-3-3", "Field (3:1 on 2 and 12)", field, {"two": 3, "twelve": 3}, bet="field"),
    entry("field-1-1", "Field (no bonus, all 1:1)", field, {"two": 1, "twelve": 1}, bet="field"),
    entry("field-5-for-9", "Field (5 instead of 9, 2:1 on 2 and 12)",
          field, {"wins": (2, 3, 4, 5, 10, 11, 12)}, bet="field", edge="1/18"),
    entry("any-seven", "Any seven",
          next_total, {"totals": 7, "pays": 4}, bet="proposition", edge="1/6"),
    entry("any-craps", "Any craps",
          next_total, {"totals": (2, 3, 12), "pays": 7}, bet="proposition", edge="1/9"),
    entry("aces-2", "Aces (2)", next_total, {"totals": 2, "pays": 30}, bet="proposition"),
    entry("boxcars-12", "Boxcars (12)", next_total, {"totals": 12, "pays": 30}, bet="proposition"),
    entry("ace-deuce-3", "Ace-deuce (3)", next_total, {"totals": 3, "pays": 15}, bet="proposition"),
    entry("yo-11", "Yo (11)",
          next_total, {"totals": 11, "pays": 15}, bet="proposition", edge="1/9"),
    entry("hi-lo-2-or-12", "Hi-lo (2 or 12)",
          next_total, {"totals": (2, 12), "pays": 15}, bet="proposition", edge="1/9"),
    entry("aces-boxcars-29-1", "Aces/boxcars at 30 for 1 (29:1)",
          next_total, {"totals": 2, "pays": 29}, bet="proposition", edge="1/6"),
    entry("3-or-11-14-1", "3 or 11 at 15 for 1 (14:1)",
          next_total, {"totals": 3, "pays": 14}, bet="proposition"),
    entry("over-7", "Over 7",
          next_total, {"totals": (8, 9, 10, 11, 12), "pays": 1}, bet="proposition", edge="1/6"),
    entry("under-7", "Under 7",
          next_total, {"totals": (2, 3, 4, 5, 6), "pays": 1}, bet="proposition"),
    entry("hop-easy", "Hop easy", hop, bet="hop", edge="1/9"),
    entry("hop-hard", "Hop hard", hop, {"faces": (1, 1)}, bet="hop"),
    entry("horn", "Horn", horn, bet="horn", edge="1/8"),
    entry("horn-high-12-or-2", "Horn high 12 (or 2)", horn, {"high": 12}, bet="horn"),
    entry("horn-high-yo-or-3", "Horn high yo (or 3)", horn, {"high": 11}, bet="horn"),
    entry("world-whirl", "World / whirl", world, bet="world"),
    entry("c-e", "C&E", craps_and_eleven, bet="C&E"),
    entry("three-way-craps", "Three-way craps", three_way, bet="three-way"),
    entry("low-dice", "Low dice", low_dice, bet="low dice"),
    entry("iron-cross", "Iron Cross", iron_cross, bet="iron cross", convention="roll", edge="1/88"),
]
# fmt: on


# --- several totals before the 7: All Tall Small, Hot Hand, doubles -------------------------------

SMALL = (2, 3, 4, 5, 6)
TALL = (8, 9, 10, 11, 12)
ALL = SMALL + TALL
BONUS_PAYS = {SMALL: 34, TALL: 34, ALL: 175, HORN: 70, POINTS: 12}
"""The usual payments to 1 of bets on several totals; many tables pay less for the first three."""
HOT_HAND_PAYS = {10: 80, 9: 20}


def all_before_seven(
    totals: tuple[int, ...] = ALL,
    pays: Number | Mapping[int, Number] | None = None,
    alike: bool = False,
) -> Checklist:
    """Every one of these totals comes before a 7: Small is 2 to 6, Tall 8 to 12, All both; the
    Flaming Four are 2, 3, 11 and 12, the Sizzling Six the points. The bet is decided as soon as the
    last of them has come. A table may also pay for most of them, once the 7 has come.

    `alike` lets totals that are equally likely, such as 4 and 10, trade places: the same figures
    from fewer states, but no longer roll by roll.
    """
    if not isinstance(pays, Mapping):
        pays = _or_usual(pays, BONUS_PAYS.get((*sorted(totals),)), f"totals={shown(totals)}")
    required = dict.fromkeys(totals, 1)
    return Checklist(TOTALS, required, stop=7, pays=pays, bet="bonus", alike=alike, side_of=craps())


def different_doubles() -> Checklist:
    """How many of the six doubles come before a 7. Three pay 4 to 1, four 8, five 15, and six,
    which decide the bet at once, 100.
    """
    required = {f"{face}-{face}": 1 for face in range(1, 7)}
    prizes = {3: 4, 4: 8, 5: 15, 6: 100}
    dice = TWO_DICE.read(_double_or_seven)
    return Checklist(
        dice, required, stop="7", pays=prizes, bet="different doubles", side_of=craps()
    )


def _double_or_seven(roll: Roll) -> str:
    """The double that was rolled, a 7, or neither."""
    if roll.hard:
        return f"{roll.faces[0]}-{roll.faces[1]}"
    return "7" if roll.total == 7 else "neither"


bonus_bet = partial(entry, bet="bonus")

# fmt: off
BONUS_BETS = [
    *(
        bonus_bet(f"bonus-{name}-{pays}-1", f"Bonus craps {name.capitalize()} ({odds})",
                  all_before_seven, {"totals": totals, "pays": pays}, edge=edge)
        for name, totals, pays, odds, edge in [
            ("small", SMALL, 30, "30:1", None),
            ("small", SMALL, 34, "34:1", None),
            ("tall", TALL, 30, "30:1", None),
            ("tall", TALL, 34, "34:1", "1687/21736"),
            ("all", ALL, 150, "150:1", None),
            ("all", ALL, 155, "155:1", None),
            ("all", ALL, 175, "175:1", "10207263466/136745788725"),
            ("all", ALL, 174, "174:1, 175 for 1", None),
        ]
    ),
    bonus_bet("flaming-four", "Flaming Four (Hot Hand)",
              all_before_seven, {"totals": HORN, "pays": BONUS_PAYS[HORN]}, edge="857/4620"),
    bonus_bet("sizzling-six", "Sizzling Six (Hot Hand)",
              all_before_seven, {"totals": POINTS, "pays": BONUS_PAYS[POINTS]},
              edge="197503021/1029659400"),
    bonus_bet("hot-hand", "Hot Hand (all ten / nine of ten)",
              all_before_seven, {"totals": ALL, "pays": HOT_HAND_PAYS},
              edge="1445628536659/8022419605200"),
    bonus_bet("different-doubles", "Different Doubles",
              different_doubles, bet="different doubles", edge="43/154"),
]
# fmt: on


# --- repeaters: a total comes a number of times before the 7 --------------------------------------

REPEATER_TIMES = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 6, 9: 5, 10: 4, 11: 3, 12: 2}
"""How often each number must come."""
REPEATER_PAYS = {2: 40, 3: 50, 4: 65, 5: 80, 6: 90, 8: 90, 9: 80, 10: 65, 11: 50, 12: 40}
"""The payments of repeaters, to 1; at Repeater Bets Plus the same numbers are for 1."""
SURRENDER_OFFERS = {
    number: offers
    for low, offers in {6: {3: 8, 4: 18, 5: 40}, 5: {3: 12, 4: 30}, 4: {2: 7, 3: 21}}.items()
    for number in (low, 14 - low)
}
"""The surrender offers of Repeater Bets Plus, for 1, by number and how often it has come."""


def repeater(number: int = 6, times: int | None = None, pays: Number | None = None) -> Checklist:
    """The number comes `times` times before a 7, by default as often as is usual. On some layouts
    the bet may be surrendered on the way for less; this is the bet without surrender. A pay of 40
    for 1 is 39 to 1.
    """
    required = _required_times(number, times)
    usual = REPEATER_PAYS[number] if required == REPEATER_TIMES[number] else None
    odds = _or_usual(pays, usual, f"{shown(required)} times a {number}")
    return Checklist(TOTALS, {number: required}, stop=7, pays=odds, bet="repeater", side_of=craps())


def _required_times(number: int, times: int | None) -> int:
    """How often a number must come: `times`, or as often as is usual.

    Raises:
        RulesError: no such repeater.
    """
    if number not in REPEATER_TIMES:
        raise RulesError(f"number={shown(number)}; the repeaters are 2 to 12 except 7")
    return REPEATER_TIMES[number] if times is None else times


def shared_repeater(totals: tuple[int, ...] = HORN, times: int = 7, pays: Number = 99) -> Checklist:
    """These totals come this many times between them before a 7."""
    return Checklist(TOTALS, {totals: times}, stop=7, pays=pays, bet="repeater", side_of=craps())


def some_repeater(
    totals: tuple[int, ...] = HORN, pays: Number = 11, alike: bool = False
) -> Checklist:
    """At least one of these totals comes its usual number of times before a 7. Updown takes the
    totals 2 to 6, Even and Odd what they say, Horn 2, 3, 11 and 12, Citywide all ten.

    `alike` lets totals that are equally likely, such as 4 and 10, trade places: the same figures
    from fewer states, but no longer roll by roll. Citywide has 518,400 states without it.
    """
    if not set(totals) <= set(REPEATER_TIMES):
        raise RulesError(f"totals={shown(totals)}; the repeaters are 2 to 12 except 7")
    required = {total: REPEATER_TIMES[total] for total in totals}
    return Checklist(
        TOTALS,
        required,
        stop=7,
        pays=pays,
        bet="repeater",
        first_wins=True,
        alike=alike,
        side_of=craps(),
    )


def surrender(
    number: int = 6,
    times: int | None = None,
    pays: Number | None = None,
    offers: Mapping[int, Number] | None = None,
) -> Surrender:
    """The number comes `times` times before a 7, and pays `pays` to 1. Once it has come this many
    times, the bet may be surrendered before any roll: `offers` says for how much, the stake
    included. By default they are those of Repeater Bets Plus. A 6 or 8 pays 90 for 1 for six, and
    8, 18 or 40 after three, four or five. A 5 or 9 pays 80 for five, and 12 or 30 before. A 4 or 10
    pays 65 for four, and 7 or 21 before.
    """
    required = _required_times(number, times)
    # Only the points have offers in Repeater Bets Plus, for their usual number of times.
    is_usual = number in SURRENDER_OFFERS and required == REPEATER_TIMES[number]
    if not is_usual and (pays is None or offers is None):
        several = f"{shown(required)} times a {number}"
        raise RulesError(f"{several} has no usual offers; give pays= and offers=")
    if required < 1:
        raise RulesError(f"times={shown(times)}; give 1 or more")
    offers = SURRENDER_OFFERS[number] if offers is None else offers
    # Before the first there is nothing to sell, and after the last the bet is won.
    if not all(0 < come < required for come in offers):
        raise RulesError(
            f"offers={shown(dict(offers))}; give offers after 1 to {required - 1} times"
        )
    unsurrendered = Checklist(
        TOTALS,
        {number: required},
        stop=7,
        pays=REPEATER_PAYS[number] - 1 if pays is None else pays,
        bet="repeater",
        names={"complete": "repeated", "stop": "seven"},
        side_of=craps(),
    )
    return Surrender(unsurrendered, {come: exact(pay) - 1 for come, pay in offers.items()})


def never_surrender(_: Game) -> Policy:
    """Never surrender."""
    return lambda come: RIDE


def surrender_at(_: Game, times: int) -> Policy:
    """Surrender once the number has come this often."""
    return lambda come: LEAVE if come >= times else RIDE


repeater_bet = partial(entry, bet="repeater")

# fmt: off
REPEATER_EDGES = {2: (None, "9/49"), 3: ("13/64", None), 4: ("5/27", "16/81"),
                  5: ("533/3125", None), 6: ("349686/1771561", None)}
"""By number: the published edge if the bet is paid to 1, and if it is paid for 1."""

REPEATERS = [
    *(repeater_bet(name, title, repeater, {"number": n, "pays": profit}, edge=edge)
      for n, (edge_to, edge_for) in REPEATER_EDGES.items()
      for name, title, profit, edge in (
          (f"repeater-{n}-{14 - n}",
           f"Repeater {n}/{14 - n} ({REPEATER_TIMES[n]}x, {REPEATER_PAYS[n]}:1)",
           REPEATER_PAYS[n], edge_to),
          (f"repeater-plus-{n}-{14 - n}",
           f"Repeater Bets Plus {n}/{14 - n} ({REPEATER_PAYS[n]} for 1, no surrender)",
           REPEATER_PAYS[n] - 1, edge_for))),
    repeater_bet("repeater-plus-2-or-12", "Repeater Bets Plus: 2 or 12 before 7",
                 shared_repeater, {"totals": (2, 12), "times": 1, "pays": 2}),
    repeater_bet("repeater-plus-3-or-11", "Repeater Bets Plus: 3 or 11 before 7",
                 shared_repeater, {"totals": (3, 11), "times": 1, "pays": 1}),
    repeater_bet("repeater-plus-any-seven-times", "Repeater Bets Plus: any 2,3,11,12 seven times",
                 shared_repeater),
    repeater_bet("repeater-plus-updown", "Repeater Bets Plus: Updown 2-6",
                 some_repeater, {"totals": (2, 3, 4, 5, 6), "pays": 14}),
    repeater_bet("repeater-plus-even", "Repeater Bets Plus: Even",
                 some_repeater, {"totals": (2, 4, 6, 8, 10, 12), "pays": 11},
                 edge="99385511762724353/461689330549653504"),
    repeater_bet("repeater-plus-odd", "Repeater Bets Plus: Odd",
                 some_repeater, {"totals": (3, 5, 9, 11), "pays": 17}),
    repeater_bet("repeater-plus-horn", "Repeater Bets Plus: Horn",
                 some_repeater, {"totals": HORN, "pays": 11}, edge="71/288"),
    repeater_bet("repeater-plus-citywide", "Repeater Bets Plus: Citywide",
                 some_repeater, {"totals": ALL, "pays": 8, "alike": True}),
]

surrender_bet = partial(
    entry, most="repeater", policies={"never": never_surrender, "surrender-at-3": surrender_at},
    readings=("A bet may be surrendered before any roll, not only after the number.",
              "Offers and pays are for one: the stake is part of them."))
REPEATERS += [
    surrender_bet("repeater-6-surrender", "Repeater 6/8, with surrender", surrender),
    surrender_bet("repeater-5-surrender", "Repeater 5/9, with surrender", surrender, {"number": 5}),
    surrender_bet("repeater-4-surrender", "Repeater 4/10, with surrender",
                  surrender, {"number": 4}),
]
# fmt: on


# --- the shooter's hand, from the first come-out to the seven-out ---------------------------------

ETHIER_HOPPE = (
    "S. Ethier and F. Hoppe, A world record in Atlantic City and the length of the shooter's hand "
    "at craps, Math. Intelligencer 32 (2010)"
)
CRAPS_ROUND = craps()


def point_after(point: int | str, roll: int) -> int | str | None:
    """The point of the hand after a roll, or the next come-out; None after the seven-out.

    >>> point_after("come-out", 7), point_after(4, 4), point_after(4, 7)
    ('come-out', 'come-out', None)
    """
    after = CRAPS_ROUND.step(point, roll)
    if not isinstance(after, Outcome):
        return after  # type: ignore[no-any-return]
    # Only the seven-out passes the dice; craps and naturals are followed by a come-out.
    return None if after.label == "seven out" else CRAPS_ROUND.start


@dataclass(frozen=True)
class HandLength(Game):
    """The number of rolls of craps until the seven-out.

    The state is the number of rolls so far and the point. The best prize is decided as soon as the
    hand is long enough for it.

    >>> HandLength(((2, -1), (8, 0), (16, 2))).step((15, "come-out"), 11).profit("hand")
    Fraction(2, 1)

    Args:
        prizes: the profit by the least number of rolls that earns it, from 2 up.

    Attributes:
        dice: the totals of two dice.
        start: no roll, and the come-out.
    """

    prizes: tuple[tuple[int, Number], ...]
    dice: Any = TOTALS
    start: Hashable = (0, CRAPS_ROUND.start)
    bets = ("hand",)
    side_of = CRAPS_ROUND

    def __post_init__(self) -> None:
        rolls = [min_rolls for min_rolls, _ in self.prizes]
        # The shortest hand is a point and the seven-out.
        if rolls[:1] != [2] or rolls != sorted({*rolls}):
            raise RulesError(f"prizes={shown(self.prizes)}; give them by rolls, ascending from 2")

    def step(self, state: tuple[int, int | str], roll: int) -> Any:
        rolls, point = state[0] + 1, point_after(state[1], roll)
        # No longer hand pays more, and without this the states would not end.
        if point is None or rolls == self.prizes[-1][0]:
            return self._outcome(rolls)
        return rolls, point

    def _outcome(self, rolls: int) -> Outcome:
        """The prize for a hand of this many rolls."""
        rank = max(i for i, (min_rolls, _) in enumerate(self.prizes) if min_rolls <= rolls)
        min_rolls, profit = self.prizes[rank]
        is_best = rank + 1 == len(self.prizes)
        upper = "or more" if is_best else f"to {self.prizes[rank + 1][0] - 1}"
        return settle(f"{min_rolls} {upper} rolls", {"hand": profit})


@dataclass(frozen=True)
class Shooter(Game):
    """The shooter rolls at craps until the seven-out, through as many rounds as it takes. A round
    that ends otherwise is followed by a new come-out.

    >>> Shooter().step(4, 7).label, Shooter().step(4, 4)
    ('seven out', 'come-out')

    Attributes:
        dice: the totals of two dice.
        start: the come-out.
    """

    dice: Any = TOTALS
    start: Hashable = CRAPS_ROUND.start

    def step(self, point: int | str, roll: int) -> Any:
        after = point_after(point, roll)
        return Outcome("seven out", ()) if after is None else after


def shooter() -> Shooter:
    """A shooter rolls at craps until the seven-out, through as many rounds as it takes."""
    return Shooter()


def fire(prizes: Mapping[int, Number] | None = None) -> PointsMade:
    """The shooter plays rounds of craps until the seven-out. Each point that is made counts once,
    however often it is made. The number of different points sets the pay: 24 to 1 for 4 of them,
    249 to 1 for 5 and 999 to 1 for 6 by default. All six decide the bet at once.
    """
    chosen = {4: 24, 5: 249, 6: 999} if prizes is None else prizes
    return PointsMade(CRAPS_ROUND, chosen, bet="fire")


def hot_shooter() -> HandLength:
    """The rolls of the hand are counted, from the first come-out to the seven-out and both
    included. 8 to 15 rolls pay 1 for 1, which returns the bet; 16 to 23 pay 3 for 1, 24 to 31 pay
    5, 32 to 39 pay 7, 40 to 44 pay 12, 45 to 50 pay 30, and 51 or more, decided on the 51st roll,
    100.
    """
    for_one = {2: 0, 8: 1, 16: 3, 24: 5, 32: 7, 40: 12, 45: 30, 51: 100}
    return HandLength(tuple((rolls, pays - 1) for rolls, pays in for_one.items()))


fire_bet = partial(entry, bet="fire")

# fmt: off
HAND_BETS = [
    entry("shooter", "The shooter's hand", shooter, source=ETHIER_HOPPE, bet=""),
    fire_bet("fire-bet-a", "Fire bet A (24/249/999:1)",
             fire, {"prizes": {4: 24, 5: 249, 6: 999}}),
    fire_bet("fire-bet-b", "Fire bet B (10/200/2000 for 1)",
             fire, {"prizes": {4: 9, 5: 199, 6: 1999}}),
    fire_bet("fire-bet-c", "Fire bet C (10/200/2000 to 1)",
             fire, {"prizes": {4: 10, 5: 200, 6: 2000}}),
    fire_bet("fire-bet-d", "Fire bet D (40/200/500 for 1)",
             fire, {"prizes": {4: 39, 5: 199, 6: 499}}),
    entry("hot-shooter-jackpot", "Hot Shooter Jackpot", hot_shooter, bet="hand"),
]
# fmt: on


# --- a 7 directly after the point -----------------------------------------------------------------


def muggsys_corner() -> PointGame:
    """Two ways to win: the come-out is a 7, which pays 2 to 1; or it sets a point and the very next
    roll is a 7, which pays 3 to 1. Anything else loses.
    """
    line = PayTable(natural=2, craps=-1, point=-1, out=3, late=-1)
    return PointGame([7], [2, 3, 11, 12], 7, limit=1, bets={"corner": line}, side_of=craps())


def point_seven() -> PointGame:
    """The come-out sets a point and the very next roll is a 7, which pays 7 to 1. A come-out that
    sets no point loses.
    """
    line = PayTable(craps=-1, point=-1, out=7, late=-1)
    return PointGame([], [2, 3, 7, 11, 12], 7, limit=1, bets={"point-7": line}, side_of=craps())


# fmt: off
CORNER_BETS = [
    entry("point-7-mugnolo", "Point-7 (Mugnolo)", point_seven, bet="point-7"),
    entry("muggsys-corner", "Muggsy's Corner / 7-Point-7 (2:1 and 3:1)",
          muggsys_corner, bet="corner"),
]
# fmt: on


# --- bets that may be changed before each roll ----------------------------------------------------


class OnAPoint(Game):
    """A line bet with a choice before each roll on a point.

    The state after the choice is a tuple.
    """

    start = CRAPS_ROUND.start
    coordinates = ("point",)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The options on a point."""
        # A tuple has been decided, and waits for its roll.
        on_a_point = state != self.start and not isinstance(state, tuple)
        return self.options_on(state) if on_a_point else {}

    @abstractmethod
    def options_on(self, point: int) -> Mapping[str, Any]:
        """The options on this point."""


@dataclass(frozen=True)
class Odds(OnAPoint):
    """The pass line, with odds chosen before each roll.

    A state is the point, or the point and the odds chosen, in flat bets.

    >>> list(Odds(2).choices(4))
    ['no odds', '1x odds', '2x odds']

    Args:
        multiple: the most odds, in flat bets.
        dice: the totals of two dice.
    """

    multiple: int
    dice: Rollable = TOTALS

    def options_on(self, point: int) -> Mapping[str, Any]:
        """The multiples of odds."""
        return {f"{n}x odds" if n else "no odds": (point, n) for n in range(self.multiple + 1)}

    def step(self, state: Any, total: int) -> Any:
        point, odds = state if isinstance(state, tuple) else (state, 0)
        after = CRAPS_ROUND.step(point, total)
        # A come-out is settled before any odds.
        if not isinstance(after, Outcome) or point == self.start:
            return after
        is_won = after.profit("pass") > 0
        profit = 1 + odds * true_odds(point) if is_won else -1 - odds
        return settle(after.label, {"pass": (profit, 1 + odds)})


@dataclass(frozen=True)
class DontPass(OnAPoint):
    """The don't pass, which may be taken down once there is a point.

    A state is the point, with "up" before a roll.

    Args:
        line: the don't pass that is never taken down.
        dice: the totals of two dice.
    """

    line: PointGame
    dice: Rollable = TOTALS

    def options_on(self, point: int) -> Mapping[str, Any]:
        """Leave it up, or take it down."""
        taken_down = settle("taken down", {"don't pass": 0})
        return {"leave it up": (point, "up"), "take it down": taken_down}

    def step(self, state: Any, total: int) -> Any:
        return self.line.step(state[0] if isinstance(state, tuple) else state, total)


@dataclass(frozen=True)
class PlaceUpOrDown(Game):
    """A place bet through a shooter's hand.

    A state is the number of wins and the round's point, with "on" or "off" before a roll.

    >>> list(PlaceUpOrDown(6, 2).choices((1, 8)))
    ['on', 'off', 'take it down']

    Args:
        number: the place bet's number.
        wins: the bet is over after this many.
        dice: the totals of two dice.
    """

    number: int
    wins: int
    dice: Rollable = TOTALS
    start = (0, CRAPS_ROUND.start)
    coordinates = ("won", "point")

    def choices(self, state: Any) -> Mapping[str, Any]:
        """On, off, or down."""
        # The player has chosen, and the roll is to come.
        if len(state) == 3:
            return {}
        taken_down = self._outcome("taken down", state[0])
        return {"on": (*state, "on"), "off": (*state, "off"), "take it down": taken_down}

    def step(self, state: Any, total: int) -> Any:
        won, point, works = state
        after = point_after(point, total)
        # Before the seven-out is looked at: this 7 loses the bet.
        if total == 7 and works == "on":
            return self._outcome("seven", won, lost=1)
        if after is None:
            return self._outcome("returned", won)
        # A win leaves the bet up, so it may win again.
        if total == self.number and works == "on":
            won += 1
            if won == self.wins:
                return self._outcome("won", won)
        return won, after

    def _outcome(self, label: str, won: int, lost: int = 0) -> Outcome:
        """The end of the bet, paid for its wins."""
        return settle(label, {"place": won * exact(PLACE[self.number]) - lost})


def odds_up(multiple: int = 2) -> Odds:
    """The pass line. Once there is a point, the player has up to this many times the flat bet in
    odds. They may take the odds down or put them up again before each roll. The odds are
    paid at true odds.
    """
    if type(multiple) is not int or multiple < 0:
        raise RulesError(f"multiple={shown(multiple)}; take 0 or more times the flat bet")
    return Odds(multiple)


def dont_pass_up(bar: int = 12) -> DontPass:
    """The don't pass. Once there is a point, the bet may be taken down before each roll, and is
    returned; the house does not mind, since the player has the better of it.
    """
    return DontPass(dont_pass(bar))


def place_up(number: int = 6, wins: int = 3) -> PlaceUpOrDown:
    """A place bet through a shooter's hand, made before its first come-out. Before each roll, on
    the come-out too, it is on, or off, or taken down; a win is paid and the bet stays up. A 7 takes
    a bet that is on. The seven-out ends the hand, and a bet that is off is returned. After this
    many wins the bet is taken down.
    """
    if type(wins) is not int or wins < 1:
        raise RulesError(f"wins={shown(wins)}; take it down after 1 or more")
    return PlaceUpOrDown(checked_point(number), wins)


def full_odds(game: Game) -> Policy:
    """Always take full odds."""
    return lambda state: list(game.choices(state))[-1]


def always_choose(option: str, _: Game) -> Policy:
    """The same option before every roll."""
    return lambda state: option


def off_on_the_come_out(_: Game) -> Policy:
    """Off on the come-out, on otherwise."""
    return lambda state: "off" if state[1] == CRAPS_ROUND.start else "on"


# fmt: off
CHANGEABLE_BETS = [
    entry("craps-odds-up", "Pass line, odds up or down", odds_up, most="pass",
          policies={"full-odds": full_odds},
          readings=("Odds are as many on every point, and may be changed before each roll.",
                    "The stake is the flat bet; the odds are money at risk.")),
    entry("dont-pass-up", "Don't pass, up or down", dont_pass_up, most="don't pass",
          policies={"leave-it-up": partial(always_choose, "leave it up"),
                    "take-it-down": partial(always_choose, "take it down")},
          readings=("It may be taken down before any roll with a point, and is returned whole.",)),
    entry("place-up", "Place bet, off or on", place_up, most="place",
          policies={"on": partial(always_choose, "on"), "off-on-the-come-out": off_on_the_come_out},
          readings=("The bet is made before the come-out, and wins and loses there if it is on.",
                    "The hand ends with the seven-out; wins are paid at once.")),
    entry("place-three-wins", "Place bet, off or on, to win three times",
          place_up, most="place >= 7/2",
          policies={"on": partial(always_choose, "on"),
                    "off-on-the-come-out": off_on_the_come_out}),
]
# fmt: on


# --- side bets of a felt --------------------------------------------------------------------------

SIDE_BETS: dict[str, Game] = {
    "fire": fire(),
    "hot shooter": hot_shooter(),
    "different doubles": different_doubles(),
    "flaming four": all_before_seven(HORN),
    "sizzling six": all_before_seven(POINTS),
    "hot hand": all_before_seven(ALL, HOT_HAND_PAYS),
    "any repeater": shared_repeater(),
    **{f"repeater {n}": repeater(n) for n in REPEATER_PAYS},
    **{f"place to lose {n}": place_to_lose(n) for n in POINTS},
    **{f"horn high {n}": horn(n) for n in HORN},
    "low dice": low_dice(),
}
"""The side bets by name."""


SIDE_BETS_ON_POINTS = ("fire", "hot shooter", *(f"place to lose {n}" for n in POINTS))
"""Side bets that need 4 to 10 as the points."""


def is_side_bet(bet: str) -> bool:
    """Whether a bet is a side bet, new or in progress.

    >>> is_side_bet("fire"), is_side_bet("fire @3 8"), is_side_bet("fir")
    (True, True, False)
    """
    return bet.partition(STATE_MARK)[0] in SIDE_BETS


def is_made_on_come_out(bet: str) -> bool:
    """Whether a side bet is a contract bet made on the come-out.

    >>> is_made_on_come_out("fire"), is_made_on_come_out("low dice")
    (True, False)
    """
    # A wager is settled by single rolls; the others are games with a beginning.
    return not isinstance(SIDE_BETS[bet.partition(STATE_MARK)[0]], Wager)


@lru_cache(maxsize=16)
def side_bets_in_progress(others: tuple[tuple[str, Game], ...] = ()) -> Ongoing:
    """The games of a house's side bets, in progress; `others` replace the usual ones."""
    games: Mapping[str, Game] = SIDE_BETS | dict(others)
    return Ongoing({name: (game, bets_of(game)[0]) for name, game in games.items()})
