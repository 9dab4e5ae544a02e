"""What is played: a game is what it rolls, a start, and one step.

`Game` is the rule book's form; `PointGame` the craps family as data; `Repeat`, `Session`,
`Together` and `Renamed` make games of games; `gamefile` reads and writes point games as TOML.
"""

from sevenout.rules.game import (
    Counted,
    Game,
    Number,
    Pay,
    Settled,
    counted,
    lose,
    push,
    settle,
    win,
)
from sevenout.rules.line import Line
from sevenout.rules.nested import Flat, Renamed, Repeat, Session, Together
from sevenout.rules.point import PointGame

__all__ = [
    "Counted",
    "Flat",
    "Game",
    "Line",
    "Number",
    "Pay",
    "PointGame",
    "Renamed",
    "Repeat",
    "Session",
    "Settled",
    "Together",
    "counted",
    "lose",
    "push",
    "settle",
    "win",
]
