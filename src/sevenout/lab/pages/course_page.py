"""The money over an evening: its fan, its distribution, and both in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import DECIMAL, LABEL, WON
from sevenout.documents.numbers import grouped_amount, minus, percent, won
from sevenout.evenings.evening_result import EveningResult
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import Hero, KeyFigure, with_unit
from sevenout.lab.widgets.view import Saved, View, folded, nodes_of

MAX_STEPS = 100
"""Steps of a fan that are drawn."""
MAX_POINTS, MAX_STAIRS = 240, 80
"""Results of a distribution that are drawn; and up to how many of them as stairs."""
LEAST_SHOWN = Fraction(1, 10_000)
"""The least probability that two decimals show."""
MAIN_FIGURES = (
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
class DrawnCourse:
    """The money over an evening, as it is drawn.

    Attributes:
        name: the strategy or the bet.
        result: how its evenings end.
        line_style: the class of its line, where several are drawn; "" for the usual one.
    """

    name: str
    result: EveningResult
    line_style: str = ""

    @property
    def fan(self) -> Sequence[tuple[Fraction, ...]]:
        """Quantiles of the money after each of `steps`."""
        return self.result.fan

    @property
    def steps(self) -> Sequence[int]:
        """The number of steps before each row of the fan."""
        return self.result.fan_rolls

    def quantile(self, q: str) -> Fraction:
        """The least result that is not exceeded with probability q; the lowest of several."""
        # Of a certified result several may be possible.
        return Fraction(self.result.profit.quantile_range(q)[0])

    def law_table(self) -> Table:
        """The probability of each result, as a table."""
        columns = [Column("result", WON), Column("probability", DECIMAL)]
        return Table(columns, list(self.result.profit.items()))


def course_summary(course: DrawnCourse, actions: Any) -> Any:
    """The main figures of a course, and the next steps."""
    return h.div(".became")[hero_of([course]), h.div(".row")[actions]]


def hero_of(courses: list[DrawnCourse]) -> Hero:
    """The probabilities of a profit and of ruin, large; of several courses only the first."""
    if len(courses) == 1:
        (course,) = courses
        ahead = KeyFigure(percent(course.result.ahead, 2), "ends ahead", big=True)
        mean = KeyFigure(won(round(course.result.mean, 2)), "on average")
        ruined = KeyFigure(_probability(course.result.ruin), "ruined")
        return Hero(ahead, mean, ruined, words=_sentence(course))
    figures = [KeyFigure(percent(one.result.ahead, 2), f"{one.name} ends ahead") for one in courses]
    return Hero(*figures, words="Strategies at craps, side by side: how often each ends ahead.")


def _probability(p: Fraction) -> str:
    """A probability as a large figure, which has no room for the odds of a tiny one."""
    return percent(p, 2) if not p or p >= LEAST_SHOWN else f"< {percent(LEAST_SHOWN, 2)}"


def _sentence(course: DrawnCourse) -> str:
    """The median of the results, and the middle nine tenths."""
    low, middle, high = (minus(won(course.quantile(q))) for q in ("1/20", "1/2", "19/20"))
    return f"Half of all evenings end with {middle} or less; nine in ten between {low} and {high}."


def folded_figures(table: Table) -> list[Any]:
    """A table of figures by row: those that matter first, and the rest folded."""
    rank = {label: n for n, label in enumerate(MAIN_FIGURES)}
    main = sorted((row for row in table.rows if row[0] in rank), key=lambda row: rank[str(row[0])])
    others = [row for row in table.rows if row[0] not in rank]
    return [
        list(nodes_of([Table(table.columns, main)])),
        folded("More figures", Table(table.columns, others)) if others else None,
        Saved(table),
    ]


def course_cards(view: View, courses: list[DrawnCourse], step_name: str, law: Table) -> list[Any]:
    """The cards of the fan and the distribution; `step_name` names the unit of time."""
    return [
        h.div(".columns.one" if len(courses) > 1 else ".columns")[
            view.add_card(
                "fan",
                "The money over the evening",
                *_fans(courses, step_name),
                _quantiles(courses, step_name),
                h.p(".hint")[
                    "Line: the median. Shaded: where nine evenings in ten are.",
                    " Thin lines: the medians of the others." if len(courses) > 1 else "",
                ],
                css_class="several" if len(courses) > 1 else "",
            )
            if len(courses[0].fan) > 1
            else view.add_card(
                "fan",
                "The money over the evening",
                h.p(".soft")["An evening without a number of hours has no picture of its course."],
            ),
            view.add_card(
                "law",
                "How it ends",
                _law(courses),
                Saved(law),
                h.p(".hint")["The probability of ending with more than each result."],
            ),
        ]
    ]


def _rows_drawn(course: DrawnCourse) -> list[int]:
    """The rows of a fan that are drawn: an even number apart, as quantiles may alternate."""
    last = len(course.fan) - 1
    stride = 2 * round(last / MAX_STEPS / 2) or 1
    return sorted({*range(0, last, stride), last})


def _fans(courses: list[DrawnCourse], step_name: str) -> list[Chart]:
    """A fan for each course, on the same scales, with the other medians."""
    last = max(course.steps[-1] for course in courses)
    low = min(float(row[0]) for course in courses for row in course.fan)
    high = max(float(row[-1]) for course in courses for row in course.fan)
    room = 0.05 * (high - low) or 1.0
    x = chart.axis(0.0, float(max(last, 1)), step_name, 5)
    y = chart.axis(low - room, high + room, "money", 5)
    start = chart.horizontal_line(y, float(courses[0].fan[0][0]))

    def quantile_points(course: DrawnCourse, quantile: int) -> list[tuple[float, float]]:
        rows = _rows_drawn(course)
        return [(float(course.steps[n]), float(course.fan[n][quantile])) for n in rows]

    medians = [
        chart.line(x, y, quantile_points(course, 2), f"{course.line_style} thin")
        for course in courses
    ]
    fans = []
    for number, course in enumerate(courses):
        other_medians = "".join(medians[:number] + medians[number + 1 :])
        points = [
            (float(course.steps[n]), float(course.fan[n][0]), float(course.fan[n][-1]))
            for n in _rows_drawn(course)
        ]
        band = chart.band(x, y, points, course.line_style)
        line = chart.line(x, y, quantile_points(course, 2), course.line_style)
        low_end, middle, high_end = (grouped_amount(course.fan[-1][k]) for k in (0, 2, -1))
        caption = (
            f"{course.name}: after {last:,} {step_name} the median of the money is {middle}, and "
            f"nine evenings in ten are between {low_end} and {high_end}."
        )
        legend = _legend([course]) if len(courses) > 1 else ()
        fans.append(Chart(x, y, start + band + other_medians + line, caption, legend=legend))
    return fans


def _legend(courses: list[DrawnCourse]) -> tuple[tuple[str, str], ...]:
    return tuple((course.line_style, course.name) for course in courses)


def _quantiles(courses: list[DrawnCourse], step_name: str) -> Saved:
    """The quantiles of the money after each step, for the file."""
    columns: list[Any] = [Column(step_name, LABEL)]
    for course in courses:
        columns += [
            Column(f"{course.name}, {q}" if len(courses) > 1 else q, LABEL) for q in QUANTILES
        ]
    # An evening that ends earlier than the others has no money after that.
    missing = (None,) * len(QUANTILES)
    fans = [dict(zip(course.steps, course.fan, strict=True)) for course in courses]
    steps = sorted(set().union(*fans))
    rows = [(n, *chain.from_iterable(fan.get(n, missing) for fan in fans)) for n in steps]
    return Saved(Table(columns, rows))


def _law(courses: list[DrawnCourse]) -> Chart:
    """The probability of exceeding each result."""
    # The rarest results would squeeze all others into a narrow step.
    low = min(float(course.quantile("1/1000")) for course in courses)
    high = max(low + 1, *(float(course.quantile("999/1000")) for course in courses))
    x = chart.axis(low, high, "result", 5)
    y = chart.axis(0.0, 1.0, "probability of more", 4, chart.percent_label)
    shapes = chart.vertical_line(x, 0.0) if low < 0 < high else ""
    for course in courses:
        points = _exceedance(course, low, high)
        # Steps finer than this look like a line, and take twice as many points.
        draw = chart.stairs if len(points) < MAX_STAIRS else chart.line
        shapes += draw(x, y, points, course.line_style)
    chances = "; ".join(f"{course.name} {percent(course.result.ahead, 2)}" for course in courses)
    caption = (
        f"The probability that an evening ends with more than each result. A profit: {chances}."
    )
    legend = _legend(courses) if len(courses) > 1 else ()
    return Chart(x, y, shapes, caption, legend=legend)


def _exceedance(course: DrawnCourse, low: float, high: float) -> list[tuple[float, float]]:
    """(result, probability of exceeding it), only as dense as the eye can see."""
    exceeding, points = Fraction(1), [(low, 1.0)]
    for result, p in course.result.profit.items():
        exceeding -= p
        x = max(low, float(result))
        if x > high:
            break
        if len(points) > 1 and x - points[-2][0] < (high - low) / MAX_POINTS:
            points.pop()
        # With an error bound the probabilities may add up to slightly more than 1.
        points.append((x, max(0.0, float(exceeding))))
    return points


def course_bar(courses: list[DrawnCourse]) -> Any:
    """The bar in view: how often each course ends ahead."""
    return [
        h.span(".item")[
            chart.swatch(course.line_style),
            h.b[with_unit(percent(course.result.ahead, 2))],
            f" ahead, {course.name}",
        ]
        for course in courses
    ]
