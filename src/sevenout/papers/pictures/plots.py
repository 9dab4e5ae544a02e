"""Pictures of exact results; each function returns a matplotlib figure, and `save` writes it.

    from sevenout.papers.pictures import plots
    plots.save(plots.pay_law(solve(games["craps"]).bet()), "craps.svg")

All bands, quantiles and tails are computed, not simulated.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import PageError
from sevenout.documents.numbers import minus
from sevenout.numerals import Number
from sevenout.papers.pictures.bankrolls import bankroll_fan, evenings
from sevenout.papers.pictures.rolled import totals
from sevenout.papers.pictures.style import (
    BLUE,
    CYCLE,
    DASHES,
    GREY,
    INK,
    RED,
    SKY,
    canvas,
    decades,
    literal,
    log_counts,
    percent_axis,
    save,
    short,
    thousands,
    whole_axis,
)
from sevenout.solving.answer import Solution
from sevenout.solving.bets.bet_result import BetResult
from sevenout.solving.bets.metrics import Metrics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "bankroll_fan",
    "census_histogram",
    "convergence",
    "edge_against_bias",
    "evenings",
    "pay_law",
    "return_by_event",
    "roll_law",
    "save",
    "sensitivity_map",
    "totals",
]

CURVE, SPAN = 81, Fraction(1, 4)
"""Points on a curve, and its largest bias."""
MOST_BETS = 12
"""The most bets in a heat map, with four times as many faces."""


def pay_law(bet: BetResult) -> "Figure":
    """The distribution of the profit per unit staked; the dashed line is its mean.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> len(pay_law(solve(games["craps"]).bet()).axes)
    1
    """
    with canvas() as (figure, axes):
        law = sorted((x, p) for x, p in bet.profit.items())
        xs, ps = [float(x) for x, _ in law], [float(p) for _, p in law]
        span = (xs[-1] - xs[0]) or 1.0
        colours = [RED if x < 0 else GREY if x == 0 else BLUE for x in xs]
        axes.vlines(xs, 0, ps, colors=colours, linewidth=max(1.2, min(9.0, 160 / len(xs) / 2)))
        if min(ps) < 0.01 * max(ps):
            decades(axes)
        else:
            axes.set_ylim(0, max(ps) * 1.12)
            percent_axis(axes.yaxis)
        axes.set_xlim(xs[0] - 0.06 * span, xs[-1] + 0.06 * span)
        axes.axvline(float(bet.mean), color=INK, linestyle=(0, (4, 3)), linewidth=0.8)
        axes.set_xlabel("profit per unit staked")
        axes.set_ylabel("probability")
        return figure


def roll_law(law: Any) -> "Figure":
    """The distribution of a counter, and its tail on a logarithmic scale."""
    with canvas(2) as (figure, (left, right)):
        last = law.quantile("999999/1000000")
        body = max(law.quantile(Fraction(99, 100)), 1)
        counts = range(body + 1)
        left.bar(counts, [float(law.pmf(n)) for n in counts], width=0.8, color=BLUE)
        left.set_xlabel(literal(law.name))
        left.set_ylabel("probability")
        percent_axis(left.yaxis)
        step = max(1, last // 400)
        tails = [(n, float(law.sf_bounds(n)[0])) for n in range(0, last + 1, step)]
        above = [(n, p) for n, p in tails if p > 0]
        if above:
            right.step(*zip(*above, strict=True), where="post", color=BLUE)
            decades(right)
        right.set_xlabel(literal(f"{law.name}, n"))
        right.set_ylabel(f"probability of more than n {literal(law.name)}")
        for axes in (left, right):
            whole_axis(axes.xaxis)
        return figure


def convergence(bet: BetResult, seen: Sequence[tuple[int, Fraction]]) -> "Figure":
    """Actual returns to the player, and the band that holds each with probability 95 %.

    Args:
        bet: the bet; the band is its central interval after n bets, by convolution if feasible,
            else by the normal distribution.
        seen: (bets made, mean profit) pairs.

    Raises:
        PageError: no pairs.
    """
    if not seen:
        raise PageError("no run to draw; give (bets, mean) pairs")
    metrics = Metrics(bet)
    first, last = min(n for n, _ in seen), max(n for n, _ in seen)
    with canvas() as (figure, axes):
        sizes = sorted({round(first * (last / first) ** (k / 16)) for k in range(17)})
        bands = [metrics.interval(n, "19/20", _method(bet, n)) for n in sizes]
        low, high = [float(b.low) for b in bands], [float(b.high) for b in bands]
        axes.fill_between(sizes, low, high, color=BLUE, alpha=0.15, linewidth=0)
        axes.axhline(float(bet.rtp), color=BLUE, linewidth=1.0)
        axes.plot(
            [n for n, _ in seen],
            [float(1 + mean) for _, mean in seen],
            "o",
            color=RED,
            markersize=3.6,
        )
        axes.set_xscale("log")
        log_counts(axes.xaxis, first, last)
        percent_axis(axes.yaxis, 1 if high[0] - low[0] < 0.2 else 0)
        axes.set_xlabel("bets")
        axes.set_ylabel("return to player")
        return figure


def _method(bet: BetResult, n: int) -> Any:
    """Convolve only if it takes little time, since the picture has many bands."""
    from sevenout.solving.distributions.totals import Lattice

    return "auto" if n * Lattice.of(bet.profit).span <= 2_000_000 else "normal"


def return_by_event(bet: BetResult, most: int = 24) -> "Figure":
    """The contribution of each event to the return: the last column of the return table.

    Args:
        bet: the bet.
        most: the most events to draw; the smallest are added up.
    """
    rows = [(row.event, row.contribution) for row in bet.table if row.contribution]
    rows.sort(key=lambda row: -abs(row[1]))
    rest = rows[most:]
    rows = rows[:most] + (
        [(f"{len(rest)} other events", sum((c for _, c in rest), Fraction(0)))] if rest else []
    )
    rows.sort(key=lambda row: row[1])
    with canvas(height=max(1.6, 0.6 + 0.21 * len(rows)), grid=False) as (figure, axes):
        names = [short(event) for event, _ in rows]
        values = [float(c) for _, c in rows]
        axes.barh(range(len(rows)), values, color=[RED if v < 0 else BLUE for v in values])
        axes.set_yticks(range(len(rows)), names)
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color=INK, linewidth=0.6)
        axes.axvline(float(bet.mean), color=INK, linestyle=(0, (4, 3)), linewidth=0.8)
        percent_axis(axes.xaxis)
        axes.set_xlabel("return, per unit staked; the dashed line is their sum")
        return figure


def edge_against_bias(
    edges: Mapping[str, Callable[[Fraction], Fraction]],
    *,
    xlabel: str = "bias t: the weight of the face is multiplied by 1 + t",
) -> "Figure":
    """House edges as exact functions of a bias, from -1/4 to 1/4; equal curves are drawn once.

    Args:
        edges: a function from the bias t to the edge for each curve's name.
        xlabel: the meaning of the bias.
    """
    ts = [SPAN * (2 * k - CURVE + 1) / (CURVE - 1) for k in range(CURVE)]
    with canvas() as (figure, axes):
        curves: dict[tuple[float, ...], list[str]] = {}
        for name, edge in edges.items():
            curves.setdefault(tuple(float(edge(t)) for t in ts), []).append(name)
        for k, (values, names) in enumerate(curves.items()):
            colour = CYCLE[k % len(CYCLE)]
            dashes = DASHES[(k + k // len(CYCLE)) % len(DASHES)]
            axes.plot(
                [float(t) for t in ts],
                values,
                color=colour,
                linestyle=dashes,
                label=short(", ".join(names)),
            )
        axes.axvline(0, color=GREY, linewidth=0.6)
        axes.axhline(0, color=GREY, linewidth=0.6)
        percent_axis(axes.xaxis)
        percent_axis(axes.yaxis, 1)
        axes.set_xlabel(literal(xlabel))
        axes.set_ylabel("house edge, per bet made")
        if len(edges) > 1:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return figure


def census_histogram(
    counts: Mapping[tuple[Number, Number], int],
    marks: Mapping[str, Number],
) -> "Figure":
    """The number of variants in each interval of the win probability.

    Args:
        counts: the number by (from, to); the intervals must not overlap.
        marks: up to three values to point out, by name.

    Raises:
        PageError: no counts.
    """
    if not counts:
        raise PageError("no counts to draw; give the counts of some intervals")
    bins = sorted((Fraction(a), Fraction(b), n) for (a, b), n in counts.items())
    with canvas() as (figure, axes):
        axes.bar(
            [float(a) for a, _, _ in bins],
            [n for *_, n in bins],
            width=[float(b - a) for a, b, _ in bins],
            align="edge",
            color=SKY,
            edgecolor="white",
            linewidth=0.3,
        )
        for dashes, (name, at) in zip(DASHES, marks.items(), strict=False):
            x = float(Fraction(at))
            axes.axvline(x, color=INK, linestyle=dashes, linewidth=1.2, label=literal(name))
        if marks:
            axes.legend()
        percent_axis(axes.xaxis)
        thousands(axes.yaxis)
        axes.set_xlabel("win probability")
        axes.set_ylabel("variants")
        return figure


def sensitivity_map(solution: Solution) -> "Figure":
    """A heat map: the slope of every bet's edge in the probability of every face.

    A cell is the change of the edge if that face becomes one percentage point likelier on each die
    of its kind, while the other faces shrink in proportion.

    Raises:
        PageError: the game has no bets, or too many to draw.
    """
    from sevenout.papers.pictures.biased import edge_slopes

    bets = solution.chain.bets
    if not 0 < len(bets) <= MOST_BETS:
        raise PageError(f"a heat map of {len(bets)} bets; draw 1 to {MOST_BETS}")
    slopes = edge_slopes(solution, bets)
    rows = [(face, [float(s) / 100 for s in row]) for face, row in slopes][: 4 * MOST_BETS]
    largest = max((abs(v) for _, row in rows for v in row), default=0) or 1.0
    with canvas(
        width=min(6.2, 2.2 + 0.8 * len(bets)), height=max(1.8, 1.0 + 0.24 * len(rows)), grid=False
    ) as (figure, axes):
        image = axes.imshow(
            [row for _, row in rows], cmap="RdBu_r", vmin=-largest, vmax=largest, aspect="auto"
        )
        axes.set_xticks(range(len(bets)), [short(bet, 24) for bet in bets], rotation=20, ha="right")
        axes.set_yticks(range(len(rows)), [short(face) for face, _ in rows])
        axes.tick_params(length=0)
        for i, (_, row) in enumerate(rows):
            for j, value in enumerate(row):
                dark = abs(value) > 0.6 * largest
                axes.text(
                    j,
                    i,
                    minus(f"{100 * value:+.3f}"),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color="white" if dark else INK,
                )
        for side in ("left", "bottom"):
            axes.spines[side].set_visible(False)
        figure.colorbar(
            image, ax=axes, label="added to the edge by 1 % more", format=_percent_points
        )
        return figure


def _percent_points(value: float, _: int) -> str:
    return minus(f"{100 * value:+.2f} %")
