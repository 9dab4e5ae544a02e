"""The eighteen commands; each module loads when its command is called.

Ten commands are questions, and are made from their declarations. The others are functions, with a
docstring for their options. A word that is no command may be the name of a game, a strategy or
dice: `sevenout craps` shows the odds of craps.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Annotated, Any

from cyclopts import App, Group, Parameter, convert

from sevenout import __version__
from sevenout.budgets.enforcement import exceeded_message, limit_memory, run_guarded
from sevenout.budgets.estimates import allowed, budget
from sevenout.budgets.supervision import status
from sevenout.cli.asking import command_of
from sevenout.cli.command_help import (
    EXAMPLES,
    GAME_COMMANDS,
    FlowingHelp,
    docstring_paragraphs,
    epilogue,
)
from sevenout.errors import NotationError, SevenoutError, TooMuchWorkError, shown
from sevenout.questions import commands
from sevenout.questions.question import GROUPS, Question

HELP_BY_MODULE = {
    "play_command": {
        "play": "Play a game in the terminal, roll by roll; or sit at a craps table.",
    },
    "paper_commands": {
        "sheet": "Write the math sheet of a game as PDF or HTML.",
        "dossier": "Write all that a test laboratory and a regulator ask for.",
    },
    "export_commands": {
        "certify": "Write an exact answer as a certificate, or check one.",
        "diagram": "Print the state diagram of a game, or its model for PRISM.",
    },
    "starting_commands": {
        "new": "Print a game file to start from.",
        "lab": "Open the lab: sevenout in a browser.",
        "tour": "Show what sevenout can do, in under a minute.",
    },
}
"""The commands that are no questions, and what they do, by the module that loads when one of them
is called."""
HELP_BY_COMMAND = {name: text for texts in HELP_BY_MODULE.values() for name, text in texts.items()}
COMMAND_ORDER = [
    *["odds", "best", "evening", "dice", "play", "games", "compare", "simulate", "test"],
    *["variants", "tune", "new", "sheet", "dossier", "certify", "diagram", "lab", "tour"],
]
"""The order of the overview: what a player asks comes first."""
GROUP_HELP = {"test": "Test a count, real dice, or a program's log; plan a test."}
WELCOME = """\
sevenout calculates dice games exactly. Type one of these:
  sevenout craps                    the odds of craps; others: sevenout games
  sevenout dice 4d6kh3              the totals of any dice
  sevenout evening pass --hours 4   how an evening at the craps table ends
  sevenout play table               a seat at a craps table
  sevenout --help                   everything else"""


def _convert_words(value_type: Any, words: Any) -> Any:
    """The values of words, as cyclopts converts them, without rounding whole numbers."""
    return convert(value_type, words, converter=_convert_word)


def _convert_word(value_type: Any, word: Any) -> Any:
    text = word if isinstance(word, str) else word.value
    if value_type is int and not _WHOLE.fullmatch(text):
        raise ValueError(f"{shown(text)} is not a whole number, such as 12")
    return convert(value_type, [word])


# Python does not read whole numbers of thousands of digits.
_WHOLE = re.compile(r"[+-]?\d{1,99}", re.ASCII)


def _app(name: str, help: str = "", **options: Any) -> App:
    return App(
        name=name,
        help=help or None,
        help_format="plaintext",
        help_formatter=FlowingHelp(),
        default_parameter=Parameter(
            negative=(),  # --json needs no --no-json
            converter=_convert_words,
            json_list=False,  # a file may be called [bold]
        ),
        **options,
    )


app = _app("sevenout", version=__version__, suppress_keyboard_interrupt=False)
groups = {name: _app(name, GROUP_HELP.get(name, "")) for name in GROUPS}
for _module, _texts in HELP_BY_MODULE.items():
    for _name, _help in _texts.items():
        _path = f"sevenout.cli.commands.{_module}:{_name}"
        app.command(_path, name=_name, help=_help, help_epilogue=epilogue(*EXAMPLES[_name]))


def _add_question(question: Question) -> None:
    """Add the command of a question."""
    words = question.command_words
    examples = [q.example_command for q in (question, *question.modes) if not q.local_only]
    help_epilogue = epilogue(*EXAMPLES.get(" ".join(words), examples))
    if words[0] in groups and len(words) == 1:  # `sevenout dice 2d6`, beside `sevenout dice faults`
        group = groups[words[0]]
        group.default(command_of(question))
        group.help, group.help_epilogue = question.help, help_epilogue
        return
    groups.get(words[0], app).command(
        command_of(question), name=words[-1], help=question.help, help_epilogue=help_epilogue
    )


for _question in commands().values():
    _add_question(_question)
for _name, _group in groups.items():
    if _name in EXAMPLES:
        _group.help_epilogue = epilogue(*EXAMPLES[_name])
    app.command(_group)


app.meta.suppress_keyboard_interrupt = False  # `main` handles it


def function_options(command: str) -> list[str]:
    """The options of a command that is no question, without the dashes; of a question, none.

    >>> function_options("lab")
    ['port', 'open', 'no-open', 'build', 'url']
    """
    if command not in HELP_BY_COMMAND:
        return []
    names = (
        name for argument in app[command].assemble_argument_collection() for name in argument.names
    )
    return [name[2:] for name in names if name.startswith("--")]


def overview() -> str:
    """All commands on one screen of 80 by 24.

    >>> len(overview().splitlines()) < 24, max(map(len, overview().splitlines())) <= 80
    (True, True)
    """
    helps = HELP_BY_COMMAND | GROUP_HELP
    helps |= {q.command_words[0]: q.help for q in commands().values() if len(q.command_words) == 1}
    lines = [f"  {name:<10}{helps[name].partition('. ')[0].rstrip('.')}" for name in COMMAND_ORDER]
    return "\n".join(
        [
            "Usage: sevenout COMMAND ...; or the name of a game or dice: sevenout craps",
            "",
            *lines,
            "",
            "sevenout COMMAND --help lists its options. All take --budget 600,8GB, the most",
            "seconds and memory. Also: sevenout --version; sevenout --completion bash.",
        ]
    )


def launch(words: Sequence[str]) -> Any:
    """Run the command of some words, and return its result.

    Raises:
        SevenoutError: the command refuses its input.
        CycloptsError: not a command, or not its options.
    """
    from sevenout.cli.out import print_text

    # cyclopts would take --budget for an option of the game.
    words, limits_asked = _split_budget(words)
    if not words:
        print_text(WELCOME)
        return 0
    if words[0] in ("--help", "-h", "help") and len(words) == 1:
        print_text(overview())
        return 0
    if words[0].startswith("--completion"):
        from sevenout.cli.command_help import completion

        shell = words[0].partition("=")[2] or (words[1] if len(words) > 1 else "")
        print_text(completion(app, shell))
        return 0
    if words[0] in ("help", "version"):
        words = [*words[1:], f"--{words[0]}"]
    elif len(words) == 2 and words[1] == "help":
        words[1] = "--help"
    words = _join_names(_add_command(words))
    # Docstrings of commands are read only for help: reading them loads the engines.
    documented = whole_help(HELP_BY_COMMAND.keys() & words if {"--help", "-h"} & {*words} else ())
    limits = allowed()._replace(**limits_asked)

    def run() -> Any:
        # Only a supervised process has its memory limited: a test shares it with others.
        if status.is_watched:
            status.begin_step(*limits)
            limit_memory(limits.memory)
        try:
            return app.meta(words, **CALL_OPTIONS)
        except MemoryError:
            raise TooMuchWorkError(
                exceeded_message("memory", *limits, status.alternative)
            ) from None

    with documented, budget(*limits):
        return run_guarded(run, *limits) if status.watches_itself else run()


def _add_command(words: list[str]) -> list[str]:
    """The words with a command first; a game, a strategy or dice stand for their own.

    Raises:
        NotationError: an old or an unknown name; the message says what to type.
    """
    if words[0].startswith("-") and words[0] not in app:
        raise NotationError(f"no option {shown(words[0])}; sevenout --help lists the commands")
    for name in (words[0], " ".join(words[:2])):
        if name in OLD_COMMANDS:
            raise NotationError(f"sevenout {name} is now: sevenout {OLD_COMMANDS[name]}")
    if words[0] in (*app, *groups):
        return words
    end = _first_option(words, 0)
    name = " ".join(words[:end])
    return [_command_for(name), name, *words[end:]]


def _first_option(words: Sequence[str], start: int) -> int:
    """The index of the first option from `start` on; the number of words if there is none."""
    return next((i for i in range(start, len(words)) if words[i].startswith("-")), len(words))


SINGLE_SUBJECT_COMMANDS = ("odds", "best", "dice", "simulate", *GAME_COMMANDS)
"""The commands about one game, or one kind of dice."""
SEVERAL_SUBJECT_COMMANDS = ("evening", "compare")
NUMBER_HINTS = {
    "evening": "--amount {0}",
    "simulate": "--games {0}",
    "dice": "--until {0} or --roll {0}",
}
"""What a number alone after the name means."""
JOINING_WORDS = ("vs", "versus", "and", "or", "with")
"""Words between names that players type, and that say nothing."""


def _join_names(words: list[str]) -> list[str]:
    """The words with each name in one: `odds place 6` is `odds "place 6"`.

    Raises:
        NotationError: a word that is an option, or a number of something; the message has it.
    """
    command = words[0]
    end = _first_option(words, 1)
    names = words[1:end]
    if command == "test" and names and re.fullmatch(r"[\d.,/]+%?", names[0]):
        raise NotationError(
            "sevenout test has several tests; write sevenout test count HITS GAMES --p 1/2, or "
            "sevenout test needed 1/2 3/5"
        )
    # A single word is a name already, and dice and test have commands below them.
    if (
        len(names) < 2
        or command not in (*SINGLE_SUBJECT_COMMANDS, *SEVERAL_SUBJECT_COMMANDS)
        or names[0] in groups.get(command, ())
    ):
        return words
    joined = _joined_names(names)
    if command in SEVERAL_SUBJECT_COMMANDS:  # a single name may hold one: crown and anchor
        joined = [word for word in joined if word not in JOINING_WORDS]
    elif len(joined) > 1:
        _refuse_several(command, joined)
    for word in joined[1:]:
        _refuse_loose_word(command, joined[0], word)
    if command in SINGLE_SUBJECT_COMMANDS:
        joined = [" ".join(joined)]
    return [command, *joined, *words[end:]]


def _joined_names(words: Sequence[str]) -> list[str]:
    """Words with those of each known name in one."""
    from sevenout.catalogue.bet_names import bet_named, entry_named, strategy_named

    rest, joined = list(words), []
    while rest:
        # the longest name first: place 6 and 8, before place 6
        count = next(
            (
                n
                for n in range(len(rest), 1, -1)
                if (text := " ".join(rest[:n]))
                and (entry_named(text) or bet_named(text) or strategy_named(text))
            ),
            1,
        )
        joined.append(" ".join(rest[:count]))
        rest = rest[count:]
    return joined


def _refuse_loose_word(command: str, name: str, word: str) -> None:
    """Refuse a word after a name that is an option without its dashes, or an option's number."""
    from sevenout.cli.command_help import STRATEGY_OPTIONS, right_option

    if command in NUMBER_HINTS and re.fullmatch(r"[$€£]?\d[\d,.]*(e\d+)?", word):
        option = NUMBER_HINTS[command].format(word)
        raise NotationError(f"sevenout {command} {name} {word}: write {option}")
    if command == "evening" and word in STRATEGY_OPTIONS:
        raise NotationError(
            f"{word} is an option of a strategy; write it after a colon: {STRATEGY_OPTIONS[word]}"
        )
    # a bet is also an option, but `the fire bet` names one
    if word != "bet" and right_option([command], f"--{word}") == f"write --{word}":
        raise NotationError(f"sevenout {command} {name} {word}: write --{word}")


def _refuse_several(command: str, names: Sequence[str]) -> None:
    """Refuse two games or two dice; other words may be one name that is not known."""
    from sevenout.catalogue import games
    from sevenout.questions.subjects import are_dice

    if command == "dice" and len(names) == 2 and all(map(are_dice, names)):
        first, second = names
        raise NotationError(
            f"sevenout dice takes one roll; write {first}+{second} for the sum, or "
            f"{first} --vs {second} to compare the two"
        )
    if all(name in games for name in names):
        raise NotationError(
            f"sevenout {command} takes one game; write sevenout compare {' '.join(names)} to "
            f"compare these, or {'+'.join(names)} for bets on the same rolls"
        )


OLD_COMMANDS = {
    "given": "odds GAME --at STATE",
    "longer": "odds GAME --longer 10",
    "joint": "odds GAME --joint rounds,won",
    "long-run": "odds GAME --long-run",
    "options": "best GAME --at STATE",
    "closest": "best GAME --closest 10",
    "session": "evening GAME --bankroll 100 --target 200",
    "ruin": "evening GAME --bankroll 100 --forever",
    "extremes": "evening STRATEGY --extremes",
    "bets": 'evening --best "pass=1..3"',
    "strategies": "evening",
    "versus": "dice DICE --vs 3d4",
    "until": "dice DICE --until 7",
    "roll": "dice DICE --roll 3",
    "dice test": "test dice FILE",
    "dice ranked": "dice relabel --ranked",
    "check": "test count HITS GAMES --p 1/2",
    "conform": "test log GAME FILE",
    "needed": "test needed 1/2 3/5",
    "mean-needed": "test needed GAME --mean rolls --change 1/10",
    "bets-needed": "test needed GAME --change 2%",
    "completion": "--completion bash",
}
"""What earlier versions called a command, and what it is now."""


def _command_for(word: str) -> str:
    """The command that a name without one asks for: odds, best play, an evening, totals of dice."""
    from sevenout.model import has_choices
    from sevenout.questions.plans import is_strategy
    from sevenout.questions.subjects import find_game
    from sevenout.rolling import parse_dice

    try:
        return "best" if has_choices(find_game(word, files=True).game) else "odds"
    except SevenoutError as error:
        game_error = error
    # After games: "pass" is both, and its odds come first.
    if is_strategy(word):
        return "evening"
    try:
        parse_dice(word)
        return "dice"
    except SevenoutError:
        first = word.partition(" ")[0]
        if near := get_close_matches(first, COMMAND_ORDER, 1, 0.7):
            raise NotationError(f"no command {shown(first)}; did you mean {near[0]}?") from None
        raise NotationError(f"{game_error}; sevenout --help lists the commands") from None


@contextmanager
def whole_help(names: Iterable[str] = HELP_BY_COMMAND) -> Iterator[None]:
    """Within it, these commands have the help of their docstrings; that loads them."""
    brief = {name: app[name].help for name in names}
    try:
        for name in names:
            app[name].help = docstring_paragraphs(app[name].default_command)
        yield
    finally:
        for name, text in brief.items():
            app[name].help = text


# `main` prints every error in one line and sets the exit code.
CALL_OPTIONS: Any = {"exit_on_error": False, "print_error": False, "result_action": "return_value"}


@app.meta.default
def _command(
    *words: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    budget: Annotated[str | None, Parameter(group=Group("More"))] = None,
) -> Any:
    """A workbench for the mathematics of dice games.

    Parameters
    ----------
    words
        The command and its arguments.
    budget
        The most time and memory that the command may use: 600 (seconds), 8GB, or 600,8GB. The
        default is 60,2GB; inf is no limit. Time spent waiting for your input does not count.
    """
    # The budget is here for help and completion; `launch` has read it already.
    assert budget is None
    return app(words, **CALL_OPTIONS)


def _split_budget(words: Sequence[str]) -> tuple[list[str], dict[str, float]]:
    """The words without the budget, and its limits.

    Raises:
        NotationError: not a budget.
    """
    # After -- every word is an argument, even one that looks like an option.
    end = words.index("--") if "--" in words else len(words)
    for i, word in enumerate(words[:end]):
        option, equals, text = word.partition("=")
        if option == "--budget":
            rest = i + 1 if equals else i + 2
            text = text if equals else "".join(words[i + 1 : rest])
            return [*words[:i], *words[rest:]], _parse_budget(text)
    return list(words), {}


def _parse_budget(text: str) -> dict[str, float]:
    """The seconds and the memory of a budget: 600, 8GB or 600,8GB."""
    limits: dict[str, float] = {}
    for part in text.split(","):
        match = _BUDGET_PART.fullmatch(part.strip())
        name = "memory" if match and match["unit"] else "seconds"
        if not match or not float(match["number"]) > 0 or name in limits:
            raise NotationError(
                f"--budget {shown(text)}: write seconds, memory or both, such as 600, 8GB or "
                "600,8GB"
            )
        unit = (match["unit"] or "").upper()
        limits[name] = float(match["number"]) * _BYTES_BY_UNIT.get(unit, 1)
    return limits


_BUDGET_PART = re.compile(
    r"(?P<number>inf|\d{1,99}(?:\.\d{1,99})?(?:e\+?\d{1,2})?)\s?(?P<unit>[MG]B)?",
    re.ASCII | re.IGNORECASE,
)
_BYTES_BY_UNIT = {"MB": 1e6, "GB": 1e9}
