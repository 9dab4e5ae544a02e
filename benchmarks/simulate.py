"""How fast games are played: everybody's way and ours, in one run of less than a minute.

    python benchmarks/simulate.py

Every line is one thread unless it says otherwise. Ours count everything, the length of every game
included; start-up and compilation are on lines of their own. Times are the best of several.
The peer, crapssim, comes with `pip install sevenout[bench]`; without it its line is left out.
"""

import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

from rich.console import Console
from rich.table import Table

from sevenout.evenings import one_bet
from sevenout.model import Chain, explore
from sevenout.rules import Game, JointGame, PayTable, PointGame, Streak
from sevenout.simulation import compiled_engine, simulate

CRAPS = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
HAZARD = PointGame(naturals=[5], craps=[2, 3, 11, 12], out=5)
FAST = PointGame([7, 11], [2, 3, 12], 7, limit=3, bets={"brick": PayTable(point=3)})
GAMES: dict[str, tuple[Game, int]] = {
    "craps": (CRAPS, 2_000_000_000),
    "hazard, main 5": (HAZARD, 2_000_000_000),
    "fast craps, pass and brick": (JointGame(CRAPS, FAST), 1_000_000_000),
    "a caster's turn": (Streak(CRAPS), 200_000_000),
    "an evening, 60 units, 20 rounds": (
        one_bet(CRAPS, bankroll=60, target=100, bets=20).game,
        8_000_000,
    ),
    "an evening, 200 units, 200 rounds": (one_bet(CRAPS, bankroll=200, bets=200).game, 1 << 22),
}
Run = Callable[[], tuple[int, int]]
"""Plays, and says how many games and rolls."""


# --- the ways of others ---------------------------------------------------------------------------


class Pair:
    """Two dice as an object, as a first course in programming has them."""

    def __init__(self) -> None:
        self.first = self.second = 0

    def roll(self) -> None:
        self.first = random.randint(1, 6)
        self.second = random.randint(1, 6)

    def total(self) -> int:
        return self.first + self.second


class Round:
    """A game of craps as an object."""

    def __init__(self) -> None:
        self.pair = Pair()
        self.won = False
        self.rolls = 0

    def play(self) -> None:
        self.won, self.rolls = False, 1
        self.pair.roll()
        point = self.pair.total()
        if point in (7, 11):
            self.won = True
        elif point not in (2, 3, 12):
            while True:
                self.pair.roll()
                self.rolls += 1
                if self.pair.total() == 7:
                    return
                if self.pair.total() == point:
                    self.won = True
                    return


def classes(games: int = 60_000) -> tuple[int, int]:
    game, rolls, wins = Round(), 0, 0
    for _ in range(games):
        game.play()
        rolls += game.rolls
        wins += game.won
    return games, rolls


def tight(games: int = 300_000) -> tuple[int, int]:
    uniform, rolls, wins = random.random, 0, 0
    lengths = [0] * 500
    for _ in range(games):
        point, n = int(uniform() * 6) + int(uniform() * 6) + 2, 1
        if point in (7, 11):
            wins += 1
        elif 3 < point < 12:
            total = 0
            while total not in (7, point):
                total, n = int(uniform() * 6) + int(uniform() * 6) + 2, n + 1
            wins += total == point
        lengths[n] += 1
        rolls += n
    return games, rolls


def crapssim(rolls: int = 3_000) -> tuple[int, int]:
    import crapssim

    table = crapssim.Table(seed=1)
    table.add_player(bankroll=1e9)
    table.run(max_rolls=rolls, verbose=False)
    return round(rolls / 3.3757576), rolls


def arrays(games: int = 1_000_000) -> tuple[int, int]:
    """NumPy, in step: a byte a roll for the games that are still on, and boolean masks."""
    import numpy as np

    rng = np.random.default_rng(1)
    ways = np.array([i + j for i in range(1, 7) for j in range(1, 7)], dtype=np.uint8)
    total = ways[rng.integers(0, 36, games, dtype=np.uint8)]
    natural = np.zeros(13, dtype=bool)
    natural[[7, 11]] = True
    settled = natural.copy()
    settled[[2, 3, 12]] = True
    wins = int(natural[total].sum())
    lengths, n = [0, int(settled[total].sum())], games
    point = total[~settled[total]]
    while len(point):
        total = ways[rng.integers(0, 36, len(point), dtype=np.uint8)]
        n += len(point)
        made = total == point
        wins += int(made.sum())
        on = ~(made | (total == 7))
        lengths.append(len(point) - int(on.sum()))
        point = point[on]
    return games, n


# --- ours -----------------------------------------------------------------------------------------


def ours(chain: Chain, games: int, backend: str, threads: int = 1) -> Run:
    def play() -> tuple[int, int]:
        with ThreadPoolExecutor(threads) as pool:
            tally = simulate(chain, games, seed=1, backend=backend, executor=pool)
        return tally.games, tally.rolls

    return play


def best(run: Run, times: int) -> tuple[float, float]:
    """Rolls and games a second, at best."""
    speeds = []
    for _ in range(times):
        start = time.perf_counter()
        games, rolls = run()
        seconds = time.perf_counter() - start
        speeds.append((rolls / seconds, games / seconds))
    return max(speeds)


def large(x: float) -> str:
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if x >= unit:
            return f"{x / unit:,.2f} {name}"
    return f"{x:,.0f}"


def main() -> None:
    out = Console(width=100)
    out.print(f"{platform.platform()}, Python {platform.python_version()}, {_processor()}")
    chain = explore(CRAPS)
    start = time.perf_counter()
    simulate(chain, 10_000)
    if not find_spec("crapssim"):
        out.print("crapssim is not installed: pip install sevenout[bench]", markup=False)
    out.print(f"first small run (NumPy): {time.perf_counter() - start:.3f} s")
    lines: list[tuple[str, Run, int]] = [
        ("Python, dice and game as classes", classes, 3),
        ("Python, one tight loop", tight, 3),
        *([("crapssim", crapssim, 3)] if find_spec("crapssim") else []),
        ("NumPy, games in step", arrays, 5),
        ("ours: numpy", ours(chain, 16_000_000, "numpy"), 4),
    ]
    if find_spec("llvmlite"):
        start = time.perf_counter()
        simulate(chain, 10, backend="llvm")
        out.print(f"first compiled run (LLVM): {time.perf_counter() - start:.3f} s")
        widths = [w for w in compiled_engine.WIDTHS if w <= compiled_engine.best_width()]
        lines += [(f"ours: llvm-{w}", ours(chain, 1_000_000_000, f"llvm-{w}"), 5) for w in widths]
        threads = os.cpu_count() or 1
        lines.append(
            (f"ours: llvm, {threads} threads", ours(chain, 4_000_000_000, "llvm", threads), 5)
        )
    table = Table(title="Craps", title_justify="left")
    for head in ("", "rolls a second", "games a second", "times the classes", "times NumPy"):
        table.add_column(head, justify="right" if head else "left")
    speeds = {name: best(run, times) for name, run, times in lines}
    first, numpy = speeds["Python, dice and game as classes"][0], speeds["NumPy, games in step"][0]
    for name, (rolls, games) in speeds.items():
        table.add_row(
            name, large(rolls), large(games), f"{rolls / first:,.4g}", f"{rolls / numpy:,.4g}"
        )
    out.print(table)
    table = Table(title="Any game, one thread, auto", title_justify="left")
    for head in ("", "states", "rolls a second", "games a second", "of craps"):
        table.add_column(head, justify="right" if head else "left")
    craps = 0.0
    for name, (game, games) in GAMES.items():
        chain = explore(game)
        rolls, played = best(ours(chain, games, "auto"), 4)
        craps = craps or rolls
        table.add_row(
            name, str(len(chain.states)), large(rolls), large(played), f"{rolls / craps:.0%}"
        )
    out.print(table)
    pair = [explore(GAMES[name][0]) for name in ("craps", "fast craps, pass and brick")]
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        for one in pair:
            simulate(one, 100_000_000, seed=1)
        seconds.append(time.perf_counter() - start)
    out.print(f"Two games, 10^8 plays each, all threads: {statistics.median(seconds):.3f} s")


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="ascii") as file:
            names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
        return f"{names[0]} ({os.cpu_count()} processors)"
    except (OSError, IndexError):
        return platform.processor()


if __name__ == "__main__":
    sys.exit(main())
