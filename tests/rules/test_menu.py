"""The states of a menu are estimated, before any is explored, to a factor of ten."""

from typing import Any

import pytest

import sevenout as so
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.errors import TooManyStatesError, TooMuchWorkError
from sevenout.rules.casino.menu import Menu, estimate_states

MENUS = [
    ({"pass": [1, 2]}, 1, 4, None),
    ({"pass": range(1, 9), "field": range(1, 9)}, 4, 9, None),
    ({"pass": range(1, 9), "pass odds": range(1, 9)}, 4, 9, None),
    ({"pass": [1, 2], "come": [1]}, 2, 5, None),
    ({"field": range(1, 20)}, 10, 20, None),
    ({"pass": [1, 2], "place 6": [6, 12], "field": [1]}, 12, None, 2),
    ({"pass": [1], "field": [1]}, 5, None, 3),
    ({"buy 4": [20, 40], "lay 4": [40]}, 40, 100, None),
    ({"pass": [1], "come": [1]}, 3, None, 3),
]


@pytest.mark.parametrize(("bets", "bankroll", "target", "rolls"), MENUS)
def test_the_estimate_is_right_to_a_factor_of_ten(
    bets: Any, bankroll: int, target: int | None, rolls: int | None
) -> None:
    menu = Menu(House(), bets, bankroll, target=target, rolls=rolls)
    assert 0.1 < len(so.explore(menu).states) / estimate_states(menu, 10**6) < 10


def test_what_is_too_large_is_refused_with_what_fits() -> None:
    huge = {"pass": range(1, 1001), "field": range(1, 1001)}
    with pytest.raises(TooManyStatesError, match=r"field 1,000\) .* give each bet at most 5$"):
        so.best_evening(huge, 100, target=200)
    with (
        so.budget(1),
        pytest.raises(TooMuchWorkError, match=r"give each bet at most [12], or raise"),
    ):
        so.best_evening({"pass": range(1, 9), "field": range(1, 9)}, 10, target=20)
    with so.budget(1):
        assert so.best_evening({"pass": [1], "field": [1]}, 10, target=20).value > 0
    with pytest.raises(TooManyStatesError, match="bring less, aim lower, or bet on less"):
        so.best_evening({"pass": [1]}, 1, target=10**9)
