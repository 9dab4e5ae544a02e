"""The table's own papers: its layout, and the rack card with how to play and what is paid.

Both are set by typst templates that read their texts as data. The layout is drawn from the rules,
or is the maker's own picture.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from sevenout.documents import clean
from sevenout.documents.numbers import amount, odds, quantity
from sevenout.documents.typeset import BREAK, PAPERS, breakable, compiled
from sevenout.documents.words import count_in_words, passages, word_list
from sevenout.numerals import exact
from sevenout.papers.bet_tables import meter_rule, pay_text, printed_award
from sevenout.papers.subject import makers_of
from sevenout.papers.wheels import wheels_of
from sevenout.papers.wording import (
    author_words,
    dice_count,
    event_glossary,
    games_on_same_rolls,
    in_dice_order,
)
from sevenout.rules import Checklist, Game, PointGame, RenamedGame, Surrender, Wager, bets_of
from sevenout.rules.game import Frozen
from sevenout.rules.pay_tables import ByRoll, PayTable
from sevenout.rules.wagers import REST, rest_name
from sevenout.solving.bet_result import BetResult

if TYPE_CHECKING:
    from sevenout.papers.dossier import Dossier, DossierContent

MAX_CHARACTERS, MAX_ROWS = 1_100, 40
"""The most characters of the rules, and the most rows of a bet."""
REST_OF_RULES = "The rules of play say the rest."
"""Printed if the rules don't fit."""
MAX_SEPARATE_EVENTS = 24
"""Bets with more rows have equal pays on one line."""
TITLE_SIZE, TITLE_LENGTH = 25, 22
"""The size of a title in points, and its length; a longer one is set smaller."""
CARDS = {"a4": "a5", "letter": "us-statement"}
"""typst's name for the paper of a card, which is half a sheet."""


def rack_card(dossier: "Dossier", format: Literal["pdf", "svg"] = "pdf") -> bytes:
    """The card as PDF or SVG, one page.

    Raises:
        PageError: typst is missing or fails.
    """
    template = files("sevenout.papers").joinpath("rackcard.typ").read_bytes()
    title = f"{dossier.title}, rack card"
    return compiled(template, card_content(dossier), title, format, dossier.fonts)


def card_content(dossier: "Dossier") -> dict[str, Any]:
    """The texts and sizes of the card, as its template reads them."""
    makers = " · ".join(name for _, name in makers_of(dossier.declared))
    title, size = clean(dossier.title), float(TITLE_SIZE)
    # a longer title is set smaller, down to what can still be read at the table
    if len(title) > TITLE_LENGTH:
        size = max(13, TITLE_SIZE * TITLE_LENGTH / len(title))
    bets = [_pay_table(dossier, bet) for bet in dossier.subject.bets]
    return {
        "title": breakable(title),
        "author": dossier.author or "sevenout",
        "size": size,
        "subtitle": _dice_in_words(dossier),
        "paper": CARDS[dossier.paper],
        "rules": _rules_in_words(dossier),
        "bets": bets,
        "words": [breakable(clean(sentence)) for sentence in _glossary(dossier, bets)],
        "foot": [*filter(None, [makers]), dossier.foot],
    }


def _rules_in_words(dossier: "Dossier") -> list[str]:
    """The rules on a rack card, cut off where the card would be too full."""
    meters = [meter_rule(dossier.subject, bet) for bet in dossier.subject.awards]
    paragraphs: list[str] = []
    for words in passages(dossier.declared.rules.replace("`", "")) or author_words(dossier.game):
        # a card that is too full can't be read at the table
        if sum(map(len, paragraphs)) + len(words) > MAX_CHARACTERS:
            return [*paragraphs, REST_OF_RULES, *meters]
        paragraphs.append(clean(words))
    return [*paragraphs, *meters]


def paid_events(dossier: "Dossier", bet: BetResult) -> list[tuple[Fraction, str]]:
    """The events of a bet and their profit per unit at risk."""
    # a doubled bet of 10 that wins 32 pays 16 to 5, not 32 to 5
    paid = [(pay.profit / (pay.risk or bet.stake), pay.event) for pay in bet.law]
    if dossier.subject.optimum is not None:  # the law holds only optimal play
        every_row = (row for row in dossier.vectors.rows if row.bet == bet.name)
        paid += [(row.profit / (row.risk or bet.stake), row.event) for row in every_row]
    return list(dict.fromkeys(paid))


def rows_by_pay(
    paid: Sequence[tuple[Fraction, str]], max_separate: int = 0
) -> list[tuple[str, str]]:
    """Events and their pay per unit at risk, largest first; losses of all of it are left out.

    Equal pays share a row, unless there are no more than `max_separate` events.
    """
    events_by_pay: dict[Fraction, list[str]] = {}
    for profit, event in paid:
        events_by_pay.setdefault(profit, []).append(event)
    rows = []
    for profit in sorted((p for p in events_by_pay if p > -1), reverse=True):
        events = events_by_pay[profit]
        for words in events if len(paid) <= max_separate else [" · ".join(events)]:
            rows.append((words, pay_text(profit)))
    return rows


def _pay_rows(
    dossier: "Dossier", bet: str, rows: list[tuple[str, str]], max_rows: int
) -> tuple[list[list[str]], str]:
    """The rows of pays that fit, with the meter; and how many there are more, in words."""
    meters = printed_award(dossier.subject, bet)
    # the meter is never the row that is left out
    fitting = rows[: max_rows - len(meters)]
    more = len(rows) - len(fitting)
    printed = [[breakable(clean(event)), pay] for event, pay in [*fitting, *meters]]
    return printed, f"and {quantity(more, 'more pay')}" if more else ""


def _pay_table(dossier: "Dossier", bet: BetResult) -> Mapping[str, Any]:
    """A pay table; all losses of the whole bet share a line."""
    paid = paid_events(dossier, bet)
    all_rows = rows_by_pay(paid, MAX_SEPARATE_EVENTS)
    rows, more = _pay_rows(dossier, bet.name, all_rows, MAX_ROWS)
    loses = "all else loses" if any(profit <= -1 for profit, _ in paid) else ""
    rest = " · ".join(filter(None, (more, loses, dossier.declared.window_of(bet.name))))
    name = breakable(clean(bet.name[:1].upper() + bet.name[1:]))
    note = dossier.declared.limits_of(bet.name)
    return {"name": name, "note": note, "rows": rows, "rest": rest}


def _glossary(dossier: "Dossier", bets: Iterable[Mapping[str, Any]]) -> list[str]:
    """A sentence on each kind of payment that the card uses."""
    rows = [row for bet in bets for row in bet["rows"]]
    paid = [pay for _, pay in rows]
    sentences = []
    if won := next((pay for pay in paid if " to " in pay), None):
        profit, stake = won.split(" to ")
        sentences.append(f"{won}: a bet of {stake} wins {profit} and is returned.")
    if "stake back" in paid:
        sentences.append("Stake back: the bet is returned; nothing is won or lost.")
    if loss := next((pay for pay in paid if pay.startswith("loses ")), None):
        sentences.append(f"{loss[0].upper()}{loss[1:]}: that much of the bet is lost.")
    events = {event for events, _ in rows for event in events.replace(BREAK, "").split(" · ")}
    bets_by_meaning: dict[str, dict[str, list[str]]] = {}
    for game in games_on_same_rolls(dossier.game, (RenamedGame, Surrender)):
        for name, means in _event_meanings(game).items() if isinstance(game, PointGame) else ():
            bets_by_meaning.setdefault(name, {}).setdefault(means, []).extend(bets_of(game))
    for name, meanings in bets_by_meaning.items():
        # an event may say more, as "point 4" and "point, hard way" do
        is_printed = any(re.match(rf"{re.escape(name)}\b", event) for event in events)
        for means, bet_names in meanings.items() if is_printed else ():
            suffix = f" of {word_list(bet_names)}" if len(meanings) > 1 else ""
            sentences.append(f"{name[0].upper()}{name[1:]}{suffix}: {means}.")
    return sentences + event_glossary((event for event, _ in rows), dice_count(dossier.game))


def _come_out(game: PointGame) -> dict[str, Any]:
    """The totals that settle the first roll, by the event."""
    return {"natural": game.naturals, "craps": game.craps, "push": game.pushes}


def _event_meanings(game: PointGame) -> dict[str, str]:
    """The meanings of a line's events, by their names in the tables."""
    # the event, its usual name, whether it is possible, and its meaning
    events: list[tuple[str, str, Any, str]] = [
        (event, event, totals, f"{word_list(in_dice_order(game, totals), 'or')} on the first roll")
        for event, totals in _come_out(game).items()
    ]
    point = f"any other first total, which must come again before a {game.out}"
    usual_out = "seven out" if game.out == 7 else "out"
    late = "neither came in the rolls that a point has"
    events += [
        ("point", "point", True, point),
        ("out", usual_out, True, f"a {game.out} once there is a point"),
        ("late", "out of rolls", game.limit, late),
    ]
    return {
        game.names.get(event, usual): means for event, usual, possible, means in events if possible
    }


def _dice_in_words(dossier: "Dossier") -> str:
    """What the game is played with, such as "a game with two dice and a wheel"."""
    dice, wheels = dice_count(dossier.game), len(wheels_of(dossier.subject.chain))
    sources = []
    if dice:
        sources.append("one die" if dice == 1 else f"{count_in_words(dice)} dice")
    if wheels:
        sources.append("a wheel" if wheels == 1 else f"{count_in_words(wheels)} wheels")
    return f"a game with {word_list(sources)}" if sources else ""


BOTH_WAYS = {6: "SIX", 9: "NINE"}
"""Points spelt out because they can be misread from the other side."""
MAX_SPELT = 6
"""The most points for which there is room to spell."""
MAX_AREA_ROWS = 16
"""The most rows of pays in an area; the rack card has more."""
MAX_BETS = 60
"""The most bets on a layout."""
MAX_BOXES = 6
"""A roll needed more often has one box, with the number of times."""


class Area(NamedTuple):
    """What the layout prints of a bet.

    Attributes:
        boxes: the rolls to collect, a box each.
        rows: (events, pay) in print, the largest pay first.
    """

    boxes: list[str]
    rows: list[tuple[str, str]]


def layout(dossier: "DossierContent[Any]", format: Literal["pdf", "svg"] = "pdf") -> bytes:
    """The layout as PDF or SVG, one page across.

    Raises:
        PageError: typst is missing or fails; or the maker's file is not a picture.
    """
    template = files("sevenout.papers").joinpath("layout.typ").read_bytes()
    content: dict[str, Any] = {
        "title": breakable(clean(dossier.title)),
        "paper": PAPERS[dossier.paper],
        "foot": dossier.foot,
        "author": dossier.author or "sevenout",
    }
    if dossier.picture is None:
        content |= areas(cast("Dossier", dossier))  # a game of turns has no bets to draw
    else:
        content["picture"] = [*dossier.picture[1]]
    return compiled(template, content, f"{dossier.title}, layout", format, dossier.fonts)


def areas(dossier: "Dossier") -> dict[str, Any]:
    """The text of the layout: the boxes of the points, the areas of the bets, the bars of a line.

    >>> from sevenout.catalogue import games
    >>> from sevenout.papers.dossier import Dossier
    >>> from sevenout.papers.subject import subject_of
    >>> drawn = areas(Dossier(subject_of(games.entry("craps"))))
    >>> [box["head"] for box in drawn["points"]]
    ['4', '5', 'SIX', '8', 'NINE', '10']
    >>> [(bar["name"], bar["rows"]) for bar in drawn["bars"]]
    [('pass', [['7 · 11 · point', '1 to 1']])]
    """
    games = games_on_same_rolls(dossier.game, (Surrender,))
    lines = [game for game in games if isinstance(game, PointGame)]
    line_bets = {bet for game in lines for bet in game.bets}
    # there is room for the boxes of one line
    boxed_game = next((game for game in lines if game.points), None)
    area_by_bet = _areas_by_bet(games, boxed_game)
    content: dict[str, list[Any]] = {"bars": [], "areas": []}
    for bet in dossier.subject.bets:
        # under a new name a bet's pays are not those of its game
        area = area_by_bet.get(bet.name)
        if area is None:
            area = Area([], rows_by_pay(paid_events(dossier, bet), MAX_SEPARATE_EVENTS))
        rows, more = _pay_rows(dossier, bet.name, area.rows, MAX_AREA_ROWS)
        printed = {
            "name": breakable(clean(bet.name)),
            "note": dossier.declared.limits_of(bet.name),
            "boxes": [breakable(clean(box)) for box in area.boxes],
            "rows": [*rows, *([[more, ""]] if more else [])],
        }
        content["bars" if bet.name in line_bets else "areas"].append(printed)
    for wheel in wheels_of(dossier.subject.chain, dossier.declared.segments):
        name = f"wheel of {len(wheel.labels)}"
        printed = {"name": name, "note": "", "boxes": [], "rows": [], "wheel": wheel.svg}
        content["areas"].append(printed)
    return {"points": _point_boxes(boxed_game) if boxed_game else [], **content}


def _areas_by_bet(games: Iterable[Game], boxed_game: PointGame | None) -> dict[str, Area]:
    """The area of each bet whose game can be drawn, by the bet's name.

    The pays of `boxed_game` that differ by point are in the boxes of its points.
    """
    area_by_bet: dict[str, Area] = {}
    for game in games:
        match game:
            case PointGame():
                for bet, line in game.bets.items():
                    area_by_bet[bet] = Area([], _line_rows(game, line, boxed=game is boxed_game))
            case Wager():
                area_by_bet[game.bet] = Area([], _wager_rows(game))
            case Checklist():
                area_by_bet[game.bet] = _checklist_area(game)
    return area_by_bet


def _point_boxes(game: PointGame) -> list[dict[str, Any]]:
    """A box for each point, with the pays that differ by point."""
    points = in_dice_order(game, game.points)
    spell = {*BOTH_WAYS} <= game.points and len(points) <= MAX_SPELT
    spelt: Mapping[Any, str] = BOTH_WAYS if spell else {}
    boxes = []
    for point in points:
        rows = [
            [breakable(clean(bet)), _point_pay(line, point)]
            for bet, line in game.bets.items()
            if not _same_for_all_points(line.point)
        ]
        head = spelt.get(point, clean(str(point)))
        boxes.append({"head": head, "rows": rows})
    return boxes


def _same_for_all_points(schedule: Any) -> bool:
    return not isinstance(schedule, Frozen | ByRoll)


def _point_pay(line: PayTable, point: Hashable) -> str:
    """A bet's pay on a point, roll by roll if it differs."""
    schedule: Any = line.point
    if isinstance(schedule, Frozen):
        schedule = next(
            pays_by_roll for totals, pays_by_roll in schedule.items() if point in totals
        )
    amounts = schedule if isinstance(schedule, ByRoll) else [schedule]
    pays = [exact(profit) / exact(risk) for profit, risk in amounts]
    if len({*pays}) == 1:
        return odds(pays[0])
    # a row of odds has one “to 1”; a pay below 0 has none
    if min(pays) >= 0:
        return f"{' · '.join(map(amount, pays))} to 1"
    return " · ".join(map(odds, pays))


def _line_rows(game: PointGame, line: PayTable, *, boxed: bool) -> list[tuple[str, str]]:
    """A line bet's wins by pay; if `boxed`, those that differ by point are in boxes of points."""
    paid: list[tuple[Fraction, str]] = []

    def add_pay(event: str, total: Hashable, words: str) -> None:
        pay = line.pay(event, "", total, 1)
        paid.append((pay.profit / pay.risk, words))

    for event, totals in _come_out(game).items():
        for total in in_dice_order(game, totals):
            add_pay(event, total, str(total))
    words = {
        "point": "point, hard way" if game.hard else "point",
        "out": f"{game.out} after a point",
    }
    if game.hard:
        words["easy"] = "point, easy way"
    if game.limit:
        words["late"] = "out of rolls"
    for event, usual in words.items():
        label = game.names.get(event, usual)
        schedule = getattr(line, event)
        if _same_for_all_points(schedule):
            add_pay(event, in_dice_order(game, game.points)[0], label)
        elif isinstance(schedule, Frozen) and event != "point":
            for totals in schedule:
                add_pay(event, totals[0], f"{label} {' · '.join(map(str, totals))}")
    point = game.names.get("point", words["point"])
    rows = rows_by_pay(paid)
    if _same_for_all_points(line.point):
        return rows
    if boxed:
        return [(point, f"as above{', roll by roll' if line.rolls else ''}"), *rows]
    groups = [*line.point] if isinstance(line.point, Frozen) else [tuple(game.points)]
    by_point = [
        (f"{point} {' · '.join(map(str, totals))}", _point_pay(line, totals[0]))
        for totals in groups
    ]
    return by_point + rows


def _wager_rows(game: Wager) -> list[tuple[str, str]]:
    """The wins of a wager by pay, with the rolls that win."""
    paid = []
    for rolls, (profit, risk) in game.pays.items():
        totals = " · ".join(map(str, rolls))
        name = game.names.get(rolls)
        paid.append((profit / risk, f"{name} ({totals})" if name else totals))
    if game.late is not None:
        name = game.names.get(REST, rest_name(game.limit))
        profit, risk = game.late
        paid.append((profit / risk, name))
    return rows_by_pay(paid)


def _checklist_area(game: Checklist) -> Area:
    """A box for each roll to collect, and the prizes."""
    boxes = []
    for rolls, times in game.times.items():
        words = "/".join(map(str, rolls))
        # a box for each roll that is needed, as on the felt
        boxes += [words] * times if times <= MAX_BOXES else [f"{times} × {words}"]
    before = f" before {game.stop}"
    paid = []
    for n, prize in sorted(game.pays.items(), reverse=True):
        every = "any" if game.first_wins else "all"
        words = every + before if n == game.full_count else f"{n} of {game.full_count}"
        paid.append((exact(prize) / game.stake, words))
    return Area(boxes, rows_by_pay(paid))
