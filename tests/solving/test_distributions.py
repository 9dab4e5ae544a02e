"""One protocol: every distribution of the house answers alike, and agrees with itself."""

from fractions import Fraction
from itertools import pairwise

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError, UndecidedError
from sevenout.evenings import fan, money_polynomials, session, sessions
from sevenout.rolling import roll
from sevenout.rolling.distribution import Distribution, FiniteDistribution
from sevenout.solving import totals
from sevenout.solving.awards import AwardDistribution
from sevenout.solving.totals import Total
from tests.conftest import laws

CRAPS = so.solve(so.games["craps"])
FAST = so.solve(so.games["fast-craps-pass"])
DISTRIBUTIONS = {
    "law": so.dice("3d6").totals.law,
    "bet": CRAPS.bet(),
    "bet with odds": FAST.bet(),
    "counter": CRAPS.distribution("rolls"),
    "bounded counter": FAST.distribution("rolls"),
    "total": Total(CRAPS.bet().profit, 20),
    "certified total": Total(FAST.bet().profit, 4_000),
    "session": session(CRAPS.bet(), 10, bets=30).profit,
    "certified session": session(CRAPS.bet(), 10, bets=900, target=400).profit,
    "session to a target": session(CRAPS.bet(), 10, target=20).profit,
    "exploding": roll("2d6!+1"),
    "award": AwardDistribution(Fraction(10), Fraction(1, 2), Fraction(1, 6)),
    "award with a limit": AwardDistribution(
        Fraction(10), Fraction(1, 2), Fraction(1, 6), Fraction(20)
    ),
    "evening": so.evening("pass", 20, rolls=200).profit,
}


def ends_of(d):
    """The ends of the law, or of what is listed of it where those are not known."""
    try:
        return d.support
    except UndecidedError:
        return min(d.probabilities), max(d.probabilities)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_every_distribution_has_the_same_conventions(name):
    """Any exact amount may be asked for; the quantiles at 0 and 1 are the ends of the law."""
    d = DISTRIBUTIONS[name]
    low, high = ends_of(d)
    middle = d.quantile("3/10")
    for x in (middle, "3/2", Fraction(-7, 3), "40%", low):
        assert d.cdf(x) == d.cdf(str(x)) == 1 - d.sf(x)
        assert 0 <= d.pmf(x) <= d.cdf(x) <= 1
        assert d.pmf(x) == d.pmf(str(x))
    assert d.pmf(Fraction(10**6, 999_983)) == 0
    assert d.cdf(middle + Fraction(1, 10**9)) == d.cdf(middle)
    for q in ("1/3", "2/3"):
        assert d.quantile_range(q) == (d.quantile(q), d.quantile(q))
        assert d.quantile_cell(q) == d.quantile(q)
    if name == "evening":
        for q in (0, 1):
            with pytest.raises(UndecidedError, match="a distribution that is certified within"):
                d.quantile(q)
        return
    assert d.quantile(0) == low
    if high is None:
        with pytest.raises(RulesError, match="no largest value; ask for a quantile below 1"):
            d.quantile(1)
    else:
        assert d.quantile(1) == d.quantile("100%") == high


COIN = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}


def test_a_long_session_ends_where_the_lattice_does():
    ended = session(COIN, 60, bets=3_000)
    assert ended.status.startswith("certified")
    assert (ended.quantile(0), ended.quantile(1)) == (-60, 3_000)
    assert ended.profit.support == (-60, 3_000)
    assert ended.money.support == (0, 3_060)
    even = session({Fraction(3): Fraction(1, 4), Fraction(-2): Fraction(3, 4)}, 7, bets=6)
    assert (
        even.money.support
        == (0, 25)
        == (min(even.money.probabilities), max(even.money.probabilities))
    )
    stopped = session(COIN, 3, bets=5_000, target=900)
    assert stopped.status.startswith("certified")
    assert stopped.money.support == (0, 900)


def test_a_long_fan_ends_where_the_lattice_does_and_decides_ties():
    rows = fan(COIN, 60, bets=3_000, quantiles=["0", "1/2", "1"])
    assert [row[2] for row in rows] == [60 + n for n in range(3_001)]
    assert [row[0] for row in rows] == [max(0, 60 - n) for n in range(3_001)]
    # ruin before round 200 is too unlikely to show in 160 bits; a walk of odd length is a tie
    assert [row[1] for row in rows[:200]] == [60 - n % 2 for n in range(200)]


def test_the_end_of_a_total_that_is_certified_is_known_and_a_tie_is_undecided():
    total = Total(COIN, 40_001)
    assert total.status == "certified"
    assert (total.quantile(0), total.quantile(1)) == (-40_001, 40_001)
    assert total.quantile_range("1/2") == (-1, 1)
    assert total.quantile_cell("1/2") == "-1 to 1"
    with pytest.raises(UndecidedError, match="within the error bound: it lies from -1 to"):
        total.quantile("1/2")
    assert Total(COIN, 2_001).quantile("1/2") == -1


def test_a_session_says_what_is_undecided(monkeypatch):
    exact = session(COIN, 60, bets=59)
    monkeypatch.setattr(money_polynomials, "MAX_BITS", 0)
    monkeypatch.setattr(money_polynomials, "BITS", 40)
    monkeypatch.setattr(sessions, "BITS", 40)
    rough = session(COIN, 60, bets=59)
    assert exact.quantile("1/2") == -1
    assert rough.profit.quantile_range("1/2") == (-1, 1)
    with pytest.raises(UndecidedError):
        rough.quantile("1/2")
    assert rough.to_dict()["quantiles"]["1/2"] == "-1 to 1"
    assert any("-1 to +1" in str(fact.value) for fact in rough.facts().facts)
    with pytest.raises(UndecidedError, match="undecided within"):
        fan(COIN, 60, bets=59)


@given(
    st.dictionaries(st.integers(-3, 4), st.integers(1, 5), min_size=2, max_size=4),
    st.integers(3, 9),
    st.integers(1, 12),
    st.booleans(),
)
def test_rounded_quantiles_hold_the_exact_ones(weights, bankroll, rounds, target):
    """What is rounded to 12 places holds the truth in its range, and is that at 0 and 1."""
    whole = sum(weights.values())
    law = {Fraction(x): Fraction(w, whole) for x, w in weights.items()}
    stops = {"bets": rounds, "target": bankroll + 4 if target else None}
    exact = session(law, bankroll, **stops).profit
    total = Total(law, rounds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(money_polynomials, "MAX_BITS", 0)
        patch.setattr(totals, "EXACT_BITS", 0)
        patch.setattr(totals, "TAIL", 8)
        for module in (totals, money_polynomials, sessions):
            patch.setattr(module, "BITS", 12)
        rough, rough_total = session(law, bankroll, **stops).profit, Total(law, rounds)
        for true, found in [(exact, rough), (total, rough_total)]:
            assert found.support == true.support
            for k in range(41):
                low, high = found.quantile_range(Fraction(k, 40))
                assert low <= true.quantile(Fraction(k, 40)) <= high
                assert low == high or 0 < k < 40


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_every_distribution_agrees_with_itself(name):
    d = DISTRIBUTIONS[name]
    assert isinstance(d, Distribution)
    low, high = ends_of(d)
    assert d.cdf(low) == d.pmf(low) > 0 or d.bound
    assert d.cdf(Fraction(low) - 1) == 0
    assert d.sf(high) <= d.bound if high is not None else d.sf(300) > 0
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
    rolls = CRAPS.distribution("rolls")
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
    slow = FiniteDistribution(by_hand)
    for k in range(5):
        assert total.central_moment(k) == slow.central_moment(k)
    assert total.support == slow.support


@pytest.mark.parametrize("q", [0.5, "110%", "-1/2", "half", None])
def test_a_quantile_wants_an_exact_probability(q):
    for d in DISTRIBUTIONS.values():
        with pytest.raises(RulesError):
            d.quantile(q)


@pytest.mark.parametrize("share", [Fraction(1, 3), Fraction(-1, 2)])
def test_a_total_is_of_a_distribution(share):
    """The others were scaled for the quantiles, but not for the mean."""
    with pytest.raises(RulesError, match="is not a distribution; give probabilities of 0 or more"):
        Total({Fraction(1): 1 - 2 * share, Fraction(-1): share}, 10)
