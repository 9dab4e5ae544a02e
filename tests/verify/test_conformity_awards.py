"""Answers that change their vectors, meters, and logs that pay a progressive award."""

from fractions import Fraction

import pytest

from sevenout.catalogue import games
from sevenout.cli import main
from sevenout.errors import RulesError
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


def log(*bets):
    """Lines of a meter, each of which is right by itself: the number of its bet, and if it wins."""
    lines = []
    for number, wins in bets:
        before, shows = (8 + Fraction(n, 50) for n in (number - 1, number))
        end = f"yes,{shows},8" if wins else f"no,,{shows}"
        lines.append(f"boxcars,{number},{before},1/50,{end}")
    return lines


def test_a_meter_in_a_row(file):
    right = log((5, False), (6, True), (1, False), (2, False), (3, True), (1, True), (1, False))
    found = conform(BOXCARS, file(HEAD, *right), awards=AWARDS)
    assert (found.agrees, found.left_out, found.line_count) == (True, "", 7)


@pytest.mark.parametrize(
    ("bets", "line", "kind", "says"),
    [
        # it passed in silence: each line by itself is right
        ([(1, False), (2, True), (3, False), (4, False)], 4, "wrong pay", "should be 8: after an"),
        ([(2, True), (2, False)], 3, "wrong pay", "before is 401/50, and should be 8"),
        ([(1, False), (2, False), (4, False)], 4, "missing", "bet 4 follows bet 2"),
        ([(1, False), (2, False), (1, False)], 4, "out of order", "bet 1 comes after bet 2"),
        ([(7, False), (7, False), (8, False)], 3, "out of order", "bet 7 comes after bet 7"),
    ],
)
def test_a_meter_that_does_not_follow_its_bets(bets, line, kind, says, file):
    found = conform(BOXCARS, file(HEAD, *log(*bets)), awards=AWARDS)
    assert [each.line for each in found.listed] == [line]
    assert says in found.listed[0].words
    assert found.faults[kind] == 1


def test_a_faulty_line_is_no_gap(file):
    lines = log((1, False), (2, False), (3, False), (4, True), (1, False))
    lines[1] = lines[1].replace("1/50,no", "1/25,no")
    found = conform(BOXCARS, file(HEAD, *lines), awards=AWARDS)
    assert [each.line for each in found.listed] == [3]
    lines[2] = "boxcars,three,8,1/50,no,,8"
    found = conform(BOXCARS, file(HEAD, *lines), awards=AWARDS)
    assert [each.line for each in found.listed] == [3, 4]


def test_a_worked_meter_says_that_its_bets_are_examples(file):
    found = conform(BOXCARS, file(HEAD, *RIGHT), awards=AWARDS)
    assert "That it restarts after an award" in str(found)


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


def test_an_award_of_no_bet_is_refused(file):
    """It was dropped."""
    log = file("game,rolls,boxcars", "1,3 4,-1")
    with pytest.raises(RulesError, match="no bet 'boxcar'; its bets are: boxcars"):
        conform(BOXCARS, log, awards={"boxcar": AWARDS["boxcars"]})
    with pytest.raises(RulesError, match="game of turns, which has no bets"):
        conform(games["yahtzee"], log, awards=AWARDS)


def test_fewer_than_no_disagreements_are_refused(file):
    """It ended with a Python error."""
    log = file("game,rolls,boxcars", "1,3 4,1")
    with pytest.raises(RulesError, match="max_listed=-1; give 0 or more"):
        conform(BOXCARS, log, max_listed=-1)
    assert conform(BOXCARS, log, max_listed=0).listed == ()


def test_the_command_knows_the_awards_of_a_game_file(tmp_path, capsys):
    (tmp_path / "mine.toml").write_text(GAME)
    (tmp_path / "meter.csv").write_text("\n".join([HEAD, *RIGHT]) + "\n")
    command = ["test", "log", str(tmp_path / "mine.toml"), str(tmp_path / "meter.csv")]
    assert main(command) == 0
    assert "none of 4 lines disagrees" in capsys.readouterr().out
