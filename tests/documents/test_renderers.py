"""One page, and every renderer says the same; nobody's text is markup."""

import csv
import json
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser
from io import StringIO
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenout.catalogue import games
from sevenout.documents import (
    Certified,
    Code,
    Column,
    Fact,
    Facts,
    HasPage,
    Page,
    PageError,
    Picture,
    Table,
    Text,
    clean,
    code,
    prose,
)
from sevenout.documents.drawings import bar, interval
from sevenout.documents.html import fragment, html_document
from sevenout.documents.kinds import (
    COUNT,
    DECIMAL,
    FRACTION,
    LABEL,
    MONO,
    NOTE,
    ODDS,
    PAYS,
    PERCENT,
    SIGNED,
)
from sevenout.documents.numbers import minus
from sevenout.documents.terminal import WIDTH, display_width, plain_text, wrap
from sevenout.documents.typeset import BREAK, _span, breakable, compiled
from sevenout.documents.words import isolate_right_to_left
from sevenout.errors import SevenoutError

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="36pt"/>'
HOSTILE = [
    "[bold red]x[/] [link=http://e.vil]y[/link] :smiley:",
    "<script>alert(1)</script>&amp;\"'<img src=x onerror=alert(1)>",
    "a\x00b\x1b[31mc\u202ed\u2066e\ud800f\x07",
    '#panic("boom") $x$ `c` @ref \\',
    "=cmd|' /C calc'!A0",
]

names = st.text(st.characters(codec="utf-8"), max_size=30)
numbers = st.one_of(
    st.fractions(max_denominator=10**40), st.integers(-(10**20), 10**20), st.none(), names
)


def page(name: str = "Craps") -> Page:
    rows = [[name, Fraction(-1), Fraction(2, 9), 12_345], [name * 2, Fraction(3, 2), None, 0]]
    columns = [
        "event",
        Column("pays", PAYS, ODDS),
        Column("probability", FRACTION, DECIMAL),
        Column("seen", COUNT),
    ]
    return Page(
        name,
        Facts(
            Fact("edge", Fraction(7, 495), FRACTION, PERCENT, note=name),
            Fact(name, "text"),
            Fact("certified", Certified(Fraction(1, 3), Fraction(1, 10**4)), DECIMAL),
        ),
        Table(columns, rows, ("total", "", Fraction(1), 12_345), name, tones={0: "bad"}),
        Page("Section", Text("Run ", code(name), " now."), Code(name)),
        Picture(SVG, name),
        Text(name, tone="good"),
        subtitle=name,
        facts=[("version", name)],
        date="2026-11-20",
    )


class Words(HTMLParser):
    """The text of a document, and what tags and attributes it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words, self.tags, self.attributes = [], set(), set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_is_markup_in_html(name):
    for html in (html_document(page(name)), page(name)._repr_html_()):
        found = Words(html)
        assert clean(name) in "".join(found.words)
        assert not found.tags & {"script"}
        assert not any(each.startswith("on") for each in found.attributes)
        assert "style" not in found.attributes
    ElementTree.fromstring(html_document(page(name)).split("\n", 1)[1])


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_is_markup_or_moves_the_cursor_in_a_terminal(name):
    from rich.console import Console

    out = StringIO()
    Console(file=out, width=300, color_system=None).print(page(name))
    words = out.getvalue()
    assert clean(name) in words
    assert all(c.isprintable() or c == "\n" for c in words)
    styled = StringIO()
    Console(file=styled, width=300, force_terminal=True, color_system="standard").print(page(name))
    assert "\x1b[1m" in styled.getvalue()
    assert "\x1b]8" not in styled.getvalue()  # no links


def test_plain_text_is_that_of_the_terminal_and_needs_no_rich():
    from rich.console import Console

    out = StringIO()
    Console(file=out, width=WIDTH, color_system=None).print(page())
    assert [line.rstrip() for line in out.getvalue().splitlines()] == str(page()).splitlines()
    program = (
        "import sys; sys.modules['rich'] = sys.modules['typst'] = None\n"
        "from sevenout.documents import Page, Text; print(Page('Craps', Text('Roll.')))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "Craps\n\nRoll.\n"


def test_a_page_of_text():
    assert (
        str(page())
        == """\
Craps
Craps
date      2026-11-20
version   Craps

edge        7/495   1.4141 %   Craps
Craps                   text
certified              0.333

Craps
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
event        pays            probability                seen
────────────────────────────────────────────────────────────
Craps          -1    loses           2/9   0.222222   12,345
CrapsCraps   +3/2   3 to 2             –          –        0
────────────────────────────────────────────────────────────
total                                  1   1.000000   12,345
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

Section

Run `Craps` now.

Craps

[Craps]

Craps"""
    )


def cells(table: Table) -> set[str]:
    return {text for row in table.printed(10**9) for text in row if text}


@given(st.lists(st.tuples(names, numbers, numbers), min_size=1, max_size=5))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_renderers_agree(rows):
    table = Table(["name", Column("x", FRACTION, DECIMAL), Column("y", LABEL)], rows, caption="T")
    one = Page("P", table)
    html = "".join(Words(fragment(one, max_fraction=10**9)).words)
    for text in cells(table):
        assert isolate_right_to_left(text) in html or isolate_right_to_left(minus(text)) in html
    data = json.loads(json.dumps(one.to_dict()))["blocks"][0]
    for row, given_ in zip(data["rows"], table.rows, strict=True):
        for cell, value in zip(row, given_, strict=True):
            if isinstance(value, Fraction | int):
                assert Fraction(cell) == value
            else:
                assert cell == value
    read = list(csv.reader(StringIO(one.csv())))
    assert read[0] == ["name", "x", "x, decimal", "y"]
    for line, (_, x, _) in zip(read[1:], table.rows, strict=True):
        if isinstance(x, Fraction | int):
            assert Fraction(line[1]) == x
            assert float(line[2]) == float(x)


@given(st.lists(st.tuples(names, numbers, names), min_size=1, max_size=4), st.integers(40, 130))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_no_line_is_wider_than_the_page(rows, width):
    from sevenout.documents.terminal import page_lines

    one = Page("P" * 150, Table(["a", Column("b", FRACTION, PERCENT), "c"], rows), Text("w" * 200))
    for line in page_lines(one, width):
        assert display_width("".join(text for text, _ in line)) <= width


@pytest.mark.parametrize(
    ("text", "width"),
    [("ไม่ดี", 3), ("हिन्दी", 5), ("a\u200bb", 2), ("a\u00adb", 3), ("e\u0301", 1), ("か\u3099", 2)],
)
def test_marks_take_no_column(text, width):
    assert display_width(text) == width


@given(names, st.integers(2, 20))
@settings(deadline=None, derandomize=True)
def test_wrapping_loses_nothing(text, width):
    text = clean(text)
    broken = wrap(text, width)
    assert "".join(broken).replace(" ", "") == text.replace(" ", "")
    assert all(display_width(line) <= width for line in broken)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (" lead natural wins", [" lead", "natural", "wins"]),
        ("a  b natural   wins", ["a  b", "natural", "wins"]),
        ("aaaa bbbb  cccc", ["aaaa bbbb", "cccc"]),
        ("   craps-lines  a ", ["craps-lin", "es  a"]),
    ],
)
def test_spaces_are_left_out_only_where_a_line_is_broken(text, lines):
    assert wrap(text, 9) == lines
    assert plain_text(Page("", Text(text)), 9).split("\n") == lines


def test_a_full_stop_stays_with_the_code_before_it():
    assert plain_text(Page("", Text("Roll ", code("2d6"), ".")), 10) == "Roll\n`2d6`."


def test_subtitles_and_captions_are_wrapped():
    facts = Facts(Fact("a", 1, COUNT), caption="a caption of several words")
    lines = plain_text(Page("", facts, subtitle="a subtitle of several words"), 12).splitlines()
    assert max(map(len, lines)) <= 12


def test_the_digits_of_a_kind():
    assert SIGNED.with_digits(2)(Fraction(1, 3)) == "+0.33"
    with pytest.raises(SevenoutError, match="the kind count has no digits to set"):
        COUNT.with_digits(2)


def test_a_long_fraction_is_shown_by_its_decimals():
    long = Fraction(10**30, 3**80)
    both = Table([Column("p", FRACTION, DECIMAL)], [[long]])
    alone = Table([Column("p", FRACTION)], [[long]])
    assert both.printed()[0][0] == "…"
    assert alone.printed()[0][0] == "≈ 6.76549570119e-9"
    assert both.to_dict()["rows"] == [[str(long)]]


def test_tables_are_semantic():
    root = ElementTree.fromstring(html_document(page()).split("\n", 1)[1])
    heads = list(root.iter("th"))
    assert {th.get("scope") for th in heads} == {"col", "row"}
    (spans,) = ([th.get("colspan") for th in tr] for tr in root.iter("tr") if tr[0].text == "event")
    assert spans == [None, "2", "2", None]
    assert [caption.text for caption in root.iter("caption")] == ["Craps"]
    assert len(list(root.iter("tfoot"))) == 1


def test_a_formula_is_a_text_in_a_spreadsheet():
    table = Table(["=1+1", Column("x", LABEL)], [["=1+1", "-1/2"], ["@x", "+3"], ["-", "-x"]])
    assert table.csv().splitlines() == ["'=1+1,x", "'=1+1,-1/2", "'@x,+3", "'-,'-x"]


def test_the_table_of_a_page_is_named_where_there_are_several():
    one, other = (Table(["a"], [[k]], caption=f"table {k}") for k in (1, 2))
    assert Page("P", Page("Q", one)).csv() == "a\n1\n"
    assert Page("P", one, other).csv("table 2") == "a\n2\n"
    with pytest.raises(PageError, match="2 tables; name one of: 'table 1', 'table 2'"):
        Page("P", one, other).csv()
    with pytest.raises(PageError, match="the page has no table"):
        Page("P").csv()
    with pytest.raises(PageError, match="2 tables; none can be named"):
        Page("P", Table(["a"], []), Table(["a"], [])).csv()
    with pytest.raises(PageError, match="3 tables; name one of: 'table 2'"):
        Page("P", one, one, other).csv()


def test_wrong_cells_and_rows_are_refused():
    with pytest.raises(PageError, match="2 cells under 1 columns"):
        Table(["a"], [["x", "y"]])
    with pytest.raises(PageError, match="the cell \\[1\\] is not a string, a number or None"):
        Table(["a"], [[[1]]])
    with pytest.raises(PageError, match="how wide it is"):
        Picture("<svg/>", "x").to_dict()
    assert Picture("<svg width='10pt'/>", "x").width == 10
    with pytest.raises(PageError, match="'hello' is no block of a page"):
        Page("T", "hello")


def test_no_fact_is_lost():
    with pytest.raises(PageError, match="the kinds of 'p' are decimal\\(6\\), fraction; give one"):
        Fact("p", Fraction(1, 3), DECIMAL, FRACTION)
    with pytest.raises(PageError, match="give one, or FRACTION and one"):
        Fact("p", Fraction(1, 3), FRACTION, DECIMAL, PERCENT)
    with pytest.raises(PageError, match="two facts 'a' in a title block"):
        Page("T", facts=[("a", "1"), ("b", "1"), ("a", "2")])


def test_a_certified_value_has_its_bound_in_csv():
    value = Certified(Fraction(1, 3), Fraction(1, 10**4))
    head, row, plain = (
        Table([Column("p", DECIMAL), "end"], [[value, "x"], [Fraction(1, 4), "y"]])
        .csv()
        .splitlines()
    )
    assert (head, plain) == ('p,"p, bound",end', "0.25,,y")
    figure, bound, _ = row.split(",")
    assert abs(Fraction(float(figure)) - value.value) + value.bound <= Fraction(float(bound))


def test_a_picture_is_drawn_once_and_only_when_it_is_looked_at():
    drawn = []

    def draw() -> str:
        drawn.append(1)
        return SVG

    picture = Picture(draw, "x")
    one = Page("P", picture)
    assert str(one) == "P\n\n[x]"
    assert drawn == []
    assert (picture.width, picture.svg) == (72, SVG)
    one.html()
    assert drawn == [1]


def test_a_page_is_set_on_paper():
    pytest.importorskip("typst")
    for name in ("Craps", *HOSTILE):
        assert page(name).pdf().startswith(b"%PDF")
        assert page(name).pdf() == page(name).pdf()


def test_a_result_says_what_it_says_once():
    class Result(HasPage):
        def page(self) -> Page:
            return page()

    result = Result()
    assert str(result) == str(page())
    assert result._repr_html_() == page()._repr_html_()
    assert result.to_dict() == page().to_dict()
    assert result.csv() == page().csv()
    json.dumps(result.to_dict())


def test_remarks_and_verdicts_have_their_look():
    table = Table(["a", Column("b", NOTE), Column("c", MONO)], [["1", "2", "│  ●"]])
    html = fragment(Page("", table, Text("No.", tone="bad")))
    assert '<p class="bad">No.</p>' in html
    assert '<td class="mono">│  ●</td>' in html


def test_what_stands_between_backticks_is_code_and_no_backtick_is_left():
    texts = [games.entry(name).rules for name in games.with_choices]
    texts += [games.entry(name).rules for name in games.without_choices]
    for text in texts:
        assert not any("`" in part.text for part in prose(text))
    page = Page("", *prose(games.entry("shut-the-box").rules))
    assert b"<code>low sum</code>" in page.html()
    assert b"`" not in page.html()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\u05d0\u05d1 4 or 10", "<\u05d0\u05d1> 4 or 10"),
        ("7 or \u05d0\u05d1 1 to 1", "7 or <\u05d0\u05d1> 1 to 1"),
        ("\u05d0, 7 \u05d1; 2, 3 and \u0646", "<\u05d0, 7 \u05d1>; 2, 3 and <\u0646>"),
        ("point 4", "point 4"),
    ],
)
def test_numbers_stay_behind_words_that_run_from_right_to_left(text, said):
    said = said.replace("<", "\u2068").replace(">", "\u2069")
    assert isolate_right_to_left(text) == said
    table = Table(["event"], [(text,)])
    assert said.encode() in Page("", table).html()
    seen = b"""#let each = json(bytes(sys.inputs.content)).rows.first().first()
    #set page(width: if each.contains("\\u{2068}") { 70pt } else { 140pt })"""
    width = b'width="70pt"' if said != text else b'width="140pt"'
    assert width in compiled(seen, {"rows": [[text]]}, "", "svg")


def test_a_sentence_that_ends_with_a_number_is_no_list():
    """A line of the rules of `horn-high-12-or-2` begins with "12. 2 and 12 pay"."""
    told = prose(games.without_choices["horn-high-12-or-2"].rules)
    assert len(told) == 1
    assert "on the number that is 12. 2 and 12 pay 30 to 1" in told[0].text
    steps = "Steps:\n1. Take the 2 or\n12. Then go on.\n\nWait.\n2. Pay.\na) To\nb) Fro"
    assert [part.text for part in prose(steps)] == [
        "Steps:",
        "1. Take the 2 or 12. Then go on.",
        "Wait.",
        "2. Pay.",
        "a) To",
        "b) Fro",
    ]


def test_a_drawing_is_letters_in_text_and_shapes_in_html() -> None:
    half, between = bar(Fraction(1, 2), 4), interval(-9, 9, 5, 0, 1)
    assert between == "────────────│───────────●", "what lies outside is drawn at the end"
    assert interval(0, 0, 0, 0, 0) == "            ●            "
    page = Page("", Table(["", Column("", MONO), Column("", MONO)], [("a", half, between)]))
    assert "██" in str(page)
    assert "─●" in str(page)
    assert page.to_dict()["blocks"][0]["rows"][0][1:] == [half, between]
    html = page.html().decode()
    assert not set("█─●│") & set(html)
    assert '<rect width="100" height="12" fill="currentColor"/>' in html
    assert 'aria-label="-9 to 9"' in html


def test_what_is_copied_from_a_pdf_has_no_breaks():
    """A hash at the end of a sentence, and a command of a program's game."""
    digest = "0123456789abcdef" * 4
    command = "sevenout test log wheel.py:WheelOfDoubles vectors.csv"
    assert breakable(f"SHA-256 {digest}.") == f"SHA-256 {digest}."
    assert _span(code(command))[0] == command
    assert BREAK in _span(code("x" * 100))[0]


def test_an_unknown_size_of_paper_is_refused():
    """It was a Python error."""
    with pytest.raises(PageError, match="paper='a5'; give 'a4' or 'letter'"):
        Page("Craps").pdf(paper="a5")
