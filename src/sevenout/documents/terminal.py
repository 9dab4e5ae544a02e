"""A page in a terminal, by rich: the lines of `layout` in colour; text is never markup."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sevenout.documents import layout
from sevenout.documents.blocks import Page

if TYPE_CHECKING:
    from rich.text import Text

LOOKS = {
    "title": "bold",
    "head": "bold",
    "strong": "bold",
    "faint": "dim",
    "good": "green",
    "bad": "red",
    "code": "cyan",
}


def lines(page: Page, width: int) -> "Iterator[Text]":
    """A page as rich's texts, line by line."""
    from rich.text import Text

    for line in layout.lines(page, width):
        pieces = [(piece, LOOKS.get(look, look)) for piece, look in line]
        yield Text.assemble(*pieces, no_wrap=True, overflow="ignore")
