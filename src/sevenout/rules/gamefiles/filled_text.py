"""Fills in open numbers, keeping comments and line breaks."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from sevenout.errors import NotationError
from sevenout.rules.gamefiles.gamefile import game_text, parse_game
from sevenout.rules.gamefiles.gamewriter import toml_of
from sevenout.rules.gamefiles.open_parameters import Opened, Place
from sevenout.textdata import toml_data

_TOKEN = re.compile(
    r"#[^\n]*|\"{3}.*?\"{3}|'{3}.*?'{3}|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')(?P<key>\s*[=.])?",
    re.DOTALL,
)
_OPEN = re.compile(r"^[ \t]*\[[ \t]*open[ \t]*\][^\n]*\n", re.MULTILINE)
_HEADER = re.compile(
    r"^[ \t]*\[(?:[^\],\n\"']|\"[^\"\n]*\")*\]+[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE
)
MARK = "open number \N{SECTION SIGN}"
"""Replaces a text in order to find its place."""


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
    tokens = [m for m in _TOKEN.finditer(opened.text) if m["text"] and not m["key"]]
    at = {place: name for name, places in opened.places.items() for place in places}
    try:
        marked = _replaced(opened.text, tokens, [f'"{MARK}{k}"' for k in range(len(tokens))])
        found = dict(_marks(toml_data(marked, opened.file)))
        new = [
            toml_of(values[at[place]]) if (place := found.get(k, ())) in at else token[0]
            for k, token in enumerate(tokens)
        ]
        text = _without_open(_replaced(opened.text, tokens, new))
        if parse_game(text, opened.file) == game:
            return text
    except NotationError:
        pass
    return game_text(game)


def _replaced(text: str, tokens: list[re.Match[str]], new: list[str]) -> str:
    parts, end = [], 0
    for token, word in zip(tokens, new, strict=True):
        parts += [text[end : token.start()], word]
        end = token.end()
    return "".join([*parts, text[end:]])


def _marks(value: Any, place: Place = ()) -> Iterator[tuple[int, Place]]:
    """The number and the place of each mark."""
    if isinstance(value, str) and value.startswith(MARK):
        yield int(value.removeprefix(MARK)), place
    elif isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from _marks(inner, (*place, key))


def _without_open(text: str) -> str:
    """The file without [open]; a comment above the next table stays."""
    match = _OPEN.search(text)
    if match is None:
        return text
    following = _HEADER.search(text, match.end())
    end = following.start() if following else len(text)
    table = text[match.end() : end].splitlines(keepends=True)
    while table and (not table[-1].strip() or table[-1].lstrip().startswith("#")):
        table.pop()
    rest = text[match.end() + sum(map(len, table)) :]
    return text[: match.start()].rstrip() + "\n\n" + rest.lstrip("\r\n")
