"""Writes the table of `docs/reference/catalogue.md`: `python docs/reference/catalogue.py`.

Every figure is computed from the rules as they are; what stands between the two marks is replaced.
"""

from fractions import Fraction
from pathlib import Path

from sevenout.catalogue import Entry, games
from sevenout.catalogue.entries import FIGURES
from sevenout.solving import BetResult, solve

PAGE = Path(__file__).with_suffix(".md")
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
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


def page(old: str) -> str:
    """The page with a new table."""
    before, rest = old.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
