"""The family: the fairest on every side with its proof, the map, and the table to be asked."""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from shlex import join
from typing import TYPE_CHECKING, Any

import htpy as h

from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.exact import solve
from sevenout.games import catalogue
from sevenout.lab import chart
from sevenout.lab.address import Address
from sevenout.lab.chart import Chart
from sevenout.lab.chosen import kind_of
from sevenout.lab.parts import Field, form, fraction, problem
from sevenout.lab.rulebook import ways_of
from sevenout.lab.view import Saved, View
from sevenout.page import Column, Table
from sevenout.page.kinds import COUNT, DECIMAL, FRACTION, LABEL, PERCENT, SCIENTIFIC
from sevenout.page.numbers import decimal, percent, scientific
from sevenout.variants.condition import COLUMNS

if TYPE_CHECKING:
    from sevenout.variants import Around

PATH = "/variants"
ROWS = 25
MAX_FAIREST = 10**21
SORTS = {
    "": "",
    "name": "variant",
    "p_win": "wins",
    "edge": "edge",
    "mean_rolls": "mean rolls",
    "var_rolls": "variance",
    "class_size": "in its class",
}
MORE = ("edge", "var_rolls", "class_size")
"""Columns for which a phone has no room."""
SHARE = re.compile(r"0?\.[0-9]{1,12}|[01]", re.ASCII)
ACROSS, UP, SHADES = 60, 30, 10


def page(address: Address) -> View:
    """The page of the family."""
    view = View(address, "Variants", PATH)
    dice, target = address.get("dice") or "2d6", address.get("target") or "1/2"
    view.python, view.command = _copied(address, dice, target)
    fair, wrong = _fairest(view, dice, target)
    view.body = [
        h.div(".heading")[
            h.div[
                h.h1["Variants"],
                h.p(".lead")[
                    "All 1,254,044 ways to deal the eleven totals of two dice to craps, naturals "
                    "and points, each with its exact win probability. They are named "
                    "craps/naturals/out, so craps itself is 2,3,12/7,11/7; all other totals are "
                    "points."
                ],
            ]
        ],
        view.card(
            "fairest",
            "Find the fairest",
            form(
                address.to(keep=("where", "sort", "down", "page")),
                Field("Dice", "dice", dice, "medium", list="dice", data_send=True),
                Field("Wins nearest to", "target", target, data_send=True),
                submit="Find",
                class_="fields",
            ),
            problem(wrong) if wrong else None,
            *fair,
            note="with proof that none is nearer",
        ),
        *_table(view),
    ]
    return view


def _copied(address: Address, dice: str, target: str) -> tuple[str, str]:
    """What is looked for, in the table or nearest to the target: the program and the command."""
    where, order = _condition(address), _order(address)
    if where or order:
        page = address.whole("page", 1, 1, 10**6)
        asked = f"{where or None!r}, {order!r}, {ROWS}, {ROWS * (page - 1)}"
        made = f"Family, VariantTable\n\nprint(VariantTable(Family('2d6')).query({asked}))\n"
        words = ["--where", where] if where else []
        words += ["--order-by", order] if order else []
        words += ["--top", str(ROWS * page)]
    else:
        made = f"Family, around\n\nprint(around(Family({dice!r}), {target!r}))\n"
        words = ["--fairest", "--dice", dice, "--target", target]
    return f"from sevenout.variants import {made}", join(["sevenout", "variants", *words])


def _fairest(view: View, dice: str, target: str) -> tuple[list[Any], str]:
    try:
        ways_of(dice)
        found = _around(dice, target)
    except ImportError:
        return [], "The search needs NumPy, which is not here; the local lab has it."
    except SevenoutError as error:
        return [], kind_of(error)
    rows, saved = [], []
    for where, best in found.found.items():
        if best is None:
            rows.append(h.tr[h.th(scope="row")[where], h.td(colspan="4")["none"]])
            continue
        names = [str(variant) for variant in best.first(4)]
        links = [
            h.a(href=str(Address("/", {"game": name if dice == "2d6" else f"{name}@{dice}"})))[name]
            for name in names
        ]
        rows.append(
            h.tr[
                h.th(scope="row")[where],
                h.td(".number")[h.strong[percent(best.p_win, 6, mark=found.target)]],
                h.td(".number")[fraction(best.p_win)],
                h.td(".number")[scientific(best.distance, 3) if best.distance else "0"],
                h.td[
                    h.span(".soft")[
                        f"{best.counted:,} variants" if best.counted else "too many to count"
                    ],
                    h.div(".links-list")[links],
                ],
            ]
        )
        saved.append((where, best.p_win, best.distance, best.counted, names[0]))
    columns = ["where", Column("wins", FRACTION, PERCENT), Column("distance", SCIENTIFIC)]
    proofs = [best.proof for best in (found.below, found.above) if best is not None]
    return [
        h.div(".scroll", tabindex="0", role="region", aria_label="The fairest")[
            h.table(".fairest")[
                h.thead[
                    h.tr[
                        h.td,
                        h.th(".number")["wins"],
                        h.th(".number")["exactly"],
                        h.th(".number")["away"],
                        h.th["of these, for example"],
                    ]
                ],
                h.tbody[rows],
            ]
        ],
        Saved(Table([*columns, Column("variants", COUNT), "for example"], saved)),
        h.details[
            h.summary(".hint")[f"Why there is none nearer, of {found.family.size:,}"],
            [h.p(".hint")[text] for text in proofs],
        ],
    ], ""


@lru_cache(maxsize=32)
def _around(dice: str, target: str) -> "Around":
    from sevenout.variants import Family, around

    family = Family(dice)
    if family.size > MAX_FAIREST:
        raise NotationError(
            f"{shown(dice)} has {float(family.size):.1e} variants; the lab looks through "
            f"{MAX_FAIREST:.0e}, and the command line through more"
        )
    return around(family, target)


@lru_cache(maxsize=1)
def shared() -> Any:
    """The table of the family; DuckDB is locked to it."""
    from sevenout.variants import Family, VariantTable

    return VariantTable(Family("2d6"))


@lru_cache(maxsize=1)
def shape() -> tuple[list[int], list[list[int]], tuple[float, float]]:
    """How many variants win how often; and how many by both that and the length of a game."""
    import numpy as np

    from sevenout.variants import Family, census

    all_of_them = census(Family("2d6"))
    p = (all_of_them.numerators / all_of_them.denominator).astype(float)
    rolls = all_of_them.mean_rolls()
    bars = np.histogram(p, bins=100, range=(0, 1))[0]
    ends = float(rolls.min()), float(rolls.max())
    cells = np.histogram2d(rolls, p, bins=(UP, ACROSS), range=(ends, (0, 1)))[0]
    return bars.astype(int).tolist(), cells.astype(int).tolist(), ends


def _table(view: View) -> list[Any]:
    address = view.address
    try:
        low, high = _share(address, "from", "0"), _share(address, "to", "1")
        rows = _answered(_condition(address), _order(address), address.whole("page", 1, 1, 10**6))
        bars, cells, ends = shape()
    except ImportError:
        text = "The table needs NumPy and DuckDB, which are not here; the local lab has them."
        return [problem(text)]
    except SevenoutError as error:
        return [_conditions(address), problem(kind_of(error))]
    number = address.whole("page", 1, 1, 10**6)
    pages = max(1, -(-rows.matched // ROWS))
    values = [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
    listed = [
        (
            v["name"],
            Fraction(int(v["p_num"]), int(v["p_den"])),
            v["mean_rolls"],
            v["var_rolls"],
            v["class_size"],
        )
        for v in values
    ]
    columns = ["variant", Column("wins", FRACTION, PERCENT), Column("mean rolls", DECIMAL)]
    columns += [Column("variance", DECIMAL), Column("in its class", COUNT)]
    return [
        h.div(".columns")[
            view.card(
                "map",
                "The map",
                _map(cells, ends),
                _mapped(cells, ends),
                note="darker: more variants",
            ),
            view.card(
                "histogram",
                "How likely a win is",
                _histogram(bars, float(low), float(high)),
                Saved(_counted(bars)),
            ),
        ],
        view.card(
            "table",
            "The table",
            _conditions(address),
            _rows(address, values),
            Saved(Table(columns, listed)),
            h.div(".pager")[
                h.span[f"page {min(number, pages):,} of {pages:,}; {rows.matched:,} variants"],
                number > 1 and h.a(href=str(address.to(page=number - 1)))["Previous"],
                number < pages and h.a(href=str(address.to(page=number + 1)))["Next"],
            ],
        ),
    ]


def _share(address: Address, key: str, default: str) -> str:
    text = address.get(key) or default
    if not SHARE.fullmatch(text):
        raise NotationError(f"{key}={shown(text)}; write a number from 0 to 1, such as 0.495")
    return text


@lru_cache(maxsize=256)
def _answered(where: str, order: str | None, page: int) -> Any:
    return shared().query(where or None, order, ROWS, (page - 1) * ROWS)


def _condition(address: Address) -> str:
    """What is asked of the variants; "" for all of them."""
    where = address.get("where")
    if not address.get("from") and not address.get("to"):
        return where
    between = f"p_win between {_share(address, 'from', '0')} and {_share(address, 'to', '1')}"
    return f"({where}) and {between}" if where else between


def _order(address: Address) -> str | None:
    sort = address.one_of("sort", SORTS)
    return f"{sort} {'desc' if address.get('down') == 'yes' else 'asc'}" if sort else None


@lru_cache(maxsize=1)
def presets() -> list[tuple[str, dict[str, str]]]:
    """Questions that many ask: (in words, as fields of the address)."""
    craps = catalogue["craps"]
    wins = {side: best.p_win for side, best in _around("2d6", "1/2").found.items() if best}
    wins["like craps"] = solve(craps).bet().p_win
    named = [
        (
            where[:1].upper() + where[1:],
            {"where": f"p_num * {p.denominator} = {p.numerator} * p_den"},
        )
        for where, p in wins.items()
    ]
    longest = ("Longest", {"sort": "mean_rolls", "down": "yes"})
    return [("All", {}), *named, longest, ("Shortest", {"sort": "mean_rolls"})]


def _conditions(address: Address) -> Any:
    keep = address.to(keep=("dice", "target"))
    now = {k: address.get(k) for k in ("where", "sort", "down") if address.get(k)}
    return h.div(".rules")[
        h.div(".segments", role="group", aria_label="Presets")[
            (
                h.a(href=str(keep.to(**said)), aria_current="true" if said == now else None)[name]
                for name, said in presets()
            )
        ],
        form(
            address.to(page=None),
            Field("Wins, from", "from", address.get("from") or "0", data_send=True),
            Field("to", "to", address.get("to") or "1", data_send=True),
            Field(
                "Condition",
                "where",
                address.get("where"),
                "wide",
                placeholder="n_points >= 5 and mean_rolls < 3",
                data_send=True,
            ),
            submit="Ask",
            class_="fields",
        ),
        h.details[
            h.summary(".hint")["What a condition may ask"],
            h.dl(".terms")[((h.dt[h.code[name]], h.dd[said]) for name, said in COLUMNS.items())],
        ],
    ]


def _rows(address: Address, values: list[dict[str, Any]]) -> Any:
    sort, down = address.get("sort"), address.get("down") == "yes"

    def head(key: str) -> Any:
        on = key == sort
        turn = "yes" if (on and not down) or (not on and key != "name") else None
        to = address.to(sort=key, down=turn, page=None)
        arrow = (" ↓" if down else " ↑") if on else ""
        said = ("descending" if down else "ascending") if on else None
        kind = "number" + " more" * (key in MORE) if key != "name" else None
        span = "2" if key == "p_win" else None
        return h.th(class_=kind, scope="col", aria_sort=said, colspan=span)[
            h.a(href=str(to))[SORTS[key] + arrow]
        ]

    def row(v: dict[str, Any]) -> Any:
        p = Fraction(int(v["p_num"]), int(v["p_den"]))
        return h.tr(".go")[
            h.th(scope="row")[h.a(href=str(Address("/", {"game": v["name"]})))[v["name"]]],
            h.td(".number.soft")[str(p)],
            h.td(".number")[percent(p, 4, mark=Fraction(1, 2))],
            h.td(".number.more")[percent(1 - 2 * p, 4)],
            h.td(".number")[decimal(v["mean_rolls"], 4)],
            h.td(".number.more")[decimal(v["var_rolls"], 4)],
            h.td(".number.more")[f"{v['class_size']:,}"],
        ]

    if not values:
        return h.p(".soft")["No variant is like that."]
    return h.div(".scroll", tabindex="0", role="region", aria_label="Variants")[
        h.table[h.thead[h.tr[map(head, list(SORTS)[1:])]], h.tbody[map(row, values)]]
    ]


def _histogram(counts: list[int], low: float, high: float) -> Chart:
    x = chart.axis(0.0, 1.0, "win probability", 10, chart.percent)
    y = chart.axis(0.0, 1.05 * max(counts), "variants", 4, lambda v, _: f"{v:,.0f}")
    items = [
        (
            k / 100 + 0.0008,
            (k + 1) / 100 - 0.0008,
            float(n),
            f"{k} % to {k + 1} %: {n:,} variants",
            "" if (k + 1) / 100 > low and k / 100 < high else "off",
        )
        for k, n in enumerate(counts)
    ]
    caption = "How many variants win how often; half of them are near an even game"
    return Chart(x, y, chart.bars(x, y, items) + chart.upright(x, 0.5), caption)


def _counted(bars: list[int]) -> Table:
    """The histogram as a table, for the file."""
    columns = [Column("wins from", LABEL), Column("to", LABEL), Column("variants", COUNT)]
    return Table(columns, [(f"{k} %", f"{k + 1} %", n) for k, n in enumerate(bars)])


def _mapped(cells: list[list[int]], ends: tuple[float, float]) -> Saved:
    """The map as a table, for the file: one row for each cell that has variants."""
    low, high = ends
    columns = [Column(name, DECIMAL) for name in ("wins from", "wins to", "rolls from", "rolls to")]
    step = (high - low) / UP
    rows = [
        (j / ACROSS, (j + 1) / ACROSS, low + step * i, low + step * (i + 1), n)
        for i, row in enumerate(cells)
        for j, n in enumerate(row)
        if n
    ]
    return Saved(Table([*columns, Column("variants", COUNT)], rows))


def _map(cells: list[list[int]], ends: tuple[float, float]) -> Chart:
    """The variants by how often they win and how long they last."""
    from math import log

    low, high = ends
    x = chart.axis(0.0, 1.0, "win probability", 10, chart.percent)
    y = chart.axis(low, high, "mean rolls", 5)
    most = log(1 + max(map(max, cells)))
    step: Callable[[int], float] = lambda i: low + (high - low) * i / UP  # noqa: E731
    shapes = []
    for i, row in enumerate(cells):
        top, bottom = 1000 * (1 - y.at(step(i + 1))), 1000 * (1 - y.at(step(i)))
        shades = [SHADES * log(1 + n) // most for n in row]
        for shade, run in groupby(enumerate(shades), itemgetter(1)):
            across = [j for j, _ in run]
            if shade:
                shapes.append(
                    f'<rect x="{1000 * across[0] / ACROSS:.1f}" y="{top:.1f}" '
                    f'width="{1000 * len(across) / ACROSS:.1f}" height="{bottom - top:.1f}" '
                    f'opacity="{shade / SHADES:.2f}" class="fill"/>'
                )
    caption = "How many variants win how often, and how long a game lasts"
    words = ((244 / 495, 557 / 165, "craps"),)
    here = chart.dots(x, y, [(*words[0][:2], "craps")])
    return Chart(x, y, "".join(shapes) + chart.upright(x, 0.5) + here, caption, words)
