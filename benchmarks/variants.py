"""Families of variants, beside the article's way: one Fraction at a time.

Run `python benchmarks/variants.py`, or with `--quick`, which scales the article's way up from 2d5.

The article's method is written down again from its mathematics: every assignment of totals to
three sets, every out, and the win probability as a sum of fractions.
"""

import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from sevenout.variants import (
    Family,
    VariantTable,
    census,
    classes,
    count,
    counts,
    fairest,
    write_table,
)

HALF = Fraction(1, 2)


def by_fractions(dice: str) -> Counter[Fraction]:
    """Every variant's win probability, by enumeration with fractions."""
    family = Family(dice)
    chance = {t: Fraction(w, family.denominator) for t, w in family.ways.items()}
    found: Counter[Fraction] = Counter()
    for roles in product("CNP", repeat=len(chance)):
        if len(set(roles)) < 3:
            continue
        sets = dict(zip(chance, roles, strict=True))
        for out in (t for t, role in sets.items() if role != "P"):
            wins = Fraction(0)
            for total, role in sets.items():
                if role == "N":
                    wins += chance[total]
                elif role == "P":
                    wins += chance[total] * (chance[total] / (chance[total] + chance[out]))
            found[wins] += 1
    return found


def timed(do: Callable[[], Any], runs: int = 5) -> tuple[float, Any]:
    """The median time of some runs, in seconds, and the last result."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        result = do()
        times.append(time.perf_counter() - start)
    return statistics.median(times), result


def show(what: str, seconds: float, says: str, beside: float | None = None) -> None:
    ratio = "" if beside is None else f"{beside / seconds:>10,.0f} x"
    print(f"{what:<52}{1000 * seconds:>13,.2f} ms {ratio:>12}   {says}", flush=True)


def main(quick: bool = False) -> None:
    family = Family("2d6")
    slow, table = timed(lambda: by_fractions("2d5" if quick else "2d6"), 1)
    if quick:
        slow *= family.size / Family("2d5").size
    says = f"{len(table):,} win probabilities" + (", scaled up from 2d5" if quick else "")
    show("2d6 census by fractions, as in the article", slow, says)

    seconds, histogram = timed(lambda: census(family).histogram, 15)
    assert quick or dict(histogram.items()) == table
    show("2d6 census and histogram", seconds, f"{family.size:,} variants", slow)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "variants.parquet"
        seconds, _ = timed(lambda: write_table(family, path), 3)
        megabytes = path.stat().st_size / 1e6
        show("2d6 table, all columns, as Parquet", seconds, f"{megabytes:.1f} MB", slow)
    opened = VariantTable(family).build()
    asked = "p_win < 0.5 and mean_rolls < 3"
    seconds, rows = timed(lambda: opened.query(asked, "p_win desc, name"))
    show("  a question to it", seconds, f"{rows.matched:,} variants")

    seconds, orbits = timed(lambda: classes(family).n_orbits)
    show("2d6 classes, closed form", seconds, f"{orbits:,} classes")

    for dice in ("2d6", "3d6", "4d6", "5d6", "2d12", "2d16", "2d20"):
        large = Family(dice)
        seconds, best = timed(lambda f=large: (b := fairest(f), b.multiplicity)[0])
        says = f"1/2 - {float(best.distance):.3e}, {best.multiplicity:,} of {large.size:.3e}"
        show(
            f"{dice} fairest, proof and multiplicity",
            seconds,
            says,
            slow if dice == "2d6" else None,
        )
    if not quick:
        seconds, best = timed(lambda: fairest(Family("2d30")), 1)
        says = f"1/2 - {float(best.distance):.3e} of {best.family.size:.3e}"
        show("2d30 fairest, proof", seconds, says)

    for dice in ("2d6", "2d12", "2d20"):
        large = Family(dice)
        seconds, n = timed(lambda f=large: count(f, "244/495", HALF, ends="neither"), 3)
        show(f"{dice} count between 244/495 and 1/2", seconds, f"{n:,} variants")
    large, ends = Family("2d20"), ("244/495", HALF, "neither")
    seconds, several = timed(lambda: counts(large, [ends, (HALF, HALF, "both")]), 1)
    show("2d20 the same, and exactly 1/2", seconds, f"{several[1]:,} exactly fair")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:,.0f} MiB")


if __name__ == "__main__":
    main(quick="--quick" in sys.argv[1:])
