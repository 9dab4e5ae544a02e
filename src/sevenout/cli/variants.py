"""`sevenout variants`: every variant of craps, the fairest with proof, the table."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from sevenout.cli.out import console, print_json
from sevenout.errors import NotationError, RulesError

KEPT = Group("Which variants", sort_key=1)
Kept = Parameter(group=KEPT)


def variants(
    *,
    dice: Annotated[str, Kept] = "2d6",
    craps: Annotated[str | None, Kept] = None,
    naturals: Annotated[str | None, Kept] = None,
    points: Annotated[str | None, Kept] = None,
    outs: Annotated[str | None, Kept] = None,
    out_in: Annotated[Literal["either", "naturals", "craps"], Kept] = "either",
    n_craps: Annotated[str | None, Kept] = None,
    n_naturals: Annotated[str | None, Kept] = None,
    n_points: Annotated[str | None, Kept] = None,
    symmetric: Annotated[bool, Kept] = False,
    canonical: Annotated[bool, Kept] = False,
    where: str | None = None,
    order_by: str | None = None,
    top: int = 20,
    parquet: Path | None = None,
    fairest: bool = False,
    target: str = "1/2",
    side: Literal["below", "above", "nearest"] = "below",
    count: Annotated[tuple[str, str] | None, Parameter(negative="")] = None,
    classes: bool = False,
    json: bool = False,
) -> None:
    """Every variant of craps: all of them, the fairest with proof, the table, the symmetry.

    Without a question (--where, --order-by, --parquet; --fairest, --target, --side; --count;
    --classes): the slice of the family that comes of labelling set partitions in one order, beside
    the whole family.

    Parameters
    ----------
    dice
        The dice.
    craps
        The totals that may be craps, such as 2,3,12 or 2-4,12; any, if not given.
    naturals
        The totals that may be naturals.
    points
        The totals that may be points.
    outs
        The totals that may be the out.
    out_in
        The set that the out must be in.
    n_craps
        How many craps: 3, or from 2 to 4 as 2-4; one or more, if not given.
    n_naturals
        How many naturals.
    n_points
        How many points.
    symmetric
        Each set is its own mirror image: the lowest total with the highest, and so on.
    canonical
        Only the article's slice: the least total is a craps, and the least of the rest a natural.
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
        How many variants have a win probability strictly between two numbers; if they are equal,
        exactly that.
    classes
        How many classes there are under swaps of equally likely totals, and what they leave
        unexplained.
    json
        Print JSON.
    """
    from sevenout.variants import Family

    if top < 0:
        raise RulesError(f"--top {top}: show 0 variants or more")
    asked = {
        "--where": where is not None or order_by is not None or parquet is not None,
        "--count": count is not None,
        "--classes": classes,
        "--fairest": fairest or target != "1/2" or side != "below",
    }
    questions = [option for option, is_asked in asked.items() if is_asked]
    if len(questions) > 1:
        raise RulesError(f"{' and '.join(questions)} are different questions; ask one at a time")
    constraints: dict[str, Any] = {
        "craps": _totals(craps),
        "naturals": _totals(naturals),
        "points": _totals(points),
        "outs": _totals(outs),
        "out_in": out_in,
        "n_craps": _size("--n-craps", n_craps),
        "n_naturals": _size("--n-naturals", n_naturals),
        "n_points": _size("--n-points", n_points),
        "symmetric": symmetric,
    }
    family = Family(dice, labelling="canonical" if canonical else "all", **constraints)
    if asked["--where"]:
        _table(family, where, order_by, top, parquet, json=json)
    elif count is not None:
        _count(family, count, json=json)
    elif classes:
        _classes(family, json=json)
    elif asked["--fairest"] or canonical or family != Family(dice):
        _fairest(family, target, side, top, json=json)
    else:
        _overview(dice, json=json)


def _totals(text: str | None) -> list[int] | None:
    from sevenout.variants.variant import parse_totals

    return None if text is None else parse_totals(text)


def _size(option: str, text: str | None) -> int | tuple[int, int] | None:
    """The size of a set: 3, or 2-4."""
    if text is None:
        return None
    low, dash, high = text.partition("-")
    if not all(n.isascii() and n.isdigit() and len(n) < 10 for n in (low, high if dash else low)):
        raise NotationError(f"{option} {text[:60]!r} is no size; write 3, or 2-4 for from 2 to 4")
    return (int(low), int(high)) if dash else int(low)


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
    from sevenout.variants.search import probability

    low, high = ends
    one = probability("low", low) == probability("high", high)
    number = count(family, low, high, ends="both" if one else "neither")
    if json:
        print_json(
            {"family": str(family), "size": family.size, "low": low, "high": high, "count": number}
        )
        return
    where = f"of exactly {low}" if one else f"strictly between {low} and {high}"
    share = 100 * number / family.size if family.size else 0.0
    console().print(
        f"{number:,} of {family.size:,} variants of {family} ({share:.6g} %) have a win "
        f"probability {where}.",
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

    from sevenout.variants import fairest

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
