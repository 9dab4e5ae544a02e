"""The help of commands: flowing paragraphs, and an example below the options."""

from inspect import getdoc
from shlex import quote
from typing import Any

from sevenout.questions.question import Question

EXAMPLES = {
    "tour": ["tour"],
    "new": ["new craps-like -o mygame.toml"],
    "play": ["play craps", "play pig-turn --coach", "play table --bankroll 300"],
    "sheet": ["sheet craps -o craps.pdf"],
    "certify": ["certify craps -o craps.json", "certify --check craps.json"],
    "dossier": ["dossier mygame.toml -o dossier"],
    "lab": ["lab", "lab --build site"],
    "diagram": ["diagram craps --to graphviz"],
    "test": ["test count 5200 10000 --p 1/2", "test dice rolls.csv", "test log craps results.csv"],
    "test log": ["test log craps results.csv"],
}
"""Command lines by command, without the program's name."""


def epilogue(*commands: str) -> str:
    """The examples below the options of a command.

    >>> epilogue("dice 2d6", "dice 2d6 --roll 3").splitlines()
    ['Examples:', '  sevenout dice 2d6', '  sevenout dice 2d6 --roll 3']
    """
    head = "Example" if len(commands) == 1 else "Examples"
    return "\n".join([f"{head}:", *(f"  sevenout {each}" for each in commands)])


def example_of(question: Question) -> str:
    """The command line of a question's example, without the program's name.

    >>> from sevenout.questions import all_questions
    >>> example_of(all_questions()["odds_longer"])
    'odds craps --longer 10 --at 4'
    """
    sample = question.sample
    own = [*question.of.own, *question.arguments]
    placed = [
        sample[argument.name] for argument in own if argument.placed if argument.name in sample
    ]
    words = []
    for argument in own:
        if argument.name in sample and not argument.placed:
            words.append(argument.option)
            words += [] if argument.form.is_flag else [sample[argument.name]]
    return " ".join(map(quote, [*question.verb, *question.examples, *placed, *words]))


def flowing(command: Any) -> str:
    """The paragraphs of a command's docstring, a line each, without its parameters."""
    told = (getdoc(command) or "").partition("\nParameters\n")[0]
    return "\n\n".join(" ".join(each.split()) for each in told.strip().split("\n\n"))


class Flowing:
    """Panels of options whose descriptions fill the lines."""

    def __call__(self, console: Any, options: Any, panel: Any) -> None:
        from cyclopts.help.formatters import DefaultFormatter
        from rich.text import Text

        for entry in panel.entries:
            text = getattr(entry.description, "primary_renderable", None)
            if isinstance(text, Text):
                text.plain = " ".join(text.plain.split())
            if entry.default in ("()", '""', "False"):  # obvious
                entry.default = None
        DefaultFormatter()(console, options, panel)

    def render_usage(self, console: Any, options: Any, usage: Any) -> None:
        from cyclopts.help.formatters import DefaultFormatter

        DefaultFormatter().render_usage(console, options, usage)
