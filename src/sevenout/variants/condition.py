"""The query language of the table: conditions on columns.

It has names of columns, numbers, quoted text, comparisons, arithmetic, `and or not in between like
is null`, `case`, and a few functions. Nothing in it can read a file, a setting or another table.
"""

import re
from math import inf

from sevenout.errors import SevenoutError, shown

COLUMNS = {
    "name": "the variant's name: craps/naturals/out",
    "craps": "the craps, as text",
    "naturals": "the naturals, as text",
    "out": "the out",
    "out_in": "'craps' or 'naturals': the set that the out is in",
    "p_num": "the win probability's numerator, in lowest terms; text, where 38 digits don't do",
    "p_den": "its denominator",
    "p_win": "the win probability, rounded to a float",
    "edge": "the house edge per bet made, at even money: 1 - 2 p_win",
    "mean_rolls": "the mean number of rolls",
    "var_rolls": "its variance",
    "n_craps": "how many craps",
    "n_naturals": "how many naturals",
    "n_points": "how many points",
    "class": "the number of the symmetry class",
    "class_size": "how many variants of the family are in that class",
}

FUNCTIONS = {"abs", "ceil", "floor", "greatest", "least", "length", "ln", "round", "sign", "sqrt"}
WORDS = {"and", "or", "not", "in", "between", "like", "ilike", "is", "null", "true", "false"}
WORDS |= {"case", "when", "then", "else", "end", "asc", "desc", "nulls", "first", "last"}
MAX_TEXT = 2_000
MAX_DEEP = 50
"""The deepest nesting of parentheses."""

MAX_NUMBER = 40
"""The most characters of a number; 38 digits are exact."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<text>'(?:[^']|'')*')"
    r"|(?P<sign><=|>=|<>|!=|==|[-+*/%<>=(),]))",
    re.ASCII,
)


class QueryError(SevenoutError):
    """An invalid condition or order."""


def checked(what: str, text: str) -> str:
    """A condition or an order, rebuilt from known words.

    >>> checked("where", "P_WIN<.5 AND name like '2,%'")
    "p_win < .5 and name like '2,%'"

    Raises:
        QueryError: another word, or parentheses that do not match.
    """
    if len(text) > MAX_TEXT:
        raise QueryError(f"a {what} of {len(text):,} characters; write {MAX_TEXT:,} or fewer")
    tokens, at, depth = [], 0, 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise QueryError(f"{shown(text[at:], 20)} in the {what} is not part of a condition")
        at = match.end()
        token = match[0].strip()
        if match["word"]:
            token = token.lower()
            if token in FUNCTIONS:
                if not text[at:].lstrip().startswith("("):
                    raise QueryError(f"{token} in the {what} is a function; write {token}(...)")
            elif token not in COLUMNS and token not in WORDS:
                raise QueryError(
                    f"{shown(match['word'])} in the {what} is not a column; the columns are: "
                    + ", ".join(COLUMNS)
                )
            elif token in COLUMNS:
                if text[at:].lstrip().startswith("("):
                    raise QueryError(f"{token} in the {what} is a column, not a function")
                token = f'"{token}"' if token in {"out", "class"} else token
        elif match["number"] and (len(token) > MAX_NUMBER or float(token) == inf):
            raise QueryError(
                f"{shown(token)} in the {what} is too long or too large; write a number of up to "
                f"{MAX_NUMBER} characters, below 1e308"
            )
        depth += (token == "(") - (token == ")")
        if depth > MAX_DEEP:
            raise QueryError(f"parentheses {depth} deep in the {what}; write {MAX_DEEP} or fewer")
        if depth < 0:
            break
        tokens.append(token)
    if depth:
        raise QueryError(f"the parentheses in the {what} do not match: {shown(text)}")
    if not tokens:
        raise QueryError(f"an empty {what}; leave it out, or write p_win < 0.5")
    return " ".join(tokens)
