"""What happens: games played roll by roll, every roll fair, at the speed of the machine.

The games of a block are played in step. For each state only the number of games in it is kept; each
game tosses its own fair coins (`philox`), and the coins decide its roll exactly, for any integer
weights (`tree`). Which coin belongs to which game is fixed (`stream`), so that every engine brings
back the same counts bit for bit, and a block can be replayed game by game through the rules
(`rolls`).

The room can be called: `sevenout.simulate(game, games=10**9, seed=1)`.
"""

import sys
from types import ModuleType

from sevenout.simulate.checkpoint import CheckpointError
from sevenout.simulate.log import LogError, follow, parse_log, read_log
from sevenout.simulate.replay import Played, ReplayError, Rolled, recount, rolls
from sevenout.simulate.run import Interrupted, Progress, play_block, simulate
from sevenout.simulate.stream import BLOCK
from sevenout.simulate.tally import BetTally, Ended, Tally, TallyError

__all__ = [
    "BLOCK",
    "BetTally",
    "CheckpointError",
    "Ended",
    "Interrupted",
    "LogError",
    "Played",
    "Progress",
    "ReplayError",
    "Rolled",
    "Tally",
    "TallyError",
    "follow",
    "parse_log",
    "play_block",
    "read_log",
    "recount",
    "rolls",
    "simulate",
]


class _Room(ModuleType):
    __call__ = staticmethod(simulate)


sys.modules[__name__].__class__ = _Room
