"""The commands, the printable sheet and the heat map."""

import json
import re
from fractions import Fraction

import pytest
from cyclopts import CycloptsError

from sevenout.cli.app import app
from sevenout.errors import FileError, RulesError, SevenoutError
from sevenout.papers.dice_pictures import face_sheet, heat_map, strips
from sevenout.rolling import (
    Die,
    comparison,
    designs,
    parse_dice,
    ranked_pairs,
    relabelled,
    sensitivity,
    worst_ratio,
)


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")

    def call(line):
        app(f"dice {line}", exit_on_error=False, print_error=False, result_action="return_value")
        return capsys.readouterr().out

    return call


def test_no_seven(run):
    text = run("no-seven")
    assert "2·(1)  4···(2)  6·····(3)  8·····(4)  10···(5)  12·(6)" in text
    assert "odd d10 without the 7, each face twice" in text
    assert "10 totals and 30 (total, red) pairs, exactly as 2d6 without its 7" in text
    assert "NOT" not in text


@pytest.mark.parametrize("sides", [3, 6, 7, 20])
def test_no_seven_as_data(run, sides):
    data = json.loads(run(f"no-seven --sides {sides} --json"))
    assert data["same totals"] == {"with": True, "without": True}
    assert data["same totals and red numbers"] == {"with": True, "without": True}
    law = parse_dice(f"2d{sides}").totals.law
    assert data["totals"]["with"] == {str(t): str(p) for t, p in law.items()}
    assert str(sides + 1) not in data["totals"]["without"]
    assert sorted(total for row in data["grid"] for total in row) == sorted(
        a + b for a in range(1, sides + 1) for b in range(1, sides + 1)
    )


def test_ranked(run):
    text = run("relabel --ranked 2d6 --show 3")
    assert "162 ranked pairs on d6 and d6 have the totals of 2d6" in text
    assert "81 up to exchanging the dice, 41 also up to t → 14 − t" in text
    data = json.loads(run("relabel --ranked d4+d6 --json"))
    assert data["count"] == 36
    assert {total for pair in data["pairs"] for total in pair["can lose"]} == {5, 6, 7}
    assert sum(pair["red"]["1"] is not None for pair in data["pairs"]) == 36
    assert sum(pair["red"]["2"] is not None for pair in data["pairs"]) == 27
    assert json.loads(run("relabel --ranked d4+d6 --without 7 --json"))["count"] < 36
    assert "4 ranked pairs on d4 and d9 have the totals of 2d6" in run(
        "relabel --ranked 2d6 --on 4,9"
    )
    assert "0 ranked pairs" in run("relabel --ranked 3d6 --on 6,6")


def test_one_ranked_pair(run):
    data = json.loads(run("relabel --ranked 2d6 --pair 3 --json"))
    assert len(data["pairs"]) == 1
    text = run("relabel --ranked 2d6 --pair 3")
    assert "red number: that of the d6" in text
    assert "Can lose: 7. Fragility 35/36." in text
    shown = re.findall(r"(\d+)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text)
    normal = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    found = sorted((int(total), int(red.translate(normal))) for total, red in shown)
    assert found == sorted((a + b, a) for a in range(1, 7) for b in range(1, 7))
    assert "no red number" in run("relabel --ranked 2d6 --on 4,9 --pair 1")


def test_relabel(run):
    text = run("relabel")
    assert text.startswith("2 sets of dice with the totals of 2d6")
    assert "d6{1,2,2,3,3,4}   d6{1,3,4,5,6,8}" in text
    data = json.loads(run("relabel 2d6 --on d4+d9 --json"))
    assert data["count"] == len(data["sets"]) == len(relabelled("2d6", [4, 9])) == 3


def test_faults(run, tmp_path):
    picture = tmp_path / "heat.svg"
    data = json.loads(run(f"faults --json --draws 100 --plot {picture}"))
    found = {one["name"]: one for one in data["designs"]}
    assert list(found) == list(designs())
    worst = {name: one["worst_of_two_totals"] for name, one in found.items()}
    assert worst["ranked pair"] == {"high": 8, "low": 6, "times": "5/4"}
    assert worst["2d6"]["times"] == "21/20"
    assert all(" " not in key and "-" not in key for one in found.values() for key in one)
    assert found["ranked pair"]["fragility"] == "35/36"
    assert found["d6 + d5, one added"]["all_faces"]["ratio"] == "31/25"
    assert found["ranked pair"]["rolls_to_notice"] < found["2d6"]["rolls_to_notice"]
    assert picture.stat().st_size > 10_000
    assert "All faces wrong by up to 1/4" in run("faults --draws 100 --sides 4")


def test_one_fault(run):
    data = json.loads(run("faults tatham --die 1 --face 8 --share 0.25 --draws 100 --json"))
    after = {t: Fraction(p["faulty"]) for t, p in data["totals"].items()}
    assert after["8"] / after["6"] == Fraction(5, 4)
    text = run("faults 2d6 --die 1 --face 3 --draws 100")
    assert re.search(r"7 +1/6 +1/6 +0.00 %", text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("no-seven --sides 2", "2 sides; give 3 or more"),
        ("no-seven --sheet faces.png", "the sheet of faces can be .svg or .pdf"),
        ("relabel --ranked 3d6", "'3d6' are 3 dice"),
        ("relabel --ranked 2d6 --on 4,x", "--on '4,x'"),
        ("relabel --ranked 2d6 --pair 163", "--pair 163: there are 162 pairs"),
        (
            "relabel --ranked 2d6 --show -1",
            "--show: '-1' is not a count; write a whole number, 0 or more",
        ),
        ("no-seven --sheet nowhere/faces.svg", "can't write nowhere/faces.svg: there is no folder"),
        (
            "faults 2d6 --plot nowhere/heat.png",
            "can't write nowhere/heat.png: there is no",
        ),
        ("faults 2d6 --seed -1", "'-1' is not a seed"),
        ("relabel 2x6", "'2x6' is not dice"),
        ("faults --share much", "--share: 'much' is not an amount"),
        ("faults --share -1", "--share -1"),
        ("faults 2d6 --die 1", "give --face too"),
        ("faults 2d6 --die 1 --face 9", "no face shows 9; those of this die show 1, 2, 3, 4, 5, 6"),
        ("faults 2d6 --die 3 --face 1", "--die 3; the dice 2d6 are 1 to 2"),
        ("faults --die 1 --face 3", "give DESIGN too"),
        ("faults --plot heat.txt", "a picture can be .svg, .pdf or .png"),
    ],
)
def test_bad_input_is_one_line(run, line, message):
    with pytest.raises((SevenoutError, CycloptsError), match=re.escape(message)) as caught:
        run(line)
    assert "\n" not in str(caught.value)


def millimetres(svg):
    width, height = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', svg).groups()
    return float(width) * 25.4 / 72, float(height) * 25.4 / 72


def test_the_sheet_has_the_size_of_the_page_and_is_the_same_each_time(tmp_path):
    first, again = tmp_path / "a.svg", tmp_path / "b.svg"
    face_sheet(first)
    face_sheet(again)
    assert first.read_bytes() == again.read_bytes()
    assert millimetres(first.read_text()) == pytest.approx((210, 297), abs=0.01)
    assert face_sheet(tmp_path / "a.PDF", 20).read_bytes().startswith(b"%PDF")


def test_an_error_leaves_the_old_file_alone(tmp_path):
    path = tmp_path / "faces.svg"
    path.write_text("old")
    with pytest.raises(RulesError, match="don't fit on a page"):
        face_sheet(path, 200)
    path.unlink()
    path.mkdir()  # a folder can't be replaced by a file
    with pytest.raises(FileError, match="can't write"):
        face_sheet(path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("sides", range(3, 25))
def test_the_strips_hold_the_faces_of_the_dice(sides):
    even, odd, less = strips(sides)
    values = sorted(f.value or 0 for f in (*even.faces, *odd.faces))
    assert values == [0, *range(2, 2 * sides + 1)]
    assert sides + 1 not in {f.value for f in less.faces}
    assert len(less.faces) % (sides - 1) == 0


def test_a_heat_map_needs_designs(tmp_path):
    with pytest.raises(RulesError, match="no designs"):
        heat_map(tmp_path / "heat.svg", ())
    few = comparison({"d4": Die.standard(4)}, Fraction(1, 10))
    assert heat_map(tmp_path / "heat.png", few).stat().st_size > 1000


def test_worst_ratio_is_that_of_the_worst_face():
    found = sensitivity(ranked_pairs("2d4")[0].dice.totals)
    laws = [found.faulty_law(k, Fraction(1, 3)) for k in range(8)]
    ratios = [law[4] / law[6] for law in laws]  # both have 3 ways in 16
    assert worst_ratio(found, Fraction(1, 3), 4, 6) == max(*ratios, *(1 / r for r in ratios))
    with pytest.raises(RulesError, match="9 can't be rolled"):
        worst_ratio(found, Fraction(1, 3), 4, 9)
