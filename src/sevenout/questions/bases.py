"""What a question is asked of: a game, one of its bets, a game with choices, an evening, dice.

A basis has arguments of its own, which all its questions share, and makes what is asked about from
what a face gives it. `NUMBERS` is asked of nothing but the arguments themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from sevenout.errors import RulesError, shown
from sevenout.page import Shown
from sevenout.questions.arguments import Argument, amount, text, whole, words

What = Literal["game", "bet", "choices", "evening", "dice", "numbers"]


@dataclass(frozen=True)
class Basis:
    """What a question is asked of.

    Attributes:
        name: which of the kinds it is.
        words: what it is, for the reference.
        make: what is asked about, from what is given and the basis's own arguments.
        own: these arguments.
        example: what may be given, as a text of the command line and of the lab; "" for nothing.
    """

    name: What
    words: str
    make: Callable[..., Any]
    own: tuple[Argument, ...] = ()
    example: str = ""

    @property
    def of_game(self) -> bool:
        """Whether it is asked of a game."""
        return self.name in ("game", "bet", "choices")


def _solution(given: Any) -> Any:
    from sevenout.solve import Solution, solve

    return given if isinstance(given, Solution) else solve(given)


def _bet(given: Any, bet: str | None = None) -> Any:
    from sevenout.solve.bets.bet_result import BetResult

    return given if isinstance(given, BetResult) else _solution(given).bet(bet)


def _optimum(given: Any) -> Any:
    from sevenout.optimal_play import best
    from sevenout.rules import Game
    from sevenout.solve import Optimum

    if isinstance(given, Game):
        given = best(given)
    if not isinstance(given, Optimum):
        raise RulesError(
            "a game of many turns, or in which something is hidden, has no list of decision states "
            "and costs; give another game with choices, such as pig"
            if isinstance(given, Shown)
            else f"{shown(given)} is no game with choices; give one, such as decisions('pig')"
        )
    return given


def _plan(given: Any, house: str | None = None, **said: Any) -> Any:
    from sevenout.evening.eveningplan import Plan
    from sevenout.games.strategyfile import StrategyFile
    from sevenout.games.strategytext import ends_of, house_of, strategy_of
    from sevenout.rules.casino.betting import Strategy

    if isinstance(given, Plan):
        return given
    if isinstance(given, str):
        given = strategy_of(given)
    if isinstance(given, Strategy):
        given = StrategyFile(type(given).__name__, given, {})
    if not isinstance(given, StrategyFile):
        raise RulesError(f"{shown(given)} is no strategy; give 'pass', a Strategy or a Plan")
    ends = ends_of(given, {name: value for name, value in said.items() if value is not None})
    return Plan.of(given.strategy, house=house_of(house or ""), name=given.name, **ends)


def _dice(given: Any) -> Any:
    from sevenout.dice import dice

    return dice(given)


BET = Argument(
    "bet", text(), "Which bet is made; the only one, or the game's own, if not given.", default=None
)
ENDS = (
    Argument("bankroll", amount(0), "What is brought; 100 if not given.", "20", None),
    Argument("rolls", whole(), "Leave after this many rolls.", "10", None),
    Argument(
        "hours", amount(0), "Leave after this many hours; 4 if nothing ends it.", default=None
    ),
    Argument("pace", whole(), "Rolls per hour; 100 if not given.", default=None),
    Argument("shooters", whole(), "Leave when this many shooters have sevened out.", default=None),
    Argument("rounds", whole(), "Leave when this many bets are settled.", default=None),
    Argument("stop_loss", amount(0), "Leave when the loss reaches this amount.", default=None),
    Argument("stop_win", amount(0), "Leave when the win reaches this amount.", default=None),
    Argument("target", amount(0), "Leave with this amount.", default=None),
    Argument(
        "standing",
        words("staked", "down", "out"),
        "How bets that stand at the end are counted: as staked, taken down, or played out.",
        default=None,
    ),
    Argument(
        "house", text(), 'What the house does otherwise: "minimum=5,field=2-2".', default=None
    ),
)

GAME = Basis("game", "a game", _solution, example="craps")
BET_OF_GAME = Basis("bet", "a bet of a game", _bet, (BET,), "craps")
CHOICES = Basis("choices", "a game with choices", _optimum, example="pig-turn")
EVENING = Basis("evening", "an evening of a strategy at the table", _plan, ENDS, "pass")
DICE = Basis("dice", "dice", _dice, example="2d6")
NUMBERS = Basis("numbers", "its arguments alone", lambda **_: None)
BASES = (GAME, BET_OF_GAME, CHOICES, EVENING, DICE, NUMBERS)
