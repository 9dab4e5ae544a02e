"""What a shell completes, asked of the shells that are installed here."""

import os
import select
import shutil
import time
from pathlib import Path

import pytest

from sevenout.cli import main

SETUP = {
    "zsh": (["zsh", "-f"], "fpath=({} $fpath); autoload -Uz compinit; compinit -u -D", "_sevenout"),
    "fish": (["fish", "--no-config"], "source {}/completion.fish", "completion.fish"),
    "bash": (["bash", "--norc"], "source {}/completion.bash", "completion.bash"),
}
TYPED = {
    "sevenout odds high-po": "high-point",
    "sevenout evening iron": "iron-cross",
    "sevenout odds --poli": "--policy",
    "sevenout diagr": "diagram",
}


def seen(handle: int, seconds: float, wanted: str = "\0") -> str:
    """What a terminal shows within some seconds, or until it shows what is wanted."""
    shown, until = "", time.monotonic() + seconds
    while time.monotonic() < until and wanted not in shown:
        if select.select([handle], [], [], 0.1)[0]:
            shown += os.read(handle, 1 << 16).decode(errors="replace")
    return shown


@pytest.mark.slow  # a shell that starts at a terminal
@pytest.mark.skipif(os.name != "posix", reason="terminals")
@pytest.mark.parametrize("shell", SETUP)
def test_a_shell_completes(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import pty

    words, setup, name = SETUP[shell]
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}")
    assert main(["--completion", shell]) == 0
    (tmp_path / name).write_text(capsys.readouterr().out)
    for variable, value in {"TERM": "dumb", "HOME": str(tmp_path), "COLUMNS": "200"}.items():
        monkeypatch.setenv(variable, value)
    for typed, meant in TYPED.items():
        child, handle = pty.fork()
        if child == 0:
            os.execvp(words[0], words)
        try:
            seen(handle, 1.5)
            os.write(handle, f"{setup.format(tmp_path)}\n".encode())
            seen(handle, 1.5)
            os.write(handle, f"{typed}\t".encode())
            assert meant in seen(handle, 15, meant), (shell, typed)
        finally:
            os.kill(child, 9)
            os.close(handle)
            os.waitpid(child, 0)
