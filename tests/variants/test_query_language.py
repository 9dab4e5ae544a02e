"""What the table may be asked: conditions, attacks, and any words at all."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sevenout.variants import (
    Family,
    QueryError,
    VariantTable,
)
from sevenout.variants.variant_table import checked_expression


@pytest.fixture(scope="module")
def table():
    return VariantTable(Family("2d4")).build()


GOOD = [
    "p_win<.5",
    "P_WIN < 1/2 AND mean_rolls between 2 and 3",
    "name like '2,%' or craps in ('2', '2,3')",
    "not (out = 5) and abs(edge) <= 1e-2",
    "case when n_points > 2 then true else false end",
    "naturals ilike '%7%' and var_rolls is not null",
    "length(name) < 12 and sqrt(var_rolls) > 1.5",
    "-p_win > -0.3 and 7 % 2 = 1 and p_num != 3 and p_den <> 5",
    "p_win in ()",
    "name = 'it''s; drop table variants; --'",
]


@pytest.mark.parametrize("where", GOOD)
def test_good_conditions(table, where):
    rows = table.query(where, top=2)
    assert 0 <= rows.matched <= 8_428


ATTACKS = [
    "1=1; drop table variants",
    "1=1) union select * from read_text('/etc/passwd') --",
    "exists (select 1 from read_csv('/etc/passwd'))",
    "p_win < (select 1)",
    "name = (select content from read_text('/etc/passwd'))",
    "true) or (true",
    "true) ; attach '/tmp/x.db'; select (true",
    "getenv('HOME') = 'x'",
    "current_setting('threads') = 2",
    "set threads = 1",
    "install httpfs",
    "load json",
    "copy variants to '/tmp/x.csv'",
    "export database '/tmp/x'",
    "pragma database_list",
    "call duckdb_settings()",
    "glob('/*')",
    "read_blob('/etc/passwd')",
    "name in (from '/etc/passwd')",
    "query('select 1')",
    "query_table('variants')",
    "p_win < 1 -- comment",
    "p_win < 1 /* comment */",
    'p_win < 1 and "name" = 1',
    "`name` = 1",
    "$1 = 1",
    "? = 1",
    "name::integer = 1",
    "cast(name as integer) = 1",
    "name = E'\\n'",
    "name = $$x$$",
    "[1,2,3][1] = 1",
    "{'a': 1}.a = 1",
    "variants.name = 'x'",
    "id = 3",
    "rowid = 1",
    "x -> x = 1",
    "name similar to 'x'",
    "repeat('x', 1000000000) = name",
    "list_sum(range(1000000000)) > 1",
    "p_win(3) = 1",
    "abs = 1",
    "abs read_text('x')",
    "p_win < 0.5 limit 3",
    "p_win < 0.5 order by 1",
    "p_win < 0.5\x00",
    "p_win < 0.5\nunion all select 1",
    "'unclosed",
    "((p_win < 1)",
    ")(",
    "1e5x = 2",
    "0x10 = 16",
    "é = 1",
    "",
    "   ",
    "x" * 3_000,
    "x" * 1_900,
    "'" + "x" * 1_900,
    "(" * 1_500,
    "(" * 900 + "true" + ")" * 900,
    "p_win < " + "-" * 1_500 + "1",
    "case when " * 150,
    "p_win < " + "9" * 1_900,
    "p_win < 1e999",
    "p_win < 0." + "0" * 1_000 + "1",
    "p_win <",
    "and",
    "name + 1",
    "name > 3",
    "like like like",
    "over (partition by name)",
    "count(*) > 1",
    "sum(p_win) > 1",
    "p_win < all (select 1)",
    "nextval('x')",
    "txid_current() > 0",
    "write_log('x')",
]


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("place", ["where", "order_by"])
def test_attacks_get_one_line(table, attack, place):
    with pytest.raises(QueryError) as raised:
        table.query(**{place: attack})
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400
    assert table.query(top=0).matched == 8_428


@pytest.mark.parametrize("ask", ["query", "chunks", "classes"])
@pytest.mark.parametrize(
    "rows", [{"top": -1}, {"top": 2.7}, {"top": "3"}, {"offset": -1}, {"offset": 1.5}]
)
def test_a_row_range_that_is_none_is_refused_by_name(table, ask, rows):
    ((name, value),) = rows.items()
    with pytest.raises(QueryError, match=rf"^{name}={value!r}; "):
        list(getattr(table, ask)(**rows))


def test_chunks_have_no_limit_of_rows(table):
    assert sum(len(chunk.rows) for chunk in table.chunks(top=20_000)) == 8_428


@pytest.mark.parametrize(
    ("ask", "arguments", "message"),
    [
        ("query", {"where": ""}, "an empty where; leave it out, or write p_win < 0.5"),
        ("query", {"order_by": ""}, "an empty order_by; leave it out, or write p_win desc"),
        ("groups", {"by": ""}, "an empty by; leave it out, or write n_craps"),
        ("query", {"order_by": "§"}, "'§' in the order_by is not part of an expression"),
    ],
)
def test_an_expression_is_refused_by_the_name_of_its_argument(table, ask, arguments, message):
    with pytest.raises(QueryError) as raised:
        getattr(table, ask)(**arguments)
    assert str(raised.value) == message


WORDS = (
    *("p_win", "name", "class", "<", "=", "(", ")", "'x'", "1", "0.5", ",", "and", "not", "in"),
    *("case", "when", "end", "abs", "like", "null", "is", "-", "%", "desc", "select", ";", "from"),
    *("--", "read_text", "'/etc/passwd'", "between", "nulls", "last", "sqrt"),
)


@given(
    st.lists(
        st.sampled_from(WORDS),
        max_size=12,
    )
)
@example(["abs", "(", ")"])
@example(["p_win", "<", "1", "--", "p_win"])  # two minus signs, never a comment
@settings(max_examples=300, deadline=None)
def test_any_words_are_rows_or_one_line(table, words):
    text = " ".join(words)
    for arguments in ({"where": text}, {"order_by": text}):
        try:
            rows = table.query(**arguments, top=1)
        except QueryError as error:
            lines = str(error).splitlines()
            assert len(lines) == 1
        else:
            assert rows.matched <= 8_428
            assert not {"select", ";", "from", "read_text"} & set(words)


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_checked_leaves_only_its_language(text):
    try:
        clean = checked_expression("where", text)
    except QueryError:
        return
    assert checked_expression("where", clean.replace('"', "")) == clean
    assert ";" not in "".join(part for i, part in enumerate(clean.split("'")) if i % 2 == 0)


def test_the_database_itself_is_locked(table):
    """Were a text ever to get past the first lock, the second holds."""
    connection = table._connection.cursor()
    for statement in (
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "COPY variants TO '/tmp/out.csv'",
        "ATTACH '/tmp/other.db'",
        "EXPORT DATABASE '/tmp/out'",
        "INSTALL httpfs",
        "SET enable_external_access=true",
        "SET lock_configuration=false",
        "SET threads=1",
        "RESET memory_limit",
        "PRAGMA memory_limit='1TB'",
        "SELECT * FROM columns",
        "SELECT * FROM sets",
    ):
        with pytest.raises(Exception, match=r"Error"):
            connection.execute(statement).fetchall()
    secret = 42  # noqa: F841
    with pytest.raises(Exception, match="does not exist"):
        connection.execute("SELECT * FROM secret").fetchall()
