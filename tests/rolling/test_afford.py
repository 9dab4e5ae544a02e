"""What would take too long is refused at once, in one line, by an estimate made beforehand."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.cli import main
from sevenout.errors import SevenoutError
from sevenout.papers.dice_pictures import cells, face_sheet
from sevenout.rolling import (
    comparison,
    designs,
    mean_change,
    ranked_pairs,
    relabelled,
    sensitivity,
    shares_law,
    tatham,
)
from sevenout.rolling.relabel import _split_count, _splits

SHARES = shares_law(Fraction(1, 20))


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: ranked_pairs("2d1000"), "1,999 totals; ranked pairs can be found for up to 300"),
        (lambda: ranked_pairs("2d100"), "all ranked pairs on d100 and d100 would take"),
        (lambda: ranked_pairs("d2+d1000"), "1,001 totals"),
        (lambda: relabelled("100d6"), "fewer dice"),
        (lambda: relabelled("30d2"), None),
        (lambda: sensitivity(so.dice("1000d6").totals), "choose fewer dice or sides"),
        (lambda: sensitivity(so.dice("2d10000").totals), "choose fewer dice or sides"),
        (lambda: sensitivity(so.dice("1000d6")), "choose fewer dice or sides"),
        (lambda: comparison(designs(300), Fraction(1, 4)), "choose fewer dice or sides"),
        (lambda: designs(100_000), "designs for dice with 100000 sides"),
        (lambda: mean_change(so.d6, SHARES, draws=10**12), "1,000,000,000,000 draws would take"),
        (lambda: mean_change(so.d6, SHARES, draws=10**400), "this many draws would take"),
        (lambda: tatham(10**15), "ranked dice with 1000000000000000 sides"),
        (lambda: cells(1000), "a grid of 1,000 by 1,000"),
        (lambda: face_sheet(Path("never.svg"), 10_000), "a sheet of 10000 faces"),
    ],
)
def test_too_much_is_refused_at_once(ask, says: str | None) -> None:
    if says is None:
        assert ask()
    else:
        with pytest.raises(SevenoutError, match=says) as error:
            ask()
        assert len(str(error.value)) < 400
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "line",
    [
        "relabel --ranked 2d1000",
        "relabel 100d6",
        "faults 1000d6",
        "faults 2d10000",
        "faults 2d6 --draws 1000000000000",
        "faults --sides 1000",
        "no-seven --sides 1000",
        "no-seven --sides 1000000000000",
    ],
)
def test_the_commands_refuse_it_in_one_line(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", *line.split()]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("sevenout: ")
    assert err.count("\n") == 1
    assert len(err) < 400


def test_a_die_of_ten_thousand_faces_is_not_tested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rolls = tmp_path / "rolls.csv"
    rolls.write_text("1\n2\n3\n")
    assert main(["test", "dice", str(rolls), "--dice", "d10000"]) == 2
    assert "a test of 10,000 faces by Monte Carlo would take" in capsys.readouterr().err


def test_the_dice_without_a_seven_are_tested_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rolls = tmp_path / "rolls.csv"
    rolls.write_text("total\n8\n6\n9\n")
    assert main(["test", "dice", str(rolls), "--dice", "no-seven"]) == 0
    rolls.write_text("total\n8\n7\n9\n")
    assert main(["test", "dice", str(rolls), "--dice", "no-seven"]) == 2
    assert "'7' is not a total" in capsys.readouterr().err


@given(st.integers(0, 6), st.lists(st.integers(0, 4), max_size=4))
def test_like_things_are_given_out_in_every_way(times: int, caps: list[int]) -> None:
    every = {s for s in product(*(range(c + 1) for c in caps)) if sum(s) == times}
    assert len(found := list(_splits(times, caps))) == len(every) == _split_count(times, caps)
    assert set(found) == every
