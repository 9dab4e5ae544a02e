"""States in words."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import sevenout as so
from sevenout.model.naming import in_words, state_name


class Score(NamedTuple):
    my_points: Any
    yours: Any


@dataclass(frozen=True)
class Table:
    point: Any
    dont_come: Any


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (None, "start"),
        ((None,), "start"),
        ((None, None), "none, none"),
        ((4,), "4"),
        ((1, (2, 3)), "1 · 2, 3"),
        ((1, 2, 3), "1, 2, 3"),
        ((frozenset("cab"), 1), "{a, b, c}, 1"),
        (so.win("won"), "won"),
        ((so.win("won"), 1), "won · 1"),
        (Score(1, None), "my points 1, yours none"),
        (Score((1, 2), ()), "my points 1-2, yours none"),
        (Table(4, (5, 6)), "point 4, dont come 5-6"),
        ((), ""),
    ],
)
def test_a_state_in_words(state: Any, words: str) -> None:
    assert state_name(state) == words


@pytest.mark.parametrize(
    ("state", "names", "words"),
    [
        ((1, 2), ("mine", "yours"), "mine 1, yours 2"),
        ((1,), ("mine", "yours"), "mine 1"),
        ((1, 2, 3), ("mine", "yours"), "1, 2, 3"),
        (3, ("points",), "points 3"),
        ((None,), ("point",), "point none"),
        (((),), ("open",), "open none"),
        ((((1, 2), (3,)),), ("dice",), "dice 1-2, 3"),
        (("shut", (1, 2)), ("", "open"), "shut, open 1-2"),
    ],
)
def test_a_state_with_the_names_of_its_parts(
    state: Any, names: tuple[str, ...], words: str
) -> None:
    assert in_words(state, names) == words
