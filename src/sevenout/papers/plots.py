"""Pictures of exact results; each function returns a matplotlib figure, and `save` writes it.

    from sevenout.papers import plots
    plots.save(plots.pay_law(solve(games["craps"]).bet()), "craps.svg")

All bands, quantiles and tails are computed, not simulated.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from operator import methodcaller
from typing import TYPE_CHECKING, Any

from sevenout.documents import Column, Page, PageError, Picture, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION
from sevenout.documents.numbers import minus, quantity
from sevenout.errors import shown
from sevenout.evenings.evening_result import EveningResult
from sevenout.evenings.sessions import fan
from sevenout.numerals import Number
from sevenout.papers.picture_style import (
    BLUE,
    CYCLE,
    DASHES,
    GREY,
    HEIGHT,
    INK,
    RED,
    SKY,
    as_svg,
    canvas,
    empty_figure,
    escaped,
    faint_grid,
    log_counts,
    percent_axis,
    probability_decades,
    save,
    shortened,
    thousands,
    whole_axis,
)
from sevenout.rolling import Die, Source
from sevenout.rolling.distribution import Distribution, FiniteDistribution
from sevenout.rolling.generating_functions import CounterLaw, RationalFunction
from sevenout.rolling.laws import Law
from sevenout.rolling.spreads import AnySpread
from sevenout.solving.answer import Solution
from sevenout.solving.bet_result import BetResult
from sevenout.solving.metrics import IntervalMethod, Metrics
from sevenout.solving.sensitivity import bias, gradient
from sevenout.variants import Family, Tuning, Variant, census, overview

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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

BIAS_POINTS, MAX_BIAS = 81, Fraction(1, 4)
"""Points on a curve, and its largest bias."""
MAX_BETS, MAX_FACES = 12, 48
"""The most columns and rows of a heat map."""


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
        # A certain profit has no span, and an axis needs one.
        span = (xs[-1] - xs[0]) or 1.0
        colours = [RED if x < 0 else GREY if x == 0 else BLUE for x in xs]
        axes.vlines(xs, 0, ps, colors=colours, linewidth=max(1.2, min(9.0, 160 / len(xs) / 2)))
        # On a linear scale a line below 1 % of the highest can't be seen.
        if min(ps) < 0.01 * max(ps):
            probability_decades(axes)
        else:
            axes.set_ylim(0, max(ps) * 1.12)
            percent_axis(axes.yaxis)
        axes.set_xlim(xs[0] - 0.06 * span, xs[-1] + 0.06 * span)
        axes.axvline(float(bet.mean), color=INK, linestyle=(0, (4, 3)), linewidth=0.8)
        axes.set_xlabel("profit per unit staked")
        axes.set_ylabel("probability")
        return figure


def roll_law(law: CounterLaw) -> "Figure":
    """The distribution of a counter, and its tail on a logarithmic scale."""
    with canvas(2) as (figure, (left, right)):
        last = law.quantile("999999/1000000")
        bulk = max(law.quantile(Fraction(99, 100)), 1)
        counts = range(bulk + 1)
        left.bar(counts, [float(law.pmf(n)) for n in counts], width=0.8, color=BLUE)
        left.set_xlabel(escaped(law.name))
        left.set_ylabel("probability")
        percent_axis(left.yaxis)
        # More steps than this can't be told apart in print.
        step = max(1, last // 400)
        tails = [(n, float(law.sf_bounds(n)[0])) for n in range(0, last + 1, step)]
        # A logarithmic scale has no zero.
        positive = [(n, p) for n, p in tails if p > 0]
        if positive:
            right.step(*zip(*positive, strict=True), where="post", color=BLUE)
            probability_decades(right)
        right.set_xlabel(escaped(f"{law.name}, n"))
        right.set_ylabel(f"probability of more than n {escaped(law.name)}")
        for axes in (left, right):
            whole_axis(axes.xaxis)
        return figure


def convergence(bet: BetResult, actual: Sequence[tuple[int, Fraction]]) -> "Figure":
    """Actual returns to the player, and the band that holds each with probability 95 %.

    Args:
        bet: the bet; the band is its central interval after n bets, by convolution if feasible,
            else by the normal distribution.
        actual: (bets made, mean profit) pairs.

    Raises:
        PageError: no pairs, or one of no bets.
    """
    counts = sorted(n for n, _ in actual)
    if not counts or counts[0] < 1:
        raise PageError("no run to draw; give (bets, mean) pairs, of 1 bet or more")
    metrics, fewest, largest = Metrics(bet), counts[0], counts[-1]
    with canvas() as (figure, axes):
        # Evenly spaced on the logarithmic axis.
        sizes = sorted({round(fewest * (largest / fewest) ** (k / 16)) for k in range(17)})
        bands = [metrics.interval(n, "19/20", _interval_method(bet, n)) for n in sizes]
        low, high = [float(b.low) for b in bands], [float(b.high) for b in bands]
        axes.fill_between(sizes, low, high, color=BLUE, alpha=0.15, linewidth=0)
        axes.axhline(float(bet.rtp), color=BLUE, linewidth=1.0)
        axes.plot(
            [n for n, _ in actual],
            [float(1 + mean) for _, mean in actual],
            "o",
            color=RED,
            markersize=3.6,
        )
        axes.set_xscale("log")
        log_counts(axes.xaxis, fewest, largest)
        percent_axis(axes.yaxis, 1 if high[0] - low[0] < 0.2 else 0)
        axes.set_xlabel("bets")
        axes.set_ylabel("return to player")
        return figure


def _interval_method(bet: BetResult, n: int) -> IntervalMethod:
    """Convolve only if it takes little time, since the picture has many bands."""
    from sevenout.solving.totals import Lattice

    return "auto" if n * Lattice.of(bet.profit).span <= 2_000_000 else "normal"


def return_by_event(bet: BetResult, max_events: int = 24) -> "Figure":
    """The contribution of each event to the return: the last column of the return table.

    Args:
        bet: the bet.
        max_events: the most events to draw, 1 or more; the smallest are added up.

    Raises:
        PageError: fewer events than 1.
    """
    if type(max_events) is not int or max_events < 1:
        raise PageError(f"max_events={shown(max_events)}; give 1 or more")
    rows = [(row.event, row.contribution) for row in bet.table if row.contribution]
    rows.sort(key=lambda row: -abs(row[1]))
    others = rows[max_events:]
    del rows[max_events:]
    if others:
        total = sum((contribution for _, contribution in others), Fraction(0))
        rows.append((quantity(len(others), "other event"), total))
    rows.sort(key=lambda row: row[1])
    with canvas(height=max(1.6, 0.6 + 0.21 * len(rows)), grid=False) as (figure, axes):
        names = [shortened(event) for event, _ in rows]
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
    ts = [MAX_BIAS * (2 * k - BIAS_POINTS + 1) / (BIAS_POINTS - 1) for k in range(BIAS_POINTS)]
    with canvas() as (figure, axes):
        curves: dict[tuple[float, ...], list[str]] = {}
        for name, edge in edges.items():
            curves.setdefault(tuple(float(edge(t)) for t in ts), []).append(name)
        for k, (values, names) in enumerate(curves.items()):
            colour = CYCLE[k % len(CYCLE)]
            # The dashes shift after each round of colours, so equal colours differ in their dashes.
            dashes = DASHES[(k + k // len(CYCLE)) % len(DASHES)]
            axes.plot(
                [float(t) for t in ts],
                values,
                color=colour,
                linestyle=dashes,
                label=shortened(", ".join(names)),
            )
        axes.axvline(0, color=GREY, linewidth=0.6)
        axes.axhline(0, color=GREY, linewidth=0.6)
        percent_axis(axes.xaxis)
        percent_axis(axes.yaxis, 1)
        axes.set_xlabel(escaped(xlabel))
        axes.set_ylabel("house edge, per bet made")
        if len(edges) > 1:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return figure


def census_histogram(
    counts: Mapping[tuple[Number, Number], int],
    marked: Mapping[str, Number],
) -> "Figure":
    """The number of variants in each interval of the win probability.

    Args:
        counts: the number by (from, to); the intervals must not overlap.
        marked: up to three values to point out, by name.

    Raises:
        PageError: no counts, or more marks than there are kinds of lines.
    """
    if not counts:
        raise PageError("no counts to draw; give the counts of some intervals")
    if len(marked) > len(DASHES):
        raise PageError(f"{len(marked)} marks in a histogram; draw {len(DASHES)} or fewer")
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
        for dashes, (name, mark) in zip(DASHES, marked.items(), strict=False):
            x = float(Fraction(mark))
            axes.axvline(x, color=INK, linestyle=dashes, linewidth=1.2, label=escaped(name))
        if marked:
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
        PageError: the game has no bets, or too many bets or faces to draw.
    """
    bets = solution.chain.bets
    if not 0 < len(bets) <= MAX_BETS:
        raise PageError(f"a heat map of {len(bets)} bets; draw 1 to {MAX_BETS}")
    slopes = edge_slopes(solution, bets)
    if len(slopes) > MAX_FACES:
        raise PageError(f"a heat map of {len(slopes)} faces; draw {MAX_FACES} or fewer")
    rows = [(face, [float(s) / 100 for s in row]) for face, row in slopes]
    largest = max((abs(v) for _, row in rows for v in row), default=0) or 1.0
    with canvas(
        width=min(6.2, 2.2 + 0.8 * len(bets)), height=max(1.8, 1.0 + 0.24 * len(rows)), grid=False
    ) as (figure, axes):
        image = axes.imshow(
            [row for _, row in rows], cmap="RdBu_r", vmin=-largest, vmax=largest, aspect="auto"
        )
        axes.set_xticks(
            range(len(bets)), [shortened(bet, 24) for bet in bets], rotation=20, ha="right"
        )
        axes.set_yticks(range(len(rows)), [shortened(face) for face, _ in rows])
        axes.tick_params(length=0)
        for i, (_, row) in enumerate(rows):
            for j, value in enumerate(row):
                # Both ends of the scale of colours are dark, and black figures would be lost there.
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
    """A share as signed percent, for the ticks of a matplotlib axis."""
    return minus(f"{100 * value:+.2f} %")


MAX_ACROSS = 3
"""The most fans in a row."""


def bankroll_fan(
    bet: BetResult,
    bankroll: Number,
    bets: int,
    *,
    amount: Number = 1,
    target: Number | None = None,
) -> "Figure":
    """The bankroll over a session: its median, and the bands that hold 50 % and 90 %.

    The quantiles are exact, bet by bet (`evenings.sessions.fan`). After ruin or the target, a
    player keeps what is left.
    """
    rows = fan(bet, bankroll, amount=amount, target=target, bets=bets)
    with canvas() as (figure, axes):
        _draw_bands(axes, range(len(rows)), rows, {"color": BLUE}, (0.15, 0.3), labelled=True)
        axes.axhline(float(Fraction(bankroll)), color=GREY, linewidth=0.7, linestyle=(0, (4, 3)))
        axes.set_xlim(0, bets)
        five, top = ([float(row[k]) for row in rows] for k in (0, -1))
        span = max(top) - min(five) or 1.0
        floor = min(0.0, *five) if min(five) < five[0] / 2 else min(five) - 0.08 * span
        axes.set_ylim(floor, max(top) + 0.18 * (max(top) - floor))
        whole_axis(axes.xaxis)
        axes.set_xlabel("bets")
        axes.set_ylabel("bankroll")
        axes.legend(loc="upper left", ncols=3)
        return figure


def evenings(results: Sequence[EveningResult]) -> "Figure":
    """Evenings side by side: the distribution of the result, and the money over the rolls.

    The upper plot has the probability of ending with more than each result. Below is a fan for each
    evening, on the same scales: the median after each roll and the bands that hold 50 % and 90 %.
    The other evenings' medians are grey. A single evening has both plots side by side.

    Raises:
        PageError: no evening.
    """
    if not results:
        raise PageError("no evening to draw; give one or more")
    count = len(results)
    across = min(count, MAX_ACROSS)
    down = -(-count // across)
    height = HEIGHT if count == 1 else HEIGHT * (0.9 + 0.72 * down)
    with empty_figure(height=height) as figure:
        upper: Any = figure
        if count == 1:
            survival_axes, *fans = figure.subplots(1, 2)
        else:
            halves: Any = figure.subfigures(2, 1, height_ratios=(0.9, 0.72 * down))
            upper, lower = halves
            survival_axes = upper.subplots()
            fans = [*lower.subplots(down, across, sharex=True, sharey=True, squeeze=False).flat]
        for axes in (survival_axes, *fans):
            faint_grid(axes)
        _draw_survival(survival_axes, results)
        upper.legend(loc="outside upper center", ncols=3)
        for k in range(count):
            _draw_fan(fans[k], results, k)
        for axes in fans[count:]:
            axes.set_axis_off()
        for axes in fans[-across:]:
            axes.set_xlabel("rolls")
        for axes in fans[::across]:
            axes.set_ylabel("money")
        return figure


def _draw_survival(axes: "Axes", results: Sequence[EveningResult]) -> None:
    """The probability of ending with more than each result, for each evening."""
    for k, result in enumerate(results):
        over, xs, ps = Fraction(1), [], []
        for x, p in result.profit.items():
            over -= p
            xs.append(float(x))
            ps.append(max(0.0, float(over)))
        axes.step(xs, ps, where="post", label=shortened(result.name), **_line_style(k))
    axes.axvline(0, color=GREY, linewidth=0.7, linestyle=(0, (4, 3)))
    low = min(float(result.profit.quantile_range("1/1000")[0]) for result in results)
    high = max(float(result.profit.quantile_range("999/1000")[1]) for result in results)
    # A certain result would leave the axis without a width.
    axes.set_xlim(low, max(high, low + 1))
    axes.set_ylim(0, 1)
    percent_axis(axes.yaxis)
    axes.set_xlabel("result, r")
    axes.set_ylabel("probability of more than r")


def _draw_fan(axes: "Axes", results: Sequence[EveningResult], k: int) -> None:
    """Draw the fan of evening k, and the medians of the others."""
    for other, result in enumerate(results):
        rows, rolls = result.fan, result.fan_rolls
        if other == k:
            _draw_bands(axes, rolls, rows, _line_style(k), (0.18, 0.35))
        else:
            axes.plot(rolls, [float(row[2]) for row in rows], color=GREY, linewidth=0.7)
    title = "5 %, 25 %, median, 75 %, 95 %" if len(results) == 1 else shortened(results[k].name, 26)
    axes.set_title(title)


def _draw_bands(
    axes: "Axes",
    xs: Sequence[float],
    rows: Sequence[Sequence[Any]],
    line_style: dict[str, Any],
    alphas: tuple[float, float],
    *,
    labelled: bool = False,
) -> None:
    """A fan: the bands of 90 % and 50 % with their opacities, and the median; `rows` are the
    quantiles at 5, 25, 50, 75 and 95 %.
    """
    low, lower, median, upper, high = ([float(row[k]) for row in rows] for k in range(5))
    bands = (low, high, "5 % to 95 %"), (lower, upper, "25 % to 75 %")
    for (low, high, label), alpha in zip(bands, alphas, strict=True):
        fill: dict[str, Any] = {"label": label} if labelled else {}
        axes.fill_between(
            xs, low, high, color=line_style["color"], alpha=alpha, linewidth=0, **fill
        )
    axes.plot(xs, median, **(line_style | {"label": "median"} if labelled else line_style))


def _line_style(k: int) -> dict[str, Any]:
    """The colour and the dashes of evening k; after all colours the dashes change."""
    return {"color": CYCLE[k % len(CYCLE)], "linestyle": DASHES[k // len(CYCLE) % 3]}


TAIL = Fraction(1, 2000)
"""The probability left out on either side."""
MAX_BARS, MAX_DISTRIBUTIONS = 60, 3
"""The most totals drawn as bars rather than a line; the most distributions in a picture."""


def totals(
    *rolls: AnySpread, normal: bool = False, rolled: int = 0, seed: int | None = None
) -> "Figure":
    """The distributions of totals, on one scale.

    >>> from sevenout.rolling import spread
    >>> len(totals(spread("3d6"), normal=True, rolled=100, seed=1).axes)
    1

    Args:
        rolls: one to three of `spread("4d6kh3")`, `spread("d10!")`.
        normal: draw the normal curve with the same mean and deviation.
        rolled: the number of rolls of each, whose shares are marked.
        seed: the seed of those rolls.

    Raises:
        PageError: none, or too many to tell apart; or text, which `spread` reads.
    """
    for roll in rolls:
        if not isinstance(roll, AnySpread):
            raise PageError(f"{shown(roll)} is no distribution; give spread({shown(roll)})")
    if not 1 <= len(rolls) <= MAX_DISTRIBUTIONS:
        raise PageError(
            f"{len(rolls)} distributions in a picture; draw from 1 to {MAX_DISTRIBUTIONS}"
        )
    if type(rolled) is not int or rolled < 0:
        raise PageError(f"rolled={shown(rolled)}; give the number of rolls, 0 or more")
    laws = [
        FiniteDistribution(dict(roll.law)) if isinstance(roll.law, Law) else roll.law
        for roll in rolls
    ]
    points_by_law = [_points(law) for law in laws]
    bars = max(map(len, points_by_law)) <= MAX_BARS
    counts = [Counter(law.draws(rolled, seed)) for law in laws] if rolled else []
    with canvas(height=2.6) as (figure, axes):
        bar_width = 0.84 / len(rolls)
        for k, (roll, law, points) in enumerate(zip(rolls, laws, points_by_law, strict=True)):
            gap = min((b - a for (a, _), (b, _) in pairwise(points)), default=1.0)
            shift = (k - (len(rolls) - 1) / 2) * bar_width * gap * bars
            xs, ps = [x + shift for x, _ in points], [p for _, p in points]
            line_style = {"color": CYCLE[k], "label": escaped(roll.name)}
            if bars:
                axes.bar(xs, ps, width=bar_width * gap, alpha=0.85, **line_style)
            else:
                axes.plot(xs, ps, **line_style)
            if normal and law.variance:
                curve = _curve(law, points, gap)
                axes.plot(*curve, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), label="normal")
            if rolled:
                shares = [counts[k][Fraction(x)] / rolled for x, _ in points]
                axes.plot(
                    xs,
                    shares,
                    "o",
                    color=INK,
                    markerfacecolor="white",
                    markersize=3.4,
                    label=f"{rolled:,} rolls",
                )
        axes.set_ylim(bottom=0)
        percent_axis(axes.yaxis, 0 if axes.get_ylim()[1] > 0.05 else 1)
        if all(x.is_integer() for points in points_by_law for x, _ in points):
            whole_axis(axes.xaxis)
        axes.set_xlabel("total")
        axes.set_ylabel("probability")
        axes.legend(loc="upper right")
        return figure


def _points(law: Distribution) -> list[tuple[float, float]]:
    """The totals between the tails, and their probabilities."""
    low, high = law.quantile(TAIL), law.quantile(1 - TAIL)
    if isinstance(law, FiniteDistribution):
        return [(float(x), float(p)) for x, p in law.items() if low <= x <= high]
    return [(float(x), float(law.pmf(x))) for x in range(int(low), int(high) + 1)]


def _curve(
    law: Distribution, points: Sequence[tuple[float, float]], gap: float
) -> tuple[list[float], list[float]]:
    """The normal density with the distribution's mean and deviation, times the gap of its
    lattice.
    """
    from math import exp, pi, sqrt

    mean, std = float(law.mean), law.std
    low, high = points[0][0] - gap, points[-1][0] + gap
    xs = [low + (high - low) * k / 200 for k in range(201)]
    scale = gap / (std * sqrt(2 * pi))
    return xs, [scale * exp(-(((x - mean) / std) ** 2) / 2) for x in xs]


def edge_slopes(solution: Solution, bets: Sequence[str]) -> list[tuple[str, tuple[Fraction, ...]]]:
    """For each face, the derivative of each bet's edge in its probability; see `gradient`.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> edge_slopes(solve(games["craps"]), ["pass"])[0]
    ('face 1', (Fraction(36844, 45375),))
    """
    by_bet = [gradient(solution, methodcaller("profit", bet)) for bet in bets]
    stakes = [solution.chain.stake(bet) for bet in bets]
    sources = list(by_bet[0])
    rows = []
    for source in sources:
        for i, face in enumerate(source.faces):
            slopes = tuple(
                -slopes[source][i] / stake for slopes, stake in zip(by_bet, stakes, strict=True)
            )
            rows.append((_face_name(face, source, len(sources)), slopes))
    return rows


def edge_curve(solution: Solution, bet: str, face: Hashable) -> RationalFunction:
    """A bet's edge as a rational function of t: the face's weight is multiplied by 1 + t."""
    mean = bias(solution.chain, {face: 1}, methodcaller("profit", bet))
    return mean * (-1 / solution.chain.stake(bet))


def edge_curves(
    solution: Solution, bet: str, max_faces: int = 8
) -> dict[str, Callable[[Fraction], Fraction]]:
    """A bet's edge as a function of the bias of each face, by the name of the curve.

    Raises:
        PageError: dice of several kinds, or too many faces for one picture.
    """
    sources = dict.fromkeys(s for r in solution.chain.rollables for s in r.sources)
    faces = list(dict.fromkeys(face for source in sources for face in source.faces))
    if len(sources) > 1 or len(faces) > max_faces:
        raise PageError(
            f"{len(sources)} kinds of dice with {len(faces)} faces; a picture of a bias is of one "
            f"kind with {max_faces} faces or fewer"
        )
    return {f"face {face}": edge_curve(solution, bet, face) for face in faces}


def _face_name(face: object, source: Source, sources: int) -> str:
    """A face as printed; a die whose faces are not equally likely is a wheel."""
    if isinstance(source, Die) and len({*source.weights}) > 1:
        return f"segment {face} of the wheel"
    return (
        f"face {face} of a {source}" if isinstance(source, Die) and sources > 1 else f"face {face}"
    )


BINS = 50
CRAPS = Variant([2, 3, 12], [7, 11], 7)


def family_page(dice: str = "2d6", *, date: str = "") -> Page:
    """The page of all craps variants with given dice: their distribution, and the fairest.

    >>> page = family_page("2d4")
    >>> [section.title for section in page.sections]
    ['Distribution', 'Variants of note', 'The family in figures']

    Raises:
        NotationError: not dice.
        TooManyVariantsError: too many variants for a census.
    """
    bins = _bins(Family(dice))  # the most costly part first, so that a refusal comes early
    families = overview(dice)
    family, best = families.columns[1].family, families.columns[1].fairest
    notable = {f"fairest below 1/2: {best.first(1)[0]}": best.p_win, "craps": CRAPS.p_win()}
    drawn = census_histogram(bins, notable)
    introduction = (
        "A variant chooses which totals are naturals, which are craps and which are points, and "
        "which of those that settle the come-out is the out. Each of them was counted."
    )
    swaps = "Classes are those under swaps of equally likely totals."
    columns = ["variant", Column("win probability", FRACTION, DECIMAL)]
    return Page(
        f"All variants of craps with {families.dice}",
        Page(
            "Distribution",
            Text(introduction),
            Picture(lambda: as_svg(drawn), f"{family.size:,} variants by win probability"),
        ),
        Page("Variants of note", Table(columns, notable.items())),
        Page("The family in figures", *families.page().blocks, Text(swaps, tone="note")),
        subtitle="Census",
        facts=[("dice", families.dice), ("variants", f"{family.size:,}")],
        date=date,
    )


def _bins(family: Family) -> dict[tuple[Number, Number], int]:
    """The number of variants in each of `BINS` equal intervals of the win probability."""
    counts = [0] * BINS
    for p, n in census(family).histogram.items():
        # A win probability of exactly 1 belongs to the last interval.
        counts[min(int(p * BINS), BINS - 1)] += n
    return {(Fraction(k, BINS), Fraction(k + 1, BINS)): n for k, n in enumerate(counts)}


MAX_NUMBERED = 9
"""The most tables with a number."""
MAX_MARKS, CURVE_POINTS = 40, 3_000
"""Up to this many edges are drawn as marks, since a line would suggest tables between them."""


def frontier(tuning: Tuning, bet: str | None = None) -> "Figure":
    """The least and greatest volatility at each edge, with numbers for the best tables.

    The default bet is the first with open pays.

    Raises:
        RulesError: no such bet with open pays, or nothing was found.
    """
    points = tuning.frontier(bet)
    few = len(points) < MAX_MARKS
    if few:
        points = tuning.frontier(bet, CURVE_POINTS)
    name = bet or next(n for s in tuning.structures for n, f in s.forms.items() if f.chances)
    with canvas(height=3.2) as (figure, axes):
        edges, low, high = zip(*points, strict=True)
        if few:
            axes.vlines(edges, low, high, color=SKY, linewidth=2)
        else:
            axes.fill_between(edges, low, high, color=SKY, alpha=0.3, linewidth=0)
        lone = [(x, y) for x, y, z in points if few and y == z]
        if lone:
            axes.plot(*zip(*lone, strict=True), "o", color=BLUE, label="one volatility")
        if several := [point for point in points if point not in {(x, y, y) for x, y in lone}]:
            edges, low, high = zip(*several, strict=True)
            axes.plot(edges, low, "v" if few else "-", color=BLUE, label="calmest table")
            axes.plot(edges, high, "^" if few else "-", color=RED, label="wildest table")
        best = [table.figures[name] for table in tuning.tables[:MAX_NUMBERED]]
        axes.scatter(
            [float(f.edge) for f in best],
            [f.volatility for f in best],
            s=14,
            color=INK,
            zorder=3,
            label="the best, by rank",
        )
        # Tables at the same point share a label; separate labels would overprint.
        ranks: dict[tuple[float, float], list[int]] = {}
        for k, f in enumerate(best, 1):
            ranks.setdefault((float(f.edge), f.volatility), []).append(k)
        for position, alike in ranks.items():
            words = ", ".join(map(str, alike))
            axes.annotate(words, position, xytext=(5, 4), textcoords="offset points", fontsize=8)
        axes.set_xlabel(escaped(f"house edge of “{name}”, per bet made"))
        axes.set_ylabel("standard deviation per unit staked")
        percent_axis(axes.xaxis)
        axes.legend()
        return figure
