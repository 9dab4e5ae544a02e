"""What happens: games played roll by roll, every roll fair, at the speed of the machine.

The games of a block are played in step. For each state only the number of games in it is kept; each
game tosses its own fair coins (`philox`), and the coins decide its roll exactly, for any integer
weights (`tree`). Which coin belongs to which game is fixed (`stream`), so that every engine brings
back the same counts bit for bit, and a block can be replayed game by game through the rules
(`rolls`).

The front door is `simulate`; everything else loads when it is first used.
"""

from sevenout.lazy import opened
from sevenout.simulate.simulation import simulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.simulate.backends.stream import BLOCK
    from sevenout.simulate.checkpoint import CheckpointError
    from sevenout.simulate.log import LogError, follow, parse_log, read_log
    from sevenout.simulate.replay import Played, ReplayError, Rolled, recount, rolls
    from sevenout.simulate.run import Interrupted, Progress, play_block
    from sevenout.simulate.tally import BetTally, Ended, Tally, TallyError
else:
    __getattr__ = opened(
        __name__,
        {
            "checkpoint": "CheckpointError",
            "log": "LogError follow parse_log read_log",
            "replay": "Played ReplayError Rolled recount rolls",
            "run": "Interrupted Progress play_block",
            "backends.stream": "BLOCK",
            "tally": "BetTally Ended Tally TallyError",
        },
    )

__all__ = [  # written out: the docs read it, and run nothing
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
