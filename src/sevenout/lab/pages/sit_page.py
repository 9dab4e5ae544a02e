"""A seat at the craps table: the player's bets on the felt, and the cost of each."""

from collections.abc import Sequence
from fractions import Fraction
from shlex import quote
from typing import Any

import htpy as h

from sevenout.catalogue.craps_family.table_lines import again
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.documents.numbers import many, minus
from sevenout.errors import SevenoutError
from sevenout.evenings.table_figures import habits
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import kind_of
from sevenout.lab.addresses.seat_address import (
    LEAST,
    PATH,
    chip_of,
    done,
    session_of,
    table_field,
)
from sevenout.lab.pages.felt_board import FeltBoard, rack
from sevenout.lab.pages.felt_page import PATH as TABLE
from sevenout.lab.pages.felt_page import die, puck, reached
from sevenout.lab.pages.sit_cards import SeatCards
from sevenout.lab.widgets.parts import go, heading, item, problem
from sevenout.lab.widgets.view import Reply, View
from sevenout.numerals import exact
from sevenout.papers import table_talk
from sevenout.papers.table_talk import FeltSpot, felt_spots

KEPT = ("table", "chip", "more")
"""The fields that a page's address keeps after an act."""
WATCHED = "three-point-molly"
"""The strategy that is watched first."""
FIRST = (
    "Begin with the pass line: tap it to bet what is in your hand, or drag a chip. Then roll.",
    "The figure on a spot is its edge: the average cost per 100 bet. A dashed spot is "
    "closed now; tap it to see why.",
)
PROGRAM = """\
from sevenout.evenings.table_figures import account
from sevenout.catalogue.craps_family.table_session import TableSession

session = TableSession.from_text(
    {text!r}
)
print(session.result, session.bets)
print(account(session).cost)
"""


def page(address: Address) -> View | Reply:
    """The page of a seat after its address's act."""
    if address.get("text"):
        return _opened(address)
    view = View(address, "At the craps table", TABLE)
    try:
        session = session_of(address)
    except SevenoutError as error:
        view.title, view.status = "Refused", 400
        view.body = [h.h1["At the craps table"], problem(kind_of(error), go("A new table", PATH))]
        return view
    messages, why = done(session, address)
    # The session after the act, so that no link repeats the act.
    view.address = address.to(PATH, keep=KEPT, table=table_field(session))
    steps = _replayed(view, session, address)
    chip = chip_of(address)
    side = address.has("more", "side")
    spots = list(felt_spots(session, LEAST if isinstance(chip, str) else chip, side=side))
    cards = SeatCards(view, session, spots)
    view.body = [
        heading(
            "At the craps table",
            table_talk.table(session),
            h.div(".actions")[
                go("One bet, over and over", TABLE),
                go("Watch a strategy", Address(TABLE, {"strategy": WATCHED})),
                go(
                    "The odds of every bet",
                    Address("/catalogue", {"family": "craps", "sort": "edge"}),
                ),
            ],
        ),
        h.div("#sit.columns")[
            h.div(".stack")[
                _felt(view, session, spots, _called(session, messages, why), steps),
                cards.stands(),
            ],
            h.div(".stack.beside")[
                cards.asked(address),
                cards.money(),
                cards.shooter(),
                cards.cost(),
                cards.coach(address),
                cards.file(),
            ],
            h.div(".stack.below")[cards.log()],
        ],
    ]
    view.python, view.command = _copies(session)
    view.bar = _bar(session)
    return view


def text(address: Address) -> Reply:
    """The session as a file."""
    content = session_of(address).to_text().encode()
    return Reply(content, "text/plain; charset=utf-8", filename="session.txt")


def _opened(address: Address) -> Reply:
    """A redirect to the session of a file, perhaps packed by the script."""
    session = session_of(Address(PATH, {"table": address.get("text")}))
    return Reply.to(Address(PATH, {"table": table_field(session)}))


def _replayed(view: View, session: TableSession, address: Address) -> Any:
    """The steps of a session under replay, which is cut to the current act; None without replay."""
    if not address.get("at"):
        return None
    # Listed first, because the cut below drops the later ones.
    acts = list(session.acts)
    at = address.whole("at", 0, 0, len(acts))
    base = view.address
    session.cut(at)
    view.address = base.to(at=at)
    rolls = [i for i, act in enumerate(acts, 1) if act.startswith("roll ")]
    after = next((i for i in rolls if i > at), len(acts))
    places = [("First", 0), ("Back", max(at - 1, 0)), ("Next", min(at + 1, len(acts)))]
    places += [("Next roll", after), ("Last", len(acts))]
    return h.div(".row", role="group", aria_label="Replay")[
        h.span(".onfelt")[f"Act {at:,} of {len(acts):,}"],
        (go(word, base.to(at=to)) for word, to in places),
        go("Go on from here", address.to(PATH, keep=("chip",), table=table_field(session))),
    ]


def _called(session: TableSession, messages: list[str], why: str) -> Any:
    """The dealer's words: on the current act, or else on the last roll."""
    if why:
        return h.strong(".refused")[why]
    calls = table_talk.calls(session)
    lines: Sequence[str] = messages or ([minus(calls[-1][1])] if calls else FIRST)
    return [h.strong[lines[0]], [(h.br, h.span(".onfelt")[line]) for line in lines[1:]]]


def _felt(view: View, session: TableSession, spots: list[FeltSpot], called: Any, steps: Any) -> Any:
    """The felt as one form: dice, puck, call, rack and layout."""
    faces = session.moments[-1].faces or ("", "")
    held, side = view.address.get("chip") or LEAST, view.address.has("more", "side")
    undo = h.button("#undo.button", type="submit", name="do", value="undo")["Undo"]
    same = h.button("#same.button", type="submit", name="do", value="same")["Same bets"]
    gone = [bet for bet, _ in again(session) if not session.offer(bet).why]
    return h.form("#seat.felt.seat", action=PATH, method="get", aria_label="The felt")[
        h.input(type="hidden", name="table", value=table_field(session)),
        h.div(".felt-top")[
            puck(session.point),
            h.div(".dice")[(die(face, session.rolls) for face in faces)],
            h.p(".call", role="status")[called],
        ],
        steps,
        h.div(".row")[
            h.button("#roll.button.main", type="submit", name="do", value="roll", data_space=True)[
                "Roll"
            ],
            undo if session.acts else None,
            same if gone else None,
            h.p(".rail")[h.b[session.money_text(session.rail)], " in the rail"],
        ],
        rack(session, held),
        FeltBoard(session, spots, side),
        h.input(type="hidden", name="more", value="side") if side else None,
    ]


def _copies(session: TableSession) -> tuple[str, str]:
    text = session.to_address()
    command = f"printf '%s' {quote(text)} > session.txt && sevenout evening --played session.txt"
    return PROGRAM.format(text=text), command


def _bar(session: TableSession) -> Any:
    cost = sum((habit.cost for habit in habits(session)), Fraction(0))
    result = exact(session.result)
    came = "up" if result > 0 else "down"
    return [
        item(minus(table_talk.money(session, cost)), "cost, on average", main=True)
        if cost
        else None,
        item(minus(table_talk.money(session, abs(result))), came) if result else None,
        item(session.money_text(session.rail), "in the rail"),
        item(*many(session.rolls, "roll").split()) if session.rolls else None,
        reached(_act("Roll", "roll", "main"), _act("Undo", "undo") if session.acts else None),
    ]


def _act(words: str, line: str, kind: str = "") -> Any:
    """A button of the bar for the form of the felt."""
    return h.button(
        class_=f"button {kind}".strip(), type="submit", form="seat", name="do", value=line
    )[words]
