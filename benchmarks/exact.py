"""Exact answers: sevenout beside icepool and Storm (stormpy), in one run.

    python benchmarks/exact.py

Each row is the least of several runs, and a ratio to the peer in the same run. A game is explored
from its rules and solved unless the row says otherwise; Storm gets our PRISM model, whose parsing
is not counted.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import sevenout as so
from sevenout.model import prism
from sevenout.rolling import Law
from sevenout.solving.answer import Solution

ALL = 0b11111011111  # the totals 2 to 12 but 7, as bits


class All(so.Game):
    """Ten totals before a seven."""

    dice = so.dice("2d6").totals
    start = 0

    def step(self, seen: int, total: int) -> Any:
        if total == 7:
            return LOST
        seen |= 1 << (total - 2)
        return WON if seen == ALL else seen


WON, LOST = so.win("all", 175), so.lose("seven out")


class Bankroll(so.Game):
    """A bankroll that changes by one of twelve amounts a round."""

    dice = Law({-6: 6, -3: 4, -2: 4, -1: 5, 0: 1, 1: 5, 2: 4, 3: 2, 5: 2, 7: 1, 11: 1, 13: 1})

    def __init__(self, top: int) -> None:
        self.start, self.top = top // 2, top

    def step(self, money: int, change: int) -> Any:
        money += change
        return RUIN if money <= 0 else TARGET if money >= self.top else money


RUIN, TARGET = so.lose("ruin"), so.win("target")


def best(run: Callable[[], Any], times: int) -> float:
    """The least seconds of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def row(what: str, ours: float, peer: str = "", theirs: float | None = None) -> None:
    against = f"{peer} {theirs * 1e3:12.3f} ms   {theirs / ours:8.0f} x" if theirs else ""
    print(f"{what:<58}{ours * 1e3:10.3f} ms   {against}", flush=True)


def storm(game: so.Game, outcome: int, exact: bool = True) -> Callable[[], Fraction] | None:
    """Building the sparse model and checking it, in Storm."""
    try:
        import stormpy
    except ImportError:
        return None
    chain = so.explore(game)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.prism"
        path.write_text(prism(chain))
        program = stormpy.parse_prism_program(str(path))
    formula = stormpy.parse_properties(f'P=? [F "outcome_{outcome}"]', program)
    build = stormpy.build_model[stormpy.Rational if exact else float]

    def check() -> Fraction:
        model = build(program, formula)
        value = stormpy.model_checking(model, formula[0]).get_value(model.initial_states[0])
        return Fraction(str(value))

    return check


def icepool_craps() -> Any:
    import icepool

    def step(state: int, roll: int) -> int:
        if state == 0:
            return 1 if roll in (7, 11) else -1 if roll in (2, 3, 12) else roll
        if state in (1, -1):
            return state
        return 1 if roll == state else -1 if roll == 7 else state

    two = icepool.d6 + icepool.d6
    return icepool.map(step, icepool.Die([0]), two, repeat="inf").probability(1)


def icepool_all() -> Any:
    import icepool

    def step(seen: int, roll: int) -> int:
        if seen in (-1, ALL):
            return seen
        return -1 if roll == 7 else seen | 1 << (roll - 2)

    two = icepool.d6 + icepool.d6
    return icepool.map(step, icepool.Die([0]), two, repeat="inf").probability(ALL)


def main() -> None:
    craps = so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    print(f"{'':<58}{'sevenout':>10}      peer")
    ours = best(lambda: so.solve(craps).bet().p_win, 300)
    row("craps, P(win)", ours, "icepool", best(icepool_craps, 5))
    if check := storm(craps, 0):
        row("craps, P(win)", ours, "Storm  ", best(check, 5))
    chain = so.explore(craps)
    row("craps, the explored chain solved", best(lambda: so.solve(chain).outcomes, 300))

    ours = best(lambda: so.solve(All()).p("all"), 5)
    assert so.solve(All()).p("all") == icepool_all()
    row("All, 1,023 states, P(win)", ours, "icepool", best(icepool_all, 1))
    if check := storm(All(), 1):
        row("All, 1,023 states, P(win)", ours, "Storm  ", best(check, 3))
    chain = so.explore(All())
    row("All, the explored chain solved", best(lambda: so.solve(chain).outcomes, 5))

    ours = best(lambda: so.solve(Bankroll(1_000), "lifting").p("target"), 3)
    if check := storm(Bankroll(1_000), 1):
        row("bankroll of 10^3, exact fraction", ours, "Storm  ", best(check, 1))
    for top, method in ((10_000, "lifting"), (100_000, "certified")):
        start = time.perf_counter()
        chain = so.explore(Bankroll(top))
        explored = time.perf_counter() - start
        ours = best(lambda: Solution(chain, method).outcomes, 2)  # noqa: B023  used at once
        what = "exact fraction" if method == "lifting" else "50 digits, certified"
        row(f"bankroll of {top:,}, {what} (explored in {explored:.2f} s)", ours)


if __name__ == "__main__":
    sys.exit(main())
