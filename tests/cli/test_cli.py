import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

import sevenout as so
from sevenout.cli import main
from sevenout.cli.commands.starting_commands import STOPS
from sevenout.cli.playing.game_play import PIPS

TOML = """
format = 1
name = "Elevens [bold]"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
[line.bets.pass]
natural = { "7" = 1, "11" = 2 }
"""


def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A real second process."""
    return subprocess.run(
        [sys.executable, "-m", "sevenout", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": "100"},
    )


def test_odds_of_craps(capsys) -> None:
    assert main(["odds", "craps"]) == 0
    out = capsys.readouterr().out
    for figure in ("244/495", "7/495", "557/165", "1.4141 %", "exact; 7 states"):
        assert figure in out


@pytest.mark.parametrize(
    ("words", "p"),
    [
        (["hazard"], "244/495"),
        (["hazard", "--main", "5"], "1396/2835"),
        (["hazard", "--main=6"], "6961/14256"),
        (["--craps", "2,3,12", "--naturals", "7,11", "--out", "7"], "244/495"),
        (
            ["--craps", "2,8,10,12", "--naturals", "3,7", "--out", "10", "--dice", "2d6"],
            "5039/10080",
        ),
        (["fast-craps", "--bet", "brick"], "2887/104976"),
    ],
)
def test_odds_as_json(words: list[str], p: str, capsys) -> None:
    assert main(["odds", *words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert p in [bet["p_win"] for bet in data["bets"]]


def test_odds_of_a_game_file(tmp_path: Path, capsys) -> None:
    path = tmp_path / "game.toml"
    path.write_text(TOML)
    assert main(["odds", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Elevens [bold]" in out, "a name is text, never markup"
    assert "natural 11" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["odds", "crabs"], "nothing is called 'crabs'; did you mean craps"),
        (["odds"], "no game is given"),
        (["odds", "none.toml"], "none.toml: No such file"),
        (["odds", "hazard", "--main", "4"], "--main 4; the caster's main is 5, 6, 7, 8 or 9"),
        (["test", "needed", "1/2", "3/4", "--power=2"], "--power: 2; it must lie between 0 and 1"),
        (["variants", "--n-craps", "5-2"], "--n-craps (5, 2); give a size"),
        (["odds", "hazard", "--mane", "4"], "no option 'mane'; its options: main"),
        (["odds", "craps", "--bet", "field"], "no bet 'field'"),
        (["odds", "--craps", "2", "--naturals", "7", "--out", "5"], "the out 5 is a point"),
        (["odds", "--craps", "2", "--naturals", "x", "--out", "7"], "'x' is not a list of totals"),
        (["odds", "--craps", "2,,3", "--naturals", "7", "--out", "7"], "'2,,3' is not a list"),
        (["odds", "--craps", "2", "--naturals", "7"], "the rules have no out"),
        (["odds", "--craps", "2", "--naturals", "7", "--out", "7", "--dice", "2x6"], "not dice"),
        (["odds", "--crabs", "2", "--out", "7"], "no rule --crabs"),
        (["games", "zzzz"], "no game in the catalogue has 'zzzz'"),
        (["diagram", "craps", "--to", "svg"], "svg"),
        (["oddz"], "oddz"),
        (["play", "crabs"], "nothing is called 'crabs'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], says: str, capsys) -> None:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("sevenout: ")
    assert captured.err.count("\n") == 1
    assert says.lower() in captured.err.lower()


def test_games_lists_and_searches(capsys) -> None:
    assert main(["games", "hazard"]) == 0
    out = capsys.readouterr().out
    assert "--main 7" in out
    assert "fast-craps" not in out
    assert main(["games", "--json"]) == 0
    ids = {entry["id"] for entry in json.loads(capsys.readouterr().out)["games"]}
    assert ids >= set(so.games)
    assert main(["games", "pig"]) == 0
    out = capsys.readouterr().out
    assert "Games with choices" in out
    assert "--goal 100" in out
    assert main(["games", "--all"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{name} " in out for name in so.games)
    assert "None" not in out
    assert "--pays 10=80,9=20" in out


@pytest.mark.parametrize("to", ["mermaid", "graphviz", "prism"])
def test_diagrams(to: str, capsys) -> None:
    assert main(["diagram", "craps", "--to", to]) == 0
    assert "come-out" in capsys.readouterr().out


def test_a_scripted_game_by_hand() -> None:
    done = run("play", "craps", "--json", stdin="3 4\n3 5\n2 2\n4 4\n6 6\n1 3\nq\n")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "game": "Craps",
        "games": 3,
        "rolls": 5,
        "rolls per game": "1.6667",
        "longest game": 3,
        "natural": 1,
        "point": 1,
        "craps": 1,
        "net, pass": "+1",
        "unfinished": "1 roll",
    }


def test_the_same_seed_rolls_the_same_dice() -> None:
    one, other = (run("play", "hazard", "--seed", "5", stdin="\n" * 40) for _ in range(2))
    assert one.stdout == other.stdout
    assert "●" in one.stdout


def test_faces_that_are_not_on_the_dice() -> None:
    done = run("play", "craps", stdin="3 7\n")
    assert done.returncode == 2
    assert "there is no face 7 on d6" in done.stderr
    assert "give 2 faces" in run("play", "craps", stdin="1\n").stderr


@pytest.mark.parametrize("game", ["fast-craps", "hazard-turn", "fast-craps-brick"])
def test_every_kind_of_game_can_be_played(game: str) -> None:
    done = run("play", game, "--seed", "1", "--json", stdin="\n" * 200)
    assert json.loads(done.stdout)["games"] > 0


def test_a_die_is_drawn_with_its_pips() -> None:
    for face, cells in PIPS.items():
        assert cells.count("●") == face
        assert len(cells) == 9


def test_the_commands_load_no_more_than_they_need() -> None:
    """Start-up is light: heavy packages load when they are first used."""
    code = (
        "import sys, sevenout.cli; sevenout.cli.main(['odds', 'craps']);"
        "print([m for m in ('numpy', 'scipy', 'duckdb', 'matplotlib', 'llvmlite', 'typst')"
        " if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    code = "import sys, sevenout; print(len([m for m in sys.modules if 'flint' in m]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m sevenout games | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_the_tour_shows_what_its_commands_print() -> None:
    done = run("tour")
    assert done.returncode == 0, done.stderr
    shown = [line for line in done.stdout.splitlines() if line.startswith("$ sevenout ")]
    assert shown == [f"$ sevenout {command}" for command in STOPS]
    for figure in (
        *("244/495", "36.2231 %", "5/11", "12.244599", "36.000000", "8.141794"),
        *("5669/11340", "exactly as 2d6", "1,000,000,000"),
    ):
        assert figure in done.stdout
    assert done.stdout.index("sevenout odds craps") < done.stdout.index("sevenout play table")


@pytest.mark.parametrize(
    ("words", "p"),
    [(["2,3,12/7,11/7"], "244/495"), (["2,3,12/7,11/7", "--dice", "2d6"], "244/495")],
)
def test_a_variant_is_a_game(words: list[str], p: str, capsys) -> None:
    assert main(["odds", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bets"][0]["p_win"] == p
    assert main(["odds", "2,5/8,5/5"]) == 2
    assert "5 is in both craps and naturals" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["odds", "craps", "--name", "x"],
        ["odds", "craps", "--self", "x"],
        ["odds", "--dice", "2d2{H,T}", "--out", "7"],
        ["odds", "--out", "9" * 5000],
        ["odds", "--out", "7", "--dice", "d" + "9" * 5000],
        ["odds", "hazard", "--main", "9" * 5000],
    ],
)
def test_no_words_are_a_traceback(words, capsys) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_closed_streams(tmp_path) -> None:
    program = f"{sys.executable} -m sevenout"
    for words in ("play craps <&-", "odds craps >&-", "odds craps >&- 2>&- <&-"):
        done = subprocess.run(
            f"{program} {words}", shell=True, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_a_game_whose_name_starts_with_a_digit(capsys) -> None:
    assert main(["odds", "3-or-11-14-1"]) == 0
    assert "15 for 1" in capsys.readouterr().out


def test_play_a_game_that_the_dice_draw() -> None:
    game = "hazard-main-thrown"
    done = run("play", game, "--seed", "1", "--json", stdin="\n" * 60)
    assert json.loads(done.stdout)["games"] > 0


def test_the_help_fits_one_screen_and_names_every_command(capsys) -> None:
    from sevenout.cli.app import COMMAND_ORDER, app

    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    named = [line.split()[0] for line in lines if line.startswith("  ")]
    assert named == [*COMMAND_ORDER]
    assert {*named} == {name for name in app if not name.startswith("-")}
    assert len(named) == 18


def test_without_a_command_six_lines_say_what_to_type(capsys) -> None:
    assert main([]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert "Type one of these" in first
    assert len(others) == 5
    for line in others:
        words = line.split("   ")[0].split()
        if words[1] not in ("play", "--help"):
            assert main(words[1:]) == 0


def test_every_option_of_every_command_is_described() -> None:
    from sevenout.cli.app import app

    def commands(of: Any) -> Iterator[Any]:
        for name in of:
            if not name.startswith("-"):
                if of[name].default_command is not None:
                    yield of[name]
                yield from commands(of[name])

    silent = [
        (command.name[0], argument.name)
        for command in commands(app)
        for argument in command.assemble_argument_collection(parse_docstring=True)
        if not argument.parameter.help
    ]
    assert not silent


def commands_of(of: Any) -> Iterator[tuple[str, ...]]:
    """The words of every command."""
    for name in of:
        if not name.startswith("-"):
            yield (name,)
            yield from ((name, *rest) for rest in commands_of(of[name]))


def help_of(words: tuple[str, ...], capsys: Any) -> str:
    assert main([*words, "--help"]) == 0
    return capsys.readouterr().out


def test_the_help_of_every_command_ends_with_examples_that_parse(capsys, tmp_path, monkeypatch):
    from sevenout.cli.app import app

    (tmp_path / "results.csv").write_text("rolls\n")
    monkeypatch.chdir(tmp_path)
    for words in commands_of(app):
        _, head, below = re.split(r"(Examples?:\n)", help_of(words, capsys))
        examples = [shlex.split(line.strip()) for line in below.strip().splitlines()]
        assert head == ("Example:\n" if len(examples) == 1 else "Examples:\n")
        for program, *example in examples:
            assert (program, tuple(example[: len(words)])) == ("sevenout", words)
            app.parse_args(example, print_error=False, exit_on_error=False)


def test_the_help_breaks_no_line_before_the_window_ends(capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    lines = help_of(("variants",), capsys).splitlines()
    (columns,) = (line for line in lines if "--where" in line)
    assert "Columns: name, craps" in columns, "a paragraph of the source is one of the help"
    assert any(
        "Press Enter to roll" in line and "piped" in line
        for line in help_of(("play",), capsys).splitlines()
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sevenout", "odds", "craps"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr


def test_one_bet_as_data(capsys) -> None:
    assert main(["odds", "fast-craps", "--bet", "brick", "--json"]) == 0
    (bet,) = json.loads(capsys.readouterr().out)["bets"]
    assert (bet["bet"], bet["edge"]) == ("brick", "3293/52488")


def test_several_games_are_bets_on_the_same_rolls(capsys) -> None:
    assert main(["odds", "craps+place-6-8+dont-pass", "--json"]) == 0
    bets = {bet["bet"]: bet for bet in json.loads(capsys.readouterr().out)["bets"]}
    assert [bet["edge"] for bet in bets.values()] == ["7/495", "1/66", "3/220"]
    assert bets["place"]["rolls"] == "36/11", "each bet counts its own rolls"
    assert main(["odds", "craps+street-craps"]) == 0
    assert "pass, Street craps" in capsys.readouterr().out
    assert main(["odds", "craps+klondike-beat-two-aces"]) == 2
    assert "must roll the same dice" in capsys.readouterr().err


def test_the_lab_can_be_started_without_a_browser(capsys) -> None:
    assert main(["lab", "--help"]) == 0
    assert "--no-open" in capsys.readouterr().out


def test_the_words_of_the_statistics_stand_apart() -> None:
    out = run("play", "fast-craps", "--seed", "1", stdin="\n" * 60).stdout
    assert re.search(r"^out of rolls · craps  +\d+$", out, re.MULTILINE)
    assert "push · push" not in out, "what both bets say is said once"
    assert re.search(r"^push  +\d+$", out, re.MULTILINE)


def test_a_total_is_a_roll_where_the_game_looks_at_no_more() -> None:
    by_total = run("play", "craps", "--json", stdin="7\n8\n4\n8\n12\n")
    by_faces = run("play", "craps", "--json", stdin="3 4\n3 5\n2 2\n4 4\n6 6\n")
    assert by_total.returncode == 0, by_total.stderr
    assert by_total.stdout == by_faces.stdout
    assert "give 2 faces" in run("play", "fast-craps", stdin="8\n").stderr, "hard or easy?"
    assert "give 2 faces" in run("play", "craps", stdin="13\n").stderr


def test_one_bet_of_several_is_shown() -> None:
    out = run("play", "fast-craps", "--bet", "brick", "--seed", "1", stdin="\n" * 20).stdout
    assert "net, brick" in out
    assert "pass" not in out.replace(out.splitlines()[0], "")
    refused = run("play", "fast-craps", "--bet", "field")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "sevenout: no bet 'field'; the bets are: pass, brick\n"


@pytest.mark.skipif(which("bash") is None, reason="bash isn't there")
def test_bash_completes_commands(tmp_path: Path, capsys) -> None:
    assert main(["--completion", "bash"]) == 0
    script = tmp_path / "sevenout"
    script.write_text(capsys.readouterr().out)
    asked = (
        f"source {script}; COMP_WORDS=(sevenout od); COMP_CWORD=1; _sevenout; "
        "echo ${COMPREPLY[@]}; COMP_WORDS=(sevenout odds --js); COMP_CWORD=2; _sevenout; "
        "echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["odds", "--json"]


@pytest.mark.skipif(which("bash") is None, reason="bash isn't there")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        (["odds", "craps-l"], ["craps-lines"]),
        (["simulate", "hazard-t"], ["hazard-turn"]),
        (["compare", "craps", "hazard-t"], ["hazard-turn"]),
        (["evening", "three-point-m"], ["three-point-molly"]),
        (["odds", "mygame."], ["mygame.toml"]),
        (["odds", "craps", "--longer", "cr"], []),
        (["dice", "cr"], []),
        (["best", "craps", "--c"], ["--closest"]),
    ],
)
def test_bash_completes_games_strategies_and_files(typed, completed, tmp_path, capsys) -> None:
    assert main(["--completion", "bash"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    (tmp_path / "mygame.toml").touch()
    words = " ".join(["sevenout", *typed])
    asked = (
        f"source ./script; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _sevenout_named; "
        "echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(
        ["bash", "-c", asked], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.split() == completed


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
@pytest.mark.parametrize("ends", ["2>/dev/full", ">/dev/full 2>/dev/full", "2>&-"])
@pytest.mark.parametrize("words", ["odds nonsense", "simulate craps --games -1"])
def test_an_error_that_nobody_can_read_has_its_exit_code(words, ends):
    command = f"{sys.executable} -m sevenout {words} {ends}"
    assert subprocess.run(command, shell=True, check=False, timeout=60).returncode == 2
