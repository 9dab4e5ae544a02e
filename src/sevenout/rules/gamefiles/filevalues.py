"""Reads amounts, totals, rolls and names from a game file."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
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
TOKEN = re.compile(
    r"#[^\n]*|(?P<long>\"{3}(?:\\.|[^\\])*?\"{3}|'{3}.*?'{3})"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')(?P<key>\s*[=.])?",
    re.DOTALL,
)
"""A comment, a long text, or a text of one line, which may be a key; of TOML."""
_NUMBER = re.compile(r"[0-9]{1,9}").fullmatch
KeyPath = tuple[Any, ...]
"""The keys that lead to a value in the data: ("line", 0, "bets", "pass", "point")."""
T = TypeVar("T")
Reader = Callable[[Any, KeyPath], Any]
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

    read: Callable[[Any, Any, KeyPath], Any]
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
        self.lines = TOKEN.sub(
            lambda token: "\n" * token[0].count("\n") if token["long"] else token[0], text
        ).split("\n")
        self.file = file

    def fields(self, keys: Sequence[Key], table: Any, path: KeyPath) -> dict[str, Any]:
        """The values of a table, by the attribute that each sets."""
        readers = {key.name: partial(self.kinds[key.kind].read, self) for key in keys}
        needed = {key.name: toml_of(key.example) for key in keys if key.example is not None}
        attributes = {key.name: key.attribute for key in keys}
        values = self.read_table(table, readers, path, needed)
        return {attributes[name]: value for name, value in values.items()}

    def read_table(
        self,
        table: Any,
        readers: Mapping[str, Reader],
        path: KeyPath,
        needed: Mapping[str, str] = EMPTY,
    ) -> dict[str, Any]:
        """The values of a table, by key; other keys are refused."""
        # The top of a file has no path, and is always a table.
        if path:
            header = f"[[{path[0]}]]" if len(path) > 1 else f"[{path[0]}]"
            self.check_table(table, path[0], f"a table, {header}", path)
        self.refuse_unknown_keys(table, readers, path)
        for key, example in needed.items():
            if key not in table:
                message = f"a {path[0]} without {key}; write {key}"
                self._fail(f"{message}, such as {key} = {example}", path)
        return {
            key: read(table[key], (*path, key)) for key, read in readers.items() if key in table
        }

    def check_table(self, value: Any, name: str, example: str, path: KeyPath) -> None:
        """Refuse a value that is not a table, with what to write instead."""
        if not isinstance(value, dict):
            self._fail(f"{name} = {as_toml(value)}; write {example}", path)

    def names(
        self, table: Any, path: KeyPath, events: Iterable[str] = (), *, numbered: bool = False
    ) -> dict[str, str]:
        """The author's names of events, by key."""
        if not isinstance(table, dict) or not table:
            self._fail(f'names = {as_toml(table)}; write {{ event = "words" }}', path)
        if events:
            # A prize is named by its number of boxes.
            words = {key: v for key, v in table.items() if not (numbered and _NUMBER(key))}
            self.refuse_unknown_keys(words, events, path)
        for key, name in table.items():
            if not isinstance(name, str) or not name.strip():
                self._fail(f"{key} is named {as_toml(name)}; name it in words", path)
            self.checked_name(name, path)
        return dict(table)

    def keyed(
        self, table: dict[str, Any], key: Callable[[Any, KeyPath], Any], value: Any, path: KeyPath
    ) -> dict[Any, Any]:
        """Values by groups of rolls, which must not overlap."""
        groups: dict[Any, Any] = {}
        for written, v in table.items():
            group = key(written, path)
            for roll in group:
                # TOML refuses one key twice, but "4,10" and "10" are two keys.
                if any(roll in rolls for rolls in groups) or group.count(roll) > 1:
                    self._contradiction(f"{roll} is listed twice; write it once", path)
            groups[group] = value(v, path)
        return groups

    def schedule(self, value: Any, path: KeyPath) -> Any:
        """What an event pays: one amount, or amounts by total."""
        # { profit = 3, risk = 2 } is one amount, other tables are amounts by total.
        if isinstance(value, dict) and not set(value) <= {"profit", "risk"}:
            return self.keyed(value, self.group, self.by_roll, path)
        return self.by_roll(value, path)

    def by_roll(self, value: Any, path: KeyPath) -> Any:
        """One amount, or a list of amounts by roll."""
        if not isinstance(value, list):
            return self.amount(value, path)
        if path[-1] not in (*BY_ROLL, LEAVE):
            self._fail(f"{path[-1]} is paid by roll; only {' and '.join(BY_ROLL)} may be", path)
        return [self.amount(v, path) for v in value]

    def amount(self, value: Any, path: KeyPath) -> Any:
        """A profit, or a profit with the money at risk."""
        if isinstance(value, dict) and set(value) == {"profit", "risk"}:
            return self.number(value["profit"], path), self.number(value["risk"], path)
        return self.number(value, path)

    def number(self, value: Any, path: KeyPath) -> int | Fraction:
        """A number, from an integer or a text in quotes."""
        # True is an int to isinstance.
        if type(value) is int and WHOLE[0] <= value <= WHOLE[1]:
            return value
        # Of the tables of one game alone a search fills in nothing.
        may_be_open = self.may_be_open and isinstance(path[1], int)
        if may_be_open and isinstance(value, str) and ".." in value:
            self._fail(f"{as_toml(value)} is an open number; `sevenout tune` fills it in", path)
        if isinstance(value, str):
            with suppress(SevenoutError):  # told below, with the line
                return exact(value)
        if type(value) is int:
            message = f"the amount {as_toml(value)}; a whole number of TOML has 18 digits"
            self._fail(f"{message}, so write it in quotes, with 99 digits at most", path)
        self._fail(f'the amount {as_toml(value)}; write 2, -1, "3/2" or "4%"', path)

    def group(self, key: str, path: KeyPath) -> tuple[int, ...]:
        """The totals that a key names, such as "4,10"."""
        if not re.fullmatch(GROUP, key):
            self._fail(f'the totals {as_toml(key)}; write them as "4,10"', path)
        return tuple(int(total) for total in key.split(","))

    def events(self, value: Any, path: KeyPath) -> tuple[Any, ...]:
        """The rolls that a value names: a total, or words such as "hard 8"."""
        if type(value) is int:
            return (self.whole_number(value, path),)
        if not isinstance(value, str):
            self._fail(f'the roll {as_toml(value)}; write 7, "4,10", "hard 8" or "6-6"', path)
        return tuple(self.attempt(lambda: parse_event(e), path) for e in value.split(","))  # noqa: B023

    def totals(self, value: Any, path: KeyPath) -> tuple[int, ...]:
        """A list of different totals."""
        if not isinstance(value, list):
            self._fail(
                f"{path[-1]} = {as_toml(value)}; write a list of totals, such as [7, 11]", path
            )
        totals = tuple([self.whole_number(total, path) for total in value])
        if len(set(totals)) < len(totals):
            self._contradiction(f"{path[-1]} = {as_toml(value)}; list each total once", path)
        return totals

    def faces(self, value: Any, path: KeyPath) -> tuple[int | str, ...]:
        """Faces of the dice: whole numbers, and labels such as "skull"."""
        labels = [face for face in value if isinstance(face, str)] if type(value) is list else []
        if not labels:
            return self.totals(value, path)
        if len(set(labels)) < len(labels):
            self._contradiction(f"{path[-1]} = {as_toml(value)}; list each face once", path)
        return (*labels, *self.totals([face for face in value if type(face) is not str], path))

    def whole_number(self, value: Any, path: KeyPath) -> int:
        """A whole number that TOML can hold."""
        if type(value) is not int or not WHOLE[0] <= value <= WHOLE[1]:
            self._fail(f"{path[-1]} = {as_toml(value)}; write whole numbers", path)
        return value

    def pays_by_roll(self, table: Any, path: KeyPath) -> dict[Any, Any]:
        """The pays of a wager, by group of rolls."""
        if not isinstance(table, dict) or not table:
            message = f"pays = {as_toml(table)}; write what it pays by roll"
            self._fail(f'{message}: pays = {{ "2,12" = 2 }}', path)
        return self.keyed(table, self.events, self.amount, path)

    def collected(self, value: Any, path: KeyPath) -> dict[tuple[Any, ...], int]:
        """How often each roll of a checklist is needed; once in a list."""
        if isinstance(value, list) and value:
            entries = [self.events(entry, path) for entry in value]
            if len(set(entries)) < len(entries):
                self._contradiction(f"collect = {as_toml(value)}; list each roll once", path)
            return dict.fromkeys(entries, 1)
        if isinstance(value, dict) and value:
            return self.keyed(value, self.events, self.whole_number, path)
        self._fail(f"collect = {as_toml(value)}; write [2, 3, 4] or {{ 6 = 3, 8 = 3 }}", path)

    def prizes(self, value: Any, path: KeyPath) -> Any:
        """A profit, or profits by number."""
        if not isinstance(value, dict):
            return self.number(value, path)
        if not value:
            self._fail("pays nothing; give one amount or more", path)
        return self.by_number(value, path)

    def by_number(
        self,
        table: Any,
        path: KeyPath,
        read: Reader | None = None,
        example: str = "amounts by number, { 4 = 24 }",
    ) -> dict[int, Any]:
        """Values by whole numbers; several numbers may share one."""
        if not isinstance(table, dict) or not table:
            self._fail(f"{path[-1]} = {as_toml(table)}; write {example}", path)
        groups = self.keyed(table, self.group, read or self.number, path)
        return {n: value for numbers, value in groups.items() for n in numbers}

    def whole_by_number(self, table: Any, path: KeyPath) -> Frozen[int, int]:
        """Whole numbers by whole number."""
        return Frozen(self.by_number(table, path, self.whole_number, "{ 3 = 0 }"))

    def offers_by_number(self, table: Any, path: KeyPath) -> dict[int, Any]:
        """Offers by number of ticked boxes."""
        example = 'what is offered by how many boxes are ticked: { 3 = 7, 4 = "35/2" }'
        return self.by_number(table, path, self.amount, example)

    def events_won(self, value: Any, path: KeyPath) -> tuple[str, ...]:
        """The rows of a return table that win an award."""
        rows = value if isinstance(value, list) else [value]
        if not all(isinstance(row, str) and row.strip() for row in rows):
            self._fail(f"on = {as_toml(value)}; name rows of the return table", path)
        return tuple(rows)

    def bound(self, value: Any, path: KeyPath) -> Fraction:
        """A limit of the house, above 0."""
        amount = Fraction(self.number(value, path))
        if amount <= 0:
            self._contradiction(f"{path[-1]} = {amount}; write more than 0", path)
        return amount

    def one_of(self, value: Any, path: KeyPath, words: tuple[str, ...]) -> str:
        """One of the allowed words."""
        if value not in words:
            quoted = ", ".join(f'"{word}"' for word in words)
            self._fail(f"{path[-1]} = {as_toml(value)}; write one of {quoted}", path)
        return str(value)

    def limit(self, value: Any, path: KeyPath) -> int:
        """A number of rolls, 1 or more."""
        if (limit := self.whole_number(value, path)) < 1:
            rolls = "rolls for the point" if path[0] == "line" else "rolls"
            self._fail(f"{path[-1]} = {limit}; allow 1 or more {rolls}", path)
        return limit

    def bet_name(self, value: Any, path: KeyPath) -> str:
        """The name of a bet."""
        if not isinstance(value, str) or not value.strip():
            self._fail(f'bet = {as_toml(value)}; name it, such as bet = "field"', path)
        return self.checked_name(value, path)

    def flag(self, value: Any, path: KeyPath) -> bool:
        """True or false."""
        if not isinstance(value, bool):
            self._fail(f"{path[-1]} = {as_toml(value)}; write true or false", path)
        return value

    def text(self, value: Any, path: KeyPath, example: str = "...") -> str:
        """A text that is not empty."""
        if not isinstance(value, str) or not value.strip():
            key = path[-1]
            self._fail(f'{key} = {as_toml(value)}; write a text, such as {key} = "{example}"', path)
        return value

    def long_text(self, value: Any, path: KeyPath) -> str:
        """A text that may have several lines."""
        text = self.text(value, path)
        # Direction marks and escapes could make a sheet say something else than the file.
        if character := _unprintable(text, but="\n\r\t"):
            self._contradiction(f"the {path[-1]} has the character {character}; leave it out", path)
        return text

    def short_text(self, value: Any, path: KeyPath, example: str = "...") -> str:
        """A text that is printed in a line."""
        return self.checked_name(self.text(value, path, example), path)

    def checked_name(self, name: str, path: KeyPath) -> str:
        """A name that can be printed in a line."""
        if not name.strip():
            self._fail("a bet without a name; write [line.bets.pass]", path[:-1])
        if len(name) > LONGEST_NAME:
            self._contradiction(
                f"a name of {len(name):,} characters; write {LONGEST_NAME} at most", path
            )
        if character := _unprintable(name):
            self._contradiction(
                f"the name {as_toml(name)} has the character {character}; leave it out", path
            )
        return name

    def refuse_unknown_keys(
        self, table: Mapping[str, Any], keys: Iterable[str], path: KeyPath
    ) -> None:
        """Refuse a key that a table doesn't have, and suggest the nearest."""
        keys = tuple(keys)
        for key in table:
            if key not in keys:
                near = get_close_matches(key, keys, 1)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(keys)}"
                self._fail(f"unknown key {as_toml(key)}; {hint}", (*path, key))

    def attempt(self, make: Callable[[], T], path: KeyPath) -> T:
        """The result of `make`; errors get the file and line."""
        try:
            return make()
        except SevenoutError as error:
            # It says its file and line already.
            if isinstance(error, NotationError) and str(error).startswith(f"{self.file}:"):
                raise
            self._fail(str(error), (*path, *error.at), error)

    def _fail(self, message: str, path: KeyPath, cause: SevenoutError | None = None) -> NoReturn:
        raise NotationError(f"{self.file}:{self._line_number(path)}: {message}") from cause

    def _contradiction(self, message: str, path: KeyPath) -> NoReturn:
        """Raise a contradiction that no schema can find."""
        self._fail(message, path, RulesError(message))

    def _line_number(self, path: KeyPath) -> int:
        """The line of a key or of its table; 1 if unknown."""
        # A value that the author left out has no line: then its table's is told.
        ends = range(len(path), 0, -1)
        return next(filter(None, (self._line_of(path[:end]) for end in ends)), 1)

    def _line_of(self, path: KeyPath) -> int:
        """The line of a key; 0 if unknown."""
        # The TOML parser keeps no lines, so the text is searched.
        tables, header, key = 0, "", str(path[-1])
        numbered = len(path) > 1 and isinstance(path[1], int)
        kind, nth = (path[0], path[1]) if numbered else ("", None)
        dotted = ".".join(part for part in path if isinstance(part, str))
        bet = f".{path[3]}" if "bets" in path[:-1] else ""
        for number, text in enumerate(self.lines, 1):
            if match := re.match(r"\s*\[+\s*([^\]#]+?)\s*\]+", text):
                header = match[1].replace('"', "")
                tables += header == kind
            in_table = header.partition(".")[0] == kind and tables == (nth or 0) + 1
            if nth is None and header and f"{header}.".startswith(f"{dotted}."):
                return number
            if in_table and header == dotted:
                return number
            in_parent = header == dotted.rpartition(".")[0]
            may_hold_key = in_table and header.endswith(bet) if nth is not None else in_parent
            if may_hold_key and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[.=]""", text):
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
            written = str(key) if re.fullmatch("[A-Za-z0-9_-]+", str(key)) else toml_of(str(key))
            yield f"{written} = {toml_of(value)}"


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


def _unprintable(text: str, but: str = "") -> str:
    """The first unprintable character, escaped; "" if none."""
    characters = (c for c in text if category(c) in UNPRINTED and c not in but)
    return next((ascii(c)[1:-1] for c in characters), "")
