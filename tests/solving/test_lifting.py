"""Large chains: floats lifted to fractions, digits with a proved bound, and when which is taken."""

from fractions import Fraction

import numpy as np
import pytest

import sevenout as so
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.solving.answer import Solution
from sevenout.solving.lifting import _dot

STEPS = so.Law({-6: 6, -3: 4, -2: 4, -1: 5, 0: 1, 1: 5, 2: 4, 3: 2, 5: 2, 7: 1, 11: 1, 13: 1})


class Walk(so.Game):
    """A bankroll that changes by one of twelve amounts each round."""

    dice = STEPS

    def __init__(self, top: int) -> None:
        self.start, self.top = top // 2, top

    def step(self, money, change):
        money += change
        if money <= 0:
            return so.lose("ruin")
        return so.win("target") if money >= self.top else money


@pytest.mark.parametrize("top", [7, 60, 300])
def test_lifting_and_elimination_agree(top: int) -> None:
    chain = so.explore(Walk(top))
    exact = Solution(chain, "elimination")
    lifted = Solution(chain, "lifting")
    certified = Solution(chain, "certified", digits=80)
    assert lifted.outcomes == exact.outcomes
    assert lifted.mean_rolls == exact.mean_rolls
    assert certified.bound < Fraction(1, 10**80)
    assert certified.status.startswith("certified within ")
    for outcome, p in exact.outcomes.items():
        assert abs(certified.outcomes[outcome] - p) <= certified.bound
    assert abs(certified.mean_rolls - exact.mean_rolls) <= certified.rolls_bound


def test_each_state_lifts_the_weights_of_its_own_die() -> None:
    """Two dice of as many moves, so that one's weights could be taken for the other's."""

    class TwoDice(so.Game):
        dice, start = so.d6, 0

        def rolls(self, state):
            return so.d6 if state % 2 else so.Die(range(1, 7), [1, 1, 1, 1, 1, 7])

        def step(self, state, face):
            return so.win() if face == 6 else (state + face) % 8

    chain = so.explore(TwoDice())
    assert Solution(chain, "lifting").mean_rolls == Solution(chain, "elimination").mean_rolls


@pytest.mark.parametrize("weight", [1, 2**23 - 9])
def test_lifting_counts_and_never_overflows(weight: int) -> None:
    """Heavy weights from every state into one outcome are what 64 bits could lose."""

    class Counting(so.Game):
        dice = so.Law({0: weight, 1: 1, -1: 2})
        start = 0

        def step(self, n, roll):
            if roll == 0:
                return so.counted(so.win("stop"), stops=3)
            then = (n + roll) % 500
            return so.counted(so.lose("home") if then == 250 else then, ups=int(roll > 0))

    chain = so.explore(Counting())
    exact, lifted = Solution(chain, "elimination"), Solution(chain, "lifting")
    assert lifted.outcomes == exact.outcomes
    certified = Solution(chain, "certified", digits=40)
    for counter, most in (("rolls", 1), ("stops", 3), ("ups", 1)):
        assert lifted.mean(counter) == exact.mean(counter)
        error = abs(certified.mean(counter) - exact.mean(counter))
        assert error <= most * certified.rolls_bound


@pytest.mark.parametrize("weight", [1, 2**20, 2**30, 2**40 + 1, 2**59])
def test_a_dot_product_in_pieces_is_exact(weight: int) -> None:
    """Heavy weights leave few bits for each piece: up to 31 pieces."""
    x, weights = [2**62 - 1, 2**61 + 12345, 0, 7], [weight, 0, weight, 1]
    expected = sum(a * b for a, b in zip(x, weights, strict=True))
    assert _dot(np.array(x), np.array(weights)) == expected


def test_large_chains_choose_their_method() -> None:
    assert so.solve(Walk(100)).method == "elimination"
    assert so.solve(Walk(900)).method == "lifting"
    assert so.solve(Walk(25_000)).method == "certified"


def test_fractions_longer_than_python_prints() -> None:
    solution = so.solve(Walk(4_500))
    assert solution.method == "lifting"
    p = solution.to_dict()["outcomes"]["target"]
    assert len(p) > 8_000, "Python refuses to print integers of more than 4,300 digits"
    assert "target …" in repr(solution)
    assert "Where a fraction is blank, it is too long for the page." in str(solution)


def test_a_certified_solution_is_no_die() -> None:
    with pytest.raises(RulesError, match="can't be rolled as a die"):
        so.solve(Walk(30), "certified").as_die()


def test_what_can_not_be_lifted_says_so() -> None:
    class Heavy(so.Game):
        dice = so.Law({0: 2**30, 1: 1})
        start = "on"

        def step(self, state, roll):
            return so.win() if roll else state

    with pytest.raises(RulesError, match="too large to lift"):
        so.solve(Heavy(), "lifting")
    assert so.solve(Heavy()).mean_rolls == 2**30 + 1


def test_what_floats_can_not_factor_is_eliminated() -> None:
    """A walk that drifts to its centre ends after about 10^68 rolls."""

    class Centre(so.Game):
        dice = so.Law({"in": 2, "out": 1})
        start = 225

        def step(self, place, drift):
            place += 1 if (place < 225) == (drift == "in") else -1
            return so.lose() if place == 0 else so.win() if place == 450 else place

    solution = so.solve(Centre())
    assert (solution.method, solution.status) == ("elimination", "exact")
    assert solution.labels["win"] == Fraction(1, 3)
    with pytest.raises(RulesError, match="too slow to end"):
        so.solve(Centre(), "lifting")


class Raffle(so.Game):
    """A long cycle, with counters that advance by huge amounts."""

    dice = so.Law({1: 2, 0: 1})
    start = 0

    def __init__(self, size: int, amount: int) -> None:
        self.size, self.amount = size, amount

    def step(self, place, up):
        place = max(place + (1 if up else -1), 0)
        then = so.win() if place == self.size else place
        return so.counted(then, money=self.amount) if up else then


@pytest.mark.parametrize("amount", [7, 2**45, 3 * 10**18, 10**30])
def test_counters_of_any_size(amount: int) -> None:
    small, large = (so.solve(Raffle(450, a), "lifting") for a in (1, amount))
    assert large.mean("money") == amount * small.mean("money")
    assert so.solve(Raffle(20, amount)).mean("money") == amount * so.solve(Raffle(20, 1)).mean(
        "money"
    )
    if amount > 10**9:
        with pytest.raises(TooMuchWorkError, match="ask for its mean"):
            so.solve(Raffle(20, amount)).distribution("money")


def test_a_cycle_too_long_for_fractions_is_refused() -> None:
    with pytest.raises(TooMuchWorkError, match="cycle of 20,"):
        so.solve(Walk(20_001), "elimination").p("ruin")
    with pytest.raises(TooMuchWorkError, match="distribution of 'rolls' on a cycle"):
        so.solve(Walk(2_000), "lifting").distribution()


def test_certified_rolls_carry_their_bound(craps) -> None:
    solution = so.solve(craps, "certified", digits=10)
    assert solution.mean("rolls") == solution.mean_rolls != Fraction(557, 165)
    assert 0 < solution.rolls_bound < Fraction(1, 10**8)
    assert abs(solution.mean_rolls - Fraction(557, 165)) <= solution.rolls_bound
