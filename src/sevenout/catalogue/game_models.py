"""The finite model of a game, of an entry of the catalogue, or of a name in it."""

from sevenout.catalogue import game_of
from sevenout.catalogue.entries import Entry
from sevenout.model import MAX_STATES, Model
from sevenout.model import explore as explore_game
from sevenout.rules import Game


def explore(
    game: Game | Entry | str, max_states: int = MAX_STATES, *, endless: bool = False
) -> Model:
    """The model of a game; a `Chain` if no player decides and no turn passes.

    >>> explore("craps")
    <Chain of 7 states and 4 outcomes>

    Args:
        game: the rules; an entry of the catalogue, or its name.
        max_states: the most states.
        endless: allow games without an end, which only `long_run` reads.

    Raises:
        RulesError: no game has that name.
        TooManyStatesError, TooMuchWorkError, EndlessGameError: as `sevenout.model.explore`.
    """
    return explore_game(game_of(game), max_states, endless=endless)
