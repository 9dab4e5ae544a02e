"""sevenout: a workbench for the mathematics of dice games.

Write the rules of a game once, then ask for its exact figures.

>>> import sevenout as so
>>> craps = so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
>>> so.solve(craps).bet().p_win
Fraction(244, 495)

A game of the catalogue has a name: `so.solve("craps")`, `so.best("pig")`, `so.games["craps"]`.

The packages, each importing only those before it: `documents`, `rolling`, `rules`, `model`,
`catalogue`, `certify`, `solving`, `evenings`, `simulation`, `variants` and `verify`, `papers`,
`questions`, `cli` and `lab`. Heavy packages load when they are first used.
"""

from importlib import import_module

from sevenout.lazy import lazy_getattr
from sevenout.solving import solve as solve

TYPE_CHECKING = False  # as type checkers know it; importing `typing` is slow
if TYPE_CHECKING:
    from sevenout.budgets.estimates import budget as budget
    from sevenout.budgets.estimates import run_within as run_within
    from sevenout.catalogue import games as games
    from sevenout.catalogue.craps_family.craps_felt import House as House
    from sevenout.catalogue.game_models import explore as explore
    from sevenout.catalogue.strategies import strategies as strategies
    from sevenout.errors import SevenoutError as SevenoutError
    from sevenout.evenings import evening as evening
    from sevenout.evenings.optimal_evenings import best_evening as best_evening
    from sevenout.evenings.sessions import session as session
    from sevenout.papers.comparison import compare as compare
    from sevenout.papers.game_sheet import sheet as sheet
    from sevenout.rolling import Deck as Deck
    from sevenout.rolling import Dice as Dice
    from sevenout.rolling import Die as Die
    from sevenout.rolling import Law as Law
    from sevenout.rolling import Pool as Pool
    from sevenout.rolling import Vector as Vector
    from sevenout.rolling import d4 as d4
    from sevenout.rolling import d6 as d6
    from sevenout.rolling import d8 as d8
    from sevenout.rolling import d10 as d10
    from sevenout.rolling import d12 as d12
    from sevenout.rolling import d20 as d20
    from sevenout.rolling import deck as deck
    from sevenout.rolling import dice as dice
    from sevenout.rolling import each as each
    from sevenout.rolling import highest as highest
    from sevenout.rolling import law as law
    from sevenout.rolling import lowest as lowest
    from sevenout.rolling import mixture as mixture
    from sevenout.rolling import pool as pool
    from sevenout.rolling import repeat as repeat
    from sevenout.rolling import roll as roll
    from sevenout.rolling import spread as spread
    from sevenout.rolling import versus as versus
    from sevenout.rules import Checklist as Checklist
    from sevenout.rules import Game as Game
    from sevenout.rules import HiddenGame as HiddenGame
    from sevenout.rules import HiddenHands as HiddenHands
    from sevenout.rules import PayTable as PayTable
    from sevenout.rules import PointGame as PointGame
    from sevenout.rules import Wager as Wager
    from sevenout.rules import choose_again as choose_again
    from sevenout.rules import counted as counted
    from sevenout.rules import least as least
    from sevenout.rules import lose as lose
    from sevenout.rules import most as most
    from sevenout.rules import pass_turn as pass_turn
    from sevenout.rules import push as push
    from sevenout.rules import settle as settle
    from sevenout.rules import win as win
    from sevenout.rules.casino.betting import Strategy as Strategy
    from sevenout.simulation import simulate as simulate
    from sevenout.solving import Solution as Solution
    from sevenout.solving.long_run import long_run as long_run
    from sevenout.solving.optimal_play import best as best
    from sevenout.variants.tuning import tune as tune
    from sevenout.verify import confirm as confirm

__version__ = "0.1.0"

_NAMES_BY_MODULE = {
    "budgets.estimates": "budget run_within",
    "catalogue": "games",
    "catalogue.craps_family.craps_felt": "House",
    "catalogue.game_models": "explore",
    "catalogue.strategies": "strategies",
    "errors": "SevenoutError",
    "evenings": "evening",
    "evenings.optimal_evenings": "best_evening",
    "evenings.sessions": "session",
    "papers.comparison": "compare",
    "papers.game_sheet": "sheet",
    "rolling": "Deck Dice Die Law Pool Vector d4 d6 d8 d10 d12 d20 deck dice each highest law "
    "lowest mixture pool repeat roll spread versus",
    "rules": "Checklist Game HiddenGame HiddenHands PayTable PointGame Wager choose_again counted "
    "least lose most pass_turn push settle win",
    "rules.casino.betting": "Strategy",
    "simulation": "simulate",
    "solving": "Solution",
    "solving.long_run": "long_run",
    "solving.optimal_play": "best",
    "variants.tuning": "tune",
    "verify": "confirm",
}
_UNLISTED = "Deck Dice HiddenHands House Law PayTable Pool Solution roll"
"""Names for annotations, for rare rules, and `law` of a text: they work, and no list shows them."""
_PACKAGES = (
    "catalogue",
    "documents",
    "evenings",
    "model",
    "papers",
    "rolling",
    "rules",
    "simulation",
    "solving",
    "variants",
    "verify",
)

__all__ = [  # noqa: PLE0604  the names are the homes'
    "solve",
    *sorted(set(" ".join(_NAMES_BY_MODULE.values()).split()) - set(_UNLISTED.split())),
]

if not TYPE_CHECKING:  # a checker that knew it would take every misspelt name for one of these
    _lazy_getattr = lazy_getattr(__name__, _NAMES_BY_MODULE)

    def _names_a_die(name: str) -> bool:
        return name[:1] == "d" and name[1:].isdecimal()

    def __getattr__(name: str) -> object:
        if name in _PACKAGES:
            return import_module(f"sevenout.{name}")
        try:
            return _lazy_getattr(name)
        except AttributeError:
            hints: dict[str, str] = import_module("sevenout.rolling.other_libraries").NAMES
            hint = f"so.dice({name!r})" if _names_a_die(name) else hints.get(name)
            if hint is None:
                raise
        raise AttributeError(f"module 'sevenout' has no attribute {name!r}; write {hint}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES])
