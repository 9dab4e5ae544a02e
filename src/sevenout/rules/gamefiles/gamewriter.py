"""Writes games as the tables of a game file."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from sevenout.errors import NotationError, SevenoutError
from sevenout.numerals import Number, exact
from sevenout.rolling import Dice, Reading
from sevenout.rules.casino.limits import Limits
from sevenout.rules.combined_games import Streak
from sevenout.rules.game import Frozen, Game
from sevenout.rules.gamefiles.filevalues import WHOLE
from sevenout.rules.gamefiles.gamereader import SIDE, TOTALS
from sevenout.rules.guarded_rules import Rulebook
from sevenout.rules.keep_games import KeepScore
from sevenout.rules.modified_games import LEAVE, Surrender
from sevenout.rules.pay_tables import ByRoll, PayTable
from sevenout.rules.point_games import PointGame, PointsMade, RoundsWon
from sevenout.rules.race_games import HoldGame, Race
from sevenout.rules.wagers import REST, Checklist, Wager, event_reading, parse_event

Table = tuple[str, Mapping[Any, Any]]
"""A table's header and its keys."""
OF_TURNS = HoldGame, KeepScore, Race
"""Games that read their dice in a fixed way."""


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
    if isinstance(inner, (*OF_TURNS, Rulebook)):
        return True
    if isinstance(inner, PointsMade | RoundsWon | Streak):
        inner = inner.dice  # type: ignore[assignment]
    if isinstance(inner, PointGame):
        return bool(getattr(inner.dice, "totals", inner.dice).law == dice.totals.law)
    assert isinstance(inner, Wager | Checklist)
    groups = inner.pays if isinstance(inner, Wager) else (*inner.times, (inner.stop,))
    try:
        written = {event: parse_event(str(event)) for rolls in groups for event in rolls}
        law = event_reading(dice, written.values()).law
    except SevenoutError:
        return False
    return all(word in law and law[word] == inner.dice.law[of] for of, word in written.items())


def tables_of(game: Game, limits: Mapping[str, Limits]) -> list[Table]:
    """The tables of a game, without empty values."""
    inner = game.game if isinstance(game, Surrender) else game
    match inner:
        case PointGame():
            line: dict[str, Any] = {key: sorted(getattr(inner, key)) for key in TOTALS}
            line |= {"out": inner.out, "limit": inner.limit, "hard": inner.hard or None}
            line |= {"names": _named(inner.names, game), SIDE: _beside(inner)}
            tables: list[Table] = [("[[line]]", line)]
            for name, bet in inner.bets.items():
                pays = {event: getattr(bet, event) for event in bet.odd}
                row = _bet(bet.stake, pays, game, limits.get(name))
                tables.append((f"[line.bets.{toml_of(name)}]", row))
            return tables
        case Wager():
            # A reader assumes a lost stake, so that need not be written.
            usual = inner.late in (None, (-inner.stake, inner.stake))
            pays = {"pays": inner.pays} | ({} if usual else {REST: inner.late})
            row = _bet(inner.stake, pays, game, limits.get(inner.bet))
            row |= {SIDE: _beside(inner)}
            names = {_group(rolls): name for rolls, name in inner.names.items()}
            return [("[[wager]]", {"bet": inner.bet, "limit": inner.limit, **row, "names": names})]
        case Checklist():
            # Merging changes the states, which is no rule of the game.
            if inner.alike:
                raise NotationError("a checklist with merged entries can't be written to a file")
            row = {
                "bet": inner.bet,
                "collect": {_group(rolls): times for rolls, times in inner.times.items()},
                "stop": inner.stop,
                "first": inner.first or None,
                "pays": {n: exact(prize) for n, prize in inner.pays.items()},
                "names": _named(inner.names, game),
                SIDE: _beside(inner),
            }
            return [("[[checklist]]", row | _bet(inner.stake, {}, game, limits.get(inner.bet)))]
        case PointsMade():
            row = {
                "bet": inner.bet,
                "round": _round(inner.dice),
                "different": None if inner.different else False,
                "pays": _prizes(inner.pays),
            }
            return [("[[points]]", row | _bet(inner.stake, {}, game, limits.get(inner.bet)))]
        case RoundsWon(dice=PointGame() as round_):
            row = {"bet": inner.bet, "losses": inner.losses, "round": _round(round_, named=True)}
            row |= {"pays": _prizes(inner.pays)}
            return [("[turn]", row | _bet(inner.stake, {}, game, limits.get(inner.bet)))]
        case Streak(dice=PointGame() as round_, bet="pass"):
            return [("[turn]", {"losses": inner.losses, "round": _round(round_, named=True)})]
        case HoldGame() | KeepScore() | Race():
            return [_solo(inner)]
        case Rulebook():
            rules = [("[[roll]]", rule.data) for rule in inner.rules]
            return rules + [("[[choose]]", rule.data) for rule in inner.options]
    kind = type(inner).__name__
    raise NotationError(
        f"a game file can't hold {kind}, only point games, wagers, checklists, bets on a hand "
        "and games of turns"
    )


def _solo(game: HoldGame | KeepScore | Race) -> Table:
    """The table of a game of turns."""
    match game:
        case HoldGame():
            return "[hold]", {"bust": game.bust, "target": game.target, "play": game.play}
        case Race():
            return "[race]", {
                "to": game.to,
                "players": game.players,
                "exact": game.exact or None,
                "jumps": game.jumps,
                "again": game.again,
            }
    return "[keep]", {
        "least": game.keep,
        "rolls": game.limit,
        "needed": game.needed,
        "in_order": game.in_order or None,
        "all_or_none": game.whole or None,
        "values": game.values,
        "best": "least" if game.low else None,
    }


def _prizes(pays: Mapping[int, Number]) -> dict[int, Fraction]:
    return {n: exact(prize) for n, prize in pays.items()}


def _round(game: PointGame, named: bool = False) -> dict[str, Any]:
    """A round as its totals; its bet pays even money."""
    # A round in another game has no table of bets of its own.
    if game.hard or (named and [*game.bets.values()] != [PayTable()]):
        raise NotationError("a game file holds only rounds at even money, without hard ways")
    row: dict[str, Any] = {key: sorted(getattr(game, key)) for key in TOTALS}
    row |= {"out": game.out, "limit": game.limit}
    return row | ({"names": dict(game.names)} if named else {})


def _beside(game: Game) -> dict[str, Any] | None:
    """The game beside a bet, as its totals."""
    table = game.side_of
    if table is None:
        return None
    if not isinstance(table, PointGame) or table.hard:
        kind = type(table).__name__
        raise NotationError(f"a game file can't hold {kind} as a bet beside a point game")
    return _round(table)


def _bet(
    money: Number, pays: Mapping[str, Any], game: Game, limits: Limits | None
) -> dict[str, Any]:
    """A bet's stake, pays or offers, and limits."""
    stake = exact(money)
    offers = {LEAVE: _offers(game)} if isinstance(game, Surrender) else {}
    row = {event: _schedule(paid, stake) for event, paid in {**pays, **offers}.items()}
    return {"stake": None if stake == 1 else stake} | row | (asdict(limits) if limits else {})


def _named(names: Mapping[Any, str], game: Game) -> dict[str, str]:
    label = game.label if isinstance(game, Surrender) else ""
    return {str(event): name for event, name in names.items()} | ({LEAVE: label} if label else {})


def _offers(game: Surrender) -> Frozen[Any, Any]:
    """The offers by point or by number of ticked boxes."""
    if not isinstance(game.game, PointGame) or game.game.limit is None:
        return Frozen({(points,): amount for points, amount in game.offers.items()})
    by_roll: dict[Any, dict[int, Any]] = {}
    for (point, rolled), amount in game.offers.items():
        by_roll.setdefault((point,), {})[rolled] = amount
    return Frozen(
        {
            points: ByRoll(by_number[rolled] for rolled in sorted(by_number))
            for points, by_number in by_roll.items()
        }
    )


def _schedule(paid: Any, stake: Fraction) -> Any:
    """A payment, as files write it."""
    match paid:
        case Frozen():
            return {_group(rolls): _schedule(amounts, stake) for rolls, amounts in paid.items()}
        case ByRoll():
            return [_schedule(amount, stake) for amount in paid]
        case profit, risk:
            return profit if risk == stake else {"profit": profit, "risk": risk}
    raise AssertionError(paid)


def _group(rolls: Any) -> str:
    return ",".join(map(str, rolls)) if isinstance(rolls, tuple) else str(rolls)


def rows_of(table: Mapping[Any, Any]) -> Iterator[str]:
    """The lines of a table, without empty values."""
    for key, value in table.items():
        if value is not None and value not in ("", [], (), {}):
            yield f"{_key(key)} = {toml_of(value)}"


def _key(key: Any) -> str:
    return str(key) if re.fullmatch("[A-Za-z0-9_-]+", str(key)) else toml_of(str(key))


def toml_of(value: Any) -> str:
    """A value as TOML."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            # JSON's texts are TOML's, but for DEL, which TOML refuses.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            return f"{{ {', '.join(rows_of(value))} }}"
        case list() | tuple():
            return f"[{', '.join(map(toml_of, value))}]"
    # Larger integers are texts: TOML's have 64 bits.
    whole = value.denominator == 1 and WHOLE[0] <= value <= WHOLE[1]
    return str(value) if whole else f'"{value}"'
