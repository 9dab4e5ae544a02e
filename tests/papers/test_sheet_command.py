"""`sevenout sheet`: files written whole, and nothing lost."""

import json
from xml.etree import ElementTree

import cyclopts
import pytest

import sevenout as so
from sevenout.cli.commands.paper_commands import sheet
from sevenout.errors import SevenoutError
from sevenout.evenings import session

APP = cyclopts.App()
APP.command(sheet, name="sheet")


def run(*words: object) -> None:
    APP(["sheet", *map(str, words)], exit_on_error=False, result_action="return_value")


GAME = """
format = 1
name = "Elevens #panic[boom] <b>"
rules = "Roll $ twice $."
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
[line.bets."pass & co"]
natural = { "7" = 1, "11" = 2 }
"""


def test_every_format_has_the_same_content(tmp_path, capsys):
    paths = [tmp_path / f"craps.{suffix}" for suffix in ("pdf", "html", "json")]
    outputs = [word for path in paths for word in ("-o", path)]
    run("craps", *outputs, "--date", "2026-11-20", "--games", "2e3", "--json")
    pdf, html, data = (path.read_bytes() for path in paths)
    assert pdf.startswith(b"%PDF")
    assert b"2,000 games" in html
    assert json.loads(data) == json.loads(capsys.readouterr().out)
    assert json.loads(data)["date"] == "2026-11-20"


def test_a_file_of_the_user(tmp_path):
    game, out = tmp_path / "elevens.toml", tmp_path / "elevens.html"
    game.write_text(GAME)
    run(game, "-o", out, "-o", tmp_path / "elevens.pdf", "--games", 0)
    page = ElementTree.fromstring(out.read_text().split("\n", 1)[1])
    assert page.find("head/title").text == "Elevens #panic[boom] <b>"
    assert "Roll $ twice $." in "".join(page.itertext())


def test_a_census(tmp_path):
    run("--census", "2d4", "-o", tmp_path / "census.json")
    data = json.loads((tmp_path / "census.json").read_text())
    (figures,) = (s for s in data["blocks"] if s["title"] == "The family in figures")
    rows = {row[0]: row[2] for row in figures["blocks"][0]["rows"]}
    from sevenout.variants import Family, fairest

    assert rows["variants"] == Family("2d4").size
    assert rows["fairest below 1/2"] == str(fairest(Family("2d4")).p_win)
    with pytest.raises(SevenoutError, match="--census takes no game"):
        run("craps", "--census", "2d4", "-o", tmp_path / "x.json")


def test_only_one_bet_and_a_variant(tmp_path):
    run("fast-craps", "--bet", "brick", "-o", tmp_path / "brick.json", "--games", 0)
    titles = [s["title"] for s in json.loads((tmp_path / "brick.json").read_text())["blocks"]]
    assert "Return table" in titles
    assert "Simulation" not in titles
    run("--craps", "2,3", "--naturals", "7,11", "--out", "7", "-o", tmp_path / "v.json")
    page = json.loads((tmp_path / "v.json").read_text())
    assert "naturals 7 11" in page["title"]
    (run_,) = (s for s in page["blocks"] if s["title"] == "Simulation")
    assert run_["blocks"][0]["text"].startswith("1,000,000 games")


@pytest.mark.parametrize("picture", ["pays", "rolls", "returns", "bias", "sensitivity", "bankroll"])
def test_a_picture(picture, tmp_path):
    path = tmp_path / "picture.svg"
    run("fast-craps", "--plot", path, "--picture", picture)
    assert ElementTree.fromstring(path.read_bytes()).tag.endswith("svg")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["craps"], "no file to write to"),
        (["craps", "-o", "{}.doc"], "a page can be .pdf, .html or .json"),
        (["craps", "-o", "{}.json", "--bet", "pas", "--games", "0"], "no bet 'pas'"),
        (["craps", "-o", "{}.json", "--games", "many"], "'many' is not a count"),
        (
            ["craps", "-o", "{}.json", "--plot", "{}.gif", "--games", "0"],
            "a picture can be .svg, .pdf or .png",
        ),
        (["no-such-game", "-o", "{}.json"], "nothing is called 'no-such-game'"),
        (["craps", "-o", "{}/missing/x.json", "--games", "0"], "can't write"),
    ],
)
def test_an_error_leaves_the_old_file_alone(words, message, tmp_path):
    old = tmp_path / "old.json"
    old.write_text("old")
    with pytest.raises((SevenoutError, cyclopts.CycloptsError), match=message):
        run(*(word.replace("{}", str(tmp_path / "old")) for word in words))
    assert old.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]


MINE = """
format = 1
name = "Mine"
maker = "Ma & Pa"
author = "A. Nobody"
[[wager]]
bet = "hop"
pays = { "7" = 4 }
minimum = 5
maximum = 500
top_award = "25,000"
"""


def test_a_game_file_says_who_made_it_and_what_may_be_bet(tmp_path):
    path, out = tmp_path / "mine.toml", tmp_path / "mine.json"
    path.write_text(MINE, encoding="utf-8")
    run(path, "-o", out, "--games", "0")
    facts = json.loads(out.read_text(encoding="utf-8"))["facts"]
    assert (facts["maker"], facts["author"]) == ("Ma & Pa", "A. Nobody")
    assert facts["bet limits"] == "hop from 5 to 500 units, top award 25,000 units"
    run(path, "-o", out, "--games", "0", "--maker", "Other")
    assert json.loads(out.read_text(encoding="utf-8"))["facts"]["maker"] == "Other"


def test_the_session_is_what_was_asked_for(tmp_path):
    path = tmp_path / "craps.html"
    run("craps", "-o", path, "--games", "0", "--bankroll", "50", "--amount", "5", "--bets", "59")
    text = path.read_text()
    assert "A session of 59 bets of 5 units with a bankroll of 50 units" in text
    made = session(so.solve(so.games["craps"]).bet(), 50, amount=5, bets=59)
    assert f"{float(made.ruin) * 100:.3f}" in text
