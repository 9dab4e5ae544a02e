"""Games: what is rolled, a first state, and one step.

`Game` is the form of every rule book. `PointGame`, `Wager` and `Checklist` are games given as data.
`Streak`, `Mixture`, `Together`, `Renamed` and `Surrender` build games from games. `gamefile` reads
and writes games as TOML.
"""

from sevenout.numerals import Number
from sevenout.rules.composed.counter_outcomes import CounterOutcomes
from sevenout.rules.composed.mixture import Mixture
from sevenout.rules.composed.nested import Flat, Streak
from sevenout.rules.composed.together import Renamed, Together
from sevenout.rules.families.checklist import Checklist
from sevenout.rules.families.hidden_hands import HiddenHands
from sevenout.rules.families.keeping import ByTurns, Hand, KeepRoll, keeps
from sevenout.rules.families.paytable import PayTable
from sevenout.rules.families.point import PointGame
from sevenout.rules.families.surrender import Surrender
from sevenout.rules.families.wager import Part, Wager
from sevenout.rules.game import Game, bets_of
from sevenout.rules.objective import Objective, least, most
from sevenout.rules.outcome import (
    Ask,
    Counted,
    Outcome,
    Passed,
    Pay,
    ask,
    counted,
    lose,
    passed,
    push,
    settle,
    win,
)
from sevenout.rules.progressive import Progressive

__all__ = [
    "Ask",
    "ByTurns",
    "Checklist",
    "Counted",
    "CounterOutcomes",
    "Flat",
    "Game",
    "Hand",
    "HiddenHands",
    "KeepRoll",
    "Mixture",
    "Number",
    "Objective",
    "Outcome",
    "Part",
    "Passed",
    "Pay",
    "PayTable",
    "PointGame",
    "Progressive",
    "Renamed",
    "Streak",
    "Surrender",
    "Together",
    "Wager",
    "ask",
    "bets_of",
    "counted",
    "keeps",
    "least",
    "lose",
    "most",
    "passed",
    "push",
    "settle",
    "win",
]
