"""The family: the fairest variant on each side with its proof, the map, and a searchable table."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from math import ceil, floor, log
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy as h

from sevenout.catalogue import games
from sevenout.catalogue.entries import Entry
from sevenout.documents import Column, Table
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, PERCENT
from sevenout.documents.numbers import quantity
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.lab.address import Address, error_sentence, game_subject
from sevenout.lab.widgets import chart, copies
from sevenout.lab.widgets.chart import Area, Chart
from sevenout.lab.widgets.parts import Field, form, heading, not_here, problem, segments
from sevenout.lab.widgets.view import Linked, Saved, View, nodes_of
from sevenout.questions import question
from sevenout.solving import solve
from sevenout.variants.rulebook import rules_of_game, ways_of
from sevenout.variants.variant import set_name
from sevenout.variants.variant_table import COLUMNS

if TYPE_CHECKING:
    from sevenout.variants import NearestVariants, VariantTable
    from sevenout.variants.variant_table import Rows

MAP_COLUMNS, ROWS_PER_ROLL, MAP_SHADES = 60, 4, 10
"""Cells of the map across, and to a roll; and its shades."""
CRAPS_FIGURES = 244 / 495, 557 / 165
"""Craps's win probability, and its mean rolls per game."""
PATH = "/variants"
PAGE_ROWS, TOTALS = 25, range(2, 13)
MAX_FAIREST = 10**21
SORTS = ("name", "p_win", "edge", "mean_rolls", "var_rolls", "class_size")
"""The columns that sort the table."""
DEFAULT_ORDER = f"abs(p_win - 0.5), abs(mean_rolls - {CRAPS_FIGURES[1]!r})"
"""The default order: fairest first, and of those the ones that take as long as craps."""
# These texts become part of a query, so nothing but a number may pass.
NUMBER = re.compile(r"[0-9]{0,3}\.[0-9]{1,12}|[0-9]{1,3}", re.ASCII)


class RangeFields(NamedTuple):
    """A range that the table can be limited to, from 0 if its lower end is left out.

    Attributes:
        lower, upper: the fields of its ends in the address.
        maximum: the upper end if it is left out.
        label: the words above the field of the lower end.
    """

    lower: str
    upper: str
    maximum: str
    label: str


RANGES = {
    "p_win": RangeFields("from", "to", "1", "Wins, from"),
    "mean_rolls": RangeFields("rolls-from", "rolls-to", "99", "Rolls, from"),
}
"""The columns with a range."""
MAX_MEMBERS = 400
"""No class of two dice has more variants than 320."""


def page(address: Address) -> View:
    """The fairest variants, the table of all variants, and the games that people play."""
    is_file = address.has("still")  # a page that is a file has no searches
    # The links of the page must not repeat this field.
    address = address.to(still=None)
    view = View(address, "Variants", PATH)
    dice, target = address.get("dice") or "2d6", address.get("target") or "1/2"
    view.python, view.command = _copies(address, dice, target)
    view.body = [
        heading(
            "Design",
            "All 1,254,044 ways to deal the eleven totals of two dice to craps, naturals and "
            "points, each with its exact win probability. They are named craps/naturals/out, so "
            "craps itself is 2,3,12/7,11/7; all other totals are points.",
        ),
        view.add_card(
            "fairest",
            "Find the fairest",
            form(
                address.to(keep=("where", "sort", "down", "page")),
                Field("Dice", "dice", dice, "medium", list="dice"),
                Field("Wins nearest to", "target", target),
                submit="Find",
            ),
            *_fairest(dice, target),
            note="with proof that none is nearer",
        ),
        *_table(view, is_file),
        view.add_card("known", "Games that people play", known_games()),
    ]
    return view


@lru_cache(maxsize=1)
def catalogue_variants() -> dict[str, Entry]:
    """The variants that are in the catalogue, by their names in the family."""
    from sevenout.variants import Variant

    entries: dict[str, Entry] = {}
    for entry in games.without_choices.values():
        book = rules_of_game(games[entry.id])
        if book and book.dice == "2d6" and not book.limit and not book.hard:
            craps, naturals = book.totals_with("craps"), book.totals_with("natural")
            if len(book.roles) > len(craps) + len(naturals):  # a total that is a push
                continue
            with suppress(SevenoutError):  # an out that is a point of the variant
                name = str(Variant(craps=craps, naturals=naturals, out=book.out))
                entries.setdefault(name, entry)
    return entries


def known_games() -> Linked:
    """The variants that people play: their two names and their figures."""
    rows, links = [], {}
    for name, entry in catalogue_variants().items():
        solution = solve(games[entry.id])
        bet = solution.bet()
        rows.append((entry.title, name, bet.p_win, bet.edge, bet.rolls))
        links[entry.title] = {entry.title: Address("/", {"game": entry.id})}
    columns = ["game", "variant", Column("wins", PERCENT), Column("edge", PERCENT)]
    return Linked(Table([*columns, Column("mean rolls", DECIMAL)], rows), links)


def _copies(address: Address, dice: str, target: str) -> copies.Copies:
    """The program and the command for the search or the nearest variants."""
    where, order = _condition(address), _order(address)
    values: dict[str, Any] = {"fairest": True, "dice": dice, "target": target}
    if where or order:
        page = address.whole_number("page", 1, 1, 10**6)
        values = {"where": where or None, "order_by": order or DEFAULT_ORDER}
        values["top"] = PAGE_ROWS * page
    return copies.of_question(question("variants"), (), values)


def _fairest(dice: str, target: str) -> list[Any]:
    """The nearest variant on each side of the target, and the proof."""
    try:
        # Checked first: wrong dice are refused as such even without NumPy.
        ways_of(dice)
        nearest = _nearest_variants(dice, target)
    except ImportError as error:
        return [not_here(error, "The search needs NumPy")]
    except SevenoutError as error:
        return [problem(error_sentence(error))]
    table, *why = nearest.page().blocks
    assert isinstance(table, Table)
    on = "" if dice == "2d6" else f"@{dice}"
    links = {}
    for best in nearest.by_side.values():
        if best is not None:
            names = [str(variant) for variant in best.first(4)]
            # The table names the first variant of a side; the others have equal figures.
            links[names[0]] = {n: Address("/", {"game": f"{n}{on}"}) for n in names}
    return [
        Linked(table, links),
        h.details[h.summary(".hint")["Why there is none nearer"], list(nodes_of(why))],
    ]


@lru_cache(maxsize=32)
def _nearest_variants(dice: str, target: str) -> "NearestVariants":
    """The variants nearest to a win probability; refused if the dice have too many variants."""
    from sevenout.variants import Family, around

    family = Family(dice)
    if family.size > MAX_FAIREST:
        raise NotationError(
            f"{shown(dice)} has {float(family.size):.1e} variants; the lab searches at most "
            f"{MAX_FAIREST:.0e}, and the command line more"
        )
    return around(family, target)


@lru_cache(maxsize=1)
def variant_table() -> "VariantTable":
    """The table of the family, shared by all requests; DuckDB reads nothing else."""
    from sevenout.variants import Family, VariantTable

    return VariantTable(Family("2d6"))


def _table(view: View, is_file: bool) -> list[Any]:
    """The map, the histogram and a page of the table; without NumPy only a hint."""
    address = view.address
    try:
        ranges = {column: _range(address, column) for column in RANGES}
        number = address.whole_number("page", 1, 1, 10**6)
        answer = _query_rows(_condition(address), _order(address) or DEFAULT_ORDER, number)
        classes = answer.classes or 0
        pages = max(1, -(-classes // PAGE_ROWS))
        if number > pages:
            raise NotationError(f"page={number}; the table has {quantity(pages, 'page')}")
        shapes = family_charts(view, ranges, is_file)
        rows = _classes(address, answer, is_file)
    except ImportError:
        return [h.p(".hint")["The lab on your own machine has a table of all variants."]]
    except SevenoutError as error:
        return [_conditions(address), problem(error_sentence(error))]
    size = "one class" if classes == 1 else f"{classes:,} classes"
    size = f"{quantity(answer.matched, 'variant')}, {size}"
    view.announcement = f"{size}, page {number:,} of {pages:,}"
    pager = h.div(".pager")[
        h.span[f"page {number:,} of {pages:,}"],
        number > 1 and h.a(href=str(address.to(page=number - 1)))["Previous"],
        number < pages and h.a(href=str(address.to(page=number + 1)))["Next"],
    ]
    note = f"{size} of equal figures"
    return [
        h.div(".columns")[shapes],
        view.add_card(
            "table",
            "The table",
            None if is_file else _conditions(address),
            rows,
            None if is_file else pager,
            note=f"{note}, the fairest first" if is_file else note,
        ),
    ]


def _range(address: Address, column: str) -> tuple[str, str]:
    """The ends of a range, as texts of numbers."""
    fields = RANGES[column]
    texts = address.get(fields.lower) or "0", address.get(fields.upper) or fields.maximum
    for key, text in zip((fields.lower, fields.upper), texts, strict=True):
        if not NUMBER.fullmatch(text) or float(text) > float(fields.maximum):
            raise NotationError(f"{key}={shown(text)}; write a number from 0 to {fields.maximum}")
    return texts


def _has_range(address: Address, column: str) -> bool:
    """Whether an address limits a column."""
    return bool(address.get(RANGES[column].lower) or address.get(RANGES[column].upper))


@lru_cache(maxsize=256)
def _query_rows(where: str, order: str, page: int) -> "Rows":
    """A page of the table's classes, from page 1."""
    return variant_table().classes(where or None, order, PAGE_ROWS, (page - 1) * PAGE_ROWS)


def _condition(address: Address) -> str:
    """The condition asked for, with the ranges; "" for all variants."""
    where = address.get("where")
    parts = [f"({where})"] if where else []
    parts += [
        f"{column} between {' and '.join(_range(address, column))}"
        for column in RANGES
        if _has_range(address, column)
    ]
    # A condition alone stays as the visitor wrote it.
    return where if parts == [f"({where})"] else " and ".join(parts)


def _order(address: Address) -> str | None:
    """The order asked for; None for the default, which has no other direction."""
    sort, down = address.one_of("sort", ("", *SORTS)), address.has("down")
    if down and not sort:
        raise NotationError("down='yes'; give sort too, the column to sort by")
    return f"{sort} {'desc' if down else 'asc'}" if sort else None


@lru_cache(maxsize=1)
def presets() -> list[tuple[str, dict[str, str]]]:
    """Conditions and orders that a click asks for: their words and their fields."""
    craps = games["craps"]
    wins = {
        side: best.p_win for side, best in _nearest_variants("2d6", "1/2").by_side.items() if best
    }
    wins["like craps"] = solve(craps).bet().p_win
    by_wins = [
        (
            where[:1].upper() + where[1:],
            # Whole numbers, because comparing rounded probabilities could miss the variant.
            {"where": f"p_num * {p.denominator} = {p.numerator} * p_den"},
        )
        for where, p in wins.items()
    ]
    longest = ("Longest", {"sort": "mean_rolls", "down": "yes"})
    return [("All", {}), *by_wins, longest, ("Shortest", {"sort": "mean_rolls"})]


def _conditions(address: Address) -> Any:
    """The form of the ranges and the condition, with its presets and its terms."""
    keep = address.to(keep=("dice", "target"))
    chosen = {key: address.get(key) for key in ("where", "sort", "down") if address.get(key)}
    return h.div(".rules")[
        segments(
            "Presets", [(name, keep.to(**fields), fields == chosen) for name, fields in presets()]
        ),
        form(
            address.to(page=None),
            *(_range_inputs(address, column) for column in RANGES),
            Field(
                "Condition",
                "where",
                address.get("where"),
                "wide",
                placeholder="n_points >= 5 and mean_rolls < 3",
            ),
            submit="Ask",
        ),
        h.details[
            h.summary(".hint")["What a condition may ask"],
            h.dl(".terms")[((h.dt[h.code[name]], h.dd[words]) for name, words in COLUMNS.items())],
        ],
    ]


def _range_inputs(address: Address, column: str) -> tuple[Field, Field]:
    """The form's fields for the ends of a range."""
    fields, (lowest, highest) = RANGES[column], _range(address, column)
    return Field(fields.label, fields.lower, lowest), Field("to", fields.upper, highest)


def _classes(address: Address, answer: "Rows", is_file: bool) -> Any:
    """The classes: a name leads to its game, a header sorts, and a class unfolds to its members."""
    if not answer.rows:
        return h.p(".soft")["No variant is like that."]
    sorted_by, down = address.get("sort"), address.has("down")
    keep = address.to(open=None)

    def header_link(column: str) -> tuple[Address, str]:
        """Where a header leads, and the order in which its column is sorted now."""
        is_sorted = column == sorted_by
        # A second click reverses the order; at first only names ascend.
        descends = not down if is_sorted else column != "name"
        target = keep.to(sort=column, down="yes" if descends else None, page=None)
        if not is_sorted:
            return target, ""
        return target, "descending" if down else "ascending"

    table, *_ = answer.page().blocks
    assert isinstance(table, Table)
    heads = (column.head for column in table.columns)
    links = {}
    for values in answer.rows:
        row = dict(zip(answer.columns, values, strict=True))
        name, others = row["name"], row["class_size"] - 1
        links[name] = {_title(name): Address("/", {"game": name})}
        if name == address.get("open"):
            members = _members(address, row)
            links[name] |= {member: Address("/", {"game": member}) for member in members}
            links[name]["fold"] = keep
        elif others and not is_file:
            links[name][f"and {others:,} more"] = keep.to(open=name)
    sorts = {} if is_file else dict(zip(heads, map(header_link, SORTS), strict=True))
    return Linked(table, links, sorts)


def _members(address: Address, row: dict[str, Any]) -> list[str]:
    """The other variants of a class that satisfy the condition."""
    figures = [f"{name} = {row[name]}" for name in ("p_num", "p_den")]
    # A number in a condition is decimal, and may miss a float by its last bit.
    figures += [f"abs({name} - {row[name]!r}) < 1e-9" for name in ("mean_rolls", "var_rolls")]
    where = " and ".join(
        filter(None, [_condition(address) and f"({_condition(address)})", *figures])
    )
    names = [values[0] for values in variant_table().query(where, None, MAX_MEMBERS).rows]
    return [name for name in names if name != row["name"]]


def _title(name: str) -> str:
    """The name of a variant in print: the game that it is, or its points.

    >>> _title("2,3,12/7,11/7"), _title("2,3/7,12/7"), _title("7,9-12/2,3,5,6,8/7")
    ('Craps: 2,3,12/7,11/7', 'Points 4-6,8-11: 2,3/7,12/7', 'Point 4: 7,9-12/2,3,5,6,8/7')
    """
    if name in catalogue_variants():
        return f"{catalogue_variants()[name].title}: {name}"
    book = game_subject(name).variant_rules
    points = [] if book is None else [t for t in TOTALS if t not in book.roles]
    names = set_name(points) if points else "none"
    return f"{'Point' if len(points) == 1 else 'Points'} {names}: {name}"


# --- charts of the family ------------------------------------------------------------------------


def family_charts(view: View, ranges: dict[str, tuple[str, str]], is_file: bool) -> list[Any]:
    """The map and histogram of all variants; those in the ranges asked for stand out."""
    bars, cells, lowest = family_counts()
    low, high, shortest, longest = (float(end) for ends in ranges.values() for end in ends)
    address = None if is_file else view.address.to(page=None, open=None)
    is_limited = any(_has_range(view.address, column) for column in RANGES)
    selection = (low, high, shortest, longest) if is_limited else None
    return [
        view.add_card(
            "map",
            "The map",
            _map(cells, lowest, selection, address),
            _map_table(cells, lowest),
            note="stronger: more variants" + ("" if is_file else "; click a part to list it"),
        ),
        view.add_card(
            "histogram", "How likely a win is", _histogram(bars, low, high), _histogram_table(bars)
        ),
    ]


@lru_cache(maxsize=1)
def family_counts() -> tuple[list[int], list[list[int]], int]:
    """Counts of variants by win probability, and by that and mean rolls from a whole number up."""
    # Imported here: without NumPy the page has a hint in place of the charts.
    import numpy as np

    from sevenout.variants import Family, census

    family = census(Family("2d6"))
    p = (family.numerators / family.denominator).astype(float)
    rolls = family.mean_rolls()
    bars = np.histogram(p, bins=100, range=(0, 1))[0]
    ends = floor(rolls.min()), ceil(rolls.max())
    bins = (ROWS_PER_ROLL * (ends[1] - ends[0]), MAP_COLUMNS)
    cells = np.histogram2d(rolls, p, bins=bins, range=(ends, (0, 1)))[0]
    return bars.astype(int).tolist(), cells.astype(int).tolist(), ends[0]


def _histogram(counts: list[int], low: float, high: float) -> Chart:
    """The number of variants by win probability; those outside the range are dim."""
    x = chart.axis(0.0, 1.0, "win probability", 5, chart.percent_label)
    y = chart.axis(0.0, 1.05 * max(counts), "variants", 4, lambda v, _: f"{v:,.0f}")
    items = [
        chart.ChartBar(
            k / 100 + 0.0008,
            (k + 1) / 100 - 0.0008,
            float(n),
            f"{k} % to {k + 1} %: {n:,} variants",
            "" if (k + 1) / 100 > low and k / 100 < high else "off",
        )
        for k, n in enumerate(counts)
    ]
    caption = "The number of variants by win probability; half of them are near an even game"
    return Chart(x, y, chart.bars(x, y, items) + chart.vertical_line(x, 0.5), caption)


def _histogram_table(bars: list[int]) -> Saved:
    columns = [Column("wins from", LABEL), Column("to", LABEL), Column("variants", COUNT)]
    return Saved(Table(columns, [(f"{k} %", f"{k + 1} %", n) for k, n in enumerate(bars)]))


def _map_table(cells: list[list[int]], lowest: int) -> Saved:
    """The map as a table, for the file: a row for each cell that has variants."""
    columns = [Column(name, DECIMAL) for name in ("wins from", "wins to", "rolls from", "rolls to")]
    rows = [
        (
            j / MAP_COLUMNS,
            (j + 1) / MAP_COLUMNS,
            lowest + i / ROWS_PER_ROLL,
            lowest + (i + 1) / ROWS_PER_ROLL,
            n,
        )
        for i, row in enumerate(cells)
        for j, n in enumerate(row)
        if n
    ]
    return Saved(Table([*columns, Column("variants", COUNT)], rows))


def _areas(
    cells: list[list[int]], lowest: int, address: Address
) -> Iterator[tuple[Area, str, str]]:
    """Each twentieth of the win probability and half of a roll that has variants, as a link."""
    for i in range(0, len(cells), 2):
        for j in range(0, MAP_COLUMNS, 3):
            if any(any(row[j : j + 3]) for row in cells[i : i + 2]):
                area = (
                    j / MAP_COLUMNS,
                    (j + 3) / MAP_COLUMNS,
                    lowest + i / ROWS_PER_ROLL,
                    lowest + (i + 2) / ROWS_PER_ROLL,
                )
                fields = (*RANGES["p_win"][:2], *RANGES["mean_rolls"][:2])
                ends = [f"{end:g}" for end in area]
                target = address.to(**dict(zip(fields, ends, strict=True)))
                yield area, str(target), "wins {} to {}, {} to {} rolls".format(*ends)


def _map(
    cells: list[list[int]],
    lowest: int,
    selection: Area | None,
    address: Address | None,
) -> Chart:
    """The variants by win probability and mean rolls; `address` is None without links."""
    x = chart.axis(0.0, 1.0, "win probability", 5, chart.percent_label)
    y = chart.axis(float(lowest), lowest + len(cells) / ROWS_PER_ROLL, "mean rolls", 5)
    # In proportion to the counts, all cells below a tenth of the largest would be empty.
    largest = log(1 + max(map(max, cells)))
    levels = [[MAP_SHADES * log(1 + n) // largest for n in row] for row in cells]
    shapes = chart.shaded_cells([[level / MAP_SHADES or None for level in row] for row in levels])
    caption = "The number of variants by win probability and length of a game"
    shapes += chart.vertical_line(x, 0.5) + chart.dots(x, y, [(*CRAPS_FIGURES, "craps")])
    shapes += chart.rectangle(x, y, selection, "chosen") if selection else ""
    if address is not None:
        shapes += chart.linked_areas(x, y, _areas(cells, lowest, address))
    return Chart(x, y, shapes, caption, ((*CRAPS_FIGURES, "craps"),))
