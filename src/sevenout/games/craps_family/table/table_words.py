"""The bets that a player means, as they say it: "place 6 12", "odds max", "hard 8 5", "6"."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sevenout.errors import NotationError, RulesError
from sevenout.games.craps_family.table.craps_offers import Offer, unit_of
from sevenout.games.craps_family.table.craps_table import true_odds
from sevenout.games.craps_family.table.spots import BONUS, HARD, spot, switch, switched
from sevenout.games.craps_family.table.table_phrases import (
    AMOUNT,
    GROUPS,
    NAMES,
    NUMBERED,
    Phrase,
)
from sevenout.games.craps_family.table.table_session import TableSession
from sevenout.numerals import exact
from sevenout.rules.casino.felt import Money, whole


class Said(NamedTuple):
    """A bet and an amount.

    Attributes:
        amount: `MOST`, or None if not given.
    """

    bet: str
    amount: Money | str | None


def bets_said(session: TableSession, said: Phrase) -> list[Said]:
    """The bets in a phrase, with their amounts.

    >>> from sevenout.games.craps_family.table.table_phrases import phrase
    >>> session = TableSession()
    >>> bets_said(session, phrase("place the 6 and 8 for 12 each"))
    [Said(bet='place 6', amount=12), Said(bet='place 8', amount=12)]
    >>> bets_said(session, phrase("hard 8 5")), bets_said(session, phrase("no pass"))
    ([Said(bet='hard 8', amount=5)], [Said(bet="don't pass", amount=None)])

    Raises:
        NotationError: no bet has that name.
    """
    kinds = [word for word in said.words if word in NAMES]
    numbers = [word for word in said.words if re.fullmatch(AMOUNT, word)]
    hops = [word for word in said.words if re.fullmatch(r"[1-6]-[1-6]", word)]
    odds = "odds" in kinds
    kind = next((each for each in kinds if each != "odds"), "odds" if odds else None)
    left = len(said.words) - len(kinds) - len(numbers) - len(hops)
    if kind == "place" and len(kinds) == 2 and kinds[1] in GROUPS:
        kind, kinds = kinds[1], kinds[1:]
    if left or len(kinds) > 1 + (odds and kind != "odds") or (hops and kind != "hop"):
        raise _unknown(said)
    amount = said.amount
    if kind == "hop":
        return _hop(hops, numbers, amount)
    if amount is None:
        numbers, amount = _last_number(kind, odds, numbers, joined=said.joined)
    if odds:
        line = None if kind == "odds" else kind
        if said.amount is None and amount in _numbers(session) and not numbers:
            raise NotationError(
                f"odds {amount} is unclear; write odds {amount} 20 for 20 behind the {amount}, "
                f"or ${amount} odds for odds behind the line"
            )
        return [Said(_odds(session, line, numbers), amount)]
    if kind in NUMBERED and numbers:
        return [Said(f"{kind} {n}", amount) for n in dict.fromkeys(numbers)]
    if kind is None and numbers:
        return [Said(_on_number(session, n), amount) for n in dict.fromkeys(numbers)]
    if kind in ("place", "buy", "lay", "big"):
        raise NotationError(f"no number; write a number and an amount, such as {kind} 6 12")
    if kind is None or numbers:
        raise _unknown(said)
    if kind in GROUPS:
        return _group(session, kind, amount)
    several = {"ats": tuple(BONUS), "hard": tuple(f"hard {n}" for n in HARD), "c&e": ("C&E",)}
    return [Said(bet, amount) for bet in several.get(kind, (kind,))]


def _unknown(said: Phrase) -> NotationError:
    text = " ".join(said.words)
    wrong = [w for w in said.words if w not in NAMES and not re.fullmatch(r"[\d./-]+", w)]
    what = f"{wrong[0]!r} is no word of the table" if wrong else f"{text!r} is no bet"
    return NotationError(f"{what}; `bets` lists the bets, `help` shows how to bet")


def _last_number(
    kind: str | None, odds: bool, numbers: list[str], *, joined: bool
) -> tuple[list[str], Money | str | None]:
    """A bet's numbers; a last one that the bet can't be on is the amount."""
    on_one = (kind in NUMBERED and kind not in ("come", "don't come", "hard")) or kind is None
    if odds:
        on_one = False
    enough = len(numbers) > (1 if on_one else 0) and not joined
    if kind == "hard" and len(numbers) == 1 and int(exact(numbers[0])) in HARD:
        enough = False
    if not enough:
        return numbers, None
    return numbers[:-1], whole(exact(numbers[-1]))


def _numbers(session: TableSession) -> set[int]:
    """The numbers that can have odds."""
    comes = {spot(bet).number for bet in session.bets if spot(bet).kind in ("come", "don't come")}
    return comes - {0}


def _odds(session: TableSession, line: str | None, numbers: list[str]) -> str:
    """The base bet of odds: the one named, else the standing line bet."""
    if line not in (None, "pass", "don't pass", "come", "don't come"):
        raise NotationError(f"odds go behind line and come bets, not behind {line}")
    bets = session.bets
    if not numbers:
        lines: list[str] = [b for b in ("pass", "don't pass") if b in bets and line in (None, b)]
        if line in ("come", "don't come") or (line is None and not lines):
            kinds = ("come", "don't come") if line is None else (line,)
            lines = [b for b in bets if spot(b).number and spot(b).kind in kinds]
            lines = [b for b in lines if not spot(b).odds]
        if len(lines) > 1:
            raise NotationError(
                "there are several bets to take odds on; write "
                f"{' or '.join(f'{x} odds' for x in lines)}"
            )
        return f"{lines[0] if lines else line or 'pass'} odds"
    n = numbers[0]
    for side in (line,) if line in ("come", "don't come") else ("come", "don't come"):
        if line in (None, side) and f"{side} {n}" in bets:
            return f"{side} {n} odds"
    if line in (None, "pass", "don't pass") and str(session.point) == n:
        return _odds(session, line, [])
    return f"{line or 'come'} {n} odds"


def _hop(hops: list[str], numbers: list[str], amount: Money | str | None) -> list[Said]:
    """A hop of two faces, written 5 3, 5-3 or 53."""
    faces = [face for hop in hops for face in hop.split("-")]
    rest = list(numbers)
    if not faces and rest and re.fullmatch(r"[1-6]{2}", rest[0]) and len(rest) < 3:
        faces = list(rest.pop(0))
    while len(faces) < 2 and rest and re.fullmatch(r"[1-6]", rest[0]):
        faces.append(rest.pop(0))
    if rest and amount is None:
        amount = whole(exact(rest.pop(0)))
    if len(faces) != 2 or rest:
        raise NotationError("a hop bet names two dice; write hop 5 3 2 for 2 on 5 and 3")
    return [Said(f"hop {'-'.join(sorted(faces))}", amount)]


def _on_number(session: TableSession, n: str) -> str:
    """The bet that a number alone means: one on it, else a place bet."""
    for kind in ("place", "buy", "lay", "hard", "big", "come", "don't come"):
        if (bet := switched(session.bets, f"{kind} {n}")) in session.bets:
            return bet
    try:
        spot(f"place {n}")
    except RulesError:
        raise NotationError(
            f"{n} is an amount without a bet; write one, such as pass {n}"
        ) from None
    return f"place {n}"


def _group(session: TableSession, name: str, amount: Money | str | None) -> list[Said]:
    """Several numbers placed for a total amount, in units of each bet."""
    bets = [f"place {n}" for n in GROUPS[name]]
    units = [unit_of(session.house, session.point, bet) for bet in bets]
    least = sum(units)
    if isinstance(amount, str):
        return [Said(bet, amount) for bet in bets]
    each = 1 if amount is None else amount // least
    while amount is None and any(
        each * unit < session.house.least(bet) for unit, bet in zip(units, bets, strict=True)
    ):
        each += 1
    if amount is not None and amount != each * least:
        low = max(1, each) * least
        raise NotationError(
            f"{amount} {name} is not a multiple of {least}; write {low} or {low + least}"
        )
    return [Said(bet, each * unit) for bet, unit in zip(bets, units, strict=True)]


def standing(session: TableSession, said: Phrase) -> list[str]:
    """The standing bets that a phrase means.

    >>> from sevenout.games.craps_family.table.table_phrases import phrase
    >>> session = TableSession.from_text("sevenout table;bankroll: 99;place 6 = 6;field = 1")
    >>> [standing(session, phrase(line)) for line in ("6", "all", "place")]
    [['place 6'], ['field', 'place 6'], ['place 6']]

    Raises:
        NotationError: no bet has that name.
        RulesError: it has no money on it.
    """
    bets = session.bets
    if not said.words or said.words == ("all",):
        return list(bets)
    if kinds := list(_of_kind(bets, said.words)):
        return kinds
    found = [switched(bets, each.bet) for each in bets_said(session, said._replace(joined=True))]
    if missing := [bet for bet in found if bet not in bets]:
        has = ", ".join(bets) or "nothing"
        raise RulesError(f"{missing[0]}: there is nothing on it; on the felt: {has}")
    return found


def pressed(session: TableSession, said: Phrase) -> list[str]:
    """The standing bets that a phrase presses: a number alone means one bet on it, a place or buy
    bet before a hard way.

    >>> from sevenout.games.craps_family.table.table_phrases import phrase
    >>> session = TableSession.from_text("sevenout table;bankroll: 99;place 6 = 6;hard 6 = 1")
    >>> pressed(session, phrase("6")), pressed(session, phrase("hard 6"))
    (['place 6'], ['hard 6'])

    Raises:
        SevenoutError: as `standing`.
    """
    found = standing(session, said)
    if not all(word.isdecimal() for word in said.words):
        return found
    return [bet for bet in found if bet == _on_number(session, str(spot(bet).number))]


def _of_kind(bets: Mapping[str, Money], words: tuple[str, ...]) -> Iterator[str]:
    """The bets of a kind ("place", "odds", "hard"), or on a number."""
    kinds = [word for word in words if word in NAMES]
    numbers = [word for word in words if word.isdecimal()]
    if len(kinds) + len(numbers) != len(words):
        return
    for bet in bets:
        what, (plain, _) = spot(bet), switch(bet)
        named = all(
            what.odds if kind == "odds" else f"{plain} ".startswith(f"{kind} ") for kind in kinds
        )
        if named and (not numbers or str(what.number) in numbers):
            yield bet


def usual(session: TableSession, bet: str) -> Money:
    """The default amount of a bet: the least that is paid in full.

    >>> usual(TableSession(), "place 6"), usual(TableSession(), "buy 4")
    (6, 20)

    Raises:
        NotationError: odds have no default.
    """
    offer = session.offer(bet)
    least = paid_in_full(offer)
    if spot(bet).odds and not offer.why:
        most = session.said(offer.most or 0)
        raise NotationError(f"no amount of odds; write {least} to {most}, or odds max")
    return least


def paid_in_full(offer: Offer) -> Money:
    """The least amount paid in full; for buy and lay, with a whole unit of commission.

    >>> paid_in_full(TableSession().offer("lay 4"))
    40
    """
    what, unit = spot(offer.bet), offer.unit
    if what.odds:
        return max(unit, 1) if offer.why else min(unit, offer.most or unit)
    if what.kind in ("buy", "lay"):
        unit = 20 if what.kind == "buy" else whole(20 * true_odds(what.number))
    return whole(exact(-(-max(offer.least, 1) // unit) * unit))
