"""Monitoring a bet with an award: the law that is booked, the martingale, years bet by bet."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from flint import ctx

from sevenout.errors import RulesError
from sevenout.rolling import dice
from sevenout.rules import Progressive, Wager
from sevenout.solving import solve
from sevenout.solving.awards import progressive
from sevenout.verify.monitoring import (
    BITS,
    Cycle,
    MeteredMonitor,
    Monitor,
    booked_profit,
    monitor_of,
)


def bet(pays=4, stake=1):
    game = Wager(dice("d6").totals, {6: pays * stake, 5: stake}, limit=1, bet="six", stake=stake)
    return solve(game).bet()


ROW = Progressive(seed=3, share="1/20", on="6")
LIMITED = Progressive(seed=3, share="1/20", on="6", must_hit_by="3.42")
MYSTERY = Progressive(seed=3, share="1/20", must_hit_by="3.42")
RULES = [ROW, LIMITED, MYSTERY]


def long(rule, stake):
    """The same award for a stake."""
    limit = None if rule.must_hit_by is None else Fraction(rule.must_hit_by) * stake
    return Progressive(rule.seed * stake, rule.share, rule.on, limit)


@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize("rule", RULES)
def test_what_is_booked_has_the_mean_of_the_long_run(rule, stake):
    award = progressive(bet(stake=stake), long(rule, stake))
    law = booked_profit(award)
    assert sum(law.values()) == 1
    assert sum(x * p for x, p in law.items()) == -award.edge
    assert law == booked_profit(progressive(bet(), rule)), "it is per unit staked"


def rest(award, mean, rate, psi):
    """g by recursion, from the last bet to the first of a cycle."""
    law, q = award.law, award.law.p_win
    found = []
    for k in range(law.max_bets - 1, -1, -1):
        last = k == law.max_bets - 1
        above = float(law.seed + law.max_bets * law.feed - law.limit) if last else 0.0
        g = 0.0
        for pay, p in award.bet.law.items():
            wins = (
                1.0 if last else float(pay.event in award.rule.on) if q else 1 / (law.max_bets - k)
            )
            here = exp(rate * float(pay.profit + law.feed - mean) - psi) * float(p)
            won = exp(rate * (float(law.seed) - above))
            g += here * (wins * won + (1 - wins) * (found[-1] if found else 0.0))
        found.append(g)
    return found


@pytest.mark.parametrize("rate", [0.7, 0.05, -0.05, -0.7])
@pytest.mark.parametrize("rule", [LIMITED, MYSTERY])
def test_the_martingale_of_a_cycle(rule, rate):
    award = progressive(bet(), rule)
    monitor = monitor_of(award.bet, award)
    assert isinstance(monitor, MeteredMonitor)
    psi, low, high = monitor._tilt(rate)
    values = rest(award, monitor.mean, rate, psi)
    assert values[-1] == pytest.approx(1, abs=1e-9)
    assert exp(low) <= min(*values, 1) + 1e-9
    assert exp(high) >= max(*values, 1) - 1e-9
    with ctx.workprec(BITS):
        assert Cycle(award, monitor.mean, rate).total(psi) < 1, "proved, not nearly"


def totals(award, bets, start):
    """The exact law of what so many bets book, from a meter that shows what `start` bets fed it."""
    law = award.law
    here = {(start, Fraction(0)): Fraction(1)}
    for _ in range(bets):
        then = {}
        for (k, total), chance in here.items():
            last = law.max_bets is not None and k == law.max_bets - 1
            before, after = law.seed + k * law.feed, law.award_at(k + 1)
            for pay, p in award.bet.law.items():
                wins = (
                    Fraction(1)
                    if last
                    else Fraction(pay.event in award.rule.on)
                    if law.p_win is not None
                    else Fraction(1, law.max_bets - k)
                )
                for won, q in ((True, wins), (False, 1 - wins)):
                    if q:
                        shows = law.seed if won else before + law.feed
                        x = pay.profit + (after if won else 0) + shows - before
                        at = (0 if won else k + 1), total + x
                        then[at] = then.get(at, Fraction(0)) + chance * p * q
        here = then
    found = {}
    for (_, total), chance in here.items():
        found[total] = found.get(total, Fraction(0)) + chance
    return found


@pytest.mark.parametrize("start", [0, 4, 8])
@pytest.mark.parametrize("rule", RULES)
def test_the_limits_hold_wherever_the_meter_stands(rule, start):
    """The law of the total by the rules of the meter, of 12 bets; nothing is drawn."""
    award = progressive(bet(), rule)
    monitor = monitor_of(award.bet, award)
    law = totals(award, 12, start)
    for level in ("80%", "95%", "99%"):
        limits = monitor.fixed(12, level)
        outside = sum(p for x, p in law.items() if not limits.low <= 1 + x / 12 <= limits.high)
        assert outside <= 1 - Fraction(level.rstrip("%")) / 100
        if rule is ROW:
            assert float(outside) == pytest.approx(limits.outside, abs=1e-8)


def years(award, runs, days, volume, seed):
    """The readings of a casino: by run and day, what was paid, awards too, and the meter."""
    law, stake, rng = award.law, float(award.bet.stake), np.random.default_rng(seed)
    pays = [*award.bet.law]
    profit = np.array([float(pay.profit) for pay in pays])
    winners = np.array([pay.event in award.rule.on for pay in pays])
    chances = np.cumsum([float(p) for p in award.bet.law.values()])
    start, step = float(law.seed), float(law.feed)
    fed = np.zeros(runs, int)
    due = rng.integers(1, (law.max_bets or 1) + 1, runs)
    paid, meters = np.zeros((runs, days)), np.zeros((runs, days + 1))
    meters[:, 0] = start
    for day in range(days):
        for _ in range(volume):
            what = np.searchsorted(chances, rng.random(runs), "right").clip(max=len(pays) - 1)
            fed += 1
            won = fed == due if law.p_win is None else winners[what]
            if law.max_bets is not None:
                won = won | (fed == law.max_bets)
            shows = start + step * fed
            award_paid = shows if law.limit is None else np.minimum(shows, float(law.limit))
            paid[:, day] += stake + profit[what] + np.where(won, award_paid, 0.0)
            fed[won] = 0
            due[won] = rng.integers(1, (law.max_bets or 1) + 1, int(won.sum()))
        meters[:, day + 1] = start + step * fed
    return paid, meters


RUNS, DAYS, VOLUME = 1_000, 20, 100
FAR = 1e-6
"""A right test fails with this probability at most, for any of the three awards."""


def alarms(monitor, back):
    """The runs with an alarm by either rule, from what each day returns per unit staked."""
    seen = np.zeros(len(back), bool)
    day, so_far = monitor.day(VOLUME), np.cumsum(back, axis=1)
    for n in range(1, DAYS + 1):
        _, low, high = monitor.running(n * VOLUME)
        running = so_far[:, n - 1] / n
        for value, ends in ((back[:, n - 1], (day.low, day.high)), (running, (low, high))):
            seen |= (value < float(ends[0]) - 1e-9) | (value > float(ends[1]) + 1e-9)
    return int(seen.sum())


def most_alarms(rate):
    """More of the runs have an alarm with probability FAR at most (Chernoff's inequality)."""
    return next(
        k
        for k in range(int(RUNS * rate), RUNS)
        if RUNS
        * (
            (k / RUNS) * log(max(k / RUNS, rate) / rate)
            + (1 - k / RUNS) * log((1 - k / RUNS) / (1 - rate))
        )
        > -log(FAR)
    )


@pytest.mark.parametrize("rule", RULES)
def test_right_years_are_seldom_alarmed_and_wrong_ones_often(rule):
    """A thousand years of 20 days of 100 bets, bet by bet, seeded; at most 20 % may be alarmed.

    Without the award in its limits every one of them is: the award adds 60 % to the return.
    """
    award = progressive(bet(), rule)
    monitor = monitor_of(award.bet, award, "80%", DAYS)
    paid, meters = years(award, RUNS, DAYS, VOLUME, seed=7)
    back = (paid + np.diff(meters, axis=1)) / (VOLUME * float(award.bet.stake))
    assert alarms(monitor, back) <= most_alarms(0.2)
    bare = Monitor(award.bet.profit, "80%", DAYS)
    assert alarms(bare, back) > 0.99 * RUNS
    broken = back - 0.3  # the game pays a third of the stake too little
    assert alarms(monitor, broken) > 0.9 * RUNS


def test_what_cannot_be_said_of_a_year_is_refused():
    monitor = monitor_of(bet(), progressive(bet(), LIMITED))
    for ask in (lambda: monitor.year(100), lambda: monitor.detection(100, "1%")):
        with pytest.raises(RulesError, match="depends on its meter"):
            ask()
    assert monitor_of(bet()).law == bet().profit
    assert monitor_of(bet(), progressive(bet(), ROW)).year(10).either < 0.01
