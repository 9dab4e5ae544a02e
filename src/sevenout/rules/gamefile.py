"""Game files: point games and their bets, as TOML. A file is data; nothing in it is executed.

    format = 1
    name = "Fast Craps, pass"
    dice = "2d6"

    [[line]]                        # one or more, played on the same rolls
    naturals = [11]
    craps = [2, 3, 12]
    pushes = [7]
    out = 7
    limit = 3                       # rolls for the point; leave out for as many as it takes

    [line.bets.pass]                # what is not said is the pass line's even money
    point = { "4,10" = [5, 4, 3], "5,9" = [4, 3, 2], "6,8" = [3, 2, 1] }

An amount is a whole number, a fraction in quotes ("3/2"), or `{ profit = 3, risk = 2 }` where
odds or a commission add to the money at risk. It may go by total ("4,10" = ...), and a point's by
roll ([5, 4, 3]). The schema is `schema.json` beside this file.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from sevenout.dice import Dice, dice_name, has_notation, parse_dice
from sevenout.errors import NotationError, SevenoutError
from sevenout.files import read_text
from sevenout.rules.game import Game
from sevenout.rules.line import Line
from sevenout.rules.point import PointGame
from sevenout.rules.together import Together

FORMAT = 1
TOP = ("format", "name", "dice", "rules", "line")
TOTALS = ("naturals", "craps", "pushes", "rerolls")
LINE = (*TOTALS, "out", "limit", "hard", "bets")
BET = tuple(field.name for field in fields(Line))
MAX_BYTES = 1_000_000
T = TypeVar("T")


@dataclass(frozen=True)
class GameFile:
    """A game with its name and, if the file has them, its rules in words.

    Attributes:
        name: the game's name.
        lines: the point games, played on the same rolls.
        rules: the rules in the author's words.
    """

    name: str
    lines: tuple[PointGame, ...]
    rules: str = ""

    @property
    def game(self) -> Game:
        """The game: its one line, or all of them together."""
        return self.lines[0] if len(self.lines) == 1 else Together(*self.lines)


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
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = where[1] if where else str(text.count("\n") + 1)
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise NotationError(f"{file}:{line}: not TOML: {reason}") from None
    except (ValueError, RecursionError):  # 5,000 digits; brackets in brackets in brackets
        raise NotationError(f"{file}: a number too long or tables too deep for a game") from None
    return _Reader(text, file).read(data)


class _Reader:
    """Turns the file's data into a game; knows on which line each key stands."""

    def __init__(self, text: str, file: str) -> None:
        self.lines = text.splitlines()
        self.file = file

    def read(self, data: dict[str, Any]) -> GameFile:
        self._only(data, TOP, ())
        if data.get("format") != FORMAT:
            self._fail(f"format = {data.get('format')!r}; write format = {FORMAT}", ("format",))
        name = self._text(data, "name")
        rules = self._text(data, "rules") if "rules" in data else ""
        dice = self._try(lambda: parse_dice(self._text(data, "dice", "2d6")), ("dice",))
        tables = data.get("line")
        if not isinstance(tables, list) or not tables:
            self._fail("no line; write [[line]] with naturals, craps and out", ("line",))
        lines = tuple(self._line(i, table, dice) for i, table in enumerate(tables))
        game = GameFile(name, lines, rules)
        self._try(lambda: game.game, ("line",))
        return game

    def _line(self, i: int, table: Any, dice: Dice) -> PointGame:
        at = ("line", i)
        if not isinstance(table, dict):
            self._fail(f"line = {table!r}; write [[line]]", at)
        self._only(table, LINE, at)
        sets = {key: self._totals(table.get(key, []), (*at, key)) for key in TOTALS}
        if "out" not in table:
            self._fail("a line without an out; write the total that loses, such as out = 7", at)
        bets = table.get("bets", {"pass": {}})
        if not isinstance(bets, dict) or not bets:
            self._fail("bets holds no bet; write [line.bets.pass]", (*at, "bets"))
        named = {bet: self._bet(given, (*at, "bets", bet)) for bet, given in bets.items()}
        return self._try(
            lambda: PointGame(
                **sets,
                out=self._whole(table["out"], (*at, "out")),
                limit=self._whole(table["limit"], (*at, "limit")) if "limit" in table else None,
                hard=self._flag(table.get("hard", False), (*at, "hard")),
                bets=named,
                dice=dice,
            ),
            at,
        )

    def _bet(self, given: Any, at: tuple[Any, ...]) -> Line:
        if not isinstance(given, dict):
            self._fail(f"{at[-1]} = {given!r}; write [line.bets.{at[-1]}]", at)
        self._only(given, BET, at)
        schedules = {event: self._schedule(v, (*at, event)) for event, v in given.items()}
        return self._try(lambda: Line(**schedules), at)

    def _schedule(self, given: Any, at: tuple[Any, ...]) -> Any:
        if isinstance(given, dict) and not set(given) <= {"profit", "risk"}:
            return {self._group(key, at): self._by_roll(v, at) for key, v in given.items()}
        return self._by_roll(given, at)

    def _by_roll(self, given: Any, at: tuple[Any, ...]) -> Any:
        return (
            [self._amount(v, at) for v in given]
            if isinstance(given, list)
            else (self._amount(given, at))
        )

    def _amount(self, given: Any, at: tuple[Any, ...]) -> Any:
        if isinstance(given, dict) and set(given) == {"profit", "risk"}:
            return self._amount(given["profit"], at), self._amount(given["risk"], at)
        if isinstance(given, int) and not isinstance(given, bool):
            return given
        if isinstance(given, str) and re.fullmatch(r"-?\d{1,999}(/[1-9]\d{0,999})?", given):
            return Fraction(given)
        self._fail(f'the amount {given!r}; write 2, -1 or "3/2"', at)

    def _group(self, key: str, at: tuple[Any, ...]) -> tuple[int, ...]:
        if not re.fullmatch(r"\s*-?\d{1,999}\s*(,\s*-?\d{1,999}\s*)*", key):
            self._fail(f'the totals {key!r}; write them as "4,10"', at)
        return tuple(int(total) for total in key.split(","))

    def _totals(self, given: Any, at: tuple[Any, ...]) -> list[int]:
        if not isinstance(given, list):
            self._fail(f"{at[-1]} = {given!r}; write a list of totals, such as [7, 11]", at)
        return [self._whole(total, at) for total in given]

    def _whole(self, given: Any, at: tuple[Any, ...]) -> int:
        if not isinstance(given, int) or isinstance(given, bool):
            self._fail(f"{at[-1]} = {given!r}; write whole numbers", at)
        return given

    def _flag(self, given: Any, at: tuple[Any, ...]) -> bool:
        if not isinstance(given, bool):
            self._fail(f"{at[-1]} = {given!r}; write true or false", at)
        return given

    def _text(self, data: dict[str, Any], key: str, default: str | None = None) -> str:
        text = data.get(key, default)
        if not isinstance(text, str) or not text.strip():
            self._fail(f'{key} = {text!r}; write a text, such as {key} = "..."', (key,))
        return text

    def _only(self, table: Mapping[str, Any], known: Iterable[str], at: tuple[Any, ...]) -> None:
        for key in table:
            if key not in known:
                self._fail(f"unknown key {key!r}; known are {', '.join(known)}", (*at, key))

    def _try(self, make: Callable[[], T], at: tuple[Any, ...]) -> T:
        try:
            return make()
        except NotationError as error:
            if str(error).startswith(f"{self.file}:"):
                raise
            self._fail(str(error), at)
        except SevenoutError as error:
            self._fail(str(error), at)

    def _fail(self, message: str, at: tuple[Any, ...]) -> NoReturn:
        raise NotationError(f"{self.file}:{self._where(at)}: {message}")

    def _where(self, at: tuple[Any, ...]) -> int:
        """The line of a key: in the n-th [[line]], in its bet, the key; 1 if unknown."""
        found, tables = 1, 0
        header, key = "", str(at[-1]) if at else ""
        nth = at[1] if len(at) > 1 else None
        for number, text in enumerate(self.lines, 1):
            if match := re.match(r"\s*\[+\s*([^\]#]+?)\s*\]+", text):
                header = match[1].replace('"', "")
                tables += header == "line"
            inside = nth is None or tables == nth + 1
            if inside and header and header == ".".join(p for p in at if isinstance(p, str)):
                return number
            if inside and nth is not None and header == "line" and found == 1:
                found = number
            in_bet = "bets" not in at[:-1] or header.endswith(f".{at[3]}")
            at_top = nth is not None or not header
            if inside and in_bet and at_top and re.match(rf'\s*"?{re.escape(key)}"?\s*=', text):
                return number
        return found


def game_text(game: GameFile) -> str:
    """A game as TOML; `parse_game` reads it back.

    Raises:
        NotationError: the lines roll something that dice notation can't write.
    """
    dice = game.lines[0].dice
    if not isinstance(dice, Dice) or not has_notation(dice):
        raise NotationError("only games on dice with a notation can be written to a file")
    out = [f"format = {FORMAT}", f"name = {_quote(game.name)}", f'dice = "{dice_name(dice)}"']
    if game.rules:
        out.append(f"rules = {_quote(game.rules)}")
    for line in game.lines:
        out += ["", "[[line]]"]
        for key in TOTALS:
            if totals := sorted(getattr(line, key)):
                out.append(f"{key} = {totals}")
        out.append(f"out = {line.out}")
        if line.limit is not None:
            out.append(f"limit = {line.limit}")
        if line.hard:
            out.append("hard = true")
        for name, bet in line.bets.items():
            out += ["", f"[line.bets.{_quote(name)}]"]
            for field in fields(Line):
                value = getattr(bet, field.name)
                assert field.default is not MISSING
                if value != getattr(Line(), field.name):
                    out.append(f"{field.name} = {_value(value)}")
    return "\n".join(out) + "\n"


def _value(value: Any) -> str:
    match value:
        case dict():
            inner = (f'"{",".join(map(str, k))}" = {_value(v)}' for k, v in value.items())
            return f"{{ {', '.join(inner)} }}"
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case (profit, Fraction(numerator=1, denominator=1)):
            return _value(profit)
        case (profit, risk):
            return f"{{ profit = {_value(profit)}, risk = {_value(risk)} }}"
        case Fraction(denominator=1):
            return str(value)
        case _:
            return f'"{value}"'


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
