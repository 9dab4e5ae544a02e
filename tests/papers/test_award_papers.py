"""A progressive award in every paper: what is printed is a function of what was declared."""

import csv
from fractions import Fraction
from io import StringIO

import pytest

from sevenout.cli import main
from sevenout.documents.numbers import percent
from sevenout.errors import RulesError
from sevenout.numerals import exact
from sevenout.papers import declaration
from sevenout.papers.dossier import Matter
from sevenout.papers.dossier.felt_layout import areas
from sevenout.papers.dossier.rackcard import content
from sevenout.papers.sheet import sheet, subject_of
from sevenout.rules.gamefiles.gamefile import game_text, parse_game

HEAD = """
format = 1
name = "Boxcars"
[[wager]]
bet = "boxcars"
limit = 1
pays = { "12" = 20 }
[progressive.boxcars]
"""
AWARDS = {
    "row": 'seed = 8\nshare = "2%"\non = "12"\n',
    "limited": 'seed = 8\nshare = "2%"\non = "12"\nmust_hit_by = 12\n',
    "mystery": 'seed = 8\nshare = "2%"\nmust_hit_by = 12\n',
}
QUICK = ("--games", "2e3", "--date", "2026-11-20", "--volume", "100", "--rounds", "20")


def plain(text):
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The dossier of each award, and of another seed and share of one, as texts."""
    place = tmp_path_factory.mktemp("awards")
    texts = AWARDS | {
        "seed": AWARDS["limited"].replace("seed = 8", "seed = 9"),
        "share": AWARDS["limited"].replace("2%", "3%"),
        "limit": AWARDS["limited"].replace("12\n", "13\n"),
    }
    folders = {}
    for name, award in texts.items():
        source = place / f"{name}.toml"
        source.write_text(HEAD + award)
        assert main(["dossier", str(source), "-o", str(place / name), *QUICK]) == 0
        folders[name] = {
            file.name: file.read_text() if file.suffix == ".csv" else plain(file.read_text())
            for file in (place / name).iterdir()
            if file.suffix in (".html", ".csv", ".json")
        }
    return folders


@pytest.mark.parametrize("name", AWARDS)
def test_every_paper_has_the_award(made, name):
    files = made[name]
    (award,) = subject_of(parse_game(HEAD + AWARDS[name])).awards.values()
    assert award.edge < award.bet.edge == Fraction(5, 12)
    assert percent(award.edge) in files["index.html"]
    assert percent(award.bet.edge) in files["index.html"]
    assert "House edge, award left out" in files["index.html"]
    for paper in ("sheet.html", "rules.html"):
        assert "Progressive award of boxcars" in files[paper]
    assert percent(award.edge) in files["sheet.html"]
    for paper in ("sheet.html", "evenings.html", "simulation.html"):
        out = "In the long run an award adds "
        assert out + percent(award.added) in files[paper]
    assert percent(award.rtp) in files["monitoring.html"]
    assert "the awards paid and the change of the meter" in files["monitoring.html"]


def test_a_part_of_the_award_that_changes_changes_every_paper_that_it_concerns(made):
    concerns = {"rules.html", "sheet.html", "evenings.html", "simulation.html", "index.html"}
    concerns |= {"monitoring.html", "monitoring.csv", "meter.csv"}
    for part in ("seed", "share", "limit"):
        same = {n for n, text in made["limited"].items() if made[part][n] == text}
        assert not concerns & same


@pytest.mark.parametrize("name", AWARDS)
def test_the_limits_are_about_the_return_of_the_long_run(made, name):
    """After a hundred million bets no limit holds the return without the award."""
    (award,) = subject_of(parse_game(HEAD + AWARDS[name])).awards.values()
    rows = list(csv.DictReader(StringIO(made[name]["monitoring.csv"])))
    assert {row["limits"] for row in rows} == {"95%", "99%", "99.9%", "day", "running"}
    for row in rows:
        assert float(row["low"]) < award.rtp < float(row["high"])
        if int(row["bets"]) >= 10**6:
            assert not float(row["low"]) < award.bet.rtp < float(row["high"])


@pytest.mark.parametrize("name", AWARDS)
def test_card_and_felt_say_what_wins_the_meter(name):
    file = parse_game(HEAD + AWARDS[name])
    matter = Matter(subject_of(file), file.name, file=file)
    on = "a bet that is drawn beforehand wins" if name == "mystery" else "12 also wins"
    (bet,) = content(matter)["bets"]
    (area,) = areas(matter)["areas"]
    for rows in (bet["rows"], area["rows"]):
        assert [each for each in rows if each[1] == "the meter"] == [[on, "the meter"]]
    words = content(matter)["rules"][-1]
    assert words.startswith("The meter starts at 8 units, gains 2.00 % of each stake")
    assert ("at 12 units at the latest" in words) == (name != "row")


def test_vectors_say_which_games_win_the_award(made):
    assert "shortest, boxcars: 12 20 and the award" in made["row"]["vectors.csv"]
    assert "and the award" not in made["mystery"]["vectors.csv"]


@pytest.mark.parametrize("name", AWARDS)
def test_the_vectors_of_the_meter_are_a_cycle(tmp_path, name):
    from sevenout.papers.sections.award_sections import meter_csv

    rows = list(csv.DictReader(StringIO(meter_csv(subject_of(parse_game(HEAD + AWARDS[name]))))))
    assert rows[0]["before"] == "8"
    for row in rows:
        number, before, fed = int(row["number"]), exact(row["before"]), exact(row["fed"])
        assert before == 8 + (number - 1) * fed
        if row["wins"] == "yes":
            assert exact(row["award"]) == min(before + fed, 12 if name != "row" else before + fed)
            assert exact(row["after"]) == 8
        else:
            assert row["award"] == ""
            assert exact(row["after"]) == before + fed
    assert {row["wins"] for row in rows} == {"yes", "no"}
    if name != "row":
        assert [row["wins"] for row in rows if row["number"] == "200"] == ["yes"]
        assert [row["award"] for row in rows if row["number"] == "200"] == ["12"]


def test_the_words_of_a_catalogue_game_may_have_an_award_too():
    from sevenout.catalogue import games
    from sevenout.rules import Progressive

    page = sheet(
        declaration(
            games.entry("craps"), progressives={"pass": Progressive(10, "1/100", "natural")}
        )
    )
    assert "Progressive awards are left out" in str(page)


def test_an_award_that_a_paper_cannot_say_is_refused(capsys, tmp_path):
    file = parse_game(HEAD + AWARDS["row"])
    with pytest.raises(RulesError, match="declares a progressive award of boxcars"):
        Matter(subject_of(file.game), file.name, file=file)
    source = tmp_path / "choice.toml"
    assert main(["new", "choice", "-o", str(source)]) == 0
    text = source.read_text()
    parse_game(text)
    source.write_text(f'{text}\n[progressive.pass]\non = "natural"\nseed = 5\nshare = "1%"\n')
    capsys.readouterr()
    for command in ("dossier", "sheet"):
        out = tmp_path / ("out" if command == "dossier" else "out.html")
        assert main([command, str(source), "-o", str(out), *QUICK[:2]]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "makes optimal play depend on the meter" in said


def test_a_file_with_an_award_is_itself_again():
    for award in AWARDS.values():
        file = parse_game(HEAD + award)
        assert parse_game(game_text(file)) == file
