"""Small parts of pages: figures, links that look like buttons, fields of forms."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import log10
from typing import Any, NamedTuple

import htpy as h
from markupsafe import Markup, escape

from sevenout.documents import Column, Span, Table, prose
from sevenout.documents.kinds import FRACTION, PERCENT
from sevenout.documents.numbers import TOO_LONG, decimal, exactly, minus, percent
from sevenout.errors import TooMuchWorkError
from sevenout.extras import MissingError, missing_dependency
from sevenout.lab.address import Address
from sevenout.lab.widgets import chart
from sevenout.rolling import Face

MAX_FRACTION_UNDER_FIGURE = 26
"""Characters of a fraction that fit under a large figure."""


def fraction(number: Fraction) -> Any:
    """An exact number that a click copies; a long one is a click away."""
    # A denominator of 20,000 bits has about 6,000 digits, more than anybody reads.
    text = exactly(number, 10**9) if number.denominator.bit_length() < 20_000 else ""
    if not text:
        return h.span(".exact")["a fraction too long for a page"]
    return copyable_number(text, minus(text), MAX_FRACTION_UNDER_FIGURE)


def copyable_number(text: str, label: Any, max_length: int) -> h.Element:
    """A number that a click copies; one of more characters is folded."""
    if len(text) <= max_length:
        return copy_button(text, label)
    digits = max(map(len, text.split("/")))
    return h.details(".long")[h.summary[f"a fraction of {digits} digits"], copy_button(text, label)]


def copy_button(text: str, label: Any = None) -> h.Element:
    """A text that a click copies; `label` is shown instead of it."""
    return h.button(".copy", type="button", data_copy=text, title="Copy")[label or text]


def prose_nodes(text: str) -> list[Any]:
    """Rules in words; text between backticks is code."""
    spans = [span for part in prose(text) for span in (*part.spans, Span(" "))]
    return [h.code[span.text] if span.look == "code" else span.text for span in spans[:-1]]


@dataclass(frozen=True)
class KeyFigure:
    """A large figure.

    Attributes:
        value: the figure as printed, with its unit after a space.
        label: what it is of.
        exact: the exact number, or a remark instead.
        big: whether it is the main figure of its page.
    """

    value: str
    label: str
    exact: Fraction | str = ""
    big: bool = False

    @property
    def small_text(self) -> str:
        """The text under it in a picture, which has no room for a long fraction."""
        if isinstance(self.exact, str):
            return self.exact
        # A number of 200 bits has 60 digits already.
        text = exactly(self.exact, 10**9) if self.exact.denominator.bit_length() < 200 else ""
        return text if len(text) <= MAX_FRACTION_UNDER_FIGURE else ""

    def __html__(self) -> str:
        exact = fraction(self.exact) if isinstance(self.exact, Fraction) else self.exact
        return str(
            h.div(class_="figure big" if self.big else "figure")[
                h.span(".what")[self.label],
                h.span(".value")[with_unit(self.value)],
                exact and h.span(".sub")[exact],
            ]
        )


class Hero:
    """The main figures, and their meaning in words."""

    def __init__(self, *figures: KeyFigure | None, words: str = "") -> None:
        self.figures = [figure for figure in figures if figure is not None]
        self.words = words

    def figures_text(self, count: int | None = None) -> str:
        """The first figures in words; by default all."""
        return ", ".join(f"{key.label}: {minus(key.value)}" for key in self.figures[:count])

    def __html__(self) -> str:
        words = h.p(".words")[self.words] if self.words else None
        return str(h.div(".hero")[list(self.figures), words])


def with_unit(text: str) -> Any:
    """A number with its unit set small."""
    number, _, unit = text.rpartition(" ")
    if not number:
        return minus(unit)
    # The narrow space doesn't break, so the unit stays on the line of its number.
    return [minus(number), unit and h.small[f"\u202f{unit}"]]


def certainty(bound: Fraction) -> str:
    """How far a figure is known, in words; the error bound itself has too many zeros to be read.

    >>> certainty(Fraction(0)), certainty(Fraction(1, 10**23))
    ('exact', 'exact to 23 digits')
    """
    return f"exact to {int(-log10(bound))} digits" if bound else "exact"


def change(now: Fraction, before: Fraction, *, less_is_better: bool = False) -> Any:
    """A difference in percentage points, in the colour of a gain or of a loss."""
    difference = now - before
    if not difference:
        return h.span(".same")["no change"]
    direction = "down" if (difference > 0) == less_is_better else "up"
    arrow = "▲" if difference > 0 else "▼"
    points = decimal(100 * abs(difference), 4)
    return h.span(class_=f"change {direction}")[f"{arrow} {points} points"]


def heading(title: str, lead: Any = "", *actions: Any) -> h.Element:
    """The title of a page, its subject and its actions."""
    return h.div(".heading")[h.div[h.h1[title], lead and h.p(".lead")[lead]], actions]


def bar_item(value: Any, words: str, *, suffix: Any = None, main: bool = False) -> h.Element:
    """A labelled figure in the bar in view."""
    return h.span(class_="item main" if main else "item")[h.b[value], f" {words}", suffix]


def count_item(n: int, noun: str) -> h.Element:
    """A number of things in the bar in view."""
    return bar_item(f"{n:,}", noun if n == 1 else f"{noun}s")


def scroll_box(label: str, css_class: str = "") -> h.Element:
    """A scrolling container for a wide part, with keyboard support."""
    name = f"{css_class} scroll".strip()
    # Without tabindex nobody could scroll the container from the keyboard.
    return h.div(class_=name, tabindex="0", role="region", aria_label=label)


def link_button(text: Any, target: object, css_class: str = "", **attributes: Any) -> h.Element:
    """A link that looks like a button."""
    return h.a(class_=f"button {css_class}".strip(), href=str(target), **attributes)[text]


def segments(label: str, options: Iterable[tuple[Any, object, bool]]) -> h.Element:
    """A row of links with one chosen: (words, target, chosen)."""
    return h.div(".segments", role="group", aria_label=label)[
        (
            h.a(href=str(target), aria_current="true" if is_chosen else None)[text]
            for text, target, is_chosen in options
        )
    ]


def form(target: Address, *inside: Any, submit: str, css_class: str = "fields") -> Any:
    """A form that leads to an address; its fields replace those of the address."""
    return h.form(action=target.path, method="get", class_=css_class or None)[
        # A field of the form must not be sent twice, hidden with its old value too.
        _hidden_fields(target.to(**dict.fromkeys(_names(inside)))),
        inside,
        h.button(".button", type="submit")[submit],
    ]


def file_form(
    summary: str,
    target: Address,
    field: "Field",
    *,
    file: str,
    accept: str = ".toml",
    **attributes: Any,
) -> Any:
    """A form for a pasted text, or for a file chosen or dropped on the page."""
    return h.details[
        h.summary(".hint")[summary],
        h.form(".ask", action=target.path, method="get", data_file=True, **attributes)[
            _hidden_fields(target),
            field,
            h.div(".row")[
                h.input(type="file", accept=accept, aria_label=file),
                h.button(".button", type="submit")["Open"],
            ],
        ],
    ]


def _hidden_fields(target: Address) -> Iterable[h.VoidElement]:
    return (h.input(type="hidden", name=name, value=text) for name, text in target.query.items())


def _names(parts: Any) -> Iterable[str]:
    """The names of the fields among some parts, also in lists."""
    for part in parts:
        if isinstance(part, Field):
            yield part.name
        elif isinstance(part, list | tuple):
            yield from _names(part)


class Field:
    """A form field with its label; any change sends the form.

    Args:
        width: "tiny", "narrow", "medium", "wide", or "whole" (the width of its value).
        options: (value, words) of a list; without them it is a text field.
        area: whether it is a text area; its form waits for its button.
        rows: the lines that a text area shows.
        message: what is wrong with the value, to stand below it; "" for nothing.
        attributes: more attributes of the control.

    Attributes:
        name: its name in the address; `form` leaves this field out of the hidden ones.
        node: the label with its control.
    """

    def __init__(
        self,
        label: str,
        name: str,
        value: object = "",
        width: str = "narrow",
        *,
        options: Iterable[tuple[str, str]] | None = None,
        area: bool = False,
        rows: int = 6,
        message: str = "",
        **attributes: Any,
    ) -> None:
        self.name = name
        if message:
            attributes |= {"aria_invalid": "true", "aria_describedby": f"wrong-{name}"}
        if options is not None:
            control: Any = _select(name, str(value), options, attributes)
        elif area:
            attributes = {"spellcheck": "false", "rows": str(rows), **attributes}
            control = h.textarea(name=name, **attributes)[str(value)]
        else:
            # Forms share field names, so a browser would offer what was typed elsewhere.
            attributes = {"autocomplete": "off", "spellcheck": "false", **attributes}
            control = h.input(name=name, value=str(value), **attributes, data_send=True)
        alert = h.span(f"#wrong-{name}.wrong", role="alert")[message] if message else None
        self.node = h.label(class_=f"field {width}")[h.span[label], control, alert]

    def __html__(self) -> str:
        return str(self.node)


def _select(
    name: str, value: str, options: Iterable[tuple[str, str]], attributes: Mapping[str, Any]
) -> h.Element:
    """A list of (value, words) with one selected."""
    return h.select(name=name, **attributes, data_send=True)[
        (h.option(value=choice, selected=choice == value)[words] for choice, words in options)
    ]


def search_form(target: Address, placeholder: str) -> Any:
    """A form of words to search for, in the field `q`; the address may have them already."""
    words = target.get("q")
    field = Field("Search", "q", words, "medium", type="search", placeholder=placeholder)
    return form(target, field, submit="Search")


PASTE_FIELD = Field("Paste it here, or choose or drop a file", "text", "", "wide", area=True)


class Bar(NamedTuple):
    """A bar.

    Attributes:
        name: what it is of.
        share: its length, as a share.
        css_class: its colour; "" for the usual one.
        earlier: the share at its tick; None for no tick.
    """

    name: str
    share: Fraction
    css_class: str = ""
    earlier: Fraction | None = None

    @property
    def exact_text(self) -> str:
        """The share as a fraction; "" if it is longer than the room beside the bar."""
        text = exactly(self.share, 15)
        return "" if text == TOO_LONG else text


class Bars:
    """Bars, in proportion to the largest."""

    def __init__(self, bars: Iterable[Bar]) -> None:
        self.bars = list(bars)
        largest = max((max(bar.share, bar.earlier or 0) for bar in self.bars), default=0)
        # If all shares are 0, the largest of them can't divide the others.
        self.largest = largest or Fraction(1)

    @property
    def table(self) -> Table:
        """The shares without their ticks, for the file."""
        columns: list[Any] = ["", Column("probability", FRACTION, PERCENT)]
        return Table(columns, [(bar.name, bar.share) for bar in self.bars])

    def __html__(self) -> str:
        return str(h.ul(".bars")[map(self._row, self.bars)])

    def _row(self, bar: Bar) -> h.Element:
        """A bar with its name, its share and its fraction."""
        exact = bar.exact_text
        earlier = None if bar.earlier is None else float(bar.earlier / self.largest)
        return h.li[
            h.span(".name")[bar.name],
            chart.meter(float(bar.share / self.largest), bar.css_class, earlier),
            h.span(".num")[percent(bar.share, 3)],
            h.span(".num.soft")[exact and copy_button(exact)],
        ]


def more_budget_hint(error: Exception, command: str = "") -> Any:
    """Where a computation may take longer, with its command; None for an error of another kind."""
    if not isinstance(error, TooMuchWorkError):
        return None
    if not command:
        return h.p(".hint")["Use the command line, where you can raise the budget."]
    return h.p(".hint")["The command line can take longer: ", h.code[f"{command} --budget 3600"]]


def problem(text: str, *more: Any) -> h.Element:
    """What is wrong, in a sentence."""
    # A screen reader reads an alert at once, and the script looks for it.
    return h.div(".problem", role="alert")[h.p[text], more]


def not_here(error: ImportError, needs: str) -> h.Element:
    """That a part of a page needs an optional package; `needs` begins the sentence.

    Any other failed import is a fault of the lab, and raised again.
    """
    if not isinstance(error, MissingError) and missing_dependency(error) is None:
        raise error
    return problem(f"{needs}, which is not here; the local lab has it.")


def face_text(face: Any) -> str:
    """The text on a face.

    >>> face_text(Face(None, 0)), face_text(7)
    ('blank', '7')
    """
    if isinstance(face, Face):
        return "blank" if face.value is None else str(face.value)
    return str(face)


def sorted_outcomes(law: Any) -> list[Any]:
    """The outcomes of a distribution: numbers by size, others as they come."""
    if all(isinstance(outcome, int | Fraction) for outcome in law):
        return sorted(law)
    return list(law)


PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""Each face's pips on a grid of three by three."""


def die(face: Any, roll_number: int = 0, faces: Iterable[Any] = ()) -> Any:
    """One die that shows a face: as pips, or in figures if one of its faces has too many pips.

    Args:
        face: the face; "" before the first roll.
        roll_number: the number of the roll, with which its animation starts again.
        faces: all its faces.
    """
    if isinstance(face, int) and face in PIPS and all(one in PIPS for one in faces):
        marks = "".join(
            f'<circle class="pip" cx="{26 + 24 * x}" cy="{26 + 24 * y}" r="9"/>'
            for x, y in PIPS[face]
        )
    else:
        text = str(getattr(face, "value", face)) if face != "" else ""
        text = "–" if text == "None" else text
        marks = f'<text x="50" y="65" text-anchor="middle">{escape(text[:4])}</text>'
    label = "no roll yet" if face == "" else f"a die that shows {escape(str(face))}"
    # The class changes with each roll, which starts the style sheet's animation again.
    animation = "ab"[roll_number % 2] if face != "" else ""
    return Markup(
        f'<svg class="die {animation}" viewBox="0 0 100 100" role="img" aria-label="{label}">'
        f'<rect class="body" x="2" y="2" width="96" height="96" rx="18"/>'
        f"{marks}</svg>"
    )
