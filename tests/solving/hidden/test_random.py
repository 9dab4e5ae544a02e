"""Small random games against brute force: every pure policy of both, and a matrix game."""

from fractions import Fraction
from itertools import product
from math import prod
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError
from sevenout.model import Chain
from sevenout.solving.equilibria import equilibrium, maximum, plan_of, proved, sequence_form
from tests.solving.hidden.dealt import dealt

MOST = 600
"""Pairs of pure policies of a game."""
QUICKLY = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def explored(game):
    model = so.explore(game)
    assume(not isinstance(model, Chain))
    assume(len(model.players) == 2)
    return model


def menus(model):
    """The options of each question, by player, from the model alone."""
    found = {player: {} for player in model.players}
    for s in model.questions:
        found[model.choosers[s]][model.question(s)] = model.menus[s]
    return [found[player] for player in model.players]


def played(model, policy, s=0):
    """What a pure policy of both is worth to the first player, by walking the whole game."""
    n = len(model.states)
    if s >= n:
        return model.outcomes[s - n].profit(model.players[0])
    moves = range(model.first[s], model.first[s + 1])
    if model.menus[s]:
        option = policy[model.question(s)]
        return played(model, policy, model.targets[moves[model.menus[s].index(option)]])
    law = model.rollables[model.rolled[s]].law
    weights = zip(law.weights, moves, strict=True)
    return sum(w * played(model, policy, model.targets[m]) for w, m in weights) / Fraction(
        law.denominator
    )


def pure(questions):
    return [dict(zip(questions, each, strict=True)) for each in product(*questions.values())]


def matrix_value(matrix):
    """The value of a matrix game, as a linear program in fractions of its own kind."""
    least = min(map(min, matrix)) - 1
    table = [[Fraction(x - least) for x in row] for row in matrix]
    shares, _ = maximum(table, [Fraction(1)] * len(table), [Fraction(1)] * len(table[0]))
    return 1 / sum(shares) + least


@QUICKLY
@given(dealt())
def test_the_value_is_that_of_all_pure_policies(game):
    model = explored(game)
    one, two = menus(model)
    assume(prod(map(len, one.values())) * prod(map(len, two.values())) <= MOST)
    matrix = [[played(model, a | b) for b in pure(two)] for a in pure(one)]
    best = so.best(game)
    assert best.value == matrix_value(matrix)
    assert best.bound == 0
    assert so.solve(best.chain).bet(model.players[0]).mean == best.value


@QUICKLY
@given(dealt())
def test_floats_come_to_the_same_fractions(game):
    """What is for large games, on small ones: HiGHS, made exact or rounded."""
    model = explored(game)
    form = sequence_form(model, [o.profit(model.players[0]) for o in model.outcomes])
    truth = equilibrium(form)
    assert truth.low == truth.high
    with patch("sevenout.solving.equilibria.SMALL", 0):
        found, near = equilibrium(form), equilibrium(form, "certified")
    assert found.low == found.high == truth.value
    assert near.low <= truth.value <= near.high
    assert near.bound < Fraction(1, 10**6)


@QUICKLY
@given(dealt(), st.randoms(use_true_random=False))
def test_any_two_policies_prove_an_interval(game, random):
    model = explored(game)
    form = sequence_form(model, [o.profit(model.players[0]) for o in model.outcomes])
    truth = equilibrium(form).value
    plans = []
    for side in form.sides:
        mixed = [[random.randint(0, 3) for _ in own.menu] for own in side.sets]
        mixed = [[x + (not any(each)) for x in each] for each in mixed]
        plans.append(plan_of(side, [[Fraction(x, sum(each)) for x in each] for each in mixed]))
    found = proved(form, *plans)
    assert found.low <= truth <= found.high


@QUICKLY
@given(dealt(), st.data())
def test_a_plan_that_is_none_is_refused(game, data):
    model = explored(game)
    form = sequence_form(model, [o.profit(model.players[0]) for o in model.outcomes])
    plans = [list(plan) for plan in equilibrium(form).plans]
    seat = data.draw(st.integers(0, 1))
    k = data.draw(st.integers(0, form.sides[seat].size - 1))
    plans[seat][k] += data.draw(st.sampled_from([Fraction(1, 7), Fraction(-1), Fraction(-3, 2)]))
    with pytest.raises(RulesError, match="plan"):
        proved(form, *plans)
