"""Evenings as the subject of a question: a strategy, from words or Python, and when to leave.

They are apart from `subjects` since the craps table takes as long to load as all the other games.
"""

from os.path import isfile
from typing import Any

from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategyfile import StrategyFile, parse_strategy, read_strategy
from sevenout.catalogue.strategytext import ends_of, house_of, strategy_of
from sevenout.errors import NotationError, RulesError, shown
from sevenout.evenings.evening_plan import Plan
from sevenout.files import named
from sevenout.questions.subjects import unpack
from sevenout.rules.casino.betting import Strategy


def find_strategy(words: str, *, files: bool = False) -> StrategyFile:
    """The strategy of some words: a name with options, a packed file, or a file.

    >>> find_strategy("pass:amount=5").name
    'Pass line (amount 5)'

    Raises:
        SevenoutError: not a strategy.
    """
    if words.startswith("~"):
        return parse_strategy(unpack(words[1:]))
    if files and words.endswith(".toml"):
        return read_strategy(words)
    if files and words not in strategies and isfile(words):
        raise NotationError(
            f"{named(words)} is not a strategy file (.toml); a session saved at the "
            f"table is read by sevenout evening --played {named(words)}"
        )
    return strategy_of(words)


def plan_of(given: Any, house: str | None = None, **ends: Any) -> Plan:
    """An evening: a strategy, the house's rules, and when the player leaves."""
    if isinstance(given, Plan):
        return given
    if isinstance(given, str):
        given = strategy_of(given)
    if isinstance(given, Strategy):
        given = StrategyFile(type(given).__name__, given, {})
    if not isinstance(given, StrategyFile):
        raise RulesError(f"{shown(given)} is not a strategy; give 'pass', a Strategy or a Plan")
    ends = ends_of(given, {name: value for name, value in ends.items() if value is not None})
    return Plan.of(given.strategy, house=house_of(house or ""), name=given.name, **ends)


def plans_of(*given: Any, **ends: Any) -> tuple[Plan, ...]:
    """Evenings of several strategies; the same one twice has no column of its own."""
    for i, strategy in enumerate(given):
        if strategy in given[:i]:
            name = getattr(strategy, "name", strategy)
            raise RulesError(f"{shown(name)} is named twice; name each strategy once")
    return tuple(plan_of(strategy, **ends) for strategy in given)
