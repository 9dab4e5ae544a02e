"""The design of games: the family of craps variants, and the open numbers of a game file."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Code, HasPage, Page, Text
from sevenout.errors import RulesError, shown
from sevenout.questions.arguments import (
    PICTURE_FILE,
    ArgumentError,
    arg,
    naming_argument,
    one_of,
    output_file,
    whole_number,
)
from sevenout.questions.question import LazyAnswer, asks
from sevenout.questions.schema import (
    boolean,
    by_name,
    exact,
    integer,
    list_of,
    list_of_mappings,
    mapping,
    number,
    record,
    string,
)
from sevenout.questions.subject_kinds import NUMBERS, OPEN

if TYPE_CHECKING:
    from sevenout.rules.gamefiles.open_parameters import Opened
    from sevenout.variants import Family

HALF = Fraction(1, 2)
DEFAULT_TOP = 20
"""The number of variants shown if none is given."""
MAX_GROUPS = 10_000
"""The most groups shown: a page of more is slow to set."""
ROW_BYTES = 2_000
"""The bytes of a variant in memory, as a row of a page and as JSON."""
GROUP_FIGURES = ("variants", "fair", "least_edge", "mean_edge", "greatest_edge", "mean_rolls")
"""The figures of a group."""


# --- the family of craps --------------------------------------------------------------------------


def _totals_argument(name: str) -> Any:
    return arg(f"The totals that may be {name}, such as 2,3,12 or 2-4,12. The default is any.")


def _size_argument(name: str) -> Any:
    return arg(f"The number of {name}: 3, or 2-4 for a range. The default is one or more.")


@asks(
    NUMBERS,
    "The variants of craps: list, count, or find the fairest, with proof.",
    {
        "dice?": string("the dice"),
        "canonical?": mapping("the article's list in figures"),
        "all?": mapping("the whole family in figures"),
        "family?": string("the variants that were asked about"),
        "size?": integer("how many there are"),
        "target?": exact("the win probability that was sought"),
        "below?": mapping("the nearest below it, with their proof"),
        "at?": mapping("the variants at the target"),
        "above?": mapping("the nearest above it"),
        "low?": string("the lower of the two win probabilities"),
        "high?": string("the higher one"),
        "count?": integer("how many variants lie between them"),
        "matched?": integer("how many variants meet the condition"),
        "rows?": list_of_mappings("these variants by column, or the groups"),
        "by?": list_of(string("a column"), "the columns that define the groups"),
        "groups?": integer("how many groups there are"),
        "variants?": integer("how many variants are sorted into classes"),
        "group_order?": integer("how many swaps of totals there are"),
        "classes?": integer("how many classes there are under swaps"),
        "mirror_classes?": integer("and under mirroring", optional=True),
        "laws?": integer("how many distributions there are", optional=True),
        "p_wins?": integer("how many win probabilities", optional=True),
        "unexplained?": list_of_mappings("variants that no swap relates, yet win as often"),
    },
    label="Variants of craps",
)
def variants(
    _: None,
    dice: str = arg("The dice.", example="2d4", default="2d6"),
    where: str | None = arg(
        'Show the variants that meet a condition, such as "p_win < 0.5 and mean_rolls < 3". '
        "Columns: name, craps, naturals, out, out_in, p_num, p_den, p_win, edge, mean_rolls, "
        "var_rolls, n_craps, n_naturals, n_points, class, class_size."
    ),
    order_by: str | None = arg('Sort by these columns, such as "p_win desc, mean_rolls".'),
    by: str | None = arg(
        'Count the variants by the values of columns, such as n_craps or "out, out_in".'
    ),
    top: int = arg("The number of variants to show.", whole_number(0), default=str(DEFAULT_TOP)),
    fairest: bool = arg(
        "Show the variants nearest to the target below, at and above it, with the proof that none "
        "is nearer."
    ),
    target: Fraction = arg("The target win probability, such as 1/2 or 0.495.", default="1/2"),
    count: str | None = arg(
        "Count the variants whose win probability lies strictly between two numbers "
        "(244/495..1/2), or equals one number (1/2)."
    ),
    classes: bool = arg(
        "Count the classes of variants under swaps of equally likely totals, and the ties that the "
        "swaps don't explain."
    ),
    craps: str | None = _totals_argument("craps"),
    naturals: str | None = _totals_argument("naturals"),
    points: str | None = _totals_argument("points"),
    outs: str | None = _totals_argument("outs"),
    out_in: str = arg(
        "The set that the out must belong to.",
        one_of("either", "naturals", "craps"),
        default="either",
    ),
    n_craps: str | None = _size_argument("craps"),
    n_naturals: str | None = _size_argument("naturals"),
    n_points: str | None = _size_argument("points"),
    symmetric: bool = arg(
        "List only variants whose sets are symmetric: 2 goes with 12, 3 with 11, and so on."
    ),
    canonical: bool = arg(
        "List only canonical variants: the lowest total is a craps, the lowest of the rest a "
        "natural."
    ),
    output: tuple[Path, ...] = arg(
        "Write the variants that meet the condition, or the groups, to this file: .csv or "
        ".parquet. Repeat the option for several files.",
        output_file("a table", ".csv", ".parquet"),
        local_only=True,
        short_option="-o",
    ),
) -> HasPage:
    """The answer about a family of variants; by default, its overview."""
    from sevenout.variants import Family, overview

    requests = {
        "where, order_by and by": (where, order_by, by) != (None, None, None),
        "count": count is not None,
        "classes": classes,
        "fairest and target": fairest or target != HALF,
    }
    # Each of them is an answer of its own; the second would be dropped in silence.
    if len(stated := [name for name, is_stated in requests.items() if is_stated]) > 1:
        raise RulesError(
            f"{'; '.join(stated)}: these options don't go together; give one at a time"
        )
    sets = {"craps": craps, "naturals": naturals, "points": points, "outs": outs}
    sizes = {"n_craps": n_craps, "n_naturals": n_naturals, "n_points": n_points}
    lists: Any = {name: _parse_totals(name, value) for name, value in sets.items()}
    lists |= {name: _parse_size(name, value) for name, value in sizes.items()}
    family = Family(
        dice,
        labelling="canonical" if canonical else "all",
        out_in=out_in,  # type: ignore[arg-type]  # one of the words above
        symmetric=symmetric,
        **lists,
    )
    if output:
        if count is not None or classes or fairest or target != HALF:
            raise RulesError(
                "output= writes the table of variants; leave count=, classes=, fairest= and "
                "target= out"
            )
        if by is None:
            _refuse_top(top)
        return _write_variants(family, where, order_by, by, top, output)
    if where is not None or order_by is not None or by is not None:
        return _variants_or_groups(family, where, order_by, by, top)
    if count is None and not classes and (stated or canonical or family != Family(dice)):
        return _fairest_answer(family, target, top)
    _refuse_top(top)
    if count is not None:
        return _count_answer(family, count)
    return _classes_answer(family) if classes else overview(dice)


def _refuse_top(top: int) -> None:
    """Refuse a number of variants to show where none are listed."""
    if top != DEFAULT_TOP:
        raise ArgumentError("top", f"{top}; no list is shown: leave it out")


def _write_variants(
    family: "Family",
    where: str | None,
    order_by: str | None,
    by: str | None,
    top: int,
    paths: tuple[Path, ...],
) -> LazyAnswer:
    """The variants or the groups in files; a table of millions is never held in memory."""
    from sevenout.files import write
    from sevenout.variants import write_table

    written_rows = {}
    for path in paths:
        if by is None:
            written_rows[str(path)] = write_table(family, path, where, order_by)
            continue
        # The columns of groups depend on `by`, and have no schema.
        if path.suffix.lower() == ".parquet":
            raise RulesError("by= can't be written as .parquet; give a .csv file")
        groups: Any = _variants_or_groups(family, where, order_by, by, top)
        write(path, groups.csv())
        written_rows[str(path)] = len(groups.to_dict()["rows"])
    unit = "groups" if by is not None else "variants"
    lines = [f"{rows:,} {unit} written to {path}" for path, rows in written_rows.items()]
    return LazyAnswer(lambda: Page("", *map(Text, lines)), lambda: {"written": written_rows})


def _parse_totals(name: str, text: str | None) -> list[int] | None:
    from sevenout.variants.variant import parse_totals

    if text is None:
        return None
    with naming_argument(name):
        return parse_totals(text)


def _parse_size(name: str, text: str | None) -> int | tuple[int, int] | None:
    """Parse the size of a set: 3, or 2-4."""
    if text is None:
        return None
    low, dash, high = text.partition("-")
    if not all(n.isascii() and n.isdigit() and len(n) < 10 for n in (low, high if dash else low)):
        raise ArgumentError(name, f"{shown(text, 60)} is not a size; write 3, or 2-4 for 2 to 4")
    return (int(low), int(high)) if dash else int(low)


def _variants_or_groups(
    family: "Family", where: str | None, order_by: str | None, by: str | None, top: int
) -> HasPage:
    from sevenout.budgets.estimates import afford
    from sevenout.variants import VariantTable

    if by is not None:
        if order_by is not None:
            raise RulesError("by= sorts the groups itself; leave order_by= out")
        grouped = VariantTable(family).groups(by, where, min(top, MAX_GROUPS))
        columns = (*grouped.by, *GROUP_FIGURES)
        return LazyAnswer(
            grouped.page,
            lambda: {
                "by": list(grouped.by),
                "groups": grouped.group_count,
                "rows": [dict(zip(columns, row, strict=True)) for row in grouped.rows],
            },
        )
    chunks = VariantTable(family).chunks(where, order_by, top)
    first = next(chunks)
    count = min(top, first.matched)
    # The rows go to a file one by one, but a page holds them all.
    afford(
        f"{count:,} variants in one text", memory=ROW_BYTES * count, instead="give output=, a file"
    )
    all_chunks = [first, *chunks]
    rows = [row for chunk in all_chunks for row in chunk.to_dict()["rows"]]
    return LazyAnswer(
        lambda: Page("", *(block for chunk in all_chunks for block in chunk.page().blocks)),
        lambda: {"matched": first.matched, "rows": rows},
    )


def _count_answer(family: "Family", between: str) -> LazyAnswer:
    from sevenout.variants import count
    from sevenout.variants.interval_counts import parse_probability

    low, dots, high = map(str.strip, between.partition(".."))
    high = high if dots else low
    is_single = parse_probability("count", low) == parse_probability("count", high)
    number = count(family, low, high, ends="both" if is_single else "neither")
    where = f"of exactly {low}" if is_single else f"strictly between {low} and {high}"
    share = 100 * number / family.size if family.size else 0.0
    sentence = (
        f"{number:,} of {family.size:,} variants of {family} ({share:.6g} %) have a win "
        f"probability {where}."
    )
    return LazyAnswer(
        lambda: Page("", Text(sentence)),
        lambda: {
            "family": str(family),
            "size": family.size,
            "low": low,
            "high": high,
            "count": number,
        },
    )


def _classes_answer(family: "Family") -> LazyAnswer:
    from sevenout.variants import classes
    from sevenout.variants.article import unexplained_pairs

    classification = classes(family)
    examples = unexplained_pairs(classification)
    notes = [Text(example["text"], tone="note") for example in examples]
    return LazyAnswer(
        lambda: Page("", *classification.page().blocks, *notes),
        lambda: classification.to_dict() | {"unexplained": examples},
    )


def _fairest_answer(family: "Family", target: Fraction, top: int) -> LazyAnswer:
    from sevenout.variants import around

    nearest = around(family, target)
    names = {
        side: [*map(str, best.first(top))]
        for side, best in nearest.by_side.items()
        if best is not None
    }

    def page() -> Page:
        blocks: list[Block] = [*nearest.page().blocks]
        for side, best in nearest.by_side.items():
            if best is None:
                continue
            more = (best.multiplicity_or_none or 0) - len(names[side])
            rest = [f"and {more:,} more"] if more > 0 else []
            blocks.append(Page(side, Code([*names[side], *rest])))
        return Page("", *blocks)

    def data() -> dict[str, Any]:
        figures = nearest.to_dict()
        for key, side in zip(("below", "at", "above"), nearest.by_side, strict=True):
            if side in names:
                figures[key]["variants"] = names[side]
        return figures

    return LazyAnswer(page, data)


# --- the open numbers of a game file --------------------------------------------------------------

MAX_RESULTS = 1_000_000

BET_FIGURES = record(
    "the figures of a bet",
    {
        "edge": exact("the house edge, per bet made"),
        "hit_frequency": exact("the probability of a profit"),
        "variance": exact("the variance of the profit, per unit staked"),
        "standard_deviation": number("its standard deviation"),
    },
)
TABLE = record(
    "a table",
    {
        "numbers": by_name(exact("the value of each open number")),
        "cost": integer("how far the table is from plain; less is plainer"),
        "bets": by_name(BET_FIGURES),
    },
)
TUNING = {
    "count": integer("how many tables have these figures"),
    "considered": integer("how many tables there are"),
    "considered_exactly": boolean("whether that is exact, or only an upper bound"),
    "refused_structures": integer("how many limits, totals and stakes are no game"),
    "notes": list_of(string("where nothing was found, what can be reached")),
    "tables": list_of(TABLE, "the best tables, the best first"),
}


def _has_tiers(edges: tuple[str, ...]) -> bool:
    """Whether several edges are asked for, each of its own table."""
    return any("," in text.rpartition("=")[2] for text in edges)


def _refuse_tiers(_: Any, *, edge: tuple[str, ...], plot: Path | None, **_options: Any) -> None:
    """Refuse tiers beside another edge, or a picture of tiers."""
    if _has_tiers(edge) and len(edge) > 1:
        raise ArgumentError("edge", "; ".join(edge) + ": give tiers once, such as 8%,6%,4%")
    if _has_tiers(edge) and plot is not None:
        raise ArgumentError("plot", f"{plot}; tiers have no picture: leave it out")


@asks(
    OPEN,
    "Find pays and rules with the edge, hits and volatility you want.",
    {
        **{f"{key}?": schema for key, schema in TUNING.items()},
        "tiers?": list_of(record("what was found for each edge", TUNING)),
        "ladder?": list_of(TABLE, "one table of each tier"),
        "changes?": list_of(integer("how many numbers change from each tier to the next")),
    },
    check_arguments=_refuse_tiers,
    label="Pays tuned",
)
def tune(
    opened: "Opened",
    edge: tuple[str, ...] = arg(
        "The house edge per bet made: 4%..6%, ..5%, or pass=1%..2% for one bet. Repeat the option "
        "for several bets. Several edges, 8%,6%,4%, are tiers of one table with the fewest "
        "changes.",
        example="0%..1%",
    ),
    hit: tuple[str, ...] = arg(
        "The hit frequency, which is the probability of a profit: 20%..30%."
    ),
    volatility: tuple[str, ...] = arg("The standard deviation of the profit per unit staked: ..5."),
    within: str = arg(
        "How far a result may be from an edge given as a single number: 0.5%.", default="0"
    ),
    wish: str = arg(
        "The order of the results: plain (round numbers, monotone tables, few different pays), "
        "edge (nearest to the middle), calm (lowest variance) or top (highest open pay).",
        one_of("plain", "edge", "calm", "top"),
        default="plain",
    ),
    top: int = arg(
        "The number of results to show.", whole_number(0, MAX_RESULTS), example="3", default="20"
    ),
) -> HasPage:
    """The tables with these figures, best first; tiers for several edges."""
    from sevenout.variants import tiers
    from sevenout.variants import tune as tuned_tables

    options: Any = {
        "hit": list(hit),
        "volatility": list(volatility),
        "within": within,
        "wish": wish,
        "top": top,
    }
    tables: HasPage
    if _has_tiers(edge):
        bet, equals, edges = edge[0].rpartition("=")
        tables = tiers(opened, [f"{bet}{equals}{text}" for text in edges.split(",")], **options)
    else:
        tables = tuned_tables(opened, edge=list(edge), **options)
    return tables


@tune.saving
def tuned_game_files(
    answer: Any,
    output: Path | None = arg(
        "Write the best result to this .toml file. Tiers get one file each.",
        output_file("a game", ".toml"),
        short_option="-o",
    ),
    plot: Path | None = arg(
        "Save a picture of the volatility against the edge: .png, .svg or .pdf.",
        PICTURE_FILE,
    ),
    bet: str | None = arg(
        "The bet in the picture. The default is the first bet with open pays.", needs="plot"
    ),
    csv: bool = arg("Print comma-separated values."),
) -> str | None:
    """The best game as a file, a picture of all, and CSV."""
    from sevenout.files import write
    from sevenout.variants.tuning import Tiers

    is_tiers = isinstance(answer, Tiers)
    best = answer.ladder if is_tiers else answer.tables[:1]
    if (output is not None and not best) or (plot is not None and not answer.count):
        message = "; ".join([f"no table for {output or plot}", *(() if is_tiers else answer.notes)])
        raise RulesError(
            message.rstrip(".") if len(message) < MAX_MESSAGE else message[:MAX_MESSAGE] + "..."
        )
    if output is not None:
        for k, table in enumerate(best, 1):
            write(output.with_stem(f"{output.stem}-{k}") if is_tiers else output, table.text)
    if plot is not None:
        from sevenout.papers import plots
        from sevenout.papers.plots import frontier

        plots.save(frontier(answer, bet), plot)
    if not csv:
        return None
    blocks = [block for block in answer.page().blocks if hasattr(block, "csv")]
    return str(blocks[0].csv()) if best else ""


MAX_MESSAGE = 380
"""The most characters of a message."""
