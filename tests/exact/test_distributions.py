"""One protocol: every distribution of the house answers alike, and agrees with itself."""

from fractions import Fraction
from itertools import pairwise

import pytest
import scipy.stats
from hypothesis import given
from tests.conftest import laws

import sevenout as so
from sevenout.dice.distribution import Distribution, Finite
from sevenout.errors import RulesError
from sevenout.exact.sessions import session
from sevenout.exact.totals import Total

CRAPS = so.solve(so.catalogue["craps"])
FAST = so.solve(so.catalogue["fast-craps-pass"])
DISTRIBUTIONS = {
    "law": so.dice("3d6").totals.law,
    "bet": CRAPS.bet(),
    "bet with odds": FAST.bet(),
    "counter": CRAPS.law("rolls"),
    "bounded counter": FAST.law("rolls"),
    "total": Total(CRAPS.bet().profit, 20),
    "certified total": Total(FAST.bet().profit, 4_000),
    "session": session(CRAPS.bet(), 10, rounds=30).result,
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_every_distribution_agrees_with_itself(name):
    d = DISTRIBUTIONS[name]
    assert isinstance(d, Distribution)
    low, high = d.support
    assert d.cdf(low) == d.pmf(low) > 0 or d.bound
    assert d.cdf(Fraction(low) - 1) == 0
    assert d.sf(high) <= d.bound if high is not None else d.sf(500) > 0
    levels = ["1%", "1/4", "1/2", "3/4", "99%"]
    ends = [d.quantile(q) for q in levels]
    assert ends == sorted(ends)
    for q, x in zip(levels, ends, strict=True):
        level = Fraction(q[:-1]) / 100 if q.endswith("%") else Fraction(q)
        assert d.cdf(x) >= level - d.bound
        assert d.cdf(x) - d.pmf(x) < level
        assert d.sf(x) == 1 - d.cdf(x)
    assert d.variance == d.central_moment(2) > 0
    assert d.std == pytest.approx(float(d.variance) ** 0.5)
    assert d.status == ("certified" if d.bound else "exact")
    drawn = d.sample(200, seed=5)
    assert drawn == d.sample(200, seed=5)
    # the mean of 200 draws within six of its standard deviations: a false alarm in 5e8
    assert abs(float(sum(drawn)) / 200 - float(d.mean)) < 6 * d.std / 200**0.5


@given(laws)
def test_finite_laws_agree_with_scipy(law):
    xs, ps = zip(*((float(x), float(p)) for x, p in law.items()), strict=True)
    assert sum(law.pmf(x) for x in law) == 1
    assert float(law.mean) == pytest.approx(sum(x * p for x, p in zip(xs, ps, strict=True)))
    steps = [law.cdf(x) for x in sorted(law)]
    assert all(one < other for one, other in pairwise(steps))
    assert steps[-1] == 1
    shape = scipy.stats.rv_discrete(values=(xs, ps)) if len(set(map(int, xs))) == len(xs) else None
    if shape is not None and law.variance:
        mean, variance, skewness, kurtosis = shape.stats(moments="mvsk")
        assert (float(law.mean), float(law.variance)) == pytest.approx((mean, variance), abs=1e-9)
        assert (law.skewness, law.kurtosis) == pytest.approx((skewness, kurtosis), abs=1e-6)


def test_the_moments_of_a_count_and_of_a_total():
    rolls = CRAPS.law("rolls")
    far = {n: rolls.pmf(n) for n in range(400)}
    mean = sum(n * p for n, p in far.items())
    third = sum((n - mean) ** 3 * p for n, p in far.items())
    assert float(rolls.central_moment(3)) == pytest.approx(float(third), rel=1e-9)
    total, bet = Total(FAST.bet().profit, 7), FAST.bet().profit
    by_hand = {Fraction(0): Fraction(1)}
    for _ in range(7):
        after: dict[Fraction, Fraction] = {}
        for x, p in by_hand.items():
            for y, q in bet.items():
                after[x + y] = after.get(x + y, Fraction(0)) + p * q
        by_hand = after
    slow = Finite(by_hand)
    for k in range(5):
        assert total.central_moment(k) == slow.central_moment(k)
    assert total.support == slow.support


@pytest.mark.parametrize("q", [0.5, "110%", "-1/2", "half", None])
def test_a_quantile_wants_an_exact_probability(q):
    for d in DISTRIBUTIONS.values():
        with pytest.raises(RulesError):
            d.quantile(q)
