"""Reads amounts, totals, rolls and names from a game file."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, time
from difflib import get_close_matches
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, NoReturn, TypeVar
from unicodedata import category

from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.numerals import exact
from sevenout.rules.game import Frozen
from sevenout.rules.modified_games import LEAVE
from sevenout.rules.pay_tables import BY_ROLL
from sevenout.rules.wagers import parse_event

WHOLE = -(1 << 63), (1 << 63) - 1
"""The range of TOML's integers; larger ones are texts."""
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


class Key(NamedTuple):
    """A key of a table.

    Attributes:
        name: in the file.
        kind: of its value, as `ValueReader.kinds` names it.
        default: a game with this value is written without the key.
        example: a value that an error shows if the key is missing; None if it may be.
        attribute: of the game that it sets.
    """

    name: str
    kind: str
    default: Any
    example: Any
    attribute: str


def keys_of(table: Mapping[str, Any]) -> tuple[Key, ...]:
    """The keys of a table of the schema, in the order in which they are written.

    >>> keys_of({"properties": {"six": {"$ref": "#/$defs/whole", "examples": [7]}}})
    (Key(name='six', kind='whole', default=None, example=7, attribute='six'),)
    """
    return tuple(
        Key(
            name,
            value.get("$ref", "").rpartition("/")[2],
            value.get("default"),
            value.get("examples", [None])[0],
            value.get("x-attribute", name),
        )
        for name, value in table["properties"].items()
    )


class KeyKind(NamedTuple):
    """A kind of value.

    Attributes:
        read: reads a value at a place of a file; the first argument is the reader.
        write: what a file has for a value of the game, whose stake is the other argument.
    """

    read: Callable[[Any, Any, Place], Any]
    write: Callable[[Any, Fraction], Any] = lambda value, _: value


class ValueReader:
    """Reads the values of a file.

    Args:
        text: the file's text, for the line of each key.

    Attributes:
        kinds: how each kind of value is read and written.
        may_be_open: whether a number of such files may be a range, for a search to fill in.
    """

    kinds: Mapping[str, KeyKind]
    may_be_open = False

    def __init__(self, text: str, file: str) -> None:
        # A key inside a long text is no key: such lines are blanked before keys are looked for.
        self.lines = _LONG_TEXT.sub(lambda long: "\n" * long[0].count("\n"), text).split("\n")
        self.file = file

    def fields(self, keys: Sequence[Key], table: Any, place: Place) -> dict[str, Any]:
        """The values of a table, by the attribute that each sets."""
        readers = {key.name: partial(self.kinds[key.kind].read, self) for key in keys}
        needed = {key.name: toml_of(key.example) for key in keys if key.example is not None}
        attributes = {key.name: key.attribute for key in keys}
        values = self.values(table, readers, place, needed)
        return {attributes[name]: value for name, value in values.items()}

    def values(
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
        self.only(table, readers, place)
        for key, such in needed.items():
            if key not in table:
                message = f"a {place[0]} without {key}; write {key}"
                self._fail(f"{message}, such as {key} = {such}", place)
        return {
            key: read(table[key], (*place, key)) for key, read in readers.items() if key in table
        }

    def names(
        self, table: Any, place: Place, events: Iterable[str] = (), *, numbered: bool = False
    ) -> dict[str, str]:
        """The author's names of events, by key."""
        if not isinstance(table, dict) or not table:
            self._fail(f'names = {as_toml(table)}; write {{ event = "words" }}', place)
        if events:
            # A prize is named by its number of boxes.
            words = {key: v for key, v in table.items() if not (numbered and _NUMBER(key))}
            self.only(words, events, place)
        for key, name in table.items():
            if not isinstance(name, str) or not name.strip():
                self._fail(f"{key} is named {as_toml(name)}; name it in words", place)
            self.name(name, place)
        return dict(table)

    def keyed(
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

    def schedule(self, value: Any, place: Place) -> Any:
        # { profit = 3, risk = 2 } is one amount, other tables are amounts by total.
        if isinstance(value, dict) and not set(value) <= {"profit", "risk"}:
            return self.keyed(value, self.group, self.by_roll, place)
        return self.by_roll(value, place)

    def by_roll(self, value: Any, place: Place) -> Any:
        if not isinstance(value, list):
            return self.amount(value, place)
        if place[-1] not in (*BY_ROLL, LEAVE):
            self._fail(f"{place[-1]} is paid by roll; only {' and '.join(BY_ROLL)} may be", place)
        return [self.amount(v, place) for v in value]

    def amount(self, value: Any, place: Place) -> Any:
        if isinstance(value, dict) and set(value) == {"profit", "risk"}:
            return self.number(value["profit"], place), self.number(value["risk"], place)
        return self.number(value, place)

    def number(self, value: Any, place: Place) -> int | Fraction:
        # True is an int to isinstance.
        if type(value) is int and WHOLE[0] <= value <= WHOLE[1]:
            return value
        if isinstance(value, str) and ".." in value and self.may_be_open:
            self._fail(f"{as_toml(value)} is an open number; `sevenout tune` fills it in", place)
        if isinstance(value, str):
            try:
                return exact(value)
            except SevenoutError:
                pass
        if type(value) is int:
            message = f"the amount {as_toml(value)}; a whole number of TOML has 18 digits"
            self._fail(f"{message}, so write it in quotes, with 99 at most", place)
        self._fail(f'the amount {as_toml(value)}; write 2, -1, "3/2" or "4%"', place)

    def group(self, key: str, place: Place) -> tuple[int, ...]:
        if not re.fullmatch(GROUP, key):
            self._fail(f'the totals {as_toml(key)}; write them as "4,10"', place)
        return tuple(int(total) for total in key.split(","))

    def events(self, value: Any, place: Place) -> tuple[Any, ...]:
        if type(value) is int:
            return (self.whole(value, place),)
        if not isinstance(value, str):
            self._fail(f'the roll {as_toml(value)}; write 7, "4,10", "hard 8" or "6-6"', place)
        return tuple(self.attempt(lambda: parse_event(e), place) for e in value.split(","))  # noqa: B023

    def totals(self, value: Any, place: Place) -> tuple[int, ...]:
        if not isinstance(value, list):
            self._fail(
                f"{place[-1]} = {as_toml(value)}; write a list of totals, such as [7, 11]", place
            )
        totals = tuple([self.whole(total, place) for total in value])
        if len(set(totals)) < len(totals):
            self._against(f"{place[-1]} = {as_toml(value)}; list each total once", place)
        return totals

    def faces(self, value: Any, place: Place) -> tuple[int | str, ...]:
        """Faces of the dice: whole numbers, and labels such as "skull"."""
        labels = [face for face in value if isinstance(face, str)] if type(value) is list else []
        if not labels:
            return self.totals(value, place)
        if len(set(labels)) < len(labels):
            self._against(f"{place[-1]} = {as_toml(value)}; list each face once", place)
        return (*labels, *self.totals([face for face in value if type(face) is not str], place))

    def whole(self, value: Any, place: Place) -> int:
        if type(value) is not int or not WHOLE[0] <= value <= WHOLE[1]:
            self._fail(f"{place[-1]} = {as_toml(value)}; write whole numbers", place)
        return value

    def paid(self, table: Any, place: Place) -> dict[Any, Any]:
        if not isinstance(table, dict) or not table:
            message = f"pays = {as_toml(table)}; write what it pays by roll"
            self._fail(f'{message}: pays = {{ "2,12" = 2 }}', place)
        return self.keyed(table, self.events, self.amount, place)

    def collected(self, value: Any, place: Place) -> dict[tuple[Any, ...], int]:
        if isinstance(value, list) and value:
            entries = [self.events(entry, place) for entry in value]
            if len(set(entries)) < len(entries):
                self._against(f"collect = {as_toml(value)}; list each roll once", place)
            return dict.fromkeys(entries, 1)
        if isinstance(value, dict) and value:
            return self.keyed(value, self.events, self.whole, place)
        self._fail(f"collect = {as_toml(value)}; write [2, 3, 4] or {{ 6 = 3, 8 = 3 }}", place)

    def prizes(self, value: Any, place: Place) -> Any:
        """A profit, or profits by number."""
        if not isinstance(value, dict):
            return self.number(value, place)
        if not value:
            self._fail("pays nothing; give one amount or more", place)
        return self.by_number(value, place)

    def by_number(
        self,
        table: Any,
        place: Place,
        read: Reader | None = None,
        such: str = "amounts by number, { 4 = 24 }",
    ) -> dict[int, Any]:
        """Values by whole numbers; several numbers may share one."""
        if not isinstance(table, dict) or not table:
            self._fail(f"{place[-1]} = {as_toml(table)}; write {such}", place)
        groups = self.keyed(table, self.group, read or self.number, place)
        return {n: value for numbers, value in groups.items() for n in numbers}

    def whole_by_number(self, table: Any, place: Place) -> Frozen[int, int]:
        return Frozen(self.by_number(table, place, self.whole, "{ 3 = 0 }"))

    def offers_by_number(self, table: Any, place: Place) -> dict[int, Any]:
        such = 'what is offered by how many boxes are ticked: { 3 = 7, 4 = "35/2" }'
        return self.by_number(table, place, self.amount, such)

    def events_won(self, value: Any, place: Place) -> tuple[str, ...]:
        rows = value if isinstance(value, list) else [value]
        if not all(isinstance(row, str) and row.strip() for row in rows):
            self._fail(f"on = {as_toml(value)}; name rows of the return table", place)
        return tuple(rows)

    def bound(self, value: Any, place: Place) -> Fraction:
        amount = Fraction(self.number(value, place))
        if amount <= 0:
            self._against(f"{place[-1]} = {amount}; write more than 0", place)
        return amount

    def one(self, value: Any, place: Place, words: tuple[str, ...]) -> str:
        """One of the allowed words."""
        if value not in words:
            quoted = ", ".join(f'"{word}"' for word in words)
            self._fail(f"{place[-1]} = {as_toml(value)}; write one of {quoted}", place)
        return str(value)

    def limit(self, value: Any, place: Place) -> int:
        if (limit := self.whole(value, place)) < 1:
            rolls = "rolls for the point" if place[0] == "line" else "rolls"
            self._fail(f"limit = {limit}; allow 1 or more {rolls}", place)
        return limit

    def bet_name(self, value: Any, place: Place) -> str:
        if not isinstance(value, str) or not value.strip():
            self._fail(f'bet = {as_toml(value)}; name it, such as bet = "field"', place)
        return self.name(value, place)

    def flag(self, value: Any, place: Place) -> bool:
        if not isinstance(value, bool):
            self._fail(f"{place[-1]} = {as_toml(value)}; write true or false", place)
        return value

    def text(self, value: Any, place: Place, such: str = "...") -> str:
        if not isinstance(value, str) or not value.strip():
            key = place[-1]
            self._fail(f'{key} = {as_toml(value)}; write a text, such as {key} = "{such}"', place)
        return value

    def long_text(self, value: Any, place: Place) -> str:
        """A text that may have several lines."""
        text = self.text(value, place)
        # Direction marks and escapes could make a sheet say something else than the file.
        if hidden := _hidden(text, but="\n\r\t"):
            self._against(f"the {place[-1]} has the character {hidden}; leave it out", place)
        return text

    def short_text(self, value: Any, place: Place, such: str = "...") -> str:
        """A text that is printed in a line."""
        return self.name(self.text(value, place, such), place)

    def name(self, name: str, place: Place) -> str:
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

    def only(self, table: Mapping[str, Any], keys: Iterable[str], place: Place) -> None:
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


def _hidden(text: str, but: str = "") -> str:
    """The first unprintable character, escaped; "" if none."""
    hidden = (c for c in text if category(c) in UNPRINTED and c not in but)
    return next((ascii(c)[1:-1] for c in hidden), "")
