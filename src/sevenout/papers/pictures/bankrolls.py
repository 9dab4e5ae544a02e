"""Pictures of money over time: sessions of one bet, and evenings side by side."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import PageError
from sevenout.evenings.evening_result import EveningResult
from sevenout.evenings.sessions import fan
from sevenout.numerals import Number
from sevenout.papers.pictures.style import (
    BLUE,
    CYCLE,
    DASHES,
    GREY,
    HEIGHT,
    board,
    canvas,
    faint_grid,
    percent_axis,
    short,
    whole_axis,
)
from sevenout.solving.bets.bet_result import BetResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ACROSS = 3
"""The most fans in a row."""


def bankroll_fan(
    bet: BetResult,
    bankroll: Number,
    rounds: int,
    *,
    stake: Number = 1,
    target: Number | None = None,
) -> "Figure":
    """The bankroll over a session: its median, and the bands that hold 50 % and 90 %.

    The quantiles are exact, round by round (`evening.sessions.fan`). After ruin or the target, a
    player keeps what is left.
    """
    rows = fan(bet, bankroll, stake=stake, target=target, rounds=rounds)
    with canvas() as (figure, axes):
        ns = range(len(rows))
        five, quarter, half, most, top = ([float(row[k]) for row in rows] for k in range(5))
        axes.fill_between(ns, five, top, color=BLUE, alpha=0.15, linewidth=0, label="5 % to 95 %")
        axes.fill_between(
            ns, quarter, most, color=BLUE, alpha=0.3, linewidth=0, label="25 % to 75 %"
        )
        axes.plot(ns, half, color=BLUE, label="median")
        axes.axhline(float(Fraction(bankroll)), color=GREY, linewidth=0.7, linestyle=(0, (4, 3)))
        axes.set_xlim(0, rounds)
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
    many = len(results)
    across = min(many, MOST_ACROSS)
    down = -(-many // across)
    height = HEIGHT if many == 1 else HEIGHT * (0.9 + 0.72 * down)
    with board(height=height) as figure:
        if many == 1:
            above, fans = figure.subplots(1, 2)
            places = [fans]
        else:
            parts: Any = figure.subfigures(2, 1, height_ratios=(0.9, 0.72 * down))
            upper, lower = parts
            above = upper.subplots()
            grid = lower.subplots(down, across, sharex=True, sharey=True, squeeze=False)
            places = list(grid.flat)
        for axes in (above, *places):
            faint_grid(axes)
        _passed(above, results)
        upper_legend = figure if many == 1 else upper
        upper_legend.legend(loc="outside upper center", ncols=3)
        for k, axes in enumerate(places):
            if k < many:
                _fan(axes, results, k)
            else:
                axes.set_axis_off()
        for axes in places[-across:] if many > 1 else places:
            axes.set_xlabel("rolls")
        for axes in places[::across]:
            axes.set_ylabel("money")
        return figure


def _passed(axes: "Axes", results: Sequence[EveningResult]) -> None:
    """The probability of ending with more than each result, for each evening."""
    for k, result in enumerate(results):
        over, xs, ps = Fraction(1), [], []
        for x, p in result.result.items():
            over -= p
            xs.append(float(x))
            ps.append(max(0.0, float(over)))
        axes.step(xs, ps, where="post", label=short(result.name), **_look(k))
    axes.axvline(0, color=GREY, linewidth=0.7, linestyle=(0, (4, 3)))
    low = min(float(result.result.quantile_range("1/1000")[0]) for result in results)
    high = max(float(result.result.quantile_range("999/1000")[1]) for result in results)
    axes.set_xlim(low, max(high, low + 1))
    axes.set_ylim(0, 1)
    percent_axis(axes.yaxis)
    axes.set_xlabel("result, r")
    axes.set_ylabel("probability of more than r")


def _fan(axes: "Axes", results: Sequence[EveningResult], k: int) -> None:
    look = _look(k)
    for other, result in enumerate(results):
        rows = result.fan
        end = result.rolls or len(rows) - 1
        rolls = [n * end / max(1, len(rows) - 1) for n in range(len(rows))]
        five, quarter, half, most, top = ([float(row[i]) for row in rows] for i in range(5))
        if other != k:
            axes.plot(rolls, half, color=GREY, linewidth=0.7)
            continue
        fill = {"color": look["color"], "linewidth": 0}
        axes.fill_between(rolls, five, top, alpha=0.18, **fill)
        axes.fill_between(rolls, quarter, most, alpha=0.35, **fill)
        axes.plot(rolls, half, **look)
    title = "5 %, 25 %, median, 75 %, 95 %" if len(results) == 1 else short(results[k].name, 26)
    axes.set_title(title)


def _look(k: int) -> dict[str, Any]:
    return {"color": CYCLE[k % len(CYCLE)], "linestyle": DASHES[k // len(CYCLE) % 3]}
