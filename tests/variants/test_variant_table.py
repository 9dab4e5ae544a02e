"""The census, its table, and everything that one might try to get past the table."""

import json
import os
import random
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

from sevenout.errors import FileError, RulesError, SevenoutError
from sevenout.variants import (
    Family,
    QueryError,
    VariantTable,
    census,
    classes,
    parse_variant,
    variant_name,
    variant_table,
    write_table,
)
from sevenout.variants.variant_table import COLUMNS, FIGURES


@pytest.fixture(scope="module")
def table():
    return VariantTable("2d4").build()


@pytest.fixture(scope="module")
def whole():
    return VariantTable(Family("2d6")).build()


@pytest.mark.parametrize(
    "family",
    [
        Family("2d4"),
        Family("d4+d6", labelling="canonical"),
        Family("2d4", symmetric=True),
        Family("2d4", n_craps=(0, 2), n_points=(2, 3)),
        Family("2d4", craps=[2, 5], outs=[5, 6], out_in="naturals"),
        Family({2: 10**9 + 7, 3: 10**9 + 9, 4: 10**9 + 21, 5: 998244353}),
    ],
    ids=str,
)
def test_columns_are_the_variants(family):
    everything = census(family)
    columns = everything.columns()
    assert len(everything) == len(columns["out"]) == family.size
    seen = set()
    for i in range(0, family.size, max(1, family.size // 500)):
        variant = everything.variant(i)
        seen.add(variant)
        assert variant in family
        p = Fraction(int(columns["p_num"][i]), int(columns["p_den"][i]))
        assert p == variant.p_win(family.dice)
        assert Fraction(int(everything.numerators[i]), everything.denominator) == p
        assert columns["p_win"][i] == pytest.approx(float(p), rel=1e-15)
        assert columns["edge"][i] == pytest.approx(float(1 - 2 * p), rel=1e-14, abs=1e-15)
        mean, variance = variant.mean_rolls(family.dice), variant.var_rolls(family.dice)
        assert columns["mean_rolls"][i] == pytest.approx(float(mean), rel=1e-14)
        assert columns["var_rolls"][i] == pytest.approx(float(variance), rel=1e-13)
        assert columns["out"][i] == variant.out
        assert columns["out_in_naturals"][i] == (variant.out in variant.naturals)
        sizes = (len(variant.craps), len(variant.naturals), len(variant.points(family.dice)))
        assert tuple(columns[f"n_{s}"][i] for s in ("craps", "naturals", "points")) == sizes
    assert len(seen) == len(range(0, family.size, max(1, family.size // 500)))
    if family.size < 10_000:
        assert {everything.variant(i) for i in range(family.size)} == set(family)
    fairest = everything.variant(columns["p_win"].argmax())
    assert float(fairest.p_win(family.dice)) == pytest.approx(columns["p_win"].max(), rel=1e-15)
    for index in (-1, family.size):
        with pytest.raises(IndexError, match="give a number from 0 to"):
            everything.variant(index)
    with pytest.raises(TypeError, match="float"):
        everything.variant(1.5)


def test_histogram():
    found = census(Family("2d6")).histogram
    assert int(found.counts.sum()) == 1_254_044
    assert sum(n for _, n in found.items()) == 1_254_044
    assert found[Fraction(5669, 11340)] == 80
    assert found["1/2"] == found[Fraction(1, 2)]
    with pytest.raises(RulesError, match="inexact"):
        _ = found[0.5]
    assert found[Fraction(1, 13)] == found[Fraction(1, 10**9)] == found[Fraction(2)] == 0
    assert max(p for p, _ in found.items() if p < Fraction(1, 2)) == Fraction(5669, 11340)


def test_parquet_is_the_whole_table(tmp_path):
    import duckdb

    path = tmp_path / "it's a table.parquet"
    family = Family("2d4")
    assert write_table(family, path) == family.size
    read = duckdb.read_parquet(str(path))
    assert tuple(read.columns) == tuple(COLUMNS)
    names = read.project("name, p_num, p_den").fetchall()
    assert len(names) == family.size
    assert {parse_variant(name) for name, _, _ in names} == set(family)
    for name, num, den in random.Random(5).sample(names, 50):
        assert parse_variant(name).p_win("2d4") == Fraction(num, den)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("path", ["nowhere/out.parquet", "."])
def test_parquet_that_can_not_be(tmp_path, path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError, match="can't write") as raised:
        write_table(Family("2d3"), path)
    assert "\n" not in str(raised.value)
    assert os.listdir(tmp_path) == []


def test_only_a_plain_file_is_written(tmp_path):
    """A pipe or a device is left as it is, and a link still leads where it led."""
    pipe, link, real = (tmp_path / name for name in ("pipe.csv", "link.parquet", "real.parquet"))
    os.mkfifo(pipe)
    link.symlink_to(real)
    for path in (pipe, "/dev/null", tmp_path / f"{'x' * 300}.csv"):
        with pytest.raises(FileError, match="can't write") as raised:
            write_table(Family("2d3"), path)
        assert "\n" not in str(raised.value)
    assert pipe.is_fifo()
    write_table(Family("2d3"), link)
    assert link.is_symlink()
    assert real.read_bytes()[:4] == b"PAR1"
    long = f"{'x' * 240}.parquet"
    write_table(Family("2d3"), tmp_path / long)
    assert sorted(os.listdir(tmp_path)) == ["link.parquet", "pipe.csv", "real.parquet", long]


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    path = tmp_path / "out.parquet"
    path.write_text("precious")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(FileError, match=r"out.parquet: No space left on device$"):
        write_table(Family("2d3"), path)
    assert path.read_text() == "precious"
    assert os.listdir(tmp_path) == [path.name]


def test_wide_numbers_stay_exact(tmp_path):
    """Beyond 64 bits p_num and p_den are still numbers, and beyond 38 digits exact text."""
    import duckdb

    heavy = {2: 10**9 + 7, 3: 10**9 + 9, 4: 10**9 + 21, 5: 998244353}
    path = tmp_path / "out.parquet"
    table = VariantTable(Family(heavy))
    write_table(Family(heavy), path)
    matched = sum(2 * v.p_win(heavy) < 1 for v in Family(heavy))
    assert table.query("p_num * 2 < p_den", top=0).matched == matched
    for name, num, den in duckdb.read_parquet(str(path)).project("name, p_num, p_den").fetchall():
        assert parse_variant(name).p_win(heavy) == Fraction(int(num), int(den))
    heavier = heavy | {6: 2**61 - 1, 7: 2**89 - 1}
    family = Family(heavier, outs=[2, 3])
    for row in VariantTable(family).query(top=50).rows:
        p = Fraction(int(row[COLUMN["p_num"]]), int(row[COLUMN["p_den"]]))
        assert p == parse_variant(row[0]).p_win(heavier)
    with pytest.raises(QueryError) as raised:
        VariantTable(family).query("p_num > 3")
    assert len(str(raised.value)) < 200


def test_questions(whole):
    rows = whole.query("p_win < 0.5", order_by="p_win desc, name", top=80)
    best = [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
    assert {(row["p_num"], row["p_den"]) for row in best} == {(5669, 11340)}
    assert whole.query("p_num = 5669 and p_den = 11340", top=0).matched == 80
    assert whole.query("p_num * 495 = 244 * p_den", top=0).matched == 31
    assert whole.query("p_win = 0.5").matched == 1_521
    assert whole.query(top=0).matched == 1_254_044
    (craps,) = whole.query("name = '2,3,12/7,11/7'").rows
    row = dict(zip(COLUMNS, craps, strict=True))
    assert (row["p_num"], row["p_den"], row["class_size"]) == (244, 495, 2)
    assert (row["craps"], row["naturals"], row["out"], row["out_in"]) == (
        "2,3,12",
        "7,11",
        7,
        "naturals",
    )
    same = whole.query(f"class = {row['class']}")
    assert {row[0] for row in same.rows} == {"2,3,12/7,11/7", "2,11,12/3,7/7"}
    assert whole.query("p_win < 0.5 and mean_rolls < 3").matched == 429_770


def test_pages_and_order(table):
    first = table.query(order_by="edge, name", top=50).rows
    again = table.query(order_by="edge, name", top=25).rows
    rest = table.query(order_by="edge, name", top=25, offset=25).rows
    assert first == again + rest
    edges = [row[COLUMN["edge"]] for row in first]
    assert edges == sorted(edges)
    assert table.query(order_by="round(p_win, 2) desc nulls last, n_points asc").matched == 8_428


COLUMN = {name: i for i, name in enumerate(COLUMNS)}


def test_classes_are_the_variants_with_equal_figures(table):
    """Against the rows one by one."""
    where = "p_win < 0.4"
    expected = {}
    for row in table.query(where, top=10_000).rows:
        figures = tuple(row[COLUMN[name]] for name in FIGURES)
        expected.setdefault(figures, []).append(row[COLUMN["name"]])
    found = table.classes(where, "class_size desc, name", top=10_000)
    assert found.matched == sum(map(len, expected.values()))
    assert found.classes == len(found.rows) == len(expected)
    for name, *figures, size in found.rows:
        assert name in expected[tuple(figures)]
        assert size == len(expected[tuple(figures)])
    sizes = [row[-1] for row in found.rows]
    assert sizes == sorted(sizes, reverse=True)
    few = table.classes(where, "class_size desc, name", top=2, offset=3)
    assert few.rows == found.rows[3:5]
    assert table.classes("p_win > 1").rows == []
    with pytest.raises(QueryError, match="top=-1"):
        table.classes(top=-1)
    with pytest.raises(QueryError, match="n_craps"):
        table.classes(order_by="n_craps")


def test_groups_are_the_variants_in_groups(table):
    """Against a count of the family itself, one by one."""
    expected = {}
    for variant in Family("2d4"):
        p = variant.p_win("2d4")
        expected.setdefault((len(variant.craps), variant.out), []).append(p)
    groups = table.groups("n_craps, out")
    assert groups.by == ("n_craps", "out")
    assert groups.group_count == len(groups.rows) == len(expected)
    for n_craps, out, variants, fair, least, mean, greatest, _ in groups.rows:
        found = expected[n_craps, out]
        assert (variants, fair) == (len(found), found.count(Fraction(1, 2)))
        edges = [float(1 - 2 * p) for p in found]
        assert [least, greatest] == pytest.approx([min(edges), max(edges)])
        assert mean == pytest.approx(sum(edges) / len(edges))
    few = table.groups("n_craps", "p_win < 0.2", top=1)
    assert few.rows[0][1] == table.query(f"p_win < 0.2 and n_craps = {few.rows[0][0]}").matched
    with pytest.raises(QueryError, match="top=-1"):
        table.groups("n_craps", top=-1)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [({"top": -1}, "top=-1"), ({"top": 10**6}, "10,000"), ({"offset": -2}, "offset=-2")],
)
def test_numbers_out_of_range(table, arguments, match):
    with pytest.raises(QueryError, match=match):
        table.query(**arguments)


def test_many_ask_at_once(table):
    expected = table.query("p_win < 0.5", "p_win desc, name", top=5).rows
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(
                lambda _: table.query("p_win < 0.5", "p_win desc, name", top=5).rows, range(40)
            )
        )
    assert found == [expected] * 40


def test_rows_as_data_and_in_print(table):
    from rich.console import Console

    rows = table.query("p_win < 0.5", "p_win desc", top=2)
    data = json.loads(json.dumps(rows.to_dict()))
    assert data["matched"] == rows.matched
    assert list(data["rows"][0]) == list(COLUMNS)
    console = Console(width=120, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(rows)
    console.file.close()
    assert rows.rows[0][0] in console.export_text()


def test_names_of_the_table_are_the_names(table):
    names = {row[0] for row in table.query(top=10_000).rows}
    assert names == {variant_name(variant) for variant in Family("2d4")}


def test_a_class_column_is_a_class(table):
    found = classes(Family("2d4"))
    for row in table.query(order_by="class_size desc, name", top=200).rows:
        assert row[COLUMN["class_size"]] == found.class_size(parse_variant(row[0]))


def test_too_many_for_a_table():
    for dice in ("2d7", "2d20"):
        with pytest.raises(SevenoutError, match="table has room for 6,000,000"):
            VariantTable(Family(dice)).query("p_win < 0.5")


def test_a_row_that_is_not_one_half_does_not_print_as_if():
    near = VariantTable({1: 10**9, 2: 10**9 + 1, 3: 1}).query("p_win <> 0.5").page()
    rows = near.blocks[0].printed()
    assert rows
    assert not {row[2] for row in rows} & {"50.000000 %"}
    assert not {row[3] for row in rows} & {"+0.000000 %", "0.000000 %"}


def test_a_slip_in_a_condition_is_told_before_the_table_is_built(monkeypatch, tmp_path):
    monkeypatch.setattr(variant_table, "_build", lambda _: pytest.fail("built"))
    for call in (
        lambda: VariantTable("2d6").query("p_win <"),
        lambda: VariantTable("2d6").groups("length(out)"),
        lambda: write_table("2d6", tmp_path / "x.csv", "length(out) = 2"),
    ):
        with pytest.raises(QueryError, match=r"^the table can't answer that: "):
            call()
