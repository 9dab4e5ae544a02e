"""The table of an evening that a strategy plays, roll by roll, in the exact band."""

from typing import Any

import htpy as h

from sevenout.documents import Column, Fact, Facts, Table
from sevenout.documents.kinds import LABEL
from sevenout.documents.numbers import grouped_amount, many, minus, won
from sevenout.lab.address import Address
from sevenout.lab.by_hand import MOST_ROLLS
from sevenout.lab.evening_address import (
    KEPT,
    Evening,
    EveningRoll,
    command_of,
    evening,
    program_of,
    said_in,
    solved,
)
from sevenout.lab.pages.course_page import QUANTILES
from sevenout.lab.pages.felt_page import PATH, ROLL, die, felt, log, puck, rolling, seats
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.copies import typed
from sevenout.lab.widgets.parts import Hero, KeyFigure, go, heading, item
from sevenout.lab.widgets.view import Saved, View
from sevenout.numerals import parse_seed

SEEN, STEPS = 60, 100
ROLLED = """\
random, sitting = Random({seed}), plan.sitting()
for _ in range({rolls}):
    moment = sitting.roll(throw(plan.bettor.felt.dice, random))
    print(*moment.faces, moment.money, moment.end or "")
    if moment.end:
        break"""
"""A program that rolls an evening."""


def page(address: Address) -> View:
    text, house = address.get("strategy"), address.get("house")
    arguments, seed = said_in(address), parse_seed(address.get("seed") or "1")
    rolls = address.whole("rolls", 0, 0, MOST_ROLLS)
    played = evening(text, arguments, house, seed)
    past = played.after(rolls)
    base = address.to(keep=("strategy", "seed", *KEPT), rolls=len(past) or None)
    view = View(address, f"{played.plan.name}, at the table", PATH)
    result = solved(text, arguments, house)
    money = past[-1].moment.money if past else played.plan.bankroll
    view.body = [
        heading("Play", f"{played.plan.name}. {_ends(played)}", seats(address, "", seed)),
        h.div(".columns")[
            h.div(".stack")[_felt(base, played, past, seed)],
            h.div(".stack.beside")[
                view.card("results", "So far", _hero(played, past), _now(result.fan, past)),
                view.card(
                    "run",
                    "The money, roll by roll",
                    _run(played, result.fan, past),
                    _money(result.fan, past),
                    h.p(".hint")[
                        "Shaded: where nine evenings in ten are, and where half of them are, after "
                        "each roll; exact. Dashed: the bankroll."
                    ]
                    if len(result.fan) > 1
                    else None,
                ),
            ],
            h.div(".stack.below")[
                view.card(
                    "log",
                    "The rolls",
                    log([(_total(turn), _then(turn)) for turn in past]),
                    _saved(past),
                ),
            ],
        ],
    ]
    view.python = program_of(address, text, ROLLED.format(seed=seed, rolls=len(past)))
    rolled = typed([""] * len(past))
    words = (f"--seed={seed}", "--strategy")
    view.command = command_of(address, (text,), *words, before=rolled, verb="play")
    view.bar = [
        item(minus(won(money - played.plan.bankroll)), "so far", main=True),
        item(grouped_amount(money), "money"),
        item(*many(len(past), "roll").split()),
    ]
    return view


def _ends(played: Evening) -> str:
    plan = played.plan
    ends = [f"Brings {plan.bankroll}"]
    ends += [f"plays {plan.ends.rolls:,} rolls"] if plan.ends.rolls else []
    ends += [f"leaves with {plan.ends.floor} or less"] if plan.ends.floor is not None else []
    ends += [f"leaves with {plan.ends.ceiling} or more"] if plan.ends.ceiling is not None else []
    ends += [f"leaves after {plan.ends.shooters} shooters"] if plan.ends.shooters else []
    ends += [f"leaves after {plan.ends.bets} bets"] if plan.ends.bets else []
    return ", ".join(ends) + "."


def _felt(base: Address, played: Evening, past: list[EveningRoll], seed: int) -> Any:
    last, n = past[-1] if past else None, len(past)
    bets = last.bets if last else played.first
    money = last.moment.money if last else played.plan.bankroll
    call: Any = ROLL
    if last:
        call = [h.strong[_total(last)], " · ", _paid(last) or "nothing is settled"]
    if last and last.moment.end:
        call = [call, h.br, h.strong[f"The evening is over: {last.moment.end}."]]
    over = bool(last and last.moment.end) or n >= MOST_ROLLS
    most = min(played.plan.ends.rolls or MOST_ROLLS, MOST_ROLLS)
    faces = last.moment.faces if last else ("", "")
    doing = [
        None if over else [*rolling(base, n, most), go("To the end", base.to(rolls=most))],
        go("Take back", base.to(rolls=n - 1 or None)) if n else None,
        go("Another evening", base.to(rolls=None, seed=seed + 1)),
        go("The odds of it", base.to("/evening", keep=KEPT, a=base.get("strategy"))),
    ]
    cost = played.plan.bettor.felt.cost(bets)
    apart = cost - sum(on for _, on in bets)
    standing = h.div(".bets.small")[
        (h.div(".bet")[h.strong[bet], h.span[grouped_amount(on)]] for bet, on in bets),
        h.div(".bet")[h.strong["commission"], h.span[grouped_amount(apart)]] if apart else None,
        h.div(".bet.rail")[h.strong["in the rail"], h.span[grouped_amount(money - cost)]],
    ]
    top = [puck(last.point if last else None), h.div(".dice")[(die(face, n) for face in faces)]]
    return felt(top, call, doing, standing)


def _total(turn: EveningRoll) -> str:
    rolled = turn.moment.rolled
    return str(rolled.throw.total) if rolled else ""


def _paid(turn: EveningRoll) -> str:
    rolled = turn.moment.rolled
    payments = rolled.paid if rolled else ()
    return ", ".join(f"{paid.bet} {minus(won(paid.profit))}" for paid in payments)


def _then(turn: EveningRoll) -> Any:
    end = turn.moment.end
    return h.span[_paid(turn), end and h.strong[f" {end}"]]


def _saved(past: list[EveningRoll]) -> Saved:
    columns = ["roll", "faces", "total", "paid", Column("money", LABEL), "end"]
    rows = [
        (i, " ".join(map(str, t.moment.faces)), _total(t), _paid(t), t.moment.money, t.moment.end)
        for i, t in enumerate(past, 1)
    ]
    return Saved(Table(columns, rows))


def _hero(played: Evening, past: list[EveningRoll]) -> Any:
    bankroll = played.plan.bankroll
    money = past[-1].moment.money if past else bankroll
    rolled = [turn.moment.rolled for turn in past if turn.moment.rolled]
    settled = sum(payment.stake for roll in rolled for payment in roll.paid)
    return Hero(
        KeyFigure(grouped_amount(money), f"money, of {bankroll} brought", big=True),
        KeyFigure(won(money - bankroll), "won"),
        KeyFigure(grouped_amount(settled), "bet and settled"),
    )


def _now(fan: Any, past: list[EveningRoll]) -> Any:
    n = len(past)
    if not n or n >= len(fan):
        return None
    low, below, middle, above, high = fan[n]
    return Facts(
        Fact(f"the median after {n:,} rolls", middle, LABEL),
        Fact(
            "half of all evenings have",
            f"{grouped_amount(below)} to {grouped_amount(above)}",
            LABEL,
        ),
        Fact("nine in ten have", f"{grouped_amount(low)} to {grouped_amount(high)}", LABEL),
    )


def _run(played: Evening, fan: Any, past: list[EveningRoll]) -> Chart:
    """The money after each roll, in the bands of all evenings."""
    n, bankroll = len(past), played.plan.bankroll
    last = min(max(SEEN, n + n // 2), max(len(fan) - 1, n, SEEN))
    rows = [(k, fan[k]) for k in _apart(min(last, len(fan) - 1))] if len(fan) > 1 else []
    money = [(0, bankroll), *((k, turn.moment.money) for k, turn in enumerate(past, 1))]
    ends = [float(x) for _, x in money] + [float(x) for _, row in rows for x in (row[0], row[-1])]
    room = 0.06 * (max(ends) - min(ends)) or 1.0
    x = chart.axis(0.0, float(last), "rolls", 5)
    y = chart.axis(min(ends) - room, max(ends) + room, "money", 5)
    shapes = chart.level(y, float(bankroll))
    for one, other in ((0, -1), (1, -2)):
        band = [(float(k), float(row[one]), float(row[other])) for k, row in rows]
        shapes += chart.band(x, y, band) if band else ""
    # The last roll is always a point, since the caption names it.
    kept = {*_apart(n), n}
    shapes += chart.line(x, y, [(float(k), float(m)) for k, m in money if k in kept])
    caption = f"After {n:,} rolls there is {grouped_amount(money[-1][1])} of {bankroll}."
    return Chart(x, y, shapes, caption)


def _money(fan: Any, past: list[EveningRoll]) -> Saved:
    columns = [Column(name, LABEL) for name in ("rolls", "money", *QUANTILES)]
    rows = [
        (n, turn.moment.money, *(fan[n] if n < len(fan) else [None] * 5))
        for n, turn in enumerate(past, 1)
    ]
    return Saved(Table(columns, rows))


def _apart(last: int) -> list[int]:
    return sorted({round(last * k / STEPS) for k in range(STEPS + 1)})
