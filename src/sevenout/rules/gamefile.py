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
from dataclasses import dataclass
from datetime import date, time
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from unicodedata import category

from sevenout.cost import afford
from sevenout.dice import Dice, dice_name, has_notation, parse_dice
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.files import read_text
from sevenout.numerals import exact
from sevenout.rules.frozen import Frozen
from sevenout.rules.game import Game
from sevenout.rules.paytable import BY_ROLL, EVEN, ByRoll, PayTable
from sevenout.rules.point import PointGame
from sevenout.rules.together import Together

FORMAT = 1
TOP = ("format", "name", "dice", "rules", "line")
TOTALS = ("naturals", "craps", "pushes", "rerolls")
LINE = (*TOTALS, "out", "limit", "hard", "bets")
BET = (*EVEN, "stake")
WHOLE = -(1 << 63), (1 << 63) - 1
"""The whole numbers of TOML; larger ones are written as texts."""
MAX_BYTES = 1_000_000
AMOUNT = r"-?[0-9]{1,99}(/0*[1-9][0-9]{0,98})?"
UNPRINTED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Characters that command a terminal, turn a line around or break it."""
GROUP = r"\s*-?[0-9]{1,18}\s*(,\s*-?[0-9]{1,18}\s*)*"
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
        if "format" not in data:
            self._fail(f"no format; write format = {FORMAT}", ())
        if type(data["format"]) is not int or data["format"] != FORMAT:
            self._fail(f"format = {_toml(data['format'])}; write format = {FORMAT}", ("format",))
        name = self._name(self._text(data, "name"), ("name",))
        rules = self._text(data, "rules") if "rules" in data else ""
        if hidden := _hidden(rules, but="\n\r\t"):
            self._fail(f"the rules have the character {hidden}; leave it out", ("rules",))
        dice = self._try(lambda: parse_dice(self._text(data, "dice", "2d6")), ("dice",))
        tables = data.get("line")
        if not isinstance(tables, list) or not tables:
            self._fail("no line; write [[line]] with naturals, craps and out", ("line",))
        given = [table.get("bets") for table in tables if isinstance(table, dict)]
        bets = sum(len(each) if isinstance(each, dict) else 1 for each in given)
        afford(f"a game of {bets:,} bets", seconds=0.01 * bets + 1e-6 * bets**2)
        lines = tuple(self._line(i, table, dice) for i, table in enumerate(tables))
        game = GameFile(name, lines, rules)
        self._try(lambda: game.game, ("line",))
        return game

    def _line(self, i: int, table: Any, dice: Dice) -> PointGame:
        at = ("line", i)
        if not isinstance(table, dict):
            self._fail(f"line = {_toml(table)}; write [[line]]", at)
        self._only(table, LINE, at)
        sets = {key: self._totals(table.get(key, []), (*at, key)) for key in TOTALS}
        if "out" not in table:
            self._fail("a line without an out; write the total that loses, such as out = 7", at)
        bets = table.get("bets", {"pass": {}})
        if not isinstance(bets, dict) or not bets:
            self._fail("bets holds no bet; write [line.bets.pass]", (*at, "bets"))
        named = {
            self._name(bet, (*at, "bets", bet)): self._bet(given, (*at, "bets", bet))
            for bet, given in bets.items()
        }
        return self._try(
            lambda: PointGame(
                **sets,
                out=self._whole(table["out"], (*at, "out")),
                limit=self._limit(table["limit"], (*at, "limit")) if "limit" in table else None,
                hard=self._flag(table.get("hard", False), (*at, "hard")),
                bets=named,
                dice=dice,
            ),
            at,
        )

    def _bet(self, given: Any, at: tuple[Any, ...]) -> PayTable:
        if not isinstance(given, dict):
            self._fail(f"{at[-1]} = {_toml(given)}; write [line.bets.{at[-1]}]", at)
        self._only(given, BET, at)
        schedules = {
            key: self._number(v, (*at, key)) if key == "stake" else self._schedule(v, (*at, key))
            for key, v in given.items()
        }
        return self._try(lambda: PayTable(**schedules), at)

    def _schedule(self, given: Any, at: tuple[Any, ...]) -> Any:
        if isinstance(given, dict) and not set(given) <= {"profit", "risk"}:
            return {self._group(key, at): self._by_roll(v, at) for key, v in given.items()}
        return self._by_roll(given, at)

    def _by_roll(self, given: Any, at: tuple[Any, ...]) -> Any:
        if not isinstance(given, list):
            return self._amount(given, at)
        if at[-1] not in BY_ROLL:
            self._fail(f"{at[-1]} is paid by roll; only {' and '.join(BY_ROLL)} may be", at)
        return [self._amount(v, at) for v in given]

    def _amount(self, given: Any, at: tuple[Any, ...]) -> Any:
        if isinstance(given, dict) and set(given) == {"profit", "risk"}:
            return self._number(given["profit"], at), self._number(given["risk"], at)
        return self._number(given, at)

    def _number(self, given: Any, at: tuple[Any, ...]) -> int | Fraction:
        if type(given) is int and WHOLE[0] <= given <= WHOLE[1]:
            return given
        if isinstance(given, str) and re.fullmatch(AMOUNT, given):
            return Fraction(given)
        self._fail(f'the amount {_toml(given)}; write 2, -1 or "3/2"', at)

    def _group(self, key: str, at: tuple[Any, ...]) -> tuple[int, ...]:
        if not re.fullmatch(GROUP, key):
            self._fail(f'the totals {_toml(key)}; write them as "4,10"', at)
        return tuple(int(total) for total in key.split(","))

    def _totals(self, given: Any, at: tuple[Any, ...]) -> list[int]:
        if not isinstance(given, list):
            self._fail(f"{at[-1]} = {_toml(given)}; write a list of totals, such as [7, 11]", at)
        return [self._whole(total, at) for total in given]

    def _whole(self, given: Any, at: tuple[Any, ...]) -> int:
        if type(given) is not int or not WHOLE[0] <= given <= WHOLE[1]:
            self._fail(f"{at[-1]} = {_toml(given)}; write whole numbers", at)
        return given

    def _limit(self, given: Any, at: tuple[Any, ...]) -> int:
        if self._whole(given, at) < 1:
            self._fail(f"limit = {_toml(given)}; allow 1 or more rolls for the point", at)
        return int(given)

    def _flag(self, given: Any, at: tuple[Any, ...]) -> bool:
        if not isinstance(given, bool):
            self._fail(f"{at[-1]} = {_toml(given)}; write true or false", at)
        return given

    def _text(self, data: dict[str, Any], key: str, default: str = "") -> str:
        if key not in data and not default:
            self._fail(f'no {key}; write {key} = "..."', ())
        text = data.get(key, default)
        if not isinstance(text, str) or not text.strip():
            self._fail(f'{key} = {_toml(text)}; write a text, such as {key} = "..."', (key,))
        return text

    def _name(self, name: str, at: tuple[Any, ...]) -> str:
        if not name.strip():
            self._fail("a bet without a name; write [line.bets.pass]", at[:-1])
        if hidden := _hidden(name):
            self._fail(f"the name {_toml(name)} has the character {hidden}; leave it out", at)
        return name

    def _only(self, table: Mapping[str, Any], known: Iterable[str], at: tuple[Any, ...]) -> None:
        for key in table:
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
                self._fail(f"unknown key {_toml(key)}; {hint}", (*at, key))

    def _try(self, make: Callable[[], T], at: tuple[Any, ...]) -> T:
        try:
            return make()
        except SevenoutError as error:
            if isinstance(error, NotationError) and str(error).startswith(f"{self.file}:"):
                raise
            self._fail(str(error), at, error)

    def _fail(
        self, message: str, at: tuple[Any, ...], cause: SevenoutError | None = None
    ) -> NoReturn:
        raise NotationError(f"{self.file}:{self._where(at)}: {message}") from cause

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
            stake = exact(bet.stake)
            out += [f"stake = {_number(stake)}"] if stake != 1 else []
            out += [f"{event} = {_pays(getattr(bet, event), stake)}" for event in bet.odd]
    return "\n".join(out) + "\n"


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


def _toml(value: Any) -> str:
    """A wrong value as its author wrote it, or nearly."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return shown(value)
        case date() | time():
            return value.isoformat()
        case dict():
            return f"a table of {', '.join(map(shown, list(value)[:4])) or 'nothing'}"
        case list():
            inner = ", ".join(map(_toml, value[:4]))
            return f"[{inner}{', ...' if len(value) > 4 else ''}]"
    return shown(value)


def _hidden(text: str, but: str = "") -> str:
    """The first character of a text that no page can print, escaped; "" if there is none."""
    hidden = (c for c in text if category(c) in UNPRINTED and c not in but)
    return next((ascii(c)[1:-1] for c in hidden), "")
