"""The catalogue: every game and bet of the house, as data.

Each module of the room declares some games and lists them in `ENTRIES`. `catalogue["craps"]` is a
game, `catalogue("hazard", main=5)` one with options, `catalogue.entry("craps")` what is known of
it.
"""

from importlib import import_module

from sevenout.games.entry import Catalogue, Entry

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
)
"""The modules of the catalogue, in the order in which it is shown."""


def _load() -> list[Entry]:
    modules = (import_module(f"sevenout.games.{name}") for name in MODULES)
    return [entry for module in modules for entry in module.ENTRIES]


catalogue = Catalogue(_load)

__all__ = ["Catalogue", "Entry", "catalogue"]
