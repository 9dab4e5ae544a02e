"""What a line bet wins and loses on, in words, from the declared rules."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sevenout.documents.numbers import amount, odds
from sevenout.numerals import exact
from sevenout.papers.sections.rules_in_words import listed, parts
from sevenout.rules import Game, PointGame, Renamed, Surrender
from sevenout.rules.families.paytable import ByRoll, PayTable
from sevenout.rules.frozen_mapping import Frozen

Paid = tuple[str, str]
"""What a bet does, such as "wins 2 to 1", and on which events."""


def payments(game: Game) -> list[str]:
    """A sentence for each line bet: when it wins and how much, is returned, or loses.

    >>> from sevenout.catalogue import games
    >>> payments(games["craps"])
    ['“pass” wins 1 to 1 on a natural and the point; loses on craps and the seven-out.']
    """
    lines = [part for part in games_of(game) if isinstance(part, PointGame)]
    return [_sentence(part, bet, line) for part in lines for bet, line in part.bets.items()]


def games_of(game: Game) -> Iterator[Game]:
    """The games on the same rolls, unwrapped."""
    for part in parts(game):
        inner = part
        while isinstance(inner, Renamed | Surrender):
            inner = inner.game
        yield inner


def point_words(game: PointGame) -> dict[str, str]:
    """The names of a point game's possible events.

    >>> from sevenout.catalogue import games
    >>> point_words(games["fast-craps-pass"])["late"]
    'running out of rolls'
    """
    comes: dict[str, Any] = {
        "natural": game.naturals,
        "point": True,
        "push": game.pushes,
        "easy": game.hard,
        "craps": game.craps,
        "out": True,
        "late": game.limit,
    }
    words = {
        "natural": "a natural",
        "point": "the point made the hard way" if game.hard else "the point",
        "push": "a push",
        "easy": "the point made the easy way",
        "craps": "craps",
        "out": "the seven-out" if game.out == 7 else "the out",
        "late": "running out of rolls",
    }
    return {event: words[event] for event, ever in comes.items() if ever}


def _sentence(game: PointGame, bet: str, line: PayTable) -> str:
    found: dict[str, list[str]] = {}
    for event, words in point_words(game).items():
        for what, where in _paid(getattr(line, event), words, exact(line.stake)):
            found.setdefault(what, []).append(where)
    order = sorted(found, key=lambda what: ("wins", "is", "loses").index(what.split()[0]))
    return f"“{bet}” {'; '.join(f'{what} on {listed(found[what])}' for what in order)}."


def _paid(schedule: Any, words: str, stake: Fraction) -> Iterator[Paid]:
    if isinstance(schedule, Frozen):
        for totals, each in schedule.items():
            yield from _paid(each, f"{words} of {listed(totals, 'or')}", stake)
    elif isinstance(schedule, ByRoll) and len({*schedule}) > 1:
        done = [_done(pay, stake) for pay in schedule]
        verb, *rest = done[0].split(" ", 1)
        same = all(each.startswith(f"{verb} ") for each in done)
        said = [each.removeprefix(f"{verb} ") for each in done[1:]] if same else done[1:]
        yield f"{verb} {listed([*rest, *said])}", f"{words}, roll by roll"
    else:
        pay = schedule[0] if isinstance(schedule, ByRoll) else schedule
        yield _done(pay, stake), words


def _done(pay: tuple[Fraction, Fraction], stake: Fraction) -> str:
    profit, risk = pay[0] / stake, pay[1] / stake
    risked = "" if risk == 1 else f" with {amount(risk)} stakes at risk"
    if profit > 0:
        return f"wins {odds(profit)}{risked}"
    if profit == 0:
        return f"is returned{risked}"
    part = "" if profit == -risk else f" {amount(-profit)} of the stake"
    return f"loses{part}{risked}"
