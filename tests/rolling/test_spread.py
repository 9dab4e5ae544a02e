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
from sevenout.errors import NotationError, RulesError, TooMuchWorkError
from sevenout.rolling import spread, versus

ROLLS = st.sampled_from(["d6", "2d6", "4d6kh3", "2d20kl1", "4dF", "2d6+3", "d8-d4", "5d10>=8"])


@given(ROLLS)
def test_a_spread_agrees_with_icepool_and_with_every_roll(text: str) -> None:
    score = spread(text)
    peer = icepool.Die(dict(zip(score.law, score.law.weights, strict=True)))
    dice = so.dice(text)
    rolled = [dice.total(faces) for faces in product(*(die.faces for die in dice.dice))]
    assert score.mean == peer.mean() == Fraction(sum(rolled), len(rolled))
    assert score.variance == peer.variance()
    assert score.std == pytest.approx(pstdev(rolled))
    for total in (*score.totals, min(score.totals) - 1, max(score.totals) + 1):
        least = sum(one >= total for one in rolled)
        assert score.at_least(total) == Fraction(least, len(rolled))
        assert score.at_most(total) == Fraction(sum(x <= total for x in rolled), len(rolled))


@given(ROLLS, ROLLS)
def test_versus_agrees_with_every_pair_of_totals(first: str, second: str) -> None:
    contest = versus(first, second)
    pairs = [
        (x, y, p * q)
        for (x, p), (y, q) in product(contest.first.law.items(), contest.second.law.items())
    ]
    assert contest.more == sum(p for x, y, p in pairs if x > y)
    assert contest.equal == sum(p for x, y, p in pairs if x == y)
    assert contest.less == sum(p for x, y, p in pairs if x < y) == versus(second, first).more
    assert contest.difference == sum(p * (x - y) for x, y, p in pairs)


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
    score = spread("30d6", show=1)
    data = score.to_dict()["totals"]
    assert [row["total"] for row in data] == list(range(30, 181))
    assert sum(Fraction(row["probability"]) for row in data) == 1
    assert data[0]["at_least"] == data[-1]["at_most"] == "1"
    lines = score.csv().splitlines()
    assert lines[0].startswith("total,probability,")
    assert len(lines) == 1 + 151
    assert len(versus("30d6", "d6", show=1).csv().splitlines()) == 1 + 6 + 151


def test_probabilities_of_more_digits_than_python_prints_are_data() -> None:
    score = spread(f"600d2{{1:1,2:{10**9 - 1}}}")
    all_ones = score.to_dict()["totals"][0]["probability"]
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


def lines_of(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip("━─ ")]


def test_a_spread_is_printed_and_written_whole() -> None:
    result = spread("2d2")
    assert lines_of(str(result)) == [
        "2d2",
        "mean 3 3.000000",
        "standard deviation 0.707107",
        "total probability at least at most",
        "2 1/4 25.0000 % ██████████ 100.0000 % 25.0000 %",
        "3 1/2 50.0000 % ████████████████████ 75.0000 % 75.0000 %",
        "4 1/4 25.0000 % ██████████ 25.0000 % 100.0000 %",
    ]
    assert repr(result) == "<Spread of 2d2, mean 3>"
    assert result.to_dict() == {
        "dice": "2d2",
        "mean": "3",
        "variance": "1/2",
        "standard_deviation": 0.5**0.5,
        "totals": [
            {"total": 2, "probability": "1/4", "at_least": "1", "at_most": "1/4"},
            {"total": 3, "probability": "1/2", "at_least": "3/4", "at_most": "3/4"},
            {"total": 4, "probability": "1/4", "at_least": "1/4", "at_most": "1"},
        ],
    }


def test_a_spread_without_a_highest_total_is_printed_and_written_whole() -> None:
    result = spread("d2!", show=2)
    lines = lines_of(str(result))
    assert lines[:4] == [
        "d2!",
        "mean 3 3.000000",
        "standard deviation 2.828427",
        "total probability at least at most",
    ]
    assert lines[4] == "1 50.0000 % ████████████████████ 100.0000 % 50.0000 %"
    assert lines[5] == "3 25.0000 % ██████████ 50.0000 % 75.0000 %"
    assert lines[-1].startswith("There is no highest total: ")
    assert repr(result) == "<UnboundedSpread of d2!, mean 3>"
    data = result.to_dict()
    assert data["totals"][:2] == [
        {"total": 1, "probability": "1/2", "at_least": "1"},
        {"total": 3, "probability": "1/4", "at_least": "1/2"},
    ]
    assert {key: data[key] for key in data if key != "totals"} == {
        "dice": "d2!",
        "mean": "3",
        "variance": "8",
        "standard_deviation": 8**0.5,
        "least": 1,
        "generating_function": "(1) / (2 - z^2)",
    }


def test_a_contest_is_printed_and_written_whole() -> None:
    result = versus("d2", "2d2")
    assert lines_of(str(result))[5:] == [
        "d2",
        "mean 3/2 1.500000",
        "standard deviation 0.500000",
        "2d2",
        "mean 3 3.000000",
        "standard deviation 0.707107",
        "total d2 at least 2d2 at least",
        "1 50.0000 % ██████████ 100.0000 % – 100.0000 %",
        "2 50.0000 % ██████████ 50.0000 % 25.0000 % █████ 100.0000 %",
        "3 – 0.0000 % 50.0000 % ██████████ 75.0000 %",
        "4 – 0.0000 % 25.0000 % █████ 25.0000 %",
    ]
    assert repr(result) == "<Versus of d2 and 2d2: more 0, equal 1/8>"
    assert result.to_dict() == {
        "more": "0",
        "equal": "1/8",
        "less": "7/8",
        "difference": "-3/2",
        "first": spread("d2").to_dict(),
        "second": spread("2d2").to_dict(),
    }
    assert result.csv().splitlines() == [
        'total,1: d2,"1: d2, decimal",2: 2d2,"2: 2d2, decimal"',
        "1,1/2,0.5,0,0.0",
        "2,1/2,0.5,1/4,0.25",
        "3,0,0.0,1/2,0.5",
        "4,0,0.0,1/4,0.25",
    ]


def test_totals_left_out_of_a_contest_are_counted_with_their_probability() -> None:
    # as many rolls of each: 1 is 1/4 of both together, 2 is 3/8, 3 is 1/4 and 4 is 1/8
    page = " ".join(str(versus("2d2", "d2", show=2)).split())
    assert "2 of 4 totals, 1 to 2: 62.5000 % of all rolls" in page


def test_totals_without_end_are_not_listed() -> None:
    contest = versus("d6!", "d8")
    assert not hasattr(contest.first, "likeliest")
    for listed in (lambda: contest.totals, contest.csv, contest.first.csv):
        with pytest.raises(
            NotationError, match="no highest total, so their totals can't be listed"
        ):
            listed()
