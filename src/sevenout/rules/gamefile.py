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
and a point's by roll ([5, 4, 3]). The schema is `schema.json` beside this file; the reading is in
`gamereader`, the writing here.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from sevenout.dice import Dice, Reading, dice_name, has_notation
from sevenout.errors import NotationError
from sevenout.files import read_text
from sevenout.numerals import exact
from sevenout.rules.checklist import Checklist
from sevenout.rules.filevalues import WHOLE
from sevenout.rules.frozen import Frozen
from sevenout.rules.game import Game, bets_of
from sevenout.rules.gamereader import (
    FORMAT,
    PRINTED,
    PROGRESSIVE,
    TOTALS,
    GameReader,
    Limits,
    is_picture,
)
from sevenout.rules.paytable import ByRoll
from sevenout.rules.point import PointGame
from sevenout.rules.progressive import Progressive
from sevenout.rules.surrender import LEAVE, Surrender
from sevenout.rules.together import Together
from sevenout.rules.wager import REST, Wager

MAX_BYTES = 1_000_000


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
        limits: by bet, what the house takes and pays at most.
        progressives: by bet, the award that it may win beside what it is paid.
    """

    name: str
    games: tuple[Game, ...]
    rules: str = ""
    procedure: str = ""
    layout: str = ""
    maker: str = ""
    author: str = ""
    limits: Mapping[str, Limits] = field(default_factory=lambda: Frozen({}))
    progressives: Mapping[str, Progressive] = field(default_factory=lambda: Frozen({}))

    @property
    def picture(self) -> str:
        """The name of the picture of the layout, a file beside this one; empty if there is none."""
        return self.layout.strip() if is_picture(self.layout) else ""

    @property
    def game(self) -> Game:
        """The game: the only one, or all of them together."""
        return self.games[0] if len(self.games) == 1 else Together(*self.games)


def read_game(path: str | Path) -> GameFile:
    """The game in a file.

    Raises:
        FileError: the file can't be read.
        NotationError: not a game; the message names file, line and what would be right.
    """
    return parse_game(read_text(path, MAX_BYTES), str(path))


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


def toml_data(text: str, file: str = "game") -> dict[str, Any]:
    """What a text says as TOML, before it is a game.

    Raises:
        NotationError: it is not TOML; the message names file and line.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = where[1] if where else str(text.count("\n") + 1)
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise NotationError(f"{file}:{line}: not TOML: {reason}") from None
    except (ValueError, RecursionError):  # 5,000 digits; brackets in brackets in brackets
        raise NotationError(f"{file}: a number too long or tables too deep for a game") from None


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
            that a file doesn't have.
    """
    dice = _dice(game.games[0])
    if not isinstance(dice, Dice) or not has_notation(dice):
        raise NotationError("only games on dice with a notation can be written to a file")
    out = [f"format = {FORMAT}", f"name = {_quote(game.name)}", f'dice = "{dice_name(dice)}"']
    out += [f"{key} = {_quote(text)}" for key in PRINTED if (text := getattr(game, key))]
    for each in game.games:
        inner = each.game if isinstance(each, Surrender) else each
        match inner:
            case PointGame():
                out += _line(inner, game.limits, each)
            case Wager():
                out += _wager(inner, game.limits)
            case Checklist():
                out += _checklist(inner, game.limits, each)
            case _:
                kind = type(inner).__name__
                raise NotationError(
                    f"a file has point games, wagers and checklists; {kind} is none"
                )
    for bet, award in game.progressives.items():
        out += ["", f"[{PROGRESSIVE}.{_quote(bet)}]", f"seed = {_number(exact(award.seed))}"]
        out.append(f"share = {_number(exact(award.share))}")
        if award.on:
            out.append(f"on = [{', '.join(map(_quote, award.on))}]")
        if award.must_hit_by is not None:
            out.append(f"must_hit_by = {_number(exact(award.must_hit_by))}")
    return "\n".join(out) + "\n"


def _dice(game: Game) -> Any:
    rolled: Any = game.dice
    while isinstance(rolled, Reading):
        rolled = rolled.source
    return rolled


def _line(line: PointGame, limits: Mapping[str, Limits], of: Game) -> list[str]:
    out = ["", "[[line]]"]
    for key in TOTALS:
        if totals := sorted(getattr(line, key)):
            out.append(f"{key} = {totals}")
    out.append(f"out = {line.out}")
    if line.limit is not None:
        out.append(f"limit = {line.limit}")
    if line.hard:
        out.append("hard = true")
    out += _names(_named(line.names, of))
    for name, bet in line.bets.items():
        out += ["", f"[line.bets.{_quote(name)}]"]
        stake = exact(bet.stake)
        out += [f"stake = {_number(stake)}"] if stake != 1 else []
        out += [f"{event} = {_pays(getattr(bet, event), stake)}" for event in bet.odd]
        out += _offers(of, stake)
        out += _limits(limits.get(name))
    return out


def _named(names: Mapping[Any, str], game: Game) -> dict[str, str]:
    label = game.label if isinstance(game, Surrender) else ""
    return {str(event): name for event, name in names.items()} | ({LEAVE: label} if label else {})


def _offers(game: Game, stake: Fraction) -> list[str]:
    if not isinstance(game, Surrender):
        return []
    offers: dict[Any, Any] = dict(game.offers)
    if isinstance(game.game, PointGame) and game.game.limit is not None:
        by_roll: dict[Any, dict[int, Any]] = {}
        for (point, made), amount in offers.items():
            by_roll.setdefault(point, {})[made] = amount
        offers = {
            point: ByRoll(amounts[made] for made in range(len(amounts)))
            for point, amounts in by_roll.items()
        }
    return [f"surrender = {_pays(Frozen({(at,): each for at, each in offers.items()}), stake)}"]


def _wager(wager: Wager, limits: Mapping[str, Limits]) -> list[str]:
    out = ["", "[[wager]]", f"bet = {_quote(wager.bet)}"]
    out += [f"stake = {_number(wager.stake)}"] if wager.stake != 1 else []
    out += [f"limit = {wager.limit}"] if wager.limit is not None else []
    out.append(f"pays = {_pays(wager.pays, wager.stake)}")
    if wager.late not in (None, (-wager.stake, wager.stake)):
        out.append(f"rest = {_pays(wager.late, wager.stake)}")
    names = {k if k == REST else ",".join(map(str, k)): n for k, n in wager.names.items()}
    return out + _names(names) + _limits(limits.get(wager.bet))


def _checklist(checklist: Checklist, limits: Mapping[str, Limits], of: Game) -> list[str]:
    if checklist.alike:
        raise NotationError("a checklist whose entries trade places can't be written to a file")
    out = ["", "[[checklist]]", f"bet = {_quote(checklist.bet)}"]
    stake = checklist.stake
    out += [f"stake = {_number(stake)}"] if stake != 1 else []
    inner = (f'"{",".join(map(str, key))}" = {n}' for key, n in checklist.times.items())
    out += [f"collect = {{ {', '.join(inner)} }}", f"stop = {_event(checklist.stop)}"]
    out += ["first = true"] if checklist.first else []
    prizes = (f"{n} = {_number(exact(prize))}" for n, prize in checklist.pays.items())
    out.append(f"pays = {{ {', '.join(prizes)} }}")
    out += _names(_named(checklist.names, of))
    return out + _offers(of, stake) + _limits(limits.get(checklist.bet))


def _event(event: Any) -> str:
    return _quote(event) if isinstance(event, str) else str(event)


def _names(names: Mapping[str, str]) -> list[str]:
    own = ", ".join(f"{_quote(event)} = {_quote(name)}" for event, name in names.items())
    return [f"names = {{ {own} }}"] if own else []


def _limits(limits: Limits | None) -> list[str]:
    out = []
    for each in fields(Limits) if limits else ():
        given = getattr(limits, each.name)
        if given:
            written = _quote(given) if isinstance(given, str) else _number(given)
            out.append(f"{each.name} = {written}")
    return out


def _pays(schedule: Any, stake: Fraction) -> str:
    match schedule:
        case Frozen():
            inner = (f'"{",".join(map(str, k))}" = {_pays(v, stake)}' for k, v in schedule.items())
            return f"{{ {', '.join(inner)} }}"
        case ByRoll():
            return f"[{', '.join(_pays(amount, stake) for amount in schedule)}]"
        case profit, risk if risk == stake:
            return _number(profit)
        case profit, risk:
            return f"{{ profit = {_number(profit)}, risk = {_number(risk)} }}"
    raise AssertionError(schedule)


def _number(amount: Fraction) -> str:
    whole = amount.denominator == 1 and WHOLE[0] <= amount <= WHOLE[1]
    return str(amount) if whole else f'"{amount}"'


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
