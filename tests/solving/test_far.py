"""The tail of a law, far out: single coefficients and certified bounds against plain series."""

from fractions import Fraction
from math import ceil, log, log1p

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.evenings import one_bet
from sevenout.rolling import generating_functions
from sevenout.rolling.generating_functions import Coefficients, CounterLaw, Rational, fraction

polynomials = st.lists(st.integers(-9, 9), min_size=1, max_size=6)


def one_in(n: int) -> CounterLaw:
    """The law of the first of the rolls on which a 1-in-n event happens."""
    return CounterLaw(Rational([0, 1], [n, 1 - n]))


class Ladder(so.Game):
    """A walk up and down, from low on a ladder of so many rungs."""

    dice = so.Law({1: 1, -1: 1})

    def __init__(self, rungs: int, start: int) -> None:
        self.rungs, self.start = rungs, start

    def step(self, rung, move):
        rung += move
        return so.lose() if rung == 0 else so.win() if rung == self.rungs else rung


@given(polynomials, st.integers(1, 9), polynomials, st.integers(1, 3))
def test_one_coefficient_is_that_of_the_series(top, first, bottom, step) -> None:
    spread = [first] + [c for d in bottom for c in [0] * (step - 1) + [d]]
    function = Rational(top, spread)
    series = [fraction(c) for c in function.series(60)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generating_functions, "SHORT", -1)
        alone = Coefficients(function)
        assert [alone(n) for n in range(60)] == series
    assert [Coefficients(function)(n) for n in range(60)] == series


@given(st.lists(st.integers(1, 5), min_size=2, max_size=6), st.integers(0, 400))
def test_bounds_hold_the_exact_tail(weights, n) -> None:
    """Sums of geometric counts of any rates; each bound holds, and they close in."""
    function = Rational([1])
    for w in weights:
        function = function * Rational([0, w], [w + 1, -1])
    law = CounterLaw(function)
    for low_high, exact in ((law.pmf_bounds, law.pmf(n)), (law.sf_bounds, law.sf(n))):
        for digits in (3, 40):
            low, high = low_high(n, digits)
            assert low <= exact <= high
            assert (high - low) * 10**digits <= low
    for bits in (8, 16, 64, 256):
        low, high = law._sf.bounds(n, bits)
        assert 0 <= low <= law.sf(n) <= high <= 1


@pytest.mark.parametrize("n", [100, 10_000, 10**6])
def test_the_median_of_a_rare_event(n) -> None:
    """Against logarithms, which are this far from whole numbers here."""
    assert one_in(n).quantile("1/2") == ceil(log(2) / -log1p(-1 / n))


def test_the_median_of_a_rare_event_of_a_game() -> None:
    class Rare(so.Game):
        dice = so.Law({1: 1, 0: 9999})
        start = "waiting"

        def step(self, state, roll):
            return so.win() if roll else state

    assert so.solve(Rare()).distribution().quantile("1/2") == 6932


@given(st.integers(2, 40), st.integers(1, 200), st.integers(-1, 1))
@settings(max_examples=30)
def test_a_quantile_at_the_very_edge(n, rolls, nudge) -> None:
    """The bounds can't tell P(N <= n) from itself; then the exact tail decides."""
    law = one_in(n)
    q = law.cdf(rolls) + nudge * Fraction(1, 10**500)
    assert law.quantile(q) == rolls + (nudge == 1)


def test_quantiles_of_a_ladder_against_its_walk() -> None:
    law = so.solve(Ladder(150, 75)).distribution()
    alive, n = np.zeros(151), 0
    alive[75] = 1
    while alive.sum() > 0.01:
        inside = np.concatenate([[0], (alive[:-2] + alive[2:]) / 2, [0]])
        alive, n = inside, n + 1
    assert law.quantile("99/100") == n
    low, high = law.sf_bounds(n)
    assert high <= Fraction(1, 100) < law.sf_bounds(n - 1)[0]
    assert float(low) == pytest.approx(alive.sum(), rel=1e-9)
    assert high - low < Fraction(1, 10**30)


def test_a_far_coefficient_is_exact_or_refused() -> None:
    law = so.solve(so.games["craps"]).distribution()
    assert law.pmf(100_000) > 0
    with pytest.raises(TooMuchWorkError, match="ask for its bounds"):
        law.pmf(10**9)
    with pytest.raises(TooMuchWorkError, match="ask for its bounds"):
        law.sf(10**9)
    low, high = law.sf_bounds(10**9)
    assert low == 0 < high < Fraction(1, 2**1000)


def test_what_never_happens_has_probability_zero_however_far() -> None:
    law = so.solve(Ladder(8, 4)).distribution()
    assert law.pmf_bounds(100_001) == (0, 0)
    assert law.pmf_bounds(100_000)[0] > 0
    assert law.pmf_bounds(-1) == (0, 0)
    assert law.sf_bounds(-3) == (1, 1)


def test_a_session_prints() -> None:
    law = so.solve(one_bet(so.games["craps"], 10, target=20).game).distribution()
    page = str(law)
    for q in ("1/2", "999/1000"):
        n = law.quantile(q)
        assert f"P(N > {n}) = {float(law.sf_bounds(n)[0]):.6f}" in page


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda law: law.pmf("three"), "'three' is not an amount"),
        (lambda law: law.sf(2.5), "2.5 is a float"),
        (lambda law: law.sf_bounds(3, digits=0), "digits=0"),
        (lambda law: law.quantile(0.5), "float"),
        (lambda law: law.quantile(2), "quantile at 2"),
        (lambda law: law.quantile("half"), "'half'"),
    ],
)
def test_wrong_questions(ask, message) -> None:
    with pytest.raises(RulesError, match=message):
        ask(one_in(6))
