"""A progressive award in every paper: what is printed is a function of what was declared."""

import csv
from fractions import Fraction
from functools import cache
from io import StringIO

import pytest

from sevenout.cli import main
from sevenout.documents.kinds import DECIMAL
from sevenout.documents.numbers import percent
from sevenout.numerals import exact
from sevenout.papers import declaration
from sevenout.papers.bet_tables import meter_csv, return_split
from sevenout.papers.dossier import Dossier
from sevenout.papers.game_sheet import sheet
from sevenout.papers.monitoring_paper import monitoring
from sevenout.papers.subject import subject_of
from sevenout.papers.table_cards import areas, card_content
from sevenout.rules.gamefiles.gamefile import game_text, parse_game
from sevenout.solving.metrics import Metrics
from sevenout.verify.monitoring import MeteredMonitor

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
QUICK = ("--games", "2e3", "--date", "2026-11-20", "--volume", "100", "--bets", "20")


def plain(text):
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


PARTS = {
    "seed": AWARDS["limited"].replace("seed = 8", "seed = 9"),
    "share": AWARDS["limited"].replace("2%", "3%"),
    "limit": AWARDS["limited"].replace("12\n", "13\n"),
}


@cache
def papers(award):
    """The papers of an award, as texts, without the hashes at their feet."""
    file = parse_game(HEAD + award)
    dossier = Dossier(subject_of(file), games=2_000, volume=100, number_of_bets=20)
    pages = {
        "submission": dossier.submission(),
        "rules": dossier.rules(),
        "mathematics": dossier.mathematics(),
        "monitoring": monitoring(dossier),
    }
    texts = {name: plain(str(page)) for name, page in pages.items()}
    texts["vectors"], texts["meter"] = dossier.vectors.csv(), meter_csv(dossier.subject)
    fingerprint = dossier.identity[1]
    return dossier, {name: text.replace(fingerprint, "") for name, text in texts.items()}


@pytest.mark.parametrize("name", AWARDS)
def test_every_paper_has_the_award(name):
    dossier, texts = papers(AWARDS[name])
    (award,) = dossier.subject.awards.values()
    assert award.edge < award.bet.edge == Fraction(5, 12)
    for paper in ("submission", "mathematics"):
        assert percent(award.edge, 3) in texts[paper]
        assert DECIMAL.with_digits(3)(award.std) in texts[paper]
        index = Metrics(award.bet, award=award).volatility_index("9/10")
        assert DECIMAL.with_digits(3)(index) in texts[paper]
        assert "One bettor at a time" in texts[paper]
    assert percent(award.bet.edge, 3) in texts["mathematics"]
    for paper in ("rules", "mathematics"):
        assert "Progressive award of boxcars" in texts[paper]
    assert percent(award.rtp, 3) in texts["monitoring"]
    assert "the awards paid and the change of the meter" in texts["monitoring"]
    base, reset, increment = return_split(award)
    assert base + reset + increment == award.rtp
    assert reset == 8 / award.law.mean_bets
    for part in (base, reset, increment):
        assert percent(part, 2) in texts["submission"]


def test_the_most_paid_counts_the_meter():
    assert "20 stakes + the meter" in papers(AWARDS["row"])[1]["submission"]
    limited = HEAD.replace("[progressive", "maximum = 1\nminimum = 1\n[progressive")
    file = parse_game(limited + AWARDS["limited"])
    dossier = Dossier(subject_of(file))
    assert "32 units" in plain(str(dossier.submission()))  # 20 and the meter of 12


def test_a_part_of_the_award_that_changes_changes_every_paper_that_it_concerns():
    _, limited = papers(AWARDS["limited"])
    for part, award in PARTS.items():
        _, texts = papers(award)
        same = {name for name in limited if texts[name] == limited[name]}
        assert same == {"vectors"}, part


@pytest.mark.parametrize("name", AWARDS)
def test_the_limits_are_about_the_return_of_the_long_run(name):
    """After a million bets no limit holds the return without the award."""
    dossier, _ = papers(AWARDS[name])
    (award,) = dossier.subject.awards.values()
    (monitor,) = dossier.monitors.values()
    for n in (10**3, 10**6):
        for limits in (monitor.fixed(n, "99%"), monitor.day(n), monitor.running(n)):
            assert limits.low < award.rtp < limits.high
            if n == 10**6:
                assert not limits.low < award.bet.rtp < limits.high


@pytest.mark.parametrize("name", AWARDS)
def test_card_and_felt_say_what_wins_the_meter(name):
    file = parse_game(HEAD + AWARDS[name])
    dossier = Dossier(subject_of(file))
    on = "a bet that is drawn beforehand wins" if name == "mystery" else "12 also wins"
    (bet,) = card_content(dossier)["bets"]
    (area,) = areas(dossier)["areas"]
    for rows in (bet["rows"], area["rows"]):
        assert [each for each in rows if each[1] == "the meter"] == [[on, "the meter"]]
    words = card_content(dossier)["rules"][-1]
    joined = " and" if name == "row" else ","
    assert words.startswith(f"The meter starts at 8 units{joined} gains 2 % of each stake")
    assert ("at 12 units at the latest" in words) == (name != "row")


def test_vectors_say_which_games_win_the_award():
    assert "shortest, boxcars: 12 20 and the award" in papers(AWARDS["row"])[1]["vectors"]
    assert "and the award" not in papers(AWARDS["mystery"])[1]["vectors"]


@pytest.mark.parametrize("name", AWARDS)
def test_the_vectors_of_the_meter_are_a_cycle(name):
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
    assert "Progressive award of pass" in [section.title for section in page.sections]


def test_an_award_that_a_paper_cannot_say_is_refused(capsys, tmp_path):
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


@pytest.mark.parametrize("name", AWARDS)
def test_the_limits_of_an_award_are_said_to_be_for_stakes_of_one_size(name):
    dossier, texts = papers(AWARDS[name])
    assert "Those of a bet with an award hold for stakes of one size." in texts["monitoring"]
    (monitor,) = dossier.monitors.values()
    by_chernoff = "“One check” of an award with a limit is by Chernoff's inequality"
    assert (by_chernoff in texts["monitoring"]) == isinstance(monitor, MeteredMonitor)
