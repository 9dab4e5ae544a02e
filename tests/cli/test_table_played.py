"""A session saved at the table, beside a strategy's evenings."""

import re

import pytest
from tests.cli.typed_evening import typed

from sevenout.cli import main


@pytest.fixture
def session(monkeypatch, capsys, tmp_path):
    """The file of a short session, at a table of 5 and more."""
    path = tmp_path / "s.txt"
    typed(["pass 5", "3 4", "pass 5", "6 6", f"save {path}"], monkeypatch, capsys)
    return path


@pytest.mark.parametrize(
    ("strategy", "title"),
    [("pass:amount=5", "Pass line (amount 5)"), ("pass", "Pass line (×5)")],
)
def test_a_session_is_compared_at_the_minimum_of_its_table(strategy, title, session, capsys):
    assert main(["evening", strategy, "--played", str(session)]) == 0
    seen = capsys.readouterr().out
    assert f"beside {title}" in seen
    assert "of 1,000 evenings" in seen
    assert re.search(r"mean result of the strategy +\+0\.57", seen)  # what stands counts as staked


def test_a_session_alone_is_counted_and_a_spoilt_one_refused_by_its_line(session, capsys):
    assert main(["evening", "--played", str(session), "--json"]) == 0
    assert '"result": "0"' in capsys.readouterr().out
    session.write_text("sevenout table\ncome = 5\n")
    assert main(["evening", "--played", str(session)]) == 2
    assert "line 2: come: come bets need a point" in capsys.readouterr().err


WRONG = {
    "evening pass --played {} --hours 4": "--hours 4; it does not go with --played: leave it out",
    "evening pass --played {} --stop-loss 5": "--stop-loss 5; it does not go with --played",
    "evening pass --played {} --plot x.svg": "--plot x.svg; it does not go with --played",
    "evening {}": "a session saved at the table is read by sevenout evening --played",
    "evening pass --played {}": "this session bought more chips",
}


@pytest.mark.parametrize(("words", "says"), WRONG.items())
def test_what_does_not_go_with_a_session_is_one_line(words, says, monkeypatch, capsys, tmp_path):
    path = tmp_path / "s.txt"
    typed(["pass 5", "3 4", "chips 50", f"save {path}"], monkeypatch, capsys)
    capsys.readouterr()
    assert main(words.format(path).split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert err.count("\n") == 1
