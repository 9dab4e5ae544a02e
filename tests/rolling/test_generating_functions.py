"""Counts without a largest value, as people see them."""

from fractions import Fraction

import pytest
from flint import fmpq_poly

from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.rolling.generating_functions import (
    Coefficients,
    CounterLaw,
    RationalFunction,
    rolls_until_streak,
)

# rolls until a die shows a 5 or a 6
ROLLS = CounterLaw(RationalFunction(fmpq_poly([0, 1]), fmpq_poly([3, -2])), "rolls")


def test_a_page_shows_the_moments_the_quantiles_with_their_tails_and_the_likely_counts() -> None:
    lines = [" ".join(line.split()) for line in str(ROLLS.page()).splitlines()]
    assert lines[:7] == [
        "Distribution of rolls",
        "",
        "mean 3 3.000000",
        "variance 6 6.000000",
        "quantile at 1/2 2 P(N > 2) = 0.444444",
        "quantile at 9/10 6 P(N > 6) = 0.087791",
        "quantile at 99/100 12 P(N > 12) = 0.007707",
    ]
    assert lines[7] == "quantile at 999/1000 18 P(N > 18) = 0.000677"
    assert "1 1/3 0.333333 ████████████████████" in lines
    assert "over 12 4096/531441 0.007707 ▌" in lines


def test_a_count_as_data() -> None:
    data = ROLLS.to_dict()
    assert (data["counter"], data["mean"], data["variance"], data["median"]) == (
        "rolls",
        "3",
        "6",
        2,
    )
    assert data["histogram"]["2"] == "2/9"


def test_tails_are_exact_or_within_their_digits() -> None:
    for n in (1, 10, 400):
        low, high = ROLLS.sf_bounds(n, 20)
        assert low <= Fraction(2, 3) ** n <= high
        assert (high - low) * 10**20 <= low
    # bounds do not separate what is less likely from 0
    assert ROLLS.sf_bounds(10**6, 20) == (0, Fraction(1, 2**100_000))


def test_a_fraction_of_too_many_digits_is_refused_with_their_number() -> None:
    with pytest.raises(
        TooMuchWorkError, match=r"at 1,000,000,000,000, a fraction of 6e\+11 digits"
    ):
        ROLLS.pmf(10**12)


@pytest.mark.parametrize("terms", [39, 100])
def test_the_length_of_a_far_coefficient_is_estimated_within_a_few_times(terms: int) -> None:
    coefficients = Coefficients(RationalFunction([1], [terms + 1] + [-1] * terms))
    far = coefficients(3000)
    bits = far.numerator.bit_length() + far.denominator.bit_length()
    assert bits / 2 < coefficients.bits(3000) < 2 * bits


def test_rational_functions_are_equal_in_lowest_terms() -> None:
    z = RationalFunction([0, 1])
    assert 1 / (1 - z) == (1 + z) / (1 - z * z)
    assert 1 / (1 - z) != 1 / (1 + z)
    assert 1 / (1 - z) != z / (1 - z)
    assert RationalFunction([3]) == 3
    assert RationalFunction([3]) != Fraction(1, 3)


@pytest.mark.parametrize(
    ("p", "length", "says"),
    [
        (0, 2, "p=0; give a probability above 0, up to 1"),
        (2, 2, "p=2; give"),
        (1 / 6, 2, "inexact"),
        ("1/6", 0, "length=0; give 1 or more"),
        ("1/6", 2.5, "length=2.5; give 1 or more"),
    ],
)
def test_streaks_that_can_not_be(p, length, says):
    assert rolls_until_streak("1/6", 2).mean == 42
    assert rolls_until_streak(1, 3).mean == 3
    with pytest.raises(RulesError, match=says):
        rolls_until_streak(p, length)
