"""The layout of the table, drawn from the rules; or the maker's own picture."""

import re
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any, Literal

from sevenout.documents import Picture, clean
from sevenout.documents.numbers import amount, odds
from sevenout.documents.typeset import PAPERS, breakable, compiled
from sevenout.numerals import exact
from sevenout.papers.dossier.dossier_content import Matter
from sevenout.papers.dossier.rackcard import awards, pays
from sevenout.papers.sections.award_sections import printed
from sevenout.rules import Checklist, Game, PointGame, Surrender, Together, Wager
from sevenout.rules.families.paytable import ByRoll, PayTable
from sevenout.rules.families.wager import REST, rest_words
from sevenout.rules.frozen_mapping import Frozen

BOTH_WAYS = {6: "SIX", 9: "NINE"}
"""Points spelt out because they can be misread from the other side."""
SPELT = 6
"""The most points for which there is room to spell."""
MOST_ROWS = 16
"""The most rows of pays in an area; the rack card has more."""
ROOM = 60
"""The most bets."""

MOST_TIMES = 6
"""A roll needed more often has one box, with the number of times."""

Area = tuple[list[str], list[list[str]]]
"""The boxes of a bet, and its pays with their events."""


def layout(matter: Matter, format: Literal["pdf", "svg"] = "pdf") -> bytes:
    """The layout as PDF or SVG, one page across.

    Raises:
        PageError: typst is missing or fails; or the maker's file is not a picture.
    """
    template = files("sevenout.papers.dossier").joinpath("layout.typ").read_bytes()
    drawn: dict[str, Any] = {"title": breakable(clean(matter.title)), "paper": PAPERS[matter.paper]}
    drawn["foot"] = f"Version {matter.version} · declaration, SHA-256 {matter.digest}"
    drawn["author"] = matter.author or matter.maker or "sevenout"
    drawn |= areas(matter) if matter.picture is None else {"picture": [*matter.picture[1]]}
    return compiled(template, drawn, f"{matter.title}, layout", format, matter.fonts)


def has_layout(matter: Matter) -> bool:
    """Whether there is something to draw."""
    return matter.picture is not None or 0 < len(matter.subject.bets) <= ROOM


def smaller(picture: Picture, size: float = 0.44) -> Picture:
    """The same picture, smaller.

    >>> smaller(Picture('<svg width="100pt" height="50pt"/>', ""), 0.5).svg
    '<svg width="50pt" height="25pt"/>'
    """

    def scaled(match: re.Match[str]) -> str:
        return f'{match[1]}="{float(match[2]) * size:g}pt"'

    return Picture(
        re.sub(r'(width|height)="([\d.]+)pt"', scaled, picture.svg, count=2), picture.caption
    )


def areas(matter: Matter) -> dict[str, Any]:
    """The text of the layout: the boxes of the points, the areas of the bets, the bars of a line.

    >>> from sevenout.catalogue import games
    >>> from sevenout.papers.sheet import subject_of
    >>> drawn = areas(Matter(subject_of(games.entry("craps")), "Craps"))
    >>> [each["head"] for each in drawn["points"]]
    ['4', '5', 'SIX', '8', 'NINE', '10']
    >>> [(each["name"], each["rows"]) for each in drawn["bars"]]
    [('pass', [['7 · 11 · point', '1 to 1']])]
    """
    points: list[dict[str, Any]] = []
    lines: set[str] = set()
    drawn: dict[str, Area] = {}
    for game in _parts(matter.game):
        match game:
            case PointGame():
                boxed = not points
                points = points or _points(game)
                lines |= {*game.bets}
                drawn |= {bet: ([], _line(game, line, boxed)) for bet, line in game.bets.items()}
            case Wager():
                drawn[game.bet] = [], _wager(game)
            case Checklist():
                drawn[game.bet] = _checklist(game)
    found: dict[str, list[Any]] = {"bars": [], "areas": []}
    for bet in matter.subject.bets:
        boxes, rows = drawn.get(bet.name) or ([], awards(matter, bet)[0])
        area: dict[str, Any] = {"name": breakable(clean(bet.name)), "note": matter.limits(bet.name)}
        area["boxes"] = [breakable(clean(box)) for box in boxes]
        rows = [*rows[: MOST_ROWS - 1], *printed(matter.subject, bet.name)]
        area["rows"] = [[breakable(clean(what)), said] for what, said in rows[:MOST_ROWS]]
        found["bars" if bet.name in lines else "areas"].append(area)
    return {"points": points, **found}


def _parts(game: Game) -> Iterator[Game]:
    match game:
        case Together():
            for each in game.games:
                yield from _parts(each)
        case Surrender():
            yield from _parts(game.game)
        case _:
            yield game


def _points(game: PointGame) -> list[dict[str, Any]]:
    """A box for each point, with the pays that differ by point."""
    ranked = sorted(game.points, key=game.totals.index)
    spelt: Mapping[Any, str] = (
        BOTH_WAYS if {*BOTH_WAYS} <= game.points and len(ranked) <= SPELT else {}
    )
    boxes = []
    for point in ranked:
        rows = [
            [breakable(clean(bet)), _by_roll(line, point)]
            for bet, line in game.bets.items()
            if not _alike(line.point)
        ]
        head = spelt.get(point, clean(str(point)))
        boxes.append({"head": head, "rows": rows})
    return boxes


def _alike(schedule: Any) -> bool:
    return not isinstance(schedule, Frozen | ByRoll)


def _by_roll(line: PayTable, point: Hashable) -> str:
    """A bet's pay on a point, roll by roll if it differs."""
    given: Any = line.point
    if isinstance(given, Frozen):
        given = next(each for totals, each in given.items() if point in totals)
    amounts = given if isinstance(given, ByRoll) else [given]
    pays = [profit / exact(line.stake) for profit, _ in amounts]
    if len({*pays}) > 1 and min(pays) >= 0:
        return f"{' · '.join(map(amount, pays))} to 1"
    return " · ".join(map(odds, pays if len({*pays}) > 1 else pays[:1]))


def _line(game: PointGame, line: PayTable, boxed: bool = True) -> list[list[str]]:
    """A line bet's wins by pay; those that differ by point are in this game's boxes."""
    found: dict[Fraction, list[str]] = {}

    def add(event: str, total: Hashable, words: str) -> None:
        found.setdefault(line.pay(event, "", total, 1).profit, []).append(words)

    came = {"natural": game.naturals, "craps": game.craps, "push": game.pushes}
    for event, totals in came.items():
        for total in sorted(totals, key=game.totals.index):
            add(event, total, str(total))
    words = {
        "point": "point, hard way" if game.hard else "point",
        "out": f"{game.out} after a point",
    }
    words |= {"easy": "point, easy way"} if game.hard else {}
    words |= {"late": "out of rolls"} if game.limit else {}
    for event, usual in words.items():
        said = game.names.get(event, usual)
        schedule = getattr(line, event)
        if _alike(schedule):
            add(event, min(game.points, key=game.totals.index), said)
        elif isinstance(schedule, Frozen) and event != "point":
            for totals in schedule:
                add(event, totals[0], f"{said} {' · '.join(map(str, totals))}")
    point = game.names.get("point", words["point"])
    above = [] if _alike(line.point) else [[point, "as above"]]
    if above and not boxed:
        groups = [*line.point] if isinstance(line.point, Frozen) else [tuple(game.points)]
        above = [[f"{point} {' · '.join(map(str, g))}", _by_roll(line, g[0])] for g in groups]
    elif line.rolls:
        above[0][1] += ", roll by roll"
    return above + _grouped(found, exact(line.stake))


def _wager(game: Wager) -> list[list[str]]:
    found: dict[Fraction, list[str]] = {}
    for rolls, (profit, _) in game.pays.items():
        said = " · ".join(map(str, rolls))
        name = game.names.get(rolls)
        found.setdefault(profit, []).append(f"{name} ({said})" if name else said)
    if game.late is not None:
        name = game.names.get(REST, rest_words(game.limit))
        found.setdefault(game.late[0], []).append(name)
    return _grouped(found, game.stake)


def _checklist(game: Checklist) -> Area:
    boxes = []
    for rolls, times in game.times.items():
        words = "/".join(map(str, rolls))
        boxes += [words] * times if times <= MOST_TIMES else [f"{times} × {words}"]
    before = f" before {game.stop}"
    found: dict[Fraction, list[str]] = {}
    for n, prize in sorted(game.pays.items(), reverse=True):
        every = "any" if game.first else "all"
        words = every + before if n == game.whole else f"{n} of {game.whole}"
        found.setdefault(exact(prize), []).append(words)
    return boxes, _grouped(found, game.stake)


def _grouped(found: dict[Fraction, list[str]], stake: Fraction) -> list[list[str]]:
    """Pays, largest first; losses of the whole stake are left out."""
    won = sorted(((profit / stake, words) for profit, words in found.items()), reverse=True)
    return [[" · ".join(words), pays(profit)] for profit, words in won if profit > -1]
