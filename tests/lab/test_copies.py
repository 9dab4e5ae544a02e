"""What a page is copied as, run as it is: it says what the page says."""

import re
import subprocess
from contextlib import redirect_stdout
from html import unescape
from io import StringIO
from pathlib import Path

import pytest

from sevenout.cli import main
from sevenout.lab.address import game_subject
from sevenout.lab.site import page
from sevenout.lab.widgets.copies import literal, of_question
from sevenout.questions import compare
from sevenout.questions.subjects import pack_file

CHOICE = (
    Path(__file__).parents[2] / "src/sevenout/rules/gamefiles/starters/choice.toml"
).read_text("utf-8")
MINE = """format = 1
name = "Five on the line"

[[bet]]
on = "pass"
amount = 5

[evening]
bankroll = 60
hours = "1/2"
stop_loss = 30"""
SHOWN = {
    "/": ("244/495", "1.4141"),
    "/?game=hazard;main=5": ("1396/2835",),
    "/?game=hazard-turn": ("2.889224",),
    "/?game=field-2-2;field:2=5&bet=field": ("11.1111",),
    "/?game=2,3,12/7,11/7;pass:point=6/5": ("4.0000",),
    "/?game=3/7,8,9/3@3d6": ("364249/384384",),
    "/?game=2,3,12/7,11/7;limit=3;push=5": ("house edge, per bet made",),
    "/?game=2,3,12/7,11/7;pass:point=6/5&pin=2,3,12/7,11/7": ("1.4141", "4.0000"),
    "/?game=field-2-2;field:2=5&bet=field&pin=field-2-3": ("11.1111", "2.7778"),
    "/?game=hazard;main=5&bet=main bet&pin=hazard;main=6": ("1.5168", "2.3429"),
    "/table?game=craps&seed=3&did=pass=5|roll*1|pass=25|roll*8": ("natural", "seven out"),
    "/table?game=pig-turn&seed=1&did=roll*1|roll|roll*1|hold|roll*1": ("hold",),
    "/table?strategy=pass&bankroll=9&length=12&did=roll*12": ("time", "9"),
    f"/table?strategy=~{pack_file(MINE)}&did=roll*3&seed=2": ("6", "55"),
    f"/evening?a=~{pack_file(MINE)}&b=pass&bankroll=50&target=70": ("58.59", "29.24", "1.4141"),
    "/evening?a=pass&b=iron-cross&bets=7&bankroll=50": ("48.45", "43.8"),
    "/evening?game=hazard&bets=20&bankroll=7&target=12": ("40.78",),
    "/simulate?games=1000&seed=4": ("3,318",),
    "/simulate?game=craps-lines&bet=don't pass&games=1000": ("3,321",),
    "/simulate?game=pig-turn&games=1000": ("3,876",),
    "/best": ("492303203/60466176",),
    "/best?game=pig;goal=10": ("value",),
    f"/best?game=~{pack_file(CHOICE)}": ("a choice in 18 states",),
    "/variants?dice=d6%2Bd8": ("nearest below", "33265/66528"),
    "/variants?where=n_points > 5": ("5,10/2,8,12/5", "5669/11340", "90,970 variants"),
    "/variants?where=n_points > 5&sort=mean_rolls&down=yes": ("3961/5040", "90,970 variants"),
    "/dice?dice=4d6kh3": ("15869/1296",),
    "/dice?dice=d10!": ("55/9",),
    "/dice?dice=2d6&off=0.2": ("10.000",),
    "/dice?tab=faults&f0.1=20": ("30,356",),
    "/dice?tab=faults&share=10": ("relabelled d30", "61,950"),
    f"/dice?tab=test&taps={'012345' * 11}": ("the serial pairs",),
    "/dice?tab=test&counts=90.90.90.90.90.150": ("the shares of d6 (p = 0.0003)", "5.0e-05"),
    "/dice?tab=test&dice=d8&counts=3.5.2.8.1.4.6.7": ("36 rolls",),
    "/catalogue?q=hazard turn": ("The caster's turn at hazard",),
}
"""Of every kind of page: what it says, and what both that it is copied as say too."""
COPIED = re.compile(r'data-copy="([^"]*)"')
SAYS = """#!/bin/sh
printf '%s\\0' "$@" > asked
[ -t 0 ] || cat > typed
"""
"""In place of the command: what it is asked, and what is typed."""
SPACED = re.compile(r"\s+")


def plain(text: str) -> str:
    text = (
        re.sub(r"<[^>]*>", " ", text.replace("<wbr/>", "").replace("<wbr>", ""))
        .replace("\u2212", "-")
        .replace("\u202f", " ")
    )
    return SPACED.sub(" ", unescape(text))


def copied(url: str) -> tuple[str, list[str]]:
    """What a page says, and what it is copied as."""
    answer = page(url)
    assert answer.status == 200
    body, _, foot = answer.body.decode().partition('class="copies"')
    return plain(body), [unescape(text) for text in COPIED.findall(foot)]


@pytest.mark.parametrize("url", SHOWN)
def test_what_is_copied_says_what_the_page_says(
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    shown, (_, python, command) = copied(url)
    with redirect_stdout(StringIO()) as said:
        exec(compile(python, "copied", "exec"), {})
    (tmp_path / "sevenout").write_text(SAYS)
    (tmp_path / "sevenout").chmod(0o755)
    subprocess.run(
        ["sh", "-ec", f"PATH=.:$PATH\n{command}"],
        check=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    asked = (tmp_path / "asked").read_text().split("\0")[:-1]
    monkeypatch.setattr("sys.stdin", StringIO((tmp_path / "typed").read_text()))
    capsys.readouterr()
    status = main(asked)
    typed, wrong = capsys.readouterr()
    assert status == ("not what they should be" in typed), wrong
    for words in SHOWN[url]:
        for text in (shown, plain(said.getvalue()), plain(typed)):
            assert words in text


def test_dice_side_by_side_are_all_copied() -> None:
    shown, (_, python, command) = copied("/dice?dice=3d6&beside=d20;d4")
    assert command == "sevenout dice 3d6\nsevenout dice d20\nsevenout dice d4"
    with redirect_stdout(StringIO()) as said:
        exec(compile(python, "copied", "exec"), {})
    for mean in ("10.500000", "2.500000"):
        assert mean in shown
        assert mean in said.getvalue()


@pytest.mark.parametrize("text", ['when = "point"', 'a"""', '\\"', '"', "", 'two\nlines"\n'])
def test_any_text_is_a_literal_of_a_program(text: str) -> None:
    assert eval(literal(text)) == f"\n{text}"


def test_any_number_of_games_has_files() -> None:
    game = game_subject("2,3,12/7,11/7;pass:point=6/5")
    python, command = of_question(compare, [game] * 14, {})
    compile(python, "copied", "exec")
    assert command.endswith("game-13.toml game-14.toml")


def test_several_faults_have_no_command() -> None:
    shown, (_, python) = copied("/dice?tab=faults&f0.1=20&f1.2=-10")
    with redirect_stdout(StringIO()) as said:
        exec(compile(python, "copied", "exec"), {})
    rolls = re.search(r"([\d,]+) rolls until a test notices", said.getvalue())
    assert rolls
    assert rolls[1] in shown


def test_the_sheet_is_copied_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, (_, python, command) = copied("/sheet?game=field-2-2")
    assert command == "sevenout sheet field-2-2 --games=0 -o sheet.pdf"
    with redirect_stdout(StringIO()) as said:
        exec(compile(python, "copied", "exec"), {})
    assert "1/18" in said.getvalue()
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")
