"""The rate of false alarms over a million right years, beside what `Monitor` says of it.

Every bet of every day is drawn, by its multinomial law: 365 days of `VOLUME` bets, `YEARS` times.
`python benchmarks/monitoring.py [years] [volume]`.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter
from typing import Any

import numpy as np

from sevenout.exact import solve
from sevenout.games import catalogue
from sevenout.verify.monitoring import Monitor

YEARS, VOLUME, AT_ONCE = 1_000_000, 1_000, 2_000
GAME = "craps"


def alarms(seed: int, years: int, volume: int) -> tuple[int, int, int]:
    """How many of some years each rule alarms, and either."""
    law = dict(solve(catalogue[GAME]).bet().profit)
    monitor = Monitor(law)
    rng = np.random.default_rng(seed)
    shares = np.array([float(p) for p in law.values()])
    won = rng.multinomial(volume, shares, (years, monitor.days)) @ np.array([float(x) for x in law])
    day = monitor.day(volume)
    low, high = (float((end - 1) * volume) for end in (day.low, day.high))
    ends = [monitor.running(volume * n) for n in range(1, monitor.days + 1)]
    least: Any = np.array([float((r.low - 1) * r.bets) for r in ends])
    most: Any = np.array([float((r.high - 1) * r.bets) for r in ends])
    total = won.cumsum(axis=1)
    by_day = ((won < low - 1e-6) | (won > high + 1e-6)).any(axis=1)
    running = ((total < least - 1e-6) | (total > most + 1e-6)).any(axis=1)
    return int(by_day.sum()), int(running.sum()), int((by_day | running).sum())


def main(years: int = YEARS, volume: int = VOLUME) -> None:
    began = perf_counter()
    said = Monitor(dict(solve(catalogue[GAME]).bet().profit)).year(volume)
    blocks = years // AT_ONCE
    with ProcessPoolExecutor() as pool:
        counts = list(pool.map(alarms, range(1, blocks + 1), [AT_ONCE] * blocks, [volume] * blocks))
    print(f"{GAME}, {blocks * AT_ONCE:,} years of 365 days of {volume:,} bets")
    for name, seen, p in zip(said._fields, zip(*counts, strict=True), said, strict=True):
        n = blocks * AT_ONCE
        z = (sum(seen) - n * p) / (n * p * (1 - p)) ** 0.5
        print(f"{name:8} said {p:.6f}, seen {sum(seen) / n:.6f}, z = {z:+.2f}")
    print(f"{perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main(*(int(float(word)) for word in sys.argv[1:]))
