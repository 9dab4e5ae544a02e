"""The starter files: each runs as it is."""

import tomllib
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from tests.rules.test_gamefile import SCHEMA

from sevenout.cli import main
from sevenout.rules.gamefiles.gamefile import game_text, parse_game
from sevenout.solving.optimal_play import best

ASKED = ("choice", "hold", "keep", "rules")
NO_BETS = ("hold", "keep", "rules")
KINDS = ("craps-like", "one-roll", "collect", "race", "points", "turn", *ASKED)


@pytest.mark.parametrize("kind", KINDS)
def test_a_starter_runs(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    assert main(["new", kind, "-o", str(path)]) == 0
    command = "best" if kind in ASKED else "odds"
    assert capsys.readouterr().out == f"{path}: now try sevenout {command} {path}\n"
    assert main([command, str(path)]) == 0
    policy = ["--policy", "best"] if kind in ASKED else []
    assert main(["odds", str(path), *policy]) == 0
    assert main(["simulate", str(path), "--games", "1000", "--backend", "numpy", *policy]) == 0
    assert main(["sheet", str(path), "-o", str(tmp_path / "mine.html"), "--games", "0"]) == 0
    assert main(["best", str(path)]) == (0 if kind in (*ASKED, "race") else 2)
    assert (tmp_path / "mine.html").stat().st_size > 10_000
    said = capsys.readouterr().out
    assert ("house edge, per bet made" in said) == (kind not in NO_BETS)
    assert "The edge is the player's" not in said or kind == "race"
    assert f"sevenout {command} {path}" in path.read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_a_starter_fits_the_schema_and_is_printed(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", kind]) == 0
    text = capsys.readouterr().out
    jsonschema.validate(tomllib.loads(text), SCHEMA)
    assert max(map(len, text.splitlines())) <= 120
    game = parse_game(text)
    assert parse_game(game_text(game)) == game


def test_a_game_of_choices_starts_with_an_edge_for_the_house() -> None:
    """A few per cent, though the player makes no mistake."""
    text = (files("sevenout.rules.gamefiles") / "starters" / "choice.toml").read_text(
        encoding="utf-8"
    )
    assert -Fraction(1, 20) < best(parse_game(text).game).value < -Fraction(1, 50)


def test_there_is_no_other_starter() -> None:
    stored = (files("sevenout.rules.gamefiles") / "starters").iterdir()
    assert {each.name for each in stored} == {f"{kind}.toml" for kind in KINDS}


def test_a_file_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("precious")
    assert main(["new", "collect", "-o", str(path)]) == 2
    assert path.read_text() == "precious"
    assert "already exists; give another name" in capsys.readouterr().err
