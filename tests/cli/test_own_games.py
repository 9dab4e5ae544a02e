"""A game in a Python file, in every command that takes a game."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli import mine

import sevenout as so
from sevenout.cli import main

MINE = Path(mine.__file__)

ASKED = {
    "odds": ("LUCKY", "TURN --policy best", "TURN --policy FILE:careful", "HALVES --limit 3"),
    "best": ("TURN", "TURN --policy FILE:careful", "TURN --at 12", "TURN --dice d8"),
    "simulate": (
        "LUCKY --games 1000 --backend numpy",
        "TURN --policy best --games 1000 --backend numpy",
    ),
    "evening": ("LUCKY --bankroll 10 --target 20 --bets 50", "HALVES --bankroll 5 --target 10"),
    "compare": ("LUCKY craps", "TURN@best TURN@FILE:careful"),
    "sheet": ("LUCKY --games 0 --json", "TURN --games 0 --json"),
    "certify": ("LUCKY", "TURN", "TURN --policy FILE:careful"),
    "diagram": ("LUCKY", "LUCKY --to prism", "TURN --to prism", "TURN --policy best"),
}
"""The commands that take a game; `play` is asked below, on its standard input."""


def cases() -> Iterator[str]:
    for command, words in ASKED.items():
        for each in words:
            yield f"{command} {each}"


def words_of(text: str) -> list[str]:
    for name, what in (("LUCKY", "Lucky"), ("TURN", "Turn"), ("HALVES", "HALVES")):
        text = text.replace(name, f"FILE:{what}")
    return shlex.split(text.replace("FILE", str(MINE)))


@pytest.mark.parametrize("words", list(cases()))
def test_a_game_of_ones_own_in_every_command(words: str, capsys) -> None:
    assert main(words_of(words)) == 0
    assert len(capsys.readouterr().out) > 100


def test_an_option_of_a_class_is_an_option_of_the_command(capsys) -> None:
    assert main(words_of("odds LUCKY --pays 3 --json")) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["bets"][0]["edge"] == str(so.solve(mine.Lucky(3)).bet().edge)
    assert main(words_of("odds LUCKY --dice 2d8 --json")) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["bets"][0]["edge"] == str(so.solve(mine.Lucky(2, so.dice("2d8"))).bet().edge)


def test_it_sits_at_a_table_with_others(capsys) -> None:
    assert main(words_of("odds LUCKY+place-6-8 --json")) == 0
    one, place = json.loads(capsys.readouterr().out)["bets"]
    assert one["edge"] == str(so.solve(mine.Lucky()).bet().edge)
    assert place["edge"] == "1/66"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("odds LUCKY --colour red", "has no option 'colour'; its options: pays"),
        ("odds TURN --colour red", "has no option 'colour'; its options: none"),
        ("odds HALVES --colour red", "has no option 'colour'; its options: none"),
        ("odds LUCKY --limit 3", "the rules of Lucky have no limit"),
        ("odds FILE", "is one of: Lucky, Turn, HALVES"),
        ("odds FILE:Nobody", "has no game 'Nobody'; it has: Lucky, Turn, HALVES"),
        ("odds TURN", "has choices: say how the player plays, --policy best"),
        ("compare TURN craps", "say how the player plays, GAME@best"),
        ("evening TURN --bankroll 9 --target 12", "say how the player plays, --policy best"),
        ("evening LUCKY --bankroll 9 --target 12 --policy best", "leave --policy out"),
        ("tune LUCKY --edge 1%", "Lucky is not a .toml file; `sevenout new craps-like` writes one"),
        ("best LUCKY", "has no choices"),
        ("simulate TURN --policy best --histogram won", "--histogram is for games without choices"),
    ],
)
def test_what_is_wrong_with_it_is_said(words: str, says: str, capsys) -> None:
    assert main(words_of(words)) == 2
    assert says in capsys.readouterr().err


def test_it_is_played(monkeypatch, capsys) -> None:
    from io import StringIO

    monkeypatch.setattr("sys.stdin", StringIO("3 4\n2 2\n1 2\n"))
    assert main([*words_of("play LUCKY"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["seven"], said["no seven"], said["net, pass"]) == (1, 1, "+1")
    monkeypatch.setattr("sys.stdin", StringIO("3\nhold\n1\n"))
    assert main([*words_of("play TURN"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["hold"], said["pig"], said["net, turn"]) == (1, 1, "+3")


def test_rules_that_raise_are_named_with_the_state_and_the_roll(tmp_path, capsys):
    (tmp_path / "fails.py").write_text(
        "import sevenout as so\n\n\nclass Fails(so.Game):\n    dice, start = so.d6, 'on'\n\n"
        "    def step(self, state, roll):\n"
        "        return so.win() if roll < 4 else 1 // (roll - 4)\n"
    )
    assert main(["odds", str(tmp_path / "fails.py")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert " ".join(said.err.split()).endswith(
        "fails.py: ZeroDivisionError: integer division or modulo by zero, in line 8. "
        "This was the step from on on 4."
    )


RULES = '''import sevenout as so

class Turn(so.Game):
    """Roll on or hold; a one
    loses the turn.

    Thirty points end it at once.

    Attributes:
        dice: what is rolled.
    """

    dice, start = so.d6, 0

    def choices(self, points):
        return {"roll": points, "hold": so.settle("hold", {"turn": points})} if points else {}

    def step(self, points, face):
        if face == 1:
            return so.settle("pig", {"turn": 0})
        return min(points + face, 30)
'''


@pytest.mark.parametrize("command", ["best", "sheet --games 0 -o"])
def test_the_whole_docstring_is_the_rules(command: str, tmp_path: Path, capsys) -> None:
    file, sheet = tmp_path / "turn.py", tmp_path / "turn.html"
    file.write_text(RULES)
    verb, *options = command.split()
    assert main([verb, f"{file}:Turn", *options, *([str(sheet)] if "-o" in options else [])]) == 0
    text = " ".join((sheet.read_text() if "-o" in options else capsys.readouterr().out).split())
    assert "Roll on or hold; a one loses the turn." in text
    assert "Thirty points end it at once." in text
    assert "what is rolled" not in text
