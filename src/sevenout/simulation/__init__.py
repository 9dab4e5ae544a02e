"""Simulation: games played roll by roll with exact probabilities.

The games of a block are rolled in step, and only the number of games in each state is kept. Random
bits choose rolls with exact integer weights, and each bit belongs to one game
(`backends.random_bits`). So every engine gives the same counts, and `replay` can play a block game
by game through the rules. See docs/explanation/simulation.md.
"""

from sevenout.lazy import opened
from sevenout.simulation.simulation import simulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.simulation.backends.random_bits import BLOCK
    from sevenout.simulation.checkpoint import CheckpointError
    from sevenout.simulation.log import LogError, follow, parse_log, read_log
    from sevenout.simulation.replay import Played, ReplayError, Rolled, recount, rolls
    from sevenout.simulation.run import Interrupted, Progress, play_block
    from sevenout.simulation.tally import BetTally, Ended, Tally, TallyError
else:
    __getattr__ = opened(
        __name__,
        {
            "checkpoint": "CheckpointError",
            "log": "LogError follow parse_log read_log",
            "replay": "Played ReplayError Rolled recount rolls",
            "run": "Interrupted Progress play_block",
            "backends.random_bits": "BLOCK",
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
