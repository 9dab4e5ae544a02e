"""Small random games against brute force: every pure policy of both, and a matrix game.

What both know to be past is solved by itself, and comes to the same.

Games whose value was published, in fractions.
"""

from fractions import Fraction
from itertools import product
from math import prod
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.hidden_games import DiceBids, SimultaneousPig
from sevenout.errors import RulesError
from sevenout.model import Chain
from sevenout.rules import Ask, HiddenGame, Outcome, choose_again
from sevenout.rules.outcome import unwrap
from sevenout.solving.equilibria import (
    equilibrium,
    plan_of,
    proved_equilibrium,
    sequence_forms,
    simplex_maximum,
)
from tests.solving.dealt import dealt

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
    for s in model.decisions:
        found[model.choosers[s]][model.policy_key(s)] = model.menus[s]
    return [found[player] for player in model.players]


def played(model, policy, s=0):
    """What a pure policy of both is worth to the first player, by walking the whole game."""
    n = len(model.states)
    if s >= n:
        return model.outcomes[s - n].profit(model.players[0])
    moves = model.moves_of(s)
    if model.menus[s]:
        option = policy[model.policy_key(s)]
        return played(model, policy, model.targets[moves[model.menus[s].index(option)]])
    law = model.rollables[model.rollable_index[s]].law
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
    shares, _ = simplex_maximum(table, [Fraction(1)] * len(table), [Fraction(1)] * len(table[0]))
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
    form = sequence_forms(model, [o.profit(model.players[0]) for o in model.outcomes])[0]
    truth = equilibrium(form)
    assert truth.low == truth.high
    with patch("sevenout.solving.equilibria.MAX_SIMPLEX_SEQUENCES", 0):
        found, near = equilibrium(form), equilibrium(form, "certified")
    assert found.low == found.high == truth.value
    assert near.low <= truth.value <= near.high
    assert near.bound < Fraction(1, 10**6)


@QUICKLY
@given(dealt(), st.randoms(use_true_random=False))
def test_any_two_policies_prove_an_interval(game, random):
    model = explored(game)
    form = sequence_forms(model, [o.profit(model.players[0]) for o in model.outcomes])[0]
    truth = equilibrium(form).value
    plans = []
    for side in form.sides:
        mixed = [[random.randint(0, 3) for _ in own.menu] for own in side.sets]
        mixed = [[x + (not any(each)) for x in each] for each in mixed]
        plans.append(plan_of(side, [[Fraction(x, sum(each)) for x in each] for each in mixed]))
    found = proved_equilibrium(form, *plans)
    assert found.low <= truth <= found.high


@QUICKLY
@given(dealt(), st.data())
def test_a_plan_that_is_none_is_refused(game, data):
    model = explored(game)
    form = sequence_forms(model, [o.profit(model.players[0]) for o in model.outcomes])[0]
    plans = [list(plan) for plan in equilibrium(form).plans]
    seat = data.draw(st.integers(0, 1))
    k = data.draw(st.integers(0, form.sides[seat].size - 1))
    plans[seat][k] += data.draw(st.sampled_from([Fraction(1, 7), Fraction(-1), Fraction(-3, 2)]))
    with pytest.raises(RulesError, match="plan"):
        proved_equilibrium(form, *plans)


class Remembering(HiddenGame):
    """Another game whose players see all that they ever saw: nothing is a subgame any more.

    The state is the other game's, and what each player saw and did before.
    """

    def __init__(self, game):
        self.game, self.start = game, (game.start, (), ())

    def _then(self, then, past):
        then, _, _ = unwrap(then)
        if isinstance(then, Outcome):
            return then
        return choose_again((then.state, *past)) if isinstance(then, Ask) else (then, *past)

    def chooser(self, state):
        return self.game.chooser(state[0])

    def rolls(self, state):
        return self.game.rolls(state[0])

    def sees(self, state, player):
        return state[1 + (player == "second")], self.game.sees(state[0], player)

    def choices(self, state):
        inner, *past = state
        menu = self.game.choices(inner)
        if not menu:
            return {}
        own = int(self.chooser(state) == "second")
        seen = self.game.sees(inner, self.chooser(state))
        options = {}
        for option, then in menu.items():
            now = list(past)
            now[own] = (*past[own], (seen, option))
            options[option] = self._then(then, now)
        return options

    def step(self, state, roll):
        return self._then(self.game.step(state[0], roll), state[1:])


@pytest.mark.parametrize("game", [DiceBids(2, 2), SimultaneousPig(4), DiceBids(3, 2)], ids=str)
def test_a_game_of_subgames_has_the_value_of_the_whole(game):
    apart, whole = so.best(game), so.best(Remembering(game))
    assert apart.bound == whole.bound == 0
    assert apart.value == whole.value
    assert len(apart.policy) <= len(whole.policy)


def test_each_bid_is_a_matrix_game():
    game = so.games("dice-bids", bids=3)
    model = so.explore(game)
    forms = sequence_forms(model, [o.profit("first") for o in model.outcomes])
    assert max(side.size for form in forms.values() for side in form.sides) == 4
    assert so.best(game).value == 0


def test_the_chain_of_subgames_comes_to_the_value():
    for name in ("mia", "pig-simultaneous"):
        best = so.best(so.games(name))
        assert so.solve(best.chain).bet("first").mean == best.value
        up = sum(best.reach_probability(state) for state in best.policy)
        tally = so.simulate(best.chain, 2_000, seed=5)
        assert up > 1
        assert abs(tally.bet("first").mean - best.value) < Fraction(1, 10)


def test_policies_are_followed_through_subgames():
    mia = so.best(so.games("mia"))
    assert mia.evaluate(mia.policy).value == mia.value
    assert mia.mistakes(mia.policy) == []

    def honest(asked):
        """Announce what was rolled where that is allowed, else the lowest there is; believe."""
        menu = mia.model.options(asked)
        rolled = asked[1][1].removeprefix("rolled ")
        return rolled if rolled in menu else menu[-1] if "doubt" in menu else menu[0]

    simple = mia.evaluate(honest)
    assert simple.value < mia.value
    assert simple.cost == mia.value - simple.value
    assert mia.mistakes(honest, 3)


def test_certified_parts_add_up_their_bounds():
    game = so.games("dice-bids", bids=3)
    near = so.best(game, method="certified")
    assert near.bound < Fraction(1, 10**6)
    assert abs(near.value) <= near.bound


F = Fraction


def liars(first, second, sides, ones):
    return so.best(so.games("liars-dice", first=first, second=second, sides=sides, ones=ones))


@pytest.mark.parametrize(
    ("dice", "sides", "ones", "value"),
    [
        ((1, 1), 1, "plain", "1"),
        ((1, 1), 2, "plain", "0"),
        ((1, 1), 3, "plain", "-1/9"),
        ((1, 1), 4, "plain", "-1/8"),
        ((1, 1), 5, "plain", "-3/25"),
        ((1, 1), 2, "wild", "1"),
        ((1, 1), 3, "wild", "1/3"),
        ((1, 1), 4, "wild", "0"),
        ((1, 1), 5, "wild", "0"),
        ((1, 1), 6, "plain", "-1/9"),
        ((1, 1), 6, "wild", "-7/327"),
        ((2, 1), 2, "plain", "1/4"),
        ((2, 1), 3, "plain", "1/9"),
        ((2, 1), 4, "plain", "345/1696"),
        ((2, 1), 5, "plain", "2128/8375"),
        ((2, 1), 3, "wild", "1/3"),
        ((2, 1), 4, "wild", "1/4"),
        pytest.param((2, 1), 5, "wild", "34/125", marks=pytest.mark.slow),  # 12 s
        ((1, 2), 3, "plain", "-1/27"),
        ((1, 2), 3, "wild", "-1/27"),
        ((1, 2), 4, "plain", "-1/8"),
        ((1, 2), 4, "wild", "-1/32"),
        ((1, 2), 5, "plain", "-27/125"),
        pytest.param((1, 2), 5, "wild", "-3/125", marks=pytest.mark.slow),  # 12 s
    ],
)
def test_liars_dice(dice, sides, ones, value):
    """T. D. Ahle, snyd (2017), which prints floats; these are their fractions, and proved."""
    best = liars(*dice, sides, ones)
    assert best.value == F(value)
    assert best.bound == 0


def test_dudo():
    """Neller and Lanctot (2013) print -7/258 for one die each."""
    assert so.best(so.games("dudo")).value == F(-7, 258)


def test_perudo_counts_ones_double():
    """As solved over all positions; the bids are those that the rule of halving allows."""
    game = so.games("perudo", sides=3)
    assert list(game.bids) == ["1x2", "1x3", "2x2", "2x3", "1x1", "2x1"]
    assert list(game.choices(((2,), (3,), ()))) == ["1x2", "1x3", "2x2", "2x3"]
    assert list(game.choices(((2,), (3,), ("1x3", "1x1")))) == ["2x1", "call"]
    assert so.best(game).value == so.best(so.explore(game)).value == F(1, 9)


def test_kuhn_poker():
    kuhn = so.best(games.entry("kuhn").game())
    assert kuhn.value == F(-1, 18)
    # Kuhn (1950): the second bluffs with a jack, and calls with a queen, a third of the time.
    assert kuhn.policy["second", ("J", "check")]["bet"] == F(1, 3)
    assert kuhn.policy["second", ("Q", "bet")]["call"] == F(1, 3)
    bluffs = kuhn.policy["first", ("J",)]["bet"]
    assert 0 <= bluffs <= F(1, 3)
    assert kuhn.policy["first", ("K",)]["bet"] == 3 * bluffs
    assert kuhn.policy["first", ("Q", "check", "bet")]["call"] == bluffs + F(1, 3)


def test_each_node_of_kuhn_poker_is_reached_by_one_pair_of_sequences():
    model = so.explore(so.games("kuhn"))
    form = sequence_forms(model, [outcome.profit("first") for outcome in model.outcomes])[0]
    assert form.nodes == len(model.states)


def test_rock_paper_scissors_with_a_heavy_rock():
    """Where a rock wins 2, paper is shown half of the time."""
    game = so.best(so.games("rock-paper-scissors", rock=2))
    assert game.value == 0
    shares = game.policy["second", "nothing"]
    assert shares == {"rock": F(1, 4), "paper": F(1, 2), "scissors": F(1, 4)}
