"""`sevenout completion`: commands and options that the shell completes; in bash, games too."""

from typing import Any, Literal

NAMED = """
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
"""What bash does where the options end: names of the catalogue, and files."""


def completion(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print the script by which a shell completes our commands and options; in bash, games too.

    bash: sevenout completion bash > ~/.local/share/bash-completion/completions/sevenout
    zsh: sevenout completion zsh > a folder of $fpath/_sevenout
    fish: sevenout completion fish > ~/.config/fish/completions/sevenout.fish

    Parameters
    ----------
    shell
        The shell.
    """
    from sevenout.cli.app import app

    script = app.generate_completion(shell=shell)
    print(script + (_named(app) if shell == "bash" else ""))


def _named(app: Any) -> str:
    """The completion of what stands by its place: games, strategies and files."""
    from sevenout.games import catalogue, decisions
    from sevenout.games.strategies import strategies

    games = [*catalogue, *decisions]
    known = {"GAME": games, "GAMES": games, "STRATEGY": [*strategies]}
    by_place: dict[str, list[str]] = {}
    for command in (name for name in app if not name.startswith("-")):
        for argument in app[command].assemble_argument_collection(parse_docstring=False)[:1]:
            by_place.setdefault(argument.names[0], []).append(command)
    cases = [
        f"    {'|'.join(by_place[place])}) names='{' '.join(sorted(names))}';;"
        for place, names in known.items()
    ]
    return NAMED.format(cases="\n".join(cases))
