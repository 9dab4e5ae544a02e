"""The sheet as pages: nothing over the margin, many bets, long tables."""

import re
import shutil
import subprocess
from itertools import combinations
from xml.etree import ElementTree

import pytest

from sevenout.catalogue import games
from sevenout.documents import Page, Table, Text
from sevenout.papers import declaration, sheet
from sevenout.rules import PayTable, PointGame
from sevenout.rules.gamefiles.gamefile import parse_game


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler's pdftotext is not here")
@pytest.mark.parametrize("name", ["fire-bet-a", "long names", "no spaces"])
def test_nothing_runs_over_the_margin(name, tmp_path):
    """A4 with margins of 24 mm: every word lies between them; a comma may hang over."""
    if name in games.without_choices:
        page = sheet(games.entry(name))
    else:
        long = "a rather long name of a bet, " * 3 if name == "long names" else "W" * 90
        line = PayTable(natural="1001/1000", point={(4, 10): "123456789/1000000", (5, 6, 8, 9): 1})
        game = PointGame(
            [7, 11], [2, 3, 12], 7, limit=7, bets={f"{long}{k}": line for k in range(3)}
        )
        page = sheet(
            declaration(game, long * 2, rules=long, version=long), date=long, simulate=2_000
        )
    path = tmp_path / "page.pdf"
    path.write_bytes(page.pdf())
    boxes = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, check=True)
    words = [
        (float(word.get("xMin")), float(word.get("xMax")), float(word.get("yMin")), word.text)
        for word in ElementTree.fromstring(boxes.stdout).iter()
        if word.tag.endswith("word")
    ]
    margin, width = 24 / 25.4 * 72, 210 / 25.4 * 72
    assert len(words) > 500
    assert [word for word in words if word[0] < margin - 1 or word[1] > width - margin + 4] == []
    assert min(word[2] for word in words) > margin / 4


def test_many_bets_come_in_a_line_each_and_a_table_each():
    names = {f"hop {a}-{b}": ((a, b), 15) for a, b in combinations(range(1, 7), 2)}
    names |= {f"hop {a}-{a}": ((a, a), 30) for a in range(1, 7)}
    wagers = [
        f'[[wager]]\nbet = "{name}"\nlimit = 1\npays = {{ "{a}-{b}" = {pays} }}'
        for name, ((a, b), pays) in names.items()
    ]
    game = parse_game("\n".join(["format = 1", 'name = "Hops"', *wagers])).game
    page = sheet(game, simulate=2_000)
    by_title = {section.title: section.blocks for section in page.sections}
    assert [row[0] for row in by_title["The bets"][0].rows] == [*names]
    returns = [block for block in by_title["Return tables"] if isinstance(block, Table)]
    assert [table.caption for table in returns] == [*names]  # each has a table of its own
    assert len(by_title["The bets together"][1].rows) == 12
    assert "Of 210 pairs, the 12 with" in str(by_title["The bets together"][0].text)
    assert "and 20 others lose 1" in str(by_title["The rules"])
    for table in returns:  # what wins comes first
        assert [row[1] for row in table.rows] in ([15, -1], [30, -1])


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler's pdftotext is not here")
def test_a_long_table_runs_on_from_page_to_page_and_leaves_no_row_alone(tmp_path):
    path = tmp_path / "page.pdf"
    for rows in range(43, 53):
        table = Table(["row"], [[f"row {n}"] for n in range(rows)])
        made = Page("Long", Page("All", table, Text("A note on it.", tone="note")))
        path.write_bytes(made.pdf())
        seen = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True, text=True)
        on = [page.count("row ") for page in seen.stdout.split("\f")[:-1]]
        assert on[0] > 35
        assert sum(on) == rows
        assert not {1, 2} & {*on}, (rows, on)


def test_a_few_lines_do_not_take_a_page_of_their_own():
    """A little less air where the last page would be all but empty."""
    pages = {}
    for lines in (44, 47, 60):
        made = Page("Lines", *[Text(f"Line {n}.") for n in range(lines)]).pdf(paper="a4")
        pages[lines] = int(re.search(rb"/Type/Pages/Count (\d+)", made)[1])
    assert pages == {44: 1, 47: 1, 60: 2}
    for paper, size in {"a4": b"595.2756 841.8898", "letter": b"612 792"}.items():
        assert b"/MediaBox[0 0 " + size in Page("Paper", Text("One line.")).pdf(paper=paper)
