"""Totals, hard ways and pools: by counting as by enumeration, and at once for a thousand dice."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod

import icepool
import pytest
from flint import fmpz
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import dice, weights

import sevenout as so
from sevenout.errors import TooMuchWorkError
from sevenout.rolling import Dice, Die, Law, faulty_law, tatham
from sevenout.rolling.die import all_alike
from sevenout.rolling.expressions import DiceGroup, Drop
from sevenout.rolling.faults import Fault

small = st.lists(
    st.builds(
        lambda faces: Die([f for f, _ in faces], [w for _, w in faces]),
        st.lists(st.tuples(st.integers(-3, 6), weights), min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=5,
).map(Dice)
fractions = st.fractions(-3, 3, max_denominator=4)


def enumerated(rolled: Dice, reading) -> Law:
    found: Counter = Counter()
    for shown in product(*(zip(d.faces, d.weights, strict=True) for d in rolled.dice)):
        found[reading(tuple(face for face, _ in shown))] += prod(w for _, w in shown)
    return Law(found)


@given(small)
def test_the_hard_ways_are_those_of_every_roll(rolled: Dice) -> None:
    assert rolled.ways.law == enumerated(rolled, lambda faces: (sum(faces), all_alike(faces)))


@given(small, st.data())
def test_what_is_kept_is_counted_as_enumerated(rolled: Dice, data: st.DataObject) -> None:
    few = data.draw(st.integers(1, len(rolled)))
    size, left = len(rolled), len(rolled) - few
    for keep, sign in ((Drop(lowest=left), -1), (Drop(highest=left), 1)):
        kept = Dice(rolled.dice, DiceGroup(size, keep)).totals
        law = enumerated(rolled, lambda f, s=sign: sum(sorted(f, key=lambda x: s * x)[:few]))
        assert kept.law == law
        assert Law(kept.weigh([die.weights for die in rolled.dice])) == law
        assert {kept.function(roll) for roll in kept.source.law} == set(law)


@given(st.lists(st.lists(fractions, min_size=1, max_size=3), min_size=1, max_size=4))
def test_faces_that_are_no_whole_numbers_add_up(faces: list[list[Fraction]]) -> None:
    rolled = Dice(map(Die, faces))
    assert rolled.totals.law == enumerated(rolled, sum)
    assert rolled.ways.law == enumerated(rolled, lambda f: (sum(f), all_alike(f)))


vectors = st.tuples(st.integers(-2, 2), st.integers(0, 9)).map(lambda pair: so.Vector(*pair))


@settings(max_examples=20)
@given(
    st.dictionaries(vectors, weights, min_size=1, max_size=4),
    st.dictionaries(vectors, weights, min_size=1, max_size=4),
    st.integers(1, 3),
)
def test_vectors_add_up_coordinate_by_coordinate(first: dict, second: dict, n: int) -> None:
    dice = [first] * n + [second]
    found: Counter = Counter()
    for shown in product(*(die.items() for die in dice)):
        vector = tuple(map(sum, zip(*(face for face, _ in shown), strict=True)))
        found[vector] += prod(w for _, w in shown)
    law = n @ so.law(first) + so.law(second)
    assert {tuple(vector): p for vector, p in law.items()} == dict(Law(found))


@given(dice, st.integers(1, 40))
def test_many_dice_are_a_power(rolled: Dice, n: int) -> None:
    """The short way agrees with one die after another, which is what other rings use."""
    many = Dice(rolled.dice * n)
    ring = many.totals.weigh([list(map(fmpz, die.weights)) for die in many.dice])
    assert many.totals.law == Law({t: int(w) for t, w in ring.items()})


def test_laws_of_icepool() -> None:
    for text, peer in (
        ("10d10", icepool.d10.highest(10, 3)),
        ("4d6", icepool.d6.highest(4, 3)),
        ("5d6+5d8", icepool.Pool([icepool.d6] * 5 + [icepool.d8] * 5).highest(3).sum()),
    ):
        assert so.pool(text).highest(3).sum() == Law(dict(peer.items()))


@pytest.mark.parametrize(
    "ask",
    [
        lambda: so.pool("10d10").highest(3).sum(),
        lambda: so.dice("1000d6").totals.law,
        lambda: so.dice("2d10000").totals.law,
        lambda: so.dice("10d6").ways.law,
        lambda: so.pool("100d6").highest(50).sum(),
        lambda: so.pool("+".join(f"d{n}" for n in range(2, 40))).highest(20).sum(),
        lambda: so.pool("2d1000").highest(1).sum(),
        lambda: faulty_law(so.dice("1000d6").totals, [Fault(3, 2, Fraction(1, 7))]),
        lambda: so.dice("1000d6").sample(10, seed=1),
    ],
)
def test_many_dice_are_a_matter_of_seconds(ask) -> None:
    with so.budget(seconds=10):
        assert ask()


def test_a_thousand_dice() -> None:
    law = so.dice("1000d6").totals.law
    assert (law.mean, law.variance) == (3500, Fraction(35, 12) * 1000)
    assert law[1002] == Fraction(comb(1001, 2), 6**1000)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: so.dice("1000d6").law, "every roll of 1000d6 .*; ask for their totals"),
        (lambda: so.dice("1000d6").read(lambda roll: max(roll.faces)).law, "every roll of 1000d6"),
        (lambda: so.dice("2d10000").law, "every roll of 2d10000"),
        (lambda: Dice(tatham(9000).dice, total=max).totals.law, "every roll of"),
        (lambda: so.dice("1000d10000").totals.law, "the totals of these dice"),
        (lambda: Dice([Die([0, 10**12 * 2**k]) for k in range(1, 40)]).totals.law, "the totals"),
        (lambda: so.dice("1000d1000").ways.law, "the hard and easy ways"),
        (
            lambda: so.pool([Die([k, 99 - k]) for k in range(40)]).highest(20).sum(),
            "a walk over 80 faces of 40 dice",
        ),
        (lambda: so.pool("1000d10000").highest(500).sum(), "a walk over .* of 1000 dice"),
        (
            lambda: so.dice("20d20kh10").totals.weigh([[1] * 20] * 20),
            "the 10 to keep of 20 dice",
        ),
        (lambda: so.law("d9000") @ so.law("d6"), "the total of up to 9,000 dice"),
    ],
)
def test_too_many_dice_are_refused(ask, says: str) -> None:
    with pytest.raises(TooMuchWorkError, match=says) as error:
        ask()
    assert len(str(error.value)) < 400


def test_sums_pair_by_pair_have_the_seconds_of_their_pairs() -> None:
    far = so.law({so.Vector(k, 10**k): 1 for k in range(600)})
    with so.budget(seconds=0.01), pytest.raises(TooMuchWorkError, match="the totals of these dice"):
        2 @ far


def test_sums_of_faces_far_apart_need_no_memory_for_the_gaps() -> None:
    with so.budget(memory=4e6):
        law = Dice([Die([*range(60), 10**6])] * 2).totals.law
    assert (law[0], law[1], law[10**6], law[2 * 10**6]) == tuple(
        Fraction(ways, 61**2) for ways in (1, 2, 2, 1)
    )


def test_standard_dice_of_a_pool_are_estimated_as_equally_many_of_one_kind() -> None:
    for mixed in (so.pool("100d10", "100d12"), so.pool("200d12")):
        with (
            so.budget(seconds=0.05),
            pytest.raises(TooMuchWorkError, match="a walk over 12 faces of 200 dice"),
        ):
            mixed.highest(100).sum()


def test_dice_that_differ_but_roll_alike_are_counted_each() -> None:
    """One law for both dice: they are two dice all the same."""
    rolled = Dice([Die([1, 1], [1, 2]), Die([1], [3])])
    assert so.pool(rolled).highest(2).sum() == Law({2: 1})


@pytest.mark.parametrize("counts", [(0, 0, 1, 1), (1, 1, 0, 0), (0, 1, 2, 0)])
def test_dice_that_are_kept_are_the_same_from_the_lowest_face_up(counts) -> None:
    pool = so.pool("2d6", "2d4").keep(*counts)
    rolls = product(*(range(1, sides + 1) for sides in (6, 6, 4, 4)))
    totals = Counter(
        sum(n * x for n, x in zip(counts, sorted(roll), strict=True)) for roll in rolls
    )
    expected = {total: Fraction(n, 576) for total, n in totals.items()}
    for order in ("up", "down"):
        kept = pool.by_face(lambda total, face, n: total + n * face, start=0, order=order)
        assert dict(kept) == expected
