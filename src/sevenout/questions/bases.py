"""The subjects of questions: a game, a bet, a game with choices, an evening, dice.

A basis makes the subject from the user's input and from arguments that all its questions share.
Questions of `NUMBERS` have only their own arguments.
"""

from collections.abc import Callable
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sevenout.errors import RulesError, shown
from sevenout.files import named
from sevenout.questions.arguments import POLICY as PLAYS
from sevenout.questions.arguments import Argument, amount, text, whole, words

if TYPE_CHECKING:
    from sevenout.evenings.eveningplan import Plan
    from sevenout.questions.choices import Choices
    from sevenout.questions.chosen_game import ChosenGame, SolvedGame
    from sevenout.rules.gamefiles.open_parameters import Opened

What = Literal["game", "bet", "choices", "games", "evening", "evenings", "dice", "file", "numbers"]


@dataclass(frozen=True)
class Basis:
    """A kind of subject of questions.

    Attributes:
        make: the subject, from the input and the basis's own arguments.
        example: an input as text; "" for none.
        several: whether it takes several inputs; in a text, separated by bars.
        least: the fewest inputs, if it takes several.
        solved: whether a solution may be given instead of the game.
        file: the name of the file with the example, if it takes a file.
    """

    name: What
    words: str
    make: Callable[..., Any]
    own: tuple[Argument, ...] = ()
    example: str = ""
    several: bool = False
    least: int = 1
    solved: bool = True
    file: str = ""

    @property
    def of_game(self) -> bool:
        """Whether the subject is a game."""
        return self.name in ("game", "bet", "choices")

    @property
    def plays(self) -> bool:
        """Whether a policy plays the game."""
        return POLICY in self.own


def _solved(given: Any, policy: Any = None, against: Any = None) -> "SolvedGame":
    from sevenout.model import Chain
    from sevenout.questions.chosen_game import SolvedGame, chosen_game
    from sevenout.questions.named_policies import BEST, followed
    from sevenout.solving import Solution, solve

    if isinstance(given, Chain):
        given = solve(given)
    if isinstance(given, Solution):
        given = SolvedGame(given)
    if isinstance(given, SolvedGame):
        if policy not in (None, BEST) or against is not None:
            raise RulesError("the game is already solved; leave policy= and against= out")
        return given
    chosen = chosen_game(given)
    return SolvedGame(solve(followed(chosen, policy, against, how="policy=")), chosen)


def _played(given: Any, policy: Any = None, against: Any = None) -> Any:
    from sevenout.model import Chain
    from sevenout.questions.chosen_game import SolvedGame, chosen_game
    from sevenout.questions.named_policies import followed
    from sevenout.solving import Solution

    if isinstance(given, SolvedGame | Solution | Chain):
        return _solved(given, policy, against).solution.chain
    return followed(chosen_game(given), policy, against, how="policy=")


@dataclass(frozen=True)
class Playing:
    """A game or chain, and the policies that play it."""

    chosen: "ChosenGame | None"
    policy: Any = None
    against: Any = None
    chain: Any = None

    @property
    def subject(self) -> Any:
        """The game to play, or the chain of the policy."""
        from sevenout.questions.named_policies import followed

        if self.chosen is None:
            return self.chain
        return followed(self.chosen, self.policy, self.against, how="policy=")


def _playing(given: Any, policy: Any = None, against: Any = None) -> Playing:
    from sevenout.model import Chain
    from sevenout.questions.chosen_game import SolvedGame, chosen_game
    from sevenout.solving import Solution

    if isinstance(given, SolvedGame | Solution | Chain):
        return Playing(None, chain=_solved(given, policy, against).solution.chain)
    return Playing(chosen_game(given), policy, against)


def _bet(given: Any, bet: str | None = None, policy: Any = None, against: Any = None) -> Any:
    from sevenout.questions.chosen_game import unsolved
    from sevenout.solving.bets.bet_result import BetResult

    if isinstance(given, BetResult):
        return given
    if (chosen := unsolved(given)) is not None:
        chosen.refuse_bet(bet)
    solved = _solved(given, policy, against)
    return solved.solution.bet(bet or (solved.chosen.bet if solved.chosen else None))


def _choices(given: Any, **said: Any) -> "Choices":
    from sevenout.questions.choices import Choices

    return Choices.of(given, **said)


def _games(*given: Any) -> "tuple[ChosenGame, ...]":
    from sevenout.questions.chosen_game import chosen_game

    return tuple(map(chosen_game, given))


def _plan(given: Any, house: str | None = None, **said: Any) -> Any:
    from sevenout.evenings.eveningplan import Plan
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
        raise RulesError(f"{shown(given)} is not a strategy; give 'pass', a Strategy or a Plan")
    ends = ends_of(given, {name: value for name, value in said.items() if value is not None})
    return Plan.of(given.strategy, house=house_of(house or ""), name=given.name, **ends)


def _plans(*given: Any, **said: Any) -> "tuple[Plan, ...]":
    for i, each in enumerate(given):
        if each in given[:i]:
            name = getattr(each, "name", each)
            raise RulesError(f"{shown(name)} is named twice; name each strategy once")
    return tuple(_plan(each, **said) for each in given)


def _dice(given: Any) -> Any:
    from sevenout.rolling import dice

    return dice(given)


def _rolled(given: Any) -> Any:
    return given if isinstance(given, str) else _dice(given)


def _opened(given: Any) -> "Opened":
    from sevenout.rules.gamefiles.open_parameters import Opened, parse_opened, read_opened

    if isinstance(given, Opened):
        return given
    if isinstance(given, str) and "\n" in given:
        return parse_opened(given)
    if not isinstance(given, str | Path) or not str(given):
        raise RulesError(f"{shown(given)} is not a game file; give the path or the text of one")
    if not str(given).endswith(".toml") and not isfile(given):
        raise RulesError(
            f"{named(given)} is not a .toml file; `sevenout new craps-like` writes one"
        )
    return read_opened(given)


OPEN_CRAPS = """\
format = 1
name = "Craps"

[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7

[line.bets.pass]
point = { "4,10" = "1..2 by 1/10", "5,9" = "1/2..1 by 1/10", "6,8" = 1 }
"""
POLICY = Argument(
    "policy",
    PLAYS,
    "The player's policy, in a game with choices: best, or a name such as hold-20. In a game of "
    "two players, both follow it unless against is given.",
    default=None,
)
AGAINST = Argument(
    "against", PLAYS, "The second player's policy, in a game of two players.", default=None
)
PLAYED = (POLICY, AGAINST)
WANTED = (
    Argument(
        "goal",
        text(),
        'What the player wants: "most turn", "fewest rolls", "P(shut)", "pass >= 10". The '
        "default is the game's own goal.",
        default=None,
    ),
    Argument(
        "against",
        PLAYS,
        "The second player's policy, such as hold-20. The default is optimal play.",
        default=None,
    ),
    Argument(
        "method",
        words("auto", "exact", "certified"),
        "The solver: exact (fractions), certified (decimals with a proved error bound), or auto.",
        default="auto",
    ),
)
BET = Argument("bet", text(), "The bet to make. The default is the game's main bet.", default=None)
ENDS = (
    Argument("bankroll", amount(0), "The player's bankroll. The default is 100.", "20", None),
    Argument("rolls", whole(), "Leave after this many rolls.", "10", None),
    Argument(
        "hours",
        amount(0),
        "Leave after this many hours. The default is 4 if nothing else ends the evening.",
        default=None,
    ),
    Argument("pace", whole(), "Rolls per hour. The default is 100.", default=None),
    Argument("shooters", whole(), "Leave when this many shooters have sevened out.", default=None),
    Argument("rounds", whole(), "Leave when this many bets are settled.", default=None),
    Argument("stop_loss", amount(0), "Leave when the loss reaches this amount.", default=None),
    Argument("stop_win", amount(0), "Leave when the win reaches this amount.", default=None),
    Argument("target", amount(0), "Leave when the money reaches this amount.", default=None),
    Argument(
        "standing",
        words("staked", "down", "out"),
        (
            "How to count the bets that still stand at the end: staked (at their stakes), down "
            "(taken down where allowed), or out (played until resolved)."
        ),
        default=None,
    ),
    Argument(
        "house",
        text(),
        'House rules that differ from the usual: "minimum=5,field=2-2".',
        default=None,
    ),
)

GAME = Basis("game", "a game", _solved, PLAYED, "craps")
ENDLESS = Basis("game", "a game, with or without an end", _played, PLAYED, "monopoly", solved=False)
PLAYABLE = Basis("game", "a game", _playing, PLAYED, "craps", solved=False)
BET_OF_GAME = Basis("bet", "a bet of a game", _bet, (BET, *PLAYED), "craps")
CHOICES = Basis("choices", "a game with choices", _choices, WANTED, "pig-turn")
GAMES = Basis(
    "games",
    "two games or more, with a policy for each game with choices",
    _games,
    example="craps | hazard",
    several=True,
    least=2,
)
EVENING = Basis("evening", "an evening of a strategy at the table", _plan, ENDS, "pass")
EVENINGS = Basis(
    "evenings",
    "an evening of one strategy or more at the table",
    _plans,
    ENDS,
    "pass | iron-cross",
    several=True,
)
DICE = Basis("dice", "dice", _dice, example="2d6")
ROLLED = Basis("dice", "dice", _rolled, example="4d6kh3")
OPEN = Basis(
    "file", "a game file with open numbers", _opened, example=OPEN_CRAPS, file="open-craps.toml"
)
NUMBERS = Basis("numbers", "its arguments alone", lambda **_: None, least=0)
BASES = (
    GAME,
    ENDLESS,
    PLAYABLE,
    BET_OF_GAME,
    CHOICES,
    GAMES,
    EVENING,
    EVENINGS,
    DICE,
    ROLLED,
    OPEN,
    NUMBERS,
)
