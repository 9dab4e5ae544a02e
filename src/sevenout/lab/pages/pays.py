"""The editable pay table: by event and total for a point game, by row for others."""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import LABEL, PAYS
from sevenout.documents.numbers import exactly, percent
from sevenout.errors import NotationError, shown
from sevenout.lab.address import Address, bet_of, choose
from sevenout.lab.widgets.parts import Field, form, segments
from sevenout.lab.widgets.view import Saved
from sevenout.numerals import exact
from sevenout.questions.subjects import GameSubject, notation_with_profits, pays_by_bet
from sevenout.rules.pay_tables import EVEN
from sevenout.solving.bet_result import BetResult
from sevenout.variants.rulebook import MAX_LIMIT, Amount, VariantRules, read_rules
from sevenout.variants.variant import set_name

WORDS = {"point": "point made", "easy": "point, the easy way", "late": "out of rolls"}
ODDS = re.compile(
    r"(?P<pays>\d{1,9})\s*(?P<word>:|to|for)\s*(?P<stake>[1-9]\d{0,8})", re.ASCII
).fullmatch
MOST_ROWS, MOST_ROLLS = 120, 6
"""The most rows; and the most rolls for the point that have their own fields."""


def edited_text(address: Address, chosen: GameSubject, bet: str) -> str | None:
    """The game's text after the form of the pays; None if none was sent."""
    sent = {k: v.strip() for k, v in address.query.items() if k.startswith("p:")}
    if not sent:
        return None
    if chosen.variant_rules is None:
        known = len((chosen.original_pays or pays_by_bet(chosen.game)).get(bet, ()))
        numbers = [key.removeprefix("p:") for key in sent]
        if not all(row.isdecimal() and 1 <= int(row) <= known for row in numbers):
            raise NotationError(f"{bet} has rows 1 to {known}")
        profits = map(profit_of, sent.values())
        return notation_with_profits(
            chosen, bet, dict(zip(map(int, numbers), profits, strict=True))
        )
    return _by_total(chosen.variant_rules, bet, sent).text


def _by_total(book: VariantRules, bet: str, sent: dict[str, str]) -> VariantRules:
    for key, value in sent.items():
        match key.split(":"):
            case [_, event, totals, roll] if event in EVEN and roll.isdecimal():
                for total in map(_whole, totals.split(",")):
                    amounts = list(book.amounts(bet, event, total))
                    at = int(roll) - 1
                    # One amount stands for all rolls; a change of one roll gives each its own.
                    if at and len(amounts) == 1 and book.limit and at < book.limit:
                        amounts *= book.limit
                    if at < len(amounts):
                        amounts[at] = _like(amounts[at], value)
                        book = book.with_pay(bet, event, total, amounts)
            case _:
                raise NotationError(f"{key} is not a row of the pay table")
    return read_rules(book.text).check()


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise NotationError(f"{text} is not a total") from None


def _like(old: Amount, value: str) -> Amount:
    """Another profit with the same money at risk."""
    return profit_of(value), old[1]


def profit_of(text: str) -> Fraction:
    """The profit in a field, also in a felt's words.

    >>> profit_of("3:2"), profit_of("3 to 2"), profit_of("3 for 1"), profit_of("")
    (Fraction(3, 2), Fraction(3, 2), Fraction(2, 1), Fraction(0, 1))
    """
    match = ODDS(text)
    if match is None:
        return exact(text or "0")
    # 3 for 1 includes the stake, and 3 to 1 does not.
    return exact(match["pays"]) / exact(match["stake"]) - (match["word"] == "for")


class PayLine(NamedTuple):
    """A line of the table.

    Attributes:
        event: what is paid for.
        on: its totals, with commas between; "" if it has none.
        fields: the name and the profit of each field.
        changed: whether the profit is not the usual one, so that the page can mark it.
    """

    event: str
    on: str
    fields: tuple[tuple[str, Fraction], ...]
    changed: bool


def lines(chosen: GameSubject, bet: str, per_point: bool, most_rolls: int) -> list[PayLine]:
    """The lines of a bet's table; totals with equal pays share one unless `each`.

    If a point pays by the roll, each roll up to `most_rolls` has its own field.
    """
    book = chosen.variant_rules
    if book is None:
        rows = (chosen.original_pays or pays_by_bet(chosen.game)).get(bet, ())
        now = [chosen.changed_profits.get((bet, i), pay.profit) for i, pay in enumerate(rows, 1)]
        return [
            PayLine(pay.event, "", ((f"p:{i}", profit),), profit != pay.profit)
            for i, (pay, profit) in enumerate(zip(rows, now, strict=True), 1)
        ]
    by_roll = book.limit if book.limit and book.limit <= most_rolls else 1
    lines = []
    for event in EVEN:
        groups: dict[Any, list[int]] = {}
        for total in book.totals_at(event):
            groups.setdefault(total if per_point else book.amounts(bet, event, total), []).append(
                total
            )
        for totals in groups.values():
            amounts = book.amounts(bet, event, totals[0])
            rolls = by_roll if event in ("point", "easy") else 1
            names = ",".join(map(str, totals))
            profits = [profit for profit, _ in (amounts * rolls)[:rolls]]
            fields = ((f"p:{event}:{names}:{i}", x) for i, x in enumerate(profits, 1))
            changed = rolls == 1 and amounts[0] != book.even_money(bet, event)
            lines.append(PayLine(WORDS.get(event, event), names, tuple(fields), changed))
    return lines


def table(address: Address, chosen: GameSubject, bet: str, sliders: Mapping[str, Any]) -> Any:
    """The form: a field for each amount, and sliders by the names of their fields."""
    per_point, book = address.has("each"), chosen.variant_rules
    shown = lines(chosen, bet, per_point, MOST_ROLLS)[:MOST_ROWS]
    rolls = max((len(line.fields) for line in shown), default=1)
    heads = [f"roll {i + 1}" if rolls > 1 else "pays" for i in range(rolls)]
    if book:
        stake = book.stakes.get(bet, Fraction(1))
    else:
        rows = (chosen.original_pays or pays_by_bet(chosen.game)).get(bet, ())
        stake = rows[0].stake if rows else Fraction(1)
    apart = "Totals that pay alike together" if per_point else "Each total for itself"
    return h.div[
        form(
            address.to("/", keep=["game", "bet", "from", "pin", "each"]),
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
                                h.td(".on")[_in_runs(line.on)] if book else None,
                                _cells(line, rolls),
                                h.td(".slides")[[sliders.get(name) for name, _ in line.fields]]
                                if sliders
                                else None,
                            ]
                            for line in shown
                        )
                    ],
                ]
            ],
            submit="Set the pays",
            kind="",
        ),
        h.p(".hint")[
            f"Profit on a stake of {exactly(stake)}: 1, 3/2, 3:2, 3 to 2, -1, 0 for a push.",
            [" ", h.a(href=str(address.to(each=None if per_point else "yes")))[apart]]
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
    label, alone = f"{line.event} {line.on}".strip(), len(line.fields) == 1
    span = str(rolls) if alone and rolls > 1 else None
    return [
        h.td(".number", colspan=span)[
            _amount(name, profit, label if alone else f"{label}, roll {i}", line.changed)
        ]
        for i, (name, profit) in enumerate(line.fields, 1)
    ]


def pays_table(chosen: GameSubject, bet: str) -> Saved:
    """A bet's pays as a table, for the file; roll by roll if they differ."""
    paid = []
    for line in lines(chosen, bet, per_point=True, most_rolls=MAX_LIMIT):
        profits = [profit for _, profit in line.fields]
        if len(set(profits)) == 1:
            paid.append((line.event, line.on, profits[0]))
        else:
            rolls = enumerate(profits, 1)
            paid += [(f"{line.event}, roll {i}", line.on, profit) for i, profit in rolls]
    return Saved(Table(["event", Column("on", LABEL), Column("pays", PAYS)], paid))


def _amount(name: str, profit: Fraction, label: str, changed: bool) -> Any:
    return h.input(
        name=name,
        value=exactly(profit, 60),
        aria_label=f"{label} pays",
        class_="amount" + (" changed" if changed else ""),
        inputmode="text",
        autocomplete="off",
        data_send=True,
    )


def choose_bet(address: Address, bets: tuple[str, ...], bet: str) -> Any:
    if len(bets) < 2:
        return None
    if len(bets) <= 6:
        return segments("Bet", [(b, address.to(bet=b), b == bet) for b in bets])
    field = Field("Bet", "bet", bet, "medium", options=[(b, b) for b in bets])
    return form(address, field, submit="Choose", kind="fields one")


# --- sliders -------------------------------------------------------------------------------------

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
        least, ten = max(self.profit * 5 / 4, Fraction(2)), 1
        while True:
            for step in (ten, 2 * ten, 5 * ten):
                if step >= least:
                    return step
            ten *= 10


@lru_cache(maxsize=64)
def slides(text: str, bet: str, per_point: bool) -> tuple[Slide, ...]:
    """The sliders of a bet's pays, losses excluded.

    Pays that are alike are told apart by one game in which each is marked.
    """
    chosen = choose(text)
    rows = lines(chosen, bet, per_point, MOST_ROLLS)
    fields = {
        name: (f"{line.event} {line.on}".strip(), profit)
        for line in rows
        for name, profit in line.fields
        if profit >= 0
    }
    if not 0 < len(fields) <= MOST:
        return ()
    marks: dict[str, Fraction | int] = {name: profit for name, (_, profit) in fields.items()}
    every = [profit for line in rows for _, profit in line.fields]
    marked = None
    # An outcome without a row of its own pays 0.
    if chosen.variant_rules is not None or 0 in every or len(every) > len({*every}):
        marks = {name: MARK + i for i, name in enumerate(fields)}
        marked = edited_text(Address("/", {k: str(v) for k, v in marks.items()}), chosen, bet)
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
        h.output(".slide-edge", for_=f"slide-{number}"),
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
    edge, row = address.get("to-edge"), address.get("to-row")
    if not edge:
        return None
    per_point = address.has("each")
    by = {slide.name: slide for slide in slides(chosen.notation, bet.name, per_point)}
    if not by:
        raise NotationError(f"no pay of {bet.name} can be set by its edge")
    if row and row not in by:
        raise NotationError(f"to-row={shown(row)}; it is one of {', '.join(by)}")
    slide = by[row] if row else max(by.values(), key=lambda slide: slide.falls)
    profit = slide.profit + (bet.edge - exact(edge)) / slide.falls
    # The pay for exactly this edge may be a fraction that no felt would print.
    profit = profit.limit_denominator(FINEST)
    if profit < 0:
        highest = percent(bet.edge + slide.profit * slide.falls, 2)
        raise NotationError(
            f"the edge {shown(edge)} is more than {highest}, which it is where {slide.label} "
            "pays nothing; give less, or change another pay"
        )
    return edited_text(Address("/", {slide.name: exactly(profit, 60)}), chosen, bet.name)
