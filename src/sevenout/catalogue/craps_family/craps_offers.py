"""The bets offered before a roll: why others are refused, and what each pays."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from sevenout.catalogue.craps_family.craps_bets import checked_amount
from sevenout.catalogue.craps_family.craps_felt import PLACE_PAYS, House, RefusedError
from sevenout.catalogue.craps_family.side_bets import SIDE_BETS, SIDE_BETS_ON_POINTS
from sevenout.catalogue.craps_family.spots import (
    BONUS,
    COME_BETS,
    DONT_BETS,
    HARD_NUMBERS,
    HOPS,
    LINE_BETS,
    NEXT,
    Spot,
    can_be_off,
    original_bet,
    split_switch,
    spot,
    standing_name,
)
from sevenout.catalogue.dice_and_odds import true_odds
from sevenout.documents.numbers import odds as odds_text
from sevenout.numerals import Number, exact, exact_amount
from sevenout.rules.casino.felt import Money
from sevenout.rules.game import bets_of


class Offer(NamedTuple):
    """A bet of the felt before a roll.

    Attributes:
        bet: its name; with "on" or "off" as it stands.
        minimum: the least that may be bet.
        maximum: the most that may be bet; None for no limit.
        unit: multiples of this are paid in full.
        why: why the bet can't be raised now; "" if it can.
    """

    bet: str
    minimum: Money
    maximum: Money | None
    unit: Money
    why: str = ""


def offered_bets(house: House, bets: Mapping[str, Money]) -> Iterator[str]:
    """The bets in layout order, with odds behind those that stand.

    >>> list(offered_bets(House(), {"come 6": 5}))[:7]
    ['pass', "don't pass", 'come', "don't come", 'pass odds', "don't pass odds", 'come 6 odds']
    """
    missing = DONT_BETS if house.crapless else ()
    yield from (bet for bet in (*LINE_BETS, *COME_BETS) if bet not in missing)
    yield from (f"{bet} odds" for bet in LINE_BETS if bet not in missing)
    moved = (bet for bet in bets if spot(bet).number and spot(bet).kind in COME_BETS)
    yield from (f"{bet} odds" for bet in moved if not spot(bet).odds)
    for kind in ("place", "buy", "lay"):
        yield from (f"{kind} {n}" for n in house.numbers)
    yield from ("field", "big 6", "big 8")
    yield from (f"hard {n}" for n in HARD_NUMBERS)
    yield from NEXT
    yield from HOPS
    yield from BONUS
    yield from (bet for bet in SIDE_BETS if not (house.crapless and bet in SIDE_BETS_ON_POINTS))


def offers(
    house: House, point: int | None, bets: Mapping[str, Money], rail: Money | None = None
) -> list[Offer]:
    """All bets, with their limits or why they can't be made.

    >>> by_bet = {offer.bet: offer for offer in offers(House(minimum=5), None, {}, 100)}
    >>> by_bet["place 6"].unit, by_bet["come"].why
    (6, 'come bets need a point: it is the come-out now')
    """
    return [offer(house, point, bets, bet, rail) for bet in offered_bets(house, bets)]


def offer(
    house: House,
    point: int | None,
    bets: Mapping[str, Money],
    bet: str,
    rail: Money | None = None,
) -> Offer:
    """The offer of one bet.

    Raises:
        RulesError: there is no such bet at this table.
    """
    name = standing_name(bets, bet)
    standing, minimum = bets.get(name, 0), house.minimum_of(name)
    # The smallest change: one more than stands, or a first bet, which is no less than 1 in odds.
    raised = standing + 1 if standing else max(minimum, 1 if spot(name).odds else minimum)
    why = why_not(house, point, bets, name, raised)
    cost = raised - standing + house.fee(name, raised)
    cost -= house.fee(name, standing) if standing else 0
    if not why and rail is not None and cost > rail:
        why = "the rail is empty" if not rail else f"the rail has less than the {cost} it takes"
    maximum, unit = house.maximum_of(point, bets, name), unit_of(house, point, name)
    return Offer(name, minimum, maximum, unit, why)


def why_not(
    house: House, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money
) -> str:
    """The rule against a change of a bet; "" if it is allowed.

    >>> why_not(House(), 6, {"pass": 5}, "pass", 0)
    'the pass line stays up once there is a point'

    Raises:
        RulesError: there is no such bet at this table.
    """
    standing, parts = bets.get(bet, 0), spot(bet)
    if house.lacks_base(point, bets, bet):
        flat = split_switch(bet)[0].removesuffix(" odds")
        if flat in bets:
            return "odds need a point: it is the come-out now"
        if parts.number:
            return f"odds go behind a bet: there is no {parts.kind} bet on the {parts.number}"
        return f"odds go behind a bet: there is nothing on {flat}"
    try:
        house.check(point, bets, bet, amount)
    except RefusedError as error:
        return _refusal_by_point(house, point, bet, standing, amount) or error.why
    return ""


def _refusal_by_point(
    house: House, point: int | None, bet: str, standing: Money, amount: Money
) -> str:
    """The rule behind a refusal because of the point; else ""."""
    parts = spot(bet)
    kind, number = parts.kind, parts.number
    is_raised = amount > standing
    if is_raised and kind in COME_BETS and not number and point is None:
        return f"{kind} bets need a point: it is the come-out now"
    if parts.odds or not house.too_late(bet, point):
        return ""
    if is_raised:
        if kind in LINE_BETS:
            instead = "a come bet" if kind == "pass" else "a don't come bet"
            return f"it is bet on the come-out, and the point is {point}: make {instead}"
        if kind in COME_BETS and standing:
            return (
                f"a {kind} bet is not raised on its number; odds {number} 20 puts 20 behind it, "
                f"place {number} 20 is another bet"
            )
        if kind in COME_BETS:
            return f"it is bet as '{kind}', and a roll moves it to its number"
        if point is not None:
            return f"it is bet on the come-out, and the point is {point}"
        if bet.partition(" ")[0] in BONUS or kind == "side":
            return "it can't be raised once one of its numbers has come, until it is settled"
    if kind == "pass":
        return "the pass line stays up once there is a point"
    if kind == "come":
        return "a come bet stays up once it is on a number"
    return "" if kind in DONT_BETS else "it stays until it is settled"


def unit_of(house: House, point: int | None, bet: str) -> Money:
    """The amount whose multiples are paid in full, before a commission: 6 on the six.

    >>> [unit_of(House(), 9, bet) for bet in ("place 6", "pass odds", "don't pass odds", "horn")]
    [6, 2, 3, 4]
    """
    if spot(bet).kind == "side":
        return unrounded_unit(house, point, bet) or 1
    breakage = exact(house.breakage)
    # Without rounding every amount is paid in full.
    if not breakage:
        return 1
    payments = _payments_to_one(house, point, spot(bet))
    return max((exact(to_one) / breakage).denominator for to_one in payments)


def _payments_to_one(house: House, point: int | None, parts: Spot) -> tuple[Number, ...]:
    """The payments to 1 of a bet that wins, before a commission; 1 if its number is not known."""
    kind, number = parts.kind, parts.number or point or 0
    if kind in NEXT:
        return tuple(NEXT[kind].values())
    if kind in ("hard", "field"):
        return house.hard if kind == "hard" else house.field
    if kind == "place":
        return (PLACE_PAYS[number],)
    if (parts.odds or kind in ("buy", "lay")) and number:
        is_laid = kind == "lay" or kind in DONT_BETS
        return (1 / true_odds(number) if is_laid else true_odds(number),)
    return (1,)


def paid_in_full(house: House, offered: Offer) -> Money:
    """The least amount paid in full; for buy and lay, with a commission that is not rounded.

    >>> paid_in_full(House(), offer(House(), None, {}, "lay 4"))
    40
    """
    parts, unit = spot(offered.bet), offered.unit
    if parts.odds:
        return max(unit, 1) if offered.why else min(unit, offered.maximum or unit)
    breakage, rate = exact(house.breakage), exact(house.commission)
    # From 1 on a commission is money, the same for any amount.
    if parts.kind in ("buy", "lay") and breakage and rate < 1:
        charged = rate / true_odds(parts.number) if parts.kind == "lay" else rate
        unit = lcm(int(unit), (charged / breakage).denominator)
    return exact_amount(-(-max(offered.minimum, 1) // unit) * unit)


# --- payments, as printed on the layout -----------------------------------------------------------


@lru_cache(maxsize=5_000)
def payment_text(house: House, point: int | None, bet: str, amount: Money | None = None) -> str:
    """What an amount wins, after commission and rounding, to the amount: "69 to 35".

    Without an amount, what the layout prints: the odds before rounding. "" if the number is not
    known yet.

    >>> [payment_text(House(), 6, bet) for bet in ("place 8", "pass odds", "field", "small 3")]
    ['7 to 6', '6 to 5', '1 to 1, 2 to 1 or 3 to 1', '34 to 1']
    >>> [payment_text(House(), 6, *bet) for bet in (("buy 4", 35), ("lay 4", 60), ("place 8", 5))]
    ['69 to 35', '29 to 60', '1 to 1']

    Raises:
        RulesError: there is no such bet, or the amount is not above 0.
    """
    if amount is None:
        shares = set(_profits(replace(house, breakage=0), point, bet, 1))
    else:
        stake = checked_amount(amount)
        shares = {profit / stake for profit in _profits(house, point, bet, amount)}
    *others, last = [odds_text(share) for share in sorted(shares)] or [""]
    return f"{', '.join(others)} or {last}" if others else last


@lru_cache(maxsize=5_000)
def unrounded_unit(house: House, point: int | None, bet: str) -> int | None:
    """The smallest amount whose multiples win without rounding; None if there is none, or if the
    number of the bet is not known yet.

    >>> bets = ("place 8", "pass odds", "horn", "buy 4", "all")
    >>> [unrounded_unit(House(), 6, bet) for bet in bets]
    [6, 5, 4, None, 1]
    """
    profits = list(_profits(replace(house, breakage=0), point, bet, 1))
    # A commission is rounded too, so no unit is free of rounding.
    if not profits or spot(bet).kind in ("buy", "lay") or exact(house.breakage) not in (0, 1):
        return None
    return lcm(*(profit.denominator for profit in profits))


def _profits(house: House, point: int | None, bet: str, amount: Money) -> Iterator[Fraction]:
    """The possible profits of an amount on a bet: the house settles every roll that wins."""
    plain, _ = split_switch(bet)
    parts = spot(plain)
    if parts.kind in BONUS:
        yield exact(house.win(amount, house.bonus[list(BONUS).index(parts.kind)]))
    elif parts.kind == "side":
        game = house.side_games[original_bet(plain)]
        for row in game.pays_of(bets_of(game)[0]):
            if row.profit > 0:
                yield exact(house.win(amount, row.profit / row.stake))
    elif not parts.odds or parts.number or point:
        # A bet that would be off on the come-out is turned on, so that it is paid.
        standing = ((f"{plain} on" if can_be_off(parts) else plain, amount),)
        for throw in house.throws(standing):
            paid = house.roll(point, standing, throw).paid
            yield from (exact(payment.profit) for payment in paid if payment.profit > 0)
