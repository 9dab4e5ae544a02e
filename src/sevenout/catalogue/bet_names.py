"""One vocabulary of bets, for `odds`, evenings, strategy files, the table, the lab and Python.

A bet has one name, that of the felt: "field", "place 6", "hard 8", "don't pass". Case, hyphens,
spaces and apostrophes don't matter: "Place-6", "dont pass" and "hilo" are names too, and so are a
few short forms. The same words name an entry of the catalogue and a strategy of the library.
"""

import re
from difflib import get_close_matches
from typing import Any

from sevenout.catalogue import games
from sevenout.catalogue.craps_family.craps_variants import CRAPLESS_POINTS
from sevenout.catalogue.craps_family.side_bets import SIDE_BETS
from sevenout.catalogue.craps_family.spots import (
    BONUS,
    COME_BETS,
    HARD_NUMBERS,
    HOPS,
    LINE_BETS,
    NEXT,
)
from sevenout.catalogue.dice_and_odds import POINTS
from sevenout.catalogue.strategies import strategies
from sevenout.errors import RulesError, shown

NUMBERED: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("place", "buy", "lay"), CRAPLESS_POINTS),
    "hard": HARD_NUMBERS,
    "big": (6, 8),
}
"""The bets on a number, and their numbers at any table."""
FELT: tuple[str, ...] = (
    *(*LINE_BETS, *COME_BETS, "field"),
    *(f"{kind} {number}" for kind, numbers in NUMBERED.items() for number in numbers),
    *NEXT,
    *HOPS,
    *BONUS,
    *SIDE_BETS,
)
"""Every bet of the felt, as it is made."""
BET_ALIASES = {
    "pass line": "pass",
    "line": "pass",
    "no pass": "don't pass",
    "no come": "don't come",
    "any seven": "any 7",
    "eleven": "yo",
    "snake eyes": "aces",
    "midnight": "boxcars",
    "whirl": "world",
    "c and e": "C&E",
    "ce": "C&E",
    **{f"{word} {n}": f"hard {n}" for word in ("hardway", "hard way") for n in HARD_NUMBERS},
}
"""Other names of bets, as `plain_words` writes them, and the felt's names."""
STRATEGY_ALIASES = {
    **dict.fromkeys(("molly", "3 point molly"), "three-point-molly"),
    **dict.fromkeys(("dolly", "3 point dolly"), "three-point-dolly"),
}
"""Other names of strategies, as `plain_words` writes them, and the library's names."""


def plain_words(text: str) -> str:
    """A text in lower case, without hyphens and apostrophes, and with single spaces.

    >>> plain_words("Don't-Pass"), plain_words("  HARD_8 ")
    ('dont pass', 'hard 8')
    """
    plain = re.sub(r"[’']", "", text.casefold())
    return " ".join(re.sub(r"[-_\s]+", " ", plain).split())


def lookup_key(text: str) -> str:
    """The key by which a name is looked up: its `plain_words` without spaces.

    >>> lookup_key("Hi-lo"), lookup_key("hilo"), lookup_key("Iron Cross")
    ('hilo', 'hilo', 'ironcross')
    """
    return plain_words(text).replace(" ", "")


_BET_BY_KEY = {
    lookup_key(name): bet for name, bet in ({bet: bet for bet in FELT} | BET_ALIASES).items()
}
# The dice of a hop in the other order.
_BET_BY_KEY |= {
    f"hop{high}{low}": f"hop {low}-{high}" for low in range(1, 7) for high in range(low, 7)
}


def bet_named(text: str) -> str | None:
    """The felt's name of a bet; None if the words name none.

    >>> bet_named("Hard-8"), bet_named("dont pass"), bet_named("hop 5-2"), bet_named("chess")
    ('hard 8', "don't pass", 'hop 2-5', None)
    """
    return _BET_BY_KEY.get(lookup_key(text))


def strategy_named(text: str) -> str | None:
    """The library's name of a strategy; None if the words name none.

    >>> strategy_named("Molly"), strategy_named("3-point molly"), strategy_named("Place 6 and 8")
    ('three-point-molly', 'three-point-molly', 'place-6-8')
    """
    names = {lookup_key(name): name for name in strategies}
    names |= {lookup_key(strategies.entry(name).title): name for name in strategies}
    names |= {lookup_key(name): strategy for name, strategy in STRATEGY_ALIASES.items()}
    return names.get(lookup_key(text))


def entry_named(text: str) -> tuple[str, dict[str, Any]] | None:
    """The entry of the catalogue that a name or a bet means, with its options; None for none.

    A bet is that of the usual house: the field pays 2 and 3, a commission is paid on a win.

    >>> entry_named("Place-6"), entry_named("field"), entry_named("hard 10")
    (('place-6-8', {'number': 6}), ('field-2-3', {}), ('hardway-4-10', {'number': 10}))
    >>> entry_named("yo"), entry_named("hop 2-5"), entry_named("Craps"), entry_named("chess")
    (('yo-11', {}), ('hop-easy', {'faces': (2, 5)}), ('craps', {}), None)
    """
    bet = bet_named(text)
    if bet is not None:
        return _entry_of(bet)
    # Before the key: titles have signs that it lacks.
    if text in games:
        return games.entry(text).id, {}
    ids = {lookup_key(name): name for name in games}
    key = lookup_key(text)
    return (ids[key], {}) if key in ids else None


def nearest(text: str, count: int = 3) -> list[str]:
    """The nearest names of any kind: bets, strategies, games; fewer if nothing is like the words.

    >>> nearest("feild")[0], nearest("mollie")[0], nearest("hrad 8")[0]
    ('field', 'molly', 'hard 8')
    >>> nearest("the fire bets", 1), nearest("hard eight", 1), nearest("risk")
    (['fire'], ['hard 8'], ['risk-12', 'risk-battle'])
    >>> nearest("chuck-a-luck", 2)
    ['chuck-a-luck-1-2-3', 'chuck-a-luck-1-2-4']
    """
    # Reversed, so that of names with one key the first of these lists is kept.
    every_name = [*FELT, *STRATEGY_ALIASES, *strategies, *games]
    names = {lookup_key(name): name for name in reversed(every_name)}
    names |= {lookup_key(name): bet for name, bet in BET_ALIASES.items()}
    words = [WORD_IN_NAMES.get(word, word) for word in plain_words(text).split()]
    full_key = lookup_key(text)
    key = "".join(words) or full_key
    # The name itself, then longer names, then names that are spelled like it.
    near = [name for name in (key, key.removesuffix("s")) if name in names]
    # With the words left out too: "chuck-a-luck" has an "a".
    beginnings = tuple(filter(None, (key, full_key)))
    longer_names = [name for name in reversed(names) if name.startswith(beginnings)]
    # Sorting is stable: those of one length stay in the order of the catalogue.
    near += sorted(longer_names, key=len)
    near += get_close_matches(key, names, 2 * count, 0.6)
    near += get_close_matches(full_key, names, count, 0.6)
    matches = [names[name] for name in near]
    # No name is like it, but a title or the rules may have the words.
    if not matches and key:
        matches = [entry.id for entry in games.search(*filter(None, words))]
    return list(dict.fromkeys(matches))[:count]


WORD_IN_NAMES = {
    **dict.fromkeys(("the", "a", "an", "bet", "bets", "on"), ""),
    **{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7"},
    **{"eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12"},
}
"""Words that names lack, and what names have in their place."""


def unknown_name(text: str) -> RulesError:
    """The error for words that name nothing, with the nearest names.

    >>> str(unknown_name("place 66")).partition(";")[2]
    ' did you mean place 6, place-6-8 or place 9?'
    """
    *more, last = nearest(text) or [""]
    if not last:
        return RulesError(f"nothing is called {shown(text)}; `sevenout games` lists the names")
    hint = f"did you mean {', '.join(more)}{' or ' if more else ''}{last}?"
    return RulesError(f"nothing is called {shown(text)}; {hint}")


PAIR_NAMES = {4: "4-10", 10: "4-10", 5: "5-9", 9: "5-9", 6: "6-8", 8: "6-8"}
"""The end of an entry's id by number: equally likely numbers share an entry."""
ENTRY_OF_BET = {
    "pass": "pass-line",
    "don't pass": "dont-pass",
    "come": "come",
    "don't come": "dont-come-bar-12",
    "field": "field-2-3",
    "any 7": "any-seven",
    "aces": "aces-2",
    "ace-deuce": "ace-deuce-3",
    "yo": "yo-11",
    "boxcars": "boxcars-12",
    "hi-lo": "hi-lo-2-or-12",
    "world": "world-whirl",
    "C&E": "c-e",
    "three-way": "three-way-craps",
    "small": "bonus-small-34-1",
    "tall": "bonus-tall-34-1",
    "all": "bonus-all-175-1",
    "fire": "fire-bet-a",
    "hot shooter": "hot-shooter-jackpot",
    "any repeater": "repeater-plus-any-seven-times",
}
"""The entries of bets whose names differ from the felt's."""


def _entry_of(bet: str) -> tuple[str, dict[str, Any]] | None:
    """The entry of a bet by the felt's name, with its options; None for none."""
    kind, _, last = bet.rpartition(" ")
    name = ENTRY_OF_BET.get(bet, bet.replace(" ", "-"))
    if name in games:
        return name, {}
    if kind == "hop":
        low, high = (int(face) for face in last.split("-"))
        return ("hop-hard" if low == high else "hop-easy"), {"faces": (low, high)}
    if kind == "big":
        return "big-6-big-8", {"number": int(last)}
    if kind == "horn high":
        return "horn", {"high": int(last)}
    number = int(last) if last.isdecimal() else 0
    if kind == "repeater":
        low, high = sorted((number, 14 - number))
        return f"repeater-{low}-{high}", {"number": number}
    # Only crapless craps has bets on 2, 3, 11 and 12.
    if number and number not in POINTS:
        low, high = sorted((number, 14 - number))
        name = f"crapless-{kind}-{low}-{high}"
        return (name, {"number": number}) if name in games else None
    if number:
        stem = {"hard": "hardway", "place to lose": "place-to-lose"}.get(kind, kind)
        # The usual house takes its commission from wins.
        commission = "-on-win" if kind in ("buy", "lay") else ""
        return f"{stem}-{PAIR_NAMES[number]}{commission}", {"number": number}
    return None
