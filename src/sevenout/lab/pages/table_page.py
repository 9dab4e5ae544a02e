"""The table: any game played by hand.

The address holds what was done (`by_hand`). A game of turns, the bets of craps and an evening that
a strategy plays have pages of their own here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, PERCENT, SIGNED, TEXT
from sevenout.documents.numbers import decimal, minus, quantity, signed
from sevenout.errors import NotationError, shown
from sevenout.extras import MissingError
from sevenout.lab.address import (
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
from sevenout.lab.pages import craps_page, scorecard_page, strategy_page
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
from sevenout.lab.widgets.parts import bar_item, count_item, die, heading, link_button, problem
from sevenout.lab.widgets.view import Reply, Saved, View
from sevenout.questions.subjects import GameSubject
from sevenout.rules import ByTurns, Game
from sevenout.solving.bet_result import BetResult

CHIPS = (0, 1, 5, 25, 100)
FIRST_HINT = (
    "Put chips on a bet and roll. What you win is shown here, beside the average and the range of "
    "95 sessions in 100."
)
MAX_BETS, MAX_RUNS = 8, 3
"""The bets of a game that have room on the felt; and bets with charts."""
BAND_POINTS = 24
"""Points of the band of a game's bet."""


def page(address: Address) -> View | Reply:
    """The table of a game, of a strategy, or of craps with all its bets."""
    if not address.get("table") and address.get("strategy"):
        return strategy_page.page(address)
    if not any(map(address.get, ("game", "did", "seed"))):
        return craps_page.page(address)
    subject = game_subject(address.get("game"))
    if isinstance(subject.game, ByTurns):
        return scorecard_page.page(address, subject)
    # All faces are shown on the felt, so no dice can be hidden from a player.
    if type(subject.game).sees is not Game.sees:
        return _refusal_view(address, subject, "In this game dice are hidden")
    if not can_value_bets(subject.notation) and subject.goal is None:
        return _refusal_view(address, subject, "This game has too many states for the table")
    return _play_view(address, subject)


def _refusal_view(address: Address, subject: GameSubject, why: str) -> View:
    """A page that says why a game can't be played here, and where it can."""
    view = View(address, f"{subject.title}, at the table", PATH)
    view.command = copies.command(subject, "play", *(["--coach"] if subject.goal else []))
    # A game without a name is written to a file first, which the copied command does.
    words = view.command.splitlines()[-1]
    view.body = [h.h1[subject.title], problem(f"{why}: play it with `{words}`.")]
    return view


# --- a game by hand -------------------------------------------------------------------------------


def _play_view(address: Address, subject: GameSubject) -> View:
    """The page of a game that the visitor plays."""
    notation, seed = subject.notation, seed_of(address)
    all_bets = solution_of(notation).chain.bets if can_value_bets(notation) else ()
    bets = all_bets[:MAX_BETS]
    main_bet = subject.bet if subject.bet in bets else bets[0] if bets else ""
    session = cached_session(notation, seed, acts_of(address), main_bet)
    for bet in session.chips.keys() - bets:
        raise NotationError(f"did={shown(bet)}; the table has: {', '.join(bets) or 'no bets'}")
    exact_bets = [solution_of(notation).bet(bet) for bet in bets]
    view = View(address, f"{subject.title}, at the table", PATH)
    rolls, games = len(session.rolls), len(session.finished_games)
    table = GameTable(with_acts(address.to(did=None), *session.acts), session, exact_bets)
    view.body = [
        heading("Play", subject.title, seats(address, notation, seed)),
        h.div(".columns" if bets else ".columns.one")[
            h.div(".stack")[
                table.felt(_coach(notation, session) if session.options else {}),
                h.p(".hint")[f"These are the first {MAX_BETS} of {len(all_bets)} bets."]
                if len(all_bets) > MAX_BETS
                else None,
            ],
            bets and h.div(".stack.beside")[_results(view, subject, table)],
            h.div(".stack.below")[
                view.add_card(
                    "log",
                    "The rolls",
                    rolls_log([(roll.call, _result_node(roll)) for roll in session.rolls]),
                    _rolls_table(session.rolls),
                    note=f"{quantity(rolls, 'roll')}, {quantity(games, 'game')}" if rolls else "",
                ),
            ],
        ],
    ]
    view.python, view.command = copies.of_session(subject, seed, main_bet, session)
    view.bar = [
        bar_item(minus(signed(table.net)), "chips", main=True) if bets else None,
        count_item(games, "game"),
        count_item(rolls, "roll"),
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
        option.name: f" costs {decimal(abs(option.cost), 4)}"
        if option.cost
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
        dice = h.div(".dice")[(die(face, len(rolls)) for face in shown_roll.faces)]
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
                for option in options
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


def _result_node(roll: TableRoll) -> Any:
    """What a roll led to, marked if it settled the game."""
    return h.span(class_="settled" if roll.settled else None)[roll.result]


def _rolls_table(rolls: list[TableRoll]) -> Saved:
    rows = [(n, faces_text(roll.faces), roll.call, roll.result) for n, roll in enumerate(rolls, 1)]
    return Saved(Table(["roll", "faces", "seen", "then"], rows))


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
