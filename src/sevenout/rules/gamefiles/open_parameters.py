"""Game files with open numbers.

    [open]
    a = "1..9"                      # 1, 2, ..., 9
    b = "1/2..3 by 1/2"             # in steps
    c = [1, 2, "5/2"]               # one of these
    n = "2..4"
    order = ["a > b >= c"]          # constraints between them

    [[line]]
    limit = "n"

    [line.bets.pass]
    point = { "4,10" = "a", "5,9" = "b", "6,8" = "c" }
    natural = "1..2"                # open in place

A name may replace any number, in several paths. A number in a bet's payments or offers is an open
*pay*. All others (limits, totals, stakes, money at risk) are *structure*: they change what can
happen.

`parse_opened` reads such a file, and `filled_text` writes it with a value for each open number.
"""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import floor
from pathlib import Path
from typing import Any, NamedTuple

from sevenout.documents.words import word_list
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.files import MAX_HANDWRITTEN_BYTES, read_text, shown_path
from sevenout.numerals import exact
from sevenout.rules.gamefiles.filevalues import TOKEN, WHOLE, KeyPath, toml_of
from sevenout.rules.gamefiles.gamefile import GameFile, game_of, game_text, parse_game
from sevenout.rules.gamefiles.gamekeys import PAID_KINDS, TABLE_LISTS, keys_of_kinds
from sevenout.rules.modified_games import LEAVE
from sevenout.textdata import toml_data

MAX_VALUES = 3_000
"""The most values of an open number."""
ORDER = "order"
TEXT_KINDS = (
    "name",
    "bet_name",
    "top_award",
    "made",
    "stays",
    "line_names",
    "wager_names",
    "checklist_names",
)
WORDS = {*keys_of_kinds(lambda kind: kind in TEXT_KINDS)}
"""Keys whose values are always texts."""
PAYS = {*keys_of_kinds(PAID_KINDS.__contains__)}
"""Keys of pays; other numbers change what can happen."""
_RANGE = re.compile(r"\s*(?P<low>[^.\s]\S*?)\s*\.\.\s*(?P<high>\S+)(\s+by\s+(?P<step>\S+))?\s*")


class Greater(NamedTuple):
    """The constraint that a number exceeds another.

    Attributes:
        larger: the open number that is larger.
        smaller: the open number that is smaller.
        strictly: whether they may not be equal.
    """

    larger: str
    smaller: str
    strictly: bool


@dataclass(frozen=True)
class Opened:
    """A game file with open numbers.

    >>> craps = parse_opened('''
    ... format = 1
    ... name = "Craps"
    ... [open]
    ... a = "1..2 by 1/2"
    ... [[line]]
    ... naturals = [7, 11]
    ... craps = [2, 3, 12]
    ... out = 7
    ... [line.bets.pass]
    ... point = "a"
    ... ''')
    >>> {name: [str(x) for x in values] for name, values in craps.numbers.items()}
    {'a': ['1', '3/2', '2']}
    >>> craps.filled({"a": Fraction(3, 2)}).games[0].bets["pass"].point[0]
    Fraction(3, 2)

    Attributes:
        numbers: the values of each open number, ascending.
        order: the constraints between them.
        text: the file's text.
        file: its name, for messages.
        data: its tables, as TOML has them.
        paths: where each open number stands in the data.
    """

    text: str
    file: str
    data: Mapping[str, Any]
    numbers: Mapping[str, tuple[Fraction, ...]]
    paths: Mapping[str, tuple[KeyPath, ...]]
    order: tuple[Greater, ...] = ()

    @cached_property
    def pays(self) -> tuple[str, ...]:
        """The open numbers that are only pays or offers."""
        return tuple(n for n in self.numbers if all(map(self.paid_to, self.paths[n])))

    @cached_property
    def structure(self) -> tuple[str, ...]:
        """The other open numbers."""
        return tuple(n for n in self.numbers if n not in self.pays)

    @cached_property
    def offers(self) -> frozenset[str]:
        """The open numbers in offers for a bet."""
        return frozenset(n for n, paths in self.paths.items() if any(LEAVE in p for p in paths))

    @cached_property
    def has_offers(self) -> bool:
        """Whether the player may surrender a bet."""
        return any(_has(self.data[kind], LEAVE) for kind in TABLE_LISTS if kind in self.data)

    def paid_to(self, path: KeyPath) -> str | None:
        """The bet that a path pays; None if it is not a pay."""
        kind, i, key, *rest = *path, ""
        # The money at risk is no pay, wherever it stands.
        if path[-1] == "risk":
            return None
        if kind == "line":
            return str(rest[0]) if key == "bets" and rest[1] in PAYS else None
        return str(self.data[str(kind)][i].get("bet")) if key in PAYS else None

    def filled(self, values: Mapping[str, Fraction]) -> GameFile:
        """The game with a value for each open number, one of those listed or any other.

        Raises:
            NotationError: the game contradicts itself; the message names the line. Or there are
                values of other numbers than the open ones.
        """
        if values.keys() != self.numbers.keys():
            raise NotationError(
                f"{self.file}: values of {word_list(values) or 'no number'}; give one of each open "
                f"number, which are {word_list(self.numbers)}"
            )
        data: Any = deepcopy({key: value for key, value in self.data.items() if key != "open"})
        for name, paths in self.paths.items():
            value = values[name]
            for *tables, key_or_index in paths:
                table = data
                for key in tables:
                    table = table[key]
                # Written as the file would have it, so that messages quote the file.
                short = value.denominator == 1 and WHOLE[0] <= value <= WHOLE[1]
                table[key_or_index] = int(value) if short else str(value)
        return game_of(data, self.text, self.file)


def read_opened(path: str | Path) -> Opened:
    """The game file with open numbers at a path.

    Raises:
        FileError: the file can't be read.
        NotationError: the file is invalid; the message names a correction.
    """
    return parse_opened(read_text(path, MAX_HANDWRITTEN_BYTES), shown_path(path))


def parse_opened(text: str, file: str = "game") -> Opened:
    """The game file with open numbers in a text.

    Raises:
        NotationError: not TOML, a number without values, an unused name, a constraint on a number
            that is not open, or no open number.
    """
    data = toml_data(text, file)
    declared = data.get("open", {})
    if not isinstance(declared, dict):
        raise NotationError(
            f'{file}: open = {shown(declared)}; write a table [open], with a = "1..9" in it'
        )
    numbers = {
        name: _listed_values(name, value, file) for name, value in declared.items() if name != ORDER
    }
    paths: dict[str, list[KeyPath]] = {name: [] for name in numbers}
    for path, word in _texts(data):
        if word in numbers:
            paths[word].append(path)
        elif _RANGE.fullmatch(word):
            name = _name_in_place(path, data, numbers)
            numbers[name] = _listed_values(name, word, file)
            paths[name] = [path]
    for name, name_paths in paths.items():
        if not name_paths:
            raise NotationError(
                f'{file}: the open number {name} is never used; write "{name}" in place of a number'
            )
    if not numbers:
        raise NotationError(
            f'{file}: no number is open; write a pay as a range, "1..9", or name it under [open]'
        )
    order = _order(declared.get(ORDER, []), numbers, file)
    fixed = {name: tuple(name_paths) for name, name_paths in paths.items()}
    return Opened(text, file, data, numbers, fixed, order)


def _has(value: Any, key: str, named: bool = False) -> bool:
    """Whether a key occurs, apart from words and names of bets."""
    if isinstance(value, dict):
        return (key in value and not named) or any(
            _has(inner, key, k == "bets" and not named)
            for k, inner in value.items()
            if k not in WORDS
        )
    return isinstance(value, list) and any(_has(inner, key) for inner in value)


def _name_in_place(path: KeyPath, data: Mapping[str, Any], taken: Mapping[str, Any]) -> str:
    """The name of a number open in place."""
    kind, i, key, *rest = path
    inside = [key, *rest] if kind == "line" else [data[str(kind)][i].get("bet"), key, *rest]
    inside = [part for part in inside if part not in ("bets", "pays")]
    name = " ".join(f"roll {k + 1}" if isinstance(k, int) else str(k) for k in inside)
    return name if name not in taken else f"{name}, {path[0]} {int(path[1]) + 1}"


def _texts(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """The texts that may stand for a number, and their paths."""
    stack: list[tuple[KeyPath, Any]] = [((k,), data[k]) for k in TABLE_LISTS if k in data]
    while stack:
        path, value = stack.pop(0)
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, dict):
            # In the order of the file, so that numbers open in place are named in that order.
            stack[:0] = [((*path, key), inner) for key, inner in value.items() if key not in WORDS]
        elif isinstance(value, list):
            stack[:0] = [((*path, i), inner) for i, inner in enumerate(value)]


def _listed_values(name: str, value: Any, file: str) -> tuple[Fraction, ...]:
    """The values of an open number, ascending."""
    try:
        match = _RANGE.fullmatch(value) if isinstance(value, str) else None
        if match is not None:
            low, high = exact(match["low"]), exact(match["high"])
            step = exact(match["step"] or 1)
            if step <= 0:
                raise NotationError(f"steps of {step}; give a step above 0")
            if low > high:
                raise NotationError(f"from {low} to {high}; put the smaller first")
            count = floor((high - low) / step) + 1
            # Counted before they are listed: "1..1000000000" would fill the memory.
            if count <= MAX_VALUES:
                return tuple(low + k * step for k in range(count))
        elif isinstance(value, list) and value:
            count = len(value)
            if count <= MAX_VALUES:
                return tuple(sorted(set(map(exact, value))))
        else:
            raise NotationError('write a range, "1..9" or "1..3 by 1/2", or a list of values')
    except SevenoutError as error:
        raise NotationError(f"{file}: {name} = {shown(value)}: {error}") from None
    raise NotationError(
        f"{file}: {name} = {shown(value)} has {count:,} values; leave at most {MAX_VALUES:,} open"
    )


def _order(value: Any, numbers: Mapping[str, Any], file: str) -> tuple[Greater, ...]:
    """The constraints of an order, cut into pairs."""
    chains = value if isinstance(value, list) else [value]
    pairs: list[Greater] = []
    for chain in chains:
        words = re.split(r"\s*(>=|<=|>|<)\s*", chain.strip()) if isinstance(chain, str) else []
        names, operators = words[::2], words[1::2]
        if not operators or any(name not in numbers for name in names):
            raise NotationError(
                f'{file}: order = {shown(chain)}; write an order of open numbers, such as "a > b '
                '>= c"'
            )
        for (left, right), operator in zip(pairwise(names), operators, strict=True):
            larger, smaller = (left, right) if ">" in operator else (right, left)
            pairs.append(Greater(larger, smaller, "=" not in operator))
    return tuple(pairs)


# --- the text of a file with its numbers filled in ------------------------------------------------

_OPEN = re.compile(r"^[ \t]*\[[ \t]*open[ \t]*\][^\n]*\n", re.MULTILINE)
_HEADER = re.compile(
    r"^[ \t]*\[(?:[^\],\n\"']|\"[^\"\n]*\")*\]+[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE
)
MARK = "open number \N{SECTION SIGN}"
"""Replaces a text to find its key path."""


def filled_text(opened: Opened, values: Mapping[str, Fraction]) -> str:
    r"""A file's text with a value for each open number.

    >>> from sevenout.rules.gamefiles.open_parameters import parse_opened
    >>> text = 'format = 1\nname = "C"\n[[line]]\nnaturals = [7, 11]\ncraps = [2]\nout = 7\n'
    >>> text += '[line.bets.pass]\npoint = "1..3" # at least 1\n'
    >>> filled = filled_text(parse_opened(text), {"pass point": Fraction(3, 2)})
    >>> filled.splitlines()[-1]
    'point = "3/2" # at least 1'

    Falls back to the canonical text of the game.
    """
    game = opened.filled(values)
    tokens = [m for m in TOKEN.finditer(opened.text) if m["text"] and not m["key"]]
    name_by_path = {path: name for name, paths in opened.paths.items() for path in paths}
    try:
        marked = _replaced(opened.text, tokens, [f'"{MARK}{k}"' for k in range(len(tokens))])
        path_of_mark = dict(_marked_paths(toml_data(marked, opened.file)))
        new = [
            toml_of(values[name_by_path[path]])
            if (path := path_of_mark.get(k, ())) in name_by_path
            else token[0]
            for k, token in enumerate(tokens)
        ]
        text = _without_open(_replaced(opened.text, tokens, new))
        # Texts that the pattern misreads give another game, which is then written anew.
        if parse_game(text, opened.file) == game:
            return text
    except NotationError:
        pass
    return game_text(game)


def _replaced(text: str, tokens: list[re.Match[str]], new: list[str]) -> str:
    """The text with each token replaced by the new word at its place in the list."""
    parts, end = [], 0
    for token, word in zip(tokens, new, strict=True):
        parts += [text[end : token.start()], word]
        end = token.end()
    return "".join([*parts, text[end:]])


def _marked_paths(value: Any, path: KeyPath = ()) -> Iterator[tuple[int, KeyPath]]:
    """The number and the place of each mark."""
    if isinstance(value, str) and value.startswith(MARK):
        yield int(value.removeprefix(MARK)), path
    elif isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from _marked_paths(inner, (*path, key))


def _without_open(text: str) -> str:
    """The file without [open]; a comment above the next table stays."""
    match = _OPEN.search(text)
    if match is None:
        return text
    following = _HEADER.search(text, match.end())
    end = following.start() if following else len(text)
    table = text[match.end() : end].splitlines(keepends=True)
    # Blank lines and comments at its end belong to what follows.
    while table and (not table[-1].strip() or table[-1].lstrip().startswith("#")):
        table.pop()
    rest = text[match.end() + sum(map(len, table)) :]
    return text[: match.start()].rstrip() + "\n\n" + rest.lstrip("\r\n")
