"""A table at the terminal: its words, its help, its files and its lines."""

import re

import pytest
from tests.cli.typed_evening import typed

from sevenout.cli.playing.table_help import HELP, TOPICS


def test_every_word_of_the_help_is_taken(monkeypatch, capsys, tmp_path):
    begun = [
        "pass 10",
        "4 2",
        "come 10",
        "5 4",
        "come 10",
        "6 3",
        "come 10",
        "4 2",
        "pass 10",
        "6 2",
    ]
    begun += ["place 6 8 12"]
    for said, _ in HELP:
        for line in re.sub(r"FILE", str(tmp_path / "x.txt"), said).split(", "):
            code, out, err = typed([*begun, line], monkeypatch, capsys)
            assert (code, err) == (0, ""), (line, err)
            assert "no bet" not in out.split("> ")[-1], line
    prompt = ["roll", "bet", "help", "quit"]
    assert typed(prompt, monkeypatch, capsys)[0] == 0


def test_a_word_that_is_none_is_one_line(monkeypatch, capsys):
    code, _, err = typed(["dance 5"], monkeypatch, capsys)
    assert code == 2
    assert err.startswith("sevenout: 'dance' is no word of the table; `bets` lists the bets")
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
