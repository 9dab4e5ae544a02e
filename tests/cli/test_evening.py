"""`sevenout evening`: figures side by side, as text, JSON, CSV and a picture."""

import csv
import json

import pytest

from sevenout.cli import main
from sevenout.exact.evening import evening


def test_side_by_side(capsys):
    main(["evening", "pass", "dont-pass:amount=2", "--bankroll", "9", "--rolls", "5", "--json"])
    said = json.loads(capsys.readouterr().out)["evenings"]
    assert [each["strategy"] for each in said] == ["Pass line", "Don't pass (amount=2)"]
    assert said[0]["mean"] == str(evening("pass", 9, rolls=5).mean)
    assert said[0]["status"] == "exact"


def test_four_hours_if_nothing_is_said(capsys):
    main(["evening", "pass", "--json"])
    said = json.loads(capsys.readouterr().out)["evenings"][0]
    assert (said["rolls"], said["hours"], said["status"]) == (400, "4", "certified")


def test_the_law_and_the_picture(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    law, plot = tmp_path / "law.csv", tmp_path / "evening.svg"
    main(["evening", "pass", "iron-cross", "--rolls", "9", "--law", str(law), "--plot", str(plot)])
    assert "ahead" in capsys.readouterr().out
    rows = list(csv.DictReader(law.read_text().splitlines()))
    assert sum(float(row["Iron cross"] or 0) for row in rows) == pytest.approx(1)
    assert plot.read_text().startswith("<?xml")


def test_a_strategy_file(capsys, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "Mine"\n[[bet]]\non = "pass"\namount = 1\n[evening]\nbankroll = 9\nrolls = 3'
    )
    main(["evening", str(path), "--json"])
    said = json.loads(capsys.readouterr().out)["evenings"][0]
    assert said["strategy"] == "Mine"
    assert said["mean"] == str(evening("pass", 9, rolls=3).mean)
    main(["evening", str(path), "--rolls", "2", "--bankroll", "8", "--json"])
    said = json.loads(capsys.readouterr().out)["evenings"][0]
    assert said["mean"] == str(evening("pass", 8, rolls=2).mean)


def test_the_list(capsys):
    main(["evening"])
    assert "three-point-molly" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pas"], "no strategy 'pas'"),
        (["nowhere.toml"], "nowhere.toml"),
        (["pass:amount"], "is no option"),
        (["pass:much=2"], "no option 'much' of pass"),
        (["pass", "--house", "odd=2"], "--house 'odd'"),
        (["pass", "--bankroll", "0"], "does not pay for the first bet"),
        (["pass-odds:odds=10"], "the house takes 3 behind 1"),
    ],
)
def test_what_is_refused(words, said, capsys):
    assert main(["evening", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
