"""Numbers as options: what cyclopts would round is refused, by the words that were typed."""

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from sevenout.numerals import parse_count, parse_seed


def _seed(_type: Any, tokens: Sequence[Any]) -> int:
    return parse_seed(tokens[0].value)


def _count(_type: Any, tokens: Sequence[Any]) -> int:
    return parse_count(tokens[0].value)


Seed = Annotated[int, Parameter(converter=_seed)]
"""A seed."""
Count = Annotated[int, Parameter(converter=_count)]
"""How many: 1 or more."""
