"""Strategy files with a wrong line: an evening's strategy, or refused in one line."""

import tomllib

import jsonschema
import pytest

from sevenout.catalogue.strategies.strategy_file import parse_strategy, schema
from sevenout.errors import NotationError
from tests.catalogue.test_strategy_file import EXAMPLE

SCHEMA = schema()
KEYS = (
    *SCHEMA["properties"],
    *SCHEMA["$defs"]["bet"]["properties"],
    *SCHEMA["$defs"]["evening"]["properties"],
)
VALUES = (
    *("true", "-1", "0", "3", "1.5", "nan", "2026-01-01", '""', '" "', '"3/2"', '"3/0"', '"x"'),
    *('"\\u001b"', '"-1/2"', '"4%"', '"0/5"', '"-0"', '"1/1000001"', "9" * 30, '"pass"', '"all"'),
    *('"1/2..3"', "[]", "[7]", "[1, 2, 3]", "[0, 1, -1]", '["x"]', "[[7]]", "{}", "{ x = 3 }"),
)


@pytest.mark.parametrize("bet", range(1, 6))
def test_reader_and_schema_agree_on_every_mutated_file(bet: int) -> None:
    """As of game files; the fifth table is the evening's."""
    valid = jsonschema.Draft202012Validator(SCHEMA).is_valid
    tables = EXAMPLE.split("\n\n")
    head, table = tables[0].splitlines(), tables[bet].splitlines()
    more = '[[bet]]\non = "field"\namount = 1'.splitlines() if bet == 5 else []
    seen = {"both": 0, "rules": 0, "neither": 0}
    lines = [*head, *more, *table]
    for i, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        wrong = [f"{key} = {value}" for value in VALUES if equals]
        wrong += [f"{other} = {VALUES[(i + n) % len(VALUES)]}" for n, other in enumerate(KEYS)]
        for each in ("", *wrong):
            text = "\n".join([*lines[:i], each, *lines[i + 1 :]])
            try:
                data = tomllib.loads(text)
            except tomllib.TOMLDecodeError:
                continue
            refused: NotationError | None = None
            try:
                parse_strategy(text, "my.toml")
            except NotationError as error:
                refused = error
            if refused is None:
                assert valid(data), text
            else:
                assert str(refused).startswith("my.toml:")
                assert str(refused).isprintable()
                assert refused.__cause__ is not None or not valid(data), (str(refused), text)
            seen["both" if refused is None else "rules" if refused.__cause__ else "neither"] += 1
    assert min(seen.values()) > 3
