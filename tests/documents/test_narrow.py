"""Tables where there is little room: every figure stands in one piece, at any width."""

import os
import re
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.cli import main
from sevenout.documents import Column, Fact, Facts, Page, Table
from sevenout.documents.kinds import DECIMAL, FRACTION, PERCENT
from sevenout.documents.terminal import display_width, page_lines, plain_text

COMMANDS = [
    "odds craps",
    "odds craps-lines",
    "odds fast-craps",
    "compare craps crapless",
    "compare craps crapless street-craps",
    "evening craps --bankroll 20 --bets 30",
    "evening three-point-molly:amount=5 iron-cross pass:amount=5 --bankroll 60 --rolls 30",
    "odds hot-hand",
    "odds field-2-3",
    "dice 2d6",
    "evening pass",
    "odds place-6-8+field-2-3",
    "simulate craps --games 10000",
    "best threes",
    "odds hazard --main 5",
    "variants --fairest",
]
FIGURE = re.compile(r"^[<>≈]? ?[+\-−–]?[\d.,]+(e[+-]?\d+)?(/[\d,]+)?( %)?$")


def tables(page):
    for block in page.blocks:
        if isinstance(block, Page):
            yield from tables(block)
        elif isinstance(block, Table | Facts):
            yield block


def told(block, width):
    return ["".join(piece for piece, _ in line) for line in page_lines(Page("", block), width)]


def pages(monkeypatch, command):
    """The blocks that a command prints."""
    from sevenout.documents import terminal

    seen, whole = [], terminal.page_lines

    def watched(page, width=100):
        seen.append(page)
        return whole(page, width)

    monkeypatch.setattr(terminal, "page_lines", watched)
    main(command.split())
    monkeypatch.undo()
    return [block for page in seen for block in tables(page)]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_figure_of_a_command_stands_whole_at_any_width(command, monkeypatch, capsys):
    blocks = pages(monkeypatch, command)
    assert blocks
    capsys.readouterr()
    for width in (40, 60, 80):
        for block in blocks:
            printed = told(block, width)
            assert all(display_width(line) <= width for line in printed)
            words = " ".join(" ".join(line.split()) for line in printed)
            for row in block.printed():
                for cell in row:
                    if FIGURE.match(cell) and display_width(cell) <= width - 2:
                        assert " ".join(cell.split()) in words


def test_what_is_too_wide_for_one_table_goes_on_in_a_second():
    table = Table(
        ["event", *(Column(name, FRACTION, DECIMAL) for name in ("one", "two", "three"))],
        [["natural", *[Fraction(244976, 245025)] * 3], ["seven out", *[Fraction(1, 3)] * 3]],
    )
    narrow = plain_text(Page("", table), 40)
    assert narrow.count("244976/245025   0.999800") == 3
    assert [narrow.count(head) for head in ("event", "one", "two", "three")] == [3, 1, 1, 1]
    assert plain_text(Page("", table), 100).count("event") == 1


@pytest.mark.parametrize("width", [4, 10, 17])
def test_the_rules_of_a_table_are_no_wider_than_the_page(width):
    table = Table(["aaaa", "bbbb"], [["x" * 20, "1" * 20]])
    lines = told(table, width)
    assert lines[0] == "━" * width
    assert max(map(display_width, lines)) == width


numbers = st.fractions(max_denominator=10**6)
heads = st.text("abc defghi", min_size=1, max_size=14)


@given(
    st.lists(st.tuples(heads, numbers, numbers, numbers), min_size=1, max_size=4),
    st.lists(heads, min_size=4, max_size=4),
    st.integers(36, 110),
)
@settings(deadline=None, derandomize=True, max_examples=80)
def test_no_width_cuts_a_figure(rows, titles, width):
    a, b, c, d = titles
    table = Table([a, Column(b, FRACTION, PERCENT), Column(c, DECIMAL), Column(d, FRACTION)], rows)
    facts = Facts(*(Fact(row[0], row[1], FRACTION, DECIMAL, note=a) for row in rows))
    for block in (table, facts):
        printed = told(block, width)
        assert all(display_width(line) <= width for line in printed)
        words = " ".join(" ".join(line.split()) for line in printed)
        for row in block.printed():
            assert all(
                " ".join(c.split()) in words
                for c in row
                if any(map(str.isdigit, c)) and display_width(c) <= width - 2
            )


@pytest.mark.parametrize("width", [-1, 0, 1, 2])
def test_a_page_ends_at_any_width(width):
    page = so.solve(so.games["craps"]).page()
    letters = "".join(piece for line in page_lines(page, width) for piece, _ in line)
    assert "244" in re.sub(r"\s", "", letters)


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.parametrize("words", ["--help", "odds --help", "odds craps"])
@pytest.mark.parametrize("columns", ["0", "1", "2", "-5", "9" * 5_000])
def test_a_command_ends_at_any_width(words, columns):
    done = subprocess.run(
        [sys.executable, "-m", "sevenout", *words.split()],
        capture_output=True,
        env=os.environ | {"COLUMNS": columns},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout
