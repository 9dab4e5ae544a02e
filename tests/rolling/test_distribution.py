"""Quantiles of certified distributions, and how a bound is printed."""

from fractions import Fraction

import pytest

from sevenout.errors import RulesError, UndecidedError
from sevenout.rolling.distribution import Distribution, FiniteDistribution, square_root, status_of

BOUND = Fraction(1, 100)
ROUGH = {0: Fraction(1, 200), 1: Fraction(1, 2), 2: Fraction(99, 200)}
"""The first probability is below the bound."""


def test_known_ends_are_the_quantiles_at_0_and_1() -> None:
    law = FiniteDistribution(ROUGH, BOUND, ends=(Fraction(-1), Fraction(3)))
    assert (law.quantile(0), law.quantile(1)) == law.support == (-1, 3)


def test_a_quantile_within_the_bound_of_an_end_may_be_the_end() -> None:
    law = FiniteDistribution(ROUGH, BOUND, ends=(Fraction(-1), Fraction(3)))
    assert law.quantile_range(BOUND) == (-1, 1)
    assert law.quantile_range(1 - BOUND / 2) == (2, 3)
    assert law.quantile_cell("1/4") == 1
    with pytest.raises(UndecidedError, match=r"at 1/100 is undecided .* from -1 to 1"):
        law.quantile(BOUND)


def test_without_known_ends_the_outermost_quantiles_are_undecided() -> None:
    law = FiniteDistribution(ROUGH, BOUND)
    for q in (0, BOUND, 1):
        with pytest.raises(UndecidedError, match="no known ends"):
            law.quantile(q)
    assert law.quantile("1/4") == 1


def test_a_bound_is_printed_rounded_up() -> None:
    assert status_of(Fraction(1, 3)) == "certified within 3.4e-1"
    assert FiniteDistribution(ROUGH, BOUND).status == "certified"
    assert FiniteDistribution({0: Fraction(1)}).status == status_of(Fraction(0)) == "exact"


@pytest.mark.parametrize("values", [{1: 1, 2: 1}, {-3: 5, 0: 1, 10: 6}, {Fraction(1, 2): 1, 7: 2}])
def test_a_sample_of_a_list_inverts_the_cdf_as_that_of_any_distribution(values) -> None:
    total = sum(values.values())
    law = FiniteDistribution({x: Fraction(n, total) for x, n in values.items()})
    sample = law.sample(2_000, seed=7)
    assert sample == list(Distribution.draws(law, 2_000, 7)) == law.sample(2_000, seed=7)
    for x, n in values.items():
        # six standard deviations: the seed is fixed, so it can't fail by chance
        assert abs(sample.count(x) - 2_000 * n / total) < 6 * (2_000 * n / total) ** 0.5


def test_a_sample_of_another_seed_is_another() -> None:
    law = FiniteDistribution({n: Fraction(1, 6) for n in range(1, 7)})
    assert law.sample(50, seed=1) != law.sample(50, seed=2)


def test_a_mean_says_that_it_is_not_called() -> None:
    with pytest.raises(TypeError, match=r"write \.mean without brackets"):
        FiniteDistribution({1: Fraction(1)}).mean()  # type: ignore[operator]


def test_a_square_root_has_the_range_of_floats_although_its_square_has_not() -> None:
    large = Fraction(10**200)
    assert square_root(large**2) == float(large)
    assert square_root(1 / large**2) == float(1 / large)
    assert square_root(large**4) == float("inf")
    assert square_root(Fraction(0)) == square_root(1 / large**4) == 0
    assert FiniteDistribution({0: Fraction(1, 2), large: Fraction(1, 2)}).std == float(large / 2)


def test_equal_values_are_one_and_probabilities_add_up_to_1() -> None:
    half = Fraction(1, 2)
    assert FiniteDistribution({"1/2": half, half: half}).cdf(1) == 1
    with pytest.raises(RulesError, match=r"is off by -0\.5; it must be 1"):
        FiniteDistribution({1: half})
