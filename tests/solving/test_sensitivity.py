from fractions import Fraction
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError
from sevenout.rolling import Dice, Law, d6
from sevenout.rolling.sevenless import Rerolled
from sevenout.solving.sensitivity import bias, gradient


def won(outcome) -> bool:
    return outcome.profit("pass") > 0


def loaded(weights) -> so.PointGame:
    die = so.Die(range(1, 7), weights)
    return so.PointGame([7, 11], [2, 3, 12], 7, dice=Dice([die, die]))


def test_the_gradient_of_craps() -> None:
    (slopes,) = gradient(so.solve(so.games["craps"]), won).values()
    assert [27225 * s * Fraction(5, 6) for s in slopes] == [-9211, -2836, 2972, 2972, 6239, -136]


def test_a_face_one_point_likelier_moves_the_edge_by_a_hundredth_of_the_slope() -> None:
    """The true edge with the first face 1/100 likelier and the others in proportion."""
    solution = so.solve(so.games["craps"])
    (slopes,) = gradient(solution, lambda outcome: -outcome.profit("pass")).values()
    assert slopes[0] == Fraction(110532, 136125)
    step = Fraction(1, 10**6)
    one, rest = Fraction(1, 6) + step, (Fraction(5, 6) - step) / 5
    unit = 1 / (rest / 10**9)
    weights = [int(one * unit), *[10**9] * 5]
    likelier = so.solve(loaded(weights)).bet().edge
    assert abs((likelier - solution.bet().edge) / step - slopes[0]) < Fraction(1, 10**4)


def test_a_face_that_always_comes_up_cannot_become_likelier() -> None:
    always = so.Die([5])
    game = so.PointGame([7, 11], [6], 9, pushes=[9], dice=Dice([always, d6]))
    assert gradient(so.solve(game), won)[always] == (0,)


def test_the_gradient_of_the_mean_rolls_until_a_six() -> None:
    """It is 1/p for the six's probability p, which another face lowers by p/(1 - p)."""

    class UntilASix(so.Game):
        dice, start = d6, "waiting"

        def step(self, state, face):
            return so.win() if face == 6 else state

    (slopes,) = gradient(so.solve(UntilASix())).values()
    assert slopes == (*[Fraction(36, 5)] * 5, -36)


@given(st.lists(st.integers(1, 4), min_size=6, max_size=6), st.integers(0, 5))
def test_the_gradient_is_the_limit_of_differences(weights, face: int) -> None:
    """A central difference of the true function, exact, with an error of order h squared."""
    solution = so.solve(loaded(weights))
    total = sum(weights)
    slope_p = gradient(solution, won)
    slope_n = gradient(solution)
    (die,) = slope_p
    h = Fraction(1, 10**6)

    def at(step: Fraction):
        # The probability of one face grows by a step; the others shrink in proportion.
        left = 1 - step / (1 - Fraction(weights[face], total))
        shares = [Fraction(w, total) * left for w in weights]
        shares[face] = Fraction(weights[face], total) + step
        scale = lcm(*(s.denominator for s in shares))
        return so.solve(loaded([int(s * scale) for s in shares]))

    up, down = at(h), at(-h)
    i = die.faces.index(face + 1)
    assert abs((up.p(won) - down.p(won)) / (2 * h) - slope_p[die][i]) < Fraction(1, 10**8)
    assert abs((up.mean_rolls - down.mean_rolls) / (2 * h) - slope_n[die][i]) < Fraction(1, 10**6)
    for slopes in (slope_p[die], slope_n[die]):
        spread = [s * w * (total - w) for s, w in zip(slopes, weights, strict=True)]
        assert sum(spread) == 0


@given(st.fractions("-1/2", 3))
def test_a_bias_is_a_rational_function(t: Fraction) -> None:
    function = bias(so.games["craps"], {6: 1, 1: -1}, won)
    if not -1 < t < 1:
        t = Fraction(1, 3)
    die = d6.reweigh({6: 1 + t, 1: 1 - t})
    game = so.PointGame([7, 11], [2, 3, 12], 7, dice=Dice([die, die]))
    assert function(t) == so.solve(game).p(won)


def test_the_slope_of_the_function_is_the_gradient() -> None:
    (slopes,) = gradient(so.solve(so.games["craps"]), won).values()
    for face in range(1, 7):
        function = bias(so.games["craps"], {face: 1}, won)
        # a face of weight 1 + t has probability (1 + t) / (6 + t), with the slope 5/36 at t = 0
        assert function.derivative()(0) == slopes[face - 1] * Fraction(5, 36)


def test_the_gradient_of_a_roll_that_is_made_again() -> None:
    """A 1 is rolled again; so P(6) = p6 / (p2 + ... + p6), and its slopes are by hand."""

    class Six(so.Game):
        dice = Rerolled(d6.read(lambda face: face), 1)

        def step(self, state, face):
            return so.win() if face == 6 else so.lose()

    solution = so.solve(Six())
    (slopes,) = gradient(solution, won).values()
    each = Fraction(6, 5) * Fraction(1, 5)  # of p6 / s by any other face but 1: p6 / s^2
    likelier = Fraction(6, 5)  # the others shrink by 1 / (1 - 1/6)
    assert slopes == (0, *[-each * likelier] * 4, (Fraction(6, 5) - each) * likelier)
    for face in range(1, 7):  # the same from the rational function of a bias
        assert bias(Six(), {face: 1}, won).derivative()(0) == slopes[face - 1] * Fraction(5, 36)


def test_a_gradient_of_something_else() -> None:
    with pytest.raises(RulesError, match="give solve"):
        gradient(so.games["craps"])


def test_a_face_that_no_die_has() -> None:
    with pytest.raises(RulesError, match="no die of the game has a face 7"):
        bias(so.games["craps"], {7: 1}, won)


def test_equal_laws_whose_faces_come_in_another_order() -> None:
    class Twice(so.Game):
        """Tails then heads wins, each looked at in its own way."""

        def rolls(self, state):
            law = Law({"h": 1, "t": 2}) if state is None else Law({"t": 2, "h": 1})
            return law.read(lambda face: ("first" if state is None else "second", face))

        def step(self, state, roll):
            if state is None:
                return "on" if roll[1] == "h" else so.lose()
            return so.win() if roll[1] == "h" else so.lose()

    # P = p^2 with p = 1/3, so dP/dp = 2/3; if t becomes likelier, h shrinks by as much.
    slopes = gradient(so.solve(Twice()), won)
    ((source, found),) = slopes.items()
    assert dict(zip(source.faces, found, strict=True)) == {
        "h": Fraction(2, 3),
        "t": Fraction(-2, 3),
    }
