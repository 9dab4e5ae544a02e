"""The bets that a player means, as they say it: "place 6 12", "odds max", "hard 8 5", "6"."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from sevenout.catalogue.craps_family.table.craps_offers import LINES, paid_in_full, unit_of
from sevenout.catalogue.craps_family.table.spoken.table_phrases import (
    AMOUNT,
    EVERY,
    GROUPS,
    MOST,
    NAMES,
    NUMBERED,
    Phrase,
    Said,
    phrases,
)
from sevenout.catalogue.craps_family.table.spoken.unknown_words import unknown
from sevenout.catalogue.craps_family.table.spoken.won_bets import it, rides
from sevenout.catalogue.craps_family.table.spots import (
    BONUS,
    HARD,
    made_as,
    spot,
    switch,
    switched,
)
from sevenout.catalogue.craps_family.table.table_session import TableSession
from sevenout.errors import NotationError, RulesError
from sevenout.numerals import exact
from sevenout.rules.casino.felt import Money, whole

PASSES = ("pass", "don't pass")


def line_said(session: TableSession, line: str) -> list[Said]:
    """The bets in a line of one or more phrases. One without an amount takes that of the next, or
    that of the one before if it is of the same kind.

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
    for first, bets in pairwise(found):
        one, other = spot(first[-1].bet), spot(bets[0].bet)
        if (one.kind, one.odds) == (other.kind, other.odds):  # 5 on the hard 6 and hard 8
            amount = first[-1].amount
            bets[:] = [said._replace(amount=said.amount or amount) for said in bets]
    return [said for bets in found for said in bets]


def _no_number(line: str) -> str:
    return (
        f"{line} odds: odds go behind a {line} bet once a roll has moved it to its number; write "
        f"{line} 10 now, and odds 6 20 when it is on the 6"
    )


def bets_said(session: TableSession, said: Phrase) -> list[Said]:
    """The bets in a phrase, with their amounts.

    >>> from sevenout.catalogue.craps_family.table.spoken.table_phrases import phrase
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
    hops = [word for word in said.words if re.fullmatch(r"[1-6]-[1-6]|\d{1,2}[es]", word)]
    odds = "odds" in kinds
    kind = next((each for each in kinds if each != "odds"), "odds" if odds else None)
    left = [word for word in said.words if word not in (*kinds, *numbers, *hops)]
    if kind == "place" and len(kinds) == 2 and kinds[1] in GROUPS:
        kind, kinds = kinds[1], kinds[1:]
    if odds and ("all" in kinds or EVERY in left):
        return _all_odds(session, said)
    if left or len(kinds) > 1 + (odds and kind != "odds") or (hops and kind != "hop"):
        raise unknown(said)
    amount = said.amount
    if kind == "hop":
        return _hop(hops, numbers, amount)
    if not odds and (kind in ("place", "buy", "lay") or (kind == "hard" and len(numbers) > 1)):
        _check_numbers(session, kind, numbers)
    if amount is None:
        _check_clear(session, kind, numbers, joined=said.joined)
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
        raise unknown(said._replace(words=(amount,)))
    if kind in NUMBERED and numbers:
        return [Said(f"{kind} {n}", amount) for n in dict.fromkeys(numbers)]
    if kind is None and numbers:
        return [Said(_on_number(session, n), amount) for n in dict.fromkeys(numbers)]
    if kind in ("place", "buy", "lay", "big"):
        raise NotationError(f"no number; write a number and an amount, such as {kind} 6 12")
    if kind is None or numbers:
        raise unknown(said)
    if kind in GROUPS:
        return _group(session, kind, amount)
    several = {"ats": tuple(BONUS), "hard": tuple(f"hard {n}" for n in HARD), "c&e": ("C&E",)}
    return [Said(bet, amount) for bet in several.get(kind, (kind,))]


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


def _all_odds(session: TableSession, said: Phrase) -> list[Said]:
    """Odds behind each bet that takes them, or each come bet."""
    if left := [word for word in said.words if word not in ("odds", "all", EVERY, *LINES)]:
        raise unknown(said._replace(words=tuple(left)))
    kinds = [word for word in said.words if word in LINES] or [*PASSES, *LINES]
    found = []
    for bet, on in session.bets.items():
        what = spot(bet)
        if what.kind in kinds and not what.odds and (what.number or what.kind in PASSES):
            times = isinstance(said.amount, str) and said.amount.endswith("x")
            amount = int(str(said.amount)[:-1]) * on if times else said.amount
            found.append(Said(f"{bet} odds", amount))
    if not found:
        raise RulesError("odds go behind a line or come bet: there is none on the felt")
    return found


def _hop(hops: list[str], numbers: list[str], amount: Money | str | None) -> list[Said]:
    """A hop of two faces, written 5 3, 5-3 or 53; or each hop of a total, written 6s, or 6e for
    those that are not doubles.
    """
    if len(hops) == 1 and hops[0][-1] in "es":
        total, easy = int(hops[0][:-1]), hops[0][-1] == "e"
        pairs = [(low, total - low) for low in range(1, 7) if low + easy <= total - low <= 6]
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


def _check_numbers(session: TableSession, kind: str, numbers: list[str]) -> None:
    """Refuse a first number that a bet can't be on."""
    known = HARD if kind == "hard" else session.house.numbers
    if numbers and numbers[0] not in map(str, known):
        listed = ", ".join(map(str, known))
        raise RulesError(f"no {kind} bet on {numbers[0]}: its numbers are {listed}")


def _check_clear(
    session: TableSession, kind: str | None, numbers: list[str], *, joined: bool
) -> None:
    """Refuse a last number that may be an amount, but also one more number."""
    points = [str(n) for n in session.house.numbers]
    if joined or kind not in (None, "place") or len(numbers) < 2 or numbers[-1] not in points:
        return
    *placed, last = numbers
    if not set(placed) <= set(points) or (len(placed) == 1 and last in ("5", "10")):
        return
    if any(int(last) % unit_of(session.house, None, f"place {n}") for n in placed):
        several = " ".join(placed)
        raise NotationError(
            f"{' '.join(numbers)} is unclear; write place {several} for {last}, or place "
            f"{', '.join(placed)} and {last}"
        )


def _on_number(session: TableSession, n: str) -> str:
    """The bet that a number alone means: one on it, else a place bet.

    Raises:
        NotationError: no bet can be on it; the message names those on the next roll.
    """
    for kind in ("place", "buy", "lay", "hard", "big", "come", "don't come"):
        if (bet := switched(session.bets, f"{kind} {n}")) in session.bets:
            return bet
    if int(exact(n)) in session.house.numbers:
        return f"place {n}"
    others = {"2": "aces 1", "3": "ace-deuce 1", "7": "any 7 5", "11": "yo 1", "12": "boxcars 1"}
    other = f", or {others[n]} for that number" if n in others else ""
    raise NotationError(f"{n} is an amount without a bet; write one, such as pass {n}{other}")


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

    >>> from sevenout.catalogue.craps_family.table.spoken.table_phrases import phrase
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


def pressed(session: TableSession, said: Phrase) -> list[str]:
    """The standing bets that a phrase presses: a number alone means one bet on it, a place or buy
    bet before a hard way.

    >>> from sevenout.catalogue.craps_family.table.spoken.table_phrases import phrase
    >>> session = TableSession.from_text("sevenout table;bankroll: 99;place 6 = 6;hard 6 = 1")
    >>> pressed(session, phrase("6")), pressed(session, phrase("hard 6"))
    (['place 6'], ['hard 6'])

    Raises:
        SevenoutError: as `standing`.
    """
    found = standing(session, said)
    if not said.words or not all(word.isdecimal() for word in said.words):
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
