"""A page as plain data: blocks whose cells stay numbers until printed.

A result that has a page is a `HasPage`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sevenout.documents.tables import Facts, PageError, Table
from sevenout.documents.words import Code, Text, clean
from sevenout.errors import shown

if TYPE_CHECKING:
    from pathlib import Path


Paper: TypeAlias = Literal["a4", "letter"]
"""The paper size of a PDF."""
FORMAT = "sevenout.page"
"""The `format` of a page as data."""
VERSION = 1
"""The `version` of that format; one that old readers would misread has a higher number."""
RENDERERS: dict[str, Callable[..., Any]] = {}
"""The functions that print a page: "text", "rich", "cell" (of a notebook), "html" and "pdf".

The package's `__init__` fills it: renderers import blocks, so blocks must not import renderers.
"""


class HasPage(ABC):
    """Base of results that have a page, which prints in terminals and notebooks, and as CSV.

    >>> from sevenout.documents import Page, Text
    >>> class Verdict(HasPage):
    ...     def page(self):
    ...         return Page("Verdict", Text("The dice are fair.", tone="good"))
    >>> print(Verdict())
    Verdict
    <BLANKLINE>
    The dice are fair.
    """

    __slots__ = ()

    @abstractmethod
    def page(self) -> "Page":
        """The page of the result."""

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data; by default that of its page, see `Page.to_dict`."""
        return self.page().to_dict()

    def csv(self, caption: str | None = None) -> str:
        """The only table of the page as CSV, or the one with a caption.

        Raises:
            PageError: no such table, or several.
        """
        return only_table(self.page(), caption).csv()

    def __str__(self) -> str:
        return str(RENDERERS["text"](self.page()))

    def __rich_console__(self, console: Any, options: Any) -> Any:
        return RENDERERS["rich"](self.page(), options.max_width)

    def _repr_html_(self) -> str:
        return str(RENDERERS["cell"](self.page()))


@dataclass(frozen=True)
class Picture:
    """A picture, drawn on demand.

    Attributes:
        source: the drawing as SVG, or a function that draws it.
        caption: a description, also the alternative text.
    """

    source: str | Callable[[], str] = field(repr=False)
    caption: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "caption", clean(self.caption))

    @cached_property
    def svg(self) -> str:
        """The drawing as SVG."""
        return self.source if isinstance(self.source, str) else self.source()

    @property
    def width(self) -> float:
        """The natural width in points; it is never made wider than the page."""
        match = re.search(r"""<svg[^>]*?\swidth=["']([\d.]+)(pt|px)?["']""", self.svg)
        if match is None:
            raise PageError(f"the picture {self.caption!r} doesn't say how wide it is in points")
        # A pixel of SVG is 1/96 inch and a point is 1/72; a bare number is in pixels.
        return float(match[1]) * (0.75 if match[2] != "pt" else 1)

    def to_dict(self) -> dict[str, Any]:
        """The picture as plain data: `block`, `caption`, `width` in points, and `svg`."""
        return {"block": "picture", "caption": self.caption, "width": self.width, "svg": self.svg}


@dataclass(frozen=True)
class Attachment:
    """A file that the PDF of a page carries.

    Attributes:
        name: the file's name.
        content: its bytes, UTF-8.
        description: what it is, for the reader of the PDF.
    """

    name: str
    content: bytes = field(repr=False)
    description: str


Block: TypeAlias = "Text | Code | Table | Facts | Picture | Page"


@dataclass(frozen=True, init=False, repr=False)
class Page(HasPage):
    """A title with blocks and sections.

    >>> from fractions import Fraction
    >>> from sevenout.documents.kinds import DECIMAL, FRACTION
    >>> from sevenout.documents.tables import Fact
    >>> page = Page("Craps", Facts(Fact("edge", Fraction(7, 495), FRACTION, DECIMAL)))
    >>> print(page)
    Craps
    <BLANKLINE>
    edge   7/495   0.014141

    Attributes:
        title: the title; "" for none.
        blocks: the content.
        subtitle: the kind of document.
        facts: (name, value) pairs of the title block, each with a name of its own.
        date: the caller's; never the clock's.
        attachments: files attached to its PDF.
        author: for the properties of its PDF.
        foot: printed at the foot of every page.

    Raises:
        PageError: something that is no block, or two facts of one name.
    """

    title: str
    blocks: tuple["Block", ...]
    subtitle: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    date: str = ""
    attachments: tuple[Attachment, ...] = ()
    author: str = ""
    foot: str = ""

    def __init__(
        self,
        title: str,
        *blocks: "Block",
        subtitle: str = "",
        facts: Iterable[tuple[str, str]] = (),
        date: str = "",
        attachments: Iterable[Attachment] = (),
        author: str = "",
        foot: str = "",
    ) -> None:
        for block in blocks:
            if not isinstance(block, Text | Code | Table | Facts | Picture | Page):
                raise PageError(f"{shown(block)} is no block of a page; write words as Text(...)")
        put = object.__setattr__
        put(self, "title", clean(title))
        put(self, "blocks", blocks)
        put(self, "subtitle", clean(subtitle))
        put(self, "facts", tuple((clean(n), clean(v)) for n, v in facts))
        put(self, "date", clean(date))
        put(self, "attachments", tuple(attachments))
        put(self, "author", clean(author))
        put(self, "foot", clean(foot))
        # as data they are an object, which would hold the last of two
        names = [name for name, _ in self.facts]
        if repeated := [name for name in names if names.count(name) > 1]:
            raise PageError(f"two facts {repeated[0]!r} in a title block; give each its own name")

    def __repr__(self) -> str:
        return f"<Page {self.title!r} of {len(self.blocks)} blocks>"

    def page(self) -> "Page":
        """The page itself."""
        return self

    @property
    def sections(self) -> tuple["Page", ...]:
        """The pages among the blocks."""
        return tuple(block for block in self.blocks if isinstance(block, Page))

    @property
    def title_facts(self) -> list[tuple[str, str]]:
        """The facts of the title block, with the date."""
        return [*([("date", self.date)] if self.date else []), *self.facts]

    def to_dict(self) -> dict[str, Any]:
        """The page as plain data: `format`, `version`, `title` and `blocks`; exact figures as text.

        A title block adds `subtitle`, `date` and `facts`. What only a PDF has is left out:
        the attachments, the author and the foot.
        """
        return {"format": FORMAT, "version": VERSION} | self._as_block()

    def _as_block(self) -> dict[str, Any]:
        """The page as plain data within another, which has the format and the version."""
        data: dict[str, Any] = {"block": "page", "title": self.title}
        if self.subtitle or self.facts or self.date:
            data |= {"subtitle": self.subtitle, "date": self.date, "facts": dict(self.facts)}
        blocks = [b._as_block() if isinstance(b, Page) else b.to_dict() for b in self.blocks]
        return data | {"blocks": blocks}

    def json(self) -> bytes:
        """JSON, in UTF-8."""
        from json import dumps

        return (dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n").encode()

    def html(self) -> bytes:
        """A self-contained HTML document, in UTF-8."""
        return str(RENDERERS["html"](self)).encode()

    def pdf(self, fonts: "Path | None" = None, paper: Paper = "a4") -> bytes:
        """The PDF, typeset with the fonts that come with typst and those of a folder.

        Raises:
            PageError: no font has one of the characters.
        """
        return bytes(RENDERERS["pdf"](self, fonts, paper))


def only_table(page: Page, caption: str | None = None) -> Table:
    """The only table of a page, or the one with a caption.

    Raises:
        PageError: none, or several.
    """
    tables = list(_tables(page.blocks))
    if caption is not None:
        tables = [table for table in tables if table.caption == caption]
    # of several tables, none is a guess that may be wrong: the caller names one
    if len(tables) == 1:
        return tables[0]
    all_captions = [table.caption for table in _tables(page.blocks)]
    captions = [caption for caption in all_captions if caption and all_captions.count(caption) == 1]
    if not all_captions:
        raise PageError("the page has no table")
    condition = "" if caption is None else f" with the caption {caption!r}"
    advice = f"name one of: {', '.join(map(repr, captions))}" if captions else "none can be named"
    raise PageError(f"{len(tables)} tables{condition}; {advice}")


def _tables(blocks: tuple[Block, ...]) -> Iterator[Table]:
    """The tables among the blocks and in their sections."""
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, Page):
            yield from _tables(block.blocks)
