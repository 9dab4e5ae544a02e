"""Simulation: games played roll by roll with exact probabilities.

The games of a block are rolled in step, and only the number of games in each state is kept. Random
bits choose rolls with exact integer weights, and each bit belongs to one game
(`random_bits`). So every engine gives the same counts, and `replay` can play a block game
by game through the rules. See docs/explanation/simulation.md.
"""

from sevenout.lazy import lazy_getattr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.simulation.played_evenings import Dealt, simulate_evenings
    from sevenout.simulation.replay import (
        LogError,
        Played,
        ReplayError,
        Rolled,
        follow,
        parse_log,
        read_log,
        recount,
        rolls,
    )
    from sevenout.simulation.run import (
        CheckpointError,
        Interrupted,
        Progress,
        play_block,
        simulate,
    )
    from sevenout.simulation.tally import BetTally, Ended, Tally, TallyError
else:
    __getattr__ = lazy_getattr(
        __name__,
        {
            "played_evenings": "Dealt simulate_evenings",
            "replay": "LogError Played ReplayError Rolled follow parse_log read_log recount rolls",
            "run": "CheckpointError Interrupted Progress play_block simulate",
            "tally": "BetTally Ended Tally TallyError",
        },
    )

__all__ = [  # written out: the docs read it, and run nothing
    "BetTally",
    "CheckpointError",
    "Dealt",
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
    "simulate_evenings",
]
