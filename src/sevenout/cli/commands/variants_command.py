"""`sevenout variants`: every variant of craps, the fairest with proof, the table."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from sevenout.cli.options import Json, counts, written
from sevenout.cli.out import answer, console, print_json
from sevenout.errors import NotationError, RulesError

KEPT = Group("Which variants", sort_key=1)
Kept = Parameter(group=KEPT)
GROUPS = 10_000
"""At most so many groups are shown."""

ROW = 2_000
"""The bytes of a variant as JSON."""


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
    by: str | None = None,
    top: Annotated[int, counts(0)] = 20,
    csv: Annotated[Path, written("a table", ".csv")] | None = None,
    parquet: Annotated[Path, written("such a table", ".parquet")] | None = None,
    fairest: bool = False,
    target: str = "1/2",
    count: tuple[str, str] | None = None,
    classes: bool = False,
    json: Json = False,
) -> None:
    """Every variant of craps: all of them, the fairest with proof, the table, the symmetry.

    Without a question (--where, --order-by, --by, --csv, --parquet; --fairest, --target; --count;
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
    by
        How many variants there are by the values of columns, such as n_craps or "out, out_in".
    top
        Show at most so many.
    csv
        Write the variants that meet the condition, or the groups, to this file, named .csv.
    parquet
        Write the variants that meet the condition to this file, named .parquet.
    fairest
        The variants nearest to the target, below it, at it and above it, with the proof that none
        is nearer.
    target
        A win probability, such as 1/2 or 0.495.
    count
        How many variants have a win probability strictly between two numbers; if they are equal,
        exactly that.
    classes
        How many classes there are under swaps of equally likely totals, and what they leave
        unexplained.
    """
    from sevenout.variants import Family

    asked = {
        "--where": any(one is not None for one in (where, order_by, by, csv, parquet)),
        "--count": count is not None,
        "--classes": classes,
        "--fairest": fairest or target != "1/2",
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
        files = {".csv": csv, ".parquet": parquet}
        _table(family, where, order_by, by, top=top, files=files, json=json)
    elif count is not None:
        _count(family, count, json=json)
    elif classes:
        _classes(family, json=json)
    elif asked["--fairest"] or canonical or family != Family(dice):
        _fairest(family, target, top, json=json)
    else:
        from sevenout.variants import overview

        answer(overview(dice), json)


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
    by: str | None,
    *,
    top: int,
    files: dict[str, Path | None],
    json: bool,
) -> None:
    from sevenout.cost import afford
    from sevenout.files import write
    from sevenout.variants import VariantTable, write_table

    wanted = {suffix: path for suffix, path in files.items() if path is not None}
    if by is not None:
        if order_by is not None or ".parquet" in wanted:
            raise RulesError("--by puts the groups in order itself, and writes no --parquet")
        groups = VariantTable(family).groups(by, where, min(top, GROUPS))
        for path in wanted.values():
            write(path, groups.csv())
        answer(groups, json)
        return
    if wanted:
        written = {
            str(path): write_table(family, path, where, order_by) for path in wanted.values()
        }
        said = "\n".join(f"{n:,} variants written to {path}" for path, n in written.items())
        if json:
            print_json({"written": written})
        else:
            console().print(said)
        return
    pages = VariantTable(family).pages(where, order_by, top)
    if not json:
        for page in pages:
            console().print(page)
        return
    first = next(pages)
    shown = min(top, first.matched)
    afford(f"{shown:,} variants in one text", memory=ROW * shown, instead="write them with --csv")
    rows = first.to_dict()
    rows["rows"] += [row for page in pages for row in page.to_dict()["rows"]]
    print_json(rows)


def _count(family: Any, ends: tuple[str, str], *, json: bool) -> None:
    from sevenout.variants import count
    from sevenout.variants.counting.interval_count import probability

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
    )


def _classes(family: Any, *, json: bool) -> None:
    from sevenout.variants import classes
    from sevenout.variants.search_answer import unexplained

    found = classes(family)
    examples = unexplained(found)
    if json:
        print_json(found.to_dict() | {"unexplained": examples})
        return
    out = console()
    out.print(found)
    for example in examples:
        out.print(example["text"], style="dim")


def _fairest(family: Any, target: str, top: int, *, json: bool) -> None:
    from sevenout.variants import around

    found = around(family, target)
    if json:
        data = found.to_dict()
        for side, best in (("below", found.below), ("at", found.at), ("above", found.above)):
            if best is not None:
                data[side]["variants"] = [str(variant) for variant in best.first(top)]
        print_json(data)
        return
    out = console()
    out.print(found)
    for where, best in found.found.items():
        if best is None:
            continue
        out.print(f"\n{where}:", style="bold")
        names = best.first(top)
        for name in names:
            out.print(str(name))
        more = (best.counted or 0) - len(names)
        if more > 0:
            out.print(f"... and {more:,} more", style="dim")
