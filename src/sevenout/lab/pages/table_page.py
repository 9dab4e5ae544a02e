"""The table: any game played by hand, and an evening that a strategy plays, roll by roll.

The address holds what was done (`by_hand`). A game of turns has a score card of its own, and the
bets of craps a table of theirs.
"""

from collections.abc import Iterable, Mapping
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
    ROLL_ACT,
    Address,
    acts_of,
    can_value_bets,
    game_subject,
    optimum,
    seed_of,
    solution_of,
    with_acts,
)
from sevenout.lab.by_hand import (
    MAX_EXACT_BETS,
    MAX_ROLLS,
    Session,
    TableRoll,
    cached_session,
    central_interval,
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
    ROLL_HINT,
    bar_buttons,
    felt,
    money_chart,
    puck,
    roll_buttons,
    rolls_log,
    seats,
    undo_button,
)
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Hero, KeyFigure, bar_item, die, heading, link_button, problem
from sevenout.lab.widgets.view import Reply, Saved, View
from sevenout.questions import question
from sevenout.questions.subjects import GameSubject
from sevenout.rolling.throw import throw
from sevenout.rules import ByTurns, Game
from sevenout.rules.casino.betting import Moment
from sevenout.rules.casino.felt import Bets
from sevenout.solving.bet_result import BetResult

CHIPS = (0, 1, 5, 25, 100)
FIRST_HINT = (
    "Put chips on a bet and roll. What you win is shown here, beside the average and the range of "
    "95 sessions in 100."
)
MAX_BETS, MAX_DICE, MAX_RUNS = 8, 12, 3
"""The bets of a game and the dice of a roll that have room on the felt; and bets with charts."""
BAND_POINTS, FAN_POINTS = 24, 100
"""Points of the band of a game's bet, and of an evening's fan."""
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


def page(address: Address) -> View | Reply:
    """The table of a game, of a strategy, or of craps with all its bets."""
    if not address.get("table") and address.get("strategy"):
        return _strategy_view(address)
    if not any(map(address.get, ("game", "did", "seed"))):
        return craps_page.page(address)
    subject = game_subject(address.get("game"))
    if isinstance(subject.game, ByTurns):
        return scorecard_page.page(address, subject)
    # All faces are shown on the felt, so no dice can be hidden from a player.
    if type(subject.game).sees is not Game.sees:
        command = f"`sevenout play {address.get('game')} --coach`"
        why = f"In this game dice are hidden: play it with {command}."
        return _refusal_view(address, subject, why)
    if not can_value_bets(subject.notation) and subject.goal is None:
        return _refusal_view(address, subject, "This game has too many states for the table.")
    return _play_view(address, subject)


def _refusal_view(address: Address, subject: GameSubject, why: str) -> View:
    """A page that says why a game can't be played here."""
    view = View(address, f"{subject.title}, at the table", PATH)
    view.body = [h.h1[subject.title], problem(why)]
    return view


# --- a game by hand -------------------------------------------------------------------------------


def _play_view(address: Address, subject: GameSubject) -> View:
    """The page of a game that the visitor plays."""
    notation, seed = subject.notation, seed_of(address)
    bets = solution_of(notation).chain.bets[:MAX_BETS] if can_value_bets(notation) else ()
    main_bet = subject.bet if subject.bet in bets else bets[0] if bets else ""
    session = cached_session(notation, seed, acts_of(address), main_bet)
    for bet in session.chips.keys() - bets:
        raise NotationError(f"did={shown(bet)}; the bets are: {', '.join(bets) or 'none'}")
    exact_bets = [solution_of(notation).bet(bet) for bet in bets]
    view = View(address, f"{subject.title}, at the table", PATH)
    rolls = quantity(len(session.rolls), "roll")
    finished = quantity(len(session.finished_games), "game")
    table = GameTable(with_acts(address.to(did=None), *session.acts), session, exact_bets)
    view.body = [
        heading("Play", subject.title, seats(address, notation, seed)),
        h.div(".columns" if bets else ".columns.one")[
            h.div(".stack")[table.felt(_coach(notation, session) if session.options else {})],
            bets and h.div(".stack.beside")[_results(view, subject, table)],
            h.div(".stack.below")[
                view.add_card(
                    "log",
                    "The rolls",
                    rolls_log([(roll.call, _roll_result(roll)) for roll in session.rolls]),
                    _rolls_table(session.rolls),
                    note=f"{rolls}, {finished}" if session.rolls else "",
                ),
            ],
        ],
    ]
    view.python, view.command = copies.of_session(subject, seed, main_bet, session)
    view.bar = [
        bar_item(minus(signed(table.net)), "chips", main=True) if bets else None,
        bar_item(*finished.split()),
        bar_item(*rolls.split()),
        bar_buttons(*table.bar_buttons()),
    ]
    return view


def _coach(notation: str, session: Session) -> dict[str, str]:
    """The expected value of each option and the cost of a mistake; empty without NumPy."""
    try:
        options = optimum(notation).options(session.position.state)
    except MissingError:
        return {}
    return {
        option.name: f" costs {decimal(abs(option.margin), 4)}"
        if option.margin
        else f" {decimal(option.value, 4)}, best"
        for option in options
    }


@dataclass(frozen=True)
class GameTable:
    """The table of a game after some acts.

    Attributes:
        address_now: the address after them.
        session: the session.
        bets: the exact results of the bets on the table.
    """

    address_now: Address
    session: Session
    bets: list[BetResult]

    @property
    def net(self) -> Fraction:
        """The result of all bets, in chips."""
        nets = [self.session.nets(bet.name) for bet in self.bets]
        return sum((net[-1] for net in nets if net), Fraction(0))

    def felt(self, coach: Mapping[str, str]) -> Any:
        """The felt; `coach` is the text of each option."""
        rolls, options = self.session.rolls, self.session.options
        last = rolls[-1] if rolls else None
        call: Any = ROLL_HINT
        if last:
            call = [h.strong[last.call], " · ", last.result]
        if options:
            no_coach = "" if coach else " A coach needs NumPy, which is not here."
            call = [call, h.br, f"What do you do?{no_coach}"]
        shown_roll = last or self.session.blank_roll
        dice = h.div(".dice")[(die(face, len(rolls)) for face in shown_roll.faces[:MAX_DICE])]
        buttons = [
            self._choice_buttons(coach),
            undo_button(self.address_now),
            link_button("New session", self.address_now.to(keep=("game", "seed"))),
        ]
        top = [puck(shown_roll.point), dice]
        return felt(top, call, buttons, h.div(".bets")[map(self._bet, self.bets)])

    def _choice_buttons(self, coach: Mapping[str, str]) -> Any:
        """The buttons of the options, with their costs if the coach is on."""
        if options := self.session.options:
            hint = h.span(".hint.onfelt.coach")
            return [
                link_button([option, hint[coach.get(option, "")]], self._address_after(option))
                for option in options[:24]
            ]
        rolls_left = MAX_ROLLS - len(self.session.rolls)
        if not rolls_left:
            return h.p[f"{MAX_ROLLS:,} rolls: the session is over."]
        return roll_buttons(self.address_now, rolls_left)

    def bar_buttons(self) -> list[Any]:
        """What the bar offers; nothing where the felt waits for a choice."""
        if self.session.options or len(self.session.rolls) >= MAX_ROLLS:
            return []
        return [
            link_button("Roll", self._address_after("roll*1"), "main"),
            undo_button(self.address_now),
        ]

    def _address_after(self, act: str) -> Address:
        return with_acts(self.address_now, act)

    def _bet(self, exact: BetResult) -> Any:
        """A bet: the chips to choose from, and its result of the last game."""
        bet, session = exact.name, self.session
        chips_now = session.chips.get(bet, 0)
        result = ""
        if session.rolls and session.rolls[-1].settled and (stake := session.stakes(bet)[-1]):
            pay = session.finished_games[-1][0].pay(bet)
            result = f"{minus(signed(pay.profit / pay.stake * stake))} on the last game"
        return h.div(".bet")[
            h.strong[bet],
            h.div(".chips", role="group", aria_label=f"Chips on {bet}")[
                (
                    h.a(
                        class_="chip",
                        href=str(self._address_after(f"{bet}={chips}")),
                        aria_current="true" if chips == chips_now else None,
                        aria_label=f"{chips} on {bet}",
                    )[str(chips)]
                    for chips in CHIPS
                )
            ],
            h.span(".hint.onfelt")[result],
        ]


def _roll_result(roll: TableRoll) -> Any:
    return h.span(".settled")[roll.settled.label] if roll.settled else h.span[roll.next_state]


def _rolls_table(rolls: list[TableRoll]) -> Saved:
    rows = [(n, _faces_text(roll.faces), roll.call, roll.result) for n, roll in enumerate(rolls, 1)]
    return Saved(Table(["roll", "faces", "seen", "then"], rows))


def _faces_text(faces: Iterable[Any]) -> str:
    return " ".join(map(str, faces))


def _results(view: View, subject: GameSubject, table: GameTable) -> list[Any]:
    """The results of the bets so far; before the first is settled, each bet's odds or its score."""
    bets, session = table.bets, table.session
    # The bets of a game with choices are scores, on which nothing is staked.
    if not session.finished_games and subject.goal is not None:
        rows = [(bet.name, bet.mean) for bet in bets]
        offered = Table([Column("points"), Column("mean", DECIMAL)], rows)
        return [view.add_card("results", "Played best", offered)]
    if not session.finished_games:
        columns = [Column("bet"), Column("wins", PERCENT), Column("house edge", PERCENT)]
        offered = Table(columns, [(bet.name, bet.p_win, bet.edge) for bet in bets])
        return [view.add_card("results", "The bets", offered, h.p(".soft")[FIRST_HINT])]
    results = [BetSoFar(subject.notation, bet, session) for bet in bets]
    columns = [
        Column("bet"),
        Column("staked", COUNT),
        Column("net", SIGNED.with_digits(2, sign=True)),
        Column("mean", SIGNED.with_digits(2, sign=True)),
        Column("middle 95 %", TEXT),
    ]
    table_of_results = Table(columns, [result.row() for result in results])
    staked = [(i, result) for i, result in enumerate(results) if any(result.stakes)]
    return [
        view.add_card("results", "So far", table_of_results),
        *(
            view.add_card(f"run-{i}", result.exact.name.capitalize(), *result.chart())
            for i, result in staked[:MAX_RUNS]
        ),
    ]


class BetSoFar:
    """A bet over the games that are settled.

    Attributes:
        notation: the game.
        exact: its exact result.
        stakes: its chips in each game.
        nets: its net result after each game.
        means: the mean of that.
        constant_stake: its chips, if they never changed; the interval is that of equal stakes.
    """

    def __init__(self, notation: str, exact: BetResult, session: Session) -> None:
        self.notation, self.exact = notation, exact
        self.stakes = session.stakes(exact.name)
        self.nets = session.nets(exact.name)
        self.means = [exact.mean * chips for chips in accumulate(self.stakes)]
        self.constant_stake = self.stakes[0] if len(set(self.stakes)) == 1 else 0

    def _interval(self, games: int) -> tuple[float, float]:
        """The middle 95 % of the net result, in chips."""
        low, high = central_interval(self.notation, self.exact.name, games)
        return float(low * self.constant_stake), float(high * self.constant_stake)

    def row(self) -> tuple[Any, ...]:
        """The bet, its stakes, its net result, the mean of that, and its middle 95 %."""
        between = ""
        if self.constant_stake:
            low, high = self._interval(len(self.nets))
            between = f"{low:+,.1f} to {high:+,.1f}".replace("-", "−")
        return self.exact.name, sum(self.stakes), self.nets[-1], self.means[-1], between

    def chart(self) -> list[Any]:
        """The result after each game; with its expected band if the chips never changed."""
        n, nets, means = len(self.nets), self.nets, self.means
        spaced = (round(n * k / BAND_POINTS) for k in range(1, BAND_POINTS + 1))
        games_drawn = sorted({1, *(max(1, games) for games in spaced)})
        bands = [[(0.0, 0.0, 0.0), *((float(k), *self._interval(k)) for k in games_drawn)]]
        chart = money_chart(
            _from_zero(nets),
            ("games", "net, in chips"),
            f"After {n:,} games the net is {nets[-1]}, and {decimal(means[-1], 2)} on average.",
            bands=bands if self.constant_stake else [],
            mean=_from_zero(means),
        )
        how = "exact" if n <= MAX_EXACT_BETS else "by the normal approximation"
        words = f"; shaded: the middle 95 %, {how}" if self.constant_stake else ""
        rows = list(zip(range(1, n + 1), nets, means, strict=True))
        columns = [Column("games", COUNT), Column("net", LABEL), Column("mean", DECIMAL)]
        hint = h.p(".hint")[f"dashed: the exact mean{words}"]
        return [chart, Saved(Table(columns, rows)), hint]


def _from_zero(nets: Iterable[Fraction]) -> list[tuple[float, float]]:
    """The points of a line through the net result after each game, which begins at 0."""
    return [(float(games), float(net)) for games, net in enumerate([Fraction(0), *nets])]


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
def cached_evening(strategy: str, arguments: Arguments, house: str, seed: int) -> Evening:
    """The evening of an address."""
    return Evening(evening_plan(strategy, arguments, house), seed)


def _strategy_view(address: Address) -> View:
    """The page of an evening that a strategy plays, roll by roll, in the exact band."""
    strategy, house = address.get("strategy"), address.get("house")
    arguments, seed = arguments_of(address), seed_of(address)
    evening = cached_evening(strategy, arguments, house, seed)
    rolls = evening.first_rolls(_number_of_rolls(address))
    address_now = address.to(keep=("strategy", "seed", *KEPT_FIELDS))
    address_now = with_acts(address_now, f"roll*{len(rolls)}") if rolls else address_now
    view = View(address, f"{evening.plan.name}, at the table", PATH)
    fan = evening_result(strategy, arguments, house).fan
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
        bar_item(*quantity(len(rolls), "roll").split()),
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


def _copies(address: Address, seed: int, rolls: int) -> tuple[str, str]:
    """The rolls of an evening as a program and a command."""
    strategy = copies.copied_subject(question("evening").subject_kind, address.get("strategy"), 0)
    arguments = dict(arguments_of(address))
    if house := address.get("house"):
        arguments["house"] = house
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
    return program, strategy.files + copies.piped_moves([""] * rolls) + join(command)


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
            address_now.to("/evening", keep=KEPT_FIELDS, a=address_now.get("strategy")),
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
            _faces_text(roll.moment.faces),
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


def _usual_money(fan: Any, n: int) -> Any:
    """The money of all evenings after some rolls, in quantiles."""
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


def _money_run(fan: Any, money: list[Any]) -> list[Any]:
    """The money after each roll, in the bands of all evenings."""
    n, bankroll = len(money) - 1, money[0]
    last = min(max(MIN_ROLLS_SHOWN, n + n // 2), max(len(fan) - 1, n, MIN_ROLLS_SHOWN))
    # The fan ends with the evening, which the axis may outlast.
    fan_end = min(last, len(fan) - 1)
    steps = sorted({round(fan_end * k / FAN_POINTS) for k in range(FAN_POINTS + 1)})
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
    rows = [
        (k, amount, *(fan[k] if k < len(fan) else [None] * 5))
        for k, amount in enumerate(money[1:], 1)
    ]
    return [chart, Saved(Table(columns, rows)), h.p(".hint")[RUN_HINT] if len(fan) > 1 else None]
