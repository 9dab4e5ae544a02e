"""A table session as text: a file, or an address with semicolons for line ends."""

from collections.abc import Mapping

from sevenout.catalogue.craps_family.table.spots import spot, switch
from sevenout.catalogue.craps_family.table.table_acts import Rates
from sevenout.catalogue.craps_family.table.table_session import MOST_ACTS, TableSession
from sevenout.catalogue.strategytext import house_of, house_text
from sevenout.errors import NotationError, RulesError, shown
from sevenout.numerals import exact, parse_count, parse_seed
from sevenout.rolling.throw import parse_throw
from sevenout.rules.casino.felt import whole

FIRST = "sevenout table"
"""The first line of a session."""
USUAL_HOUSE = "minimum=5,props=1"
"""The default house."""
USUAL_HOURS = 4
"""The default hours of an evening."""
HEAD = ("house", "bankroll", "currency", "seed", *Rates._fields)
"""The keys of the lines before the acts."""


def session_text(session: TableSession) -> str:
    """A session as a file's text.

    >>> session = TableSession(bankroll=100)
    >>> _ = session.set("pass", 5)
    >>> session_text(session).split(chr(10))
    ['sevenout table', 'bankroll: 100', 'seed: 1', 'pass = 5', '']
    """
    house = house_text(session.house)
    rates = zip(Rates._fields, session.rates, Rates(), strict=True)
    return "\n".join(
        [
            FIRST,
            *([f"house: {house}"] if house else []),
            f"bankroll: {session.bankroll}",
            *([f"currency: {session.currency}"] if session.currency else []),
            f"seed: {session.seed}",
            *(f"{name}: {value}" for name, value, usual in rates if value != usual),
            *(f"and {act}" if i in session.joined else act for i, act in enumerate(session.acts)),
            "",
        ]
    )


def parse_session(text: str) -> TableSession:
    """A session from a file's text or an address.

    >>> parse_session("sevenout table;bankroll: 100;pass = 5;roll 4 2").bets
    {'pass': 5}

    Raises:
        NotationError: it is not a session; the message has the line.
        RulesError: the table does not allow an act; the message has the line.
    """
    lines = [line.strip() for line in text.strip().replace(";", "\n").split("\n")]
    if lines[0] != FIRST:
        raise NotationError(f"line 1: {shown(lines[0])}; a session begins with {FIRST!r}")
    if len(lines) > MOST_ACTS:
        raise NotationError(f"{len(lines):,} lines; a session has {MOST_ACTS:,} at most")
    head: dict[str, str] = {}
    acts = list(enumerate(lines, 1))[1:]
    while acts:
        name, colon, value = acts[0][1].partition(": ")
        if not colon or name not in HEAD:
            break
        if name in head:
            raise NotationError(f"line {acts[0][0]}: {name} is given twice; give it once")
        head[name] = value.strip()
        del acts[0]
    session = _begun(head)
    for number, line in acts:
        if not line or line.startswith("#"):
            continue
        joined, before = line.startswith("and "), len(session.acts)
        try:
            read_act(session, line.removeprefix("and "))
        except (NotationError, RulesError) as error:
            kind = NotationError if isinstance(error, NotationError) else RulesError
            raise kind(f"line {number}: {error}") from None
        if joined and 0 < before < len(session.acts):
            session.joined.add(before)
    return session


def _begun(head: Mapping[str, str]) -> TableSession:
    usual = Rates()
    return TableSession(
        house_of(head.get("house", "")),
        head.get("bankroll", "300"),
        seed=parse_seed(head.get("seed", "1")),
        currency=head.get("currency", ""),
        rates=Rates(
            parse_count(head.get("pace", str(usual.pace))),
            whole(exact(head.get("tips", usual.tips))),
            whole(exact(head.get("comps", usual.comps))),
        ),
    )


def read_act(session: TableSession, line: str) -> None:
    """Do exactly what a line of a session says.

    Raises:
        NotationError: it is not an act.
        RulesError: the table does not allow it, or not as written.
    """
    verb, _, rest = line.partition(" ")
    bet, equals, given = (part.strip() for part in line.partition(" = "))
    before, moves, after = (part.strip() for part in line.partition(" > "))
    if equals:
        found = session.set(bet, given)
        if (found.bet, found.now) != (bet, exact(given)):
            raise RulesError(f"{line}: {'; '.join(found.said) or f'it stands as {found.bet}'}")
    elif moves:
        spot(after)
        works = switch(after)[1]
        on = switch(before)[1] is False if works is None else works
        session.turn(before, on, early=bool(works))
        if after not in session.bets:
            raise RulesError(f"{line}: it is turned to {', '.join(session.bets)}")
    elif verb == "roll":
        session.roll(parse_throw(rest))
    elif verb == "tip":
        session.tip(rest)
    elif verb == "chips":
        session.buy_in(rest)
    else:
        raise NotationError(f"{shown(line)} is not an action; write 'pass = 5' or 'roll 4 2'")
