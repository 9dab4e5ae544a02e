"""The catalogue of games and bets.

Modules list their games in `ENTRIES`. `catalogue["craps"]` is a game, `catalogue("hazard", main=5)`
one with options, and `catalogue.entry("craps")` its entry. `catalogue.endless` has the games
without an end.

Games with choices are listed in `DECISIONS`: `decisions["pig"]` is an entry, and `decisions("pig",
goal=50)` a game.
"""

from importlib import import_module
from typing import Any

from sevenout.games.decision import Decision, Decisions
from sevenout.games.entry import Catalogue, Entry
from sevenout.games.renamed_entries import FORMER

MODULES = (
    "craps_family.craps",
    "craps_family.bets.place",
    "craps_family.bets.propositions",
    "craps_family.bets.bonus",
    "craps_family.bets.repeaters",
    "craps_family.table.hand",
    "craps_family.bets.corner",
    "banked.hazard",
    "banked.fast_craps",
    "craps_family.crapless",
    "craps_family.bets.street",
    "craps_family.no_crap",
    "craps_family.bets.high_point",
    "craps_family.pharaoh",
    "craps_family.card_craps",
    "banked.sic_bo",
    "banked.chuck_a_luck",
    "banked.grand_hazard",
    "banked.cee_lo",
    "banked.barbudi",
    "choice_games.klondike",
    "banked.dice_duel",
    "banked.gamesys",
    "banked.de_mere",
    "races.chutes",
    "races.risk",
)
"""The modules of the catalogue, in display order."""


CHOICES = (
    "choice_games.pig",
    "choice_games.shut_the_box",
    "choice_games.keepers",
    "choice_games.yahtzee",
    "choice_games.ship",
    "choice_games.farkle",
    "choice_games.bear_off",
    "choice_games.cant_stop",
    "banked.hazard",
    "craps_family.bets.repeaters",
    "craps_family.table.take_down",
    "hidden_games.kuhn",
    "hidden_games.liars_dice",
    "hidden_games.mia",
    "hidden_games.at_once",
)
"""The modules of the games with choices, in display order."""


def _listed(names: tuple[str, ...], what: str) -> list[Any]:
    modules = (import_module(f"sevenout.games.{name}") for name in names)
    return [entry for module in modules for entry in getattr(module, what)]


catalogue = Catalogue(
    lambda: _listed(MODULES, "ENTRIES"), FORMER, lambda: _listed(("endless",), "ENTRIES")
)
decisions = Decisions(lambda: _listed(CHOICES, "DECISIONS"))

__all__ = ["Catalogue", "Decision", "Decisions", "Entry", "catalogue", "decisions"]
