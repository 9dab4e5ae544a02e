"""The pay table that can be edited: of a point game by event and total, of any other by row."""

from fractions import Fraction
from typing import Any

import htpy as h

from sevenout.errors import NotationError
from sevenout.lab.address import Address
from sevenout.lab.chosen import Chosen, edited, rows_of
from sevenout.lab.parts import Field, form, segments
from sevenout.lab.rulebook import Amount, Rulebook, read
from sevenout.lab.view import Saved
from sevenout.numerals import exact
from sevenout.page import Column, Table
from sevenout.page.kinds import LABEL, PAYS
from sevenout.page.numbers import exactly
from sevenout.rules import Pay
from sevenout.rules.paytable import EVEN

WORDS = {"point": "point made", "easy": "point, the easy way", "late": "out of rolls"}
MOST_ROWS = 120


def repaid(address: Address, chosen: Chosen, bet: str) -> str | None:
    """The text of the game after the pays that the form has sent; None if it sent none.

    Raises:
        SevenoutError: what is wrong with an amount.
    """
    sent = {k: v.strip() for k, v in address.query.items() if k.startswith("p:")}
    if not sent:
        return None
    if chosen.book is None:
        known = len((chosen.rows or rows_of(chosen.game)).get(bet, ()))
        numbers = [key.removeprefix("p:") for key in sent]
        if not all(row.isdecimal() and 1 <= int(row) <= known for row in numbers):
            raise NotationError(f"{bet} has rows 1 to {known}")
        profits = (exact(value or "0") for value in sent.values())
        return edited(chosen, bet, dict(zip(map(int, numbers), profits, strict=True)))
    return _by_total(chosen.book, bet, sent).text


def _by_total(book: Rulebook, bet: str, sent: dict[str, str]) -> Rulebook:
    for key, value in sent.items():
        match key.split(":"):
            case [_, event, totals, roll] if event in EVEN and roll.isdecimal():
                for total in map(_whole, totals.split(",")):
                    amounts = list(book.amounts(bet, event, total))
                    at = int(roll) - 1
                    if at and len(amounts) == 1 and book.limit and at < book.limit:
                        amounts *= book.limit
                    if at < len(amounts):
                        amounts[at] = _like(amounts[at], value)
                        book = book.pay(bet, event, total, amounts)
            case _:
                raise NotationError(f"{key} is no row of the pay table")
    return read(book.text)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise NotationError(f"{text} is not a total") from None


def _like(old: Amount, value: str) -> Amount:
    """Another profit; the money at risk stays."""
    return exact(value or "0"), old[1]


def table(address: Address, chosen: Chosen, bet: str) -> Any:
    """The form: one field for each row."""
    if chosen.book is not None:
        return _point_table(address, chosen.book, bet)
    rows, now = _rows(chosen, bet)
    here = address.to("/", keep=["game", "bet", "from", "pin"])
    return h.div[
        form(
            here,
            h.table(".pays")[
                h.thead[h.tr[h.th["event"], h.th(".number")["pays"]]],
                h.tbody[
                    (
                        h.tr[
                            h.th(scope="row")[pay.event],
                            h.td(".number")[
                                _amount(f"p:{i}", now[pay], pay.event, now[pay] != pay.profit)
                            ],
                        ]
                        for i, pay in enumerate(rows[:MOST_ROWS], 1)
                    )
                ],
            ],
            submit="Set the pays",
            kind="",
        ),
        _staked(rows[0].stake if rows else Fraction(1)),
    ]


def _rows(chosen: Chosen, bet: str) -> tuple[tuple[Pay, ...], dict[Pay, Fraction]]:
    """The rows of a bet's table, and what each pays now."""
    rows = (chosen.rows or rows_of(chosen.game)).get(bet, ())
    return rows, {pay: chosen.edits.get((bet, i), pay.profit) for i, pay in enumerate(rows, 1)}


def saved(chosen: Chosen, bet: str) -> Saved:
    """What a bet is paid as a table, for the file."""
    if chosen.book is None:
        rows, now = _rows(chosen, bet)
        paid = [(pay.event, "", now[pay]) for pay in rows]
    else:
        book = chosen.book
        paid = [
            (WORDS.get(event, event) + (f", roll {i}" if len(amounts) > 1 else ""), str(total), x)
            for event in EVEN
            for total in book.totals_at(event)
            for amounts in [book.amounts(bet, event, total)]
            for i, (x, _) in enumerate(amounts, 1)
        ]
    return Saved(Table(["event", Column("on", LABEL), Column("pays", PAYS)], paid))


def _point_table(address: Address, book: Rulebook, bet: str) -> Any:
    each = address.get("each") == "yes"
    by_roll = book.limit is not None and book.limit <= 6
    rolls = book.limit if by_roll and book.limit else 1
    rows = []
    for event in EVEN:
        groups: dict[Any, list[int]] = {}
        for total in book.totals_at(event):
            key = total if each else book.amounts(bet, event, total)
            groups.setdefault(key, []).append(total)
        for totals in groups.values():
            rows.append((event, totals, book.amounts(bet, event, totals[0])))
    here = address.to("/", keep=["game", "bet", "from", "pin", "each"])

    def cells(event: str, totals: list[int], amounts: tuple[Amount, ...]) -> Any:
        names = ",".join(map(str, totals))
        said = f"{WORDS.get(event, event)} {names}"
        if event in ("point", "easy") and rolls > 1:
            full = (amounts * rolls)[:rolls]
            return [
                h.td(".number")[
                    _amount(f"p:{event}:{names}:{i + 1}", profit, f"{said}, roll {i + 1}")
                ]
                for i, (profit, _) in enumerate(full)
            ]
        changed = amounts[0] != book.even(bet, event)
        field = _amount(f"p:{event}:{names}:1", amounts[0][0], said, changed)
        return h.td(".number", colspan=str(rolls) if rolls > 1 else None)[field]

    head = [h.th(".number")[f"roll {i + 1}" if rolls > 1 else "pays"] for i in range(rolls)]
    return h.div[
        form(
            here,
            h.div(".scroll")[
                h.table(".pays")[
                    h.thead[h.tr[h.th["event"], h.th["on"], head]],
                    h.tbody[
                        (
                            h.tr[
                                h.th(scope="row")[WORDS.get(event, event)],
                                h.td(".on")[", ".join(map(str, totals))],
                                cells(event, totals, amounts),
                            ]
                            for event, totals, amounts in rows
                        )
                    ],
                ]
            ],
            submit="Set the pays",
            kind="",
        ),
        h.p(".hint")[
            _staked_text(book.stakes.get(bet, Fraction(1))),
            " ",
            h.a(href=str(address.to(each=None if each else "yes")))[
                "Totals that pay alike together" if each else "Each total for itself"
            ],
        ],
    ]


def _amount(name: str, profit: Fraction, said: str, changed: bool = False) -> Any:
    return h.input(
        name=name,
        value=exactly(profit, 60),
        aria_label=f"{said} pays",
        class_="amount" + (" changed" if changed else ""),
        inputmode="text",
        autocomplete="off",
        data_send=True,
    )


def _staked(stake: Fraction) -> Any:
    return h.p(".hint")[_staked_text(stake)]


def _staked_text(stake: Fraction) -> str:
    return f"Profit on a stake of {exactly(stake)}: 1, 3/2, −1, 0 for a push.".replace("−", "-")


def choose_bet(address: Address, bets: tuple[str, ...], bet: str) -> Any:
    """The bets of a game, to choose from."""
    if len(bets) < 2:
        return None
    if len(bets) <= 6:
        return segments("Bet", [(b, address.to(bet=b), b == bet) for b in bets])
    field = Field("Bet", "bet", bet, "medium", options=[(b, b) for b in bets])
    return form(address, field, submit="Choose", kind="fields one")
