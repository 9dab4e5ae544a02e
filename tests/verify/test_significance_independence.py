"""Runs, serial pairs and pairs of dice: against every order, against SciPy, and at their level."""

from collections import Counter
from itertools import pairwise, permutations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sevenout.verify import DataError, pairs_test, runs_test, serial_test


@given(st.lists(st.integers(1, 3), min_size=3, max_size=7))
def test_runs_have_the_mean_and_variance_of_all_orders(rolls):
    runs = [1 + sum(a != b for a, b in pairwise(order)) for order in permutations(rolls)]
    mean, variance = np.mean(runs), np.var(runs)
    seen = 1 + sum(a != b for a, b in pairwise(rolls))
    found = runs_test(rolls)
    if variance < 1e-9:
        assert (found.p_value, found.statistic) == (1.0, 0.0)
    else:
        assert found.statistic == pytest.approx((seen - mean) / sqrt(variance))


def test_serial_pairs_are_scipys_contingency_table():
    rolls = list(map(int, np.random.default_rng(8).integers(1, 5, 400)))
    joint = Counter(pairwise(rolls))
    table = [[joint[a, b] for b in range(1, 5)] for a in range(1, 5)]
    theirs = stats.chi2_contingency(table, correction=False)
    found = serial_test(rolls)
    assert (found.statistic, found.df) == (pytest.approx(theirs.statistic), 9)
    assert found.p_value == pytest.approx(theirs.pvalue)
    far = serial_test(rolls, lag=2)
    assert far.name == "pairs 2 apart"
    assert far.statistic != pytest.approx(found.statistic)


@given(st.lists(st.lists(st.integers(10, 60), min_size=3, max_size=3), min_size=2, max_size=4))
def test_any_table_of_pairs_is_scipys(table):
    pairs = [(a, b) for a, row in enumerate(table) for b, n in enumerate(row) for _ in range(n)]
    first, second = zip(*pairs, strict=True)
    found = pairs_test(first, second, shuffles=1)
    theirs = stats.chi2_contingency(table, correction=False)
    assert (found.statistic, found.df) == (pytest.approx(theirs.statistic, abs=1e-9), theirs.dof)
    if theirs.expected_freq.min() >= 5:
        assert found.p_value == pytest.approx(theirs.pvalue)


def test_sparse_pairs_are_fishers_exact_test():
    first, second = [1] * 8 + [2] * 8, [1] * 7 + [2] + [1] * 2 + [2] * 6
    exact = stats.fisher_exact([[7, 1], [2, 6]]).pvalue
    found = pairs_test(first, second, seed=2)
    assert found.error is not None
    assert abs(found.p_value - exact) < 5 * found.error


def test_what_depends_is_found():
    rng = np.random.default_rng(5)
    faces = list(map(int, rng.integers(1, 7, 600)))
    sticky = [1]
    for face, again in zip(faces, rng.random(600) < 0.2, strict=True):
        sticky.append(sticky[-1] if again else face)
    assert runs_test(sticky).p_value < 1e-6
    assert serial_test(sticky).p_value < 1e-6
    assert pairs_test(faces, [min(6, face + 1) for face in faces]).p_value < 1e-6
    alternating = [1, 2] * 100
    assert runs_test(alternating).statistic > 10


def test_one_face_only_is_nothing_to_depend_on():
    assert runs_test([6] * 100).p_value == 1.0
    assert pairs_test([6] * 100, [1, 2] * 50).p_value == 1.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: runs_test([1]), "1 rolls"),
        (lambda: serial_test([1, 2], lag=2), "lag of 2"),
        (lambda: serial_test([1, 2], lag=0), "lag of 0"),
        (lambda: serial_test([1]), "too few rolls for a pair, 1"),
        (lambda: pairs_test([1, 2], [1]), "2 and 1 faces"),
        (lambda: pairs_test([], []), "0 and 0"),
    ],
)
def test_bad_input_is_refused(call, words):
    with pytest.raises(DataError, match=words):
        call()


def test_false_alarm_rates():
    """1,000 sequences of 300 rolls of a loaded die, which forgets: at level 5 %, 5 % ± 2.8 %.

    That is four standard errors; the seed is fixed.
    """
    rng = np.random.default_rng(77)
    rolls = rng.choice(6, (1000, 300), p=np.array([1, 1, 1, 1, 1, 2]) / 7)
    others = rng.integers(0, 6, (1000, 300))
    alarms = Counter()
    for a, b in zip(rolls.tolist(), others.tolist(), strict=True):
        alarms["runs"] += runs_test(a).p_value <= 0.05
        alarms["serial"] += serial_test(a, shuffles=200).p_value <= 0.05
        alarms["pairs"] += pairs_test(a, b, shuffles=200).p_value <= 0.05
    assert len(alarms) == 3
    for name, count in alarms.items():
        assert 0.022 <= count / 1000 <= 0.078, name
