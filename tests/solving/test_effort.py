"""Rules and chains that are too large are refused before they are played out, or solved."""

import pytest

import sevenout as so
from sevenout.errors import TooMuchWorkError
from sevenout.model import explore
from sevenout.rolling import Rollable
from sevenout.rules import Game, PayTable, PointGame, win

SETS = {"naturals": [7, 11], "craps": [2, 3, 12], "out": 7}


class Ladder(Game):
    """Sixty thousand rolls in a row that are no six."""

    dice = so.d6
    start = 0

    def step(self, state: int, roll: int) -> object:
        return win() if roll == 6 or state == 59_999 else state + 1


PAID = PayTable(point=[1] * 20_000)


class Wide(Game):
    """Every roll of 2d6000 is a state of its own; the rules do not say how many there are."""

    dice = so.dice("2d6000").totals
    start = 0

    def step(self, state: int, roll: int) -> object:
        return win() if state else roll


class Drawn(Wide):
    """A state is drawn; the rolls from there are small."""

    def rolls(self, state: int) -> Rollable:
        return so.d6 if state else self.dice


@pytest.mark.parametrize(
    ("large", "said"),
    [
        (lambda: so.solve(PointGame(**SETS, limit=100_000)), "a game of 600,001 states"),
        (lambda: so.solve(Ladder()).outcomes, "the exact fractions of 60,000 states"),
        (lambda: explore(PointGame([7], [3], 7, dice=so.dice("2d10000"))), "19,998 states"),
        (lambda: explore(Wide()), "12,000 states, each with 11,999 rolls"),
        (
            lambda: PointGame(**SETS, limit=20_000, bets=dict.fromkeys(map(str, range(600)), PAID)),
            "pays, one for each bet, point and roll",
        ),
    ],
)
def test_what_is_too_large_is_refused_at_once(large, said: str) -> None:
    with pytest.raises(TooMuchWorkError, match=said):
        large()


def test_a_wide_draw_says_nothing_of_the_rolls_that_follow() -> None:
    assert so.solve(explore(Drawn())).mean("rolls") == 2


def test_a_limit_of_a_thousand_is_solved() -> None:
    assert so.solve(PointGame(**SETS, limit=1_000)).bet("pass").p_win > 0.49292
