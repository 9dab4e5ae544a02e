"""Every option of a command is read in every mode, or refused by its name."""

from pathlib import Path

import pytest

from sevenout.cli import main

RACE = """\
format = 1
name = "Race"
dice = "d4"

[race]
to = 8
"""


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("certify chutes-and-ladders --policy nonsense", "--policy"),
        ("certify RACE --policy nonsense", "--policy"),
        ("certify RACE --against nonsense", "--against"),
        ("certify craps --policy best", "--policy"),
        ("certify craps --against best", "--against"),
        ("certify craps --method exact", "--method"),
        ("certify craps --terms 5", "--terms"),
        ("certify pig --digits 0", "takes no claims"),
        ("certify --checker craps", "no game"),
        ("certify --checker --bet pass", "--bet"),
        ("certify --checker --list", "--list"),
        ("certify --list --main 5", "--main"),
        ("certify --check x --policy best", "--policy"),
        ("certify --check x craps --policy best", "--policy"),
        ("certify --check x craps --terms 5", "--terms"),
        ("certify --check x pig --goal fewest", "--goal"),
        ("certify --check x --evening pass --rolls 2 craps", "no game"),
        ("certify --check x --evening pass --rolls 2 --against best", "--against"),
        ("certify --evening pass --rolls 2 --method exact", "--method"),
        ("certify --evening pass --rolls 2 --terms 5", "--terms"),
        ("diagram craps --against best", "--against"),
        ("diagram craps --to prism --against best", "--against"),
        ("diagram pig-turn --to prism --against best", "has choices"),
        ("diagram craps --to prism --json", "--to"),
        ("diagram craps --to mermaid --matrix latex", "--to"),
        ("diagram craps --matrix numpy --json", "numpy"),
        ("odds craps --against best", "--against"),
        ("evening pass --bankroll 20 --rolls 6 --seed 7", "--seed"),
        ("evening craps --bankroll 20 --bets 6 --seed 7", "--seed"),
        ("evening pass --list", "--list"),
        ("evening pass --best pass=1..3 --rolls 2", "--best"),
        ("simulate hazard --main 7 --rounds 1000", "--main"),
        ("simulate yahtzee --policy greedy --games 10 --threads 2", "--threads"),
        ("simulate yahtzee --policy greedy --games 10 --save x", "--save"),
        ("simulate yahtzee --policy greedy --games 10 --backend numpy", "--backend"),
        ("simulate craps --log LOG --policy nonsense", "--policy"),
        ("best pig-turn --picture costs", "--picture"),
        ("dice 2d6 --seed 5", "--seed"),
        ("dice faults 2d6 --sides 5", "--sides"),
        ("dice relabel 2d4 --ranked --pair 1 --show 3", "--show"),
        ("variants --dice 2d4 --top 5", "--top"),
        ("variants --dice 2d4 --count 1/2 --top 5", "--top"),
        ("variants --dice 2d4 -o x.csv --top 5", "--top"),
        ("variants --dice 2d4 -o x.csv --target 1/3", "--target"),
        ("play table --against best", "--against"),
        ("play table --resume x --bankroll 500", "--bankroll"),
        ("play table --resume x --seed 7", "--seed"),
        ("lab --url https://example.org", "--url"),
        ("lab --build x --port 9000", "--port"),
        ("lab --build x --no-open", "--no-open"),
        ("play craps --strategy pass --coach", "--coach"),
        ("play pig-turn --against hold-20", "--against"),
        ("play yahtzee --against greedy", "--against"),
        ("sheet --census 2d4 -o x.json --title T", "--title"),
        ("sheet --census 2d4 -o x.json --bet pass", "--bet"),
        ("sheet craps -o x.json --picture rolls", "--picture"),
        ("sheet craps --plot x.svg --title T", "--title"),
        ("sheet craps --plot x.svg --bankroll 5", "--bankroll"),
        ("sheet craps --plot x.svg --picture rolls --bet pass", "--bet"),
        ("sheet craps --plot x.svg --bet pass --bet pass", "one bet"),
        ("sheet fast-craps -o x.json --plot x.svg --bet pass --bet brick", "one bet"),
        ("sheet craps -o x.pdf --plot ./x.pdf", "name another file"),
        ("sheet yahtzee --plot x.svg", "a game of turns does not read --plot"),
        ("sheet yahtzee -o x.json --bankroll 5", "--bankroll"),
        ("dossier --check x --title T", "--title"),
        ("dossier --check x -o y", "--output"),
        ("dossier yahtzee -o x --confidence 95%", "--confidence"),
    ],
)
def test_an_option_that_is_not_read_is_refused(
    line: str,
    option: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("race.toml").write_text(RACE)
    Path("log.csv").write_text("3,4\n")
    line = line.replace("RACE", "race.toml").replace("LOG", "log.csv")
    assert main(line.split()) == 2
    error = capsys.readouterr().err
    assert option in error
    assert error.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"race.toml", "log.csv"}


def test_the_options_that_are_read_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in [
        "certify chutes-and-ladders -o race.gz",
        "certify craps --distribution rolls --terms 3 -o craps.json",
        "certify --check craps.json craps",
        "diagram craps --matrix fractions --json",
        "variants --dice 2d4 --canonical --top 5",
        "variants --dice 2d4 --by n_craps --top 5 -o groups.csv",
        "simulate hazard --rounds 1000",
        "sheet --census 2d4 --date 2026-11-20 -o census.json",
    ]:
        assert main(line.split()) == 0, line
    assert "Craps" in capsys.readouterr().out
