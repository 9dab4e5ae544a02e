"""What both know to be past is solved by itself, and comes to the same."""

from fractions import Fraction

import pytest

import sevenout as so
from sevenout.catalogue.hidden_games import DiceBids, SimultaneousPig
from sevenout.rules import Ask, HiddenGame, Outcome, choose_again
from sevenout.rules.outcome import followed
from sevenout.solving.equilibria import sequence_forms


class Remembering(HiddenGame):
    """Another game whose players see all that they ever saw: nothing is a subgame any more.

    The state is the other game's, and what each player saw and did before.
    """

    def __init__(self, game):
        self.game, self.start = game, (game.start, (), ())

    def _then(self, then, past):
        then, _, _ = followed(then)
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
def test_a_game_of_subgames_is_worth_what_it_is_as_a_whole(game):
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
        up = sum(best.comes_up(state) for state in best.policy)
        tally = so.simulate(best.chain, 2_000, seed=5)
        assert up > 1
        assert abs(tally.bet("first").mean - best.value) < Fraction(1, 10)


def test_policies_are_followed_through_subgames():
    mia = so.best(so.games("mia"))
    assert mia.follow(mia.policy).value == mia.value
    assert mia.mistakes(mia.policy) == []

    def honest(asked):
        """Announce what was rolled where that is allowed, else the lowest there is; believe."""
        menu = mia.model.options(asked)
        rolled = asked[1][1].removeprefix("rolled ")
        return rolled if rolled in menu else menu[-1] if "doubt" in menu else menu[0]

    simple = mia.follow(honest)
    assert simple.value < mia.value
    assert simple.cost == mia.value - simple.value
    assert mia.mistakes(honest, 3)


def test_certified_parts_add_up_their_bounds():
    game = so.games("dice-bids", bids=3)
    near = so.best(game, method="certified")
    assert near.bound < Fraction(1, 10**6)
    assert abs(near.value) <= near.bound
