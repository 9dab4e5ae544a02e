"""Small pieces of pages: figures, links that look like buttons, fields of forms."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import htpy as h
from markupsafe import Markup

from sevenout.lab import chart
from sevenout.lab.address import Address
from sevenout.page import Span, prose
from sevenout.page.numbers import decimal, exactly, minus, percent

SHORT = 26


def fraction(x: Fraction, long: int = SHORT) -> Any:
    """An exact number that is copied by a click; a long one is a click away."""
    whole = exactly(x, 10**9) if x.denominator.bit_length() < 20_000 else ""
    if not whole:
        return h.span(".exact")["a fraction too long for a page"]
    if len(whole) <= long:
        return copied(whole, minus(whole))
    digits = len(str(x.denominator))
    return h.details(".long")[
        h.summary[f"a fraction of {digits} digits"], copied(whole, minus(whole))
    ]


def copied(text: str, shown: Any = None) -> h.Element:
    """A text that is copied by a click."""
    return h.button(".copy", type="button", data_copy=text, title="Copy")[shown or text]


def in_words(text: str) -> list[Any]:
    """A text of rules; what stands between backticks in it is code."""
    spans = [span for part in prose(text) for span in (*part.spans, Span(" "))]
    return [h.code[span.text] if span.look == "code" else span.text for span in spans[:-1]]


def figure(value: Any, what: str, exact: Any = None, kind: str = "") -> h.Element:
    """A large figure over its name."""
    return h.div(class_=f"figure {kind}".strip())[
        h.span(".what")[what], h.span(".value")[value], exact and h.span(".sub")[exact]
    ]


def with_unit(text: str) -> Any:
    """A number with its unit set small."""
    number, _, unit = text.rpartition(" ")
    if not number:
        return minus(unit)
    return [minus(number), unit and h.small[f"\u202f{unit}"]]


def change(now: Fraction, before: Fraction, good: int = 1) -> Any:
    """A difference in percentage points; `good` is the sign of a change for the better."""
    gap = now - before
    if not gap:
        return h.span(".same")["no change"]
    kind = "up" if (gap > 0) == (good > 0) else "down"
    arrow = "▲" if gap > 0 else "▼"
    return h.span(class_=f"change {kind}")[f"{arrow} {decimal(100 * abs(gap), 4)} points"]


def go(text: Any, to: object, kind: str = "", **said: Any) -> h.Element:
    """A link that looks like a button."""
    return h.a(class_=f"button {kind}".strip(), href=str(to), **said)[text]


def segments(label: str, options: Iterable[tuple[Any, object, bool]]) -> h.Element:
    """A row of links of which one is chosen: (words, where to, whether it is)."""
    return h.div(".segments", role="group", aria_label=label)[
        (h.a(href=str(to), aria_current="true" if on else None)[text] for text, to, on in options)
    ]


def form(to: Address, *inside: Any, submit: str = "Show", quiet: bool = True, **said: Any) -> Any:
    """A form that leads to an address; fields that stand in it are left out of what is kept."""
    names = set(_names(inside))
    return h.form(action=to.path, method="get", **said)[
        (
            h.input(type="hidden", name=k, value=v)
            for k, v in to.query.items()
            if k not in names and v
        ),
        inside,
        h.button(class_="button" if quiet else "button main", type="submit")[submit],
    ]


def _names(parts: Any) -> Iterable[str]:
    for part in parts:
        if isinstance(part, Field):
            yield part.name
        elif isinstance(part, list | tuple):
            yield from _names(part)


class Field:
    """A field of a form, with its label.

    Args:
        label: its label.
        name: its name in the address.
        value: what it says.
        kind: "narrow", "medium" or "wide".
        options: what may be chosen, (value, words), for a list; a text is written otherwise.
        said: more attributes.
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
        **said: Any,
    ) -> None:
        self.name = name
        if options is not None:
            control: Any = h.select(name=name, **said)[
                (h.option(value=v, selected=v == str(value))[w] for v, w in options)
            ]
        elif area:
            control = h.textarea(name=name, spellcheck="false", rows="6", **said)[str(value)]
        else:
            control = h.input(
                name=name, value=str(value), autocomplete="off", spellcheck="false", **said
            )
        self.node = h.label(class_=f"field {kind}")[h.span[label], control]

    def __html__(self) -> str:
        return str(self.node)


def bars(rows: Iterable[tuple[str, Fraction, str, Fraction | None]]) -> h.Element:
    """Bars (name, share, class, what it was): as long as the share is of the largest."""
    listed = list(rows)
    most = max((max(p, was or p) for _, p, _, was in listed), default=Fraction(1)) or Fraction(1)
    return h.ul(".bars")[
        (
            h.li[
                h.span(".name")[name],
                meter(p / most, kind, None if was is None else was / most),
                h.span(".num")[percent(p, 3)],
                h.span(".num.soft")[copied(exactly(p, 15)) if len(exactly(p, 15)) < 16 else ""],
            ]
            for name, p, kind, was in listed
        )
    ]


def meter(share: Fraction, kind: str = "", was: Fraction | None = None) -> Markup:
    """A bar as long as a share; a tick where it was."""
    said = chart.meter(float(share), kind, None if was is None else float(was))
    return Markup(said)


def problem(text: str, *more: Any) -> h.Element:
    """What is wrong, in a sentence."""
    return h.div(".problem", role="alert")[h.p[text], more]
