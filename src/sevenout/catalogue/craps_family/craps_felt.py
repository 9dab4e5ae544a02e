"""The felt of craps: what a house allows and pays, and the rules of every bet.

A house can be typed: `minimum=5,field=2-2`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, NoReturn, cast

from sevenout.catalogue.craps_family.craps_bets import (
    PLACE,
    Payment,
    payment,
    payment_with_commission,
)
from sevenout.catalogue.craps_family.craps_variants import CRAPLESS_POINTS
from sevenout.catalogue.craps_family.side_bets import (
    SIDE_BETS,
    SIDE_BETS_ON_POINTS,
    is_made_on_come_out,
    is_side_bet,
    side_bets_in_progress,
)
from sevenout.catalogue.craps_family.spots import (
    BONUS,
    BOXES,
    COME_BETS,
    CRAPS,
    DONT_BETS,
    LINE_BETS,
    NATURALS,
    NEXT,
    Spot,
    mirrored_numbers,
    split_switch,
    spot,
    standing_name,
    told_apart,
)
from sevenout.catalogue.dice_and_odds import MULTIPLE_OF, POINTS, TWO_DICE, WAYS, true_odds
from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.numerals import Number, exact, exact_amount, int_if_whole
from sevenout.rules.casino.felt import (
    STATE_MARK,
    AfterThrow,
    Bets,
    Felt,
    Mirrored,
    Money,
    Ongoing,
    Paid,
    Throw,
)
from sevenout.rules.game import Game, set_fields


class RefusedError(RulesError):
    """The house does not take a bet.

    Attributes:
        why: the rule against it.
    """

    def __init__(self, request: str, why: str) -> None:
        super().__init__(f"{request}: {why}")
        self.why = why


_COUNT_BY_RULE = {"odds": 3, "outer": 2, "field": 2, "hard": 2, "bonus": 3}
"""The number of amounts in each rule that has several."""


@dataclass(frozen=True)
class House(Felt):
    """A craps table with the house's limits and payments.

    >>> house = House(field=(2, 3), vig="up front")
    >>> house.fee("buy 4", 20), house.roll(6, (("place 6", 12),), Throw(6, None, 5))[2]
    (1, (Paid(bet='place 6', stake=12, profit=14),))

    Args:
        minimum: of each bet; odds may be less.
        maximum: of each bet without odds; None for no limit.
        props: the minimum of hard ways, hops, bets on the next roll and side bets; `minimum` by
            default.
        crapless: whether 2, 3, 11 and 12 are points; there are no don't bets then.
        odds: the multiple of the flat bet allowed as odds on 4 and 10, 5 and 9, 6 and 8; or one
            number for all.
        outer: the same for 2 and 12, 3 and 11, at crapless.
        lay: the multiple of the flat bet that may be laid behind the don't side.
        bar: the total that returns the don't side on its come-out.
        field: the payment of the field to 1 on a 2 and on a 12.
        commission: below 1 a share of the stake on buy bets, of the win on lay bets; from 1 on
            money. At most the win when it is taken from one.
        vig: when the commission is paid: "on win", or "up front". In the second case it
            is put down with the bet. Each win pays it, a loss loses it, and it comes back if the
            bet is taken down or stands at the end.
        hard: the payments to 1 of the hard 4 and 10, and the hard 6 and 8.
        bonus: the payments to 1 of the small, the tall and the all.
        breakage: wins and commissions are rounded down to a multiple of this, commissions to no
            less than one multiple; 0 for no rounding.
        working: whether place, buy and hard way bets, and odds behind come bets, are on at the
            come-out. Lay bets, big 6 and 8, and odds behind don't come bets always are.
        put: whether the pass line may be bet and raised after the come-out.
        side: replacements of side bets, as games by name.
    """

    minimum: Number = 1
    maximum: Number | None = None
    props: Number | None = None
    crapless: bool = False
    odds: int | tuple[int, int, int] = (3, 4, 5)
    outer: tuple[int, int] = (1, 2)
    lay: int = 6
    bar: int = 12
    field: tuple[Number, Number] = (2, 3)
    commission: Number = "1/20"
    vig: str = "on win"
    hard: tuple[Number, Number] = (7, 9)
    bonus: tuple[Number, Number, Number] = (34, 34, 175)
    breakage: Number = 1
    working: bool = False
    put: bool = False
    side: Any = ()
    dice = TWO_DICE
    roll_count = 36

    def __post_init__(self) -> None:
        self._check_amounts()
        self._check_side_bets()
        if self.maximum is not None and exact(self.maximum) < exact(self.minimum):
            raise RulesError(f"maximum={self.maximum}; give no less than the minimum")
        for name in ("working", "put", "crapless"):
            if type(flag := getattr(self, name)) is not bool:
                raise RulesError(f"{name}={shown(flag)}; give True or False")
        if self.vig not in ("on win", "up front"):
            raise RulesError(f"vig={shown(self.vig)}; give 'on win' or 'up front'")
        if self.bar not in CRAPS:
            raise RulesError(f"bar={shown(self.bar)}; the don't side bars 2, 3 or 12")

    def _check_amounts(self) -> None:
        """Make every amount an exact number.

        Raises:
            RulesError: one below 0, or another number of them than the rule has.
        """
        for name, length in _COUNT_BY_RULE.items():
            amounts = getattr(self, name)
            if name == "odds" and type(amounts) is int:
                amounts = (amounts,) * length
            if not (isinstance(amounts, tuple) and len(amounts) == length):
                raise RulesError(f"{name}={shown(amounts)}; give {length} numbers")
            checked = tuple(self._checked_amount(name, amount) for amount in amounts)
            set_fields(self, **{name: checked})
        for name in ("minimum", "maximum", "props", "lay", "commission", "breakage"):
            amount = getattr(self, name)
            # Without a maximum there is no limit, without `props` the minimum is that of all bets.
            if amount is not None or name not in ("maximum", "props"):
                set_fields(self, **{name: self._checked_amount(name, amount)})

    def _check_side_bets(self) -> None:
        """Make the replaced side bets a tuple, which can be hashed.

        Raises:
            RulesError: no such side bet, or a game of another kind.
        """
        side = dict(self.side)
        for name, game in side.items():
            # Another kind of game would have other states, and be no such bet.
            if name not in SIDE_BETS or type(game) is not type(SIDE_BETS[name]):
                raise RulesError(
                    f"side={shown(name)}; change the pays of one of these: {', '.join(SIDE_BETS)}"
                )
        set_fields(self, side=tuple(side.items()))

    @property
    def points(self) -> tuple[int | None, ...]:  # type: ignore[override]
        """The possible points; None for the come-out."""
        return (None, *self.numbers)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that can be points."""
        return CRAPLESS_POINTS if self.crapless else POINTS

    def _checked_amount(self, name: str, value: Any) -> Money:
        """The exact amount of a rule, checked to be 0 or more."""
        try:
            amount = exact_amount(value)
        except SevenoutError:
            raise RulesError(f"{name}={shown(value)}; give an amount") from None
        # 5% of a unit would be the least bet of a table.
        if isinstance(value, str) and "%" in value and name != "commission":
            raise RulesError(f"{name}={shown(value)}; give an amount, and no percentage")
        if amount < 0:
            raise RulesError(f"{name}={shown(value)}; give 0 or more")
        return amount

    # --- rolls -----------------------------------------------------------------------------------

    def throws(self, bets: Bets) -> Sequence[Throw]:
        """The totals, with faces if a hard way or a hop stands."""
        for bet, _ in bets:
            # Most bets see only totals, and 11 throws are faster than 21.
            if bet.startswith(("hard ", "hop ")):
                return _THROWS_BY_FACES
            if is_side_bet(bet) and self._side_bets.sees_faces(bet):
                return _THROWS_BY_FACES
        return _THROWS_BY_TOTAL

    @property
    def side_games(self) -> Mapping[str, Game]:
        """The games of the side bets by name."""
        return SIDE_BETS | dict(self.side)

    @property
    def _side_bets(self) -> Ongoing:
        return side_bets_in_progress(self.side)

    def roll(self, point: int | None, bets: Bets, throw: Throw) -> AfterThrow:
        """The point and bets after a roll, the settled bets, and whether the shooter is out."""
        standing: dict[str, Money] = {}
        paid: list[Paid] = []
        for bet, amount in bets:
            new_name, profit = self._settle(spot(bet), bet, amount, point, throw)
            if profit is not None:
                paid.append(Paid(bet, amount, profit))
            if new_name is not None:
                standing[new_name] = amount
        total, out = throw.total, False
        if point is None:
            point = total if total in self.numbers else None
        elif total == 7:
            point, out = None, True
        elif total == point:
            point = None
        return AfterThrow(point, standing, tuple(paid), out)

    def _settle(
        self, parts: Spot, bet: str, amount: Money, point: int | None, throw: Throw
    ) -> tuple[str | None, Money | None]:
        """A bet's name after a roll, None if it comes down; and its profit if settled."""
        total, kind, number = throw.total, parts.kind, parts.number
        lost = None, -amount
        # A bet that is off neither wins nor loses; odds that are off come back, below.
        if parts.works is False and not parts.odds:
            return bet, None
        if kind == "side":
            # If no bet sees faces, any pair with this total will do.
            faces = throw.faces or (max(1, total - 6), min(6, total - 1))
            new_name, profit = self._side_bets.roll(bet, amount, faces)
            return new_name, self.win(profit, 1) if profit and profit > 0 else profit
        if kind in NEXT:
            odds = NEXT[kind].get(total)
            return lost if odds is None else (None, self.win(amount, odds))
        match kind:
            case "field":
                if total in (5, 6, 7, 8):
                    return lost
                two, twelve = self.field
                return None, self.win(amount, {2: two, 12: twelve}.get(total, 1))
            case "hop":
                if throw.faces != parts.faces:
                    return lost
                return None, self.win(amount, 30 if parts.faces[0] == parts.faces[1] else 15)
            case _ if kind in LINE_BETS or kind in COME_BETS:
                return self._settle_line(parts, bet, amount, point, total)
            case "hard":
                if self.is_off(parts, point) or total not in (7, number):
                    return bet, None
                if total == 7 or throw.faces != (number // 2, number // 2):
                    return lost
                outer, inner = self.hard
                return bet, self.win(amount, inner if number in (6, 8) else outer)
            case _ if kind in BONUS:
                return self._settle_bonus(parts, bet, amount, total)
        if total not in (7, number) or self.is_off(parts, point):
            return bet, None
        # A lay bet is that the 7 comes first, all others that the number does.
        if (total == 7) != (kind == "lay"):
            return None, -amount - self.fee(bet, amount)
        if kind == "place":
            return bet, self.win(amount, PLACE_PAYS[number])
        if kind == "big":
            return bet, self.win(amount, 1)
        return bet, int_if_whole(self._payment_with_commission(parts, amount).profit)

    def _settle_line(
        self, parts: Spot, bet: str, amount: Money, point: int | None, total: int
    ) -> tuple[str | None, Money | None]:
        """`_settle` for a line or come bet, or its odds."""
        against = parts.kind.startswith("don't")
        # A come bet without a number is at its own come-out, whatever the table's point.
        own_point = point if parts.kind.endswith("pass") else parts.number or None
        if own_point is None:
            if total in self.numbers:
                return (bet if parts.kind.endswith("pass") else f"{bet} {total}"), None
            if total in NATURALS:
                return None, -amount if against else amount
            profit = amount if against else -amount  # craps
            # The barred total gives the don't side back.
            return None, 0 if against and total == self.bar else profit
        if total not in (7, own_point):
            return bet, None
        if not parts.odds:
            return None, amount if (total == 7) == against else -amount
        # The rule of the house: odds behind a come bet are returned by a 7 on the come-out.
        if self.is_off(parts, point):
            return None, 0
        if (total == 7) != against:
            return None, -amount
        odds = true_odds(own_point)
        return None, self.win(amount, 1 / odds if against else odds)

    def is_off(self, parts: Spot, point: int | None) -> bool:
        """Whether a bet is off at the next roll.

        >>> House().is_off(spot("place 6"), None), House().is_off(spot("place 6 on"), None)
        (True, False)
        """
        if parts.works is not None:
            return not parts.works
        # Lay bets, and odds behind don't come bets, work on the come-out.
        off_kinds = ("come",) if parts.odds else ("place", "buy", "hard")
        return parts.kind in off_kinds and point is None and not self.working

    def _settle_bonus(
        self, parts: Spot, bet: str, amount: Money, total: int
    ) -> tuple[str | None, Money | None]:
        """`_settle` for a small, tall or all."""
        if total == 7:
            return None, -amount
        totals = BONUS[parts.kind]
        if total not in totals or total in parts.hit_totals:
            return bet, None
        hit_totals = tuple(sorted((*parts.hit_totals, total)))
        if len(hit_totals) == len(totals):
            return None, self.win(amount, self.bonus[list(BONUS).index(parts.kind)])
        return f"{parts.kind} {','.join(map(str, hit_totals))}", None

    def win(self, amount: Money, odds: Number) -> Money:
        """What an amount wins at these odds to 1, rounded down to the breakage.

        >>> House().win(5, "7/6"), House(breakage=0).win(5, "7/6")
        (5, Fraction(35, 6))
        """
        return int_if_whole(payment(amount, odds, self.breakage).profit)

    def _payment_with_commission(self, parts: Spot, amount: Money) -> Payment:
        """The payment of a buy or lay bet that wins."""
        rules, up_front = (self.breakage, self.commission), self.vig != "on win"
        return payment_with_commission(parts.kind, parts.number, amount, *rules, up_front=up_front)

    def mirrored(self, point: int | None, bets: Bets) -> Mirrored:
        """The canonical form of a mirrored position.

        >>> House().mirrored(9, (("come 10", 1), ("pass", 1)))[:2]
        (5, (('come 4', 1), ('pass', 1)))
        """
        return mirrored_numbers(point, bets)

    def told_apart(self, bet: str) -> tuple[tuple[int, int], ...]:
        """The pairs of mirrored points that a bet treats differently."""
        return tuple(pair for pair in told_apart(bet) if pair[0] in self.numbers)

    # --- bets ------------------------------------------------------------------------------------

    def fee(self, bet: str, amount: Money) -> Money:
        """The commission put down with a bet."""
        parts = self._offered_spot(bet)
        if self.vig == "on win" or parts.kind not in ("buy", "lay"):
            return 0
        return int_if_whole(self._payment_with_commission(parts, amount).charge)

    def is_flat(self, bet: str) -> bool:
        """Whether a bet is not odds."""
        return not spot(bet).odds

    def cost(self, bets: Bets) -> Money:
        """The money that bets take out of the rail."""
        # Without commissions up front the names need not be read.
        return sum([amount for _, amount in bets]) if self.vig == "on win" else super().cost(bets)

    def lacks_base(self, point: int | None, bets: Mapping[str, Money], bet: str) -> bool:
        """Whether a bet is odds, and the bet or the point that they go behind is missing."""
        parts = spot(bet)
        if not parts.odds:
            return False
        is_line = parts.kind in LINE_BETS
        return _flat_bet(bet) not in bets or (is_line and point is None)

    def check(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> None:
        parts, standing_amount = self._offered_spot(bet), bets.get(bet, 0)
        plain, _ = split_switch(bet)
        is_raised = amount > standing_amount
        others = [name for name in (plain, f"{plain} on", f"{plain} off") if name != bet]
        # Two amounts on one bet would be paid under two names.
        if is_raised and (stands := [name for name in others if name in bets]):
            self._refuse(point, bet, amount, f"it stands as {stands[0]}")
        if parts.odds:
            flat = bets.get(_flat_bet(bet), 0)
            max_odds = self._max_odds(parts, point, flat)
            if amount > max_odds:
                self._refuse(point, bet, amount, f"the house takes {max_odds} behind {flat}")
            return
        odds = bets.get(standing_name(bets, f"{bet} odds"), 0)
        # Less of a bet takes less odds.
        if odds and odds > self._max_odds(parts, point, amount):
            self._refuse(point, bet, amount, f"the {odds} behind it comes down first")
        if self.too_late(bet, point):
            self._check_late(point, bet, amount, standing_amount)
        if is_raised and parts.kind in COME_BETS and point is None:
            self._refuse(point, bet, amount, "it is made once there is a point")
        if amount and amount < self.minimum_of(bet):
            self._refuse(point, bet, amount, f"the minimum is {self.minimum_of(bet)}")
        if self.maximum is not None and amount > exact(self.maximum):
            self._refuse(point, bet, amount, f"the maximum is {self.maximum}")

    def _check_late(self, point: int | None, bet: str, amount: Money, standing: Money) -> None:
        """Refuse to raise a bet when it is too late, or to lower one that is a contract by then."""
        kind = spot(bet).kind
        # A put bet skips the come-out, where the line has the better of it.
        if amount > standing and not (self.put and bet == "pass"):
            self._refuse(point, bet, amount, _WHEN_MADE[kind])
        # Contract bets: past the come-out the odds are with the house.
        if amount <= standing and kind in ("pass", "come", "side", *BONUS):
            self._refuse(point, bet, amount, f"the {standing} on it can't be taken down")

    def check_name(self, bet: str) -> None:
        """Refuse a bet that this table doesn't have, by its name."""
        self._offered_spot(bet)

    def _offered_spot(self, bet: str) -> Spot:
        """The parts of a bet that this table has.

        Raises:
            RulesError: it does not have the bet.
        """
        parts = spot(bet)
        if parts.kind in BOXES and parts.number and parts.number not in self.numbers:
            points = ", ".join(map(str, self.numbers))
            raise RulesError(f"no bet {shown(bet)} here: the points of this table are {points}")
        # At crapless there is no craps to bet on, and the points are ten.
        if self.crapless and (
            parts.kind in DONT_BETS or bet.partition(STATE_MARK)[0] in SIDE_BETS_ON_POINTS
        ):
            raise RulesError(
                f"no bet {shown(bet)} at crapless craps, which has only the pass line; bet on it "
                "or on a number"
            )
        return parts

    def minimum_of(self, bet: str) -> Money:
        """The minimum of a bet; odds may be less.

        >>> house = House(minimum=10, props=1)
        >>> house.minimum_of("yo"), house.minimum_of("place 6")
        (1, 10)
        """
        parts = spot(bet)
        if parts.odds:
            return 0
        is_prop = parts.kind in NEXT or parts.kind in PROPS
        minimum = self.props if is_prop and self.props is not None else self.minimum
        return exact_amount(minimum)

    def maximum_of(self, point: int | None, bets: Mapping[str, Money], bet: str) -> Money | None:
        """The current maximum of a bet; None for no limit.

        >>> House().maximum_of(6, {"pass": 5}, "pass odds")
        25
        >>> House(maximum=500).maximum_of(6, {}, "place 8")
        500
        """
        parts = self._offered_spot(bet)
        if parts.odds:
            flat = bets.get(_flat_bet(bet), 0)
            return self._max_odds(parts, point, flat) if parts.number or point else 0
        return None if self.maximum is None else exact_amount(self.maximum)

    def _max_odds(self, parts: Spot, point: int | None, flat: Money) -> Money:
        """The maximum of odds behind a flat bet."""
        number = parts.number or point or 0
        if parts.kind.startswith("don't"):
            return flat * self.lay
        # Only at crapless: 2 and 12, 3 and 11.
        if number not in POINTS:
            two, three = self.outer
            return flat * (three if number in (3, 11) else two)
        multiples = cast("tuple[int, int, int]", self.odds)  # since `_check_amounts`
        return flat * multiples[MULTIPLE_OF[number]]

    def too_late(self, bet: str, point: int | None) -> bool:
        """Whether it is too late to make or raise a bet."""
        parts = spot(bet)
        if parts.kind == "side":
            return is_made_on_come_out(bet) and (bet not in SIDE_BETS or point is not None)
        if parts.kind in LINE_BETS:
            return point is not None
        if parts.kind in BONUS:
            # A bonus bet counts from the come-out, before its first total.
            return bool(parts.hit_totals) or point is not None
        return parts.kind in COME_BETS and bool(parts.number)

    def _refuse(self, point: int | None, bet: str, amount: Money, why: str) -> NoReturn:
        """Refuse an amount on a bet, with the rule."""
        when = "on the come-out" if point is None else f"on the point {point}"
        raise RefusedError(f"{amount} on {shown(bet)[1:-1]} {when}", why)


def _flat_bet(odds: str) -> str:
    """The bet that odds go behind."""
    return split_switch(odds)[0].removesuffix(" odds")


_WHEN_MADE = {
    "pass": "it is made and raised on the come-out",
    "don't pass": "it is made and raised on the come-out",
    "come": "it is made as 'come', and is on a number once one comes",
    "don't come": "it is made as 'don't come', and is on a number once one comes",
    **dict.fromkeys(BONUS, "it is made on the come-out, before any of its totals has come"),
    "side": "it is made on the come-out, as its game begins",
}
PLACE_PAYS: dict[int, Number] = {**PLACE, 2: "11/2", 3: "11/4", 11: "11/4", 12: "11/2"}
"""The payments of place bets to 1, with crapless craps."""
PROPS = ("hop", "hard", "side", *BONUS)
"""Bets with the minimum of `props`, beside those on the next roll."""
_THROWS_BY_TOTAL = tuple(Throw(total, None, ways) for total, ways in WAYS.items())
_THROWS_BY_FACES = tuple(
    Throw(low + high, (low, high), 1 if low == high else 2)
    for low, high in combinations_with_replacement(range(1, 7), 2)
)


# --- a house as text ------------------------------------------------------------------------------


def house_of(text: str) -> House:
    """A house with options.

    >>> house_of("minimum=5,field=2-2").field
    (2, 2)

    Raises:
        SevenoutError: no such option, or an impossible one.
    """
    options = options_of(text, example="minimum=5")
    # Side bets with other payments are games, which have no text here.
    names = [name for name in House.__dataclass_fields__ if name != "side"]
    if unknown := [name for name in options if name not in names]:
        raise NotationError(f"no house rule {shown(unknown[0])}; the rules are {', '.join(names)}")
    return House(**options)


def house_text(house: House) -> str:
    """The options of a house in text; "" for the default house.

    >>> house_text(House(minimum=5, vig="up front")), house_of("minimum=5,crapless=yes").crapless
    ('minimum=5,vig=up front', True)

    Raises:
        RulesError: a side bet with other payments, which has no text.
    """
    if house.side:
        raise RulesError("a house with other pays for a side bet can't be written on one line")
    default, options = House(), []
    for name in House.__dataclass_fields__:
        value = getattr(house, name)
        if value != getattr(default, name):
            options.append(f"{name}={option_text(value)}")
    return ",".join(options)


def options_of(text: str, example: str = "amount=5") -> dict[str, Any]:
    """Options from text; `example` is for errors.

    >>> options_of("amount=5,odds=3-4-5,lay=yes,press=power")
    {'amount': 5, 'odds': (3, 4, 5), 'lay': True, 'press': 'power'}

    Raises:
        NotationError: a part is not an option, or an option is given twice.
    """
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise NotationError(
                f"{shown(part)} is not an option; write name=value, such as {example}"
            )
        name = name.replace("-", "_")
        if name in options:
            raise NotationError(f"{shown(name)} is given twice; write it once")
        options[name] = _option_value(value)
    return options


def option_text(value: Any) -> str:
    """The text of an option's value.

    >>> option_text((3, 4, 5)), option_text(True), option_text("power")
    ('3-4-5', 'yes', 'power')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _option_value(text: str) -> Any:
    """A flag, an amount or several, or else the text itself."""
    if text in ("yes", "no"):
        return text == "yes"
    if _AMOUNTS.fullmatch(text):
        amounts = tuple(exact_amount(part) for part in text.split("-"))
        return amounts[0] if len(amounts) == 1 else amounts
    return text


_AMOUNTS = re.compile(r"\d{1,20}(?:/[1-9]\d{0,20})?(?:-\d{1,20}(?:/[1-9]\d{0,20})?)*", re.ASCII)
