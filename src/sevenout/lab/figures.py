"""What is true of a game, as pieces of a page: figures, tables, bars, the law of the rolls."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from sevenout.chain import Chain
from sevenout.exact import BetResult, Solution
from sevenout.lab import plot
from sevenout.lab.markup import Markup, render, tag
from sevenout.page.numbers import decimal, percent, short, signed
from sevenout.rules import Game, PointGame

MOST_ROWS = 60
SCALE = 1.75
"""Pixels for a point of a diagram: its words become as large as those of the page."""
LAW_STATES = 500
"""The law of the rolls is a rational function; it is drawn for games with no more states."""


def hero(value: Fraction, what: str, digits: int = 4) -> Markup:
    """A large figure: a probability as a percentage, and exactly."""
    return tag(
        "div",
        tag("span", what, class_="muted small"),
        tag("span", decimal(100 * value, digits), tag("small", " %"), class_="value"),
        tag("span", exactly(value), class_="exact"),
        class_="hero",
    )


def exactly(x: Fraction) -> str:
    """A fraction, if it can be read; else how long it would be."""
    text = short(x)
    return text if text != "…" else f"a fraction of {len(str(x.denominator))} digits"


def facts(rows: Iterable[tuple[str, str, str]]) -> Markup:
    """Figures: (name with its convention, exact, decimal)."""
    return tag(
        "dl",
        [
            tag(
                "div",
                tag("dt", name),
                tag("dd", exact, class_="exact"),
                tag("dd", value),
            )
            for name, exact, value in rows
        ],
        class_="facts",
    )


def bet_rows(bet: BetResult) -> list[tuple[str, str, str]]:
    """Every figure of a bet but its win probability, which stands above."""
    return [(name, exact, value) for name, exact, value in bet.figures().printed()[1:]]


def table(
    head: Sequence[tuple[str, str]],
    rows: Iterable[Sequence[object]],
    *,
    label: str,
    total: Sequence[object] | None = None,
) -> Markup:
    """A table; the head is (title, class) for each column, the first column names the row."""
    titles = [tag("th", text, class_=kind or None, scope="col") for text, kind in head]

    def cells(row: Sequence[object]) -> list[Markup]:
        first = tag("th", row[0], scope="row", class_=head[0][1] or None)
        rest = [
            cell
            if isinstance(cell, Markup) and cell.startswith("<td")
            else tag("td", cell, class_=k or None)
            for cell, (_, k) in zip(row[1:], head[1:], strict=True)
        ]
        return [first, *rest]

    body = [tag("tr", cells(row)) for row in rows]
    if total is not None:
        body.append(tag("tr", cells(total), class_="total"))
    inner = tag("table", tag("thead", tag("tr", titles)), tag("tbody", body))
    return tag("div", inner, class_="table", role="region", aria_label=label, tabindex=0)


def return_table(bet: BetResult) -> Markup:
    """The return table of a bet."""
    rows = sorted(bet.table, key=lambda row: -row.pays) if len(bet.table) > MOST_ROWS else bet.table
    shown = rows[:MOST_ROWS]
    cells = [
        (event, pay(pays), short(p), decimal(p), decimal(part, sign=True))
        for event, pays, p, part in shown
    ]
    rest = rows[MOST_ROWS:]
    if rest:
        p = sum((row.probability for row in rest), Fraction(0))
        part = sum((row.contribution for row in rest), Fraction(0))
        cells.append(
            (
                f"{len(rest)} other events",
                Markup(""),
                short(p),
                decimal(p),
                decimal(part, sign=True),
            )
        )
    head = [
        ("event", ""),
        ("pays", "num"),
        ("exact", "num exact"),
        ("probability", "num"),
        ("return", "num"),
    ]
    total = (
        "total",
        "",
        "1" if not bet.bound else "",
        decimal(Fraction(1)),
        decimal(bet.mean, sign=True),
    )
    return table(head, cells, label=f"Return table of {bet.name}", total=total)


def pay(profit: Fraction) -> Markup:
    """A profit, in colour and with its sign."""
    kind = "pay-plus" if profit > 0 else "pay-minus" if profit < 0 else "muted"
    return tag("span", signed(profit), class_=kind)


def bars(items: Iterable[tuple[str, Fraction, str]], colour: str = "") -> Markup:
    """Bars (name, share, words): as long as the share is of the largest."""
    listed = list(items)
    most = max((share for _, share, _ in listed), default=Fraction(1)) or Fraction(1)
    return tag(
        "ul",
        [
            tag(
                "li",
                tag("span", name),
                tag(
                    "span",
                    tag(
                        "span",
                        class_=f"fill {colour}".strip(),
                        style=f"display:block;width:{float(100 * share / most):.2f}%",
                    ),
                    class_="track",
                ),
                tag("span", decimal(100 * share, 3), " %", class_="value"),
                tag("span", words, class_="value muted exact"),
            )
            for name, share, words in listed
        ],
        class_="bars",
    )


def where_wins_come_from(game: Game, solution: Solution, bet: BetResult) -> Markup:
    """How the wins of a bet are made up: by total for a point game, else by event."""
    rows: list[tuple[str, Fraction]] = []
    if isinstance(game, PointGame) and len(game.bets) == 1 and not game.hard and not game.limit:
        law = getattr(game.dice, "totals", game.dice).law
        again = 1 - sum((law[t] for t in game.rerolls), Fraction(0))
        rows = [(f"natural {t}", law[t] / again) for t in _ordered(law, game.naturals)]
        rows += [
            (f"point {t}", law[t] / again * solution.given(t)["point"])
            for t in _ordered(law, game.points)
        ]
    if sum((p for _, p in rows), Fraction(0)) != bet.p_win:
        # The pays are not even money: what wins is told by the return table.
        merged: dict[str, Fraction] = {}
        for event, pays, p, _ in bet.table:
            if pays > 0:
                merged[event] = merged.get(event, Fraction(0)) + p
        rows = list(merged.items())
    rows = [(name, p) for name, p in rows if p]
    if len(rows) > 24:
        rows.sort(key=lambda row: -row[1])
        rest = sum((p for _, p in rows[23:]), Fraction(0))
        rows = [*rows[:23], (f"{len(rows) - 23} others", rest)]
    if not rows:
        return tag("p", "This bet never wins.", class_="muted")
    return bars((name, p, short(p) if short(p) != "…" else "") for name, p in rows)


def _ordered(law: Any, totals: Iterable[Any]) -> list[Any]:
    order = {total: i for i, total in enumerate(law)}
    return sorted(totals, key=order.__getitem__)


def law_of_rolls(solution: Solution) -> Markup:
    """The law of the rolls in a game, as bars, with its quantiles."""
    if len(solution.chain.states) > LAW_STATES:
        return tag("p", f"A game has {decimal(solution.mean_rolls, 4)} rolls on average.")
    law = solution.law("rolls")
    last = max(law.quantile(Fraction(99, 100)), 1)
    shown = min(last, 120)
    pmf = [(n, law.pmf(n)) for n in range(1, shown + 1)]
    high = float(max(p for _, p in pmf)) * 1.06
    whole = plot.step_of(max(shown, 5), 8)
    step = max(1, round(whole))
    ticks = tuple((float(n), str(n)) for n in range(step if step > 1 else 1, shown + 1, step))
    x = plot.Axis(0.5, shown + 0.5, ticks, "rolls in a game")
    y = plot.axis(0.0, high, "probability", 4, plot.percent)
    items = [(n - 0.4, n + 0.4, float(p), f"{n} rolls: {percent(p)}") for n, p in pmf]
    mean, deviation = law.mean, float(law.variance) ** 0.5
    caption = f"The probability of each number of rolls; the mean is {decimal(mean, 4)}."
    picture = plot.plot(x, y, plot.bars(x, y, items), plot.upright(x, float(mean)), caption=caption)
    rows = [
        ("mean, dashed", short(mean), decimal(mean)),
        ("standard deviation", "", f"{deviation:.6f}"),
        ("half of all games take at most", "", f"{law.quantile(Fraction(1, 2))} rolls"),
        ("99 in 100 take at most", "", f"{last} rolls"),
    ]
    return render(picture, facts(rows))


def diagram(game: Game, chain: Chain) -> Markup:
    """The state diagram, in the colours of the page; a sentence where it would be too large."""
    from sevenout.report.diagram import diagram as draw
    from sevenout.report.words import state_in_words

    picture = None
    if len(chain.states) <= LAW_STATES:
        nested = chain.states[0] != game.start
        from sevenout.rules import Flat

        shown = Flat(game) if nested else game
        picture = draw(chain, lambda state: state_in_words(shown, state), "The states of the game")
    if picture is None:
        return tag("p", f"{len(chain.states):,} states: too many for a picture.", class_="muted")
    svg = picture.svg
    for fixed, role in (
        ("#1a1a1a", "var(--ink)"),
        ("#8a8a8a", "var(--muted)"),
        ("#0072b2", "var(--accent)"),
        ("#ffffff", "var(--surface)"),
        (
            'font-family="Libertinus Serif, STIXGeneral, Georgia, serif"',
            'role="img" aria-label="The states of the game"',
        ),
    ):
        svg = svg.replace(fixed, role)
    least = f"max-width:max(100%,{1.25 * picture.width:.0f}px)"
    svg = svg.replace("<svg ", f'<svg style="{least}" ', 1)
    svg = re.sub(
        r'(width|height)="([\d.]+)pt"',
        lambda m: f'{m[1]}="{SCALE * float(m[2]):.0f}"',
        svg,
        count=2,
    )
    return tag(
        "div", Markup(svg), class_="diagram", role="region", aria_label=picture.caption, tabindex=0
    )


def fairer_than(p_win: Fraction, dice: str) -> tuple[str, str] | None:
    """How a variant stands among all variants over its dice, in words; None where that is unknown.

    What counts as better is a win probability strictly between this one and one half.
    """
    from sevenout.variants import Family, count
    from sevenout.variants.family import TooManyVariantsError

    half = Fraction(1, 2)
    low, high = min(p_win, half), max(p_win, half)
    family = Family(dice)
    try:
        size = family.size
        better = count(family, low, high, ends="neither") if low < high else 0
    except TooManyVariantsError:
        return None
    if p_win == half:
        return "exactly fair", f"one of {size:,} variants on these dice"
    share = 100 * Fraction(size - better, size)
    closer = f"{better:,} lie strictly between it and an even game"
    return f"fairer than {decimal(share, 2)} % of {size:,} variants", closer
