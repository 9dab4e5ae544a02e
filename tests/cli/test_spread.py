"""`sevenout dice 4d6kh3`: what dice roll."""

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

from sevenout.cli import main
from sevenout.rolling import parse_dice


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["dice", *words]) in (0, None)
    return capsys.readouterr().out


def test_the_law_of_a_roll(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "4d6kh3")
    assert "15869/1296" in out
    assert "2.846844" in out
    (row,) = [line.split() for line in out.splitlines() if line.split()[:1] == ["18"]]
    assert row[1:4] == ["7/432", "1.6204", "%"]
    assert row[-4:] == ["1.6204", "%", "100.0000", "%"]


def test_json_and_csv_are_the_exact_law(capsys: pytest.CaptureFixture[str]) -> None:
    law = {str(total): p for total, p in parse_dice("100d6").totals.law.items()}
    data = json.loads(said(capsys, "100d6", "--json", "--show", "3"))
    assert {str(row["total"]): Fraction(row["probability"]) for row in data["totals"]} == law
    rows = csv.DictReader(io.StringIO(said(capsys, "100d6", "--csv", "--show", "3")))
    assert {row["total"]: Fraction(row["probability"]) for row in rows} == law


def test_two_rolls_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert "589/864" in said(capsys, "4d6kh3", "--vs", "2d6+3")
    data = json.loads(said(capsys, "4d6kh3", "--vs=2d6+3", "--json"))
    assert sum(Fraction(data[name]) for name in ("more", "equal", "less")) == 1
    assert data["difference"] == "2909/1296"


def test_dice_that_explode(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "There is no highest total" in said(capsys, "d10!")
    data = json.loads(said(capsys, "d6!", "--vs", "d8!", "--json"))
    assert data["more"] == "235323/663551"
    assert main(["dice", "d10!", "--csv"]) == 2
    picture = tmp_path / "three.svg"
    said(capsys, "3d6", "--vs", "d10!", "--plot", str(picture))
    assert all(f">{name}<" in picture.read_text() for name in ("3d6", "d10!"))
    assert main(["dice", "3d6", "--plot", str(tmp_path / "three.doc")]) == 2


def test_faces_that_are_not_added_up_are_not_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    seen = {}
    for dice in ("4d6", "4d6kh3", "2d6+3", "d6+3", "d6", "tatham", "2d2{H,T}"):
        assert main(["dice", dice, "--roll", "1", "--seed", "1"]) == 0
        seen[dice] = capsys.readouterr().out.strip()
    assert seen == {
        "4d6": "2 + 5 + 1 + 3 = 11",
        "4d6kh3": "2, 5, 1, 3: 10",
        "2d6+3": "2, 5: 10",
        "d6+3": "2: 5",
        "d6": "2",
        "tatham": "4^3, 9^4: 9",
        "2d2{H,T}": "H, H",
    }


def test_the_commands_are_still_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert "ranked pair" in said(capsys, "relabel", "--ranked", "--show", "1")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rankd"], "'rankd' is not dice"),
        (["4d6kh5"], "keep 5 of 4"),
        (["d2{H,T}"], "don't add up"),
        (["2d6", "--vs", "2x6"], "'2x6' is not dice"),
        (["2d6", "--show", "0"], "--show: '0' is not a count"),
        (["2d6", "--csv", "--json"], "give one of them"),
        (["--json"], "no dice"),
        (["2d6", "--rolled", "100"], "--rolled 100; give --plot too"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dice", *words]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
