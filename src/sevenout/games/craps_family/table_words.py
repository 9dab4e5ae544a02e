"""What is said at a craps table, as players say it: "place 6 12", "odds max", "hard 8 5", "off"."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sevenout.errors import NotationError, RulesError, shown
from sevenout.games.craps_family.craps_offers import unit_of
from sevenout.games.craps_family.side import SIDE
from sevenout.games.craps_family.spots import BONUS, HARD, NEXT, spot, switch, switched
from sevenout.games.craps_family.table_session import TableSession
from sevenout.numerals import exact
from sevenout.rules.casino.felt import Money, whole

MOST = "most"
WORDS = {
    **dict.fromkeys(("one", "ace"), "1"),
    **{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "eight": "8"},
    **{"nine": "9", "ten": "10", "hundred": "100"},
    **dict.fromkeys(("max", "maximum", "full", "most", "everything"), MOST),
    **dict.fromkeys(("dont", "no", "don’t"), "don't"),
    **{"hardway": "hard", "hardways": "hard", "hards": "hard", "hopping": "hop", "hops": "hop"},
    **{"passline": "pass", "line": "pass", "yo-leven": "yo", "yoleven": "yo", "eleven": "yo"},
    **{"snake-eyes": "aces", "midnight": "boxcars", "twelve": "boxcars", "red": "any 7"},
    **{"seven": "7", "crap": "craps", "c-and-e": "C&E", "c&e": "C&E", "ce": "C&E"},
    **{"high-low": "hi-lo", "hilo": "hi-lo", "whirl": "world", "odd": "odds", "bets": "bet"},
    **{"dp": "don't pass", "dc": "don't come", "pl": "pass", "ats": "ats", "sixes": "6"},
}
"""Words for other words."""
PHRASES = (
    (r"\bsnake eyes\b", "aces"),
    (r"\bhigh low\b|\bhi lo\b", "hi-lo"),
    (r"\bc ?(?:and|&|n) ?e\b", "c&e"),
    (r"\bace deuce\b", "ace-deuce"),
    (r"\bthree way\b|\bcraps three-way\b", "three-way"),
    (r"\bbig red\b|\bany (?:red|seven)\b|\bany ?7\b", "any 7"),
    (r"\ball tall (?:and )?small\b", "ats"),
    (r"\bhard ?ways?\b", "hard"),
    (r"\bpass line\b", "pass"),
    (r"\bany ?craps?\b", "any craps"),
)
"""Several words for one."""
IDLE = {
    "the",
    "for",
    "a",
    "an",
    "my",
    "bet",
    "please",
    "of",
    "behind",
    "and",
    "each",
}
"""Words that say nothing."""
GROUPS = {
    "inside": (5, 6, 8, 9),
    "outside": (4, 5, 9, 10),
    "across": (4, 5, 6, 8, 9, 10),
}
"""Numbers that are placed at once."""


class Said(NamedTuple):
    """A bet that is meant, and how much.

    Attributes:
        bet: its name on the felt.
        amount: how much; `MOST`; None where nothing is said.
    """

    bet: str
    amount: Money | str | None


def words_of(line: str) -> list[str]:
    """The words of a line, each by the one word that stands for it.

    >>> words_of("$12 on the six"), words_of("No Pass Line 10")
    (['6', '12'], ["don't", 'pass', '10'])
    """
    text = " ".join(line.strip().replace("’", "'").split())
    for name in sorted(KEPT, key=len, reverse=True):
        if text == name or text.startswith(f"{name} "):
            return [name, *words_of(text.removeprefix(name))] if text != name else [name]
    text = text.lower()
    for found, stands in PHRASES:
        text = re.sub(found, stands, text)
    text = re.sub(r"[$€£]", "", text)
    said = text.replace(",", " ").split()
    if len(said) > 1 and _amount(said[0]) is not None:  # 12 on the 6
        if said[1] == "on" and len(said) > 2:
            said = [*said[2:], said[0]]
        elif not any(word.isdecimal() for word in said[1:]):
            said = [*said[1:], said[0]]
    words = [part for word in said for part in _word(word)]
    inner = [word for word in words[1:-1] if word != "on"]  # "on 6" turns it on, "12 on 6" does not
    words = [*words[:1], *inner, *words[1:][-1:]]
    return [word for word in words if word not in IDLE]


def _word(word: str) -> list[str]:
    return WORDS.get(word, word).split()


KEPT = {bet for bet in SIDE if " " in bet} | {"C&E"}
"""Names that are never taken apart."""


def bets_said(session: TableSession, words: list[str]) -> list[Said]:
    """The bets that words name, with what is to be on each.

    >>> session = TableSession()
    >>> bets_said(session, words_of("place the 6 and 8 for 12 each"))
    [Said(bet='place 6', amount=12), Said(bet='place 8', amount=12)]
    >>> bets_said(session, words_of("hard 8 5")), bets_said(session, words_of("no pass"))
    ([Said(bet='hard 8', amount=5)], [Said(bet="don't pass", amount=None)])

    Raises:
        NotationError: no bet is named so.
    """
    names, amount = _parted(session, words)
    kind, rest = _kind(names)
    numbers = [n for n in rest if n.isdecimal()]
    if kind == "odds" or rest[-1:] == ["odds"] or "odds" in rest:
        return [Said(_odds(session, kind, numbers), amount)]
    if kind in GROUPS or (kind == "place" and rest and rest[0] in GROUPS):
        return _group(session, kind if kind in GROUPS else rest[0], amount)
    if kind == "hop":
        return [Said(f"hop {_hop(rest)}", amount)]
    if kind == "ats":
        return [Said(bet, amount) for bet in BONUS]
    if kind == "hard" and not rest:
        return [Said(f"hard {n}", amount) for n in HARD]
    if kind in NUMBERED and numbers:
        return [Said(f"{kind} {n}", amount) for n in dict.fromkeys(numbers)]
    if kind in ("place", "buy", "lay", "big"):
        raise NotationError(f"{kind} which number? Say {kind} 6 12")
    if kind is None:
        if numbers and not set(rest) - set(numbers):
            return [Said(_on_number(session, n), amount) for n in numbers]
        said = " ".join(words)
        raise NotationError(f"{said!r} is no bet; `bets` lists them, `help` says how to bet")
    return [Said(kind, amount)]


NUMBERED = ("place", "buy", "lay", "come", "don't come", "hard", "big")


def _parted(session: TableSession, words: list[str]) -> tuple[list[str], Money | str | None]:
    """What names the bet, and the amount: the last number where another one names the bet, or none
    does.
    """
    if MOST in words:
        return [word for word in words if word != MOST], MOST
    *names, last = words or [""]
    amount = _amount(last)
    if amount is None:
        return words, None
    kind, rest = _kind(names)
    numbers = [n for n in rest if n.isdecimal() or "-" in n]
    needs = kind in ("place", "buy", "lay", "hard", "big", "hop") or (kind is None and not numbers)
    whole_hard = kind == "hard" and last not in map(str, HARD)
    if needs and not numbers and not whole_hard and not _in_group(rest):
        return words, None
    if kind == "hop" and len(rest) == 1 and re.fullmatch(r"[1-6]", rest[0]):
        return words, None
    return names, amount


def _in_group(rest: Iterable[str]) -> bool:
    return any(word in GROUPS for word in rest)


def _amount(word: str) -> Money | None:
    return (
        whole(exact(word)) if re.fullmatch(r"\d{1,12}(?:\.\d{1,4}|/[1-9]\d{0,3})?", word) else None
    )


def _kind(words: list[str]) -> tuple[str | None, list[str]]:
    """The kind of bet with which words begin, or end; and the others."""
    for n in range(min(3, len(words)), 0, -1):
        for at in (0, len(words) - n):
            name = " ".join(words[at : at + n])
            if name in NAMES:
                return name, words[:at] + words[at + n :]
    if words[:1] == ["don't"] and not words[1:]:
        return "don't pass", []
    return None, words


NAMES = {
    *("pass", "don't pass", "come", "don't come", "place", "buy", "lay", "field", "hard", "big"),
    *("odds", "hop", "ats", *GROUPS, *NEXT, *BONUS, *SIDE),
}


def _odds(session: TableSession, kind: str | None, numbers: list[str]) -> str:
    """The bet behind which odds go: that which is named, else the line that stands."""
    line = kind if kind in ("pass", "don't pass", "come", "don't come") else None
    bets = session.bets
    if not numbers:
        lines: list[str] = [
            bet for bet in ("pass", "don't pass") if bet in bets and line in (None, bet)
        ]
        if line in ("come", "don't come") or (line is None and not lines):
            kinds = ("come", "don't come") if line is None else (line,)
            lines = [
                b for b in bets if spot(b).number and spot(b).kind in kinds and "odds" not in b
            ]
        if len(lines) > 1:
            raise NotationError(f"odds behind which? Say {' or '.join(f'{x} odds' for x in lines)}")
        return f"{lines[0] if lines else line or 'pass'} odds"
    n = numbers[0]
    if line in (None, "come", "don't come"):
        for side in (line,) if line else ("come", "don't come"):
            if f"{side} {n}" in bets:
                return f"{side} {n} odds"
    if line in (None, "pass", "don't pass") and str(session.point) == n:
        return _odds(session, line, [])
    return f"{line or 'come'} {n} odds"


def _hop(rest: list[str]) -> str:
    """The faces of a hop: 5 3, 5-3 or 53; a number that both dice make alike: hard 6."""
    faces = [face for word in rest for face in re.findall(r"[1-6]", word)]
    if len(faces) != 2:
        raise NotationError("a hop is of two dice: say hop 5 3 2, for 2 on 5 and 3")
    return "-".join(sorted(faces))


def _on_number(session: TableSession, n: str) -> str:
    """The bet that a number alone means: one that stands on it, else to place it."""
    for kind in ("place", "buy", "lay", "hard", "big", "come", "don't come"):
        if (bet := switched(session.bets, f"{kind} {n}")) in session.bets:
            return bet
    try:
        spot(f"place {n}")
    except RulesError:
        raise NotationError(f"{n}: say which bet, such as place 6 {n}") from None
    return f"place {n}"


def _group(session: TableSession, name: str, amount: Money | str | None) -> list[Said]:
    """Several numbers placed at once: so much in all, in units of each."""
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
        raise NotationError(f"{amount} {name}: say {low} or {low + least}, {least} at a time")
    return [Said(bet, each * unit) for bet, unit in zip(bets, units, strict=True)]


def standing(session: TableSession, words: list[str]) -> list[str]:
    """The bets on the felt that words mean: one by its name or number, a kind, or all of them.

    >>> session = TableSession.from_text("sevenout table;bankroll: 99;place 6 = 6;field = 1")
    >>> standing(session, ["6"]), standing(session, []), standing(session, ["place"])
    (['place 6'], ['field', 'place 6'], ['place 6'])

    Raises:
        NotationError: no bet is named so.
        RulesError: nothing is on it.
    """
    bets = session.bets
    if not words or words == ["all"]:
        return list(bets)
    kinds = list(_of_kind(bets, words))
    if kinds:
        return kinds
    found = [switched(bets, said.bet) for said in bets_said(session, words)]
    if missing := [bet for bet in found if bet not in bets]:
        has = ", ".join(bets) or "nothing"
        raise RulesError(f"{missing[0]}: there is nothing on it; on the felt: {has}")
    return found


def _of_kind(bets: Mapping[str, Money], words: list[str]) -> Iterator[str]:
    """The bets of a kind: "place", "odds", "hard", or that are on a number."""
    kind, rest = _kind(words)
    numbers = [n for n in rest if n.isdecimal()]
    for bet in bets:
        what = spot(bet)
        plain, _ = switch(bet)
        named = kind is None or plain.startswith(f"{kind} ") or plain == kind
        if kind == "odds":
            named = what.odds
        elif kind is None and not numbers:
            return
        if named and (not numbers or str(what.number) in numbers) and len(rest) == len(numbers):
            yield bet


def usual(session: TableSession, bet: str) -> Money:
    """What is bet where no amount is said: the least that is paid in full.

    >>> usual(TableSession(), "place 6")
    6
    """
    offer = session.offer(bet)
    least = max(offer.least, 1)
    unit = offer.unit
    return whole(exact(-(-least // unit) * unit))


def must_be_words(line: str) -> None:
    """Refuse a line that is too long to be said.

    Raises:
        NotationError: it is.
    """
    if len(line) > 200:
        raise NotationError(f"{shown(line)}; say it in fewer words")
