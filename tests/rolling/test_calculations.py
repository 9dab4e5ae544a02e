"""Distributions, pools and deals that calculate: beside icepool, and beside every roll."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import prod
from operator import add, floordiv, ge, gt, le, lt, mul, sub
from typing import Any

import icepool
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sevenout as so
from sevenout.rolling.face_walk import Group, walk

weights = st.dictionaries(st.integers(-4, 7), st.integers(1, 5), min_size=1, max_size=5)
positive = st.dictionaries(st.integers(1, 6), st.integers(1, 4), min_size=1, max_size=4)
pools = st.lists(st.tuples(positive, st.integers(0, 3)), min_size=1, max_size=3)

MOST_ROLLS = 20_000
"""Rolls that are listed one by one: 18 dice of four faces would have 69 thousand million."""


def both(faces: dict[int, int]) -> tuple[so.Law, Any]:
    return so.law(faces), icepool.Die(faces)


def pooled(groups: list[tuple[dict[int, int], int]]) -> tuple[so.Pool, list[list[tuple[int, int]]]]:
    """A pool, and the (face, weight) pairs of each of its dice."""
    dice = [list(faces.items()) for faces, n in groups for _ in range(n)]
    return so.pool(*(so.law(faces) for faces, n in groups for _ in range(n))), dice


def every_roll(dice: list[list[tuple[int, int]]], read: Any) -> Any:
    counts: Counter[Any] = Counter()
    for pairs in product(*dice):
        weight = 1
        for _, w in pairs:
            weight *= w
        counts[read(tuple(sorted(face for face, _ in pairs)))] += weight
    return so.law(dict(counts))


@pytest.mark.parametrize("operator", [add, sub, mul, gt, ge, lt, le])
@given(weights, weights)
def test_operators_are_icepools(operator: Any, first: Any, second: Any) -> None:
    (a, x), (b, y) = both(first), both(second)
    assert operator(a, b) == so.law(operator(x, y))


@given(weights)
def test_a_number_less_dice_is_minus_the_dice_less_the_number(faces: dict[int, int]) -> None:
    law = so.law(faces)
    assert 5 - law == -(law - 5) == so.law({5 - x: w for x, w in faces.items()})


@given(weights, positive, st.integers(0, 5))
def test_multiples_quotients_and_random_numbers_are_icepools(
    first: Any, second: Any, n: int
) -> None:
    (a, x), (b, y) = both(first), both(second)
    assert floordiv(a, b) == so.law(floordiv(x, y))
    assert n @ a == so.law(n @ x)
    assert b @ a == so.law(y @ x)
    assert so.highest(a, b) == so.law(icepool.highest(x, y))
    assert so.mixture({a: 2, b: 3}) == so.law(icepool.Die({x: 2, y: 3}))
    assert a.ties(b) == (x == y).probability(True)


def test_vectors_of_icepool_are_vectors() -> None:
    law = so.law(icepool.vectorize(icepool.d4, icepool.d6))
    assert {type(outcome) for outcome in law} == {so.Vector}
    assert law.map(sum) == so.law("d4+d6")


@given(pools, st.data())
def test_pools_are_every_roll(groups: Any, data: st.DataObject) -> None:
    pool, dice = pooled(groups)
    assume(prod(map(len, dice)) <= MOST_ROLLS)
    size = len(pool)
    few = data.draw(st.integers(0, size))
    places = data.draw(st.lists(st.integers(-1, 2), min_size=size, max_size=size))
    assert pool.hands == every_roll(dice, tuple)
    assert pool.sum() == every_roll(dice, sum)
    assert pool.highest(few).sum() == every_roll(dice, lambda h: sum(h[size - few :]))
    assert pool.lowest(few).sum() == every_roll(dice, lambda h: sum(h[:few]))
    assert pool.keep(*places).sum() == every_roll(
        dice, lambda h: sum(x * n for x, n in zip(h, places, strict=True))
    )
    assert pool.count({1, 3}) == every_roll(dice, lambda h: sum(x in (1, 3) for x in h))
    assert pool.largest_set() == every_roll(dice, lambda h: max(Counter(h).values(), default=0))


@given(pools, pools)
def test_two_pools_are_walked_over_together(first: Any, second: Any) -> None:
    (one, a), (other, b) = pooled(first), pooled(second)
    assume(prod(map(len, [*a, *b])) <= MOST_ROLLS)

    def step(winner: int, face: int, mine: int, yours: int) -> int:
        return winner or (mine > yours) - (mine < yours)

    size = len(a)

    def lined_up(faces: Any) -> int:
        mine, yours = sorted(faces[:size])[::-1], sorted(faces[size:])[::-1]
        return (mine > yours) - (mine < yours)

    rolls: Counter[int] = Counter()
    for pairs in product(*a, *b):
        weight = 1
        for _, w in pairs:
            weight *= w
        rolls[lined_up([face for face, _ in pairs])] += weight
    assert one.by_face(step, other, start=0) == so.law(dict(rolls))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.data())
def test_a_deal_is_every_order_of_the_cards(cards: list[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(cards)))
    few = data.draw(st.integers(0, n))
    deal = so.deck(cards).deal(n)
    orders = [tuple(sorted(order[:n])) for order in permutations(cards)]
    assert deal.hands == so.law(dict(Counter(orders)))
    assert deal.sum() == so.law(dict(Counter(map(sum, orders))))
    assert deal.highest(few).sum() == so.law(dict(Counter(sum(h[n - few :]) for h in orders)))
    if n:
        assert deal.totals.law == deal.sum()


def test_dice_that_must_show_a_face_are_not_taken_for_fewer() -> None:
    """Six dice against four of the same kinds: the extra dice decide, so there are no ties."""
    three, four = {6: 1, 1: 4, 3: 1}, {6: 2, 5: 3, 3: 2, 2: 3}
    one, other = pooled([(three, 4), (four, 2)])[0], pooled([(three, 2), (four, 2)])[0]
    result = one.by_face(lambda won, face, a, b: won or (a > b) - (a < b), other, start=0)
    assert result.p(0) == 0
    assert result.p(1) == Fraction(297442777, 466560000)  # all rolls, one by one


def test_many_alike_states_leave_pool_by_pool_as_one_by_one() -> None:
    """Decided contests take the short way; a step that remembers the counts doesn't."""

    def short(state: Any, face: int, a: int, b: int) -> Any:
        return state or (a > b) - (a < b)

    def long(state: Any, face: int, a: int, b: int) -> Any:
        return (state[0] or (a > b) - (a < b), state[1] + a - b)

    die = {1: 2, 2: 1, 3: 1}
    sides = [([Group(0, die, 6)], None), ([Group(1, die, 6)], None)]
    slow: Counter[int] = Counter()
    for (winner, _), weight in walk(sides, long, (0, 0)).items():
        slow[winner] += weight
    assert walk(sides, short, 0) == dict(slow)


@given(positive.filter(lambda faces: len(faces) > 1), st.integers(1, 3), weights)
def test_what_has_no_highest_total_is_the_limit_of_what_has(faces: Any, n: int, other: Any) -> None:
    die, rest = so.law(faces), so.law(other)
    endless, cut = n @ die.explode() + rest, n @ die.explode(depth=6) + rest
    lost = n * Fraction(die[max(die)]) ** 7  # how likely any die explodes more often
    for total in range(min(rest) + n, min(rest) + n + 20):
        assert abs(endless.pmf(total) - cut.pmf(total)) <= lost
    assert abs(endless.beats(rest) - cut.beats(rest)) <= lost


def test_a_distribution_is_seen_as_a_chart() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    score = so.law("4d6kh3")
    assert score._repr_html_().count("<tr>") == 16
    assert "width:100.0%" in so.dice("2d6")._repr_html_()
    assert "no highest total" in so.roll("d6!")._repr_html_()
    axes = score.plot(so.law("3d6"), labels=["keep three", "three"])
    assert [line.get_label() for line in axes.get_lines()] == ["keep three", "three"]
    assert len(so.d6.plot().patches) == 6
    assert so.roll("d6!").plot(so.d6).get_ylabel() == "probability"
    pyplot.close("all")


def test_pools_join_and_anything_else_is_added_to_their_sum() -> None:
    pair, other = so.pool("2d6"), so.pool("d6", "d4")
    joined = pair + other
    assert isinstance(joined, so.Pool)
    assert joined.hands == so.pool("3d6", "d4").hands
    assert joined.groups == ((so.law("d6"), 3), (so.law("d4"), 1))
    assert pair + 1 == so.law("2d6+1")
    assert pair + so.d6 == so.law("3d6")
    best = so.pool("4d6").highest(3)  # only some of its dice count, so there is one total
    assert best + pair == so.law("4d6kh3") + so.law("2d6")


def test_a_pool_says_which_dice_count() -> None:
    assert repr(so.pool("4d6")) == "<Pool of 4>"
    places = "which count (0, 1, 1, 1) from the lowest up"
    assert repr(so.pool("4d6").highest(3)) == f"<Pool of 4, {places}>"


def test_sets_of_labels_are_found_and_the_last_label_breaks_ties() -> None:
    coin = so.Die("HT")
    assert coin.pool(3).best_set() == so.law({(2, "H"): 3, (2, "T"): 3, (3, "H"): 1, (3, "T"): 1})
    assert coin.pool(2).best_set()[1, "T"] == Fraction(1, 2)
    assert coin.pool(0).best_set() == so.law({(0, 0): 1})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: so.d6.reroll({1}, depth=-1), "depth=-1"),
        (lambda: so.d6.explode(depth="2"), "depth='2'"),
        (lambda: so.pool("5d6").middle(7), "the middle 7 of 5 dice"),
        (lambda: so.pool("5d6").middle("2"), "the middle '2' of 5 dice"),
    ],
)
def test_a_number_of_rolls_or_dice_that_cant_be_is_refused(call, message):
    with pytest.raises(so.SevenoutError, match=message):
        call()


def test_a_number_is_divided_by_dice_with_a_remainder():
    assert 7 % so.d4 == so.law({0: 1, 1: 2, 3: 1})


def test_no_roll_again_and_all_of_a_pool_are_allowed():
    assert so.d6.reroll({1}, depth=0) == so.d6.law
    assert so.pool("5d6").middle(5).sum() == so.pool("5d6").sum()
    assert so.pool("5d6").middle(0).sum() == so.law({0: 1})
