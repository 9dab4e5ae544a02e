"""`sevenout evening`: figures side by side, as text, JSON, CSV and a picture."""

import csv
import io
import json

import pytest

from sevenout.cli import main
from sevenout.documents.numbers import won
from sevenout.evenings import evening
from sevenout.simulation.played_evenings import simulate_evenings


def test_side_by_side(capsys):
    main(["evening", "pass", "dont-pass:amount=2", "--bankroll", "9", "--rolls", "5", "--json"])
    said = json.loads(capsys.readouterr().out)["evenings"]
    assert [each["strategy"] for each in said] == ["Pass line", "Don't pass (amount 2)"]
    assert said[0]["mean"] == str(evening("pass", 9, rolls=5).mean)
    assert said[0]["status"] == "exact"


def test_four_hours_if_nothing_is_said(capsys):
    main(["evening", "pass", "--json"])
    said = json.loads(capsys.readouterr().out)["evenings"][0]
    assert (said["rolls"], said["hours"]) == (400, "4")
    assert said["status"].startswith("certified within ")
    assert 0 < said["bound"] < 1e-11


def test_the_law_and_the_picture(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    law, plot = tmp_path / "law.csv", tmp_path / "evening.svg"
    said = ["--rolls", "30", "--stop-loss", "9", "--output", str(law), "--plot", str(plot)]
    main(["evening", "pass", "iron-cross", *said])
    assert "ahead" in capsys.readouterr().out
    rows = list(csv.DictReader(law.read_text().splitlines()))
    assert sum(float(row["Iron cross"] or 0) for row in rows) == pytest.approx(1)
    bound = float(evening("iron-cross", 100, rolls=30, stop_loss=9).bound)
    assert {row["Iron cross within"] for row in rows if row["Iron cross"]} == {repr(bound)}
    assert plot.read_text().startswith("<?xml")


def test_a_strategy_file(capsys, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "Mine"\n[[bet]]\non = "pass"\namount = 1\n'
        "[evening]\nbankroll = 9\nrolls = 3\nbets = 2"
    )
    main(["evening", str(path), "--json"])
    said = json.loads(capsys.readouterr().out)["evenings"][0]
    assert said["strategy"] == "Mine"
    assert said["mean"] == str(evening("pass", 9, rolls=3, bets=2).mean)
    main(["evening", str(path), "--bets", "1", "--bankroll", "8", "--json"])
    said = json.loads(capsys.readouterr().out)["evenings"][0]
    assert said["mean"] == str(evening("pass", 8, rolls=3, bets=1).mean)


def test_the_list(capsys):
    main(["evening"])
    assert "three-point-molly" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pas"], "nothing is called 'pas'"),
        (["nowhere.toml"], "nowhere.toml"),
        (["pass:amount"], "is not an option"),
        (["pass:much=2"], "pass has no option 'much'"),
        (["pass", "--house", "odd=2"], "no house rule 'odd'"),
        (["pass", "--house", "foo"], "'foo' is not an option; write name=value, such as minimum=5"),
        (["pass", "--output", "law.txt"], "law.txt: a distribution can be .csv"),
        (["pass", "dont-pass", "pass"], "'Pass line' is named twice; name each strategy once"),
        (["pass", "--bankroll", "lots"], "--bankroll: 'lots' is not an amount"),
        (["pass", "--stop-loss", "ten"], "--stop-loss: 'ten' is not an amount"),
        (
            ["pass", "--simulate", "0"],
            "--simulate: '0' is not a count; write a whole number from 1",
        ),
        (["pass", "--simulate", "x"], "--simulate: 'x' is not a count"),
        (["pass", "--bankroll", "0"], "--bankroll: 0 is too small; write more than 0"),
    ],
)
def test_what_is_refused(words, said, capsys):
    assert main(["evening", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_strategy_is_played_at_the_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("4 2\n3 3\n6 6\nend\n"))
    assert main(["play", "--strategy", "pass-odds", "--bankroll", "20", "--rolls", "4"]) == 0
    out = capsys.readouterr().out
    for line in (
        "Pass line with odds: 20 to bet, 4 rolls.",
        "6 on the come-out, the point is 6",
        "bet       5 on pass odds",
        "stands    1 on pass, 5 on pass odds",
        "money     20, 14 of it in the rail",
        "paid      pass +1, pass odds +6",
        "paid      pass -1",
        "the evening ends: time",
    ):
        assert line in out


def test_an_evening_whose_input_stops_is_not_over(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("4 2\n5 2\n"))
    assert main(["play", "--strategy", "pass", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["end"], said["rolls"], said["result"]) == ("not yet", 2, "-1")
    assert [moment["faces"] for moment in said["moments"]] == [[], [4, 2], [5, 2]]
    assert said["moments"][2]["paid"] == [["pass", "1", "-1"]]


def test_an_evening_takes_the_words_of_its_prompt(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("roll\n?\nRoll 3 4\nr\nq\n"))
    assert main(["play", "--strategy", "pass", "--seed", "1", "--bankroll", "20"]) == 0
    seen = capsys.readouterr().out
    assert "roll 3" in seen
    assert seen.count("q stops") == 2


def test_a_simulated_evening_is_replayed(capsys):
    words = "play --strategy three-point-molly --bankroll 30 --rolls 60 --seed 5 --number 41 --json"
    assert main(words.split()) == 0
    said = json.loads(capsys.readouterr().out)
    tally = simulate_evenings("three-point-molly", 30, 1, seed=5, first_evening=41, rolls=60)
    assert [(said["end"], said["moments"][-1]["money"])] == [(e, str(m)) for e, m in tally.counts]
    assert [won(peak - 30) for peak in tally.peaks] == [said["highest"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--strategy", "pass", "--naturals", "7"], "an evening has no option 'naturals'"),
        (["--strategy", "pass", "--stop-win", "x"], "--stop-win 'x' is not an amount"),
        (["--strategy", "pass", "--rolls", "x"], "--rolls 'x' is not a count"),
        (["--strategy", "pass", "--number", "x"], "--number 'x'"),
        (["--strategy", "pas"], "no strategy 'pas'"),
        (["--strategy", "iron-cross:field=40,come_out=yes", "--bankroll", "1"], "first bet"),
        (["hazard", "--strategy", "pass"], "--strategy takes no game"),
    ],
)
def test_evenings_that_can_not_be_played(words, said, capsys):
    assert main(["play", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_game_file_is_no_strategy(capsys, tmp_path):
    path = tmp_path / "craps.toml"
    path.write_text('format = 1\nname = "C"\n[[line]]\nnaturals = [7]\n')
    assert main(["evening", str(path)]) == 2
    said = capsys.readouterr().err
    assert "is a game file: it has [[line]]" in said
    assert said.count("\n") == 1


def test_a_word_too_many_is_named(capsys):
    assert main(["variants", "craps.toml"]) == 2
    assert "sevenout variants doesn't take 'craps.toml'; " in capsys.readouterr().err
