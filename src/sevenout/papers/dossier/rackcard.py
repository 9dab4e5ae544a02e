"""The rack card: how to play and what is paid, on one page for the table."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any, Literal

from sevenout.documents import clean
from sevenout.documents.numbers import odds
from sevenout.documents.typeset import breakable, compiled
from sevenout.documents.words import passages
from sevenout.papers.dossier.dossier_content import Matter
from sevenout.papers.sections.award_sections import explained, printed
from sevenout.papers.sections.payments import games_of, point_words
from sevenout.papers.sections.rules_in_words import describe, listed, number, ranked, sentences
from sevenout.rolling import Dice
from sevenout.rules import Game, PointGame, bets_of
from sevenout.rules.composed.together import bottom
from sevenout.solving.bets.bet_result import BetResult

LEAST_WORDS, MOST_WORDS, MOST_ROWS = 120, 1_100, 40
"""The least and the most characters of the rules, and the most rows of a bet."""
REST = "The rules of play say the rest."
"""Printed if the rules don't fit."""
SEPARATE = 24
"""Bets with more rows have equal pays on one line."""
LARGE, LONG = 25, 22
CARDS = {"a4": "a5", "letter": "us-statement"}
"""The card is half a sheet of paper."""


def rack_card(matter: Matter, format: Literal["pdf", "svg"] = "pdf") -> bytes:
    """The card as PDF or SVG, one page.

    Raises:
        PageError: typst is missing or fails.
    """
    template = files("sevenout.papers.dossier").joinpath("rackcard.typ").read_bytes()
    title = f"{matter.title}, rack card"
    return compiled(template, content(matter), title, format, matter.fonts)


def content(matter: Matter) -> dict[str, Any]:
    version = f"Version {matter.version}" + (f" · {matter.date}" if matter.date else "")
    maker = " · ".join(said for _, said in matter.said_by)
    title = clean(matter.title)
    return {
        "title": breakable(title),
        "author": matter.author or matter.maker or "sevenout",
        "size": LARGE if len(title) <= LONG else max(13, LARGE * LONG / len(title)),
        "subtitle": _dice(matter.game),
        "paper": CARDS[matter.paper],
        "rules": _rules(matter),
        "bets": (bets := [_bet(matter, bet) for bet in matter.subject.bets]),
        "words": [breakable(clean(said)) for said in _glossary(matter, bets)],
        "foot": [
            *([maker] if maker else []),
            f"{version} · fingerprint {matter.subject.chain.fingerprint[:16]}"
            + "".join(f" · {name} {digest[:16]}" for name, digest in matter.hashes[:1]),
        ],
    }


def _rules(matter: Matter) -> list[str]:
    meters = [explained(matter.subject, bet) for bet in matter.subject.awards]
    told = passages(matter.subject.text.replace("`", ""))
    if sum(map(len, told)) < LEAST_WORDS:
        told = sentences(matter.game) or told or describe(matter.game)
    kept: list[str] = []
    for words in told:
        if sum(map(len, kept)) + len(words) > MOST_WORDS:
            return [*kept, REST, *meters]
        kept.append(clean(words))
    return [*kept, *meters]


def pays(profit: Fraction) -> str:
    """A pay as said at the table."""
    return odds(profit) if profit else "stake back"


def awards(matter: Matter, bet: BetResult) -> tuple[list[list[str]], bool]:
    """The events of a bet by pay, largest first; and whether all others lose."""
    groups: dict[Fraction, list[str]] = {}
    paid = [(row.event, row.pays) for row in bet.table]
    if matter.subject.optimum is not None:  # the table holds only optimal play
        stake = Fraction(matter.book.body.stakes.get(bet.name, 1))
        every = (row for row in matter.vectors.rows if row.bet == bet.name)
        paid += [(row.event, row.profit / stake) for row in every]
    for event, profit in dict.fromkeys(paid):
        groups.setdefault(profit, []).append(event)
    apart = sum(map(len, groups.values())) <= SEPARATE
    rows = []
    for profit in sorted((p for p in groups if p > -1), reverse=True):
        for events in groups[profit] if apart else [" · ".join(groups[profit])]:
            rows.append([breakable(clean(events)), pays(profit)])
    return rows, any(profit <= -1 for profit in groups)


def _bet(matter: Matter, bet: BetResult) -> Mapping[str, Any]:
    """A pay table; all losses of the whole bet share a line."""
    rows, lost = awards(matter, bet)
    meters = printed(matter.subject, bet.name)
    rows = [*rows[: MOST_ROWS - 1], *meters, *rows[MOST_ROWS - 1 :]]
    more = len(rows) - MOST_ROWS
    rest = f"and {more} more awards" if more > 0 else "all else loses" if lost else ""
    note = matter.limits(bet.name)
    rest = " · ".join(filter(None, (rest, matter.window(bet.name))))
    name = bet.name[:1].upper() + bet.name[1:]
    return {"name": breakable(clean(name)), "note": note, "rows": rows[:MOST_ROWS], "rest": rest}


def _glossary(matter: Matter, bets: Iterable[Mapping[str, Any]]) -> list[str]:
    rows = [row for bet in bets for row in bet["rows"]]
    paid = [pay for _, pay in rows]
    said = []
    if won := next((pay for pay in paid if " to " in pay), None):
        profit, stake = won.split(" to ")
        said.append(f"{won}: a bet of {stake} wins {profit} and is returned.")
    if "stake back" in paid:
        said.append("Stake back: the bet is returned; nothing is won or lost.")
    if part := next((pay for pay in paid if pay.startswith("loses ")), None):
        said.append(f"{part[0].upper()}{part[1:]}: that much of the bet is lost.")
    events = " ".join(event for event, _ in rows)
    meant: dict[str, dict[str, list[str]]] = {}  # by name and meaning: the bets
    for part in games_of(matter.game):
        for name, means in _meant(part).items() if isinstance(part, PointGame) else ():
            meant.setdefault(name, {}).setdefault(means, []).extend(bets_of(part))
    for name, meanings in meant.items():
        for means, of in meanings.items() if name in events else ():
            which = f" of {listed(of)}" if len(meanings) > 1 else ""
            said.append(f"{name[0].upper()}{name[1:]}{which}: {means}.")
    return said


def _meant(game: PointGame) -> dict[str, str]:
    """The meanings of a line's events, by their names in the tables."""
    first = {"natural": game.naturals, "craps": game.craps, "push": game.pushes}
    meant = {
        event: f"{listed(ranked(game, totals), 'or')} on the first roll"
        for event, totals in first.items()
    }
    meant |= {
        "point": f"any other first total, which must come again before a {game.out}",
        "out": f"a {game.out} once there is a point",
        "late": "neither came in the rolls that a point has",
    }
    usual = {"out": "seven out" if game.out == 7 else "out", "late": "out of rolls"}
    return {
        game.names.get(event, usual.get(event, event)): means
        for event, means in meant.items()
        if event in point_words(game)
    }


def _dice(game: Game) -> str:
    rolled: Any = game.rolls(game.start)
    while isinstance(rolled, Game):
        rolled = rolled.rolls(rolled.start)
    rolled = bottom(rolled)
    if not isinstance(rolled, Dice):
        return ""
    many = len(rolled)
    return f"a game with {'one die' if many == 1 else number(many) + ' dice'}"
