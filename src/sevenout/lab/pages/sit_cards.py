"""The exact figures beside a seat at the table, card by card."""

from collections.abc import Iterable
from typing import Any

import htpy as h

from sevenout.catalogue.craps_family.craps_offers import why_not
from sevenout.catalogue.craps_family.spots import made_as, shown_as, spot, switch, switchable
from sevenout.catalogue.craps_family.table_lines import rides
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.catalogue.strategies import strategies
from sevenout.documents import Column, Fact, Facts, Table
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, TEXT, WON
from sevenout.documents.numbers import many, minus, won
from sevenout.errors import SevenoutError
from sevenout.evenings.evening_result import EveningResult
from sevenout.evenings.table_figures import PlayedEvening, beside, values
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import kind_of
from sevenout.lab.addresses.seat_address import PATH, evening_of, table_field
from sevenout.lab.pages.course_page import CoursePage, figures, pictures
from sevenout.lab.pages.felt_page import log
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import Field, file_form, form, go, problem
from sevenout.lab.widgets.view import Saved, View
from sevenout.papers import table_talk
from sevenout.papers.table_talk import FeltSpot

REST = "The rest of the evening, if I go on like this"
SHOWN = ("", "rest", "luck", "beside")
"""What the page shows on demand."""
MOST_POINTS = 300
"""Points of the line of money, which keep a page of thousands of rolls small."""
NO_NUMPY = "This needs NumPy, which is not here; the local lab has it."
LOAD = Field("Paste it here, or choose or drop a file", "text", "", "wide", area=True)
GAMES = [("", "Craps"), ("crapless", "Crapless craps")]
ODDS = [("", "3-4-5x"), ("1", "1x"), ("2", "2x"), ("5", "5x"), ("10", "10x"), ("100", "100x")]
VIGS = [("", "on win"), ("up front", "up front")]


class SeatCards:
    """The cards of a seat.

    Args:
        spots: what the player sees of each spot.
    """

    def __init__(self, view: View, session: TableSession, spots: list[FeltSpot]) -> None:
        self.view, self.session, self.spots = view, session, spots
        self.won = rides(session)
        self.here = Address(PATH, {"table": table_field(session)})
        self.here = self.here.to(**{name: view.address.get(name) for name in ("chip", "more")})

    # --- what stands ------------------------------------------------------------------------------

    def stands(self) -> Any:
        values_by_bet = values(self.session)
        if not values_by_bet:
            return None
        rows = [
            h.tr[
                h.th(scope="row")[shown_as(bet)],
                h.td(".num")[self.session.money_text(value.amount)],
                h.td(".num")[minus(won(value.mean))],
                h.td[h.div(".row")[list(self._doings(bet))]],
            ]
            for bet, value in values_by_bet.items()
        ]
        # The sum begins with a 0 of the same type, so that exact values stay exact.
        total = sum(
            (value.mean for value in values_by_bet.values()),
            0 * next(iter(values_by_bet.values())).mean,
        )
        columns = ["bet", Column("on it", DECIMAL), Column("mean profit from here", DECIMAL)]
        table = Table(columns, [(bet, v.amount, v.mean) for bet, v in values_by_bet.items()])
        return self.view.card(
            "stands",
            "Your bets",
            h.div(".wide", tabindex="0", role="region", aria_label="Your bets")[
                h.table[
                    h.thead[h.tr[_heads(_STANDS)]],
                    h.tbody[rows],
                ]
            ],
            h.p(".hint")[
                "All of it, each bet left until it is settled once: "
                f"{minus(won(total))} on average."
            ],
            Saved(table),
        )

    def _doings(self, bet: str) -> Iterable[Any]:
        """The buttons of a standing bet."""
        session, bets = self.session, self.session.bets
        plain, works = switch(bet)
        odds = f"{plain} odds"
        # A bet that can't have one unit more can't be pressed.
        if not why_not(session.house, session.point, bets, bet, bets[bet] + 1):
            yield self._do("Press", f"press {plain}", bet)
            if made_as(bet) in self.won:
                yield self._do("Let it ride", f"parlay {made_as(bet)}", bet)
        offered = next((felt_spot for felt_spot in self.spots if felt_spot.bet == odds), None)
        if offered is not None and not offered.why:
            yield self._do("Max odds", f"{odds} max", odds)
        if works is not None or switchable(spot(plain)):
            word = "on" if session.is_off(bet) else "off"
            yield self._do(f"Turn {word}", f"{word} {plain}", bet)
        # Odds come down with their bet, so they don't keep it up.
        if not why_not(session.house, session.point, self._without(odds), bet, 0):
            yield self._do("Take down", f"down {plain}", bet)

    def _without(self, odds: str) -> dict[str, Any]:
        return {bet: on for bet, on in self.session.bets.items() if switch(bet)[0] != odds}

    def _do(self, words: str, line: str, bet: str) -> Any:
        """A button that sends a line of the table."""
        return h.button(
            ".button.slim",
            type="submit",
            form="seat",
            name="do",
            value=line,
            aria_label=f"{words}: {bet}",
        )[words]

    # --- what the engine says ---------------------------------------------------------------------

    def shooter(self) -> Any:
        """How long this shooter lasts, and how rare the last event was."""
        session, evening = self.session, evening_of(self.session)
        remarks = [table_talk.longer(session, 10)]
        if session.rolls:
            remarks += table_talk.rare(session, evening)
        return self.view.card(
            "shooter",
            "From here",
            h.ul(".told")[(h.li[_sentence(line)] for line in remarks)],
            go(REST, self.here.to(show="rest"), "wrap") if session.acts else None,
        )

    def money(self) -> Any:
        """The money after each roll, and where it would be on average without luck."""
        session = self.session
        if not session.rolls:
            return None
        money = [float(moment.money) for moment in session.moments]
        last, start = len(money) - 1, float(session.bankroll)
        low, high = min(*money, start), max(*money, start)
        # If nothing was won or lost, the axis needs a height too.
        room = 0.06 * (high - low) or 1.0
        x = chart.axis(0.0, float(max(last, 5)), "rolls", 5)
        y = chart.axis(low - room, high + room, "money", 5)
        step = max(1, last // MOST_POINTS)
        # The last roll is always a point, since the caption names it.
        places = sorted({*range(0, last, step), last})
        shapes = chart.level(y, start) + chart.line(x, y, [(float(n), money[n]) for n in places])
        now, brought = session.money_text(session.money), session.money_text(session.bankroll)
        caption = f"After {many(last, 'roll')} there is {now} of {brought}."
        rows = [(n, moment.money) for n, moment in enumerate(session.moments)]
        return self.view.card(
            "run",
            "The money, roll by roll",
            Chart(x, y, shapes, caption),
            Saved(Table([Column("roll", COUNT), Column("money", LABEL)], rows)),
            h.p(".hint")["Dashed: the chips you came with."],
        )

    def coach(self, address: Address) -> Any:
        """The most costly habit; and the effect of luck, on demand or at the end."""
        if not self.session.rolls:
            return None
        figures = table_talk.statistics(self.session)
        facts = Facts(*(Fact(name, str(value), LABEL) for name, value in figures.items()))
        first, *more = table_talk.costly_habits(self.session)
        lines = [_upper(first.removeprefix("Coach: ")), *more]
        luck = address.get("show") == "luck"
        lines += [table_talk.luck(self.session)] if luck else []
        return self.view.card(
            "coach",
            "The coach",
            h.ul(".told")[(h.li[minus(line)] for line in lines)],
            facts,
            None if luck else go("How lucky was I?", self.here.to(show="luck")),
        )

    def cost(self) -> Any:
        session = self.session
        valued = [spot for spot in self.spots if spot.value is not None and spot.value.rolls]
        valued.sort(key=lambda spot: spot.value.edge if spot.value else 0)
        rows = [
            (
                spot.bet,
                session.money_text(spot.amount),
                spot.pays,
                spot.edge(),
                minus(spot.hourly(session)),
            )
            for spot in valued
        ]
        heads = ("bet", "with", "pays", "edge", "cost per hour")
        table = Table(
            [Column(head, TEXT if n in (0, 2) else LABEL) for n, head in enumerate(heads)], rows
        )
        return self.view.card(
            "cost",
            "Before you bet",
            h.p(".hint")[
                "The edge is per bet made. The cost is the expected loss per hour of "
                f"{session.rates.pace} rolls, if the bet is made again whenever it is settled. "
                "Commissions are counted; wins are rounded down."
            ],
            h.details("#all-costs")[
                h.summary(".hint")[f"All {len(rows)} bets that are open, the cheapest first"],
                _plain(heads, rows),
            ],
            Saved(table),
        )

    def asked(self, address: Address) -> Any:
        """Figures that take longer, on demand."""
        show, strategy = address.one_of("show", SHOWN), address.get("strategy")
        made: list[Any] = []
        try:
            if show == "rest":
                made = self._rest()
            elif show == "beside" and strategy:
                plan = beside(strategy, self.session)
                made = [
                    self.view.card(
                        "beside", "Beside a strategy", PlayedEvening(self.session, plan).page()
                    )
                ]
        except ImportError:
            made = [problem(NO_NUMPY)]
        except SevenoutError as error:
            made = [problem(kind_of(error))]
        return made

    def _rest(self) -> list[Any]:
        """The rest of the evening: its distribution in pictures and figures."""
        session = self.session
        # After a long session there is still an hour to look at.
        left = max(evening_of(session) - session.rolls, session.rates.pace)
        result = table_talk.rest_result(session, left)
        drawn: list[Any] = []
        if isinstance(result, EveningResult):
            course = CoursePage.of("The rest", result, result.result, list(result.fan))
            columns = [Column("result", WON), Column("probability", DECIMAL)]
            table = Table(columns, course.law)
            drawn = [figures([("", course)]), pictures(self.view, [("", course)], "rolls", table)]
        note = f"{left:,} rolls more"
        page = table_talk.rest_page(result)
        return [*drawn, self.view.card("rest", "The rest of the evening", page, note=note)]

    # --- what was done ----------------------------------------------------------------------------

    def log(self) -> Any:
        calls = [(f"{a} {b}", minus(call)) for (a, b), call in table_talk.calls(self.session)]
        if not calls:
            return None
        rows = [(i, *typed_call) for i, typed_call in enumerate(calls, 1)]
        return self.view.card(
            "log",
            "The rolls",
            log([(f"{x}", y) for x, y in calls]),
            Saved(Table(["roll", "dice", "call"], rows)),
        )

    def file(self) -> Any:
        base = self.here
        # The file is of the session; the chip in hand is the page's.
        whole = base.to(chip=None)
        names = [("", "Choose one"), *((key, strategies.entry(key).title) for key in strategies)]
        parts = [
            h.div(".row")[
                go("Save it", whole.to(f"{PATH}.txt"), download="session.txt"),
                go("Replay it", base.to(at=0)) if self.session.acts else None,
            ],
            file_form(
                "Open a session, from a file",
                Address(PATH, {}),
                LOAD,
                file="A session",
                accept=".txt",
                data_packed=True,
            ),
            form(
                base,
                Field("Type a line", "do", "", "medium", placeholder="place 6 8 12, field 5"),
                submit="Do it",
            ),
            h.div(".row.own")[
                form(
                    base,
                    Field("Roll dice of your own", "dice", "", placeholder="4 2"),
                    submit="Roll these",
                ),
                form(
                    base.to(do="chips"),
                    Field("More chips", "amount", "", placeholder="100"),
                    submit="Buy",
                ),
                form(
                    base.to(do="tip"),
                    Field("Tip the dealers", "amount", "", placeholder="2"),
                    submit="Tip",
                ),
            ],
            form(
                base.to(show="beside"),
                Field("Beside the evenings of a strategy", "strategy", "", "wide", options=names),
                submit="Compare",
            )
            if self.session.rolls
            else None,
            self._new(),
        ]
        note = "at the terminal: sevenout play table --resume session.txt"
        return self.view.card("file", "The session", *parts, note=note)

    def _new(self) -> Any:
        house = self.session.house
        fields = [
            Field("Game", "new-game", "crapless" if house.crapless else "", options=GAMES),
            Field("Least bet", "new-minimum", house.minimum, inputmode="numeric"),
            Field("Most", "new-maximum", house.maximum or "", placeholder="no limit"),
            Field("Odds", "new-odds", "", options=ODDS),
            Field("Commission paid", "new-vig", "", options=VIGS),
            Field("Chips", "new-bankroll", self.session.bankroll, inputmode="numeric"),
            Field("Currency", "new-currency", self.session.currency),
            # With the same seed the new table would roll the same dice again.
            Field("Seed of the dice", "new-seed", self.session.seed + 1, inputmode="numeric"),
            Field(
                "Other house rules", "new-rules", "", "wide", placeholder="field=2-2,working=yes"
            ),
        ]
        return h.details[
            h.summary(".hint")["Another table: limits, odds, chips, currency, dice"],
            h.form(".fields.ask", action=PATH, method="get", data_waits=True)[
                fields, h.button(".button", type="submit")["Sit down"]
            ],
        ]


def _heads(heads: Iterable[str]) -> Any:
    """The column headers; all but the first are of figures."""
    for n, head in enumerate(heads):
        yield h.th(class_="num" if n else None, scope="col")[head] if head else h.td


_STANDS = ("bet", "on it", "mean profit from here", "")


def _plain(heads: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Any:
    return h.div(".wide", tabindex="0", role="region", aria_label="What each bet costs")[
        h.table[
            h.thead[h.tr[_heads(heads)]],
            h.tbody[
                (
                    h.tr[h.th(scope="row")[row[0]], (h.td(".num")[cell] for cell in row[1:])]
                    for row in rows
                )
            ],
        ]
    ]


def _upper(line: str) -> str:
    return line[0].upper() + line[1:]


def _sentence(line: str) -> str:
    return f"{_upper(line)}."
