"""What bets have come to at the table, beside what they should come to."""

from sevenout.lab import figures, plot
from sevenout.lab.markup import Markup, render, tag
from sevenout.lab.play import EXACT_BETS, Stake
from sevenout.page.numbers import decimal

BANDS = 24
"""Places at which the band is computed."""


def sums(stakes: dict[str, Stake]) -> Markup:
    """What each bet has come to, beside its exact mean."""
    rows = []
    for name, stake in stakes.items():
        low, high = stake.band(stake.games) if stake.games and stake.chips else (0, 0)
        band = f"{float(low):+,.1f} to {float(high):+,.1f}" if stake.games else ""
        rows.append(
            (
                name,
                f"{stake.games:,}",
                figures.pay(stake.result),
                decimal(stake.expected(stake.games), 2, sign=True),
                band,
            )
        )
    head = [("bet", ""), ("games", "num"), ("net", "num"), ("mean", "num"), ("95 % band", "num")]
    return figures.table(head, rows, label="Results so far")


def running(stake: Stake) -> Markup:
    """The result after each game, in the band in which it should be."""
    if not stake.games or not stake.chips:
        return tag("p", "Roll until a game is settled.", class_="muted")
    n = stake.games
    places = sorted({max(1, round(n * (k + 1) / BANDS)) for k in range(BANDS)} | {1, n})
    bands = [(0.0, 0.0, 0.0)] + [
        (float(k), float(low), float(high)) for k in places for low, high in [stake.band(k)]
    ]
    step = max(1, n // 400)
    line = [(0.0, 0.0), *((k + 1.0, float(stake.net[k])) for k in range(0, n, step))]
    line.append((float(n), float(stake.result)))
    low = min([b[1] for b in bands] + [y for _, y in line])
    high = max([b[2] for b in bands] + [y for _, y in line])
    room = 0.06 * (high - low) or 1.0
    x = plot.axis(0.0, float(max(n, 5)), "games", 5)
    y = plot.axis(low - room, high + room, "net, in chips", 5)
    shapes = [
        plot.band(x, y, bands),
        plot.line(x, y, [(0.0, 0.0), (float(n), float(stake.expected(n)))], "two"),
        plot.line(x, y, line),
    ]
    caption = f"After {n:,} games the net is {stake.result}, and {stake.expected(n)} on average"
    how = "exact" if n <= EXACT_BETS else "normal law"
    key = tag(
        "p",
        tag("span", tag("i"), "net"),
        tag("span", tag("i", class_="red"), "exact mean"),
        tag("span", tag("i", class_="band"), f"95 % band, {how}"),
        class_="key",
    )
    return render(plot.plot(x, y, *shapes, caption=caption), key)
