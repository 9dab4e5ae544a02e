"""`sevenout variants`: every variant of craps, the fairest with proof, the table."""

from pathlib import Path
from typing import Any, Literal

from sevenout.cli.out import console, print_json


def variants(
    *,
    dice: str = "2d6",
    where: str | None = None,
    order_by: str | None = None,
    top: int = 20,
    parquet: Path | None = None,
    fairest: bool = False,
    target: str = "1/2",
    side: Literal["below", "above", "nearest"] = "below",
    count: tuple[str, str] | None = None,
    classes: bool = False,
    canonical: bool = False,
    json: bool = False,
) -> None:
    """Every variant of craps: all of them, the fairest with proof, the table, the symmetry.

    Without options: the slice of the family that comes of labelling set partitions in one order,
    beside the whole family.

    Parameters
    ----------
    dice
        The dice.
    where
        Show the variants that meet a condition, such as "p_win < 0.5 and mean_rolls < 3".
        Columns: name, craps, naturals, out, out_in, p_num, p_den, p_win, edge, mean_rolls,
        var_rolls, n_craps, n_naturals, n_points, class, class_size.
    order_by
        In this order, such as "p_win desc, mean_rolls".
    top
        Show at most so many.
    parquet
        Write the whole table to this file.
    fairest
        The variants nearest to the target, with the proof that none is nearer.
    target
        A win probability, such as 1/2 or 0.495.
    side
        Strictly below the target, strictly above it, or nearest to it.
    count
        How many variants have a win probability strictly between two numbers.
    classes
        How many classes there are under swaps of equally likely totals, and what they leave
        unexplained.
    canonical
        Only the slice.
    json
        Print JSON.
    """
    from sevenout.variants import Family

    family = Family(dice, labelling="canonical" if canonical else "all")
    if where is not None or order_by is not None or parquet is not None:
        _table(family, where, order_by, top, parquet, json=json)
    elif count is not None:
        _count(family, count, json=json)
    elif classes:
        _classes(family, json=json)
    elif fairest or target != "1/2" or side != "below":
        _fairest(family, target, side, top, json=json)
    else:
        _overview(dice, json=json)


def _table(
    family: Any,
    where: str | None,
    order_by: str | None,
    top: int,
    parquet: Path | None,
    *,
    json: bool,
) -> None:
    from sevenout.variants import VariantTable

    rows = VariantTable(family, parquet).query(where, order_by, top)
    if json:
        print_json(rows.to_dict() | ({"parquet": str(parquet)} if parquet else {}))
        return
    console().print(rows)
    if parquet is not None:
        console().print(f"{family.size:,} variants written to {parquet}", style="dim", markup=False)


def _count(family: Any, ends: tuple[str, str], *, json: bool) -> None:
    from sevenout.variants import count

    low, high = ends
    number = count(family, low, high, ends="neither")
    if json:
        print_json(
            {"family": str(family), "size": family.size, "low": low, "high": high, "count": number}
        )
        return
    share = 100 * number / family.size if family.size else 0.0
    console().print(
        f"{number:,} of {family.size:,} variants of {family} ({share:.6g} %) have a win "
        f"probability strictly between {low} and {high}.",
        markup=False,
        highlight=False,
    )


def _classes(family: Any, *, json: bool) -> None:
    from sevenout.variants import classes
    from sevenout.variants.show import unexplained

    found = classes(family)
    examples = unexplained(found)
    if json:
        print_json(found.to_dict() | {"unexplained": examples})
        return
    out = console()
    out.print(found)
    for example in examples:
        out.print(example["text"], markup=False, highlight=False, style="dim")


def _fairest(family: Any, target: str, side: Any, top: int, *, json: bool) -> None:
    from itertools import islice

    from sevenout.errors import RulesError
    from sevenout.variants import fairest

    if top < 0:
        raise RulesError(f"--top {top}: show 0 variants or more")
    best = fairest(family, target, side)
    shown = [str(variant) for variant in islice(best, top)]
    if json:
        print_json(best.to_dict() | {"variants": shown})
        return
    out = console()
    out.print(best)
    for name in shown:
        out.print(name, markup=False, highlight=False)
    more = best.multiplicity - len(shown)
    if more:
        out.print(f"... and {more:,} more", style="dim", highlight=False)


def _overview(dice: str, *, json: bool) -> None:
    from sevenout.variants.show import overview

    result = overview(dice)
    if json:
        print_json(result.to_dict())
        return
    console().print(result)
