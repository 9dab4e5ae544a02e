"""Evenings: exact laws, and evenings played, beside crapssim in the same run.

    python benchmarks/evening.py
    python benchmarks/evening.py --check 1e7    # and play each strategy so often, beside its law

The exact laws are timed from the strategy's name to the whole result, in CPU seconds of this
process (layouts explored, lattice built, 400 rolls). Evenings are played on one thread,
compiled if numba is installed; crapssim plays its own three-point Molly, and its table counts its
rolls.
Evenings are also played as games whose chain is too large to explore, timed with the attempt.
"""

import platform
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import sevenout as so
from sevenout.catalogue.strategies import strategies
from sevenout.evenings import Plan
from sevenout.numerals import parse_count
from sevenout.rules import Outcome
from sevenout.simulation.played_evenings import simulate_evenings
from sevenout.verify.agreement import confirm_evenings

HOURS = 4
SURE = "99.99%"
"""So likely is each strategy found to agree if its law is true: all two dozen raise a false alarm
in 1 run of 400."""


def timed(run: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """The least CPU seconds of several runs, and what the last brought."""
    found = []
    for _ in range(times):
        start = time.process_time()
        result = run()
        found.append(time.process_time() - start)
    return min(found), result


def crapssim(evenings: int) -> tuple[float, float, int]:
    """CPU seconds, the mean result and the rolls of evenings of three-point Molly in crapssim."""
    from crapssim.strategy import examples
    from crapssim.table import Table

    start, total, rolls = time.process_time(), 0.0, 0
    for k in range(evenings):
        table = Table(seed=k)
        player = table.add_player(bankroll=300, strategy=examples.ThreePointMolly(1))
        table.run(max_rolls=100 * HOURS, verbose=False)
        total += player.total_player_cash - 300
        rolls += table.dice.n_rolls
    return time.process_time() - start, total / evenings, rolls


LARGE = {"labouchere": 2000, "oscars-grind": 5000, "three-point-molly": 300}
"""Evenings whose money is part of the state, of more than a million states: the bankrolls."""


def met(name: str, evenings: int) -> tuple[float, int, float]:
    """CPU seconds and rolls of evenings as games that are not explored, from the strategy's name to
    the page; and the seconds of the rules' own steps, for as many rolls.
    """
    start = time.process_time()
    game = Plan.of(name, LARGE[name], hours=HOURS).game
    tally = so.simulate(game, evenings, seed=1)
    str(tally.page())
    seconds = time.process_time() - start
    law = game.dice.law
    rolls = random.Random(1).choices(list(law), law.weights, k=40_000)
    start, state = time.process_time(), game.start
    for roll in rolls:
        then = game.step(state, roll).state
        state = game.start if isinstance(then, Outcome) else then
    floor = time.process_time() - start
    return seconds, tally.rolls, floor * tally.rolls / len(rolls)


def check(evenings: int) -> bool:
    """Whether so many evenings of each strategy of the library agree with its law."""
    good = True
    for name in strategies.entries:
        options = {"rolls": 60, "stop_loss": 60}
        law = so.evening(name, 100, **options)
        verdict = confirm_evenings(
            simulate_evenings(name, 100, evenings, seed=11, **options), law, confidence=SURE
        )
        results, ends, mean = verdict.tests
        print(
            f"{name:<20}{'agrees' if verdict.agrees else 'DOES NOT AGREE':<16}"
            f"p: results {results.p_value:.4f}, ends {ends.p_value:.4f}, mean {mean.p_value:.4f} "
            f"(z {mean.statistic:+.2f})",
            flush=True,
        )
        good &= verdict.agrees
    return good


def main() -> int:
    """Print the table."""
    if "--check" in sys.argv:
        return 0 if check(parse_count(sys.argv[sys.argv.index("--check") + 1])) else 1
    print(f"Python {platform.python_version()}, {platform.machine()}\n")
    so.evening("pass", 10, hours=1)  # what is imported once
    for name in (
        "pass",
        "three-point-molly",
        "three-point-dolly",
        "iron-cross",
        "place-6-8-press",
        "place-6-8-power",
        "martingale",
        "labouchere",
    ):
        seconds, result = timed(lambda: so.evening(name, 300, hours=HOURS))  # noqa: B023
        print(
            f"law of four hours, {name:<18}{seconds:8.3f} s CPU   ruin {float(result.ruin):.9f}   "
            f"ahead {float(result.ahead):.9f}   bound {float(result.bound):.1e}"
        )
    simulate_evenings("pass", 10, 100, hours=1)
    seconds, tally = timed(
        lambda: simulate_evenings("three-point-molly", 300, 100_000, hours=HOURS)
    )
    mine = tally.rolls / seconds
    print(f"\nplayed, three-point-molly {mine / 1e6:14.1f} M rolls a CPU second, 1 thread")
    try:
        seconds, _, rolls = crapssim(30)
        peer = rolls / seconds
        print(
            f"crapssim, three-point Molly {peer / 1e6:12.4f} M rolls a CPU second; "
            f"ours {mine / peer:.0f} times as many"
        )
    except ImportError:
        peer = 0.0
        print("crapssim is not installed")
    print("\nas games too large to explore, nearly every roll of which comes to a new state:")
    for name in LARGE:
        for evenings in (300, 3_000):
            seconds, rolls, floor = met(name, evenings)
            times = f"; {rolls / seconds / peer:.1f} times crapssim" if peer else ""
            print(
                f"{name:<20}{evenings:6,} evenings {rolls / seconds:11,.0f} rolls a CPU second; "
                f"the rules alone {rolls / floor:9,.0f}{times}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
