"""The catalogue of games and bets, on one shelf.

`games["craps"]` and `games["pig"]` are games, `games("hazard", main=5)` is one with options, and
`games.entry("craps")` is its entry: the title, the source, the rules and the known figures.
`games.without_choices` and `games.with_choices` part the entries; `games.endless` has the games
without an end. Each module lists its games in `ENTRIES`.
"""

from importlib import import_module

from sevenout.catalogue.entries import Entry, Shelf

MODULES = (
    "craps_family.craps",
    "craps_family.bets.place",
    "craps_family.bets.propositions",
    "craps_family.bets.bonus",
    "choice_games.pig",
    "choice_games.shut_the_box",
    "choice_games.keepers",
    "choice_games.yahtzee",
    "choice_games.ship",
    "choice_games.farkle",
    "choice_games.bear_off",
    "choice_games.cant_stop",
    "craps_family.bets.repeaters",
    "craps_family.table.hand",
    "craps_family.bets.corner",
    "hazard",
    "craps_family.craps_variants",
    "banked_games",
    "choice_games.klondike",
    "races",
    "craps_family.table.take_down",
    "hidden_games",
)
"""The modules of the catalogue, in display order: of the games with choices, Pig is the first."""


def _entries(modules: tuple[str, ...]) -> list[Entry]:
    found: list[Entry] = []
    for name in modules:
        found += import_module(f"sevenout.catalogue.{name}").ENTRIES
    return found


games = Shelf(lambda: _entries(MODULES), lambda: _entries(("endless",)))

__all__ = ["Entry", "Shelf", "games"]
