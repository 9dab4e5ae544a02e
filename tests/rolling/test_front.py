"""What is taken as dice, and rolling them."""

import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import dice, laws

import sevenout as so
from sevenout.rolling import Dice, Die, Law, Rerolled, d6, tatham


@pytest.mark.parametrize(
    ("given_", "law"),
    [
        ("2d6", so.dice("2d6").totals.law),
        (icepool.d6 + icepool.d6, so.dice("2d6").totals.law),
        (icepool.d6.highest(4, 3), so.law("4d6kh3")),
        (Counter([1, 1, 2]), Law({1: 2, 2: 1})),
        ({-1: 251, 1: 244}, Law({-1: 251, 1: 244})),
        (so.dice("2d6").totals.law, so.dice("2d6").totals.law),
        (d6, d6.law),
        ([d6, d6], so.dice("2d6").totals.law),
        (so.dice("2d6"), so.dice("2d6").totals.law),
        ({1: 1, 2: 0}, Law({1: 1})),
    ],
)
def test_whatever_has_outcomes_and_weights_is_dice(given_, law: Law) -> None:
    rolled = so.dice(given_)
    assert isinstance(rolled, Dice)
    assert rolled.totals.law == law


def test_dice_from_elsewhere_are_played_with() -> None:
    craps = so.PointGame([7, 11], [2, 3, 12], 7, dice=so.dice(2 @ icepool.d6))
    assert so.solve(craps).bet().p_win == Fraction(244, 495)


def test_the_function_stays_at_the_top() -> None:
    code = (
        "import sys, sevenout; assert not {'icepool', 'flint', 'numpy'} & set(sys.modules);"
        "import sevenout.rolling.die, sevenout.simulation.run;"
        "from sevenout.rolling import dice, Dice;"
        "assert sevenout.dice is dice; assert isinstance(sevenout.dice('2d6'), Dice);"
        "sevenout.dice('2d6').totals.law; assert not {'icepool', 'flint'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_room_says_which_names_it_lacks() -> None:
    from importlib import import_module

    import sevenout.simulation.run  # noqa: F401

    room = import_module("sevenout.rolling")
    assert {getattr(room, name).__name__ for name in room.__all__ if name[0].isupper()}
    with pytest.raises(AttributeError, match="has no attribute 'dcie'"):
        room.dcie  # noqa: B018


@given(st.one_of(dice, laws, dice.map(lambda d: d.totals), dice.map(lambda d: d.ways)))
def test_a_sample_is_of_the_law_and_comes_again(rolled) -> None:
    sample = rolled.sample(20, seed=7)
    assert sample == rolled.sample(20, seed=7)
    assert set(sample) <= set(rolled.law)


@pytest.mark.parametrize(
    "rolled",
    [
        so.dice("2d6").totals,
        so.dice("d4+d6{1,1,2,3,5,8:3}"),
        Law({"win": 244, "lose": 251}),
        tatham(6).totals,
        so.deck([1, 1, 2, 3]).deal(2).totals,
        Rerolled(so.dice("2d6").totals, 7),
        so.dice("4d6kh3").totals,
    ],
)
def test_samples_are_fair(rolled) -> None:
    """Chi-square at a level of 10^-6 each, with a fixed seed."""
    from scipy.stats import chi2

    n = 20_000
    counts = Counter(rolled.sample(n, seed=2026))
    distance = sum((counts[x] - n * float(p)) ** 2 / (n * float(p)) for x, p in rolled.law.items())
    assert distance < chi2.isf(1e-6, len(rolled.law) - 1)


def test_the_dice_of_a_roll_are_independent() -> None:
    """The law of the pair of faces, by chi-square at a level of 10^-6."""
    from scipy.stats import chi2

    counts = Counter(roll.faces for roll in so.dice("2d6").sample(36_000, seed=3))
    assert sum((counts[i, j] - 1000) ** 2 / 1000 for i in range(1, 7) for j in range(1, 7)) < (
        chi2.isf(1e-6, 35)
    )


def test_rolls_without_a_seed_differ() -> None:
    """They are alike once in 6^50."""
    assert d6.sample(50) != d6.sample(50)
    assert d6.sample(0) == []


def test_a_die_of_one_face_of_great_weight() -> None:
    assert set(Die([1, 2], [10**400, 1]).sample(100, seed=1)) == {1}


def test_the_reference_has_a_line_for_every_common_name() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "reference", "index.md").read_text("utf-8")
    assert [name for name in so.__all__ if f"`so.{name}`" not in page] == []
    assert set(so.__all__) <= set(dir(so))
    assert not {"Law", "Pool", "roll"} & set(dir(so))  # for annotations; they work all the same
    assert so.Law is Law
