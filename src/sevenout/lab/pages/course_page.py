"""The money over an evening: its fan, its distribution, and both in words."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import htpy as h
from markupsafe import Markup

from sevenout.documents import Column, Table
from sevenout.documents.kinds import LABEL
from sevenout.documents.numbers import minus, percent, won
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import Hero, KeyFigure, with_unit
from sevenout.lab.widgets.view import Saved, View
from sevenout.lab.widgets.view import nodes_of as drawn_parts

STEPS, AMOUNTS, FINE = 100, 240, 80
RARE = Fraction(1, 10_000)
"""The least probability that two decimals show."""
LEADING = (
    "ahead",
    "ends by ruin",
    "mean result",
    "standard deviation",
    "result at 5 %, 50 %, 95 %",
    "expected loss per hour",
)
"""The figures of an evening that are shown at once."""
QUANTILES = ("5 %", "25 %", "50 %", "75 %", "95 %")
"""Quantiles of the money after each step of a fan."""


@dataclass(frozen=True)
class CoursePage:
    """The money over an evening.

    Attributes:
        name: the strategy or the bet.
        fan: quantiles of the money after each step.
        law: the probability of each result, in order.
        ahead, ruin: the probabilities of a profit and of ruin.
        mean: the mean result.
        low, middle, high: the 5 %, 50 % and 95 % quantiles of the result.
    """

    name: str
    fan: list[tuple[Fraction, ...]]
    law: list[tuple[Fraction, Fraction]]
    ahead: Fraction
    ruin: Fraction
    mean: Fraction
    low: Fraction
    middle: Fraction
    high: Fraction

    @classmethod
    def of(cls, name: str, result: Any, law: Any, fan: Any) -> "CoursePage":
        low, middle, high = (result.quantile(q) for q in ("1/20", "1/2", "19/20"))
        chances = result.ahead, result.ruin, result.mean
        return cls(name, fan, list(law.items()), *chances, low, middle, high)


Drawn = list[tuple[str, CoursePage]]
"""Courses, each with the class of its line."""


def hero(course: CoursePage, more: Any = None) -> Any:
    """The probabilities of a profit and of ruin, large; and the next steps."""
    return h.div(".became")[
        figures([("", course)]),
        h.div(".row")[more],
    ]


def figures(drawn: Drawn) -> Hero:
    if len(drawn) == 1:
        ((_, course),) = drawn
        ahead = KeyFigure(percent(course.ahead, 2), "ends ahead", big=True)
        mean = KeyFigure(won(round(course.mean, 2)), "on average")
        ruined = KeyFigure(_chance(course.ruin), "ruined")
        return Hero(ahead, mean, ruined, words=_sentence(course))
    ahead_of = [KeyFigure(percent(c.ahead, 2), f"{c.name} ends ahead") for _, c in drawn]
    return Hero(*ahead_of, words="Strategies at craps, side by side: how often each ends ahead.")


def _chance(p: Fraction) -> str:
    """A probability as a large figure, which has no room for the odds of a tiny one."""
    return percent(p, 2) if not p or p >= RARE else f"< {percent(RARE, 2)}"


def swatch(kind: str) -> Any:
    return Markup(chart.swatch(kind))


def _sentence(course: CoursePage) -> str:
    low, middle, high = (minus(won(x)) for x in (course.low, course.middle, course.high))
    return f"Half of all evenings end with {middle} or less; nine in ten between {low} and {high}."


def in_figures(table: Table) -> list[Any]:
    """A table of figures by row: those that matter first, and the rest folded."""
    rank = {label: n for n, label in enumerate(LEADING)}
    first = sorted((row for row in table.rows if row[0] in rank), key=lambda row: rank[str(row[0])])
    rest = [row for row in table.rows if row[0] not in rank]
    return [
        list(drawn_parts([Table(table.columns, first)])),
        h.details(".more")[
            h.summary["More figures"], list(drawn_parts([Table(table.columns, rest)]))
        ]
        if rest
        else None,
        Saved(table),
    ]


def pictures(view: View, drawn: Drawn, steps: str, law: Table) -> list[Any]:
    """The cards of the fan and the distribution; `steps` names the unit of time."""
    return [
        h.div(".columns.one" if len(drawn) > 1 else ".columns")[
            view.card(
                "fan",
                "The money over the evening",
                *_fans(drawn, steps),
                _quantiles(drawn, steps),
                h.p(".hint")[
                    "Line: the median. Shaded: where nine evenings in ten are.",
                    " Thin lines: the medians of the others." if len(drawn) > 1 else "",
                ],
                kind="several" if len(drawn) > 1 else "",
            )
            if len(drawn[0][1].fan) > 1
            else view.card(
                "fan",
                "The money over the evening",
                h.p(".soft")["An evening without a number of hours has no picture of its course."],
            ),
            view.card(
                "law",
                "How it ends",
                _law(drawn),
                Saved(law),
                h.p(".hint")["The probability of ending with more than each result."],
            ),
        ]
    ]


def _places_of(course: CoursePage) -> list[int]:
    """The steps that are drawn: an even number apart, as quantiles may alternate."""
    last = len(course.fan) - 1
    apart = 2 * round(last / STEPS / 2) or 1
    return sorted({*range(0, last, apart), last})


def _fans(drawn: Drawn, steps: str) -> list[Chart]:
    """A fan for each course, on the same scales, with the other medians."""
    courses = [course for _, course in drawn]
    last = max(len(course.fan) for course in courses) - 1
    low = min(float(row[0]) for course in courses for row in course.fan)
    high = max(float(row[-1]) for course in courses for row in course.fan)
    room = 0.05 * (high - low) or 1.0
    x = chart.axis(0.0, float(max(last, 1)), steps, 5)
    y = chart.axis(low - room, high + room, "money", 5)
    start = chart.level(y, float(courses[0].fan[0][0]))

    def rows(course: CoursePage) -> list[tuple[float, ...]]:
        return [(float(n), *map(float, course.fan[n])) for n in _places_of(course)]

    medians = [
        chart.line(x, y, [(row[0], row[3]) for row in rows(course)], f"{kind} thin")
        for kind, course in drawn
    ]
    fans = []
    for at, (kind, course) in enumerate(drawn):
        others = "".join(medians[:at] + medians[at + 1 :])
        own = rows(course)
        band = chart.band(x, y, [(row[0], row[1], row[-1]) for row in own], kind)
        line = chart.line(x, y, [(row[0], row[3]) for row in own], kind)
        low_end, middle, high_end = (won(course.fan[-1][q]) for q in (0, 2, -1))
        caption = (
            f"{course.name}: after {last:,} {steps} the median of the money is {middle}, and nine "
            f"evenings in ten are between {low_end} and {high_end}."
        )
        legend = ((kind, course.name),) if len(drawn) > 1 else ()
        fans.append(Chart(x, y, start + band + others + line, caption, legend=legend))
    return fans


def _legend(drawn: Drawn) -> tuple[tuple[str, str], ...]:
    return tuple((kind, course.name) for kind, course in drawn) if len(drawn) > 1 else ()


def _quantiles(drawn: Drawn, steps: str) -> Saved:
    courses = [course for _, course in drawn]
    columns: list[Any] = [Column(steps, LABEL)]
    for course in courses:
        columns += [
            Column(f"{course.name}, {q}" if len(courses) > 1 else q, LABEL) for q in QUANTILES
        ]
    last = max(len(course.fan) for course in courses)
    rows = [
        [n, *(x for c in courses for x in (c.fan[n] if n < len(c.fan) else [None] * 5))]
        for n in range(last)
    ]
    return Saved(Table(columns, rows))


def _law(drawn: Drawn) -> Chart:
    """The probability of exceeding each result."""
    # The rarest results would squeeze all others into a narrow step.
    low = min(_tail(course, Fraction(1, 1000)) for _, course in drawn)
    high = max(low + 1, *(_tail(course, Fraction(999, 1000)) for _, course in drawn))
    x = chart.axis(low, high, "result", 5)
    y = chart.axis(0.0, 1.0, "probability of more", 4, chart.percent)
    shapes = chart.vertical_line(x, 0.0) if low < 0 < high else ""
    for kind, course in drawn:
        points = _above(course, low, high)
        # Steps finer than this look like a line, and take twice as many points.
        draw = chart.stairs if len(points) < FINE else chart.line
        shapes += draw(x, y, points, kind)
    chances = "; ".join(f"{c.name} {percent(c.ahead, 2)}" for _, c in drawn)
    caption = (
        f"The probability that an evening ends with more than each result. A profit: {chances}."
    )
    return Chart(x, y, shapes, caption, legend=_legend(drawn))


def _above(course: CoursePage, low: float, high: float) -> list[tuple[float, float]]:
    """(result, probability of exceeding it), only as dense as the eye can see."""
    above, points = Fraction(1), [(low, 1.0)]
    for result, p in course.law:
        above -= p
        at = max(low, float(result))
        if at > high:
            break
        if len(points) > 1 and at - points[-2][0] < (high - low) / AMOUNTS:
            points.pop()
        # With an error bound the probabilities may add up to slightly more than 1.
        points.append((at, max(0.0, float(above))))
    return points


def _tail(course: CoursePage, q: Fraction) -> float:
    below = Fraction(0)
    for result, p in course.law:
        below += p
        if below >= q:
            return float(result)
    # With an error bound the probabilities may add up to slightly less than 1.
    return float(course.law[-1][0])


def bar(drawn: Drawn) -> Any:
    return [
        h.span(".item")[
            swatch(kind), h.b[with_unit(percent(course.ahead, 2))], f" ahead, {course.name}"
        ]
        for kind, course in drawn
    ]
