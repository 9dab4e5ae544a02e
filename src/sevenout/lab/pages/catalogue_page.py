"""The catalogue: all games and bets, searched, by family or by edge."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from shlex import join
from typing import Any

import htpy as h

from sevenout.catalogue import games
from sevenout.catalogue.entries import FIGURES, Entry, title_slug
from sevenout.documents import Column, Table
from sevenout.documents.kinds import FRACTION, PERCENT
from sevenout.documents.numbers import minus, percent, quantity
from sevenout.errors import NotationError, shown
from sevenout.lab.address import Address, bet_of, chain
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import heading, link_button, search_form, segments
from sevenout.lab.widgets.view import Saved, View

PATH = "/catalogue"
EDGE_NOTE = "house edge, per bet made unless it says otherwise"
MAX_STATES = 3_000
"""Above this many states, only the game's own page computes the edge."""
STARTERS = (
    *("craps", "fast-craps", "hazard", "any-seven", "field-2-2", "place-6-8"),
    *("bonus-all-155-1", "sic-bo-small-big", "de-mere-six-in-4", "chutes-and-ladders"),
)
"""Games and bets at the top of the page."""
MAX_UNFOLDED, MAX_UNFOLDED_RESULTS = 24, 60
"""Up to this many games are listed unfolded; and this many if they are the result of a search."""
SORTS = {"family": "By family", "edge": "By edge", "name": "By name"}


@lru_cache(maxsize=1)
def edges_by_id() -> dict[str, Fraction | None]:
    """The house edge of each game without choices; None if it has none, or takes long."""
    return {entry.id: _edge(entry) for entry in games.without_choices.values()}


def _edge(entry: Entry) -> Fraction | None:
    """The house edge of a game; None if it has none, or takes long."""
    known_edge = next(iter(entry.known.values()), None)
    if known_edge is not None or not entry.bet or len(chain(entry.id).states) > MAX_STATES:
        return known_edge
    bet = bet_of(entry.id, entry.bet)
    edge: Fraction | None = getattr(bet, FIGURES[entry.convention], None)
    return edge


def page(address: Address) -> View:
    """The games that match a search, in the chosen order, with their edges."""
    view = View(address, "All games", PATH)
    words = address.get("q")[:200].split()
    sort = address.one_of("sort", SORTS)
    family = address.get("family")
    results = games.search(*words)
    chains = [entry for entry in results if not entry.has_choices]
    decisions = [entry for entry in results if entry.has_choices]
    families = _families(chains)
    if family:
        chains, decisions = [entry for entry in chains if title_slug(entry.family) == family], []
        if not chains:
            raise NotationError(f"family={shown(family)}; no game found is of that family")
    if sort == "edge":
        # Games without an edge come last, because None can't be compared with a number.
        edges = edges_by_id()
        chains.sort(key=lambda entry: (edges[entry.id] is None, edges[entry.id] or 0))
    elif sort == "name":
        chains.sort(key=lambda entry: entry.title.lower())
    base = address.to(keep=("q", "sort", "family"))
    view.announcement = f"{quantity(len(chains) + len(decisions), 'game')}, {SORTS[sort].lower()}"
    view.python, view.command = _copies(words, chains[0].family if family else "")
    view.body = [
        heading(
            "All games",
            f"{len(games.without_choices)} games and bets, each with its exact edge. "
            "Open one, change its rules and pays, play it, simulate it.",
            search_form(base.to(family=None), "snakes, sevens, tai sai"),
        ),
        _family_links(base, families, family),
        h.div(".row")[
            segments("Sort", [(text, base.to(sort=s), s == sort) for s, text in SORTS.items()]),
            link_button("A game of your own", "/own"),
            h.span(".soft")[f"{len(chains) + len(decisions)} found" if words else ""],
        ],
        None if words or family else _starters(),
        view.add_card(
            "games",
            "Games and bets",
            _game_list(base, chains),
            _games_table(chains),
            note=EDGE_NOTE,
        )
        if chains
        else None,
        _games_with_choices(decisions),
        None
        if chains or decisions
        else h.p["No game has that name. ", h.a(href=PATH)["Show everything"]],
    ]
    return view


def _copies(words: list[str], family: str) -> copies.Copies:
    """The list as a program and a command; no command lists one family, by its name, alone."""
    line = "print(entry.id, entry.title, *entry.known.values())"
    if family:
        line = f"if entry.family == {family!r} and not entry.has_choices:\n        {line}"
    program = copies.program_text(
        ["from sevenout.catalogue import games"],
        f"for entry in games.search({', '.join(map(repr, words))}):",
        f"    {line}",
    )
    # Without words and without --all the command shows the first dozen.
    command = join(["sevenout", "games", *(words or ["--all"])])
    return copies.Copies(program, "" if family else command)


def _families(entries: list[Entry]) -> dict[str, list[Entry]]:
    families: dict[str, list[Entry]] = {}
    for entry in entries:
        families.setdefault(entry.family, []).append(entry)
    return families


def _family_links(base: Address, families: dict[str, list[Entry]], family: str) -> Any:
    """The families of the games as links; that of the chosen one shows all again."""
    chips = [
        h.a(
            class_="chip-link",
            href=str(base.to(family=None if title_slug(name) == family else title_slug(name))),
            aria_current="true" if title_slug(name) == family else None,
        )[name, h.span(".soft")[f" {len(entries)}"]]
        for name, entries in families.items()
    ]
    choices = h.a(class_="chip-link", href="#choices")["Games with choices"]
    return h.nav(".chips-row", aria_label="Families")[chips, None if family else choices]


def _starters() -> Any:
    """The most popular games, and this browser's favourites."""
    return [
        h.section("#favourites", hidden=True)[h.h2["Favourites"], h.ul(".games")],
        h.section(".starters")[
            h.h2["To begin with"],
            _list(map(games.entry, STARTERS)),
        ],
    ]


def _game_list(base: Address, entries: list[Entry]) -> Any:
    """The list: by family, folded if it is long, or in the chosen order."""
    if base.get("sort", "family") != "family":
        return _list(entries)
    families = _families(entries)
    max_unfolded = MAX_UNFOLDED_RESULTS if base.get("q") else MAX_UNFOLDED
    if len(families) == 1 or len(entries) <= max_unfolded:
        return [
            h.section(".family", id=title_slug(name))[
                h.h3[name, h.span(".soft")[f" {len(entries)}"]], _list(entries)
            ]
            for name, entries in families.items()
        ]
    return [
        h.details(".family", id=title_slug(name))[
            h.summary[
                h.strong[name],
                h.span(".soft")[f" {len(entries)}", _edge_range(entries)],
            ],
            _list(entries),
        ]
        for name, entries in families.items()
    ]


def _edge_range(entries: list[Entry]) -> str:
    """The lowest and the highest edge of some games, in words; "" if none has one."""
    edges = [edge for entry in entries if (edge := edges_by_id()[entry.id]) is not None]
    if not edges:
        return ""
    low, high = (minus(percent(edge, 2)) for edge in (min(edges), max(edges)))
    return f", edge {low}" if low == high else f", edge {low} to {high}"


def _games_with_choices(entries: list[Entry]) -> Any:
    """The games with choices; their edge is that of optimal play."""
    if not entries:
        return None
    links = (h.a(href=str(Address("/best", {"game": e.id})))[e.title] for e in entries)
    return h.section("#choices.card")[
        h.header[h.div[h.h2["Games with choices"], h.p(".note")["with their best play"]]],
        h.div(".links-list")[links],
    ]


def _list(entries: Iterable[Entry]) -> Any:
    return h.ul(".games")[map(_list_item, entries)]


def _list_item(entry: Entry) -> Any:
    """A game in a list: its star, its link and its edge."""
    edge = edges_by_id()[entry.id]
    # The note above the list says that edges are per bet made unless they say otherwise.
    unit = None if entry.convention == "made" or edge is None else f" per {_edge_unit(entry)}"
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
        h.span(".num.soft")[minus(percent(edge, 3)) if edge is not None else "–", unit],
    ]


def _edge_unit(entry: Entry) -> str:
    """What the edge of a game is counted per."""
    units = {"made": "bet made", "resolved": "bet resolved", "roll": "roll", "risk": "unit at risk"}
    return units.get(entry.convention, entry.convention)


def _games_table(entries: list[Entry]) -> Saved:
    """The games as a table, for the file."""
    columns = ["id", "game", "family", "edge per", Column("edge", FRACTION, PERCENT)]
    rows = [(e.id, e.title, e.family, _edge_unit(e), edges_by_id()[e.id]) for e in entries]
    return Saved(Table(columns, rows))
