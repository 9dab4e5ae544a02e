"""Writes games as the tables of a game file."""

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from sevenout.errors import NotationError, SevenoutError
from sevenout.numerals import exact
from sevenout.rolling import Dice, Reading
from sevenout.rules.casino.limits import Limits
from sevenout.rules.combined_games import Streak
from sevenout.rules.game import Game
from sevenout.rules.gamefiles.filevalues import toml_of
from sevenout.rules.gamefiles.gamekeys import FAMILIES, SOLO, TABLES, table_of
from sevenout.rules.guarded_rules import Rulebook
from sevenout.rules.keep_games import KeepScore
from sevenout.rules.modified_games import LEAVE, Surrender
from sevenout.rules.pay_tables import EVEN, ByRoll, PayTable
from sevenout.rules.point_games import PointGame, PointsMade, RoundsWon
from sevenout.rules.race_games import HoldGame, Race
from sevenout.rules.wagers import Checklist, Wager, event_reading, parse_event

Table = tuple[str, Mapping[Any, Any]]
"""A table's header and its keys."""
FIXED_READING = HoldGame, KeepScore, Race
"""Games that read their dice in a fixed way."""
NO_LIMITS = Limits()


def dice_of(game: Game) -> Any:
    """The dice of a game, without readings."""
    if isinstance(game, KeepScore):
        return Dice([game.die] * game.count)
    if isinstance(game, Rulebook):
        return game.source
    rolled: Any = getattr(game, "dice", None)
    while isinstance(rolled, Reading | Game):
        rolled = rolled.source if isinstance(rolled, Reading) else getattr(rolled, "dice", None)
    return rolled


def read_alike(game: Game, dice: Dice) -> bool:
    """Whether the file's dice will give the same distribution."""
    inner = game.game if isinstance(game, Surrender) else game
    if isinstance(inner, (*FIXED_READING, Rulebook)):
        return True
    if isinstance(inner, PointsMade | RoundsWon | Streak):
        inner = inner.dice  # type: ignore[assignment]
    if isinstance(inner, PointGame):
        return bool(getattr(inner.dice, "totals", inner.dice).law == dice.totals.law)
    assert isinstance(inner, Wager | Checklist)
    groups = inner.pays if isinstance(inner, Wager) else (*inner.times, (inner.stop,))
    try:
        spellings = {event: parse_event(str(event)) for rolls in groups for event in rolls}
        law = event_reading(dice, spellings.values()).law
    except SevenoutError:
        return False
    return all(
        spelling in law and law[spelling] == inner.dice.law[event]
        for event, spelling in spellings.items()
    )


def tables_of(game: Game, limits: Mapping[str, Limits]) -> list[Table]:
    """The tables of a game, with empty values for what a file leaves out.

    Raises:
        NotationError: a kind of game that files don't have.
    """
    inner = game.game if isinstance(game, Surrender) else game
    if isinstance(inner, Rulebook):
        rules = [("[[roll]]", rule.data) for rule in inner.rules]
        return rules + [("[[choose]]", rule.data) for rule in inner.options]
    kind = next((kind for kind, games in FAMILIES.items() if type(inner) in games), "")
    _must_be_written(inner, kind)
    attributes = _attributes(game, inner)
    stake: Fraction = attributes.get("stake", Fraction(1))
    bet_limits = limits.get(attributes.get("bet", ""), NO_LIMITS)

    def value_of(attribute: str) -> Any:
        if attribute in attributes:
            return attributes[attribute]
        return getattr(bet_limits, attribute, None)

    header = f"[{kind}]" if kind in SOLO else f"[[{kind}]]"
    tables: list[Table] = [(header, table_of(TABLES[kind], value_of, stake))]
    if isinstance(inner, PointGame):
        for name, bet in inner.bets.items():
            row = _line_bet(bet, game, limits.get(name, NO_LIMITS))
            tables.append((f"[line.bets.{toml_of(name)}]", row))
    return tables


def _must_be_written(game: Game, kind: str) -> None:
    """Refuse a game that a file can't hold."""
    rounds = getattr(game, "dice", None) if isinstance(game, RoundsWon | Streak) else None
    of_rounds = rounds is None or isinstance(rounds, PointGame)
    if not kind or not of_rounds or (isinstance(game, Streak) and game.bet != "pass"):
        raise NotationError(
            f"a game file can't hold {type(game).__name__}, only point games, wagers, checklists, "
            "bets on a hand and games of turns"
        )
    # Merging changes the states, which is no rule of the game.
    if isinstance(game, Checklist) and game.alike:
        raise NotationError("a checklist with merged entries can't be written to a file")


def _attributes(game: Game, inner: Any) -> dict[str, Any]:
    """The attributes of a game that its keys set."""
    attributes = {name: getattr(inner, name) for name in inner.__dataclass_fields__}
    match inner:
        case PointGame():
            # Each bet of a line has a table of its own.
            del attributes["bets"]
        case Wager(late=(profit, risk)) if (profit, risk) == (-inner.stake, inner.stake):
            # A reader assumes a lost stake, so that need not be written.
            del attributes["late"]
        case Streak():
            del attributes["bet"]
    if isinstance(game, Surrender):
        attributes[LEAVE] = _offers(game)
        label = {LEAVE: game.label} if game.label else {}
        attributes["names"] = {**inner.names, **label}
    return attributes


def _line_bet(bet: PayTable, game: Game, limits: Limits) -> dict[str, Any]:
    """The table of a bet of a line; events at even money are left out."""
    attributes = {event: getattr(bet, event) for event in EVEN if event in bet.uneven_events}
    attributes |= {"stake": bet.stake} | (
        {LEAVE: _offers(game)} if isinstance(game, Surrender) else {}
    )
    attributes |= asdict(limits)
    return table_of(TABLES["line_bet"], attributes.get, exact(bet.stake))


def _offers(game: Surrender) -> Mapping[Any, Any]:
    """The offers by point or by number of ticked boxes."""
    if not isinstance(game.game, PointGame) or game.game.limit is None:
        return {(points,): amount for points, amount in game.offers.items()}
    by_roll: dict[Any, dict[int, Any]] = {}
    for (point, rolled), amount in game.offers.items():
        by_roll.setdefault((point,), {})[rolled] = amount
    return {
        points: ByRoll(by_number[rolled] for rolled in sorted(by_number))
        for points, by_number in by_roll.items()
    }
