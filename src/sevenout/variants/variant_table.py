"""The census as a table, and its query language.

Conditions may come from a web page, so there are two safeguards. They are in a small language:
names of columns, numbers, quoted text, comparisons, arithmetic, a few functions, `case`, and
`and or not in between like is null`. Nothing in it can read a file, a setting or another table;
`checked_expression` rebuilds a condition from known words. And before the first query DuckDB is cut
off from files and network, and its settings are locked.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from sevenout.documents import Column, HasPage, Page, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, PERCENT
from sevenout.errors import FileError, SevenoutError, shown
from sevenout.extras import require
from sevenout.files import draft, shown_path
from sevenout.variants.enumeration import Census
from sevenout.variants.family import Family, TooManyVariantsError, family_of
from sevenout.variants.variant import DiceLike, set_name
from sevenout.wrong_arguments import public

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


COLUMNS = {
    "name": "the variant's name: craps/naturals/out",
    "craps": "the craps, as text",
    "naturals": "the naturals, as text",
    "out": "the out",
    "out_in": "'craps' or 'naturals': the set that the out is in",
    "p_num": "the win probability's numerator, in lowest terms; text if it has over 38 digits",
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

FIGURES = ("p_num", "p_den", "p_win", "edge", "mean_rolls", "var_rolls")
"""The columns that are equal in a class of variants; the rounded ones follow from exact ones."""
FUNCTIONS = {"abs", "ceil", "floor", "greatest", "least", "length", "ln", "round", "sign", "sqrt"}
WORDS = {"and", "or", "not", "in", "between", "like", "ilike", "is", "null", "true", "false"}
WORDS |= {"case", "when", "then", "else", "end", "asc", "desc", "nulls", "first", "last"}
EXAMPLES = {"where": "p_win < 0.5", "order_by": "p_win desc", "by": "n_craps"}
"""An expression for each argument that takes one."""
# a condition that a person writes is shorter; a page sends it in an address
MAX_TEXT = 2_000
MAX_NESTING = 50
"""The deepest nesting of parentheses."""

MAX_NUMBER = 40
"""The most characters of a number; 38 digits are exact."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<text>'(?:[^']|'')*')"
    r"|(?P<operator><=|>=|<>|!=|==|[-+*/%<>=(),]))",
    re.ASCII,
)

MAX_ROWS = 6_000_000
"""The most variants in a table; it needs about 1.5 GB."""

TYPES = dict.fromkeys(COLUMNS, "BIGINT")
TYPES |= dict.fromkeys(("p_win", "edge", "mean_rolls", "var_rolls"), "DOUBLE")
TYPES |= dict.fromkeys(("name", "craps", "naturals", "out_in"), "VARCHAR")
"""Types like those of the columns, as far as the errors of a query tell them apart."""

ROWS_PER_INSERT = 1 << 18
"""Rows that are added, and then compressed, at a time."""

MAX_TOP = 10_000
"""The most rows per fetch."""


class QueryError(SevenoutError):
    """An invalid condition or order."""


@dataclass(frozen=True)
class Rows(HasPage):
    """Rows of the table.

    Attributes:
        columns: their names.
        rows: a tuple of values for each variant, or for each class of variants.
        matched: the number of variants that satisfy the condition, shown or not.
        offset: the number of matching rows before these.
        classes: the number of classes that these variants are in; None if each has its own row.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    matched: int
    offset: int = 0
    classes: int | None = None

    def to_dict(self) -> dict[str, Any]:
        classes = {} if self.classes is None else {"classes": self.classes}
        return {
            "matched": self.matched,
            **classes,
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
        }

    def page(self) -> Page:
        """The rows, without columns that repeat the name."""
        columns = ["name", Column("p win", FRACTION, PERCENT.with_digits(6))]
        columns += [
            Column("edge", PERCENT.with_digits(6, sign=True)),
            Column("rolls", DECIMAL.with_digits(4)),
        ]
        size = "class" if self.classes is None else "variants"
        columns += [Column("variance", DECIMAL.with_digits(4)), Column(size, COUNT)]
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
        first, last = self.offset + 1, self.offset + len(self.rows)
        shown_rows = f"{first:,} to {last:,}" if self.offset and self.rows else f"{len(rows):,}"
        matched = f"{self.matched:,} variants"
        if self.classes is not None:
            matched = f"{self.classes:,} classes of equal figures, {matched}"
        return Page("", Table(columns, rows), Text(f"{shown_rows} of {matched}", tone="note"))


@dataclass(frozen=True)
class Groups(HasPage):
    """Variants in groups.

    >>> groups = VariantTable("2d6").groups("n_points", "p_win = 1/2")
    >>> groups.by, groups.group_count == len(groups.rows)
    (('n_points',), True)

    Attributes:
        by: the grouping expressions.
        rows: for each group its values, the number of its variants and of those that win exactly
            half the time. Then the least, mean and greatest house edge, and the mean of the mean
            number of rolls.
        group_count: the number of groups, shown or not.
    """

    by: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    group_count: int

    def page(self) -> Page:
        """A row for each group."""
        edge, rolls = PERCENT.with_digits(4, sign=True), DECIMAL.with_digits(4)
        columns = [*self.by, Column("variants", COUNT), Column("exactly 1/2", COUNT)]
        columns += [Column(head, edge) for head in ("least edge", "mean edge", "greatest edge")]
        columns += [Column("mean rolls", rolls)]
        note = f"{len(self.rows):,} of {self.group_count:,} groups"
        return Page("", Table(columns, self.rows), Text(note, tone="note"))


class VariantTable:
    """The census of a family as a table.

    It is built in memory at the first query, and then read through a cursor for each query, so that
    several threads may query it.

    >>> from sevenout.variants import Family
    >>> table = VariantTable(Family("2d4"))
    >>> rows = table.query("p_win < 1/2 and mean_rolls < 3", order_by="p_win desc", top=1)
    >>> rows.matched, rows.rows[0][0]
    (3630, '5,8/2,6,7/5')

    Attributes:
        family: the family that is listed.

    Raises:
        TooManyVariantsError: a family of more than 6,000,000 variants.
    """

    def __init__(self, family: Family | DiceLike) -> None:
        self.family = family_of(family)
        self._lock = Lock()

    @cached_property
    def _connection(self) -> "DuckDBPyConnection":
        """The database with the table, built on first use and then locked."""
        connection = _build(self.family)
        # after the table is built; from here on no query can reach anything else
        connection.execute(
            "SET enable_external_access=false; SET autoload_known_extensions=false; "
            "SET allow_community_extensions=false; SET lock_configuration=true"
        )
        return connection

    def build(self) -> "VariantTable":
        """Build the table, unless it is built; returns itself."""
        # two threads would build it twice, with 1.5 GB each
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
        """The rows that satisfy a condition.

        Args:
            where: a condition on the columns, as in SQL; every row by default.
            order_by: columns or expressions, each with `asc` or `desc`; ties are ordered by name.
            top: the most rows, from 0 to 10,000; `chunks` has no limit.
            offset: the number of rows to skip.

        Raises:
            QueryError: an invalid condition, or numbers out of range.
        """
        _check_row_range(top, offset)
        return next(self.chunks(where, order_by, top, offset))

    def chunks(
        self,
        where: str | None = None,
        order_by: str | None = None,
        top: int | None = None,
        offset: int = 0,
    ) -> Iterator[Rows]:
        """The rows that satisfy a condition, up to 10,000 at a time.

        At least one chunk comes, which is empty if no row satisfies the condition. `top` may be
        any number of rows, or None for all; other arguments and errors are as in `query`.

        >>> chunks = VariantTable("2d5").chunks("p_win < 1/2")
        >>> [len(chunk.rows) for chunk in chunks]
        [10000, 10000, 10000, 10000, 8598]
        """
        _check_row_range(top, offset, max_top=None)
        select = _select(where, order_by)
        limit = "" if top is None else f"LIMIT {top}"
        with self._answer_to(f"SELECT count(*) FROM variants WHERE {_condition(where)}") as cursor:
            (matched,) = cursor.fetchone()
        with self._answer_to(f"{select} {limit} OFFSET {offset}") as cursor:
            rows = cursor.fetchmany(MAX_TOP)
            while True:
                yield Rows(tuple(COLUMNS), rows, int(matched), offset)
                offset += len(rows)
                rows = cursor.fetchmany(MAX_TOP)
                if not rows:
                    return

    def classes(
        self,
        where: str | None = None,
        order_by: str | None = None,
        top: int = 20,
        offset: int = 0,
    ) -> Rows:
        """The variants that satisfy a condition, those with equal figures in one row.

        A row has the name of one of them, their figures, and their number as `class_size`.

        >>> fair = VariantTable("2d6").classes("p_win = 1/2", "class_size desc", top=1)
        >>> fair.matched, fair.classes, fair.rows[0][-1]
        (1521, 20, 272)

        Args:
            where: a condition on the columns, as in SQL; every row by default.
            order_by: the figures, `name` and `class_size`, each with `asc` or `desc`.
            top: the most rows, from 0 to 10,000.
            offset: the number of rows to skip.

        Raises:
            QueryError: an invalid condition, or numbers out of range.
        """
        _check_row_range(top, offset)
        figures = ", ".join(FIGURES)
        grouped = (
            f"SELECT arg_min(name, id) AS name, {figures}, count(*) AS class_size, min(id) AS id "
            f"FROM variants WHERE {_condition(where)} GROUP BY {figures}"
        )
        with self._answer_to(f"SELECT sum(class_size), count(*) FROM ({grouped})") as cursor:
            matched, classes = cursor.fetchone()
        with self._answer_to(
            f"SELECT * EXCLUDE id FROM ({grouped}) ORDER BY {_order(order_by)} LIMIT {top} "
            f"OFFSET {offset}"
        ) as cursor:
            columns = ("name", *FIGURES, "class_size")
            return Rows(columns, cursor.fetchall(), int(matched or 0), offset, int(classes))

    def groups(self, by: str, where: str | None = None, top: int = MAX_TOP) -> Groups:
        """The variants that satisfy a condition, in groups.

        >>> groups = VariantTable("2d6").groups("n_points", "p_win = 1/2")
        >>> [(points, variants) for points, variants, *_ in groups.rows]
        [(1, 544), (2, 337), (3, 424), (4, 180), (5, 36)]

        Args:
            by: columns or expressions, such as "n_craps" or "out_in, round(p_win, 1)".
            where: a condition on the columns, as in SQL; every row by default.
            top: the most groups, from 0 to 10,000, in their order.

        Raises:
            QueryError: an invalid condition, or numbers out of range.
        """
        _check_row_range(top)
        query = (
            f"SELECT {checked_expression('by', by)}, count(*), count_if(p_den::VARCHAR = '2'), "
            f"min(edge), avg(edge), max(edge), avg(mean_rolls) FROM variants "
            f"WHERE {_condition(where)} GROUP BY ALL"
        )
        with self._answer_to(f"SELECT count(*) FROM ({query})") as cursor:
            (group_count,) = cursor.fetchone()
        with self._answer_to(f"{query} ORDER BY ALL LIMIT {top}") as cursor:
            # DuckDB names an expression by its text; the last six columns are the figures
            names = [str(column[0]) for column in cursor.description]
            return Groups(tuple(names[:-6]), cursor.fetchall(), int(group_count))

    @contextmanager
    def _answer_to(self, query: str) -> Iterator[Any]:
        """A cursor after a query."""
        # an error in a condition is raised at once, not after the seconds that building takes
        if "_connection" not in self.__dict__:
            _check_query(query)
        cursor = self.build()._connection.cursor()
        try:
            yield cursor.execute("USE packed").execute(query)
        except Exception as error:
            raise QueryError(f"the table can't answer that: {_one_line(error)}") from None
        finally:
            cursor.close()


@public
def write_table(
    family: Family | DiceLike,
    path: str | os.PathLike[str],
    where: str | None = None,
    order_by: str | None = None,
) -> int:
    """Write matching variants to a file, with every column; returns their number.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_table("2d4", Path(folder, "fair.csv"), "p_win = 1/2")
    52

    Args:
        family: the family, or dice for all their variants.
        path: a file named .csv or .parquet.
        where: a condition on the columns, as in SQL; every row by default.
        order_by: columns or expressions, each with `asc` or `desc`; ties are ordered by name.

    Raises:
        FileError: another ending, or a file that can't be written; it is written whole or not at
            all.
        QueryError: an invalid condition.
        TooManyVariantsError: a family of more than 6,000,000 variants.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise FileError(
            f"can't write {shown_path(path)}: name a file that ends in .csv or .parquet"
        )
    require("duckdb", "variants")
    import duckdb

    query = _select(where, order_by)
    _check_query(query)
    with draft(path) as draft_path:
        connection = _build(family_of(family))
        try:
            file_format = "FORMAT csv, HEADER"
            if suffix == ".parquet":
                file_format = "FORMAT parquet, COMPRESSION zstd"
                rows = connection.sql(query)
                if rows.types[rows.columns.index("p_den")] == "HUGEINT":
                    # Parquet lacks 128-bit integers, and DuckDB would write floats
                    wide = (f"{name}::DECIMAL(38, 0) AS {name}" for name in ("p_num", "p_den"))
                    query = f"SELECT * REPLACE ({', '.join(wide)}) FROM ({query})"
            # the draft is a temporary file already: DuckDB's own would stay after a kill
            file = str(draft_path).replace("'", "''")
            connection.execute(f"COPY ({query}) TO '{file}' ({file_format}, USE_TMP_FILE false)")
            count = f"SELECT count(*) FROM variants WHERE {_condition(where)}"
            return int(connection.execute(count).fetchall()[0][0])
        except duckdb.IOException as error:
            # `draft` makes a FileError with the path of an OSError
            raise OSError(None, _reason(error)) from None
        except duckdb.Error as error:
            raise QueryError(f"the table can't answer that: {_one_line(error)}") from None


def _condition(where: str | None) -> str:
    """A condition, checked, in parentheses; true for None."""
    return "true" if where is None else f"({checked_expression('where', where)})"


def _order(order_by: str | None) -> str:
    """An order, checked; rows that it leaves equal are in the order of the census."""
    return "id" if order_by is None else f"{checked_expression('order_by', order_by)}, id"


def _check_row_range(top: int | None, offset: int = 0, max_top: int | None = MAX_TOP) -> None:
    """Refuse a number of rows that can't be shown, or an offset below 0."""
    # `LIMIT 2.7` would show 3 rows
    if top is not None and type(top) is not int:
        raise QueryError(f"top={shown(top)}; give a whole number of rows")
    if type(offset) is not int:
        raise QueryError(f"offset={shown(offset)}; give a whole number of rows")
    if top is not None and not 0 <= top <= (max_top or top):
        limits = "give 0 or more" if max_top is None else f"show from 0 to {max_top:,} rows"
        raise QueryError(f"top={shown(top)}; {limits}")
    if offset < 0:
        raise QueryError(f"offset={shown(offset)}; give 0 or more")


def _select(where: str | None, order_by: str | None) -> str:
    """The query for the rows that satisfy a condition, ordered."""
    columns = ", ".join(f'"{name}"' for name in COLUMNS)
    return f"SELECT {columns} FROM variants WHERE {_condition(where)} ORDER BY {_order(order_by)}"


def _check_query(query: str) -> None:
    """Ask an empty table with these columns.

    Raises:
        QueryError: no table with these columns can answer it.
    """
    require("duckdb", "variants")
    import duckdb

    columns = ", ".join(f'"{name}" {kind}' for name, kind in TYPES.items())
    with duckdb.connect(":memory:", config={"threads": "1"}) as connection:
        connection.execute(f"CREATE TABLE variants ({columns}, id BIGINT)")
        try:
            connection.execute(query)
        except duckdb.Error as error:
            raise QueryError(f"the table can't answer that: {_one_line(error)}") from None


def _one_line(error: Exception) -> str:
    """The first line of DuckDB's message, without the kind of error before it."""
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return first.split(": ", 1)[-1]


def _build(family: Family) -> "DuckDBPyConnection":
    """A database in memory with the table of a family.

    Raises:
        TooManyVariantsError: a family of more than 6,000,000 variants.
    """
    require("duckdb", "variants")
    import duckdb

    # refused before the census is computed
    if family.size > MAX_ROWS:
        raise TooManyVariantsError(
            f"{family} has {family.size:,} variants; the table has room for {MAX_ROWS:,}: "
            "constrain the family, or use fairest and count"
        )
    try:
        # no spill to disk, and memory that is given back: a server may hold several tables
        connection = duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false"})
        connection.execute(
            "SET threads=2; SET memory_limit='1500MB'; SET temp_directory=''; "
            "SET enable_progress_bar=false; SET allocator_flush_threshold='1MB'; "
            "SET allocator_bulk_deallocation_flush_threshold='1MB'; "
            "ATTACH ':memory:' AS packed (COMPRESS); USE packed"
        )
        _fill(connection, family)
    except duckdb.Error as error:
        raise QueryError(f"the table can't be built: {_one_line(error)}") from None
    return connection


def _fill(connection: "DuckDBPyConnection", family: Family) -> None:
    """Write the census of a family into the table `variants`, part by part."""
    import numpy as np

    columns: dict[str, Any] = Census(family).columns()
    columns["id"] = np.arange(len(columns["out"]))
    masks = np.unique(np.concatenate((columns["craps_mask"], columns["naturals_mask"])))
    # a few thousand sets make all names, so texts are made once for each set
    sets = {"mask": masks, "text": np.array([_set_text(family, m) for m in masks.tolist()], object)}
    exact = ""
    if columns["p_den"].dtype == object:
        # DuckDB takes no Python integers; as text they become 128-bit numbers where they fit
        exact = "::VARCHAR" + "::HUGEINT" * (max(columns["p_den"], default=1) < 10**38)
        for name in ("p_num", "p_den"):
            columns[name] = np.array([str(n) for n in columns[name]], object)
    connection.register("columns", columns)
    connection.register("sets", sets)
    rows = f"""
        SELECT c.text || '/' || n.text || '/' || "out" AS name, c.text AS craps,
            n.text AS naturals, "out", if(out_in_naturals, 'naturals', 'craps') AS out_in,
            p_num{exact} AS p_num, p_den{exact} AS p_den, p_win, edge,
            mean_rolls, var_rolls, n_craps, n_naturals, n_points,
            "class", class_size, id
        FROM columns
        JOIN sets AS c ON c.mask = craps_mask
        JOIN sets AS n ON n.mask = naturals_mask
        WHERE id >= $first AND id < $first + {ROWS_PER_INSERT}
        """
    connection.execute(f"CREATE TABLE variants AS {rows}", {"first": 0})
    for first in range(ROWS_PER_INSERT, len(columns["id"]), ROWS_PER_INSERT):
        # it compresses: 58 MB for two dice, not 190
        connection.execute("CHECKPOINT packed")
        connection.execute(f"INSERT INTO variants {rows}", {"first": first})
    connection.execute("CHECKPOINT packed")
    connection.unregister("columns")
    connection.unregister("sets")


def _set_text(family: Family, mask: int) -> str:
    return set_name(total for i, total in enumerate(family.totals) if mask >> i & 1)


def _reason(error: Exception) -> str:
    """The system's error; DuckDB's messages quote its number."""
    number = re.search(r"errno\W+(\d+)", str(error), re.IGNORECASE)
    return os.strerror(int(number[1])) if number else _one_line(error)


def checked_expression(argument: str, text: str) -> str:
    """A condition, an order or a grouping, rebuilt from known words.

    `argument` is its name, for the messages: a key of `EXAMPLES`.

    >>> checked_expression("where", "P_WIN<.5 AND name like '2,%'")
    "p_win < .5 and name like '2,%'"

    Raises:
        QueryError: another word, or parentheses that do not match.
    """
    if len(text) > MAX_TEXT:
        raise QueryError(f"a {argument} of {len(text):,} characters; write {MAX_TEXT:,} or fewer")
    tokens, position, depth = [], 0, 0
    text = text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            excerpt = shown(text[position:], 20)
            raise QueryError(f"{excerpt} in the {argument} is not part of an expression")
        position = match.end()
        token = match[0].strip()
        if match["word"]:
            token = token.lower()
            is_called = text[position:].lstrip().startswith("(")
            if token in FUNCTIONS:
                if not is_called:
                    raise QueryError(f"{token} in the {argument} is a function; write {token}(...)")
            elif token not in COLUMNS and token not in WORDS:
                raise QueryError(
                    f"{shown(match['word'])} in the {argument} is not a column; the columns are: "
                    + ", ".join(COLUMNS)
                )
            elif token in COLUMNS:
                if is_called:
                    raise QueryError(f"{token} in the {argument} is a column, not a function")
                # "out" and "class" are words of SQL too
                token = f'"{token}"' if token in {"out", "class"} else token
        elif match["number"] and (len(token) > MAX_NUMBER or float(token) == inf):
            raise QueryError(
                f"{shown(token)} in the {argument} is too long or too large; write a number of "
                f"up to {MAX_NUMBER} characters, below 1e308"
            )
        depth += (token == "(") - (token == ")")
        # DuckDB's parser calls itself for each level
        if depth > MAX_NESTING:
            raise QueryError(
                f"parentheses {depth} deep in the {argument}; write {MAX_NESTING} or fewer"
            )
        # closed before it was opened: refused below
        if depth < 0:
            break
        tokens.append(token)
    if depth:
        raise QueryError(f"the parentheses in the {argument} do not match: {shown(text)}")
    if not tokens:
        raise QueryError(f"an empty {argument}; leave it out, or write {EXAMPLES[argument]}")
    return " ".join(tokens)
