"""The declaration of a game in a certificate: its rules as data, which the checker expands.

docs/reference/declarations.md defines the language. It is that of game files with nothing implied:
faces instead of dice notation, every profit, and every event defined where it is used.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from math import prod
from typing import Any

from sevenout.certify import check
from sevenout.certify.claim import text
from sevenout.certify.expansion import behaviour, model_of_rules
from sevenout.errors import NotationError, RulesError, SevenoutError
from sevenout.model import Chain, Model
from sevenout.rolling import Dice, Die, Law, Reading
from sevenout.rolling.decks import Deal
from sevenout.rules import Checklist, Game, PointGame, Together, Wager
from sevenout.rules.composed.nested import Flat, Streak
from sevenout.rules.composed.tallied import Tallied
from sevenout.rules.composed.together import bottom
from sevenout.rules.families.events import parse_event
from sevenout.rules.families.handbets import PointsMade, RoundsWon
from sevenout.rules.families.holding import HoldGame
from sevenout.rules.families.keepscore import KeepScore
from sevenout.rules.families.paytable import EVEN, ByRoll, PayTable
from sevenout.rules.families.racing import Race
from sevenout.rules.families.surrender import Surrender
from sevenout.rules.families.wager import REST

MOST_FACES = 1_000
"""The most faces of a declared die."""
MOST_ROLLS = 50_000
"""The most rolls of a declared game."""
MOST_COMPARED = 60_000
"""Expansions of up to this many states are compared with the explored game."""


def declaration_of(game: Game) -> dict[str, Any]:
    """The rules of a game as data.

    >>> from sevenout.catalogue import games
    >>> declaration_of(games["craps"])["line"][0]["naturals"]
    [7, 11]

    Raises:
        RulesError: the rules are a program, or the dice can't be written as faces.
    """
    if type(game) is Tallied:
        said = {"counter": game.counter, "sign": game.sign, "amount": text(game.amount)}
        return declaration_of(game.game) | {"compare": said}
    if type(game) is HoldGame:
        return _source(game.die) | _hold(game)
    if type(game) is Race:
        return _source(game.die) | _race(game)
    if type(game) is KeepScore:
        return _source(Dice([game.die] * game.count)) | {"keep": _keep(game)}
    if type(game) is Surrender:
        return declaration_of(game.game) | {"surrender": _offers(game)}
    together = game.games if isinstance(game, Together) else (game,)
    games = [each.game if isinstance(each, Flat) else each for each in together]
    for each in games:
        if type(each) not in TABLES:
            raise RulesError(f"the rules of {type(each).__name__} are a program, not data")
        if isinstance(each, Checklist) and each.alike:
            raise RulesError("it merges like entries; without merging it has too many states")
    source = bottom(games[0].dice.dice if isinstance(games[0].dice, Game) else games[0].dice)
    rolled, tables = _source(source), dict[str, list[Any]]()
    for each in games:
        kind, write = TABLES[type(each)]
        tables.setdefault(kind, []).append(write(each, source))
    return rolled | tables


def declared(game: Game, model: Model) -> tuple[dict[str, Any], Model] | None:
    """The declaration of a game and the checker's expansion of it; None if the game is a program.

    >>> from sevenout.model import explore
    >>> from sevenout.catalogue import games
    >>> craps = games["craps"]
    >>> len(declared(craps, explore(craps))[1].states)
    7

    Raises:
        RulesError: the expansion is another game, a defect of this module.
    """
    try:
        rules = declaration_of(game)
    except SevenoutError:
        return None
    made = model_of_rules(rules)
    same: Model = made.under({}) if isinstance(model, Chain) else made
    if len(made.states) <= MOST_COMPARED and behaviour(same) != behaviour(model):
        raise RulesError("the declaration expands into another game; please report this")
    return rules, made


def played(
    game: Game, model: Model, policy: Callable[[Any], str]
) -> tuple[dict[str, Any], list[str], Model] | None:
    """The declaration, the policy's picks, and the checker's expansion of both.

    Picks are in the order in which the checker meets the states. None if the game is a program or
    too large to compare.

    >>> from sevenout.model import explore
    >>> from sevenout.catalogue import games
    >>> turn, hold = games("pig-turn", goal=6), games.entry("pig-turn").policy("hold-4")
    >>> played(turn, explore(turn), hold)[1]
    ['roll', 'roll', 'hold', 'hold']
    """
    if len(model.states) > MOST_COMPARED or (found := declared(game, model)) is None:
        return None
    rules, picks = found[0], list[str]()
    program: Any = check
    asked = enumerate(program.Expansion(rules).states)
    known = {state: model.states[s] for s, (chooses, state) in asked if chooses}

    def pick(state: Hashable) -> str:
        picks.append(policy(known[state]))
        return picks[-1]

    made = model_of_rules(rules, pick)
    return (rules, picks, made) if picks else None


def rules_differ(rules: Mapping[str, Any], game: Game | None) -> str:
    """Where a certificate declares another game; empty if nowhere.

    A game of None stands for one played by a policy, which has no declaration. A goal that compares
    a counter is not compared: it is no part of the game.

    >>> from sevenout.catalogue import games
    >>> rules = declaration_of(games["craps"])
    >>> rules_differ(rules, games["craps"]), rules_differ(rules, games["crapless"])
    ('', "line 1: 'line' is not what the rules declare")
    """
    try:
        program: Any = check
        rules = program.own_rules(rules)
        own = {} if game is None else program.own_rules(declaration_of(game))
    except RulesError as error:
        return f"line 1: {error}"
    if game is None or set(own) != set(rules):
        return "line 1: 'rules' are of another kind"
    wrong = [key for key in rules if own[key] != rules[key]]
    return f"line 1: {wrong[0]!r} is not what the rules declare" if wrong else ""


def _source(source: Any) -> dict[str, Any]:
    """The faces of each die, or the cards."""
    if isinstance(source, Deal):
        _few(len(set(source.cards)) ** source.draw)
        return {"cards": _faces(source.cards), "draw": source.draw}
    if isinstance(source, Law):
        source = Die(list(source), source.weights)
    dice = source.dice if isinstance(source, Dice) else (source,)
    if not all(isinstance(die, Die) for die in dice):
        raise RulesError("the dice have no faces that can be listed")
    found = []
    for die in dice:
        if sum(die.weights) > MOST_FACES:
            raise RulesError("the weights of a die are too large")
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
        raise RulesError("a face is not a whole number")
    return listed


def _rolls(source: Any) -> list[tuple[tuple[int, ...], Any]]:
    """Each roll: its faces in order, and the value passed to a reading."""
    return [(getattr(roll, "faces", (roll,)), roll) for roll in source.law]


def _events(game: Game, source: Any, words: Iterable[Hashable], read: Any) -> dict[str, Any]:
    """The events whose names do not define them, with their rolls."""
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
    """The rolls that an event's name defines."""
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
    """Whether an event of a point game is possible."""
    return {
        "natural": bool(game.naturals),
        "craps": bool(game.craps),
        "push": bool(game.pushes),
        "easy": game.hard,
        "late": game.limit is not None,
    }.get(event, True)


def _key(value: Hashable) -> str:
    """An event as a word; commas separate events."""
    return str(value).replace(",", "")


def _said(total: Hashable) -> int | str:
    return total if type(total) is int else str(total)


def _bet(line: PayTable, used: set[str]) -> dict[str, Any]:
    pays = {event: _schedule(getattr(line, event)) for event in EVEN if event in used}
    return {"stake": text(Fraction(line.stake))} | pays


def _schedule(paid: Any) -> Any:
    """Profits, by total or by roll."""
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


def _rounds(game: RoundsWon, source: Any) -> dict[str, Any]:
    name, _ = next(iter(game.dice.bets.items()))
    pays = {0: -game.stake, **game.pays}
    return _bet_on_rounds(game, pays, _round(game.dice, name, source), game.losses)


def _points(game: PointsMade, source: Any) -> dict[str, Any]:
    """A round is won with its point, lost with the out, and neither otherwise."""
    line = _line(game.dice, source)
    pays = {n: game.pays.get(n, -game.stake) for n in range(game._most + 1)}
    used = set(line["bets"]["pass"]) - {"stake"}
    bet = {event: {"point": 1, "out": -1}.get(event, 0) for event in EVEN if event in used}
    line["bets"] = {"round": {"stake": 1} | bet}
    made = _bet_on_rounds(game, pays, line, 1)
    return made | ({"different": True} if game.different else {})


def _bet_on_rounds(game: Any, pays: Mapping[int, Any], line: Any, losses: int) -> dict[str, Any]:
    return {
        "round": line,
        "losses": losses,
        "bet": game.bet,
        "stake": text(game.stake),
        "pays": {str(n): text(Fraction(profit)) for n, profit in pays.items()},
        "names": {str(n): game._settle(n).label for n in pays},
    }


def _streak(game: Streak, source: Any) -> dict[str, Any]:
    if not isinstance(game.dice, PointGame):
        raise RulesError(f"its inner game, {type(game.dice).__name__}, is a program, not data")
    line = _round(game.dice, game.bet, source)
    return {"round": line, "losses": game.losses, "names": {"over": "turn over"}}


def _round(game: PointGame, bet: str, source: Any) -> dict[str, Any]:
    """A round, with the bet that decides who won it."""
    line = _line(game, source)
    line["bets"] = {bet: line["bets"][bet]}
    return line


def _offers(game: Surrender) -> dict[str, Any]:
    """The amount and name of each surrender."""
    bet, found = game.bet, {}
    for at, end in game._taken.items():
        if isinstance(game.game, Checklist):
            where = f"{at} ticked"
        elif isinstance(at, tuple):
            where = f"point {at[0]}, {at[1]} rolled"
        else:
            where = f"point {at}"
        found[where] = [text(end.profit(bet)), end.label]
    return found


def _hold(game: HoldGame) -> dict[str, Any]:
    table = {"bust": list(game.bust), "target": game.target, "play": game.play}
    return {"hold": table | _totals(game.die)}


def _race(game: Race) -> dict[str, Any]:
    return {
        "race": {
            "to": game.to,
            "players": game.players,
            **({"exact": True} if game.exact else {}),
            **({"jumps": {str(a): b for a, b in game.jumps.items()}} if game.jumps else {}),
            **({"again": list(game.again)} if game.again else {}),
            **_totals(game.die),
        }
    }


def _totals(source: Any) -> dict[str, Any]:
    """The totals that are not sums of faces, as events."""
    found: dict[str, Any] = {}
    for faces, roll in _rolls(source):
        if roll.total != sum(faces):
            found.setdefault(str(roll.total), []).append(list(faces))
    return {"events": found} if found else {}


def _keep(game: KeepScore) -> dict[str, Any]:
    values = {face: game.value(face) for face in dict.fromkeys(game.die.faces)}
    return {
        "least": game.keep,
        **({} if game.limit is None else {"rolls": game.limit}),
        "needed": list(game.needed),
        **({"in_order": True} if game.in_order else {}),
        **({"all_or_none": True} if game.whole else {}),
        "values": {str(face): value for face, value in values.items() if value != face},
        "best": "least" if game.low else "most",
    }


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


TABLES: dict[type, tuple[str, Callable[[Any, Any], dict[str, Any]]]] = {
    PointGame: ("line", _line),
    Wager: ("wager", _wager),
    Checklist: ("checklist", _checklist),
    PointsMade: ("rounds", _points),
    RoundsWon: ("rounds", _rounds),
    Streak: ("rounds", _streak),
}
"""The kinds of tables, and their writers."""
