"""`conform` over logs of any length: rows a second of processor time, and the memory it peaks at.

A log of the rolls of a table, and a log of games, both of craps and right. A process each, so that
one's memory is not the other's. `python benchmarks/conform.py [rows]`.
"""

import sys
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from sevenout.catalogue import games as shelf
from sevenout.documents.numbers import exactly
from sevenout.verify import conform
from sevenout.verify.records import Book

ROWS, AT_ONCE = 1_000_000, 1_000_000
GAME = "craps"


def rolls(rows: int) -> Iterator[bytes]:
    """Rolls of two dice, a line each."""
    rng = np.random.default_rng(1)
    for start in range(0, rows, AT_ONCE):
        many = min(AT_ONCE, rows - start)
        lines = np.full((many, 4), ord(","), np.uint8)
        lines[:, 0::2] = rng.integers(ord("1"), ord("7"), (many, 2))
        lines[:, 3] = ord("\n")
        yield lines.tobytes()


def games(rows: int) -> Iterator[bytes]:
    """Games with their number, rolls, outcome and what the bet wins."""
    book = Book(shelf[GAME])
    yield f"game,rolls,outcome,{','.join(book.bets)}\n".encode()
    ends = [
        f",{end.label},{','.join(exactly(end.profit(bet)) for bet in book.bets)}\n"
        for end in book.outcomes
    ]
    said = [f"{a} {b}" for a in range(1, 7) for b in range(1, 7)]
    places = [book.branch(0, each) for each in said]
    rng = np.random.default_rng(1)
    told: list[str] = []
    node, lines, done = 0, [], 0
    while done < rows:
        for face in rng.integers(0, 36, AT_ONCE).tolist():
            told.append(said[face])
            node = book.targets[node][places[face]]
            if node >= len(book.targets):
                done += 1
                lines.append(f"{done},{'; '.join(told)}{ends[node - len(book.targets)]}")
                node = 0
                told.clear()
                if done == rows:
                    break
        yield "".join(lines).encode()
        lines.clear()


KINDS = {"rolls": rolls, "games": games}


def run(kind: str, rows: int) -> tuple[float, float, bool]:
    """The seconds, the megabytes, and whether the log conforms."""
    with TemporaryDirectory() as place:
        path = Path(place, "log.csv")
        with path.open("wb") as file:
            file.writelines(KINDS[kind](rows))
        began = process_time()
        found = conform(shelf[GAME], path)
        spent = process_time() - began
    return spent, getrusage(RUSAGE_SELF).ru_maxrss / 1024, found.agrees


def main(rows: int = ROWS) -> None:
    for kind in KINDS:
        with get_context("spawn").Pool(1) as pool:
            spent, memory, conforms = pool.apply(run, (kind, rows))
        rate = rows / spent
        print(f"{kind}: {rows:,} rows, {spent:.1f} s, {rate:,.0f}/s, {memory:.0f} MB, {conforms}")


if __name__ == "__main__":
    main(*(int(float(word)) for word in sys.argv[1:]))
