"""An evening that a strategy plays at the table, roll by roll, in the band of all its evenings."""

from fractions import Fraction
from functools import lru_cache
from random import Random
from shlex import join
from typing import Any, NamedTuple, TypeAlias

import htpy as h

from sevenout.documents import Column, Fact, Facts, Table
from sevenout.documents.kinds import LABEL
from sevenout.documents.numbers import grouped_amount, minus, won
from sevenout.errors import NotationError, shown
from sevenout.evenings.evening_plan import Plan
from sevenout.lab.address import ROLL_ACT, Address, acts_of, seed_of, with_acts
from sevenout.lab.by_hand import MAX_ROLLS
from sevenout.lab.pages.course_page import QUANTILES
from sevenout.lab.pages.evening_page import (
    EVENING_FIELDS,
    Arguments,
    arguments_of,
    evening_plan,
    evening_result,
)
from sevenout.lab.pages.felt_drawing import (
    PATH,
    ROLL_HINT,
    bar_buttons,
    faces_text,
    felt,
    money_chart,
    puck,
    roll_buttons,
    rolls_log,
    seats,
    undo_button,
)
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import (
    Hero,
    KeyFigure,
    bar_item,
    count_item,
    die,
    heading,
    link_button,
)
from sevenout.lab.widgets.view import Saved, View
from sevenout.questions import question
from sevenout.rolling.throw import throw
from sevenout.rules.casino.betting import Moment
from sevenout.rules.casino.felt import Bets

Fan: TypeAlias = dict[int, tuple[Fraction, ...]]
"""Quantiles of the money by number of rolls, in ascending order."""
FAN_POINTS = 100
"""Points of an evening's fan."""
MIN_ROLLS_SHOWN = 60
"""Rolls of an evening that its chart shows at least."""
RUN_HINT = (
    "Shaded: where nine evenings in ten are, and where half of them are, after each roll; exact. "
    "Dashed: the bankroll."
)
EVENING_PROGRAM = """\
random, sitting = Random({seed}), plan.sitting()
for _ in range({rolls}):
    moment = sitting.roll(throw(plan.bettor.felt.dice, random))
    print(*moment.faces, moment.money, moment.end or "")
    if moment.end:
        break"""
"""A program that rolls an evening."""


class EveningRoll(NamedTuple):
    """A roll of an evening.

    Attributes:
        moment: what the roll did: its faces, what was paid, and the money after it.
        bets: the bets after it, with their amounts.
        point: the point after it; None if it is off.
    """

    moment: Moment
    bets: Bets
    point: int | None


class Evening:
    """An evening played roll by roll; a seed fixes the dice.

    Attributes:
        plan: what is played, and when it ends.
        random: rolls the dice.
        sitting: the evening after the rolls so far.
        rolls: the rolls so far.
        first_bets: the bets before the first roll, with their amounts.
    """

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan, self.random = plan, Random(seed)
        self.sitting = plan.sitting()
        self.rolls: list[EveningRoll] = []
        # Copied, because the sitting changes its bets with every roll.
        self.first_bets = tuple(self.sitting.bets.items())

    def first_rolls(self, count: int) -> list[EveningRoll]:
        """The first rolls; fewer if the evening ends before."""
        sitting, dice = self.sitting, self.plan.bettor.felt.dice
        while len(self.rolls) < count and sitting.end is None:
            moment = sitting.roll(throw(dice, self.random))
            bets = tuple(sitting.bets.items())
            self.rolls.append(EveningRoll(moment, bets, sitting.point))
        return self.rolls[:count]


@lru_cache(maxsize=16)
def cached_evening(strategy: str, arguments: Arguments, seed: int) -> Evening:
    """The evening of an address."""
    return Evening(evening_plan(strategy, arguments), seed)


def page(address: Address) -> View:
    """The page of an evening that a strategy plays, roll by roll, in the exact band."""
    strategy, arguments, seed = address.get("strategy"), arguments_of(address), seed_of(address)
    evening = cached_evening(strategy, arguments, seed)
    rolls = evening.first_rolls(_number_of_rolls(address))
    address_now = address.to(keep=("strategy", "seed", *EVENING_FIELDS))
    address_now = with_acts(address_now, f"roll*{len(rolls)}") if rolls else address_now
    view = View(address, f"{evening.plan.name}, at the table", PATH)
    result = evening_result(strategy, arguments)
    fan = dict(zip(result.fan_rolls, result.fan, strict=True))
    bankroll = evening.plan.bankroll
    money = [bankroll, *(roll.moment.money for roll in rolls)]
    view.body = [
        heading("Play", f"{evening.plan.name}. {_ending_rules(evening)}", seats(address, "", seed)),
        h.div(".columns")[
            h.div(".stack")[_evening_felt(address_now, evening, rolls, seed)],
            h.div(".stack.beside")[
                view.add_card(
                    "results", "So far", _hero(bankroll, rolls), _usual_money(fan, len(rolls))
                ),
                view.add_card("run", "The money, roll by roll", *_money_run(fan, money)),
            ],
            h.div(".stack.below")[
                view.add_card(
                    "log",
                    "The rolls",
                    rolls_log(
                        [(_total(roll), h.span[_payments_text(roll), _end(roll)]) for roll in rolls]
                    ),
                    _evening_rolls_table(rolls),
                ),
            ],
        ],
    ]
    view.python, view.command = _copies(address, seed, len(rolls))
    view.bar = [
        bar_item(minus(won(money[-1] - bankroll)), "so far", main=True),
        bar_item(grouped_amount(money[-1]), "money"),
        count_item(len(rolls), "roll"),
        bar_buttons(
            link_button("Roll", with_acts(address_now, "roll*1"), "main")
            if _rolls_left(evening, rolls)
            else None,
            undo_button(address_now),
        ),
    ]
    return view


def _rolls_left(evening: Evening, rolls: list[EveningRoll]) -> int:
    """The rolls that may still follow."""
    if rolls and rolls[-1].moment.end:
        return 0
    return max(0, min(evening.plan.ends.rolls or MAX_ROLLS, MAX_ROLLS) - len(rolls))


def _number_of_rolls(address: Address) -> int:
    """The rolls of an evening, in which a strategy does all else."""
    acts = acts_of(address)
    rolls = [ROLL_ACT.fullmatch(act) for act in acts]
    if not all(rolls):
        raise NotationError(f"did={shown(address.get('did'))}; a strategy plays: write roll*9")
    return min(sum(int(match[1]) for match in rolls if match), MAX_ROLLS)


def _copies(address: Address, seed: int, rolls: int) -> copies.Copies:
    """The rolls of an evening as a program and a command."""
    strategy = copies.copied_subject(question("evening").subject_kind, address.get("strategy"), 0)
    arguments = dict(arguments_of(address))
    options = "".join(f", {name}={value!r}" for name, value in arguments.items())
    program = copies.program_text(
        [
            "from random import Random",
            "from sevenout.questions.plans import evening_of",
            "from sevenout.rolling.throw import throw",
            *strategy.imports,
        ],
        f"plan = evening_of({strategy.expression}{options})",
        EVENING_PROGRAM.format(seed=seed, rolls=rolls),
    )
    command = ["sevenout", "play", f"--seed={seed}", "--strategy", *strategy.words]
    command += copies.option_words(arguments)
    pipe = copies.piped_moves([""] * rolls)
    return copies.Copies(program, strategy.files + pipe + join(command))


def _ending_rules(evening: Evening) -> str:
    """When an evening ends, in words."""
    ends = evening.plan.ends
    rules = {
        f"plays {ends.rolls or 0:,} rolls": ends.rolls,
        f"leaves with {ends.floor} or less": ends.floor is not None,
        f"leaves with {ends.ceiling} or more": ends.ceiling is not None,
        f"leaves after {ends.shooters} shooters": ends.shooters,
        f"leaves after {ends.bets} bets": ends.bets,
    }
    chosen = [rule for rule, applies in rules.items() if applies]
    return ", ".join([f"Brings {evening.plan.bankroll}", *chosen]) + "."


def _evening_felt(
    address_now: Address, evening: Evening, rolls: list[EveningRoll], seed: int
) -> Any:
    """The felt of an evening: the dice, the call, the buttons and the bets."""
    last, n = rolls[-1] if rolls else None, len(rolls)
    bets = last.bets if last else evening.first_bets
    money = last.moment.money if last else evening.plan.bankroll
    call: Any = ROLL_HINT
    if last:
        call = [h.strong[_total(last)], " · ", _payments_text(last) or "nothing is settled"]
    if last and last.moment.end:
        call = [call, h.br, h.strong[f"The evening is over: {last.moment.end}."]]
    rolls_left = _rolls_left(evening, rolls)
    faces = last.moment.faces if last else ("", "")
    buttons = [
        [
            *roll_buttons(address_now, rolls_left),
            link_button("To the end", with_acts(address_now, f"roll*{rolls_left}")),
        ]
        if rolls_left
        else None,
        undo_button(address_now),
        link_button("Another evening", address_now.to(did=None, seed=seed + 1)),
        link_button(
            "The odds of it",
            address_now.to("/evening", keep=EVENING_FIELDS, a=address_now.get("strategy")),
        ),
    ]
    cost = evening.plan.bettor.felt.cost(bets)
    commission = cost - sum(amount for _, amount in bets)
    standing = h.div(".bets.small")[
        (h.div(".bet")[h.strong[bet], h.span[grouped_amount(amount)]] for bet, amount in bets),
        h.div(".bet")[h.strong["commission"], h.span[grouped_amount(commission)]]
        if commission
        else None,
        h.div(".bet.rail")[h.strong["in the rail"], h.span[grouped_amount(money - cost)]],
    ]
    top = [puck(last.point if last else None), h.div(".dice")[(die(face, n) for face in faces)]]
    return felt(top, call, buttons, standing)


def _total(roll: EveningRoll) -> str:
    """The total of a roll; "" without one."""
    rolled = roll.moment.rolled
    return str(rolled.throw.total) if rolled else ""


def _payments_text(roll: EveningRoll) -> str:
    """What a roll paid, bet by bet."""
    rolled = roll.moment.rolled
    payments = rolled.paid if rolled else ()
    return ", ".join(f"{paid.bet} {minus(won(paid.profit))}" for paid in payments)


def _end(roll: EveningRoll) -> Any:
    """Why the evening ended with this roll; empty if it goes on."""
    return roll.moment.end and h.strong[f" {roll.moment.end}"]


def _evening_rolls_table(rolls: list[EveningRoll]) -> Saved:
    """The rolls of an evening with what they paid, for the file."""
    columns = ["roll", "faces", "total", "paid", Column("money", LABEL), "end"]
    rows = [
        (
            n,
            faces_text(roll.moment.faces),
            _total(roll),
            _payments_text(roll),
            roll.moment.money,
            roll.moment.end,
        )
        for n, roll in enumerate(rolls, 1)
    ]
    return Saved(Table(columns, rows))


def _hero(bankroll: Any, rolls: list[EveningRoll]) -> Any:
    """The money, what was won and what was settled."""
    money = rolls[-1].moment.money if rolls else bankroll
    rolled = [roll.moment.rolled for roll in rolls if roll.moment.rolled]
    settled = sum(payment.stake for roll in rolled for payment in roll.paid)
    return Hero(
        KeyFigure(grouped_amount(money), f"money, of {bankroll} brought", big=True),
        KeyFigure(won(money - bankroll), "won"),
        KeyFigure(grouped_amount(settled), "bet and settled"),
    )


def _usual_money(fan: Fan, n: int) -> Any:
    """The money of all evenings after n rolls, or shortly before, in quantiles."""
    # The fan of a long evening leaves rolls out; without a limit on rolls it has only the start.
    roll = max(k for k in fan if k <= n)
    if not roll:
        return None
    low, below, middle, above, high = fan[roll]
    return Facts(
        Fact(f"the median after {roll:,} rolls", middle, LABEL),
        Fact(
            "half of all evenings have",
            f"{grouped_amount(below)} to {grouped_amount(above)}",
            LABEL,
        ),
        Fact("nine in ten have", f"{grouped_amount(low)} to {grouped_amount(high)}", LABEL),
    )


def _money_run(fan: Fan, money: list[Any]) -> list[Any]:
    """The money after each roll, in the bands of all evenings."""
    n, bankroll = len(money) - 1, money[0]
    last = min(max(MIN_ROLLS_SHOWN, n + n // 2), max(*fan, n, MIN_ROLLS_SHOWN))
    # The fan ends with the evening, which the axis may outlast.
    rolls = [k for k in fan if k <= last]
    indices = {round((len(rolls) - 1) * k / FAN_POINTS) for k in range(FAN_POINTS + 1)}
    steps = [rolls[index] for index in sorted(indices)]
    chart = money_chart(
        [(float(k), float(amount)) for k, amount in enumerate(money)],
        ("rolls", "money"),
        f"After {n:,} rolls there is {grouped_amount(money[-1])} of {bankroll}.",
        min_steps=float(last),
        level=float(bankroll),
        bands=[
            [(float(k), float(fan[k][low]), float(fan[k][-1 - low])) for k in steps]
            for low in (0, 1)
            if len(fan) > 1
        ],
    )
    columns = [Column(name, LABEL) for name in ("rolls", "money", *QUANTILES)]
    rows = [(k, amount, *fan.get(k, (None,) * 5)) for k, amount in enumerate(money[1:], 1)]
    return [chart, Saved(Table(columns, rows)), h.p(".hint")[RUN_HINT] if len(fan) > 1 else None]
