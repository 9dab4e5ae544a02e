"""The table: any game played by hand, and an evening that a strategy plays, roll by roll.

The address holds what was done (`by_hand`). A game of turns has a score card of its own, and the
bets of craps a table of theirs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from random import Random
from shlex import join
from typing import Any, NamedTuple

import htpy as h

from sevenout.documents import Column, Fact, Facts, Table
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, PERCENT, SIGNED, TEXT
from sevenout.documents.numbers import decimal, grouped_amount, minus, quantity, signed, won
from sevenout.errors import NotationError, shown
from sevenout.evenings.evening_plan import Plan
from sevenout.extras import MissingError
from sevenout.lab.address import (
    CRAPS,
    ROLLS,
    Address,
    acts_of,
    after,
    choose,
    counts,
    optimum,
    solved,
)
from sevenout.lab.by_hand import (
    EXACT_BETS,
    MOST_ROLLS,
    Session,
    TableRoll,
    band,
    session,
)
from sevenout.lab.pages import craps_page, scorecard_page
from sevenout.lab.pages.course_page import QUANTILES
from sevenout.lab.pages.evening_page import (
    KEPT_FIELDS,
    Arguments,
    arguments_of,
    evening_plan,
    evening_result,
)
from sevenout.lab.pages.felt_drawing import (
    PATH,
    ROLL,
    bar_buttons,
    felt,
    log,
    money_chart,
    puck,
    roll_buttons,
    seats,
    undo_button,
)
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Hero, KeyFigure, die, go, heading, item, problem
from sevenout.lab.widgets.view import Reply, Saved, View
from sevenout.numerals import parse_seed
from sevenout.questions import question
from sevenout.questions.subjects import GameSubject
from sevenout.rolling.throw import throw
from sevenout.rules import ByTurns, Game
from sevenout.rules.casino.betting import Moment
from sevenout.rules.casino.felt import Bets
from sevenout.solving.bet_result import BetResult

CHIPS = (0, 1, 5, 25, 100)
FIRST = (
    "Put chips on a bet and roll. What you win is shown here, beside the average and the range of "
    "95 sessions in 100."
)
MOST_BETS, MOST_DICE, BANDS = 8, 12, 24
SEEN, STEPS = 60, 100
"""Rolls of an evening that its chart shows at least; and the steps of its bands."""
SHADED = (
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


def page(address: Address) -> View | Reply:
    """The table of a game, of a strategy, or of craps with all its bets."""
    if not address.get("table") and address.get("strategy"):
        return _strategy_view(address)
    if not any(map(address.get, ("game", "did", "seed"))):
        return craps_page.page(address)
    chosen = choose(address.get("game") or CRAPS)
    if isinstance(chosen.game, ByTurns):
        return scorecard_page.page(address, chosen)
    # All faces are shown on the felt, so no dice can be hidden from a player.
    if type(chosen.game).sees is not Game.sees:
        command = f"`sevenout play {address.get('game')} --coach`"
        return _refusal_view(
            address, chosen, f"In this game dice are hidden: play it with {command}."
        )
    if not counts(chosen.notation) and chosen.goal is None:
        return _refusal_view(address, chosen, "This game has too many states for the table.")
    return _play_view(address, chosen)


def _refusal_view(address: Address, chosen: GameSubject, why: str) -> View:
    view = View(address, f"{chosen.title}, at the table", PATH)
    view.body = [h.h1[chosen.title], problem(why)]
    return view


# --- a game by hand -------------------------------------------------------------------------------


def _play_view(address: Address, chosen: GameSubject) -> View:
    """The page of a game that the visitor plays."""
    text, seed = chosen.notation, parse_seed(address.get("seed") or "1")
    bets = solved(text).chain.bets[:MOST_BETS] if counts(text) else ()
    about = chosen.bet if chosen.bet in bets else bets[0] if bets else ""
    played = session(text, seed, acts_of(address), about)
    for bet in played.chips.keys() - bets:
        raise NotationError(f"did={shown(bet)}; the bets are: {', '.join(bets) or 'none'}")
    stakes = [solved(text).bet(bet) for bet in bets]
    view = View(address, f"{chosen.title}, at the table", PATH)
    table = GameTable(after(address.to(did=None), *played.acts), played, stakes)
    view.body = [
        heading("Play", chosen.title, seats(address, text, seed)),
        h.div(".columns" if bets else ".columns.one")[
            h.div(".stack")[table.felt(_coach(text, played) if played.options else {})],
            bets and h.div(".stack.beside")[_money(view, text, table, chosen.goal is not None)],
            h.div(".stack.below")[
                view.card(
                    "log",
                    "The rolls",
                    log([(roll.seen, _roll_result(roll)) for roll in played.rolls]),
                    _rolls_table(played.rolls),
                    note=f"{quantity(len(played.rolls), 'roll')}, "
                    f"{quantity(len(played.ends), 'game')}"
                    if played.rolls
                    else "",
                ),
            ],
        ],
    ]
    view.python, view.command = copies.of_session(chosen, seed, about, played)
    view.bar = [
        item(minus(signed(table.net)), "chips", main=True) if bets else None,
        item(*quantity(len(played.ends), "game").split()),
        item(*quantity(len(played.rolls), "roll").split()),
        bar_buttons(*table.bar_buttons()),
    ]
    return view


def _coach(text: str, played: Session) -> dict[str, str]:
    """The expected value of each option and the cost of a mistake; empty without NumPy."""
    try:
        lines = optimum(text).options(played.position.state)
    except MissingError:
        return {}
    return {
        option.name: f" {decimal(option.value, 4)}, best"
        if not option.margin
        else f" costs {decimal(abs(option.margin), 4)}"
        for option in lines
    }


@dataclass(frozen=True)
class GameTable:
    """The table of a game after some acts.

    Attributes:
        base: the address with these acts.
        played: the session.
        bets: the exact results of the bets on the table.
    """

    base: Address
    played: Session
    bets: list[BetResult]

    @property
    def net(self) -> Fraction:
        """The result of all bets, in chips."""
        nets = [self.played.nets(bet.name) for bet in self.bets]
        return sum((net[-1] for net in nets if net), Fraction(0))

    def felt(self, coach: Mapping[str, str]) -> Any:
        """The felt; `coach` is the text of each option."""
        rolls, options = self.played.rolls, self.played.options
        last = rolls[-1] if rolls else None
        call: Any = ROLL
        if last:
            call = [h.strong[last.seen], " · ", last.settled.label if last.settled else last.after]
        if options:
            silent = "" if coach else " A coach needs NumPy, which is not here."
            call = [call, h.br, f"What do you do?{silent}"]
        shown_roll = last or self.played.opening
        dice = h.div(".dice")[(die(face, len(rolls)) for face in shown_roll.faces[:MOST_DICE])]
        doing = [
            self._choice_buttons(coach),
            undo_button(self.base),
            go("New session", self.base.to(keep=("game", "seed"))),
        ]
        top = [puck(shown_roll.point), dice]
        return felt(top, call, doing, h.div(".bets")[map(self._bet, self.bets)])

    def _choice_buttons(self, coach: Mapping[str, str]) -> Any:
        if options := self.played.options:
            hint = h.span(".hint.onfelt.coach")
            return [
                go([option, hint[coach.get(option, "")]], self._after(option))
                for option in options[:24]
            ]
        left = MOST_ROLLS - len(self.played.rolls)
        if not left:
            return h.p[f"{MOST_ROLLS:,} rolls: the session is over."]
        return roll_buttons(self.base, left)

    def bar_buttons(self) -> list[Any]:
        """What the bar offers; nothing where the felt waits for a choice."""
        if self.played.options or len(self.played.rolls) >= MOST_ROLLS:
            return []
        return [go("Roll", self._after("roll*1"), "main"), undo_button(self.base)]

    def _after(self, act: str) -> Address:
        return after(self.base, act)

    def _bet(self, exact: BetResult) -> Any:
        bet, played = exact.name, self.played
        now = played.chips.get(bet, 0)
        words = ""
        if played.rolls and played.rolls[-1].settled and (before := played.staked(bet)[-1]):
            pay = played.ends[-1][0].pay(bet)
            words = f"{minus(signed(pay.profit / pay.stake * before))} on the last game"
        return h.div(".bet")[
            h.strong[bet],
            h.div(".chips", role="group", aria_label=f"Chips on {bet}")[
                (
                    h.a(
                        class_="chip",
                        href=str(self._after(f"{bet}={chips}")),
                        aria_current="true" if chips == now else None,
                        aria_label=f"{chips} on {bet}",
                    )[str(chips)]
                    for chips in CHIPS
                )
            ],
            h.span(".hint.onfelt")[words],
        ]


def _roll_result(roll: TableRoll) -> Any:
    return h.span(".settled")[roll.settled.label] if roll.settled else h.span[roll.after]


def _rolls_table(rolls: list[TableRoll]) -> Saved:
    rows = [
        (i, " ".join(map(str, e.faces)), e.seen, e.settled.label if e.settled else e.after)
        for i, e in enumerate(rolls, 1)
    ]
    return Saved(Table(["roll", "faces", "seen", "then"], rows))


def _money(view: View, text: str, table: GameTable, scored: bool) -> list[Any]:
    """The results of the bets so far; before the first is settled, each bet's odds or its score."""
    bets, played = table.bets, table.played
    if not played.ends and scored:
        rows = [(bet.name, bet.mean) for bet in bets]
        offered = Table([Column("points"), Column("mean", DECIMAL)], rows)
        return [view.card("results", "Played best", offered)]
    if not played.ends:
        columns = [Column("bet"), Column("wins", PERCENT), Column("house edge", PERCENT)]
        offered = Table(columns, [(bet.name, bet.p_win, bet.edge) for bet in bets])
        return [view.card("results", "The bets", offered, h.p(".soft")[FIRST])]
    results = [BetSoFar(text, bet, played) for bet in bets]
    columns = [
        Column("bet"),
        Column("staked", COUNT),
        Column("net", SIGNED.with_digits(2, sign=True)),
        Column("mean", SIGNED.with_digits(2, sign=True)),
        Column("middle 95 %", TEXT),
    ]
    return [
        view.card("results", "So far", Table(columns, [result.row() for result in results])),
        *(
            view.card(f"run-{i}", result.exact.name.capitalize(), *result.chart())
            for i, result in enumerate(results)
            if any(result.staked)
        ),
    ][:4]


class BetSoFar:
    """A bet over the games that are settled.

    Attributes:
        exact: its exact result.
        staked: its chips in each game.
        nets: its net result after each game.
        means: the mean of that.
        steady: its chips, if they never changed; the interval is that of equal stakes.
    """

    def __init__(self, text: str, exact: BetResult, played: Session) -> None:
        self.text, self.exact = text, exact
        self.staked = played.staked(exact.name)
        self.nets = played.nets(exact.name)
        self.means = [exact.mean * chips for chips in accumulate(self.staked)]
        self.steady = self.staked[0] if len(set(self.staked)) == 1 else 0

    def _band(self, games: int) -> tuple[float, float]:
        low, high = band(self.text, self.exact.name, games)
        return float(low * self.steady), float(high * self.steady)

    def row(self) -> tuple[Any, ...]:
        between = ""
        if self.steady:
            low, high = self._band(len(self.nets))
            between = f"{low:+,.1f} to {high:+,.1f}".replace("-", "−")
        return self.exact.name, sum(self.staked), self.nets[-1], self.means[-1], between

    def chart(self) -> list[Any]:
        """The result after each game; with its expected band if the chips never changed."""
        n, nets, means = len(self.nets), self.nets, self.means
        places = sorted({max(1, round(n * (k + 1) / BANDS)) for k in range(BANDS)} | {1, n})
        bands = [[(0.0, 0.0, 0.0), *((float(k), *self._band(k)) for k in places)]]
        drawn = money_chart(
            [(0.0, 0.0), *((k, float(net)) for k, net in enumerate(nets, 1))],
            ("games", "net, in chips"),
            f"After {n:,} games the net is {nets[-1]}, and {decimal(means[-1], 2)} on average.",
            bands=bands if self.steady else [],
            mean=[(0.0, 0.0), *((k, float(mean)) for k, mean in enumerate(means, 1))],
        )
        how = "exact" if n <= EXACT_BETS else "by the normal approximation"
        words = f"; shaded: the middle 95 %, {how}" if self.steady else ""
        rows = list(zip(range(1, n + 1), nets, means, strict=True))
        columns = [Column("games", COUNT), Column("net", LABEL), Column("mean", DECIMAL)]
        hint = h.p(".hint")[f"dashed: the exact mean{words}"]
        return [drawn, Saved(Table(columns, rows)), hint]


# --- an evening of a strategy ---------------------------------------------------------------------


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
    """An evening played roll by roll; a seed fixes the dice."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan, self.random = plan, Random(seed)
        self.sitting = plan.sitting()
        self.turns: list[EveningRoll] = []
        # Copied, because the sitting changes its bets with every roll.
        self.first = tuple(self.sitting.bets.items())

    def after(self, rolls: int) -> list[EveningRoll]:
        """The first rolls; fewer if the evening ends before."""
        sitting, dice = self.sitting, self.plan.bettor.felt.dice
        while len(self.turns) < rolls and sitting.end is None:
            moment = sitting.roll(throw(dice, self.random))
            bets = tuple(sitting.bets.items())
            self.turns.append(EveningRoll(moment, bets, sitting.point))
        return self.turns[:rolls]


@lru_cache(maxsize=16)
def evening(text: str, arguments: Arguments, house: str, seed: int) -> Evening:
    return Evening(evening_plan(text, arguments, house), seed)


def _strategy_view(address: Address) -> View:
    """The page of an evening that a strategy plays, roll by roll, in the exact band."""
    text, house = address.get("strategy"), address.get("house")
    arguments, seed = arguments_of(address), parse_seed(address.get("seed") or "1")
    played = evening(text, arguments, house, seed)
    past = played.after(_rolls_of(address))
    base = address.to(keep=("strategy", "seed", *KEPT_FIELDS))
    base = after(base, f"roll*{len(past)}") if past else base
    view = View(address, f"{played.plan.name}, at the table", PATH)
    fan = evening_result(text, arguments, house).fan
    bankroll = played.plan.bankroll
    money = [bankroll, *(turn.moment.money for turn in past)]
    view.body = [
        heading("Play", f"{played.plan.name}. {_ends(played)}", seats(address, "", seed)),
        h.div(".columns")[
            h.div(".stack")[_evening_felt(base, played, past, seed)],
            h.div(".stack.beside")[
                view.card("results", "So far", _hero(bankroll, past), _now(fan, len(past))),
                view.card("run", "The money, roll by roll", *_run(fan, money)),
            ],
            h.div(".stack.below")[
                view.card(
                    "log",
                    "The rolls",
                    log(
                        [(_total(turn), h.span[_payments_text(turn), _end(turn)]) for turn in past]
                    ),
                    _evening_rolls_table(past),
                ),
            ],
        ],
    ]
    view.python, view.command = _copies(address, seed, len(past))
    view.bar = [
        item(minus(won(money[-1] - bankroll)), "so far", main=True),
        item(grouped_amount(money[-1]), "money"),
        item(*quantity(len(past), "roll").split()),
        bar_buttons(
            go("Roll", after(base, "roll*1"), "main") if _rolls_left(played, past) else None,
            undo_button(base),
        ),
    ]
    return view


def _rolls_left(played: Evening, past: list[EveningRoll]) -> int:
    """The rolls that may still follow."""
    if past and past[-1].moment.end:
        return 0
    return max(0, min(played.plan.ends.rolls or MOST_ROLLS, MOST_ROLLS) - len(past))


def _rolls_of(address: Address) -> int:
    """The rolls of an evening, in which a strategy does all else."""
    acts = acts_of(address)
    rolls = [ROLLS.fullmatch(act) for act in acts]
    if not all(rolls):
        raise NotationError(f"did={shown(address.get('did'))}; a strategy plays: write roll*9")
    return min(sum(int(match[1]) for match in rolls if match), MOST_ROLLS)


def _copies(address: Address, seed: int, rolls: int) -> tuple[str, str]:
    """The rolls of an evening as a program and a command."""
    strategy = copies.copied_subject(question("evening").subject_kind, address.get("strategy"), 0)
    arguments = dict(arguments_of(address))
    if house := address.get("house"):
        arguments["house"] = house
    options = "".join(f", {name}={value!r}" for name, value in arguments.items())
    program = copies.lines_of(
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
    for name, value in arguments.items():
        command += [f"--{name.replace('_', '-')}", str(value)]
    return program, strategy.files + copies.typed_input([""] * rolls) + join(command)


def _ends(played: Evening) -> str:
    plan = played.plan
    ends = [f"Brings {plan.bankroll}"]
    ends += [f"plays {plan.ends.rolls:,} rolls"] if plan.ends.rolls else []
    ends += [f"leaves with {plan.ends.floor} or less"] if plan.ends.floor is not None else []
    ends += [f"leaves with {plan.ends.ceiling} or more"] if plan.ends.ceiling is not None else []
    ends += [f"leaves after {plan.ends.shooters} shooters"] if plan.ends.shooters else []
    ends += [f"leaves after {plan.ends.bets} bets"] if plan.ends.bets else []
    return ", ".join(ends) + "."


def _evening_felt(base: Address, played: Evening, past: list[EveningRoll], seed: int) -> Any:
    last, n = past[-1] if past else None, len(past)
    bets = last.bets if last else played.first
    money = last.moment.money if last else played.plan.bankroll
    call: Any = ROLL
    if last:
        call = [h.strong[_total(last)], " · ", _payments_text(last) or "nothing is settled"]
    if last and last.moment.end:
        call = [call, h.br, h.strong[f"The evening is over: {last.moment.end}."]]
    left = _rolls_left(played, past)
    faces = last.moment.faces if last else ("", "")
    doing = [
        [*roll_buttons(base, left), go("To the end", after(base, f"roll*{left}"))]
        if left
        else None,
        undo_button(base),
        go("Another evening", base.to(did=None, seed=seed + 1)),
        go("The odds of it", base.to("/evening", keep=KEPT_FIELDS, a=base.get("strategy"))),
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


def _payments_text(turn: EveningRoll) -> str:
    rolled = turn.moment.rolled
    payments = rolled.paid if rolled else ()
    return ", ".join(f"{paid.bet} {minus(won(paid.profit))}" for paid in payments)


def _end(turn: EveningRoll) -> Any:
    return turn.moment.end and h.strong[f" {turn.moment.end}"]


def _evening_rolls_table(past: list[EveningRoll]) -> Saved:
    columns = ["roll", "faces", "total", "paid", Column("money", LABEL), "end"]
    rows = [
        (
            i,
            " ".join(map(str, t.moment.faces)),
            _total(t),
            _payments_text(t),
            t.moment.money,
            t.moment.end,
        )
        for i, t in enumerate(past, 1)
    ]
    return Saved(Table(columns, rows))


def _hero(bankroll: Any, past: list[EveningRoll]) -> Any:
    money = past[-1].moment.money if past else bankroll
    rolled = [turn.moment.rolled for turn in past if turn.moment.rolled]
    settled = sum(payment.stake for roll in rolled for payment in roll.paid)
    return Hero(
        KeyFigure(grouped_amount(money), f"money, of {bankroll} brought", big=True),
        KeyFigure(won(money - bankroll), "won"),
        KeyFigure(grouped_amount(settled), "bet and settled"),
    )


def _now(fan: Any, n: int) -> Any:
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


def _run(fan: Any, money: list[Any]) -> list[Any]:
    """The money after each roll, in the bands of all evenings."""
    n, bankroll = len(money) - 1, money[0]
    last = min(max(SEEN, n + n // 2), max(len(fan) - 1, n, SEEN))
    far = min(last, len(fan) - 1)
    places = sorted({round(far * k / STEPS) for k in range(STEPS + 1)}) if len(fan) > 1 else []
    drawn = money_chart(
        [(float(k), float(amount)) for k, amount in enumerate(money)],
        ("rolls", "money"),
        f"After {n:,} rolls there is {grouped_amount(money[-1])} of {bankroll}.",
        min_steps=float(last),
        level=float(bankroll),
        bands=[
            [(float(k), float(fan[k][low]), float(fan[k][-1 - low])) for k in places]
            for low in (0, 1)
            if places
        ],
    )
    columns = [Column(name, LABEL) for name in ("rolls", "money", *QUANTILES)]
    rows = [
        (k, amount, *(fan[k] if k < len(fan) else [None] * 5))
        for k, amount in enumerate(money[1:], 1)
    ]
    return [drawn, Saved(Table(columns, rows)), h.p(".hint")[SHADED] if len(fan) > 1 else None]
