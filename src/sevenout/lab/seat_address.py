"""A seat at the table as an address: the session so far, the chip in hand, and the next act.

A page's address holds the session before and the act: `/sit?table=...&on=place 6`. The page shows
the result, and its buttons hold the session after. So Reload and Back never repeat an act.
"""

from collections.abc import Callable, Mapping

from sevenout.catalogue.craps_family.craps_felt import house_of
from sevenout.catalogue.craps_family.craps_offers import paid_in_full
from sevenout.catalogue.craps_family.table_lines import BET_VERBS, play, read_line
from sevenout.catalogue.craps_family.table_session import (
    USUAL_HOURS,
    USUAL_HOUSE,
    Changed,
    TableSession,
)
from sevenout.documents.numbers import minus
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.lab.address import MAX_DIGITS, Address, kind_of
from sevenout.numerals import exact, few_digits, parse_seed
from sevenout.papers import table_talk
from sevenout.questions.subjects import pack, unpack
from sevenout.rolling.throw import parse_throw
from sevenout.rules.casino.felt import Money, whole

PATH = "/sit"
LEAST, MOST, DOWN = "least", "most", "down"
CHIPS = (LEAST, "1", "5", "25", "100", "500", MOST, DOWN)
"""What a hand may hold: the least that is paid in full, a chip, the maximum, or "take down"."""
PLAIN = 2_000
"""Characters of a session that an address holds as they are; a longer one is packed."""
ASKS = ("on", "do", "dice", "amount")
"""The fields of the next act."""
NEW = ("minimum", "maximum", "bankroll", "currency", "seed", "game", "odds", "vig", "rules")
"""The fields of a new table."""


def session_of(address: Address) -> TableSession:
    """The session that an address holds, or a new one.

    >>> session_of(Address.read("/sit?table=sevenout table;bankroll: 9;field = 1;roll 2 2")).result
    1
    """
    text = address.get("table")
    if text:
        text = unpack(text[1:]) if text.startswith("~") else few_digits(text, MAX_DIGITS)
        return TableSession.from_text(text)
    typed = {name: few_digits(address.get(f"new-{name}"), MAX_DIGITS) for name in NEW}
    if not any(typed.values()):
        return TableSession(house_of(USUAL_HOUSE), currency="$")
    house = [f"minimum={typed['minimum'] or 5}", *filter(None, [typed["rules"]])]
    house += [f"{name}={typed[name]}" for name in ("maximum", "odds", "vig") if typed[name]]
    house += ["props=1"] if "props=" not in typed["rules"] else []
    house += ["crapless=yes"] if typed["game"] == "crapless" else []
    money, seed = typed["bankroll"] or "300", parse_seed(typed["seed"] or "1")
    return TableSession(house_of(",".join(house)), money, seed=seed, currency=typed["currency"])


def table_field(session: TableSession) -> str:
    """A session as a field of an address; packed if it is long."""
    text = session.to_address()
    return text if len(text) <= PLAIN else f"~{pack(text)}"


def evening_of(session: TableSession) -> int:
    """The rolls of an evening at this pace."""
    return USUAL_HOURS * session.rates.pace


def chip_of(address: Address) -> Money | str:
    """What the hand holds: a word, or the value of a chip."""
    chip = address.one_of("chip", CHIPS)
    return whole(exact(chip)) if chip.isdecimal() else chip


def done(session: TableSession, address: Address) -> tuple[list[str], str]:
    """Play the act of an address in a session; return the reply, or the reason for a refusal.

    >>> session = session_of(Address.read("/sit"))
    >>> done(session, Address.read("/sit?on=place 6"))[0]
    ['place 6: $6 (edge 1.52 %, costs $1.95 per hour if it stays up)']
    >>> done(session, Address.read("/sit?do=down hard 4"))
    ([], 'Hard 4: there is nothing on it; on the felt: place 6.')
    """
    try:
        if bet := address.get("on"):
            return _tapped(session, bet, chip_of(address)), ""
        if line := address.get("do"):
            return _line(session, line, address.get("amount")), ""
        if dice := address.get("dice"):
            return _roll(session, dice), ""
    except SevenoutError as error:
        # A refused bet is no error of the page: the session goes on.
        return [], kind_of(error)
    return [], ""


def _line(session: TableSession, line: str, amount: str) -> list[str]:
    """Do a line of the table; a form sends the amount of `chips` or `tip` beside it."""
    commands = read_line(session, f"{line} {amount}".strip())
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
        replies += [reply] if isinstance(reply, str) else _said(session, reply)
    return replies


def _tapped(session: TableSession, bet: str, chip: Money | str) -> list[str]:
    """Put what the hand holds on a bet, or take the bet down."""
    if chip == DOWN:
        return _down(session, bet)
    if chip == MOST:
        changed = session.set(bet, MOST)
    else:
        more = paid_in_full(session.offer(bet)) if isinstance(chip, str) else chip
        changed = session.put(bet, more)
    return _said(session, changed)


def _said(session: TableSession, *changes: Changed, priced: bool = True) -> list[str]:
    return [
        line for change in changes for line in table_talk.changed(session, change, priced=priced)
    ]


def _roll(session: TableSession, dice: str) -> list[str]:
    # The call names the point that was on before the roll.
    point = session.point
    rolled = session.roll(parse_throw(dice) if dice else None)
    rare = table_talk.rare(session, evening_of(session), below=table_talk.RARE, quiet=True)
    return [minus(table_talk.call(session, rolled, point)), *rare]


def _down(session: TableSession, bet: str) -> list[str]:
    return _said(session, *session.take_down(bet), priced=False)


def _tip(session: TableSession, amount: str) -> list[str]:
    money = exact(amount.strip("$€£"))
    session.tip(money)
    return [f"{session.money_text(whole(money))} to the dealers"]


def _chips(session: TableSession, amount: str) -> list[str]:
    money = exact(amount.strip("$€£"))
    session.buy_in(money)
    return [f"{session.money_text(whole(money))} more in the rail"]


def _undo(session: TableSession, _: str) -> list[str]:
    # Read first, because the undo removes the act.
    act = table_talk.undone(session)
    session.undo()
    return [f"taken back: {act}" if act else "there is nothing to take back"]


ACTS: Mapping[str, Callable[[TableSession, str], list[str]]] = {
    "roll": _roll,
    "tip": _tip,
    "chips": _chips,
    "undo": _undo,
}
"""The commands of a line that do not change bets."""
