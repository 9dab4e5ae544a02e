"""The declaration of a game in a certificate: its rules as data, which the checker expands.

docs/declarations.md defines the language. It is that of game files, with everything said: faces in
place of a notation, profits in place of what is usual, events that are defined where they are used.
"""

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from math import prod
from typing import Any

from sevenout.certify import check
from sevenout.certify.claim import text
from sevenout.dice import Dice, Die, Law, Reading
from sevenout.dice.deck import Deck
from sevenout.errors import NotationError, RulesError, SevenoutError
from sevenout.model import Chain, Model
from sevenout.rules import Checklist, Game, Outcome, PointGame, Together, Wager
from sevenout.rules.composed.together import bottom
from sevenout.rules.families.events import parse_event
from sevenout.rules.families.paytable import EVEN, ByRoll, PayTable
from sevenout.rules.families.wager import REST
from sevenout.rules.outcome import Pay

MOST_FACES = 1_000
"""Faces of a die in a declaration."""
MOST_ROLLS = 50_000
"""Rolls that a declaration is made for."""


def declaration_of(game: Game) -> dict[str, Any]:
    """The rules of a game as data.

    >>> from sevenout.games import catalogue
    >>> declaration_of(catalogue["craps"])["line"][0]["naturals"]
    [7, 11]

    Raises:
        RulesError: the rules are a program, or its dice can't be written as faces.
    """
    games = game.games if isinstance(game, Together) else (game,)
    for each in games:
        if type(each) not in (PointGame, Wager, Checklist):
            raise RulesError(f"{type(each).__name__} is a program; its rules are not data")
        if isinstance(each, Checklist) and each.alike:
            raise RulesError("its like entries trade places; apart they are too many states")
    source = bottom(getattr(games[0], "dice", None))
    rolled, tables = _source(source), dict[str, list[Any]]()
    for each in games:
        match each:
            case PointGame():
                tables.setdefault("line", []).append(_line(each, source))
            case Wager():
                tables.setdefault("wager", []).append(_wager(each, source))
            case Checklist():
                tables.setdefault("checklist", []).append(_checklist(each, source))
    return rolled | tables


def declared(game: Game, chain: Model) -> tuple[dict[str, Any], Chain] | None:
    """The declaration of a game and the chain that the checker expands it into, if it is data.

    >>> from sevenout.model import explore
    >>> from sevenout.games import catalogue
    >>> craps = catalogue["craps"]
    >>> len(declared(craps, explore(craps))[1].states)
    7

    Args:
        game: the rules.
        chain: the same, explored.

    Raises:
        RulesError: the expansion is another game; a fault of this module.
    """
    try:
        rules = declaration_of(game)
    except SevenoutError:
        return None
    made = chain_of_rules(rules)
    labels = {outcome.label for outcome in made.outcomes}
    same = isinstance(chain, Chain) and made.fingerprint == _bare(chain).fingerprint
    if not same or labels != {outcome.label for outcome in chain.outcomes}:
        raise RulesError("the declaration expands into another game; please report this")
    return rules, made


def rules_differ(rules: Mapping[str, Any], game: Game | None) -> str:
    """Where a certificate declares another game; nothing if it declares this one.

    >>> from sevenout.games import catalogue
    >>> rules = declaration_of(catalogue["craps"])
    >>> rules_differ(rules, catalogue["craps"]), rules_differ(rules, catalogue["crapless"])
    ('', "line 1: 'line' is not what the rules declare")

    Args:
        rules: of the certificate.
        game: the rules; None if a policy plays them, which nothing declares.
    """
    try:
        own = {} if game is None else declaration_of(game)
    except RulesError as error:
        return f"line 1: {error}"
    if game is None or set(own) != set(rules):
        return "line 1: 'rules' are of another kind"
    wrong = [key for key in rules if own[key] != rules[key]]
    return f"line 1: {wrong[0]!r} is not what the rules declare" if wrong else ""


def chain_of_rules(rules: Mapping[str, Any]) -> Chain:
    """What the checker expands a declaration into, as a chain.

    >>> from sevenout.games import catalogue
    >>> chain_of_rules(declaration_of(catalogue["craps"])).states[:2]
    ('come-out', 'point 4')
    """
    expand: Any = check.expanded
    head, rows = expand(rules)
    (rolled,) = head["rollables"]
    stakes = {bet: Fraction(x) for bet, x in head["stakes"].items()}
    outcomes = [
        Outcome(end["name"], tuple((b, _pay(x, stakes[b])) for b, x in end["pays"].items()))
        for end in head["outcomes"]
    ]
    return Chain.of_moves(
        states=[row["state"] for row in rows],
        outcomes=outcomes,
        rollables=[Law(dict(zip(rolled["rolls"], rolled["weights"], strict=True)))],
        rolled=[0] * len(rows),
        moves=[_moves(row) for row in rows],
        stakes=stakes,
    )


def _moves(row: Mapping[str, Any]) -> Iterable[tuple[int, tuple[tuple[str, int], ...]]]:
    counts = row.get("counts", {})
    for k, target in enumerate(row["to"]):
        yield target, tuple((name, each[k]) for name, each in counts.items() if each[k])


def _pay(profit: Any, stake: Fraction) -> Pay:
    return Pay("", Fraction(profit), stake, stake)


def _bare(chain: Chain) -> Chain:
    """The chain without what a declaration does not have: money at risk, rows of return tables."""
    outcomes = [
        Outcome(end.label, tuple((bet, _pay(pay.profit, pay.stake)) for bet, pay in end.pays))
        for end in chain.outcomes
    ]
    return Chain.of_moves(
        states=chain.states,
        outcomes=outcomes,
        rollables=chain.rollables,
        rolled=chain.rolled,
        moves=chain.moves,
        stakes=chain.stakes,
        declared=chain.declared,
    )


def _source(source: Any) -> dict[str, Any]:
    """What is rolled: the faces of each die, or cards."""
    if isinstance(source, Deck):
        _few(len(set(source.cards)) ** source.draw)
        return {"cards": _faces(source.cards), "draw": source.draw}
    if isinstance(source, Law):
        source = Die(list(source), source.weights)
    dice = source.dice if isinstance(source, Dice) else (source,)
    if not all(isinstance(die, Die) for die in dice):
        raise RulesError("what is rolled has no faces that can be listed")
    found = []
    for die in dice:
        if sum(die.weights) > MOST_FACES:
            raise RulesError("a die is weighted too finely")
        pairs = zip(die.faces, die.weights, strict=True)
        found.append(_faces(face for face, weight in pairs for _ in range(weight)))
    _few(prod(len(set(faces)) for faces in found))
    return {"dice": found}


def _few(rolls: int) -> None:
    if rolls > MOST_ROLLS:
        raise RulesError(f"{rolls:,} rolls are too many to list")


def _faces(faces: Iterable[Any]) -> list[int]:
    listed = list(faces)
    if not all(type(face) is int for face in listed):
        raise RulesError("a face is no whole number")
    return listed


def _rolls(source: Any) -> list[tuple[tuple[int, ...], Any]]:
    """Each roll: its faces in order, and as a reading is given it."""
    return [(getattr(roll, "faces", (roll,)), roll) for roll in source.law]


def _events(game: Game, source: Any, words: Iterable[Hashable], read: Any) -> dict[str, Any]:
    """The events that do not say themselves which rolls they are: by name, those rolls."""
    own: dict[str, Any] = {}
    rolls = _rolls(source)
    values = {faces: _seen(read, roll) for faces, roll in rolls}
    for value in words:
        these = {faces for faces, seen in values.items() if seen == value}
        if these == _plain(_key(value), rolls):
            continue
        alike = {tuple(sorted(faces)) for faces in these}
        whole = {faces for faces in values if tuple(sorted(faces)) in alike}
        simple = whole == these and all(face >= 0 for faces in these for face in faces)
        own[_key(value)] = (
            sorted("-".join(map(str, faces)) for faces in alike)
            if simple and len(rolls[0][0]) > 1
            else sorted(map(list, these))
        )
    return {"events": own} if own else {}


def _seen(read: Any, roll: Any) -> Any:
    return read.function(_seen(read.source, roll)) if isinstance(read, Reading) else roll


def _plain(name: str, rolls: Any) -> set[tuple[int, ...]] | None:
    """The rolls that are an event by its name alone."""
    try:
        event = parse_event(name)
    except NotationError:
        return None
    if str(event) != name:
        return None
    fits: Any = check.fits
    return {faces for faces, _ in rolls if fits(name, faces)}


def _line(game: PointGame, source: Any) -> dict[str, Any]:
    read = getattr(game.dice, "totals", game.dice)
    names = {event: game._labels[event] for event in EVEN}
    used = {event for event in EVEN if _comes(game, event)}
    place = {total: i for i, total in enumerate(game.totals)}
    table: dict[str, Any] = {
        name: [_said(total) for total in sorted(getattr(game, name), key=place.__getitem__)]
        for name in ("naturals", "craps", "pushes", "rerolls")
    }
    table["out"] = _said(game.out)
    if game.limit is not None:
        table["limit"] = game.limit
    if game.hard:
        table["hard"] = True
    table["bets"] = {bet: _bet(line, used) for bet, line in game.bets.items()}
    table |= _events(game, source, game.totals, read)
    own = {event: names[event] for event in EVEN if event in used and names[event] != event}
    return table | ({"names": own} if own else {})


def _comes(game: PointGame, event: str) -> bool:
    """Whether an event of a point game may come."""
    return {
        "natural": bool(game.naturals),
        "craps": bool(game.craps),
        "push": bool(game.pushes),
        "easy": game.hard,
        "late": game.limit is not None,
    }.get(event, True)


def _key(value: Hashable) -> str:
    """An event as a word; a comma stands between two."""
    return str(value).replace(",", "")


def _said(total: Hashable) -> int | str:
    return total if type(total) is int else str(total)


def _bet(line: PayTable, used: set[str]) -> dict[str, Any]:
    pays = {event: _schedule(getattr(line, event)) for event in EVEN if event in used}
    return {"stake": text(Fraction(line.stake))} | pays


def _schedule(paid: Any) -> Any:
    """Profits; by total, or by roll."""
    if isinstance(paid, Mapping):
        return {",".join(map(_key, totals)): _schedule(each) for totals, each in paid.items()}
    if isinstance(paid, ByRoll):
        return [text(profit) for profit, _ in paid]
    return text(paid[0])


def _wager(game: Wager, source: Any) -> dict[str, Any]:
    table: dict[str, Any] = {"bet": game.bet, "stake": text(game.stake)}
    keys = {rolls: ",".join(map(_key, rolls)) for rolls in game.pays}
    table["pays"] = {key: text(game.pays[rolls][0]) for rolls, key in keys.items()}
    if game.late is not None:
        table |= {"limit": game.limit, "rest": text(game.late[0])}
    table |= _events(game, source, [roll for rolls in game.pays for roll in rolls], game.dice)
    own = {key: game.names.get(rolls, game.usual(rolls)) for rolls, key in keys.items()}
    if game.limit is not None:
        own[REST] = game.names.get(REST, game.usual(REST))
    own = {key: name for key, name in own.items() if key != name}
    return table | ({"names": own} if own else {})


def _checklist(game: Checklist, source: Any) -> dict[str, Any]:
    words = [*(roll for rolls in game.times for roll in rolls), game.stop]
    prizes = dict(game.pays)
    names = {str(n): game.names.get(n, f"{n} of {game.whole}") for n in prizes}
    if game.whole in prizes:
        names[str(game.whole)] = game.names.get(game.whole, game.names.get("complete", "complete"))
    return {
        "bet": game.bet,
        "stake": text(game.stake),
        "collect": {",".join(map(_key, rolls)): n for rolls, n in game.times.items()},
        "stop": _said(game.stop),
        **({"first": True} if game.first else {}),
        "pays": {str(n): text(Fraction(prize)) for n, prize in prizes.items()},
        **_events(game, source, words, game.dice),
        "names": names | {"stop": game.names.get("stop", f"{game.stop} first")},
    }
