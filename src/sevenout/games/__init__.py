"""The catalogue: every game and bet of the house, as data.

Each module of the room declares some games and lists them in `ENTRIES`. `catalogue["craps"]` is a
game, `catalogue("hazard", main=5)` one with options, `catalogue.entry("craps")` what is known of
it.

The games with choices stand beside it: modules list them in `DECISIONS`, `decisions["pig"]` is what
is known of one, `decisions("pig", goal=50)` the game.
"""

from importlib import import_module
from typing import Any

from sevenout.games.decision import Decision, Decisions
from sevenout.games.entry import Catalogue, Entry
from sevenout.games.renamed_entries import FORMER

MODULES = (
    "craps",
    "place",
    "propositions",
    "bonus",
    "repeaters",
    "hand",
    "corner",
    "hazard",
    "fast_craps",
    "crapless",
    "street",
    "no_crap",
    "high_point",
    "pharaoh",
    "card_craps",
    "sic_bo",
    "chuck_a_luck",
    "grand_hazard",
    "cee_lo",
    "barbudi",
    "klondike",
    "dice_duel",
    "gamesys",
    "de_mere",
    "chutes",
    "risk",
)
"""The modules of the catalogue, in the order in which it is shown."""


CHOICES = (
    "pig",
    "shut_the_box",
    "keepers",
    "yahtzee",
    "ship",
    "farkle",
    "bear_off",
    "cant_stop",
    "hazard",
    "repeaters",
    "take_down",
    "kuhn",
    "liars_dice",
    "mia",
    "at_once",
)
"""The modules of the games with choices, in the order in which they are shown."""


def _listed(names: tuple[str, ...], what: str) -> list[Any]:
    modules = (import_module(f"sevenout.games.{name}") for name in names)
    return [entry for module in modules for entry in getattr(module, what)]


catalogue = Catalogue(lambda: _listed(MODULES, "ENTRIES"), FORMER)
decisions = Decisions(lambda: _listed(CHOICES, "DECISIONS"))

__all__ = ["Catalogue", "Decision", "Decisions", "Entry", "catalogue", "decisions"]
