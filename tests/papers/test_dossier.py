"""The dossier: every paper, the same bytes in every process, and nothing foreign overwritten."""

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

import pytest

from sevenout.catalogue import games
from sevenout.certify.check import main as check
from sevenout.cli import main
from sevenout.errors import FileError, TooMuchWorkError
from sevenout.files import folder
from sevenout.papers.dossier import Matter, dossier
from sevenout.papers.dossier.felt_layout import areas, layout
from sevenout.papers.dossier.folder import index, may_go
from sevenout.papers.dossier.rackcard import content, rack_card
from sevenout.papers.dossier.rules_paper import rulebook, worked
from sevenout.papers.dossier.watching import limits_csv, monitoring
from sevenout.papers.sheet import subject_of
from sevenout.rules.gamefiles.gamefile import parse_game, read_game
from sevenout.verify import conform
from sevenout.verify.monitoring import Monitor

SMALL = """
format = 1
name = "Small stakes"
dice = "2d6"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
[line.bets.pass]
natural = "1/100"
point = "1/100"
craps = "-1/50"
out = "-1/50"
"""
FELT = """
format = 1
name = "Felt"
dice = "2d6"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
limit = 3
[line.bets.pass]
point = { "4,10" = [5, 4, 3], "5,9" = 2, "6,8" = 1 }
minimum = 5
maximum = 500
[line.bets."don't pass"]
natural = -1
craps = { "2,3" = 1, 12 = 0 }
point = -1
out = 1
late = 0
[[wager]]
bet = "field"
limit = 1
pays = { "2,12" = 2, "3,4" = 1 }
rest = "-50%"
names = { "2,12" = "both twelves" }
[[checklist]]
bet = "small"
collect = { 2 = 1, 3 = 2 }
stop = 7
pays = { 2 = 30, 1 = 2 }
"""
QUICK = ("--games", "2e3", "--date", "2026-11-20", "--volume", "100", "--rounds", "20")


def matter(name, **more):
    if name in games.without_choices:
        entry = games.entry(name)
        return Matter(subject_of(entry.game(), goal=entry.goal), entry.title, name, **more)
    return Matter(subject_of(games.entry(name)), games.entry(name).title, name, **more)


def make(place, *words):
    """A dossier, as files."""
    assert main(["dossier", *map(str, words), "-o", str(place), *QUICK]) == 0
    return {file.name: file.read_bytes() for file in place.iterdir()}


def elsewhere(place, *words, seed):
    """A dossier, made by a process of its own."""
    code = "import sys; from sevenout.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "dossier", *map(str, words), "-o", str(place), *QUICK]
    subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": seed}, check=True)
    return {file.name: file.read_bytes() for file in place.iterdir()}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    place = tmp_path_factory.mktemp("made") / "craps"
    return place, make(place, "craps")


def test_two_processes_make_the_same_bytes(made, tmp_path):
    _, files = made
    assert elsewhere(tmp_path / "again", "craps", seed="12345") == files
    assert len(files) == 24


def test_every_file_has_its_hash(made):
    _, files = made
    lines = files["SHA256SUMS"].decode().splitlines()
    assert {line.partition("  ")[2] for line in lines} == {*files} - {"SHA256SUMS"}
    for line in lines:
        digest, _, name = line.partition("  ")
        assert sha256(files[name]).hexdigest() == digest
    listed = json.loads(files["index.json"])["files"]
    assert all(sha256(files[name]).hexdigest() == each["sha256"] for name, each in listed.items())
    assert all(each["sha256"].encode() in files["index.html"] for each in listed.values())


def test_what_is_in_it_can_be_checked(made, capsys):
    place, _ = made
    assert check([str(place / "certificate.jsonl")]) == 0
    assert "Proved" in capsys.readouterr().out
    assert conform(games["craps"], place / "vectors.csv").agrees
    with (place / "monitoring.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["limits"] for row in rows} == {"95%", "99%", "99.9%", "day", "running"}
    assert all(float(row["low"]) < 1 - 7 / 495 < float(row["high"]) for row in rows)
    again = [sys.executable, str(place / "check.py"), str(place / "certificate.jsonl")]
    assert subprocess.run(again, capture_output=True, check=True).stdout.startswith(b"Proved")


def test_a_folder_that_is_no_dossier_is_left_alone(made, tmp_path, capsys):
    place, files = made
    assert make(place, "craps") == files  # an older dossier is replaced
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    words = ["dossier", "craps", "-o", str(tmp_path / "mine"), *QUICK]
    assert main(words) == 2
    assert "other files are in it" in capsys.readouterr().err
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"
    foreign = place / "notes.txt"
    foreign.write_text("mine")
    assert main(["dossier", "craps", "-o", str(place), *QUICK]) == 2
    foreign.unlink()
    assert {file.name: file.read_bytes() for file in place.iterdir()} == files


def test_the_dossier_of_another_game_is_left_alone(made, capsys):
    place, files = made
    assert main(["dossier", "place-6-8", "-o", str(place), *QUICK]) == 2
    assert "it holds the dossier of another game, Craps; name another folder" in " ".join(
        capsys.readouterr().err.split()
    )
    assert {file.name: file.read_bytes() for file in place.iterdir()} == files
    renamed = matter("craps")
    assert may_go(place, replace(renamed, title="Seven or eleven"))
    assert may_go(place, replace(matter("place-6-8"), title=renamed.title))


def test_after_an_error_nothing_has_changed(tmp_path):
    (tmp_path / "old").mkdir()
    with pytest.raises(ZeroDivisionError), folder(tmp_path / "old") as new:
        (new / "file").write_text("half" * (1 // 0))
    assert list(tmp_path.iterdir()) == [tmp_path / "old"]
    with pytest.raises(FileError, match="there is no folder"), folder(tmp_path / "a" / "b"):
        pass
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="not a folder"), folder(tmp_path / "file"):
        pass


@pytest.mark.parametrize("name", ["craps", "fast-craps", "hazard", "place-up"])
def test_every_row_of_every_pay_table_is_worked(name):
    about = matter(name)
    (page,) = worked(about)
    tables = [block for block in page.blocks if hasattr(block, "rows")]
    assert len(tables) == len(about.subject.names)
    for bet, table in zip(about.subject.bets, tables, strict=True):
        rows = {(row.event, row.pays) for row in bet.table if row.probability}
        assert {(event, pays) for _, _, event, pays in table.rows} >= rows
        assert all(rolls for _, rolls, *_ in table.rows)


def test_worked_rounds_read_as_they_are_played():
    (page,) = worked(matter("craps"))
    rows = {event: (pays, rolls) for _, rolls, event, pays in page.blocks[1].rows}
    assert rows["point"] == (Fraction(1), "1+3 = 4 → point 4; 1+3 = 4")
    assert rows["seven out"] == (Fraction(-1), "1+3 = 4 → point 4; 1+6 = 7")


@pytest.mark.parametrize("name", ["craps", "fast-craps", "bonus-craps-all-175-1", "place-up"])
def test_the_rack_card_is_one_page(name):
    about = matter(name)
    assert rack_card(about).startswith(b"%PDF")
    assert rack_card(about, "svg").startswith(b"<svg")  # which is refused where it is two
    said = content(about)
    paid = {pays for bet in said["bets"] for _, pays in bet["rows"]}
    assert paid
    assert all(pays == "stake back" or " to " in pays for pays in paid)


def test_a_game_with_choices_has_a_strategy(tmp_path):
    about = matter("place-up", games=1_000, volume=100, rounds=20)
    place = dossier(about, tmp_path / "up")
    names = {file.name for file in place.iterdir()}
    assert {"strategy.pdf", "strategy.html"} <= names
    assert b"Strategy card" in (place / "strategy.html").read_bytes()
    assert conform(about.game, place / "vectors.csv").agrees


GAME = """
format = 1
name = "Elevens & more <b>"
rules = "Roll twice."
procedure = "The dealer calls the roll."
layout = "A box marked PASS."
maker = "House of Dice"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
"""


def test_a_game_file_travels_in_its_dossier(tmp_path):
    (tmp_path / "game.toml").write_text(GAME)
    files = make(tmp_path / "made", tmp_path / "game.toml")
    assert files["game.toml"].decode() == GAME
    rules = files["rules.html"].decode()
    assert "The dealer calls the roll." in rules
    assert "A box marked PASS." in rules
    assert "House of Dice" in rules
    assert b"No game file states these" in files["index.html"]
    assert str(tmp_path) not in "".join(files[n].decode() for n in files if n.endswith("html"))


def test_a_layout_says_what_every_bet_wins_and_where(tmp_path):
    source = tmp_path / "mine.toml"
    source.write_text(FELT)
    file = read_game(source)
    matter = Matter(subject_of(file.game), file.name, file=file)
    assert {bet["note"] for bet in content(matter)["bets"]} == {"from 5 to 500 units", ""}
    drawn = areas(matter)
    assert [(box["head"], box["rows"]) for box in drawn["points"][::3]] == [
        ("4", [["pass", "5 · 4 · 3 to 1"]]),
        ("8", [["pass", "1 to 1"]]),
    ]
    assert [(bar["name"], bar["rows"], bar["note"]) for bar in drawn["bars"]] == [
        (
            "pass",
            [["point", "as above, roll by roll"], ["7 · 11", "1 to 1"]],
            "from 5 to 500 units",
        ),
        (
            "don't pass",
            [["2 · 3 · 7 after a point", "1 to 1"], ["12 · out of rolls", "stake back"]],
            "",
        ),
    ]
    assert [(area["boxes"], area["rows"]) for area in drawn["areas"]] == [
        (
            [],
            [["both twelves (2 · 12)", "2 to 1"], ["3 · 4", "1 to 1"], ["any other", "loses 1/2"]],
        ),
        (["2", "3", "3"], [["all before 7", "30 to 1"], ["1 of 2", "2 to 1"]]),
    ]


def test_a_maker_may_bring_a_picture_of_the_layout(tmp_path, capsys):
    picture = (
        b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><circle r="9"/></svg>'
    )
    (tmp_path / "felt.svg").write_bytes(picture)
    source = tmp_path / "mine.toml"
    source.write_text(GAME.replace("A box marked PASS.", "felt.svg"))
    files = make(tmp_path / "made", source)
    assert files["felt.svg"] == picture
    assert files["layout.pdf"].startswith(b"%PDF")
    assert "felt.svg" in files["SHA256SUMS"].decode()
    again = make(tmp_path / "again", tmp_path / "made" / "game.toml")
    assert again["layout.pdf"] == files["layout.pdf"]
    (tmp_path / "felt.svg").write_bytes(b"no picture")
    assert main(["dossier", str(source), "-o", str(tmp_path / "bad"), *QUICK]) == 2
    assert "felt.svg: it is not an SVG" in capsys.readouterr().err
    source.write_text(GAME.replace("A box marked PASS.", "../felt.svg"))
    assert main(["dossier", str(source), "-o", str(tmp_path / "bad"), *QUICK]) == 2
    assert "name a picture beside this file" in capsys.readouterr().err


def test_a_dossier_on_american_paper(tmp_path):
    about = matter("craps", paper="letter")
    assert b'width="396pt" height="612pt"' in rack_card(about, "svg")
    assert b'width="792pt" height="612pt"' in layout(about, "svg")


def test_the_commands_in_a_folder_name_the_file_that_is_in_it(tmp_path, capsys):
    source = tmp_path / "a game; of mine.toml"
    assert main(["new", "choice", "-o", str(source)]) == 0
    files = make(tmp_path / "made", source)
    again = json.loads(files["simulation.json"])["command"]
    assert again == "sevenout simulate game.toml --games 2000 --seed 1 --policy best"
    assert again.encode() in files["simulation.html"]
    assert b"sevenout conform game.toml results.csv" in files["index.html"]


def test_a_bet_that_can_hardly_lose_is_monitored(tmp_path):
    """Where the true return cannot be lower by 5 %, nothing is said of that."""
    source = tmp_path / "small.toml"
    source.write_text(SMALL)
    files = make(tmp_path / "made", source)
    assert b"Faults that the rule detects" in files["monitoring.html"]
    assert "5.0 %" not in files["monitoring.html"].decode().replace("\N{NO-BREAK SPACE}", " ")


def test_the_limits_of_many_bets_keep_no_laws():
    """Those of one bet take some 70 MB; what they gave is kept."""
    about = matter("fast-craps", volume=100)
    told = limits_csv(about)
    for each in about.monitors.values():
        assert not any("pmf" in vars(total) for total in each._totals.values())
    assert limits_csv(about) == told


def test_the_bets_of_a_game_share_its_false_alarms():
    """Both rules of both bets together raise an alarm for a correct game with 1 %."""
    found = matter("fast-craps", volume=100)
    assert [m.alpha for m in found.monitors.values()] == [0.0025, 0.0025]
    said = " ".join(str(monitoring(found).blocks[0]).split())
    assert "0.25 % for each of the 2 bets" in said


def test_a_rack_card_has_every_pay_of_any_play(tmp_path):
    source = tmp_path / "mine.toml"
    assert main(["new", "choice", "-o", str(source)]) == 0
    (bet,) = content(Matter(subject_of(read_game(source).game), "Mine"))["bets"]
    assert [row for row in bet["rows"] if row[0].startswith("given up")] == [
        ["given up on 4 or 10, roll 1", "loses 1/4"],
        ["given up on 6 or 8", "loses 2/5"],
        ["given up on 5 or 9", "loses 1/2"],
        ["given up on 4 or 10, roll 2", "loses 1/2"],
        ["given up on 4 or 10, roll 3", "loses 3/4"],
    ]
    assert ["point 5 or 9, roll 3", "1 to 1"] in bet["rows"]  # though best play gives up before
    assert bet["rest"] == "all else loses"


def test_what_has_no_room_is_said_to_be_elsewhere(tmp_path):
    paid = "limit = 1\npays = { 12 = 30 }"
    bets = (f'[[wager]]\nbet = "number {k}"\n{paid}' for k in range(40))
    source = tmp_path / "forty.toml"
    source.write_text("\n".join(["format = 1", 'name = "Forty"', *bets]))
    about = Matter(subject_of(read_game(source).game), "Forty")
    assert content(about)["rules"][-1] == "The rules of play say the rest."
    assert b"House edge of 28 more" in index(about, [], {}).html()
    assert content(matter("craps"))["rules"][-1] != "The rules of play say the rest."


TWO_LINES = """
format = 1
name = "Two lines"
procedure = \"\"\"
The dealer does this:
1. Calls "new shooter" and
   moves the puck.
2. Pays the winners.

Then the next round.
\"\"\"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
[line.bets.pass]
[[line]]
naturals = [11]
craps = [2, 3, 12]
pushes = [7]
out = 7
limit = 2
[line.bets.quick]
point = { "4,10" = [5, 4], "5,9" = 3, "6,8" = 1 }
"""


@pytest.fixture
def two_lines():
    file = parse_game(TWO_LINES)
    return Matter(subject_of(file), file.name, file=file)


def test_the_felt_refers_to_no_pay_that_is_not_on_it(two_lines):
    """The boxes are those of the first line; the second says its pays by point itself."""
    drawn = areas(two_lines)
    assert all(box["rows"] == [] for box in drawn["points"])
    quick = next(bar for bar in drawn["bars"] if bar["name"] == "quick")
    assert quick["rows"][:3] == [
        ["point 4 · 10", "5 · 4 to 1"],
        ["point 5 · 9", "3 to 1"],
        ["point 6 · 8", "1 to 1"],
    ]
    assert "as above" not in str(drawn)


def test_a_numbered_procedure_keeps_its_numbers(two_lines):
    procedure = next(s for s in rulebook(two_lines).sections if s.title == "Dealing procedure")
    assert [text.text for text in procedure.blocks] == [
        "The dealer does this:",
        '1. Calls "new shooter" and moves the puck.',
        "2. Pays the winners.",
        "Then the next round.",
    ]


def test_the_rules_say_who_wins_and_what_each_line_pays(two_lines):
    said = " ".join(str(rulebook(two_lines).sections[0]).split())
    assert "“pass” wins 1 to 1 on a natural and the point; loses on craps and the seven-out" in said
    assert "“quick” wins 1 to 1 on a natural and the point of 6 or 8" in said
    assert "wins 5 to 1 and 4 to 1 on the point of 4 or 10, roll by roll" in said
    assert "is returned on a push" in said


def test_worked_games_are_numbered_and_have_a_result():
    (page,) = worked(matter("craps"))
    table = page.blocks[1]
    assert [column.head for column in table.columns] == ["game", "roll by roll", "result", "pays"]
    assert [row[0] for row in table.rows] == [1, 2, 3, 4]


def test_the_rack_card_explains_its_words_and_has_no_edge(two_lines):
    said = content(two_lines)
    assert "edge" not in json.dumps(said)
    assert said["words"] == [
        "1 to 1: a bet of 1 wins 1 and is returned.",
        "Stake back: the bet is returned; nothing is won or lost.",
        "Natural of pass: 7 or 11 on the first roll.",
        "Natural of quick: 11 on the first roll.",
        "Point: any other first total, which must come again before a 7.",
        "Push: 7 on the first roll.",
    ], "a natural is not the same in both games"
    assert "edge" not in json.dumps(content(matter("craps")))


def test_rates_at_fewer_bets_than_asked_are_said(monkeypatch):
    """A year at 2,000 bets a day may take too long: the paper says for which number it stands."""
    usual = Monitor.year

    def year(monitor, volume):
        if volume > 200:
            raise TooMuchWorkError("a year takes too long")
        return usual(monitor, volume)

    monkeypatch.setattr(Monitor, "year", year)
    text = " ".join(str(monitoring(matter("fast-craps", volume=2_000))).split())
    assert (
        "The rates at 2,000 bets a day take too long to compute; these are the rates at 200."
        in text
    )
