"""The rate of false alarms over a million right years, beside what `Monitor` says of it.

Every bet of every day is drawn, by its multinomial law: 365 days of `VOLUME` bets, `YEARS` times.
What is said of a year comes from another source, the law of a day's total by Fourier transform.
`python benchmarks/monitoring.py [years] [volume]`.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from sevenout.catalogue import games
from sevenout.solving import solve
from sevenout.verify.monitoring import Monitor

YEARS, VOLUME, AT_ONCE = 1_000_000, 1_000, 500
BETS = ("craps", "pass"), ("fast-craps", "brick")


class Rule(NamedTuple):
    """What alarms: the profits and their chances, and the limits of a day's and a year's totals."""

    volume: int
    profits: Any
    chances: Any
    day: tuple[float, float]
    low: Any
    high: Any


def rule(monitor: Monitor, volume: int) -> Rule:
    """The limits of a monitor as totals of profits, found once for all years."""
    day = monitor.day(volume)
    ends = [monitor.running(volume * n) for n in range(1, monitor.days + 1)]
    return Rule(
        volume,
        np.array([float(x) for x in monitor.law]),
        np.array([float(p) for p in monitor.law.values()]),
        (float((day.low - 1) * volume) - 1e-6, float((day.high - 1) * volume) + 1e-6),
        np.array([float((r.low - 1) * r.bets) for r in ends]) - 1e-6,
        np.array([float((r.high - 1) * r.bets) for r in ends]) + 1e-6,
    )


def alarms(rule: Rule, years: int, seed: int) -> tuple[int, int, int]:
    """How many of some years each rule alarms, and either."""
    rng = np.random.default_rng(seed)
    won = rng.multinomial(rule.volume, rule.chances, (years, len(rule.low))) @ rule.profits
    least, most = rule.day
    by_day = ((won < least) | (won > most)).any(axis=1)
    total = won.cumsum(axis=1)
    running = ((total < rule.low) | (total > rule.high)).any(axis=1)
    return int(by_day.sum()), int(running.sum()), int((by_day | running).sum())


def main(years: int = YEARS, volume: int = VOLUME) -> None:
    for game, bet in BETS:
        began = perf_counter()
        monitor = Monitor(dict(solve(games[game]).bet(bet).profit))
        said, blocks = monitor.year(volume), max(1, years // AT_ONCE)
        with ProcessPoolExecutor() as pool:
            ask = partial(alarms, rule(monitor, volume), AT_ONCE)
            counts = list(pool.map(ask, range(1, blocks + 1), chunksize=8))
        n = blocks * AT_ONCE
        print(f"{game}, {bet}: {n:,} years of {monitor.days} days of {volume:,} bets")
        for name, seen, p in zip(said._fields, zip(*counts, strict=True), said, strict=True):
            z = (sum(seen) - n * p) / (n * p * (1 - p)) ** 0.5
            print(f"{name:8} said {p:.6f}, seen {sum(seen) / n:.6f}, z = {z:+.2f}")
        print(f"{perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(*(int(float(word)) for word in sys.argv[1:]))
