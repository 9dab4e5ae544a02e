"""What a page shows: its words, its cards, and what it may be copied as.

A card is a page of the house's page model, or charts and controls beside one. Every card exports
itself: its address with `card=` and `as=` is a file.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any

import htpy as h
from markupsafe import Markup

from sevenout.errors import NotationError, shown
from sevenout.lab.addresses.address import Address
from sevenout.lab.widgets.card_image import DRAWN, picture
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import Bars, Hero
from sevenout.page import Code, Column, Facts, Page, Picture, Table, Text
from sevenout.page.html import fragment
from sevenout.page.kinds import DECIMAL, FRACTION

Part = Any
"""A block of a page, a chart, or a node of HTML."""

WHOLE = 20_000
"""Characters of a fraction that a page holds."""
SHORT = 40
"""Those of one that it shows at once."""
EXACT = re.compile(r'<td class="exact">([^<]*(?:<wbr/>[^<]*)*)</td>')
EMPTY = re.compile(r'<th class="[a-z]+" scope="col"></th>')
CELL = re.compile(r"(<t[hd] [^>]*)>([^<]+)(?=</t)")


@dataclass(frozen=True)
class Saved:
    """What a card saves and doesn't show: what it shows says it already."""

    block: Table | Facts | Picture


@dataclass(frozen=True)
class Linked:
    """A table of which some words lead elsewhere.

    Attributes:
        table: the table.
        to: the links that a cell holds, by what it says: their words, and where they lead.
        sorts: where its heads lead, and how their columns are sorted; "" for those that are not.
        first: whether links stand in the first cell of a row alone.
    """

    table: Table
    to: Mapping[str, Mapping[str, Address]]
    sorts: Mapping[str, tuple[Address, str]] = field(default_factory=dict)
    first: bool = False

    def linked(self, cell: re.Match[str]) -> str:
        """A cell or a head, as links where it leads somewhere."""
        tag, words = cell.groups()
        text, said = unescape(words), ""
        to = {} if self.first and 'scope="row"' not in tag else self.to.get(text, {})
        if 'scope="col"' in tag and text in self.sorts:
            there, sort = self.sorts[text]
            to = {text + {"ascending": " ↑", "descending": " ↓"}.get(sort, ""): there}
            said = f' aria-sort="{sort}"' if sort else ""
        links = [f'<a href="{escape(str(there))}">{escape(word)}</a>' for word, there in to.items()]
        inside = "".join(links) or words
        if len(links) > 1:
            inside = f'<div class="links-list">{inside}</div>'
        return f"{tag}{said}>{inside}"


BLOCKS = (Text, Code, Table, Facts, Page, Picture)


@dataclass(frozen=True)
class Reply:
    """What an address is answered with.

    Attributes:
        kind: the media type of the body.
        status: 200; 303 where it leads elsewhere; 400 or 404 where nothing is there.
        location: where it leads.
        filename: the name under which it is saved; "" for a page.
    """

    body: bytes
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""
    filename: str = ""

    @classmethod
    def to(cls, address: Address) -> "Reply":
        """The way to another address."""
        return cls(b"", status=303, location=str(address))


@dataclass
class View:
    """A page as it is being made.

    Attributes:
        nav: the path of the tab that it stands under.
        status: 200; 400 or 404 where it says what is wrong.
        body: the nodes.
        bar: what is always in view; None for nothing.
        python, command: the page's figures as a program and as a command line; "" for none.
        cards: the cards, by id.
        hero: the figures that the page is about; those of its first card that has some.
        main_card: that card; "" for none.
    """

    address: Address
    title: str
    nav: str
    body: list[Any] = field(default_factory=list)
    bar: Any = None
    python: str = ""
    command: str = ""
    status: int = 200
    cards: dict[str, "PageCard"] = field(default_factory=dict)
    hero: Hero | None = None
    main_card: str = ""

    def card(self, name: str, title: str, *parts: Part, note: str = "", kind: str = "") -> Any:
        """A card of the page, as a node."""
        card = PageCard(name, title, tuple(p for p in parts if p is not None), note)
        self.cards[name] = card
        own = next((part for part in parts_of(card.parts) if isinstance(part, Hero)), None)
        if own and not self.hero:
            self.hero, self.main_card = own, name
        return card.node(kind)

    def saves(self) -> Any:
        """The files that the cards are, as links; None where there are none."""
        rows = [(card.title, card.forms) for card in self.cards.values()]
        if not any(forms for _, forms in rows):
            return None
        return h.table(".save")[
            h.caption["Save a card"],
            (
                h.tr[h.th(scope="row")[card.title], h.td[card.links(self.address)]]
                for card in self.cards.values()
                if card.forms
            ),
        ]

    def one(self, name: str) -> "PageCard":
        """A card by its name.

        Raises:
            NotationError: there is no such card.
        """
        if name not in self.cards:
            raise NotationError(
                f"card={shown(name)}; the page has: {', '.join(self.cards) or 'none'}"
            )
        return self.cards[name]

    def file(self, name: str, form: str) -> Reply:
        """A card as a file.

        Raises:
            NotationError: there is no such card, or it has no such form.
        """
        return self.one(name).file(form, self.title, f"sevenout lab {self.address}")


@dataclass(frozen=True)
class PageCard:
    """One card: its name in addresses, its title, what it shows, a remark beside the title."""

    name: str
    title: str
    parts: tuple[Part, ...]
    note: str = ""

    def node(self, kind: str = "") -> h.Element:
        """The card on its page."""
        return h.section(f"#{self.name}", class_=f"card {kind}".strip())[
            h.header[h.div[h.h2[self.title], self.note and h.p(".note")[self.note]]],
            list(drawn(self.parts)),
        ]

    @property
    def forms(self) -> list[str]:
        """What it may be saved as."""
        forms = ["csv"] if self._tables() else []
        return forms + (["svg", "png"] if self._drawings() else [])

    def links(self, address: Address) -> list[h.Element]:
        """A link for each of its forms."""
        return [
            h.a(
                href=str(address.to(card=self.name, **{"as": "svg" if form == "png" else form})),
                download=f"{self.name}.{form}",
                data_png=form == "png",
                aria_label=f"{self.title} as {form.upper()}",
            )[form.upper()]
            for form in self.forms
        ]

    def _tables(self) -> list[Table]:
        """What it shows and saves as tables; or else its bars."""
        blocks = [part.block if isinstance(part, Saved) else part for part in parts_of(self.parts)]
        tables = [_table(block) for block in blocks if isinstance(block, Table | Facts)]
        return tables or [part.table for part in blocks if isinstance(part, Bars)]

    def _drawings(self) -> list[Any]:
        """What can be drawn of what it shows; or else of what it saves."""
        parts = list(parts_of(self.parts))
        drawn = [part for part in parts if isinstance(part, DRAWN)]
        return drawn or [part.block for part in parts if isinstance(part, Saved)]

    def file(self, form: str, of: str = "", foot: str = "") -> Reply:
        """The card as "csv" or "svg"; a picture says what it is of, and where it is from.

        Raises:
            NotationError: it has no such form.
        """
        if form == "svg" and (parts := self._drawings()):
            svg = picture(self.title, parts, of, foot)
            return Reply(svg.encode(), "image/svg+xml", filename=f"{self.name}.svg")
        if form == "csv" and (tables := self._tables()):
            text = "\n".join(table.csv() for table in tables)
            return Reply(text.encode(), "text/csv; charset=utf-8", filename=f"{self.name}.csv")
        raise NotationError(f"as={shown(form)}; the card {self.name} is no such file")


def parts_of(parts: Iterable[Part]) -> Iterator[Part]:
    """Parts one by one, the blocks of pages among them."""
    for part in parts:
        if isinstance(part, Page):
            yield from parts_of(part.blocks)
        else:
            yield part.table if isinstance(part, Linked) else part


def _table(block: Table | Facts) -> Table:
    if isinstance(block, Table):
        return block
    numbers = [(fact.name, fact.value, fact.note) for fact in block.facts]
    return Table(["figure", Column("value", FRACTION, DECIMAL), "note"], numbers)


def drawn(parts: Any, level: int = 3) -> Iterator[Any]:
    """Parts as nodes; blocks of the page model by its own renderer, titles at a level."""
    for part in parts:
        if isinstance(part, Chart):
            yield Markup(part.inline())
        elif isinstance(part, Saved):
            continue
        elif isinstance(part, Linked):
            table = _framed(Page("", part.table), level - 1)
            yield Markup(CELL.sub(part.linked, table))
        elif isinstance(part, Page):
            yield _framed(part, level if part.title else level - 1)
        elif isinstance(part, BLOCKS):
            yield _framed(Page("", part), level - 1)
        else:
            yield part


def _framed(page: Page, level: int) -> Markup:
    """A page by its own renderer; what scrolls is reached by keys, no header is empty, and an exact
    number is copied by a click: a long one is a click away.
    """
    made = fragment(page, level=level, long=WHOLE)
    made = made.replace('<div class="wide">', '<div class="wide" tabindex="0">')
    made = EXACT.sub(_copied, made)
    return Markup(EMPTY.sub("<td></td>", made))


def _copied(cell: re.Match[str]) -> str:
    shown = cell[1]
    plain = shown.replace("<wbr/>", "").replace("\u2212", "-")
    if not plain.strip("-/0123456789") and any(c.isdigit() for c in plain):
        button = (
            f'<button class="copy" type="button" data-copy="{plain}" title="Copy">{shown}</button>'
        )
        if len(plain) > SHORT:
            digits = max(map(len, plain.split("/")))
            name = f"<summary>a fraction of {digits} digits</summary>"
            button = f'<details class="long">{name}{button}</details>'
        shown = button
    return f'<td class="exact">{shown}</td>'
