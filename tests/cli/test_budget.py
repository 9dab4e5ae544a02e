"""--budget, and what is printed of what a user wrote."""

import json
from pathlib import Path

import pytest

from sevenout.budgets.estimates import afford, budget
from sevenout.cli import main
from sevenout.cli.app import _parse_budget, app
from sevenout.cli.out import console, print_headline, print_json, print_text

GAME = r"""
format = 1
name = "red [bold]:smile: [/]"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
[line.bets."pa[/]ss"]
natural = 1
point = 1
"""


@pytest.fixture
def costly():
    """A command that takes 300 seconds, or says so."""

    def costly(*, json: bool = False, **rules: str) -> None:
        """Something long."""
        afford("a long thing", seconds=300)
        print("done", rules)

    app.command(costly, name="costly")
    yield
    del app["costly"]


@pytest.mark.usefixtures("costly")
@pytest.mark.parametrize(
    "words",
    [
        ["costly", "--main", "5", "--budget", "301", "--json"],
        ["costly", "--budget=1e3", "--main", "5"],
        ["--budget", "inf", "costly", "--main=5"],
    ],
)
def test_a_budget_is_for_one_command(words: list[str], capsys) -> None:
    assert main(words) == 0
    assert capsys.readouterr().out == "done {'main': '5'}\n"
    assert main(["costly", "--main", "5"]) == 2
    assert "would take about 5 minutes, and the budget is 60 seconds" in capsys.readouterr().err


@pytest.mark.usefixtures("costly")
@pytest.mark.parametrize(
    "budget",
    ["", "0", "-1", "nan", "ten", "8KB", "8GB,9GB", "1,2", "8GB,", "9" * 5_000 + "x", "\x1b[31m"],
)
def test_a_budget_is_seconds_memory_or_both(budget: str, capsys) -> None:
    assert main(["costly", f"--budget={budget}"]) == 2
    captured = capsys.readouterr().err
    assert "write seconds, memory or both, such as 600" in captured
    assert captured.removesuffix("\n").isprintable()
    assert len(captured) < 400


@pytest.mark.parametrize(
    ("words", "seconds", "memory"),
    [("600", 600, 2e9), ("8GB", 60, 8e9), ("600,8GB", 600, 8e9), ("500 mb, 1e3", 1e3, 5e8)],
)
def test_a_budget_raises_what_it_names(words: str, seconds: float, memory: float) -> None:
    with budget(**_parse_budget(words)) as allowed:
        assert (allowed.seconds, allowed.memory) == (seconds, memory)


def test_the_overview_names_the_budget(capsys) -> None:
    for words in ([],):
        assert main([*words, "--help"]) == 0
        assert "--budget" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["odds", "{}"],
        ["odds", "{}", "--json"],
        ["diagram", "{}"],
        ["diagram", "{}", "--to", "graphviz"],
        ["diagram", "{}", "--json"],
        ["simulate", "{}", "--games", "100"],
        ["simulate", "{}", "--games", "100", "--json"],
        ["sheet", "{}", "--games", "0", "--json"],
    ],
)
def test_a_name_is_no_markup(words: list[str], tmp_path: Path, capsys) -> None:
    path = tmp_path / "game.toml"
    path.write_text(GAME)
    assert main([word.replace("{}", str(path)) for word in words]) == 0
    out = capsys.readouterr().out
    assert out.replace("\n", "").isprintable()
    if "--json" in words:
        json.loads(out)
    elif words[0] in ("odds", "simulate"):
        assert "red [bold]:smile: [/]" in " ".join(out.split())


def test_no_text_moves_the_cursor(capsys) -> None:
    """Whatever a result holds, rich and plain text and JSON print it in letters."""
    from rich.table import Table

    text = "red \x1b[31m \x9b31m \u202e \x00 [bold]:smile:"
    table = Table("head")
    table.add_row(text)
    for each in (text, table):
        console().print(each)
    print_headline(console(), text)
    print_text(text)
    out = capsys.readouterr().out
    assert out.replace("\n", "").isprintable()
    assert out.count(r"red \x1b[31m \x9b31m \u202e") == 4
    assert out.count("[bold]:smile:") == 4
    print_json({text: [text]})
    out = capsys.readouterr().out
    assert out.replace("\n", "").isprintable()
    assert json.loads(out) == {text: [text]}


def test_no_error_moves_the_cursor(capsys) -> None:
    for name in ("\x1b[31m", "\x9b31m\u202e", "a\nb\x00", "x" * 300_000, "\udcff"):
        assert main(["odds", name]) == 2
        err = capsys.readouterr().err
        assert err.removesuffix("\n").isprintable()
        assert len(err) <= 400


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["variants", "--fairest", "--top=1.5"], "--top"),
        (["dice", "relabel", "--ranked", "--pair=1e3"], "--pair"),
        (["dice", "no-seven", "--sides=0x6"], "--sides"),
        (["dice", "no-seven", "--sides=" + "9" * 5_000], "--sides"),
        (["dice", "relabel", "--ranked", "--on", "9" * 5_000 + ",1"], "--on"),
        (
            ["sheet", "craps", "--json", "--games=0", "--date=2026-02-30"],
            "'2026-02-30' is not a date",
        ),
        (["sheet", "craps", "--json", "--games=0", "--date=20261120"], "such as 2026-11-20"),
        (["odds", "--out", "7", "--limit", "9" * 5_000], "is not a whole number"),
    ],
)
def test_numbers_are_not_rounded_nor_dates_guessed(words: list[str], says: str, capsys) -> None:
    assert main(words) == 2
    err = capsys.readouterr().err
    assert says in err
    assert len(err) < 400


def test_a_long_word_hides_nothing(capsys) -> None:
    assert main(["odds", "x" * 300_000, "--budget", "5"]) == 2
    assert capsys.readouterr().err.endswith("\n")
    assert main(["odds", "craps", "--json=" + "x" * 300_000]) == 2
    assert "unable to convert" in capsys.readouterr().err


SETS = "naturals = [7, 11]\ncraps = [2, 3, 12]\nout = 7\n"
LARGE = {
    "a limit": f"[[line]]\n{SETS}limit = 100000\n",
    "pays by roll": f"[[line]]\n{SETS}limit = 9000\n[line.bets.a]\npoint = {list(range(9000))}\n",
    "dice": 'dice = "1000d6"\n[[line]]\nnaturals = [1001]\ncraps = [1003]\nout = 1001\n',
    "lines": "".join(f"[[line]]\n{SETS}[line.bets.b{i}]\n" for i in range(6000)),
    "bets": f"[[line]]\n{SETS}" + "".join(f"[line.bets.b{i}]\n" for i in range(20_000)),
}


@pytest.mark.parametrize("what", LARGE)
def test_large_games_in_files_are_refused_at_once(what: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "large.toml"
    path.write_text(f'format = 1\nname = "large"\n{LARGE[what]}')
    assert main(["odds", str(path)]) == 2
    said = capsys.readouterr().err
    assert "and the budget is" in said
    assert said.count("\n") == 1
