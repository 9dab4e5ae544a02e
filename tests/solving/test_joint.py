"""Joint distributions, and those of counters that fall: against a walk over all that can happen."""

from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError, UndecidedError
from sevenout.solving.counter_distributions import increment, lattice_law

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
    assert abs(sum(p * x for x, p in law.row.items()) - law.mean) < Fraction(1, 10**12)


def test_a_turn_at_hazard_together() -> None:
    law = so.solve(so.games["hazard-turn"]).distribution("rounds", "won")
    assert law.pmf(3, 1) > 0
    assert law.pmf(1, 1) == 0
    assert 0 < law.correlation("rounds", "won") < 1
    assert law.marginal("won").pmf(0) == Fraction(63001, 245025)
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
