"""A page's content: its text, its cards and its copies.

A card holds a page of `sevenout.documents`, or charts and controls. Every card is a file too, at
its address with `card=` and `as=`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any

import htpy as h
from markupsafe import Markup

from sevenout.documents import Code, Column, Facts, Page, Picture, Table, Text
from sevenout.documents.html import fragment
from sevenout.documents.kinds import DECIMAL, FRACTION
from sevenout.documents.numbers import minus
from sevenout.errors import NotationError, shown
from sevenout.lab.address import Address
from sevenout.lab.widgets.card_image import DRAWABLE, card_svg
from sevenout.lab.widgets.parts import Bars, Hero, copyable_number

Part = Any
"""A block of a page, a chart, or a node of HTML."""

MAX_FRACTION = 20_000
"""Characters of a fraction on a page; of a longer one only the size is shown."""
MAX_UNFOLDED_FRACTION = 40
"""Characters of a fraction that is shown at once; a click unfolds a longer one."""
# These three match what `documents.html.fragment` writes.
EXACT_CELL = re.compile(r'<td class="exact">([^<]*(?:<wbr/>[^<]*)*)</td>')
EMPTY_HEADER = re.compile(r'<th class="[a-z]+" scope="col"></th>')
CELL = re.compile(r"(<t[hd] [^>]*)>([^<]+)(?=</t)")


@dataclass(frozen=True)
class Saved:
    """A block that a card saves but doesn't show.

    Attributes:
        block: the table, the figures or the picture in the card's files.
    """

    block: Table | Facts | Picture


@dataclass(frozen=True)
class Linked:
    """A table with links.

    Attributes:
        table: the table.
        links: the links in a cell, by its text: their words and targets.
        sorts: each header's target and its column's order; "" if not sorted.
        first_only: whether only the first cell of a row has links.
    """

    table: Table
    links: Mapping[str, Mapping[str, Address]]
    sorts: Mapping[str, tuple[Address, str]] = field(default_factory=dict)
    first_only: bool = False

    def link_cell(self, cell: re.Match[str]) -> str:
        """A cell or a header, with its links."""
        tag, words = cell.groups()
        text, aria = unescape(words), ""
        targets = {} if self.first_only and 'scope="row"' not in tag else self.links.get(text, {})
        if 'scope="col"' in tag and text in self.sorts:
            target, sort = self.sorts[text]
            targets = {text + {"ascending": " ↑", "descending": " ↓"}.get(sort, ""): target}
            aria = f' aria-sort="{sort}"' if sort else ""
        links = [
            # The text was unescaped to look it up.
            f'<a href="{escape(str(target))}">{escape(word)}</a>'
            for word, target in targets.items()
        ]
        inside = "".join(links) or words
        if len(links) > 1:
            inside = f'<div class="links-list">{inside}</div>'
        return f"{tag}{aria}>{inside}"


DOCUMENT_BLOCKS = (Text, Code, Table, Facts, Page, Picture)


@dataclass(frozen=True)
class Reply:
    """The answer to an address.

    Attributes:
        body: the content.
        media_type: the media type of the content.
        status: 200; 303 for a redirect; 400 or 404 for an error.
        location: where a redirect leads; "" for none.
        filename: the name of a saved file; "" for a page.
    """

    body: bytes
    media_type: str = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""
    filename: str = ""

    @classmethod
    def redirect(cls, address: Address) -> "Reply":
        """A redirect to an address."""
        return cls(b"", status=303, location=str(address))


@dataclass
class View:
    """A page in the making.

    Attributes:
        address: its address, from which its links are made.
        title: its title, also in the browser's tab.
        nav: the path of its tab.
        body: its content, as nodes of HTML.
        cards: its cards by name, in order.
        status: 200; 400 or 404 for an error.
        bar: the content of the bar that is always in view; None for none.
        announcement: what a screen reader says of the page when it changes, if it has no bar.
        python, command: the page's figures as a program and a command line; "" for none.
        hero: the page's main figures: those of its first card that has some.
        main_card: that card; "" for none.
        is_unfinished: whether its game is no game yet, so that no tab may lead on to it.
    """

    address: Address
    title: str
    nav: str
    body: list[Any] = field(default_factory=list)
    bar: Any = None
    announcement: str = ""
    python: str = ""
    command: str = ""
    status: int = 200
    cards: dict[str, "PageCard"] = field(default_factory=dict)
    hero: Hero | None = None
    main_card: str = ""
    is_unfinished: bool = False

    def add_card(
        self, name: str, title: str, *parts: Part, note: str = "", css_class: str = ""
    ) -> Any:
        """Add a card to the page, and return its node."""
        card = PageCard(name, title, tuple(part for part in parts if part is not None), note)
        self.cards[name] = card
        hero = next((part for part in flat_parts(card.parts) if isinstance(part, Hero)), None)
        if hero and not self.hero:
            self.hero, self.main_card = hero, name
        return card.node(css_class)

    def screen_reader_text(self) -> str:
        """What a screen reader says of a page without a bar: its main figures or first rows."""
        # The page of an error has an alert, which is read anyway.
        if self.announcement or self.status != 200:
            return self.announcement
        if self.hero:
            return self.hero.figures_text()
        blocks = [part for card in self.cards.values() for part in flat_parts(card.parts)]
        facts = next((part for part in blocks if isinstance(part, Facts)), None)
        table = next((part for part in blocks if isinstance(part, Table) and part.rows), None)
        if facts is not None:
            return ", ".join(
                f"{fact.name}: {minus(fact.kinds[-1](fact.value))}" for fact in facts.facts[:3]
            )
        return ", ".join(filter(None, table.printed()[0])) if table is not None else ""

    def save_menu(self) -> Any:
        """Links to the cards' files; None without any."""
        rows = [
            h.tr[h.th(scope="row")[card.title], h.td[card.file_links(self.address)]]
            for card in self.cards.values()
            if card.formats
        ]
        return h.table(".save")[h.caption["Save a card"], rows] if rows else None

    def card_named(self, name: str) -> "PageCard":
        """A card by its name."""
        if name not in self.cards:
            raise NotationError(
                f"card={shown(name)}; the page has: {', '.join(self.cards) or 'none'}"
            )
        return self.cards[name]

    def card_file(self, name: str, form: str) -> Reply:
        """A card as a file."""
        return self.card_named(name).file(form, self.title, f"sevenout lab {self.address}")


@dataclass(frozen=True)
class PageCard:
    """A card of a page.

    Attributes:
        name: its name in addresses.
        title: its heading.
        parts: what it shows and saves.
        note: a remark under the title; "" for none.
    """

    name: str
    title: str
    parts: tuple[Part, ...]
    note: str = ""

    def node(self, css_class: str = "") -> h.Element:
        """The card on its page."""
        return h.section(f"#{self.name}", class_=f"card {css_class}".strip())[
            h.header[h.div[h.h2[self.title], self.note and h.p(".note")[self.note]]],
            list(nodes_of(self.parts)),
        ]

    @property
    def formats(self) -> list[str]:
        """The formats of its files."""
        formats = ["csv"] if self._tables() else []
        return formats + (["svg", "png"] if self._drawings() else [])

    def file_links(self, address: Address) -> list[h.Element]:
        """Links to its files; the browser draws a png from the svg."""
        return [
            h.a(
                href=str(address.to(card=self.name, **{"as": "svg" if form == "png" else form})),
                download=f"{self.name}.{form}",
                data_png=form == "png",
                aria_label=f"{self.title} as {form.upper()}",
            )[form.upper()]
            for form in self.formats
        ]

    def _tables(self) -> list[Table]:
        """Its tables, shown and saved; without any, its bars."""
        blocks = [
            part.block if isinstance(part, Saved) else part for part in flat_parts(self.parts)
        ]
        tables = [_as_table(block) for block in blocks if isinstance(block, Table | Facts)]
        return tables or [part.table for part in blocks if isinstance(part, Bars)]

    def _drawings(self) -> list[Any]:
        """Its drawable parts that are shown; without any, those that are saved."""
        parts = list(flat_parts(self.parts))
        drawn = [part for part in parts if isinstance(part, DRAWABLE)]
        return drawn or [part.block for part in parts if isinstance(part, Saved)]

    def file(self, form: str, subject: str = "", foot: str = "") -> Reply:
        """The card as "csv" or "svg"; a picture names its subject and source."""
        if form == "svg" and (parts := self._drawings()):
            svg = card_svg(self.title, parts, subject, foot)
            return Reply(svg.encode(), "image/svg+xml", filename=f"{self.name}.svg")
        if form == "csv" and (tables := self._tables()):
            text = "\n".join(table.csv() for table in tables)
            return Reply(text.encode(), "text/csv; charset=utf-8", filename=f"{self.name}.csv")
        raise NotationError(f"as={shown(form)}; the card {self.name} can't be saved as that")


def flat_parts(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts one by one, with the blocks of pages."""
    for part in parts:
        if isinstance(part, Page):
            yield from flat_parts(part.blocks)
        else:
            yield part.table if isinstance(part, Linked) else part


def _as_table(block: Table | Facts) -> Table:
    if isinstance(block, Table):
        return block
    numbers = [(fact.name, fact.value, fact.note) for fact in block.facts]
    return Table(["figure", Column("value", FRACTION, DECIMAL), "note"], numbers)


def nodes_of(parts: Any, level: int = 3) -> Iterator[Any]:
    """The parts as nodes; a page's blocks with titles at a level."""
    for part in parts:
        if isinstance(part, Saved):
            continue
        if isinstance(part, Linked):
            table = _page_html(Page("", part.table), level - 1)
            yield Markup(CELL.sub(part.link_cell, table))
        elif isinstance(part, Page):
            # Before `DOCUMENT_BLOCKS`, among which pages are too: a page may have a title.
            yield _page_html(part, level if part.title else level - 1)
        elif isinstance(part, DOCUMENT_BLOCKS):
            yield _page_html(Page("", part), level - 1)
        else:
            yield part


def folded(summary: str, *parts: Part) -> h.Element:
    """Parts that a click on their summary unfolds."""
    return h.details(".more")[h.summary[summary], list(nodes_of(parts))]


def _page_html(page: Page, level: int) -> Markup:
    """A page as HTML: wide parts scroll by keyboard, empty headers become plain cells, and a click
    copies an exact number or shows a long one.
    """
    html = fragment(page, level=level, max_fraction=MAX_FRACTION)
    html = html.replace('<div class="wide">', '<div class="wide" tabindex="0">')
    html = EXACT_CELL.sub(_copyable_cell, html)
    return Markup(EMPTY_HEADER.sub("<td></td>", html))


def _copyable_cell(cell: re.Match[str]) -> str:
    number = cell[1]
    # A copied number must be readable by a program.
    plain = number.replace("<wbr/>", "").replace("\u2212", "-")
    # The column may hold a word instead of a number.
    if not plain.strip("-/0123456789") and any(c.isdigit() for c in plain):
        number = str(copyable_number(plain, Markup(number), MAX_UNFOLDED_FRACTION))
    return f'<td class="exact">{number}</td>'
