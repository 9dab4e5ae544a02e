"""Small parts of pages: figures, links that look like buttons, fields of forms."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import log10
from typing import Any

import htpy as h
from markupsafe import Markup, escape

from sevenout.documents import Column, Span, Table, prose
from sevenout.documents.kinds import FRACTION, PERCENT
from sevenout.documents.numbers import TOO_LONG, decimal, exactly, minus, percent
from sevenout.lab.address import Address
from sevenout.lab.widgets import chart
from sevenout.rolling import Face

SHORT = 26


def fraction(x: Fraction, long: int = SHORT) -> Any:
    """An exact number that a click copies; a long one is a click away."""
    # A denominator of 20,000 bits has about 6,000 digits, more than anybody reads.
    whole = exactly(x, 10**9) if x.denominator.bit_length() < 20_000 else ""
    if not whole:
        return h.span(".exact")["a fraction too long for a page"]
    if len(whole) <= long:
        return copy_button(whole, minus(whole))
    digits = len(whole.partition("/")[2])
    return h.details(".long")[
        h.summary[f"a fraction of {digits} digits"], copy_button(whole, minus(whole))
    ]


def copy_button(text: str, shown: Any = None) -> h.Element:
    """A text that a click copies."""
    return h.button(".copy", type="button", data_copy=text, title="Copy")[shown or text]


def in_words(text: str) -> list[Any]:
    """Rules in words; text between backticks is code."""
    spans = [span for part in prose(text) for span in (*part.spans, Span(" "))]
    return [h.code[span.text] if span.look == "code" else span.text for span in spans[:-1]]


@dataclass(frozen=True)
class KeyFigure:
    """A large figure.

    Attributes:
        value: the figure as printed, with its unit after a space.
        what: what it is of.
        exact: the exact number, or a remark instead.
        big: whether it is the main figure of its page.
    """

    value: str
    what: str
    exact: Fraction | str = ""
    big: bool = False

    @property
    def small_text(self) -> str:
        """The short text under it."""
        if isinstance(self.exact, str):
            return self.exact
        # Only `SHORT` characters fit under the figure, and 200 bits are 60 digits already.
        whole = exactly(self.exact, 10**9) if self.exact.denominator.bit_length() < 200 else ""
        return whole if len(whole) <= SHORT else ""

    def __html__(self) -> str:
        exact = fraction(self.exact) if isinstance(self.exact, Fraction) else self.exact
        return str(
            h.div(class_="figure big" if self.big else "figure")[
                h.span(".what")[self.what],
                h.span(".value")[with_unit(self.value)],
                exact and h.span(".sub")[exact],
            ]
        )


class Hero:
    """The main figures, and their meaning in words."""

    def __init__(self, *figures: KeyFigure | None, words: str = "") -> None:
        self.figures = [figure for figure in figures if figure is not None]
        self.words = words

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


def change(now: Fraction, before: Fraction, good: int = 1) -> Any:
    """A difference in percentage points; `good` is the sign of an improvement."""
    gap = now - before
    if not gap:
        return h.span(".same")["no change"]
    kind = "up" if (gap > 0) == (good > 0) else "down"
    arrow = "▲" if gap > 0 else "▼"
    return h.span(class_=f"change {kind}")[f"{arrow} {decimal(100 * abs(gap), 4)} points"]


def heading(title: str, lead: Any = "", *actions: Any) -> h.Element:
    """The title of a page, its subject and its actions."""
    return h.div(".heading")[h.div[h.h1[title], lead and h.p(".lead")[lead]], actions]


def item(value: Any, words: str, *, more: Any = None, main: bool = False) -> h.Element:
    """A labelled figure in the bar in view."""
    return h.span(class_="item main" if main else "item")[h.b[value], f" {words}", more]


def scroll(label: str, kind: str = "") -> h.Element:
    """A scrolling container for a wide part, with keyboard support."""
    name = f"{kind} scroll".strip()
    # Without tabindex nobody could scroll the container from the keyboard.
    return h.div(class_=name, tabindex="0", role="region", aria_label=label)


def go(text: Any, to: object, kind: str = "", **attributes: Any) -> h.Element:
    """A link that looks like a button."""
    return h.a(class_=f"button {kind}".strip(), href=str(to), **attributes)[text]


def segments(label: str, options: Iterable[tuple[Any, object, bool]]) -> h.Element:
    """A row of links with one chosen: (words, target, chosen)."""
    return h.div(".segments", role="group", aria_label=label)[
        (h.a(href=str(to), aria_current="true" if on else None)[text] for text, to, on in options)
    ]


def form(to: Address, *inside: Any, submit: str, kind: str = "fields") -> Any:
    """A form that leads to an address; its fields replace those of the address."""
    return h.form(action=to.path, method="get", class_=kind or None)[
        # A field of the form must not be sent twice, hidden with its old value too.
        _hidden_fields(to.to(**dict.fromkeys(_names(inside)))),
        inside,
        h.button(".button", type="submit")[submit],
    ]


def file_form(
    summary: str,
    to: Address,
    field: "Field",
    *,
    file: str,
    accept: str = ".toml",
    **attributes: Any,
) -> Any:
    """A form for a pasted text, or for a file chosen or dropped on the page."""
    return h.details[
        h.summary(".hint")[summary],
        h.form(".ask", action=to.path, method="get", data_file=True, **attributes)[
            _hidden_fields(to),
            field,
            h.div(".row")[
                h.input(type="file", accept=accept, aria_label=file),
                h.button(".button", type="submit")["Open"],
            ],
        ],
    ]


def games_form(base: Address, presets: Iterable[int], games: int, seed: int) -> list[Any]:
    """The form for the number of games and the seed."""
    words = {10**6: "a million", 10**8: "100 million", 10**10: "10 billion"}
    named = [(words.get(n, f"{n:,}"), base.to(games=n), n == games) for n in presets]
    count = Field("Games", "games", f"{games:,}")
    return [
        segments("Games", named),
        form(base, count, Field("Seed", "seed", seed, inputmode="numeric"), submit="Play"),
    ]


def _hidden_fields(to: Address) -> Iterable[h.VoidElement]:
    return (h.input(type="hidden", name=k, value=v) for k, v in to.query.items())


def _names(parts: Any) -> Iterable[str]:
    for part in parts:
        if isinstance(part, Field):
            yield part.name
        elif isinstance(part, list | tuple):
            yield from _names(part)


class Field:
    """A form field with its label; any change sends the form.

    Args:
        kind: "narrow", "medium", "wide", or "whole" (the width of its value).
        options: (value, words) of a list; without them it is a text field.
        area: whether it is a text area; its form waits for its button.
        rows: the lines that a text area shows.
        wrong: what is wrong with the value, to stand below it; "" for nothing.
        attributes: more attributes.
    """

    def __init__(
        self,
        label: str,
        name: str,
        value: object = "",
        kind: str = "narrow",
        *,
        options: Iterable[tuple[str, str]] | None = None,
        area: bool = False,
        rows: int = 6,
        wrong: str = "",
        **attributes: Any,
    ) -> None:
        self.name = name
        if wrong:
            attributes |= {"aria_invalid": "true", "aria_describedby": f"wrong-{name}"}
        if options is not None:
            control: Any = h.select(name=name, **attributes, data_send=True)[
                (h.option(value=v, selected=v == str(value))[w] for v, w in options)
            ]
        elif area:
            control = h.textarea(name=name, spellcheck="false", rows=str(rows), **attributes)[
                str(value)
            ]
        else:
            control = h.input(
                name=name,
                value=str(value),
                # Forms share field names, so a browser would offer what was typed elsewhere.
                autocomplete="off",
                spellcheck="false",
                **attributes,
                data_send=True,
            )
        line = h.span(f"#wrong-{name}.wrong", role="alert")[wrong] if wrong else None
        self.node = h.label(class_=f"field {kind}")[h.span[label], control, line]

    def __html__(self) -> str:
        return str(self.node)


PASTE = Field("Paste it here, or choose or drop a file", "text", "", "wide", area=True)


class Bars:
    """Bars (name, share, class, earlier share), in proportion to the largest."""

    def __init__(self, rows: Iterable[tuple[str, Fraction, str, Fraction | None]]) -> None:
        self.rows = list(rows)
        self.most = max((max(p, was or p) for _, p, _, was in self.rows), default=Fraction(1))
        # If all shares are 0, the largest of them can't divide the others.
        self.most = self.most or Fraction(1)

    @property
    def table(self) -> Table:
        columns: list[Any] = ["", Column("probability", FRACTION, PERCENT)]
        return Table(columns, [(name, p) for name, p, _, _ in self.rows])

    def __html__(self) -> str:
        def row(name: str, p: Fraction, kind: str, was: Fraction | None) -> Any:
            # A longer fraction has no room beside its bar; the card's file has it.
            exact = "" if exactly(p, 15) == TOO_LONG else exactly(p, 15)
            return h.li[
                h.span(".name")[name],
                meter(p / self.most, kind, None if was is None else was / self.most),
                h.span(".num")[percent(p, 3)],
                h.span(".num.soft")[exact and copy_button(exact)],
            ]

        return str(h.ul(".bars")[(row(*bar) for bar in self.rows)])


def meter(share: Fraction, kind: str = "", was: Fraction | None = None) -> Markup:
    """A bar as long as a share, with a tick at its earlier value."""
    drawing = chart.meter(float(share), kind, None if was is None else float(was))
    return Markup(drawing)


def problem(text: str, *more: Any) -> h.Element:
    """What is wrong, in a sentence."""
    # A screen reader reads an alert at once, and the script looks for it.
    return h.div(".problem", role="alert")[h.p[text], more]


def face_text(face: Any) -> str:
    """The text on a face.

    >>> face_text(Face(None, 0)), face_text(7)
    ('blank', '7')
    """
    if isinstance(face, Face):
        return "blank" if face.value is None else str(face.value)
    return str(face)


def in_order(law: Any) -> list[Any]:
    """The outcomes of a distribution, numbers by size."""
    if all(isinstance(t, int | Fraction) for t in law):
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


def die(face: Any, turn: int = 0, law: Iterable[Any] = ()) -> Any:
    """One die that shows a face; in figures if a face has too many pips."""
    if isinstance(face, int) and face in PIPS and all(other in PIPS for other in law):
        marks = "".join(
            f'<circle class="pip" cx="{26 + 24 * x}" cy="{26 + 24 * y}" r="9"/>'
            for x, y in PIPS[face]
        )
    else:
        text = str(getattr(face, "value", face)) if face != "" else ""
        text = "–" if text == "None" else text
        marks = f'<text x="50" y="65" text-anchor="middle">{escape(text[:4])}</text>'
    label = "no roll yet" if face == "" else f"a die that shows {escape(str(face))}"
    return Markup(
        # The class changes with each roll, which starts the style sheet's animation again.
        f'<svg class="die {"ab"[turn % 2] if face != "" else ""}" viewBox="0 0 100 100" role="img" '
        f'aria-label="{label}"><rect class="body" x="2" y="2" width="96" height="96" rx="18"/>'
        f"{marks}</svg>"
    )
