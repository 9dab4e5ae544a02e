"""A solution as a page: in a terminal, in a notebook, as plain text."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from io import StringIO
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sevenout.exact.bets import BetResult
    from sevenout.exact.counter import CounterLaw
    from sevenout.exact.solution import Solution

LONG = 24
"""A fraction with more characters is shown by its decimals only."""


def decimal(x: Fraction, digits: int = 6, sign: bool = False) -> str:
    """A fraction rounded to so many decimals, from the exact value, halves away from zero.

    >>> decimal(Fraction(1, 128)), decimal(Fraction(-1, 9), 3, sign=True)
    ('0.007813', '-0.111')
    >>> decimal(Fraction(-1, 10**9))  # what rounds to zero has no minus
    '0.000000'
    """
    size = int(abs(x) * 10**digits * 2 + 1) // 2
    whole, part = divmod(size, 10**digits)
    text = f"{whole}.{part:0{digits}d}" if digits else str(whole)
    return ("-" if x < 0 and size else "+" if sign else "") + text


def percent(x: Fraction, digits: int = 4) -> str:
    """A probability or an edge as a percentage.

    >>> percent(Fraction(7, 495))
    '1.4141 %'
    """
    return f"{decimal(x * 100, digits)} %"


def short(x: Fraction) -> str:
    """A fraction as text, if it is short enough to read.

    >>> short(Fraction(244, 495)), short(Fraction(1, 3**60))
    ('244/495', '…')
    """
    if x.denominator.bit_length() > 4 * LONG:
        return "…"
    text = str(x)
    return text if len(text) <= LONG else "…"


def signed(x: Fraction) -> str:
    """A profit: +3/2, 0, -1.

    >>> signed(Fraction(3, 2))
    '+3/2'
    """
    return f"+{x}" if x > 0 else str(x)


def bet_table(bet: "BetResult") -> Any:
    """The return table of a bet, as a rich table."""
    from rich.table import Table

    table = Table(title=f"Bet: {bet.name}", title_justify="left", header_style="bold")
    table.add_column("event")
    for heading in ("pays", "probability", "", "return"):
        table.add_column(heading, justify="right")
    for event, pays, p, contribution in bet.table:
        table.add_row(event, signed(pays), short(p), decimal(p), decimal(contribution, sign=True))
    table.add_section()
    total = sum((row.probability for row in bet.table), Fraction(0))
    table.add_row(
        "total", "", short(total), decimal(total), decimal(bet.mean, sign=True), style="bold"
    )
    return table


def figures(bet: "BetResult") -> list[tuple[str, str, str]]:
    """The figures of a bet: (name with its convention, exact, decimal)."""
    rows: list[tuple[str, str, str]] = [
        ("win probability", short(bet.p_win), percent(bet.p_win)),
    ]
    if bet.p_push:
        rows.append(("push probability", short(bet.p_push), percent(bet.p_push)))
    rows.append(("house edge, per bet made", short(bet.edge), percent(bet.edge)))
    if bet.p_push and bet.p_push != 1:
        rows.append(
            ("house edge, per bet resolved", short(bet.edge_resolved), percent(bet.edge_resolved))
        )
    rows.append(("house edge, per roll", short(bet.edge_per_roll), percent(bet.edge_per_roll)))
    if bet.mean_risk != 1:
        risk = bet.element_of_risk
        rows.append(("element of risk, per unit at risk", short(risk), percent(risk)))
    rows += [
        ("variance per unit staked", short(bet.variance), decimal(bet.variance)),
        ("standard deviation", "", f"{bet.standard_deviation:.6f}"),
        ("skewness", "", f"{bet.skewness:+.6f}"),
        ("excess kurtosis", "", f"{bet.kurtosis:+.6f}"),
        ("mean rolls to settle", short(bet.rolls), decimal(bet.rolls)),
    ]
    return rows


def figures_table(bet: "BetResult") -> Any:
    """The figures of a bet, as a rich table."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column(justify="right", style="bold")
    table.add_column(justify="right")
    for name, exact, decimal in figures(bet):
        table.add_row(name, exact, decimal)
    return table


def solution_table(solution: "Solution", bet: str | None = None) -> Any:
    """A solution as a rich renderable: outcomes, or each bet's return table and figures."""
    from rich.console import Group
    from rich.table import Table

    bets = [solution.bet(bet)] if bet else list(solution.bets.values())
    if bets:
        return Group(*(bet_page(result) for result in bets))
    table = Table(title="Outcomes", title_justify="left", header_style="bold")
    table.add_column("outcome")
    table.add_column("probability", justify="right")
    table.add_column("", justify="right")
    for label, p in solution.labels.items():
        table.add_row(label, short(p), decimal(p))
    return table


def bet_page(bet: "BetResult") -> Any:
    """A bet as a rich renderable: its return table, then its figures."""
    from rich.console import Group

    return Group(bet_table(bet), figures_table(bet))


def law_rows(law: "CounterLaw") -> list[tuple[str, str, str]]:
    """A counter's law in a few lines: (figure, exact, decimal)."""
    rows = [
        ("mean", short(law.mean), decimal(law.mean)),
        ("variance", short(law.variance), decimal(law.variance)),
    ]
    for q in ("1/2", "9/10", "99/100", "999/1000"):
        n = law.quantile(q)
        rows.append((f"quantile at {q}", str(n), f"P(N > {n}) = {_tail(law, n)}"))
    first = next(n for n in count() if law.pmf(n))
    rows += [
        (f"P(N = {n})", short(law.pmf(n)), decimal(law.pmf(n))) for n in range(first, first + 5)
    ]
    return rows


def _tail(law: "CounterLaw", n: int) -> str:
    """P(N > n) in decimals, from bounds that round alike: the exact tail may be very long."""
    for digits in (20, 200):
        low, high = (decimal(end) for end in law.sf_bounds(n, digits))
        if low == high:
            return low
    return decimal(law.sf(n))


def law_page(law: "CounterLaw") -> Any:
    """A counter's law as a rich table."""
    from rich.table import Table

    table = Table(title=f"Law of {law.name}", title_justify="left", show_header=False)
    for justify in ("left", "right", "right"):
        table.add_column(justify=justify)
    for row in law_rows(law):
        table.add_row(*row)
    return table


def as_text(page: Any) -> str:
    """A rich renderable as plain text, 100 columns wide."""
    from rich.console import Console

    out = StringIO()
    Console(file=out, width=100, color_system=None).print(page)
    return out.getvalue().rstrip()


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in HTML; every text is escaped.

    >>> html_table(["a"], [["<b>"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    cells = "".join(f"<th>{escape(h)}</th>" for h in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def bet_html(bet: "BetResult") -> str:
    """A bet as HTML, for a notebook."""
    rows = [
        [event, signed(pays), short(p), decimal(p), decimal(contribution, sign=True)]
        for event, pays, p, contribution in bet.table
    ]
    return (
        f"<h4>{escape(bet.name)}</h4>"
        + html_table(["event", "pays", "probability", "", "return"], rows)
        + html_table(["figure", "exact", ""], figures(bet))
    )


def solution_html(solution: "Solution") -> str:
    """A solution as HTML, for a notebook."""
    if solution.bets:
        return "".join(map(bet_html, solution.bets.values()))
    outcomes = [[label, short(p), decimal(p)] for label, p in solution.labels.items()]
    return html_table(["outcome", "probability", ""], outcomes)


def law_html(law: "CounterLaw") -> str:
    """A counter's law as HTML, for a notebook."""
    return html_table([f"law of {law.name}", "exact", ""], law_rows(law))
