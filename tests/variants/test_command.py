"""`sevenout variants`, as it is typed."""

import json
from csv import DictReader
from fractions import Fraction
from pathlib import Path

import pytest

from sevenout.cli import main
from sevenout.variants import Family, parse_variant
from sevenout.variants.variant_table import COLUMNS


@pytest.fixture
def said(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")

    def run(**arguments):
        assert main(words(arguments)) == 0
        return capsys.readouterr().out

    return run


def words(arguments):
    """The command line of some arguments."""
    said = ["variants"]
    for name, value in arguments.items():
        option = f"--{name.replace('_', '-')}"
        said.append(option if value is True else f"{option}={value}")
    return said


def test_side_by_side(said):
    text = said()
    for figure in ("229,858", "1,254,044", "5039/10080", "5669/11340", "1.62100079", "21,529"):
        assert figure in text
    data = json.loads(said(json=True))
    assert data["canonical"] == {
        "family": "2d6, canonical",
        "variants": 229_858,
        "fairest": "5039/10080",
        "attained_by": 12,
        "between_craps_and_half": 3_726,
        "exactly_fair": 339,
        "exactly_craps": 7,
        "distinct": 6_905,
        "classes": 52_499,
    }
    whole = data["all"]
    assert (whole["exactly_fair"], whole["exactly_craps"], whole["distinct"]) == (1521, 31, 11_476)


def test_fairest(said):
    text = said(fairest=True, top=2)
    assert "5669/11340" in text
    assert "and 78 more" in text
    assert "and 1,519 more" in text  # exactly fair
    data = json.loads(said(dice="2d20", fairest=True, top=1, json=True))["below"]
    assert data["multiplicity"] == 945_510_400
    assert len(data["variants"]) == 1
    assert "9,368" not in data["proof"]
    fair = json.loads(said(fairest=True, top=3, json=True))
    assert [fair[side]["p_win"] for side in ("below", "at", "above")] == [
        "5669/11340",
        "1/2",
        "4537/9072",
    ]
    assert (fair["at"]["multiplicity"], len(fair["at"]["variants"])) == (1_521, 3)
    near = json.loads(said(target="0.495", json=True))
    assert near["below"]["p_win"] == "1871/3780"


def test_count_and_classes(said):
    assert said(count="244/495..1/2").startswith("21,529 of 1,254,044 variants")
    assert json.loads(said(count="244/495..1/2", canonical=True, json=True))["count"] == 3_726
    text = said(classes=True)
    for figure in ("627,202", "124,752", "31,998", "11,476", "no swap relates them"):
        assert figure in text
    data = json.loads(said(classes=True, json=True, dice="2d4"))
    assert data["variants"] == 8_428
    assert data["classes"] < data["mirror_classes"]


def test_a_designers_constraints(said):
    """The family of the docs, by words; and without a question, its fairest."""
    plain = {"outs": "7", "out_in": "naturals", "craps": "2,3,12", "n_craps": "1-3"}
    data = json.loads(said(**plain, target="0.495", json=True))
    near = min(data["below"], data["above"], key=lambda side: side["distance"])
    assert (data["size"], near["p_win"]) == (2_425, "6887/13860")
    assert json.loads(said(**plain, n_points="6", naturals="7,11", count="0..1", json=True))[
        "count"
    ] == sum(1 for _ in Family("2d6", outs=[7], craps=[2, 3, 12], naturals=[7, 11], n_points=6))
    assert json.loads(said(dice="2d4", symmetric=True, where="true", json=True))["matched"] == 168
    assert "out in the naturals" in said(**plain)


def test_equal_ends_count_that_probability(said):
    assert said(count="1/2..0.5").startswith("1,521 of 1,254,044 variants")


def test_table(said, tmp_path):
    path = tmp_path / "out.parquet"
    question = {"where": "p_win < 0.5 and mean_rolls < 3", "order_by": "p_win desc"}
    assert "4 of 429,770 variants" in said(**question, top=4)
    assert said(**question, output=path).startswith("429,770 variants written to")
    assert path.stat().st_size > 1_000_000
    data = json.loads(said(dice="2d4", order_by="edge", top=3, json=True))
    assert (data["matched"], len(data["rows"])) == (8_428, 3)


def test_rows_as_csv(said, tmp_path):
    """What a condition keeps, every column and row of it; of groups, the groups."""
    path = tmp_path / "fair.csv"
    assert said(dice="2d4", where="p_win = 1/2", output=path).startswith("52 variants written to")
    with path.open(newline="") as file:
        rows = list(DictReader(file))
    fair = {v for v in Family("2d4") if v.p_win("2d4") == Fraction(1, 2)}
    assert {parse_variant(row["name"]) for row in rows} == fair
    assert list(rows[0]) == list(COLUMNS)
    groups = tmp_path / "groups.csv"
    assert "5 groups written to" in said(dice="2d4", by="n_craps", output=groups)
    rows = json.loads(said(dice="2d4", by="n_craps", json=True))["rows"]
    assert sum(row["variants"] for row in rows) == 8_428
    with groups.open(newline="") as file:
        assert sum(int(row["variants"]) for row in DictReader(file)) == 8_428


def test_more_rows_than_are_fetched_at_once(said):
    text = said(dice="2d5", where="true", top=10_500)
    names = [line.split()[0] for line in text.splitlines() if line.count("/") == 3]
    assert len(names) == len(set(names)) == 10_500
    assert "10,001 to 10,500 of" in text
    assert len(json.loads(said(dice="2d5", where="true", top=10_001, json=True))["rows"]) == 10_001


@pytest.mark.parametrize(
    "arguments",
    [
        {"dice": "2x6"},
        {"where": "p_win < (select 1)"},
        {"order_by": "nonsense"},
        {"count": "1/2..0"},
        {"count": "a..b"},
        {"target": "2"},
        {"dice": "2d20", "where": "p_win < 0.5"},
        {"dice": "d3{H,T,-}"},
        {"where": "true", "parquet": "nowhere/x.parquet"},
        {"fairest": True, "where": "p_win < 0.5"},
        {"count": "0..1", "classes": True},
        {"target": "1/3", "order_by": "p_win"},
        {"csv": "/"},
        {"parquet": "/"},
        {"by": "n_craps", "order_by": "p_win"},
        {"by": "n_craps", "parquet": "v.parquet"},
        {"by": "nonsense"},
        {"by": "count(*)"},
        {"by": "n_craps", "fairest": True},
        {"dice": "2d20", "top": 10**9, "json": True, "where": "true"},
        {"target": "1e999999999999"},
        {"craps": "2;3"},
        {"outs": "13"},
        {"n_craps": "4-2"},
        {"n_craps": "many"},
    ],
)
def test_bad_input_is_one_line(arguments, capsys):
    assert main(words(arguments)) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert len(err) < 400


@pytest.mark.parametrize("words", [["--output", "v.txt"], ["--output", "v"]])
def test_a_wrong_file_name_is_refused_by_its_option(words, capsys):
    assert main(["variants", "--dice", "2d3", *words]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert f"{words[0]}: {words[1]}: " in err
    assert "end the name with one" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("option", ["--parquet", "--csv"])
def test_a_file_of_any_format_is_one_option(option, capsys):
    assert main(["variants", "--dice", "2d3", option, "v.csv"]) == 2
    assert (
        capsys.readouterr().err
        == f"sevenout: sevenout variants has no option {option}: write --output\n"
    )


def test_results_print_everywhere():
    from sevenout.variants import Family, classes, fairest, overview, tune

    opened = Path(__file__).parents[2] / "docs/examples/fast-craps-open.toml"

    for result, figure in (
        (fairest(Family("2d6")), "5669/11340"),
        (overview("2d6"), "229,858"),
        (classes(Family("2d6")), "124,752"),
        (tune(opened, edge="0..10%", top=2), "5.0223 %"),
        (tune(opened, edge=0), "of 14,112 tables"),
    ):
        assert figure in str(result)
        assert figure in result._repr_html_()
        assert json.dumps(result.to_dict())
