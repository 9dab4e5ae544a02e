"""The law of a roll as a table, and two rolls compared."""

from fractions import Fraction
from itertools import product
from statistics import pstdev

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.documents.drawings import bar
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.rolling import spread, versus

ROLLS = st.sampled_from(["d6", "2d6", "4d6kh3", "2d20kl1", "4dF", "2d6+3", "d8-d4", "5d10>=8"])


@given(ROLLS)
def test_a_spread_agrees_with_icepool_and_with_every_roll(text: str) -> None:
    found = spread(text)
    peer = icepool.Die(dict(zip(found.law, found.law.weights, strict=True)))
    dice = so.dice(text)
    rolled = [dice.total(faces) for faces in product(*(die.faces for die in dice.dice))]
    assert found.mean == peer.mean() == Fraction(sum(rolled), len(rolled))
    assert found.variance == peer.variance()
    assert found.std == pytest.approx(pstdev(rolled))
    for total in (*found.totals, min(found.totals) - 1, max(found.totals) + 1):
        least = sum(one >= total for one in rolled)
        assert found.at_least(total) == Fraction(least, len(rolled))
        assert found.at_most(total) == Fraction(sum(x <= total for x in rolled), len(rolled))


@given(ROLLS, ROLLS)
def test_versus_agrees_with_every_pair_of_totals(first: str, second: str) -> None:
    found = versus(first, second)
    pairs = [
        (x, y, p * q)
        for (x, p), (y, q) in product(found.first.law.items(), found.second.law.items())
    ]
    assert found.more == sum(p for x, y, p in pairs if x > y)
    assert found.equal == sum(p for x, y, p in pairs if x == y)
    assert found.less == sum(p for x, y, p in pairs if x < y) == versus(second, first).more
    assert found.difference == sum(p * (x - y) for x, y, p in pairs)


def test_a_contest_has_its_chances_as_fractions_and_shares() -> None:
    lines = [" ".join(line.split()) for line in str(so.versus("2d6", "d10").page()).splitlines()]
    assert lines[:6] == [
        "2d6 against d10",
        "",
        "2d6 is more 43/72 59.7222 %",
        "they are equal 11/120 9.1667 %",
        "2d6 is less 14/45 31.1111 %",
        "difference of the means 3/2 1.500000",
    ]


def test_what_is_not_shown_is_said() -> None:
    page = " ".join(str(spread("100d6", show=11)).split())
    assert "11 of 501 totals, 345 to 355: " in page
    assert "The others go from 100 to 600; show 501 to see them all." in page
    assert "…" not in page
    law = so.dice("100d6").totals.law
    share = law.cdf(355) - law.cdf(344)
    assert f": {100 * float(share):.4f} % of all rolls" in page
    assert "show" not in str(spread("100d6", show=501))
    assert "40 of 97 totals, 1 to 43: " in str(versus("10d10", "d6"))


def test_data_and_csv_hold_every_total() -> None:
    found = spread("30d6", show=1)
    data = found.to_dict()["totals"]
    assert [row["total"] for row in data] == list(range(30, 181))
    assert sum(Fraction(row["probability"]) for row in data) == 1
    assert data[0]["at_least"] == data[-1]["at_most"] == "1"
    lines = found.csv().splitlines()
    assert lines[0].startswith("total,probability,")
    assert len(lines) == 1 + 151
    assert len(versus("30d6", "d6", show=1).csv().splitlines()) == 1 + 6 + 151


def test_probabilities_of_more_digits_than_python_prints_are_data() -> None:
    found = spread(f"600d2{{1:1,2:{10**9 - 1}}}")
    all_ones = found.to_dict()["totals"][0]["probability"]
    assert (all_ones[:3], all_ones[3:].strip("0")) == ("1/1", "")
    assert len(all_ones) == len("1/") + 9 * 600 + 1


def test_bars_are_as_long_as_they_should_be() -> None:
    page = str(spread("2d6")).splitlines()
    bars = {int(line.split()[0]): line.count("█") for line in page if "█" in line}
    assert bars == {t: 20 * (6 - abs(t - 7)) // 6 for t in range(2, 13)}
    assert bar(Fraction(1, 10**9)) == "▏"
    for page in (spread("4d6kh3"), versus("4d6kh3", "2d6+3")):
        assert max(map(len, str(page).splitlines())) <= 80


@pytest.mark.parametrize(
    ("given", "says"),
    [("2d2{H,T}", "don't add up"), (None, "can't be rolled"), ("2x6", "is not dice")],
)
def test_what_is_no_total_is_refused(given: object, says: str) -> None:
    for make in (spread, lambda each: versus("d6", each)):
        with pytest.raises(so.SevenoutError, match=says):
            make(given)


def test_a_number_to_show_is_one_or_more() -> None:
    for show in (0, -1, "x", 1.5, True):
        with pytest.raises(RulesError, match="show="):
            spread("2d6", show=show)


def test_more_than_can_be_written_is_refused() -> None:
    many = spread("60d1000")
    assert "40 of 59,941 totals" in str(many)
    with so.budget(seconds=1), pytest.raises(TooMuchWorkError, match="59,941 totals"):
        many.to_dict()
