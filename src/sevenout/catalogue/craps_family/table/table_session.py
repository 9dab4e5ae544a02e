"""A session of a person at a craps table.

The felt, rules and rail are those of an evening (`rules.betting.Bettor`). The person's acts are
lines of text:

    pass = 5            this amount is on a bet from now on
    and field = 5       this belongs to the line before; `undo` takes back both
    roll 4 2            the dice showed these faces
    chips 100           chips were bought
    tip 2               a tip for the dealers

A session is these lines after a few that describe the table. It can be a file or an address, and is
read by replaying it.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from random import Random
from typing import Any

from sevenout.catalogue.craps_family.table.craps_felt import House
from sevenout.catalogue.craps_family.table.craps_offers import (
    Offer,
    offer,
    offers,
    unit_of,
    why_not,
)
from sevenout.catalogue.craps_family.table.spots import spot, switch, switchable, switched
from sevenout.catalogue.craps_family.table.table_acts import (
    Act,
    ByHand,
    Changed,
    Rates,
    SeatedPlayer,
    Stand,
    check_rates,
)
from sevenout.documents.numbers import amount as amount_text
from sevenout.errors import NotationError, RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.throw import Faces, parse_throw, see, throw
from sevenout.rules.casino.betting import Bettor, Moment, Seat, made, unpaid
from sevenout.rules.casino.felt import FeltRoll, Money, whole

MOST_ACTS = 50_000
LONGEST = 8
"""The most characters of a currency."""


class TableSession(SeatedPlayer):
    """A session at a table.

    >>> session = TableSession(House(minimum=5), 300)
    >>> session.set("pass", 10).now, session.why_not("come", 5)
    (10, 'come bets need a point: it is the come-out now')
    >>> session.roll((4, 2)).net, session.point, session.set("pass odds", "most").now
    (0, 6, 50)
    >>> session.roll((3, 3)).net, session.rail
    (70, 370)
    >>> session.undo(), session.bets == TableSession.from_text(session.to_text()).bets
    ('roll 3 3', True)

    Args:
        bankroll: the first chips.
        seed: of the dice; the nth roll of a seed is always the same.
        currency: "$" or "EUR", for example; "" for units.

    Attributes:
        acts: the acts, as lines.
        joined: the indices of the acts that belong to the line of the act before.
        moments: the result of each roll, after a first one for the start.

    Raises:
        RulesError: no bankroll, a currency that is too long, or impossible rates.
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
        money = whole(exact(bankroll))
        if money <= 0:
            raise RulesError(f"bankroll={shown(bankroll)}; give more than 0")
        check_rates(rates)
        if not (
            currency.isprintable() and len(currency) <= LONGEST and currency.strip() == currency
        ):
            raise RulesError(f"currency={shown(currency)}; give a short one, such as $ or EUR")
        self.house, self.seed, self.currency = house or House(), seed, currency
        self.rates, self.bankroll = rates, money
        self.bettor = Bettor(self.house, ByHand())
        self.acts: list[str] = []
        self.joined: set[int] = set()
        self._stands = [Stand(Seat(None, (), None), money, money, 0, 0)]
        self.moments = [Moment((), None, {}, {}, (), 0, money, None)]
        self._random, self._dealt = Random(seed), list[Faces]()

    # --- the current state ----------------------------------------------------------------------

    @property
    def hands(self) -> list[list[Moment]]:
        """The rolls of each shooter, up to the current one."""
        found: list[list[Moment]] = [[]]
        for moment in self.moments[1:]:
            found[-1].append(moment)
            if moment.rolled and moment.rolled.out:
                found.append([])
        return found

    def history(self) -> Iterator[Act]:
        """The acts so far."""
        rolls = iter(self.moments[1:])
        for line, (before, after) in zip(self.acts, pairwise(self._stands), strict=True):
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
        bets, name = self.bets, switched(self.bets, bet)
        given = whole(exact(amount))
        if why := why_not(self.house, self.point, bets, name, given):
            return why
        more = self._cost(name, given) - self._cost(name, bets.get(name, 0))
        return f"it takes {self.said(more)}, and {self._rail}" if more > self.rail else ""

    @property
    def _rail(self) -> str:
        return f"the rail has {self.said(self.rail)}" if self.rail else "the rail is empty"

    def _cost(self, bet: str, amount: Money) -> Money:
        return amount + self.house.fee(bet, amount) if amount else 0

    # --- acts ------------------------------------------------------------------------------------

    def set(self, bet: str, amount: Number | str) -> Changed:
        """Set the amount on a bet; "most" for the most allowed.

        Raises:
            RulesError: the house does not take it; the message gives the rule.
        """
        name = switched(self.bets, bet)
        was = self.bets.get(name, 0)
        said: list[str] = []
        most = self.house.most(self.point, self.bets, name)
        if amount == "most":
            given = self._most(name, was, most)
        else:
            given = whole(exact(amount))
            if given < 0:
                raise RulesError(f"{amount_text(given)} on {bet}; bet 0 or more")
            if most and given > max(most, was):
                back = self.said(given - most)
                said.append(f"the most on {name} is {self.said(most)}: {back} comes back")
                given = most
        if given == was:
            if amount == "most" and not was and (why := self.offer(name).why):
                raise RulesError(f"{name}: {why}")
            return Changed(name, was, was, tuple(said))
        if why := self.why_not(name, given):
            raise RulesError(f"{name}: {why}")
        self._do(f"{name} = {given}")
        return Changed(name, was, given, (*said, *self._advice(name, given)))

    def put(self, bet: str, more: Number) -> Changed:
        """Add this amount to a bet; errors as in `set`."""
        return self.set(bet, self.bets.get(switched(self.bets, bet), 0) + exact(more))

    def press(self, bet: str, more: Number | None = None) -> Changed:
        """Raise a standing bet by an amount; double it by default.

        Raises:
            RulesError: it does not stand, or the house does not take it.
        """
        name = self._standing(bet)
        return self.put(name, self.bets[name] if more is None else more)

    def take_down(self, bet: str) -> list[Changed]:
        """Take down a bet and its odds; returns the bets taken down.

        Raises:
            RulesError: it does not stand, or must stay; the message gives the rule.
        """
        name = self._standing(bet)
        if why := why_not(self.house, self.point, self._without_odds(name), name, 0):
            raise RulesError(f"{name}: {why}")
        behind = switched(self.bets, f"{name} odds") if switch(name)[1] is None else ""
        return [self.set(each, 0) for each in (behind, name) if each in self.bets]

    def turn(self, bet: str, on: bool, *, early: bool = False) -> Changed:
        """Turn a bet off, or on (also at the come-out). `early` also keeps a bet that is on, on at
        the next come-out.

        Raises:
            RulesError: it does not stand, or always works.
        """
        name = self._standing(bet)
        plain, works = switch(name)
        amount = self.bets[name]
        stays = works is None and not self.house.is_off(spot(plain), None if early else self.point)
        if works is on or (on and stays):
            return Changed(name, amount, amount, (f"{plain} is {'on' if on else 'off'} already",))
        if not switchable(spot(plain)):
            raise RulesError(f"{plain}: it always works and can't be off; take it down instead")
        as_before = works is not None and (
            self.house.is_off(spot(plain), None if early else self.point) is not on
        )
        then = plain if as_before else f"{plain} {'on' if on else 'off'}"
        self._do(f"{name} > {then}")
        return Changed(then, amount, amount)

    def roll(self, faces: Faces | None = None) -> FeltRoll:
        """Roll the seed's dice, or play these faces.

        Raises:
            NotationError: the dice have no such faces.
        """
        given = self.dealt(self.rolls) if faces is None else faces
        if len(given) == 1:
            raise NotationError(f"{given[0]} is a total; write both dice, such as 4 2")
        see(self.house.dice, given)
        self._do(f"roll {' '.join(map(str, given))}")
        rolled = self.moments[-1].rolled
        assert rolled is not None
        return rolled

    def dealt(self, number: int) -> Faces:
        """The faces of a roll of this seed, numbered from 0."""
        while len(self._dealt) <= number:
            self._dealt.append(throw(self.house.dice, self._random))
        return self._dealt[number]

    def tip(self, amount: Number) -> None:
        """Give this amount from the rail to the dealers."""
        given = self._chips(amount)
        if given > self.rail:
            raise RulesError(f"a tip of {self.said(given)}: {self._rail}")
        self._do(f"tip {given}")

    def buy_in(self, amount: Number) -> None:
        """Buy more chips."""
        self._do(f"chips {self._chips(amount)}")

    @contextmanager
    def line(self) -> Iterator[None]:
        """What is done inside is one line: `undo` takes it back as a whole."""
        first = len(self.acts)
        yield
        self.joined.update(range(first + 1, len(self.acts)))

    def undo(self) -> str | None:
        """Undo the acts of the last line and return their text, the last first; None without any.

        The next roll shows the same faces as an undone one.
        """
        undone: list[str] = []
        joined = bool(self.acts)
        while joined:
            joined = len(self.acts) - 1 in self.joined
            undone.append(self._pop())
        return "; ".join(undone) or None

    @property
    def last_line(self) -> int:
        """How many acts the last line has, as `undo` takes them back."""
        first = len(self.acts) - 1
        while first in self.joined:
            first -= 1
        return len(self.acts) - max(first, 0)

    def cut(self, acts: int) -> None:
        """Keep this many acts."""
        while len(self.acts) > acts:
            self._pop()

    def _pop(self) -> str:
        self.joined.discard(len(self.acts) - 1)
        act = self.acts.pop()
        self._stands.pop()
        if act.startswith("roll "):
            self.moments.pop()
        return act

    # --- text ------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """The session as a file's text."""
        from sevenout.catalogue.craps_family.table.table_text import session_text

        return session_text(self)

    def to_address(self) -> str:
        """The session as one line."""
        return self.to_text().strip().replace("\n", ";")

    @classmethod
    def from_text(cls, text: str) -> "TableSession":
        """A session from a file's text or an address.

        Raises:
            NotationError: it is not a session; the message has the line.
            RulesError: the table does not allow an act; the message has the line.
        """
        from sevenout.catalogue.craps_family.table.table_text import parse_session

        return parse_session(text)

    # --- helpers ---------------------------------------------------------------------------------

    def _do(self, act: str) -> None:
        """Do an allowed act."""
        now = self._now
        if len(self.acts) >= MOST_ACTS:
            raise RulesError(
                f"the session has {MOST_ACTS:,} actions, the most there can be; start a new session"
            )
        verb, _, rest = act.partition(" ")
        bet, equals, given = act.partition(" = ")
        before, moves, after = act.partition(" > ")
        if equals:
            then = now._replace(seat=self._bet({bet: exact(given)}))
        elif moves:
            seat = self._bet({before: 0, after: dict(now.seat.bets)[before]})
            then = now._replace(seat=seat)
        elif verb == "roll":
            then = self._rolled(parse_throw(rest))
        elif verb == "tip":
            tip = whole(exact(rest))
            then = now._replace(money=now.money - tip, tips=now.tips + tip)
        else:
            chips = whole(exact(rest))
            then = now._replace(money=now.money + chips, brought=now.brought + chips)
        self.acts.append(act)
        self._stands.append(then)

    def _bet(self, wanted: Mapping[str, Any]) -> Seat:
        seat = self._now.seat
        left, wishes, unmet, _ = self.bettor.wished(seat.point, dict(seat.bets), wanted)
        then = seat._replace(bets=tuple(sorted(left.items())))
        rail = self.money - self.house.cost(then.bets)
        assert not unmet
        assert not unpaid(wishes, rail)
        return made(then, wishes, ())

    def _rolled(self, faces: Faces) -> Stand:
        now, felt = self._now, self.house
        roll = see(felt.dice, faces)
        after = self.bettor.after(now.seat, felt.throw_of(now.seat.bets, roll))
        money = now.money + after.gain
        self.moments.append(Moment(roll.faces, after.rolled, {}, {}, (), 0, money, None))
        return now._replace(seat=after.seat, money=money, rolls=now.rolls + 1)

    def _standing(self, bet: str) -> str:
        name = switched(self.bets, bet)
        if name not in self.bets:
            spot(bet)
            raise RulesError(f"{bet}: there is nothing on it")
        return name

    def _without_odds(self, name: str) -> dict[str, Money]:
        odds = f"{switch(name)[0]} odds"
        return {bet: on for bet, on in self.bets.items() if switch(bet)[0] != odds}

    def _most(self, name: str, was: Money, most: Money | None) -> Money:
        """The most that may be on a bet, in full units."""
        most = was + self.rail if most is None else min(most, was + self.rail)
        while most > was and self._cost(name, most) - self._cost(name, was) > self.rail:
            most -= 1
        unit = unit_of(self.house, self.point, name)
        return max(was, most // unit * unit) or most

    def _advice(self, name: str, amount: Money) -> Iterable[str]:
        """The dealer's remarks on an amount not paid in full."""
        unit, what = unit_of(self.house, self.point, name), spot(name)
        if amount and amount % unit and what.kind != "hard":
            full = f"multiples of {unit}" if unit > 1 else "whole amounts"
            yield f"paid in full in {full}: the win on {self.said(amount)} is rounded down"

    def _chips(self, amount: Number) -> Money:
        given = whole(exact(amount))
        if given <= 0:
            raise RulesError(f"{amount_text(given)} chips; give more than 0")
        return given
