"""A game on other dice, or with a limit on its rolls."""

from copy import copy
from dataclasses import replace
from typing import Any

from sevenout.errors import RulesError, SevenoutError, shown
from sevenout.rolling import Dice, Die, Reading
from sevenout.rules.composed.mixture import Mixture
from sevenout.rules.composed.nested import Flat, Streak
from sevenout.rules.composed.together import Renamed, Together
from sevenout.rules.families.checklist import Checklist
from sevenout.rules.families.point import PointGame
from sevenout.rules.families.racing import Race
from sevenout.rules.families.surrender import Surrender
from sevenout.rules.families.wager import REST, Wager
from sevenout.rules.game import Game


def on_dice(game: Game, dice: Dice) -> Game:
    """A game with the same rules on other dice.

    >>> from sevenout.rolling import parse_dice
    >>> from sevenout.catalogue import games
    >>> on_dice(games["craps"], parse_dice("2d8")).totals[-1]
    16

    Raises:
        RulesError: the rules don't fit these dice.
    """
    match game:
        case PointGame() | Wager() | Checklist(alike=False):
            table = None if game.side_of is None else on_dice(game.side_of, dice)
            return replace(game, dice=_read_as(game.dice, dice), side_of=table)
        case Together():
            return Together(*(on_dice(each, dice) for each in game.games))
        case Renamed():
            return Renamed(on_dice(game.game, dice), dict(game.names))
        case Surrender():
            inner: Any = on_dice(game.game, dice)
            return Surrender(inner, game.offers, game.label)
        case Race():
            return replace(game, die=dice)
        case Streak(dice=Game() as inside):
            return replace(game, dice=on_dice(inside, dice))
        case Flat():
            return Flat(on_dice(game.game, dice))
        case Mixture():
            drawn = {roll: on_dice(each, dice) for roll, each in game.games}
            return Mixture(_read_as(game.dice, dice), drawn)
    own = type(game).rolls is Game.rolls and hasattr(game, "dice")
    if not own or isinstance(game.dice, Game):
        raise RulesError(f"the rules of {type(game).__name__} don't work with other dice")
    other = copy(game)
    object.__setattr__(other, "dice", _read_as(game.dice, dice))
    return other


def limited(game: Game, limit: int) -> Game:
    """A game with a limit on the rolls for the point or of a bet.

    >>> from sevenout.catalogue import games
    >>> limited(games["place-6-8"], 2).start
    2

    Raises:
        RulesError: the rules have no limit, or the limit is invalid.
    """
    match game:
        case PointGame():
            return replace(game, limit=limit)
        case Wager():
            names = {key: name for key, name in game.names.items() if key != REST}
            return (
                game if limit == game.limit else replace(game, limit=limit, late=None, names=names)
            )
        case Together():
            return Together(*(limited(each, limit) for each in game.games))
        case Renamed():
            return Renamed(limited(game.game, limit), dict(game.names))
        case Streak(dice=Game() as inside):
            return replace(game, dice=limited(inside, limit))
        case Flat():
            return Flat(limited(game.game, limit))
        case Mixture():
            return Mixture(game.dice, {roll: limited(each, limit) for roll, each in game.games})
    raise RulesError(f"limit={shown(limit)}; the rules of {type(game).__name__} have no limit")


def _read_as(old: Any, dice: Dice) -> Any:
    """The dice, with the reading of the old ones."""
    if isinstance(old, Dice):
        return dice
    if isinstance(old, Die) and len(dice) == 1:
        return dice.dice[0]
    if not isinstance(old, Reading):
        raise RulesError(f"{shown(old)} can't be replaced by no dice; give some")
    if not isinstance(old.source, Dice):
        return _read_as(old.source, dice).read(old.function)
    if old == old.source.totals:
        return dice.totals
    if old == old.source.ways:
        return dice.ways
    read = dice.read(old.function)
    try:
        read.law  # noqa: B018  a reading of three dice, say, may make nothing of two
    except SevenoutError:
        raise
    except Exception:
        raise RulesError(
            f"{dice} can't replace {old.source}: the game reads faces that they don't have"
        ) from None
    return read
