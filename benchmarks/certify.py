"""Certificates: their size, and how long the checker takes, on the standard library alone.

    python benchmarks/certify.py [--large]

It prints the table "Size and time" of docs/reference/certificate-format.md. The checker runs in a
Python of its own that can't import the house (-I -S), on the unpacked file. The time is that of the
processor; of a small certificate it is the least of several in that process, so that starting
Python is not counted. The memory is the most that the process had (Linux).
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sevenout as so
from sevenout.certify import check
from sevenout.questions.subjects import find_game
from sevenout.rolling import Law

ALONE = """
import contextlib, io, re, runpy, sys, time
main = runpy.run_path(sys.argv[1])["main"]
least, said = 1e9, io.StringIO()
for _ in range(int(sys.argv[3])):
    start = time.process_time()
    with contextlib.redirect_stdout(said):
        code = main([sys.argv[2]])
    least = min(least, time.process_time() - start)
if code:
    sys.exit(said.getvalue())
print(least, re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
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


def row(what: str, make: Callable[[], Any], times: int = 1) -> None:
    """Print a row of the table."""
    made = make()
    head = next(made.data())
    with tempfile.TemporaryDirectory() as folder:
        path = made.write(Path(folder, "proof.json"))
        packed = made.write(Path(folder, "proof.json.gz")).stat().st_size
        command = [sys.executable, "-I", "-S", "-c", ALONE, check.__file__, path, str(times)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        size = path.stat().st_size
    took, most = map(float, done.stdout.split())
    kind = next(key for key in ("states", "cards", "histories", "nodes") if key in head)
    many = f"{head[kind]:,} {kind}".replace("nodes", "positions")
    shown = f"{took:.1f} s" if took > 0.1 else f"{took * 1e3:.1f} ms"
    memory = f"{most / 1000:,.0f} MB"
    print(f"| {what} | {many} | {size:,} | {packed:,} | {shown} | {memory} |", flush=True)


def certified(name: str, *, declared: bool = False) -> Callable[[], Any]:
    """The certificate of a game of the catalogue, as states or with its rules."""
    game = so.games[name]
    return lambda: so.solve(game).certificate(title=name, rules=game if declared else None)


def main() -> None:
    """Print the table."""
    print("| | lines | bytes | gzip | checked in | memory |\n|---|---|---|---|---|---|")
    for what, name, times in (("craps", "craps", 50), ("the All bet", "bonus-all-175-1", 3)):
        row(f"{what}, as states", certified(name), times)
        row(f"{what}, as declared", certified(name, declared=True), times)
    row(
        "a bankroll of 10,000, to 50 digits",
        lambda: so.solve(Bankroll(10_000), "certified").certificate("target", "rolls"),
    )
    row("Mia", lambda: so.best(so.games("mia")).certificate())
    row("Liar's Dice, ones wild", lambda: so.best(so.games("liars-dice-wild")).certificate())
    row("repeater, citywide", certified("repeater-plus-citywide"))
    if "--large" not in sys.argv:
        return
    pig, yahtzee = find_game("pig").game, find_game("yahtzee").game
    row("two-player Pig to 100, to 24 digits", lambda: so.best(pig).certificate())
    row("Yahtzee, to 10 digits", lambda: so.best(yahtzee).certificate())
    row("Yahtzee, the fraction", lambda: so.best(yahtzee, method="exact").certificate())


if __name__ == "__main__":
    main()
