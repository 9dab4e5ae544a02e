"""Docstrings hold rules: they are there also where Python drops docstrings."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from sevenout.docstrings import own_docstring

OWN = '''
import sevenout as so

class Own(so.Game):
    """Roll a six to win."""

    dice = so.dice("1d6")

    def step(self, state, roll):
        return so.win() if roll.total == 6 else so.lose()
'''


def shown_odds(game: str, *flags: str) -> str:
    command = [sys.executable, *flags, "-m", "sevenout", "odds", game]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("game", ["craps", "fast-craps", "own.py"])
def test_without_docstrings_a_game_keeps_its_rules(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "src"))
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN)
    usual = shown_odds(game)
    if game == "own.py":
        assert "Roll a six to win." in usual
    assert shown_odds(game, "-OO") == usual


def test_an_inherited_docstring_is_not_its_own() -> None:
    class Child(Path): ...

    assert own_docstring(Child) == ""


def test_the_signature_of_a_dataclass_is_no_docstring() -> None:
    @dataclass
    class Bare:
        main: int

    assert own_docstring(Bare) == ""
