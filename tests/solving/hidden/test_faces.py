"""Every command answers of every stocked game in which something is hidden."""

import io
import json
from fractions import Fraction

import pytest

from sevenout.cli import main
from sevenout.lab.site import page
from tests.solving.hidden.test_certificate import QUICK, claimed

GAMES = [*QUICK, "perudo"]

ASKED = {
    "odds": ["odds", "--policy", "best"],
    "longer": ["odds", "--policy", "best", "--longer", "2"],
    "best": ["best"],
    "simulate": ["simulate", "--policy", "best", "--games", "50", "--seed", "1"],
}


def given(name):
    options = QUICK.get(name, {"sides": 3})
    return [x for key, value in options.items() for x in (f"--{key}", str(value))]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("question", ASKED)
def test_a_command_answers(question, name, capsys):
    command, *options = ASKED[question]
    asked = [command, name, *given(name), *options, "--json"]
    assert main(asked) == 0, capsys.readouterr().err
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", GAMES)
def test_a_certificate_is_written_and_compared_with_the_rules(name, tmp_path, capsys):
    proof = tmp_path / "proof.json"
    assert main(["certify", name, *given(name), "--output", str(proof)]) == 0
    capsys.readouterr()
    assert main(["certify", name, *given(name), "--check", str(proof)]) == 0
    said = capsys.readouterr().out
    with proof.open(encoding="utf-8") as lines:
        assert claimed(json.loads(next(lines))) in said
    assert "nothing differs" in said


@pytest.mark.parametrize("name", GAMES)
def test_a_coach_knows_the_policy(name, monkeypatch, capsys):
    """The first option, ten times: each choice is judged, and nothing fails."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 10))
    assert main(["play", name, *given(name), "--coach", "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "you see " in said
    assert "the optimal policy plays" in said


@pytest.mark.parametrize("name", GAMES)
def test_the_lab_shows_what_each_player_does(name):
    options = "".join(f";{key}={value}" for key, value in QUICK.get(name, {"sides": 3}).items())
    shown = page(f"/best?game={name}{options}").body.decode()
    for text in ("How first plays", "How second plays", "Some information is hidden"):
        assert text in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_sheet_shows_what_each_player_does(name, capsys):
    assert main(["best", name, *given(name), "--json"]) == 0
    value = Fraction(json.loads(capsys.readouterr().out)["value"])
    assert main(["sheet", name, *given(name), "--json"]) == 0, capsys.readouterr().err
    sheet = capsys.readouterr().out
    for text in ("How first plays", "How second plays", "Some information is hidden", str(value)):
        assert text in sheet
