"""The Bayes factor by brute force, and a test that keeps its level however often one looks."""

from fractions import Fraction
from math import exp, inf, isclose, lgamma, log, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.rolling import Law, d6
from sevenout.verify import DataError, Watch, bayes_factor, cells_of
from sevenout.verify.significance_tests import log_ratio


def dirichlet_multinomial(counts, priors):
    """∫ Π q^c over the Dirichlet law, as a fraction, for whole priors."""
    rising = lambda a, n: prod(range(a, a + n))  # noqa: E731
    top = prod(rising(a, c) for a, c in zip(priors, counts, strict=True))
    return Fraction(top, rising(sum(priors), sum(counts)))


@given(st.lists(st.integers(0, 30), min_size=2, max_size=6).filter(sum), st.data())
def test_bayes_factor_is_the_ratio_of_likelihoods(counts, data):
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(counts), max_size=len(counts)))
    law = Law(dict(enumerate(weights)))
    cells = cells_of(dict(enumerate(counts)), law)
    priors = [int(p * law.denominator) for p in cells.probabilities]
    exact = dirichlet_multinomial(counts, priors)
    for p, c in zip(cells.probabilities, counts, strict=True):
        exact /= p**c
    assert bayes_factor(cells, strength=law.denominator) == pytest.approx(float(exact), rel=1e-9)


def test_the_default_prior_is_uniform_over_all_dice():
    counts = [3, 0, 2, 8, 1, 1]
    cells = cells_of(dict(enumerate(counts, 1)), d6.law)
    exact = dirichlet_multinomial(counts, [1] * 6) * 6 ** sum(counts)
    assert bayes_factor(cells) == pytest.approx(float(exact), rel=1e-12)


def test_the_ratio_keeps_its_digits_at_ten_to_the_fifteen():
    n, off = 10**15, 3 * 10**7
    cells = cells_of({0: n // 2 + off, 1: n // 2 - off}, Law({0: 1, 1: 1}))
    # log 2^n B(a, b) by Stirling on paper: -log(n+1) + 2·off²/n + log(πn/2)/2
    plain = -log(n + 1) + 2 * off**2 / n + 0.5 * log(np.pi * n / 2)
    assert log_ratio(cells, 2.0) == pytest.approx(plain, abs=1e-9)


def test_the_mixture_has_mean_one_under_the_law():
    # Σ over all tables of P(table) × ratio(table) = 1: what makes it an e-value
    law = Law({1: 1, 2: 2, 3: 3})
    n = 8
    total = 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            table = {1: a, 2: b, 3: n - a - b}
            ways = exp(lgamma(n + 1) - sum(lgamma(c + 1) for c in table.values()))
            p = ways * prod(float(law[f]) ** c for f, c in table.items())
            total += p * Watch.starting(law).look(table).e_value
    assert total == pytest.approx(1.0, abs=1e-9)


def test_one_more_roll_leaves_the_mean_where_it_was():
    law = Law({1: 1, 2: 2})
    watch = Watch.starting(law).look({1: 5, 2: 3})
    after = sum(float(law[face]) * watch.look({face: 1}).e_value for face in law)
    assert after == pytest.approx(watch.e_value, rel=1e-12)


def test_looking_in_other_blocks_gives_the_same_evidence():
    once = Watch.starting(d6.law).look({1: 10, 6: 20})
    twice = Watch.starting(d6.law).look({1: 10}).look({6: 20})
    assert isclose(once.log_e, twice.log_e)
    assert once.cells == twice.cells


def test_ville_holds_while_looking_after_every_roll():
    """250 fair dice, 200 rolls each, a look after every roll, level 10 %; a fixed seed.

    Ville: at most 10 % are ever rejected. At the bound itself the rate has a standard error of
    1.9 %; more than 16 % would be a false alarm in 1,000. A rate of 0 would mean a dead test.
    """
    faces = np.random.default_rng(11).integers(1, 7, (250, 200))
    rejected = 0
    for rolls in faces:
        watch = Watch.starting(d6.law, confidence="90%")
        for face in rolls:
            watch = watch.look({int(face): 1})
            if watch.rejected:
                break
        rejected += watch.rejected
    assert 0 < rejected / len(faces) <= 0.16


def test_a_loaded_die_is_caught_and_stays_caught():
    loaded = np.array([3, 3, 3, 3, 3, 5]) / 20
    rng = np.random.default_rng(3)
    watch = Watch.starting(d6.law, confidence="99%")
    for _ in range(40):
        watch = watch.look(dict(enumerate(map(int, rng.multinomial(100, loaded)), 1)))
    assert watch.rejected
    assert watch.rejected_at < watch.n == 4000
    assert watch.p_value <= 0.01
    after = watch.look(dict.fromkeys(range(1, 7), 10**5))
    assert after.e_value < 1
    assert (after.p_value, after.rejected_at) == (watch.p_value, watch.rejected_at)


def test_what_can_not_come_up_is_rejected_at_once():
    watch = Watch.starting(d6.law).look({7: 1})
    assert (watch.e_value, watch.p_value, watch.rejected_at) == (inf, 0.0, 1)
    assert bayes_factor(watch.cells) == inf


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Watch.starting(d6.law, confidence=0), "confidence of 0"),
        (lambda: Watch.starting(d6.law, strengths=[]), "strengths"),
        (lambda: Watch.starting(d6.law, strengths=[-1]), "strengths"),
        (lambda: Watch.starting(d6.law).look({}), "nothing"),
        (lambda: Watch.starting(d6.law).look({1: -3}), "-3"),
        (lambda: bayes_factor(cells_of({1: 2}, d6.law), strength=0), "strength of 0"),
    ],
)
def test_bad_input_is_refused(call, words):
    with pytest.raises(DataError, match=words):
        call()
