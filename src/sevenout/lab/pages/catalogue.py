"""The catalogue: every game and bet of the house, searched, by family or by edge."""

from fractions import Fraction
from functools import lru_cache
from shlex import join
from typing import Any

import htpy as h

from sevenout.games import catalogue, decisions
from sevenout.games.entry import FIGURES, Entry, typed
from sevenout.lab.address import Address
from sevenout.lab.chosen import bet_of, chain
from sevenout.lab.parts import Field, form, heading, segments
from sevenout.lab.view import Saved, View
from sevenout.page import Column, Table
from sevenout.page.kinds import FRACTION, PERCENT
from sevenout.page.numbers import percent

PATH = "/catalogue"
PER = "house edge, per bet made unless it says otherwise"
LARGE = 3_000
"""States of a game whose edge is left to its own page."""
SORTS = {"family": "By family", "edge": "By edge", "name": "By name"}


@lru_cache(maxsize=1)
def edges() -> dict[str, Fraction | None]:
    """The edge of every entry, by its own convention; worked out where it isn't known."""
    return {entry.id: _edge(entry) for entry in catalogue.entries.values()}


def _edge(entry: Entry) -> Fraction | None:
    known = next(iter(entry.known.values()), None)
    if known is not None or not entry.bet or len(chain(entry.id).states) > LARGE:
        return known
    bet = bet_of(entry.id, entry.bet)
    edge: Fraction | None = getattr(bet, FIGURES[entry.convention], None)
    return edge


def page(address: Address) -> View:
    """The page of the catalogue."""
    view = View(address, "All games", PATH)
    words = address.get("q")[:200].split()
    sort = address.one_of("sort", SORTS)
    found, asked = catalogue.search(*words), decisions.search(*words)
    edge = edges()
    if sort == "edge":
        found.sort(key=lambda e: (edge[e.id] is None, edge[e.id] or 0))
    elif sort == "name":
        found.sort(key=lambda e: e.title.lower())
    here = address.to(keep=("q", "sort"))
    view.command = join(["sevenout", "games", *words])
    view.python = (
        "from sevenout.games import catalogue\n\n"
        f"for entry in catalogue.search({', '.join(map(repr, words))}):\n"
        "    print(entry.id, entry.title, *entry.known.values())\n"
    )
    listed: Any = [_row(e, edge[e.id]) for e in found]
    if sort == "family":
        families: dict[str, list[Any]] = {}
        for e in found:
            families.setdefault(e.family, []).append(_row(e, edge[e.id]))
        listed = [
            h.section(".family", id=typed(name))[
                h.h3[name, h.span(".soft")[f" {len(rows)}"]], h.ul(".games")[rows]
            ]
            for name, rows in families.items()
        ]
        if not words:
            listed.insert(0, _index(families))
    else:
        listed = h.ul(".games")[listed]
    view.body = [
        heading(
            "All games",
            f"{len(catalogue)} games and bets, each with its exact edge. Open one, change its "
            "rules and pays, play it, simulate it.",
            form(
                here,
                Field("Search", "q", address.get("q"), "medium", type="search"),
                submit="Search",
            ),
        ),
        h.div(".row")[
            segments("Sort", [(t, here.to(sort=s), s == sort) for s, t in SORTS.items()]),
            h.span(".soft")[f"{len(found) + len(asked)} found" if words else ""],
        ],
        view.card("games", "Games and bets", listed, _data(found, edge), note=PER)
        if found
        else None,
        _choices(asked),
        None
        if found or asked
        else h.p["Nothing has all these words. ", h.a(href=PATH)["Show everything"]],
    ]
    return view


def _index(families: dict[str, list[Any]]) -> Any:
    """The families, each a link to its place on the page."""
    return h.nav(".links-list", aria_label="Families")[
        (
            h.a(href=f"#{typed(name)}")[name, h.span(".soft")[f" {len(rows)}"]]
            for name, rows in families.items()
        ),
        h.a(href="#choices")["Games with choices"],
    ]


def _choices(found: list[Any]) -> Any:
    """The games in which the player chooses; their edge is that of best play."""
    return (
        found
        and h.section("#choices.card")[
            h.header[h.div[h.h2["Games with choices"], h.p(".note")["played best"]]],
            h.div(".links-list")[
                (h.a(href=str(Address("/best", {"game": e.id})))[e.title] for e in found)
            ],
        ]
    )


def _row(entry: Entry, edge: Fraction | None) -> Any:
    per = None if entry.convention == "made" or edge is None else f" {_per(entry)[12:]}"
    return h.li[
        h.a(href=str(Address("/", {"game": entry.id})))[entry.title],
        h.span(".num.soft")[percent(edge, 3) if edge is not None else "–", per],
    ]


def _per(entry: Entry) -> str:
    kinds = {"made": "bet made", "resolved": "bet resolved", "roll": "roll", "risk": "unit at risk"}
    return f"house edge, per {kinds.get(entry.convention, entry.convention)}"


def _data(found: list[Entry], edge: dict[str, Fraction | None]) -> Any:
    """The same as a table, for the file; the list says it already."""
    columns = ["id", "game", "family", "edge per", Column("edge", FRACTION, PERCENT)]
    rows = [(e.id, e.title, e.family, _per(e)[16:], edge[e.id]) for e in found]
    return Saved(Table(columns, rows))
