"""Results that say what they say once, and so print well everywhere."""

from abc import ABC, abstractmethod
from typing import Any

from sevenout.page.blocks import Page


class Shown(ABC):
    """What has a page: it is its text, its looks in a terminal and a notebook, its table as CSV.

    >>> from sevenout.page.words import Text
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
    def page(self) -> Page:
        """What the result says."""

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as texts."""
        return self.page().to_dict()

    def csv(self, caption: str | None = None) -> str:
        """A table of the page as comma-separated values; the one of that caption, of several.

        Raises:
            PageError: no such table, or several to choose from.
        """
        return self.page().csv(caption)

    def __str__(self) -> str:
        return str(self.page())

    def __rich_console__(self, console: Any, options: Any) -> Any:
        return self.page().__rich_console__(console, options)

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()
