"""Dice that are rolled again on some faces, against all rolls one by one."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

import sevenout as so
from sevenout.errors import NotationError


def until(sides, bad, dice):
    """The law of the total where each die shows the first of its rolls that is not bad."""
    good = [face for face in range(1, sides + 1) if face not in bad]
    ways = Counter(map(sum, product(good, repeat=dice)))
    return {total: Fraction(n, len(good) ** dice) for total, n in ways.items()}


def once(sides, bad, dice):
    """The same where a bad roll is made again once: two rolls of each die, the second if asked."""
    pairs = product(range(1, sides + 1), repeat=2)
    shown = [second if first in bad else first for first, second in pairs]
    ways = Counter(map(sum, product(shown, repeat=dice)))
    return {total: Fraction(n, len(shown) ** dice) for total, n in ways.items()}


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("2d6r1", until(6, {1}, 2)),
        ("2d6ro1", once(6, {1}, 2)),
        ("2d6r=2", until(6, {2}, 2)),
        ("2D6RO<3", once(6, {1, 2}, 2)),
        ("3d6r>=5", until(6, {5, 6}, 3)),
        ("2d4r<=2", until(4, {1, 2}, 2)),
        ("d%ro1", once(100, {1}, 1)),
    ],
)
def test_a_reroll_is_every_roll_that_may_be_made(text, law):
    dice = so.dice(text)
    assert dict(dice.totals.law) == law
    assert so.dice(str(dice)).totals.law == dice.totals.law


def test_dice_are_rolled_again_before_they_are_kept_or_counted():
    shown = list(product([2, 3, 4, 5, 6], repeat=4))
    best = Counter(sum(sorted(roll)[1:]) for roll in shown)
    assert dict(so.dice("4d6r1kh3").totals.law) == {
        total: Fraction(n, len(shown)) for total, n in best.items()
    }
    assert so.dice("3d6r1>=5+1").totals.law.mean == 1 + 3 * Fraction(2, 5)
    assert so.dice("d3{1,2,9:4}r9").totals.law.mean == Fraction(3, 2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("2d6r7", "rolls no face again"),
        ("2d6r<=6", "rolls every face again"),
        ("d2{H,T}r1", "only numbers can be rerolled"),
        ("2d6r", "a number is missing after 'r'"),
        ("2d6r1/0", "divides by zero"),
    ],
)
def test_a_reroll_that_makes_no_sense(text, says):
    with pytest.raises(NotationError, match=says):
        so.dice(text)


def pool(faces, dice, good, deep):
    """The chance of each number of successes, of pools whose dice explode at most so often."""
    top = max(faces)

    def one(left):
        found = Counter()
        for face in faces:
            then = one(left - 1) if face == top and left else {0: Fraction(1)}
            for more, chance in then.items():
                found[good(face) + more] += chance / len(faces)
        return found

    law = {0: Fraction(1)}
    for _ in range(dice):
        both = Counter()
        for (n, p), (m, q) in product(law.items(), one(deep).items()):
            both[n + m] += p * q
        law = both
    return law


@pytest.mark.parametrize(
    ("text", "sides", "dice", "good"),
    [
        ("2d10!>=8", 10, 2, lambda face: face >= 8),
        ("3d6!>4", 6, 3, lambda face: face > 4),
        ("2d4!<3", 4, 2, lambda face: face < 3),
    ],
)
def test_a_pool_that_explodes_counts_every_roll(text, sides, dice, good):
    found, deep = so.roll(text), 12
    law = pool(range(1, sides + 1), dice, good, deep)
    left = Fraction(dice, sides**deep)  # as likely as that, a die explodes more often
    for n in range(6):
        assert abs(found.pmf(n) - law[n]) <= left
    each = Fraction(sum(map(good, range(1, sides + 1))), sides - 1)  # of all its rolls
    assert found.mean == dice * each


@pytest.mark.parametrize("deep", [1, 2])
@pytest.mark.parametrize(
    ("test", "good"), [(">=5", lambda face: face >= 5), ("<3", lambda face: face < 3)]
)
def test_a_pool_that_explodes_to_a_depth_counts_every_roll(deep, test, good):
    text = f"2d6!^{deep}{test}"
    law = pool(range(1, 7), 2, good, deep)
    assert dict(so.roll(text)) == dict(so.dice(text).totals.law) == law


def test_pools_that_explode_add_up_with_others():
    assert so.roll("5d10!>=8+2").mean == so.roll("5d10!>=8").mean + 2
    assert so.roll("d10!>=8").pmf(0) == Fraction(7, 10)


def test_the_highest_of_dice_that_explode():
    best, die = so.roll("3d6!kh1"), so.roll("d6!")
    for n in range(20):
        assert best.pmf(n) == die.cdf(n) ** 3 - die.cdf(n - 1) ** 3
    assert so.roll("5d10!kh5").mean == so.roll("5d10!").mean


def test_a_die_of_listed_faces_explodes_to_a_depth():
    assert so.roll("d6{1,2,3,4,5,6}!^2") == so.roll("d6!^2")
    assert so.dice('d2{"^",1}').dice[0].faces == ("^", 1)  # a label, no rank
