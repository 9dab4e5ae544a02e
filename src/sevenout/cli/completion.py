"""`sevenout completion`: commands and options that the shell completes."""

from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print the script by which a shell completes our commands and options.

    bash: sevenout completion bash > ~/.local/share/bash-completion/completions/sevenout
    zsh: sevenout completion zsh > a folder of $fpath/_sevenout
    fish: sevenout completion fish > ~/.config/fish/completions/sevenout.fish

    Parameters
    ----------
    shell
        The shell.
    """
    from sevenout.cli.app import app

    print(app.generate_completion(shell=shell))
