"""Rules that are awkward, in games too large to explore."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest

import sevenout as so
from sevenout.errors import EndlessGameError, RulesError, TooMuchWorkError
from sevenout.model import explore
from sevenout.rules import Game, settle
from sevenout.simulation import lazy_sampler, simulate
from sevenout.simulation.lazy_sampler import LazyChain, play_lazily
from sevenout.simulation.own_dice import OwnDice
from tests.simulation.games import Long, Mixed, met


def test_dice_come_first_and_a_game_later() -> None:
    # Of 60,000 games each of the thousand states has some, in all but one seed in 10⁹.
    lazy_chain, tally, explored = LazyChain(Mixed()), met(Mixed(), 60_000), explore(Mixed())
    assert play_lazily(lazy_chain, OwnDice(1, 0, 60_000)) is not None
    assert set(lazy_chain.table.states) == set(explored.states)
    assert abs(tally.mean_rolls - so.solve(explored).mean_rolls) < Fraction(1, 10)


class Trap(Game):
    """Ten million states; one game in six goes round in three of them, and never ends."""

    dice, start = so.d6, 0

    def step(self, state: Any, face: int) -> Any:
        if not 0 <= state < 10**7:
            return -1 - face % 3
        if not state and face == 1:
            return -1
        return state + 1 if state < 10**7 and face < 6 else settle("end", {"pass": 0})


def test_a_game_that_goes_on_for_ever_is_refused_when_it_is_met() -> None:
    with pytest.raises(EndlessGameError, match=r"the game never ends from -\d, -\d, -\d; "):
        play_lazily(LazyChain(Trap()), OwnDice(1, 0, 100))


class Up(Game):
    """It goes on for ever, from one state to the next."""

    dice, start = so.d6, 0

    def step(self, state: int, face: int) -> int:
        return state + 1


def test_a_game_that_only_ever_comes_to_new_states_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lazy_sampler, "FIRST_CHECK", 64)
    said = r"^100 games of which none ended in rolls 64 to 128, and which always reach new states"
    with so.budget(seconds=1e-6), pytest.raises(TooMuchWorkError, match=said):
        play_lazily(LazyChain(Up()), OwnDice(1, 0, 100))
    ends = Long(5)
    assert ends.dice.law  # worked out before the budget
    with so.budget(seconds=1e-6):  # one that ends is not asked about
        assert play_lazily(LazyChain(ends), OwnDice(1, 0, 100))


class Broken(Long):
    """It forgets to return a state, or returns what is none, after some rolls."""

    bad: Any = None

    def step(self, state: Any, roll: Any) -> Any:
        return self.bad if len(state) == 5 else super().step(state, roll)


@pytest.mark.parametrize("bad", [None, [], print])
def test_what_is_no_state_is_said(small_chunks: None, bad: Any) -> None:
    game = Broken()
    object.__setattr__(game, "bad", bad)
    with ThreadPoolExecutor(2) as pool, pytest.raises(RulesError, match=r"^the step from \("):
        simulate(game, 1_500, executor=pool)
