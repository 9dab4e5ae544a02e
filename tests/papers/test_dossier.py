"""The dossier: every paper, the same bytes in every process, and nothing foreign overwritten."""

import csv
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.certify.check import main as check
from sevenout.cli import main
from sevenout.errors import FileError, RulesError
from sevenout.files import new_folder
from sevenout.papers.dossier import Dossier, may_replace, write_dossier
from sevenout.papers.monitoring_paper import monitoring
from sevenout.papers.subject import declaration, subject_of
from sevenout.papers.table_cards import areas, card_content, layout, rack_card
from sevenout.papers.wheels import wheels_of
from sevenout.rules.gamefiles.gamefile import parse_game, read_game, read_statement
from sevenout.verify import conform
from sevenout.verify.monitoring import Monitor

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
QUICK = ("--games", "2e3", "--date", "2026-11-20", "--volume", "100", "--bets", "20")


def content(name, version="", **more):
    entry = games.entry(name)
    stated = declaration(entry.game(), entry.title, version=version)
    return Dossier(subject_of(stated, goal=getattr(entry, "goal", None)), name, **more)


def plain(page):
    return " ".join(str(page).replace("\N{NO-BREAK SPACE}", " ").split())


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
    papers = {"submission", "rules", "mathematics", "layout", "rack-card", "monitoring"}
    assert {*files} == {f"{paper}.pdf" for paper in papers} | {
        *("vectors.csv", "certificate.jsonl", "check.py", "declaration.toml"),
        *("dossier.json", "SHA256SUMS"),
    }


def test_every_file_has_its_hash(made):
    _, files = made
    lines = files["SHA256SUMS"].decode().splitlines()
    assert {line.partition("  ")[2] for line in lines} == {*files} - {"SHA256SUMS"}
    for line in lines:
        digest, _, name = line.partition("  ")
        assert sha256(files[name]).hexdigest() == digest
    data = json.loads(files["dossier.json"])
    assert data["declaration"] == sha256(files["declaration.toml"]).hexdigest()
    assert data["options"] == {"games": 2000, "date": "2026-11-20", "volume": 100, "bets": 20}


def test_what_is_in_it_can_be_checked(made, capsys):
    place, _ = made
    assert check([str(place / "certificate.jsonl")]) == 0
    assert "Proved" in capsys.readouterr().out
    assert conform(games["craps"], place / "vectors.csv").agrees
    again = [sys.executable, str(place / "check.py"), str(place / "certificate.jsonl")]
    printed = subprocess.run(again, capture_output=True, check=True).stdout
    assert printed.splitlines()[-1].startswith(b"Proved")
    assert main(["dossier", "--check", str(place)]) == 0
    assert "each as the declaration" in " ".join(capsys.readouterr().out.split())


def test_a_folder_that_is_no_dossier_is_left_alone(made, tmp_path, capsys):
    place, files = made
    assert make(place, "craps") == files  # an older dossier is replaced
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    words = ["dossier", "craps", "-o", str(tmp_path / "mine"), *QUICK]
    assert main(words) == 2
    assert "other files are in it" in capsys.readouterr().err
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"
    assert main(["dossier", "place-6-8", "-o", str(place), *QUICK]) == 2
    assert "it holds the dossier of another game, Craps; name another folder" in " ".join(
        capsys.readouterr().err.split()
    )
    assert {file.name: file.read_bytes() for file in place.iterdir()} == files
    craps = content("craps")
    renamed = subject_of(declaration(games["craps"], "Seven or eleven"))
    assert may_replace(place, Dossier(renamed))
    assert may_replace(place, Dossier(subject_of(declaration(games["place-6-8"], craps.title))))


def test_after_an_error_nothing_has_changed(tmp_path):
    (tmp_path / "old").mkdir()
    with pytest.raises(ZeroDivisionError), new_folder(tmp_path / "old") as new:
        (new / "file").write_text("half" * (1 // 0))
    assert list(tmp_path.iterdir()) == [tmp_path / "old"]
    with pytest.raises(FileError, match="there is no folder"), new_folder(tmp_path / "a" / "b"):
        pass
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="not a folder"), new_folder(tmp_path / "file"):
        pass


@pytest.mark.parametrize("name", ["craps", "fast-craps", "hazard", "place-up"])
def test_every_result_of_every_bet_is_worked(name):
    dossier = content(name)
    table = dossier.worked_results().blocks[0]
    worked = {(row[1], row[-2]) for row in table.rows}
    for bet in dossier.subject.bets:
        rows = {(pay.event, pay.profit / pay.risk) for pay, p in bet.law.items() if p}
        assert rows <= worked
    assert all(row[-1] for row in table.rows)


def test_worked_rounds_read_as_they_are_played():
    rows = {row[1]: row[2:] for row in content("craps").worked_results().blocks[0].rows}
    assert rows["point"] == (Fraction(1), "1+3 = 4 → point 4; 1+3 = 4")
    assert rows["seven out"] == (Fraction(-1), "1+3 = 4 → point 4; 1+6 = 7")


@pytest.mark.parametrize("name", ["craps", "fast-craps", "bonus-craps-all-175-1", "place-up"])
def test_the_rack_card_is_one_page(name):
    dossier = content(name)
    assert rack_card(dossier).startswith(b"%PDF")
    assert rack_card(dossier, "svg").startswith(b"<svg")  # which is refused where it is two
    paid = {pays for bet in card_content(dossier)["bets"] for _, pays in bet["rows"]}
    assert paid
    assert all(pays == "stake back" or " to " in pays for pays in paid)


class Doubled(so.Game):
    """A bet of 10 that may be doubled: 16 to 5 on a six."""

    dice, start = so.d6, "ask"

    def choices(self, state):
        return {"play": 1, "double": 2} if state == "ask" else {}

    def step(self, state, face):
        name = "six" if state == 1 else "six, doubled"
        if face == 6:
            return so.settle(name, {"six": (Fraction(16, 5) * state, state)})
        return so.settle(f"no {name}", {"six": (-state, state)})


def test_a_doubled_bet_pays_of_what_is_at_risk():
    """16 to 5 of a doubled bet of 10 is 32 of 20 at risk; "32 to 5" was printed."""
    dossier = Dossier(subject_of(Doubled()), games=0)
    (bet,) = card_content(dossier)["bets"]
    assert [pays for _, pays in bet["rows"]] == ["16 to 5", "16 to 5"]
    rows = {row[1]: row[2:4] for row in dossier.worked_results().blocks[0].rows}
    assert rows["six, doubled"] == (2, Fraction(16, 5))
    assert rows["no six, doubled"] == (2, -1)


def test_a_game_with_choices_is_said_to_be_played_optimally(tmp_path):
    """Best is to play: 16/5 × 1/6 - 5/6 = -0.3; always to double returns 40 %, not 70 %."""
    dossier = Dossier(subject_of(Doubled()), games=0, volume=100)
    for page in (dossier.submission(), monitoring(dossier), dossier.mathematics()):
        assert "The player plays optimally" in plain(page)
    assert "always play: 70.00 % and always double: 40.00 %" in plain(monitoring(dossier))
    up = content("place-up", games=1_000, volume=100, number_of_bets=20)
    place = write_dossier(up, tmp_path / "up")
    assert conform(up.game, place / "vectors.csv").agrees


PROGRAM = '''
import sevenout as so


class Lottery(so.Game):
    """A bet that pays what a die of many sides shows; a 1 loses it."""

    start = "bet"

    def __init__(self, sides):
        self.dice = so.dice(f"d{sides}")

    def step(self, state, roll):
        n = roll.total
        return so.settle(f"extraordinarily-rare-{n}", {"draw": -1 if n == 1 else n})


def test_rows_that_have_no_room_are_counted():
    dossier = Dossier(subject_of(Lottery(43)))
    (bet,) = card_content(dossier)["bets"]
    assert (len(bet["rows"]), bet["rest"]) == (40, "and 2 more pays · all else loses")
    (area,) = areas(dossier)["areas"]
    assert (len(area["rows"]), area["rows"][-1]) == (17, ["and 26 more pays", ""])
    # a layout of as many rows as it has room for is whole, and a long word may be broken in it
    (area,) = areas(Dossier(subject_of(Lottery(17))))["areas"]
    assert len(area["rows"]) == 16
    assert area["rows"][0] == [breakable("extraordinarily-rare-17"), "17 to 1"]


class Choose(so.Game):
    """Take 1, or roll for 3 on a six."""

    dice, start = so.d6, "ask"

    def choices(self, state):
        return {"take": so.settle("taken", {"pass": -1}), "roll": "roll"} if state == "ask" else {}

    def step(self, state, face):
        return so.settle("six", {"pass": 3}) if face == 6 else so.settle("no six", {"pass": -1})
'''


def test_the_commands_of_a_submission_work_as_printed(tmp_path, monkeypatch, capsys):
    """In the folder; the certificate proves the optimum, so no --policy is needed."""
    (tmp_path / "mine.py").write_text(PROGRAM)
    make(tmp_path / "made", f"{tmp_path}/mine.py:Choose")
    monkeypatch.chdir(tmp_path / "made")
    dossier = Dossier(subject_of(games["craps"]), "mine.py:Choose", games=0)
    lines = [text.text for text in dossier.checking("It proves all.").blocks]
    commands = [line.partition(" checks")[0].partition(" compares")[0] for line in lines]
    ours = [command.split()[1:] for command in commands if command.startswith("sevenout")]
    assert len(ours) == 3
    for words in ours:
        assert main(words) == 0, words
    printed = capsys.readouterr().out
    assert "is -1/3; that is the most of all policies" in printed
    assert check(["certificate.jsonl"]) == 0


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
    file = parse_game(GAME)
    dossier = Dossier(subject_of(file))
    rules = plain(dossier.rules())
    for words in (
        "Roll twice.",
        "The dealer calls the roll.",
        "A box marked PASS.",
        "Two dice (2d6).",
    ):
        assert words in rules
    submission = plain(dossier.submission())
    assert "does not state the limits of every bet" in submission
    assert "void rolls, cocked dice" in submission
    assert "The words of the rules were not compared with the mathematics" in submission
    assert dict(dossier.submission().facts)["maker"] == "House of Dice"


def test_the_foot_of_every_page_has_version_date_and_hash():
    dossier = content("craps", date="2026-11-20", version="7", volume=100, games=0)
    foot = f"Version 7 · 2026-11-20 · declaration, SHA-256 {dossier.digest}"
    pages = dossier.submission(), dossier.rules(), dossier.mathematics(), monitoring(dossier)
    assert [page.foot for page in pages] == [foot] * 4
    assert dossier.digest in json.dumps(card_content(dossier)["foot"])


TRIPLE = """
format = 1
name = "Triple"
dice = "3d6"
currency = "$"
[[wager]]
bet = "small"
limit = 1
pays = { "4,5,easy 6" = 1 }
maximum = 1000
[[wager]]
bet = "low"
limit = 1
pays = { "4,5,easy 6" = 1 }
maximum = 1000
[[wager]]
bet = "triple"
limit = 1
pays = { triples = 32 }
maximum = 100
"""


def test_a_layout_of_many_bets_is_told_apart():
    """Bets that pay alike have tables of their own, words are explained, money is added up."""
    file = parse_game(TRIPLE)
    dossier = Dossier(subject_of(file), games=2_000, volume=100)
    mathematics = dossier.mathematics()
    returns = next(page for page in mathematics.sections if page.title == "Return tables")
    assert [t.caption for t in returns.blocks[:3]] == ["small", "low", "triple"]
    rules = plain(dossier.rules())
    assert "Easy 6: a total of 6 with three dice that are not all alike." in rules
    assert "Triples: all three dice alike." in rules
    assert "total" not in plain(dossier.rules().sections[0])
    # a triple wins 32 × 100 and small loses; 4 wins 1000 on each of two bets
    assert dossier.subject.round_exposure == 3200
    assert "one bettor can win $3,200 from the house in one game" in plain(dossier.submission())
    seen = next(page for page in mathematics.sections if page.title == "Simulation")
    assert [row[0] for row in seen.blocks[1].rows] == ["small", "low", "triple"]


def test_a_layout_says_what_every_bet_wins_and_where(tmp_path):
    source = tmp_path / "mine.toml"
    source.write_text(FELT)
    file = read_game(source)
    dossier = Dossier(subject_of(file))
    assert {bet["note"] for bet in card_content(dossier)["bets"]} == {"from 5 to 500 units", ""}
    drawn = areas(dossier)
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
    # made again from the folder's own files
    assert main(["dossier", "--check", str(tmp_path / "made")]) == 0
    (tmp_path / "felt.svg").write_bytes(b"no picture")
    assert main(["dossier", str(source), "-o", str(tmp_path / "bad"), *QUICK]) == 2
    assert "felt.svg: it is not an SVG" in capsys.readouterr().err
    source.write_text(GAME.replace("A box marked PASS.", "../felt.svg"))
    assert main(["dossier", str(source), "-o", str(tmp_path / "bad"), *QUICK]) == 2
    assert "name a picture beside this file" in capsys.readouterr().err


def test_a_dossier_on_american_paper():
    dossier = content("craps", paper="letter")
    assert b'width="396pt" height="612pt"' in rack_card(dossier, "svg")
    assert b'width="792pt" height="612pt"' in layout(dossier, "svg")


def test_the_bets_of_a_game_share_its_false_alarms():
    """Both rules of both bets together raise an alarm for a correct game with 1 %."""
    dossier = content("fast-craps", volume=100)
    assert [m.alpha for m in dossier.monitors.values()] == [0.0025, 0.0025]
    text = plain(monitoring(dossier))
    assert "at most 0.25 % ever by the running limits for each of the 2 bets" in text
    assert "Count rounds by money" in text
    assert all(m.any_stakes for m in dossier.monitors.values())
    for each in dossier.monitors.values():  # those of one bet take some 70 MB
        assert not any("pmf" in vars(total) for total in each._totals.values())


def test_a_volume_that_takes_too_long_is_said_to_be_reduced(monkeypatch):
    """2,000 rounds a day became 200, unsaid."""
    year = Monitor.year

    def short(monitor, volume):
        if volume > 200:
            raise RulesError("too many likely values")
        return year(monitor, volume)

    monkeypatch.setattr(Monitor, "year", short)
    text = plain(monitoring(content("craps", volume=2_000)))
    assert "At 200 equal rounds a day" in text
    assert "The rates at 2,000 rounds a day are not computed" in text


def test_a_rack_card_has_every_pay_of_any_play(tmp_path):
    source = tmp_path / "mine.toml"
    assert main(["new", "choice", "-o", str(source)]) == 0
    (bet,) = card_content(Dossier(subject_of(read_game(source).game)))["bets"]
    assert [row for row in bet["rows"] if row[0].startswith("given up")] == [
        ["given up on 4 or 10, roll 1", "loses 1/4"],
        ["given up on 6 or 8", "loses 2/5"],
        ["given up on 5 or 9", "loses 1/2"],
        ["given up on 4 or 10, roll 2", "loses 1/2"],
        ["given up on 4 or 10, roll 3", "loses 3/4"],
    ]
    assert ["point 5 or 9, roll 3", "1 to 1"] in bet["rows"]  # though best play gives up before
    assert bet["rest"] == "all else loses"


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
    return Dossier(subject_of(file))


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
    procedure = next(s for s in two_lines.rules().sections if s.title == "Procedure")
    assert [text.text for text in procedure.blocks] == [
        "The dealer does this:",
        '1. Calls "new shooter" and moves the puck.',
        "2. Pays the winners.",
        "Then the next round.",
    ]


def test_the_rack_card_explains_its_words_and_has_no_edge(two_lines):
    card = card_content(two_lines)
    assert "edge" not in json.dumps(card)
    assert card["words"] == [
        "1 to 1: a bet of 1 wins 1 and is returned.",
        "Stake back: the bet is returned; nothing is won or lost.",
        "Natural of pass: 7 or 11 on the first roll.",
        "Natural of quick: 11 on the first roll.",
        "Point: any other first total, which must come again before a 7.",
        "Push: 7 on the first roll.",
    ], "a natural is not the same in both games"


class Wheel(so.Game):
    dice = so.Die([1, 5, 20], [4, 2, 1])

    def step(self, state, face):
        return so.settle(f"{face}", {"wheel": face - 2})


def test_a_wheel_is_drawn_in_its_declared_order():
    chain = so.explore(Wheel())
    order = "20 1 5 1 5 1 1"
    (plain,), (declared,) = wheels_of(chain), wheels_of(chain, order)
    assert "order is not declared" in plain.picture.caption
    assert declared.picture.caption == "The wheel of 7 equal segments"
    drawn = re.findall(r">(\d+)</text>", declared.svg)
    assert drawn == order.split() != re.findall(r">(\d+)</text>", plain.svg)
    assert wheels_of(chain, "20, 1, 5, 1, 5, 1, 1") == [declared]
    for wrong in ("1 1 1 1 5 5", "1 1 1 1 5 5 20 20", "2 1 1 1 5 5 20"):
        with pytest.raises(RulesError, match="the game has 1 5 1 20 1 5 1"):
            wheels_of(chain, wrong)
    with pytest.raises(RulesError, match="no wheel"):
        wheels_of(so.explore(so.games["craps"]), order)


def test_the_order_of_a_wheel_is_stated_of_a_program(tmp_path):
    path = tmp_path / "statement.toml"
    path.write_text('format = 1\nname = "Wheel"\nsegments = "20 1 5 1 5 1 1"\n')
    stated = read_statement(path, Wheel(), ("wheel",))
    dossier = Dossier(subject_of(stated))
    *_, picture = dossier._equipment().blocks
    assert picture.caption == "The wheel of 7 equal segments"
    assert b'segments = "20 1 5 1 5 1 1"' in dossier.declaration


def test_a_wheel_is_named_as_one():
    dossier = Dossier(subject_of(Wheel()))
    assert dict(dossier.submission().facts)["rolled"] == (
        "a wheel of 7 segments: 1 (4 times), 5 (2 times) and 20"
    )


def test_a_card_refers_to_the_rules_where_they_have_no_room():
    file = parse_game(GAME.replace("Roll twice.", "Roll twice. " * 200))
    long = card_content(Dossier(subject_of(file)))["rules"]
    assert long[-1] == "The rules of play say the rest."


def test_vectors_are_those_of_the_command(made):
    _, files = made
    rows = list(csv.DictReader(files["vectors.csv"].decode().splitlines()))
    assert rows[0]["rolls"] == "1 1"
    assert [*rows[0]] == ["vector", "why", "rolls", "outcome", "pass"]


def test_a_program_that_reads_its_rolls_has_a_declaration():
    """A roll refuses to be compared with what is no roll; naming it compared it."""

    class Doubles(so.Game):
        dice = so.dice("2d6")

        def step(self, state, roll):
            return so.win() if roll.hard else so.lose()

    assert len(Dossier(subject_of(Doubles())).digest) == 64


def test_a_game_of_too_many_states_is_refused_before_it_is_solved(tmp_path, capsys):
    """Its vectors took more than two gigabytes, after two minutes."""
    assert main(["dossier", "pig", "-o", str(tmp_path / "pig")]) == 2
    error = capsys.readouterr().err
    assert "more than 60,000 states; `sevenout sheet` prints its mathematics" in error
    assert not (tmp_path / "pig").exists()


def test_the_most_paid_is_a_number_of_stakes_or_money_to_the_cent():
    """A place bet pays 7 to 6: of $500 that is 583.33 and a third."""
    craps = games.entry("craps")
    (row,) = Dossier(subject_of(craps), games=0).submission().blocks[0].rows
    assert row[-1] == "1 stake"
    limited = declaration(games.entry("place-6-8"), limits="$5 to $500")
    page = Dossier(subject_of(limited), games=0).submission()
    assert page.blocks[0].rows[0][-1] == "$583.34"
    assert "one bettor can win $583.34 from the house in one game" in plain(page)


def test_the_mathematics_has_its_sources():
    page = Dossier(subject_of(games.entry("craps")), games=0).mathematics()
    sources = plain(page.sections[-1])
    assert "Scarne on Dice (1945)" in sources
    assert "The certificate proves the house edge of the bet" in sources


def test_the_layout_and_the_card_have_the_foot_of_every_paper():
    """The layout left the date out."""
    dossier = Dossier(subject_of(games.entry("craps")), date="2026-11-20", games=0)
    assert dossier.foot.startswith("Version 1 · 2026-11-20 · declaration, SHA-256 ")
    assert card_content(dossier)["foot"][-1] == dossier.foot
    # the text of an SVG is drawn as glyphs, one element for each
    dated, undated = layout(dossier, "svg"), layout(replace(dossier, date=""), "svg")
    assert dated.count(b"<use") - undated.count(b"<use") == len("· 2026-11-20".replace(" ", ""))
