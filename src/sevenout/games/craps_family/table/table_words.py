"""The bets that a player means, as they say it: "place 6 12", "odds max", "hard 8 5", "6"."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sevenout.errors import NotationError, RulesError
from sevenout.games.craps_family.table.craps_offers import LINES, paid_in_full, unit_of
from sevenout.games.craps_family.table.spots import BONUS, HARD, made_as, spot, switch, switched
from sevenout.games.craps_family.table.table_phrases import (
    AMOUNT,
    EVERY,
    GROUPS,
    MOST,
    NAMES,
    NUMBERED,
    Phrase,
    phrases,
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


PASSES = ("pass", "don't pass")


class UnknownWordError(NotationError):
    """A word that no bet has.

    Attributes:
        word: the word.
    """

    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__(
            f"{word!r} is no word of the table; `bets` lists the bets, `help` shows how to bet"
        )


def line_said(session: TableSession, line: str) -> list[Said]:
    """The bets in a line of one or more phrases. One without an amount takes that of the next.

    >>> [tuple(said) for said in line_said(TableSession(), "small and tall 5, 12 on the 6")]
    [('small', 5), ('tall', 5), ('place 6', 12)]

    Raises:
        NotationError: no bet has that name.
        RulesError: odds are said behind a come bet that is not on a number.
    """
    found: list[list[Said]] = []
    behind, numbered = "", False
    for said in phrases(line):
        kinds = [word for word in said.words if word in NAMES]
        if numbered and not kinds:
            raise NotationError("name the second bet too, as in buy 4 25, place 6 12")
        numbered = kinds[:1] in (["buy"], ["lay"], ["hard"], ["big"])
        before = (behind,) if behind and said.words[:1] == ("odds",) else ()
        if before and behind in LINES:
            raise RulesError(_no_number(behind))
        found.append(bets_said(session, said._replace(words=(*before, *said.words))))
        behind = found[-1][0].bet if found[-1][0].bet in (*PASSES, *LINES) else behind
    for bets, after in zip(reversed(found[:-1]), reversed(found[1:]), strict=True):
        if not spot(after[0].bet).odds:
            amount = after[0].amount
            bets[:] = [said._replace(amount=said.amount or amount) for said in bets]
    return [said for bets in found for said in bets]


def _no_number(line: str) -> str:
    return (
        f"{line} odds: odds go behind a {line} bet once a roll has moved it to its number; write "
        f"{line} 10 now, and odds 6 20 when it is on the 6"
    )


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
    if said.words == ("it",):
        return [Said(bet, said.amount) for bet in it(session)]
    kinds = list(dict.fromkeys(word for word in said.words if word in NAMES))
    numbers = [word for word in said.words if re.fullmatch(AMOUNT, word)]
    hops = [word for word in said.words if re.fullmatch(r"[1-6]-[1-6]|\d{1,2}s", word)]
    odds = "odds" in kinds
    kind = next((each for each in kinds if each != "odds"), "odds" if odds else None)
    left = [word for word in said.words if word not in (*kinds, *numbers, *hops)]
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
        comes = {spot(bet).number for bet in session.bets if spot(bet).kind in LINES}
        if said.amount is None and amount in comes and not numbers:
            if line is None:
                raise NotationError(
                    f"odds {amount} is unclear; write odds {amount} 20 for 20 behind the {amount}, "
                    f"or ${amount} odds for odds behind the line"
                )
            if line in LINES:  # "odds behind the come 6" names a number
                numbers, amount = [str(amount)], None
        bet = _odds(session, line, numbers)
        if isinstance(amount, str) and amount.endswith("x"):
            amount = int(amount[:-1]) * session.bets.get(bet.removesuffix(" odds"), 0)
        return [Said(bet, amount)]
    if isinstance(amount, str) and amount != MOST:
        raise _unknown(said._replace(words=(amount,)))
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
    for word in said.words:
        if word not in NAMES and not re.fullmatch(r"[\d./-]+", word):
            return UnknownWordError(word)
    return NotationError(f"{text!r} is not a bet; `bets` lists the bets, `help` shows how to bet")


def _last_number(
    kind: str | None, odds: bool, numbers: list[str], *, joined: bool
) -> tuple[list[str], Money | str | None]:
    """A bet's numbers; a last one that the bet can't be on is the amount."""
    on_one = not odds and (kind is None or kind in ("place", "buy", "lay", "big"))
    only_hard = kind == "hard" and len(numbers) == 1 and int(exact(numbers[0])) in HARD
    if joined or only_hard or len(numbers) <= on_one:
        return numbers, None
    return numbers[:-1], whole(exact(numbers[-1]))


def _odds(session: TableSession, line: str | None, numbers: list[str]) -> str:
    """The base bet of odds: the one named, else the standing line bet."""
    if line not in (None, *PASSES, *LINES):
        raise NotationError(f"odds go behind line and come bets, not behind {line}")
    bets = session.bets
    if not numbers:
        lines: list[str] = [b for b in PASSES if b in bets and line in (None, b)]
        if line in LINES or (line is None and not lines):
            kinds = LINES if line is None else (line,)
            comes = [b for b in bets if spot(b).number and not spot(b).odds]
            lines = [b for b in comes if spot(b).kind in kinds]
            if line and not lines:
                raise RulesError(_no_number(line))
        if len(lines) > 1:
            raise NotationError(
                "there are several bets to take odds on; write "
                f"{' or '.join(f'{x} odds 20' for x in lines)}"
            )
        return f"{lines[0] if lines else line or 'pass'} odds"
    n = numbers[0]
    for side in LINES:
        if line in (None, side) and f"{side} {n}" in bets:
            return f"{side} {n} odds"
    if line in (None, *PASSES) and str(session.point) == n:
        return _odds(session, line, [])
    return f"{line or 'come'} {n} odds"


def _hop(hops: list[str], numbers: list[str], amount: Money | str | None) -> list[Said]:
    """A hop of two faces, written 5 3, 5-3 or 53; or each hop of a total, written 6s."""
    if len(hops) == 1 and hops[0].endswith("s"):
        total = int(hops[0][:-1])
        pairs = [(low, total - low) for low in range(1, 7) if low <= total - low <= 6]
        if pairs and len(numbers) < 2:
            each = whole(exact(numbers[0])) if numbers and amount is None else amount
            return [Said(f"hop {low}-{high}", each) for low, high in pairs]
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
    numbers = GROUPS[name]
    units = {f"place {n}": unit_of(session.house, session.point, f"place {n}") for n in numbers}
    if isinstance(amount, str):
        return [Said(bet, amount) for bet in units]
    least = sum(units.values())
    if amount is None:
        most = max(-(-session.house.least(bet) // unit) for bet, unit in units.items())
        amount = whole(exact(most * least))
    point = units.get(f"place {session.point}", 0)
    if amount % least and point and not amount % (least - point):  # 27 across: without the point
        del units[f"place {session.point}"]
        least -= point
    each = amount // least
    if amount != each * least:
        low = max(1, each) * least
        without = f", or {least - point} without the point" if point else ""
        raise NotationError(
            f"{amount} {name} is not a multiple of {least}; write {low} or {low + least}{without}"
        )
    return [Said(bet, each * unit) for bet, unit in units.items()]


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
    if said.words in ((), ("all",), (EVERY,)):
        return list(bets)
    if said.words == ("it",):
        return it(session)
    if kinds := list(_of_kind(bets, said.words)):
        return kinds
    found = [switched(bets, each.bet) for each in bets_said(session, said._replace(joined=True))]
    if missing := [bet for bet in found if bet not in bets]:
        has = ", ".join(bets) or "nothing"
        raise RulesError(f"{missing[0]}: there is nothing on it; on the felt: {has}")
    return found


def it(session: TableSession) -> list[str]:
    """The standing bets that "it" means: those that the last roll paid, else the only one that may
    be raised.

    >>> it(TableSession.from_text("sevenout table;pass = 5;roll 4 2;place 8 = 6"))
    ['place 8']

    Raises:
        NotationError: there is no such bet.
    """
    bets, rolled = session.bets, session.moments[-1].rolled
    paid = [each.bet for each in rolled.paid if each.profit > 0] if rolled else []
    if won := [bet for bet in paid if bet in bets and not spot(bet).odds]:
        return won
    raised = [bet for bet, on in bets.items() if not session.offer(bet).why and not spot(bet).odds]
    if len(raised) == 1:
        return raised
    has = ", ".join(bets) or "nothing"
    raise NotationError(f"which bet? Write its name or number, as in press 8; on the felt: {has}")


def rides(session: TableSession) -> dict[str, Money]:
    """The bets, without odds, that won on the last roll: each with its stake and its win.

    >>> rides(TableSession.from_text("sevenout table;field = 6;roll 2 1"))
    {'field': 12}
    """
    rolled = session.moments[-1].rolled
    return {
        made_as(each.bet): whole(exact(each.stake) + exact(each.profit))
        for each in (rolled.paid if rolled else ())
        if each.profit > 0 and not spot(each.bet).odds
    }


def parlayed(session: TableSession, said: Phrase) -> list[Said]:
    """The bets that a phrase lets ride.

    Raises:
        SevenoutError: as `bets_said`; or it did not win on the last roll.
    """
    won = rides(session)
    bets = list(won)
    if said.words not in ((), ("it",), ("all",), (EVERY,)):
        bets = [made_as(each.bet) for each in bets_said(session, said)]
    elif not bets:
        raise RulesError("nothing won on the last roll; press 8 6 adds 6 to what is on the 8")
    if missing := [bet for bet in bets if bet not in won]:
        raise RulesError(f"{missing[0]}: it did not win on the last roll; parlay a bet that did")
    return [Said(bet, won[bet]) for bet in bets]


def again(session: TableSession) -> list[Said]:
    """The bets, without odds, that the last roll to do this took down, if they don't stand again.

    >>> again(TableSession.from_text("sevenout table;field = 5;roll 4 2;roll 3 3"))
    [Said(bet='field', amount=5)]
    """
    now = {made_as(bet) for bet in session.bets}
    for act in reversed(list(session.history())):
        paid = act.rolled.paid if act.rolled else ()
        after = dict(act.after.bets)
        down = [each for each in paid if each.bet not in after and not spot(each.bet).odds]
        if down:
            said = [Said(made_as(each.bet), each.stake) for each in down]
            return [each for each in said if each.bet not in now]
    return []


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
        odds = f"odds {spot(bet).number or ''}".strip()
        raise NotationError(f"no amount of odds; write {odds} {least} (up to {most}) or {odds} max")
    return least
