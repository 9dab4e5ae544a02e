"""TOML and JSON from text; too deep nesting and too long numbers are refused.

Both parsers are recursive, or quadratic in the depth of dotted keys, so the depth is counted before
parsing.
"""

import json
import re
import tomllib
from typing import Any

from sevenout.errors import NotationError

DEPTH = 32
"""The greatest depth of nested lists and tables."""
DIGITS = 4_300
"""The most digits of a whole number."""

_TOML_STRINGS = re.compile(
    r'"""(?:\\.|[^\\])*?"""|'
    r"'''.*?'''|"
    r'"(?:\\.|[^"\\\n])*+"|'
    r"'[^'\n]*+'|#[^\n]*+",
    re.DOTALL,
)
_JSON_STRINGS = re.compile(r'"(?:\\.|[^"\\])*+"', re.DOTALL)
_DOTTED = re.compile(rf"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{DEPTH},}}+")
_LONG = re.compile(rf"(?<!\d)\d(?:_?\d){{{DIGITS},}}+")


def toml_data(text: str, file: str = "game") -> dict[str, Any]:
    r"""The data of a TOML text from `file`.

    >>> toml_data('name = "x"')
    {'name': 'x'}
    >>> toml_data("\na.b =", "mine.toml")
    Traceback (most recent call last):
    sevenout.errors.NotationError: mine.toml:2: not TOML: Invalid value

    Raises:
        NotationError: it is not TOML, or too deep; the message names file and line.
    """
    _check(_TOML_STRINGS.sub(_only_line_ends, text), file, _DOTTED)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = where[1] if where else str(text.count("\n") + 1)
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise NotationError(f"{file}:{line}: not TOML: {reason}") from None
    except (ValueError, RecursionError):
        raise NotationError(f"{file}: not TOML: a number too long or tables too deep") from None


def json_data(text: str, file: str) -> Any:
    """The data of a JSON text from `file`.

    >>> json_data("[1, 2]", "x.json")
    [1, 2]

    Raises:
        NotationError: it is not JSON, or too deep; the message names file and line.
    """
    _check(_JSON_STRINGS.sub(_only_line_ends, text), file)
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise NotationError(f"{file}:{error.lineno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError):
        raise NotationError(f"{file}: not JSON: a number too long or lists too deep") from None


def _refuse_constant(word: str) -> Any:
    raise ValueError(word)


def _only_line_ends(match: re.Match[str]) -> str:
    """The line ends of a string; nothing of a comment."""
    return ("" if match[0].startswith("#") else "_") + "\n" * match[0].count("\n")


def _check(text: str, file: str, *deep_keys: re.Pattern[str]) -> None:
    """Check the depth of a text whose strings are blanked."""
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", text):
        # A closing bracket too many is a fault that the parser reports.
        depth = depth + 1 if bracket[0] in "[{" else max(0, depth - 1)
        if depth > DEPTH:
            _refuse(text, bracket.start(), file, f"over {DEPTH} lists or tables in one another")
    for pattern in deep_keys:
        if key := pattern.search(text):
            _refuse(text, key.start(), file, f"a key of over {DEPTH} parts")
    if number := _LONG.search(text):
        _refuse(text, number.start(), file, f"a number of over {DIGITS:,} digits")


def _refuse(text: str, index: int, file: str, fault: str) -> None:
    line = text.count("\n", 0, index) + 1
    raise NotationError(f"{file}:{line}: {fault}; make it smaller")
