"""The JSON schema of all answers, and its building blocks."""

from collections.abc import Mapping
from typing import Any

from sevenout.questions.arguments import EXACT
from sevenout.questions.subject_kinds import SubjectKind

Schema = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
CERTIFIED: Schema = {
    "type": "object",
    "properties": {"value": {"type": "number"}, "bound": {"type": "number"}},
    "required": ["value", "bound"],
    "additionalProperties": False,
}
"""A figure within a proved bound."""

EXACT_OR_CERTIFIED: Schema = {"anyOf": [{**EXACT}, CERTIFIED]}
"""An exact figure, or a certified one with its bound."""

FACE_OR_TOTAL: Schema = {"type": ["integer", "string"], "description": "a face or a total"}
"""A face or a total; a number if it is whole."""
OPTIMAL_VALUE: Schema = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"value": {"type": "string"}, "bound": {"type": "string"}},
        },
    ],
    "description": (
        "a value of optimal play: exact as a string such as 244/495, or with its error bound"
    ),
}


def exact(description: str, *, optional: bool = False) -> Schema:
    """An exact figure, as a string such as 244/495.

    >>> exact("the win")["type"]
    'string'
    """
    return _with_description({**EXACT}, description, optional)


def certified(description: str, *, optional: bool = False) -> Schema:
    """An exact figure, or a certified one with its bound."""
    return _with_description(EXACT_OR_CERTIFIED, description, optional)


def exact_or_number(description: str, *, optional: bool = False) -> Schema:
    """An exact figure as a string, or a certified one as a number with its bound elsewhere."""
    return _with_description({"anyOf": [{**EXACT}, {"type": "number"}]}, description, optional)


def number(description: str, *, optional: bool = False) -> Schema:
    """A float."""
    return _with_description({"type": "number"}, description, optional)


def integer(description: str, *, optional: bool = False) -> Schema:
    """A whole number."""
    return _with_description({"type": "integer"}, description, optional)


def string(description: str, *, optional: bool = False) -> Schema:
    """A string."""
    return _with_description({"type": "string"}, description, optional)


def boolean(description: str) -> Schema:
    """A Boolean."""
    return _with_description({"type": "boolean"}, description, False)


def by_name(figure: Schema) -> Schema:
    """Figures by name, such as that of an outcome.

    >>> by_name(exact("its probability"))["additionalProperties"]["type"]
    'string'
    """
    inner = {key: value for key, value in figure.items() if key != "description"}
    return {"type": "object", "additionalProperties": inner, "description": figure["description"]}


def list_of(figure: Schema, description: str = "") -> Schema:
    """A list of figures; described by a text, or by that of one of them."""
    inner = {key: value for key, value in figure.items() if key != "description"}
    return {"type": "array", "items": inner, "description": description or figure["description"]}


def mapping(description: str, *, optional: bool = False) -> Schema:
    """An object whose keys depend on the game."""
    return _with_description({"type": "object"}, description, optional)


def list_of_mappings(description: str) -> Schema:
    """A list of objects whose keys depend on the game."""
    return list_of(mapping(description))


def optimal_value(description: str) -> Schema:
    """A value of optimal play."""
    return OPTIMAL_VALUE | {"description": description}


def record(description: str, properties: Mapping[str, Schema]) -> Schema:
    """Figures by known keys; a key that ends in "?" is optional.

    >>> record("a roll", {"total": integer("its total"), "seed?": integer("its seed")})["required"]
    ['total']
    """
    return {
        "type": "object",
        "properties": {key.rstrip("?"): schema for key, schema in properties.items()},
        "required": [key for key in properties if not key.endswith("?")],
        "additionalProperties": False,
        "description": description,
    }


def _with_description(value_schema: Schema, description: str, optional: bool) -> Schema:
    described = {"anyOf": [value_schema, {"type": "null"}]} if optional else value_schema
    return {**described, "description": description}


EVENING_FIGURES: Mapping[str, Schema] = {
    "bankroll": exact("what the player brings"),
    "ends": by_name(exact_or_number("the probability of each end")),
    "ahead": exact_or_number("the probability of a profit"),
    "mean": exact_or_number("the mean result"),
    "std": number("the standard deviation of the result"),
    "quantiles": by_name(string("the quantiles of the result")),
    "status": string("exact, or certified with its error bound"),
    "bound": number("the error bound of each probability; 0 if exact"),
}
"""How a session or an evening ends, and its result."""


def schema() -> Schema:
    """The JSON schema of all output of `--json`, by question; a command's has those of its modes.

    >>> schema()["$defs"]["odds_longer"]["required"][:2]
    ['game', 'at']
    """
    from sevenout.questions import all_questions

    definitions: Schema = {}
    for name, question in all_questions().items():
        own = record(question.help, head_schema(question.subject_kind) | question.figure_schemas)
        modes = [{"$ref": f"#/$defs/{mode.name}"} for mode in question.modes]
        definitions[name] = {"anyOf": [own, *modes]} if modes else own
    return {
        "$schema": DIALECT,
        "title": "Answers of sevenout",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in definitions],
        "$defs": definitions,
    }


def head_schema(kind: SubjectKind) -> Schema:
    """What a command puts before an answer, by its kind of subject."""
    return {key: string(text) for key, text in kind.json_head.items()}


def schema_text() -> str:
    """The content of `schema.json` beside this module."""
    from json import dumps

    return dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    from pathlib import Path

    Path(__file__).with_name("schema.json").write_text(schema_text(), encoding="utf-8")
