"""From typed words to a game: a name of the catalogue, a file, or rules."""

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sevenout.cli.out import print_error
from sevenout.cli.pyfile import OTHER, game_in, is_named, policy_in
from sevenout.errors import (
    NotationError,
    RulesError,
    TooManyStatesError,
    TooMuchWorkError,
    shown,
)
from sevenout.questions.chosen_game import ChosenGame, of_entry, of_file
from sevenout.rules import Game, PointGame
from sevenout.rules.game import own_words

if TYPE_CHECKING:
    from sevenout.model import Chain

RULES = ("naturals", "craps", "out", "pushes", "rerolls", "limit", "dice")


def choose(name: str | None, /, **options: Any) -> ChosenGame:
    """The game of a name and options.

    >>> choose("hazard", main="5").title
    'Hazard, main 5'
    >>> choose(None, craps="2,3,12", naturals="7,11", out="7").title
    'naturals 7 11, craps 2 3 12, out 7'

    Args:
        name: an id of the catalogue, a game file, a game in a Python file (`mine.py:Lucky`) or a
            variant's name. Several joined by "+" are a table. None: the options are the rules.
        options: options of the entry or game, or the rules of a point game.

    Raises:
        SevenoutError: not a game; the message has what to write instead.
    """
    return replace(_chosen(name, options), read=policy_in)


def _chosen(name: str | None, options: dict[str, Any]) -> ChosenGame:
    if name is None:
        return _point_game(options)
    path = name.partition(":")[0]
    joined = "+" in (name.removeprefix(path) if Path(path).is_file() else name)
    if is_named(name) and not joined:
        title, game, other = game_in(name, _values(options))
        game = _otherwise(name, game, other)
        return ChosenGame(_titled(title, options), game, _first_line(game))
    if not joined and (name.endswith(".toml") or ("/" in name and Path(name).is_file())):
        from sevenout.rules.gamefiles.gamefile import read_game

        _no_options(name, options)
        file = read_game(name)
        return of_file(file, name)
    if (variant := _variant(name, options)) is not None:
        return variant
    if joined:
        other = {key: options.pop(key) for key in OTHER if key in options}
        _no_options(name, options)
        table = _table([choose(part.strip()) for part in name.split("+")])
        game = _otherwise(name, table.game, other)
        return replace(table, title=_titled(table.title, other), game=game)
    from sevenout.games import catalogue, decisions

    values = _values(options)
    asks = name in decisions
    entry = decisions[name] if asks else catalogue.entry(name)
    own = values if asks else entry.options
    other = {key: values.pop(key) for key in OTHER if key in values and key not in own}
    found = of_entry(entry, **values)
    return replace(
        found, title=_titled(entry.title, options), game=_otherwise(name, found.game, other)
    )


def without_awards(chosen: ChosenGame) -> ChosenGame:
    """A game without its awards, with a note on standard error."""
    if chosen.file is not None and chosen.file.progressives:
        named = ", ".join(chosen.file.progressives)
        print_error(f"the progressive award of {named} is left out here; `sevenout odds` has it")
    return chosen


def must_have(game: "Game | Chain", bet: str | None) -> None:
    """Refuse a bet that a game lacks; a large game is checked when it is played.

    Raises:
        NotationError: there is no such bet.
    """
    from sevenout.model import SOON_STATES, explore

    if bet is None:
        return
    try:
        bets = explore(game, SOON_STATES).bets if isinstance(game, Game) else game.bets
    except (TooManyStatesError, TooMuchWorkError):
        return
    if bet not in bets:
        raise NotationError(f"no bet {shown(bet)}; the bets are: {', '.join(bets) or 'none'}")


def _values(options: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("-", "_"): _value(value) for key, value in options.items()}


def _titled(title: str, options: Mapping[str, Any]) -> str:
    return ", ".join([title, *(f"{key} {value}" for key, value in options.items())])


def _first_line(game: Game) -> str:
    return next(iter(own_words(type(game)).splitlines()), "")


def _otherwise(name: str, game: Game, other: Mapping[str, Any]) -> Game:
    """A game of the catalogue with other dice, or a limit on its rolls."""
    from sevenout.rolling import parse_dice
    from sevenout.rules.composed.modified_game import limited, on_dice

    try:
        if "dice" in other:
            game = on_dice(game, parse_dice(str(other["dice"])))
        if "limit" in other:
            game = limited(game, _whole(other["limit"], "limit"))
    except RulesError as error:
        said = " ".join(f"--{key} {typed(value)}" for key, value in other.items())
        raise RulesError(f"{name} {said}: {error}") from None
    return game


def _table(chosen: list[ChosenGame]) -> ChosenGame:
    """Several games on the same rolls; bets with one name get their games' titles."""
    from sevenout.rules import Flat, Renamed, Together, bets_of

    games: list[Game] = []
    for one in chosen:
        if one.file is not None and one.file.progressives:
            raise NotationError(
                f"{one.title} has a progressive award, which can't be joined with other games; "
                "add the other bets to its file"
            )
        nested = isinstance(one.game.rolls(one.game.start), Game)
        games.append(Flat(one.game) if nested else _with_bets(one.game))
    names = [bet for game in games for bet in bets_of(game)]
    for i, one in enumerate(chosen):
        clash = {bet: f"{bet}, {one.title}" for bet in bets_of(games[i]) if names.count(bet) > 1}
        if clash:
            games[i] = Renamed(games[i], clash)
    title = " + ".join(one.title for one in chosen)
    return ChosenGame(title, Together(*games), "\n\n".join(one.text for one in chosen if one.text))


def _with_bets(game: Game) -> Game:
    """A game that lists its bets; a game in code is explored to find them."""
    if game.bets is not None or game.outcomes:
        return game
    from sevenout.model import explore

    other = copy(game)
    object.__setattr__(other, "bets", explore(game).bets)
    return other


def _variant(name: str, options: dict[str, Any]) -> ChosenGame | None:
    """A craps variant by its name, if it looks like one."""
    if "/" not in name or not re.match(r"\d|none/", name):
        return None
    from sevenout.variants import variant_game

    dice = str(options.pop("dice", "2d6"))
    _no_options(name, options)
    return ChosenGame(
        f"Variant {name}" + (f" on {dice}" if dice != "2d6" else ""), variant_game(name, dice)
    )


def _point_game(options: dict[str, Any]) -> ChosenGame:
    if not options:
        raise NotationError(
            "no game is given; give a name (see `sevenout games`), a .toml file, or rules"
        )
    for key in options:
        if key not in RULES:
            raise NotationError(f"no rule --{key}; the rules are --{', --'.join(RULES)}")
    if "out" not in options:
        raise NotationError("the rules have no out; add the total that loses, such as --out 7")
    from sevenout.rolling import parse_dice

    sets: dict[str, Any] = {
        key: _totals(options.get(key, ""), key)
        for key in ("naturals", "craps", "pushes", "rerolls")
    }
    extra: dict[str, Any] = {}
    if "limit" in options:
        extra["limit"] = _whole(options["limit"], "limit")
    if "dice" in options:
        extra["dice"] = parse_dice(str(options["dice"]))
    game = PointGame(**sets, out=_whole(options["out"], "out"), **extra)
    shown = [f"{key} {' '.join(map(str, totals))}" for key, totals in sets.items() if totals]
    shown += [f"{key} {options[key]}" for key in ("out", "limit", "dice") if key in options]
    return ChosenGame(", ".join(shown), game)


def _totals(text: Any, key: str) -> list[int]:
    from sevenout.variants.variant import parse_totals

    if not str(text).strip():
        return []
    try:
        return parse_totals(str(text).replace(" ", ""))
    except NotationError as error:
        raise NotationError(f"--{key}: {error}") from None


def _whole(text: Any, key: str) -> int:
    if not re.fullmatch(r"\s*-?\d{1,999}\s*", str(text)):
        raise NotationError(f"--{key}: {shown(text)} is not a whole number")
    return int(text)


def _value(text: Any) -> Any:
    """An option's value: yes or no, a whole number, a list of them, amounts by number, or a text.

    >>> _value("2,12"), _value("yes"), _value("10=80,9=1/2"), _value("4%")
    ((2, 12), True, {10: 80, 9: '1/2'}, '4%')
    """
    text = str(text).strip()
    if text in _FLAGS:
        return _FLAGS[text]
    if re.fullmatch(r"\d{1,9}=[^=,]+(,\d{1,9}=[^=,]+)*", text):
        pairs = (part.partition("=") for part in text.split(","))
        return {int(key): _value(value) for key, _, value in pairs}
    if re.fullmatch(r"-?\d{1,999}", text):
        return int(text)
    if re.fullmatch(r"-?\d{1,999}(,-?\d{1,999})+", text):
        return tuple(map(int, text.split(",")))
    return text


_FLAGS = {"yes": True, "true": True, "no": False, "false": False}


def typed(value: Any) -> str:
    """An option's value as typed; "" for none.

    >>> typed((2, 12)), typed({10: 80, 9: 20}), typed(False), typed(None)
    ('2,12', '10=80,9=20', 'no', '')
    """
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ",".join(map(typed, value))
        case Mapping():
            return ",".join(f"{key}={typed(each)}" for key, each in value.items())
    return str(value)


def _no_options(name: str, options: dict[str, Any]) -> None:
    if options:
        raise RulesError(f"{name} takes no option --{next(iter(options))}")
