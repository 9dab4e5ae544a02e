"""Dice that explode: against games that count, truncated sums, and rolls that were made."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import NotationError, TooMuchWorkError
from sevenout.rolling.distribution import Distribution, FiniteDistribution

FACES = st.lists(st.integers(-3, 6), min_size=2, max_size=5, unique=True).filter(
    lambda faces: max(faces) > 0
)


def truncated(faces: list[int], times: int) -> dict[int, Fraction]:
    """One die with equal faces, which explodes at most so often."""
    law: dict[int, Fraction] = {}
    top, n = max(faces), len(faces)
    for k in range(times):
        for face in faces:
            if face != top:
                total = k * top + face
                law[total] = law.get(total, Fraction(0)) + Fraction(1, n ** (k + 1))
    return law


def written(faces: list[int]) -> str:
    return f"d{len(faces)}{{{','.join(map(str, faces))}}}"


@given(FACES)
def test_one_die_is_what_comes_of_rolling_it_again_and_again(faces: list[int]) -> None:
    slow, law = truncated(faces, 40), so.roll(f"{written(faces)}!")
    for total in range(min(faces) - 1, 3 * max(faces)):
        assert law.pmf(total) == slow.get(total, 0)
        assert law.cdf(total) + law.at_least(total + 1) == 1
    assert abs(law.mean - sum(x * p for x, p in slow.items())) < Fraction(1, 1000)


@given(FACES, FACES, st.integers(-4, 4))
def test_sums_are_convolutions(one: list[int], other: list[int], plus: int) -> None:
    law = so.roll(f"{written(one)}!+{written(other)}+{plus}".replace("+-", "-"))
    for total in range(-8, 9):
        slow = sum(
            (p for x, p in truncated(one, 30).items() if (total - plus - x) in other),
            Fraction(0),
        )
        assert law.pmf(total) == slow / len(other)


def test_numbers_add_up() -> None:
    assert so.roll("1+d6!+2-5").mean == so.roll("d6!-2").mean == so.roll("d6!").mean - 2
    assert so.roll("d6!+1-1 > 2+2") == so.roll("(d6!) > 4")


def cut_off(faces: list[int], times: int, dice: int, read: Any) -> tuple[dict[int, Fraction], Any]:
    """Whatever is read of a few such dice, and the probability that one explodes more often."""
    one, law = truncated(faces, times), defaultdict(Fraction)
    for rolls in product(one.items(), repeat=dice):
        law[read([x for x, _ in rolls])] += prod((p for _, p in rolls), start=Fraction(1))
    return law, 1 - sum(law.values())


@pytest.mark.parametrize(
    ("faces", "dice", "keep", "read"),
    [
        ([1, 2, 3], 4, "kh2", lambda x: sum(sorted(x)[2:])),
        ([1, 2, 3, 4], 3, "kh1", max),
        ([0, 1, 2], 4, "kl2", lambda x: sum(sorted(x)[:2])),
        ([1, 2, 3], 4, "dl1", lambda x: sum(sorted(x)[1:])),
        ([1, 2], 5, "kl3", lambda x: sum(sorted(x)[:3])),
        ([-1, 0, 3], 3, "kh2", lambda x: sum(sorted(x)[1:])),
        ([1, 3], 3, "k3", sum),
    ],
)
def test_what_is_kept_of_dice_that_explode(
    faces: list[int], dice: int, keep: str, read: Any
) -> None:
    law = so.roll(f"{dice}{written(faces)}!{keep}")
    slow, cut = cut_off(faces, 4, dice, read)
    assert 0 < cut < Fraction(1, 3)
    for total in range(law.least - 1, 4 * max(faces)):
        assert slow[total] <= law.pmf(total) <= slow[total] + cut
        if keep not in {"kl2", "kl3"} and total < 4 * max(faces) + min(*faces, 0) * 3:
            assert law.pmf(total) == slow[total]  # none of what is kept is beyond the cut


def test_the_best_of_totals_that_explode() -> None:
    """A wild die: the distribution function of the highest is the product of all."""
    for texts in (["d8!", "d6!"], ["2d4!+1", "d12", "d6!-3"]):
        each = [law_of(text) for text in texts]
        high, low = (so.roll(f"{word}({', '.join(texts)})") for word in ("max", "min"))
        for x in range(-4, 60):
            assert high.cdf(x) == prod((law.cdf(x) for law in each), start=Fraction(1))
            assert low.sf(x) == prod((law.sf(x) for law in each), start=Fraction(1))
        assert high.pmf(high.least) > 0 < low.pmf(low.least)
    assert so.roll("max(d8!, d6!)+2d6!").mean == mean_of("max(d8!,d6!)") + mean_of("2d6!")
    assert so.roll("max(d6!, d6!)").mean == mean_of("2d6!kh1")
    assert so.roll("max(d8!, d6!) > 3").p() == 1 - Fraction(3, 8) * Fraction(3, 6)


def test_the_lower_of_two_may_have_a_highest_total() -> None:
    low = so.roll("min(d4!, d6)")
    assert low.support == (1, 6)
    assert "no highest" not in str(so.spread("min(d4!, d6)"))
    assert sum(low.pmf(x) for x in range(1, 7)) == 1


def mean_of(text: str) -> Fraction:
    return so.roll(text).mean


class Again(so.Game):
    """The same as a game, whose counter is the total."""

    dice, start = so.d6, "roll"
    counters = ("total",)

    def step(self, _: str, face: int) -> Any:
        return so.counted("roll" if face == 6 else so.settle("done"), total=face)


def test_a_game_that_counts_has_the_same_law() -> None:
    counted, law = so.solve(Again()).distribution("total"), so.roll("d6!")
    assert [counted.pmf(n) for n in range(60)] == [law.pmf(n) for n in range(60)]
    assert (counted.mean, counted.variance) == (law.mean, law.variance)


@pytest.mark.parametrize(
    ("one", "other"),
    [("d6!", "d8!"), ("2d4!+1", "d12!"), ("d6!", "2d6"), ("d20", "d10!-2"), ("2d6", "2d6+0")],
)
def test_contests_are_sums_over_all_totals(one: str, other: str) -> None:
    result, a, b = so.versus(one, other), law_of(one), law_of(other)
    more = sum(a.sf(n) * b.pmf(n) for n in range(-5, 300))
    equal = sum(a.pmf(n) * b.pmf(n) for n in range(-5, 300))
    assert 0 <= result.more - more < Fraction(1, 10**9)
    assert 0 <= result.equal - equal < Fraction(1, 10**9)
    assert result.more + result.equal + result.less == 1
    assert result.less == so.versus(other, one).more


def test_a_comparison_with_a_total_that_explodes_is_that_of_the_contest() -> None:
    result, total, other = so.versus("d6!", "2d4"), so.roll("d6!"), so.law("2d4")
    assert (total > other).p() == result.more
    assert (total >= other).p() == result.more + result.equal
    assert (total < other).p() == result.less
    assert (total <= other).p() == result.less + result.equal


def law_of(text: str) -> Distribution:
    return so.roll(text) if "!" in text else FiniteDistribution(dict(so.dice(text).totals.law))


def test_rolls_that_were_made_agree() -> None:
    """10,000 rolls of 2d6!; the mean is off by over five standard errors once in 1.7 million."""
    chance, law, rolls = Random(5), so.roll("2d6!"), 10_000

    def die() -> int:
        face = chance.randint(1, 6)
        return face + die() if face == 6 else face

    mean = sum(die() + die() for _ in range(rolls)) / rolls
    assert abs(mean - law.mean) < 5 * law.std / rolls**0.5
    assert law.sample(3, seed=1) == law.sample(3, seed=1)


def test_as_people_see_it() -> None:
    text = str(so.spread("d4!", show=4))
    assert "There is no highest total: 18.7500 % lie above 5." in text
    assert so.spread("d4!", show=4).to_dict()["generating_function"] == "(1 + z + z^2) / (4 - z^4)"
    many = so.spread("30d6!", show=5)
    assert [t["total"] for t in many.to_dict()["totals"]] == [121, 122, 123, 124, 125]
    assert "below 121" in str(many)
    assert "lie above 125" in str(many)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("d10-d6!", "no lowest total"),
        ("4d6kh3!", "write 4d6!kh3"),
        ("4d6!kh5", "keep 5 of 4 dice"),
        ("4d6!keep3", "is not dice"),
        ("3d3{-5,1,3}!kh2", "face below 0"),
        ("max(d8!, d6!", "'\\)' is missing"),
        ("max(d8!,)", "is not dice"),
        ("d1!", "two or more faces"),
        ("d2{-1,0}!", "highest above 0"),
        ("d2{a,b}!", "whole numbers"),
        ("d6!!", "explode twice"),
        ("!", "is not dice"),
        ("d6!+no", "is not dice"),
        ("d6!+d2{1/2,1}", "must be whole numbers"),
        (10, "10 is not text"),
    ],
)
def test_what_can_t_explode(text: Any, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        so.roll(text)


def test_sums_of_dice_are_dice() -> None:
    texts = ["2d6", "d4", "4d6kh3", "8d10>=8", "2d6-d4+3"]
    for one, other in product(texts, repeat=2):
        added, taken = so.dice(one) + so.dice(other), so.dice(one) - so.dice(other)
        a, b = so.dice(one).totals.law, so.dice(other).totals.law
        assert added.totals.law.mean == a.mean + b.mean
        assert taken.totals.law.mean == a.mean - b.mean
        assert so.dice(str(added)).totals.law == added.totals.law
    assert str(so.d6 + so.d6) == str(so.d6 + so.dice("d6")) == "2d6"
    assert str(2 + so.d6 - so.d6) == "d6-d6+2"
    assert str(so.d6 - 1) == "d6-1"
    assert str(1 + so.dice("2d6") - Fraction(1, 2)) == "2d6+1/2"
    with pytest.raises(so.SevenoutError, match="don't add up"):
        so.dice("no-seven") + 1
    with pytest.raises(TypeError):
        so.dice("2d6") + "d4"  # type: ignore[operator]


def test_a_total_less_what_is_no_number_is_left_to_the_other_operand() -> None:
    class Text:
        def __rsub__(self, other: object) -> str:
            return "its own answer"

    total: Any = so.d6.explode()
    assert total - Text() == "its own answer"
    with pytest.raises(TypeError, match="'UnboundedLaw' and 'str'"):
        total - "d4"


def test_a_total_differs_from_a_number_with_the_rest_of_the_probability() -> None:
    total = so.d6.explode()
    assert (total != 3).p() == 1 - (total == 3).p() == Fraction(5, 6)
    assert total != so.d8.explode()


def test_a_page_has_the_likeliest_totals_with_their_shares() -> None:
    lines = [" ".join(line.split()) for line in str(so.spread("d6!", show=7).page()).splitlines()]
    assert lines[0] == "d6!"
    assert "total probability at least at most" in lines
    assert "7 2.7778 % ███▍ 16.6667 % 86.1111 %" in lines


def test_many_kept_dice_that_explode_are_refused_before_they_are_rolled() -> None:
    with pytest.raises(TooMuchWorkError, match="the 499 to keep of 500 dice that explode"):
        so.roll("500d6!kh499")
