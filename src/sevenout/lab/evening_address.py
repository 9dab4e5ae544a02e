"""Evenings in an address: the strategies, the bankroll, and when the player leaves.

    a=pass:amount=5,odds=3-4-5      a strategy of the library
    a=~eNpLzk...                    a strategy file, packed

`questions.subjects.pack` packs it.
"""

from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from sevenout.catalogue.strategies.strategy_file import StrategyFile
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.evenings.evening_plan import Plan
from sevenout.evenings.evening_result import EveningResult
from sevenout.lab.address import Address
from sevenout.numerals import exact
from sevenout.questions.plans import find_strategy, plan_of
from sevenout.rolling.throw import throw
from sevenout.rules.casino.betting import Moment
from sevenout.rules.casino.felt import Bets

COUNTED = {"rolls": 100_000, "pace": 1_000, "shooters": 1_000, "bets": 1_000}
AMOUNTS = {
    "bankroll": "Bankroll",
    "hours": "Hours",
    "stop_loss": "Leaves when down",
    "stop_win": "Leaves when up",
    "target": "Leaves with",
}
"""Fields with an amount above 0, and their labels."""
KEPT = (
    *("bankroll", "hours", "length", "pace", "shooters", "bets"),
    *("stop_loss", "stop_win", "target", "house"),
)
"""The fields of an evening, besides the strategies."""

# Tuples, because the arguments of a cached function must have a hash.
Said = tuple[tuple[str, Any], ...]


@lru_cache(maxsize=64)
def strategy(text: str) -> StrategyFile:
    """The strategy of a text."""
    return find_strategy(text)


def said_in(address: Address) -> Said:
    """When an evening ends, from its address. `length` is in rolls: `rolls` counts those already
    made.
    """
    arguments: list[tuple[str, Any]] = []
    for key, label in AMOUNTS.items():
        if text := address.get(key):
            arguments.append((key, _above_zero(text, label)))
    for key, most in COUNTED.items():
        name = "length" if key == "rolls" else key
        if address.get(name):
            arguments.append((key, address.whole(name, 1, 1, most)))
    return tuple(arguments)


def _above_zero(text: str, label: str) -> str:
    """The text itself, if it is an amount above 0."""
    try:
        if exact(text) > 0:
            return text
    except SevenoutError:
        # Refused below, with the label of the field.
        pass
    raise NotationError(f"{label} is {shown(text)}; write a number above 0, such as 4 or 1/2")


@lru_cache(maxsize=64)
def plan(text: str, arguments: Said, house: str) -> Plan:
    """The plan of an evening."""
    return plan_of(strategy(text), house, **dict(arguments))


@lru_cache(maxsize=32)
def solved(text: str, arguments: Said, house: str) -> EveningResult:
    return plan(text, arguments, house).solve()


class EveningRoll(NamedTuple):
    """A roll of an evening.

    Attributes:
        moment: what the roll did: its faces, what was paid, and the money after it.
        bets: the bets after it, with their amounts.
        point: the point after it; None if it is off.
    """

    moment: Moment
    bets: Bets
    point: int | None


class Evening:
    """An evening played roll by roll; a seed fixes the dice."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan, self.random = plan, Random(seed)
        self.sitting = plan.sitting()
        self.turns: list[EveningRoll] = []
        # Copied, because the sitting changes its bets with every roll.
        self.first = tuple(self.sitting.bets.items())

    def after(self, rolls: int) -> list[EveningRoll]:
        """The first rolls; fewer if the evening ends before."""
        sitting, dice = self.sitting, self.plan.bettor.felt.dice
        while len(self.turns) < rolls and sitting.end is None:
            moment = sitting.roll(throw(dice, self.random))
            bets = tuple(sitting.bets.items())
            self.turns.append(EveningRoll(moment, bets, sitting.point))
        return self.turns[:rolls]


@lru_cache(maxsize=16)
def evening(text: str, arguments: Said, house: str, seed: int) -> Evening:
    return Evening(plan(text, arguments, house), seed)
