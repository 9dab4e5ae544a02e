"""What exploring rules refuses, and what it checks on the way."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

import sevenout as so
from sevenout.errors import (
    EndlessGameError,
    RulesError,
    TooManyStatesError,
    TooMuchWorkError,
)
from sevenout.model import chain_of, explore


class Tree(so.Game):
    """States 0 to `size` - 1; from state s a roll leads to one of `width` states after it."""

    start = 0

    def __init__(self, size: int, width: int, faces: int = 3) -> None:
        self.size, self.width, self.dice = size, width, so.Die(range(faces))

    def step(self, state: int, roll: int) -> Any:
        after = state * self.width + 1 + roll % self.width
        return after if after < self.size else so.win()


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_game_is_refused_if_and_only_if_it_has_more_states_than_the_limit(width: int) -> None:
    for size in range(1, 30):
        game = Tree(size, width)
        assert len(chain_of(game, size).states) == size
        for limit in range(1, size):
            with pytest.raises(TooManyStatesError, match=f"more than {limit} states"):
                chain_of(game, limit)


@pytest.mark.parametrize("limit", [{"seconds": 0.004}, {"memory": 1e5}])
def test_the_budget_counts_the_rolls_of_each_state(limit: dict[str, float]) -> None:
    with so.budget(**limit):
        assert len(so.explore(Tree(40, 1)).states) == 40
        with pytest.raises(TooMuchWorkError, match="states, each with 500 rolls, would take"):
            so.explore(Tree(40, 1, faces=500))


@pytest.mark.parametrize("state", range(10))
def test_in_a_small_game_every_state_is_checked_for_rules_that_draw(state: int) -> None:
    calls = iter(range(1_000))

    class Draws(Tree):
        def step(self, node: int, roll: int) -> Any:
            return so.win(str(next(calls))) if node == state else super().step(node, roll)

    with pytest.raises(RulesError, match=f"not deterministic: the step from {state} on 0"):
        so.explore(Draws(10, 1))


def test_options_may_be_any_mapping() -> None:
    class Offer(so.Game):
        dice, start = so.d6, "offer"

        def choices(self, state: str) -> Mapping[str, Any]:
            return MappingProxyType({"take": so.settle("taken"), "roll": "refused"})

        def step(self, state: str, roll: int) -> Any:
            return so.win()

    assert so.explore(Offer()).options("offer") == ("take", "roll")


def test_outcomes_come_in_the_order_in_which_the_rules_list_the_pays_of_their_bets() -> None:
    pays = {1: 3, 2: -1, 3: 0, 4: 7}
    ends = {face: so.settle(f"{face} was rolled", {"bet": pay}) for face, pay in pays.items()}

    class Listed(so.Game):
        dice, start, bets = so.dice("d4"), "on", ("bet",)

        def pays_of(self, bet: str) -> Any:
            return [ends[face].pay(bet) for face in (2, 4, 1)]  # a pay of 0 by no rule

        def step(self, state: str, roll: Any) -> Any:
            return ends[roll.total]

    profits = [outcome.profit("bet") for outcome in so.explore(Listed()).outcomes]
    assert profits == [0, -1, 7, 3]


def test_a_chain_that_never_ends_has_the_states_that_it_never_leaves_if_that_is_allowed() -> None:
    class Stuck(so.Game):
        dice, start = so.d6, "start"

        def step(self, state: str, roll: int) -> Any:
            return so.win() if state == "start" and roll == 6 else "here" if roll < 4 else "there"

    chain = explore(Stuck(), endless=True)
    assert {chain.states[s] for s in chain.traps} == {"here", "there"}
    with pytest.raises(EndlessGameError, match="the chain has no end"):
        chain_of(chain)
    with pytest.raises(EndlessGameError, match="never ends from"):
        explore(Stuck())


@pytest.mark.parametrize("limit", [0, -1, True, 1.0, "3", None])
def test_a_limit_is_a_whole_number_above_0(limit: Any) -> None:
    with pytest.raises(RulesError, match="give a whole number, 1 or more"):
        explore(Tree(1, 1), limit)
