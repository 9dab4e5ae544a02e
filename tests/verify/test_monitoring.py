"""The limits of a live bet: the exact law of many bets, and alarms as seldom as is said."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.catalogue import games
from sevenout.errors import RulesError, SevenoutError
from sevenout.solving import solve
from sevenout.solving.totals import Total
from sevenout.verify.many_bets import ERROR, ManyBets, tilted
from sevenout.verify.monitoring import Monitor, monitor_of, rounds_counted

COIN = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}


def law_of(name, bet=None):
    return dict(solve(games[name]).bet(bet).profit)


@pytest.mark.parametrize(
    ("name", "n"),
    [("craps", 1_000), ("craps", 100_000), ("fast-craps-brick", 3_000), ("place-6-8", 10_000)],
)
def test_the_law_is_that_of_the_whole_convolution(name, n):
    law = law_of(name)
    whole, many = Total(law, n), ManyBets(law, n)
    below = np.cumsum(many.pmf)
    first = many.centre - many.size // 2
    for i in range(0, many.size, max(1, many.size // 200)):
        assert abs(float(whole.cdf(many.profit(first + i))) - below[i]) < ERROR
    for q in ("95%", "99%", "99.9%"):
        found = many.limits(q)
        tail = (1 - Fraction(q[:-1]) / 100) / 2
        assert (found.low - 1) * n == whole.quantile(tail)
        assert (found.high - 1) * n == whole.quantile(1 - tail)


@given(
    st.dictionaries(
        st.fractions(-3, 40, max_denominator=4), st.integers(1, 30), min_size=2, max_size=5
    ),
    st.integers(1, 60),
    st.sampled_from(["90%", "99%"]),
)
def test_limits_leave_out_no_more_than_they_say(weights, n, sure):
    total = sum(weights.values())
    law = {x: Fraction(w, total) for x, w in weights.items()}
    found = ManyBets(law, n).limits(sure)
    whole = Total(law, n)
    low, high = ((end - 1) * n for end in (found.low, found.high))
    outside = whole.cdf(low) - whole.pmf(low) + 1 - whole.cdf(high)
    assert abs(float(outside) - found.outside) < ERROR
    assert outside <= 1 - Fraction(sure[:-1]) / 100 + Fraction(1, 10**9)


def test_where_the_lattice_is_too_fine_the_error_is_stated():
    law = {Fraction(-1): Fraction(9, 10), Fraction(7_919, 1_009): Fraction(1, 10)}
    law = {x + Fraction(k, 10_007): p / 2 for x, p in law.items() for k in (0, 1)}
    found = ManyBets(law, 10**8).limits("99%")
    assert found.method == "normal"
    assert 0 < found.error < 1e-3
    exact = ManyBets(COIN, 10**8)
    assert (exact.method, exact.error) == ("convolution", ERROR)


def test_the_rate_of_false_alarms_is_what_is_said():
    """40,000 right years: each rate within 4.5 standard errors, false 1 time in 50,000."""
    law, volume, years = law_of("craps"), 200, 40_000
    monitor = Monitor(law, "95%", days=100)
    said = monitor.year(volume)
    rng = np.random.default_rng(1)
    profits = np.array([float(x) for x in law])
    shares = np.array([float(p) for p in law.values()])
    won = rng.multinomial(volume, shares, (years, 100)) @ profits
    day = monitor.day(volume)
    low, high = (float((end - 1) * volume) for end in (day.low, day.high))
    by_day = ((won < low - 1e-6) | (won > high + 1e-6)).any(axis=1)
    total = won.cumsum(axis=1)
    ends = [monitor.running(volume * n) for n in range(1, 101)]
    least, most = (
        np.array([float((end - 1) * r.bets) for r, end in zip(ends, side, strict=True)])
        for side in ([r.low for r in ends], [r.high for r in ends])
    )
    running = ((total < least - 1e-6) | (total > most + 1e-6)).any(axis=1)
    either = by_day | running
    seen = by_day.mean(), running.mean(), either.mean()
    for rate, p in zip(seen, said[:3], strict=True):
        assert abs(rate - p) < 4.5 * (p / years) ** 0.5
    assert said.day <= monitor.alpha
    assert said.running <= monitor.alpha
    assert said.either <= 2 * monitor.alpha


def test_a_wrong_game_is_noticed():
    monitor = Monitor(law_of("craps"))
    slow, fast = (monitor.detection(1_000, x) for x in ("2%", "5%"))
    assert slow == tuple(sorted(slow))
    assert slow[-1] > 0.99
    assert fast[20] > 0.99


def test_the_martingale_is_one():
    """E exp(λ(S - nμ) - nψ(λ)) is 1: the limits rest on it."""
    monitor = Monitor(law_of("fast-craps-brick"))
    total = ManyBets(monitor.law, 1)
    worth = sum(
        float(p)
        * np.exp(monitor.evidence(1, float(x - sum(y * q for y, q in monitor.law.items()))))
        for x, p in monitor.law.items()
    )
    assert worth == pytest.approx(1, abs=1e-9)
    assert total.lattice.span == 26


def test_limits_narrow_and_enclose_the_mean():
    monitor = Monitor(law_of("fast-craps-pass"))
    back = 1 + sum(x * p for x, p in monitor.law.items())
    wide = None
    for n in (1_000, 10_000, 100_000, 1_000_000):
        found = monitor.running(n)
        assert found.low < back < found.high
        assert wide is None or found.high - found.low < wide
        wide = found.high - found.low


def test_what_can_not_be_monitored():
    for wrong in (0, -1, "10", 10**13):
        with pytest.raises(SevenoutError, match="the total of"):
            ManyBets(COIN, wrong)
    with pytest.raises(SevenoutError, match="confidence"):
        Monitor(COIN, "0%")
    with pytest.raises(SevenoutError, match="days"):
        Monitor(COIN, days=0)
    with pytest.raises(SevenoutError, match="a mean of"):
        tilted(COIN, Fraction(1))


def test_the_law_keeps_its_error_where_a_rare_profit_decides_the_parity():
    """With 10^8 coins that are returned one time in 10^9, the total is odd 1 time in 11."""
    rare = Fraction(1, 10**9)
    many = ManyBets(
        {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2) - rare, Fraction(0): rare}, 10**8
    )
    steps = np.arange(many.size) + many.centre - many.size // 2
    even = (1 + np.exp(10**8 * np.log1p(-2e-9))) / 2
    assert abs(many.pmf[steps % 2 == 0].sum() - even) < ERROR
    assert abs(many.pmf.sum() - 1) < ERROR


def test_no_limit_is_beyond_what_can_be():
    law = {Fraction(-1): 1 - Fraction(1, 10**9), Fraction(10**9, 7): Fraction(1, 10**9)}
    law = {x + Fraction(k, 10_007): p / 2 for x, p in law.items() for k in (0, 1)}
    many = ManyBets(law, 10**6)
    found = many.limits("99%")
    assert found.method == "normal"
    assert 1 + min(law) <= found.low <= found.high <= 1 + max(law)
    running = Monitor(law).running(10**6)
    assert 1 + min(law) <= running.low <= running.high <= 1 + max(law)


def test_a_days_limits_alarm_no_oftener_than_is_said():
    """Where the law's error is as large as the alarms, they are wider than the normal law's."""
    law = {Fraction(-1): Fraction(9, 10), Fraction(7_919, 1_009): Fraction(1, 10)}
    law = {x + Fraction(k, 10_007): p / 2 for x, p in law.items() for k in (0, 1)}
    monitor = Monitor(law)
    day, normal = monitor.day(10**8), monitor.total(10**8).limits(monitor.day_confidence)
    assert (day.method, normal.method) == ("Chernoff", "normal")
    assert day.low < normal.low < normal.high < day.high
    sure = Monitor(COIN, "99.999999%")
    day = sure.day(1_000)
    total = Total(COIN, 1_000)
    beyond = total.cdf((day.low - 1) * 1_000 - 2) * 2
    assert day.method == "Chernoff"
    assert 0 < beyond <= 1 - sure.day_confidence


def test_running_limits_of_what_hardly_ever_pays():
    law = {Fraction(10**14): Fraction(1, 10**15), Fraction(-1): 1 - Fraction(1, 10**15)}
    found = Monitor(law).running(10**6)
    assert (found.low, found.high) == (0, 1 + 10**14)


def test_a_tilted_law_keeps_every_profit():
    law = {Fraction(-1): 1 - Fraction(1, 10**14), Fraction(3, 7): Fraction(1, 10**14)}
    law[Fraction(1)] = Fraction(1, 2)
    law[Fraction(-1)] -= Fraction(1, 2)
    assert {*tilted(law, Fraction(-1, 2))} == {*law}
    assert min(tilted(law, Fraction(-1, 2)).values()) > 0


def test_a_bet_without_chance_and_a_law_tilted_far():
    lost = ManyBets({Fraction(-1): Fraction(1)}, 1000).limits("99%")
    assert (lost.low, lost.high, lost.outside) == (0, 0, 0)
    coin = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
    for mean in (Fraction(99, 100), Fraction(-99, 100)):
        law = tilted(coin, mean)
        assert float(law[Fraction(1)] - law[Fraction(-1)]) == pytest.approx(float(mean), abs=1e-9)


def test_limits_for_any_stakes_hold_for_players_on_the_same_roll_and_for_mixed_stakes():
    """Years of 100 days of 200 rounds of a coin: two players at one table, and stakes of 1 and 10.

    With two players counted as twice the bets, 47 % of years had an alarm of the day's rule.
    """
    coin = {Fraction(1): Fraction(49, 100), Fraction(-1): Fraction(51, 100)}
    monitor = Monitor(coin, "99%", days=100, any_stakes=True)
    rng = np.random.default_rng(1)
    years, days, rounds = 2_000, 100, 200
    shape = years, days
    for large, share in ((1, 1.0), (10, 0.2)):
        tens = rng.binomial(rounds, share, shape) if large > 1 else np.zeros(shape, int)
        ones = rounds - tens
        won = 2 * rng.binomial(ones, 0.49) - ones + large * (2 * rng.binomial(tens, 0.49) - tens)
        staked = ones + large * tens
        counts = staked // large
        limits = {n: monitor.day(int(n)) for n in np.unique(counts)}
        low = np.vectorize({n: float(each.low) for n, each in limits.items()}.get)(counts)
        high = np.vectorize({n: float(each.high) for n, each in limits.items()}.get)(counts)
        back = 1 + won / staked
        alarmed = ((back < low) | (back > high)).any(axis=1)
        assert alarmed.mean() <= 0.005, "half of the 1 % is the day's"
        running = np.cumsum(won, axis=1) / large
        total = np.cumsum(staked, axis=1) // large
        ever = np.zeros(years, bool)
        for day in (0, 9, 49, 99):
            for n in np.unique(total[:, day]):
                _, least, most = monitor.running(int(n))
                here = total[:, day] == n
                mean = 1 + running[here, day] / (staked[here, : day + 1].sum(axis=1) / large)
                ever[here] |= (mean < float(least)) | (mean > float(most))
        assert ever.mean() <= 0.005
    with pytest.raises(RulesError, match="above 0"):
        rounds_counted(10, 0)
    # two players, each bet counted for itself: the limits are those of one player, and too narrow
    alone = Monitor(coin, "99%", days=100)
    pairs = 2 * (2 * rng.binomial(rounds, 0.49, shape) - rounds)
    limit = alone.day(2 * rounds)
    back = 1 + pairs / (2 * rounds)
    naive = ((back < float(limit.low)) | (back > float(limit.high))).any(axis=1)
    assert naive.mean() > 0.15


@pytest.mark.parametrize("bets", [0, -1])
def test_running_limits_are_of_one_bet_or_more(bets):
    monitor = monitor_of(solve(games["craps"]).bet())
    with pytest.raises(RulesError, match=f"the limits of {bets} bets; take 1 or more"):
        monitor.running(bets)
