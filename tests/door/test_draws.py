"""Values that are drawn: as the quantile says them, and not more than allowed."""

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

import sevenout as so
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.rolling.distribution import FiniteDistribution

LAW = FiniteDistribution({1: Fraction(1, 3), 2: Fraction(1, 6), 7: Fraction(1, 2)})


def test_the_quick_way_draws_what_the_quantile_says() -> None:
    chance = Random(5)
    slow = [LAW.quantile(Fraction(2 * chance.getrandbits(63) + 1, 2**64)) for _ in range(2_000)]
    assert LAW.sample(2_000, 5) == slow == list(LAW.draws(2_000, 5))


def test_values_are_drawn_as_often_as_they_are_likely() -> None:
    n = 4_000
    shares = Counter(LAW.sample(n, seed=7))
    for value, p in LAW.items():
        sigma = sqrt(n * p * (1 - p))
        assert abs(shares[value] - n * p) < 4 * sigma


@pytest.mark.parametrize("times", [-1, 1.5, "x", None, True])
def test_what_is_no_number_of_values(times: object) -> None:
    for law in (LAW, so.solve(so.games["craps"]).distribution("rolls")):
        with pytest.raises(RulesError, match=r"times=.*; give a whole number"):
            law.sample(times)  # type: ignore[arg-type]


def test_too_many_are_refused_at_once() -> None:
    with pytest.raises(TooMuchWorkError, match="draw fewer"):
        LAW.sample(10**12)
    with pytest.raises(TooMuchWorkError, match="draw fewer"):
        LAW.sample(10**8 + 10**9)
