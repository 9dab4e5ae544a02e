"""The rules of a point game while they are edited, and the text that holds them.

    2,3,12/7,11/7@2d6;push=5;again=4;limit=3;hard=yes;pass:point:4,10=9/5

The text is a variant's name (craps, naturals, out, dice), then the rest. A pay names its bet and
event, and its totals if they differ; "|" separates the rolls for the point. Everything else pays
the pass line's even money. Unfinished rules have a text too.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any
from urllib.parse import quote, unquote

from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.numerals import check_digits, exact
from sevenout.rolling import Dice, has_notation, parse_dice
from sevenout.rolling.distribution import group_by_key
from sevenout.rules import PayTable, PointGame
from sevenout.rules.game import Frozen
from sevenout.rules.outcome import BET
from sevenout.rules.pay_tables import BY_ROLL, EVEN, ByRoll
from sevenout.variants.variant import MAX_TEXT, NAME, parse_totals, set_name, weights_of

COME_OUT_ROLES = {
    "natural": "naturals",
    "craps": "craps",
    "point": "points",
    "push": "pushes",
    "again": "rerolls",
}
"""What a total may be on the come-out, and what a point game calls the set."""
# the editor draws a tile for each total and a row for each bet; more do not fit a page
MAX_TILES, MAX_SPAN, MAX_LIMIT, MAX_BETS = 40, 600, 100, 12
# a die of 10^19 faces in an address would be built before it is refused
MAX_DIGITS = 18
AT_POINT = ("point", "easy", "out", "late")
"""The events that end a game once the point is on; the others happen on the come-out."""

Amount = tuple[Fraction, Fraction]
"""(profit, money at risk)."""
Schedule = Mapping[int | None, tuple[Amount, ...]]
"""The amounts of one event by total, None for every other; one per roll if they differ."""


@dataclass(frozen=True)
class VariantRules:
    """A point game while it is edited; it may not be valid yet.

    It is immutable: each change returns other rules, and only `game` demands that they are valid.

    Attributes:
        dice: in dice notation, or a text from an address that is yet to be read.
        roles: the come-out role of each total; a total without one is a point.
        out: the total that loses once the point is on.
        limit: the rolls allowed for the point; None for no limit.
        hard: whether the point must be made the hard way.
        stakes: the stake of each bet, in money.
        pays: the pays of each (bet, event) that are not even money.
        names: the events' names that are not the usual ones.
    """

    dice: str = "2d6"
    roles: Mapping[int, str] = field(default_factory=dict)
    out: int = 7
    limit: int | None = None
    hard: bool = False
    stakes: Mapping[str, Fraction] = field(default_factory=lambda: {BET: Fraction(1)})
    pays: Mapping[tuple[str, str], Schedule] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def role_of(self, total: int) -> str:
        """The role of a total on the come-out."""
        return self.roles.get(total, "point")

    def totals_with(self, role: str) -> list[int]:
        """The totals with a role on the come-out, ascending."""
        if role == "point":
            return [total for total in self.ways if self.role_of(total) == "point"]
        return sorted(total for total, own_role in self.roles.items() if own_role == role)

    @cached_property
    def ways(self) -> dict[int, int]:
        """The totals of the dice, in order, and the ways to roll each."""
        return ways_of(self.dice)

    def totals_at(self, event: str) -> list[int]:
        """The totals at which an event may happen."""
        role = "point" if event in AT_POINT else event
        totals = self.totals_with(role)
        # a point is made the easy way only where that loses, and too late only with a limit
        possible = {"easy": self.hard, "late": self.limit is not None}.get(event, True)
        return [t for t in self.ways if t in totals] if possible else []

    def check(self) -> "VariantRules":
        """The same rules; refused if a page can't show them, or if a total can't be rolled."""
        if len(self.stakes) > MAX_BETS:
            raise NotationError(
                f"{len(self.stakes)} bets; the lab shows at most {MAX_BETS} in a game"
            )
        for total in (*self.roles, self.out):
            if total not in self.ways:
                raise NotationError(
                    f"the dice {shown(self.dice)} can't roll the {total} of {shown(self.name)}"
                )
        return self

    # --- changing -------------------------------------------------------------------------------

    def with_role(self, total: int, role: str) -> "VariantRules":
        """The same rules with another role for a total; or with it as the out."""
        if role == "out":
            return replace(self, out=total)
        roles = {t: r for t, r in self.roles.items() if t != total}
        return replace(self, roles=roles | ({total: role} if role != "point" else {}))

    def with_dice(self, dice: str) -> "VariantRules":
        """The same rules on other dice; totals they can't roll lose their roles."""
        ways = ways_of(dice)
        roles = {total: role for total, role in self.roles.items() if total in ways}
        # the likeliest total takes the place of an out that can't be rolled, as the 7 of two dice
        out = self.out if self.out in ways else max(ways, key=lambda t: (ways[t], -t))
        # an out that is a point would be no valid game
        if roles.get(out, "point") == "point":
            roles[out] = "craps"
        return replace(self, dice=str(dice_of(dice)), roles=roles, out=out)

    def with_pay(
        self, bet: str, event: str, total: int | None, amounts: Iterable[Amount]
    ) -> "VariantRules":
        """The same rules with another pay for an event, at one total or at all of them."""
        schedule: dict[int | None, tuple[Amount, ...]] = {}
        if total is not None:
            even_money: Schedule = {None: (self.even_money(bet, event),)}
            schedule |= self.pays.get((bet, event), even_money)
        schedule[total] = tuple(amounts)
        return replace(self, pays={**self.pays, (bet, event): schedule})

    def even_money(self, bet: str, event: str) -> Amount:
        """The pay of an event at even money."""
        stake = self.stakes.get(bet, Fraction(1))
        return EVEN[event] * stake, stake

    def amounts(self, bet: str, event: str, total: int) -> tuple[Amount, ...]:
        """The pay of an event at a total: one amount, or one for each roll."""
        schedule = self.pays.get((bet, event), {})
        by_roll = schedule.get(total) or schedule.get(None) or (self.even_money(bet, event),)
        if event not in BY_ROLL or self.limit is None:
            return by_roll[:1]
        if len(by_roll) == 1:
            return by_roll
        # rolls that were added to the limit pay as the last one did
        return (by_roll + by_roll[-1:] * self.limit)[: self.limit]

    # --- as a game ------------------------------------------------------------------------------

    def pay_table(self, bet: str) -> PayTable:
        """The pays of a bet at the current totals."""
        pays: dict[str, Any] = {}
        for event in EVEN:
            by_totals = {
                tuple(totals): list(amounts) if len(amounts) > 1 else amounts[0]
                for amounts, totals in self._totals_by_pay(bet, event).items()
            }
            if by_totals:
                pays[event] = by_totals if len(by_totals) > 1 else next(iter(by_totals.values()))
        return PayTable(**pays, stake=self.stakes[bet])

    def _totals_by_pay(self, bet: str, event: str) -> dict[tuple[Amount, ...], list[int]]:
        """The totals of an event, by pay; empty for even money."""
        totals = self.totals_at(event) if (bet, event) in self.pays else []
        by_pay = group_by_key((self.amounts(bet, event, total), total) for total in totals)
        return {} if list(by_pay) == [(self.even_money(bet, event),)] else by_pay

    def game(self) -> PointGame:
        """The game."""
        return PointGame(
            self.totals_with("natural"),
            self.totals_with("craps"),
            self.out,
            pushes=self.totals_with("push"),
            rerolls=self.totals_with("again"),
            limit=self.limit,
            hard=self.hard,
            bets={bet: self.pay_table(bet) for bet in self.stakes},
            dice=dice_of(self.dice),
            names=self.names,
        )

    # --- as text --------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The text of the variant: craps/naturals/out, and the dice unless they are 2d6."""
        craps, naturals = (set_name(self.totals_with(role)) for role in ("craps", "natural"))
        name = f"{craps}/{naturals}/{self.out}"
        return name if self.dice == "2d6" else f"{name}@{self.dice}"

    @cached_property
    def text(self) -> str:
        """The text that holds the rules; `read_rules` reads it back.

        >>> read_rules("2,3,12/7,11/7;pass:point:4,10=9/5").text
        '2,3,12/7,11/7;pass:point:4,10=9/5;pass:point:5,6,8,9=1'
        """
        parts = [
            f"{role}={','.join(map(str, self.totals_with(role)))}"
            for role in ("push", "again")
            if self.totals_with(role)
        ]
        parts += [f"limit={self.limit}"] if self.limit is not None else []
        parts += ["hard=yes"] if self.hard else []
        parts += [f":{event}={_quote(name)}" for event, name in self.names.items()]
        if self.stakes != {BET: 1}:
            parts += [f"{_quote(bet)}:stake={stake}" for bet, stake in self.stakes.items()]
        for (bet, stake), event in product(self.stakes.items(), EVEN):
            totals_by_pay = self._totals_by_pay(bet, event)
            for amounts, totals in totals_by_pay.items():
                at_totals = "" if len(totals_by_pay) == 1 else ":" + ",".join(map(str, totals))
                pay = "|".join(_amount_text(profit, risk, stake) for profit, risk in amounts)
                parts.append(f"{_quote(bet)}:{event}{at_totals}={pay}")
        return ";".join([self.name, *parts])


def read_rules(text: str, dice: str = "2d6") -> VariantRules:
    """The rules of a text; `dice` are those of a text that names none.

    They may still be too large to edit (`VariantRules.check`), or no valid game.

    >>> rules = read_rules("2,3,12/7,11/7;limit=3")
    >>> rules.limit, rules.totals_with("craps")
    (3, [2, 3, 12])

    Raises:
        NotationError: the text is not a variant with rules; the message names the part.
    """
    name, *rules = text.strip().split(";")
    # before the pattern, whose refusal would not name the number that is too long
    check_digits(name.partition("@")[2], MAX_DIGITS)
    match = NAME.fullmatch(name) if len(name) <= MAX_TEXT else None
    if not match:
        raise NotationError(
            f"{shown(name)} is not a game; write craps/naturals/out, such as 2,3,12/7,11/7"
        )
    dice, out = match["dice"] or dice, _parse_total(match["out"])
    roles: dict[int, str] = {}
    for role, totals in (("craps", match["craps"]), ("natural", match["naturals"])):
        for total in parse_totals(totals):
            if total in roles:
                raise NotationError(f"{total} is in both craps and naturals; choose one")
            roles[total] = role
    limit, hard = None, False
    stakes: dict[str, Fraction] = {}
    pays: dict[tuple[str, str], dict[int | None, tuple[Amount, ...]]] = {}
    names: dict[str, str] = {}
    for rule in filter(None, rules):
        key, _, value = rule.partition("=")
        words = [unquote(word) for word in key.split(":")]
        match words:
            case ["push" | "again" as role]:
                roles |= dict.fromkeys(map(_parse_total, value.split(",")), role)
            case ["limit"]:
                limit = parse_limit(value)
            case ["hard"] if value in ("yes", "no"):
                hard = value == "yes"
            case ["", event] if event in EVEN:
                names[event] = unquote(value)
            case [bet, "stake"] if bet in stakes:
                # its pays would be read with another money at risk
                raise NotationError(f"{shown(rule)}; give one stake for each bet, before its pays")
            case [bet, "stake"]:
                stakes[bet] = exact(value)
            case [bet, event, *totals] if event in EVEN and len(totals) < 2:
                stake = stakes.setdefault(bet, Fraction(1))
                amounts = tuple(parse_amount(amount, stake) for amount in value.split("|"))
                # without totals the amounts are those of every other total
                paid_totals = map(_parse_total, totals[0].split(",")) if totals else [None]
                pays.setdefault((bet, event), {}).update(dict.fromkeys(paid_totals, amounts))
            case _:
                raise NotationError(f"{shown(rule)} is not a rule; write push=5 or pass:point:4=2")
    parsed = dice_of(dice)
    dice = str(parsed) if has_notation(parsed) else dice
    return VariantRules(dice, roles, out, limit, hard, stakes or {BET: Fraction(1)}, pays, names)


def rules_of_game(game: object) -> VariantRules | None:
    """A game as rules to edit; None if it is more than a point game."""
    if not isinstance(game, PointGame) or not isinstance(game.dice, Dice):
        return None
    if not isinstance(game.out, int) or not has_notation(game.dice) or len(game.bets) > MAX_BETS:
        return None
    try:
        dice = str(game.dice)
        ways_of(dice)
    except SevenoutError:
        return None
    roles: dict[Any, str] = {}
    for role, name in COME_OUT_ROLES.items():
        roles |= dict.fromkeys(getattr(game, name), role) if role != "point" else {}
    stakes = {bet: exact(line.stake) for bet, line in game.bets.items()}
    pays = {
        (bet, event): _schedule(getattr(line, event))
        for bet, line in game.bets.items()
        for event in line.uneven_events
    }
    return VariantRules(
        dice, roles, game.out, game.limit, game.hard, stakes, pays, dict(game.names)
    )


def dice_of(text: str) -> Dice:
    """The dice of a text, whose numbers have at most 18 digits.

    >>> dice_of("2d6") == parse_dice("2d6")
    True

    Raises:
        NotationError: the text is not dice, or has a longer number.
    """
    return parse_dice(check_digits(text, MAX_DIGITS))


def ways_of(dice: str) -> dict[int, int]:
    """The totals of the dice, in order, and the ways to roll each."""
    parsed = dice_of(dice)
    # ranked and Tatham's dice have a few totals by themselves, however large their faces are
    ranked = "^" in dice or dice.strip() in ("tatham", "no-seven")
    if not ranked:
        if not all(isinstance(face, int) for die in set(parsed.dice) for face in die.faces):
            raise NotationError(f"the dice {shown(dice)} show labels; totals need whole numbers")
        span = sum(max(die.faces) - min(die.faces) for die in parsed.dice)
        # bounds the totals before they are added up
        if span >= MAX_SPAN:
            raise NotationError(f"the totals of {shown(dice)} span {span:,}; give smaller dice")
    law = parsed.totals.law
    if len(law) > MAX_TILES or not all(isinstance(total, int) for total in law):
        raise NotationError(
            f"the dice {shown(dice)} have {len(law)} totals; the lab shows at most {MAX_TILES}"
        )
    return weights_of(parsed)


def parse_limit(text: str) -> int | None:
    """The rolls allowed for the point; None for no limit.

    >>> parse_limit("3"), parse_limit("any")
    (3, None)

    Raises:
        NotationError: a number outside 1 to 100, or no number.
    """
    if text in ("", "any"):
        return None
    if text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= MAX_LIMIT:
        return int(text)
    raise NotationError(
        f"a limit of {shown(text)}; write 1 to {MAX_LIMIT}, or leave it empty for no limit"
    )


def parse_amount(text: str, stake: Fraction) -> Amount:
    """A profit, or profit~risk."""
    profit, _, risk = text.partition("~")
    return exact(profit), exact(risk) if risk else stake


def _amount_text(profit: Fraction, risk: Fraction, stake: Fraction) -> str:
    return str(profit) if risk == stake else f"{profit}~{risk}"


def _schedule(pay: Any) -> dict[int | None, tuple[Amount, ...]]:
    """A pay of a pay table by total, None for every total."""
    if isinstance(pay, Frozen):
        return {t: _amounts(amounts) for totals, amounts in pay.items() for t in totals}
    return {None: _amounts(pay)}


def _amounts(pay: Any) -> tuple[Amount, ...]:
    return tuple(pay) if isinstance(pay, ByRoll) else (pay,)


def _parse_total(text: str) -> int:
    """The total in a text."""
    # no total of the editor has nine characters, and `int` would read other scripts
    if len(text) < 9 and text.isascii():
        with suppress(ValueError):
            return int(text)
    raise NotationError(f"{shown(text)} is not a total; write a whole number")


def _quote(text: str) -> str:
    return quote(text, safe=" '")
