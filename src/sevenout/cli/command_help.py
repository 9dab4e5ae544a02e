"""What a command line says about itself: help, what to type instead, and shell completion.

cyclopts writes the completion script for commands and options. `completion` adds the names of the
catalogue and, in zsh, the line that runs the script when it is loaded from a folder.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from sevenout.docstrings import own_docstring
from sevenout.errors import NotationError, printable, shown
from sevenout.questions import commands
from sevenout.questions.arguments import Argument
from sevenout.questions.question import Question

GAME_COMMANDS = ("play", "sheet", "dossier", "certify", "diagram")
"""The commands about a game that are no questions."""
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
    title = "Example" if len(commands) == 1 else "Examples"
    return "\n".join([f"{title}:", *(f"  sevenout {command}" for command in commands)])


def docstring_paragraphs(command: Any) -> str:
    """The paragraphs of a command's docstring, a line each, without its parameters."""
    text = own_docstring(command).partition("\nParameters\n")[0]
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


class FlowingHelp:
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


OPTION_SYNONYMS = {
    "stake": "amount",
    "unit": "amount",
    "bet-size": "amount",
    "money": "bankroll",
    "roll-limit": "rolls",
    "rounds": "bets",
    "number": "bets",
    "times": "roll",
    "total": "until",
    "versus": "vs",
    "counters": "joint",
    "count": "closest",
    "table": "best",
    "want": "maximize",
    "menu": "best",
    "n": "games",
    "trials": "games",
    "csv": "output",
    "parquet": "output",
    "out-file": "output",
    "picture": "plot",
    "probability": "p",
    "loss-limit": "stop-loss",
    "win-goal": "stop-win",
    "time": "hours",
    "win": "stop-win",
    "loss": "stop-loss",
    "goal": "target",
    "spins": "rolls",
    "runs": "games",
    "list": "all",
}
"""Words for an option, and its name."""
STRATEGY_OPTIONS = {"odds": "pass:odds=2", "lay": "dont-pass:lay=yes", "press": "place-6-8:press=6"}
"""Options that belong to a strategy, and how they are written."""


def right_option(command: Sequence[str], option: str, function_options: Sequence[str] = ()) -> str:
    """What to type instead of an option, after a semicolon; "" if nothing is like it.

    `function_options` are those of a command that is no question, without the dashes.

    >>> right_option(["evening"], "--stake"), right_option(["evening"], "--odds")
    ('write --amount', 'it is an option of a strategy: pass:odds=2')
    >>> right_option(["odds"], "--hours"), right_option(["odds"], "--xyzzy")
    ('sevenout evening has it', '')
    """
    name = option.partition("=")[0].lstrip("-")
    own = [*_option_names(_question_of(command)), *function_options]
    # Odds behind the line are part of a strategy, not of the evening.
    if list(command[:1]) == ["evening"] and name in STRATEGY_OPTIONS:
        return f"it is an option of a strategy: {STRATEGY_OPTIONS[name]}"
    # The list before likeness: --stake is more like --standing.
    if OPTION_SYNONYMS.get(name) in own:
        return f"write --{OPTION_SYNONYMS[name]}"
    if near := get_close_matches(name, own, 1, 0.75):
        return f"write --{near[0]}"
    others = [
        " ".join(question.command_words)
        for question in commands().values()
        if name in _option_names(question) and question.command_words != list(command)
    ]
    named = " and ".join(f"sevenout {other}" for other in others[:2])
    return f"{named} {'have' if len(others) > 1 else 'has'} it" if others else ""


def _question_of(command: Sequence[str]) -> Question | None:
    """The question of a command, if it is one."""
    words = list(command)
    return next((q for q in commands().values() if q.command_words == words), None)


def _option_names(question: Question | None) -> list[str]:
    """The options of a command that is a question, without the dashes."""
    arguments = () if question is None else question.all_arguments
    return [argument.option.lstrip("-") for argument in arguments if not argument.positional]


def unknown_option(
    command: Sequence[str], option: str, function_options: Sequence[str] = ()
) -> str:
    """The message about an option that a command does not have.

    >>> unknown_option(["evening"], "--stake=5")
    'sevenout evening has no option --stake: write --amount'
    """
    command_line = " ".join(["sevenout", *command])
    name = printable(option.partition("=")[0], 60)
    hint = right_option(command, option, function_options)
    hint = hint or f"{command_line} --help lists its options"
    return f"{command_line} has no option {name}: {hint}"


def example_value(command: Sequence[str], option: str) -> str:
    """An example of an option or a word that is missing, after its name; "" if there is none.

    >>> example_value(["evening"], "--hours"), example_value(["new"], "KIND")
    (', such as --hours 10', '; for example: sevenout new craps-like -o mygame.toml')
    """
    if (question := _question_of(command)) is not None:
        if option == question.subject_kind.parameter.upper():
            return f", such as {question.subject_kind.example_file or question.example_inputs[0]}"
        examples = {
            a.option: a.example for mode in question.modes for a in mode.own_arguments if a.example
        }
        for argument in question.all_arguments:
            if argument.option == option:
                example = argument.example or examples.get(option) or _usual_number(argument)
                words = example if argument.positional else f"{option} {example}"
                return f", such as {words}" if example else ""
    lines = EXAMPLES.get(" ".join(command), [])
    # the example that has the option, before the first
    lines = [line for line in lines if option in line] or lines
    return f"; for example: sevenout {lines[0]}" if lines else ""


def _usual_number(argument: Argument) -> str:
    """An example of a number; "" for other values."""
    if argument.form.schema.get("type") == "integer" or argument.form.description.startswith(
        "amount"
    ):
        return "10"
    return "95%" if argument.form.description == "probability" else ""


CatalogueNames = dict[str, tuple[list[str], list[str]]]
"""By kind, "game" or "strategy": the commands that take one first, and the names."""

BASH = """
_sevenout_named() {{
  _sevenout
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" names=
  [[ $COMP_CWORD -lt 2 || "$cur" == -* || "$prev" == -* || ${{#COMPREPLY[@]}} -gt 0 ]] && return
  case "${{COMP_WORDS[1]}}" in
{cases}
    *) return;;
  esac
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -W "$names" -- "$cur"; compgen -f -- "$cur")
}}

complete -F _sevenout_named sevenout
"""
"""Completion in bash after the options: names of the catalogue, and files."""

ZSH = """
_sevenout_{kind}() {{
  local -a names=({names})
  _alternative 'names:{kind}:compadd -a names' 'files:file:_files'
}}
"""
ZSH_RUN = """
if [[ $funcstack[1] == _sevenout ]]; then
  _cyclopts_sevenout "$@"
else
  compdef _cyclopts_sevenout sevenout
fi
"""
FISH = "complete -c sevenout -n '__fish_sevenout_using_command {command}' -a \"${kind}\"\n"


def completion(app: Any, shell: str) -> str:
    """The script that lets a shell complete commands, options, games and strategies.

    Raises:
        NotationError: not a shell that is known.
    """
    add = {"bash": bash_completion, "zsh": zsh_completion, "fish": fish_completion}
    if shell not in add:
        raise NotationError(f"--completion {shown(shell)}; give one of: {', '.join(add)}")
    return add[shell](app.generate_completion(shell=shell), _catalogue_names())


def _catalogue_names() -> CatalogueNames:
    from sevenout.catalogue import games
    from sevenout.catalogue.strategies import strategies

    by_input = {"game": "game", "evening": "strategy", "game or number": "game"}
    names: CatalogueNames = {
        "game": (list(GAME_COMMANDS), sorted(games)),
        "strategy": ([], sorted(strategies)),
    }
    for question in commands().values():
        kind = by_input.get(question.subject_kind.input_kind)
        # the shells' scripts go by the first word, and "test" has several commands
        if kind and len(question.command_words) == 1:
            names[kind][0].append(question.command_words[0])
    return names


def bash_completion(script: str, names_by_kind: CatalogueNames) -> str:
    """The script of bash, with names and files where the options end."""
    cases = [
        f"    {'|'.join(commands)}) names='{' '.join(names)}';;"
        for commands, names in names_by_kind.values()
    ]
    return script + BASH.format(cases="\n".join(cases))


def zsh_completion(script: str, names_by_kind: CatalogueNames) -> str:
    """The script of zsh, with names, which also runs when loaded."""
    # zsh completes words by command, so the script is read command by command.
    kind_of = {name: kind for kind, (commands, _) in names_by_kind.items() for name in commands}
    lines, kind = [], None
    for line in script.splitlines():
        first = re.fullmatch(r"( +'[1*]:[^']*(?:'\\''[^']*)*)' \\", line)
        if head := re.fullmatch(r" {8}([\w-]+)\)", line):
            kind = kind_of.get(head[1])
        # Only the first argument of a command is a game or a strategy.
        if kind and first:
            lines.append(f"{first[1]}:_sevenout_{kind}' \\")
            kind = None
        else:
            lines.append(line)
    helpers = [ZSH.format(kind=k, names=" ".join(names)) for k, (_, names) in names_by_kind.items()]
    return "\n".join([*lines, *helpers, ZSH_RUN])


def fish_completion(script: str, names_by_kind: CatalogueNames) -> str:
    """The script of fish, with the names after each command that takes one."""
    lines = [script]
    for kind, (verbs, names) in names_by_kind.items():
        lines.append(f"set -g _sevenout_{kind} {' '.join(names)}\n")
        lines += [FISH.format(command=verb, kind=f"_sevenout_{kind}") for verb in verbs]
    return "".join(lines)
