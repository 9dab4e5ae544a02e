"""Evenings as the subject of a question: a strategy, from words or Python, and when to leave.

They are apart from `subjects` since the craps table takes as long to load as all the other games.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from os.path import isfile
from typing import Any

from sevenout.catalogue.bet_names import bet_named, strategy_named
from sevenout.catalogue.craps_family.craps_felt import house_of
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategies.strategy_file import (
    StrategyFile,
    ends_of,
    parse_strategy,
    read_strategy,
    strategy_of,
)
from sevenout.documents.numbers import grouped_amount, quantity
from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.evenings.evening_plan import Plan
from sevenout.files import shown_path
from sevenout.questions.arguments import ArgumentError, parse_options
from sevenout.questions.policies import BEST, bet_of_game
from sevenout.questions.subject_kinds import END_ARGUMENTS
from sevenout.questions.subjects import GameSubject, find_game, unpack_file
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.gamefiles.python_file import is_python
from sevenout.solving.bet_result import BetResult

BANKROLL = 100
"""The default bankroll of an evening of a bet, as of a strategy."""


def find_evening(notation: str, *, files: bool = False) -> StrategyFile | GameSubject:
    """The strategy of some words, or else the game.

    Raises:
        SevenoutError: neither; the message names the nearest.
    """
    if is_strategy(notation):
        return find_strategy(notation, files=files)
    if (bet := bet_named(notation)) is not None:
        return table_bet_strategy(bet)
    # A session saved at the table is a file too.
    if files and isfile(notation) and not notation.endswith(".toml") and not is_python(notation):
        return find_strategy(notation, files=True)  # which says what a saved session is for
    try:
        return find_game(notation, files=files)
    except SevenoutError as error:
        not_a_game = error
    try:
        return find_strategy(notation, files=files)
    except SevenoutError:
        # a file of either kind is read as a game first; a strategy file has no rules
        if notation.endswith(".toml") or notation.startswith("~"):
            raise
        raise not_a_game from None


FULL_PAY_STAKES = {"place 6": 6, "place 8": 6, "place": 5, "buy": 20, "lay": 40}
"""The stake of a bet at the table that pays without breakage; other bets stake 1."""


def table_bet_strategy(bet: str) -> StrategyFile:
    """The strategy that always has one bet of the craps table up.

    >>> table_bet_strategy("place 6").name
    'place 6'
    """
    # The least amount that is paid in full, as a dealer would ask for.
    stake = FULL_PAY_STAKES.get(bet) or FULL_PAY_STAKES.get(bet.rpartition(" ")[0], 1)
    lines = [f'name = "{bet}"', "[[bet]]", f'on = "{bet}"', f"amount = {stake}"]
    if "pass" not in bet:  # the line is bet at the come-out alone
        lines.append('when = "always"')
    return parse_strategy("\n".join(["format = 1", *lines, ""]))


def is_strategy(notation: str) -> bool:
    """Whether some words begin with the name of a strategy.

    >>> is_strategy("pass:amount=5"), is_strategy("craps")
    (True, False)
    """
    return strategy_named(notation.partition(":")[0]) is not None


def find_strategy(notation: str, *, files: bool = False) -> StrategyFile:
    """The strategy of some words: a name with options, a packed file, or a file.

    >>> find_strategy("pass:amount=5").name
    'Pass line (amount 5)'

    Raises:
        SevenoutError: not a strategy.
    """
    if notation.startswith("~"):
        return parse_strategy(unpack_file(notation[1:]))
    if files and notation.endswith(".toml"):
        return read_strategy(notation)
    if files and notation not in strategies and isfile(notation):
        raise NotationError(
            f"{shown_path(notation)} is not a strategy file (.toml); a session saved at the "
            f"table is read by sevenout evening --played {shown_path(notation)}"
        )
    name, colon, options = notation.partition(":")
    return strategy_of(f"{strategy_named(name) or name}{colon}{options}")


@dataclass(frozen=True)
class RepeatedBets:
    """An evening of one bet of a game, made again and again.

    Attributes:
        game: the printed name of the game.
        bet: the bet, solved.
        bankroll, amount: the player's money, and the stake of each bet.
        target, bets: when the player leaves; None for never.
        assumption: how the choices of the game are made, as a sentence; "" without choices.
    """

    game: str
    bet: BetResult
    bankroll: Fraction
    amount: Fraction
    target: Fraction | None
    bets: int | None
    assumption: str = ""

    @property
    def title(self) -> str:
        """The evening in words."""
        ends = [f"up to {grouped_amount(self.target)}"] if self.target else []
        ends += [f"for {quantity(self.bets, 'bet')}"] if self.bets else []
        stakes = f"{grouped_amount(self.bankroll)} in bets of {grouped_amount(self.amount)}"
        return f"{self.game or self.name}: {', '.join([stakes, ' or '.join(ends)])}"

    @property
    def name(self) -> str:
        """The name of the bet."""
        return self.bet.name


Evening = Plan | RepeatedBets
REPEATED_BET_OPTIONS = ("bankroll", "amount", "target", "stop_win", "bets")
"""When an evening of a bet may end; it has no shooters and no clock."""
GAME_OPTIONS = ("bet", "policy", "against")


def endless_bets(*games: Any, **options: Any) -> tuple[RepeatedBets, ...]:
    """Bets that are made again and again, for ever; not strategies."""
    bets = []
    for game in games:
        entry = _strategy_or_game(game)
        if isinstance(entry, StrategyFile):
            with suppress(SevenoutError):  # a bet of the table is a game too
                entry = find_game(entry.name)
        if isinstance(entry, Plan | Strategy | StrategyFile):
            name = getattr(entry, "name", "this")
            raise RulesError(f"{name} is a strategy; for ever is asked of a game, such as craps")
        bets.append(_repeated_bets(entry, _stated(options)))
    return tuple(bets)


def lasting_evenings(*strategies: Any, **options: Any) -> tuple[Plan, ...]:
    """Evenings of strategies whose bankroll is asked for."""
    plans = []
    for strategy in strategies:
        entry = _strategy_or_game(strategy)
        if not isinstance(entry, Plan | Strategy | StrategyFile):
            title = getattr(entry, "title", "this")
            raise RulesError(
                f"{title} is a game; a bankroll is found for a strategy or a bet of the craps "
                "table, such as pass"
            )
        plans.append(plan_of(entry, **_stated(options)))
    return tuple(plans)


def evening_of(subject: Any, **options: Any) -> Evening:
    """An evening of a strategy at the craps table, or of a bet of a game.

    Raises:
        SevenoutError: neither, or an option that doesn't belong to it.
    """
    stated, subject = _stated(options), _strategy_or_game(subject)
    if not isinstance(subject, Plan | Strategy | StrategyFile):
        check_repeated_ends(stated)
        return _repeated_bets(subject, stated)
    for name in GAME_OPTIONS:
        if name in stated:
            raise ArgumentError(
                name, f"{stated[name]!r}; a strategy chooses its bets: leave it out"
            )
    return plan_of(subject, **stated)


def _stated(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that have a value."""
    return {name: value for name, value in options.items() if value is not None}


def _strategy_or_game(subject: Any) -> Any:
    """The strategy or the game of words; what is given in Python as it is."""
    return find_evening(subject) if isinstance(subject, str) else subject


def check_repeated_ends(stated: Mapping[str, Any]) -> None:
    """Refuse an evening of a bet that has no end, before the game is explored."""
    from sevenout.evenings.sessions import check_ends

    for name, value in stated.items():
        if name not in (*REPEATED_BET_OPTIONS, *GAME_OPTIONS):
            ends = ", ".join(f"{end}=" for end in REPEATED_BET_OPTIONS[2:])
            raise ArgumentError(name, f"{value}; an evening of a bet ends by {ends}: leave it out")
    if not stated.keys() & {*REPEATED_BET_OPTIONS[2:]}:
        raise RulesError(
            "an evening of a bet needs an end; give bets=, target= or stop_win=, or forever= for "
            "the risk of ruin"
        )
    check_ends(
        Fraction(stated.get("bankroll", BANKROLL)), _target_amount(stated), stated.get("bets")
    )


def _target_amount(stated: Mapping[str, Any]) -> Fraction | None:
    """The amount at which the player leaves, by the target or by the win."""
    goals = [stated["target"]] if "target" in stated else []
    if "stop_win" in stated:
        # A win is a target, counted from the bankroll.
        goals.append(Fraction(stated.get("bankroll", BANKROLL)) + stated["stop_win"])
    return min(goals, default=None)


def _repeated_bets(subject: Any, stated: Mapping[str, Any]) -> RepeatedBets:
    bet = bet_of_game(subject, **{name: stated[name] for name in GAME_OPTIONS if name in stated})
    bankroll, stake = stated.get("bankroll", BANKROLL), stated.get("amount", 1)
    game, assumption = "", ""
    if isinstance(subject, GameSubject):
        game = subject.title
        assumption = _assumption(subject, stated.get("policy") or subject.policy)
    money = Fraction(bankroll), Fraction(stake), _target_amount(stated)
    return RepeatedBets(game, bet, *money, stated.get("bets"), assumption)


def _assumption(game: GameSubject, policy: Any) -> str:
    """How the choices of a game are made, as a sentence; "" without choices."""
    if policy is None:
        return ""
    if policy == BEST:
        return f"Optimal play of {game.title} is assumed; other play returns less."
    name = policy if isinstance(policy, str) else getattr(policy, "__name__", "that is given")
    return f"The player follows the policy {name}."


def plan_of(strategy_or_plan: Any, house: str | None = None, **ends: Any) -> Plan:
    """An evening: a strategy, the house's rules, and when the player leaves."""
    if isinstance(strategy_or_plan, Plan):
        return strategy_or_plan
    if isinstance(strategy_or_plan, Strategy):
        strategy_or_plan = StrategyFile(type(strategy_or_plan).__name__, strategy_or_plan, {})
    if not isinstance(strategy_or_plan, StrategyFile):
        raise RulesError(
            f"{shown(strategy_or_plan)} is not a strategy; give 'pass', a Strategy or a Plan"
        )
    stake = ends.pop("amount", None)
    strategy = strategy_or_plan.strategy if stake is None else _with_stake(strategy_or_plan, stake)
    ends = ends_of(strategy_or_plan, ends)
    return Plan.of(strategy, house=house_of(house or ""), name=strategy_or_plan.name, **ends)


def named_evening(
    notation: str, options: Mapping[str, str], *, files: bool = False
) -> tuple[Plan, dict[str, Any]]:
    """An evening of a strategy by name, and when the player leaves, from texts by option.

    >>> plan, ends = named_evening("pass:amount=5", {"bankroll": "100", "stop-win": "50"})
    >>> plan.ends.ceiling, ends["stop_win"]
    (150, Fraction(50, 1))

    Raises:
        SevenoutError: no such strategy or option, or not a value of it.
    """
    ends = parse_options(END_ARGUMENTS, options, "an evening")
    return plan_of(find_strategy(notation, files=files), **ends), ends


def _with_stake(file: StrategyFile, stake: Fraction) -> Strategy:
    """A strategy that bets another amount."""
    strategy: Any = file.strategy
    if "amount" not in getattr(strategy, "__dataclass_fields__", {}):
        raise ArgumentError("amount", f"{stake}; {file.name} has its own amounts: leave it out")
    value = stake.numerator if stake.denominator == 1 else stake
    staked: Strategy = replace(strategy, amount=value)
    return staked


def evenings_of(*subjects: Any, **options: Any) -> tuple[Evening, ...]:
    """Several evenings; the same one twice has no column of its own."""
    for i, strategy in enumerate(subjects):
        # Two equal columns look as if something differed.
        if strategy in subjects[:i]:
            name = getattr(strategy, "name", strategy)
            raise RulesError(f"{shown(name)} is named twice; name each strategy once")
    return tuple(evening_of(strategy, **options) for strategy in subjects)


def strategies_of(*strategies_or_names: Any) -> tuple[StrategyFile, ...]:
    """Strategies of the craps table, without an evening."""
    strategies = []
    for strategy in strategies_or_names:
        file = strategy_of(strategy) if isinstance(strategy, str) else strategy
        if not isinstance(file, StrategyFile):
            raise RulesError(f"{shown(file)} is not a strategy; give a name, such as pass")
        strategies.append(file)
    return tuple(strategies)
