"""From an address, or from what is typed, to a game; every page reads it the same way."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from sevenout.errors import NotationError
from sevenout.games import Entry, catalogue
from sevenout.lab.rulebook import CRAPS, Rulebook, of_game, read
from sevenout.rules import Game

EXTRA = ("push", "reroll", "limit")


@dataclass(frozen=True)
class Choice:
    """A game as it was chosen.

    Attributes:
        title: its name.
        text: its rules in words, if there are any.
        game: the rules.
        bet: the bet that it is about; None for all of them.
        query: the query of its address.
        rules: as rules on tiles, if tiles can say them.
    """

    title: str
    text: str
    game: Game
    bet: str | None
    query: str
    rules: Rulebook | None = None


def choose(query: Mapping[str, str]) -> Choice:
    """The game of an address; craps if it holds none.

    >>> choose({"entry": "hazard", "main": "5"}).title
    'Hazard, main 5'
    >>> choose({"game": "3/7-9/3@3d6"}).query
    'game=3/7-9/3@3d6'

    Raises:
        SevenoutError: the address holds no game; the message says what would be one.
    """
    if "entry" in query:
        entry = catalogue.entry(query["entry"])
        return of_entry(entry, {k: v for k, v in query.items() if k in entry.options})
    rules = read(query.get("game", CRAPS), **{key: query.get(key, "") for key in EXTRA})
    return of_rules(rules)


def typed(text: str) -> Choice:
    """The game that is meant by a text: a name of the catalogue or a variant's name.

    Raises:
        SevenoutError: nothing is meant by it.
    """
    text = text.strip()
    if not text:
        raise NotationError("no game; give a name of the catalogue or a variant, such as " + CRAPS)
    return choose({"game": text} if "/" in text else {"entry": text})


def of_rules(rules: Rulebook) -> Choice:
    """The choice of rules on tiles."""
    return Choice(rules.title, "", rules.game(), "pass", rules.query, rules)


def of_entry(entry: Entry, options: Mapping[str, str]) -> Choice:
    """The choice of an entry of the catalogue."""
    game = entry.game(**{key: _value(text) for key, text in options.items()})
    title = ", ".join([entry.title, *(f"{k} {v}" for k, v in options.items())])
    query = urlencode({"entry": entry.id, **options}, safe="/,@")
    words = " ".join(entry.rules.split())
    return Choice(title, words, game, entry.bet or None, query, of_game(game))


def _value(text: str) -> Any:
    """An option's value: a whole number, a list of them, or the text itself."""
    parts = text.split(",")
    if all(part.lstrip("-").isdecimal() and len(part) < 9 for part in parts):
        return int(text) if len(parts) == 1 else tuple(map(int, parts))
    return {"True": True, "False": False}.get(text, text)
