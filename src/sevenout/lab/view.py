"""What a page shows: its words, its cards, and what it may be copied as.

A card is a page of the house's page model, or charts and controls beside one. Every card exports
itself: its address with `card=` and `as=` is a file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import htpy as h
from markupsafe import Markup

from sevenout.errors import NotationError, shown
from sevenout.lab.address import Address
from sevenout.lab.chart import Chart
from sevenout.page import Code, Facts, Page, Picture, Table, Text
from sevenout.page.html import fragment

Part = Any
"""A block of a page, a chart, or a node of HTML."""

EMPTY = re.compile(r'<th class="[a-z]+" scope="col"></th>')


class Saved(Table):
    """A table that a card saves and doesn't show: what it shows says it already."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.columns, table.rows)


BLOCKS = (Text, Code, Table, Facts, Page, Picture)


@dataclass(frozen=True)
class Answer:
    """What an address is answered with.

    Attributes:
        body: the content.
        kind: its media type.
        status: 200; 303 where it leads elsewhere; 400 or 404 where nothing is there.
        location: where it leads.
        filename: the name under which it is saved; "" for a page.
    """

    body: bytes
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""
    filename: str = ""


@dataclass
class View:
    """A page as it is being made.

    Attributes:
        address: of the page.
        title: its title.
        nav: the path of the tab that it stands under.
        body: the nodes.
        bar: what is always in view; None for nothing.
        python: the page's figures as a program.
        command: as a command line.
        cards: the cards, by id.
    """

    address: Address
    title: str
    nav: str
    body: list[Any] = field(default_factory=list)
    bar: Any = None
    python: str = ""
    command: str = ""
    cards: dict[str, "Card"] = field(default_factory=dict)

    def card(self, name: str, title: str, *parts: Part, note: str = "", kind: str = "") -> Any:
        """A card of the page, as a node."""
        card = Card(name, title, tuple(p for p in parts if p is not None), note)
        self.cards[name] = card
        return card.node(self.address, kind)

    def file(self, name: str, form: str) -> Answer:
        """A card as a file.

        Raises:
            NotationError: there is no such card, or it has no such form.
        """
        if name not in self.cards:
            raise NotationError(
                f"card={shown(name)}; the page has: {', '.join(self.cards) or 'none'}"
            )
        return self.cards[name].file(form)


@dataclass(frozen=True)
class Card:
    """One card.

    Attributes:
        name: its name in addresses.
        title: its title.
        parts: what it shows.
        note: a remark beside the title.
    """

    name: str
    title: str
    parts: tuple[Part, ...]
    note: str = ""

    def node(self, address: Address, kind: str = "") -> h.Element:
        """The card on its page."""
        return h.section(f"#{self.name}", class_=f"card {kind}".strip())[
            h.header[
                h.div[h.h2[self.title], self.note and h.p(".note")[self.note]],
                self._exports(address),
            ],
            list(drawn(self.parts)),
        ]

    def _exports(self, address: Address) -> Any:
        forms = [
            *(["csv"] if any(True for _ in self._tables()) else []),
            *(["svg", "png"] if self._picture() is not None else []),
        ]
        if not forms:
            return None
        return h.details(".save")[
            h.summary(aria_label=f"Save “{self.title}”")["Save"],
            h.div[
                (
                    h.a(
                        href=str(address.to(card=self.name, **{"as": "svg" if f == "png" else f})),
                        download=f"{self.name}.{f}",
                        data_png=f == "png",
                    )[f.upper()]
                    for f in forms
                ),
            ],
        ]

    def _tables(self) -> Iterator[Table]:
        def within(parts: Any) -> Iterator[Table]:
            for part in parts:
                if isinstance(part, Table):
                    yield part
                elif isinstance(part, Facts):
                    from sevenout.page import Column
                    from sevenout.page.kinds import DECIMAL, FRACTION

                    numbers = [(f.name, f.value, f.note) for f in part.facts]
                    yield Table(["figure", Column("value", FRACTION, DECIMAL), "note"], numbers)
                elif isinstance(part, Page):
                    yield from within(part.blocks)

        return within(self.parts)

    def _picture(self) -> Any:
        for part in self.parts:
            if isinstance(part, Chart | Picture):
                return part
        return None

    def file(self, form: str) -> Answer:
        """The card as a file.

        Raises:
            NotationError: it has no such form.
        """
        picture = self._picture()
        if form == "svg" and picture is not None:
            svg = picture.svg if isinstance(picture, Picture) else picture.standalone(self.title)
            return Answer(svg.encode(), "image/svg+xml", filename=f"{self.name}.svg")
        tables = list(self._tables())
        if form == "csv" and tables:
            text = "\n".join(table.csv() for table in tables)
            return Answer(text.encode(), "text/csv; charset=utf-8", filename=f"{self.name}.csv")
        raise NotationError(f"as={shown(form)}; the card {self.name} is no such file")


def drawn(parts: Any) -> Iterator[Any]:
    """Parts as nodes; blocks of the page model by its own renderer."""
    for part in parts:
        if isinstance(part, Chart):
            yield Markup(part.inline())
        elif isinstance(part, Saved):
            continue
        elif isinstance(part, Page):
            yield _framed(part)
        elif isinstance(part, BLOCKS):
            yield _framed(Page("", part))
        else:
            yield part


def _framed(page: Page) -> Markup:
    """A page by its own renderer; what scrolls is reached by keys, and no header is empty."""
    made = fragment(page, level=3 if page.title else 2)
    made = made.replace('<div class="wide">', '<div class="wide" tabindex="0">')
    return Markup(EMPTY.sub("<td></td>", made))
