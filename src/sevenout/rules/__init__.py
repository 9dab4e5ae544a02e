"""What is played: a game is what it rolls, a start, and one step.

`Game` is the rule book's form. As data there are `PointGame`, the craps family; `Wager`, a bet that
the first deciding roll settles; `Checklist`, rolls to be ticked off before a stop. `Repeat`,
`Session`, `Drawn`, `Together` and `Renamed` make games of games; `gamefile` reads and writes
point games as TOML.
"""

from sevenout.numerals import Number
from sevenout.rules.checklist import Checklist
from sevenout.rules.drawn import Drawn
from sevenout.rules.game import (
    Ask,
    Counted,
    Game,
    Passed,
    Pay,
    Settled,
    ask,
    bets_of,
    counted,
    lose,
    passed,
    push,
    settle,
    win,
)
from sevenout.rules.keeping import ByTurns, Hand, KeepRoll, keeps
from sevenout.rules.line import Line
from sevenout.rules.nested import Flat, Repeat, Session
from sevenout.rules.point import PointGame
from sevenout.rules.spread import Spread
from sevenout.rules.stakes import Stakes
from sevenout.rules.together import Renamed, Together
from sevenout.rules.wager import Part, Wager

__all__ = [
    "Ask",
    "ByTurns",
    "Checklist",
    "Counted",
    "Drawn",
    "Flat",
    "Game",
    "Hand",
    "KeepRoll",
    "Line",
    "Number",
    "Part",
    "Passed",
    "Pay",
    "PointGame",
    "Renamed",
    "Repeat",
    "Session",
    "Settled",
    "Spread",
    "Stakes",
    "Together",
    "Wager",
    "ask",
    "bets_of",
    "counted",
    "keeps",
    "lose",
    "passed",
    "push",
    "settle",
    "win",
]
