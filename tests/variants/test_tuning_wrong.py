"""Files and questions that tuning refuses, and what it says."""

import json
from fractions import Fraction

import pytest
from tests.variants.open_games import CRAPS, FAST

from sevenout.cli import main
from sevenout.errors import NotationError, RulesError, SevenoutError
from sevenout.rules.gamefiles.open_parameters import parse_opened
from sevenout.variants import tune

BET = "\n[line.bets.pass]\npoint = "


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (CRAPS, "no number is open"),
        (CRAPS + BET + '"9..1"', "smaller first"),
        (CRAPS + BET + '"1..9 by 0"', "steps of 0"),
        (CRAPS + BET + '"1..1000000"', "3,000"),
        (CRAPS + BET + '"1..x"', "'x' is not an amount"),
        (CRAPS.replace("[[", '[open]\na = "1..9"\n[['), "is never used"),
        (CRAPS.replace("[[", "[open]\na = 3\n[[") + BET + '"a"', "write a range"),
        (CRAPS.replace("[[", "[open]\na = []\n[[") + BET + '"a"', "write a range"),
        (CRAPS.replace("[[", '[open]\na = "1..9"\norder = ["a > b"]\n[[') + BET + '"a"', "order"),
        (CRAPS.replace("[[", '[open]\na = "1..9"\norder = 3\n[[') + BET + '"a"', "order"),
        (CRAPS.replace("format", "open = 3\nformat"), "write a table .open."),
        ("[", "not TOML"),
    ],
)
def test_files_that_leave_nothing_open_in_the_right_way(text, match):
    with pytest.raises(NotationError, match=match) as raised:
        parse_opened(text, "x.toml")
    assert str(raised.value).startswith("x.toml:")
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (CRAPS + BET + '"-3..1"', "game:11: .* loses more than the 1 at risk"),
        (CRAPS + BET + '"z"\nnatural = "1..2"', "the amount 'z'"),
        (CRAPS.replace("[7, 11]", '[7, "11..12"]') + 'limit = "-1..0"', "11|limit"),
        (
            CRAPS.replace("[[", '[open]\na="1..2"\nb="1..2"\norder=["a > b > a"]\n[[')
            + '[line.bets.pass]\nnatural="a"\npoint="b"',
            "larger than itself",
        ),
    ],
)
def test_games_that_contradict_themselves(text, match):
    with pytest.raises(SevenoutError, match=match):
        tune(parse_opened(text), edge="0..1")


@pytest.mark.parametrize(
    ("question", "match"),
    [
        ({"edge": "2%..1%"}, "smaller first"),
        ({"edge": "x"}, "'x' is not an amount"),
        ({"edge": 0.5}, "write an interval"),
        ({"edge": "field=1%"}, "field.*they change: pass"),
        ({"edge": ["pass=0%..1%", "pass=5%..50%"]}, "a second interval for 'pass'"),
        ({"edge": [0, 1]}, "a second interval for every bet"),
        ({"volatility": "-5..-1"}, "a standard deviation is 0 or more"),
        ({"hit": [3.5]}, "hit"),
        ({"volatility": ("1", 0.5)}, "float"),
        ({"wish": "fun"}, "wish='fun'"),
        ({"wish": ["top"]}, "wish="),
        ({"top": -1}, "top=-1"),
        ({"top": "3"}, "top='3'"),
        ({"within": "-1"}, "from 0 to 1"),
        ({"within": 0.5}, "^within: 0.5 is a float"),
        ({"within": None}, "^within: None is not an amount"),
    ],
)
def test_wrong_questions(question, match):
    with pytest.raises(RulesError, match=match) as raised:
        tune(parse_opened(FAST), **question)
    assert len(str(raised.value)) < 400


def test_a_bet_without_open_numbers_is_told_from_those_that_have_some():
    fixed_bet = "\n[line.bets.other]\npoint = 1\n"
    with pytest.raises(RulesError, match=r"no bet that the open numbers change.*change: pass"):
        tune(parse_opened(CRAPS + BET + '"1..2"' + fixed_bet), edge="other=1%..2%")


@pytest.mark.parametrize("order", [1, -1])
def test_the_interval_of_a_bet_comes_before_that_of_all(order):
    bets = "\n[line.bets.doubt]\npoint = " + '"1..2"'
    opened = parse_opened(CRAPS + BET + '"1..2"' + bets)
    bounds = tune(opened, edge=["pass=1%..2%", "4%..6%"][::order]).criteria.bounds
    assert [str(bounds[bet].edge) for bet in ("pass", "doubt")] == ["1 % to 2 %", "4 % to 6 %"]


@pytest.mark.parametrize("game", ["", None, 3, 2.5, object()])
def test_what_is_no_file_is_said(game):
    with pytest.raises(SevenoutError, match=r"no game file|is not"):
        tune(game)


def test_each_open_number_is_filled_in():
    opened = parse_opened(CRAPS + BET + '"1..2"')
    for values in ({}, {"pass point": Fraction(1), "zzz": Fraction(2)}):
        with pytest.raises(NotationError, match=r"one of each open number, which are pass point"):
            opened.filled(values)
    assert opened.filled({"pass point": Fraction(5)}).games[0].bets["pass"].point[0] == 5


def test_a_bound_that_begins_with_a_minus_is_said(tmp_path, capsys):
    path = tmp_path / "fast.toml"
    path.write_text(FAST)
    assert main(["tune", str(path), "--hit", "20%..", "--edge", "-2%..0"]) == 2
    said = "'-2%..0' begins with a minus sign; write --edge=-2%..0"
    assert capsys.readouterr().err == f"sevenout: {said}\n"
    assert main(["tune", str(path), "--edge=-2%..0"]) == 0


def test_a_file_with_open_numbers_is_no_game_yet(tmp_path, capsys):
    path = tmp_path / "fast.toml"
    path.write_text(FAST)
    assert main(["odds", str(path)]) == 2
    assert "open numbers; `sevenout tune`" in capsys.readouterr().err
    best = tmp_path / "best.toml"
    picture = tmp_path / "frontier.svg"
    words = [
        "tune",
        str(path),
        "--edge",
        "1%..2%",
        "--json",
        "-o",
        str(best),
        "--plot",
        str(picture),
    ]
    assert main(words) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["count"], data["considered"]) == (3, 14_112)
    assert main(["odds", str(best), "--json"]) == 0
    assert (
        json.loads(capsys.readouterr().out)["bets"][0]["edge"]
        == data["tables"][0]["bets"]["pass"]["edge"]
    )
    assert picture.read_text().count("one volatility") == 1
    assert main(["tune", str(path), "--edge", "1%..2%", "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert main(["tune", str(path), "--edge", "5%,3%", "--within", "1%", "-o", str(best)]) == 0
    assert (tmp_path / "best-2.toml").exists()
    for wrong in (
        ["--edge", "50%", "-o", str(best)],
        ["-o", "x.json"],
        ["--edge", "5%,3%", "--edge", "1%"],
    ):
        assert main(["tune", str(path), *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    for to in (["-o", str(best)], ["--plot", str(picture)]):
        assert main(["tune", str(path), "--edge", "1.17%..1.18%", *to]) == 2
        assert "the nearest are 1.1643 %" in capsys.readouterr().err, "what there is"
    assert main(["tune", str(path), "--edge", "pass=5%,3%", "--within", "1%"]) == 0
    tiers_of_pass = capsys.readouterr().out
    assert main(["tune", str(path), "--edge", "5%,3%", "--within", "1%"]) == 0
    assert capsys.readouterr().out == tiers_of_pass
