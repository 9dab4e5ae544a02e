"""Reads amounts, totals, rolls and names from a game file."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, NoReturn, TypeVar
from unicodedata import category

from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.numerals import exact
from sevenout.rules.modified_games import LEAVE
from sevenout.rules.pay_tables import BY_ROLL
from sevenout.rules.wagers import parse_event

WHOLE = -(1 << 63), (1 << 63) - 1
"""The range of TOML's integers; larger ones are texts."""
TEXTS = (
    "rules",
    "procedure",
    "late_bets",
    "void_rolls",
    "cocked_dice",
    "irregularities",
    "disputes",
    "equipment",
    "layout",
    "origin",
    "patents",
    "jurisdictions",
)
"""The texts that may have several lines."""
LONGEST_NAME = 200
"""The most characters in a name."""
UNPRINTED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode categories that control terminals, text direction or line breaks."""
GROUP = r"\s*-?[0-9]{1,18}\s*(,\s*-?[0-9]{1,18}\s*)*"
_LONG_TEXT = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'', re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,9}").fullmatch
At = tuple[Any, ...]
"""A position in the data: ("line", 0, "bets", "pass", "point")."""
T = TypeVar("T")
Reader = Callable[[Any, At], Any]
EMPTY: Mapping[str, str] = {}


class ValueReader:
    """Reads the values of a file.

    Args:
        text: the file's text, for the line of each key.
    """

    def __init__(self, text: str, file: str) -> None:
        self.lines = _LONG_TEXT.sub(lambda long: "\n" * long[0].count("\n"), text).split("\n")
        self.file = file

    def _values(
        self,
        table: Any,
        readers: Mapping[str, Reader],
        at: At,
        needed: Mapping[str, str] = EMPTY,
    ) -> dict[str, Any]:
        """The values of a table, by key; other keys are refused."""
        if not isinstance(table, dict):
            header = f"[[{at[0]}]]" if len(at) > 1 else f"[{at[0]}]"
            self._fail(f"{at[0]} = {as_toml(table)}; write a table, {header}", at)
        self._only(table, readers, at)
        for key, such in needed.items():
            if key not in table:
                said = f"a {at[0]} without {key}; write {key}"
                self._fail(f"{said}, such as {key} = {such}", at)
        return {key: read(table[key], (*at, key)) for key, read in readers.items() if key in table}

    def _names(
        self, given: Any, at: At, known: Iterable[str] = (), *, numbered: bool = False
    ) -> dict[str, str]:
        """The author's names of events, by key."""
        if not isinstance(given, dict) or not given:
            self._fail(f'names = {as_toml(given)}; write {{ event = "words" }}', at)
        if known:
            words = {key: v for key, v in given.items() if not (numbered and _NUMBER(key))}
            self._only(words, known, at)
        for key, name in given.items():
            if not isinstance(name, str) or not name.strip():
                self._fail(f"{key} is named {as_toml(name)}; name it in words", at)
            self._name(name, at)
        return dict(given)

    def _keyed(
        self, given: dict[str, Any], key: Callable[[Any, At], Any], value: Any, at: At
    ) -> dict[Any, Any]:
        """Values by groups of rolls, which must not overlap."""
        found: dict[Any, Any] = {}
        for written, v in given.items():
            group = key(written, at)
            for each in group:
                if any(each in other for other in found) or group.count(each) > 1:
                    self._against(f"{each} is listed twice; write it once", at)
            found[group] = value(v, at)
        return found

    def _schedule(self, given: Any, at: At) -> Any:
        if isinstance(given, dict) and not set(given) <= {"profit", "risk"}:
            return self._keyed(given, self._group, self._by_roll, at)
        return self._by_roll(given, at)

    def _by_roll(self, given: Any, at: At) -> Any:
        if not isinstance(given, list):
            return self._amount(given, at)
        if at[-1] not in (*BY_ROLL, LEAVE):
            self._fail(f"{at[-1]} is paid by roll; only {' and '.join(BY_ROLL)} may be", at)
        return [self._amount(v, at) for v in given]

    def _amount(self, given: Any, at: At) -> Any:
        if isinstance(given, dict) and set(given) == {"profit", "risk"}:
            return self._number(given["profit"], at), self._number(given["risk"], at)
        return self._number(given, at)

    def _number(self, given: Any, at: At) -> int | Fraction:
        if type(given) is int and WHOLE[0] <= given <= WHOLE[1]:
            return given
        if isinstance(given, str):
            try:
                return exact(given)
            except SevenoutError:
                pass
        if type(given) is int:
            said = f"the amount {as_toml(given)}; a whole number of TOML has 18 digits"
            self._fail(f"{said}, so write it in quotes, with 99 at most", at)
        self._fail(f'the amount {as_toml(given)}; write 2, -1, "3/2" or "4%"', at)

    def _group(self, key: str, at: At) -> tuple[int, ...]:
        if not re.fullmatch(GROUP, key):
            self._fail(f'the totals {as_toml(key)}; write them as "4,10"', at)
        return tuple(int(total) for total in key.split(","))

    def _events(self, given: Any, at: At) -> tuple[Any, ...]:
        if type(given) is int:
            return (self._whole(given, at),)
        if not isinstance(given, str):
            self._fail(f'the roll {as_toml(given)}; write 7, "4,10", "hard 8" or "6-6"', at)
        return tuple(self.attempt(lambda: parse_event(e), at) for e in given.split(","))  # noqa: B023

    def _totals(self, given: Any, at: At) -> list[int]:
        if not isinstance(given, list):
            self._fail(f"{at[-1]} = {as_toml(given)}; write a list of totals, such as [7, 11]", at)
        totals = [self._whole(total, at) for total in given]
        if len(set(totals)) < len(totals):
            self._against(f"{at[-1]} = {as_toml(given)}; list each total once", at)
        return totals

    def _whole(self, given: Any, at: At) -> int:
        if type(given) is not int or not WHOLE[0] <= given <= WHOLE[1]:
            self._fail(f"{at[-1]} = {as_toml(given)}; write whole numbers", at)
        return given

    def _limit(self, given: Any, at: At) -> int:
        if (limit := self._whole(given, at)) < 1:
            what = "rolls for the point" if at[0] == "line" else "rolls"
            self._fail(f"limit = {limit}; allow 1 or more {what}", at)
        return limit

    def _bet_name(self, given: Any, at: At) -> str:
        if not isinstance(given, str) or not given.strip():
            self._fail(f'bet = {as_toml(given)}; name it, such as bet = "field"', at)
        return self._name(given, at)

    def _flag(self, given: Any, at: At) -> bool:
        if not isinstance(given, bool):
            self._fail(f"{at[-1]} = {as_toml(given)}; write true or false", at)
        return given

    def _printed(self, data: Mapping[str, Any], key: str) -> str:
        text = self._text(data, key)
        if key not in TEXTS:
            return self._name(text, (key,))
        if hidden := _hidden(text, but="\n\r\t"):
            self._against(f"the {key} has the character {hidden}; leave it out", (key,))
        return text

    def _text(self, data: Mapping[str, Any], key: str, default: str = "") -> str:
        if key not in data and not default:
            self._fail(f'no {key}; write {key} = "..."', ())
        text = data.get(key, default)
        if not isinstance(text, str) or not text.strip():
            such = default or "..."
            self._fail(f'{key} = {as_toml(text)}; write a text, such as {key} = "{such}"', (key,))
        return text

    def _name(self, name: str, at: At) -> str:
        if not name.strip():
            self._fail("a bet without a name; write [line.bets.pass]", at[:-1])
        if len(name) > LONGEST_NAME:
            self._against(f"a name of {len(name):,} characters; write {LONGEST_NAME} at most", at)
        if hidden := _hidden(name):
            self._against(f"the name {as_toml(name)} has the character {hidden}; leave it out", at)
        return name

    def _only(self, table: Mapping[str, Any], known: Iterable[str], at: At) -> None:
        known = tuple(known)
        for key in table:
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
                self._fail(f"unknown key {as_toml(key)}; {hint}", (*at, key))

    def attempt(self, make: Callable[[], T], at: At) -> T:
        """The result of `make`; errors get the file and line."""
        try:
            return make()
        except SevenoutError as error:
            if isinstance(error, NotationError) and str(error).startswith(f"{self.file}:"):
                raise
            self._fail(str(error), (*at, *error.at), error)

    def _fail(self, message: str, at: At, cause: SevenoutError | None = None) -> NoReturn:
        raise NotationError(f"{self.file}:{self._where(at)}: {message}") from cause

    def _against(self, message: str, at: At) -> NoReturn:
        """Raise a contradiction that no schema can find."""
        self._fail(message, at, RulesError(message))

    def _where(self, at: At) -> int:
        """The line of a key or of its table; 1 if unknown."""
        ends = range(len(at), 0, -1)
        return next(filter(None, (self._line_of(at[:end]) for end in ends)), 1)

    def _line_of(self, at: At) -> int:
        """The line of a key; 0 if unknown."""
        tables, header, key = 0, "", str(at[-1])
        numbered = len(at) > 1 and isinstance(at[1], int)
        kind, nth = (at[0], at[1]) if numbered else ("", None)
        path = ".".join(part for part in at if isinstance(part, str))
        bet = f".{at[3]}" if "bets" in at[:-1] else ""
        for number, text in enumerate(self.lines, 1):
            if match := re.match(r"\s*\[+\s*([^\]#]+?)\s*\]+", text):
                header = match[1].replace('"', "")
                tables += header == kind
            here = header.partition(".")[0] == kind and tables == (nth or 0) + 1
            if nth is None and header and f"{header}.".startswith(f"{path}."):
                return number
            if here and header == path:
                return number
            own = header == path.rpartition(".")[0]
            inside = here and header.endswith(bet) if nth is not None else own
            if inside and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[.=]""", text):
                return number
        return 0


def as_toml(value: Any) -> str:
    """A wrong value, approximately as its author wrote it."""
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
            inner = ", ".join(map(as_toml, value[:4]))
            return f"[{inner}{', ...' if len(value) > 4 else ''}]"
    return shown(value)


def _hidden(text: str, but: str = "") -> str:
    """The first unprintable character, escaped; "" if none."""
    hidden = (c for c in text if category(c) in UNPRINTED and c not in but)
    return next((ascii(c)[1:-1] for c in hidden), "")
