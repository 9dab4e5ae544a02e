"""The distributions of one to three dice: in a chart, in figures and total by total."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from sevenout.documents import Column, Table
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, MONO, PERCENT
from sevenout.errors import NotationError, printable, shown
from sevenout.lab.address import Address
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import segments
from sevenout.numerals import check_digits
from sevenout.rolling import Spread, spread
from sevenout.rolling.spreads import UnboundedSpread
from sevenout.variants.rulebook import MAX_DIGITS

READINGS = {"exactly": "exactly", "at-least": "at least", "at-most": "at most"}
"""The readings of a probability: of a total itself, of it or more, of it or less."""
TITLES = {
    "exactly": "Each total",
    "at-least": "Each total or more",
    "at-most": "Each total or less",
}
"""The title of the table in each reading."""
LINE_STYLES = ("", "two", "three")
"""The classes of lines that can be told apart in light, in dark and without colours."""
MAX_TOTALS = 20_000
"""More points than this are slower to draw than to compute, and a chart shows no more."""
MAX_ROWS = 120
"""Totals in the table; the card's file has all."""
OUTSIDE = 10**6
"""The chart leaves out ends of the distribution that are rarer than 1 in this many."""
MAX_BARS = 150
"""Bars that are wide enough to be told apart; more totals are a line."""


def spreads_of(dice_texts: Sequence[str]) -> list[Spread]:
    """The distributions of one to three dice expressions."""
    if len(dice_texts) > len(LINE_STYLES):
        raise NotationError(
            f"{len(dice_texts)} dice beside each other; give at most {len(LINE_STYLES)}"
        )
    spreads = []
    for dice_text in dice_texts:
        distribution = spread(check_digits(dice_text, MAX_DIGITS))
        if isinstance(distribution, UnboundedSpread):
            raise NotationError(f"{shown(dice_text)} has no highest total; ask for it alone")
        if len(distribution.totals) > MAX_TOTALS:
            raise NotationError(
                f"{shown(dice_text)} has {len(distribution.totals):,} totals; a chart draws "
                f"{MAX_TOTALS:,}"
            )
        spreads.append(distribution)
    return spreads


def probability_of(distribution: Spread, reading: str, total: Any) -> Fraction:
    """The probability of this total, of it or more, or of it or less."""
    if reading == "exactly":
        return Fraction(distribution.law.p(total))
    return distribution.at_least(total) if reading == "at-least" else distribution.at_most(total)


def reading_links(address: Address) -> Any:
    """Links to the three readings of the same dice."""
    reading = address.one_of("read", READINGS)
    links = [
        (words, address.to(read=None if name == "exactly" else name), name == reading)
        for name, words in READINGS.items()
    ]
    return segments("Probability of", links)


def likely_totals(distribution: Spread) -> list[Any]:
    """The totals between the two rare ends."""
    # cumulative weights count ways, so the threshold is a number of ways too.
    rare_ways = distribution.law.denominator // (2 * OUTSIDE)
    first = bisect_right(distribution.cumulative_weights, rare_ways) - 1
    last = bisect_left(distribution.cumulative_weights, distribution.law.denominator - rare_ways)
    return list(distribution.totals[first:last])


def spread_chart(spreads: Sequence[Spread], reading: str) -> Chart:
    """Bars of one distribution, or a line for each of several."""
    lines = [
        [(float(t), float(probability_of(s, reading, t))) for t in likely_totals(s)]
        for s in spreads
    ]
    totals = [total for line in lines for total, _ in line]
    x = chart.axis(min(totals) - 0.5, max(totals) + 0.5, "total", 8)
    caption = "; ".join(
        f"{s.name}: mean {float(s.mean):.4g}, standard deviation {s.std:.4g}" for s in spreads
    )
    if len(lines) == 1 and len(totals) <= MAX_BARS:
        # Totals that are halves or fives apart have bars as wide as that.
        gaps = [b - a for a, b in pairwise(totals)]
        return chart.histogram(x, lines[0], min(gaps, default=1.0), READINGS[reading], caption)
    y = chart.probabilities(p for line in lines for _, p in line)
    shapes = "".join(
        chart.line(x, y, line, style) for style, line in zip(LINE_STYLES, lines, strict=False)
    )
    legend = tuple(zip(LINE_STYLES, _names(spreads), strict=False))
    return Chart(x, y, shapes, caption, legend=legend if len(spreads) > 1 else ())


def figures_table(spreads: Sequence[Spread]) -> Table:
    """Mean, standard deviation and range of each."""
    # The fraction of a whole mean would say the same again, and a phone has no room for it.
    is_whole = all(s.mean == int(s.mean) for s in spreads)
    columns = [
        Column("dice", MONO),
        Column("mean", DECIMAL) if is_whole else Column("mean", FRACTION, DECIMAL),
        Column("standard deviation", DECIMAL),
        Column("lowest", LABEL),
        Column("highest", LABEL),
    ]
    names = _names(spreads)
    rows = [
        (name, s.mean, s.std, str(s.totals[0]), str(s.totals[-1]))
        for name, s in zip(names, spreads, strict=True)
    ]
    return Table(columns, rows)


def _names(spreads: Sequence[Spread]) -> list[str]:
    """The names of distributions, which may be expressions of any length."""
    return [printable(one.name, 60) for one in spreads]


def totals_tables(spreads: Sequence[Spread], reading: str) -> tuple[Table, Table]:
    """The likeliest totals as percentages, and all totals with fractions."""
    all_totals = sorted({total for s in spreads for total in s.totals})
    weights = {t: max(probability_of(s, "exactly", t) for s in spreads) for t in all_totals}
    # Chosen by weight, but in the order of totals, in which a reader looks them up.
    likeliest = sorted(sorted(all_totals, key=lambda total: -weights[total])[:MAX_ROWS])

    def table(totals: Sequence[Any], *kinds: Any) -> Table:
        columns = [Column("total", LABEL), *(Column(name, *kinds) for name in _names(spreads))]
        rows = [(str(t), *(probability_of(s, reading, t) for s in spreads)) for t in totals]
        return Table(columns, rows)

    return table(likeliest, PERCENT), table(all_totals, FRACTION, PERCENT)


def dice_in_words(dice: Iterable[Any]) -> str:
    """100 × d6, or 2 × d6 and d8: dice of a kind together, in the order of their first.

    >>> dice_in_words(["d6", "d8", "d6"])
    '2 × d6 and d8'
    """
    counts = Counter(map(str, dice))
    return " and ".join(f"{n:,} × {kind}" if n > 1 else kind for kind, n in counts.items())
