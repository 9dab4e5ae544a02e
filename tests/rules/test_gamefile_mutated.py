"""Game files with a wrong line, and tables of anything: a game, or refused in one line."""

import tomllib
from itertools import chain

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.test_gamefile import GIVEN_UP, GOOD, SCHEMA, SIDE, TICKED

from sevenout.errors import NotationError
from sevenout.rules.gamefiles import gamefile as gf
from sevenout.rules.gamefiles.gamekeys import HEAD

VALUES = (
    *("true", "false", "-1", "0", "3", "1.5", "nan", "inf", "-inf", "2026-01-01", "07:30:00"),
    *(
        '""',
        '" "',
        '"3/2"',
        '"3/0"',
        '"x"',
        '"\\u001b"',
        '"-1/2"',
        '"4%"',
        "9" * 30,
    ),
    *(
        f'"{"9" * 120}"',
        "[]",
        "[7]",
        "[1, 2, 3]",
        '["x"]',
        "[[7]]",
        "[true]",
        "[1.5]",
        "{}",
        "{ profit = 3 }",
    ),
    *("{ profit = 3, risk = 2 }", "{ profit = 3, risk = 0 }", '{ "4" = 1 }', '{ "4,x" = 1 }'),
    *('{ "4,10" = [5, 4, 3], "5,9" = 1, "6,8" = "3/2" }', "{ profit = true, risk = 1 }"),
)


def keys_of(schema):
    """Every key of a schema, once."""
    inner = schema.values() if isinstance(schema, dict) else schema
    own = schema.get("properties", {}) if isinstance(schema, dict) else ()
    deeper = (keys_of(each) for each in inner if isinstance(each, dict | list))
    return list(dict.fromkeys((*own, *chain.from_iterable(deeper))))


PRINTED = [key.name for key in HEAD if key.kind in ("name", "text") and key.name != "name"]
KEYS = (*keys_of(SCHEMA), "limits", "pass")


def mutations(text):
    """The file with the value of a line replaced, the line left out, or another put after it."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        yield lines[:i] + lines[i + 1 :]
        for value in VALUES if equals else ():
            yield [*lines[:i], f"{key} = {value}", *lines[i + 1 :]]
        for n, other in enumerate(KEYS):
            yield [*lines[: i + 1], f"{other} = {VALUES[(i + n) % len(VALUES)]}", *lines[i + 1 :]]


@pytest.mark.parametrize("good", [GOOD, SIDE, GIVEN_UP, TICKED])
def test_parser_and_schema_agree_on_every_mutated_file(good: str) -> None:
    """What the schema refuses the parser refuses; what it alone refuses contradicts the rules.

    A schema knows no difference between 1 and 1.0, so no whole number is written as a decimal.
    """
    valid = jsonschema.Draft202012Validator(SCHEMA).is_valid
    seen = {"both": 0, "rules": 0, "neither": 0}
    for lines in mutations(good):
        text = "\n".join(lines)
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        refused: NotationError | None = None
        try:
            gf.parse_game(text)
        except NotationError as error:
            refused = error
        said = str(refused or "")
        assert len(said) < 400
        assert said.isprintable()
        assert not [word for word in ("None", "datetime", "True", "Fraction") if word in said]
        if refused is None:
            assert valid(data), text
        elif refused.__cause__ is None:
            assert not valid(data), (str(refused), text)
        seen["both" if refused is None else "rules" if refused.__cause__ else "neither"] += 1
    assert min(seen.values()) > 15


scalars = (
    st.none().map(lambda _: 0)
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.dates()
    | st.sampled_from([*KEYS, "4%", "3/2", "7", "2,12", "hard 8", "1-1", "doubles", "2d6", ""])
    | st.text(max_size=5)
)
keys = st.sampled_from([*KEYS, "2,12", "hard 8", "7", "3", "profit", "risk"]) | st.text(max_size=4)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def tables_of(known):
    return st.lists(
        st.dictionaries(st.sampled_from(known), values, max_size=len(known)), max_size=2
    )


@settings(max_examples=150)
@given(
    st.fixed_dictionaries(
        {"format": st.just(1), "name": st.just("x")},
        optional={
            "line": tables_of([*SCHEMA["$defs"]["line"]["properties"]]),
            "wager": tables_of([*SCHEMA["$defs"]["wager"]["properties"]]),
            "checklist": tables_of([*SCHEMA["$defs"]["checklist"]["properties"]]),
            "dice": values,
            "limits": values,
            **{
                key.name: values
                for key in HEAD
                if key.kind in ("name", "text") and key.name != "name"
            },
        },
    )
)
def test_any_table_is_a_game_or_refused_in_one_line(data) -> None:
    valid = jsonschema.Draft202012Validator(SCHEMA).is_valid
    refused: NotationError | None = None
    try:
        gf.game_of(data, "", "my.toml")
    except NotationError as error:
        refused = error
    if refused is None:
        assert valid(data)
        return
    said = str(refused)
    assert said.startswith("my.toml:1: ")
    assert said.isprintable()
    assert len(said) < 400
    assert refused.__cause__ is not None or not valid(data)
