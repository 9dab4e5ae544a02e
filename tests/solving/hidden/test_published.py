"""Games whose value was published, in fractions."""

from fractions import Fraction

import pytest

import sevenout as so
from sevenout.catalogue import games

F = Fraction


def liars(first, second, sides, ones):
    return so.best(so.games("liars-dice", first=first, second=second, sides=sides, ones=ones))


@pytest.mark.parametrize(
    ("dice", "sides", "ones", "value"),
    [
        ((1, 1), 1, "plain", "1"),
        ((1, 1), 2, "plain", "0"),
        ((1, 1), 3, "plain", "-1/9"),
        ((1, 1), 4, "plain", "-1/8"),
        ((1, 1), 5, "plain", "-3/25"),
        ((1, 1), 2, "wild", "1"),
        ((1, 1), 3, "wild", "1/3"),
        ((1, 1), 4, "wild", "0"),
        ((1, 1), 5, "wild", "0"),
        ((1, 1), 6, "plain", "-1/9"),
        ((1, 1), 6, "wild", "-7/327"),
        ((2, 1), 2, "plain", "1/4"),
        ((2, 1), 3, "plain", "1/9"),
        ((2, 1), 4, "plain", "345/1696"),
        ((2, 1), 5, "plain", "2128/8375"),
        ((2, 1), 3, "wild", "1/3"),
        ((2, 1), 4, "wild", "1/4"),
        pytest.param((2, 1), 5, "wild", "34/125", marks=pytest.mark.slow),  # 12 s
        ((1, 2), 3, "plain", "-1/27"),
        ((1, 2), 3, "wild", "-1/27"),
        ((1, 2), 4, "plain", "-1/8"),
        ((1, 2), 4, "wild", "-1/32"),
        ((1, 2), 5, "plain", "-27/125"),
        pytest.param((1, 2), 5, "wild", "-3/125", marks=pytest.mark.slow),  # 12 s
    ],
)
def test_liars_dice(dice, sides, ones, value):
    """T. D. Ahle, snyd (2017), which prints floats; these are their fractions, and proved."""
    best = liars(*dice, sides, ones)
    assert best.value == F(value)
    assert best.bound == 0


def test_dudo():
    """Neller and Lanctot (2013) print -7/258 for one die each."""
    assert so.best(so.games("dudo")).value == F(-7, 258)


def test_perudo_counts_ones_double():
    """As solved over all positions; the bids are those that the rule of halving allows."""
    game = so.games("perudo", sides=3)
    assert list(game.bids) == ["1x2", "1x3", "2x2", "2x3", "1x1", "2x1"]
    assert list(game.choices(((2,), (3,), ()))) == ["1x2", "1x3", "2x2", "2x3"]
    assert list(game.choices(((2,), (3,), ("1x3", "1x1")))) == ["2x1", "call"]
    assert so.best(game).value == so.best(so.explore(game)).value == F(1, 9)


def test_kuhn_poker():
    kuhn = so.best(games.entry("kuhn").game())
    assert kuhn.value == F(-1, 18)
    # Kuhn (1950): the second bluffs with a jack, and calls with a queen, a third of the time.
    assert kuhn.policy["second", ("J", "check")]["bet"] == F(1, 3)
    assert kuhn.policy["second", ("Q", "bet")]["call"] == F(1, 3)
    bluffs = kuhn.policy["first", ("J",)]["bet"]
    assert 0 <= bluffs <= F(1, 3)
    assert kuhn.policy["first", ("K",)]["bet"] == 3 * bluffs
    assert kuhn.policy["first", ("Q", "check", "bet")]["call"] == bluffs + F(1, 3)


def test_rock_paper_scissors_with_a_heavy_rock():
    """Where a rock wins 2, paper is shown half of the time."""
    game = so.best(so.games("rock-paper-scissors", rock=2))
    assert game.value == 0
    shares = game.policy["second", "nothing"]
    assert shares == {"rock": F(1, 4), "paper": F(1, 2), "scissors": F(1, 4)}
