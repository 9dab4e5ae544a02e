"""What a command does where the system has no fork, no limits and no /proc: macOS, Windows."""

import subprocess
import sys
from pathlib import Path

import pytest

BARE = '''
"""The command line without what Windows and macOS lack."""

import builtins
import os
import signal
import sys
from types import SimpleNamespace

platform = sys.argv.pop(1)
lacking = {
    "win32": {
        os: ("fork", "sysconf", "getppid", "tcgetpgrp", "getpgrp", "wait4", "WNOHANG"),
        signal: ("SIGXCPU", "SIGHUP", "SIGCHLD", "SIGKILL", "pthread_sigmask"),
    },
    "darwin": {},
}
for module, names in lacking[platform].items():
    for name in names:
        delattr(module, name)
if platform == "win32":
    sys.modules["resource"] = None
usual = builtins.open


def opened(path, *given, **said):
    if str(path).startswith("/proc/"):
        raise FileNotFoundError(path)
    return usual(path, *given, **said)


builtins.open = opened
from sevenout.budgets import enforcement, supervision
from sevenout.__main__ import run

for module in (enforcement, supervision):
    module.sys = SimpleNamespace(**vars(sys) | {"platform": platform})
run()
'''


@pytest.mark.skipif(sys.platform != "linux", reason="simulates the others")
@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_a_command_answers_and_keeps_its_seconds_elsewhere(platform: str, tmp_path: Path) -> None:
    program = tmp_path / "bare.py"
    program.write_text(BARE)
    (tmp_path / "slow.py").write_text(SLOW)

    def ran(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, str(program), platform, *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        return done.returncode, done.stdout + done.stderr

    code, said = ran("odds", "craps")
    assert (code, "1.4141 %" in said) == (0, True), said
    code, said = ran("odds", "slow.py:Slow", "--budget", "1")
    assert (code, said.count("\n")) == (2, 1), said
    assert "it took more than the budget of 1 seconds" in said


SLOW = '''
import sevenout as so

class Slow(so.Game):
    """A game that takes for ever to explore."""

    dice = so.dice("2d6")

    def step(self, state, roll):
        while True:
            pass
'''
