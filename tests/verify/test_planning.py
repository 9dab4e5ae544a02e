"""Proportions, many tests at once, and planning."""

from fractions import Fraction
from itertools import product
from math import comb, e, log

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.rolling import Die, Law, d6, parse_dice
from sevenout.verify import (
    DataError,
    GamesNeeded,
    binomial_test,
    clopper_pearson,
    fit_power,
    games_needed,
    holm,
    noncentrality,
    rolls_to_notice,
    smallest_bias,
    wilson,
)
from sevenout.verify.counts import parse_confidence

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def binomial(n, p):
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


@given(st.integers(1, 25), st.data())
def test_binomial_test_is_the_sum_of_what_is_no_likelier(n, data):
    hits = data.draw(st.integers(0, n))
    p = Fraction(data.draw(st.integers(1, 9)), 10)
    law = binomial(n, p)
    assert binomial_test(hits, n, p).p_value == pytest.approx(
        float(sum(q for q in law if q <= law[hits])), rel=1e-9
    )
    assert binomial_test(hits, n, p, "greater").p_value == pytest.approx(float(sum(law[hits:])))
    assert binomial_test(hits, n, p, "less").p_value == pytest.approx(float(sum(law[: hits + 1])))


def test_binomial_test_of_a_million_million():
    n = 10**12
    z = stats.norm.isf(0.025)
    hits = n // 2 + round(z * (n / 4) ** 0.5)
    assert binomial_test(hits, n, Fraction(1, 2)).p_value == pytest.approx(0.05, rel=1e-4)


def test_clopper_pearson_covers_at_least_its_level_and_its_ends_invert_the_test():
    n = 20
    for p in (Fraction(1, 50), Fraction(1, 6), Fraction(1, 2), Fraction(9, 10)):
        law = binomial(n, p)
        held = sum(law[k] for k in range(n + 1) if p in clopper_pearson(k, n, "90%"))
        assert held >= Fraction(9, 10)
    low, high = clopper_pearson(7, n, "90%").low, clopper_pearson(7, n, "90%").high
    assert stats.binom.sf(6, n, low) == pytest.approx(0.05)
    assert stats.binom.cdf(7, n, high) == pytest.approx(0.05)


def test_wilson_is_its_formula():
    k, n, z = 7, 20, stats.norm.isf(0.025)
    share = k / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    found = wilson(k, n)
    assert (found.low, found.high) == (pytest.approx(middle - half), pytest.approx(middle + half))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: binomial_test(5, 4, 0.5), "5 hits out of 4"),
        (lambda: binomial_test(-1, 4, 0.5), "-1 hits"),
        (lambda: binomial_test(0, 0, 0.5), "0 trials"),
        (lambda: binomial_test(1, 4, 1.5), "probability of 1.5"),
        (lambda: binomial_test(1, 4, 0.5, "bigger"), "alternative='bigger'"),
        (lambda: fit_power(d6.law, d6.law, 10, confidence=2), "confidence of 2"),
        (lambda: rolls_to_notice(d6.law, Die.standard(8).law, power=1.5), "power=1.5"),
        (lambda: wilson(1, 4, confidence=0.95), "write it as '95%'"),
        (lambda: holm([0.5, 1.1]), "p-value of 1.1"),
        (lambda: games_needed(0.5, 0.5), "both 0.5"),
        (lambda: games_needed(0, 0.5), "p0=0"),
        (lambda: games_needed(0.5, 0.4, confidence="50%", power=0.4), "power=0.4"),
        (lambda: smallest_bias(d6.law, 0), "0 rolls"),
        (lambda: smallest_bias(Law({1: 1}), 10), "one outcome"),
        (lambda: fit_power(d6.law, d6.law, 0), "0 rolls"),
        (lambda: fit_power(d6.law, d6.law, 2.5), "2.5 rolls; give a whole number"),
        (lambda: smallest_bias(d6.law, 1.5), "1.5 rolls; give a whole number"),
        (lambda: fit_power(d6.law, {6: 2}, 10), "fault: the probabilities must"),
        (lambda: fit_power(d6.law, {1: Fraction(1, 2)}, 10, exact=True), "add up to 1"),
        (lambda: rolls_to_notice(d6.law, {1: Fraction(3, 2), 2: Fraction(-1, 2)}), "0 or more"),
        (lambda: fit_power(d6.law, d6.law, 10**6, exact=True), "leave exact out"),
        (lambda: noncentrality(5, "50%", 0.4), "power=0.4"),
    ],
)
def test_bad_input_is_refused(call, words):
    with pytest.raises(DataError, match=words):
        call()


def test_a_probability_that_is_a_float_is_refused_as_one():
    for call in (fit_power, rolls_to_notice):
        with pytest.raises(RulesError, match="is a float, which is inexact"):
            call(d6.law, dict.fromkeys(range(1, 7), 1 / 6), 10)


def test_a_power_of_numpy_is_a_decimal():
    assert noncentrality(5, "95%", np.float64(0.9)) == noncentrality(5, "95%", "90%")


def test_holm_worked_by_hand():
    # 4 × 0.005, 3 × 0.01, 2 × 0.03, then never less than before
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()


def test_holm_on_benjamini_and_hochbergs_example():
    # Benjamini and Hochberg 1995, section 4: of fifteen p-values Holm finds three at 0.05
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240]
    p += [0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    assert sum(q <= 0.05 for q in holm(p)) == 3


@given(P_VALUES)
def test_adjustments_are_ordered_as_they_should_be(p):
    bonferroni = [min(1.0, len(p) * x) for x in p]
    for raw, step, worst in zip(p, holm(p), bonferroni, strict=True):
        assert raw <= step <= worst


def test_games_needed_to_tell_craps_from_a_coin():
    # G*Power gives the normal approximation; the exact figures by every number of games
    found = games_needed(Fraction(1, 2), Fraction(244, 495), confidence="95%", power=0.95)
    assert found == GamesNeeded(normal=54_111, first=54_148, stays=54_335)
    assert games_needed(Fraction(1, 2), Fraction(251, 495)) == found


@pytest.mark.parametrize(
    ("p0", "p1", "confidence", "power"),
    [
        (Fraction(1, 2), Fraction(244, 495), "0.95", 0.95),
        (Fraction(1, 2), Fraction(1, 2) + Fraction(1, 200), "0.99", 0.9),
        (Fraction(1, 6), Fraction(1, 6) + Fraction(1, 300), "0.95", 0.95),
        (Fraction(1, 6), Fraction(1, 6) - Fraction(1, 300), "0.99", 0.8),
        (Fraction(5, 6), Fraction(5, 6) + Fraction(1, 300), "0.95", 0.9),
        (0.3, 0.31, "0.95", 0.95),
    ],
)
def test_games_needed_for_large_numbers_as_for_small(p0, p1, confidence, power, monkeypatch):
    settled = games_needed(p0, p1, confidence, power)
    monkeypatch.setattr("sevenout.verify.planning.MAX_SEARCHED_WINS", 0)
    assert games_needed(p0, p1, confidence, power) == settled


def test_games_needed_to_see_one_in_a_hundred_thousand():
    """Decided by balls of 30 digits: at `first` and from `stays` on there is the power, before not.

    It takes a second or two; it took most of a minute.
    """
    from flint import arb, ctx, fmpq

    p0, p1 = Fraction(1, 2), Fraction(1, 2) - Fraction(1, 10**5)
    found = games_needed(p0, p1)
    assert found.normal < found.first < found.stays

    def tail(wins, n, p):
        x = arb(fmpq((1 - p).numerator, (1 - p).denominator))
        return x.beta_lower(n - wins, wins + 1, regularized=True)

    def has_power(n):
        low, high = 0, n // 2  # the most wins that are rejected
        while high - low > 1:
            middle = (low + high) // 2
            guess = stats.binom.cdf(middle, n, 0.5)
            low, high = (middle, high) if guess < 0.05 else (low, middle)
        assert tail(low, n, p0) <= arb(0.05) < tail(low + 1, n, p0)
        return bool(tail(low, n, p1) >= arb(0.95))

    with ctx.workprec(128):
        first = [has_power(n) for n in (found.first - 1, found.first)]
        stays = [has_power(n) for n in range(found.stays - 1, found.stays + 2)]
    assert first == [False, True]
    assert stays == [False, True, True]


def test_games_beyond_counting_are_refused():
    with pytest.raises(DataError, match=r"need some 2.7e\+18 games"):
        games_needed(Fraction(1, 2), Fraction(1, 2) + Fraction(1, 10**9))
    with pytest.raises(TooMuchWorkError, match=r"some 2.7e\+14, would take about"):
        games_needed(Fraction(1, 2), Fraction(1, 2) + Fraction(1, 10**7))


def power_at(n, p0, p1, alpha):
    """The power of the exact test of n games, from SciPy's binomial."""
    if p1 < p0:
        c = stats.binom.ppf(alpha, n, p0)
        c = np.where(stats.binom.cdf(c, n, p0) <= alpha, c, c - 1)
        return stats.binom.cdf(c, n, p1)
    c = stats.binom.isf(alpha, n, p0)
    return stats.binom.sf(c, n, p1)


@pytest.mark.parametrize(
    ("p0", "p1", "confidence", "power"),
    [
        (0.5, 244 / 495, "0.95", 0.95),
        (0.5, 0.4, "0.95", 0.95),
        (0.3, 0.35, "0.99", 0.8),
        (0.9, 0.8, "0.95", 0.9),
        (0.02, 0.05, "0.95", 0.99),
        (0.6, 0.7, "0.9", 0.5),
    ],
)
def test_games_needed_by_trying_every_number(p0, p1, confidence, power):
    found = games_needed(p0, p1, confidence, power)
    n = np.arange(1, int(1.6 * found.stays) + 50)
    enough = power_at(n, p0, p1, float(1 - Fraction(confidence))) >= power
    assert n[enough][0] == found.first
    assert n[~enough][-1] + 1 == found.stays


def by_every_number(p0, p1, alpha, power, most):
    """The first number of games with the power, and from which on all have it, in fractions."""

    enough = []
    for n in range(1, most + 1):
        level = found = Fraction(0)
        pairs = list(zip(binomial(n, p0), binomial(n, p1), strict=True))
        for under0, under1 in pairs if p1 < p0 else reversed(pairs):
            level += under0
            if level > alpha:
                break
            found += under1
        enough.append(found >= power)
    last = max((n for n, has in enumerate(enough, 1) if not has), default=0)
    return enough.index(True) + 1, last + 1


@pytest.mark.parametrize(
    ("p0", "p1", "confidence", "power", "expected"),
    [
        (Fraction(9, 10), Fraction(1, 10), "99%", 0.8, (2, 4)),  # two in a row: exactly 1 %
        (Fraction(2, 5), Fraction(1, 2), "95%", 0.5, (67, 75)),  # a coin: exactly a half
        (Fraction(3, 5), Fraction(1, 2), "90%", 0.5, (41, 49)),
        (Fraction(1, 2), Fraction(1, 3), "15/16", Fraction(16, 81), (4, 13)),
        (0.1, 0.9, "99%", 0.81, (2, 4)),
    ],
)
def test_games_needed_where_a_tail_is_exactly_on_the_line(p0, p1, confidence, power, expected):
    found = games_needed(p0, p1, confidence, power)
    given = (Fraction(str(x)) for x in (p0, p1))
    alpha, line = 1 - parse_confidence(confidence), Fraction(str(power))
    assert by_every_number(*given, alpha, line, 110) == expected
    assert (found.first, found.stays) == expected


CHANCES = {Fraction(k, n) for n in (2, 3, 4, 6, 10) for k in range(1, n)}
TIES = [
    (p0, p1, tail**wins, p1**more)
    for p0, p1 in product(sorted(CHANCES), repeat=2)
    for tail, wins, more in product((p0, 1 - p0), range(1, 7), range(1, 7))
    if abs(p0 - p1) * 4 > 1 and tail**wins < p1**more
]


@settings(max_examples=25)
@given(st.sampled_from(TIES))
def test_games_needed_by_fractions_with_ties_planted(tie):
    p0, p1, alpha, power = tie
    found = games_needed(p0, p1, 1 - alpha, power)
    assume(found.stays < 60)
    assert by_every_number(p0, p1, alpha, power, 80) == (found.first, found.stays)


@pytest.mark.parametrize(
    ("p0", "p1", "confidence"),
    [
        (Fraction(1, 10**5), Fraction(1, 10**6), "99%"),
        (Fraction(1, 10**6), Fraction(1, 10**9), "95%"),
        (Fraction(1, 10**9), Fraction(1, 10**6), "99.9%"),
        (Fraction(3, 10**8), Fraction(7, 10**8), "90%"),
    ],
)
def test_games_needed_of_rare_events(p0, p1, confidence):
    """Each number of wins is a stretch of games; Poisson's law tells where they lie."""
    found, alpha = games_needed(p0, p1, confidence), float(1 - parse_confidence(confidence))

    def has_power(n):
        means = float(n * p0), float(n * p1)
        if p1 < p0:
            c = stats.poisson.ppf(alpha, means[0])
            c -= stats.poisson.cdf(c, means[0]) > alpha
            return stats.poisson.cdf(c, means[1]) >= 0.95
        return stats.poisson.sf(stats.poisson.isf(alpha, means[0]), means[1]) >= 0.95

    near = 1e-4  # Poisson's law is the limit
    assert has_power(found.first * (1 + near))
    assert not has_power(found.first * (1 - near))
    assert not has_power(found.stays * (1 - near))
    assert all(has_power(found.stays * (1 + near + step / 50)) for step in range(100))
    mirrored = games_needed(1 - p0, 1 - p1, confidence)
    assert (mirrored.first, mirrored.stays) == (found.first, found.stays)


def test_games_needed_near_nothing_is_one_line():
    half, least = Fraction(1, 2), Fraction(1, 10**99)
    for p0, p1 in [(half, half + least / 100), (least / 100, half)]:
        with pytest.raises(DataError, match="1e-100 or more from 0, from 1 and from each other"):
            games_needed(p0, p1)
    with pytest.raises(DataError, match=r"some 6\.9e\+29 games"):
        games_needed(least, Fraction(1, 10**30), power=0.5)
    with pytest.raises(DataError, match=r"give at most 0\.999999999999"):
        games_needed(Fraction(1, 3), Fraction(1, 2), 1 - Fraction(1, 10**13))


def test_rolls_until_a_face_that_hardly_ever_comes_is_seen():
    odd = Fraction(1, 10**25)
    fault = {face: p * (1 - odd) for face, p in d6.law.items()} | {7: odd}
    assert rolls_to_notice(d6.law, fault) == pytest.approx(log(9.5) * 1e25)
    assert fit_power(d6.law, fault, 10**25) == pytest.approx(1 - 0.95 / e)


def test_noncentrality_against_the_table():
    # Cohen 1988: λ at α = 0.05 is 10.51 (df 1, power 0.9) and 16.47 (df 5)
    assert noncentrality(1, "95%", 0.9) == pytest.approx(10.51, abs=0.005)
    assert noncentrality(5, "95%", 0.9) == pytest.approx(16.47, abs=0.005)


def test_a_power_is_written_as_anywhere():
    blank = {**d6.law, 7: Fraction(1, 10), 6: Fraction(1, 15)}
    for power in ("90%", Fraction(9, 10)):
        assert smallest_bias(d6.law, 1000, power=power) == smallest_bias(d6.law, 1000, power=0.9)
        assert rolls_to_notice(d6.law, blank, power=power) == rolls_to_notice(d6.law, blank)
        assert noncentrality(5, "95%", power) == noncentrality(5, "95%", 0.9)


def test_smallest_bias_is_what_has_the_power():
    small = smallest_bias(d6.law, 2000, confidence="95%", power=0.9)
    delta = Fraction(small[6]).limit_denominator(10**6)
    loaded = Law.of_probabilities(
        {f: Fraction(1, 6) * (1 - delta / 5) for f in range(1, 6)} | {6: (1 + delta) / 6}
    )
    assert fit_power(d6.law, loaded, 2000) == pytest.approx(0.9, abs=1e-4)
    assert rolls_to_notice(d6.law, loaded) == pytest.approx(2000, abs=1)
    # the approximation itself is good to about 1 % here; five standard errors are another 1 %
    shares = [float(loaded[face]) for face in range(1, 7)]
    drawn = np.random.default_rng(7).multinomial(2000, shares, 20_000)
    seen = (stats.chisquare(drawn, axis=1).pvalue <= 0.05).mean()
    assert seen == pytest.approx(0.9, abs=0.02)


def test_power_where_the_fault_can_not_be_missed():
    fair, painted = d6.law, Law(dict.fromkeys((1, 2, 3, 4, 5, 9), 1))
    assert rolls_to_notice(fair, d6.law) is None
    assert rolls_to_notice(fair, Law({9: 1})) == 1
    needed = rolls_to_notice(fair, painted, power=0.9)
    assert fit_power(fair, painted, needed) >= 0.9 > fit_power(fair, painted, needed - 1)
    for rolls in (3, 12):
        exact = fit_power(fair, painted, rolls, exact=True)
        assert exact >= 1 - (5 / 6) ** rolls - 1e-12


def test_rolls_before_players_notice_that_the_seven_is_gone():
    whole = parse_dice("2d6").totals.law
    without = Law({t: w for t, w in zip(whole, whole.weights, strict=True) if t != 7})
    needed = rolls_to_notice(whole, without, power=0.9)
    # Σ (q-p)²/p = 1/6 + Σ p (1/5)² = 1/5
    assert needed == -(-noncentrality(10, "95%", 0.9) * 5 // 1)


WEIGHTS = st.lists(st.integers(1, 6), min_size=3, max_size=3)


@given(WEIGHTS, WEIGHTS, st.integers(1, 14), st.sampled_from(["90%", "95%", "99%"]))
def test_the_exact_power_is_a_sum_over_scipys_tables(fair, loaded, rolls, confidence):
    p, q = (np.array(weights) / sum(weights) for weights in (fair, loaded))
    critical = stats.chi2.isf(float(1 - parse_confidence(confidence)), 2)
    tables = [(a, b, rolls - a - b) for a in range(rolls + 1) for b in range(rolls + 1 - a)]
    far = [sum((np.array(x) - rolls * p) ** 2 / (rolls * p)) for x in tables]
    assume(min(abs(d - critical) for d in far) > 1e-9)
    rejected = [x for x, d in zip(tables, far, strict=True) if d >= critical]
    power = stats.multinomial.pmf(rejected, rolls, q).sum() if rejected else 0.0
    laws = [{i: Fraction(w, sum(ws)) for i, w in enumerate(ws)} for ws in (fair, loaded)]
    found = fit_power(*laws, rolls, confidence, exact=True)
    assert found == pytest.approx(power, rel=1e-9, abs=1e-12)
