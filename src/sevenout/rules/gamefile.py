"""Game files: point games, wagers and checklists on the same rolls, as TOML.

A file is data; nothing in it is executed.

    format = 1
    name = "Fast Craps, pass"
    dice = "2d6"

    [[line]]                        # a point game; one or more, played on the same rolls
    naturals = [11]
    craps = [2, 3, 12]
    pushes = [7]
    out = 7
    limit = 3                       # rolls for the point; leave out for as many as it takes

    [line.bets.pass]                # what is not said is the pass line's even money
    point = { "4,10" = [5, 4, 3], "5,9" = [4, 3, 2], "6,8" = [3, 2, 1] }

    [[wager]]                       # a bet that the next roll decides
    bet = "field"
    limit = 1
    pays = { "3,4,9,10,11" = 1, "2,12" = 2 }

    [[checklist]]                   # rolls to be collected before a stop
    bet = "small"
    collect = [2, 3, 4, 5, 6]
    stop = 7
    pays = 34

An amount is a whole number, a fraction or a percentage in quotes ("3/2", "4%"), or `{ profit = 3,
risk = 2 }` where odds or a commission add to the money at risk. It may go by total ("4,10" = ...),
and a point's by roll ([5, 4, 3]). Where the player has a choice, `goal = "P(pass > 0)"` at the head
says what it is played for. The schema is `schema.json` beside this file; the reading is in
`gamereader`, the writing here.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from sevenout.dice import Dice, Reading, dice_name, has_notation
from sevenout.errors import NotationError, SevenoutError
from sevenout.files import MAX_BYTES, named, read_text
from sevenout.numerals import Number, exact
from sevenout.rules.checklist import Checklist
from sevenout.rules.events import event_reading, parse_event
from sevenout.rules.filevalues import WHOLE
from sevenout.rules.frozen import Frozen
from sevenout.rules.game import Game, bets_of
from sevenout.rules.gamereader import (
    FORMAT,
    GOAL,
    PRINTED,
    PROGRESSIVE,
    SIDE,
    TOTALS,
    GameReader,
    is_picture,
)
from sevenout.rules.limits import Limits
from sevenout.rules.objective import parse_objective, played_for
from sevenout.rules.paytable import ByRoll
from sevenout.rules.point import PointGame
from sevenout.rules.progressive import Progressive
from sevenout.rules.surrender import LEAVE, Surrender
from sevenout.rules.together import Together
from sevenout.rules.wager import REST, Wager
from sevenout.textdata import toml_data

Table = tuple[str, Mapping[Any, Any]]
"""The header of a table and what stands under it."""


@dataclass(frozen=True)
class GameFile:
    """A game with its name, and what else its author says of it.

    Attributes:
        name: the game's name.
        games: the games that are played on the same rolls.
        rules: the rules in the author's words.
        procedure: how the game is dealt.
        layout: what is printed on the table: in words, or the name of a picture beside the file.
        maker: who makes the game.
        author: who wrote the rules.
        currency: what amounts are in, such as "$" or "EUR"; units if not said.
        limits: by bet, what the house takes and pays at most.
        progressives: by bet, the award that it may win beside what it is paid.
        goal: what a game with a choice is played for, such as "least rolls"; the most of its bet
            if not said.
    """

    name: str
    games: tuple[Game, ...]
    rules: str = ""
    procedure: str = ""
    layout: str = ""
    maker: str = ""
    author: str = ""
    currency: str = ""
    limits: Mapping[str, Limits] = field(default_factory=lambda: Frozen({}))
    progressives: Mapping[str, Progressive] = field(default_factory=lambda: Frozen({}))
    goal: str = ""

    def limits_of(self, bet: str) -> str:
        """What the house takes on a bet and pays at most, in words; empty if it is not said."""
        found = self.limits.get(bet)
        return "" if found is None else found.said(self.currency)

    @property
    def picture(self) -> str:
        """The name of the picture of the layout, a file beside this one; empty if there is none."""
        return self.layout.strip() if is_picture(self.layout) else ""

    @property
    def game(self) -> Game:
        """The game: the only one, or all of them together; played for what the file says."""
        game = self.games[0] if len(self.games) == 1 else Together(*self.games)
        return played_for(game, parse_objective(self.goal)) if self.goal else game


def read_game(path: str | Path) -> GameFile:
    """The game in a file.

    Raises:
        FileError: the file can't be read.
        NotationError: not a game; the message names file, line and what would be right.
    """
    return parse_game(read_text(path, MAX_BYTES), named(path))


def parse_game(text: str, file: str = "game") -> GameFile:
    """The game that a text describes; `game_text` writes it back.

    >>> craps = parse_game('''
    ... format = 1
    ... name = "Craps"
    ... [[line]]
    ... naturals = [7, 11]
    ... craps = [2, 3, 12]
    ... out = 7
    ... ''')
    >>> parse_game(game_text(craps)) == craps
    True

    Raises:
        NotationError: the text is not a game; the message names file and line.
    """
    data = toml_data(text, file)
    if "open" in data:
        raise NotationError(f"{file}: it has open numbers; `sevenout tune` finds and fills them in")
    return game_of(data, text, file)


def game_of(data: Mapping[str, Any], text: str = "", file: str = "game") -> GameFile:
    """The game of what `toml_data` read.

    >>> line = {"naturals": [7, 11], "craps": [2, 3, 12], "out": 7}
    >>> game_of({"format": 1, "name": "Craps", "line": [line]}).name
    'Craps'

    Args:
        data: tables, lists, numbers and texts.
        text: where they were read, for the lines of errors.
        file: its name.

    Raises:
        NotationError: it is no game; the message names file and line.
    """
    reader = GameReader(text, file)
    head, games, limits = reader.read(data)
    made = GameFile(games=games, limits=limits, progressives=Frozen({}), **head)
    game = reader.attempt(lambda: made.game, reader.first(data))
    if PROGRESSIVE not in data:
        return made
    return replace(made, progressives=reader.progressives(data, bets_of(game)))


def game_text(game: GameFile) -> str:
    """A game as TOML; `parse_game` reads it back.

    Raises:
        NotationError: the games roll something that dice notation can't write, or are of a kind
            that a file doesn't have, or read them as no file does.
    """
    dice = _dice(game.games[0])
    if not isinstance(dice, Dice) or not has_notation(dice):
        raise NotationError("only games on dice with a notation can be written to a file")
    head = {"format": FORMAT, "name": game.name, "dice": dice_name(dice)}
    tables: list[Table] = [("", head | {key: getattr(game, key) for key in (GOAL, *PRINTED)})]
    for each in game.games:
        tables += _tables(each, game.limits)
        if not _read_alike(each, dice):
            raise NotationError(
                "a file has games of totals, of hard and easy ways, of faces and of doubles; "
                f"{', '.join(bets_of(each))} reads its dice otherwise"
            )
    for bet, award in game.progressives.items():
        amounts = ("seed", award.seed), ("share", award.share), ("must_hit_by", award.must_hit_by)
        said = {key: None if given is None else exact(given) for key, given in amounts}
        tables.append((f"[{PROGRESSIVE}.{_toml(bet)}]", said | {"on": award.on}))
    texts = ("\n".join([header, *_rows(table)]).lstrip() for header, table in tables)
    return "\n\n".join(texts) + "\n"


def _dice(game: Game) -> Any:
    rolled: Any = getattr(game, "dice", None)
    while isinstance(rolled, Reading):
        rolled = rolled.source
    return rolled


def _read_alike(game: Game, dice: Dice) -> bool:
    """Whether the dice of a game show its rolls as often as those of its file will."""
    inner = game.game if isinstance(game, Surrender) else game
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


def _tables(game: Game, limits: Mapping[str, Limits]) -> list[Table]:
    """The tables of a game; what has no value in them is left out."""
    inner = game.game if isinstance(game, Surrender) else game
    match inner:
        case PointGame():
            line: dict[str, Any] = {key: sorted(getattr(inner, key)) for key in TOTALS}
            line |= {"out": inner.out, "limit": inner.limit, "hard": inner.hard or None}
            line |= {"names": _named(inner.names, game), SIDE: _beside(inner)}
            tables: list[Table] = [("[[line]]", line)]
            for name, bet in inner.bets.items():
                pays = {event: getattr(bet, event) for event in bet.odd}
                said = _bet(bet.stake, pays, game, limits.get(name))
                tables.append((f"[line.bets.{_toml(name)}]", said))
            return tables
        case Wager():
            usual = inner.late in (None, (-inner.stake, inner.stake))
            pays = {"pays": inner.pays} | ({} if usual else {REST: inner.late})
            said = _bet(inner.stake, pays, game, limits.get(inner.bet))
            names = {_group(rolls): name for rolls, name in inner.names.items()}
            return [("[[wager]]", {"bet": inner.bet, "limit": inner.limit, **said, "names": names})]
        case Checklist():
            if inner.alike:
                raise NotationError(
                    "a checklist whose entries trade places can't be written to a file"
                )
            said = {
                "bet": inner.bet,
                "collect": {_group(rolls): times for rolls, times in inner.times.items()},
                "stop": inner.stop,
                "first": inner.first or None,
                "pays": {n: exact(prize) for n, prize in inner.pays.items()},
                "names": _named(inner.names, game),
                SIDE: _beside(inner),
            }
            return [("[[checklist]]", said | _bet(inner.stake, {}, game, limits.get(inner.bet)))]
    kind = type(inner).__name__
    raise NotationError(f"a file has point games, wagers and checklists; {kind} is none")


def _beside(game: Game) -> dict[str, Any] | None:
    """The game beside which a bet is made, as its totals."""
    table = game.side_of
    if table is None:
        return None
    if not isinstance(table, PointGame) or table.hard:
        kind = type(table).__name__
        raise NotationError(f"a file has bets beside a point game; {kind} is none that it can say")
    totals = {key: sorted(getattr(table, key)) for key in TOTALS}
    return {**totals, "out": table.out, "limit": table.limit}


def _bet(
    given: Number, pays: Mapping[str, Any], game: Game, limits: Limits | None
) -> dict[str, Any]:
    """What a table says of a bet: its stake, what it is paid or may be given up for, its limits."""
    stake = exact(given)
    offers = {LEAVE: _offers(game)} if isinstance(game, Surrender) else {}
    said = {event: _schedule(paid, stake) for event, paid in {**pays, **offers}.items()}
    return {"stake": None if stake == 1 else stake} | said | (asdict(limits) if limits else {})


def _named(names: Mapping[Any, str], game: Game) -> dict[str, str]:
    label = game.label if isinstance(game, Surrender) else ""
    return {str(event): name for event, name in names.items()} | ({LEAVE: label} if label else {})


def _offers(game: Surrender) -> Frozen[Any, Any]:
    """What is offered, as a schedule by point, or by how many boxes are ticked."""
    if not isinstance(game.game, PointGame) or game.game.limit is None:
        return Frozen({(at,): amount for at, amount in game.offers.items()})
    by_roll: dict[Any, dict[int, Any]] = {}
    for (point, made), amount in game.offers.items():
        by_roll.setdefault((point,), {})[made] = amount
    return Frozen({at: ByRoll(each[made] for made in sorted(each)) for at, each in by_roll.items()})


def _schedule(paid: Any, stake: Fraction) -> Any:
    """What is paid, as it is written."""
    match paid:
        case Frozen():
            return {_group(rolls): _schedule(each, stake) for rolls, each in paid.items()}
        case ByRoll():
            return [_schedule(amount, stake) for amount in paid]
        case profit, risk:
            return profit if risk == stake else {"profit": profit, "risk": risk}
    raise AssertionError(paid)


def _group(rolls: Any) -> str:
    return ",".join(map(str, rolls)) if isinstance(rolls, tuple) else str(rolls)


def _rows(table: Mapping[Any, Any]) -> Iterator[str]:
    for key, value in table.items():
        if value is not None and value not in ("", [], (), {}):
            yield f"{_key(key)} = {_toml(value)}"


def _key(key: Any) -> str:
    return str(key) if re.fullmatch("[A-Za-z0-9_-]+", str(key)) else _toml(str(key))


def _toml(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            return f"{{ {', '.join(_rows(value))} }}"
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
    whole = value.denominator == 1 and WHOLE[0] <= value <= WHOLE[1]
    return str(value) if whole else f'"{value}"'
