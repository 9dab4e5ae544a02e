"""States that behave alike: how long merging them takes, and a hundred thousand random chains.

    python benchmarks/chain.py

Each chain is explored, lumped and hashed once. Then the lumpings and the fingerprints of random
chains with cycles are compared with brute force, as the tests do with fewer.
"""

import sys
import time
from itertools import pairwise
from pathlib import Path

from exact import All, Bankroll

import sevenout as so

PAIRS = 50_000
SEED = 20261121


def main() -> None:
    games = {
        "craps": so.games["craps"],
        "All": All(),
        "citywide": so.games["repeater-plus-citywide"],
        "bankroll of 10,000": Bankroll(10_000),
        "bankroll of 100,000": Bankroll(100_000),
    }
    print(f"{'':<22}{'states':>9}{'blocks':>9}{'explored':>11}{'lumped':>11}{'hashed':>11}")
    for name, game in games.items():
        times = [time.perf_counter()]
        chain = so.explore(game)
        times.append(time.perf_counter())
        blocks = 1 + max(chain.lumping)
        times.append(time.perf_counter())
        chain.fingerprint  # noqa: B018
        times.append(time.perf_counter())
        took = "".join(f"{b - a:9.3f} s" for a, b in pairwise(times))
        print(f"{name:<22}{len(chain.states):>9,}{blocks:>9,}{took}", flush=True)
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.model.test_refine import check_lumpings

    start = time.perf_counter()
    check_lumpings(SEED, PAIRS)
    took = time.perf_counter() - start
    print(f"{2 * PAIRS:,} random chains: the coarsest lumpings, by brute force ({took:.0f} s)")


if __name__ == "__main__":
    sys.exit(main())
