"""Answers that change their vectors, meters, and logs that pay a progressive award."""

import pytest

from sevenout.catalogue import games
from sevenout.cli import main
from sevenout.rolling import dice
from sevenout.rules import Progressive, Wager
from sevenout.verify import Book, DataError, Vectors, conform

BOXCARS = Wager(dice("2d6").totals, {12: 20}, limit=1, bet="boxcars")
AWARDS = {"boxcars": Progressive(seed=8, share="2%", on="12", must_hit_by=12)}
HEAD = "bet,number,before,fed,wins,award,after"
RIGHT = [
    "boxcars,1,8,1/50,no,,401/50",
    "boxcars,1,8,0.02,yes,8.02,8",
    "boxcars,100,9.98,1/50,no,,10",
    "boxcars,200,599/50,1/50,yes,12,8",
]
"""By hand: the meter starts at 8, gains 2 % of a stake of 1, and is won at 12, at bet 200."""

GAME = """
format = 1
name = "Boxcars"
[[wager]]
bet = "boxcars"
limit = 1
pays = { "12" = 20 }
[progressive.boxcars]
seed = 8
share = "2%"
on = "12"
must_hit_by = 12
"""


@pytest.fixture
def file(tmp_path):
    def write(*lines):
        path = tmp_path / "results.csv"
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


def test_an_answer_to_other_rolls_is_no_answer(file):
    """The column `rolls` was read and ignored."""
    vectors = Vectors(Book(games["craps"]))
    head, *right = vectors.csv().splitlines()
    assert conform(games["craps"], file(head, *right)).agrees
    other = next(k for k, line in enumerate(right) if ",1 6,natural" in line)
    for forged in (",6 5,", ",,", ",1 7,"):
        wrong = [*right]
        wrong[other] = right[other].replace(",1 6,", forged)
        found = conform(games["craps"], file(head, *wrong))
        assert found.faults["rolls that can't be"] == 1
        assert f"vector {other + 1}" in found.listed[0].words
    why = conform(games["craps"], file(head, *right[:-1], right[-1].replace("random", "best")))
    assert "why is best, seed 1, and should be random, seed 1" in why.listed[0].words


def test_a_meter_is_worked_line_by_line(file):
    assert conform(BOXCARS, file(HEAD, *RIGHT), awards=AWARDS).agrees


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("boxcars,1,9,1/50,no,,401/50", "before is 9, and should be 8"),
        ("boxcars,1,8,1/25,no,,401/50", "fed is 1/25, and should be 1/50"),
        ("boxcars,1,8,1/50,yes,9,8", "award is 9, and should be 401/50"),
        ("boxcars,1,8,1/50,no,5,401/50", "nothing is won"),
        ("boxcars,1,8,1/50,yes,401/50,401/50", "after is 401/50, and should be 8"),
        ("boxcars,200,599/50,1/50,no,,12", "reaches the limit and wins"),
        ("boxcars,201,12,1/50,no,,601/50", "it can be from 1 to 200"),
        ("craps,1,8,1/50,no,,401/50", "'craps' has no meter"),
        ("boxcars,1,8,1/50,perhaps,,401/50", "write yes or no"),
        ("boxcars,1,8,1/50,no,401/50", "6 cells"),
        ("boxcars,1,eight,1/50,no,,401/50", "not an amount"),
    ],
)
def test_what_is_wrong_in_a_meter(line, says, file):
    found = conform(BOXCARS, file(HEAD, RIGHT[0], line), awards=AWARDS)
    assert [each.line for each in found.listed] == [3]
    assert says in found.listed[0].words


def test_a_meter_without_an_award_is_refused(file):
    with pytest.raises(DataError, match="no progressive award"):
        conform(BOXCARS, file(HEAD, *RIGHT))


@pytest.mark.parametrize(
    ("won", "right"),
    [("20", True), ("28.02", True), ("32", True), ("28", False), ("28.03", False), ("33", False)],
)
def test_a_log_may_pay_what_the_meter_can_show(won, right, file):
    """A log of a correct game with the award in its pay was called wrong: 20 and 8.02 to 12."""
    log = file("game,rolls,boxcars", "1,3 4,-1", f"2,6 6,{won}", "3,1 1,-1")
    assert conform(BOXCARS, log, awards=AWARDS).agrees == right


def test_only_what_wins_the_award_is_paid_it(file):
    log = file("game,rolls,boxcars", "1,3 4,7.02", "2,6 6,28.02")
    found = conform(BOXCARS, log, awards=AWARDS)
    assert "boxcars wins 351/50, and should lose 1" in found.listed[0].words


def test_the_command_knows_the_awards_of_a_game_file(tmp_path, capsys):
    (tmp_path / "mine.toml").write_text(GAME)
    (tmp_path / "meter.csv").write_text("\n".join([HEAD, *RIGHT]) + "\n")
    command = ["test", "log", str(tmp_path / "mine.toml"), str(tmp_path / "meter.csv")]
    assert main(command) == 0
    assert "none of 4 lines disagrees" in capsys.readouterr().out
