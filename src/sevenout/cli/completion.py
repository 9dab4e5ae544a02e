"""`sevenout --completion`: shell completion of commands, options, games and strategies.

cyclopts writes the script for commands and options. This module adds the names of the catalogue
and, in zsh, the line that runs the script when it is loaded from a folder.
"""

import re
from typing import Any

from sevenout.errors import NotationError, shown
from sevenout.questions import commands

Names = dict[str, tuple[list[str], list[str]]]
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
    add = {"bash": in_bash, "zsh": in_zsh, "fish": in_fish}
    if shell not in add:
        raise NotationError(f"--completion {shown(shell)}; give one of: {', '.join(add)}")
    return add[shell](app.generate_completion(shell=shell), _names())


OF_A_GAME = ("play", "sheet", "dossier", "certify", "diagram")
"""The commands about a game that are no questions."""


def _names() -> Names:
    from sevenout.catalogue import games
    from sevenout.catalogue.strategies import strategies

    by_input = {"game": "game", "evening": "strategy", "game or number": "game"}
    names: Names = {
        "game": (
            ["play", "sheet", "dossier", "certify", "diagram"],
            sorted(games),
        ),
        "strategy": ([], sorted(strategies)),
    }
    for question in commands().values():
        if (kind := by_input.get(question.of.of)) and len(question.verb) == 1:
            names[kind][0].append(question.verb[0])
    return names


def in_bash(script: str, known: Names) -> str:
    cases = [
        f"    {'|'.join(commands)}) names='{' '.join(names)}';;"
        for commands, names in known.values()
    ]
    return script + BASH.format(cases="\n".join(cases))


def in_zsh(script: str, known: Names) -> str:
    """The script of zsh, with names, which also runs when loaded."""
    kind_of = {name: kind for kind, (commands, _) in known.items() for name in commands}
    lines, kind = [], None
    for line in script.splitlines():
        first = re.fullmatch(r"( +'[1*]:[^']*(?:'\\''[^']*)*)' \\", line)
        if found := re.fullmatch(r" {8}([\w-]+)\)", line):
            kind = kind_of.get(found[1])
        if kind and first:
            lines.append(f"{first[1]}:_sevenout_{kind}' \\")
            kind = None
        else:
            lines.append(line)
    helpers = [ZSH.format(kind=k, names=" ".join(names)) for k, (_, names) in known.items()]
    return "\n".join([*lines, *helpers, ZSH_RUN])


def in_fish(script: str, known: Names) -> str:
    lines = [script]
    for kind, (verbs, names) in known.items():
        lines.append(f"set -g _sevenout_{kind} {' '.join(names)}\n")
        lines += [FISH.format(command=each, kind=f"_sevenout_{kind}") for each in verbs]
    return "".join(lines)
