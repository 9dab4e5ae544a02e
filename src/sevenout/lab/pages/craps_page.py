"""The craps table: the player's bets on the felt, and the cost of each.

An address holds the session before an act, and the act: `/table?table=...&on=place 6`. The page
shows the result, and its buttons hold the session after. So Reload and Back never repeat an act.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import itemgetter
from shlex import quote
from typing import Any

import htpy as h

from sevenout.catalogue.craps_family.craps_felt import house_of, options_of
from sevenout.catalogue.craps_family.craps_offers import paid_in_full, why_not
from sevenout.catalogue.craps_family.spots import (
    can_be_off,
    displayed_bet,
    original_bet,
    split_switch,
    spot,
)
from sevenout.catalogue.craps_family.table_lines import (
    BET_VERBS,
    Remark,
    bets_to_repeat,
    play,
    read_line,
    winning_bets,
)
from sevenout.catalogue.craps_family.table_session import (
    USUAL_HOURS,
    USUAL_HOUSE,
    BetChange,
    TableSession,
)
from sevenout.documents import Column, Fact, Facts, Table
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, TEXT
from sevenout.documents.numbers import minus, quantity, won
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.evenings.evening_result import EveningResult
from sevenout.evenings.table_account import habits
from sevenout.evenings.table_evenings import PlayedEvening, plan_beside
from sevenout.evenings.table_figures import figures_of_felt
from sevenout.lab.address import MAX_DIGITS, Address, error_sentence
from sevenout.lab.pages.course_page import DrawnCourse, course_cards, hero_of
from sevenout.lab.pages.evening_page import (
    changed_options,
    option_field,
    option_names,
    strategy_options,
)
from sevenout.lab.pages.felt_drawing import (
    HAND_CONTENTS,
    LARGEST,
    PATH,
    SMALLEST,
    TAKE_DOWN,
    FeltBoard,
    bar_buttons,
    money_chart,
    puck,
    rack,
    rolls_log,
)
from sevenout.lab.widgets.copies import Copies
from sevenout.lab.widgets.parts import (
    PASTE_FIELD,
    Field,
    bar_item,
    count_item,
    die,
    file_form,
    form,
    heading,
    link_button,
    not_here,
    problem,
    scroll_box,
)
from sevenout.lab.widgets.view import Reply, Saved, View, nodes_of
from sevenout.numerals import check_digits, exact, exact_amount, exact_money, parse_seed
from sevenout.papers import table_talk
from sevenout.papers.table_talk import FeltSpot, felt_spots
from sevenout.questions.subjects import pack_file, unpack_file
from sevenout.rolling.throw import parse_throw
from sevenout.rules.casino.felt import Money

MAX_PLAIN_LENGTH = 2_000
"""The most characters of a session in an address; a longer session is compressed."""
USUAL_RULES = house_of(USUAL_HOUSE)
NEW_TABLE_FIELDS = ("bankroll", "currency", "seed")
"""The fields of a new table, beside its rules."""
ADDRESS_FIELDS = ("table", "chip", "more")
"""The fields that a page's address keeps after an act."""
FIRST_STRATEGY = "three-point-molly"
"""The strategy that is watched first."""
FIRST_HINTS = (
    "Begin with the pass line: tap it to bet what is in your hand, or drag a chip. Then roll.",
    "The figure on a spot is its edge: the average cost per 100 bet. A dashed spot is "
    "closed now; tap it to see why.",
)
PROGRAM = """\
from sevenout.evenings import account
from sevenout.catalogue.craps_family.table_session import TableSession

session = TableSession.from_text(
    {text!r}
)
print(session.result, session.bets)
print(account(session).cost)
"""


def page(address: Address) -> View | Reply:
    """The page of a seat after its address's act."""
    view = View(address, "At the craps table", PATH)
    try:
        if address.get("text"):
            return _file_redirect(address)
        session = session_of(address)
    except SevenoutError as error:
        view.title, view.status = "Refused", 400
        view.body = [
            h.h1["At the craps table"],
            problem(error_sentence(error), link_button("A new table", PATH)),
        ]
        return view
    replies, why = play_act(session, address)
    # The session after the act, so that no link repeats the act.
    whole = address.to(PATH, keep=ADDRESS_FIELDS, table=table_field(session))
    view.address, replay = whole, None
    if address.get("at"):
        acts = list(session.acts)
        position = address.whole_number("at", 0, 0, len(acts))
        session.truncate(position)
        view.address = whole.to(at=position)
        onward = address.to(PATH, keep=("chip",), table=table_field(session))
        replay = _replay_buttons(whole, onward, acts, position)
    chip = chip_of(address)
    side = address.has("more", "side")
    spots = list(felt_spots(session, None if isinstance(chip, str) else chip, side_bets=side))
    cards = SeatCards(view, session, spots)
    view.body = [
        heading(
            "At the craps table",
            table_talk.table(session),
            h.div(".actions")[
                link_button("One bet, over and over", Address(PATH, {"game": "craps"})),
                link_button("Watch a strategy", Address(PATH, {"strategy": FIRST_STRATEGY})),
                link_button(
                    "The odds of every bet",
                    Address("/catalogue", {"family": "craps", "sort": "edge"}),
                ),
            ],
        ),
        h.div("#sit.columns")[
            h.div(".stack")[
                _felt(view, session, spots, _dealer_call(session, replies, why), replay),
                cards.standing_bets(),
            ],
            h.div(".stack.beside")[
                cards.on_demand(address),
                cards.money(),
                cards.shooter(),
                cards.costs(),
                cards.coach(address),
                cards.file(),
            ],
            h.div(".stack.below")[cards.log()],
        ],
    ]
    view.python, view.command = _copies(session)
    view.bar = _bar(session)
    return view


def session_file(address: Address) -> Reply:
    """The session as a file."""
    content = session_of(address).to_text().encode()
    return Reply(content, "text/plain; charset=utf-8", filename="session.txt")


def _file_redirect(address: Address) -> Reply:
    """A redirect to the session of a file, perhaps packed by the script."""
    session = session_of(Address(PATH, {"table": address.get("text")}))
    return Reply.redirect(Address(PATH, {"table": table_field(session)}))


def _replay_buttons(whole: Address, onward: Address, acts: Sequence[str], position: int) -> Any:
    """Buttons through the acts of a session; `onward` leads on from the act that is shown."""
    rolls = [i for i, act in enumerate(acts, 1) if act.startswith("roll ")]
    next_roll = next((i for i in rolls if i > position), len(acts))
    buttons = [("First", 0), ("Back", max(position - 1, 0)), ("Next", min(position + 1, len(acts)))]
    buttons += [("Next roll", next_roll), ("Last", len(acts))]
    return h.div(".row", role="group", aria_label="Replay")[
        h.span(".onfelt")[f"Act {position:,} of {len(acts):,}"],
        (link_button(word, whole.to(at=target)) for word, target in buttons),
        link_button("Go on from here", onward),
    ]


def _dealer_call(session: TableSession, replies: list[str], why: str) -> Any:
    """The dealer's call: on the current act, or else on the last roll."""
    if why:
        return h.strong(".refused")[why]
    calls = table_talk.calls(session)
    lines: Sequence[str] = replies or ([minus(calls[-1][1])] if calls else FIRST_HINTS)
    return [h.strong[lines[0]], [(h.br, h.span(".onfelt")[line]) for line in lines[1:]]]


def _felt(view: View, session: TableSession, spots: list[FeltSpot], call: Any, replay: Any) -> Any:
    """The felt as one form: dice, puck, call, replay buttons, rack and layout."""
    faces = session.moments[-1].faces or ("", "")
    chip, side = view.address.get("chip") or SMALLEST, view.address.has("more", "side")
    repeatable = [bet for bet, _ in bets_to_repeat(session) if not session.offer(bet).why]
    return h.form("#seat.felt.seat", action=PATH, method="get", aria_label="The felt")[
        h.input(type="hidden", name="table", value=table_field(session)),
        h.div(".felt-top")[
            puck(session.point),
            h.div(".dice")[(die(face, session.rolls) for face in faces)],
            h.p(".call", role="status")[call],
        ],
        replay,
        h.div(".row")[
            _line_button("Roll", "roll", "main", id="roll", data_space=True),
            _line_button("Undo", "undo", id="undo") if session.acts else None,
            _line_button("Same bets", "same", id="same") if repeatable else None,
            h.p(".rail")[h.b[session.money_text(session.rail)], " in the rail"],
        ],
        rack(session, chip),
        FeltBoard(session, spots, side),
        h.input(type="hidden", name="more", value="side") if side else None,
    ]


def _copies(session: TableSession) -> Copies:
    text = session.to_address()
    command = f"printf '%s' {quote(text)} > session.txt && sevenout evening --played session.txt"
    return Copies(PROGRAM.format(text=text), command)


def _bar(session: TableSession) -> Any:
    """The average cost, the result, the rail and the rolls, for the bar."""
    cost = sum((habit.cost for habit in habits(session)), Fraction(0))
    result = exact(session.result)
    direction = "up" if result > 0 else "down"
    return [
        bar_item(minus(table_talk.money(session, cost)), "cost, on average", main=True)
        if cost
        else None,
        bar_item(minus(table_talk.money(session, abs(result))), direction) if result else None,
        bar_item(session.money_text(session.rail), "in the rail"),
        count_item(session.rolls, "roll") if session.rolls else None,
        bar_buttons(
            _line_button("Roll", "roll", "main", form="seat"),
            _line_button("Undo", "undo", form="seat") if session.acts else None,
        ),
    ]


def _line_button(words: str, line: str, css_class: str = "", **attributes: Any) -> Any:
    """A button that sends a line of the table; outside of the felt with `form="seat"`."""
    name = f"button {css_class}".strip()
    return h.button(class_=name, type="submit", name="do", value=line, **attributes)[words]


# --- the session of an address --------------------------------------------------------------------


def session_of(address: Address) -> TableSession:
    """The session that an address holds, or a new one.

    >>> acts = "sevenout table;bankroll: 9;field = 1;roll 2 2"
    >>> session_of(Address("/table", {"table": acts})).result
    1
    """
    text = address.get("table")
    if text:
        text = unpack_file(text[1:]) if text.startswith("~") else check_digits(text, MAX_DIGITS)
        return TableSession.from_text(text)
    rules = check_digits(changed_options(address, "new-", USUAL_RULES), MAX_DIGITS)
    money, currency, seed = (
        check_digits(address.get(f"new-{name}"), MAX_DIGITS) for name in NEW_TABLE_FIELDS
    )
    if not (rules or money or currency or seed):
        return TableSession(USUAL_RULES, currency="$")
    house = replace(USUAL_RULES, **options_of(rules))
    return TableSession(house, money or "300", seed=parse_seed(seed or "1"), currency=currency)


def table_field(session: TableSession) -> str:
    """A session as a field of an address; packed if it is long."""
    text = session.to_address()
    return text if len(text) <= MAX_PLAIN_LENGTH else f"~{pack_file(text)}"


def evening_rolls(session: TableSession) -> int:
    """The rolls of an evening at this pace."""
    return USUAL_HOURS * session.rates.pace


def chip_of(address: Address) -> Money | str:
    """What the hand holds: a word, or the value of a chip."""
    chip = address.one_of("chip", HAND_CONTENTS)
    return exact_amount(chip) if chip.isdecimal() else chip


def play_act(session: TableSession, address: Address) -> tuple[list[str], str]:
    """Play the act of an address in a session; return the reply, or the reason for a refusal.

    >>> session = session_of(Address.read("/table"))
    >>> play_act(session, Address.read("/table?on=place 6"))[0]
    ['place 6: $6 (edge 1.52 %, costs $1.95 per hour if it stays up)']
    >>> play_act(session, Address.read("/table?do=down hard 4"))
    ([], 'Hard 4: there is nothing on it; on the felt: place 6.')
    """
    try:
        if bet := address.get("on"):
            return _tap_bet(session, bet, chip_of(address)), ""
        if line := address.get("do"):
            # A form of these two sends the amount beside the word.
            amount = ""
            if line in ("chips", "tip"):
                amount = _without_currency(session, address.get("amount"))
            return _play_line(session, f"{line} {amount}".strip()), ""
        if dice := address.get("dice"):
            return _roll(session, dice), ""
    except SevenoutError as error:
        # A refused bet is no error of the page: the session goes on.
        return [], error_sentence(error)
    return [], ""


def _play_line(session: TableSession, line: str) -> list[str]:
    """Do a line of the table, and return what was done."""
    commands = read_line(session, line)
    verb, text = commands[0].verb, commands[0].text
    if verb in ACTS:
        return ACTS[verb](session, text)
    # For the terminal's other commands the page has cards and buttons.
    if verb not in BET_VERBS and verb != "same":
        raise NotationError(
            f"{shown(verb)} is for the terminal; here are bets and {', '.join(ACTS)}"
        )
    if any(command.verb in ("edge", "why") for command in commands):
        raise NotationError("the edge and the rule of a bet are on its spot; type a bet")
    replies: list[str] = []
    for reply in play(session, commands):
        if isinstance(reply, Remark):
            replies.append(reply.text)
        else:
            replies += _lines_of_changes(session, reply)
    return replies


def _tap_bet(session: TableSession, bet: str, chip: Money | str) -> list[str]:
    """Put what the hand holds on a bet, or take the bet down."""
    if chip == TAKE_DOWN:
        return _lines_of_changes(session, *session.take_down(bet), priced=False)
    if chip == LARGEST:
        changed = session.set(bet, "max")
    else:
        more = paid_in_full(session.house, session.offer(bet)) if isinstance(chip, str) else chip
        changed = session.add(bet, more)
    return _lines_of_changes(session, changed)


def _lines_of_changes(session: TableSession, *changes: BetChange, priced: bool = True) -> list[str]:
    return [
        line for change in changes for line in table_talk.bet_change(session, change, priced=priced)
    ]


def _roll(session: TableSession, dice: str) -> list[str]:
    """Roll the dice in a text, or else the session's; the call, and how rare the rolls are."""
    # The call names the point that was on before the roll.
    point = session.point
    rolled = session.roll(parse_throw(dice) if dice else None)
    rare = table_talk.rare_events(
        session, evening_rolls(session), below=table_talk.RARE, quiet=True
    )
    return [minus(table_talk.call(session, rolled, point)), *rare]


def _tip(session: TableSession, text: str) -> list[str]:
    amount = exact_money(_without_currency(session, text))
    session.tip(amount)
    return [f"{session.money_text(amount)} to the dealers"]


def _chips(session: TableSession, text: str) -> list[str]:
    amount = exact_money(_without_currency(session, text))
    session.buy_in(amount)
    return [f"{session.money_text(amount)} more in the rail"]


def _without_currency(session: TableSession, text: str) -> str:
    """An amount as typed, without the table's currency; without any sign at a table of units."""
    return text.strip(f"{session.currency or '$€£'} ")


ACTS: Mapping[str, Callable[[TableSession, str], list[str]]] = {
    "roll": _roll,
    "tip": _tip,
    "chips": _chips,
    "undo": lambda session, lines: [table_talk.take_back(session, lines)],
}
"""The commands of a line that do not change bets."""


# --- the cards beside the felt -------------------------------------------------------------------

REST_LABEL = "The rest of the evening, if I go on like this"
SHOW_VALUES = ("", "rest", "luck", "beside")
"""What the page shows on demand."""


class SeatCards:
    """The cards of a seat. Each method adds one to the view and returns its node.

    Attributes:
        view: the page.
        session: the player's session, after the page's act.
        spots: what the player sees of each spot.
        won: the bets that won on the last roll, which may ride.
        address_now: the session's address, from which the links of the cards are made.
    """

    def __init__(self, view: View, session: TableSession, spots: list[FeltSpot]) -> None:
        self.view, self.session, self.spots = view, session, spots
        self.won = winning_bets(session)
        chip, more = view.address.get("chip"), view.address.get("more")
        self.address_now = Address(PATH, {"table": table_field(session)}).to(chip=chip, more=more)

    # --- what stands ------------------------------------------------------------------------------

    def standing_bets(self) -> Any:
        """The standing bets with their means and buttons; None without any."""
        values_by_bet = figures_of_felt(self.session)
        if not values_by_bet:
            return None
        rows = [
            h.tr[
                h.th(scope="row")[displayed_bet(bet)],
                h.td(".num")[self.session.money_text(value.amount)],
                h.td(".num")[minus(won(value.mean))],
                h.td[h.div(".row")[list(self._bet_buttons(bet))]],
            ]
            for bet, value in values_by_bet.items()
        ]
        first, *more = (value.mean for value in values_by_bet.values())
        # The sum begins with a value of the same type, so that exact values stay exact.
        total = sum(more, first)
        numbers = ("on it", "mean profit from here")
        heads = h.tr[
            h.th(scope="col")["bet"], (h.th(".num", scope="col")[head] for head in numbers), h.td
        ]
        table = Table(
            ["bet", *(Column(head, DECIMAL) for head in numbers)],
            [(bet, value.amount, value.mean) for bet, value in values_by_bet.items()],
        )
        return self.view.add_card(
            "stands",
            "Your bets",
            scroll_box("Your bets", "wide")[h.table[h.thead[heads], h.tbody[rows]]],
            h.p(".hint")[
                "All of it, each bet left until it is settled once: "
                f"{minus(won(total))} on average."
            ],
            Saved(table),
        )

    def _bet_buttons(self, bet: str) -> Iterable[Any]:
        """The buttons of a standing bet."""
        session, bets = self.session, self.session.bets
        plain, works = split_switch(bet)
        odds = f"{plain} odds"
        # A bet that can't have one unit more can't be pressed.
        if not why_not(session.house, session.point, bets, bet, bets[bet] + 1):
            yield self._bet_button("Press", f"press {plain}", bet)
            if original_bet(bet) in self.won:
                yield self._bet_button("Let it ride", f"parlay {original_bet(bet)}", bet)
        if any(felt_spot.bet == odds and not felt_spot.why for felt_spot in self.spots):
            yield self._bet_button("Max odds", f"{odds} max", odds)
        if works is not None or can_be_off(spot(plain)):
            word = "on" if session.is_off(bet) else "off"
            yield self._bet_button(f"Turn {word}", f"{word} {plain}", bet)
        # Odds come down with their bet, so they don't keep it up.
        others = {name: on for name, on in bets.items() if split_switch(name)[0] != odds}
        if not why_not(session.house, session.point, others, bet, 0):
            yield self._bet_button("Take down", f"down {plain}", bet)

    @staticmethod
    def _bet_button(words: str, line: str, bet: str) -> Any:
        return _line_button(words, line, "slim", form="seat", aria_label=f"{words}: {bet}")

    # --- what the engine says ---------------------------------------------------------------------

    def shooter(self) -> Any:
        """How long this shooter lasts, and how rare the last event was."""
        session, evening = self.session, evening_rolls(self.session)
        remarks = [table_talk.chance_of_more_rolls(session, 10)]
        if session.rolls:
            remarks += table_talk.rare_events(session, evening)
        return self.view.add_card(
            "shooter",
            "From here",
            h.ul(".told")[(h.li[_sentence(line)] for line in remarks)],
            link_button(REST_LABEL, self.address_now.to(show="rest"), "wrap")
            if session.acts
            else None,
        )

    def money(self) -> Any:
        """The money after each roll, and where it would be on average without luck."""
        session = self.session
        if not session.rolls:
            return None
        money = [moment.money for moment in session.moments]
        now, brought = session.money_text(session.money), session.money_text(session.bankroll)
        chart = money_chart(
            [(float(n), float(amount)) for n, amount in enumerate(money)],
            ("rolls", "money"),
            f"After {quantity(session.rolls, 'roll')} there is {now} of {brought}.",
            level=float(session.bankroll),
        )
        return self.view.add_card(
            "run",
            "The money, roll by roll",
            chart,
            Saved(Table([Column("roll", COUNT), Column("money", LABEL)], list(enumerate(money)))),
            h.p(".hint")["Dashed: the chips you came with."],
        )

    def coach(self, address: Address) -> Any:
        """The most costly habit; and the effect of luck, on demand or at the end."""
        if not self.session.rolls:
            return None
        figures = table_talk.statistics(self.session)
        facts = Facts(*(Fact(name, str(value), LABEL) for name, value in figures.items()))
        first, *more = table_talk.costly_habits(self.session)
        lines = [_capitalised(first.removeprefix("Coach: ")), *more]
        luck = address.get("show") == "luck"
        lines += [table_talk.luck(self.session)] if luck else []
        return self.view.add_card(
            "coach",
            "The coach",
            h.ul(".told")[(h.li[minus(line)] for line in lines)],
            facts,
            None if luck else link_button("How lucky was I?", self.address_now.to(show="luck")),
        )

    def costs(self) -> Any:
        """The bets that are open, with their edges and costs, the cheapest first."""
        session = self.session
        priced = [(s.value.edge, s) for s in self.spots if s.value is not None and s.value.rolls]
        rows = []
        for _, open_spot in sorted(priced, key=itemgetter(0)):
            amount, cost = session.money_text(open_spot.amount), minus(open_spot.hourly(session))
            rows.append((open_spot.bet, amount, open_spot.pays, open_spot.edge(), cost))
        heads = ("bet", "with", "pays", "edge", "cost per hour")
        table = Table(
            [Column(head, TEXT if n in (0, 2) else LABEL) for n, head in enumerate(heads)], rows
        )
        return self.view.add_card(
            "cost",
            "Before you bet",
            h.p(".hint")[
                "The edge is per bet made. The cost is the expected loss per hour of "
                f"{session.rates.pace} rolls, if the bet is made again whenever it is settled. "
                "Commissions are counted; wins are rounded down."
            ],
            h.details("#all-costs")[
                h.summary(".hint")[f"All {len(rows)} bets that are open, the cheapest first"],
                list(nodes_of([table])),
            ],
            Saved(table),
        )

    def on_demand(self, address: Address) -> Any:
        """Figures that take longer, on demand."""
        show = address.one_of("show", SHOW_VALUES)
        try:
            if show == "rest":
                return self._rest_cards()
            if show == "beside":
                strategy = address.get("strategy")
                if not strategy:
                    raise NotationError("no strategy is chosen; choose one below")
                evening = PlayedEvening(self.session, plan_beside(strategy, self.session))
                return [self.view.add_card("beside", "Beside a strategy", evening.page())]
        except ImportError as error:
            return [not_here(error, "This needs NumPy")]
        except SevenoutError as error:
            return [problem(error_sentence(error))]
        return None

    def _rest_cards(self) -> list[Any]:
        """The rest of the evening: its distribution in pictures and figures."""
        session = self.session
        # After a long session there is still an hour to look at.
        rolls_left = max(evening_rolls(session) - session.rolls, session.rates.pace)
        result = table_talk.rest_of_evening(session, rolls_left)
        course_blocks: list[Any] = []
        if isinstance(result, EveningResult):
            course = DrawnCourse("The rest", result)
            cards = course_cards(self.view, [course], "rolls", course.law_table())
            course_blocks = [hero_of([course]), cards]
        note = f"{rolls_left:,} rolls more"
        page = table_talk.rest_of_evening_page(result)
        return [
            *course_blocks,
            self.view.add_card("rest", "The rest of the evening", page, note=note),
        ]

    # --- what was done ----------------------------------------------------------------------------

    def log(self) -> Any:
        """The rolls and the dealer's calls; None before the first roll."""
        calls = [
            (f"{first} {second}", minus(call))
            for (first, second), call in table_talk.calls(self.session)
        ]
        if not calls:
            return None
        rows = [(i, dice, call) for i, (dice, call) in enumerate(calls, 1)]
        return self.view.add_card(
            "log",
            "The rolls",
            rolls_log(calls),
            Saved(Table(["roll", "dice", "call"], rows)),
        )

    def file(self) -> Any:
        """Forms that save, open and continue the session."""
        base = self.address_now
        # The file is of the session; the chip in hand is the page's.
        without_chip = base.to(chip=None)
        names = [("", "Choose one"), *strategy_options()]
        parts = [
            h.div(".row")[
                link_button("Save it", without_chip.to(f"{PATH}.txt"), download="session.txt"),
                link_button("Replay it", base.to(at=0)) if self.session.acts else None,
            ],
            file_form(
                "Open a session, from a file",
                Address(PATH, {}),
                PASTE_FIELD,
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
                    Field("Roll dice of your own", "dice", placeholder="4 2"),
                    submit="Roll these",
                ),
                form(
                    base.to(do="chips"),
                    Field("More chips", "amount", placeholder="100"),
                    submit="Buy",
                ),
                form(
                    base.to(do="tip"),
                    Field("Tip the dealers", "amount", placeholder="2"),
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
            self._new_table(),
        ]
        note = "at the terminal: sevenout play table --resume session.txt"
        return self.view.add_card("file", "The session", *parts, note=note)

    def _new_table(self) -> Any:
        """The form that opens another table."""
        house = self.session.house
        fields = [
            *(option_field("new", house, name, {}) for name in option_names(house)),
            Field("Chips", "new-bankroll", self.session.bankroll, inputmode="numeric"),
            Field("Currency", "new-currency", self.session.currency),
            # With the same seed the new table would roll the same dice again.
            Field("Seed of the dice", "new-seed", self.session.seed + 1, inputmode="numeric"),
        ]
        return h.details(".house")[
            h.summary(".hint")["Another table: limits, odds, chips, currency, dice"],
            h.form(".ask", action=PATH, method="get", data_waits=True)[
                h.div(".fields")[fields], h.button(".button", type="submit")["Sit down"]
            ],
        ]


def _capitalised(line: str) -> str:
    return line[0].upper() + line[1:]


def _sentence(line: str) -> str:
    return f"{_capitalised(line)}."
