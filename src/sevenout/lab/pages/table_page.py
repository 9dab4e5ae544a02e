"""The table: a game played by hand. The address holds the seed, the rolls and the chips."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from urllib.parse import quote, unquote

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, PERCENT, SIGNED, TEXT
from sevenout.documents.numbers import decimal, many, minus, signed
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.extras import MissingError
from sevenout.lab.address import CRAPS, Address, choose, counts, kind_of, optimum, solved
from sevenout.lab.by_hand import (
    EXACT_BETS,
    MOST_ROLLS,
    TableRoll,
    band,
    chips_at,
    chips_of,
    nets,
    session,
)
from sevenout.lab.pages import scorecard_page, watch_page
from sevenout.lab.pages.felt_page import PATH, ROLL, die, felt, log, puck, reached, rolling, seats
from sevenout.lab.widgets import chart, copies
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import go, heading, item, problem
from sevenout.lab.widgets.view import Reply, Saved, View
from sevenout.numerals import parse_seed
from sevenout.rules import ByTurns, Game, Outcome
from sevenout.solving.bet_result import BetResult

CHIPS = (0, 1, 5, 25, 100)
FIRST = (
    "Put chips on a bet and roll. What you win is shown here, beside the average and the range of "
    "95 sessions in 100."
)
MOST_BETS, MOST_DICE, BANDS = 8, 12, 24


def page(address: Address) -> View | Reply:
    """The page of a session; of an evening, if a strategy plays."""
    if address.get("strategy"):
        return watch_page.page(address)
    text = address.get("game") or CRAPS
    chosen = choose(text)
    if isinstance(chosen.game, ByTurns):
        return scorecard_page.page(address, chosen)
    view = View(address, f"{chosen.title}, at the table", PATH)
    # All faces are shown on the felt, so no dice can be hidden from a player.
    if type(chosen.game).sees is not Game.sees:
        terminal = f"In this game dice are hidden: play it with `sevenout play {text} --coach`."
        view.body = [h.h1[chosen.title], problem(terminal)]
        return view
    seed = parse_seed(address.get("seed") or "1")
    rolls = address.whole("rolls", 0, 0, MOST_ROLLS)
    counted = counts(text)
    if not counted and chosen.goal is None:
        view.body = [h.h1[chosen.title], problem("This game has too many states for the table.")]
        return view
    answers = tuple(unquote(a) for a in address.get("did").split("|") if a)
    if answers and chosen.goal is None:
        raise NotationError(f"did={shown(address.get('did'))}; nothing is asked here: leave it out")
    played = session(text, seed, answers)
    past = played.after(rolls)
    decision, waits = played.waits.get(len(past), (None, ()))
    ends = played.ends_of(len(past))
    base = address.to(rolls=len(past) or None)
    bets = solved(text).chain.bets[:MOST_BETS] if counted else ()
    about = chosen.bet if chosen.bet in bets else bets[0] if bets else ""
    chips_text = address.get("chips") or (f"0:{quote(about, safe=' ')}:1" if about else "")
    try:
        chips = chips_of(chips_text)
    except SevenoutError as error:
        return _wrong(view, kind_of(error))
    chips = {unquote(bet): changes for bet, changes in chips.items()}
    stakes = [(bet, chips.get(bet, []), solved(text).bet(bet)) for bet in bets]
    on = {bet: changes for bet, changes in chips.items() if bet in bets}
    at = {exact.name: exact.stake for _, _, exact in stakes}
    moves = played.moves_of(len(past))
    view.python, view.command = copies.played(chosen, seed, moves, on, at)
    totals = [
        (bet, changes, exact, nets(ends, bet, exact.stake, changes))
        for bet, changes, exact in stakes
    ]
    opening = played.opening
    state = TableState(base, past, [e for _, _, e in stakes], chips, chips_text, len(ends), opening)
    view.body = [
        heading("Play", chosen.title, seats(address, text, seed)),
        h.div(".columns" if bets else ".columns.one")[
            h.div(".stack")[state.felt(waits, _coach(text, decision) if waits else {})],
            bets and h.div(".stack.beside")[_money(view, text, totals, len(ends), chosen.goal)],
            h.div(".stack.below")[
                view.card(
                    "log",
                    "The rolls",
                    log([(e.seen, _then(e)) for e in past]),
                    _saved(past),
                    note=_counted(past, ends),
                ),
            ],
        ],
    ]
    view.bar = _bar(past, ends, totals, state.reached(waits))
    return view


def _money(view: View, text: str, totals: list[Any], ended: int, goal: Any) -> list[Any]:
    """The results of the bets so far; before the first is settled, the bets."""
    stakes = [(bet, changes, exact) for bet, changes, exact, _ in totals]
    if ended:
        first = view.card("results", "So far", _results(text, totals, ended))
    else:
        first = view.card("results", *_offered(stakes, scored=goal is not None))
    running = [
        view.card(f"run-{i}", bet.capitalize(), *_running(text, bet, changes, net))
        for i, (bet, changes, _, net) in enumerate(totals)
        if net and any(many for _, many in changes)
    ]
    return [first, *running[:3]]


def _coach(text: str, state: Any) -> dict[str, str]:
    """The expected value of each option and the cost of a mistake; empty without NumPy."""
    try:
        lines = optimum(text).at(state)
    except MissingError:
        return {}
    return {
        option.name: f" {decimal(option.value, 4)}, best"
        if not option.margin
        else f" costs {decimal(abs(option.margin), 4)}"
        for option in lines
    }


def _wrong(view: View, text: str) -> View:
    view.title, view.status = "Refused", 400
    view.body = [h.h1["Play"], problem(text, go("A new session", PATH, "main"))]
    return view


@dataclass(frozen=True)
class TableState:
    """The table after some rolls.

    Attributes:
        base: the address with these rolls.
        past: the rolls so far.
        bets: the exact results of the bets on the table.
        games: how many games are settled.
        chips: the changes of the chips on each bet.
        chips_text: the same, as in the address.
        opening: the table before the first roll.
    """

    base: Address
    past: list[TableRoll]
    bets: list[BetResult]
    chips: dict[str, list[tuple[int, int]]]
    chips_text: str
    games: int
    opening: TableRoll

    def felt(self, waits: tuple[str, ...], coach: dict[str, str]) -> Any:
        """The felt; `waits` are the options to choose from, `coach` the text of each."""
        base, past, n = self.base, self.past, len(self.past)
        last = past[-1] if past else None
        call: Any = ROLL
        if last:
            call = [h.strong[last.seen], " · ", last.settled.label if last.settled else last.after]
        if waits:
            silent = "" if coach else " A coach needs NumPy, which is not here."
            call = [call, h.br, f"What do you do?{silent}"]
        shown = last or self.opening
        doing = [
            self._doing(waits, coach),
            # An answer to the last roll would stay in the address after that roll is gone.
            go("Take back", base.to(rolls=n - 1 or None)) if n and not base.get("did") else None,
            go("New session", base.to(keep=("game", "seed"))),
        ]
        dice = h.div(".dice")[(die(face, n) for face in shown.faces[:MOST_DICE])]
        top = [puck(shown.point), dice]
        return felt(top, call, doing, h.div(".bets")[map(self.bet, self.bets)])

    def _doing(self, waits: tuple[str, ...], coach: dict[str, str]) -> Any:
        base, n = self.base, len(self.past)
        if waits:
            did = base.get("did")
            return [
                go(
                    [option, h.span(".hint.onfelt.coach")[coach.get(option, "")]],
                    base.to(did="|".join(filter(None, [did, quote(option, safe=" ")]))),
                )
                for option in waits[:24]
            ]
        if n >= MOST_ROLLS:
            return h.p[f"{MOST_ROLLS:,} rolls: the session is over."]
        return rolling(base, n, MOST_ROLLS)

    def reached(self, waits: tuple[str, ...]) -> list[Any]:
        """What the bar offers; nothing where the felt waits for an answer."""
        base, n = self.base, len(self.past)
        if waits or n >= MOST_ROLLS:
            return []
        back = [go("Take back", base.to(rolls=n - 1 or None))] if n and not base.get("did") else []
        return [go("Roll", base.to(rolls=n + 1), "main"), *back]

    def bet(self, exact: BetResult) -> Any:
        bet, last = exact.name, self.past[-1] if self.past else None
        changes = self.chips.get(bet, [])
        now = chips_at(changes, self.games)
        word = quote(bet, safe=" ")
        # A second change before the same game replaces the first.
        kept = [p for p in self.chips_text.split(",") if not p.startswith(f"{self.games}:{word}:")]
        words = ""
        if last and last.settled and (before := chips_at(changes, self.games - 1)):
            won = last.settled.profit(bet) / exact.stake * before
            words = f"{minus(signed(won))} on the last game"

        def to(many: int) -> Address:
            chips = ",".join([*filter(None, kept), f"{self.games}:{word}:{many}"])
            return self.base.to(chips=chips)

        return h.div(".bet")[
            h.strong[bet],
            h.div(".chips", role="group", aria_label=f"Chips on {bet}")[
                (
                    h.a(
                        class_="chip",
                        href=str(to(many)),
                        aria_current="true" if many == now else None,
                        aria_label=f"{many} on {bet}",
                    )[str(many)]
                    for many in CHIPS
                )
            ],
            h.span(".hint.onfelt")[words],
        ]


def _then(event: TableRoll) -> Any:
    return h.span(".settled")[event.settled.label] if event.settled else h.span[event.after]


def _saved(past: list[TableRoll]) -> Saved:
    columns = ["roll", "faces", "seen", "then"]
    rows = [
        (i, " ".join(map(str, e.faces)), e.seen, e.settled.label if e.settled else e.after)
        for i, e in enumerate(past, 1)
    ]
    return Saved(Table(columns, rows))


def _counted(past: list[TableRoll], ends: list[Outcome]) -> str:
    return f"{many(len(past), 'roll')}, {many(len(ends), 'game')}" if past else ""


def _offered(stakes: list[Any], scored: bool) -> tuple[Any, ...]:
    """Before a game is settled: each bet's odds and cost, or a game's score."""
    if scored:
        rows = [(bet, exact.mean) for bet, _, exact in stakes]
        return "Played best", Table([Column("points"), Column("mean", DECIMAL)], rows)
    columns = [Column("bet"), Column("wins", PERCENT), Column("house edge", PERCENT)]
    table = Table(columns, [(bet, exact.p_win, exact.edge) for bet, _, exact in stakes])
    return "The bets", table, h.p(".soft")[FIRST]


def _results(text: str, totals: list[Any], games: int) -> Table:
    rows = []
    for bet, changes, exact, net in totals:
        staked = sum(chips_at(changes, game) for game in range(games))
        mean = exact.mean * staked
        # The interval is that of equal stakes, so there is none after a change of chips.
        steady = {chips_at(changes, game) for game in range(games)}
        between = ""
        if len(steady) == 1 and games and staked:
            low, high = (float(end) * steady.copy().pop() for end in band(text, bet, games))
            between = f"{low:+,.1f} to {high:+,.1f}".replace("-", "−")
        rows.append((bet, staked, net[-1] if net else Fraction(0), mean, between))
    columns = [
        Column("bet"),
        Column("staked", COUNT),
        Column("net", SIGNED.to(2, sign=True)),
        Column("mean", SIGNED.to(2, sign=True)),
        Column("middle 95 %", TEXT),
    ]
    return Table(columns, rows)


def _running(text: str, bet: str, changes: list[tuple[int, int]], net: list[Fraction]) -> list[Any]:
    """The result after each game; with its expected band if the chips never changed."""
    n = len(net)
    exact = solved(text).bet(bet)
    steady = {chips_at(changes, game) for game in range(n)}
    bands: list[tuple[float, float, float]] = []
    if len(steady) == 1:
        chips = steady.copy().pop()
        places = sorted({max(1, round(n * (k + 1) / BANDS)) for k in range(BANDS)} | {1, n})
        ends = [(k, *band(text, bet, k)) for k in places]
        bands = [
            (0.0, 0.0, 0.0),
            *((float(k), float(a * chips), float(b * chips)) for k, a, b in ends),
        ]
    step = max(1, n // 400)
    line = [(0.0, 0.0), *((k + 1.0, float(net[k])) for k in range(0, n, step)), (n, float(net[-1]))]
    staked = [Fraction(0)]
    for game in range(n):
        staked.append(staked[-1] + chips_at(changes, game))
    mean = [(float(k), float(exact.mean * staked[k])) for k in sorted({0, *range(0, n, step), n})]
    low = min([b[1] for b in bands] + [y for _, y in line])
    high = max([b[2] for b in bands] + [y for _, y in line])
    # If nothing was won or lost, the axis needs a height too.
    room = 0.06 * (high - low) or 1.0
    x = chart.axis(0.0, float(max(n, 5)), "games", 5)
    y = chart.axis(low - room, high + room, "net, in chips", 5)
    shapes = (chart.band(x, y, bands) if bands else "") + chart.line(x, y, mean, "two")
    mean_now = decimal(exact.mean * staked[-1], 2)
    caption = f"After {n:,} games the net is {net[-1]}, and {mean_now} on average."
    how = "exact" if n <= EXACT_BETS else "by the normal approximation"
    words = "dashed: the exact mean" + (f"; shaded: the middle 95 %, {how}" if bands else "")
    drawn = Chart(x, y, shapes + chart.line(x, y, line), caption)
    rows = [(k + 1, settled, exact.mean * staked[k + 1]) for k, settled in enumerate(net)]
    saved = Table([Column("games", COUNT), Column("net", LABEL), Column("mean", DECIMAL)], rows)
    return [drawn, Saved(saved), h.p(".hint")[words]]


def _bar(past: list[TableRoll], ends: list[Outcome], totals: list[Any], links: list[Any]) -> Any:
    net = sum((net[-1] for *_, net in totals if net), Fraction(0))
    return [
        item(minus(signed(net)), "chips", main=True) if totals else None,
        item(*many(len(ends), "game").split()),
        item(*many(len(past), "roll").split()),
        reached(*links),
    ]
