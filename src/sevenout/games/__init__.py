"""The catalogue: every game and bet of the house, as data.

Each module of the room declares some games and lists them in `ENTRIES`. `catalogue["craps"]` is a
game, `catalogue("hazard", main=5)` one with options, `catalogue.entry("craps")` what is known of
it.

Games without an end are in `catalogue.endless`, and are found by name as the others are.

The games with choices stand beside it: modules list them in `DECISIONS`, `decisions["pig"]` is what
is known of one, `decisions("pig", goal=50)` the game.
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
"""The modules of the catalogue, in the order in which it is shown."""


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
"""The modules of the games with choices, in the order in which they are shown."""


def _listed(names: tuple[str, ...], what: str) -> list[Any]:
    modules = (import_module(f"sevenout.games.{name}") for name in names)
    return [entry for module in modules for entry in getattr(module, what)]


catalogue = Catalogue(
    lambda: _listed(MODULES, "ENTRIES"), FORMER, lambda: _listed(("endless",), "ENTRIES")
)
decisions = Decisions(lambda: _listed(CHOICES, "DECISIONS"))

__all__ = ["Catalogue", "Decision", "Decisions", "Entry", "catalogue", "decisions"]
