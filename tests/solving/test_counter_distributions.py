"""Joint distributions, and those of counters that fall: against a walk over all that can happen.

Counters of money: they go down as well as up, and by fractions.

The tail of a law, far out: single coefficients and certified bounds against plain series.
"""

import re
from collections import defaultdict
from fractions import Fraction
from math import ceil, log, log1p

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError, TooMuchWorkError, UndecidedError
from sevenout.evenings import one_bet
from sevenout.rolling import generating_functions
from sevenout.rolling.generating_functions import (
    Coefficients,
    CounterLaw,
    RationalFunction,
    to_fraction,
)
from sevenout.rules import counted
from sevenout.solving.counter_distributions import JointLaw, increment, lattice_law

COUNTED = {"a": (0, 1, 2), "b": (0, 1), "money": (0, -1, Fraction(3, 2))}


class Drawn(so.Game):
    """A game of a few states that counts on the way.

    Args:
        rows: for each state, for each face: (state that follows or None, increments).
    """

    counters = tuple(COUNTED)

    def __init__(self, rows):
        self.rows, self.start = rows, 0
        self.dice = so.Die(range(len(rows[0])))

    def step(self, state, face):
        then, counts = self.rows[state][face]
        after = so.settle(f"end {face}") if then is None or then >= len(self.rows) else then
        counts = {name: n for name, n in counts.items() if n}
        return so.counted(after, **counts) if counts else after


increments = st.fixed_dictionaries({name: st.sampled_from(ns) for name, ns in COUNTED.items()})
moves = st.tuples(st.one_of(st.none(), st.integers(0, 3)), increments)


@st.composite
def games(draw, cycles=True):
    rows = []
    for s in range(draw(st.integers(1, 3))):
        row = [(None, draw(increments)), *draw(st.lists(moves, min_size=2, max_size=2))]
        if not cycles:
            row = [(None if then is None or then <= s else then, by) for then, by in row]
        rows.append(row)
    return Drawn(rows)


def walked(chain, counters, rolls, given=None):
    """The weight of each settled vector of counts after this many rolls, and what still plays."""
    n = len(chain.states)
    alive, ended = {(0, (0,) * len(counters)): Fraction(1)}, defaultdict(Fraction)
    for _ in range(rolls):
        then = defaultdict(Fraction)
        for (s, at), p in alive.items():
            for w, t, counts in chain.rows[s]:
                after = tuple(x + increment(counts, c) for x, c in zip(at, counters, strict=True))
                share = p * w / chain.denominator
                if t < n:
                    then[t, after] += share
                elif given is None or chain.outcomes[t - n].label == given:
                    ended[after] += share
        alive = then
    return ended, sum(alive.values(), Fraction(0))


@settings(max_examples=40, derandomize=True, deadline=None)
@given(games())
def test_joint_counts_are_those_of_a_walk(game):
    chain = so.explore(game)
    ended, left = walked(chain, ("a", "b"), 8)
    law = so.solve(chain).distribution("a", "b")
    for (n, m), p in ended.items():
        if n <= 3 and m <= 3:
            assert p <= law.pmf(n, m) <= p + left
    both = so.solve(chain).distribution("rolls", "b")
    ended, _ = walked(chain, ("rolls", "b"), 4)
    for (n, m), p in ended.items():
        assert both.pmf(n, m) == p


@settings(max_examples=40, derandomize=True, deadline=None)
@given(games(cycles=False), st.sampled_from([None, "end 0"]))
def test_what_must_end_is_exact_in_every_way(game, label):
    chain = so.explore(game)
    solution = so.solve(chain)
    ended, left = walked(chain, ("a", "money"), len(chain.states), label)
    share = solution.p(label) if label else Fraction(1)
    assert left == 0
    assert sum(ended.values()) == share
    money = solution.distribution("money", condition=label)
    one = {at: p / share for at, p in ended.items()}
    mean = sum(x * p for (_, x), p in one.items())
    assert money.mean == mean
    assert money.central_moment(3) == sum((x - mean) ** 3 * p for (_, x), p in one.items())
    for x in {x for _, x in one}:
        assert money.pmf(x) == sum(p for (_, y), p in one.items() if y == x)
    joint = solution.distribution("a", "b", condition=label)
    both, _ = walked(chain, ("a", "b"), len(chain.states), label)
    assert sum(joint.pmf(*at) for at in both) == 1
    a, b = (sum(at[i] * p for at, p in both.items()) / share for i in (0, 1))
    product = sum(at[0] * at[1] * p for at, p in both.items()) / share
    assert joint.covariance("a", "b") == product - a * b


@settings(max_examples=25, derandomize=True, deadline=None)
@given(games())
def test_money_is_within_its_bound(game):
    chain = so.explore(game)
    law = lattice_law(chain, "money")
    ended, left = walked(chain, ("money",), 9)
    for (x,), p in ended.items():
        assert p - law.bound <= law.pmf(x) <= p + left + law.bound
    assert law.bound < Fraction(1, 10**20)
    assert abs(sum(p * x for x, p in law.probabilities.items()) - law.mean) < Fraction(1, 10**12)


def test_a_turn_at_hazard_together() -> None:
    law = so.solve(so.games["hazard-turn"]).distribution("rounds", "won")
    assert law.pmf(3, 1) > 0
    assert law.pmf(1, 1) == 0
    assert 0 < law.correlation("rounds", "won") < 1
    assert so.solve(so.games["hazard-turn"]).distribution("won").pmf(0) == Fraction(63001, 245025)
    assert "covariance of rounds and won" in law._repr_html_()
    assert law.to_dict()["probabilities"]["2, 0"] == "63001/245025"


def test_what_cannot_be_asked_is_said() -> None:
    solution = so.solve(so.games["hazard-turn"])
    with pytest.raises(RulesError, match="has no counter 'luck'"):
        solution.distribution("luck")
    with pytest.raises(RulesError, match="named twice"):
        solution.distribution("won", "won")
    with pytest.raises(RulesError, match="a whole number for each of rounds, won"):
        solution.distribution("rounds", "won").pmf(1)


def test_a_quantile_that_the_bound_leaves_open_is_undecided() -> None:
    """Money falls for ever: it has no least value, and half of the games end with nothing."""

    class Falls(so.Game):
        dice, start = so.Die(["out", "on"]), 0

        def step(self, state, face):
            return so.settle("out") if face == "out" else so.counted(0, money=-1)

    law = so.solve(Falls()).distribution("money")
    assert law.quantile("3/4") == 0
    assert law.pmf(-2) == Fraction(1, 8)
    with pytest.raises(UndecidedError):
        law.quantile("1/2")
    with pytest.raises(UndecidedError):
        law.quantile(0)


def test_a_table_of_two_counters_says_how_much_it_holds():
    """12 by 6 counts of a turn at hazard are not all: 1 less what they hold is in no cell."""
    law = so.solve(so.games["hazard-turn"]).distribution("rounds", "won")
    held = sum(law.pmf(n, m) for n in range(2, 14) for m in range(6))
    assert f"The table holds {100 * float(held):.2f} % of the probability" in str(law.page())
    assert held < 1


class Purse(so.Game):
    """Pay 7/6 to roll again; a 4 brings 5/3, a 5 or 6 costs 2."""

    dice, start = so.d6, "on"

    def step(self, state, face):
        if face < 4:
            return counted("on", money="-7/6")
        return counted(so.win(), money="5/3") if face == 4 else counted(so.lose(), money=-2)


MEAN = Fraction(-7, 6) + Fraction(1, 3) * Fraction(5, 3) + Fraction(2, 3) * -2


@pytest.mark.parametrize("method", ["elimination", "lifting", "certified"])
def test_the_mean_of_money(method):
    solution = so.solve(Purse(), method)
    assert abs(solution.mean("money") - MEAN) <= solution.rolls_bound * 2


def test_money_is_simulated():
    games = 400_000
    tally = so.simulate(Purse(), games, seed=3)
    # the standard deviation of a game's money is below 4: six of its errors, 2e-9 of false alarms
    assert abs(tally.counters["money"] / games - MEAN) < 6 * 4 / games**0.5


def test_the_distribution_of_money():
    money = so.solve(Purse()).distribution("money")
    assert money.mean == MEAN
    assert abs(sum(x * p for x, p in money.probabilities.items()) - MEAN) <= 1000 * money.bound


@pytest.mark.parametrize("rolls", [3, 60])
def test_the_distribution_of_money_has_a_page(rolls):
    class Walk(so.Game):
        dice, start = so.d6, 0

        def step(self, n, face):
            money = 1 if face > 3 else -1
            return counted(n + 1, money=money) if n < rolls else counted(so.win(), money=money)

    law = so.solve(Walk()).distribution("money")
    data = law.to_dict()
    assert (data["counter"], data["mean"], data["bound"]) == ("money", "0", 0)
    assert data["probabilities"] == {str(x): str(p) for x, p in law.probabilities.items()}
    page = str(law.page())
    assert "quantile at 1/2" in page
    assert re.search(r"money +probability", page)
    assert ("likeliest amounts" in page) == (rolls > 40)  # more rows are left out


polynomials = st.lists(st.integers(-9, 9), min_size=1, max_size=6)


def one_in(n: int) -> CounterLaw:
    """The law of the first of the rolls on which a 1-in-n event happens."""
    return CounterLaw(RationalFunction([0, 1], [n, 1 - n]))


class Ladder(so.Game):
    """A walk up and down, which begins low on a ladder with this many rungs."""

    dice = so.Law({1: 1, -1: 1})

    def __init__(self, rungs: int, start: int) -> None:
        self.rungs, self.start = rungs, start

    def step(self, rung, move):
        rung += move
        return so.lose() if rung == 0 else so.win() if rung == self.rungs else rung


@given(polynomials, st.integers(1, 9), polynomials, st.integers(1, 3))
def test_one_coefficient_is_that_of_the_series(top, first, bottom, step) -> None:
    spread = [first] + [c for d in bottom for c in [0] * (step - 1) + [d]]
    function = RationalFunction(top, spread)
    series = [to_fraction(c) for c in function.series(60)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generating_functions, "MAX_SERIES_BITS", -1)
        alone = Coefficients(function)
        assert [alone(n) for n in range(60)] == series
    assert [Coefficients(function)(n) for n in range(60)] == series


@given(st.lists(st.integers(1, 5), min_size=2, max_size=6), st.integers(0, 400))
def test_bounds_hold_the_exact_tail(weights, n) -> None:
    """Sums of geometric counts of any rates; each bound holds, and they close in."""
    function = RationalFunction([1])
    for w in weights:
        function = function * RationalFunction([0, w], [w + 1, -1])
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


def test_a_counter_that_the_game_lacks_is_refused():
    """Its covariance with any other was 0."""
    turn = so.solve(so.games["hazard-turn"])
    joint = turn.distribution("rounds", "won")
    for figure in (joint.covariance, joint.correlation):
        with pytest.raises(RulesError, match="no counter 'x'; it has: rolls, rounds, won"):
            figure("rounds", "x")
    with pytest.raises(RulesError, match="no counter 'x'"):
        JointLaw(turn.chain, ["rolls", "x"])
    with pytest.raises(RulesError, match="a table shows two counters"):
        JointLaw(turn.chain, ["rolls"]).table()
