"""Events of a roll in words: 7, "hard 8", "easy 8", "6-6", "doubles"."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError, RulesError, shown
from sevenout.rolling import Dice, Roll, Rollable

Event = int | str
"""A total, or the faces in words."""

NONE = "no event"
"""The reading of a roll that is none of the events."""

ALIKE = {2: "doubles", 3: "triples"}
"""The name of equal faces, by number of dice."""

_TOTAL = re.compile(r"-?\d{1,18}", re.ASCII)
_WAY = re.compile(r"(?P<way>hard|easy) (?P<total>-?\d{1,18})", re.ASCII)
_FACES = re.compile(r"\d{1,18}(?:-\d{1,18})+", re.ASCII)


def parse_event(text: str) -> Event:
    """The event that a text names, in its canonical spelling.

    >>> parse_event("7"), parse_event("hard  8"), parse_event("2-1")
    (7, 'hard 8', '1-2')

    Raises:
        NotationError: the text names no event.
    """
    plain = " ".join(text.split())
    if _TOTAL.fullmatch(plain):
        return int(plain)
    if way := _WAY.fullmatch(plain):
        return f"{way['way']} {int(way['total'])}"
    if _FACES.fullmatch(plain):
        return "-".join(map(str, sorted(map(int, plain.split("-")))))
    if plain in ALIKE.values():
        return plain
    raise NotationError(
        f'{shown(text)} is not an event; write 7, "hard 8", "easy 8", "6-6", "doubles"'
    )


def event_reading(dice: Dice, events: Iterable[Event]) -> Rollable:
    """Dice read as one of several events, or as totals.

    >>> from sevenout.rolling import parse_dice
    >>> event_reading(parse_dice("2d6"), ["hard 8", "easy 8", 7]).law["hard 8"]
    Fraction(1, 36)

    Raises:
        RulesError: a roll that is two of the events, or doubles of other than two dice.
        TooMuchWorkError: too many dice to look at each roll.
    """
    events = tuple(events)
    if all(type(event) is int for event in events):
        return dice.totals
    for event in events:
        count = next((n for n, word in ALIKE.items() if word == event), len(dice))
        if count != len(dice):
            raise RulesError(f"{event} need {count} dice, but {len(dice)} are rolled")
    rolls = dice.law
    afford(
        f"{len(events):,} events in {len(rolls):,} rolls", seconds=1e-6 * len(events) * len(rolls)
    )
    for roll in rolls:
        fits = [event for event in events if is_event(event, roll)]
        if len(fits) > 1:
            seen = "-".join(map(str, roll.faces))
            raise RulesError(f"{seen} is both {fits[0]} and {fits[1]}; put each roll in one event")
    return dice.read(Events(events))


@dataclass(frozen=True)
class Events:
    """A reading of a roll as one of some events."""

    events: tuple[Event, ...]

    def __call__(self, roll: Roll) -> Event:
        """The event."""
        return next((event for event in self.events if is_event(event, roll)), NONE)


def is_event(event: Event, roll: Roll) -> bool:
    """Whether a roll is an event.

    >>> from sevenout.rolling import dice
    >>> is_event("doubles", dice("2d6").roll([4, 4])), is_event("1-2", dice("2d6").roll([2, 1]))
    (True, True)
    """
    if not isinstance(event, str):
        return bool(roll.total == event)
    if way := _WAY.fullmatch(event):
        return bool(roll.total == int(way["total"])) and roll.hard == (way["way"] == "hard")
    if event in ALIKE.values():
        return len(set(roll.faces)) == 1
    return sorted(map(str, roll.faces)) == sorted(event.split("-"))


def event_words(events: Iterable[Any]) -> str:
    """Events in words.

    >>> event_words([2, 3, 12]), event_words(["hard 8"])
    ('2, 3 or 12', 'hard 8')
    """
    *others, last = map(str, events)
    return f"{', '.join(others)} or {last}" if others else last
