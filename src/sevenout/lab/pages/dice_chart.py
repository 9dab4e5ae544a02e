"""The totals of one to three dice expressions: a chart, the figures of each, and a table."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sevenout.documents import Column, Table
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, MONO, PERCENT
from sevenout.errors import NotationError, printable, shown
from sevenout.lab.addresses.address import Address
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import segments
from sevenout.numerals import few_digits
from sevenout.rolling import Spread, spread
from sevenout.rolling.spreads import UnboundedSpread
from sevenout.variants.rulebook import MAX_DIGITS

READINGS = {"exactly": "exactly", "at-least": "at least", "at-most": "at most"}
TITLES = {
    "exactly": "Each total",
    "at-least": "Each total or more",
    "at-most": "Each total or less",
}
LINES = ("", "two", "three")
"""The classes of lines that can be told apart in light, in dark and without colours."""
MAX_TOTALS = 20_000
"""More points than this are slower to draw than to compute, and a chart shows no more."""
MAX_ROWS = 120
"""Totals in the table; the card's file has all."""
OUTSIDE = 10**6
"""The chart leaves out ends of the distribution that are rarer than 1 in this many."""
MAX_BARS = 150


def spreads_of(texts: Sequence[str]) -> list[Spread]:
    """The distributions of one to three dice expressions."""
    if len(texts) > len(LINES):
        raise NotationError(f"{len(texts)} dice beside each other; give at most {len(LINES)}")
    spreads = [spread(few_digits(text, MAX_DIGITS)) for text in texts]
    for text, one in zip(texts, spreads, strict=True):
        if isinstance(one, UnboundedSpread):
            raise NotationError(f"{shown(text)} has no highest total; ask for it alone")
        if len(one.totals) > MAX_TOTALS:
            raise NotationError(
                f"{shown(text)} has {len(one.totals):,} totals; a chart draws {MAX_TOTALS:,}"
            )
    return spreads


def reading_of(one: Spread, reading: str, total: Any) -> Fraction:
    """The probability of this total, of it or more, or of it or less."""
    if reading == "exactly":
        return Fraction(one.weights.get(total, 0), one.law.denominator)
    return one.at_least(total) if reading == "at-least" else one.at_most(total)


def reading_links(address: Address) -> Any:
    """Links to the three readings of the same dice."""
    reading = address.one_of("read", READINGS)
    links = [
        (words, address.to(read=None if name == "exactly" else name), name == reading)
        for name, words in READINGS.items()
    ]
    return segments("Probability of", links)


def likely_totals(one: Spread) -> list[Any]:
    """The totals between the two rare ends."""
    # `below` counts ways, so the threshold is a number of ways too.
    cut = one.law.denominator // (2 * OUTSIDE)
    first = bisect_right(one.below, cut) - 1
    last = bisect_left(one.below, one.law.denominator - cut)
    return list(one.totals[first:last])


def chart_of(spreads: Sequence[Spread], reading: str) -> Chart:
    """Bars of one distribution, or a line for each of several."""
    parts = [likely_totals(one) for one in spreads]
    low, high = min(part[0] for part in parts), max(part[-1] for part in parts)
    tallest = max(
        float(reading_of(one, reading, total))
        for one, part in zip(spreads, parts, strict=True)
        for total in part
    )
    x = chart.axis(float(low) - 0.5, float(high) + 0.5, "total", 8)
    y = chart.axis(0.0, tallest * 1.06, "probability", 4, chart.percent)
    words = READINGS[reading]
    points = [
        [(float(total), float(reading_of(one, reading, total))) for total in part]
        for one, part in zip(spreads, parts, strict=True)
    ]
    caption = "; ".join(
        f"{one.name}: mean {float(one.mean):.4g}, standard deviation {one.std:.4g}"
        for one in spreads
    )
    if len(spreads) == 1 and len(parts[0]) <= MAX_BARS:
        # a lattice of halves or of fives has bars as wide as its step
        gaps = [b - a for (a, _), (b, _) in zip(points[0], points[0][1:], strict=False)]
        half = 0.4 * min(gaps, default=1.0)
        bars = [
            (a - half, a + half, p, f"{words} {a:g}: {chart.percent(p, 5)}", "")
            for a, p in points[0]
        ]
        shapes = chart.bars(x, y, bars)
    else:
        lines = zip(LINES, points, strict=False)
        shapes = "".join(chart.line(x, y, line, kind) for kind, line in lines)
    legend = tuple(zip(LINES, (printable(one.name, 60) for one in spreads), strict=False))
    return Chart(x, y, shapes, caption, legend=legend if len(spreads) > 1 else ())


def figures_of(spreads: Sequence[Spread]) -> Table:
    """Mean, standard deviation and range of each."""
    columns = [
        Column("dice", MONO),
        Column("mean", FRACTION, DECIMAL),
        Column("standard deviation", DECIMAL),
        Column("lowest", LABEL),
        Column("highest", LABEL),
    ]
    rows = [
        (printable(one.name, 60), one.mean, one.std, str(one.totals[0]), str(one.totals[-1]))
        for one in spreads
    ]
    return Table(columns, rows)


def totals_of(spreads: Sequence[Spread], reading: str) -> tuple[Table, Table]:
    """The likeliest totals as percentages, and all totals with fractions."""
    every = sorted({total for one in spreads for total in one.totals})
    weight = {total: max(reading_of(one, "exactly", total) for one in spreads) for total in every}
    # Chosen by weight, but in the order of totals, in which a reader looks them up.
    likeliest = sorted(sorted(every, key=lambda total: -weight[total])[:MAX_ROWS])
    names = [printable(one.name, 60) for one in spreads]

    def table(totals: Sequence[Any], *kinds: Any) -> Table:
        columns = [Column("total", LABEL), *(Column(name, *kinds) for name in names)]
        rows = [
            (str(total), *(reading_of(one, reading, total) for one in spreads)) for total in totals
        ]
        return Table(columns, rows)

    return table(likeliest, PERCENT), table(every, FRACTION, PERCENT)


def dice_in_words(dice: Sequence[Any], name: Any) -> str:
    """100 × d6, or 2 × d6 and d8: dice of a kind together, in the order of their first.

    >>> dice_in_words(["d6", "d8", "d6"], str)
    '2 × d6 and d8'
    """
    counts: dict[str, int] = {}
    for one in dice:
        counts[name(one)] = counts.get(name(one), 0) + 1
    return " and ".join(f"{n:,} × {kind}" if n > 1 else kind for kind, n in counts.items())
