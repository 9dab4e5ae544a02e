"""Craps bets other than the line: numbers, propositions, bonus bets and repeaters.

Bets on the shooter's hand, and those with a choice before each roll, are in `hand_bets`.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, partial
from typing import Literal, NamedTuple

from sevenout.catalogue.craps_family.craps import craps
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
from sevenout.rolling import Roll
from sevenout.rules import (
    Checklist,
    Game,
    Part,
    Surrender,
    Wager,
)
from sevenout.rules.modified_games import LEAVE, RIDE

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
