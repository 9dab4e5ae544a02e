"""A session of a person at a craps table.

The felt, rules and rail are those of an evening (`Bettor`). The person's acts are
lines of text:

    pass = 5            this amount is on a bet from now on
    and field = 5       this belongs to the line before; `undo` takes back both
    roll 4 2            the dice showed these faces
    chips 100           chips were bought
    tip 2               a tip for the dealers

A session is these lines after a few that describe the table. It can be a file or an address, and is
read by replaying it; an address has semicolons for line ends.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from sevenout.catalogue.craps_family.craps_felt import House, house_of, house_text
from sevenout.catalogue.craps_family.craps_offers import (
    Offer,
    offer,
    offers,
    unit_of,
    why_not,
)
from sevenout.catalogue.craps_family.spots import can_be_off, split_switch, spot, standing_name
from sevenout.documents.numbers import amount as amount_text
from sevenout.documents.numbers import fixed, in_currency
from sevenout.documents.numbers import money as money_text
from sevenout.errors import NotationError, RulesError, shown
from sevenout.numerals import Number, exact, exact_money, int_if_whole, parse_count, parse_seed
from sevenout.rolling.throw import Faces, parse_throw, see, throw
from sevenout.rules.casino.betting import (
    Bettor,
    Moment,
    Seat,
    Strategy,
    TableView,
    seat_with,
    unpaid,
)
from sevenout.rules.casino.ends import check_count
from sevenout.rules.casino.felt import FeltRoll, Money

MAX_ACTS = 50_000
MAX_CURRENCY = 8
"""The most characters of a currency."""
FIRST_LINE = "sevenout table"
"""The first line of a session."""
USUAL_HOUSE = "minimum=5,props=1"
"""The default house."""
USUAL_HOURS = 4
"""The default hours of an evening."""


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


class BetChange(NamedTuple):
    """A change of a bet.

    Attributes:
        bet: its name, as it stands now.
        was, now: the amounts before and after.
        remarks: the dealer's remark, if it was clipped or is not paid in full.
    """

    bet: str
    was: Money
    now: Money
    remarks: tuple[str, ...] = ()


class SessionState(NamedTuple):
    """A state of a session, for `undo`.

    Attributes:
        seat: the point and the bets.
        money: in the rail and on the felt.
        bought: the chips bought so far.
        tips: given to the dealers so far.
        rolls: the rolls so far.
    """

    seat: Seat
    money: Money
    bought: Money
    tips: Money
    rolls: int


class Act(NamedTuple):
    """An act in a session.

    Attributes:
        line: the act, as the session's text has it.
        before: the point and the bets before it.
        after: the point and the bets after it.
        rolled: the result, if it was a roll.
    """

    line: str
    before: Seat
    after: Seat
    rolled: FeltRoll | None


class ByHand(Strategy):
    """A strategy that requests nothing, for bets made from outside."""

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """No changes."""
        return {}


class TableSession:
    """A session at a table.

    Every change is an act, a line of text. The state after each act is kept, so that `undo` drops
    the last ones, and the text of a session is its acts.

    >>> session = TableSession(House(minimum=5), 300)
    >>> session.set("pass", 10).now, session.why_not("come", 5)
    (10, 'come bets need a point: it is the come-out now')
    >>> session.roll((4, 2)).net, session.point, session.set("pass odds", "max").now
    (0, 6, 50)
    >>> session.roll((3, 3)).net, session.rail
    (70, 370)
    >>> session.undo(), session.bets == TableSession.from_text(session.to_text()).bets
    ('roll 3 3', True)

    Args:
        house: the table's rules; the default house if left out.
        bankroll: the first chips.
        seed: of the dice; the nth roll of a seed is always the same.
        currency: "$" or "EUR", for example; "" for units.
        rates: rolls, tips and comps per hour.

    Attributes:
        bettor: plays the rolls; it makes no bets of its own.
        acts: the acts, as lines.
        continued: the indices of the acts that belong to the line of the act before.
        moments: the result of each roll, after a first one for the start.

    Raises:
        RulesError: no bankroll, a currency that is too long or holds a ";", impossible rates or
            seed.
    """

    def __init__(
        self,
        house: House | None = None,
        bankroll: Number = 300,
        *,
        seed: int = 1,
        currency: str = "",
        rates: Rates = Rates(),  # noqa: B008  a tuple
    ) -> None:
        money = exact_money(bankroll)
        if money <= 0:
            raise RulesError(f"bankroll={shown(bankroll)}; give more than 0")
        check_rates(rates)
        is_clean = isinstance(currency, str) and currency.isprintable()
        is_clean = is_clean and currency.strip() == currency
        # an address has ";" between the lines of a session; a digit would change an amount
        if not is_clean or re.search(r"[;\d]", currency) or len(currency) > MAX_CURRENCY:
            raise RulesError(f"currency={shown(currency)}; give a short one, such as $ or EUR")
        if type(seed) is not int or seed < 0:
            raise RulesError(f"seed={shown(seed)}; give a whole number from 0")
        self.house, self.seed, self.currency = House() if house is None else house, seed, currency
        self.rates, self.bankroll = rates, money
        self.bettor = Bettor(self.house, ByHand())
        self.acts: list[str] = []
        self.continued: set[int] = set()
        self._states = [SessionState(Seat(None, (), None), money, money, 0, 0)]
        self.moments = [Moment((), None, {}, {}, (), 0, money, None)]
        # The faces of all rolls so far, so that a roll after an undone one shows the same again.
        self._random, self._rolled_faces = Random(seed), list[Faces]()

    # --- the current state ----------------------------------------------------------------------

    @property
    def _now(self) -> SessionState:
        return self._states[-1]

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
        return int_if_whole(Fraction(self.money - self.house.cost(self._now.seat.bets)))

    @property
    def result(self) -> Money:
        """The win or loss, without tips."""
        return self.money + self.tips - self._now.bought

    @property
    def bought(self) -> Money:
        """The chips bought so far."""
        return self._now.bought

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

    def money_text(self, money: Money) -> str:
        """An amount in the session's currency: "$25", or "25" without one."""
        if not self.currency:
            return amount_text(money)
        if Fraction(money).denominator == 1:
            return money_text(money, self.currency)
        priced = in_currency(fixed(abs(Fraction(money)), 2), self.currency)
        return f"-{priced}" if money < 0 else priced

    @property
    def hands(self) -> list[list[Moment]]:
        """The rolls of each shooter, up to the current one."""
        hands: list[list[Moment]] = [[]]
        for moment in self.moments[1:]:
            hands[-1].append(moment)
            if moment.rolled and moment.rolled.out:
                hands.append([])
        return hands

    def history(self) -> Iterator[Act]:
        """The acts so far."""
        rolls = iter(self.moments[1:])
        for line, (before, after) in zip(self.acts, pairwise(self._states), strict=True):
            rolled = next(rolls).rolled if line.startswith("roll ") else None
            yield Act(line, before.seat, after.seat, rolled)

    # --- offers ----------------------------------------------------------------------------------

    def legal(self) -> list[Offer]:
        """The offer of every bet."""
        return offers(self.house, self.point, self.bets, self.rail)

    def offer(self, bet: str) -> Offer:
        """The offer of a bet."""
        return offer(self.house, self.point, self.bets, bet, self.rail)

    def why_not(self, bet: str, amount: Number) -> str:
        """The rule against an amount on a bet; "" if it is allowed.

        Raises:
            RulesError: there is no such bet at this table.
        """
        bets, name = self.bets, standing_name(self.bets, bet)
        target = exact_money(amount)
        if why := why_not(self.house, self.point, bets, name, target):
            return why
        cost = self._cost(name, target) - self._cost(name, bets.get(name, 0))
        if cost <= self.rail:
            return ""
        return f"it takes {self.money_text(cost)}, and {self._rail_text}"

    @property
    def _rail_text(self) -> str:
        return f"the rail has {self.money_text(self.rail)}" if self.rail else "the rail is empty"

    def _cost(self, bet: str, amount: Money) -> Money:
        """The money that an amount on a bet takes, with its commission."""
        return amount + self.house.fee(bet, amount) if amount else 0

    # --- acts ------------------------------------------------------------------------------------

    def set(self, bet: str, amount: Number | str) -> BetChange:
        """Set the amount on a bet; "max" for the most that the house takes and the rail can pay.

        Raises:
            RulesError: the house does not take it; the message gives the rule.
        """
        name = standing_name(self.bets, bet)
        was = self.bets.get(name, 0)
        remarks: list[str] = []
        maximum = self.house.maximum_of(self.point, self.bets, name)
        if amount == "max":
            target = self._largest_bet(name, was, maximum)
        else:
            target = exact_money(amount)
            if target < 0:
                raise RulesError(f"{amount_text(target)} on {bet}; bet 0 or more")
            if maximum and target > max(maximum, was):
                limit, back = self.money_text(maximum), self.money_text(target - maximum)
                remarks.append(f"the most on {name} is {limit}: {back} comes back")
                target = maximum
        if target == was:
            if amount == "max" and not was and (why := self.offer(name).why):
                raise RulesError(f"{name}: {why}")
            return BetChange(name, was, was, tuple(remarks))
        if why := self.why_not(name, target):
            raise RulesError(f"{name}: {why}")
        self._do(f"{name} = {target}")
        return BetChange(name, was, target, (*remarks, *self._rounding_remarks(name, target)))

    def add(self, bet: str, amount: Number) -> BetChange:
        """Add this amount to a bet; errors as in `set`."""
        return self.set(bet, self.bets.get(standing_name(self.bets, bet), 0) + exact_money(amount))

    def press(self, bet: str, amount: Number | None = None) -> BetChange:
        """Raise a standing bet by an amount; double it by default.

        Raises:
            RulesError: it does not stand, the amount is 0 or less, or the house does not take it.
        """
        name = self._standing(bet)
        more = self.bets[name] if amount is None else exact_money(amount)
        if more <= 0:
            raise RulesError(f"{name}: pressed by {amount_text(more)}; give more than 0")
        return self.add(name, more)

    def take_down(self, bet: str) -> list[BetChange]:
        """Take down a bet and its odds; returns the bets taken down.

        Raises:
            RulesError: it does not stand, or must stay; the message gives the rule.
        """
        name = self._standing(bet)
        if why := why_not(self.house, self.point, self._without_odds(name), name, 0):
            raise RulesError(f"{name}: {why}")
        # Odds can't stand without the bet.
        odds = standing_name(self.bets, f"{name} odds") if split_switch(name)[1] is None else ""
        return [self.set(bet_down, 0) for bet_down in (odds, name) if bet_down in self.bets]

    def turn(self, bet: str, on: bool, *, early: bool = False) -> BetChange:
        """Turn a bet off, or on (also at the come-out). `early` also keeps a bet that is on, on at
        the next come-out.

        Raises:
            RulesError: it does not stand, or always works.
        """
        name = self._standing(bet)
        plain, works = split_switch(name)
        amount = self.bets[name]
        # The house's rule at the next roll, or at the next come-out.
        is_off_by_rule = self.house.is_off(spot(plain), None if early else self.point)
        if works is on or (on and works is None and not is_off_by_rule):
            return BetChange(name, amount, amount, (f"{plain} is {'on' if on else 'off'} already",))
        if not can_be_off(spot(plain)):
            raise RulesError(f"{plain}: it always works and can't be off; take it down instead")
        # Turned back to the house's rule, the bet gets its plain name again.
        follows_rule = works is not None and is_off_by_rule is not on
        new_name = plain if follows_rule else f"{plain} {'on' if on else 'off'}"
        self._do(f"{name} > {new_name}")
        return BetChange(new_name, amount, amount)

    def roll(self, faces: Faces | None = None) -> FeltRoll:
        """Roll the seed's dice, or play these faces.

        Raises:
            NotationError: the dice have no such faces.
        """
        faces = self.faces_of_roll(self.rolls) if faces is None else faces
        # A total of two dice reads like one face.
        if len(faces) == 1:
            raise NotationError(f"{faces[0]} is a total; write both dice, such as 4 2")
        see(self.house.dice, faces)
        self._do(f"roll {' '.join(map(str, faces))}")
        rolled = self.moments[-1].rolled
        assert rolled is not None
        return rolled

    def faces_of_roll(self, number: int) -> Faces:
        """The faces of a roll of this seed, numbered from 0."""
        while len(self._rolled_faces) <= number:
            self._rolled_faces.append(throw(self.house.dice, self._random))
        return self._rolled_faces[number]

    def tip(self, amount: Number) -> None:
        """Give this amount from the rail to the dealers."""
        chips = self._chips(amount)
        if chips > self.rail:
            raise RulesError(f"a tip of {self.money_text(chips)}: {self._rail_text}")
        self._do(f"tip {chips}")

    def buy_in(self, amount: Number) -> None:
        """Buy more chips."""
        self._do(f"chips {self._chips(amount)}")

    @contextmanager
    def one_line(self) -> Iterator[None]:
        """What is done inside is one line: `undo` takes it back as a whole."""
        first = len(self.acts)
        try:
            yield
        finally:  # what was done before an error is a line, too
            self.continued.update(range(first + 1, len(self.acts)))

    def undo(self) -> str | None:
        """Undo the acts of the last line and return their text, the last first; None without any.

        The next roll shows the same faces as an undone one.
        """
        undone: list[str] = []
        while self.acts:
            is_first_of_line = len(self.acts) - 1 not in self.continued
            undone.append(self._pop())
            if is_first_of_line:
                break
        return "; ".join(undone) or None

    @property
    def acts_in_last_line(self) -> int:
        """The number of acts of the last line, which `undo` takes back."""
        first = len(self.acts) - 1
        while first in self.continued:
            first -= 1
        return len(self.acts) - max(first, 0)

    def truncate(self, acts: int) -> None:
        """Keep the first `acts` acts.

        Raises:
            RulesError: fewer than 0.
        """
        if acts < 0:
            raise RulesError(f"acts={acts}; keep 0 or more")
        while len(self.acts) > acts:
            self._pop()

    def _pop(self) -> str:
        """Take back the last act, and return it."""
        self.continued.discard(len(self.acts) - 1)
        act = self.acts.pop()
        self._states.pop()
        if act.startswith("roll "):
            self.moments.pop()
        return act

    # --- text ------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """The session as a file's text.

        >>> session = TableSession(bankroll=100)
        >>> _ = session.set("pass", 5)
        >>> session.to_text().split(chr(10))
        ['sevenout table', 'bankroll: 100', 'seed: 1', 'pass = 5', '']
        """
        lines = [FIRST_LINE]
        if house := house_text(self.house):
            lines.append(f"house: {house}")
        lines.append(f"bankroll: {self.bankroll}")
        if self.currency:
            lines.append(f"currency: {self.currency}")
        lines.append(f"seed: {self.seed}")
        for name, rate, usual in zip(Rates._fields, self.rates, Rates(), strict=True):
            if rate != usual:
                lines.append(f"{name}: {rate}")
        lines += [f"and {act}" if i in self.continued else act for i, act in enumerate(self.acts)]
        return "\n".join([*lines, ""])

    def to_address(self) -> str:
        """The session as one line."""
        return self.to_text().strip().replace("\n", ";")

    @classmethod
    def from_text(cls, text: str) -> "TableSession":
        """A session from a file's text or an address.

        >>> TableSession.from_text("sevenout table;bankroll: 100;pass = 5;roll 4 2").bets
        {'pass': 5}

        Raises:
            NotationError: it is not a session; the message has the line.
            RulesError: the table does not allow an act; the message has the line.
        """
        lines = [line.strip() for line in text.strip().replace(";", "\n").split("\n")]
        if lines[0] != FIRST_LINE:
            raise NotationError(f"line 1: {shown(lines[0])}; a session begins with {FIRST_LINE!r}")
        if len(lines) > MAX_ACTS:
            raise NotationError(f"{len(lines):,} lines; a session has {MAX_ACTS:,} at most")
        settings: dict[str, str] = {}
        session = _new_session(settings)
        for number, line in enumerate(lines[1:], 2):
            if not line or line.startswith("#"):
                continue
            is_continued, n_acts = line.startswith("and "), len(session.acts)
            try:
                if not n_acts and line.partition(": ")[0] in SETTINGS:
                    _add_setting(settings, line)
                    session = _new_session(settings)  # each time: an error is of this line
                else:
                    read_act(session, line.removeprefix("and "))
            except (NotationError, RulesError) as error:
                kind = NotationError if isinstance(error, NotationError) else RulesError
                raise kind(f"line {number}: {error}") from None
            # The first act belongs to no line before.
            if is_continued and 0 < n_acts < len(session.acts):
                session.continued.add(n_acts)
        return session

    # --- helpers ---------------------------------------------------------------------------------

    def _do(self, act: str) -> None:
        """Do an allowed act."""
        now = self._now
        # A session is replayed from its text, each time that it is opened.
        if len(self.acts) >= MAX_ACTS:
            raise RulesError(
                f"the session has {MAX_ACTS:,} actions, the most there can be; start a new session"
            )
        verb, bet, argument = split_act(act)
        match verb:
            case "=":
                state = now._replace(seat=self._with_bets({bet: exact(argument)}))
            case ">":
                renamed = {bet: 0, argument: dict(now.seat.bets)[bet]}
                state = now._replace(seat=self._with_bets(renamed))
            case "roll":
                state = self._after_roll(parse_throw(argument))
            case "tip":
                tip = int_if_whole(exact(argument))
                state = now._replace(money=now.money - tip, tips=now.tips + tip)
            case _:
                chips = int_if_whole(exact(argument))
                state = now._replace(money=now.money + chips, bought=now.bought + chips)
        self.acts.append(act)
        self._states.append(state)

    def _with_bets(self, amounts: Mapping[str, Any]) -> Seat:
        """The seat with these amounts on bets."""
        seat = self._now.seat
        lowered, requests, unmet, _ = self.bettor.check_request(
            seat.point, dict(seat.bets), amounts
        )
        seat = seat._replace(bets=tuple(sorted(lowered.items())))
        rail = self.money - self.house.cost(seat.bets)
        # `why_not` has refused before what the house or the rail refuses.
        assert not unmet
        assert not unpaid(requests, rail)
        return seat_with(seat, requests, ())

    def _after_roll(self, faces: Faces) -> SessionState:
        """The state after a roll, whose result is added to the moments."""
        now, felt = self._now, self.house
        roll = see(felt.dice, faces)
        result = self.bettor.play_roll(now.seat, felt.throw_of(now.seat.bets, roll))
        money = now.money + result.rolled.net
        self.moments.append(Moment(roll.faces, result.rolled, {}, {}, (), 0, money, None))
        return now._replace(seat=result.seat, money=money, rolls=now.rolls + 1)

    def _standing(self, bet: str) -> str:
        """The full name of a bet that must stand."""
        name = standing_name(self.bets, bet)
        if name not in self.bets:
            # A word that is no bet is refused as such.
            spot(bet)
            raise RulesError(f"{bet}: there is nothing on it")
        return name

    def _without_odds(self, name: str) -> dict[str, Money]:
        """The standing bets, without the odds behind one of them."""
        odds = f"{split_switch(name)[0]} odds"
        return {bet: amount for bet, amount in self.bets.items() if split_switch(bet)[0] != odds}

    def _largest_bet(self, name: str, was: Money, maximum: Money | None) -> Money:
        """The largest amount that the house takes and the rail can pay, in full units."""
        largest = was + self.rail if maximum is None else min(maximum, was + self.rail)
        # The commission grows with the bet, so the last units are tried one by one.
        while largest > was and self._cost(name, largest) - self._cost(name, was) > self.rail:
            largest -= 1
        unit = unit_of(self.house, self.point, name)
        return max(was, largest // unit * unit) or largest

    def _rounding_remarks(self, name: str, amount: Money) -> Iterable[str]:
        """The dealer's remarks on an amount not paid in full."""
        unit, parts = unit_of(self.house, self.point, name), spot(name)
        if amount and amount % unit and parts.kind != "hard":
            full = f"multiples of {unit}" if unit > 1 else "whole amounts"
            yield f"paid in full in {full}: the win on {self.money_text(amount)} is rounded down"

    def _chips(self, amount: Number) -> Money:
        """An amount of chips, checked to be above 0."""
        chips = exact_money(amount)
        if chips <= 0:
            raise RulesError(f"{amount_text(chips)} chips; give more than 0")
        return chips


# --- lines of a session ---------------------------------------------------------------------------

SETTINGS = ("house", "bankroll", "currency", "seed", *Rates._fields)
"""The keys of the lines that describe the table, before the acts."""


def _add_setting(settings: dict[str, str], line: str) -> None:
    """Add what a line says about the table."""
    name, _, value = line.partition(": ")
    if name in settings:
        raise NotationError(f"{name} is given twice; give it once")
    settings[name] = value.strip()


def _new_session(settings: Mapping[str, str]) -> TableSession:
    """A session at the table that the settings describe."""
    usual = Rates()
    return TableSession(
        house_of(settings.get("house", "")),
        settings.get("bankroll", "300"),
        seed=parse_seed(settings.get("seed", "1")),
        currency=settings.get("currency", ""),
        rates=Rates(
            parse_count(settings.get("pace", str(usual.pace))),
            exact_money(settings.get("tips", usual.tips)),
            exact_money(settings.get("comps", usual.comps)),
        ),
    )


def split_act(line: str) -> tuple[str, str, str]:
    """The parts of an act: "=", ">" or its first word, then what stands on the left and the right.

    >>> split_act("pass = 5"), split_act("roll 4 2")
    (('=', 'pass', '5'), ('roll', '', '4 2'))
    """
    for sign in ("=", ">"):
        left, found_sign, right = line.partition(f" {sign} ")
        if found_sign:
            return sign, left.strip(), right.strip()
    verb, _, argument = line.partition(" ")
    return verb, "", argument


def read_act(session: TableSession, line: str) -> None:
    """Do exactly what a line of a session says.

    Raises:
        NotationError: it is not an act.
        RulesError: the table does not allow it, or not as written.
    """
    verb, bet, argument = split_act(line)
    match verb:
        case "=":
            change = session.set(bet, argument)
            # A file must say what happened, not what the table made of it.
            if (change.bet, change.now) != (bet, exact(argument)):
                remarks = "; ".join(change.remarks) or f"it stands as {change.bet}"
                raise RulesError(f"{line}: {remarks}")
        case ">":
            # A word that is no bet is refused as such.
            spot(argument)
            works = split_switch(argument)[1]
            on = split_switch(bet)[1] is False if works is None else works
            session.turn(bet, on, early=bool(works))
            if argument not in session.bets:
                raise RulesError(f"{line}: it is turned to {', '.join(session.bets)}")
        case "roll":
            session.roll(parse_throw(argument))
        case "tip":
            session.tip(argument)
        case "chips":
            session.buy_in(argument)
        case _:
            raise NotationError(f"{shown(line)} is not an action; write 'pass = 5' or 'roll 4 2'")


def _by_number(bet: str) -> list[tuple[int, str]]:
    """A key that sorts the bets on the 4 before those on the 10."""
    return [(int(word), "") if word.isdecimal() else (0, word) for word in bet.split()]
