"""The census as a table to be asked questions, in DuckDB, with two locks on the door.

Conditions come from a command line or a web page. The first lock is a small language: a condition
may hold names of columns, numbers, quoted text, comparisons, arithmetic, `and or not in between
like is null`, `case`, and a few plain functions, and nothing else; there is no word in it that
reads a file, a setting or another table. The second is DuckDB's own: before the first question the
database is cut off from files and network and its settings are locked.
"""

import os
import re
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from sevenout.errors import SevenoutError
from sevenout.extras import needs
from sevenout.files import draft
from sevenout.page import Column, Page, Shown, Table, Text
from sevenout.page.kinds import COUNT, DECIMAL, FRACTION, PERCENT
from sevenout.variants.family import Family, TooManyVariantsError, family_of
from sevenout.variants.table import Census
from sevenout.variants.variant import DiceLike, set_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

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
MAX_ROWS = 6_000_000
"""A table of so many variants is built in about 1.5 GB."""

MAX_TEXT = 2_000
MAX_TOP = 10_000

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<text>'(?:[^']|'')*')"
    r"|(?P<sign><=|>=|<>|!=|==|[-+*/%<>=(),]))",
    re.ASCII,
)


class QueryError(SevenoutError):
    """A condition or an order that the table does not understand."""


@dataclass(frozen=True)
class Rows(Shown):
    """Rows of the table.

    Attributes:
        columns: their names.
        rows: the values.
        matched: how many rows meet the condition, shown or not.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    matched: int

    def to_dict(self) -> dict[str, Any]:
        """The rows as data."""
        return {
            "matched": self.matched,
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
        }

    def page(self) -> Page:
        """The rows, without the columns that repeat what the name says."""
        columns = ["name", Column("p win", FRACTION, PERCENT.to(6))]
        columns += [Column("edge", PERCENT.to(6, sign=True)), Column("rolls", DECIMAL.to(4))]
        columns += [Column("variance", DECIMAL.to(4)), Column("class", COUNT)]
        values = (dict(zip(self.columns, row, strict=True)) for row in self.rows)
        rows = [
            (
                value["name"],
                p := Fraction(int(value["p_num"]), int(value["p_den"])),
                1 - 2 * p,
                value["mean_rolls"],
                value["var_rolls"],
                value["class_size"],
            )
            for value in values
        ]
        note = f"{len(self.rows):,} of {self.matched:,} variants"
        return Page("", Table(columns, rows), Text(note, tone="note"))


class VariantTable:
    """The census of a family as a table; each question has a cursor of its own, so threads may ask.

    >>> from sevenout.variants import Family
    >>> table = VariantTable(Family("2d4"))
    >>> found = table.query("p_win < 1/2 and mean_rolls < 3", order_by="p_win desc", top=1)
    >>> found.matched, found.rows[0][0]
    (3630, '5,8/2,6,7/5')

    Args:
        family: the family, or the dice of a whole one.
        parquet: write the whole table to this file as well.

    Raises:
        TooManyVariantsError: a family of more than 6,000,000 variants.
        FileError: the file can't be written.
    """

    def __init__(
        self, family: Family | DiceLike, parquet: str | os.PathLike[str] | None = None
    ) -> None:
        self.family = family_of(family)
        self._path = None if parquet is None else Path(parquet)
        self._lock = Lock()

    @cached_property
    def _connection(self) -> "DuckDBPyConnection":
        needs("duckdb", "variants")
        import duckdb

        if self.family.size > MAX_ROWS:
            raise TooManyVariantsError(
                f"{self.family} has {self.family.size:,} variants; the table has room for "
                f"{MAX_ROWS:,}: constrain the family, or use fairest and count"
            )
        with nullcontext() if self._path is None else draft(self._path) as place:
            try:
                connection = duckdb.connect(
                    ":memory:", config={"autoinstall_known_extensions": "false"}
                )
                connection.execute(
                    "SET threads=2; SET memory_limit='1500MB'; SET temp_directory=''"
                )
                _fill(connection, self.family)
            except duckdb.Error as error:
                raise QueryError(f"the table can't be built: {_one_line(error)}") from None
            if place is not None:
                _write(connection, place)
        connection.execute(
            "SET enable_external_access=false; SET autoload_known_extensions=false; "
            "SET allow_community_extensions=false; SET lock_configuration=true"
        )
        return connection

    def open(self) -> "VariantTable":
        """Build the table now (and write its file) rather than at the first question."""
        with self._lock:
            _ = self._connection
        return self

    def query(
        self,
        where: str | None = None,
        order_by: str | None = None,
        top: int = 20,
        offset: int = 0,
    ) -> Rows:
        """The rows that meet a condition.

        Args:
            where: a condition on the columns, as in SQL; every row, if not given.
            order_by: columns or expressions, each with `asc` or `desc`; by name, where they tie.
            top: at most so many rows, from 0 to 10,000.
            offset: leave out so many first.

        Raises:
            QueryError: a text that is no condition, or numbers out of range; one line.
        """
        if not 0 <= top <= MAX_TOP:
            raise QueryError(f"top={top}; show from 0 to {MAX_TOP:,} rows")
        if offset < 0:
            raise QueryError(f"offset={offset}; leave out 0 rows or more")
        condition = "true" if where is None else f"({checked('where', where)})"
        order = "id" if order_by is None else f"{checked('order-by', order_by)}, id"
        columns = ", ".join(COLUMNS)
        self.open()
        cursor = self._connection.cursor()
        try:
            counted = cursor.execute(f"SELECT count(*) FROM variants WHERE {condition}").fetchone()
            rows = cursor.execute(
                f"SELECT {columns} FROM variants WHERE {condition} "
                f"ORDER BY {order} LIMIT {int(top)} OFFSET {int(offset)}"
            ).fetchall()
        except Exception as error:
            raise QueryError(f"the table can't answer that: {_one_line(error)}") from None
        finally:
            cursor.close()
        return Rows(tuple(COLUMNS), rows, int(counted[0]) if counted else 0)


def checked(what: str, text: str) -> str:
    """A condition or an order, rebuilt from the words of its language alone.

    >>> checked("where", "P_WIN<.5 AND name like '2,%'")
    "p_win < .5 and name like '2,%'"

    Raises:
        QueryError: anything else in it, or parentheses that do not match.
    """
    if len(text) > MAX_TEXT:
        raise QueryError(f"a {what} of {len(text):,} characters; write {MAX_TEXT:,} or fewer")
    tokens, at, depth = [], 0, 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise QueryError(f"{text[at : at + 20]!r} in the {what} is no part of a condition")
        at = match.end()
        token = match[0].strip()
        if match["word"]:
            token = token.lower()
            if token in FUNCTIONS:
                if not text[at:].lstrip().startswith("("):
                    raise QueryError(f"{token} in the {what} is a function; write {token}(...)")
            elif token not in COLUMNS and token not in WORDS:
                raise QueryError(
                    f"{match['word']!r} in the {what} is not a column; the columns are: "
                    + ", ".join(COLUMNS)
                )
            elif token in COLUMNS:
                if text[at:].lstrip().startswith("("):
                    raise QueryError(f"{token} in the {what} is a column, not a function")
                token = f'"{token}"' if token in {"out", "class"} else token
        depth += (token == "(") - (token == ")")
        if depth < 0:
            break
        tokens.append(token)
    if depth:
        raise QueryError(f"the parentheses in the {what} do not match: {text!r}")
    if not tokens:
        raise QueryError(f"an empty {what}; leave it out, or write p_win < 0.5")
    return " ".join(tokens)


def _one_line(error: Exception) -> str:
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return first.split(": ", 1)[-1]


def _fill(connection: "DuckDBPyConnection", family: Family) -> None:
    import numpy as np

    columns: dict[str, Any] = Census(family).columns()
    columns["id"] = np.arange(len(columns["out"]))
    masks = np.unique(np.concatenate((columns["craps_mask"], columns["naturals_mask"])))
    sets = {"mask": masks, "text": np.array([_set(family, m) for m in masks.tolist()], object)}
    exact = ""
    if columns["p_den"].dtype == object:
        exact = "::VARCHAR" + "::HUGEINT" * (max(columns["p_den"], default=1) < 10**38)
        for name in ("p_num", "p_den"):
            columns[name] = np.array([str(n) for n in columns[name]], object)
    connection.register("columns", columns)
    connection.register("sets", sets)
    connection.execute(
        f"""
        CREATE TABLE variants AS
        SELECT c.text || '/' || n.text || '/' || "out" AS name, c.text AS craps,
            n.text AS naturals, "out", if(out_in_naturals, 'naturals', 'craps') AS out_in,
            p_num{exact} AS p_num, p_den{exact} AS p_den, p_win, edge,
            mean_rolls, var_rolls, n_craps, n_naturals, n_points,
            "class", class_size, id
        FROM columns
        JOIN sets AS c ON c.mask = craps_mask
        JOIN sets AS n ON n.mask = naturals_mask
        """
    )
    connection.unregister("columns")
    connection.unregister("sets")


def _set(family: Family, mask: int) -> str:
    return set_name(total for i, total in enumerate(family.totals) if mask >> i & 1)


def _write(connection: "DuckDBPyConnection", place: Path) -> None:
    """The table as a Parquet file."""
    columns = ", ".join(f'"{name}"' for name in COLUMNS)
    rows = connection.sql(f"SELECT {columns} FROM variants")
    if rows.types[rows.columns.index("p_den")] == "HUGEINT":
        # Parquet has no integers of 128 bits, and DuckDB would write floats
        rows = rows.project(
            "* REPLACE (p_num::DECIMAL(38, 0) AS p_num, p_den::DECIMAL(38, 0) AS p_den)"
        )
    try:
        rows.write_parquet(str(place), compression="zstd")
    except Exception as error:
        raise OSError(None, _reason(error)) from None


def _reason(error: Exception) -> str:
    """What the system has against a file, in its own words; DuckDB's messages quote its number."""
    number = re.search(r"errno\W+(\d+)", str(error), re.IGNORECASE)
    return os.strerror(int(number[1])) if number else _one_line(error)
