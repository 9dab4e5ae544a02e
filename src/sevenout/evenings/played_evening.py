"""An evening played at the table, compared with a strategy's evenings."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.catalogue.craps_family.table.table_session import TableSession
from sevenout.documents import Fact, Facts, Page, Shown
from sevenout.documents.kinds import AMOUNT, COUNT, LABEL
from sevenout.documents.numbers import won
from sevenout.errors import RulesError
from sevenout.evenings.eveningplan import Plan
from sevenout.evenings.eveningresult import EveningResult
from sevenout.evenings.one_table import at_the_minimum


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
