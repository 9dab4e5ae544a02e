"""The interface of results that have a page."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sevenout.documents.blocks import Page


class Shown(ABC):
    """A result with a page: prints as text, in terminals and notebooks, and as CSV.

    >>> from sevenout.documents import Page, Text
    >>> class Verdict(Shown):
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
        """As data; exact figures as text."""
        return self.page().to_dict()

    def csv(self, caption: str | None = None) -> str:
        """The only table of the page as CSV, or the one with a caption.

        Raises:
            PageError: no such table, or several.
        """
        from sevenout.documents.csv_table import only_table

        return only_table(self.page(), caption).csv()

    def __str__(self) -> str:
        from sevenout.documents.layout import text

        return text(self.page())

    def __rich_console__(self, console: Any, options: Any) -> Any:
        from sevenout.documents.terminal import lines

        return lines(self.page(), options.max_width)

    def _repr_html_(self) -> str:
        from sevenout.documents.html import cell

        return cell(self.page())
