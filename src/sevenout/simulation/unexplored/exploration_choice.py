"""The choice of games to explore before play."""

from concurrent.futures import Executor, ThreadPoolExecutor

from sevenout.errors import TooManyStatesError, TooMuchWorkError
from sevenout.model import MAX_STATES, SOON_STATES, Chain, chain_of
from sevenout.rules import Game

STATES_A_GAME = 8
"""The most states to explore per game played, if there are more than `SOON_STATES`.

Exploring a state takes as long as a dozen rolls through the rules.
"""


def explored(game: Game | Chain, games: int, executor: Executor | None = None) -> Chain | None:
    """The chain of a game to be played this often; None if exploration costs too much.

    Raises:
        TooManyStatesError: too large, for a game that other processes are to play.
        RulesError: a game with choices and no policy.
    """
    asks_nobody = isinstance(game, Game) and type(game).choices is Game.choices
    if not asks_nobody or not is_here(executor):
        return chain_of(game)
    try:
        return chain_of(game, min(MAX_STATES, max(SOON_STATES, STATES_A_GAME * games)))
    except (TooManyStatesError, TooMuchWorkError):
        return None


def is_here(pool: Executor | None) -> bool:
    """Whether it plays in this process."""
    return pool is None or isinstance(pool, ThreadPoolExecutor)
