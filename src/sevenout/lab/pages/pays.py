"""The editable pay table: by event and total for a point game, by row for others."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import LABEL, PAYS
from sevenout.documents.numbers import exactly, percent
from sevenout.errors import NotationError, shown
from sevenout.lab.address import Address, bet_of, game_subject
from sevenout.lab.pages.editor_page import EDITED_FIELDS
from sevenout.lab.widgets.parts import Field, form, segments
from sevenout.lab.widgets.view import Saved
from sevenout.numerals import exact
from sevenout.questions.subjects import GameSubject, notation_with_profits, pays_by_bet
from sevenout.rules import Pay
from sevenout.rules.pay_tables import BY_ROLL, EVEN
from sevenout.solving.bet_result import BetResult
from sevenout.variants.rulebook import MAX_LIMIT, VariantRules, read_rules
from sevenout.variants.variant import set_name

EVENT_WORDS = {"point": "point made", "easy": "point, the easy way", "late": "out of rolls"}
ODDS = re.compile(r"(?P<pays>\d{1,9})\s*(?P<word>:|to|for)\s*(?P<stake>[1-9]\d{0,8})", re.ASCII)
MAX_ROWS, MAX_ROLL_FIELDS = 120, 6
"""Rows of the table; and rolls for the point that have fields of their own."""


def text_with_pays(sent: Mapping[str, str], subject: GameSubject, bet: str) -> str:
    """The game's text after the form of the pays; `sent` has the texts of its fields."""
    if subject.variant_rules is None:
        last = len(_usual_pays(subject, bet))
        numbers = [key.removeprefix("p:") for key in sent]
        if not all(row.isdecimal() and 1 <= int(row) <= last for row in numbers):
            raise NotationError(f"{bet} has rows 1 to {last}")
        profits = map(profit_of, sent.values())
        return notation_with_profits(
            subject, bet, dict(zip(map(int, numbers), profits, strict=True))
        )
    return _by_total(subject.variant_rules, bet, sent).text


def _by_total(book: VariantRules, bet: str, sent: Mapping[str, str]) -> VariantRules:
    """The rules after the form of a point game's pays, by event, totals and roll."""
    for key, text in sent.items():
        match key.split(":"):
            case [_, event, totals, roll] if event in EVEN and roll.isdecimal():
                rolls = (book.limit or 1) if event in BY_ROLL else 1
                for total in map(_parse_total, totals.split(",")):
                    if total not in book.totals_at(event) or not 1 <= int(roll) <= rolls:
                        raise NotationError(f"{key}={shown(text)}; the pay table has no such row")
                    amounts = list(book.amounts(bet, event, total))
                    index = int(roll) - 1
                    # One amount stands for all rolls; a change of one roll gives each its own.
                    if index and len(amounts) == 1:
                        amounts *= rolls
                    _, stake = amounts[index]
                    amounts[index] = profit_of(text), stake
                    book = book.with_pay(bet, event, total, amounts)
            case _:
                raise NotationError(f"{key}={shown(text)}; the pay table has no such row")
    return read_rules(book.text).check()


def _parse_total(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise NotationError(f"{text} is not a total") from None


def profit_of(text: str) -> Fraction:
    """The profit in a field, also in a felt's words.

    >>> profit_of("3:2"), profit_of("3 to 2"), profit_of("3 for 1"), profit_of("")
    (Fraction(3, 2), Fraction(3, 2), Fraction(2, 1), Fraction(0, 1))
    """
    match = ODDS.fullmatch(text)
    if match is None:
        return exact(text or "0")
    # 3 for 1 includes the stake, and 3 to 1 does not.
    return exact(match["pays"]) / exact(match["stake"]) - (match["word"] == "for")


def _usual_pays(subject: GameSubject, bet: str) -> Sequence[Pay]:
    """The rows of a bet's table, without the visitor's changes; empty if it has no table."""
    return (subject.original_pays or pays_by_bet(subject.game)).get(bet, ())


class PayLine(NamedTuple):
    """A line of the table.

    Attributes:
        event: what is paid for.
        totals: its totals, with commas between; "" if it has none.
        fields: the name and the profit of each field.
        is_changed: whether the profit is not the usual one, so that the page can mark it.
    """

    event: str
    totals: str
    fields: tuple[tuple[str, Fraction], ...]
    is_changed: bool

    @property
    def label(self) -> str:
        """The event and its totals."""
        return f"{self.event} {self.totals}".strip()


def pay_lines(subject: GameSubject, bet: str, per_total: bool, max_rolls: int) -> list[PayLine]:
    """The lines of a bet's table; totals with equal pays share one unless `per_total`.

    If a point pays by the roll, each of up to `max_rolls` has its own field.
    """
    book = subject.variant_rules
    if book is None:
        lines = []
        for i, pay in enumerate(_usual_pays(subject, bet), 1):
            profit = subject.changed_profits.get((bet, i), pay.profit)
            lines.append(PayLine(pay.event, "", ((f"p:{i}", profit),), profit != pay.profit))
        return lines
    fields_of_point = book.limit if book.limit and book.limit <= max_rolls else 1
    lines = []
    for event in EVEN:
        groups: dict[Any, list[int]] = {}
        for total in book.totals_at(event):
            key = total if per_total else book.amounts(bet, event, total)
            groups.setdefault(key, []).append(total)
        for totals in groups.values():
            amounts = book.amounts(bet, event, totals[0])
            rolls = fields_of_point if event in ("point", "easy") else 1
            listed = ",".join(map(str, totals))
            profits = [profit for profit, _ in (amounts * rolls)[:rolls]]
            fields = tuple((f"p:{event}:{listed}:{i}", x) for i, x in enumerate(profits, 1))
            is_changed = rolls == 1 and amounts[0] != book.even_money(bet, event)
            lines.append(PayLine(EVENT_WORDS.get(event, event), listed, fields, is_changed))
    return lines


def pay_form(address: Address, subject: GameSubject, bet: str, sliders: Mapping[str, Any]) -> Any:
    """The form: a field for each amount, and sliders by the names of their fields."""
    per_total, book = address.has("each"), subject.variant_rules
    lines = pay_lines(subject, bet, per_total, MAX_ROLL_FIELDS)[:MAX_ROWS]
    rolls = max((len(line.fields) for line in lines), default=1)
    heads = [f"roll {i + 1}" if rolls > 1 else "pays" for i in range(rolls)]
    if book:
        stake = book.stakes.get(bet, Fraction(1))
    else:
        usual_pays = _usual_pays(subject, bet)
        stake = usual_pays[0].stake if usual_pays else Fraction(1)
    other_view = "Totals that pay alike together" if per_total else "Each total for itself"
    return h.div[
        form(
            address.to("/", keep=EDITED_FIELDS),
            h.div(".scroll")[
                h.table(".pays")[
                    h.thead[
                        h.tr[
                            h.th["event"],
                            h.th["on"] if book else None,
                            (h.th(".number")[head] for head in heads),
                            h.th(".slides")["and the edge"] if sliders else None,
                        ]
                    ],
                    h.tbody[
                        (
                            h.tr[
                                h.th(scope="row")[line.event],
                                h.td(".on")[_in_runs(line.totals)] if book else None,
                                _cells(line, rolls),
                                h.td(".slides")[[sliders.get(name) for name, _ in line.fields]]
                                if sliders
                                else None,
                            ]
                            for line in lines
                        )
                    ],
                ]
            ],
            submit="Set the pays",
            css_class="",
        ),
        h.p(".hint")[
            f"Profit on a stake of {exactly(stake)}: 1, 3/2, 3:2, 3 to 2, -1, 0 for a push.",
            [" ", h.a(href=str(address.to(each=None if per_total else "yes")))[other_view]]
            if book
            else None,
        ],
    ]


def _in_runs(totals: str) -> str:
    """Totals for a reader, with runs of three or more shortened.

    >>> _in_runs("4,5,6,8,9,10"), _in_runs("7,11"), _in_runs("")
    ('4–6, 8–10', '7, 11', '')
    """
    text = set_name(map(int, totals.split(","))) if totals else ""
    # A hyphen after a digit is that of a run; before one it is a minus.
    return re.sub(r"(?<=\d)-", "–", text).replace(",", ", ")


def _cells(line: PayLine, rolls: int) -> list[Any]:
    """The fields of a line; one for all rolls takes up the columns of each."""
    is_alone = len(line.fields) == 1
    span = str(rolls) if is_alone and rolls > 1 else None
    return [
        h.td(".number", colspan=span)[
            _amount(
                name, profit, line.label if is_alone else f"{line.label}, roll {i}", line.is_changed
            )
        ]
        for i, (name, profit) in enumerate(line.fields, 1)
    ]


def pays_table(subject: GameSubject, bet: str) -> Saved:
    """A bet's pays as a table, for the file; roll by roll if they differ."""
    rows = []
    for line in pay_lines(subject, bet, per_total=True, max_rolls=MAX_LIMIT):
        profits = [profit for _, profit in line.fields]
        if len(set(profits)) == 1:
            rows.append((line.event, line.totals, profits[0]))
        else:
            rows += [
                (f"{line.event}, roll {i}", line.totals, profit)
                for i, profit in enumerate(profits, 1)
            ]
    return Saved(Table(["event", Column("on", LABEL), Column("pays", PAYS)], rows))


def _amount(name: str, profit: Fraction, label: str, is_changed: bool) -> Any:
    """The field of one amount."""
    return h.input(
        name=name,
        value=exactly(profit, 60),
        aria_label=f"{label} pays",
        class_="amount" + (" changed" if is_changed else ""),
        inputmode="text",
        autocomplete="off",
        data_send=True,
    )


def choose_bet(address: Address, bets: tuple[str, ...], bet: str) -> Any:
    """Links to the bets of a game, or a list of many; None if there is nothing to choose."""
    if len(bets) < 2:
        return None
    if len(bets) <= 6:
        return segments("Bet", [(b, address.to(bet=b), b == bet) for b in bets])
    field = Field("Bet", "bet", bet, "medium", options=[(b, b) for b in bets])
    return form(address, field, submit="Choose", css_class="fields one")


# --- sliders -------------------------------------------------------------------------------------

MAX_SLIDERS = 12
"""The most sliders in a table."""
MARK = 10**9
"""A number larger than any pay, which marks a pay in the result."""
SLIDER_STEPS = 100
"""Steps of a slider."""
MAX_DENOMINATOR = 10_000
"""The largest denominator of a pay that gives a chosen edge."""


class PaySlider(NamedTuple):
    """A slider.

    Attributes:
        name: the field of the pay.
        label: the event and its totals.
        profit: the current pay.
        edge_per_unit: how much the edge falls if the pay is a unit more.
    """

    name: str
    label: str
    profit: Fraction
    edge_per_unit: Fraction

    @property
    def maximum(self) -> int:
        """The slider's maximum: 1, 2 or 5 times a power of ten."""
        # Above the current pay, so that the slider can move both ways.
        minimum, power = max(self.profit * 5 / 4, Fraction(2)), 1
        while True:
            for candidate in (power, 2 * power, 5 * power):
                if candidate >= minimum:
                    return candidate
            power *= 10


@lru_cache(maxsize=64)
def pay_sliders(notation: str, bet: str, per_total: bool) -> tuple[PaySlider, ...]:
    """The sliders of a bet's pays, losses excluded.

    Pays that are alike are told apart by one game in which each is marked.
    """
    subject = game_subject(notation)
    lines = pay_lines(subject, bet, per_total, MAX_ROLL_FIELDS)
    fields = {
        name: (line.label, profit) for line in lines for name, profit in line.fields if profit >= 0
    }
    if not 0 < len(fields) <= MAX_SLIDERS:
        return ()
    marks: dict[str, Fraction | int] = {name: profit for name, (_, profit) in fields.items()}
    profits = [profit for line in lines for _, profit in line.fields]
    marked = None
    # An outcome without a row of its own pays 0.
    if subject.variant_rules is not None or 0 in profits or len(profits) > len({*profits}):
        marks = {name: MARK + i for i, name in enumerate(fields)}
        marked = text_with_pays({k: str(v) for k, v in marks.items()}, subject, bet)
    result = bet_of(marked or notation, bet)
    assert result is not None
    shares: dict[Fraction, Fraction] = {}
    for pay, p in result.law.items():
        shares[pay.profit] = shares.get(pay.profit, Fraction(0)) + p
    edge_per_unit = {name: shares.get(Fraction(mark), Fraction(0)) for name, mark in marks.items()}
    return tuple(
        PaySlider(name, *fields[name], edge_per_unit[name] / result.stake)
        for name in fields
        if edge_per_unit[name]
    )


def slider_nodes(slide: PaySlider, edge: Fraction) -> Any:
    """The slider of one pay; the page's script updates the edge beside it."""
    step = Fraction(slide.maximum, SLIDER_STEPS)
    number = slide.name.removeprefix("p:").replace(":", "-").replace(",", ".")
    return [
        h.input(
            ".slide",
            id=f"slide-{number}",
            type="range",
            min="0",
            max=str(slide.maximum),
            step=str(float(step)),
            value=str(float(slide.profit)),
            aria_label=f"slider, {slide.label}",
            data_field=slide.name,
            data_step=str(step),
            data_now=str(float(slide.profit)),
            data_edge=str(float(edge)),
            data_falls=str(float(slide.edge_per_unit)),
        ),
        h.output(".slide-edge", for_=f"slide-{number}"),
    ]


def edge_form(address: Address, sliders: tuple[PaySlider, ...]) -> Any:
    """The form that asks for an edge, and which pay is to give it; None without sliders."""
    if not sliders:
        return None
    likeliest = _likeliest(sliders)
    return form(
        address.to("/", keep=EDITED_FIELDS),
        Field("Make the edge", "to-edge", "", "narrow", placeholder="2 %", inputmode="text"),
        h.label(".field.medium.whole")[
            h.span["by what is paid for"],
            h.select(name="to-row")[
                (
                    h.option(value=slide.name, selected=slide is likeliest)[slide.label]
                    for slide in sliders
                )
            ],
        ],
        submit="Set",
    )


def _likeliest(sliders: Iterable[PaySlider]) -> PaySlider:
    """The slider of the pay that is won most often, which needs the smallest change."""
    return max(sliders, key=lambda slide: slide.edge_per_unit)


def text_at_edge(address: Address, subject: GameSubject, bet: BetResult) -> str | None:
    """The text of the game with the edge that the form asks for."""
    edge, row = address.get("to-edge"), address.get("to-row")
    if not edge:
        return None
    per_total = address.has("each")
    by_name = {slide.name: slide for slide in pay_sliders(subject.notation, bet.name, per_total)}
    if not by_name:
        raise NotationError(f"no pay of {bet.name} can be set by its edge")
    if row and row not in by_name:
        raise NotationError(f"to-row={shown(row)}; it is one of {', '.join(by_name)}")
    slide = by_name[row] if row else _likeliest(by_name.values())
    profit = slide.profit + (bet.edge - exact(edge)) / slide.edge_per_unit
    # The pay for exactly this edge may be a fraction that no felt would print.
    profit = profit.limit_denominator(MAX_DENOMINATOR)
    if profit < 0:
        highest = percent(bet.edge + slide.profit * slide.edge_per_unit, 2)
        raise NotationError(
            f"the edge {shown(edge)} is more than {highest}, which it is where {slide.label} "
            "pays nothing; give less, or change another pay"
        )
    return text_with_pays({slide.name: exactly(profit, 60)}, subject, bet.name)
