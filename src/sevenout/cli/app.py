"""The commands; each module loads when its command is called."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

from cyclopts import App, Group, Parameter, convert

from sevenout import __version__
from sevenout.budgets.enforcement import exceeded, limit_memory
from sevenout.budgets.estimates import allowed
from sevenout.budgets.estimates import budget as allow
from sevenout.budgets.supervision import status
from sevenout.cli.asking import command_of
from sevenout.cli.command_help import EXAMPLES, Flowing, epilogue, example_of, flowing
from sevenout.errors import NotationError, TooMuchWorkError, shown
from sevenout.questions import all_questions


def _converted(kind: Any, words: Any) -> Any:
    """The values of words, as cyclopts converts them, without rounding whole numbers."""
    return convert(kind, words, converter=_value)


def _value(kind: Any, word: Any) -> Any:
    text = word if isinstance(word, str) else word.value
    if kind is int and not _WHOLE.fullmatch(text):
        raise ValueError(f"{shown(text)} is not a whole number, such as 12")
    return convert(kind, [word])


_WHOLE = re.compile(r"[+-]?\d{1,99}", re.ASCII)

app = App(
    name="sevenout",
    version=__version__,
    help_format="plaintext",
    help_formatter=Flowing(),
    help_epilogue=epilogue("tour", "odds craps", "best pig-turn", "sheet craps -o craps.pdf"),
    default_parameter=Parameter(negative=(), converter=_converted),  # --json needs no --no-json
    suppress_keyboard_interrupt=False,
)

COMMANDS = {
    "tour": "Show what sevenout can do, in under a minute.",
    "games": "List the games and bets of the catalogue, or search them.",
    "new": "Print a game file to start from: a game like craps, a one-roll bet, Pig.",
    "roll": "Roll dice.",
    "play": "Play a game in the terminal, roll by roll.",
    "dice": (
        "The distribution of dice; relabelled dice, dice without a 7, faults, tests of real dice."
    ),
    "sheet": (
        "Write the math sheet of a game as PDF or HTML: rules, return tables, figures, a "
        "simulation."
    ),
    "certify": "Write an exact answer as a certificate, or check one.",
    "dossier": "Write a folder with everything that a test laboratory and a regulator ask for.",
    "conform": "Test another program's results against the rules: its answers, its log, its dice.",
    "lab": "Open the lab: sevenout in a browser.",
    "diagram": "Print the state diagram of a game, or its model for PRISM and Storm.",
    "completion": "Print the script that lets a shell complete commands and options.",
}

GROUPS = {
    "Start here": "tour games play lab new",
    "Odds of a game": "odds compare given joint longer long-run",
    "Optimal play": "best options closest",
    "Money": "evening strategies bets extremes session ruin",
    "Dice": "dice roll until versus",
    "Design": "variants tune",
    "Simulation and tests": "simulate conform check needed bets-needed mean-needed",
    "Documents": "sheet dossier certify diagram",
}
"""The commands by purpose, in the order of the help. Others are under "More"."""
_headings = [Group(heading, sort_key=place) for place, heading in enumerate(GROUPS)]
_groups = {
    name: heading
    for heading, names in zip(_headings, GROUPS.values(), strict=True)
    for name in names.split()
}
_more = Group("More", sort_key=len(GROUPS))
app["--help"].group = app["--version"].group = (_more,)

for _name, _help in COMMANDS.items():
    _what = "app" if _name == "dice" else _name
    app.command(
        f"sevenout.cli.commands.{_name}_command:{_what}",
        name=_name,
        group=_groups.get(_name, _more),
        help=_help,
        **({"help_epilogue": epilogue(*EXAMPLES[_name])} if _name in EXAMPLES else {}),
    )

for _question in all_questions().values():
    if _question.name in COMMANDS or _question.under:
        continue
    app.command(
        command_of(_question),
        name=_question.command,
        group=_groups.get(_question.command, _more),
        help=_question.help,
        help_epilogue=epilogue(example_of(_question)),
    )


app.meta.suppress_keyboard_interrupt = False  # `main` handles it


def launch(words: Sequence[str]) -> Any:
    """Run the command of some words, and return its result.

    Raises:
        SevenoutError: the command refuses its input.
        CycloptsError: not a command, or not its options.
    """
    words = _budget_first(words)
    with whole_help(COMMANDS.keys() & words if {"--help", "-h"} & {*words} else ()):
        return app.meta(words, **HOW)


@contextmanager
def whole_help(names: Iterable[str] = COMMANDS) -> Iterator[None]:
    """Within it, these commands have the help of their docstrings; that loads them."""
    brief = {name: app[name].help for name in names}
    try:
        for name in names:
            app[name].help = flowing(app[name].default_command)
        yield
    finally:
        for name, text in brief.items():
            app[name].help = text


HOW: Any = {"exit_on_error": False, "print_error": False, "result_action": "return_value"}


@app.meta.default
def _command(
    *words: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    budget: Annotated[str | None, Parameter(group=_more)] = None,
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
    said = allowed()._asdict() | ({} if budget is None else _allowed(budget))
    with allow(**said, enforce=status.alone) as limits:
        if status.watched:
            status.begin_step(*limits)
            limit_memory(limits.memory)
        try:
            return app(words, **HOW)
        except MemoryError:
            raise TooMuchWorkError(exceeded("memory", *limits, status.instead)) from None


def _budget_first(words: Sequence[str]) -> list[str]:
    """The words with the budget first, before a command takes it for a rule."""
    words = list(words)
    end = words.index("--") if "--" in words else len(words)
    for i, word in enumerate(words[:end]):
        if word == "--budget" and i + 1 < len(words):
            return words[i : i + 2] + words[:i] + words[i + 2 :]
        if word.startswith("--budget="):
            return [word, *words[:i], *words[i + 1 :]]
    return words


def _allowed(text: str) -> dict[str, float]:
    """The seconds and the memory of a budget: 600, 8GB or 600,8GB."""
    allowed: dict[str, float] = {}
    for part in text.split(","):
        found = _AMOUNT.fullmatch(part.strip())
        name = "memory" if found and found["unit"] else "seconds"
        if not found or not float(found["number"]) > 0 or name in allowed:
            raise NotationError(
                f"--budget {shown(text)}: write seconds, memory or both, such as 600, 8GB or "
                "600,8GB"
            )
        unit = (found["unit"] or "").upper()
        allowed[name] = float(found["number"]) * _BYTES.get(unit, 1)
    return allowed


_AMOUNT = re.compile(
    r"(?P<number>inf|\d{1,99}(?:\.\d{1,99})?(?:e\+?\d{1,2})?)\s?(?P<unit>[MG]B)?",
    re.ASCII | re.IGNORECASE,
)
_BYTES = {"MB": 1e6, "GB": 1e9}
