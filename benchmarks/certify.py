"""Certificates: their size, and how long the checker takes, on the standard library alone.

    python benchmarks/certify.py [--large]

The checker runs in a Python of its own that can't import the house (-I -S); the time of a small
certificate is the least of several within that process, so that starting Python is not counted.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sevenout as so
from sevenout.certify import check
from sevenout.cli.resolve import choose
from sevenout.dice import Law

ALONE = """
import contextlib, io, runpy, sys, time
main = runpy.run_path(sys.argv[1])["main"]
least, said = 1e9, io.StringIO()
for _ in range(int(sys.argv[3])):
    start = time.perf_counter()
    with contextlib.redirect_stdout(said):
        code = main([sys.argv[2]])
    least = min(least, time.perf_counter() - start)
if code:
    sys.exit(said.getvalue())
print(least)
"""


class Bankroll(so.Game):
    """A bankroll that changes by one of twelve amounts a round."""

    dice = Law({-6: 6, -3: 4, -2: 4, -1: 5, 0: 1, 1: 5, 2: 4, 3: 2, 5: 2, 7: 1, 11: 1, 13: 1})

    def __init__(self, top: int) -> None:
        self.start, self.top = top // 2, top

    def step(self, money: int, change: int) -> Any:
        money += change
        return RUIN if money <= 0 else TARGET if money >= self.top else money


RUIN, TARGET = so.lose("ruin"), so.win("target")


def row(what: str, make: Callable[[], Any], times: int) -> None:
    start = time.perf_counter()
    made = make()
    with tempfile.TemporaryDirectory() as folder:
        path = made.write(Path(folder, "proof.json"))
        wrote = time.perf_counter() - start
        packed = made.write(Path(folder, "proof.json.gz")).stat().st_size
        command = [sys.executable, "-I", "-S", "-c", ALONE, check.__file__, path, str(times)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        size = path.stat().st_size
    print(
        f"{what:<34}{size:>14,} bytes {packed:>12,} gz   solved and written in {wrote:8.2f} s   "
        f"checked in {float(done.stdout) * 1e3:10.1f} ms",
        flush=True,
    )


def certified(name: str) -> Callable[[], Any]:
    return lambda: so.solve(so.catalogue[name]).certificate(game=name)


def main() -> None:
    row("craps", certified("craps"), 50)
    row("the All bet", certified("bonus-all-175-1"), 3)
    row(
        "a bankroll of 10,000, certified",
        lambda: so.solve(Bankroll(10_000), "certified").certificate("target", "rolls"),
        1,
    )
    row("repeater, citywide", certified("repeater-plus-citywide"), 1)
    if "--large" in sys.argv:
        row("two-player Pig to 100", lambda: so.best(choose("pig").game).certificate(), 1)


if __name__ == "__main__":
    main()
