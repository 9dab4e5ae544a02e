"""The craps variants: overview, fairest, table, symmetry."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Code, Page, Shown, Text
from sevenout.errors import RulesError, SevenoutError, shown
from sevenout.questions.arguments import Argument, ArgumentError, amount, flag, text, whole, words
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, integer, string
from sevenout.questions.subject_kinds import NUMBERS

if TYPE_CHECKING:
    from sevenout.variants import Family

HALF = Fraction(1, 2)
GROUPS = 10_000
"""The most groups shown."""
ROW = 2_000
"""Bytes of a variant as JSON."""


def answer(_: None, **said: Any) -> Shown:
    """The answer about a family of variants; by default, its overview."""
    from sevenout.variants import Family, overview

    asked = {
        "where, order_by and by": any(
            said[name] is not None for name in ("where", "order_by", "by")
        ),
        "count": said["count"] is not None,
        "classes": said["classes"],
        "fairest and target": said["fairest"] or said["target"] != HALF,
    }
    if len(several := [name for name, is_asked in asked.items() if is_asked]) > 1:
        raise RulesError(
            f"{'; '.join(several)}: these options don't go together; give one at a time"
        )
    family = family_of(said)
    if asked["where, order_by and by"]:
        return _table(family, said["where"], said["order_by"], said["by"], said["top"])
    if said["count"] is not None:
        return _count(family, said["count"])
    if said["classes"]:
        return _classes(family)
    if several or said["canonical"] or family != Family(said["dice"]):
        return _fairest(family, said["target"], said["top"])
    return overview(said["dice"])


def family_of(said: dict[str, Any]) -> "Family":
    """The family that the arguments describe."""
    from sevenout.variants import Family

    totals: dict[str, Any] = {name: _totals(name, said[name]) for name in SETS}
    sizes: dict[str, Any] = {name: _size(name, said[name]) for name in SIZES}
    return Family(
        said["dice"],
        labelling="canonical" if said["canonical"] else "all",
        out_in=said["out_in"],
        symmetric=said["symmetric"],
        **totals,
        **sizes,
    )


def _totals(name: str, text: str | None) -> list[int] | None:
    from sevenout.variants.variant import parse_totals

    try:
        return None if text is None else parse_totals(text)
    except SevenoutError as error:
        raise ArgumentError(name, str(error)) from None


def _size(name: str, text: str | None) -> int | tuple[int, int] | None:
    """Parse the size of a set: 3, or 2-4."""
    if text is None:
        return None
    low, dash, high = text.partition("-")
    if not all(n.isascii() and n.isdigit() and len(n) < 10 for n in (low, high if dash else low)):
        raise ArgumentError(name, f"{shown(text, 60)} is not a size; write 3, or 2-4 for 2 to 4")
    return (int(low), int(high)) if dash else int(low)


def _table(
    family: "Family", where: str | None, order_by: str | None, by: str | None, top: int
) -> Shown:
    from sevenout.budgets.estimates import afford
    from sevenout.variants import VariantTable

    if by is not None:
        if order_by is not None:
            raise RulesError("by= sorts the groups itself; leave order_by= out")
        found = VariantTable(family).groups(by, where, min(top, GROUPS))
        columns = (*found.by, *FIGURES)
        return LazyAnswer(
            found.page,
            lambda: {
                "by": list(found.by),
                "groups": found.groups,
                "rows": [dict(zip(columns, row, strict=True)) for row in found.rows],
            },
        )
    pages = VariantTable(family).pages(where, order_by, top)
    first = next(pages)
    many = min(top, first.matched)
    afford(f"{many:,} variants in one text", memory=ROW * many, instead="write them with --csv")
    every = [first, *pages]
    rows = [row for each in every for row in each.to_dict()["rows"]]
    return LazyAnswer(
        lambda: Page("", *(block for each in every for block in each.page().blocks)),
        lambda: {"matched": first.matched, "rows": rows},
    )


def _count(family: "Family", between: str) -> LazyAnswer:
    from sevenout.variants import count
    from sevenout.variants.counting.interval_count import probability

    low, dots, high = map(str.strip, between.partition(".."))
    high = high if dots else low
    one = probability("count", low) == probability("count", high)
    number = count(family, low, high, ends="both" if one else "neither")
    where = f"of exactly {low}" if one else f"strictly between {low} and {high}"
    share = 100 * number / family.size if family.size else 0.0
    said = (
        f"{number:,} of {family.size:,} variants of {family} ({share:.6g} %) have a win "
        f"probability {where}."
    )
    return LazyAnswer(
        lambda: Page("", Text(said)),
        lambda: {
            "family": str(family),
            "size": family.size,
            "low": low,
            "high": high,
            "count": number,
        },
    )


def _classes(family: "Family") -> LazyAnswer:
    from sevenout.variants import classes
    from sevenout.variants.search_answer import unexplained

    found = classes(family)
    examples = unexplained(found)
    notes = [Text(example["text"], tone="note") for example in examples]
    return LazyAnswer(
        lambda: Page("", *found.page().blocks, *notes),
        lambda: found.to_dict() | {"unexplained": examples},
    )


def _fairest(family: "Family", target: Fraction, top: int) -> LazyAnswer:
    from sevenout.variants import around

    found = around(family, target)
    names = {
        side: [*map(str, best.first(top))] for side, best in found.found.items() if best is not None
    }

    def page() -> Page:
        blocks: list[Block] = [*found.page().blocks]
        for side, best in found.found.items():
            if best is None:
                continue
            more = (best.counted or 0) - len(names[side])
            rest = [f"and {more:,} more"] if more > 0 else []
            blocks.append(Page(side, Code([*names[side], *rest])))
        return Page("", *blocks)

    def data() -> dict[str, Any]:
        said = found.to_dict()
        for side, listed in zip(("below", "at", "above"), found.found, strict=True):
            if listed in names:
                said[side]["variants"] = names[listed]
        return said

    return LazyAnswer(page, data)


FIGURES = ("variants", "fair", "least_edge", "mean_edge", "greatest_edge", "mean_rolls")
"""The figures of a group."""
SETS, SIZES = ("craps", "naturals", "points", "outs"), ("n_craps", "n_naturals", "n_points")
OBJECT = {"type": ["object", "null"]}
LIST = {"type": "array"}
QUESTION = Question(
    name="variants",
    help="The variants of craps: list them, count them, or find the fairest, with proof.",
    of=NUMBERS,
    answer=answer,
    arguments=(
        Argument("dice", text(), "The dice.", "2d4", "2d6"),
        Argument(
            "where",
            text(),
            'Show the variants that meet a condition, such as "p_win < 0.5 and mean_rolls < 3". '
            "Columns: name, craps, naturals, out, out_in, p_num, p_den, p_win, edge, "
            "mean_rolls, var_rolls, n_craps, n_naturals, n_points, class, class_size.",
            default=None,
        ),
        Argument(
            "order_by",
            text(),
            'Sort by these columns, such as "p_win desc, mean_rolls".',
            default=None,
        ),
        Argument(
            "by",
            text(),
            'Count the variants by the values of columns, such as n_craps or "out, out_in".',
            default=None,
        ),
        Argument("top", whole(0), "The number of variants to show.", default="20"),
        Argument(
            "fairest",
            flag(),
            "Show the variants nearest to the target below, at and above it, with the proof "
            "that none is nearer.",
            default="no",
        ),
        Argument(
            "target", amount(), "The target win probability, such as 1/2 or 0.495.", default="1/2"
        ),
        Argument(
            "count",
            text(),
            "Count the variants whose win probability lies strictly between two numbers "
            "(244/495..1/2), or equals one number (1/2).",
            default=None,
        ),
        Argument(
            "classes",
            flag(),
            "Count the classes of variants under swaps of equally likely totals, and the ties "
            "that the swaps don't explain.",
            default="no",
        ),
        *(
            Argument(
                name,
                text(),
                f"The totals that may be {name}, such as 2,3,12 or 2-4,12. The default is any.",
                default=None,
            )
            for name in SETS
        ),
        Argument(
            "out_in",
            words("either", "naturals", "craps"),
            "The set that the out must belong to.",
            default="either",
        ),
        *(
            Argument(
                name,
                text(),
                f"The number of {name.removeprefix('n_')}: 3, or 2-4 for a range. The default is "
                "one or more.",
                default=None,
            )
            for name in SIZES
        ),
        Argument(
            "symmetric",
            flag(),
            "List only variants whose sets are symmetric: 2 goes with 12, 3 with 11, and so on.",
            default="no",
        ),
        Argument(
            "canonical",
            flag(),
            "List only canonical variants: the lowest total is a craps, the lowest of the rest a "
            "natural.",
            default="no",
        ),
    ),
    returns={
        "dice?": string("the dice"),
        "canonical?": OBJECT | {"description": "the article's list in figures"},
        "all?": OBJECT | {"description": "the whole family in figures"},
        "family?": string("the variants that were asked about"),
        "size?": integer("how many there are"),
        "target?": exact("the win probability that was sought"),
        "below?": OBJECT | {"description": "the nearest below it, with their proof"},
        "at?": OBJECT | {"description": "the variants at the target"},
        "above?": OBJECT | {"description": "the nearest above it"},
        "low?": string("the lower of the two win probabilities"),
        "high?": string("the higher one"),
        "count?": integer("how many variants lie between them"),
        "matched?": integer("how many variants meet the condition"),
        "rows?": LIST | {"description": "these variants by column, or the groups"},
        "by?": LIST | {"description": "the columns that define the groups"},
        "groups?": integer("how many groups there are"),
        "variants?": integer("how many variants are sorted into classes"),
        "group_order?": integer("how many swaps of totals there are"),
        "classes?": integer("how many classes there are under swaps"),
        "mirror_classes?": {"type": ["integer", "null"], "description": "and under mirroring"},
        "laws?": {"type": ["integer", "null"], "description": "how many distributions there are"},
        "p_wins?": {"type": ["integer", "null"], "description": "how many win probabilities"},
        "unexplained?": LIST | {"description": "variants that no swap relates, yet win as often"},
    },
)
