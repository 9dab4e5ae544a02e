"""Pictures of money over time: sessions of one bet, and evenings side by side."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from sevenout.evening.eveningresult import EveningResult
from sevenout.evening.sessions import fan
from sevenout.numerals import Number
from sevenout.page import PageError
from sevenout.report.pictures.style import (
    BLUE,
    CYCLE,
    DASHES,
    GREY,
    canvas,
    percent_axis,
    short,
    whole_axis,
)
from sevenout.solve.bets.bet_result import BetResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def bankroll_fan(
    bet: BetResult,
    bankroll: Number,
    rounds: int,
    *,
    stake: Number = 1,
    target: Number | None = None,
) -> "Figure":
    """The bankroll over a session: its median, and the bands that hold half and nine tenths.

    Exact quantiles of the walk, round by round (`evening.sessions.fan`); anyone who is ruined or
    has reached the target keeps what is left.
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
    """Evenings side by side: how likely each result is to be passed, and the money over the rolls.

    Left, for each result the probability of ending with more; right, the median of the money after
    each roll, and the band that holds nine tenths.

    Raises:
        PageError: no evening.
    """
    if not results:
        raise PageError("no evening to draw; give one or more")
    with canvas(2) as (figure, (left, right)):
        for k, result in enumerate(results):
            look = {"color": CYCLE[k % len(CYCLE)], "linestyle": DASHES[k // len(CYCLE) % 3]}
            above, xs, ps = Fraction(1), [], []
            for x, p in result.result.items():
                above -= p
                xs.append(float(x))
                ps.append(max(0.0, float(above)))
            left.step(xs, ps, where="post", label=short(result.name), **look)
            rolls = [
                n * (result.rolls or len(result.fan) - 1) / max(1, len(result.fan) - 1)
                for n in range(len(result.fan))
            ]
            five, half, top = ([float(row[i]) for row in result.fan] for i in (0, 2, 4))
            right.plot(rolls, half, **look)
            right.fill_between(rolls, five, top, color=look["color"], alpha=0.12, linewidth=0)
        left.axvline(0, color=GREY, linewidth=0.7, linestyle=(0, (4, 3)))
        low = min(float(result.result.quantile_range("1/1000")[0]) for result in results)
        high = max(float(result.result.quantile_range("999/1000")[1]) for result in results)
        left.set_xlim(low, max(high, low + 1))
        left.set_ylim(0, 1)
        percent_axis(left.yaxis)
        left.set_xlabel("result, r")
        left.set_ylabel("probability of more than r")
        figure.legend(loc="outside upper center", ncols=3)
        right.set_xlabel("rolls")
        right.set_ylabel("money: 5 %, median, 95 %")
        return figure
