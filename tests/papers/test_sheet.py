"""A sheet says what the solution says, the same each time, and lets no markup in."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from sevenout.catalogue import games
from sevenout.documents import Column, Page, PageError, Table, Text, clean
from sevenout.documents.kinds import DECIMAL, FRACTION
from sevenout.documents.numbers import exactly
from sevenout.documents.tables import TOO_LONG_NOTE
from sevenout.errors import RulesError, SevenoutError
from sevenout.evenings import one_bet
from sevenout.papers import bet_tables, declaration, family_page, plots, sheet
from sevenout.papers.dossier import Dossier
from sevenout.papers.subject import Subject, subject_of
from sevenout.rolling import Die
from sevenout.rules import JointGame, PayTable, PointGame
from sevenout.simulation import simulate
from sevenout.solving import Solution, solve
from sevenout.solving.metrics import Metrics
from sevenout.variants import Family

HOSTILE = [
    '#panic("boom")',
    "$ #panic() $ \\frac{1}{2} \\",
    "]#panic[ *b* _i_ `c` @ref <label> // c /* d */",
    "<script>alert(1)</script>&amp;\"'<img src=x onerror=alert(1)>",
    "a\x00b\x1b[31mc\u202ed\u2066e\ud800f",
    "long" * 40,
]


@pytest.fixture(scope="module")
def fast() -> Page:
    return sheet(games.entry("fast-craps"), date="2026-11-20", simulate=20_000, seed=7)


@pytest.fixture(scope="module")
def craps() -> Page:
    return sheet(games.entry("craps"), date="2026-11-20")


@pytest.fixture(scope="module")
def lines() -> Page:
    return sheet(games.entry("craps-lines"))


def tables(page: Page, title: str) -> list[Table]:
    (section,) = (s for s in page.sections if s.title == title)
    return [block for block in section.blocks if isinstance(block, Table)]


def text_of(page: Page, title: str) -> str:
    (section,) = (s for s in page.sections if s.title == title)
    return " ".join(block.text for block in section.blocks if isinstance(block, Text))


def test_the_return_tables_are_those_of_the_solution(fast):
    solution = solve(games["fast-craps"])
    for table, bet in zip(tables(fast, "Return tables"), solution.bets.values(), strict=True):
        assert table.caption == bet.name
        rows = {(row.event, row.pays, row.probability, row.contribution) for row in bet.table}
        assert {(row[0], row[1], row[2], row[4]) for row in table.rows} == rows
        assert table.total == ("total", "", 1, "", bet.mean)
        assert [row[1] for row in table.rows] == sorted((r[1] for r in table.rows), reverse=True)


def test_every_figure_is_that_of_the_solution_and_says_its_convention(fast):
    solution = solve(games["fast-craps"])
    (table,) = tables(fast, "The bets")
    for row, bet in zip(table.rows, solution.bets.values(), strict=True):
        metrics = Metrics(bet)
        edges = bet.edge, bet.edge_resolved, bet.edge_per_roll
        assert bet.element_of_risk == bet.edge  # so it has no column
        indices = metrics.volatility_index("9/10"), metrics.volatility_index("19/20")
        assert row[:-1] == (bet.name, *edges, bet.p_win, bet.std, *indices)
    for word in ("per bet made", "Resolved", "Per roll", "at risk", "hit", "VI/√n", "Most paid"):
        assert word in text_of(fast, "The bets")


def test_pays_are_of_what_is_at_risk(lines):
    """3 times odds on a 4: 1 + 3 at risk and a profit of 1 + 6, so 7 to 4."""
    flat, _, odds, lay = tables(lines, "Return tables")
    assert flat.heads[:2] == ["event", "pays"]
    assert odds.heads[1:3] == ["at risk", "pays"]
    rows = {row[0]: row[1:3] for row in odds.printed()}
    assert rows["natural"] == ["1", "1 to 1"]
    assert rows["point 4"] == ["4", "7 to 4"]
    assert rows["point 6"] == ["6", "7 to 6"]
    assert {row[0]: row[1:3] for row in lay.printed()}["seven out 4"] == ["7", "4 to 7"]


def test_an_interval_is_rounded_outwards_and_a_chance_not_to_zero(lines):
    metrics = Metrics(solve(games["craps-lines"]).bet("pass"))
    row = tables(lines, "Actual return")[0].rows[0]
    for k, n in enumerate((1_000, 10_000, 100_000)):
        exact = metrics.interval(n)
        low, high = row[1 + 2 * k : 3 + 2 * k]
        assert low <= exact.low < low + Fraction(1, 10_000)
        assert high - Fraction(1, 10_000) < exact.high <= high
    (session,) = tables(lines, "A session")
    assert session.printed()[0][1] == "2.246e-12, 1 in 445.1 billion"
    assert session.printed()[2][1] == "17.174 %"


def test_states_that_differ_in_what_they_pay_share_a_card(lines):
    (section,) = (s for s in lines.sections if s.title == "State diagram")
    svg = section.blocks[0].svg
    assert svg.count("<rect") == 4 + 3  # cards, and the grounds of the shares on the arrows
    assert all(f"point {pair}" in svg for pair in ("4 or 10", "5 or 9", "6 or 8"))


def test_the_slopes_of_few_faces_run_across(lines):
    (table,) = tables(lines, "Effect of the dice")
    assert table.heads == ["bet", *(f"face {k}" for k in range(1, 7))]
    assert [row[0] for row in table.rows] == list(solve(games["craps-lines"]).chain.bets)
    assert table.printed()[0][1] == f"{110532 / 136125:+.3f} %"


def test_a_fraction_that_is_left_out_is_said_to_be():
    long = Fraction(1, 10**500 + 1)
    for number, said in ((long, True), (Fraction(1, 3), False)):
        table = Table([Column("x", FRACTION, DECIMAL)], [[number]])
        page = Page("A", Page("S", table, Text("After.")))
        assert (TOO_LONG_NOTE.text in page.html().decode()) is said
        assert exactly(number) in page.json().decode()
        assert page.pdf().startswith(b"%PDF")


def test_the_largest_seed_is_a_seed():
    page = sheet(games["craps"], simulate=4_000, seed=2**64 - 1)
    assert f"from seed {2**64 - 1}" in text_of(page, "Simulation")


def test_the_bets_together(fast):
    solution = solve(games["fast-craps"])
    (row,) = tables(fast, "The bets together")[0].rows
    assert row[:2] == ("pass", "brick")
    one, other = solution.bet("pass"), solution.bet("brick")
    spread = (one.variance * other.variance) ** 0.5
    assert row[2] == pytest.approx(float(solution.covariance("pass", "brick")) / spread)


def test_the_simulation_is_the_run_that_it_says(fast):
    tally = simulate(games["fast-craps"], 20_000, seed=7)
    words = text_of(fast, "Simulation")
    assert f"20,000 games were played roll by roll, {tally.rolls:,} rolls" in words
    assert "agree with the exact solution" in words  # seed 7; a false alarm has probability 1 %
    (table,) = tables(fast, "Simulation")
    assert [row[:2] for row in table.rows] == [
        (bet, 1 + tally.bet(bet).mean) for bet in ("pass", "brick")
    ]


def test_a_tally_may_be_given_and_must_be_of_the_same_game():
    tally = simulate(games["craps"], 5_000, seed=3)
    page = sheet(games["craps"], simulate=tally, seed=3)
    assert "5,000 games" in text_of(page, "Simulation")
    with pytest.raises(PageError, match="simulate the same rules"):
        sheet(games["fast-craps"], simulate=tally)


def test_the_first_page_says_whose_it_is_and_the_last_is_signed(fast):
    asked = {"maker": "Ma & Pa", "author": "A. Nobody", "limits": "5 to 500"}
    page = sheet(declaration(games["fast-craps"], **asked), signatures=("author", "laboratory"))
    facts = dict(page.title_facts)
    assert [facts[name] for name in ("maker", "author", "bet limits")] == [
        "Ma & Pa",
        "A. Nobody",
        "each bet from 5 to 500 units",
    ]
    assert facts["rolled"] == "two dice (2d6)"
    (table,) = page.sections[-1].blocks
    assert table.rows[0][:2] == ("author", "A. Nobody")
    assert set(table.rows[1][1]) == {"_"}
    assert "maker" not in dict(fast.title_facts)
    assert "Signatures" not in [section.title for section in fast.sections]


def test_the_rules_are_those_declared():
    own = sheet(declaration(games["craps"], rules="Roll.\n\nAnd roll again."))
    assert text_of(own, "The rules").startswith("Roll. And roll again.")


def test_the_worked_rounds_follow_the_rules(fast):
    (rounds,) = tables(fast, "The rules")
    for rolls, settled in rounds.rows:
        assert settled.startswith("pass ")
        assert all(" = " in step and " → " in step for step in str(rolls).split("; "))
    assert rounds.rows != tables(sheet(games["fast-craps"], seed=8), "The rules")[0].rows


def test_the_same_inputs_give_the_same_bytes_in_another_process(fast, tmp_path):
    code = (
        "import sys; from sevenout.catalogue import games; from sevenout.papers import sheet\n"
        "page = sheet(games.entry('fast-craps'), date='2026-11-20', simulate=20_000, seed=7)\n"
        "sys.stdout.buffer.write(page.pdf())"
    )
    surroundings = os.environ | {"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "5", "LANG": "C"}
    pdf = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=surroundings,
        capture_output=True,
        check=True,
    ).stdout
    assert pdf.startswith(b"%PDF")
    assert pdf == fast.pdf() == fast.pdf()


def test_other_inputs_give_other_bytes(craps):
    later = sheet(declaration(games.entry("craps"), version="2"), date="2026-11-21")
    assert craps.pdf() != later.pdf()
    assert craps.facts[0] != later.facts[0]
    assert craps.facts[1:] == later.facts[1:]


def test_json_holds_the_same_content_in_full(fast):
    data = json.loads(fast.json())
    assert data == json.loads(json.dumps(fast.to_dict()))
    assert data["facts"]["fingerprint"] == solve(games["fast-craps"]).chain.fingerprint
    titles = [section["title"] for section in data["blocks"]]
    assert titles == [section.title for section in fast.sections]
    (returns,) = (s for s in data["blocks"] if s["title"] == "Return tables")
    column = [Fraction(row[2]) for row in returns["blocks"][0]["rows"]]
    assert sum(column) == Fraction(returns["blocks"][0]["total"][2]) == 1


def parse(page: Page) -> ElementTree.Element:
    text = page.html().decode()
    assert text.startswith("<!DOCTYPE html>\n")
    return ElementTree.fromstring(text.split("\n", 1)[1])


def test_html_is_well_formed_and_self_contained(fast):
    root = parse(fast)
    assert root.find("head/title").text == "Fast Craps"
    assert not list(root.iter("script"))
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "://" not in value
    images = list(root.iter("img"))
    assert images
    assert all(image.get("src").startswith("data:image/svg+xml;base64,") for image in images)


def hostile_game(name: str) -> PointGame:
    faces = Die([1, 2, 3, 4, 5, 6])
    from sevenout.rolling import Dice

    return PointGame(
        [7],
        [2],
        7,
        bets={name: PayTable(point={(3, 4, 5, 6, 8, 9, 10, 11, 12): 1})},
        dice=Dice([faces] * 2),
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_no_markup_or_code_gets_in(name):
    page = sheet(
        declaration(hostile_game(name), name, rules=name, version=name), source=name, date=name
    )
    root = parse(page)
    assert not list(root.iter("script"))
    shown = "".join(root.find("body").itertext())
    assert clean(name) in shown
    assert "\x00" not in page.html().decode()
    assert page.pdf().startswith(b"%PDF")  # a panic that was evaluated would have been an error
    assert json.loads(page.json())["title"] == clean(name)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler's pdftotext is not here")
@pytest.mark.parametrize("name", HOSTILE[:4])
def test_a_hostile_name_is_printed_as_it_is(name, tmp_path):
    path = tmp_path / "page.pdf"
    path.write_bytes(Page(name, Page(name, Text(name))).pdf())
    text = subprocess.run(
        ["pdftotext", "-raw", path, "-"], capture_output=True, check=True, text=True
    ).stdout
    squeeze = str.maketrans("", "", " \n\u200b-\xad")
    assert text.translate(squeeze).count(name.translate(squeeze)) == 3


@pytest.mark.parametrize("suffix", ["svg"])
def test_names_in_pictures_are_escaped(suffix):
    from sevenout.papers.picture_style import render

    bet = solve(hostile_game(HOSTILE[3])).bet()
    for name in HOSTILE:
        drawn = plots.edge_against_bias({name: lambda t: t, "x": lambda t: -t})
        root = ElementTree.fromstring(render(drawn, suffix))
        assert not [e for e in root.iter() if e.tag.endswith("script")]
    ElementTree.fromstring(render(plots.return_by_event(bet), suffix))


def test_a_game_without_bets_and_one_that_is_only_code():
    turn = sheet(games.entry("hazard-turn"))
    (table,) = tables(turn, "Outcomes")
    assert table.total[1] == 1
    session = sheet(one_bet(solve(games["craps"]).as_die(), 3, target=6).game)
    for page in (turn, session):
        assert page.pdf().startswith(b"%PDF")


def test_many_bets_and_long_fractions_are_set():
    lines = {f"bet number {k} with a long name": PayTable(point=k, out=-1) for k in range(1, 5)}
    one = PointGame([7, 11], [2, 3, 12], 7, bets=lines, limit=3)
    two = PointGame(
        [11], [2, 3, 12], 7, pushes=[7], limit=4, bets={"x": PayTable(), "y": PayTable(point=2)}
    )
    page = sheet(JointGame(one, two))
    assert len(tables(page, "Return tables")) == 6
    assert len(tables(page, "The bets together")[0].rows) == 12
    assert page.pdf().startswith(b"%PDF")


def test_only_some_bets():
    page = sheet(games["fast-craps"], bets=["brick"])
    assert len(tables(page, "Return table")) == 1
    assert "The bets together" not in [s.title for s in page.sections]
    with pytest.raises(SevenoutError, match="no bet 'pas'"):
        sheet(games["fast-craps"], bets=["pas"])


def test_a_row_too_long_for_its_table_is_refused():
    with pytest.raises(PageError, match="2 cells under 1 columns"):
        Table(["a"], [("x", "y")])


def test_the_page_of_a_census():
    page = family_page("2d4")
    assert page.sections[1].blocks[0].rows[1][0] == "craps"
    assert dict(page.facts)["variants"] == f"{Family('2d4').size:,}"
    assert page.pdf().startswith(b"%PDF")
    parse(page)
    with pytest.raises(PageError, match="no counts"):
        plots.census_histogram({}, {})


def test_a_figure_known_within_a_bound_has_no_fraction():
    game = games["craps"]
    found = Subject(declaration(game), solve(game, method="certified"), ("pass",))
    assert not {"…", "/"} & {*str(bet_tables.figures(found).blocks[0])}


def test_certified_probabilities_add_up_to_1():
    """Their sum, a little off, was printed as "just above 1", and the edge at risk as another."""
    craps = subject_of(games.entry("craps"))
    lifted = Solution(craps.chain, "certified")
    assert lifted.bound
    page = sheet(replace(craps, solution=lifted))
    (bets,), (returns,) = tables(page, "The bet"), tables(page, "Return table")
    assert "at risk" not in bets.heads
    assert returns.total[2] == 1
    assert "All figures are exact" not in text_of(page, "Method")
    assert "No certificate proves the figures." in text_of(page, "Sources")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bets": ["pass"]}, "bets= of a solved subject"),
        ({"source": "a book"}, "source= of a solved subject"),
        ({"goal": {"most": "pass"}}, "goal= of a solved subject"),
        ({"policies": {"hold": lambda *state: "roll"}}, "policies= of a game without choices"),
        ({"signatures": "author"}, "signatures 'author'; give a list, such as \\['author'\\]"),
    ],
)
def test_an_argument_that_is_not_read_is_refused(arguments, message):
    with pytest.raises(PageError, match=message):
        sheet(subject_of(games["craps"]), **arguments)


@pytest.mark.parametrize("choice", [{"pace": 60}, {"policies": {"greedy": "greedy"}}])
def test_a_sheet_of_turns_refuses_what_is_about_bets(choice):
    with pytest.raises(PageError, match="a game of turns has no session, pace, policies"):
        sheet("yahtzee", **choice)


def test_a_paper_of_no_hours_rounds_or_sheets_is_refused():
    with pytest.raises(PageError, match="pace=0; give more than 0"):
        sheet("craps", pace=0)
    craps = subject_of("craps")
    with pytest.raises(PageError, match="pace=-5; give more than 0"):
        Dossier(craps, pace=-5)
    with pytest.raises(PageError, match="volume=0; give 1 round"):
        Dossier(craps, volume=0)
    with pytest.raises(PageError, match="paper='a5'; give 'a4' or 'letter'"):
        Dossier(craps, paper="a5")


def test_a_game_is_declared_by_its_name():
    assert declaration("craps") == declaration(games.entry("craps"))


def test_bets_are_a_list():
    with pytest.raises(RulesError, match="bets='pass'; give a list, such as"):
        subject_of(games["craps"], bets="pass")
