"""The catalogue of games and bets, on one shelf.

`games["craps"]` and `games["pig"]` are games, `games("hazard", main=5)` is one with options, and
`games.entry("craps")` is its entry: the title, the source, the rules and the known figures.
`games.without_choices` and `games.with_choices` divide the entries; `games.endless` has the games
without an end. `LISTS` names the lists of entries; modules are imported on first use.
"""

from importlib import import_module
from typing import TypeVar, overload

from sevenout.catalogue.entries import Entry, Shelf
from sevenout.lazy import lazy_getattr
from sevenout.rules import Game

LISTS = (
    "craps_family.craps.ENTRIES",
    "craps_family.craps_bets.PLACE_BETS",
    "craps_family.craps_bets.PROPOSITIONS",
    "craps_family.craps_bets.BONUS_BETS",
    "push_your_luck.PIG",
    "board_games.SHUT_THE_BOX",
    "dice_keeping.THREES_AND_MIDNIGHT",
    "dice_keeping.YAHTZEE",
    "dice_keeping.SHIP",
    "push_your_luck.FARKLE_TURNS",
    "board_games.BEARING_OFF",
    "push_your_luck.CANT_STOP",
    "craps_family.craps_bets.REPEATERS",
    "craps_family.hand_bets.HAND_BETS",
    "craps_family.hand_bets.CORNER_BETS",
    "hazard.ENTRIES",
    "craps_family.craps_variants.ENTRIES",
    "banked_games.ENTRIES",
    "banked_games.KLONDIKE",
    "board_games.RACES",
    "craps_family.hand_bets.CHANGEABLE_BETS",
    "hidden_games.ENTRIES",
)
"""The lists of entries, in display order: of the games with choices, Pig is the first."""


def _entries(names: tuple[str, ...]) -> list[Entry]:
    """The entries in the lists of these names: module.list."""
    entries: list[Entry] = []
    for name in names:
        module, _, listed = name.rpartition(".")
        entries += getattr(import_module(f"sevenout.catalogue.{module}"), listed)
    return entries


games = Shelf(lambda: _entries(LISTS), lambda: _entries(("endless.ENTRIES",)))

Rules = TypeVar("Rules")


@overload
def entry_of(subject: str) -> Entry: ...


@overload
def entry_of(subject: Rules) -> Rules: ...


def entry_of(subject: Rules | str) -> Rules | Entry:
    """The entry of a name; anything else is returned unchanged.

    >>> entry_of("craps").title
    'Craps'

    Raises:
        RulesError: no game has that name.
    """
    return games.entry(subject) if isinstance(subject, str) else subject


@overload
def game_of(subject: Entry | str) -> Game: ...


@overload
def game_of(subject: Rules) -> Rules: ...


def game_of(subject: Rules | Entry | str) -> Rules | Game:
    """The game of an entry or of a name; anything else is returned unchanged.

    >>> game_of("pig") == game_of(games.entry("pig")) == games["pig"]
    True

    Raises:
        RulesError: no game has that name.
    """
    if isinstance(subject, str):
        return games[subject]
    return subject.game() if isinstance(subject, Entry) else subject


TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.catalogue.board_games import epc
    from sevenout.catalogue.craps_family.table_session import TableSession
    from sevenout.catalogue.dice_keeping import Yahtzee
else:
    __getattr__ = lazy_getattr(
        __name__,
        {
            "board_games": "epc",
            "craps_family.table_session": "TableSession",
            "dice_keeping": "Yahtzee",
        },
    )

__all__ = [
    "Entry",
    "Shelf",
    "TableSession",
    "Yahtzee",
    "entry_of",
    "epc",
    "game_of",
    "games",
]
