"""Sliders of the pays: the effect of each pay on the edge, and the pay that gives a chosen edge.

The edge is linear in each pay: a unit more lowers it by the pay's probability per unit of stake. So
the page shows the new edge without a request.
"""

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import htpy as h

from sevenout.documents.numbers import exactly, minus, percent
from sevenout.errors import NotationError, shown
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import bet_of, choose
from sevenout.lab.pages.pays import MOST_ROLLS, lines, repaid
from sevenout.lab.widgets.parts import Field, form
from sevenout.numerals import exact
from sevenout.questions.subjects import GameSubject
from sevenout.solving.bet_result import BetResult

MOST = 12
"""The most sliders in a table."""
MARK = 10**9
"""A number larger than any pay, which marks a pay in the result."""
STEPS = 100
"""Steps of a slider."""
FINEST = 10_000
"""The largest denominator of a pay that gives a chosen edge."""


class Slide(NamedTuple):
    """A slider.

    Attributes:
        name: the field of the pay.
        label: the event and its totals.
        profit: the current pay.
        falls: how much a unit more lowers the edge.
    """

    name: str
    label: str
    profit: Fraction
    falls: Fraction

    @property
    def most(self) -> int:
        """The slider's maximum: 1, 2 or 5 times a power of ten."""
        # Above the current pay, so that the slider can move both ways.
        wanted, ten = max(self.profit * 5 / 4, Fraction(2)), 1
        while True:
            for step in (ten, 2 * ten, 5 * ten):
                if step >= wanted:
                    return step
            ten *= 10


@lru_cache(maxsize=64)
def slides(text: str, bet: str, per_point: bool) -> tuple[Slide, ...]:
    """The sliders of a bet's pays, losses excluded, found by one game in which each is marked."""
    chosen = choose(text)
    fields = {
        name: (f"{line.event} {line.on}".strip(), profit)
        for line in lines(chosen, bet, per_point, MOST_ROLLS)
        for name, profit in line.fields
        if profit >= 0
    }
    if not 0 < len(fields) <= MOST:
        return ()
    marks = {name: MARK + i for i, name in enumerate(fields)}
    marked = repaid(Address("/", {k: str(v) for k, v in marks.items()}), chosen, bet)
    result = bet_of(marked or text, bet)
    assert result is not None
    shares: dict[Fraction, Fraction] = {}
    for pay, p in result.law.items():
        shares[pay.profit] = shares.get(pay.profit, Fraction(0)) + p
    falls = {name: shares.get(Fraction(mark), Fraction(0)) for name, mark in marks.items()}
    return tuple(
        Slide(name, *fields[name], falls[name] / result.stake) for name in fields if falls[name]
    )


def slider(slide: Slide, edge: Fraction) -> Any:
    """The slider of one pay; the page's script updates the edge beside it."""
    step = Fraction(slide.most, STEPS)
    number = slide.name.removeprefix("p:").replace(":", "-").replace(",", ".")
    return [
        h.input(
            ".slide",
            id=f"slide-{number}",
            type="range",
            min="0",
            max=str(slide.most),
            step=str(float(step)),
            value=str(float(slide.profit)),
            aria_label=f"slider, {slide.label}",
            data_field=slide.name,
            data_step=str(step),
            data_now=str(float(slide.profit)),
            data_edge=str(float(edge)),
            data_falls=str(float(slide.falls)),
        ),
        h.output(".slide-edge", for_=f"slide-{number}")[minus(percent(edge, 3))],
    ]


def ask_edge(address: Address, sliders: tuple[Slide, ...]) -> Any:
    if not sliders:
        return None
    likeliest = max(sliders, key=lambda slide: slide.falls).name
    return form(
        address.to("/", keep=("game", "bet", "from", "pin", "each")),
        Field("Make the edge", "to-edge", "", "narrow", placeholder="2 %", inputmode="text"),
        h.label(".field.medium.whole")[
            h.span["by what is paid for"],
            h.select(name="to-row")[
                (
                    h.option(value=one.name, selected=one.name == likeliest)[one.label]
                    for one in sliders
                )
            ],
        ],
        submit="Set",
    )


def at_edge(address: Address, chosen: GameSubject, bet: BetResult) -> str | None:
    """The text of the game with the edge that the form asks for."""
    wanted, row = address.get("to-edge"), address.get("to-row")
    if not wanted:
        return None
    per_point = address.has("each")
    by = {slide.name: slide for slide in slides(chosen.words, bet.name, per_point)}
    if not by:
        raise NotationError(f"no pay of {bet.name} can be set by its edge")
    if row and row not in by:
        raise NotationError(f"to-row={shown(row)}; it is one of {', '.join(by)}")
    slide = by[row] if row else max(by.values(), key=lambda slide: slide.falls)
    profit = slide.profit + (bet.edge - exact(wanted)) / slide.falls
    # The pay for exactly this edge may be a fraction that no felt would print.
    profit = profit.limit_denominator(FINEST)
    if profit < 0:
        highest = percent(bet.edge + slide.profit * slide.falls, 2)
        raise NotationError(
            f"the edge {shown(wanted)} is more than {highest}, which it is where {slide.label} "
            "pays nothing; give less, or change another pay"
        )
    return repaid(Address("/", {slide.name: exactly(profit, 60)}), chosen, bet.name)
