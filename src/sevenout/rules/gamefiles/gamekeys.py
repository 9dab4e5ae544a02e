"""The keys of a game file, as `schema.json` declares them.

The JSON schema beside this module is the one declaration of a file's keys. For each table it has
the names of the keys in the order in which they are written, the kind of each value, and what is
required. Where a key sets an attribute of the game with another name, `x-attribute` has that name.
Editors read the schema; reading (`gamereader`), writing (`gamewriter`), the known keys in an error
and open numbers follow from it. `KINDS` says how each kind of value is read and written. A new key
of a known kind is a line of the schema, and an attribute of the game.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from pkgutil import get_data
from typing import Any

from sevenout.errors import NotationError
from sevenout.numerals import Number, exact
from sevenout.rules.combined_games import Streak
from sevenout.rules.game import Game
from sevenout.rules.gamefiles.filevalues import Key, KeyKind, ValueReader, keys_of
from sevenout.rules.keep_games import KeepScore
from sevenout.rules.pay_tables import ByRoll, PayTable
from sevenout.rules.point_games import PointGame, PointsMade, RoundsWon
from sevenout.rules.race_games import HoldGame, Race
from sevenout.rules.wagers import Checklist, Wager

# Not by a path: in a browser the package is in an archive.
SCHEMA: dict[str, Any] = json.loads(get_data("sevenout.rules.gamefiles", "schema.json") or b"")
DEFINED: dict[str, Any] = SCHEMA["$defs"]
FORMAT: int = SCHEMA["properties"]["format"]["const"]
MAX_SEATS: int = DEFINED["seats"]["maximum"]


FAMILIES: dict[str, tuple[type[Game], ...]] = {
    "line": (PointGame,),
    "wager": (Wager,),
    "checklist": (Checklist,),
    "points": (PointsMade,),
    "hold": (HoldGame,),
    "keep": (KeepScore,),
    "race": (Race,),
    "turn": (RoundsWon, Streak),
}
"""The games of each kind of table."""
TABLES = {name: keys_of(table) for name, table in DEFINED.items() if "properties" in table}
"""The keys of each table."""
TOP = keys_of(SCHEMA)
"""The keys at the top of a file."""
SOLO = tuple(key.name for key in TOP if key.kind in FAMILIES)
"""The kinds of games that are alone in their file."""
TABLE_LISTS = tuple(kind for kind in FAMILIES if kind not in SOLO)
"""The kinds of games of which a file may have several."""
FORM = tuple(key.name for key in TOP if key.kind.startswith("rules_"))
"""The keys of rules as data, which no other kind of game stands beside."""
PROGRESSIVE, GOAL, SEATS, LIMIT_TABLES = "progressive", "goal", "seats", "limits"
HEAD = tuple(
    key for key in TOP if key.name not in (*FAMILIES, *FORM, PROGRESSIVE, "format", "dice")
)
"""What a maker states about a game, whatever its rules."""
A_ROUND = next(key.example for key in TABLES["turn"] if key.name == "round")


def table_of(
    keys: Iterable[Key], value_of: Callable[[str], Any], stake: Fraction = Fraction(1)
) -> dict[str, Any]:
    """The values of a table by key, from those of a game by attribute; None for a default."""
    written: dict[str, Any] = {}
    for key in keys:
        value = value_of(key.attribute)
        usual = value is None or value == key.default
        written[key.name] = None if usual else KINDS[key.kind].write(value, stake)
    return written


# --- kinds of values ------------------------------------------------------------------------------


def group_text(rolls: Any) -> str:
    """Rolls that share a value, as a key: "4,10"."""
    return ",".join(map(str, rolls)) if isinstance(rolls, tuple) else str(rolls)


def _schedule(paid: Any, stake: Fraction) -> Any:
    """A pay schedule as a file writes it: an amount, a list by roll, or a table by total."""
    match paid:
        case Mapping():
            return {group_text(rolls): _schedule(amount, stake) for rolls, amount in paid.items()}
        case ByRoll():
            return [_schedule(amount, stake) for amount in paid]
        case profit, risk:
            # The stake is at risk unless a file says otherwise.
            return profit if risk == stake else {"profit": profit, "risk": risk}
    raise AssertionError(paid)


def _prizes(pays: Mapping[int, Number], _: Fraction) -> dict[int, Fraction]:
    return {number: exact(prize) for number, prize in pays.items()}


def _grouped(values: Mapping[Any, Any], _: Fraction) -> dict[str, Any]:
    return {group_text(rolls): value for rolls, value in values.items()}


def _word_kind(kind: str) -> KeyKind:
    """One of the words of the schema."""
    return KeyKind(partial(ValueReader.one_of, words=tuple(DEFINED[kind]["enum"])))


def _names_kind(kind: str) -> KeyKind:
    """The author's names of events: those of the schema, and numbers of boxes or rolls."""
    listed, *others = DEFINED[kind]["propertyNames"]["anyOf"]
    other = others[0]["$ref"].rpartition("/")[2] if others else ""
    # Rolls have many spellings; a wager compares them with those that it pays.
    events = () if other == "rolls" else tuple(listed["enum"])
    return KeyKind(
        partial(ValueReader.names, events=events, numbered=other == "box_count"), _grouped
    )


def _round_kind(kind: str) -> KeyKind:
    """A round as its totals."""
    return KeyKind(
        lambda reader, table, path: reader.table_game(table, path, TABLES[kind]),
        lambda game, _: _round_table(game, kind),
    )


def _round_table(game: PointGame, kind: str) -> dict[str, Any]:
    # A round in another game has no table of bets of its own.
    even = [*game.bets.values()] == [PayTable()]
    if game.hard or (kind == "named_round" and not even):
        raise NotationError("a game file holds only rounds at even money, without hard ways")
    return table_of(TABLES[kind], partial(getattr, game))


def _side_of_table(table: Game, _: Fraction) -> dict[str, Any]:
    """The game beside a bet, as its totals."""
    if not isinstance(table, PointGame) or table.hard:
        kind = type(table).__name__
        raise NotationError(f"a game file can't hold {kind} as a bet beside a point game")
    return _round_table(table, "round")


KINDS = {
    "name": KeyKind(ValueReader.short_text),
    "text": KeyKind(ValueReader.long_text),
    "top_award": KeyKind(partial(ValueReader.short_text, example="25,000 a round")),
    "bet_name": KeyKind(ValueReader.bet_name),
    "flag": KeyKind(ValueReader.flag),
    "whole": KeyKind(ValueReader.whole_number),
    "seats": KeyKind(ValueReader.whole_number),
    "players": KeyKind(ValueReader.whole_number),
    "count": KeyKind(ValueReader.whole_number),
    "limit": KeyKind(ValueReader.limit),
    "number": KeyKind(ValueReader.number),
    "bound": KeyKind(ValueReader.bound),
    # The totals of a line are a set; the needed faces of a hand have an order.
    "totals": KeyKind(ValueReader.totals, lambda totals, _: sorted(totals)),
    "ordered": KeyKind(ValueReader.totals),
    "faces": KeyKind(ValueReader.faces),
    "wholes": KeyKind(ValueReader.whole_by_number),
    "amount": KeyKind(ValueReader.amount, _schedule),
    "by_total": KeyKind(ValueReader.schedule, _schedule),
    "schedule": KeyKind(ValueReader.schedule, _schedule),
    "paid": KeyKind(ValueReader.pays_by_roll, _schedule),
    "offers": KeyKind(ValueReader.offers_by_number, _schedule),
    "prize": KeyKind(ValueReader.prizes, _prizes),
    "prizes": KeyKind(ValueReader.by_number, _prizes),
    "collected": KeyKind(ValueReader.collected, _grouped),
    "event": KeyKind(ValueReader.events),
    "rows": KeyKind(ValueReader.events_won),
    "line_bets": KeyKind(lambda reader, tables, path: reader.bets(tables, path)),
    "round": _round_kind("round"),
    "named_round": _round_kind("named_round"),
    "side_of": KeyKind(_round_kind("round").read, _side_of_table),
    "best": KeyKind(
        lambda reader, value, path: _word_kind("best").read(reader, value, path) == "least",
        lambda low, _: "least" if low else None,
    ),
    **{kind: _word_kind(kind) for kind in ("made", "stays", "play")},
    **{kind: _names_kind(kind) for kind in DEFINED if kind.endswith("_names")},
}
"""How each kind of value is read and written."""
PAID_KINDS = {kind for kind, value in KINDS.items() if value.write in (_schedule, _prizes)}
"""The kinds of values that are paid."""


def keys_of_kinds(accepts: Callable[[str], bool]) -> Iterator[str]:
    """The names of the keys of bets and games whose kind is accepted.

    >>> sorted(set(keys_of_kinds(lambda kind: kind == "faces")))
    ['bust']
    """
    for table in (*FAMILIES, "line_bet"):
        yield from (key.name for key in TABLES[table] if accepts(key.kind))
