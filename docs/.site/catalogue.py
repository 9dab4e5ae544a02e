"""For the reference: every bet of the catalogue, with figures computed from its rules."""

from fractions import Fraction
from typing import Any

from sevenout.catalogue import Entry, games
from sevenout.catalogue.entries import FIGURES
from sevenout.solving import BetResult, solve

PAGE, MARK = "reference/catalogue.md", "<!-- table -->\n"
HEAD = """\
| name | bet | edge | | at risk | P(win) | rolls |
|---|---|--:|--:|--:|--:|--:|
"""
LONG = 16
"""A fraction with more characters is shown as a decimal."""


def number(value: Fraction) -> str:
    return str(value) if len(str(value)) <= LONG else f"{float(value):.9f}"


def percent(value: Fraction) -> str:
    return f"{100 * float(value):.4f} %"


def line(entry: Entry, bet: BetResult | None) -> str:
    if bet is None:
        return f"| `{entry.id}` | {entry.title} | | | | | |"
    edge: Fraction = getattr(bet, FIGURES[entry.convention])
    per = "" if entry.convention == "made" else f" per {entry.convention}"
    risk = percent(bet.element_of_risk) if bet.mean_risk != 1 else ""
    cells = (
        f"`{entry.id}`",
        entry.title,
        number(edge),
        percent(edge) + per,
        risk,
        number(bet.p_win),
        f"{float(bet.rolls):.3f}",
    )
    return f"| {' | '.join(cells)} |"


def table() -> str:
    """The catalogue family by family, in its own order."""
    families: dict[str, list[Entry]] = {}
    for entry in games.without_choices.values():
        families.setdefault(entry.family, []).append(entry)
    blocks = []
    for family, entries in families.items():
        head = f"### {family}\n\n{HEAD}"
        bets = [solve(e.game()).bet(e.bet) if e.bet else None for e in entries]
        blocks.append(head + "\n".join(map(line, entries, bets)) + "\n")
    return "\n".join(blocks)


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Called by MkDocs for each page."""
    return markdown.replace(MARK, table()) if page.file.src_uri == PAGE else markdown
