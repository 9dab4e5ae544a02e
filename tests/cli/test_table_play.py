"""A table at the terminal: its words, its help, its files and its lines."""

import re

import pytest
from tests.cli.typed_evening import typed

from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.cli import main
from sevenout.cli.playing.table_help import HELP, MORE_HELP, TOPICS
from sevenout.cli.playing.table_play import PROMPT, TableSeat
from sevenout.errors import NotationError

BEGUN = """sevenout table
house: minimum=5,props=1
pass = 10
roll 4 2
come = 10
roll 5 4
come = 10
roll 6 3
come = 10
roll 4 2
pass = 10
roll 6 4
place 6 = 12
place 8 = 12
hard 8 = 5
roll 5 3
"""
"""The point is 10; the 8 was just paid, and the hard 8 lost."""


@pytest.mark.parametrize("said", [said for said, _ in HELP])
def test_every_word_of_the_help_is_taken(said, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sevenout.papers.table_talk.MAX_SECONDS", 0.05)  # then evenings are played
    monkeypatch.setattr("sevenout.papers.table_talk.EVENINGS", 3)
    for line in said.replace("FILE", "x.txt").split(", "):
        at = TableSeat(TableSession.from_text(BEGUN), quiet=True)
        assert at.obey(line) is (line != "quit"), line


def test_the_words_of_the_prompt_are_taken(monkeypatch, capsys):
    words = PROMPT.removesuffix("> ").split(", ")
    assert words == ["roll", "bet", "help", "quit"]
    assert typed(words, monkeypatch, capsys)[0] == 0


def test_a_word_that_is_none_is_one_line(monkeypatch, capsys):
    code, _, err = typed(["dance 5"], monkeypatch, capsys)
    assert code == 2
    assert err.startswith("sevenout: 'dance' is not understood here; write a bet and an amount")
    code, out, _ = typed(["come 5", "place 6 500"], monkeypatch, capsys)
    assert code == 0
    assert "come: come bets need a point: it is the come-out now" in out
    assert "place 6: it takes $500, and the rail has $300" in out


def test_a_session_is_saved_resumed_and_undone(monkeypatch, capsys, tmp_path):
    path = tmp_path / "s.txt"
    lines = ["pass 10", "", "", "undo", f"save {path}"]
    _, first, _ = typed(lines, monkeypatch, capsys)
    _, again, _ = typed([f"resume {path}", "roll"], monkeypatch, capsys)
    assert first.count("[") == 4
    assert (
        re.findall(r"^\[.*", again, re.MULTILINE) == re.findall(r"^\[.*", first, re.MULTILINE)[1:]
    )


def test_a_number_presses_the_place_bet_and_not_the_hard_way(monkeypatch, capsys):
    lines = ["hard 6 5", "place 6 12", "press 6", "press hard 6"]
    _, out, _ = typed(lines, monkeypatch, capsys)
    pressed = [line.partition(" (")[0].strip() for line in out.splitlines() if "→" in line]
    assert pressed == ["place 6: $12 → $24", "hard 6: $5 → $10"]


def test_what_is_said_of_the_rest_can_be_typed_at_the_table(monkeypatch, capsys):
    _, out, _ = typed(["pass 5", "4 2", "rest 9"], monkeypatch, capsys)
    assert "count at their stakes" in " ".join(out.split())
    assert "standing" not in out


def test_quotes_are_no_part_of_a_file_name(monkeypatch, capsys, tmp_path):
    path = tmp_path / "my evening.txt"
    typed(["pass 10", f'save "{path}"'], monkeypatch, capsys)
    assert [each.name for each in tmp_path.iterdir()] == ["my evening.txt"]
    _, again, _ = typed([f"resume '{path}'"], monkeypatch, capsys)
    assert "pass $10" in again


def test_the_help_fits_a_screen_and_says_where_the_rest_is(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = typed(["help"], monkeypatch, capsys)
    told = out.partition("> help\n")[2].partition("\nresult")[0].strip().splitlines()
    assert len(told) < 24
    assert "help more" in told[-1]
    _, out, _ = typed(["help more"], monkeypatch, capsys)
    assert all(said in out for said, _ in MORE_HELP)


@pytest.mark.parametrize("columns", ["40", "80"])
def test_every_line_fits(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", columns)
    lines = [
        "help",
        "bets",
        "pass 10",
        "4 2",
        "odds max",
        "come 5",
        "5 4",
        "mean",
        "rare",
        "coach",
    ]
    lines += ["help odds", "edge place 6", "longer 10"]
    code, out, _ = typed(lines, monkeypatch, capsys)
    assert code == 0
    assert max(map(len, out.splitlines())) <= int(columns)


@pytest.mark.parametrize("word", TOPICS)
def test_help_on_a_word_is_the_note_on_that_word(word, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "1000")
    _, out, _ = typed([f"help {word}"], monkeypatch, capsys)
    assert TOPICS[word] in " ".join(out.split())


def test_words_of_the_first_minutes_have_a_note(monkeypatch, capsys):
    lines = ["pass 10", "3 4", "pass 10", "4 2", "place 8 12", "3 4", "coach"]
    _, out, _ = typed(lines, monkeypatch, capsys)
    for word in ("rail", "natural", "come-out", "point", "seven out", "edge", "luck"):
        assert word in out, word
        _, told, _ = typed([f"help {word}"], monkeypatch, capsys)
        assert "no help on" not in told, word


def test_odds_without_a_bet_are_refused_with_the_rule(monkeypatch, capsys):
    _, out, _ = typed(["odds max", "4 2", "odds max"], monkeypatch, capsys)
    said = " ".join(out.split())
    assert said.count("pass odds: odds go behind a bet: there is nothing on pass") == 2
    assert "$0 stands" not in said


@pytest.mark.parametrize("hours", ["-1", "0", "abc", "5%"])
def test_hours_are_an_amount_above_none(hours, capsys):
    assert main(["play", "table", f"--hours={hours}"]) == 2
    assert capsys.readouterr().err.startswith("sevenout: --hours ")


def test_a_session_that_is_resumed_has_its_own_pace():
    text = "sevenout table;bankroll: 300"
    seat = TableSeat(TableSession.from_text(text), 4)
    seat.session = TableSession.from_text(f"{text};pace: 60")
    assert seat.evening == 240


@pytest.mark.parametrize(
    ("topic", "note"), [("no pass", "don't"), ("hardways", "hard"), ("odds max", "odds")]
)
def test_help_knows_other_words_for_a_note(topic, note, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "1000")
    _, out, _ = typed([f"help {topic}"], monkeypatch, capsys)
    assert TOPICS[note] in " ".join(out.split())


@pytest.mark.parametrize("word", ["passenger", "office"])
def test_a_word_that_begins_like_another_has_no_note(word, monkeypatch, capsys):
    assert "no help on" in typed([f"help {word}"], monkeypatch, capsys)[1]


def test_an_hour_of_many_rolls_is_refused_by_its_rolls():
    seat = TableSeat(TableSession.from_text("sevenout table;pace: 20000"))
    with pytest.raises(NotationError, match="20,000 rolls are too many; ask for at most 10,000"):
        seat.obey("rest 1 hour")
