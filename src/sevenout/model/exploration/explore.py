"""Rules to model: every roll and every option, once in each reachable state.

A game of games is played on the dice at the bottom; the inner game is explored once (see `rounds`).
"""

import gc
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sevenout.errors import EndlessGameError, RulesError, shown
from sevenout.model.chain import Chain
from sevenout.model.exploration.explorer import Explorer
from sevenout.model.model import Model
from sevenout.model.naming import state_name
from sevenout.rules import Game
from sevenout.rules.game import must_be_a_game

MAX_STATES = 1_000_000
SOON_STATES = 60_000
"""Games with fewer states, such as all in the catalogue, are explored at once."""


def chain_of(game: "Game | Model", max_states: int = MAX_STATES) -> Chain:
    """The chain of a game without decisions; a chain is returned unchanged.

    If turns pass, the states include the seat; see `Model.under`.

    >>> from sevenout.rules import PointGame
    >>> chain = chain_of(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> chain_of(chain) is chain
    True

    Raises:
        RulesError: not a game, or a game with choices.
        EndlessGameError: a game, or a chain, without an end.
    """
    found = game if isinstance(game, Model) else explore(game, max_states)
    if found.questions:
        some = state_name(found.states[found.questions[0]])
        raise RulesError(
            f"the game has choices in state {some}; call sevenout.best(game), or "
            "sevenout.explore(game).under(policy)"
        )
    if isinstance(found, Chain) and found.traps:
        raise EndlessGameError(
            "the chain has no end; for its averages call sevenout.solving.distributions.long_run"
        )
    return found.under({})


def explore(game: Game, max_states: int = MAX_STATES, *, endless: bool = False) -> Model:
    """The model of a game; a `Chain` if no player decides and no turn passes.

    A state of a game of games is that of `rules.Flat`: the state, with the state of the inner game.

    >>> from sevenout.rules import PointGame
    >>> explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    <Chain of 7 states and 4 outcomes>

    Args:
        game: the rules.
        max_states: the most states.
        endless: allow games without an end. The chain then has `traps`, the states that it never
            leaves for an outcome; only `exact.long_run` accepts it.

    Raises:
        TooManyStatesError: more states than `max_states`.
        TooMuchWorkError: more states and rolls than the budget allows.
        EndlessGameError: a state that can't reach an outcome, in a game that must end.
        RulesError: a step gives something that is neither a state nor an outcome, or a different
            result the second time.
    """
    must_be_a_game(game)
    if isinstance(max_states, bool) or not isinstance(max_states, int) or max_states < 1:
        raise RulesError(f"max_states={shown(max_states)}; give a whole number, 1 or more")
    game.afford()
    try:
        with not_collecting():
            return Explorer(game, max_states, endless).model()
    except RecursionError:
        raise RulesError(
            f"{type(game).__name__} contains itself without end; let rolls(state) return dice, "
            "or another game"
        ) from None


def has_choices(game: Game) -> bool:
    """Whether a player ever decides; the search stops at the first decision.

    >>> from sevenout.games import catalogue, decisions
    >>> has_choices(decisions("pig")), has_choices(catalogue["craps"])
    (True, False)

    Raises:
        SevenoutError: as `explore`.
    """
    if type(game).choices is Game.choices:
        return False
    try:
        with not_collecting():
            _FirstDecision(game, MAX_STATES).model()
    except _DecidesError:
        return True
    return False


@contextmanager
def not_collecting() -> Iterator[None]:
    """Pause the garbage collector, which would take a third of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class _DecidesError(Exception):
    """Raised at the first decision."""


class _FirstDecision(Explorer):
    def _decision(self, state: Hashable, menu: Mapping[str, Any]) -> int:
        raise _DecidesError
