"""Search of entries by text, synonyms and close spelling."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Protocol, TypeVar

ALIKE = 0.75
"""The least similarity of a misspelt word, by `difflib`."""
OTHER_NAMES = {
    "10000": ("farkle", "zilch"),
    "ambush": ("mia",),
    "barbooth": ("barbudi", "barbut"),
    "big red": ("any seven",),
    "birdcage": ("chuck-a-luck",),
    "bluff": ("liar", "mia"),
    "boxcars": ("12",),
    "canoga": ("shut the box",),
    "chinchirorin": ("cee-lo",),
    "crown and anchor": ("chuck-a-luck",),
    "dai siu": ("sic bo",),
    "four five six": ("cee-lo",),
    "generala": ("yahtzee",),
    "greed": ("farkle",),
    "hooligan": ("yahtzee",),
    "kniffel": ("yahtzee",),
    "ladders": ("chutes",),
    "meyer": ("mia",),
    "perudo": ("dudo", "liar"),
    "poker dice": ("yahtzee",),
    "roshambo": ("rock",),
    "sevens": ("any seven", "seven"),
    "snake eyes": ("aces",),
    "snakes": ("chutes",),
    "snakes and ladders": ("chutes",),
    "tai sai": ("sic bo",),
    "ten thousand": ("farkle", "zilch"),
    "yacht": ("yahtzee",),
    "yo": ("eleven",),
    "zilch": ("farkle",),
}
"""Players' other names for games and bets."""
WORD = re.compile(r"[a-z0-9]+")


class Findable(Protocol):
    """An entry with an id, a title, a family, and rules in words."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def rules(self) -> str: ...


T = TypeVar("T", bound=Findable)


def found(entries: Iterable[T], words: Sequence[str]) -> list[T]:
    """The entries that match all words, the best first.

    A match of a whole word of the title comes first, then of a part of one, then of the rules or a
    synonym. Without a match, words with similar spelling are tried. Words in one text must occur
    together.

    >>> from sevenout.catalogue import games
    >>> [entry.id for entry in found(games.entries.values(), ["snakes"])]
    ['chutes-and-ladders']
    >>> found(games.entries.values(), ["yathzee"])[0].id
    'yahtzee'
    """
    every = [(entry, _told(entry)) for entry in entries]
    wanted = _phrases([" ".join(word.lower().split()) for word in words if word.strip()])
    if not wanted:
        return [entry for entry, _ in every]
    ranked = [(rank, entry) for entry, told in every if (rank := _rank(told, wanted)) is not None]
    if not ranked:
        known = {word for _, (names, _) in every for word in WORD.findall(names)}
        near = [get_close_matches(word, known, 1, ALIKE) for word in wanted]
        if all(near):
            spelt = [word for (word,) in near]
            ranked = [(r, entry) for entry, told in every if (r := _rank(told, spelt)) is not None]
    return [entry for _, entry in sorted(ranked, key=lambda pair: pair[0])]


def _told(entry: Findable) -> tuple[str, str]:
    names = f"{entry.title} {entry.id} {entry.family}".lower()
    return names, " ".join(f"{names} {entry.rules}".lower().split())


def _phrases(words: list[str]) -> list[str]:
    """The words, with those of one name joined."""
    wanted, at = [], 0
    while at < len(words):
        for n in (3, 2):
            phrase = " ".join(words[at : at + n])
            if len(words) >= at + n and phrase in OTHER_NAMES:
                break
        else:
            n, phrase = 1, words[at]
        wanted.append(phrase)
        at += n
    return wanted


def _rank(told: tuple[str, str], wanted: list[str]) -> int | None:
    """An entry's distance from the words; None without a match."""
    total = 0
    for word in wanted:
        ranks = [_distance(told, word)]
        others = (_distance(told, other) for other in OTHER_NAMES.get(word, ()))
        ranks += [rank + 3 for rank in others if rank is not None]
        known = [rank for rank in ranks if rank is not None]
        if not known:
            return None
        total += min(known)
    return total


def _distance(told: tuple[str, str], word: str) -> int | None:
    names, whole = told
    if re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", names):
        return 0
    return 1 if word in names else 2 if word in whole else None
