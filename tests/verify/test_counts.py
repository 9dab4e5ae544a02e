"""`sevenout test count` and `test needed`, as they are typed; confidence, as it is written."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sevenout.cli import main
from sevenout.verify import binomial_test, cells_of, chi_square, clopper_pearson, g_test, wilson
from sevenout.verify.counts import DataError, parse_confidence, percentage


def test_a_count_that_agrees_and_one_that_does_not(capsys):
    assert main(["test", "count", "244", "495", "--p", "244/495"]) == 0
    assert "244 of 495, that is 49.2929 %, agrees with 244/495." in capsys.readouterr().out
    assert (
        main(["test", "count", "5200", "1e4", "--p", "50%", "--confidence", "99%", "--json"]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    found = stats.binomtest(5200, 10_000, 0.5)
    assert data["p_value"] == pytest.approx(found.pvalue)
    interval = found.proportion_ci(0.99)
    assert data["clopper_pearson"] == pytest.approx([interval.low, interval.high])
    assert (data["agrees"], data["confidence"], data["z"]) == (False, "99/100", 4.0)


def test_how_many_games(capsys):
    assert main(["test", "needed", "1/2", "244/495"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "54,335 games or more tell 1/2 from 244/495: one-sided test, confidence 95 %, power 95 %."
    )
    assert main(["test", "needed", "1/2", "3/5", "--confidence", "99%", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["first"] <= data["stays"]
    assert data["confidence"] == "99/100"


@pytest.mark.parametrize(
    "words",
    [
        ["test", "count", "500", "495", "--p", "1/2"],
        ["test", "count", "-1", "495", "--p", "1/2"],
        ["test", "count", "1", "0", "--p", "1/2"],
        ["test", "count", "1", "2", "--p", "2"],
        ["test", "count", "1", "2", "--p", "x" * 5_000],
        ["test", "count", "1", "2", "--p", "9" * 5_000],
        ["test", "count", "1", "1e99", "--p", "1/2"],
        ["test", "count", "1", "2", "--p", "1/2", "--confidence", "95"],
        ["test", "count", "1", "2", "--p", "1/2", "--confidence", "sure"],
        ["test", "needed", "1/2", "1/2"],
        ["test", "needed", "1/2", "0"],
        ["test", "needed", "1/2", "1/3", "--power", "2"],
        ["test", "needed", "1/2", "1/3", "--confidence", "0"],
    ],
)
def test_what_is_refused_is_one_line(words, capsys):
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert len(error) < 400


@pytest.mark.parametrize("given", ["95%", "19/20", "0.95", Fraction(19, 20), "95.0%"])
def test_confidence_is_one_thing_in_every_spelling(given):
    assert parse_confidence(given) == Fraction(19, 20)
    assert percentage(parse_confidence(given)) == "95 %"
    assert clopper_pearson(3, 10, given) == clopper_pearson(3, 10)
    assert wilson(3, 10, given).confidence == Fraction(19, 20)


@pytest.mark.parametrize("given", [0.95, 95, 0, 1, True, None, "95", "100%", "", "-5%", [95]])
def test_what_is_no_confidence_is_said(given):
    with pytest.raises(DataError, match=r"^a confidence of .*95%"):
        parse_confidence(given)


@given(
    st.lists(st.integers(0, 400), min_size=2, max_size=8).filter(any),
    st.lists(st.integers(1, 30), min_size=8, max_size=8),
)
@settings(max_examples=200, deadline=None)
def test_fit_is_what_scipy_says(counts, weights):
    total = sum(weights[: len(counts)])
    law = {i: Fraction(w, total) for i, w in enumerate(weights[: len(counts)])}
    cells = cells_of(dict(enumerate(counts)), law)
    pooled = cells.pooled()
    expected = [float(pooled.n * p) for p in pooled.probabilities]
    for test, power in ((chi_square, "pearson"), (g_test, "log-likelihood")):
        found = test(cells)
        if len(expected) < 2:
            assert found.p_value == 1
            continue
        theirs = stats.power_divergence(pooled.observed, expected, lambda_=power)
        assert found.statistic == pytest.approx(float(theirs.statistic), rel=1e-9, abs=1e-9)
        assert found.p_value == pytest.approx(float(theirs.pvalue), rel=1e-7)


@given(st.integers(1, 2_000), st.fractions(0, 1), st.fractions("1/50", "49/50"))
@settings(max_examples=100, deadline=None)
def test_a_share_is_what_scipy_says(n, share, p):
    hits = round(n * share)
    for alternative in ("two-sided", "less", "greater"):
        theirs = stats.binomtest(hits, n, float(p), alternative)
        assert binomial_test(hits, n, p, alternative).p_value == theirs.pvalue
    low = stats.beta.ppf(0.05, hits, n - hits + 1) if hits else 0.0
    assert clopper_pearson(hits, n, "90%").low == pytest.approx(low, abs=1e-12)
