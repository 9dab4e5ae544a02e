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
Place = tuple[Any, ...]
"""A position in the data: ("line", 0, "bets", "pass", "point")."""
T = TypeVar("T")
Reader = Callable[[Any, Place], Any]
EMPTY: Mapping[str, str] = {}


class ValueReader:
    """Reads the values of a file.

    Args:
        text: the file's text, for the line of each key.
    """

    def __init__(self, text: str, file: str) -> None:
        # A key inside a long text is no key: such lines are blanked before keys are looked for.
        self.lines = _LONG_TEXT.sub(lambda long: "\n" * long[0].count("\n"), text).split("\n")
        self.file = file

    def _values(
        self,
        table: Any,
        readers: Mapping[str, Reader],
        place: Place,
        needed: Mapping[str, str] = EMPTY,
    ) -> dict[str, Any]:
        """The values of a table, by key; other keys are refused."""
        if not isinstance(table, dict):
            header = f"[[{place[0]}]]" if len(place) > 1 else f"[{place[0]}]"
            self._fail(f"{place[0]} = {as_toml(table)}; write a table, {header}", place)
        self._only(table, readers, place)
        for key, such in needed.items():
            if key not in table:
                message = f"a {place[0]} without {key}; write {key}"
                self._fail(f"{message}, such as {key} = {such}", place)
        return {
            key: read(table[key], (*place, key)) for key, read in readers.items() if key in table
        }

    def _names(
        self, table: Any, place: Place, events: Iterable[str] = (), *, numbered: bool = False
    ) -> dict[str, str]:
        """The author's names of events, by key."""
        if not isinstance(table, dict) or not table:
            self._fail(f'names = {as_toml(table)}; write {{ event = "words" }}', place)
        if events:
            # A prize is named by its number of boxes.
            words = {key: v for key, v in table.items() if not (numbered and _NUMBER(key))}
            self._only(words, events, place)
        for key, name in table.items():
            if not isinstance(name, str) or not name.strip():
                self._fail(f"{key} is named {as_toml(name)}; name it in words", place)
            self._name(name, place)
        return dict(table)

    def _keyed(
        self, table: dict[str, Any], key: Callable[[Any, Place], Any], value: Any, place: Place
    ) -> dict[Any, Any]:
        """Values by groups of rolls, which must not overlap."""
        groups: dict[Any, Any] = {}
        for written, v in table.items():
            group = key(written, place)
            for roll in group:
                # TOML refuses one key twice, but "4,10" and "10" are two keys.
                if any(roll in rolls for rolls in groups) or group.count(roll) > 1:
                    self._against(f"{roll} is listed twice; write it once", place)
            groups[group] = value(v, place)
        return groups

    def _schedule(self, value: Any, place: Place) -> Any:
        # { profit = 3, risk = 2 } is one amount, other tables are amounts by total.
        if isinstance(value, dict) and not set(value) <= {"profit", "risk"}:
            return self._keyed(value, self._group, self._by_roll, place)
        return self._by_roll(value, place)

    def _by_roll(self, value: Any, place: Place) -> Any:
        if not isinstance(value, list):
            return self._amount(value, place)
        if place[-1] not in (*BY_ROLL, LEAVE):
            self._fail(f"{place[-1]} is paid by roll; only {' and '.join(BY_ROLL)} may be", place)
        return [self._amount(v, place) for v in value]

    def _amount(self, value: Any, place: Place) -> Any:
        if isinstance(value, dict) and set(value) == {"profit", "risk"}:
            return self._number(value["profit"], place), self._number(value["risk"], place)
        return self._number(value, place)

    def _number(self, value: Any, place: Place) -> int | Fraction:
        # True is an int to isinstance.
        if type(value) is int and WHOLE[0] <= value <= WHOLE[1]:
            return value
        if isinstance(value, str):
            try:
                return exact(value)
            except SevenoutError:
                pass
        if type(value) is int:
            message = f"the amount {as_toml(value)}; a whole number of TOML has 18 digits"
            self._fail(f"{message}, so write it in quotes, with 99 at most", place)
        self._fail(f'the amount {as_toml(value)}; write 2, -1, "3/2" or "4%"', place)

    def _group(self, key: str, place: Place) -> tuple[int, ...]:
        if not re.fullmatch(GROUP, key):
            self._fail(f'the totals {as_toml(key)}; write them as "4,10"', place)
        return tuple(int(total) for total in key.split(","))

    def _events(self, value: Any, place: Place) -> tuple[Any, ...]:
        if type(value) is int:
            return (self._whole(value, place),)
        if not isinstance(value, str):
            self._fail(f'the roll {as_toml(value)}; write 7, "4,10", "hard 8" or "6-6"', place)
        return tuple(self.attempt(lambda: parse_event(e), place) for e in value.split(","))  # noqa: B023

    def _totals(self, value: Any, place: Place) -> list[int]:
        if not isinstance(value, list):
            self._fail(
                f"{place[-1]} = {as_toml(value)}; write a list of totals, such as [7, 11]", place
            )
        totals = [self._whole(total, place) for total in value]
        if len(set(totals)) < len(totals):
            self._against(f"{place[-1]} = {as_toml(value)}; list each total once", place)
        return totals

    def _faces(self, value: Any, place: Place) -> list[int | str]:
        """Faces of the dice: whole numbers, and labels such as "skull"."""
        labels = [face for face in value if isinstance(face, str)] if type(value) is list else []
        if not labels:
            return [*self._totals(value, place)]
        if len(set(labels)) < len(labels):
            self._against(f"{place[-1]} = {as_toml(value)}; list each face once", place)
        return [*labels, *self._totals([face for face in value if type(face) is not str], place)]

    def _whole(self, value: Any, place: Place) -> int:
        if type(value) is not int or not WHOLE[0] <= value <= WHOLE[1]:
            self._fail(f"{place[-1]} = {as_toml(value)}; write whole numbers", place)
        return value

    def _limit(self, value: Any, place: Place) -> int:
        if (limit := self._whole(value, place)) < 1:
            rolls = "rolls for the point" if place[0] == "line" else "rolls"
            self._fail(f"limit = {limit}; allow 1 or more {rolls}", place)
        return limit

    def _bet_name(self, value: Any, place: Place) -> str:
        if not isinstance(value, str) or not value.strip():
            self._fail(f'bet = {as_toml(value)}; name it, such as bet = "field"', place)
        return self._name(value, place)

    def _flag(self, value: Any, place: Place) -> bool:
        if not isinstance(value, bool):
            self._fail(f"{place[-1]} = {as_toml(value)}; write true or false", place)
        return value

    def _printed(self, data: Mapping[str, Any], key: str) -> str:
        text = self._text(data, key)
        if key not in TEXTS:
            return self._name(text, (key,))
        # Direction marks and escapes could make a sheet say something else than the file.
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

    def _name(self, name: str, place: Place) -> str:
        if not name.strip():
            self._fail("a bet without a name; write [line.bets.pass]", place[:-1])
        if len(name) > LONGEST_NAME:
            self._against(
                f"a name of {len(name):,} characters; write {LONGEST_NAME} at most", place
            )
        if hidden := _hidden(name):
            self._against(
                f"the name {as_toml(name)} has the character {hidden}; leave it out", place
            )
        return name

    def _only(self, table: Mapping[str, Any], keys: Iterable[str], place: Place) -> None:
        keys = tuple(keys)
        for key in table:
            if key not in keys:
                near = get_close_matches(key, keys, 1)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(keys)}"
                self._fail(f"unknown key {as_toml(key)}; {hint}", (*place, key))

    def attempt(self, make: Callable[[], T], place: Place) -> T:
        """The result of `make`; errors get the file and line."""
        try:
            return make()
        except SevenoutError as error:
            # It says its file and line already.
            if isinstance(error, NotationError) and str(error).startswith(f"{self.file}:"):
                raise
            self._fail(str(error), (*place, *error.at), error)

    def _fail(self, message: str, place: Place, cause: SevenoutError | None = None) -> NoReturn:
        raise NotationError(f"{self.file}:{self._where(place)}: {message}") from cause

    def _against(self, message: str, place: Place) -> NoReturn:
        """Raise a contradiction that no schema can find."""
        self._fail(message, place, RulesError(message))

    def _where(self, place: Place) -> int:
        """The line of a key or of its table; 1 if unknown."""
        # A value that the author left out has no line: then its table's is told.
        ends = range(len(place), 0, -1)
        return next(filter(None, (self._line_of(place[:end]) for end in ends)), 1)

    def _line_of(self, place: Place) -> int:
        """The line of a key; 0 if unknown."""
        # The TOML parser keeps no lines, so the text is searched.
        tables, header, key = 0, "", str(place[-1])
        numbered = len(place) > 1 and isinstance(place[1], int)
        kind, nth = (place[0], place[1]) if numbered else ("", None)
        path = ".".join(part for part in place if isinstance(part, str))
        bet = f".{place[3]}" if "bets" in place[:-1] else ""
        for number, text in enumerate(self.lines, 1):
            if match := re.match(r"\s*\[+\s*([^\]#]+?)\s*\]+", text):
                header = match[1].replace('"', "")
                tables += header == kind
            in_table = header.partition(".")[0] == kind and tables == (nth or 0) + 1
            if nth is None and header and f"{header}.".startswith(f"{path}."):
                return number
            if in_table and header == path:
                return number
            own = header == path.rpartition(".")[0]
            inside = in_table and header.endswith(bet) if nth is not None else own
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
