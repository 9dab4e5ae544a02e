"""Evenings to compare a session at the table with, and the rest of its own evening.

A session is compared with the evenings of a strategy (`PlayedEvening`), and continued with the bets
kept up (`rest_of`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.craps_offers import unit_of
from sevenout.catalogue.craps_family.spots import BONUS, COME_BETS, original_bet, split_switch, spot
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.documents import Fact, Facts, HasPage, Page
from sevenout.documents.kinds import AMOUNT, COUNT, LABEL
from sevenout.documents.numbers import won
from sevenout.errors import RulesError
from sevenout.evenings.evening_plan import Plan, at_the_minimum
from sevenout.evenings.evening_result import EveningResult
from sevenout.rules.casino.betting import Bettor, Seat, Strategy, TableView
from sevenout.rules.casino.ends import Ends
from sevenout.rules.casino.felt import Money


@dataclass(frozen=True, eq=False)
class PlayedEvening(HasPage):
    """A session, compared with a strategy's evenings of equal length and bankroll.

    >>> session = TableSession.from_text("sevenout table;bankroll: 9;pass = 1;roll 3 4;pass = 1")
    >>> played = PlayedEvening(session, plan_beside("pass", session))
    >>> played.per_thousand["a result as high or higher"]
    Fraction(2000, 9)

    Attributes:
        session: as played.
        plan: of the strategy's evenings.
    """

    session: TableSession
    plan: Plan

    @cached_property
    def result(self) -> EveningResult:
        """The distribution of the strategy's evenings."""
        return self.plan.solve()

    @cached_property
    def per_thousand(self) -> dict[str, Fraction]:
        """In how many of a thousand evenings the same or more happens."""
        session = self.session
        profit, bankroll = self.result.profit, Fraction(session.bought)
        result = Fraction(session.result)
        amounts = [Fraction(moment.money) for moment in session.moments]
        lowest, highest = min(amounts), max(amounts)
        shares = {
            "a result as low or lower": profit.cdf(result),
            "a result as high or higher": 1 - profit.cdf(result) + profit.pmf(result),
        }
        # every evening is ever as low and as high as its bankroll
        if 0 < lowest < bankroll:
            shares[f"ever as low as {won(lowest - bankroll)}"] = self.plan.ever(most=lowest)
        if highest > bankroll:
            shares[f"ever as high as {won(highest - bankroll)}"] = self.plan.ever(least=highest)
        return {event: 1000 * p for event, p in shares.items()}

    def page(self) -> Page:
        """The session's figures and how rare they are."""
        session = self.session
        rolls = [moment.rolled for moment in session.moments if moment.rolled]
        handle = sum(payment.stake for rolled in rolls for payment in rolled.paid)
        return Page(
            f"Played at the table, beside {self.plan.name}",
            Facts(
                Fact("result", won(Fraction(session.result)), LABEL),
                Fact("rolls", session.rolls, COUNT),
                Fact("money bet", handle, AMOUNT),
                Fact("mean result of the strategy", won(self.result.mean), LABEL),
                Fact("money bet by the strategy", round(self.result.handle), AMOUNT),
                *(
                    Fact(event, f"{float(n):,.1f} of 1,000 evenings", LABEL)
                    for event, n in self.per_thousand.items()
                ),
                self.result.status_fact,
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
            "of_1000_evenings": {event: float(n) for event, n in self.per_thousand.items()},
        }


def plan_beside(strategy: Any, session: TableSession, **options: Any) -> Plan:
    """The plan of a strategy with a session's table, number of rolls and bankroll.

    `options` are as in `Plan.of`.

    Raises:
        RulesError: nothing was rolled, or the player bought more chips.
    """
    if not session.rolls:
        raise RulesError("nothing was rolled in this session; play it first")
    if session.bought != session.bankroll:
        raise RulesError(
            "this session bought more chips, and a strategy has a single bankroll; play one "
            "without buying"
        )
    usual = {"bankroll": session.bankroll, "rolls": session.rolls, "house": session.house}
    usual |= {"pace": session.rates.pace}
    return at_the_minimum(Plan.of(strategy, **(usual | options)))


# --- the rest of the evening ----------------------------------------------------------------------


@dataclass(frozen=True)
class KeptUp(Strategy):
    """Bets made again whenever the rules allow, each for the same amount.

    Attributes:
        house: the table.
        flat: amounts by the name under which a bet is made.
        odds: the share of the maximum odds, by kind of flat bet.
        comes: how many come and don't come bets stand at once.
        memory: whether the shooter is new at the first roll.
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
        flat_bets = self._missing_flat_bets(table)
        # odds may go behind a bet that is made now
        return flat_bets | self._missing_odds(table, {**table.bets, **flat_bets})

    def _missing_flat_bets(self, table: TableView) -> dict[str, Money]:
        """The flat bets that don't stand and may be made now."""
        bets: dict[str, Money] = {}
        standing = [original_bet(split_switch(bet)[0]) for bet in table.bets if not spot(bet).odds]
        comes = dict(self.comes)
        for bet, amount in self.flat:
            kind = spot(bet).kind
            if standing.count(bet) >= comes.get(bet, 1):
                continue
            # these bets are only made for a new shooter
            if (kind in BONUS or kind == "side") and not table.memory:
                continue
            if bet not in table.bets and self.house.allows(table.point, table.bets, bet, amount):
                bets[bet] = amount
        return bets

    def _missing_odds(self, table: TableView, bets: Mapping[str, Money]) -> dict[str, Money]:
        """The odds that don't stand behind these bets and may be made now."""
        missing: dict[str, Money] = {}
        for kind, share in self.odds:
            for bet in bets:
                entry = spot(bet)
                if entry.odds or entry.kind != kind:
                    continue
                odds = f"{bet} odds"
                number = entry.number or (table.point if kind.endswith("pass") else None)
                if number is None or any(split_switch(name)[0] == odds for name in table.bets):
                    continue
                maximum = self.house.maximum_of(table.point, bets, odds) or 0
                unit = unit_of(self.house, table.point, odds)
                if amount := Fraction(maximum * share) // unit * unit:
                    missing[odds] = amount
        return missing


@dataclass(frozen=True)
class Seated(Bettor):
    """A bettor who begins with bets on the felt.

    Attributes:
        seat: the point and the bets.
    """

    seat: Seat

    @property
    def first_seat(self) -> Seat:
        """The seat, with the memory of the strategy."""
        return self.seat._replace(memory=self.strategy.memory)


def kept_up(session: TableSession) -> KeptUp:
    """The player's bets as last made with this shooter or the previous one.

    >>> session = TableSession.from_text(
    ...     "sevenout table;bankroll: 99;pass = 5;roll 4 2;pass odds = 25;place 8 = 6")
    >>> kept_up(session).flat, kept_up(session).odds
    ((('pass', 5), ('place 8', 6)), (('pass', Fraction(1, 1)),))

    Raises:
        RulesError: nothing was bet.
    """
    acts = list(session.history())
    seven_outs = [i for i, act in enumerate(acts) if act.rolled and act.rolled.out]
    first_act = seven_outs[-2] + 1 if len(seven_outs) > 1 else 0
    flat: dict[str, Money] = {}
    odds: dict[str, Fraction] = {}
    comes: dict[str, int] = {}
    for act in acts[first_act:]:
        if act.rolled:
            continue
        before, after = dict(act.before.bets), dict(act.after.bets)
        for bet in before.keys() | after.keys():
            others_after = [split_switch(name)[0] for name in after if name != bet]
            # a bet that is switched on or off has another name, but is the same bet
            if before.get(bet) == after.get(bet) or split_switch(bet)[0] in others_after:
                continue
            entry, amount = spot(bet), after.get(bet, 0)
            if entry.odds:
                bets = after if amount else before
                maximum = session.house.maximum_of(act.after.point, bets, bet) or 1
                odds[entry.kind] = min(Fraction(1), Fraction(amount) / maximum)
            else:
                flat[original_bet(split_switch(bet)[0])] = amount
        for kind in COME_BETS:
            count = sum(spot(bet).kind == kind and not spot(bet).odds for bet in after)
            comes[kind] = max(comes.get(kind, 0), count)
    for bet, amount in session.bets.items():
        if not spot(bet).odds:
            flat.setdefault(original_bet(split_switch(bet)[0]), amount)
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
    acts = list(session.history())
    seat = acts[-1].after if acts else Seat(None, (), None)
    is_new_shooter = bool(not acts or (acts[-1].rolled and acts[-1].rolled.out))
    strategy = replace(kept_up(session), memory=is_new_shooter)
    return Plan(
        "the rest of the evening, with these bets kept up",
        Seated(session.house, strategy, seat),
        session.money,
        Ends(rolls=rolls),
        pace=session.rates.pace,
    )
