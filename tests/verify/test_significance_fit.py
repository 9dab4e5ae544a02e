"""Goodness of fit: against SciPy, against brute force, and at the level it promises."""

from fractions import Fraction
from itertools import product
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sevenout.rolling import Law, d6, parse_dice
from sevenout.verify import (
    Cells,
    DataError,
    Pooled,
    cells_of,
    chi_square,
    fit_power,
    g_test,
    multinomial_test,
    pairs_test,
)
from sevenout.verify.significance_tests import (
    _rarer_than_draws,
    divergence,
    table_count,
    table_weight,
    tables,
)

COUNTS = st.lists(st.integers(20, 400), min_size=2, max_size=8)


@given(COUNTS, st.data())
def test_statistics_are_scipys(counts, data):
    weights = data.draw(st.lists(st.integers(2, 9), min_size=len(counts), max_size=len(counts)))
    law = Law(dict(enumerate(weights)))
    cells = cells_of(dict(enumerate(counts)), law)
    expected = [float(e) for e in cells.expected]
    for mine, kind in ((chi_square, "pearson"), (g_test, "log-likelihood")):
        found = mine(cells, min_expected=0)
        theirs = stats.power_divergence(counts, expected, lambda_=kind)
        assert found.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-9)
        assert found.p_value == pytest.approx(theirs.pvalue, rel=1e-9, abs=1e-300)
        assert found.df == len(counts) - 1


def test_knuth_example():
    # Knuth, The Art of Computer Programming 3.3.1: 144 throws of two dice
    counts = dict(zip(range(2, 13), [2, 4, 10, 12, 22, 29, 21, 15, 14, 9, 6], strict=True))
    cells = cells_of(counts, parse_dice("2d6").totals.law)
    assert chi_square(cells, min_expected=4).statistic == pytest.approx(7 + 7 / 48)
    assert chi_square(cells, min_expected=4).df == 10


@given(st.integers(1, 10**6), st.integers(-(10**4), 10**4))
def test_divergence_is_the_logarithm_it_stands_for(expected, excess):
    excess = max(excess, -expected)
    seen = expected + excess
    plain = (seen * log(seen / expected) if seen else 0) - excess
    assert divergence(float(expected), float(excess)) == pytest.approx(plain, abs=2e-9 * expected)


def test_g_keeps_its_digits_at_ten_to_the_fifteen():
    n = 10**15
    cells = Cells((0, 1), (n // 2 + 10**7, n // 2 - 10**7), (Fraction(1, 2), Fraction(1, 2)))
    # 2 Σ E (x²/2 + x⁴/12 + ...) with x = ±2·10⁻⁸
    assert g_test(cells).statistic == pytest.approx(0.4, rel=1e-12)
    assert chi_square(cells).statistic == pytest.approx(0.4, rel=1e-12)


def multinomial_by_brute_force(counts, law):
    """Roll every sequence; the exact p-value."""
    n, faces = sum(counts.values()), tuple(law)
    seen = {}
    for rolls in product(faces, repeat=n):
        table = tuple(rolls.count(face) for face in faces)
        p = Fraction(1)
        for face in rolls:
            p *= law[face]
        seen[table] = seen.get(table, Fraction(0)) + p
    bar = seen[tuple(counts.get(face, 0) for face in faces)]
    return sum(p for p in seen.values() if p <= bar)


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4), st.data())
@settings(max_examples=40, deadline=None)
def test_exact_multinomial_is_brute_force(weights, data):
    law = Law(dict(enumerate(weights)))
    rolls = data.draw(st.lists(st.sampled_from(sorted(law)), min_size=1, max_size=5))
    counts = {face: rolls.count(face) for face in law}
    found = multinomial_test(cells_of(counts, law))
    assert found.exact == multinomial_by_brute_force(counts, law)
    assert found.error is None


@pytest.mark.parametrize("hits", [0, 3, 7, 12, 20])
def test_exact_multinomial_of_two_cells_is_the_binomial_test(hits):
    law = Law({"hit": 1, "miss": 2})
    found = multinomial_test(cells_of({"hit": hits, "miss": 20 - hits}, law))
    assert found.p_value == pytest.approx(stats.binomtest(hits, 20, 1 / 3).pvalue, rel=1e-9)


def test_monte_carlo_agrees_with_enumeration():
    cells = cells_of({1: 3, 2: 9, 3: 2, 4: 5, 5: 4, 6: 7}, d6.law)
    exact = multinomial_test(cells)
    drawn = multinomial_test(cells, max_orbits=0, seed=5)
    assert exact.exact is not None
    assert drawn.exact is None
    # five standard errors: a false alarm in 1.7 million, at a fixed seed
    assert abs(drawn.p_value - exact.p_value) < 5 * drawn.error
    assert drawn == multinomial_test(cells, max_orbits=0, seed=5)
    assert drawn != multinomial_test(cells, max_orbits=0, seed=6)


@given(st.integers(0, 9), st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(sorted))
def test_orbits_cover_every_table_once(n, kinds):
    listed = list(tables(n, kinds))
    assert table_count(n, kinds) == len(listed)
    assert sum(size for _, size in listed) == comb(n + len(kinds) - 1, len(kinds) - 1)
    assert all(sum(table) == n for table, _ in listed)
    weights = ["abc".index(k) + 1 for k in kinds]
    assert sum(table_weight(t, weights) * size for t, size in listed) == sum(weights) ** n


@given(st.lists(st.integers(0, 200), min_size=2, max_size=6).filter(sum))
def test_the_statistic_is_the_log_probability(counts):
    law = Law({i: i + 1 for i in range(len(counts))})
    found = multinomial_test(cells_of(dict(enumerate(counts)), law), max_orbits=0, draws=1)
    p = [float(x) for x in law.values()]
    theirs = stats.multinomial.logpmf(counts, sum(counts), p)
    assert found.statistic == pytest.approx(theirs, rel=1e-9, abs=1e-8)


@pytest.mark.parametrize("off", [0, 1, 2, 3])
def test_monte_carlo_is_the_chi_square_limit_for_many_rolls(off):
    # at 10^12 rolls the limit law is exact to many digits; moved by `off` standard deviations
    n, law = 10**12, Law({1: 1, 2: 2, 3: 3})
    moved = off * round((n / 6 * 5 / 6) ** 0.5)
    cells = cells_of({1: n // 6 + moved, 2: n // 3, 3: n - n // 6 - n // 3 - moved}, law)
    found = multinomial_test(cells, draws=20_000)
    assert abs(found.p_value - chi_square(cells).p_value) < 5 * max(found.error, 1e-4)


@pytest.mark.parametrize("n", [700, 10**6, 10**15])
def test_many_rolls_are_never_enumerated(n):
    cells = cells_of({1: n // 6, 2: n // 3, 3: n - n // 6 - n // 3}, Law({1: 1, 2: 2, 3: 3}))
    found = multinomial_test(cells, draws=2000)
    assert found.error is not None
    assert found.p_value > 0.9  # the likeliest table, or next to it


def test_pooling_takes_the_smallest_together():
    law = Law({"a": 50, "b": 40, "c": 4, "d": 3, "e": 3})
    pooled = cells_of({"a": 55, "b": 35, "c": 5, "e": 5}, law).pooled()
    assert pooled.outcomes == ("a", "b", Pooled(("c", "d", "e")))
    assert pooled.observed == (55, 35, 10)
    assert sum(pooled.probabilities) == 1


def test_pooling_joins_neighbours_where_there_is_an_order():
    law = Law({1: 2, 2: 2, 3: 2, 4: 10, 5: 1})
    pooled = cells_of({1: 4, 2: 3, 3: 2, 4: 8}, law, ordered=True).pooled()
    assert [str(x) for x in pooled.outcomes] == ["1 or 2 or 3", "4 or 5"]
    assert pooled.observed == (9, 8)


@given(
    st.dictionaries(st.integers(0, 30), st.integers(1, 50), min_size=1, max_size=15),
    st.integers(1, 200),
    st.booleans(),
)
def test_pooled_cells_keep_the_total_and_are_not_sparse(weights, n, ordered):
    law = Law(weights)
    cells = cells_of({next(iter(law)): n}, law, ordered=ordered)
    pooled = cells.pooled()
    assert sum(pooled.probabilities) == 1
    assert pooled.n == n
    assert len(pooled.outcomes) == 1 or min(pooled.expected) >= 5
    # the rule may not look at what was observed
    other = cells_of({list(law)[-1]: n}, law, ordered=ordered).pooled()
    assert other.outcomes == pooled.outcomes


def test_what_can_not_occur_is_refuted_at_once():
    cells = cells_of({1: 100, 2: 90, 7: 1}, Law({1: 1, 2: 1}))
    for test in (chi_square, g_test, multinomial_test):
        assert test(cells).p_value == 0.0
        assert "can't occur" in test(cells).note


def test_too_little_to_tell():
    found = chi_square(cells_of({1: 1}, d6.law))
    assert (found.p_value, found.df) == (1.0, 0)


@pytest.mark.parametrize(
    ("counts", "words"),
    [({1: -1}, "-1"), ({1: 1.5}, "1.5"), ({1: "x"}, "'x'"), ({}, "nothing"), ({1: 0}, "nothing")],
)
def test_bad_counts_are_refused(counts, words):
    with pytest.raises(DataError, match=words):
        cells_of(counts, d6.law)


def test_false_alarm_rates():
    """Under the null, at level 5 %, over 2,000 samples of 300 rolls with a fixed seed.

    The rate of a right test has a standard error of 0.49 %; allowed is 5 % ± 2 % (four of them).
    """
    law = parse_dice("2d6").totals.law
    p = np.array([float(x) for x in law.values()])
    drawn = np.random.default_rng(2024).multinomial(300, p / p.sum(), 2000)
    alarms = {"chi-square": 0, "G": 0}
    for row in drawn:
        cells = cells_of(dict(zip(law, map(int, row), strict=True)), law)
        for check in (chi_square(cells), g_test(cells)):
            alarms[check.name] += check.p_value <= 0.05
    for name, count in alarms.items():
        assert 0.03 <= count / 2000 <= 0.07, name


def test_false_alarm_rate_of_the_exact_test_is_its_level_exactly():
    law = Law({1: 1, 2: 2, 3: 3})
    p = [float(x) for x in law.values()]
    for alpha in (0.01, 0.05, 0.2):
        rate = 0.0
        for table, size in tables(12, "abc"):
            found = multinomial_test(cells_of(dict(zip(law, table, strict=True)), law))
            if found.p_value <= alpha:
                rate += size * stats.multinomial.pmf(table, 12, p)
        assert 0 < rate <= alpha


def test_no_draws_and_nothing_to_test():
    with pytest.raises(DataError, match="0 draws; make 1 or more"):
        multinomial_test(cells_of({1: 500, 6: 700}, d6.law), draws=0, max_orbits=0)
    with pytest.raises(DataError, match="has only one outcome"):
        fit_power(Law({1: 1}), Law({1: 1}), 5)


def test_a_p_value_below_one_over_the_draws():
    """Where no draw is as odd, a bound on the sum over all tables, or chi-square, says how far."""
    loaded = {1: 900, 2: 900, 3: 900, 4: 900, 5: 900, 6: 1500}
    found = multinomial_test(cells_of(loaded, d6.law))
    assert found.p_value == pytest.approx(chi_square(cells_of(loaded, d6.law)).p_value)
    assert found.p_value < 1e-60
    assert (found.error, found.note.startswith("by chi-square; none of 100,000")) == (None, True)
    rare = Law({1: 1, 2: 500, 3: 499})
    counts = cells_of({1: 20, 2: 60, 3: 40}, rare)
    by_bound, exact = multinomial_test(counts, max_orbits=0), multinomial_test(counts)
    assert by_bound.note.startswith("at most, by the number of tables")
    assert exact.exact is not None
    assert exact.p_value < by_bound.p_value < 1e-20
    even = multinomial_test(cells_of(dict.fromkeys(range(1, 7), 1_000), d6.law))
    assert even.p_value == 1


@given(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any))
def test_the_bound_of_a_p_value_is_one(counts):
    cells = cells_of(dict(enumerate(counts)), Law({0: 1, 1: 2, 2: 7}))
    exact = multinomial_test(cells)
    if min(cells.expected) < 5:
        assert exact.p_value <= _rarer_than_draws(cells, exact.statistic)[0] * (1 + 1e-9)


@pytest.mark.parametrize(
    ("test", "message"),
    [
        (lambda cells: chi_square(cells, fitted=-3), "fitted=-3; give"),
        (lambda cells: g_test(cells, fitted=-1), "fitted=-1; give"),
        (lambda cells: multinomial_test(cells, draws=0), "0 draws; make 1 or more"),
        (lambda _: pairs_test([1, 2, 1], [2, 1, 1], shuffles=0), "0 shuffles; make 1 or more"),
        (lambda _: pairs_test([1, 2, 1], [2, 1, 1], shuffles=-1), "-1 shuffles; make 1 or more"),
    ],
)
def test_a_number_that_no_test_can_use_is_refused(test, message):
    """Fewer than no fitted parameters added degrees of freedom; no shuffles were a Python error."""
    with pytest.raises(DataError, match=message):
        test(cells_of({1: 3, 2: 4}, {1: Fraction(1, 2), 2: Fraction(1, 2)}))
