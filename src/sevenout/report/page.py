"""What a sheet says, as plain data; every renderer prints the same content.

A `Sheet` is a title, facts about the document, and sections of blocks: paragraphs, tables and
pictures. Texts are plain and never markup, so that a renderer has to escape them, and control
characters are taken out when a block is made. An exact figure stays a `Fraction` until it is
printed.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from sevenout.errors import SevenoutError

Cell = str | Fraction
Kind = Literal["text", "number", "exact", "note"]
"""How a column is set: words, right-aligned figures, exact fractions, small remarks."""

FORMAT = "sevenout.sheet"
VERSION = 1


class ReportError(SevenoutError):
    """A sheet or a picture that can't be made as asked."""


def clean(text: object) -> str:
    """A text with every control, surrogate and direction-changing character made visible.

    >>> clean("a" + chr(0) + "b" + chr(0x202E) + "c")
    'a�b�c'
    """
    return "".join(" " if c in "\n\t" else "\ufffd" if _invisible(c) else c for c in str(text))


def _invisible(c: str) -> bool:
    from unicodedata import category

    return category(c) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or (
        category(c) == "Cf" and c != "\u00ad"
    )


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str
    note: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", clean(self.text))

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {"block": "text", "text": self.text, "note": self.note}


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        head: the columns' titles; "" for none.
        kinds: how each column is set.
        rows: the cells, row by row; a `Fraction` is printed as exactly as there is room.
        total: whether the last row sums up the others.
        caption: a title over the table.
    """

    head: tuple[str, ...]
    kinds: tuple[Kind, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: bool = False
    caption: str = ""

    def __init__(
        self,
        head: Iterable[str],
        kinds: Iterable[Kind],
        rows: Iterable[Iterable[Cell]],
        total: bool = False,
        caption: str = "",
    ) -> None:
        put = object.__setattr__
        put(self, "head", tuple(map(clean, head)))
        put(self, "kinds", tuple(kinds))
        cells = (tuple(c if isinstance(c, Fraction) else clean(c) for c in row) for row in rows)
        put(self, "rows", tuple(cells))
        put(self, "total", total)
        put(self, "caption", clean(caption))
        for row in (self.kinds, *self.rows):
            if len(row) != len(self.head):
                raise ReportError(
                    f"a row of {len(row)} cells under {len(self.head)} columns: {row}"
                )

    def to_dict(self) -> dict[str, Any]:
        """As data; exact figures in full, as texts."""
        return {
            "block": "table",
            "caption": self.caption,
            "head": list(self.head),
            "kinds": list(self.kinds),
            "rows": [[exactly(c) if isinstance(c, Fraction) else c for c in r] for r in self.rows],
            "total": self.total,
        }


@dataclass(frozen=True)
class Picture:
    """A picture, as SVG.

    Attributes:
        svg: the drawing.
        caption: what it shows; also its text for those who can't see it.
        width: how wide it is by nature, in points; it is never made wider than the page.
    """

    svg: str
    caption: str
    width: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "caption", clean(self.caption))

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {"block": "picture", "caption": self.caption, "width": self.width, "svg": self.svg}


Block = Text | Table | Picture


@dataclass(frozen=True)
class Section:
    """A heading and what is under it."""

    title: str
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", clean(self.title))

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {"title": self.title, "blocks": [block.to_dict() for block in self.blocks]}


@dataclass(frozen=True)
class Sheet:
    """A sheet: the same content as PDF, HTML or JSON.

    >>> page = Sheet("Craps", "", (("version", "1"),), (Section("Rules", (Text("Roll."),)),))
    >>> page.to_dict()["sections"][0]["title"]
    'Rules'

    Attributes:
        title: the game's name.
        subtitle: what kind of document it is.
        facts: (name, value) pairs of the title block.
        sections: the content.
        date: as the caller gave it; never the clock's.
    """

    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    date: str = ""

    def __post_init__(self) -> None:
        for name in ("title", "subtitle", "date"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        object.__setattr__(self, "facts", tuple((clean(n), clean(v)) for n, v in self.facts))

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "title": self.title,
            "subtitle": self.subtitle,
            "date": self.date,
            "facts": dict(self.facts),
            "sections": [section.to_dict() for section in self.sections],
        }

    def json(self) -> bytes:
        """The sheet as JSON, UTF-8."""
        return (json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n").encode()

    def html(self) -> bytes:
        """The sheet as one self-contained HTML page, UTF-8."""
        from sevenout.report.html import page

        return page(self).encode()

    def pdf(self) -> bytes:
        """The sheet as PDF, typeset with the fonts that come with typst."""
        from sevenout.report.pdf import compile_pdf

        return compile_pdf(self)

    def _repr_html_(self) -> str:
        from sevenout.report.html import body

        return body(self)


CUT = "…"
CUT_NOTE = Text(f"“{CUT}”: a fraction too long for the page; the JSON has it in full.", note=True)


def exactly(x: Fraction, most: int | None = None) -> str:
    """A fraction in full, or `CUT` where that has more than `most` characters.

    >>> exactly(Fraction(1, 3)), exactly(Fraction(10, 10**60 + 1), most=50)
    ('1/3', '…')
    """
    from sevenout.exact.rational import text

    if most is None:
        return text(x)
    if x.denominator.bit_length() > 4 * most:
        return CUT
    shown = text(x)
    return shown if len(shown) <= most else CUT


def minus(text: str) -> str:
    """Figures with a minus sign in place of the hyphen.

    >>> minus("-1/2")
    '−1/2'
    """
    return text.replace("-", "\u2212")
