"""The catalogue: all games and bets, searched, by family or by edge."""

from fractions import Fraction
from functools import lru_cache
from shlex import join
from typing import Any

import htpy as h

from sevenout.catalogue import games
from sevenout.catalogue.entries import FIGURES, Entry, typed
from sevenout.documents import Column, Table
from sevenout.documents.kinds import FRACTION, PERCENT
from sevenout.documents.numbers import minus, percent, quantity
from sevenout.errors import NotationError, shown
from sevenout.lab.address import Address, bet_of, chain
from sevenout.lab.widgets.parts import Field, form, go, heading, segments
from sevenout.lab.widgets.view import Saved, View

PATH = "/catalogue"
PER = "house edge, per bet made unless it says otherwise"
LARGE = 3_000
"""Above this many states, only the game's own page computes the edge."""
STARTERS = (
    *("craps", "fast-craps", "hazard", "any-seven", "field-2-2", "place-6-8"),
    *("bonus-all-155-1", "sic-bo-small-big", "de-mere-six-in-4", "chutes-and-ladders"),
)
"""Games and bets at the top of the page."""
SHORT_LIST, SHORT_ANSWER = 24, 60
"""Up to this many games are listed unfolded; and of those that are searched for."""
SORTS = {"family": "By family", "edge": "By edge", "name": "By name"}


@lru_cache(maxsize=1)
def edges() -> dict[str, Fraction | None]:
    return {entry.id: _edge(entry) for entry in games.without_choices.values()}


def _edge(entry: Entry) -> Fraction | None:
    known = next(iter(entry.known.values()), None)
    if known is not None or not entry.bet or len(chain(entry.id).states) > LARGE:
        return known
    bet = bet_of(entry.id, entry.bet)
    edge: Fraction | None = getattr(bet, FIGURES[entry.convention], None)
    return edge


def page(address: Address) -> View:
    view = View(address, "All games", PATH)
    words = address.get("q")[:200].split()
    sort = address.one_of("sort", SORTS)
    family = address.get("family")
    results = games.search(*words)
    chains = [entry for entry in results if not entry.has_choices]
    decisions = [entry for entry in results if entry.has_choices]
    families = _families(chains)
    if family:
        families = {name: rows for name, rows in families.items() if typed(name) == family}
        if not families:
            raise NotationError(f"family={shown(family)}; no game found is of that family")
        chains, decisions = [entry for rows in families.values() for entry in rows], []
    edge = edges()
    if sort == "edge":
        # Games without an edge come last, because None can't be compared with a number.
        chains.sort(key=lambda e: (edge[e.id] is None, edge[e.id] or 0))
    elif sort == "name":
        chains.sort(key=lambda e: e.title.lower())
    base = address.to(keep=("q", "sort", "family"))
    view.announcement = f"{quantity(len(chains) + len(decisions), 'game')}, {SORTS[sort].lower()}"
    view.command = join(["sevenout", "games", *words])
    view.python = (
        "from sevenout.catalogue import games\n\n"
        f"for entry in games.search({', '.join(map(repr, words))}):\n"
        "    print(entry.id, entry.title, *entry.known.values())\n"
    )
    view.body = [
        heading(
            "All games",
            f"{len(games.without_choices)} games and bets, each with its exact edge. "
            "Open one, change its rules and pays, play it, simulate it.",
            form(
                base.to(family=None),
                Field(
                    "Search",
                    "q",
                    address.get("q"),
                    "medium",
                    type="search",
                    placeholder="snakes, sevens, tai sai",
                ),
                submit="Search",
            ),
        ),
        _chips(base, _families([e for e in results if not e.has_choices]), family),
        h.div(".row")[
            segments("Sort", [(t, base.to(sort=s), s == sort) for s, t in SORTS.items()]),
            go("A game of your own", "/own"),
            h.span(".soft")[f"{len(chains) + len(decisions)} found" if words else ""],
        ],
        None if words or family else _first(edge),
        view.card(
            "games", "Games and bets", _game_list(base, chains, edge), _data(chains, edge), note=PER
        )
        if chains
        else None,
        _choices(decisions),
        None
        if chains or decisions
        else h.p["No game has that name. ", h.a(href=PATH)["Show everything"]],
    ]
    return view


def _families(entries: list[Entry]) -> dict[str, list[Entry]]:
    families: dict[str, list[Entry]] = {}
    for entry in entries:
        families.setdefault(entry.family, []).append(entry)
    return families


def _chips(base: Address, families: dict[str, list[Entry]], family: str) -> Any:
    chips = [
        h.a(
            class_="chip-link",
            href=str(base.to(family=None if typed(name) == family else typed(name))),
            aria_current="true" if typed(name) == family else None,
        )[name, h.span(".soft")[f" {len(rows)}"]]
        for name, rows in families.items()
    ]
    choices = h.a(class_="chip-link", href="#choices")["Games with choices"]
    return h.nav(".chips-row", aria_label="Families")[chips, None if family else choices]


def _first(edge: dict[str, Fraction | None]) -> Any:
    """The most popular games, and this browser's favourites."""
    return [
        h.section("#favourites", hidden=True)[h.h2["Favourites"], h.ul(".games")],
        h.section(".starters")[
            h.h2["To begin with"],
            h.ul(".games")[(_row(games.entry(name), edge[name]) for name in STARTERS)],
        ],
    ]


def _game_list(base: Address, entries: list[Entry], edge: dict[str, Fraction | None]) -> Any:
    """The list: folded by family, or in the chosen order."""
    if base.get("sort", "family") != "family":
        return h.ul(".games")[(_row(entry, edge[entry.id]) for entry in entries)]
    families = _families(entries)
    most = SHORT_ANSWER if base.get("q") else SHORT_LIST
    if len(families) == 1 or len(entries) <= most:
        return [_section(name, rows, edge) for name, rows in families.items()]
    return [
        h.details(".family", id=typed(name))[
            h.summary[h.strong[name], h.span(".soft")[f" {len(rows)}", _range(rows, edge)]],
            h.ul(".games")[(_row(entry, edge[entry.id]) for entry in rows)],
        ]
        for name, rows in families.items()
    ]


def _section(name: str, rows: list[Entry], edge: dict[str, Fraction | None]) -> Any:
    return h.section(".family", id=typed(name))[
        h.h3[name, h.span(".soft")[f" {len(rows)}"]],
        h.ul(".games")[(_row(entry, edge[entry.id]) for entry in rows)],
    ]


def _range(rows: list[Entry], edge: dict[str, Fraction | None]) -> str:
    known = [x for entry in rows if (x := edge[entry.id]) is not None]
    if not known:
        return ""
    low, high = (minus(percent(one(known), 2)) for one in (min, max))
    return f", edge {low}" if low == high else f", edge {low} to {high}"


def _choices(entries: list[Any]) -> Any:
    """The games with choices; their edge is that of optimal play."""
    return (
        entries
        and h.section("#choices.card")[
            h.header[h.div[h.h2["Games with choices"], h.p(".note")["with their best play"]]],
            h.div(".links-list")[
                (h.a(href=str(Address("/best", {"game": e.id})))[e.title] for e in entries)
            ],
        ]
    )


def _row(entry: Entry, edge: Fraction | None) -> Any:
    per = None if entry.convention == "made" or edge is None else f" {_per(entry)[12:]}"
    return h.li[
        h.button(
            ".star",
            type="button",
            data_star=entry.id,
            aria_label=f"Keep {entry.title} as a favourite",
            aria_pressed="false",
            # The script shows it, because favourites are kept by the browser.
            hidden=True,
        ),
        h.a(href=str(Address("/", {"game": entry.id})))[entry.title],
        h.span(".num.soft")[minus(percent(edge, 3)) if edge is not None else "–", per],
    ]


def _per(entry: Entry) -> str:
    kinds = {"made": "bet made", "resolved": "bet resolved", "roll": "roll", "risk": "unit at risk"}
    return f"house edge, per {kinds.get(entry.convention, entry.convention)}"


def _data(entries: list[Entry], edge: dict[str, Fraction | None]) -> Any:
    columns = ["id", "game", "family", "edge per", Column("edge", FRACTION, PERCENT)]
    rows = [(e.id, e.title, e.family, _per(e)[16:], edge[e.id]) for e in entries]
    return Saved(Table(columns, rows))
