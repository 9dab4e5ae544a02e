from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import dice, laws

import sevenout as so
from sevenout.errors import RulesError, SevenoutError
from sevenout.rolling import Dice, Die, Law, d4, d6


@given(dice)
def test_totals_by_convolution_are_totals_by_enumeration(rolled: Dice) -> None:
    merged: dict[int, int] = {}
    sides = (zip(die.faces, die.weights, strict=True) for die in rolled.dice)
    for shown in product(*sides):
        weight = 1
        for _, w in shown:
            weight *= w
        key = sum(face for face, _ in shown)
        merged[key] = merged.get(key, 0) + weight
    assert rolled.totals.law == Law(merged)


@given(dice)
def test_the_ways_refine_the_totals(rolled: Dice) -> None:
    totals: dict[object, Fraction] = {}
    for (total, _), p in rolled.ways.law.items():
        totals[total] = totals.get(total, Fraction(0)) + p
    assert totals == dict(rolled.totals.law)


@given(laws)
def test_probabilities_add_to_one_and_moments_agree(law: Law) -> None:
    assert sum(law.values()) == 1
    assert law.mean == sum(x * p for x, p in law.items())
    assert law.variance == sum((x - law.mean) ** 2 * p for x, p in law.items())
    assert Law.of_probabilities(dict(law)) == law


@given(laws, laws)
def test_laws_are_equal_when_their_probabilities_are(a: Law, b: Law) -> None:
    assert (a == b) == (dict(a) == dict(b))
    assert (hash(a) == hash(b)) or a != b


def test_sicherman_dice_have_the_totals_of_two_dice() -> None:
    one, other = so.dice("d6{1,2,2,3,3,4}+d6{1,3,4,5,6,8}"), so.dice("2d6")
    assert one.totals.law == other.totals.law
    assert one.ways.law != other.ways.law


def test_a_face_is_removed_relabelled_and_reweighted() -> None:
    assert d6.remove(6).law == Die.standard(5).law
    assert d4.relabel(lambda face: "odd" if face % 2 else "even").law["odd"] == Fraction(1, 2)
    assert d6.reweigh({6: Fraction(3, 2)}).law[6] == Fraction(3, 13)
    assert Die({"H": 1, "T": 3}).relabel(str.lower).law["t"] == Fraction(3, 4), "weights stay"
    assert d6 == Die.standard(6), "a die is a value: it has not changed"


def test_cards_are_dealt_without_replacement() -> None:
    law = so.deck(list(range(1, 7)) * 2).deal(2).totals.law
    assert law[2] == Fraction(2 * 1, 12 * 11)
    assert law[7] == Fraction(6 * 2 * 2, 12 * 11)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Die([]), "at least one"),
        (lambda: Die([1, 2], [1]), "1 weights for 2 faces"),
        (lambda: Die([1], [0]), "face 1 is 0"),
        (lambda: Die([1], [1.5]), "face 1 is 1.5"),
        (lambda: Law({}), "positive weight"),
        (lambda: Law({1: -1}), "weight of 1 is -1"),
        (lambda: d6.remove(7), "d6 has no face 7"),
        (lambda: d6.reweigh({0: 2}), "no face 0"),
        (lambda: d6.reweigh({1: 0.5}), "inexact"),
        (lambda: Dice([]), "no dice"),
        (lambda: so.deck([1]).deal(2), "2 cards from a deck of 1; deal 0 to 1"),
        (lambda: so.deck(6), "cards=6; give a list"),
        (lambda: Die(20), r"faces=20; write sevenout.dice\('d20'\)"),
        (lambda: Die(-1), "write sevenout.dice"),
        (lambda: Die("2d6"), r"faces='2d6'; write sevenout.dice\('d6'\)"),
        (lambda: Die(None), "faces=None; list one for each face"),
        (lambda: Die([1, 2], 3), "weights=3; list one for each face"),
        (lambda: Die([1, [2]]), r"the face \[2\] is mutable"),
        (lambda: Die.standard("6"), "a die with '6' sides"),
        (lambda: Die.standard(True), "a die with True sides"),
        (lambda: Die.standard(10**12), "would take"),
        (lambda: Dice("2d6"), "'2d6' is not a list of dice"),
        (lambda: Dice(d6), r"not a list of dice; write sevenout.dice\('2d6'\)"),
        (lambda: Dice([6, 6]), "6 is not a die"),
        (lambda: Dice([d6], total=7), "total=7; give a function"),
        (lambda: Law([1, 2]), r"\[1, 2\] is not a distribution"),
        (lambda: Law({1: 0.5}), "the weight of 1 is 0.5; give a whole number"),
        (lambda: so.dice(20), r"write sevenout.dice\('d20'\)"),
        (lambda: so.dice(None), "None can't be rolled"),
        (lambda: so.dice(["d6"]), "'d6' is not a die"),
        (lambda: so.dice({"a": Fraction(1, 2)}), "give a whole number"),
        (lambda: d6.sample(-1), "times=-1; give a whole number"),
        (lambda: d6.sample(2, seed="x"), "seed='x'; give a whole number"),
        (lambda: d6.sample(10**12), "would take"),
        (lambda: so.pool("2d6").highest(3), "keep 3 of 2 dice; keep at most 2"),
        (lambda: so.pool("d2{a,b}").lowest(1).sum(), "can't be added"),
        (lambda: Dice([Die(["a", 1])]).hands.law, "must be sortable; give them numbers"),
    ],
)
def test_errors_name_the_wrong_value(make, says: str) -> None:
    with pytest.raises(SevenoutError, match=says) as error:
        make()
    assert len(str(error.value)) < 400


@given(st.integers(1, 12))
def test_every_rollable_is_linear_in_each_source(i: int) -> None:
    """`weigh` of a unit row is the law given that face, which the exact gradient relies on."""
    pair = so.dice("d4+d6")
    face = (i - 1) % 4
    rows = [[int(k == face) for k in range(4)], [1] * 6]
    given_face = {t: w for t, w in pair.totals.weigh(rows).items() if w}
    assert given_face == {face + 1 + k: 1 for k in range(1, 7)}


def test_labels_do_not_add_up_but_can_be_read() -> None:
    coins = Dice([Die("HT"), Die("HT")])
    assert coins.read(lambda roll: roll.faces.count("H")).law == Law({0: 1, 1: 2, 2: 1})
    assert coins.totals.law == Law({None: 1})
    assert so.deck("AKQ").deal(2).law.p(lambda roll: "A" in roll.faces) == Fraction(2, 3)
    with pytest.raises(RulesError, match="convert it to one"):
        coins.law.mean  # noqa: B018


@pytest.mark.parametrize("text", ["d6", "2d6", "d2{1:2,6}"])
def test_rolls_and_their_totals_have_different_laws(text: str) -> None:
    rolls, totals = so.dice(text).law, so.law(text)
    assert rolls != totals
    assert totals != rolls
    assert totals in [rolls, totals]
    assert len({rolls, totals, so.dice(text).law}) == 2
    assert rolls == Law(dict(rolls.counts.items()))
