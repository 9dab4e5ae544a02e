"""A bet's exact figures as cards: the sum behind them, the sources of wins, the length."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from sevenout.documents import Column, Fact, Facts, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, PAYS, PERCENT, SIGNED, Kind
from sevenout.documents.numbers import decimal, percent
from sevenout.lab.addresses.chosen import choose, solved
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import Bars, scroll
from sevenout.lab.widgets.view import Saved
from sevenout.questions.subjects import GameSubject
from sevenout.rules import PointGame
from sevenout.solving import Solution
from sevenout.solving.bet_result import BetResult

LAW_STATES = 500
MOST_ROWS = 60


def returns(bet: BetResult) -> Table:
    rows = sorted(bet.table, key=lambda row: -row.pays) if len(bet.table) > MOST_ROWS else bet.table
    cells: list[tuple[Any, ...]] = [tuple(row) for row in rows[:MOST_ROWS]]
    rest = rows[MOST_ROWS:]
    if rest:
        p = sum((row.probability for row in rest), Fraction(0))
        part = sum((row.contribution for row in rest), Fraction(0))
        cells.append((f"{len(rest)} other events", None, p, part))
    columns = [
        Column("event"),
        Column("pays", PAYS),
        Column("probability", FRACTION, DECIMAL),
        Column("return", SIGNED),
    ]
    return Table(columns, cells, ("total", None, Fraction(1), bet.mean))


def why(chosen: GameSubject, solution: Solution, bet: BetResult) -> list[Any]:
    """The sum behind a win probability, term by term; its terms also as bars and a table."""
    game = chosen.game
    # The terms below are those of the plain rules only.
    if not isinstance(game, PointGame) or game.limit or game.hard or game.rerolls:
        return _why_by_event(bet)
    law = getattr(game.dice, "totals", game.dice).law
    ways = dict(zip(law.faces, law.weights, strict=True))
    whole, out = law.denominator, ways[game.out]
    rows: list[tuple[Any, ...]] = []
    total = Fraction(0)
    for t in sorted(game.naturals, key=law.faces.index):
        if game._settle("natural", t).profit(bet.name) > 0:
            rows.append((str(t), f"natural: {ways[t]} ways in {whole}", law.p(t)))
    for t in sorted(game.craps | game.pushes, key=law.faces.index):
        event = "craps" if t in game.craps else "push"
        if game._settle(event, t).profit(bet.name) > 0:
            rows.append((str(t), f"{event}: {ways[t]} ways in {whole}", law.p(t)))
    for t in sorted(game.points, key=law.faces.index):
        made = Fraction(ways[t], ways[t] + out)
        wins = game._settle("point", t, 1).profit(bet.name) > 0
        loses = game._settle("out", t).profit(bet.name) > 0
        share = made * wins + (1 - made) * loses
        if not share:
            continue
        n = ways[t] if wins else out
        how = f"{ways[t]}/{whole} × {n}/{ways[t] + out}" if wins != loses else f"{ways[t]}/{whole}"
        rows.append((str(t), how, law.p(t) * share))
    total = sum((row[2] for row in rows), Fraction(0))
    # A sum that differs from the solved value explains nothing.
    if total != bet.p_win:
        return _why_by_event(bet)
    columns = [Column("total", LABEL), Column("how it wins"), Column("adds", FRACTION, DECIMAL)]
    points = [t for t in game.points if ways[t] != out] or list(game.points)
    t = min(points, key=law.faces.index)
    words = (
        f"A {t} comes {ways[t]} times in {whole}. Once it is the point only {t} and {game.out} "
        f"matter: {ways[t]} ways against {out}, so it is made {ways[t]} times in {ways[t] + out}. "
        "Add up every way to win."
    )
    kinds = {str(t): "point" for t in game.points}
    terms = [(f"{t}: {how}", p, kinds.get(t, "")) for t, how, p in rows]
    return _sum(words, terms, Table(columns, rows, ("all", "", total)))


def _sum(words: str, terms: list[tuple[str, Fraction, str]], table: Table) -> list[Any]:
    return [
        Text(words),
        Bars((name, p, kind, None) for name, p, kind in terms[:MOST_ROWS]),
        Saved(table),
    ]


def _why_by_event(bet: BetResult) -> list[Any]:
    merged: dict[str, Fraction] = {}
    for event, pays, p, _ in bet.table:
        if pays > 0:
            merged[event] = merged.get(event, Fraction(0)) + p
    rows = sorted(merged.items(), key=lambda row: -row[1])
    if not rows:
        return [Text("This bet never wins.")]
    columns = [Column("event"), Column("adds", FRACTION, DECIMAL)]
    words = "Add up every event that pays."
    if len(rows) > MOST_ROWS:
        words = f"Add up every event that pays; the {MOST_ROWS} likeliest of {len(rows):,} are:"
    terms = [(event, p, "") for event, p in rows]
    return _sum(words, terms, Table(columns, rows, ("all", bet.p_win)))


@lru_cache(maxsize=64)
def law_of_rolls(text: str) -> tuple[Any, ...]:
    """The distribution of a game's rolls, as a chart and quantiles."""
    solution = solved(text)
    if len(solution.chain.states) > LAW_STATES or solution.bound:
        return (Facts(Fact("mean rolls", solution.mean_rolls, DECIMAL)),)
    law = solution.distribution("rolls")
    last = max(law.quantile(Fraction(99, 100)), 1)
    shown = min(last, 120)
    pmf = [(n, law.pmf(n)) for n in range(1, shown + 1)]
    high = float(max(p for _, p in pmf)) * 1.06
    step = max(1, round(chart.step_of(max(shown, 5), 8)))
    ticks = tuple((float(n), str(n)) for n in range(step if step > 1 else 1, shown + 1, step))
    x = chart.Axis(0.5, shown + 0.5, ticks, "rolls in a game")
    y = chart.axis(0.0, high, "probability", 4, chart.percent)
    items = [(n - 0.4, n + 0.4, float(p), f"{n} rolls: {percent(p)}", "") for n, p in pmf]
    mean = law.mean
    picture = Chart(
        x,
        y,
        chart.bars(x, y, items) + chart.upright(x, float(mean)),
        f"The probability of each number of rolls; the mean is {decimal(mean, 4)}.",
    )
    return (
        picture,
        Facts(
            Fact("mean, dashed", mean, FRACTION, DECIMAL),
            Fact("standard deviation", float(law.variance) ** 0.5, DECIMAL),
            Fact("half of all games take at most", f"{law.quantile(Fraction(1, 2))} rolls"),
            Fact("99 in 100 take at most", f"{last} rolls"),
        ),
    )


@lru_cache(maxsize=64)
def diagram(text: str) -> Any:
    """The state diagram in the page's colours; None if there are too many states."""
    from sevenout.papers.diagrams import diagram as draw
    from sevenout.papers.wording import state_in_words
    from sevenout.rules import Flat

    solution, game = solved(text), choose(text).game
    chain = solution.chain
    if len(chain.states) > LAW_STATES:
        return None
    # The states of a game of games are those of its flat form.
    seen = Flat(game) if chain.states[0] != game.start else game
    picture = draw(chain, lambda state: state_in_words(seen, state), "The states of the game")
    if picture is None:
        return None
    svg = picture.svg.replace("<svg ", '<svg role="img" aria-label="The states of the game" ', 1)
    svg = re.sub(
        r'(width|height)="([\d.]+)pt"', lambda m: f'{m[1]}="{1.75 * float(m[2]):.0f}"', svg, count=2
    )
    return scroll("State diagram", "diagram")[Markup(svg)], Saved(picture)


def comparison(one: tuple[str, BetResult], other: tuple[str, BetResult]) -> Table:
    (a, x), (b, y) = one, other
    figures: list[tuple[str, Fraction, Fraction, Kind]] = [
        ("wins", x.p_win, y.p_win, PERCENT),
        ("pushes", x.p_push, y.p_push, PERCENT),
        ("house edge, per bet made", x.edge, y.edge, PERCENT),
        ("house edge, per roll", x.edge_per_roll, y.edge_per_roll, PERCENT),
        ("variance per unit staked", x.variance, y.variance, DECIMAL),
        ("mean rolls", x.rolls, y.rolls, DECIMAL),
    ]
    rows = [
        (name, kind(p), kind(q), kind.to(kind.digits or 4, sign=True)(q - p) if p != q else "same")
        for name, p, q, kind in figures
        if p or q
    ]
    columns = [Column(f"A: {a}", LABEL), Column(f"B: {b}", LABEL), Column("B − A", LABEL)]
    return Table([Column(), *columns], rows)
