"""The names that players use, and what they are in the catalogue.

"place 6", "Place-6" and "place the 6" are one bet: case, hyphens, apostrophes and "the" don't
matter. A bet of the craps table has one name, which odds, evenings, strategy files and the table
understand; here it finds its entry of the catalogue.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches

BETS = {
    "pass line": "pass-line",
    "line": "pass-line",
    "come": "come",
    "dont come": "dont-come-bar-12",
    "field": "field-2-3",
    "any 7": "any-seven",
    "any seven": "any-seven",
    "big red": "any-seven",
    "any craps": "any-craps",
    "craps check": "any-craps",
    "yo": "yo-11",
    "yo eleven": "yo-11",
    "aces": "aces-2",
    "snake eyes": "aces-2",
    "boxcars": "boxcars-12",
    "midnight": "boxcars-12",
    "ace deuce": "ace-deuce-3",
    "hi lo": "hi-lo-2-or-12",
    "c and e": "c-e",
    "craps eleven": "c-e",
    "whirl": "world-whirl",
    "world": "world-whirl",
    "over": "over-7",
    "under": "under-7",
    "small": "bonus-small-34-1",
    "tall": "bonus-tall-34-1",
    "all": "bonus-all-175-1",
    "fire": "fire-bet-a",
    "fire bet": "fire-bet-a",
    "hot hand bet": "hot-hand",
    "chuck a luck": "chuck-a-luck-1-2-3",
    "sic bo": "sic-bo-any-triple-30-1",
}
"""Bets without a number, and the entry of each."""
NUMBERED = {
    "place": "place-{pair}",
    "buy": "buy-{pair}-on-win",
    "lay": "lay-{pair}-on-win",
    "put": "put-{pair}",
    "place to lose": "place-to-lose-{pair}",
    "hard": "hardway-{pair}",
    "hardway": "hardway-{pair}",
    "hard way": "hardway-{pair}",
    "big": "big-{pair}",
}
"""Bets on a number, and the entry for its pair of numbers, such as 4 and 10."""
PAIRS = {4: "4-10", 10: "4-10", 5: "5-9", 9: "5-9", 6: "6-8", 8: "6-8"}
STRATEGIES = {
    "molly": "three-point-molly",
    "3 point molly": "three-point-molly",
    "dolly": "three-point-dolly",
    "3 point dolly": "three-point-dolly",
    "five count": "five-count",
    "5 count": "five-count",
    "dont pass": "dont-pass",
    "dont": "dont-pass",
    "pass line": "pass",
    "do dont": "do-dont",
}
"""Other names of strategies."""


def plain(words: str) -> str:
    """Words without case, hyphens, apostrophes and "the".

    >>> plain("Place the 6"), plain("don't-pass"), plain("3-point Molly")
    ('place 6', 'dont pass', '3 point molly')
    """
    text = re.sub(r"[-_]+", " ", words.casefold().replace("'", "").replace("\u2019", ""))
    return " ".join(word for word in text.split() if word not in ("the", "bet"))


def bet_entry(words: str) -> str:
    """The entry of a bet of the craps table, with its options; "" if the words are no bet.

    >>> bet_entry("field"), bet_entry("Hard-8"), bet_entry("buy the 4"), bet_entry("hard 5")
    ('field-2-3', 'hardway-6-8;number=8', 'buy-4-10-on-win;number=4', '')
    """
    text = plain(words)
    if text in BETS:
        return BETS[text]
    name, _, number = text.rpartition(" ")
    if name not in NUMBERED or not number.isdecimal() or int(number) not in PAIRS:
        return ""
    if NUMBERED[name].startswith(("hardway", "big")) and PAIRS[int(number)] == "5-9":
        return ""  # a 5 or a 9 is never a pair of equal faces, and has no big bet
    if name == "big":
        return f"big-6-big-8;number={number}" if PAIRS[int(number)] == "6-8" else ""
    return f"{NUMBERED[name].format(pair=PAIRS[int(number)])};number={number}"


def strategy_name(words: str, names: Iterable[str]) -> str:
    """The name of a strategy in its own spelling, with its options; "" if the words are none.

    >>> strategy_name("3-point Molly", ["pass", "three-point-molly"])
    'three-point-molly'
    >>> strategy_name("Iron Cross:unit=2", ["iron-cross"]), strategy_name("iron", ["iron-cross"])
    ('iron-cross:unit=2', '')
    """
    name, colon, options = words.partition(":")
    text = plain(name)
    by_words = {plain(known): known for known in names}
    found = by_words.get(text) or STRATEGIES.get(text, "")
    return f"{found}{colon}{options}" if found else ""


def nearest(words: str, names: Iterable[str], count: int = 3) -> list[str]:
    """The names that are spelled most like the words, the nearest first.

    >>> nearest("three-point-moly", ["pass", "three-point-molly", "craps"])
    ['three-point-molly']
    """
    by_words = {plain(name): name for name in names}
    return [by_words[near] for near in get_close_matches(plain(words), by_words, count, 0.5)]
