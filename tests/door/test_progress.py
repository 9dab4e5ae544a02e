"""Long work says how far it is, at a terminal and nowhere else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sevenout.budgets import estimates
from sevenout.budgets.estimates import afford, budget
from sevenout.budgets.supervision import Status
from sevenout.errors import TooMuchWorkError
from sevenout.model.exploration import _afford

pytestmark = pytest.mark.skipif(os.name != "posix", reason="terminals")

SLOW = '''
import time
import sevenout as so
from sevenout.budgets.estimates import afford
from sevenout.rules import Game, win

class Slow(Game):
    """A game."""

    dice = so.dice("2d6")
    start = None

    def step(self, state, roll):
        if not vars(Slow).get("stepped"):
            Slow.stepped = True
            afford("a slow step", seconds=9)
            end = time.process_time() + 3
            while time.process_time() < end:
                pass
        return win("won")
'''


def at_a_terminal(*words: str, term: str = "xterm") -> str:
    """What a command shows on a terminal."""
    import pty

    child, handle = pty.fork()
    if child == 0:
        environment = os.environ | {"TERM": term, "COLUMNS": "100"}
        os.execve(sys.executable, [sys.executable, "-m", "sevenout", *words], environment)
    shown = b""
    while True:
        try:
            more = os.read(handle, 1 << 16)
        except OSError:  # the terminal is closed
            more = b""
        if not more:
            break
        shown += more
    os.close(handle)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return shown.decode()


def test_only_work_that_takes_a_while_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Status()
    monkeypatch.setattr(estimates, "status", board)
    afford("a die", seconds=0.01)
    assert board.phase == ""
    afford("a slow step", seconds=9)
    afford("a die", seconds=0.01)
    assert board.phase == "a slow step"


def test_states_in_which_the_player_decides_are_said_without_rolls() -> None:
    with budget(seconds=0.5), pytest.raises(TooMuchWorkError, match=r"^711,769 states would take"):
        _afford(711_769, 0)


@pytest.mark.slow  # work that takes 3 s, three times
def test_long_work_says_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "slow.py"
    path.write_text(SLOW)
    said = at_a_terminal("odds", f"{path}:Slow")
    clear = "\r\x1b[K"
    assert "a slow step" in said
    before, _, answer = said.rpartition(clear)
    assert "won" not in before
    assert "won" in answer
    assert clear not in at_a_terminal("odds", f"{path}:Slow", term="dumb")
    piped = subprocess.run(
        [sys.executable, "-m", "sevenout", "odds", f"{path}:Slow"], capture_output=True, check=True
    )
    assert piped.stderr == b""
