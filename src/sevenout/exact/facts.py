"""Results of names and values, as they are shown: in a terminal, in a notebook."""

from collections.abc import Sequence
from html import escape
from typing import Any

Facts = Sequence[tuple[str, str]]


def rich_facts(facts: Facts) -> Any:
    """Names and values as a rich table."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column(justify="right", style="bold")
    for name, value in facts:
        table.add_row(name, value)
    return table


def html_facts(facts: Facts) -> str:
    """Names and values as an HTML table; every text is escaped.

    >>> html_facts([("ruin", "1/4")])
    '<table><tbody><tr><th>ruin</th><td>1/4</td></tr></tbody></table>'
    """
    rows = "".join(f"<tr><th>{escape(n)}</th><td>{escape(v)}</td></tr>" for n, v in facts)
    return f"<table><tbody>{rows}</tbody></table>"
