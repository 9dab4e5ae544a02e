"""The kinds of subject of questions: a game, a bet, a game with choices, an evening, dice.

Everything that an interface needs to know about a kind is one row of this table. A row holds the
arguments that its questions share, how a person writes the subject, and what makes it. A maker is
named as text, `module:function`, so that a command line that only prints help loads no engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from operator import attrgetter
from typing import Any, Literal

from sevenout.questions.arguments import (
    POLICY_FORM,
    Argument,
    amount,
    free_text,
    one_of,
    whole_number,
)

Name = Literal["game", "choices", "games", "evenings", "dice", "file", "test", "numbers"]
InputKind = Literal["game", "evening", "dice", "file", "game or number", ""]


@dataclass(frozen=True, eq=False)
class SubjectKind:
    """A kind of subject of questions.

    Attributes:
        name: its name in code.
        description: what it is, in an error.
        maker: makes the subject from what is given in Python and the kind's own arguments.
        input_kind: what one input is: a game, an evening (of a strategy or a bet), dice, a file;
            "" for nothing.
        shared_arguments: the arguments that all its questions share.
        example: an input as text; "" for none.
        heading: the title of its questions in a list.
        help: how the input is written on the command line.
        parameter: the input's field in an address, and its parameter of a command.
        optional: whether a command may leave it out, and say why itself.
        takes_several: whether it takes several inputs; in a text, separated by bars.
        min_inputs: the fewest inputs.
        accepts_solution: whether a solution may be given instead of the game.
        example_file: the name of the file with the example, if it takes a file.
        json_head: what a command's JSON says of the subject, with a description.
    """

    name: Name
    description: str
    maker: str
    input_kind: InputKind
    shared_arguments: tuple[Argument, ...] = ()
    example: str = ""
    heading: str = ""
    help: str = ""
    parameter: str = ""
    optional: bool = False
    takes_several: bool = False
    min_inputs: int = 1
    accepts_solution: bool = True
    example_file: str = ""
    json_head: Mapping[str, str] = field(default_factory=dict)

    def make(self, *inputs: Any, **arguments: Any) -> Any:
        """The subject, from what is given in Python and the kind's own arguments."""
        module, _, function = self.maker.partition(":")
        find = attrgetter(function)
        return find(import_module(f"sevenout.questions.{module}"))(*inputs, **arguments)

    @property
    def takes_one_game(self) -> bool:
        """Whether the subject is one game."""
        return self.input_kind == "game" and not self.takes_several

    @property
    def has_policy(self) -> bool:
        """Whether a policy plays the game."""
        return POLICY in self.shared_arguments


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
    POLICY_FORM,
    "The player's policy, in a game with choices: best, or a name such as hold-20. In a game of "
    "two players, both follow it unless against is given.",
    default=None,
)
AGAINST = Argument(
    "against", POLICY_FORM, "The second player's policy, in a game of two players.", default=None
)
POLICY_ARGUMENTS = (POLICY, AGAINST)
GOAL_ARGUMENTS = (
    Argument(
        "goal",
        free_text(),
        'What the player wants: "most turn", "fewest rolls", "P(shut)", "pass >= 10". The '
        "default is the game's own goal.",
        default=None,
    ),
    Argument(
        "against",
        POLICY_FORM,
        "The second player's policy, such as hold-20. The default is optimal play.",
        default=None,
    ),
    Argument(
        "method",
        one_of("auto", "exact", "certified"),
        "The solver: exact (fractions), certified (decimals with a proved error bound), or auto.",
        default="auto",
    ),
)
BET = Argument(
    "bet", free_text(), "The bet to make. The default is the game's main bet.", default=None
)
END_ARGUMENTS = (
    Argument(
        "bankroll",
        amount(0),
        "The player's bankroll. The default is 100.",
        example="20",
        default=None,
    ),
    Argument(
        "amount",
        amount(0),
        "The stake of each bet. The default is 1, or the strategy's own.",
        default=None,
    ),
    Argument("rolls", whole_number(), "Leave after this many rolls.", example="10", default=None),
    Argument(
        "hours",
        amount(0),
        "Leave after this many hours. The default is 4 if nothing else ends the evening.",
        default=None,
    ),
    Argument("pace", whole_number(), "Rolls per hour. The default is 100.", default=None),
    Argument(
        "shooters", whole_number(), "Leave when this many shooters have sevened out.", default=None
    ),
    Argument("bets", whole_number(), "Leave when this many bets are settled.", default=None),
    Argument("stop_loss", amount(0), "Leave when the loss reaches this amount.", default=None),
    Argument("stop_win", amount(0), "Leave when the win reaches this amount.", default=None),
    Argument("target", amount(0), "Leave when the money reaches this amount.", default=None),
    Argument(
        "standing",
        one_of("staked", "down", "out"),
        (
            "How to count the bets that still stand at the end: staked (at their stakes), down "
            "(taken down where allowed), or out (played until resolved)."
        ),
        default=None,
    ),
    Argument(
        "house",
        free_text(),
        'House rules that differ from the usual: "minimum=5,field=2-2".',
        default=None,
    ),
)


def end_arguments(*names: str) -> tuple[Argument, ...]:
    """Some of the arguments of an evening."""
    return tuple(argument for argument in END_ARGUMENTS if argument.name in names)


GAME_WORDS = (
    "The game: a name from `sevenout games`, a .toml file, a class in a Python file "
    "(mine.py:Lucky), or a variant of craps (2,3,12/7,11/7). Join games with + to bet "
    "on the same rolls: craps+place-6-8."
)
GAME = SubjectKind(
    "game",
    "a game",
    "policies:solved_game",
    "game",
    shared_arguments=POLICY_ARGUMENTS,
    example="craps",
    heading="One game",
    help=GAME_WORDS,
    parameter="game",
    # Without a game its rules may be given as options: --naturals 7,11 --out 7.
    optional=True,
    json_head={"game": "the game"},
)
# Some games have no end, and others are too large to solve: their questions solve what they need.
PLAYABLE = replace(GAME, maker="policies:played_game", accepts_solution=False)
CHOICES = replace(
    GAME,
    name="choices",
    description="a game with choices",
    maker="policies:Choices.from_game",
    shared_arguments=GOAL_ARGUMENTS,
    example="pig-turn",
    heading="A game with choices",
)
# A program is tested against the rules; nobody has to solve them for that.
GAME_TO_TEST = replace(GAME, maker="subjects:subject_of", shared_arguments=(), heading="")
GAMES = SubjectKind(
    "games",
    "two games or more, with a policy for each game with choices",
    "subjects:subjects_of",
    "game",
    example="craps | hazard",
    heading="Several games",
    help="The games: names from `sevenout games`, .toml files, classes in Python files "
    "(mine.py:Lucky) or variants of craps (2,3,12/7,11/7). Write a policy after @ for "
    "a game with choices: pig@hold-20, pig@best, yahtzee@greedy, "
    "yahtzee@mine.py:careful.",
    parameter="games",
    takes_several=True,
    # One game has nothing beside it.
    min_inputs=2,
)
EVENINGS = SubjectKind(
    "evenings",
    "an evening of one strategy or more at the craps table, or of a bet",
    "plans:evenings_of",
    "evening",
    shared_arguments=(*END_ARGUMENTS, BET, *POLICY_ARGUMENTS),
    example="pass | iron-cross",
    heading="Evenings",
    help="A strategy at the craps table: a name such as pass, with options after a colon "
    "(pass:amount=5,odds=2), or a strategy file (mine.toml). Or a game, whose bet is made again "
    "and again.",
    parameter="strategies",
    takes_several=True,
)
REPEATED_BET = replace(
    EVENINGS,
    description="a bet of a game",
    maker="plans:endless_bets",
    # For ever has no other end than ruin.
    shared_arguments=(*end_arguments("bankroll", "amount"), BET, *POLICY_ARGUMENTS),
    example="craps",
)
LASTING_EVENING = replace(
    EVENINGS,
    description="an evening of a strategy at the craps table",
    maker="plans:lasting_evenings",
    # The bankroll is what is asked for, so nothing that depends on the money may end the evening.
    shared_arguments=end_arguments("amount", "rolls", "hours", "pace", "house"),
    example="pass",
)
# A session that was played may be shown with no strategy beside it.
STRATEGIES = replace(
    EVENINGS,
    description="strategies at the craps table",
    maker="plans:strategies_of",
    shared_arguments=(),
    example="",
    min_inputs=0,
)
ROLLED = SubjectKind(
    "dice",
    "dice",
    "subjects:dice_or_roll",
    "dice",
    example="4d6kh3",
    heading="Dice",
    help="Dice, such as 2d6 or d4+d6.",
    parameter="dice",
    # The command says itself what dice are: cyclopts would ask for a parameter.
    optional=True,
    json_head={"dice": "the dice"},
)
# Waiting and rolling need plain dice, where ROLLED also takes 4d6kh3.
DICE = replace(ROLLED, maker="subjects:dice", example="2d6")
OPEN = SubjectKind(
    "file",
    "a game file with open numbers",
    "subjects:find_open_game",
    "file",
    example=OPEN_CRAPS,
    heading="A game file with open numbers",
    help="A .toml file with open numbers. A pay, limit, total or stake is open if it is "
    'written as a range, "1..9" or "1..3 by 1/2", or as a name listed under [open].',
    parameter="file",
    example_file="open-craps.toml",
    json_head={"game": "the game"},
)
TESTED = SubjectKind(
    "test",
    "a game, or two probabilities",
    "subjects:game_or_numbers",
    "game or number",
    shared_arguments=(BET, *POLICY_ARGUMENTS),
    example="1/2 | 3/5",
    heading="Tests",
    help="A game, whose rules a program may break; or two probabilities to tell apart: 1/2 3/5.",
    parameter="subjects",
    takes_several=True,
)
NUMBERS = SubjectKind(
    "numbers",
    "its arguments alone",
    "subjects:no_subject",
    "",
    heading="More questions",
    min_inputs=0,
)
HEADINGS = tuple(
    dict.fromkeys(
        kind.heading for kind in (GAME, CHOICES, GAMES, EVENINGS, ROLLED, OPEN, TESTED, NUMBERS)
    )
)
"""The titles of the lists of questions, in order."""
