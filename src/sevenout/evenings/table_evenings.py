"""An evening played at the table: how rare it was, and its rest if the bets are kept up."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.craps_offers import unit_of
from sevenout.catalogue.craps_family.spots import BONUS, made_as, spot, switch
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.documents import Fact, Facts, Page, Shown
from sevenout.documents.kinds import AMOUNT, COUNT, LABEL
from sevenout.documents.numbers import won
from sevenout.errors import RulesError
from sevenout.evenings.evening_plan import Plan, at_the_minimum
from sevenout.evenings.evening_result import EveningResult
from sevenout.rules.casino.betting import Bettor, Seat, Strategy, TableView, Wished
from sevenout.rules.casino.ends import Ends
from sevenout.rules.casino.felt import Felt, Money


@dataclass(frozen=True, eq=False)
class PlayedEvening(Shown):
    """A session, compared with a strategy's evenings of equal length and bankroll.

    >>> session = TableSession.from_text("sevenout table;bankroll: 9;pass = 1;roll 3 4;pass = 1")
    >>> PlayedEvening(session, beside("pass", session)).thousand["a result as high or higher"]
    Fraction(2000, 9)
    """

    session: TableSession
    plan: Plan

    @cached_property
    def result(self) -> EveningResult:
        """The distribution of the strategy's evenings."""
        return self.plan.solve()

    @cached_property
    def thousand(self) -> dict[str, Fraction]:
        """In how many of a thousand evenings the same or more happens."""
        session = self.session
        law, brought = self.result.result, Fraction(session.brought)
        came_to = Fraction(session.result)
        moneys = [Fraction(moment.money) for moment in session.moments]
        lowest, highest = min(moneys), max(moneys)
        found = {
            "a result as low or lower": law.cdf(came_to),
            "a result as high or higher": 1 - law.cdf(came_to) + law.pmf(came_to),
        }
        if 0 < lowest < brought:
            found[f"ever as low as {won(lowest - brought)}"] = self.plan.ever(most=lowest)
        if highest > brought:
            found[f"ever as high as {won(highest - brought)}"] = self.plan.ever(least=highest)
        return {what: 1000 * p for what, p in found.items()}

    def page(self) -> Page:
        """The session's figures and how rare they are."""
        session = self.session
        handle = sum(each.stake for m in session.moments if m.rolled for each in m.rolled.paid)
        return Page(
            f"Played at the table, beside {self.plan.name}",
            Facts(
                Fact("result", won(Fraction(session.result)), LABEL),
                Fact("rolls", session.rolls, COUNT),
                Fact("money bet", handle, AMOUNT),
                Fact("mean result of the strategy", won(self.result.mean), LABEL),
                Fact("money bet by the strategy", round(self.result.handle), AMOUNT),
                *(
                    Fact(what, f"{float(n):,.1f} of 1,000 evenings", LABEL)
                    for what, n in self.thousand.items()
                ),
                Fact(*self.result.proof),
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        session = self.session
        return {
            "strategy": self.plan.name,
            "session": session.to_text(),
            "result": str(session.result),
            "rolls": session.rolls,
            "of_1000_evenings": {what: float(n) for what, n in self.thousand.items()},
        }


def beside(strategy: Any, session: TableSession, **said: Any) -> Plan:
    """The plan of a strategy with a session's table, number of rolls and bankroll.

    `said` is as in `Plan.of`.

    Raises:
        RulesError: nothing was rolled, or the player bought more chips.
    """
    if not session.rolls:
        raise RulesError("nothing was rolled in this session; play it first")
    if session.brought != session.bankroll:
        raise RulesError(
            "this session bought more chips, and a strategy has a single bankroll; play one "
            "without buying"
        )
    usual = {"bankroll": session.bankroll, "rolls": session.rolls, "house": session.house}
    usual |= {"pace": session.rates.pace}
    return at_the_minimum(Plan.of(strategy, **(usual | said)))


# --- the rest of the evening ----------------------------------------------------------------------


@dataclass(frozen=True)
class KeptUp(Strategy):
    """Bets made again whenever the rules allow, each for the same amount.

    Attributes:
        flat: amounts by the name under which a bet is made.
        odds: the share of the maximum odds, by kind of flat bet.
        comes: how many come and don't come bets stand at once.
    """

    house: House
    flat: tuple[tuple[str, Money], ...]
    odds: tuple[tuple[str, Fraction], ...] = ()
    comes: tuple[tuple[str, int], ...] = ()
    memory: Any = True

    def remembers(self, table: TableView) -> Any:
        """Whether the shooter is new; side bets on a hand are made then."""
        return table.last is not None and (table.last.out or table.last.throw.total == 7)

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The missing bets that may be made now."""
        wanted: dict[str, Any] = {}
        stand = [made_as(switch(bet)[0]) for bet in table.bets if not spot(bet).odds]
        comes = dict(self.comes)
        for bet, amount in self.flat:
            what = spot(bet)
            early = what.kind in BONUS or what.kind == "side"
            if stand.count(bet) >= comes.get(bet, 1) or (early and not table.memory):
                continue
            if bet not in table.bets and self.house.allows(table.point, table.bets, bet, amount):
                wanted[bet] = amount
        hoped = {**table.bets, **wanted}
        for kind, share in self.odds:
            for bet in list(hoped):
                what = spot(bet)
                if what.odds or what.kind != kind:
                    continue
                odds = f"{bet} odds"
                number = what.number or (table.point if kind.endswith("pass") else None)
                if number is None or any(switch(name)[0] == odds for name in table.bets):
                    continue
                most = self.house.most(table.point, hoped, odds) or 0
                unit = unit_of(self.house, table.point, odds)
                if given := Fraction(most * share) // unit * unit:
                    wanted[odds] = given
        return wanted


class Seated(Bettor):
    """A bettor who goes on from a given `seat`."""

    def __init__(self, felt: Felt, strategy: Strategy, seat: Seat) -> None:
        super().__init__(felt, strategy)
        object.__setattr__(self, "seat", seat)

    def start(self, money: Money) -> tuple[Seat, Wished]:
        """The seat, and the bets wanted there."""
        seat: Seat = self.seat  # type: ignore[attr-defined]
        strategy = self.strategy
        purse = money if strategy.sees_money else None
        table = TableView(seat.point, dict(seat.bets), strategy.memory, None, purse)
        wished = self.wished(seat.point, table.bets, strategy.wants(table))
        left = tuple(sorted(wished.left.items()))
        return Seat(seat.point, left, strategy.memory), wished


def kept_up(session: TableSession) -> KeptUp:
    """The player's bets as last made with this shooter or the previous one.

    >>> session = TableSession.from_text(
    ...     "sevenout table;bankroll: 99;pass = 5;roll 4 2;pass odds = 25;place 8 = 6")
    >>> kept_up(session).flat, kept_up(session).odds
    ((('pass', 5), ('place 8', 6)), (('pass', Fraction(1, 1)),))
    """
    acts = list(session.history())
    outs = [i for i, act in enumerate(acts) if act.rolled and act.rolled.out]
    since = outs[-2] + 1 if len(outs) > 1 else 0
    flat: dict[str, Money] = {}
    odds: dict[str, Fraction] = {}
    comes: dict[str, int] = {}
    for act in acts[since:]:
        was, now = dict(act.before.bets), dict(act.after.bets)
        if act.rolled:
            continue
        for bet in was.keys() | now.keys():
            if was.get(bet) == now.get(bet) or switch(bet)[0] in (
                switch(b)[0] for b in now if b != bet
            ):
                continue
            what, made, amount = spot(bet), made_as(switch(bet)[0]), now.get(bet, 0)
            if what.odds:
                point = act.after.point
                most = session.house.most(point, now if amount else was, bet) or 1
                odds[what.kind] = min(Fraction(1), Fraction(amount) / most)
            else:
                flat[made] = amount
        for kind in ("come", "don't come"):
            here = sum(spot(b).kind == kind and not spot(b).odds for b in now)
            comes[kind] = max(comes.get(kind, 0), here)
    for bet, amount in session.bets.items():
        if not spot(bet).odds:
            flat.setdefault(made_as(switch(bet)[0]), amount)
    if not any(flat.values()):
        raise RulesError("nothing was bet by this shooter or the one before: make a bet first")
    return KeptUp(
        session.house,
        _positive(flat.items()),
        _positive(odds.items()),
        tuple((kind, n) for kind, n in comes.items() if n > 1),
    )


def _positive(amounts: Iterable[tuple[str, Any]]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, amount) for name, amount in amounts if amount)


def rest_of(session: TableSession, rolls: int) -> Plan:
    """The next `rolls` rolls of an evening if the player keeps up their bets.

    The bankroll is the money on the felt and in the rail.

    >>> session = TableSession.from_text("sevenout table;bankroll: 10;pass = 5;roll 4 2")
    >>> rest_of(session, 1).solve().mean
    Fraction(-5, 36)

    Raises:
        RulesError: nothing was bet yet, or no rolls are left.
    """
    if rolls < 1:
        raise RulesError(f"{rolls} rolls are left of the evening; say for how many, such as 100")
    act = list(session.history())
    seat = act[-1].after if act else Seat(None, (), None)
    new = bool(not act or (act[-1].rolled and act[-1].rolled.out))
    strategy = kept_up(session)
    strategy = KeptUp(strategy.house, strategy.flat, strategy.odds, strategy.comes, new)
    return Plan(
        "the rest of the evening, with these bets kept up",
        Seated(session.house, strategy, seat),
        session.money,
        Ends(rolls=rolls),
        pace=session.rates.pace,
    )
