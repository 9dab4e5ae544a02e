"""Dice, beside icepool and beside the plain way of doing the same, in one run.

    python benchmarks/dice.py

Each line is the least of several runs, and a ratio above 1 means that sevenout takes longer.
"""

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import icepool

from sevenout.rolling import (
    faulty_law,
    mean_change,
    parse_dice,
    peel,
    random_faults,
    ranked_pairs,
    relabelled,
    sensitivity,
    shares_law,
    tatham,
)
from sevenout.rolling.faulty.effects import chi_square, total_variation


def best(run: Callable[[], Any], times: int = 5) -> float:
    """The least seconds of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def winner(first: tuple[int, int], second: tuple[int, int]) -> int:
    """What icepool rolls of a ranked pair; its faces are (rank, value)."""
    return max(first, second)[1]


def icepool_dice(weights: list[list[int]] | None = None) -> list[Any]:
    """Tatham's pair in icepool."""
    dice = tatham(6).dice
    return [
        icepool.Die({(f.rank, f.value or 0): w for f, w in zip(die.faces, row, strict=True)})
        for die, row in zip(dice, weights or [[1] * 6, [1] * 6], strict=True)
    ]


def differences() -> list[Any]:
    """The sensitivities of Tatham's pair by a finite difference of icepool's exact laws."""
    fair, huge = icepool.map(winner, *icepool_dice()), 10**9
    columns = []
    for die in range(2):
        for face in range(6):
            rows = [[huge] * 6, [huge] * 6]
            rows[die][face] += 1
            law = icepool.map(winner, *icepool_dice(rows))
            columns.append(
                [(law.probability(t) - fair.probability(t)) * huge for t in fair.outcomes()]
            )
    return columns


def any_order(sides: int) -> int:
    """The ranked pairs for two dice, by peeling lines in any order and sorting out doubles."""
    cells = [[0] * sides for _ in range(sides)]
    left = {t: sides - abs(sides + 1 - t) for t in range(2, 2 * sides + 1)}
    found = set()

    def peel_one(i: int, j: int) -> None:
        if sides in (i, j):
            pair = peel(cells)
            assert pair is not None
            found.add(pair.levels)
            return
        for value in list(left):
            if left[value] >= sides - j:
                left[value] -= sides - j
                cells[i][j:] = [value] * (sides - j)
                peel_one(i + 1, j)
                left[value] += sides - j
            if left[value] >= sides - i:
                left[value] -= sides - i
                for k in range(i, sides):
                    cells[k][j] = value
                peel_one(i, j + 1)
                left[value] += sides - i

    peel_one(0, 0)
    return len(found)


def one_by_one(draws: int) -> float:
    """The mean change by random faults, one exact law after another."""
    rollable, shares = tatham(6).totals, shares_law(Fraction(1, 20))
    laws = (faulty_law(rollable, random_faults(rollable, shares, seed)) for seed in range(draws))
    return sum(
        float(total_variation(rollable.law, law) + chi_square(rollable.law, law)) for law in laws
    )


def report(what: str, ours: float, peer: str, theirs: float) -> None:
    print(f"{what:42} {1000 * ours:10.3f} ms   {peer:24} {1000 * theirs:10.3f} ms   "
          f"ratio {ours / theirs:8.3f}")  # fmt: skip


def main() -> None:
    """Run the benchmarks and print them."""
    for text in ("10d6", "100d6"):
        count = int(text.removesuffix("d6"))
        report(
            f"exact totals of {text}",
            best(lambda text=text: parse_dice(text).totals.law),
            "icepool",
            best(lambda count=count: count @ icepool.Die([1, 2, 3, 4, 5, 6])),
        )
    report(
        "exact law of the ranked pair",
        best(lambda: tatham(6).totals.law),
        "icepool",
        best(lambda: icepool.map(winner, *icepool_dice())),
    )
    report(
        "its sensitivities (exact; differences)",
        best(lambda: sensitivity(tatham(6).totals)),
        "icepool",
        best(differences),
    )
    shares, draws = shares_law(Fraction(1, 20)), 500
    report(
        f"mean over {draws} random faults",
        best(lambda: mean_change(tatham(6).totals, shares, draws=draws)),
        "one law after another",
        best(lambda: one_by_one(draws), 1),
    )
    for sides in (5, 6):
        assert any_order(sides) == len(ranked_pairs(f"2d{sides}"))
        report(
            f"all ranked pairs for 2d{sides}",
            best(lambda sides=sides: ranked_pairs(f"2d{sides}")),
            "peeling in any order",
            best(lambda sides=sides: any_order(sides), 2),
        )
    for text in ("2d6", "2d20", "4d6"):
        print(f"all relabellings of {text:22} {1000 * best(lambda t=text: relabelled(t)):10.3f} ms")


if __name__ == "__main__":
    main()
