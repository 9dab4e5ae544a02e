"""Relabelled dice: the counts by factoring, and by two searches without polynomials."""

from itertools import combinations_with_replacement

import pytest

from sevenout.errors import RulesError
from sevenout.rolling import Dice, Die, parse_dice, relabelled

# A111588 in the OEIS: ways to label two n-sided dice with the totals of ordinary ones
TWO_DICE = {
    2: 1,
    3: 1,
    4: 2,
    5: 1,
    6: 2,
    7: 1,
    8: 4,
    9: 2,
    10: 2,
    11: 1,
    12: 8,
    16: 10,
    18: 8,
    20: 8,
}


def totals_left(target, cells):
    law = parse_dice(target).totals.law
    left = [0] * (max(law) + 1)
    for total, weight in zip(law, law.weights, strict=True):
        left[total] = weight * cells // law.denominator
    return left


def by_smallest_total(target, a, b):
    """Two dice, from the least faces up: the least total not yet there needs a new face on one."""
    left = totals_left(target, a * b)
    sets_of_dice = set()

    def grow(first, second):
        if len(first) == a and len(second) == b:
            dice = sorted([(len(first), tuple(first)), (len(second), tuple(second))])
            sets_of_dice.add(tuple(labels for _, labels in dice))
            return
        least = next(total for total, n in enumerate(left) if n) - 1
        turns = ((first, second, a), (second, first, b))
        for mine, others, room in turns[:1] if a == b and first == second else turns:
            # equal new faces go to the first die first, so that no pair is built twice
            if len(mine) < room and (mine is second or second[-1] < least or second == [1]):
                sums = [least + other for other in others]
                if sums[-1] < len(left):
                    for total in sums:
                        left[total] -= 1
                    if all(left[total] >= 0 for total in sums):
                        mine.append(least)
                        grow(first, second)
                        mine.pop()
                    for total in sums:
                        left[total] += 1

    left[2] -= 1  # the face 1 is on both, or the total 2 could not be
    grow([1], [1])
    return sets_of_dice


def by_division(left, sides):
    """Every die tried in full; what is left must be the totals of the other dice."""
    size, *others = sides
    top = len(left) - 1
    if not others:
        faces = tuple(total for total, n in enumerate(left) for _ in range(n))
        return {(faces,)} if len(faces) == size and faces[0] >= 1 else set()
    sets_of_dice = set()
    for rest in combinations_with_replacement(range(1, top), size - 1):
        faces = (1, *rest)
        over = list(left)
        quotient = [0] * (top + 1)
        for total in range(1, top + 1):  # what the other dice roll, least first
            n = over[total]
            if n < 0:
                break
            quotient[total - 1] = n
            for face in faces if n else ():
                if total - 1 + face > top:
                    over[0] = -1
                    break
                over[total - 1 + face] -= n
            if over[0]:
                break
        if not any(over):
            while not quotient[-1]:
                quotient.pop()
            for more in by_division(quotient, others):
                sets_of_dice.add(tuple(sorted((faces, *more))))
    return sets_of_dice


def labels(target, on=None, least=1):
    return {tuple(sorted(die.faces for die in dice)) for dice in relabelled(target, on, least)}


@pytest.mark.parametrize(("sides", "count"), TWO_DICE.items())
def test_two_dice_have_the_published_counts(sides, count):
    assert len(relabelled(f"2d{sides}")) == count


@pytest.mark.parametrize(
    ("target", "a", "b"),
    [("2d4", 4, 4), ("2d6", 6, 6), ("2d8", 8, 8), ("2d10", 10, 10), ("2d12", 12, 12),
     ("d4+d6", 4, 6), ("2d6", 4, 9), ("2d6", 3, 12), ("2d6", 2, 18),
     ("2d6", 12, 12), ("2d4", 8, 8)],
)  # fmt: skip
def test_the_count_by_building_up(target, a, b):
    assert labels(target, [a, b]) == {tuple(sorted(x)) for x in by_smallest_total(target, a, b)}


@pytest.mark.parametrize(
    ("target", "sides"),
    [
        ("2d4", (4, 4)),
        ("2d6", (6, 6)),
        ("2d6", (4, 9)),
        ("3d4", (4, 4, 4)),
        ("4d4", (4,) * 4),
        ("3d6", (6,) * 3),
    ],
)  # fmt: skip
def test_the_count_by_trying_every_die(target, sides):
    size = 1
    for n in sides:
        size *= n
    assert labels(target, sides) == by_division(totals_left(target, size), sides)


@pytest.mark.parametrize(
    ("target", "count"), [("3d6", 2), ("4d6", 3), ("3d4", 2), ("3d12", 33), ("3d20", 33)]
)
def test_more_dice(target, count):
    assert len(relabelled(target)) == count


def test_sicherman():
    small, large = (1, 2, 2, 3, 3, 4), (1, 3, 4, 5, 6, 8)
    plain = tuple(range(1, 7))
    assert labels("2d6") == {(small, large), (plain, plain)}
    assert labels("3d6") == {(plain, plain, plain), (small, plain, large)}
    assert labels("4d6") == {
        (plain,) * 4,
        (small, plain, plain, large),
        (small, small, large, large),
    }


@pytest.mark.parametrize(
    ("target", "on", "least"),
    [("2d6", None, 1), ("2d12", None, 1), ("2d20", None, 1), ("4d6", None, 1), ("2d6", [4, 9], 1),
     ("2d6", [2, 3, 6], 0), ("2d6", [12, 12], 1), ("d4+d6", None, 0), ("3d6", [6, 36], 1),
     ("d6{1,2,2,3,3,4}+d6{1,3,4,5,6,8}", None, 1), ("d4{1,2,3,4:2}+d6", [5, 6], 1)],
)  # fmt: skip
def test_every_relabelling_has_the_law_of_its_target(target, on, least):
    law = parse_dice(target).totals.law
    sets_of_dice = relabelled(target, on, least)
    assert sets_of_dice
    for dice in sets_of_dice:
        assert Dice(dice).totals.law == law
        assert all(min(die.faces) >= least for die in dice)
        assert sorted(len(die.faces) for die in dice) == sorted(on or [6] * len(dice)) or on is None
    assert len(set(sets_of_dice)) == len(sets_of_dice)


def test_a_shift_is_a_relabelling_too_where_zero_is_allowed():
    wide = labels("2d6", least=0)
    assert labels("2d6") <= wide
    assert (tuple(range(6)), tuple(range(2, 8))) in wide


def test_what_can_not_be():
    assert relabelled("2d6", [6, 6, 6]) == ()  # three dice from 1 up roll at least 3
    assert relabelled("2d6", [5, 7]) == ()
    with pytest.raises(RulesError, match="whole numbers"):
        relabelled(Dice([Die("HT"), Die("HT")], total="".join))
    with pytest.raises(RulesError, match="1 side or more"):
        relabelled("2d6", [0, 36])
