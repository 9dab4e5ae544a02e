"""The kinds of subject of questions: a game, a bet, a game with choices, an evening, dice.

Everything that a face needs to know about a kind is one row of this table. A row holds the
arguments that its questions share, how a person writes the subject, and what makes it. A maker is
named as text, `module:function`, so that a command line that only prints help loads no engine.
"""

from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from typing import Any, Literal

from sevenout.questions.arguments import POLICY as PLAYS
from sevenout.questions.arguments import Argument, amount, text, whole, words

Name = Literal["game", "bet", "choices", "games", "evening", "evenings", "dice", "file", "numbers"]


@dataclass(frozen=True)
class Kind:
    """A kind of subject of questions.

    Attributes:
        words: what it is, in an error.
        maker: makes the subject from what is given in Python and the kind's own arguments.
        of: what one input is: a game, a strategy, dice, a file; "" for nothing.
        own: the arguments that all its questions share.
        example: an input as text; "" for none.
        heading: the title of its questions in a list.
        help: how the input is written on the command line.
        field: the input's field in an address; its parameter of a command is `of`, or `field`.
        optional: whether a command may leave it out, and say why itself.
        several: whether it takes several inputs; in a text, separated by bars.
        least: the fewest inputs.
        solved: whether a solution may be given instead of the game.
        file: the name of the file with the example, if it takes a file.
    """

    name: Name
    words: str
    maker: str
    of: Literal["game", "strategy", "dice", "file", ""]
    own: tuple[Argument, ...] = ()
    example: str = ""
    heading: str = ""
    help: str = ""
    field: str = ""
    optional: bool = False
    several: bool = False
    least: int = 1
    solved: bool = True
    file: str = ""

    def make(self, *given: Any, **own: Any) -> Any:
        """The subject, from what is given in Python and the kind's own arguments."""
        module, _, function = self.maker.partition(":")
        find = attrgetter(function)
        return find(import_module(f"sevenout.questions.{module}"))(*given, **own)

    @property
    def of_game(self) -> bool:
        """Whether the subject is one game."""
        return self.of == "game" and not self.several

    @property
    def plays(self) -> bool:
        """Whether a policy plays the game."""
        return POLICY in self.own

    @property
    def parameter(self) -> str:
        """The name of the input as a parameter of a command."""
        return self.field if self.of == "game" else self.of


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

GAME_WORDS = (
    "The game: a name from `sevenout games`, a .toml file, a class in a Python file "
    "(mine.py:Lucky), or a variant of craps (2,3,12/7,11/7). Join games with + to bet "
    "on the same rolls: craps+place-6-8."
)
_game: Any = {"of": "game", "field": "game", "help": GAME_WORDS, "optional": True}
_played = _game | {"own": PLAYED, "heading": "One game"}
_strategy: Any = {
    "of": "strategy",
    "own": ENDS,
    "help": "A strategy: a name such as pass, with options after a colon "
    "(pass:amount=5,odds=2), or a strategy file (mine.toml).",
}
_dice: Any = {
    "of": "dice",
    "field": "dice",
    "heading": "Dice",
    "help": "Dice, such as 2d6 or d4+d6.",
    "optional": True,
}

GAME = Kind("game", "a game", "named_policies:solved_game", example="craps", **_played)
ENDLESS = Kind(
    "game",
    "a game, with or without an end",
    "named_policies:playable",
    example="monopoly",
    solved=False,
    **_played,
)
PLAYABLE = Kind(
    "game", "a game", "named_policies:played_game", example="craps", solved=False, **_played
)
BET_OF_GAME = Kind(
    "bet",
    "a bet of a game",
    "named_policies:bet_of_game",
    example="craps",
    **_played | {"own": (BET, *PLAYED), "heading": "One bet"},
)
CHOICES = Kind(
    "choices",
    "a game with choices",
    "choices:Choices.of",
    own=WANTED,
    example="pig-turn",
    heading="A game with choices",
    **_game,
)
GAMES = Kind(
    "games",
    "two games or more, with a policy for each game with choices",
    "subjects:games_of",
    "game",
    example="craps | hazard",
    heading="Several games",
    help="The games: names from `sevenout games`, .toml files, classes in Python files "
    "(mine.py:Lucky) or variants of craps (2,3,12/7,11/7). Write a policy after @ for "
    "a game with choices: pig@hold-20, pig@best, yahtzee@greedy, "
    "yahtzee@mine.py:careful.",
    field="games",
    several=True,
    least=2,
)
EVENING = Kind(
    "evening",
    "an evening of a strategy at the table",
    "plans:plan_of",
    example="pass",
    heading="An evening at the craps table",
    field="strategy",
    **_strategy,
)
EVENINGS = Kind(
    "evenings",
    "an evening of one strategy or more at the table",
    "plans:plans_of",
    example="pass | iron-cross",
    heading="Strategies at the craps table",
    field="strategies",
    several=True,
    **_strategy,
)
DICE = Kind("dice", "dice", "subjects:dice", example="2d6", **_dice)
ROLLED = Kind("dice", "dice", "subjects:rolled_of", example="4d6kh3", **_dice)
OPEN = Kind(
    "file",
    "a game file with open numbers",
    "subjects:find_open_game",
    "file",
    example=OPEN_CRAPS,
    heading="A game file with open numbers",
    help="A .toml file with open numbers. A pay, limit, total or stake is open if it is "
    'written as a range, "1..9" or "1..3 by 1/2", or as a name listed under [open].',
    field="file",
    file="open-craps.toml",
)
NUMBERS = Kind(
    "numbers", "its arguments alone", "subjects:no_subject", "", heading="More questions", least=0
)
KINDS = (
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
