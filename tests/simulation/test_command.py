"""The command."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sevenout.cli import main
from sevenout.cli.asking import command_of
from sevenout.errors import NotationError, SevenoutError
from sevenout.numerals import parse_count, parse_seed
from sevenout.papers import sheet
from sevenout.questions import question
from sevenout.simulation import simulate
from tests.simulation.games import CRAPS

command = command_of(question("simulate"))
RULES = {"naturals": "7,11", "craps": "2,3,12", "out": "7"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1", 1),
        ("10_000", 10_000),
        ("1e9", 10**9),
        ("1E+3", 1000),
        ("2.5e6", 2_500_000),
        ("1.0", 1),
        (" 7 ", 7),
        ("10^6", 10**6),
        ("1,000,000", 10**6),
        ("10 000", 10**4),
        ("1.5e3", 1500),
        ("1e23", 10**23),
    ],
)
def test_counts(text: str, count: int) -> None:
    assert parse_count(text) == count


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-3",
        "many",
        "1.5",
        "",
        "1e",
        "e9",
        "1__0",
        "1e-3",
        "0.1e0",
        "1e999",
        "1,00",
        "1,0000",
        "10^-6",
        "10^999",
        "½",
        "٣",
        "9" * 5000,
    ],
)
def test_what_is_no_count(text: str) -> None:
    with pytest.raises(NotationError, match="not a count; write a whole number, 1 or more") as no:
        parse_count(text)
    assert "\n" not in str(no.value)


def test_no_example_of_a_count_is_too_many() -> None:
    with pytest.raises(NotationError, match=r"from 1 to 20,000, such as 10_000$"):
        parse_count("1e9", maximum=20_000)
    with pytest.raises(NotationError, match=r"from 1 to 99$"):
        parse_count("100", maximum=99)


@pytest.mark.parametrize(
    ("text", "seed"),
    [("0", 0), ("7", 7), ("1_000", 1000), ("1e3", 1000), ("18446744073709551615", 2**64 - 1)],
)
def test_seeds(text: str, seed: int) -> None:
    assert parse_seed(text) == seed


@pytest.mark.parametrize("text", ["1.5", "-1", "2^64", "18446744073709551616", "one", "", "9" * 99])
def test_what_is_no_seed(text: str) -> None:
    with pytest.raises(NotationError, match="is not a seed; write a whole number from 0 to 1844"):
        parse_seed(text)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["simulate", "craps", "--seed", "1.5"], "'1.5' is not a seed"),
        (["simulate", "craps", "--seed", "-1"], "'-1' is not a seed"),
        (["sheet", "craps", "--json", "--seed", "-1"], "'-1' is not a seed"),
        (["play", "craps", "--seed", "-1"], "'-1' is not a seed"),
        (["dice", "faults", "2d6", "--seed", "0.5"], "'0.5' is not a seed"),
        (["simulate", "craps", "--threads", "1.5"], "'1.5' is not a count"),
        (["simulate", "craps", "--games", "1e30"], "'1e30' is too many; write a whole number fro"),
        (["sheet", "craps", "--json", "--games", "1e30"], "'1e30' is too many; write a whole numb"),
        (
            ["simulate", "hazard", "--games", "10", "--rounds", "20"],
            "--games 10; it does not go with --rounds",
        ),
    ],
)
def test_numbers_are_refused_as_they_were_typed(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err
    assert captured.err.count("\n") == 1


def test_a_sheet_names_the_games_and_the_seed_that_it_was_given() -> None:
    with pytest.raises(SevenoutError, match="games=1000000000000000000000000000000;"):
        sheet(CRAPS, simulate=10**30)
    with pytest.raises(SevenoutError, match="seed=-1;"):
        sheet(CRAPS, seed=-1)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(games="2e4", seed=3, json=True, **RULES) == 0
    page = json.loads(capsys.readouterr().out)
    tally = simulate(CRAPS, 20_000, seed=3)
    assert page["tally"] == tally.to_dict()
    assert page["statistics"][0] == {"name": "games", "seen": 20_000, "exact": None, "z": None}


def test_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(games="1e4", threads=2, **RULES) == 0
    out = capsys.readouterr().out
    assert "10,000" in out
    assert "0.4929293" in out


def test_ctrl_c_at_the_exact_values_does_not_lose_what_was_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["sevenout.solving"], "solve", press)
    assert command(games="1e4", json=True, **RULES) == 0
    page = json.loads(capsys.readouterr().out)
    assert page["tally"]["games"] == 10_000
    assert all(line["exact"] is None for line in page["statistics"])


def test_hazard_by_main(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("hazard", rounds="1e5", json=True) == 0
    mains = json.loads(capsys.readouterr().out)["mains"]
    assert {main: line["exact"] for main, line in mains.items()} == {
        "5": "1396/2835",
        "6": "6961/14256",
        "7": "244/495",
        "8": "6961/14256",
        "9": "1396/2835",
    }
    assert all(line["rounds"] == 100_000 and abs(line["z"]) < 4.9 for line in mains.values())
    assert mains["6"]["wins"] != mains["8"]["wins"]
    assert command("hazard", rounds="1e4") == 0
    assert "Hazard: how often the caster wins" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": "many"}, "'many' is not a count"),
        ({"threads": 0}, "--threads '0' is not a count"),
        ({"threads": 2, "cluster": "tcp://127.0.0.1:9"}, "--threads 2 does not go with --cluster"),
        ({"seed": -1}, "is not a seed"),
        ({"backend": "abacus"}, "no backend 'abacus'"),
        ({"bet": "brick"}, "no bet 'brick'; the bets are: pass"),
        ({"resume": True}, "nothing to resume from"),
    ],
)
def test_bad_input(options: dict[str, object], message: str) -> None:
    with pytest.raises(SevenoutError, match=message):
        command(**(RULES | options))  # type: ignore[arg-type]


def test_save_and_resume(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "run.json")
    assert command(games="1e5", save=path, json=True, **RULES) == 0
    first = capsys.readouterr().out
    assert command(games="1e5", save=path, resume=True, json=True, **RULES) == 0
    assert capsys.readouterr().out == first


def test_a_log_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rolls.csv"
    path.write_text("3,4\n2,2\n3,3\n1,3\n6,6\n5,5\n")
    assert command(log=str(path), json=True, **RULES) == 0
    page = json.loads(capsys.readouterr().out)
    assert page["tally"]["labels"] == {"natural": 1, "craps": 1, "point": 1, "seven out": 0}
    path.write_text("5,5\n")
    with pytest.raises(NotationError, match="has no finished game"):
        command(log=str(path), **RULES)


@pytest.mark.skipif(os.name != "posix", reason="SIGINT")
def test_ctrl_c_shows_whole_games_and_exits_with_130(tmp_path: Path) -> None:
    save = tmp_path / "run.json"
    code = (
        "import sys; from sevenout.cli.asking import command_of;"
        "from sevenout.questions import question; simulate = command_of(question('simulate'));"
        f"sys.exit(simulate(games='1e14', json=True, save=sys.argv[1], **{RULES!r}))"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(save)], stdout=subprocess.PIPE)
    end = time.monotonic() + 60
    while time.monotonic() < end:  # until there is something to show
        if save.exists() and json.loads(save.read_text())["tally"]["games"]:
            break
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert child.returncode == 130
    tally = json.loads(out)["tally"]
    assert 0 < tally["games"] == sum(tally["labels"].values()) < 10**14
    assert json.loads(save.read_text())["tally"] == tally
