"""How the results of this room print: a table in a terminal, as text, and in a notebook."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group


@dataclass(frozen=True)
class Printout:
    """A table to print.

    Attributes:
        head: the headings.
        rows: the cells; all but the first column are set to the right.
        note: what is said below the table.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


class Printed(ABC):
    """A result that prints as a table."""

    @abstractmethod
    def printout(self) -> Printout:
        """What to print."""

    def __rich__(self) -> "Group":
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        page = self.printout()
        table = Table(box=None, pad_edge=False, header_style="bold")
        for k, name in enumerate(page.head):
            table.add_column(Text(name), justify="right" if k else "left", overflow="fold")
        for row in page.rows:
            table.add_row(*map(Text, row))
        return Group(table, Text(page.note, style="dim")) if page.note else Group(table)

    def __str__(self) -> str:
        from sevenout.exact.show import as_text

        return as_text(self.__rich__())

    def _repr_html_(self) -> str:
        from html import escape

        from sevenout.exact.show import html_table

        page: Any = self.printout()
        return html_table(page.head, page.rows) + (f"<p>{escape(page.note)}</p>" * bool(page.note))
