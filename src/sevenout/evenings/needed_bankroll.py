"""The smallest bankroll that lasts an evening with a given probability.

A player lasts if they are not ruined before the time is up: they can pay for each next bet, or have
bets on the felt. The probability is found for all bankrolls at once, with an error bound. It need
not grow with every unit: a player with a little more may just afford a bet that a poorer one has to
leave out. So the smallest is looked for among all bankrolls, not by bisection.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sevenout.documents import Certified, Column, Fact, Facts, Page, Shown, Table
from sevenout.documents.kinds import AMOUNT, COUNT, PERCENT
from sevenout.errors import RulesError, UndecidedError, shown
from sevenout.evenings.evening_plan import PACE, Plan
from sevenout.extras import needs
from sevenout.numerals import Number, exact
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.casino.felt import Felt, Money, whole

LEVELS = ("50%", "75%", "80%", "90%", "95%", "98%", "99%", "99.9%")
"""The probabilities in the table of the page."""
FIRST_GUESS = 16
"""The largest bankroll that is tried first, in first bets; it is doubled until it lasts."""
AMPLE = 10**9
"""A bankroll that pays for every bet: with it, positions and the unit of money are explored."""


@dataclass(frozen=True, eq=False, repr=False)
class NeededBankroll(Shown):
    """How large a bankroll must be to last; see `bankroll_for`.

    >>> bankroll_for("pass", "95%", rolls=100).smallest("50%")
    4

    Attributes:
        name: of the strategy.
        rolls, hours: the evening; hours are None if rolls were given.
        probability: that was asked for.
        bankroll: the smallest that lasts with this probability or more.
        solvent: by bankroll, smallest first, the probability that it lasts.
        bound: the error bound of each.
    """

    name: str
    rolls: int
    hours: Fraction | None
    probability: Fraction
    bankroll: Money
    solvent: Mapping[Money, float]
    bound: Fraction

    def smallest(self, probability: Number) -> Money | None:
        """The smallest bankroll that lasts with this probability; None if it is none of these.

        Raises:
            RulesError: not a probability between 0 and 1.
            UndecidedError: the probability of a bankroll is within the error bound of it.
        """
        level = _level(probability)
        for bankroll, p in self.solvent.items():
            if p - self.bound >= level:
                return bankroll
            if p + self.bound >= level:
                raise UndecidedError(
                    f"a bankroll of {bankroll} lasts with a probability within "
                    f"{float(self.bound):.1e} of {shown(probability)}; ask for another"
                )
        return None

    def __repr__(self) -> str:
        length = f"{self.rolls:,} rolls"
        return f"<{self.name}: a bankroll of {self.bankroll} lasts {length} at {self.probability}>"

    def page(self) -> Page:
        """The bankroll, and the smallest ones for other probabilities."""
        p = Certified(Fraction(self.solvent[self.bankroll]), self.bound)
        levels = [(exact(level), self.smallest(level)) for level in LEVELS]
        return Page(
            self.name,
            Facts(
                Fact("rolls", self.rolls, COUNT),
                Fact("smallest bankroll", self.bankroll, AMOUNT),
                Fact("it lasts with probability", p, PERCENT),
            ),
            Table(
                [Column("lasts with at least", PERCENT.to(1)), Column("bankroll", AMOUNT)],
                [[level, bankroll] for level, bankroll in levels if bankroll is not None],
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """As data: `lasts` is the probability by bankroll."""
        return {
            "strategy": self.name,
            "rolls": self.rolls,
            "hours": None if self.hours is None else str(self.hours),
            "probability": str(self.probability),
            "bankroll": str(self.bankroll),
            "lasts": {str(bankroll): p for bankroll, p in self.solvent.items()},
            "bound": float(self.bound),
        }


def bankroll_for(
    strategy: Strategy | str,
    probability: Number = "95%",
    *,
    rolls: int | None = None,
    hours: Number | None = None,
    pace: int = PACE,
    house: Felt | None = None,
    name: str | None = None,
) -> NeededBankroll:
    """The smallest bankroll that lasts an evening with a probability.

    >>> needed = bankroll_for("pass", "95%", rolls=100)
    >>> needed.bankroll, round(needed.solvent[needed.bankroll], 6)
    (11, 0.95525)

    Args:
        strategy: a `Strategy`, or its name; not one that looks at its money.
        probability: above 0 and below 1, such as "95%".
        rolls: that it must last.
        hours: that it must last at the `pace`; give rolls or hours.
        pace: rolls per hour.
        house: the table; `House()` by default.
        name: of the strategy; its own by default.

    Raises:
        RulesError: not a probability, no length, or the strategy looks at its money.
        TooMuchWorkError: more than the budget allows.
        UndecidedError: the probability of a bankroll is within the error bound of the wanted one.
        MissingError: NumPy is not installed.
    """
    needs("numpy")
    level = _level(probability)
    given: dict[str, Any] = {"hours": hours, "pace": pace, "house": house, "name": name}
    plan = Plan.of(strategy, AMPLE, rolls=rolls, **given)
    if plan.ends.rolls is None:
        raise RulesError("how long must the bankroll last? give rolls or hours")
    if plan.bettor.strategy.sees_money:
        raise RulesError(
            f"{plan.name} bets by its money, so no bankroll is like another; give a bankroll"
        )
    rolls = plan.ends.rolls
    plan.positions.complete()
    units = FIRST_GUESS * max(
        1, int(plan.positions.cost(plan.positions.start) / plan.positions.unit)
    )
    while True:
        solvent, bound = _solvent(plan, units)
        results = NeededBankroll(plan.name, rolls, plan.hours, level, 0, solvent, bound)
        smallest = results.smallest(level)
        if smallest is not None:
            return replace(results, bankroll=smallest)
        units *= 2


def _solvent(plan: Plan, units: int) -> tuple[dict[Money, float], Fraction]:
    """By bankroll of up to `units`, the probability that it lasts; and the error bound."""
    from sevenout.evenings.money_lattice import solvency

    unit = plan.positions.unit
    positions = replace(plan, bankroll=whole(units * unit)).positions
    starts: dict[Money, int] = {}
    for count in range(1, units + 1):
        bankroll = whole(count * unit)
        with suppress(RulesError):  # it does not pay for the first bet
            starts[bankroll], _ = positions.first_row(bankroll)
    positions.starts = list(dict.fromkeys(starts.values()))
    positions.complete()
    return solvency(positions, plan.name, starts)


def _level(probability: Number) -> Fraction:
    level = exact(probability)
    if not 0 < level < 1:
        raise RulesError(
            f"a probability of {shown(probability)}; give one above 0 and below 1, such as '95%'"
        )
    return level
